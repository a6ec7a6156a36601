//! Chunks that are carved again and again.
use super::*;
use crate::carve::blast::{BlastShape, blast};
use crate::carve::shape;

fn volume(body: &Body) -> f64 {
    body.chunk.as_ref().map_or(0.0, |chunk| chunk.volume_m3)
}

/// However it lies, its largest piece loses what the same slab in a level loses, shot by shot, and goes on doing so; pieces
/// stay where they were.
#[test]
fn a_chunk_is_carved_as_often_as_it_is_hit_and_as_a_wall_is() {
    for seed in 0..3u64 {
        let mut rng = Rng::new(seed);
        let (centre, half) = (DVec3::new(20.0, 6.0, 5.0), DVec3::new(3.0, 1.5, 0.5));
        let mut body = Body::from_island(&block(centre, half)).expect("a chunk");
        body.teleport(rng.unit_vector() * 30.0);
        let v = rng.unit_vector();
        body.rotation = DQuat::from_xyzw(v.x, v.y, v.z, rng.unit_f64()).normalize();
        let mut world = room(0.0);
        let corner = |i: i32| {
            let side = |k: usize| if i >> k & 1 == 0 { -half[k] } else { half[k] };
            let p = centre + DVec3::new(side(0), side(1), side(2));
            (p * GRID).round().as_i64vec3()
        };
        let corners: Vec<I64Vec3> = (0..8).map(corner).collect();
        let slab = Operation {
            op: Op::Fill,
            brushes: vec![shape::hull(&corners, 0).expect("a box")],
        };
        world.apply(&slab, &mut Silent).expect("it fills");
        let (mut left, mut shots) = (volume(&body), 0);
        for shot in 0..40 {
            let at = centre + half * DVec3::from([(); 3].map(|()| rng.range(-1.1, 1.1)));
            let at = (at * GRID).round().as_i64vec3();
            let radius = if shot % 10 == 9 {
                0.9
            } else {
                rng.range(0.1, 0.4)
            };
            let kind = BlastShape::ALL[shot % BlastShape::ALL.len()];
            let brushes = blast(at, radius, kind, rng.next_u64(), fracture::OPENED);
            let carve = in_level(&brushes);
            let in_level = world.apply(&carve, &mut Silent).expect("it carves");
            let chunk = body.chunk.clone().expect("a shape");
            let Some(mut pieces) = fracture::pieces(&body, &chunk, brushes, 9) else {
                assert!(in_level.volume_m3 <= 0.0, "seed {seed}, shot {shot}");
                continue;
            };
            shots += 1;
            let fallen: f64 = in_level.islands.iter().map(|island| island.volume_m3).sum();
            left -= in_level.volume_m3 + fallen;
            let rest = pieces.pop().expect("most of it is left");
            assert!(
                (volume(&rest) - left).abs() < 1e-9,
                "seed {seed}, shot {shot}"
            );
            let loose: f64 = pieces.iter().map(volume).sum();
            // Those that are too small for a ball are dropped.
            assert!(loose <= fallen + 1e-9 && fallen - loose < 0.01);
            for piece in pieces.iter().chain([&rest]) {
                let p = body.position + rng.unit_vector();
                let shape = piece.chunk.as_ref().expect("a shape");
                let apart =
                    shape.home_from_world(piece.pose(), p) - chunk.home_from_world(body.pose(), p);
                assert!(apart.length() < 1e-9, "{apart}");
            }
            body = rest;
        }
        let shape = body.chunk.as_ref().expect("a shape");
        let mut shown: Vec<_> = shape.faces.iter().map(|face| face.material).collect();
        shown.sort_unstable();
        shown.dedup();
        assert!(shots > 25 && shown == [0, 9], "{shots} {shown:?}");
    }
}
