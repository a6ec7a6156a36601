//! Who tests an edge or a vertex? The sides of triangles are paired as they come, and what is between two is settled soon,
//! four pairs at a time, while they are at hand.
//!
//! Lists of triangles often run like strips, from one to a neighbour: two that follow each other with a side in common are
//! a pair at once, whatever else is at that edge, as a whole surface is taken in. For the rest each point has a row of
//! edges, every edge in one of two; there a side looks for the one that runs against it. Few points have more than four
//! there, which is what fits in a cache line with all else that is known of a point. What is not one of a pair (a border,
//! a tangle) is noticed and settled in the end, point by point; so are points with very many edges. What is met is noted
//! at the two ends of each edge, so that most vertices need no second look at their faces.
use super::f64x4::F64x4;
use super::face::{Face, edge_bit, next_corner, previous_corner};
use super::half_edge::HalfEdge;
use super::index::{NONE, WIDTH};
use super::mesh::repeats_index;

/// Up to four edges of a point.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct EdgeSlots {
    /// The row of the other end · 2, and 1 where the side that came first leaves for there; [`NONE`] where there is none,
    /// which alone has the highest bit: there are no 2^30 points.
    keys: [u32; 4],
    /// The side that came first, as long as it is alone.
    half_edges: [HalfEdge; 4],
    /// Where in [`EdgeAdjacency::more`] further edges of the point are; or [`NONE`].
    extra: u32,
}

impl EdgeSlots {
    const NONE: Self = Self {
        keys: [NONE; 4],
        half_edges: [HalfEdge::MATCHED; 4],
        extra: NONE,
    };
}

/// A point with its edges. A cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct AdjacencyRow {
    edges: EdgeSlots,
    /// The first face there, and its key.
    pub face: u32,
    key: u64,
    /// The rows at the other ends of the first two edges that are met, and of the last: so no branch is to be guessed.
    pub active_ends: [u32; 3],
    /// The edges at it that are met; or [`UNCOUNTED`].
    pub active_count: u16,
    /// Whether it has edges that may not be between two sides.
    is_irregular: bool,
}

impl AdjacencyRow {
    const fn new(active_count: u16) -> Self {
        Self {
            edges: EdgeSlots::NONE,
            face: NONE,
            key: u64::MAX,
            active_ends: [0; 3],
            active_count,
            is_irregular: false,
        }
    }

    /// So many that they cannot be counted are looked for, too.
    #[inline(always)]
    fn add_end(&mut self, row: u32) {
        self.active_ends[self.active_count.min(2) as usize] = row;
        self.active_count = self.active_count.saturating_add(1);
    }
}

/// A point with edges in so many further places is settled in the end.
const MAX_EXTRA_SLOTS: usize = 16;

/// The edges at a point that are met have to be looked for.
pub(super) const UNCOUNTED: u16 = u16::MAX;

/// The sides around some points, each of which has a row.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeAdjacency {
    pub rows: Vec<AdjacencyRow>,
    /// Of points that have many.
    extra: Vec<EdgeSlots>,
    /// See [`edge_key`].
    pub owner_mask: u32,
    /// Sides that are without a partner.
    pub unmatched: usize,
    /// Whether any vertex is odd.
    pub has_irregular: bool,
    /// Found and not settled yet.
    pairs: Vec<MatchedEdge>,
}

/// Two sides that run against each other.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct MatchedEdge {
    pub half_edges: [HalfEdge; 2],
    /// The rows between which the first runs.
    pub ends: [u32; 2],
}

/// Triangles in the order of the list.
#[derive(Clone, Debug)]
pub(super) struct TriangleStrip {
    count: usize,
    triangles: [u32; BATCH],
    /// By corner, the rows of their points; those behind the last triangle's are anything.
    rows: [[u32; BATCH + WIDTH]; 3],
    /// By triangle: where it runs against the next; see [`F64x4::shared_edges`].
    shared_edges: [u32; BATCH],
}

/// So many triangles are taken in at once: with what goes with them some 12 KB.
pub(super) const BATCH: usize = 64;

impl Default for TriangleStrip {
    fn default() -> Self {
        Self {
            count: 0,
            triangles: [0; BATCH],
            rows: [[0; BATCH + WIDTH]; 3],
            shared_edges: [0; BATCH],
        }
    }
}

