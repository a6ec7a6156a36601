//! The material of a face or a body, and those that carves expose there and fills add.
use crate::carve::blast::BlastShape;
use crate::collide::Layer;
use crate::debris::{Body, fracture};
use crate::level::{self, SavedOperation};
use crate::sim::movers::SolidHit;
use crate::sim::simulation::Sim;
use crate::sim::sweep_moving::MovingHit;
use crate::world::{CastHit, Material, MaterialId, World};
use glam::{DVec3, I64Vec3};
use std::sync::Arc;

/// The material of a face that was just hit.
pub(in crate::sim) fn material_of_face(world: &World, hit: &CastHit) -> MaterialId {
    let room = world.room(hit.room);
    let triangle = &room.mesh.triangles[hit.triangle as usize];
    room.faces[triangle.face as usize].material
}

/// The material of a body that was hit, at the point of the hit; None for the player and for projectiles.
pub(in crate::sim) fn material_of_body(sim: &Sim, hit: &MovingHit) -> Option<MaterialId> {
    let is_body = match hit.sphere.layer {
        Layer::Debris | Layer::Chunk => true,
        Layer::Player | Layer::Rocket | Layer::Probe => false,
    };
    let body = sim.bodies.get(hit.sphere.index).filter(|_| is_body)?;
    Some(material_at(body, hit.point))
}

/// The material of a mover's face that was hit.
pub(in crate::sim) fn material_of_mover(sim: &Sim, hit: &SolidHit) -> Option<MaterialId> {
    let solid = sim.movers.all()[hit.mover].solid.as_ref()?;
    let face = solid.mesh.triangles.get(hit.triangle as usize)?.face;
    Some(solid.faces.get(face as usize)?.material)
}

/// The material of a body at a point of its surface.
pub(super) fn material_at(body: &Body, at: DVec3) -> MaterialId {
    let face = body.chunk.as_ref().and_then(|chunk| {
        let home = chunk.home_from_world(body.pose(), at);
        fracture::material_near(chunk, home)
    });
    face.unwrap_or(body.material)
}

/// The material that carves and fills at a face derive theirs from.
pub(super) struct Substance {
    /// The material on the face itself.
    surface: Option<Material>,
    texture: String,
    pub hardness: f64,
}

impl Substance {
    /// The material that a carve exposes, the same as loading the saved level makes.
    pub fn exposed(&self) -> Material {
        Material {
            hardness: self.breakable(),
            ..level::material::inner(&self.texture)
        }
    }

    /// The material of a fill.
    pub fn filled(&self) -> Material {
        let surface = self.surface.clone();
        Material {
            hardness: self.breakable(),
            ..surface.unwrap_or_else(|| level::material::inner(&self.texture))
        }
    }

    /// Only the level's own brushes are unbreakable: carves and fills make nothing so.
    fn breakable(&self) -> f64 {
        if self.hardness.is_finite() {
            self.hardness
        } else {
            1.0
        }
    }

    pub fn saved_blast(
        &self,
        centre: I64Vec3,
        radius: f64,
        shape: BlastShape,
        seed: u64,
    ) -> SavedOperation {
        SavedOperation::Blast {
            centre,
            radius,
            shape: shape.name().into(),
            seed,
            material: self.texture.clone(),
            hardness: self.breakable(),
        }
    }
}

/// The substance of a material; that of rock without one.
pub(super) fn substance_of(world: &World, material: Option<MaterialId>) -> Substance {
    let material = material.and_then(|id| world.materials.get(id as usize));
    Substance {
        texture: material.map_or_else(|| "rock".into(), |m| m.texture.clone()),
        hardness: material.map_or(1.0, |m| m.hardness),
        surface: material.cloned(),
    }
}

/// The id of a material of the world, which is added on first use.
pub(super) fn material_id(sim: &mut Sim, wanted: Material) -> MaterialId {
    let materials = &mut sim.world.materials;
    let known = materials.iter().position(|material| *material == wanted);
    let id = known.unwrap_or_else(|| {
        let materials = Arc::make_mut(materials);
        materials.push(wanted);
        materials.len() - 1
    });
    // A save looks up materials in the level.
    let kept = sim.level.world.materials.len();
    if kept < materials.len() {
        let new = materials.iter().skip(kept).cloned();
        sim.level.world.materials.extend(new);
    }
    id as MaterialId
}
