//! Chunks that break where they hit something: a long one that is stopped bends, and breaks across where its material is too
//! weak for that ([`bending`]).
use super::jagged::{self, Slab};
use super::materials::{material_id, substance_of};
use crate::debris::bending::{Bending, bending, home_bounds};
use crate::debris::{Body, Chunk, clearance, fracture, spawn};
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::level;
use crate::sim::impacts::{IMPACT_SECS, Stopped};
use crate::sim::report::StepReport;
use crate::sim::simulation::Sim;
use crate::sim::state::Dust;
use crate::sim::undo;
use glam::{DVec2, DVec3, dvec2};

/// A chunk breaks into no more parts at once.
const MOST_PARTS: u32 = 4;
/// Chunks of more triangles stay whole, so that a break takes a few milliseconds.
const MOST_TRIANGLES: usize = 800;
/// Least edge of the boxes of a cut, metres.
const FACET_M: f64 = 0.25;
/// Most boxes of a cut along each of its edges.
const MOST_FACETS: f64 = 4.0;
/// Half the least and the greatest thickness of a cut, metres.
const HALF_THICKNESS_M: [f64; 2] = [0.005, 0.03];
/// A cut reaches this far beyond the chunk, metres.
const MARGIN_M: f64 = 0.02;
/// How far a cut may lie from where parts would be equal, as a part of their length.
const SCATTER: f64 = 0.2;

/// A chunk that breaks, with its home frame's box.
struct Breaking<'a> {
    body: &'a Body,
    chunk: &'a Chunk,
    bounds: Aabb,
    axis: usize,
    parts: u32,
}

/// Breaks the heaviest of the chunks that were stopped too hard for their material. One a tick: each is a carve.
pub(in crate::sim) fn break_up(sim: &mut Sim, stopped: &[Stopped], report: &mut StepReport) {
    if sim.settings.strength == 0.0 {
        return;
    }
    let all = stopped.iter().filter_map(|one| {
        let known = sim.bodies.get(one.index as usize);
        let known = known.filter(|body| body.id() == one.id);
        let found = known.or_else(|| sim.bodies.iter().find(|body| body.id() == one.id));
        found.zip(Some(one))
    });
    let breaking = all.filter_map(|(body, one)| breaking(sim, body, one.change));
    let Some(heaviest) = breaking.max_by(|a, b| a.chunk.mass.total_cmp(&b.chunk.mass)) else {
        return;
    };
    let mut rng = sim.rng.clone();
    let cuts = cuts(&heaviest, &mut rng);
    let body = heaviest.body.clone();
    let exposed = substance_of(&sim.world, Some(body.material)).exposed();
    let inner = material_id(sim, exposed);
    let Some(chunk) = body.chunk.as_ref() else {
        return;
    };
    let brushes = cuts
        .iter()
        .flat_map(|cut| jagged::slab(cut, fracture::OPENED, &mut rng));
    let Some(mut parts) = fracture::pieces(&body, chunk, brushes.collect(), inner) else {
        return;
    };
    sim.rng = rng;
    if parts.len() < 2 {
        return;
    }
    let (world, stats) = (&sim.world, &mut report.queries);
    parts.retain_mut(|part| clearance::free(part, world, body.radius, stats));
    raise_dust(sim, &body, chunk, &cuts);
    undo::note_broken_up(sim, &body, &parts);
    let (world, rng, with_crumbs) = (&sim.world, &mut sim.rng, sim.settings.debris);
    let (origin, turn) = chunk.world_from_home(body.pose());
    let mut spawned = parts.len() as u32;
    sim.bodies.change(|bodies| {
        bodies.retain(|other| other.id() != body.id());
        bodies.extend(parts);
        let before = bodies.len();
        for cut in cuts.iter().filter(|_| with_crumbs) {
            let size = cut.high - cut.low;
            let burst = spawn::Burst {
                from: origin + turn * cut.centre,
                normal: DVec3::Y,
                radius: size.length() / 2.0,
                volume_m3: size.x * size.y * (HALF_THICKNESS_M[0] + HALF_THICKNESS_M[1]),
                material: inner,
            };
            spawned += spawn::burst(bodies, world, rng, &burst, stats);
        }
        for crumb in &mut bodies[before..] {
            crumb.operation = body.operation;
        }
    });
    report.spawned += spawned;
}

/// How a body breaks that lost `change` of its velocity in a tick, m/s; None if it does not.
fn breaking<'a>(sim: &Sim, body: &'a Body, change: DVec3) -> Option<Breaking<'a>> {
    let chunk = body.chunk.as_deref()?;
    if MOST_TRIANGLES < chunk.mesh.triangles.len() {
        return None;
    }
    let texture = &sim.world.materials.get(body.material as usize)?.texture;
    let law = level::material::structural(texture).law();
    let bounds = home_bounds(chunk)?;
    let (_, turn) = chunk.world_from_home(body.pose());
    let slow = turn.inverse() * change / IMPACT_SECS;
    let Bending { axis, stress } = bending(&bounds, slow, law.density)?;
    let used = stress / (law.tension * sim.settings.strength);
    // A part of an nth of the length bears n² times as much.
    let parts = libm::sqrt(used).ceil().clamp(2.0, f64::from(MOST_PARTS)) as u32;
    (1.0 < used).then_some(Breaking {
        body,
        chunk,
        bounds,
        axis,
        parts,
    })
}

/// Cuts that part it into about equal lengths.
fn cuts(breaking: &Breaking, rng: &mut Rng) -> Vec<Slab> {
    let Breaking {
        bounds,
        axis,
        parts,
        ..
    } = *breaking;
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let across = |p: DVec3| dvec2(p[u], p[v]);
    let centre = bounds.centre();
    let half = across(bounds.max - bounds.min) / 2.0 + DVec2::splat(MARGIN_M);
    let length = (bounds.max - bounds.min)[axis] / f64::from(parts);
    let cut = |number: u32| {
        let mut centre = centre;
        let scatter = rng.range(-SCATTER, SCATTER);
        centre[axis] = bounds.min[axis] + length * (f64::from(number) + scatter);
        Slab {
            centre,
            axis,
            low: -half,
            high: half,
            facet_m: FACET_M.max(half.max_element() * 2.0 / MOST_FACETS),
            half_thickness_m: HALF_THICKNESS_M,
        }
    };
    (1..parts).map(cut).collect()
}

/// Dust where a chunk breaks.
fn raise_dust(sim: &mut Sim, body: &Body, chunk: &Chunk, cuts: &[Slab]) {
    let (origin, turn) = chunk.world_from_home(body.pose());
    let dust = cuts.iter().map(|cut| Dust {
        position: origin + turn * cut.centre,
        radius: (cut.high - cut.low).length() / 2.0,
        tick: sim.tick,
        material: Some(body.material),
    });
    sim.dust.extend(dust);
}
