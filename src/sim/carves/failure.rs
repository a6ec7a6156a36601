//! Failures under load: after each change the strength of the structures around it is checked, and bonds that are too
//! weak for their load are cut.
use super::jagged::{self, Slab};
use super::materials::{material_id, substance_of};
use super::queue;
use crate::bvh::QueryStats;
use crate::collide::closest_point_triangle;
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::level::{self, SavedOperation};
use crate::sim::giving_way::GivingWay;
use crate::sim::loads::{self, Loads};
use crate::sim::queued_operation::{Cause, QueuedOperation};
use crate::sim::report::{BrokenSection, CheckReport, StepReport};
use crate::sim::simulation::Sim;
use crate::solid::Lattice;
use crate::strength::{Break, Strength};
use crate::structure::Section;
use crate::timing::{Marker, Stage};
use crate::world::{MaterialId, Op, Operation, World};
use glam::{DVec3, dvec3};

/// Work of a check in a tick, units of about a nanosecond.
const CHECK_UNITS: u64 = 4_000_000;
/// Of sections that lie behind each other within this distance one breaks at a time, metres.
const MEMBER_M: f64 = 3.0;
/// Sections across one axis that are nearer to each other are in one plane, metres.
const SAME_PLANE_M: f64 = 0.01;
/// Sections that overlap by less lie beside each other, metres.
const EDGE_M: f64 = 1e-3;
/// A cut reaches this far beyond the section, metres.
const MARGIN_M: f64 = 0.02;
/// Half the least and the greatest thickness of a cut, metres.
const HALF_THICKNESS_M: [f64; 2] = [0.01, 0.05];
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
    check.set_lattice(Lattice::new(sim.settings.block));
    // Queued changes come first: the check after them sees them all.
    if !sim.queue.is_empty() {
        return;
    }
    let gravity = dvec3(0.0, -sim.settings.gravity, 0.0);
    let is_due = sim.loads.is_waiting() || !check.changed().is_empty();
    if check.calls() == 0 && is_due {
        for broken in sim.giving_way.interrupt() {
            let size = DVec3::splat(sim.settings.block);
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
    a.axis == b.axis && SAME_PLANE_M < away && reach.overlaps(&b.bounds())
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
        brushes: jagged::slab(&gap(section), exposed, &mut rng),
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

/// The cut through a section: a little wider than it.
fn gap(section: &Section) -> Slab {
    Slab {
        centre: section.centre,
        axis: section.axis,
        low: section.low - MARGIN_M,
        high: section.high + MARGIN_M,
        facet_m: FACET_M,
        half_thickness_m: HALF_THICKNESS_M,
    }
}

/// The material of the surface nearest to a point; of equally near ones that of the triangle with the lowest key, whatever
/// the tree finds first.
fn material_near(sim: &Sim, point: DVec3) -> Option<MaterialId> {
    let world = &sim.world;
    let around = Aabb::from_centre(point, DVec3::splat(0.5));
    let mut nearest = None;
    world.each_triangle_in_box(
        &around,
        &mut QueryStats::default(),
        &mut |room, triangle| {
            let room = world.room(room);
            let triangle = room.mesh.triangles[triangle as usize];
            let corners = triangle.corners.map(|c| room.mesh.positions[c as usize]);
            let distance = closest_point_triangle(point, &corners).distance(point);
            let material = room.faces[triangle.face as usize].material;
            let found = (distance, triangle.key, material);
            if nearest.is_none_or(|nearest| found < nearest) {
                nearest = Some(found);
            }
        },
    );
    nearest.map(|(.., material)| material)
}
