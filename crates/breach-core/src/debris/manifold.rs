//! Contact manifolds: the few of many contact points that hold as well as all.
use super::active_body::MovingBall;
use glam::DVec3;
use smallvec::SmallVec;

/// Most contact points of a chunk with another body, or with one side of the walls.
const MANIFOLD_POINTS: usize = 4;

/// A contact is the one of the last step if their arms are nearer to each other than this, metres.
pub(super) const SAME_PLACE: f64 = 0.02;
/// How much deeper what held in the last step counts, metres.
const KEPT_DEEPER: f64 = 0.002;

/// A contact that may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct ManifoldPoint {
    /// Positions of the two balls in the lists of their bodies.
    pub balls: [u16; 2],
    pub normal: DVec3,
    pub gap: f64,
    /// The gap at the end of the tick if nothing stopped the bodies, metres.
    gap_at_end: f64,
    /// From the first body's centre of mass to the contact, metres.
    arm: DVec3,
    /// Whether it held in the last step.
    was_kept: bool,
}

impl ManifoldPoint {
    /// `first` is the first of the two balls, and `path` its displacement relative to the second in the tick.
    pub fn new(
        first: &MovingBall,
        balls: [u16; 2],
        normal: DVec3,
        gap: f64,
        path: DVec3,
    ) -> ManifoldPoint {
        let arm = first.offset.unwrap_or(DVec3::ZERO) - normal * first.ball.radius;
        ManifoldPoint {
            balls,
            normal,
            gap,
            gap_at_end: gap + path.dot(normal),
            arm,
            was_kept: false,
        }
    }

    /// Notes whether one of the contacts of the last step, given by its arm, was here.
    pub fn note_kept(&mut self, arms: &[DVec3]) {
        self.was_kept = arms
            .iter()
            .any(|arm| arm.distance_squared(self.arm) < SAME_PLACE * SAME_PLACE);
    }

    /// How deep it counts as, metres: what held stays, unless another is clearly deeper.
    fn rank(&self) -> f64 {
        self.gap_at_end - if self.was_kept { KEPT_DEEPER } else { 0.0 }
    }

    /// Separates the two balls along another normal; the gap becomes their distance from touching along it.
    pub fn set_normal(&mut self, normal: DVec3, one: &MovingBall, other: &MovingBall) {
        let apart = one.ball.centre - other.ball.centre;
        let along = apart.dot(normal);
        let both = one.ball.radius + other.ball.radius;
        // Below zero they pass each other without touching.
        let square = both * both - (apart.length_squared() - along * along);
        let gap = along - square.max(0.0).sqrt();
        *self = Self::new(one, self.balls, normal, gap, one.path - other.path);
    }
}

/// Reduces contact points to a manifold: the deepest, then repeatedly the one farthest from those chosen. The order of the
/// points stays. One that held in the last step counts as a little deeper, so that the deepest stays the same while a body trembles,
/// and with it the impulse that the solver starts from.
pub(super) fn reduce(all: &[ManifoldPoint]) -> impl Iterator<Item = &ManifoldPoint> {
    let mut chosen: SmallVec<[usize; MANIFOLD_POINTS]> = SmallVec::new();
    if all.len() <= MANIFOLD_POINTS {
        chosen.extend(0..all.len());
    } else {
        let deepest = (0..all.len()).min_by(|&i, &j| all[i].rank().total_cmp(&all[j].rank()));
        chosen.extend(deepest);
        // Distance to the chosen ones, less for points with a gap: they may not touch at all.
        let mut apart: SmallVec<[f64; 64]> = SmallVec::from_elem(f64::INFINITY, all.len());
        while let Some(&last) = chosen.last().filter(|_| chosen.len() < MANIFOLD_POINTS) {
            for (apart, point) in apart.iter_mut().zip(all) {
                let distance = point.arm.distance(all[last].arm);
                *apart = apart.min(distance - 4.0 * point.gap_at_end.max(0.0));
            }
            let next = (0..all.len())
                .filter(|i| !chosen.contains(i))
                .max_by(|&i, &j| apart[i].total_cmp(&apart[j]));
            chosen.extend(next);
        }
        chosen.sort_unstable();
    }
    chosen.into_iter().map(|i| &all[i])
}
