//! The level's own textures: images from WADs and folders, instead of made materials.
//!
//! `library` finds the images of texture names, in order of preference; `wad`, `wal` and `texture_image` read them;
//! `palette` has the colours of indexed images; `level_textures` holds the images of a level. An image is projected as the
//! map says: its texels are the map's. It covers built faces only; faces that a blast opens show made rubble. An image that
//! cannot be read gives a warning, and the made material stays.
//!
//! Only drawing depends on it: the world, its hash and recordings are the same with and without.
mod bytes;
mod indexed_image;
mod level_textures;
mod library;
mod limits;
mod palette;
mod tally;
#[cfg(test)]
mod tests;
mod texture_image;
mod wad;
mod wal;

pub use level_textures::Textures;
pub(super) use limits::MAX_IMAGES;
pub use palette::OWN as OWN_PALETTE;
pub use tally::Tally;
pub(super) use texture_image::TextureImage;
