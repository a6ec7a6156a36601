//! Failures under load: after each change the strength of the structures around it is checked, and bonds that are too
//! weak for their load are cut.
use super::materials::{material_id, substance_of};
use super::queue;
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::level::{self, SavedOperation};
use crate::sim::giving_way::GivingWay;
use crate::sim::loads::{self, Loads};
use crate::sim::queued_operation::{Cause, QueuedOperation};
use crate::sim::report::{BrokenSection, CheckReport, StepReport};
use crate::sim::simulation::Sim;
use crate::strength::{BLOCK_M, Break, Strength};
use crate::structure::Section;
use crate::timing::{Marker, Stage};
use crate::world::{BrushDesc, MaterialId, Op, Operation, World};
use glam::{DVec2, DVec3, dvec2, dvec3};

/// Work of a check in a tick, units of about a nanosecond.
const CHECK_UNITS: u64 = 4_000_000;
/// Of sections that lie behind each other within this distance one breaks at a time, metres.
const MEMBER_M: f64 = 6.0 * BLOCK_M;
/// Sections that overlap by less lie beside each other, metres.
const EDGE_M: f64 = 1e-3;
/// A cut reaches this far beyond the section, metres.
const MARGIN_M: f64 = 0.02;
/// Half the least and the greatest thickness of a cut, metres.
const HALF_THICKNESS_M: [f64; 2] = [0.01, 0.05];
/// Overlap of neighbouring pieces, metres.
const OVERLAP_M: f64 = 0.002;
/// Edge of the pieces of a cut, each of its own thickness, metres.
const FACET_M: f64 = 0.2;

/// Goes on with the check of strength. The bonds that its verdict finds too weak creak for a while and are then queued to be
/// cut, the worst first, so many at most: what they carried goes elsewhere, which the next check sees.
pub(in crate::sim) fn check_strength(
    sim: &mut Sim,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    let Some(check) = &mut sim.strength else {
        return;
    };
    if sim.settings.strength == 0.0 {
        check.dismiss();
        sim.loads = Loads::default();
        sim.giving_way = GivingWay::default();
        return;
    }
    // Queued changes come first: the check after them sees them all.
    if !sim.queue.is_empty() {
        return;
    }
    let gravity = dvec3(0.0, -sim.settings.gravity, 0.0);
    let is_due = sim.loads.is_waiting() || !check.changed().is_empty();
    if check.calls() == 0 && is_due {
        for broken in sim.giving_way.interrupt() {
            let size = DVec3::splat(BLOCK_M);
            check.note_load(&Aabb::from_centre(broken.section.centre, size));
        }
        marker.begin(Stage::Structure);
        loads::begin_check(&mut sim.loads, check, &sim.world, &sim.bodies, gravity);
        marker.end(Stage::Structure);
    }
    if check.changed().is_empty() {
        break_what_is_due(sim, report);
        return;
    }
    marker.begin(Stage::Structure);
    add_new_materials(check, &sim.world);
    let scale = sim.settings.strength;
    let verdict = check.advance(&sim.world, gravity, scale, CHECK_UNITS);
    if let Some(verdict) = verdict {
        if let Some(at) = verdict.unheld.filter(|_| !sim.has_said_unheld) {
            sim.has_said_unheld = true;
            let notice = format!(
                "nothing holds the solid at {:.1}, {:.1}, {:.1}: it stays in the air, and does not break under its load",
                at.x, at.y, at.z
            );
            report.notices.push(notice);
        }
        report.check = Some(CheckReport {
            blocks: verdict.blocks,
            bonds: verdict.bonds,
            utilisation: verdict.utilisation,
            overloaded: verdict.breaks.len(),
            is_too_large: verdict.is_too_large,
        });
        // What is hit breaks at once.
        let creak = match sim.loads.has_impact() {
            true => 0.0,
            false => sim.settings.creak,
        };
        sim.loads.end_check();
        let breaks = one_a_member(verdict.breaks, sim.settings.breaks as usize);
        sim.giving_way.begin(breaks, sim.tick, creak);
        break_what_is_due(sim, report);
    }
    marker.end(Stage::Structure);
}

/// Queues the cuts of the sections whose creaking is over.
fn break_what_is_due(sim: &mut Sim, report: &mut StepReport) {
    for one in sim.giving_way.take_due(sim.tick) {
        report.broken.push(BrokenSection {
            centre: one.section.centre,
            area_m2: one.section.area,
            material: one.material,
            mode: one.mode,
            utilisation: one.utilisation,
        });
        let cut = cut(sim, &one);
        sim.queue.push_back(cut);
    }
}

