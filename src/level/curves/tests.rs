//! Closed forms of curves, and edges of neighbours.
use super::super::parsed::Painting;
use super::*;
use crate::carve::hull::{dot, hull};
use crate::geom::rng::Rng;
use glam::{DVec3, I64Vec3};
use rustc_hash::FxHashMap;

/// A sheet of control points, units.
fn sheet(rows: &[&[[f64; 3]]], form: SheetForm) -> Sheet {
    Sheet {
        size: [rows.len(), rows[0].len()],
        points: rows.concat().into_iter().map(DVec3::from_array).collect(),
        form,
        painting: Painting::Coordinates {
            texture: "a".into(),
            st: vec![[0.0; 2]; rows.len() * rows[0].len()],
        },
    }
}

const CURVE: SheetForm = SheetForm::Curve(None);

/// A quarter of a pipe about z as editors make it, with its front outside: rows go round, columns up.
fn quarter(radius: f64, height: f64) -> Sheet {
    let rows = [[radius, 0.0], [radius, radius], [0.0, radius]];
    let rows = rows.map(|[x, y]| [0.0, height / 2.0, height].map(|z| [x, y, z]));
    sheet(&[&rows[0], &rows[1], &rows[2]], CURVE)
}

fn made(sheets: &[&Sheet], error: f64) -> Vec<Vec<CurveSolid>> {
    let made = solids(sheets, error, &[]);
    assert_eq!(made.error, error);
    made.sheets.into_iter().map(|s| s.expect("few")).collect()
}

/// Units in the file's axes.
fn units(p: I64Vec3) -> DVec3 {
    DVec3::new(p.x as f64, -p.z as f64, p.y as f64) / STEPS
}

#[test]
fn a_quarter_of_a_pipe_has_the_area_of_its_parabola_less_its_segments() {
    // The area between the curve and the axis is 5/6 r²; n chords take r²/3n² of it.
    for (radius, error) in [
        (8.0, 1.0),
        (64.0, 1.0),
        (64.0, 0.25),
        (256.0, 4.0),
        (1000.0, 0.02),
    ] {
        let solids = &made(&[&quarter(radius, 64.0)], error)[0];
        let n = segments::of_curve(
            [[radius, 0.0], [radius, radius], [0.0, radius]]
                .map(|[x, y]| (DVec3::new(x, 0.0, -y) * STEPS).as_i64vec3()),
            error * STEPS,
        );
        // |p0 − 2 p1 + p2| is r√2.
        assert!((n as f64).powi(2) * 4.0 * error >= radius * 2f64.sqrt() * 0.999);
        assert!((n as f64 - 1.0).powi(2) * 4.0 * error < radius * 2f64.sqrt());
        assert_eq!(solids.len(), n, "each segment is one flat piece");
        let mut area = 0.0;
        for solid in solids {
            let low: Vec<DVec3> = solid
                .front
                .iter()
                .map(|c| units(c.0))
                .filter(|p| p.z == 0.0)
                .collect();
            assert_eq!(low.len(), 2);
            area += low[0].truncate().perp_dot(low[1].truncate()).abs() / 2.0;
        }
        let n = n as f64;
        let expected = radius * radius * (5.0 / 6.0 - 1.0 / (3.0 * n * n));
        assert!(
            (area - expected).abs() < 4.0 * radius / STEPS,
            "{area} {expected}"
        );
    }
}

