//! Solids that move as they are told, whatever is in their way: doors, lifts, bars that turn.
//!
//! A [`Solid`] is a shape in a home frame of its own, where it never changes, so its tree is built once. A [`Kinematic`] is
//! a solid on its way through one tick, between two [`Frame`]s. Queries go to the home frame with the relative motion of
//! what asks: there the solid is at rest, and a straight path stands for one that is bent by at most r θ²/8 + s θ/4, for a
//! turn by θ in the tick, r metres from the axis, and a way of s metres. That is below the gap that bodies keep.
//!
//! The end of a path in the home frame is exact. So what starts a tick outside, and is stopped by every surface that it is
//! said to hit, is outside when the tick ends.
#[cfg(test)]
mod tests;

use super::recipe::{Exact, Recipe};
use super::small_world::{self, SmallWorld};
use crate::bvh::{BuildParams, Bvh, Mesh, MeshHit, QueryStats, Touch, Triangle};
use crate::geom::Aabb;
use crate::geom::tolerance::CULL_SLACK;
use crate::world::{BrushDesc, FaceView, Island, MaterialId};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Of a box tree, for each triangle.
const TREE_BYTES: usize = 200;

/// Where a solid's home frame lies in the world: `p_world = origin + turn * p_home`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The home frame's origin in the world, metres.
    pub origin: DVec3,
    /// World from home; unit.
    pub turn: DQuat,
}

impl Frame {
    /// The home frame is the world's.
    pub const HOME: Frame = Frame {
        origin: DVec3::ZERO,
        turn: DQuat::IDENTITY,
    };

    /// A point of the home frame in the world.
    #[inline]
    pub fn to_world(&self, p: DVec3) -> DVec3 {
        self.origin + self.turn * p
    }

    /// A point of the world in the home frame.
    #[inline]
    pub fn to_home(&self, p: DVec3) -> DVec3 {
        self.turn.conjugate() * (p - self.origin)
    }

    /// With a turn that is unit but for rounding. `None` if it is far from that, or if a number is not finite.
    fn sound(mut self) -> Option<Frame> {
        if !(self.origin.is_finite() && self.turn.is_finite() && self.turn.is_normalized()) {
            return None;
        }
        if (self.turn.length_squared() - 1.0).abs() > 1e-12 {
            self.turn = self.turn.normalize();
        }
        Some(self)
    }
}

/// The shape of a solid that moves as it is told, in its home frame: faces, and a tree over them.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The faces as triangles, counter-clockwise from outside, metres.
    pub mesh: Arc<Mesh>,
    /// Indexed by `mesh.triangles[..].face`.
    pub faces: Arc<Vec<FaceView>>,
    /// Cubic metres.
    pub volume_m3: f64,
    /// Its box.
    pub bounds: Aabb,
    tree: Bvh,
    /// The same shape, exact, so that repeated carving does not round. None for a piece that was cut free.
    exact: Option<Exact>,
}

/// What a carve leaves of a [`Solid`], in its home frame, with its materials.
#[derive(Clone, Debug)]
pub struct Remains {
    /// What stays in place: of each connected part the largest piece. None if nothing is left.
    pub rest: Option<Solid>,
    /// The pieces that were cut free.
    pub pieces: Vec<Island>,
}

impl Solid {
    /// The union of brushes; their material ids are kept. Brushes without a volume add nothing. `None` if all are such, or
    /// one lies beyond the grid.
    pub fn from_brushes(brushes: &[BrushDesc]) -> Option<Solid> {
        Solid::from_exact(Exact::new(SmallWorld::filled(brushes)?))
    }

    /// Rebuilds a solid, to the bit. `None` if nothing was left of it.
    pub fn from_recipe(recipe: &Recipe) -> Option<Solid> {
        Solid::from_exact(recipe.exact())
    }

    fn from_exact(exact: Exact) -> Option<Solid> {
        let piece = Solid::from_piece(exact.world.shape()?)?;
        Some(Solid {
            exact: Some(exact),
            ..piece
        })
    }