/// The side of a triangle and that of the next one that run against each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedEdge {
    pub own: usize,
    /// The corner at the other end of the first.
    pub end: usize,
    pub next: usize,
}

/// By bit of [`F64x4::shared_edges`].
pub(super) const SHARED_EDGES: [SharedEdge; 16] = {
    let mut all = [SharedEdge {
        own: 0,
        end: 1,
        next: 0,
    }; 16];
    let mut bit = 0;
    while bit < 9 {
        all[bit] = SharedEdge {
            own: bit / 3,
            end: next_corner(bit / 3),
            next: bit % 3,
        };
        bit += 1;
    }
    all
};

impl TriangleStrip {
    /// Adds a triangle; there is room for [`BATCH`].
    #[inline(always)]
    pub fn push(&mut self, triangle: u32, rows: [u32; 3]) {
        let at = self.count % BATCH;
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
    fn find_shared_edges<S: F64x4>(&mut self, simd: S) -> bool {
        let mut twice = 0;
        let [a, b, c] = &self.rows;
        for (at, shared_edges) in (0..)
            .step_by(WIDTH)
            .zip(self.shared_edges.as_chunks_mut().0)
        {
            if at >= self.count {
                break;
            }
            let eight = |rows: &[u32; BATCH + WIDTH], at: usize| {
                rows[at..].first_chunk().copied().unwrap_or([0; WIDTH])
            };
            let last = [eight(a, at), eight(b, at), eight(c, at)];
            let next = [eight(a, at + 1), eight(b, at + 1), eight(c, at + 1)];
            let alike;
            (*shared_edges, alike) = simd.shared_edges(&last, &next);
            let there = u32::MAX >> (32 - (self.count - at).min(WIDTH));
            twice |= alike & there;
        }
        twice != 0
    }
}

/// Where a side belongs.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeKey {
    /// The row that has the edge.
    pub own: u32,
    /// What the row knows it by; see [`AdjacencyRow::keys`].
    key: u32,
}

/// Where a side belongs that runs from one row to another: with the lower one where they differ in one of the bits
/// `turns`, else with the higher one. In a whole surface it is now the one, now the other, so that few get many; in an
/// update it is the one that came later, as points that are new have few edges.
#[inline(always)]
pub(super) fn edge_key([from, to]: [u32; 2], owner_mask: u32) -> EdgeKey {
    let own = if (from ^ to) & owner_mask == 0 {
        from.max(to)
    } else {
        from.min(to)
    };
    let key = (own ^ from ^ to) << 1 | u32::from(from > to);
    EdgeKey { own, key }
}

impl EdgeAdjacency {
    /// Of so many points, all triangles of which will come.
    pub fn new(points: usize) -> Self {
        Self {
            owner_mask: 1,
            rows: vec![AdjacencyRow::new(0); points],
            ..Self::default()
        }
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.extra.clear();
        (self.unmatched, self.has_irregular) = (0, false);
    }

    /// A row for another point; `is_new` if all its triangles will come.
    #[inline(always)]
    pub fn push(&mut self, is_new: bool) {
        self.rows
            .push(AdjacencyRow::new(if is_new { 0 } else { UNCOUNTED }));
    }

