//! The solid on a rectangle of a lattice plane: its connected regions, from the segments in which the surface crosses
//! the plane.
//!
//! Segments are joined end to start at equal ends, cut at the rectangle's sides, and closed along them: from where the
//! boundary leaves the rectangle, counter-clockwise, to where it next enters, the side is solid. This is the polygon
//! clipping of Weiler and Atherton ("Hidden surface removal using polygon area sorting", 1977) against a rectangle.
//! Area, centroid and second moments follow by Green's theorem from the loops.
use super::rounded::{AREAS, LENGTHS, rounded};
use glam::DVec2;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An end of a segment: the bits of the point in space.
pub(super) type End = [u64; 3];

/// Where a triangle crosses the plane; solid lies to the left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub from: DVec2,
    pub to: DVec2,
    /// Equal where two segments join.
    pub ends: [End; 2],
    /// The triangle, by any number.
    pub triangle: u32,
}

/// A rectangle of the plane, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rectangle {
    pub lo: DVec2,
    pub hi: DVec2,
}

/// A connected region of solid.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// Square metres.
    pub area: f64,
    /// Centroid, metres.
    pub centre: DVec2,
    /// Second moments about the centroid, m⁴: the integrals of v², u² and uv.
    pub second_moments: [f64; 3],
    /// Box of the region, metres.
    pub lo: DVec2,
    pub hi: DVec2,
    /// The triangles that bound it, by number.
    pub triangles: Vec<u32>,
    /// The rectangle's corners in it: lo-lo, hi-lo, hi-hi, lo-hi.
    pub corners: [bool; 4],
}

impl Region {
    /// Its centroid and area, in whole steps: the order of regions.
    fn place(&self) -> [i64; 3] {
        let length = |x: f64| (rounded(x, LENGTHS) * LENGTHS) as i64;
        let area = (rounded(self.area, AREAS) * AREAS) as i64;
        [length(self.centre.x), length(self.centre.y), area]
    }
}

/// The segments do not close: the surface is open here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenSection;

/// The regions of solid, by centroid and area. `corner_is_solid` tells of the first corner, and is asked only if no
/// segment crosses the rectangle's sides.
pub(super) fn regions(
    segments: &[Segment],
    rectangle: &Rectangle,
    corner_is_solid: impl FnOnce() -> bool,
) -> Result<Vec<Region>, OpenSection> {
    // A triangle that the plane touches in a point bounds nothing.
    let mut pieces: Vec<Piece> = segments
        .iter()
        .filter(|segment| segment.ends[0] != segment.ends[1])
        .filter_map(|segment| Piece::new(segment, rectangle))
        .collect();
    // Both blocks at the rectangle find the same, whatever the order of their triangles.
    pieces.sort_by_key(|piece| piece.ends);
    let mut loops = trace(&pieces, rectangle)?;
    let is_crossed = pieces.iter().any(|piece| piece.enters.is_some());
    if !is_crossed && corner_is_solid() {
        loops.push(Loop {
            points: (0..4).map(|corner| rectangle.corner(corner)).collect(),
            triangles: Vec::new(),
            corners: [true; 4],
        });
    }
    let mut regions = group(loops);
    regions.sort_by_cached_key(Region::place);
    Ok(regions)
}

impl Rectangle {
    /// A corner, counter-clockwise from the lowest.
    fn corner(&self, number: usize) -> DVec2 {
        match number % 4 {
            0 => self.lo,
            1 => DVec2::new(self.hi.x, self.lo.y),
            2 => self.hi,
            _ => DVec2::new(self.lo.x, self.hi.y),
        }
    }

    /// How far along the sides a point on them lies, counter-clockwise from the lowest corner: a side for each unit.
    fn along(&self, p: DVec2, side: usize) -> f64 {
        let part = (p - self.lo) / (self.hi - self.lo);
        let part = part.clamp(DVec2::ZERO, DVec2::ONE);
        match side {
            0 => part.x,
            1 => 1.0 + part.y,
            2 => 3.0 - part.x,
            _ => 4.0 - part.y,
        }
    }
}

