#!/usr/bin/env python3
"""Makes Breach's own levels: the six .map files beside this script, and those of scenes/ for File > Examples.

    python3 make_levels.py            writes them here
    python3 make_levels.py FOLDER     writes them to FOLDER

Units are those of a .map file: Z up, 32 units = 1 m; every coordinate lies on a grid of 8 units, but for the thin
walls of `range` and `sheet`, the stones of `arch` and the cards of `cards`. The files are Valve 220 and open in
TrenchBroom; change a level there or change it here.

How a level is built:
* `Level.carve` and `Level.fill` hollow rooms out of a block, box by box; a later box wins over an earlier one, and
  a face shows the paint of whichever came later, the air before it or the solid behind it. `Level.emit_block` then
  cuts what is left into as few boxes as it can. A level made so is sealed, because a wall is what was not taken away.
* `Level.box`, `prism` and `hull` add single convex brushes: furniture, columns, boulders. Overlaps are fine.
* Point entities (lights, the player's start, blasts) are added last.
"""
import itertools
import math
import os
import random
import sys

DIRECTIONS = [(-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)]


class Paint:
    """The textures of a box: its upright sides, what is walked on, what is overhead."""

    def __init__(self, wall, floor=None, ceiling=None):
        self.wall, self.floor, self.ceiling = wall, floor or wall, ceiling or wall

    def of(self, direction):
        """The texture of a solid's face that looks along `direction` (the normal, into the air)."""
        if direction[2] > 0:
            return self.floor
        return self.ceiling if direction[2] < 0 else self.wall


def as_paint(paint):
    return paint if isinstance(paint, Paint) else Paint(paint)


def number(value):
    """A coordinate as text: whole where it can be, else the exact decimal (the grid is 1/512 unit)."""
    return str(int(value)) if value == int(value) else repr(float(value))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def face(points, texture):
    """One line of a brush. `points` run counter-clockwise seen from outside; a .map wants them the other way."""
    a, b, c = points
    normal = cross(minus(b, a), minus(c, a))
    axis = max(range(3), key=lambda i: (abs(normal[i]), i))
    u, v = [("0 1 0", "0 0 -1"), ("1 0 0", "0 0 -1"), ("1 0 0", "0 -1 0")][axis]
    corners = " ".join("( %s %s %s )" % tuple(map(number, p)) for p in (a, c, b))
    return f"{corners} {texture} [ {u} 0 ] [ {v} 0 ] 0 1 1"


def hull_faces(points):
    """The convex hull of a few points, exactly: one (three corners, normal) a plane."""
    points = sorted(set(points))
    found = {}
    for triple in itertools.combinations(points, 3):
        normal = cross(minus(triple[1], triple[0]), minus(triple[2], triple[0]))
        if normal == (0, 0, 0):
            continue
        heights = [dot(normal, minus(p, triple[0])) for p in points]
        if max(heights) > 0 and min(heights) < 0:
            continue
        if max(heights) == 0 and min(heights) == 0:
            raise ValueError("flat")
        if max(heights) > 0:
            triple, normal = (triple[0], triple[2], triple[1]), tuple(-n for n in normal)
        plane = frozenset(p for p, h in zip(points, heights) if h == 0)
        area = dot(normal, normal)
        if plane not in found or area > found[plane][2]:
            found[plane] = (triple, normal, area)
    return [(triple, normal) for triple, normal, _ in found.values()]


class Level:
    def __init__(self, name, message, **keys):
        self.name, self.keys = name, {"classname": "worldspawn", "message": message, "breach_version": "1", **keys}
        self.operations = []
        self.world, self.entities = [], []

    # Brushes

    def hull(self, points, paint, into=None):
        """A convex brush around `points`, added to the world or to the list `into`."""
        paint = as_paint(paint)
        lines = [face(triple, paint.of(normal)) for triple, normal in hull_faces(points)]
        (self.world if into is None else into).append(lines)

    def box(self, low, high, paint, into=None):
        assert all(a < b for a, b in zip(low, high)), (low, high)
        self.hull(list(itertools.product(*zip(low, high))), paint, into)

    def prism(self, outline, bottom, top, paint, axis=2):
        """A convex outline (pairs) drawn out along an axis."""
        def place(p, along):
            p = list(p)
            p.insert(axis, along)
            return tuple(p)
        self.hull([place(p, z) for p in outline for z in (bottom, top)], paint)

    def patch(self, rows, texture):
        """A curved sheet: odd numbers of rows and points; its front is where (along the rows) x (along a row) points."""
        lines = ["patchDef2", "{", texture, f"( {len(rows)} {len(rows[0])} 0 0 0 )", "("]
        for i, row in enumerate(rows):
            points = " ".join("( %s %s %s %s %s )" % (*map(number, p), number(i / 2), number(j / 2))
                              for j, p in enumerate(row))
            lines.append(f"( {points} )")
        self.world.append(lines + [")", "}"])

    def pipe(self, outline, along, texture, axis=2):
        """A closed pipe along an axis: at each place of `along` (position, radius) a circle around the point `outline`."""
        around = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)]

        def place(position, radius, p, q):
            at = [outline[0] + radius * p, outline[1] + radius * q]
            at.insert(axis, position)
            return tuple(at)
        # Seen along y, x and z run the other way round.
        turn = -1 if axis == 1 else 1
        self.patch([[place(position, radius, p, turn * q) for position, radius in along] for p, q in around], texture)

    def terrain(self, corner, step, heights, texture):
        """A field of heights, rows along y."""
        lines = ["terrainDef", "{", f"{len(heights[0])} {len(heights)} {step} {step}", " ".join(map(number, corner))]
        lines += [f"{number(up)} {texture} 0 0 0 1 1 0 0 0" for row in heights for up in row]
        self.world.append(lines + ["}"])

    # Rooms

    def carve(self, low, high, paint):
        """Air. `paint` is what the solid around it shows."""
        self.operations.append((False, low, high, as_paint(paint)))

    def fill(self, low, high, paint):
        """Solid again."""
        self.operations.append((True, low, high, as_paint(paint)))

    def emit_block(self, low, high, paint):
        """The block low..high with all carves and fills applied, as boxes."""
        operations = [(True, low, high, as_paint(paint))] + self.operations
        cuts = [sorted({c for _, a, b, _ in operations for c in (a[i], b[i]) if low[i] <= c <= high[i]})
                for i in range(3)]
        size = [len(c) - 1 for c in cuts]
        owner = {}
        for index, (_, a, b, _) in enumerate(operations):
            spans = [range(cuts[i].index(max(a[i], low[i])), cuts[i].index(min(b[i], high[i]))) for i in range(3)]
            for cell in itertools.product(*spans):
                owner[cell] = index
        is_solid = {cell for cell, index in owner.items() if operations[index][0]}

        def shown(cell, direction):
            beyond = owner.get(tuple(c + d for c, d in zip(cell, direction)))
            if beyond is None or operations[beyond][0]:
                return None
            return operations[max(beyond, owner[cell])][3].of(direction)

        def grow(start, order):
            """The largest box from `start` in which no direction shows two textures."""
            end = [c + 1 for c in start]
            sides = [shown(start, d) for d in DIRECTIONS]
            for axis in order:
                while end[axis] < size[axis]:
                    spans = [range(start[i], end[i]) if i != axis else [end[i]] for i in range(3)]
                    merged = list(sides)
                    fits = True
                    for cell in itertools.product(*spans):
                        if cell not in free:
                            fits = False
                            break
                        for i, d in enumerate(DIRECTIONS):
                            texture = shown(cell, d)
                            if texture and merged[i] and texture != merged[i]:
                                fits = False
                            merged[i] = merged[i] or texture
                        if not fits:
                            break
                    if not fits:
                        break
                    sides = merged
                    end[axis] += 1
            return end, sides

        free = set(is_solid)
        for start in sorted(is_solid, key=lambda c: (c[2], c[1], c[0])):
            if start not in free:
                continue

            def volume(found):
                volume = 1
                for i in range(3):
                    volume *= cuts[i][found[0][i]] - cuts[i][start[i]]
                return volume
            end, sides = max((grow(start, order) for order in itertools.permutations(range(3))), key=volume)
            free -= set(itertools.product(*[range(start[i], end[i]) for i in range(3)]))
            corners = [[cuts[i][start[i]], cuts[i][end[i]]] for i in range(3)]
            inner = as_paint(paint)
            lines = []
            for triple, normal in hull_faces(list(itertools.product(*corners))):
                direction = tuple((n > 0) - (n < 0) for n in normal)
                lines.append(face(triple, sides[DIRECTIONS.index(direction)] or inner.of(direction)))
            self.world.append(lines)

    # Entities

    def entity(self, classname, brushes=(), **keys):
        self.entities.append(({"classname": classname, **keys}, list(brushes)))

    def start(self, x, y, floor, angle):
        self.entity("info_player_start", origin=f"{x} {y} {floor + 24}", angle=str(angle))

    def light(self, x, y, z, light=300, color=None):
        keys = {"_color": color} if color else {}
        self.entity("light", origin=f"{x} {y} {z}", light=str(light), **keys)

    def lamp(self, x, y, ceiling, light=300, color=None):
        """A lamp on the ceiling, and its light below it."""
        self.box((x - 16, y - 8, ceiling - 8), (x + 16, y + 8, ceiling), "metal_lamp")
        self.light(x, y, ceiling - 24, light, color)

    def write(self, folder):
        def block(keys, brushes):
            yield "{"
            yield from (f'"{key}" "{value}"' for key, value in keys.items())
            for index, lines in enumerate(brushes):
                yield f"// brush {index}"
                yield "{"
                yield from lines
                yield "}"
            yield "}"
        text = ["// Game: Breach", "// Format: Valve", "// Made by make_levels.py"]
        entities = [({**self.keys, "mapversion": "220"}, self.world)] + self.entities
        for index, (keys, brushes) in enumerate(entities):
            text.append(f"// entity {index}")
            text.extend(block(keys, brushes))
        path = os.path.join(folder, self.name + ".map")
        with open(path, "w", encoding="ascii", newline="\n") as file:
            file.write("\n".join(text) + "\n")
        count = sum(len(brushes) for _, brushes in entities)
        print(f"{self.name}: {count} brushes, {len(entities)} entities")


