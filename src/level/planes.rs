//! Shared planes: faces of many brushes that an author meant to be coplanar get one integer plane.
//!
//! A brush whose plane points and corners lie on the grid keeps its planes. An editor that rotates or scales a level leaves
//! others off the grid, with slightly different planes for coplanar faces: rounded brush by brush, the end of a wall would
//! part from the floor on which it stands. So faces are grouped first, nearest first; a group grows only while one plane
//! lies within [`NOISE`] of all its corners. Then each group gets one integer plane through three grid points close to its
//! fitted plane: of some thousand candidates each, the nearest, so that the plane errs by a few thousandths of a step.
//!
//! Faces of one brush never join; neither do two that face each other across air, or across a thin sheet of rock, farther
//! apart than the noise of the file's numbers. Lengths are grid steps, Y up.
use super::desc::CoarseFace;
use super::grid::{STEPS, cross_i128};
use crate::exact::{GRID_MAX, Plane as GridPlane};
use crate::geom::polygon::overlap;
use glam::{DVec3, I64Vec3};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Distance within which corners lie in a plane, given the noise of editors: 1/100 unit.
const NOISE: f64 = STEPS * CoarseFace::NOISE;
/// Greatest distance by which a face may move: 1/64 unit.
const MOST: f64 = STEPS / 64.0;
/// Sheets of rock or air thinner than this, but thicker than the numbers' noise, are intended and keep faces apart: 1/64
/// unit.
const SHEET: f64 = STEPS / 64.0;
/// Sheets thinner than this vanish on the grid, so they keep no faces apart. Half a step.
const LEAST: f64 = 0.5;
/// Sine between normals below which planes are parallel, where they are compared without regard to their faces.
const ONE_DIRECTION: f64 = 1e-6;
/// Sine between normals above which faces share no plane, however small they are.
const NEARLY_PARALLEL: f64 = 0.1;
/// Greatest distance between the boxes of touching faces: 1/16 unit.
const TOUCH: f64 = STEPS / 16.0;

/// A face before rounding.
#[derive(Clone, Debug)]
pub(super) struct UnroundedFace {
    /// Index of its brush.
    pub brush: u32,
    /// Outward unit normal.
    pub normal: DVec3,
    /// normal · p = dist.
    pub dist: f64,
    /// Corners, counter-clockwise seen from outside.
    pub polygon: Vec<DVec3>,
    /// The file's plane points where all three lie on the grid, outwards as in `SideDesc::points`.
    pub on_grid: Option<[I64Vec3; 3]>,
    /// Whether the brush lies on the grid: then `on_grid` is its plane, whatever group it is in.
    pub fixed: bool,
    /// Greatest error of the file's numbers within the face.
    pub noise: f64,
    /// Thickness of the brush below the face.
    pub depth: f64,
}

impl UnroundedFace {
    pub fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.dist
    }

    /// The integer plane of its points on the grid, unoriented.
    fn integer(&self) -> Option<([i64; 3], i128)> {
        let [a, b, c] = self.on_grid?;
        let n = (b - a).cross(c - a);
        let d = crate::carve::hull::dot(n, a);
        let (plane, _) = GridPlane::reduced(n.to_array(), d);
        Some((plane.n, plane.d))
    }
}

/// The plane of each face as three grid points as in `SideDesc::points`, shared with coplanar faces; None where it would be
/// farther than 1/64 unit from a corner.
pub(super) fn share_planes(faces: &[UnroundedFace]) -> Vec<Option<[I64Vec3; 3]>> {
    let groups = Groups::new(faces).list();
    let planes: Vec<Vec<Option<[I64Vec3; 3]>>> = groups
        .par_iter()
        .map(|group| {
            let points = group_plane(faces, group);
            let orient = |&f: &u32| oriented(points?, &faces[f as usize]);
            group.iter().map(orient).collect()
        })
        .collect();
    let mut plane_of_face = vec![None; faces.len()];
    for (group, planes) in groups.iter().zip(planes) {
        for (&f, points) in group.iter().zip(planes) {
            plane_of_face[f as usize] = points;
        }
    }
    plane_of_face
}

/// The points in outward order; None where a corner of the face lies too far from their plane.
fn oriented(points: [I64Vec3; 3], face: &UnroundedFace) -> Option<[I64Vec3; 3]> {
    let [a, b, c] = points;
    let n = cross_i128(points).as_dvec3();
    let unit = n / n.length();
    let far = |p: &DVec3| unit.dot(*p - a.as_dvec3()).abs() > MOST;
    if face.polygon.iter().any(far) {
        return None;
    }
    Some(if unit.dot(face.normal) > 0.0 {
        points
    } else {
        [a, c, b]
    })
}

