//! Queries in the form that culls boxes and faces: short sweep, long sweep, ray and overlap query.
use super::bounds::Bounds;
use super::f32x8::{BoxProbe, F32x8, PlaneProbe, ShearProbe, SlabProbe};
use super::index::WIDTH;
use super::lanes::{Boxes, Lanes};
use super::node::Block;
use crate::collide::ShearedRay;
use crate::geom::Aabb;
use glam::{DVec3, Vec3A};

/// A query against eight boxes or faces at a time; lane k answers in bit k.
pub(super) trait CullQuery {
    /// Whether bins are visited nearest first.
    const SORTED: bool;
    /// The boxes that the query may hit before the limit, with entry and exit.
    fn boxes<S: F32x8>(&self, simd: S, boxes: &Boxes, limit: f32, at: &mut [Lanes; 2]) -> u32;
    /// The faces of a block that it may hit before the limit, with entry and exit of their boxes if known.
    fn faces<S: F32x8>(&self, simd: S, block: &Block, limit: f32, at: &mut [Lanes; 2]) -> u32;
    /// Hits beyond `limit`, a part of the displacement, no longer count.
    fn shorten(&mut self, limit: f64);
}

/// Beyond this, metres, f32 is too coarse and nothing is culled.
const FARTHEST: f64 = 1e12;

/// Relative error bound of f32 coordinates and of sums of a few of them.
const NARROW: f64 = 1e-6;

/// A moving sphere or point; `margin` is its radius with all slack, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub from: DVec3,
    pub displacement: DVec3,
    pub margin: f64,
    /// Upper bound of all coordinates involved, metres.
    pub reach: f64,
}

impl Path {
    /// Whether f32 is fine enough to cull it.
    pub fn is_near(&self) -> bool {
        self.reach + self.margin < FARTHEST
    }

    #[inline(always)]
    fn planes(&self) -> PlaneProbe {
        // Covers the rounding of two dot products and of the position along the path.
        let margin = self.margin + 4.0 * (self.reach + self.margin) * NARROW;
        PlaneProbe {
            from: self.from.as_vec3().to_array(),
            displacement: self.displacement.as_vec3().to_array(),
            margin: margin as f32,
        }
    }
}

impl Path {
    #[inline(always)]
    fn slabs(&self) -> SlabProbe {
        // A difference of two coordinates times an inverse loses less than ten half steps of the reach, and corners
        // have lost one by rounding. The margin added here is larger, so entry and exit can be compared directly.
        let margin = self.margin + (self.reach + self.margin) * NARROW;
        let mut slabs = SlabProbe::default();
        for axis in 0..3 {
            let d = self.displacement[axis] as f32;
            // Large enough for a finite inverse; the sign of zero does not matter.
            let d = d.abs().max(1e-25).copysign(d);
            // By the sign bit instead of a branch, which would be unpredictable.
            let (from, ahead) = (self.from[axis], margin.copysign(d.into()));
            slabs.falls[axis] = d.to_bits() >> 31;
            slabs.inv[axis] = 1.0 / d;
            slabs.near[axis] = (from + ahead) as f32;
            slabs.far[axis] = (from - ahead) as f32;
        }
        slabs
    }
}

/// A sweep no longer than its diameter, culled by the box around it.
pub(super) struct ShortSweep {
    path: Path,
    around: BoxProbe,
}

impl ShortSweep {
    #[inline(always)]
    pub fn new(path: Path) -> Self {
        let around = around(&path, 1.0);
        Self { path, around }
    }
}

#[inline(always)]
fn around(path: &Path, limit: f64) -> BoxProbe {
    let to = path.from + path.displacement * limit;
    let (from, to) = (path.from.as_vec3a(), to.as_vec3a());
    let margin = Vec3A::splat((path.margin + path.reach * NARROW) as f32);
    BoxProbe {
        min: (from.min(to) - margin).to_array(),
        max: (from.max(to) + margin).to_array(),
    }
}

impl CullQuery for ShortSweep {
    const SORTED: bool = false;

    #[inline(always)]
    fn boxes<S: F32x8>(&self, simd: S, boxes: &Boxes, _: f32, _: &mut [Lanes; 2]) -> u32 {
        simd.touching(boxes, &self.around)
    }
    #[inline(always)]
    fn faces<S: F32x8>(&self, simd: S, block: &Block, limit: f32, _: &mut [Lanes; 2]) -> u32 {
        let mask = simd.touching(&simd.boxes(&block.corners), &self.around);
        if mask == 0 {
            return 0;
        }
        let whole = [[0.0; WIDTH], [limit; WIDTH]];
        mask & simd.reached(&block.planes, &self.path.planes(), &whole)
    }
    #[inline(always)]
    fn shorten(&mut self, limit: f64) {
        self.around = around(&self.path, limit);
    }
}