# Furniture

def crate(level, x, y, z, size, texture="wood_crate"):
    level.box((x, y, z), (x + size, y + size, z + size), texture)


def table(level, x, y, z, width, depth, top="wood_planks", legs="wood_beam"):
    for dx, dy in itertools.product((0, width - 8), (0, depth - 8)):
        level.box((x + dx, y + dy, z), (x + dx + 8, y + dy + 8, z + 24), legs)
    level.box((x, y, z + 24), (x + width, y + depth, z + 32), top)


def shelf(level, x, y, z, width, depth, storeys, texture="metal_shelf"):
    """Uprights at both ends and boards between them."""
    high = storeys * 32 + 8
    level.box((x, y, z), (x + 8, y + depth, z + high), texture)
    level.box((x + width - 8, y, z), (x + width, y + depth, z + high), texture)
    for i in range(storeys + 1):
        level.box((x + 8, y, z + i * 32), (x + width - 8, y + depth, z + i * 32 + 8), texture)


def octagon(x, y, radius):
    """An eight-sided outline on the grid of 8 for radii of 16, 24, 32, 40."""
    c = radius // 16 * 8
    return [(x + a, y + b) for a, b in [(radius, c), (c, radius), (-c, radius), (-radius, c),
                                        (-radius, -c), (-c, -radius), (c, -radius), (radius, -c)]]


def column(level, x, y, bottom, top, radius, shaft, foot):
    """An octagonal column with a square foot and head."""
    level.box((x - radius - 8, y - radius - 8, bottom), (x + radius + 8, y + radius + 8, bottom + 16), foot)
    level.box((x - radius - 8, y - radius - 8, top - 16), (x + radius + 8, y + radius + 8, top), foot)
    level.prism(octagon(x, y, radius), bottom + 16, top - 16, shaft)


def stairs(level, low, axis, sign, steps, depth, width, texture):
    """Steps of 16 units up from `low`, along x (0) or y (1); each step is solid down to the floor."""
    for i in range(steps):
        near, far = sorted((low[axis] + sign * i * depth, low[axis] + sign * (i + 1) * depth))
        a, b = list(low), [0, 0, low[2] + (i + 1) * 16]
        a[axis], b[axis] = near, far
        b[1 - axis] = low[1 - axis] + width
        level.box(tuple(a), tuple(b), texture)


def boulder(level, rng, x, y, z, rx, ry, rz, texture, flat_below=None, into=None, corners=14):
    """An irregular convex body; `flat_below` cuts it level, for floors that can be walked."""
    while True:
        points = set()
        while len(points) < corners:
            d = [rng.uniform(-1, 1) for _ in range(3)]
            length = sum(c * c for c in d) ** 0.5
            if 0.3 < length <= 1:
                p = [round((m + r * c / length) / 8) * 8 for m, r, c in zip((x, y, z), (rx, ry, rz), d)]
                if flat_below is not None:
                    p[2] = max(p[2], flat_below)
                points.add(tuple(p))
        # A body that bulges little to some side would be no room.
        if all(min(p[i] for p in points) < m - 0.6 * r and max(p[i] for p in points) > m + 0.6 * r
               for i, m, r in ((0, x, rx), (1, y, ry))):
            level.hull(list(points), texture, into)
            return


# The levels

def bunker():
    """The start level: eight rooms under the ground, walls from 8 units to 2 m thick."""
    level = Level("bunker", "Bunker")
    hall = Paint("concrete_wall", "concrete_floor", "concrete_ceiling")
    brick = Paint("brick_red", "concrete_floor", "plaster_grey")
    white = Paint("plaster_white", "tile_floor", "plaster_white")
    steel = Paint("metal_plate", "metal_grate", "metal_plate")
    frame = Paint("metal_frame", "concrete_floor", "metal_frame")
    sill = Paint("concrete_sill")
    level.carve((0, 0, 0), (640, 384, 208), hall)                       # the hall
    level.carve((656, 128, 0), (1040, 256, 128), brick)                 # the corridor
    level.carve((1056, 0, 0), (1440, 448, 176), white)                  # the command room
    level.carve((656, 272, 0), (1040, 640, 144), brick)                 # the barracks
    level.carve((656, -384, 0), (1040, 64, 160), brick)                 # the store
    level.carve((0, 448, -64), (576, 896, 208), steel)                  # the generator room, two metres lower
    level.carve((-336, -64, 0), (-16, 448, 160), Paint("rock_wall", "soil_ground", "rock_wall"))  # the dugout
    level.carve((1056, 512, 0), (1440, 896, 160), steel)                # the vault
    level.carve((640, 144, 0), (656, 240, 112), frame)                  # hall - corridor
    level.carve((1040, 144, 0), (1056, 240, 112), frame)                # corridor - command room
    level.carve((816, 256, 0), (880, 272, 96), frame)                   # corridor - barracks
    level.carve((800, 64, 0), (864, 128, 96), frame)                    # corridor - store, a wall of two metres
    level.carve((240, 384, 0), (336, 448, 112), frame)                  # hall - generator
    level.carve((-16, 24, 0), (0, 88, 96), frame)                       # hall - dugout
    level.carve((1216, 448, 0), (1280, 512, 96), frame)                 # command room - vault, two metres
    level.carve((576, 512, 48), (656, 608, 112), sill)                  # generator - barracks, a gallery to look through
    for y in (136, 232, 328):
        level.carve((-16, y, 40), (0, y + 72 if y < 328 else 376, 104), sill)  # windows to the dugout
    level.carve((1040, 320, 48), (1056, 416, 112), sill)                # barracks - command room
    level.carve((672, 64, 56), (752, 128, 104), sill)                   # corridor - store, a slit
    level.carve((912, 64, 56), (1008, 128, 104), sill)
    level.emit_block((-368, -416, -96), (1472, 928, 240), hall)

    # The hall: two rows of columns under beams, crates, a low wall to hide behind.
    for x in (128, 320, 512):
        for y in (80, 304):
            column(level, x, y, 0, 192, 16, "concrete_pillar", "concrete_trim")
        level.box((x - 16, 0, 192), (x + 16, 384, 208), "concrete_beam")
        level.lamp(x + 64 if x < 512 else 592, 192, 208, 320, "1 0.93 0.8")
    level.box((416, 208, 0), (432, 288, 40), "brick_red")
    level.box((624, 16, 0), (640, 128, 72), "brick_red")
    level.box((624, 256, 0), (640, 368, 72), "brick_red")
    crate(level, 424, 16, 0, 48)
    crate(level, 472, 24, 0, 40)
    crate(level, 440, 24, 48, 32)
    crate(level, 40, 328, 0, 48)
    crate(level, 208, 16, 0, 40, "metal_crate")
    for y in (136, 232, 328):
        level.box((0, y, 32), (8, min(y + 72, 376), 40), "wood_planks")
    level.prism([(584, 328), (632, 328), (632, 376), (584, 376)], 0, 32, "soil_sandbags")
    level.prism([(592, 336), (632, 336), (632, 376), (592, 376)], 32, 56, "soil_sandbags")

    # The generator room: steps down, a machine on a block, pipes, a catwalk on stilts.
    for i in range(4):
        level.box((240, 448 + i * 24, -64), (336, 472 + i * 24, -16 * i), "metal_grate")
    level.box((192, 608, -64), (400, 784, -48), "concrete_block")
    level.box((208, 624, -48), (384, 768, 16), "metal_machine")
    level.prism([(208, 16), (384, 16), (352, 56), (240, 56)], 640, 752, "metal_machine", axis=1)
    for y in (664, 728):
        level.prism(octagon(296, y, 16), 56, 208, "metal_pipe")
    level.prism([(544, 160), (560, 152), (576, 160), (576, 192), (560, 200), (544, 192)], 448, 896, "metal_pipe", axis=1)
    for y in (512, 672, 832):
        level.box((40, y, -64), (56, y + 16, 48), "metal_beam")
    level.box((0, 448, 48), (96, 896, 56), "metal_grate")
    level.box((88, 448, 56), (96, 896, 80), "metal_rail")
    stairs(level, (368, 832, -64), 0, -1, 7, 24, 64, "metal_grate")
    level.box((96, 832, 40), (208, 896, 48), "metal_grate")
    level.lamp(128, 560, 208, 300, "1 0.75 0.5")
    level.lamp(464, 560, 208, 300, "1 0.75 0.5")
    level.lamp(128, 800, 208, 300, "1 0.75 0.5")
    level.lamp(464, 800, 208, 300, "1 0.75 0.5")

    # The barracks: bunks along the wall, a partition 8 units thick, a table.
    for y in (384, 464, 544):
        for z in (16, 64):
            level.box((928, y, z), (1040, y + 48, z + 8), "wood_planks")
        for x, dy in itertools.product((928, 1032), (0, 40)):
            level.box((x, y + dy, 0), (x + 8, y + dy + 8, 88), "wood_beam")
    level.box((656, 448, 0), (816, 456, 112), "wood_planks")
    table(level, 720, 336, 0, 96, 48)
    crate(level, 672, 584, 0, 48)
    level.lamp(752, 368, 144, 260, "1 0.9 0.7")
    level.lamp(848, 544, 144, 260, "1 0.9 0.7")

    # The store: shelves and stacks.
    for x in (672, 832):
        shelf(level, x, -352, 0, 128, 32, 3)
        shelf(level, x, -224, 0, 128, 32, 3)
        crate(level, x + 16, -352, 40, 24)
        crate(level, x + 64, -224, 72, 24)
    for x, y, z, size in ((960, -96, 0, 64), (976, -32, 0, 56), (968, -88, 64, 48), (672, -80, 0, 48),
                          (720, -72, 0, 40), (680, -72, 48, 40)):
        crate(level, x, y, z, size)
    level.lamp(848, -288, 160, 280, "0.85 0.92 1")
    level.lamp(848, -64, 160, 280, "0.85 0.92 1")

    # The corridor.
    level.lamp(752, 192, 128, 240, "1 0.85 0.6")
    level.lamp(944, 192, 128, 240, "1 0.85 0.6")
    for y in (128, 248):
        level.box((656, y, 112), (1040, y + 8, 120), "metal_pipe")

    # The command room: a table in the middle, consoles, two columns, a wall of tiles.
    level.box((1200, 160, 0), (1312, 288, 24), "wood_beam")
    level.box((1184, 144, 24), (1328, 304, 32), "wood_planks")
    for y in (64, 160, 256, 352):
        level.prism([(1408, 0), (1440, 0), (1440, 72), (1432, 72), (1408, 32)], y, y + 64, "metal_console", axis=1)
    for x in (1136, 1360):
        column(level, x, 72, 0, 176, 24, "tile_white", "tile_blue")
        column(level, x, 376, 0, 176, 24, "tile_white", "tile_blue")
    level.lamp(1248, 112, 176, 320)
    level.lamp(1248, 336, 176, 320)

    # The dugout: sandbags, posts that carry beams, a rock or two.
    for y in (0, 160, 320):
        level.box((-320, y, 0), (-304, y + 16, 144), "wood_beam")
        level.box((-48, y, 0), (-32, y + 16, 144), "wood_beam")
        level.box((-336, y, 144), (-16, y + 16, 160), "wood_beam")
    rng = random.Random(4)
    for x, y, r in ((-272, 408, 72), (-208, -40, 56), (-328, 240, 48), (-80, 432, 40)):
        boulder(level, rng, x, y, 0, r, r, r, "rock_wall", corners=12)
    level.light(-176, 80, 120, 280, "0.7 0.8 1")
    level.light(-176, 320, 120, 280, "0.7 0.8 1")

    # The vault: strong boxes around a steel pillar.
    column(level, 1248, 704, 0, 160, 32, "metal_plate", "metal_trim")
    for x, y, size in ((1088, 832, 48), (1144, 840, 48), (1376, 832, 56), (1368, 544, 40), (1080, 560, 40)):
        crate(level, x, y, 0, size, "metal_crate")
    crate(level, 1096, 840, 48, 32, "metal_crate")
    level.lamp(1144, 640, 160, 280, "0.8 1 0.9")
    level.lamp(1352, 768, 160, 280, "0.8 1 0.9")
    level.start(40, 120, 0, 12)
    return level


