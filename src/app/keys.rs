//! The one table of keys: input acts by it, F1 shows it, the README's list is tested against it.
use winit::keyboard::KeyCode;

/// One row of [`KEYS`].
#[derive(Clone, Copy, Debug)]
pub struct KeyRow {
    /// The key's name as people read it.
    pub key: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// What sets it off.
    pub on: On,
    /// What it asks of the program.
    pub does: Does,
}

/// What sets a row off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A physical key, so that WASD lies in the same place on every layout.
    Key(KeyCode),
    /// Ctrl (on macOS: Cmd) and a key.
    Ctrl(KeyCode),
    /// Ctrl (on macOS: Cmd), Shift and a key.
    CtrlShift(KeyCode),
    /// The mouse: see [`crate::app::input`].
    Mouse,
}

/// What a row asks for.
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

const fn row(key: &'static str, what: &'static str, on: On, does: Does) -> KeyRow {
    KeyRow {
        key,
        what,
        on,
        does,
    }
}

/// Every key and what it does.
#[rustfmt::skip] // one row a line: it is read as a table
pub const KEYS: &[KeyRow] = &[
    row("Left click", "capture the mouse, then fire", On::Mouse, Does::Mouse),
    row("Mouse", "look around while captured", On::Mouse, Does::Mouse),
    row("Wheel", "blast radius, while captured", On::Mouse, Does::Mouse),
    row("Esc", "free the mouse", On::Key(KeyCode::Escape), Does::Release),
    row("W", "forward", On::Key(KeyCode::KeyW), Does::Forward),
    row("A", "left", On::Key(KeyCode::KeyA), Does::Left),
    row("S", "back", On::Key(KeyCode::KeyS), Does::Back),
    row("D", "right", On::Key(KeyCode::KeyD), Does::Right),
    row("Space", "jump; up when flying", On::Key(KeyCode::Space), Does::Up),
    row("Q", "crouch; down when flying", On::Key(KeyCode::KeyQ), Does::Down),
    row("Shift", "faster", On::Key(KeyCode::ShiftLeft), Does::Fast),
    row("C", "carve at the crosshair", On::Key(KeyCode::KeyC), Does::Carve),
    row("V", "fill at the crosshair", On::Key(KeyCode::KeyV), Does::Fill),
    row("B", "next form of carve and fill", On::Key(KeyCode::KeyB), Does::Shape),
    row("X", "preview of carve, of fill, off", On::Key(KeyCode::KeyX), Does::Aim),
    row("M", "mark a corner of a hull", On::Key(KeyCode::KeyM), Does::Mark),
    row("R", "turn the form", On::Key(KeyCode::KeyR), Does::Turn),
    row("T", "tilt the form", On::Key(KeyCode::KeyT), Does::Tilt),
    row("Y", "roll the form", On::Key(KeyCode::KeyY), Does::Roll),
    row("-", "smaller form", On::Key(KeyCode::Minus), Does::ToolSmaller),
    row("=", "larger form", On::Key(KeyCode::Equal), Does::ToolLarger),
    row("J", "shallower form", On::Key(KeyCode::KeyJ), Does::Shallower),
    row("K", "deeper form", On::Key(KeyCode::KeyK), Does::Deeper),
    row("[", "smaller blast", On::Key(KeyCode::BracketLeft), Does::Smaller),
    row("]", "larger blast", On::Key(KeyCode::BracketRight), Does::Larger),
    row("F", "walk or fly", On::Key(KeyCode::KeyF), Does::WalkFly),
    row("N", "fly through walls", On::Key(KeyCode::KeyN), Does::NoClip),
    row("P", "pause", On::Key(KeyCode::KeyP), Does::Pause),
    row(".", "one step while paused", On::Key(KeyCode::Period), Does::Step),
    row(",", "one step back", On::Key(KeyCode::Comma), Does::StepBack),
    row("L", "slow motion", On::Key(KeyCode::KeyL), Does::Slow),
    row("F5", "reset the level", On::Key(KeyCode::F5), Does::Reset),
    row("1", "show portals", On::Key(KeyCode::Digit1), Does::Portals),
    row("2", "show bins", On::Key(KeyCode::Digit2), Does::Bins),
    row("3", "show rays", On::Key(KeyCode::Digit3), Does::Rays),
    row("4", "show hit points and normals", On::Key(KeyCode::Digit4), Does::Hits),
    row("5", "show wireframe", On::Key(KeyCode::Digit5), Does::Wire),
    row("6", "fire rockets", On::Key(KeyCode::Digit6), Does::Rockets),
    row("7", "throw grenades", On::Key(KeyCode::Digit7), Does::Grenades),
    row("8", "drill", On::Key(KeyCode::Digit8), Does::Drills),
    row("9", "throw heavy balls", On::Key(KeyCode::Digit9), Does::Balls),
    row("F1", "this help", On::Key(KeyCode::F1), Does::Help),
    row("F2", "panels", On::Key(KeyCode::F2), Does::Panels),
    row("F3", "timing graph", On::Key(KeyCode::F3), Does::Timings),
    row("F4", "lab of collision queries", On::Key(KeyCode::F4), Does::Lab),
    row("F6", "box trees side by side", On::Key(KeyCode::F6), Does::Trees),
    row("F7", "layers and solver", On::Key(KeyCode::F7), Does::Rules),
    row("F8", "map", On::Key(KeyCode::F8), Does::Map),
    row("I", "inspect what is under the pointer", On::Key(KeyCode::KeyI), Does::Inspect),
    row("O", "mark a point for the line of sight", On::Key(KeyCode::KeyO), Does::MarkSight),
    row("F10", "timeline", On::Key(KeyCode::F10), Does::Timeline),
    row("H", "history of changes", On::Key(KeyCode::KeyH), Does::History),
    row("F11", "compare two settings", On::Key(KeyCode::F11), Does::Compare),
    row("F9", "record timings", On::Key(KeyCode::F9), Does::RecordTimings),
    row("F12", "picture", On::Key(KeyCode::F12), Does::Picture),
    row("Ctrl+Z", "undo the last change", On::Ctrl(KeyCode::KeyZ), Does::Undo),
    row("Ctrl+Y", "redo", On::Ctrl(KeyCode::KeyY), Does::Redo),
    row("Ctrl+Shift+Z", "redo", On::CtrlShift(KeyCode::KeyZ), Does::RedoToo),
    row("Ctrl+O", "open a level", On::Ctrl(KeyCode::KeyO), Does::Open),
    row("Ctrl+S", "save the level", On::Ctrl(KeyCode::KeyS), Does::Save),
    row("Ctrl+Shift+S", "save under another name", On::CtrlShift(KeyCode::KeyS), Does::SaveAs),
    row("Ctrl+Q", "quit", On::Ctrl(KeyCode::KeyQ), Does::Quit),
];

