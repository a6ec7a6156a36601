//! Utilisation by block, as surfaces look it up.
use super::growable_buffer::GrowableBuffer;
use crate::solid::{BlockId, Lattice};
use crate::view::Stress;
use std::sync::Arc;

/// Most blocks along each axis of their box; `utilisation_at` in shaders/frame.wgsl has the same.
const MOST: [i64; 3] = [2048, 1024, 2048];

/// The table of utilisation; `stress` in shaders/frame.wgsl.
pub(super) struct StressTable {
    written: Option<Arc<Stress>>,
    buffer: GrowableBuffer,
}

impl StressTable {
    /// Without blocks.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let mut new = Self {
            written: None,
            buffer: GrowableBuffer::new("stress", wgpu::BufferUsages::STORAGE),
        };
        new.write(device, queue, &Arc::default());
        new
    }

    /// Uploads a table; true if the buffer is a new one.
    pub fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        stress: &Arc<Stress>,
    ) -> bool {
        let is_written = |old: &Arc<Stress>| Arc::ptr_eq(old, stress) || old == stress;
        if self.written.as_ref().is_some_and(is_written) {
            return false;
        }
        self.written = Some(stress.clone());
        let old = self.buffer.filled().cloned();
        self.buffer.write(device, queue, &entries(stress));
        old.as_ref() != self.buffer.filled()
    }

    /// The buffer, never empty.
    pub fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.filled()
    }
}

/// The number of blocks, the corner of their box, then key and utilisation of each, by key. Blocks beyond [`MOST`] are left
/// out.
fn entries(stress: &Stress) -> Vec<[u32; 2]> {
    let least = |axis: usize| stress.iter().map(|one| one.0[axis]).min().unwrap_or(0);
    let first: BlockId = [0, 1, 2].map(least);
    let mut blocks: Vec<[u32; 2]> = Vec::with_capacity(stress.len());
    for (block, utilisation) in stress {
        let [x, y, z] = [0, 1, 2].map(|axis| i64::from(block[axis]) - i64::from(first[axis]));
        if x < MOST[0] && y < MOST[1] && z < MOST[2] {
            blocks.push([(x << 21 | y << 11 | z) as u32, utilisation.to_bits()]);
        }
    }
    blocks.sort_unstable();
    let [x, y, z] = Lattice::default()
        .bounds(first)
        .min
        .as_vec3()
        .to_array()
        .map(f32::to_bits);
    let head = [[blocks.len() as u32, 0], [x, y], [z, 0]];
    head.into_iter().chain(blocks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_in_the_order_of_their_keys_and_none_wraps_round() {
        let stress: Stress = vec![
            ([-4, 7, 3], 0.5),
            ([-4, 8, -2], 0.25),
            ([-3, 6, 9], 2.0),
            ([-4 + 2048, 6, 0], 1.0),
        ];
        let table = entries(&stress);
        let corner = Lattice::default().bounds([-4, 6, -2]).min.as_vec3();
        assert_eq!(table[0], [3, 0]);
        assert_eq!(
            [table[1][0], table[1][1], table[2][0]],
            corner.to_array().map(f32::to_bits)
        );
        let key = |x: u32, y: u32, z: u32| x << 21 | y << 11 | z;
        let wanted = [
            (key(0, 1, 5), 0.5f32),
            (key(0, 2, 0), 0.25),
            (key(1, 0, 11), 2.0),
        ];
        assert_eq!(table[3..], wanted.map(|(key, u)| [key, u.to_bits()]));
        assert_eq!(entries(&Stress::new())[0], [0, 0]);
    }
}
