//! Pieces that a carve cuts free: closed-form volumes, and one level split into cells in many ways.
use super::*;
use crate::geom::rng::Rng;

/// A hall of 16 x 8 x 16 m in rock around the origin, with these solids in it, cut into cells at these coordinates.
pub(super) fn hall(solids: Vec<BrushDesc>, cuts: &[(usize, f64)]) -> World {
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-8.0, -4.0, -8.0], [8.0, 4.0, 8.0])]));
    d.base.extend(solids.into_iter().map(|s| fill(vec![s])));
    for &(axis, at) in cuts {
        let half = [9.0, 5.0, 9.0];
        let side = |sign: f64| {
            let mut p = half.map(|x| sign * x);
            p[axis] = at + sign * 0.001;
            I64Vec3::from_array(p.map(|x| (x * M as f64).round() as i64))
        };
        d.areaportals.push([side(-1.0), side(1.0)]);
    }
    built(&d)
}

/// No cells, eight around the origin, and 27 around it.
pub(super) fn cuts() -> [Vec<(usize, f64)>; 3] {
    let all = |at: &[f64]| {
        (0..3)
            .flat_map(|k| at.iter().map(move |&x| (k, x)))
            .collect()
    };
    [vec![], all(&[0.05]), all(&[-1.03, 1.07])]
}

fn boxes(list: &[[[f64; 3]; 2]]) -> Vec<BrushDesc> {
    list.iter().map(|b| metres(b[0], b[1])).collect()
}

/// Carves them in turn; returns the pieces that the last carve cuts free, by volume and centre. The others cut none.
fn fallen(solids: &[[[f64; 3]; 2]], carves: &[[[f64; 3]; 2]]) -> Vec<Vec<Island>> {
    let fall = |cuts: Vec<(usize, f64)>| {
        let mut world = hall(boxes(solids), &cuts);
        assert!(world.room_count() >= [1, 8, 27][cuts.len().div_ceil(3)]);
        let mut last = Vec::new();
        for (i, c) in boxes(carves).into_iter().enumerate() {
            let (before, hash) = (world.census(), world.hash());
            let report = world
                .apply(&carve(vec![c.clone()]), &mut Silent)
                .expect("a cut");
            check(&world);
            let fell: f64 = report.islands.iter().map(|i| i.volume_m3).sum();
            let grown = world.census().air_volume_m3 - before.air_volume_m3;
            assert!(
                (grown - report.volume_m3 - fell).abs() < 1e-6,
                "{grown} {fell}"
            );
            for island in &report.islands {
                assert!(world.locate(island.centre).is_some() || island.volume_m3 < 0.0);
            }
            assert!(
                i + 1 == carves.len() || report.islands.is_empty(),
                "too early"
            );
            let after = world.hash();
            let redo = world.revert(report.delta, &mut Silent).delta;
            assert_eq!((world.hash(), world.census()), (hash, before));
            check(&world);
            world.revert(redo, &mut Silent);
            assert_eq!(world.hash(), after);
            check(&world);
            last = report.islands;
        }
        last
    };
    cuts().map(fall).to_vec()
}

/// Volume, centre and inertia about it of boxes laid side by side (1), or cut out of one another (-1): closed form.
fn composed(boxes: &[([[f64; 3]; 2], f64)]) -> (f64, DVec3, DMat3) {
    let (mut volume, mut first) = (0.0, DVec3::ZERO);
    // About the origin, the integrals of x², y², z² and of xy, yz, zx over each box.
    let (mut square, mut mixed) = (DVec3::ZERO, DVec3::ZERO);
    for &([lo, hi], sign) in boxes {
        let (lo, hi) = (DVec3::from_array(lo), DVec3::from_array(hi));
        let (size, middle) = (hi - lo, (lo + hi) * 0.5);
        let v = sign * size.element_product();
        volume += v;
        first += middle * v;
        square += (size * size / 12.0 + middle * middle) * v;
        mixed += middle * DVec3::new(middle.y, middle.z, middle.x) * v;
    }
    let c = first / volume;
    square -= c * c * volume;
    mixed -= c * DVec3::new(c.y, c.z, c.x) * volume;
    let inertia = DMat3::from_cols(
        DVec3::new(square.y + square.z, -mixed.x, -mixed.z),
        DVec3::new(-mixed.x, square.x + square.z, -mixed.y),
        DVec3::new(-mixed.z, -mixed.y, square.x + square.y),
    );
    (volume, c, inertia)
}

