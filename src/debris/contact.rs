//! One contact of a solid sphere with something that does not move: bounce, Coulomb friction, rolling resistance.
//!
//! Impulses for a mass of 1, so I = 2/5 r². Normal: j = (1 + e)(-v·n). At the point of contact the surface slips by
//! s = v_t + ω × (-r n), and a tangential impulse t changes s by t (1 + r²/I) = 7/2 t; so 2/7 |s| stops the slip (see
//! [`friction`]), and friction gives no more than μ j. That is how a sliding crumb starts to roll and ends at 5/7 of its speed.
use glam::DVec3;

/// Part of the approach speed that a bounce keeps.
pub const RESTITUTION: f64 = 0.3;
/// Slower than this, metres a second, nothing bounces: it stays down.
pub const BOUNCE_SPEED: f64 = 0.5;
/// Coulomb's μ of stone on stone.
pub const FRICTION: f64 = 0.5;
/// Rolling resistance as a lever arm in radii: crumbs are rough and stop on slopes whose tangent is below it.
pub const ROLLING: f64 = 0.2;

/// Velocity and spin after the contact; `normal` points from the surface to the centre. Moving away or along, nothing
/// changes.
pub fn bounce(
    velocity: DVec3,
    spin: DVec3,
    radius: f64,
    normal: DVec3,
    rolling: f64,
) -> (DVec3, DVec3) {
    let approach = -velocity.dot(normal);
    if approach <= 0.0 {
        return (velocity, spin);
    }
    let restitution = if approach > BOUNCE_SPEED {
        RESTITUTION
    } else {
        0.0
    };
    let push = (1.0 + restitution) * approach;
    let arm = normal * -radius;
    let inertia = 0.4 * radius * radius;
    let along = velocity + normal * approach;
    let slip = along + spin.cross(arm);
    let slip_speed = slip.length();
    let mut drag = DVec3::ZERO;
    if slip_speed > 0.0 {
        drag = slip * (-friction(slip_speed, push, rolling) / slip_speed);
    }
    let spin = spin + arm.cross(drag) / inertia;
    (
        velocity + normal * push + drag,
        resist_rolling(spin, radius, push, rolling),
    )
}

/// Tangential impulse for a unit mass: what ends the slip, no more than Coulomb allows. Rolling resistance takes
/// 5/2 `rolling` j out of the turning surface afterwards, so that much more is needed: 7/2 t = s + 5/2 `rolling` j; and
/// where it stops the spin altogether, t = s does.
pub fn friction(slip_speed: f64, push: f64, rolling: f64) -> f64 {
    let rolls = (slip_speed + 2.5 * rolling * push) / 3.5;
    (FRICTION * push).min(rolls).min(slip_speed)
}

/// What rolling resistance leaves of a spin: the push j presses at a lever of `rolling` radii, which takes
/// j·rolling·r/I out of it and never turns it round.
pub fn resist_rolling(spin: DVec3, radius: f64, push: f64, rolling: f64) -> DVec3 {
    let speed = spin.length();
    if speed <= 0.0 {
        return spin;
    }
    let taken = rolling * push / (0.4 * radius);
    spin * (1.0 - taken.min(speed) / speed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fall_bounces_with_the_restitution() {
        let (v, w) = bounce(
            DVec3::new(0.0, -4.0, 0.0),
            DVec3::ZERO,
            0.1,
            DVec3::Y,
            ROLLING,
        );
        assert!((v - DVec3::new(0.0, 1.2, 0.0)).length() < 1e-12);
        assert_eq!(w, DVec3::ZERO);
    }

    #[test]
    fn a_slow_fall_stays_down_and_a_parting_one_is_left_alone() {
        assert_eq!(
            bounce(DVec3::NEG_Y * 0.2, DVec3::ZERO, 0.1, DVec3::Y, ROLLING).0,
            DVec3::ZERO
        );
        let away = DVec3::new(3.0, 1.0, 0.0);
        assert_eq!(
            bounce(away, DVec3::Z, 0.1, DVec3::Y, ROLLING),
            (away, DVec3::Z)
        );
    }

    #[test]
    fn friction_never_exceeds_coulomb() {
        // j = 0.2 gives at most 0.1 of drag.
        let (v, _) = bounce(DVec3::new(10.0, -0.2, 0.0), DVec3::ZERO, 0.1, DVec3::Y, 0.0);
        assert!((v.x - 9.9).abs() < 1e-12);
    }

    #[test]
    fn sliding_turns_into_rolling_at_five_sevenths_of_the_speed() {
        let (radius, tick_fall) = (0.25, 9.81 / 60.0);
        let (mut v, mut w) = (DVec3::X * 7.0, DVec3::ZERO);
        let mut slid = 0;
        for tick in 0..600 {
            (v, w) = bounce(v - DVec3::Y * tick_fall, w, radius, DVec3::Y, 0.0);
            if (v + w.cross(DVec3::NEG_Y * radius)).length() > 1e-9 {
                slid = tick;
            }
        }
        assert!((v - DVec3::X * 5.0).length() < 1e-9, "{v}");
        assert!((w - DVec3::NEG_Z * 20.0).length() < 1e-8, "{w}");
        // Slipping ends after 2 v / (7 μ g) seconds.
        let expected = 2.0 * 7.0 / (7.0 * FRICTION * 9.81) * 60.0;
        assert!(
            (f64::from(slid) - expected).abs() <= 2.0,
            "{slid} against {expected}"
        );
    }

    #[test]
    fn a_crumb_rests_on_slopes_below_the_rolling_resistance_and_rolls_down_steeper_ones() {
        for (tangent, rests) in [(0.05, true), (0.19, true), (0.21, false), (0.4, false)] {
            let normal = DVec3::new(tangent, 1.0, 0.0).normalize();
            let (mut v, mut w) = (DVec3::ZERO, DVec3::ZERO);
            for _ in 0..120 {
                (v, w) = bounce(v - DVec3::Y * 9.81 / 60.0, w, 0.1, normal, ROLLING);
            }
            assert_eq!(v.length() < 1e-9, rests, "tangent {tangent}: {v}");
        }
    }

    #[test]
    fn rolling_resistance_stops_a_roll_and_never_reverses_it() {
        let (mut v, mut w) = (DVec3::X * 1.0, DVec3::NEG_Z * 10.0);
        for _ in 0..300 {
            (v, w) = bounce(v - DVec3::Y * 9.81 / 60.0, w, 0.1, DVec3::Y, ROLLING);
            assert!(v.x >= 0.0);
        }
        assert!(v.length() < 1e-9 && w.length() < 1e-8, "{v} {w}");
    }
}
