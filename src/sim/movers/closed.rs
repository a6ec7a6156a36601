//! Portals that movers close: doors that stand in them. The world knows no movers, so its portals stay open; who looks or
//! listens through them asks here.
//!
//! A mover closes an outline of a portal if its brushes, or those of several, cover the outline wholly in the portal's
//! plane. It must stand still, and nothing may be carved out of it. That is never said wrongly, but not of every shut door:
//! a portal whose plane runs beside the door stays open.
use super::cover::{Plane, covers};
use crate::debris::{Frame, Kinematic, Solid};
use crate::geom::hash::Hash64;
use crate::geom::{Aabb, ring};
use crate::sim::simulation::Sim;
use crate::world::{BrushDesc, GRID, Revision, World};
use glam::DVec3;

/// Which outline: its portal, and which of the portal's outlines.
pub type OutlineId = (u32, u32);

/// The outlines of portals that movers close: found anew only when the world or the movers have changed.
#[derive(Clone, Debug, Default)]
pub struct ClosedPortals {
    /// The world and the standing movers that all of this is of.
    of: Option<(Revision, u64)>,
    /// Rising.
    outlines: Vec<ClosedOutline>,
    /// Portals of which every outline is closed, rising.
    portals: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq)]
struct ClosedOutline {
    id: OutlineId,
    /// Across the portal's plane.
    axis: usize,
    /// Its convex hull, counter-clockwise about the axis, metres.
    hull: Vec<DVec3>,
}

impl ClosedPortals {
    /// Takes in how the simulation is now, and tells whether other outlines are closed than before. Only solids that `counts`
    /// accepts close anything.
    pub fn update(&mut self, sim: &Sim, counts: &dyn Fn(&Solid) -> bool) -> bool {
        let doors: Vec<(usize, &Kinematic)> = sim
            .movers
            .solids()
            .filter(|(index, solid)| {
                let whole_m3 = sim.movers.all()[*index].whole_m3;
                !solid.is_moving() && whole_m3 <= solid.solid.volume_m3 && counts(&solid.solid)
            })
            .collect();
        let mut hash = Hash64::new();
        for (index, door) in &doors {
            hash.u64(*index as u64);
            hash.vec3(door.after.origin);
            let turn = door.after.turn.to_array();
            turn.into_iter().for_each(|x| hash.f64(x));
        }
        let now = Some((sim.world.revision(), hash.finish()));
        if self.of == now {
            return false;
        }
        self.of = now;
        let outlines = closed_outlines(sim, &doors);
        let loops = |portal: u32| sim.world.portals()[portal as usize].loops.len();
        let portals = outlines.chunk_by(|a, b| a.id.0 == b.id.0);
        let whole = portals.filter(|closed| closed.len() == loops(closed[0].id.0));
        self.portals = whole.map(|closed| closed[0].id.0).collect();
        let is_other = self.outlines != outlines;
        self.outlines = outlines;
        is_other
    }

    /// Whether every outline of a portal is closed.
    pub fn is_closed(&self, portal: u32) -> bool {
        self.portals.binary_search(&portal).is_ok()
    }

    /// Whether an outline is closed.
    pub fn has(&self, outline: OutlineId) -> bool {
        let found = self.outlines.binary_search_by_key(&outline, |one| one.id);
        found.is_ok()
    }

    /// Whether a segment crosses a closed outline.
    pub fn blocks(&self, from: DVec3, to: DVec3) -> bool {
        self.outlines.iter().any(|one| one.is_crossed(from, to))
    }
}

impl ClosedOutline {
    fn is_crossed(&self, from: DVec3, to: DVec3) -> bool {
        let axis = self.axis;
        let Some(plane) = self.hull.first().map(|corner| corner[axis]) else {
            return false;
        };
        let (before, behind) = (from[axis] - plane, to[axis] - plane);
        if (before < 0.0) == (behind < 0.0) {
            return false;
        }
        let crossing = from.lerp(to, before / (before - behind));
        ring::pairs(&self.hull).all(|(&a, &b)| (b - a).cross(crossing - a)[axis] >= 0.0)
    }
}

/// The outlines that standing movers cover, rising. Only portals of rooms that a mover's box touches are looked at.
fn closed_outlines(sim: &Sim, doors: &[(usize, &Kinematic)]) -> Vec<ClosedOutline> {
    let world = &sim.world;
    let shapes: Vec<(Aabb, Vec<Vec<Plane>>)> = doors
        .iter()
        .map(|&(index, door)| {
            let brushes = sim.level.movers.movers[index].brushes.iter();
            let shape = brushes.filter_map(|brush| planes(brush, &door.after));
            (*door.bounds(), shape.collect())
        })
        .collect();
    let mut closed = Vec::new();
    for number in portals_near(world, doors) {
        let portal = &world.portals()[number as usize];
        for (i, outline) in portal.loops.iter().enumerate() {
            let Some(bounds) = Aabb::from_points(outline.iter().copied()) else {
                continue;
            };
            let beside = shapes.iter().filter(|(shape, _)| shape.overlaps(&bounds));
            let solids: Vec<&[Plane]> = beside
                .flat_map(|(_, brushes)| brushes.iter().map(Vec::as_slice))
                .collect();
            if solids.is_empty() {
                continue;
            }
            let hull = hull(outline, portal.axis);
            if covers(&hull, &solids) {
                closed.push(ClosedOutline {
                    id: (number, i as u32),
                    axis: portal.axis,
                    hull,
                });
            }
        }
    }
    closed
}

/// Rising.
fn portals_near(world: &World, doors: &[(usize, &Kinematic)]) -> Vec<u32> {
    let mut near: Vec<u32> = Vec::new();
    for (_, door) in doors {
        world.each_room_in_box(door.bounds(), &mut |id| {
            near.extend(&world.room(id).portals)
        });
    }
    near.sort_unstable();
    near.dedup();
    near
}

