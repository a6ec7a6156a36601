//! The one way to walk a tree: nearest bin first, cut off by the best hit so far.
//!
//! A short path is culled by the box around it, a long one by slabs on boxes grown by the margin; a face's plane must be
//! near while the path is in the face's own box. Coordinates are rounded to f32 on the way in; the margins cover that.
use super::QueryStats;
use super::item::Bounds;
use super::lanes::{BoxProbe, Plain, PlaneProbe, ShearProbe, SlabProbe, Wide};
use super::node::{Block, Boxes, DEEPEST, LEAF, Lanes, NONE, Tree, WIDTH};
use crate::collide::ShearedRay;
use crate::geom::Aabb;
use glam::{DVec3, Vec3A};

/// A query as culling sees it. Lane k answers in bit k.
pub(super) trait Probe {
    /// Whether bins have an order: the nearest first.
    const SORTED: bool;
    /// The boxes that the query may meet before the limit, and where it enters and leaves them.
    fn boxes<W: Wide>(&self, wide: W, boxes: &Boxes, limit: f32, at: &mut [Lanes; 2]) -> u32;
    /// The faces of a block that it may meet before the limit, and where it enters their boxes if that is known.
    fn faces<W: Wide>(&self, wide: W, block: &Block, limit: f32, at: &mut [Lanes; 2]) -> u32;
    /// Only what comes before `limit`, a part of the displacement, counts any more.
    fn shorten(&mut self, limit: f64);
}

/// Beyond this, metres, f32 tells too little apart: everything is looked at.
const FARTHEST: f64 = 1e12;
/// What f32 may lose of a coordinate and of sums of a few of them, relative.
const NARROW: f64 = 1e-6;

/// A moving sphere or point; `margin` is its radius with all slack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub from: DVec3,
    pub displacement: DVec3,
    pub margin: f64,
    /// The greatest coordinate of all that is looked at, metres.
    pub reach: f64,
}

impl Path {
    /// Whether f32 can cull it.
    pub fn is_near(&self) -> bool {
        self.reach + self.margin < FARTHEST
    }

    #[inline(always)]
    fn planes(&self) -> PlaneProbe {
        // Three products and their sums, twice, and where along them.
        let margin = self.margin + 4.0 * (self.reach + self.margin) * NARROW;
        PlaneProbe {
            from: self.from.as_vec3().to_array(),
            displacement: self.displacement.as_vec3().to_array(),
            margin: margin as f32,
        }
    }
}

/// A path whose box is hardly larger than itself.
pub(super) struct Short {
    path: Path,
    around: BoxProbe,
}

impl Short {
    #[inline(always)]
    pub fn new(path: Path) -> Self {
        let around = around(&path, 1.0);
        Self { path, around }
    }
}

#[inline(always)]
fn around(path: &Path, limit: f64) -> BoxProbe {
    let to = path.from + path.displacement * limit;
    let (from, to) = (path.from.as_vec3a(), to.as_vec3a());
    let margin = Vec3A::splat((path.margin + path.reach * NARROW) as f32);
    BoxProbe {
        min: (from.min(to) - margin).to_array(),
        max: (from.max(to) + margin).to_array(),
    }
}

impl Probe for Short {
    const SORTED: bool = false;

    #[inline(always)]
    fn boxes<W: Wide>(&self, wide: W, boxes: &Boxes, _: f32, _: &mut [Lanes; 2]) -> u32 {
        wide.touching(boxes, &self.around)
    }
    #[inline(always)]
    fn faces<W: Wide>(&self, wide: W, block: &Block, limit: f32, _: &mut [Lanes; 2]) -> u32 {
        let mask = wide.touching(&wide.boxes(&block.corners), &self.around);
        if mask == 0 {
            return 0;
        }
        let whole = [[0.0; WIDTH], [limit; WIDTH]];
        mask & wide.reached(&block.planes, &self.path.planes(), &whole)
    }
    #[inline(always)]
    fn shorten(&mut self, limit: f64) {
        self.around = around(&self.path, limit);
    }
}

