//! Which bin of the tree holds a triangle? For people who point at a wall and ask.
use super::index::{NONE, WIDTH, node_and_lane};
use super::mesh_bvh::Bvh;
use super::tree::Tree;
use crate::geom::Aabb;

/// The leaf that holds a triangle.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafLocation {
    /// The way from the root: at each split into the first half (false) or the second (true). As long as the bin is
    /// deep; no two leaves of a tree have the same.
    pub path: Vec<bool>,
    /// Its box, metres.
    pub bounds: Aabb,
    /// Triangles in it.
    pub faces: u32,
}

impl Bvh {
    /// The bin that holds a triangle of the mesh; None where it is not in the tree.
    pub fn locate_triangle(&self, triangle: u32) -> Option<LeafLocation> {
        let tree = &self.tree;
        let place = *tree.face_lanes.get(triangle as usize)?;
        let block = tree.block_infos.get(place as usize / WIDTH)?;
        if place == NONE || block.parent == NONE {
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

/// The way from the root to what is in a lane.
fn path_to(tree: &Tree, place: u32) -> Vec<bool> {
    let (mut path, mut place) = (Vec::new(), place);
    while place != NONE {
        let (node, lane) = node_and_lane(place);
        let role = &tree.node_infos[node];
        // A lane was made by the split of its number less one, out of another lane, in which it was the second half;
        // every later split of that lane leaves it the first. Collected from the end, to be turned round.
        let mut at = lane;
        for s in (0..role.split_count as usize).rev() {
            if at == s + 1 {
                path.push(true);
                at = role.splits[s].into();
            } else if at == usize::from(role.splits[s]) {
                path.push(false);
            }
        }
        place = role.parent;
    }
    path.reverse();
    path
}
