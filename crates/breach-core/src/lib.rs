//! A kernel for levels that can be destroyed: exact holes in real time, and what a game asks of the result.
//!
//! ```text
//!   a solid          a ball is carved       a cut frees the end     debris
//!  +-----------+     +-----------+          +-------+ +--+          +-------+
//!  |           |     |   .-.     |          |  .-.  | |  |          |  .-.  |  +--+
//!  |           | --> |  (   )    |   -->    | (   ) | |  |   -->    | (   ) |  |  |
//!  |           |     |   '-'     |          |  '-'  | |  |          |  '-'  |  |  |
//!  +-----------+     +-----------+          +-------+ +--+          +-------+  +--+
//! ```
//!
//! A [`world::World`] is space cut into air and solid by exact planes on a grid of 1/16384 m. A carve takes convex brushes
//! out of the solid: in every cell that they touch or in none, without an epsilon, watertight afterwards. Pieces that hang
//! on nothing any more leave the world and fall as [`debris`]. Rays and swept spheres meet the same triangles that are
//! drawn. No window, no file, no clock, no global state, no unsafe code.
//!
//! # A host in thirty lines
//!
//! ```
//! use breach_core::bvh::QueryStats;
//! use breach_core::debris::{Body, Debris, Forces};
//! use breach_core::glam::DVec3;
//! use breach_core::world::{BrushDesc, EditError, SurfaceTracker, World};
//!
//! // A wall of 6 m by 3 m that hangs in air; metres, y up.
//! let mut world = World::solid_box(DVec3::ZERO, DVec3::new(6.0, 3.0, 0.5))?;
//! let mut surface = SurfaceTracker::default();
//! for triangle in surface.update(&world).changed {
//!     let _ = (triangle.id, triangle.points, triangle.normal, triangle.material); // to the host's buffers
//! }
//!
//! // A cut right through it, 25 cm wide. What changed, and what fell:
//! let cut = BrushDesc::cuboid(DVec3::new(4.0, -1.0, -1.0), DVec3::new(4.25, 4.0, 1.0))?;
//! let carved = world.carve(&cut)?;
//! let changes = surface.update(&world);
//! assert!(!changes.changed.is_empty());
//! assert_eq!(carved.pieces.len(), 1);
//! assert!((carved.pieces[0].solid.volume_m3 - 1.75 * 3.0 * 0.5).abs() < 1e-9);
//!
//! // The piece as a rigid body, and a sixtieth of a second:
//! let mut debris = Debris::default();
//! let body = Body::from_island(&carved.pieces[0].solid).expect("large enough to be a body");
//! debris.spawn(body);
//! debris.step(&world, &Forces::default(), &mut QueryStats::default());
//!
//! // Through the gap; a ball of 10 cm passes it too, one of half a metre does not.
//! let (from, to) = (DVec3::new(4.125, 1.5, 5.0), DVec3::new(4.125, 1.5, -5.0));
//! assert_eq!(world.ray(from, to), None);
//! assert_eq!(world.sweep(from, to, 0.1), None);
//! assert!(world.sweep(from, to, 0.5).is_some());
//! # Ok::<(), EditError>(())
//! ```
//!
//! `examples/embed.rs` is the same as a program; `crates/breach-c` is the kernel for C, `examples/bevy` a wall in
//! Bevy.
//!
//! # Where things are
//!
//! | module | what it answers |
//! |---|---|
//! | [`world`] | Where is air, what bounds it, what changes when a brush is applied? Builders in metres, carve and fill, undo, rays and sweeps, changed triangles |
//! | [`debris`] | How do pieces and crumbs fall, tumble, pile up and come to rest? |
//! | [`carve`] | What does a convex brush do to the faces of one cell? Shapes, hulls, blasts |
//! | [`bvh`] | Which triangles can a ray or a moving sphere meet? Box trees that are edited in place |
//! | [`collide`] | Where does this meet that? One query a file, named `verb_shape_shape` |
//! | [`exact`] | On which side of a plane, at which point, in which order? Integers only |
//! | [`geom`] | Boxes, planes, polygons, random numbers, hashes |
//! | [`stage`] | The phases of a carve, for hosts that time them |
//! | [`structure`] | What holds what: which forces the blocks of a structure pass on, and how near their bonds are to their strength |
//!
//! # What holds
//!
//! - **The same bits everywhere.** The same calls give the same world ([`world::World::hash`]) and the same motion on every
//!   machine, in debug and release, with one thread or many.
//! - **No panic on input.** Numbers that are NaN or infinite, shapes without an inside, meshes that are open or run through
//!   themselves, and coordinates beyond ±1024 m come back as an error that says why.
//!   ([`debris::Debris::step`] asserts that the host's own constants are in range.)
//! - **Large changes can be spread.** [`world::World::begin`] and [`world::World::advance`] do a carve in slices of bounded
//!   work; until it is done everything is as before.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `rayon` | yes | building worlds and stepping debris on all cores; the results are the same bits without |
//! | `serde` | no | settings, boxes and random generators as serde's data |
//! | `sources` | no | the text of the collision queries, for programs that show it |
#![deny(missing_docs)]

// First, so that its macro is in scope everywhere.
#[macro_use]
mod listed_enum;

pub mod bvh;
pub mod carve;
pub mod collide;
pub mod debris;
pub mod exact;
pub mod geom;
pub mod solid;
pub mod stage;
pub mod strength;
pub mod structure;
pub mod world;

/// The vectors that the interface is made of, in the version that it is made of.
pub use glam;

/// The page for crates.io, whose example runs with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
