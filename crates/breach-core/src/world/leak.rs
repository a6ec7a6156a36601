//! The path out of a level that leaks: from a player start through the hole to the bounds.
//!
//! The search keeps to the surface. Gates lie on the edges where the air at one triangle continues at the next. A path
//! from gate to gate runs along the surface, so it passes a hole of any width: no sampling can miss one. Dijkstra's
//! search (1959) runs over the gates from all starts at once. From every gate that it reaches a ray also goes straight
//! into the air: this joins a hall's floor to its ceiling, floating solids to their surroundings, and the level to its
//! bounds. The path is then pulled tight ([`super::string_pulling`]).
use super::GRID;
use super::reachability::{self, Index, Joint};
use super::room::RoomId;
use super::string_pulling::{self, is_clear};
use super::world::World;
use crate::bvh::QueryStats;
use crate::geom::cost_queue::CostQueue;
use crate::geom::unit_or_zero;
use glam::{DVec3, I64Vec3};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Metres of edge for each gate; an edge has at most [`MOST_GATES`].
const GATE_WIDTH: f64 = 4.0;
const MOST_GATES: usize = 6;
/// Greatest height of a leg above the surface, metres; a narrow place forces it down to the least.
const HIGHEST: f64 = 0.125;
const LOWEST: f64 = 1e-9;
/// Blocked paths after which the search gives up.
const MOST_TRIES: usize = 256;

/// The shortest path that the search finds: points in the air, metres, each leg clear. The first is a start, the last
/// is near the bounds. Empty where no start has a way out.
pub(super) fn find_path(world: &World, starts: &[I64Vec3]) -> Vec<DVec3> {
    let starts = starts.iter().map(|s| s.as_dvec3() / GRID);
    let mut search = LeakSearch {
        world,
        starts: starts.filter(|&s| world.locate(s).is_some()).collect(),
        surface: SurfaceGraph::new(world),
        blocked: FxHashSet::default(),
        sights: FxHashMap::default(),
        far: world.bounds().diagonal() + 1.0,
        stats: QueryStats::default(),
    };
    for _ in 0..MOST_TRIES {
        let Some(steps) = search.shortest() else {
            break;
        };
        if let Some(points) = search.walked(&steps) {
            return string_pulling::pull_tight(world, &points);
        }
    }
    vec![]
}

/// A point of the surface and a direction into the air there.
#[derive(Clone, Copy, Debug)]
struct SurfacePoint {
    /// Metres.
    at: DVec3,
    /// Unit; zero for a point that is in the air itself.
    out: DVec3,
}

impl SurfacePoint {
    fn above(&self, height: f64) -> DVec3 {
        self.at + self.out * height
    }
}

/// A point on an edge where the air at one triangle continues at the next.
struct Gate {
    point: SurfacePoint,
    tiles: [u32; 2],
}

/// A triangle of a room.
#[derive(Default)]
struct Tile {
    normal: DVec3,
    gates: SmallVec<[u32; 6]>,
    /// It lies on the bounds of the level.
    is_bound: bool,
}

/// The surface as a graph: triangles with gates between them.
#[derive(Default)]
struct SurfaceGraph {
    gates: Vec<Gate>,
    /// Tiles of the first room, then of the second, and so on.
    tiles: Vec<Tile>,
    /// The first tile of each room.
    first: Vec<u32>,
}

/// A triangle at an edge between two numbered points.
#[derive(Clone, Copy)]
struct TriangleEdge {
    tile: u32,
    face: u32,
    /// The triangle's edge runs from the lower number to the higher.
    is_rising: bool,
}

