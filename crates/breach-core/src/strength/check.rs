//! The check after a change: a survey, the strength that the authored level needs there, the forces, the verdict.
use super::checked::Checked;
use super::loads::PointLoad;
use super::scale::Scale;
use super::survey::{BondPlace, MOST_BLOCKS, Survey, Surveyed};
use crate::geom::Aabb;
use crate::solid::{BlockId, Lattice, beyond};
use crate::structure::{Memory, Mode, Section, Solution, Solve, StructuralMaterial, Structure};
use crate::world::World;
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::sync::Arc;

mod kept;

/// A bond has at least this many times the strength that its load in the authored level needs.
pub const AUTHORED_MARGIN: f64 = 1.5;

/// A check whose largest structure takes more multiply-adds to factor begins again in larger blocks: a solid tower takes many more
/// than a wall of as many blocks.
const MOST_MULTIPLY_ADDS: u64 = 1_000_000_000;

/// What was cut off an authored structure that is too large or too costly stays in its blocks where it has at most this part of
/// [`MOST_BLOCKS`], an eighth: what its bonds needed as authored is unknown there, and they have the strength of their material.
/// Larger blocks would tell, but not see a thin neck.
const SEVERED_PART: usize = 8;

/// A bond that breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Break {
    /// The section that gives way.
    pub section: Section,
    /// The greatest stress by its strength, above 1.
    pub utilisation: f64,
    /// The stress that breaks it.
    pub mode: Mode,
    /// The force that it carries, N.
    pub force_n: f64,
    /// The material whose strength it has.
    pub material: Option<StructuralMaterial>,
}

/// The outcome of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Bonds that break, the greatest utilisation first; of equal ones the first place.
    pub breaks: Vec<Break>,
    /// Blocks of the structures that were checked.
    pub blocks: usize,
    /// Their bonds.
    pub bonds: usize,
    /// The greatest utilisation; 0 without bonds.
    pub utilisation: f64,
    /// Some structure was too large to check, even in the largest blocks.
    pub is_too_large: bool,
    /// A place in solid that nothing holds, metres: it stays where its author, or a fill, has left it.
    pub unheld: Option<DVec3>,
}

/// Checks strength after changes of one world.
#[derive(Debug)]
pub struct Strength {
    /// The level as authored.
    authored: Arc<World>,
    /// Of each of its materials.
    authored_materials: Vec<StructuralMaterial>,
    /// Of each material of the world that is checked.
    materials: Vec<StructuralMaterial>,
    /// The lattices, the finest first: structures that are too large in one are checked in the next.
    scales: Vec<Scale>,
    /// Which of them the check is at.
    at: usize,
    /// What it has found in those before.
    so_far: Findings,
    /// Boxes that changed since the last verdict, metres.
    changed: Vec<Aabb>,
    /// Boxes that changed while the check was under way and that it has not read: for the next one.
    later: Vec<Aabb>,
    /// Loads in this check, besides weights.
    loads: Vec<PointLoad>,
    /// Calls of [`Strength::advance`] that the check has taken so far, and the units of each.
    calls: (u32, u64),
    phase: Phase,
    memory: Memory,
    /// [`MOST_BLOCKS`], or fewer in tests.
    most_blocks: usize,
    /// [`MOST_MULTIPLY_ADDS`], or fewer in tests.
    most_multiply_adds: u64,
    /// What the last check found, to be looked at.
    last: Vec<Arc<Checked>>,
}

impl Clone for Strength {
    /// The graphs, the check under way and what the last one found are left out. The clone's next call of
    /// [`Strength::advance`] repeats the calls so far, so that the verdict comes in the same call.
    fn clone(&self) -> Self {
        Strength {
            changed: self.changed.clone(),
            later: self.later.clone(),
            loads: self.loads.clone(),
            calls: self.calls,
            scales: self.scales.iter().map(Scale::without_graphs).collect(),
            materials: self.materials.clone(),
            most_blocks: self.most_blocks,
            most_multiply_adds: self.most_multiply_adds,
            ..Strength::new(self.authored.clone(), self.authored_materials.clone())
        }
    }
}

