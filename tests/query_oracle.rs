//! `World::cast_ray` and `World::sweep_sphere` against a slow answer that shares no code with them: every triangle
//! of every room, in f64, by other methods. A ray is solved by Möller and Trumbore's determinants. A sweep is the first
//! of all that can be met: faces by cutting the path with half spaces, edges and vertices by the distance of the centre,
//! which is a convex function of the fraction. 100,000 queries on the start level.
use breach::bvh::{BuildParams, QueryStats};
use breach::level::read_map;
use breach::timing::Silent;
use breach::world::{CastHit, World};
use glam::DVec3;
use std::sync::OnceLock;

/// A triangle of a room, with the box that culls it.
struct Facet {
    room: u32,
    index: u32,
    corners: [DVec3; 3],
    normal: DVec3,
    low: DVec3,
    high: DVec3,
}

/// What the slow answer found; `is_close` where rounding could have decided otherwise.
#[derive(Clone, Copy, Debug, Default)]
struct Answer {
    fraction: Option<f64>,
    is_close: bool,
}

/// Metres within which two answers are the same.
const SAME: f64 = 1e-6;
/// Metres within which a graze may be a hit or a miss.
const GRAZE: f64 = 1e-8;

/// Built once for all tests.
fn start_level() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(build_start_level)
}

fn build_start_level() -> World {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/levels/bunker.map");
    let level = read_map(&std::fs::read(path).expect("levels/bunker.map")).expect("a level");
    World::build(&level.world, &BuildParams::default(), &mut Silent).expect("a world")
}

fn facets(world: &World) -> Vec<Facet> {
    let mut facets = Vec::new();
    for room in 0..world.room_count() as u32 {
        let mesh = &world.room(room).mesh;
        let slots = mesh.triangles.iter().enumerate();
        for (index, triangle) in slots.filter(|(_, t)| t.is_live()) {
            let corners = triangle.corners.map(|c| mesh.positions[c as usize]);
            let [a, b, c] = corners;
            let normal = (b - a).cross(c - a).normalize_or_zero();
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            facets.push(Facet {
                room,
                index: index as u32,
                corners,
                normal,
                low,
                high,
            });
        }
    }
    facets
}

/// Nearest crossing of a triangle whose front the ray sees (`any_side`: or its back, as a negative sign).
fn slow_ray(facets: &[Facet], from: DVec3, to: DVec3, any_side: bool) -> (Answer, f64) {
    let way = to - from;
    let (low, high) = (from.min(to) - GRAZE, from.max(to) + GRAZE);
    let (mut answer, mut facing) = (Answer::default(), 0.0);
    for facet in facets {
        if facet.low.cmpgt(high).any() || facet.high.cmplt(low).any() {
            continue;
        }
        let [a, b, c] = facet.corners;
        let (ab, ac) = (b - a, c - a);
        let p = way.cross(ac);
        let determinant = ab.dot(p);
        // Along the plane: a neighbour that faces the ray answers for the common edge.
        if determinant.abs() < 1e-14 * ab.length() * p.length() || (determinant < 0.0 && !any_side)
        {
            continue;
        }
        let t = from - a;
        let (u, q) = (t.dot(p) / determinant, t.cross(ab));
        let (v, fraction) = (way.dot(q) / determinant, ac.dot(q) / determinant);
        let slack = GRAZE / ab.length().min(ac.length()).min((c - b).length()).max(1e-6);
        let inside = u.min(v).min(1.0 - u - v);
        let along = fraction.min(1.0 - fraction) * way.length();
        if inside < -slack || along < -GRAZE {
            continue;
        }
        answer.is_close |= inside < slack || along < GRAZE;
        if inside >= 0.0
            && (0.0..=1.0).contains(&fraction)
            && answer.fraction.is_none_or(|f| fraction < f)
        {
            answer.fraction = Some(fraction);
            facing = determinant;
        }
    }
    (answer, facing)
}

