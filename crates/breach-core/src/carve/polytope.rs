//! Convex polytopes: intersections of half-spaces, with exact corners.
//!
//! A polytope is built by clipping a box larger than the grid by one plane after another. A new corner is the meet of the
//! cutting plane and the two facets of the cut edge, so every corner is the meet of three original planes.
use super::{BrushDesc, MaterialId};
use crate::exact::{Facing, GRID_MAX, Plane, PlaneId, Planes, Point, det_sign, meet, side};
use crate::geom::ring;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What lies behind a face or facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Solid that shows this material.
    Stuff(MaterialId),
    /// The wall that a cell shares with others: open, unless there is rock on the other side.
    Wall,
}

/// Indices around a facet.
pub type Corners = SmallVec<[u32; 6]>;

/// One facet: corners counter-clockwise seen from outside.
#[derive(Clone, Debug)]
pub struct Facet {
    /// Plane, facing outwards.
    pub plane: Facing,
    /// The surface of faces made from it.
    pub surface: Surface,
    /// Indices into [`Polytope::corners`].
    pub corners: Corners,
    /// The facet across the edge from corner k to the next.
    pub across: Corners,
}

/// A bounded convex solid with a volume.
#[derive(Clone, Debug, Default)]
pub struct Polytope {
    /// Exact corners.
    pub corners: Vec<Point>,
    /// Facets.
    pub facets: Vec<Facet>,
}

/// Material of the box that sides clip: a brush that keeps some of it is unbounded.
const OUTER_BOX: MaterialId = u32::MAX;

/// Index of a corner or facet that was cut away.
const GONE: u32 = u32::MAX;

impl Polytope {
    /// The box between two corners, half steps, with one surface.
    pub fn from_box(
        planes: &mut Planes,
        min: [i64; 3],
        max: [i64; 3],
        surface: Surface,
    ) -> Option<Polytope> {
        if (0..3).any(|k| min[k] >= max[k]) {
            return None;
        }
        let lo = [0, 1, 2].map(|k| planes.axis(k, min[k]));
        let hi = [0, 1, 2].map(|k| planes.axis(k, max[k]));
        let mut corners = Vec::with_capacity(8);
        for i in 0..8usize {
            let pick = |k: usize| {
                if i >> k & 1 == 1 {
                    hi[k].plane
                } else {
                    lo[k].plane
                }
            };
            corners.push(meet(planes, [pick(0), pick(1), pick(2)])?);
        }
        let quad = |plane, corners: [u32; 4]| Facet {
            plane,
            surface,
            corners: corners.into_iter().collect(),
            across: Corners::new(),
        };
        let mut p = Polytope {
            corners,
            facets: vec![
                quad(lo[0].opposite(), [0, 4, 6, 2]),
                quad(hi[0], [1, 3, 7, 5]),
                quad(lo[1].opposite(), [0, 1, 5, 4]),
                quad(hi[1], [2, 6, 7, 3]),
                quad(lo[2].opposite(), [0, 2, 3, 1]),
                quad(hi[2], [4, 5, 7, 6]),
            ],
        };
        p.link();
        Some(p)
    }

    /// The solid of a brush; None where it is empty, flat or unbounded.
    pub fn from_brush(planes: &mut Planes, brush: &BrushDesc) -> Option<Polytope> {
        if let Some(p) = Polytope::from_hull_corners(planes, brush) {
            return Some(p);
        }
        let far = GRID_MAX * 4;
        let mut p = Polytope::from_box(planes, [-far; 3], [far; 3], Surface::Stuff(OUTER_BOX))?;
        for s in &brush.sides {
            let [a, b, c] = s.points;
            if s.points.iter().any(|p| p.abs().max_element() > GRID_MAX) {
                return None;
            }
            let facing = planes.through(a, b, c)?;
            p = p.clip(planes, facing, Surface::Stuff(s.material))?;
        }
        let bounded = p
            .facets
            .iter()
            .all(|f| f.surface != Surface::Stuff(OUTER_BOX));
        bounded.then_some(p)
    }