#[derive(Debug, Default)]
enum Phase {
    #[default]
    Idle,
    Survey(Survey),
    /// The authored structures around bonds whose need is not known yet.
    AuthoredSurvey(Surveyed, Survey),
    AuthoredSolve(Surveyed, Vec<BondPlace>, Box<Solve>),
    /// With the needs found in this check.
    Solve(Surveyed, FxHashMap<BondPlace, f64>, Box<Solve>),
    Done,
}

/// What a check has found.
#[derive(Debug, Default)]
struct Findings {
    /// Bonds that break, with the scale and the place of each.
    breaks: Vec<(Break, usize, BondPlace)>,
    /// All but `breaks`.
    verdict: Verdict,
    /// By scale: the factors that bonds of the authored level were found to need.
    needed: Vec<FxHashMap<BondPlace, f64>>,
    checked: Vec<Arc<Checked>>,
}

/// What a check needs to know of the world.
struct Given<'a> {
    world: &'a World,
    gravity: DVec3,
    strength: f64,
}

impl Strength {
    /// For the level as authored, with the structural material of each of its materials. The world that is checked may
    /// number its materials otherwise: see [`Strength::add_materials`].
    pub fn new(authored: Arc<World>, authored_materials: Vec<StructuralMaterial>) -> Strength {
        Strength {
            authored,
            authored_materials,
            materials: Vec::new(),
            scales: Scale::from(Lattice::default()),
            at: 0,
            so_far: Findings::default(),
            changed: Vec::new(),
            later: Vec::new(),
            loads: Vec::new(),
            calls: (0, 0),
            phase: Phase::Idle,
            memory: Memory::default(),
            most_blocks: MOST_BLOCKS,
            most_multiply_adds: MOST_MULTIPLY_ADDS,
            last: Vec::new(),
        }
    }

    /// With fewer blocks in a structure.
    #[cfg(test)]
    pub(super) fn with_most_blocks(mut self, most: usize) -> Strength {
        self.most_blocks = most;
        self
    }

    /// With a cheaper solve.
    #[cfg(test)]
    pub(super) fn with_most_multiply_adds(mut self, most: u64) -> Strength {
        self.most_multiply_adds = most;
        self
    }

    /// Sets the lattice of the blocks in which structures are checked at first. With another one than before, a check under way
    /// begins again.
    pub fn set_lattice(&mut self, lattice: Lattice) {
        if self.scales[0].lattice() != lattice {
            self.restart();
            self.scales = Scale::from(lattice);
            self.last.clear();
        }
    }

    /// Number of materials of the checked world that it knows.
    pub fn material_count(&self) -> usize {
        self.materials.len()
    }

    /// Adds the structural materials of the checked world's next materials.
    pub fn add_materials(&mut self, more: impl IntoIterator<Item = StructuralMaterial>) {
        self.materials.extend(more);
    }

    /// Tells of a change of the surface in a box, metres. A check under way begins again.
    pub fn note_change(&mut self, changed: &Aabb) {
        self.forget(changed);
        self.changed.push(*changed);
        self.changed.append(&mut self.later);
        self.restart();
    }

    /// Tells of a carve in a box, metres. A check under way goes on if it has read nothing there: another one follows.
    pub fn note_carve(&mut self, carved: &Aabb) {
        let has_read = self
            .scales
            .iter()
            .any(|scale| scale.ground.has_read(carved));
        if self.calls.0 == 0 || has_read {
            self.note_change(carved);
        } else {
            let scales = self.scales.iter_mut();
            scales.for_each(|scale| scale.forget_blocks(carved));
            self.later.push(*carved);
        }
    }

    /// Tells of new loads on the solid in a box, metres. A check under way begins again.
    pub fn note_load(&mut self, bounds: &Aabb) {
        self.changed.push(*bounds);
        self.restart();
    }