/// The point of the triangle nearest to `p`: on the plane if that lies inside, else on the nearest edge.
fn nearest_point(facet: &Facet, p: DVec3) -> DVec3 {
    let on_plane = p - facet.normal * facet.normal.dot(p - facet.corners[0]);
    let corners = facet.corners;
    let is_inside = (0..3).all(|i| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        (b - a).cross(on_plane - a).dot(facet.normal) >= 0.0
    });
    if is_inside {
        return on_plane;
    }
    let on_edge = |i: usize| {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let along = (p - a).dot(b - a) / (b - a).length_squared();
        a + (b - a) * along.clamp(0.0, 1.0)
    };
    let edges = [on_edge(0), on_edge(1), on_edge(2)];
    edges
        .into_iter()
        .min_by(|q, r| q.distance_squared(p).total_cmp(&r.distance_squared(p)))
        .unwrap_or(on_plane)
}

/// Distance to the nearest triangle, `most` at the most.
fn clearance(facets: &[Facet], p: DVec3, most: f64) -> f64 {
    let (low, high) = (p - most, p + most);
    facets
        .iter()
        .filter(|f| f.low.cmple(high).all() && f.high.cmpge(low).all())
        .map(|f| nearest_point(f, p).distance(p))
        .fold(most, f64::min)
}

/// All that a sphere can meet: faces from their front, and the edges and vertices where the surface turns away from
/// the air. A flat edge is a part of its faces, and in a corner the faces are met.
struct Features {
    facets: Vec<Facet>,
    /// Ends of each edge that can be met, and whether that is beyond doubt.
    edges: Vec<([DVec3; 2], bool)>,
    points: Vec<(DVec3, bool)>,
}

fn bits(p: DVec3) -> [u64; 3] {
    (p + 0.0).to_array().map(f64::to_bits)
}

/// How an edge looks from the air.
#[derive(Clone, Copy, PartialEq)]
enum Bend {
    Away,
    FlatOrInwards,
    Unclear,
}

/// By the height of the second facet's third corner over the first facet's plane.
fn bend(edge: [DVec3; 2], facets: [&Facet; 2]) -> Bend {
    let [one, two] = facets;
    let is_end = |p: &DVec3| bits(*p) == bits(edge[0]) || bits(*p) == bits(edge[1]);
    let Some(third) = two.corners.iter().find(|p| !is_end(p)) else {
        return Bend::Unclear;
    };
    let along = (edge[1] - edge[0]).normalize_or_zero();
    let from_edge = *third - edge[0];
    let width = (from_edge - along * along.dot(from_edge)).length();
    let height = one.normal.dot(from_edge);
    let is_thin = |f: &Facet| {
        let [a, b, c] = f.corners;
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        (b - a).cross(c - a).length() < 1e-4 * longest
    };
    let sine = height / width;
    if is_thin(one) || is_thin(two) || !(sine.abs() < 1e-10 || sine.abs() > 1e-6) {
        Bend::Unclear
    } else if sine < -1e-6 {
        Bend::Away
    } else {
        Bend::FlatOrInwards
    }
}

