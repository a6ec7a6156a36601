//! A file's planes to brushes on the grid, 1/16384 m.
//!
//! A brush that lies on the grid stays as it is. Any other one is rounded once: its faces share planes with those of its
//! neighbours (`planes`). Where that would cost a brush a face it is rounded by itself: a face whose rounded corners
//! all lie in one plane takes its plane from the three of largest area (first on ties), any other face its rounded
//! plane points.
use super::parse::{FacePlane, REACH};
use super::planes::{self, Face};
use crate::carve::hull;
use crate::exact::Plane as GridPlane;
use glam::{DVec3, I64Vec3};
use rayon::prelude::*;

/// Grid steps in a `.map` unit.
pub(super) const STEPS: f64 = 512.0;
/// Half the edge of the box that an unbounded brush is found by, units: eight times the grid.
const FAR: f64 = 262_144.0;
/// A corner this close to a plane lies on it, units: 1/200 of a grid step, a thousand times the noise of f64 here.
const ON: f64 = 1e-5;
/// More planes than this are no brush (the public levels have up to 362): the work grows with the square.
const MOST_PLANES: usize = 4096;

/// Why a brush is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    #[error("fewer than four faces are left")]
    TooFew,
    #[error("more than {MOST_PLANES} faces")]
    TooMany,
    #[error("it has no volume")]
    Empty,
    #[error("it is unbounded")]
    Unbounded,
    /// A corner lies beyond the grid: the file is refused.
    #[error("a corner lies beyond the grid of 1024 m (32768 units)")]
    BeyondGrid,
}

/// A brush on the grid, Y up.
#[derive(Clone, Debug)]
pub(super) struct GridBrush {
    /// Which face of the file, and its plane as in [`crate::carve::SideDesc::points`].
    pub sides: Vec<(usize, [I64Vec3; 3])>,
    /// The box of its corners.
    pub bounds: [I64Vec3; 2],
}

/// Unit normal pointing out, and n·p = dist on the plane.
#[derive(Clone, Copy, Debug)]
struct Plane {
    normal: DVec3,
    dist: f64,
}

impl Plane {
    fn above(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.dist
    }
}

/// The outward normal of (b − a) × (c − a); None when the points are in a line, as far as f64 can tell.
fn plane_through(a: DVec3, b: DVec3, c: DVec3) -> Option<Plane> {
    let (ab, ac) = (b - a, c - a);
    let cross = ab.cross(ac);
    let length = cross.length();
    if length <= 1e-10 * ab.length() * ac.length() {
        return None;
    }
    let normal = cross / length;
    Some(Plane {
        normal,
        dist: normal.dot(a),
    })
}

impl FacePlane {
    fn plane(&self) -> Option<Plane> {
        match *self {
            FacePlane::Points([p0, p1, p2]) => plane_through(p1, p0, p2),
            FacePlane::Bare(normal, d) => {
                (normal != DVec3::ZERO).then_some(Plane { normal, dist: -d })
            }
        }
    }

    /// Whether the three points are in a line.
    pub fn is_flat(&self) -> bool {
        self.plane().is_none()
    }
}

/// A brush of the file as it is built.
pub(super) struct Imported {
    /// On the grid, or why it is dropped.
    pub grid: Result<GridBrush, Fault>,
    /// It lay off the grid.
    pub rounded: bool,
    /// It was rounded by itself, since it would have lost a face with the planes of its neighbours.
    pub alone: bool,
}

