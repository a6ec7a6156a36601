//! Thin slabs with jagged sides, to break solid with: boxes side by side, each of its own thickness.
use crate::geom::rng::Rng;
use crate::world::{BrushDesc, MaterialId};
use glam::{DVec2, DVec3, dvec2};

/// Overlap of neighbouring boxes, metres.
const OVERLAP_M: f64 = 0.002;

/// Where a slab lies, and how it is divided.
pub(super) struct Slab {
    /// A point of its middle plane, metres.
    pub centre: DVec3,
    /// The axis across it: 0 is x.
    pub axis: usize,
    /// Its corners seen from `centre`, along the next axis and the one after, metres.
    pub low: DVec2,
    pub high: DVec2,
    /// Greatest edge of a box along the slab, metres.
    pub facet_m: f64,
    /// Half the least and the greatest thickness, metres.
    pub half_thickness_m: [f64; 2],
}

/// The boxes of a slab.
pub(super) fn slab(slab: &Slab, material: MaterialId, rng: &mut Rng) -> Vec<BrushDesc> {
    let (axis, u, v) = (slab.axis, (slab.axis + 1) % 3, (slab.axis + 2) % 3);
    let count = ((slab.high - slab.low) / slab.facet_m).ceil();
    let count = count.max(DVec2::ONE);
    let size = (slab.high - slab.low) / count;
    let mut brushes = Vec::new();
    for i in 0..count.x as i32 {
        for k in 0..count.y as i32 {
            let corner = slab.low + size * dvec2(f64::from(i), f64::from(k));
            let (mut min, mut max) = (slab.centre, slab.centre);
            (min[u], min[v]) = (min[u] + corner.x, min[v] + corner.y);
            // They overlap, so that rounding to the grid leaves no web between them.
            (max[u], max[v]) = (min[u] + size.x + OVERLAP_M, min[v] + size.y + OVERLAP_M);
            let [least, most] = slab.half_thickness_m;
            min[axis] -= rng.range(least, most);
            max[axis] += rng.range(least, most);
            // Beyond the grid there is no box, and nothing to break.
            brushes.extend(BrushDesc::cuboid(min, max).map(|b| b.with_material(material)));
        }
    }
    brushes
}
