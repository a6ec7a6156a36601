//! Eight boxes, planes or triangles as a structure of arrays: one number of each per lane, to be loaded into one
//! register.
use super::bounds::Bounds;
use super::index::WIDTH;
use glam::Vec3A;

/// Eight numbers, one per lane.
pub(super) type Lanes = [f32; WIDTH];

/// Eight boxes. An empty lane holds a box that overlaps nothing.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Boxes {
    /// Minimum and maximum, by axis.
    pub walls: [[Lanes; 3]; 2],
}

impl Boxes {
    pub const EMPTY: Self = Self {
        walls: [[[f32::INFINITY; WIDTH]; 3], [[f32::NEG_INFINITY; WIDTH]; 3]],
    };

    #[inline]
    pub fn set(&mut self, lane: usize, bounds: &Bounds) {
        let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
        for axis in 0..3 {
            self.walls[0][axis][lane] = min[axis];
            self.walls[1][axis][lane] = max[axis];
        }
    }

    #[inline]
    pub fn get(&self, lane: usize) -> Bounds {
        let at = |side: &[Lanes; 3]| Vec3A::new(side[0][lane], side[1][lane], side[2][lane]);
        Bounds {
            min: at(&self.walls[0]),
            max: at(&self.walls[1]),
        }
    }

    /// The box around all lanes.
    pub fn union(&self) -> Bounds {
        let least = |lanes: &Lanes| lanes.iter().fold(f32::INFINITY, |a, &b| lower(b, a));
        let most = |lanes: &Lanes| lanes.iter().fold(f32::NEG_INFINITY, |a, &b| upper(b, a));
        Bounds {
            min: self.walls[0].each_ref().map(least).into(),
            max: self.walls[1].each_ref().map(most).into(),
        }
    }
}

/// The planes of a block's faces.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Planes {
    /// Unit normals; zero for slivers, whose normals cannot be trusted.
    pub normal: [Lanes; 3],
    /// normal · corner.
    pub offset: Lanes,
}

/// The corners of a block's faces, rounded to f32. Rounding preserves the order of coordinates.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Corners {
    /// By corner and axis. Infinite in an empty lane, which no box overlaps and no ray crosses.
    pub lanes: [[Lanes; 3]; 3],
}

impl Corners {
    #[inline]
    pub fn set(&mut self, lane: usize, corners: &[[f32; 3]; 3]) {
        let all = self.lanes.as_flattened_mut().iter_mut();
        for (lanes, &x) in all.zip(corners.as_flattened()) {
            lanes[lane] = x;
        }
    }

    #[inline]
    pub fn get(&self, lane: usize) -> [[f32; 3]; 3] {
        self.lanes.map(|corner| corner.map(|along| along[lane]))
    }
}

/// The minimum as `minps` defines it: the second operand if either is NaN.
#[inline(always)]
pub(super) fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The maximum as `maxps` defines it.
#[inline(always)]
pub(super) fn upper(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
