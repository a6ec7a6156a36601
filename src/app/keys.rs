//! The table of keys, which input, the Keys panel and a test of the README's list share.
use super::pad::PadButton;
pub use crate::ui::KeyCommand;
use crate::ui::KeyLine;
use std::collections::BTreeMap;
use strum::VariantArray;
use winit::keyboard::KeyCode;

/// One row of [`KEYS`].
#[derive(Clone, Copy, Debug)]
pub struct KeyRow {
    /// The key's name.
    pub key: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// Its default binding.
    pub binding: Binding,
    /// The command.
    pub command: KeyCommand,
}

/// An input that a command is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A physical key, so that WASD lies in the same place on every layout.
    Key(KeyCode),
    /// Ctrl (on macOS: Cmd) and a key.
    Ctrl(KeyCode),
    /// Ctrl (on macOS: Cmd), Shift and a key.
    CtrlShift(KeyCode),
    /// The mouse: see [`crate::app::input`].
    Mouse,
    /// A button of a gamepad (feature `gamepad`): see [`crate::app::pad`].
    Button(PadButton),
    /// A stick of a gamepad.
    Stick,
}

impl Binding {
    /// It is a key of the keyboard, which can be changed.
    fn is_key(self) -> bool {
        match self {
            Binding::Key(_) | Binding::Ctrl(_) | Binding::CtrlShift(_) => true,
            Binding::Mouse | Binding::Button(_) | Binding::Stick => false,
        }
    }
}

const fn row(
    key: &'static str,
    what: &'static str,
    binding: Binding,
    command: KeyCommand,
) -> KeyRow {
    KeyRow {
        key,
        what,
        binding,
        command,
    }
}

