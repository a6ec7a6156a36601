//! The settings of the simulation, with their limits.
use super::shot::ShotSettings;
use crate::bvh::{BuildParams, SplitRule};
use crate::carve::blast::BlastShape;
use crate::collide::Layers;
use crate::solid::Lattice;
use crate::world::Solver;
use serde::{Deserialize, Serialize};

/// The settings of the simulation. Everything that changes a result is here, so that a recording holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "Settings::implied", deny_unknown_fields)]
pub struct Settings {
    /// Radius of a rocket's blast, metres, 0.02..=20.
    pub blast_radius: f64,
    /// Shape of the blast. Files have its name, and an unknown name there is the default.
    #[serde(with = "blast_shape_name")]
    pub blast_shape: BlastShape,
    /// How room trees are built.
    pub tree: BuildParams,
    /// Gap kept before a surface, metres, 0..=0.2.
    pub buffer_distance: f64,
    /// Whether carves throw crumbs.
    pub debris: bool,
    /// Greatest number of bodies.
    pub max_bodies: u32,
    /// Gravity, metres a second squared, downwards.
    pub gravity: f64,
    /// Which layers collide.
    pub layers: Layers,
    /// Collision solver of rockets and fast bodies.
    pub solver: Solver,
    /// Flight and effect of projectiles.
    pub shots: ShotSettings,
    /// Factor of the strength of all materials, 0..=100; 0 lets nothing break under its load.
    pub strength: f64,
    /// Most bonds that break after one check of strength, 1..=64.
    pub breaks: u32,
    /// Factor of the time that a section creaks before it breaks, 0..=5: by itself a second for 125 tonnes, and as the cube
    /// root of the load for others. 0 lets everything break at once.
    pub creak: f64,
    /// Edge of the blocks in which strength is checked, metres, one of [`Lattice::SIZES`]: what is too large in them is checked in
    /// larger ones.
    pub block: f64,
}

/// Smallest and largest radius of a blast, metres.
pub const BLAST_RADII: [f64; 2] = [0.02, 20.0];
/// Largest [`Settings::strength`].
pub const MOST_STRENGTH: f64 = 100.0;
/// Smallest and largest [`Settings::breaks`].
pub const BREAKS: [u32; 2] = [1, 64];
/// Largest [`Settings::creak`].
pub const MOST_CREAK: f64 = 5.0;
/// Largest [`Settings::max_bodies`].
pub const MOST_BODIES: u32 = 20_000;

impl Default for Settings {
    /// The settings of a newly opened level.
    fn default() -> Self {
        Self {
            creak: 1.0,
            ..Self::implied()
        }
    }
}

impl Settings {
    /// The values that a recording implies for settings that it leaves out: it was made before they could be set. A new
    /// setting gets its old behaviour here, whatever its default is; none of these values may change.
    pub(super) fn implied() -> Self {
        Self {
            blast_radius: 1.0,
            blast_shape: BlastShape::Rock,
            tree: BuildParams {
                split: SplitRule::Sah,
                max_depth: 24,
                faces_per_bin: 8,
                min_volume: 0.0,
            },
            buffer_distance: 0.02,
            debris: true,
            max_bodies: 2000,
            gravity: 9.81,
            layers: Layers::default(),
            solver: Solver::Swept,
            shots: ShotSettings::implied(),
            strength: 0.0,
            breaks: 8,
            creak: 0.0,
            block: 0.5,
        }
    }

    /// Clamps every number to the range in its field's doc; NaN becomes the default.
    #[must_use]
    pub fn within_limits(&self) -> Self {
        let usual = Self::default();
        let limit = |x: f64, lo: f64, hi: f64, otherwise: f64| {
            if x.is_nan() {
                otherwise
            } else {
                x.clamp(lo, hi)
            }
        };
        let [least, most] = BLAST_RADII;
        let [fewest_breaks, most_breaks] = BREAKS;
        Self {
            blast_radius: limit(self.blast_radius, least, most, usual.blast_radius),
            blast_shape: self.blast_shape,
            tree: BuildParams {
                max_depth: self.tree.max_depth.clamp(1, 32),
                faces_per_bin: self.tree.faces_per_bin.clamp(1, 64),
                min_volume: limit(self.tree.min_volume, 0.0, 1e9, usual.tree.min_volume),
                ..self.tree
            },
            buffer_distance: limit(self.buffer_distance, 0.0, 0.2, usual.buffer_distance),
            debris: self.debris,
            max_bodies: self.max_bodies.min(MOST_BODIES),
            gravity: limit(self.gravity, 0.0, 100.0, usual.gravity),
            layers: self.layers,
            solver: match self.solver {
                Solver::Subdivided(steps) => Solver::Subdivided(steps.clamp(1, Solver::MOST_STEPS)),
                Solver::Swept | Solver::Discrete => self.solver,
            },
            shots: self.shots.within_limits(),
            strength: limit(self.strength, 0.0, MOST_STRENGTH, usual.strength),
            breaks: self.breaks.clamp(fewest_breaks, most_breaks),
            creak: limit(self.creak, 0.0, MOST_CREAK, usual.creak),
            block: Lattice::new(self.block).block_m(),
        }
    }

