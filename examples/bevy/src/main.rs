//! A wall in Bevy that breaks where you click. Breach's kernel holds the solid, Bevy draws it, and Avian collides what
//! falls with it: `cargo run` in this folder.
use avian3d::prelude::{Collider, PhysicsPlugins, RigidBody};
use bevy::asset::RenderAssetUsages;
use bevy::light::GlobalAmbientLight;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use breach_core::glam::DVec3;
use breach_core::world::{
    BrushDesc, EditError, RoomId, SurfaceTracker, SurfaceTriangle, World as Solid, WorldBuilder,
};

/// The kernel's vectors are of another version of glam than Bevy's, so numbers go across one by one.
fn into_bevy(p: DVec3) -> Vec3 {
    Vec3::new(p.x as f32, p.y as f32, p.z as f32)
}

fn from_bevy(p: Vec3) -> DVec3 {
    DVec3::new(f64::from(p.x), f64::from(p.y), f64::from(p.z))
}

/// The level and what Bevy has seen of it.
#[derive(Resource)]
struct Level {
    solid: Solid,
    tracker: SurfaceTracker,
    /// By room: its triangles by slot, and the entity that shows them.
    rooms: HashMap<RoomId, (HashMap<u32, SurfaceTriangle>, Entity)>,
    stone: Handle<StandardMaterial>,
}

/// A wall that stands on the floor of a room of air.
fn wall() -> Result<Solid, EditError> {
    let wall = BrushDesc::cuboid(DVec3::new(-5.0, 0.0, -0.25), DVec3::new(5.0, 4.0, 0.25))?;
    WorldBuilder::air(DVec3::new(-20.0, 0.0, -20.0), DVec3::new(20.0, 20.0, 20.0))
        .fill(wall)
        .build()
}

fn main() -> Result<(), EditError> {
    let solid = wall()?;
    App::new()
        .add_plugins((DefaultPlugins, PhysicsPlugins::default()))
        .insert_resource(ClearColor(Color::srgb(0.6, 0.7, 0.8)))
        .insert_resource(GlobalAmbientLight {
            brightness: 300.0,
            ..default()
        })
        .add_systems(
            Startup,
            move |mut commands: Commands, mut materials: ResMut<Assets<StandardMaterial>>| {
                commands.insert_resource(Level {
                    solid: solid.clone(),
                    tracker: SurfaceTracker::default(),
                    rooms: HashMap::default(),
                    stone: materials.add(Color::srgb(0.55, 0.53, 0.5)),
                });
                commands.spawn((
                    Camera3d::default(),
                    Transform::from_xyz(3.0, 3.0, 9.0)
                        .looking_at(Vec3::new(0.0, 1.5, 0.0), Vec3::Y),
                ));
                commands.spawn((
                    DirectionalLight {
                        shadow_maps_enabled: true,
                        ..default()
                    },
                    Transform::from_xyz(4.0, 8.0, 6.0).looking_at(Vec3::ZERO, Vec3::Y),
                ));
            },
        )
        .add_systems(Update, (shoot, show_changes).chain())
        .run();
    Ok(())
}

/// A click takes a ball out of what lies under the cursor; pieces that it cuts free become rigid bodies.
fn shoot(
    mut commands: Commands,
    mut level: ResMut<Level>,
    mut meshes: ResMut<Assets<Mesh>>,
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
) {
    if !buttons.just_pressed(MouseButton::Left) {
        return;
    }
    let (camera, eye) = *camera;
    let Some(cursor) = window.cursor_position() else {
        return;
    };
    let Ok(ray) = camera.viewport_to_world(eye, cursor) else {
        return;
    };
    let from = from_bevy(ray.origin);
    let Some(hit) = level
        .solid
        .ray(from, from + from_bevy(*ray.direction) * 100.0)
    else {
        return;
    };
    let carved = BrushDesc::ball(hit.point, 0.6).and_then(|ball| level.solid.carve(&ball));
    let carved = match carved {
        Ok(carved) => carved,
        // A click on the floor: bedrock stays.
        Err(why) => return info!("{why}"),
    };
    for piece in carved.pieces {
        let (mesh, centre) = (&piece.solid.mesh, piece.solid.centre);
        let corner = |i: u32| into_bevy(mesh.positions[i as usize] - centre);
        let corners: Vec<[Vec3; 3]> = mesh
            .triangles
            .iter()
            .map(|t| t.corners.map(corner))
            .collect();
        // Avian's dynamic bodies are solids: the hull stands for a piece that is not convex.
        let Some(hull) = Collider::convex_hull(corners.concat()) else {
            continue;
        };
        commands.spawn((
            Mesh3d(meshes.add(mesh_of(&corners))),
            MeshMaterial3d(level.stone.clone()),
            Transform::from_translation(into_bevy(centre)),
            RigidBody::Dynamic,
            hull,
        ));
    }
}

/// Rooms whose triangles have changed get a new mesh and a new collider.
fn show_changes(
    mut commands: Commands,
    mut level: ResMut<Level>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let level = &mut *level;
    let changes = level.tracker.update(&level.solid);
    for triangle in changes.changed {
        let (room, slot) = (triangle.id.room, triangle.id.slot);
        let new = || (HashMap::default(), commands.spawn_empty().id());
        let room = level.rooms.entry(room).or_insert_with(new);
        room.0.insert(slot, *triangle);
    }
    for id in changes.removed {
        if let Some(room) = level.rooms.get_mut(&id.room) {
            room.0.remove(&id.slot);
        }
    }
    for room in changes.rooms {
        let Some((triangles, entity)) = level.rooms.get(room) else {
            continue;
        };
        let corners: Vec<[Vec3; 3]> = triangles
            .values()
            .map(|t| t.points.map(into_bevy))
            .collect();
        // Of the bounds the floor is drawn: all that faces up at height 0.
        let is_drawn =
            |t: &&SurfaceTriangle| !level.solid.is_bedrock(t.material) || t.normal.y > 0.5;
        let drawn = triangles.values().filter(is_drawn);
        let drawn: Vec<[Vec3; 3]> = drawn.map(|t| t.points.map(into_bevy)).collect();
        let mut entity = commands.entity(*entity);
        entity.insert((
            Mesh3d(meshes.add(mesh_of(&drawn))),
            MeshMaterial3d(level.stone.clone()),
            Transform::IDENTITY,
            RigidBody::Static,
        ));
        let indices = (0..corners.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
        match Collider::try_trimesh(corners.concat(), indices.collect()) {
            Ok(collider) => entity.insert(collider),
            // All of it is gone.
            Err(_) => entity.remove::<Collider>(),
        };
    }
}

/// Flat shaded: each triangle has corners of its own.
fn mesh_of(triangles: &[[Vec3; 3]]) -> Mesh {
    let normal = |[a, b, c]: &[Vec3; 3]| (*b - *a).cross(*c - *a).normalize_or_zero().to_array();
    let normals: Vec<[f32; 3]> = triangles.iter().flat_map(|t| [normal(t); 3]).collect();
    let points: Vec<[f32; 3]> = triangles.concat().iter().map(|p| p.to_array()).collect();
    let indices = Indices::U32((0..points.len() as u32).collect());
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, points)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(indices)
}
