//! The traversal of a ray as a list of steps, for a panel and for lines.
//!
//! The real query tests eight bins at once. This walk visits the same bins one by one, nearest first, and finds the same
//! hit.
use super::colours::depth_colour;
use super::line::{Line, box_lines};
use super::palette::{Palette, with_alpha};
use crate::bvh::QueryStats;
use crate::collide::intersect_segment_grown_aabb;
use crate::geom::{Aabb, Segment};
use crate::world::{CastHit, Revision, RoomId, World};
use glam::DVec3;

/// Most bins of a room that are walked: nobody steps through more.
const MOST_BINS: usize = 4000;
/// Tolerance of containment tests, metres.
const WITHIN_M: f64 = 1e-3;
/// Colour of the current step.
const CURRENT: [f32; 4] = [1.0, 1.0, 1.0, 1.0];
/// Opacity of missed bins.
const MISSED_ALPHA: f32 = 0.35;

/// The result of testing a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinResult {
    /// The ray misses the bin: its content is skipped.
    Missed,
    /// The ray enters the bin behind a known hit: its content is skipped.
    Behind,
    /// The ray enters an inner node: its children come next.
    Entered,
    /// The ray enters a leaf and hits none of its faces.
    Tested,
    /// The ray enters the leaf with the face that it hits.
    Hit,
}

/// One visit of a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkStep {
    /// The room of the tree.
    pub room: RoomId,
    /// Level of the bin; the root is 0.
    pub level: u32,
    /// Bounds of the bin, metres.
    pub bounds: Aabb,
    /// Result of the test.
    pub result: BinResult,
}

/// A ray and the bins that it visits, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct RayWalk {
    /// Start, metres.
    pub from: DVec3,
    /// End, metres.
    pub to: DVec3,
    /// Revision of the world that was walked.
    pub revision: Revision,
    /// The visits.
    pub steps: Vec<WalkStep>,
    /// The hit of the ray.
    pub hit: Option<CastHit>,
}

/// Walks the ray through the rooms that it enters, and down the tree of each.
pub fn walk_ray(world: &World, from: DVec3, to: DVec3) -> RayWalk {
    let hit = world.cast_ray(from, to, &mut QueryStats::default());
    let mut walk = RayWalk {
        from,
        to,
        revision: world.revision(),
        steps: Vec::new(),
        hit,
    };
    let end = hit.map_or(1.0, |hit| hit.fraction);
    let mut rooms: Vec<(f64, RoomId)> = Vec::new();
    world.each_room_in_box(&Aabb::from_corners(from, to), &mut |id| {
        let room = world.room(id);
        let enter = enter(&room.cell, from, to);
        rooms.extend(enter.filter(|_| room.triangle_count > 0).map(|t| (t, id)));
    });
    rooms.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (_, id) in rooms.into_iter().filter(|(enter, _)| *enter <= end) {
        walk.descend(world, id);
    }
    walk
}

/// The fraction of the segment at which it enters the box.
fn enter(bounds: &Aabb, from: DVec3, to: DVec3) -> Option<f64> {
    intersect_segment_grown_aabb(&Segment { from, to }, bounds, 0.0)
}

/// The roots, and the children of each bin: bins one level down that lie in it and in no later bin.
fn children(bins: &[(u32, Aabb, bool)]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut inside = vec![Vec::new(); bins.len()];
    let mut roots = Vec::new();
    for (i, (level, bounds, _)) in bins.iter().enumerate() {
        let holds = |(above, outer, leaf): &(u32, Aabb, bool)| {
            !leaf && above + 1 == *level && outer.grow(WITHIN_M).contains_box(bounds)
        };
        match bins.iter().rposition(holds) {
            Some(parent) => inside[parent].push(i),
            None => roots.push(i),
        }
    }
    (roots, inside)
}

impl RayWalk {
    /// Walks the ray again if the world has changed.
    pub fn update(&mut self, world: &World) {
        if self.revision != world.revision() {
            *self = walk_ray(world, self.from, self.to);
        }
    }

    fn descend(&mut self, world: &World, id: RoomId) {
        let mut bins = world.room(id).tree.bins();
        bins.truncate(MOST_BINS);
        let (roots, inside) = children(&bins);
        let own_hit = self.hit.filter(|hit| hit.room == id);
        // The nearest last.
        let mut stack = self.nearest_last(&bins, &roots);
        let mut done = false;
        while let Some((enter, i)) = stack.pop() {
            let (level, bounds, leaf) = bins[i];
            let holds_hit = |hit: CastHit| bounds.grow(WITHIN_M).contains(hit.point);
            let result = match enter {
                None => BinResult::Missed,
                Some(_) if done => BinResult::Behind,
                Some(_) if !leaf => BinResult::Entered,
                Some(_) if own_hit.is_some_and(holds_hit) => BinResult::Hit,
                Some(_) => BinResult::Tested,
            };
            done |= result == BinResult::Hit;
            self.steps.push(WalkStep {
                room: id,
                level,
                bounds,
                result,
            });
            if result == BinResult::Entered {
                stack.extend(self.nearest_last(&bins, &inside[i]));
            }
        }
    }

