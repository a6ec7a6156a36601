//! Sprites of explosions, rockets, grenades and drills: fire, smoke, dust, sparks. They follow from the tick alone, so a
//! paused or replayed picture is the same.
use super::bodies::{DRILL_SECS, GRENADE_RADIUS_M};
use super::camera::Camera;
use super::scatter::scatter;
use super::snapshot::SpriteView;
use super::visible_set::VisibleSet;
use crate::level::material::{Look, look};
use crate::sim::{Drilled, Dust, Explosion, Grenade, Sim, TICK_SECS};
use crate::structure::StructuralMaterial;
use crate::world::{Material, MaterialId};
use glam::DVec3;
use std::cmp::Reverse;

/// Duration of an explosion's fire, seconds.
const FIRE_SECS: f64 = 0.38;
/// Duration of its smoke, seconds.
const SMOKE_SECS: f64 = 1.9;
/// Longest flight of sparks, seconds.
const SPARKS_SECS: f64 = 1.1;
/// Duration of its dust, and of all the rest, seconds.
const EXPLOSION_SECS: f64 = 2.0;
/// Duration of a drill's dust, seconds.
const DRILL_DUST_SECS: f64 = 1.2;

/// Time that dust falls from a section about to break, seconds, how far, metres, and how many clouds at a time.
const TRICKLE_SECS: f64 = 0.9;
const TRICKLE_M: f64 = 2.0;
const TRICKLES: u32 = 8;

/// A cache of the looks of materials: [`look`] searches a name for many words.
struct Looks<'a> {
    materials: &'a [Material],
    known: Vec<(MaterialId, Look)>,
}

impl Looks<'_> {
    /// None for an unknown material.
    fn get(&mut self, id: MaterialId) -> Option<Look> {
        if let Some(known) = self.known.iter().find(|known| known.0 == id) {
            return Some(known.1);
        }
        let found = look(&self.materials.get(id as usize)?.texture);
        self.known.push((id, found));
        Some(found)
    }
}

/// All sprites, farthest first; those of hidden explosions are culled.
pub(super) fn sprites(
    sim: &Sim,
    camera: &Camera,
    visible_set: &VisibleSet,
    alpha: f64,
) -> Vec<SpriteView> {
    let now = sim.tick as f64 + alpha;
    let mut looks = Looks {
        materials: &sim.world.materials,
        known: Vec::new(),
    };
    let mut sprites = Vec::new();
    for explosion in &sim.explosions {
        let age = (now - explosion.tick as f64) * TICK_SECS;
        let reach = explosion_reach_m(explosion, age);
        if (0.0..EXPLOSION_SECS).contains(&age) && visible_set.sees_ball(explosion.position, reach)
        {
            let cut = explosion.material.and_then(|id| looks.get(id));
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
            let cut = hole.material.and_then(|id| looks.get(id));
            drill_sprites(&mut sprites, hole, cut.unwrap_or(Look::Concrete), age);
        }
    }
    for cloud in &sim.dust {
        let age = (now - cloud.tick as f64) * TICK_SECS;
        let size = cloud.radius.clamp(0.1, 3.0);
        let reach = dust_reach_m(size, age);
        if (0.0..EXPLOSION_SECS).contains(&age) && visible_set.sees_ball(cloud.position, reach) {
            let colour = dust_colour(cloud_look(&mut looks, cloud));
            dust(
                &mut sprites,
                cloud.position,
                size,
                age,
                cloud.tick as u32,
                colour,
            );
        }
    }
    creaking_sprites(&mut sprites, sim, visible_set, now);
    // Non-negative floats sort like their bits.
    let distance = |sprite: &SpriteView| sprite.position.distance_squared(camera.eye).to_bits();
    sprites.sort_by_cached_key(|sprite| Reverse(distance(sprite)));
    sprites
}

