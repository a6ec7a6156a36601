//! The nodes and blocks of a tree in arrays with free lists, so that a subtree can be removed and another inserted
//! without moving the rest.
use super::bounds::Bounds;
use super::index::{DEEPEST, LEAF, NONE, WIDTH};
use super::node::{BinaryNode, Block, BlockInfo, Node, NodeInfo};

/// The tree. Node 0 is the root; it exists once a tree was built.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub node_infos: Vec<NodeInfo>,
    pub blocks: Vec<Block>,
    pub block_infos: Vec<BlockInfo>,
    /// By face: block · 8 + lane; [`NONE`] for a face that is not in the tree.
    pub face_lanes: Vec<u32>,
    free_nodes: Vec<u32>,
    free_blocks: Vec<u32>,
    /// Leaves at each level.
    pub leaves_at: Vec<u32>,
    /// Sum of half the surface areas of all boxes, square metres: the expected cost of a query.
    pub cost: f64,
    /// [`Self::cost`] right after the build.
    pub built_cost: f64,
    /// Primitives visited by builds and updates so far.
    pub work: u64,
}

impl Tree {
    /// A tree with an empty root.
    pub fn new(faces: usize) -> Self {
        let mut tree = Self {
            leaves_at: vec![0; DEEPEST + 1],
            // With room to grow, as in the surface.
            nodes: Vec::with_capacity(faces / 8 + 8),
            node_infos: Vec::with_capacity(faces / 8 + 8),
            blocks: Vec::with_capacity(faces / 2 + 32),
            block_infos: Vec::with_capacity(faces / 2 + 32),
            face_lanes: Vec::with_capacity(2 * faces + 64),
            ..Self::default()
        };
        tree.new_node(NONE, 0);
        tree
    }

    pub fn new_node(&mut self, parent: u32, level: u32) -> u32 {
        let info = NodeInfo {
            parent,
            level: level as u8,
            dirty: 0,
            splits: [0; WIDTH - 1],
            split_count: 0,
        };
        match self.free_nodes.pop() {
            Some(node) => {
                self.nodes[node as usize] = Node::EMPTY;
                self.node_infos[node as usize] = info;
                node
            }
            None => {
                self.nodes.push(Node::EMPTY);
                self.node_infos.push(info);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// The index that [`Self::put_block`] will use next.
    #[inline(always)]
    pub fn next_block(&self) -> u32 {
        let new = self.blocks.len() as u32;
        self.free_blocks.last().copied().unwrap_or(new)
    }

    /// Stores a block at [`Self::next_block`].
    #[inline(always)]
    pub fn put_block(&mut self, block: Block, info: BlockInfo) {
        match self.free_blocks.pop() {
            Some(free) => {
                self.blocks[free as usize] = block;
                self.block_infos[free as usize] = info;
            }
            None => {
                self.blocks.push(block);
                self.block_infos.push(info);
            }
        }
    }

    pub fn free_block(&mut self, block: u32) {
        self.free_blocks.push(block);
    }

    /// Writes a lane and updates the cost.
    #[inline]
    pub fn set_lane(&mut self, node: u32, lane: usize, bounds: &Bounds, child: u32, count: u32) {
        let cost = lane_cost(bounds, child);
        let node = &mut self.nodes[node as usize];
        let old = lane_cost(&node.boxes.get(lane), node.child[lane]);
        node.boxes.set(lane, bounds);
        node.child[lane] = child;
        node.count[lane] = count;
        self.cost += cost - old;
    }

    pub fn free_node(&mut self, node: u32) {
        self.free_nodes.push(node);
    }

    /// Visits every bin, parents before children.
    pub fn each_binary_node(&self, visit: &mut dyn FnMut(BinaryNode)) {
        let mut todo = vec![0];
        while let Some(node) = todo.pop() {
            self.each_binary_node_in(node, &mut todo, visit);
        }
    }

    /// Visits the bins of one node by undoing its splits, last to first. Empty bins are skipped.
    fn each_binary_node_in(
        &self,
        node: u32,
        todo: &mut Vec<u32>,
        visit: &mut dyn FnMut(BinaryNode),
    ) {
        let (Some(node), Some(info)) = (
            self.nodes.get(node as usize),
            self.node_infos.get(node as usize),
        ) else {
            return;
        };
        let mut levels = info.levels();
        let mut bins = Vec::with_capacity(2 * WIDTH);
        for (lane, &child) in node.child.iter().enumerate() {
            // A child node lists its own bin first.
            if child != NONE && child & LEAF != 0 {
                bins.push(BinaryNode {
                    level: levels[lane].into(),
                    bounds: node.boxes.get(lane),
                    faces: node.count[lane],
                    overlap: 0.0,
                });
            } else if child != NONE {
                todo.push(child);
            }
        }
        let mut lanes: Vec<_> = (0..WIDTH).map(|lane| node.boxes.get(lane)).collect();
        let splits = &info.splits[..info.split_count as usize];
        for (s, &lane) in splits.iter().enumerate().rev() {
            let second = lanes[s + 1];
            let whole = &mut lanes[lane as usize];
            let overlap = whole.overlap_volume(&second);
            whole.extend(&second);
            levels[lane as usize] -= 1;
            if !whole.is_empty() {
                bins.push(BinaryNode {
                    level: levels[lane as usize].into(),
                    bounds: *whole,
                    faces: 0,
                    overlap,
                });
            }
        }
        bins.into_iter().rev().for_each(visit);
    }

    /// Lengths of the free lists.
    #[cfg(test)]
    pub fn free_counts(&self) -> (usize, usize) {
        (self.free_nodes.len(), self.free_blocks.len())
    }

    /// Deepest level in use.
    pub fn depth(&self) -> u32 {
        self.leaves_at
            .iter()
            .rposition(|&leaves| leaves > 0)
            .unwrap_or(0) as u32
    }
}

fn lane_cost(bounds: &Bounds, child: u32) -> f64 {
    if child == NONE {
        0.0
    } else {
        f64::from(bounds.area())
    }
}
