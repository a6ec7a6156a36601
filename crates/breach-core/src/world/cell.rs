//! A cell: a box of the level, and the faces that bound the air in it.
use super::GRID;
use crate::carve::MaterialId;
use crate::carve::face::{Corner, Face, live_face};
use crate::carve::polytope::{Polytope, Surface};
use crate::exact::{Facing, Planes};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::geom::ring;
use glam::{DVec3, Vec3};

/// A box of the level, and the faces that bound the air in it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Lowest corner, half steps: even on the bounds, odd where a cut runs, so that no grid point lies in a cut.
    pub lo: [i64; 3],
    /// Highest corner, half steps.
    pub hi: [i64; 3],
    /// The box's planes, facing out: low x, high x, low y ...
    pub sides: [Facing; 6],
    /// Whether a side is shared with other cells; the others lie on the bounds.
    pub shared: [bool; 6],
    /// A slab: a face keeps its id while it lives.
    pub faces: Vec<Option<Face>>,
    /// The faces' boxes, rounded outwards: compact, so that testing all of them is quick. A free slot has an inverted
    /// box.
    boxes: Vec<[f32; 6]>,
    /// One for each face.
    measures: Vec<Measure>,
    /// Faces that are walls, ascending.
    walls: Vec<u32>,
    /// Last in, first out, so that undoing changes in reverse order restores every id.
    free: Vec<u32>,
    /// Corners of all faces of stuff.
    pub corners: usize,
    /// Six times the air volume, in fractions of a cubic step. It is an integer so that removing and reinserting a face
    /// cancels exactly.
    air: i128,
}

/// Measures of a face, taken when it is inserted so that removing it does not walk its corners again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measure {
    /// Six times the volume of the cone from the grid's origin to the face, in fractions of a cubic step. The sum over
    /// a closed surface that faces into the air is minus six times the air volume.
    cone: i128,
    /// Square steps.
    pub area: f64,
    /// Corners of all loops.
    corners: u32,
    /// The axes along which all corners have one coordinate, to the last bit.
    pub flat: [bool; 3],
    /// Whether all corners are corners of the face's box, at whole half steps: then [`ends`] tells their coordinates.
    pub at_box_corners: bool,
}

impl Measure {
    fn new(face: &Face) -> Measure {
        let area = face.area_vector();
        let cone = 2.0 * area.dot(face.loops[0][0].point.at);
        let (lo, hi) = points(face).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), p| {
            (lo.min(p), hi.max(p))
        });
        let is_whole = |v: DVec3| v * 2.0 == (v * 2.0).round();
        let is_end = |p: DVec3| (p.cmpeq(lo) | p.cmpeq(hi)).all();
        Measure {
            cone: (cone * PARTS).round() as i128,
            area: area.length(),
            corners: points(face).count() as u32,
            flat: lo.cmpeq(hi).into(),
            at_box_corners: is_whole(lo) && is_whole(hi) && points(face).all(is_end),
        }
    }
}

/// The ends along an axis of a face whose corners lie at whole half steps, half steps. Its box is a little larger.
pub(super) fn ends(face: &Face, axis: usize) -> [i64; 2] {
    [face.lo, face.hi].map(|end| (end[axis] * 2.0).round() as i64)
}

/// Fractions of a cubic step that [`Cell::air`] counts.
const PARTS: f64 = 256.0;

impl Cell {
    pub fn new(planes: &mut Planes, lo: [i64; 3], hi: [i64; 3], shared: [bool; 6]) -> Cell {
        let sides = [0, 1, 2, 3, 4, 5].map(|s: usize| match s % 2 {
            0 => planes.axis(s / 2, lo[s / 2]).opposite(),
            _ => planes.axis(s / 2, hi[s / 2]),
        });
        sides.iter().for_each(|side| planes.hold(side.plane));
        Cell::with_sides(lo, hi, sides, shared)
    }

    /// An empty cell whose planes are known.
    pub fn with_sides(lo: [i64; 3], hi: [i64; 3], sides: [Facing; 6], shared: [bool; 6]) -> Cell {
        Cell {
            lo,
            hi,
            sides,
            shared,
            faces: vec![],
            boxes: vec![],
            measures: vec![],
            walls: vec![],
            free: vec![],
            corners: 0,
            air: 0,
        }
    }

    /// Moves the low or the high side across an axis.
    pub fn set_side(
        &mut self,
        planes: &mut Planes,
        (axis, is_high): (usize, bool),
        at: i64,
        shared: bool,
    ) {
        let side = 2 * axis + is_high as usize;
        planes.release(self.sides[side].plane);
        let facing = planes.axis(axis, at);
        planes.hold(facing.plane);
        let (end, facing) = match is_high {
            true => (&mut self.hi, facing),
            false => (&mut self.lo, facing.opposite()),
        };
        end[axis] = at;
        self.sides[side] = facing;
        self.shared[side] = shared;
    }

