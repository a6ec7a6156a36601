//! Boxes without surface: all solid, or all air.
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use crate::world::World;
use glam::DVec3;

/// A triangle this close to a box touches it, metres: so both blocks at a side see what lies in it, in spite of rounding.
const NEAR_M: f64 = 1e-7;

/// Part of a long box that is searched at once, metres.
const STRETCH_M: f64 = 4.0;

/// Whether no triangle of the surface touches a box, metres. A long box is searched from its low end to its high end; the
/// search ends at the first triangle.
pub fn is_clear(world: &World, bounds: &Aabb) -> bool {
    let size = bounds.max - bounds.min;
    let axis = size.max_position();
    let count = (size[axis] / STRETCH_M).ceil().max(1.0) as u32;
    let mut stretch = *bounds;
    (1..=count).all(|number| {
        let share = f64::from(number) / f64::from(count);
        stretch.max[axis] = bounds.min[axis] + size[axis] * share;
        let is_clear = !has_triangle(world, &stretch);
        stretch.min[axis] = stretch.max[axis];
        is_clear
    })
}

fn has_triangle(world: &World, bounds: &Aabb) -> bool {
    let mut found = false;
    world.each_triangle_in_box(bounds, &mut QueryStats::default(), &mut |room, number| {
        found = found || {
            let mesh = &world.room(room).mesh;
            let corners = mesh.triangles[number as usize].corners;
            touches(&corners.map(|c| mesh.positions[c as usize]), bounds)
        };
    });
    found
}

/// Whether a triangle touches a box: no axis separates them (Akenine-Möller, "Fast 3D triangle-box overlap testing",
/// 2001). Triangles of one face touch the same boxes however the face is cut, but for rounding.
pub(crate) fn touches(corners: &[DVec3; 3], bounds: &Aabb) -> bool {
    let (centre, half) = (bounds.centre(), bounds.size() / 2.0 + NEAR_M);
    let [a, b, c] = corners.map(|p| p - centre);
    let is_between = |axis: DVec3| {
        let [a, b, c] = [a, b, c].map(|p| p.dot(axis));
        let reach = half.dot(axis.abs());
        a.min(b).min(c) <= reach && a.max(b).max(c) >= -reach
    };
    let edges = [b - a, c - b, a - c];
    DVec3::AXES.into_iter().all(is_between)
        && is_between(edges[0].cross(edges[1]))
        && DVec3::AXES
            .into_iter()
            .all(|axis| edges.iter().all(|edge| is_between(axis.cross(*edge))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::dvec3;

    #[test]
    fn a_triangle_touches_a_box_where_a_point_of_it_is_inside() {
        let mut rng = Rng::new(4);
        let bounds = Aabb {
            min: dvec3(-0.3, -0.2, -0.5),
            max: dvec3(0.4, 0.3, 0.2),
        };
        let (mut touching, mut apart) = (0, 0);
        for _ in 0..3000 {
            let corners = [0; 3].map(|_| rng.unit_vector() * rng.range(0.1, 1.5));
            let [a, b, c] = corners;
            let has_point = (0..=60).any(|i| {
                (0..=60 - i).any(|k| {
                    let (u, v) = (f64::from(i) / 60.0, f64::from(k) / 60.0);
                    bounds.contains(a + (b - a) * u + (c - a) * v)
                })
            });
            let touches = touches(&corners, &bounds);
            assert!(touches || !has_point, "{corners:?}");
            // Samples miss only what reaches in by less than their spacing.
            let is_near = (0..=60).any(|i| {
                (0..=60 - i).any(|k| {
                    let (u, v) = (f64::from(i) / 60.0, f64::from(k) / 60.0);
                    bounds.grow(0.06).contains(a + (b - a) * u + (c - a) * v)
                })
            });
            assert!(!touches || is_near, "{corners:?}");
            touching += u32::from(touches);
            apart += u32::from(!touches);
        }
        assert!(touching > 300 && apart > 300, "{touching} {apart}");
    }

    #[test]
    fn a_box_beside_a_room_is_clear_and_one_across_its_wall_is_not() {
        let lo = DVec3::splat(-20.0);
        let builder = crate::world::WorldBuilder::solid(lo, -lo);
        let hall = crate::carve::BrushDesc::cuboid(DVec3::splat(-2.0), DVec3::splat(2.0));
        let world = builder.carve(hall.expect("a box")).build().expect("a room");
        let column = |x: f64, far: f64| Aabb {
            min: dvec3(x, 0.1, 0.1),
            max: dvec3(far, 0.6, 0.6),
        };
        assert!(is_clear(&world, &column(2.1, 19.0)));
        assert!(is_clear(&world, &column(-1.9, 1.9)));
        assert!(!is_clear(&world, &column(-1.9, 2.1)));
        assert!(!is_clear(&world, &column(-19.0, 19.0)));
        assert!(!is_clear(&world, &column(-19.0, -1.99)));
    }
}
