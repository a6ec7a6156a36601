//! What sounded in a tick, from what the simulation shows of it: no tick knows that it is heard.
//!
//! Bodies are heard where contacts changed their velocity: the impulse is mass times that change, without gravity, as
//! [`crate::sim`] has it for the damage that they do.
use super::kind::{Size, Sound, VARIANTS};
use super::material_table::MaterialTable;
use super::mover_sounds::MoverSounds;
use crate::bvh::QueryStats;
use crate::debris::{Body, BodyId, IRON};
use crate::geom::hash::Hash64;
use crate::level::material::structural;
use crate::sim::{Sim, TICK_SECS};
use crate::structure::StructuralMaterial;
use crate::world::World;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Quieter impacts of bodies are not heard, metres a second of change.
const LEAST_IMPACT: f64 = 0.45;
/// Ticks after which a body is heard again, unless it hits much harder.
const REST_TICKS: u64 = 5;
/// Within so many radii a blast moves bodies, which is no impact.
const BLAST_WIND: f64 = 2.6;
/// A contact with a gap below this may have been hit, metres.
const NEAR_M: f64 = 0.02;
/// Most impacts of bodies in a tick: the loudest.
const MOST_IMPACTS: usize = 24;
/// Seconds between a runner's steps, and the shortest stride, metres.
const STEP_SECS: f64 = 0.34;
const SHORTEST_STRIDE: f64 = 0.75;

/// A sound that begins in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoundEvent {
    /// The sound.
    pub sound: Sound,
    /// Its variant, below [`VARIANTS`].
    pub variant: u8,
    /// Position, metres, in the air or near it.
    pub at: DVec3,
    /// Amplitude at 1 m.
    pub gain: f64,
}

/// Compares each tick with the one before.
#[derive(Clone, Debug, Default)]
pub struct Observer {
    tick: Option<u64>,
    bodies: FxHashMap<BodyId, Moving>,
    materials: MaterialTable<StructuralMaterial>,
    grenades: Vec<DVec3>,
    creaking: Vec<(DVec3, f64, StructuralMaterial)>,
    feet: Feet,
    movers: MoverSounds,
}

#[derive(Clone, Copy, Debug)]
struct Moving {
    velocity: DVec3,
    heard: u64,
    gain: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Feet {
    at: DVec3,
    fall: f64,
    on_ground: bool,
    since_step: f64,
}

impl Observer {
    /// The sounds that began in the tick just made; None if the simulation has jumped to another tick since the last call.
    pub fn observe(&mut self, sim: &Sim) -> Option<Vec<SoundEvent>> {
        let goes_on = self.tick.is_some_and(|tick| tick + 1 == sim.tick);
        self.tick = Some(sim.tick);
        self.materials.update(&sim.world, structural);
        let mut events = Vec::new();
        self.shots(sim, &mut events);
        self.blasts(sim, &mut events);
        splashes(sim, &mut events);
        self.movers(sim, goes_on, &mut events);
        self.impacts(sim, &mut events);
        self.creaks(sim, &mut events);
        self.steps(sim, goes_on, &mut events);
        if !goes_on {
            return None;
        }
        for (i, event) in events.iter_mut().enumerate() {
            let mut seed = Hash64::new();
            seed.u64(sim.tick);
            seed.u64(i as u64);
            event.variant = (seed.finish() % u64::from(VARIANTS)) as u8;
        }
        Some(events)
    }

