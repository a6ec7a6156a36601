//! Who tests an edge or a vertex? The sides of triangles are paired as they come, and what is between two is settled soon,
//! four pairs at a time, while they are at hand.
//!
//! Lists of triangles often run like strips, from one to a neighbour: two that follow each other with a side in common are
//! a pair at once, whatever else is at that edge, as a whole surface is taken in. For the rest each point has a row of
//! edges, every edge in one of two; there a side looks for the one that runs against it. Few points have more than four
//! there, which is what fits in a cache line with all else that is known of a point. What is not one of a pair (a border,
//! a tangle) is noticed and settled in the end, point by point; so are points with very many edges. What is met is noted
//! at the two ends of each edge, so that most vertices need no second look at their faces.
use super::f64x4::Fours;
use super::face::{Face, after, before, edge_bit};
use super::half_edge::Side;
use super::index::{NONE, WIDTH};
use super::mesh::names_twice;

/// Up to four edges of a point.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Edges {
    /// The row of the other end · 2, and 1 where the side that came first leaves for there; [`NONE`] where there is none,
    /// which alone has the highest bit: there are no 2^30 points.
    keys: [u32; 4],
    /// The side that came first, as long as it is alone.
    sides: [Side; 4],
    /// Where in [`Pairing::more`] further edges of the point are; or [`NONE`].
    more: u32,
}

impl Edges {
    const NONE: Self = Self {
        keys: [NONE; 4],
        sides: [Side::PAIRED; 4],
        more: NONE,
    };
}

/// A point with its edges. A cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Row {
    edges: Edges,
    /// The first face there, and its key.
    pub face: u32,
    key: u64,
    /// The rows at the other ends of the first two edges that are met, and of the last: so no branch is to be guessed.
    pub ends: [u32; 3],
    /// The edges at it that are met; or [`UNKNOWN`].
    pub met: u16,
    /// Whether it has edges that may not be between two sides.
    is_odd: bool,
}

impl Row {
    const fn new(met: u16) -> Self {
        Self {
            edges: Edges::NONE,
            face: NONE,
            key: u64::MAX,
            ends: [0; 3],
            met,
            is_odd: false,
        }
    }

    /// So many that they cannot be counted are looked for, too.
    #[inline(always)]
    fn add_end(&mut self, row: u32) {
        self.ends[self.met.min(2) as usize] = row;
        self.met = self.met.saturating_add(1);
    }
}

/// A point with edges in so many further places is settled in the end.
const CROWDED: usize = 16;

/// The edges at a point that are met have to be looked for.
pub(super) const UNKNOWN: u16 = u16::MAX;

/// The sides around some points, each of which has a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    pub rows: Vec<Row>,
    /// Of points that have many.
    more: Vec<Edges>,
    /// See [`place_of`].
    pub turns: u32,
    /// Sides that are without a partner.
    pub alone: usize,
    /// Whether any vertex is odd.
    pub has_odd: bool,
    /// Found and not settled yet.
    pairs: Vec<Pair>,
}

/// Two sides that run against each other.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct Pair {
    pub sides: [Side; 2],
    /// The rows between which the first runs.
    pub ends: [u32; 2],
}

/// Triangles in the order of the list.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    count: usize,
    triangles: [u32; AT_ONCE],
    /// By corner, the rows of their points; those behind the last triangle's are anything.
    rows: [[u32; AT_ONCE + WIDTH]; 3],
    /// By triangle: where it runs against the next; see [`Fours::meetings`].
    meetings: [u32; AT_ONCE],
}

/// So many triangles are taken in at once: with what goes with them some 12 KB.
pub(super) const AT_ONCE: usize = 64;

impl Default for Strip {
    fn default() -> Self {
        Self {
            count: 0,
            triangles: [0; AT_ONCE],
            rows: [[0; AT_ONCE + WIDTH]; 3],
            meetings: [0; AT_ONCE],
        }
    }
}

/// The side of a triangle and that of the next one that run against each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub own: usize,
    /// The corner at the other end of the first.
    pub end: usize,
    pub next: usize,
}

