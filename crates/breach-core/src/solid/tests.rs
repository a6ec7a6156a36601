//! The graph against closed forms, and against the faces of levels.
use super::*;
use crate::carve::BrushDesc;
use crate::geom::rng::Rng;
use crate::geom::{Aabb, mass};
use crate::world::World;
use glam::{DVec3, dvec3};
use rustc_hash::FxHashSet;

/// All nodes that bonds reach from the solid around a point.
fn reached(graph: &mut SolidGraph, world: &World, from: DVec3, most: usize) -> Vec<NodeId> {
    let start = (Lattice::default().block_at(from), 0);
    let mut seen: FxHashSet<NodeId> = FxHashSet::default();
    let mut list = vec![start];
    seen.insert(start);
    let mut next = 0;
    while next < list.len() && list.len() < most {
        for bond in graph.bonds(world, list[next]) {
            if seen.insert(bond.to) {
                list.push(bond.to);
            }
        }
        next += 1;
    }
    list
}

/// Volume and centroid of nodes.
fn sum(graph: &mut SolidGraph, world: &World, nodes: &[NodeId]) -> (f64, DVec3) {
    let (mut volume, mut first) = (0.0, DVec3::ZERO);
    for &id in nodes {
        let node = graph.node(world, id);
        volume += node.volume_m3;
        first += node.centre * node.volume_m3;
    }
    (volume, first / volume)
}

/// The same of all triangles of a world with one floating solid, bounds left out.
fn sum_of_surface(world: &World) -> (f64, DVec3) {
    let inner = world.bounds().grow(-0.01);
    let mut corners = Vec::new();
    for room in (0..world.room_count()).map(|id| world.room(id as u32)) {
        for triangle in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let points = triangle.corners.map(|c| room.mesh.positions[c as usize]);
            if points.iter().all(|&p| inner.contains(p)) {
                corners.push(points);
            }
        }
    }
    let mass = mass::mass_properties(DVec3::ZERO, corners.into_iter());
    (mass.volume, mass.centre)
}

#[test]
fn a_box_is_the_sum_of_its_blocks() {
    let mut rng = Rng::new(3);
    for _ in 0..20 {
        let lo = dvec3(
            rng.range(-3.0, 0.0),
            rng.range(-3.0, 0.0),
            rng.range(-3.0, 0.0),
        );
        let size = dvec3(
            rng.range(0.05, 3.0),
            rng.range(0.05, 3.0),
            rng.range(0.05, 3.0),
        );
        let world = World::solid_box(lo, lo + size).expect("a box");
        let mut graph = SolidGraph::default();
        let nodes = reached(&mut graph, &world, lo + size / 2.0, 100_000);
        let (volume, centre) = sum(&mut graph, &world, &nodes);
        let (expected, middle) = sum_of_surface(&world);
        assert!((volume - expected).abs() < 1e-6, "{volume} {expected}");
        assert!(centre.abs_diff_eq(middle, 1e-5), "{centre} {middle}");
        assert_eq!(graph.faults(&world), [""; 0]);
    }
}

#[test]
fn the_cross_section_of_a_bar_is_its_bond() {
    // A bar along x, 0.3 m by 0.2 m, within one row of blocks.
    let (lo, hi) = (dvec3(0.1, 0.1, 0.1), dvec3(5.1, 0.4, 0.3));
    let world = World::solid_box(lo, hi).expect("a bar");
    let mut graph = SolidGraph::default();
    let id = (Lattice::default().block_at(dvec3(2.3, 0.2, 0.2)), 0);
    let bonds = graph.bonds(&world, id);
    assert_eq!(bonds.iter().map(|b| b.side).collect::<Vec<_>>(), [0, 1]);
    for bond in bonds {
        let p = bond.portal;
        let [v2, u2, uv] = p.second_moments;
        assert!((p.area_m2 - 0.06).abs() < 1e-4, "{p:?}");
        // u is y, v is z.
        assert!((v2 - 0.3 * 0.2f64.powi(3) / 12.0).abs() < 1e-6, "{p:?}");
        assert!((u2 - 0.2 * 0.3f64.powi(3) / 12.0).abs() < 1e-6, "{p:?}");
        assert!(uv.abs() < 1e-12);
        assert!(p.centre.abs_diff_eq(glam::dvec2(0.25, 0.2), 1e-3));
    }
}