    /// The fast way for brushes made by [`super::hull`]: the points of the sides are all the corners, most sides are
    /// triangles of them, and shared edges give the neighbours. None where that is not so; the brush may be valid still.
    fn from_hull_corners(planes: &mut Planes, brush: &BrushDesc) -> Option<Polytope> {
        let mut points: Vec<[i64; 3]> = Vec::with_capacity(brush.sides.len());
        let mut indices: FxHashMap<[i64; 3], u32> = FxHashMap::default();
        indices.reserve(brush.sides.len());
        // The three corners that each side names.
        let mut named: Vec<[u32; 3]> = Vec::with_capacity(brush.sides.len());
        for s in &brush.sides {
            if s.points.iter().any(|p| p.abs().max_element() > GRID_MAX) {
                return None;
            }
            named.push(s.points.map(|p| {
                let at = p.to_array();
                *indices.entry(at).or_insert_with(|| {
                    points.push(at);
                    points.len() as u32 - 1
                })
            }));
        }
        let edges = named.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let ends = Rows::new(points.len(), edges.map(|[a, b]| (a, b)));
        let mut facets: Vec<Facet> = Vec::with_capacity(brush.sides.len());
        // For each corner, the planes through it.
        let mut through: Vec<SmallVec<[u32; 8]>> = vec![SmallVec::new(); points.len()];
        for (s, &[a, b, c]) in brush.sides.iter().zip(&named) {
            let [p, q, r] = s.points;
            let facing = planes.through(p, q, r)?;
            let plane = &planes[facing.plane];
            // A triangle with a neighbour at each edge is its whole facet.
            let is_whole =
                ends.row(b).contains(&a) && ends.row(c).contains(&b) && ends.row(a).contains(&c);
            let mut corners: Corners = [a, b, c].into_iter().collect();
            if !is_whole {
                let is_on = |at: &[i64; 3]| height(plane, at, 1) == 0;
                let on = (0..).zip(&points).filter(|(_, at)| is_on(at));
                let on: Corners = on.map(|(i, _)| i).collect();
                if on.len() > 3 {
                    corners = on;
                    sort_counter_clockwise(&points, &mut corners, [p, q, r].map(|p| p.to_array()))?;
                }
            }
            for &i in &corners {
                through[i as usize].push(facing.plane);
            }
            facets.push(Facet {
                plane: facing,
                surface: Surface::Stuff(s.material),
                corners,
                across: Corners::new(),
            });
        }
        let edges: usize = facets.iter().map(|f| f.corners.len()).sum();
        // Euler: a closed surface of one piece has V - E + F = 2.
        if points.len() + facets.len() != edges / 2 + 2 || !edges.is_multiple_of(2) {
            return None;
        }
        let mut corners = Vec::with_capacity(points.len());
        for (at, through) in points.iter().zip(&through) {
            let third = |p: u32, q: u32| {
                let mut rest = through.iter().copied();
                rest.find(|&r| det_sign(planes, p, q, r) != 0)
            };
            let first = *through.first()?;
            let (second, third) = through[1..]
                .iter()
                .find_map(|&q| Some((q, third(first, q)?)))?;
            corners.push(Point {
                planes: [first, second, third],
                at: glam::DVec3::from_array(at.map(|x| x as f64)),
            });
        }
        let mut p = Polytope { corners, facets };
        (p.try_link() && p.is_convex(planes, &points)).then_some(p)
    }

