//! Splits a cell that got too many corners in play. The air does not change, only the owners of its faces.
//!
//! The cut runs where it is cheap: across few faces, with few on one side, though not too few. The part with fewer
//! faces becomes the new cell, and these faces move. A carve that is already expensive leaves the split to a later one,
//! and a cut across many faces waits for more corners, since after the next carves another place may be cheaper.
use super::cell::{Cell, steps};
use super::delta::{Cut, Entry};
use super::geometry::Geometry;
use super::mesh_editor::MeshEditor;
use super::portals;
use super::room::{Room, RoomId};
use super::touched::{Touched, conform, insert, remove};
use super::visible::{Link, Visible};
use crate::carve::conform::ConformBox;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::{Op, boolean};
use crate::exact::Planes;
use crate::geom::shared::Shared;
use glam::DVec3;

/// A cell with more corners is split.
const MOST_CORNERS: usize = 1400;
/// A cell whose faces span less than this, steps, may have more corners, by the square of the ratio: in smaller cells a
/// carve of a metre or two meets more walls, and a wall costs it more than corners do.
const WIDE: f64 = 12.0 * super::GRID;
/// Limit of that factor, so that splitting such a cell does not take long.
const MOST_TIMES: f64 = 8.0;
/// Extra corners allowed for each face that the change removed or inserted, so that a small change pays for the split;
/// and for each face that the cut crosses.
const PATIENCE: usize = 16;
/// Least thickness of a part, half steps: 1 m.
pub(super) const THINNEST: i64 = 2 * 32 * 512;
/// Slices on each axis; cuts between them are candidates.
pub(super) const SLICES: usize = 16;
/// Cost of a face that the cut crosses, relative to one that moves: from then on both parts have it, and the wall
/// between them has one more edge.
const CROSSED: usize = 11;
/// Each part must have one of this many faces: cutting off an almost empty part is useless, however cheap.
const PART: usize = 5;

/// Splits the most crowded of the touched cells, if it is crowded enough: one at a time, so that no carve pays for
/// many.
pub(super) fn split_crowded(geometry: &mut Geometry, visible: &mut Visible, touched: &mut Touched) {
    if let Some((cell, CutCandidate { axis, at, .. })) = next_cut(geometry, touched) {
        let (rims, faces, largest) = (touched.rims.len(), touched.faces, touched.largest);
        cut(geometry, visible, cell, (axis, at), touched);
        touched.rims.truncate(rims);
        (touched.faces, touched.largest) = (faces, largest);
    }
}

/// About how many corners [`split_crowded`] will move or cut.
pub(super) fn corners(geometry: &Geometry, touched: &Touched) -> u64 {
    next_cut(geometry, touched).map_or(0, |(cell, site)| {
        let moved = site.all - site.below.max(site.above);
        (geometry.cells[cell as usize].corners * moved / site.all.max(1)) as u64
    })
}

/// Whether a cell has too many corners, by more than `more`.
pub(super) fn is_crowded(cell: &Cell, more: usize) -> bool {
    // Most cells fail the cheap test.
    cell.corners > MOST_CORNERS + more && cell.corners as f64 > most_corners(cell) + more as f64
}

/// Corners that a cell may have.
pub(super) fn most_corners(cell: &Cell) -> f64 {
    let (lo, hi) = cell.face_bounds();
    let times = (WIDE / (hi - lo).max_element()).powi(2);
    MOST_CORNERS as f64 * times.clamp(1.0, MOST_TIMES)
}

/// The most crowded of the touched cells and its best cut, if it should be split.
fn next_cut(geometry: &Geometry, touched: &Touched) -> Option<(RoomId, CutCandidate)> {
    let patience = |faces: usize| PATIENCE * (touched.log.len() + faces);
    let crowded = touched
        .cells
        .iter()
        .copied()
        .filter(|&c| is_crowded(&geometry.cells[c as usize], patience(0)))
        .filter(|&c| is_wide(&geometry.cells[c as usize]))
        .max_by_key(|&c| (geometry.cells[c as usize].corners, std::cmp::Reverse(c)))?;
    let cell = &geometry.cells[crowded as usize];
    let site = cheapest_cut(cell)?;
    is_crowded(cell, patience(site.crossed())).then_some((crowded, site))
}

