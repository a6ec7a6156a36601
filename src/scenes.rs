//! What does File > Examples open? A row of [`SCENES`] each: a level, the settings that differ, where one stands, what is
//! shown, and a sentence on what to do and see.
//!
//! A scene is played like any level: what it prepares are commands of its first ticks ([`Scene::actions`]), what it
//! changes are settings in the recording's head ([`Scene::settings`]), so a recording of it needs no scene to be played
//! again. Its settings are the defaults with what differs, whatever somebody prefers, so that the sentence holds:
//! tests/scenes.rs plays every row and looks. Metres, radians, ticks. Called by `ui` for the menu and the card, by `app`.
use crate::bvh::SplitRule;
use crate::ours::{self, OwnLevel};
use crate::sim::{Action, Settings, Shot};
use crate::view::Overlays;
use crate::world::Solver;
use glam::DVec3;
use std::fmt;

/// A row of [`SCENES`].
pub struct Scene {
    /// In the menu, and over the sentence.
    pub name: &'static str,
    /// What to do and what to see, in a sentence or two.
    pub says: &'static str,
    /// One of ours, or of levels/scenes.
    level: &'static str,
    /// What differs from the default settings.
    differs: fn(&mut Settings),
    /// Where the eye is, metres; a walking player drops to the floor below.
    pub eye: [f64; 3],
    /// What it looks at, metres.
    pub at: [f64; 3],
    /// It walks; else it flies.
    walks: bool,
    /// What a click fires.
    pub shot: Shot,
    /// Debug drawings that are on.
    shows: fn(&mut Overlays),
    /// Titles of the panels that are brought to the front.
    pub panels: &'static [&'static str],
    /// The ray along the look is taken, to be walked bin by bin.
    pub takes_ray: bool,
    /// What is done in this tick of the level, beside what people do.
    prepares: fn(u64) -> Option<Action>,
}

/// What most scenes have.
const PLAIN: Scene = Scene {
    name: "",
    says: "",
    level: ours::START,
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
        says: "Each part of the bridge stands on one pier. Fire at the shaft in front of you until it is cut through: \
               the deck falls, in one piece.",
        level: "bridge",
        differs: |settings| settings.blast_radius = 1.6,
        eye: [14.0, -2.5, 12.0],
        at: [19.0, -4.5, 0.0],
        walks: false,
        ..PLAIN
    },
    Scene {
        name: "Pillars to thin",
        says: "The balcony ahead stands on two pillars and touches no wall. Thin both with small rockets: it stays up \
               while a thread of stone holds, and falls with the last one.",
        level: "pillars",
        differs: |settings| settings.blast_radius = 0.6,
        eye: [17.0, 1.5, -13.0],
        at: [17.0, 3.2, -3.75],
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

/// Crumbs of the heap that are poured in each of so many ticks, and the first of these.
const POURED_A_TICK: u32 = 25;
const POUR_TICKS: u64 = 400;
const POUR_FROM: u64 = 30;

impl Scene {
    /// Its level.
    ///
    /// # Panics
    /// Never: a test finds each.
    pub fn level(&self) -> &'static OwnLevel {
        ours::find_of_scene(self.level).expect("the program has the levels of its scenes")
    }

    /// What its level is opened with.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        (self.differs)(&mut settings);
        settings
    }

    /// What is drawn beside the picture, in the palette of these.
    pub fn overlays(&self, usual: Overlays) -> Overlays {
        let palette = usual.palette;
        let mut overlays = Overlays {
            palette,
            ..Overlays::default()
        };
        (self.shows)(&mut overlays);
        overlays
    }

    /// Where it looks: yaw to the left from -Z and pitch up, radians.
    pub fn look(&self) -> [f64; 2] {
        let look = DVec3::from(self.at) - DVec3::from(self.eye);
        let level = libm::hypot(look.x, look.z);
        [libm::atan2(-look.x, -look.z), libm::atan2(look.y, level)]
    }

    /// What is done in this tick of the level, beside what people do; first of all it puts them in their place.
    pub fn actions(&self, tick: u64) -> Vec<Action> {
        let mut actions = Vec::new();
        if tick == 0 {
            actions.extend([Action::Walk(self.walks), Action::Teleport(self.eye)]);
        }
        actions.extend((self.prepares)(tick));
        actions
    }

    /// The one after it in the menu; after the last the first.
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

/// Names are given once.
impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
