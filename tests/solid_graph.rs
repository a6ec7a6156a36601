//! The solid graph of whole levels against their surface: the same air, and the same floating solids, before and after
//! carves.
use breach::geom::Aabb;
use breach::geom::rng::Rng;
use breach::level;
use breach::solid::{BlockId, Lattice, SolidGraph};
use breach::timing::Silent;
use breach::world::{BrushDesc, World};
use glam::DVec3;
use std::collections::HashMap;

/// Disjoint sets of numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn find(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// Volumes of the solids that hang in the air, ascending: triangles connected by edges that enclose solid.
fn floating_by_surface(world: &World) -> Vec<f64> {
    let mut corners: Vec<[DVec3; 3]> = Vec::new();
    for room in (0..world.room_count()).map(|id| world.room(id as u32)) {
        let live = room.mesh.triangles.iter().filter(|t| t.is_live());
        corners.extend(live.map(|t| t.corners.map(|c| room.mesh.positions[c as usize])));
    }
    let mut sets = Sets((0..corners.len()).collect());
    let mut edges: HashMap<[[u64; 3]; 2], usize> = HashMap::new();
    for (i, triangle) in corners.iter().enumerate() {
        for k in 0..3 {
            let bits = |p: DVec3| (p + 0.0).to_array().map(f64::to_bits);
            let (a, b) = (bits(triangle[k]), bits(triangle[(k + 1) % 3]));
            let first = *edges.entry([a.min(b), a.max(b)]).or_insert(i);
            sets.join(first, i);
        }
    }
    let mut volumes: HashMap<usize, f64> = HashMap::new();
    for (i, [a, b, c]) in corners.iter().enumerate() {
        *volumes.entry(sets.find(i)).or_default() += a.dot(b.cross(*c)) / 6.0;
    }
    let mut volumes: Vec<f64> = volumes.into_values().filter(|&v| v > 0.0).collect();
    volumes.sort_by(f64::total_cmp);
    volumes
}

/// A box around the surface, with a block of rock on each side.
fn surface_bounds(world: &World, lattice: Lattice) -> Aabb {
    let mut around = Aabb::EMPTY;
    for room in (0..world.room_count()).map(|id| world.room(id as u32)) {
        let live = room.mesh.triangles.iter().filter(|t| t.is_live());
        for corner in live.flat_map(|t| t.corners) {
            around = around.with_point(room.mesh.positions[corner as usize]);
        }
    }
    around.grow(lattice.block_m())
}

/// The same by the graph, and the air of all blocks.
fn floating_by_graph(world: &World, graph: &mut SolidGraph) -> (Vec<f64>, f64) {
    let lattice = graph.lattice();
    let around = surface_bounds(world, lattice);
    let blocks: Vec<BlockId> = lattice.blocks_in(&around).collect();
    let mut numbers: HashMap<(BlockId, u16), usize> = HashMap::new();
    let mut volumes = Vec::new();
    let mut air = 0.0;
    for &block in &blocks {
        let nodes = &graph.block(world, block).nodes;
        air += lattice.block_m().powi(3);
        for (number, node) in (0u16..).zip(nodes) {
            air -= node.volume_m3;
            numbers.insert((block, number), volumes.len());
            volumes.push(node.volume_m3);
        }
    }
    // The last set is the rock beyond the surface.
    let outside = volumes.len();
    let mut sets = Sets((0..=outside).collect());
    for (&id, &number) in &numbers {
        for bond in graph.bonds(world, id) {
            match numbers.get(&bond.to) {
                Some(&other) => sets.join(number, other),
                None => sets.join(number, outside),
            }
        }
    }
    let rock = sets.find(outside);
    let mut floating: HashMap<usize, f64> = HashMap::new();
    for (number, volume) in volumes.iter().enumerate() {
        let set = sets.find(number);
        if set != rock {
            *floating.entry(set).or_default() += volume;
        }
    }
    let mut floating: Vec<f64> = floating.into_values().collect();
    floating.sort_by(f64::total_cmp);
    (floating, air)
}

fn check(world: &World, graph: &mut SolidGraph, name: &str) {
    let (floating, air) = floating_by_graph(world, graph);
    let expected = world.census().air_volume_m3;
    assert!(
        (air - expected).abs() < 1e-6 * expected,
        "{name}: {air} of {expected} m³ of air"
    );
    let by_surface = floating_by_surface(world);
    assert_eq!(
        floating.len(),
        by_surface.len(),
        "{name}: {floating:?} {by_surface:?}"
    );
    for (a, b) in floating.iter().zip(&by_surface) {
        assert!(
            (a - b).abs() < 1e-5 * b.max(1.0),
            "{name}: {floating:?} {by_surface:?}"
        );
    }
    let faults = graph.faults(world);
    assert!(
        faults.is_empty(),
        "{name}: {} faults, {:?}",
        faults.len(),
        faults[0]
    );
}

fn check_level(path: &str, lattice: Lattice, carves: usize, seed: u64) {
    let map = std::fs::read(path).expect(path);
    let desc = level::read_map(&map).expect(path);
    let mut world = World::build(&desc.world, &Default::default(), &mut Silent).expect(path);
    let mut graph = SolidGraph::new(lattice);
    check(&world, &mut graph, path);
    let mut rng = Rng::new(seed);
    let bounds = surface_bounds(&world, lattice);
    for carve in 0..carves {
        let part = DVec3::new(
            rng.range(0.0, 1.0),
            rng.range(0.0, 1.0),
            rng.range(0.0, 1.0),
        );
        let at = bounds.min + bounds.size() * part;
        let Ok(ball) = BrushDesc::ball(at, rng.range(0.2, 2.0)) else {
            continue;
        };
        let Ok(carved) = world.carve(&ball) else {
            continue;
        };
        let mut changed = Aabb::from_centre(at, DVec3::splat(2.1));
        for piece in &carved.pieces {
            changed = changed.union(&piece.solid.bounds);
        }
        graph.forget(&changed);
        if carve % 20 == 19 {
            check(&world, &mut graph, path);
        }
    }
}

#[test]
fn the_graph_of_a_level_has_its_air_and_its_floating_solids() {
    for (seed, block_m) in (1..).zip(Lattice::SIZES) {
        check_level("levels/scenes/sheet.map", Lattice::new(block_m), 20, seed);
    }
}

#[test]
#[ignore = "minutes: every level"]
fn the_graph_of_every_level_has_its_air_and_its_floating_solids() {
    for folder in ["levels", "levels/scenes", "../shared/levels"] {
        let Ok(files) = std::fs::read_dir(folder) else {
            println!("NOT RUN: levels of {folder}, as it is absent");
            continue;
        };
        for file in files {
            let path = file.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "map") {
                println!("{}", path.display());
                check_level(path.to_str().expect("a name"), Lattice::default(), 20, 2);
            }
        }
    }
}
