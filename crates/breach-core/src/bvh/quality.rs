//! How good is a tree? Its bins, their overlap, and the cost of a list of queries.
//!
//! Counts only, no times. So two settings can be compared on the same queries with the same numbers on every machine.
//!
//! ```
//! use breach_core::bvh::{BuildParams, Bvh, Mesh, Triangle, quality};
//! use glam::DVec3;
//! let floor = Mesh {
//!     positions: vec![DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0],
//!     triangles: vec![Triangle { corners: [0, 1, 2], face: 0, key: 0 }],
//! };
//! let queries = quality::sample_queries(&floor, 100, 1);
//! let tree = quality::measure(&floor, &BuildParams::default(), &queries);
//! assert_eq!((tree.bins, tree.depth, tree.faces), (1, 0, 1));
//! ```
use super::mesh::{Mesh, triangle_corners};
use super::mesh_bvh::Bvh;
use super::params::BuildParams;
use super::traverse::QueryStats;
use crate::geom::rng::Rng;
use glam::DVec3;

/// A swept sphere; radius 0 is a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Start of the centre, metres.
    pub from: DVec3,
    /// End of the centre, metres.
    pub to: DVec3,
    /// Metres, not negative.
    pub radius: f64,
}

/// Quality of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeQuality {
    /// Work of the build and of updates: triangles visited.
    pub work: u64,
    /// Bins of the binary tree.
    pub bins: usize,
    /// Deepest level in use.
    pub depth: u32,
    /// Triangles in the tree.
    pub faces: usize,
    /// Volume that the two halves of bins share, summed, cubic metres.
    pub overlap_volume: f64,
    /// Cost by the surface area heuristic: expected bins visited and triangles tested by a line through the root.
    pub sah_cost: f64,
    /// Bins visited per query; of the eight-wide tree, so fewer than in a binary one.
    pub bins_per_query: f64,
    /// Triangles tested per query.
    pub faces_per_query: f64,
    /// Part of the queries that hit something, 0..=1.
    pub hits: f64,
}

/// Builds a tree and runs the queries.
pub fn measure(mesh: &Mesh, params: &BuildParams, queries: &[Query]) -> TreeQuality {
    quality(&Bvh::build(mesh, params), mesh, queries)
}

/// Quality of an existing tree.
pub fn quality(tree: &Bvh, mesh: &Mesh, queries: &[Query]) -> TreeQuality {
    let mut quality = TreeQuality {
        work: tree.tree.work,
        depth: tree.depth(),
        faces: tree.face_count(),
        ..TreeQuality::default()
    };
    let mut root = 0.0;
    tree.tree.each_binary_node(&mut |bin| {
        quality.bins += 1;
        quality.overlap_volume += bin.overlap;
        let area = f64::from(bin.bounds.area());
        if bin.level == 0 {
            root = area;
        }
        quality.sah_cost += area * f64::from(1 + bin.faces);
    });
    quality.sah_cost = if root > 0.0 {
        quality.sah_cost / root
    } else {
        0.0
    };
    let mut stats = QueryStats::default();
    let mut hits = 0u64;
    for query in queries {
        let hit = tree.sweep_sphere(mesh, query.from, query.to, query.radius, &mut stats);
        hits += u64::from(hit.is_some());
    }
    let each = |n: u64| n as f64 / queries.len().max(1) as f64;
    quality.bins_per_query = each(stats.bins);
    quality.faces_per_query = each(stats.faces);
    quality.hits = each(hits);
    quality
}

/// Seeded queries as the game makes them, from points in front of random triangles: long rays, walking steps, flights
/// and slow ticks in turn. Empty if the mesh has no triangle.
pub fn sample_queries(mesh: &Mesh, count: usize, seed: u64) -> Vec<Query> {
    let triangles = mesh.triangles.iter();
    let live: Vec<[DVec3; 3]> = triangles
        .filter_map(|t| triangle_corners(mesh, t))
        .collect();
    if live.is_empty() {
        return Vec::new();
    }
    let mut rng = Rng::new(seed);
    let query = |i: usize| {
        let [a, b, c] = live[rng.below(live.len() as u64) as usize];
        let (u, v) = (rng.unit_f64(), rng.unit_f64());
        let (u, v) = if u + v > 1.0 {
            (1.0 - u, 1.0 - v)
        } else {
            (u, v)
        };
        let normal = crate::geom::unit_or_zero((b - a).cross(c - a));
        let on = a + (b - a) * u + (c - a) * v;
        let (radius, length) = [(0.0, 100.0), (0.3, 0.1), (0.1, 5.0), (0.1, 0.05)][i % 4];
        let from = on + normal * (radius + rng.range(0.001, 1.0));
        Query {
            from,
            to: from + rng.unit_vector() * length,
            radius,
        }
    };
    (0..count).map(query).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{SplitRule, Triangle};

    /// Squares of 1 m on the floor, one every 2 m along a row.
    fn row(count: u32) -> Mesh {
        let mut mesh = Mesh::default();
        for i in 0..count {
            let at = DVec3::X * 2.0 * f64::from(i);
            let corners = [at, at + DVec3::Z, at + DVec3::X];
            mesh.positions.extend(corners);
            mesh.triangles.push(Triangle {
                corners: [3 * i, 3 * i + 1, 3 * i + 2],
                face: i,
                key: i.into(),
            });
        }
        mesh
    }

    #[test]
    fn two_bins_by_hand() {
        let mesh = row(2);
        for split in SplitRule::ALL {
            let params = BuildParams {
                split,
                faces_per_bin: 1,
                ..BuildParams::default()
            };
            let down = |x: f64| Query {
                from: DVec3::new(x, 1.0, 0.3),
                to: DVec3::new(x, -1.0, 0.3),
                radius: 0.0,
            };
            let quality = measure(&mesh, &params, &[down(0.3), down(2.3), down(1.5)]);
            assert_eq!((quality.bins, quality.depth, quality.faces), (3, 1, 2));
            assert_eq!(quality.overlap_volume, 0.0);
            // Root 3 × 1 m, halves 1 × 1 m with one triangle each.
            assert!((quality.sah_cost - (3.0 + 2.0 + 2.0) / 3.0).abs() < 1e-5);
            assert_eq!(
                (quality.hits, quality.faces_per_query),
                (2.0 / 3.0, 2.0 / 3.0)
            );
            assert!(quality.work >= 2);
        }
    }

    #[test]
    fn the_same_queries_tell_settings_apart() {
        let mesh = row(500);
        let queries = sample_queries(&mesh, 1000, 7);
        assert_eq!(queries, sample_queries(&mesh, 1000, 7));
        let of = |faces_per_bin| {
            let params = BuildParams {
                faces_per_bin,
                ..BuildParams::default()
            };
            measure(&mesh, &params, &queries)
        };
        let (fine, coarse) = (of(2), of(64));
        assert_eq!(fine.hits, coarse.hits);
        assert!(fine.bins > coarse.bins && fine.depth > coarse.depth);
        assert!(fine.faces_per_query <= coarse.faces_per_query);
        assert!(fine.sah_cost < coarse.sah_cost);
        assert_eq!(
            measure(&Mesh::default(), &BuildParams::default(), &[]),
            TreeQuality::default()
        );
        assert!(sample_queries(&Mesh::default(), 10, 1).is_empty());
    }
}
