//! Narrow phase: geometric queries between two shapes. One query per file, the file named after it. f64, metres.
//!
//! | verb | question | answer |
//! |---|---|---|
//! | `intersect_` | ray or segment: where? | a ray's `t` counts in lengths of `dir`, a segment's `fraction` is 0..=1 |
//! | `sweep_` | moving shape: when first? | [`SweepHit`], `fraction` of the displacement |
//! | `overlap_` | standing still: do they touch? | `bool` |
//! | `closest_` | which point is nearest? | the point and where it lies |
//! | `separation_` | how far apart along the best axis? | signed distance and the axis |
//!
//! The first argument is the query shape, the second the target; a miss is `None`. Each file states its equation, its
//! source, and what it does with a start inside, a back face, a touch, and zero length. The queries know neither meshes
//! nor trees; the callers are [`crate::bvh`], the debris and the tools.
//!
//! ```
//! use breach_core::collide::{SphereSweep, sweep_sphere_plane};
//! use breach_core::geom::Plane;
//! use glam::DVec3;
//! let floor = Plane { normal: DVec3::Y, offset: 0.0 };
//! let fall = SphereSweep::new(DVec3::Y * 3.0, DVec3::Y * -1.0, 1.0).unwrap();
//! assert_eq!(sweep_sphere_plane(&fall, &floor).unwrap().fraction, 0.5);
//! ```
mod bounding_sphere;
mod closest_point_segment;
mod closest_point_triangle;
mod extreme_points;
mod interpolate_orientation;
mod intersect_ray_aabb;
mod intersect_ray_obb;
mod intersect_ray_plane;
mod intersect_ray_polygon;
mod intersect_ray_sphere;
mod intersect_ray_triangle;
mod intersect_segment_aabb;
mod layers;
mod overlap_aabb_aabb;
mod overlap_obb_obb;
mod overlap_sphere_aabb;
mod overlap_triangle_triangle;
mod point_in_polygon;
mod ray_from_view;
mod separation_convex_convex_2d;
#[cfg(feature = "sources")]
mod sources;
mod sphere_sweep;
mod sweep_aabb_aabb;
mod sweep_sphere_edge;
mod sweep_sphere_face;
mod sweep_sphere_plane;
mod sweep_sphere_polygon;
mod sweep_sphere_sphere;
mod sweep_sphere_triangle;
mod sweep_sphere_vertex;

pub use bounding_sphere::bounding_sphere;
pub use closest_point_segment::closest_point_segment;
pub use closest_point_triangle::closest_point_triangle;
pub use extreme_points::extreme_points;
pub use interpolate_orientation::interpolate_orientation;
pub use intersect_ray_aabb::{InvDir, intersect_ray_aabb};
pub use intersect_ray_obb::intersect_ray_obb;
pub use intersect_ray_plane::intersect_ray_plane;
pub use intersect_ray_polygon::intersect_ray_polygon;
pub use intersect_ray_sphere::intersect_ray_sphere;
pub use intersect_ray_triangle::{ShearedRay, TriangleHit, intersect_ray_triangle};
pub use intersect_segment_aabb::{Outcode, intersect_segment_aabb, intersect_segment_grown_aabb};
pub use layers::{Layer, Layers};
pub use overlap_aabb_aabb::overlap_aabb_aabb;
pub use overlap_obb_obb::overlap_obb_obb;
pub use overlap_sphere_aabb::overlap_sphere_aabb;
pub use overlap_triangle_triangle::overlap_triangle_triangle;
pub use point_in_polygon::{
    point_in_polygon_angles, point_in_polygon_convex, point_in_polygon_crossings,
    point_in_polygon_quadrants,
};
pub use ray_from_view::{
    picture_from_pixel, point_from_picture, ray_from_matrix, ray_from_picture,
};
pub use separation_convex_convex_2d::{
    SeparatingEdgeCache, Separation, separation_convex_convex_2d,
};
#[cfg(feature = "sources")]
pub use sources::{source, sources};
pub use sphere_sweep::{SphereSweep, SweepHit};
pub use sweep_aabb_aabb::sweep_aabb_aabb;
pub use sweep_sphere_edge::sweep_sphere_edge;
pub use sweep_sphere_face::{is_near_border, sweep_sphere_face};
pub use sweep_sphere_plane::sweep_sphere_plane;
pub use sweep_sphere_polygon::sweep_sphere_polygon;
pub use sweep_sphere_sphere::sweep_sphere_sphere;
pub use sweep_sphere_triangle::sweep_sphere_triangle;
pub use sweep_sphere_vertex::sweep_sphere_vertex;

#[cfg(test)]
pub(crate) mod testing;