/// A glowing fuse, and its smoke along the path of the grenade.
fn fuse_sprites(sprites: &mut Vec<SpriteView>, grenade: &Grenade, alpha: f64) {
    let at = grenade.previous.lerp(grenade.position, alpha);
    let back = -grenade.velocity * TICK_SECS;
    // It blinks as a warning.
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

/// Dust from the mouth of the hole, and sparks while the bit runs.
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

/// A fireball, rising smoke, and if the explosion cut a material its dust and sparks.
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

/// Radius of a ball around all of [`explosion_sprites`], metres.
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

/// Dust: thrown out fast, slowed by air drag, then drifting and settling.
fn dust(
    sprites: &mut Vec<SpriteView>,
    at: DVec3,
    size: f64,
    age: f64,
    seed: u32,
    [r, g, b]: [f32; 3],
) {
    let done = age / EXPLOSION_SECS;
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

fn cloud_look(looks: &mut Looks, cloud: &Dust) -> Look {
    let look = cloud.material.and_then(|id| looks.get(id));
    look.unwrap_or(Look::Concrete)
}

/// Radius of a ball around all of [`dust`], metres.
fn dust_reach_m(size: f64, age: f64) -> f64 {
    size * (2.6 + 0.15 * age) + 0.25 * age + 0.16 * age * age
}

/// Dust that trickles out of sections about to break, more of it the nearer they are to breaking.
fn creaking_sprites(sprites: &mut Vec<SpriteView>, sim: &Sim, visible_set: &VisibleSet, now: f64) {
    let creaking = sim.creaking();
    let whole = (creaking.until as f64 - creaking.since as f64).max(1.0);
    let done = ((now - creaking.since as f64) / whole).clamp(0.0, 1.0);
    for (number, broken) in (0u32..).zip(creaking.sections) {
        let section = &broken.section;
        let size = (section.high - section.low).length() / 2.0;
        if !visible_set.sees_ball(section.centre, size + TRICKLE_M) {
            continue;
        }
        let [r, g, b] = dust_colour(match broken.material {
            Some(StructuralMaterial::Concrete | StructuralMaterial::Glass) | None => Look::Concrete,
            Some(StructuralMaterial::Brick) => Look::Brick,
            Some(StructuralMaterial::Rock) => Look::Rock,
            Some(StructuralMaterial::Wood) => Look::Wood,
            Some(StructuralMaterial::Metal) => Look::Metal,
            Some(StructuralMaterial::Soil) => Look::Soil,
        });
        for i in 0..TRICKLES {
            // Each grain falls, and begins again elsewhere.
            let turns = now * TICK_SECS / TRICKLE_SECS + f64::from(i) / f64::from(TRICKLES);
            let own = (turns.floor() as u32)
                .wrapping_mul(97)
                .wrapping_add(number * 31 + i * 7);
            let part = turns.fract();
            if f64::from(i) > done * f64::from(TRICKLES) {
                break;
            }
            let age = part * TRICKLE_SECS;
            sprites.push(SpriteView {
                position: section.centre + scatter(own) * (size + 0.05)
                    - DVec3::Y * (2.0 * age * age),
                radius: 0.05 + 0.16 * part,
                colour: [r, g, b, (0.34 * (1.0 - part)) as f32],
                glow: 0.1,
                seed: own,
            });
        }
    }
}

/// Sparks on ballistic paths, each with a short tail.
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
        let position = |age: f64| at + velocity * age - DVec3::Y * (4.9 * age * age);
        for tail in 0..3 {
            let then = (age - 0.012 * f64::from(tail)).max(0.0);
            let heat = (left * (1.0 - 0.3 * f64::from(tail))) as f32;
            sprites.push(SpriteView {
                position: position(then),
                radius: 0.022 - 0.004 * f64::from(tail),
                colour: [9.0 * heat, 4.5 * heat, 1.2 * heat * heat, 0.9 * heat],
                glow: 1.0,
                seed: i,
            });
        }
    }
}

/// Colour of ground material, linear RGB.
fn dust_colour(look: Look) -> [f32; 3] {
    match look {
        Look::Brick => [0.40, 0.20, 0.13],
        Look::Plaster => [0.58, 0.54, 0.47],
        Look::Wood => [0.34, 0.24, 0.14],
        Look::Soil => [0.17, 0.12, 0.08],
        Look::Metal => [0.16, 0.155, 0.15],
        Look::Rock => [0.28, 0.26, 0.23],
        Look::Concrete | Look::Tile | Look::Liquid | Look::Sky | Look::Light => [0.40, 0.39, 0.37],
    }
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
