//! Faces with holes as triangles that use every corner and no other.
//!
//! A face is seen along the axis nearest to its normal, by the rounded places of its corners; the signs that decide
//! what is a triangle are exact for these. Small loops have their ears cut off; faces with holes go to a constrained
//! Delaunay triangulation. Where rounding made edges cross, holes are bridged and ears cut at any price: what comes out
//! is always a full set.
use super::face::Face;
use crate::exact::{Planes, SUB_BITS};
use glam::DVec2;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// Loops up to this many corners have their ears cut off.
const FEW: usize = 24;

/// Corners closer to a line than this are on it for the eye: some roundings of `at`, steps.
const NEAR: f64 = 1.0 / (1u64 << 17) as f64;

type Loop = SmallVec<[u32; FEW]>;

/// Triangles of a face as indices into its corners counted through all loops, counter-clockwise seen from the air:
/// V + 2H - 2 of them for V corners in all and H holes that touch nothing (a hole that touches takes two fewer). Each
/// edge of a loop is in one triangle, in the loop's direction. Empty where the face has fewer than three corners.
pub fn triangulate(planes: &Planes, face: &Face) -> Vec<[u32; 3]> {
    let points = flat(planes, face);
    let count = points.len() as u32;
    if face.loops.len() == 1 {
        if count <= 8 && is_convex(&points) {
            return (2..count).map(|k| [0, k - 1, k]).collect();
        }
        if points.len() <= FEW {
            return ears(&points, (0..count).collect());
        }
    }
    let mut first = 0;
    let loops: Vec<Loop> = face
        .loops
        .iter()
        .map(|l| {
            let from = first;
            first += l.len() as u32;
            (from..first).collect()
        })
        .collect();
    delaunay(&points, &loops).unwrap_or_else(|| ears(&points, bridged(&points, loops)))
}

/// The corners of all loops seen from the air, from the first corner on (exact).
fn flat(planes: &Planes, face: &Face) -> SmallVec<[DVec2; FEW]> {
    let n = planes.normal(face.plane);
    let a = n.abs();
    let axis = if a.x >= a.y && a.x >= a.z {
        0
    } else if a.y >= a.z {
        1
    } else {
        2
    };
    let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
    if n[axis] < 0.0 {
        (u, v) = (v, u);
    }
    let mut corners = face
        .loops
        .iter()
        .flatten()
        .map(|c| DVec2::new(c.point.at[u], c.point.at[v]))
        .peekable();
    let origin = corners.peek().copied().unwrap_or_default();
    corners.map(|p| p - origin).collect()
}

/// Twice the area of a triangle, rounded.
#[inline]
fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The exact sign of [`area`].
#[inline]
fn orientation(a: DVec2, b: DVec2, c: DVec2) -> i32 {
    let (u, v) = (b - a, c - a);
    let (s, t) = (u.x * v.y, u.y * v.x);
    if (s - t).abs() > (s.abs() + t.abs()) * 1e-15 {
        return if s > t { 1 } else { -1 };
    }
    // Differences of multiples of 2^-28 up to 2^25 are exact in f64.
    let whole = |x: f64| (x * (1u64 << SUB_BITS) as f64) as i64 as i128;
    (whole(u.x) * whole(v.y) - whole(u.y) * whole(v.x)).signum() as i32
}

/// Whether c is well to the left of a..b.
#[inline]
fn is_left(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let t = area(a, b, c);
    t > 0.0 && t * t > NEAR * NEAR * (b - a).length_squared().max((c - b).length_squared())
}

/// Whether a loop turns left at every corner; once round is taken for granted.
fn is_convex(points: &[DVec2]) -> bool {
    let n = points.len();
    n >= 3 && (0..n).all(|k| is_left(points[k], points[(k + 1) % n], points[(k + 2) % n]))
}

/// How picky the cutting of ears is.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Care {
    /// No corner comes near a side that is not its own.
    Fair,
    /// Every triangle has an area and holds no corner.
    Exact,
    /// Whatever is left.
    None,
}

