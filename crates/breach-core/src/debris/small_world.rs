//! Small worlds: a shape alone in a box of air, where brushes are filled in or carved out of it as in any level.
//!
//! All of it happens in the shape's home frame, where its corners are nearly on the grid.
use crate::bvh::{BuildParams, Mesh, Triangle};
use crate::carve::polytope::Polytope;
use crate::collide::closest_point_triangle;
use crate::exact::{GRID_MAX, Planes};
use crate::geom::Aabb;
use crate::stage::Silent;
use crate::world::{
    BrushDesc, FaceView, GRID, Island, Material, MaterialId, Op, Operation, SurfaceDesc, World,
};
use glam::{DVec3, I64Vec3};

/// Air around the shape, metres.
const MARGIN: f64 = 1.0;
/// Shapes of more triangles are not carved.
const MOST_TRIANGLES: usize = 4000;
/// Material of the shape's faces while it is carved, and of the box.
const OLD: MaterialId = 0;
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

/// All that is left of a shape when brushes of the material [`OPENED`] are carved out of it, which becomes `inner`; the
/// other faces keep their materials. `None` if nothing was carved, or it cannot be.
pub(super) fn carved(
    mesh: &Mesh,
    faces: &[FaceView],
    brushes: Vec<BrushDesc>,
    inner: MaterialId,
) -> Option<Vec<Island>> {
    if mesh.triangles.len() > MOST_TRIANGLES {
        return None;
    }
    let bounds = Aabb::from_points(mesh.positions.iter().copied())?;
    let materials = vec![material(false), material(true)];
    let (desc, shell) = small_world(mesh, &bounds, materials);
    let mut world = World::from_surface(&desc, &BuildParams::default(), &mut Silent).ok()?;
    let operation = Operation {
        op: Op::Carve,
        brushes,
    };
    let report = world.apply(&operation, &mut Silent).ok()?;
    if report.volume_m3 <= 0.0 && report.islands.is_empty() {
        return None;
    }
    let mut islands = report.islands;
    islands.extend(remainder(&world, &shell));
    for island in &mut islands {
        restore_materials(island, (mesh, faces), inner);
    }
    Some(islands)
}

/// The union of brushes, with their materials; those without a volume add nothing. `None` if all are such, or one lies
/// beyond the grid.
pub(super) fn filled(brushes: &[BrushDesc]) -> Option<Island> {
    let sides = || brushes.iter().flat_map(|brush| &brush.sides);
    let is_beyond = |p: I64Vec3| p.min_element() < -GRID_MAX || p.max_element() > GRID_MAX;
    if sides().flat_map(|side| side.points).any(is_beyond) {
        return None;
    }
    // The small world's materials: any ids may come in.
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
    let materials = shown.iter().map(|_| material(false)).collect();
    let (desc, shell) = small_world(&Mesh::default(), &bounds, materials);
    let mut world = World::from_surface(&desc, &BuildParams::default(), &mut Silent).ok()?;
    let operation = Operation {
        op: Op::Fill,
        brushes: solid,
    };
    world.apply(&operation, &mut Silent).ok()?;
    let mut island = remainder(&world, &shell)?;
    for material in &mut island.materials {
        *material = *shown.get(*material as usize)?;
    }
    Some(island)
}

/// Any material: only its number counts here.
fn material(inner: bool) -> Material {
    Material {
        texture: "rock".into(),
        u: DVec3::X,
        v: DVec3::Y,
        offset: [0.0; 2],
        inner,
        hardness: 1.0,
    }
}

/// A closed mesh, or an empty one, in a box of air around `bounds`, metres; and that box.
fn small_world(mesh: &Mesh, bounds: &Aabb, materials: Vec<Material>) -> (SurfaceDesc, Aabb) {
    let step = |p: DVec3| (p * GRID).round().as_i64vec3();
    let (low, high) = (step(bounds.min - MARGIN), step(bounds.max + MARGIN));
    let mut points: Vec<I64Vec3> = mesh.positions.iter().map(|&p| step(p)).collect();
    let live = mesh.triangles.iter().filter(|t| t.is_live());
    let mut triangles: Vec<[u32; 3]> = live.map(|t| t.corners).collect();
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
        materials,
        material: OLD,
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
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let corners = t.corners.map(|i| room.mesh.positions[i as usize]);
            if corners.iter().any(|&p| on_shell(p)) {
                continue;
            }
            let first = mesh.positions.len() as u32;
            mesh.positions.extend(corners);
            mesh.triangles.push(Triangle {
                corners: [first, first + 1, first + 2],
                face: materials.len() as u32,
                key: 0,
            });
            materials.push(room.faces[t.face as usize].material);
        }
    }
    Island::from_mesh(welded(mesh), materials)
}

/// Merges equal points.
fn welded(mesh: Mesh) -> Mesh {
    let bits = |p: &DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let mut order: Vec<u32> = (0..mesh.positions.len() as u32).collect();
    order.sort_by_key(|&i| bits(&mesh.positions[i as usize]));
    let mut positions: Vec<DVec3> = Vec::new();
    let mut number = vec![0u32; order.len()];
    for i in order {
        let p = mesh.positions[i as usize];
        if positions.last().is_none_or(|last| bits(last) != bits(&p)) {
            positions.push(p);
        }
        number[i as usize] = positions.len() as u32 - 1;
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

/// Gives the faces of a piece their materials in the level: `inner` where a brush cut, else that of the nearest face of the
/// shape with about the same normal.
fn restore_materials(island: &mut Island, (mesh, faces): (&Mesh, &[FaceView]), inner: MaterialId) {
    let old: Vec<([DVec3; 3], DVec3, MaterialId)> = mesh
        .triangles
        .iter()
        .filter(|t| t.is_live())
        .filter_map(|t| {
            let corners = t.corners.map(|i| mesh.positions[i as usize]);
            let [a, b, c] = corners;
            let normal = (b - a).cross(c - a).try_normalize()?;
            let material = faces.get(t.face as usize)?.material;
            Some((corners, normal, material))
        })
        .collect();
    let mut shown: Vec<Option<MaterialId>> = vec![None; island.materials.len()];
    for t in &island.mesh.triangles {
        let face = t.face as usize;
        let Some(slot) = shown.get_mut(face).filter(|slot| slot.is_none()) else {
            continue;
        };
        if island.materials[face] == OPENED {
            *slot = Some(inner);
            continue;
        }
        let [a, b, c] = t.corners.map(|i| island.mesh.positions[i as usize]);
        let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize_or_zero());
        let nearest = old
            .iter()
            .filter(|(_, n, _)| n.dot(normal) > 0.9)
            .map(|(corners, _, material)| {
                let near = closest_point_triangle(middle, corners);
                (near.distance_squared(middle), *material)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        *slot = nearest.map(|(_, material)| material);
    }
    for (material, shown) in island.materials.iter_mut().zip(shown) {
        *material = shown.unwrap_or(inner);
    }
}