/// The part of a segment within the rectangle.
struct Piece {
    from: DVec2,
    to: DVec2,
    ends: [End; 2],
    triangle: u32,
    /// Where along the sides it enters; None if it starts inside.
    enters: Option<f64>,
    leaves: Option<f64>,
}

impl Piece {
    /// By Liang and Barsky ("A new concept and method for line clipping", 1984).
    fn new(segment: &Segment, rectangle: &Rectangle) -> Option<Piece> {
        let (from, to) = (segment.from, segment.to);
        let way = to - from;
        let (mut enter, mut leave): ((f64, Option<usize>), (f64, Option<usize>)) =
            ((0.0, None), (1.0, None));
        // Bottom, right, top, left: the distance inside at the start, and how it grows.
        let inside = [
            (from.y - rectangle.lo.y, way.y),
            (rectangle.hi.x - from.x, -way.x),
            (rectangle.hi.y - from.y, -way.y),
            (from.x - rectangle.lo.x, way.x),
        ];
        for (side, (start, growth)) in inside.into_iter().enumerate() {
            let end_is_inside = match side {
                0 => to.y > rectangle.lo.y,
                1 => to.x < rectangle.hi.x,
                2 => to.y < rectangle.hi.y,
                _ => to.x > rectangle.lo.x,
            };
            match (start > 0.0, end_is_inside) {
                (true, true) => {}
                (false, false) => return None,
                (false, true) => {
                    let at = -start / growth;
                    if enter.1.is_none() || at > enter.0 {
                        enter = (at, Some(side));
                    }
                }
                (true, false) => {
                    let at = -start / growth;
                    if leave.1.is_none() || at < leave.0 {
                        leave = (at, Some(side));
                    }
                }
            }
        }
        if enter.0 >= leave.0 {
            return None;
        }
        let cut = |(at, side): (f64, Option<usize>), otherwise: DVec2| match side {
            None => (otherwise, None),
            Some(side) => {
                let point = (from + way * at).clamp(rectangle.lo, rectangle.hi);
                (point, Some(rectangle.along(point, side)))
            }
        };
        let ((from, enters), (to, leaves)) = (cut(enter, from), cut(leave, to));
        Some(Piece {
            from,
            to,
            ends: segment.ends,
            triangle: segment.triangle,
            enters,
            leaves,
        })
    }
}

/// A closed loop; solid lies to the left.
struct Loop {
    points: Vec<DVec2>,
    triangles: Vec<u32>,
    corners: [bool; 4],
}

/// Joins pieces to loops, along the sides of the rectangle where they leave it.
fn trace(pieces: &[Piece], rectangle: &Rectangle) -> Result<Vec<Loop>, OpenSection> {
    let mut starts: FxHashMap<End, SmallVec<[u32; 2]>> = FxHashMap::default();
    let mut entries: Vec<(f64, u32)> = Vec::new();
    let mut exits = 0;
    for (i, piece) in (0u32..).zip(pieces) {
        match piece.enters {
            Some(along) => entries.push((along, i)),
            None => starts.entry(piece.ends[0]).or_default().push(i),
        }
        exits += usize::from(piece.leaves.is_some());
    }
    if entries.len() != exits {
        return Err(OpenSection);
    }
    entries.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut is_done = vec![false; pieces.len()];
    let mut loops = Vec::new();
    for first in 0..pieces.len() {
        if is_done[first] {
            continue;
        }
        let mut traced = Loop {
            points: Vec::new(),
            triangles: Vec::new(),
            corners: [false; 4],
        };
        let mut at = first;
        loop {
            let piece = &pieces[at];
            if std::mem::replace(&mut is_done[at], true) {
                return Err(OpenSection);
            }
            traced.points.push(piece.from);
            traced.triangles.push(piece.triangle);
            let next = match piece.leaves {
                None => {
                    // Where two loops touch in a point, either way round gives the same areas.
                    let open = starts.get_mut(&piece.ends[1]).and_then(SmallVec::pop);
                    open.ok_or(OpenSection)?
                }
                Some(exit) => {
                    traced.points.push(piece.to);
                    let (entry, next) = next_entry(&entries, exit);
                    pass_corners(rectangle, exit, entry, &mut traced);
                    next
                }
            } as usize;
            if next == first {
                break;
            }
            at = next;
        }
        loops.push(traced);
    }
    Ok(loops)
}

