//! An enum that knows all its variants: a macro, as a crate that derives the list would bring four others along.

/// Declares an enum and `ALL`, the list of its variants in order.
macro_rules! enum_with_all {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident,)*
        }
    ) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$variant_meta])* $variant,)*
        }

        impl $name {
            /// All variants, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
        }
    };
}
pub(crate) use enum_with_all;