fn features(world: &World) -> Features {
    use std::collections::BTreeMap;
    let facets = facets(world);
    // Rooms end where cells do, but points are the same on both sides.
    let mut sides: BTreeMap<[[u64; 3]; 2], Vec<usize>> = BTreeMap::new();
    for (i, facet) in facets.iter().enumerate() {
        for k in 0..3 {
            let mut key = [bits(facet.corners[k]), bits(facet.corners[(k + 1) % 3])];
            key.sort_unstable();
            sides.entry(key).or_default().push(i);
        }
    }
    let point = |b: [u64; 3]| DVec3::from(b.map(f64::from_bits));
    let mut edges = Vec::new();
    let mut ends: BTreeMap<[u64; 3], Vec<(DVec3, bool)>> = BTreeMap::new();
    for (&key, around) in &sides {
        let edge = key.map(point);
        let bend = match around[..] {
            [a, b] => bend(edge, [&facets[a], &facets[b]]),
            _ => Bend::Away,
        };
        if bend != Bend::FlatOrInwards {
            let is_sure = bend == Bend::Away;
            edges.push((edge, is_sure));
            ends.entry(key[0])
                .or_default()
                .push((edge[1] - edge[0], is_sure));
            ends.entry(key[1])
                .or_default()
                .push((edge[0] - edge[1], is_sure));
        }
    }
    let runs_on = |ends: &[(DVec3, bool)]| match ends {
        [(a, _), (b, _)] => {
            a.normalize().dot(b.normalize()) < 0.0 && {
                let sine = a.normalize().cross(b.normalize()).length();
                sine < 1e-6
            }
        }
        _ => false,
    };
    let points = ends.iter().map(|(&key, ends)| {
        let is_sure = ends.iter().all(|e| e.1) && !runs_on(ends);
        (point(key), is_sure)
    });
    let points = points.collect();
    Features {
        facets,
        edges,
        points,
    }
}

/// Reads the contract widely or narrowly: where the two readings differ, rounding decides.
#[derive(Clone, Copy)]
struct Reading {
    /// Added to the radius, metres.
    radius: f64,
    /// Added around a face, metres.
    border: f64,
    /// The sine at which a motion is inwards.
    inwards: f64,
    /// With all that may be met, or only what is met without doubt.
    all: bool,
}

const WIDE: Reading = Reading {
    radius: GRAZE,
    border: 3e-7,
    inwards: 0.0,
    all: true,
};

const NARROW: Reading = Reading {
    radius: -GRAZE,
    border: -3e-7,
    inwards: -1e-9,
    all: false,
};

/// The first fraction at which the centre is within the radius of a face, in front of it, over it, and moving inwards:
/// six half spaces cut the path.
fn slow_face(facet: &Facet, from: DVec3, way: DVec3, radius: f64, read: Reading) -> Option<f64> {
    let [a, b, c] = facet.corners;
    let speed = way.dot(facet.normal);
    if speed >= read.inwards * way.length() || facet.normal == DVec3::ZERO {
        return None;
    }
    let (mut enter, mut leave) = (0.0, 1.0);
    // Keeps what has `at + f * rate >= 0`.
    let mut keep = |at: f64, rate: f64| {
        if rate > 0.0 {
            enter = f64::max(enter, -at / rate);
        } else if rate < 0.0 {
            leave = f64::min(leave, -at / rate);
        } else if at < 0.0 {
            leave = -1.0;
        }
    };
    let height = (from - a).dot(facet.normal);
    keep(radius + read.radius - height, -speed);
    keep(height + read.radius, speed);
    // A shallow approach smears the place of contact.
    let smear = 1e-14 * (from.length() + 1.0) * way.length() / speed.abs();
    let border = read.border + smear.min(1e-3) * read.border.signum();
    for (p, q) in [(a, b), (b, c), (c, a)] {
        let inwards = facet.normal.cross(q - p).normalize_or_zero();
        keep((from - p).dot(inwards) + border, way.dot(inwards));
    }
    (enter <= leave).then_some(enter)
}

