//! Rounds the corners of a closed mesh to the grid, and removes triangles that become flat or folded.
use crate::bvh::Mesh;
use crate::world::GRID;
use glam::I64Vec3;
use rustc_hash::FxHashMap;

/// A mesh with its corners rounded to the grid, in steps. Equal points are merged. Triangles that become flat, or
/// fold back onto a neighbour, are removed by flips and, up to [`SHORT`], by collapses. A closed mesh stays closed.
pub(super) fn rounded(mesh: &Mesh) -> (Vec<I64Vec3>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    let mut known: FxHashMap<I64Vec3, u32> = FxHashMap::default();
    let places: Vec<u32> = mesh
        .positions
        .iter()
        .map(|&p| {
            let at = (p * GRID).round().as_i64vec3();
            *known.entry(at).or_insert_with(|| {
                points.push(at);
                points.len() as u32 - 1
            })
        })
        .collect();
    let live = mesh.triangles.iter().filter(|t| t.is_live());
    let corners = live.map(|t| t.corners.map(|p| places[p as usize]));
    let triangles = corners.filter(|&[a, b, c]| a != b && b != c && c != a);
    let mut mesh = GridMesh::new(points, triangles.collect());
    mesh.mend();
    (mesh.points, mesh.triangles.into_iter().flatten().collect())
}

/// Longest side that is collapsed, steps: 2 mm.
const SHORT: i64 = 32;

/// Triangles on the grid with their neighbours.
struct GridMesh {
    points: Vec<I64Vec3>,
    /// None where one was replaced.
    triangles: Vec<Option<[u32; 3]>>,
    /// By side, in the direction in which it runs: the triangle.
    beside: FxHashMap<[u32; 2], usize>,
}

/// A side that two triangles share.
struct SharedSide {
    triangles: [usize; 2],
    /// As the first has it.
    side: [u32; 2],
    /// The corners off the side.
    apexes: [u32; 2],
}

impl GridMesh {
    fn new(points: Vec<I64Vec3>, triangles: Vec<[u32; 3]>) -> GridMesh {
        let mut mesh = GridMesh {
            points,
            triangles: Vec::with_capacity(triangles.len()),
            beside: FxHashMap::default(),
        };
        triangles.into_iter().for_each(|t| mesh.add(t));
        mesh
    }

    fn add(&mut self, t: [u32; 3]) {
        let place = self.triangles.len();
        self.triangles.push(Some(t));
        self.beside
            .extend(sides(t).into_iter().map(|side| (side, place)));
    }

    fn remove(&mut self, place: usize) {
        for side in self.triangles[place].take().into_iter().flat_map(sides) {
            if self.beside.get(&side) == Some(&place) {
                self.beside.remove(&side);
            }
        }
    }

    /// Twice the area, as a vector.
    fn area(&self, t: [u32; 3]) -> I64Vec3 {
        let [a, b, c] = t.map(|p| self.points[p as usize]);
        (b - a).cross(c - a)
    }

    /// A side of a triangle that is there, by its number.
    fn shared(&self, place: usize, k: usize) -> Option<SharedSide> {
        let t = self.triangles[place]?;
        let side @ [from, to] = sides(t)[k];
        let &other = self.beside.get(&[to, from])?;
        let apex = self.triangles[other]?
            .into_iter()
            .find(|&p| p != from && p != to)?;
        Some(SharedSide {
            triangles: [place, other],
            side,
            apexes: [t[(k + 2) % 3], apex],
        })
    }

    /// Replaces the two triangles at a side by those at the other diagonal.
    fn flip(&mut self, at: &SharedSide) {
        at.triangles.iter().for_each(|&place| self.remove(place));
        let ([from, to], [own, other]) = (at.side, at.apexes);
        // The triangles cancel out.
        if own == other {
            return;
        }
        self.add([own, from, other]);
        self.add([own, other, to]);
    }

