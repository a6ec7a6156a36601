//! Reachability of the air from the player starts, and the solids that an author left floating.
//!
//! Faces are joined at edges through the air between them, into shells. Shells that bound the same air are joined by a
//! ray from each shell that encloses solid to the next face that it meets.
use super::cell::edges;
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::room::RoomId;
use crate::carve::face::Face;
use crate::carve::triangulate::triangulate;
use crate::exact::{Facing, Line, turn};
use crate::geom::disjoint_sets::DisjointSets;
use crate::geom::parallel;
use crate::geom::ring;
use glam::{DVec3, I64Vec3};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) struct Reachability {
    pub sealed: Option<bool>,
    /// Faces that bound only unreached air.
    pub unreached: Vec<FaceRef>,
    /// A point on the boundary of each such air: the middle of its largest triangle, steps.
    pub shut: Vec<DVec3>,
}

impl Reachability {
    /// Joins shells and finds those that the starts reach.
    pub fn new(geometry: &Geometry, starts: &[I64Vec3]) -> Reachability {
        let index = Index::new(geometry);
        let mut sets = DisjointSets::new(index.faces.len());
        join_through_air(geometry, &index, &mut sets);
        let flats = flats(geometry, &index);
        // The signed volume of each shell; it is positive for shells that enclose solid, whose normals point out of it.
        let mut volumes: FxHashMap<u32, f64> = FxHashMap::default();
        for (i, (_, face)) in index.faces.iter().enumerate() {
            *volumes.entry(sets.find(i as u32)).or_default() +=
                face.area_vector().dot(face.loops[0][0].point.at);
        }
        // A ray along x starts at each shell's triangle with the largest area across x.
        let mut probes: FxHashMap<u32, (f64, usize)> = FxHashMap::default();
        for (i, t) in flats.iter().enumerate() {
            let [a, b, c] = t.corners;
            let area = (b - a).cross(c - a).x.abs();
            let best = probes.entry(sets.find(t.face)).or_insert((0.0, i));
            if area > best.0 {
                *best = (area, i);
            }
        }
        let mut roots: Vec<u32> = volumes
            .iter()
            .filter(|v| *v.1 > 0.0)
            .map(|v| *v.0)
            .collect();
        roots.sort_unstable();
        let owner: Vec<u32> = (0..index.faces.len() as u32)
            .map(|i| sets.find(i))
            .collect();
        let joins = parallel::map(roots.len(), 1, |i| {
            let root = roots[i];
            let [a, b, c] = flats[probes.get(&root)?.1].corners;
            // An asymmetric point: lines through it seldom meet an edge.
            let list = crossings(&flats, a * 0.3127 + b * 0.3391 + c * 0.3482);
            let last = list.iter().rposition(|x| owner[x.1 as usize] == root)?;
            let next = list.get(last + 1)?;
            Some((root, next.1))
        });
        let joins = joins.into_iter().flatten();
        joins.for_each(|(a, b)| sets.join(a, b));
        let mut reached: Vec<u32> = Vec::new();
        for start in starts {
            let at = start.as_dvec3() + DVec3::new(0.0, 0.3127, 0.1741);
            if let Some(face) = first_ahead(geometry, &index, &flats, at) {
                reached.push(sets.find(face));
            }
        }
        if reached.is_empty() {
            return Reachability {
                sealed: None,
                unreached: vec![],
                shut: vec![],
            };
        }
        let mut is_outside = false;
        let mut unreached = Vec::new();
        for (i, (id, _)) in index.faces.iter().enumerate() {
            if reached.contains(&sets.find(i as u32)) {
                is_outside |= index.is_bound(geometry, i as u32);
            } else {
                unreached.push(*id);
            }
        }
        let mut largest: FxHashMap<u32, (f64, DVec3)> = FxHashMap::default();
        for t in &flats {
            let root = sets.find(t.face);
            if !reached.contains(&root) {
                let [a, b, c] = t.corners;
                let area = (b - a).cross(c - a).length();
                let best = largest.entry(root).or_insert((0.0, a));
                if area > best.0 {
                    *best = (area, (a + b + c) / 3.0);
                }
            }
        }
        let mut shut: Vec<_> = largest.into_iter().collect();
        shut.sort_unstable_by_key(|&(root, _)| root);
        Reachability {
            sealed: Some(!is_outside),
            unreached,
            shut: shut.into_iter().map(|(_, (_, place))| place).collect(),
        }
    }

    /// Whether any of these points, steps, lies in reached air.
    pub fn holds_any(&self, geometry: &Geometry, places: &[DVec3]) -> bool {
        let unreached: FxHashSet<FaceRef> = self.unreached.iter().copied().collect();
        let index = Index::new(geometry);
        let flats = flats(geometry, &index);
        parallel::any(places, |&at| {
            first_ahead(geometry, &index, &flats, at)
                .is_some_and(|face| !unreached.contains(&index.faces[face as usize].0))
        })
    }
}