    /// Whether all numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let Self {
            blast_radius,
            blast_shape: _,
            tree,
            buffer_distance,
            debris: _,
            max_bodies: _,
            gravity,
            layers: _,
            solver: _,
            shots,
            strength,
            breaks: _,
            creak,
            block,
        } = self;
        [
            *blast_radius,
            tree.min_volume,
            *buffer_distance,
            *gravity,
            *strength,
            *creak,
            *block,
        ]
        .into_iter()
        .chain(shots.numbers())
        .all(f64::is_finite)
    }

    /// A line for each number that [`Settings::within_limits`] changes.
    pub fn warnings(&self) -> Vec<String> {
        let tame = self.within_limits();
        let numbers = |s: &Self| {
            let Self {
                blast_radius,
                blast_shape: _,
                tree: _,
                buffer_distance,
                debris: _,
                max_bodies,
                gravity,
                layers: _,
                solver: _,
                shots,
                strength,
                breaks,
                creak,
                block,
            } = s;
            let own = [
                ("blast radius", *blast_radius),
                ("buffer distance", *buffer_distance),
                ("maximum number of bodies", f64::from(*max_bodies)),
                ("gravity", *gravity),
                ("strength", *strength),
                ("most breaks after a check", f64::from(*breaks)),
                ("creak", *creak),
                ("block size", *block),
            ];
            own.into_iter().chain(shots.named()).collect::<Vec<_>>()
        };
        let pairs = numbers(self).into_iter().zip(numbers(&tame));
        let strays = pairs.filter(|((_, asked), (_, used))| asked != used);
        strays
            .map(|((name, asked), (_, used))| {
                format!("a {name} of {asked} is out of range: using {used}")
            })
            .collect()
    }
}

/// A blast shape by its name.
mod blast_shape_name {
    use super::BlastShape;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::borrow::Cow;

    pub(super) fn serialize<S: Serializer>(shape: &BlastShape, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(shape.name())
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<BlastShape, D::Error> {
        let name = Cow::<str>::deserialize(from)?;
        Ok(BlastShape::from_name(&name).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blast_shape_is_written_by_name_and_an_unknown_name_is_rock() {
        for shape in BlastShape::ALL {
            let settings = Settings {
                blast_shape: shape,
                ..Settings::default()
            };
            let text = serde_json::to_string(&settings).expect("settings");
            assert!(text.contains(&format!("\"blast_shape\":\"{}\"", shape.name())));
            assert_eq!(
                serde_json::from_str::<Settings>(&text).expect(&text),
                settings
            );
        }
        let cheese: Settings =
            serde_json::from_str(r#"{"blast_shape":"cheese"}"#).expect("a shape");
        assert_eq!(cheese.blast_shape, BlastShape::Rock);
        assert!(serde_json::from_str::<Settings>(r#"{"blast_shape":7}"#).is_err());
    }

    #[test]
    fn settings_from_anywhere_come_within_their_limits() {
        let wild = Settings {
            blast_radius: f64::NAN,
            blast_shape: BlastShape::Metal,
            tree: BuildParams {
                split: SplitRule::Mean,
                max_depth: 0,
                faces_per_bin: 999,
                min_volume: -1.0,
            },
            buffer_distance: 7.0,
            debris: false,
            max_bodies: u32::MAX,
            gravity: f64::INFINITY,
            layers: Layers::default(),
            solver: Solver::Subdivided(99),
            shots: ShotSettings::default(),
            strength: f64::NEG_INFINITY,
            breaks: 0,
            creak: 9.0,
            block: 1.7,
        };
        let tame = wild.within_limits();
        assert_eq!(
            (tame.blast_radius, tame.blast_shape),
            (1.0, BlastShape::Metal)
        );
        assert_eq!(
            (
                tame.tree.max_depth,
                tame.tree.faces_per_bin,
                tame.tree.min_volume
            ),
            (1, 64, 0.0)
        );
        assert_eq!(tame.tree.split, SplitRule::Mean);
        assert_eq!((tame.buffer_distance, tame.gravity), (0.2, 100.0));
        assert_eq!((tame.strength, tame.breaks, tame.creak), (0.0, 1, 5.0));
        assert_eq!(tame.block, 1.0);
        assert_eq!(tame.solver, Solver::Subdivided(32));
        assert_eq!(tame.within_limits(), tame);
        assert_eq!(Settings::default().within_limits(), Settings::default());
    }
}
