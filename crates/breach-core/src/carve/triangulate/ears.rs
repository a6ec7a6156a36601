//! Ear clipping, and bridges that join holes to their outline.
use super::predicates::{FEW, Loop, NEAR, area, is_convex, is_left, orientation};
use crate::geom::ring;
use glam::DVec2;
use smallvec::SmallVec;

/// Which ears may be clipped.
#[derive(Clone, Copy, PartialEq)]
enum EarRule {
    /// No other corner lies in the triangle or near its sides.
    Fair,
    /// The triangle has an area and contains no other corner.
    Exact,
    /// Any triangle.
    Any,
}

/// A loop while its ears are clipped. Indices are into the original loop.
struct Ears<'a> {
    points: &'a [DVec2],
    corners: Loop,
    before: Loop,
    after: Loop,
    /// Quality of the ear at a corner, 0 where there is none.
    score: SmallVec<[f64; FEW]>,
    /// Reflex and nearly straight corners: only they can lie in an ear.
    is_reflex: SmallVec<[bool; FEW]>,
    rule: EarRule,
}

impl Ears<'_> {
    fn at(&self, k: u32) -> DVec2 {
        self.points[self.corners[k as usize] as usize]
    }

    fn update_reflex(&mut self, k: u32) {
        let (a, c) = (self.before[k as usize], self.after[k as usize]);
        self.is_reflex[k as usize] = !is_left(self.at(a), self.at(k), self.at(c));
    }

    fn update_score(&mut self, k: u32) {
        let (i, j) = (self.before[k as usize], self.after[k as usize]);
        let (a, b, c) = (self.at(i), self.at(k), self.at(j));
        let size = area(a, b, c);
        let longest = (b - a)
            .length_squared()
            .max((c - b).length_squared())
            .max((a - c).length_squared());
        self.score[k as usize] = match self.rule {
            // A small inverted triangle does less harm than a large one.
            EarRule::Any => 1.0 / (1.0 + size.abs()),
            EarRule::Fair if self.is_reflex[k as usize] => 0.0,
            EarRule::Fair | EarRule::Exact => {
                if orientation(a, b, c) <= 0 || self.is_blocked(i, k, j) {
                    0.0
                } else {
                    (size / longest).max(f64::MIN_POSITIVE)
                }
            }
        };
    }

    /// Whether a reflex corner lies in or on the triangle, other than at its corners.
    fn is_blocked(&self, i: u32, k: u32, j: u32) -> bool {
        let (a, b, c) = (self.at(i), self.at(k), self.at(j));
        let (lo, hi) = (a.min(b).min(c) - NEAR, a.max(b).max(c) + NEAR);
        let slack = [(b - a).length(), (c - b).length(), (a - c).length()].map(|l| -NEAR * l);
        let mut at = self.after[j as usize];
        while at != i {
            let p = self.at(at);
            if self.is_reflex[at as usize]
                && p.cmpge(lo).all()
                && p.cmple(hi).all()
                && p != a
                && p != b
                && p != c
                && match self.rule {
                    EarRule::Fair => {
                        area(a, b, p) >= slack[0]
                            && area(b, c, p) >= slack[1]
                            && area(c, a, p) >= slack[2]
                    }
                    EarRule::Exact | EarRule::Any => {
                        orientation(a, b, p) >= 0
                            && orientation(b, c, p) >= 0
                            && orientation(c, a, p) >= 0
                    }
                }
            {
                return true;
            }
            at = self.after[at as usize];
        }
        false
    }
}

/// Triangulates a loop given in order: convex ones as a fan, others by clipping ears.
pub(super) fn triangulate_loop(points: &[DVec2], corners: Loop) -> Vec<[u32; 3]> {
    let count = corners.len();
    let positions: SmallVec<[DVec2; FEW]> = corners.iter().map(|&k| points[k as usize]).collect();
    if count <= 8 && is_convex(&positions) {
        let fan = (2..count).map(|k| [corners[0], corners[k - 1], corners[k]]);
        return fan.collect();
    }
    clip_ears(points, corners)
}

