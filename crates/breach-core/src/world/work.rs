//! A change of the world, step by step: clip in every cell, share corners, let loose pieces fall, draw the rooms, commit.
//!
//! A small change is made at once. A large one may stop after any step and go on later, so that no tick takes long. Until
//! its commit only faces change, and what is kept about faces: all that rays, sweeps and drawing look at (rooms, their
//! meshes and trees, portals, the cells' boxes) is as it was, and so is the world's hash. Rooms that need it are drawn
//! beside the old ones and put in their places by the commit. Work is counted ([`Units`]), never timed, so that the same
//! carve takes the same ticks everywhere.
use super::cell;
use super::commit::{self, Touched};
use super::islands::Search;
use super::undo::{self, Delta};
use super::{
    CarveReport, Island, NoEffect, Operation, Revision, Room, RoomId, World, WorldError, census,
    crowd, mesh, moved, pieces, portals, unbreakable,
};
use crate::carve::Op;
use crate::carve::conform::{self as conformer, Place};
use crate::carve::polytope::Polytope;
use crate::stage::{Marker, Stage};
use glam::DVec3;

/// Work that may be done, say in a tick. What a step will take is known before it is done, from the corners of the faces
/// that it looks at; a unit is some 0.13 microseconds of a machine of 2024.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    left: u64,
    is_whole: bool,
}

impl Units {
    /// So many.
    pub fn new(units: u64) -> Units {
        Units {
            left: units,
            is_whole: true,
        }
    }

    /// What is left; used to tell what was done.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// What was done already, come what may.
    pub fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        self.is_whole = false;
    }

    /// Whether a step may be done, which then counts: it fits, or nothing has been done yet. So every tick does something.
    pub fn take(&mut self, work: u64) -> bool {
        let fits = self.is_whole || work <= self.left;
        if fits {
            self.spend(work);
        }
        fits
    }
}

impl Operation {
    /// Units that taking it on takes: its sides are looked at, whether they bound a solid.
    pub fn units(&self) -> u64 {
        let sides = self.brushes.iter().map(|brush| brush.sides.len());
        sides.sum::<usize>() as u64 * SIDE
    }
}

/// What the steps take, units: for a corner to be clipped, conformed, redrawn, put back, moved to another cell; for a face
/// that is flooded.
const CLIP: u64 = 4;
const CONFORM: u64 = 3;
const DRAW: u64 = 2;
const RESTORE: u64 = 1;
const MOVE: u64 = 8;
const FLOOD: u64 = 1;
/// For a side of a brush to be looked at.
const SIDE: u64 = 16;

/// An operation that has begun.
#[derive(Clone, Debug)]
pub(super) struct Work {
    op: Op,
    polytopes: Vec<Polytope>,
    /// Which solid in which cell, in order.
    stamps: Vec<(u32, RoomId)>,
    /// The box of all solids, steps.
    lo: DVec3,
    hi: DVec3,
    /// The cells that touch it.
    near: Vec<RoomId>,
    /// Of the world as it is seen until the commit.
    before: Before,
    /// What it has done to the faces so far.
    pub touched: Touched,
    /// Solid that became air, loose pieces left out.
    pub volume_m3: f64,
    at: At,
    /// Corners have been or will be shared everywhere, not only where cells meet.
    all_conforms: bool,
    /// Rooms as they are to be.
    drawn: Vec<mesh::Beside>,
    /// How far it is, 0..=1: a guess that only grows.
    pub part_done: f64,
}

#[derive(Clone, Debug)]
struct Before {
    air: i128,
    bytes: usize,
    face_hash: u64,
    /// Edges without an opposite.
    unmatched: usize,
}

/// The next step.
#[derive(Clone, Debug)]
enum At {
    /// The stamp of this number.
    Clip(usize),
    /// Boxes in which corners are to be shared, the next one last.
    Conform(Vec<Place>),
    Islands(Box<Search>),
    /// The faces are as they are to be.
    Faces(Vec<Island>),
    /// Rooms to be drawn beforehand, the next one last: the faces of each.
    Rooms(Vec<(RoomId, Vec<u32>)>, Vec<Island>),
}

/// Faces with more corners than this do not share them in one step, unless they crowd in a box of 1 m.
const MOST_CORNERS: usize = 4000;
/// Steps in a metre.
const METRE: f64 = super::GRID;

/// The whole change at once. Every touched room commits, or none does.
pub(super) fn apply(
    world: &mut World,
    operation: &Operation,
    marker: &mut dyn Marker,
) -> Result<CarveReport, WorldError> {
    begin(world, operation)?;
    loop {
        if let Some(result) = advance(world, &mut Units::new(u64::MAX), marker) {
            return result;
        }
    }
}

