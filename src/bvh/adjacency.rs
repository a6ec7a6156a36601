//! The edges of a surface's triangles, found by their ends in a table; and the edges and vertices of a whole new surface,
//! each settled once.
//!
//! Of a whole surface, what is met is noted at the two ends of each edge, so that vertices need no second look at their
//! faces. [`super::surface`] settles what is around a change.
use super::face::{Facing, border_bit, border_vertex_bit, edge_bit, vertex_bit};
use super::four::{self, Fours};
use super::node::NONE;
use super::surface::{Surface, runs_on};
use glam::DVec3;

/// One triangle's side of an edge: triangle · 8 + side · 2, and 1 if it runs from the edge's higher end to the lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Half(u32);

impl Half {
    const NONE: Self = Self(NONE);
    /// The second side of an edge with more than two: who wants them asks [`Surface::sides`].
    const CROWDED: Self = Self(NONE - 1);

    /// Of the side that begins at a triangle's corner, between two points.
    #[inline(always)]
    pub fn new(triangle: u32, corner: u32, from: u32, to: u32) -> Self {
        Self(triangle << 3 | corner << 1 | u32::from(from > to))
    }
    pub fn triangle(self) -> u32 {
        self.0 >> 3
    }
    pub fn corner(self) -> usize {
        self.0 as usize >> 1 & 3
    }
    fn is_backward(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The sides of an edge of two triangles that run against each other.
#[inline(always)]
pub(super) fn as_pair(edge: &[Half]) -> Option<[Half; 2]> {
    match *edge {
        [a, b] if a.is_backward() != b.is_backward() && a.triangle() != b.triangle() => {
            Some([a, b])
        }
        _ => None,
    }
}

/// Whose an edge is that is not one of a pair: the bits for each of its sides, as for the first edge of a triangle.
pub(super) fn bits_of_odd(edge: &[Half]) -> u16 {
    match edge {
        [_] => edge_bit(0) | border_bit(0),
        // A tangle: in cannot be told from out.
        _ => edge_bit(0),
    }
}

/// Who tests an edge between two faces, if it is met: the first of them.
#[inline(always)]
pub(super) fn first_of([one, two]: [Half; 2], keys: [u64; 2]) -> Half {
    let is_first = (keys[0], one.triangle()) < (keys[1], two.triangle());
    if is_first { one } else { two }
}

/// What is known of a point.
#[derive(Clone, Copy, Default)]
struct Point {
    /// The edges at it that are met, and the other ends of two of them.
    met: u32,
    ends: [u32; 2],
    is_on_border: bool,
}

/// An edge and its sides, if they are no more than two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    ends: Ends,
    sides: [Half; 2],
    /// The next edge in the same row of the table.
    next: u32,
    /// See [`Surface::settle_edges`]: [`OPEN`], [`SETTLED`], or where it is in the list of edges that are met.
    met: u32,
}

/// Of an edge that is not settled yet.
const OPEN: u32 = NONE;
/// Of an edge that is met by nothing.
const SETTLED: u32 = NONE - 1;

/// The ends of an edge: the lower one, and above it the higher.
pub(super) type Ends = u64;

#[inline(always)]
fn ends_of(a: u32, b: u32) -> Ends {
    u64::from(a.min(b)) | u64::from(a.max(b)) << 32
}

impl Edge {
    /// Its lower and its higher end.
    pub fn ends(&self) -> [u32; 2] {
        [self.ends as u32, (self.ends >> 32) as u32]
    }

    /// Its sides, the first so many; None where they are more than two.
    #[inline(always)]
    pub fn halves(&self) -> Option<([Half; 2], usize)> {
        let count = self.sides.map(|side| usize::from(side != Half::NONE));
        (self.sides[1] != Half::CROWDED).then_some((self.sides, count[0] + count[1]))
    }

