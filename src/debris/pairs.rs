//! Where do two bodies touch, or may touch before the tick ends?
//!
//! Of a chunk only those spheres are looked at that come near the box around the other's. Where many touch, a few that
//! hold the two apart as well as all would are kept.
use super::Body;
use super::contact::Contact;
use super::find::{NEAR, Part};
use crate::collide::{SphereSweep, sweep_sphere_sphere};
use glam::{DMat3, DVec3};
use smallvec::SmallVec;

/// Contacts of a chunk with one other body, or with one side of the walls.
pub(super) const MANIFOLD: usize = 4;

/// How a chunk lies, and the box around its spheres.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// World from its own axes.
    pub axes: DMat3,
    /// Corners of the box, in its own frame, from its centre.
    low: DVec3,
    high: DVec3,
}

impl Frame {
    /// None of a crumb.
    pub fn of(body: &Body) -> Option<Frame> {
        let chunk = body.chunk.as_ref()?;
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for ball in &chunk.balls {
            low = low.min(ball.centre - ball.radius);
            high = high.max(ball.centre + ball.radius);
        }
        Some(Frame {
            axes: DMat3::from_quat(body.rotation),
            low,
            high,
        })
    }

    /// Whether a sphere of `shape` is within `far` metres, or near, of the box of a chunk that lies so at `position`.
    pub fn is_near(&self, position: DVec3, shape: &Shape, far: f64) -> bool {
        let far = far.max(NEAR);
        shape
            .parts
            .iter()
            .any(|part| self.is_within(position, part, far))
    }

    /// Whether a plane of one of two boxes parts them by more than `far` metres.
    fn is_apart(&self, position: DVec3, other: &Frame, elsewhere: DVec3, far: f64) -> bool {
        let halves = [self, other].map(|frame| (frame.high - frame.low) * 0.5);
        let middle = |frame: &Frame, at: DVec3| at + frame.axes * ((frame.low + frame.high) * 0.5);
        let between = middle(other, elsewhere) - middle(self, position);
        let turned = self.axes.transpose() * other.axes;
        let sizes = DMat3::from_cols(
            turned.x_axis.abs(),
            turned.y_axis.abs(),
            turned.z_axis.abs(),
        );
        let mine = halves[0] + sizes * halves[1] + far;
        let theirs = halves[1] + sizes.transpose() * halves[0] + far;
        (self.axes.transpose() * between).abs().cmpgt(mine).any()
            || (other.axes.transpose() * between).abs().cmpgt(theirs).any()
    }

    fn is_within(&self, position: DVec3, part: &Part, far: f64) -> bool {
        let p = self.axes.transpose() * (part.ball.centre - position);
        let reach = part.ball.radius + far;
        p.clamp(self.low, self.high).distance_squared(p) < reach * reach
    }
}

/// A body with its spheres in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    pub body: u32,
    pub position: DVec3,
    pub frame: Option<&'a Frame>,
    pub parts: &'a [Part],
}

impl Shape<'_> {
    /// Calls `visit` for each sphere of `other` that is within `far` metres of these: of the box around them, if they are
    /// many.
    fn each_near(&self, other: &Shape, far: f64, mut visit: impl FnMut(usize)) {
        let is_near = |part: &Part| match (self.frame, self.parts) {
            (Some(frame), _) => frame.is_within(self.position, part, far),
            (None, own) => own.iter().any(|own| {
                let reach = own.ball.radius + part.ball.radius + far;
                own.ball.centre.distance_squared(part.ball.centre) < reach * reach
            }),
        };
        for (i, part) in other.parts.iter().enumerate() {
            if is_near(part) {
                visit(i);
            }
        }
    }
}

