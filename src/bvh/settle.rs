//! Who tests an edge or a vertex? The sides of triangles are paired as they come, and what is between two is settled soon,
//! four pairs at a time, while they are at hand.
//!
//! Each point has a row of edges, every edge in one of two; there a side looks for the one that runs against it. What is
//! not one of a pair (a border, a tangle) is noticed and settled in the end, point by point; so are points with more edges
//! than a row holds. What is met is noted at the two ends of each edge, so that most vertices need no second look at
//! their faces.
use super::face::{
    EDGES, Face, after, before, border_bit, border_vertex_bit, edge_bit, vertex_bit,
};
use super::four::{Fours, Plain, Whole, edge_of};
use super::node::{NONE, WIDTH};
use super::surface::Surface;
use crate::geom::tolerance::FLAT_EDGE;
use glam::DVec3;
use smallvec::SmallVec;

/// A triangle's side, from a corner to the next: triangle · 4 + corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side(pub u32);

impl Side {
    /// In place of a side that has found its partner.
    const PAIRED: Self = Self(NONE);

    #[inline(always)]
    pub fn triangle(self) -> usize {
        self.0 as usize / 4
    }
    #[inline(always)]
    pub fn corner(self) -> usize {
        self.0 as usize % 4
    }
    /// The one that ends where this one begins.
    fn last(self) -> Self {
        Self((self.0 & !3) | before(self.corner()) as u32)
    }
}

/// Up to eight edges of a point. A cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Row {
    /// The row of the other end · 2, and 1 where the side that came first leaves for there; [`NONE`] where there is none,
    /// which alone has the highest bit: there are no 2^30 points.
    keys: [u32; WIDTH],
    /// The side that came first, as long as it is alone.
    sides: [Side; WIDTH],
}

impl Row {
    const EMPTY: Self = Self {
        keys: [NONE; WIDTH],
        sides: [Side::PAIRED; WIDTH],
    };
}

/// The sides around some points, each of which has a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    rows: Vec<Row>,
    /// By row.
    vertices: Vec<Vertex>,
    /// See [`Self::place`].
    turns: u32,
    /// Found and not settled yet.
    pairs: Vec<Pair>,
    /// As the first side of each runs.
    edges: Vec<Whole>,
}

/// Two sides that run against each other.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
struct Pair {
    sides: [Side; 2],
    /// The rows of its ends.
    ends: [u32; 2],
}

/// Where a side belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The row that has the edge.
    own: u32,
    /// What the row knows it by; see [`Row::keys`].
    key: u32,
}

/// What is known of a vertex.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    /// The first face there, and its key.
    key: u64,
    face: u32,
    /// Whether it has edges that may not be between two sides.
    is_odd: bool,
    /// The edges at it that are met; or [`UNKNOWN`].
    met: u32,
    /// The rows at the other ends of the first two, and of the last: so no branch is to be guessed.
    ends: [u32; 3],
}

/// The edges at a point that are met have to be looked for.
const UNKNOWN: u32 = u32::MAX;

impl Pairing {
    /// Of so many points, of which none is known to have few edges.
    pub fn new(points: usize) -> Self {
        Self {
            turns: 1,
            pairs: Vec::new(),
            edges: Vec::new(),
            rows: vec![Row::EMPTY; points],
            vertices: vec![Vertex::new(0); points],
        }
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.vertices.clear();
    }

    /// A row for another point; `is_new` if all its triangles will come.
    #[inline(always)]
    pub fn push(&mut self, is_new: bool) {
        self.rows.push(Row::EMPTY);
        self.vertices
            .push(Vertex::new(if is_new { 0 } else { UNKNOWN }));
    }

