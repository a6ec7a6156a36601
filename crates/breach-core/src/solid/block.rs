//! The solid in one block: its connected parts, with volume and centroid by Gauss' theorem, and the regions of the
//! block's sides that each part reaches.
use super::clear::touches;
use super::lattice::{BlockId, Lattice};
use super::rounded::{AREAS, LENGTHS, MOMENTS, VOLUMES, rounded};
use super::section::{Rectangle, Region, Segment, regions};
use crate::bvh::QueryStats;
use crate::carve::MaterialId;
use crate::geom::disjoint_sets::DisjointSets;
use crate::geom::{Aabb, ring};
use crate::world::World;
use glam::{DVec2, DVec3};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A connected part of the solid in a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Cubic metres.
    pub volume_m3: f64,
    /// Centroid, metres.
    pub centre: DVec3,
    /// The material with the largest area of surface in the block; None without surface.
    pub material: Option<MaterialId>,
}

/// The solid that two blocks share on their common side.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidPortal {
    /// Square metres; 0 where the two meet in an edge or a point alone.
    pub area_m2: f64,
    /// Centroid, metres, in the plane's coordinates: across x these are y and z, across y z and x, across z x and y.
    pub centre: DVec2,
    /// Second moments of area about the centroid, m⁴: of v², u² and uv.
    pub second_moments: [f64; 3],
    /// Lowest corner of its box, metres.
    pub lo: DVec2,
    /// Highest corner of its box, metres.
    pub hi: DVec2,
}

/// The solid in one block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The parts, in a fixed order.
    pub nodes: Vec<Node>,
    /// For each side (the low and the high one across x, then y, then z) the solid on it, by centroid.
    pub portals: [Vec<SolidPortal>; 6],
    /// For each side and each of its portals, the node that reaches it.
    pub at_portals: [SmallVec<[u16; 1]>; 6],
    /// Sides on which the surface does not close; all that is there counts as one portal without area.
    pub open_sides: u8,
}

/// A triangle of the surface near a block.
struct LocalTriangle {
    corners: [DVec3; 3],
    material: MaterialId,
}

fn triangles_in(world: &World, bounds: &Aabb) -> Vec<LocalTriangle> {
    let mut found = Vec::new();
    world.each_triangle_in_box(bounds, &mut QueryStats::default(), &mut |room, number| {
        let room = world.room(room);
        let triangle = room.mesh.triangles[number as usize];
        let corners = triangle.corners.map(|c| room.mesh.positions[c as usize]);
        if touches(&corners, bounds) {
            found.push(LocalTriangle {
                corners,
                material: room.faces[triangle.face as usize].material,
            });
        }
    });
    found
}

/// The regions of solid on a side of a block; None where the surface does not close.
fn side_regions(
    triangles: &[LocalTriangle],
    lattice: Lattice,
    block: BlockId,
    side: usize,
    is_solid: &mut dyn FnMut(BlockId) -> bool,
) -> Option<Vec<Region>> {
    let axis = side / 2;
    let mut base = block;
    base[axis] += (side % 2) as i32;
    let bounds = lattice.bounds(base);
    let segments: Vec<Segment> = (0u32..)
        .zip(triangles)
        .filter_map(|(i, triangle)| crossing(&triangle.corners, axis, bounds.min[axis], i))
        .collect();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let rectangle = Rectangle {
        lo: DVec2::new(bounds.min[u], bounds.min[v]),
        hi: DVec2::new(bounds.max[u], bounds.max[v]),
    };
    regions(&segments, &rectangle, || is_solid(base)).ok()
}

/// Stands for a side on which the surface does not close.
fn open_region(count: usize) -> Region {
    Region {
        triangles: (0..count as u32).collect(),
        corners: [true; 4],
        ..Region::default()
    }
}

impl Node {
    /// The node of a block that is all solid, by its box.
    pub(super) fn full(bounds: &Aabb) -> Node {
        Node {
            volume_m3: bounds.volume(),
            centre: bounds.centre(),
            material: None,
        }
    }
}

impl SolidPortal {
    /// On a side of a block that is all solid, by its box.
    pub(super) fn of_full(bounds: &Aabb, side: usize) -> SolidPortal {
        let (u, v) = ((side / 2 + 1) % 3, (side / 2 + 2) % 3);
        let lo = DVec2::new(bounds.min[u], bounds.min[v]);
        let hi = DVec2::new(bounds.max[u], bounds.max[v]);
        let size = hi - lo;
        let area = size.x * size.y;
        SolidPortal::new(&Region {
            area,
            centre: (lo + hi) / 2.0,
            second_moments: [
                area * size.y * size.y / 12.0,
                area * size.x * size.x / 12.0,
                0.0,
            ],
            lo,
            hi,
            ..Region::default()
        })
    }

