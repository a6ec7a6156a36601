//! What structures carry, to be drawn: utilisation on faces, bonds as lines, the path of a load to the ground.
use super::colours::heat_colour;
use super::line::Line;
use super::palette::with_alpha;
use super::snapshot::Stress;
use crate::geom::Aabb;
use crate::level::material::structural;
use crate::sim::Sim;
use crate::solid::{BlockId, block_at};
use crate::strength::{Checked, LoadPath, Strength};
use crate::structure::Mode;
use crate::world::Revision;
use glam::{DVec3, dvec3};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Work of a look in a drawn frame, units of about a nanosecond.
pub const LOOK_UNITS: u64 = 2_000_000;
/// Most bonds that are drawn, the nearest ones.
const MOST_BONDS: usize = 6000;
/// Length of the arrow of the greatest force, metres; others by the square root of theirs.
const ARROW_M: f64 = 0.45;
/// Opacity of lines within solid: they are drawn behind walls, where little of it is left.
const INSIDE_ALPHA: f32 = 4.0;
/// How far inside its face solid is asked for, metres.
const INSIDE_M: f64 = 0.01;

/// What structures carry: what the last check of the simulation found, and a check of its own around what is looked at. No
/// tick knows of the latter.
#[derive(Debug, Default)]
pub struct StructureLook {
    /// What a look begins with: it knows what the authored level needs wherever a look was so far.
    base: Option<Strength>,
    own: Option<Strength>,
    /// What `own` looks at.
    given: Option<Given>,
    /// Blocks that were looked at.
    seen: FxHashSet<BlockId>,
    /// The drawing of what was found.
    drawn: Option<(Vec<Arc<Checked>>, Arc<Stress>)>,
}

/// What decides about the outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Given {
    revision: Revision,
    gravity: DVec3,
    strength: f64,
}

impl StructureLook {
    /// Looks at the solid behind a point of a face (metres, with the normal), or goes on with the look before, for so many
    /// units of work. Where strength is off, it looks as if it were 1.
    pub fn look(&mut self, sim: &Sim, face: Option<(DVec3, DVec3)>, units: u64) {
        let settings = &sim.settings;
        let given = Given {
            revision: sim.world.revision(),
            gravity: dvec3(0.0, -settings.gravity, 0.0),
            strength: if settings.strength > 0.0 {
                settings.strength
            } else {
                1.0
            },
        };
        if self.given != Some(given) {
            self.given = Some(given);
            self.own = None;
            self.seen.clear();
        }
        let wanted = face.map(|(point, normal)| point - normal * INSIDE_M);
        if let Some(point) = wanted.filter(|_| !self.is_under_way())
            && self.at(sim, point).is_none()
            && self.seen.insert(block_at(point))
        {
            self.begin(sim, point);
        }
        let Some(own) = self.own.as_mut().filter(|own| !own.changed().is_empty()) else {
            return;
        };
        if own
            .advance(&sim.world, given.gravity, given.strength, units)
            .is_some()
        {
            self.base = Some(own.clone());
        }
    }

    /// [`StructureLook::look`] to its end.
    pub fn look_through(&mut self, sim: &Sim, face: Option<(DVec3, DVec3)>) {
        self.look(sim, face, LOOK_UNITS);
        while self.is_under_way() {
            self.look(sim, None, LOOK_UNITS);
        }
    }

    /// A look has not come to its end.
    pub fn is_under_way(&self) -> bool {
        let own = self.own.as_ref();
        own.is_some_and(|own| !own.changed().is_empty())
    }

    /// What holds the solid behind a point of a face: the check and the block in it.
    pub fn behind(
        &self,
        sim: &Sim,
        (point, normal): (DVec3, DVec3),
    ) -> Option<(Arc<Checked>, u32)> {
        self.at(sim, point - normal * INSIDE_M)
    }

    /// Utilisation by block of everything found.
    pub fn stress(&mut self, sim: &Sim) -> Arc<Stress> {
        let found: Vec<Arc<Checked>> = self.found(sim).cloned().collect();
        if let Some((of, stress)) = &self.drawn
            && of.len() == found.len()
            && of.iter().zip(&found).all(|(a, b)| Arc::ptr_eq(a, b))
        {
            return stress.clone();
        }
        let all = found.iter().flat_map(|checked| checked.utilisations());
        let mut all: Stress = all.map(|(block, u)| (block, u as f32)).collect();
        all.sort_by_key(|one| one.0);
        // Of two that know a block the look comes first: it is of this world.
        all.dedup_by_key(|one| one.0);
        let stress = Arc::new(all);
        self.drawn = Some((found, stress.clone()));
        stress
    }

    /// The bonds of everything found: lines between the centres of blocks through their sections, and arrows of the forces
    /// on the sections' upper sides.
    pub fn bond_lines(&self, sim: &Sim, eye: DVec3) -> Vec<Line> {
        let mut lines = Vec::new();
        // The simulation's own, where there is one: both may hold the same structure.
        if let Some(checked) = self.found(sim).next() {
            bond_lines(checked, eye, &mut lines);
        }
        lines
    }

