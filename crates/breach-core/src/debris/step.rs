//! One step of all bodies.
use super::active_body::ActiveBody;
use super::contact_cache::LastStep;
use super::contact_generation::{Found, generate_contacts};
use super::forces::Forces;
use super::integration::{Pose, gravity_velocity, integrate, limit_all};
use super::kinematic::Kinematic;
use super::position_correction::pseudo_velocities;
use super::solver::{solve_velocities, warm_start};
use super::state::Debris;
use super::time_of_impact::resolve_impacts;
use crate::bvh::QueryStats;
use crate::geom::parallel;
use crate::world::World;
use glam::DVec3;

impl Debris {
    /// Advances all bodies that are awake by one tick. Sleeping bodies cost nothing. The same bodies, world and forces give
    /// the same bits on every machine and for any number of threads.
    ///
    /// `stats` counts the faces and tree nodes that were visited.
    ///
    /// # Example
    /// ```
    /// use breach_core::bvh::QueryStats;
    /// use breach_core::debris::{Body, Debris, Forces};
    /// use breach_core::geom::{Aabb, rng::Rng};
    /// # use breach_core::bvh::BuildParams;
    /// # use breach_core::carve::shape;
    /// # use breach_core::debris::spawn::Burst;
    /// # use breach_core::stage::Silent;
    /// # use breach_core::world::{GRID, Material, Op, Operation, SurfaceDesc, World};
    /// # use glam::{DVec3, I64Vec3};
    /// #
    /// # // A room of 10 m, with a pillar.
    /// # fn room() -> World {
    /// #     let corner = |i: i64| I64Vec3::new(i & 1, i >> 1 & 1, i >> 2) * 10 * GRID as i64;
    /// #     let quads = [
    /// #         [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5], [0, 2, 6, 4], [1, 5, 7, 3],
    /// #     ];
    /// #     let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    /// #     let desc = SurfaceDesc {
    /// #         bounds: [I64Vec3::splat(-16 * 16384), I64Vec3::splat(32 * 16384)],
    /// #         points: (0..8).map(corner).collect(),
    /// #         triangles: triangles.collect(),
    /// #         materials: vec![Material {
    /// #             texture: "rock".into(),
    /// #             u: DVec3::X,
    /// #             v: DVec3::Y,
    /// #             offset: [0.0; 2],
    /// #             inner: false,
    /// #             hardness: 1.0,
    /// #         }],
    /// #         material: 0,
    /// #     };
    /// #     World::from_surface(&desc, &BuildParams::default(), &mut Silent).expect("a sound room")
    /// # }
    /// # fn slab(low: [i64; 3], high: [i64; 3]) -> breach_core::world::BrushDesc {
    /// #     let ends = [low, high].map(|p| I64Vec3::from_array(p) * GRID as i64 / 4);
    /// #     let corner = |i: usize| {
    /// #         let pick = |k: usize| ends[i >> k & 1][k];
    /// #         I64Vec3::new(pick(0), pick(1), pick(2))
    /// #     };
    /// #     let corners: Vec<I64Vec3> = (0..8).map(corner).collect();
    /// #     shape::hull(&corners, 0).expect("a brush")
    /// # }
    /// let mut world = room();
    /// let mut debris = Debris::default();
    /// let forces = Forces::default();
    /// let mut stats = QueryStats::default();
    ///
    /// // A crumb, and everything that a carve cuts free.
    /// let crumb = debris.spawn(Body::new(DVec3::new(2.0, 1.0, 2.0), 0.1, 0));
    /// # let pillar = Operation { op: Op::Fill, brushes: vec![slab([20, 0, 20], [24, 40, 24])] };
    /// # world.apply(&pillar, &mut Silent).expect("a pillar");
    /// # let cut = |y| slab([19, y, 19], [25, y + 1, 25]);
    /// # let carve = Operation { op: Op::Carve, brushes: vec![cut(4), cut(8)] };
    /// let report = world.apply(&carve, &mut Silent).expect("it carves");
    /// assert_eq!(report.islands.len(), 1);
    /// for island in &report.islands {
    ///     match Body::from_island(island) {
    ///         Some(chunk) => {
    ///             debris.spawn(chunk);
    ///         }
    ///         None => {
    ///             debris.spawn_crumbs_of(island, &world, &mut Rng::new(1), &mut stats);
    ///         }
    ///     }
    /// }
    /// // Crumbs fly from the mouth of the hole.
    /// let burst = Burst {
    ///     from: DVec3::new(4.0, 1.0, 5.5),
    ///     normal: DVec3::NEG_X,
    ///     radius: 0.5,
    ///     volume_m3: report.volume_m3,
    ///     material: 0,
    /// };
    /// debris.spawn_burst(&burst, &world, &mut Rng::new(2), &mut stats);
    ///
    /// while !debris.is_still() {
    ///     debris.step(&world, &forces, &mut stats);
    /// }
    ///
    /// // Bodies are a plain slice; ids stay the same when bodies are removed.
    /// for body in debris.bodies() {
    ///     let (position, rotation) = body.pose();
    /// #   let _ = rotation;
    ///     assert!(position.y > 0.0);
    /// }
    /// let index = debris.index_of(crumb).expect("it is still there");
    /// assert!(debris.bodies()[index].asleep);
    ///
    /// // After changes of the world near sleeping bodies, wake them.
    /// debris.wake(crumb);
    /// debris.wake_in_box(&Aabb::from_centre(DVec3::new(5.5, 1.0, 5.5), DVec3::ONE));
    /// assert!(debris.awake() > 1);
    /// ```
    ///
    /// # Panics
    /// If `forces` are outside the ranges that [`Forces`] and [`Law`](super::Law) state.
    pub fn step(&mut self, world: &World, forces: &Forces, stats: &mut QueryStats) {
        self.step_among(world, &[], forces, stats);
    }

