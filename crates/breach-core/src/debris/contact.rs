//! A contact: who, where, what it presses with; and the velocities that it sees.
use super::Body;
use glam::{DMat3, DVec3};

/// Two spheres, or a sphere and a wall, that touch or may touch before the tick ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Places of the bodies; the second one may be [`Contact::WORLD`].
    pub bodies: [u32; 2],
    /// Their places in [`Motions`] in this tick; who does not move is the world.
    pub(super) places: [u32; 2],
    /// Which of their spheres.
    pub parts: [u16; 2],
    /// Its number among [`Contacts::levers`], or [`Contact::CENTRAL`].
    pub(super) lever: u32,
    /// From the second to the first, unit.
    pub normal: DVec3,
    /// Metres between them along the normal; below zero they overlap.
    pub gap: f64,
    /// Radii of the spheres, metres; 0 of a wall.
    pub reach: [f64; 2],
    /// Impulse along the normal in this tick, N s, not below zero.
    pub push: f64,
    /// Impulse of friction.
    pub drag: DVec3,
    /// Angular impulse of rolling resistance.
    pub twist: DVec3,
    /// One over what a unit impulse changes: along the normal, across it, about it.
    pub(super) masses: [f64; 3],
    /// Least speed along the normal: to touch is as far as it may go.
    pub(super) least: f64,
}

/// A contact of the last tick, to look at: where it was when the tick began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactView {
    /// Places of the bodies; the second one may be [`Contact::WORLD`].
    pub bodies: [u32; 2],
    /// On the first body's surface, metres.
    pub point: DVec3,
    /// From the second body to the first, unit.
    pub normal: DVec3,
    /// Metres between them along the normal; below zero they overlap.
    pub gap: f64,
    /// What the first body was given in the tick, N s: along the normal, and friction across it.
    pub impulse: DVec3,
}

impl Contact {
    /// The second body of a contact with a wall.
    pub const WORLD: u32 = u32::MAX;
    /// No lever: a push goes through both centres and turns nobody.
    pub(super) const CENTRAL: u32 = u32::MAX;

    /// The lever of rolling resistance is a part of this, metres: the smaller sphere's radius.
    #[inline(always)]
    pub fn roll_radius(&self) -> f64 {
        let [one, other] = self.reach;
        if other > 0.0 { one.min(other) } else { one }
    }
}

/// How a push turns bodies that are more than one ball: most contacts have none, and the solver reads all contacts over and
/// over, so what few need is kept apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lever {
    /// From the bodies' centres to the contact, metres.
    pub arms: [DVec3; 2],
    /// What a unit push changes of the spins: of the first, and, against it, of the second.
    pub spins: [DVec3; 2],
}

/// All contacts of a tick; those of a first body stand together.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pub list: Vec<Contact>,
    pub levers: Vec<Lever>,
}

impl Contacts {
    /// None yet; about so many will come.
    pub fn with_capacity(count: usize) -> Contacts {
        Contacts {
            list: Vec::with_capacity(count + count / 16),
            levers: Vec::new(),
        }
    }

    /// Adds one that has not pressed yet. `reach` are the spheres' radii, `offsets` their centres from the bodies'.
    #[inline]
    pub fn add(
        &mut self,
        bodies: [u32; 2],
        parts: [u16; 2],
        (normal, gap): (DVec3, f64),
        reach: [f64; 2],
        offsets: [Option<DVec3>; 2],
    ) {
        let mut lever = Contact::CENTRAL;
        if offsets != [None, None] {
            lever = self.levers.len() as u32;
            let arm = |k: usize, sign: f64| {
                offsets[k].unwrap_or(DVec3::ZERO) + normal * (sign * reach[k])
            };
            self.levers.push(Lever {
                arms: [arm(0, -1.0), arm(1, 1.0)],
                spins: [DVec3::ZERO; 2],
            });
        }
        self.list.push(Contact {
            bodies,
            places: [0; 2],
            parts,
            lever,
            normal,
            gap,
            reach,
            push: 0.0,
            drag: DVec3::ZERO,
            twist: DVec3::ZERO,
            masses: [0.0; 3],
            least: 0.0,
        });
    }

    /// Adds those of the bodies that come next.
    pub fn append(&mut self, mut other: Contacts) {
        if self.list.is_empty() {
            *self = other;
            return;
        }
        let before = self.levers.len() as u32;
        for c in &mut other.list {
            if c.lever != Contact::CENTRAL {
                c.lever += before;
            }
        }
        self.list.append(&mut other.list);
        self.levers.append(&mut other.levers);
    }

    /// Its lever, if it has one.
    #[inline(always)]
    pub fn lever(&self, c: &Contact) -> Option<&Lever> {
        self.levers.get(c.lever as usize)
    }

    /// From the first body's centre to the contact, metres.
    pub fn arm(&self, c: &Contact) -> DVec3 {
        self.lever(c)
            .map_or(c.normal * -c.reach[0], |lever| lever.arms[0])
    }
}

/// How a body moves and how it answers; nothing moves what is asleep, nor the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    pub velocity: DVec3,
    pub spin: DVec3,
    /// One over kilograms.
    pub lightness: f64,
    /// One over the moment of inertia of a ball; not used by what has a tensor.
    pub ease: f64,
    /// Index of its inverse inertia, or [`Motion::BALL`].
    pub tensor: u32,
}

impl Motion {
    /// No tensor: a ball.
    pub const BALL: u32 = u32::MAX;
    /// What does not move.
    pub const FIXED: Motion = Motion {
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        lightness: 0.0,
        ease: 0.0,
        tensor: Motion::BALL,
    };
}

