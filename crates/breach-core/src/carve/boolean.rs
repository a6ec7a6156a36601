//! The boolean of one convex polytope and the faces of one cell.
//!
//! It works on the boundary: every face loses its section with the polytope, every facet gains the region that
//! [`super::facet`] finds, and regions in one plane with one material are joined. No convex decomposition, no BSP; every
//! decision is a sign.
use super::Op;
use super::classify::{BoxClass, PlaneClassifier, PlaneContact};
use super::cutter::FaceCutter;
use super::face::{Face, live_face};
use super::facet::{CrossingFace, FacetContacts, regions};
use super::loops::{Edge, face_edges};
use super::polytope::{Polytope, Surface};
use super::region::Region;
use super::section::{EdgeClassification, SectionEdge, facet_section, plane_section};
use super::walls::{WallFacets, change_walls};
use crate::exact::{Facing, Planes, Point};
use crate::geom::ring;
use glam::DVec3;

/// What an operation does to a cell's faces.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Faces removed or replaced: indices into the slab, rising.
    pub removed: Vec<u32>,
    /// New faces, and replacements.
    pub added: Vec<Face>,
    /// A face of solid was touched exactly, away from the cell's walls: corners may have to be conformed there and
    /// superfluous ones dropped. (At the walls that is always so.)
    pub degenerate: bool,
}

/// The rest of a face that was cut.
struct CutFace {
    face: u32,
    edges: Vec<Edge>,
    /// Something lay exactly on the face or its edges.
    touching: bool,
}

/// Carves (the inside becomes air) or fills (solid) a polytope that lies within the cell.
///
/// `faces` is the cell's slab: together, walls included, they bound the cell's air, which lies behind its `sides`. `near`
/// are the faces whose boxes touch the polytope's, rising. The change is empty where the result is the same.
pub fn apply(
    planes: &Planes,
    sides: &[Facing],
    faces: &[Option<Face>],
    near: &[u32],
    polytope: &Polytope,
    op: Op,
) -> Change {
    pulp::Arch::new().dispatch(Evaluation {
        planes,
        sides,
        faces,
        near,
        polytope,
        op,
    })
}

/// The work of [`apply`], compiled for narrow and wide registers; both give the same bits.
pub(super) struct Evaluation<'a> {
    pub planes: &'a Planes,
    pub sides: &'a [Facing],
    pub faces: &'a [Option<Face>],
    pub near: &'a [u32],
    pub polytope: &'a Polytope,
    pub op: Op,
}

impl pulp::NullaryFnOnce for Evaluation<'_> {
    type Output = Change;

    #[inline(always)]
    fn call(self) -> Change {
        let Self {
            planes,
            sides,
            faces,
            near,
            polytope: p,
            op,
        } = self;
        let mut change = Change::default();
        let mut contacts: Vec<FacetContacts> = vec![FacetContacts::default(); p.facets.len()];
        let mut cut: Vec<CutFace> = Vec::new();
        let mut on_plane = vec![false; p.corners.len()];
        let bounds = p.bounds();
        let mut classifier = PlaneClassifier::new(planes, p);
        let mut cutter = FaceCutter::default();
        let walls = WallFacets::new(sides, faces, near, p);
        for &id in near {
            let face = live_face(faces, id);
            if let Some(facet) = walls.with_plane(p, face.plane.plane) {
                contacts[facet].coplanar.push(id);
                continue;
            }
            match classifier.classify_box(face.lo, face.hi) {
                BoxClass::Outside => continue,
                BoxClass::Inside => {
                    change.removed.push(id);
                    continue;
                }
                BoxClass::Unknown => {}
            }
            let Some(contact) = classifier.contact(planes, p, face.plane.plane) else {
                continue;
            };
            let sides = &classifier.sides;
            if contact.touches {
                change.degenerate |= face.surface != Surface::Wall && !touches_only_walls(p, sides);
                for (on, &s) in on_plane.iter_mut().zip(sides) {
                    *on |= s == 0;
                }
                note_coplanar_edges(p, sides, id, &mut contacts);
            }
            let section = if contact.crosses {
                plane_section(
                    planes,
                    p,
                    sides,
                    face.plane,
                    &classifier.cuts,
                    (face.lo, face.hi),
                )
            } else {
                let coplanar = (0..p.facets.len())
                    .find(|&f| p.facets[f].corners.iter().all(|&c| sides[c as usize] == 0));
                let Some(f) = coplanar else { continue };
                contacts[f].coplanar.push(id);
                // A coplanar face goes where its solid side (carve) or air side (fill) is inside the polytope.
                let is_alike = face.plane == p.facets[f].plane;
                let goes = match op {
                    Op::Carve => is_alike,
                    Op::Fill => !is_alike,
                };
                goes.then(|| facet_section(p, f, face.plane))
            };
            let Some(section) = section else { continue };
            cut_face(
                planes,
                id,
                face,
                &section,
                contact,
                bounds,
                p,
                &walls,
                &mut contacts,
                &mut cut,
                &mut change,
                &mut cutter,
            );
        }
        for (facet, c) in p.facets.iter().zip(&mut contacts) {
            c.touching |= facet.corners.iter().any(|&c| on_plane[c as usize]);
        }
        let mut wall_regions = Vec::new();
        for &facet in &walls.facets {
            if contacts[facet].coplanar.is_empty() {
                continue;
            }
            let coplanar = std::mem::take(&mut contacts[facet].coplanar);
            let walls = change_walls(planes, faces, p, facet, &coplanar, op, &mut cutter);
            contacts[facet].wall = Some(walls.intervals);
            for facet in walls.touched {
                contacts[facet].touching = true;
            }
            change.removed.extend(&walls.removed);
            wall_regions.extend(walls.regions);
        }
        let new = regions(planes, faces, p, &contacts, op);
        join(
            planes,
            faces,
            p,
            &contacts,
            op,
            cut,
            new,
            wall_regions,
            &mut change,
        );
        change.removed.sort_unstable();
        change.removed.dedup();
        change
    }
}

