//! Dense kernels of a front: columns of doubles, eliminated in blocks of six.
//!
//! The vectors run along the rows, so each entry has its own chain of products, in the order of the columns, whatever the
//! width of the vectors: the same bits on all of them. No product is fused with a sum.
use pulp::{Arch, Simd, WithSimd};

/// Columns of a block: three displacements and three turns.
pub(super) const SIX: usize = 6;
/// Rows that a kernel does at once.
pub(super) const ROWS: usize = 8;
/// Columns that are eliminated before the rest of the front is updated: the part that is read again and again stays in the
/// nearest cache.
pub(super) const PANEL: usize = 8 * SIX;

/// The stride of columns of `rows` rows: a whole tile may start at the last row.
pub(super) fn stride(rows: usize) -> usize {
    // An odd number of cache lines, so that columns do not fall on one another in the cache.
    (rows + ROWS - 1).div_ceil(ROWS) / 2 * 2 * ROWS + ROWS
}

/// Where the columns of a target lie.
#[derive(Clone, Copy)]
pub(super) enum Columns {
    /// One after the other, with this stride.
    Whole(usize),
    /// In blocks of six, without the tiles above the diagonal, of so many rows.
    Lower(usize),
}

impl Columns {
    /// Where the first column of a block begins, the row that is there, and the stride.
    #[inline]
    pub fn block(self, j: usize) -> (usize, usize, usize) {
        match self {
            Columns::Whole(stride) => (SIX * j * stride, 0, stride),
            Columns::Lower(rows) => {
                let rows = rows.next_multiple_of(ROWS);
                let row = SIX * j / ROWS * ROWS;
                // Tiles above the diagonals of the blocks before: 0, 0, 1, 2, then 3 more of each for every four blocks.
                let (four, left) = (j / 4, j % 4);
                let above = 6 * four * four - 3 * four + left * 3 * four + left / 3;
                (SIX * (j * rows - above * ROWS), row, rows - row)
            }
        }
    }
}

/// Runs a kernel with the widest vectors of the processor.
#[inline(always)]
pub(super) fn dispatch<K: WithSimd>(kernel: K) -> K::Output {
    Arch::new().dispatch(kernel)
}

/// Eliminates columns `from..to` of a panel whose columns before `from` have been subtracted already. Afterwards they hold
/// Cholesky's factor, with the inverse on the diagonal.
pub(super) struct Eliminate<'a> {
    pub panel: &'a mut [f64],
    pub stride: usize,
    /// Rows, the right side's one included.
    pub rows: usize,
    pub from: usize,
    pub to: usize,
    /// Below what a pivot counts as zero, by column.
    pub least: &'a [f64],
}

impl WithSimd for Eliminate<'_> {
    /// The first column whose pivot counts as zero.
    type Output = Result<(), usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<(), usize> {
        let Eliminate {
            panel,
            stride,
            rows,
            from,
            to,
            least,
        } = self;
        let mut b = [0.0; PANEL * SIX];
        for col in (from..to).step_by(SIX) {
            let (before, rest) = panel.split_at_mut(col * stride);
            let before = &before[from * stride..];
            let own = &mut rest[..SIX * stride];
            if from < col {
                for (b, column) in b.chunks_exact_mut(SIX).zip(before.chunks_exact(stride)) {
                    b.copy_from_slice(&column[col..col + SIX]);
                }
                let b = &b[..(col - from) * SIX];
                for row in (col..rows).step_by(ROWS) {
                    let a = before
                        .chunks_exact(stride)
                        .map(|column| &column[row..row + ROWS]);
                    tile(simd, a, b, &mut own[row..], stride);
                }
            }
            let mut factor: [[f64; SIX]; SIX] = [[0.0; SIX]; SIX];
            for j in 0..SIX {
                for i in j..SIX {
                    let mut sum = own[j * stride + col + i];
                    let (row_i, row_j) = (factor[i], factor[j]);
                    for (a, b) in row_i.iter().zip(&row_j).take(j) {
                        sum -= a * b;
                    }
                    if i == j {
                        // Not a number: no pivot either.
                        if sum.is_nan() || sum <= least[col + j] {
                            return Err(col + j);
                        }
                        factor[j][j] = 1.0 / sum.sqrt();
                    } else {
                        factor[i][j] = sum * factor[j][j];
                    }
                    own[j * stride + col + i] = factor[i][j];
                }
            }
            let mut columns = own.chunks_exact_mut(stride);
            let mut columns: [&mut [f64]; SIX] = std::array::from_fn(|_| {
                let column = columns.next().expect("six columns");
                &mut column[col + SIX..]
            });
            let count = (rows - col - SIX).div_ceil(ROWS) * ROWS;
            for row in (0..count).step_by(ROWS) {
                solve_rows(simd, &factor, &mut columns, row);
            }
        }
        Ok(())
    }
}

/// Solves X Lᵀ = B for eight rows, in place.
#[inline(always)]
fn solve_rows<S: Simd>(
    simd: S,
    factor: &[[f64; SIX]; SIX],
    columns: &mut [&mut [f64]; SIX],
    row: usize,
) {
    let lanes = S::F64_LANES;
    for at in (row..row + ROWS).step_by(lanes) {
        let mut x = [simd.splat_f64s(0.0); SIX];
        for j in 0..SIX {
            let (held, _) = S::as_mut_simd_f64s(&mut columns[j][at..at + lanes]);
            let mut sum = held[0];
            for k in 0..j {
                let product = simd.mul_f64s(x[k], simd.splat_f64s(factor[j][k]));
                sum = simd.sub_f64s(sum, product);
            }
            x[j] = simd.mul_f64s(sum, simd.splat_f64s(factor[j][j]));
            held[0] = x[j];
        }
    }
}

