//! The one table of keys: input acts by it, F1 shows it, the README's list is tested against it.
use super::pad::PadPart;
pub use crate::ui::Does;
use crate::ui::KeyLine;
use std::collections::BTreeMap;
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
    /// A gamepad, in a program built with the feature of that name: see [`crate::app::pad`].
    Pad(PadPart),
}

impl On {
    /// It stands for one key of the keyboard, which can be another.
    fn is_key(self) -> bool {
        !matches!(self, On::Mouse | On::Pad(_))
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
    row("Left click", "capture the mouse, then use the tool", On::Mouse, Does::Mouse),
    row("Right click", "throw the carried piece", On::Mouse, Does::Mouse),
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
    row("B", "next shape to carve or fill", On::Key(KeyCode::KeyB), Does::Shape),
    row("X", "preview: carve, fill, off", On::Key(KeyCode::KeyX), Does::Aim),
    row("M", "mark a corner of a hull", On::Key(KeyCode::KeyM), Does::Mark),
    row("Z", "pin the shape, with handles", On::Key(KeyCode::KeyZ), Does::Place),
    row("R", "rotate the shape", On::Key(KeyCode::KeyR), Does::Turn),
    row("T", "tilt the shape", On::Key(KeyCode::KeyT), Does::Tilt),
    row("Y", "roll the shape", On::Key(KeyCode::KeyY), Does::Roll),
    row("-", "smaller shape", On::Key(KeyCode::Minus), Does::ToolSmaller),
    row("=", "larger shape", On::Key(KeyCode::Equal), Does::ToolLarger),
    row("J", "shallower shape", On::Key(KeyCode::KeyJ), Does::Shallower),
    row("K", "deeper shape", On::Key(KeyCode::KeyK), Does::Deeper),
    row("[", "smaller blast", On::Key(KeyCode::BracketLeft), Does::Smaller),
    row("]", "larger blast", On::Key(KeyCode::BracketRight), Does::Larger),
    row("F", "walk or fly", On::Key(KeyCode::KeyF), Does::WalkFly),
    row("N", "fly through walls", On::Key(KeyCode::KeyN), Does::NoClip),
    row("P", "pause", On::Key(KeyCode::KeyP), Does::Pause),
    row(".", "step forward while paused", On::Key(KeyCode::Period), Does::Step),
    row(",", "step back", On::Key(KeyCode::Comma), Does::StepBack),
    row("L", "slow motion", On::Key(KeyCode::KeyL), Does::Slow),
    row("F5", "reset the level", On::Key(KeyCode::F5), Does::Reset),
    row("Ctrl+1", "rocket tool", On::Ctrl(KeyCode::Digit1), Does::HandRocket),
    row("Ctrl+2", "brush tool: carve or fill", On::Ctrl(KeyCode::Digit2), Does::HandBrush),
    row("Ctrl+3", "ray tool", On::Ctrl(KeyCode::Digit3), Does::HandRay),
    row("Ctrl+4", "sweep tool", On::Ctrl(KeyCode::Digit4), Does::HandSweep),
    row("Ctrl+5", "sight tool", On::Ctrl(KeyCode::Digit5), Does::HandSight),
    row("Ctrl+6", "pick tool", On::Ctrl(KeyCode::Digit6), Does::HandPick),
    row("Ctrl+7", "grab tool", On::Ctrl(KeyCode::Digit7), Does::HandGrab),
    row("Ctrl+8", "measuring tool", On::Ctrl(KeyCode::Digit8), Does::HandMeasure),
    row("PageDown", "next level", On::Key(KeyCode::PageDown), Does::NextLevel),
    row("PageUp", "previous level", On::Key(KeyCode::PageUp), Does::PreviousLevel),
    row("1", "show portals", On::Key(KeyCode::Digit1), Does::Portals),
    row("2", "show bins", On::Key(KeyCode::Digit2), Does::Bins),
    row("3", "show rays", On::Key(KeyCode::Digit3), Does::Rays),
    row("4", "show hit points and normals", On::Key(KeyCode::Digit4), Does::Hits),
    row("5", "show wireframe", On::Key(KeyCode::Digit5), Does::Wire),
    row("6", "fire rockets", On::Key(KeyCode::Digit6), Does::Rockets),
    row("7", "fire grenades", On::Key(KeyCode::Digit7), Does::Grenades),
    row("8", "drill", On::Key(KeyCode::Digit8), Does::Drills),
    row("9", "fire heavy balls", On::Key(KeyCode::Digit9), Does::Balls),
    row("F1", "keys: this list", On::Key(KeyCode::F1), Does::Help),
    row("F2", "hide all panels", On::Key(KeyCode::F2), Does::Panels),
    row("F3", "timing graph", On::Key(KeyCode::F3), Does::Timings),
    row("F4", "lab: collision queries", On::Key(KeyCode::F4), Does::Lab),
    row("F6", "box trees side by side", On::Key(KeyCode::F6), Does::Trees),
    row("F7", "rules: layers and solver", On::Key(KeyCode::F7), Does::Rules),
    row("F8", "map", On::Key(KeyCode::F8), Does::Map),
    row("I", "inspect what is under the pointer", On::Key(KeyCode::KeyI), Does::Inspect),
    row("O", "mark a point for the line of sight", On::Key(KeyCode::KeyO), Does::MarkSight),
    row("F10", "timeline", On::Key(KeyCode::F10), Does::Timeline),
    row("H", "history of changes", On::Key(KeyCode::KeyH), Does::History),
    row("F11", "compare two settings", On::Key(KeyCode::F11), Does::Compare),
    row("F9", "record timings", On::Key(KeyCode::F9), Does::RecordTimings),
    row("F12", "screenshot", On::Key(KeyCode::F12), Does::Picture),
    row("Ctrl+Z", "undo the last change", On::Ctrl(KeyCode::KeyZ), Does::Undo),
    row("Ctrl+Y", "redo", On::Ctrl(KeyCode::KeyY), Does::Redo),
    row("Ctrl+Shift+Z", "redo", On::CtrlShift(KeyCode::KeyZ), Does::RedoToo),
    row("Ctrl+O", "open a level", On::Ctrl(KeyCode::KeyO), Does::Open),
    row("Ctrl+S", "save the level", On::Ctrl(KeyCode::KeyS), Does::Save),
    row("Ctrl+Shift+S", "save under another name", On::CtrlShift(KeyCode::KeyS), Does::SaveAs),
    row("Ctrl+Q", "quit", On::Ctrl(KeyCode::KeyQ), Does::Quit),
    row("Left stick", "move; further is faster", On::Pad(PadPart::LeftStick), Does::Mouse),
    row("Right stick", "look around", On::Pad(PadPart::RightStick), Does::Mouse),
    row("Pad RT", "capture the mouse, then use the tool", On::Pad(PadPart::RightTrigger), Does::Mouse),
    row("Pad LT", "throw the carried piece", On::Pad(PadPart::LeftTrigger), Does::Mouse),
    row("Pad A", "jump; up when flying", On::Pad(PadPart::A), Does::Up),
    row("Pad B", "crouch; down when flying", On::Pad(PadPart::B), Does::Down),
    row("Pad X", "carve at the crosshair", On::Pad(PadPart::X), Does::Carve),
    row("Pad Y", "fill at the crosshair", On::Pad(PadPart::Y), Does::Fill),
    row("Pad LB", "smaller blast", On::Pad(PadPart::LeftBumper), Does::Smaller),
    row("Pad RB", "larger blast", On::Pad(PadPart::RightBumper), Does::Larger),
    row("Pad L3", "faster", On::Pad(PadPart::LeftThumb), Does::Fast),
    row("Pad R3", "walk or fly", On::Pad(PadPart::RightThumb), Does::WalkFly),
    row("Pad Back", "undo the last change", On::Pad(PadPart::Back), Does::Undo),
    row("Pad Start", "pause", On::Pad(PadPart::Start), Does::Pause),
    row("Pad up", "rocket tool", On::Pad(PadPart::Up), Does::HandRocket),
    row("Pad right", "brush tool: carve or fill", On::Pad(PadPart::Right), Does::HandBrush),
    row("Pad down", "grab tool", On::Pad(PadPart::Down), Does::HandGrab),
    row("Pad left", "pick tool", On::Pad(PadPart::Left), Does::HandPick),
];

/// The name of a key as people read it: "W", "F1", "Left".
fn key_name(code: KeyCode) -> String {
    let named = match code {
        KeyCode::Escape => "Esc",
        KeyCode::ShiftLeft => "Shift",
        KeyCode::Minus => "-",
        KeyCode::Equal => "=",
        KeyCode::BracketLeft => "[",
        KeyCode::BracketRight => "]",
        KeyCode::Period => ".",
        KeyCode::Comma => ",",
        KeyCode::Semicolon => ";",
        KeyCode::Quote => "'",
        KeyCode::Slash => "/",
        KeyCode::Backslash => "\\",
        KeyCode::Backquote => "`",
        _ => "",
    };
    if !named.is_empty() {
        return named.into();
    }
    let name = format!("{code:?}");
    let short = ["Key", "Digit", "Arrow"]
        .into_iter()
        .find_map(|start| name.strip_prefix(start));
    short.map(str::to_owned).unwrap_or(name)
}

impl On {
    /// As people read it and as the settings file has it: "Ctrl+S".
    pub fn name(self) -> String {
        match self {
            On::Key(code) => key_name(code),
            On::Ctrl(code) => format!("Ctrl+{}", key_name(code)),
            On::CtrlShift(code) => format!("Ctrl+Shift+{}", key_name(code)),
            On::Mouse => "the mouse".into(),
            On::Pad(_) => "the gamepad".into(),
        }
    }