    fn shots(&mut self, sim: &Sim, events: &mut Vec<SoundEvent>) {
        let (eye, ahead) = (sim.player.eye, sim.look_dir() * 0.3);
        // Launched in this tick: they have flown once.
        for _ in sim.rockets.iter().filter(|rocket| rocket.age <= 1) {
            events.push(event(Sound::Rocket, eye + ahead, 0.5));
        }
        for _ in sim.grenades.iter().filter(|grenade| grenade.age <= 1) {
            events.push(event(Sound::Throw, eye + ahead, 0.12));
        }
        for hole in sim.drilled.iter().filter(|hole| hole.tick + 1 == sim.tick) {
            let aside = (hole.from - hole.to).normalize_or_zero() * 0.05;
            events.push(event(Sound::Drill, hole.from + aside, 0.35));
        }
        for grenade in &sim.grenades {
            let flown = grenade.position - grenade.previous;
            let straight = self.grenades.iter().any(|velocity| {
                let fall = DVec3::NEG_Y * (sim.settings.gravity * TICK_SECS);
                (grenade.velocity - *velocity - fall).length() < LEAST_IMPACT
            });
            // Drag is no impact.
            let sinks = sim.liquids.at(grenade.position).is_some();
            if !straight && !sinks && grenade.age > 1 && flown.length() > 1e-3 {
                let hit = Sound::Debris(StructuralMaterial::Metal, Size::Small);
                let speed = (flown / TICK_SECS).length();
                events.push(event(hit, grenade.position, (0.012 * speed).min(0.12)));
            }
        }
        self.grenades = sim
            .grenades
            .iter()
            .map(|grenade| grenade.velocity)
            .collect();
    }

    fn blasts(&self, sim: &Sim, events: &mut Vec<SoundEvent>) {
        for blast in sim
            .explosions
            .iter()
            .filter(|blast| blast.tick + 1 == sim.tick)
        {
            let size = match blast.radius {
                r if r < 0.6 => Size::Small,
                r if r < 2.0 => Size::Medium,
                _ => Size::Large,
            };
            let gain = 1.6 * libm::pow(blast.radius, 0.8);
            events.push(event(Sound::Blast(size), blast.position, gain));
            if let Some(material) = blast.material.and_then(|m| self.materials.get(m)) {
                let gain = gain * 0.22;
                events.push(event(Sound::Break(material), blast.position, gain));
            }
        }
    }

    fn movers(&mut self, sim: &Sim, goes_on: bool, events: &mut Vec<SoundEvent>) {
        if !goes_on {
            self.movers.forget();
            return;
        }
        let materials = &self.materials;
        let heard = self
            .movers
            .hear(sim, &|material| known(materials, material));
        events.extend(heard.iter().map(|one| event(one.sound, one.at, one.gain)));
    }

    fn impacts(&mut self, sim: &Sim, events: &mut Vec<SoundEvent>) {
        let fall = DVec3::NEG_Y * (sim.settings.gravity * TICK_SECS);
        let mut moving = FxHashMap::default();
        let mut hits: Vec<(u32, DVec3)> = Vec::new();
        for &index in sim.bodies.awake_indices() {
            let body = &sim.bodies[index as usize];
            let before = self.bodies.get(&body.id()).copied();
            let change = before.map_or(DVec3::ZERO, |b| body.velocity - b.velocity - fall);
            if LEAST_IMPACT <= change.length() && !is_blown(sim, body) {
                hits.push((index, change));
            }
            let (heard, gain) = before.map_or((0, 0.0), |b| (b.heard, b.gain));
            let velocity = body.velocity;
            moving.insert(
                body.id(),
                Moving {
                    velocity,
                    heard,
                    gain,
                },
            );
        }
        let touched = touched(sim, &hits);
        let mut loudest: Vec<(SoundEvent, BodyId)> = Vec::new();
        for (which, at) in touched {
            let (index, change) = hits[which];
            let body = &sim.bodies[index as usize];
            let energy = 0.5 * body.mass() * change.length_squared();
            let gain = (0.02 * libm::pow(energy, 0.4)).min(3.0);
            let Some(known) = moving.get(&body.id()) else {
                continue;
            };
            let is_tired = sim.tick < known.heard + REST_TICKS && gain < 2.0 * known.gain;
            if !is_tired {
                let sound = Sound::Debris(self.material(body), size_of(body));
                loudest.push((event(sound, at, gain), body.id()));
            }
        }
        let loudness = |event: &SoundEvent| event.gain / event.at.distance(sim.player.eye).max(1.0);
        loudest.sort_by(|a, b| {
            loudness(&b.0)
                .total_cmp(&loudness(&a.0))
                .then(a.1.cmp(&b.1))
        });
        loudest.truncate(MOST_IMPACTS);
        for (event, id) in loudest {
            if let Some(known) = moving.get_mut(&id) {
                (known.heard, known.gain) = (sim.tick, event.gain);
            }
            events.push(event);
        }
        self.bodies = moving;
    }

