//! A room as sound sees it: the openings into other rooms, which of them see each other or share the room's air, and how
//! much its surfaces absorb.
//!
//! A room is the content of a cell, so its air may be in several parts that nothing connects within it: a wall that
//! stands in a cell, or a door that was filled beside its portal. Faces that share corners bound the same part, and an
//! opening belongs to the part whose faces share its corners.
use super::material_table::MaterialTable;
use crate::bvh::QueryStats;
use crate::geom::disjoint_sets::DisjointSets;
use crate::geom::{Aabb, ring};
use crate::level::material::{Look, look};
use crate::world::{Portal, Revision, RoomId, World};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Most openings of a room: the largest.
const MOST_OPENINGS: usize = 32;
/// An opening is aimed at no nearer to its rim than this part of its size.
const RIM: f64 = 0.08;

/// Which opening: its portal, and which of the portal's outlines.
pub type OpeningId = (u32, u32);

/// An opening: one outline of a portal.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Its name, equal in both rooms.
    pub id: OpeningId,
    /// The room behind it.
    pub to: RoomId,
    /// A point within it, metres.
    pub centre: DVec3,
    /// Square metres, with those beside it in the same plane, which are one hole to sound.
    pub area_m2: f64,
    /// Of this one alone.
    pub own_m2: f64,
    /// A door closes it.
    pub is_closed: bool,
    axis: usize,
    bounds: Aabb,
    outline: Vec<DVec3>,
    part: Option<u32>,
}

/// The way between two places of one room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// Nothing is between them.
    Clear,
    /// Through the same air, round something.
    Around,
    /// No air of this room connects them.
    Shut,
}

/// A room.
#[derive(Clone, Debug, Default)]
pub struct RoomAir {
    /// The revision of the room that this describes.
    pub revision: Revision,
    /// Its openings, in the order of their names.
    pub openings: Vec<Opening>,
    /// Square metres of a perfect absorber that absorb as much as its surfaces.
    pub absorption_m2: f64,
    /// Between two openings: a square table.
    legs: Vec<Leg>,
    /// The part of each triangle, by number.
    parts: Vec<u32>,
}

impl RoomAir {
    /// Describes a room. The cost follows its faces and the square of its openings.
    pub fn new(world: &World, id: RoomId, absorption: &mut AbsorptionTable) -> RoomAir {
        let room = world.room(id);
        let mut openings = Vec::new();
        for &number in &room.portals {
            add_openings(&world.portals()[number as usize], number, id, &mut openings);
        }
        let size = |opening: &Opening| opening.area_m2;
        openings.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.id.cmp(&b.id)));
        openings.truncate(MOST_OPENINGS);
        openings.sort_by_key(|opening| opening.id);
        let parts = find_parts(world, id, &mut openings);
        join_areas(&mut openings);
        let count = openings.len();
        let mut air = RoomAir {
            revision: room.revision,
            absorption_m2: absorption.of_room(world, id),
            legs: vec![Leg::Shut; count * count],
            openings,
            parts,
        };
        for i in 0..count {
            for j in 0..i {
                let [a, b] = [&air.openings[i], &air.openings[j]];
                let leg = leg(world, a.centre, b.centre, a.part, b.part);
                air.legs[i * count + j] = leg;
                air.legs[j * count + i] = leg;
            }
        }
        air
    }

    /// The same with its openings, through which sound leaves for good; those that doors close it does not count.
    pub fn absorbed_m2(&self) -> f64 {
        let open = self.openings.iter().filter(|opening| !opening.is_closed);
        let open: f64 = open.map(|opening| opening.own_m2).sum();
        self.absorption_m2 + open
    }

    /// The way between two openings, by index.
    pub fn leg(&self, a: usize, b: usize) -> Leg {
        self.legs[a * self.openings.len() + b]
    }

    /// The ways from a point in this room's air to each opening, in their order, and the part of the air that it is in.
    pub fn legs_from(&self, world: &World, id: RoomId, at: DVec3) -> (Vec<Leg>, Option<u32>) {
        let leg = |opening: &Opening| match is_clear(world, at, opening.centre) {
            true => Leg::Clear,
            false => Leg::Shut,
        };
        let mut legs: Vec<Leg> = self.openings.iter().map(leg).collect();
        let seen = self.openings.iter().zip(&legs);
        // What it sees it shares its air with.
        let mut seen = seen.filter(|(_, leg)| **leg == Leg::Clear);
        let part = seen.find_map(|(opening, _)| opening.part);
        let part = part.or_else(|| self.part_at(world, id, at));
        for (leg, opening) in legs.iter_mut().zip(&self.openings) {
            if *leg == Leg::Shut && part.is_some() && part == opening.part {
                *leg = Leg::Around;
            }
        }
        (legs, part)
    }

    /// The part of the air that a point is in, if a face shows it.
    fn part_at(&self, world: &World, id: RoomId, at: DVec3) -> Option<u32> {
        let far = world.bounds().diagonal() + 1.0;
        let axes = [
            DVec3::NEG_Y,
            DVec3::Y,
            DVec3::X,
            DVec3::NEG_X,
            DVec3::Z,
            DVec3::NEG_Z,
        ];
        let seen = axes.into_iter().filter_map(|axis| {
            // A little aside, so that no ray runs along a face.
            let to = at + (axis + DVec3::new(0.0137, 0.0091, 0.0171)) * far;
            let hit = world.cast_ray(at, to, &mut QueryStats::default())?;
            (hit.room == id).then(|| self.parts.get(hit.triangle as usize).copied())?
        });
        let seen: Vec<u32> = seen.collect();
        // A floating piece is a part by itself: one with an opening says more.
        let has_opening = |part: &&u32| self.openings.iter().any(|o| o.part == Some(**part));
        seen.iter().find(has_opening).or(seen.first()).copied()
    }
}