/// An unoriented plane: unit normal, n·p = dist.
#[derive(Clone, Copy, Debug)]
struct FittedPlane {
    normal: DVec3,
    dist: f64,
}

impl FittedPlane {
    fn from_face(face: &UnroundedFace) -> FittedPlane {
        FittedPlane {
            normal: face.normal,
            dist: face.dist,
        }
    }

    fn farthest<'a>(&self, points: impl Iterator<Item = &'a DVec3>) -> f64 {
        let height = |p: &DVec3| (self.normal.dot(*p) - self.dist).abs();
        points.map(height).fold(0.0, f64::max)
    }
}

/// A partition of the faces into coplanar groups (disjoint sets).
struct Groups<'a> {
    faces: &'a [UnroundedFace],
    /// Group of each face.
    group_of: Vec<u32>,
    /// Faces of each group; empty where it joined another.
    members: Vec<Vec<u32>>,
}

impl<'a> Groups<'a> {
    fn new(faces: &'a [UnroundedFace]) -> Groups<'a> {
        let mut groups = Groups {
            faces,
            group_of: (0..faces.len() as u32).collect(),
            members: (0..faces.len() as u32).map(|f| vec![f]).collect(),
        };
        groups.join_equal();
        groups.join_near();
        groups
    }

    fn list(self) -> Vec<Vec<u32>> {
        self.members.into_iter().filter(|m| !m.is_empty()).collect()
    }

    /// Joins faces whose planes are equal in the file, wherever they are.
    fn join_equal(&mut self) {
        for list in directions(self.faces) {
            let toward = self.faces[list[0] as usize].normal;
            let along = |f: u32| {
                let face = &self.faces[f as usize];
                face.dist * toward.dot(face.normal).signum()
            };
            let mut sorted: Vec<(f64, u32)> = list.iter().map(|&f| (along(f), f)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for at in 1..sorted.len() {
                let (here, f) = sorted[at];
                // The nearest few before it, as another face of the same brush may lie between.
                for &(there, g) in sorted[..at].iter().rev().take(8) {
                    if here - there > NOISE {
                        break;
                    }
                    let (a, b) = (self.group_of[f as usize], self.group_of[g as usize]);
                    let first = self.members[b as usize][0] as usize;
                    let apart = FittedPlane::from_face(&self.faces[first])
                        .farthest(self.faces[f as usize].polygon.iter());
                    if a != b && apart <= STEPS / 1000.0 && self.join(a, b, STEPS / 1000.0) {
                        break;
                    }
                }
            }
        }
    }

    /// Joins touching faces, the most nearly coplanar first.
    fn join_near(&mut self) {
        let mut pairs = touching(self.faces, &self.group_of);
        pairs.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, f, g) in pairs {
            let (a, b) = (self.group_of[f as usize], self.group_of[g as usize]);
            if a != b {
                self.join(a, b, NOISE);
            }
        }
    }

    /// Joins two groups if one plane lies within `most` of all corners and nothing keeps them apart.
    fn join(&mut self, a: u32, b: u32, most: f64) -> bool {
        let (a, b) = (a as usize, b as usize);
        let (one, two) = (&self.members[a], &self.members[b]);
        if self.keeps_apart(one, two) {
            return false;
        }
        let both: Vec<u32> = one.iter().chain(two).copied().collect();
        let Some(plane) = common_plane(self.faces, &both) else {
            return false;
        };
        let corners = both.iter().flat_map(|&f| &self.faces[f as usize].polygon);
        if plane.farthest(corners) > most {
            return false;
        }
        let (into, from) = if self.members[a].len() < self.members[b].len() {
            (b, a)
        } else {
            (a, b)
        };
        for f in std::mem::take(&mut self.members[from]) {
            self.group_of[f as usize] = into as u32;
            self.members[into].push(f);
        }
        true
    }

    /// Whether two groups must not join: two faces of one brush, two fixed planes, or a sheet in between.
    fn keeps_apart(&self, one: &[u32], two: &[u32]) -> bool {
        let face = |f: u32| &self.faces[f as usize];
        let (few, many) = if one.len() < two.len() {
            (one, two)
        } else {
            (two, one)
        };
        let same_brush = |&f: &u32| many.iter().any(|&g| face(f).brush == face(g).brush);
        if few.iter().any(same_brush) {
            return true;
        }
        let fixed = |list: &[u32]| {
            let mut fixed = list.iter().map(|&f| face(f)).filter(|f| f.fixed);
            fixed.next().and_then(UnroundedFace::integer)
        };
        if let (Some(p), Some(q)) = (fixed(one), fixed(two))
            && p != q
        {
            return true;
        }
        let sheet = |&f: &u32| many.iter().any(|&g| sheet_between(face(f), face(g)));
        few.iter().any(sheet)
    }
}

/// Lists of faces with parallel planes.
fn directions(faces: &[UnroundedFace]) -> Vec<Vec<u32>> {
    const CELL: f64 = 1e-3;
    let mut cells: FxHashMap<[i64; 3], Vec<u32>> = FxHashMap::default();
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for (i, face) in faces.iter().enumerate() {
        let n = face.normal;
        let first = n
            .to_array()
            .into_iter()
            .find(|x| x.abs() > 0.5)
            .unwrap_or(1.0);
        let n = n * first.signum();
        let low = ((n - ONE_DIRECTION) / CELL).floor().as_i64vec3();
        let high = ((n + ONE_DIRECTION) / CELL).floor().as_i64vec3();
        let mut found = None;
        'cells: for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let near = cells.get(&[x, y, z]).into_iter().flatten();
                    for &d in near {
                        let m = faces[lists[d as usize][0] as usize].normal;
                        if n.cross(m).length_squared() < ONE_DIRECTION * ONE_DIRECTION {
                            found = Some(d);
                            break 'cells;
                        }
                    }
                }
            }
        }
        let d = found.unwrap_or_else(|| {
            lists.push(Vec::new());
            let cell = (n / CELL).floor().as_i64vec3();
            cells
                .entry(cell.to_array())
                .or_default()
                .push(lists.len() as u32 - 1);
            lists.len() as u32 - 1
        });
        lists[d as usize].push(i as u32);
    }
    lists
}

