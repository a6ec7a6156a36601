//! Crumbs at rest, and the ground below them: what is drawn lies on it, where the simulation has a sphere.
use super::snapshot::Rest;
use crate::bvh::QueryStats;
use crate::debris::{Body, BodyId};
use crate::world::{Revision, World};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// A slower crumb lies, metres a second; its surface counts.
const LIES_BELOW: f64 = 0.06;
/// A faster one tumbles; between the two it does some of both.
const TUMBLES_ABOVE: f64 = 0.5;
/// The ground is searched this far below, in radii.
const REACH: f64 = 1.8;
/// And a crumb is lowered no farther, in radii.
const LOWEST: f64 = 1.3;
/// Steeper ground is a wall beside the crumb: cosine of the slope.
const STEEPEST: f64 = 0.5;
/// How far the crumbs of a heap are tilted, which lie on others.
const TILT: f64 = 0.35;

/// The ground below the crumbs seen lately.
#[derive(Clone, Debug, Default)]
pub(super) struct Grounds {
    known: FxHashMap<BodyId, Known>,
}

/// The ground below a place at which a crumb has stayed since.
#[derive(Clone, Copy, Debug)]
struct Known {
    anchor: DVec3,
    revision: Revision,
    /// A point and the normal; `None` on other bodies.
    ground: Option<(DVec3, DVec3)>,
}

impl Grounds {
    /// Forgets bodies that are gone, now and then.
    pub fn trim(&mut self, bodies: usize) {
        if self.known.len() > 2 * bodies + 64 {
            self.known.clear();
        }
    }

    /// How a crumb lies; `None` while it flies. `revision` is that of the room that it is in.
    pub fn rest_of(
        &mut self,
        world: &World,
        body: &Body,
        revision: Revision,
        seed: u32,
    ) -> Option<Rest> {
        let speed = match body.asleep {
            true => 0.0,
            false => body.velocity.length() + body.spin.length() * body.radius,
        };
        let part = ((TUMBLES_ABOVE - speed) / (TUMBLES_ABOVE - LIES_BELOW)).min(1.0);
        if part.is_nan() || part <= 0.0 {
            return None;
        }
        // A body at rest jitters about its anchor.
        let known = self.known.get(&body.id());
        let known = known.filter(|k| k.anchor == body.anchor && k.revision == revision);
        let ground = match known {
            Some(known) => known.ground,
            None => {
                let ground = ground_below(world, body);
                let known = Known {
                    anchor: body.anchor,
                    revision,
                    ground,
                };
                self.known.insert(body.id(), known);
                ground
            }
        };
        let share = part * part * (3.0 - 2.0 * part);
        Some(match ground {
            Some((point, normal)) => Rest {
                share,
                normal,
                height: (body.position - point)
                    .dot(normal)
                    .min(LOWEST * body.radius),
                on_level: true,
            },
            None => Rest {
                share,
                normal: leaning(seed),
                height: body.radius,
                on_level: false,
            },
        })
    }
}

/// A point of the ground below a crumb, and its normal; `None` on other bodies.
fn ground_below(world: &World, body: &Body) -> Option<(DVec3, DVec3)> {
    let to = body.anchor - DVec3::Y * (REACH * body.radius);
    let hit = world.cast_ray(body.anchor, to, &mut QueryStats::default())?;
    (hit.normal.y > STEEPEST).then_some((hit.point, hit.normal))
}

/// A direction upwards, about: each crumb of a heap leans its own way.
fn leaning(seed: u32) -> DVec3 {
    let turn = f64::from(seed & 0xffff) / 65536.0 * std::f64::consts::TAU;
    let (sin, cos) = libm::sincos(turn);
    let lean = TILT * f64::from(seed >> 16) / 65536.0;
    DVec3::new(lean * cos, 1.0, lean * sin).normalize()
}