impl Opening {
    /// The point of the opening that is nearest to the line from one point to another, a little within its rim.
    pub fn aim(&self, from: DVec3, to: DVec3) -> DVec3 {
        let across = (to - from)[self.axis];
        let part = match across.abs() > 1e-9 {
            true => ((self.centre - from)[self.axis] / across).clamp(0.0, 1.0),
            false => 0.0,
        };
        let mut at = from.lerp(to, part);
        let rim = (self.bounds.max - self.bounds.min) * RIM;
        at = at.clamp(self.bounds.min + rim, self.bounds.max - rim);
        at[self.axis] = self.centre[self.axis];
        if self.contains(at) {
            return at;
        }
        // Not a rectangle: the farthest towards that point that is inside.
        let (mut inside, mut outside) = (0.0, 1.0);
        for _ in 0..5 {
            let middle = (inside + outside) / 2.0;
            match self.contains(self.centre.lerp(at, middle)) {
                true => inside = middle,
                false => outside = middle,
            }
        }
        self.centre.lerp(at, inside * 0.9)
    }

    fn contains(&self, at: DVec3) -> bool {
        is_inside(&self.outline, self.axis, at)
    }
}

/// Whether nothing is between two points in the air.
pub fn is_clear(world: &World, a: DVec3, b: DVec3) -> bool {
    world.cast_ray(a, b, &mut QueryStats::default()).is_none()
}

fn leg(world: &World, a: DVec3, b: DVec3, part_a: Option<u32>, part_b: Option<u32>) -> Leg {
    if is_clear(world, a, b) {
        Leg::Clear
    } else if part_a.is_some() && part_a == part_b {
        Leg::Around
    } else {
        Leg::Shut
    }
}

/// Adds an opening for each outline of a portal; holes in an outline are solid within it.
fn add_openings(portal: &Portal, number: u32, from: RoomId, openings: &mut Vec<Opening>) {
    let [a, b] = portal.rooms;
    let to = if a == from { b } else { a };
    let areas: Vec<f64> = portal.loops.iter().map(|l| area(l, portal.axis)).collect();
    let total: f64 = areas.iter().sum();
    for (i, (outline, area)) in portal.loops.iter().zip(&areas).enumerate() {
        if area * total <= 0.0 {
            continue;
        }
        let around = |all: Aabb, &p: &DVec3| all.union(&Aabb { min: p, max: p });
        openings.push(Opening {
            id: (number, i as u32),
            to,
            centre: point_inside(outline, portal.axis),
            area_m2: area.abs().min(portal.area_m2),
            own_m2: area.abs().min(portal.area_m2),
            is_closed: false,
            axis: portal.axis,
            bounds: outline.iter().fold(Aabb::EMPTY, around),
            outline: outline.clone(),
            part: None,
        });
    }
}

/// Signed area of an outline across an axis.
fn area(outline: &[DVec3], axis: usize) -> f64 {
    let Some(&o) = outline.first() else {
        return 0.0;
    };
    let twice = ring::pairs(outline).map(|(&a, &b)| (a - o).cross(b - o)[axis]);
    twice.sum::<f64>() * 0.5
}

