//! Bodies between two ticks, and what an explosion and a rocket look like: fire, smoke, soot. All of it follows from
//! the tick alone, so a paused or replayed picture is the same picture.
use super::SpriteView;
use super::visibility::{Edges, Sight};
use super::{
    BodyView, Camera, ChunkView, DRILL, GRENADE, IRON, MAX_SCORCHES, ROCKET, SOOT_REACH, Scorch,
};
use crate::debris::retire::FADE_TICKS;
use crate::debris::{self, Body};
use crate::level::SavedOperation;
use crate::level::material::{Look, look};
use crate::sim::{Drilled, Explosion, Grenade, Sim, TICK_SECS};
use crate::world::{GRID, Material, MaterialId};
use glam::{DQuat, DVec3};
use std::cmp::Reverse;

/// Radius a rocket is drawn with, metres.
const ROCKET_RADIUS_M: f64 = 0.09;
/// Fire lasts this long, smoke that, seconds.
const FIRE_SECS: f64 = 0.38;
const SMOKE_SECS: f64 = 1.9;
/// Sparks fly for this long at most, seconds.
const SPARKS_SECS: f64 = 1.1;
/// The eye is shaken for this long, seconds.
const KICK_SECS: f64 = 0.35;
/// Explosions are remembered for this long, seconds: what glows has cooled by then.
const MEMORY_SECS: f64 = 2.0;
/// Blasts looked at for soot: the newest.
const SCORCH_SEARCH: usize = 512;
/// Where not all soot is drawn, what lies in this last part of the distance fades.
const FADING_PART: f64 = 0.2;

/// Radius that a grenade is drawn with, metres.
const GRENADE_RADIUS_M: f64 = 0.075;
/// A drill's bit is seen for this long, its dust for that, seconds.
const DRILL_SECS: f64 = 0.3;
const DRILL_DUST_SECS: f64 = 1.2;

/// Crumbs and balls, then rockets, grenades, and the bits of drills at work: those in sight.
pub(super) fn bodies(sim: &Sim, alpha: f64, sight: &Sight, edges: &mut Edges) -> Vec<BodyView> {
    let crumbs = sim.bodies.iter().enumerate();
    let crumbs = crumbs.filter(|(_, body)| body.chunk.is_none());
    // Thousands lie about, most of them out of sight: asked first.
    let crumbs = crumbs.filter(|(number, body)| {
        let centre = body.previous.lerp(body.position, alpha);
        sight.shows_body(*number, edges, centre, body.radius)
    });
    let crumbs = crumbs.map(|(_, body)| BodyView {
        position: body.previous.lerp(body.position, alpha),
        rotation: body.previous_rotation.lerp(body.rotation, alpha),
        radius: body.radius,
        scale: match body.fading {
            0 => 1.0,
            left => (f64::from(left) - alpha).max(0.0) / f64::from(FADE_TICKS),
        },
        material: match body.material {
            debris::IRON => IRON,
            material => material,
        },
        asleep: body.asleep,
    });
    let rockets = sim.rockets.iter().map(|rocket| BodyView {
        position: rocket.previous.lerp(rocket.position, alpha),
        rotation: DQuat::from_rotation_arc(
            DVec3::NEG_Z,
            rocket.velocity.normalize_or(DVec3::NEG_Z),
        ),
        radius: ROCKET_RADIUS_M,
        scale: 1.0,
        material: ROCKET,
        asleep: false,
    });
    let grenades = sim
        .grenades
        .iter()
        .map(|grenade| grenade_view(grenade, alpha));
    let now = sim.tick as f64 + alpha;
    let drills = sim.drilled.iter().filter_map(|hole| bit_view(hole, now));
    let shots = rockets.chain(grenades).chain(drills);
    let shots = shots.filter(|body| sight.shows(body.position, body.radius));
    crumbs.chain(shots).collect()
}

/// It tumbles by what it has come, about an axis across its way.
fn grenade_view(grenade: &Grenade, alpha: f64) -> BodyView {
    let across = grenade.velocity.cross(DVec3::Y);
    let axis = across.normalize_or(DVec3::X);
    let turn = -(grenade.path + grenade.previous.distance(grenade.position) * (alpha - 1.0));
    let (sin, cos) = libm::sincos(turn * 0.5 / GRENADE_RADIUS_M * 0.4);
    BodyView {
        position: grenade.previous.lerp(grenade.position, alpha),
        rotation: DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos),
        radius: GRENADE_RADIUS_M,
        scale: 1.0,
        material: GRENADE,
        asleep: false,
    }
}