/// Touching faces of different groups that may be coplanar, with the distance of one from the other's plane.
fn touching(faces: &[UnroundedFace], group_of: &[u32]) -> Vec<(f64, u32, u32)> {
    let list: Vec<&UnroundedFace> = faces.iter().collect();
    let mut pairs = touching_within(&list, TOUCH);
    pairs.retain(|&(f, g)| group_of[f as usize] != group_of[g as usize]);
    let apart = |(f, g): (u32, u32)| {
        let (one, two) = (&faces[f as usize], &faces[g as usize]);
        let by_two = FittedPlane::from_face(two).farthest(one.polygon.iter());
        let by_one = FittedPlane::from_face(one).farthest(two.polygon.iter());
        (by_one.min(by_two), f, g)
    };
    let near = pairs.into_par_iter().map(apart);
    near.filter(|p| p.0 <= 2.0 * NOISE).collect()
}

/// Pairs of nearly parallel faces by index, the lower first, whose boxes come within `reach` of each other.
pub(super) fn touching_within(faces: &[&UnroundedFace], reach: f64) -> Vec<(u32, u32)> {
    let boxes: Vec<[DVec3; 2]> = faces
        .iter()
        .map(|f| {
            let low = f.polygon.iter().copied().fold(DVec3::MAX, DVec3::min);
            let high = f.polygon.iter().copied().fold(DVec3::MIN, DVec3::max);
            [low, high]
        })
        .collect();
    let mut order: Vec<u32> = (0..faces.len() as u32).collect();
    order.sort_by(|&a, &b| {
        let at = |f: u32| boxes[f as usize][0].x;
        at(a).total_cmp(&at(b)).then(a.cmp(&b))
    });
    let lists: Vec<Vec<(u32, u32)>> = order
        .par_iter()
        .enumerate()
        .map(|(at, &f)| {
            let [low, high] = boxes[f as usize];
            let (low, high) = (low - reach, high + reach);
            let normal = faces[f as usize].normal;
            let mut pairs = Vec::new();
            for &g in &order[at + 1..] {
                let [other_low, other_high] = boxes[g as usize];
                if other_low.x > high.x {
                    break;
                }
                let meets = other_low.cmple(high).all() && low.cmple(other_high).all();
                if meets {
                    let across = normal.cross(faces[g as usize].normal).length_squared();
                    if across <= NEARLY_PARALLEL * NEARLY_PARALLEL {
                        pairs.push((f.min(g), f.max(g)));
                    }
                }
            }
            pairs
        })
        .collect();
    lists.into_iter().flatten().collect()
}