    /// What [`On::name`] wrote.
    fn from_name(name: &str) -> Option<Self> {
        let code = |name: &str| CODES.iter().copied().find(|&code| key_name(code) == name);
        if let Some(rest) = name.strip_prefix("Ctrl+Shift+") {
            return code(rest).map(On::CtrlShift);
        }
        if let Some(rest) = name.strip_prefix("Ctrl+") {
            return code(rest).map(On::Ctrl);
        }
        code(name).map(On::Key)
    }
}

/// What something is called in the settings file: "redo_too" for `RedoToo`.
fn does_name(does: Does) -> String {
    let mut name = String::new();
    for c in format!("{does:?}").chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

/// What a key press sets it off: [`KEYS`], some of them changed.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// For each row of [`KEYS`].
    on: Vec<On>,
}

impl Default for Bindings {
    fn default() -> Self {
        Self {
            on: KEYS.iter().map(|row| row.on).collect(),
        }
    }
}

impl Bindings {
    /// With the changes of the settings file, and what was wrong with them. Keys that two rows want go back to those
    /// that they have at first.
    pub fn from_names(names: &BTreeMap<String, String>) -> (Self, Vec<String>) {
        let mut bindings = Self::default();
        let mut wrong = Vec::new();
        for (does, key) in names {
            let row = KEYS
                .iter()
                .position(|row| row.on.is_key() && does_name(row.does) == *does);
            match (row, On::from_name(key)) {
                (Some(row), Some(on)) => bindings.on[row] = on,
                (None, _) => wrong.push(format!("[keys]: unknown action {does}")),
                (_, None) => wrong.push(format!("[keys]: unknown key {key}")),
            }
        }
        while let Some((a, b)) = bindings.conflict() {
            let on = bindings.on[a];
            wrong.push(format!(
                "[keys]: {} is used for both \u{201c}{}\u{201d} and \u{201c}{}\u{201d}: both are back to their defaults",
                on.name(),
                KEYS[a].what,
                KEYS[b].what
            ));
            bindings.on[a] = KEYS[a].on;
            bindings.on[b] = KEYS[b].on;
        }
        (bindings, wrong)
    }

