//! Edge adjacency: which half-edges share an edge? Half-edges are matched while triangles are read; matched edges are
//! classified as active or not in batches of four, while their faces are in the cache.
//!
//! Triangle lists often run in strips: two consecutive triangles that share an edge are matched at once, whatever else
//! is at that edge. Other half-edges are looked up in a table with one row per point; each edge is stored at one of its
//! ends. Few points store more than four edges; four fit into a cache line with the rest of the row. Irregular edges
//! (borders, non-manifold edges, points with very many edges) are marked and classified at the end, point by point.
//! Active edges are recorded at both ends, so that most vertices are classified without another look at their faces.
use super::f64x4::F64x4;
use super::face::{Face, edge_bit, next_corner, previous_corner};
use super::half_edge::HalfEdge;
use super::index::{NONE, WIDTH};
use super::mesh::repeats_index;

/// Up to four edges stored at a point.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct EdgeSlots {
    /// Row of the other end · 2, plus 1 if the half-edge that came first points to it. [`NONE`] if free, the only key
    /// with its highest bit set: there are fewer than 2^30 points.
    keys: [u32; 4],
    /// The half-edge that came first, until its twin is found.
    half_edges: [HalfEdge; 4],
    /// Index into [`EdgeAdjacency::extra`] of further edges; or [`NONE`].
    extra: u32,
}

impl EdgeSlots {
    const NONE: Self = Self {
        keys: [NONE; 4],
        half_edges: [HalfEdge::MATCHED; 4],
        extra: NONE,
    };
}

/// A point with its edges. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct AdjacencyRow {
    edges: EdgeSlots,
    /// The face with the lowest key at this point, and that key.
    pub face: u32,
    key: u64,
    /// Rows at the other ends of the first two active edges, and of the last (written without a branch).
    pub active_ends: [u32; 3],
    /// Number of active edges at this point; or [`UNCOUNTED`].
    pub active_count: u16,
    /// Whether it may have edges without exactly two half-edges.
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

    /// A count that saturates is [`UNCOUNTED`], which is right: it is counted again.
    #[inline(always)]
    fn add_end(&mut self, row: u32) {
        self.active_ends[self.active_count.min(2) as usize] = row;
        self.active_count = self.active_count.saturating_add(1);
    }
}

/// A point with more extra slots than this is irregular.
const MAX_EXTRA_SLOTS: usize = 16;

/// The active edges at a point have to be counted from its faces.
pub(super) const UNCOUNTED: u16 = u16::MAX;

/// The table of half-edges around a set of points, one row each.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeAdjacency {
    pub rows: Vec<AdjacencyRow>,
    /// Slots of points with more than four edges.
    extra: Vec<EdgeSlots>,
    /// Decides which end stores an edge; see [`edge_key`].
    pub owner_mask: u32,
    /// Half-edges without a twin so far.
    pub unmatched: usize,
    /// Whether any point is irregular.
    pub has_irregular: bool,
    /// Matched and not classified yet.
    matched_edges: Vec<MatchedEdge>,
}

/// Two half-edges of one edge, in opposite directions.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(super) struct MatchedEdge {
    pub half_edges: [HalfEdge; 2],
    /// Rows at the start and end of the first.
    pub ends: [u32; 2],
}

/// Consecutive triangles of the list.
#[derive(Clone, Debug)]
pub(super) struct TriangleStrip {
    count: usize,
    triangles: [u32; BATCH],
    /// By corner, the rows of their points; undefined beyond the last triangle.
    rows: [[u32; BATCH + WIDTH]; 3],
    /// By triangle: the edge it shares with the next; see [`F64x4::shared_edges`].
    shared_edges: [u32; BATCH],
}

/// Triangles read at once; with their intermediate results some 12 KB.
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

/// An edge that a triangle shares with the next: the corners at which its two half-edges start.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedEdge {
    pub own: usize,
    /// The corner at the other end of the first half-edge.
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
    /// Adds a triangle; the strip holds up to [`BATCH`].
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
    fn rows_at(&self, at: usize) -> [u32; 3] {
        self.rows.each_ref().map(|rows| rows[at])
    }

    /// Finds the edge that each triangle shares with the next. Returns whether any triangle uses a point twice.
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

/// Where an edge is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeKey {
    /// The row that stores the edge.
    pub own: u32,
    /// Its key there; see [`EdgeSlots::keys`].
    key: u32,
}