impl SurfaceGraph {
    fn new(world: &World) -> SurfaceGraph {
        let index = Index::new(&world.geometry);
        let mut surface = SurfaceGraph::default();
        let mut numbers: FxHashMap<[u64; 3], u32> = FxHashMap::default();
        let mut uses: FxHashMap<[u32; 2], SmallVec<[TriangleEdge; 2]>> = FxHashMap::default();
        // Edges within a face, each once, with their ends.
        let mut diagonals: Vec<([u32; 2], [DVec3; 2])> = Vec::new();
        for (id, room) in (0 as RoomId..).zip(world.visible.rooms.iter()) {
            surface.first.push(surface.tiles.len() as u32);
            let mut number = |p: &DVec3| {
                let next = numbers.len() as u32;
                *numbers.entry(bits(*p)).or_insert(next)
            };
            let points: Vec<u32> = room.mesh.positions.iter().map(&mut number).collect();
            for triangle in &room.mesh.triangles {
                let tile = surface.tiles.len() as u32;
                surface.tiles.push(Tile::default());
                let Some(face) = index.number((id, triangle.face)) else {
                    continue;
                };
                surface.tiles[tile as usize].normal = room.faces[triangle.face as usize].normal;
                surface.tiles[tile as usize].is_bound = index.is_bound(&world.geometry, face);
                let [a, b, c] = triangle.corners;
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    let ends = [from, to].map(|c| points[c as usize]);
                    let is_rising = ends[0] < ends[1];
                    let list = uses.entry(rising(ends)).or_default();
                    list.push(TriangleEdge {
                        tile,
                        face,
                        is_rising,
                    });
                    if list.len() == 1 {
                        let places = [from, to].map(|c| room.mesh.positions[c as usize]);
                        let places = if is_rising {
                            places
                        } else {
                            [places[1], places[0]]
                        };
                        diagonals.push((rising(ends), places));
                    }
                }
            }
        }
        let mut rims: FxHashSet<[u32; 2]> = FxHashSet::default();
        reachability::each_joint(&world.geometry, &index, |Joint { faces, ends }| {
            let places = ends.map(|p| p / GRID);
            let [Some(a), Some(b)] = places.map(|p| numbers.get(&bits(p)).copied()) else {
                return;
            };
            let Some(list) = uses.get(&rising([a, b])) else {
                return;
            };
            rims.insert(rising([a, b]));
            let tile = |face: u32, is_rising: bool| {
                let mut list = list.iter();
                list.find(|u| u.face == face && u.is_rising == is_rising)
            };
            if let (Some(one), Some(two)) = (tile(faces[0], a < b), tile(faces[1], a > b)) {
                surface.join([one.tile, two.tile], places);
            }
        });
        diagonals.retain(|(edge, _)| !rims.contains(edge));
        for (edge, places) in diagonals {
            let list = &uses[&edge];
            for one in list.iter().filter(|u| u.is_rising) {
                let other = list.iter().find(|u| !u.is_rising && u.face == one.face);
                if let Some(two) = other {
                    surface.join([one.tile, two.tile], places);
                }
            }
        }
        surface
    }

    /// Adds gates along an edge; it runs from the first end to the second in the first tile, back in the second.
    fn join(&mut self, tiles: [u32; 2], [a, b]: [DVec3; 2]) {
        let normals = tiles.map(|t| self.tiles[t as usize].normal);
        let out = between(normals, b - a);
        let count = ((a.distance(b) / GATE_WIDTH) as usize + 1).min(MOST_GATES);
        for i in 0..count {
            let at = a.lerp(b, (i as f64 + 0.5) / count as f64);
            let gate = self.gates.len() as u32;
            self.gates.push(Gate {
                point: SurfacePoint { at, out },
                tiles,
            });
            for tile in tiles {
                self.tiles[tile as usize].gates.push(gate);
            }
        }
    }
}

