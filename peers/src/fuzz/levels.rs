//! Where cases come from: the real levels, and small made ones with known walls and cell borders.
use super::map::{Brush, Entity, Map, hull_brush, point_text};
use breach::carve::hull::hull;
use breach::geom::rng::Rng;
use glam::I64Vec3;
use std::path::{Path, PathBuf};

/// Grid steps in a metre.
pub const M: i64 = 16384;
/// Half the side of made levels, metres.
pub const HALF: i64 = 12;

/// The real levels that are changed, turned and shot at: small ones come more often.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    list: Vec<(PathBuf, u64)>,
}

impl Levels {
    /// The `.map` files of these folders, by name.
    pub fn of(folders: &[PathBuf]) -> Self {
        let mut list = Vec::new();
        for folder in folders {
            let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let maps = files
                .map(|file| file.path())
                .filter(|path| path.extension().is_some_and(|e| e == "map"));
            list.extend(maps.map(|path| {
                let bytes = std::fs::metadata(&path).map_or(0, |data| data.len());
                // Twice as often at a quarter of the size; a large level costs seconds each time.
                let weight = (40_000_000 / (bytes + 20_000)).isqrt().max(1);
                (path, weight)
            }));
        }
        list.sort();
        Self { list }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// One of them; None where there are none.
    pub fn pick(&self, rng: &mut Rng) -> Option<(&Path, Map)> {
        let all: u64 = self.list.iter().map(|(_, weight)| weight).sum();
        let mut at = rng.below(all);
        let (path, _) = self.list.iter().find(|(_, weight)| {
            let is_here = at < *weight;
            at = at.saturating_sub(*weight);
            is_here
        })?;
        let bytes = std::fs::read(path).ok()?;
        Some((path, Map::read(&bytes)))
    }
}

/// A made level, and the coordinates that brushes go for.
#[derive(Clone, Debug)]
pub struct Made {
    /// The file so far.
    pub map: Map,
    /// Walls, bounds and cell borders along each axis, grid steps.
    pub planes: [Vec<i64>; 3],
    /// Corners of what is there.
    pub corners: Vec<I64Vec3>,
    /// The rooms.
    pub rooms: Vec<[I64Vec3; 2]>,
}

/// The corners of a box.
pub fn corners(lo: I64Vec3, hi: I64Vec3) -> Vec<I64Vec3> {
    (0..8)
        .map(|i| lo + (hi - lo) * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2 & 1))
        .collect()
}

/// A box as a brush.
pub fn boxed(lo: I64Vec3, hi: I64Vec3, texture: &str) -> Option<Brush> {
    Some(hull_brush(&hull(&corners(lo, hi))?, texture))
}

/// A coordinate from `lo` to `hi` metres: mostly whole or on an eighth, now and then any grid step.
fn coordinate(rng: &mut Rng, lo: i64, hi: i64) -> i64 {
    let (lo, hi) = (lo * M, hi * M);
    let any = lo + rng.below((hi - lo + 1) as u64) as i64;
    match rng.below(4) {
        0 => any,
        1 => any.div_euclid(M / 8) * (M / 8),
        _ => any.div_euclid(M) * M,
    }
    .clamp(lo, hi)
}

impl Made {
    /// Rock with one to four rooms dug into it, some of which meet, and cuts between cells near their walls. The player
    /// stands in the first one where `start` says so.
    pub fn dug(rng: &mut Rng, start: bool) -> Self {
        let far = I64Vec3::splat(HALF * M);
        let mut world = Entity::new(&[("classname", "worldspawn"), ("breach_start", "solid")]);
        world.set("breach_bounds", &bounds_text(-far, far));
        let mut made = Self {
            map: Map::default(),
            planes: [0, 1, 2].map(|_| vec![-HALF * M, HALF * M]),
            corners: corners(-far, far),
            rooms: Vec::new(),
        };
        let mut dug = Vec::new();
        for k in 0..1 + rng.below(4) {
            let room = made.room(rng, k == 0);
            let mut carve = Entity::new(&[("classname", "func_carve")]);
            carve.brushes.extend(boxed(room[0], room[1], "wall"));
            dug.push(carve);
        }
        world.set("breach_base", &dug.len().to_string());
        made.map.entities.push(world);
        made.map.entities.append(&mut dug);
        made.cut(rng);
        if start {
            let [lo, hi] = made.rooms[0];
            let origin = point_text((lo + hi) / 2);
            let keys = [("classname", "info_player_start"), ("origin", &origin)];
            made.map.entities.push(Entity::new(&keys));
        }
        made
    }

