//! The flat pieces of curves.
//!
//! Each block of three by three control points is cut as graphics cards cut a quad patch: its four edges by segments of
//! their own, its inside by a grid, and between them a strip of triangles along each edge. Where the edges are cut like the
//! inside, as on a cylinder, it is a plain grid of quadrilaterals, most of them flat.
//!
//! Points are exact: p(u, v) = Σ B_i(u) B_j(v) p_ij at u = k/n, v = l/m is an integer divided by n² m², rounded once. So a
//! point of an edge is the same from both sides of it.
use super::super::grid::to_grid;
use super::super::parsed::{Painting, Sheet};
use super::piece::{Corner, Piece, push_quad, push_triangle};
use super::segments::{self, EdgeSegments, MOST};
use glam::{DVec3, I64Vec3};

/// The control points of a sheet, on the grid.
pub(super) struct Nets<'a> {
    sheet: &'a Sheet,
    points: Vec<I64Vec3>,
}

/// A place on a block: u = k/n along rows, v along columns.
type Place = [[usize; 2]; 2];

/// One Bezier surface.
struct Block<'a> {
    /// First row and column of the block in the sheet.
    first: [usize; 2],
    sheet: &'a Sheet,
    net: [[I64Vec3; 3]; 3],
    st: [[[f64; 2]; 3]; 3],
}

impl<'a> Nets<'a> {
    pub fn new(sheet: &'a Sheet) -> Self {
        let points = sheet.points.iter().map(|&p| to_grid(p)).collect();
        Self { sheet, points }
    }

    fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let [rows, columns] = self.sheet.size;
        let firsts = (0..rows / 2).flat_map(move |i| (0..columns / 2).map(move |j| [2 * i, 2 * j]));
        firsts.map(move |first| {
            let index = |i: usize, j: usize| (first[0] + i) * columns + first[1] + j;
            let each = [0, 1, 2];
            Block {
                first,
                sheet: self.sheet,
                net: each.map(|i| each.map(|j| self.points[index(i, j)])),
                st: each.map(|i| {
                    each.map(|j| match &self.sheet.painting {
                        Painting::Coordinates { st, .. } => st[index(i, j)],
                        Painting::Projected(_) => [0.0; 2],
                    })
                }),
            }
        })
    }

    /// Notes the segments of all edges of blocks.
    pub fn note_edges(&self, edges: &mut EdgeSegments, wanted: Option<[usize; 2]>, error: f64) {
        for block in self.blocks() {
            for (along_v, edge) in block.edges() {
                // A straight edge gains nothing by the segments that an author chose.
                let segments = match wanted {
                    Some(wanted) if !segments::is_straight(edge) => wanted[usize::from(along_v)],
                    _ => segments::of_curve(edge, error),
                };
                edges.note(edge, segments);
            }
        }
    }

    /// None where there are more than `most`.
    pub fn pieces(
        &self,
        edges: &EdgeSegments,
        wanted: Option<[usize; 2]>,
        error: f64,
        most: usize,
    ) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        for block in self.blocks() {
            let inner = match wanted {
                Some(wanted) if !segments::is_plane(&block.net) => wanted.map(|n| n.min(MOST)),
                _ => segments::of_surface(&block.net, error),
            };
            block.cut(
                inner,
                block.edges().map(|(_, edge)| edges.of(edge)),
                &mut pieces,
            );
            if pieces.len() > most {
                return None;
            }
        }
        Some(pieces)
    }
}

