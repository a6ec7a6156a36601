//! The six rooms: a hall of air 40×20×10 m (z up, as they were first measured) with eight pillars, as closed meshes.
use breach::world::{GRID, Material, SurfaceDesc};
use glam::{DVec3, I64Vec3};
use std::collections::HashMap;

/// Grid steps in a 1/1024 m, to which every vertex is rounded.
pub const STEP: i64 = 16;

/// Size of the hall, metres.
const SIZE: [f64; 3] = [40.0, 20.0, 10.0];
/// Half a pillar's side.
const HALF: f64 = 0.6;

/// A closed mesh, counter-clockwise seen from the air.
#[derive(Clone, Debug)]
pub struct Room {
    /// As in the tables: `flat_2k`.
    pub name: String,
    /// Grid steps.
    pub points: Vec<I64Vec3>,
    /// Indices into `points`.
    pub triangles: Vec<[u32; 3]>,
    /// What the world around it is made of goes on to here, grid steps.
    pub bounds: [I64Vec3; 2],
}

/// Names of the six, with the longest side of a square on the floor, the layers of squares on a wall, and whether it is
/// bent: as many triangles as in the rooms that PEERS.md measured, but for one in a hundred.
const ROOMS: [(&str, f64, usize, bool); 6] = [
    ("flat_2k", 1.468, 9, false),
    ("flat_20k", 0.5836, 17, false),
    ("flat_200k", 0.1836, 56, false),
    ("rough_2k", 1.468, 9, true),
    ("rough_20k", 0.5836, 17, true),
    ("rough_200k", 0.1836, 56, true),
];

/// The names of the six rooms.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROOMS.iter().map(|r| r.0)
}

/// A room by its name; `flat_20k_x100` is a hundred of `flat_20k`, apart from one another.
pub fn room(name: &str) -> Option<Room> {
    if let Some((one, copies)) = name.rsplit_once("_x") {
        return Some(tiled(&room(one)?, copies.parse().ok()?));
    }
    let &(name, longest, layers, is_rough) = ROOMS.iter().find(|r| r.0 == name)?;
    let mut room = hall(name, longest, layers, is_rough);
    room.bounds = around(&room, 40);
    Some(room)
}

impl Room {
    /// As a world is told.
    pub fn surface(&self) -> SurfaceDesc {
        SurfaceDesc {
            bounds: self.bounds,
            points: self.points.clone(),
            triangles: self.triangles.clone(),
            materials: materials(),
            material: 0,
        }
    }

    /// Cubic metres of air, from the mesh.
    pub fn volume_m3(&self) -> f64 {
        let six: i128 = self
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|p| self.points[p as usize]);
                breach::carve::hull::dot(c.cross(b), a)
            })
            .sum();
        six as f64 / 6.0 / GRID.powi(3)
    }
}

/// Painted walls, and the inside of the rock.
pub fn materials() -> Vec<Material> {
    [("wall", false), ("rock", true)]
        .map(|(texture, inner)| Material {
            texture: texture.into(),
            u: DVec3::X,
            v: DVec3::Y,
            offset: [0.0; 2],
            inner,
            hardness: 1.0,
        })
        .to_vec()
}

/// The box of a room, grown by whole metres.
fn around(room: &Room, metres: i64) -> [I64Vec3; 2] {
    let grow = I64Vec3::splat(metres * GRID as i64);
    let lo = room.points.iter().copied().reduce(I64Vec3::min);
    let hi = room.points.iter().copied().reduce(I64Vec3::max);
    [lo.unwrap_or_default() - grow, hi.unwrap_or_default() + grow]
}

/// Copies in rows of five by five, with a few metres of rock between them.
fn tiled(one: &Room, copies: usize) -> Room {
    let pitch = I64Vec3::new(48, 28, 18) * GRID as i64;
    let mut room = Room {
        name: format!("{}_x{copies}", one.name),
        points: vec![],
        triangles: vec![],
        bounds: one.bounds,
    };
    for i in 0..copies as i64 {
        let first = room.points.len() as u32;
        let at = pitch * I64Vec3::new(i % 5, i / 5 % 5, i / 25);
        room.points.extend(one.points.iter().map(|&p| p + at));
        room.triangles
            .extend(one.triangles.iter().map(|t| t.map(|c| c + first)));
    }
    room.bounds = around(&room, 40);
    room
}

/// Coordinates along an axis: the breaks, and equal parts between them that are no longer than `longest`.
fn lines(breaks: &[f64], longest: f64) -> Vec<f64> {
    let mut list = vec![breaks[0]];
    for w in breaks.windows(2) {
        let parts = ((w[1] - w[0]) / longest).ceil().max(1.0) as usize;
        list.extend((1..=parts).map(|i| w[0] + (w[1] - w[0]) * i as f64 / parts as f64));
    }
    list
}

fn breaks(size: f64, pillars: usize) -> Vec<f64> {
    let mut list = vec![0.0];
    for i in 0..pillars {
        let centre = 5.0 + 10.0 * i as f64;
        list.extend([centre - HALF, centre + HALF]);
    }
    list.push(size);
    list
}

