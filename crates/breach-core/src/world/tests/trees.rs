//! Worn trees are rebuilt in slices, with no effect but speed.
use super::*;
use crate::geom::rng::Rng;

/// Answers to seeded rays and sweeps, bit for bit.
fn answers(world: &World) -> Vec<Option<CastHit>> {
    let mut rng = Rng::new(5);
    let mut stats = QueryStats::default();
    let mut one = |i: u64| {
        let from = rng.unit_vector() * rng.range(0.0, 6.0);
        let to = from + rng.unit_vector() * 9.0;
        let hit = match i % 2 {
            0 => world.cast_ray(from, to, &mut stats),
            _ => world.sweep_sphere(from, to, 0.3, &mut stats),
        };
        // Slots are internal to the tree and the mesh.
        hit.map(|hit| CastHit { triangle: 0, ..hit })
    };
    (0..400).map(&mut one).collect()
}

/// Carves a hall, a brush each tick, followed by this much work for trees; returns the ticks at which the list of worn
/// trees changed.
fn carved(work: u64) -> (World, Vec<u32>) {
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-7.0, -4.0, -7.0], [7.0, 4.0, 7.0])]));
    let mut world = built(&d);
    let mut rng = Rng::new(3);
    let (mut moments, mut before) = (vec![], vec![]);
    for tick in 0..160 {
        let way = rng.unit_vector();
        let at = (way / way.abs().max_element() * DVec3::new(7.0, 4.0, 7.0)).to_array();
        let size = rng.range(0.2, 0.9);
        let brush = metres(at.map(|c| c - size), at.map(|c| c + size));
        world
            .apply(&carve(vec![brush]), &mut Silent)
            .expect("a carve");
        if work > 0 {
            world.rebuild_worn_trees(work, &mut Silent);
        }
        if world.visible.worn != before {
            before = world.visible.worn.clone();
            moments.push(tick);
        }
    }
    (world, moments)
}

#[test]
fn worn_trees_are_built_anew_in_slices_at_fixed_ticks_and_answer_the_same() {
    let (left_alone, _) = carved(0);
    assert!(!left_alone.visible.worn.is_empty(), "nothing to mend");
    let expected = answers(&left_alone);
    assert!(expected.iter().flatten().count() > 100);
    for work in [150, 600, u64::MAX] {
        let (mut world, moments) = carved(work);
        assert_eq!(moments.is_empty(), work == u64::MAX, "at once");
        assert_eq!(carved(work).1, moments, "the same ticks again");
        assert_eq!(world.hash(), left_alone.hash());
        assert_eq!(answers(&world), expected);
        for _ in 0..1000 {
            world.rebuild_worn_trees(work, &mut Silent);
        }
        assert!(world.visible.worn.is_empty());
        let is_worn = |room: &Room| room.tree.needs_rebuild();
        assert!(!world.visible.rooms.iter().any(is_worn));
        assert!(
            world
                .visible
                .editors
                .iter()
                .all(|editor| editor.rebuild.is_none())
        );
        assert_eq!(answers(&world), expected);
        check(&world);
    }
}

#[test]
fn a_tree_in_the_making_is_dropped_where_settings_or_an_undo_make_it_stale() {
    let (mut world, _) = carved(0);
    world.rebuild_worn_trees(1, &mut Silent);
    assert!(
        world
            .visible
            .editors
            .iter()
            .any(|editor| editor.rebuild.is_some())
    );
    let expected = answers(&world);
    let params = BuildParams {
        faces_per_bin: 3,
        ..BuildParams::default()
    };
    world.rebuild_trees(&params, &mut Silent);
    assert!(
        world
            .visible
            .editors
            .iter()
            .all(|editor| editor.rebuild.is_none())
    );
    assert!(world.visible.worn.is_empty());
    world.rebuild_worn_trees(u64::MAX, &mut Silent);
    assert_eq!(answers(&world), expected);
}
