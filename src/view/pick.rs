//! Picking: the face, light, player start, rocket or body under the pointer, and the portals in between. After Newcastle
//! University, Physics: Raycasting.
use super::camera::{Camera, clip_from_eye, eye_from_world};
use super::line::{Line, box_lines};
use super::palette::{Inks, with_alpha};
use crate::bvh::{LeafLocation, QueryStats};
use crate::collide::{
    Layer, intersect_ray_aabb, intersect_ray_obb, intersect_ray_plane, intersect_ray_polygon,
    intersect_ray_sphere, picture_from_pixel, point_in_polygon_crossings, ray_from_picture,
};
use crate::geom::{Aabb, Obb, Plane, Ray};
use crate::sim::{Rocket, Sim, moving_sphere};
use crate::world::{BrushDesc, GRID, MaterialId, Portal, RoomId};
use glam::{DMat3, DVec2, DVec3};

/// Length of the ray, metres.
const PICK_DISTANCE: f64 = 1000.0;
/// Lights are points: they are picked as spheres of this radius, metres.
const LIGHT_RADIUS: f64 = 0.25;
/// A player start's box around the eye, metres: 32 × 32 × 56 units.
const START_BOX: [DVec3; 2] = [
    DVec3::new(-0.5, -1.4375, -0.5),
    DVec3::new(0.5, 0.3125, 0.5),
];
/// Half the size of a rocket, metres.
const ROCKET_HALF_SIZE: DVec3 = DVec3::new(0.15, 0.06, 0.06);
/// Depth behind a face at which its brush is looked up, metres.
const BRUSH_DEPTH: f64 = 1e-3;

/// The picked object.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// A face of a room.
    Face {
        /// Its room.
        room: RoomId,
        /// Its canonical key.
        key: u64,
        /// Index into the world's materials.
        material: MaterialId,
        /// Its brush in the file, counted from 0; None for rock and for faces made in play.
        brush: Option<usize>,
        /// The leaf of the room's tree with the triangle.
        bin: Option<LeafLocation>,
        /// The triangle that was hit, metres.
        corners: [DVec3; 3],
    },
    /// A light, by index in the level.
    Light(usize),
    /// A player start.
    Start(usize),
    /// A rocket in flight.
    Rocket(usize),
    /// A body, by index, with its layer.
    Body(usize, Layer),
}

/// A pick.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The object.
    pub target: Target,
    /// From the ray's origin, metres.
    pub distance: f64,
    /// The hit point, metres.
    pub point: DVec3,
    /// The face's normal; None for other things.
    pub normal: Option<DVec3>,
    /// Portals crossed before the hit, nearest first.
    pub through: Vec<u32>,
}

/// The ray through a pixel, counted from the upper left corner of a picture of `size` pixels.
pub fn ray_from_pixel(camera: &Camera, pixel: DVec2, size: DVec2) -> Option<Ray> {
    let at = picture_from_pixel(pixel, size);
    ray_from_picture(at, &eye_from_world(camera), &clip_from_eye(camera))
}

/// The nearest object on a ray with unit direction. Bodies and rockets only if their layers collide with probes. At equal
/// distances faces come first, then the order of [`Target`].
pub fn pick(sim: &Sim, ray: &Ray) -> Option<Pick> {
    if !(ray.origin.is_finite() && (ray.dir.length() - 1.0).abs() < 1e-6) {
        return None;
    }
    let mut first = pick_face(sim, ray);
    let mut offer = |t: Option<f64>, target: Target| {
        if let Some(t) = t
            && t <= PICK_DISTANCE
            && first.as_ref().is_none_or(|old| t < old.distance)
        {
            first = Some(Pick {
                target,
                distance: t,
                point: ray.at(t),
                normal: None,
                through: Vec::new(),
            });
        }
    };
    for (i, light) in sim.level.lights.iter().enumerate() {
        let t = intersect_ray_sphere(ray, light.position, LIGHT_RADIUS);
        // The eye may be inside.
        offer(t.filter(|t| *t > 0.0), Target::Light(i));
    }
    for (i, (eye, _)) in sim.level.starts.iter().enumerate() {
        let bounds = Aabb {
            min: *eye + START_BOX[0],
            max: *eye + START_BOX[1],
        };
        let t = intersect_ray_aabb(ray, &bounds);
        offer(t.filter(|t| *t > 0.0), Target::Start(i));
    }
    let layers = &sim.settings.layers;
    let rockets = sim.rockets.iter().enumerate();
    for (i, rocket) in rockets.filter(|_| layers.meet(Layer::Probe, Layer::Rocket)) {
        offer(
            intersect_ray_obb(ray, &rocket_box(rocket)),
            Target::Rocket(i),
        );
    }
    for thing in
        moving_sphere::of_bodies(&sim.bodies).filter(|thing| layers.meet(Layer::Probe, thing.layer))
    {
        let t = intersect_ray_sphere(ray, thing.centre, thing.radius);
        offer(t, Target::Body(thing.index, thing.layer));
    }
    let mut first = first?;
    first.through = portals_crossed(sim, ray, first.distance);
    Some(first)
}