    /// Removes flat and folded triangles one by one; new triangles are appended and checked in turn.
    fn mend(&mut self) {
        // A bound, as flips might go on for ever; the import refuses what is still faulty.
        let most = 8 * self.triangles.len();
        let mut next = 0;
        while next < self.triangles.len().min(most) {
            match self.fault(next) {
                Some(Mend::Flip(at)) => self.flip(&at),
                Some(Mend::Collapse(side)) => self.collapse(side),
                None => {}
            }
            next += 1;
        }
    }

    /// Moves the first end of a side to the second.
    fn collapse(&mut self, [gone, stays]: [u32; 2]) {
        let has = |t: &Option<[u32; 3]>| t.is_some_and(|t| t.contains(&gone));
        let around: Vec<usize> = (0..self.triangles.len())
            .filter(|&place| has(&self.triangles[place]))
            .collect();
        for place in around {
            let t = self.triangles[place];
            self.remove(place);
            if let Some(t) = t.filter(|t| !t.contains(&stays)) {
                self.add(t.map(|p| if p == gone { stays } else { p }));
            }
        }
    }

    /// The change that removes a triangle's fault, if it has one.
    fn fault(&self, place: usize) -> Option<Mend> {
        let t = self.triangles[place]?;
        let length = |k: usize| {
            let [a, b] = sides(t)[k].map(|p| self.points[p as usize]);
            (b - a).length_squared()
        };
        let area = self.area(t);
        if area == I64Vec3::ZERO {
            // The corner between the others divides the triangle beyond the longest side.
            let longest = (0..3).max_by_key(|&k| length(k))?;
            return self.shared(place, longest).map(Mend::Flip);
        }
        let mut shared = (0..3).filter_map(|k| self.shared(place, k));
        let folded = shared.find(|at| self.is_folded(at, area))?;
        if self.is_better_flipped(&folded, area) {
            return Some(Mend::Flip(folded));
        }
        let shortest = (0..3).min_by_key(|&k| length(k))?;
        let is_short = length(shortest) <= SHORT * SHORT;
        is_short.then_some(Mend::Collapse(sides(t)[shortest]))
    }

    /// Whether the triangles at a side lie in one plane, back to back; `area` is that of the first, which is the smaller.
    fn is_folded(&self, at: &SharedSide, area: I64Vec3) -> bool {
        let Some(t) = self.triangles[at.triangles[1]] else {
            return false;
        };
        let other_area = self.area(t);
        let [from, other] = [at.side[0], at.apexes[1]].map(|p| self.points[p as usize]);
        let is_smaller = dot(area, area) <= dot(other_area, other_area);
        is_smaller && dot(area, other - from) == 0 && dot(area, other_area) < 0
    }

    /// Whether the flip of a folded side leaves less area.
    fn is_better_flipped(&self, at: &SharedSide, area: I64Vec3) -> bool {
        let ([from, to], [own, other]) = (at.side, at.apexes);
        let Some(t) = self.triangles[at.triangles[1]] else {
            return false;
        };
        let mut diagonals = [[own, other], [other, own]].into_iter();
        // In one plane areas are compared along one axis.
        let axis = area.abs().max_position();
        let size = |t: [u32; 3]| self.area(t)[axis].abs();
        let after = size([own, from, other]) + size([own, other, to]);
        own == other
            || after < area[axis].abs() + size(t)
                && !diagonals.any(|side| self.beside.contains_key(&side))
    }
}

/// A change that removes a fault.
enum Mend {
    Flip(SharedSide),
    /// Of a side, its first end onto its second.
    Collapse([u32; 2]),
}