/// Brings all brushes to the grid. Faces that are flat, repeated or clipped away are left out.
pub(super) fn on_grid(brushes: &[Vec<FacePlane>]) -> Vec<Imported> {
    let alone: Vec<Result<Alone, Fault>> = brushes.par_iter().map(|b| by_itself(b)).collect();
    let is_rounded = |alone: &Result<Alone, Fault>| alone.as_ref().is_ok_and(|a| !a.fixed);
    let as_it_is = |alone: Result<Alone, Fault>| Imported {
        grid: alone.and_then(|a| a.grid),
        rounded: false,
        alone: false,
    };
    if !alone.iter().any(is_rounded) {
        return alone.into_iter().map(as_it_is).collect();
    }
    let numbered: Vec<(usize, &Vec<FacePlane>)> = brushes.iter().enumerate().collect();
    let faces: Vec<Vec<(usize, Face)>> = numbered
        .par_iter()
        .zip(&alone)
        .map(|(&(number, faces), alone)| match alone {
            Ok(alone) => shape_faces(number as u32, faces, alone),
            Err(_) => Vec::new(),
        })
        .collect();
    let flat: Vec<Face> = faces.iter().flatten().map(|(_, f)| f.clone()).collect();
    let mut shared = planes::share(&flat).into_iter();
    let planes: Vec<Vec<_>> = faces
        .iter()
        .map(|f| shared.by_ref().take(f.len()).collect())
        .collect();
    let each = alone.into_par_iter().zip(&faces).zip(&planes);
    each.map(|((alone, faces), planes)| match alone {
        Ok(alone) if !alone.fixed => match with_planes(faces.iter().map(|f| f.0), planes) {
            Some(grid) => Imported {
                grid: Ok(grid),
                rounded: true,
                alone: false,
            },
            None => Imported {
                rounded: true,
                alone: alone.grid.is_ok(),
                grid: alone.grid,
            },
        },
        other => as_it_is(other),
    })
    .collect()
}

/// A brush rounded without looking at others.
struct Alone {
    grid: Result<GridBrush, Fault>,
    /// All plane points and corners lie on the grid.
    fixed: bool,
    shape: Shape,
}

/// A brush before it is rounded: of each plane the face in the file, and its polygon, units.
#[derive(Default)]
struct Shape {
    ids: Vec<usize>,
    planes: Vec<Plane>,
    polygons: Vec<Vec<DVec3>>,
}

impl Shape {
    fn new(faces: &[FacePlane]) -> Result<Shape, Fault> {
        let (ids, planes) = distinct_planes(faces)?;
        let polygons = polygons(&planes)?;
        Ok(Shape {
            ids,
            planes,
            polygons,
        })
    }
}

fn by_itself(faces: &[FacePlane]) -> Result<Alone, Fault> {
    if faces.len() > MOST_PLANES {
        return Err(Fault::TooMany);
    }
    // Where nothing has to be rounded, f64 must not decide: a shape's faces may be nearly in one plane.
    if let Some(grid) = exact(faces) {
        return Ok(Alone {
            grid: Ok(grid),
            fixed: true,
            shape: Shape::default(),
        });
    }
    let shape = Shape::new(faces)?;
    let grid = match rounded(faces, &shape) {
        Err(fault @ Fault::BeyondGrid) => return Err(fault),
        other => other,
    };
    let fixed = grid
        .as_ref()
        .is_ok_and(|grid| is_on_grid(faces, &shape, grid));
    Ok(Alone { grid, fixed, shape })
}

/// Whether rounding has moved nothing.
fn is_on_grid(faces: &[FacePlane], shape: &Shape, grid: &GridBrush) -> bool {
    let is_whole = |p: &DVec3| {
        let p = *p * STEPS;
        (p - p.round()).abs().max_element() < ON * STEPS
    };
    grid.sides.iter().all(|&(id, points)| {
        let authored = authored(&faces[id]);
        authored.is_some_and(|a| a.iter().all(|&p| side(points, p) == 0))
    }) && shape.polygons.iter().flatten().all(is_whole)
}