/// The row that a key press sets off. Held keys answer whatever modifiers are down, so that Shift+W still walks.
pub fn find(code: KeyCode, ctrl: bool, shift: bool) -> Option<Does> {
    // Both Shift keys are one to the player.
    let code = if code == KeyCode::ShiftRight {
        KeyCode::ShiftLeft
    } else {
        code
    };
    let wanted = match (ctrl, shift) {
        (true, true) => On::CtrlShift(code),
        (true, false) => On::Ctrl(code),
        _ => On::Key(code),
    };
    KEYS.iter()
        .find(|row| row.on == wanted)
        .or_else(|| {
            KEYS.iter()
                .find(|row| row.on == On::Key(code) && row.does.held() && !ctrl)
        })
        .map(|row| row.does)
}

/// The held movement that a physical key stands for, whatever modifiers are down (for key releases).
pub fn held(code: KeyCode) -> Option<Does> {
    find(code, false, false).filter(|does| does.held())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        for (i, a) in KEYS.iter().enumerate() {
            for b in &KEYS[i + 1..] {
                assert_ne!(a.key, b.key);
                assert!(a.on == On::Mouse || a.on != b.on, "{} and {}", a.key, b.key);
            }
        }
    }

    #[test]
    fn every_key_is_found_by_its_row() {
        for row in KEYS {
            let (code, ctrl, shift) = match row.on {
                On::Key(code) => (code, false, false),
                On::Ctrl(code) => (code, true, false),
                On::CtrlShift(code) => (code, true, true),
                On::Mouse => continue,
            };
            assert_eq!(find(code, ctrl, shift), Some(row.does), "{}", row.key);
        }
    }

    #[test]
    fn shift_runs_and_ctrl_s_does_not_walk_backwards() {
        assert_eq!(find(KeyCode::KeyW, false, true), Some(Does::Forward));
        assert_eq!(find(KeyCode::KeyS, true, false), Some(Does::Save));
        assert_eq!(find(KeyCode::ShiftRight, false, true), Some(Does::Fast));
        assert_eq!(held(KeyCode::KeyS), Some(Does::Back));
    }
}
