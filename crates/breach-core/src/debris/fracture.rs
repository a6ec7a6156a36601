//! Fracture: carves brushes out of a chunk and makes chunks of its pieces.
//!
//! The chunk becomes a small world of its own, which is carved like any other. The largest piece keeps that world for the next
//! time; the others, and chunks that were never carved, are imported when they are hit.
use super::body::Body;
use super::chunk::Chunk;
use super::recipe::{Exact, Recipe};
use super::small_world::{self, SmallWorld};
use crate::world::{BrushDesc, MaterialId};
use glam::DVec3;
use std::sync::Arc;

pub use super::small_world::OPENED;

/// Material of the face nearest to a point in the home frame; the first of equally near ones.
pub fn material_near(chunk: &Chunk, p: DVec3) -> Option<MaterialId> {
    small_world::material_near(&chunk.mesh, &chunk.faces, p)
}

/// Rebuilds the shape of a chunk, to the bit. `None` if it was too small for one.
pub fn chunk_from_recipe(recipe: &Recipe) -> Option<Arc<Chunk>> {
    Body::from_exact(recipe.exact())?.chunk
}

/// The pieces that are left of a chunk when brushes are carved out of it; each moves as the chunk moved there. The brushes
/// are in the home frame, with the material [`OPENED`], which becomes `inner` on the pieces. The largest piece comes last.
/// `None` if the chunk stays whole: nothing was carved, or it cannot be.
pub fn pieces(
    body: &Body,
    chunk: &Chunk,
    brushes: Vec<BrushDesc>,
    inner: MaterialId,
) -> Option<Vec<Body>> {
    let known = chunk.exact.clone();
    let around = || SmallWorld::around(&chunk.mesh, &chunk.faces).map(Exact::new);
    let mut exact = known.or_else(around)?;
    let islands = exact.carve(brushes, inner)?;
    let turn = body.rotation * chunk.home.1.conjugate();
    let placed = |mut piece: Body| {
        let arm = turn * (piece.position - chunk.home.0);
        piece.teleport(body.position + arm);
        piece.rotation = (turn * piece.rotation).normalize();
        piece.previous_rotation = piece.rotation;
        piece.velocity = body.velocity + body.spin.cross(arm);
        piece.spin = body.spin;
        piece.operation = body.operation;
        piece
    };
    let islands = islands.iter().filter_map(Body::from_island);
    Some(islands.chain(Body::from_exact(exact)).map(placed).collect())
}