    /// Two rows with one key. At first there are none, so putting both back ends somewhere.
    fn conflict(&self) -> Option<(usize, usize)> {
        let on = &self.on;
        (0..on.len())
            .flat_map(|a| (a + 1..on.len()).map(move |b| (a, b)))
            .find(|&(a, b)| on[a].is_key() && on[a] == on[b])
    }

    /// The changes, for the settings file.
    pub fn names(&self) -> BTreeMap<String, String> {
        let rows = KEYS.iter().zip(&self.on);
        rows.filter(|(row, on)| row.on != **on)
            .map(|(row, on)| (does_name(row.does), on.name()))
            .collect()
    }

    /// Gives something another key.
    ///
    /// # Errors
    /// What else that key stands for.
    pub fn bind(&mut self, does: Does, on: On) -> Result<(), &'static str> {
        let rows = || KEYS.iter().zip(&self.on);
        if let Some((row, _)) = rows().find(|(row, has)| **has == on && row.does != does) {
            return Err(row.what);
        }
        if let Some(row) = KEYS
            .iter()
            .position(|row| row.does == does && row.on.is_key())
        {
            self.on[row] = on;
        }
        Ok(())
    }

    /// The table in force, for the panels; the gamepad's rows where there can be one.
    pub fn lines(&self) -> Vec<KeyLine> {
        let rows = KEYS.iter().zip(&self.on);
        let rows = rows.filter(|(_, on)| cfg!(feature = "gamepad") || !matches!(on, On::Pad(_)));
        rows.map(|(row, on)| KeyLine {
            does: row.does,
            key: match on.is_key() {
                true => on.name(),
                false => row.key.into(),
            },
            what: row.what,
            can_change: on.is_key(),
            is_changed: *on != row.on,
        })
        .collect()
    }