/// The bit goes through its hole while it is seen.
fn bit_view(hole: &Drilled, now: f64) -> Option<BodyView> {
    let done = (now - hole.tick as f64) * TICK_SECS / DRILL_SECS;
    let dir = (hole.to - hole.from).try_normalize()?;
    (0.0..1.0).contains(&done).then(|| BodyView {
        position: hole.from.lerp(hole.to, done),
        rotation: DQuat::from_rotation_arc(DVec3::NEG_Z, dir),
        radius: hole.radius * 0.8,
        scale: 1.0,
        material: DRILL,
        asleep: false,
    })
}

/// Chunks with their faces.
pub(super) fn chunks(sim: &Sim, alpha: f64) -> Vec<ChunkView> {
    /// Baked looks repeat after a part of this, metres: faces look as they did before they broke off.
    const PERIOD: f64 = 4.0;
    let view = |body: &Body| {
        let shape = body.chunk.as_ref()?;
        let place = body.previous.lerp(body.position, alpha);
        let turn = body.previous_rotation.lerp(body.rotation, alpha);
        let (at, rotation) = shape.world_from_home((place, turn));
        let origin = (shape.home.0 / PERIOD).round() * PERIOD;
        Some(ChunkView {
            centre: place,
            radius: shape.radius + shape.uncovered,
            position: at + rotation * origin,
            rotation,
            origin,
            mesh: shape.mesh.clone(),
            faces: shape.faces.clone(),
            asleep: body.asleep,
        })
    };
    sim.bodies.iter().filter_map(view).collect()
}

/// What the materials of a level look like, each asked once: that searches its name for words.
struct Looks<'a> {
    materials: &'a [Material],
    known: Vec<(MaterialId, Look)>,
}

impl Looks<'_> {
    /// None where there is no such material.
    fn of(&mut self, id: MaterialId) -> Option<Look> {
        if let Some(known) = self.known.iter().find(|known| known.0 == id) {
            return Some(known.1);
        }
        let found = look(&self.materials.get(id as usize)?.texture);
        self.known.push((id, found));
        Some(found)
    }
}

/// Fire and smoke of explosions in sight and of rockets, farthest first.
pub(super) fn sprites(sim: &Sim, camera: &Camera, sight: &Sight, alpha: f64) -> Vec<SpriteView> {
    let now = sim.tick as f64 + alpha;
    let mut looks = Looks {
        materials: &sim.world.materials,
        known: Vec::new(),
    };
    let mut sprites = Vec::new();
    for explosion in &sim.explosions {
        let age = (now - explosion.tick as f64) * TICK_SECS;
        let reach = explosion_reach_m(explosion, age);
        if (0.0..MEMORY_SECS).contains(&age) && sight.shows(explosion.position, reach) {
            let cut = explosion.material.and_then(|id| looks.of(id));
            explosion_sprites(&mut sprites, explosion, cut, age);
        }
    }
    for rocket in &sim.rockets {
        let (at, dir) = (
            rocket.previous.lerp(rocket.position, alpha),
            rocket.velocity.normalize_or(DVec3::NEG_Z),
        );
        let flown = (f64::from(rocket.age) + alpha) * TICK_SECS * rocket.velocity.length();
        for i in 0..14u32 {
            let behind = 0.12 + f64::from(i) * 0.17;
            if behind > flown {
                break;
            }
            let old = f64::from(i) / 14.0;
            sprites.push(SpriteView {
                position: at - dir * behind
                    + scatter(rocket.age.wrapping_mul(31).wrapping_add(i)) * (0.05 * old),
                radius: 0.07 + 0.16 * old,
                colour: if i < 2 {
                    [5.0, 2.2, 0.6, 0.5]
                } else {
                    [0.5, 0.47, 0.45, (0.32 * (1.0 - old)) as f32]
                },
                glow: if i < 2 { 1.0 } else { 0.25 },
                seed: i,
            });
        }
    }
    for grenade in &sim.grenades {
        fuse_sprites(&mut sprites, grenade, alpha);
    }
    for hole in &sim.drilled {
        let age = (now - hole.tick as f64) * TICK_SECS;
        if (0.0..DRILL_DUST_SECS).contains(&age) {
            let cut = hole.material.and_then(|id| looks.of(id));
            drill_sprites(&mut sprites, hole, cut.unwrap_or(Look::Concrete), age);
        }
    }
    // Of numbers that are not negative, the larger has the larger bits.
    let distance = |sprite: &SpriteView| sprite.position.distance_squared(camera.eye).to_bits();
    sprites.sort_by_cached_key(|sprite| Reverse(distance(sprite)));
    sprites
}