/// One piece falls: these boxes, in volume, centre and inertia, handed on with closed faces.
fn check_piece(solids: &[[[f64; 3]; 2]], carves: &[[[f64; 3]; 2]], piece: &[([[f64; 3]; 2], f64)]) {
    for islands in fallen(solids, carves) {
        assert_eq!(islands.len(), 1);
        check_island(&islands[0], piece);
    }
}

#[track_caller]
fn check_island(island: &Island, piece: &[([[f64; 3]; 2], f64)]) {
    let (volume, centre, inertia) = composed(piece);
    let off = (island.volume_m3 - volume).abs();
    assert!(off < 1e-9, "{} m3 for {volume}", island.volume_m3);
    let off = island.centre.distance(centre);
    assert!(off < 1e-9, "{} for {centre}", island.centre);
    let same = island.inertia.abs_diff_eq(inertia, 1e-6);
    assert!(same, "{} for {inertia}", island.inertia);
    // Every edge of its faces has its opposite.
    let mut ends: Vec<[[u64; 3]; 2]> = Vec::new();
    let mut backs = Vec::new();
    for t in &island.mesh.triangles {
        let bits = t.corners.map(|c| island.mesh.positions[c as usize]);
        let bits = bits.map(|p| p.to_array().map(|x| (x + 0.0).to_bits()));
        for k in 0..3 {
            ends.push([bits[k], bits[(k + 1) % 3]]);
            backs.push([bits[(k + 1) % 3], bits[k]]);
        }
    }
    ends.sort_unstable();
    backs.sort_unstable();
    assert!(!ends.is_empty() && ends == backs, "its faces are open");
    let faces = island.mesh.triangles.iter().map(|t| t.face as usize);
    assert_eq!(faces.max(), Some(island.materials.len() - 1));
}

#[test]
fn a_bridge_cut_at_both_ends_falls() {
    check_piece(
        &[[[-8.0, -0.5, -1.0], [8.0, 0.5, 1.0]]],
        &[
            [[-7.0, -1.0, -2.0], [-6.0, 1.0, 2.0]],
            [[5.0, -1.0, -2.0], [7.0, 1.0, 2.0]],
        ],
        &[([[-6.0, -0.5, -1.0], [5.0, 0.5, 1.0]], 1.0)],
    );
}

#[test]
fn the_caps_of_a_piece_show_the_inner_material() {
    // The bridge is plaster outside; carves lay rock open.
    for cuts in cuts() {
        let mut world = hall(boxes(&[[[-8.0, -0.5, -1.0], [8.0, 0.5, 1.0]]]), &cuts);
        let rock = world.materials.len() as MaterialId;
        let first = world.materials[0].clone();
        std::sync::Arc::make_mut(&mut world.materials).push(Material {
            texture: "rock".into(),
            inner: true,
            ..first
        });
        let saw = |lo: f64, hi: f64| {
            let mut brush = metres([lo, -1.0, -2.0], [hi, 1.0, 2.0]);
            brush.sides.iter_mut().for_each(|s| s.material = rock);
            carve(vec![brush])
        };
        world.apply(&saw(-7.0, -6.0), &mut Silent).expect("a cut");
        let report = world.apply(&saw(5.0, 7.0), &mut Silent).expect("a cut");
        check(&world);
        let [island] = &report.islands[..] else {
            panic!("{} pieces", report.islands.len());
        };
        let mut area = [0.0; 2];
        for t in &island.mesh.triangles {
            let [a, b, c] = t.corners.map(|i| island.mesh.positions[i as usize]);
            let is_rock = island.materials[t.face as usize] == rock;
            let across = (b - a).cross(c - a) * 0.5;
            area[usize::from(is_rock)] += across.length();
            assert_eq!(is_rock, across.x != 0.0, "{a} {b} {c}");
        }
        // Two ends of 1 x 2 m; top, bottom and sides 11 m long.
        assert!((area[1] - 2.0 * 2.0).abs() < 1e-9, "{area:?}");
        assert!((area[0] - 2.0 * 11.0 * 3.0).abs() < 1e-9, "{area:?}");
        // So do the stumps that stay.
        let stumps: f64 = (0..world.room_count() as RoomId)
            .map(|r| world.room(r))
            .flat_map(|r| r.mesh.triangles.iter().map(move |t| (r, t)))
            .filter(|(r, t)| t.is_live() && r.faces[t.face as usize].material == rock)
            .map(|(r, t)| {
                let [a, b, c] = t.corners.map(|i| r.mesh.positions[i as usize]);
                (b - a).cross(c - a).length() * 0.5
            })
            .sum();
        assert!((stumps - 2.0 * 2.0).abs() < 1e-9, "{stumps}");
    }
}