/// Every key and its command.
#[rustfmt::skip] // one row a line: it is read as a table
pub const KEYS: &[KeyRow] = &[
    row("Left click", "capture the mouse, then use the tool", Binding::Mouse, KeyCommand::Mouse),
    row("Right click", "throw the carried piece", Binding::Mouse, KeyCommand::Mouse),
    row("Mouse", "look around while captured", Binding::Mouse, KeyCommand::Mouse),
    row("Wheel", "blast radius, while captured", Binding::Mouse, KeyCommand::Mouse),
    row("Esc", "free the mouse", Binding::Key(KeyCode::Escape), KeyCommand::Release),
    row("W", "forward", Binding::Key(KeyCode::KeyW), KeyCommand::Forward),
    row("A", "left", Binding::Key(KeyCode::KeyA), KeyCommand::Left),
    row("S", "back", Binding::Key(KeyCode::KeyS), KeyCommand::Back),
    row("D", "right", Binding::Key(KeyCode::KeyD), KeyCommand::Right),
    row("Space", "jump; up when flying or swimming", Binding::Key(KeyCode::Space), KeyCommand::Up),
    row("Q", "crouch; down when flying or swimming", Binding::Key(KeyCode::KeyQ), KeyCommand::Down),
    row("Shift", "faster", Binding::Key(KeyCode::ShiftLeft), KeyCommand::Fast),
    row("C", "carve at the crosshair", Binding::Key(KeyCode::KeyC), KeyCommand::Carve),
    row("V", "fill at the crosshair", Binding::Key(KeyCode::KeyV), KeyCommand::Fill),
    row("B", "next shape to carve or fill", Binding::Key(KeyCode::KeyB), KeyCommand::NextShape),
    row("X", "preview: carve, fill, off", Binding::Key(KeyCode::KeyX), KeyCommand::Preview),
    row("M", "mark a corner of a hull", Binding::Key(KeyCode::KeyM), KeyCommand::MarkHullPoint),
    row("Z", "pin the shape, with handles", Binding::Key(KeyCode::KeyZ), KeyCommand::PinShape),
    row("R", "rotate the shape", Binding::Key(KeyCode::KeyR), KeyCommand::RotateShape),
    row("T", "tilt the shape", Binding::Key(KeyCode::KeyT), KeyCommand::TiltShape),
    row("Y", "roll the shape", Binding::Key(KeyCode::KeyY), KeyCommand::RollShape),
    row("-", "smaller shape", Binding::Key(KeyCode::Minus), KeyCommand::SmallerShape),
    row("=", "larger shape", Binding::Key(KeyCode::Equal), KeyCommand::LargerShape),
    row("J", "shallower shape", Binding::Key(KeyCode::KeyJ), KeyCommand::ShallowerShape),
    row("K", "deeper shape", Binding::Key(KeyCode::KeyK), KeyCommand::DeeperShape),
    row("[", "smaller blast", Binding::Key(KeyCode::BracketLeft), KeyCommand::SmallerBlast),
    row("]", "larger blast", Binding::Key(KeyCode::BracketRight), KeyCommand::LargerBlast),
    row("F", "walk or fly", Binding::Key(KeyCode::KeyF), KeyCommand::WalkFly),
    row("N", "fly through walls", Binding::Key(KeyCode::KeyN), KeyCommand::NoClip),
    row("P", "pause", Binding::Key(KeyCode::KeyP), KeyCommand::Pause),
    row(".", "step forward while paused", Binding::Key(KeyCode::Period), KeyCommand::Step),
    row(",", "step back", Binding::Key(KeyCode::Comma), KeyCommand::StepBack),
    row("L", "slow motion", Binding::Key(KeyCode::KeyL), KeyCommand::Slow),
    row("F5", "reset the level", Binding::Key(KeyCode::F5), KeyCommand::Reset),
    row("Ctrl+1", "rocket tool", Binding::Ctrl(KeyCode::Digit1), KeyCommand::ToolRocket),
    row("Ctrl+2", "brush tool: carve or fill", Binding::Ctrl(KeyCode::Digit2), KeyCommand::ToolBrush),
    row("Ctrl+3", "ray tool", Binding::Ctrl(KeyCode::Digit3), KeyCommand::ToolRay),
    row("Ctrl+4", "sweep tool", Binding::Ctrl(KeyCode::Digit4), KeyCommand::ToolSweep),
    row("Ctrl+5", "sight tool", Binding::Ctrl(KeyCode::Digit5), KeyCommand::ToolSight),
    row("Ctrl+6", "pick tool", Binding::Ctrl(KeyCode::Digit6), KeyCommand::ToolPick),
    row("Ctrl+7", "grab tool", Binding::Ctrl(KeyCode::Digit7), KeyCommand::ToolGrab),
    row("Ctrl+8", "measuring tool", Binding::Ctrl(KeyCode::Digit8), KeyCommand::ToolMeasure),
    row("PageDown", "next level", Binding::Key(KeyCode::PageDown), KeyCommand::NextLevel),
    row("PageUp", "previous level", Binding::Key(KeyCode::PageUp), KeyCommand::PreviousLevel),
    row("1", "show portals", Binding::Key(KeyCode::Digit1), KeyCommand::Portals),
    row("2", "show bins", Binding::Key(KeyCode::Digit2), KeyCommand::Bins),
    row("3", "show rays", Binding::Key(KeyCode::Digit3), KeyCommand::Rays),
    row("4", "show hit points and normals", Binding::Key(KeyCode::Digit4), KeyCommand::Hits),
    row("5", "show wireframe", Binding::Key(KeyCode::Digit5), KeyCommand::Wire),
    row("6", "fire rockets", Binding::Key(KeyCode::Digit6), KeyCommand::Rockets),
    row("7", "fire grenades", Binding::Key(KeyCode::Digit7), KeyCommand::Grenades),
    row("8", "drill", Binding::Key(KeyCode::Digit8), KeyCommand::Drills),
    row("9", "fire heavy balls", Binding::Key(KeyCode::Digit9), KeyCommand::Balls),
    row("F1", "keys: this list", Binding::Key(KeyCode::F1), KeyCommand::Help),
    row("F2", "hide all panels", Binding::Key(KeyCode::F2), KeyCommand::HidePanels),
    row("F3", "timing graph", Binding::Key(KeyCode::F3), KeyCommand::Timings),
    row("F4", "lab: collision queries", Binding::Key(KeyCode::F4), KeyCommand::Lab),
    row("F6", "box trees side by side", Binding::Key(KeyCode::F6), KeyCommand::Trees),
    row("F7", "rules: layers and solver", Binding::Key(KeyCode::F7), KeyCommand::Rules),
    row("F8", "map", Binding::Key(KeyCode::F8), KeyCommand::Map),
    row("I", "inspect what is under the pointer", Binding::Key(KeyCode::KeyI), KeyCommand::Inspect),
    row("O", "mark a point for the line of sight", Binding::Key(KeyCode::KeyO), KeyCommand::MarkSight),
    row("F10", "timeline", Binding::Key(KeyCode::F10), KeyCommand::Timeline),
    row("H", "history of changes", Binding::Key(KeyCode::KeyH), KeyCommand::History),
    row("F11", "compare two settings", Binding::Key(KeyCode::F11), KeyCommand::Compare),
    row("F9", "record timings", Binding::Key(KeyCode::F9), KeyCommand::RecordTimings),
    row("F12", "screenshot", Binding::Key(KeyCode::F12), KeyCommand::Screenshot),
    row("U", "save a clip", Binding::Key(KeyCode::KeyU), KeyCommand::SaveClip),
    row("Ctrl+Z", "undo the last change", Binding::Ctrl(KeyCode::KeyZ), KeyCommand::Undo),
    row("Ctrl+Y", "redo", Binding::Ctrl(KeyCode::KeyY), KeyCommand::Redo),
    row("Ctrl+Shift+Z", "redo", Binding::CtrlShift(KeyCode::KeyZ), KeyCommand::RedoToo),
    row("Ctrl+O", "open a level", Binding::Ctrl(KeyCode::KeyO), KeyCommand::Open),
    row("Ctrl+S", "save the level", Binding::Ctrl(KeyCode::KeyS), KeyCommand::Save),
    row("Ctrl+Shift+S", "save under another name", Binding::CtrlShift(KeyCode::KeyS), KeyCommand::SaveAs),
    row("Ctrl+Q", "quit", Binding::Ctrl(KeyCode::KeyQ), KeyCommand::Quit),
    row("Left stick", "move; further is faster", Binding::Stick, KeyCommand::Mouse),
    row("Right stick", "look around", Binding::Stick, KeyCommand::Mouse),
    row("Pad RT", "capture the mouse, then use the tool", Binding::Button(PadButton::RightTrigger), KeyCommand::Mouse),
    row("Pad LT", "throw the carried piece", Binding::Button(PadButton::LeftTrigger), KeyCommand::Mouse),
    row("Pad A", "jump; up when flying or swimming", Binding::Button(PadButton::A), KeyCommand::Up),
    row("Pad B", "crouch; down when flying or swimming", Binding::Button(PadButton::B), KeyCommand::Down),
    row("Pad X", "carve at the crosshair", Binding::Button(PadButton::X), KeyCommand::Carve),
    row("Pad Y", "fill at the crosshair", Binding::Button(PadButton::Y), KeyCommand::Fill),
    row("Pad LB", "smaller blast", Binding::Button(PadButton::LeftBumper), KeyCommand::SmallerBlast),
    row("Pad RB", "larger blast", Binding::Button(PadButton::RightBumper), KeyCommand::LargerBlast),
    row("Pad L3", "faster", Binding::Button(PadButton::LeftThumb), KeyCommand::Fast),
    row("Pad R3", "walk or fly", Binding::Button(PadButton::RightThumb), KeyCommand::WalkFly),
    row("Pad Back", "undo the last change", Binding::Button(PadButton::Back), KeyCommand::Undo),
    row("Pad Start", "pause", Binding::Button(PadButton::Start), KeyCommand::Pause),
    row("Pad up", "rocket tool", Binding::Button(PadButton::Up), KeyCommand::ToolRocket),
    row("Pad right", "brush tool: carve or fill", Binding::Button(PadButton::Right), KeyCommand::ToolBrush),
    row("Pad down", "grab tool", Binding::Button(PadButton::Down), KeyCommand::ToolGrab),
    row("Pad left", "pick tool", Binding::Button(PadButton::Left), KeyCommand::ToolPick),
];