/// The fuse glows and smokes a little, along the way that the grenade came.
fn fuse_sprites(sprites: &mut Vec<SpriteView>, grenade: &Grenade, alpha: f64) {
    let at = grenade.previous.lerp(grenade.position, alpha);
    let back = -grenade.velocity * TICK_SECS;
    // It blinks, so that one sees that it will go off.
    let lit = grenade.age % 16 < 8;
    sprites.push(SpriteView {
        position: at + DVec3::Y * GRENADE_RADIUS_M,
        radius: 0.035,
        colour: [
            9.0,
            if lit { 5.0 } else { 0.8 },
            0.4,
            if lit { 0.9 } else { 0.4 },
        ],
        glow: 1.0,
        seed: grenade.age,
    });
    for i in 0..10u32 {
        let old = f64::from(i) / 10.0;
        let drift = scatter(grenade.age.wrapping_sub(2 * i).wrapping_mul(37)) * (0.05 * old);
        sprites.push(SpriteView {
            position: at + back * (f64::from(i) * 1.2) + DVec3::Y * (0.08 + 0.25 * old) + drift,
            radius: 0.03 + 0.08 * old,
            colour: [0.5, 0.49, 0.47, (0.22 * (1.0 - old)) as f32],
            glow: 0.2,
            seed: i,
        });
    }
}

/// Dust comes out of the mouth, and sparks while the bit runs.
fn drill_sprites(sprites: &mut Vec<SpriteView>, hole: &Drilled, cut: Look, age: f64) {
    let dir = (hole.to - hole.from).normalize_or(DVec3::NEG_Z);
    let seed = hole.tick as u32;
    let [r, g, b] = dust_colour(cut);
    let done = age / DRILL_DUST_SECS;
    let fade = ((1.0 - done) * (age * 20.0).min(1.0)) as f32;
    for i in 0..12u32 {
        let own = seed.wrapping_add(900 + i * 19);
        let out = hole.radius * (0.6 + 4.0 * (1.0 - libm::exp(-3.0 * age)));
        let way = scatter(own) * 0.55 - dir;
        sprites.push(SpriteView {
            position: hole.from + way * out - DVec3::Y * (0.3 * age * age),
            radius: hole.radius * (0.35 + 0.9 * done),
            colour: [r, g, b, 0.26 * fade],
            glow: 0.1,
            seed: own,
        });
    }
    if age < DRILL_SECS * 1.5 {
        let left = 1.0 - age / (DRILL_SECS * 1.5);
        sparks(sprites, hole.from, 0.35, age, left, 14, seed);
    }
}

/// A ball of fire that opens and burns out, smoke that rises out of it, and where something was cut its dust and
/// sparks.
fn explosion_sprites(
    sprites: &mut Vec<SpriteView>,
    explosion: &Explosion,
    cut: Option<Look>,
    age: f64,
) {
    let at = explosion.position;
    let size = explosion.radius.clamp(0.1, 6.0);
    let seed = explosion.tick as u32;
    if age < FIRE_SECS {
        fire(sprites, at, size, age / FIRE_SECS, seed);
    }
    if age < SMOKE_SECS {
        smoke(sprites, at, size, age, seed);
    }
    if let Some(look) = cut {
        dust(sprites, at, size, age, seed, dust_colour(look));
        let sparks_secs = if look == Look::Metal {
            SPARKS_SECS
        } else {
            0.45
        };
        if age < sparks_secs {
            let count = if look == Look::Metal { 34 } else { 9 };
            sparks(sprites, at, size, age, 1.0 - age / sparks_secs, count, seed);
        }
    }
}

/// Nothing that [`explosion_sprites`] makes reaches farther, metres.
fn explosion_reach_m(explosion: &Explosion, age: f64) -> f64 {
    let size = explosion.radius.clamp(0.1, 6.0);
    let root = size.sqrt();
    let cloud = size * (2.6 + 0.15 * age) + 0.7 * age * root.max(1.0);
    let spark = match age < SPARKS_SECS {
        true => 7.0 * root * age + 4.9 * age * age + 0.1,
        false => 0.0,
    };
    cloud.max(spark)
}

fn fire(sprites: &mut Vec<SpriteView>, at: DVec3, size: f64, done: f64, seed: u32) {
    let open = 1.0 - (1.0 - done) * (1.0 - done);
    let heat = ((1.0 - done) * (1.0 - done)) as f32;
    for i in 0..6u32 {
        sprites.push(SpriteView {
            position: at + scatter(seed.wrapping_add(i * 7)) * (size * 0.6 * open),
            radius: size * (0.35 + 0.55 * open),
            colour: [
                1.0 + 9.0 * heat,
                0.35 + 3.6 * heat,
                0.08 + 1.1 * heat,
                0.75 * (1.0 - done as f32),
            ],
            glow: 1.0,
            seed: seed.wrapping_add(i),
        });
    }
}