#[test]
fn an_arch_falls_when_both_legs_are_cut() {
    check_piece(
        &[
            [[-5.0, -4.0, -1.0], [-3.0, 2.0, 1.0]],
            [[3.0, -4.0, -1.0], [5.0, 2.0, 1.0]],
            [[-5.0, 0.5, -1.0], [5.0, 2.0, 1.0]],
        ],
        &[
            [[-6.0, -4.0, -2.0], [-2.0, -1.5, 2.0]],
            [[2.0, -4.0, -2.0], [6.0, -1.5, 2.0]],
        ],
        &[
            ([[-5.0, 0.5, -1.0], [5.0, 2.0, 1.0]], 1.0),
            ([[-5.0, -1.5, -1.0], [-3.0, 0.5, 1.0]], 1.0),
            ([[3.0, -1.5, -1.0], [5.0, 0.5, 1.0]], 1.0),
        ],
    );
}

#[test]
fn a_gallows_falls_with_all_that_hangs_on_it() {
    // Lopsided, so that the products of inertia are not zero.
    check_piece(
        &[
            [[-5.0, -4.0, -1.0], [-4.0, 2.0, 0.0]],
            [[-5.0, 2.0, -1.0], [3.0, 3.0, 0.0]],
            [[2.0, -1.0, -1.0], [3.0, 2.0, 4.0]],
        ],
        &[[[-6.0, -4.0, -2.0], [-3.0, -3.0, 2.0]]],
        &[
            ([[-5.0, -3.0, -1.0], [-4.0, 2.0, 0.0]], 1.0),
            ([[-5.0, 2.0, -1.0], [3.0, 3.0, 0.0]], 1.0),
            ([[2.0, -1.0, -1.0], [3.0, 2.0, 4.0]], 1.0),
        ],
    );
}

#[test]
fn one_cut_drops_two_pieces() {
    let solids = [
        [[-6.0, 0.0, -1.0], [-4.0, 4.0, 1.0]],
        [[4.0, -1.0, -1.0], [5.0, 4.0, 1.0]],
    ];
    for islands in fallen(&solids, &[[[-7.0, 2.0, -2.0], [7.0, 3.0, 2.0]]]) {
        let mut islands = islands;
        islands.sort_by(|a, b| a.centre.x.total_cmp(&b.centre.x));
        assert_eq!(islands.len(), 2);
        check_island(&islands[0], &[([[-6.0, 0.0, -1.0], [-4.0, 2.0, 1.0]], 1.0)]);
        check_island(&islands[1], &[([[4.0, -1.0, -1.0], [5.0, 2.0, 1.0]], 1.0)]);
    }
}

#[test]
fn a_point_holds_nothing_and_an_edge_does() {
    // Two cubes in a hall; the upper one hangs by a pin, and touches the lower one, which stands, in a corner.
    let stands = [[-3.0, -4.0, -3.0], [0.0, 0.0, 0.0]];
    let pin = [[1.0, 2.0, 1.0], [1.5, 4.0, 1.5]];
    let cut = [[0.5, 3.0, 0.5], [2.0, 3.5, 2.0]];
    check_piece(
        &[stands, [[0.0; 3], [2.0; 3]], pin],
        &[cut],
        &[
            ([[0.0; 3], [2.0; 3]], 1.0),
            ([pin[0], [1.5, 3.0, 1.5]], 1.0),
        ],
    );
    // In an edge: it stays.
    let leans = [[0.0, 0.0, -1.0], [2.0; 3]];
    for islands in fallen(&[stands, leans, pin], &[cut]) {
        assert!(islands.is_empty());
    }
}

