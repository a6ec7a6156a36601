//! The projection of a face along the coordinate axis nearest to its normal: exact, because it drops a coordinate.
use super::predicates::FEW;
use crate::carve::face::Face;
use crate::exact::Planes;
use glam::{DVec2, DVec3};
use smallvec::SmallVec;

/// Drops the coordinate of a plane's dominant axis; the plane is seen from the air.
#[derive(Clone, Copy, Debug)]
pub struct Projection {
    /// The coordinates that stay, in an order that keeps counter-clockwise loops counter-clockwise.
    axes: [usize; 2],
}

impl Projection {
    /// Of a plane with this normal, which points into the air.
    pub fn from_normal(normal: DVec3) -> Projection {
        let a = normal.abs();
        let axis = if a.x >= a.y && a.x >= a.z {
            0
        } else if a.y >= a.z {
            1
        } else {
            2
        };
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        Projection {
            axes: if normal[axis] < 0.0 { [v, u] } else { [u, v] },
        }
    }

    /// The projection of a point, exact.
    #[inline]
    pub fn project(self, p: DVec3) -> DVec2 {
        DVec2::new(p[self.axes[0]], p[self.axes[1]])
    }
}

/// The projected corners of all loops, relative to the first corner; exact.
pub(super) fn projected_corners(planes: &Planes, face: &Face) -> SmallVec<[DVec2; FEW]> {
    let projection = Projection::from_normal(planes.normal(face.plane));
    let corners = face.loops.iter().flatten();
    let mut corners = corners.map(|c| projection.project(c.point.at)).peekable();
    let origin = corners.peek().copied().unwrap_or_default();
    corners.map(|p| p - origin).collect()
}
