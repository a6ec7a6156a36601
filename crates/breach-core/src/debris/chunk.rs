//! The shape of a chunk: its balls, mass and inertia, and the real faces that it is drawn and broken with.
use super::ball::Ball;
use super::hull::Hull;
use super::recipe::{Exact, Recipe};
use crate::bvh::Mesh;
use crate::geom::Aabb;
use crate::world::FaceView;
use glam::{DQuat, DVec3};
use std::sync::Arc;

pub use super::ball::bounds_of;

/// A compound of balls. Its frame has the centre of mass as origin and the principal axes of inertia as axes.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The collision shape.
    pub balls: Vec<Ball>,
    /// What it touches bodies with, if it is nearly convex.
    pub hull: Option<Hull>,
    /// Kilograms.
    pub mass: f64,
    /// Principal moments of inertia, kg m².
    pub moments: DVec3,
    /// Radius of the bounding sphere of `balls` and `hull` around the centre of mass, metres.
    pub radius: f64,
    /// Bounding box of `balls` and `hull` in the chunk's frame, metres.
    pub bounds: Aabb,
    /// Volume of the real faces, cubic metres.
    pub volume_m3: f64,
    /// Greatest distance of a sampled surface point, or of a corner of `hull`, outside the union of `balls`, metres.
    pub uncovered: f64,
    /// The real faces, metres, in the home frame: world coordinates at the time the chunk broke off.
    pub mesh: Arc<Mesh>,
    /// Indexed by `mesh.triangles[..].face`.
    pub faces: Arc<Vec<FaceView>>,
    /// Position and rotation of the body in the home frame.
    pub home: (DVec3, DQuat),
    /// The shape as it was carved out of a larger one, in the home frame: the next carve goes on from there. None of a chunk
    /// that is as it broke off.
    pub exact: Option<Exact>,
}

impl Chunk {
    /// Memory in use, bytes, without that of the hull.
    pub fn bytes(&self) -> usize {
        let exact = self.exact.as_ref().map_or(0, |exact| exact.world.bytes());
        let lists = size_of_val(&*self.balls) + size_of_val(&**self.faces);
        size_of::<Chunk>() + lists + self.mesh.bytes() + exact
    }

    /// How to rebuild it; None of a chunk that is as it broke off.
    pub fn recipe(&self) -> Option<Recipe> {
        Some(self.exact.as_ref()?.recipe.clone())
    }

    /// A point of the world in the home frame, for a body of this shape at a pose.
    pub fn home_from_world(&self, (position, rotation): (DVec3, DQuat), p: DVec3) -> DVec3 {
        self.home.0 + self.home.1 * (rotation.conjugate() * (p - position))
    }

    /// The home frame in the world, for a body of this shape at a pose: its origin and its rotation.
    pub fn world_from_home(&self, (position, rotation): (DVec3, DQuat)) -> (DVec3, DQuat) {
        let turn = rotation * self.home.1.conjugate();
        (position - turn * self.home.0, turn)
    }
}
