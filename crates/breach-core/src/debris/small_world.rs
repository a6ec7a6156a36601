//! Small worlds: a shape alone in a box of air, where brushes are filled in or carved out of it as in any level.
//!
//! All of it happens in the shape's home frame, where its corners are nearly on the grid.
use super::grid_mesh;
use crate::bvh::{BuildParams, Bvh, Mesh, QueryStats, Triangle};
use crate::carve::polytope::Polytope;
use crate::carve::shape;
use crate::collide::closest_point_triangle;
use crate::exact::{GRID_MAX, Planes};
use crate::geom::Aabb;
use crate::stage::Silent;
use crate::world::{
    BrushDesc, FaceView, GRID, Island, Material, MaterialId, Op, Operation, SurfaceDesc, World,
};
use glam::{DVec3, I64Vec3};
use std::sync::Arc;

/// Air around the shape, metres. Brushes are clipped to half of it, so that none reaches the rock outside.
const MARGIN: f64 = 1.0;
/// Meshes with more triangles are not imported.
pub(super) const MOST_TRIANGLES: usize = 4000;
/// A shape with more triangles is not carved any further.
const MOST_CARVED: usize = 32_000;
/// Radius in which the nearest triangle is looked for first, metres: most points lie on one.
const NEAR: f64 = 0.01;
/// Normals with a greater cosine may be of the same face.
const ALIKE: f64 = 0.9;
/// Material that all faces of carving brushes must have.
pub const OPENED: MaterialId = 1;

/// Material of the face nearest to a point; the first of equally near ones. `faces` is indexed by the triangles' faces.
pub(super) fn material_near(mesh: &Mesh, faces: &[FaceView], p: DVec3) -> Option<MaterialId> {
    let live = mesh.triangles.iter().filter(|t| t.is_live());
    let gap = |t: &Triangle| {
        let corners = t.corners.map(|i| mesh.positions[i as usize]);
        closest_point_triangle(p, &corners).distance_squared(p)
    };
    let nearest = live.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    faces.get(nearest.face as usize).map(|f| f.material)
}

/// The triangle of a tree nearest to a point among those that count, the first of equally near ones. None is farther from the
/// point than `farthest`, metres.
pub(super) fn nearest_triangle(
    (mesh, tree): (&Mesh, &Bvh),
    p: DVec3,
    farthest: f64,
    counts: impl Fn(&[DVec3; 3]) -> bool,
) -> Option<u32> {
    let mut reach = NEAR;
    loop {
        let mut nearest = (f64::INFINITY, None);
        let around = Aabb::from_centre(p, DVec3::splat(reach));
        let mut visit = |at: u32| {
            let corners = mesh.triangles[at as usize].corners;
            let corners = corners.map(|i| mesh.positions[i as usize]);
            let far = closest_point_triangle(p, &corners).distance_squared(p);
            if far < nearest.0 && counts(&corners) {
                nearest = (far, Some(at));
            }
        };
        tree.each_in_box(mesh, &around, &mut QueryStats::default(), &mut visit);
        if nearest.0 <= reach * reach || reach > farthest {
            return nearest.1;
        }
        reach *= 4.0;
    }
}

/// A shape alone in a box of air, exact however often it is carved. A clone costs little, as that of any world.
#[derive(Clone, Debug)]
pub(super) struct SmallWorld {
    world: World,
    /// The box of air, metres.
    shell: Aabb,
    /// By material of this world: that of the level; None for those of `base`.
    shown: Vec<Option<MaterialId>>,
    /// The imported mesh; empty for a shape made of brushes.
    base: Arc<BaseMesh>,
}

/// The mesh that a small world was imported from, where its faces find their materials again.
#[derive(Debug, Default)]
struct BaseMesh {
    mesh: Arc<Mesh>,
    faces: Arc<Vec<FaceView>>,
    tree: Bvh,
    /// No point of the small world is farther from it than this, metres.
    farthest: f64,
}

impl SmallWorld {
    /// Imports a mesh, with its corners rounded to the grid. `None` if it has too many triangles, is not closed, or rounding
    /// folds a part of it flat: about one in a hundred meshes that were carved before.
    pub(super) fn around(mesh: &Arc<Mesh>, faces: &Arc<Vec<FaceView>>) -> Option<SmallWorld> {
        if mesh.triangles.len() > MOST_TRIANGLES {
            return None;
        }
        let bounds = Aabb::from_points(mesh.positions.iter().copied())?;
        let (desc, shell) = in_air(mesh, &bounds, 1);
        let world = World::from_surface(&desc, &BuildParams::default(), &mut Silent).ok()?;
        let base = BaseMesh {
            mesh: mesh.clone(),
            faces: faces.clone(),
            tree: Bvh::build(mesh, &BuildParams::default()),
            farthest: shell.diagonal(),
        };
        Some(SmallWorld {
            world,
            shell,
            shown: vec![None],
            base: Arc::new(base),
        })
    }

