//! The source text of each query, for programs that show it beside the answer.

macro_rules! texts {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!($name, ".rs")))),*]
    };
}

/// File name without extension, and text.
const TEXTS: &[(&str, &str)] = texts![
    "../bvh/pairs"
    "bounding_sphere"
    "closest_point_segment"
    "closest_point_triangle"
    "extreme_points"
    "interpolate_orientation"
    "intersect_ray_aabb"
    "intersect_ray_obb"
    "intersect_ray_plane"
    "intersect_ray_polygon"
    "intersect_ray_sphere"
    "intersect_ray_triangle"
    "intersect_segment_aabb"
    "overlap_aabb_aabb"
    "overlap_obb_obb"
    "overlap_sphere_aabb"
    "overlap_triangle_triangle"
    "point_in_polygon"
    "ray_from_view"
    "separation_convex_convex_2d"
    "sweep_aabb_aabb"
    "sweep_sphere_edge"
    "sweep_sphere_face"
    "sweep_sphere_plane"
    "sweep_sphere_polygon"
    "sweep_sphere_sphere"
    "sweep_sphere_triangle"
    "sweep_sphere_vertex"
];

/// The source text of a query, by its file name without extension.
pub fn source(file: &str) -> Option<&'static str> {
    TEXTS
        .iter()
        .find(|(name, _)| *name == file)
        .map(|text| text.1)
}

/// The names that [`source`] knows.
pub fn sources() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().map(|text| text.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_query_is_among_them() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/collide");
        let files = std::fs::read_dir(folder).expect("the folder");
        let names = files.map(|f| f.expect("a file").file_name());
        let names = names.map(|n| n.to_string_lossy().replace(".rs", ""));
        let mut names: Vec<String> = names.collect();
        names.retain(|n| {
            !["mod", "layers", "sources", "sphere_sweep", "testing"].contains(&n.as_str())
        });
        names.sort();
        let own = sources().filter(|name| !name.starts_with(".."));
        assert_eq!(own.collect::<Vec<_>>(), names);
        assert!(source("sweep_sphere_edge").is_some_and(|text| text.starts_with("//!")));
        assert_eq!(source("none"), None);
    }
}