/// The next entry counter-clockwise from an exit. There are as many entries as exits.
fn next_entry(entries: &[(f64, u32)], exit: f64) -> (f64, u32) {
    let next = entries.partition_point(|entry| entry.0 < exit);
    entries[if next == entries.len() { 0 } else { next }]
}

/// Adds the corners between an exit and the next entry.
fn pass_corners(rectangle: &Rectangle, exit: f64, entry: f64, traced: &mut Loop) {
    let end = if entry < exit { entry + 4.0 } else { entry };
    let first = exit as usize + 1;
    let passed = (first..first + 4).take_while(|&corner| corner as f64 <= end);
    for corner in passed {
        traced.points.push(rectangle.corner(corner));
        traced.corners[corner % 4] = true;
    }
}

/// Integrals over a polygon about an origin: area, first and second moments.
#[derive(Clone, Copy, Default)]
struct Integrals {
    area: f64,
    first: DVec2,
    /// Of v², u², uv.
    second: [f64; 3],
}

impl Integrals {
    fn new(points: &[DVec2], origin: DVec2) -> Integrals {
        let mut sum = Integrals::default();
        let Some(&last) = points.last() else {
            return sum;
        };
        let mut a = last - origin;
        for &point in points {
            let b = point - origin;
            let cross = a.perp_dot(b);
            sum.area += cross / 2.0;
            sum.first += (a + b) * (cross / 6.0);
            sum.second[0] += cross * (a.y * a.y + a.y * b.y + b.y * b.y) / 12.0;
            sum.second[1] += cross * (a.x * a.x + a.x * b.x + b.x * b.x) / 12.0;
            let mixed = a.x * b.y + 2.0 * (a.x * a.y + b.x * b.y) + b.x * a.y;
            sum.second[2] += cross * mixed / 24.0;
            a = b;
        }
        sum
    }

    fn add(&mut self, other: &Integrals) {
        self.area += other.area;
        self.first += other.first;
        for (own, more) in self.second.iter_mut().zip(other.second) {
            *own += more;
        }
    }
}

/// Outer loops with the holes in them.
fn group(loops: Vec<Loop>) -> Vec<Region> {
    let areas: Vec<f64> = loops
        .iter()
        .map(|l| Integrals::new(&l.points, l.points[0]).area)
        .collect();
    let (outer, holes): (Vec<usize>, Vec<usize>) = (0..loops.len()).partition(|&i| areas[i] >= 0.0);
    let mut members: Vec<Vec<usize>> = outer.iter().map(|&i| vec![i]).collect();
    for hole in holes {
        let point = loops[hole].points[0];
        let around = (0..outer.len())
            .filter(|&o| areas[outer[o]] > -areas[hole] && encloses(&loops[outer[o]].points, point))
            .min_by(|&a, &b| areas[outer[a]].total_cmp(&areas[outer[b]]));
        // A hole without a region around it is as thin as rounding.
        if let Some(around) = around {
            members[around].push(hole);
        }
    }
    members
        .iter()
        .map(|loops_of| region(loops_of.iter().map(|&i| &loops[i])))
        .collect()
}

