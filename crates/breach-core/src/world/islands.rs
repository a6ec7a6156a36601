//! The search for pieces that a change cut free. Floods over the faces around the change run in lock-step, so that the
//! cost follows the small ones: a flood that closes and encloses solid is a piece that nothing holds.
use super::cell::bounds_of;
use super::edges::{self, FaceRef};
use super::geometry::Geometry;
use super::kd_tree::KdTree;
use super::mesh_builder::MeshBuilder;
use super::report::Island;
use super::room::RoomId;
use super::touched::{Touched, remove};
use super::visible::Visible;
use super::work_budget::FLOOD;
use super::{GRID, portal_repair, reachability, support, unbreakable};
use crate::bvh::{Mesh, Triangle};
use crate::carve::MaterialId;
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::touch;
use crate::carve::triangulate::triangulate;
use crate::carve::winding::{self, PerturbedPoint};
use crate::geom::disjoint_sets::DisjointSets;
use crate::geom::{Aabb, mass};
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

/// Rounds after which each front is tested for support: most floods are over by then.
const PATIENCE: [u32; 3] = [64, 128, 256];

/// Rounds for each face that the test tries, so that the test costs about as much as the flood has.
const ROUNDS_A_FACE: u32 = 32;

/// Rounds for each line that the test follows through solid.
const ROUNDS_A_LINE: u32 = 4;

/// Most lines of one test: a way out is mostly short.
const MOST_LINES: u32 = 128;

/// Work of each such line, units.
const LINE_UNITS: u64 = 64;

/// Work of each face of a piece that leaves, units: it is measured, drawn and removed.
const LEAVE_UNITS: u64 = 32;

/// A face with more edges than this is expanded last.
const MANY_EDGES: usize = 64;

/// Whether fronts are tested for support in this round; in a long flood each time its length has doubled.
fn is_support_round(round: u32) -> bool {
    PATIENCE.contains(&round) || (round > 256 && round.is_power_of_two())
}

/// Lines that a test for support may follow in this round.
fn support_lines(round: u32) -> u32 {
    (round / ROUNDS_A_LINE).min(MOST_LINES)
}

/// The search, which can stop after any step and go on later.
#[derive(Clone, Debug, Default)]
pub(super) struct IslandSearch {
    floods: Floods,
    /// Loose pieces that are still in the world, the next one last.
    loose: Option<Vec<Vec<FaceRef>>>,
    /// Pieces that have left the world.
    pub fallen: Vec<Island>,
}

impl IslandSearch {
    /// A search around a change in this box, steps.
    pub fn new(
        geometry: &Geometry,
        tree: &KdTree,
        touched: &Touched,
        (lo, hi): (DVec3, DVec3),
    ) -> IslandSearch {
        let seeds = seeds(geometry, tree, touched, (lo, hi));
        IslandSearch {
            floods: Floods::new(geometry, &seeds, (lo + hi) * 0.5),
            ..IslandSearch::default()
        }
    }

    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.loose.as_ref().is_some_and(Vec::is_empty)
    }

    /// Units of work of the next step.
    pub fn next_units(&self) -> u64 {
        match &self.loose {
            None => self.floods.next_units(),
            Some(loose) => loose.last().map_or(0, Vec::len) as u64 * LEAVE_UNITS,
        }
    }

    /// One step: a round of the floods, or the removal of a piece. `cut` are the solids that the change removed.
    pub fn step(
        &mut self,
        geometry: &mut Geometry,
        visible: &Visible,
        touched: &mut Touched,
        cut: &[Polytope],
    ) {
        let Some(loose) = &mut self.loose else {
            if !self.floods.round(geometry, visible, cut, &touched.added) {
                let mut loose = std::mem::take(&mut self.floods).loose(geometry);
                if !loose.is_empty() {
                    keep_resting_pieces(geometry, &visible.tree, &mut loose);
                }
                loose.reverse();
                self.loose = Some(loose);
            }
            return;
        };
        let Some(mut faces) = loose.pop() else {
            return;
        };
        faces.extend(pockets(geometry, &visible.tree, &faces));
        faces.sort_unstable();
        if let Some(island) = measure(geometry, &faces)
            && !unbreakable::holds(geometry, &island)
        {
            let walls = portal_repair::find(geometry, &faces)
                .expect("the faces are all that bounds the piece, so its sections close");
            for &f in &faces {
                remove(geometry, f, touched);
            }
            portal_repair::apply(geometry, visible, walls, touched);
            geometry.fallen += 1;
            self.fallen.push(island);
        }
    }
}

