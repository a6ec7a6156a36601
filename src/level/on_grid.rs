//! All brushes of a file to the grid at once, since they share planes.
//!
//! A brush that lies on the grid stays as it is. Any other one is rounded once: its faces share planes with those of its
//! neighbours (`planes`). Where that would cost a brush a face it is rounded by itself (`brush`).
use super::brush::{self, Alone, Fault, GridBrush, Plane, Shape};
use super::grid::{STEPS, to_y_up};
use super::parse::FacePlane;
use super::planes::{self, Face};
use glam::{DVec3, I64Vec3};
use rayon::prelude::*;

/// A brush of the file as it is built.
pub(super) struct Imported {
    /// On the grid, or why it is dropped.
    pub grid: Result<GridBrush, Fault>,
    /// It lay off the grid.
    pub rounded: bool,
    /// It was rounded by itself, since it would have lost a face with the planes of its neighbours.
    pub alone: bool,
    /// The face whose plane the file's decimals say least well, and by how much it may be off there, steps.
    pub coarsest: Option<(usize, f64)>,
}

/// Brings all brushes to the grid. Faces that are flat, repeated or clipped away are left out.
pub(super) fn on_grid(brushes: &[Vec<FacePlane>]) -> Vec<Imported> {
    let alone: Vec<Result<Alone, Fault>> =
        brushes.par_iter().map(|b| brush::by_itself(b)).collect();
    let is_rounded = |alone: &Result<Alone, Fault>| alone.as_ref().is_ok_and(|a| !a.fixed);
    let as_it_is = |alone: Result<Alone, Fault>| Imported {
        grid: alone.and_then(|a| a.grid),
        rounded: false,
        alone: false,
        coarsest: None,
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
    let each = alone.into_par_iter().zip(brushes).zip(&faces).zip(&planes);
    each.map(|(((alone, brush), faces), planes)| match alone {
        Ok(alone) if !alone.fixed => {
            let shared = with_planes(faces.iter().map(|f| f.0), planes);
            let off = |(id, face): &(usize, Face)| (*id, coarseness(&brush[*id], &face.polygon));
            Imported {
                rounded: true,
                alone: shared.is_none() && alone.grid.is_ok(),
                grid: shared.map_or(alone.grid, Ok),
                coarsest: faces.iter().map(off).max_by(|a, b| a.1.total_cmp(&b.1)),
            }
        }
        other => as_it_is(other),
    })
    .collect()
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

/// How far the numbers of a file may move a corner of the face off its plane, steps: half of the last decimal, and what
/// an editor that counts in f32 loses, times how far the corner lies outside of the plane points.
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

/// How far the decimals that were left out may move a corner of the face off its plane, steps.
fn coarseness(face: &FacePlane, polygon: &[DVec3]) -> f64 {
    match face {
        FacePlane::Points(points) => last_decimal(points) / 2.0 * STEPS * leverage(points, polygon),
        FacePlane::Bare(..) => 0.0,
    }
}

/// What one more of the last decimal adds to a number off the grid, as the longest of the nine has it; 0 where the
/// numbers lie on the grid, or have more than six decimals.
fn last_decimal(points: &[DVec3; 3]) -> f64 {
    const SCALES: [f64; 7] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
    let of_number = |v: f64| {
        let is_whole =
            |scale: f64| (v * scale - (v * scale).round()).abs() < 1e-6 * scale.max(1.0) / 1e3;
        let scale = SCALES.into_iter().find(|&s| is_whole(s));
        scale.map_or(0.0, |s| 1.0 / s)
    };
    let off_grid = points.iter().flat_map(|p| p.to_array());
    let off_grid = off_grid.filter(|v| (v * STEPS).fract() != 0.0);
    off_grid.map(of_number).reduce(f64::min).unwrap_or(0.0)
}

/// How far a corner of the face may move off its plane where each number of the three points moves by 1.
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

/// The brush with shared planes; None where a face was lost or nothing is left.
fn with_planes(
    ids: impl Iterator<Item = usize>,
    shared: &[Option<[I64Vec3; 3]>],
) -> Option<GridBrush> {
    let sides: Option<Vec<_>> = ids.zip(shared).map(|(id, p)| Some((id, (*p)?))).collect();
    let sides = sides?;
    let planes: Option<Vec<Plane>> = sides.iter().map(|s| plane_of(&s.1)).collect();
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

/// The plane of grid points (Y up), as the file has it: units, Z up.
fn plane_of(points: &[I64Vec3; 3]) -> Option<Plane> {
    let file = |p: &I64Vec3| DVec3::new(p.x as f64, -p.z as f64, p.y as f64) / STEPS;
    let [a, b, c] = points;
    brush::plane_through(file(a), file(b), file(c))
}