#[test]
fn a_piece_that_hangs_in_a_hollow_one_falls_apart_from_it() {
    // A box of walls hangs from the ceiling; in it a stone on a pin. First the pin goes, then the box.
    let shell = [[-3.0, -3.0, -3.0], [3.0, 3.0, 3.0]];
    let hollow = [[-2.0, -2.0, -2.0], [2.0, 2.0, 2.0]];
    for cuts in cuts() {
        let mut world = hall(boxes(&[shell, [[-1.0, 3.0, -1.0], [1.0, 4.0, 1.0]]]), &cuts);
        let mut apply = |op: Op, b: [[f64; 3]; 2]| {
            let brushes = boxes(&[b]);
            let report = world.apply(&Operation { op, brushes }, &mut Silent);
            check(&world);
            report.expect("inside").islands
        };
        assert!(apply(Op::Carve, hollow).is_empty());
        assert!(apply(Op::Fill, [[-0.25, 1.0, -0.25], [0.25, 2.0, 0.25]]).is_empty());
        assert!(apply(Op::Fill, [[-1.0; 3], [1.0; 3]]).is_empty());
        let inner = apply(Op::Carve, [[-0.5, 1.0, -0.5], [0.5, 1.5, 0.5]]);
        assert_eq!(inner.len(), 1);
        check_island(&inner[0], &[([[-1.0; 3], [1.0; 3]], 1.0)]);
        let outer = apply(Op::Carve, [[-1.5, 3.0, -1.5], [1.5, 3.5, 1.5]]);
        assert_eq!(outer.len(), 1);
        let pin = [[-0.25, 1.5, -0.25], [0.25, 2.0, 0.25]];
        check_island(&outer[0], &[(shell, 1.0), (hollow, -1.0), (pin, 1.0)]);
    }
}

#[test]
fn what_a_fill_leaves_in_the_air_stays_and_of_its_parts_the_largest() {
    for cuts in cuts() {
        let mut world = hall(vec![], &cuts);
        let air = world.census().air_volume_m3;
        let mut apply = |op: Op, list: &[[[f64; 3]; 2]]| {
            let brushes = boxes(list);
            let report = world.apply(&Operation { op, brushes }, &mut Silent);
            check(&world);
            let report = report.expect("inside");
            let mut fell: Vec<f64> = report.islands.iter().map(|i| i.volume_m3).collect();
            fell.sort_by(f64::total_cmp);
            (fell, world.census().air_volume_m3)
        };
        let near = |(fell, air): (Vec<f64>, f64), wanted: &[f64], left: f64| {
            let same = fell.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(same && fell.len() == wanted.len(), "{fell:?}");
            assert!((air - left).abs() < 1e-8, "{air} for {left}");
        };
        // Two plates at once, then a bump on one of them.
        let plates = [
            [[-6.0, 0.0, -2.0], [6.0, 1.0, 2.0]],
            [[-1.0, -3.0, 5.0], [1.0, -2.0, 7.0]],
        ];
        near(apply(Op::Fill, &plates), &[], air - 52.0);
        near(
            apply(Op::Fill, &[[[-1.0, 1.0, -1.0], [1.0, 2.0, 1.0]]]),
            &[],
            air - 56.0,
        );
        // A hole through it: nothing was cut free.
        near(
            apply(Op::Carve, &[[[3.0, -1.0, -1.0], [4.0, 2.0, 1.0]]]),
            &[],
            air - 54.0,
        );
        // All its sides are cut in turn: it is still the piece that was put there.
        let skin = [
            [[-6.0, -1.0, -3.0], [6.0, 0.25, 3.0]],
            [[-6.0, -1.0, -3.0], [6.0, 3.0, -1.5]],
            [[-6.0, -1.0, 1.5], [6.0, 3.0, 3.0]],
            [[-6.0, 0.75, -3.0], [6.0, 3.0, 3.0]],
            [[-7.0, -1.0, -3.0], [-5.0, 3.0, 3.0]],
            [[5.0, -1.0, -3.0], [7.0, 3.0, 3.0]],
        ];
        for side in skin {
            assert!(apply(Op::Carve, &[side]).0.is_empty());
        }
        let left = air - 4.0 - (10.0 * 3.0 - 2.0) * 0.5;
        // Cut in three, two fall.
        let saws = [
            [[-3.0, -1.0, -3.0], [-2.0, 2.0, 3.0]],
            [[1.0, -1.0, -3.0], [2.0, 2.0, 3.0]],
        ];
        near(
            apply(Op::Carve, &saws),
            &[2.0 * 3.0 * 0.5, (3.0 * 3.0 - 2.0) * 0.5],
            left + (3.0 + 3.0 + 7.0 + 6.0) * 0.5,
        );
    }
}