/// A loop while its ears are cut off. Indices are into the loop as it was.
struct Ears<'a> {
    points: &'a [DVec2],
    corners: Loop,
    before: Loop,
    after: Loop,
    /// Shape of the ear at a corner, 0 where there is none.
    score: SmallVec<[f64; FEW]>,
    /// Corners that may lie in an ear: those that do not turn left well.
    is_blunt: SmallVec<[bool; FEW]>,
    care: Care,
}

impl Ears<'_> {
    fn at(&self, k: u32) -> DVec2 {
        self.points[self.corners[k as usize] as usize]
    }

    fn note(&mut self, k: u32) {
        let (a, c) = (self.before[k as usize], self.after[k as usize]);
        self.is_blunt[k as usize] = !is_left(self.at(a), self.at(k), self.at(c));
    }

    fn judge(&mut self, k: u32) {
        let (i, j) = (self.before[k as usize], self.after[k as usize]);
        let (a, b, c) = (self.at(i), self.at(k), self.at(j));
        let size = area(a, b, c);
        let longest = (b - a)
            .length_squared()
            .max((c - b).length_squared())
            .max((a - c).length_squared());
        self.score[k as usize] = if self.care == Care::None {
            // The least area does the least harm.
            1.0 / (1.0 + size.abs())
        } else if (self.care == Care::Fair && self.is_blunt[k as usize])
            || orientation(a, b, c) <= 0
            || self.is_blocked(i, k, j)
        {
            0.0
        } else {
            (size / longest).max(f64::MIN_POSITIVE)
        };
    }

    /// Whether a blunt corner lies in or on the triangle, other than at its corners.
    fn is_blocked(&self, i: u32, k: u32, j: u32) -> bool {
        let (a, b, c) = (self.at(i), self.at(k), self.at(j));
        let (lo, hi) = (a.min(b).min(c) - NEAR, a.max(b).max(c) + NEAR);
        let slack = [(b - a).length(), (c - b).length(), (a - c).length()].map(|l| -NEAR * l);
        let mut at = self.after[j as usize];
        while at != i {
            let p = self.at(at);
            if self.is_blunt[at as usize]
                && p.cmpge(lo).all()
                && p.cmple(hi).all()
                && p != a
                && p != b
                && p != c
                && match self.care {
                    Care::Fair => {
                        area(a, b, p) >= slack[0]
                            && area(b, c, p) >= slack[1]
                            && area(c, a, p) >= slack[2]
                    }
                    _ => {
                        orientation(a, b, p) >= 0
                            && orientation(b, c, p) >= 0
                            && orientation(c, a, p) >= 0
                    }
                }
            {
                return true;
            }
            at = self.after[at as usize];
        }
        false
    }
}

/// Cuts a loop into triangles, always as many as its corners less two.
fn ears(points: &[DVec2], corners: Loop) -> Vec<[u32; 3]> {
    let n = corners.len();
    if n < 3 {
        return Vec::new();
    }
    let mut e = Ears {
        points,
        before: (0..n).map(|k| ((k + n - 1) % n) as u32).collect(),
        after: (0..n).map(|k| ((k + 1) % n) as u32).collect(),
        score: SmallVec::from_elem(0.0, n),
        is_blunt: SmallVec::from_elem(false, n),
        corners,
        care: Care::Fair,
    };
    let mut left: Loop = (0..n as u32).collect();
    let mut triangles = Vec::with_capacity(n - 2);
    let all = |e: &mut Ears, left: &Loop| left.iter().for_each(|&k| e.judge(k));
    left.iter().for_each(|&k| e.note(k));
    all(&mut e, &left);
    let mut is_fresh = true;
    // After an ear cut at any price it is worth being careful again, but not for ever.
    let mut patience = 16;
    let mut refreshes = 0;
    while left.len() >= 3 {
        let mut best = 0;
        for k in 1..left.len() {
            if e.score[left[k] as usize] > e.score[left[best] as usize] {
                best = k;
            }
        }
        let k = left[best];
        if left.len() > 3 && e.score[k as usize] == 0.0 {
            refreshes += 1;
            if is_fresh || refreshes > 64 {
                e.care = if e.care == Care::Fair {
                    Care::Exact
                } else {
                    Care::None
                };
            }
            all(&mut e, &left);
            is_fresh = true;
            continue;
        }
        let (i, j) = (e.before[k as usize], e.after[k as usize]);
        triangles.push([i, k, j].map(|k| e.corners[k as usize]));
        left.remove(best);
        e.after[i as usize] = j;
        e.before[j as usize] = i;
        e.note(i);
        e.note(j);
        if e.care == Care::None && patience > 0 {
            patience -= 1;
            e.care = Care::Fair;
            all(&mut e, &left);
            is_fresh = true;
        } else {
            e.judge(i);
            e.judge(j);
            is_fresh = false;
        }
    }
    triangles
}