    /// Whether linked facets with corners at these points bound a convex solid, in linear time.
    ///
    /// Mehlhorn, Näher, Seel, Seidel, Schilz, Schirra and Uhrig, "Checking geometric programs or verification of geometric
    /// structures", 1999: they do if the surface is convex at each edge, one point lies behind all facets, and one ray
    /// from there meets one facet only. The ray here ends at the middle of three corners of the first facet, in front of
    /// which there is no corner; any facet met earlier would have that middle in front of it.
    fn is_convex(&self, planes: &Planes, points: &[[i64; 3]]) -> bool {
        let above = |f: &Facet, at: &[i64; 3], times: i64| {
            f.plane.sign() * height(&planes[f.plane.plane], at, times)
        };
        let Some(first) = self.facets.first() else {
            return false;
        };
        if points.iter().any(|p| above(first, p, 1) > 0) {
            return false;
        }
        let Some(below) = points.iter().find(|p| above(first, p, 1) < 0) else {
            return false;
        };
        let sum = |a: &[i64; 3], b: &[i64; 3]| [0, 1, 2].map(|k| a[k] + b[k]);
        let corner = |k: usize| &points[first.corners[k] as usize];
        let middle = sum(&sum(corner(0), corner(1)), corner(2));
        let inside = sum(&middle, below);
        let is_convex_at = |f: &Facet, k: usize| {
            let ends = [f.corners[k], f.corners[ring::after(k, f.corners.len())]];
            let beside = &self.facets[f.across[k] as usize].corners;
            let mut others = beside.iter().filter(|c| !ends.contains(c));
            others.all(|&c| above(f, &points[c as usize], 1) < 0)
        };
        self.facets.iter().enumerate().all(|(i, f)| {
            above(f, &inside, 4) < 0
                && (i == 0 || above(f, &middle, 3) < 0)
                && (0..f.corners.len()).all(|k| is_convex_at(f, k))
        })
    }

