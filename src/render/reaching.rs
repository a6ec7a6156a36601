//! Which lights and blasts reach which room: a pixel looks at those of its room alone, so that there can be many.
use crate::geom::Aabb;
use crate::view::{MAX_LIGHTS, MAX_SCORCHES, RoomView, SOOT_REACH, Snapshot};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// A bit for each of the snapshot's scorches and lights; `marks` and `lights` in shaders/surface.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub(super) struct Reaching {
    pub marks: [u32; MAX_SCORCHES / 32],
    pub lights: [u32; MAX_LIGHTS / 32],
}

/// How [`Reaching`] lies in its buffer, after the attributes of rooms.
pub(super) const REACHING: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![5 => Uint32x4, 6 => Uint32x2];

const _: () = assert!(MAX_SCORCHES == 128 && MAX_LIGHTS == 64);

/// A ball that something reaches as far as.
struct Ball {
    at: DVec3,
    radius: f64,
    /// Around it: most lie far away, which the boxes say sooner.
    bounds: Aabb,
}

impl Ball {
    fn new(at: DVec3, radius: f64) -> Self {
        Self {
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

/// What reaches each room that is drawn, in their order.
pub(super) fn reaching(snapshot: &Snapshot) -> Vec<Reaching> {
    let scorches = snapshot.scorches.iter().take(MAX_SCORCHES);
    let scorches: Vec<Ball> = scorches
        .map(|scorch| Ball::new(scorch.position, scorch.radius * SOOT_REACH))
        .collect();
    let lights = snapshot.lights.iter().take(MAX_LIGHTS);
    let lights: Vec<Ball> = lights
        .map(|light| Ball::new(light.position, light.radius))
        .collect();
    let of_room = |room: &RoomView| {
        let mut reaching = Reaching::default();
        mark(&scorches, &room.cell, &mut reaching.marks);
        mark(&lights, &room.cell, &mut reaching.lights);
        reaching
    };
    snapshot.rooms.iter().map(of_room).collect()
}

/// Sets the bit of each ball that touches a cell.
fn mark(balls: &[Ball], cell: &Aabb, bits: &mut [u32]) {
    for (number, ball) in balls.iter().enumerate() {
        if ball.touches(cell) {
            bits[number / 32] |= 1 << (number % 32);
        }
    }
}
