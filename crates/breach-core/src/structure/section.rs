//! Sections, and the elastic layers in them.
use super::law::Law;
use crate::geom::Aabb;
use glam::{DVec2, DVec3};

/// Sections below this area carry nothing: a square micrometre; m².
pub const AREA_MIN: f64 = 1e-12;
/// Sections above this area are no sections: a square of a thousand kilometres; m².
pub const AREA_MAX: f64 = 1e12;

/// A plane section between two blocks. Its axes are u = axis + 1 and v = axis + 2 (mod 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// m².
    pub area: f64,
    /// Its centroid; m.
    pub centre: DVec3,
    /// Along which axis its normal points, from the low to the high side: 0, 1 or 2.
    pub axis: usize,
    /// ∫v², ∫u² and ∫uv about the centroid; m⁴.
    pub second_moments: [f64; 3],
    /// Its lowest u and v from the centroid; m.
    pub low: DVec2,
    /// Its highest u and v from the centroid; m.
    pub high: DVec2,
}

impl Section {
    /// A rectangle of `size` in u and v; m.
    pub fn rectangle(centre: DVec3, axis: usize, size: DVec2) -> Self {
        let area = size.x * size.y;
        let moments = [area * size.y * size.y / 12.0, area * size.x * size.x / 12.0];
        Section {
            area,
            centre,
            axis,
            second_moments: [moments[0], moments[1], 0.0],
            low: -0.5 * size,
            high: 0.5 * size,
        }
    }

    /// The rectangle around it, of no thickness; m.
    pub fn bounds(&self) -> Aabb {
        let (u, v) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let mut bounds = Aabb {
            min: self.centre,
            max: self.centre,
        };
        (bounds.min[u], bounds.min[v]) = (self.centre[u] + self.low.x, self.centre[v] + self.low.y);
        (bounds.max[u], bounds.max[v]) =
            (self.centre[u] + self.high.x, self.centre[v] + self.high.y);
        bounds
    }
}

/// The second moments ∫v², ∫u², ∫uv of a section, moved to the nearest ones that a section of that area can have.
///
/// Of all sections of one area and one width w, the strip has the least second moment across it, A³ / (12 w²); of all sections
/// of one area, the ellipse has the least product of the principal ones, (A² / 4π)². None has more than its area at its edges.
pub(super) fn second_moments(section: &Section) -> [f64; 3] {
    let area = section.area;
    let [low, high] = extents(section);
    let size = high - low;
    let least = |width: f64| {
        let least = area * area * area / (12.0 * width * width);
        if least.is_finite() { least } else { 0.0 }
    };
    let at_least = |value: f64, least: f64| {
        if value.is_finite() && least < value {
            value
        } else {
            least
        }
    };
    let edges = low.abs().max(high.abs());
    let [iuu, ivv, _] = section.second_moments;
    let mut iuu = at_least(iuu.min(area * edges.y * edges.y), least(size.x));
    let mut ivv = at_least(ivv.min(area * edges.x * edges.x), least(size.y));
    // A tenth below the ellipse, so that rounding moves no true ellipse.
    let ellipse = 0.9 * area * area / (4.0 * std::f64::consts::PI);
    // Neither side may vanish, whatever the extents were.
    iuu = at_least(iuu, 1e-9 * ellipse);
    ivv = at_least(ivv, 1e-9 * ellipse);
    let product = iuu.sqrt() * ivv.sqrt();
    if product < ellipse {
        let scale = ellipse / product;
        iuu *= scale;
        ivv *= scale;
    }
    let product = iuu.sqrt() * ivv.sqrt();
    let most = ((product - ellipse).max(0.0) * (product + ellipse)).sqrt();
    let iuv = section.second_moments[2];
    let iuv = if iuv.is_finite() {
        iuv.clamp(-most, most)
    } else {
        0.0
    };
    [iuu, ivv, iuv]
}

/// The extents of a section from its centroid; those of a square where there are none.
pub(super) fn extents(section: &Section) -> [DVec2; 2] {
    let half = 0.5 * section.area.sqrt();
    let side = |low: f64, high: f64| {
        if (-1e6..=0.0).contains(&low) && (0.0..=1e6).contains(&high) && low < high {
            [low, high]
        } else {
            [-half, half]
        }
    };
    let [u, v] = [0, 1].map(|k| side(section.low[k], section.high[k]));
    [DVec2::new(u[0], v[0]), DVec2::new(u[1], v[1])]
}

/// The elastic layer of a section: forces and moments by displacements and turns of its high side against its low side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spring {
    /// N/m along x, y and z.
    pub shift: DVec3,
    /// N m/rad about x, y and z.
    pub turn: DVec3,
    /// N m/rad between the two axes of the section.
    pub turn_uv: f64,
    /// The section's axis.
    pub axis: usize,
}

impl Spring {
    /// The layer between blocks whose centres are `length` apart along the axis (m).
    ///
    /// Axial E A / L and bending E I / L are a beam's. Shear is E / (1 + ν) A / L as in Kawai 1978: twice G, since in a body of
    /// many blocks the sections of both directions take half of a distortion each. Torsion is G J / L with Saint-Venant's
    /// J = A⁴ / (40 (Iuu + Ivv)) for solid sections (Timoshenko and Goodier, Theory of Elasticity, 1951, section 106).
    pub fn new(section: &Section, law: &Law, length: f64) -> Self {
        let area = section.area;
        // Centres may lie in one plane with the section (a hook's end), but a layer has some thickness.
        let length = length.abs().max(area.sqrt() / 16.0);
        let [iuu, ivv, iuv] = second_moments(section);
        let young = law.young / length;
        let poisson = if -0.9 < law.poisson && law.poisson <= 0.5 {
            law.poisson
        } else {
            0.0
        };
        let shear = young / (1.0 + poisson);
        let torsion = area * area / (iuu + ivv) * (area * area) / 40.0;
        let axis = section.axis;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut shift = DVec3::splat(shear * area);
        shift[axis] = young * area;
        let mut turn = DVec3::ZERO;
        turn[axis] = 0.5 * shear * torsion;
        turn[u] = young * iuu;
        turn[v] = young * ivv;
        Spring {
            shift,
            turn,
            turn_uv: -young * iuv,
            axis,
        }
    }

    /// The force on the high side by the low one, for the displacement of the high side against the low one.
    #[inline]
    pub fn force(&self, by: DVec3) -> DVec3 {
        -(self.shift * by)
    }

    /// The moment on the high side by the low one, for the turn of the high side against the low one.
    #[inline]
    pub fn moment(&self, by: DVec3) -> DVec3 {
        let (u, v) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let mut moment = self.turn * by;
        moment[u] += self.turn_uv * by[v];
        moment[v] += self.turn_uv * by[u];
        -moment
    }
}
