//! Tiled light culling: the lights and blasts that reach a room or a screen tile, as bit masks. A pixel shades with those
//! in both masks only, so that there can be many.
use super::view_axes::ViewAxes;
use crate::geom::Aabb;
use crate::view::{MAX_LIGHTS, MAX_SCORCHES, RoomView, SOOT_REACH, Snapshot};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::ops::Range;

/// A bit for each scorch of the snapshot, and after those for each light; `InfluenceMask` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct InfluenceMask([u32; 8]);

const _: () = assert!(MAX_SCORCHES == 128 && MAX_LIGHTS == 64);

/// Attributes of [`InfluenceMask`], an instance for each room.
pub(super) const INFLUENCE_MASK: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![5 => Uint32x4, 6 => Uint32x2];

impl InfluenceMask {
    fn add(&mut self, bit: usize) {
        self.0[bit / 32] |= 1 << (bit % 32);
    }

    /// Whether it has a scorch.
    pub fn has_scorches(&self) -> bool {
        self.0[..4].iter().any(|word| *word != 0)
    }

    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

/// The sphere that a scorch or a light reaches.
pub(super) struct Influence {
    bit: usize,
    centre: DVec3,
    radius: f64,
    /// Bounds, for early rejection.
    bounds: Aabb,
}

impl Influence {
    fn new(bit: usize, centre: DVec3, radius: f64) -> Self {
        Self {
            bit,
            centre,
            radius,
            bounds: Aabb::from_centre(centre, DVec3::splat(radius)),
        }
    }

