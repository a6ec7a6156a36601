//! Structure of trees: limits, completeness, boxes and counts.
use super::*;
use crate::bvh::index::{LEAF, WIDTH};

#[test]
fn a_tree_keeps_its_limits_and_loses_no_triangle() {
    let mesh = room(5, 0.05);
    for params in all_params() {
        let tree = Bvh::build(&mesh, &params);
        check_tree(&tree, &mesh);
        check_bins(&tree, &mesh);
        assert!(tree.depth() <= params.max_depth);
        let bins = tree.bins();
        assert_eq!(bins.iter().map(|b| b.0).max(), Some(tree.depth()));
        let leaves = bins.iter().filter(|b| b.2).count();
        assert_eq!(bins.len(), 2 * leaves - 1, "binary");
        assert!(
            bins.iter()
                .all(|(_, bounds, _)| bins[0].1.contains_box(bounds))
        );
    }
    let deep = BuildParams {
        faces_per_bin: 1,
        max_depth: 32,
        ..Default::default()
    };
    let tree = Bvh::build(&mesh, &deep);
    let leaves = tree.bins().iter().filter(|b| b.2).count();
    assert_eq!(leaves, mesh.triangles.len());
}

/// Each live triangle is in the leaf that [`Bvh::locate_triangle`] returns, with a unique path, level and box.
pub(super) fn check_bins(tree: &Bvh, mesh: &Mesh) {
    let mut held = std::collections::BTreeMap::new();
    for (i, _) in (0u32..).zip(&mesh.triangles).filter(|(_, t)| t.is_live()) {
        let bin = tree
            .locate_triangle(i)
            .expect("a live triangle is in a bin");
        let all = corners(mesh, i as usize);
        assert!(all.iter().all(|c| bin.bounds.grow(1e-3).contains(*c)));
        let entry = held.entry(bin.path.clone());
        let (known, count) = entry.or_insert((bin.clone(), 0));
        assert_eq!(known, &bin, "one path, one bin");
        *count += 1;
    }
    assert!(held.values().all(|(bin, count)| bin.faces == *count));
    // No leaf is an ancestor of another.
    let paths: Vec<_> = held.keys().collect();
    assert!(paths.windows(2).all(|two| !two[1].starts_with(two[0])));
    let sorted = |bins: &mut dyn Iterator<Item = (u32, [f64; 6])>| {
        let mut bins: Vec<_> = bins.collect();
        bins.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        bins
    };
    let box_of = |b: &Aabb| [b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z];
    let mut named = held
        .values()
        .map(|(bin, _)| (bin.path.len() as u32, box_of(&bin.bounds)));
    let leaves = tree.bins().into_iter().filter(|bin| bin.2);
    let mut leaves = leaves.map(|(level, bounds, _)| (level, box_of(&bounds)));
    assert_eq!(sorted(&mut named), sorted(&mut leaves));
    assert_eq!(tree.locate_triangle(mesh.triangles.len() as u32), None);
}

/// Invariants of a tree: every live face in one block, where `face_lanes` says, inside all boxes above; counts,
/// parents, levels, cost and free lists are right.
pub(super) fn check_tree(tree: &Bvh, mesh: &Mesh) {
    let (nodes, blocks) = (&tree.tree.nodes, &tree.tree.blocks);
    let mut listed = Vec::new();
    let mut leaves_at = [0u32; 33];
    let (mut cost, mut seen_nodes, mut seen_blocks) = (0.0, 0, 0);
    let mut todo = vec![(0u32, NONE, 0u8)];
    while let Some((at, parent, level)) = todo.pop() {
        let (node, role) = (&nodes[at as usize], &tree.tree.node_infos[at as usize]);
        seen_nodes += 1;
        assert_eq!((role.parent, role.level, role.dirty), (parent, level, 0));
        let levels = role.levels();
        for lane in 0..WIDTH {
            let (child, bounds) = (node.child[lane], node.boxes.get(lane));
            assert_eq!(child == NONE, node.count[lane] == 0);
            if child == NONE {
                assert!(bounds.is_empty());
                continue;
            }
            cost += f64::from(bounds.area());
            let me = at * WIDTH as u32 + lane as u32;
            let (inner, count) = if child & LEAF == 0 {
                todo.push((child, me, levels[lane]));
                let below = &nodes[child as usize];
                (below.boxes.union(), below.count.iter().sum())
            } else {
                leaves_at[usize::from(levels[lane])] += 1;
                let (mut all, mut count) = (bounds::Bounds::EMPTY, 0);
                let mut next = child & !LEAF;
                while next != NONE {
                    let block = &blocks[next as usize];
                    seen_blocks += 1;
                    let role = &tree.tree.block_infos[next as usize];
                    assert_eq!((role.parent, role.gone), (me, 0));
                    assert!(0 < role.count && role.count <= 8);
                    count += role.count;
                    all.extend(&block.union());
                    for k in 0..WIDTH {
                        let face = block.face[k];
                        if k >= role.count as usize {
                            let corners = block.corners.lanes.as_flattened();
                            assert!(face == NONE && corners.iter().all(|c| c[k] == f32::INFINITY));
                            continue;
                        }
                        listed.push(face);
                        let face = &tree.surface.faces[face as usize];
                        assert_eq!(
                            tree.tree.face_lanes[face.triangle as usize],
                            next * 8 + k as u32
                        );
                        let own = block.bounds(k);
                        let exact = |v: glam::Vec3A| DVec3::from(v.to_array().map(f64::from));
                        for p in tree.surface.corners(face) {
                            assert!(exact(own.min).cmple(p).all() && p.cmple(exact(own.max)).all());
                        }
                    }
                    next = role.next;
                }
                (all, count)
            };
            assert_eq!(count, node.count[lane]);
            assert_eq!((inner.min, inner.max), (bounds.min, bounds.max));
        }
    }
    listed.sort_unstable();
    let live = (0u32..).zip(&mesh.triangles).filter(|(_, t)| t.is_live());
    assert!(listed.iter().copied().eq(live.map(|(i, _)| i)));
    assert_eq!(tree.face_count(), listed.len());
    assert_eq!(leaves_at[..], tree.tree.leaves_at[..]);
    assert!((cost - tree.tree.cost).abs() <= 1e-9 * (1.0 + cost));
    let (free_nodes, free_blocks) = tree.tree.free_counts();
    assert_eq!(nodes.len(), seen_nodes + free_nodes);
    assert_eq!(blocks.len(), seen_blocks + free_blocks);
}
