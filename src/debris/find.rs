//! Who may touch whom, and what, before the tick ends?
//!
//! Every sphere awake asks the grids for spheres whose way comes near its own, and the world for the surface around it;
//! what is fast is swept. Asking changes nothing, so it is spread over threads; what they found is put together in the
//! order of the bodies.
use super::contact::{Contact, Motion};
use super::grid::{Grid, Reach};
use super::step::Forces;
use super::{Ball, Body};
use crate::bvh::{QueryStats, Touch};
use crate::collide::{Layer, SphereSweep, sweep_sphere_sphere};
use crate::world::World;
use glam::DVec3;
use rayon::prelude::*;
use smallvec::SmallVec;

/// Contacts this far away are seen even if nobody moves, metres: what leans on something is known to lean on it.
pub(super) const NEAR: f64 = 0.012;
/// A sphere that moves more than this part of its radius in a tick is swept.
const FAST: f64 = 0.25;
/// How much farther than needed the surface is looked for, in radii: what is known to be clear need not be asked again.
const BEYOND: f64 = 1.0;
/// A sleeper that is hit so that it would move this fast, metres a second, wakes up.
const WAKING_SPEED: f64 = 0.25;
/// Rounds of waking in a tick; what is hit by those woken last waits for the next.
const WAKING_ROUNDS: u8 = 4;
/// Contacts of one sphere with walls.
const WALLS: usize = 6;
/// Contacts of a chunk with one other body; with walls, which do not give, it has all.
const MANIFOLD: usize = 8;
/// Bodies that a thread looks after at a time.
const BATCH: usize = 128;
/// A point is on a face's plane, metres.
const ON_PLANE: f64 = 1e-6;

/// A sphere of a body in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub body: u32,
    pub part: u16,
    pub ball: Ball,
    /// From the body's centre; None for a crumb.
    pub offset: Option<DVec3>,
    /// Where it would go in the tick, metres.
    pub path: DVec3,
    /// No surface is nearer to its centre than this, metres.
    pub safe: f64,
}

/// The surface is no nearer than `free` to `at`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clear {
    at: DVec3,
    free: f64,
    revision: u64,
}

/// The spheres of those asleep.
#[derive(Clone, Debug, Default)]
pub(super) struct Sleepers {
    parts: Vec<Part>,
    grid: Grid,
}

impl Sleepers {
    pub fn of(bodies: &[Body]) -> Sleepers {
        let mut parts = Vec::new();
        for (index, body) in (0u32..).zip(bodies).filter(|(_, b)| b.asleep) {
            add_parts(&mut parts, index, body, None, 0.0);
        }
        let grid = Grid::new(parts.iter().map(|part| part.reach(0.0)));
        Sleepers { parts, grid }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub contacts: Vec<Contact>,
    /// Those of a body stand together.
    pub parts: Vec<Part>,
}

/// All that the search looks at.
struct Search<'a> {
    bodies: &'a [Body],
    world: &'a World,
    forces: &'a Forces,
    sleepers: &'a Sleepers,
    grid: Grid,
    parts: Vec<Part>,
    /// By body: the round in which it came to be looked at; 0 is asleep.
    rounds: Vec<u8>,
    clear: &'a [Clear],
}

/// What one thread brings home.
#[derive(Default)]
struct Haul {
    contacts: Vec<Contact>,
    safe: Vec<f64>,
    clear: Vec<Clear>,
    woken: Vec<u32>,
    stats: QueryStats,
}

impl Part {
    /// The kind of its body.
    fn layer(&self) -> Layer {
        match self.offset {
            Some(_) => Layer::Chunk,
            None => Layer::Debris,
        }
    }

    /// Around all places that it may reach, and `more`.
    fn reach(&self, more: f64) -> Reach {
        Reach {
            centre: self.ball.centre + self.path * 0.5,
            radius: self.ball.radius + self.path.length() * 0.5 + more,
        }
    }
}