/// The first face on the ray; None if the ray starts in rock.
fn pick_face(sim: &Sim, ray: &Ray) -> Option<Pick> {
    sim.world.locate(ray.origin)?;
    let to = ray.at(PICK_DISTANCE);
    let hit = sim
        .world
        .cast_ray(ray.origin, to, &mut QueryStats::default())?;
    let room = sim.world.room(hit.room);
    let triangle = &room.mesh.triangles[hit.triangle as usize];
    let corners = triangle.corners.map(|i| room.mesh.positions[i as usize]);
    let face = &room.faces[triangle.face as usize];
    // Again from the corners, more exact; where the ray grazes an edge the cast's result stays.
    let distance = intersect_ray_polygon(ray, &corners).unwrap_or(hit.fraction * PICK_DISTANCE);
    Some(Pick {
        target: Target::Face {
            room: hit.room,
            key: face.key,
            material: face.material,
            brush: brush_at(
                &sim.level.world.solids,
                hit.point - hit.normal * BRUSH_DEPTH,
            ),
            bin: room.tree.locate_triangle(hit.triangle),
            corners,
        },
        distance,
        point: hit.point,
        normal: Some(hit.normal),
        through: Vec::new(),
    })
}

/// The last of the file's solid brushes that contains a point.
fn brush_at(brushes: &[BrushDesc], p: DVec3) -> Option<usize> {
    let holds = |brush: &BrushDesc| {
        brush.sides.iter().all(|side| {
            let [a, b, c] = side.points.map(|point| point.as_dvec3() / GRID);
            (b - a).cross(c - a).dot(p - a) <= 0.0
        })
    };
    brushes.iter().rposition(holds)
}

fn rocket_box(rocket: &Rocket) -> Obb {
    let x = rocket.velocity.normalize_or(DVec3::X);
    let y = x.any_orthonormal_vector();
    Obb {
        centre: rocket.position,
        half_size: ROCKET_HALF_SIZE,
        axes: DMat3::from_cols(x, y, x.cross(y)),
    }
}

