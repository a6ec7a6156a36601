//! Faces of every kind, covered once.
use super::ears::{bridge_holes, clip_ears};
use super::predicates::{FEW, Loop, area};
use super::projection::projected_corners;
use super::triangulate;
use crate::carve::face::{Corner, Face};
use crate::carve::polytope::Surface;
use crate::exact::{Facing, Planes, meet};
use glam::{DVec2, DVec3, I64Vec3};
use smallvec::SmallVec;
use std::collections::BTreeMap;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
    fn unit(&mut self) -> f64 {
        self.below(1 << 20) as f64 / (1 << 20) as f64
    }
}

/// A point of the plane z = x + 2y.
fn lift(p: [i64; 2]) -> I64Vec3 {
    I64Vec3::new(p[0], p[1], p[0] + 2 * p[1])
}

/// A loop through grid points; `parts` more corners on each edge, at places that no f64 holds.
fn loop_of(planes: &mut Planes, plane: Facing, list: &[[i64; 2]], parts: i64) -> Vec<Corner> {
    let mut corners = Vec::new();
    for k in 0..list.len() {
        let (a, b) = (lift(list[k]), lift(list[(k + 1) % list.len()]));
        let line = planes.through(a, b, a + I64Vec3::Z).expect("a line").plane;
        let place = [0, 1, 2].map(|k| planes.axis(k, 2 * a[k]).plane);
        corners.push(Corner {
            point: meet(planes, place).expect("a corner"),
            line,
        });
        let axis = usize::from((b.x - a.x).abs() < (b.y - a.y).abs());
        let mut before = a[axis];
        for part in 1..=parts {
            let at = a[axis] + (b[axis] - a[axis]) * part / (parts + 1);
            if at == before || at == b[axis] {
                continue;
            }
            before = at;
            let cut = planes.axis(axis, 2 * at).plane;
            corners.push(Corner {
                point: meet(planes, [plane.plane, line, cut]).expect("a part"),
                line,
            });
        }
    }
    corners
}

/// Round the origin of `at`, counter-clockwise.
fn star(random: &mut Random, at: [f64; 2], size: f64, n: u64) -> Vec<[i64; 2]> {
    (0..n)
        .map(|k| {
            let angle = (k as f64 + 0.6 * (random.unit() - 0.5)) / n as f64 * std::f64::consts::TAU;
            let r = size * (0.5 + 0.5 * random.unit());
            [
                (at[0] + r * libm::cos(angle)) as i64,
                (at[1] + r * libm::sin(angle)) as i64,
            ]
        })
        .collect()
}

fn face(planes: &mut Planes, loops: &[Vec<[i64; 2]>], parts: i64, flip: bool) -> Face {
    let plane = planes
        .through(lift([0, 0]), lift([1, 0]), lift([0, 1]))
        .expect("a plane");
    let plane = if flip { plane.opposite() } else { plane };
    let loops = loops
        .iter()
        .map(|l| {
            let mut l = l.clone();
            if flip {
                l.reverse();
            }
            loop_of(planes, plane, &l, parts)
        })
        .collect();
    Face::new(planes, plane, Surface::Stuff(0), loops)
}

/// Loops' edges once, inner ones both ways, the area that of the face.
fn check(planes: &Planes, face: &Face, triangles: &[[u32; 3]], is_fine: bool) {
    let corners: Vec<DVec3> = face.loops.iter().flatten().map(|c| c.point.at).collect();
    let mut edges: BTreeMap<([u64; 3], [u64; 3]), i32> = BTreeMap::new();
    let key = |p: DVec3| p.to_array().map(f64::to_bits);
    let (mut sum, unit) = (0.0, planes.normal(face.plane).normalize());
    for t in triangles {
        let [a, b, c] = t.map(|k| corners[k as usize]);
        let area = (b - a).cross(c - a).dot(unit) * 0.5;
        assert!(!is_fine || area > 0.0, "an inverted or empty triangle");
        sum += area;
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *edges.entry((key(p), key(q))).or_default() += 1;
            *edges.entry((key(q), key(p))).or_default() -= 1;
        }
    }
    for l in &face.loops {
        for k in 0..l.len() {
            let (p, q) = (key(l[k].point.at), key(l[(k + 1) % l.len()].point.at));
            *edges.entry((p, q)).or_default() -= 1;
            *edges.entry((q, p)).or_default() += 1;
        }
    }
    assert!(
        edges.values().all(|&n| n == 0),
        "an edge without its opposite"
    );
    let expected = face.area_vector().dot(unit);
    assert!(
        (sum - expected).abs() <= expected.abs() * 1e-9,
        "{sum} is not {expected}"
    );
}

