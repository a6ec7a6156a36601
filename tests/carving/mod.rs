//! What tests of carving share: rock with rooms in it, brushes of points, and exact answers of their own.
#![allow(dead_code)]
use breach::bvh::BuildParams;
use breach::carve::hull::{HullFacet, dot, hull, normal};
use breach::carve::{BrushDesc, Op, SideDesc};
use breach::geom::rng::Rng;
use breach::timing::Silent;
use breach::world::{CarveReport, GRID, Island, Material, Operation, World, WorldDesc};
use glam::{DVec3, I64Vec3};
use std::collections::{BTreeMap, HashMap};

/// Grid steps in a metre.
pub const M: i64 = GRID as i64;

/// A grid step in metres.
pub const GRID_STEP: f64 = 1.0 / GRID;

/// The hull of points; None where they are flat. Sides show material 1.
pub fn brush(points: &[I64Vec3]) -> Option<BrushDesc> {
    let sides = hull(points)?.into_iter().map(|f| SideDesc {
        points: f.points,
        material: 1,
    });
    Some(BrushDesc {
        sides: sides.collect(),
    })
}

/// The corners of a box.
pub fn corners(lo: I64Vec3, hi: I64Vec3) -> Vec<I64Vec3> {
    (0..8)
        .map(|i| lo + (hi - lo) * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2 & 1))
        .collect()
}

/// A lump of 40 to 80 points about 1 m around `centre` (metres), rounded to 1/1024 m.
pub fn lump(rng: &mut Rng, centre: DVec3, radius: f64) -> Vec<I64Vec3> {
    let count = 40 + rng.below(41);
    (0..count)
        .map(|_| {
            let p = centre + rng.unit_vector() * rng.range(0.88, 1.12) * radius;
            (p * 1024.0).round().as_i64vec3() * 16
        })
        .collect()
}

/// One brush, to be carved or filled.
pub fn one(op: Op, brush: &BrushDesc) -> Operation {
    Operation {
        op,
        brushes: vec![brush.clone()],
    }
}

/// A block of rock with rooms; bounds and rooms in metres.
pub fn rock(half: i64, rooms: &[[[i64; 3]; 2]]) -> World {
    let carve = |r: &[[i64; 3]; 2]| {
        let [lo, hi] = r.map(|p| I64Vec3::from_array(p) * M);
        one(Op::Carve, &brush(&corners(lo, hi)).expect("a room"))
    };
    level(half, true, rooms.iter().map(carve).collect(), &[])
}

/// A block of so many metres around the origin, all rock or all air, with first operations, and cut into cells across
/// these axes at these (odd) coordinates, grid steps.
pub fn level(half: i64, solid: bool, base: Vec<Operation>, cuts: &[(usize, i64)]) -> World {
    let bounds = [I64Vec3::splat(-half * M), I64Vec3::splat(half * M)];
    let slice = |&(axis, at): &(usize, i64)| {
        let mut slice = bounds;
        slice[0][axis] = at - 2;
        slice[1][axis] = at + 2;
        slice
    };
    let desc = WorldDesc {
        bounds,
        start_solid: solid,
        rounded: false,
        solids: vec![],
        base,
        later: vec![],
        starts: vec![],
        areaportals: cuts.iter().map(slice).collect(),
        materials: [("wall", false), ("rock", true)]
            .map(|(texture, inner)| Material {
                texture: texture.into(),
                u: DVec3::X,
                v: DVec3::Y,
                offset: [0.0; 2],
                inner,
                hardness: 1.0,
            })
            .to_vec(),
    };
    World::build(&desc, &BuildParams::default(), &mut Silent).expect("a level")
}

/// On which side of a brush a grid point lies: 1 outside, 0 on its surface, -1 inside. Integers alone.
pub fn side_of(brush: &BrushDesc, p: I64Vec3) -> i32 {
    let mut side = -1;
    for s in &brush.sides {
        let [a, b, c] = s.points;
        side = side.max(dot(normal(a, b, c), p - a).signum() as i32);
        if side > 0 {
            break;
        }
    }
    side
}

