//! Bytes to tokens: white space, comments, quotes, braces and brackets, with the line and column of each.
use super::LevelError;

/// Where a token starts.
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
    /// The refusal of what stands here.
    pub fn error(self, text: impl Into<String>) -> LevelError {
        LevelError {
            line: self.line,
            column: self.column,
            text: text.into(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of `{ } ( ) [ ]`.
    Mark(u8),
    /// Anything else up to white space.
    Word,
    /// Between quotes; the text has none.
    Quoted,
    /// Nothing left.
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a [u8],
    pub pos: Pos,
}

impl Token<'_> {
    pub fn is(&self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// The token for a message: short, printable.
    pub fn show(&self) -> String {
        match self.kind {
            Kind::End => "the end of the file".into(),
            _ => {
                let short = &self.text[..self.text.len().min(24)];
                let dots = if short.len() < self.text.len() {
                    "..."
                } else {
                    ""
                };
                format!("`{}{dots}`", short.escape_ascii())
            }
        }
    }
}

/// Latin-1 bytes as characters U+0000..00FF.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| char::from(b)).collect()
}

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        // A byte order mark is no token.
        let at = if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
            3
        } else {
            0
        };
        Self {
            bytes,
            at,
            line: 1,
            line_start: at,
        }
    }

    /// The next token; brackets and braces end a word, so `(-64 0 0)` reads as five tokens.
    pub fn next(&mut self) -> Result<Token<'a>, LevelError> {
        self.token(true)
    }

    /// The next token where a texture's name is due: only white space ends it, so `{fence` is a name.
    pub fn next_name(&mut self) -> Result<Token<'a>, LevelError> {
        self.token(false)
    }

    pub fn peek(&self) -> Result<Token<'a>, LevelError> {
        self.clone().next()
    }

    fn token(&mut self, marks_end_words: bool) -> Result<Token<'a>, LevelError> {
        self.skip_blank();
        let pos = Pos {
            line: self.line,
            column: (self.at - self.line_start + 1).min(u32::MAX as usize) as u32,
            offset: self.at,
        };
        let rest = &self.bytes[self.at..];
        let Some(&first) = rest.first() else {
            return Ok(Token {
                kind: Kind::End,
                text: b"",
                pos,
            });
        };
        if first == b'"' {
            return self.quoted(pos);
        }
        if is_mark(first) && (marks_end_words || rest.get(1).is_none_or(|&b| is_blank(b))) {
            self.at += 1;
            return Ok(Token {
                kind: Kind::Mark(first),
                text: &rest[..1],
                pos,
            });
        }
        let ends = |b: u8| is_blank(b) || (marks_end_words && (is_mark(b) || b == b'"'));
        let length = rest.iter().position(|&b| ends(b)).unwrap_or(rest.len());
        self.at += length;
        Ok(Token {
            kind: Kind::Word,
            text: &rest[..length],
            pos,
        })
    }

    /// No escapes: a backslash before the closing quote is part of the text.
    fn quoted(&mut self, pos: Pos) -> Result<Token<'a>, LevelError> {
        let inside = &self.bytes[self.at + 1..];
        let Some(length) = inside.iter().position(|&b| b == b'"') else {
            return Err(pos.error("the quote is not closed"));
        };
        let text = &inside[..length];
        for (i, _) in text.iter().enumerate().filter(|(_, b)| **b == b'\n') {
            self.line = self.line.saturating_add(1);
            self.line_start = self.at + 1 + i + 1;
        }
        self.at += length + 2;
        Ok(Token {
            kind: Kind::Quoted,
            text,
            pos,
        })
    }

    /// White space, `//` and `;` comments.
    fn skip_blank(&mut self) {
        while let Some(&b) = self.bytes.get(self.at) {
            let comment = b == b';' || (b == b'/' && self.bytes.get(self.at + 1) == Some(&b'/'));
            if comment {
                let rest = &self.bytes[self.at..];
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if is_blank(b) {
                self.at += 1;
                if b == b'\n' {
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.at;
                }
            } else {
                return;
            }
        }
    }
}

fn is_blank(b: u8) -> bool {
    b <= b' '
}

fn is_mark(b: u8) -> bool {
    matches!(b, b'{' | b'}' | b'(' | b')' | b'[' | b']')
}