/// Priority of a face: whether it has many edges, then its box's squared distance to the goal, steps, as bits. The bits
/// of non-negative numbers order like the numbers.
type Order = (bool, u64);

#[derive(Clone, Debug)]
struct Front {
    faces: Vec<FaceRef>,
    /// Faces still to be expanded, the one nearest to `goal` first. Those with many edges come last, since floods that
    /// border on one have usually met before.
    queue: BinaryHeap<Reverse<(Order, FaceRef)>>,
    /// The start of the nearest other flood, steps.
    goal: DVec3,
    piece: u32,
    /// Known to be supported.
    held: bool,
}

impl Front {
    /// Claims a face that no front had.
    fn take(&mut self, geometry: &Geometry, id: FaceRef) {
        let order = |f: &Face| {
            let edges: usize = f.loops.iter().map(|l| l.len()).sum();
            let away = self.goal.clamp(f.lo, f.hi).distance_squared(self.goal);
            (edges > MANY_EDGES, away.to_bits())
        };
        let order = order(geometry.face(id));
        self.faces.push(id);
        self.queue.push(Reverse((order, id)));
        self.piece = self.piece.max(piece(geometry, id));
    }
}

/// The floods. In each round every front expands one face; fronts that meet merge; the last open one is the supported
/// rest. Fronts that [`support`] shows to be held stop, and another flood over the same solid comes to them. A front
/// heads for the start of the nearest other one. So two that run over the same solid meet after as many faces as lie
/// between them, not as lie around them; and a front that closes has visited all its faces whatever the order.
#[derive(Clone, Debug, Default)]
struct Floods {
    owner: FxHashMap<FaceRef, u32>,
    sets: DisjointSets,
    /// The start of each flood, steps.
    starts: Vec<DVec3>,
    fronts: Vec<Front>,
    open: Vec<u32>,
    closed: Vec<u32>,
    must_finish: bool,
    rounds: u32,
}

/// Keeps pieces that rest on an edge. Solid is connected through an edge, also through one that lies within a face: a
/// piece that rests on such an edge, or has another solid's edge on it, is held. The contact's box is kept, and a
/// change within it starts a flood there.
fn keep_resting_pieces(geometry: &mut Geometry, tree: &KdTree, loose: &mut Vec<Vec<FaceRef>>) {
    let mut mine: Vec<FaceRef> = loose.iter().flatten().copied().collect();
    mine.sort_unstable();
    let mut held = vec![false; loose.len()];
    let mut contacts = Vec::new();
    loop {
        let mut again = false;
        for (i, piece) in loose.iter().enumerate().filter(|p| !held[p.0]) {
            let solid: Vec<&Face> = piece.iter().map(|&f| geometry.face(f)).collect();
            let (lo, hi) = bounds_of(&solid);
            let (ids, near) = geometry.stuff_at(&cells(tree, lo, hi), lo, hi);
            let others = ids.iter().zip(near);
            let others = others.filter(|(id, _)| mine.binary_search(id).is_err());
            let others: Vec<&Face> = others.map(|(_, face)| face).collect();
            let meet = |a, b| touch::edge_contacts(&geometry.planes, a, b, (lo, hi));
            let mut found = meet(&solid, &others);
            found.extend(meet(&others, &solid));
            if !found.is_empty() {
                held[i] = true;
                again = true;
                mine.retain(|f| !piece.contains(f));
                contacts.extend(found);
                break;
            }
        }
        if !again {
            break;
        }
    }
    let mut i = 0;
    loose.retain(|_| {
        i += 1;
        !held[i - 1]
    });
    for [a, b] in contacts {
        let place = (a.min(b) - 1.0, a.max(b) + 1.0);
        if !geometry.edge_contacts.contains(&place) {
            geometry.edge_contacts.push(place);
        }
    }
}

/// The cells that a box touches, ascending.
fn cells(tree: &KdTree, lo: DVec3, hi: DVec3) -> Vec<RoomId> {
    let around = Aabb {
        min: lo / GRID,
        max: hi / GRID,
    };
    let mut cells = Vec::new();
    tree.each_cell_in_box(&around, &mut |c| cells.push(c));
    cells.sort_unstable();
    cells
}

