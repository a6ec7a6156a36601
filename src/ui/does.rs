//! What a key, a menu or a button asks of the program: one name for each, whatever sets it off.

/// What is asked for. The keys of `app` set these off, and so do menus ([`super::UiAction::Press`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Does {
    /// The mouse's own rows.
    Mouse,
    /// Held keys.
    Forward,
    Back,
    Left,
    Right,
    Up,
    Down,
    Fast,
    /// Pressed once.
    Release,
    Help,
    Panels,
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
    Picture,
    Carve,
    Fill,
    Undo,
    Redo,
    RedoToo,
    Shape,
    Aim,
    Mark,
    Turn,
    Tilt,
    Roll,
    ToolSmaller,
    ToolLarger,
    Shallower,
    Deeper,
    Smaller,
    Larger,
    WalkFly,
    NoClip,
    Pause,
    Step,
    StepBack,
    Slow,
    Reset,
    Place,
    HandRocket,
    HandBrush,
    HandRay,
    HandSweep,
    HandSight,
    HandPick,
    HandGrab,
    HandMeasure,
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

impl Does {
    /// Acts for as long as the key is down.
    pub fn held(self) -> bool {
        use Does::*;
        matches!(self, Forward | Back | Left | Right | Up | Down | Fast)
    }
}