    #[inline(always)]
    fn add(&mut self, side: Half) {
        let [one, two] = &mut self.sides;
        if *one == Half::NONE {
            *one = side;
        } else if *two == Half::NONE {
            *two = side;
        } else {
            *two = Half::CROWDED;
        }
    }
}

/// The edges of some triangles, in the order in which these name them.
#[derive(Debug, Default)]
pub(super) struct Edges {
    edges: Vec<Edge>,
    /// By [`Self::row`]: the last edge.
    heads: Vec<u32>,
}

impl Edges {
    /// Lets go of all edges; those of about so many faces will come.
    pub fn clear(&mut self, faces: usize) {
        // A closed surface has half as many edges again as faces.
        let likely = faces + faces / 2;
        self.edges.clear();
        self.edges.reserve(likely + 64);
        self.heads.clear();
        self.heads.resize(likely.next_power_of_two(), NONE);
    }

    /// Adds the sides of a triangle. A slot without one has none.
    #[inline(always)]
    pub fn add(&mut self, triangle: u32, [a, b, c]: [u32; 3]) {
        for (corner, (a, b)) in (0u32..).zip([(a, b), (b, c), (c, a)]) {
            if a != b {
                let (ends, half) = (ends_of(a, b), Half::new(triangle, corner, a, b));
                if let Some(edge) = self.find_or_push(ends, half) {
                    edge.add(half);
                }
            }
        }
    }

    /// Where an edge is looked for. Neighbours come to lie near each other; the edges of one point, however many, in
    /// rows of their own.
    #[inline(always)]
    fn row(&self, ends: Ends) -> usize {
        let (near, far) = (ends as u32, (ends >> 32) as u32);
        near.wrapping_mul(5).wrapping_add(far) as usize & (self.heads.len() - 1)
    }

    /// An edge, if it is there.
    #[inline(always)]
    fn find(&mut self, row: usize, ends: Ends) -> Option<&mut Edge> {
        let mut at = self.heads[row];
        while let Some(edge) = self.edges.get(at as usize) {
            if edge.ends == ends {
                return self.edges.get_mut(at as usize);
            }
            at = edge.next;
        }
        None
    }

    /// An edge, if it is there; otherwise it is there then, with this side.
    #[inline(always)]
    fn find_or_push(&mut self, ends: Ends, half: Half) -> Option<&mut Edge> {
        let row = self.row(ends);
        let first = self.heads[row];
        let mut at = first;
        while let Some(edge) = self.edges.get(at as usize) {
            if edge.ends == ends {
                return self.edges.get_mut(at as usize);
            }
            at = edge.next;
        }
        self.heads[row] = self.edges.len() as u32;
        self.edges.push(Edge {
            ends,
            sides: [half, Half::NONE],
            next: first,
            met: OPEN,
        });
        None
    }

    /// Adds a side to an edge that is there; whether it is.
    #[inline(always)]
    pub fn add_if_there(&mut self, half: Half, from: u32, to: u32) -> bool {
        let ends = ends_of(from, to);
        let edge = self.find(self.row(ends), ends);
        edge.map(|edge| edge.add(half)).is_some()
    }

    /// Adds an edge that none of the triangles so far may have.
    pub fn name(&mut self, a: u32, b: u32) {
        self.find_or_push(ends_of(a, b), Half::NONE);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter()
    }
}

/// The edges of a whole surface as they come.
struct Pairing<'a> {
    edges: Edges,
    /// The sides that are met.
    met: Vec<Half>,
    positions: &'a [DVec3],
    facings: &'a [Facing],
}

impl Pairing<'_> {
    /// Adds the side of a face between two points. As soon as it is the second of its edge, this is settled: then the
    /// one face is at hand, and the other was not long ago.
    #[inline(always)]
    fn add<M: Fours>(&mut self, m: M, half: Half, facing: &Facing, [a, b]: [u32; 2]) {
        let Some(edge) = self.edges.find_or_push(ends_of(a, b), half) else {
            return;
        };
        let other = edge.sides[0];
        if edge.sides[1] != Half::NONE {
            // Its turn comes when all is known.
            edge.sides[1] = Half::CROWDED;
            if let Some(met) = self.met.get_mut(edge.met as usize) {
                *met = Half::NONE;
            }
            edge.met = OPEN;
            return;
        }
        edge.sides[1] = half;
        if as_pair(&[half, other]).is_some() {
            let beside = &self.facings[other.triangle() as usize];
            let [from, to] = [a, b].map(|point| m.load(self.positions[point as usize]));
            edge.met = SETTLED;
            if facing.is_met(m, beside, m.sub(to, from)) {
                edge.met = self.met.len() as u32;
                let owner = first_of([half, other], [facing.key, beside.key]);
                self.met.push(owner);
            }
        }
    }
}

