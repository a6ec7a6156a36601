//! Who may touch whom, and what, before the tick ends?
//!
//! Every body awake asks the grid for bodies whose way comes near its own ([`super::pairs`]), and the world for the
//! surface around it ([`super::walls`]); what is fast is swept. Asking changes nothing, so it is spread over threads;
//! what they found is put together in the order of the bodies.
use super::contact::{Contact, Contacts, Motion, Motions};
use super::grid::{Grid, Reach};
use super::pairs::{Frame, Shape, meet};
use super::step::Forces;
use super::walls::{Surroundings, walls};
use super::{Ball, Body};
use crate::bvh::QueryStats;
use crate::geom::parallel;
use crate::world::World;
use glam::DVec3;
use smallvec::SmallVec;

/// Contacts this far away are seen even if nobody moves, metres: what leans on something is known to lean on it.
pub(super) const NEAR: f64 = 0.012;
/// A sleeper that is hit so that it would move this fast, metres a second, wakes up.
pub const WAKING_SPEED: f64 = 0.25;
/// Rounds of waking in a tick; what is hit by those woken last waits for the next.
const WAKING_ROUNDS: u8 = 4;
/// Bodies that a thread looks after at a time, at least.
const BATCH: usize = 32;
/// No mover: asleep.
pub(super) const NOBODY: u32 = u32::MAX;

/// A sphere of a body in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub part: u16,
    pub ball: Ball,
    /// From the body's centre; None for a crumb.
    pub offset: Option<DVec3>,
    /// Where it would go in the tick, metres.
    pub path: DVec3,
    /// No surface is nearer to its centre than this, metres.
    pub safe: f64,
}

/// A body that moves in this tick. Its place among these is its place in [`Motions`].
#[derive(Clone, Debug)]
pub(super) struct Mover {
    pub body: u32,
    /// Its spheres among all parts: the first, and the one after its last.
    pub parts: [u32; 2],
    /// Where its centre would go in the tick, metres.
    path: DVec3,
    /// No sphere goes farther than this from where its centre's path would take it, metres.
    turning: f64,
    frame: Option<Box<Frame>>,
}

impl Mover {
    pub fn parts<'a>(&self, parts: &'a [Part]) -> &'a [Part] {
        &parts[self.parts[0] as usize..self.parts[1] as usize]
    }
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub contacts: Contacts,
    /// In the order in which they came to move: those awake before by their index, then those woken.
    pub movers: Vec<Mover>,
    /// Of all movers.
    pub parts: Vec<Part>,
    /// What bodies have learnt of the surface around them.
    pub surroundings: Vec<(u32, Surroundings)>,
}

/// Where bodies are that sleep, kept from tick to tick, and which of them move.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// Bodies that slept when it was laid out, by their index. Some may have woken since.
    resting: Grid,
    /// How many.
    count: usize,
    /// Who fell asleep since then.
    recent: Vec<u32>,
    /// By body: its place among the movers of this tick, or [`NOBODY`]; between ticks all are nobody.
    pub movers: Vec<u32>,
    /// Contacts of the last tick: about as many are to be expected.
    contacts: usize,
}

impl Places {
    /// Of these bodies, none of which moves.
    pub fn of(&mut self, bodies: &[Body]) {
        self.movers.clear();
        self.movers.resize(bodies.len(), NOBODY);
        self.lay_out(bodies);
    }

    fn lay_out(&mut self, bodies: &[Body]) {
        let asleep = (0u32..).zip(bodies).filter(|(_, body)| body.asleep);
        self.recent = asleep.map(|(index, _)| index).collect();
        self.count = 0;
        // Fewer than those that move do not need a grid of their own.
        if self.recent.len() * 2 > bodies.len() {
            let reach = |index: u32| (index, reach(&bodies[index as usize], DVec3::ZERO));
            self.count = self.recent.len();
            self.resting = Grid::numbered(self.recent.drain(..).map(reach));
        } else {
            self.resting = Grid::default();
        }
    }

    /// A body has fallen asleep.
    pub fn rest(&mut self, index: u32) {
        self.recent.push(index);
    }

    /// Lays those that sleep out anew where many are new among them.
    fn tidy(&mut self, bodies: &[Body]) {
        const FEW: usize = 64;
        let many = FEW + self.count / 8;
        if self.recent.len() > many && self.recent.len() * 2 > bodies.len() - self.count {
            self.lay_out(bodies);
        }
    }
}

/// In the grid of a round, which has places of movers: a body that sleeps.
const SLEEPS: u32 = 1 << 31;

/// Whom the movers of a round may touch: of two movers the first one knows the other.
struct Near {
    /// Place of the first mover of the round.
    first: u32,
    /// By mover: where its part of `others` begins; the last one is their number.
    starts: Vec<u32>,
    /// Places of movers, and bodies that sleep, with [`SLEEPS`] added.
    others: Vec<u32>,
}