    /// Sets what lies on the solid and what hits it, for the check that begins with the next call of
    /// [`Strength::advance`]: call it where [`Strength::calls`] is 0.
    pub fn set_loads(&mut self, loads: Vec<PointLoad>) {
        debug_assert_eq!(self.calls.0, 0, "the check has not begun");
        self.loads = loads;
    }

    /// Tells of a change that needs no check, such as an undo. The check under way is dropped.
    pub fn note_undo(&mut self, changed: &Aabb) {
        self.forget(changed);
        self.last.clear();
        self.dismiss();
    }

    /// What the last check found, lattice by lattice, until an undo; see [`Checked`].
    pub fn last(&self) -> &[Arc<Checked>] {
        &self.last
    }

    fn forget(&mut self, changed: &Aabb) {
        self.scales
            .iter_mut()
            .for_each(|scale| scale.forget(changed));
    }

    /// Takes over all that another check of the same level has kept, where the world that it has checked differs from this
    /// one's in these boxes, metres. It changes no verdict: what is kept is only made sooner.
    pub fn adopt(&mut self, mut other: Strength, differ: impl IntoIterator<Item = Aabb>) {
        let is_same = self.scales[0].lattice() == other.scales[0].lattice();
        if !is_same || !Arc::ptr_eq(&self.authored, &other.authored) {
            return;
        }
        other.restart();
        for changed in differ {
            let scales = other.scales.iter_mut();
            scales.for_each(|scale| scale.forget_blocks(&changed));
        }
        for (own, other) in self.scales.iter_mut().zip(other.scales) {
            own.adopt(other);
        }
        self.memory = other.memory;
        self.at = 0;
        self.so_far = Findings::default();
        self.phase = Phase::Idle;
    }

    /// The boxes that wait for a verdict, metres.
    pub fn changed(&self) -> &[Aabb] {
        &self.changed
    }

    /// The boxes that changed while the check was under way, for the next one.
    pub fn later(&self) -> &[Aabb] {
        &self.later
    }

    /// Calls of [`Strength::advance`] that the check has taken so far.
    pub fn calls(&self) -> u32 {
        self.calls.0
    }

    /// Drops the check.
    pub fn dismiss(&mut self) {
        self.later.clear();
        self.end_check();
    }

    fn end_check(&mut self) {
        self.changed.clear();
        self.changed.append(&mut self.later);
        self.loads.clear();
        self.restart();
    }

    /// Goes on with the check until its verdict, or until `units` of about a nanosecond are used up, which must be the
    /// same in every call. `strength` multiplies all strengths. None while there is no verdict, or nothing to check.
    pub fn advance(
        &mut self,
        world: &World,
        gravity: DVec3,
        strength: f64,
        units: u64,
    ) -> Option<Verdict> {
        if self.changed.is_empty() {
            return None;
        }
        let given = Given {
            world,
            gravity,
            strength,
        };
        let (calls, earlier_units) = self.calls;
        if calls > 0 && matches!(self.phase, Phase::Idle) {
            // This is a clone of a check under way.
            (0..calls).for_each(|_| self.run(&given, earlier_units));
        }
        self.run(&given, units);
        self.calls = (calls + 1, units);
        match std::mem::take(&mut self.phase) {
            Phase::Done => {
                let found = std::mem::take(&mut self.so_far);
                for (scale, needed) in self.scales.iter_mut().zip(found.needed) {
                    scale.needed.extend(needed);
                }
                self.last = found.checked;
                self.end_check();
                Some(verdict_of(found.verdict, found.breaks))
            }
            phase => {
                self.phase = phase;
                None
            }
        }
    }

    fn restart(&mut self) {
        match std::mem::take(&mut self.phase) {
            Phase::AuthoredSolve(_, _, solve) | Phase::Solve(_, _, solve) => {
                self.memory = solve.into_memory();
            }
            _ => {}
        }
        self.at = 0;
        self.so_far = Findings::default();
        self.calls = (0, 0);
    }

