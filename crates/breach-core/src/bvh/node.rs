//! The parts of a tree: nodes of eight boxes and blocks of eight faces.
//!
//! Boxes and corners are f32 and only cull. The bins that the panel shows are binary: a node stores the order in which
//! its lanes were split, which is the binary tree between it and its children.
use super::bounds::Bounds;
use super::index::{NONE, WIDTH};
use super::lanes::{Boxes, Corners, Lanes, Planes};
use glam::{Vec3A, Vec4};

/// A bin that was divided, with the up to eight bins that its splits left.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Node {
    pub boxes: Boxes,
    /// [`NONE`], a node, or [`LEAF`] with a block.
    pub child: [u32; WIDTH],
    /// Faces below each lane.
    pub count: [u32; WIDTH],
}

impl Node {
    pub const EMPTY: Self = Self {
        boxes: Boxes::EMPTY,
        child: [NONE; WIDTH],
        count: [0; WIDTH],
    };
}

/// Data of a node that only builds and updates read.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    /// Parent node · 8 + lane; [`NONE`] for the root.
    pub parent: u32,
    /// Level of the bin that the node divides.
    pub level: u8,
    /// Lanes with removals below them since the last refit.
    pub dirty: u8,
    /// Split s divided the bin in this lane; its second half went to lane s + 1.
    pub splits: [u8; WIDTH - 1],
    pub split_count: u8,
}

impl NodeInfo {
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

/// A box of the binary tree, as the panel shows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinaryNode {
    pub level: u32,
    pub bounds: Bounds,
    /// Faces of a leaf; 0 for an inner node.
    pub faces: u32,
    /// Volume that its two children share, cubic metres.
    pub overlap: f64,
}

/// Up to eight faces of a leaf. Their boxes are not stored: computing them from the corners takes less time than
/// writing, and later reading, a third more memory.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Block {
    /// With `face` all that a ray reads, contiguous in memory.
    pub corners: Corners,
    /// Indices of the faces, which are those of the mesh's triangles.
    pub face: [u32; WIDTH],
    pub planes: Planes,
}

/// Data of a block that only builds and updates read, apart from the block's own cache lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockInfo {
    /// Face count; the faces are in the first lanes.
    pub count: u32,
    /// Next block of the leaf.
    pub next: u32,
    /// Parent node · 8 + lane.
    pub parent: u32,
    /// Lanes with removed faces, during an update.
    pub gone: u32,
}

impl Block {
    /// A block about to be filled.
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

    /// The face in a lane.
    #[inline]
    pub fn lane(&self, lane: usize) -> BlockFace {
        BlockFace {
            corners: self.corners.get(lane),
            normal: self.planes.normal.map(|along| along[lane]),
            offset: self.planes.offset[lane],
            face: self.face[lane],
        }
    }

    /// Writes a face into a lane.
    #[inline]
    pub fn set_face(&mut self, lane: usize, new: &BlockFace) {
        self.corners.set(lane, &new.corners);
        for axis in 0..3 {
            self.planes.normal[axis][lane] = new.normal[axis];
        }
        self.planes.offset[lane] = new.offset;
        self.face[lane] = new.face;
    }

    /// Moves the face of lane `last` to `lane` and clears `last`. Returns the face that moved.
    pub fn remove(&mut self, lane: usize, last: usize) -> u32 {
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

    /// The box of the face in an occupied lane.
    pub fn bounds(&self, lane: usize) -> Bounds {
        let [a, b, c] = self.corners.get(lane).map(Vec3A::from);
        Bounds::grown(a.min(b).min(c), a.max(b).max(c))
    }

    /// The box around all faces; there is at least one.
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
pub(super) struct BlockFace {
    pub corners: [[f32; 3]; 3],
    pub normal: [f32; 3],
    pub offset: f32,
    pub face: u32,
}
