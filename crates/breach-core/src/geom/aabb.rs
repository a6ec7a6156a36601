//! The axis-aligned box.
use glam::DVec3;

/// An axis-aligned box, `min <= max` on each axis, surface included. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Lowest corner.
    pub min: DVec3,
    /// Highest corner.
    pub max: DVec3,
}

impl Aabb {
    /// The empty box, `min > max`: the neutral element of union; it overlaps and contains nothing.
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// The smallest box around two opposite corners, in any order.
    pub fn from_corners(a: DVec3, b: DVec3) -> Self {
        Self {
            min: a.min(b),
            max: a.max(b),
        }
    }

    /// The smallest box around points; None without points.
    pub fn from_points(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let bounds = points
            .into_iter()
            .fold(Self::EMPTY, |bounds, p| bounds.with_point(p));
        (!bounds.is_empty()).then_some(bounds)
    }

    /// The box with this centre and distances from the centre to the faces, metres.
    pub fn from_centre(centre: DVec3, half_size: DVec3) -> Self {
        Self {
            min: centre - half_size,
            max: centre + half_size,
        }
    }

    /// Whether it contains no point.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The intersection; None if they are apart.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let both = Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        };
        (!both.is_empty()).then_some(both)
    }

    /// The smallest box around this and a point.
    #[must_use]
    pub fn with_point(&self, point: DVec3) -> Self {
        Self {
            min: self.min.min(point),
            max: self.max.max(point),
        }
    }

    /// Each face moved outwards by `margin` metres.
    #[must_use]
    pub fn grow(&self, margin: f64) -> Self {
        Self {
            min: self.min - margin,
            max: self.max + margin,
        }
    }

    /// Whether they share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether the point is inside or on the surface.
    pub fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Whether it contains all of `other`; touching from inside counts.
    pub fn contains_box(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// The centre.
    pub fn centre(&self) -> DVec3 {
        self.min * 0.5 + self.max * 0.5
    }

    /// Edge lengths, metres.
    pub fn size(&self) -> DVec3 {
        self.max - self.min
    }

    /// Half the edge lengths, metres.
    pub fn half_size(&self) -> DVec3 {
        self.size() * 0.5
    }

    /// 0, 1, 2 for x, y, z; the first of equals.
    pub fn longest_axis(&self) -> usize {
        let size = self.size();
        if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        }
    }

    /// Area of all six faces, square metres; 0 for the empty box.
    pub fn surface(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let s = self.size();
        2.0 * (s.x * s.y + s.y * s.z + s.z * s.x)
    }

    /// Cubic metres; 0 for the empty box.
    pub fn volume(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            self.size().element_product()
        }
    }

    /// Length of the diagonal, metres.
    pub fn diagonal(&self) -> f64 {
        self.size().length()
    }

    /// The largest absolute coordinate, which scales the rounding errors.
    pub fn reach(&self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }

    /// The eight corners; bit 0 of the index takes x from `max`, bit 1 y, bit 2 z.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, axis: usize| {
                if i & bit != 0 {
                    self.max[axis]
                } else {
                    self.min[axis]
                }
            };
            DVec3::new(pick(1, 0), pick(2, 1), pick(4, 2))
        })
    }

    /// Its point nearest to `point` (`point` itself if inside).
    pub fn closest_point(&self, point: DVec3) -> DVec3 {
        point.max(self.min).min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Aabb {
        Aabb {
            min: DVec3::ZERO,
            max: DVec3::ONE,
        }
    }

    #[test]
    fn a_box_measures_itself() {
        let b = Aabb::from_corners(DVec3::new(3.0, 0.0, 2.0), DVec3::new(1.0, 4.0, 1.0));
        assert_eq!((b.surface(), b.volume(), b.longest_axis()), (28.0, 8.0, 1));
        assert_eq!(b.centre(), DVec3::new(2.0, 2.0, 1.5));
        assert_eq!(unit().longest_axis(), 0);
        assert_eq!(b.reach(), 4.0);
        assert!(b.corners().iter().all(|&c| b.contains(c)));
        assert_eq!(Aabb::from_points(b.corners()), Some(b));
    }

    #[test]
    fn touching_counts_and_the_empty_box_touches_nothing() {
        let next = Aabb {
            min: DVec3::X,
            max: DVec3::new(2.0, 1.0, 1.0),
        };
        assert!(unit().overlaps(&next));
        assert!(!unit().overlaps(&Aabb {
            min: DVec3::splat(1.0 + 1e-15),
            max: DVec3::splat(2.0)
        }));
        assert!(!unit().overlaps(&Aabb::EMPTY));
        assert_eq!(unit().union(&Aabb::EMPTY), unit());
        assert_eq!((Aabb::EMPTY.volume(), Aabb::EMPTY.surface()), (0.0, 0.0));
        assert_eq!(Aabb::from_points([]), None);
        assert_eq!(unit().intersection(&next).map(|b| b.volume()), Some(0.0));
        assert!(unit().contains_box(&unit()) && !unit().contains_box(&next));
    }
}