    /// The union of brushes, with their materials; those without a volume add nothing. `None` if all are such, or
    /// one lies beyond the grid.
    pub(super) fn filled(brushes: &[BrushDesc]) -> Option<SmallWorld> {
        let sides = || brushes.iter().flat_map(|brush| &brush.sides);
        let is_beyond = |p: I64Vec3| p.min_element() < -GRID_MAX || p.max_element() > GRID_MAX;
        if sides().flat_map(|side| side.points).any(is_beyond) {
            return None;
        }
        let mut shown: Vec<MaterialId> = sides().map(|side| side.material).collect();
        shown.sort_unstable();
        shown.dedup();
        let mut bounds = Aabb::EMPTY;
        let mut solid = Vec::with_capacity(brushes.len());
        for brush in brushes {
            let Some(polytope) = Polytope::from_brush(&mut Planes::default(), brush) else {
                continue;
            };
            let (min, max) = polytope.bounds();
            bounds = bounds.union(&Aabb {
                min: min / GRID,
                max: max / GRID,
            });
            let mut brush = brush.clone();
            for side in &mut brush.sides {
                let known = shown.binary_search(&side.material);
                side.material = known.expect("it is one of them") as MaterialId;
            }
            solid.push(brush);
        }
        if solid.is_empty() {
            return None;
        }
        let (desc, shell) = in_air(&Mesh::default(), &bounds, shown.len());
        let mut world = World::from_surface(&desc, &BuildParams::default(), &mut Silent).ok()?;
        let operation = Operation {
            op: Op::Fill,
            brushes: solid,
        };
        world.apply(&operation, &mut Silent).ok()?;
        Some(SmallWorld {
            world,
            shell,
            shown: shown.into_iter().map(Some).collect(),
            base: Arc::default(),
        })
    }

    /// Carves brushes of the material [`OPENED`], which becomes `inner`, out of the shape. Returns the pieces that it cuts
    /// free. `None` if nothing was carved, or it cannot be.
    pub(super) fn carve(
        &mut self,
        mut brushes: Vec<BrushDesc>,
        inner: MaterialId,
    ) -> Option<Vec<Island>> {
        let triangles =
            (0..self.world.room_count() as u32).map(|id| self.world.room(id).triangle_count);
        if triangles.sum::<u32>() as usize > MOST_CARVED {
            return None;
        }
        let opened = self.number_of(inner);
        let sides = brushes.iter_mut().flat_map(|brush| &mut brush.sides);
        sides.for_each(|side| side.material = opened);
        let brushes = self.clipped(brushes)?;
        let operation = Operation {
            op: Op::Carve,
            brushes,
        };
        let report = self.world.apply(&operation, &mut Silent).ok()?;
        if report.volume_m3 <= 0.0 && report.islands.is_empty() {
            return None;
        }
        let islands = report.islands.into_iter();
        Some(islands.map(|island| self.with_materials(island)).collect())
    }

    /// Clips brushes to the air around the shape and drops those that lie outside of it. `None` if none is left.
    fn clipped(&self, brushes: Vec<BrushDesc>) -> Option<Vec<BrushDesc>> {
        let middle = MARGIN / 2.0;
        let [low, high] = [self.shell.min + middle, self.shell.max - middle].map(|p| p * GRID);
        let corner = |i: i64| {
            let pick = |k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
            DVec3::new(pick(0), pick(1), pick(2)).round().as_i64vec3()
        };
        let corners: Vec<I64Vec3> = (0..8).map(corner).collect();
        let bounds = |brush: &BrushDesc| {
            Polytope::from_brush(&mut Planes::default(), brush).map(|solid| solid.bounds())
        };
        let mut near = Vec::with_capacity(brushes.len());
        for mut brush in brushes {
            let Some((from, to)) = bounds(&brush) else {
                continue;
            };
            if from.cmplt(low).any() || to.cmpgt(high).any() {
                let material = brush.sides.first()?.material;
                brush
                    .sides
                    .extend(shape::hull(&corners, material).ok()?.sides);
                if bounds(&brush).is_none() {
                    continue;
                }
            }
            near.push(brush);
        }
        (!near.is_empty()).then_some(near)
    }

    /// The number that a material of the level has here.
    fn number_of(&mut self, material: MaterialId) -> MaterialId {
        let known = self.shown.iter().position(|&shown| shown == Some(material));
        let number = known.unwrap_or_else(|| {
            self.shown.push(Some(material));
            Arc::make_mut(&mut self.world.materials).push(any_material());
            self.shown.len() - 1
        });
        number as MaterialId
    }

    /// Memory in use, bytes, estimated as that of levels is.
    pub(super) fn bytes(&self) -> usize {
        self.world.bytes()
    }

    /// The shape that is left; `None` if nothing is.
    pub(super) fn shape(&self) -> Option<Island> {
        let shape = remainder(&self.world, &self.shell)?;
        Some(self.with_materials(shape))
    }