/// By bit of [`Fours::meetings`].
pub(super) const MEETINGS: [Meeting; 16] = {
    let mut all = [Meeting {
        own: 0,
        end: 1,
        next: 0,
    }; 16];
    let mut bit = 0;
    while bit < 9 {
        all[bit] = Meeting {
            own: bit / 3,
            end: after(bit / 3),
            next: bit % 3,
        };
        bit += 1;
    }
    all
};

impl Strip {
    /// Adds a triangle; there is room for [`AT_ONCE`].
    #[inline(always)]
    pub fn push(&mut self, triangle: u32, rows: [u32; 3]) {
        let at = self.count % AT_ONCE;
        self.triangles[at] = triangle;
        for (all, row) in self.rows.iter_mut().zip(rows) {
            all[at] = row;
        }
        self.count += 1;
    }

    #[inline(always)]
    fn rows_of(&self, at: usize) -> [u32; 3] {
        self.rows.each_ref().map(|rows| rows[at])
    }

    /// Finds where each triangle runs against the next; whether any of them names a point twice.
    #[inline(always)]
    fn meet<M: Fours>(&mut self, m: M) -> bool {
        let mut twice = 0;
        let [a, b, c] = &self.rows;
        for (at, meetings) in (0..).step_by(WIDTH).zip(self.meetings.as_chunks_mut().0) {
            if at >= self.count {
                break;
            }
            let eight = |rows: &[u32; AT_ONCE + WIDTH], at: usize| {
                rows[at..].first_chunk().copied().unwrap_or([0; WIDTH])
            };
            let last = [eight(a, at), eight(b, at), eight(c, at)];
            let next = [eight(a, at + 1), eight(b, at + 1), eight(c, at + 1)];
            let alike;
            (*meetings, alike) = m.meetings(&last, &next);
            let there = u32::MAX >> (32 - (self.count - at).min(WIDTH));
            twice |= alike & there;
        }
        twice != 0
    }
}

/// Where a side belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The row that has the edge.
    pub own: u32,
    /// What the row knows it by; see [`Row::keys`].
    key: u32,
}

/// Where a side belongs that runs from one row to another: with the lower one where they differ in one of the bits
/// `turns`, else with the higher one. In a whole surface it is now the one, now the other, so that few get many; in an
/// update it is the one that came later, as points that are new have few edges.
#[inline(always)]
pub(super) fn place_of([from, to]: [u32; 2], turns: u32) -> Place {
    let own = if (from ^ to) & turns == 0 {
        from.max(to)
    } else {
        from.min(to)
    };
    let key = (own ^ from ^ to) << 1 | u32::from(from > to);
    Place { own, key }
}

impl Pairing {
    /// Of so many points, all triangles of which will come.
    pub fn new(points: usize) -> Self {
        Self {
            turns: 1,
            rows: vec![Row::new(0); points],
            ..Self::default()
        }
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.more.clear();
        (self.alone, self.has_odd) = (0, false);
    }

    /// A row for another point; `is_new` if all its triangles will come.
    #[inline(always)]
    pub fn push(&mut self, is_new: bool) {
        self.rows.push(Row::new(if is_new { 0 } else { UNKNOWN }));
    }