/// Every command has a row; otherwise the build breaks.
const _: () = {
    let mut command = 0;
    while command < KeyCommand::VARIANTS.len() {
        let mut row = 0;
        while KEYS[row].command as usize != command {
            row += 1;
            assert!(row < KEYS.len(), "a KeyCommand has no row in KEYS");
        }
        command += 1;
    }
};

/// The name of a key: "W", "F1", "Left".
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

impl Binding {
    /// Its name for the panels and the settings file: "Ctrl+S".
    pub fn name(self) -> String {
        match self {
            Binding::Key(code) => key_name(code),
            Binding::Ctrl(code) => format!("Ctrl+{}", key_name(code)),
            Binding::CtrlShift(code) => format!("Ctrl+Shift+{}", key_name(code)),
            Binding::Mouse => "the mouse".into(),
            Binding::Button(_) | Binding::Stick => "the gamepad".into(),
        }
    }

    /// Parses the output of [`Binding::name`].
    fn from_name(name: &str) -> Option<Self> {
        let code = |name: &str| CODES.iter().copied().find(|&code| key_name(code) == name);
        if let Some(rest) = name.strip_prefix("Ctrl+Shift+") {
            return code(rest).map(Binding::CtrlShift);
        }
        if let Some(rest) = name.strip_prefix("Ctrl+") {
            return code(rest).map(Binding::Ctrl);
        }
        code(name).map(Binding::Key)
    }
}