impl Surface {
    /// Gives every edge and vertex to the face that has to test it, or to none; nothing has been given yet.
    #[inline(never)]
    pub(super) fn settle_all(&mut self, positions: &[DVec3], facings: &[Facing]) {
        let mut points = vec![Point::default(); positions.len()];
        struct Task<'a>(&'a mut Surface, &'a [DVec3], &'a [Facing], &'a mut [Point]);
        impl four::Task for Task<'_> {
            type Answer = ();
            #[inline(always)]
            fn run<M: Fours>(self, m: M) {
                let Self(surface, positions, facings, points) = self;
                surface.settle_edges(m, positions, facings, points);
            }
        }
        four::run(Task(self, positions, facings, &mut points));
        self.settle_vertices(positions, &points);
    }

    #[inline(always)]
    fn settle_edges<M: Fours>(
        &mut self,
        m: M,
        positions: &[DVec3],
        facings: &[Facing],
        points: &mut [Point],
    ) {
        let mut pairing = Pairing {
            edges: Edges::default(),
            met: Vec::with_capacity(self.count),
            positions,
            facings,
        };
        pairing.edges.clear(self.count);
        for ((triangle, link), facing) in (0u32..).zip(&self.links).zip(facings) {
            let [a, b, c] = link.corners;
            // A slot without a triangle has no sides.
            if a != b {
                pairing.add(m, Half::new(triangle, 0, a, b), facing, [a, b]);
            }
            if b != c {
                pairing.add(m, Half::new(triangle, 1, b, c), facing, [b, c]);
            }
            if c != a {
                pairing.add(m, Half::new(triangle, 2, c, a), facing, [c, a]);
            }
        }
        let Pairing { edges, met, .. } = pairing;
        for half in met.into_iter().filter(|&half| half != Half::NONE) {
            self.give(half, edge_bit(0), points);
        }
        for edge in edges.iter().filter(|edge| edge.met == OPEN) {
            match edge.halves() {
                Some((halves, count)) => self.give_odd(&halves[..count], points),
                None => self.give_odd(&self.sides(edge.ends()), points),
            }
        }
    }

    fn settle_vertices(&mut self, positions: &[DVec3], points: &[Point]) {
        for (point, at) in (0u32..).zip(points) {
            let way = |i: usize| positions[at.ends[i] as usize] - positions[point as usize];
            if at.met == 0 || at.met == 2 && runs_on([way(0), way(1)]) {
                continue;
            }
            let Some(triangle) = self.first_at(point) else {
                continue;
            };
            // A triangle may name a point twice.
            for k in (0..3).filter(|&k| self.links[triangle].corners[k] == point) {
                let on_border = if at.is_on_border {
                    border_vertex_bit(k)
                } else {
                    0
                };
                self.faces[triangle].owns |= vertex_bit(k) | on_border;
            }
        }
    }

    /// Gives an edge that is not one of a pair to all its sides.
    #[cold]
    fn give_odd(&mut self, edge: &[Half], points: &mut [Point]) {
        for half in edge {
            self.give(*half, bits_of_odd(edge), points);
        }
    }

    /// Gives an edge to a face, and tells its ends.
    fn give(&mut self, half: Half, bits: u16, points: &mut [Point]) {
        let (triangle, side) = (half.triangle() as usize, half.corner());
        self.faces[triangle].owns |= bits << side;
        let corners = self.links[triangle].corners;
        let ends = [corners[side], corners[(side + 1) % 3]];
        for (point, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let point = &mut points[point as usize];
            point.is_on_border |= bits & border_bit(0) != 0;
            if point.met < 2 {
                point.ends[point.met as usize] = other;
            }
            point.met += 1;
        }
    }
}
