//! What a tree is made of: nodes of eight boxes, blocks of eight faces, both in slabs with free lists, so that a part of
//! the tree can be taken out and another grown without moving the rest.
//!
//! Boxes are f32, rounded outwards, as corners are f32: they only cull. The bins that people see are binary; a node keeps the order in which
//! its lanes were split from each other, which is the binary tree between it and its children.
use super::item::Bounds;
use super::lanes::{lower, upper};
use glam::{Vec3A, Vec4};

/// No child, no block, no parent.
pub(super) const NONE: u32 = u32::MAX;
/// Set in a child that is a leaf; the rest is the first of its blocks.
pub(super) const LEAF: u32 = 1 << 31;
/// Deepest level of a bin.
pub(super) const DEEPEST: usize = 32;
/// Lanes of a node and of a block.
pub(super) const WIDTH: usize = 8;

/// Eight numbers, one a lane.
pub(super) type Lanes = [f32; WIDTH];

/// Eight boxes; an empty lane has one that nothing touches.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Boxes {
    /// Least and greatest, by axis.
    pub walls: [[Lanes; 3]; 2],
}

impl Boxes {
    pub const EMPTY: Self = Self {
        walls: [[[f32::INFINITY; WIDTH]; 3], [[f32::NEG_INFINITY; WIDTH]; 3]],
    };

    #[inline]
    pub fn set(&mut self, lane: usize, bounds: &Bounds) {
        let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
        for axis in 0..3 {
            self.walls[0][axis][lane] = min[axis];
            self.walls[1][axis][lane] = max[axis];
        }
    }

    #[inline]
    pub fn get(&self, lane: usize) -> Bounds {
        let at = |side: &[Lanes; 3]| Vec3A::new(side[0][lane], side[1][lane], side[2][lane]);
        Bounds {
            min: at(&self.walls[0]),
            max: at(&self.walls[1]),
        }
    }

    /// Around all lanes.
    pub fn union(&self) -> Bounds {
        let least = |lanes: &Lanes| lanes.iter().fold(f32::INFINITY, |a, &b| lower(b, a));
        let most = |lanes: &Lanes| lanes.iter().fold(f32::NEG_INFINITY, |a, &b| upper(b, a));
        Bounds {
            min: self.walls[0].each_ref().map(least).into(),
            max: self.walls[1].each_ref().map(most).into(),
        }
    }
}

/// A divided bin with the up to eight bins that its splits left.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node {
    pub boxes: Boxes,
    /// [`NONE`], a node, or [`LEAF`] and a block.
    pub child: [u32; WIDTH],
    /// Faces below each lane.
    pub count: [u32; WIDTH],
}

impl Node {
    const EMPTY: Self = Self {
        boxes: Boxes::EMPTY,
        child: [NONE; WIDTH],
        count: [0; WIDTH],
    };
}

/// What only building and editing need to know of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Role {
    /// Node · 8 + lane above; [`NONE`] for the root.
    pub parent: u32,
    /// Of the bin that the node divides.
    pub level: u8,
    /// Lanes below which something was taken out since the last refit.
    pub dirty: u8,
    /// Split s divided the bin in this lane; the second half went to lane s + 1.
    pub splits: [u8; WIDTH - 1],
    pub split_count: u8,
}

impl Role {
    /// The level of each lane's bin.
    pub fn levels(&self) -> [u8; WIDTH] {
        let mut levels = [self.level; WIDTH];
        for (s, &lane) in self.splits[..self.split_count as usize].iter().enumerate() {
            levels[lane as usize] += 1;
            levels[s + 1] = levels[lane as usize];
        }
        levels
    }
}

/// A box of the binary tree that people see.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    pub level: u32,
    pub bounds: Bounds,
    /// Of a leaf; otherwise 0.
    pub faces: u32,
    /// What its halves share, cubic metres.
    pub overlap: f64,
}

/// Up to eight faces of a leaf. Their boxes are not kept: a query that wants them finds them from the corners, in less
/// time than it takes to write, and later to read, a third more.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Block {
    /// With the numbers of the faces all that a ray needs, which is read as one piece.
    pub corners: Corners,
    /// Faces are numbered as the mesh's triangles.
    pub face: [u32; WIDTH],
    pub planes: Planes,
}

/// The planes of a block's faces.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Planes {
    /// Unit normals; zero where the face is too thin to have one that can be trusted.
    pub normal: [Lanes; 3],
    /// normal · any corner.
    pub offset: Lanes,
}

/// What is known of a block but for its faces: apart, so that it can be noted without the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockRole {
    /// Faces, in the first lanes.
    pub count: u32,
    /// The leaf's next block.
    pub next: u32,
    /// Node · 8 + lane.
    pub parent: u32,
    /// Lanes whose faces went, in the midst of an edit.
    pub gone: u32,
}

/// The corners of a block's faces, rounded to f32. Rounding keeps the order of coordinates.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Corners {
    /// By corner and axis; infinite where there is no face, which nothing touches or passes through.
    pub lanes: [[Lanes; 3]; 3],
}

impl Corners {
    #[inline]
    fn set(&mut self, lane: usize, corners: &[[f32; 3]; 3]) {
        let all = self.lanes.as_flattened_mut().iter_mut();
        for (lanes, &x) in all.zip(corners.as_flattened()) {
            lanes[lane] = x;
        }
    }

