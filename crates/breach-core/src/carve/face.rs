//! Faces: maximal planar pieces of the boundary of air.
use super::polytope::Surface;
use crate::exact::{Facing, PlaneId, Planes, Point, equal, side};
use crate::geom::hash::Hash64;
use crate::geom::ring;
use glam::DVec3;

/// A corner of a loop, and the line of the edge that leaves it: the meet of the face's plane and `line`.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// Where, exactly.
    pub point: Point,
    /// The plane that, with the face's, makes the line of the edge to the next corner.
    pub line: PlaneId,
}

/// A face: its normal points into the air. Seen from the air, outer loops run counter-clockwise and holes clockwise.
#[derive(Clone, Debug)]
pub struct Face {
    /// Plane, facing into the air.
    pub plane: Facing,
    /// What it shows, or that it is a wall of the cell (open unless rock lies behind it).
    pub surface: Surface,
    /// The outer loop, then the holes.
    pub loops: Vec<Vec<Corner>>,
    /// Box in steps, grown by the rounding of `at`: lowest corner.
    pub lo: DVec3,
    /// Highest corner.
    pub hi: DVec3,
    /// Hash of positions and plane: the same whatever planes made the corners.
    pub key: u64,
    /// Number of the piece of solid that was deliberately left hanging in the air; 0 for everything else.
    pub piece: u32,
    /// Triangles, as indices into the corners of all loops; empty until the face is first drawn.
    pub triangles: Vec<[u32; 3]>,
}

impl Face {
    /// A face with these loops.
    pub fn new(planes: &Planes, plane: Facing, surface: Surface, loops: Vec<Vec<Corner>>) -> Face {
        let mut f = Face {
            plane,
            surface,
            loops,
            lo: DVec3::ZERO,
            hi: DVec3::ZERO,
            key: 0,
            piece: 0,
            triangles: Vec::new(),
        };
        f.refresh(planes);
        f
    }

    /// Whether every corner lies on the face's plane and on the lines of its two edges, and every edge has a length.
    pub fn is_sound(&self, planes: &Planes) -> bool {
        let is_on = |c: &Corner, plane: PlaneId| side(planes, &c.point, plane) == 0;
        self.loops.iter().all(|l| {
            l.len() >= 3
                && ring::pairs(l).all(|(a, b)| {
                    let line = a.line;
                    is_on(a, self.plane.plane)
                        && is_on(a, line)
                        && is_on(b, line)
                        && !equal(planes, &a.point, &b.point)
                })
        })
    }

    /// Recomputes box and key from the loops, and clears the triangles.
    pub fn refresh(&mut self, planes: &Planes) {
        debug_assert!(self.is_sound(planes), "a face of nothing: {:?}", self.loops);
        self.triangles.clear();
        self.lo = DVec3::INFINITY;
        self.hi = DVec3::NEG_INFINITY;
        let mut sum = 0u64;
        for l in &self.loops {
            for (c, next) in ring::pairs(l) {
                self.lo = self.lo.min(c.point.at);
                self.hi = self.hi.max(c.point.at);
                // Edges are hashed one by one and added up, so that it does not matter where a loop begins.
                let next = next.point.at;
                let mut h = Hash64::new();
                for v in c.point.at.to_array().into_iter().chain(next.to_array()) {
                    h.f64(v);
                }
                sum = sum.wrapping_add(h.finish());
            }
        }
        self.lo -= 2e-6;
        self.hi += 2e-6;
        let p = &planes[self.plane.plane];
        let mut h = Hash64::new();
        h.u64(sum);
        h.u64(self.plane.flip as u64);
        for n in p.n {
            h.u64(n as u64);
        }
        h.u64(p.d as u64);
        self.key = h.finish();
    }

    /// Every plane that the face refers to, with repetitions.
    pub fn planes(&self) -> impl Iterator<Item = PlaneId> + '_ {
        let corners = self.loops.iter().flatten();
        let named = corners.flat_map(|c| c.point.planes.into_iter().chain([c.line]));
        named.chain([self.plane.plane])
    }

    /// Whether the face's box touches another.
    pub fn touches(&self, lo: DVec3, hi: DVec3) -> bool {
        self.lo.cmple(hi).all() && self.hi.cmpge(lo).all()
    }

    /// Area vector (area times unit normal), square steps.
    pub fn area_vector(&self) -> DVec3 {
        let o = self.loops[0][0].point.at;
        let mut sum = DVec3::ZERO;
        for l in &self.loops {
            for (a, b) in ring::pairs(l) {
                sum += (a.point.at - o).cross(b.point.at - o);
            }
        }
        sum * 0.5
    }
}

/// The face with an index in a cell's slab; it must exist.
pub fn live_face(faces: &[Option<Face>], id: u32) -> &Face {
    let face = faces[id as usize].as_ref();
    face.expect("a face that is near is there")
}