    /// Adds the corners and sides of triangles that are in `faces`, and empties the strip. Two that follow each other are
    /// a pair where they run against each other first; all other sides are added one by one.
    #[inline(always)]
    pub fn add_strip<M: Fours>(&mut self, m: M, faces: &[Face], strip: &mut Strip) {
        let any_twice = strip.meet(m);
        let count = std::mem::take(&mut strip.count).min(AT_ONCE);
        // The side that the triangle before has taken for a pair, and that one with its key.
        let (mut taken, mut last) = (None, (u64::MAX, 0));
        for at in 0..count {
            let triangle = strip.triangles[at];
            let rows = strip.rows_of(at);
            let own = (faces[triangle as usize].key, triangle);
            match taken {
                // The other two corners know of a face that comes before.
                Some(side) if last <= own => self.add_face(rows[before(side)], own.0, triangle),
                _ => rows
                    .iter()
                    .for_each(|&row| self.add_face(row, own.0, triangle)),
            }
            let mut open: u32 = taken.map_or(0b111, |side| 0b111 & !(1 << side));
            (taken, last) = (None, own);
            if any_twice && names_twice(rows) {
                self.add_odd(&rows);
                continue;
            }
            let meeting = strip.meetings[at];
            let Meeting {
                own: i,
                end,
                next: j,
            } = MEETINGS[meeting.trailing_zeros() as usize % 16];
            let is_next = at + 1 < count && strip.triangles[at + 1] == triangle + 1;
            // Not if the triangle before has taken that side.
            if meeting != 0 && is_next && open >> i & 1 != 0 {
                open &= !(1 << i);
                taken = Some(j % 3);
                let sides = [triangle * 4 + i as u32, (triangle + 1) * 4 + j as u32];
                self.pairs.push(Pair {
                    sides: sides.map(Side),
                    ends: [rows[i % 3], rows[end % 3]],
                });
            }
            while open != 0 {
                let k = open.trailing_zeros() as usize % 3;
                open &= open - 1;
                self.add(m, Side(triangle * 4 + k as u32), [rows[k], rows[after(k)]]);
            }
        }
    }

    /// Adds the corners and sides of a triangle.
    #[inline(always)]
    pub fn add_triangle<M: Fours>(&mut self, m: M, triangle: u32, key: u64, rows: [u32; 3]) {
        let [a, b, c] = rows;
        self.add_face(a, key, triangle);
        self.add_face(b, key, triangle);
        self.add_face(c, key, triangle);
        if names_twice(rows) {
            self.add_odd(&rows);
            return;
        }
        self.add(m, Side(triangle * 4), [a, b]);
        self.add(m, Side(triangle * 4 + 1), [b, c]);
        self.add(m, Side(triangle * 4 + 2), [c, a]);
    }

    /// Adds a face to a point.
    #[inline(always)]
    pub fn add_face(&mut self, row: u32, key: u64, face: u32) {
        let vertex = &mut self.rows[row as usize];
        if key < vertex.key || key == vertex.key && face < vertex.face {
            (vertex.key, vertex.face) = (key, face);
        }
    }

    /// Notes rows with sides that are not to be paired.
    #[cold]
    #[inline(never)]
    pub fn add_odd(&mut self, rows: &[u32]) {
        self.has_odd = true;
        for &row in rows {
            self.rows[row as usize].is_odd = true;
        }
    }

    /// Adds a side that runs between two rows. If the one that runs against it is there already, they are a pair, for
    /// [`Self::settle_pairs`].
    #[inline(always)]
    pub fn add<M: Fours>(&mut self, m: M, side: Side, ends: [u32; 2]) {
        let Place { own, key } = place_of(ends, self.turns);
        let edges = &mut self.rows[own as usize].edges;
        let found = m.equal(&edges.keys, key ^ 1);
        let partner = if found != 0 {
            let lane = found.trailing_zeros() as usize % 4;
            std::mem::replace(&mut edges.sides[lane], Side::PAIRED)
        } else {
            let free = m.high(&edges.keys);
            if free != 0 {
                let lane = free.trailing_zeros() as usize % 4;
                m.put(&mut edges.keys, lane, key);
                edges.sides[lane] = side;
                self.alone += 1;
                return;
            }
            match self.add_more(own, key, side) {
                Some(partner) => partner,
                None => return,
            }
        };
        if partner == Side::PAIRED {
            self.add_odd(&[own]);
        } else {
            self.alone -= 1;
            self.pairs.push(Pair {
                sides: [side, partner],
                ends,
            });
        }
    }

