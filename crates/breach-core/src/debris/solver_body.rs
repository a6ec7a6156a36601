//! The part of a body that the solver changes and reads: velocities, inverse mass, inverse inertia.
use super::body::{Body, world_tensor};
use super::contact::{ContactConstraint, EffectiveMass, LeverArms, solid_index};
use super::kinematic::Kinematic;
use glam::{DMat3, DVec3};

/// A body as the solver sees it. A sleeping body, a solid and the world have infinite mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SolverBody {
    pub velocity: DVec3,
    pub spin: DVec3,
    /// 1/kg.
    pub inverse_mass: f64,
    /// Of a crumb, whose tensor is a multiple of the identity, 1/(kg m²); unused by a body with a tensor.
    pub inverse_inertia: f64,
    /// Index among [`SolverBodies::tensors`], or [`SolverBody::NO_TENSOR`].
    pub tensor: u32,
}

impl SolverBody {
    /// [`SolverBody::tensor`] of a crumb.
    pub const NO_TENSOR: u32 = u32::MAX;
    /// The world.
    pub const FIXED: SolverBody = SolverBody {
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        inverse_mass: 0.0,
        inverse_inertia: 0.0,
        tensor: SolverBody::NO_TENSOR,
    };
}

/// All active bodies of a tick, in their order; then the solids; the last one is the world.
#[derive(Clone, Debug, Default)]
pub(super) struct SolverBodies {
    pub list: Vec<SolverBody>,
    /// Number of solids.
    solids: usize,
    /// Inverse inertia tensors of chunks in world axes.
    pub tensors: Vec<DMat3>,
}

impl SolverBodies {
    pub fn add(&mut self, body: &Body) -> &mut SolverBody {
        let mut added = SolverBody {
            velocity: body.velocity,
            spin: body.spin,
            inverse_mass: 1.0 / body.mass(),
            inverse_inertia: 1.0 / body.moments().x,
            tensor: SolverBody::NO_TENSOR,
        };
        if body.chunk.is_some() {
            added.tensor = self.tensors.len() as u32;
            let inverse = body.moments().map(|x| 1.0 / x);
            self.tensors.push(world_tensor(body.rotation, inverse));
        }
        self.list.push(added);
        self.list.last_mut().expect("it was added")
    }

    /// Adds the solids and the world, after all active bodies.
    pub fn add_fixed(&mut self, solids: &[Kinematic], secs: f64) {
        self.solids = solids.len();
        self.list.extend(solids.iter().map(|solid| {
            let (path, turn) = solid.motion();
            SolverBody {
                velocity: path / secs,
                spin: turn / secs,
                ..SolverBody::FIXED
            }
        }));
        self.list.push(SolverBody::FIXED);
    }

    /// Number of active bodies: those that impulses move. Only the solids and the world come after them.
    pub fn movable(&self) -> usize {
        self.list.len() - 1 - self.solids
    }

    /// Indices of a contact's solver bodies. `active` is the active index of each body, or a larger number.
    #[inline]
    pub fn indices(&self, c: &ContactConstraint, active: &[u32]) -> [u32; 2] {
        let fixed = self.list.len() as u32 - 1;
        let index = |body: u32| match active.get(body as usize) {
            Some(&i) => i.min(fixed),
            None => solid_index(body).map_or(fixed, |solid| (self.movable() + solid) as u32),
        };
        c.bodies.map(index)
    }

    /// I⁻¹ L: the change of the spin by an angular impulse.
    #[inline(always)]
    pub fn spin_change(&self, body: &SolverBody, angular_impulse: DVec3) -> DVec3 {
        if body.tensor == SolverBody::NO_TENSOR {
            angular_impulse * body.inverse_inertia
        } else {
            self.tensors[body.tensor as usize] * angular_impulse
        }
    }

    /// Velocity of the first body's surface relative to the second's, at the contact.
    #[inline(always)]
    pub fn relative_velocity(&self, c: &ContactConstraint, arms: Option<&LeverArms>) -> DVec3 {
        let [a, b] = c.solver_bodies.map(|i| &self.list[i as usize]);
        let turning = match arms {
            None => (a.spin * -c.radii[0] - b.spin * c.radii[1]).cross(c.normal),
            Some(arms) => a.spin.cross(arms.arms[0]) - b.spin.cross(arms.arms[1]),
        };
        a.velocity - b.velocity + turning
    }