fn dot(a: I64Vec3, b: I64Vec3) -> i128 {
    let [a, b] = [a, b].map(|v| v.to_array().map(i128::from));
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn sides([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

#[cfg(test)]
mod tests {
    use super::super::Solid;
    use super::super::small_world::{MOST_TRIANGLES, OPENED, SmallWorld};
    use super::*;
    use crate::bvh::Triangle;
    use crate::carve::blast::{BlastShape, blast};
    use crate::carve::shape;
    use crate::geom::rng::Rng;
    use glam::DVec3;
    use std::collections::HashMap;

    /// Asserts that it is closed; returns how many triangles are flat.
    fn flat_ones((points, triangles): &(Vec<I64Vec3>, Vec<[u32; 3]>)) -> usize {
        let mut uses: HashMap<[u32; 2], i32> = HashMap::new();
        for [from, to] in triangles.iter().flat_map(|&t| sides(t)) {
            *uses.entry([from, to]).or_default() += 1;
            *uses.entry([to, from]).or_default() -= 1;
        }
        assert!(uses.values().all(|&sum| sum == 0));
        let area = |t: &&[u32; 3]| {
            let [a, b, c] = t.map(|p| points[p as usize]);
            (b - a).cross(c - a)
        };
        triangles
            .iter()
            .filter(|t| area(t) == I64Vec3::ZERO)
            .count()
    }

    #[test]
    fn a_triangle_that_becomes_flat_goes_and_its_neighbour_is_divided() {
        // A box whose top has a corner less than half a step off an edge's middle.
        let tiny = 0.2 / GRID;
        let positions = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 1.0],
            [0.0, 0.0, 1.0],
            [0.5, 1.0, 0.5],
            [0.5, tiny, tiny],
        ];
        let triangles = [
            [0, 1, 2],
            [0, 2, 3],
            [1, 4, 2],
            [2, 4, 3],
            [3, 4, 0],
            // The side towards -z, around the fifth corner.
            [0, 5, 1],
            [0, 4, 5],
            [5, 4, 1],
        ];
        let triangle = |corners: [u32; 3]| Triangle {
            corners,
            face: 0,
            key: 0,
        };
        let mesh = Mesh {
            positions: positions.map(DVec3::from_array).to_vec(),
            triangles: triangles.map(triangle).to_vec(),
        };
        let rounded = rounded(&mesh);
        assert_eq!(flat_ones(&rounded), 0);
        assert_eq!((rounded.0.len(), rounded.1.len()), (6, 8));
    }

    /// Pieces of pieces: each is rounded before it is carved.
    #[test]
    fn what_was_carved_is_carved_again_though_its_corners_are_off_the_grid() {
        let (mut tried, mut refused, mut flat, mut worst) = (0, 0, 0, 0.0);
        for seed in 0..16u64 {
            let mut rng = Rng::new(seed);
            let corner = |i: i64| {
                let pick = I64Vec3::new(i & 1, i >> 1 & 1, i >> 2);
                pick * (DVec3::new(3.0, 2.0, 0.4) * GRID).as_i64vec3()
            };
            let corners: Vec<I64Vec3> = (0..8).map(corner).collect();
            let plate = shape::hull(&corners, 0).expect("a box");
            let mut solid = Solid::from_brushes(&[plate]).expect("a solid");
            for shot in 0..8 {
                let at = DVec3::new(
                    rng.range(0.0, 3.0),
                    rng.range(0.0, 2.0),
                    rng.range(0.0, 0.4),
                );
                let centre = (at * GRID).round().as_i64vec3();
                let way = BlastShape::ALL[shot % BlastShape::ALL.len()];
                let brushes = blast(centre, rng.range(0.1, 0.5), way, rng.next_u64(), OPENED);
                if solid.mesh.triangles.len() > MOST_TRIANGLES {
                    break;
                }
                flat += flat_ones(&rounded(&solid.mesh));
                tried += 1;
                let Some(mut world) = SmallWorld::around(&solid.mesh, &solid.faces) else {
                    refused += 1;
                    break;
                };
                let taken_in = world.shape().expect("a shape").volume_m3;
                worst = f64::max(worst, (taken_in - solid.volume_m3).abs());
                if world.carve(brushes, 5).is_none() {
                    continue;
                }
                let Some(left) = world.shape() else { break };
                assert!(left.materials.iter().all(|id| [0, 5].contains(id)));
                solid = Solid::from_island(&left).expect("a solid");
            }
            let p = solid.mesh.positions[0];
            assert!([0, 5].map(Some).contains(&solid.material_near(p)));
        }
        println!(
            "{refused} of {tried} are refused; {flat} triangles stay flat; off by {worst:e} m³"
        );
        assert!(worst < 2e-4, "{worst}");
        assert!(
            tried > 80 && 30 * refused <= tried && flat < 10,
            "{refused} of {tried}, {flat}"
        );
    }
}