fn add_parts(parts: &mut Vec<Part>, index: u32, body: &Body, motion: Option<&Motion>, secs: f64) {
    for (part, ball) in (0u16..).zip(body.balls()) {
        let offset = body.chunk.is_some().then_some(ball.centre - body.position);
        let path = motion.map_or(DVec3::ZERO, |m| {
            (m.velocity + offset.map_or(DVec3::ZERO, |o| m.spin.cross(o))) * secs
        });
        parts.push(Part {
            body: index,
            part,
            ball,
            offset,
            path,
            safe: 0.0,
        });
    }
}

/// Finds all contacts of the tick. `awake` grows by those that are woken; `wake(body)` tells their motion from then on.
pub(super) fn find(
    bodies: &[Body],
    awake: &mut Vec<u32>,
    (sleepers, clear): (&Sleepers, &mut Vec<Clear>),
    world: &World,
    forces: &Forces,
    motion: &mut dyn FnMut(u32) -> Motion,
    stats: &mut QueryStats,
) -> Found {
    clear.resize(bodies.len(), Clear::default());
    let mut found = Found::default();
    let mut rounds = vec![0u8; bodies.len()];
    let mut grid = Grid::default();
    let mut from = 0;
    for round in 1..=WAKING_ROUNDS {
        let list = &awake[from..];
        if list.is_empty() {
            break;
        }
        from = awake.len();
        let mut parts = Vec::new();
        let mut owners = Vec::with_capacity(list.len());
        for &body in list {
            rounds[body as usize] = round;
            owners.push((body, parts.len() as u32));
            let moves = motion(body);
            add_parts(
                &mut parts,
                body,
                &bodies[body as usize],
                Some(&moves),
                forces.secs,
            );
        }
        if round == 1 {
            grid = Grid::new(parts.iter().map(|part| part.reach(NEAR * 0.5)));
        }
        let search = Search {
            bodies,
            world,
            forces,
            sleepers,
            grid,
            parts,
            rounds,
            clear,
        };
        let hauls: Vec<Haul> = owners
            .par_chunks(BATCH)
            .map(|owners| search.look(owners, round))
            .collect();
        let mut safe = Vec::with_capacity(search.parts.len());
        let mut cleared = Vec::with_capacity(owners.len());
        let mut woken = Vec::new();
        for haul in hauls {
            found.contacts.extend(haul.contacts);
            safe.extend(haul.safe);
            cleared.extend(haul.clear);
            woken.extend(haul.woken);
            stats.bins += haul.stats.bins;
            stats.faces += haul.stats.faces;
        }
        let mut parts = search.parts;
        (grid, rounds) = (search.grid, search.rounds);
        for (part, safe) in parts.iter_mut().zip(safe) {
            part.safe = safe;
        }
        for (&(body, _), cleared) in owners.iter().zip(cleared) {
            clear[body as usize] = cleared;
        }
        found.parts.extend(parts);
        woken.sort_unstable();
        woken.dedup();
        woken.retain(|&body| rounds[body as usize] == 0);
        awake.extend(woken);
    }
    found
}

