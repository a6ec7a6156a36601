//! The nasty cases of carving, with volumes known in closed form.
use super::boolean::{Evaluation, apply};
use super::conform::conform_in_place;
use super::face::Face;
use super::hull::hull_brush;
use super::loops::{face_edges, position_key};
use super::polytope::Polytope;
use super::{BrushDesc, Op};
use crate::exact::Planes;
use glam::I64Vec3;
use rustc_hash::FxHashMap;

const M: f64 = 16384.0;

/// A cell without walls.
struct Cell {
    planes: Planes,
    faces: Vec<Option<Face>>,
}

fn grid(p: [f64; 3]) -> I64Vec3 {
    I64Vec3::from_array(p.map(|v| (v * M).round() as i64))
}

fn boxed(min: [f64; 3], max: [f64; 3]) -> BrushDesc {
    let (a, b) = (grid(min), grid(max));
    let corners: Vec<I64Vec3> = (0..8)
        .map(|i| {
            I64Vec3::new(
                [a.x, b.x][i & 1],
                [a.y, b.y][i >> 1 & 1],
                [a.z, b.z][i >> 2 & 1],
            )
        })
        .collect();
    hull_brush(&corners, 0).unwrap()
}

fn hull(points: &[[f64; 3]]) -> BrushDesc {
    hull_brush(&points.iter().map(|&p| grid(p)).collect::<Vec<_>>(), 0).unwrap()
}

impl Cell {
    fn solid() -> Cell {
        Cell {
            planes: Planes::default(),
            faces: Vec::new(),
        }
    }

    /// The room of PEERS.md: 16×16×8 m of air.
    fn room() -> Cell {
        let mut c = Cell::solid();
        c.act(Op::Carve, &boxed([0.0; 3], [16.0, 16.0, 8.0]));
        assert_eq!(c.faces.iter().flatten().count(), 6);
        c
    }

    fn act(&mut self, op: Op, brush: &BrushDesc) -> bool {
        let p = Polytope::from_brush(&mut self.planes, brush).unwrap();
        let (lo, hi) = p.bounds();
        let is_near = |i: &u32| {
            let face: &Option<Face> = &self.faces[*i as usize];
            face.as_ref().is_some_and(|f| f.touches(lo, hi))
        };
        let near: Vec<u32> = (0..self.faces.len() as u32).filter(is_near).collect();
        let change = apply(&self.planes, &[], &self.faces, &near, &p, op);
        // The same in narrow registers.
        let narrow = pulp::NullaryFnOnce::call(Evaluation {
            planes: &self.planes,
            sides: &[],
            faces: &self.faces,
            near: &near,
            polytope: &p,
            op,
        });
        assert_eq!(format!("{change:?}"), format!("{narrow:?}"));
        let changed = !change.removed.is_empty() || !change.added.is_empty();
        for id in &change.removed {
            self.faces[*id as usize] = None;
        }
        self.faces.extend(change.added.into_iter().map(Some));
        if change.degenerate {
            let mut all: Vec<Face> = self.faces.drain(..).flatten().collect();
            let (lo, hi) = p.bounds();
            conform_in_place(&self.planes, &mut all, lo, hi);
            self.faces = all.into_iter().map(Some).collect();
        }
        self.check();
        changed
    }

    fn volume(&self) -> f64 {
        let o = glam::DVec3::splat(1000.0);
        -self
            .faces
            .iter()
            .flatten()
            .map(|f| f.area_vector().dot(f.loops[0][0].point.at - o) / 3.0)
            .sum::<f64>()
            / (M * M * M)
    }

    /// Every directed edge has its opposite.
    fn check(&self) {
        let mut count: FxHashMap<([u64; 3], [u64; 3]), i32> = FxHashMap::default();
        for f in self.faces.iter().flatten() {
            for e in face_edges(f) {
                assert_ne!(
                    position_key(&e.from),
                    position_key(&e.to),
                    "an edge without length"
                );
                *count
                    .entry((position_key(&e.from), position_key(&e.to)))
                    .or_default() += 1;
                *count
                    .entry((position_key(&e.to), position_key(&e.from)))
                    .or_default() -= 1;
            }
        }
        let open: Vec<_> = count
            .iter()
            .filter(|(_, n)| **n != 0)
            .map(|((a, b), n)| {
                (
                    a.map(|v| f64::from_bits(v) / M),
                    b.map(|v| f64::from_bits(v) / M),
                    n,
                )
            })
            .collect();
        assert!(
            open.is_empty(),
            "{} open edges, as {:?}",
            open.len(),
            &open[..open.len().min(4)]
        );
    }