    fn new(region: &Region) -> SolidPortal {
        let length = |v: DVec2| DVec2::new(rounded(v.x, LENGTHS), rounded(v.y, LENGTHS));
        SolidPortal {
            area_m2: rounded(region.area, AREAS),
            centre: length(region.centre),
            second_moments: region.second_moments.map(|m| rounded(m, MOMENTS)),
            lo: length(region.lo),
            hi: length(region.hi),
        }
    }
}

/// Where a triangle, counter-clockwise seen from the air, crosses the plane at `at`. The surface runs up through the
/// plane where it ends, and down where it begins, which leaves the solid to the left.
fn crossing(corners: &[DVec3; 3], axis: usize, at: f64, triangle: u32) -> Option<Segment> {
    let is_above = corners.map(|p| p[axis] > at);
    let (mut from, mut to) = (None, None);
    for i in 0..3 {
        let k = (i + 1) % 3;
        // From below to above, so that both triangles at an edge find the same bits.
        let cut = |below: DVec3, above: DVec3| {
            let way = above - below;
            let mut point = below + way * ((at - below[axis]) / way[axis]);
            point[axis] = at;
            point
        };
        match (is_above[i], is_above[k]) {
            (false, true) => to = Some(cut(corners[i], corners[k])),
            (true, false) => from = Some(cut(corners[k], corners[i])),
            (true, true) | (false, false) => {}
        }
    }
    let (from, to) = from.zip(to)?;
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let flat = |p: DVec3| DVec2::new(p[u], p[v]);
    Some(Segment {
        from: flat(from),
        to: flat(to),
        ends: [bits(from), bits(to)],
        triangle,
    })
}

impl Block {
    /// The solid of a block; None if no surface touches it. `is_solid` tells of the lowest corner of a block.
    pub(super) fn new(
        world: &World,
        lattice: Lattice,
        block: BlockId,
        is_solid: &mut dyn FnMut(BlockId) -> bool,
    ) -> Option<Block> {
        let bounds = lattice.bounds(block);
        let triangles = triangles_in(world, &bounds);
        if triangles.is_empty() {
            return None;
        }
        let mut open_sides = 0;
        let regions: Vec<Vec<Region>> = (0..6)
            .map(|side| {
                let found = side_regions(&triangles, lattice, block, side, is_solid);
                found.unwrap_or_else(|| {
                    open_sides |= 1 << side;
                    vec![open_region(triangles.len())]
                })
            })
            .collect();
        let sums: Vec<Option<Sum>> = triangles
            .iter()
            .map(|t| Sum::tetrahedra(t, &bounds))
            .collect();
        let mut elements = Elements::new(&regions, triangles.len());
        elements.join_portals(&regions);
        elements.join_triangles(&triangles, &sums, &bounds);
        let portals: [Vec<SolidPortal>; 6] =
            std::array::from_fn(|side| regions[side].iter().map(SolidPortal::new).collect());
        let half = lattice.block_m() / 2.0;
        let parts = elements.parts(&portals, &sums, bounds.centre(), half);
        let part_of = |elements: &mut Elements, side: usize, number: usize| {
            let root = elements.portal_root(side, number);
            parts
                .iter()
                .position(|part| part.root == root)
                .expect("each portal is in a part") as u16
        };
        Some(Block {
            nodes: parts
                .iter()
                .map(|part| part.sum.node(bounds.centre(), half))
                .collect(),
            at_portals: std::array::from_fn(|side| {
                (0..portals[side].len())
                    .map(|number| part_of(&mut elements, side, number))
                    .collect()
            }),
            portals,
            open_sides,
        })
    }

    /// A block that is all solid, by its box.
    pub(super) fn full(bounds: &Aabb) -> Block {
        Block {
            nodes: vec![Node::full(bounds)],
            portals: std::array::from_fn(|side| vec![SolidPortal::of_full(bounds, side)]),
            at_portals: std::array::from_fn(|_| SmallVec::from_slice(&[0])),
            open_sides: 0,
        }
    }

    /// Whether it is all solid, without surface.
    pub fn is_full(&self) -> bool {
        self.nodes.len() == 1 && self.nodes[0].material.is_none()
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let portals: usize = self.portals.iter().map(Vec::capacity).sum();
        self.nodes.capacity() * size_of::<Node>() + portals * size_of::<SolidPortal>()
    }
}

/// What bounds the parts of a block, as disjoint sets: the block's corners, the portals on its sides, the triangles.
struct Elements {
    sets: DisjointSets,
    /// The first portal of each side, and the end of the last.
    firsts: [usize; 7],
}

/// A connected part while it is put together.
struct Part {
    root: u32,
    sum: Sum,
    /// Whether it reaches a side.
    is_open: bool,
}

