//! The convex hull of a chunk: what it touches other bodies with, if it is nearly convex.
mod polygons;
mod shell;

use glam::DVec3;
use polygons::{Polygon, polygons, sides, top};
use shell::Shell;
use std::ops::Range;

/// A closed convex polytope in the frame of its chunk: the centre of mass is the origin. Metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Corners; at most [`MOST_CORNERS`].
    pub corners: Vec<DVec3>,
    /// Faces: convex polygons of three corners or more.
    pub faces: Vec<HullFace>,
    /// The corners of all faces, as indices: of each a loop, counter-clockwise seen from outside.
    pub loops: Vec<u8>,
    /// Each edge once.
    pub edges: Vec<HullEdge>,
}

/// A face of a [`Hull`]: the points with n·x = d, the hull where n·x <= d.
#[derive(Clone, Debug, PartialEq)]
pub struct HullFace {
    /// Outward, unit.
    pub normal: DVec3,
    /// d, metres.
    pub offset: f64,
    /// Its loop, in [`Hull::loops`].
    pub corners: Range<u16>,
}

/// An edge of a [`Hull`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullEdge {
    /// Indices of its ends; in the loop of the first face the second end follows the first.
    pub corners: [u8; 2],
    /// Indices of the two faces that meet in it.
    pub faces: [u16; 2],
}

/// Most corners of a hull.
pub const MOST_CORNERS: usize = 32;

/// No face yet.
const NONE: u16 = u16::MAX;

impl Hull {
    /// The hull of points in the frame of the chunk. `None` if they have no volume, are not finite, or the hull is
    /// degenerate.
    ///
    /// Its corners are some of the points. No point lies outside of a triangle of three neighbouring corners by more than
    /// 0.5 % of the length (at least 1 mm; at most 5 % of the thickness), unless that takes more than [`MOST_CORNERS`].
    /// Triangles that are flat within the same distance are one face.
    pub fn around(points: &[DVec3]) -> Option<Hull> {
        if !points.iter().all(|p| p.is_finite()) {
            return None;
        }
        let shell = Shell::around(points, MOST_CORNERS)?;
        let hull = Hull::from_polygons(&shell, &polygons(&shell))?;
        (hull.volume() > 0.0).then_some(hull)
    }

    /// `None` if the polygons are not the closed surface of a ball, or one is not flat.
    fn from_polygons(shell: &Shell, polygons: &[Polygon]) -> Option<Hull> {
        let (mut corners, mut faces, mut loops) = (Vec::new(), Vec::new(), Vec::new());
        // Only the corners that a polygon still has.
        let mut numbers = [u8::MAX; MOST_CORNERS];
        for polygon in polygons {
            let start = loops.len() as u16;
            for &i in &polygon.corners {
                let number = &mut numbers[usize::from(i)];
                if *number == u8::MAX {
                    *number = corners.len() as u8;
                    corners.push(shell.corners[usize::from(i)]);
                }
                loops.push(*number);
            }
            faces.push(HullFace {
                normal: polygon.area.try_normalize()?,
                offset: 0.0,
                corners: start..loops.len() as u16,
            });
        }
        for face in &mut faces {
            face.offset = top(&corners, face.normal);
        }
        let edges = edges(&faces, &loops)?;
        let is_closed = corners.len() + faces.len() == edges.len() + 2;
        let hull = Hull {
            corners,
            faces,
            loops,
            edges,
        };
        let is_flat = |face: &HullFace| {
            let least = face.offset - shell.tolerance;
            hull.corners_of(face).all(|p| face.normal.dot(p) >= least)
        };
        (is_closed && hull.faces.iter().all(is_flat)).then_some(hull)
    }

    /// Cubic metres.
    pub fn volume(&self) -> f64 {
        let Some(&origin) = self.corners.first() else {
            return 0.0;
        };
        // Tetrahedra from one corner to the triangles of all faces.
        let mut six_volumes = 0.0;
        for face in &self.faces {
            let mut corners = self.corners_of(face).map(|p| p - origin);
            let (Some(first), Some(mut last)) = (corners.next(), corners.next()) else {
                continue;
            };
            for corner in corners {
                six_volumes += first.dot(last.cross(corner));
                last = corner;
            }
        }
        six_volumes / 6.0
    }

    /// Distance from the centre of mass to the nearest face's plane, metres.
    pub fn depth(&self) -> f64 {
        let offsets = self.faces.iter().map(|face| face.offset);
        offsets.fold(f64::INFINITY, f64::min).max(0.0)
    }

    /// The corners of a face, counter-clockwise seen from outside.
    pub fn corners_of(&self, face: &HullFace) -> impl Iterator<Item = DVec3> + '_ {
        let range = face.corners.start as usize..face.corners.end as usize;
        self.loops[range]
            .iter()
            .map(|&i| self.corners[usize::from(i)])
    }
}

/// Each edge once, from its lower corner to its higher one. `None` if an edge has not just two faces.
fn edges(faces: &[HullFace], loops: &[u8]) -> Option<Vec<HullEdge>> {
    let sides_of = |face: &HullFace| {
        let range = usize::from(face.corners.start)..usize::from(face.corners.end);
        sides(&loops[range])
    };
    // The face that has the second corner after the first.
    let mut face_of = [[NONE; MOST_CORNERS]; MOST_CORNERS];
    for (f, face) in (0u16..).zip(faces) {
        for [a, b] in sides_of(face) {
            let owner = &mut face_of[usize::from(a)][usize::from(b)];
            if *owner != NONE {
                return None;
            }
            *owner = f;
        }
    }
    let mut edges = Vec::with_capacity(loops.len() / 2);
    for (f, face) in (0u16..).zip(faces) {
        for [a, b] in sides_of(face) {
            let across = face_of[usize::from(b)][usize::from(a)];
            if across == NONE || across == f {
                return None;
            }
            if a < b {
                edges.push(HullEdge {
                    corners: [a, b],
                    faces: [f, across],
                });
            }
        }
    }
    Some(edges)
}

#[cfg(test)]
mod tests;
