//! The edges and vertices of a whole new surface, each settled once: what [`super::surface`] does around a change, here
//! without walking its chains.
//!
//! Edges are found in the order of triangles, each by its ends in a table; what is met is noted at its two ends, so
//! vertices need no second look at their faces.
use super::face::{Facing, border_bit, border_vertex_bit, edge_bit, vertex_bit};
use super::node::NONE;
use super::surface::{Surface, runs_on};
use glam::DVec3;
use smallvec::SmallVec;

/// One triangle's side of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Half {
    /// The edge's higher end; [`NONE`] once it was visited.
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

/// More half edges than this at a point are sorted before they are matched.
const MANY: usize = 48;

/// Visits the edges in a list of half edges with one lower end: all sides of each at once. Nearly all have two sides that
/// run against each other; those go to `pair`, the one from the lower end first, and the others to `odd`.
#[inline(always)]
pub(super) fn each_edge<C>(
    list: &mut [Half],
    context: &mut C,
    pair: impl Fn(&mut C, Half, Half),
    odd: impl Fn(&mut C, &[Half]),
) {
    if list.len() > MANY {
        list.sort_unstable_by_key(|half| (half.far, half.side));
        for edge in list.chunk_by(|a, b| a.far == b.far) {
            match as_pair(edge) {
                Some([one, two]) => pair(context, one, two),
                None => odd(context, edge),
            }
        }
        return;
    }
    let mut rest = list;
    while let Some((&mut half, others)) = rest.split_first_mut() {
        rest = others;
        if half.far == NONE {
            continue;
        }
        let (mut count, mut at) = (0, 0);
        for (i, other) in rest.iter().enumerate() {
            let is_same = other.far == half.far;
            count += u32::from(is_same);
            at = if is_same { i } else { at };
        }
        if count == 1
            && let Some([one, two]) = as_pair(&[half, rest[at]])
        {
            rest[at].far = NONE;
            pair(context, one, two);
            continue;
        }
        let mut edge: SmallVec<[Half; 8]> = SmallVec::from_slice(&[half]);
        for other in rest.iter_mut().filter(|other| other.far == half.far) {
            edge.push(*other);
            other.far = NONE;
        }
        odd(context, &edge);
    }
}

/// The sides of an edge of two triangles that run against each other, the one from the lower end first.
#[inline(always)]
fn as_pair(edge: &[Half]) -> Option<[Half; 2]> {
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

/// An edge and its first two sides.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Its lower end.
    near: u32,
    /// Its higher end; [`NONE`] once it was visited.
    far: u32,
    /// The sides, as [`Half::side`]; [`NONE`] where there is no second.
    sides: [u32; 2],
    /// The next edge in the same row of the table.
    next: u32,
}

impl Edge {
    fn half(&self, i: usize) -> Half {
        let (far, side) = (self.far, self.sides[i]);
        Half { far, side }
    }
}

/// The edges of a surface, in the order in which its triangles name them.
#[derive(Debug, Default)]
struct Edges {
    edges: Vec<Edge>,
    /// Sides beyond the second, each with the number of its edge.
    more: Vec<(u32, Half)>,
    /// By [`Self::row`]: the last edge.
    heads: Vec<u32>,
}

impl Edges {
    fn of(surface: &Surface) -> Self {
        // A closed surface has half as many edges again as faces.
        let likely = surface.count + surface.count / 2;
        let mut edges = Self {
            edges: Vec::with_capacity(likely + 64),
            more: Vec::new(),
            heads: vec![NONE; likely.next_power_of_two()],
        };
        for (triangle, link) in (0u32..).zip(&surface.links) {
            let [a, b, c] = link.corners;
            for (corner, (a, b)) in (0u32..).zip([(a, b), (b, c), (c, a)]) {
                // Nor those of slots without a triangle.
                if a != b {
                    edges.add(a.min(b), Half::new(triangle, corner, a, b));
                }
            }
        }
        edges
    }

    /// Where an edge is looked for. Neighbours come to lie near each other; the edges of one point, however many, in
    /// rows of their own.
    #[inline(always)]
    fn row(&self, near: u32, far: u32) -> usize {
        near.wrapping_mul(5).wrapping_add(far) as usize & (self.heads.len() - 1)
    }

    #[inline(always)]
    fn add(&mut self, near: u32, half: Half) {
        let row = self.row(near, half.far);
        let head = self.heads[row];
        let mut at = head;
        while let Some(edge) = self.edges.get_mut(at as usize) {
            if (edge.near, edge.far) != (near, half.far) {
                at = edge.next;
            } else if edge.sides[1] == NONE {
                edge.sides[1] = half.side;
                return;
            } else {
                self.more.push((at, half));
                return;
            }
        }
        self.heads[row] = self.edges.len() as u32;
        self.edges.push(Edge {
            near,
            far: half.far,
            sides: [half.side, NONE],
            next: head,
        });
    }

    /// The edges with more than two sides, with all of these; they count as visited.
    fn take_crowded(&mut self) -> Vec<Vec<Half>> {
        self.more.sort_by_key(|&(edge, _)| edge);
        let mut crowded = Vec::new();
        for more in self.more.chunk_by(|a, b| a.0 == b.0) {
            let edge = &mut self.edges[more[0].0 as usize];
            let mut sides = vec![edge.half(0), edge.half(1)];
            sides.extend(more.iter().map(|&(_, half)| half));
            edge.far = NONE;
            crowded.push(sides);
        }
        crowded
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
        let mut edges = Edges::of(self);
        for sides in edges.take_crowded() {
            self.give_odd(&sides, points);
        }
        for edge in edges.edges.iter().filter(|edge| edge.far != NONE) {
            let sides = [edge.half(0), edge.half(1)];
            if edge.sides[1] == NONE {
                self.give_odd(&sides[..1], points);
                continue;
            }
            let Some([one, two]) = as_pair(&sides) else {
                self.give_odd(&sides, points);
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