    /// Every plane that the polytope refers to, with repetitions.
    pub fn planes(&self) -> impl Iterator<Item = PlaneId> + '_ {
        let corners = self.corners.iter().flat_map(|c| c.planes);
        corners.chain(self.facets.iter().map(|f| f.plane.plane))
    }

    /// The part behind `facing`; None where nothing with a volume is left.
    ///
    /// ```
    /// use breach_core::carve::polytope::{Polytope, Surface};
    /// use breach_core::exact::Planes;
    ///
    /// let mut planes = Planes::default();
    /// let cube = Polytope::from_box(&mut planes, [0; 3], [8; 3], Surface::Stuff(0)).expect("a box");
    /// // x + y + z <= 1, in steps, leaves a corner of the cube.
    /// let slanted = planes.intern([1, 1, 1], 1);
    /// let corner = cube.clip(&planes, slanted, Surface::Stuff(1)).expect("a tetrahedron");
    /// assert_eq!((corner.corners.len(), corner.facets.len()), (4, 4));
    /// let beyond = planes.axis(0, -2);
    /// assert!(cube.clip(&planes, beyond, Surface::Stuff(1)).is_none());
    /// ```
    pub fn clip(&self, planes: &Planes, facing: Facing, surface: Surface) -> Option<Polytope> {
        let s = facing.sign();
        let corners = self.corners.iter();
        let sides: SmallVec<[i8; 128]> = corners
            .map(|c| (side(planes, c, facing.plane) * s) as i8)
            .collect();
        let (least, most) = sides
            .iter()
            .fold((0, 0), |(lo, hi), &s| (lo.min(s), hi.max(s)));
        if most <= 0 {
            return Some(self.clone());
        }
        if least >= 0 {
            return None;
        }
        // For each facet: the lowest and highest side of its corners, and its new index where some of it is left.
        let mut count = 0;
        let kept: SmallVec<[(i8, i8, u32); 128]> = self
            .facets
            .iter()
            .map(|f| {
                let sides = f.corners.iter().map(|&c| sides[c as usize]);
                let (lo, hi) = sides.fold((1, -1), |(lo, hi), s| (s.min(lo), s.max(hi)));
                let is_left = hi <= 0 || lo < 0;
                count += u32::from(is_left);
                (lo, hi, if is_left { count - 1 } else { GONE })
            })
            .collect();
        let new = count;
        let mut left = Polytope {
            corners: Vec::with_capacity(self.corners.len()),
            facets: Vec::with_capacity(count as usize + 1),
        };
        let mut moved: SmallVec<[u32; 128]> = SmallVec::from_elem(GONE, sides.len());
        let mut stay = |left: &mut Polytope, c: u32| {
            let to = &mut moved[c as usize];
            if *to == GONE {
                *to = left.corners.len() as u32;
                left.corners.push(self.corners[c as usize]);
            }
            *to
        };
        let mut points: SmallVec<[(u32, u32, u32); 16]> = SmallVec::new();
        // Edges whose reverse bounds the new facet: (from, to, their facet).
        let mut rim: SmallVec<[(u32, u32, u32); 16]> = SmallVec::new();
        for (i, (facet, &(_, hi, number))) in self.facets.iter().zip(&kept).enumerate() {
            if number == GONE {
                continue;
            }
            let f = &facet.corners;
            let n = f.len();
            let (mut corners, mut across) = (Corners::new(), Corners::new());
            let (mut leaves, mut enters) = (GONE, GONE);
            for k in 0..n {
                let (a, b) = (f[k], f[if k + 1 == n { 0 } else { k + 1 }]);
                let (sa, sb) = (sides[a as usize], sides[b as usize]);
                let beside = facet.across[k];
                let other = kept[beside as usize].2;
                if sa <= 0 {
                    let at = stay(&mut left, a);
                    corners.push(at);
                    // Where the facet only touches the plane along an edge, the neighbour there may be gone.
                    let is_rim = sa == 0 && sb == 0 && hi == 0 && other == GONE;
                    across.push(match (sa, sb) {
                        (0, 1) => new,
                        _ if is_rim => new,
                        _ => other,
                    });
                    if (sa, sb) == (0, 1) {
                        leaves = at;
                    } else if is_rim {
                        leaves = at;
                        enters = stay(&mut left, b);
                    }
                }
                if sa > 0 && sb == 0 {
                    enters = stay(&mut left, b);
                }
                if sa * sb < 0 {
                    let pair = (beside.min(i as u32), beside.max(i as u32));
                    let x = match points.iter().find(|p| (p.0, p.1) == pair) {
                        Some(p) => p.2,
                        None => {
                            let lines = [i, beside as usize].map(|j| self.facets[j].plane.plane);
                            let at = meet(planes, [lines[0], lines[1], facing.plane])?;
                            left.corners.push(at);
                            let x = left.corners.len() as u32 - 1;
                            points.push((pair.0, pair.1, x));
                            x
                        }
                    };
                    corners.push(x);
                    if sa < 0 {
                        across.push(new);
                        leaves = x;
                    } else {
                        across.push(other);
                        enters = x;
                    }
                }
            }
            if leaves != GONE && enters != GONE {
                rim.push((leaves, enters, number));
            }
            left.facets.push(Facet {
                plane: facet.plane,
                surface: facet.surface,
                corners,
                across,
            });
        }
        let (mut corners, mut across) = (Corners::new(), Corners::new());
        let mut at = rim.iter().map(|r| r.1).min()?;
        for _ in 0..rim.len() {
            let edge = rim.iter().find(|r| r.1 == at)?;
            corners.push(at);
            across.push(edge.2);
            at = edge.0;
        }
        left.facets.push(Facet {
            plane: facing,
            surface,
            corners,
            across,
        });
        Some(left)
    }

    fn link(&mut self) {
        let is_closed = self.try_link();
        debug_assert!(is_closed, "every edge has two facets");
    }

    /// Finds the facets across all edges; false where an edge does not have exactly two, one in each direction.
    fn try_link(&mut self) -> bool {
        let around = |f: &Facet, k: usize| {
            let next = if k + 1 == f.corners.len() { 0 } else { k + 1 };
            (f.corners[k], f.corners[next])
        };
        let directed = self.facets.iter().zip(0u32..).flat_map(|(f, i)| {
            (0..f.corners.len()).map(move |k| {
                let (a, b) = around(f, k);
                (a, (b, i))
            })
        });
        // For each corner, the ends of the edges that leave it, and their facets.
        let edges = Rows::new(self.corners.len(), directed);
        // The facet of the only edge from one corner to another.
        let only = |from: u32, to: u32| {
            let mut found = GONE;
            let mut count = 0;
            for &(end, facet) in edges.row(from) {
                let is_it = end == to;
                count += u32::from(is_it);
                found = if is_it { facet } else { found };
            }
            (count == 1).then_some(found)
        };
        for i in 0..self.facets.len() {
            let mut across = Corners::new();
            let f = &self.facets[i];
            for k in 0..f.corners.len() {
                let (a, b) = around(f, k);
                // One edge in each direction.
                let (Some(_), Some(other)) = (only(a, b), only(b, a)) else {
                    return false;
                };
                across.push(other);
            }
            self.facets[i].across = across;
        }
        true
    }

    /// The bounding box in steps, grown by the rounding of `at`.
    pub fn bounds(&self) -> (glam::DVec3, glam::DVec3) {
        let mut lo = glam::DVec3::INFINITY;
        let mut hi = glam::DVec3::NEG_INFINITY;
        for c in &self.corners {
            lo = lo.min(c.at);
            hi = hi.max(c.at);
        }
        (lo - 2e-6, hi + 2e-6)
    }
}