/// Cubic metres of the hull of points, exact but for the last rounding.
pub fn volume_of(points: &[I64Vec3]) -> f64 {
    let Some(facets) = hull(points) else {
        return 0.0;
    };
    let o = points[0];
    let is_on = |f: &HullFacet, p: I64Vec3| dot(f.normal, p) == f.offset;
    let mut corners = points.to_vec();
    corners.sort_unstable_by_key(|p| p.to_array());
    corners.dedup();
    // Inside a facet or an edge fewer than three facets meet.
    corners.retain(|&p| facets.iter().filter(|f| is_on(f, p)).count() >= 3);
    let mut six = 0i128;
    for f in &facets {
        let mut rim = corners.clone();
        rim.retain(|&p| is_on(f, p));
        // Around a corner of a convex polygon the others lie in one half-plane: turns put them in order.
        let first = rim[0];
        rim[1..].sort_by(|&a, &b| 0.cmp(&dot(normal(first, a, b), f.normal)));
        for k in 2..rim.len() {
            six += dot((rim[k - 1] - o).cross(rim[k] - o), first - o);
        }
    }
    six as f64 / 6.0 / GRID.powi(3)
}

/// Whether a point (metres) lies in a piece that fell: crossings of a line that meets no edge but by chance.
pub fn is_in_island(island: &Island, p: DVec3) -> bool {
    if !island.bounds.contains(p) {
        return false;
    }
    let way = DVec3::new(0.6127, 0.5391, 0.5782);
    let mut odd = false;
    for t in &island.mesh.triangles {
        let [a, b, c] = t.corners.map(|i| island.mesh.positions[i as usize] - p);
        let (u, v, w) = (
            b.cross(c).dot(way),
            c.cross(a).dot(way),
            a.cross(b).dot(way),
        );
        if (u > 0.0) == (v > 0.0) && (v > 0.0) == (w > 0.0) {
            let ahead = (a * u + b * v + c * w) / (u + v + w);
            odd ^= ahead.dot(way) > 0.0;
        }
    }
    odd
}

/// Grid points that are watched: what each should be, by the brushes alone.
pub struct Watch {
    /// Point, air, and whether it lay on a brush's surface once, where there is nothing to say.
    points: Vec<(I64Vec3, bool, bool)>,
}

impl Watch {
    /// Random points within the bounds of a world, as it is now.
    pub fn new(world: &World, rng: &mut Rng, count: usize) -> Watch {
        let bounds = world.bounds();
        let random = |_| {
            // Odd: never on the planes of anything made on coarser grids.
            let p = (rng.in_box(&bounds) * GRID).as_i64vec3() | I64Vec3::ONE;
            (p, world.locate(p.as_dvec3() / GRID).is_some(), false)
        };
        Watch {
            points: (0..count).map(random).collect(),
        }
    }

    /// Takes note of an operation and of what it cut free.
    pub fn note(&mut self, operation: &Operation, report: &CarveReport) {
        for (p, is_air, is_unclear) in &mut self.points {
            for b in &operation.brushes {
                match side_of(b, *p) {
                    -1 => *is_air = operation.op == Op::Carve,
                    0 => *is_unclear = true,
                    _ => {}
                }
            }
            let at = p.as_dvec3() / GRID;
            *is_air |= report.islands.iter().any(|i| is_in_island(i, at));
        }
    }

    /// Points where the world says otherwise.
    pub fn faults(&self, world: &World) -> Vec<(DVec3, bool)> {
        let metres = |p: I64Vec3| p.as_dvec3() / GRID;
        let clear = self.points.iter().filter(|w| !w.2);
        clear
            .filter(|w| world.locate(metres(w.0)).is_some() != w.1)
            .map(|w| (metres(w.0), w.1))
            .collect()
    }

    /// Part of the points that should be in the air.
    pub fn air(&self) -> f64 {
        self.points.iter().filter(|w| w.1).count() as f64 / self.points.len() as f64
    }
}

/// The triangles of all rooms as they are drawn, over shared places.
struct Drawn {
    triangles: Vec<Flat>,
    /// The triangles at each edge, whichever way it runs.
    at_edge: HashMap<[u32; 2], Vec<usize>>,
}

struct Flat {
    ids: [u32; 3],
    corners: [DVec3; 3],
    /// Neighbours with the same are of one plane.
    look: Look,
}

fn bits(p: DVec3) -> [u64; 3] {
    p.to_array().map(|x| (x + 0.0).to_bits())
}

/// The edges of a triangle, as they run.
fn ends(t: &Flat) -> [[u32; 2]; 3] {
    [0, 1, 2].map(|k| [t.ids[k], t.ids[(k + 1) % 3]])
}