#[test]
fn a_pillar_cut_at_both_ends_falls_though_it_stands_where_eight_cells_meet() {
    for (x, z) in [(0.0, 0.0), (1.0, -1.0), (0.75, 0.25)] {
        check_piece(
            &[[[x - 1.5, -4.0, z - 1.5], [x + 1.5, 4.0, z + 1.5]]],
            &[
                [[-4.0, -4.0, -4.0], [4.0, -3.0, 4.0]],
                [[-4.0, 3.0, -4.0], [4.0, 4.0, 4.0]],
            ],
            &[([[x - 1.5, -3.0, z - 1.5], [x + 1.5, 3.0, z + 1.5]], 1.0)],
        );
    }
}

#[test]
fn a_pillar_with_many_dents_hangs_by_its_head_and_falls_without() {
    // Enough faces that the floods test for support, whose lines must not run through the removed solid.
    let pillar = [[-1.5, -4.0, -1.5], [1.5, 4.0, 1.5]];
    for cuts in cuts() {
        let mut rng = Rng::new(7);
        let mut world = hall(boxes(&[pillar]), &cuts);
        let mut carve_box = |lo: [f64; 3], hi: [f64; 3]| {
            let report = world.apply(&carve(vec![metres(lo, hi)]), &mut Silent);
            let report = report.expect("a carve");
            let floats = reachability::floating(&world.geometry);
            assert!(floats.is_empty(), "{} pieces are left", floats.len());
            let fell: Vec<f64> = report.islands.iter().map(|i| i.volume_m3).collect();
            (report.volume_m3, fell)
        };
        let mut dents = 0.0;
        for i in 0..80 {
            let mut at: [f64; 3] = std::array::from_fn(|_| rng.range(-1.2, 1.2));
            // On one of the four sides.
            at[[0, 2][i % 2]] = [-1.5, 1.5][i / 2 % 2];
            at[1] *= 2.0;
            let (volume, fell) = carve_box(at.map(|x| x - 0.15), at.map(|x| x + 0.15));
            assert!(fell.is_empty(), "{fell:?}");
            dents += volume;
        }
        let (_, fell) = carve_box([-4.0, -4.0, -4.0], [4.0, -3.0, 4.0]);
        assert!(fell.is_empty(), "{fell:?}");
        let (_, fell) = carve_box([-4.0, 3.0, -4.0], [4.0, 4.0, 4.0]);
        let left = 3.0 * 3.0 * 6.0 - dents;
        assert_eq!(fell.len(), 1);
        assert!((fell[0] - left).abs() < 1e-9, "{fell:?} {left}");
        check(&world);
    }
}

#[test]
fn a_block_that_swallows_whole_cells_falls() {
    check_piece(
        &[
            [[-3.0, -3.0, -3.0], [3.0, 3.0, 3.0]],
            [[-0.5, 3.0, -0.5], [0.5, 4.0, 0.5]],
        ],
        &[[[-1.0, 3.0, -1.0], [1.0, 3.5, 1.0]]],
        &[([[-3.0; 3], [3.0; 3]], 1.0)],
    );
}

#[test]
fn a_ring_falls_when_its_pin_is_cut() {
    check_piece(
        &[
            [[-4.0, -0.5, -3.0], [4.0, 0.5, -1.0]],
            [[-4.0, -0.5, 1.0], [4.0, 0.5, 3.0]],
            [[-4.0, -0.5, -3.0], [-2.0, 0.5, 3.0]],
            [[2.0, -0.5, -3.0], [4.0, 0.5, 3.0]],
            [[-0.25, 0.5, -2.25], [0.25, 4.0, -1.75]],
        ],
        &[[[-1.0, 0.5, -3.0], [1.0, 1.0, -1.0]]],
        &[
            ([[-4.0, -0.5, -3.0], [4.0, 0.5, 3.0]], 1.0),
            ([[-2.0, -0.5, -1.0], [2.0, 0.5, 1.0]], -1.0),
        ],
    );
}

