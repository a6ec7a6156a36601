//! Experiments in the plane: point in polygon, separation of two polygons.
use super::drawing::{Drawing, Ink, flat};
use super::query::{Query, query};
use crate::collide::{
    point_in_polygon_angles, point_in_polygon_convex, point_in_polygon_crossings,
    point_in_polygon_quadrants, separation_convex_convex_2d,
};
use glam::{DVec2, DVec3};

pub(super) const QUERIES: &[Query] = &[
    query!(
        "point_in_polygon_convex",
        "point_in_polygon",
        true,
        &[
            ("point", [0.4, 0.6, 0.0]),
            ("A", [-2.0, -1.5, 0.0]),
            ("B", [1.2, -2.0, 0.0]),
            ("C", [2.6, 0.4, 0.0]),
            ("D", [0.6, 2.4, 0.0]),
            ("E", [-1.8, 1.2, 0.0])
        ],
        &[(
            "on a side",
            &[
                [0.0, -1.0, 0.0],
                [-2.0, -1.0, 0.0],
                [2.0, -1.0, 0.0],
                [2.0, 1.0, 0.0],
                [0.0, 2.0, 0.0],
                [-2.0, 1.0, 0.0]
            ]
        )],
        in_convex
    ),
    query!(
        "point_in_polygon: angles, quadrants, crossings",
        "point_in_polygon",
        true,
        &[
            ("point", [0.4, 0.6, 0.0]),
            ("A", [-2.4, -1.8, 0.0]),
            ("B", [2.4, -1.8, 0.0]),
            ("C", [2.6, 2.0, 0.0]),
            ("D", [1.4, 0.2, 0.0]),
            ("E", [0.2, 2.4, 0.0]),
            ("F", [-0.8, -0.4, 0.0]),
            ("G", [-2.2, 1.8, 0.0])
        ],
        &[
            (
                "level with corners",
                &[
                    [-1.0, 0.0, 0.0],
                    [-3.0, -2.0, 0.0],
                    [3.0, -2.0, 0.0],
                    [3.0, 2.0, 0.0],
                    [1.0, 0.0, 0.0],
                    [0.0, 2.0, 0.0],
                    [0.0, 0.0, 0.0],
                    [-3.0, 2.0, 0.0]
                ]
            ),
            (
                "a polygon that crosses itself",
                &[
                    [0.0, 0.5, 0.0],
                    [-2.0, -2.0, 0.0],
                    [2.0, 2.0, 0.0],
                    [2.0, -2.0, 0.0],
                    [-2.0, 2.0, 0.0],
                    [-2.0, 2.0, 0.0],
                    [-2.0, 2.0, 0.0],
                    [-2.0, 2.0, 0.0]
                ]
            )
        ],
        in_any
    ),
    query!(
        "separation_convex_convex_2d",
        "separation_convex_convex_2d",
        true,
        &[
            ("A", [-3.0, -1.2, 0.0]),
            ("B", [-0.8, -1.0, 0.0]),
            ("C", [-0.4, 0.8, 0.0]),
            ("D", [-2.2, 1.4, 0.0]),
            ("P", [0.6, -0.6, 0.0]),
            ("Q", [2.6, -0.4, 0.0]),
            ("R", [1.8, 1.6, 0.0])
        ],
        &[
            (
                "side against side",
                &[
                    [-2.0, -1.0, 0.0],
                    [0.0, -1.0, 0.0],
                    [0.0, 1.0, 0.0],
                    [-2.0, 1.0, 0.0],
                    [0.0, 1.0, 0.0],
                    [0.0, -1.0, 0.0],
                    [2.0, 0.0, 0.0]
                ]
            ),
            (
                "corner to corner",
                &[
                    [-2.0, -2.0, 0.0],
                    [0.0, -2.0, 0.0],
                    [0.0, 0.0, 0.0],
                    [-2.0, 0.0, 0.0],
                    [1.0, 1.0, 0.0],
                    [3.0, 1.0, 0.0],
                    [1.0, 3.0, 0.0]
                ]
            )
        ],
        separation
    ),
];

fn flat_corners(h: &[DVec3]) -> Vec<DVec2> {
    h.iter().map(|p| p.truncate()).collect()
}

fn in_convex(h: &[DVec3], drawing: &mut Drawing) {
    let corners = flat_corners(&h[1..]);
    let inside = point_in_polygon_convex(&corners, h[0].truncate());
    drawing.area(&h[1..], if inside { Ink::Answer } else { Ink::Asked });
    drawing.point(h[0], Ink::Asking);
    for (p, q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let middle = p.lerp(*q, 0.5);
        let inwards = (*q - *p).perp().normalize_or_zero();
        drawing.arrow(flat(middle), flat(middle + inwards * 0.5), Ink::Normal);
    }
    drawing.say_whether("inside", inside);
}

fn in_any(h: &[DVec3], drawing: &mut Drawing) {
    let (corners, point) = (flat_corners(&h[1..]), h[0].truncate());
    let crossings = point_in_polygon_crossings(&corners, point);
    drawing.outline(&h[1..], if crossings { Ink::Answer } else { Ink::Asked });
    drawing.point(h[0], Ink::Asking);
    drawing.line(h[0], h[0] + DVec3::X * 12.0, Ink::Faint);
    for axis in [DVec3::Y, -DVec3::X, -DVec3::Y] {
        drawing.line(h[0], h[0] + axis * 0.7, Ink::Faint);
    }
    drawing.say_whether(
        "by the sum of angles",
        point_in_polygon_angles(&corners, point),
    );
    drawing.say_whether("by quadrants", point_in_polygon_quadrants(&corners, point));
    drawing.say_whether("by crossings", crossings);
}

fn separation(h: &[DVec3], drawing: &mut Drawing) {
    let (a, b) = (flat_corners(&h[..4]), flat_corners(&h[4..]));
    drawing.area(&h[..4], Ink::Asking);
    drawing.area(&h[4..], Ink::Asked);
    let best = separation_convex_convex_2d(&a, &b, None);
    let cached = separation_convex_convex_2d(&a, &b, Some(&mut drawing.cache));
    drawing.say_number("separation", best.map(|s| s.distance));
    if let Some(found) = best {
        let own = if found.side < a.len() { &a } else { &b };
        let i = found.side % a.len().max(1);
        let i = if found.side < a.len() {
            i
        } else {
            found.side - a.len()
        };
        let (p, q) = (own[i], own[(i + 1) % own.len()]);
        let along = (q - p).normalize_or_zero() * 6.0;
        drawing.line(flat(p - along), flat(q + along), Ink::Faint);
        drawing.line(flat(p), flat(q), Ink::Answer);
        let middle = flat(p.lerp(q, 0.5));
        drawing.normal(middle, flat(found.normal));
    }
    let is_convex = |c: &[DVec2]| {
        let n = c.len();
        (0..n).all(|i| (c[(i + 1) % n] - c[i]).perp_dot(c[(i + 2) % n] - c[i]) > 0.0)
    };
    drawing.say_whether("both convex, to the left", is_convex(&a) && is_convex(&b));
    let kept = drawing.cache.kept;
    drawing.say_number("by the cached side", cached.map(|s| s.distance));
    drawing.say(
        "cached side",
        drawing
            .cache
            .side
            .map_or("none".into(), |side| side.to_string()),
    );
    drawing.say("frames it was enough for", kept);
}
