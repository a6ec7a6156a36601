//! Experiments with moving shapes.
use super::drawing::{Drawing, Ink};
use super::query::{Query, query};
use crate::collide::{
    SphereSweep, SweepHit, interpolate_orientation, sweep_aabb_aabb, sweep_sphere_edge,
    sweep_sphere_face, sweep_sphere_plane, sweep_sphere_polygon, sweep_sphere_sphere,
    sweep_sphere_triangle, sweep_sphere_vertex,
};
use crate::geom::{Aabb, Plane, unit_or_zero};
use glam::{DQuat, DVec3};

const FROM: super::query::Handle = ("from", [-2.5, 2.4, 0.6]);
const TO: super::query::Handle = ("to", [2.2, -1.4, -0.2]);
const RADIUS: super::query::Handle = ("radius", [-2.5, 2.4, 1.3]);

const TRIANGLE: [super::query::Handle; 3] = [
    ("A", [-2.0, -0.5, 2.0]),
    ("B", [2.5, -0.5, 1.2]),
    ("C", [0.0, -0.5, -2.4]),
];
const LEVEL: [[f64; 3]; 3] = [[-2.0, 0.0, 2.0], [2.0, 0.0, 2.0], [0.0, 0.0, -2.0]];

pub(super) const QUERIES: &[Query] = &[
    query!(
        "sweep_sphere_plane",
        "sweep_sphere_plane",
        false,
        &[
            FROM,
            TO,
            RADIUS,
            ("on the plane", [0.0, -0.5, 0.0]),
            ("normal", [0.2, 0.6, 0.1])
        ],
        &[
            (
                "starts in contact",
                &[
                    [0.0, 0.5, 0.0],
                    [1.0, -1.0, 0.0],
                    [0.0, 1.5, 0.0],
                    [0.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0]
                ]
            ),
            (
                "along the plane",
                &[
                    [-2.0, 1.0, 0.0],
                    [2.0, 1.0, 0.0],
                    [-2.0, 2.0, 0.0],
                    [0.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0]
                ]
            ),
            (
                "starts behind",
                &[
                    [0.0, -1.0, 0.0],
                    [0.0, 2.0, 0.0],
                    [0.5, -1.0, 0.0],
                    [0.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0]
                ]
            )
        ],
        plane
    ),
    query!(
        "sweep_sphere_edge",
        "sweep_sphere_edge",
        false,
        &[
            FROM,
            TO,
            RADIUS,
            ("A", [0.0, -0.4, 2.2]),
            ("B", [0.6, 0.2, -2.2])
        ],
        &[
            (
                "along the edge",
                &[
                    [0.0, 0.5, 2.0],
                    [0.0, 0.5, -2.0],
                    [0.0, 1.5, 2.0],
                    [0.0, 0.0, 2.0],
                    [0.0, 0.0, -2.0]
                ]
            ),
            (
                "past its end",
                &[
                    [-3.0, 0.0, 3.0],
                    [3.0, 0.0, 3.0],
                    [-3.0, 0.5, 3.0],
                    [0.0, 0.0, 2.0],
                    [0.0, 0.0, -2.0]
                ]
            )
        ],
        edge
    ),
    query!(
        "sweep_sphere_vertex",
        "sweep_sphere_vertex",
        false,
        &[FROM, TO, RADIUS, ("vertex", [0.2, 0.1, 0.3])],
        &[(
            "grazing",
            &[
                [-3.0, 1.0, 0.0],
                [3.0, 1.0, 0.0],
                [-3.0, 2.0, 0.0],
                [0.0, 0.0, 0.0]
            ]
        )],
        vertex
    ),
    query!(
        "sweep_sphere_face",
        "sweep_sphere_face",
        false,
        &[FROM, TO, RADIUS, TRIANGLE[0], TRIANGLE[1], TRIANGLE[2]],
        &[(
            "beside it, within the plane's reach",
            &[
                [-3.0, 0.25, 0.0],
                [3.0, 0.2, 0.0],
                [-3.0, 0.75, 0.0],
                LEVEL[0],
                LEVEL[1],
                LEVEL[2]
            ]
        )],
        face
    ),
    query!(
        "sweep_sphere_triangle",
        "sweep_sphere_triangle",
        false,
        &[FROM, TO, RADIUS, TRIANGLE[0], TRIANGLE[1], TRIANGLE[2]],
        &[
            (
                "from behind",
                &[
                    [0.0, -2.0, 0.0],
                    [0.0, 2.0, 0.0],
                    [0.5, -2.0, 0.0],
                    LEVEL[0],
                    LEVEL[1],
                    LEVEL[2]
                ]
            ),
            (
                "slow: a tenth of a millimetre",
                &[
                    [0.0, 0.50005, 0.0],
                    [0.0, 0.49995, 0.0],
                    [0.5, 0.50005, 0.0],
                    LEVEL[0],
                    LEVEL[1],
                    LEVEL[2]
                ]
            )
        ],
        triangle
    ),
    query!(
        "sweep_sphere_polygon",
        "sweep_sphere_polygon",
        false,
        &[
            FROM,
            TO,
            RADIUS,
            ("A", [-2.0, -0.5, 1.5]),
            ("B", [0.5, -0.5, 2.2]),
            ("C", [2.4, -0.5, 0.5]),
            ("D", [1.0, -0.5, -2.0]),
            ("E", [-1.6, -0.5, -1.4])
        ],
        &[(
            "at a corner",
            &[
                [-4.0, -0.5, 1.5],
                [0.0, -0.5, 1.5],
                [-4.0, 0.0, 1.5],
                [-2.0, -0.5, 1.5],
                [0.5, -0.5, 2.2],
                [2.4, -0.5, 0.5],
                [1.0, -0.5, -2.0],
                [-1.6, -0.5, -1.4]
            ]
        )],
        polygon
    ),
    query!(
        "sweep_sphere_sphere",
        "sweep_sphere_sphere",
        false,
        &[
            FROM,
            TO,
            RADIUS,
            ("second from", [1.6, 1.2, 0.4]),
            ("second to", [-1.8, 0.2, -0.4]),
            ("second radius", [1.6, 1.9, 0.4])
        ],
        &[
            (
                "equal velocities",
                &[
                    [-2.0, 0.0, 0.0],
                    [1.0, 1.0, 0.0],
                    [-2.0, 0.5, 0.0],
                    [0.0, 0.0, 0.0],
                    [3.0, 1.0, 0.0],
                    [0.0, 0.5, 0.0]
                ]
            ),
            (
                "parting",
                &[
                    [-1.0, 0.0, 0.0],
                    [-3.0, 0.0, 0.0],
                    [-1.0, 0.5, 0.0],
                    [1.0, 0.0, 0.0],
                    [3.0, 0.0, 0.0],
                    [1.0, 0.5, 0.0]
                ]
            )
        ],
        sphere
    ),
    query!(
        "sweep_aabb_aabb",
        "sweep_aabb_aabb",
        false,
        &[
            ("corner", [-3.0, 1.0, -0.5]),
            ("other corner", [-2.0, 2.0, 0.5]),
            ("to", [1.5, -1.0, 0.0]),
            ("second corner", [1.0, -1.0, -0.7]),
            ("second other", [2.2, 0.2, 0.6]),
            ("second to", [0.4, 0.6, 0.4])
        ],
        &[
            (
                "apart along an axis without motion",
                &[
                    [-3.0, 0.0, 0.0],
                    [-2.0, 1.0, 1.0],
                    [2.5, 0.5, 0.5],
                    [0.0, 2.0, 0.0],
                    [1.0, 3.0, 1.0],
                    [0.5, 2.5, 0.5]
                ]
            ),
            (
                "touching at the start",
                &[
                    [-1.0, 0.0, 0.0],
                    [0.0, 1.0, 1.0],
                    [-3.0, 0.5, 0.5],
                    [0.0, 0.0, 0.0],
                    [1.0, 1.0, 1.0],
                    [0.5, 0.5, 0.5]
                ]
            )
        ],
        aabb
    ),
    query!(
        "interpolate_orientation",
        "interpolate_orientation",
        false,
        &[
            FROM,
            TO,
            RADIUS,
            ("on the plane", [0.0, -0.5, 0.0]),
            ("normal", [0.2, 0.6, 0.1]),
            ("x axis at the end", [2.2, -1.4, -1.4])
        ],
        &[
            (
                "half a turn",
                &[
                    [-2.5, 2.0, 0.0],
                    [2.0, -1.0, 0.0],
                    [-2.5, 2.5, 0.0],
                    [0.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0],
                    [1.0, -1.0, 0.0]
                ]
            ),
            (
                "no turn",
                &[
                    [-2.5, 2.0, 0.0],
                    [2.0, -1.0, 0.0],
                    [-2.5, 2.5, 0.0],
                    [0.0, 0.0, 0.0],
                    [0.0, 1.0, 0.0],
                    [3.0, -1.0, 0.0]
                ]
            )
        ],
        orientation
    ),
];