/// Whether an intended thin sheet of air or rock lies between two faces.
fn sheet_between(f: &UnroundedFace, g: &UnroundedFace) -> bool {
    if f.normal.dot(g.normal) > 0.0 {
        return false;
    }
    let middle =
        |face: &UnroundedFace| face.polygon.iter().sum::<DVec3>() / face.polygon.len() as f64;
    // Positive with air between them, negative where the brushes overlap.
    let gap = 0.5 * (f.height(middle(g)) + g.height(middle(f)));
    if gap.abs() <= (f.noise + g.noise).max(LEAST) || gap.abs() >= SHEET {
        return false;
    }
    // Overlapping brushes leave a sheet only where one ends within it.
    if gap < 0.0 && f.depth > SHEET && g.depth > SHEET {
        return false;
    }
    overlap(&f.polygon, &g.polygon, f.normal, TOUCH)
}

/// The least-squares plane of all corners; or the exact plane of the group, if it has one.
fn common_plane(faces: &[UnroundedFace], group: &[u32]) -> Option<FittedPlane> {
    if let Some(points) = exact_plane(faces, group) {
        let n = cross_i128(points).as_dvec3();
        let normal = n / n.length();
        return Some(FittedPlane {
            normal,
            dist: normal.dot(points[0].as_dvec3()),
        });
    }
    let widest = group.iter().max_by(|a, b| {
        let area = |f: u32| area(&faces[f as usize].polygon);
        area(**a).total_cmp(&area(**b)).then(b.cmp(a))
    })?;
    let seed = &faces[*widest as usize];
    if group.len() == 1 {
        return Some(FittedPlane::from_face(seed));
    }
    // Heights over the widest face's plane are linear in two coordinates along it: h = a u + b v + c, least squares.
    let u = seed.normal.any_orthonormal_vector();
    let v = seed.normal.cross(u);
    let corners = || group.iter().flat_map(|&f| &faces[f as usize].polygon);
    let count = corners().count() as f64;
    let middle = corners().sum::<DVec3>() / count;
    let [mut uu, mut uv, mut vv, mut uh, mut vh, mut h] = [0.0; 6];
    for &p in corners() {
        let (x, y, z) = (u.dot(p - middle), v.dot(p - middle), seed.height(p));
        uu += x * x;
        uv += x * y;
        vv += y * y;
        uh += x * z;
        vh += y * z;
        h += z;
    }
    let det = uu * vv - uv * uv;
    if det <= 0.0 {
        return Some(FittedPlane::from_face(seed));
    }
    let (a, b, c) = (
        (uh * vv - vh * uv) / det,
        (vh * uu - uh * uv) / det,
        h / count,
    );
    let normal = (seed.normal - a * u - b * v).normalize();
    let on = middle + (c - seed.height(middle)) * seed.normal;
    Some(FittedPlane {
        normal,
        dist: normal.dot(on),
    })
}

/// The exact plane of a group: that of a fixed face, or one that all faces have on the grid.
fn exact_plane(faces: &[UnroundedFace], group: &[u32]) -> Option<[I64Vec3; 3]> {
    let faces = || group.iter().map(|&f| &faces[f as usize]);
    if let Some(fixed) = faces().find(|f| f.fixed) {
        return fixed.on_grid;
    }
    let first = faces().next()?;
    let plane = first.integer()?;
    faces()
        .all(|f| f.integer() == Some(plane))
        .then_some(first.on_grid)?
}

fn area(polygon: &[DVec3]) -> f64 {
    let from = polygon[0];
    let fan = polygon[1..].windows(2);
    fan.map(|w| (w[0] - from).cross(w[1] - from))
        .sum::<DVec3>()
        .length()
}

/// Three grid points, far apart, close to the group's plane.
fn group_plane(faces: &[UnroundedFace], group: &[u32]) -> Option<[I64Vec3; 3]> {
    if let Some(points) = exact_plane(faces, group) {
        return Some(points);
    }
    let plane = common_plane(faces, group)?;
    let corners: Vec<DVec3> = group
        .iter()
        .flat_map(|&f| faces[f as usize].polygon.iter().copied())
        .collect();
    let points = wide_triple(&plane, &corners)?.map(|p| nearest_grid_point(&plane, p));
    let points = [points[0]?, points[1]?, points[2]?];
    (cross_i128(points).as_dvec3() != DVec3::ZERO).then_some(points)
}

