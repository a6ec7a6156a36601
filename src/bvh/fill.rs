//! Blocks and nodes written whole, eight lanes at a time.
use super::build::Builder;
use super::four::Fours;
use super::item::{Bounds, Item, ONE, step};
use super::node::{LEAF, Lanes, NONE, Tree, WIDTH};
use glam::{Mat4, Vec3A, Vec4};

impl Builder<'_> {
    /// Makes blocks the lanes of an empty node, by halves of the row that they come in.
    #[inline(always)]
    pub fn fill_with_blocks(&mut self, node: u32, level: u32, items: &[Item]) {
        let halves = &HALVES[items.len()];
        let role = &mut self.tree.roles[node as usize];
        (role.splits, role.split_count) = (halves.splits, items.len() as u8 - 1);
        let mut lanes = [Item::NONE; WIDTH];
        let places = node * WIDTH as u32..;
        for ((lane, &(item, depth)), at) in lanes
            .iter_mut()
            .zip(&halves.lanes)
            .zip(places)
            .take(items.len())
        {
            let item = &items[item as usize];
            let block = item.number();
            *lane = item.numbered(block | LEAF);
            let block = &mut self.tree.blocks[block as usize];
            (block.parent, block.next) = (at, NONE);
            self.tree.leaves_at[level as usize + depth as usize] += 1;
        }
        self.tree.set_lanes(node, &lanes);
        self.tree.work += items.len() as u64;
    }

    /// Puts up to eight faces into a new block; where it is, and the box of all.
    #[inline(always)]
    pub fn fill_block<M: Fours>(
        &mut self,
        m: M,
        triangles: impl Iterator<Item = usize>,
        parent: u32,
        next: u32,
    ) -> (u32, Bounds) {
        let at = self.tree.new_block();
        let mut planes = [Vec4::ZERO; WIDTH];
        // Nothing passes through what is no number.
        let mut corners = [[Vec4::NAN; WIDTH]; 3];
        let mut numbers = [NONE; WIDTH];
        let mut points = [[0; 3]; WIDTH];
        let mut count = 0;
        // All faces first, then all corners: many are on their way from memory at a time.
        for triangle in triangles.take(WIDTH) {
            if let (Some(face), Some(place)) = (
                self.surface.faces.get(triangle),
                self.tree.places.get_mut(triangle),
            ) {
                *place = at * WIDTH as u32 + count as u32;
                numbers[count] = triangle as u32;
                planes[count] = face.plane(m);
                points[count] = face.points;
                count += 1;
            }
        }
        let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        for (lane, points) in points[..count].iter().enumerate() {
            for (own, &point) in corners.iter_mut().zip(points) {
                let corner = m.round(self.surface.load(m, point));
                own[lane] = corner;
                (low, high) = (low.min(corner), high.max(corner));
            }
        }
        let block = &mut self.tree.blocks[at as usize];
        let rounded = &mut self.tree.corners[at as usize];
        (block.count, block.next, block.parent) = (count as u32, next, parent);
        (block.face, block.gone) = (numbers, 0);
        let [x, y, z] = &mut block.normal;
        for half in [0, WIDTH / 2] {
            let planes = std::array::from_fn(|i| planes[half + i]);
            let last = turn(planes, [x, y, z], half);
            last.write_to_slice(&mut block.offset[half..]);
            for ([x, y, z], own) in rounded.lanes.iter_mut().zip(&corners) {
                let own = std::array::from_fn(|i| own[half + i]);
                turn(own, [x, y, z], half);
            }
        }
        let [lows, highs] = &mut block.boxes.walls;
        for half in [0, WIDTH / 2] {
            let lanes = Vec4::new(0.0, 1.0, 2.0, 3.0) + half as f32;
            let are_there = lanes.cmplt(Vec4::splat(count as f32));
            for axis in 0..3 {
                let four = |corner: &[Lanes; 3]| Vec4::from_slice(&corner[axis][half..]);
                let [a, b, c] = rounded.lanes.each_ref().map(four);
                let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                let low = Vec4::select(are_there, low - step(low.abs()), Vec4::INFINITY);
                let high = Vec4::select(are_there, high + step(high.abs()), Vec4::NEG_INFINITY);
                low.write_to_slice(&mut lows[axis][half..]);
                high.write_to_slice(&mut highs[axis][half..]);
            }
        }
        let corners = [low, high].map(Vec3A::from_vec4);
        (at, Bounds::grown(corners[0], corners[1]))
    }
}

/// How up to eight items in a row become lanes, by halves.
struct Halves {
    /// See [`super::node::Role`].
    splits: [u8; WIDTH - 1],
    /// By lane: which item, and how many levels below the node's bin.
    lanes: [(u8, u8); WIDTH],
}

/// By how many items there are.
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
    // Items in each lane so far.
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
    /// Says what is in the lanes of an empty node: boxes, and children for numbers.
    #[inline(always)]
    pub fn set_lanes(&mut self, node: u32, lanes: &[Item; WIDTH]) {
        let areas = lanes.iter().map(|lane| f64::from(lane.bounds().area()));
        self.cost += areas.sum::<f64>();
        let node = &mut self.nodes[node as usize];
        let [low, high] = &mut node.boxes.walls;
        let [min_x, min_y, min_z] = low;
        let [max_x, max_y, max_z] = high;
        for half in [0, WIDTH / 2] {
            let four = |k: fn(&Item) -> Vec4| std::array::from_fn(|i| k(&lanes[half + i]));
            let bits = |fourths: Vec4| fourths.to_array().map(|x| x.to_bits() ^ ONE);
            let children = turn(four(|lane| lane.low), [min_x, min_y, min_z], half);
            node.child[half..half + 4].copy_from_slice(&bits(children));
            let counts = turn(four(|lane| lane.high), [max_x, max_y, max_z], half);
            node.count[half..half + 4].copy_from_slice(&bits(counts));
        }
    }
}

/// Writes the first parts of four vectors to one list each, from a place on; the fourth ones are left.
#[inline(always)]
fn turn([a, b, c, d]: [Vec4; 4], [x, y, z]: [&mut Lanes; 3], at: usize) -> Vec4 {
    let parts = Mat4::from_cols(a, b, c, d).transpose();
    parts.x_axis.write_to_slice(&mut x[at..]);
    parts.y_axis.write_to_slice(&mut y[at..]);
    parts.z_axis.write_to_slice(&mut z[at..]);
    parts.w_axis
}
