//! Very many sweeps and rays on closed rooms, judged by a brute force that shares no code with the kernels.
//!
//! A sweep is judged by depth alone: along the way that it reports as free, no triangle may come nearer to the centre
//! than the radius less 1 µm, and at a hit none may be further than the radius and 10 µm. The distance to a triangle is
//! a convex function of the fraction, so its least value is closed in by tangents, whatever the sweep grazes; in f64
//! that is good to a nanometre over a kilometre, a thousandth of what is allowed. A ray from inside a closed room must
//! hit something, wherever it is aimed.
//!
//! A million of each here. More: `BREACH_QUERIES=100000000 cargo test --release --no-default-features --test
//! many_queries -- --nocapture`.
use breach::bvh::{BuildParams, Bvh, Mesh, MeshHit, QueryStats};
use breach::geom::rng::Rng;
use glam::DVec3;

mod block;
use block::add_block;

/// Metres that a sphere may sink in.
const DEPTH: f64 = 1e-6;
/// Metres that it may stop short.
const GAP: f64 = 1e-5;

fn count() -> u64 {
    let asked = std::env::var("BREACH_QUERIES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(1_000_000)
}

/// A triangle as the judge sees it.
struct Facet {
    corners: [DVec3; 3],
    /// Unit, or zero where the corners lie on a line.
    normal: DVec3,
    low: DVec3,
    high: DVec3,
}

/// A closed room with what stands in it.
struct Room {
    mesh: Mesh,
    tree: Bvh,
    facets: Vec<Facet>,
}

/// 12 × 6 × 12 m, flat or rough, with a boulder, a turned block, a fin of 8 mm and a needle of slivers.
fn room(seed: u64) -> Room {
    let (n, rough) = (1 + seed as u32 % 4, [0.0, 0.15, 1e-4][seed as usize % 3]);
    let mut rng = Rng::new(seed);
    let shift = rng.unit_vector() * 100.0;
    let jitter = |p: DVec3| {
        let bits = p.to_array().map(f64::to_bits);
        let seed = bits
            .iter()
            .fold(seed, |s, b| (s ^ b).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        Rng::new(seed).unit_vector() * rough
    };
    let mut mesh = Mesh::default();
    add_block(&mut mesh, n, true, |p| {
        shift + p * DVec3::new(6.0, 3.0, 6.0) + jitter(p)
    });
    add_block(&mut mesh, n + 1, false, |p| {
        shift + DVec3::new(-3.0, 0.0, -2.0) + p.normalize() * 1.3 + jitter(p)
    });
    let turn = glam::DQuat::from_xyzw(0.3, 0.5, 0.1, 0.8).normalize();
    add_block(&mut mesh, 1 + n / 2, false, |p| {
        shift + DVec3::new(3.0, -0.5, 2.0) + turn * (p * DVec3::new(1.0, 0.7, 1.4))
    });
    add_block(&mut mesh, n, false, |p| {
        shift + DVec3::new(2.5, -1.0, -3.0) + p * DVec3::new(1.5, 1.2, 0.004)
    });
    add_block(&mut mesh, n, false, |p| {
        let taper = DVec3::new(0.02 * (1.001 - p.y), 1.0, 1e-5 * (1.001 - p.y));
        shift + DVec3::new(-3.5, -1.0, 3.0) + p * taper
    });
    let facets = mesh.triangles.iter().map(|t| {
        let corners @ [a, b, c] = t.corners.map(|i| mesh.positions[i as usize]);
        Facet {
            corners,
            normal: (b - a).cross(c - a).normalize_or_zero(),
            low: a.min(b).min(c),
            high: a.max(b).max(c),
        }
    });
    let facets = facets.collect();
    let tree = Bvh::build(&mesh, &BuildParams::default());
    Room { mesh, tree, facets }
}

/// A point in the air of every room.
fn centre(room: &Room) -> DVec3 {
    // The first block is the room itself: the middle of its corners, but for the jitter.
    let all = room.facets.iter().map(|f| (f.low, f.high));
    let (low, high) = all.fold((DVec3::MAX, DVec3::MIN), |(l, h), (low, high)| {
        (l.min(low), h.max(high))
    });
    (low + high) * 0.5
}

/// The point of the triangle nearest to `p`: an edge's, or the foot on the plane where that lies inside.
fn nearest(facet: &Facet, p: DVec3) -> DVec3 {
    let corners = &facet.corners;
    let mut best = corners[0];
    let mut is_inside = facet.normal != DVec3::ZERO;
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let (edge, to) = (b - a, p - a);
        is_inside &= edge.cross(to).dot(facet.normal) >= 0.0;
        let share = (to.dot(edge) / edge.length_squared().max(1e-300)).clamp(0.0, 1.0);
        let on_edge = a + edge * share;
        if on_edge.distance_squared(p) < best.distance_squared(p) {
            best = on_edge;
        }
    }
    let foot = p - facet.normal * facet.normal.dot(p - corners[0]);
    if is_inside && foot.distance_squared(p) < best.distance_squared(p) {
        foot
    } else {
        best
    }
}

/// Distance to the nearest triangle, `most` at the most.
fn clearance(room: &Room, p: DVec3, most: f64) -> f64 {
    let mut least = most;
    for facet in &room.facets {
        let outside = (facet.low - p).max(p - facet.high).max(DVec3::ZERO);
        if outside.length_squared() < least * least {
            least = least.min(nearest(facet, p).distance(p));
        }
    }
    least
}

/// The least distance between the centre on its way and a triangle, as far as it is below `enough`.
fn least_distance(facet: &Facet, from: DVec3, way: DVec3, enough: f64) -> f64 {
    // The distance and its slope.
    let at = |f: f64| {
        let p = from + way * f;
        let away = p - nearest(facet, p);
        let distance = away.length();
        (distance, way.dot(away) / distance.max(1e-300))
    };
    let (mut low, mut high) = (0.0, 1.0);
    let (mut at_low, mut at_high) = (at(low), at(high));
    for _ in 0..200 {
        if at_low.1 >= 0.0 || at_low.0 < enough {
            return at_low.0;
        }
        if at_high.1 <= 0.0 || at_high.0 < enough {
            return at_high.0;
        }
        // Where the tangents meet; no point of the curve lies lower.
        let meet =
            (at_high.0 - at_low.0 + at_low.1 * low - at_high.1 * high) / (at_low.1 - at_high.1);
        let bound = at_low.0 + at_low.1 * (meet - low);
        if bound >= enough || high - low < 1e-15 {
            return bound.min(at_low.0).min(at_high.0);
        }
        let inner = (high - low) * 1e-3;
        let middle = meet.clamp(low + inner, high - inner);
        let here = at(middle);
        if here.1 < 0.0 {
            (low, at_low) = (middle, here);
        } else {
            (high, at_high) = (middle, here);
        }
    }
    at_low.0.min(at_high.0)
}

/// What is wrong with a sweep's answer.
fn fault(room: &Room, from: DVec3, to: DVec3, radius: f64, hit: Option<MeshHit>) -> Option<String> {
    let fraction = hit.map_or(1.0, |h| h.fraction);
    let way = (to - from) * fraction;
    let (low, high) = (from.min(from + way) - radius, from.max(from + way) + radius);
    for facet in &room.facets {
        if facet.low.cmpgt(high).any() || facet.high.cmplt(low).any() {
            continue;
        }
        let start = facet.normal.dot(from - facet.corners[0]);
        let end = start + facet.normal.dot(way);
        // Thin triangles have no normal to trust.
        let is_thin = {
            let [a, b, c] = facet.corners;
            (b - a).cross(c - a).length() < 1e-6
        };
        if !is_thin && (start.min(end) > radius || start.max(end) < -radius) {
            continue;
        }
        let least = least_distance(facet, from, way, radius - DEPTH);
        if least < radius - DEPTH {
            return Some(format!("{:e} m deep on its way", radius - least));
        }
    }
    let hit = hit?;
    let end = clearance(room, from + way, radius + 2.0 * GAP);
    if end > radius + GAP {
        return Some(format!("stops {:e} m short", end - radius));
    }
    let off = (hit.point + hit.normal * radius - (from + way)).length();
    // Grazing at 1 µm of depth tilts the normal by the root of that.
    let is_off = off > 3e-3 * radius.sqrt() || (hit.normal.length() - 1.0).abs() > 1e-9;
    is_off.then(|| format!("point and normal miss the centre by {off:e} m"))
}

/// A point of the surface: a vertex, on an edge, or inside a triangle.
fn surface_point(room: &Room, rng: &mut Rng) -> DVec3 {
    let [a, b, c] = room.facets[rng.below(room.facets.len() as u64) as usize].corners;
    match rng.below(4) {
        0 => a,
        1 | 2 => a + (b - a) * rng.unit_f64(),
        _ => a + ((b - a) * rng.unit_f64() + (c - a) * rng.unit_f64()) * 0.5,
    }
}

fn ray(room: &Room, from: DVec3, to: DVec3) -> Option<MeshHit> {
    let stats = &mut QueryStats::default();
    room.tree.cast_ray(&room.mesh, from, to, stats)
}

fn sweep(room: &Room, from: DVec3, to: DVec3, radius: f64) -> Option<MeshHit> {
    let stats = &mut QueryStats::default();
    room.tree.sweep_sphere(&room.mesh, from, to, radius, stats)
}

/// A centre in the air and a radius that is free there.
fn start(room: &Room, rng: &mut Rng) -> (DVec3, f64) {
    let middle = centre(room);
    loop {
        let dir = rng.unit_vector();
        let Some(hit) = ray(room, middle, middle + dir * 50.0) else {
            continue;
        };
        let share = 1.0 - rng.unit_f64() * rng.unit_f64();
        let p = middle + dir * 50.0 * hit.fraction * share;
        let asked = 0.02 * libm::pow(50.0, rng.unit_f64());
        let free = clearance(room, p, asked * 1.001) * (1.0 - 1e-9);
        if free > 0.02 {
            return (p, asked.min(free));
        }
    }
}

fn one_sweep(room: &Room, rng: &mut Rng, kind: u64) -> Result<bool, String> {
    let (start, radius) = start(room, rng);
    let target = surface_point(room, rng);
    let towards = (target - start).normalize_or(DVec3::X);
    // 0.1 mm to 1 km.
    let length = 1e-4 * libm::pow(1e7, rng.unit_f64());
    let (from, to) = match kind % 5 {
        // Anywhere.
        0 => (start, start + rng.unit_vector() * length),
        // Along an axis.
        1 => {
            let axis = DVec3::AXES[rng.below(3) as usize];
            (
                start,
                start + axis * length * [1.0, -1.0][rng.below(2) as usize],
            )
        }
        // Aimed at an edge, a vertex or a face.
        2 => (start, start + towards * length),
        // Past it, touching by a hair more or less.
        3 => {
            let aside = towards.cross(rng.unit_vector()).normalize_or(DVec3::X);
            let past = target + aside * radius * (1.0 + rng.range(-1e-7, 1e-7));
            (
                start,
                start + (past - start).normalize_or(DVec3::X) * length,
            )
        }
        // Slowly, from just before the contact.
        _ => {
            let far = start + (target - start) * 2.0;
            let Some(hit) = sweep(room, start, far, radius) else {
                return Ok(false);
            };
            let near = start + (far - start) * hit.fraction;
            let back = near - towards * length.min(0.05) * rng.unit_f64();
            if clearance(room, back, radius * 1.1) <= radius {
                return Ok(false);
            }
            let dir = rng.unit_vector() * 0.5 + towards;
            (back, back + dir * length)
        }
    };
    let hit = sweep(room, from, to, radius);
    match fault(room, from, to, radius, hit) {
        None => Ok(hit.is_some()),
        Some(words) => Err(format!(
            "{words}: {from:?} to {to:?} radius {radius:?}: {hit:?}"
        )),
    }
}

/// Runs `one(seed)` for blocks of a thousand on all cores; what it counted, and its faults.
fn on_all_cores(blocks: u64, one: impl Fn(u64) -> (u64, Vec<String>) + Sync) -> (u64, Vec<String>) {
    let next = std::sync::atomic::AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let work = || {
        let mut all = (0, Vec::new());
        loop {
            let block = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if block >= blocks {
                return all;
            }
            let (hits, faults) = one(block);
            all.0 += hits;
            all.1.extend(faults);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let all = workers.into_iter().map(|w| w.join().expect("a worker"));
        all.fold((0, Vec::new()), |mut sum, (hits, faults)| {
            sum.1.extend(faults);
            (sum.0 + hits, sum.1)
        })
    })
}

const ROOMS: u64 = 12;

#[test]
fn no_sweep_sinks_in_or_stops_short() {
    let rooms: Vec<Room> = (0..ROOMS).map(room).collect();
    let blocks = count().div_ceil(1000);
    let (hits, faults) = on_all_cores(blocks, |block| {
        let mut rng = Rng::new(block);
        let room = &rooms[(block % ROOMS) as usize];
        let mut sum = (0, Vec::new());
        for i in 0..1000 {
            match one_sweep(room, &mut rng, i) {
                Ok(is_hit) => sum.0 += u64::from(is_hit),
                Err(words) => sum.1.push(format!("block {block}, sweep {i}: {words}")),
            }
        }
        sum
    });
    println!(
        "{} sweeps, {hits} hits, {} faults",
        blocks * 1000,
        faults.len()
    );
    let first: Vec<_> = faults.iter().take(5).collect();
    assert!(faults.is_empty(), "{} faults: {first:#?}", faults.len());
    assert!(hits > blocks * 300, "only {hits} hits");
}

#[test]
fn no_ray_leaves_a_closed_room() {
    let rooms: Vec<Room> = (0..ROOMS).map(room).collect();
    let blocks = count().div_ceil(1000);
    let (hits, leaks) = on_all_cores(blocks, |block| {
        let mut rng = Rng::new(block ^ 0x5EED);
        let room = &rooms[(block % ROOMS) as usize];
        let middle = centre(room);
        let mut sum = (0, Vec::new());
        for _ in 0..1000 {
            // The middle's surroundings are air in all of them.
            let from = middle + rng.unit_vector() * rng.range(0.0, 0.3);
            let target = surface_point(room, &mut rng);
            // Straight through the target, and further than any room.
            let length = [25.0, 1e3, 1e6][rng.below(3) as usize];
            let to = from + (target - from).normalize_or(DVec3::X) * length;
            match ray(room, from, to) {
                Some(_) => sum.0 += 1,
                None => sum.1.push(format!("{from:?} to {to:?} of block {block}")),
            }
        }
        sum
    });
    println!("{} rays, {hits} hits", blocks * 1000);
    let first: Vec<_> = leaks.iter().take(5).collect();
    assert!(leaks.is_empty(), "{} leaks: {first:#?}", leaks.len());
}
