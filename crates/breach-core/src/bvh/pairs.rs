//! Tree against tree: which triangles of one mesh can meet which of another?
//!
//! Both trees are traversed at once: a pair of bins whose boxes are apart is skipped; of a pair that overlaps, the
//! larger bin is opened. Ericson, Real-Time Collision Detection, 6.3.
//!
//! Conventions. Boxes that touch count; they are those of the triangles, in the second tree those around the moved
//! triangles. [`crate::collide::overlap_triangle_triangle`] decides whether the triangles themselves overlap. A motion
//! that is not finite gives no pairs.
use super::bounds::Bounds;
use super::index::{LEAF, NONE, WIDTH};
use super::mesh_bvh::Bvh;
use super::tree::Tree;
use crate::geom::Aabb;
use glam::{DAffine3, DVec3, Vec3A};

/// A bin, or a face of a leaf, with its box in the frame of the first tree.
#[derive(Clone, Copy)]
struct Part {
    /// A child index as in nodes; for a face, block · 8 + lane.
    at: u32,
    is_face: bool,
    bounds: Aabb,
}

/// Calls `visit(triangle of a, triangle of b)` for each pair whose boxes touch where `b` is moved by `a_from_b`; each
/// pair once, in an order that depends on the trees.
pub fn leaf_pairs(a: &Bvh, b: &Bvh, a_from_b: &DAffine3, visit: &mut dyn FnMut(u32, u32)) {
    if !a_from_b.is_finite() {
        return;
    }
    let still = DAffine3::IDENTITY;
    let everything = Aabb {
        min: DVec3::NEG_INFINITY,
        max: DVec3::INFINITY,
    };
    let root = Part {
        at: 0,
        is_face: false,
        bounds: everything,
    };
    if a.tree.nodes.is_empty() || b.tree.nodes.is_empty() {
        return;
    }
    let mut todo = vec![(root, root)];
    while let Some((one, two)) = todo.pop() {
        if one.is_face && two.is_face {
            let face = |tree: &Tree, part: Part| {
                let (block, lane) = (part.at as usize / WIDTH, part.at as usize % WIDTH);
                tree.blocks[block].face[lane]
            };
            visit(face(&a.tree, one), face(&b.tree, two));
            continue;
        }
        let opens_first = !one.is_face && (two.is_face || size(&one.bounds) >= size(&two.bounds));
        let (tree, part, motion, other) = if opens_first {
            (&a.tree, one, &still, two)
        } else {
            (&b.tree, two, a_from_b, one)
        };
        each_inside(tree, part, &mut |mut inner, bounds| {
            inner.bounds = moved(&bounds, motion);
            if inner.bounds.overlaps(&other.bounds) {
                todo.push(if opens_first {
                    (inner, other)
                } else {
                    (other, inner)
                });
            }
        });
    }
}

fn size(bounds: &Aabb) -> f64 {
    bounds.size().length_squared()
}

/// Visits the children of a bin, or the faces of a leaf.
fn each_inside(tree: &Tree, part: Part, visit: &mut dyn FnMut(Part, Bounds)) {
    let inner = |at: u32, is_face: bool| Part {
        at,
        is_face,
        bounds: part.bounds,
    };
    if part.at & LEAF == 0 {
        let node = &tree.nodes[part.at as usize];
        for (lane, &child) in node.child.iter().enumerate().filter(|c| *c.1 != NONE) {
            visit(inner(child, false), node.boxes.get(lane));
        }
        return;
    }
    let mut at = part.at & !LEAF;
    while at != NONE {
        let (block, role) = (&tree.blocks[at as usize], &tree.block_infos[at as usize]);
        for lane in 0..role.count as usize {
            let face = at * WIDTH as u32 + lane as u32;
            visit(inner(face, true), block.bounds(lane));
        }
        at = role.next;
    }
}

/// The box around a moved box, grown by the rounding error.
fn moved(bounds: &Bounds, motion: &DAffine3) -> Aabb {
    let wide = |v: Vec3A| DVec3::from(v.to_array().map(f64::from));
    let (min, max) = (wide(bounds.min), wide(bounds.max));
    let (centre, half) = ((min + max) * 0.5, (max - min) * 0.5);
    let turn = motion.matrix3;
    let reach =
        turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
    let centre = motion.transform_point3(centre);
    let slack = (centre.abs() + reach) * 1e-15;
    Aabb::from_centre(centre, reach + slack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{BuildParams, Mesh, Triangle};
    use crate::collide::overlap_triangle_triangle;
    use crate::geom::rng::Rng;
    use glam::DQuat;

    fn soup(rng: &mut Rng, count: u32) -> Mesh {
        let mut mesh = Mesh::default();
        for i in 0..count {
            let at = rng.unit_vector() * rng.range(0.0, 3.0);
            for _ in 0..3 {
                mesh.positions.push(at + rng.unit_vector() * 0.4);
            }
            mesh.triangles.push(Triangle {
                corners: [3 * i, 3 * i + 1, 3 * i + 2],
                face: i,
                key: i.into(),
            });
        }
        mesh
    }

    #[test]
    fn no_pair_of_triangles_that_meet_is_left_out_and_none_comes_twice() {
        let mut rng = Rng::new(12);
        let mut met = 0;
        for round in 0..12 {
            let (one, two) = (soup(&mut rng, 150), soup(&mut rng, 40 + round));
            let params = BuildParams::default();
            let (a, b) = (Bvh::build(&one, &params), Bvh::build(&two, &params));
            let turn = DQuat::from_axis_angle(rng.unit_vector(), rng.range(0.0, 3.0));
            let motion = DAffine3::from_rotation_translation(turn, rng.unit_vector());
            let mut pairs = Vec::new();
            leaf_pairs(&a, &b, &motion, &mut |i, j| pairs.push((i, j)));
            let count = pairs.len();
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), count, "each once");
            assert!(count < 150 * 40, "and not all of them");
            let corners = |mesh: &Mesh, t: usize| {
                mesh.triangles[t]
                    .corners
                    .map(|c| mesh.positions[c as usize])
            };
            for i in 0..one.triangles.len() {
                for j in 0..two.triangles.len() {
                    let other = corners(&two, j).map(|p| motion.transform_point3(p));
                    if overlap_triangle_triangle(&corners(&one, i), &other) {
                        met += 1;
                        assert!(pairs.binary_search(&(i as u32, j as u32)).is_ok());
                    }
                }
            }
        }
        assert!(met > 100, "{met}");
    }

    #[test]
    fn nothing_meets_an_empty_tree_or_what_is_nowhere() {
        let mut rng = Rng::new(1);
        let mesh = soup(&mut rng, 20);
        let tree = Bvh::build(&mesh, &BuildParams::default());
        let empty = Bvh::build(&Mesh::default(), &BuildParams::default());
        let mut none = |_: u32, _: u32| panic!("a pair");
        leaf_pairs(&tree, &empty, &DAffine3::IDENTITY, &mut none);
        leaf_pairs(&Bvh::default(), &tree, &DAffine3::IDENTITY, &mut none);
        let away = DAffine3::from_translation(DVec3::X * 50.0);
        leaf_pairs(&tree, &tree, &away, &mut none);
        leaf_pairs(&tree, &tree, &DAffine3::from_scale(DVec3::NAN), &mut none);
    }
}