/// Tells a check of the materials that the world has gained.
pub fn add_new_materials(check: &mut Strength, world: &World) {
    let new = world.materials.iter().skip(check.material_count());
    let new = new.map(|material| level::material::structural(&material.texture));
    check.add_materials(new);
}

/// The first of these, the worst, so many at most. Of those that lie one behind the other in a member only the worst: once it
/// has broken the others carry nothing.
fn one_a_member(breaks: Vec<Break>, most: usize) -> Vec<Break> {
    let mut chosen: Vec<Break> = Vec::new();
    for one in breaks {
        if chosen.len() == most {
            break;
        }
        if !chosen
            .iter()
            .any(|other| is_behind(&one.section, &other.section))
        {
            chosen.push(one);
        }
    }
    chosen
}

/// Whether one section lies behind another one of the same direction, within a few blocks.
fn is_behind(a: &Section, b: &Section) -> bool {
    let away = (a.centre[a.axis] - b.centre[a.axis]).abs();
    let mut along = DVec3::ZERO;
    along[a.axis] = MEMBER_M;
    // Those beside it share an edge with it.
    let own = a.bounds().grow(-EDGE_M);
    let reach = Aabb {
        min: own.min - along,
        max: own.max + along,
    };
    a.axis == b.axis && away > 0.5 * BLOCK_M && reach.overlaps(&b.bounds())
}

/// Drops the failures at the end of the queue, since the change that they follow from is to be undone.
pub(in crate::sim) fn cancel_failures(
    sim: &mut Sim,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    while sim
        .queue
        .back()
        .is_some_and(QueuedOperation::is_consequence)
    {
        queue::cancel(sim, sim.queue.len() - 1, report, marker);
    }
}

/// A thin jagged cut through a section.
fn cut(sim: &mut Sim, broken: &Break) -> QueuedOperation {
    let section = &broken.section;
    let substance = substance_of(&sim.world, material_near(sim, section.centre));
    let exposed = material_id(sim, substance.exposed());
    let mut rng = Rng::new(sim.rng.next_u64());
    let operation = Operation {
        op: Op::Carve,
        brushes: jagged(broken, exposed, &mut rng),
    };
    let radius = (section.high - section.low).length() / 2.0;
    QueuedOperation {
        saved: SavedOperation::Brushes(operation.clone()),
        operation: Ok(operation),
        cause: Cause::Failure,
        centre: section.centre,
        radius,
        reach: radius + 0.5,
        mouth: section.centre,
        normal: DVec3::Y,
        material: exposed,
    }
}

/// Boxes side by side over a section, each of its own thickness on either side.
fn jagged(broken: &Break, material: MaterialId, rng: &mut Rng) -> Vec<BrushDesc> {
    let section = &broken.section;
    let (axis, u, v) = (section.axis, (section.axis + 1) % 3, (section.axis + 2) % 3);
    let (low, high) = (section.low - MARGIN_M, section.high + MARGIN_M);
    let count = ((high - low) / FACET_M).ceil().max(DVec2::ONE);
    let size = (high - low) / count;
    let mut brushes = Vec::new();
    for i in 0..count.x as i32 {
        for k in 0..count.y as i32 {
            let corner = low + size * dvec2(f64::from(i), f64::from(k));
            let (mut min, mut max) = (section.centre, section.centre);
            (min[u], min[v]) = (min[u] + corner.x, min[v] + corner.y);
            // They overlap, so that rounding to the grid leaves no web between them.
            (max[u], max[v]) = (min[u] + size.x + OVERLAP_M, min[v] + size.y + OVERLAP_M);
            let [least, most] = HALF_THICKNESS_M;
            min[axis] -= rng.range(least, most);
            max[axis] += rng.range(least, most);
            // Beyond the grid there is no box, and nothing to break.
            brushes.extend(BrushDesc::cuboid(min, max).map(|b| b.with_material(material)));
        }
    }
    brushes
}

/// The material of a surface near a point.
fn material_near(sim: &Sim, point: DVec3) -> Option<MaterialId> {
    let world = &sim.world;
    let around = Aabb::from_centre(point, DVec3::splat(0.5));
    let mut found = None;
    world.each_triangle_in_box(
        &around,
        &mut QueryStats::default(),
        &mut |room, triangle| {
            let room = world.room(room);
            let face = room.mesh.triangles[triangle as usize].face;
            found = found.or(Some(room.faces[face as usize].material));
        },
    );
    found
}
