//! Bodies between two ticks, and what an explosion and a rocket look like: fire, smoke, soot. All of it follows from
//! the tick alone, so a paused or replayed picture is the same picture.
use super::{BodyView, Camera, MAX_SCORCHES, ROCKET, Scorch, SpriteView};
use crate::level::SavedOperation;
use crate::sim::{Sim, TICK_SECS};
use crate::world::GRID;
use glam::{DQuat, DVec3};

/// Radius a rocket is drawn with, metres.
const ROCKET_RADIUS_M: f64 = 0.09;
/// Fire lasts this long, smoke that, seconds.
const FIRE_SECS: f64 = 0.38;
const SMOKE_SECS: f64 = 1.9;
/// Blasts looked at for soot: the newest.
const SCORCH_SEARCH: usize = 512;

/// Crumbs, then rockets (nose along -Z of their rotation).
pub(super) fn bodies(sim: &Sim, alpha: f64) -> Vec<BodyView> {
    let crumbs = sim.bodies.iter().map(|body| BodyView {
        position: body.previous.lerp(body.position, alpha),
        // The tick keeps no earlier orientation; turning back by the spin gives it.
        rotation: turned(
            body.rotation,
            body.spin,
            if body.asleep {
                0.0
            } else {
                (alpha - 1.0) * TICK_SECS
            },
        ),
        radius: body.radius,
        material: body.material,
        asleep: body.asleep,
    });
    let rockets = sim.rockets.iter().map(|rocket| BodyView {
        position: rocket.previous.lerp(rocket.position, alpha),
        rotation: DQuat::from_rotation_arc(
            DVec3::NEG_Z,
            rocket.velocity.normalize_or(DVec3::NEG_Z),
        ),
        radius: ROCKET_RADIUS_M,
        material: ROCKET,
        asleep: false,
    });
    crumbs.chain(rockets).collect()
}

/// The rotation after turning by `spin` (radians a second) for a short time.
fn turned(rotation: DQuat, spin: DVec3, seconds: f64) -> DQuat {
    let half = spin * (seconds * 0.5);
    let turn = DQuat::from_xyzw(half.x, half.y, half.z, 1.0);
    let turned = turn * rotation;
    if turned.length_squared() > 0.0 && turned.is_finite() {
        turned.normalize()
    } else {
        rotation
    }
}

/// Fire and smoke of explosions and rockets, farthest first.
pub(super) fn sprites(sim: &Sim, camera: &Camera, alpha: f64) -> Vec<SpriteView> {
    let now = sim.tick as f64 + alpha;
    let mut sprites = Vec::new();
    for explosion in &sim.explosions {
        let age = (now - explosion.tick as f64) * TICK_SECS;
        if (0.0..SMOKE_SECS).contains(&age) {
            explosion_sprites(
                &mut sprites,
                explosion.position,
                explosion.radius,
                age,
                explosion.tick as u32,
            );
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
    let distance = |sprite: &SpriteView| sprite.position.distance_squared(camera.eye);
    sprites.sort_by(|a, b| distance(b).total_cmp(&distance(a)));
    sprites
}

/// A ball of fire that opens and burns out, with smoke that swells and rises out of it.
fn explosion_sprites(sprites: &mut Vec<SpriteView>, at: DVec3, radius: f64, age: f64, seed: u32) {
    let size = radius.clamp(0.1, 6.0);
    if age < FIRE_SECS {
        let done = age / FIRE_SECS;
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

/// Soot of the newest blasts, those nearest to the eye; ties: the newest.
pub(super) fn scorches(sim: &Sim, camera: &Camera) -> Vec<Scorch> {
    let mut found: Vec<(f64, Scorch)> = Vec::new();
    for operation in sim.level.since.iter().rev().take(SCORCH_SEARCH) {
        if let SavedOperation::Blast { centre, radius, .. } = operation {
            let position = centre.as_dvec3() / GRID;
            let distance = position.distance(camera.eye) - radius;
            found.push((
                distance,
                Scorch {
                    position,
                    radius: *radius,
                },
            ));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(MAX_SCORCHES);
    found.into_iter().map(|(_, scorch)| scorch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turning_back_undoes_a_tick_of_spin() {
        let spin = DVec3::new(0.5, -2.0, 1.0);
        let turned_back = turned(turned(DQuat::IDENTITY, spin, TICK_SECS), spin, -TICK_SECS);
        assert!(turned_back.angle_between(DQuat::IDENTITY) < 1e-6);
        assert_eq!(
            turned(DQuat::IDENTITY, DVec3::splat(f64::INFINITY), 1.0),
            DQuat::IDENTITY
        );
    }

    #[test]
    fn an_explosion_burns_then_smokes_then_is_gone() {
        let count = |age: f64| {
            let mut sprites = Vec::new();
            explosion_sprites(&mut sprites, DVec3::ZERO, 1.0, age, 3);
            assert!(
                sprites
                    .iter()
                    .all(|s| s.colour.iter().all(|c| c.is_finite() && *c >= 0.0))
            );
            (
                sprites.iter().filter(|s| s.glow == 1.0).count(),
                sprites.len(),
            )
        };
        assert!(count(0.1).0 > 0);
        assert!(count(0.5).0 == 0 && count(0.5).1 > 0);
    }
}
