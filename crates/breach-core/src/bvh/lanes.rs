//! Eight boxes, planes or triangles side by side, a number of each in one lane: what a wide register reads in one go.
use super::bounds::Bounds;
use super::index::WIDTH;
use glam::Vec3A;

/// Eight numbers, one a lane.
pub(super) type Lanes = [f32; WIDTH];

/// Eight boxes; an empty lane has one that nothing touches.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Boxes {
    /// Least and greatest, by axis.
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

    /// Around all lanes.
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
    /// Unit normals; zero where the face is too thin to have one that can be trusted.
    pub normal: [Lanes; 3],
    /// normal · any corner.
    pub offset: Lanes,
}

/// The corners of a block's faces, rounded to f32. Rounding keeps the order of coordinates.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Corners {
    /// By corner and axis; infinite where there is no face, which nothing touches or passes through.
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

/// The lower as the processor finds it: the second operand where either is no number.
#[inline(always)]
pub(super) fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The higher in the same way.
#[inline(always)]
pub(super) fn upper(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