    /// Gives the faces of a piece their materials in the level. A face of the imported mesh gets that of the nearest triangle
    /// with about the same normal.
    fn with_materials(&self, mut island: Island) -> Island {
        let mut is_shown = vec![false; island.materials.len()];
        for t in &island.mesh.triangles {
            let face = t.face as usize;
            if is_shown.get(face).is_none_or(|&is_shown| is_shown) {
                continue;
            }
            is_shown[face] = true;
            let shown = self.shown.get(island.materials[face] as usize).copied();
            island.materials[face] = shown.flatten().unwrap_or_else(|| {
                let corners = t.corners.map(|i| island.mesh.positions[i as usize]);
                self.base.material_at(corners)
            });
        }
        island
    }
}

impl BaseMesh {
    /// The material of the triangle nearest to the middle of another one among those with about its normal, the first of
    /// equally near ones; without any, that of the first triangle.
    fn material_at(&self, corners: [DVec3; 3]) -> MaterialId {
        let normal = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a).normalize_or_zero();
        let (middle, along) = (corners.iter().sum::<DVec3>() / 3.0, normal(&corners));
        let is_alike = |corners: &[DVec3; 3]| normal(corners).dot(along) > ALIKE;
        let nearest = nearest_triangle((&self.mesh, &self.tree), middle, self.farthest, is_alike);
        let nearest = nearest.map(|at| &self.mesh.triangles[at as usize]);
        let first = || self.mesh.triangles.iter().find(|t| t.is_live());
        let shown = nearest.or_else(first).and_then(|t| self.material(t));
        shown.unwrap_or_default()
    }

    fn material(&self, triangle: &Triangle) -> Option<MaterialId> {
        self.faces
            .get(triangle.face as usize)
            .map(|face| face.material)
    }
}

/// Only its number counts here.
fn any_material() -> Material {
    Material {
        texture: "rock".into(),
        u: DVec3::X,
        v: DVec3::Y,
        offset: [0.0; 2],
        inner: false,
        hardness: 1.0,
    }
}

/// A closed mesh, or an empty one, in a box of air around `bounds`, metres; and that box.
fn in_air(mesh: &Mesh, bounds: &Aabb, materials: usize) -> (SurfaceDesc, Aabb) {
    let step = |p: DVec3| (p * GRID).round().as_i64vec3();
    let (low, high) = (step(bounds.min - MARGIN), step(bounds.max + MARGIN));
    let (mut points, mut triangles) = grid_mesh::rounded(mesh);
    let first = points.len() as u32;
    points.extend((0..8).map(|i| {
        let pick = |k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
        I64Vec3::new(pick(0), pick(1), pick(2))
    }));
    // Counter-clockwise from within.
    let quads: [[u32; 4]; 6] = [
        [0, 4, 5, 1],
        [2, 3, 7, 6],
        [0, 1, 3, 2],
        [4, 6, 7, 5],
        [0, 2, 6, 4],
        [1, 5, 7, 3],
    ];
    let square = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]].map(|t| t.map(|i| i + first));
    triangles.extend(quads.into_iter().flat_map(square));
    let margin = I64Vec3::splat(GRID as i64);
    let desc = SurfaceDesc {
        bounds: [low - margin, high + margin],
        points,
        triangles,
        materials: vec![any_material(); materials],
        material: 0,
    };
    let shell = Aabb {
        min: low.as_dvec3() / GRID,
        max: high.as_dvec3() / GRID,
    };
    (desc, shell)
}

/// What is left in the small world: all faces but those of the box.
fn remainder(world: &World, shell: &Aabb) -> Option<Island> {
    let mut mesh = Mesh::default();
    let mut materials = Vec::new();
    let on_shell = |p: DVec3| (p - shell.min).min(shell.max - p).min_element() < 1e-3;
    for id in 0..world.room_count() as u32 {
        let room = world.room(id);
        // By point of the room: its number in the mesh.
        let mut known: Vec<Option<u32>> = vec![None; room.mesh.positions.len()];
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let at = |i: u32| room.mesh.positions[i as usize];
            if t.corners.iter().any(|&i| on_shell(at(i))) {
                continue;
            }
            let corners = t.corners.map(|i| {
                *known[i as usize].get_or_insert_with(|| {
                    mesh.positions.push(at(i));
                    mesh.positions.len() as u32 - 1
                })
            });
            mesh.triangles.push(Triangle {
                corners,
                face: materials.len() as u32,
                key: 0,
            });
            materials.push(room.faces[t.face as usize].material);
        }
    }
    Island::from_mesh(welded(mesh), materials)
}

/// Merges equal points and puts them in order.
fn welded(mesh: Mesh) -> Mesh {
    let bits = |p: &DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let numbered = mesh.positions.iter().enumerate();
    let mut order: Vec<([u64; 3], usize)> = numbered.map(|(i, p)| (bits(p), i)).collect();
    order.sort_unstable();
    let mut positions: Vec<DVec3> = Vec::new();
    let mut number = vec![0u32; order.len()];
    let mut last = None;
    for (at, i) in order {
        if last.replace(at) != Some(at) {
            positions.push(mesh.positions[i]);
        }
        number[i] = positions.len() as u32 - 1;
    }
    let weld = |t: &Triangle| Triangle {
        corners: t.corners.map(|i| number[i as usize]),
        ..*t
    };
    Mesh {
        triangles: mesh.triangles.iter().map(weld).collect(),
        positions,
    }
}
