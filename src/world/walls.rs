//! What a piece that falls leaves open in the walls between cells.
//!
//! In each cell the piece's faces end on the walls. When they go, what they leave open there is a region bounded by
//! their edges, and, where the piece went on into a third cell, by the rim of the wall: an edge that arrives at the rim
//! is followed counter-clockwise until another one leaves it. That region joins the wall's open part. A cell that lay
//! wholly within the piece has none of its faces: it becomes all air.
use super::cell::Cell;
use super::edges::FaceRef;
use super::{RoomId, World};
use crate::carve::face::Face;
use crate::carve::loops::{Edge, cancel, edges, faces as faces_of, key};
use crate::carve::polytope::Surface;
use crate::exact::{PlaneId, Planes, Point, cmp_along, meet, side};
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// How walls change.
#[derive(Default)]
pub(super) struct Opened {
    /// Wall faces that are replaced.
    pub gone: Vec<FaceRef>,
    /// What is open instead.
    pub new: Vec<(RoomId, Face)>,
}

/// The walls once these faces, a whole piece, are gone. None where an edge ends on no rim, which no closed piece has.
pub(super) fn opened(world: &World, faces: &[FaceRef]) -> Option<Opened> {
    let planes = &world.planes;
    let mut by_cell: BTreeMap<RoomId, Vec<&Face>> = BTreeMap::new();
    for &(c, f) in faces {
        let face = world.cells[c as usize].faces.get(f as usize)?.as_ref()?;
        by_cell.entry(c).or_default().push(face);
    }
    let mut opened = Opened::default();
    let mut queue: Vec<RoomId> = by_cell.keys().copied().collect();
    let mut seen: BTreeSet<RoomId> = queue.iter().copied().collect();
    while let Some(c) = queue.pop() {
        let cell = &world.cells[c as usize];
        let regions = match by_cell.get(&c) {
            Some(faces) => regions(planes, cell, faces)?,
            None => [0, 1, 2, 3, 4, 5].map(|s| rim(planes, cell, s)),
        };
        for (s, region) in regions.iter().enumerate().filter(|r| !r.1.is_empty()) {
            if !cell.shared[s] {
                // No piece reaches the bounds.
                return None;
            }
            join(planes, (c, cell), s, region, &mut opened);
            for n in within(world, c, s, region) {
                if seen.insert(n) {
                    queue.push(n);
                }
            }
        }
    }
    Some(opened)
}

/// The rim of a side, counter-clockwise seen from within the cell.
fn rim(planes: &Planes, cell: &Cell, s: usize) -> Vec<Edge> {
    let plane = cell.sides[s].plane;
    let (u, v) = ((s / 2 + 1) % 3, (s / 2 + 2) % 3);
    // Low v, high u, high v, low u: right-handed around the axis, which points into the cell on its low side.
    let mut lines = [2 * v, 2 * u + 1, 2 * v + 1, 2 * u].map(|k| cell.sides[k].plane);
    if s % 2 == 1 {
        lines.reverse();
    }
    let corner = |k: usize| meet(planes, [plane, lines[(k + 3) % 4], lines[k % 4]]);
    (0..4)
        .filter_map(|k| {
            Some(Edge {
                from: corner(k)?,
                to: corner(k + 1)?,
                line: lines[k],
            })
        })
        .collect()
}

/// What opens on each side of a cell when some of its faces go: the edges around it.
fn regions(planes: &Planes, cell: &Cell, faces: &[&Face]) -> Option<[Vec<Edge>; 6]> {
    let mut found: [Vec<Edge>; 6] = Default::default();
    let rims = [0, 1, 2, 3, 4, 5].map(|s| rim(planes, cell, s));
    for s in 0..6 {
        let mut cuts = Vec::new();
        for face in faces {
            cuts.extend(on_wall(planes, cell.sides[s].plane, face));
        }
        if !cuts.is_empty() {
            let cuts = cancel(planes, cell.sides[s].plane, &cuts);
            found[s] = closed(planes, cell.sides[s].plane, cuts, &rims[s])?;
        }
    }
    // Of two walls that meet both are open at their rim or neither: what is open all over has no edge to tell by.
    loop {
        let whole = (0..6).find(|&s| {
            let is_beside = |e: &Edge| {
                let own = cell.sides[s].plane;
                side(planes, &e.from, own) == 0 && side(planes, &e.to, own) == 0
            };
            let others = (0..6).filter(|&q| q / 2 != s / 2);
            found[s].is_empty() && others.flat_map(|q| &found[q]).any(is_beside)
        });
        match whole {
            Some(s) => found[s] = rims[s].clone(),
            None => return Some(found),
        }
    }
}