    /// How to rebuild it; None of a solid that is not exact and cannot be carved.
    pub fn recipe(&self) -> Option<Recipe> {
        let known = self.exact.as_ref().map(|exact| exact.recipe.clone());
        let around = || SmallWorld::around(&self.mesh, &self.faces);
        known.or_else(|| Some(Exact::new(around()?).recipe))
    }

    /// The solid without its faces: what a state keeps of it that is filled with [`Solid::from_recipe`] before it goes on.
    pub fn hollow(&self) -> Solid {
        Solid {
            mesh: Arc::default(),
            faces: Arc::default(),
            tree: Bvh::default(),
            exact: None,
            ..*self
        }
    }

    /// Memory in use, bytes; its box tree is estimated.
    pub fn bytes(&self) -> usize {
        let exact = self.exact.as_ref().map_or(0, |exact| exact.world.bytes());
        let tree = self.mesh.triangles.len() * TREE_BYTES;
        exact + self.mesh.bytes() + size_of_val(&**self.faces) + tree
    }

    /// Carves brushes out of it; they are in the home frame, and every side has the material
    /// [`OPENED`](super::fracture::OPENED), which becomes `inner`. `None` if nothing was carved, or it cannot be, as with
    /// [`fracture::pieces`](super::fracture::pieces).
    pub fn carve(&self, brushes: Vec<BrushDesc>, inner: MaterialId) -> Option<Remains> {
        let known = self.exact.clone();
        let around = || SmallWorld::around(&self.mesh, &self.faces).map(Exact::new);
        let mut exact = known.or_else(around)?;
        let pieces = exact.carve(brushes, inner)?;
        let rest = Solid::from_exact(exact);
        Some(Remains { rest, pieces })
    }

    /// The solid as a piece that was cut free. `None` for an empty mesh.
    pub fn island(&self) -> Option<Island> {
        let materials = self.faces.iter().map(|face| face.material);
        Island::from_mesh(Mesh::clone(&self.mesh), materials.collect())
    }

    /// A piece that was cut free, in the frame in which it lies. `None` if it has no volume.
    pub fn from_island(island: &Island) -> Option<Solid> {
        Solid::from_piece(island.clone())
    }

    fn from_piece(island: Island) -> Option<Solid> {
        let is_sound = island.volume_m3.is_finite()
            && island.volume_m3 > 0.0
            && island.mesh.positions.iter().all(|p| p.is_finite());
        if !is_sound {
            return None;
        }
        let bounds = Aabb::from_points(island.mesh.positions.iter().copied())?;
        let view = |&material| FaceView {
            material,
            normal: DVec3::ZERO,
            key: 0,
        };
        let mut faces: Vec<FaceView> = island.materials.iter().map(view).collect();
        let live = |t: &&Triangle| t.is_live();
        for t in island.mesh.triangles.iter().filter(live) {
            let [a, b, c] = t.corners.map(|i| island.mesh.positions[i as usize]);
            // The face's normal is that of its first triangle with an area.
            if let Some(face) = faces.get_mut(t.face as usize)
                && face.normal == DVec3::ZERO
            {
                face.normal = (b - a).cross(c - a).normalize_or_zero();
            }
        }
        Some(Solid {
            tree: Bvh::build(&island.mesh, &BuildParams::default()),
            mesh: Arc::new(island.mesh),
            faces: Arc::new(faces),
            volume_m3: island.volume_m3,
            bounds,
            exact: None,
        })
    }

    /// Material of the face nearest to a point in the home frame; the first of equally near ones.
    pub fn material_near(&self, p: DVec3) -> Option<MaterialId> {
        let farthest = self.bounds.diagonal() + p.distance(self.bounds.centre());
        let nearest =
            small_world::nearest_triangle((&self.mesh, &self.tree), p, farthest, |_| true)?;
        let face = self.mesh.triangles[nearest as usize].face;
        self.faces.get(face as usize).map(|face| face.material)
    }

    /// Faces within reach of a point, as [`Bvh::each_touch`].
    pub(super) fn each_touch(
        &self,
        centre: DVec3,
        reach: f64,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(Touch),
    ) {
        self.tree.each_touch(centre, reach, stats, visit);
    }