/// The current bindings: [`KEYS`] with the user's changes.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// For each row of [`KEYS`].
    binding: Vec<Binding>,
}

impl Default for Bindings {
    fn default() -> Self {
        Self {
            binding: KEYS.iter().map(|row| row.binding).collect(),
        }
    }
}

impl Bindings {
    /// The bindings with the changes of the settings file, and warnings. Conflicting keys return to their defaults.
    pub fn from_names(names: &BTreeMap<String, String>) -> (Self, Vec<String>) {
        let mut bindings = Self::default();
        let mut wrong = Vec::new();
        for (command, key) in names {
            let row = KEYS
                .iter()
                .position(|row| row.binding.is_key() && row.command.name() == *command);
            match (row, Binding::from_name(key)) {
                (Some(row), Some(binding)) => bindings.binding[row] = binding,
                (None, _) => wrong.push(format!("[keys]: unknown action {command}")),
                (_, None) => wrong.push(format!("[keys]: unknown key {key}")),
            }
        }
        while let Some((a, b)) = bindings.conflict() {
            let binding = bindings.binding[a];
            wrong.push(format!(
                "[keys]: {} is used for both \u{201c}{}\u{201d} and \u{201c}{}\u{201d}: both are back to their defaults",
                binding.name(),
                KEYS[a].what,
                KEYS[b].what
            ));
            bindings.binding[a] = KEYS[a].binding;
            bindings.binding[b] = KEYS[b].binding;
        }
        (bindings, wrong)
    }

    /// Two rows with the same key. The defaults have none, so resetting both terminates.
    fn conflict(&self) -> Option<(usize, usize)> {
        let binding = &self.binding;
        (0..binding.len())
            .flat_map(|a| (a + 1..binding.len()).map(move |b| (a, b)))
            .find(|&(a, b)| binding[a].is_key() && binding[a] == binding[b])
    }

