//! The window of a room: the convex polygon on the screen through which the room is visible. Coordinates are normalized
//! device coordinates: -1..=1 from left to right and from bottom to top.
use glam::{DVec2, DVec3, DVec4};

/// Most corners of a window; a polygon with more is enlarged until it has fewer.
const MOST_CORNERS: usize = 12;
/// Corners nearer than this are merged: the direction of a shorter side would be noise.
const SIDE_MIN: f64 = 1e-6;
/// Tolerance of inside tests: more than the rasterizer's subpixel rounding (1/256 of a pixel, in pictures of fifty pixels
/// and more), and far more than rounding errors and `SIDE_MIN`.
pub(super) const PAD: f64 = 1e-4;
/// Polygons are clipped at this distance from the eye's plane, metres. Far below the near plane.
const W_MIN: f64 = 1e-7;

/// A convex part of the screen. It may reach a little beyond the screen, where that saved corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    corners: [DVec2; MOST_CORNERS],
    count: usize,
}

impl Window {
    /// The whole screen.
    pub const ALL: Window = Window::rectangle([-1.0, -1.0], [1.0, 1.0]);

    /// From left and bottom to right and top.
    pub const fn rectangle(min: [f64; 2], max: [f64; 2]) -> Window {
        let mut corners = [DVec2::ZERO; MOST_CORNERS];
        corners[0] = DVec2::new(min[0], min[1]);
        corners[1] = DVec2::new(max[0], min[1]);
        corners[2] = DVec2::new(max[0], max[1]);
        corners[3] = DVec2::new(min[0], max[1]);
        Window { corners, count: 4 }
    }

    /// The convex hull of the points, enlarged a little if it has too many corners; sorts the points. A hull thinner than
    /// `PAD` becomes a rectangle of that width. None without points.
    pub fn hull(points: &mut Vec<DVec2>) -> Option<Window> {
        let (min, max) = bounds_of(points)?;
        let rectangle = Window::rectangle((min - PAD).to_array(), (max + PAD).to_array());
        let mut hull = convex_hull(points);
        while hull.len() > MOST_CORNERS {
            if !remove_side(&mut hull) {
                return Some(rectangle);
            }
        }
        let wide = hull.len() > 2 && twice_area(&hull) > PAD * (max - min).max_element();
        if !wide {
            return Some(rectangle);
        }
        let mut corners = [DVec2::ZERO; MOST_CORNERS];
        corners[..hull.len()].copy_from_slice(&hull);
        let count = hull.len();
        Some(Window { corners, count })
    }

    /// The corners, counter-clockwise.
    pub fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// The bounding rectangle: left and bottom, right and top.
    pub fn bounds(&self) -> [DVec2; 2] {
        let (min, max) = bounds_of(self.corners()).unwrap_or_default();
        [min, max]
    }

    /// Whether this window contains the other one.
    pub(super) fn contains(&self, other: &Window) -> bool {
        let mut sides = self.sides();
        sides.all(|side| {
            let mut corners = other.corners().iter();
            corners.all(|p| side.dot(DVec3::new(p.x, p.y, 1.0)) >= -SIDE_MIN)
        })
    }

    /// The hull of both.
    pub(super) fn union(&self, other: &Window) -> Window {
        let mut points = [self.corners(), other.corners()].concat();
        Window::hull(&mut points).unwrap_or(*self)
    }

    /// The hull of polygons in clip space, clipped to this window and to the front of the eye.
    /// Sutherland-Hodgman before the division by w, so that polygons may reach behind the eye. Concave outlines get
    /// degenerate edges but no wrong corner.
    pub(super) fn clipped<'a>(
        &self,
        outlines: impl Iterator<Item = &'a mut Vec<DVec4>>,
    ) -> Option<Window> {
        let mut points: Vec<DVec2> = Vec::new();
        let mut clipped = Vec::new();
        for outline in outlines {
            let front = DVec4::new(0.0, 0.0, 0.0, 1.0);
            clip(outline, front, W_MIN, &mut clipped);
            for side in self.sides() {
                let plane = DVec4::new(side.x, side.y, 0.0, side.z + PAD);
                clip(outline, plane, 0.0, &mut clipped);
            }
            points.extend(outline.iter().map(|p| DVec2::new(p.x, p.y) / p.w));
        }
        points.retain(|p| p.is_finite());
        Window::hull(&mut points)
    }

    /// The line (a, b, c) of each side; a x + b y + c is the distance inward.
    fn sides(&self) -> impl Iterator<Item = DVec3> + '_ {
        let corners = self.corners();
        (0..corners.len()).filter_map(move |i| {
            let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
            let inward = (q - p).perp().try_normalize()?;
            Some(inward.extend(-inward.dot(p)))
        })
    }
}

