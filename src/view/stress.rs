//! What structures carry, to be drawn: utilisation on faces, bonds as lines, the path of a load to the ground.
use super::colours::heat_colour;
use super::line::Line;
use super::palette::with_alpha;
use super::snapshot::Stress;
use crate::geom::Aabb;
use crate::sim::{Sim, add_new_materials};
use crate::solid::{BlockId, Lattice};
use crate::strength::{Checked, LoadPath, Strength};
use crate::structure::Mode;
use crate::world::Revision;
use glam::{DVec3, dvec3};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Work of a look in a drawn frame, units of about a nanosecond.
pub const LOOK_UNITS: u64 = 2_000_000;
/// Most looks that are kept, the last ones.
const MOST_KEPT: usize = 48;
/// Most bonds that are drawn of a look, the nearest ones.
const MOST_BONDS: usize = 6000;
/// Length of the arrow of the greatest force, metres; others by the square root of theirs.
const ARROW_M: f64 = 0.45;
/// Opacity of lines within solid: they are drawn behind walls, where little of it is left.
const INSIDE_ALPHA: f32 = 4.0;
/// How far inside its face solid is asked for, metres.
const INSIDE_M: f64 = 0.01;

/// A point of a face, metres, and the face's normal.
pub type FacePoint = (DVec3, DVec3);

/// What structures carry: what the last check of the simulation found, and a check of its own around what is looked at. No
/// tick knows of the latter.
#[derive(Debug, Default)]
pub struct StructureLook {
    /// What a look begins with: it knows what the authored level needs wherever a look was so far.
    base: Option<Strength>,
    own: Option<Strength>,
    /// What `own` looks at.
    given: Option<Given>,
    /// What looks of this world found, the last one last.
    kept: Vec<Arc<Checked>>,
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
    block: f64,
}

