//! The kd-tree over the cells: an inner node is a cut across an axis, a leaf is a cell. Cuts run at odd half steps, so
//! no grid point lies in one.
use super::GRID;
use super::cell::steps;
use super::room::RoomId;
use crate::geom::Aabb;
use crate::geom::shared::Shared;
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// Boxes are grown by this much, metres, so that rounding never misses a cell.
pub(super) const SLACK: f64 = 1e-6;

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// A cell.
    Leaf(RoomId),
    /// The first child lies below `at` (half steps, odd).
    Split {
        axis: usize,
        at: i64,
        kids: [u32; 2],
    },
}

/// The root is node 0. A tree without nodes finds no cell.
#[derive(Clone, Debug, Default)]
pub(super) struct KdTree {
    pub nodes: Shared<Vec<Node>>,
}

impl KdTree {
    /// The tree of a level that is one cell.
    pub fn one_cell() -> KdTree {
        KdTree {
            nodes: Shared::new(vec![Node::Leaf(0)]),
        }
    }

    /// The cell around a point within the bounds, metres.
    pub fn cell_at(&self, p: DVec3) -> Option<RoomId> {
        let mut node = 0;
        loop {
            match *self.nodes.get(node)? {
                Node::Leaf(cell) => return Some(cell),
                Node::Split { axis, at, kids } => {
                    node = kids[(p[axis] >= steps(at) / GRID) as usize] as usize
                }
            }
        }
    }

    /// Visits the cells that a box touches, metres, in the fixed order of the tree.
    pub fn each_cell_in_box(&self, bounds: &Aabb, visit: &mut dyn FnMut(RoomId)) {
        if self.nodes.is_empty() || bounds.is_empty() {
            return;
        }
        let mut stack: SmallVec<[u32; 32]> = smallvec![0];
        while let Some(node) = stack.pop() {
            match self.nodes[node as usize] {
                Node::Leaf(cell) => visit(cell),
                Node::Split { axis, at, kids } => {
                    let at = steps(at) / GRID;
                    if bounds.max[axis] >= at {
                        stack.push(kids[1]);
                    }
                    if bounds.min[axis] <= at {
                        stack.push(kids[0]);
                    }
                }
            }
        }
    }

    /// Visits cells along a segment grown by `grow`, metres, near before far. `visit` returns the fraction beyond which
    /// cells no longer matter.
    pub fn each_cell_on_segment(
        &self,
        from: DVec3,
        to: DVec3,
        grow: f64,
        mut visit: impl FnMut(RoomId) -> f64,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let segment = Segment {
            from,
            displacement: to - from,
            inverse: (to - from).recip(),
            grow,
        };
        let mut limit = 1.0;
        let mut waiting: SmallVec<[(u32, f64, f64); 32]> = smallvec![(0, 0.0, 1.0)];
        while let Some((mut node, mut enter, mut leave)) = waiting.pop() {
            // Rounding must not miss a cell; `grow` covers this tolerance.
            while enter <= limit + 1e-9 && enter <= leave {
                match self.nodes[node as usize] {
                    Node::Leaf(cell) => {
                        limit = visit(cell);
                        break;
                    }
                    Node::Split { axis, at, kids } => {
                        let parts = segment.crosses(axis, steps(at) / GRID);
                        let [low, high] = [0, 1].map(|k| {
                            let (from, to) = parts[k];
                            (kids[k], enter.max(from), leave.min(to))
                        });
                        let (near, far) = if segment.displacement[axis] < 0.0 {
                            (high, low)
                        } else {
                            (low, high)
                        };
                        if far.1 <= far.2 {
                            waiting.push(far);
                        }
                        (node, enter, leave) = near;
                    }
                }
            }
        }
    }

    /// Rank of the cell around a point in front-to-back order from an eye (Fuchs, Kedem and Naylor, "On visible surface
    /// generation by a priori tree structures", 1980): a bit for each cut above the cell, set where the eye is on the other
    /// side. Cuts below the 128th are left out.
    pub fn rank_from(&self, eye: DVec3, inside: DVec3) -> u128 {
        let (mut rank, mut node) = (0, 0);
        for bit in (0..u128::BITS).rev() {
            match self.nodes.get(node as usize) {
                Some(&Node::Split { axis, at, kids }) => {
                    let at = steps(at) / GRID;
                    let is_high = inside[axis] >= at;
                    rank |= u128::from(is_high != (eye[axis] >= at)) << bit;
                    node = kids[usize::from(is_high)];
                }
                Some(Node::Leaf(_)) | None => break,
            }
        }
        rank
    }

    /// The node at which the cell with these corners, half steps, is a leaf or was cut.
    fn node_of(&self, lo: [i64; 3], hi: [i64; 3]) -> usize {
        let mut node = 0;
        while let Some(&Node::Split { axis, at, kids }) = self.nodes.get(node) {
            // Any cut above the cell has both of its ends on one side.
            if lo[axis] < at && hi[axis] > at {
                break;
            }
            node = kids[(lo[axis] >= at) as usize] as usize;
        }
        node
    }

    /// Splits the leaf of the cell with these corners, half steps, into these two cells.
    pub fn cut(&mut self, [lo, hi]: [[i64; 3]; 2], axis: usize, at: i64, parts: [RoomId; 2]) {
        let node = self.node_of(lo, hi);
        let kids = self.nodes.len() as u32;
        self.nodes.extend(parts.map(Node::Leaf));
        self.nodes[node] = Node::Split {
            axis,
            at,
            kids: [kids, kids + 1],
        };
    }

    /// Undoes the last cut; the joined cell has these corners, half steps.
    pub fn join(&mut self, [lo, hi]: [[i64; 3]; 2], cell: RoomId) {
        let node = self.node_of(lo, hi);
        let kept = self.nodes.len() - 2;
        self.nodes.truncate(kept);
        self.nodes[node] = Node::Leaf(cell);
    }
}

/// A segment that is traced through the kd-tree.
struct Segment {
    from: DVec3,
    displacement: DVec3,
    /// One over the displacement.
    inverse: DVec3,
    /// Boxes are grown by this much, metres.
    grow: f64,
}

impl Segment {
    /// The parameter ranges of the segment below and above a plane across an axis, each widened by `grow`. A segment
    /// along the plane is on a side all the way or never.
    fn crosses(&self, axis: usize, at: f64) -> [(f64, f64); 2] {
        let (from, way, inverse) = (self.from[axis], self.displacement[axis], self.inverse[axis]);
        let [low, high] = [at - self.grow, at + self.grow];
        const NEVER: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
        const ALWAYS: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
        if way == 0.0 {
            return [
                if from <= high { ALWAYS } else { NEVER },
                if from >= low { ALWAYS } else { NEVER },
            ];
        }
        // NaN where zero meets infinity, which limits nothing.
        let (to_high, to_low) = ((high - from) * inverse, (low - from) * inverse);
        if way > 0.0 {
            [(f64::NEG_INFINITY, to_high), (to_low, f64::INFINITY)]
        } else {
            [(to_high, f64::INFINITY), (f64::NEG_INFINITY, to_low)]
        }
    }
}
