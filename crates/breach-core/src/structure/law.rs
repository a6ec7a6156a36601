//! Elastic constants and strengths of materials.

/// How a material resists. SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// kg/m³.
    pub density: f64,
    /// Young's modulus; Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Tensile strength; Pa.
    pub tension: f64,
    /// Compressive strength; Pa.
    pub compression: f64,
    /// Shear strength without compression: the cohesion; Pa.
    pub shear: f64,
    /// What a mean compression of 1 Pa adds to the shear strength (Mohr and Coulomb); Pa.
    pub friction: f64,
}

listed_enum! {
    /// What levels are made of.
    ///
    /// Strengths are characteristic ones (what 95 of 100 specimens reach) of an ordinary grade, those of concrete in tension and of rock mean
    /// ones; all are short-term, without a safety factor.
    ///
    /// | material | grade and source |
    /// |---|---|
    /// | Concrete | C25/30: f_ck 25 MPa, f_ctm 2.6 MPa, E_cm 31 GPa, EN 1992-1-1 table 3.1; ν 0.2, 3.1.3; 24 kN/m³, EN 1991-1-1 table A.1, as 2400 kg/m³; cohesion √(f_c f_t) / 2, where Mohr's line touches both circles; friction 0.7 of a rough joint, EN 1992-1-1 6.2.5 |
    /// | Brick | clay bricks of 15 MPa in mortar M5: f_k = 0.55 f_b^0.7 f_m^0.3 = 5.9 MPa, EN 1996-1-1 3.6.1; E = 1000 f_k, 3.7.2; G = 0.4 E, 3.7.3, so ν 0.25; f_vk0 0.2 MPa and 0.4 of the compression, 3.6.2 and table 3.4; bending along and across the beds 0.1 and 0.4 MPa, 3.6.3, here their mean as the law has no direction; 1800 kg/m³, as solid bricks have |
    /// | Rock | limestone, intact, rather weak: 60 MPa, where Amadei (Rock Mechanics notes, CVEN 5768, 1996, table 1) has 35 to 373 MPa in 51 tests; our choice within what quarries state: tension a twelfth, E 50 GPa, ν 0.25; cohesion √(f_c f_t) / 2; friction 0.85, as rock on rock has below 200 MPa (Byerlee, Friction of Rocks, 1978) |
    /// | Wood | C24: density 420, E 11 GPa, f_t0 14.5 MPa, f_c0 21 MPa, f_v 4.0 MPa, EN 338 table 1 (2016); ν 0.37 (Wood Handbook, FPL-GTR-190, table 5-2) |
    /// | Metal | S235: 235 MPa, EN 10025-2; E 210 GPa, ν 0.3, shear f_y / √3, EN 1993-1-1 3.2.6 and 6.2.6; 7850 kg/m³, EN 1993-1-2 3.2.2 |
    /// | Soil | very stiff clay, whose undrained cohesion is 100 to 200 kPa (Terzaghi, Peck and Mesri, Soil Mechanics in Engineering Practice, 1996): 150 kPa, so crushed at twice that; tension a tenth; E 60 MPa (USACE EM 1110-1-1904: 48 to 96 MPa for stiff clay); ν 0.3, as it is not saturated; tan 25° |
    /// | Glass | annealed float: 2500 kg/m³, E 70 GPa, ν 0.2, bending 45 MPa, EN 572-1; compression 800 MPa, where makers give up to 1000 (shear fails by the tension across it) |
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StructuralMaterial {
        /// Plain concrete.
        Concrete = "concrete",
        /// Brickwork in mortar.
        Brick = "brick",
        /// Limestone.
        Rock = "rock",
        /// Softwood along the grain.
        Wood = "wood",
        /// Structural steel.
        Metal = "metal",
        /// Stiff clay.
        Soil = "soil",
        /// Float glass.
        Glass = "glass",
    }
}

impl StructuralMaterial {
    /// The material of a law.
    pub fn of(law: &Law) -> Option<StructuralMaterial> {
        Self::ALL
            .into_iter()
            .find(|material| material.law() == *law)
    }

    /// Its constants; the table above says where they come from.
    pub const fn law(self) -> Law {
        // Density, Young's modulus, Poisson's ratio, tension, compression, shear, friction.
        let [
            density,
            young,
            poisson,
            tension,
            compression,
            shear,
            friction,
        ] = match self {
            Self::Concrete => [2400.0, 31e9, 0.2, 2.6e6, 25e6, 4.0e6, 0.7],
            Self::Brick => [1800.0, 5.9e9, 0.25, 0.25e6, 5.9e6, 0.2e6, 0.4],
            Self::Rock => [2600.0, 50e9, 0.25, 5e6, 60e6, 8.7e6, 0.85],
            Self::Wood => [420.0, 11e9, 0.37, 14.5e6, 21e6, 4e6, 0.0],
            Self::Metal => [7850.0, 210e9, 0.3, 235e6, 235e6, 135.7e6, 0.0],
            Self::Soil => [1900.0, 60e6, 0.3, 30e3, 300e3, 150e3, 0.47],
            Self::Glass => [2500.0, 70e9, 0.2, 45e6, 800e6, 45e6, 0.0],
        };
        Law {
            density,
            young,
            poisson,
            tension,
            compression,
            shear,
            friction,
        }
    }
}