impl Search<'_> {
    fn look(&self, owners: &[(u32, u32)], round: u8) -> Haul {
        let mut haul = Haul::default();
        for &(body, first) in owners {
            let count = self.bodies[body as usize].ball_count();
            let parts = &self.parts[first as usize..first as usize + count];
            let before = haul.contacts.len();
            self.walls(body, parts, &mut haul);
            for part in parts {
                // Each pair once; a body does not touch itself.
                self.neighbours(part, (first as usize + count) as u32, round, &mut haul);
            }
            if count > 1 {
                let own = haul.contacts.split_off(before);
                haul.contacts.extend(thinned(own));
            }
        }
        haul
    }

    /// Spheres that this one may touch: of those awake from number `last` on, and those asleep.
    fn neighbours(&self, part: &Part, last: u32, round: u8, haul: &mut Haul) {
        let reach = part.reach(NEAR * 0.5);
        let mut near: SmallVec<[u32; 24]> = SmallVec::new();
        if round == 1 {
            self.grid.each_overlapping(&reach, last, |i| near.push(i));
            near.sort_unstable();
            for &i in &near {
                let other = &self.parts[i as usize];
                haul.contacts.extend(self.pair(part, other));
            }
        }
        near.clear();
        let reach = Reach {
            radius: reach.radius + NEAR * 0.5,
            ..reach
        };
        self.sleepers
            .grid
            .each_overlapping(&reach, 0, |i| near.push(i));
        near.sort_unstable();
        for &i in &near {
            let other = &self.sleepers.parts[i as usize];
            let theirs = self.rounds[other.body as usize];
            if theirs != 0 && (theirs != round || other.body <= part.body) {
                continue;
            }
            let Some(contact) = self.pair(part, other) else {
                continue;
            };
            // Those woken in this round are asked about as the sleepers that they were.
            let speed = -part.path.dot(contact.normal) / self.forces.secs;
            let [mine, theirs] =
                [part.body, other.body].map(|body| self.bodies[body as usize].mass());
            let is_hit = contact.gap <= speed * self.forces.secs;
            if is_hit && speed * mine > WAKING_SPEED * (mine + theirs) {
                haul.woken.push(other.body);
            }
            haul.contacts.push(contact);
        }
    }

    /// Two spheres, if they are near or meet within the tick.
    fn pair(&self, a: &Part, b: &Part) -> Option<Contact> {
        let apart = a.ball.centre - b.ball.centre;
        let distance = apart.length();
        let both = a.ball.radius + b.ball.radius;
        let gap = distance - both;
        if gap > NEAR && (a.path - b.path).length_squared() <= gap * gap {
            return None;
        }
        if !self.forces.layers.meet(a.layer(), b.layer()) {
            return None;
        }
        let way = a.path - b.path;
        let (normal, gap) = if gap <= NEAR {
            // In one place: any direction will do.
            let normal = if distance > 0.0 {
                apart / distance
            } else {
                DVec3::Y
            };
            (normal, gap)
        } else {
            let sweep = SphereSweep::new(a.ball.centre, a.ball.centre + a.path, a.ball.radius)?;
            let hit = sweep_sphere_sphere(&sweep, b.ball.centre, b.path, b.ball.radius)?;
            (hit.normal, -way.dot(hit.normal) * hit.fraction)
        };
        Some(Contact::new(
            [a.body, b.body],
            [a.part, b.part],
            normal,
            gap,
            [a.ball.radius, b.ball.radius],
            [a.offset, b.offset],
        ))
    }

    /// Walls that the spheres of one body may touch.
    fn walls(&self, body: u32, parts: &[Part], haul: &mut Haul) {
        let owner = &self.bodies[body as usize];
        let revision = self.world.revision();
        let known = self.clear[body as usize];
        let mut clear = known;
        let far = parts
            .iter()
            .map(|p| p.path.length_squared())
            .fold(0.0, f64::max)
            .sqrt();
        // From the body's centre: nothing that any of its spheres may meet.
        let needed = owner.radius + far + self.forces.buffer.min(owner.radius * 0.1) + NEAR;
        let mut free = if known.revision == revision {
            known.free - known.at.distance(owner.position)
        } else {
            0.0
        };
        if free < needed && parts.len() > 1 {
            // A chunk in the air needs no more than this.
            free = self.distance(owner.position, needed + owner.radius * 0.5, haul);
            clear = Clear {
                at: owner.position,
                free,
                revision,
            };
        }
        if free >= needed {
            for part in parts {
                haul.safe
                    .push(free - part.offset.map_or(0.0, DVec3::length));
            }
            haul.clear.push(clear);
            return;
        }
        for part in parts {
            let safe = self.walls_of(part, haul);
            haul.safe.push(safe);
            if parts.len() == 1 {
                clear = Clear {
                    at: part.ball.centre,
                    free: safe,
                    revision,
                };
            }
        }
        haul.clear.push(clear);
    }

    /// How far the surface is from a point, or `reach` if it is farther.
    fn distance(&self, at: DVec3, reach: f64, haul: &mut Haul) -> f64 {
        let mut nearest = reach;
        self.world
            .each_touch(at, reach, &mut haul.stats, &mut |touch| {
                nearest = nearest.min(touch.distance);
            });
        nearest
    }

    /// The walls around one sphere, and before it if it is fast; how far away the surface is.
    fn walls_of(&self, part: &Part, haul: &mut Haul) -> f64 {
        let Ball { centre, radius } = part.ball;
        let buffer = self.forces.buffer.min(radius * 0.1);
        let moves = part.path.length();
        let is_fast = moves > FAST * radius;
        let needed = radius + buffer + if is_fast { NEAR } else { moves + NEAR };
        let reach = needed + radius * BEYOND;
        let mut touches: SmallVec<[Touch; 16]> = SmallVec::new();
        let mut safe = reach;
        let stats = &mut haul.stats;
        self.world.each_touch(centre, reach, stats, &mut |touch| {
            safe = safe.min(touch.distance);
            if touch.distance <= needed {
                touches.push(touch);
            }
        });
        let walls = distinct(touches);
        let mut add = |normal: DVec3, gap: f64| {
            haul.contacts.push(Contact::new(
                [part.body, Contact::WORLD],
                [part.part, 0],
                normal,
                gap,
                [radius, 0.0],
                [part.offset, None],
            ));
        };
        for wall in &walls {
            add(wall.normal, wall.distance - radius - buffer);
        }
        if is_fast && safe < radius + buffer + moves {
            let to = centre + part.path;
            let hit = self.world.sweep_sphere(centre, to, radius + buffer, stats);
            let hit = hit.filter(|hit| {
                let is_known = |wall: &Touch| wall.normal.dot(hit.normal) > 1.0 - 1e-6;
                !walls.iter().any(is_known)
            });
            if let Some(hit) = hit {
                add(hit.normal, -part.path.dot(hit.normal) * hit.fraction);
            }
        }
        safe
    }
}

