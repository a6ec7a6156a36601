//! Experiments with rays and segments.
use super::drawing::{Drawing, Ink};
use super::query::{Query, query};
use crate::collide::{
    Outcode, ShearedRay, intersect_ray_aabb, intersect_ray_obb, intersect_ray_plane,
    intersect_ray_polygon, intersect_ray_sphere, intersect_ray_triangle, intersect_segment_aabb,
    intersect_segment_grown_aabb, point_from_picture, ray_from_matrix, ray_from_picture,
};
use crate::geom::{Aabb, Obb, Plane, Ray, Segment, unit_or_zero};
use glam::{DMat3, DMat4, DVec2, DVec3, DVec4};

const FROM: super::query::Handle = ("from", [-3.0, 2.0, 1.0]);
const THROUGH: super::query::Handle = ("through", [-1.5, 1.2, 0.6]);

pub(super) const QUERIES: &[Query] = &[
    query!(
        "intersect_ray_plane",
        "intersect_ray_plane",
        false,
        &[
            FROM,
            THROUGH,
            ("on the plane", [1.0, -0.5, 0.0]),
            ("normal", [1.2, 0.6, 0.2])
        ],
        &[
            (
                "along the plane",
                &[
                    [-3.0, 1.0, 0.0],
                    [-1.0, 1.0, 0.0],
                    [1.0, 1.0, 0.0],
                    [1.0, 2.0, 0.0]
                ]
            ),
            (
                "starts on it",
                &[
                    [0.0, 0.0, 0.0],
                    [0.0, -1.0, 0.0],
                    [1.0, 0.0, 0.0],
                    [1.0, 1.0, 0.0]
                ]
            )
        ],
        ray_plane
    ),
    query!(
        "intersect_ray_triangle",
        "intersect_ray_triangle",
        false,
        &[
            FROM,
            THROUGH,
            ("A", [0.5, -1.5, 1.5]),
            ("B", [1.5, 1.8, 0.0]),
            ("C", [0.5, -1.0, -2.0])
        ],
        &[
            (
                "through an edge",
                &[
                    [-3.0, 0.0, 0.0],
                    [-2.0, 0.0, 0.0],
                    [1.0, 0.0, 0.0],
                    [1.0, 2.0, 0.0],
                    [1.0, 0.0, -2.0]
                ]
            ),
            (
                "from behind",
                &[
                    [3.0, 0.5, -0.5],
                    [2.0, 0.5, -0.5],
                    [1.0, 0.0, 0.0],
                    [1.0, 2.0, 0.0],
                    [1.0, 0.0, -2.0]
                ]
            )
        ],
        ray_triangle
    ),
    query!(
        "intersect_ray_polygon",
        "intersect_ray_polygon",
        false,
        &[
            FROM,
            THROUGH,
            ("A", [0.5, -1.5, 1.5]),
            ("B", [0.5, 1.0, 1.5]),
            ("C", [0.5, 2.0, 0.0]),
            ("D", [0.5, 1.0, -1.5]),
            ("E", [0.5, -1.5, -1.5])
        ],
        &[(
            "through a corner",
            &[
                [-3.0, -1.5, 1.5],
                [-2.0, -1.5, 1.5],
                [0.5, -1.5, 1.5],
                [0.5, 1.0, 1.5],
                [0.5, 2.0, 0.0],
                [0.5, 1.0, -1.5],
                [0.5, -1.5, -1.5]
            ]
        )],
        ray_polygon
    ),
    query!(
        "intersect_ray_sphere",
        "intersect_ray_sphere",
        false,
        &[
            FROM,
            THROUGH,
            ("centre", [1.0, 0.3, 0.2]),
            ("radius", [2.2, 0.3, 0.2])
        ],
        &[
            (
                "starts inside",
                &[
                    [1.2, 0.3, 0.2],
                    [2.0, 0.5, 0.2],
                    [1.0, 0.3, 0.2],
                    [2.2, 0.3, 0.2]
                ]
            ),
            (
                "grazing",
                &[
                    [-3.0, 1.0, 0.0],
                    [-2.0, 1.0, 0.0],
                    [0.0, 0.0, 0.0],
                    [1.0, 0.0, 0.0]
                ]
            )
        ],
        ray_sphere
    ),
    query!(
        "intersect_ray_aabb",
        "intersect_ray_aabb",
        false,
        &[
            FROM,
            THROUGH,
            ("corner", [0.0, -1.0, -1.0]),
            ("other corner", [2.0, 1.2, 1.4])
        ],
        &[
            (
                "in the plane of a wall",
                &[
                    [-3.0, 1.0, 0.0],
                    [-2.0, 1.0, 0.0],
                    [0.0, -1.0, -1.0],
                    [2.0, 1.0, 1.0]
                ]
            ),
            (
                "starts inside",
                &[
                    [1.0, 0.0, 0.0],
                    [2.0, 0.5, 0.0],
                    [0.0, -1.0, -1.0],
                    [2.0, 1.0, 1.0]
                ]
            )
        ],
        ray_aabb
    ),
    query!(
        "intersect_ray_obb",
        "intersect_ray_obb",
        false,
        &[
            FROM,
            THROUGH,
            ("centre", [1.0, 0.0, 0.0]),
            ("x face", [2.0, 0.6, 0.4]),
            ("y face", [0.6, 0.9, 0.1])
        ],
        &[(
            "at an edge",
            &[
                [-3.0, 0.0, 0.0],
                [-2.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [1.7, 0.7, 0.0],
                [0.3, 0.7, 0.0]
            ]
        )],
        ray_obb
    ),
    query!(
        "intersect_segment_aabb",
        "intersect_segment_aabb",
        false,
        &[
            ("from", [-3.0, 2.0, 1.0]),
            ("to", [2.5, -0.6, -0.4]),
            ("corner", [0.0, -1.0, -1.0]),
            ("other corner", [2.0, 1.2, 1.4])
        ],
        &[(
            "ends on a wall",
            &[
                [-3.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, -1.0, -1.0],
                [2.0, 1.0, 1.0]
            ]
        )],
        segment_aabb
    ),
    query!(
        "intersect_segment_grown_aabb",
        "intersect_segment_aabb",
        false,
        &[
            ("from", [-3.0, 2.0, 1.0]),
            ("to", [2.5, 1.2, -0.4]),
            ("corner", [0.0, -1.0, -1.0]),
            ("other corner", [2.0, 1.0, 1.4]),
            ("radius", [-3.0, 2.5, 1.0])
        ],
        &[(
            "passes a corner: culling says yes",
            &[
                [-1.3, 0.0, 0.0],
                [0.8, 2.1, 0.0],
                [0.0, -1.0, -1.0],
                [2.0, 1.0, 1.0],
                [-1.3, 0.5, 0.0]
            ]
        )],
        segment_grown_aabb
    ),
    query!(
        "ray_from_matrix",
        "ray_from_view",
        false,
        &[("eye", [-2.0, 1.0, 2.0]), ("looks at", [1.0, 0.0, 0.0])],
        &[("straight down", &[[0.0, 3.0, 0.0], [0.0, 0.0, 0.0]])],
        from_matrix
    ),
    query!(
        "ray_from_picture",
        "ray_from_view",
        false,
        &[
            ("eye", [-2.0, 1.0, 2.0]),
            ("looks at", [1.0, 0.0, 0.0]),
            ("mouse", [0.5, 1.0, 1.5])
        ],
        &[
            (
                "in the middle of the picture",
                &[[-2.0, 1.0, 2.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
            ),
            (
                "behind the eye",
                &[[-2.0, 1.0, 2.0], [1.0, 0.0, 0.0], [-4.0, 1.5, 4.0]]
            )
        ],
        from_picture
    ),
];

fn asked_ray(h: &[DVec3], drawing: &mut Drawing) -> Ray {
    let ray = Ray {
        origin: h[0],
        dir: h[1] - h[0],
    };
    drawing.ray(ray.origin, ray.dir);
    ray
}

fn ray_plane(h: &[DVec3], drawing: &mut Drawing) {
    let ray = asked_ray(h, drawing);
    let plane = Plane::from_point(unit_or_zero(h[3] - h[2]), h[2]);
    drawing.plane(&plane, h[2], Ink::Asked);
    drawing.ray_hit(intersect_ray_plane(&ray, &plane), ray.origin, ray.dir);
    drawing.say_number("distance of the start", Some(plane.distance(ray.origin)));
}

fn ray_triangle(h: &[DVec3], drawing: &mut Drawing) {
    let ray = asked_ray(h, drawing);
    let corners = [h[2], h[3], h[4]];
    drawing.area(&corners, Ink::Asked);
    let hit = ShearedRay::new(ray.origin, ray.dir)
        .and_then(|sheared| intersect_ray_triangle(&sheared, &corners));
    let ahead = hit.filter(|hit| hit.t >= 0.0);
    drawing.ray_hit(ahead.map(|hit| hit.t), ray.origin, ray.dir);
    drawing.say_number("alpha", hit.map(|hit| hit.alpha));
    drawing.say_number("beta", hit.map(|hit| hit.beta));
    if let Some(hit) = ahead {
        let along = (h[3] - h[2]) * hit.alpha;
        drawing.arrow(h[2], h[2] + along, Ink::X);
        drawing.arrow(
            h[2] + along,
            h[2] + along + (h[4] - h[2]) * hit.beta,
            Ink::Y,
        );
        drawing.normal(
            ray.at(hit.t),
            unit_or_zero((h[3] - h[2]).cross(h[4] - h[2])),
        );
    }
}

fn ray_polygon(h: &[DVec3], drawing: &mut Drawing) {
    let ray = asked_ray(h, drawing);
    drawing.area(&h[2..], Ink::Asked);
    drawing.ray_hit(intersect_ray_polygon(&ray, &h[2..]), ray.origin, ray.dir);
}

fn ray_sphere(h: &[DVec3], drawing: &mut Drawing) {
    let ray = asked_ray(h, drawing);
    let (centre, radius) = (h[2], h[2].distance(h[3]));
    drawing.sphere(centre, radius, Ink::Asked);
    let t = intersect_ray_sphere(&ray, centre, radius);
    drawing.ray_hit(t, ray.origin, ray.dir);
    if let Some(t) = t {
        drawing.normal(ray.at(t), unit_or_zero(ray.at(t) - centre));
    }
}

fn ray_aabb(h: &[DVec3], drawing: &mut Drawing) {
    let ray = asked_ray(h, drawing);
    let bounds = Aabb::from_corners(h[2], h[3]);
    drawing.aabb(&bounds, Ink::Asked);
    drawing.ray_hit(intersect_ray_aabb(&ray, &bounds), ray.origin, ray.dir);
}

/// A box by its centre and the middles of two of its faces; 0.6 m deep the third way.
pub(super) fn obb(centre: DVec3, x_face: DVec3, y_face: DVec3) -> Obb {
    let to_x = x_face - centre;
    let x = to_x.normalize_or(DVec3::X);
    let to_y = y_face - centre;
    let to_y = to_y - x * to_y.dot(x);
    let y = to_y.normalize_or(x.any_orthonormal_vector());
    Obb {
        centre,
        half_size: DVec3::new(to_x.length(), to_y.length(), 0.6),
        axes: DMat3::from_cols(x, y, x.cross(y)),
    }
}

fn ray_obb(h: &[DVec3], drawing: &mut Drawing) {
    let ray = asked_ray(h, drawing);
    let obb = obb(h[2], h[3], h[4]);
    drawing.obb(&obb, Ink::Asked);
    for (axis, ink) in [
        (obb.axes.x_axis, Ink::X),
        (obb.axes.y_axis, Ink::Y),
        (obb.axes.z_axis, Ink::Z),
    ] {
        drawing.arrow(obb.centre, obb.centre + axis * 0.5, ink);
    }
    drawing.ray_hit(intersect_ray_obb(&ray, &obb), ray.origin, ray.dir);
}

fn asked_segment(h: &[DVec3], drawing: &mut Drawing) -> Segment {
    drawing.arrow(h[0], h[1], Ink::Asking);
    Segment {
        from: h[0],
        to: h[1],
    }
}

fn segment_hit(segment: &Segment, fraction: Option<f64>, drawing: &mut Drawing) {
    drawing.say_number("fraction", fraction);
    if let Some(fraction) = fraction {
        drawing.point(segment.at(fraction), Ink::Answer);
        drawing.say_point("point", segment.at(fraction));
    }
}

fn segment_aabb(h: &[DVec3], drawing: &mut Drawing) {
    let segment = asked_segment(h, drawing);
    let bounds = Aabb::from_corners(h[2], h[3]);
    drawing.aabb(&bounds, Ink::Asked);
    segment_hit(&segment, intersect_segment_aabb(&segment, &bounds), drawing);
}

fn segment_grown_aabb(h: &[DVec3], drawing: &mut Drawing) {
    let segment = asked_segment(h, drawing);
    let bounds = Aabb::from_corners(h[2], h[3]);
    let radius = h[0].distance(h[4]);
    drawing.sphere(h[0], radius, Ink::Asking);
    drawing.sphere(h[0].lerp(h[1], drawing.time), radius, Ink::Ghost);
    drawing.aabb(&bounds, Ink::Asked);
    let grown = bounds.grow(radius);
    drawing.aabb(&grown, Ink::Faint);
    let by_code = intersect_segment_grown_aabb(&segment, &bounds, radius);
    segment_hit(&segment, by_code, drawing);
    // Which walls an end is beyond, as -x -y -z +x +y +z.
    let code = |p: DVec3| {
        let names = ["-x", "-y", "-z", "+x", "+y", "+z"];
        let code = Outcode::new(p, &grown).0;
        let beyond = (0..6)
            .filter(|bit| code >> bit & 1 == 1)
            .map(|bit| names[bit]);
        let beyond: Vec<&str> = beyond.collect();
        if beyond.is_empty() {
            "inside".into()
        } else {
            beyond.join(" ")
        }
    };
    drawing.say("outcode of the start", code(h[0]));
    drawing.say("outcode of the end", code(h[1]));
    let boxes = bounds.overlaps(&segment.bounds().grow(radius));
    drawing.say_whether("box against box", boxes);
    drawing.say_whether("segment against grown box", by_code.is_some());
}

/// Placed at `eye`, its -Z towards `target`.
fn world_from_eye(eye: DVec3, target: DVec3) -> DMat4 {
    let back = (eye - target).normalize_or(DVec3::Z);
    let right = DVec3::Y.cross(back).normalize_or(DVec3::X);
    let turn = DMat3::from_cols(right, back.cross(right), back);
    let columns = turn.to_cols_array_2d().map(|c| DVec3::from(c).extend(0.0));
    DMat4::from_cols(columns[0], columns[1], columns[2], eye.extend(1.0))
}

fn say_ray(ray: Option<Ray>, drawing: &mut Drawing) {
    drawing.say_whether("a ray", ray.is_some());
    if let Some(ray) = ray {
        drawing.arrow(ray.origin, ray.origin + ray.dir * 2.0, Ink::Answer);
        drawing.say_point("origin", ray.origin);
        drawing.say_point("direction", ray.dir);
    }
}

fn from_matrix(h: &[DVec3], drawing: &mut Drawing) {
    let matrix = world_from_eye(h[0], h[1]);
    drawing.frame(h[0], glam::DQuat::from_mat4(&matrix));
    drawing.line(h[0], h[1], Ink::Faint);
    say_ray(ray_from_matrix(&matrix), drawing);
}

fn from_picture(h: &[DVec3], drawing: &mut Drawing) {
    let placed = world_from_eye(h[0], h[1]);
    let eye_from_world = placed.inverse();
    // An opening of 2 atan(0.5), aspect 4 : 3, reversed depth without a far plane.
    let (a, b, near) = (1.5, 2.0, 0.1);
    let clip_from_eye = DMat4::from_cols(
        DVec4::X * a,
        DVec4::Y * b,
        DVec4::new(0.0, 0.0, 0.0, -1.0),
        DVec4::Z * near,
    );
    let corner = |x: f64, y: f64| placed.transform_point3(DVec3::new(x / a, y / b, -1.0) * 2.0);
    let frame = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    drawing.area(&frame, Ink::Asked);
    frame
        .iter()
        .for_each(|p| drawing.line(h[0], *p, Ink::Faint));
    let clip = clip_from_eye * eye_from_world * h[2].extend(1.0);
    let at = DVec2::new(clip.x, clip.y) / clip.w;
    drawing.say("in the picture", format!("{:.3}, {:.3}", at.x, at.y));
    drawing.say_number("depth, near 1", Some(clip.z / clip.w));
    let ray = ray_from_picture(at, &eye_from_world, &clip_from_eye);
    say_ray(ray, drawing);
    let place = point_from_picture(at, clip.z / clip.w, &eye_from_world, &clip_from_eye);
    drawing.say_number("back at the mouse within", place.map(|p| p.distance(h[2])));
    // The full inverse, for comparison.
    let full = (clip_from_eye * eye_from_world).inverse() * at.extend(0.5).extend(1.0);
    let full = (full.truncate() / full.w - h[0]).normalize_or_zero();
    drawing.say_number(
        "off the full inverse",
        ray.map(|ray| ray.dir.distance(full)),
    );
}