/// Projects a convex polygon from clip space to the screen; None if a point is behind the eye or the polygon is seen
/// edge-on.
pub(super) fn on_screen(points: [DVec4; 4]) -> Option<[DVec2; 4]> {
    if points.iter().any(|p| p.w < W_MIN) {
        return None;
    }
    let mut corners = points.map(|p| DVec2::new(p.x, p.y) / p.w);
    let area = twice_area(&corners);
    if area < 0.0 {
        corners.reverse();
    }
    (area.abs() > PAD * PAD).then_some(corners)
}

/// Clips a polygon to the half-space at least `least` inside of the plane.
fn clip(corners: &mut Vec<DVec4>, plane: DVec4, least: f64, scratch: &mut Vec<DVec4>) {
    scratch.clear();
    for i in 0..corners.len() {
        let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
        let (side_a, side_b) = (plane.dot(a) - least, plane.dot(b) - least);
        if side_a >= 0.0 {
            scratch.push(a);
        }
        if (side_a >= 0.0) != (side_b >= 0.0) {
            scratch.push(a + (b - a) * (side_a / (side_a - side_b)));
        }
    }
    std::mem::swap(corners, scratch);
}

fn bounds_of(points: &[DVec2]) -> Option<(DVec2, DVec2)> {
    let first = *points.first()?;
    let grow = |(min, max): (DVec2, DVec2), p: &DVec2| (min.min(*p), max.max(*p));
    Some(points.iter().fold((first, first), grow))
}