    /// Runs phases until the verdict or until the units are used up.
    fn run(&mut self, given: &Given, mut units: u64) {
        while units > 0 && !matches!(self.phase, Phase::Done) {
            let phase = std::mem::take(&mut self.phase);
            self.phase = self.step(phase, given, &mut units);
        }
    }

    /// Goes on with a phase. Returns it, or the next one if it is over.
    fn step(&mut self, phase: Phase, given: &Given, units: &mut u64) -> Phase {
        match phase {
            Phase::Idle => {
                self.scales.iter_mut().for_each(Scale::begin);
                self.survey_changed()
            }
            Phase::Survey(mut survey) => {
                let scale = &mut self.scales[self.at];
                let mut solid = scale.solid(given.world, &self.materials, self.most_blocks);
                match survey.advance(&mut solid, units) {
                    false => Phase::Survey(survey),
                    true => self.after_survey(survey.finish(), given),
                }
            }
            Phase::AuthoredSurvey(found, mut survey) => {
                let (scale, materials) = (&mut self.scales[self.at], &self.authored_materials);
                let mut solid = scale.authored_solid(&self.authored, materials, self.most_blocks);
                if !survey.advance(&mut solid, units) {
                    return Phase::AuthoredSurvey(found, survey);
                }
                let authored = survey.finish();
                if !authored.too_large.is_empty() && self.is_coarser_better(&found) {
                    // Only larger blocks tell what bonds needed in what was too large as authored.
                    return self.go_coarser();
                }
                let memory = std::mem::take(&mut self.memory);
                let solve = Solve::with_memory(authored.structure, given.gravity, memory);
                Phase::AuthoredSolve(found, authored.places, Box::new(solve))
            }
            Phase::AuthoredSolve(found, places, mut solve) => {
                let is_done = solve.advance(units);
                let nothing =
                    |found: &Surveyed| found.places.iter().map(|&place| (place, 0.0)).collect();
                if self.is_too_costly(&solve) {
                    self.memory = solve.into_memory();
                    return match self.is_coarser_better(&found) {
                        true => self.go_coarser(),
                        false => {
                            let needed = nothing(&found);
                            self.begin_solve(found, needed, given)
                        }
                    };
                }
                if !is_done {
                    return Phase::AuthoredSolve(found, places, solve);
                }
                let (solution, memory) = solve.finish_with_memory();
                self.memory = memory;
                let mut needed: FxHashMap<BondPlace, f64> = nothing(&found);
                for (place, state) in places.into_iter().zip(solution.states) {
                    let most = needed.entry(place).or_default();
                    *most = most.max(state.utilisation * AUTHORED_MARGIN);
                }
                self.begin_solve(found, needed, given)
            }
            Phase::Solve(found, needed, mut solve) => {
                let is_done = solve.advance(units);
                if self.is_too_costly(&solve) {
                    self.memory = solve.into_memory();
                    return self.go_coarser();
                }
                if !is_done {
                    return Phase::Solve(found, needed, solve);
                }
                let structure = solve.structure().clone();
                let (solution, memory) = solve.finish_with_memory();
                self.memory = memory;
                self.note_findings(found, needed, structure, solution)
            }
            Phase::Done => Phase::Done,
        }
    }

    /// Whether larger blocks are there and what was found is no small part of [`SEVERED_PART`].
    fn is_coarser_better(&self, found: &Surveyed) -> bool {
        self.at + 1 < self.scales.len() && self.most_blocks < SEVERED_PART * found.nodes.len()
    }

    /// Whether larger blocks are there and the solve takes more than [`MOST_MULTIPLY_ADDS`].
    fn is_too_costly(&self, solve: &Solve) -> bool {
        self.at + 1 < self.scales.len() && self.most_multiply_adds < solve.multiply_adds()
    }

    /// Begins anew in larger blocks with all that has changed.
    fn go_coarser(&mut self) -> Phase {
        self.at += 1;
        self.survey_changed()
    }

    fn survey_changed(&self) -> Phase {
        let lattice = self.scales[self.at].lattice();
        Phase::Survey(Survey::of_changed(&self.changed, lattice))
    }

