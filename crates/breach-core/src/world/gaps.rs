//! Places where reached air is so narrow that a hairline may connect it to unreached air.
use super::cell::points;
use super::geometry::Geometry;
use super::hairlines::GROWTHS;
use super::reachability::Reachability;
use crate::carve::face::Face;
use crate::exact::{Point, side};
use crate::geom::ring;
use glam::{DVec3, I64Vec3};
use rustc_hash::{FxHashMap, FxHashSet};

/// Size of the boxes that corners are binned in, steps (a metre).
const BOX: f64 = 16384.0;
/// Corners closer than this count as one, where planes off the grid meet; steps.
const SAME_CORNER: f64 = 8.0;

/// Whether a player would see into a hairline: a face of reached air is narrower than the width that the first growth
/// closes.
pub(super) fn has_sliver_face(geometry: &Geometry, reachability: &Reachability) -> bool {
    reached(geometry, reachability).any(|face| {
        let corners: Vec<DVec3> = points(face).collect();
        let longest = ring::pairs(&corners).max_by(|(a, b), (c, d)| {
            let [one, other] = [a.distance(**b), c.distance(**d)];
            one.total_cmp(&other)
        });
        longest.is_some_and(|(&a, &b)| {
            let along = (b - a).normalize_or_zero();
            let width = |&p: &DVec3| along.cross(p - a).length();
            corners.iter().map(width).fold(0.0, f64::max) < GROWTHS[0].unseen
        })
    })
}

/// For each growth, whether it is needed: a corner of reached air lies in front of a face of it, not on it, at a
/// distance that this growth closes and no smaller one does.
pub(super) fn growths_needed(
    geometry: &Geometry,
    reachability: &Reachability,
) -> [bool; GROWTHS.len()] {
    let corners = Corners::new(reached(geometry, reachability));
    // Both sides grow.
    let widths = GROWTHS.map(|growth| 2.0 * growth.all);
    let widest = widths.into_iter().fold(0.0, f64::max);
    let mut found = [false; GROWTHS.len()];
    for face in reached(geometry, reachability) {
        let normal = geometry.planes.normal(face.plane).normalize_or_zero();
        let outline: Vec<DVec3> = points(face).collect();
        let low = outline.iter().copied().fold(DVec3::MAX, DVec3::min) - widest;
        let high = outline.iter().copied().fold(DVec3::MIN, DVec3::max) + widest;
        corners.each_in_box(low, high, |point| {
            let height = normal.dot(point.at - outline[0]);
            // Cheap tests first. Where the face has a corner at this place too, planes meet off the grid and no slit
            // begins.
            let is_before = height < widest
                && height > -1.0
                && side(&geometry.planes, point, face.plane.plane) == face.plane.sign()
                && outline.iter().all(|p| p.distance(point.at) > SAME_CORNER);
            if is_before && let Some(growth) = widths.iter().position(|&width| height < width) {
                found[growth] = true;
            }
        });
    }
    found
}

/// The corners of faces, each position once, binned in boxes.
struct Corners<'a>(FxHashMap<I64Vec3, Vec<&'a Point>>);

impl<'a> Corners<'a> {
    fn new(faces: impl Iterator<Item = &'a Face>) -> Corners<'a> {
        let mut boxes: FxHashMap<I64Vec3, Vec<&Point>> = FxHashMap::default();
        let mut known = FxHashSet::default();
        for corner in faces.flat_map(|face| face.loops.iter().flatten()) {
            let at = corner.point.at;
            if known.insert(at.to_array().map(f64::to_bits)) {
                boxes.entry(box_of(at)).or_default().push(&corner.point);
            }
        }
        Corners(boxes)
    }

    /// Visits the corners within a box.
    fn each_in_box(&self, low: DVec3, high: DVec3, mut visit: impl FnMut(&Point)) {
        let mut look = |list: &[&Point]| {
            let inside = |p: &&&Point| p.at.cmpge(low).all() && p.at.cmple(high).all();
            list.iter().filter(inside).for_each(|point| visit(point));
        };
        let [from, to] = [box_of(low), box_of(high)];
        if (to - from + 1).as_dvec3().element_product() > self.0.len() as f64 {
            return self.0.values().for_each(|list| look(list));
        }
        for x in from.x..=to.x {
            for y in from.y..=to.y {
                for z in from.z..=to.z {
                    if let Some(list) = self.0.get(&I64Vec3::new(x, y, z)) {
                        look(list);
                    }
                }
            }
        }
    }
}

fn box_of(p: DVec3) -> I64Vec3 {
    (p / BOX).floor().as_i64vec3()
}

/// The faces of the level's one cell that bound reached air.
fn reached<'a>(
    geometry: &'a Geometry,
    reachability: &Reachability,
) -> impl Iterator<Item = &'a Face> + use<'a> {
    let unreached: FxHashSet<_> = reachability.unreached.iter().copied().collect();
    let faces = geometry.cells[0].stuff();
    let reached = faces.filter(move |&(f, _)| !unreached.contains(&(0, f)));
    reached.map(|(_, face)| face)
}