/// The edges of a face that run in the plane of a wall.
fn on_wall(planes: &Planes, wall: PlaneId, face: &Face) -> Vec<Edge> {
    let at = &planes[wall];
    let reaches = |p: DVec3| (p.dot(DVec3::from_array(at.nf)) - at.df).abs() <= at.err;
    let mut list = Vec::new();
    for mut e in edges(face) {
        if reaches(e.from.at)
            && reaches(e.to.at)
            && side(planes, &e.from, wall) == 0
            && side(planes, &e.to, wall) == 0
        {
            if face.plane.plane != wall {
                e.line = face.plane.plane;
            }
            list.push(e);
        }
    }
    list
}

/// Closes what ends on the rim, along the rim; what encloses nothing but has holes is all of the wall but them.
fn closed(planes: &Planes, wall: PlaneId, cuts: Vec<Edge>, rim: &[Edge]) -> Option<Vec<Edge>> {
    let mut balance: FxHashMap<[u64; 3], i32> = FxHashMap::default();
    for e in &cuts {
        *balance.entry(key(&e.from)).or_default() += 1;
        *balance.entry(key(&e.to)).or_default() -= 1;
    }
    // Ends by side of the rim and order along it; -1 where an edge arrives.
    let mut ends: Vec<(usize, Point, i32)> = Vec::new();
    for e in &cuts {
        for p in [e.from, e.to] {
            if let Some(b) = balance.remove(&key(&p)).filter(|&b| b != 0) {
                ends.push((on_rim(planes, wall, rim, &p)?, p, b));
            }
        }
    }
    let before = |k: usize, a: &Point, b: &Point| {
        let order = cmp_along(planes, (wall, rim[k].line), a, b);
        match cmp_along(planes, (wall, rim[k].line), &rim[k].from, &rim[k].to) {
            Ordering::Less => order,
            _ => order.reverse(),
        }
    };
    ends.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| before(a.0, &a.1, &b.1)));
    let mut all = cuts;
    for i in 0..ends.len() {
        let (mut k, mut from, kind) = ends[i];
        let (last, to, next) = ends[(i + 1) % ends.len()];
        if (kind, next) == (1, -1) {
            continue;
        }
        if (kind, next) != (-1, 1) {
            return None;
        }
        let mut goes_round = k == last && before(k, &from, &to) != Ordering::Less;
        while k != last || goes_round {
            goes_round = false;
            push(&mut all, from, rim[k].to, rim[k].line);
            from = rim[k].to;
            k = (k + 1) % 4;
        }
        push(&mut all, from, to, rim[k].line);
    }
    let o = rim[0].from.at;
    let area = |list: &[Edge]| -> DVec3 {
        let each = list.iter().map(|e| (e.from.at - o).cross(e.to.at - o));
        each.sum()
    };
    if area(&all).dot(area(rim)) < 0.0 {
        all.extend_from_slice(rim);
        all = cancel(planes, wall, &all);
    }
    Some(all)
}

fn push(edges: &mut Vec<Edge>, from: Point, to: Point, line: PlaneId) {
    if from.at != to.at {
        edges.push(Edge { from, to, line });
    }
}

/// The side of the rim that a point lies on; of two the one that begins there.
fn on_rim(planes: &Planes, wall: PlaneId, rim: &[Edge], p: &Point) -> Option<usize> {
    (0..4).find(|&k| {
        let line = (wall, rim[k].line);
        let order = cmp_along(planes, line, &rim[k].from, &rim[k].to);
        side(planes, p, rim[k].line) == 0
            && cmp_along(planes, line, p, &rim[k].to) == order
            && cmp_along(planes, line, p, &rim[k].from) != order
    })
}