def bridge():
    """A cavern, a bridge in five parts that stand on a pier each, and a gatehouse at either end."""
    level = Level("bridge", "Bridge")
    rng = random.Random(11)
    cavern = Paint("rock_cave", "soil_ground", "rock_cave")
    gate = Paint("brick_grey", "concrete_floor", "wood_planks")
    arch = Paint("concrete_trim", "concrete_floor", "concrete_trim")
    level.carve((0, -576, -448), (1792, 576, 448), cavern)
    level.fill((0, -576, -448), (192, 576, 0), Paint("rock_cave", "soil_ground"))       # the near bank
    level.fill((1600, -576, -448), (1792, 576, 0), Paint("rock_cave", "soil_ground"))   # the far bank
    for side, x0, x1, gate_x in ((-1, -352, -32, -32), (1, 1824, 2144, 1792)):
        level.carve((x0, -160, 0), (x1, 160, 144), gate)
        level.carve((gate_x, -64, 0), (gate_x + 32, 64, 112), arch)
        for y in (-136, 88):
            level.carve((gate_x, y, 40), (gate_x + 32, y + 48, 96), arch)
    level.emit_block((-384, -608, -480), (2176, 608, 480), cavern)

    # The bridge: five parts, 8 units apart, each held by its own pier and nothing else.
    for i in range(5):
        x0, x1 = 192 + i * 280 + (8 if i == 0 else 0), 192 + i * 280 + 272 + (8 if i == 4 else 0)
        x0, x1 = (200 if i == 0 else x0), (1592 if i == 4 else x1)
        middle = (x0 + x1) // 16 * 8
        level.box((x0, -80, -16), (x1, 80, 0), Paint("brick_grey", "concrete_slab", "brick_grey"))
        for y in (-80, 72):
            level.box((x0, y, 24), (x1, y + 8, 32), "concrete_trim")
            for x in (x0, middle - 8, x1 - 16):
                level.box((x, y, 0), (x + 16, y + 8, 24), "concrete_trim")
        # The pier: a plinth, a tapering shaft, brackets that spread under the deck.
        level.box((middle - 72, -88, -448), (middle + 72, 88, -400), "concrete_block")
        shaft = [(middle + sx * 48, sy * 64, -400) for sx in (-1, 1) for sy in (-1, 1)]
        shaft += [(middle + sx * 32, sy * 48, -64) for sx in (-1, 1) for sy in (-1, 1)]
        level.hull(shaft, "brick_grey")
        level.prism([(middle - 32, -64), (middle + 32, -64), (middle + 96, -16), (middle - 96, -16)],
                    -64, 64, "brick_grey", axis=1)
    # Rocks along the foot, the walls and the roof of the cavern, so that it is no box.
    for side, x, z in itertools.product((-1, 1), range(80, 1760, 200), (-336, -40, 264)):
        x, z = x + rng.randrange(-64, 72, 8), z + rng.randrange(-80, 88, 8)
        rx, ry, rz = rng.randrange(112, 200, 8), rng.randrange(56, 112, 8), rng.randrange(112, 216, 8)
        boulder(level, rng, x, side * 584, z, rx, ry, rz, "rock_cave")
    for x, y in itertools.product((0, 1792), range(-480, 500, 160)):
        z, ry, rz = rng.randrange(216, 384, 8), rng.randrange(96, 160, 8), rng.randrange(72, 136, 8)
        boulder(level, rng, x, y, max(z, rz + 160), 72, ry, rz, "rock_cave")
    for _ in range(26):
        x, y = rng.randrange(24, 1776, 8), rng.randrange(-520, 520, 8)
        r = rng.randrange(80, 176, 8)
        boulder(level, rng, x, y, 464, r, r, r * 3 // 4, "rock_cave", corners=12)
    for _ in range(22):
        x, y = rng.randrange(240, 1560, 8), rng.choice((-1, 1)) * rng.randrange(160, 520, 8)
        r = rng.randrange(40, 120, 8)
        boulder(level, rng, x, y, -448, r, r, r, "rock_cave", corners=12)
    for _ in range(9):                                                 # stalactites
        x, y = rng.randrange(200, 1600, 8), rng.choice((-1, 1)) * rng.randrange(120, 480, 8)
        r, long = rng.randrange(32, 56, 8), rng.randrange(160, 320, 8)
        top = [(x + dx * r, y + dy * r, 448) for dx, dy in ((-1, 0), (0, -1), (1, 0), (0, 1))]
        level.hull(top + [(x, y, 448 - long), (x + 8, y, 448 - long), (x, y + 8, 448 - long)], "rock_cave")
    # The banks: walls of crates, a low parapet on either side of the bridge.
    for x in (168, 1600):
        for y in (-320, 96):
            level.box((x, y, 0), (x + 24, y + 224, 32), "brick_grey")
    for x, y, z, size in ((48, -240, 0, 56), (40, -176, 0, 48), (48, -232, 56, 40), (56, 200, 0, 48),
                          (1680, 176, 0, 56), (1688, 240, 0, 48), (1680, -280, 0, 64)):
        crate(level, x, y, z, size)
    for x0 in (-352, 1824):
        for x in (x0 + 64, x0 + 240):
            for y in (-160, 144):
                level.box((x, y, 0), (x + 16, y + 16, 128), "wood_beam")
            level.box((x, -160, 128), (x + 16, 160, 144), "wood_beam")
        level.lamp(x0 + 160, 0, 144, 260, "1 0.8 0.55")
        crate(level, x0 + 136, 104, 0, 48)
        table(level, x0 + 112, -152, 0, 96, 40)
    for x, y, z, strength, color in ((96, 0, 200, 400, "1 0.82 0.6"), (1696, 0, 200, 400, "1 0.82 0.6"),
                                     (480, -380, 120, 450, "0.6 0.75 1"), (480, 380, 120, 450, "0.6 0.75 1"),
                                     (896, 0, 260, 500, "0.75 0.85 1"), (1312, -380, 120, 450, "0.6 0.75 1"),
                                     (1312, 380, 120, 450, "0.6 0.75 1"), (480, 0, -240, 400, "1 0.6 0.35"),
                                     (896, -280, -300, 400, "1 0.6 0.35"), (896, 280, -300, 400, "1 0.6 0.35"),
                                     (1312, 0, -240, 400, "1 0.6 0.35")):
        level.light(x, y, z, strength, color)
    level.start(72, -40, 0, 5)
    return level


def pillars():
    """A hall whose balconies stand on pillars: shoot the pillars, and a balcony falls."""
    level = Level("pillars", "Pillars")
    hall = Paint("brick_sand", "tile_floor", "plaster_white")
    stone = Paint("concrete_trim", "tile_floor", "concrete_trim")
    chapel = Paint("plaster_white", "tile_floor", "wood_planks")
    level.carve((0, 0, 0), (1408, 896, 480), hall)
    for x in (64, 400, 736, 1072):                                     # chapels under both galleries
        for y0, y1, wall0, wall1 in ((-256, -32, -32, 0), (928, 1152, 896, 928)):
            level.carve((x, y0, 0), (x + 272, y1, 160), chapel)
            level.carve((x + 80, wall0, 0), (x + 192, wall1, 128), stone)
    for x in (128, 464, 800, 1136):                                    # high niches, a window each
        for y0, y1 in ((-48, 0), (896, 944)):
            level.carve((x, y0, 288), (x + 144, y1, 432), Paint("plaster_white", "concrete_trim"))
    level.carve((1408, 320, 0), (1440, 576, 192), stone)               # the apse
    level.carve((1440, 192, 0), (1760, 704, 320), Paint("tile_white", "tile_floor", "plaster_white"))
    level.emit_block((-32, -288, -32), (1792, 1184, 512), hall)

    def balcony(x0, y0, x1, y1, rail, posts):
        """A slab with a railing on the sides named in `rail`, on the pillars `posts`; it touches no wall."""
        level.box((x0, y0, 192), (x1, y1, 208), Paint("concrete_trim", "wood_planks", "plaster_white"))
        sides = {"n": ((x0, y1 - 8), (x1, y1)), "s": ((x0, y0), (x1, y0 + 8)),
                 "e": ((x1 - 8, y0), (x1, y1)), "w": ((x0, y0), (x0 + 8, y1))}
        for side in rail:
            (a, b), (c, d) = sides[side]
            level.box((a, b, 240), (c, d, 248), "wood_beam")
            along = 0 if side in "ns" else 1
            low, high = ((a, c) if along == 0 else (b, d))
            for at in range(low, high - 7, 56 if (high - low) % 56 == 8 else 64):
                p, q = [a, b], [c, d]
                p[along], q[along] = at, min(at + 8, high)
                level.box((p[0], p[1], 208), (q[0], q[1], 240), "metal_rail")
        for x, y in posts:
            column(level, x, y, 0, 192, 24, "concrete_pillar", "concrete_trim")

    for i in range(4):
        x0 = 56 + i * 328
        balcony(x0, 8, x0 + 320, 168, "n" if i < 3 else "", [(x0 + 64, 120), (x0 + 256, 120)])
        balcony(x0, 728, x0 + 320, 888, "s" if i < 3 else "", [(x0 + 64, 776), (x0 + 256, 776)])
    balcony(8, 176, 136, 720, "e", [(96, 224), (96, 448), (96, 672)])
    # Stairs in the eastern corners, free of the balconies by 8 units.
    for y, sign in ((176, 1), (720, -1)):
        for i in range(12):
            near, far = sorted((y + sign * (12 - i) * 16, y + sign * (11 - i) * 16))
            level.box((1248, near, 0), (1360, far, 16 * i + 16), "concrete_trim")
    # Great columns to the roof, beams between them.
    for x in (320, 624, 928):
        for y in (304, 592):
            column(level, x, y, 0, 448, 32, "concrete_pillar", "concrete_trim")
            level.light(x, y + (56 if y < 448 else -56), 340, 300, "1 0.85 0.65")
        level.box((x - 24, 0, 448), (x + 24, 896, 480), "wood_beam")
    for y in (304, 592):
        level.box((0, y - 16, 448), (1408, y + 16, 472), "wood_beam")
    # The apse: an altar block between slender pillars.
    level.box((1536, 352, 0), (1728, 544, 16), "tile_blue")
    level.box((1584, 400, 16), (1680, 496, 64), "concrete_block")
    for y in (256, 640):
        for x in (1520, 1680):
            column(level, x, y, 0, 320, 16, "tile_white", "concrete_trim")
    level.light(1600, 448, 240, 450, "0.8 0.9 1")
    level.light(1488, 448, 120, 220, "0.8 0.9 1")
    for x in (64, 400, 736, 1072):
        for y, bench in ((-144, -224), (1040, 1080)):
            level.lamp(x + 136, y, 160, 260, "1 0.85 0.6")
            table(level, x + 72, bench, 0, 128, 40)
    for x, y, z, size in ((600, 408, 0, 56), (656, 424, 0, 40), (608, 416, 56, 32), (1008, 480, 0, 48)):
        crate(level, x, y, z, size)
    for x in (200, 704, 1208):
        level.light(x, 448, 420, 450, "1 0.95 0.85")
    for x in (216, 544, 872, 1200):
        level.light(x, 64, 160, 240, "1 0.8 0.55")
        level.light(x, 832, 160, 240, "1 0.8 0.55")
    level.start(184, 448, 0, 0)
    return level


def shooting_range():
    """Five lanes, each closed by a wall: 1 m, 10 cm, 1 cm, 1 mm and one step of the grid thick."""
    level = Level("range", "Range")
    hall = Paint("concrete_wall", "concrete_floor", "concrete_ceiling")
    level.carve((0, 0, 0), (384, 1376, 208), Paint("brick_red", "tile_floor", "plaster_white"))
    # A wall's thickness in steps of the grid; 512 steps are a unit. 1 mm is 16.4 steps.
    lanes = [("1 m", 32 * 512, "brick_red"), ("10 cm", 1638, "concrete_wall"), ("1 cm", 164, "wood_planks"),
             ("1 mm", 16, "metal_plate"), ("one grid step", 1, "tile_white")]
    for i, (_, _, texture) in enumerate(lanes):
        y = 16 + i * 272
        level.carve((384, y, 0), (1472, y + 256, 192), hall)
        level.carve((1472, y, 0), (1728, y + 256, 192), Paint("rock_wall", "soil_ground", "rock_wall"))
    # A passage around to the rooms behind the walls: air that nobody reaches would become rock.
    brick = Paint("brick_red", "concrete_floor", "plaster_white")
    level.carve((0, 1392, 0), (1824, 1488, 128), brick)
    level.carve((1744, 0, 0), (1824, 1392, 128), brick)
    level.carve((64, 1376, 0), (144, 1392, 112), "metal_frame")
    for i in range(len(lanes)):
        level.carve((1728, 112 + i * 272, 0), (1744, 176 + i * 272, 96), "metal_frame")
    level.emit_block((-32, -32, -32), (1856, 1520, 240), hall)
    for x in (304, 704, 1104, 1504):
        level.lamp(x, 1440, 128, 240, "1 0.85 0.6")
    for y in (144, 688, 1232):
        level.lamp(1784, y, 128, 240, "1 0.85 0.6")
    for i, (_, steps, texture) in enumerate(lanes):
        y = 16 + i * 272
        level.box((1024, y, 0), (1024 + steps / 512, y + 256, 192), texture)
        # The counter, and things to hit on the way and behind the wall.
        level.box((352, y + 16, 0), (384, y + 240, 32), Paint("wood_planks"))
        level.box((384, y, 160), (400, y + 256, 192), "metal_beam")
        level.box((704, y + 48, 0), (720, y + 64, 64), "wood_beam")
        level.box((704, y + 32, 64), (712, y + 80, 112), "wood_target")
        level.box((832, y + 176, 0), (848, y + 192, 64), "wood_beam")
        level.box((832, y + 160, 64), (840, y + 208, 112), "wood_target")
        crate(level, 1232, y + 64, 0, 56)
        crate(level, 1240, y + 120, 0, 48, "metal_crate")
        crate(level, 1240, y + 72, 56, 40)
        level.prism([(1488, 0), (1696, 0), (1664, 64), (1616, 72)], y, y + 72, "soil_mound", axis=1)
        level.prism([(1552, 0), (1696, 0), (1680, 48), (1632, 56)], y + 184, y + 256, "soil_mound", axis=1)
        for x in (560, 880, 1200, 1536):
            level.lamp(x, y + 128, 192, 260, ["1 0.95 0.85", "0.9 0.95 1"][i % 2])
    for y in (144, 416, 688, 960, 1232):
        level.lamp(176, y, 208, 300, "1 0.9 0.75")
    for y in (16, 1280):
        table(level, 24, y + 16, 0, 96, 48)
    for y in range(120, 1272, 128):
        level.box((0, y, 24), (32, y + 96, 32), "wood_planks")
        level.box((0, y, 0), (8, y + 96, 24), "wood_beam")
        level.box((24, y + 8, 0), (32, y + 16, 24), "wood_beam")
        level.box((24, y + 80, 0), (32, y + 88, 24), "wood_beam")
    for y in (264, 536, 808, 1080):
        level.box((272, y, 0), (304, y + 32, 208), "concrete_pillar")
    level.start(120, 688, 0, 0)
    return level


def caves():
    """A solid start: caverns and tunnels carved from the rock, and blasts that eat at them."""
    level = Level("caves", "Caves", breach_start="solid")
    rng = random.Random(23)
    stone = Paint("rock_cave", "soil_ground", "rock_cave")
    carved = []
    # (centre, half sizes, height of the floor); the first one is where the player starts.
    caverns = [((0, 0, 96), (288, 256, 176), 0), ((704, 96, 80), (240, 272, 160), -32),
               ((1312, -80, 128), (320, 320, 240), -64), ((640, 736, 64), (240, 208, 144), -32),
               ((1264, 688, 160), (256, 240, 176), 64), ((-96, 720, 48), (256, 224, 160), -32),
               ((640, -576, 80), (288, 208, 176), -32), ((1376, -720, 64), (224, 224, 160), -64)]
    for (x, y, z), (rx, ry, rz), floor in caverns:
        boulder(level, rng, x, y, z, rx, ry, rz, stone, flat_below=floor, into=carved, corners=18)
        boulder(level, rng, x + rng.randrange(-96, 104, 8), y + rng.randrange(-96, 104, 8), z,
                rx * 3 // 4, ry * 3 // 4, rz * 5 // 4 // 8 * 8, stone, flat_below=floor, into=carved, corners=16)

    def tunnel(a, b, half=56, height=112):
        """A passage between two points on the floor, six-sided, a little crooked."""
        def ring(p, across):
            jitter = [rng.randrange(-8, 16, 8) for _ in range(4)]
            outline = [(-half, 0), (half, 0), (half + 8, height * 5 // 8 // 8 * 8 + jitter[0]), (24, height + jitter[1]),
                       (-24, height + jitter[2]), (-half - 8, height // 2 // 8 * 8 + jitter[3])]
            return [(p[0] + across[0] * w, p[1] + across[1] * w, p[2] + h) for w, h in outline]
        along = (b[0] - a[0], b[1] - a[1])
        across = (0, 1) if abs(along[0]) > abs(along[1]) else (1, 0)
        level.hull(ring(a, across) + ring(b, across), stone, carved)

    links = [(0, 1), (1, 2), (0, 5), (5, 3), (3, 4), (1, 6), (6, 7), (7, 2), (2, 4), (3, 1)]
    for i, j in links:
        (xa, ya, _), _, za = caverns[i]
        (xb, yb, _), _, zb = caverns[j]
        # Meets in the middle, off the straight line, at the height between.
        middle = ((xa + xb) // 16 * 8 + rng.randrange(-48, 56, 8), (ya + yb) // 16 * 8 + rng.randrange(-48, 56, 8),
                  (za + zb) // 16 * 8)
        tunnel((xa, ya, za), middle)
        tunnel(middle, (xb, yb, zb))
    level.entity("func_carve", carved)
    # What holds the roof of the great cavern, and a floor of planks over the pit in the first.
    standing = []
    level.box((1280, -112, -96), (1344, -48, 448), "rock_pillar", standing)
    level.box((1136, -272, -96), (1184, -224, 448), "rock_pillar", standing)
    level.box((1472, 64, -96), (1520, 112, 448), "rock_pillar", standing)
    level.box((672, 64, -64), (736, 128, 320), "rock_pillar", standing)
    for x, y, z, size in ((-96, 96, 0, 48), (-88, 144, 0, 40), (-88, 104, 48, 32), (1168, 80, -64, 56),
                          (640, -640, -32, 48), (1296, 736, 64, 48)):
        level.box((x, y, z), (x + size, y + size, z + size), "wood_crate", standing)
    level.entity("func_fill", standing)
    for seed, (x, y, z, radius) in enumerate([(-240, -160, 64, 96), (208, -160, 72, 80), (880, 256, 48, 112),
                                              (544, 240, 96, 96), (1536, -240, 96, 144), (1120, -320, 32, 112),
                                              (1504, 192, 160, 128), (640, 896, 64, 96), (1440, 832, 144, 104),
                                              (-288, 800, 48, 112), (512, -720, 64, 96), (1488, -832, 32, 112)], 1):
        level.entity("breach_blast", origin=f"{x} {y} {z}", radius=str(radius), shape="rock", seed=str(seed),
                     material="rock_cave")
    colors = ["1 0.8 0.5", "0.6 0.8 1", "1 0.7 0.4", "0.6 1 0.8", "1 0.6 0.6", "0.7 0.7 1", "1 0.85 0.6", "0.5 0.9 1"]
    for ((x, y, z), (rx, ry, rz), floor), color in zip(caverns, colors):
        level.light(x - 64, y + 48, floor + 120, 700, color)
        level.light(x + 40, y - 32, floor + 88, 500, color)
    for i, j in links:
        (xa, ya, _), _, za = caverns[i]
        (xb, yb, _), _, zb = caverns[j]
        level.light((xa + xb) // 2, (ya + yb) // 2, (za + zb) // 2 + 64, 400, "1 0.75 0.45")
    level.start(-120, -40, 0, 10)
    return level


def tower():
    """Five storeys of nine rooms in a great pit: stairs in the middle, doors and windows everywhere."""
    level = Level("tower", "Tower")
    pit = Paint("rock_wall", "soil_ground", "rock_wall")
    brick = Paint("brick_red", "concrete_slab", "concrete_trim")
    frame = Paint("wood_beam", "wood_planks", "wood_beam")
    sill = Paint("concrete_trim")
    size, wall, high, slab = 224, 16, 128, 16
    storeys, pitch, step = 5, 240, 144
    low, reach = 320, 3 * 240 + 16                                      # the tower's corner and its width
    rooms = [low + wall + i * pitch for i in range(3)]
    level.carve((0, 0, 0), (low * 2 + reach, low * 2 + reach, 1008), pit)
    level.fill((low, low, 0), (low + reach, low + reach, storeys * step), brick)
    papers = [Paint("plaster_white", "wood_planks", "plaster_white"), Paint("plaster_green", "tile_floor", "plaster_white"),
              Paint("brick_sand", "concrete_floor", "concrete_ceiling"), Paint("wood_panel", "wood_planks", "plaster_white"),
              Paint("tile_white", "tile_blue", "plaster_white")]
    stairwell = Paint("concrete_wall", "concrete_floor", "concrete_ceiling")
    middle = rooms[1]
    for k in range(storeys):
        z = k * step
        for i, j in itertools.product(range(3), range(3)):
            paint = stairwell if (i, j) == (1, 1) else papers[(i + 2 * j + k) % len(papers)]
            level.carve((rooms[i], rooms[j], z), (rooms[i] + size, rooms[j] + size, z + high), paint)
        # Doors around the ring of rooms, and from the stairwell to its four neighbours.
        for line in (0, 2):
            for i in (0, 1):
                at = rooms[i] + size
                across = rooms[line] + 88
                level.carve((at, across, z), (at + wall, across + 48, z + 96), frame)
                level.carve((across, at, z), (across + 48, at + wall, z + 96), frame)
        level.carve((middle - wall, middle, z), (middle, middle + 40, z + 96), frame)
        level.carve((middle + size, middle + size - 40, z), (middle + size + wall, middle + size, z + 96), frame)
        level.carve((middle + 88, middle - wall, z), (middle + 136, middle, z + 96), frame)
        level.carve((middle + 88, middle + size, z), (middle + 136, middle + size + wall, z + 96), frame)
        # Windows to the pit; on the ground only a gate to each side.
        for i in range(3):
            for at in (low, low + reach - wall):
                if k == 0 and i != 1:
                    continue
                if k == 0:
                    a, b, bottom, top = rooms[i] + 72, rooms[i] + 152, 0, 96
                else:
                    a, b, bottom, top = rooms[i] + 64, rooms[i] + 160, 40, 96
                level.carve((a, at, z + bottom), (b, at + wall, z + top), sill)
                level.carve((at, a, z + bottom), (at + wall, b, z + top), sill)
        # The hole over this storey's flight of stairs; flights change sides from storey to storey.
        left = middle if k % 2 == 0 else middle + 112
        level.carve((left, middle + 40, z + high), (left + 112, middle + 184, z + step), stairwell)
    level.emit_block((-32, -32, -32), (low * 2 + reach + 32, low * 2 + reach + 32, 1040), pit)
    for k in range(storeys):
        z = k * step
        if k % 2 == 0:
            stairs(level, (middle, middle + 40, z), 1, 1, 9, 16, 112, "concrete_step")
        else:
            stairs(level, (middle + 112, middle + 184, z), 1, -1, 9, 16, 112, "concrete_step")
        level.light(middle + 112, middle + (200 if k % 2 else 24), z + 104, 220, "1 0.9 0.7")
        for i, j in itertools.product(range(3), range(3)):
            if (i, j) == (1, 1):
                continue
            level.light(rooms[i] + 112, rooms[j] + 112, z + 104, 220, ["1 0.85 0.6", "0.9 0.95 1", "1 0.75 0.5"][(i + j + k) % 3])
            kind = (i * 3 + j + k * 2) % 4
            x, y = rooms[i], rooms[j]
            if kind == 0:
                crate(level, x + 8, y + 176, z, 40)
            elif kind == 1:
                level.box((x + 160, y + 8, z), (x + 216, y + 40, z + 80), "wood_cupboard")
            elif kind == 2:
                level.box((x + 8, y + 8, z), (x + 48, y + 56, z + 32), "metal_crate")
            else:
                level.box((x + 168, y + 168, z), (x + 200, y + 200, z + high), "concrete_pillar")
    # The roof: a parapet with gaps, a mast on a block.
    top, far = storeys * step, low + reach
    for a in range(low, far - 79, 160):
        b = min(a + 96, far)
        for at in (low, far - 16):
            level.box((a, at, top), (b, at + 16, top + 40), "brick_red")
            level.box((at, a, top), (at + 16, b, top + 40), "brick_red")
    level.box((far - 160, low + 96, top), (far - 96, low + 160, top + 32), "concrete_block")
    level.prism(octagon(far - 128, low + 128, 16), top + 32, top + 224, "metal_mast")
    # Rocks about the pit and along its walls.
    rng = random.Random(31)
    width = low * 2 + reach
    for _ in range(16):
        along, r = rng.randrange(0, width, 8), rng.randrange(80, 168, 8)
        at = rng.choice((-16, width + 16))
        x, y = (along, at) if rng.random() < 0.5 else (at, along)
        boulder(level, rng, x, y, rng.choice((0, 0, 320, 640, 900)), r, r, r, "rock_wall", corners=12)
    for corner_x in (120, width - 120):
        for corner_y in (120, width - 120):
            level.light(corner_x, corner_y, 260, 450, "0.7 0.8 1")
            level.light(corner_x, corner_y, 800, 450, "0.7 0.8 1")
    for x, y in ((width // 2, 150), (width // 2, width - 150), (150, width // 2), (width - 150, width // 2)):
        level.light(x, y, 96, 350, "1 0.85 0.6")
    level.start(96, 176, 0, 45)
    return level


def sheet():
    """A scene: a hall with a sheet of steel across it, 3 cm thick and 11 m from the start, in the middle of a rocket's tick."""
    level = Level("sheet", "Sheet")
    hall = Paint("concrete_wall", "tile_floor", "concrete_ceiling")
    level.carve((0, -160, 0), (896, 160, 192), hall)
    level.emit_block((-32, -192, -32), (928, 192, 224), hall)
    # The sheet in its frame; there is a way around it, or the far side would be rock.
    level.box((416, -104, 8), (417, 104, 144), "metal_plate")
    for y in (-112, 104):
        level.box((408, y, 0), (424, y + 8, 152), "metal_beam")
    level.box((408, -104, 0), (424, 104, 8), "metal_beam")
    level.box((408, -104, 144), (424, 104, 152), "metal_beam")
    # A line to stand behind, and what is hit at the far end.
    level.box((88, -160, 0), (96, 160, 8), "wood_planks")
    for y in (-88, 0, 88):
        level.box((864, y - 32, 8), (872, y + 32, 72), "wood_target")
        level.box((872, y - 8, 0), (880, y + 8, 64), "wood_beam")
    for x, y, z, size in ((760, -128, 0, 48), (768, -120, 48, 32), (776, 72, 0, 56), (712, 104, 0, 40)):
        crate(level, x, y, z, size)
    for x in (176, 304, 576, 720, 848):
        for y in (-160, 144):
            level.box((x - 8, y, 0), (x + 8, y + 16, 192), "concrete_pillar")
    for x in (112, 320, 520, 720):
        level.lamp(x, 0, 192, 320, "1 0.93 0.8" if x < 416 else "0.8 0.92 1")
    level.light(840, 0, 150, 260, "1 0.8 0.6")
    level.light(416, -136, 60, 160, "1 0.6 0.4")
    level.light(416, 136, 60, 160, "1 0.6 0.4")
    level.start(64, 0, 0, 0)
    return level


def pit():
    """A scene: a pit under a shaft, with a pier in the middle that parts what falls; a walk with a rail runs around it."""
    level = Level("pit", "Pit")
    hall = Paint("brick_grey", "concrete_floor", "concrete_ceiling")
    stone = Paint("concrete_wall", "concrete_slab", "concrete_wall")
    level.carve((-320, -320, 0), (320, 320, 224), hall)
    level.carve((-160, -160, -192), (160, 160, 0), stone)
    level.carve((-96, -96, 224), (96, 96, 480), Paint("metal_plate"))
    level.emit_block((-352, -352, -224), (352, 352, 512), hall)
    # The pier: a shaft with a pointed head.
    level.prism(octagon(0, 0, 32), -192, -112, "concrete_pillar")
    level.hull([(x, y, -112) for x, y in octagon(0, 0, 40)] + [(0, 0, -64)], "concrete_trim")
    # The rail, and a rim on the pit's edge.
    for side in (-1, 1):
        low, high = sorted((side * 160, side * 168))
        level.box((low, -168, 0), (high, 168, 8), "concrete_trim")
        level.box((-160, low, 0), (160, high, 8), "concrete_trim")
        for a in range(-160, 161, 80):
            x0, x1 = sorted((side * 168, side * 176))
            level.box((x0, a, 0), (x1, a + 8, 32), "metal_rail")
            level.box((a, x0, 0), (a + 8, x1, 32), "metal_rail")
        x0, x1 = sorted((side * 168, side * 176))
        level.box((x0, -176, 32), (x1, 176, 40), "metal_rail")
        level.box((-168, x0, 32), (168, x1, 40), "metal_rail")
        # The mouth of the shaft.
        m0, m1 = sorted((side * 96, side * 112))
        level.box((m0, -112, 208), (m1, 112, 224), "metal_frame")
        level.box((-96, m0, 208), (96, m1, 224), "metal_frame")
    for x, y in itertools.product((-320, 288), repeat=2):
        level.box((x, y, 0), (x + 32, y + 32, 224), "concrete_pillar")
    for x, y, size in ((-312, -40, 48), (-304, 24, 40), (256, 40, 56), (40, 264, 48)):
        crate(level, x, y, 0, size)
    for x, y in itertools.product((-232, 232), repeat=2):
        level.lamp(x, y, 224, 420, "1 0.93 0.8")
    for x, y in itertools.product((-136, 136), repeat=2):
        level.light(x, y, -48, 300, "1 0.75 0.5")
    level.light(0, 0, 400, 300, "0.7 0.85 1")
    level.light(0, 0, 120, 320, "0.9 0.95 1")
    level.start(-256, 176, 0, 325)
    return level


def beam():
    """A scene: a quarry, a beam out of its wall that tapers and holds a weight at its end."""
    level = Level("beam", "Beam")
    rng = random.Random(7)
    level.carve((0, -256, 0), (704, 256, 352), Paint("rock_wall", "concrete_floor", "rock_wall"))
    level.emit_block((-64, -320, -64), (768, 320, 416), "rock_wall")
    # The beam: two metres high at the wall, less than one at its end.
    level.prism([(704, 160), (704, 224), (432, 224), (432, 200)], -16, 16, "concrete_beam", axis=1)
    # The weight, on a rod.
    level.box((440, -8, 152), (456, 8, 204), "concrete_pillar")
    level.box((424, -24, 112), (472, 24, 152), "concrete_block")
    # What it could fall on, and rocks along the walls.
    for x, y, z, size in ((424, -72, 0, 40), (464, 32, 0, 48), (472, 40, 48, 32), (544, -24, 0, 40), (120, 168, 0, 56)):
        crate(level, x, y, z, size)
    for x, y, z, r in ((704, 200, 40, 96), (704, -208, 64, 112), (704, 160, 320, 88), (704, -152, 352, 104),
                       (352, 264, 24, 96), (160, -264, 40, 104), (0, 232, 64, 112), (0, -216, 320, 104),
                       (544, 264, 336, 96), (336, -264, 344, 96), (560, -264, 24, 80)):
        boulder(level, rng, x, y, z, r, r * 3 // 4 // 8 * 8, r, "rock_wall", corners=12)
    for x, y in itertools.product((112, 344, 576), (-144, 144)):
        level.lamp(x, y, 352, 420, "1 0.93 0.8")
    level.light(640, -120, 180, 280, "1 0.8 0.55")
    level.light(640, 120, 180, 280, "1 0.8 0.55")
    level.light(440, 0, 60, 240, "0.75 0.85 1")
    level.start(312, -200, 0, 25)
    return level


def arch():
    """A scene: a nave with three arches of brick, which stand on ledges of rock; each has a keystone."""
    level = Level("arch", "Arch")
    nave = Paint("brick_grey", "tile_floor", "plaster_white")
    ledge = Paint("concrete_wall", "concrete_slab")
    level.carve((-160, -288, 0), (704, 288, 352), nave)
    for y0, y1 in ((-288, -144), (144, 288)):
        level.fill((-160, y0, 0), (704, y1, 64), ledge)
    level.carve((704, -96, 0), (720, 96, 176), "concrete_trim")          # a niche at the end
    level.emit_block((-224, -352, -64), (784, 352, 416), nave)
    # Eleven stones each, a metre high: half a circle over the ledges. The stone in the middle is the keystone.
    stones, inner, outer = 11, 160, 192

    def joint(radius, i):
        angle = math.pi * i / stones
        return (round(radius * math.cos(angle) / 4) * 4, 64 + round(radius * math.sin(angle) / 4) * 4)
    for x in (272, 448, 624):
        for i in range(stones):
            is_key = i == stones // 2
            a, b, c, d = joint(inner, i), joint(outer, i), joint(outer, i + 1), joint(inner, i + 1)
            if is_key:
                # Longer along its joints, by a quarter at either end.
                a, b, c, d = [(p[0] + (p[0] - q[0]) // 4, p[1] + (p[1] - q[1]) // 4)
                              for p, q in ((a, b), (b, a), (c, d), (d, c))]
            texture = "brick_red" if is_key else ("brick_sand", "brick_grey")[i % 2]
            more = 4 if is_key else 0
            level.prism([a, b, c, d], x - 24 - more, x + 24 + more, texture, axis=0)
        level.light(x - 56, 0, 150, 300, "1 0.9 0.75")
    for x in (-64, 184, 360, 536):
        for y in (-224, 224):
            column(level, x, y, 64, 352, 16, "concrete_pillar", "concrete_trim")
            level.light(x, y * 7 // 8, 180, 280, "1 0.8 0.55")
    for x in (-64, 128, 360, 536):
        level.lamp(x, 0, 352, 380, "0.9 0.95 1")
    for x, y in ((64, 96), (88, -128), (640, 72)):
        crate(level, x, y, 0, 40)
    stairs(level, (16, 80, 0), 1, 1, 4, 16, 64, "concrete_step")
    stairs(level, (16, -80, 0), 1, -1, 4, 16, 64, "concrete_step")
    level.light(660, 0, 90, 260, "0.7 0.85 1")
    level.start(-104, 0, 0, 0)
    return level


def cards():
    """A scene: a house of cards, three storeys of slabs that lean on each other in pairs."""
    level = Level("cards", "House of cards")
    hall = Paint("plaster_green", "concrete_floor", "plaster_white")
    level.carve((0, -256, 0), (704, 256, 352), hall)
    level.emit_block((-64, -320, -64), (768, 320, 416), hall)
    pitch, high, thick, half, x0, x1 = 96, 80, 8, 40, 384, 464
    for storey in range(3):
        z = storey * (high + 8)
        for i in range(3 - storey):
            middle = (2 * i - 2 + storey) * pitch // 2
            for side in (-1, 1):
                foot, tip = middle + side * half, middle
                level.prism([(foot - thick // 2, z), (foot + thick // 2, z), (tip + thick // 2, z + high),
                             (tip - thick // 2, z + high)], x0, x1, ("plaster_white", "brick_red")[(storey + i) % 2], axis=0)
            if storey < 2:
                level.box((x0, middle - 46, z + high), (x1, middle + 46, z + high + 8), "plaster_white")
    # A table's edge around them, and what card players leave.
    for y in (-208, 200):
        level.box((336, y, 0), (512, y + 8, 8), "wood_beam")
    for x in (336, 504):
        level.box((x, -200, 0), (x + 8, 200, 8), "wood_beam")
    for x, y, z, size in ((624, 168, 0, 56), (632, 112, 0, 40), (632, 176, 56, 32), (40, -232, 0, 48)):
        crate(level, x, y, z, size)
    table(level, 616, -208, 0, 64, 128)
    for x, y in itertools.product((0, 688), (-256, -88, 72, 240)):
        level.box((x, y, 0), (x + 16, y + 16, 352), "wood_beam")
    for x, y in itertools.product((120, 360, 600), (-144, 144)):
        level.lamp(x, y, 352, 400, "1 0.93 0.8")
    level.light(240, -160, 120, 280, "1 0.85 0.6")
    level.light(240, 160, 120, 280, "0.8 0.9 1")
    level.light(560, 0, 160, 280, "1 0.8 0.6")
    level.start(56, -64, 0, 10)
    return level


def stilts():
    """A scene: a house of three storeys on four columns of brick, with a tank on its roof over one of them."""
    level = Level("stilts", "Stilts")
    rng = random.Random(5)
    pit = Paint("rock_wall", "concrete_floor", "rock_wall")
    wall = Paint("concrete_wall", "concrete_slab", "concrete_ceiling")
    level.carve((0, 0, 0), (832, 832, 640), pit)
    level.emit_block((-64, -64, -64), (896, 896, 704), pit)
    low, wide, foot, pitch, storeys = 320, 192, 112, 96, 3
    far = low + wide
    for x, y in itertools.product((low, far - 32), repeat=2):
        level.box((x, y, 0), (x + 32, y + 32, foot), "brick_red")
    for k in range(storeys + 1):
        z = foot + k * pitch
        level.box((low - 8, low - 8, z), (far + 8, far + 8, z + 16), wall)
        if k == storeys:
            break
        # Walls with a band below the windows and posts between them.
        for a, b in ((low, low + 16), (far - 16, far)):
            level.box((a, low, z + 16), (b, far, z + 40), "concrete_wall")
            level.box((low, a, z + 16), (far, b, z + 40), "concrete_wall")
            for at in (low, low + 56, far - 72, far - 16):
                level.box((a, at, z + 40), (b, at + 16, z + pitch), "concrete_trim")
                if low < at < far - 16:
                    level.box((at, a, z + 40), (at + 16, b, z + pitch), "concrete_trim")
        level.light(low + 96, low + 96, z + 72, 200, "1 0.85 0.6")
    # The tank stands over the corner that the start looks at.
    roof = foot + storeys * pitch + 16
    level.box((low, low, roof), (low + 96, low + 96, roof + 64), Paint("metal_plate"))
    level.box((low + 120, low + 120, roof), (low + 176, low + 176, roof + 8), "concrete_trim")
    for _ in range(18):
        along, r = rng.randrange(0, 832, 8), rng.randrange(64, 136, 8)
        at = rng.choice((-16, 848))
        x, y = (along, at) if rng.random() < 0.5 else (at, along)
        if min(x, y) > 300 or rng.random() < 0.5:
            boulder(level, rng, x, y, rng.choice((0, 0, 320, 640)), r, r, r, "rock_wall", corners=12)
    for x, y in itertools.product((136, 696), repeat=2):
        level.light(x, y, 240, 480, "0.75 0.85 1")
        level.light(x, y, 540, 480, "0.75 0.85 1")
    for x, y in ((416, 232), (232, 416), (416, 416), (600, 416), (416, 600)):
        level.light(x, y, 72, 280, "1 0.85 0.6")
    for x, y, z, size in ((200, 480, 0, 56), (208, 424, 0, 48), (560, 240, 0, 56), (616, 248, 0, 40)):
        crate(level, x, y, z, size)
    level.start(120, 72, 0, 50)
    return level


def viaduct():
    """A scene: a ravine, and one deck over three piers; the middle one carries a gatehouse too."""
    level = Level("viaduct", "Viaduct")
    rng = random.Random(17)
    ravine = Paint("rock_cave", "rock_wall", "rock_cave")
    bank = Paint("rock_cave", "concrete_floor")
    level.carve((0, -320, -288), (1024, 320, 256), ravine)
    level.fill((0, -320, -288), (96, 320, 0), bank)
    level.fill((928, -320, -288), (1024, 320, 0), bank)
    level.emit_block((-64, -384, -352), (1088, 384, 320), ravine)
    # The deck touches neither bank: the piers carry it all.
    level.box((104, -48, -24), (920, 48, 0), Paint("concrete_trim", "concrete_slab", "concrete_trim"))
    for y in (-48, 40):
        level.box((104, y, 0), (920, y + 8, 24), "concrete_trim")
    for x in (208, 464, 800):
        level.box((x - 40, -56, -288), (x + 40, 56, -256), "concrete_block")
        level.box((x - 16, -32, -256), (x + 16, 32, -56), "brick_grey")
        level.prism([(x - 16, -56), (x + 16, -56), (x + 48, -24), (x - 48, -24)], -32, 32, "brick_grey", axis=1)
    # The gatehouse: two walls, a roof between them with battlements.
    for y in (-48, 32):
        level.box((416, y, 0), (512, y + 16, 112), "brick_sand")
    level.box((408, -48, 112), (520, 48, 136), Paint("brick_sand", "concrete_slab", "wood_planks"))
    for x, y in itertools.product((408, 456, 504), (-48, 32)):
        level.box((x, y, 136), (x + 16, y + 16, 152), "brick_sand")
    for side, x, z in itertools.product((-1, 1), range(96, 1000, 176), (-248, 0, 224)):
        x, z = x + rng.randrange(-48, 56, 8), z + rng.randrange(-40, 48, 8)
        rx, ry, rz = rng.randrange(88, 160, 8), rng.randrange(48, 96, 8), rng.randrange(80, 152, 8)
        boulder(level, rng, x, side * 328, z, rx, ry, rz, "rock_cave")
    for _ in range(10):
        x, y = rng.randrange(160, 864, 8), rng.choice((-1, 1)) * rng.randrange(144, 280, 8)
        r = rng.randrange(32, 80, 8)
        boulder(level, rng, x, y, -288, r, r, r, "rock_cave", corners=12)
    for x, y, z, size in ((24, 120, 0, 56), (32, 184, 0, 40), (960, -160, 0, 48), (968, 120, 0, 40)):
        crate(level, x, y, z, size)
    for x in (152, 336, 632, 872):
        for y in (-176, 176):
            level.light(x, y, 96, 420, "0.75 0.85 1")
            level.light(x, y, -176, 380, "1 0.75 0.5")
    level.light(464, 0, 80, 220, "1 0.85 0.6")
    level.light(48, 0, 80, 300, "1 0.85 0.6")
    level.light(976, 0, 80, 300, "1 0.85 0.6")
    level.start(56, -232, 0, 20)
    return level


def vault():
    """A scene: a hall under a barrel vault an eighth of a metre thick, with pipes, waisted columns and a heap of soil."""
    level = Level("vault", "Vault")
    rng = random.Random(5)
    hall = Paint("brick_sand", "tile_floor", "plaster_white")
    level.carve((0, -192, 0), (768, 192, 352), hall)
    level.emit_block((-32, -224, -32), (800, 224, 384), hall)
    # The walls that the vault springs from, with doors to the aisles, and the vault.
    for side in (-1, 1):
        low, high = sorted((side * 128, side * 144))
        for x0, x1, z0 in ((64, 224, 0), (224, 304, 88), (304, 464, 0), (464, 544, 88), (544, 704, 0)):
            level.box((x0, low, z0), (x1, high, 104), "brick_sand")
    arc = [(-128, 104), (-128, 232), (0, 232), (128, 232), (128, 104)]
    for x in range(64, 704, 160):
        level.patch([[(x, y, z), (x + 80, y, z), (x + 160, y, z)] for y, z in arc], "brick_red")
    # Under it: columns with a waist, and pipes along the walls with a bend upwards.
    for x in (144, 624):
        for y in (-72, 72):
            level.pipe((x, y), [(0, 24), (48, 4), (96, 24)], "concrete_pillar")
            level.box((x - 24, y - 24, 96), (x + 24, y + 24, 104), "concrete_trim")
    for y in (-112, 112):
        level.pipe((y, 64), [(64, 8), (384, 8), (704, 8)], "metal_plate", axis=0)
    for y in (-168, 168):
        level.pipe((720, y), [(0, 16), (176, 16), (352, 16)], "metal_plate")
    # A heap of soil in the middle.
    def up(i, j):
        away = ((i - 4) ** 2 + (j - 4) ** 2) ** 0.5
        return -8 if away > 3.9 else round((56 - 14 * away + rng.uniform(-6, 6)) / 4) * 4
    level.terrain((320, -64, 0), 16, [[up(i, j) for i in range(9)] for j in range(9)], "soil_ground")
    for x in (128, 384, 640):
        level.light(x, 0, 190, 300, "1 0.9 0.75")
        level.light(x, 0, 300, 240, "0.7 0.8 1")
        for y in (-168, 168):
            level.light(x, y, 96, 180, "1 0.75 0.5")
    level.start(24, 0, 0, 0)
    return level


def pool():
    """A scene: a pool with a plank bridge, a crate and a slab on rods above it, a dry pit beside it, slime and lava."""
    level = Level("pool", "Pool")
    hall = Paint("brick_sand", "concrete_floor", "plaster_white")
    tiles = Paint("tile_pool", "tile_pool", "tile_pool")
    level.carve((0, -256, 0), (960, 256, 256), hall)
    level.carve((288, -160, -96), (736, 160, 0), tiles)
    for x in range(0, 5):                                               # steps out of the pool
        level.fill((640 + 16 * x, -160, -96), (656 + 16 * x, -96, -80 + 16 * x), tiles)
    level.carve((144, -128, -96), (272, 128, 0), "concrete_wall")       # the dry pit, half a metre of wall away
    for x in range(0, 6):
        level.fill((144 + 16 * x, 80, -96), (160 + 16 * x, 128, -16 - 16 * x), "concrete_floor")
    level.carve((800, -224, -64), (912, -96, 0), "rock_wall")
    level.carve((800, 96, -64), (912, 224, 0), "rock_wall")
    level.emit_block((-32, -288, -128), (992, 288, 288), hall)
    level.box((288, -160, -96), (736, 160, -12), "*water_pool")
    level.box((800, -224, -64), (912, -96, -12), "*slime_green")
    level.box((800, 96, -64), (912, 224, -12), "*lava_bright")
    # A bridge of planks on posts, and what hangs from the ceiling on thin rods.
    for x in range(288, 736, 64):
        level.box((x, -20, 8), (x + 64, 20, 12), "wood_planks")
    for x in (288, 352, 416, 480, 544, 608, 672, 732):
        for y in (-20, 16):
            level.box((x - 2 if x > 288 else x, y, 0 if x in (288, 732) else -96), (x + 2, y + 4, 8), "wood_beam")
    for side in (0, 1):
        x0, x1 = ((128, 288), (736, 776))[side]                         # the near one spans the dry pit
        level.box((x0, -20, 0), (x1, 20, 8), "wood_beam")
    for y, size, texture in ((-88, 24, "wood_crate"), (88, 24, "concrete_block")):
        level.box((400 - size, y - size, 64), (400 + size, y + size, 64 + size * 2), texture)
        level.box((398, y - 2, 64 + size * 2), (402, y + 2, 256), "metal_rod")
    for x in (96, 352, 608, 864):
        for y in (-176, 176):
            level.lamp(x, y, 256, 260, "1 0.95 0.85")
    for x in (400, 624):
        level.light(x, 96, -56, 110, "0.6 0.9 1")
    level.light(856, 160, 24, 160, "1 0.45 0.15")
    level.light(856, -160, 24, 90, "0.5 1 0.4")
    level.start(64, 0, 0, 0)
    return level


def lifts():
    """A scene: a double door, a gate with its button, a lift, a train over a pit with a teleport in it, a turning bar."""
    level = Level("lifts", "Doors, a lift and a train")
    hall = Paint("brick_red", "tile_floor", "plaster_white")
    level.carve((0, -256, 0), (640, 256, 256), hall)
    level.fill((448, -256, 0), (640, -128, 128), Paint("concrete_wall", "wood_planks", "plaster_white"))      # balcony
    level.carve((352, -256, -16), (448, -160, 0), Paint("concrete_trim", "concrete_floor"))                    # lift pit
    level.carve((256, 256, 0), (384, 288, 128), "concrete_trim")                                              # the gate's
    level.carve((192, 288, 0), (448, 448, 160), Paint("brick_grey", "concrete_floor", "concrete_ceiling"))
    level.carve((640, -64, 0), (672, 64, 128), "concrete_trim")                                               # the door's
    level.carve((672, -256, -128), (1312, 256, 256), Paint("rock_wall", "soil_ground", "concrete_ceiling"))
    for x in (672, 1184):                                                                                      # ledges
        level.fill((x, -256, -128), (x + 128, 256, 0), Paint("concrete_wall", "concrete_slab"))
    level.emit_block((-64, -288, -160), (1344, 480, 288), "concrete_wall")

    def mover(classname, boxes, **keys):
        brushes = []
        for low, high, paint in boxes:
            level.box(low, high, paint, brushes)
        level.entity(classname, brushes, **keys)

    for y, angle in ((-64, "270"), (0, "90")):
        leaf = [((652, y, 0), (660, y + 64, 128), "wood_panel")]
        leaf += [((648, y + a, 16), (664, y + a + 8, 112), "metal_trim") for a in (8, 48)]
        mover("func_door", leaf, angle=angle, speed="100", wait="3", lip="8")
    bars = [((x, 268, 0), (x + 8, 276, 128), "metal_rail") for x in range(260, 384, 20)]
    bars += [((256, 264, z), (384, 280, z + 8), "metal_beam") for z in (8, 112)]
    mover("func_door", bars, targetname="gate", angle="-1", speed="60", wait="5", lip="8")
    mover("func_button", [((224, 248, 40), (240, 256, 56), "metal_console")], angle="90", target="gate", lip="4", wait="5")
    mover("func_plat", [((352, -256, 112), (448, -160, 128), "metal_plate")], height="128", speed="100")
    train = [((800, -48, -16), (896, 48, 0), "metal_plate"), ((800, -48, 0), (808, -40, 32), "metal_rail"),
             ((888, -48, 0), (896, -40, 32), "metal_rail"), ((808, -48, 24), (888, -40, 32), "metal_rail")]
    mover("func_train", train, target="near", speed="90")
    for name, following, x in (("near", "far", 800), ("far", "near", 1088)):
        level.entity("path_corner", origin=f"{x} -48 -16", targetname=name, target=following, wait="2")
    mover("trigger_teleport", [((800, -256, -128), (1184, 256, -112), "trigger")], target="ledge")
    level.entity("info_teleport_destination", origin="736 0 24", targetname="ledge", angle="0")
    bar = [((1152, -172, 20), (1280, -156, 36), "wood_beam"), ((1208, -180, 0), (1224, -148, 44), "metal_machine")]
    bar += [((1208, -172, 0), (1224, -156, 56), "origin")]
    mover("func_rotating", bar, speed="60", spawnflags="1")
    # Things to carry, to crush and to shoot.
    for x, y, z, size in ((224, 320, 0, 32), (232, 360, 0, 24), (400, 400, 0, 40), (560, -200, 128, 32)):
        crate(level, x, y, z, size)
    for x, y, z in ((128, -128, 256), (128, 128, 256), (400, -64, 256), (400, 144, 256), (560, 0, 256), (320, 384, 160),
                    (736, -128, 256), (736, 128, 256), (992, -128, 256), (992, 128, 256), (1248, -128, 256), (1248, 128, 256)):
        level.lamp(x, y, z, 240, "1 0.93 0.82")
    level.start(96, 64, 0, 0)
    return level


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for make in (bunker, bridge, pillars, shooting_range, caves, tower):
        make().write(folder)
    scenes = os.path.join(folder, "scenes")
    os.makedirs(scenes, exist_ok=True)
    for make in (sheet, pit, beam, arch, cards, stilts, viaduct, vault, pool, lifts):
        make().write(scenes)


if __name__ == "__main__":
    main()