    fn expect(&self, volume: f64) {
        let v = self.volume();
        assert!((v - volume).abs() < 1e-6, "volume {v}, expected {volume}");
    }
}

#[track_caller]
fn carve_all(brushes: &[BrushDesc], volume: f64) -> Cell {
    let mut c = Cell::room();
    for b in brushes {
        c.act(Op::Carve, b);
    }
    c.expect(volume);
    c
}

const V: f64 = 2048.0;

#[test]
fn a_cube_half_in_the_floor_adds_four() {
    carve_all(&[boxed([7.0, 7.0, -1.0], [9.0, 9.0, 1.0])], V + 4.0);
}

#[test]
fn a_cube_below_the_floor_opens_it_and_above_changes_nothing() {
    carve_all(&[boxed([7.0, 7.0, -2.0], [9.0, 9.0, 0.0])], V + 8.0);
    let mut c = Cell::room();
    assert!(!c.act(Op::Carve, &boxed([7.0, 7.0, 0.0], [9.0, 9.0, 2.0])));
    c.expect(V);
}

#[test]
fn twice_is_once() {
    let b = boxed([7.0, 7.0, -1.0], [9.0, 9.0, 1.0]);
    let mut c = Cell::room();
    assert!(c.act(Op::Carve, &b));
    assert!(!c.act(Op::Carve, &b));
    c.expect(V + 4.0);
}

#[test]
fn on_an_edge_and_on_a_corner() {
    carve_all(&[boxed([-1.0, 7.0, -1.0], [1.0, 9.0, 1.0])], V + 6.0);
    carve_all(&[boxed([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0])], V + 7.0);
}

fn octahedron(c: [f64; 3]) -> BrushDesc {
    let p = |x: f64, y: f64, z: f64| [c[0] + x, c[1] + y, c[2] + z];
    hull(&[
        p(1.0, 0.0, 0.0),
        p(-1.0, 0.0, 0.0),
        p(0.0, 1.0, 0.0),
        p(0.0, -1.0, 0.0),
        p(0.0, 0.0, 1.0),
        p(0.0, 0.0, -1.0),
    ])
}

#[test]
fn octahedra() {
    let mut c = Cell::room();
    for i in 0..50 {
        assert_eq!(c.act(Op::Carve, &octahedron([8.0, 8.0, 0.0])), i == 0);
    }
    c.expect(V + 2.0 / 3.0);
    carve_all(&[octahedron([8.0, 8.0, -1.0])], V + 4.0 / 3.0);
    carve_all(&[octahedron([0.0, 0.0, 0.0])], V + 7.0 / 6.0);
}

#[test]
fn larger_than_the_room_and_equal_to_it() {
    carve_all(&[boxed([-1.0; 3], [17.0, 17.0, 9.0])], 18.0 * 18.0 * 10.0);
    carve_all(&[boxed([0.0; 3], [16.0, 16.0, 8.0])], V);
}

#[test]
fn pillars_fall_to_flush_and_wider_brushes() {
    let pillar = boxed([7.0, 7.0, 0.0], [9.0, 9.0, 8.0]);
    for cut in [
        pillar.clone(),
        boxed([6.0, 7.0, 0.0], [10.0, 9.0, 8.0]),
        boxed([6.0, 6.0, 0.0], [10.0, 10.0, 8.0]),
        boxed([6.0, 6.0, -0.0], [10.0, 9.0, 8.0]),
    ] {
        let mut c = Cell::room();
        c.act(Op::Fill, &pillar);
        c.expect(V - 32.0);
        c.act(Op::Carve, &cut);
        c.expect(V);
        assert_eq!(c.faces.iter().flatten().count(), 6);
    }
}

#[test]
fn a_pillar_cut_at_both_ends_floats_and_goes() {
    let mut c = Cell::room();
    c.act(Op::Fill, &boxed([7.0, 7.0, 0.0], [9.0, 9.0, 8.0]));
    c.act(Op::Carve, &boxed([6.0, 6.0, 1.0], [10.0, 10.0, 2.0]));
    c.act(Op::Carve, &boxed([6.0, 6.0, 6.0], [10.0, 10.0, 7.0]));
    c.expect(V - 32.0 + 8.0);
    c.act(Op::Carve, &boxed([7.0, 7.0, 2.0], [9.0, 9.0, 6.0]));
    c.expect(V - 8.0);
}

