//! The room that queries are measured in: 40 × 12 × 32 m with twelve pillars and craters on all six walls.
//!
//! Every wall is a grid of large squares; those that a crater touches are cut finer, and their neighbours take the
//! border's points, so that there is no T-junction. Coordinates are whole f32, which is what the peers know.
use breach::bvh::{Mesh, Triangle};
use breach::geom::rng::Rng;
use glam::DVec3;
use std::collections::BTreeMap;

/// Metres.
pub const SIZE: DVec3 = DVec3::new(40.0, 12.0, 32.0);

/// About as many triangles as the name says.
pub fn named(name: &str) -> Option<Mesh> {
    let (target, craters, cell) = match name {
        "2k" => (1_892, 10, 4.0),
        "20k" => (22_372, 60, 2.0),
        "200k" => (193_160, 120, 2.0),
        _ => return None,
    };
    let off = |mesh: &Mesh| mesh.triangles.len().abs_diff(target);
    let rooms = (1..60).map(|cuts| room(craters, cell, cuts));
    rooms
        .take_while(|mesh| mesh.triangles.len() < 2 * target)
        .min_by_key(off)
}

/// A dent: part of a ball, with bumps.
struct Crater {
    at: [f64; 2],
    radius: f64,
    depth: f64,
    phase: f64,
}

impl Crater {
    fn touches(&self, low: [f64; 2], high: [f64; 2]) -> bool {
        let off = |i: usize| self.at[i] - self.at[i].clamp(low[i], high[i]);
        off(0) * off(0) + off(1) * off(1) < self.radius * self.radius
    }

    fn depth_at(&self, [u, v]: [f64; 2]) -> f64 {
        let (du, dv) = (u - self.at[0], v - self.at[1]);
        let inside = 1.0 - (du * du + dv * dv) / (self.radius * self.radius);
        if inside <= 0.0 {
            return 0.0;
        }
        let wave = |a: f64, b: f64| libm::sin(u * a + self.phase) * libm::cos(v * b - self.phase);
        let bumps = 1.0 + 0.18 * wave(3.1, 2.7) + 0.08 * wave(9.3, 8.1) + 0.06 * wave(23.0, 19.0);
        inside.sqrt() * self.radius * self.depth * bumps
    }
}

/// A wall: its corner and two sides, seen counter-clockwise from the air.
struct Wall {
    origin: DVec3,
    sides: [DVec3; 2],
    size: [f64; 2],
}

fn room(count: usize, cell: f64, cuts: usize) -> Mesh {
    let mut rng = Rng::new(7);
    let mut mesh = Builder::default();
    let pillars: Vec<[f64; 2]> = (0..12)
        .map(|i| {
            let (i, j) = (f64::from(i % 4 + 1), f64::from(i / 4 + 1));
            [8.0 * i, 8.0 * j].map(|c| c + rng.range(-1.0, 1.0))
        })
        .collect();
    let (w, h, d) = (SIZE.x, SIZE.y, SIZE.z);
    let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
    let walls = [
        (DVec3::ZERO, [z, x], [d, w], count / 2),
        (y * h, [x, z], [w, d], count / 10),
        (DVec3::ZERO, [x, y], [w, h], count / 10),
        (z * d, [y, x], [h, w], count / 10),
        (DVec3::ZERO, [y, z], [h, d], count / 10),
        (x * w, [z, y], [d, h], count / 10),
    ];
    for (i, (origin, sides, size, count)) in walls.into_iter().enumerate() {
        let mut craters = Vec::new();
        for _ in 0..20_000 {
            if craters.len() == count {
                break;
            }
            let radius = rng.range(0.7, 2.4);
            let at = size.map(|s| {
                let edge = radius + cell + 0.05;
                rng.range(edge, (s - edge).max(edge))
            });
            let fits = (0..2).all(|k| at[k] + radius + cell < size[k]);
            // The floor's sides are z and x.
            let near = |p: &[f64; 2]| (p[0] - at[1]).hypot(p[1] - at[0]) < radius + 1.2;
            if fits && !(i < 2 && pillars.iter().any(near)) {
                craters.push(Crater {
                    at,
                    radius,
                    depth: rng.range(0.35, 0.8),
                    phase: rng.range(0.0, 6.28),
                });
            }
        }
        let wall = Wall {
            origin,
            sides,
            size,
        };
        mesh.wall(&wall, [cell; 2], cuts, &craters);
    }
    for [px, pz] in pillars {
        // Through floor and ceiling: closed, and no face lies in another's plane.
        let (low, high) = (
            DVec3::new(px - 0.5, -0.5, pz - 0.5),
            DVec3::new(px + 0.5, h + 0.5, pz + 0.5),
        );
        let tall = h + 1.0;
        let sides = [
            (low, [y, x], [tall, 1.0]),
            (low + z, [x, y], [1.0, tall]),
            (low, [z, y], [1.0, tall]),
            (low + x, [y, z], [tall, 1.0]),
            (low, [x, z], [1.0, 1.0]),
            (high - x - z, [z, x], [1.0, 1.0]),
        ];
        for (origin, sides, size) in sides {
            let wall = Wall {
                origin,
                sides,
                size,
            };
            mesh.wall(&wall, size.map(|s| f64::min(s, cell / 2.0)), 1, &[]);
        }
    }
    mesh.mesh
}