fn smoke(sprites: &mut Vec<SpriteView>, at: DVec3, size: f64, age: f64, seed: u32) {
    let done = age / SMOKE_SECS;
    let fade = ((1.0 - done) * (1.0 - done) * (done * 12.0).min(1.0)) as f32;
    for i in 0..7u32 {
        let away = scatter(seed.wrapping_add(100 + i * 13)) * (size * (0.5 + 0.6 * done));
        sprites.push(SpriteView {
            position: at + away + DVec3::Y * (0.7 * age * size.sqrt()),
            radius: size * (0.4 + 0.8 * done),
            colour: [0.30, 0.28, 0.26, 0.30 * fade],
            glow: 0.12,
            seed: seed.wrapping_add(50 + i),
        });
    }
}

/// Thrown out fast, slowed by the air at once, then drifting and settling.
fn dust(
    sprites: &mut Vec<SpriteView>,
    at: DVec3,
    size: f64,
    age: f64,
    seed: u32,
    [r, g, b]: [f32; 3],
) {
    let done = age / MEMORY_SECS;
    let thrown = 1.0 - libm::exp(-4.5 * age);
    let fade = ((1.0 - done) * (age * 14.0).min(1.0)) as f32;
    for i in 0..9u32 {
        let own = seed.wrapping_add(300 + i * 17);
        let away = scatter(own) * (size * (0.5 + 1.3 * thrown));
        let drift = scatter(own ^ 0x5bd1) * (0.25 * age) - DVec3::Y * (0.16 * age * age);
        sprites.push(SpriteView {
            position: at + away + drift,
            radius: size * (0.25 + 0.55 * thrown + 0.15 * age),
            colour: [r, g, b, 0.24 * fade],
            glow: 0.1,
            seed: own,
        });
    }
}

/// Small hot crumbs on their way down, each with a short tail.
fn sparks(
    sprites: &mut Vec<SpriteView>,
    at: DVec3,
    size: f64,
    age: f64,
    left: f64,
    count: u32,
    seed: u32,
) {
    for i in 0..count {
        let velocity = scatter(seed.wrapping_add(700 + i * 29)) * (7.0 * size.sqrt());
        let place = |age: f64| at + velocity * age - DVec3::Y * (4.9 * age * age);
        for tail in 0..3 {
            let then = (age - 0.012 * f64::from(tail)).max(0.0);
            let heat = (left * (1.0 - 0.3 * f64::from(tail))) as f32;
            sprites.push(SpriteView {
                position: place(then),
                radius: 0.022 - 0.004 * f64::from(tail),
                colour: [9.0 * heat, 4.5 * heat, 1.2 * heat * heat, 0.9 * heat],
                glow: 1.0,
                seed: i,
            });
        }
    }
}

/// Of what stuff grinds to. Linear.
fn dust_colour(look: Look) -> [f32; 3] {
    match look {
        Look::Brick => [0.40, 0.20, 0.13],
        Look::Plaster => [0.58, 0.54, 0.47],
        Look::Wood => [0.34, 0.24, 0.14],
        Look::Soil => [0.17, 0.12, 0.08],
        Look::Metal => [0.16, 0.155, 0.15],
        Look::Rock => [0.28, 0.26, 0.23],
        _ => [0.40, 0.39, 0.37],
    }
}

/// How far an explosion of this moment turns the eye: yaw and pitch, radians.
pub fn kick(sim: &Sim, eye: DVec3, alpha: f64) -> [f64; 2] {
    let now = sim.tick as f64 + alpha;
    let mut kick = [0.0; 2];
    for explosion in &sim.explosions {
        let age = (now - explosion.tick as f64) * TICK_SECS;
        let near = 1.0 - explosion.position.distance(eye) / (6.0 + 6.0 * explosion.radius);
        if near <= 0.0 || !(0.0..KICK_SECS).contains(&age) {
            continue;
        }
        let left = 1.0 - age / KICK_SECS;
        let push = 0.022 * near * left * left * libm::sin(age * 38.0);
        let side = scatter(explosion.tick as u32);
        kick[0] += push * side.x;
        kick[1] += push * (0.6 + 0.4 * side.y);
    }
    kick.map(|turn| turn.clamp(-0.05, 0.05))
}