/// Three sets of lines, and the points that were used where they cross.
struct Lattice {
    lines: [Vec<f64>; 3],
    index: HashMap<[usize; 3], u32>,
    is_rough: bool,
    room: Room,
}

impl Lattice {
    fn point(&mut self, at: [usize; 3]) -> u32 {
        *self.index.entry(at).or_insert_with(|| {
            let p = DVec3::from_array([0, 1, 2].map(|k| self.lines[k][at[k]]));
            let p = if self.is_rough { bent(p) } else { p };
            let rounded = (p * (GRID / STEP as f64)).round().as_i64vec3() * STEP;
            self.room.points.push(rounded);
            self.room.points.len() as u32 - 1
        })
    }

    /// Squares of two triangles on a plane across `axis`; air lies above it or below.
    fn sheet(&mut self, axis: usize, at: usize, range: [[usize; 2]; 2], is_air_above: bool) {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for i in range[0][0]..range[0][1] {
            for j in range[1][0]..range[1][1] {
                let mut quad = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(a, b)| {
                    let mut p = [0; 3];
                    (p[axis], p[u], p[v]) = (at, i + a, j + b);
                    self.point(p)
                });
                if !is_air_above {
                    quad.reverse();
                }
                let [a, b, c, d] = quad;
                self.room.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
}

/// A smooth bump of a few centimetres that depends on the place alone.
fn bent(p: DVec3) -> DVec3 {
    let wave = DVec3::new(
        libm::sin(1.7 * p.y + 2.3 * p.z + 0.4 * p.x),
        libm::sin(1.9 * p.z + 2.1 * p.x + 0.3 * p.y),
        libm::sin(2.2 * p.x + 1.6 * p.y + 0.5 * p.z),
    );
    p + wave * 0.04
}

fn hall(name: &str, longest: f64, layers: usize, is_rough: bool) -> Room {
    let all = [breaks(SIZE[0], 4), breaks(SIZE[1], 2), breaks(SIZE[2], 0)];
    // A little longer, so that rounding adds no layer.
    let sides = [longest, longest, SIZE[2] / layers as f64 * (1.0 + 1e-9)];
    let mut lattice = Lattice {
        lines: [0, 1, 2].map(|k| lines(&all[k], sides[k])),
        index: HashMap::new(),
        is_rough,
        room: Room {
            name: name.into(),
            points: vec![],
            triangles: vec![],
            bounds: [I64Vec3::ZERO; 2],
        },
    };
    let count = [0, 1, 2].map(|k| lattice.lines[k].len() - 1);
    // The index of each break among the lines.
    let at = [0, 1, 2].map(|k| {
        let find = |b: &f64| lattice.lines[k].iter().position(|x| (x - b).abs() < 1e-9);
        all[k].iter().filter_map(find).collect::<Vec<usize>>()
    });
    let pillars: Vec<[[usize; 2]; 2]> = (0..8)
        .map(|i| [(0, i % 4), (1, i / 4)].map(|(k, n)| [at[k][1 + 2 * n], at[k][2 + 2 * n]]))
        .collect();
    for (z, is_floor) in [(0, true), (count[2], false)] {
        for x in 0..count[0] {
            for y in 0..count[1] {
                let holds = |r: &[usize; 2], i: usize| r[0] <= i && i < r[1];
                if !pillars.iter().any(|p| holds(&p[0], x) && holds(&p[1], y)) {
                    lattice.sheet(2, z, [[x, x + 1], [y, y + 1]], is_floor);
                }
            }
        }
    }
    let high = [0, count[2]];
    for (side, is_low) in [(0, true), (1, false)] {
        lattice.sheet(0, count[0] * side, [[0, count[1]], high], is_low);
        lattice.sheet(1, count[1] * side, [high, [0, count[0]]], is_low);
        for [x, y] in &pillars {
            lattice.sheet(0, x[side], [*y, high], !is_low);
            lattice.sheet(1, y[side], [high, *x], !is_low);
        }
    }
    lattice.room
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_have_the_triangles_and_the_air_that_were_measured() {
        for (name, about) in names().zip([3662, 22208, 194224, 3662, 22208, 194224]) {
            let room = room(name).expect("one of the six");
            let count = room.triangles.len();
            assert!(count.abs_diff(about) * 90 < about, "{name}: {count}");
            let air = 8000.0 - 8.0 * 1.44 * 10.0;
            let volume = room.volume_m3();
            assert!((volume - air).abs() < 25.0, "{name}: {volume} m3");
        }
    }

    #[test]
    fn copies_are_apart() {
        let one = room("flat_2k").expect("a room");
        let many = room("flat_2k_x30").expect("rooms");
        assert_eq!(many.triangles.len(), 30 * one.triangles.len());
        assert!((many.volume_m3() - 30.0 * one.volume_m3()).abs() < 1e-6);
    }
}
