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
    pub patches: Vec<ParsedPatch>,
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
    /// Counts from 0 in file order, patches and other blocks included.
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

/// A patch or terrain: a surface as a net of points.
#[derive(Debug)]
pub(super) struct ParsedPatch {
    /// Line of the kind's name.
    pub line: u32,
    pub kind: PatchKind,
    pub flags: Flags,
    /// Its surface, or why it is skipped, with the line.
    pub sheet: Result<Sheet, (u32, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatchKind {
    /// patchDef2.
    Curve,
    /// patchDef3: a curve whose author chose the number of segments.
    Subdivided,
    /// terrainDef.
    Terrain,
}

impl PatchKind {
    /// As warnings name it.
    pub fn words(self) -> &'static str {
        match self {
            PatchKind::Curve | PatchKind::Subdivided => "the patch",
            PatchKind::Terrain => "the terrain",
        }
    }
}

/// The net of a surface, whose front is where ∂/∂row × ∂/∂column points.
#[derive(Debug)]
pub(super) struct Sheet {
    /// Number of rows, and of points in each.
    pub size: [usize; 2],
    /// Row by row, units, Z up.
    pub points: Vec<DVec3>,
    pub form: SheetForm,
    pub painting: Painting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SheetForm {
    /// Control points of quadratic Bezier surfaces of three by three, each two sharing a row or column; the segments along
    /// a block's rows and columns where the author chose them.
    Curve(Option<[usize; 2]>),
    /// Points of the surface itself.
    Terrain,
}

/// The textures of a sheet.
#[derive(Debug)]
pub(super) enum Painting {
    /// One texture, with s and t of each point in whole pictures.
    Coordinates { texture: String, st: Vec<[f64; 2]> },
    /// A texture for the cell that begins at each point, projected along z.
    Projected(Vec<(String, Projection)>),
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

#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// Unscaled, on the axes that the normal chooses.
    pub const PLAIN: Projection = Projection::Standard {
        offset: [0.0; 2],
        rotation: 0.0,
        scale: [1.0; 2],
    };

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
