//! The edges of a surface's triangles, found by their ends in a table; and the edges and vertices of a whole new surface,
//! each settled once.
//!
//! Of a whole surface, what is met is noted at the two ends of each edge, so that vertices need no second look at their
//! faces. [`super::surface`] settles what is around a change.
use super::face::{Facing, border_bit, border_vertex_bit, edge_bit, vertex_bit};
use super::node::NONE;
use super::surface::{Surface, runs_on};
use glam::DVec3;

/// One triangle's side of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Half {
    /// The edge's higher end.
    far: u32,
    /// Triangle · 8 + side · 2, and 1 if it runs from the higher end to the lower.
    side: u32,
}

impl Half {
    /// Of the side that begins at a triangle's corner, between two points.
    pub fn new(triangle: u32, corner: u32, from: u32, to: u32) -> Self {
        Self {
            far: from.max(to),
            side: triangle << 3 | corner << 1 | u32::from(from > to),
        }
    }
    pub fn triangle(self) -> u32 {
        self.side >> 3
    }
    pub fn corner(self) -> usize {
        self.side as usize >> 1 & 3
    }
    fn is_backward(self) -> bool {
        self.side & 1 != 0
    }
}

/// The sides of an edge of two triangles that run against each other, the one from the lower end first.
#[inline(always)]
pub(super) fn as_pair(edge: &[Half]) -> Option<[Half; 2]> {
    match *edge {
        [a, b] if a.is_backward() != b.is_backward() && a.triangle() != b.triangle() => {
            Some(if a.is_backward() { [b, a] } else { [a, b] })
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

/// Who tests an edge between two faces that runs as side `one`: the first of them, if it is met.
#[inline(always)]
pub(super) fn owner(
    [one, two]: [Half; 2],
    face: &Facing,
    other: &Facing,
    edge: DVec3,
) -> Option<Half> {
    let is_first = (face.key, one.triangle()) < (other.key, two.triangle());
    face.is_met(other, edge)
        .then_some(if is_first { one } else { two })
}

/// What is known of a point.
#[derive(Clone, Copy, Default)]
struct Point {
    /// The edges at it that are met, and the other ends of two of them.
    met: u32,
    ends: [u32; 2],
    is_on_border: bool,
}

/// The second side of an edge with more than two: who wants them asks [`Surface::sides`].
const CROWDED: u32 = u32::MAX - 1;

/// An edge and its sides, if they are no more than two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Its lower end.
    pub near: u32,
    /// Its higher end.
    pub far: u32,
    /// The sides, as [`Half::side`]; [`NONE`] where there is none.
    sides: [u32; 2],
    /// The next edge in the same row of the table.
    next: u32,
}

impl Edge {
    /// Its sides, the first so many; None where they are more than two.
    #[inline(always)]
    pub fn halves(&self) -> Option<([Half; 2], usize)> {
        let far = self.far;
        let halves = self.sides.map(|side| Half { far, side });
        let count = self.sides.map(|side| usize::from(side != NONE));
        (self.sides[1] != CROWDED).then_some((halves, count[0] + count[1]))
    }

    #[inline(always)]
    fn add(&mut self, side: u32) {
        let [one, two] = &mut self.sides;
        if *one == NONE {
            *one = side;
        } else if *two == NONE {
            *two = side;
        } else {
            *two = CROWDED;
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
                self.add_side(a.min(b), Half::new(triangle, corner, a, b));
            }
        }
    }

    /// Where an edge is looked for. Neighbours come to lie near each other; the edges of one point, however many, in
    /// rows of their own.
    #[inline(always)]
    fn row(&self, near: u32, far: u32) -> usize {
        near.wrapping_mul(5).wrapping_add(far) as usize & (self.heads.len() - 1)
    }

    /// An edge, if it is there.
    #[inline(always)]
    fn find(&mut self, row: usize, near: u32, far: u32) -> Option<&mut Edge> {
        let mut at = self.heads[row];
        while let Some(edge) = self.edges.get(at as usize) {
            if (edge.near, edge.far) == (near, far) {
                return self.edges.get_mut(at as usize);
            }
            at = edge.next;
        }
        None
    }

    #[inline(always)]
    fn push(&mut self, row: usize, near: u32, far: u32, side: u32) {
        let at = self.edges.len() as u32;
        let next = std::mem::replace(&mut self.heads[row], at);
        self.edges.push(Edge {
            near,
            far,
            sides: [side, NONE],
            next,
        });
    }

    #[inline(always)]
    fn add_side(&mut self, near: u32, half: Half) {
        let row = self.row(near, half.far);
        match self.find(row, near, half.far) {
            Some(edge) => edge.add(half.side),
            None => self.push(row, near, half.far, half.side),
        }
    }

    /// Adds a side to an edge that is there.
    #[inline(always)]
    pub fn add_if_there(&mut self, triangle: u32, corner: u32, from: u32, to: u32) {
        let (near, half) = (from.min(to), Half::new(triangle, corner, from, to));
        let row = self.row(near, half.far);
        if let Some(edge) = self.find(row, near, half.far) {
            edge.add(half.side);
        }
    }

    /// Adds an edge that none of the triangles so far may have.
    pub fn name(&mut self, a: u32, b: u32) {
        let (near, far) = (a.min(b), a.max(b));
        let row = self.row(near, far);
        if self.find(row, near, far).is_none() {
            self.push(row, near, far, NONE);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Edge> {
        self.edges.iter()
    }
}

impl Surface {
    /// Gives every edge and vertex to the face that has to test it, or to none; nothing has been given yet.
    pub(super) fn settle_all(&mut self, positions: &[DVec3], facings: &[Facing]) {
        let mut points = vec![Point::default(); positions.len()];
        self.settle_edges(positions, facings, &mut points);
        self.settle_vertices(positions, &points);
    }

    // On its own it keeps more in registers.
    #[inline(never)]
    fn settle_edges(&mut self, positions: &[DVec3], facings: &[Facing], points: &mut [Point]) {
        let mut edges = Edges::default();
        edges.clear(self.count);
        for (triangle, link) in (0u32..).zip(&self.links) {
            edges.add(triangle, link.corners);
        }
        for edge in edges.iter() {
            let Some((halves, count)) = edge.halves() else {
                self.give_odd(&self.sides(edge.near, edge.far), points);
                continue;
            };
            let Some([one, two]) = as_pair(&halves[..count]) else {
                self.give_odd(&halves[..count], points);
                continue;
            };
            let facing = |half: Half| &facings[half.triangle() as usize];
            let way = positions[edge.far as usize] - positions[edge.near as usize];
            // Most are met by none.
            if let Some(owner) = owner([one, two], facing(one), facing(two), way) {
                self.give(owner, edge_bit(0), points);
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
