//! The flight along the leak path, as editors fly along a point file.
use crate::sim::TICK_SECS;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Speed, metres a second.
const SPEED: f64 = 8.0;
/// The camera looks at the point this far ahead, metres, so that it turns before a corner.
const AHEAD: f64 = 3.0;
/// Fraction of a turn per tick.
const TURN: f64 = 0.1;

/// A flight in progress.
#[derive(Debug)]
pub(super) struct Flight {
    /// Distinct points, metres.
    way: Vec<DVec3>,
    length: f64,
    ticks: u32,
}

impl Flight {
    /// Starts at the first point of a path; None if its length is zero.
    pub fn new(way: &[DVec3]) -> Option<Flight> {
        let mut way = way.to_vec();
        way.dedup();
        let length = way.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        let flight = Flight {
            way,
            length,
            ticks: 0,
        };
        (length > 0.0).then_some(flight)
    }

    /// The eye and the view (yaw and pitch, as in [`crate::sim::Command`]) of the next tick, from the current view.
    /// None after the end.
    pub fn next(&mut self, look: [f64; 2]) -> Option<(DVec3, [f64; 2])> {
        let step = SPEED * TICK_SECS;
        let along = f64::from(self.ticks) * step;
        if along >= self.length + step {
            return None;
        }
        self.ticks += 1;
        // Near the end it keeps its direction.
        let from = along.min(self.length * 0.99);
        let ahead = self.at(from + AHEAD) - self.at(from);
        let wanted = [
            libm::atan2(-ahead.x, -ahead.z),
            libm::atan2(ahead.y, libm::hypot(ahead.x, ahead.z)),
        ];
        // The shorter turn.
        let yaw = (wanted[0] - look[0] + PI).rem_euclid(TAU) - PI;
        let turned = [look[0] + yaw * TURN, look[1] + (wanted[1] - look[1]) * TURN];
        Some((self.at(along), turned))
    }

    /// The point at a distance along the path, or its end.
    fn at(&self, along: f64) -> DVec3 {
        let mut left = along;
        for leg in self.way.windows(2) {
            let length = leg[0].distance(leg[1]);
            if left <= length {
                return leg[0].lerp(leg[1], left / length);
            }
            left -= length;
        }
        self.way[self.way.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flown(way: &[DVec3]) -> Vec<(DVec3, [f64; 2])> {
        let mut flight = Flight::new(way).expect("a way");
        let mut look = [2.0, 0.0];
        let next = || {
            let (eye, to) = flight.next(look)?;
            look = to;
            Some((eye, look))
        };
        std::iter::from_fn(next).take(10_000).collect()
    }

    #[test]
    fn a_flight_goes_through_every_corner_at_one_speed_and_ends_at_the_end() {
        let way = [
            [0.0, 0.0, 0.0],
            [3.0, 0.0, 0.0],
            [3.0, 2.0, -0.5],
            [3.0, 2.0, 9.0],
        ];
        let way = way.map(DVec3::from);
        let flown = flown(&way);
        assert_eq!(flown[0].0, way[0]);
        let end = flown[flown.len() - 1].0;
        assert!(end.distance(way[3]) < 1e-6, "{end}");
        let length: f64 = way.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
        let ticks = length / (SPEED * TICK_SECS);
        assert!((flown.len() as f64 - ticks).abs() < 3.0, "{}", flown.len());
        for pair in flown.windows(2) {
            assert!(pair[0].0.distance(pair[1].0) < SPEED * TICK_SECS + 1e-9);
            let on_a_leg = |leg: &[DVec3]| {
                let [a, b] = [leg[0], leg[1]];
                (a.distance(pair[0].0) + pair[0].0.distance(b) - a.distance(b)).abs() < 1e-9
            };
            assert!(way.windows(2).any(on_a_leg), "{}", pair[0].0);
        }
    }

    #[test]
    fn a_flight_turns_smoothly_to_where_it_flies() {
        let way = [[0.0, 0.0, 0.0], [20.0, 0.0, 0.0], [20.0, 0.0, 20.0]];
        let flown = flown(&way.map(DVec3::from));
        for pair in flown.windows(2) {
            let turn = (pair[1].1[0] - pair[0].1[0] + PI).rem_euclid(TAU) - PI;
            assert!(turn.abs() <= PI * TURN + 1e-9, "{turn}");
        }
        // Towards +Z is half a turn from -Z.
        let yaw = flown[flown.len() - 1].1[0];
        assert!((yaw.rem_euclid(TAU) - PI).abs() < 0.05, "{yaw}");
    }

    #[test]
    fn a_way_of_one_point_is_no_flight() {
        assert!(Flight::new(&[]).is_none());
        assert!(Flight::new(&[DVec3::ONE; 3]).is_none());
    }
}