    /// Adds the corners and sides of triangles that are in `faces`, and empties the strip. Two that follow each other are
    /// a pair where they run against each other first; all other sides are added one by one.
    #[inline(always)]
    pub fn add_strip<S: F64x4>(&mut self, simd: S, faces: &[Face], strip: &mut TriangleStrip) {
        let any_twice = strip.find_shared_edges(simd);
        let count = std::mem::take(&mut strip.count).min(BATCH);
        // The side that the triangle before has taken for a pair, and that one with its key.
        let (mut taken, mut last) = (None, (u64::MAX, 0));
        for at in 0..count {
            let triangle = strip.triangles[at];
            let rows = strip.rows_of(at);
            let own = (faces[triangle as usize].key, triangle);
            match taken {
                // The other two corners know of a face that comes before.
                Some(half_edge) if last <= own => {
                    self.add_face(rows[previous_corner(half_edge)], own.0, triangle)
                }
                _ => rows
                    .iter()
                    .for_each(|&row| self.add_face(row, own.0, triangle)),
            }
            let mut open: u32 = taken.map_or(0b111, |half_edge| 0b111 & !(1 << half_edge));
            (taken, last) = (None, own);
            if any_twice && repeats_index(rows) {
                self.mark_irregular(&rows);
                continue;
            }
            let meeting = strip.shared_edges[at];
            let SharedEdge {
                own: i,
                end,
                next: j,
            } = SHARED_EDGES[meeting.trailing_zeros() as usize % 16];
            let is_next = at + 1 < count && strip.triangles[at + 1] == triangle + 1;
            // Not if the triangle before has taken that side.
            if meeting != 0 && is_next && open >> i & 1 != 0 {
                open &= !(1 << i);
                taken = Some(j % 3);
                let half_edges = [triangle * 4 + i as u32, (triangle + 1) * 4 + j as u32];
                self.pairs.push(MatchedEdge {
                    half_edges: half_edges.map(HalfEdge),
                    ends: [rows[i % 3], rows[end % 3]],
                });
            }
            while open != 0 {
                let k = open.trailing_zeros() as usize % 3;
                open &= open - 1;
                self.add_half_edge(
                    simd,
                    HalfEdge(triangle * 4 + k as u32),
                    [rows[k], rows[next_corner(k)]],
                );
            }
        }
    }