    /// Adds the corners and sides of a triangle that is in `faces`; its corners are in `rows` and at `corners`.
    #[inline(always)]
    pub fn add_triangle<M: Fours>(
        &mut self,
        m: M,
        triangle: u32,
        key: u64,
        rows: [u32; 3],
        &[p, q, r]: &[M::V; 3],
    ) {
        for row in rows {
            self.add_face(row, key, triangle);
        }
        if names_twice(rows) {
            self.add_odd(&rows);
            return;
        }
        let [owns, keys] = m.edges_of(rows, self.turns);
        let place = |k: usize| Place {
            own: owns[k],
            key: keys[k],
        };
        let side = |k| Side(triangle * 4 + k);
        self.add(m, side(0), place(0), [p, q]);
        self.add(m, side(1), place(1), [q, r]);
        self.add(m, side(2), place(2), [r, p]);
    }

    /// Adds a face to a vertex.
    #[inline(always)]
    pub fn add_face(&mut self, row: u32, key: u64, face: u32) {
        let vertex = &mut self.vertices[row as usize];
        if key < vertex.key || key == vertex.key && face < vertex.face {
            (vertex.key, vertex.face) = (key, face);
        }
    }

    /// Notes rows with sides that are not to be paired.
    #[cold]
    pub fn add_odd(&mut self, rows: &[u32]) {
        for &row in rows {
            self.vertices[row as usize].is_odd = true;
        }
    }

    /// Adds a side with its place, and its ends. If the one that runs against it is there already, they are a pair, for
    /// [`Self::settle_pairs`].
    #[inline(always)]
    pub fn add<M: Fours>(
        &mut self,
        m: M,
        side: Side,
        Place { own, key }: Place,
        [from, to]: [M::V; 2],
    ) {
        let row = &mut self.rows[own as usize];
        let found = m.equal(&row.keys, key ^ 1);
        if found == 0 {
            let free = m.high(&row.keys);
            if free == 0 {
                self.vertices[own as usize].is_odd = true;
            } else {
                let lane = free.trailing_zeros() as usize % WIDTH;
                m.put(&mut row.keys, lane, key);
                row.sides[lane] = side;
            }
            return;
        }
        let lane = found.trailing_zeros() as usize % WIDTH;
        let partner = std::mem::replace(&mut row.sides[lane], Side::PAIRED);
        if partner == Side::PAIRED {
            self.vertices[own as usize].is_odd = true;
        } else {
            self.edges.push(m.store_any(m.sub(to, from)));
            self.pairs.push(Pair {
                sides: [side, partner],
                ends: [own, key >> 1],
            });
        }
    }

    /// Settles the edges of the pairs that were found since.
    #[inline(always)]
    pub fn settle_pairs<M: Fours>(&mut self, m: M, faces: &mut [Face]) {
        let Self {
            pairs,
            edges,
            vertices,
            ..
        } = self;
        // Those that are met come to the front, without a branch to guess.
        let mut count = 0;
        let (fours, rest) = edges.as_chunks::<4>();
        for (start, edges) in (0..).step_by(4).zip(fours) {
            let Some(&four) = pairs[start..].first_chunk::<4>() else {
                break;
            };
            let one = four.map(|pair: Pair| &faces[pair.sides[0].triangle()]);
            let two = four.map(|pair: Pair| &faces[pair.sides[1].triangle()]);
            let met = Face::four_turn(m, [one, two], edges);
            for (lane, pair) in four.into_iter().enumerate() {
                pairs[count] = pair;
                count += (met >> lane & 1) as usize;
            }
        }
        for (i, edge) in (4 * fours.len()..).zip(rest) {
            let [one, two] = pairs[i].sides.map(|side| &faces[side.triangle()]);
            let is_met = one.turns_from(m, two, m.load_whole(edge));
            pairs[count] = pairs[i];
            count += usize::from(is_met);
        }
        for pair in &pairs[..count] {
            if settle_pair(m, faces, pair.sides) {
                let [a, b] = pair.ends;
                vertices[a as usize].add_end(b);
                vertices[b as usize].add_end(a);
            }
        }
        pairs.clear();
        edges.clear();
    }