    fn begin(&mut self, sim: &Sim, point: DVec3) {
        if self.base.is_none() {
            self.base = sim.strength_to_look();
        }
        let Some(base) = &self.base else { return };
        let own = self.own.get_or_insert_with(|| base.clone());
        let new = sim.world.materials.iter().skip(own.material_count());
        own.add_materials(new.map(|material| structural(&material.texture)));
        own.note_change(&Aabb::from_centre(point, DVec3::splat(INSIDE_M)));
    }

    fn at(&self, sim: &Sim, point: DVec3) -> Option<(Arc<Checked>, u32)> {
        let mut found = self.found(sim);
        found.find_map(|checked| Some((checked.clone(), checked.block_at(point)?)))
    }

    /// What the look has found, then what the last check has.
    fn found<'a>(&'a self, sim: &'a Sim) -> impl Iterator<Item = &'a Arc<Checked>> {
        let own = self.own.as_ref().and_then(Strength::last);
        own.into_iter().chain(sim.checked())
    }
}

/// The colour of a utilisation, linear RGB: blue little, red at the limit. Structures seldom bear a tenth of what they can,
/// so the colours go by its square root.
pub fn stress_colour(utilisation: f64) -> [f32; 3] {
    heat_colour(utilisation.clamp(0.0, 1.0).sqrt() as f32)
}

/// The name of a stress.
pub fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Tension => "tension",
        Mode::Compression => "compression",
        Mode::Shear => "shear",
    }
}

fn inside(from: DVec3, to: DVec3, utilisation: f64) -> Line {
    Line {
        from,
        to,
        colour: with_alpha(stress_colour(utilisation), INSIDE_ALPHA),
    }
}

fn bond_lines(checked: &Checked, eye: DVec3, lines: &mut Vec<Line>) {
    let bonds = &checked.structure.bonds;
    let mut nearest: Vec<usize> = (0..bonds.len())
        .filter(|&i| checked.states[i].utilisation.is_finite())
        .collect();
    let away = |&i: &usize| bonds[i].section.centre.distance_squared(eye);
    nearest.sort_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)));
    nearest.truncate(MOST_BONDS);
    let forces = nearest.iter().map(|&i| checked.states[i].force.length());
    let most = forces.fold(0.0, f64::max).max(1e-9);
    for i in nearest {
        let (bond, state) = (&bonds[i], &checked.states[i]);
        let middle = bond.section.centre;
        for end in [bond.low, bond.high].into_iter().flatten() {
            let centre = checked.structure.blocks[end as usize].centre;
            lines.push(inside(centre, middle, state.utilisation));
        }
        let force = state.force.length();
        let Some(dir) = state.force.try_normalize() else {
            continue;
        };
        let tip = middle + dir * (ARROW_M * (force / most).sqrt());
        lines.push(inside(middle, tip, state.utilisation));
        let head = (tip - middle) * 0.3;
        let side = dir.any_orthonormal_vector() * head.length() * 0.5;
        for side in [side, -side] {
            lines.push(inside(tip, tip - head + side, state.utilisation));
        }
    }
}

/// The path of a load as lines, from a point of its first block.
pub fn path_lines(checked: &Checked, path: &LoadPath, from: DVec3) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = from;
    for (&block, &bond) in path.blocks.iter().zip(&path.bonds) {
        let utilisation = checked.states[bond as usize].utilisation;
        let centre = checked.structure.blocks[block as usize].centre;
        let section = checked.structure.bonds[bond as usize].section.centre;
        lines.push(inside(at, centre, utilisation));
        lines.push(inside(centre, section, utilisation));
        at = section;
    }
    lines
}

/// The path of a load in a sentence.
pub fn path_words(checked: &Checked, path: &LoadPath) -> String {
    let steps = path.blocks.len();
    let blocks = if steps == 1 { "block" } else { "blocks" };
    let load = load_words(path.load_n);
    let whither = match path.reaches_ground {
        true => "to the ground",
        false => "and no further: nothing holds it",
    };
    let mut words = format!("Carries {load} over {steps} {blocks} {whither}");
    if let Some(weakest) = path.weakest {
        let state = &checked.states[weakest as usize];
        let mode = mode_name(state.mode);
        let percent = percent_words(state.utilisation);
        words += &format!("; the weakest section is at {percent} in {mode}");
    }
    words + "."
}

/// A force.
pub fn load_words(newtons: f64) -> String {
    let kn = newtons / 1000.0;
    match kn {
        kn if kn < 10.0 => format!("{kn:.1} kN"),
        kn => format!("{kn:.0} kN"),
    }
}

/// A utilisation.
pub fn percent_words(utilisation: f64) -> String {
    let percent = utilisation * 100.0;
    match percent {
        p if !p.is_finite() => "no limit".into(),
        p if p < 9.95 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}