    /// Bins with the fraction at which the ray enters, nearest last. Missed bins are visited first, as the real query drops
    /// them at once.
    fn nearest_last(
        &self,
        bins: &[(u32, Aabb, bool)],
        which: &[usize],
    ) -> Vec<(Option<f64>, usize)> {
        let mut list: Vec<(Option<f64>, usize)> = which
            .iter()
            .map(|&i| (enter(&bins[i].1, self.from, self.to), i))
            .collect();
        let far = |enter: Option<f64>| enter.unwrap_or(f64::NEG_INFINITY);
        list.sort_by(|a, b| far(b.0).total_cmp(&far(a.0)).then(b.1.cmp(&a.1)));
        list
    }

    /// The bins visited up to this step, the current one in white, and the ray up to the known hit.
    pub fn lines(&self, step: usize, palette: Palette) -> Vec<Line> {
        let inks = palette.inks();
        let mut lines = Vec::new();
        let last = step.min(self.steps.len().saturating_sub(1));
        for (i, step) in self.steps.iter().take(last + 1).enumerate() {
            let [r, g, b, _] = depth_colour(step.level, palette);
            let colour = match step.result {
                BinResult::Missed | BinResult::Behind => with_alpha(inks.idle, MISSED_ALPHA),
                BinResult::Entered | BinResult::Tested | BinResult::Hit => [r, g, b, 0.8],
            };
            let colour = if i == last { CURRENT } else { colour };
            box_lines(&step.bounds, colour, &mut lines);
        }
        let at_hit = self
            .steps
            .iter()
            .take(last + 1)
            .any(|s| s.result == BinResult::Hit);
        let hit = self.hit.filter(|_| at_hit);
        let end = hit.map_or(self.to, |hit| hit.point);
        lines.push(Line {
            from: self.from,
            to: end,
            colour: with_alpha(inks.asked, 1.0),
        });
        if let Some(hit) = hit {
            lines.extend(DVec3::AXES.map(|axis| Line {
                from: hit.point - axis * 0.15,
                to: hit.point + axis * 0.15,
                colour: with_alpha(inks.hit, 1.0),
            }));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Settings, Sim};
    use crate::timing::Silent;

    #[test]
    fn a_walk_ends_in_the_bin_with_the_face_that_the_ray_hits() {
        let level = crate::level::read_map(include_bytes!("../../levels/bunker.map"));
        let level = level.expect("a level");
        let sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world");
        let eye = sim.player.eye;
        for i in 0..40 {
            let turn = f64::from(i) * 0.7;
            let dir = DVec3::new(
                libm::cos(turn),
                0.4 * libm::sin(turn * 1.3),
                libm::sin(turn),
            );
            let to = eye + dir * 100.0;
            let walk = walk_ray(&sim.world, eye, to);
            let wanted = sim.world.cast_ray(eye, to, &mut QueryStats::default());
            assert_eq!(walk.hit, wanted);
            let hits = walk
                .steps
                .iter()
                .filter(|s| s.result == BinResult::Hit)
                .count();
            assert_eq!(hits, usize::from(wanted.is_some()), "ray {i}");
            assert!(walk.steps[0].level == 0);
            assert!(!walk.lines(walk.steps.len(), Palette::Standard).is_empty());
        }
    }

    #[test]
    fn a_walk_follows_the_world_through_a_blast_and_back() {
        let level = crate::level::read_map(include_bytes!("../../levels/bunker.map"));
        let level = level.expect("a level");
        let mut sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world");
        let start = sim.clone();
        let eye = sim.player.eye;
        let to = eye + sim.look_dir() * 100.0;
        let mut walk = walk_ray(&sim.world, eye, to);
        let before = walk.clone();
        let fire = crate::sim::Command {
            actions: vec![crate::sim::Action::Fire],
            ..sim.idle()
        };
        sim.step(&fire, &mut Silent);
        while sim.world.revision() == start.world.revision() && sim.tick < 300 {
            sim.step(&sim.idle(), &mut Silent);
        }
        walk.update(&sim.world);
        assert_eq!(walk, walk_ray(&sim.world, eye, to));
        assert_ne!(walk.hit, before.hit);
        walk.update(&start.world);
        assert_eq!(walk, before);
    }

    #[test]
    fn a_walk_of_nothing_has_no_steps_and_can_be_drawn() {
        let walk = RayWalk {
            from: DVec3::ZERO,
            to: DVec3::X,
            revision: Revision::default(),
            steps: Vec::new(),
            hit: None,
        };
        assert_eq!(walk.lines(7, Palette::Standard).len(), 1);
    }
}
