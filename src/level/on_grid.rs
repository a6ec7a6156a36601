//! Rounds all brushes of a file to the grid at once, since they share planes.
//!
//! A brush on the grid stays unchanged. Any other one takes planes that it shares with its neighbours (`planes`), or, where
//! that would cost it a face, is rounded by itself (`brush`).
use super::brush::{self, BrushPolygons, Fault, GridBrush, Plane, RoundedAlone};
use super::grid::{STEPS, to_y_up};
use super::parsed::FacePlane;
use super::planes::{self, UnroundedFace};
use glam::{DVec3, I64Vec3};
use rayon::prelude::*;

/// A brush of the file on the grid.
pub(super) struct RoundedBrush {
    /// The brush, or why it is skipped.
    pub grid: Result<GridBrush, Fault>,
    /// Whether it lay off the grid.
    pub rounded: bool,
    /// Whether it was rounded by itself, since with the shared planes it would have lost a face.
    pub alone: bool,
    /// The face whose plane the file's decimals give least precisely, and the greatest error of its corners, steps.
    pub coarsest: Option<(usize, f64)>,
}

/// Rounds all brushes to the grid. Degenerate, repeated and clipped-away faces are left out.
pub(super) fn on_grid(brushes: &[Vec<FacePlane>]) -> Vec<RoundedBrush> {
    let alone: Vec<Result<RoundedAlone, Fault>> =
        brushes.par_iter().map(|b| brush::round_alone(b)).collect();
    let is_rounded = |alone: &Result<RoundedAlone, Fault>| alone.as_ref().is_ok_and(|a| !a.fixed);
    let unchanged = |alone: Result<RoundedAlone, Fault>| RoundedBrush {
        grid: alone.and_then(|a| a.grid),
        rounded: false,
        alone: false,
        coarsest: None,
    };
    if !alone.iter().any(is_rounded) {
        return alone.into_iter().map(unchanged).collect();
    }
    let numbered: Vec<(usize, &Vec<FacePlane>)> = brushes.iter().enumerate().collect();
    let faces: Vec<Vec<(usize, UnroundedFace)>> = numbered
        .par_iter()
        .zip(&alone)
        .map(|(&(number, faces), alone)| match alone {
            Ok(alone) => shape_faces(number as u32, faces, alone),
            Err(_) => Vec::new(),
        })
        .collect();
    let flat: Vec<UnroundedFace> = faces.iter().flatten().map(|(_, f)| f.clone()).collect();
    let mut shared = planes::share_planes(&flat).into_iter();
    let planes: Vec<Vec<_>> = faces
        .iter()
        .map(|f| shared.by_ref().take(f.len()).collect())
        .collect();
    let each = alone.into_par_iter().zip(brushes).zip(&faces).zip(&planes);
    each.map(|(((alone, brush), faces), planes)| match alone {
        Ok(alone) if !alone.fixed => {
            let shared = with_planes(faces.iter().map(|f| f.0), planes);
            let off =
                |(id, face): &(usize, UnroundedFace)| (*id, coarseness(&brush[*id], &face.polygon));
            RoundedBrush {
                rounded: true,
                alone: shared.is_none() && alone.grid.is_ok(),
                grid: shared.map_or(alone.grid, Ok),
                coarsest: faces.iter().map(off).max_by(|a, b| a.1.total_cmp(&b.1)),
            }
        }
        fixed_or_skipped => unchanged(fixed_or_skipped),
    })
    .collect()
}