#[derive(Default)]
struct Builder {
    mesh: Mesh,
    known: BTreeMap<[u32; 3], u32>,
}

impl Builder {
    fn point(&mut self, p: DVec3) -> u32 {
        let narrow = p.as_vec3() + 0.0;
        let mesh = &mut self.mesh;
        *self
            .known
            .entry(narrow.to_array().map(f32::to_bits))
            .or_insert_with(|| {
                mesh.positions.push(narrow.as_dvec3());
                mesh.positions.len() as u32 - 1
            })
    }

    fn triangle(&mut self, corners: [u32; 3]) {
        let [a, b, c] = corners;
        if a != b && b != c && c != a {
            let key = self.mesh.triangles.len() as u64;
            self.mesh.triangles.push(Triangle {
                corners,
                face: key as u32,
                key,
            });
        }
    }

    fn wall(&mut self, wall: &Wall, cell: [f64; 2], cuts: usize, craters: &[Crater]) {
        let normal = wall.sides[0].cross(wall.sides[1]);
        let cells = [0, 1].map(|k| (wall.size[k] / cell[k]).round().max(1.0) as usize);
        let at = |k: usize, i: f64| wall.size[k] * i / cells[k] as f64;
        let is_cut = |i: usize, j: usize| {
            let (low, high) = (
                [at(0, i as f64), at(1, j as f64)],
                [at(0, i as f64 + 1.0), at(1, j as f64 + 1.0)],
            );
            craters.iter().any(|c| c.touches(low, high))
        };
        let place = |i: f64, j: f64| {
            let uv = [at(0, i), at(1, j)];
            let depth = craters.iter().map(|c| c.depth_at(uv)).fold(0.0, f64::max);
            wall.origin + wall.sides[0] * uv[0] + wall.sides[1] * uv[1] - normal * depth
        };
        for (i, j) in (0..cells[0]).flat_map(|i| (0..cells[1]).map(move |j| (i, j))) {
            let step = 1.0 / cuts as f64;
            let (u, v) = (i as f64, j as f64);
            if is_cut(i, j) {
                for (a, b) in (0..cuts).flat_map(|a| (0..cuts).map(move |b| (a, b))) {
                    let corner = |da: usize, db: usize| {
                        place(u + (a + da) as f64 * step, v + (b + db) as f64 * step)
                    };
                    let square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    let [p, q, r, s] = square.map(|p| self.point(p));
                    if (a + b + i + j) % 2 == 0 {
                        self.triangle([p, q, r]);
                        self.triangle([p, r, s]);
                    } else {
                        self.triangle([p, q, s]);
                        self.triangle([q, r, s]);
                    }
                }
                continue;
            }
            // The points of the neighbours that are cut finer.
            let beside = |di: isize, dj: isize| {
                let (i, j) = (i.checked_add_signed(di), j.checked_add_signed(dj));
                let inside = i.zip(j).filter(|&(i, j)| i < cells[0] && j < cells[1]);
                inside.is_some_and(|(i, j)| is_cut(i, j))
            };
            let around = [
                ([0.0, 0.0], [1.0, 0.0], beside(0, -1)),
                ([1.0, 0.0], [0.0, 1.0], beside(1, 0)),
                ([1.0, 1.0], [-1.0, 0.0], beside(0, 1)),
                ([0.0, 1.0], [0.0, -1.0], beside(-1, 0)),
            ];
            let mut rim = Vec::new();
            for (from, way, is_fine) in around {
                let steps = if is_fine { cuts } else { 1 };
                for k in 0..steps {
                    let f = k as f64 / steps as f64;
                    rim.push(self.point(place(u + from[0] + way[0] * f, v + from[1] + way[1] * f)));
                }
            }
            if rim.len() == 4 {
                self.triangle([rim[0], rim[1], rim[2]]);
                self.triangle([rim[0], rim[2], rim[3]]);
                continue;
            }
            let hub = self.point(place(u + 0.5, v + 0.5));
            for k in 0..rim.len() {
                self.triangle([hub, rim[k], rim[(k + 1) % rim.len()]]);
            }
        }
    }
}
