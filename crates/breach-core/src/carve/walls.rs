//! The walls that cells share, where a polytope reaches one.
//!
//! Nothing of a cell lies beyond its walls, so what a brush does to them is a matter of their plane alone: the union of
//! their faces with the facet at which the cell cut the polytope (carve), or what these leave without it (fill). The rim
//! of a union is what each of the two has outside of the other. No other face needs to be looked at, though all that end
//! at the wall meet the facet there.
use super::Op;
use super::boolean::{Group, Scratch};
use super::face::{Face, alive};
use super::facet::Shore;
use super::loops::Edge;
use super::polytope::{Polytope, Surface};
use super::section::{Stretches, flush, gaps, line_of};
use crate::exact::{Facing, PlaneId, Planes};
use glam::DVec3;
use smallvec::SmallVec;

/// Facets at which the cell cut the polytope and in whose planes only its walls lie: nothing is beyond them, so that
/// what becomes of the walls is a matter of the plane alone.
pub struct Walls {
    /// Their numbers.
    pub facets: SmallVec<[usize; 6]>,
}

impl Walls {
    /// Of a polytope in a cell with these sides.
    pub fn new(sides: &[Facing], faces: &[Option<Face>], near: &[u32], p: &Polytope) -> Walls {
        let is_wall = |&f: &usize| {
            let facet = &p.facets[f];
            facet.surface == Surface::Wall && sides.contains(&facet.plane)
        };
        let mut facets: SmallVec<[usize; 6]> = (0..p.facets.len()).filter(is_wall).collect();
        if !facets.is_empty() {
            for f in near.iter().map(|&id| alive(faces, id)) {
                if f.surface != Surface::Wall {
                    facets.retain(|&mut w| p.facets[w].plane.plane != f.plane.plane);
                }
            }
        }
        Walls { facets }
    }

    /// The facet in a plane.
    pub fn with_plane(&self, p: &Polytope, plane: PlaneId) -> Option<usize> {
        let mut facets = self.facets.iter().copied();
        facets.find(|&f| p.facets[f].plane.plane == plane)
    }
}

/// What becomes of a cell's walls in the plane of a facet.
#[derive(Default)]
pub struct WallMet {
    /// Ids of walls that are gone or replaced.
    pub removed: Vec<u32>,
    /// What walls are to be made of.
    pub groups: Vec<Group>,
    /// Where there is air along the facet's edges.
    pub shores: Vec<Shore>,
    /// Facets at whose edge here something lies exactly on something else.
    pub touched: Vec<usize>,
}

/// The walls `ids` in the plane of a facet, together with it (carve), or without it (fill).
pub fn meet_wall(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    facet: usize,
    ids: &[u32],
    op: Op,
    scratch: &mut Scratch,
) -> WallMet {
    let plane = p.facets[facet].plane.opposite();
    let section = flush(p, facet, plane);
    let corners = || {
        p.facets[facet]
            .corners
            .iter()
            .map(|&c| p.corners[c as usize].at)
    };
    let bounds = (
        corners().fold(DVec3::INFINITY, DVec3::min),
        corners().fold(DVec3::NEG_INFINITY, DVec3::max),
    );
    // By edge: where walls lie outside of it, and inside.
    let mut beside: Vec<[Stretches; 2]> = vec![Default::default(); section.len()];
    let mut met = WallMet::default();
    let mut whole = Group {
        plane,
        surface: Surface::Wall,
        piece: 0,
        edges: Vec::new(),
        new: 0,
        join: false,
        touching: false,
    };
    let mut is_cut = false;
    for &id in ids {
        let face = alive(faces, id);
        let outside = scratch.cut(planes, face, &section, bounds);
        let (mut touching, mut any_inside) = (false, outside.cut);
        let mut rest = outside.edges;
        let mut last = None;
        for (i, e) in section.iter().enumerate() {
            let Some(b) = scratch.beside(planes, face, &section, i, last) else {
                last = Some(false);
                continue;
            };
            if b.touches.contains(&true) || scratch.row(i).contains(&0) {
                touching = true;
                met.touched.push(e.facet);
            }
            any_inside |= !b.inner.is_empty();
            if op == Op::Fill {
                rest.extend(b.outer.iter().map(|&(from, to)| Edge {
                    from: to,
                    to: from,
                    line: e.plane.plane,
                }));
            }
            last = b.around_end();
            beside[i][0].extend(b.outer);
            beside[i][1].extend(b.inner);
        }
        is_cut |= outside.cut;
        match op {
            Op::Fill if any_inside => {
                met.removed.push(id);
                met.groups.push(Group {
                    plane: face.plane,
                    piece: face.piece,
                    edges: rest,
                    touching,
                    ..whole
                });
            }
            Op::Carve if !outside.is_whole => {
                met.removed.push(id);
                whole.edges.extend(rest);
                whole.piece = whole.piece.max(face.piece);
                whole.touching |= touching;
            }
            _ => {}
        }
    }
    let n = section.len();
    for (i, (e, [outer, inner])) in section.iter().zip(&beside).enumerate() {
        let Some([from, to]) = &e.ends else { continue };
        let line = line_of(planes, plane, e.plane);
        whole.edges.extend(
            gaps(planes, &line, outer, [from, to])
                .into_iter()
                .map(|(from, to)| Edge {
                    from,
                    to,
                    line: e.plane.plane,
                }),
        );
        let solid = gaps(planes, &line, inner, [from, to]);
        is_cut |= !solid.is_empty();
        let shores = solid.iter().map(|s| (s, false));
        let mut shores: SmallVec<[_; 4]> = shores.chain(inner.iter().map(|s| (s, true))).collect();
        // Seen from its other side the facet's edges follow each other the other way round.
        shores.sort_by(|a, b| line.cmp(planes, &b.0.0, &a.0.0));
        met.shores
            .extend(shores.iter().map(|&(&(a, b), air)| (n - 1 - i, b, a, air)));
    }
    met.shores.sort_by_key(|s| s.0);
    match op {
        Op::Carve if is_cut => met.groups.push(whole),
        Op::Carve => met.removed.clear(),
        Op::Fill => {}
    }
    met
}
