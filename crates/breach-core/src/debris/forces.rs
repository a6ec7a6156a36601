//! What a step is told: tick, gravity, contact law, collision layers.
use crate::collide::Layers;

/// The contact law: restitution (Newton), friction (Coulomb) and rolling resistance, the same for all bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Part of the approach speed that a bounce keeps, 0..=1.
    pub restitution: f64,
    /// Coulomb's friction coefficient μ, at least 0.
    pub friction: f64,
    /// Rolling resistance, at least 0: the lever arm of the normal impulse that resists rolling, in radii.
    pub rolling: f64,
}

impl Default for Law {
    /// Stone on stone: restitution 0.3, friction 0.5, rolling resistance 0.2 (crumbs are rough).
    fn default() -> Self {
        Self {
            restitution: 0.3,
            friction: 0.5,
            rolling: 0.2,
        }
    }
}

/// What acts on the bodies during a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// Length of the tick, seconds, above 0. Use the same for every step: contacts start from the last tick's impulses.
    pub secs: f64,
    /// Downward (−y) acceleration, metres a second squared.
    pub gravity: f64,
    /// Gap kept before walls, metres, at least 0; a ball keeps at most a tenth of its radius.
    pub buffer: f64,
    /// How bodies answer contacts.
    pub law: Law,
    /// Which of crumbs (`Layer::Debris`) and chunks collide with each other; both always collide with walls.
    pub layers: Layers,
    /// Allow sleeping. Benchmarks against engines without sleep disable it.
    pub allow_sleeping: bool,
}

impl Default for Forces {
    /// 60 ticks a second, 9.81 m/s², a gap of 0.02 m, [`Law::default`], all layers of debris collide, sleeping allowed.
    fn default() -> Self {
        Self {
            secs: 1.0 / 60.0,
            gravity: 9.81,
            buffer: 0.02,
            law: Law::default(),
            layers: Layers::default(),
            allow_sleeping: true,
        }
    }
}

impl Forces {
    pub(super) fn check(&self) {
        let Law {
            restitution,
            friction,
            rolling,
        } = self.law;
        assert!(self.secs.is_finite() && self.secs > 0.0);
        assert!(self.gravity.is_finite() && self.buffer >= 0.0);
        assert!((0.0..=1.0).contains(&restitution) && friction >= 0.0 && rolling >= 0.0);
    }
}
