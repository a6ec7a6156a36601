//! Which blasts left soot in which room: so a pixel looks at those of its room alone, and many can be drawn.
use crate::view::{MAX_SCORCHES, SOOT_REACH, Snapshot};

/// A bit for each of the snapshot's scorches; `marks` in shaders/surface.wgsl.
pub(super) type Marks = [u32; MAX_SCORCHES / 32];

/// How [`Marks`] lie in their buffer, after the attributes of rooms.
pub(super) const MARKS: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![5 => Uint32x4];

const _: () = assert!(MAX_SCORCHES == 128);

/// Those of each room that is drawn, in their order.
pub(super) fn marks_of(snapshot: &Snapshot) -> Vec<Marks> {
    let rooms = snapshot.rooms.iter();
    rooms
        .map(|room| {
            let mut marks = Marks::default();
            let scorches = snapshot.scorches.iter().take(MAX_SCORCHES);
            for (number, scorch) in scorches.enumerate() {
                let at = scorch.position;
                let reach = scorch.radius * SOOT_REACH;
                let nearest = at.max(room.cell.min).min(room.cell.max);
                if nearest.distance_squared(at) < reach * reach {
                    marks[number / 32] |= 1 << (number % 32);
                }
            }
            marks
        })
        .collect()
}