/// Whether all corners of a polytope that lie on a plane (`sides`) belong to facets at which a cell cut it.
fn touches_only_walls(p: &Polytope, sides: &[i8]) -> bool {
    let mut walls = p.facets.iter().filter(|f| f.surface == Surface::Wall);
    let mut free = sides.iter().filter(|&&s| s == 0).count();
    if free == 0 {
        return true;
    }
    let mut seen = vec![false; sides.len()];
    walls.any(|f| {
        for &c in &f.corners {
            let c = c as usize;
            if sides[c] == 0 && !seen[c] {
                seen[c] = true;
                free -= 1;
            }
        }
        free == 0
    })
}

/// Notes every edge of the polytope that lies in the face's plane, at both its facets.
fn note_coplanar_edges(p: &Polytope, sides: &[i8], id: u32, contacts: &mut [FacetContacts]) {
    for (i, f) in p.facets.iter().enumerate() {
        for (k, (&a, &b)) in ring::pairs(&f.corners).enumerate() {
            if sides[a as usize] == 0 && sides[b as usize] == 0 {
                contacts[i].edges.push((k, id));
            }
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn cut_face(
    planes: &Planes,
    id: u32,
    face: &Face,
    section: &[SectionEdge],
    contact: PlaneContact,
    bounds: (DVec3, DVec3),
    p: &Polytope,
    walls: &WallFacets,
    contacts: &mut [FacetContacts],
    cut: &mut Vec<CutFace>,
    change: &mut Change,
    cutter: &mut FaceCutter,
) {
    let is_wall = |facet: usize| p.facets[facet].surface == Surface::Wall;
    let is_open = |facet: usize| walls.facets.contains(&facet);
    let mut touching = contact.touches;
    let outside = cutter.cut(planes, face, section, bounds);
    let (mut rest, mut any_inside) = (outside.edges, outside.cut);
    // The end of the edge before, and whether the face surrounds it.
    let mut last: Option<(bool, Point)> = None;
    for (i, e) in section.iter().enumerate() {
        let Some([from, to]) = &e.ends else { continue };
        // The cell ends at the wall, so the face has no part beyond, and its own edge there is the section's.
        if is_open(e.facet) {
            continue;
        }
        let start = last.filter(|l| l.1.at == from.at && l.1.planes == from.planes);
        let Some(class) = cutter.classify_edge(planes, face, section, i, start.map(|l| l.0)) else {
            last = Some((false, *to));
            continue;
        };
        last = class.surrounds_end().map(|is_in| (is_in, *to));
        let EdgeClassification {
            outer,
            inner,
            touches,
            ..
        } = class;
        // Where the section's edge ends at a wall, an edge of the face ends there too: that is no contact.
        let before = &section[ring::before(i, section.len())];
        let after = &section[ring::after(i, section.len())];
        let meets_before = before.ends.is_some_and(|e| e[1].at == from.at);
        let meets_after = after.ends.is_some_and(|e| e[0].at == to.at);
        let touches_face = (touches[0] && !(is_open(before.facet) && meets_before))
            || (touches[1] && !(is_open(after.facet) && meets_after));
        let is_plain = !cutter.sides(i).contains(&0);
        if touches_face || !is_plain {
            touching = true;
            contacts[e.facet].touching = true;
        }
        if touches.contains(&true) && face.surface != Surface::Wall && !is_wall(e.facet) {
            // A contact at a wall is not counted: there the section's next edge is a wall's.
            let at_wall = [
                is_wall(before.facet) && meets_before,
                is_wall(after.facet) && meets_after,
            ];
            change.degenerate |= (0..2).any(|end| touches[end] && !at_wall[end]);
        }
        any_inside |= !inner.is_empty();
        // The section is cut out: where the face continues outside an edge of it, the reversed edge bounds the rest.
        rest.extend(outer.iter().map(|&(from, to)| Edge {
            from: to,
            to: from,
            line: e.plane.plane,
        }));
        if contact.crosses && !e.whole_edge && (!outer.is_empty() || !inner.is_empty()) {
            contacts[e.facet].crossing.push(CrossingFace {
                plane: face.plane,
                outer,
                inner: (!is_plain).then_some(inner),
            });
        }
    }
    // The face may lie inside the section though only edges at walls show it.
    let mut at_walls = (0..section.len()).filter(|&i| is_open(section[i].facet));
    if !any_inside
        && !at_walls.any(|i| {
            let class = cutter.classify_edge(planes, face, section, i, None);
            class.is_some_and(|c| !c.inner.is_empty())
        })
    {
        return;
    }
    change.removed.push(id);
    cut.push(CutFace {
        face: id,
        edges: rest,
        touching,
    });
}

/// Makes faces of all regions, joining those of one plane and surface that meet.
#[allow(clippy::too_many_arguments)]
fn join(
    planes: &Planes,
    slab: &[Option<Face>],
    p: &Polytope,
    contacts: &[FacetContacts],
    op: Op,
    cut: Vec<CutFace>,
    new: Vec<Vec<Edge>>,
    mut regions: Vec<Region>,
    change: &mut Change,
) {
    let mut joined: Vec<u32> = Vec::new();
    for (i, edges) in new.into_iter().enumerate() {
        if edges.is_empty() {
            continue;
        }
        let facet = &p.facets[i];
        let (plane, edges) = match op {
            Op::Fill => (facet.plane, edges),
            Op::Carve => (
                facet.plane.opposite(),
                edges
                    .into_iter()
                    .map(|e| Edge {
                        from: e.to,
                        to: e.from,
                        line: e.line,
                    })
                    .collect(),
            ),
        };
        let mut region = Region {
            plane,
            surface: facet.surface,
            piece: 0,
            new: edges.len(),
            edges,
            is_union: false,
            touching: contacts[i].touching,
        };
        for &id in &contacts[i].coplanar {
            let f = live_face(slab, id);
            if f.plane == plane && f.surface == facet.surface {
                (region.is_union, region.touching) = (true, true);
                region.piece = region.piece.max(f.piece);
                if let Some(k) = cut.iter().position(|c| c.face == id) {
                    region.edges.extend(cut[k].edges.iter().copied());
                } else {
                    region.edges.extend(face_edges(f));
                    change.removed.push(id);
                }
                joined.push(id);
            }
        }
        regions.push(region);
    }
    for CutFace {
        face: id,
        edges,
        touching,
    } in cut
    {
        let f = live_face(slab, id);
        if !joined.contains(&id) {
            regions.push(Region {
                plane: f.plane,
                surface: f.surface,
                piece: f.piece,
                new: edges.len(),
                edges,
                is_union: false,
                touching,
            });
        }
    }
    for region in regions {
        change.added.append(&mut region.into_faces(planes));
    }
}
