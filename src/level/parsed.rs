//! The syntax tree of a `.map` file: entities, brushes, faces, as written.
use super::error::Pos;
use glam::DVec3;

/// The grid reaches ±1024 m, 32 units a metre.
pub(super) const REACH: f64 = 32768.0;
/// Planes this far from the origin or farther miss the grid (its corners are less than 57,000 away), so their distances
/// are clamped.
const FARTHEST_PLANE: f64 = 4.0 * REACH;

#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub entities: Vec<ParsedEntity>,
    /// Texture names; [`Face::texture`] is an index.
    pub textures: Vec<String>,
    /// Forms of the grammar that the file uses.
    pub syntax: Syntax,
}

/// Forms of the grammar that only some games write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Syntax {
    /// `Version 2` at the head of the file.
    pub version: Option<i64>,
    /// brushDef, or a patch of any kind.
    pub primitives: bool,
    /// brushDef3.
    pub bare_planes: bool,
    /// The most numbers after a face's projection.
    pub further: usize,
}

#[derive(Debug)]
pub(super) struct ParsedEntity {
    pub keys: Vec<Key>,
    pub brushes: Vec<ParsedBrush>,
    pub patches: usize,
    /// Other blocks: name and line.
    pub unknown: Vec<(String, u32)>,
    /// Position of the `{`.
    pub pos: Pos,
}

#[derive(Debug)]
pub(super) struct Key {
    pub name: String,
    pub value: String,
    /// Position of the value's opening quote.
    pub pos: Pos,
}

#[derive(Debug)]
pub(super) struct ParsedBrush {
    /// Counts from 0 in file order, patches included.
    pub number: usize,
    pub line: u32,
    pub faces: Vec<Face>,
}

#[derive(Debug)]
pub(super) struct Face {
    pub plane: FacePlane,
    pub texture: u32,
    pub projection: Projection,
    pub flags: Flags,
    pub line: u32,
}

/// The first two numbers after a face's projection, as bits: Quake 2's contents and surface. Zero without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub contents: u32,
    pub surface: u32,
}

/// A face's plane in `.map` units, Z up.
#[derive(Clone, Copy, Debug)]
pub(super) enum FacePlane {
    /// (p0 − p1) × (p2 − p1) points out of the solid.
    Points([DVec3; 3]),
    /// n·p + d = 0, the unit normal n points out (brushDef3).
    Bare(DVec3, f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Projection {
    /// Axes chosen by the normal.
    Standard {
        offset: [f64; 2],
        rotation: f64,
        scale: [f64; 2],
    },
    /// Axes in the file, each with its offset.
    Valve {
        axes: [[f64; 4]; 2],
        rotation: f64,
        scale: [f64; 2],
    },
    /// Quake 3's and Doom 3's matrix over axes of their own.
    Matrix([[f64; 3]; 2]),
}

impl Projection {
    /// Whether its coordinates are in whole pictures instead of texels.
    pub fn is_in_whole_pictures(&self) -> bool {
        matches!(self, Projection::Matrix(_))
    }
}

impl FacePlane {
    /// n·p + d = 0 for a unit normal.
    pub fn bare(normal: DVec3, d: f64) -> Self {
        FacePlane::Bare(normal, d.clamp(-FARTHEST_PLANE, FARTHEST_PLANE))
    }

    /// The plane through far points, with the distance computed from the nearest of them: its error grows with that
    /// point's distance.
    pub fn through_far([p0, p1, p2]: [DVec3; 3]) -> Self {
        let (u, v) = (p0 - p1, p2 - p1);
        let cross = u.cross(v);
        let length = cross.length();
        if length <= 1e-10 * u.length() * v.length() {
            return FacePlane::Bare(DVec3::ZERO, 0.0);
        }
        let normal = cross / length;
        let distance = |p: &DVec3| p.length_squared();
        let nearest = [p0, p1, p2]
            .into_iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        FacePlane::bare(normal, -normal.dot(nearest.unwrap_or(p1)))
    }
}

impl ParsedEntity {
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|k| k.name == name)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.key(name).map(|k| k.value.as_str())
    }

    pub fn class_name(&self) -> &str {
        self.get("classname").unwrap_or("")
    }
}