    /// Adds a side to the further edges of a row, or finds the one that runs against it; neither if there are too many.
    #[cold]
    #[inline(never)]
    fn add_more(&mut self, row: u32, key: u32, side: Side) -> Option<Side> {
        let newest = self.rows[row as usize].edges.more;
        let (mut at, mut count, mut found) = (newest, 0, None);
        while let Some(edges) = self.more.get(at as usize) {
            count += 1;
            if count > CROWDED {
                self.add_odd(&[row]);
                return None;
            }
            if let Some(lane) = edges.keys.iter().position(|&one| one == key ^ 1) {
                found = Some((at as usize, lane));
            }
            at = edges.more;
        }
        // The one that came first, as in the row: if that has its partner already, these are more than two.
        if let Some((at, lane)) = found {
            let partner = &mut self.more[at].sides[lane];
            return Some(std::mem::replace(partner, Side::PAIRED));
        }
        self.alone += 1;
        // All but the newest are full.
        if let Some(edges) = self.more.get_mut(newest as usize)
            && let Some(lane) = edges.keys.iter().position(|&one| one == NONE)
        {
            (edges.keys[lane], edges.sides[lane]) = (key, side);
            return None;
        }
        self.rows[row as usize].edges.more = self.more.len() as u32;
        self.more.push(Edges {
            keys: [key, NONE, NONE, NONE],
            sides: [side, Side::PAIRED, Side::PAIRED, Side::PAIRED],
            more: newest,
        });
        None
    }

    /// Whether a row may have edges that are not between two sides.
    pub fn is_odd(&self, row: usize) -> bool {
        let Row {
            mut edges, is_odd, ..
        } = self.rows[row];
        if is_odd {
            return true;
        }
        loop {
            if edges.sides.iter().any(|&side| side != Side::PAIRED) {
                return true;
            }
            match self.more.get(edges.more as usize) {
                Some(&more) => edges = more,
                None => return false,
            }
        }
    }

    /// Settles the edges of the pairs that were found since, four at a time; if it is not `last`, up to three are left.
    /// `at` is where a row's point is.
    #[inline(always)]
    pub fn settle_pairs<M: Fours>(
        &mut self,
        m: M,
        faces: &mut [Face],
        at: impl Fn(u32) -> M::V,
        last: bool,
    ) {
        let Self { pairs, rows, .. } = self;
        let edge = |pair: &Pair| m.sub(at(pair.ends[1]), at(pair.ends[0]));
        // Many fours at a time: a bit for each pair.
        for pairs in pairs.chunks(64) {
            let mut met = 0u64;
            for (i, pairs) in (0..).zip(pairs.as_chunks::<4>().0) {
                let one = pairs
                    .each_ref()
                    .map(|pair| &faces[pair.sides[0].triangle()]);
                let two = pairs
                    .each_ref()
                    .map(|pair| &faces[pair.sides[1].triangle()]);
                let turn = Face::four_turn(m, [one, two], pairs.each_ref().map(edge));
                met |= u64::from(turn) << (4 * i);
            }
            while met != 0 {
                let pair = met.trailing_zeros() as usize;
                met &= met - 1;
                settle_pair(m, faces, rows, &pairs[pair]);
            }
        }
        let done = pairs.len() & !3;
        pairs.copy_within(done.., 0);
        pairs.truncate(pairs.len() - done);
        if last {
            for pair in pairs.drain(..) {
                let [one, two] = pair.sides.map(|side| &faces[side.triangle()]);
                if one.turns_from(m, two, edge(&pair)) {
                    settle_pair(m, faces, rows, &pair);
                }
            }
        }
    }
}

/// Has the face with the lowest key test an edge at which the surface turns, and notes it at its ends; unless the two are
/// one, which is the answer.
#[inline(always)]
pub(super) fn settle_pair<M: Fours>(m: M, faces: &mut [Face], rows: &mut [Row], pair: &Pair) {
    let ([one, two], [a, b]) = (pair.sides, pair.ends);
    let [face, other] = [one, two].map(|side| &faces[side.triangle()]);
    if face.is_one_with(m, other) {
        return;
    }
    let is_first = (face.key, one.triangle()) < (other.key, two.triangle());
    give(faces, if is_first { one } else { two }, edge_bit(0));
    rows[a as usize].add_end(b);
    rows[b as usize].add_end(a);
}

/// Makes an edge a face's to test; bits as for the first edge.
#[inline(always)]
pub(super) fn give(faces: &mut [Face], side: Side, bits: u16) {
    faces[side.triangle()].owns |= bits << side.corner();
}
