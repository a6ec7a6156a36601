//! Positions in a file, and errors with one.

/// Why a file was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{line}:{column}: {text}")]
pub struct LevelError {
    /// 1-based; 0 where no line applies.
    pub line: u32,
    /// 1-based.
    pub column: u32,
    /// The error in words.
    pub text: String,
}

/// The position of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pos {
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
    /// Byte offset in the file.
    pub offset: usize,
}

impl Pos {
    /// No position: line 0 stands for the whole file.
    pub const NONE: Pos = Pos {
        line: 0,
        column: 0,
        offset: 0,
    };

    /// The start of a line.
    pub fn of_line(line: u32) -> Self {
        Self {
            line,
            column: 1,
            offset: 0,
        }
    }

    /// An error at this position.
    pub fn error(self, text: impl Into<String>) -> LevelError {
        LevelError {
            line: self.line,
            column: self.column,
            text: text.into(),
        }
    }
}
