//! Hashes of the state.
use super::player::Player;
use super::settings::Settings;
use super::shot::ShotSettings;
use super::simulation::Sim;
use crate::geom::hash::Hash64;

impl Sim {
    /// Hash of everything that the next tick depends on. It leaves out explosions and probes, which are only drawn, and the
    /// tree settings, which change no answer.
    pub fn state_hash(&self) -> u64 {
        self.hash(true)
    }

    /// [`Sim::state_hash`] without the settings: runs under different settings can have the same outcome.
    pub fn outcome_hash(&self) -> u64 {
        self.hash(false)
    }

    /// Short hash that recordings keep of every tick. It takes a tenth of [`Sim::state_hash`]'s time where bodies lie in
    /// heaps, as it hashes only the positions of sleeping bodies, which cannot change otherwise. Different states collide
    /// once in 2³².
    pub fn tick_hash(&self) -> u32 {
        let mut hash = self.all_but_bodies(true);
        self.bodies.hash_moving_into(&mut hash);
        hash.finish() as u32
    }

    fn hash(&self, with_settings: bool) -> u64 {
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
        self.queue.iter().for_each(|queued| queued.hash(&mut hash));
        let strength = self.strength.iter();
        for (strength, changed) in strength.flat_map(|s| s.changed().iter().map(move |c| (s, c))) {
            hash.vec3(changed.min);
            hash.vec3(changed.max);
            hash.u64(u64::from(strength.calls()));
        }
        for later in self.strength.iter().flat_map(|strength| strength.later()) {
            hash.vec3(later.min);
        }
        self.loads.hash(&mut hash);
        self.giving_way.hash(&mut hash);
        self.movers.hash(&mut hash);
        hash.u64(self.tick);
        self.rng.state.iter().for_each(|&word| hash.u64(word));
        if with_settings {
            hash_settings(&self.settings, &mut hash);
        }
        hash_player(&self.player, &mut hash);
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

/// Not hashed: tree settings, which change no answer; layers and solver, as older recordings have hashes without them.
fn hash_settings(settings: &Settings, hash: &mut Hash64) {
    let Settings {
        blast_radius,
        blast_shape,
        tree: _,
        buffer_distance,
        debris,
        max_bodies,
        gravity,
        layers: _,
        solver: _,
        shots,
        strength,
        breaks,
        creak,
        block,
    } = settings;
    [*blast_radius, *buffer_distance, *gravity]
        .into_iter()
        .for_each(|x| hash.f64(x));
    hash.str(blast_shape.name());
    hash.u64(u64::from(*debris) << 32 | u64::from(*max_bodies));
    // Later settings are hashed only where they differ from the default, so that older recordings still agree.
    if *shots != ShotSettings::default() {
        shots.numbers().into_iter().for_each(|x| hash.f64(x));
        hash.u64(u64::from(shots.rocket_falls));
    }
    if *strength != 0.0 {
        hash.f64(*strength);
        if *creak != 0.0 {
            hash.f64(*creak);
        }
        if *block != 0.5 {
            hash.f64(*block);
        }
    }
    if *breaks != 8 {
        hash.u64(u64::from(*breaks));
    }
}

fn hash_player(player: &Player, hash: &mut Hash64) {
    let Player {
        eye,
        previous_eye: _,
        velocity,
        yaw,
        pitch,
        walking,
        no_clip,
        on_ground,
        crouched,
        feet,
        eye_lag,
        last_air,
    } = player;
    [eye, velocity, feet, last_air]
        .into_iter()
        .for_each(|v| hash.vec3(*v));
    [yaw, pitch, eye_lag].into_iter().for_each(|x| hash.f64(*x));
    let stance = [*on_ground, *no_clip, *walking, *crouched];
    hash.u64((0..).zip(stance).map(|(i, on)| u64::from(on) << i).sum());
}