    /// Adds the corners and sides of a triangle.
    #[inline(always)]
    pub fn add_triangle<S: F64x4>(&mut self, simd: S, triangle: u32, key: u64, rows: [u32; 3]) {
        let [a, b, c] = rows;
        self.add_face(a, key, triangle);
        self.add_face(b, key, triangle);
        self.add_face(c, key, triangle);
        if repeats_index(rows) {
            self.mark_irregular(&rows);
            return;
        }
        self.add_half_edge(simd, HalfEdge(triangle * 4), [a, b]);
        self.add_half_edge(simd, HalfEdge(triangle * 4 + 1), [b, c]);
        self.add_half_edge(simd, HalfEdge(triangle * 4 + 2), [c, a]);
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
    pub fn mark_irregular(&mut self, rows: &[u32]) {
        self.has_irregular = true;
        for &row in rows {
            self.rows[row as usize].is_irregular = true;
        }
    }

    /// Adds a side that runs between two rows. If the one that runs against it is there already, they are a pair, for
    /// [`Self::classify_matched`].
    #[inline(always)]
    pub fn add_half_edge<S: F64x4>(&mut self, simd: S, half_edge: HalfEdge, ends: [u32; 2]) {
        let EdgeKey { own, key } = edge_key(ends, self.owner_mask);
        let edges = &mut self.rows[own as usize].edges;
        let found = simd.equal_mask(&edges.keys, key ^ 1);
        let partner = if found != 0 {
            let lane = found.trailing_zeros() as usize % 4;
            std::mem::replace(&mut edges.half_edges[lane], HalfEdge::MATCHED)
        } else {
            let free = simd.high_bit_mask(&edges.keys);
            if free != 0 {
                let lane = free.trailing_zeros() as usize % 4;
                simd.set_lane(&mut edges.keys, lane, key);
                edges.half_edges[lane] = half_edge;
                self.unmatched += 1;
                return;
            }
            match self.add_extra(own, key, half_edge) {
                Some(partner) => partner,
                None => return,
            }
        };
        if partner == HalfEdge::MATCHED {
            self.mark_irregular(&[own]);
        } else {
            self.unmatched -= 1;
            self.pairs.push(MatchedEdge {
                half_edges: [half_edge, partner],
                ends,
            });
        }
    }

    /// Adds a side to the further edges of a row, or finds the one that runs against it; neither if there are too many.
    #[cold]
    #[inline(never)]
    fn add_extra(&mut self, row: u32, key: u32, half_edge: HalfEdge) -> Option<HalfEdge> {
        let newest = self.rows[row as usize].edges.extra;
        let (mut at, mut count, mut found) = (newest, 0, None);
        while let Some(edges) = self.extra.get(at as usize) {
            count += 1;
            if count > MAX_EXTRA_SLOTS {
                self.mark_irregular(&[row]);
                return None;
            }
            if let Some(lane) = edges.keys.iter().position(|&one| one == key ^ 1) {
                found = Some((at as usize, lane));
            }
            at = edges.extra;
        }
        // The one that came first, as in the row: if that has its partner already, these are more than two.
        if let Some((at, lane)) = found {
            let partner = &mut self.extra[at].half_edges[lane];
            return Some(std::mem::replace(partner, HalfEdge::MATCHED));
        }
        self.unmatched += 1;
        // All but the newest are full.
        if let Some(edges) = self.extra.get_mut(newest as usize)
            && let Some(lane) = edges.keys.iter().position(|&one| one == NONE)
        {
            (edges.keys[lane], edges.half_edges[lane]) = (key, half_edge);
            return None;
        }
        self.rows[row as usize].edges.extra = self.extra.len() as u32;
        self.extra.push(EdgeSlots {
            keys: [key, NONE, NONE, NONE],
            half_edges: [
                half_edge,
                HalfEdge::MATCHED,
                HalfEdge::MATCHED,
                HalfEdge::MATCHED,
            ],
            extra: newest,
        });
        None
    }

    /// Whether a row may have edges that are not between two sides.
    pub fn is_irregular(&self, row: usize) -> bool {
        let AdjacencyRow {
            mut edges,
            is_irregular,
            ..
        } = self.rows[row];
        if is_irregular {
            return true;
        }
        loop {
            if edges
                .half_edges
                .iter()
                .any(|&half_edge| half_edge != HalfEdge::MATCHED)
            {
                return true;
            }
            match self.extra.get(edges.extra as usize) {
                Some(&extra) => edges = extra,
                None => return false,
            }
        }
    }

    /// Settles the edges of the pairs that were found since, four at a time; if it is not `last`, up to three are left.
    /// `at` is where a row's point is.
    #[inline(always)]
    pub fn classify_matched<S: F64x4>(
        &mut self,
        simd: S,
        faces: &mut [Face],
        at: impl Fn(u32) -> S::V,
        last: bool,
    ) {
        let Self { pairs, rows, .. } = self;
        let edge = |pair: &MatchedEdge| simd.sub(at(pair.ends[1]), at(pair.ends[0]));
        // Many fours at a time: a bit for each pair.
        for pairs in pairs.chunks(64) {
            let mut active_count = 0u64;
            for (i, pairs) in (0..).zip(pairs.as_chunks::<4>().0) {
                let one = pairs
                    .each_ref()
                    .map(|pair| &faces[pair.half_edges[0].triangle()]);
                let two = pairs
                    .each_ref()
                    .map(|pair| &faces[pair.half_edges[1].triangle()]);
                let turn = Face::four_edges_active(simd, [one, two], pairs.each_ref().map(edge));
                active_count |= u64::from(turn) << (4 * i);
            }
            while active_count != 0 {
                let pair = active_count.trailing_zeros() as usize;
                active_count &= active_count - 1;
                activate_edge(simd, faces, rows, &pairs[pair]);
            }
        }
        let done = pairs.len() & !3;
        pairs.copy_within(done.., 0);
        pairs.truncate(pairs.len() - done);
        if last {
            for pair in pairs.drain(..) {
                let [one, two] = pair
                    .half_edges
                    .map(|half_edge| &faces[half_edge.triangle()]);
                if one.is_edge_active(simd, two, edge(&pair)) {
                    activate_edge(simd, faces, rows, &pair);
                }
            }
        }
    }
}

/// Has the face with the lowest key test an edge at which the surface turns, and notes it at its ends; unless the two are
/// one, which is the answer.
#[inline(always)]
pub(super) fn activate_edge<S: F64x4>(
    simd: S,
    faces: &mut [Face],
    rows: &mut [AdjacencyRow],
    pair: &MatchedEdge,
) {
    let ([one, two], [a, b]) = (pair.half_edges, pair.ends);
    let [face, other] = [one, two].map(|half_edge| &faces[half_edge.triangle()]);
    if face.is_same_face_as(simd, other) {
        return;
    }
    let is_first = (face.key, one.triangle()) < (other.key, two.triangle());
    activate(faces, if is_first { one } else { two }, edge_bit(0));
    rows[a as usize].add_end(b);
    rows[b as usize].add_end(a);
}

/// Makes an edge a face's to test; bits as for the first edge.
#[inline(always)]
pub(super) fn activate(faces: &mut [Face], half_edge: HalfEdge, bits: u16) {
    faces[half_edge.triangle()].active |= bits << half_edge.corner();
}
