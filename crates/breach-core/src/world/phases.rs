//! The phases of an operation. Each advances until it is done or the budget is used up.
use super::cell::{cubic_metres, points};
use super::delta::changed_faces;
use super::geometry::Geometry;
use super::islands::IslandSearch;
use super::pending_operation::{Change, Clip, Conform, Draw, Phase};
use super::room::RoomId;
use super::visible::Visible;
use super::work_budget::{CLIP, CONFORM, COPY, DRAW, FLOOD, MOVE, WorkBudget};
use super::{mesh, pieces, stamp, subdivision, touched};
use crate::carve::Op;
use crate::carve::conform::{self as conformer, ConformBox};
use crate::stage::{Marker, Stage};

/// Faces with more corners than this are conformed in several steps, unless they crowd in a box of 1 m.
const MOST_CORNERS: usize = 4000;
/// Steps in a metre.
const METRE: f64 = super::GRID;

/// The data that a step works on: it changes the geometry, reads the visible half, and spends units.
pub(super) struct Step<'a> {
    pub geometry: &'a mut Geometry,
    pub visible: &'a Visible,
    pub units: &'a mut WorkBudget,
    pub marker: &'a mut dyn Marker,
}

impl Clip {
    /// The next phase, or None if the budget is used up.
    pub fn advance(
        &mut self,
        change: &mut Change,
        Step {
            geometry,
            visible,
            units,
            marker,
        }: &mut Step,
    ) -> Option<Phase> {
        marker.begin(Stage::Clip);
        while let Some(&(solid, cell)) = self.stamps.get(self.next) {
            let solid = &change.polytopes[solid as usize];
            let stamp = stamp::Stamp::new(geometry, cell, solid);
            if !units.try_spend(stamp.corners * CLIP) {
                break;
            }
            stamp.apply(geometry, change.op, &mut change.touched);
            self.next += 1;
        }
        marker.end(Stage::Clip);
        if self.next < self.stamps.len() {
            return None;
        }
        // The clip itself has merged faces of one plane and material; the stage is marked for the timing report.
        marker.begin(Stage::Merge);
        marker.end(Stage::Merge);
        change.volume_m3 = cubic_metres(geometry.air() - change.before.air);
        Some(match change.touched.cells.is_empty() {
            true => Phase::Draw(Draw::new(Vec::new())),
            false => Phase::Conform(Conform::new(change, geometry, visible)),
        })
    }
}

impl Conform {
    /// The boxes in which corners may be missing. All cells in the box count, also those that no single solid touches:
    /// the corner where a face turns may be missing in any of them.
    fn new(change: &Change, geometry: &Geometry, visible: &Visible) -> Conform {
        let (lo, hi) = (change.lo, change.hi);
        let near = geometry.cells_at(&visible.tree, lo, hi);
        let is_everywhere = change.touched.degenerate;
        let boxes = match is_everywhere {
            true => vec![everywhere(change)],
            false => {
                // Without coincident planes, corners are missing only where cells meet.
                let borders = stamp::borders(geometry, &near, lo, hi);
                let place = |(axis, at): (usize, f64)| ConformBox::slice(lo, hi, axis, at);
                borders.into_iter().rev().map(place).collect()
            }
        };
        Conform {
            near,
            boxes,
            is_everywhere,
        }
    }

    /// The next phase, or None if the budget is used up.
    pub fn advance(
        &mut self,
        change: &mut Change,
        Step {
            geometry,
            visible,
            units,
            marker,
        }: &mut Step,
    ) -> Option<Phase> {
        marker.begin(Stage::Conform);
        loop {
            if self.boxes.is_empty() && geometry.edges.unmatched > 0 && !self.is_everywhere {
                self.is_everywhere = true;
                self.boxes.push(everywhere(change));
            }
            let Some(&place) = self.boxes.last() else {
                break;
            };
            if !self.share_corners(change, geometry, place, units) {
                break;
            }
        }
        marker.end(Stage::Conform);
        debug_assert!(
            !self.boxes.is_empty() || geometry.edges.unmatched <= change.before.unmatched,
            "shared corners leave every edge its opposite"
        );
        let seeds = (change.touched.added.len() + change.touched.rims.len()) as u64;
        if !self.boxes.is_empty() || !units.try_spend(seeds * FLOOD) {
            return None;
        }
        marker.begin(Stage::Islands);
        pieces::number(geometry, &change.touched, change.op);
        // A fill cuts nothing free: solid that it leaves in the air stays there.
        let next = match change.op {
            Op::Carve => {
                let bounds = (change.lo, change.hi);
                let search = IslandSearch::new(geometry, &visible.tree, &change.touched, bounds);
                Phase::Islands(Box::new(search))
            }
            Op::Fill => Phase::Draw(Draw::new(Vec::new())),
        };
        marker.end(Stage::Islands);
        Some(next)
    }