/// The points that say a face's plane, outwards, where they lie on the grid.
fn authored(face: &FacePlane) -> Option<[I64Vec3; 3]> {
    let FacePlane::Points([p0, p1, p2]) = *face else {
        return None;
    };
    let points = [p1, p0, p2];
    let grid = points.map(to_grid);
    let is_same = |(p, q): (DVec3, &I64Vec3)| to_y_up(p) * STEPS == q.as_dvec3();
    points.into_iter().zip(&grid).all(is_same).then_some(grid)
}

/// A brush's faces as `planes` asks for them, each with its number in the file.
fn shape_faces(brush: u32, faces: &[FacePlane], alone: &Alone) -> Vec<(usize, Face)> {
    let own;
    let shape = match alone.shape.ids.is_empty() {
        // On the grid by the names of its corners alone: what f64 makes of it serves to find neighbours.
        true => match Shape::new(faces) {
            Ok(shape) => {
                own = shape;
                &own
            }
            Err(_) => return Vec::new(),
        },
        false => &alone.shape,
    };
    let corners: Vec<DVec3> = shape.polygons.iter().flatten().copied().collect();
    let each = shape.ids.iter().zip(&shape.planes).zip(&shape.polygons);
    each.filter(|(_, polygon)| !polygon.is_empty())
        .map(|((&id, plane), polygon)| {
            let polygon: Vec<DVec3> = polygon.iter().map(|&p| to_y_up(p) * STEPS).collect();
            let below = corners.iter().map(|&p| -plane.above(p));
            let face = Face {
                brush,
                normal: to_y_up(plane.normal),
                dist: plane.dist * STEPS,
                on_grid: match &alone.grid {
                    Ok(grid) if alone.fixed => grid.sides.iter().find(|s| s.0 == id).map(|s| s.1),
                    _ => authored(&faces[id]),
                },
                fixed: alone.fixed,
                noise: noise(&faces[id], &polygon),
                depth: below.fold(0.0, f64::max) * STEPS,
                polygon,
            };
            (id, face)
        })
        .collect()
}

/// How far the numbers of a file may move a corner of the face off its plane, steps: half of the last decimal, and what
/// an editor that counts in f32 loses, times how far the corner lies outside of the plane points.
fn noise(face: &FacePlane, polygon: &[DVec3]) -> f64 {
    let FacePlane::Points(points) = face else {
        return ON * STEPS;
    };
    let of_number = |v: f64| {
        if (v * STEPS).fract() == 0.0 {
            return 0.0;
        }
        let is_whole =
            |scale: f64| (v * scale - (v * scale).round()).abs() < 1e-6 * scale.max(1.0) / 1e3;
        let scales = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
        let decimal = scales
            .into_iter()
            .find(|&s| is_whole(s))
            .map_or(0.0, |s| 0.5 / s);
        decimal.max(v.abs() * f64::from(f32::EPSILON))
    };
    let numbers = points.iter().flat_map(|p| p.to_array());
    let most = numbers.map(of_number).fold(0.0, f64::max) * STEPS;
    let [a, b, c] = points.map(|p| to_y_up(p) * STEPS);
    let (u, v) = (b - a, c - a);
    let n = u.cross(v);
    let nn = n.length_squared();
    let outside = polygon.iter().map(|&p| {
        let along = (p - a).cross(v).dot(n) / nn;
        let across = u.cross(p - a).dot(n) / nn;
        along.abs() + across.abs() + (1.0 - along - across).abs()
    });
    most * 3f64.sqrt() * outside.fold(1.0, f64::max)
}

/// The brush with shared planes; None where a face was lost or nothing is left.
fn with_planes(
    ids: impl Iterator<Item = usize>,
    shared: &[Option<[I64Vec3; 3]>],
) -> Option<GridBrush> {
    let sides: Option<Vec<_>> = ids.zip(shared).map(|(id, p)| Some((id, (*p)?))).collect();
    let sides = sides?;
    let planes: Option<Vec<Plane>> = sides.iter().map(|s| plane_of(&s.1)).collect();
    let polygons = polygons(&planes?).ok()?;
    if polygons.iter().any(|p| p.len() < 3) {
        return None;
    }
    let corners = || polygons.iter().flatten().map(|&p| to_y_up(p) * STEPS);
    let low = corners().fold(DVec3::MAX, DVec3::min);
    let high = corners().fold(DVec3::MIN, DVec3::max);
    let grid = GridBrush {
        sides,
        bounds: [low.floor().as_i64vec3(), high.ceil().as_i64vec3()],
    };
    check_solid(&grid).is_ok().then_some(grid)
}