/// A brush's faces as input of `planes`, each with its index in the file.
fn shape_faces(
    brush: u32,
    faces: &[FacePlane],
    alone: &RoundedAlone,
) -> Vec<(usize, UnroundedFace)> {
    let own;
    let shape = match alone.shape.ids.is_empty() {
        // On the grid by its plane points alone: the f64 polygons only serve to find neighbours.
        true => match BrushPolygons::new(faces) {
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
            let face = UnroundedFace {
                brush,
                normal: to_y_up(plane.normal),
                dist: plane.dist * STEPS,
                on_grid: match &alone.grid {
                    Ok(grid) if alone.fixed => grid.sides.iter().find(|s| s.0 == id).map(|s| s.1),
                    _ => brush::authored(&faces[id]),
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

/// Greatest error of a corner of the face due to the numbers of the file, steps: half of the last decimal, or the rounding
/// of an editor in f32, times the leverage of the corner.
fn noise(face: &FacePlane, polygon: &[DVec3]) -> f64 {
    let FacePlane::Points(points) = face else {
        return brush::ON * STEPS;
    };
    let off_grid = points.iter().flat_map(|p| p.to_array());
    let off_grid = off_grid.filter(|v| (v * STEPS).fract() != 0.0);
    let lost = |v: f64| v.abs() * f64::from(f32::EPSILON);
    let lost = off_grid.map(lost).fold(0.0, f64::max);
    lost.max(last_decimal(points) / 2.0) * STEPS * leverage(points, polygon)
}

/// Greatest error of a corner of the face due to missing decimals, steps.
fn coarseness(face: &FacePlane, polygon: &[DVec3]) -> f64 {
    match face {
        FacePlane::Points(points) => last_decimal(points) / 2.0 * STEPS * leverage(points, polygon),
        FacePlane::Bare(..) => 0.0,
    }
}

/// The unit of the last decimal, of the longest of the nine numbers; 0 where all lie on the grid, or one has more than six
/// decimals.
fn last_decimal(points: &[DVec3; 3]) -> f64 {
    const SCALES: [f64; 7] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    let last_unit = |v: f64| {
        let is_whole =
            |scale: f64| (v * scale - (v * scale).round()).abs() < 1e-6 * scale.max(1.0) / 1e3;
        let scale = SCALES.into_iter().find(|&s| is_whole(s));
        scale.map_or(0.0, |s| 1.0 / s)
    };
    let off_grid = points.iter().flat_map(|p| p.to_array());
    let off_grid = off_grid.filter(|v| (v * STEPS).fract() != 0.0);
    off_grid.map(last_unit).reduce(f64::min).unwrap_or(0.0)
}

/// Greatest error of a corner of the face when each number of the three points is off by 1.
fn leverage(points: &[DVec3; 3], polygon: &[DVec3]) -> f64 {
    let [a, b, c] = points.map(|p| to_y_up(p) * STEPS);
    let (u, v) = (b - a, c - a);
    let n = u.cross(v);
    let nn = n.length_squared();
    let outside = polygon.iter().map(|&p| {
        let along = (p - a).cross(v).dot(n) / nn;
        let across = u.cross(p - a).dot(n) / nn;
        along.abs() + across.abs() + (1.0 - along - across).abs()
    });
    3f64.sqrt() * outside.fold(1.0, f64::max)
}

/// The brush with shared planes; None where it loses a face or its volume.
fn with_planes(
    ids: impl Iterator<Item = usize>,
    shared: &[Option<[I64Vec3; 3]>],
) -> Option<GridBrush> {
    let sides: Option<Vec<_>> = ids.zip(shared).map(|(id, p)| Some((id, (*p)?))).collect();
    let sides = sides?;
    let planes: Option<Vec<Plane>> = sides.iter().map(|s| file_plane(&s.1)).collect();
    let polygons = brush::polygons(&planes?).ok()?;
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
    brush::check_solid(&grid).is_ok().then_some(grid)
}

/// The plane through grid points (Y up) in the file's axes: units, Z up.
fn file_plane(points: &[I64Vec3; 3]) -> Option<Plane> {
    let file = |p: &I64Vec3| DVec3::new(p.x as f64, -p.z as f64, p.y as f64) / STEPS;
    let [a, b, c] = points;
    brush::plane_through(file(a), file(b), file(c))
}
