//! A lattice of random numbers for value noise in the shaders: one texture read is cheaper than eight hashes per pixel.

/// Cells along each axis, the period; `NOISE_CELLS` in shaders/frame.wgsl.
const CELLS: u32 = 64;

/// The lattice as a 3D texture, 0..1.
pub(super) fn volume(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let size = wgpu::Extent3d {
        width: CELLS,
        height: CELLS,
        depth_or_array_layers: CELLS,
    };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("noise"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D3,
        format: wgpu::TextureFormat::R8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let numbers: Vec<u8> = (0..CELLS * CELLS * CELLS).map(number).collect();
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(CELLS),
        rows_per_image: Some(CELLS),
    };
    queue.write_texture(texture.as_image_copy(), &numbers, layout, size);
    texture.create_view(&Default::default())
}

/// The number of a cell: the hash of `corners_of` in shaders/frame.wgsl.
fn number(cell: u32) -> u8 {
    let at = |bits: u32| cell / CELLS.pow(bits) % CELLS;
    let [x, y, z] = [at(0), at(1), at(2)];
    let h = x
        .wrapping_mul(0x8da6_b343)
        .wrapping_add(y.wrapping_mul(0xd816_3841))
        .wrapping_add(z.wrapping_mul(0xcb1a_b31f));
    let h = (h ^ h >> 13).wrapping_mul(0x5bd1_e995);
    ((h ^ h >> 15) >> 8) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_evenly_spread_and_neighbours_have_nothing_in_common() {
        let all: Vec<f64> = (0..CELLS * CELLS * CELLS)
            .map(|cell| f64::from(number(cell)) / 255.0 - 0.5)
            .collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = values.fold((0.0, 0.0), |(s, n), v| (s + v, n + 1.0));
            sum / count
        };
        assert!(mean(&mut all.iter().copied()).abs() < 0.005);
        let variance = mean(&mut all.iter().map(|v| v * v));
        assert!((variance - 1.0 / 12.0).abs() < 0.002, "{variance}");
        for step in [1, CELLS, CELLS * CELLS] {
            let pairs = all.iter().zip(&all[step as usize..]);
            let alike = mean(&mut pairs.map(|(a, b)| a * b)) / variance;
            assert!(alike.abs() < 0.02, "{step}: {alike}");
        }
    }
}
