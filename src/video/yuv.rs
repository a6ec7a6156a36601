//! RGB to YCbCr as video codecs take it: BT.709, limited range, 4:2:0 (ITU-R BT.709-6, items 3.2 to 3.5; H.273).
//!
//! Luma is 16 to 235, chroma 16 to 240 around 128. A chroma sample lies on the left column of its two by two pixels, halfway
//! between the rows, which is where decoders of H.264 and AV1 put it unless told otherwise.

/// Fraction bits of the coefficients.
const BITS: u32 = 16;
/// Coefficients of red, green and blue. Those of a chroma sum to zero, so that grey has none.
const Y: [i32; 3] = [11966, 40254, 4064];
const CB: [i32; 3] = [-6596, -22189, 28785];
const CR: [i32; 3] = [28785, -26145, -2640];

/// The three planes of a picture, each row after row without gaps.
pub(super) struct Planes {
    pub y: Vec<u8>,
    pub cb: Vec<u8>,
    pub cr: Vec<u8>,
    width: usize,
    /// Sums over two rows, a column each.
    columns: Vec<[i32; 3]>,
}

impl Planes {
    /// For pictures of an even size, pixels.
    pub fn new(width: usize, height: usize) -> Self {
        assert!(width.is_multiple_of(2));
        assert!(height.is_multiple_of(2));
        let chroma = width * height / 4;
        Self {
            y: vec![0; width * height],
            cb: vec![0; chroma],
            cr: vec![0; chroma],
            width,
            columns: vec![[0; 3]; width],
        }
    }

    /// Converts RGBA rows; alpha is ignored.
    pub fn convert(&mut self, rgba: &[u8]) {
        assert_eq!(rgba.len(), self.y.len() * 4);
        let width = self.width;
        for (pixel, y) in rgba.as_chunks::<4>().0.iter().zip(&mut self.y) {
            let sum: i32 = dot(Y, rgb(pixel)) + (16 << BITS);
            *y = rounded(sum, BITS);
        }
        let pairs = rgba.chunks_exact(width * 4 * 2);
        let chroma = self.cb.chunks_exact_mut(width / 2);
        let chroma = chroma.zip(self.cr.chunks_exact_mut(width / 2));
        for (pair, (cb, cr)) in pairs.zip(chroma) {
            let (above, below) = pair.split_at(width * 4);
            let (above, below) = (above.as_chunks::<4>().0, below.as_chunks::<4>().0);
            for (sum, (above, below)) in self.columns.iter_mut().zip(above.iter().zip(below)) {
                let (above, below) = (rgb(above), rgb(below));
                *sum = [0, 1, 2].map(|c| above[c] + below[c]);
            }
            let mut left = self.columns[0];
            let pairs = self.columns.as_chunks::<2>().0.iter();
            for (columns, (cb, cr)) in pairs.zip(cb.iter_mut().zip(cr)) {
                let [on, right] = *columns;
                // Weights 1, 2, 1 over three columns and 1, 1 over two rows: eighths.
                let mean = [0, 1, 2].map(|c| left[c] + 2 * on[c] + right[c]);
                *cb = rounded(dot(CB, mean) + (128 << (BITS + 3)), BITS + 3);
                *cr = rounded(dot(CR, mean) + (128 << (BITS + 3)), BITS + 3);
                left = right;
            }
        }
    }
}

fn rgb(pixel: &[u8; 4]) -> [i32; 3] {
    [pixel[0], pixel[1], pixel[2]].map(i32::from)
}

fn dot(a: [i32; 3], b: [i32; 3]) -> i32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A fixed-point number with this many fraction bits, to the nearest; all of ours lie in 0 to 255.
fn rounded(number: i32, bits: u32) -> u8 {
    ((number + (1 << (bits - 1))) >> bits) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The equations of BT.709 in floating point.
    fn equations(r: f64, g: f64, b: f64) -> [f64; 3] {
        let [r, g, b] = [r, g, b].map(|v| v / 255.0);
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        [
            16.0 + 219.0 * y,
            128.0 + 224.0 * (b - y) / 1.8556,
            128.0 + 224.0 * (r - y) / 1.5748,
        ]
    }

    #[test]
    fn flat_colours_are_those_of_the_equations() {
        let steps = [0u8, 1, 60, 127, 128, 200, 254, 255];
        for (r, g, b) in steps
            .iter()
            .flat_map(|&r| steps.map(|g| (r, g)))
            .flat_map(|(r, g)| steps.map(|b| (r, g, b)))
        {
            let mut planes = Planes::new(4, 2);
            planes.convert(&[r, g, b, 9].repeat(8));
            let wanted = equations(f64::from(r), f64::from(g), f64::from(b));
            for (plane, wanted) in [&planes.y, &planes.cb, &planes.cr].into_iter().zip(wanted) {
                for value in plane {
                    let off = (f64::from(*value) - wanted).abs();
                    assert!(off <= 0.51, "{r} {g} {b}: {value} for {wanted}");
                }
            }
            if r == g && g == b {
                assert!(planes.cb.iter().chain(&planes.cr).all(|c| *c == 128));
            }
        }
    }

    #[test]
    fn chroma_lies_on_the_left_column_of_its_pixels() {
        // Red from column 2 on: the sample at column 2 takes a quarter from column 1.
        let row: Vec<u8> = (0..6)
            .flat_map(|x| {
                if x < 2 {
                    [0, 0, 0, 255]
                } else {
                    [255, 0, 0, 255]
                }
            })
            .collect();
        let mut planes = Planes::new(6, 2);
        planes.convert(&row.repeat(2));
        let red = equations(255.0, 0.0, 0.0)[2] - 128.0;
        let wanted = [0.0, 0.75, 1.0].map(|part| 128.0 + part * red);
        for (value, wanted) in planes.cr.iter().zip(wanted) {
            assert!(
                (f64::from(*value) - wanted).abs() <= 0.51,
                "{value} {wanted}"
            );
        }
    }
}