    /// What a part of the gamepad sets off; [`Does::Mouse`] for what has no key.
    pub fn of_pad(part: PadPart) -> Option<Does> {
        let row = KEYS.iter().find(|row| row.on == On::Pad(part));
        row.map(|row| row.does)
    }

    /// What a key press sets off. Held keys answer whatever modifiers are down, so that Shift+W still walks.
    pub fn find(&self, code: KeyCode, ctrl: bool, shift: bool) -> Option<Does> {
        let wanted = chord(code, ctrl, shift);
        let plain = chord(code, false, false);
        let rows = || KEYS.iter().zip(&self.on);
        rows()
            .find(|(_, on)| **on == wanted)
            .or_else(|| rows().find(|(row, on)| **on == plain && row.does.held() && !ctrl))
            .map(|(row, _)| row.does)
    }

    /// The held movement that a physical key stands for, whatever modifiers are down (for key releases).
    pub fn held(&self, code: KeyCode) -> Option<Does> {
        self.find(code, false, false).filter(|does| does.held())
    }
}

/// A key with what is held beside it. Shift alone changes nothing: it runs.
pub fn chord(code: KeyCode, ctrl: bool, shift: bool) -> On {
    // Both Shift keys are one to the player.
    let code = if code == KeyCode::ShiftRight {
        KeyCode::ShiftLeft
    } else {
        code
    };
    match (ctrl, shift) {
        (true, true) => On::CtrlShift(code),
        (true, false) => On::Ctrl(code),
        _ => On::Key(code),
    }
}

/// Keys that can be chosen.
#[rustfmt::skip] // by their place on the board
const CODES: &[KeyCode] = {
    use KeyCode::*;
    &[
        Escape, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15, F16,
        Backquote, Digit1, Digit2, Digit3, Digit4, Digit5, Digit6, Digit7, Digit8, Digit9, Digit0, Minus, Equal,
        Tab, KeyQ, KeyW, KeyE, KeyR, KeyT, KeyY, KeyU, KeyI, KeyO, KeyP, BracketLeft, BracketRight, Backslash,
        CapsLock, KeyA, KeyS, KeyD, KeyF, KeyG, KeyH, KeyJ, KeyK, KeyL, Semicolon, Quote, Enter, Backspace,
        ShiftLeft, KeyZ, KeyX, KeyC, KeyV, KeyB, KeyN, KeyM, Comma, Period, Slash, IntlBackslash,
        ControlLeft, ControlRight, AltLeft, AltRight, Space, Insert, Delete, Home, End, PageUp, PageDown,
        ArrowUp, ArrowDown, ArrowLeft, ArrowRight,
        Numpad0, Numpad1, Numpad2, Numpad3, Numpad4, Numpad5, Numpad6, Numpad7, Numpad8, Numpad9,
        NumpadAdd, NumpadSubtract, NumpadMultiply, NumpadDivide, NumpadDecimal, NumpadEnter,
    ]
};

/// Whether a key that was pressed for something to be bound to it may be on the way to another one, beside which it is held.
pub fn leads_on(code: KeyCode, does: Does) -> bool {
    use KeyCode::{
        AltLeft, AltRight, ControlLeft, ControlRight, ShiftLeft, ShiftRight, SuperLeft, SuperRight,
    };
    match code {
        ControlLeft | ControlRight | SuperLeft | SuperRight => true,
        // One runs with them.
        ShiftLeft | ShiftRight | AltLeft | AltRight => !does.held(),
        _ => false,
    }
}

/// Whether a key is meant for the program even while somebody types into a text box: Esc, and F1 and so on.
pub fn passes_text(code: KeyCode) -> bool {
    let is_number = |n: &str| n.parse::<u8>().is_ok();
    code == KeyCode::Escape || key_name(code).strip_prefix('F').is_some_and(is_number)
}

/// What a key that does this stands for, in the words of the table.
pub fn words(does: Does) -> &'static str {
    let row = KEYS.iter().find(|row| row.does == does);
    row.map_or("", |row| row.what)
}

