//! The commit of an operation: all of its faces become visible at once, or none.
use super::delta::Delta;
use super::error::WorldError;
use super::geometry::Geometry;
use super::pending_operation::{Change, PendingOperation, Phase};
use super::report::{CarveReport, NoEffect};
use super::restore::take_back;
use super::revision::Revision;
use super::visible::Visible;
use super::{GRID, census, mesh, migration, portals, subdivision, unbreakable};
use crate::carve::Op;
use crate::geom::Aabb;
use crate::stage::{Marker, Stage};

/// Makes the change visible; refuses it as a whole where it would exceed the memory budget.
pub(super) fn commit(
    geometry: &mut Geometry,
    visible: &mut Visible,
    work: PendingOperation,
    budget: usize,
    marker: &mut dyn Marker,
) -> Result<CarveReport, WorldError> {
    let PendingOperation {
        mut change, phase, ..
    } = work;
    let (islands, drawn) = match phase {
        Phase::Draw(draw) => (draw.islands, draw.drawn),
        Phase::Clip(_) | Phase::Conform(_) | Phase::Islands(_) => {
            unreachable!("all phases are over")
        }
    };
    let mut report = CarveReport {
        volume_m3: change.volume_m3,
        faces: change.touched.faces,
        watertight: geometry.edges.unmatched == 0,
        material: change.touched.largest.map(|l| l.1),
        islands,
        ..Default::default()
    };
    if change.touched.cells.is_empty() {
        report.no_effect = Some(no_effect(geometry, &change));
        return Ok(report);
    }
    let fallen = report.islands.len() as u64;
    let needed = geometry.bytes();
    if needed > budget && needed > change.before.bytes {
        take_back(geometry, Delta::new(change.touched.log, fallen));
        return Err(WorldError::Budget { needed, budget });
    }
    visible.revision = Revision::next();
    // Log entries that the prepared rooms show already.
    let seen = match drawn.is_empty() {
        true => 0,
        false => change.touched.log.len(),
    };
    mesh::publish(visible, drawn);
    marker.begin(Stage::Portals);
    let near = portals::of_walls(geometry, visible, &change.touched.log);
    report.portals_opened = portals::update(geometry, visible, &near);
    portals::note_born(visible, &report.portals_opened);
    subdivision::split_crowded(geometry, visible, &mut change.touched);
    marker.end(Stage::Portals);
    marker.begin(Stage::Bins);
    report.rooms = change.touched.cells.iter().copied().collect();
    migration::update(geometry, visible, &change.touched.log[seen..], Vec::new());
    marker.end(Stage::Bins);
    visible.face_hash = geometry.face_hash;
    debug_assert!(
        geometry.edges.unmatched <= change.before.unmatched,
        "a change leaves every edge its opposite"
    );
    debug_assert_eq!(census::faults_of(geometry, visible, &report.rooms), [""; 0]);
    let solids = Aabb {
        min: change.lo / GRID,
        max: change.hi / GRID,
    };
    let pieces = report.islands.iter().map(|island| &island.bounds);
    report.bounds = Some(pieces.fold(solids, |all, one| all.union(one)));
    report.delta = Delta::new(change.touched.log, fallen);
    Ok(report)
}

/// Why nothing changed.
fn no_effect(geometry: &Geometry, change: &Change) -> NoEffect {
    let [lo, hi] = geometry.bounds.map(|p| p.as_dvec3());
    match change.op {
        Op::Fill => NoEffect::Solid,
        Op::Carve if unbreakable::is_near(geometry, change.lo, change.hi) => NoEffect::Unbreakable,
        Op::Carve if change.lo.cmplt(lo).any() || change.hi.cmpgt(hi).any() => NoEffect::Bedrock,
        Op::Carve => NoEffect::Air,
    }
}