    /// The changes, for the settings file.
    pub fn names(&self) -> BTreeMap<String, String> {
        let rows = KEYS.iter().zip(&self.binding);
        rows.filter(|(row, binding)| row.binding != **binding)
            .map(|(row, binding)| (row.command.name().to_owned(), binding.name()))
            .collect()
    }

    /// Binds a command to another key.
    ///
    /// # Errors
    /// The text of the command that has that key.
    pub fn bind(&mut self, command: KeyCommand, binding: Binding) -> Result<(), &'static str> {
        let rows = || KEYS.iter().zip(&self.binding);
        if let Some((row, _)) = rows().find(|(row, has)| **has == binding && row.command != command)
        {
            return Err(row.what);
        }
        if let Some(row) = KEYS
            .iter()
            .position(|row| row.command == command && row.binding.is_key())
        {
            self.binding[row] = binding;
        }
        Ok(())
    }

    /// The current table for the panels; gamepad rows only with that feature.
    pub fn lines(&self) -> Vec<KeyLine> {
        let rows = KEYS.iter().zip(&self.binding);
        let rows = rows.filter(|(_, binding)| {
            cfg!(feature = "gamepad") || !matches!(binding, Binding::Button(_) | Binding::Stick)
        });
        rows.map(|(row, binding)| KeyLine {
            command: row.command,
            key: match binding.is_key() {
                true => binding.name(),
                false => row.key.into(),
            },
            what: row.what,
            can_change: binding.is_key(),
            is_changed: *binding != row.binding,
        })
        .collect()
    }

    /// The command of a gamepad button; [`KeyCommand::Mouse`] for the triggers.
    pub fn of_button(button: PadButton) -> Option<KeyCommand> {
        let row = KEYS
            .iter()
            .find(|row| row.binding == Binding::Button(button));
        row.map(|row| row.command)
    }

    /// The command of a key press. Held commands ignore modifiers, so that Shift+W still walks.
    pub fn find(&self, code: KeyCode, ctrl: bool, shift: bool) -> Option<KeyCommand> {
        let wanted = chord(code, ctrl, shift);
        let plain = chord(code, false, false);
        let rows = || KEYS.iter().zip(&self.binding);
        rows()
            .find(|(_, binding)| **binding == wanted)
            .or_else(|| {
                rows().find(|(row, binding)| **binding == plain && row.command.is_held() && !ctrl)
            })
            .map(|(row, _)| row.command)
    }

    /// The held command of a key, ignoring modifiers (for key releases).
    pub fn held(&self, code: KeyCode) -> Option<KeyCommand> {
        self.find(code, false, false)
            .filter(|command| command.is_held())
    }
}

/// A key with its modifiers. Shift alone is no modifier: it runs.
pub fn chord(code: KeyCode, ctrl: bool, shift: bool) -> Binding {
    // Both Shift keys are the same.
    let code = if code == KeyCode::ShiftRight {
        KeyCode::ShiftLeft
    } else {
        code
    };
    match (ctrl, shift) {
        (true, true) => Binding::CtrlShift(code),
        (true, false) => Binding::Ctrl(code),
        _ => Binding::Key(code),
    }
}

/// Keys that can be bound.
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

/// Whether a key pressed while rebinding may be a modifier of the key to come.
pub fn leads_on(code: KeyCode, command: KeyCommand) -> bool {
    use KeyCode::{
        AltLeft, AltRight, ControlLeft, ControlRight, ShiftLeft, ShiftRight, SuperLeft, SuperRight,
    };
    match code {
        ControlLeft | ControlRight | SuperLeft | SuperRight => true,
        // These can be held commands themselves.
        ShiftLeft | ShiftRight | AltLeft | AltRight => !command.is_held(),
        _ => false,
    }
}

/// Whether a key goes to the program even while a text box has the focus: Esc, F1 and so on.
pub fn passes_text(code: KeyCode) -> bool {
    let is_number = |n: &str| n.parse::<u8>().is_ok();
    code == KeyCode::Escape || key_name(code).strip_prefix('F').is_some_and(is_number)
}