impl Path {
    #[inline(always)]
    fn slabs(&self) -> SlabProbe {
        // A difference of two coordinates times an inverse loses less than ten half steps of the reach, and corners of faces
        // have lost one: what is added here is more, and so where a box is entered and left can be compared as it is.
        let margin = self.margin + (self.reach + self.margin) * NARROW;
        let mut slabs = SlabProbe::default();
        for axis in 0..3 {
            let d = self.displacement[axis] as f32;
            // Never so small that its inverse overflows; the sign of zero does not matter.
            let d = d.abs().max(1e-25).copysign(d);
            // By the sign's bit: which way a path runs cannot be foretold.
            let (from, ahead) = (self.from[axis], margin.copysign(d.into()));
            slabs.falls[axis] = d.to_bits() >> 31;
            slabs.inv[axis] = 1.0 / d;
            slabs.near[axis] = (from + ahead) as f32;
            slabs.far[axis] = (from - ahead) as f32;
        }
        slabs
    }
}

/// A path through many boxes.
pub(super) struct Long {
    slabs: SlabProbe,
    planes: PlaneProbe,
}

impl Long {
    #[inline(always)]
    pub fn new(path: &Path) -> Self {
        Self {
            slabs: path.slabs(),
            planes: path.planes(),
        }
    }
}

impl Probe for Long {
    const SORTED: bool = true;

    #[inline(always)]
    fn boxes<W: Wide>(&self, wide: W, boxes: &Boxes, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        wide.entered(boxes, &self.slabs, limit, at)
    }
    #[inline(always)]
    fn faces<W: Wide>(&self, wide: W, block: &Block, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        let mask = wide.entered(&wide.boxes(&block.corners), &self.slabs, limit, at);
        if mask == 0 {
            return 0;
        }
        mask & wide.reached(&block.planes, &self.planes, at)
    }
    #[inline(always)]
    fn shorten(&mut self, _: f64) {}
}

/// A ray: the triangles themselves tell in f32 what it passes through, and one in fifty of them is looked at in vain.
/// Without `BACKS` only fronts count.
pub(super) struct Thin<const BACKS: bool> {
    slabs: SlabProbe,
    shear: ShearProbe,
}

impl<const BACKS: bool> Thin<BACKS> {
    /// `near` is no less than a coordinate of the origin or of a corner.
    #[inline(always)]
    pub fn new(path: &Path, ray: &ShearedRay, near: f64) -> Self {
        // A sheared coordinate is (corner - origin) less a multiple, at most one, of the same along the ray. With all that
        // is rounded on the way it is off by at most 16 half steps of the greatest coordinate, which is `lost`. Areas are
        // differences of two products of two of them: off by 4 times the greatest of them times `lost`, half as much again
        // for rounding, and by squares of `lost`.
        let lost = (near + path.margin) * NARROW;
        let (axes, origin, shear) = ray.rounded();
        let slack = [6.0 * lost, 12.0 * lost * lost].map(|x| x as f32);
        let shear = ShearProbe {
            axes,
            origin,
            shear,
            slack,
        };
        let slabs = path.slabs();
        Self { slabs, shear }
    }
}

impl<const BACKS: bool> Probe for Thin<BACKS> {
    const SORTED: bool = true;

    #[inline(always)]
    fn boxes<W: Wide>(&self, wide: W, boxes: &Boxes, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        wide.entered(boxes, &self.slabs, limit, at)
    }
    #[inline(always)]
    fn faces<W: Wide>(&self, wide: W, block: &Block, _: f32, _: &mut [Lanes; 2]) -> u32 {
        let [fronts, backs] = wide.crossed(&block.corners, &self.shear);
        if BACKS { fronts | backs } else { fronts }
    }
    #[inline(always)]
    fn shorten(&mut self, _: f64) {}
}

/// Something that stands still: all faces in the boxes that it touches.
pub(super) struct Standing(BoxProbe);

impl Standing {
    pub fn new(bounds: &Aabb) -> Self {
        // Nothing of a tree lies where this is cut off; a comparison with what is no number fails. Rounding keeps the order of
        // coordinates, so that what touches still touches when it is rounded.
        let most = DVec3::splat(1e37);
        let bounds = Bounds::around(bounds.min.max(-most), bounds.max.min(most));
        Self(BoxProbe {
            min: bounds.min.to_array(),
            max: bounds.max.to_array(),
        })
    }

