//! Which blasts left soot in which room: so a pixel looks at those of its room alone, and many can be drawn.
use crate::geom::Aabb;
use crate::view::{MAX_SCORCHES, RoomView, SOOT_REACH, Snapshot};
use glam::DVec3;

/// A bit for each of the snapshot's scorches; `marks` in shaders/surface.wgsl.
pub(super) type Marks = [u32; MAX_SCORCHES / 32];

/// How [`Marks`] lie in their buffer, after the attributes of rooms.
pub(super) const MARKS: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![5 => Uint32x4];

const _: () = assert!(MAX_SCORCHES == 128);

/// Those of each room that is drawn, in their order.
pub(super) fn marks_of(snapshot: &Snapshot) -> Vec<Marks> {
    let scorches = snapshot.scorches.iter().take(MAX_SCORCHES);
    let scorches: Vec<(Aabb, DVec3, f64)> = scorches
        .map(|scorch| {
            let reach = scorch.radius * SOOT_REACH;
            let around = Aabb::from_centre(scorch.position, DVec3::splat(reach));
            (around, scorch.position, reach * reach)
        })
        .collect();
    let marks_of_room = |room: &RoomView| {
        let mut marks = Marks::default();
        for (number, &(around, at, reach_squared)) in scorches.iter().enumerate() {
            // Most lie far away, which the boxes say sooner.
            if around.overlaps(&room.cell)
                && room.cell.closest_point(at).distance_squared(at) < reach_squared
            {
                marks[number / 32] |= 1 << (number % 32);
            }
        }
        marks
    };
    snapshot.rooms.iter().map(marks_of_room).collect()
}