/// The plane of grid points (Y up), as the file has it: units, Z up.
fn plane_of(points: &[I64Vec3; 3]) -> Option<Plane> {
    let file = |p: &I64Vec3| DVec3::new(p.x as f64, -p.z as f64, p.y as f64) / STEPS;
    let [a, b, c] = points;
    plane_through(file(a), file(b), file(c))
}

/// A brush whose faces name all its corners, each on the grid: as it is. What a save writes is such a brush.
fn exact(faces: &[FacePlane]) -> Option<GridBrush> {
    let mut sides = Vec::with_capacity(faces.len());
    let mut corners = Vec::with_capacity(faces.len() * 3);
    for (id, face) in faces.iter().enumerate() {
        let FacePlane::Points([p0, p1, p2]) = *face else {
            return None;
        };
        let points = [p1, p0, p2].map(to_grid);
        let is_same = |q: &I64Vec3, p: DVec3| DVec3::new(p.x, p.z, -p.y) * STEPS == q.as_dvec3();
        if ![p1, p0, p2]
            .into_iter()
            .zip(&points)
            .all(|(p, q)| is_same(q, p))
        {
            return None;
        }
        corners.extend(points);
        sides.push((id, points));
    }
    let reduced = |t: [I64Vec3; 3]| {
        let n = hull::normal(t[0], t[1], t[2]);
        (n != I64Vec3::ZERO).then(|| GridPlane::reduced(n.to_array(), hull::dot(n, t[0])))
    };
    let key = |t: [I64Vec3; 3]| reduced(t).map(|(p, flip)| (p.n, p.d, flip));
    let mut named = sides.iter().map(|s| key(s.1)).collect::<Option<Vec<_>>>()?;
    let mut found: Vec<_> = hull::hull(&corners)?
        .iter()
        .filter_map(|facet| key(facet.points))
        .collect();
    named.sort_unstable();
    found.sort_unstable();
    let low = corners.iter().copied().reduce(|a, b| a.min(b))?;
    let high = corners.iter().copied().reduce(|a, b| a.max(b))?;
    (named == found).then_some(GridBrush {
        sides,
        bounds: [low, high],
    })
}

fn rounded(faces: &[FacePlane], shape: &Shape) -> Result<GridBrush, Fault> {
    let Shape {
        ids,
        planes,
        polygons,
    } = shape;
    let mut bounds = [I64Vec3::MAX, I64Vec3::MIN];
    let mut sides = Vec::with_capacity(ids.len());
    for ((&id, plane), polygon) in ids.iter().zip(planes).zip(polygons) {
        if polygon.is_empty() {
            continue;
        }
        if polygon.iter().any(|p| p.abs().max_element() > REACH) {
            return Err(Fault::BeyondGrid);
        }
        let corners = rounded_corners(polygon);
        for &p in &corners {
            bounds = [bounds[0].min(p), bounds[1].max(p)];
        }
        if let Some(points) = grid_plane(&corners, &faces[id], plane) {
            sides.push((id, points));
        }
    }
    let brush = GridBrush { sides, bounds };
    check_solid(&brush)?;
    Ok(brush)
}