/// The same while the level is one cell: floating solids without a number were cut free and are removed; of those that
/// share a number the largest stays.
pub(super) fn drop_unsupported(geometry: &mut Geometry) {
    let mut list: Vec<(u32, Option<Island>, Vec<FaceRef>)> = Vec::new();
    let mut pieces = reachability::floating(geometry);
    let tree = &KdTree::one_cell();
    keep_resting_pieces(geometry, tree, &mut pieces);
    for faces in pieces {
        let number = faces
            .iter()
            .fold(0, |most, &f| piece(geometry, f).max(most));
        list.push((number, measure(geometry, &faces), faces));
    }
    let volume = |i: &Option<Island>| i.as_ref().map_or(0.0, |i| i.volume_m3);
    let mut largest: FxHashMap<u32, f64> = FxHashMap::default();
    for (number, island, _) in list.iter().filter(|l| l.0 != 0) {
        let most = largest.entry(*number).or_default();
        *most = most.max(volume(island));
    }
    for (number, island, mut faces) in list {
        let stays = number != 0 && largest.get(&number).is_some_and(|&m| volume(&island) >= m);
        if stays {
            // Of equal parts the first one stays.
            largest.insert(number, f64::INFINITY);
        }
        if stays || island.is_none_or(|i| unbreakable::holds(geometry, &i)) {
            continue;
        }
        faces.extend(pockets(geometry, tree, &faces));
        // A piece within another one has gone with it.
        faces.retain(|f| geometry.cells[f.0 as usize].has(f.1));
        geometry.fallen += u64::from(!faces.is_empty());
        for f in faces {
            geometry.remove_face(f, |_| ());
        }
    }
}

/// Start faces of the floods: one face of each connected group of new ones; every old face that lost a neighbour and
/// got no new one there; and the faces at edge contacts within the changed box.
fn seeds(
    geometry: &Geometry,
    tree: &KdTree,
    touched: &Touched,
    (lo, hi): (DVec3, DVec3),
) -> Vec<FaceRef> {
    let mut added: Vec<FaceRef> = touched.added.iter().copied().collect();
    added.sort_unstable();
    let mut groups = DisjointSets::new(added.len());
    let mut owner: FxHashMap<edges::EdgeKey, u32> = FxHashMap::default();
    owner.reserve(added.len() * 4);
    for (i, &id) in (0u32..).zip(&added) {
        for (edge, _) in edges::keys(geometry.face(id)) {
            match owner.entry(edge) {
                Entry::Vacant(free) => drop(free.insert(i)),
                Entry::Occupied(other) => groups.join(*other.get(), i),
            }
        }
    }
    let mut seeds: Vec<FaceRef> = (0u32..)
        .zip(&added)
        .filter(|&(i, _)| groups.find(i) == i)
        .map(|(_, &id)| id)
        .collect();
    for edge in &touched.rims {
        if !owner.contains_key(edge) {
            seeds.extend(geometry.edges.uses(edge).iter().map(|u| u.face()));
        }
    }
    for &(a, b) in &geometry.edge_contacts {
        if a.cmple(hi).all() && b.cmpge(lo).all() {
            seeds.extend(geometry.stuff_at(&cells(tree, a, b), a, b).0);
        }
    }
    seeds.sort_unstable();
    seeds.dedup();
    seeds
}

impl Floods {
    /// `middle` is the change's, steps.
    fn new(geometry: &Geometry, seeds: &[FaceRef], middle: DVec3) -> Floods {
        let count = seeds.len() as u32;
        // A large face starts at its point nearest to the change.
        let start = |&s: &FaceRef| {
            let f = geometry.face(s);
            middle.clamp(f.lo, f.hi)
        };
        let mut floods = Floods {
            owner: seeds.iter().copied().zip(0..).collect(),
            sets: DisjointSets::new(seeds.len()),
            starts: seeds.iter().map(start).collect(),
            fronts: Vec::with_capacity(seeds.len()),
            open: (0..count).collect(),
            closed: Vec::new(),
            must_finish: false,
            rounds: 0,
        };
        for (i, &seed) in (0..count).zip(seeds) {
            let mut front = Front {
                faces: Vec::new(),
                queue: BinaryHeap::new(),
                goal: floods.goal(i),
                piece: 0,
                held: false,
            };
            front.take(geometry, seed);
            floods.fronts.push(front);
        }
        floods
    }