/// Three points of the plane among the corners, or farther apart where the corners are only few steps wide.
fn wide_triple(plane: &FittedPlane, corners: &[DVec3]) -> Option<[DVec3; 3]> {
    /// Distance between points from which on the plane errs by less than a tenth of a step at the face.
    const WIDE: f64 = 512.0;
    let onto = |p: DVec3| p - plane.normal * (plane.normal.dot(p) - plane.dist);
    let middle = onto(corners.iter().sum::<DVec3>() / corners.len() as f64);
    let farthest = |from: &dyn Fn(DVec3) -> f64| {
        corners
            .iter()
            .copied()
            .max_by(|a, b| from(*a).total_cmp(&from(*b)))
            .map(onto)
    };
    let a = farthest(&|p| p.distance_squared(middle))?;
    let b = farthest(&|p| p.distance_squared(a))?;
    let along = (b - a).normalize_or_zero();
    let c = farthest(&|p| along.cross(p - a).length_squared())?;
    let across = along.cross(c - a).length();
    if a.distance(b) >= WIDE && across >= WIDE {
        return Some([a, b, c]);
    }
    let u = if along == DVec3::ZERO {
        plane.normal.any_orthonormal_vector()
    } else {
        along
    };
    let v = plane.normal.cross(u);
    let (half, side) = (a.distance(b).max(WIDE), across.max(WIDE));
    // Towards the middle of the grid, so that a face at its border finds points on it.
    let inwards = |d: DVec3| if d.dot(middle) > 0.0 { -d } else { d };
    Some([
        middle,
        middle + inwards(u) * half,
        middle + inwards(v) * side,
    ])
}

