//! Writes whole nodes and blocks, four vectors at a time.
use super::bounds::Bounds;
use super::builder::Builder;
use super::f64x4::F64x4;
use super::face::Face;
use super::index::{LEAF, NONE, WIDTH};
use super::lanes::Lanes;
use super::node::{Block, BlockInfo};
use super::prim_ref::{ID_MASK, PrimRef};
use super::tree::Tree;
use glam::{Mat4, Vec3A, Vec4};

impl Builder<'_> {
    /// Makes unlinked blocks the lanes of an empty node, halving their sequence recursively.
    #[inline(always)]
    pub fn fill_with_blocks(&mut self, node: u32, level: u32, prims: &[PrimRef]) {
        let halves = &HALVES[prims.len()];
        let info = &mut self.tree.node_infos[node as usize];
        (info.splits, info.split_count) = (halves.splits, prims.len() as u8 - 1);
        let mut lanes = [PrimRef::NONE; WIDTH];
        let face_lanes = node * WIDTH as u32..;
        for ((lane, &(prim, depth)), at) in lanes
            .iter_mut()
            .zip(&halves.lanes)
            .zip(face_lanes)
            .take(prims.len())
        {
            let prim = &prims[prim as usize];
            let block = prim.id();
            *lane = prim.with_id(block | LEAF);
            self.tree.block_infos[block as usize].parent = at;
            self.tree.leaves_at[level as usize + depth as usize] += 1;
        }
        self.tree.set_lanes(node, &lanes);
        self.tree.work += prims.len() as u64;
    }

    /// Writes up to eight faces into a new block. Returns its index and bounds.
    #[inline(always)]
    pub fn fill_block<S: F64x4>(
        &mut self,
        simd: S,
        triangles: impl Iterator<Item = usize> + Clone,
        parent: u32,
        next: u32,
    ) -> (u32, Bounds) {
        let at = self.tree.next_block();
        let mut planes = [Vec4::ZERO; WIDTH];
        // Infinite corners overlap nothing.
        let mut corners = [[Vec4::INFINITY; WIDTH]; 3];
        let mut points = [[0; 3]; WIDTH];
        let mut count = 0;
        // All faces first, then all corners, so that many cache misses overlap.
        for (lane, triangle) in triangles.clone().take(WIDTH).enumerate() {
            const GONE: Face = Face::NONE;
            let face = self.surface.faces.get(triangle).unwrap_or(&GONE);
            if let Some(place) = self.tree.face_lanes.get_mut(triangle) {
                *place = at * WIDTH as u32 + lane as u32;
            }
            (planes[lane], points[lane]) = (face.plane(simd), face.points);
            count = lane + 1;
        }
        let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        for (lane, points) in points[..count].iter().enumerate() {
            for (own, &point) in corners.iter_mut().zip(points) {
                let corner = simd.to_f32(self.surface.load(simd, point));
                own[lane] = corner;
                (low, high) = (low.min(corner), high.max(corner));
            }
        }
        let mut block = Block::ZERO;
        block.face = [NONE; WIDTH];
        let [x, y, z] = &mut block.planes.normal;
        for half in [0, WIDTH / 2] {
            let planes = std::array::from_fn(|i| planes[half + i]);
            let last = transpose_into(planes, [x, y, z], half);
            last.write_to_slice(&mut block.planes.offset[half..]);
            for ([x, y, z], own) in block.corners.lanes.iter_mut().zip(&corners) {
                let own = std::array::from_fn(|i| own[half + i]);
                transpose_into(own, [x, y, z], half);
            }
        }
        let info = BlockInfo {
            count: count as u32,
            next,
            parent,
            gone: 0,
        };
        self.tree.put_block(block, info);
        // Written in place: a local list written element by element and copied whole would stall on store forwarding.
        let numbers = &mut self.tree.blocks[at as usize].face;
        for (number, triangle) in numbers.iter_mut().zip(triangles) {
            *number = triangle as u32;
        }
        let corners = [low, high].map(Vec3A::from_vec4);
        (at, Bounds::grown(corners[0], corners[1]))
    }
}

/// How a sequence of up to eight blocks becomes lanes by recursive halving.
struct Halves {
    /// See [`super::node::NodeInfo`].
    splits: [u8; WIDTH - 1],
    /// By lane: which block, and how many levels below the node's bin.
    lanes: [(u8, u8); WIDTH],
}

/// By the number of blocks.
static HALVES: [Halves; WIDTH + 1] = {
    let mut all = [const { halves(0) }; WIDTH + 1];
    let mut count = 2;
    while count <= WIDTH {
        all[count] = halves(count);
        count += 1;
    }
    all
};

const fn halves(count: usize) -> Halves {
    let mut splits = [0; WIDTH - 1];
    let mut lanes = [(0, 0); WIDTH];
    // Blocks in each lane so far.
    let mut many = [0; WIDTH];
    many[0] = count;
    let mut new = 1;
    while new < count {
        let (mut most, mut lane) = (0, 1);
        while lane < new {
            if many[lane] > many[most] {
                most = lane;
            }
            lane += 1;
        }
        splits[new - 1] = most as u8;
        many[new] = many[most] / 2;
        many[most] -= many[new];
        lanes[most].1 += 1;
        lanes[new] = (lanes[most].0 + many[most] as u8, lanes[most].1);
        new += 1;
    }
    Halves { splits, lanes }
}

impl Tree {
    /// Writes all lanes of an empty node; the ids are its children.
    #[inline(always)]
    pub fn set_lanes(&mut self, node: u32, lanes: &[PrimRef; WIDTH]) {
        let areas = lanes.iter().map(|lane| f64::from(lane.bounds().area()));
        self.cost += areas.sum::<f64>();
        let node = &mut self.nodes[node as usize];
        let [low, high] = &mut node.boxes.walls;
        let [min_x, min_y, min_z] = low;
        let [max_x, max_y, max_z] = high;
        for half in [0, WIDTH / 2] {
            let four = |k: fn(&PrimRef) -> Vec4| std::array::from_fn(|i| k(&lanes[half + i]));
            let bits = |fourths: Vec4| fourths.to_array().map(|x| x.to_bits() ^ ID_MASK);
            let children = transpose_into(four(|lane| lane.low), [min_x, min_y, min_z], half);
            node.child[half..half + 4].copy_from_slice(&bits(children));
            let counts = transpose_into(four(|lane| lane.high), [max_x, max_y, max_z], half);
            node.count[half..half + 4].copy_from_slice(&bits(counts));
        }
    }
}

/// Writes x, y and z of four vectors into three lanes from an offset. Returns their w.
#[inline(always)]
fn transpose_into([a, b, c, d]: [Vec4; 4], [x, y, z]: [&mut Lanes; 3], at: usize) -> Vec4 {
    let parts = Mat4::from_cols(a, b, c, d).transpose();
    parts.x_axis.write_to_slice(&mut x[at..]);
    parts.y_axis.write_to_slice(&mut y[at..]);
    parts.z_axis.write_to_slice(&mut z[at..]);
    parts.w_axis
}
