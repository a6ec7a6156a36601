//! Rigid bodies: crumbs, which are one ball, and chunks, which are several.
use super::ball::Ball;
use super::chunk::{Chunk, bounds_of};
use super::hull::Hull;
use super::packing::pack;
use super::recipe::Exact;
use super::surface_cache::SurfaceCache;
use crate::collide::Layer;
use crate::geom::hash::Hash64;
use crate::geom::mass;
use crate::world::{FaceView, Island};
use glam::{DMat3, DQuat, DVec3};
use std::sync::Arc;

/// Density of stone, kilograms a cubic metre.
pub const DENSITY: f64 = 2500.0;

/// [`Body::material`] of an iron ball: no material of a level has this number.
pub const IRON: u32 = u32::MAX;

/// Smallest volume of a chunk, cubic metres; smaller pieces are crumbs.
pub const SMALLEST_VOLUME: f64 = 0.002;

/// A chunk of at least this part of its hull's volume touches other bodies with its hull.
const NEARLY_CONVEX: f64 = 0.85;

/// Names a body for as long as it is among the [`Debris`](super::Debris), while its index may change. Never given twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// Of a body that was not yet added.
    pub const UNSET: BodyId = BodyId(0);
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Centre of mass, metres.
    pub position: DVec3,
    /// Position one tick ago, for interpolation.
    pub previous: DVec3,
    /// World from body.
    pub rotation: DQuat,
    /// Rotation one tick ago.
    pub previous_rotation: DQuat,
    /// Linear velocity, metres a second.
    pub velocity: DVec3,
    /// Angular velocity in world axes, radians a second.
    pub spin: DVec3,
    /// Radius of the bounding sphere around `position`, metres; of a crumb its own radius.
    pub radius: f64,
    /// A sleeping body is not stepped.
    pub asleep: bool,
    /// Material of the level, or [`IRON`].
    pub material: u32,
    /// Kilograms a cubic metre, of crumbs; a chunk has its mass in its shape.
    pub density: f64,
    /// Number of the change of the world that made the body, 0 if none did. Undo removes the body with its change.
    pub operation: u64,
    /// Ticks that the body has stayed near `anchor`; see [`sleep`](super::sleep).
    pub still: u16,
    /// Ticks until the body is removed; 0 if it stays. See [`retire`](super::retire).
    pub fading: u16,
    /// Position from which `still` counts, metres.
    pub anchor: DVec3,
    /// Shape of a chunk; none for a crumb.
    pub chunk: Option<Arc<Chunk>>,
    pub(super) id: BodyId,
    /// Index among the bodies of the last step; [`NEW`] before the first step.
    pub(super) slot: u32,
    pub(super) surface: SurfaceCache,
}

/// [`Body::slot`] of a body that was never stepped.
pub(super) const NEW: u32 = u32::MAX;

impl Body {
    /// A crumb at rest, awake.
    pub fn new(position: DVec3, radius: f64, material: u32) -> Self {
        Self {
            position,
            previous: position,
            rotation: DQuat::IDENTITY,
            previous_rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            radius,
            asleep: false,
            material,
            density: DENSITY,
            operation: 0,
            still: 0,
            fading: 0,
            anchor: position,
            chunk: None,
            id: BodyId::UNSET,
            slot: NEW,
            surface: SurfaceCache::default(),
        }
    }

