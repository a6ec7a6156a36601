//! Where do two bodies touch, or may touch before the tick ends?
//!
//! Of a chunk only those spheres are looked at that come near the box around the other's. Where many touch, a few that
//! hold the two apart as well as all would are kept.
use super::contact::Contacts;
use super::find::{NEAR, Part};
use super::{Ball, Body};
use crate::collide::{SphereSweep, sweep_sphere_sphere};
use crate::geom::Aabb;
use glam::{DMat3, DVec3};
use smallvec::SmallVec;

/// Contacts of a chunk with one other body, or with one side of the walls.
pub(super) const MANIFOLD: usize = 4;

/// Chunks of which spheres overlap by more than this part of the smaller's radius have got into each other: the spheres
/// do not tell any more where out is.
const DEEP: f64 = 0.5;

/// How a chunk lies, and the boxes around its spheres.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// World from its own axes.
    pub axes: DMat3,
    /// The box in its own frame, from its centre.
    own: Aabb,
    /// The box around that one in the world.
    pub bounds: Aabb,
}

impl Frame {
    /// None of a crumb.
    pub fn of(body: &Body) -> Option<Frame> {
        let own = body.chunk.as_ref()?.bounds;
        let axes = DMat3::from_quat(body.rotation);
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::abs);
        let half = (own.max - own.min) * 0.5;
        let middle = body.position + axes * own.centre();
        Some(Frame {
            axes,
            own,
            bounds: Aabb::from_centre(middle, x * half.x + y * half.y + z * half.z),
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
    fn is_apart(&self, other: &Frame, far: f64) -> bool {
        let halves = [self, other].map(|frame| (frame.own.max - frame.own.min) * 0.5);
        let between = other.bounds.centre() - self.bounds.centre();
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

    /// The way out of another chunk: across the face, of either box, of which they overlap least. Unit, towards this one.
    fn way_out(&self, other: &Frame) -> DVec3 {
        let halves = [self, other].map(|frame| frame.own.half_size());
        let between = self.bounds.centre() - other.bounds.centre();
        let mut best = (f64::INFINITY, DVec3::Y);
        for axes in [&self.axes, &other.axes] {
            for axis in [axes.x_axis, axes.y_axis, axes.z_axis] {
                let reach =
                    |frame: &Frame, half: DVec3| (frame.axes.transpose() * axis).abs().dot(half);
                let apart = between.dot(axis);
                let overlap = reach(self, halves[0]) + reach(other, halves[1]) - apart.abs();
                if overlap < best.0 {
                    best = (overlap, axis * 1f64.copysign(apart));
                }
            }
        }
        best.1
    }

    #[inline(always)]
    fn is_within(&self, position: DVec3, part: &Part, far: f64) -> bool {
        let reach = part.ball.radius + far;
        let at = part.ball.centre;
        // Most are not even near the box that is easier to ask.
        let ball = Ball {
            centre: at,
            radius: reach,
        };
        if !touches(&self.bounds, &ball) {
            return false;
        }
        let p = self.axes.transpose() * (at - position);
        p.clamp(self.own.min, self.own.max).distance_squared(p) < reach * reach
    }
}

/// Whether the box around a sphere touches another box.
#[inline(always)]
fn touches(bounds: &Aabb, ball: &Ball) -> bool {
    let (low, high) = (ball.centre - ball.radius, ball.centre + ball.radius);
    !(high.cmplt(bounds.min) | low.cmpgt(bounds.max)).any()
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
    fn each_near(&self, other: &Shape, far: f64, mut visit: impl FnMut(u16, &Ball)) {
        let is_near = |part: &Part| match (self.frame, self.parts) {
            (Some(frame), _) => frame.is_within(self.position, part, far),
            (None, own) => own.iter().any(|own| {
                let reach = own.ball.radius + part.ball.radius + far;
                own.ball.centre.distance_squared(part.ball.centre) < reach * reach
            }),
        };
        for (i, part) in (0u16..).zip(other.parts) {
            if is_near(part) {
                visit(i, &part.ball);
            }
        }
    }
}

/// Adds the contacts of two bodies. Their spheres move by no more than `far` metres against one another.
pub(super) fn meet(a: &Shape, b: &Shape, far: f64, contacts: &mut Contacts) {
    if let (None, None, [one], [other]) = (a.frame, b.frame, a.parts, b.parts) {
        let bodies = [a.body, b.body];
        if let Some(met) = pair(one, other) {
            add(contacts, bodies, [one, other], met);
        }
        return;
    }
    let far = far.max(NEAR);
    if let (Some(frame), Some(other)) = (a.frame, b.frame)
        && frame.is_apart(other, far)
    {
        return;
    }
    let mut mine: SmallVec<[u16; 64]> = SmallVec::new();
    // The box around them, that a sphere of the other must touch.
    let mut around = Aabb::from_centre(a.position, DVec3::NEG_INFINITY);
    b.each_near(a, far, |i, ball| {
        mine.push(i);
        around = around.union(&Aabb::from_centre(
            ball.centre,
            DVec3::splat(ball.radius + far),
        ));
    });
    if mine.is_empty() {
        return;
    }
    let theirs = (0u16..)
        .zip(b.parts)
        .filter(|(_, part)| touches(&around, &part.ball));
    let theirs: SmallVec<[u16; 64]> = theirs.map(|(j, _)| j).collect();
    let mut found: SmallVec<[Meeting; 32]> = SmallVec::new();
    for &i in &mine {
        let one = &a.parts[usize::from(i)];
        for &j in &theirs {
            let other = &b.parts[usize::from(j)];
            let reach = one.ball.radius + other.ball.radius + far;
            if one.ball.centre.distance_squared(other.ball.centre) < reach * reach
                && let Some((normal, gap)) = pair(one, other)
            {
                let way = one.path - other.path;
                found.push(Meeting::new(one, [i, j], normal, gap, way));
            }
        }
    }
    let bodies = [a.body, b.body];
    let is_deep = |m: &Meeting| {
        let [i, j] = m.parts.map(usize::from);
        m.gap < -DEEP * a.parts[i].ball.radius.min(b.parts[j].ball.radius)
    };
    if let (Some(frame), Some(other)) = (a.frame, b.frame)
        && found.iter().any(is_deep)
    {
        let normal = frame.way_out(other);
        for m in &mut found {
            let [i, j] = m.parts.map(usize::from);
            m.turn_to(normal, &a.parts[i], &b.parts[j]);
        }
    }
    for m in thin(&found) {
        let [i, j] = m.parts.map(usize::from);
        let both = [&a.parts[i], &b.parts[j]];
        add(contacts, bodies, both, (m.normal, m.gap));
    }
}

/// A contact that may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Places of the two spheres among those of their bodies.
    pub parts: [u16; 2],
    pub normal: DVec3,
    pub gap: f64,
    /// The gap at the end of the tick if nothing held them, metres.
    later: f64,
    /// From the first body's centre to the contact, metres.
    arm: DVec3,
}

impl Meeting {
    /// `part` is the first of the two spheres, which goes `way` against the second in the tick.
    pub fn new(part: &Part, parts: [u16; 2], normal: DVec3, gap: f64, way: DVec3) -> Meeting {
        let arm = part.offset.unwrap_or(DVec3::ZERO) - normal * part.ball.radius;
        Meeting {
            parts,
            normal,
            gap,
            later: gap + way.dot(normal),
            arm,
        }
    }

    /// Lets the two spheres part along another normal; the gap is how far they are from touching along it.
    fn turn_to(&mut self, normal: DVec3, one: &Part, other: &Part) {
        let apart = one.ball.centre - other.ball.centre;
        let along = apart.dot(normal);
        let both = one.ball.radius + other.ball.radius;
        // Beside each other they never touch.
        let square = both * both - (apart.length_squared() - along * along);
        let gap = along - square.max(0.0).sqrt();
        *self = Self::new(one, self.parts, normal, gap, one.path - other.path);
    }
}

/// Adds the contact of two spheres: its normal and gap.
#[inline]
fn add(contacts: &mut Contacts, bodies: [u32; 2], [a, b]: [&Part; 2], met: (DVec3, f64)) {
    let reach = [a.ball.radius, b.ball.radius];
    contacts.add(bodies, [a.part, b.part], met, reach, [a.offset, b.offset]);
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
        let deepest = (0..all.len()).min_by(|&i, &j| all[i].later.total_cmp(&all[j].later));
        chosen.extend(deepest);
        // What is far off matters less the farther it is.
        let mut apart: SmallVec<[f64; 64]> = SmallVec::from_elem(f64::INFINITY, all.len());
        while let Some(&last) = chosen.last().filter(|_| chosen.len() < MANIFOLD) {
            for (apart, m) in apart.iter_mut().zip(all) {
                let distance = m.arm.distance(all[last].arm);
                *apart = apart.min(distance - 4.0 * m.later.max(0.0));
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