    /// First contact of a moving sphere, as [`Bvh::sweep_sphere`].
    pub(super) fn sweep_sphere(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        self.tree.sweep_sphere(&self.mesh, from, to, radius, stats)
    }

    /// Whether a point is inside: a ray from there meets a back before any front. A majority of three rays decides, since
    /// one may graze an edge.
    fn contains(&self, p: DVec3) -> bool {
        const DIRECTIONS: [DVec3; 3] = [
            DVec3::new(0.1037, -0.9761, 0.1907),
            DVec3::new(0.9213, 0.2579, -0.2911),
            DVec3::new(-0.3319, 0.1873, 0.9245),
        ];
        if !self.bounds.contains(p) {
            return false;
        }
        let far = self.bounds.diagonal() * 2.0 + 1.0;
        let mut stats = QueryStats::default();
        let mut sees_back = |direction: DVec3| {
            let to = p + direction * far;
            let [front, back] = self.tree.first_sides(p, to, 1.0, &mut stats);
            back < front
        };
        let [one, two] = [sees_back(DIRECTIONS[0]), sees_back(DIRECTIONS[1])];
        if one == two {
            one
        } else {
            sees_back(DIRECTIONS[2])
        }
    }
}

/// A solid on its way through one tick.
#[derive(Clone, Debug)]
pub struct Kinematic {
    /// Its shape.
    pub solid: Arc<Solid>,
    /// Where it is when the tick begins.
    pub before: Frame,
    /// Where it is when the tick ends.
    pub after: Frame,
    bounds: Aabb,
    /// No point of it moves farther than this in the tick, metres.
    travel: f64,
}

/// Where a moving sphere met a moving solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KinematicHit {
    /// Fraction of the sphere's displacement, 0..=1.
    pub fraction: f64,
    /// Point of contact in the world, at that time.
    pub point: DVec3,
    /// From the surface to the sphere's centre, at that time; unit.
    pub normal: DVec3,
    /// Index into the triangles of [`Solid::mesh`].
    pub triangle: u32,
}

impl Kinematic {
    /// A solid that moves from `before` to `after`. If a frame has numbers that are not finite, or a turn that is not unit,
    /// nothing meets the solid.
    pub fn new(solid: Arc<Solid>, before: Frame, after: Frame) -> Kinematic {
        let Some((before, after)) = before.sound().zip(after.sound()) else {
            return Kinematic {
                solid,
                before,
                after,
                bounds: Aabb::EMPTY,
                travel: 0.0,
            };
        };
        let (bounds, travel) = swept_bounds(&solid.bounds, &before, &after);
        Kinematic {
            bounds,
            travel,
            solid,
            before,
            after,
        }
    }

    /// The box that holds it during the whole tick, in the world; empty if nothing can meet the solid.
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Whether it moves in this tick.
    pub fn is_moving(&self) -> bool {
        self.before != self.after
    }

    /// Where it is at a time of the tick, 0..=1. The centre of its box moves on a straight line, and it turns about that at
    /// a rate that is all but constant. So the axis of a hinge stays within the bend of a path.
    pub fn frame_at(&self, time: f64) -> Frame {
        // The two ends to the bit, since the next tick goes on from here.
        if time <= 0.0 {
            return self.before;
        }
        if 1.0 <= time {
            return self.after;
        }
        let (before, after) = (&self.before, &self.after);
        if before.turn == after.turn {
            return Frame {
                origin: before.origin.lerp(after.origin, time),
                turn: before.turn,
            };
        }
        let home = self.solid.bounds.centre();
        let centre = before.to_world(home).lerp(after.to_world(home), time);
        let near = if before.turn.dot(after.turn) < 0.0 {
            -after.turn
        } else {
            after.turn
        };
        let mixed = before.turn * (1.0 - time) + near * time;
        let turn = if mixed.length_squared() > 0.0 && mixed.is_finite() {
            mixed.normalize()
        } else {
            before.turn
        };
        Frame {
            origin: centre - turn * home,
            turn,
        }
    }

