//! The baked materials: the functions of shaders/bake.wgsl for the surface and the inside of each look.
use crate::level::material::Look;

/// Lists all looks by number, with their functions. A missing look does not compile.
macro_rules! baked_looks {
    ($($look:ident: $surface:literal, $inside:literal;)*) => {
        const LOOKS: &[Look] = &[$(Look::$look),*];

        const fn functions_of(look: Look) -> [&'static str; 2] {
            match look {
                $(Look::$look => [$surface, $inside],)*
            }
        }
    };
}

baked_looks! {
    Concrete: "concrete", "concrete_inner";
    Brick: "brick", "brick_inner";
    Plaster: "plaster", "plaster_inner";
    Tile: "tile", "tile_inner";
    Metal: "metal", "metal_inner";
    Wood: "wood", "wood_inner";
    Rock: "rock", "rock_inner";
    Soil: "soil", "soil_inner";
    Liquid: "liquid", "rock_inner";
    Sky: "rock", "rock_inner";
    Light: "lamp", "rock_inner";
}

/// Number of looks.
pub(super) const LOOK_COUNT: u32 = LOOKS.len() as u32;

// A look's number is its discriminant.
const _: () = {
    let mut i = 0;
    while i < LOOKS.len() {
        assert!(LOOKS[i] as usize == i);
        i += 1;
    }
};

/// The look of a number.
pub(super) fn look_of(number: u32) -> Look {
    LOOKS.get(number as usize).copied().unwrap_or(Look::Rock)
}

/// The number of the look of the inside, by number.
pub(super) fn inside_of(number: u32) -> u32 {
    let look = look_of(number);
    let inside = match look {
        Look::Concrete
        | Look::Brick
        | Look::Plaster
        | Look::Tile
        | Look::Metal
        | Look::Wood
        | Look::Rock
        | Look::Soil => look,
        Look::Liquid | Look::Sky | Look::Light => Look::Rock,
    };
    inside as u32
}

/// The function that bakes a layer: the surface of a look at twice its number, its inside after that.
pub(super) fn bake_function(layer: usize) -> Option<&'static str> {
    let look = *LOOKS.get(layer / 2)?;
    Some(functions_of(look)[layer % 2])
}