/// Whether the parts will not be too thin.
fn is_wide(cell: &Cell) -> bool {
    // A cut is rounded to an odd half step.
    (0..3).any(|k| cell.hi[k] - cell.lo[k] >= 2 * THINNEST + 2)
}

/// A candidate cut, and the numbers of faces on its sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutCandidate {
    pub axis: usize,
    /// Half steps, odd.
    pub at: i64,
    pub below: usize,
    pub above: usize,
    /// All faces, those that it crosses included.
    pub all: usize,
}

impl CutCandidate {
    fn crossed(&self) -> usize {
        self.all - self.below - self.above
    }

    /// Whether neither part would be nearly empty.
    pub fn is_even(&self) -> bool {
        PART * self.below.min(self.above) >= self.all
    }

    /// Cost of the cut; the smaller part moves.
    pub fn cost(&self) -> usize {
        self.below.min(self.above) + CROSSED * self.crossed()
    }
}

/// The cheapest cut. Its axis is one along which the faces' extent is not much below the greatest.
pub(super) fn cheapest_cut(cell: &Cell) -> Option<CutCandidate> {
    let (lo, hi) = cell.face_bounds();
    let size = (hi - lo).to_array();
    let longest = size.into_iter().fold(0.0, f64::max);
    let axes = || (0..3).filter(|&k| 4.0 * size[k] >= 3.0 * longest);
    let between_slices =
        axes().filter_map(|axis| cheapest_between_slices(cell, axis, [lo[axis], hi[axis]]));
    between_slices.min_by_key(CutCandidate::cost).or_else(|| {
        // All faces lie in one slice.
        let sites = axes().filter_map(|axis| in_the_middle(cell, axis));
        sites
            .filter(CutCandidate::is_even)
            .min_by_key(CutCandidate::cost)
    })
}

/// Whether both parts would be wide enough.
fn leaves_room(cell: &Cell, axis: usize, at: i64) -> bool {
    (at - cell.lo[axis]).min(cell.hi[axis] - at) >= THINNEST
}

/// The cheapest cut between slices of the faces' extent, as in binned tree builds (Wald, On fast Construction of
/// SAH-based Bounding Volume Hierarchies, 2007).
fn cheapest_between_slices(cell: &Cell, axis: usize, [from, to]: [f64; 2]) -> Option<CutCandidate> {
    let slice = |x: f64| (((x - from) / (to - from) * SLICES as f64) as usize).min(SLICES - 1);
    // Faces that begin and that end in each slice.
    let [mut begin, mut end] = [[0; SLICES]; 2];
    let (mut below, mut above) = (0, 0);
    for (lo, hi) in cell.extents(axis) {
        begin[slice(lo)] += 1;
        end[slice(hi)] += 1;
        above += 1;
    }
    let all = above;
    let sites = (1..SLICES).filter_map(|i| {
        below += end[i - 1];
        above -= begin[i - 1];
        let at = from + (to - from) * i as f64 / SLICES as f64;
        let site = CutCandidate {
            axis,
            at: (2.0 * at) as i64 | 1,
            below,
            above,
            all,
        };
        let is_fit = site.is_even() && leaves_room(cell, axis, site.at);
        is_fit.then_some(site)
    });
    sites.min_by_key(CutCandidate::cost)
}

/// The cut at the median of the faces' middles.
fn in_the_middle(cell: &Cell, axis: usize) -> Option<CutCandidate> {
    let mut middles: Vec<f64> = cell.extents(axis).map(|(lo, hi)| lo + hi).collect();
    let all = middles.len();
    if all == 0 {
        return None;
    }
    let (_, &mut middle, _) = middles.select_nth_unstable_by(all / 2, f64::total_cmp);
    let at = middle as i64 | 1;
    let side = |is_there: &dyn Fn(f64, f64) -> bool| {
        cell.extents(axis)
            .filter(|&(lo, hi)| is_there(lo, hi))
            .count()
    };
    let site = CutCandidate {
        axis,
        at,
        below: side(&|_, hi| hi < steps(at)),
        above: side(&|lo, _| lo > steps(at)),
        all,
    };
    leaves_room(cell, axis, at).then_some(site)
}