/// What [`World::revert`] takes of this, counted right after the change.
pub(super) fn units_to_revert(world: &World, delta: &Delta) -> u64 {
    delta.corners(world) * (RESTORE + DRAW)
}

/// Takes an operation on; nothing has changed yet.
pub(super) fn begin(world: &mut World, operation: &Operation) -> Result<(), WorldError> {
    if world.work.is_some() {
        return Err(WorldError::Busy);
    }
    let work = Work::new(world, operation)?;
    world.work = Some(Box::new(work));
    Ok(())
}

/// Goes on with what has begun until it is done or the units are used up.
pub(super) fn advance(
    world: &mut World,
    units: &mut Units,
    marker: &mut dyn Marker,
) -> Option<Result<CarveReport, WorldError>> {
    let mut work = world.work.take()?;
    if work.faces(world, units, marker) && work.rooms(world, units, marker) {
        let done = work.commit(world, marker);
        world.planes.settle();
        return Some(done);
    }
    work.part_done = work.part_done.max(work.guess());
    world.work = Some(work);
    None
}

/// Drops what has begun.
pub(super) fn abandon(world: &mut World) {
    if let Some(work) = world.work.take() {
        work.take_back(world);
    }
}

/// What has been done never was.
fn take_back(world: &mut World, delta: Delta) {
    let (never, _) = undo::restore(world, delta);
    undo::forget(world, &never);
}

impl Work {
    /// Looks at the whole operation.
    pub fn new(world: &mut World, operation: &Operation) -> Result<Work, WorldError> {
        let polytopes = commit::polytopes(world, operation)
            .and_then(|solids| commit::spared(world, operation.op, solids))
            .inspect_err(|_| world.planes.settle())?;
        commit::refresh_materials(world);
        let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut stamps = Vec::new();
        for (i, p) in (0..).zip(&polytopes) {
            let (a, b) = p.bounds();
            (lo, hi) = (lo.min(a), hi.max(b));
            stamps.extend(commit::cells_at(world, a, b).into_iter().map(|c| (i, c)));
        }
        Ok(Work {
            op: operation.op,
            polytopes,
            stamps,
            lo,
            hi,
            near: Vec::new(),
            before: Before {
                air: commit::air(world),
                bytes: world.bytes(),
                face_hash: world.face_hash,
                unmatched: world.edges.unmatched,
            },
            touched: Touched::default(),
            volume_m3: 0.0,
            at: At::Clip(0),
            all_conforms: false,
            drawn: Vec::new(),
            part_done: 0.0,
        })
    }

    /// The faces are as before. Returns the units that it took.
    pub fn take_back(self, world: &mut World) -> u64 {
        let fallen = self.gone().len() as u64;
        let delta = Delta::new(self.touched.log, fallen);
        let work = delta.corners(world) * RESTORE;
        take_back(world, delta);
        work
    }

    /// Pieces that have fallen so far.
    pub fn gone(&self) -> &[Island] {
        match &self.at {
            At::Islands(search) => &search.gone,
            At::Faces(gone) | At::Rooms(_, gone) => gone,
            At::Clip(_) | At::Conform(_) => &[],
        }
    }

    /// What the faces of the world as it is seen add to its hash.
    pub fn face_hash_before(&self) -> u64 {
        self.before.face_hash
    }

    /// Rooms that nobody sees yet.
    pub fn rooms_beside(&mut self) -> impl Iterator<Item = &mut Room> {
        self.drawn.iter_mut().map(|beside| &mut beside.room)
    }

    /// How far it is, 0..=1.
    fn guess(&self) -> f64 {
        match &self.at {
            At::Clip(next) => 0.5 * *next as f64 / self.stamps.len().max(1) as f64,
            At::Conform(boxes) => 0.7 - 0.2 * (boxes.len() as f64 / 8.0).min(1.0),
            At::Islands(_) => 0.7,
            At::Faces(_) => 0.75,
            At::Rooms(left, _) => {
                let all = left.len() + self.drawn.len();
                0.75 + 0.25 * self.drawn.len() as f64 / all.max(1) as f64
            }
        }
    }