    #[inline]
    fn get(&self, lane: usize) -> [[f32; 3]; 3] {
        self.lanes.map(|corner| corner.map(|along| along[lane]))
    }
}

impl Block {
    /// To be filled.
    pub const ZERO: Self = Self {
        corners: Corners {
            lanes: [[[0.0; WIDTH]; 3]; 3],
        },
        face: [0; WIDTH],
        planes: Planes {
            normal: [[0.0; WIDTH]; 3],
            offset: [0.0; WIDTH],
        },
    };

    /// What is in a lane.
    #[inline]
    pub fn lane(&self, lane: usize) -> Lane {
        Lane {
            corners: self.corners.get(lane),
            normal: self.planes.normal.map(|along| along[lane]),
            offset: self.planes.offset[lane],
            face: self.face[lane],
        }
    }

    /// Fills a lane.
    #[inline]
    pub fn put(&mut self, lane: usize, new: &Lane) {
        self.corners.set(lane, &new.corners);
        for axis in 0..3 {
            self.planes.normal[axis][lane] = new.normal[axis];
        }
        self.planes.offset[lane] = new.offset;
        self.face[lane] = new.face;
    }

    /// Moves the last lane that has a face into `lane`; the face that moved.
    pub fn take_out(&mut self, lane: usize, last: usize) -> u32 {
        self.corners.set(lane, &self.corners.get(last));
        self.corners.set(last, &[[f32::INFINITY; 3]; 3]);
        for axis in 0..3 {
            self.planes.normal[axis][lane] = self.planes.normal[axis][last];
        }
        self.planes.offset[lane] = self.planes.offset[last];
        self.face[lane] = self.face[last];
        self.face[last] = NONE;
        self.face[lane]
    }

    /// The box of a face that is there.
    pub fn bounds(&self, lane: usize) -> Bounds {
        let [a, b, c] = self.corners.get(lane).map(Vec3A::from);
        Bounds::grown(a.min(b).min(c), a.max(b).max(c))
    }

    /// Around all faces, of which there are some.
    pub fn union(&self) -> Bounds {
        let (mut low, mut high) = (Vec3A::ZERO, Vec3A::ZERO);
        for axis in 0..3 {
            let (mut least, mut most) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
            for half in [0, WIDTH / 2] {
                let four = |corner: &[Lanes; 3]| Vec4::from_slice(&corner[axis][half..]);
                let [a, b, c] = self.corners.lanes.each_ref().map(four);
                let greatest = a.max(b).max(c);
                let is_there = greatest.cmplt(Vec4::INFINITY);
                least = least.min(a.min(b).min(c));
                most = most.max(Vec4::select(is_there, greatest, Vec4::NEG_INFINITY));
            }
            (low[axis], high[axis]) = (least.min_element(), most.max_element());
        }
        Bounds::grown(low, high)
    }
}

/// A face in a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub corners: [[f32; 3]; 3],
    pub normal: [f32; 3],
    pub offset: f32,
    pub face: u32,
}

/// The tree. Node 0 is the root and always there once something was built.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    pub roles: Vec<Role>,
    pub blocks: Vec<Block>,
    pub block_roles: Vec<BlockRole>,
    /// By face: block · 8 + lane; [`NONE`] for a face that is not in.
    pub places: Vec<u32>,
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
            roles: Vec::with_capacity(faces / 8 + 8),
            blocks: Vec::with_capacity(faces / 2 + 32),
            block_roles: Vec::with_capacity(faces / 2 + 32),
            places: Vec::with_capacity(2 * faces + 64),
            ..Self::default()
        };
        tree.new_node(NONE, 0);
        tree
    }

    pub fn new_node(&mut self, parent: u32, level: u32) -> u32 {
        let role = Role {
            parent,
            level: level as u8,
            dirty: 0,
            splits: [0; WIDTH - 1],
            split_count: 0,
        };
        match self.free_nodes.pop() {
            Some(node) => {
                self.nodes[node as usize] = Node::EMPTY;
                self.roles[node as usize] = role;
                node
            }
            None => {
                self.nodes.push(Node::EMPTY);
                self.roles.push(role);
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
    pub fn put_block(&mut self, block: Block, role: BlockRole) {
        match self.free_blocks.pop() {
            Some(free) => {
                self.blocks[free as usize] = block;
                self.block_roles[free as usize] = role;
            }
            None => {
                self.blocks.push(block);
                self.block_roles.push(role);
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
    pub fn each_bin(&self, visit: &mut dyn FnMut(Bin)) {
        let mut todo = vec![0];
        while let Some(node) = todo.pop() {
            self.each_bin_of(node, &mut todo, visit);
        }
    }

    /// The bins that one node stands for, undoing its splits from the last to the first. Bins that have become empty
    /// are left out.
    fn each_bin_of(&self, node: u32, todo: &mut Vec<u32>, visit: &mut dyn FnMut(Bin)) {
        let (Some(node), Some(role)) =
            (self.nodes.get(node as usize), self.roles.get(node as usize))
        else {
            return;
        };
        let mut levels = role.levels();
        let mut bins = Vec::with_capacity(2 * WIDTH);
        for (lane, &child) in node.child.iter().enumerate() {
            // A child that is a node lists its own bin as its first.
            if child != NONE && child & LEAF != 0 {
                bins.push(Bin {
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
            let overlap = whole.shared_volume(&second);
            whole.add(&second);
            levels[lane as usize] -= 1;
            if !whole.is_empty() {
                bins.push(Bin {
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