#[test]
fn pockets_in_a_piece_and_stones_in_them_go_with_it() {
    let mut d = desc(true);
    for cuts in cuts() {
        d.areaportals.clear();
        d.base = vec![
            carve(boxes(&[[[-8.0, -4.0, -8.0], [8.0, 4.0, 8.0]]])),
            fill(boxes(&[[[-3.0, -4.0, -3.0], [3.0, 4.0, 3.0]]])),
            carve(boxes(&[[[-2.0, -2.0, -2.0], [2.0, 2.0, 2.0]]])),
            fill(boxes(&[[[-1.5, -1.5, -1.5], [1.5, 1.5, 1.5]]])),
        ];
        for &(axis, at) in &cuts {
            let (mut lo, mut hi) = ([-9 * M, -5 * M, -9 * M], [9 * M, 5 * M, 9 * M]);
            let at = (at * M as f64) as i64;
            (lo[axis], hi[axis]) = (at - 10, at + 10);
            d.areaportals
                .push([I64Vec3::from_array(lo), I64Vec3::from_array(hi)]);
        }
        let mut world = built(&d);
        let under = carve(boxes(&[[[-4.0, -4.0, -4.0], [4.0, -3.0, 4.0]]]));
        let over = carve(boxes(&[[[-4.0, 3.0, -4.0], [4.0, 4.0, 4.0]]]));
        assert!(
            world
                .apply(&under, &mut Silent)
                .expect("a cut")
                .islands
                .is_empty()
        );
        check(&world);
        let report = world.apply(&over, &mut Silent).expect("a cut");
        check(&world);
        assert_eq!(report.islands.len(), 1);
        let island = &report.islands[0];
        assert!((island.volume_m3 - (216.0 - 64.0 + 27.0)).abs() < 1e-6);
        // All of the hall is air now.
        let air = world.census().air_volume_m3;
        assert!((air - 16.0 * 8.0 * 16.0).abs() < 1e-6, "{air}");
        assert_eq!(world.census().faces, hall(vec![], &cuts).census().faces);
    }
}

#[test]
fn what_falls_does_not_depend_on_the_cells() {
    let mut rng = Rng::new(11);
    let metre = |x: f64| (x * 32.0).round() / 32.0;
    let mut solids = Vec::new();
    for _ in 0..12 {
        let p = [rng.range(-7.0, 5.0), 0.0, rng.range(-7.0, 5.0)].map(metre);
        let w = metre(rng.range(0.5, 2.5));
        solids.push([[p[0], -4.0, p[2]], [p[0] + w, 4.0, p[2] + w]]);
        let y = metre(rng.range(-3.0, 2.0));
        let beam = [[p[0], y, -8.0], [p[0] + 1.0, y + 1.0, 8.0]];
        solids.push(beam);
    }
    let mut worlds = cuts().map(|cuts| hall(boxes(&solids), &cuts));
    let mut fell = 0;
    for i in 0..250 {
        let p = [7.0, 4.0, 7.0].map(|half| metre(rng.range(-half, half)));
        let size = [(); 3].map(|()| metre(rng.range(0.5, 3.0)));
        let brush = if i % 3 == 0 {
            let points: Vec<I64Vec3> = (0..12)
                .map(|_| rng.unit_vector() * rng.range(0.5, 1.5) + DVec3::from_array(p))
                .map(|q| (q * 1024.0).round().as_i64vec3() * 16)
                .collect();
            hull_brush(&points, 0).expect("a hull")
        } else {
            metres(p, [0, 1, 2].map(|k| p[k] + size[k]))
        };
        let op = if i % 7 == 6 { Op::Fill } else { Op::Carve };
        let operation = Operation {
            op,
            brushes: vec![brush],
        };
        let mut volumes: Vec<(f64, Vec<f64>, f64)> = Vec::new();
        for (k, world) in worlds.iter_mut().enumerate() {
            let report = world.apply(&operation, &mut Silent).expect("inside");
            assert!(report.watertight, "operation {i} with cells {k}");
            if i % 5 == 0 || !report.islands.is_empty() {
                check(world);
            }
            let mut islands: Vec<f64> = report.islands.iter().map(|i| i.volume_m3).collect();
            islands.sort_by(f64::total_cmp);
            volumes.push((report.volume_m3, islands, world.census().air_volume_m3));
        }
        fell += volumes[0].1.len();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-5;
        for other in &volumes[1..] {
            let first = &volumes[0];
            assert!(
                close(other.0, first.0) && close(other.2, first.2),
                "{i}: {volumes:?}"
            );
            let same = other.1.len() == first.1.len();
            let all = other.1.iter().zip(&first.1).all(|(a, b)| close(*a, *b));
            assert!(same && all, "{i}: {volumes:?}");
        }
    }
    assert!(fell > 4, "{fell} pieces fell");
}