    /// Adds what was found at the scale of the check, and goes on to the next one with what is too large there.
    fn note_findings(
        &mut self,
        found: Surveyed,
        needed: FxHashMap<BondPlace, f64>,
        structure: Structure,
        solution: Solution,
    ) -> Phase {
        let so_far = &mut self.so_far;
        so_far.needed.resize_with(self.at + 1, FxHashMap::default);
        so_far.needed[self.at] = needed;
        let verdict = &mut so_far.verdict;
        verdict.blocks += structure.blocks.len();
        verdict.bonds += found.places.len();
        let all = structure.bonds.iter().zip(&found.places);
        for ((bond, place), state) in all.zip(&solution.states) {
            if state.utilisation.is_infinite() {
                // What nothing holds at all hangs where its author, or a fill, has left it.
                verdict.unheld = verdict.unheld.or(Some(bond.section.centre));
                continue;
            }
            verdict.utilisation = verdict.utilisation.max(state.utilisation);
            if 1.0 < state.utilisation {
                let one = Break {
                    section: bond.section,
                    utilisation: state.utilisation,
                    mode: state.mode,
                    force_n: state.force.length(),
                    material: StructuralMaterial::of(&bond.law),
                };
                so_far.breaks.push((one, self.at, *place));
            }
        }
        so_far.checked.push(Arc::new(Checked {
            lattice: self.scales[self.at].lattice(),
            structure,
            places: found.places,
            states: solution.states,
        }));
        let too_large = found.too_large;
        match self.scales.get(self.at + 1) {
            Some(_) if !too_large.is_empty() => {
                self.at += 1;
                // A block twice as large holds two blocks along each axis.
                let blocks = too_large.into_iter();
                let larger = blocks.map(|block| block.map(|place| place.div_euclid(2)));
                Phase::Survey(Survey::new(sorted(larger.collect())))
            }
            _ => {
                verdict.is_too_large = !too_large.is_empty();
                Phase::Done
            }
        }
    }

    fn after_survey(&mut self, found: Surveyed, given: &Given) -> Phase {
        let scale = &mut self.scales[self.at];
        let unknown = found
            .places
            .iter()
            .filter(|place| !scale.needed.contains_key(*place));
        let seeds: Vec<BlockId> = unknown
            .flat_map(|&(block, axis)| [block, beyond(block, 2 * axis)])
            .collect();
        match seeds.is_empty() {
            true => self.begin_solve(found, FxHashMap::default(), given),
            false => {
                scale.begin_authored();
                Phase::AuthoredSurvey(found, Survey::new(sorted(seeds)))
            }
        }
    }

    fn begin_solve(
        &mut self,
        mut found: Surveyed,
        needed: FxHashMap<BondPlace, f64>,
        given: &Given,
    ) -> Phase {
        let mut structure = std::mem::take(&mut found.structure);
        let scale = &self.scales[self.at];
        for (bond, place) in structure.bonds.iter_mut().zip(&found.places) {
            let known = scale.needed.get(place).or_else(|| needed.get(place));
            bond.factor = given.strength.max(known.copied().unwrap_or(0.0));
        }
        for load in &self.loads {
            load.add_to(&mut structure, scale.lattice(), &found.nodes);
        }
        let memory = std::mem::take(&mut self.memory);
        let solve = Solve::with_memory(structure, given.gravity, memory);
        Phase::Solve(found, needed, Box::new(solve))
    }
}

/// The verdict with these breaks.
fn verdict_of(verdict: Verdict, mut breaks: Vec<(Break, usize, BondPlace)>) -> Verdict {
    breaks.sort_by(|a, b| {
        let order = b.0.utilisation.total_cmp(&a.0.utilisation);
        order.then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
    });
    Verdict {
        breaks: breaks.into_iter().map(|(one, ..)| one).collect(),
        ..verdict
    }
}

fn sorted(mut blocks: Vec<BlockId>) -> Vec<BlockId> {
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}
