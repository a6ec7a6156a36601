//! Experiments with overlap tests of static shapes.
use super::drawing::{Drawing, Ink};
use super::query::{Query, query};
use super::rays::obb;
use crate::bvh::{BuildParams, Bvh, Mesh, Triangle, leaf_pairs};
use crate::collide::{
    overlap_aabb_aabb, overlap_obb_obb, overlap_sphere_aabb, overlap_triangle_triangle,
};
use crate::geom::Aabb;
use glam::{DAffine3, DVec3};

const CORNER: super::query::Handle = ("corner", [-0.6, -1.0, -1.0]);
const OTHER: super::query::Handle = ("other corner", [1.6, 1.2, 1.0]);

pub(super) const QUERIES: &[Query] = &[
    query!(
        "overlap_aabb_aabb",
        "overlap_aabb_aabb",
        false,
        &[
            ("first", [-2.0, -1.0, -1.0]),
            ("first other", [0.2, 0.8, 1.0]),
            ("second", [-0.4, 0.2, -0.6]),
            ("second other", [2.0, 2.0, 1.4])
        ],
        &[(
            "touching at a corner",
            &[
                [-1.0, -1.0, -1.0],
                [0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [1.0, 1.0, 1.0]
            ]
        )],
        aabb_aabb
    ),
    query!(
        "overlap_sphere_aabb",
        "overlap_sphere_aabb",
        false,
        &[
            ("centre", [-2.0, 1.8, 0.4]),
            ("radius", [-1.0, 1.8, 0.4]),
            CORNER,
            OTHER
        ],
        &[
            (
                "touching an edge",
                &[
                    [-3.0, 4.0, 0.0],
                    [2.0, 4.0, 0.0],
                    [0.0, -1.0, -1.0],
                    [1.0, 0.0, 1.0]
                ]
            ),
            (
                "centre inside",
                &[
                    [0.5, 0.0, 0.0],
                    [0.6, 0.0, 0.0],
                    [0.0, -1.0, -1.0],
                    [1.0, 1.0, 1.0]
                ]
            )
        ],
        sphere_aabb
    ),
    query!(
        "overlap_obb_obb",
        "overlap_obb_obb",
        false,
        &[
            ("first", [-1.4, 0.0, 0.0]),
            ("first x", [-0.2, 0.5, 0.3]),
            ("first y", [-1.7, 0.9, 0.2]),
            ("second", [1.2, 0.4, 0.2]),
            ("second x", [0.4, 1.0, -0.4]),
            ("second y", [1.7, 1.1, 0.6])
        ],
        &[
            (
                "edge against edge",
                &[
                    [-1.0, 0.0, 0.0],
                    [-0.3, 0.7, 0.0],
                    [-1.7, 0.7, 0.0],
                    [1.0, 0.0, 0.0],
                    [1.7, 0.0, 0.7],
                    [1.0, 1.0, 0.0]
                ]
            ),
            (
                "parallel edges, touching",
                &[
                    [-1.0, 0.0, 0.0],
                    [0.0, 0.0, 0.0],
                    [-1.0, 1.0, 0.0],
                    [1.0, 0.0, 0.0],
                    [2.0, 0.0, 0.0],
                    [1.0, 1.0, 0.0]
                ]
            )
        ],
        obb_obb
    ),
    query!(
        "overlap_triangle_triangle",
        "overlap_triangle_triangle",
        false,
        &[
            ("A", [-2.0, -0.5, 1.5]),
            ("B", [2.0, -0.2, 1.0]),
            ("C", [0.0, 0.2, -2.0]),
            ("P", [-0.5, 1.6, 0.2]),
            ("Q", [0.4, -1.5, 0.4]),
            ("R", [1.4, 1.4, -0.6])
        ],
        &[
            (
                "in one plane",
                &[
                    [-2.0, 0.0, 1.0],
                    [2.0, 0.0, 1.0],
                    [0.0, 0.0, -2.0],
                    [-1.0, 0.0, 0.0],
                    [3.0, 0.0, 0.0],
                    [1.0, 0.0, 3.0]
                ]
            ),
            (
                "nearly parallel",
                &[
                    [-2.0, 0.0, 1.0],
                    [2.0, 0.0, 1.0],
                    [0.0, 0.0, -2.0],
                    [-2.0, 0.00001, 1.0],
                    [2.0, -0.00001, 1.0],
                    [0.0, 0.0, -2.0]
                ]
            ),
            (
                "only corners meet",
                &[
                    [-2.0, 0.0, 1.0],
                    [0.0, 0.0, 0.0],
                    [-2.0, 0.0, -1.0],
                    [0.0, 0.0, 0.0],
                    [2.0, 1.0, 1.0],
                    [2.0, 1.0, -1.0]
                ]
            )
        ],
        triangle_triangle
    ),
    query!(
        "leaf_pairs",
        "../bvh/pairs",
        false,
        &[
            ("first", [-0.8, -0.4, 0.0]),
            ("second", [0.9, 0.5, 0.3]),
            ("second turned", [1.8, 1.2, 0.7])
        ],
        &[(
            "far apart",
            &[[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [4.0, 0.0, 0.0]]
        )],
        trees
    ),
];

fn aabb_aabb(h: &[DVec3], drawing: &mut Drawing) {
    let (a, b) = (
        Aabb::from_corners(h[0], h[1]),
        Aabb::from_corners(h[2], h[3]),
    );
    drawing.aabb(&a, Ink::Asking);
    drawing.aabb(&b, Ink::Asked);
    let both = a.intersection(&b);
    if let Some(both) = both {
        drawing.aabb(&both, Ink::Answer);
    }
    drawing.say_whether("overlap", overlap_aabb_aabb(&a, &b));
    drawing.say_number("shared volume, m³", both.map(|b| b.volume()));
}

fn sphere_aabb(h: &[DVec3], drawing: &mut Drawing) {
    let (centre, radius) = (h[0], h[0].distance(h[1]));
    let bounds = Aabb::from_corners(h[2], h[3]);
    drawing.sphere(centre, radius, Ink::Asking);
    drawing.aabb(&bounds, Ink::Asked);
    let nearest = bounds.closest_point(centre);
    drawing.line(centre, nearest, Ink::Normal);
    let overlaps = overlap_sphere_aabb(centre, radius, &bounds);
    if overlaps {
        drawing.point(nearest, Ink::Answer);
    }
    drawing.say_whether("overlap", overlaps);
    drawing.say_number("distance", Some(centre.distance(nearest)));
    drawing.say_number("radius", Some(radius));
}

fn obb_obb(h: &[DVec3], drawing: &mut Drawing) {
    let (a, b) = (obb(h[0], h[1], h[2]), obb(h[3], h[4], h[5]));
    let overlaps = overlap_obb_obb(&a, &b);
    drawing.obb(&a, if overlaps { Ink::Answer } else { Ink::Asking });
    drawing.obb(&b, if overlaps { Ink::Answer } else { Ink::Asked });
    drawing.say_whether("overlap", overlaps);
    // The fifteen axes, to show the one that parts most.
    let of = |m: &glam::DMat3| [m.x_axis, m.y_axis, m.z_axis];
    let crossed = of(&a.axes)
        .into_iter()
        .flat_map(|p| of(&b.axes).map(|q| p.cross(q)));
    let axes = of(&a.axes).into_iter().chain(of(&b.axes)).chain(crossed);
    let mut best: Option<(f64, usize, DVec3)> = None;
    for (i, axis) in axes.enumerate() {
        let Some(axis) = axis.try_normalize() else {
            continue;
        };
        let span = |obb: &crate::geom::Obb| obb.corners().map(|p| p.dot(axis));
        let (of_a, of_b) = (span(&a), span(&b));
        let low = |s: &[f64; 8]| s.iter().copied().fold(f64::INFINITY, f64::min);
        let high = |s: &[f64; 8]| s.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let gap = (low(&of_b) - high(&of_a)).max(low(&of_a) - high(&of_b));
        if best.is_none_or(|(least, ..)| gap > least) {
            best = Some((gap, i, axis));
        }
    }
    if let Some((gap, i, axis)) = best {
        let kind = match i {
            0..3 => "face of the first",
            3..6 => "face of the second",
            _ => "edge and edge",
        };
        drawing.say("best axis", format!("{} of 15: {kind}", i + 1));
        drawing.say_number("gap along it", Some(gap));
        let middle = a.centre.lerp(b.centre, 0.5);
        drawing.line(middle - axis * 2.0, middle + axis * 2.0, Ink::Normal);
    }
}

fn triangle_triangle(h: &[DVec3], drawing: &mut Drawing) {
    let (a, b) = ([h[0], h[1], h[2]], [h[3], h[4], h[5]]);
    let overlaps = overlap_triangle_triangle(&a, &b);
    drawing.area(&a, if overlaps { Ink::Answer } else { Ink::Asking });
    drawing.area(&b, if overlaps { Ink::Answer } else { Ink::Asked });
    drawing.say_whether("overlap", overlaps);
    let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
    let sine = normal(&a).cross(normal(&b)).length();
    drawing.say_number("sine between the planes", Some(sine));
}

fn ball() -> Mesh {
    let (rows, columns) = (4u32, 8u32);
    let mut mesh = Mesh::default();
    for row in 0..=rows {
        let (sin, cos) = libm::sincos(f64::from(row) / f64::from(rows) * std::f64::consts::PI);
        for column in 0..columns {
            let turn = f64::from(column) / f64::from(columns) * std::f64::consts::TAU;
            let (z, x) = libm::sincos(turn);
            mesh.positions.push(DVec3::new(x * sin, cos, -z * sin));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let at = |r: u32, c: u32| r * columns + c % columns;
            let corners = [
                at(row, column),
                at(row + 1, column),
                at(row + 1, column + 1),
                at(row, column + 1),
            ];
            let mut add = |corners: [u32; 3]| {
                let key = mesh.triangles.len() as u32;
                mesh.triangles.push(Triangle {
                    corners,
                    face: key,
                    key: key.into(),
                });
            };
            if row + 1 < rows {
                add([corners[0], corners[1], corners[2]]);
            }
            if row > 0 {
                add([corners[0], corners[2], corners[3]]);
            }
        }
    }
    mesh
}

fn trees(h: &[DVec3], drawing: &mut Drawing) {
    let mesh = ball();
    let tree = Bvh::build(
        &mesh,
        &BuildParams {
            faces_per_bin: 2,
            ..BuildParams::default()
        },
    );
    let way = (h[2] - h[1]).normalize_or(DVec3::X);
    let second =
        DAffine3::from_rotation_translation(glam::DQuat::from_rotation_arc(DVec3::X, way), h[1]);
    let first = DAffine3::from_translation(h[0]);
    let first_from_second = first.inverse() * second;
    let corners = |place: &DAffine3, t: u32| {
        mesh.triangles[t as usize]
            .corners
            .map(|i| place.transform_point3(mesh.positions[i as usize]))
    };
    for (place, ink) in [(&first, Ink::Asking), (&second, Ink::Asked)] {
        (0..mesh.triangles.len() as u32).for_each(|t| drawing.outline(&corners(place, t), ink));
    }
    let (mut boxes, mut meet) = (0, 0);
    leaf_pairs(&tree, &tree, &first_from_second, &mut |i, j| {
        boxes += 1;
        let (a, b) = (corners(&first, i), corners(&second, j));
        if overlap_triangle_triangle(&a, &b) {
            meet += 1;
            drawing.area(&a, Ink::Answer);
            drawing.area(&b, Ink::Answer);
        }
    });
    let all = mesh.triangles.len().pow(2);
    drawing.say("triangles", format!("{0} and {0}", mesh.triangles.len()));
    drawing.say("pairs in all", all);
    drawing.say("pairs whose boxes touch", boxes);
    drawing.say("pairs that touch", meet);
}