/// Splits a cell across an axis; meshes are not updated yet.
pub(super) fn cut(
    geometry: &mut Geometry,
    visible: &mut Visible,
    cell: RoomId,
    (axis, at): (usize, i64),
    touched: &mut Touched,
) {
    let [above, below] = sides(
        &mut geometry.planes,
        &geometry.cells[cell as usize],
        axis,
        at,
    )
    .expect("a cut lies within its cell");
    let old = &geometry.cells[cell as usize];
    let (mut near, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    for (id, face) in old.all() {
        if face.lo[axis] > steps(at) {
            high.push(id);
        } else if face.hi[axis] >= steps(at) {
            near.push(id);
        } else {
            low.push(id);
        }
    }
    let is_high_new = high.len() <= low.len();
    // Each part is the cell with the other part filled.
    let (gone, other, mut moving) = match is_high_new {
        true => (above, below, high),
        false => (below, above, low),
    };
    let kept = boolean::apply(
        &geometry.planes,
        &old.sides,
        &old.faces,
        &near,
        &gone,
        Op::Fill,
    );
    let new = boolean::apply(
        &geometry.planes,
        &old.sides,
        &old.faces,
        &near,
        &other,
        Op::Fill,
    );
    let stays = |change: &boolean::Change, id: &u32| change.removed.binary_search(id).is_err();
    near.retain(|id| !stays(&kept, id));
    moving.extend(near.iter().filter(|id| stays(&new, id)));
    let (lo, hi) = (old.lo, old.hi);
    let place = Cut {
        axis,
        at,
        is_high_new,
    };
    split_off(geometry, visible, cell, place);
    touched.log.push(Entry::CellSplit(cell, place));
    let part = geometry.cells.len() as RoomId - 1;
    touched.cells.insert(part);
    // Its faces may double before it is crowded itself.
    let coming = moving.len() + new.added.len();
    let home: &mut Cell = &mut geometry.cells[part as usize];
    home.reserve(2 * coming);
    for id in moving.into_iter().map(|id| (cell, id)) {
        let now = geometry.move_face(id, part);
        touched.log.push(Entry::Moved(id, now));
        if touched.added.remove(&id) {
            touched.added.insert(now);
        }
    }
    for &id in near.iter().filter(|id| !stays(&new, id)) {
        remove(geometry, (cell, id), touched);
    }
    for (part, change) in [(cell, kept), (part, new)] {
        for face in change.added {
            insert(geometry, part, face, touched);
        }
    }
    // Neighbours take over the corners that the cut made.
    let (from, to) = (lo.map(|x| steps(x) - 1.0), hi.map(|x| steps(x) + 1.0));
    let (from, to) = (DVec3::from_array(from), DVec3::from_array(to));
    let place = ConformBox::slice(from, to, axis, steps(at));
    let mut cells = Vec::new();
    let slab = crate::geom::Aabb {
        min: place.lo / super::GRID,
        max: place.hi / super::GRID,
    }
    .grow(1e-6);
    visible.tree.each_cell_in_box(&slab, &mut |c| cells.push(c));
    cells.sort_unstable();
    conform(geometry, &cells, &place, touched);
    let near = portals::of_rooms(visible, &[cell, part]);
    portals::update(geometry, visible, &near);
}

/// The boxes above and below the cut. They extend well beyond the cell, so that only the facet on the cut meets
/// anything.
fn sides(planes: &mut Planes, cell: &Cell, axis: usize, at: i64) -> Option<[Polytope; 2]> {
    let (lo, hi) = (cell.lo.map(|x| x - 8192), cell.hi.map(|x| x + 8192));
    let (mut middle_lo, mut middle_hi) = (lo, hi);
    (middle_lo[axis], middle_hi[axis]) = (at, at);
    Some([
        Polytope::from_box(planes, middle_lo, hi, Surface::Wall)?,
        Polytope::from_box(planes, lo, middle_hi, Surface::Wall)?,
    ])
}

/// Turns a part of a cell into a new cell, the last one. Faces do not move.
pub(super) fn split_off(geometry: &mut Geometry, visible: &mut Visible, id: RoomId, cut: Cut) {
    let Cut {
        axis,
        at,
        is_high_new,
    } = cut;
    let new = geometry.cells.len() as RoomId;
    let [low, high] = if is_high_new { [id, new] } else { [new, id] };
    let cell = &geometry.cells[id as usize];
    visible.tree.cut([cell.lo, cell.hi], axis, at, [low, high]);
    let (mut lo, mut hi, mut shared) = (cell.lo, cell.hi, cell.shared);
    let end = if is_high_new { &mut lo } else { &mut hi };
    (end[axis], shared[2 * axis + !is_high_new as usize]) = (at, true);
    let part = Cell::new(&mut geometry.planes, lo, hi, shared);
    geometry.set_side(id, (axis, is_high_new), at, true);
    visible.rooms[id as usize].cell = geometry.cells[id as usize].bounds();
    visible
        .rooms
        .push(Room::empty(part.bounds(), visible.revision));
    visible.editors.push(Shared::default());
    geometry.push_cell(part);
    for i in visible.rooms[id as usize].portals.clone() {
        trim(geometry, visible, i);
        let Link { rooms, axis, .. } = visible.links[i as usize];
        let rooms = rooms.map(|r| if r == id { new } else { r });
        let [p, q] = rooms.map(|r| &geometry.cells[r as usize]);
        if let Some((lo, hi)) = portals::overlap(p, q, axis) {
            let born = visible.portals[i as usize].born;
            let link = Link {
                rooms,
                axis,
                lo,
                hi,
            };
            portals::add(visible, link, born);
        }
    }
    if let Some(link) = portals::link(&geometry.cells, low, high) {
        portals::add(visible, link, None);
    }
}

/// A room whose cell was joined to another, as drawn last.
#[derive(Debug)]
pub(super) struct JoinedRoom {
    pub id: RoomId,
    pub room: Room,
    pub editor: Shared<MeshEditor>,
}

/// Undoes [`split_off`] for the last cell, a part of `id`; its faces have been moved back.
pub(super) fn join_cell(
    geometry: &mut Geometry,
    visible: &mut Visible,
    id: RoomId,
    cut: Cut,
) -> JoinedRoom {
    const CUT: &str = "a cut left a cell, its room and its mesh editor";
    let part = geometry.pop_cell().expect(CUT);
    let editor = visible.editors.pop().expect(CUT);
    let new = geometry.cells.len() as RoomId;
    assert!(
        part.all().next().is_none(),
        "the faces of cell {new} have gone home"
    );
    while let Some(link) = visible.links.last()
        && link.rooms.contains(&new)
    {
        let link = visible.links.pop().expect("it is the last one");
        visible.portals.pop();
        for r in link.rooms {
            visible.rooms[r as usize].portals.pop();
        }
    }
    let room = visible.rooms.pop().expect(CUT);
    let (axis, is_high) = (cut.axis, cut.is_high_new);
    let at = if is_high { part.hi } else { part.lo }[axis];
    let shared = part.shared[2 * axis + is_high as usize];
    geometry.set_side(id, (axis, is_high), at, shared);
    part.sides
        .iter()
        .for_each(|s| geometry.planes.release(s.plane));
    let cell = &geometry.cells[id as usize];
    visible.tree.join([cell.lo, cell.hi], id);
    visible.rooms[id as usize].cell = cell.bounds();
    for i in visible.rooms[id as usize].portals.clone() {
        trim(geometry, visible, i);
    }
    JoinedRoom {
        id: new,
        room,
        editor,
    }
}

/// Updates the rectangle that the two cells of a link share.
fn trim(geometry: &Geometry, visible: &mut Visible, i: u32) {
    let link = &mut visible.links[i as usize];
    let [p, q] = link.rooms.map(|r| &geometry.cells[r as usize]);
    (link.lo, link.hi) = portals::overlap(p, q, link.axis).unwrap_or_default();
}
