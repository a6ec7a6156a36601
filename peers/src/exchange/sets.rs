//! The sets that can be measured on both sides, and their figures: one name each, in files and in tables.
use crate::collide::{self, sets};
use crate::{debris, rooms};
use std::fmt;

/// The numbers of boxes that fall.
pub const BOXES: [usize; 2] = [500, 1000];

/// What is measured at once. As text: its name in files of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    /// Rays from anywhere to anywhere in a room of `collide`.
    RandomRays(&'static str),
    /// The rays of a camera there.
    CoherentRays(&'static str),
    /// Swept spheres there: the number of the set in [`sets::SWEEPS`].
    Sweeps(usize, &'static str),
    /// A heap of so many boxes; whether it is kept awake.
    Boxes(usize, bool),
    /// A heap of [`debris::BALLS`] spheres; whether it is kept awake.
    Balls(bool),
    /// The brushes carved out of one of the six rooms.
    Carve(&'static str),
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = |is_awake: bool| if is_awake { "/awake" } else { "" };
        match *self {
            Set::RandomRays(room) => write!(f, "rays/random/{room}"),
            Set::CoherentRays(room) => write!(f, "rays/coherent/{room}"),
            Set::Sweeps(set, room) => {
                let name = sets::word(sets::SWEEPS[set].0);
                write!(f, "sweeps/{name}/{room}")
            }
            Set::Boxes(count, is_awake) => write!(f, "boxes/{count}{}", kept(is_awake)),
            Set::Balls(is_awake) => write!(f, "balls/{}{}", debris::BALLS, kept(is_awake)),
            Set::Carve(room) => write!(f, "carve/{}", plain(room)),
        }
    }
}

/// A carving room's name as files have it: `rough20k`.
pub fn plain(room: &str) -> String {
    room.replace('_', "")
}

/// All sets, in the order of the table: those of one room stand together, so that it is made once.
pub fn all() -> Vec<Set> {
    let mut list = Vec::new();
    for room in collide::ROOMS {
        list.extend([Set::RandomRays(room), Set::CoherentRays(room)]);
        list.extend((0..sets::SWEEPS.len()).map(|set| Set::Sweeps(set, room)));
    }
    for is_awake in [false, true] {
        list.extend(BOXES.map(|count| Set::Boxes(count, is_awake)));
        list.push(Set::Balls(is_awake));
    }
    list.extend(rooms::names().map(Set::Carve));
    list
}

impl Set {
    /// The set of a name.
    pub fn named(name: &str) -> Option<Set> {
        all().into_iter().find(|set| set.to_string() == name)
    }

    /// Whether such a figure is measured of it.
    pub fn has(self, figure: Figure) -> bool {
        let is_rate = figure == Figure::MillionsPerSecond;
        match self {
            Set::RandomRays(_) | Set::CoherentRays(_) | Set::Sweeps(..) => is_rate,
            Set::Boxes(..) | Set::Balls(_) | Set::Carve(_) => !is_rate,
        }
    }
}

/// What is said of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Figure {
    /// Queries.
    MillionsPerSecond,
    /// Of a tick or a carve.
    MeanMs,
    /// Of a tick or a carve.
    MedianMs,
    /// The time that one in a hundred exceeds.
    P99Ms,
}

impl Figure {
    /// Every figure, in the order of the table.
    pub const ALL: [Figure; 4] = [
        Figure::MillionsPerSecond,
        Figure::MeanMs,
        Figure::MedianMs,
        Figure::P99Ms,
    ];

    /// As files and tables have it.
    pub fn name(self) -> &'static str {
        match self {
            Figure::MillionsPerSecond => "millions_per_second",
            Figure::MeanMs => "mean_ms",
            Figure::MedianMs => "median_ms",
            Figure::P99Ms => "p99_ms",
        }
    }

    /// What may stand behind a value.
    pub fn unit(self) -> &'static str {
        match self {
            Figure::MillionsPerSecond => "M/s",
            Figure::MeanMs | Figure::MedianMs | Figure::P99Ms => "ms",
        }
    }

    /// The figure of a name.
    pub fn named(name: &str) -> Option<Figure> {
        Figure::ALL.into_iter().find(|figure| figure.name() == name)
    }

    /// How many times as fast the first is as the second.
    pub fn times(self, ours: f64, theirs: f64) -> f64 {
        match self {
            Figure::MillionsPerSecond => ours / theirs,
            Figure::MeanMs | Figure::MedianMs | Figure::P99Ms => theirs / ours,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_set_and_figure_is_found_by_a_name_of_its_own() {
        let sets = all();
        assert!(
            sets.iter()
                .all(|set| Set::named(&set.to_string()) == Some(*set))
        );
        let names: BTreeSet<String> = sets.iter().map(Set::to_string).collect();
        assert_eq!(names.len(), sets.len());
        assert!(names.iter().all(|name| !name.contains(char::is_whitespace)));
        for name in [
            "rays/random/20k",
            "boxes/500",
            "balls/10000/awake",
            "carve/rough20k",
        ] {
            assert!(names.contains(name), "{name}");
        }
        assert!(names.contains("sweeps/aimed-at-edges-8.3-m/200k"));
        let is_found = |f: Figure| Figure::named(f.name()) == Some(f);
        assert!(Figure::ALL.into_iter().all(is_found));
    }

    #[test]
    fn more_is_faster_for_rates_and_slower_for_times() {
        assert_eq!(Figure::MillionsPerSecond.times(8.0, 4.0), 2.0);
        assert_eq!(Figure::MedianMs.times(2.0, 1.0), 0.5);
    }
}