fn rising([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn bits(p: DVec3) -> [u64; 3] {
    // Maps -0.0 to 0.0.
    (p + 0.0).to_array().map(f64::to_bits)
}

/// The unit bisector of the air at an edge of two triangles, from their normals; the edge runs forward in the first and
/// backward in the second.
fn between([n, m]: [DVec3; 2], edge: DVec3) -> DVec3 {
    // Where the normals are nearly opposite, their sum is unreliable: the bisector is that of the triangles' directions
    // away from the edge, in a wedge of air or of solid.
    const NARROW: f64 = 0.1;
    let sum = n + m;
    if sum.length() > NARROW {
        return sum.normalize();
    }
    let (u, v) = (unit_or_zero(n.cross(edge)), unit_or_zero(edge.cross(m)));
    let way = if n.dot(v) > 0.0 { u + v } else { -(u + v) };
    unit_or_zero(way)
}

/// A node of the search graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Start(u32),
    /// The point that a start sees in one of the [`directions`].
    SeenFromStart(u32, u8),
    Gate(u32),
    /// The point that a gate sees.
    SeenFromGate(u32),
}

/// A node on a path, and the step before it.
#[derive(Clone, Copy)]
struct PathStep {
    node: Node,
    point: SurfacePoint,
    before: u32,
}

/// No step.
const NONE: u32 = u32::MAX;

/// The state of one search.
struct Frontier {
    steps: Vec<PathStep>,
    /// The least cost of each gate so far, metres.
    best: Vec<f64>,
    /// Steps: of equal costs the earliest comes first.
    queue: CostQueue,
}

impl Frontier {
    /// Adds a step without queueing it.
    fn note(&mut self, node: Node, point: SurfacePoint, before: u32) -> u32 {
        self.steps.push(PathStep {
            node,
            point,
            before,
        });
        self.steps.len() as u32 - 1
    }

    fn queue(&mut self, step: u32, cost: f64) {
        self.queue.push(cost, step);
    }

    /// The path from the start to a step.
    fn traced(&self, mut step: u32) -> Vec<PathStep> {
        let mut path = Vec::new();
        while step != NONE {
            path.push(self.steps[step as usize]);
            step = self.steps[step as usize].before;
        }
        path.reverse();
        path
    }
}

/// A surface point hit by a ray, and its tile.
type Sight = Option<(SurfacePoint, u32)>;

struct LeakSearch<'a> {
    world: &'a World,
    starts: Vec<DVec3>,
    surface: SurfaceGraph,
    /// Pairs of nodes that no leg can join: a solid that stands on a tile on its edge, as a wedge does, blocks the tile
    /// without being one of its edges.
    blocked: FxHashSet<(Node, Node)>,
    /// Cached rays from gates.
    sights: FxHashMap<u32, Sight>,
    /// Longer than any ray in the level.
    far: f64,
    stats: QueryStats,
}