/// The grid point nearest to the plane, among those around a point of it.
fn nearest_grid_point(plane: &FittedPlane, point: DVec3) -> Option<I64Vec3> {
    /// Search radius in two directions along the plane, and in one, where the other leads to no nearer points.
    const AROUND: [i64; 2] = [16, 500];
    let n = plane.normal.to_array();
    let axis = (0..3).max_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs()))?;
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let [near_i, near_j] = match [i, j].map(|k| n[k].abs() < 1e-6) {
        [true, _] => [0, AROUND[1]],
        [_, true] => [AROUND[1], 0],
        _ => [AROUND[0]; 2],
    };
    let base = point.round().as_i64vec3();
    let mut best: Option<(f64, i64, I64Vec3)> = None;
    for di in -near_i..=near_i {
        for dj in -near_j..=near_j {
            let mut p = base;
            p[i] += di;
            p[j] += dj;
            let exact = (plane.dist - n[i] * p[i] as f64 - n[j] * p[j] as f64) / n[axis];
            p[axis] = exact.round() as i64;
            if p.abs().max_element() > GRID_MAX {
                continue;
            }
            let key = ((exact - p[axis] as f64).abs(), di.abs() + dj.abs(), p);
            // A plane of the grid is exact at the point itself.
            if best.is_none_or(|b| {
                (key.0, key.1) < (b.0 - 1e-7, b.1) || (key.0 <= b.0 + 1e-7 && key.1 < b.1)
            }) {
                best = Some(key);
            }
        }
    }
    best.map(|b| b.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of the floor with its middle at (x, z) steps, `height` up, looking up or down.
    fn square(brush: u32, [x, z]: [f64; 2], height: f64, up: f64) -> UnroundedFace {
        let around = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
        let mut polygon: Vec<DVec3> = around
            .iter()
            .map(|[u, v]| DVec3::new(x + u * 512.0, height, z + v * 512.0))
            .collect();
        if up < 0.0 {
            polygon.reverse();
        }
        UnroundedFace {
            brush,
            normal: DVec3::Y * up,
            dist: height * up,
            polygon,
            on_grid: None,
            fixed: false,
            noise: 0.01,
            depth: 4096.0,
        }
    }

    fn fixed(face: UnroundedFace) -> UnroundedFace {
        let points = [0, 1, 2].map(|k| face.polygon[k].round().as_i64vec3());
        UnroundedFace {
            on_grid: Some(points),
            fixed: true,
            ..face
        }
    }

    fn heights(faces: &[UnroundedFace]) -> Vec<i64> {
        let of = |points: Option<[I64Vec3; 3]>| points.expect("a plane")[0].y;
        share_planes(faces).into_iter().map(of).collect()
    }

    #[test]
    fn faces_that_an_editor_put_in_one_plane_share_it_whichever_way_they_look() {
        for noise in [0.0, 1e-3, 0.2, 2.0] {
            let faces = [
                square(0, [0.0, 0.0], 100.3, 1.0),
                square(1, [1024.0, 0.0], 100.3 + noise, 1.0),
                square(2, [1024.0, 1024.0], 100.3 + noise, -1.0),
            ];
            let found = heights(&faces);
            assert!(found.iter().all(|&h| h == found[0]), "{noise} {found:?}");
        }
    }

    #[test]
    fn faces_further_apart_than_an_editor_errs_do_not_join() {
        for gap in [11.0, 20.0, 100.0] {
            let faces = [
                square(0, [0.0, 0.0], 100.0, 1.0),
                square(1, [1024.0, 0.0], 100.0 + gap, 1.0),
            ];
            let found = heights(&faces);
            assert!(found[0] != found[1], "{gap}");
        }
    }

    #[test]
    fn no_chain_of_near_faces_moves_one_far() {
        for rise in [1.0, 4.0, 9.0] {
            let place = |k: u32| [1024.0 * f64::from(k), 512.0 * f64::from(k % 3)];
            let chain: Vec<UnroundedFace> = (0..20)
                .map(|k| square(k, place(k), rise * f64::from(k), 1.0))
                .collect();
            for (face, points) in chain.iter().zip(share_planes(&chain)) {
                let points = points.expect("a plane");
                let n = cross_i128(points).as_dvec3().normalize();
                let off = |p: &DVec3| n.dot(*p - points[0].as_dvec3()).abs();
                assert!(
                    face.polygon.iter().map(off).fold(0.0, f64::max) <= MOST,
                    "{rise}"
                );
            }
        }
    }

    #[test]
    fn a_wall_of_a_step_keeps_both_its_faces_and_its_neighbours_theirs() {
        for noise in [0.0, 1e-3, 0.05] {
            let faces = [
                square(0, [0.0, 0.0], 100.0, 1.0),
                square(0, [0.0, 0.0], 99.0, -1.0),
                square(1, [1024.0, 0.0], 100.0 + noise, 1.0),
                square(2, [-1024.0, 0.0], 99.0 - noise, -1.0),
            ];
            assert_eq!(heights(&faces), [100, 99, 100, 99], "{noise}");
        }
    }

    #[test]
    fn a_slit_that_an_author_made_stays_open() {
        // They look at each other across three steps of air, which is less than faces side by side may differ by.
        let faces = [
            square(0, [0.0, 0.0], 100.0, 1.0),
            square(1, [100.0, 0.0], 103.0, -1.0),
        ];
        assert_eq!(heights(&faces), [100, 103]);
        let beside = [faces[0].clone(), square(1, [1024.0, 0.0], 103.0, -1.0)];
        let found = heights(&beside);
        assert_eq!(found[0], found[1]);
    }

    #[test]
    fn what_lies_on_the_grid_does_not_move_and_others_come_to_it() {
        for off in [0.3, -2.0, 4.9] {
            let faces = [
                fixed(square(0, [0.0, 0.0], 100.0, 1.0)),
                square(1, [1024.0, 0.0], 100.0 + off, 1.0),
            ];
            assert_eq!(heights(&faces), [100, 100], "{off}");
            let both = [
                faces[0].clone(),
                fixed(square(1, [1024.0, 0.0], 101.0, 1.0)),
            ];
            assert_eq!(heights(&both), [100, 101]);
        }
    }

    #[test]
    fn a_plane_at_any_slant_errs_by_hundredths_of_a_step() {
        let mut rng = crate::geom::rng::Rng::new(7);
        for _ in 0..200 {
            let normal = rng.unit_vector();
            let u = normal.any_orthonormal_vector();
            let v = normal.cross(u);
            let middle = rng.unit_vector() * rng.range(0.0, 8e6);
            let size = rng.range(40.0, 400_000.0);
            let polygon = [-u - v, u - v, u + v, v - u].map(|d| middle + d * size);
            let face = UnroundedFace {
                normal,
                dist: normal.dot(middle),
                polygon: polygon.to_vec(),
                ..square(0, [0.0; 2], 0.0, 1.0)
            };
            let points = share_planes(&[face])[0].expect("a plane");
            let n = cross_i128(points).as_dvec3().normalize();
            for p in polygon {
                let off = n.dot(p - points[0].as_dvec3()).abs();
                assert!(off < 0.05, "{off} {normal} {size}");
            }
        }
    }
}