    /// Shares corners in the last box of the list, or halves the box where it is crowded. False if the budget is used
    /// up.
    fn share_corners(
        &mut self,
        change: &mut Change,
        geometry: &mut Geometry,
        place: ConformBox,
        units: &mut WorkBudget,
    ) -> bool {
        let (lo, hi) = (place.lo, place.hi);
        let here = |c: &RoomId| geometry.cells[*c as usize].touches(lo, hi);
        let cells: Vec<RoomId> = self.near.iter().copied().filter(here).collect();
        let (ids, faces) = geometry.stuff_at(&cells, lo, hi);
        let corners: usize = faces.iter().map(|f| points(f).count()).sum();
        let size = hi - lo;
        if corners > MOST_CORNERS && size.max_element() > METRE {
            let axis = size.max_position();
            let (mut below, mut above) = (hi, lo);
            below[axis] = ((lo[axis] + hi[axis]) * 0.5).round();
            above[axis] = below[axis];
            self.boxes.pop();
            let part = |lo, hi| ConformBox { lo, hi, ..place };
            self.boxes.extend([part(above, hi), part(lo, below)]);
            return units.try_spend(faces.len() as u64);
        }
        let fits = units.try_spend(corners as u64 * CONFORM);
        if fits {
            let changed = conformer::conform(&geometry.planes, &faces, &place);
            touched::replace(geometry, &ids, changed, &mut change.touched);
            self.boxes.pop();
        }
        fits
    }
}

/// The whole box around the solids.
fn everywhere(change: &Change) -> ConformBox {
    ConformBox {
        lo: change.lo,
        hi: change.hi,
        plane: None,
    }
}

/// Searches for pieces that were cut free. Returns the next phase, or None if the budget is used up.
pub(super) fn advance_search(
    search: &mut IslandSearch,
    change: &mut Change,
    Step {
        geometry,
        visible,
        units,
        marker,
    }: &mut Step,
) -> Option<Phase> {
    marker.begin(Stage::Islands);
    while !search.is_done() && units.try_spend(search.next_units()) {
        search.step(geometry, visible, &mut change.touched, &change.polytopes);
    }
    marker.end(Stage::Islands);
    search
        .is_done()
        .then(|| Phase::Draw(Draw::new(std::mem::take(&mut search.fallen))))
}

impl Draw {
    /// Whether the budget allows the commit to do the rest.
    pub fn advance(
        &mut self,
        change: &Change,
        Step {
            geometry,
            visible,
            units,
            marker,
        }: &mut Step,
    ) -> bool {
        let rest = subdivision::corners(geometry, &change.touched) * MOVE;
        let left = match &mut self.left {
            Some(left) => left,
            None => {
                let faces = changed_faces(&change.touched.log, geometry.cells.len());
                let mut all: Vec<(RoomId, Vec<u32>)> = faces
                    .chunk_by(|a, b| a.0 == b.0)
                    .map(|group| (group[0].0, group.iter().map(|f| f.1).collect()))
                    .collect();
                let corners =
                    |(id, faces): &(RoomId, Vec<u32>)| mesh::corners(geometry, visible, *id, faces);
                // All at once only where it fits, also at the start of a tick.
                let work = all.iter().map(corners).sum::<u64>() * DRAW + rest;
                if work <= units.left() {
                    units.spend(work);
                    return true;
                }
                all.reverse();
                self.left.insert(all)
            }
        };
        marker.begin(Stage::Bins);
        while let Some((id, faces)) = left.last() {
            let size = u64::from(visible.rooms[*id as usize].triangle_count);
            let corners = mesh::corners(geometry, visible, *id, faces);
            if !units.try_spend(corners * DRAW + size * COPY) {
                break;
            }
            self.drawn
                .push(mesh::prepare_room(geometry, visible, *id, faces));
            left.pop();
        }
        marker.end(Stage::Bins);
        left.is_empty() && units.try_spend(rest)
    }
}
