//! Active edges.
use super::adjacency::{
    AT_ONCE, MEETINGS, Meeting, Pair, Pairing, UNKNOWN, give, place_of, settle_pair,
};
use super::f64x4::{Fours, Plain};
use super::face::{
    EDGES, SIDE, after, before, border_bit, border_vertex_bit, edge_bit, vertex_bit,
};
use super::half_edge::Side;
use super::index::WIDTH;
use super::surface::Surface;
use crate::geom::tolerance::FLAT_EDGE;
use glam::DVec3;
use smallvec::SmallVec;

impl Surface {
    /// Settles what pairs have left open: edges with another number of sides, and all vertices. `row_of` is the row of a
    /// point, if it has one, and `point_of` the point of a row.
    #[inline(always)]
    pub(super) fn settle_rest<M: Fours>(
        &mut self,
        m: M,
        pairing: &mut Pairing,
        row_of: impl Fn(&Self, u32) -> Option<u32>,
        point_of: impl Fn(u32) -> u32,
    ) {
        let Self { faces, points, .. } = self;
        let at = |row| m.load_whole(&points[point_of(row) as usize]);
        pairing.settle_pairs(m, faces, at, true);
        if pairing.has_odd || pairing.alone > 0 {
            for row in 0..pairing.rows.len() {
                if pairing.is_odd(row) {
                    let row = row as u32;
                    self.settle_odd(pairing, row, point_of(row), &row_of);
                }
            }
        }
        for (row, vertex) in (0..).zip(&pairing.rows) {
            match vertex.met {
                0 => {}
                UNKNOWN => self.settle_vertex(point_of(row), vertex.face),
                met => {
                    let place = |row| self.points[point_of(row) as usize].get();
                    let way = |i: usize| place(vertex.ends[i]) - place(row);
                    if met != 2 || !runs_on([way(0), way(1)]) {
                        self.give_vertex(point_of(row), vertex.face, false);
                    }
                }
            }
        }
    }

    /// Settles the edges that a point's row has, whatever they are.
    #[cold]
    #[inline(never)]
    fn settle_odd(
        &mut self,
        pairing: &mut Pairing,
        row: u32,
        point: u32,
        row_of: impl Fn(&Self, u32) -> Option<u32>,
    ) {
        // By the row of the other end; and whether they leave.
        let mut sides: SmallVec<[(u32, bool, Side); 32]> = SmallVec::new();
        let turns = pairing.turns;
        for side in self.spokes(point) {
            let corners = self.faces[side.triangle()].points;
            let ends = [
                (after(side.corner()), true, side),
                (before(side.corner()), false, side.last()),
            ];
            for (corner, leaves, side) in ends {
                let end = row_of(self, corners[corner]);
                let is_own = |&end: &u32| end != row && place_of([row, end], turns).own == row;
                sides.extend(end.filter(is_own).map(|end| (end, leaves, side)));
            }
        }
        sides.sort_unstable_by_key(|&(end, _, side)| (end, side.0));
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            let end = edge[0].0;
            for row in [row, end] {
                pairing.rows[row as usize].met = UNKNOWN;
            }
            let mut settle = |surface: &mut Self, one: Side, two: Side| {
                let points = surface.faces[one.triangle()].points;
                let at = |corner: usize| surface.points[points[corner] as usize].get();
                let way = at(after(one.corner())) - at(one.corner());
                let [face, other] = [one, two].map(|side| &surface.faces[side.triangle()]);
                if face.turns_from(Plain, other, way) {
                    let (sides, ends) = ([one, two], [row, end]);
                    let pair = Pair { sides, ends };
                    settle_pair(Plain, &mut surface.faces, &mut pairing.rows, &pair);
                }
            };
            let mut left: SmallVec<[(bool, Side); 8]> = SmallVec::new();
            for &(.., side) in edge {
                // Whatever it was given: some may have been taken for a pair that are none.
                self.faces[side.triangle()].owns &= !(SIDE << side.corner());
            }
            for &(_, leaves, side) in edge {
                if let Some(&(_, last)) = left.last()
                    && self.meet_in_strip(last, side)
                {
                    left.pop();
                    settle(self, last, side);
                } else {
                    left.push((leaves, side));
                }
            }
            match *left {
                [(first, one), (second, two)]
                    if first != second && one.triangle() != two.triangle() =>
                {
                    settle(self, one, two);
                }
                // A border; or a tangle, where in cannot be told from out.
                _ => {
                    let border = border_bit(0) * u16::from(left.len() == 1);
                    for (_, side) in left {
                        give(&mut self.faces, side, edge_bit(0) | border);
                    }
                }
            }
        }
    }

    /// Whether [`Pairing::add_strip`] makes a pair of two sides, the first of which has found no partner before.
    fn meet_in_strip(&self, last: Side, next: Side) -> bool {
        let [one, two] = [last, next].map(Side::triangle);
        if two != one + 1 || two % AT_ONCE == 0 {
            return false;
        }
        let lanes = |triangle: usize| self.faces[triangle].points.map(|point| [point; WIDTH]);
        let [meeting, ..] = Plain.meetings(&lanes(one), &lanes(two)).0;
        let Meeting {
            own: i, next: j, ..
        } = MEETINGS[meeting.trailing_zeros() as usize % 16];
        meeting != 0 && [i, j] == [last.corner(), next.corner()]
    }

    /// Gives a point to the first face there or to none; its edges are settled.
    fn settle_vertex(&mut self, point: u32, first: u32) {
        // The ends of the edges that are met, as far as they matter.
        let (mut met, mut ends, mut border) = (0, [DVec3::ZERO; 2], false);
        for side in self.spokes(point) {
            let (face, k) = (&self.faces[side.triangle()], side.corner());
            let owns = face.owns;
            if owns & EDGES[k] == 0 {
                continue;
            }
            for (edge, end) in [(k, after(k)), (before(k), before(k))] {
                if owns & edge_bit(edge) != 0 {
                    border |= owns & border_bit(edge) != 0;
                    if met < 2 {
                        let at = |corner: usize| self.points[face.points[corner] as usize].get();
                        ends[met] = at(end) - at(k);
                    }
                    met += 1;
                }
            }
        }
        if met > 0 && (met != 2 || !runs_on(ends)) {
            self.give_vertex(point, first, border);
        }
    }

    /// Makes a point a face's to test.
    fn give_vertex(&mut self, point: u32, face: u32, is_on_border: bool) {
        let Some(face) = self.faces.get_mut(face as usize) else {
            return;
        };
        // A triangle may name a point twice.
        for k in (0..3).filter(|&k| face.points[k] == point) {
            let on_border = if is_on_border {
                border_vertex_bit(k)
            } else {
                0
            };
            face.owns |= vertex_bit(k) | on_border;
        }
    }
}

/// Whether two edges that leave a point are one straight line through it.
fn runs_on([a, b]: [DVec3; 2]) -> bool {
    let (dot, bend) = (a.dot(b), a.cross(b).length_squared());
    dot < 0.0 && bend <= FLAT_EDGE * FLAT_EDGE * (a.length_squared() * b.length_squared())
}