#[test]
fn two_plates_in_one_block_are_two_nodes() {
    // Two plates of 0.1 m, 0.1 m apart, joined by a wall at one end.
    let mut world = World::solid_box(dvec3(0.0, 0.1, 0.0), dvec3(4.0, 0.4, 2.0)).expect("a box");
    let gap = BrushDesc::cuboid(dvec3(0.8, 0.2, -1.0), dvec3(5.0, 0.3, 3.0)).expect("a gap");
    world.carve(&gap).expect("a carve");
    let mut graph = SolidGraph::default();
    let block = graph.block(&world, Lattice::default().block_at(dvec3(2.2, 0.2, 1.2)));
    assert_eq!(block.nodes.len(), 2);
    assert!((block.nodes[0].volume_m3 - 0.025).abs() < 1e-4);
    // All of it hangs together around the end.
    let nodes = reached(&mut graph, &world, dvec3(0.3, 0.2, 0.3), 100_000);
    let (volume, _) = sum(&mut graph, &world, &nodes);
    assert!(
        (volume - (4.0 * 0.3 - 3.2 * 0.1) * 2.0).abs() < 1e-3,
        "{volume}"
    );
}

#[test]
fn a_bubble_is_subtracted_from_the_block_around_it() {
    let mut world = World::solid_box(DVec3::splat(-2.0), DVec3::splat(2.0)).expect("a box");
    let bubble = BrushDesc::ball(DVec3::splat(0.25), 0.1).expect("a ball");
    let air = world.carve(&bubble).expect("a carve").report.volume_m3;
    let mut graph = SolidGraph::default();
    let block = graph.block(&world, Lattice::default().block_at(DVec3::splat(0.25)));
    assert_eq!(block.nodes.len(), 1);
    assert!((block.nodes[0].volume_m3 - (0.125 - air)).abs() < 1e-8);
}

#[test]
fn carved_solids_keep_their_volume_and_forgotten_blocks_are_enough() {
    let mut rng = Rng::new(11);
    for round in 0..12 {
        let mut world =
            World::solid_box(dvec3(-2.0, -1.0, -2.0), dvec3(2.0, 1.5, 2.0)).expect("a box");
        let mut graph = SolidGraph::default();
        for _ in 0..12 {
            let all = Aabb {
                min: dvec3(-3.0, -2.0, -3.0),
                max: dvec3(3.0, 3.0, 3.0),
            };
            Lattice::default()
                .blocks_in(&all)
                .for_each(|block| drop(graph.block(&world, block)));
            let at = dvec3(
                rng.range(-2.0, 2.0),
                rng.range(-1.0, 1.5),
                rng.range(-2.0, 2.0),
            );
            let radius = rng.range(0.1, 0.9);
            let ball = BrushDesc::ball(at, radius).expect("a ball");
            let carved = world.carve(&ball).expect("a carve");
            let mut changed = Aabb::from_centre(at, DVec3::splat(radius + 0.01));
            for piece in &carved.pieces {
                changed = changed.union(&piece.solid.bounds);
            }
            graph.forget(&changed);
            let nodes: Vec<NodeId> = Lattice::default()
                .blocks_in(&all)
                .flat_map(|block| {
                    let count = graph.block(&world, block).nodes.len() as u16;
                    (0..count).map(move |node| (block, node))
                })
                .collect();
            let (volume, centre) = sum(&mut graph, &world, &nodes);
            let (expected, middle) = sum_of_surface(&world);
            assert!(
                (volume - expected).abs() < 1e-6,
                "{round}: {volume} {expected}"
            );
            assert!(
                centre.abs_diff_eq(middle, 1e-5),
                "{round}: {centre} {middle}"
            );
            assert_eq!(graph.faults(&world), [""; 0]);
        }
    }
}

#[test]
fn what_is_kept_is_bounded_and_changes_no_answer() {
    let mut world = World::solid_box(DVec3::ZERO, DVec3::splat(30.0)).expect("a box");
    let ball = BrushDesc::ball(DVec3::splat(1.0), 0.8).expect("a ball");
    world.carve(&ball).expect("a carve");
    let mut graph = SolidGraph::default();
    let first: Vec<BlockId> = Lattice::default()
        .blocks_in(&Aabb::from_centre(DVec3::ZERO, DVec3::splat(2.0)))
        .collect();
    let before: Vec<Block> = first
        .iter()
        .map(|&id| (*graph.block(&world, id)).clone())
        .collect();
    let mut has_forgotten = false;
    for id in
        Lattice::default().blocks_in(&Aabb::from_centre(DVec3::splat(15.0), DVec3::splat(16.0)))
    {
        let count = graph.block_count();
        graph.block(&world, id);
        has_forgotten |= graph.block_count() < count;
        assert!(graph.bytes() < graph::MOST_BYTES + (1 << 16));
    }
    assert!(has_forgotten);
    for (id, known) in first.into_iter().zip(before) {
        assert_eq!(*graph.block(&world, id), known);
    }
}
