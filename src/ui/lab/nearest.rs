//! Experiments with closest points, extreme points, and bounding volumes.
use super::drawing::{Drawing, Ink};
use super::query::{Query, query};
use crate::collide::{
    bounding_sphere, closest_point_segment, closest_point_triangle, extreme_points,
};
use crate::geom::{Aabb, Segment};
use glam::DVec3;

pub(super) const QUERIES: &[Query] = &[
    query!(
        "closest_point_segment",
        "closest_point_segment",
        false,
        &[
            ("point", [0.5, 2.0, 0.6]),
            ("from", [-2.4, -0.6, 1.0]),
            ("to", [2.0, 0.6, -1.0])
        ],
        &[(
            "beyond its end",
            &[[4.0, 1.0, 0.0], [-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
        )],
        nearest_on_segment
    ),
    query!(
        "closest_point_triangle",
        "closest_point_triangle",
        false,
        &[
            ("point", [1.8, 1.8, 0.6]),
            ("A", [-2.0, -0.5, 1.5]),
            ("B", [1.6, -0.2, 1.0]),
            ("C", [0.0, 0.2, -2.0])
        ],
        &[(
            "above it",
            &[
                [0.0, 2.0, 0.0],
                [-2.0, 0.0, 1.0],
                [2.0, 0.0, 1.0],
                [0.0, 0.0, -2.0]
            ]
        )],
        nearest_on_triangle
    ),
    query!(
        "extreme_points",
        "extreme_points",
        false,
        &[
            ("direction", [1.6, 1.8, 0.4]),
            ("1", [-2.0, -0.5, 1.5]),
            ("2", [1.6, -1.2, 1.0]),
            ("3", [0.0, 0.8, -2.0]),
            ("4", [-1.0, 1.2, 0.4]),
            ("5", [0.8, -0.4, -0.6]),
            ("6", [1.2, 0.9, 0.8])
        ],
        &[(
            "two equally far",
            &[
                [0.0, 2.0, 0.0],
                [-2.0, 1.0, 0.0],
                [2.0, 1.0, 0.0],
                [0.0, -1.0, 0.0],
                [0.0, 0.0, 1.0],
                [0.0, 0.0, -1.0],
                [0.0, -1.0, 1.0]
            ]
        )],
        extremes
    ),
    query!(
        "bounding_sphere",
        "bounding_sphere",
        false,
        &[
            ("1", [-2.0, -0.5, 1.5]),
            ("2", [1.6, -1.2, 1.0]),
            ("3", [0.0, 0.8, -2.0]),
            ("4", [-1.0, 1.2, 0.4]),
            ("5", [0.8, -0.4, -0.6]),
            ("6", [1.2, 0.9, 0.8])
        ],
        &[(
            "four on a circle",
            &[
                [2.0, 0.0, 0.0],
                [-2.0, 0.0, 0.0],
                [0.0, 0.0, 2.0],
                [0.0, 0.0, -2.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0]
            ]
        )],
        bounding
    ),
];

fn nearest(point: DVec3, found: DVec3, drawing: &mut Drawing) {
    drawing.point(point, Ink::Asking);
    drawing.line(point, found, Ink::Normal);
    drawing.point(found, Ink::Answer);
    drawing.say_point("nearest", found);
    drawing.say_number("distance", Some(point.distance(found)));
}

fn nearest_on_segment(h: &[DVec3], drawing: &mut Drawing) {
    drawing.line(h[1], h[2], Ink::Asked);
    let segment = Segment {
        from: h[1],
        to: h[2],
    };
    let (found, fraction) = closest_point_segment(h[0], &segment);
    nearest(h[0], found, drawing);
    drawing.say_number("fraction", Some(fraction));
}

fn nearest_on_triangle(h: &[DVec3], drawing: &mut Drawing) {
    let corners = [h[1], h[2], h[3]];
    drawing.area(&corners, Ink::Asked);
    nearest(h[0], closest_point_triangle(h[0], &corners), drawing);
}

fn extremes(h: &[DVec3], drawing: &mut Drawing) {
    let (direction, points) = (h[0], &h[1..]);
    drawing.arrow(DVec3::ZERO, direction, Ink::Asking);
    points.iter().for_each(|p| drawing.point(*p, Ink::Asked));
    let Some(found) = extreme_points(points, direction) else {
        return;
    };
    let unit = direction.normalize_or_zero();
    for (name, i) in ["least along it", "most along it"].into_iter().zip(found) {
        let along = unit * points[i].dot(unit);
        drawing.line(points[i], along, Ink::Normal);
        drawing.point(points[i], Ink::Answer);
        drawing.say(
            name,
            format!("point {}, at {:.4}", i + 1, points[i].dot(unit)),
        );
    }
    drawing.line(unit * -3.0, unit * 3.0, Ink::Faint);
}

fn bounding(h: &[DVec3], drawing: &mut Drawing) {
    h.iter().for_each(|p| drawing.point(*p, Ink::Asked));
    if let Some(bounds) = Aabb::from_points(h.iter().copied()) {
        drawing.aabb(&bounds, Ink::Faint);
        drawing.say_number("half the box's diagonal", Some(bounds.diagonal() * 0.5));
    }
    let sphere = bounding_sphere(h);
    drawing.say_number("radius", sphere.map(|s| s.1));
    if let Some((centre, radius)) = sphere {
        drawing.sphere(centre, radius, Ink::Answer);
        drawing.say_point("centre", centre);
        let rim = h
            .iter()
            .filter(|p| p.distance(centre) > radius * (1.0 - 1e-9));
        drawing.say("points on it", rim.count());
    }
}
