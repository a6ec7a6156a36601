//! What a host does, without a window: `cargo run --example embed`.
use breach_core::bvh::QueryStats;
use breach_core::debris::{Body, Debris, Forces};
use breach_core::glam::DVec3;
use breach_core::world::{BrushDesc, EditError, SurfaceTracker, World};

fn main() -> Result<(), EditError> {
    // A wall that hangs in air, all of its surface, and nothing that falls yet.
    let mut world = World::solid_box(DVec3::ZERO, DVec3::new(6.0, 3.0, 0.5))?;
    let mut surface = SurfaceTracker::default();
    let mut debris = Debris::default();
    println!(
        "wall and bounds: {} triangles",
        surface.update(&world).changed.len()
    );
    // A hole, then a cut that frees the right end.
    for brush in [
        BrushDesc::ball(DVec3::new(1.5, 1.5, 0.5), 0.75)?,
        BrushDesc::cuboid(DVec3::new(4.0, -1.0, -1.0), DVec3::new(4.25, 4.0, 1.0))?,
    ] {
        let carved = world.carve(&brush)?;
        let changes = surface.update(&world);
        let (put, taken) = (changes.changed.len(), changes.removed.len());
        println!(
            "carved {:.3} m3: {put} triangles to put, {taken} to take away",
            carved.report.volume_m3
        );
        for piece in &carved.pieces {
            println!("  piece {} fell: {:.3} m3", piece.id, piece.solid.volume_m3);
            // Too small a piece is no body.
            Body::from_island(&piece.solid).map(|body| debris.spawn(body));
        }
    }
    for _ in 0..30 {
        debris.step(&world, &Forces::default(), &mut QueryStats::default());
    }
    println!(
        "half a second later it is at y = {:.2} m",
        debris.bodies()[0].position.y
    );
    let (from, to) = (DVec3::new(1.5, 1.5, 5.0), DVec3::new(1.5, 1.5, -5.0));
    println!(
        "a ray through the hole meets {:?}",
        world.ray(from, to).map(|hit| hit.point.z)
    );
    let stop = world
        .sweep(from, to, 1.0)
        .map_or(to, |hit| from + (to - from) * hit.fraction);
    println!("a ball of 1 m stops at z = {:.3} m", stop.z);
    Ok(())
}