/// Joins a region with what is open of a wall.
fn join(
    planes: &Planes,
    (c, cell): (RoomId, &Cell),
    s: usize,
    region: &[Edge],
    opened: &mut Opened,
) {
    let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for e in region {
        (lo, hi) = (lo.min(e.from.at), hi.max(e.from.at));
    }
    let mut all = region.to_vec();
    for (id, wall) in cell.wall(s).filter(|w| w.1.touches(lo, hi)) {
        opened.gone.push((c, id));
        all.extend(edges(wall));
    }
    let facing = cell.sides[s].opposite();
    let joined = cancel(planes, facing.plane, &all);
    let new = faces_of(planes, facing, Surface::Wall, &joined, true);
    opened.new.extend(new.into_iter().map(|f| (c, f)));
}

/// Cells beyond a wall's region that have neither air nor faces: they lie wholly within the piece.
fn within(world: &World, c: RoomId, s: usize, region: &[Edge]) -> Vec<RoomId> {
    let mut list = Vec::new();
    for &l in &world.rooms[c as usize].portals {
        let link = &world.links[l as usize];
        let (own, other) = if s % 2 == 1 { (0, 1) } else { (1, 0) };
        let n = link.rooms[other];
        if link.axis != s / 2 || link.rooms[own] != c || !link.lo.cmple(link.hi).all() {
            continue;
        }
        let is_solid = world.cells[n as usize].all().next().is_none();
        if is_solid && holds(region, (link.lo + link.hi) * 0.5, s / 2) {
            list.push(n);
        }
    }
    list
}

/// Whether a point of a wall lies in a region: crossings of a line along the wall. (Asked of cells that no face cuts,
/// so that the middle of what they share lies far from the region's edges, or the cell would have faces.)
fn holds(region: &[Edge], p: DVec3, axis: usize) -> bool {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut odd = false;
    for e in region {
        let (a, b) = (e.from.at, e.to.at);
        if (a[v] > p[v]) != (b[v] > p[v]) {
            let at = a[u] + (b[u] - a[u]) * ((p[v] - a[v]) / (b[v] - a[v]));
            odd ^= at > p[u];
        }
    }
    odd
}

#[cfg(test)]
mod tests {
    use crate::bvh::BuildParams;
    use crate::carve::hull::hull;
    use crate::carve::{BrushDesc, Op, SideDesc};
    use crate::timing::Silent;
    use crate::world::{GRID, Material, Operation, World, WorldDesc};
    use glam::{DVec3, I64Vec3};

    fn boxed(op: Op, lo: [f64; 3], hi: [f64; 3]) -> Operation {
        let at = |p: [f64; 3]| (DVec3::from_array(p) * GRID).as_i64vec3();
        let (lo, hi) = (at(lo), at(hi));
        let corners: Vec<I64Vec3> = (0..8)
            .map(|i| lo + (hi - lo) * I64Vec3::new(i & 1, i >> 1 & 1, i >> 2 & 1))
            .collect();
        let sides = hull(&corners).expect("a box");
        let side = |f: &crate::carve::hull::Facet| SideDesc {
            points: f.points,
            material: 0,
        };
        let sides = sides.iter().map(side).collect();
        Operation {
            op,
            brushes: vec![BrushDesc { sides }],
        }
    }