    /// All of the tree.
    fn everywhere() -> Self {
        Self(BoxProbe {
            min: [f32::MIN; 3],
            max: [f32::MAX; 3],
        })
    }
}

impl Probe for Standing {
    const SORTED: bool = false;

    #[inline(always)]
    fn boxes<W: Wide>(&self, wide: W, boxes: &Boxes, _: f32, _: &mut [Lanes; 2]) -> u32 {
        wide.touching(boxes, &self.0)
    }
    #[inline(always)]
    fn faces<W: Wide>(&self, wide: W, block: &Block, _: f32, _: &mut [Lanes; 2]) -> u32 {
        wide.touching(&wide.boxes(&block.corners), &self.0)
    }
    #[inline(always)]
    fn shorten(&mut self, _: f64) {}
}

/// Out of the way of what has to be fast: calls `visit` for all faces of a tree that f32 cannot cull.
#[cold]
#[inline(never)]
pub(super) fn visit_all(
    tree: &Tree,
    stats: &mut QueryStats,
    visit: &mut dyn FnMut(u32) -> Option<f64>,
) {
    tree.walk(Plain, Standing::everywhere(), stats, visit);
}

/// How far a walk has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    node: u32,
    /// Lanes of the node that are still to be looked into; none: the walk is over.
    pub mask: u32,
    /// Looked into so far.
    pub bins: u64,
}

/// Entries that may wait before they take memory: seven on each level of any usual tree.
const STACK: usize = 64;

/// Makes room: rare, and so out of the way.
#[cold]
#[inline(never)]
fn put_off(beyond: &mut Vec<u64>, waiting: &[u64]) {
    beyond.extend_from_slice(waiting);
}

/// The child in `mask`, which is not empty, that is entered first; the others join what waits in falling order, so that
/// the nearest of them is taken first. `children` are as what waits.
#[inline(always)]
fn nearest_child(
    children: &[u64; WIDTH],
    mask: u32,
    waiting: &mut [u64; STACK],
    beyond: &mut Vec<u64>,
    len: &mut usize,
) -> u32 {
    let child = |mask: u32| children[mask.trailing_zeros() as usize & 7];
    let mut rest = mask & (mask - 1);
    let mut nearest = child(mask);
    if rest == 0 {
        return nearest as u32;
    }
    if *len + WIDTH > STACK {
        put_off(beyond, &waiting[..*len]);
        *len = 0;
    }
    let first = *len;
    while rest != 0 {
        let other = child(rest);
        rest &= rest - 1;
        let further = nearest.max(other);
        nearest = nearest.min(other);
        let mut at = *len;
        while at > first && waiting[(at - 1) % STACK] < further {
            waiting[at % STACK] = waiting[(at - 1) % STACK];
            at -= 1;
        }
        waiting[at % STACK] = further;
        *len += 1;
    }
    nearest as u32
}

impl Tree {
    /// Calls `visit(face)` for the faces that the probe may meet, the nearer bins first; it answers the limit from then
    /// on, a part of the displacement, or None if nothing has changed.
    #[inline(always)]
    pub fn walk<W: Wide, P: Probe>(
        &self,
        wide: W,
        probe: P,
        stats: &mut QueryStats,
        visit: impl FnMut(u32) -> Option<f64>,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        if P::SORTED {
            self.walk_nearest_first(wide, probe, stats, visit);
        } else {
            let way = self.only_way(wide, &probe);
            self.walk_on(wide, way, probe, stats, visit);
        }
    }

    /// Down from the root for as long as one lane at most is met, which needs nothing that waits: a small thing far
    /// from the surface ends here.
    #[inline(always)]
    pub fn only_way<W: Wide, P: Probe>(&self, wide: W, probe: &P) -> Way {
        let mut way = Way::default();
        let mut at_lanes = [[0.0; WIDTH]; 2];
        while let Some(node) = self.nodes.get(way.node as usize) {
            way.bins += 1;
            way.mask = probe.boxes(wide, &node.boxes, 1.0, &mut at_lanes);
            if way.mask == 0 || way.mask & (way.mask - 1) != 0 {
                break;
            }
            let child = node.child[way.mask.trailing_zeros() as usize & 7];
            if child & LEAF != 0 {
                break;
            }
            way.node = child;
        }
        way
    }