    /// An iron ball of `mass` kilograms, at rest, awake.
    pub fn iron(position: DVec3, radius: f64, mass: f64) -> Self {
        Self {
            density: mass / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)),
            ..Self::new(position, radius, IRON)
        }
    }

    /// A body of a given shape, at rest, awake.
    pub fn from_chunk(position: DVec3, rotation: DQuat, chunk: Arc<Chunk>, material: u32) -> Self {
        Self {
            rotation,
            previous_rotation: rotation,
            chunk: Some(chunk.clone()),
            ..Self::new(position, chunk.radius, material)
        }
    }

    /// The chunk that a piece cut out of the world becomes: of stone, in its place, at rest, awake. `None` if the piece is
    /// smaller than [`SMALLEST_VOLUME`] or too thin for a ball; [`crumble`](super::spawn::crumble) makes crumbs of it.
    pub fn from_island(island: &Island) -> Option<Body> {
        Body::from_piece(island, None)
    }

    /// As [`Body::from_island`], for an exact shape, which it keeps.
    pub(super) fn from_exact(exact: Exact) -> Option<Body> {
        Body::from_piece(&exact.world.shape()?, Some(exact))
    }

    fn from_piece(island: &Island, exact: Option<Exact>) -> Option<Body> {
        let (axes, moments) = mass::principal_axes(&island.inertia);
        let is_sound = island.volume_m3 >= SMALLEST_VOLUME
            && island.volume_m3.is_finite()
            && island.centre.is_finite()
            && moments.min_element() > 0.0
            && moments.is_finite();
        if !is_sound {
            return None;
        }
        let back = axes.conjugate();
        let triangles: Vec<[DVec3; 3]> = island
            .mesh
            .triangles
            .iter()
            .map(|t| {
                let corner = |i: u32| back * (island.mesh.positions[i as usize] - island.centre);
                t.corners.map(corner)
            })
            .collect();
        let (balls, mut uncovered) = pack(&triangles);
        let mut radius = balls
            .iter()
            .map(|ball| ball.centre.length() + ball.radius)
            .reduce(f64::max)?;
        let mut bounds = bounds_of(&balls);
        let points = island.mesh.positions.iter();
        let points: Vec<DVec3> = points.map(|&p| back * (p - island.centre)).collect();
        let hull = Hull::around(&points);
        let hull = hull.filter(|hull| island.volume_m3 >= NEARLY_CONVEX * hull.volume());
        for &corner in hull.iter().flat_map(|hull| &hull.corners) {
            let outside = |ball: &Ball| ball.centre.distance(corner) - ball.radius;
            let nearest = balls.iter().map(outside).fold(f64::INFINITY, f64::min);
            uncovered = uncovered.max(nearest);
            radius = radius.max(corner.length());
            bounds = bounds.with_point(corner);
        }
        let face = |&material| FaceView {
            material,
            normal: DVec3::Y,
            key: 0,
        };
        let chunk = Chunk {
            balls,
            hull,
            mass: island.volume_m3 * DENSITY,
            moments: moments * DENSITY,
            radius,
            bounds,
            volume_m3: island.volume_m3,
            uncovered,
            mesh: Arc::new(island.mesh.clone()),
            faces: Arc::new(island.materials.iter().map(face).collect()),
            home: (island.centre, axes),
            exact,
        };
        let material = *island.materials.first().expect("it has faces");
        Some(Body::from_chunk(
            island.centre,
            axes,
            Arc::new(chunk),
            material,
        ))
    }

    /// Its name among the debris; [`BodyId::UNSET`] before it was added. A clone has the id of the original.
    pub fn id(&self) -> BodyId {
        self.id
    }

    /// Position and rotation.
    pub fn pose(&self) -> (DVec3, DQuat) {
        (self.position, self.rotation)
    }

    /// Kilograms.
    pub fn mass(&self) -> f64 {
        match &self.chunk {
            Some(chunk) => chunk.mass,
            // The order of the factors decides the last bit.
            None => self.density * 4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3),
        }
    }

    /// Principal moments of inertia, kg m².
    pub fn moments(&self) -> DVec3 {
        match &self.chunk {
            Some(chunk) => chunk.moments,
            None => DVec3::splat(0.4 * self.mass() * self.radius * self.radius),
        }
    }

    /// Inertia tensor in world axes, kg m².
    pub fn inertia(&self) -> DMat3 {
        world_tensor(self.rotation, self.moments())
    }

    pub(super) fn layer(&self) -> Layer {
        match self.chunk {
            Some(_) => Layer::Chunk,
            None => Layer::Debris,
        }
    }

    /// Number of balls.
    pub fn ball_count(&self) -> usize {
        self.chunk.as_ref().map_or(1, |chunk| chunk.balls.len())
    }

    /// Its balls in the world, in a fixed order.
    pub fn balls(&self) -> impl Iterator<Item = Ball> + '_ {
        let own = Ball {
            centre: self.position,
            radius: self.radius,
        };
        let (crumb, balls) = match &self.chunk {
            Some(chunk) => (None, chunk.balls.as_slice()),
            None => (Some(own), [].as_slice()),
        };
        let balls = balls.iter().map(|ball| Ball {
            centre: self.position + self.rotation * ball.centre,
            radius: ball.radius,
        });
        crumb.into_iter().chain(balls)
    }

    /// Memory in use, bytes; of the shape, which clones share, too.
    pub fn bytes(&self) -> usize {
        size_of::<Body>() + self.chunk.as_ref().map_or(0, |chunk| chunk.bytes())
    }

    /// The hull of a chunk that is nearly convex, in the chunk's frame.
    pub fn hull(&self) -> Option<&Hull> {
        self.chunk.as_ref()?.hull.as_ref()
    }

    /// How far its hull may reach beyond its balls, metres; 0 without a hull.
    pub(super) fn hull_beyond_balls(&self) -> f64 {
        let chunk = self.chunk.as_ref().filter(|chunk| chunk.hull.is_some());
        chunk.map_or(0.0, |chunk| chunk.uncovered)
    }

    /// Everything but the shape.
    pub(super) fn hash_motion(&self, hash: &mut Hash64) {
        [self.position, self.velocity, self.spin, self.anchor]
            .iter()
            .for_each(|&v| hash.vec3(v));
        self.rotation.to_array().iter().for_each(|&x| hash.f64(x));
        hash.f64(self.radius);
        hash.u64(self.operation);
        hash.u64(
            u64::from(self.asleep) << 63 | u64::from(self.still) << 32 | u64::from(self.material),
        );
        if self.fading > 0 {
            hash.u64(u64::from(self.fading));
        }
        if self.density != DENSITY {
            hash.f64(self.density);
        }
    }

    /// Whether position, velocities and rotation are valid numbers.
    pub(super) fn is_sound(&self) -> bool {
        let vectors = [self.position, self.velocity, self.spin];
        vectors.iter().all(|v| v.is_finite()) && self.rotation.is_normalized()
    }

    /// Wakes the body if it sleeps.
    pub fn wake(&mut self) {
        self.asleep = false;
        self.still = 0;
    }

    /// Moves the body to another position without a trace of the old one: nothing interpolates between the two.
    pub fn teleport(&mut self, position: DVec3) {
        (self.position, self.previous, self.anchor) = (position, position, position);
    }
}