/// Compressed rows of values; within a row they keep their order.
struct Rows<T> {
    values: Vec<T>,
    /// Where each row ends.
    ends: Vec<u32>,
}

impl<T: Copy + Default> Rows<T> {
    /// `count` rows from (row, value) pairs.
    fn new(count: usize, entries: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut ends = vec![0u32; count + 1];
        let mut total = 0;
        for (row, _) in entries.clone() {
            ends[row as usize + 1] += 1;
            total += 1;
        }
        for row in 0..count {
            ends[row + 1] += ends[row];
        }
        let mut values = vec![T::default(); total];
        for (row, value) in entries {
            // The start of the row advances to its end.
            let at = &mut ends[row as usize];
            values[*at as usize] = value;
            *at += 1;
        }
        Self { values, ends }
    }

    fn row(&self, row: u32) -> &[T] {
        let row = row as usize;
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.values[start as usize..self.ends[row] as usize]
    }
}

/// The side of a plane on which the mean of `times` grid points lies, given their sum: exact.
fn height(plane: &Plane, sum: &[i64; 3], times: i64) -> i32 {
    let dot: i128 = (0..3).map(|k| plane.n[k] as i128 * sum[k] as i128).sum();
    (dot - plane.d * times as i128).signum() as i32
}

/// Sorts corners of one facet counter-clockwise, like the three that name its plane; None where two are collinear with the
/// first.
fn sort_counter_clockwise(
    points: &[[i64; 3]],
    corners: &mut Corners,
    named: [[i64; 3]; 3],
) -> Option<()> {
    let cross = |a: [i64; 3], b: [i64; 3], c: [i64; 3]| -> [i128; 3] {
        let (u, v) = (
            [0, 1, 2].map(|k| b[k] - a[k]),
            [0, 1, 2].map(|k| c[k] - a[k]),
        );
        let m = |x: i64, y: i64| x as i128 * y as i128;
        [
            m(u[1], v[2]) - m(u[2], v[1]),
            m(u[2], v[0]) - m(u[0], v[2]),
            m(u[0], v[1]) - m(u[1], v[0]),
        ]
    };
    let normal = cross(named[0], named[1], named[2]);
    // All cross products are parallel to the normal; its largest component gives the sign.
    let axis = (0..3).max_by_key(|&k| normal[k].unsigned_abs())?;
    let first = points[corners[0] as usize];
    let turn = |a: u32, b: u32| {
        let w = cross(first, points[a as usize], points[b as usize])[axis];
        (w.signum() * normal[axis].signum()) as i32
    };
    // Insertion sort: the first is a corner of the hull, so the others lie within half a turn around it.
    for i in 2..corners.len() {
        let mut k = i;
        while k > 1 {
            match turn(corners[k - 1], corners[k]) {
                0 => return None,
                1 => break,
                _ => corners.swap(k - 1, k),
            }
            k -= 1;
        }
    }
    Some(())
}
