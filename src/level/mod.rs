//! `.map` files: reading, writing, and the world that they describe. Takes and gives bytes.
//!
//! A level IS a Quake map. Reading goes from tokens (`lex`) to a syntax tree (`parse`, and `patch` for curved surfaces, of the
//! types in `parsed`); `on_grid` rounds all brushes to the grid (`brush` one by one, `planes` with shared planes), and `curves`
//! makes patches solid on it; `material` reads textures (`pictures`:
//! their files), `entities` classes and keys (`keys`, `sun`); `import` puts the description together ([`LevelDesc`]).
//! What differs between games is in three tables: `game` (which game), `volumes` (what is solid), `starts` (where players
//! begin). `layers` skips what an editor's export omits, `skips` counts what else is skipped; `foreign` recognises other kinds
//! of files. `liquid` has liquids, `movers` moving solids. Writing (`write`) keeps the file's own text and appends the
//! operations since.
//! Units of the file: 32 to the metre, Z up, so (x, y, z) of the file is (x, z, −y)/32 in metres.
mod brush;
mod curves;
mod desc;
mod entities;
mod error;
pub mod export;
mod foreign;
mod game;
mod grid;
mod import;
mod keys;
mod layers;
mod lex;
mod light;
mod liquid;
mod locate;
mod map_file;
pub mod material;
pub mod movers;
mod on_grid;
mod parse;
mod parsed;
mod patch;
mod patch_brushes;
mod pictures;
mod planes;
mod points;
pub mod rules;
mod skips;
mod starts;
mod sun;
mod volumes;
mod write;

pub use desc::{CoarseFace, Curves, LevelDesc, SavedOperation, Warning};
pub use error::LevelError;
pub use game::Game;
pub use import::{read_map, read_recorded_map};
pub use light::{Light, Sun};
pub use liquid::{LiquidFace, LiquidKind, LiquidVolume, Liquids};
pub use locate::position_of_line;
pub use map_file::{Entity, MapFile};
pub use material::{Look, inner, look};
pub use movers::{
    Convex, Hinge, Motion, MoverDesc, MoverKind, Movers, Placement, Receiver, RelayDesc, Signals,
    StartedBy, Stop, TriggerDesc, TriggerEffect,
};
pub use pictures::Pictures;
pub use points::point_file;
pub use write::{operations, write_map, write_with};
