//! What an entity's brushes are to it: solids, volumes, the box that marks its origin.
use super::Convex;
use crate::carve::BrushDesc;
use crate::geom::Aabb;
use crate::level::brush::{Fault, planes_in_metres};
use crate::level::material::last_part;
use crate::level::parsed::ParsedBrush;
use crate::world::GRID;
use glam::{DVec3, I64Vec3};

/// The brushes of an entity.
pub(in crate::level) struct Shape {
    /// Those of a mover.
    pub brushes: Vec<BrushDesc>,
    /// Those of a trigger.
    pub volumes: Vec<Convex>,
    /// Box of both, metres; empty without any.
    pub bounds: Aabb,
    /// Centre of the first origin brush of a mover that has a pivot, metres.
    pub origin: Option<DVec3>,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            brushes: Vec::new(),
            volumes: Vec::new(),
            bounds: Aabb::EMPTY,
            origin: None,
        }
    }
}

impl Shape {
    /// Takes an origin brush, unless there is one or it is degenerate.
    pub fn add_origin(&mut self, brush: &ParsedBrush) -> bool {
        let is_taken = self.origin.is_none();
        if is_taken {
            self.origin = planes_in_metres(brush).ok().map(|(_, b)| b.centre());
        }
        is_taken && self.origin.is_some()
    }

    /// Takes a solid, with its box in grid steps.
    pub fn add_solid(&mut self, brush: BrushDesc, [low, high]: [I64Vec3; 2]) {
        self.brushes.push(brush);
        let [min, max] = [low, high].map(|p| p.as_dvec3() / GRID);
        self.bounds = self.bounds.union(&Aabb { min, max });
    }

    /// Takes a volume.
    pub fn add_volume(&mut self, brush: &ParsedBrush) -> Result<(), Fault> {
        let (planes, bounds) = planes_in_metres(brush)?;
        self.bounds = self.bounds.union(&bounds);
        self.volumes.push(Convex { planes, bounds });
        Ok(())
    }
}

/// Whether a brush only marks the origin of its entity: by the texture of all its faces, or Quake 2's contents.
pub(in crate::level) fn is_origin(brush: &ParsedBrush, textures: &[String]) -> bool {
    const ORIGIN: u32 = 1 << 24;
    let mut faces = brush.faces.iter();
    !brush.faces.is_empty()
        && faces.all(|face| {
            let name = textures[face.texture as usize].as_str();
            last_part(name).eq_ignore_ascii_case("origin") || face.flags.contents & ORIGIN != 0
        })
}