/// Corners of a block.
const CORNERS: usize = 8;

impl Elements {
    fn new(regions: &[Vec<Region>], triangles: usize) -> Elements {
        let mut firsts = [CORNERS; 7];
        for side in 0..6 {
            firsts[side + 1] = firsts[side] + regions[side].len();
        }
        Elements {
            sets: DisjointSets::new(firsts[6] + triangles),
            firsts,
        }
    }

    fn portal(&self, side: usize, number: usize) -> u32 {
        (self.firsts[side] + number) as u32
    }

    fn portal_root(&mut self, side: usize, number: usize) -> u32 {
        self.sets.find(self.portal(side, number))
    }

    fn triangle(&self, number: usize) -> u32 {
        (self.firsts[6] + number) as u32
    }

    /// A portal is connected to the triangles that bound it, and to other portals at a corner of the block in both.
    fn join_portals(&mut self, regions: &[Vec<Region>]) {
        for (side, regions) in regions.iter().enumerate() {
            for (number, region) in regions.iter().enumerate() {
                let portal = self.portal(side, number);
                for corner in (0..4).filter(|&corner| region.corners[corner]) {
                    self.sets.join(portal, vertex(side, corner));
                }
                for &triangle in &region.triangles {
                    self.sets.join(portal, self.triangle(triangle as usize));
                }
            }
        }
    }

    /// Triangles are connected by edges that touch the block.
    fn join_triangles(&mut self, triangles: &[LocalTriangle], sums: &[Option<Sum>], bounds: &Aabb) {
        let mut at_edge: FxHashMap<[[u64; 3]; 2], u32> = FxHashMap::default();
        for (i, triangle) in triangles
            .iter()
            .enumerate()
            .filter(|(i, _)| sums[*i].is_some())
        {
            for (a, b) in
                ring::pairs(&triangle.corners).filter(|(a, b)| meets_box(**a, **b, bounds))
            {
                let (a, b) = (bits(*a), bits(*b));
                let own = self.triangle(i);
                let first = *at_edge.entry([a.min(b), a.max(b)]).or_insert(own);
                self.sets.join(first, own);
            }
        }
    }

    /// The parts with their integrals about the block's centre; `half` is half a block's edge, metres. A bubble of air belongs to the part around it, for
    /// which the largest stands.
    fn parts(
        &mut self,
        portals: &[Vec<SolidPortal>; 6],
        sums: &[Option<Sum>],
        centre: DVec3,
        half: f64,
    ) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut add = |root: u32, sum: &Sum, is_open: bool| match parts
            .iter_mut()
            .find(|part| part.root == root)
        {
            Some(part) => part.sum.add(sum),
            None => parts.push(Part {
                root,
                sum: sum.clone(),
                is_open,
            }),
        };
        for (side, portals) in portals.iter().enumerate() {
            for (number, portal) in portals.iter().enumerate() {
                add(
                    self.portal_root(side, number),
                    &Sum::pyramid(side, portal, centre, half),
                    true,
                );
            }
        }
        for (i, sum) in sums.iter().enumerate() {
            if let Some(sum) = sum {
                add(self.sets.find(self.triangle(i)), sum, false);
            }
        }
        let (bubbles, mut parts): (Vec<Part>, Vec<Part>) = parts
            .into_iter()
            .partition(|part| !part.is_open && part.sum.volume < 0.0);
        // Of a surface that only touches the block in a line or a point nothing is inside.
        parts.retain(|part| part.is_open || part.sum.volume >= 1.0 / VOLUMES);
        // Those with portals stand in the order of these.
        parts.sort_by_cached_key(|part| match part.is_open {
            true => (false, [0; 4]),
            false => (true, part.sum.steps()),
        });
        let volume = |part: &Part| rounded(part.sum.volume, VOLUMES);
        let largest = parts
            .iter_mut()
            .reduce(|a, b| if volume(b) > volume(a) { b } else { a });
        if let Some(largest) = largest {
            bubbles
                .iter()
                .for_each(|bubble| largest.sum.add(&bubble.sum));
        }
        parts
    }
}

fn bits(p: DVec3) -> [u64; 3] {
    // Maps -0.0 to 0.0.
    (p + 0.0).to_array().map(f64::to_bits)
}

/// The corner of a block, its axes in bits, that is corner `corner` of side `side`.
fn vertex(side: usize, corner: usize) -> u32 {
    let (axis, is_high) = (side / 2, side % 2);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let [high_u, high_v] = [[0, 0], [1, 0], [1, 1], [0, 1]][corner];
    (is_high << axis | high_u << u | high_v << v) as u32
}

/// Integrals over a part of a block, about the block's centre.
#[derive(Clone, Debug, Default)]
struct Sum {
    volume: f64,
    /// Volume times centroid.
    first: DVec3,
    /// Area of each material.
    areas: SmallVec<[(MaterialId, f64); 2]>,
}