fn region<'a>(loops: impl Iterator<Item = &'a Loop>) -> Region {
    let mut region = Region {
        lo: DVec2::INFINITY,
        hi: DVec2::NEG_INFINITY,
        ..Region::default()
    };
    let mut sum = Integrals::default();
    let mut origin = None;
    for l in loops {
        let origin = *origin.get_or_insert(l.points[0]);
        sum.add(&Integrals::new(&l.points, origin));
        for &p in &l.points {
            (region.lo, region.hi) = (region.lo.min(p), region.hi.max(p));
        }
        region.triangles.extend(&l.triangles);
        for (own, other) in region.corners.iter_mut().zip(l.corners) {
            *own |= other;
        }
    }
    region.triangles.sort_unstable();
    region.triangles.dedup();
    region.area = sum.area.max(0.0);
    let origin = origin.unwrap_or_default();
    let offset = match sum.area > LEAST_AREA {
        true => sum.first / sum.area,
        false => (region.lo + region.hi) / 2.0 - origin,
    };
    region.centre = (origin + offset).clamp(region.lo, region.hi);
    if sum.area > LEAST_AREA {
        let shift = [
            offset.y * offset.y,
            offset.x * offset.x,
            offset.x * offset.y,
        ];
        region.second_moments = [0, 1, 2].map(|k| sum.second[k] - sum.area * shift[k]);
        region.second_moments[0] = region.second_moments[0].max(0.0);
        region.second_moments[1] = region.second_moments[1].max(0.0);
    }
    region
}

/// A smaller region has no centroid worth the name, square metres.
const LEAST_AREA: f64 = 1e-12;