/// Planes without flat and repeated ones; a plane and its opposite leave no volume.
fn distinct_planes(faces: &[FacePlane]) -> Result<(Vec<usize>, Vec<Plane>), Fault> {
    let mut ids = Vec::with_capacity(faces.len());
    let mut planes: Vec<Plane> = Vec::with_capacity(faces.len());
    let same = |a: &Plane, normal: DVec3, dist: f64| {
        (a.normal - normal).abs().max_element() < 1e-10 && (a.dist - dist).abs() < 1e-7
    };
    for (id, face) in faces.iter().enumerate() {
        let Some(plane) = face.plane() else { continue };
        if planes.iter().any(|p| same(p, -plane.normal, -plane.dist)) {
            return Err(Fault::Empty);
        }
        if !planes.iter().any(|p| same(p, plane.normal, plane.dist)) {
            ids.push(id);
            planes.push(plane);
        }
    }
    if planes.len() < 4 {
        return Err(Fault::TooFew);
    }
    Ok((ids, planes))
}

/// The face of each plane, counter-clockwise seen from outside; empty where the others clip it away.
fn polygons(planes: &[Plane]) -> Result<Vec<Vec<DVec3>>, Fault> {
    let mut unbounded = false;
    let mut polygons = Vec::with_capacity(planes.len());
    for (i, plane) in planes.iter().enumerate() {
        let mut polygon = far_square(plane);
        for (j, other) in planes.iter().enumerate() {
            if i != j {
                polygon = clip(polygon, planes, i, j, other);
            }
            if polygon.len() < 3 {
                polygon.clear();
                break;
            }
        }
        unbounded |= polygon.iter().any(|c| c.edge == EDGE_FAR);
        polygons.push(polygon.into_iter().map(|c| c.point).collect::<Vec<_>>());
    }
    if unbounded {
        Err(Fault::Unbounded)
    } else if polygons.iter().all(Vec::is_empty) {
        Err(Fault::Empty)
    } else {
        Ok(polygons)
    }
}

/// A corner and the plane along which the edge to the next corner runs.
#[derive(Clone, Copy, Debug)]
struct Corner {
    point: DVec3,
    edge: usize,
}

/// The edge of the far square: no plane of the brush.
const EDGE_FAR: usize = usize::MAX;

/// A square on the plane, far beyond the grid.
fn far_square(plane: &Plane) -> Vec<Corner> {
    let n = plane.normal.abs();
    // Any axis not along the normal spans the plane with it.
    let helper = if n.z <= n.x && n.z <= n.y {
        DVec3::Z
    } else if n.y <= n.x {
        DVec3::Y
    } else {
        DVec3::X
    };
    let u = helper.cross(plane.normal).normalize() * FAR;
    let v = plane.normal.cross(u);
    let centre = plane.normal * plane.dist;
    [-u - v, u - v, u + v, -u + v]
        .map(|offset| Corner {
            point: centre + offset,
            edge: EDGE_FAR,
        })
        .to_vec()
}

/// What of face `i` is not above plane `j`.
fn clip(polygon: Vec<Corner>, planes: &[Plane], i: usize, j: usize, plane: &Plane) -> Vec<Corner> {
    let height: Vec<f64> = polygon.iter().map(|c| plane.above(c.point)).collect();
    if height.iter().all(|&h| h <= ON) {
        return polygon;
    }
    if height.iter().all(|&h| h >= -ON) {
        return Vec::new();
    }
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (at, &corner) in polygon.iter().enumerate() {
        let after = (at + 1) % polygon.len();
        let (h, next) = (height[at], height[after]);
        if h <= ON {
            let leaves_here = h >= -ON && next > ON;
            kept.push(Corner {
                edge: if leaves_here { j } else { corner.edge },
                ..corner
            });
        }
        if (h < -ON && next > ON) || (h > ON && next < -ON) {
            let t = h / (h - next);
            let between = corner.point.lerp(polygon[after].point, t);
            let point = meet(planes, [i, corner.edge, j]).unwrap_or(between);
            // Where planes nearly coincide their meet is noise; the edge itself is not.
            let point = if (point - between).abs().max_element() < 1e-3 {
                point
            } else {
                between
            };
            let edge = if h < 0.0 { j } else { corner.edge };
            kept.push(Corner { point, edge });
        }
    }
    kept
}

