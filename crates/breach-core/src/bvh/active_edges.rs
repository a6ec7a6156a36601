//! Active edges and vertices, those that are tested on their own: the last step, after all half-edges were matched.
use super::adjacency::{
    BATCH, EdgeAdjacency, MatchedEdge, SHARED_EDGES, SharedEdge, UNCOUNTED, activate,
    activate_edge, edge_key,
};
use super::f64x4::{F64x4, Scalar};
use super::face::{
    EDGE_BITS, EDGES_AT_CORNER, border_bit, border_vertex_bit, edge_bit, next_corner,
    previous_corner, vertex_bit,
};
use super::half_edge::HalfEdge;
use super::index::WIDTH;
use super::surface::Surface;
use crate::geom::tolerance::FLAT_EDGE;
use glam::DVec3;
use smallvec::SmallVec;

impl Surface {
    /// Classifies irregular edges and all vertices. `row_of` is the row of a point, if it has one; `point_of` is the
    /// point of a row.
    #[inline(always)]
    pub(super) fn classify_rest<S: F64x4>(
        &mut self,
        simd: S,
        adjacency: &mut EdgeAdjacency,
        row_of: impl Fn(&Self, u32) -> Option<u32>,
        point_of: impl Fn(u32) -> u32,
    ) {
        let Self { faces, points, .. } = self;
        let at = |row| simd.load(&points[point_of(row) as usize]);
        adjacency.classify_matched(simd, faces, at, true);
        if adjacency.has_irregular || adjacency.unmatched > 0 {
            for row in 0..adjacency.rows.len() {
                if adjacency.is_irregular(row) {
                    let row = row as u32;
                    self.classify_irregular(adjacency, row, point_of(row), &row_of);
                }
            }
        }
        for (row, vertex) in (0..).zip(&adjacency.rows) {
            match vertex.active_count {
                0 => {}
                UNCOUNTED => self.classify_vertex(point_of(row), vertex.face),
                active_count => {
                    let place = |row| self.points[point_of(row) as usize].get();
                    let direction = |i: usize| place(vertex.active_ends[i]) - place(row);
                    if active_count != 2 || !is_straight([direction(0), direction(1)]) {
                        self.activate_vertex(point_of(row), vertex.face, false);
                    }
                }
            }
        }
    }

    /// Classifies all edges stored in a point's row.
    #[cold]
    #[inline(never)]
    fn classify_irregular(
        &mut self,
        adjacency: &mut EdgeAdjacency,
        row: u32,
        point: u32,
        row_of: impl Fn(&Self, u32) -> Option<u32>,
    ) {
        // Row of the other end, whether the half-edge starts at this point, the half-edge.
        let mut half_edges: SmallVec<[(u32, bool, HalfEdge); 32]> = SmallVec::new();
        let owner_mask = adjacency.owner_mask;
        for half_edge in self.half_edges_from(point) {
            let corners = self.faces[half_edge.triangle()].points;
            let ends = [
                (next_corner(half_edge.corner()), true, half_edge),
                (
                    previous_corner(half_edge.corner()),
                    false,
                    half_edge.previous(),
                ),
            ];
            for (corner, leaves, half_edge) in ends {
                let end = row_of(self, corners[corner]);
                let is_own = |&end: &u32| end != row && edge_key([row, end], owner_mask).own == row;
                half_edges.extend(end.filter(is_own).map(|end| (end, leaves, half_edge)));
            }
        }
        half_edges.sort_unstable_by_key(|&(end, _, half_edge)| (end, half_edge.0));
        for edge in half_edges.chunk_by(|a, b| a.0 == b.0) {
            let end = edge[0].0;
            for row in [row, end] {
                adjacency.rows[row as usize].active_count = UNCOUNTED;
            }
            let mut classify = |surface: &mut Self, one: HalfEdge, two: HalfEdge| {
                let points = surface.faces[one.triangle()].points;
                let at = |corner: usize| surface.points[points[corner] as usize].get();
                let direction = at(next_corner(one.corner())) - at(one.corner());
                let [face, other] =
                    [one, two].map(|half_edge| &surface.faces[half_edge.triangle()]);
                if face.is_edge_active(Scalar, other, direction) {
                    let (half_edges, ends) = ([one, two], [row, end]);
                    let pair = MatchedEdge { half_edges, ends };
                    activate_edge(Scalar, &mut surface.faces, &mut adjacency.rows, &pair);
                }
            };
            let mut left: SmallVec<[(bool, HalfEdge); 8]> = SmallVec::new();
            for &(.., half_edge) in edge {
                // Clear all flags: some half-edges may have been matched wrongly.
                self.faces[half_edge.triangle()].active &= !(EDGE_BITS << half_edge.corner());
            }
            for &(_, leaves, half_edge) in edge {
                if let Some(&(_, last)) = left.last()
                    && self.meet_in_strip(last, half_edge)
                {
                    left.pop();
                    classify(self, last, half_edge);
                } else {
                    left.push((leaves, half_edge));
                }
            }
            match *left {
                [(first, one), (second, two)]
                    if first != second && one.triangle() != two.triangle() =>
                {
                    classify(self, one, two);
                }
                // A border, or a non-manifold edge, where inside and outside cannot be told apart.
                _ => {
                    let border = border_bit(0) * u16::from(left.len() == 1);
                    for (_, half_edge) in left {
                        activate(&mut self.faces, half_edge, edge_bit(0) | border);
                    }
                }
            }
        }
    }

