//! Numbers of floating pieces: solids that hang in the air because somebody left them there. All of their faces bear
//! the piece's number, and they stay up: an author's from the start (`reachability::number_pieces`), those that a fill
//! puts into the air from then on. A solid that a carve cuts free has no number, and falls.
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::touched::Touched;
use crate::carve::Op;
use crate::geom::disjoint_sets::DisjointSets;
use rustc_hash::FxHashMap;

/// A group of new faces that share edges.
#[derive(Default)]
struct Group {
    faces: Vec<FaceRef>,
    /// The highest number among its faces and the old faces that it meets.
    number: u32,
    /// It meets an old face without a number, so it is not a floating piece, or has been joined to other solid.
    is_held: bool,
}

/// New faces of a numbered piece get its number. A solid entirely of new faces that a fill left in the air gets a new
/// one.
pub(super) fn number(geometry: &mut Geometry, touched: &Touched, op: Op) {
    if op == Op::Carve && !touched.numbered {
        return;
    }
    for group in groups(geometry, touched) {
        let mut number = group.number;
        if group.is_held
            || (number == 0 && (op == Op::Carve || !geometry.encloses_solid(&group.faces)))
        {
            continue;
        }
        if number == 0 {
            geometry.pieces += 1;
            number = geometry.pieces;
        }
        for (cell, id) in group.faces {
            if let Some(face) = geometry.cells[cell as usize].faces[id as usize].as_mut() {
                face.piece = number;
            }
        }
    }
}

fn groups(geometry: &Geometry, touched: &Touched) -> Vec<Group> {
    let mut added: Vec<FaceRef> = touched.added.iter().copied().collect();
    added.sort_unstable();
    let index: FxHashMap<FaceRef, u32> = added.iter().copied().zip(0..).collect();
    let neighbours = |id: FaceRef| {
        let around = geometry.edges.around(geometry.face(id));
        around.map(|u| u.face())
    };
    let mut sets = DisjointSets::new(added.len());
    for (i, &id) in (0..).zip(&added) {
        for other in neighbours(id).filter_map(|f| index.get(&f)) {
            sets.join(i, *other);
        }
    }
    let mut groups: FxHashMap<u32, usize> = FxHashMap::default();
    let mut list: Vec<Group> = Vec::new();
    for (i, &id) in (0..).zip(&added) {
        let at = *groups.entry(sets.find(i)).or_insert(list.len());
        if at == list.len() {
            list.push(Group::default());
        }
        let group = &mut list[at];
        group.faces.push(id);
        for f in neighbours(id).chain([id]) {
            let piece = geometry.face(f).piece;
            group.number = group.number.max(piece);
            group.is_held |= piece == 0 && !index.contains_key(&f);
        }
    }
    list
}
