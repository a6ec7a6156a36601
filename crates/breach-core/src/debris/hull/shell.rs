//! The triangles around a cloud of points, with few corners.
//!
//! Quickhull (Barber, Dobkin and Huhdanpaa, "The Quickhull algorithm for convex hulls", 1996) with two changes. The next
//! corner is the point farthest outside of all, so that the shell is near the cloud already with few corners. And no
//! triangle has a list of the points outside it: triangles are few, and each asks all points once.
use glam::DVec3;
use smallvec::SmallVec;

/// How far a point may lie outside, relative to the length of the cloud.
const TOLERANCE: f64 = 0.005;

/// How far a point may always lie outside, metres.
const LEAST_TOLERANCE: f64 = 0.001;

/// The tolerance is at most this part of the thickness: a thin plate keeps its shape.
const OF_THICKNESS: f64 = 0.05;

/// Heights that differ by less than this are equal where the highest point is looked for, relative to the length of the
/// cloud: above the rounding of coordinates in f32, below the tolerance of the thinnest cloud.
const SAME: f64 = 1e-6;

/// A triangle is seen from higher than this only, relative to the length of the cloud: far above the rounding of its plane.
const SEEN: f64 = 1e-9;

/// Twice the area of the smallest triangle, relative to the square of the length of the cloud.
const SLIVER: f64 = 1e-9;

/// A cloud thinner than this has no volume, relative to its length.
const FLAT: f64 = 1e-4;

/// A closed surface of triangles, convex but for rounding.
pub(super) struct Shell {
    /// Some of the points, in the order of their choice. Not all need be corners of triangles.
    pub corners: Vec<DVec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<Triangle>,
    /// How far a point may lie outside of a triangle's plane, metres.
    pub tolerance: f64,
    /// Length of the cloud, metres.
    length: f64,
}

/// A triangle of a [`Shell`].
pub(super) struct Triangle {
    /// Indices of corners of the shell.
    pub corners: [u8; 3],
    /// Outward, unit.
    pub normal: DVec3,
    /// normal·x on the triangle, metres.
    offset: f64,
    /// How far above its plane the highest point lies, metres.
    highest: f64,
}

impl Triangle {
    /// Metres above its plane.
    fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    /// Height of the highest point, metres.
    fn highest(&self, points: &[DVec3]) -> f64 {
        let heights = points.iter().map(|p| self.height(*p));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl Shell {
    /// A shell of at most `most_corners` around finite points. `None` if they have no volume.
    ///
    /// No point lies above the plane of a triangle by more than the tolerance, unless there were too few corners for that.
    pub fn around(points: &[DVec3], most_corners: usize) -> Option<Shell> {
        let start = Start::among(points)?;
        let mut shell = Shell::grow(points, most_corners, &start, start.tolerance())?;
        shell.thin(points);
        Some(shell)
    }

    /// Adds corners to a tetrahedron until no point is farther outside than the tolerance.
    fn grow(points: &[DVec3], most_corners: usize, start: &Start, tolerance: f64) -> Option<Shell> {
        let mut shell = Shell {
            corners: start.corners.to_vec(),
            triangles: Vec::new(),
            tolerance,
            length: start.length,
        };
        for corners in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            shell.add_triangle(points, corners)?;
        }
        while shell.corners.len() < most_corners {
            let mut top = shell.triangles.first()?;
            for triangle in &shell.triangles {
                if triangle.highest > top.highest {
                    top = triangle;
                }
            }
            if top.highest <= tolerance {
                break;
            }
            let normal = top.normal;
            let corner = highest(points, SAME * start.length, start.centre, |p| normal.dot(p))?;
            shell.add_corner(points, corner)?;
        }
        Some(shell)
    }

    /// Replaces the triangles that are seen from a point by a fan from it to their horizon.
    fn add_corner(&mut self, points: &[DVec3], corner: DVec3) -> Option<()> {
        // The edges of those triangles; within the horizon each is there in both directions.
        let mut seen: SmallVec<[[u8; 2]; 32]> = SmallVec::new();
        let least = SEEN * self.length;
        self.triangles.retain(|triangle| {
            let is_seen = triangle.height(corner) > least;
            if is_seen {
                let [a, b, c] = triangle.corners;
                seen.extend([[a, b], [b, c], [c, a]]);
            }
            !is_seen
        });
        let number = self.corners.len() as u8;
        self.corners.push(corner);
        for &[a, b] in &seen {
            if !seen.contains(&[b, a]) {
                self.add_triangle(points, [a, b, number])?;
            }
        }
        Some(())
    }

    /// `None` if the three corners lie on a line: the normal cannot be told.
    fn add_triangle(&mut self, points: &[DVec3], corners: [u8; 3]) -> Option<()> {
        let [a, b, c] = corners.map(|i| self.corners[usize::from(i)]);
        let across = (b - a).cross(c - a);
        let twice_area = across.length();
        if twice_area.is_nan() || twice_area <= SLIVER * self.length * self.length {
            return None;
        }
        let normal = across / twice_area;
        let mut triangle = Triangle {
            corners,
            normal,
            offset: normal.dot(a),
            highest: 0.0,
        };
        triangle.highest = triangle.highest(points);
        self.triangles.push(triangle);
        Some(())
    }

    /// Leaves out corners without which the shell is still near enough to all points, those that stand out least first.
    ///
    /// The farthest point over a triangle may stand out of its neighbours by a hair only, as in the middle of an edge that
    /// is not quite straight. It would split faces.
    fn thin(&mut self, points: &[DVec3]) {
        let allowed = self.excess(points).max(self.tolerance);
        let prominences = (0..self.corners.len()).map(|i| (self.prominence(i), self.corners[i]));
        let mut slight: Vec<(f64, DVec3)> = prominences
            .filter(|(prominence, _)| *prominence <= self.tolerance)
            .collect();
        slight.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, corner) in slight {
            let others = self.corners.iter().copied().filter(|p| *p != corner);
            let others: Vec<DVec3> = others.collect();
            if others.len() == self.corners.len() {
                // It went with another one.
                continue;
            }
            let less = Start::among(&others)
                .and_then(|start| Shell::grow(&others, others.len(), &start, self.tolerance));
            if let Some(less) = less
                && less.excess(points) <= allowed
            {
                *self = less;
            }
        }
    }

