//! The scenes of File > Examples, rows of [`SCENES`]: level, settings, view, drawings, and a text on what to do and see.
//!
//! A scene is played like any level: its preparations are commands of its first ticks ([`Scene::actions`]), its settings
//! are in the recording's head ([`Scene::settings`]), so a recording of it replays without the scene. Its settings are the
//! defaults with overrides, whatever the user's preferences, so that the text holds: tests/scenes.rs plays every row and
//! checks it. Metres, radians, ticks. Called by `ui` for the menu and the card, and by `app`.
use crate::builtin::{self, BuiltinLevel};
use crate::bvh::SplitRule;
use crate::sim::{Action, Settings, Shot};
use crate::view::Overlays;
use crate::world::Solver;
use glam::DVec3;
use std::fmt;

/// A row of [`SCENES`].
pub struct Scene {
    /// Title in the menu and on the card.
    pub name: &'static str,
    /// Text on what to do and what to see.
    pub says: &'static str,
    /// Name of a built-in level, or of one in levels/scenes.
    level: &'static str,
    /// Overrides of the default settings.
    differs: fn(&mut Settings),
    /// Eye, metres; a walking player drops to the floor below.
    pub eye: [f64; 3],
    /// Point that it looks at, metres.
    pub at: [f64; 3],
    /// Whether the player walks; otherwise it flies.
    walks: bool,
    /// Projectile of a click.
    pub shot: Shot,
    /// Turns debug drawings on.
    shows: fn(&mut Overlays),
    /// Titles of the panels brought to the front.
    pub panels: &'static [&'static str],
    /// Whether the ray along the look is picked, to be walked bin by bin.
    pub takes_ray: bool,
    /// Action of a tick, besides the user's.
    prepares: fn(u64) -> Option<Action>,
}

/// Default values of a scene.
const PLAIN: Scene = Scene {
    name: "",
    says: "",
    level: builtin::START,
    differs: |_| (),
    eye: [0.0; 3],
    at: [0.0; 3],
    walks: true,
    shot: Shot::Rocket,
    shows: |_| (),
    panels: &[],
    takes_ray: false,
    prepares: |_| None,
};