/// Whether a key can be chosen for something.
pub fn can_be_chosen(code: KeyCode) -> bool {
    code == KeyCode::ShiftRight || CODES.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things_and_each_is_called_by_its_name() {
        assert_eq!(Bindings::default().conflict(), None);
        for (i, a) in KEYS.iter().enumerate() {
            for b in &KEYS[i + 1..] {
                assert_ne!(a.key, b.key);
                let are_keys = a.on.is_key() && b.on.is_key();
                assert!(!are_keys || a.does != b.does, "{:?}", a.does);
            }
            if a.on.is_key() {
                assert_eq!(a.on.name(), a.key);
                assert_eq!(On::from_name(a.key), Some(a.on));
            }
        }
        for &code in CODES {
            assert_eq!(
                On::from_name(&On::CtrlShift(code).name()),
                Some(On::CtrlShift(code))
            );
        }
    }

    #[test]
    fn every_key_is_found_by_its_row() {
        for row in KEYS {
            let (code, ctrl, shift) = match row.on {
                On::Key(code) => (code, false, false),
                On::Ctrl(code) => (code, true, false),
                On::CtrlShift(code) => (code, true, true),
                On::Mouse | On::Pad(_) => continue,
            };
            assert_eq!(
                Bindings::default().find(code, ctrl, shift),
                Some(row.does),
                "{}",
                row.key
            );
        }
    }

    #[test]
    fn the_gamepad_does_what_keys_do_and_each_part_one_thing() {
        let sticks = [PadPart::LeftStick, PadPart::RightStick];
        for part in PadPart::BUTTONS.into_iter().chain(sticks) {
            let rows: Vec<_> = KEYS.iter().filter(|row| row.on == On::Pad(part)).collect();
            let [row] = rows[..] else {
                panic!("{part:?} stands in {} rows", rows.len())
            };
            let mut keys = KEYS.iter().filter(|other| other.on.is_key());
            let same = keys.find(|other| other.does == row.does);
            assert!(row.does == Does::Mouse || same.is_some_and(|same| same.what == row.what));
        }
        assert_eq!(Bindings::of_pad(PadPart::A), Some(Does::Up));
        let lines = Bindings::default().lines();
        let shown = lines.iter().any(|line| line.key == "Pad A");
        assert_eq!(shown, cfg!(feature = "gamepad"));
    }

    #[test]
    fn shift_runs_and_ctrl_s_does_not_walk_backwards() {
        let keys = Bindings::default();
        assert_eq!(keys.find(KeyCode::KeyW, false, true), Some(Does::Forward));
        assert_eq!(keys.find(KeyCode::KeyS, true, false), Some(Does::Save));
        assert_eq!(
            keys.find(KeyCode::ShiftRight, false, true),
            Some(Does::Fast)
        );
        assert_eq!(keys.held(KeyCode::KeyS), Some(Does::Back));
    }

    #[test]
    fn a_key_that_is_taken_names_what_it_does_and_a_free_one_is_kept() {
        let mut keys = Bindings::default();
        let taken = keys.bind(Does::Carve, On::Key(KeyCode::KeyV));
        assert_eq!(taken, Err("fill at the crosshair"));
        assert_eq!(keys.bind(Does::Carve, On::Key(KeyCode::Insert)), Ok(()));
        assert_eq!(keys.find(KeyCode::Insert, false, false), Some(Does::Carve));
        assert_eq!(keys.find(KeyCode::KeyC, false, false), None);
        let (again, wrong) = Bindings::from_names(&keys.names());
        assert_eq!((again.on, wrong), (keys.on, Vec::new()));
    }

    #[test]
    fn what_the_settings_file_has_wrong_is_named() {
        let names = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(a, b)| ((*a).into(), (*b).into()))
                .collect()
        };
        // Two that change places are no conflict.
        let (keys, wrong) = Bindings::from_names(&names(&[("carve", "V"), ("fill", "C")]));
        assert_eq!(wrong, Vec::<String>::new());
        assert_eq!(keys.find(KeyCode::KeyV, false, false), Some(Does::Carve));
        let (keys, wrong) = Bindings::from_names(&names(&[
            ("carve", "V"),
            ("dance", "K"),
            ("undo", "Ctrl+Any"),
        ]));
        assert_eq!(wrong.len(), 3, "{wrong:?}");
        assert!(
            wrong
                .iter()
                .any(|w| w.contains("carve at the crosshair") && w.contains("fill at"))
        );
        assert_eq!(keys.names(), BTreeMap::new());
    }
}
