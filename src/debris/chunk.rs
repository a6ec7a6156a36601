//! The shape of a body of several spheres: where they lie, how it turns, what is drawn.
use super::Ball;
use crate::bvh::Mesh;
use crate::world::FaceView;
use glam::DVec3;
use std::sync::Arc;

/// A shape, about its centre of mass, its axes those of its moments of inertia.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// What it collides with.
    pub balls: Vec<Ball>,
    /// Kilograms.
    pub mass: f64,
    /// Moments of inertia about its axes, kg m².
    pub moments: DVec3,
    /// No ball reaches farther than this from the centre, metres.
    pub radius: f64,
    /// Cubic metres.
    pub volume_m3: f64,
    /// How far its surface reaches out of the union of its balls at most, metres.
    pub uncovered: f64,
    /// Its real faces.
    pub mesh: Arc<Mesh>,
    /// What `mesh.triangles[..].face` counts.
    pub faces: Arc<Vec<FaceView>>,
}