/// Clips ears until a loop is gone: always two triangles fewer than it has corners.
pub(super) fn clip_ears(points: &[DVec2], corners: Loop) -> Vec<[u32; 3]> {
    let n = corners.len();
    if n < 3 {
        return Vec::new();
    }
    let mut e = Ears {
        points,
        before: (0..n).map(|k| ring::before(k, n) as u32).collect(),
        after: (0..n).map(|k| ring::after(k, n) as u32).collect(),
        score: SmallVec::from_elem(0.0, n),
        is_reflex: SmallVec::from_elem(false, n),
        corners,
        rule: EarRule::Fair,
    };
    let mut left: Loop = (0..n as u32).collect();
    let mut triangles = Vec::with_capacity(n - 2);
    let update_all = |e: &mut Ears, left: &Loop| left.iter().for_each(|&k| e.update_score(k));
    left.iter().for_each(|&k| e.update_reflex(k));
    update_all(&mut e, &left);
    let mut is_fresh = true;
    // After one bad ear there may be good ones again; the number of retries is limited.
    let mut patience = 16;
    let mut refreshes = 0;
    while left.len() >= 3 {
        let mut best = 0;
        for k in 1..left.len() {
            if e.score[left[k] as usize] > e.score[left[best] as usize] {
                best = k;
            }
        }
        let k = left[best];
        if left.len() > 3 && e.score[k as usize] == 0.0 {
            refreshes += 1;
            if is_fresh || refreshes > 64 {
                e.rule = match e.rule {
                    EarRule::Fair => EarRule::Exact,
                    EarRule::Exact | EarRule::Any => EarRule::Any,
                };
            }
            update_all(&mut e, &left);
            is_fresh = true;
            continue;
        }
        let (i, j) = (e.before[k as usize], e.after[k as usize]);
        triangles.push([i, k, j].map(|k| e.corners[k as usize]));
        left.remove(best);
        e.after[i as usize] = j;
        e.before[j as usize] = i;
        e.update_reflex(i);
        e.update_reflex(j);
        if e.rule == EarRule::Any && patience > 0 {
            patience -= 1;
            e.rule = EarRule::Fair;
            update_all(&mut e, &left);
            is_fresh = true;
        } else {
            e.update_score(i);
            e.update_score(j);
            is_fresh = false;
        }
    }
    triangles
}

/// Whether `p` lies in the wedge between the edges a..b and b..c, on the loop's left.
fn is_between(a: DVec2, b: DVec2, c: DVec2, p: DVec2) -> bool {
    let (left, right) = (orientation(a, b, p) >= 0, orientation(b, c, p) >= 0);
    if orientation(a, b, c) >= 0 {
        left && right
    } else {
        left || right
    }
}

/// Joins all loops to one: each hole by a bridge of two opposite edges, or none where it touches the outline.
pub(super) fn bridge_holes(points: &[DVec2], loops: Vec<Loop>) -> Loop {
    let at = |k: u32| points[k as usize];
    let mut holes = loops.into_iter().filter(|l| !l.is_empty());
    let mut all = holes.next().unwrap_or_default();
    let right = |l: &Loop| l.iter().map(|&k| at(k).x).fold(f64::NEG_INFINITY, f64::max);
    let mut holes: Vec<Loop> = holes.collect();
    // From right to left: so only loops already joined lie right of a hole's rightmost corner.
    holes.sort_by(|a, b| right(b).total_cmp(&right(a)));
    for hole in holes {
        let n = all.len();
        let sees = |m: usize, h: u32| {
            is_between(
                at(all[ring::before(m, n)]),
                at(all[m]),
                at(all[ring::after(m, n)]),
                at(h),
            )
        };
        let touch = (0..hole.len()).find_map(|h| {
            let next = hole[ring::after(h, hole.len())];
            let m = (0..n).find(|&m| at(all[m]) == at(hole[h]) && sees(m, next))?;
            Some((m, h))
        });
        let skip = usize::from(touch.is_some());
        let (m, h) = touch.unwrap_or_else(|| {
            let best = (0..hole.len())
                .max_by(|&a, &b| at(hole[a]).x.total_cmp(&at(hole[b]).x))
                .expect("a hole has corners");
            let p = at(hole[best]);
            let mut near: Vec<usize> = (0..n).collect();
            near.sort_by(|&a, &b| {
                at(all[a])
                    .distance_squared(p)
                    .total_cmp(&at(all[b]).distance_squared(p))
            });
            let is_free = |&m: &usize| {
                let q = at(all[m]);
                let crosses = |a: DVec2, b: DVec2| {
                    a != q
                        && b != q
                        && a != p
                        && b != p
                        && orientation(p, q, a) * orientation(p, q, b) <= 0
                        && orientation(a, b, p) * orientation(a, b, q) <= 0
                };
                sees(m, hole[best])
                    && !ring::pairs(&all).any(|(&a, &b)| crosses(at(a), at(b)))
                    && !ring::pairs(&hole).any(|(&a, &b)| crosses(at(a), at(b)))
            };
            (near.iter().copied().find(is_free).unwrap_or(near[0]), best)
        });
        // m, the hole from h around to h again, then m again; where they touch, m and h are one point.
        let mut joined: Loop = all[..=m].iter().copied().collect();
        joined.extend((skip..=hole.len()).map(|k| hole[(h + k) % hole.len()]));
        joined.extend(all[m + skip..].iter().copied());
        all = joined;
    }
    all
}