/// The same for an edge (`ends` apart) or a vertex (twice the same): the distance of the centre is a convex function of
/// the fraction; its lowest point is bracketed, then the first crossing of the radius bisected.
fn slow_edge(ends: [DVec3; 2], from: DVec3, way: DVec3, radius: f64, read: Reading) -> Option<f64> {
    let radius = radius + read.radius;
    let [a, b] = ends;
    let edge = b - a;
    let share = |p: DVec3| {
        if edge == DVec3::ZERO {
            0.0
        } else {
            (p - a).dot(edge) / edge.length_squared()
        }
    };
    let distance = |f: f64| {
        let p = from + way * f;
        p.distance(a + edge * share(p).clamp(0.0, 1.0))
    };
    let slack = read.border / edge.length().max(1e-6);
    let is_inside = |at: f64| edge == DVec3::ZERO || (-slack <= at && at <= 1.0 + slack);
    if distance(0.0) <= radius {
        let at = share(from);
        let away = (from - (a + edge * at.clamp(0.0, 1.0))).normalize_or_zero();
        let is_inwards = way.normalize().dot(away) < read.inwards;
        return (is_inside(at) && is_inwards).then_some(0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..80 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        let (at_a, at_b) = (distance(a), distance(b));
        if at_a.min(at_b) < radius - GRAZE {
            // Any point within the radius will do as the far end of the bisection.
            high = if at_a <= at_b { a } else { b };
            low = high;
            break;
        }
        if at_a <= at_b { high = b } else { low = a }
    }
    let middle = (low + high) * 0.5;
    let lowest = if distance(1.0) < distance(middle) {
        1.0
    } else {
        middle
    };
    if distance(lowest) > radius {
        return None;
    }
    let (mut before, mut after) = (0.0, lowest);
    for _ in 0..60 {
        let middle = (before + after) * 0.5;
        if distance(middle) > radius {
            before = middle
        } else {
            after = middle
        }
    }
    // A touch beyond the ends is the vertex's.
    is_inside(share(from + way * after)).then_some(after)
}

/// First contact with anything; close where the wide and the narrow reading differ.
fn slow_sweep(features: &Features, from: DVec3, to: DVec3, radius: f64) -> Answer {
    let reach = radius + 1e-5;
    let (low, high) = (from.min(to) - reach, from.max(to) + reach);
    let is_near = |a: DVec3, b: DVec3| a.cmple(high).all() && b.cmpge(low).all();
    let way = to - from;
    let answers = [WIDE, NARROW].map(|read| {
        let mut first = f64::INFINITY;
        let mut take = |f: Option<f64>| first = first.min(f.unwrap_or(f64::INFINITY));
        for facet in features.facets.iter().filter(|f| is_near(f.low, f.high)) {
            take(slow_face(facet, from, way, radius, read));
        }
        for &([a, b], is_sure) in &features.edges {
            if (is_sure || read.all) && is_near(a.min(b), a.max(b)) {
                take(slow_edge([a, b], from, way, radius, read));
            }
        }
        for &(p, is_sure) in &features.points {
            if (is_sure || read.all) && is_near(p, p) {
                take(slow_edge([p, p], from, way, radius, read));
            }
        }
        first.is_finite().then_some(first)
    });
    let length = way.length();
    let is_close = match answers {
        // The wide reading is early by what it adds to the radius, over the sine of the approach.
        [Some(wide), Some(narrow)] => (narrow - wide) * length > SAME,
        [wide, narrow] => wide.is_some() != narrow.is_some(),
    };
    let fraction = match answers {
        [Some(wide), Some(narrow)] => Some((wide + narrow) * 0.5),
        [wide, _] => wide,
    };
    Answer { fraction, is_close }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn point(&mut self, low: DVec3, high: DVec3) -> DVec3 {
        let x = self.unit();
        let y = self.unit();
        low + (high - low) * DVec3::new(x, y, self.unit())
    }

    /// Any direction; every fourth lies along an axis, where planes and edges are hit head on.
    fn direction(&mut self) -> DVec3 {
        let kind = (self.unit() * 24.0) as usize;
        if kind < 6 {
            return [
                DVec3::X,
                DVec3::Y,
                DVec3::Z,
                DVec3::NEG_X,
                DVec3::NEG_Y,
                DVec3::NEG_Z,
            ][kind];
        }
        self.point(DVec3::splat(-1.0), DVec3::ONE)
            .try_normalize()
            .unwrap_or(DVec3::X)
    }

    /// A point in the air: anywhere in a cell, or close before a face.
    fn start(&mut self, world: &World, facets: &[Facet]) -> DVec3 {
        loop {
            let p = if self.unit() < 0.5 {
                let cell = world
                    .room((self.unit() * world.room_count() as f64) as u32)
                    .cell;
                self.point(cell.min, cell.max)
            } else {
                let facet = &facets[(self.unit() * facets.len() as f64) as usize];
                let [a, b, c] = facet.corners;
                let (u, v) = (self.unit(), self.unit());
                let (u, v) = if u + v > 1.0 {
                    (1.0 - u, 1.0 - v)
                } else {
                    (u, v)
                };
                a + (b - a) * u + (c - a) * v + facet.normal * 2.0 * self.unit().powi(3).max(1e-4)
            };
            if world.locate(p).is_some() {
                return p;
            }
        }
    }
}

/// The hit itself: its triangle holds the point, and the normal points from there to the centre.
fn check_hit(
    facets: &[Facet],
    hit: &CastHit,
    from: DVec3,
    to: DVec3,
    radius: f64,
) -> Result<(), String> {
    // A sphere that starts in contact may be as deep in what it meets.
    let starts_deep = clearance(facets, from, radius + SAME) < radius + SAME;
    let facet = facets
        .iter()
        .find(|f| (f.room, f.index) == (hit.room, hit.triangle));
    let facet = facet.ok_or_else(|| format!("no such triangle: {hit:?}"))?;
    let off = nearest_point(facet, hit.point).distance(hit.point);
    let centre = from.lerp(to, hit.fraction);
    if off > SAME {
        return Err(format!("the point lies {off} m off its triangle: {hit:?}"));
    }
    if (hit.normal.length() - 1.0).abs() > 1e-9 || (to - from).dot(hit.normal) > SAME {
        return Err(format!("no unit normal against the motion: {hit:?}"));
    }
    let stands_off = centre.distance(hit.point);
    let is_deep_start = starts_deep && stands_off < radius + SAME;
    if (stands_off - radius).abs() > SAME && !is_deep_start {
        return Err(format!(
            "the contact lies {stands_off} m from the centre of a sphere of {radius} m: {hit:?}"
        ));
    }
    if radius > 0.0
        && !is_deep_start
        && (centre - hit.point).normalize().distance(hit.normal) > SAME / radius.min(1.0)
    {
        return Err(format!("the normal does not point to the centre: {hit:?}"));
    }
    if radius == 0.0 && facet.normal.distance(hit.normal) > 1e-9 {
        return Err(format!("the normal is not the face's: {hit:?}"));
    }
    Ok(())
}

fn differ(fast: Option<f64>, slow: Option<f64>, length: f64) -> bool {
    match (fast, slow) {
        (Some(a), Some(b)) => (a - b).abs() * length > SAME,
        (a, b) => a.is_some() != b.is_some(),
    }
}

/// What a batch of queries came to.
#[derive(Default)]
struct Tally {
    hits: usize,
    close: usize,
    faults: Vec<String>,
}

impl Tally {
    fn compare(
        &mut self,
        query: &str,
        facets: &[Facet],
        way: [DVec3; 2],
        radius: f64,
        fast: Option<CastHit>,
        slow: Answer,
    ) {
        let [from, to] = way;
        let length = from.distance(to);
        let wrong = differ(fast.map(|h| h.fraction), slow.fraction, length);
        if wrong && slow.is_close {
            self.close += 1;
            return;
        }
        self.hits += usize::from(fast.is_some());
        if wrong {
            self.faults.push(format!(
                "{query} {from:?} to {to:?} radius {radius}: {fast:?}, slow {slow:?}"
            ));
        } else if let Some(Err(why)) = fast.map(|hit| check_hit(facets, &hit, from, to, radius)) {
            self.faults
                .push(format!("{query} {from:?} to {to:?} radius {radius}: {why}"));
        }
    }
}

/// Runs `one` on `count` seeds on all cores; fails on any fault, or where too much was too close to call.
fn check_all(name: &str, count: u64, one: impl Fn(u64, &mut Tally) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let run = |first: u64| {
        let mut tally = Tally::default();
        (first..count)
            .step_by(threads as usize)
            .for_each(|seed| one(seed, &mut tally));
        tally
    };
    let run = &run;
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || run(first)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker"))
            .collect()
    });
    let hits: usize = tallies.iter().map(|t| t.hits).sum();
    let close: usize = tallies.iter().map(|t| t.close).sum();
    let faults: Vec<&String> = tallies.iter().flat_map(|t| &t.faults).collect();
    println!(
        "{name}: {count} queries, {hits} hits, {close} too close to call, {} faults",
        faults.len()
    );
    let first: Vec<_> = faults.iter().take(8).collect();
    assert!(
        faults.is_empty(),
        "{} faults, the first: {first:#?}",
        faults.len()
    );
    assert!(
        close as u64 <= count / 200,
        "{close} of {count} were too close to call"
    );
    assert!(
        hits as u64 > count / 5,
        "only {hits} of {count} hit anything"
    );
}

