//! Rounds one brush of a file to the grid, 1/16384 m, from the polygons of its faces in f64.
//!
//! A brush whose plane points include all its corners, each on the grid, stays unchanged. In any other one, a face whose
//! rounded corners are coplanar takes its plane from the three of largest area (first on ties), any other face from its
//! rounded plane points. `on_grid` lets faces of many brushes share planes instead.
use super::grid::{STEPS, cross_i128, side, to_grid, to_y_up, widest_triple};
use super::keys::UNITS;
use super::parsed::{FacePlane, ParsedBrush, REACH};
use crate::carve::hull;
use crate::exact::Plane as GridPlane;
use crate::geom::Aabb;
use glam::{DVec3, I64Vec3};

/// Half the edge of the box that detects unbounded brushes, units: eight times the grid.
const FAR: f64 = 262_144.0;
/// Distance within which a corner lies on a plane, units: 1/200 of a grid step, a thousand times the noise of f64 here.
pub(super) const ON: f64 = 1e-5;
/// Greatest number of planes of a brush (the public levels have up to 362): the work is quadratic.
const MOST_PLANES: usize = 4096;

/// Why a brush is skipped.
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
    /// Index of the face in the file, and its plane as in [`crate::carve::SideDesc::points`].
    pub sides: Vec<(usize, [I64Vec3; 3])>,
    /// Box of its corners.
    pub bounds: [I64Vec3; 2],
}

/// Unit normal pointing out, and n·p = dist on the plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub normal: DVec3,
    pub dist: f64,
}

impl Plane {
    pub(super) fn above(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.dist
    }
}

/// The plane with the normal (b − a) × (c − a); None for points that are collinear within f64.
pub(super) fn plane_through(a: DVec3, b: DVec3, c: DVec3) -> Option<Plane> {
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

    /// Whether the three points are collinear.
    pub fn is_degenerate(&self) -> bool {
        self.plane().is_none()
    }
}

/// A brush rounded by itself.
pub(super) struct RoundedAlone {
    pub grid: Result<GridBrush, Fault>,
    /// Whether all plane points and corners lay on the grid.
    pub fixed: bool,
    pub shape: BrushPolygons,
}

/// A brush before rounding: the planes with the indices of their faces in the file, and their polygons, units.
#[derive(Default)]
pub(super) struct BrushPolygons {
    pub ids: Vec<usize>,
    pub planes: Vec<Plane>,
    pub polygons: Vec<Vec<DVec3>>,
}

impl BrushPolygons {
    pub(super) fn new(faces: &[FacePlane]) -> Result<BrushPolygons, Fault> {
        let (ids, planes) = distinct_planes(faces)?;
        let polygons = polygons(&planes)?;
        Ok(BrushPolygons {
            ids,
            planes,
            polygons,
        })
    }
}

/// The planes of a brush as the file has it, unit normal outwards and n·p, and its box: metres, Y up.
pub(super) fn planes_in_metres(brush: &ParsedBrush) -> Result<(Vec<(DVec3, f64)>, Aabb), Fault> {
    if brush.faces.len() > MOST_PLANES {
        return Err(Fault::TooMany);
    }
    let faces: Vec<FacePlane> = brush.faces.iter().map(|f| f.plane).collect();
    let shape = BrushPolygons::new(&faces)?;
    let corners = shape.polygons.iter().flatten();
    let bounds = Aabb::from_points(corners.map(|&p| to_y_up(p) / UNITS)).ok_or(Fault::Empty)?;
    let plane = |p: &Plane| (to_y_up(p.normal), p.dist / UNITS);
    Ok((shape.planes.iter().map(plane).collect(), bounds))
}

pub(super) fn round_alone(faces: &[FacePlane]) -> Result<RoundedAlone, Fault> {
    if faces.len() > MOST_PLANES {
        return Err(Fault::TooMany);
    }
    // Where nothing needs rounding, f64 must not decide: faces may be nearly coplanar.
    if let Some(grid) = exact(faces) {
        return Ok(RoundedAlone {
            grid: Ok(grid),
            fixed: true,
            shape: BrushPolygons::default(),
        });
    }
    let shape = BrushPolygons::new(faces)?;
    let grid = rounded(faces, &shape);
    if let Err(fault @ Fault::BeyondGrid) = grid {
        return Err(fault);
    }
    let fixed = grid
        .as_ref()
        .is_ok_and(|grid| is_on_grid(faces, &shape, grid));
    Ok(RoundedAlone { grid, fixed, shape })
}

/// Whether rounding moved nothing.
fn is_on_grid(faces: &[FacePlane], shape: &BrushPolygons, grid: &GridBrush) -> bool {
    let is_whole = |p: &DVec3| {
        let p = *p * STEPS;
        (p - p.round()).abs().max_element() < ON * STEPS
    };
    grid.sides.iter().all(|&(id, points)| {
        let authored = authored(&faces[id]);
        authored.is_some_and(|a| a.iter().all(|&p| side(points, p) == 0))
    }) && shape.polygons.iter().flatten().all(is_whole)
}

/// A face's plane points, outwards, where they lie on the grid.
pub(super) fn authored(face: &FacePlane) -> Option<[I64Vec3; 3]> {
    let FacePlane::Points([p0, p1, p2]) = *face else {
        return None;
    };
    let points = [p1, p0, p2];
    let grid = points.map(to_grid);
    let is_same = |(p, q): (DVec3, &I64Vec3)| to_y_up(p) * STEPS == q.as_dvec3();
    points.into_iter().zip(&grid).all(is_same).then_some(grid)
}

/// A brush whose plane points include all its corners, each on the grid, unchanged. A save writes such brushes.
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

fn rounded(faces: &[FacePlane], shape: &BrushPolygons) -> Result<GridBrush, Fault> {
    let BrushPolygons {
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

/// The planes without degenerate and repeated ones; a plane and its opposite leave no volume.
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

/// The polygon of each plane, counter-clockwise seen from outside; empty where the others clip it away.
pub(super) fn polygons(planes: &[Plane]) -> Result<Vec<Vec<DVec3>>, Fault> {
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
    // Any axis that is not along the normal gives a direction in the plane.
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

/// The part of face `i` that is not above plane `j`.
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
            let point = intersect_planes(planes, [i, corner.edge, j]).unwrap_or(between);
            // Where planes nearly coincide their intersection is noise, but the edge is not.
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

/// The intersection of three planes: x = (d1 (n2×n3) + d2 (n3×n1) + d3 (n1×n2)) / (n1·(n2×n3)).
fn intersect_planes(planes: &[Plane], ids: [usize; 3]) -> Option<DVec3> {
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

/// The corners on the grid, without repetitions.
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

/// The plane on the grid (see the file's head); None where no three corners span one.
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

/// Checks that the rounded planes still enclose a volume: that at least four faces have a corner well below them.
pub(super) fn check_solid(brush: &GridBrush) -> Result<(), Fault> {
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
        round_alone(faces)?.grid
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