    fn material(&self, body: &Body) -> StructuralMaterial {
        match body.material {
            IRON => StructuralMaterial::Metal,
            material => self.material_of(material),
        }
    }

    fn material_of(&self, material: u32) -> StructuralMaterial {
        known(&self.materials, material)
    }

    /// What creaks, at random moments that come closer; and what has broken since the last tick.
    fn creaks(&mut self, sim: &Sim, events: &mut Vec<SoundEvent>) {
        let creaking = sim.creaking();
        let whole = (creaking.until.saturating_sub(creaking.since)).max(1) as f64;
        let part = (sim.tick.saturating_sub(creaking.since) as f64 / whole).clamp(0.0, 1.0);
        let now = creaking.sections.iter().map(|one| {
            let material = one.material.unwrap_or(StructuralMaterial::Concrete);
            (one.section.centre, one.section.area, material)
        });
        let now: Vec<(DVec3, f64, StructuralMaterial)> = now.collect();
        for (i, &(at, area, material)) in now.iter().enumerate() {
            let mut seed = Hash64::new();
            seed.u64(sim.tick);
            seed.vec3(at);
            let chance = (seed.finish() >> 11) as f64 / (1u64 << 53) as f64;
            let is_first = !self.creaking.iter().any(|one| one.0 == at);
            if is_first && i < 4 || chance < 0.02 + 0.07 * part {
                let gain = (0.1 + 0.25 * part) * area.sqrt().clamp(0.3, 2.0);
                events.push(event(Sound::Creak(material), beside(&sim.world, at), gain));
            }
        }
        // What no longer creaks and whose time has come.
        for &(at, area, material) in &self.creaking {
            let is_gone = !now.iter().any(|one| one.0 == at);
            let is_cut = is_gone && sim.dust.iter().any(|d| d.position == at);
            if is_gone && (is_cut || now.is_empty()) {
                let gain = 0.8 * area.sqrt().clamp(0.3, 3.0);
                events.push(event(Sound::Break(material), beside(&sim.world, at), gain));
            }
        }
        self.creaking = now;
    }