impl Near {
    /// Of the movers from `first` on, and those who fell asleep of late.
    fn of(bodies: &[Body], movers: &[Mover], first: u32, places: &Places) -> Near {
        let moving = (first..).zip(&movers[first as usize..]);
        let moving = moving.map(|(place, m)| (place, reach(&bodies[m.body as usize], m.path)));
        let recent = places.recent.iter();
        let recent = recent.filter(|&&body| places.movers[body as usize] == NOBODY);
        let still = |&i: &u32| (i | SLEEPS, reach(&bodies[i as usize], DVec3::ZERO));
        let pairs = Grid::numbered(moving.chain(recent.map(still))).pairs();
        // Sleepers have the larger numbers.
        let pairs = pairs.iter().flatten().map(|&[a, b]| [a.min(b), a.max(b)]);
        let pairs = pairs.filter(|pair| pair[0] & SLEEPS == 0);
        let mut starts = vec![0; movers.len() - first as usize + 1];
        for [one, _] in pairs.clone() {
            starts[(one - first) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut others = vec![0; sum as usize];
        for [one, other] in pairs {
            let start = &mut starts[(one - first) as usize];
            *start -= 1;
            others[*start as usize] = other;
        }
        Near {
            first,
            starts,
            others,
        }
    }

    /// Of the mover at a place, in no order that means anything.
    fn of_mover(&self, place: u32) -> &[u32] {
        let at = (place - self.first) as usize;
        &self.others[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Around all places that a body may reach, and half of what is near.
fn reach(body: &Body, path: DVec3) -> Reach {
    Reach {
        centre: body.position + path * 0.5,
        radius: body.radius + path.length() * 0.5 + NEAR * 0.5,
    }
}

/// All that the search looks at.
struct Search<'a> {
    bodies: &'a [Body],
    places: &'a Places,
    near: &'a Near,
    world: &'a World,
    forces: &'a Forces,
    movers: &'a [Mover],
    parts: &'a [Part],
}

/// What one thread brings home.
#[derive(Default)]
struct Haul {
    contacts: Contacts,
    safe: Vec<f64>,
    surroundings: Vec<(u32, Surroundings)>,
    woken: Vec<u32>,
    stats: QueryStats,
}

/// The spheres of a body that moves so.
pub(super) fn add_parts(
    parts: &mut impl Extend<Part>,
    body: &Body,
    frame: Option<&Frame>,
    (velocity, spin): (DVec3, DVec3),
) {
    let (Some(chunk), Some(frame)) = (&body.chunk, frame) else {
        parts.extend([Part {
            part: 0,
            ball: Ball {
                centre: body.position,
                radius: body.radius,
            },
            offset: None,
            path: velocity,
            safe: 0.0,
        }]);
        return;
    };
    parts.extend((0u16..).zip(&chunk.balls).map(|(part, ball)| {
        let offset = frame.axes * ball.centre;
        Part {
            part,
            ball: Ball {
                centre: body.position + offset,
                radius: ball.radius,
            },
            offset: Some(offset),
            path: velocity + spin.cross(offset),
            safe: 0.0,
        }
    }));
}

/// Finds all contacts of the tick, which know no places yet. `awake` grows by those that are woken; `motions` takes in who moves, `start` says how
/// from now on. Its last one is the world afterwards.
pub(super) fn find(
    bodies: &[Body],
    awake: &mut Vec<u32>,
    places: &mut Places,
    world: &World,
    forces: &Forces,
    (motions, start): (&mut Motions, &dyn Fn(&mut Motion)),
    stats: &mut QueryStats,
) -> Found {
    let mut found = Found::default();
    let mut from = 0;
    places.tidy(bodies);
    for _ in 0..WAKING_ROUNDS {
        let list = &awake[from..];
        if list.is_empty() {
            break;
        }
        let spheres = list.iter().map(|&i| bodies[i as usize].ball_count());
        found.parts.reserve(spheres.sum());
        found.movers.reserve(list.len());
        motions.list.reserve(list.len() + 1);
        for &index in list {
            let body = &bodies[index as usize];
            motions.admit(body);
            let place = motions.list.len() - 1;
            let motion = &mut motions.list[place];
            start(motion);
            let path = motion.velocity * forces.secs;
            let turn = motion.spin * forces.secs;
            let frame = Frame::of(body).map(Box::new);
            let first = found.parts.len() as u32;
            add_parts(&mut found.parts, body, frame.as_deref(), (path, turn));
            let turning = if frame.is_some() {
                turn.length() * body.radius
            } else {
                0.0
            };
            places.movers[index as usize] = place as u32;
            found.movers.push(Mover {
                body: index,
                parts: [first, found.parts.len() as u32],
                path,
                turning,
                frame,
            });
        }
        let near = Near::of(bodies, &found.movers, from as u32, places);
        let search = Search {
            bodies,
            places,
            near: &near,
            world,
            forces,
            movers: &found.movers,
            parts: &found.parts,
        };
        // In as many pieces as keep the threads busy; where they are cut, nobody can tell afterwards.
        let threads = parallel::threads();
        let share = if threads > 1 { threads * 4 } else { 1 };
        let batch = list.len().div_ceil(share).max(BATCH);
        let batches: Vec<&[Mover]> = found.movers[from..].chunks(batch).collect();
        let hauls: Vec<Haul> = parallel::map(batches.len(), 1, |i| {
            search.look(batches[i], (from + i * batch) as u32)
        });
        let mut woken = Vec::new();
        let mut part = found.movers[from].parts[0] as usize;
        for haul in hauls {
            found.contacts.append(haul.contacts);
            for safe in haul.safe {
                found.parts[part].safe = safe;
                part += 1;
            }
            found.surroundings.extend(haul.surroundings);
            woken.extend(haul.woken);
            stats.bins += haul.stats.bins;
            stats.faces += haul.stats.faces;
        }
        from = awake.len();
        woken.sort_unstable();
        woken.dedup();
        woken.retain(|&body| places.movers[body as usize] == NOBODY);
        awake.extend(woken);
    }
    motions.list.push(Motion::FIXED);
    places.contacts = found.contacts.list.len();
    found
}

impl Search<'_> {
    fn look(&self, movers: &[Mover], first: u32) -> Haul {
        let parts = movers.iter().map(|m| (m.parts[1] - m.parts[0]) as usize);
        let mut haul = Haul {
            contacts: Contacts::with_capacity(
                self.places.contacts * movers.len() / self.movers.len(),
            ),
            safe: Vec::with_capacity(parts.sum()),
            ..Haul::default()
        };
        for (place, mover) in (first..).zip(movers) {
            let body = &self.bodies[mover.body as usize];
            let parts = mover.parts(self.parts);
            let learnt = walls(
                (mover.body, body, parts),
                self.world,
                self.forces,
                (&mut haul.contacts, &mut haul.safe, &mut haul.stats),
            );
            let learnt = learnt.map(|learnt| (mover.body, learnt));
            haul.surroundings.extend(learnt);
            self.neighbours((place, mover), body, parts, &mut haul);
        }
        haul
    }

    /// Contacts with other bodies, each pair once: of those awake the one with the lower index asks, and who is awake asks
    /// who sleeps.
    fn neighbours(
        &self,
        (place, mover): (u32, &Mover),
        body: &Body,
        parts: &[Part],
        haul: &mut Haul,
    ) {
        // Body, and its place among the movers.
        let mut near: SmallVec<[(u32, u32); 32]> = SmallVec::new();
        near.extend(self.near.of_mover(place).iter().map(|&other| {
            if other & SLEEPS == 0 {
                (self.movers[other as usize].body, other)
            } else {
                (other ^ SLEEPS, NOBODY)
            }
        }));
        let around = reach(body, mover.path);
        self.places.resting.each_overlapping(&around, |other| {
            if self.places.movers[other as usize] == NOBODY {
                near.push((other, NOBODY));
            }
        });
        near.sort_unstable();
        // Who woke, moved and sleeps again may still be found where it slept first.
        near.dedup();
        let shape = Shape {
            body: mover.body,
            position: body.position,
            frame: mover.frame.as_deref(),
            parts,
        };
        for (other, theirs) in near {
            let awake = self.movers.get(theirs as usize);
            let their_body = &self.bodies[other as usize];
            let layers = [body, their_body].map(Body::layer);
            if !self.forces.layers.meet(layers[0], layers[1]) {
                continue;
            }
            if let Some(them) = awake {
                let their_shape = Shape {
                    body: other,
                    position: their_body.position,
                    frame: them.frame.as_deref(),
                    parts: them.parts(self.parts),
                };
                let far = (mover.path - them.path).length() + mover.turning + them.turning;
                meet(&shape, &their_shape, far, &mut haul.contacts);
                continue;
            }
            let frame = Frame::of(their_body);
            let far = mover.path.length() + mover.turning;
            if frame
                .as_ref()
                .is_some_and(|frame| !frame.is_near(their_body.position, &shape, far))
            {
                continue;
            }
            let mut parts: SmallVec<[Part; 1]> = SmallVec::new();
            let still = (DVec3::ZERO, DVec3::ZERO);
            add_parts(&mut parts, their_body, frame.as_ref(), still);
            let their_shape = Shape {
                body: other,
                position: their_body.position,
                frame: frame.as_ref(),
                parts: &parts,
            };
            let from = haul.contacts.list.len();
            meet(&shape, &their_shape, far, &mut haul.contacts);
            let [mine, theirs] = [body.mass(), their_body.mass()];
            let wakes = |c: &Contact| {
                let path = shape.parts[c.parts[0] as usize].path;
                let closing = -path.dot(c.normal);
                let is_hit = c.gap <= closing;
                is_hit && closing / self.forces.secs * mine > WAKING_SPEED * (mine + theirs)
            };
            if haul.contacts.list[from..].iter().any(wakes) {
                haul.woken.push(other);
            }
        }
    }
}
