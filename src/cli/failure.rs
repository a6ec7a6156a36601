//! Why a command ends early, and its exit code.
use std::path::{Path, PathBuf};

/// Exit code of a failed assertion, the same as a panic's.
pub(super) const FAULT_CODE: u8 = 101;

/// Why a command ends early.
#[derive(Debug, PartialEq)]
pub(super) enum Failure {
    /// A file that was refused or could not be read or written; `what` begins with line and column where known.
    File { file: String, what: String },
    /// A failed check or something missing on this machine.
    Other(String),
    /// Wrong usage that only shows after parsing.
    Usage(String),
    /// Reported already; only the exit code is left.
    Said,
    /// The reader of our output is gone.
    Closed,
    /// An assertion failed and was reported; the recording reproduces it, if there is one.
    Fault(Option<PathBuf>),
}

impl Failure {
    /// A failure about a file.
    pub(super) fn file(path: &Path, what: impl ToString) -> Self {
        Failure::File {
            file: path.display().to_string(),
            what: what.to_string(),
        }
    }

    /// The line for stderr; None where everything was reported.
    pub(super) fn message(&self) -> Option<String> {
        match self {
            Failure::File { file, what } => {
                // `FILE:LINE:COLUMN: text` where the reason begins with a position, otherwise `FILE: text`.
                let gap = if what.starts_with(|c: char| c.is_ascii_digit()) {
                    ":"
                } else {
                    ": "
                };
                Some(format!("{file}{gap}{what}"))
            }
            Failure::Other(text) => Some(format!("breach: {text}")),
            Failure::Usage(text) => Some(format!(
                "error: {text}\n\nFor more information, try '--help'."
            )),
            Failure::Fault(recording) => Some(match recording {
                Some(path) => format!(
                    "breach: playing {} reproduces it; please report it with that file",
                    path.display()
                ),
                None => "breach: please report it with the command and its files".into(),
            }),
            Failure::Said | Failure::Closed => None,
        }
    }

    /// 0, 1, 2 or 101.
    pub(super) fn code(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Usage(_) => 2,
            Failure::Fault(_) => FAULT_CODE,
            Failure::File { .. } | Failure::Other(_) | Failure::Said => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_follows_the_file_without_a_gap() {
        let place = Failure::file(Path::new("a.map"), "3:7: what");
        assert_eq!(place.message().as_deref(), Some("a.map:3:7: what"));
        let whole = Failure::file(Path::new("a.map"), "no such file");
        assert_eq!(whole.message().as_deref(), Some("a.map: no such file"));
    }
}
