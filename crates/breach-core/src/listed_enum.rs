//! Enums with a list of their variants.

/// Declares an enum with `ALL` and `COUNT`, and with `name()` if its variants are given texts. No hand-kept list can
/// miss a new variant.
macro_rules! listed_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        listed_enum! {
            $(#[$meta])*
            $vis enum $name { $($(#[$variant_meta])* $variant,)+ }
        }

        impl $name {
            /// Its text in the window, in reports and in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident,)+
        }
    ) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            /// Number of variants.
            pub const COUNT: usize = [$(Self::$variant),+].len();

            /// All variants, in the order of their declaration.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];
        }
    };
}