/// The motion of all who move in a tick; the last one is the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Motions {
    pub list: Vec<Motion>,
    /// Inverse moments of inertia of chunks, axes as the world's.
    pub tensors: Vec<DMat3>,
}

impl Motions {
    /// Takes a body in that moves.
    pub fn admit(&mut self, body: &Body) {
        let mut motion = Motion {
            velocity: body.velocity,
            spin: body.spin,
            lightness: 1.0 / body.mass(),
            ease: 1.0 / body.moments().x,
            tensor: Motion::BALL,
        };
        if body.chunk.is_some() {
            motion.tensor = self.tensors.len() as u32;
            let inverse = body.moments().map(|x| 1.0 / x);
            self.tensors.push(super::turned(body.rotation, inverse));
        }
        self.list.push(motion);
    }

    /// The places of a contact's bodies: what does not move is the world. `movers` are the places of all bodies, or beyond.
    #[inline]
    pub fn places(&self, c: &Contact, movers: &[u32]) -> [u32; 2] {
        let fixed = self.list.len() as u32 - 1;
        let place = |body: u32| movers.get(body as usize).map_or(fixed, |&at| at.min(fixed));
        c.bodies.map(place)
    }

    /// What a torque's impulse changes of the spin.
    #[inline(always)]
    pub fn turn(&self, motion: &Motion, twist: DVec3) -> DVec3 {
        if motion.tensor == Motion::BALL {
            twist * motion.ease
        } else {
            self.tensors[motion.tensor as usize] * twist
        }
    }

    /// Velocity of the first body's surface against the second's.
    #[inline(always)]
    pub fn slip(&self, c: &Contact, lever: Option<&Lever>) -> DVec3 {
        let [a, b] = c.places.map(|place| &self.list[place as usize]);
        let turning = match lever {
            None => (a.spin * -c.reach[0] - b.spin * c.reach[1]).cross(c.normal),
            Some(lever) => a.spin.cross(lever.arms[0]) - b.spin.cross(lever.arms[1]),
        };
        a.velocity - b.velocity + turning
    }

    /// Speed at which they part along the normal.
    #[inline(always)]
    pub fn parting(&self, c: &Contact, lever: Option<&Lever>) -> f64 {
        if lever.is_some() {
            return self.slip(c, lever).dot(c.normal);
        }
        let [a, b] = c.places.map(|place| &self.list[place as usize]);
        (a.velocity - b.velocity).dot(c.normal)
    }

    /// Gives the first body an impulse at the contact, and the second one its opposite.
    #[inline(always)]
    pub fn strike(&mut self, c: &Contact, lever: Option<&Lever>, impulse: DVec3) {
        let [i, j] = c.places.map(|place| place as usize);
        let (mut a, mut b) = (self.list[i], self.list[j]);
        a.velocity += impulse * a.lightness;
        b.velocity -= impulse * b.lightness;
        match lever {
            None => {
                let [la, lb] = c.reach;
                let about = c.normal.cross(impulse);
                a.spin -= about * (la * a.ease);
                b.spin -= about * (lb * b.ease);
            }
            Some(lever) => {
                a.spin += self.turn(&a, lever.arms[0].cross(impulse));
                b.spin -= self.turn(&b, lever.arms[1].cross(impulse));
            }
        }
        self.put(i, j, a, b);
    }

    /// Turns the first body by an angular impulse, and the second one against it.
    #[inline(always)]
    pub fn twist(&mut self, c: &Contact, twist: DVec3) {
        let [i, j] = c.places.map(|place| place as usize);
        let (mut a, mut b) = (self.list[i], self.list[j]);
        a.spin += self.turn(&a, twist);
        b.spin -= self.turn(&b, twist);
        self.put(i, j, a, b);
    }

    #[inline(always)]
    fn put(&mut self, i: usize, j: usize, a: Motion, b: Motion) {
        (self.list[i].velocity, self.list[i].spin) = (a.velocity, a.spin);
        (self.list[j].velocity, self.list[j].spin) = (b.velocity, b.spin);
    }

    /// Works out how the two bodies answer at the contact.
    pub fn weigh(&self, c: &mut Contact, levers: &mut [Lever]) {
        let [a, b] = c.places.map(|place| &self.list[place as usize]);
        let light = a.lightness + b.lightness;
        let over = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
        let Some(lever) = levers.get_mut(c.lever as usize) else {
            let [la, lb] = c.reach;
            let across = light + la * la * a.ease + lb * lb * b.ease;
            c.masses = [over(light), over(across), over(a.ease + b.ease)];
            return;
        };
        let arms = lever.arms;
        lever.spins = [
            self.turn(a, arms[0].cross(c.normal)),
            self.turn(b, arms[1].cross(c.normal)),
        ];
        // Of a unit impulse along `u`, what is seen along `v`.
        let answer = |u: DVec3, v: DVec3| {
            let [p, q] = arms.map(|arm| (arm.cross(u), arm.cross(v)));
            light * u.dot(v) + self.turn(a, p.0).dot(p.1) + self.turn(b, q.0).dot(q.1)
        };
        let (t, s) = c.normal.any_orthonormal_pair();
        // No less than the greatest answer across the normal, so that friction never overshoots.
        let across = answer(t, t).max(answer(s, s)) + answer(t, s).abs();
        let ease = |m: &Motion| {
            if m.tensor == Motion::BALL {
                return m.ease;
            }
            let t = &self.tensors[m.tensor as usize];
            t.x_axis.x + t.y_axis.y + t.z_axis.z
        };
        let [p, q] = arms.map(|arm| arm.cross(c.normal));
        c.masses = [
            over(light + lever.spins[0].dot(p) + lever.spins[1].dot(q)),
            over(across),
            over(ease(a) + ease(b)),
        ];
    }
}