    /// Steps that change faces, until all are done (true) or the units are used up.
    pub fn faces(&mut self, world: &mut World, units: &mut Units, marker: &mut dyn Marker) -> bool {
        if let At::Clip(next) = &mut self.at {
            marker.begin(Stage::Clip);
            while let Some(&(solid, cell)) = self.stamps.get(*next) {
                let solid = &self.polytopes[solid as usize];
                let stamp = commit::Stamp::new(world, cell, solid);
                if !units.take(stamp.corners * CLIP) {
                    break;
                }
                stamp.apply(world, self.op, &mut self.touched);
                *next += 1;
            }
            marker.end(Stage::Clip);
            if *next < self.stamps.len() {
                return false;
            }
            // Pieces of one plane and material have been merged by the clip itself.
            marker.begin(Stage::Merge);
            marker.end(Stage::Merge);
            self.volume_m3 = cell::cubic_metres(commit::air(world) - self.before.air);
            self.at = match self.touched.cells.is_empty() {
                true => At::Faces(Vec::new()),
                false => At::Conform(self.places_to_conform(world)),
            };
        }
        if let At::Conform(boxes) = &mut self.at {
            let mut boxes = std::mem::take(boxes);
            marker.begin(Stage::Conform);
            loop {
                if boxes.is_empty() && world.edges.unmatched > 0 && !self.all_conforms {
                    boxes.push(self.everywhere());
                }
                let Some(&place) = boxes.last() else { break };
                if !self.conform(world, place, &mut boxes, units) {
                    break;
                }
            }
            marker.end(Stage::Conform);
            debug_assert!(
                !boxes.is_empty() || world.edges.unmatched <= self.before.unmatched,
                "shared corners leave every edge its opposite"
            );
            let seeds = (self.touched.added.len() + self.touched.rims.len()) as u64;
            if !boxes.is_empty() || !units.take(seeds * FLOOD) {
                self.at = At::Conform(boxes);
                return false;
            }
            marker.begin(Stage::Islands);
            pieces::number(world, &self.touched, self.op);
            // What a fill leaves in the air stays there: it cuts nothing free.
            self.at = match self.op {
                Op::Carve => {
                    let search = Search::new(world, &self.touched, self.lo, self.hi);
                    At::Islands(Box::new(search))
                }
                Op::Fill => At::Faces(Vec::new()),
            };
            marker.end(Stage::Islands);
        }
        if let At::Islands(search) = &mut self.at {
            marker.begin(Stage::Islands);
            while !search.is_done() && units.take(search.next_faces() * FLOOD) {
                search.step(world, &mut self.touched, &self.polytopes);
            }
            marker.end(Stage::Islands);
            if !search.is_done() {
                return false;
            }
            self.at = At::Faces(std::mem::take(&mut search.gone));
        }
        true
    }

    /// Where corners may be missing. All cells there count, also such as no single solid touches: what turns at a corner,
    /// a face in any of them may tell.
    fn places_to_conform(&mut self, world: &World) -> Vec<Place> {
        let (lo, hi) = (self.lo, self.hi);
        self.near = commit::cells_at(world, lo, hi);
        if self.touched.degenerate {
            return vec![self.everywhere()];
        }
        // Where nothing lay on anything, corners are missing only where cells meet.
        let borders = commit::borders(world, &self.near, lo, hi);
        let place = |(axis, at): (usize, f64)| Place::of_plane(lo, hi, axis, at);
        borders.into_iter().rev().map(place).collect()
    }

    /// All that the solids may have touched.
    fn everywhere(&mut self) -> Place {
        self.all_conforms = true;
        let (lo, hi) = (self.lo, self.hi);
        Place {
            lo,
            hi,
            plane: None,
        }
    }

    /// Shares corners in a box, the last of the list, or cuts it in two where it is crowded.
    fn conform(
        &mut self,
        world: &mut World,
        place: Place,
        boxes: &mut Vec<Place>,
        units: &mut Units,
    ) -> bool {
        let (lo, hi) = (place.lo, place.hi);
        let here = |c: &RoomId| world.cells[*c as usize].touches(lo, hi);
        let cells: Vec<RoomId> = self.near.iter().copied().filter(here).collect();
        let (ids, faces) = commit::stuff_at(world, &cells, lo, hi);
        let corners: usize = faces.iter().map(|f| cell::points(f).count()).sum();
        let size = hi - lo;
        if corners > MOST_CORNERS && size.max_element() > METRE {
            let axis = size.max_position();
            let (mut below, mut above) = (hi, lo);
            below[axis] = ((lo[axis] + hi[axis]) * 0.5).round();
            above[axis] = below[axis];
            boxes.pop();
            let part = |lo, hi| Place { lo, hi, ..place };
            boxes.extend([part(above, hi), part(lo, below)]);
            return units.take(faces.len() as u64);
        }
        let may = units.take(corners as u64 * CONFORM);
        if may {
            let changed = conformer::conform(&world.planes, &faces, &place);
            commit::replace(world, &ids, changed, &mut self.touched);
            boxes.pop();
        }
        may
    }

