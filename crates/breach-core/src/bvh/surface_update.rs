//! Builds a surface from a mesh and updates it in changed slots.
use super::adjacency::{BATCH, EdgeAdjacency, TriangleStrip};
use super::f64x4::{self, DVec3A, F64x4, upper};
use super::face::{
    EDGE_BITS, Face, VERTEX_BITS, length_or_infinity, max_abs_coordinate, next_corner,
};
use super::half_edge::HalfEdge;
use super::index::NONE;
use super::mesh::{Mesh, SANE, is_sane, repeats_index};
use super::morton::Centroid;
use super::scratch::Scratch;
use super::surface::{CornerList, Surface, SurfaceScratch};
use glam::DVec3;

impl Surface {
    /// Reads all live triangles of the mesh. Also returns their centroids, computed in the same pass.
    pub fn build(mesh: &Mesh) -> (Self, Vec<Centroid>) {
        struct Kernel<'a>(&'a Mesh);
        impl f64x4::F64x4Kernel for Kernel<'_> {
            type Output = (Surface, Vec<Centroid>);
            #[inline(always)]
            fn run<S: F64x4>(self, simd: S) -> Self::Output {
                Surface::build_with(simd, self.0)
            }
        }
        f64x4::dispatch(Kernel(mesh))
    }

    #[inline(always)]
    fn build_with<S: F64x4>(simd: S, mesh: &Mesh) -> (Self, Vec<Centroid>) {
        // Room to grow, so that updates rarely reallocate; unused pages cost no memory.
        let spare = |n: usize| 2 * n + 64;
        let slots = mesh.triangles.len();
        let mut points = Vec::with_capacity(spare(mesh.positions.len()));
        // There are fewer points than corners, so check the points.
        let (mut all_sane, mut reach) = (true, 0.0);
        points.extend(mesh.positions.iter().map(|&point| {
            all_sane &= is_sane(&point);
            reach = upper(max_abs_coordinate(&[point]), reach);
            DVec3A::new(point)
        }));
        if !all_sane {
            reach = SANE;
        }
        let mut corner_lists = Vec::with_capacity(spare(points.len()));
        corner_lists.resize(points.len(), CornerList::NONE);
        let corners_of = |corners: [u32; 3]| {
            let [a, b, c] = corners.map(|point| points.get(point as usize));
            let corners = [a?, b?, c?].map(|point| simd.load(point));
            (all_sane || simd.all_below(&corners, SANE)).then_some(corners)
        };
        let mut has_gaps = false;
        let mut lists = (Vec::with_capacity(spare(slots)), Vec::with_capacity(slots));
        let mut nexts = Vec::with_capacity(spare(slots));
        // The row of a point is its index.
        let mut adjacency = EdgeAdjacency::new(points.len());
        let mut strip = TriangleStrip::default();
        // In separate loops, as one loop needs too many registers; in batches that stay in the cache.
        for start in (0..slots).step_by(BATCH) {
            let end = slots.min(start + BATCH);
            let mut squares = [0.0; BATCH];
            let with_id = (start as u32..).zip(&mesh.triangles[start..end]);
            lists.extend(with_id.zip(&mut squares).map(|((triangle, t), squared)| {
                let Some(corners) = corners_of(t.corners) else {
                    has_gaps = true;
                    return (Face::NONE, Centroid::NONE);
                };
                let face;
                (face, *squared) = Face::new(simd, triangle, t, &corners, reach);
                (face, Centroid::of_triangle(simd, triangle, &corners))
            }));
            // Vectorised square roots.
            let lengths = squares.map(length_or_infinity);
            let faces = &mut lists.0;
            for (face, length) in faces[start..].iter_mut().zip(lengths) {
                face.make_unit(simd, length);
            }
            let with_id = (start as u32..).zip(&faces[start..]);
            nexts.extend(with_id.map(|(triangle, face): (u32, &Face)| {
                let mut next = [NONE; 4];
                for (k, (next, point)) in next.iter_mut().zip(face.points).enumerate() {
                    // None for an empty slot.
                    if let Some(list) = corner_lists.get_mut(point as usize) {
                        *next = list.push_front(triangle, k);
                    }
                }
                next
            }));
            for (triangle, face) in (start as u32..).zip(&faces[start..]) {
                if face.triangle != NONE {
                    strip.push(triangle, face.points);
                }
            }
            adjacency.add_strip(simd, faces, &mut strip);
            let at = |point: u32| simd.load(&points[point as usize]);
            adjacency.classify_matched(simd, faces, at, false);
        }
        let (faces, mut centres) = lists;
        if has_gaps {
            centres.retain(|centre: &Centroid| centre.index() != NONE);
        }
        let mut surface = Self {
            faces,
            next: nexts,
            points,
            corner_lists,
            listed: 0,
            count: centres.len(),
            scratch: Scratch::default(),
        };
        let (row_of, point_of) = (|_: &Self, point| Some(point), |row| row);
        surface.classify_rest(simd, &mut adjacency, row_of, point_of);
        (surface, centres)
    }

    /// Updates the slots `changed`. Calls `leaves(face)` for each face that is removed and adds the centroid of each
    /// new face to `new`; a replaced face does both.
    pub fn update(
        &mut self,
        mesh: &Mesh,
        changed: &[u32],
        mut leaves: impl FnMut(u32),
        new: &mut Vec<Centroid>,
    ) {
        self.make_room(mesh, changed);
        if self.corner_lists.len() > (u32::MAX - self.listed) as usize {
            self.corner_lists
                .iter_mut()
                .for_each(|list| list.listed = 0);
            self.listed = 0;
        }
        let mut scratch = std::mem::take(&mut self.scratch.0);
        for &triangle in changed {
            let face = self.faces.get_mut(triangle as usize);
            if let Some(face) = face.filter(|face| face.triangle != NONE) {
                let points = face.points;
                *face = Face::NONE;
                self.count -= 1;
                leaves(triangle);
                for point in points {
                    let list = &mut self.corner_lists[point as usize];
                    list.assign_row(self.listed, [point, NONE], &mut scratch.points);
                }
            }
        }
        for [point, first] in &mut scratch.points {
            *first = self.unlink_dead(*point);
            scratch.adjacency.push(*first == NONE);
        }
        struct Kernel<'a>(
            &'a mut Surface,
            &'a Mesh,
            &'a [u32],
            &'a mut Vec<Centroid>,
            &'a mut SurfaceScratch,
        );
        impl f64x4::F64x4Kernel for Kernel<'_> {
            type Output = ();
            #[inline(always)]
            fn run<S: F64x4>(self, simd: S) {
                let Self(surface, mesh, changed, new, scratch) = self;
                surface.link(simd, mesh, changed, scratch, new);
                surface.classify_around(simd, scratch);
            }
        }
        f64x4::dispatch(Kernel(self, mesh, changed, new, &mut scratch));
        self.listed += scratch.points.len() as u32;
        scratch.points.clear();
        scratch.adjacency.clear();
        self.scratch.0 = scratch;
    }

    /// Adds the new triangles in the changed slots and lists their points.
    #[inline(always)]
    fn link<S: F64x4>(
        &mut self,
        simd: S,
        mesh: &Mesh,
        changed: &[u32],
        scratch: &mut SurfaceScratch,
        new: &mut Vec<Centroid>,
    ) {
        let SurfaceScratch { points, adjacency } = scratch;
        for &triangle in changed {
            let Some(t) = mesh.triangles.get(triangle as usize) else {
                continue;
            };
            // The slot was named twice.
            if self.faces[triangle as usize].triangle != NONE {
                continue;
            }
            let [a, b, c] = t.corners.map(|point| mesh.positions.get(point as usize));
            let (Some(a), Some(b), Some(c)) = (a, b, c) else {
                continue;
            };
            let at = [a, b, c].map(|p| DVec3A::new(*p));
            let corners = at.each_ref().map(|p| simd.load(p));
            if !simd.all_below(&corners, SANE) {
                continue;
            }
            let reach = simd.max_abs(&corners);
            let (mut face, squared) = Face::new(simd, triangle, t, &corners, reach);
            face.make_unit(simd, length_or_infinity(squared));
            self.faces[triangle as usize] = face;
            new.push(Centroid::of_triangle(simd, triangle, &corners));
            self.count += 1;
            let mut rows = [0; 3];
            for (k, &point) in t.corners.iter().enumerate() {
                self.points[point as usize] = at[k];
                let list = &mut self.corner_lists[point as usize];
                let head = list.push_front(triangle, k);
                if list.assign_row(self.listed, [point, head], points) {
                    adjacency.push(head == NONE);
                }
                self.next[triangle as usize][k] = head;
                rows[k] = list.listed - self.listed - 1;
            }
            adjacency.add_triangle(simd, triangle, t.key, rows);
        }
    }

    /// Classifies the edges and vertices around the listed points; all new half-edges are in the table.
    #[inline(always)]
    fn classify_around<S: F64x4>(&mut self, simd: S, scratch: &mut SurfaceScratch) {
        let SurfaceScratch { points, adjacency } = scratch;
        let base = self.listed;
        let row_of = |surface: &Self, point: u32| {
            let listed = surface.corner_lists[point as usize].listed;
            (listed > base).then(|| listed - base - 1)
        };
        // Edges between listed points, and the points, are classified anew.
        for (row, &[_, first]) in (0..).zip(points.iter()) {
            let mut at = first;
            while at != NONE {
                let half_edge = HalfEdge(at);
                let (triangle, k) = (half_edge.triangle(), half_edge.corner());
                at = self.next[triangle][k];
                let face = &mut self.faces[triangle];
                face.active &= !VERTEX_BITS[k];
                adjacency.add_face(row, face.key, face.triangle);
                let names = face.points;
                let to = row_of(self, names[next_corner(k)]);
                let Some(to) = to.filter(|&to| to != row) else {
                    continue;
                };
                self.faces[triangle].active &= !(EDGE_BITS << k);
                if repeats_index(names) {
                    adjacency.mark_irregular(&[row, to]);
                    continue;
                }
                adjacency.add_half_edge(simd, half_edge, [row, to]);
            }
        }
        let point_of = |row: u32| points[row as usize][0];
        self.classify_rest(simd, adjacency, row_of, point_of);
    }

    /// Unlinks dead corners from a point's list. Returns its head.
    fn unlink_dead(&mut self, point: u32) -> u32 {
        let mut at = self.corner_lists[point as usize].head;
        let mut last = NONE;
        let mut is_cut = false;
        while at != NONE {
            let half_edge = HalfEdge(at);
            let is_gone = self.faces[half_edge.triangle()].triangle == NONE;
            let next = self.next[half_edge.triangle()][half_edge.corner()];
            if is_gone {
                is_cut = true;
            } else {
                if is_cut {
                    self.set_next(point, last, at);
                }
                (last, is_cut) = (at, false);
            }
            at = next;
        }
        if is_cut {
            self.set_next(point, last, NONE);
        }
        self.corner_lists[point as usize].head
    }

    /// Links `next` after `last` in a point's list; after [`NONE`] it becomes the head.
    fn set_next(&mut self, point: u32, last: u32, next: u32) {
        if last == NONE {
            self.corner_lists[point as usize].head = next;
        } else {
            self.next[last as usize / 4][last as usize % 4] = next;
        }
    }

    /// Grows the tables to fit the slots in `changed`.
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
        if self.corner_lists.len() < mesh.positions.len() {
            self.corner_lists
                .resize(mesh.positions.len(), CornerList::NONE);
            self.points
                .resize(self.corner_lists.len(), DVec3A::new(DVec3::ZERO));
        }
    }
}
