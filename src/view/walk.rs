//! A ray walked node by node, as steps that a panel shows one after the other and lines that show where they are.
//!
//! The real query looks at eight bins at once; this walk takes the same bins one by one, nearest first, and comes to
//! the same hit.
use super::debug_lines::{box_lines, depth_colour};
use super::palette::with_alpha;
use super::{Line, Palette};
use crate::bvh::QueryStats;
use crate::collide::intersect_segment_grown_aabb;
use crate::geom::{Aabb, Segment};
use crate::world::{CastHit, Revision, RoomId, World};
use glam::DVec3;

/// Rooms with more bins than this are walked in their first ones only: nobody steps through more.
const MOST_BINS: usize = 4000;
/// Slack of "lies in", metres.
const WITHIN_M: f64 = 1e-3;
const NOW: [f32; 4] = [1.0, 1.0, 1.0, 1.0];
/// Opacity of what was missed.
const MISSED_ALPHA: f32 = 0.35;

/// What a step found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The ray misses the bin: nothing in it is looked at.
    Missed,
    /// The ray enters the bin, but behind a hit that is known already.
    Behind,
    /// The ray enters; the bins in it come next.
    Entered,
    /// A bin of faces, entered: each face in it is tested, and none is hit.
    Tested,
    /// A bin of faces with the face that the ray hits.
    Hit,
}

/// One bin looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkStep {
    /// Of this room's tree.
    pub room: RoomId,
    /// Level of the bin; the root is 0.
    pub level: u32,
    /// Its box, metres.
    pub bounds: Aabb,
    /// What came of it.
    pub found: Found,
}

/// A ray and every bin that it looks at, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct RayWalk {
    /// Start, metres.
    pub from: DVec3,
    /// End, metres.
    pub to: DVec3,
    /// Of the world that it was walked through.
    pub revision: Revision,
    /// The bins.
    pub steps: Vec<WalkStep>,
    /// What the ray meets.
    pub hit: Option<CastHit>,
}

/// Walks the ray from room to room and down each room's tree.
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

/// Where the segment enters the box, as a part of it.
fn enter(bounds: &Aabb, from: DVec3, to: DVec3) -> Option<f64> {
    intersect_segment_grown_aabb(&Segment { from, to }, bounds, 0.0)
}

/// For each bin the bins in it: those one level down that lie in it and in no bin listed later.
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
    /// Walks the same ray again where the world is another one now.
    pub fn follow(&mut self, world: &World) {
        if self.revision != world.revision() {
            *self = walk_ray(world, self.from, self.to);
        }
    }

    fn descend(&mut self, world: &World, id: RoomId) {
        let mut bins = world.room(id).tree.bins();
        bins.truncate(MOST_BINS);
        let (roots, inside) = children(&bins);
        let own_hit = self.hit.filter(|hit| hit.room == id);
        // Bins still to be looked at, the nearest last.
        let mut todo = self.nearest_last(&bins, &roots);
        let mut done = false;
        while let Some((enter, i)) = todo.pop() {
            let (level, bounds, leaf) = bins[i];
            let holds_hit = |hit: CastHit| bounds.grow(WITHIN_M).contains(hit.point);
            let found = match enter {
                None => Found::Missed,
                Some(_) if done => Found::Behind,
                Some(_) if !leaf => Found::Entered,
                Some(_) if own_hit.is_some_and(holds_hit) => Found::Hit,
                Some(_) => Found::Tested,
            };
            done |= found == Found::Hit;
            self.steps.push(WalkStep {
                room: id,
                level,
                bounds,
                found,
            });
            if found == Found::Entered {
                todo.extend(self.nearest_last(&bins, &inside[i]));
            }
        }
    }

    /// With where the ray enters each; what is missed is looked at first, as the real query drops it at once.
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

    /// The ray as far as it is known, the bins looked at up to this step, the step's own in white.
    pub fn lines(&self, step: usize, palette: Palette) -> Vec<Line> {
        let inks = palette.inks();
        let mut lines = Vec::new();
        let last = step.min(self.steps.len().saturating_sub(1));
        for (i, step) in self.steps.iter().take(last + 1).enumerate() {
            let [r, g, b, _] = depth_colour(step.level, palette);
            let colour = match step.found {
                _ if i == last => NOW,
                Found::Missed | Found::Behind => with_alpha(inks.idle, MISSED_ALPHA),
                _ => [r, g, b, 0.8],
            };
            box_lines(&step.bounds, colour, &mut lines);
        }
        let at_hit = self
            .steps
            .iter()
            .take(last + 1)
            .any(|s| s.found == Found::Hit);
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
            let hits = walk.steps.iter().filter(|s| s.found == Found::Hit).count();
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
        walk.follow(&sim.world);
        assert_eq!(walk, walk_ray(&sim.world, eye, to));
        assert_ne!(walk.hit, before.hit);
        walk.follow(&start.world);
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