    #[inline(always)]
    fn walk_nearest_first<W: Wide, P: Probe>(
        &self,
        wide: W,
        mut probe: P,
        stats: &mut QueryStats,
        mut visit: impl FnMut(u32) -> Option<f64>,
    ) {
        // Where each child is entered, in the upper half, and the child: rising as the entries do, which are not below
        // zero. What does not fit waits beyond, in any order.
        let mut waiting = [0u64; STACK];
        let mut beyond = Vec::new();
        let mut len = 0;
        let (mut bins, mut faces) = (0, 0);
        let mut limit = 1.0f32;
        let mut next = 0u32;
        loop {
            bins += 1;
            if next & LEAF != 0 {
                let first = next & !LEAF;
                self.visit_leaf(wide, &mut probe, first, &mut limit, &mut faces, &mut visit);
            } else {
                let node = &self.nodes[next as usize];
                let mut at = [[0.0; WIDTH]; 2];
                let mask = probe.boxes(wide, &node.boxes, limit, &mut at);
                // All of them at once, so that their part of the node is on its way while the boxes are looked at.
                let children = wide.paired(&at[0], &node.child);
                if mask != 0 {
                    next = nearest_child(&children, mask, &mut waiting, &mut beyond, &mut len);
                    continue;
                }
            }
            loop {
                if len == 0 {
                    let Some(entry) = beyond.pop() else {
                        stats.bins += bins;
                        stats.faces += faces;
                        return;
                    };
                    (waiting[0], len) = (entry, 1);
                }
                len -= 1;
                let entry = waiting[len % STACK];
                if f32::from_bits((entry >> 32) as u32) <= limit {
                    next = entry as u32;
                    break;
                }
            }
        }
    }

    /// The rest of a walk, in no particular order.
    #[inline(always)]
    pub fn walk_on<W: Wide, P: Probe>(
        &self,
        wide: W,
        way: Way,
        mut probe: P,
        stats: &mut QueryStats,
        mut visit: impl FnMut(u32) -> Option<f64>,
    ) {
        // Nodes with the lanes that are still to be looked into; levels end at `DEEPEST`.
        let mut waiting = [(0u32, 0u32); DEEPEST + 2];
        let mut len = 0;
        let mut faces = 0;
        let mut at_lanes = [[0.0; WIDTH]; 2];
        let mut limit = 1.0f32;
        let Way {
            node: mut at,
            mut mask,
            mut bins,
        } = way;
        loop {
            if mask == 0 {
                if len == 0 {
                    break;
                }
                len -= 1;
                (at, mask) = waiting[len];
            }
            let lane = mask.trailing_zeros() as usize & 7;
            mask &= mask - 1;
            let child = self.nodes[at as usize].child[lane];
            bins += 1;
            if child & LEAF != 0 {
                let first = child & !LEAF;
                self.visit_leaf(wide, &mut probe, first, &mut limit, &mut faces, &mut visit);
                continue;
            }
            if mask != 0 {
                waiting[len] = (at, mask);
                len += 1;
            }
            at = child;
            let boxes = &self.nodes[at as usize].boxes;
            mask = probe.boxes(wide, boxes, limit, &mut at_lanes);
        }
        stats.bins += bins;
        stats.faces += faces;
    }

    #[inline(always)]
    fn visit_leaf<W: Wide, P: Probe>(
        &self,
        wide: W,
        probe: &mut P,
        first: u32,
        limit: &mut f32,
        faces: &mut u64,
        visit: &mut impl FnMut(u32) -> Option<f64>,
    ) {
        let mut at = first;
        while at != NONE {
            let block = &self.blocks[at as usize];
            at = self.block_roles[at as usize].next;
            let mut within = [[0.0; WIDTH]; 2];
            let mut mask = probe.faces(wide, block, *limit, &mut within);
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize & 7;
                mask &= mask - 1;
                if P::SORTED && within[0][lane] > *limit {
                    continue;
                }
                *faces += 1;
                if let Some(new) = visit(block.face[lane]) {
                    // Rounded up.
                    *limit = new as f32 * (1.0 + 4.0 * f32::EPSILON);
                    probe.shorten(new);
                }
            }
        }
    }
}