/// The planes of a brush in the world; None if one of its sides has no plane.
fn planes(brush: &BrushDesc, frame: &Frame) -> Option<Vec<Plane>> {
    let sides = brush.sides.iter().map(|side| {
        let [a, b, c] = side.points.map(|p| frame.to_world(p.as_dvec3() / GRID));
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some((normal, normal.dot(a)))
    });
    sides.collect()
}

/// The convex hull of an outline in a plane across an axis, counter-clockwise about it (Andrew's monotone chain, 1979).
fn hull(outline: &[DVec3], axis: usize) -> Vec<DVec3> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut points = outline.to_vec();
    points.sort_by(|a, b| a[u].total_cmp(&b[u]).then(a[v].total_cmp(&b[v])));
    points.dedup();
    let half = |points: &[DVec3]| {
        let mut half: Vec<DVec3> = Vec::new();
        for &p in points {
            while let [.., a, b] = half[..]
                && (b - a).cross(p - a)[axis] <= 0.0
            {
                half.pop();
            }
            half.push(p);
        }
        // The other half begins with it.
        half.pop();
        half
    };
    let mut hull = half(&points);
    points.reverse();
    hull.extend(half(&points));
    hull
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::tests::{DOOR, DOORWAY, brush_entity, hall, set_out};
    use crate::sim::{Action, Command, Settings};
    use crate::timing::Silent;

    fn open(map: &str) -> Sim {
        let level = crate::level::read_map(map.as_bytes()).expect("a sound level");
        Sim::new(level, 1, Settings::default(), &mut Silent).expect("a sound world")
    }

    fn closed(sim: &Sim) -> ClosedPortals {
        let mut closed = ClosedPortals::default();
        closed.update(sim, &|_| true);
        closed
    }

    /// From one side of the doorway to the other, through its middle.
    const THROUGH: [DVec3; 2] = [DVec3::new(10.0, 1.5, 0.3), DVec3::new(30.0, 1.2, -0.2)];

    #[test]
    fn the_hull_of_an_l_is_its_five_outer_corners() {
        for axis in 0..3 {
            let corner = |&(x, y): &(f64, f64)| {
                let mut p = DVec3::ONE;
                (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (x, y);
                p
            };
            let outer = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
            let mut outline: Vec<DVec3> = outer.iter().map(corner).collect();
            // The inner corner, and one in the middle of an edge.
            outline.insert(3, corner(&(1.0, 1.0)));
            outline.insert(1, corner(&(1.0, 0.0)));
            let expected: Vec<DVec3> = outer.iter().map(corner).collect();
            assert_eq!(hull(&outline, axis), expected);
            outline.reverse();
            assert_eq!(hull(&outline, axis), expected);
        }
    }

    #[test]
    fn a_shut_door_closes_its_portal_until_it_sets_out() {
        let mut sim =
            open(&(hall(&DOORWAY) + &brush_entity("func_door", "\"angle\" \"-1\"", DOOR)));
        let mut closed = ClosedPortals::default();
        assert!(
            closed.update(&sim, &|_| true),
            "it is closed from the start"
        );
        let whole = &closed.portals;
        assert_eq!(whole.len(), 1, "the doorway has one portal");
        assert!(closed.is_closed(whole[0]) && closed.has((whole[0], 0)));
        let [from, to] = THROUGH;
        assert!(closed.blocks(from, to) && closed.blocks(to, from));
        assert!(!closed.blocks(from, from + DVec3::X), "before the door");
        let above = DVec3::Y * 4.0;
        assert!(!closed.blocks(from + above, to + above), "over the door");
        assert!(!closed.update(&sim, &|_| true), "nothing has changed");
        assert!(closed.update(&sim, &|_| false), "one sees through it");
        assert!(closed.outlines.is_empty());
        closed.update(&sim, &|_| true);
        set_out(&mut sim);
        assert!(closed.update(&sim, &|_| true));
        assert!(closed.outlines.is_empty() && closed.portals.is_empty());
        assert!(!closed.blocks(from, to));
    }

    #[test]
    fn two_leaves_close_a_portal_together_and_one_does_not() {
        let [low, high] = DOOR;
        let middle = (low[1] + high[1]) / 2;
        let leaves = [
            [low, [high[0], middle, high[2]]],
            [[low[0], middle, low[2]], high],
        ];
        let leaf = |corners| brush_entity("func_door", "\"angle\" \"-1\"", corners);
        let one = open(&(hall(&DOORWAY) + &leaf(leaves[0])));
        assert!(closed(&one).outlines.is_empty());
        let both = open(&(hall(&DOORWAY) + &leaf(leaves[0]) + &leaf(leaves[1])));
        assert_eq!(closed(&both).portals.len(), 1);
    }

    #[test]
    fn a_door_that_was_shot_closes_nothing_until_an_undo_mends_it() {
        let mut sim =
            open(&(hall(&DOORWAY) + &brush_entity("func_door", "\"angle\" \"-1\"", DOOR)));
        let mut act = |action: Action| {
            let command = Command {
                actions: vec![action],
                ..sim.idle()
            };
            sim.step(&command, &mut Silent);
            let mut ticks = 0;
            while ticks < 10 || sim.carving().is_some() {
                sim.step(&sim.idle(), &mut Silent);
                ticks += 1;
            }
            closed(&sim).portals.len()
        };
        let shot = Action::FireAlong {
            from: [18.5, 1.5, 0.0],
            dir: [1.0, 0.0, 0.0],
        };
        assert_eq!(act(shot), 0);
        assert_eq!(act(Action::Undo), 1);
    }
}
