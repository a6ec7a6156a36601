//! Contacts, and the constraints that the solver makes of them.
use glam::DVec3;

/// Contacts are made where the gap is smaller than this, even if nothing moves, metres. So bodies that rest on each other
/// stay in touch.
pub(super) const CONTACT_MARGIN: f64 = 0.012;

/// A contact of the last step, as it lay when the step began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Indices of the bodies; the second may be [`Contact::WORLD`], or a solid ([`Contact::solid_index`]).
    pub bodies: [u32; 2],
    /// On the first body's surface, metres.
    pub point: DVec3,
    /// From the second body to the first, unit.
    pub normal: DVec3,
    /// Signed distance along the normal, metres; below zero the bodies overlap.
    pub gap: f64,
    /// Impulse on the first body in the step, N s: along the normal, and friction across it.
    pub impulse: DVec3,
}

impl Contact {
    /// The second body of a contact with a wall.
    pub const WORLD: u32 = u32::MAX;
    /// The least number of a second body that is none: solids are counted down from [`Contact::WORLD`].
    const FIRST_FIXED: u32 = 1 << 31;

    /// The number that stands for a solid as the second body, by its index in the list of the step.
    pub(super) fn solid(index: u32) -> u32 {
        let number = Contact::WORLD - 1 - index;
        assert!(Contact::FIRST_FIXED <= number, "too many solids");
        number
    }

    /// The solid that is the second body of a contact, if one is: its index in the list that was given to
    /// [`Debris::step_among`](super::Debris::step_among).
    pub fn solid_index(&self) -> Option<usize> {
        solid_index(self.bodies[1])
    }

    /// Whether the second body is a body like the first: neither the world nor a solid.
    pub fn is_of_two_bodies(&self) -> bool {
        is_body(self.bodies[1])
    }
}

/// Whether a number names a body: neither the world nor a solid.
pub(super) fn is_body(number: u32) -> bool {
    number < Contact::FIRST_FIXED
}

/// The index of the solid that a number names, if it does.
pub(super) fn solid_index(number: u32) -> Option<usize> {
    let is_solid = !is_body(number) && number != Contact::WORLD;
    is_solid.then(|| (Contact::WORLD - 1 - number) as usize)
}

/// One over the velocity change of a unit impulse: Box2D's `normalMass`, `tangentMass` and `rollingMass`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EffectiveMass {
    pub normal: f64,
    pub tangent: f64,
    /// Of the angular impulse that resists rolling.
    pub rolling: f64,
}

/// The constraint of two bodies, or of a body and a wall, that touch or may touch before the tick ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ContactConstraint {
    /// Indices of the bodies; the second may be [`Contact::WORLD`], or a solid.
    pub bodies: [u32; 2],
    /// Indices of the solver bodies; sleeping bodies and the world share the last one.
    pub solver_bodies: [u32; 2],
    /// Index among [`ContactConstraints::arms`], or [`ContactConstraint::NO_ARMS`].
    pub arms: u32,
    /// From the second body to the first, unit.
    pub normal: DVec3,
    /// Signed distance along the normal, metres; below zero the bodies overlap.
    pub gap: f64,
    /// Radii of the balls, metres; 0 of a hull, a wall and a solid.
    pub radii: [f64; 2],
    /// Accumulated impulse along the normal, N s, not below zero.
    pub normal_impulse: f64,
    /// Accumulated friction impulse, across the normal.
    pub tangent_impulse: DVec3,
    /// Accumulated angular impulse of rolling resistance.
    pub rolling_impulse: DVec3,
    pub effective_mass: EffectiveMass,
    /// Least normal velocity that the solver allows: below zero for a speculative contact, whose gap may close in the tick.
    pub least_normal_velocity: f64,
}

impl ContactConstraint {
    /// The impulse goes through both centres of mass along the normal: no arms are kept.
    pub const NO_ARMS: u32 = u32::MAX;

    /// Rolling resistance has a part of this as lever arm, metres: the smaller ball's radius; 0 of two hulls.
    #[inline(always)]
    pub fn rolling_radius(&self) -> f64 {
        let [one, other] = self.radii;
        if one > 0.0 && other > 0.0 {
            one.min(other)
        } else {
            one.max(other)
        }
    }
}

/// Lever arms of a contact of a chunk. Most contacts have none, and the solver reads all contacts many times, so arms are
/// stored apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LeverArms {
    /// From the bodies' centres of mass to the contact, metres.
    pub arms: [DVec3; 2],
    /// Angular velocity change for a unit normal impulse: I⁻¹ (r × n). The second body's is subtracted.
    pub spins: [DVec3; 2],
}

/// All contact constraints of a tick, grouped by their first body.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactConstraints {
    pub list: Vec<ContactConstraint>,
    pub arms: Vec<LeverArms>,
}

impl ContactConstraints {
    /// Empty, with room for about as many as a part of these: `parts` of `whole`.
    pub fn with_room_for(expected: [usize; 2], parts: usize, whole: usize) -> ContactConstraints {
        let [list, arms] = expected.map(|count| (count + count / 16) * parts / whole);
        ContactConstraints {
            list: Vec::with_capacity(list),
            arms: Vec::with_capacity(arms),
        }
    }

    /// Number of constraints, and of arms.
    pub fn counts(&self) -> [usize; 2] {
        [self.list.len(), self.arms.len()]
    }

    /// Adds a constraint without impulses. `offsets` are the balls' centres from the bodies' centres of mass; of a hull the
    /// contact itself; of a solid that turns, the contact from the centre of its box.
    #[inline]
    pub fn add(
        &mut self,
        bodies: [u32; 2],
        (normal, gap): (DVec3, f64),
        radii: [f64; 2],
        offsets: [Option<DVec3>; 2],
    ) {
        let mut arms = ContactConstraint::NO_ARMS;
        if offsets != [None, None] {
            arms = self.arms.len() as u32;
            let arm = |k: usize, sign: f64| {
                offsets[k].unwrap_or(DVec3::ZERO) + normal * (sign * radii[k])
            };
            self.arms.push(LeverArms {
                arms: [arm(0, -1.0), arm(1, 1.0)],
                spins: [DVec3::ZERO; 2],
            });
        }
        self.list.push(ContactConstraint {
            bodies,
            solver_bodies: [0; 2],
            arms,
            normal,
            gap,
            radii,
            normal_impulse: 0.0,
            tangent_impulse: DVec3::ZERO,
            rolling_impulse: DVec3::ZERO,
            effective_mass: EffectiveMass::default(),
            least_normal_velocity: 0.0,
        });
    }

    /// Adds the constraints of the bodies that come next.
    pub fn append(&mut self, mut other: ContactConstraints) {
        if self.list.is_empty() {
            *self = other;
            return;
        }
        let before = self.arms.len() as u32;
        for c in &mut other.list {
            if c.arms != ContactConstraint::NO_ARMS {
                c.arms += before;
            }
        }
        self.list.append(&mut other.list);
        self.arms.append(&mut other.arms);
    }

    #[inline(always)]
    pub fn arms_of(&self, c: &ContactConstraint) -> Option<&LeverArms> {
        self.arms.get(c.arms as usize)
    }

    /// From the first body's centre of mass to the contact, metres.
    pub fn first_arm(&self, c: &ContactConstraint) -> DVec3 {
        self.arms_of(c)
            .map_or(c.normal * -c.radii[0], |arms| arms.arms[0])
    }
}