/// Rows of a panel's columns, eight by eight, so that [`Update`] reads them one after the other.
pub(super) fn pack(
    packed: &mut Vec<f64>,
    panel: &[f64],
    stride: usize,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) {
    let width = columns.len();
    let tiles = rows.len().div_ceil(ROWS);
    packed.resize(tiles * ROWS * width, 0.0);
    let panel = &panel[columns.start * stride..columns.end * stride];
    for (tile, out) in packed.chunks_exact_mut(ROWS * width).enumerate() {
        let row = rows.start + tile * ROWS;
        for (out, column) in out.chunks_exact_mut(ROWS).zip(panel.chunks_exact(stride)) {
            out.copy_from_slice(&column[row..row + ROWS]);
        }
    }
}

/// Subtracts a panel's products from columns right of it, the rows from their diagonal down. (And from some above it, which
/// nobody reads.)
pub(super) struct Update<'a> {
    /// The panel's rows from [`pack`]; its first row is the target's first one.
    pub packed: &'a [f64],
    /// Columns of the panel.
    pub width: usize,
    /// The target; column 0 has its diagonal in row 0.
    pub target: &'a mut [f64],
    pub columns: Columns,
    /// Which of its columns.
    pub from: usize,
    pub to: usize,
}

impl WithSimd for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Update {
            packed,
            width,
            target,
            columns,
            from,
            to,
        } = self;
        let mut b = [0.0; PANEL * SIX];
        for col in (from..to).step_by(SIX) {
            for (j, row) in (col..col + SIX).enumerate() {
                let rows = &packed[row / ROWS * ROWS * width..];
                for k in 0..width {
                    b[k * SIX + j] = rows[k * ROWS + row % ROWS];
                }
            }
            let b = &b[..width * SIX];
            let first = col / ROWS;
            let (start, row, stride) = columns.block(col / SIX);
            let target = &mut target[start + first * ROWS - row..];
            let tiles = packed.chunks_exact(ROWS * width).skip(first);
            for (i, a) in tiles.enumerate() {
                tile(
                    simd,
                    a.chunks_exact(ROWS),
                    b,
                    &mut target[i * ROWS..],
                    stride,
                );
            }
        }
    }
}

/// c -= a bᵀ for eight rows and six columns.
#[inline(always)]
fn tile<'a, S: Simd>(
    simd: S,
    a: impl Iterator<Item = &'a [f64]>,
    b: &[f64],
    c: &mut [f64],
    stride: usize,
) {
    match S::F64_LANES {
        8 => tile_of::<S, 1>(simd, a, b, c, stride),
        4 => tile_of::<S, 2>(simd, a, b, c, stride),
        2 => tile_of::<S, 4>(simd, a, b, c, stride),
        _ => tile_of::<S, 8>(simd, a, b, c, stride),
    }
}

#[inline(always)]
fn tile_of<'a, S: Simd, const VECTORS: usize>(
    simd: S,
    a: impl Iterator<Item = &'a [f64]>,
    b: &[f64],
    c: &mut [f64],
    stride: usize,
) {
    let mut sums = [[simd.splat_f64s(0.0); VECTORS]; SIX];
    for (j, sums) in sums.iter_mut().enumerate() {
        let (held, _) = S::as_simd_f64s(&c[j * stride..j * stride + ROWS]);
        sums.copy_from_slice(held);
    }
    for (a, b) in a.zip(b.chunks_exact(SIX)) {
        let (a, _) = S::as_simd_f64s(&a[..ROWS]);
        for j in 0..SIX {
            let b = simd.splat_f64s(b[j]);
            for i in 0..VECTORS {
                sums[j][i] = simd.sub_f64s(sums[j][i], simd.mul_f64s(a[i], b));
            }
        }
    }
    for (j, sums) in sums.iter().enumerate() {
        let (held, _) = S::as_mut_simd_f64s(&mut c[j * stride..j * stride + ROWS]);
        held.copy_from_slice(sums);
    }
}

/// Solves Lᵀ x = y from the last column up; `x` holds y for the panel's columns and the answer for the rows below.
pub(super) struct SolveUp<'a> {
    pub panel: &'a [f64],
    pub stride: usize,
    pub x: &'a mut [f64],
    pub columns: usize,
}

impl WithSimd for SolveUp<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let rows = self.x.len();
        for col in (0..self.columns).rev() {
            let column = &self.panel[col * self.stride..][..rows];
            let (above, below) = self.x.split_at_mut(col + 1);
            above[col] = (above[col] - dot(&column[col + 1..], below)) * column[col];
        }
    }
}

/// Solves L y = b from the first column down; `x` holds b, then y, and what it takes from the rows below.
pub(super) struct SolveDown<'a> {
    pub panel: &'a [f64],
    pub stride: usize,
    pub x: &'a mut [f64],
    pub columns: usize,
}

impl WithSimd for SolveDown<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let rows = self.x.len();
        for col in 0..self.columns {
            let column = &self.panel[col * self.stride..][..rows];
            let (above, below) = self.x.split_at_mut(col + 1);
            let y = above[col] * column[col];
            above[col] = y;
            for (x, l) in below.iter_mut().zip(&column[col + 1..]) {
                *x -= l * y;
            }
        }
    }
}

/// Eight sums side by side, then their sum in a fixed order.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    for (i, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
        sums[i] += a * b;
    }
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
}