    /// First contact of a sphere that is at `from` at the time `start` of the tick, 0..=1, and at `to` when the tick ends,
    /// while both move. A radius of 0 is a ray. Starts in contact, and so on: as [`Bvh::sweep_sphere`], for the relative
    /// motion.
    pub fn sweep_sphere(
        &self,
        start: f64,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<KinematicHit> {
        if self.bounds.is_empty() {
            return None;
        }
        let from = self.frame_at(start).to_home(from);
        let to = self.after.to_home(to);
        let hit = self.solid.sweep_sphere(from, to, radius, stats)?;
        let frame = self.frame_at(start + (1.0 - start) * hit.fraction);
        Some(KinematicHit {
            fraction: hit.fraction,
            point: frame.to_world(hit.point),
            normal: frame.turn * hit.normal,
            triangle: hit.triangle,
        })
    }

    /// Visits the surface within `reach` metres of a point at a time of the tick, in the world; see [`Bvh::each_touch`].
    pub fn each_touch(
        &self,
        time: f64,
        centre: DVec3,
        reach: f64,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(Touch),
    ) {
        if self.bounds.is_empty() || !centre.is_finite() || !reach.is_finite() {
            return;
        }
        let frame = self.frame_at(time);
        let mut in_world = |touch: Touch| {
            visit(Touch {
                point: frame.to_world(touch.point),
                normal: frame.turn * touch.normal,
                ..touch
            });
        };
        let centre = frame.to_home(centre);
        self.solid.each_touch(centre, reach, stats, &mut in_world);
    }

    /// Whether a point is inside at a time of the tick, 0..=1.
    pub fn contains(&self, time: f64, p: DVec3) -> bool {
        self.bounds.contains(p) && self.solid.contains(self.frame_at(time).to_home(p))
    }

    /// Displacement during the whole tick of the solid's point that is at `p` when the tick begins, metres.
    pub fn displacement(&self, p: DVec3) -> DVec3 {
        self.after.to_world(self.before.to_home(p)) - p
    }

    /// No point of it moves farther than this in the tick, metres.
    pub(super) fn travel(&self) -> f64 {
        self.travel
    }

    /// Displacement of the centre of its box in the tick, metres, and its rotation vector, radians.
    pub(super) fn motion(&self) -> (DVec3, DVec3) {
        if self.bounds.is_empty() {
            return (DVec3::ZERO, DVec3::ZERO);
        }
        let centre = self.before.to_world(self.solid.bounds.centre());
        let turn = if self.is_turning() {
            rotation_vector(self.after.turn * self.before.turn.conjugate())
        } else {
            DVec3::ZERO
        };
        (self.displacement(centre), turn)
    }

    /// Whether it turns in this tick.
    pub(super) fn is_turning(&self) -> bool {
        self.before.turn != self.after.turn
    }
}

/// The box of all that a box meets on its way between two frames, and the longest way of a point of it, metres.
fn swept_bounds(home: &Aabb, before: &Frame, after: &Frame) -> (Aabb, f64) {
    let (mut bounds, mut travel) = (Aabb::EMPTY, 0.0f64);
    for p in home.corners() {
        let [from, to] = [before, after].map(|frame| frame.to_world(p));
        bounds = bounds.with_point(from).with_point(to);
        travel = travel.max(from.distance(to));
    }
    // An arc of the angle θ rises r (1 - cos θ/2) above its chord; twice that, since the points do not keep step.
    let cosine = before.turn.dot(after.turn).abs().min(1.0);
    let bend = 2.0 * home.half_size().length() * (1.0 - cosine);
    let farthest = bounds.min.abs().max(bounds.max.abs()).max_element();
    (bounds.grow(bend + CULL_SLACK * farthest), travel)
}

/// Axis times angle of a rotation by at most half a turn.
fn rotation_vector(turn: DQuat) -> DVec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let sine = turn.xyz().length();
    if sine < 1e-12 {
        return turn.xyz() * 2.0;
    }
    turn.xyz() * (2.0 * libm::atan2(sine, turn.w) / sine)
}