/// The point on three planes: x = (d1 (n2×n3) + d2 (n3×n1) + d3 (n1×n2)) / (n1·(n2×n3)).
fn meet(planes: &[Plane], ids: [usize; 3]) -> Option<DVec3> {
    let [a, b, c] = [
        planes.get(ids[0])?,
        planes.get(ids[1])?,
        planes.get(ids[2])?,
    ];
    let bc = b.normal.cross(c.normal);
    let w = a.normal.dot(bc);
    if w.abs() < 1e-6 {
        return None;
    }
    let sum = a.dist * bc + b.dist * c.normal.cross(a.normal) + c.dist * a.normal.cross(b.normal);
    Some(sum / w)
}

/// To the grid, Y up: (x, y, z) of the file is (x, z, −y). Points within the noise of the middle between two steps
/// all go up, so that a corner computed from different planes rounds to one point.
pub(super) fn to_grid(p: DVec3) -> I64Vec3 {
    let round = |x: f64| (x * STEPS + (0.5 + 1.0 / 1024.0)).floor() as i64;
    I64Vec3::new(round(p.x), round(p.z), -round(p.y))
}

/// Corners on the grid without repeats.
fn rounded_corners(polygon: &[DVec3]) -> Vec<I64Vec3> {
    let mut corners: Vec<I64Vec3> = Vec::with_capacity(polygon.len());
    for &p in polygon {
        let q = to_grid(p);
        if !corners.contains(&q) {
            corners.push(q);
        }
    }
    corners
}

/// The plane by the rounding contract; None when nothing on the grid spans it.
fn grid_plane(corners: &[I64Vec3], face: &FacePlane, plane: &Plane) -> Option<[I64Vec3; 3]> {
    let outward = to_y_up(plane.normal);
    let faces_out = |t: &[I64Vec3; 3]| cross_i128(*t).as_dvec3().dot(outward) > 0.0;
    let widest = widest_triple(corners).filter(faces_out);
    if let Some(triple) = widest
        && corners.iter().all(|&p| side(triple, p) == 0)
    {
        return Some(triple);
    }
    let authored = match face {
        FacePlane::Points([p0, p1, p2]) => Some([to_grid(*p1), to_grid(*p0), to_grid(*p2)]),
        FacePlane::Bare(..) => None,
    };
    authored.filter(faces_out).or(widest)
}

fn to_y_up(v: DVec3) -> DVec3 {
    DVec3::new(v.x, v.z, -v.y)
}

/// A wide integer vector: products of grid differences pass 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide([i128; 3]);

impl Wide {
    pub fn as_dvec3(self) -> DVec3 {
        DVec3::from_array(self.0.map(|x| x as f64))
    }

    fn length_squared(self) -> i128 {
        self.0.iter().map(|x| x * x).sum()
    }
}

/// (b − a) × (c − a); at most 53 bits for points on the grid.
pub(super) fn cross_i128([a, b, c]: [I64Vec3; 3]) -> Wide {
    let (u, v) = (b - a, c - a);
    let part = |i: usize, j: usize| {
        i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i])
    };
    Wide([part(1, 2), part(2, 0), part(0, 1)])
}

/// Positive above the plane of `t`, zero on it.
pub(super) fn side(t: [I64Vec3; 3], p: I64Vec3) -> i128 {
    let n = cross_i128(t);
    let d = p - t[0];
    (0..3).map(|i| n.0[i] * i128::from(d[i])).sum()
}