    /// Where a side belongs that runs from one row to another. Which of the two has the edge is in a whole surface now
    /// the one that comes first, now the other, so that few get many; in an update it is the one that came later, as
    /// points that are new have few edges.
    #[inline(always)]
    pub fn place(&self, [from, to]: [u32; 2]) -> Place {
        let [own, key] = edge_of([from, to], self.turns);
        Place { own, key }
    }

    /// Marks the rows that have sides without a partner.
    #[inline(always)]
    fn mark_odd<M: Fours>(&mut self, m: M) {
        const PAIRED: u32 = Side::PAIRED.0;
        for (vertex, row) in self.vertices.iter_mut().zip(&self.rows) {
            vertex.is_odd |= m.equal(&row.sides.map(|side| side.0), PAIRED) != 0xff;
        }
    }
}

/// Whether a triangle names a point twice: its sides are never those of a pair.
#[inline(always)]
pub(super) fn names_twice([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

impl Vertex {
    const fn new(met: u32) -> Self {
        Self {
            key: u64::MAX,
            face: NONE,
            is_odd: false,
            met,
            ends: [0; 3],
        }
    }

    #[inline(always)]
    fn add_end(&mut self, row: u32) {
        self.ends[self.met.min(2) as usize] = row;
        self.met = self.met.saturating_add(1);
    }
}

/// Has the face with the lowest key test an edge at which the surface turns; unless the two are one, which is the answer.
#[inline(always)]
fn settle_pair<M: Fours>(m: M, faces: &mut [Face], [one, two]: [Side; 2]) -> bool {
    let [face, other] = [one, two].map(|side| &faces[side.triangle()]);
    if face.is_one_with(m, other) {
        return false;
    }
    let is_first = (face.key, one.triangle()) < (other.key, two.triangle());
    give(faces, if is_first { one } else { two }, edge_bit(0));
    true
}

/// Makes an edge a face's to test; bits as for the first edge.
#[inline(always)]
fn give(faces: &mut [Face], side: Side, bits: u16) {
    faces[side.triangle()].owns |= bits << side.corner();
}

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
        pairing.settle_pairs(m, &mut self.faces);
        pairing.mark_odd(m);
        for row in 0..pairing.rows.len() {
            if pairing.vertices[row].is_odd {
                let row = row as u32;
                self.settle_odd(pairing, row, point_of(row), &row_of);
            }
        }
        for (row, vertex) in (0..).zip(&pairing.vertices) {
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
        for side in self.spokes(point) {
            let corners = self.faces[side.triangle()].points;
            let ends = [
                (after(side.corner()), true, side),
                (before(side.corner()), false, side.last()),
            ];
            for (corner, leaves, side) in ends {
                let end = row_of(self, corners[corner]);
                let is_own = |&end: &u32| end != row && pairing.place([row, end]).own == row;
                sides.extend(end.filter(is_own).map(|end| (end, leaves, side)));
            }
        }
        sides.sort_unstable_by_key(|&(end, leaves, side)| (end, leaves, side.0));
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            for end in [row, edge[0].0] {
                pairing.vertices[end as usize].met = UNKNOWN;
            }
            if let [(_, false, one), (_, true, two)] = *edge
                && one.triangle() != two.triangle()
            {
                let points = self.faces[one.triangle()].points;
                let at = |corner: usize| self.points[points[corner] as usize].get();
                let way = at(after(one.corner())) - at(one.corner());
                let [face, other] = [one, two].map(|side| &self.faces[side.triangle()]);
                if face.turns_from(Plain, other, way) {
                    settle_pair(Plain, &mut self.faces, [one, two]);
                }
                continue;
            }
            // A border; or a tangle, where in cannot be told from out.
            let border = border_bit(0) * u16::from(edge.len() == 1);
            for &(.., side) in edge {
                give(&mut self.faces, side, edge_bit(0) | border);
            }
        }
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