#[test]
fn no_point_of_a_curve_lies_farther_off_its_pieces_than_the_chord_error() {
    for seed in 1..=20 {
        let mut rng = Rng::new(seed);
        let mut at = |x: f64, y: f64| {
            let mut off = || rng.range(-30.0, 30.0);
            [x + off(), y + off(), off()]
        };
        let rows: Vec<[[f64; 3]; 3]> = (0..3)
            .map(|i| [0, 1, 2].map(|j| at(64.0 * f64::from(i), 64.0 * f64::from(j))))
            .collect();
        let sheet = sheet(&[&rows[0], &rows[1], &rows[2]], CURVE);
        for error in [8.0, 1.0, 0.125] {
            let solids = &made(&[&sheet], error)[0];
            let mut worst = 0.0f64;
            for k in 0..=24 {
                for l in 0..=24 {
                    let b = |t: f64| [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
                    let (bu, bv) = (b(f64::from(k) / 24.0), b(f64::from(l) / 24.0));
                    let p: DVec3 = (0..9)
                        .map(|x| sheet.points[x] * bu[x / 3] * bv[x % 3])
                        .sum();
                    let off = solids.iter().map(|solid| off_front(solid, p));
                    worst = worst.max(off.fold(f64::INFINITY, f64::min));
                }
            }
            // The strips beside the edges add what the edges are off.
            assert!(
                worst <= 2.0 * error + 2.0 / STEPS,
                "{seed}: {worst} of {error}"
            );
        }
    }
}

/// Distance of a point from the triangles of a front.
fn off_front(solid: &CurveSolid, p: DVec3) -> f64 {
    let at: Vec<DVec3> = solid.front.iter().map(|c| units(c.0)).collect();
    let of = |[a, b, c]: [DVec3; 3]| {
        let n = (b - a).cross(c - a).normalize();
        let inside = [(a, b), (b, c), (c, a)]
            .iter()
            .all(|&(p0, p1)| (p1 - p0).cross(p - p0).dot(n) >= 0.0);
        if inside {
            return (p - a).dot(n).abs();
        }
        let edge = |p0: DVec3, p1: DVec3| {
            let t = ((p - p0).dot(p1 - p0) / (p1 - p0).length_squared()).clamp(0.0, 1.0);
            p.distance(p0.lerp(p1, t))
        };
        edge(a, b).min(edge(b, c)).min(edge(c, a))
    };
    (1..at.len() - 1)
        .map(|i| of([at[0], at[i], at[i + 1]]))
        .fold(f64::INFINITY, f64::min)
}

/// The front's edges that no other piece has the other way round.
fn rim(solids: &[Vec<CurveSolid>]) -> Vec<[I64Vec3; 2]> {
    let mut edges: FxHashMap<[I64Vec3; 2], i32> = FxHashMap::default();
    for solid in solids.iter().flatten() {
        for (i, (a, _)) in solid.front.iter().enumerate() {
            let b = solid.front[(i + 1) % solid.front.len()].0;
            *edges.entry([*a, b]).or_default() += 1;
            *edges.entry([b, *a]).or_default() -= 1;
        }
    }
    let mut open: Vec<_> = edges.into_iter().filter(|e| e.1 > 0).map(|e| e.0).collect();
    open.sort_by_key(|e| e.map(|p| p.to_array()));
    open
}

#[test]
fn neighbours_of_any_density_meet_in_the_same_points() {
    for seed in 1..=40 {
        let mut rng = Rng::new(seed);
        let mut off = |most: f64| rng.range(-most, most);
        // Three patches side by side share curved edges; the middle one is wild across, the last one's author chose.
        let mut columns: Vec<Vec<[f64; 3]>> = (0..7)
            .map(|i| {
                let x = 40.0 * f64::from(i);
                let wild = if i == 3 { 200.0 } else { 12.0 };
                (0..3)
                    .map(|j| [x + off(9.0), 50.0 * f64::from(j) + off(9.0), off(wild)])
                    .collect()
            })
            .collect();
        // One end is a tip.
        columns[0] = vec![columns[0][1]; 3];
        let part = |from: usize, form: SheetForm| {
            let rows: Vec<&[[f64; 3]]> =
                columns[from..from + 3].iter().map(Vec::as_slice).collect();
            sheet(&rows, form)
        };
        let parts = [
            part(0, CURVE),
            part(2, CURVE),
            part(4, SheetForm::Curve(Some([2, 5]))),
        ];
        let whole: Vec<&[[f64; 3]]> = columns.iter().map(Vec::as_slice).collect();
        for error in [6.0, 0.5] {
            let solids = made(&[&parts[0], &parts[1], &parts[2]], error);
            let open = rim(&solids);
            // What is left open is the outline: one loop, on the rims of all three together.
            let mut starts: Vec<_> = open.iter().map(|e| e[0].to_array()).collect();
            let mut ends: Vec<_> = open.iter().map(|e| e[1].to_array()).collect();
            starts.sort_unstable();
            ends.sort_unstable();
            assert_eq!(starts, ends, "{seed}");
            let shared = [2, 4].map(|i| columns[i][1][1]);
            let inner = |e: &&[I64Vec3; 2]| {
                let (a, b) = (units(e[0]), units(e[1]));
                shared
                    .iter()
                    .any(|_| (a.y - 50.0).abs() < 20.0 && (b.y - 50.0).abs() < 20.0)
                    && a.x > 60.0
                    && a.x < 180.0
            };
            assert_eq!(open.iter().find(inner), None, "{seed} {error}");
            // As one patch of seven columns it has no open edge inside either.
            let one = rim(&made(&[&sheet(&whole, CURVE)], error));
            assert_eq!(one.iter().find(inner), None, "{seed} {error}");
        }
    }
}

#[test]
fn pieces_at_an_edge_share_the_points_in_front_and_behind() {
    let quarter = quarter(64.0, 64.0);
    let wall = sheet(
        &[
            &[[0.0, 64.0, 0.0], [0.0, 64.0, 32.0], [0.0, 64.0, 64.0]],
            &[[-50.0, 64.0, 0.0], [-50.0, 64.0, 32.0], [-50.0, 64.0, 64.0]],
            &[
                [-100.0, 64.0, 0.0],
                [-100.0, 64.0, 32.0],
                [-100.0, 64.0, 64.0],
            ],
        ],
        CURVE,
    );
    let solids = made(&[&quarter, &wall], 1.0);
    // Of each point in front, the points behind it.
    let mut behind: FxHashMap<I64Vec3, Vec<I64Vec3>> = FxHashMap::default();
    for solid in solids.iter().flatten() {
        let n = solid.front.len();
        for i in 0..n {
            behind
                .entry(solid.corners[i])
                .or_default()
                .push(solid.corners[n + i]);
        }
    }
    for (front, mut list) in behind {
        list.dedup();
        assert_eq!(list.len(), 1, "{front}");
        let depth = units(front).distance(units(list[0]));
        assert!((depth - THICKNESS).abs() < 2.0 / STEPS, "{depth}");
    }
    // The front of each piece is a side of its solid: nothing stands out of the sheet.
    for solid in solids.iter().flatten() {
        let [a, b, c] = [0, 1, 2].map(|i| solid.front[i].0);
        let n = (b - a).cross(c - a);
        let above = |p: &I64Vec3| dot(n, *p - a) > 0;
        assert!(!solid.corners.iter().any(above));
    }
}

#[test]
fn a_pipe_thinner_than_its_thickness_is_solid_and_no_thicker_than_it_looks() {
    // Half of the sheet's thickness across. Each quarter may reach over the axis, into the one opposite.
    let radius = THICKNESS / 2.0;
    for error in [0.5, 0.125, 0.03125] {
        let solids = &made(&[&quarter(radius, 64.0)], error)[0];
        let corners = || {
            solids
                .iter()
                .flat_map(|s| &s.corners)
                .map(|&c| units(c).truncate())
        };
        assert!(corners().all(|p| p.length() < 1.07 * radius && p.min_element() > -radius / 2.0));
        assert!(corners().any(|p| p.length() < radius / 2.0));
    }
}

#[test]
fn a_flat_sheet_is_one_block_whatever_its_control_points_and_the_error() {
    for seed in 1..=10 {
        let mut rng = Rng::new(seed);
        let middle = rng.range(10.0, 118.0);
        let row = |x: f64| [[x, 0.0, 5.0], [x, middle, 5.0], [x, 128.0, 5.0]];
        let rows = [row(0.0), row(middle), row(128.0)];
        let solids = &made(&[&sheet(&[&rows[0], &rows[1], &rows[2]], CURVE)], 0.0625)[0];
        assert_eq!(solids.len(), 1);
        let sides = hull(&solids[0].corners).expect("a block");
        assert_eq!(sides.len(), 6);
        let z: Vec<f64> = solids[0].corners.iter().map(|&c| units(c).z).collect();
        assert_eq!(
            z,
            [5.0, 5.0, 5.0, 5.0, 1.0, 1.0, 1.0, 1.0],
            "the front faces up"
        );
    }
}

#[test]
fn sheets_that_do_not_fit_are_cut_more_coarsely_or_left_out() {
    // Each needs some ten thousand pieces.
    let wild: Vec<[f64; 3]> = (0..3).map(|j| [0.0, 2000.0 * f64::from(j), 0.0]).collect();
    let mut rows = [wild.clone(), wild.clone(), wild];
    for (i, row) in rows.iter_mut().enumerate() {
        for (j, p) in row.iter_mut().enumerate() {
            p[0] = 2000.0 * i as f64;
            p[2] = if (i + j) % 2 == 0 { 900.0 } else { -900.0 };
        }
    }
    let one = sheet(&[&rows[0], &rows[1], &rows[2]], CURVE);
    let many: Vec<&Sheet> = vec![&one; 8];
    let made = solids(&many, 0.5, &[]);
    assert!(made.error > 0.5, "{}", made.error);
    let count: usize = made.sheets.iter().flatten().map(Vec::len).sum();
    assert!(count <= MOST_SOLIDS, "{count}");
    assert!(made.sheets.iter().all(Option::is_some));
    // What the author asks for cannot be made coarser.
    let asked = SheetForm::Curve(Some([usize::MAX, 999]));
    let asked = sheet(&[&rows[0], &rows[1], &rows[2]], asked);
    let made = solids(&[&one, &asked, &one], 16.0, &[]);
    let is_made: Vec<bool> = made.sheets.iter().map(Option::is_some).collect();
    assert_eq!(is_made, [true, false, true]);
    assert_eq!(made.error, 16.0);
}

#[test]
fn a_rim_on_a_slope_ends_in_its_brush() {
    let mut moved = 0;
    for seed in 1..=20 {
        let mut rng = Rng::new(seed);
        // A block whose upper side is askew, and a curved wall on it.
        let mut up = || rng.range(10.0, 60.0);
        let top = [[0.0, 0.0, up()], [256.0, 0.0, up()], [0.0, 256.0, up()]].map(DVec3::from_array);
        let slope = |x: f64, y: f64| {
            let [a, b, c] = top;
            a.z + (b.z - a.z) * x / 256.0 + (c.z - a.z) * y / 256.0
        };
        let corners: Vec<I64Vec3> = [[0.0, 0.0], [256.0, 0.0], [0.0, 256.0], [256.0, 256.0]]
            .iter()
            .flat_map(|&[x, y]| [[x, y, slope(x, y)], [x, y, -64.0]])
            .map(|p| super::super::grid::to_grid(DVec3::from_array(p)))
            .collect();
        // Three corners of the top, as a loader would have it: a plane, not a roof of two.
        let brush = crate::carve::hull::hull_brush(&corners[..6], 0).expect("a wedge");
        let bounds = [-64, 64].map(|_| I64Vec3::ZERO);
        let bounds = [
            corners[..6].iter().copied().fold(bounds[0], I64Vec3::min),
            corners[..6].iter().copied().fold(bounds[1], I64Vec3::max),
        ];
        let foot = [
            [20.0, 30.0],
            [rng.range(60.0, 90.0), rng.range(20.0, 90.0)],
            [70.0, 20.0],
        ];
        let rows = foot.map(|[x, y]| {
            let z = slope(x, y);
            [[x, y, z], [x, y, z + 32.0], [x, y, z + 64.0]]
        });
        let wall = sheet(&[&rows[0], &rows[1], &rows[2]], CURVE);
        let made = |brushes: &[BoxedBrush]| {
            let mut made = solids(&[&wall], 0.25, brushes).sheets;
            made.remove(0).expect("few")
        };
        let height = |p: I64Vec3| {
            let sides = brush
                .sides
                .iter()
                .map(|s| super::super::grid::side(s.points, p).signum());
            sides.max().unwrap_or(0)
        };
        let foot_of = |solids: &[CurveSolid]| -> Vec<I64Vec3> {
            let on_foot = |p: &I64Vec3| {
                let u = units(*p);
                (u.z - slope(u.x, u.y)).abs() < 0.02
            };
            solids
                .iter()
                .flat_map(|s| s.front.iter().map(|c| c.0))
                .filter(on_foot)
                .collect()
        };
        let loose = foot_of(&made(&[]));
        moved += loose.iter().filter(|&&p| height(p) > 0).count();
        let ended = foot_of(&made(&[(&brush, bounds)]));
        assert_eq!(loose.len(), ended.len());
        assert!(ended.iter().all(|&p| height(p) <= 0), "{seed}");
        for (a, b) in loose.iter().zip(&ended) {
            assert!((*a - *b).abs().max_element() <= 2);
        }
    }
    assert!(moved > 20, "{moved} points were off the slope");
}