#[test]
fn stars_with_holes_are_covered_once() {
    let mut random = Random(5);
    for round in 0..300 {
        let mut planes = Planes::default();
        let size = [900.0, 70_000.0, 5_000_000.0][round % 3];
        let n = 8 + random.below(24);
        let outer = star(&mut random, [0.0; 2], size, n);
        let mut loops = vec![outer];
        for k in 0..random.below(5) {
            let at = [(k & 1) as f64, (k >> 1) as f64].map(|c| (c - 0.5) * 0.24 * size);
            let n = 3 + random.below(6);
            let mut hole = star(&mut random, at, size * 0.08, n);
            hole.reverse();
            loops.push(hole);
        }
        let f = face(
            &mut planes,
            &loops,
            (random.below(4)) as i64,
            round % 2 == 1,
        );
        let triangles = triangulate(&planes, &f);
        let count: usize = f.loops.iter().map(Vec::len).sum();
        assert_eq!(triangles.len(), count + 2 * (f.loops.len() - 1) - 2);
        check(&planes, &f, &triangles, true);
        // Each edge by its own corners: nothing touches here.
        let mut first = 0;
        for l in &f.loops {
            for k in 0..l.len() {
                let (a, b) = ((first + k) as u32, (first + (k + 1) % l.len()) as u32);
                let with = |t: &&[u32; 3]| (0..3).any(|k| t[k] == a && t[(k + 1) % 3] == b);
                assert_eq!(triangles.iter().filter(with).count(), 1);
            }
            first += l.len();
        }
        // The last resort does as well.
        let (points, loops) = parted(&planes, &f);
        let bridged = clip_ears(&points, bridge_holes(&points, loops));
        assert_eq!(bridged.len(), triangles.len());
        check(&planes, &f, &bridged, false);
    }
}

fn parted(planes: &Planes, f: &Face) -> (SmallVec<[DVec2; FEW]>, Vec<Loop>) {
    let mut first = 0;
    let part = |l: &Vec<Corner>| {
        first += l.len() as u32;
        (first - l.len() as u32..first).collect()
    };
    (
        projected_corners(planes, f),
        f.loops.iter().map(part).collect(),
    )
}

#[test]
fn holes_that_touch_a_corner_share_it() {
    let mut random = Random(11);
    for round in 0..100 {
        let mut planes = Planes::default();
        let n = 8 + random.below(24);
        let outer = star(&mut random, [0.0; 2], 90_000.0, n);
        let mut loops = vec![outer.clone()];
        let touching = 1 + round % 3;
        for k in 0..touching {
            let v = outer[k * 3];
            let turned = |s: f64| {
                let (x, y) = (v[0] as f64 * 0.8, v[1] as f64 * 0.8);
                [(x - s * y) as i64, (y + s * x) as i64]
            };
            loops.push(vec![v, turned(-0.01), turned(0.01)]);
            let l = &loops[k + 1];
            let twice = (0..3)
                .map(|k| l[k][0] * l[(k + 1) % 3][1] - l[k][1] * l[(k + 1) % 3][0])
                .sum::<i64>();
            if twice > 0 {
                loops[k + 1].reverse();
            }
        }
        let f = face(&mut planes, &loops, random.below(3) as i64, false);
        let triangles = triangulate(&planes, &f);
        let count: usize = f.loops.iter().map(Vec::len).sum();
        assert_eq!(triangles.len(), count - 2);
        check(&planes, &f, &triangles, true);
        let mut used = vec![false; count];
        triangles
            .iter()
            .flatten()
            .for_each(|&k| used[k as usize] = true);
        assert!(used.iter().all(|&u| u), "a corner that no triangle has");
        let (points, loops) = parted(&planes, &f);
        let bridged = clip_ears(&points, bridge_holes(&points, loops));
        assert_eq!(bridged.len(), triangles.len());
        check(&planes, &f, &bridged, false);
    }
}

#[test]
fn corners_on_the_sides_of_a_box_are_used_without_empty_triangles() {
    let mut planes = Planes::default();
    for parts in 0..8 {
        let f = face(
            &mut planes,
            &[vec![[0, 0], [3001, 7], [2900, 1999], [-5, 2100]]],
            parts,
            false,
        );
        let triangles = triangulate(&planes, &f);
        assert_eq!(triangles.len(), 4 * (parts as usize + 1) - 2);
        check(&planes, &f, &triangles, true);
        let flat = projected_corners(&planes, &f);
        let least = triangles.iter().map(|t| {
            area(
                flat[t[0] as usize],
                flat[t[1] as usize],
                flat[t[2] as usize],
            )
        });
        assert!(least.fold(f64::INFINITY, f64::min) > 1000.0);
    }
}

#[test]
fn nonsense_gives_a_full_set_too() {
    let mut random = Random(3);
    for round in 0..400 {
        let mut planes = Planes::default();
        let list = |random: &mut Random, n: u64| -> Vec<[i64; 2]> {
            let mut l: Vec<[i64; 2]> = (0..n)
                .map(|_| [random.below(9) as i64, random.below(9) as i64])
                .collect();
            l.dedup();
            if l.first() == l.last() {
                l.pop();
            }
            l
        };
        let n = 4 + random.below(40);
        let loops: Vec<Vec<[i64; 2]>> = (0..1 + round % 3).map(|_| list(&mut random, n)).collect();
        if loops.iter().any(|l| l.len() < 3) {
            continue;
        }
        let f = face(&mut planes, &loops, 0, false);
        let triangles = triangulate(&planes, &f);
        let count = f.loops.iter().map(Vec::len).sum::<usize>() as u32;
        assert!(triangles.iter().flatten().all(|&k| k < count));
        if f.loops.len() == 1 && n as usize <= FEW {
            assert_eq!(triangles.len() as u32, count - 2);
        }
    }
}

#[test]
fn thousands_of_corners_that_cross_each_other_end_soon() {
    let mut random = Random(8);
    let mut planes = Planes::default();
    let list: Vec<[i64; 2]> = (0..2000i64)
        .map(|k| [random.below(9000) as i64, k * 7])
        .collect();
    let f = face(&mut planes, &[list], 0, false);
    assert_eq!(triangulate(&planes, &f).len(), 1998);
}
