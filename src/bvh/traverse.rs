//! The one way to walk a tree: nearest bin first, cut off by the best hit so far.
//!
//! A short path is culled by the box around it, a long one by slabs on boxes grown by the margin. Coordinates are
//! rounded to f32 on the way in; the margins cover that.
use super::QueryStats;
use super::build::Bounds;
use super::lanes::{BoxProbe, PlaneProbe, SlabProbe, Wide};
use super::node::{LEAF, NONE, Tree};
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

/// A query as culling sees it: a segment, grown by a margin on all sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    from: DVec3,
    displacement: DVec3,
    margin: f64,
    is_short: bool,
    /// Around the segment up to the limit; only kept for short ones.
    around: BoxProbe,
    slabs: SlabProbe,
    planes: PlaneProbe,
    limit: f32,
}

/// Beyond this, metres, f32 tells nothing apart: everything is looked at.
const FARTHEST: f64 = 1e12;
/// What f32 may lose of a coordinate and of sums of a few of them, relative.
const NARROW: f64 = 1e-6;

impl Probe {
    /// A path from `from` of a sphere of radius `margin`; `reach` is the tree's greatest coordinate. `is_short` when its
    /// box is hardly larger than itself.
    #[inline(always)]
    pub fn path(from: DVec3, displacement: DVec3, margin: f64, reach: f64, is_short: bool) -> Self {
        let farthest = from.abs().max((from + displacement).abs()).max_element();
        let scale = farthest.max(reach) + margin;
        let narrow = margin + scale * NARROW;
        // A comparison with what is no number says far.
        let is_near = scale < FARTHEST;
        let mut probe = Self {
            from,
            displacement,
            margin,
            is_short: is_short || !is_near,
            around: BoxProbe {
                min: [0.0; 3],
                max: [0.0; 3],
            },
            slabs: SlabProbe {
                falls: [false; 3],
                near: [0.0; 3],
                far: [0.0; 3],
                inv: [0.0; 3],
            },
            planes: PlaneProbe {
                from: from.as_vec3().to_array(),
                displacement: displacement.as_vec3().to_array(),
                // Three products and their sums.
                margin: (margin + 4.0 * scale * NARROW) as f32,
                away: f32::INFINITY,
            },
            limit: 1.0,
        };
        if probe.is_short {
            if !is_near {
                probe.planes.from = [0.0; 3];
                probe.planes.displacement = [0.0; 3];
                probe.planes.margin = f32::INFINITY;
            }
            probe.surround(1.0);
            return probe;
        }
        for axis in 0..3 {
            let d = displacement[axis] as f32;
            // Never so small that its inverse overflows; the sign of zero does not matter.
            let d = if d.abs() < 1e-25 {
                1e-25f32.copysign(d)
            } else {
                d
            };
            let (low, high) = ((from[axis] - narrow) as f32, (from[axis] + narrow) as f32);
            let falls = d < 0.0;
            probe.slabs.falls[axis] = falls;
            probe.slabs.inv[axis] = 1.0 / d;
            (probe.slabs.near[axis], probe.slabs.far[axis]) =
                if falls { (low, high) } else { (high, low) };
        }
        probe
    }

    /// The same for a ray: only fronts count.
    #[inline(always)]
    pub fn ray(from: DVec3, displacement: DVec3, margin: f64, reach: f64) -> Self {
        let mut probe = Self::path(from, displacement, margin, reach, false);
        let speed = displacement.abs().max_element() * 4.0 * NARROW;
        if !probe.is_short {
            probe.planes.away = speed as f32;
        }
        probe
    }

    /// All that a standing box touches.
    #[inline(always)]
    pub fn standing(bounds: &Aabb) -> Self {
        let mut probe = Self::path(DVec3::ZERO, DVec3::ZERO, 0.0, f64::INFINITY, true);
        probe.around = box_probe(bounds.min, bounds.max);
        probe
    }

    #[inline(always)]
    fn surround(&mut self, limit: f64) {
        let end = self.from + self.displacement * limit;
        let margin = DVec3::splat(self.margin);
        self.around = box_probe(self.from.min(end) - margin, self.from.max(end) + margin);
    }

    /// Only what comes before `limit` counts any more.
    #[inline(always)]
    fn shorten(&mut self, limit: f64) {
        self.limit = limit as f32 * (1.0 + 4.0 * f32::EPSILON);
        if self.is_short {
            self.surround(limit);
        }
    }
}

/// In f32, rounded outwards; nothing of a tree lies where it is cut off.
#[inline(always)]
fn box_probe(min: DVec3, max: DVec3) -> BoxProbe {
    let most = DVec3::splat(1e37);
    let bounds = Bounds::around(min.clamp(-most, most), max.clamp(-most, most));
    BoxProbe {
        min: bounds.min.to_array(),
        max: bounds.max.to_array(),
    }
}

impl Tree {
    /// Calls `visit(face)` for the faces that the probe may meet, the nearer bins first; it answers the limit from then
    /// on, a part of the displacement, or None if nothing has changed.
    #[inline(always)]
    pub fn walk<W: Wide>(
        &self,
        wide: W,
        mut probe: Probe,
        stats: &mut QueryStats,
        mut visit: impl FnMut(u32) -> Option<f64>,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let mut waiting: SmallVec<[(f32, u32); 64]> = SmallVec::new();
        waiting.push((0.0, 0));
        let mut enters = [0.0; 8];
        while let Some((enter, child)) = waiting.pop() {
            if enter > probe.limit {
                continue;
            }
            stats.bins += 1;
            if child & LEAF == 0 {
                let node = &self.nodes[child as usize];
                if probe.is_short {
                    let mut mask = wide.touching(&node.boxes, &probe.around);
                    while mask != 0 {
                        let lane = mask.trailing_zeros() as usize & 7;
                        mask &= mask - 1;
                        waiting.push((0.0, node.child[lane]));
                    }
                    continue;
                }
                let mut mask = wide.entered(&node.boxes, &probe.slabs, probe.limit, &mut enters);
                let first = waiting.len();
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize & 7;
                    mask &= mask - 1;
                    let entry = (enters[lane], node.child[lane]);
                    waiting.push(entry);
                    // The nearest last: it is taken first.
                    let mut at = waiting.len() - 1;
                    while at > first && waiting[at - 1].0 < entry.0 {
                        waiting[at] = waiting[at - 1];
                        at -= 1;
                    }
                    waiting[at] = entry;
                }
                continue;
            }
            let mut at = child & !LEAF;
            while at != NONE {
                let block = &self.blocks[at as usize];
                let mut mask = if probe.is_short {
                    wide.touching(&block.boxes, &probe.around)
                } else {
                    wide.entered(&block.boxes, &probe.slabs, probe.limit, &mut enters)
                };
                if mask != 0 {
                    mask &= wide.reached(block, &probe.planes, probe.limit);
                }
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize & 7;
                    mask &= mask - 1;
                    stats.faces += 1;
                    if let Some(limit) = visit(block.face[lane]) {
                        probe.shorten(limit);
                    }
                }
                at = block.next;
            }
        }
    }
}