impl LeakSearch<'_> {
    /// The shortest path over gates from a start to the bounds that is not known to be blocked.
    fn shortest(&mut self) -> Option<Vec<PathStep>> {
        let mut frontier = Frontier {
            steps: vec![],
            best: vec![f64::INFINITY; self.surface.gates.len()],
            queue: CostQueue::default(),
        };
        for number in 0..self.starts.len() {
            let (at, out) = (self.starts[number], DVec3::ZERO);
            let number = number as u32;
            let start = frontier.note(Node::Start(number), SurfacePoint { at, out }, NONE);
            for (k, way) in (0u8..).zip(directions()) {
                let sight = self.look(at, way);
                let node = Node::SeenFromStart(number, k);
                self.land(&mut frontier, (start, 0.0), node, sight);
            }
        }
        while let Some((cost, step)) = frontier.queue.pop() {
            let Node::Gate(gate) = frontier.steps[step as usize].node else {
                return Some(frontier.traced(step));
            };
            if cost > frontier.best[gate as usize] {
                continue;
            }
            for tile in self.surface.gates[gate as usize].tiles {
                self.cross(&mut frontier, (step, cost), tile);
            }
            let sight = self.look_from_gate(gate);
            self.land(&mut frontier, (step, cost), Node::SeenFromGate(gate), sight);
        }
        None
    }

    /// Follows a ray from a step to the surface that it hits: the goal if that is on the bounds, else on to the gates
    /// of the tile.
    fn land(&self, frontier: &mut Frontier, (step, cost): (u32, f64), node: Node, sight: Sight) {
        let Some((point, tile)) = sight else { return };
        let from = &frontier.steps[step as usize];
        if self.blocked.contains(&(from.node, node)) {
            return;
        }
        let cost = cost + from.point.at.distance(point.at);
        let step = frontier.note(node, point, step);
        if self.surface.tiles[tile as usize].is_bound {
            frontier.queue(step, cost);
        } else {
            self.cross(frontier, (step, cost), tile);
        }
    }

    /// From a step on a tile to the tile's gates.
    fn cross(&self, frontier: &mut Frontier, (step, cost): (u32, f64), tile: u32) {
        let PathStep { node, point, .. } = frontier.steps[step as usize];
        for &gate in &self.surface.tiles[tile as usize].gates {
            let to = self.surface.gates[gate as usize].point;
            let cost = cost + point.at.distance(to.at);
            let is_open = !self.blocked.contains(&(node, Node::Gate(gate)));
            if cost < frontier.best[gate as usize] && is_open {
                frontier.best[gate as usize] = cost;
                let step = frontier.note(Node::Gate(gate), to, step);
                frontier.queue(step, cost);
            }
        }
    }

    fn look_from_gate(&mut self, gate: u32) -> Sight {
        if let Some(&sight) = self.sights.get(&gate) {
            return sight;
        }
        let point = self.surface.gates[gate as usize].point;
        let sight = self.look(point.above(LOWEST), point.out);
        self.sights.insert(gate, sight);
        sight
    }

    /// The first surface from a point in the air along a unit direction.
    fn look(&mut self, from: DVec3, way: DVec3) -> Sight {
        let to = from + way * self.far;
        let hit = self.world.cast_ray(from, to, &mut self.stats)?;
        let point = SurfacePoint {
            at: hit.point,
            out: -way,
        };
        let tile = self.surface.first[hit.room as usize] + hit.triangle;
        Some((point, tile))
    }

    /// Points in the air from step to step, each leg clear. None where a step is blocked, which is recorded.
    fn walked(&mut self, steps: &[PathStep]) -> Option<Vec<DVec3>> {
        let mut points = Vec::with_capacity(2 * steps.len());
        let known = self.blocked.len();
        for pair in steps.windows(2) {
            let [from, to] = [pair[0].point, pair[1].point];
            let heights = std::iter::successors(Some(HIGHEST), |h| Some(h * 0.25));
            let mut heights = heights.take_while(|&h| h >= LOWEST);
            match heights.find(|&h| self.is_open(&from, &to, h)) {
                Some(height) => points.extend([from.above(height), to.above(height)]),
                None => {
                    self.blocked.insert((pair[0].node, pair[1].node));
                }
            }
        }
        points.dedup();
        (self.blocked.len() == known).then_some(points)
    }

    /// Whether the way up to this height at both points and the leg between them there are clear.
    fn is_open(&mut self, from: &SurfacePoint, to: &SurfacePoint, height: f64) -> bool {
        let mut is_open = |a: DVec3, b: DVec3| is_clear(self.world, a, b, &mut self.stats);
        is_open(from.above(LOWEST), from.above(height))
            && is_open(to.above(LOWEST), to.above(height))
            && is_open(from.above(height), to.above(height))
    }
}

/// Unit vectors along the axes and the diagonals of squares and cubes.
fn directions() -> impl Iterator<Item = DVec3> {
    let part = |n: i32| f64::from(n % 3 - 1);
    let all = (0..27).map(move |k| DVec3::new(part(k), part(k / 3), part(k / 9)));
    all.filter(|&d| d != DVec3::ZERO).map(unit_or_zero)
}
