//! The experiment of 2001: how many faces does each method of culling leave for the exact test of a swept sphere?
//!
//! Schroeder (Collision Detection Using Ray Casting, 2001) tests every polygon's box, first against the box around the
//! whole path, then the path as a segment against the polygon's box grown by the radius. He says that the second leaves
//! about half, and then puts the boxes into a tree. Here all three run on the same queries.
use super::mesh::{Mesh, Triangle};
use super::mesh_bvh::Bvh;
use super::quality::Query;
use super::traverse::QueryStats;
use crate::collide::{intersect_segment_grown_aabb, overlap_aabb_aabb};
use crate::geom::{Aabb, Segment};

listed_enum! {
    /// A method of culling, in the order in which they were invented. Its name stands in the window.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Culling {
        /// The box around the path against each face's box.
        Boxes = "box against box",
        /// The path against each face's box grown by the radius, by outcodes.
        Segment = "segment against grown box",
        /// The tree, cut off at the closest hit so far.
        Tree = "tree",
    }
}

/// A mesh with the box of each live face and its tree.
pub struct Culled<'a> {
    mesh: &'a Mesh,
    tree: &'a Bvh,
    boxes: Vec<Aabb>,
}

impl<'a> Culled<'a> {
    /// Computes the boxes. `tree` must be the tree of `mesh`.
    pub fn new(mesh: &'a Mesh, tree: &'a Bvh) -> Self {
        let around = |t: &Triangle| {
            let corner = |i: u32| mesh.positions.get(i as usize).copied();
            let [a, b, c] = t.corners;
            Aabb::from_points([corner(a)?, corner(b)?, corner(c)?])
        };
        let boxes = mesh.triangles.iter().filter_map(around).collect();
        Self { mesh, tree, boxes }
    }

    /// Number of faces.
    pub fn count(&self) -> usize {
        self.boxes.len()
    }

    /// Number of faces left for the exact test.
    pub fn left(&self, culling: Culling, query: &Query) -> u64 {
        let path = Segment {
            from: query.from,
            to: query.to,
        };
        match culling {
            Culling::Boxes => {
                let around = path.bounds().grow(query.radius);
                let meets = |b: &&Aabb| overlap_aabb_aabb(b, &around);
                self.boxes.iter().filter(meets).count() as u64
            }
            Culling::Segment => {
                let meets =
                    |b: &&Aabb| intersect_segment_grown_aabb(&path, b, query.radius).is_some();
                self.boxes.iter().filter(meets).count() as u64
            }
            Culling::Tree => {
                let mut stats = QueryStats::default();
                // Only the cost is of interest.
                let _ = self.tree.sweep_sphere(
                    self.mesh,
                    query.from,
                    query.to,
                    query.radius,
                    &mut stats,
                );
                stats.faces
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::BuildParams;
    use crate::geom::rng::Rng;
    use glam::DVec3;

    /// Triangles of half a metre all over a hall.
    fn hall() -> Mesh {
        let mut rng = Rng::new(3);
        let mut mesh = Mesh::default();
        for i in 0..2000 {
            let at = DVec3::new(
                rng.range(-9.0, 9.0),
                rng.range(-3.0, 3.0),
                rng.range(-9.0, 9.0),
            );
            mesh.positions
                .extend([0; 3].map(|_| at + rng.unit_vector() * 0.3));
            mesh.triangles.push(Triangle {
                corners: [3 * i, 3 * i + 1, 3 * i + 2],
                face: i,
                key: i.into(),
            });
        }
        mesh.triangles.push(Triangle::DEAD);
        mesh
    }

    #[test]
    fn each_way_leaves_fewer_faces_and_never_loses_the_one_that_is_hit() {
        let mesh = hall();
        let tree = Bvh::build(&mesh, &BuildParams::default());
        let culled = Culled::new(&mesh, &tree);
        assert_eq!(culled.count(), 2000);
        let mut rng = Rng::new(1);
        let (mut left, mut hits) = ([0; 3], 0);
        for _ in 0..500 {
            let from = DVec3::new(
                rng.range(-9.0, 9.0),
                rng.range(-3.0, 3.0),
                rng.range(-9.0, 9.0),
            );
            let query = Query {
                from,
                to: from + rng.unit_vector() * rng.range(0.05, 4.0),
                radius: rng.range(0.0, 0.4),
            };
            let counts = Culling::ALL.map(|culling| culled.left(culling, &query));
            assert!(counts[1] <= counts[0], "{query:?}");
            let stats = &mut QueryStats::default();
            let hit = tree.sweep_sphere(&mesh, query.from, query.to, query.radius, stats);
            if let Some(hit) = hit {
                hits += 1;
                assert!(counts.iter().all(|count| *count > 0));
                let corners = mesh.triangles[hit.triangle as usize].corners;
                let face =
                    Aabb::from_points(corners.map(|i| mesh.positions[i as usize])).expect("three");
                let path = Segment {
                    from: query.from,
                    to: query.to,
                };
                assert!(intersect_segment_grown_aabb(&path, &face, query.radius + 1e-9).is_some());
            }
            left.iter_mut()
                .zip(counts)
                .for_each(|(sum, count)| *sum += count);
        }
        assert!(hits > 100, "{hits}");
        assert!(left[1] < left[0] && left[2] < left[1], "{left:?}");
    }
}