    /// The nearest start of a flood that has not met this one.
    fn goal(&mut self, front: u32) -> DVec3 {
        let from = self.starts[front as usize];
        let (mut nearest, mut goal) = (f64::INFINITY, from);
        for other in 0..self.starts.len() as u32 {
            let at = self.starts[other as usize];
            let away = at.distance_squared(from);
            if away < nearest && self.sets.find(other) != front {
                (nearest, goal) = (away, at);
            }
        }
        goal
    }

    /// Units of work of the next round.
    fn next_units(&self) -> u64 {
        let next = self.rounds + 1;
        let faces = self.open.len() as u64 * FLOOD;
        if !is_support_round(next) {
            return faces;
        }
        let fronts = self.open.iter().filter(|&&f| !self.fronts[f as usize].held);
        faces + fronts.count() as u64 * u64::from(support_lines(next)) * LINE_UNITS
    }

    /// Runs one round; false once it is known which pieces are loose.
    fn round(
        &mut self,
        geometry: &Geometry,
        visible: &Visible,
        cut: &[Polytope],
        added: &FxHashSet<FaceRef>,
    ) -> bool {
        if self.open.is_empty() || (self.open.len() == 1 && !self.must_finish) {
            return false;
        }
        self.rounds += 1;
        if is_support_round(self.rounds) {
            let tried = (self.rounds / ROUNDS_A_FACE) as usize;
            let lines = support_lines(self.rounds);
            for &front in &self.open {
                let front = &mut self.fronts[front as usize];
                front.held = front.held
                    || support::is_held(geometry, visible, &front.faces, tried, lines, cut, added);
            }
        }
        if self.open.iter().all(|&f| self.fronts[f as usize].held) {
            return false;
        }
        let open = std::mem::take(&mut self.open);
        for &front in &open {
            if self.sets.find(front) != front {
                continue;
            }
            if self.fronts[front as usize].held {
                self.open.push(front);
                continue;
            }
            let Some(Reverse((_, id))) = self.fronts[front as usize].queue.pop() else {
                // Closed. Whether the other fronts may stop depends on whether this one encloses solid.
                self.must_finish |= self.fronts[front as usize].piece != 0
                    || !geometry.encloses_solid(&self.fronts[front as usize].faces);
                self.closed.push(front);
                continue;
            };
            self.open.push(front);
            let mut me = front;
            let face = geometry.face(id);
            for u in geometry.edges.around(face) {
                match self.owner.entry(u.face()) {
                    Entry::Vacant(free) => {
                        free.insert(me);
                        self.fronts[me as usize].take(geometry, u.face());
                    }
                    Entry::Occupied(other) => {
                        let other = *other.get();
                        me = self.meet(me, other);
                    }
                }
            }
            if me != front {
                self.open.push(me);
            }
        }
        self.open.retain(|&f| self.sets.find(f) == f);
        self.open.sort_unstable();
        self.open.dedup();
        true
    }

    /// Merges two floods that met into the one with the lower number, which it returns.
    fn meet(&mut self, front: u32, other: u32) -> u32 {
        let other = self.sets.find(other);
        if other == front {
            return front;
        }
        let (keep, gone) = (front.min(other), front.max(other));
        self.sets.join(keep, gone);
        let goal = self.goal(keep);
        let fronts = &mut self.fronts;
        let faces = std::mem::take(&mut fronts[gone as usize].faces);
        let queue = std::mem::take(&mut fronts[gone as usize].queue);
        let (piece, held) = (fronts[gone as usize].piece, fronts[gone as usize].held);
        let kept = &mut fronts[keep as usize];
        kept.faces.extend(faces);
        kept.queue.extend(queue);
        kept.goal = goal;
        kept.piece = kept.piece.max(piece);
        kept.held |= held;
        keep
    }

