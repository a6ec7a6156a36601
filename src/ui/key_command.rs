//! The commands that keys, menus and gamepad buttons are bound to, as Quake's bindable commands.

/// A command with a key. The bindings of `app` give these, and so do menus ([`super::UiCommand::Key`]).
///
/// The settings file keeps changed keys under [`KeyCommand::name`], so a renamed variant keeps its name there.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs)]
pub enum KeyCommand {
    /// The rows of the mouse and of the sticks, which have no command.
    Mouse,
    /// Held keys: see [`KeyCommand::is_held`].
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
    Fast,
    /// Frees the mouse; the others are pressed once, too.
    Release,
    Help,
    #[strum(serialize = "panels")]
    HidePanels,
    Timings,
    Lab,
    Trees,
    Rules,
    Inspect,
    Map,
    MarkSight,
    Timeline,
    History,
    Compare,
    Rockets,
    Grenades,
    Drills,
    Balls,
    RecordTimings,
    #[strum(serialize = "picture")]
    Screenshot,
    SaveClip,
    Carve,
    Fill,
    Undo,
    Redo,
    RedoToo,
    #[strum(serialize = "shape")]
    NextShape,
    #[strum(serialize = "aim")]
    Preview,
    #[strum(serialize = "mark")]
    MarkHullPoint,
    #[strum(serialize = "turn")]
    RotateShape,
    #[strum(serialize = "tilt")]
    TiltShape,
    #[strum(serialize = "roll")]
    RollShape,
    #[strum(serialize = "tool_smaller")]
    SmallerShape,
    #[strum(serialize = "tool_larger")]
    LargerShape,
    #[strum(serialize = "shallower")]
    ShallowerShape,
    #[strum(serialize = "deeper")]
    DeeperShape,
    #[strum(serialize = "smaller")]
    SmallerBlast,
    #[strum(serialize = "larger")]
    LargerBlast,
    WalkFly,
    NoClip,
    Pause,
    Step,
    StepBack,
    Slow,
    Reset,
    #[strum(serialize = "place")]
    PinShape,
    #[strum(serialize = "hand_rocket")]
    ToolRocket,
    #[strum(serialize = "hand_brush")]
    ToolBrush,
    #[strum(serialize = "hand_ray")]
    ToolRay,
    #[strum(serialize = "hand_sweep")]
    ToolSweep,
    #[strum(serialize = "hand_sight")]
    ToolSight,
    #[strum(serialize = "hand_pick")]
    ToolPick,
    #[strum(serialize = "hand_grab")]
    ToolGrab,
    #[strum(serialize = "hand_measure")]
    ToolMeasure,
    NextLevel,
    PreviousLevel,
    Portals,
    Bins,
    Rays,
    Hits,
    Wire,
    Open,
    Save,
    SaveAs,
    Quit,
}

impl KeyCommand {
    /// It acts for as long as the key is down.
    pub fn is_held(self) -> bool {
        use KeyCommand::{Back, Down, Fast, Forward, Left, Right, Up};
        matches!(self, Forward | Back | Left | Right | Up | Down | Fast)
    }

    /// Its name in the settings file: "redo_too".
    pub fn name(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::VariantArray;

    #[test]
    fn names_in_the_settings_file_stay_as_they_are() {
        let names: Vec<&str> = KeyCommand::VARIANTS.iter().map(|c| c.name()).collect();
        let kept = "mouse forward back left right up down fast release help panels timings lab trees rules inspect map \
            mark_sight timeline history compare rockets grenades drills balls record_timings picture save_clip carve fill undo redo \
            redo_too shape aim mark turn tilt roll tool_smaller tool_larger shallower deeper smaller larger walk_fly no_clip \
            pause step step_back slow reset place hand_rocket hand_brush hand_ray hand_sweep hand_sight hand_pick hand_grab \
            hand_measure next_level previous_level portals bins rays hits wire open save save_as quit";
        assert_eq!(names.join(" "), kept);
    }
}