/// A fixed direction for each seed, not longer than 1.
fn scatter(seed: u32) -> DVec3 {
    let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    let mut next = || {
        state ^= state >> 29;
        state = state.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
    };
    DVec3::new(next(), next(), next()).clamp_length_max(1.0)
}

/// Soot of the newest blasts, those in sight that are nearest to the eye; ties: the newest.
pub(super) fn scorches(sim: &Sim, camera: &Camera, sight: &Sight, alpha: f64) -> Vec<Scorch> {
    let mut found: Vec<(f64, Scorch)> = Vec::new();
    let since = sim.level.since.iter().rev().take(SCORCH_SEARCH);
    let since = since.filter_map(|operation| match operation {
        SavedOperation::Blast { centre, radius, .. } => Some((centre.as_dvec3() / GRID, *radius)),
        SavedOperation::Brushes(_) => None,
    });
    let before = sim.level.blasts.iter().rev().copied();
    for (position, radius) in since.chain(before).take(SCORCH_SEARCH) {
        if !sight.shows(position, radius * SOOT_REACH) {
            continue;
        }
        let scorch = Scorch {
            position,
            radius,
            heat: 0.0,
            strength: 1.0,
        };
        found.push((position.distance(camera.eye) - radius, scorch));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(&(limit, _)) = found.get(MAX_SCORCHES) {
        for (far, scorch) in &mut found {
            scorch.strength =
                ((limit - *far) / (FADING_PART * limit).max(1e-6)).clamp(0.0, 1.0) as f32;
        }
        found.truncate(MAX_SCORCHES);
    }
    let now = sim.tick as f64 + alpha;
    let hot = |scorch: Scorch| Scorch {
        heat: heat_of(sim, &scorch, now),
        ..scorch
    };
    found.into_iter().map(|(_, scorch)| hot(scorch)).collect()
}

/// The edge of a crater glows and cools: the heat of the newest blast that cut here.
fn heat_of(sim: &Sim, scorch: &Scorch, now: f64) -> f32 {
    let heats = sim.explosions.iter().filter(|explosion| {
        explosion.material.is_some()
            && explosion.position.distance(scorch.position) < explosion.radius.max(scorch.radius)
    });
    let left = |tick: u64| {
        let age = (now - tick as f64) * TICK_SECS;
        libm::exp(-1.7 * age.max(0.0)) - libm::exp(-1.7 * MEMORY_SECS)
    };
    let heats = heats.map(|explosion| left(explosion.tick));
    heats.fold(0.0, f64::max) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Revision;

    fn explosion(radius: f64) -> Explosion {
        Explosion {
            position: DVec3::ZERO,
            radius,
            tick: 3,
            revision: Revision::next(),
            material: None,
        }
    }

    fn sprites_of(cut: Option<Look>, age: f64) -> Vec<SpriteView> {
        let mut sprites = Vec::new();
        explosion_sprites(&mut sprites, &explosion(1.0), cut, age);
        let sound = |s: &SpriteView| s.colour.iter().all(|c| c.is_finite() && *c >= 0.0);
        assert!(sprites.iter().all(|s| sound(s) && s.radius > 0.0));
        sprites
    }

    #[test]
    fn an_explosion_burns_then_smokes_then_is_gone() {
        let burning = |age: f64| {
            sprites_of(None, age)
                .iter()
                .filter(|s| s.glow == 1.0)
                .count()
        };
        assert!(burning(0.1) > 0);
        assert!(burning(0.5) == 0 && !sprites_of(None, 0.5).is_empty());
        assert!(sprites_of(None, SMOKE_SECS).is_empty());
    }

    #[test]
    fn nothing_of_an_explosion_leaves_its_reach() {
        for radius in [0.02, 0.3, 1.0, 4.0, 20.0] {
            for age in (0..200).map(|i| f64::from(i) * 0.01) {
                let reach = explosion_reach_m(&explosion(radius), age);
                let mut sprites = Vec::new();
                for cut in [None, Some(Look::Metal), Some(Look::Brick)] {
                    explosion_sprites(&mut sprites, &explosion(radius), cut, age);
                }
                let farthest = |far: f64, s: &SpriteView| far.max(s.position.length() + s.radius);
                let farthest = sprites.iter().fold(0.0, farthest);
                assert!(farthest < reach, "{farthest} m at {age} s, {radius} m");
            }
        }
    }

    #[test]
    fn dust_and_sparks_come_from_what_was_cut() {
        let count = |cut, age| sprites_of(cut, age).len();
        assert!(count(Some(Look::Brick), 0.5) > count(None, 0.5));
        assert!(count(Some(Look::Metal), 0.2) > count(Some(Look::Wood), 0.2));
    }
}