/// All faces of stuff, numbered.
pub(super) struct Index<'a> {
    pub faces: Vec<(FaceRef, &'a Face)>,
    /// The number of each face, cell after cell.
    numbers: Vec<u32>,
    /// Where the numbers of a cell's faces begin, and where the last ones end.
    cells: Vec<u32>,
}

/// The number of what is no face of stuff.
const NO_FACE: u32 = u32::MAX;

impl<'a> Index<'a> {
    pub fn new(geometry: &'a Geometry) -> Self {
        let mut index = Index {
            faces: Vec::new(),
            numbers: Vec::new(),
            cells: Vec::with_capacity(geometry.cells.len() + 1),
        };
        for (c, cell) in geometry.cells.iter().enumerate() {
            let first = index.numbers.len();
            index.cells.push(first as u32);
            index.numbers.resize(first + cell.faces.len(), NO_FACE);
            for (f, face) in cell.stuff() {
                index.numbers[first + f as usize] = index.faces.len() as u32;
                index.faces.push(((c as RoomId, f), face));
            }
        }
        index.cells.push(index.numbers.len() as u32);
        index
    }

    pub fn number(&self, (cell, face): FaceRef) -> Option<u32> {
        let cell = cell as usize;
        let faces = *self.cells.get(cell)? as usize..*self.cells.get(cell + 1)? as usize;
        let number = *self.numbers[faces].get(face as usize)?;
        (number != NO_FACE).then_some(number)
    }

    /// The number of a face of stuff.
    fn at(&self, (cell, face): FaceRef) -> u32 {
        self.numbers[self.cells[cell as usize] as usize + face as usize]
    }

    /// Whether a face lies on the bounds of the level: the air in front of it counts as outside.
    pub fn is_bound(&self, geometry: &Geometry, number: u32) -> bool {
        let ((cell, _), face) = self.faces[number as usize];
        let cell = &geometry.cells[cell as usize];
        let plane = face.plane.plane;
        (0..6).any(|side| !cell.shared[side] && cell.sides[side].plane == plane)
    }
}

/// An edge where the air at one face continues at the next.
#[derive(Clone, Copy)]
pub(super) struct Joint {
    /// Numbers of the faces: the edge runs forward in the first and backward in the second.
    pub faces: [u32; 2],
    /// Its ends, in order.
    pub ends: [DVec3; 2],
}

/// Visits every edge where the air of two faces meets.
pub(super) fn each_joint(geometry: &Geometry, index: &Index, mut visit: impl FnMut(Joint)) {
    for (i, &(id, face)) in index.faces.iter().enumerate() {
        for (a, b) in edges(face) {
            let uses = geometry.edges.at(a, b);
            if let [one, two] = uses {
                let other = if one.face() == id { two } else { one };
                let faces = [i as u32, index.at(other.face())];
                if faces[0] <= faces[1] {
                    visit(Joint {
                        faces,
                        ends: [a, b],
                    });
                }
            } else if uses.len() > 2 && uses[0].face() == id {
                around(geometry, index, [a, b], &mut visit);
            }
        }
    }
}

/// Joins faces whose air meets at an edge.
fn join_through_air(geometry: &Geometry, index: &Index, sets: &mut DisjointSets) {
    each_joint(geometry, index, |joint| {
        sets.join(joint.faces[0], joint.faces[1])
    });
}

/// A face at an edge from a to b, with its plane; `along` if its own edge runs that way.
struct Spoke {
    face: u32,
    plane: Facing,
    along: bool,
}

impl Spoke {
    /// The sign that makes the stored normal point where a quarter turn would take the face's half-plane.
    fn sign(&self) -> i32 {
        if self.along {
            self.plane.sign()
        } else {
            -self.plane.sign()
        }
    }
}