#[test]
fn a_tunnel_through_the_rock() {
    carve_all(
        &[
            boxed([-3.0, 2.0, 2.0], [0.0, 4.0, 4.0]),
            boxed([-3.0, 4.0, 2.0], [-1.0, 10.0, 4.0]),
            boxed([-3.0, 10.0, 2.0], [0.0, 11.0, 4.0]),
        ],
        V + 12.0 + 24.0 + 6.0,
    );
}

#[test]
fn a_hundred_flush_cubes_become_one_pit() {
    let brushes: Vec<BrushDesc> = (0..100)
        .map(|i| {
            let (x, y) = (3.0 + (i % 10) as f64, 3.0 + (i / 10) as f64);
            boxed([x, y, -1.0], [x + 1.0, y + 1.0, 0.0])
        })
        .collect();
    let c = carve_all(&brushes, V + 100.0);
    assert_eq!(c.faces.iter().flatten().count(), 6 + 5);
    assert_eq!(
        c.faces
            .iter()
            .flatten()
            .map(|f| f.loops.iter().map(Vec::len).sum::<usize>())
            .sum::<usize>(),
        24 + 24
    );
}

#[test]
fn a_checkerboard_of_cubes_that_touch_at_edges() {
    let brushes: Vec<BrushDesc> = (0..36)
        .filter(|i| (i % 6 + i / 6) % 2 == 0)
        .map(|i| {
            let (x, y) = (3.0 + (i % 6) as f64, 3.0 + (i / 6) as f64);
            boxed([x, y, -1.0], [x + 1.0, y + 1.0, 0.0])
        })
        .collect();
    carve_all(&brushes, V + 18.0);
}

#[test]
fn gaps_and_fins_of_one_step() {
    let s = 1.0 / M;
    carve_all(&[boxed([4.0, 4.0, -1.0 - s], [6.0, 6.0, -s])], V + 4.0);
    carve_all(
        &[
            boxed([4.0, 4.0, -1.0], [6.0, 6.0, 0.0]),
            boxed([6.0 + s, 4.0, -1.0], [8.0, 6.0, 0.0]),
        ],
        V + 8.0 - 2.0 * s,
    );
}

#[test]
fn a_pocket_closed_then_opened_and_one_in_an_island() {
    let mut c = Cell::room();
    c.act(Op::Carve, &boxed([4.0, 4.0, -3.0], [6.0, 6.0, -1.0]));
    c.expect(V + 8.0);
    c.act(Op::Carve, &boxed([4.5, 4.5, -1.0], [5.5, 5.5, 0.0]));
    c.expect(V + 9.0);
    c.act(Op::Fill, &boxed([4.5, 4.5, -1.0], [5.5, 5.5, 0.0]));
    c.expect(V + 8.0);
    let mut c = Cell::room();
    c.act(Op::Fill, &boxed([4.0; 3], [7.0; 3]));
    c.act(Op::Carve, &boxed([5.0; 3], [6.0; 3]));
    c.expect(V - 26.0);
}

#[test]
fn carve_then_fill_gives_back_the_same_faces() {
    let mut c = Cell::room();
    let mut keys: Vec<u64> = c.faces.iter().flatten().map(|f| f.key).collect();
    keys.sort_unstable();
    for b in [
        octahedron([8.0, 8.0, 0.25]),
        boxed([-1.0, 2.0, 2.0], [0.0, 3.0, 3.0]),
        octahedron([0.0, 0.0, 0.0]),
    ] {
        c.act(Op::Carve, &b);
        // Fill what was carved out of the rock: the brush cut by the room is more than one convex piece, so fill all
        // of it and carve the room again.
        c.act(Op::Fill, &b);
        c.act(Op::Carve, &boxed([0.0; 3], [16.0, 16.0, 8.0]));
        c.expect(V);
        let mut now: Vec<u64> = c.faces.iter().flatten().map(|f| f.key).collect();
        now.sort_unstable();
        assert_eq!(now, keys);
    }
}

#[test]
fn random_hulls_stay_closed() {
    let mut rng = crate::geom::rng::Rng::new(7);
    let mut c = Cell::room();
    let mut last = V;
    for _ in 0..120 {
        let centre = [
            rng.range(2.0, 14.0),
            rng.range(2.0, 14.0),
            rng.range(-0.4, 0.4),
        ];
        let points: Vec<[f64; 3]> = (0..24)
            .map(|_| {
                let d = rng.unit_vector();
                [centre[0] + d.x, centre[1] + d.y, centre[2] + d.z]
            })
            .collect();
        c.act(Op::Carve, &hull(&points));
        assert!(c.volume() >= last - 1e-9);
        last = c.volume();
    }
    assert!(last > V + 50.0);
}
