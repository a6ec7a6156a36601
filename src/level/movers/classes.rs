//! Which classes of which games move, feel the player, or pass signals on: one table.
use crate::level::game::Game;

/// The games by whose entities theirs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::level) enum Engine {
    Quake,
    HalfLife,
    Quake2,
    Quake3,
}
use Engine::{HalfLife, Quake, Quake2, Quake3};

impl Engine {
    /// None for Doom 3: its entities are named by other keys, and their brushes are relative to an origin.
    pub fn of(game: Game) -> Option<Self> {
        match game {
            Game::Quake | Game::Breach | Game::Hexen2 => Some(Quake),
            Game::HalfLife => Some(HalfLife),
            Game::Quake2 | Game::Heretic2 | Game::Kingpin | Game::Sin | Game::Daikatana => {
                Some(Quake2)
            }
            Game::Quake3 => Some(Quake3),
            Game::Doom3 => None,
        }
    }
}

/// What an entity does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::level) enum Role {
    Mover(MoverRole),
    Trigger(TriggerRole),
    Relay(RelayRole),
}

/// How its keys are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::level) enum MoverRole {
    Door,
    SecretDoor,
    TurningDoor,
    Plat,
    Button,
    TurningButton,
    Train,
    Rotating,
}

impl MoverRole {
    /// Whether an origin brush tells where it turns, or what of it follows the corners.
    pub fn has_pivot(self, engine: Engine) -> bool {
        match self {
            Self::TurningDoor | Self::TurningButton | Self::Rotating => true,
            Self::Train => engine == Quake3,
            Self::Door | Self::SecretDoor | Self::Plat | Self::Button => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::level) enum TriggerRole {
    Once,
    Multiple,
    Teleport,
    Push,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::level) enum RelayRole {
    Relay,
    /// A relay whose `wait` is its delay.
    Delay,
    Counter,
}

const EVERY: &[Engine] = &[Quake, HalfLife, Quake2, Quake3];
const NOT_QUAKE_3: &[Engine] = &[Quake, HalfLife, Quake2];

/// Whole names of classes. Mods borrow from other games: a class that means the same wherever it occurs is in every game.
#[rustfmt::skip]
const CLASSES: &[(&[Engine], &str, Role)] = &[
    (EVERY, "func_door", Role::Mover(MoverRole::Door)),
    (EVERY, "func_door_secret", Role::Mover(MoverRole::SecretDoor)),
    (EVERY, "func_door_rotating", Role::Mover(MoverRole::TurningDoor)),
    (EVERY, "func_plat", Role::Mover(MoverRole::Plat)),
    (&[Quake2], "func_plat2", Role::Mover(MoverRole::Plat)),
    (EVERY, "func_button", Role::Mover(MoverRole::Button)),
    (EVERY, "func_rot_button", Role::Mover(MoverRole::TurningButton)),
    (EVERY, "func_train", Role::Mover(MoverRole::Train)),
    (EVERY, "func_rotating", Role::Mover(MoverRole::Rotating)),
    (EVERY, "trigger_once", Role::Trigger(TriggerRole::Once)),
    (EVERY, "trigger_secret", Role::Trigger(TriggerRole::Once)),
    (EVERY, "trigger_multiple", Role::Trigger(TriggerRole::Multiple)),
    (EVERY, "trigger_teleport", Role::Trigger(TriggerRole::Teleport)),
    (EVERY, "trigger_push", Role::Trigger(TriggerRole::Push)),
    (NOT_QUAKE_3, "trigger_relay", Role::Relay(RelayRole::Relay)),
    (NOT_QUAKE_3, "trigger_counter", Role::Relay(RelayRole::Counter)),
    (&[Quake3], "target_relay", Role::Relay(RelayRole::Relay)),
    (&[Quake3], "target_delay", Role::Relay(RelayRole::Delay)),
];

/// The role of a class in a game.
pub(in crate::level) fn role(game: Game, class: &str) -> Option<Role> {
    let engine = Engine::of(game)?;
    let mut rows = CLASSES.iter();
    rows.find(|row| row.0.contains(&engine) && row.1 == class)
        .map(|row| row.2)
}

/// Corners of trains.
pub(super) const CORNER: &str = "path_corner";

/// Classes of places where a teleport leads, and the height of a player's origin above theirs, units. A player's origin is 24
/// above its feet; Half-Life's destinations are where the feet are. Each game lifts the player off the floor a little.
const DESTINATIONS: &[(Engine, &str, f64)] = &[
    (Quake, "info_teleport_destination", 27.0),
    (HalfLife, "info_teleport_destination", 25.0),
    (HalfLife, "info_target", 25.0),
    (Quake2, "misc_teleporter_dest", 10.0),
    (Quake2, "info_teleport_destination", 10.0),
    (Quake3, "misc_teleporter_dest", 1.0),
    (Quake3, "target_position", 1.0),
    (Quake3, "info_teleport_destination", 1.0),
];

/// The height of a player's origin above that of a destination, units; None of another class.
pub(super) fn destination(engine: Engine, class: &str) -> Option<f64> {
    let mut rows = DESTINATIONS.iter();
    rows.find(|row| (row.0, row.1) == (engine, class))
        .map(|row| row.2)
}