/// R D Rᵀ: a tensor that is diagonal in the body's axes, in world axes.
pub(super) fn world_tensor(rotation: DQuat, diagonal: DVec3) -> DMat3 {
    let axes = DMat3::from_quat(rotation);
    axes * DMat3::from_diagonal(diagonal) * axes.transpose()
}

#[cfg(test)]
mod tests {
    use super::super::packing::MOST_BALLS;
    use super::super::tests::block;
    use super::*;

    #[test]
    fn a_box_is_filled_with_balls_that_stay_inside_and_reach_its_surface() {
        for half in [
            DVec3::splat(0.5),
            DVec3::new(1.0, 0.3, 0.4),
            DVec3::new(0.15, 0.15, 2.0),
            DVec3::new(1.5, 0.1, 1.5),
        ] {
            let body =
                Body::from_island(&block(DVec3::new(3.0, 1.0, -2.0), half)).expect("a chunk");
            let chunk = body.chunk.as_ref().expect("a shape");
            assert!(chunk.balls.len() > 3 && chunk.balls.len() <= MOST_BALLS);
            for ball in body.balls() {
                let off = (ball.centre - body.position).abs() + ball.radius;
                assert!(off.cmple(half + 1e-6).all(), "{off} in {half}");
            }
            let size = half.max_element() * 2.0;
            assert!(
                chunk.uncovered < 0.12 * size,
                "{} of {size}",
                chunk.uncovered
            );
            assert!(
                (chunk.mass - half.element_product() * 8.0 * DENSITY).abs() < 1e-6 * chunk.mass
            );
        }
    }

    #[test]
    fn slivers_and_dust_are_no_chunks() {
        for half in [
            DVec3::splat(0.02),
            DVec3::new(3.0, 1e-5, 3.0),
            DVec3::new(0.0, 1.0, 1.0),
        ] {
            assert!(Body::from_island(&block(DVec3::ZERO, half)).is_none());
        }
    }
}
