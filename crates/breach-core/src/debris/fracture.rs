//! Fracture: carves brushes out of a chunk and makes chunks of its pieces.
//!
//! The chunk becomes a small world of its own, which is carved like any other. All of it happens in the chunk's home frame,
//! where its corners are nearly on the grid.
use super::body::Body;
use super::chunk::Chunk;
use crate::bvh::{BuildParams, Mesh, Triangle};
use crate::collide::closest_point_triangle;
use crate::geom::Aabb;
use crate::stage::Silent;
use crate::world::{
    BrushDesc, GRID, Island, Material, MaterialId, Op, Operation, SurfaceDesc, World,
};
use glam::{DVec3, I64Vec3};

/// Air around the chunk in its small world, metres.
const MARGIN: f64 = 1.0;
/// Chunks of more triangles stay whole.
const MOST_TRIANGLES: usize = 4000;
/// Material of the chunk's faces in its small world.
const OLD: MaterialId = 0;
/// Material that all faces of the brushes must have.
pub const OPENED: MaterialId = 1;

/// Material of the face nearest to a point in the home frame; the first of equally near ones.
pub fn material_near(chunk: &Chunk, p: DVec3) -> Option<MaterialId> {
    let live = chunk.mesh.triangles.iter().filter(|t| t.is_live());
    let gap = |t: &Triangle| {
        let corners = t.corners.map(|i| chunk.mesh.positions[i as usize]);
        closest_point_triangle(p, &corners).distance_squared(p)
    };
    let nearest = live.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    chunk.faces.get(nearest.face as usize).map(|f| f.material)
}

/// The pieces that are left of a chunk when brushes are carved out of it; each moves as the chunk moved there. The brushes
/// are in the home frame, with the material [`OPENED`], which becomes `inner` on the pieces. `None` if the chunk stays
/// whole: nothing was carved, or it cannot be.
pub fn pieces(
    body: &Body,
    chunk: &Chunk,
    brushes: Vec<BrushDesc>,
    inner: MaterialId,
) -> Option<Vec<Body>> {
    if chunk.mesh.triangles.len() > MOST_TRIANGLES {
        return None;
    }
    let (desc, shell) = small_world(chunk)?;
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
    let turn = body.rotation * chunk.home.1.conjugate();
    let bodies = islands.iter_mut().filter_map(|island| {
        restore_materials(island, chunk, inner);
        let mut piece = Body::from_island(island)?;
        let arm = turn * (piece.position - chunk.home.0);
        piece.teleport(body.position + arm);
        piece.rotation = (turn * piece.rotation).normalize();
        piece.previous_rotation = piece.rotation;
        piece.velocity = body.velocity + body.spin.cross(arm);
        piece.spin = body.spin;
        piece.operation = body.operation;
        Some(piece)
    });
    Some(bodies.collect())
}

/// The chunk in a box of air, and the box.
fn small_world(chunk: &Chunk) -> Option<(SurfaceDesc, Aabb)> {
    let bounds = Aabb::from_points(chunk.mesh.positions.iter().copied())?;
    let step = |p: DVec3| (p * GRID).round().as_i64vec3();
    let (low, high) = (step(bounds.min - MARGIN), step(bounds.max + MARGIN));
    let mut points: Vec<I64Vec3> = chunk.mesh.positions.iter().map(|&p| step(p)).collect();
    let live = chunk.mesh.triangles.iter().filter(|t| t.is_live());
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
    let material = |inner| Material {
        texture: "rock".into(),
        u: DVec3::X,
        v: DVec3::Y,
        offset: [0.0; 2],
        inner,
        hardness: 1.0,
    };
    let margin = I64Vec3::splat(GRID as i64);
    let desc = SurfaceDesc {
        bounds: [low - margin, high + margin],
        points,
        triangles,
        materials: vec![material(false), material(true)],
        material: OLD,
    };
    let shell = Aabb {
        min: low.as_dvec3() / GRID,
        max: high.as_dvec3() / GRID,
    };
    Some((desc, shell))
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
/// chunk with about the same normal.
fn restore_materials(island: &mut Island, chunk: &Chunk, inner: MaterialId) {
    let old: Vec<([DVec3; 3], DVec3, MaterialId)> = chunk
        .mesh
        .triangles
        .iter()
        .filter_map(|t| {
            let corners = t.corners.map(|i| chunk.mesh.positions[i as usize]);
            let [a, b, c] = corners;
            let normal = (b - a).cross(c - a).try_normalize()?;
            let material = chunk.faces.get(t.face as usize)?.material;
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
