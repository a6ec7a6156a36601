//! The peers, each the way its own documentation shows.
use super::sets::{Path, RADIUS};
use breach::bvh::Mesh;
use glam::{Vec3, Vec3A};

fn points(mesh: &Mesh) -> impl Iterator<Item = Vec3> {
    mesh.positions.iter().map(|p| p.as_vec3())
}

fn triangles(mesh: &Mesh) -> impl Iterator<Item = [Vec3; 3]> {
    let corner = |c: u32| mesh.positions[c as usize].as_vec3();
    mesh.triangles.iter().map(move |t| t.corners.map(corner))
}

/// parry3d's triangle mesh.
pub struct Parry(parry3d::shape::TriMesh);

impl Parry {
    /// With or without what keeps balls from bumping over inner edges.
    pub fn new(mesh: &Mesh, fix_internal_edges: bool) -> Self {
        use parry3d::shape::{TriMesh, TriMeshFlags};
        let points = points(mesh).map(|p| parry3d::math::Vector::new(p.x, p.y, p.z));
        let indices = mesh.triangles.iter().map(|t| t.corners);
        let flags = if fix_internal_edges {
            TriMeshFlags::FIX_INTERNAL_EDGES
        } else {
            TriMeshFlags::empty()
        };
        let mesh = TriMesh::with_flags(points.collect(), indices.collect(), flags);
        Self(mesh.expect("a mesh that parry takes"))
    }

    /// Fraction of the first contact.
    pub fn sweep(&self, &(from, way): &Path) -> Option<f32> {
        use parry3d::math::{Pose, Vector};
        use parry3d::query::{ShapeCastOptions, cast_shapes};
        let ball = parry3d::shape::Ball::new(RADIUS);
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let at = Pose::translation(from.x, from.y, from.z);
        let speed = Vector::new(way.x, way.y, way.z);
        let hit = cast_shapes(
            &at,
            speed,
            &ball,
            &Pose::identity(),
            Vector::ZERO,
            &self.0,
            options,
        );
        hit.ok().flatten().map(|hit| hit.time_of_impact)
    }

    /// Metres to the first triangle.
    pub fn ray(&self, &(from, way): &Path) -> Option<f32> {
        use parry3d::math::Vector;
        use parry3d::query::{Ray, RayCast};
        let ray = Ray::new(
            Vector::new(from.x, from.y, from.z),
            Vector::new(way.x, way.y, way.z),
        );
        let hit = self.0.cast_local_ray_and_get_normal(&ray, 100.0, false);
        hit.map(|hit| hit.time_of_impact)
    }
}

/// obvhs, compressed eight-wide, with its fastest triangles in leaf order.
pub struct Obvhs {
    tree: obvhs::cwbvh::CwBvh,
    triangles: Vec<obvhs::rt_triangle::RtTriangle>,
}

impl Obvhs {
    /// Its medium preset.
    pub fn new(mesh: &Mesh) -> Self {
        use obvhs::{BvhBuildParams, cwbvh::builder::build_cwbvh_from_tris, triangle::Triangle};
        let all: Vec<Triangle> = triangles(mesh)
            .map(|[a, b, c]| Triangle {
                v0: a.into(),
                v1: b.into(),
                v2: c.into(),
            })
            .collect();
        let params = BvhBuildParams::medium_build();
        let tree = build_cwbvh_from_tris(&all, params, &mut Default::default());
        let order = tree.primitive_indices.iter();
        let triangles = order.map(|&i| (&all[i as usize]).into()).collect();
        Self { tree, triangles }
    }

    /// Metres to the first triangle.
    pub fn ray(&self, &(from, way): &Path) -> Option<f32> {
        use obvhs::ray::{Ray, RayHit};
        let ray = Ray::new(Vec3A::from(from), Vec3A::from(way), 0.0, 100.0);
        let mut hit = RayHit::none();
        let is_hit = self
            .tree
            .ray_traverse(ray, &mut hit, |ray, id| self.triangles[id].intersect(ray));
        is_hit.then_some(hit.t)
    }
}

/// The crate bvh: boxes only, the triangles are tested by its own function.
pub struct BvhCrate {
    tree: bvh::bvh::Bvh<f32, 3>,
    triangles: Vec<Leaf>,
}

struct Leaf {
    corners: [nalgebra::Point3<f32>; 3],
    node: usize,
}

impl bvh::aabb::Bounded<f32, 3> for Leaf {
    fn aabb(&self) -> bvh::aabb::Aabb<f32, 3> {
        let start = bvh::aabb::Aabb::empty();
        self.corners.iter().fold(start, |all, p| all.grow(p))
    }
}

impl bvh::bounding_hierarchy::BHShape<f32, 3> for Leaf {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }
    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl BvhCrate {
    /// As it comes.
    pub fn new(mesh: &Mesh) -> Self {
        let point = |p: Vec3| nalgebra::Point3::new(p.x, p.y, p.z);
        let mut triangles: Vec<Leaf> = triangles(mesh)
            .map(|corners| Leaf {
                corners: corners.map(point),
                node: 0,
            })
            .collect();
        let tree = bvh::bvh::Bvh::build(&mut triangles);
        Self { tree, triangles }
    }

    /// Metres to the first triangle.
    pub fn ray(&self, &(from, way): &Path) -> Option<f32> {
        let ray = bvh::ray::Ray::new(
            nalgebra::Point3::new(from.x, from.y, from.z),
            nalgebra::Vector3::new(way.x, way.y, way.z),
        );
        let boxes = self.tree.traverse_iterator(&ray, &self.triangles);
        let hits = boxes.map(|t| {
            let [a, b, c] = &t.corners;
            ray.intersects_triangle(a, b, c).distance
        });
        let nearest = hits.fold(f32::INFINITY, f32::min);
        (nearest <= 100.0).then_some(nearest)
    }
}
