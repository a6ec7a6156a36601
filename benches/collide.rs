//! Trees, rays and sweeps on a room with pillars and bumpy walls: `cargo bench --bench collide`.
use breach::bvh::{BuildParams, Bvh, Mesh, MeshHit, QueryStats, SplitRule};
use breach::geom::rng::Rng;
use breach::geom::{Aabb, hash::Hash64};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::DVec3;
use std::hint::black_box;

#[path = "../tests/block/mod.rs"]
mod block;
use block::add_block;

/// 40 × 12 × 32 m with eight pillars; about `12 n² + 8 · 12 m²` triangles.
fn room(n: u32, m: u32) -> Mesh {
    let bump = |p: DVec3| {
        let mut hash = Hash64::new();
        hash.vec3(p);
        p + Rng::new(hash.finish()).unit_vector() * 0.04
    };
    let mut mesh = Mesh::default();
    add_block(&mut mesh, n, true, |p| {
        bump(p * DVec3::new(20.0, 6.0, 16.0))
    });
    for i in 0..8u32 {
        let centre = DVec3::new(
            f64::from(i % 4) * 9.0 - 13.5,
            0.0,
            f64::from(i / 4) * 14.0 - 7.0,
        );
        add_block(&mut mesh, m, false, |p| {
            bump(centre + p * DVec3::new(1.0, 5.9, 1.0))
        });
    }
    mesh
}

fn sizes() -> [(&'static str, Mesh); 3] {
    [
        ("2k", room(9, 3)),
        ("20k", room(35, 9)),
        ("200k", room(110, 23)),
    ]
}

fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    group.sample_size(20);
    for (name, mesh) in &sizes() {
        for split in [
            SplitRule::Midpoint,
            SplitRule::Median,
            SplitRule::Mean,
            SplitRule::Sah,
        ] {
            let params = BuildParams {
                split,
                ..Default::default()
            };
            group.bench_function(BenchmarkId::new(format!("{split:?}"), name), |b| {
                b.iter(|| Bvh::build(black_box(mesh), &params));
            });
        }
    }
    group.finish();
}

const COUNT: usize = 2000;

/// Starts in the air: `near` ones 2 cm to 30 cm from a surface, found by a ray.
fn paths(mesh: &Mesh, tree: &Bvh, near: bool, aimed: bool, length: f64) -> Vec<(DVec3, DVec3)> {
    let mut rng = Rng::new(1);
    let inner = Aabb {
        min: DVec3::new(-19.0, -5.5, -15.0),
        max: DVec3::new(19.0, 5.5, 15.0),
    };
    let mut found = Vec::with_capacity(COUNT);
    while found.len() < COUNT {
        let mut from = rng.in_box(&inner);
        let mut dir = rng.unit_vector();
        let Some(hit) = ray(tree, mesh, from, from + dir * 100.0) else {
            continue;
        };
        if near {
            from = hit.point + hit.normal * rng.range(0.12, 0.15);
            dir = rng.unit_vector();
        }
        if aimed {
            let [a, b, _] = mesh.triangles[hit.triangle as usize]
                .corners
                .map(|i| mesh.positions[i as usize]);
            dir = (a + (b - a) * rng.unit_f64() - from).normalize();
        }
        found.push((from, from + dir * length));
    }
    found
}

fn ray(tree: &Bvh, mesh: &Mesh, from: DVec3, to: DVec3) -> Option<MeshHit> {
    tree.cast_ray(mesh, from, to, &mut QueryStats::default())
}

fn queries(c: &mut Criterion) {
    let mut group = c.benchmark_group("query");
    group.throughput(Throughput::Elements(COUNT as u64));
    for (name, mesh) in &sizes()[..2] {
        let tree = Bvh::build(mesh, &BuildParams::default());
        let sets = [
            ("sweep near 5 cm", true, false, 0.05),
            ("sweep anywhere 5 cm", false, false, 0.05),
            ("sweep near 2 m", true, false, 2.0),
            ("sweep anywhere 2 m", false, false, 2.0),
            ("sweep at edges 1 cm", true, true, 0.01),
            ("sweep at edges 8.3 m", true, true, 8.3),
        ];
        for (what, near, aimed, length) in sets {
            let paths = paths(mesh, &tree, near, aimed, length);
            group.bench_function(BenchmarkId::new(what, name), |b| {
                b.iter(|| {
                    let mut stats = QueryStats::default();
                    let hits = paths.iter().filter_map(|&(from, to)| {
                        tree.sweep_sphere(mesh, from, to, 0.1, &mut stats)
                    });
                    black_box(hits.count())
                });
            });
        }
        let rays = paths(mesh, &tree, false, false, 100.0);
        group.bench_function(BenchmarkId::new("ray random", name), |b| {
            b.iter(|| {
                black_box(
                    rays.iter()
                        .filter_map(|&(from, to)| ray(&tree, mesh, from, to))
                        .count(),
                )
            });
        });
    }
    group.finish();
}

criterion_group!(benches, build, queries);
criterion_main!(benches);
