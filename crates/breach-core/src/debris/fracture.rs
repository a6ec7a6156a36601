//! Breaking a chunk: it becomes a small world of its own, the brushes that struck it are carved out of that, and what is
//! left are its pieces.
//!
//! All in the frame in which its faces were when it broke off, so that corners are nearly on the grid.
use super::chunk::body_of;
use super::{Body, Chunk};
use crate::bvh::{BuildParams, Mesh, Triangle};
use crate::collide::closest_point_triangle;
use crate::geom::Aabb;
use crate::stage::Silent;
use crate::world::{
    BrushDesc, GRID, Island, Material, MaterialId, Op, Operation, SurfaceDesc, World,
};
use glam::{DQuat, DVec3, I64Vec3};

/// Air around the chunk in its small world, metres.
const AROUND: f64 = 1.0;
/// A chunk of more triangles is not broken again.
const MOST_TRIANGLES: usize = 4000;
/// Materials of the small world: what was the chunk's, and what the brushes lay open.
const OLD: MaterialId = 0;
/// The brushes' faces must show this.
pub const OPENED: MaterialId = 1;

/// Where a point of the world lies in the frame of a chunk's faces.
pub fn home_from_world(body: &Body, chunk: &Chunk, p: DVec3) -> DVec3 {
    chunk.home.0 + chunk.home.1 * (body.rotation.conjugate() * (p - body.position))
}

/// What the face nearest to a place, in the frame of the chunk's faces, shows; of equally near ones the first.
pub fn material_near(chunk: &Chunk, p: DVec3) -> Option<MaterialId> {
    let live = chunk.mesh.triangles.iter().filter(|t| t.is_live());
    let gap = |t: &Triangle| {
        let corners = t.corners.map(|i| chunk.mesh.positions[i as usize]);
        closest_point_triangle(p, &corners).distance_squared(p)
    };
    let nearest = live.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    chunk.faces.get(nearest.face as usize).map(|f| f.material)
}

/// The pieces that are left when brushes, given in the frame of the chunk's faces and showing [`OPENED`], are taken out
/// of it, moving as the chunk moved there; `inner` is what they lay open. None where it cannot be done: then it stays
/// whole.
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
    islands.extend(rest(&world, &shell));
    let turn = body.rotation * chunk.home.1.conjugate();
    let bodies = islands.iter_mut().filter_map(|island| {
        dress(island, chunk, inner);
        let mut piece = body_of(island)?;
        let arm = turn * (piece.position - chunk.home.0);
        piece.place(body.position + arm);
        piece.rotation = (turn * piece.rotation).normalize();
        piece.previous_rotation = piece.rotation;
        piece.velocity = body.velocity + body.spin.cross(arm);
        piece.spin = body.spin;
        piece.operation = body.operation;
        Some(piece)
    });
    Some(bodies.collect())
}

/// The chunk in a box of air, and that box.
fn small_world(chunk: &Chunk) -> Option<(SurfaceDesc, Aabb)> {
    let bounds = Aabb::from_points(chunk.mesh.positions.iter().copied())?;
    let step = |p: DVec3| (p * GRID).round().as_i64vec3();
    let (low, high) = (step(bounds.min - AROUND), step(bounds.max + AROUND));
    let mut points: Vec<I64Vec3> = chunk.mesh.positions.iter().map(|&p| step(p)).collect();
    let live = chunk.mesh.triangles.iter().filter(|t| t.is_live());
    let mut triangles: Vec<[u32; 3]> = live.map(|t| t.corners).collect();
    let first = points.len() as u32;
    points.extend((0..8).map(|i| {
        let pick = |k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
        I64Vec3::new(pick(0), pick(1), pick(2))
    }));
    // Seen from within.
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

/// What still stands in the small world: its faces but for those of the box around.
fn rest(world: &World, shell: &Aabb) -> Option<Island> {
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

/// Equal points as one.
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

/// Gives the faces of a piece what they show in the real world: what was there before shows what the chunk shows there.
fn dress(island: &mut Island, chunk: &Chunk, inner: MaterialId) {
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
        let Some(place) = shown.get_mut(face).filter(|place| place.is_none()) else {
            continue;
        };
        if island.materials[face] == OPENED {
            *place = Some(inner);
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
        *place = nearest.map(|(_, material)| material);
    }
    for (material, shown) in island.materials.iter_mut().zip(shown) {
        *material = shown.unwrap_or(inner);
    }
}

/// Where the faces of a chunk are now: the place of their frame's origin, and its orientation.
pub fn world_from_home((position, rotation): (DVec3, DQuat), chunk: &Chunk) -> (DVec3, DQuat) {
    let turn = rotation * chunk.home.1.conjugate();
    (position - turn * chunk.home.0, turn)
}