    /// How far above a triangle's plane the farthest of the points lies, metres.
    fn excess(&self, points: &[DVec3]) -> f64 {
        let heights = self.triangles.iter().map(|t| t.highest(points));
        heights.fold(0.0, f64::max)
    }

    /// How far a corner stands out of the hull of the others at least, metres: that far a plane moves between them and it.
    fn prominence(&self, i: usize) -> f64 {
        let around = |t: &&Triangle| t.corners.iter().any(|corner| usize::from(*corner) == i);
        let normals = self.triangles.iter().filter(around).map(|t| t.normal);
        let outward = normals.sum::<DVec3>().normalize_or_zero();
        let others = self.corners.iter().enumerate().filter(|(j, _)| *j != i);
        let gaps = others.map(|(_, p)| outward.dot(self.corners[i] - *p));
        gaps.fold(f64::INFINITY, f64::min)
    }
}

/// A tetrahedron of points far from each other, and the size of the cloud.
struct Start {
    /// The last lies behind the triangle of the others.
    corners: [DVec3; 4],
    /// Of the box around the points.
    centre: DVec3,
    /// Metres; no two points are twice as far from each other.
    length: f64,
    /// Metres; all points lie within this from a plane.
    thickness: f64,
}

impl Start {
    /// `None` if the points are flat.
    fn among(points: &[DVec3]) -> Option<Start> {
        let low = points.iter().copied().reduce(DVec3::min)?;
        let high = points.iter().copied().reduce(DVec3::max)?;
        let centre = low + (high - low) * 0.5;
        let a = highest(points, 0.0, centre, |p| p.distance(centre))?;
        let b = highest(points, 0.0, centre, |p| p.distance(a))?;
        let length = a.distance(b);
        if length == 0.0 || !length.is_finite() {
            return None;
        }
        let slack = SAME * length;
        let along = (b - a) / length;
        let c = highest(points, slack, centre, |p| (p - a).cross(along).length())?;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let d = highest(points, slack, centre, |p| normal.dot(p - a).abs())?;
        let height = normal.dot(d - a);
        let thickness = height.abs();
        if thickness <= FLAT * length {
            return None;
        }
        let corners = if height > 0.0 {
            [a, c, b, d]
        } else {
            [a, b, c, d]
        };
        Some(Start {
            corners,
            centre,
            length,
            thickness,
        })
    }

    /// How far a point may lie outside of a triangle's plane, metres.
    fn tolerance(&self) -> f64 {
        let wanted = (TOLERANCE * self.length).max(LEAST_TOLERANCE);
        wanted.min(OF_THICKNESS * self.thickness)
    }
}

/// The highest point; among those as high, within `slack` metres, the one farthest from `centre`; of equals the first.
///
/// A whole face of the hull may be as high. A point farthest from another one is a corner, not one on a face or an edge.
fn highest(
    points: &[DVec3],
    slack: f64,
    centre: DVec3,
    height: impl Fn(DVec3) -> f64,
) -> Option<DVec3> {
    let heights = points.iter().map(|p| height(*p));
    let least = heights.fold(f64::NEG_INFINITY, f64::max) - slack;
    let mut best: Option<(f64, DVec3)> = None;
    for &p in points {
        if height(p) >= least {
            let distance_squared = p.distance_squared(centre);
            if best.is_none_or(|(most, _)| distance_squared > most) {
                best = Some((distance_squared, p));
            }
        }
    }
    best.map(|(_, p)| p)
}
