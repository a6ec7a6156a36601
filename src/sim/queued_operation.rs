//! Entries of the queue of changes: carves and fills that wait for their turn, or are under way.
use super::bore::Bore;
use super::player::{self, Player};
use super::report::CarvedBy;
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::level::SavedOperation;
use crate::world::{BrushDesc, GRID, MaterialId, Op, Operation, WorldError};
use glam::{DVec3, I64Vec3};

/// A change of the world that waits for its turn, or is under way.
#[derive(Clone, Debug)]
pub(super) struct QueuedOperation {
    /// The operation, or why it is refused.
    pub operation: Result<Operation, WorldError>,
    /// The same as a save writes it.
    pub saved: SavedOperation,
    pub cause: Cause,
    /// Centre of the change, metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
    /// Distance from the centre within which bodies wake, metres.
    pub reach: f64,
    /// A point of the air in front of the wall, and the wall's normal: crumbs fly from here.
    pub mouth: DVec3,
    pub normal: DVec3,
    /// Material that walls show in the hole, and of their crumbs.
    pub material: MaterialId,
}

/// The cause of a change.
#[derive(Clone, Debug)]
pub(super) enum Cause {
    /// An explosion.
    Blast,
    /// A drill.
    Drill(Bore),
    /// The Carve or the Fill tool.
    Tool,
    /// A bond that was too weak for its load.
    Failure,
}

impl QueuedOperation {
    pub(super) fn by(&self) -> CarvedBy {
        match (&self.cause, &self.saved) {
            (Cause::Blast, _) => CarvedBy::Blast,
            (Cause::Drill(_), _) => CarvedBy::Drill,
            (Cause::Failure, _) => CarvedBy::Failure,
            (Cause::Tool, SavedOperation::Brushes(operation)) if operation.op == Op::Fill => {
                CarvedBy::Fill
            }
            (Cause::Tool, _) => CarvedBy::Carve,
        }
    }

    pub(super) fn explodes(&self) -> bool {
        matches!(self.cause, Cause::Blast)
    }

    pub(super) fn bore(&self) -> Option<&Bore> {
        match &self.cause {
            Cause::Drill(bore) => Some(bore),
            Cause::Blast | Cause::Tool | Cause::Failure => None,
        }
    }

    pub(super) fn fills(&self) -> bool {
        self.operation.as_ref().is_ok_and(|o| o.op == Op::Fill)
    }

    /// Whether it follows from an earlier change: undone and redone with it.
    pub(super) fn is_consequence(&self) -> bool {
        matches!(self.cause, Cause::Failure)
    }

    /// Whether it fills where the player stands now.
    pub(super) fn buries(&self, player: &Player) -> bool {
        let fill = self.operation.as_ref().ok().filter(|o| o.op == Op::Fill);
        fill.is_some_and(|o| o.brushes.iter().any(|b| overlaps_player(b, player)))
    }

    /// The box in which bodies feel it.
    pub(super) fn bounds(&self) -> Aabb {
        match self.bore() {
            Some(bore) => {
                let grown = |p: DVec3| Aabb::from_centre(p, DVec3::splat(bore.radius + 0.05));
                grown(bore.from).union(&grown(bore.to()))
            }
            None => Aabb::from_centre(self.centre, DVec3::splat(self.reach)),
        }
    }

    /// Hashes all that the next ticks depend on.
    pub(super) fn hash(&self, hash: &mut Hash64) {
        for v in [self.centre, self.mouth, self.normal] {
            hash.vec3(v);
        }
        hash.f64(self.radius);
        hash.f64(self.reach);
        hash.u64(u64::from(self.explodes()) << 32 | u64::from(self.material));
        if let Some(bore) = self.bore() {
            hash.vec3(bore.from);
            hash.vec3(bore.to());
        }
        let sides = self.operation.iter().flat_map(|o| &o.brushes);
        for point in sides.flat_map(|b| &b.sides).flat_map(|s| s.points) {
            hash.vec3(point.as_dvec3());
        }
    }
}

/// Whether a brush reaches into the player's body: conservative near the brush's edges, where it may say yes for a near
/// miss.
pub(super) fn overlaps_player(brush: &BrushDesc, player: &Player) -> bool {
    if player.no_clip {
        return false;
    }
    let (stack, origin) = player::body(player);
    stack.heights.iter().any(|&height| {
        let centre = origin + DVec3::Y * height;
        brush.sides.iter().all(|side| {
            let [a, b, c] = side.points.map(|p: I64Vec3| p.as_dvec3() / GRID);
            let outwards = (b - a).cross(c - a).normalize_or_zero();
            (centre - a).dot(outwards) < stack.radius
        })
    })
}