/// Whether a polygon winds around a point, by crossings of the ray along +x.
fn encloses(points: &[DVec2], p: DVec2) -> bool {
    let Some(&last) = points.last() else {
        return false;
    };
    let mut a = last;
    let mut is_inside = false;
    for &b in points {
        if (a.y > p.y) != (b.y > p.y) {
            let crossing = a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y));
            is_inside ^= crossing > p.x;
        }
        a = b;
    }
    is_inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    const UNIT: Rectangle = Rectangle {
        lo: DVec2::ZERO,
        hi: DVec2::ONE,
    };

    /// The segments of closed polygons, solid to the left.
    fn segments(polygons: &[Vec<DVec2>]) -> Vec<Segment> {
        let bits = |p: DVec2| [p.x.to_bits(), p.y.to_bits(), 0];
        let mut all = Vec::new();
        for polygon in polygons {
            for (i, &from) in polygon.iter().enumerate() {
                let to = polygon[(i + 1) % polygon.len()];
                all.push(Segment {
                    from,
                    to,
                    ends: [bits(from), bits(to)],
                    triangle: all.len() as u32,
                });
            }
        }
        all
    }

    fn square(lo: [f64; 2], hi: [f64; 2]) -> Vec<DVec2> {
        [
            [lo[0], lo[1]],
            [hi[0], lo[1]],
            [hi[0], hi[1]],
            [lo[0], hi[1]],
        ]
        .map(DVec2::from_array)
        .to_vec()
    }

    fn found(polygons: &[Vec<DVec2>], corner: bool) -> Vec<Region> {
        let regions = regions(&segments(polygons), &UNIT, || corner);
        regions.expect("closed polygons")
    }

    #[test]
    fn a_square_inside_has_the_moments_of_a_square() {
        let all = found(&[square([0.2, 0.1], [0.6, 0.9])], false);
        assert_eq!(all.len(), 1);
        let r = &all[0];
        assert!((r.area - 0.32).abs() < 1e-15);
        assert!(r.centre.abs_diff_eq(DVec2::new(0.4, 0.5), 1e-15));
        let [v2, u2, uv] = r.second_moments;
        assert!((v2 - 0.4 * 0.8f64.powi(3) / 12.0).abs() < 1e-15);
        assert!((u2 - 0.8 * 0.4f64.powi(3) / 12.0).abs() < 1e-15);
        assert!(uv.abs() < 1e-15);
        assert_eq!((r.corners, r.triangles.len()), ([false; 4], 4));
    }

    #[test]
    fn without_segments_the_corner_decides() {
        assert!(found(&[], false).is_empty());
        let all = found(&[], true);
        assert_eq!((all.len(), all[0].corners), (1, [true; 4]));
        assert_eq!(all[0].area, 1.0);
    }

    #[test]
    fn a_hole_is_subtracted_and_an_island_in_it_is_a_region_of_its_own() {
        let hole: Vec<DVec2> = square([0.2, 0.2], [0.8, 0.8]).into_iter().rev().collect();
        let all = found(&[hole, square([0.4, 0.4], [0.5, 0.5])], true);
        let areas: Vec<f64> = all.iter().map(|r| r.area).collect();
        assert_eq!(all.len(), 2);
        assert!(areas.iter().any(|a| (a - 0.64).abs() < 1e-15), "{areas:?}");
        assert!(areas.iter().any(|a| (a - 0.01).abs() < 1e-15), "{areas:?}");
    }

    #[test]
    fn a_band_leaves_two_regions_with_their_corners() {
        // Air between x = 0.3 and x = 0.6 from side to side.
        let air: Vec<DVec2> = square([0.3, -1.0], [0.6, 2.0]).into_iter().rev().collect();
        let all = found(&[air], false);
        assert_eq!(all.len(), 2);
        assert!((all[0].area - 0.3).abs() < 1e-15);
        assert!((all[1].area - 0.4).abs() < 1e-15);
        assert_eq!(all[0].corners, [true, false, false, true]);
        assert_eq!(all[1].corners, [false, true, true, false]);
        assert_eq!((all[1].lo, all[1].hi), (DVec2::new(0.6, 0.0), DVec2::ONE));
    }

    #[test]
    fn random_polygons_agree_with_sampling() {
        let mut rng = Rng::new(7);
        for round in 0..300 {
            // A star around a random centre: it may leave the rectangle anywhere. Half of them are air.
            let centre = DVec2::new(rng.range(-0.2, 1.2), rng.range(-0.2, 1.2));
            let count = 3 + rng.below(12) as usize;
            let mut star: Vec<DVec2> = (0..count)
                .map(|i| {
                    let angle = std::f64::consts::TAU * i as f64 / count as f64;
                    centre + DVec2::from_angle(angle) * rng.range(0.05, 1.4)
                })
                .collect();
            let is_air = round % 2 == 1;
            let is_inside = |p: DVec2| encloses(&star, p) != is_air;
            const STEPS: usize = 160;
            let mut area = 0.0;
            let mut first = DVec2::ZERO;
            for k in 0..STEPS * STEPS {
                let p = DVec2::new((k % STEPS) as f64 + 0.5, (k / STEPS) as f64 + 0.5);
                let p = p / STEPS as f64;
                if is_inside(p) {
                    area += 1.0 / (STEPS * STEPS) as f64;
                    first += p / (STEPS * STEPS) as f64;
                }
            }
            let corner = is_inside(DVec2::ZERO);
            if is_air {
                star.reverse();
            }
            let all = found(&[star], corner);
            let sum: f64 = all.iter().map(|r| r.area).sum();
            let moment: DVec2 = all.iter().map(|r| r.centre * r.area).sum();
            assert!((sum - area).abs() < 0.02, "{round}: {sum} {area}");
            assert!(moment.abs_diff_eq(first, 0.02), "{round}: {moment} {first}");
            for (number, corner) in (0..4).map(|n| (n, UNIT.corner(n))) {
                let inner = corner + (DVec2::splat(0.5) - corner) * 1e-9;
                let is_solid = all.iter().any(|r| r.corners[number]);
                let is_expected = sum > 0.0 && encloses_corner(&all, inner, is_solid);
                assert_eq!(is_solid, is_expected, "{round}: corner {number}");
            }
        }
    }

    /// A corner is in a region only if the region's box reaches it.
    fn encloses_corner(all: &[Region], corner: DVec2, is_solid: bool) -> bool {
        let reaches =
            |r: &Region| r.lo.cmple(corner + 1e-8).all() && r.hi.cmpge(corner - 1e-8).all();
        is_solid && all.iter().any(reaches)
    }

    #[test]
    fn an_open_outline_is_refused() {
        let mut open = segments(&[square([0.2, 0.1], [0.6, 0.9])]);
        open.pop();
        assert_eq!(regions(&open, &UNIT, || true).unwrap_err(), OpenSection);
    }
}