#[test]
fn what_rests_on_its_edge_within_a_face_is_held_until_that_goes() {
    for cuts in cuts() {
        // A roof-shaped beam is left of a block by two slanted cuts; its ridge touches the ceiling along a line.
        let mut world = hall(boxes(&[[[-3.0, -4.0, -5.0], [3.0, 4.0, 5.0]]]), &cuts);
        let slanted = |sign: f64| {
            let grid = |p: [f64; 3]| I64Vec3::from_array(p.map(|x| (x * M as f64) as i64));
            let end = |z: f64| [[0.0, 4.0, z], [sign * 4.0, 4.0, z], [sign * 4.0, 0.0, z]];
            let points: Vec<I64Vec3> = [end(-6.0), end(6.0)]
                .concat()
                .into_iter()
                .map(grid)
                .collect();
            hull_brush(&points, 0).expect("a wedge")
        };
        let apply = |world: &mut World, brush: BrushDesc| {
            let report = world
                .apply(&carve(vec![brush]), &mut Silent)
                .expect("a cut");
            check(world);
            report
                .islands
                .iter()
                .map(|i| i.volume_m3)
                .collect::<Vec<f64>>()
        };
        assert!(apply(&mut world, slanted(1.0)).is_empty());
        assert!(apply(&mut world, slanted(-1.0)).is_empty());
        let legs = metres([-4.0, -4.0, -6.0], [4.0, 1.0, 6.0]);
        assert!(apply(&mut world, legs).is_empty(), "its ridge holds it");
        // The part above y = 1: a prism 6 m wide at y = 1 (slopes of 1 m a metre), 3 m high.
        let up = metres([-1.0, 3.5, -6.0], [1.0, 4.5, 6.0]);
        let fell = apply(&mut world, up);
        let (whole, tip) = (3.0 * 3.0 * 10.0, 0.5 * 0.5 * 10.0);
        assert_eq!(fell.len(), 1);
        assert!((fell[0] - (whole - tip)).abs() < 1e-6, "{fell:?}");
    }
}

#[test]
fn nothing_that_hangs_in_the_air_is_left_after_carves_through_pillars_and_beams() {
    // Floods that stop once a line through solid leads out, compared with a search of the whole level.
    let mut rng = Rng::new(5);
    let mut solids = Vec::new();
    for k in [-5.0, -1.0, 3.0] {
        solids.push([[k, -4.0, -6.0], [k + 1.5, 4.0, -4.5]]);
        solids.push([[k, -4.0, 4.5], [k + 1.5, 4.0, 6.0]]);
        solids.push([[k, 1.0, -8.0], [k + 1.0, 2.0, 8.0]]);
    }
    for cuts in cuts() {
        let mut world = hall(boxes(&solids), &cuts);
        let mut fell = 0;
        for i in 0..120 {
            // Beside a pillar or a beam, and big enough to cut it.
            let [lo, hi] = solids[rng.below(solids.len() as u64) as usize];
            let at: [f64; 3] = std::array::from_fn(|k| rng.range(lo[k], hi[k]));
            let reach = rng.range(0.6, 1.6);
            let points: Vec<I64Vec3> = (0..16)
                .map(|_| rng.unit_vector() * reach + DVec3::from_array(at))
                .map(|q| (q * 1024.0).round().as_i64vec3() * 16)
                .collect();
            let brush = hull_brush(&points, 0).expect("a hull");
            let report = world
                .apply(&carve(vec![brush]), &mut Silent)
                .expect("a carve");
            fell += report.islands.len();
            let left = reachability::floating(&world.geometry);
            assert!(
                left.is_empty() || !world.geometry.edge_contacts.is_empty(),
                "carve {i}"
            );
        }
        assert!(fell >= 6, "{fell} pieces fell");
        check(&world);
    }
}