    /// Air within walls of brushes, as Quake's levels are built: a shell of six boxes, walls and pillars in it that end in
    /// the middle of other faces, ramps, and a player.
    pub fn built(rng: &mut Rng) -> Self {
        let mut made = Self {
            map: Map::default(),
            planes: Default::default(),
            corners: Vec::new(),
            rooms: Vec::new(),
        };
        let mut world = Entity::new(&[("classname", "worldspawn")]);
        let size = I64Vec3::new(
            4 + rng.below(8) as i64,
            3 + rng.below(3) as i64,
            4 + rng.below(8) as i64,
        );
        let lo = I64Vec3::from_array([0, 1, 2].map(|_| coordinate(rng, -3, 3)));
        let hi = lo + size * M;
        let thick = M / [1, 2, 4][rng.below(3) as usize];
        for axis in 0..3 {
            for side in 0..2 {
                let mut wall = [lo - thick, hi + thick];
                wall[1 - side][axis] = [lo, hi][side][axis];
                // Walls that overlap at the room's edges, or meet there.
                if rng.below(2) == 0 {
                    for other in 0..axis {
                        wall[0][other] = lo[other];
                        wall[1][other] = hi[other];
                    }
                }
                world.brushes.extend(boxed(wall[0], wall[1], "wall"));
            }
        }
        made.note(lo, hi);
        made.rooms.push([lo, hi]);
        for _ in 0..rng.below(6) {
            let points = made.furniture(rng, lo, hi);
            if let Some(facets) = hull(&points) {
                world.brushes.push(hull_brush(&facets, "brick"));
                made.corners.extend(points);
            }
        }
        world.set("breach_base", "0");
        made.map.entities.push(world);
        // In the corner of the room, where no furniture is put.
        let origin = point_text(lo + M / 4);
        let keys = [("classname", "info_player_start"), ("origin", &origin)];
        made.map.entities.push(Entity::new(&keys));
        made.cut(rng);
        made
    }

    /// A wall's end, a pillar or a ramp, half a metre off the room's lowest corner.
    fn furniture(&self, rng: &mut Rng, lo: I64Vec3, hi: I64Vec3) -> Vec<I64Vec3> {
        let lo = lo + M / 2;
        let span = hi - lo;
        let place = |rng: &mut Rng, axis: usize| {
            lo[axis] + rng.below((span[axis] / (M / 8)) as u64) as i64 * (M / 8)
        };
        let a = I64Vec3::from_array([0, 1, 2].map(|axis| place(rng, axis)));
        let b = I64Vec3::from_array([0, 1, 2].map(|axis| place(rng, axis)));
        let (mut a, mut b) = (a.min(b), a.max(b) + M / 4);
        // From the floor, to the ceiling, or into a wall.
        match rng.below(4) {
            0 => (a.y, b.y) = (lo.y - M / 2, hi.y),
            1 => a.y = lo.y - M / 2,
            2 => b.x = hi.x,
            _ => b.z = hi.z + M / 8,
        }
        let mut points = corners(a, b);
        if rng.below(3) == 0 {
            points.retain(|p| !(p.y == b.y && p.x == b.x));
        }
        points
    }

    fn room(&mut self, rng: &mut Rng, is_first: bool) -> [I64Vec3; 2] {
        let mut lo = I64Vec3::from_array([0, 1, 2].map(|_| coordinate(rng, -8, 4)));
        let mut hi = lo + I64Vec3::from_array([0, 1, 2].map(|_| coordinate(rng, 1, 6)));
        if let (false, Some(&[a, b])) = (is_first, self.rooms.last()) {
            // Beside the one before: wall to wall, a step into it, or a thin wall between.
            let axis = rng.below(3) as usize;
            let gap = [0, -1, 1, M / 8, M / 2][rng.below(5) as usize];
            let length = hi[axis] - lo[axis];
            for k in (0..3).filter(|&k| k != axis && rng.below(2) == 0) {
                (lo[k], hi[k]) = (a[k], b[k]);
            }
            lo[axis] = b[axis] + gap;
            hi[axis] = lo[axis] + length;
        }
        let far = I64Vec3::splat((HALF - 1) * M);
        (lo, hi) = (lo.min(far - M), hi.clamp(lo.min(far - M) + M / 2, far));
        self.note(lo, hi);
        self.rooms.push([lo, hi]);
        [lo, hi]
    }

    /// Cuts between cells: in the plane of a wall, a step beside it, anywhere.
    fn cut(&mut self, rng: &mut Rng) {
        for _ in 0..rng.below(4) {
            let axis = rng.below(3) as usize;
            let at = match rng.below(3) {
                0 => coordinate(rng, -HALF + 1, HALF - 1),
                _ => self.near(rng, axis),
            };
            let far = I64Vec3::splat((HALF - 1) * M);
            let (mut lo, mut hi) = (-far, far);
            (lo[axis], hi[axis]) = (at - 2, at + 2 + rng.below(3) as i64);
            let mut portal = Entity::new(&[("classname", "func_areaportal")]);
            portal.brushes.extend(boxed(lo, hi, "areaportal"));
            self.map.entities.push(portal);
            self.planes[axis].push(at);
        }
    }

    /// A coordinate of something that is there, or a few steps beside it.
    pub fn near(&self, rng: &mut Rng, axis: usize) -> i64 {
        let planes = &self.planes[axis];
        let at = match planes.is_empty() {
            true => 0,
            false => planes[rng.below(planes.len() as u64) as usize],
        };
        at + [0, 0, 0, 1, -1, 2][rng.below(6) as usize]
    }

    /// What lies there is gone for by what comes after.
    pub fn note(&mut self, lo: I64Vec3, hi: I64Vec3) {
        for axis in 0..3 {
            self.planes[axis].extend([lo[axis], hi[axis]]);
        }
        self.corners.extend(corners(lo, hi));
    }
}

/// `breach_bounds` of a box of grid points.
fn bounds_text(lo: I64Vec3, hi: I64Vec3) -> String {
    // The file's y runs against our z.
    let low = I64Vec3::new(lo.x, lo.y, hi.z);
    let high = I64Vec3::new(hi.x, hi.y, lo.z);
    format!("{} {}", point_text(low), point_text(high))
}