    /// A hall of 16 m with a block of 4 m in its middle on a thin stem, cut into cells at these places on each axis;
    /// how much falls when the stem is cut.
    #[track_caller]
    fn check(base: Vec<Operation>, cuts: [&[f64]; 3], fallen: f64) {
        let far = I64Vec3::splat(12 * GRID as i64);
        let mut areaportals = Vec::new();
        for (axis, at) in cuts.iter().enumerate() {
            for &x in *at {
                let mut half = I64Vec3::splat(11 * GRID as i64);
                half[axis] = 64;
                let mut middle = I64Vec3::ZERO;
                middle[axis] = (x * GRID) as i64;
                areaportals.push([middle - half, middle + half]);
            }
        }
        let desc = WorldDesc {
            bounds: [-far, far],
            start_solid: true,
            solids: vec![],
            base,
            later: vec![],
            starts: vec![],
            areaportals,
            materials: vec![Material {
                texture: "stone".into(),
                u: DVec3::X,
                v: DVec3::Y,
                offset: [0.0; 2],
                inner: false,
                hardness: 1.0,
            }],
        };
        let mut world = World::build(&desc, &BuildParams::default(), &mut Silent).expect("a hall");
        let count = cuts.iter().map(|c| c.len()).sum::<usize>();
        assert!(world.room_count() > count, "{} rooms", world.room_count());
        let before = world.census().air_volume_m3;
        let cut = boxed(Op::Carve, [-1.0, -5.0, -1.0], [1.0, -4.0, 1.0]);
        let report = world.apply(&cut, &mut Silent).expect("a cut");
        assert_eq!(world.validate(), Ok(()));
        let volumes: Vec<f64> = report.islands.iter().map(|i| i.volume_m3).collect();
        assert!(
            (volumes.iter().sum::<f64>() - fallen).abs() < 1e-6,
            "{volumes:?}"
        );
        let air = world.census().air_volume_m3;
        assert!(
            (air - before - 0.25 - fallen).abs() < 1e-6,
            "{air} {before}"
        );
    }

    fn hall() -> Vec<Operation> {
        vec![
            boxed(Op::Carve, [-8.0; 3], [8.0; 3]),
            boxed(Op::Fill, [-0.25, -8.0, -0.25], [0.25, -2.0, 0.25]),
            boxed(Op::Fill, [-2.0; 3], [2.0; 3]),
        ]
    }

    /// The block and what is left of its stem.
    const BLOCK: f64 = 64.0 + 0.25 * 2.0;

    #[test]
    fn a_piece_falls_out_of_one_wall_and_out_of_the_edge_where_walls_meet() {
        check(hall(), [&[0.5], &[], &[]], BLOCK);
        check(hall(), [&[0.5], &[0.3], &[]], BLOCK);
        check(hall(), [&[0.1], &[-3.0], &[0.2]], BLOCK);
        check(hall(), [&[-1.5, 1.5], &[], &[0.05]], BLOCK);
    }

    #[test]
    fn a_piece_that_holds_whole_cells_leaves_them_all_air() {
        check(hall(), [&[-1.0, 1.0], &[-1.0, 1.0], &[-1.0, 1.0]], BLOCK);
        let many = [-1.5, -0.5, 0.5, 1.5];
        check(hall(), [&many, &many, &many], BLOCK);
    }

    #[test]
    fn a_tunnel_through_a_piece_runs_through_its_walls() {
        let mut base = hall();
        base.push(boxed(Op::Carve, [-3.0, -0.5, -0.5], [3.0, 0.5, 0.5]));
        for cuts in [[0.5], [0.1], [-1.0]] {
            check(base.clone(), [&cuts, &[], &[]], BLOCK - 4.0);
            check(base.clone(), [&cuts, &[0.2], &[]], BLOCK - 4.0);
            check(
                base.clone(),
                [&cuts, &[-1.0, 1.0], &[-1.0, 1.0]],
                BLOCK - 4.0,
            );
        }
    }
    #[test]
    fn a_piece_with_a_hollow_falls_with_it() {
        let mut base = hall();
        base.push(boxed(Op::Carve, [-1.0; 3], [1.0; 3]));
        check(base.clone(), [&[5.0], &[], &[]], BLOCK - 8.0);
        check(base.clone(), [&[0.5], &[], &[]], BLOCK - 8.0);
        check(base.clone(), [&[0.5], &[0.3], &[0.2]], BLOCK - 8.0);
        let many = [-1.5, -0.5, 0.5, 1.5];
        check(base.clone(), [&many, &many, &many], BLOCK - 8.0);
        // A stone in the hollow.
        base.push(boxed(Op::Fill, [-0.75; 3], [0.5, 0.5, 0.25]));
        let stone = 1.25 * 1.25;
        check(base, [&[0.5], &[0.3], &[0.2]], BLOCK - 8.0 + stone);
    }
}
