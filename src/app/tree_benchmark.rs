//! Times box trees of the eye's room under two settings, beside the counts of [`crate::bvh::quality`].
use crate::bvh::culling::{Culled, Culling};
use crate::bvh::quality::{Query, quality, sample_queries};
use crate::bvh::{BuildParams, Bvh, Mesh, QueryStats};
use crate::sim::Sim;
use crate::ui::{TreeColumn, TreeTable};
use crate::world::{Revision, RoomId};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of queries, the same for both settings.
const QUERIES: usize = 1000;
/// Number of sweeps in the culling experiment, each of which visits every face of the room.
const SWEEPS: usize = 40;
/// Minimum interval between measurements, so that shooting stays smooth.
const PAUSE: Duration = Duration::from_millis(400);
/// A build that takes longer runs once instead of three times, milliseconds.
const LONG_MS: f64 = 30.0;

/// The last measurements, and their input.
#[derive(Default)]
pub struct TreeBenchmark {
    done: Option<(Asked, TreeTable)>,
    last: Option<Instant>,
}

#[derive(Clone, Copy, PartialEq)]
struct Asked {
    room: RoomId,
    revision: Revision,
    params: [BuildParams; 2],
}

impl TreeBenchmark {
    /// Measures if room, revision or settings have changed.
    pub fn measure(&mut self, sim: &Sim, aside: BuildParams) {
        let Some(room) = sim.eye_room else {
            self.done = None;
            return;
        };
        let asked = Asked {
            room,
            revision: sim.world.room(room).revision,
            params: [sim.settings.tree, aside],
        };
        let is_new = self.done.as_ref().is_none_or(|(known, _)| *known != asked);
        let is_soon = self.last.is_some_and(|last| last.elapsed() < PAUSE);
        if !is_new || is_soon {
            return;
        }
        let mesh = &sim.world.room(room).mesh;
        let queries = sample_queries(mesh, QUERIES, 1);
        let table = TreeTable {
            room,
            queries: queries.len(),
            columns: asked.params.map(|params| column(mesh, params, &queries)),
            culling: culling(mesh, &sim.world.room(room).tree, &queries),
        };
        self.done = Some((asked, table));
        self.last = Some(Instant::now());
    }

    /// The last table.
    pub fn table(&self) -> Option<&TreeTable> {
        self.done.as_ref().map(|(_, table)| table)
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn column(mesh: &Mesh, params: BuildParams, queries: &[Query]) -> TreeColumn {
    let build = || {
        let start = Instant::now();
        let tree = Bvh::build(mesh, &params);
        (milliseconds(start), tree)
    };
    let (first, tree) = build();
    let mut times = vec![first];
    if first < LONG_MS {
        times.extend([build().0, build().0]);
    }
    times.sort_by(f64::total_cmp);
    let start = Instant::now();
    for query in queries {
        let stats = &mut QueryStats::default();
        black_box(tree.sweep_sphere(mesh, query.from, query.to, query.radius, stats));
    }
    let query_us = milliseconds(start) * 1e3 / queries.len().max(1) as f64;
    TreeColumn {
        params,
        build_ms: times[times.len() / 2],
        query_us,
        worth: quality(&tree, mesh, queries),
    }
}

/// For each way: faces left for a sweep, microseconds a sweep.
fn culling(mesh: &Mesh, tree: &Bvh, queries: &[Query]) -> [(f64, f64); 3] {
    let culled = Culled::new(mesh, tree);
    let sweeps = queries
        .iter()
        .filter(|query| query.radius > 0.0)
        .take(SWEEPS);
    let sweeps: Vec<&Query> = sweeps.collect();
    let count = sweeps.len().max(1) as f64;
    Culling::ALL.map(|way| {
        let start = Instant::now();
        let left: u64 = sweeps.iter().map(|query| culled.left(way, query)).sum();
        (left as f64 / count, milliseconds(start) * 1e3 / count)
    })
}