/// The moving sphere of the first three handles; None, said so, where it goes nowhere.
fn asked(h: &[DVec3], drawing: &mut Drawing) -> Option<SphereSweep> {
    let radius = h[0].distance(h[2]);
    drawing.path(h[0], h[1], radius);
    let sweep = SphereSweep::new(h[0], h[1], radius);
    drawing.say_number("radius", Some(radius));
    if sweep.is_none() {
        drawing.say("sweep", "goes nowhere");
    }
    sweep
}

fn answer(h: &[DVec3], drawing: &mut Drawing, ask: impl Fn(&SphereSweep) -> Option<SweepHit>) {
    if let Some(sweep) = asked(h, drawing) {
        let hit = ask(&sweep);
        drawing.sweep_hit(&sweep, hit);
    }
}

fn plane_at(h: &[DVec3]) -> Plane {
    Plane::from_point(unit_or_zero(h[4] - h[3]), h[3])
}

fn plane(h: &[DVec3], drawing: &mut Drawing) {
    let plane = plane_at(h);
    drawing.plane(&plane, h[3], Ink::Asked);
    answer(h, drawing, |sweep| sweep_sphere_plane(sweep, &plane));
}

fn edge(h: &[DVec3], drawing: &mut Drawing) {
    drawing.line(h[3], h[4], Ink::Asked);
    answer(h, drawing, |sweep| {
        sweep_sphere_edge(sweep, h[3], h[4], 1.0)
    });
}