/// The centroid of an outline, or where that is outside of it, as of an L, the middle of an ear.
fn point_inside(outline: &[DVec3], axis: usize) -> DVec3 {
    let whole = area(outline, axis);
    let first = outline.first().copied().unwrap_or_default();
    let sum: DVec3 = ring::pairs(outline)
        .map(|(&a, &b)| (first + a + b) / 3.0 * ((a - first).cross(b - first)[axis] * 0.5))
        .sum();
    let centroid = sum / whole;
    if centroid.is_finite() && is_inside(outline, axis, centroid) {
        return centroid;
    }
    let count = outline.len();
    let ears = (0..count)
        .map(|i| (outline[i] + outline[(i + 1) % count] + outline[(i + 2) % count]) / 3.0);
    let mut ears = ears.filter(|&ear| is_inside(outline, axis, ear));
    ears.next().unwrap_or(first)
}

/// By counting crossings of a ray in the plane across `axis`.
fn is_inside(outline: &[DVec3], axis: usize, p: DVec3) -> bool {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let crosses = |&(a, b): &(&DVec3, &DVec3)| {
        (a[v] > p[v]) != (b[v] > p[v])
            && p[u] < a[u] + (b[u] - a[u]) * (p[v] - a[v]) / (b[v] - a[v])
    };
    ring::pairs(outline).filter(crosses).count() % 2 == 1
}

/// Openings that lie side by side in one plane, as where a wide opening borders on two rooms, count with their whole area.
fn join_areas(openings: &mut [Opening]) {
    let own: Vec<(usize, Aabb, f64)> = openings
        .iter()
        .map(|o| (o.axis, o.bounds.grow(0.01), o.area_m2))
        .collect();
    for (i, opening) in openings.iter_mut().enumerate() {
        let beside = own.iter().enumerate().filter(|(j, (axis, bounds, _))| {
            *j != i && *axis == opening.axis && bounds.overlaps(&opening.bounds)
        });
        let beside: f64 = beside.map(|(_, (.., area))| area).sum();
        opening.area_m2 += beside;
    }
}

/// The part of each triangle; sets those of the openings.
fn find_parts(world: &World, id: RoomId, openings: &mut [Opening]) -> Vec<u32> {
    let mesh = &world.room(id).mesh;
    let mut sets = DisjointSets::new(mesh.positions.len());
    let live = || mesh.triangles.iter().filter(|t| t.is_live());
    let mut corner_at: FxHashMap<[u64; 3], u32> = FxHashMap::default();
    for triangle in live() {
        let [a, b, c] = triangle.corners;
        sets.join(a, b);
        sets.join(a, c);
        for corner in triangle.corners {
            corner_at.insert(bits(mesh.positions[corner as usize]), corner);
        }
    }
    let corners_of = |opening: &Opening| -> Vec<u32> {
        let known = |p: &DVec3| corner_at.get(&bits(*p)).copied();
        opening.outline.iter().filter_map(known).collect()
    };
    for opening in openings.iter() {
        let corners = corners_of(opening);
        corners.windows(2).for_each(|w| sets.join(w[0], w[1]));
    }
    for opening in openings.iter_mut() {
        let first = corners_of(opening).first().copied();
        opening.part = first.map(|corner| sets.find(corner));
    }
    let part = |t: &crate::bvh::Triangle| match t.is_live() {
        true => sets.find(t.corners[0]),
        false => u32::MAX,
    };
    mesh.triangles.iter().map(part).collect()
}

fn bits(p: DVec3) -> [u64; 3] {
    // Maps -0.0 to 0.0.
    (p + 0.0).to_array().map(f64::to_bits)
}

/// What each material of a world absorbs.
#[derive(Clone, Debug, Default)]
pub struct AbsorptionTable(MaterialTable<f64>);

impl AbsorptionTable {
    fn of_room(&mut self, world: &World, id: RoomId) -> f64 {
        self.0.update(world, |texture| absorption(look(texture)));
        let room = world.room(id);
        let mesh = &room.mesh;
        let live = mesh.triangles.iter().filter(|t| t.is_live());
        let absorbed = live.map(|t| {
            let [a, b, c] = t.corners.map(|i| mesh.positions[i as usize]);
            let material = room.faces[t.face as usize].material;
            let part = self.0.get(material).unwrap_or(0.03);
            (b - a).cross(c - a).length() * 0.5 * part
        });
        absorbed.sum()
    }
}

/// The part of the sound that a surface absorbs at 500 Hz to 1 kHz (Vorländer, Auralization, 2008, annex; rounded).
pub fn absorption(look: Look) -> f64 {
    match look {
        Look::Concrete | Look::Tile => 0.02,
        Look::Brick => 0.04,
        Look::Plaster => 0.06,
        Look::Metal => 0.05,
        Look::Wood => 0.1,
        Look::Rock => 0.05,
        Look::Soil => 0.4,
        Look::Liquid => 0.01,
        // Nothing comes back from the sky.
        Look::Sky => 1.0,
        Look::Light => 0.03,
    }
}