/// Of a chunk's contacts with one other a few that hold it as well as all would: the deepest, then always the one
/// farthest from those chosen. In the order in which they came.
fn thinned(mut contacts: Vec<Contact>) -> Vec<Contact> {
    contacts.sort_by_key(|c| c.bodies[1]);
    let mut kept = Vec::with_capacity(contacts.len());
    for group in contacts.chunk_by(|a, b| a.bodies[1] == b.bodies[1]) {
        if group.len() <= MANIFOLD || group[0].bodies[1] == Contact::WORLD {
            kept.extend_from_slice(group);
            continue;
        }
        let deepest = (0..group.len()).min_by(|&i, &j| group[i].gap.total_cmp(&group[j].gap));
        let mut chosen: SmallVec<[usize; MANIFOLD]> = deepest.into_iter().collect();
        // What is far off matters less the farther it is.
        let mut apart: Vec<f64> = vec![f64::INFINITY; group.len()];
        while chosen.len() < MANIFOLD {
            let last = chosen[chosen.len() - 1];
            for (apart, c) in apart.iter_mut().zip(group) {
                let distance = c.arms[0].distance(group[last].arms[0]);
                *apart = apart.min(distance - 4.0 * c.gap.max(0.0));
            }
            let next = (0..group.len())
                .filter(|i| !chosen.contains(i))
                .max_by(|&i, &j| apart[i].total_cmp(&apart[j]));
            chosen.extend(next);
        }
        chosen.sort_unstable();
        kept.extend(chosen.into_iter().map(|i| group[i].clone()));
    }
    kept
}

/// One touch for each plane, and ridges only where no plane is as near: the nearest, in an order that no tree decides.
fn distinct(mut touches: SmallVec<[Touch; 16]>) -> SmallVec<[Touch; WALLS]> {
    let rank = |t: &Touch| {
        (
            !t.is_face,
            t.distance.to_bits(),
            t.point.to_array().map(f64::to_bits),
        )
    };
    touches.sort_unstable_by_key(rank);
    let mut walls: SmallVec<[Touch; WALLS]> = SmallVec::new();
    for touch in touches {
        let is_known = walls.iter().any(|wall| {
            let on_plane =
                wall.is_face && (touch.point - wall.point).dot(wall.normal).abs() <= ON_PLANE;
            on_plane && (!touch.is_face || wall.normal.dot(touch.normal) > 0.999)
                || wall.normal.dot(touch.normal) > 1.0 - 1e-9
                    && wall.distance <= touch.distance + ON_PLANE
        });
        if !is_known && walls.len() < WALLS {
            walls.push(touch);
        }
    }
    walls
}