    fn touches(&self, cell: &Aabb) -> bool {
        self.bounds.overlaps(cell)
            && cell
                .closest_point(self.centre)
                .distance_squared(self.centre)
                < self.radius * self.radius
    }
}

/// The influences of a snapshot.
pub(super) fn influences(snapshot: &Snapshot) -> Vec<Influence> {
    let scorches = (0..MAX_SCORCHES).zip(&snapshot.scorches);
    let scorches = scorches.map(|(bit, s)| Influence::new(bit, s.position, s.radius * SOOT_REACH));
    let lights = (MAX_SCORCHES..MAX_SCORCHES + MAX_LIGHTS).zip(&snapshot.lights);
    let lights = lights.map(|(bit, light)| Influence::new(bit, light.position, light.radius));
    scorches.chain(lights).collect()
}

/// The mask of each room, in their order.
pub(super) fn room_masks(influences: &[Influence], rooms: &[RoomView]) -> Vec<InfluenceMask> {
    let mask_of = |room: &RoomView| {
        let mut mask = InfluenceMask::default();
        let touching = influences.iter().filter(|i| i.touches(&room.cell));
        touching.for_each(|influence| mask.add(influence.bit));
        mask
    };
    rooms.iter().map(mask_of).collect()
}

/// Screen tiles across and down; `TILES` in shaders/frame.wgsl.
const COLUMNS: usize = 32;
const ROWS: usize = 18;
/// Masks of all tiles, by rows from the top.
pub(super) type Tiles = [InfluenceMask; COLUMNS * ROWS];

/// The mask of each tile.
pub(super) fn tile_masks(influences: &[Influence], axes: &ViewAxes) -> Tiles {
    let mut tiles = [InfluenceMask::default(); COLUMNS * ROWS];
    let mut everywhere = InfluenceMask::default();
    for influence in influences {
        let [columns, rows] = tiles_of(influence, axes);
        if columns.len() == COLUMNS && rows.len() == ROWS {
            everywhere.add(influence.bit);
            continue;
        }
        for row in rows {
            let row = &mut tiles[row * COLUMNS..][columns.clone()];
            row.iter_mut().for_each(|tile| tile.add(influence.bit));
        }
    }
    tiles.map(|tile| tile.or(everywhere))
}

/// The columns and rows that a sphere covers; empty if it is behind the eye.
///
/// Each axis separately, as Mara and McGuire do (2D Polyhedral Bounds of a Clipped, Perspective-Projected 3D Sphere,
/// 2013): in the plane of an axis and the view direction the sphere is a disc, bounded by its two tangents.
fn tiles_of(influence: &Influence, axes: &ViewAxes) -> [Range<usize>; 2] {
    let to = influence.centre - axes.eye;
    // Margin for the f32 arithmetic of the shader.
    let radius = influence.radius * 1.001 + 1e-3;
    let forward = to.dot(axes.forward);
    let covered = |across: f64, half: f64, count: usize| {
        let far = across.hypot(forward);
        if far <= radius {
            return 0..count;
        }
        // The two tangents. A tangent beside or behind the eye covers all tiles on that side.
        let tangent = (far * far - radius * radius).sqrt();
        let tile_of = |across_it: f64, forward_of_it: f64| {
            let slope = match forward_of_it > 0.0 {
                true => across_it / forward_of_it,
                false => f64::INFINITY.copysign(across),
            };
            let part = slope / half * 0.5 + 0.5;
            (part * count as f64).clamp(0.0, count as f64)
        };
        let (turn, keep) = (
            (forward * radius, across * radius),
            (across * tangent, forward * tangent),
        );
        let low = tile_of(keep.0 - turn.0, keep.1 + turn.1).floor() as usize;
        let high = tile_of(keep.0 + turn.0, keep.1 - turn.1).ceil() as usize;
        low..high.max(low)
    };
    [
        covered(to.dot(axes.right), axes.half_extent[0], COLUMNS),
        covered(-to.dot(axes.up), axes.half_extent[1], ROWS),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn a_sphere_is_covered_by_its_tiles_and_few_tiles_are_empty() {
        let mut rng = Rng::new(5);
        let (mut inside, mut all) = (0u32, 0u32);
        for _ in 0..400 {
            let forward = rng.unit_vector();
            let right = forward.cross(rng.unit_vector()).normalize();
            let axes = ViewAxes {
                eye: rng.unit_vector() * 20.0,
                right,
                up: right.cross(forward),
                forward,
                half_extent: [rng.range(0.3, 2.0), rng.range(0.2, 1.0)],
            };
            let ball = Influence::new(
                0,
                axes.eye + rng.unit_vector() * rng.range(0.1, 30.0),
                rng.range(0.1, 12.0),
            );
            let tiles = tiles_of(&ball, &axes);
            let [mut low, mut high] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
            for _ in 0..4000 {
                let at = ball.centre + rng.unit_vector() * ball.radius * rng.range(0.0, 1.0).cbrt();
                let v = at - axes.eye;
                let depth = v.dot(axes.forward);
                if depth <= 1e-9 {
                    continue;
                }
                let ndc = [v.dot(axes.right), -v.dot(axes.up)];
                let counts = [COLUMNS as f64, ROWS as f64];
                let tile: [f64; 2] = std::array::from_fn(|i| {
                    (ndc[i] / depth / axes.half_extent[i] * 0.5 + 0.5) * counts[i]
                });
                if (0..2).all(|i| (0.0..counts[i]).contains(&tile[i])) {
                    for i in 0..2 {
                        assert!(tiles[i].contains(&(tile[i] as usize)), "{tile:?} {tiles:?}");
                        (low[i], high[i]) = (low[i].min(tile[i]), high[i].max(tile[i]));
                    }
                }
            }
            // Where the whole sphere is in view, few tiles are empty.
            if (0..2).all(|i| {
                tiles[i].start > 0 && tiles[i].end < [COLUMNS, ROWS][i] && low[i] < high[i]
            }) {
                inside += (0..2)
                    .map(|i| (high[i] - low[i]).ceil() as u32 + 2)
                    .product::<u32>();
                all += tiles
                    .iter()
                    .map(|range| range.len() as u32)
                    .product::<u32>();
            }
        }
        assert!(all > 100 && all <= inside, "{all} of {inside}");
    }
}