/// Adds the contacts of two bodies. Their spheres move by no more than `far` metres against one another.
pub(super) fn meet(a: &Shape, b: &Shape, far: f64, contacts: &mut Vec<Contact>) {
    if let (None, None, [one], [other]) = (a.frame, b.frame, a.parts, b.parts) {
        let bodies = [a.body, b.body];
        let met = pair(one, other);
        contacts.extend(met.map(|(normal, gap)| contact(bodies, [one, other], normal, gap)));
        return;
    }
    let far = far.max(NEAR);
    if let (Some(frame), Some(other)) = (a.frame, b.frame)
        && frame.is_apart(a.position, other, b.position, far)
    {
        return;
    }
    let mut mine: SmallVec<[usize; 64]> = SmallVec::new();
    b.each_near(a, far, |i| mine.push(i));
    if mine.is_empty() {
        return;
    }
    let mut theirs: SmallVec<[usize; 64]> = SmallVec::new();
    a.each_near(b, far, |i| theirs.push(i));
    let mut found: SmallVec<[Meeting; 32]> = SmallVec::new();
    for &i in &mine {
        let one = &a.parts[i];
        for &j in &theirs {
            let other = &b.parts[j];
            let reach = one.ball.radius + other.ball.radius + far;
            if one.ball.centre.distance_squared(other.ball.centre) < reach * reach
                && let Some((normal, gap)) = pair(one, other)
            {
                found.push(Meeting::new(one, [i as u16, j as u16], normal, gap));
            }
        }
    }
    let bodies = [a.body, b.body];
    contacts.extend(thin(&found).map(|m| {
        let [i, j] = m.parts.map(usize::from);
        contact(bodies, [&a.parts[i], &b.parts[j]], m.normal, m.gap)
    }));
}

/// A contact that may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Places of the two spheres among those of their bodies.
    pub parts: [u16; 2],
    pub normal: DVec3,
    pub gap: f64,
    /// From the first body's centre to the contact, metres.
    arm: DVec3,
}

impl Meeting {
    /// `part` is the first of the two spheres.
    pub fn new(part: &Part, parts: [u16; 2], normal: DVec3, gap: f64) -> Meeting {
        let arm = part.offset.unwrap_or(DVec3::ZERO) - normal * part.ball.radius;
        Meeting {
            parts,
            normal,
            gap,
            arm,
        }
    }
}

fn contact(bodies: [u32; 2], [a, b]: [&Part; 2], normal: DVec3, gap: f64) -> Contact {
    Contact::new(
        bodies,
        [a.part, b.part],
        normal,
        gap,
        [a.ball.radius, b.ball.radius],
        [a.offset, b.offset],
    )
}

/// Normal and gap of two spheres, if they are near or meet within the tick.
#[inline]
fn pair(a: &Part, b: &Part) -> Option<(DVec3, f64)> {
    let apart = a.ball.centre - b.ball.centre;
    let distance = apart.length();
    let both = a.ball.radius + b.ball.radius;
    let gap = distance - both;
    let way = a.path - b.path;
    if gap > NEAR && way.length_squared() <= gap * gap {
        return None;
    }
    if gap <= NEAR {
        // In one place: any direction will do.
        let normal = if distance > 0.0 {
            apart / distance
        } else {
            DVec3::Y
        };
        Some((normal, gap))
    } else {
        let sweep = SphereSweep::new(a.ball.centre, a.ball.centre + a.path, a.ball.radius)?;
        let hit = sweep_sphere_sphere(&sweep, b.ball.centre, b.path, b.ball.radius)?;
        Some((hit.normal, -way.dot(hit.normal) * hit.fraction))
    }
}

/// Of some contacts those that hold as well as all would: the deepest, then always the one farthest from those chosen.
/// In the order in which they came.
pub(super) fn thin(all: &[Meeting]) -> impl Iterator<Item = &Meeting> {
    let mut chosen: SmallVec<[usize; MANIFOLD]> = SmallVec::new();
    if all.len() <= MANIFOLD {
        chosen.extend(0..all.len());
    } else {
        let deepest = (0..all.len()).min_by(|&i, &j| all[i].gap.total_cmp(&all[j].gap));
        chosen.extend(deepest);
        // What is far off matters less the farther it is.
        let mut apart: SmallVec<[f64; 64]> = SmallVec::from_elem(f64::INFINITY, all.len());
        while let Some(&last) = chosen.last().filter(|_| chosen.len() < MANIFOLD) {
            for (apart, m) in apart.iter_mut().zip(all) {
                let distance = m.arm.distance(all[last].arm);
                *apart = apart.min(distance - 4.0 * m.gap.max(0.0));
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