fn twice_area(corners: &[DVec2]) -> f64 {
    let sides = (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
    sides.map(|(p, q)| p.perp_dot(q)).sum()
}

/// Counter-clockwise, without sides shorter than `SIDE_MIN` (Andrew, "Another efficient algorithm for convex hulls in
/// two dimensions", 1979).
fn convex_hull(points: &mut Vec<DVec2>) -> Vec<DVec2> {
    points.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    points.dedup();
    let mut hull: Vec<DVec2> = Vec::with_capacity(points.len() + 1);
    let mut half = |points: &mut dyn Iterator<Item = &DVec2>| {
        let start = hull.len();
        for &p in points {
            while let [.., a, b] = hull[start..] {
                if (b - a).perp_dot(p - a) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    };
    half(&mut points.iter());
    half(&mut points.iter().rev());
    let mut kept: Vec<DVec2> = Vec::with_capacity(hull.len());
    for p in hull {
        let near = |q: &DVec2| q.distance_squared(p) < SIDE_MIN * SIDE_MIN;
        if !kept.last().is_some_and(near) && !kept.first().is_some_and(near) {
            kept.push(p);
        }
    }
    kept
}

/// Removes the side whose removal adds the least area: its neighbours are extended until they meet. False if no side can
/// be removed.
fn remove_side(corners: &mut Vec<DVec2>) -> bool {
    let n = corners.len();
    let mut best: Option<(f64, usize, DVec2)> = None;
    for i in 0..n {
        let [a, b, c, d] = [n - 1, 0, 1, 2].map(|k| corners[(i + k) % n]);
        let (before, after) = (b - a, d - c);
        let turn = before.perp_dot(after);
        if turn <= 0.0 {
            continue;
        }
        let meet = b + before * ((c - b).perp_dot(after) / turn);
        let area = (meet - b).perp_dot(c - b).abs();
        if meet.is_finite() && best.is_none_or(|(least, ..)| area < least) {
            best = Some((area, i, meet));
        }
    }
    let Some((_, i, meet)) = best else {
        return false;
    };
    corners[i] = meet;
    corners.remove((i + 1) % n);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::point_in_polygon_convex;
    use crate::geom::rng::Rng;

    fn some_points(rng: &mut Rng, count: usize) -> Vec<DVec2> {
        let point = |_| DVec2::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
        (0..count).map(point).collect()
    }

    #[test]
    fn a_window_is_convex_holds_its_points_and_has_few_corners() {
        let mut rng = Rng::new(3);
        for round in 0..2000 {
            let count = 1 + round % 60;
            let round_ones = rng.below(2) == 0;
            let points: Vec<DVec2> = match round_ones {
                false => some_points(&mut rng, count),
                // On a circle all are corners of the hull.
                true => {
                    let step = std::f64::consts::TAU / count as f64;
                    let turn = |i: usize| libm::sincos(i as f64 * step);
                    (0..count).map(|i| DVec2::from(turn(i)) * 0.7).collect()
                }
            };
            let window = Window::hull(&mut points.clone()).unwrap();
            let corners = window.corners();
            assert!((3..=MOST_CORNERS).contains(&corners.len()));
            for i in 0..corners.len() {
                let [a, b, c] = [0, 1, 2].map(|k| corners[(i + k) % corners.len()]);
                assert!((b - a).perp_dot(c - b) > 0.0, "{corners:?}");
            }
            for p in &points {
                let far = window.sides().map(|side| side.dot(p.extend(1.0)));
                assert!(far.fold(f64::INFINITY, f64::min) > -2.0 * SIDE_MIN);
            }
        }
    }

    #[test]
    fn fewer_corners_add_little() {
        let turn = |i: usize| libm::sincos(i as f64 * std::f64::consts::TAU / 60.0);
        let mut points: Vec<DVec2> = (0..60).map(|i| DVec2::from(turn(i))).collect();
        let window = Window::hull(&mut points).unwrap();
        let part = twice_area(window.corners()) / 2.0 / std::f64::consts::PI;
        assert!((1.0..1.05).contains(&part), "{part}");
    }

    #[test]
    fn a_window_of_a_line_or_a_point_is_as_wide_as_the_pad() {
        let mut line = vec![DVec2::new(0.5, -0.25), DVec2::new(0.5, 0.75)];
        let window = Window::hull(&mut line).unwrap();
        assert_eq!(
            window.bounds(),
            [
                DVec2::new(0.5 - PAD, -0.25 - PAD),
                DVec2::new(0.5 + PAD, 0.75 + PAD)
            ]
        );
        assert_eq!(Window::hull(&mut vec![]), None);
    }

    #[test]
    fn the_union_is_the_hull_and_contains_both() {
        let left = Window::rectangle([-0.5, -0.5], [0.0, 0.0]);
        let right = Window::rectangle([0.5, 0.25], [0.75, 1.0]);
        let both = left.union(&right);
        assert!(both.contains(&left) && both.contains(&right));
        assert!(!left.contains(&both) && left.contains(&left));
        assert_eq!(
            both.bounds(),
            [DVec2::new(-0.5, -0.5), DVec2::new(0.75, 1.0)]
        );
        assert!(!point_in_polygon_convex(
            both.corners(),
            DVec2::new(0.7, -0.4)
        ));
    }

    #[test]
    fn a_polygon_behind_the_eye_is_cut_off_and_a_slanted_one_stays_slanted() {
        let behind = DVec4::new(0.0, 0.0, 0.0, -1.0);
        let mut outline = vec![behind, behind + DVec4::X, behind + DVec4::Y];
        assert_eq!(Window::ALL.clipped([&mut outline].into_iter()), None);
        // Half of the screen, at twice the distance.
        let at = |x: f64, y: f64| DVec4::new(2.0 * x, 2.0 * y, 0.0, 2.0);
        let mut outline = vec![at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0)];
        let window = Window::ALL.clipped([&mut outline].into_iter()).unwrap();
        assert_eq!(window.corners().len(), 3);
        let apart = Window::rectangle([-0.9, 0.5], [-0.6, 0.9]);
        let mut outline = vec![at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0)];
        assert_eq!(apart.clipped([&mut outline].into_iter()), None);
    }
}