impl Block<'_> {
    /// The edges counter-clockwise from the first column, each in the direction of its rows or columns; whether it runs
    /// along v.
    fn edges(&self) -> [(bool, [I64Vec3; 3]); 4] {
        let column = |j: usize| [self.net[0][j], self.net[1][j], self.net[2][j]];
        [
            (false, column(0)),
            (true, self.net[2]),
            (false, column(2)),
            (true, self.net[0]),
        ]
    }

    /// Index of the sheet's point at which the block begins.
    fn cell(&self) -> usize {
        self.first[0] * self.sheet.size[1] + self.first[1]
    }

    /// Cuts the block with these segments inside, and on its edges.
    fn cut(
        &self,
        [nu, nv]: [usize; 2],
        [low, right, high, left]: [usize; 4],
        pieces: &mut Vec<Piece>,
    ) {
        if [low, high] == [nu; 2] && [left, right] == [nv; 2] {
            self.grid([nu, nv], pieces);
        } else if nv == 1 && left == 1 && right == 1 {
            self.strip(
                &places(low, |k| [[k, low], [0, 1]]),
                &places(high, |k| [[k, high], [1, 1]]),
                0,
                pieces,
            );
        } else if nu == 1 && low == 1 && high == 1 {
            self.strip(
                &places(right, |k| [[1, 1], [k, right]]),
                &places(left, |k| [[0, 1], [k, left]]),
                1,
                pieces,
            );
        } else {
            self.ringed([nu.max(2), nv.max(2)], [low, right, high, left], pieces);
        }
    }

    /// A grid of quadrilaterals.
    fn grid(&self, [nu, nv]: [usize; 2], pieces: &mut Vec<Piece>) {
        self.quads(0..nu, 0..nv, [nu, nv], pieces);
    }

    fn quads(
        &self,
        us: std::ops::Range<usize>,
        vs: std::ops::Range<usize>,
        [nu, nv]: [usize; 2],
        pieces: &mut Vec<Piece>,
    ) {
        for k in us {
            for l in vs.clone() {
                let at = |k: usize, l: usize| self.corner([[k, nu], [l, nv]]);
                let corners = [at(k, l), at(k + 1, l), at(k + 1, l + 1), at(k, l + 1)];
                push_quad(pieces, corners, self.cell(), None);
            }
        }
    }

    /// A grid inside, and a strip between it and each edge.
    fn ringed(&self, [nu, nv]: [usize; 2], edges: [usize; 4], pieces: &mut Vec<Piece>) {
        self.quads(1..nu - 1, 1..nv - 1, [nu, nv], pieces);
        let [low, right, high, left] = edges;
        // Around the block counter-clockwise, so that the inside lies to the left.
        let inside = |n: usize, place: &dyn Fn(usize) -> Place| -> Vec<Place> {
            (1..n).map(place).collect()
        };
        self.strip(
            &places(low, |k| [[k, low], [0, 1]]),
            &inside(nu, &|k| [[k, nu], [1, nv]]),
            0,
            pieces,
        );
        self.strip(
            &places(right, |k| [[1, 1], [k, right]]),
            &inside(nv, &|k| [[nu - 1, nu], [k, nv]]),
            1,
            pieces,
        );
        self.strip(
            &places(high, |k| [[high - k, high], [1, 1]]),
            &inside(nu, &|k| [[nu - k, nu], [nv - 1, nv]]),
            0,
            pieces,
        );
        self.strip(
            &places(left, |k| [[0, 1], [left - k, left]]),
            &inside(nv, &|k| [[1, nu], [nv - k, nv]]),
            1,
            pieces,
        );
    }

    /// Triangles between two rows of places that run the same way, the second to the left of the first; `axis` tells along
    /// which parameter. Two equal rows give quadrilaterals.
    fn strip(&self, outer: &[Place], inner: &[Place], axis: usize, pieces: &mut Vec<Piece>) {
        let corners =
            |row: &[Place]| -> Vec<Corner> { row.iter().map(|&p| self.corner(p)).collect() };
        let (right, left) = (corners(outer), corners(inner));
        if left.len() == right.len() {
            let pairs = right.windows(2).zip(left.windows(2));
            for (r, l) in pairs {
                push_quad(pieces, [r[0], r[1], l[1], l[0]], self.cell(), None);
            }
            return;
        }
        // How far the middle of the next segment is, either way along the parameter.
        let middle = |row: &[Place], i: usize| {
            let share = |p: &Place| p[axis][0] as f64 / p[axis][1] as f64;
            let start = share(&outer[0]);
            ((share(&row[i]) + share(&row[i + 1])) / 2.0 - start).abs()
        };
        let (mut r, mut l) = (0, 0);
        while r + 1 < right.len() || l + 1 < left.len() {
            let takes_right = r + 1 < right.len()
                && (l + 1 == left.len() || middle(outer, r) <= middle(inner, l));
            if takes_right {
                push_triangle(pieces, [right[r], right[r + 1], left[l]], self.cell());
                r += 1;
            } else {
                push_triangle(pieces, [right[r], left[l + 1], left[l]], self.cell());
                l += 1;
            }
        }
    }

    fn corner(&self, place: Place) -> Corner {
        let [[k, n], [l, m]] = place;
        let [wu, wv] = [weights(k, n), weights(l, m)];
        let whole = (n * n * m * m) as i64;
        let mut sum = I64Vec3::ZERO;
        let mut st = [0.0; 2];
        for (i, wu) in wu.into_iter().enumerate() {
            for (j, wv) in wv.into_iter().enumerate() {
                let weight = wu * wv;
                sum += self.net[i][j] * weight;
                for (sum, value) in st.iter_mut().zip(self.st[i][j]) {
                    *sum += value * (weight as f64 / whole as f64);
                }
            }
        }
        let round = |x: i64| (2 * x + whole).div_euclid(2 * whole);
        let ends = |k: usize, n: usize, first: usize, size: usize| {
            (k == 0 && first == 0) || (k == n && first + 3 == size)
        };
        let size = self.sheet.size;
        Corner {
            at: I64Vec3::new(round(sum.x), round(sum.y), round(sum.z)),
            st,
            normal: self.normal(place),
            is_rim: ends(k, n, self.first[0], size[0]) || ends(l, m, self.first[1], size[1]),
        }
    }

    /// ∂p/∂u × ∂p/∂v, unit; zero where one of them vanishes or both are parallel.
    fn normal(&self, [[k, n], [l, m]]: Place) -> DVec3 {
        let (u, v) = (k as f64 / n as f64, l as f64 / m as f64);
        // Halves of the derivatives of B_i.
        let slopes = |t: f64| [t - 1.0, 1.0 - 2.0 * t, t];
        let shares = |t: f64| [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
        let sum = |a: [f64; 3], b: [f64; 3]| {
            let each = (0..9).map(|x| self.net[x / 3][x % 3].as_dvec3() * (a[x / 3] * b[x % 3]));
            each.sum::<DVec3>()
        };
        let (du, dv) = (sum(slopes(u), shares(v)), sum(shares(u), slopes(v)));
        let cross = du.cross(dv);
        // Below this the direction is the noise of coordinates of some 24 bits.
        let is_clear = cross.length() > 1e-6 * du.length() * dv.length()
            && du.length() > 1e-3
            && dv.length() > 1e-3;
        if is_clear {
            cross.normalize()
        } else {
            DVec3::ZERO
        }
    }
}

fn places(n: usize, place: impl Fn(usize) -> Place) -> Vec<Place> {
    (0..=n).map(place).collect()
}

/// (n−k)², 2k(n−k), k²: the Bernstein polynomials at k/n, times n².
fn weights(k: usize, n: usize) -> [i64; 3] {
    let (k, n) = (k as i64, n as i64);
    [(n - k) * (n - k), 2 * k * (n - k), k * k]
}