impl StructureLook {
    /// Looks at the solid behind a point of a face, or goes on with the look before, for so many units of work. Where
    /// strength is off, it looks as if it were 1.
    pub fn look(&mut self, sim: &Sim, face: Option<FacePoint>, units: u64) {
        let settings = &sim.settings;
        let given = Given {
            revision: sim.world.revision(),
            gravity: dvec3(0.0, -settings.gravity, 0.0),
            strength: if settings.strength > 0.0 {
                settings.strength
            } else {
                1.0
            },
            block: settings.block,
        };
        if self.given != Some(given) {
            if self.given.is_some_and(|before| before.block != given.block) {
                self.base = None;
            }
            self.given = Some(given);
            self.own = None;
            self.kept.clear();
            self.seen.clear();
        }
        let wanted = face.map(|(point, normal)| point - normal * INSIDE_M);
        if let Some(point) = wanted.filter(|_| !self.is_under_way())
            && self.at(sim, point).is_none()
            && self.seen.insert(Lattice::default().block_at(point))
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
            // Of what is too large, nothing is known.
            let found = own
                .last()
                .iter()
                .filter(|checked| !checked.places.is_empty());
            self.kept.extend(found.cloned());
            let gone = self.kept.len().saturating_sub(MOST_KEPT);
            self.kept.drain(..gone);
        }
    }

    /// [`StructureLook::look`] to its end.
    pub fn look_through(&mut self, sim: &Sim, face: FacePoint) {
        self.look(sim, Some(face), LOOK_UNITS);
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
    pub fn behind(&self, sim: &Sim, (point, normal): FacePoint) -> Option<(Arc<Checked>, u32)> {
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
        let all = found.iter().flat_map(|checked| drawn_blocks(checked));
        let mut all: Stress = all.collect();
        all.sort_by_key(|one| one.0);
        // Of two that know a block the look comes first: it is of this world.
        all.dedup_by_key(|one| one.0);
        let stress = Arc::new(all);
        self.drawn = Some((found, stress.clone()));
        stress
    }

    /// The bonds of everything found: lines between the centres of blocks through their sections, and arrows of the forces
    /// that each section's low side exerts on its high side.
    pub fn bond_lines(&self, sim: &Sim, eye: DVec3) -> Vec<Line> {
        let mut lines = Vec::new();
        for checked in self.found(sim) {
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
        add_new_materials(own, &sim.world);
        own.note_change(&Aabb::from_centre(point, DVec3::splat(INSIDE_M)));
    }

    fn at(&self, sim: &Sim, point: DVec3) -> Option<(Arc<Checked>, u32)> {
        let mut found = self.found(sim);
        found.find_map(|checked| Some((checked.clone(), checked.block_at(point)?)))
    }

    /// What looks have found, the last one first, then what the last check has.
    fn found<'a>(&'a self, sim: &'a Sim) -> impl Iterator<Item = &'a Arc<Checked>> {
        self.kept.iter().rev().chain(sim.checked())
    }
}

/// Utilisation by block of the lattice that is drawn, the default one. Where that is finer, blocks show that of the one around
/// them; where it is coarser, the greatest of those in them.
fn drawn_blocks(checked: &Checked) -> Vec<(BlockId, f32)> {
    let times = checked.lattice.block_m() / Lattice::default().block_m();
    let used = checked.utilisations().into_iter();
    let used = used.map(|(block, used)| (block, used as f32));
    if times < 1.0 {
        let parts = (1.0 / times) as i32;
        let around = used.map(|(block, used)| (block.map(|k| k.div_euclid(parts)), used));
        let mut all: Vec<(BlockId, f32)> = around.collect();
        all.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        all.dedup_by_key(|one| one.0);
        return all;
    }
    let parts = times as i32;
    let inside = move |(block, used): (BlockId, f32)| {
        (0..parts.pow(3)).map(move |i| {
            let offset = [i / parts / parts, i / parts % parts, i % parts];
            (
                [0, 1, 2].map(|axis| block[axis] * parts + offset[axis]),
                used,
            )
        })
    };
    used.flat_map(inside).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::read_map;
    use crate::sim::tests::hall;
    use crate::timing::Silent;

    /// A hall of brick with a column of 37.5 cm by 37.5 cm by 4 m, 10 m to the east, and a neck of 3 cm in it.
    fn with_neck(settings: crate::sim::Settings) -> Sim {
        let map = hall(&[
            [[322, 2, 0], [334, 14, 40]],
            [[328, 8, 40], [329, 9, 56]],
            [[322, 2, 56], [334, 14, 128]],
        ]);
        let level = read_map(map.as_bytes()).expect("a level");
        Sim::new(level, 1, settings, &mut Silent).expect("a world")
    }

    /// The side of the column that the player sees, at a height.
    fn side(height: f64) -> Option<(DVec3, DVec3)> {
        Some((dvec3(10.0625, height, -0.25), DVec3::NEG_X))
    }

    #[test]
    fn a_neck_is_redder_than_the_rest_whether_strength_is_on_or_off() {
        for strength in [0.0, 1.0] {
            let sim = with_neck(crate::sim::Settings {
                strength,
                ..Default::default()
            });
            let hash = sim.state_hash();
            let mut look = StructureLook::default();
            assert!(look.stress(&sim).is_empty());
            look.look_through(&sim, side(3.0).expect("a face"));
            let stress = look.stress(&sim);
            let at = |height: f64| {
                let block = Lattice::default().block_at(dvec3(10.25, height, -0.25));
                let found = stress.iter().find(|one| one.0 == block);
                found.expect("a block of the column").1
            };
            assert!(at(1.1) > 0.5 && at(1.9) == at(1.1), "{stress:?}");
            for height in [0.2, 0.7, 2.2, 3.2, 3.7] {
                assert!(at(height) < 0.02, "{height}: {}", at(height));
            }
            // The lines through the neck, and no others.
            let [red, _, blue] = stress_colour(f64::from(at(1.1)));
            assert!(red > 0.5 && blue < 0.1);
            let lines = look.bond_lines(&sim, DVec3::ZERO);
            for line in &lines {
                let is_neck = (line.from.y + line.to.y) / 2.0;
                let is_neck = (1.0..2.0).contains(&is_neck) && line.colour[0] > 0.5;
                assert!(is_neck || line.colour[0] < 0.1, "{line:?}");
            }
            assert!(lines.iter().any(|line| line.colour[0] > 0.5));
            assert!(look.stress(&sim).as_ptr() == stress.as_ptr(), "drawn once");
            assert_eq!(sim.state_hash(), hash);
        }
    }

    #[test]
    fn what_a_block_carries_is_said_with_its_way_to_the_ground() {
        let sim = with_neck(crate::sim::Settings {
            strength: 1.0,
            ..Default::default()
        });
        let mut look = StructureLook::default();
        let words = |look: &mut StructureLook, height: f64| {
            let face = side(height).expect("a face");
            look.look_through(&sim, face);
            let (checked, block) = look.behind(&sim, face).expect("a block");
            let path = checked.load_path(block, DVec3::NEG_Y);
            let lines = path_lines(&checked, &path, face.0);
            assert_eq!(lines.len(), 2 * path.bonds.len());
            assert!(lines.windows(2).all(|pair| pair[0].to == pair[1].from));
            path_words(&checked, &path)
        };
        // 18 kN/m³ times 0.14 m² times the height above the block's lower side.
        let above = words(&mut look, 2.2);
        assert!(
            above.starts_with(
                "Carries 5.0 kN over 5 blocks to the ground; the weakest section is at 67 % in "
            ),
            "{above}"
        );
        let below = words(&mut look, 0.7);
        assert!(
            below.starts_with("Carries 7.5 kN over 2 blocks to the ground; the weakest section is at 1.0 % in compression."),
            "{below}"
        );
        // The wall behind the player is ground.
        let wall = (dvec3(0.0, 3.0, 0.0), DVec3::X);
        look.look_through(&sim, wall);
        assert!(look.behind(&sim, wall).is_none());
    }

    #[test]
    fn a_look_in_slices_ends_as_one_in_one_go_and_begins_again_when_the_world_changes() {
        // Its own checks are off, so that all that is known is the look's.
        let mut sim = with_neck(crate::sim::Settings::default());
        let (mut whole, mut sliced) = (StructureLook::default(), StructureLook::default());
        whole.look_through(&sim, side(3.0).expect("a face"));
        let mut slices = 1;
        sliced.look(&sim, side(3.0), 5_000);
        while sliced.is_under_way() {
            // Other places wait.
            sliced.look(&sim, side(1.0), 5_000);
            slices += 1;
        }
        assert!(slices > 2, "{slices}");
        assert_eq!(sliced.stress(&sim), whole.stress(&sim));
        let drill = crate::sim::Action::FireAlong {
            from: [5.0, 3.0, -0.25],
            dir: [1.0, 0.0, 0.0],
        };
        let command = crate::sim::Command {
            actions: vec![drill],
            ..sim.idle()
        };
        let before = sim.world.revision();
        sim.step(&command, &mut Silent);
        while sim.world.revision() == before {
            sim.step(&sim.idle(), &mut Silent);
        }
        whole.look(&sim, None, LOOK_UNITS);
        assert!(whole.stress(&sim).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(load_words(4_965.0), "5.0 kN");
        assert_eq!(load_words(41_234.0), "41 kN");
        assert_eq!(percent_words(0.0119), "1.2 %");
        assert_eq!(percent_words(0.62), "62 %");
        assert_eq!(percent_words(f64::INFINITY), "no limit");
    }
}
