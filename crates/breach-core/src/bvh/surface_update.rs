//! Building and updating surfaces.
use super::adjacency::{AT_ONCE, Pairing, Strip};
use super::f64x4::{self, Fours, Whole, upper};
use super::face::{Face, SIDE, VERTEX, after, length_of, reach_of};
use super::half_edge::Side;
use super::index::NONE;
use super::mesh::{Mesh, SANE, is_sane, names_twice};
use super::morton::Centre;
use super::scratch::Spare;
use super::surface::{Hub, Scratch, Surface};
use glam::DVec3;

impl Surface {
    /// All live triangles of the mesh; and where they are, in the same go.
    pub fn of(mesh: &Mesh) -> (Self, Vec<Centre>) {
        struct Task<'a>(&'a Mesh);
        impl f64x4::Task for Task<'_> {
            type Answer = (Surface, Vec<Centre>);
            #[inline(always)]
            fn run<M: Fours>(self, m: M) -> Self::Answer {
                Surface::of_all(m, self.0)
            }
        }
        f64x4::run(Task(mesh))
    }

    #[inline(always)]
    fn of_all<M: Fours>(m: M, mesh: &Mesh) -> (Self, Vec<Centre>) {
        // Room to grow, so that edits do not have to move everything soon; what is never used costs no memory.
        let spare = |n: usize| 2 * n + 64;
        let slots = mesh.triangles.len();
        let mut points = Vec::with_capacity(spare(mesh.positions.len()));
        // Points are fewer than corners, so that they are looked at here.
        let (mut all_sane, mut reach) = (true, 0.0);
        points.extend(mesh.positions.iter().map(|&point| {
            all_sane &= is_sane(&point);
            reach = upper(reach_of(&[point]), reach);
            Whole::new(point)
        }));
        if !all_sane {
            reach = SANE;
        }
        let mut hubs = Vec::with_capacity(spare(points.len()));
        hubs.resize(points.len(), Hub::NONE);
        let corners_of = |corners: [u32; 3]| {
            let [a, b, c] = corners.map(|point| points.get(point as usize));
            let corners = [a?, b?, c?].map(|point| m.load_whole(point));
            (all_sane || m.are_below(&corners, SANE)).then_some(corners)
        };
        let mut has_gaps = false;
        let mut lists = (Vec::with_capacity(spare(slots)), Vec::with_capacity(slots));
        let mut nexts = Vec::with_capacity(spare(slots));
        // The row of a point is its own number.
        let mut pairing = Pairing::new(points.len());
        let mut strip = Strip::default();
        // Step by step, as all steps at once need more registers than there are; few at a time, so that they stay at hand.
        for start in (0..slots).step_by(AT_ONCE) {
            let end = slots.min(start + AT_ONCE);
            let mut squares = [0.0; AT_ONCE];
            let numbered = (start as u32..).zip(&mesh.triangles[start..end]);
            lists.extend(numbered.zip(&mut squares).map(|((triangle, t), squared)| {
                let Some(corners) = corners_of(t.corners) else {
                    has_gaps = true;
                    return (Face::NONE, Centre::NONE);
                };
                let face;
                (face, *squared) = Face::new(m, triangle, t, &corners, reach);
                (face, Centre::of(m, triangle, &corners))
            }));
            // Several roots at a time.
            let lengths = squares.map(length_of);
            let faces = &mut lists.0;
            for (face, length) in faces[start..].iter_mut().zip(lengths) {
                face.make_unit(m, length);
            }
            let numbered = (start as u32..).zip(&faces[start..]);
            nexts.extend(numbered.map(|(triangle, face): (u32, &Face)| {
                let mut next = [NONE; 4];
                for (k, (next, point)) in next.iter_mut().zip(face.points).enumerate() {
                    // None at the corners of no face.
                    if let Some(hub) = hubs.get_mut(point as usize) {
                        *next = hub.hang(triangle, k);
                    }
                }
                next
            }));
            for (triangle, face) in (start as u32..).zip(&faces[start..]) {
                if face.triangle != NONE {
                    strip.push(triangle, face.points);
                }
            }
            pairing.add_strip(m, faces, &mut strip);
            let at = |point: u32| m.load_whole(&points[point as usize]);
            pairing.settle_pairs(m, faces, at, false);
        }
        let (faces, mut centres) = lists;
        if has_gaps {
            centres.retain(|centre: &Centre| centre.number() != NONE);
        }
        let mut surface = Self {
            faces,
            next: nexts,
            points,
            hubs,
            listed: 0,
            count: centres.len(),
            spare: Spare::default(),
        };
        let (row_of, point_of) = (|_: &Self, point| Some(point), |row| row);
        surface.settle_rest(m, &mut pairing, row_of, point_of);
        (surface, centres)
    }

    /// Brings the slots `changed` up to date. `leaves(face)` is told of each that goes, `new` gets each that is new; a
    /// face that is replaced is both.
    pub fn update(
        &mut self,
        mesh: &Mesh,
        changed: &[u32],
        mut leaves: impl FnMut(u32),
        new: &mut Vec<Centre>,
    ) {
        self.make_room(mesh, changed);
        if self.hubs.len() > (u32::MAX - self.listed) as usize {
            self.hubs.iter_mut().for_each(|hub| hub.listed = 0);
            self.listed = 0;
        }
        let mut scratch = std::mem::take(&mut self.spare.0);
        for &triangle in changed {
            let face = self.faces.get_mut(triangle as usize);
            if let Some(face) = face.filter(|face| face.triangle != NONE) {
                let points = face.points;
                *face = Face::NONE;
                self.count -= 1;
                leaves(triangle);
                for point in points {
                    let hub = &mut self.hubs[point as usize];
                    hub.list(self.listed, [point, NONE], &mut scratch.points);
                }
            }
        }
        for [point, first] in &mut scratch.points {
            *first = self.unhang(*point);
            scratch.pairing.push(*first == NONE);
        }
        struct Task<'a>(
            &'a mut Surface,
            &'a Mesh,
            &'a [u32],
            &'a mut Vec<Centre>,
            &'a mut Scratch,
        );
        impl f64x4::Task for Task<'_> {
            type Answer = ();
            #[inline(always)]
            fn run<M: Fours>(self, m: M) {
                let Self(surface, mesh, changed, new, scratch) = self;
                surface.link(m, mesh, changed, scratch, new);
                surface.settle_around(m, scratch);
            }
        }
        f64x4::run(Task(self, mesh, changed, new, &mut scratch));
        self.listed += scratch.points.len() as u32;
        scratch.points.clear();
        scratch.pairing.clear();
        self.spare.0 = scratch;
    }

    /// Takes in the triangles in slots, so far as there are any; what came is listed too.
    #[inline(always)]
    fn link<M: Fours>(
        &mut self,
        m: M,
        mesh: &Mesh,
        changed: &[u32],
        scratch: &mut Scratch,
        new: &mut Vec<Centre>,
    ) {
        let Scratch { points, pairing } = scratch;
        for &triangle in changed {
            let Some(t) = mesh.triangles.get(triangle as usize) else {
                continue;
            };
            // A slot named twice is in already.
            if self.faces[triangle as usize].triangle != NONE {
                continue;
            }
            let [a, b, c] = t.corners.map(|point| mesh.positions.get(point as usize));
            let (Some(a), Some(b), Some(c)) = (a, b, c) else {
                continue;
            };
            let at = [a, b, c].map(|p| Whole::new(*p));
            let corners = at.each_ref().map(|p| m.load_whole(p));
            if !m.are_below(&corners, SANE) {
                continue;
            }
            let reach = m.reach(&corners);
            let (mut face, squared) = Face::new(m, triangle, t, &corners, reach);
            face.make_unit(m, length_of(squared));
            self.faces[triangle as usize] = face;
            new.push(Centre::of(m, triangle, &corners));
            self.count += 1;
            let mut rows = [0; 3];
            for (k, &point) in t.corners.iter().enumerate() {
                self.points[point as usize] = at[k];
                let hub = &mut self.hubs[point as usize];
                let head = hub.hang(triangle, k);
                if hub.list(self.listed, [point, head], points) {
                    pairing.push(head == NONE);
                }
                self.next[triangle as usize][k] = head;
                rows[k] = hub.listed - self.listed - 1;
            }
            pairing.add_triangle(m, triangle, t.key, rows);
        }
    }

    /// Settles what is around the points listed, of which all new sides are in.
    #[inline(always)]
    fn settle_around<M: Fours>(&mut self, m: M, scratch: &mut Scratch) {
        let Scratch { points, pairing } = scratch;
        let base = self.listed;
        let row_of = |surface: &Self, point: u32| {
            let listed = surface.hubs[point as usize].listed;
            (listed > base).then(|| listed - base - 1)
        };
        // Older sides belong to no one now, nor does the point.
        for (row, &[_, first]) in (0..).zip(points.iter()) {
            let mut at = first;
            while at != NONE {
                let side = Side(at);
                let (triangle, k) = (side.triangle(), side.corner());
                at = self.next[triangle][k];
                let face = &mut self.faces[triangle];
                face.owns &= !VERTEX[k];
                pairing.add_face(row, face.key, face.triangle);
                let names = face.points;
                let to = row_of(self, names[after(k)]);
                let Some(to) = to.filter(|&to| to != row) else {
                    continue;
                };
                self.faces[triangle].owns &= !(SIDE << k);
                if names_twice(names) {
                    pairing.add_odd(&[row, to]);
                    continue;
                }
                pairing.add(m, side, [row, to]);
            }
        }
        let point_of = |row: u32| points[row as usize][0];
        self.settle_rest(m, pairing, row_of, point_of);
    }

    /// Takes what went out of a point's chain; what is first now.
    fn unhang(&mut self, point: u32) -> u32 {
        let mut at = self.hubs[point as usize].head;
        let mut last = NONE;
        let mut is_cut = false;
        while at != NONE {
            let side = Side(at);
            let is_gone = self.faces[side.triangle()].triangle == NONE;
            let next = self.next[side.triangle()][side.corner()];
            if is_gone {
                is_cut = true;
            } else {
                if is_cut {
                    self.join(point, last, at);
                }
                (last, is_cut) = (at, false);
            }
            at = next;
        }
        if is_cut {
            self.join(point, last, NONE);
        }
        self.hubs[point as usize].head
    }

    /// Makes `next` follow `last` in a point's chain; after [`NONE`] it is the first.
    fn join(&mut self, point: u32, last: u32, next: u32) {
        if last == NONE {
            self.hubs[point as usize].head = next;
        } else {
            self.next[last as usize / 4][last as usize % 4] = next;
        }
    }

    /// Lengthens the tables to what `changed` names.
    fn make_room(&mut self, mesh: &Mesh, changed: &[u32]) {
        let slots = mesh.triangles.len();
        let named = changed.iter().map(|&slot| slot as usize + 1);
        let slots = named
            .map(|end| if end <= slots { end } else { 0 })
            .fold(0, usize::max);
        if self.faces.len() < slots {
            self.faces.resize(slots, Face::NONE);
            self.next.resize(slots, [NONE; 4]);
        }
        if self.hubs.len() < mesh.positions.len() {
            self.hubs.resize(mesh.positions.len(), Hub::NONE);
            self.points.resize(self.hubs.len(), Whole::new(DVec3::ZERO));
        }
    }
}