    /// Draws rooms beside the old ones, where there is more to do than can be done at once; true when the rest can.
    fn rooms(&mut self, world: &mut World, units: &mut Units, marker: &mut dyn Marker) -> bool {
        let rest = crowd::corners(world, &self.touched) * MOVE;
        if let At::Faces(gone) = &mut self.at {
            let faces = mesh::changed(&self.touched.log, world.cells.len());
            let mut all: Vec<(RoomId, Vec<u32>)> = faces
                .chunk_by(|a, b| a.0 == b.0)
                .map(|group| (group[0].0, group.iter().map(|f| f.1).collect()))
                .collect();
            let corners = |(id, faces): &(RoomId, Vec<u32>)| mesh::corners(world, *id, faces);
            if units.take(all.iter().map(corners).sum::<u64>() * DRAW + rest) {
                return true;
            }
            all.reverse();
            self.at = At::Rooms(all, std::mem::take(gone));
        }
        let At::Rooms(left, _) = &mut self.at else {
            unreachable!("rooms are drawn once the faces are done")
        };
        marker.begin(Stage::Bins);
        while let Some((id, faces)) = left.last() {
            // What is copied counts too.
            let size = u64::from(world.room(*id).triangle_count);
            if !units.take((mesh::corners(world, *id, faces) + size) * DRAW) {
                break;
            }
            self.drawn.push(mesh::draw_beside(world, *id, faces));
            left.pop();
        }
        marker.end(Stage::Bins);
        left.is_empty() && units.take(rest)
    }

    /// Why nothing changed.
    fn no_effect(&self, world: &World) -> NoEffect {
        let [lo, hi] = world.bounds.map(|p| p.as_dvec3());
        match self.op {
            Op::Fill => NoEffect::Solid,
            Op::Carve if unbreakable::is_near(world, self.lo, self.hi) => NoEffect::Unbreakable,
            Op::Carve if self.lo.cmplt(lo).any() || self.hi.cmpgt(hi).any() => NoEffect::Bedrock,
            Op::Carve => NoEffect::Air,
        }
    }

    /// Everything is seen from now on, or nothing where it would take too much memory.
    fn commit(
        mut self: Box<Self>,
        world: &mut World,
        marker: &mut dyn Marker,
    ) -> Result<CarveReport, WorldError> {
        let islands = match std::mem::replace(&mut self.at, At::Clip(0)) {
            At::Faces(gone) | At::Rooms(_, gone) => gone,
            At::Clip(_) | At::Conform(_) | At::Islands(_) => {
                unreachable!("the search for pieces has come to its end")
            }
        };
        let mut report = CarveReport {
            volume_m3: self.volume_m3,
            faces: self.touched.faces,
            watertight: world.edges.unmatched == 0,
            material: self.touched.largest.map(|l| l.1),
            islands,
            ..Default::default()
        };
        if self.touched.cells.is_empty() {
            report.no_effect = Some(self.no_effect(world));
            return Ok(report);
        }
        let fallen = report.islands.len() as u64;
        let (needed, budget) = (world.bytes(), world.budget_bytes);
        if needed > budget && needed > self.before.bytes {
            take_back(world, Delta::new(self.touched.log, fallen));
            return Err(WorldError::Budget { needed, budget });
        }
        world.revision = Revision::next();
        // What the rooms drawn beside show already.
        let seen = match self.drawn.is_empty() {
            true => 0,
            false => self.touched.log.len(),
        };
        mesh::put_in_place(world, std::mem::take(&mut self.drawn));
        marker.begin(Stage::Portals);
        let near = portals::of_walls(world, &self.touched.log);
        report.portals_opened = portals::update(world, &near);
        portals::note_born(world, &report.portals_opened);
        crowd::split(world, &mut self.touched);
        marker.end(Stage::Portals);
        marker.begin(Stage::Bins);
        report.rooms = self.touched.cells.iter().copied().collect();
        moved::update(world, &self.touched.log[seen..], Vec::new());
        marker.end(Stage::Bins);
        debug_assert!(
            world.edges.unmatched <= self.before.unmatched,
            "a change leaves every edge its opposite"
        );
        debug_assert_eq!(census::faults_of(world, &report.rooms), [""; 0]);
        report.delta = Delta::new(self.touched.log, fallen);
        Ok(report)
    }
}