/// The constrained Delaunay triangulation of what lies left of the loops; None where rounding spoilt them.
fn delaunay(points: &[DVec2], loops: &[Loop]) -> Option<Vec<[u32; 3]>> {
    // Loops that touch share the vertex.
    let mut vertices = Vec::with_capacity(points.len());
    let mut by_place: FxHashMap<[u64; 2], usize> = FxHashMap::default();
    let vertex_of: Vec<usize> = points
        .iter()
        .map(|p| {
            // Adding 0 makes one zero of two.
            *by_place
                .entry([(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()])
                .or_insert_with(|| {
                    vertices.push(Point2::new(p.x, p.y));
                    vertices.len() - 1
                })
        })
        .collect();
    let count = vertices.len();
    let mut mesh =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(vertices, Vec::new())
            .ok()?;
    if mesh.num_vertices() != count {
        return None;
    }
    let handle = |corner: u32| FixedVertexHandle::from_index(vertex_of[corner as usize]);
    let edges = || {
        loops
            .iter()
            .flat_map(|l| (0..l.len()).map(|k| (l[k], l[(k + 1) % l.len()])))
    };
    for (number, (a, b)) in edges().enumerate() {
        let (from, to) = (handle(a), handle(b));
        if from == to || mesh.exists_constraint(from, to) {
            return None;
        }
        mesh.try_add_constraint(from, to);
        // A vertex on the way would have made two of it.
        if !mesh.exists_constraint(from, to) || mesh.num_constraints() != number + 1 {
            return None;
        }
    }
    // What lies left of an edge of a loop is inside, and so is all that no loop parts from it.
    let mut is_inside = vec![false; mesh.num_all_faces()];
    let mut stack = Vec::new();
    // Loops that touch have several corners in a place: the one whose edges a triangle lies between.
    let mut corner_of: FxHashMap<(usize, usize), u32> = FxHashMap::default();
    let is_shared = count < points.len();
    for (a, b) in edges() {
        let edge = mesh.get_edge_from_neighbors(handle(a), handle(b))?;
        stack.push(edge.face().as_inner()?.fix());
        if is_shared {
            let mut turning = edge;
            loop {
                corner_of.insert((turning.face().index(), vertex_of[a as usize]), a);
                turning = turning.ccw();
                if turning.is_constraint_edge() {
                    break;
                }
            }
        }
    }
    let mut triangles = Vec::with_capacity(points.len() + 2 * loops.len());
    let mut first = vec![0; count];
    (0..points.len() as u32)
        .rev()
        .for_each(|k| first[vertex_of[k as usize]] = k);
    while let Some(face) = stack.pop() {
        if std::mem::replace(&mut is_inside[face.index()], true) {
            continue;
        }
        let face = mesh.face(face);
        triangles.push(face.vertices().map(|v| {
            let v = v.index();
            corner_of
                .get(&(face.index(), v))
                .copied()
                .unwrap_or(first[v])
        }));
        for edge in face
            .adjacent_edges()
            .into_iter()
            .filter(|e| !e.is_constraint_edge())
        {
            stack.push(edge.rev().face().as_inner()?.fix());
        }
    }
    let is_outside = |(a, b)| {
        mesh.get_edge_from_neighbors(handle(b), handle(a))
            .is_some_and(|edge| !is_inside[edge.face().index()])
    };
    edges().all(is_outside).then_some(triangles)
}

/// Whether `p` lies between the edges at `b`, seen from there.
fn is_between(a: DVec2, b: DVec2, c: DVec2, p: DVec2) -> bool {
    let (left, right) = (orientation(a, b, p) >= 0, orientation(b, c, p) >= 0);
    if orientation(a, b, c) >= 0 {
        left && right
    } else {
        left || right
    }
}

/// One loop of all: each hole joined by two edges on top of each other, or none where it touches.
fn bridged(points: &[DVec2], loops: Vec<Loop>) -> Loop {
    let at = |k: u32| points[k as usize];
    let mut holes = loops.into_iter().filter(|l| !l.is_empty());
    let mut all = holes.next().unwrap_or_default();
    let right = |l: &Loop| l.iter().map(|&k| at(k).x).fold(f64::NEG_INFINITY, f64::max);
    let mut holes: Vec<Loop> = holes.collect();
    // From the right: then nothing but joined loops lies right of a hole's rightmost corner.
    holes.sort_by(|a, b| right(b).total_cmp(&right(a)));
    for hole in holes {
        let n = all.len();
        let sees = |m: usize, h: u32| {
            is_between(
                at(all[(m + n - 1) % n]),
                at(all[m]),
                at(all[(m + 1) % n]),
                at(h),
            )
        };
        let touch = (0..hole.len()).find_map(|h| {
            let next = hole[(h + 1) % hole.len()];
            let m = (0..n).find(|&m| at(all[m]) == at(hole[h]) && sees(m, next))?;
            Some((m, h))
        });
        let skip = usize::from(touch.is_some());
        let (m, h) = touch.unwrap_or_else(|| {
            let best = (0..hole.len())
                .max_by(|&a, &b| at(hole[a]).x.total_cmp(&at(hole[b]).x))
                .unwrap_or(0);
            let p = at(hole[best]);
            let mut near: Vec<usize> = (0..n).collect();
            near.sort_by(|&a, &b| {
                at(all[a])
                    .distance_squared(p)
                    .total_cmp(&at(all[b]).distance_squared(p))
            });
            let is_free = |&m: &usize| {
                let q = at(all[m]);
                let crosses = |a: DVec2, b: DVec2| {
                    a != q
                        && b != q
                        && a != p
                        && b != p
                        && orientation(p, q, a) * orientation(p, q, b) <= 0
                        && orientation(a, b, p) * orientation(a, b, q) <= 0
                };
                let l = hole.len();
                sees(m, hole[best])
                    && !(0..n).any(|k| crosses(at(all[k]), at(all[(k + 1) % n])))
                    && !(0..l).any(|k| crosses(at(hole[k]), at(hole[(k + 1) % l])))
            };
            (near.iter().copied().find(is_free).unwrap_or(near[0]), best)
        });
        // m, the hole from h round to h again, then m again; where they touch, two of these are one place.
        let mut joined: Loop = all[..=m].iter().copied().collect();
        joined.extend((skip..=hole.len()).map(|k| hole[(h + k) % hole.len()]));
        joined.extend(all[m + skip..].iter().copied());
        all = joined;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carve::face::Corner;
    use crate::carve::polytope::Surface;
    use crate::exact::{Facing, meet};
    use glam::{DVec3, I64Vec3};
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
                let angle =
                    (k as f64 + 0.6 * (random.unit() - 0.5)) / n as f64 * std::f64::consts::TAU;
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
            let bridged = ears(&points, bridged(&points, loops));
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
        (flat(planes, f), f.loops.iter().map(part).collect())
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
            let bridged = ears(&points, bridged(&points, loops));
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
            let flat = flat(&planes, &f);
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
            let loops: Vec<Vec<[i64; 2]>> =
                (0..1 + round % 3).map(|_| list(&mut random, n)).collect();
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
}