#[test]
fn rays_and_sweeps_agree_with_every_triangle_tested_slowly() {
    let world = start_level();
    let features = features(world);
    let facets = &features.facets;
    assert!(facets.len() > 500, "{} triangles", facets.len());

    check_all("rays", 50_000, |seed, tally| {
        let random = &mut Random(seed);
        let from = random.start(world, facets);
        let to = from + random.direction() * 60.0 * random.unit().powi(2);
        let fast = world.cast_ray(from, to, &mut QueryStats::default());
        tally.compare(
            "ray",
            facets,
            [from, to],
            0.0,
            fast,
            slow_ray(facets, from, to, false).0,
        );
    });
    check_all("sweeps", 50_000, |seed, tally| {
        let random = &mut Random(seed ^ 0x5EED_0000_0000);
        let from = random.start(world, facets);
        let to = from + random.direction() * 20.0 * random.unit().powi(2);
        // About a third start in contact, some deep in it.
        let radius = 1.5 * random.unit().powi(3) + 1e-3;
        let fast = world.sweep_sphere(from, to, radius, &mut QueryStats::default());
        let slow = slow_sweep(&features, from, to, radius);
        tally.compare("sweep", facets, [from, to], radius, fast, slow);
    });
}

#[test]
fn locate_agrees_with_the_side_of_the_nearest_face() {
    let world = start_level();
    let facets = facets(world);
    let bounds = world.bounds();
    let random = &mut Random(9);
    let mut in_air = 0;
    for _ in 0..12_000 {
        let cell = world
            .room((random.unit() * world.room_count() as f64) as u32)
            .cell;
        let p = random.point(cell.min, cell.max);
        let far = p + random
            .point(DVec3::splat(-1.0), DVec3::ONE)
            .normalize_or_zero()
            * (bounds.max - bounds.min).length();
        let (answer, facing) = slow_ray(&facets, p, far, true);
        if answer.is_close {
            continue;
        }
        // In the air the first face in any direction shows its front; no face at all is rock.
        let is_air = answer.fraction.is_some() && facing > 0.0;
        in_air += usize::from(is_air);
        assert_eq!(world.locate(p).is_some(), is_air, "{p:?}");
    }
    assert!(in_air > 200, "only {in_air} points in the air");
}

#[test]
fn no_motion_is_no_hit_and_no_radius_is_a_ray() {
    let world = start_level();
    let facets = facets(world);
    for seed in 0..2_000 {
        let random = &mut Random(seed);
        let stats = &mut QueryStats::default();
        let from = random.start(world, &facets);
        assert_eq!(world.cast_ray(from, from, stats), None);
        assert_eq!(world.sweep_sphere(from, from, 0.3, stats), None);
        let to = from + random.direction() * 30.0;
        let (ray, sweep) = (
            world.cast_ray(from, to, stats),
            world.sweep_sphere(from, to, 0.0, stats),
        );
        assert_eq!(
            ray.map(|h| h.fraction),
            sweep.map(|h| h.fraction),
            "{from:?} to {to:?}"
        );
    }
}
