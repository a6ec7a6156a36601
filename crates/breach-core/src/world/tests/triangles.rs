//! Undo and redo bring back the same triangles, each with the same first corner.
use super::*;
use crate::carve::blast;
use crate::geom::rng::Rng;

/// Every triangle of every room: its room, its face, and the positions of its corners, in order.
fn drawn(world: &World) -> Vec<(RoomId, u32, [[u64; 3]; 3])> {
    let mut all = Vec::new();
    for id in 0..world.room_count() as RoomId {
        let mesh = &world.room(id).mesh;
        let live = mesh.triangles.iter().filter(|t| t.is_live());
        let position = |c: u32| mesh.positions[c as usize].to_array().map(f64::to_bits);
        all.extend(live.map(|t| (id, t.face, t.corners.map(position))));
    }
    all.sort_unstable();
    all
}

/// A box, a hull or a crater at a wall of the hall. Boxes lie on a grid, where many circles go through four corners.
fn change(rng: &mut Rng) -> Operation {
    let wall = rng.below(3) as usize;
    let mut at = DVec3::new(
        rng.range(-9.0, 9.0),
        rng.range(-3.5, 3.5),
        rng.range(-9.0, 9.0),
    );
    at[wall] = [10.0, 4.0, 10.0][wall];
    let brushes = match rng.below(4) {
        0 => {
            let centre = (at * 1024.0).round().as_i64vec3() * 16;
            let shape = blast::BlastShape::Concrete;
            blast::blast(centre, 0.7, shape, rng.next_u64(), 0)
        }
        1 => {
            let corner = |_| ((at + rng.unit_vector()) * 64.0).round().as_i64vec3() * (M / 64);
            let points: Vec<I64Vec3> = (0..12).map(corner).collect();
            vec![hull_brush(&points, 0).expect("a hull")]
        }
        _ => {
            let low = at.round() - 0.5;
            vec![metres(low.to_array(), (low + 1.0).to_array())]
        }
    };
    match rng.below(5) {
        0 => Operation {
            op: Op::Fill,
            brushes,
        },
        _ => carve(brushes),
    }
}

#[test]
fn changes_that_are_undone_and_made_again_give_the_same_triangles() {
    for seed in 1..=3 {
        let mut d = desc(true);
        let hall = metres([-10.0, -4.0, -10.0], [10.0, 4.0, 10.0]);
        d.base.push(carve(vec![hall]));
        let mut world = built(&d);
        let mut rng = Rng::new(seed);
        let (mut states, mut done) = (vec![drawn(&world)], Vec::new());
        while done.len() < 60 {
            let operation = change(&mut rng);
            let report = world.apply(&operation, &mut Silent).expect("a change");
            if report.no_effect.is_none() {
                states.push(drawn(&world));
                done.push((operation, report.delta));
            }
        }
        assert!(states[60].len() > 2 * states[0].len());
        for i in (0..done.len()).rev() {
            let (operation, delta) = done.pop().expect("one more");
            world.revert(delta, &mut Silent);
            assert!(drawn(&world) == states[i], "seed {seed}: change {i} undone");
            let again = world.apply(&operation, &mut Silent).expect("a change");
            let is_same = drawn(&world) == states[i + 1];
            assert!(is_same, "seed {seed}: change {i} made again");
            let redo = world.revert(again.delta, &mut Silent).delta;
            let undo = world.revert(redo, &mut Silent).delta;
            assert!(drawn(&world) == states[i + 1], "seed {seed}: {i} redone");
            world.revert(undo, &mut Silent);
        }
    }
}