    fn steps(&mut self, sim: &Sim, goes_on: bool, events: &mut Vec<SoundEvent>) {
        let player = &sim.player;
        let feet = &mut self.feet;
        let (before, at) = (*feet, player.feet);
        let moved = (at - before.at) * DVec3::new(1.0, 0.0, 1.0);
        feet.at = at;
        feet.fall = -player.velocity.y;
        feet.on_ground = player.walking && player.on_ground;
        if !goes_on || !feet.on_ground || moved.length() > 2.0 {
            feet.since_step = 0.0;
            return;
        }
        feet.since_step += moved.length();
        let speed = moved.length() / TICK_SECS;
        let stride = (speed * STEP_SECS).max(SHORTEST_STRIDE);
        let landed = !before.on_ground && before.fall > 1.5;
        let gain = match (landed, stride <= feet.since_step) {
            (true, _) => (0.04 * before.fall).min(0.3),
            (false, true) if player.crouched => 0.025,
            (false, true) => 0.05 + 0.004 * speed.min(10.0),
            (false, false) => return,
        };
        feet.since_step = 0.0;
        let down = DVec3::NEG_Y * 0.5;
        let from = at + DVec3::Y * 0.1;
        let floor = sim
            .world
            .cast_ray(from, from + down, &mut QueryStats::default());
        let material = floor.map_or(StructuralMaterial::Concrete, |hit| {
            let room = sim.world.room(hit.room);
            let triangle = &room.mesh.triangles[hit.triangle as usize];
            self.material_of(room.faces[triangle.face as usize].material)
        });
        events.push(event(Sound::Step(material), from, gain));
    }
}

fn event(sound: Sound, at: DVec3, gain: f64) -> SoundEvent {
    SoundEvent {
        sound,
        variant: 0,
        at,
        gain,
    }
}

fn known(materials: &MaterialTable<StructuralMaterial>, material: u32) -> StructuralMaterial {
    let known = materials.get(material);
    known.unwrap_or(StructuralMaterial::Concrete)
}

fn size_of(body: &Body) -> Size {
    match body.radius {
        r if r < 0.12 => Size::Small,
        r if r < 0.45 => Size::Medium,
        _ => Size::Large,
    }
}

fn splashes(sim: &Sim, events: &mut Vec<SoundEvent>) {
    let now = sim.ripples.iter().rev();
    for ripple in now.take_while(|ripple| ripple.tick + 1 == sim.tick) {
        let size = match ripple.strength {
            s if s < 0.25 => Size::Small,
            s if s < 0.7 => Size::Medium,
            _ => Size::Large,
        };
        let at = ripple.position + DVec3::Y * 0.05;
        events.push(event(Sound::Splash(size), at, 0.08 + 0.5 * ripple.strength));
    }
}

fn is_blown(sim: &Sim, body: &Body) -> bool {
    let now = sim
        .explosions
        .iter()
        .filter(|blast| blast.tick + 1 == sim.tick);
    let reach = |blast: &crate::sim::Explosion| blast.radius * BLAST_WIND + body.radius;
    now.into_iter()
        .any(|b| b.position.distance(body.position) < reach(b))
}

/// Of bodies whose velocity changed, those that a contact changed, with a point of it. The list is sorted by body.
fn touched(sim: &Sim, hits: &[(u32, DVec3)]) -> Vec<(usize, DVec3)> {
    let mut found: Vec<Option<DVec3>> = vec![None; hits.len()];
    if hits.is_empty() {
        return Vec::new();
    }
    for contact in sim.bodies.contacts() {
        let count = if contact.is_of_two_bodies() { 2 } else { 1 };
        let bodies = contact.bodies.into_iter().zip([1.0, -1.0]);
        for (body, sign) in bodies.take(count) {
            let Ok(which) = hits.binary_search_by_key(&body, |hit| hit.0) else {
                continue;
            };
            let (index, change) = hits[which];
            let speed = sim.bodies[index as usize].velocity.length() + change.length();
            let is_pushed = change.dot(contact.normal) * sign > 0.3 * change.length();
            if is_pushed && contact.gap < NEAR_M + speed * TICK_SECS && found[which].is_none() {
                // A little off the surface: the point may be anywhere on it.
                let off = contact.normal * (sign * 0.02);
                found[which] = Some(contact.point - contact.normal * contact.gap.min(0.0) + off);
            }
        }
    }
    let found = found.into_iter().enumerate();
    found.filter_map(|(which, at)| Some((which, at?))).collect()
}

/// A point in the air beside a point that may be in solid.
fn beside(world: &World, at: DVec3) -> DVec3 {
    const AXES: [DVec3; 6] = [
        DVec3::NEG_Y,
        DVec3::X,
        DVec3::NEG_X,
        DVec3::Z,
        DVec3::NEG_Z,
        DVec3::Y,
    ];
    let near = [0.35, 0.7, 1.2].into_iter();
    let mut places = near.flat_map(|reach| AXES.map(|axis| at + axis * reach));
    places
        .find(|&place| world.locate(place).is_some())
        .unwrap_or(at)
}
