//! Updated and rebuilt trees answer as new ones.
use super::shape::{check_bins, check_tree};
use super::*;

/// A mesh as a carve edits it: slots of triangles and positions are reused.
struct Edited {
    mesh: Mesh,
    free_slots: Vec<u32>,
    free_points: Vec<u32>,
    changed: Vec<u32>,
    next_key: u64,
}

impl Edited {
    fn kill(&mut self, slot: u32) {
        if self.mesh.triangles[slot as usize].is_live() {
            self.mesh.triangles[slot as usize] = Triangle::DEAD;
            self.free_slots.push(slot);
            self.changed.push(slot);
        }
    }

    fn add(&mut self, corners: [u32; 3], key: u64) {
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.mesh.triangles.push(Triangle::DEAD);
            self.mesh.triangles.len() as u32 - 1
        });
        self.mesh.triangles[slot as usize] = Triangle {
            corners,
            face: 0,
            key,
        };
        self.changed.push(slot);
    }

    fn point(&mut self, p: DVec3) -> u32 {
        let slot = self.free_points.pop().unwrap_or_else(|| {
            self.mesh.positions.push(p);
            self.mesh.positions.len() as u32 - 1
        });
        self.mesh.positions[slot as usize] = p;
        slot
    }

    /// Unused points may be reused.
    fn collect_points(&mut self) {
        let mut used = vec![false; self.mesh.positions.len()];
        for corner in self.mesh.triangles.iter().flat_map(|t| t.corners) {
            if let Some(used) = used.get_mut(corner as usize) {
                *used = true;
            }
        }
        let points = (0..used.len() as u32).rev();
        self.free_points = points.filter(|&p| !used[p as usize]).collect();
    }

    fn live(&self, rng: &mut Rng) -> Option<u32> {
        (0..64).find_map(|_| {
            let slot = rng.below(self.mesh.triangles.len() as u64) as u32;
            self.mesh.triangles[slot as usize].is_live().then_some(slot)
        })
    }

    /// One random change.
    fn change(&mut self, rng: &mut Rng) {
        let Some(slot) = self.live(rng) else {
            let ids = [DVec3::ZERO, DVec3::X, DVec3::Y].map(|p| self.point(p));
            self.add(ids, 1);
            return;
        };
        let t = self.mesh.triangles[slot as usize];
        let [a, b, c] = corners(&self.mesh, slot as usize);
        match rng.below(9) {
            // Cut into three, pieces of one face or faces of their own.
            0..=2 => {
                let p = (a + b + c) / 3.0 + rng.unit_vector() * [0.0, 0.3][rng.below(2) as usize];
                self.kill(slot);
                let p = self.point(p);
                for k in 0..3 {
                    let key = if rng.below(2) == 0 {
                        t.key
                    } else {
                        self.next_key
                    };
                    self.next_key = self.next_key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    self.add([t.corners[k], t.corners[(k + 1) % 3], p], key);
                }
            }
            // A point moves: its triangles are replaced in their slots.
            3 => {
                let point = t.corners[rng.below(3) as usize];
                self.mesh.positions[point as usize] += rng.unit_vector() * 0.2;
                let around = (0u32..).zip(&self.mesh.triangles);
                let around = around.filter(|(_, t)| t.corners.contains(&point));
                self.changed.extend(around.map(|(i, _)| i));
            }
            // A hole.
            4 => {
                let radius = rng.range(0.2, 3.0);
                for slot in 0..self.mesh.triangles.len() as u32 {
                    let is_live = self.mesh.triangles[slot as usize].is_live();
                    if is_live && corners(&self.mesh, slot as usize)[0].distance(a) < radius {
                        self.kill(slot);
                    }
                }
            }
            // A fan of new faces, some without area or with two corners alike.
            5 => {
                let hub = self.point(a + rng.unit_vector() * 0.5);
                let rim = [0; 7].map(|_| self.point(a + rng.unit_vector()));
                for k in 0..6 {
                    let key = rng.next_u64() % 1000;
                    self.add([hub, rim[k], rim[k + 1]], key);
                }
                self.add([hub, rim[0], rim[0]], 3);
                self.add([rim[0], rim[1], hub], 3);
            }
            6 => self.kill(slot),
            // A solid on an edge with two faces: four half-edges that cannot be paired up.
            7 => {
                let [from, to, _] = t.corners;
                let [p, q] = [0; 2].map(|_| self.point(a + rng.unit_vector()));
                for corners in [[from, to, p], [from, q, to], [from, p, q], [to, q, p]] {
                    let key = rng.next_u64() % 1000;
                    self.add(corners, key);
                }
            }
            // Flipped, and listed twice.
            _ => {
                self.mesh.triangles[slot as usize].corners.swap(0, 1);
                self.changed.extend([slot, slot]);
            }
        }
    }
}