/// At an edge of more than two faces: joins each face through its air to the next one.
fn around(geometry: &Geometry, index: &Index, [a, b]: [DVec3; 2], visit: &mut impl FnMut(Joint)) {
    let mut spokes: Vec<Spoke> = Vec::new();
    // Two planes whose normals' cross product runs along the edge, and its sign.
    let mut line = None;
    for u in geometry.edges.at(a, b) {
        let number = index.at(u.face());
        let face = index.faces[number as usize].1;
        for l in &face.loops {
            for (c, next) in ring::pairs(l) {
                let next = &next.point;
                let along = (c.point.at, next.at) == (a, b);
                if !along && (c.point.at, next.at) != (b, a) {
                    continue;
                }
                line.get_or_insert_with(|| {
                    let pair = (face.plane.plane, c.line);
                    let line = Line::new(&geometry.planes, pair);
                    let is_less = line.cmp(&geometry.planes, &c.point, next).is_lt();
                    (pair, if is_less == along { 1 } else { -1 })
                });
                if !spokes.iter().any(|s| (s.along, s.face) == (along, number)) {
                    spokes.push(Spoke {
                        face: number,
                        plane: face.plane,
                        along,
                    });
                }
            }
        }
    }
    let Some((pair, up)) = line else { return };
    // Positive where q lies less than half a turn after p.
    let turned = |p: &Spoke, q: &Spoke| {
        turn(&geometry.planes, p.plane.plane, q.plane.plane, pair) * p.sign() * q.sign() * up
    };
    let mut ranked: Vec<(u8, Spoke)> = Vec::with_capacity(spokes.len());
    for s in spokes {
        let rank = match ranked.first() {
            None => 0,
            Some((_, first)) => match turned(first, &s) {
                0 if s.sign() == first.sign() => 0,
                1 => 1,
                0 => 2,
                _ => 3,
            },
        };
        ranked.push((rank, s));
    }
    ranked.sort_by(|(r, p), (s, q)| {
        r.cmp(s)
            .then_with(|| turned(q, p).cmp(&0))
            .then((p.along, p.face).cmp(&(q.along, q.face)))
    });
    for ((_, here), (_, next)) in ring::pairs(&ranked) {
        // Air lies at growing angles from a face that runs forward, so the next spoke bounds the same air.
        if here.along && !next.along {
            visit(Joint {
                faces: [here.face, next.face],
                ends: [a, b],
            });
        }
    }
}

/// A triangle, steps, with the number of its face.
struct Flat {
    corners: [DVec3; 3],
    face: u32,
}

fn flats(geometry: &Geometry, index: &Index) -> Vec<Flat> {
    let list = parallel::map(index.faces.len(), 1, |i| {
        let (_, face) = index.faces[i];
        let points: Vec<DVec3> = super::cell::points(face).collect();
        let flat = |t: [u32; 3]| Flat {
            corners: t.map(|c| points[c as usize]),
            face: i as u32,
        };
        let triangles = triangulate(&geometry.planes, face).into_iter();
        triangles.map(flat).collect::<Vec<_>>()
    });
    list.into_iter().flatten().collect()
}

/// The intersections of the line along x through a point with triangles: x and face, ascending.
fn crossings(flats: &[Flat], at: DVec3) -> Vec<(f64, u32)> {
    let mut list = Vec::new();
    for t in flats {
        let [a, b, c] = t.corners.map(|p| p - at);
        let side = |p: DVec3, q: DVec3| p.y * q.z - p.z * q.y;
        let (u, v, w) = (side(b, c), side(c, a), side(a, b));
        if (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0) {
            let x = (a.x * u + b.x * v + c.x * w) / (u + v + w);
            list.push((x + at.x, t.face));
        }
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    list
}

/// The first face along x from a point, if the point is in air.
fn first_ahead(geometry: &Geometry, index: &Index, flats: &[Flat], at: DVec3) -> Option<u32> {
    let list = crossings(flats, at);
    let face = list.iter().find(|x| x.0 > at.x)?.1;
    (!faces_up_x(geometry, index.faces[face as usize].1)).then_some(face)
}

fn faces_up_x(geometry: &Geometry, face: &Face) -> bool {
    geometry.planes.normal(face.plane).x > 0.0
}

/// The solids that float in the air: faces connected by edges that enclose solid and not air. The list and each of its
/// entries are sorted.
pub(super) fn floating(geometry: &Geometry) -> Vec<Vec<FaceRef>> {
    let index = Index::new(geometry);
    let mut sets = DisjointSets::new(index.faces.len());
    // Sets do not depend on the order in which they are joined.
    for uses in geometry.edges.all_uses() {
        for pair in uses.windows(2) {
            sets.join(index.at(pair[0].face()), index.at(pair[1].face()));
        }
    }
    let mut list: Vec<Vec<FaceRef>> = Vec::new();
    let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
    for (i, (id, _)) in (0u32..).zip(&index.faces) {
        let number = *numbers.entry(sets.find(i)).or_insert(list.len());
        if number == list.len() {
            list.push(Vec::new());
        }
        list[number].push(*id);
    }
    list.retain(|faces| geometry.encloses_solid(faces));
    list
}

/// Numbers the solids that float in the air, and clears all other faces' numbers.
pub(super) fn number_pieces(geometry: &mut Geometry) {
    let pieces = floating(geometry);
    for cell in geometry.cells.iter_mut() {
        cell.faces.iter_mut().flatten().for_each(|f| f.piece = 0);
    }
    geometry.pieces = pieces.len() as u32;
    for (number, faces) in (1..).zip(pieces) {
        for (cell, face) in faces {
            if let Some(f) = geometry.cells[cell as usize].faces[face as usize].as_mut() {
                f.piece = number;
            }
        }
    }
}