    /// Relative velocity along the normal; above zero the bodies separate.
    #[inline(always)]
    pub fn normal_velocity(&self, c: &ContactConstraint, arms: Option<&LeverArms>) -> f64 {
        if arms.is_some() {
            return self.relative_velocity(c, arms).dot(c.normal);
        }
        let [a, b] = c.solver_bodies.map(|i| &self.list[i as usize]);
        (a.velocity - b.velocity).dot(c.normal)
    }

    /// Applies an impulse to the first body at the contact, and its opposite to the second.
    #[inline(always)]
    pub fn apply_impulse(
        &mut self,
        c: &ContactConstraint,
        arms: Option<&LeverArms>,
        impulse: DVec3,
    ) {
        let [i, j] = c.solver_bodies.map(|i| i as usize);
        let (mut a, mut b) = (self.list[i], self.list[j]);
        a.velocity += impulse * a.inverse_mass;
        b.velocity -= impulse * b.inverse_mass;
        match arms {
            None => {
                let [ra, rb] = c.radii;
                let torque = c.normal.cross(impulse);
                a.spin -= torque * (ra * a.inverse_inertia);
                b.spin -= torque * (rb * b.inverse_inertia);
            }
            Some(arms) => {
                a.spin += self.spin_change(&a, arms.arms[0].cross(impulse));
                b.spin -= self.spin_change(&b, arms.arms[1].cross(impulse));
            }
        }
        self.set_velocities(i, j, a, b);
    }

    /// Applies an angular impulse to the first body, and its opposite to the second.
    #[inline(always)]
    pub fn apply_angular_impulse(&mut self, c: &ContactConstraint, impulse: DVec3) {
        let [i, j] = c.solver_bodies.map(|i| i as usize);
        let (mut a, mut b) = (self.list[i], self.list[j]);
        a.spin += self.spin_change(&a, impulse);
        b.spin -= self.spin_change(&b, impulse);
        self.set_velocities(i, j, a, b);
    }

    #[inline(always)]
    fn set_velocities(&mut self, i: usize, j: usize, a: SolverBody, b: SolverBody) {
        (self.list[i].velocity, self.list[i].spin) = (a.velocity, a.spin);
        (self.list[j].velocity, self.list[j].spin) = (b.velocity, b.spin);
    }

    /// Computes the effective masses of a contact, and the spins of its arms.
    pub fn prepare(&self, c: &mut ContactConstraint, arms: &mut [LeverArms]) {
        let [a, b] = c.solver_bodies.map(|i| &self.list[i as usize]);
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        let over = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
        let Some(lever) = arms.get_mut(c.arms as usize) else {
            let [ra, rb] = c.radii;
            let across = inverse_mass + ra * ra * a.inverse_inertia + rb * rb * b.inverse_inertia;
            c.effective_mass = EffectiveMass {
                normal: over(inverse_mass),
                tangent: over(across),
                rolling: over(a.inverse_inertia + b.inverse_inertia),
            };
            return;
        };
        let arms = lever.arms;
        lever.spins = [
            self.spin_change(a, arms[0].cross(c.normal)),
            self.spin_change(b, arms[1].cross(c.normal)),
        ];
        // The change of relative velocity along `v` by a unit impulse along `u`.
        let response = |u: DVec3, v: DVec3| {
            let [p, q] = arms.map(|arm| (arm.cross(u), arm.cross(v)));
            inverse_mass * u.dot(v)
                + self.spin_change(a, p.0).dot(p.1)
                + self.spin_change(b, q.0).dot(q.1)
        };
        let (t, s) = c.normal.any_orthonormal_pair();
        // An upper bound of the response in any tangent direction (Gershgorin), so that friction never overshoots.
        let across = response(t, t).max(response(s, s)) + response(t, s).abs();
        // The trace bounds the greatest eigenvalue.
        let inverse_inertia = |body: &SolverBody| {
            if body.tensor == SolverBody::NO_TENSOR {
                return body.inverse_inertia;
            }
            let t = &self.tensors[body.tensor as usize];
            t.x_axis.x + t.y_axis.y + t.z_axis.z
        };
        let [p, q] = arms.map(|arm| arm.cross(c.normal));
        c.effective_mass = EffectiveMass {
            normal: over(inverse_mass + lever.spins[0].dot(p) + lever.spins[1].dot(q)),
            tangent: over(across),
            rolling: over(inverse_inertia(a) + inverse_inertia(b)),
        };
    }
}
