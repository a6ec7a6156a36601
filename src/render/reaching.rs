//! Which lights and blasts reach which room, and which part of the picture: a pixel looks at those of its room and its tile
//! alone, so that there can be many.
use super::frame::Eye;
use crate::geom::Aabb;
use crate::view::{MAX_LIGHTS, MAX_SCORCHES, RoomView, SOOT_REACH, Snapshot};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::ops::Range;

/// A bit for each of the snapshot's scorches, and after those for each of its lights; `Reaching` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct Reaching([u32; 8]);

const _: () = assert!(MAX_SCORCHES == 128 && MAX_LIGHTS == 64);

/// How [`Reaching`] lies in the buffer of rooms, after their attributes.
pub(super) const REACHING: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![5 => Uint32x4, 6 => Uint32x2];

impl Reaching {
    fn add(&mut self, bit: usize) {
        self.0[bit / 32] |= 1 << (bit % 32);
    }

    /// A blast may reach there.
    pub fn has_marks(&self) -> bool {
        self.0[..4].iter().any(|word| *word != 0)
    }

    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

/// A ball: as far as something reaches.
pub(super) struct Reach {
    bit: usize,
    at: DVec3,
    radius: f64,
    /// Around it: most lie far away, which the boxes say sooner.
    bounds: Aabb,
}

impl Reach {
    fn new(bit: usize, at: DVec3, radius: f64) -> Self {
        Self {
            bit,
            at,
            radius,
            bounds: Aabb::from_centre(at, DVec3::splat(radius)),
        }
    }

    fn touches(&self, cell: &Aabb) -> bool {
        self.bounds.overlaps(cell)
            && cell.closest_point(self.at).distance_squared(self.at) < self.radius * self.radius
    }
}

/// All that reaches somewhere in a picture.
pub(super) fn reaches(snapshot: &Snapshot) -> Vec<Reach> {
    let scorches = (0..MAX_SCORCHES).zip(&snapshot.scorches);
    let scorches = scorches.map(|(bit, s)| Reach::new(bit, s.position, s.radius * SOOT_REACH));
    let lights = (MAX_SCORCHES..MAX_SCORCHES + MAX_LIGHTS).zip(&snapshot.lights);
    let lights = lights.map(|(bit, light)| Reach::new(bit, light.position, light.radius));
    scorches.chain(lights).collect()
}

/// What reaches each room, in their order.
pub(super) fn in_rooms(reaches: &[Reach], rooms: &[RoomView]) -> Vec<Reaching> {
    let of_room = |room: &RoomView| {
        let mut reaching = Reaching::default();
        let touching = reaches.iter().filter(|reach| reach.touches(&room.cell));
        touching.for_each(|reach| reaching.add(reach.bit));
        reaching
    };
    rooms.iter().map(of_room).collect()
}

/// Tiles of a picture across and down; `TILES` in shaders/frame.wgsl.
const COLUMNS: usize = 32;
const ROWS: usize = 18;
/// How they lie in their buffer: by rows from the top.
pub(super) type Tiles = [Reaching; COLUMNS * ROWS];

/// What may be seen to reach something in each tile.
pub(super) fn in_tiles(reaches: &[Reach], eye: &Eye) -> Tiles {
    let mut tiles = [Reaching::default(); COLUMNS * ROWS];
    let mut everywhere = Reaching::default();
    for reach in reaches {
        let [columns, rows] = tiles_of(reach, eye);
        if columns.len() == COLUMNS && rows.len() == ROWS {
            everywhere.add(reach.bit);
            continue;
        }
        for row in rows {
            let row = &mut tiles[row * COLUMNS..][columns.clone()];
            row.iter_mut().for_each(|tile| tile.add(reach.bit));
        }
    }
    tiles.map(|tile| tile.or(everywhere))
}

/// The columns and rows that a ball is seen in; none if it is behind.
///
/// Across and down are looked at by themselves, as Mara and McGuire do (2D Polyhedral Bounds of a Clipped,
/// Perspective-Projected 3D Sphere, 2013): from the side a ball is a disc, which is seen between two lines.
fn tiles_of(reach: &Reach, eye: &Eye) -> [Range<usize>; 2] {
    let to = reach.at - eye.at;
    // What a pixel finds in f32 may lie a little beside.
    let radius = reach.radius * 1.001 + 1e-3;
    let ahead = to.dot(eye.ahead);
    let seen = |across: f64, half: f64, count: usize| {
        let far = across.hypot(ahead);
        if far <= radius {
            return 0..count;
        }
        // The two lines that touch it. What is beside the eye or behind it is far to that side.
        let touching = (far * far - radius * radius).sqrt();
        let tile_of = |across_it: f64, ahead_of_it: f64| {
            let slope = match ahead_of_it > 0.0 {
                true => across_it / ahead_of_it,
                false => f64::INFINITY.copysign(across),
            };
            let part = slope / half * 0.5 + 0.5;
            (part * count as f64).clamp(0.0, count as f64)
        };
        let (turn, keep) = (
            (ahead * radius, across * radius),
            (across * touching, ahead * touching),
        );
        let low = tile_of(keep.0 - turn.0, keep.1 + turn.1).floor() as usize;
        let high = tile_of(keep.0 + turn.0, keep.1 - turn.1).ceil() as usize;
        low..high.max(low)
    };
    [
        seen(to.dot(eye.right), eye.half[0], COLUMNS),
        seen(-to.dot(eye.up), eye.half[1], ROWS),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn no_point_of_a_ball_is_seen_outside_its_tiles_and_few_tiles_are_empty() {
        let mut rng = Rng::new(5);
        let (mut inside, mut all) = (0u32, 0u32);
        for _ in 0..400 {
            let ahead = rng.unit_vector();
            let right = ahead.cross(rng.unit_vector()).normalize();
            let eye = Eye {
                at: rng.unit_vector() * 20.0,
                right,
                up: right.cross(ahead),
                ahead,
                half: [rng.range(0.3, 2.0), rng.range(0.2, 1.0)],
            };
            let ball = Reach::new(
                0,
                eye.at + rng.unit_vector() * rng.range(0.1, 30.0),
                rng.range(0.1, 12.0),
            );
            let tiles = tiles_of(&ball, &eye);
            let [mut low, mut high] = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
            for _ in 0..4000 {
                let at = ball.at + rng.unit_vector() * ball.radius * rng.range(0.0, 1.0).cbrt();
                let v = at - eye.at;
                let depth = v.dot(eye.ahead);
                if depth <= 1e-9 {
                    continue;
                }
                let ndc = [v.dot(eye.right), -v.dot(eye.up)];
                let counts = [COLUMNS as f64, ROWS as f64];
                let place: [f64; 2] =
                    std::array::from_fn(|i| (ndc[i] / depth / eye.half[i] * 0.5 + 0.5) * counts[i]);
                if (0..2).all(|i| (0.0..counts[i]).contains(&place[i])) {
                    for i in 0..2 {
                        assert!(
                            tiles[i].contains(&(place[i] as usize)),
                            "{place:?} {tiles:?}"
                        );
                        (low[i], high[i]) = (low[i].min(place[i]), high[i].max(place[i]));
                    }
                }
            }
            // Where the ball is seen whole, its tiles are not many more than it fills.
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