/// Portals crossed within a distance in metres, nearest first.
fn portals_crossed(sim: &Sim, ray: &Ray, distance: f64) -> Vec<u32> {
    let mut found: Vec<(f64, u32)> = Vec::new();
    for (i, portal) in sim.world.portals().iter().enumerate() {
        if let Some(t) = intersect_ray_portal(ray, portal).filter(|t| *t < distance) {
            found.push((t, i as u32));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found.into_iter().map(|(_, i)| i).collect()
}

/// Distance along the ray to the opening, whose outlines may be concave and have holes.
fn intersect_ray_portal(ray: &Ray, portal: &Portal) -> Option<f64> {
    let corner = portal.loops.iter().flatten().next()?;
    let t = intersect_ray_plane(
        ray,
        &Plane::from_point(DVec3::AXES[portal.axis.min(2)], *corner),
    )?;
    let flat = |p: DVec3| match portal.axis {
        0 => DVec2::new(p.y, p.z),
        1 => DVec2::new(p.z, p.x),
        _ => DVec2::new(p.x, p.y),
    };
    let at = flat(ray.at(t));
    let holds = |outline: &&Vec<DVec3>| {
        let corners: Vec<DVec2> = outline.iter().map(|p| flat(*p)).collect();
        point_in_polygon_crossings(&corners, at)
    };
    (portal.loops.iter().filter(holds).count() % 2 == 1).then_some(t)
}

/// Lines of a pick: a cross, the normal, and for a face its triangle and tree leaf.
pub fn pick_lines(pick: &Pick, inks: &Inks) -> Vec<Line> {
    let line = |from: DVec3, to: DVec3| Line {
        from,
        to,
        colour: with_alpha(inks.asked, 1.0),
    };
    let size = (pick.distance * 0.012).clamp(0.02, 0.5);
    let mut lines: Vec<Line> = DVec3::AXES
        .iter()
        .map(|axis| line(pick.point - *axis * size, pick.point + *axis * size))
        .collect();
    if let Target::Face { corners, bin, .. } = &pick.target {
        if let Some(bin) = bin {
            // Enlarged a little: the leaf of a flat wall would coincide with the wall.
            let colour = with_alpha(inks.open, 0.8);
            box_lines(&bin.bounds.grow(pick.distance * 2e-3), colour, &mut lines);
        }
        // Lifted a little off the face against z-fighting.
        let lift = pick.normal.unwrap_or_default() * (pick.distance * 1e-3);
        let [a, b, c] = corners.map(|p| p + lift);
        lines.extend([line(a, b), line(b, c), line(c, a)]);
    }
    if let Some(normal) = pick.normal {
        lines.push(Line {
            from: pick.point,
            to: pick.point + normal * (size * 6.0),
            colour: with_alpha(inks.normal, 1.0),
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Body, Settings};
    use crate::timing::Silent;
    use crate::view::Palette;
    use strum::VariantArray;

    fn bunker() -> Sim {
        let text = include_bytes!("../../levels/bunker.map");
        let level = crate::level::read_map(text).expect("our own level");
        Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world")
    }

    fn ahead(sim: &Sim) -> Ray {
        Ray {
            origin: sim.player.eye,
            dir: sim.look_dir(),
        }
    }

    #[test]
    fn a_wall_is_picked_with_the_brush_that_it_lies_on() {
        let sim = bunker();
        let found = pick(&sim, &ahead(&sim)).expect("a wall");
        let Target::Face {
            room,
            brush: Some(brush),
            bin: Some(bin),
            corners,
            ..
        } = &found.target
        else {
            panic!("{found:?}")
        };
        assert!(*brush < sim.level.world.solids.len());
        let normal = found.normal.expect("a face's");
        assert!(
            corners
                .iter()
                .all(|c| (*c - found.point).dot(normal).abs() < 1e-6)
        );
        assert!((found.point.distance(sim.player.eye) - found.distance).abs() < 1e-6);
        // A cross, a triangle, a normal, and the twelve edges of the bin.
        for palette in Palette::VARIANTS {
            let inks = palette.inks();
            let lines = pick_lines(&found, &inks);
            let count = |ink: [f32; 3]| lines.iter().filter(|line| line.colour[..3] == ink).count();
            assert_eq!([inks.asked, inks.normal, inks.open].map(count), [6, 1, 12]);
        }
        assert!(bin.bounds.grow(1e-3).contains(found.point));
        let all = sim.world.room(*room).tree.bins();
        let is_it = |(level, bounds, leaf): &(u32, Aabb, bool)| {
            *leaf && *level as usize == bin.path.len() && *bounds == bin.bounds
        };
        assert!(all.iter().any(is_it));
    }

    #[test]
    fn a_body_and_a_rocket_before_the_wall_are_picked_where_probes_meet_them() {
        let mut sim = bunker();
        let ray = ahead(&sim);
        sim.bodies
            .change(|bodies| bodies.push(Body::new(ray.at(1.0), 0.25, 0)));
        let found = pick(&sim, &ray).expect("the body");
        assert_eq!(found.target, Target::Body(0, Layer::Debris));
        assert!((found.distance - 0.75).abs() < 1e-9);
        sim.rockets.push(Rocket {
            position: ray.at(0.5),
            previous: ray.at(0.4),
            velocity: ray.dir * 40.0,
            age: 1,
            blast_radius: None,
        });
        let found = pick(&sim, &ray).expect("the rocket");
        assert_eq!(found.target, Target::Rocket(0));
        assert!((found.distance - 0.35).abs() < 1e-9);
        sim.settings.layers.set(Layer::Probe, Layer::Rocket, false);
        sim.settings.layers.set(Layer::Probe, Layer::Debris, false);
        let found = pick(&sim, &ray).expect("the wall");
        assert!(matches!(found.target, Target::Face { .. }));
    }

    #[test]
    fn every_light_in_sight_is_picked_and_nothing_from_rock() {
        let sim = bunker();
        let eye = sim.player.eye;
        let mut seen = 0;
        for (i, light) in sim.level.lights.iter().enumerate() {
            let way = light.position - eye;
            let blocked = sim
                .world
                .cast_ray(eye, light.position, &mut QueryStats::default());
            let ray = Ray {
                origin: eye,
                dir: way.normalize(),
            };
            let found = pick(&sim, &ray);
            if blocked.is_none() {
                let found = found.expect("the light");
                let nearer = found.distance < way.length();
                assert!(
                    nearer && matches!(found.target, Target::Light(_) | Target::Start(_)),
                    "{i}: {found:?}"
                );
                seen += 1;
            }
        }
        assert!(seen > 0);
        let lost = Ray {
            origin: DVec3::splat(-1e4),
            dir: DVec3::Y,
        };
        assert_eq!(pick(&sim, &lost), None);
        let still = Ray {
            origin: eye,
            dir: DVec3::ZERO,
        };
        assert_eq!(pick(&sim, &still), None);
    }

    #[test]
    fn the_middle_pixel_is_the_look_direction() {
        let sim = bunker();
        let camera = Camera {
            eye: sim.player.eye,
            yaw: 0.7,
            pitch: -0.3,
            fov_y: 1.2,
            aspect: 16.0 / 9.0,
        };
        let size = DVec2::new(1280.0, 720.0);
        let ray = ray_from_pixel(&camera, size * 0.5, size).expect("a ray");
        let look = crate::sim::command::look_dir(0.7, -0.3);
        assert!(ray.dir.distance(look) < 1e-12);
        let corner = ray_from_pixel(&camera, DVec2::ZERO, size).expect("a ray");
        let clip = crate::view::clip_from_world(&camera) * corner.at(3.0).extend(1.0);
        assert!((clip.x / clip.w + 1.0).abs() < 1e-9 && (clip.y / clip.w - 1.0).abs() < 1e-9);
    }
}