fn edit_rounds(seed: u64, rounds: u32, params: &BuildParams) {
    let mut rng = Rng::new(seed);
    let mesh = room(2 + seed as u32 % 3, 0.1);
    let mut tree = Bvh::build(&mesh, params);
    let mut edited = Edited {
        mesh,
        free_slots: Vec::new(),
        free_points: Vec::new(),
        changed: Vec::new(),
        next_key: 77,
    };
    for round in 0..rounds {
        for _ in 0..1 + rng.below(4) {
            edited.change(&mut rng);
        }
        if rng.below(8) == 0 {
            edited.changed.push(u32::MAX - 5);
        }
        let mesh = &edited.mesh;
        tree.update(mesh, &edited.changed, params);
        edited.changed.clear();
        check_tree(&tree, mesh);
        let fresh = Bvh::build(mesh, params);
        check_faces(&tree, &fresh, &format!("round {round}"));
        for _ in 0..8 {
            let from = rng.unit_vector() * rng.range(0.0, 5.0);
            let to = from + rng.unit_vector() * [0.1, 1.0, 20.0][rng.below(3) as usize];
            let radius = rng.range(0.01, 0.6);
            let answer = sweep(&tree, mesh, from, to, radius);
            assert_eq!(answer, sweep(&fresh, mesh, from, to, radius));
            assert_eq!(answer, linear_sweep(&fresh, from, to, radius));
            let answer = ray(&tree, mesh, from, to);
            assert_eq!(answer, ray(&fresh, mesh, from, to));
            assert_eq!(answer, linear_ray(&fresh, from, to));
            let bounds = Aabb::from_corners(from, to);
            assert_eq!(in_box(&tree, mesh, &bounds), linear_box(mesh, &bounds));
        }
        edited.collect_points();
        if tree.needs_rebuild() {
            tree = fresh;
            assert!(!tree.needs_rebuild());
        }
    }
}

/// An updated tree has the faces of a new one.
fn check_faces(tree: &Bvh, fresh: &Bvh, of: &str) {
    for (i, new) in fresh.surface.faces.iter().enumerate() {
        let old = tree.surface.faces[i];
        assert_eq!(
            (old.points, old.normal(), old.active, old.key, old.triangle),
            (new.points, new.normal(), new.active, new.key, new.triangle),
            "{of}, face {i}"
        );
        if new.triangle != NONE {
            let corners = [(tree, &old), (fresh, new)].map(|(of, face)| of.surface.corners(face));
            assert_eq!(corners[0], corners[1], "{of}, corners of {i}");
        }
    }
}

#[test]
fn a_hub_of_many_faces_and_an_edge_of_many_pages_are_settled_alike_by_build_and_update() {
    let mut rng = Rng::new(9);
    let positions = (0..300).map(|_| rng.unit_vector()).collect();
    let corners = (1..250)
        .map(|k| [0, k, k + 1])
        .chain((260..280).map(|k| [2, 255, k]));
    let triangles = corners
        .zip(0..)
        .map(|(corners, key)| Triangle {
            corners,
            face: 0,
            key,
        })
        .collect();
    let mesh = Mesh {
        positions,
        triangles,
    };
    let slots: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
    let params = BuildParams::default();
    let fresh = Bvh::build(&mesh, &params);
    let mut tree = Bvh::build(&Mesh::default(), &params);
    tree.update(&mesh, &slots, &params);
    check_faces(&tree, &fresh, "all at once");
    for slot in slots.into_iter().rev() {
        tree.update(&mesh, &[slot, 3], &params);
    }
    check_faces(&tree, &fresh, "each again");
    let met = |k: usize| fresh.surface.faces[k].active & 0b111 != 0;
    assert!((249..269).all(met), "every page has the spine");
}