/// Every scene, as the menu lists them.
pub static SCENES: &[Scene] = &[
    Scene {
        name: "A bridge to bring down",
        says: "Each part of the bridge stands on one pier. Fire at the shaft in front of you until it gives way: \
               the deck falls.",
        level: "bridge",
        differs: |settings| {
            settings.blast_radius = 1.6;
            settings.strength = 1.0;
        },
        eye: [14.0, -2.5, 12.0],
        at: [19.0, -4.5, 0.0],
        walks: false,
        ..PLAIN
    },
    Scene {
        name: "Pillars to thin",
        says: "The balcony ahead stands on two pillars and touches no wall. Thin both with small rockets: it falls \
               when what is left of them is too weak.",
        level: "pillars",
        differs: |settings| {
            settings.blast_radius = 0.6;
            settings.strength = 1.0;
        },
        eye: [17.0, 1.5, -13.0],
        at: [17.0, 3.2, -3.75],
        ..PLAIN
    },
    Scene {
        name: "A beam to break at its root",
        says: "The beam holds a weight at its end, so it is pulled most along its top, at the wall. Fire small rockets at it \
               there: it breaks long before it is cut through.",
        level: "beam",
        differs: |settings| {
            settings.blast_radius = 0.35;
            settings.strength = 1.0;
        },
        eye: [9.5, 5.5, 6.8],
        at: [20.75, 6.3, 0.5],
        walks: false,
        ..PLAIN
    },
    Scene {
        name: "An arch and its keystone",
        says: "Stones lean on each other in three arches. Fire at the red keystone of the first: without it neither half \
               stands. At strength 0 both would stay where they are.",
        level: "arch",
        differs: |settings| {
            settings.blast_radius = 1.1;
            settings.strength = 1.0;
        },
        eye: [-3.25, 1.5, 0.0],
        at: [7.7, 7.4, 0.0],
        ..PLAIN
    },
    Scene {
        name: "A house of cards",
        says: "Slabs lean on each other in pairs, three storeys of them. Shoot one card of the lowest storey away: what stands \
               on it comes down, bit by bit; the rest may stay.",
        level: "cards",
        differs: |settings| {
            settings.blast_radius = 1.2;
            settings.strength = 1.0;
        },
        eye: [0.75, 1.5, 0.5],
        at: [12.0, 1.2, -3.6],
        ..PLAIN
    },
    Scene {
        name: "A house on four columns",
        says: "The tank on the roof stands over the nearest column. Shoot that one through: the other three cannot hold the \
               house level, and it comes down in one piece.",
        level: "stilts",
        differs: |settings| {
            settings.blast_radius = 0.5;
            settings.strength = 1.0;
        },
        eye: [2.0, 1.5, -2.0],
        at: [10.5, 1.75, -10.5],
        ..PLAIN
    },
    Scene {
        name: "Piers that carry unequally",
        says: "One deck lies on three piers of one size, and the middle one carries a gatehouse too. Thin them alike with \
               rockets: the middle one gives way first, and the deck breaks.",
        level: "viaduct",
        differs: |settings| {
            settings.blast_radius = 0.35;
            settings.strength = 1.0;
        },
        eye: [6.0, -2.0, 9.0],
        at: [14.5, -3.0, 0.0],
        walks: false,
        ..PLAIN
    },
    Scene {
        name: "A wall to see through",
        says: "Fire small rockets at one place of the wall ahead until you see the room behind: the hole is a portal then, \
               with an outline of its own, and that room is drawn.",
        level: "bunker",
        differs: |settings| settings.blast_radius = 0.5,
        eye: [13.1, 1.5, -10.8],
        at: [20.0, 3.1, -10.15],
        shows: |overlays| overlays.portals = true,
        ..PLAIN
    },
    Scene {
        name: "Curves to shoot at",
        says: "The vault, the pipes and the columns are curved patches, as in Quake 3's levels; the heap is a terrain. All \
               are solid: shoot the vault open, and a pipe off its wall.",
        level: "vault",
        eye: [2.2, 1.5, 0.6],
        at: [14.0, 2.6, 0.0],
        ..PLAIN
    },
    Scene {
        name: "Water, and what floats in it",
        says: "Shoot the thin rods: the wooden crate floats, the concrete one sinks. Swim (Space goes up), look up from below, \
               and shoot the wall of the dry pit: the water stays where it is.",
        level: "pool",
        eye: [4.0, 1.5, 0.0],
        at: [12.5, 1.6, 0.0],
        ..PLAIN
    },
    Scene {
        name: "Doors, a lift and a train",
        says: "The door opens as you come near; behind it a train crosses a pit. On the right is a lift, on the left a button for \
               the gate. Shoot the door: it is carved like a wall, and falls when half of it is gone.",
        level: "lifts",
        eye: [8.0, 1.5, 0.0],
        at: [20.5, 2.0, 0.0],
        ..PLAIN
    },
    Scene {
        name: "A thin sheet and a discrete rocket",
        says: "The steel is 3 cm thick, a rocket flies 67 cm a tick, and only the end of each tick is looked at: fire, \
               and it goes through unseen. Choose \u{201c}swept\u{201d} under Rules: now each one hits.",
        level: "sheet",
        differs: |settings| settings.solver = Solver::Discrete,
        eye: [2.0, 1.5, 0.0],
        at: [13.0, 1.5, 0.0],
        shows: |overlays| (overlays.rays, overlays.hits) = (true, true),
        panels: &["Rules"],
        ..PLAIN
    },
    Scene {
        name: "A heap of 10,000 crumbs",
        says: "10,000 stones fall into a pit. Rings show who moves and who rests: soon all sleep, and cost nothing. Fire \
               into the heap, and only those wake that it reaches.",
        level: "pit",
        differs: |settings| settings.max_bodies = 12_000,
        eye: [-8.0, 1.5, 5.5],
        at: [0.0, -2.5, 0.0],
        shows: |overlays| overlays.spheres = true,
        panels: &["Timings"],
        prepares: |tick| {
            let pour = Action::Pour {
                at: [0.0, 12.0, 0.0],
                spread: 2.5,
                crumbs: POURED_A_TICK,
                radius: 0.15,
            };
            (POUR_FROM..POUR_FROM + POUR_TICKS)
                .contains(&tick)
                .then_some(pour)
        },
        ..PLAIN
    },
    Scene {
        name: "A tree to tune",
        says: "Boxes in boxes: how a query finds its faces. This tree is cut badly. Choose \u{201c}surface area\u{201d} \
               and more depth under Box trees, and read in Trees what that saves: the world stays the same.",
        level: "bunker",
        differs: |settings| {
            settings.tree.split = SplitRule::Mean;
            settings.tree.max_depth = 2;
            settings.tree.faces_per_bin = 64;
        },
        eye: [2.0, 1.5, -6.0],
        at: [12.0, 1.5, -6.0],
        shows: |overlays| overlays.bins = true,
        panels: &["Bins", "Trees"],
        ..PLAIN
    },
    Scene {
        name: "A ray to walk",
        says: "The long line is one ray. Step along it with > in Bins: which boxes it misses, which it enters, where faces \
               are tested, and how it goes through doors from room to room.",
        level: "bunker",
        eye: [2.0, 1.5, -6.0],
        at: [40.0, 1.3, -6.2],
        panels: &["Bins"],
        takes_ray: true,
        ..PLAIN
    },
];

/// Crumbs poured in each tick, number of those ticks, and the first of them.
const POURED_A_TICK: u32 = 25;
const POUR_TICKS: u64 = 400;
const POUR_FROM: u64 = 30;

impl Scene {
    /// Its level.
    ///
    /// # Panics
    /// Never: a test looks up each.
    pub fn level(&self) -> &'static BuiltinLevel {
        builtin::find_scene_level(self.level).expect("the program has the levels of its scenes")
    }

    /// Its settings.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        (self.differs)(&mut settings);
        settings
    }

    /// Its debug drawings, with the palette of `usual`.
    pub fn overlays(&self, usual: Overlays) -> Overlays {
        let palette = usual.palette;
        let mut overlays = Overlays {
            palette,
            ..Overlays::default()
        };
        (self.shows)(&mut overlays);
        overlays
    }

    /// Look direction: yaw to the left from -Z and pitch up, radians.
    pub fn look(&self) -> [f64; 2] {
        let look = DVec3::from(self.at) - DVec3::from(self.eye);
        let level = libm::hypot(look.x, look.z);
        [libm::atan2(-look.x, -look.z), libm::atan2(look.y, level)]
    }

    /// Its actions in a tick, besides the user's; those of tick 0 place the player.
    pub fn actions(&self, tick: u64) -> Vec<Action> {
        let mut actions = Vec::new();
        if tick == 0 {
            actions.extend([Action::Walk(self.walks), Action::Teleport(self.eye)]);
        }
        actions.extend((self.prepares)(tick));
        actions
    }

    /// The next scene in the menu, cyclically.
    pub fn next(&self) -> &'static Scene {
        let now = SCENES.iter().position(|scene| scene == self);
        &SCENES[now.map_or(0, |now| (now + 1) % SCENES.len())]
    }
}

impl fmt::Debug for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Names are unique.
impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