fn drawn(world: &World) -> Drawn {
    let mut places: HashMap<[u64; 3], u32> = HashMap::new();
    let mut triangles = Vec::new();
    for r in 0..world.room_count() as u32 {
        let room = world.room(r);
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let corners = t.corners.map(|c| room.mesh.positions[c as usize]);
            let ids = corners.map(|p| {
                let next = places.len() as u32;
                *places.entry(bits(p)).or_insert(next)
            });
            let face = &room.faces[t.face as usize];
            let look = (bits(face.normal), face.material);
            triangles.push(Flat { ids, corners, look });
        }
    }
    let mut at_edge: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    for (i, t) in triangles.iter().enumerate() {
        for [a, b] in ends(t) {
            at_edge.entry([a.min(b), a.max(b)]).or_default().push(i);
        }
    }
    Drawn { triangles, at_edge }
}

/// Cubic metres of each solid that hangs in the air: shells of triangles joined at edges (solid connects through an edge)
/// that enclose what is not air.
pub fn hanging(world: &World) -> Vec<f64> {
    let drawn = drawn(world);
    let mut root: Vec<usize> = (0..drawn.triangles.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    for uses in drawn.at_edge.values() {
        for w in uses.windows(2) {
            let (a, b) = (find(&mut root, w[0]), find(&mut root, w[1]));
            root[a.max(b)] = a.min(b);
        }
    }
    let mut volumes: BTreeMap<usize, f64> = BTreeMap::new();
    for (i, t) in drawn.triangles.iter().enumerate() {
        // Normals point into the air: what encloses solid has its volume above zero.
        let [a, b, c] = t.corners;
        *volumes.entry(find(&mut root, i)).or_default() += a.dot(b.cross(c)) / 6.0;
    }
    let mut solids: Vec<f64> = volumes.into_values().collect();
    solids.retain(|&v| v > 1e-9);
    solids
}

/// The outlines of all faces as sorted straight lines with what they bound, whatever rooms the faces were cut into: two
/// worlds with the same faces have the same outlines, bit for bit.
pub fn outlines(world: &World) -> Vec<Outline> {
    let drawn = drawn(world);
    let mut place: HashMap<u32, DVec3> = HashMap::new();
    let mut around: HashMap<u32, Vec<DVec3>> = HashMap::new();
    for t in &drawn.triangles {
        let n = DVec3::from_array(t.look.0.map(f64::from_bits));
        for (&id, &p) in t.ids.iter().zip(&t.corners) {
            place.insert(id, p);
            let planes = around.entry(id).or_default();
            if !planes.iter().any(|m| m.cross(n).length() < 1e-12) {
                planes.push(n);
            }
        }
    }
    // Where fewer than three planes meet there is no corner, only a room's border.
    let is_corner = |id: u32| match around[&id][..] {
        [a, b, ref rest @ ..] => {
            let line = a.cross(b).normalize();
            rest.iter().any(|n| n.dot(line).abs() > 1e-9)
        }
        _ => false,
    };
    // Rims: edges across which the look changes, by look and start.
    let mut rims: HashMap<(Look, u32), Vec<u32>> = HashMap::new();
    for (i, t) in drawn.triangles.iter().enumerate() {
        for [a, b] in ends(t) {
            let runs_back = |&&o: &&usize| {
                let other = &drawn.triangles[o];
                o != i && other.look == t.look && ends(other).contains(&[b, a])
            };
            let uses = &drawn.at_edge[&[a.min(b), a.max(b)]];
            if uses.iter().find(runs_back).is_none() {
                rims.entry((t.look, a)).or_default().push(b);
            }
        }
    }
    let mut list = Vec::new();
    for (&(look, start), stops) in rims.iter().filter(|r| is_corner(r.0.1)) {
        for &stop in stops {
            let mut at = stop;
            while let (false, Some(next)) = (is_corner(at), rims.get(&(look, at))) {
                at = next[0];
            }
            list.push((look, bits(place[&start]), bits(place[&at])));
        }
    }
    list.sort_unstable();
    list
}

/// Normal and material.
pub type Look = ([u64; 3], u32);
/// What a line bounds, and its ends.
pub type Outline = (Look, [u64; 3], [u64; 3]);

/// Closed, planar, portals equal from both sides.
#[track_caller]
pub fn check(world: &World) {
    assert_eq!(world.validate(), Ok(()));
    let c = world.census();
    assert_eq!(
        (c.unmatched_edges, c.t_junctions, c.portal_mismatches),
        (0, 0, 0)
    );
}

/// Sound, and nothing hangs in the air. (What is filled into the air does, and stays.)
#[track_caller]
pub fn check_carved(world: &World) {
    check(world);
    assert_eq!(hanging(world), Vec::<f64>::new(), "m3 that nothing holds");
}
