//! Planar texture projections of images: axes and offsets of the map, in units of the image's size.
use super::growable_buffer::GrowableBuffer;
use crate::world::Material;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// `Projection` in shaders/frame.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Projection {
    u: [f32; 4],
    v: [f32; 4],
}

impl Projection {
    /// The projection of an image of `size` texels, for positions relative to `origin`.
    ///
    /// uv = (axis · p + offset) / size; whole numbers cancel, as images repeat.
    fn new(material: &Material, size: [f64; 2], origin: DVec3) -> Self {
        let line = |axis: DVec3, offset: f64, size: f64| {
            let begin = ((axis.dot(origin) + offset) / size).rem_euclid(1.0);
            let line = (axis / size).extend(begin).as_vec4();
            if line.is_finite() {
                line.to_array()
            } else {
                [0.0; 4]
            }
        };
        Self {
            u: line(material.u, material.offset[0], size[0]),
            v: line(material.v, material.offset[1], size[1]),
        }
    }
}

/// The projections of all materials, and after them those of the chunk parts of this frame.
pub(super) struct Projections {
    all: Vec<Projection>,
    /// By material: size of its image in texels, if it has one.
    sizes: Vec<Option<[f64; 2]>>,
    buffer: GrowableBuffer,
}

impl Projections {
    /// Without materials.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let mut new = Self {
            all: Vec::new(),
            sizes: Vec::new(),
            buffer: GrowableBuffer::new("projections", wgpu::BufferUsages::STORAGE),
        };
        new.write(device, queue);
        new
    }

    /// Keeps the first `count` materials.
    pub fn truncate(&mut self, count: usize) {
        self.sizes.truncate(count);
        self.all.truncate(count);
    }

    /// Adds the next material, with the size of its image in texels. Returns the tint that names the projection.
    pub fn push(&mut self, material: &Material, size: Option<[f64; 2]>) -> [u8; 3] {
        self.clear_chunks();
        let number = self.all.len();
        let projection = size.map(|size| Projection::new(material, size, DVec3::ZERO));
        self.all.push(projection.unwrap_or(Projection::zeroed()));
        self.sizes.push(size);
        tint_of(number)
    }

    /// Removes the chunk parts.
    pub fn clear_chunks(&mut self) {
        self.all.truncate(self.sizes.len());
    }

    /// Adds a chunk part with positions relative to `origin`. Returns the tint that names the projection.
    pub fn push_chunk(&mut self, material: &Material, number: u32, origin: DVec3) -> [u8; 3] {
        let size = self.sizes.get(number as usize).copied().flatten();
        let at = self.all.len();
        let size = size.unwrap_or([64.0; 2]);
        self.all.push(Projection::new(material, size, origin));
        tint_of(at)
    }

    /// Uploads the projections; true if the buffer is a new one.
    pub fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue) -> bool {
        let old = self.buffer.filled().cloned();
        match self.all.is_empty() {
            true => self.buffer.write(device, queue, &[Projection::zeroed()]),
            false => self.buffer.write(device, queue, &self.all),
        }
        old.as_ref() != self.buffer.filled()
    }

    /// The buffer, never empty after [`Projections::write`].
    pub fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.filled()
    }
}

/// A number as three bytes, little-endian; `projection_of` in shaders/frame.wgsl decodes it.
fn tint_of(number: usize) -> [u8; 3] {
    let [a, b, c, ..] = (number as u32).to_le_bytes();
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_projected_as_the_map_says_for_any_size_and_origin() {
        // Half a texel to a unit, which is a 32nd of a metre.
        let material = Material {
            texture: "x".into(),
            u: DVec3::new(16.0, 0.0, 0.0),
            v: DVec3::new(0.0, -64.0, 0.0),
            offset: [-24.0, 5.0],
            inner: false,
            hardness: 1.0,
        };
        let size = [96.0, 40.0];
        let at = |lie: Projection, p: DVec3| {
            let part = |line: [f32; 4]| {
                let [x, y, z, w] = line.map(f64::from);
                (DVec3::new(x, y, z).dot(p) + w).rem_euclid(1.0)
            };
            [part(lie.u), part(lie.v)]
        };
        let p = DVec3::new(7.0, 3.0, -2.0);
        let texels = [16.0 * 7.0 - 24.0, -64.0 * 3.0 + 5.0];
        let wanted = [0, 1].map(|i: usize| f64::rem_euclid(texels[i] / size[i], 1.0));
        let origin = DVec3::new(100.3, -20.7, 5.0);
        let whole = at(Projection::new(&material, size, DVec3::ZERO), p);
        let moved = at(Projection::new(&material, size, origin), p - origin);
        for (seen, i) in [(whole, 0), (whole, 1), (moved, 0), (moved, 1)] {
            assert!((seen[i] - wanted[i]).abs() < 1e-4, "{seen:?} {wanted:?}");
        }
        let wild = Material {
            u: DVec3::splat(1e300),
            ..material
        };
        assert_eq!(Projection::new(&wild, size, origin).u, [0.0; 4]);
        assert_eq!(tint_of(0x03_02_01), [1, 2, 3]);
    }
}