/// Each of four half-edges at an edge is tested by its own face, in whichever slot of a point they are stored.
#[test]
fn four_sides_at_one_of_many_edges_are_noticed() {
    let mut rng = Rng::new(12);
    let positions: Vec<DVec3> = (0..100).map(|_| rng.unit_vector()).collect();
    // All other edges stored at the point have two half-edges.
    let fan = (2..82).map(|k| [0, k, if k == 81 { 2 } else { k + 1 }]);
    let mut all: Vec<[u32; 3]> = fan.collect();
    all.extend([[0, 1, 90], [0, 1, 92], [1, 0, 94], [1, 0, 96]]);
    let is_at = |corners: &[u32; 3]| corners.contains(&1);
    let params = BuildParams::default();
    let mut seen = 0;
    for round in 0..400 {
        for i in (1..all.len()).rev() {
            all.swap(i, rng.below(i as u64 + 1) as usize);
        }
        // Consecutive triangles are matched.
        if all.windows(2).any(|two| two.iter().all(is_at)) {
            continue;
        }
        seen += 1;
        let triangles = all.iter().zip(0..).map(|(&corners, key)| Triangle {
            corners,
            face: 0,
            key,
        });
        let mesh = Mesh {
            positions: positions.clone(),
            triangles: triangles.collect(),
        };
        let fresh = Bvh::build(&mesh, &params);
        let at = (0..).zip(&all).filter(|(_, corners)| is_at(corners));
        for (i, _) in at {
            let active: u16 = fresh.surface.faces[i].active;
            assert!(active & 1 != 0, "round {round}, face {i}");
        }
        let slots: Vec<u32> = (0..all.len() as u32).collect();
        let mut tree = Bvh::build(&Mesh::default(), &params);
        tree.update(&mesh, &slots, &params);
        check_faces(&tree, &fresh, "all at once");
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn a_triangle_that_names_a_point_twice_is_settled_alike_when_others_change() {
    let mut rng = Rng::new(4);
    let corners = [[0, 1, 1], [0, 2, 3], [1, 4, 5], [0, 1, 6]];
    let mesh = |count: usize| Mesh {
        positions: (0..7).map(|_| rng.unit_vector()).collect(),
        triangles: (0..)
            .zip(&corners[..count])
            .map(|(key, &corners)| Triangle {
                corners,
                face: 0,
                key,
            })
            .collect(),
    };
    let params = BuildParams::default();
    for mesh in [3, 4].map(mesh) {
        let fresh = Bvh::build(&mesh, &params);
        for changed in [&[1, 2][..], &[2], &[3, 1], &[0], &[0, 1, 2, 3]] {
            let mut tree = Bvh::build(&mesh, &params);
            tree.update(&mesh, changed, &params);
            check_faces(&tree, &fresh, &format!("{changed:?}"));
        }
    }
}

#[test]
fn a_tree_that_was_edited_answers_as_a_new_one_and_as_a_linear_scan() {
    for (i, params) in all_params().iter().enumerate() {
        edit_rounds(i as u64, 40, params);
    }
}

/// The same at length: `cargo test --release -- --ignored thousands_of_edits`.
#[test]
#[ignore = "a minute"]
fn thousands_of_edits_for_every_rule() {
    for (i, params) in all_params().iter().enumerate() {
        edit_rounds(100 + i as u64, 2000, params);
    }
}

#[test]
fn a_tree_built_in_slices_while_edits_go_on_answers_as_a_new_one() {
    let mut waits = 0;
    for (i, params) in all_params().iter().enumerate() {
        let mut rng = Rng::new(500 + i as u64);
        let mut edited = Edited {
            mesh: room(3, 0.1),
            free_slots: Vec::new(),
            free_points: Vec::new(),
            changed: Vec::new(),
            next_key: 77,
        };
        let mut tree = Bvh::build(&edited.mesh, params);
        let mut growing = Rebuild::begin(&tree, params);
        let mut swaps = 0;
        for _ in 0..60 {
            edited.change(&mut rng);
            tree.update(&edited.mesh, &edited.changed, params);
            growing.note(&edited.changed);
            edited.changed.clear();
            edited.collect_points();
            if !growing.advance(&tree, &mut 300) {
                waits += 1;
                continue;
            }
            swaps += 1;
            growing.replace(&mut tree);
            check_tree(&tree, &edited.mesh);
            for _ in 0..40 {
                let from = rng.unit_vector() * rng.range(0.0, 5.0);
                let to = from + rng.unit_vector() * [0.1, 1.0, 20.0][rng.below(3) as usize];
                let radius = rng.range(0.01, 0.6);
                let mesh = &edited.mesh;
                let answer = sweep(&tree, mesh, from, to, radius);
                assert_eq!(answer, linear_sweep(&tree, from, to, radius));
                let answer = ray(&tree, mesh, from, to);
                assert_eq!(answer, linear_ray(&tree, from, to));
            }
            growing = Rebuild::begin(&tree, params);
        }
        assert!(swaps > 0);
        // A rebuild that is not finished can replace the tree as well.
        growing.replace(&mut tree);
        check_tree(&tree, &edited.mesh);
        check_bins(&tree, &edited.mesh);
        let mut nothing = Bvh::build(&Mesh::default(), params);
        Rebuild::begin(&nothing, params).replace(&mut nothing);
        assert_eq!(nothing.face_count(), 0);
    }
    assert!(waits > 100, "{waits}");
}
