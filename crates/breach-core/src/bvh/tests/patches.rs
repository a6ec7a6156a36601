//! Patches against the trees that they were gathered from, and against every triangle.
use super::*;
use crate::bvh::touch::Touch;
use std::collections::BTreeSet;

/// A touch as bits, to be compared and sorted.
fn bits(touch: &Touch) -> [u64; 8] {
    let (p, n) = (touch.point.to_array(), touch.normal.to_array());
    let all = [p[0], p[1], p[2], n[0], n[1], n[2], touch.distance];
    let mut bits = [u64::from(touch.is_face); 8];
    bits[1..]
        .iter_mut()
        .zip(all)
        .for_each(|(bit, x)| *bit = x.to_bits());
    bits
}

/// A rough room and a cut floor in it, with their trees.
fn surfaces(n: u32) -> [(Mesh, Bvh); 2] {
    [room(n, 0.05), cut_floor(n)].map(|mesh| {
        let tree = Bvh::build(&mesh, &BuildParams::default());
        (mesh, tree)
    })
}

#[test]
fn a_patch_touches_what_its_trees_touch() {
    let mut rng = Rng::new(31);
    let (mut touched, mut far) = (0, 0);
    // From a few faces to more than 64 groups of 8.
    for n in [1, 3, 9, 24] {
        let surfaces = surfaces(n);
        let trees = surfaces.each_ref().map(|(_, tree)| tree);
        for _ in 0..60 {
            let (mesh, _) = &surfaces[rng.below(2) as usize];
            let size = rng.range(0.02, 4.0);
            let middle = surface_point(mesh, &mut rng) + rng.unit_vector() * size * 0.5;
            let bounds = Aabb::from_centre(middle, DVec3::splat(size));
            let mut stats = QueryStats::default();
            let patch = Patch::gather(&trees, &bounds, &mut stats);
            for _ in 0..10 {
                let reach = size * rng.range(0.0, 0.5);
                let centre = middle + rng.unit_vector() * (size - reach) * rng.unit_f64();
                let mut found = BTreeSet::new();
                patch.each_touch(centre, reach, |touch| {
                    assert!(found.insert(bits(&touch)), "once");
                });
                let mut expected = BTreeSet::new();
                for tree in trees {
                    tree.each_touch(centre, reach, &mut stats, |touch| {
                        expected.insert(bits(&touch));
                    });
                }
                assert_eq!(found, expected);
                touched += found.len();
                far += usize::from(found.is_empty());
            }
        }
    }
    assert!(touched > 1000 && far > 100, "{touched} {far}");
}

#[test]
fn the_clearance_of_a_patch_is_the_distance_to_the_nearest_triangle() {
    let mut rng = Rng::new(32);
    let mut limited = 0;
    for n in [1, 5, 24] {
        let surfaces = surfaces(n);
        let trees = surfaces.each_ref().map(|(_, tree)| tree);
        for _ in 0..200 {
            let (mesh, _) = &surfaces[rng.below(2) as usize];
            let size = rng.range(0.01, 3.0);
            let centre =
                surface_point(mesh, &mut rng) + rng.unit_vector() * size * rng.unit_f64() * 1.5;
            let bounds = Aabb::from_centre(centre, DVec3::splat(size));
            let patch = Patch::gather(&trees, &bounds, &mut QueryStats::default());
            let nearest = surfaces.each_ref().map(|(mesh, _)| distance(mesh, centre));
            let expected = nearest[0].min(nearest[1]).min(size);
            let found = patch.clearance(centre, size);
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            limited += usize::from(found == size);
        }
    }
    assert!((20..500).contains(&limited), "{limited}");
}

#[test]
fn a_patch_of_nothing_touches_nothing() {
    let surfaces = surfaces(2);
    let trees = surfaces.each_ref().map(|(_, tree)| tree);
    let nowhere = Aabb::from_centre(DVec3::splat(1e6), DVec3::ONE);
    for (trees, bounds) in [
        (&trees[..], nowhere),
        (&[], Aabb::from_centre(DVec3::ZERO, DVec3::ONE)),
    ] {
        let patch = Patch::gather(trees, &bounds, &mut QueryStats::default());
        patch.each_touch(bounds.centre(), 1.0, |touch| panic!("{touch:?}"));
        assert_eq!(patch.clearance(bounds.centre(), 1.0), 1.0);
    }
}