impl Sum {
    fn add(&mut self, other: &Sum) {
        self.volume += other.volume;
        self.first += other.first;
        for &(material, area) in &other.areas {
            match self.areas.iter_mut().find(|own| own.0 == material) {
                Some(own) => own.1 += area,
                None => self.areas.push((material, area)),
            }
        }
    }

    /// The tetrahedra from the centre of a block over the part of a triangle in it; None if there is none.
    fn tetrahedra(triangle: &LocalTriangle, bounds: &Aabb) -> Option<Sum> {
        let centre = bounds.centre();
        let polygon = clipped(&triangle.corners, bounds);
        let (&first, rest) = polygon.split_first()?;
        let a = first - centre;
        let mut sum = Sum::default();
        let mut area = 0.0;
        for pair in rest.windows(2) {
            let (b, c) = (pair[0] - centre, pair[1] - centre);
            let volume = a.dot(b.cross(c)) / 6.0;
            sum.volume += volume;
            sum.first += (a + b + c) * (volume / 4.0);
            area += (b - a).cross(c - a).length() / 2.0;
        }
        sum.areas.push((triangle.material, area));
        Some(sum)
    }

    /// The pyramid from the centre of the block over a portal.
    fn pyramid(side: usize, portal: &SolidPortal, centre: DVec3, half: f64) -> Sum {
        let axis = side / 2;
        let mut base = DVec3::ZERO;
        base[axis] = if side % 2 == 1 { half } else { -half };
        base[(axis + 1) % 3] = portal.centre.x - centre[(axis + 1) % 3];
        base[(axis + 2) % 3] = portal.centre.y - centre[(axis + 2) % 3];
        let volume = portal.area_m2 * half / 3.0;
        Sum {
            volume,
            first: base * (0.75 * volume),
            ..Sum::default()
        }
    }

    /// Volume and its product with the centroid, in whole steps.
    fn steps(&self) -> [i64; 4] {
        let [x, y, z] = self.first.to_array();
        [self.volume, x, y, z].map(|sum| (rounded(sum, VOLUMES) * VOLUMES) as i64)
    }

    fn node(&self, centre: DVec3, reach: f64) -> Node {
        let offset = match self.volume > 1.0 / VOLUMES {
            true => (self.first / self.volume).clamp(DVec3::splat(-reach), DVec3::splat(reach)),
            false => DVec3::ZERO,
        };
        let areas = self.areas.iter().map(|a| (a.0, rounded(a.1, AREAS)));
        let largest = areas.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let place = (centre + offset).to_array();
        Node {
            volume_m3: rounded(self.volume.max(0.0), VOLUMES),
            centre: DVec3::from_array(place.map(|x| rounded(x, LENGTHS))),
            material: largest.map(|l| l.0),
        }
    }
}

/// The part of a triangle in a box, by Sutherland and Hodgman ("Reentrant polygon clipping", 1974).
fn clipped(corners: &[DVec3; 3], bounds: &Aabb) -> SmallVec<[DVec3; 12]> {
    let mut polygon: SmallVec<[DVec3; 12]> = SmallVec::from_slice(corners);
    let mut clipped: SmallVec<[DVec3; 12]> = SmallVec::new();
    for side in 0..6 {
        let axis = side / 2;
        let is_inside = |p: DVec3| match side % 2 {
            0 => p[axis] > bounds.min[axis],
            _ => p[axis] <= bounds.max[axis],
        };
        if polygon.iter().all(|&p| is_inside(p)) {
            continue;
        }
        let at = if side % 2 == 0 {
            bounds.min[axis]
        } else {
            bounds.max[axis]
        };
        clipped.clear();
        for i in 0..polygon.len() {
            let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            if is_inside(a) {
                clipped.push(a);
            }
            if is_inside(a) != is_inside(b) {
                let mut point = a + (b - a) * ((at - a[axis]) / (b[axis] - a[axis]));
                point[axis] = at;
                clipped.push(point);
            }
        }
        std::mem::swap(&mut polygon, &mut clipped);
    }
    polygon
}

/// Whether a segment touches a box.
fn meets_box(a: DVec3, b: DVec3, bounds: &Aabb) -> bool {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for axis in 0..3 {
        let (from, way) = (a[axis], b[axis] - a[axis]);
        let (lo, hi) = (bounds.min[axis], bounds.max[axis]);
        if way == 0.0 {
            if from < lo || from > hi {
                return false;
            }
            continue;
        }
        let (t, s) = ((lo - from) / way, (hi - from) / way);
        enter = enter.max(t.min(s));
        leave = leave.min(t.max(s));
    }
    enter <= leave
}