/// The text of a command in the table.
pub fn words(command: KeyCommand) -> &'static str {
    let row = KEYS.iter().find(|row| row.command == command);
    row.map_or("", |row| row.what)
}

/// Whether a key can be bound.
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
                let are_keys = a.binding.is_key() && b.binding.is_key();
                assert!(!are_keys || a.command != b.command, "{:?}", a.command);
            }
            if a.binding.is_key() {
                assert_eq!(a.binding.name(), a.key);
                assert_eq!(Binding::from_name(a.key), Some(a.binding));
            }
        }
        for &code in CODES {
            assert_eq!(
                Binding::from_name(&Binding::CtrlShift(code).name()),
                Some(Binding::CtrlShift(code))
            );
        }
    }

    #[test]
    fn every_key_is_found_by_its_row() {
        for row in KEYS {
            let (code, ctrl, shift) = match row.binding {
                Binding::Key(code) => (code, false, false),
                Binding::Ctrl(code) => (code, true, false),
                Binding::CtrlShift(code) => (code, true, true),
                Binding::Mouse | Binding::Button(_) | Binding::Stick => continue,
            };
            assert_eq!(
                Bindings::default().find(code, ctrl, shift),
                Some(row.command),
                "{}",
                row.key
            );
        }
    }

    #[test]
    fn the_gamepad_does_what_keys_do_and_each_part_one_thing() {
        for &button in PadButton::VARIANTS {
            let is_own = |row: &&KeyRow| row.binding == Binding::Button(button);
            let rows: Vec<_> = KEYS.iter().filter(is_own).collect();
            let [row] = rows[..] else {
                panic!("{button:?} stands in {} rows", rows.len())
            };
            let mut keys = KEYS.iter().filter(|other| other.binding.is_key());
            let same = keys.find(|other| other.command == row.command);
            assert!(
                row.command == KeyCommand::Mouse || same.is_some_and(|same| same.what == row.what)
            );
        }
        assert_eq!(Bindings::of_button(PadButton::A), Some(KeyCommand::Up));
        let lines = Bindings::default().lines();
        let shown = lines.iter().any(|line| line.key == "Pad A");
        assert_eq!(shown, cfg!(feature = "gamepad"));
    }

    #[test]
    fn shift_runs_and_ctrl_s_does_not_walk_backwards() {
        let keys = Bindings::default();
        assert_eq!(
            keys.find(KeyCode::KeyW, false, true),
            Some(KeyCommand::Forward)
        );
        assert_eq!(
            keys.find(KeyCode::KeyS, true, false),
            Some(KeyCommand::Save)
        );
        assert_eq!(
            keys.find(KeyCode::ShiftRight, false, true),
            Some(KeyCommand::Fast)
        );
        assert_eq!(keys.held(KeyCode::KeyS), Some(KeyCommand::Back));
    }

    #[test]
    fn a_key_that_is_taken_names_what_it_does_and_a_free_one_is_kept() {
        let mut keys = Bindings::default();
        let taken = keys.bind(KeyCommand::Carve, Binding::Key(KeyCode::KeyV));
        assert_eq!(taken, Err("fill at the crosshair"));
        assert_eq!(
            keys.bind(KeyCommand::Carve, Binding::Key(KeyCode::Insert)),
            Ok(())
        );
        assert_eq!(
            keys.find(KeyCode::Insert, false, false),
            Some(KeyCommand::Carve)
        );
        assert_eq!(keys.find(KeyCode::KeyC, false, false), None);
        let (again, wrong) = Bindings::from_names(&keys.names());
        assert_eq!((again.binding, wrong), (keys.binding, Vec::new()));
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
        assert_eq!(
            keys.find(KeyCode::KeyV, false, false),
            Some(KeyCommand::Carve)
        );
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
