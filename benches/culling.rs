//! The culling experiment of 2001 on a room with pillars and bumpy walls: `cargo bench --bench culling`. Says first how
//! many faces each way leaves, then measures what a query costs.
use breach::bvh::culling::{Culled, Culling};
use breach::bvh::quality::{Query, sample_queries};
use breach::bvh::{BuildParams, Bvh, Mesh};
use breach::geom::rng::Rng;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::DVec3;
use std::hint::black_box;

#[path = "../tests/block/mod.rs"]
mod block;
use block::add_block;

/// 40 × 12 × 32 m with eight pillars: 20,000 triangles.
fn room() -> Mesh {
    let mut rng = Rng::new(1);
    let mut mesh = Mesh::default();
    let mut bumpy = |n: u32, inwards: bool, centre: DVec3, half: DVec3| {
        add_block(&mut mesh, n, inwards, |p| centre + p * half);
    };
    bumpy(35, true, DVec3::ZERO, DVec3::new(20.0, 6.0, 16.0));
    for i in 0..8u32 {
        let at = DVec3::new(
            f64::from(i % 4) * 9.0 - 13.5,
            0.0,
            f64::from(i / 4) * 14.0 - 7.0,
        );
        bumpy(9, false, at, DVec3::new(1.0, 5.9, 1.0));
    }
    for position in &mut mesh.positions {
        *position += rng.unit_vector() * 0.02;
    }
    mesh
}

type Kind = fn(&Query) -> bool;

fn culling(c: &mut Criterion) {
    let mesh = room();
    let tree = Bvh::build(&mesh, &BuildParams::default());
    let culled = Culled::new(&mesh, &tree);
    let all = sample_queries(&mesh, 1000, 1);
    let sets: [(&str, Kind); 2] = [
        ("steps", |q| q.radius > 0.0 && q.from.distance(q.to) < 1.0),
        ("flights of 5 m", |q| {
            q.radius > 0.0 && q.from.distance(q.to) > 1.0
        }),
    ];
    let mut group = c.benchmark_group("culling");
    group.sample_size(20);
    for (name, kind) in sets {
        let queries: Vec<Query> = all.iter().copied().filter(kind).collect();
        group.throughput(Throughput::Elements(queries.len() as u64));
        for way in Culling::ALL {
            let left: u64 = queries.iter().map(|query| culled.left(way, query)).sum();
            let mean = left as f64 / queries.len() as f64;
            println!(
                "{name}, {}: {mean:.1} of {} faces left",
                way.name(),
                culled.count()
            );
            group.bench_function(BenchmarkId::new(way.name(), name), |b| {
                b.iter(|| {
                    queries
                        .iter()
                        .map(|query| culled.left(way, black_box(query)))
                        .sum::<u64>()
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, culling);
criterion_main!(benches);