    /// Whether [`EdgeAdjacency::add_strip`] matches these two half-edges if the first has no twin yet.
    fn meet_in_strip(&self, last: HalfEdge, next: HalfEdge) -> bool {
        let [one, two] = [last, next].map(HalfEdge::triangle);
        if two != one + 1 || two % BATCH == 0 {
            return false;
        }
        let lanes = |triangle: usize| self.faces[triangle].points.map(|point| [point; WIDTH]);
        let [shared, ..] = Scalar.shared_edges(&lanes(one), &lanes(two)).0;
        let SharedEdge {
            own: i, next: j, ..
        } = SHARED_EDGES[shared.trailing_zeros() as usize % 16];
        shared != 0 && [i, j] == [last.corner(), next.corner()]
    }

    /// Activates a vertex or not, after all edges around it were classified.
    fn classify_vertex(&mut self, point: u32, first: u32) {
        // Count and first two directions of the active edges.
        let (mut active_count, mut ends, mut border) = (0, [DVec3::ZERO; 2], false);
        for half_edge in self.half_edges_from(point) {
            let (face, k) = (&self.faces[half_edge.triangle()], half_edge.corner());
            let active = face.active;
            if active & EDGES_AT_CORNER[k] == 0 {
                continue;
            }
            for (edge, end) in [
                (k, next_corner(k)),
                (previous_corner(k), previous_corner(k)),
            ] {
                if active & edge_bit(edge) != 0 {
                    border |= active & border_bit(edge) != 0;
                    if active_count < 2 {
                        let at = |corner: usize| self.points[face.points[corner] as usize].get();
                        ends[active_count] = at(end) - at(k);
                    }
                    active_count += 1;
                }
            }
        }
        if active_count > 0 && (active_count != 2 || !is_straight(ends)) {
            self.activate_vertex(point, first, border);
        }
    }

    /// Makes a vertex active: `face` tests it.
    fn activate_vertex(&mut self, point: u32, face: u32, is_on_border: bool) {
        let Some(face) = self.faces.get_mut(face as usize) else {
            return;
        };
        // A triangle may use a point twice.
        for k in (0..3).filter(|&k| face.points[k] == point) {
            let on_border = if is_on_border {
                border_vertex_bit(k)
            } else {
                0
            };
            face.active |= vertex_bit(k) | on_border;
        }
    }
}

/// Whether two edges from a point form a straight line.
fn is_straight([a, b]: [DVec3; 2]) -> bool {
    let (dot, bend) = (a.dot(b), a.cross(b).length_squared());
    dot < 0.0 && bend <= FLAT_EDGE * FLAT_EDGE * (a.length_squared() * b.length_squared())
}