/// The triangle of largest area, first on ties, in the corners' order; None when all are in a line.
fn widest_triple(corners: &[I64Vec3]) -> Option<[I64Vec3; 3]> {
    let n = corners.len();
    let mut best = None;
    let mut best_area = 0;
    let mut try_triple = |i: usize, j: usize, k: usize| {
        let triple = [corners[i], corners[j], corners[k]];
        let area = cross_i128(triple).length_squared();
        if area > best_area {
            best_area = area;
            best = Some(triple);
        }
        area
    };
    for i in 0..n {
        let mut k = i + 2;
        for j in i + 1..n {
            if n <= 32 {
                for k in j + 1..n {
                    try_triple(i, j, k);
                }
                continue;
            }
            // Around a convex polygon the third corner only moves forward as the second does.
            k = k.max(j + 1);
            if k >= n {
                break;
            }
            let mut area = try_triple(i, j, k);
            while k + 1 < n {
                let next = try_triple(i, j, k + 1);
                if next < area {
                    break;
                }
                area = next;
                k += 1;
            }
        }
    }
    best
}

/// The rounded planes must still enclose something: each face has a corner well below it.
fn check_solid(brush: &GridBrush) -> Result<(), Fault> {
    let planes: Vec<Plane> = brush
        .sides
        .iter()
        .filter_map(|(_, [a, b, c])| {
            let unit = |p: &I64Vec3| p.as_dvec3() / STEPS;
            plane_through(unit(a), unit(b), unit(c))
        })
        .collect();
    if planes.len() < 4 {
        return Err(Fault::Empty);
    }
    let polygons = polygons(&planes)?;
    let corners = || polygons.iter().flatten();
    if corners().any(|p| p.abs().max_element() > REACH) {
        return Err(Fault::BeyondGrid);
    }
    let thick = planes.iter().zip(&polygons).filter(|(plane, polygon)| {
        polygon.len() >= 3 && corners().any(|&p| plane.above(p) < -2.0 * ON)
    });
    if thick.count() < 4 {
        return Err(Fault::Empty);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_grid(faces: &[FacePlane]) -> Result<GridBrush, Fault> {
        by_itself(faces)?.grid
    }

    fn points(p: [[f64; 3]; 3]) -> FacePlane {
        FacePlane::Points(p.map(DVec3::from_array))
    }

    /// A box with its top replaced by these planes.
    fn box_under(tops: &[FacePlane]) -> Vec<FacePlane> {
        let mut faces = vec![
            points([[0., 0., 0.], [0., 1., 0.], [0., 0., 1.]]),
            points([[64., 0., 0.], [64., 0., 1.], [64., 1., 0.]]),
            points([[0., 0., 0.], [0., 0., 1.], [1., 0., 0.]]),
            points([[0., 64., 0.], [1., 64., 0.], [0., 64., 1.]]),
            points([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]]),
        ];
        faces.extend_from_slice(tops);
        faces
    }

    #[test]
    fn a_slanted_face_takes_its_plane_from_its_corners() {
        // The corners of the top are whole units although no plane point is one of them.
        let top = points([[16., 16., 40.], [16., 48., 40.], [48., 16., 56.]]);
        let brush = on_grid(&box_under(&[top])).unwrap();
        let (_, plane) = brush.sides[5];
        for (x, z) in [(0, 32), (64, 64)] {
            for y in [0, 64] {
                assert_eq!(side(plane, I64Vec3::new(x, z, -y) * 512), 0);
            }
        }
        assert_eq!(
            brush.bounds,
            [
                I64Vec3::new(0, 0, -64) * 512,
                I64Vec3::splat(64) * 512 * I64Vec3::new(1, 1, 0)
            ]
        );
    }

    #[test]
    fn a_face_whose_corners_round_askew_keeps_its_plane_points() {
        let authored = [[1., 2., 40.], [11., 55., 41.3], [60., 9., 43.7]];
        let brush = on_grid(&box_under(&[points(authored)])).unwrap();
        let [p0, p1, p2] = authored.map(|p| to_grid(DVec3::from_array(p)));
        assert_eq!(brush.sides[5].1, [p1, p0, p2]);
    }

    #[test]
    fn a_triangle_always_takes_its_corners() {
        let tip = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let (a, b, c, d) = (
            tip(0.1, 0.2, 0.3),
            tip(50.7, 3.1, 2.2),
            tip(7.7, 60.1, 1.3),
            tip(20.2, 20.4, 33.3),
        );
        let face = |p, q, r| FacePlane::Points([p, q, r]);
        let brush = on_grid(&[face(a, b, c), face(a, d, b), face(b, d, c), face(c, d, a)]).unwrap();
        let corners = [a, b, c, d].map(to_grid);
        for (_, points) in &brush.sides {
            assert!(points.iter().all(|p| corners.contains(p)), "{points:?}");
        }
    }

    #[test]
    fn the_middle_between_two_steps_always_goes_up() {
        let step = 1.0 / STEPS;
        for noise in [-1e-9, 0.0, 1e-9] {
            let p = DVec3::new(0.5 * step + noise, -0.5 * step + noise, 1.5 * step + noise);
            assert_eq!(to_grid(p), I64Vec3::new(1, 2, 0));
        }
        assert_eq!(
            to_grid(DVec3::new(32768.0, -32768.0, 0.0)),
            I64Vec3::new(1 << 24, 0, 1 << 24)
        );
    }

    #[test]
    fn slivers_of_a_step_stay_solid() {
        // A wall one grid step thick, and a wedge that ends in an edge.
        let step = 1.0 / STEPS;
        let wall = on_grid(&box_under(&[points([
            [0., 0., step],
            [0., 1., step],
            [1., 0., step],
        ])]));
        assert_eq!(wall.unwrap().bounds[1].y, 1);
        let wedge = on_grid(&box_under(&[points([
            [0., 0., 0.],
            [0., 64., 0.],
            [64., 0., step],
        ])]));
        assert_eq!(wedge.unwrap().bounds[1].y, 1);
    }

    #[test]
    fn what_is_on_the_grid_reads_back_as_it_is() {
        // Random tetrahedra and boxes cut by random corners: their planes hold their corners exactly.
        let mut state = 1u64;
        let mut next = |range: i64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % (2 * range as u64 + 1)) as i64 - range
        };
        let mut made = 0;
        for case in 0..2000 {
            let range = if case % 2 == 0 { 40 } else { 30_000 };
            let corners: Vec<I64Vec3> = (0..4)
                .map(|_| I64Vec3::new(next(range), next(range), next(range)))
                .collect();
            let c = |i: usize| corners[i];
            let volume = side([c(0), c(1), c(2)], c(3));
            if volume == 0 {
                continue;
            }
            let order = if volume < 0 {
                [0, 1, 2, 3]
            } else {
                [0, 2, 1, 3]
            };
            let [p, q, r, s] = order.map(c);
            let file = |p: I64Vec3| DVec3::new(p.x as f64, -p.z as f64, p.y as f64) / STEPS;
            let triangles = [[p, q, r], [p, s, q], [q, s, r], [r, s, p]];
            let faces = triangles.map(|[a, b, c]| FacePlane::Points([file(b), file(a), file(c)]));
            match on_grid(&faces) {
                Ok(brush) => {
                    made += 1;
                    assert_eq!(brush.sides.len(), 4);
                    for (face, points) in &brush.sides {
                        assert!(
                            triangles[*face].iter().all(|&p| side(*points, p) == 0),
                            "{triangles:?}"
                        );
                        assert!(
                            corners.iter().all(|&p| side(*points, p) <= 0),
                            "{triangles:?}"
                        );
                    }
                }
                // Thinner than the hundredth of a step.
                Err(fault) => assert!(
                    volume.abs() < i128::from(range).pow(2) / 10,
                    "{fault}: {volume}"
                ),
            }
        }
        assert!(made > 1900, "{made}");
    }
}