fn vertex(h: &[DVec3], drawing: &mut Drawing) {
    drawing.point(h[3], Ink::Asked);
    answer(h, drawing, |sweep| sweep_sphere_vertex(sweep, h[3], 1.0));
}

fn face(h: &[DVec3], drawing: &mut Drawing) {
    let corners = [h[3], h[4], h[5]];
    let normal = unit_or_zero((h[4] - h[3]).cross(h[5] - h[3]));
    drawing.area(&corners, Ink::Asked);
    answer(h, drawing, |sweep| {
        sweep_sphere_face(sweep, &corners, normal, 1.0)
    });
}

fn triangle(h: &[DVec3], drawing: &mut Drawing) {
    let corners = [h[3], h[4], h[5]];
    drawing.area(&corners, Ink::Asked);
    answer(h, drawing, |sweep| sweep_sphere_triangle(sweep, &corners));
}

fn polygon(h: &[DVec3], drawing: &mut Drawing) {
    drawing.area(&h[3..], Ink::Asked);
    answer(h, drawing, |sweep| sweep_sphere_polygon(sweep, &h[3..]));
}

fn sphere(h: &[DVec3], drawing: &mut Drawing) {
    let (centre, way, radius) = (h[3], h[4] - h[3], h[3].distance(h[5]));
    drawing.sphere(centre, radius, Ink::Asked);
    drawing.arrow(centre, centre + way, Ink::Asked);
    drawing.sphere(centre + way * drawing.time, radius, Ink::Ghost);
    let Some(sweep) = asked(h, drawing) else {
        return;
    };
    let hit = sweep_sphere_sphere(&sweep, centre, way, radius);
    if let Some(hit) = hit {
        drawing.sphere(centre + way * hit.fraction, radius, Ink::Answer);
    }
    drawing.sweep_hit(&sweep, hit);
}

fn aabb(h: &[DVec3], drawing: &mut Drawing) {
    let boxes = [
        (h[0], h[1], h[2], Ink::Asking),
        (h[3], h[4], h[5], Ink::Asked),
    ]
    .map(|(p, q, to, ink)| {
        let bounds = Aabb::from_corners(p, q);
        (bounds, to - bounds.centre(), ink)
    });
    let [(a, a_way, _), (b, b_way, _)] = boxes;
    let fraction = sweep_aabb_aabb(&a, a_way, &b, b_way);
    for (bounds, way, ink) in boxes {
        let at = |f: f64| Aabb {
            min: bounds.min + way * f,
            max: bounds.max + way * f,
        };
        drawing.aabb(&bounds, ink);
        drawing.aabb(&at(1.0), Ink::Faint);
        drawing.aabb(&at(drawing.time), Ink::Ghost);
        drawing.arrow(bounds.centre(), bounds.centre() + way, ink);
        if let Some(f) = fraction {
            drawing.aabb(&at(f), Ink::Answer);
        }
    }
    drawing.say_number("fraction", fraction);
}

fn orientation(h: &[DVec3], drawing: &mut Drawing) {
    let plane = plane_at(h);
    drawing.plane(&plane, h[3], Ink::Asked);
    let end = DQuat::from_rotation_arc(DVec3::X, (h[5] - h[1]).normalize_or(DVec3::X));
    let Some(sweep) = asked(h, drawing) else {
        return;
    };
    drawing.frame(sweep.from, DQuat::IDENTITY);
    drawing.frame(sweep.at(1.0), end);
    let turned = interpolate_orientation(DQuat::IDENTITY, end, drawing.time);
    drawing.frame(sweep.at(drawing.time), turned);
    let hit = sweep_sphere_plane(&sweep, &plane);
    if let Some(hit) = hit {
        let contact = interpolate_orientation(DQuat::IDENTITY, end, hit.fraction);
        drawing.frame(sweep.at(hit.fraction), contact);
        let (_, angle) = contact.to_axis_angle();
        drawing.say("turned at contact", format!("{:.1}°", angle.to_degrees()));
    }
    let (_, whole) = end.to_axis_angle();
    drawing.say("turned at the end", format!("{:.1}°", whole.to_degrees()));
    drawing.sweep_hit(&sweep, hit);
}