    /// As [`Debris::step`], among solids that move as they are told during the step, from `before` to `after`: they push,
    /// carry and stop bodies, and nothing stops them. A body that walls hold in the way of one ends inside it, where it is
    /// left alone ([`Kinematic::contains`] finds it). For the next step a solid should begin where it ended, at the same
    /// place in the list: contacts start from the last step's impulses.
    ///
    /// Sleeping bodies do not feel solids. Wake those near one that moves, or is taken away, with
    /// [`Debris::wake_in_box`].
    ///
    /// # Panics
    /// As [`Debris::step`], and for more than 2³¹ - 1 solids.
    pub fn step_among(
        &mut self,
        world: &World,
        solids: &[Kinematic],
        forces: &Forces,
        stats: &mut QueryStats,
    ) {
        forces.check();
        if self.awake.is_empty() {
            // No contact is left to start from or to show.
            self.contact_cache.clear();
            return;
        }
        if self.is_changed {
            self.sleeping.reset(&self.bodies);
        }
        let mut awake = std::mem::take(&mut self.awake);
        let last = LastStep {
            cache: &self.contact_cache,
            bodies: &self.bodies,
            is_changed: self.is_changed,
        };
        let Found {
            mut contacts,
            active,
            balls,
            solver_bodies: mut bodies,
            surfaces,
        } = generate_contacts(
            &self.bodies,
            &mut awake,
            &mut self.sleeping,
            (world, solids),
            forces,
            &last,
            stats,
        );
        let fall = gravity_velocity(forces) * forces.secs;
        let mut is_held = vec![false; bodies.list.len()];
        for c in &mut contacts.list {
            c.solver_bodies = bodies.indices(c, &self.sleeping.active);
            bodies.prepare(c, &mut contacts.arms);
            if c.gap <= fall.length() {
                let hold = |&i: &u32| is_held[i as usize] = true;
                c.solver_bodies.iter().for_each(hold);
            }
        }
        last.restore_impulses(&mut contacts);
        for (body, surface) in surfaces {
            self.bodies[body as usize].surface = surface;
        }
        let mut offsets = vec![DVec3::ZERO; bodies.list.len()];
        resolve_impacts(&mut bodies, &contacts, &mut offsets, forces);
        add_parabola_offsets(&is_held, &mut offsets[..bodies.movable()], fall);
        warm_start(&mut bodies, &mut contacts, &offsets, forces.secs);
        solve_velocities(&mut bodies, &mut contacts, &forces.law);
        limit_all(&mut bodies);
        let pseudo = pseudo_velocities(&mut bodies, &contacts, forces);
        let integrate_one = |(i, active): (usize, &ActiveBody)| {
            let mut stats = QueryStats::default();
            let solved = &bodies.list[i];
            let pseudo = pseudo.as_ref().map(|p| p[i]);
            let (pseudo_velocity, pseudo_spin) =
                pseudo.map_or((DVec3::ZERO, DVec3::ZERO), |p| (p.velocity, p.spin));
            let path = (solved.velocity + pseudo_velocity) * forces.secs + offsets[i];
            let body = &self.bodies[active.body as usize];
            let spins = (solved.spin, pseudo_spin);
            let balls = (active.balls(&balls), active.clearance);
            let around = (world, solids);
            let pose = integrate(body, path, spins, balls, forces.secs, around, &mut stats);
            (pose, stats)
        };
        let poses: Vec<(Pose, QueryStats)> =
            parallel::map(active.len(), 64, |i| integrate_one((i, &active[i])));
        for ((active, solved), (pose, cost)) in active.iter().zip(&bodies.list).zip(poses) {
            let body = &mut self.bodies[active.body as usize];
            (body.previous, body.previous_rotation) = (body.position, body.rotation);
            (body.position, body.rotation) = (pose.position, pose.rotation);
            (body.velocity, body.spin) = (solved.velocity, pose.spin);
            debug_assert!(body.is_sound(), "{body:?}");
            stats.bins += cost.bins;
            stats.faces += cost.faces;
        }
        self.update_sleep(awake, &active, &contacts, solids, forces.allow_sleeping);
        if std::mem::take(&mut self.is_changed) {
            for (i, body) in (0u32..).zip(&mut self.bodies) {
                body.slot = i;
            }
            self.contact_cache.resize(self.bodies.len());
        }
        self.contact_cache.store(contacts);
    }
}

/// Bodies that nothing holds follow their parabola exactly: x = v t + a t²/2 with v before the tick. That is half a tick's
/// `fall` less than the last velocity times the tick; `fall` is gravity times the tick squared.
fn add_parabola_offsets(is_held: &[bool], offsets: &mut [DVec3], fall: DVec3) {
    for (offset, is_held) in offsets.iter_mut().zip(is_held) {
        if !is_held {
            *offset -= fall * 0.5;
        }
    }
}