/// Where a half-edge between two rows is stored: in the lower row if they differ in a bit of `owner_mask`, else in the
/// higher one. For a whole surface this alternates, so that few points store many edges. For an update it is the later
/// row: new points have few edges.
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
    /// A table for a whole surface with this many points.
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

    /// Adds a row for a point; `is_new` if all its triangles will be added.
    #[inline(always)]
    pub fn push(&mut self, is_new: bool) {
        self.rows
            .push(AdjacencyRow::new(if is_new { 0 } else { UNCOUNTED }));
    }

    /// Adds the triangles of a strip and empties it. Consecutive triangles with a shared edge are matched directly; all
    /// other half-edges are looked up one by one.
    #[inline(always)]
    pub fn add_strip<S: F64x4>(&mut self, simd: S, faces: &[Face], strip: &mut TriangleStrip) {
        let any_twice = strip.find_shared_edges(simd);
        let count = std::mem::take(&mut strip.count).min(BATCH);
        // The corner of the half-edge that the previous triangle was matched with; and the previous triangle's key.
        let (mut matched, mut last) = (None, (u64::MAX, 0));
        for at in 0..count {
            let triangle = strip.triangles[at];
            let rows = strip.rows_at(at);
            let own = (faces[triangle as usize].key, triangle);
            match matched {
                // The other two corners have seen a face with a lower key.
                Some(half_edge) if last <= own => {
                    self.add_face(rows[previous_corner(half_edge)], own.0, triangle)
                }
                _ => rows
                    .iter()
                    .for_each(|&row| self.add_face(row, own.0, triangle)),
            }
            let mut open: u32 = matched.map_or(0b111, |half_edge| 0b111 & !(1 << half_edge));
            (matched, last) = (None, own);
            if any_twice && repeats_index(rows) {
                self.mark_irregular(&rows);
                continue;
            }
            let shared = strip.shared_edges[at];
            let SharedEdge {
                own: i,
                end,
                next: j,
            } = SHARED_EDGES[shared.trailing_zeros() as usize % 16];
            let is_next = at + 1 < count && strip.triangles[at + 1] == triangle + 1;
            // Unless the previous triangle was matched with that half-edge.
            if shared != 0 && is_next && open >> i & 1 != 0 {
                open &= !(1 << i);
                matched = Some(j % 3);
                let half_edges = [triangle * 4 + i as u32, (triangle + 1) * 4 + j as u32];
                self.matched_edges.push(MatchedEdge {
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

    /// Adds the corners and half-edges of a triangle.
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

    /// Tells a point about a face.
    #[inline(always)]
    pub fn add_face(&mut self, row: u32, key: u64, face: u32) {
        let vertex = &mut self.rows[row as usize];
        if key < vertex.key || key == vertex.key && face < vertex.face {
            (vertex.key, vertex.face) = (key, face);
        }
    }

    /// Marks rows with half-edges that must not be matched.
    #[cold]
    #[inline(never)]
    pub fn mark_irregular(&mut self, rows: &[u32]) {
        self.has_irregular = true;
        for &row in rows {
            self.rows[row as usize].is_irregular = true;
        }
    }

    /// Adds a half-edge between two rows. If its twin is in the table, both become a matched edge for
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
            self.matched_edges.push(MatchedEdge {
                half_edges: [half_edge, partner],
                ends,
            });
        }
    }

    /// Adds a half-edge to the extra slots of a row, or returns its twin. Does neither if there are too many slots.
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
        // Take the first, as in the row. If it is matched already, the edge has more than two half-edges.
        if let Some((at, lane)) = found {
            let partner = &mut self.extra[at].half_edges[lane];
            return Some(std::mem::replace(partner, HalfEdge::MATCHED));
        }
        self.unmatched += 1;
        // All slots but the newest are full.
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

    /// Whether a row may have edges without exactly two half-edges.
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

    /// Classifies the edges matched since the last call, four at a time; up to three stay pending unless `last`. `at`
    /// is the position of a row's point.
    #[inline(always)]
    pub fn classify_matched<S: F64x4>(
        &mut self,
        simd: S,
        faces: &mut [Face],
        at: impl Fn(u32) -> S::V,
        last: bool,
    ) {
        let Self {
            matched_edges,
            rows,
            ..
        } = self;
        let edge = |edge_pair: &MatchedEdge| simd.sub(at(edge_pair.ends[1]), at(edge_pair.ends[0]));
        // One bit per edge.
        for matched_edges in matched_edges.chunks(64) {
            let mut mask = 0u64;
            for (i, matched_edges) in (0..).zip(matched_edges.as_chunks::<4>().0) {
                let one = matched_edges
                    .each_ref()
                    .map(|edge_pair| &faces[edge_pair.half_edges[0].triangle()]);
                let two = matched_edges
                    .each_ref()
                    .map(|edge_pair| &faces[edge_pair.half_edges[1].triangle()]);
                let active =
                    Face::four_edges_active(simd, [one, two], matched_edges.each_ref().map(edge));
                mask |= u64::from(active) << (4 * i);
            }
            while mask != 0 {
                let edge_pair = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                activate_edge(simd, faces, rows, &matched_edges[edge_pair]);
            }
        }
        let done = matched_edges.len() & !3;
        matched_edges.copy_within(done.., 0);
        matched_edges.truncate(matched_edges.len() - done);
        if last {
            for edge_pair in matched_edges.drain(..) {
                let [one, two] = edge_pair
                    .half_edges
                    .map(|half_edge| &faces[half_edge.triangle()]);
                if one.is_edge_active(simd, two, edge(&edge_pair)) {
                    activate_edge(simd, faces, rows, &edge_pair);
                }
            }
        }
    }
}

/// Makes an edge active: the face with the lower key tests it, and both ends record it. Does nothing between two pieces
/// of one face.
#[inline(always)]
pub(super) fn activate_edge<S: F64x4>(
    simd: S,
    faces: &mut [Face],
    rows: &mut [AdjacencyRow],
    edge_pair: &MatchedEdge,
) {
    let ([one, two], [a, b]) = (edge_pair.half_edges, edge_pair.ends);
    let [face, other] = [one, two].map(|half_edge| &faces[half_edge.triangle()]);
    if face.is_same_face_as(simd, other) {
        return;
    }
    let is_first = (face.key, one.triangle()) < (other.key, two.triangle());
    activate(faces, if is_first { one } else { two }, edge_bit(0));
    rows[a as usize].add_end(b);
    rows[b as usize].add_end(a);
}

/// Sets flags of a half-edge in its face; `bits` are those of the first edge.
#[inline(always)]
pub(super) fn activate(faces: &mut [Face], half_edge: HalfEdge, bits: u16) {
    faces[half_edge.triangle()].active |= bits << half_edge.corner();
}