/// A longer sweep, culled by slabs: a segment against boxes grown by the radius.
pub(super) struct LongSweep {
    slabs: SlabProbe,
    planes: PlaneProbe,
}

impl LongSweep {
    #[inline(always)]
    pub fn new(path: &Path) -> Self {
        Self {
            slabs: path.slabs(),
            planes: path.planes(),
        }
    }
}

impl CullQuery for LongSweep {
    const SORTED: bool = true;

    #[inline(always)]
    fn boxes<S: F32x8>(&self, simd: S, boxes: &Boxes, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        simd.entered(boxes, &self.slabs, limit, at)
    }
    #[inline(always)]
    fn faces<S: F32x8>(&self, simd: S, block: &Block, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        let mask = simd.entered(&simd.boxes(&block.corners), &self.slabs, limit, at);
        if mask == 0 {
            return 0;
        }
        mask & simd.reached(&block.planes, &self.planes, at)
    }
    #[inline(always)]
    fn shorten(&mut self, _: f64) {}
}

/// A ray, tested in f32 against the triangles themselves; one in fifty candidates is a miss. Back faces count only with
/// `BACKS`.
pub(super) struct RayQuery<const BACKS: bool> {
    slabs: SlabProbe,
    shear: ShearProbe,
}

impl<const BACKS: bool> RayQuery<BACKS> {
    /// `near` is an upper bound of the coordinates of the origin and of all corners.
    #[inline(always)]
    pub fn new(path: &Path, ray: &ShearedRay, near: f64) -> Self {
        // A sheared coordinate is (corner - origin) minus at most the same along the ray. Rounding moves it by at most
        // 16 half steps of the largest coordinate, which is `lost`. Areas are differences of two products of such
        // coordinates: their error is 4 · largest coordinate · `lost`, half as much again for rounding, and terms in
        // `lost` squared.
        let lost = (near + path.margin) * NARROW;
        let (axes, origin, shear) = ray.rounded();
        let slack = [6.0 * lost, 12.0 * lost * lost].map(|x| x as f32);
        let shear = ShearProbe {
            axes,
            origin,
            shear,
            slack,
        };
        let slabs = path.slabs();
        Self { slabs, shear }
    }
}

impl<const BACKS: bool> CullQuery for RayQuery<BACKS> {
    const SORTED: bool = true;

    #[inline(always)]
    fn boxes<S: F32x8>(&self, simd: S, boxes: &Boxes, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        simd.entered(boxes, &self.slabs, limit, at)
    }
    #[inline(always)]
    fn faces<S: F32x8>(&self, simd: S, block: &Block, _: f32, _: &mut [Lanes; 2]) -> u32 {
        let [fronts, backs] = simd.crossed(&block.corners, &self.shear);
        if BACKS { fronts | backs } else { fronts }
    }
    #[inline(always)]
    fn shorten(&mut self, _: f64) {}
}

/// A box: all faces in the boxes that it overlaps.
pub(super) struct OverlapQuery(BoxProbe);

impl OverlapQuery {
    pub fn new(bounds: &Aabb) -> Self {
        // No coordinate of a tree is as large as this bound; comparisons with NaN fail. Rounding preserves order, so
        // boxes that touch still touch after rounding.
        let most = DVec3::splat(1e37);
        let bounds = Bounds::containing(bounds.min.max(-most), bounds.max.min(most));
        Self(BoxProbe {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
        })
    }

    /// The whole tree.
    pub fn everywhere() -> Self {
        Self(BoxProbe {
            min: [f32::MIN; 3],
            max: [f32::MAX; 3],
        })
    }
}

impl CullQuery for OverlapQuery {
    const SORTED: bool = false;

    #[inline(always)]
    fn boxes<S: F32x8>(&self, simd: S, boxes: &Boxes, _: f32, _: &mut [Lanes; 2]) -> u32 {
        simd.touching(boxes, &self.0)
    }
    #[inline(always)]
    fn faces<S: F32x8>(&self, simd: S, block: &Block, _: f32, _: &mut [Lanes; 2]) -> u32 {
        simd.touching(&simd.boxes(&block.corners), &self.0)
    }
    #[inline(always)]
    fn shorten(&mut self, _: f64) {}
}
