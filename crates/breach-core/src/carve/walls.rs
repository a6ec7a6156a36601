//! The walls that cells share, where a polytope reaches one.
//!
//! Nothing of a cell lies beyond its walls, so a brush changes them in their own plane alone: a carve adds the facet at
//! which the cell cut the polytope to the union of the wall faces, a fill subtracts it. The boundary of a union is what
//! each of the two has outside the other. No other face has to be looked at, though all that end at the wall meet the
//! facet there.
use super::Op;
use super::cutter::FaceCutter;
use super::face::{Face, live_face};
use super::facet::WallInterval;
use super::loops::Edge;
use super::polytope::{Polytope, Surface};
use super::region::Region;
use super::section::{Intervals, facet_section, gaps, intersection_line};
use crate::exact::{Facing, PlaneId, Planes};
use glam::DVec3;
use smallvec::SmallVec;

/// Facets at which the cell cut the polytope and whose planes hold only walls of the cell.
pub struct WallFacets {
    /// Indices into the polytope's facets.
    pub facets: SmallVec<[usize; 6]>,
}

impl WallFacets {
    /// Of a polytope in a cell with these sides.
    pub fn new(sides: &[Facing], faces: &[Option<Face>], near: &[u32], p: &Polytope) -> WallFacets {
        let is_wall = |&f: &usize| {
            let facet = &p.facets[f];
            facet.surface == Surface::Wall && sides.contains(&facet.plane)
        };
        let mut facets: SmallVec<[usize; 6]> = (0..p.facets.len()).filter(is_wall).collect();
        if !facets.is_empty() {
            for f in near.iter().map(|&id| live_face(faces, id)) {
                if f.surface != Surface::Wall {
                    facets.retain(|&mut w| p.facets[w].plane.plane != f.plane.plane);
                }
            }
        }
        WallFacets { facets }
    }

    /// The facet in a plane.
    pub fn with_plane(&self, p: &Polytope, plane: PlaneId) -> Option<usize> {
        let mut facets = self.facets.iter().copied();
        facets.find(|&f| p.facets[f].plane.plane == plane)
    }
}

/// What an operation does to a cell's walls in the plane of a facet.
#[derive(Default)]
pub struct WallChange {
    /// Ids of walls removed or replaced.
    pub removed: Vec<u32>,
    /// The new walls.
    pub regions: Vec<Region>,
    /// Air and solid along the facet's edges.
    pub intervals: Vec<WallInterval>,
    /// Facets at whose edge here something lies exactly on something else.
    pub touched: Vec<usize>,
}

/// The walls `ids` in the plane of a facet, with the facet added (carve) or subtracted (fill).
pub fn change_walls(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    facet: usize,
    ids: &[u32],
    op: Op,
    cutter: &mut FaceCutter,
) -> WallChange {
    let plane = p.facets[facet].plane.opposite();
    let section = facet_section(p, facet, plane);
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
    // By edge: where walls lie outside and inside it.
    let mut beside: Vec<[Intervals; 2]> = vec![Default::default(); section.len()];
    let mut change = WallChange::default();
    let mut union = Region {
        plane,
        surface: Surface::Wall,
        piece: 0,
        edges: Vec::new(),
        new: 0,
        is_union: false,
        touching: false,
    };
    let mut is_cut = false;
    for &id in ids {
        let face = live_face(faces, id);
        let outside = cutter.cut(planes, face, &section, bounds);
        let (mut touching, mut any_inside) = (false, outside.cut);
        let mut rest = outside.edges;
        let mut last = None;
        for (i, e) in section.iter().enumerate() {
            let Some(class) = cutter.classify_edge(planes, face, &section, i, last) else {
                last = Some(false);
                continue;
            };
            if class.touches.contains(&true) || cutter.sides(i).contains(&0) {
                touching = true;
                change.touched.push(e.facet);
            }
            any_inside |= !class.inner.is_empty();
            match op {
                Op::Carve => {}
                Op::Fill => rest.extend(class.outer.iter().map(|&(from, to)| Edge {
                    from: to,
                    to: from,
                    line: e.plane.plane,
                })),
            }
            last = class.surrounds_end();
            beside[i][0].extend(class.outer);
            beside[i][1].extend(class.inner);
        }
        is_cut |= outside.cut;
        match op {
            Op::Fill => {
                if any_inside {
                    change.removed.push(id);
                    change.regions.push(Region {
                        plane: face.plane,
                        piece: face.piece,
                        edges: rest,
                        touching,
                        ..union
                    });
                }
            }
            Op::Carve => {
                if !outside.is_whole {
                    change.removed.push(id);
                    union.edges.extend(rest);
                    union.piece = union.piece.max(face.piece);
                    union.touching |= touching;
                }
            }
        }
    }
    let n = section.len();
    for (i, (e, [outer, inner])) in section.iter().zip(&beside).enumerate() {
        let Some([from, to]) = &e.ends else { continue };
        let line = intersection_line(planes, plane, e.plane);
        union.edges.extend(
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
        // Seen against the facet's own facing its edges follow each other in reverse.
        let edge = n - 1 - i;
        let intervals = |list: &Intervals, is_air| -> SmallVec<[WallInterval; 4]> {
            list.iter()
                .map(|&(to, from)| WallInterval {
                    edge,
                    from,
                    to,
                    is_air,
                })
                .collect()
        };
        let mut both = intervals(&solid, false);
        both.extend(intervals(inner, true));
        both.sort_by(|a, b| line.cmp(planes, &b.to, &a.to));
        change.intervals.extend(both);
    }
    change.intervals.sort_by_key(|i| i.edge);
    match op {
        Op::Carve if is_cut => change.regions.push(union),
        Op::Carve => change.removed.clear(),
        Op::Fill => {}
    }
    change
}