    /// Reserves space for more faces.
    pub fn reserve(&mut self, more: usize) {
        self.faces.reserve(more);
        self.boxes.reserve(more);
        self.measures.reserve(more);
    }

    pub fn insert(&mut self, face: Face) -> u32 {
        let measure = Measure::new(&face);
        self.insert_measured(face, measure)
    }

    /// Inserts a face whose measures are known.
    pub fn insert_measured(&mut self, face: Face, measure: Measure) -> u32 {
        self.air -= measure.cone;
        if face.surface != Surface::Wall {
            self.corners += measure.corners as usize;
        }
        let id = self.free.pop().unwrap_or_else(|| {
            self.faces.push(None);
            self.boxes.push(NO_BOX);
            self.measures.push(Measure::default());
            self.faces.len() as u32 - 1
        });
        if face.surface == Surface::Wall
            && let Err(at) = self.walls.binary_search(&id)
        {
            self.walls.insert(at, id);
        }
        self.boxes[id as usize] = outwards(face.lo, face.hi);
        self.measures[id as usize] = measure;
        self.faces[id as usize] = Some(face);
        id
    }

    /// Whether a face has this id.
    pub fn has(&self, id: u32) -> bool {
        self.faces.get(id as usize).is_some_and(Option::is_some)
    }

    /// The face with this id; it exists.
    pub fn face(&self, id: u32) -> &Face {
        live_face(&self.faces, id)
    }

    /// Removes a face that exists.
    pub fn remove(&mut self, id: u32) -> (Face, Measure) {
        let face = self.faces[id as usize]
            .take()
            .expect("a face goes but once");
        let measure = self.measures[id as usize];
        self.air += measure.cone;
        if face.surface != Surface::Wall {
            self.corners -= measure.corners as usize;
        } else if let Ok(at) = self.walls.binary_search(&id) {
            self.walls.remove(at);
        }
        self.boxes[id as usize] = NO_BOX;
        self.free.push(id);
        (face, measure)
    }

    /// Hash of its box.
    pub fn box_hash(&self) -> u64 {
        let mut hash = Hash64::new();
        let ends = self.lo.iter().chain(&self.hi);
        ends.for_each(|&x| hash.u64(x as u64));
        hash.finish()
    }

    /// Takes all faces out, by rising number.
    pub fn drain(&mut self) -> impl Iterator<Item = (u32, Face, Measure)> + use<> {
        let faces = std::mem::take(&mut self.faces);
        let measures = std::mem::take(&mut self.measures);
        let all = (0..).zip(faces).zip(measures);
        all.filter_map(|((id, face), measure)| Some((id, face?, measure)))
    }

    /// Cubic metres of air.
    pub fn volume(&self) -> f64 {
        cubic_metres(self.air)
    }

    /// As an integer; see [`cubic_metres`].
    pub fn air(&self) -> i128 {
        self.air
    }

