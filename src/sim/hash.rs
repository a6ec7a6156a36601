//! The fingerprint of a state.
use super::{ShotSettings, Sim};
use crate::geom::hash::Hash64;

impl Sim {
    /// Hash over everything that the next tick depends on. Left out: explosions and probes, which are only looked at,
    /// and how the trees are built, which changes no answer.
    pub fn state_hash(&self) -> u64 {
        self.fingerprint(true)
    }

    /// [`Sim::state_hash`] without the settings in force: two runs under different ones can come out the same.
    pub fn outcome_hash(&self) -> u64 {
        self.fingerprint(false)
    }

    /// What tells one tick from another in a recording, in a tenth of [`Sim::state_hash`]'s time where bodies lie in
    /// heaps: of those asleep only the places count, as nothing else of them can change. Two ticks that differ agree
    /// here once in four thousand million.
    pub fn tick_hash(&self) -> u32 {
        let mut hash = self.all_but_bodies(true);
        self.bodies.hash_moving_into(&mut hash);
        hash.finish() as u32
    }

    fn fingerprint(&self, with_settings: bool) -> u64 {
        let mut hash = self.all_but_bodies(with_settings);
        self.bodies.hash_into(&mut hash);
        hash.finish()
    }

    fn all_but_bodies(&self, with_settings: bool) -> Hash64 {
        let mut hash = Hash64::new();
        hash.u64(self.world.hash());
        hash.u64(self.level.since.len() as u64);
        self.history.hash(&mut hash);
        if let Some(work) = self.world.work_hash() {
            hash.u64(work);
        }
        self.cuts.iter().for_each(|cut| cut.hash(&mut hash));
        hash.u64(self.tick);
        self.rng.state.iter().for_each(|&word| hash.u64(word));
        if with_settings {
            let s = &self.settings;
            [s.blast_radius, s.buffer_distance, s.gravity]
                .iter()
                .for_each(|&x| hash.f64(x));
            hash.str(&s.blast_shape);
            hash.u64(u64::from(s.debris) << 32 | u64::from(s.max_bodies));
            // What older programs did not have is hashed where it is used, so that their recordings still agree.
            if s.shots != ShotSettings::default() {
                s.shots.numbers().iter().for_each(|&x| hash.f64(x));
                hash.u64(u64::from(s.shots.rocket_falls));
            }
        }
        let p = &self.player;
        [p.eye, p.velocity, p.feet, p.last_air]
            .iter()
            .for_each(|&v| hash.vec3(v));
        [p.yaw, p.pitch, p.eye_lag]
            .iter()
            .for_each(|&x| hash.f64(x));
        let stance = [p.on_ground, p.no_clip, p.walking, p.crouched];
        hash.u64((0..).zip(stance).map(|(i, on)| u64::from(on) << i).sum());
        hash.u64(self.rockets.len() as u64);
        for rocket in &self.rockets {
            hash.vec3(rocket.position);
            hash.vec3(rocket.velocity);
            hash.u64(u64::from(rocket.age));
            rocket.blast_radius.iter().for_each(|&x| hash.f64(x));
        }
        for grenade in &self.grenades {
            hash.vec3(grenade.position);
            hash.vec3(grenade.velocity);
            hash.u64(u64::from(grenade.age));
            grenade.blast_radius.iter().for_each(|&x| hash.f64(x));
        }
        hash
    }
}
