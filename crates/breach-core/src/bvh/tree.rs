//! The nodes and blocks of a tree in slabs with free lists, so that a part of it can be taken out and another grown
//! without moving the rest.
use super::bounds::Bounds;
use super::index::{DEEPEST, LEAF, NONE, WIDTH};
use super::node::{BinaryNode, Block, BlockInfo, Node, NodeInfo};

/// The tree. Node 0 is the root and always there once something was built.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub node_infos: Vec<NodeInfo>,
    pub blocks: Vec<Block>,
    pub block_infos: Vec<BlockInfo>,
    /// By face: block · 8 + lane; [`NONE`] for a face that is not in.
    pub face_lanes: Vec<u32>,
    free_nodes: Vec<u32>,
    free_blocks: Vec<u32>,
    /// Leaves at each level.
    pub leaves_at: Vec<u32>,
    /// What a query may have to look into: half the surfaces of all boxes, square metres.
    pub cost: f64,
    /// The same when the tree was built.
    pub built_cost: f64,
    /// Items looked at so far, each as often as it was.
    pub work: u64,
}

impl Tree {
    /// A tree of a root that holds nothing.
    pub fn new(faces: usize) -> Self {
        let mut tree = Self {
            leaves_at: vec![0; DEEPEST + 1],
            // As the surface, with room to grow.
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
        let role = NodeInfo {
            parent,
            level: level as u8,
            dirty: 0,
            splits: [0; WIDTH - 1],
            split_count: 0,
        };
        match self.free_nodes.pop() {
            Some(node) => {
                self.nodes[node as usize] = Node::EMPTY;
                self.node_infos[node as usize] = role;
                node
            }
            None => {
                self.nodes.push(Node::EMPTY);
                self.node_infos.push(role);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Where the next block will be that is put in.
    #[inline(always)]
    pub fn next_block(&self) -> u32 {
        let new = self.blocks.len() as u32;
        self.free_blocks.last().copied().unwrap_or(new)
    }

    /// Puts a block where [`Self::next_block`] says.
    #[inline(always)]
    pub fn put_block(&mut self, block: Block, role: BlockInfo) {
        match self.free_blocks.pop() {
            Some(free) => {
                self.blocks[free as usize] = block;
                self.block_infos[free as usize] = role;
            }
            None => {
                self.blocks.push(block);
                self.block_infos.push(role);
            }
        }
    }

    pub fn free_block(&mut self, block: u32) {
        self.free_blocks.push(block);
    }

    /// Says what is in a lane, and keeps the sum of the cost.
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

    /// Every bin, parents before children.
    pub fn each_binary_node(&self, visit: &mut dyn FnMut(BinaryNode)) {
        let mut todo = vec![0];
        while let Some(node) = todo.pop() {
            self.each_binary_node_in(node, &mut todo, visit);
        }
    }

    /// The bins that one node stands for, undoing its splits from the last to the first. Bins that have become empty
    /// are left out.
    fn each_binary_node_in(
        &self,
        node: u32,
        todo: &mut Vec<u32>,
        visit: &mut dyn FnMut(BinaryNode),
    ) {
        let (Some(node), Some(role)) = (
            self.nodes.get(node as usize),
            self.node_infos.get(node as usize),
        ) else {
            return;
        };
        let mut levels = role.levels();
        let mut bins = Vec::with_capacity(2 * WIDTH);
        for (lane, &child) in node.child.iter().enumerate() {
            // A child that is a node lists its own bin as its first.
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
        let splits = &role.splits[..role.split_count as usize];
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

    /// Nodes and blocks that wait to be used again.
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