    /// All faces, walls too.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Face)> {
        (0u32..)
            .zip(&self.faces)
            .filter_map(|(i, f)| Some((i, f.as_ref()?)))
    }

    /// All faces with their measures.
    pub fn measured(&self) -> impl Iterator<Item = (&Face, &Measure)> {
        let all = self.faces.iter().zip(&self.measures);
        all.filter_map(|(face, measure)| Some((face.as_ref()?, measure)))
    }

    /// Faces of stuff.
    pub fn stuff(&self) -> impl Iterator<Item = (u32, &Face)> {
        self.all().filter(|(_, f)| f.surface != Surface::Wall)
    }

    /// Wall faces on one side.
    pub fn wall(&self, side: usize) -> impl Iterator<Item = (u32, &Face)> {
        let plane = self.sides[side].plane;
        self.walls
            .iter()
            .filter_map(|&id| Some((id, self.faces[id as usize].as_ref()?)))
            .filter(move |(_, f)| f.plane.plane == plane)
    }

    /// Faces, walls too, whose boxes touch a box, steps.
    pub fn near(&self, lo: DVec3, hi: DVec3) -> impl Iterator<Item = (u32, &Face)> {
        let [a, b, c, d, e, f] = outwards(lo, hi);
        (0u32..)
            .zip(&self.boxes)
            .filter(move |(_, x)| {
                (x[0] <= d) & (x[1] <= e) & (x[2] <= f) & (x[3] >= a) & (x[4] >= b) & (x[5] >= c)
            })
            .filter_map(|(i, _)| Some((i, self.faces[i as usize].as_ref()?)))
            .filter(move |(_, f)| f.touches(lo, hi))
    }

    /// The extent of each face along an axis, steps, rounded outwards a little.
    pub fn extents(&self, axis: usize) -> impl Iterator<Item = (f64, f64)> {
        let along = move |x: &[f32; 6]| (f64::from(x[axis]), f64::from(x[axis + 3]));
        self.boxes
            .iter()
            .filter(|x| x[0] < f32::INFINITY)
            .map(along)
    }

    /// The box of all faces, steps, rounded outwards a little; inverted where there are none.
    pub fn face_bounds(&self) -> (DVec3, DVec3) {
        let [mut lo, mut hi] = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        for x in self.boxes.iter().filter(|x| x[0] < f32::INFINITY) {
            lo = lo.min(Vec3::new(x[0], x[1], x[2]));
            hi = hi.max(Vec3::new(x[3], x[4], x[5]));
        }
        (lo.as_dvec3(), hi.as_dvec3())
    }

    /// The box, metres.
    pub fn bounds(&self) -> Aabb {
        let at = |v: [i64; 3]| DVec3::from_array(v.map(|x| steps(x) / GRID));
        Aabb {
            min: at(self.lo),
            max: at(self.hi),
        }
    }

    /// Whether the closed boxes touch; steps.
    pub fn touches(&self, lo: DVec3, hi: DVec3) -> bool {
        (0..3).all(|k| steps(self.lo[k]) <= hi[k] && steps(self.hi[k]) >= lo[k])
    }

    /// The part of a polytope within the cell: open where a wall cuts it, bedrock where the bounds do.
    pub fn clip(
        &self,
        planes: &Planes,
        polytope: &Polytope,
        bedrock: [MaterialId; 3],
    ) -> Option<Polytope> {
        let (lo, hi) = polytope.bounds();
        let mut part = None;
        for s in 0..6 {
            let k = s / 2;
            let beyond = if s % 2 == 0 {
                lo[k] < steps(self.lo[k])
            } else {
                hi[k] > steps(self.hi[k])
            };
            if beyond {
                let surface = if self.shared[s] {
                    Surface::Wall
                } else {
                    Surface::Stuff(bedrock[k])
                };
                let whole = part.as_ref().unwrap_or(polytope);
                part = Some(whole.clip(planes, self.sides[s], surface)?);
            }
        }
        Some(part.unwrap_or_else(|| polytope.clone()))
    }
}

const NO_BOX: [f32; 6] = [f32::INFINITY; 6];

/// An f32 box that contains the f64 box.
fn outwards(lo: DVec3, hi: DVec3) -> [f32; 6] {
    let (a, b) = (lo.as_vec3(), hi.as_vec3());
    let (down, up) = (f32::next_down, f32::next_up);
    [down(a.x), down(a.y), down(a.z), up(b.x), up(b.y), up(b.z)]
}

/// A coordinate in half steps, in steps.
pub(super) fn steps(halves: i64) -> f64 {
    halves as f64 * 0.5
}

/// An air count in cubic metres.
pub(super) fn cubic_metres(air: i128) -> f64 {
    air as f64 / (6.0 * PARTS * GRID * GRID * GRID)
}

/// The facets of a polytope seen from inside: the boundary of the air if the polytope is all air.
pub(super) fn inside_out(planes: &Planes, p: &Polytope) -> Vec<Face> {
    let face = |f: &crate::carve::polytope::Facet| {
        let n = f.corners.len();
        let corner = |i: usize| Corner {
            point: p.corners[f.corners[n - 1 - i] as usize],
            line: p.facets[f.across[ring::before(n - 1 - i, n)] as usize]
                .plane
                .plane,
        };
        Face::new(
            planes,
            f.plane.opposite(),
            f.surface,
            vec![(0..n).map(corner).collect()],
        )
    };
    p.facets.iter().map(face).collect()
}

/// The corners of all loops, loop after loop.
pub(super) fn points(face: &Face) -> impl Iterator<Item = DVec3> {
    face.loops.iter().flatten().map(|c| c.point.at)
}

/// The box of faces, steps.
pub(super) fn bounds_of(faces: &[&Face]) -> (DVec3, DVec3) {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let both = |b: (DVec3, DVec3), f: &&Face| (b.0.min(f.lo), b.1.max(f.hi));
    faces.iter().fold(none, both)
}

/// Directed edges of all loops.
pub(super) fn edges(face: &Face) -> impl Iterator<Item = (DVec3, DVec3)> {
    face.loops
        .iter()
        .flat_map(|l| ring::pairs(l).map(|(a, b)| (a.point.at, b.point.at)))
}
