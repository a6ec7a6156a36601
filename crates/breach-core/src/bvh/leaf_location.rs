//! Which leaf of the tree holds a triangle? For the inspection tool.
use super::index::{NONE, WIDTH, node_and_lane};
use super::mesh_bvh::Bvh;
use super::tree::Tree;
use crate::geom::Aabb;

/// The leaf that holds a triangle.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafLocation {
    /// Path from the root: at each split into the first half (false) or the second (true). As long as the leaf is deep;
    /// unique to the leaf.
    pub path: Vec<bool>,
    /// Its box, metres.
    pub bounds: Aabb,
    /// Triangles in it.
    pub faces: u32,
}

impl Bvh {
    /// The leaf that holds a triangle of the mesh; None if it is not in the tree.
    pub fn locate_triangle(&self, triangle: u32) -> Option<LeafLocation> {
        let tree = &self.tree;
        let at_lane = *tree.face_lanes.get(triangle as usize)?;
        let block = tree.block_infos.get(at_lane as usize / WIDTH)?;
        if at_lane == NONE || block.parent == NONE {
            return None;
        }
        let (node, lane) = node_and_lane(block.parent);
        let leaf = tree.nodes.get(node)?;
        Some(LeafLocation {
            path: path_to(tree, block.parent),
            bounds: leaf.boxes.get(lane).to_aabb(),
            faces: leaf.count[lane],
        })
    }
}

/// The path from the root to a lane.
fn path_to(tree: &Tree, at_lane: u32) -> Vec<bool> {
    let (mut path, mut at_lane) = (Vec::new(), at_lane);
    while at_lane != NONE {
        let (node, lane) = node_and_lane(at_lane);
        let info = &tree.node_infos[node];
        // Split s made lane s + 1, the second half, out of another lane, which stayed the first half. Collected from
        // the end and reversed.
        let mut at = lane;
        for s in (0..info.split_count as usize).rev() {
            if at == s + 1 {
                path.push(true);
                at = info.splits[s].into();
            } else if at == usize::from(info.splits[s]) {
                path.push(false);
            }
        }
        at_lane = info.parent;
    }
    path.reverse();
    path
}
