//! Everything that can be tuned and that the simulation reads, with its limits.
use super::shot::ShotSettings;
use crate::bvh::{BuildParams, SplitRule};
use crate::carve::blast::BlastShape;
use crate::collide::Layers;
use crate::world::Solver;
use serde::{Deserialize, Serialize};

/// Everything that can be tuned and that the simulation reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default = "Settings::unsaid", deny_unknown_fields)]
pub struct Settings {
    /// Radius of a rocket's blast, metres, 0.02..=20.
    pub blast_radius: f64,
    /// Look of the blast: "rock", "concrete" or "metal".
    pub blast_shape: String,
    /// How room trees are built.
    pub tree: BuildParams,
    /// Gap kept before a surface, metres, 0..=0.2.
    pub buffer_distance: f64,
    /// Crumbs thrown by carves.
    pub debris: bool,
    /// At most this many bodies.
    pub max_bodies: u32,
    /// Metres a second squared, downwards.
    pub gravity: f64,
    /// What meets what.
    pub layers: Layers,
    /// How rockets and fast bodies find what they hit.
    pub solver: Solver,
    /// How what is shot flies and what it does.
    pub shots: ShotSettings,
}

/// Smallest and largest radius of a blast, metres.
pub const BLAST_RADII: [f64; 2] = [0.02, 20.0];
/// Largest [`Settings::max_bodies`].
pub const MOST_BODIES: u32 = 20_000;

impl Default for Settings {
    /// What a level takes that is opened now.
    fn default() -> Self {
        Self::unsaid()
    }
}

impl Settings {
    /// What a recording means that leaves a setting out: it was made before that could be set, and went by this. A new
    /// setting has its old meaning here, whatever its default is, and none of these changes any more.
    pub(super) fn unsaid() -> Self {
        Self {
            blast_radius: 1.0,
            blast_shape: "rock".into(),
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
            shots: ShotSettings::unsaid(),
        }
    }

    /// The same within the limits that each field names; what is not a number becomes the default.
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
        Self {
            blast_radius: limit(self.blast_radius, least, most, usual.blast_radius),
            blast_shape: match BlastShape::from_name(&self.blast_shape) {
                Some(_) => self.blast_shape.clone(),
                None => usual.blast_shape,
            },
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
                other => other,
            },
            shots: self.shots.within_limits(),
        }
    }

    /// What [`Settings::within_limits`] changes, in words: a line for each number that was out of range.
    pub fn warnings(&self) -> Vec<String> {
        let tame = self.within_limits();
        let numbers = |s: &Self| {
            let own = [
                ("blast radius", s.blast_radius),
                ("buffer distance", s.buffer_distance),
                ("maximum number of bodies", f64::from(s.max_bodies)),
                ("gravity", s.gravity),
            ];
            own.into_iter().chain(s.shots.named()).collect::<Vec<_>>()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_from_anywhere_come_within_their_limits() {
        let wild = Settings {
            blast_radius: f64::NAN,
            blast_shape: "cheese".into(),
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
        };
        let tame = wild.within_limits();
        assert_eq!(
            (tame.blast_radius, tame.blast_shape.as_str()),
            (1.0, "rock")
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
        assert_eq!(tame.solver, Solver::Subdivided(32));
        assert_eq!(tame.within_limits(), tame);
        assert_eq!(Settings::default().within_limits(), Settings::default());
    }
}