    /// The faces of each loose piece.
    fn loose(mut self, geometry: &Geometry) -> Vec<Vec<FaceRef>> {
        let Floods {
            sets,
            fronts,
            closed,
            ..
        } = &mut self;
        closed.sort_unstable();
        closed.dedup();
        closed.retain(|&f| sets.find(f) == f);
        // Of a floating piece the largest part stays.
        let mut largest: FxHashMap<u32, (f64, u32)> = FxHashMap::default();
        let mut found = Vec::new();
        for &f in closed.iter() {
            let front = &fronts[f as usize];
            if !geometry.encloses_solid(&front.faces) {
                continue;
            }
            found.push(f);
            if front.piece != 0 {
                let v = volume(geometry, &front.faces);
                let best = largest.entry(front.piece).or_insert((v, f));
                if v > best.0 {
                    *best = (v, f);
                }
            }
        }
        found.retain(|f| {
            largest
                .get(&fronts[*f as usize].piece)
                .is_none_or(|b| b.1 != *f)
        });
        found
            .into_iter()
            .map(|f| std::mem::take(&mut fronts[f as usize].faces))
            .collect()
    }
}

fn piece(geometry: &Geometry, id: FaceRef) -> u32 {
    geometry.face(id).piece
}

/// Cubic steps of solid that the faces enclose, approximately.
fn volume(geometry: &Geometry, faces: &[FaceRef]) -> f64 {
    let o = geometry.face(faces[0]).loops[0][0].point.at;
    let list = faces.iter().map(|&f| geometry.face(f));
    list.map(|f| f.area_vector().dot(f.loops[0][0].point.at - o))
        .sum::<f64>()
        / 3.0
}

/// Faces inside a piece: air pockets, and solids that float in them. Shells do not intersect, so one point of a shell
/// decides for all of it. A flood that leaves the piece's box is none of these, so the cost follows the piece's size.
fn pockets(geometry: &Geometry, tree: &KdTree, piece: &[FaceRef]) -> Vec<FaceRef> {
    let faces: Vec<&Face> = piece.iter().map(|&f| geometry.face(f)).collect();
    let (lo, hi) = bounds_of(&faces);
    let is_within = |f: &Face| f.lo.cmpge(lo).all() && f.hi.cmple(hi).all();
    let mut seen: FxHashSet<FaceRef> = piece.iter().copied().collect();
    let mut found = Vec::new();
    for c in cells(tree, lo, hi) {
        for (id, first) in geometry.cells[c as usize].near(lo, hi) {
            let is_stuff = first.surface != Surface::Wall;
            if !is_stuff || !is_within(first) || !seen.insert((c, id)) {
                continue;
            }
            let mut shell = vec![(c, id)];
            let (mut at, mut leaves) = (0, false);
            while at < shell.len() {
                for u in geometry.edges.around(geometry.face(shell[at])) {
                    if !is_within(geometry.face(u.face())) {
                        leaves = true;
                    } else if seen.insert(u.face()) {
                        shell.push(u.face());
                    }
                }
                at += 1;
            }
            if leaves {
                continue;
            }
            let place = PerturbedPoint::behind(&geometry.planes, first);
            if winding::winding_number(&geometry.planes, faces.iter().copied(), &place) > 0 {
                found.extend(shell);
            }
        }
    }
    found
}

/// The piece as a rigid body. The faces' normals point out of its solid. `faces` are sorted.
fn measure(geometry: &Geometry, faces: &[FaceRef]) -> Option<Island> {
    let mut builder = MeshBuilder::default();
    let mut materials = Vec::with_capacity(faces.len());
    builder.expect(faces.len());
    for &id in faces {
        let face = geometry.face(id);
        let Surface::Stuff(material) = face.surface else {
            unreachable!("a piece is bounded by stuff alone");
        };
        // The triangles as drawn, if it is drawn.
        let fresh;
        let triangles = if face.triangles.is_empty() {
            fresh = triangulate(&geometry.planes, face);
            &fresh
        } else {
            &face.triangles
        };
        builder.add(face, triangles, materials.len() as u32);
        materials.push(material);
    }
    Island::from_mesh(builder.mesh, materials)
}

impl Island {
    /// A piece with this closed surface and a material for each of its faces; None of an empty mesh.
    pub fn from_mesh(mesh: Mesh, materials: Vec<MaterialId>) -> Option<Island> {
        let bounds = Aabb::from_points(mesh.positions.iter().copied())?;
        let corners = |t: &Triangle| t.corners.map(|i| mesh.positions[i as usize]);
        let mass = mass::mass_properties(bounds.centre(), mesh.triangles.iter().map(corners));
        Some(Island {
            volume_m3: mass.volume.max(0.0),
            centre: mass.centre,
            inertia: mass.inertia,
            bounds,
            mesh,
            materials,
        })
    }
}
