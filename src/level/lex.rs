//! From bytes to tokens, with line and column: white space, comments, quotes, braces and brackets.
//!
//! Lines end with LF, CR LF or CR. Text between quotes keeps its bytes, backslashes included: [`escaped`] and [`unescaped`]
//! convert names with quotes to such text and back.
use super::error::{LevelError, Pos};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of `{ } ( ) [ ]`.
    Mark(u8),
    /// Anything else up to white space.
    Word,
    /// Between quotes; quotes in the text follow a backslash.
    Quoted,
    /// The end of the file.
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

    /// The number that a word stands for; it may be infinite or NaN.
    pub fn as_number(&self) -> Option<f64> {
        let text = (self.kind == Kind::Word).then_some(self.text)?;
        std::str::from_utf8(text).ok()?.parse().ok()
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
        // Skips a byte order mark.
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

    /// The next token where a texture's name is expected: only white space ends it, so `{fence` and `;name` are names.
    pub fn next_name(&mut self) -> Result<Token<'a>, LevelError> {
        self.token(false)
    }

    pub fn peek(&self) -> Result<Token<'a>, LevelError> {
        self.clone().next()
    }

    /// A finite number.
    pub fn number(&mut self) -> Result<f64, LevelError> {
        let token = self.next()?;
        let number = token.as_number().ok_or_else(|| {
            token
                .pos
                .error(format!("expected a number, found {}", token.show()))
        })?;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(token
                .pos
                .error(format!("{} is not a finite number", token.show())))
        }
    }

    /// One of `{ } ( ) [ ]`.
    pub fn mark(&mut self, mark: u8) -> Result<Pos, LevelError> {
        let token = self.next()?;
        if token.is(mark) {
            Ok(token.pos)
        } else {
            Err(token.pos.error(format!(
                "expected `{}`, found {}",
                char::from(mark),
                token.show()
            )))
        }
    }

    fn token(&mut self, marks_end_words: bool) -> Result<Token<'a>, LevelError> {
        self.skip_blank(marks_end_words);
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
            return self.quoted(
                pos,
                if marks_end_words {
                    entity_goes_on
                } else {
                    face_goes_on
                },
            );
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

    /// A quote after a backslash belongs to the text (`the \"old\" mine`) unless the file goes on behind it, for a
    /// backslash may end a text, too (`C:\dir\`).
    fn quoted(&mut self, pos: Pos, goes_on: fn(&[u8]) -> bool) -> Result<Token<'a>, LevelError> {
        let inside = &self.bytes[self.at + 1..];
        let is_end = |i: usize| {
            let after_backslash = i > 0 && inside[i - 1] == b'\\';
            inside[i] == b'"' && (!after_backslash || goes_on(&inside[i + 1..]))
        };
        let Some(length) = (0..inside.len()).find(|&i| is_end(i)) else {
            return Err(pos.error("the quote is not closed"));
        };
        for i in self.at + 1..self.at + 1 + length {
            self.count_line(i);
        }
        self.at += length + 2;
        Ok(Token {
            kind: Kind::Quoted,
            text: &inside[..length],
            pos,
        })
    }

    /// White space and comments: `//`, and `;` where no texture's name is due.
    fn skip_blank(&mut self, semicolons: bool) {
        while let Some(&b) = self.bytes.get(self.at) {
            let comment = (b == b';' && semicolons)
                || (b == b'/' && self.bytes.get(self.at + 1) == Some(&b'/'));
            if comment {
                let rest = &self.bytes[self.at..];
                self.at += rest
                    .iter()
                    .position(|&b| is_line_end(b))
                    .unwrap_or(rest.len());
            } else if is_blank(b) {
                self.count_line(self.at);
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// Where the byte at `i` ends a line, the next one begins behind it.
    fn count_line(&mut self, i: usize) {
        let b = self.bytes[i];
        if b == b'\n' || (b == b'\r' && self.bytes.get(i + 1) != Some(&b'\n')) {
            self.line = self.line.saturating_add(1);
            self.line_start = i + 1;
        }
    }
}

/// Whether a key or value may have ended here: followed by the next text on one line, a brace that stands alone, a
/// comment, or nothing.
fn entity_goes_on(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    match rest {
        [] | [b'/', b'/', ..] => true,
        [b'"', text @ ..] => {
            let end = text.iter().position(|&b| b == b'"' || is_line_end(b));
            end.is_some_and(|end| text[end] == b'"' && !is_blank(text[0]))
        }
        [b'{' | b'}', after @ ..] => {
            let next = after.iter().find(|&&b| is_line_end(b) || !is_blank(b));
            next.is_none_or(|&b| is_line_end(b) || is_mark(b) || b == b'/')
        }
        _ => false,
    }
}

/// Whether a texture's name may have ended here: followed by a number, a bracket, or the line's end.
fn face_goes_on(rest: &[u8]) -> bool {
    let word = rest.trim_ascii_start();
    if rest.len() == word.len() {
        return rest.first().is_none_or(|&b| is_mark(b));
    }
    let blank = &rest[..rest.len() - word.len()];
    let end = word.iter().position(|&b| is_blank(b) || b == b'"');
    let text = &word[..end.unwrap_or(word.len())];
    let number = || std::str::from_utf8(text).is_ok_and(|t| t.parse::<f64>().is_ok());
    blank.iter().any(|&b| is_line_end(b)) || word.first().is_none_or(|&b| is_mark(b)) || number()
}

/// A name as a text between quotes, which `unescaped` turns back: quotes in it follow an odd number of backslashes.
pub(super) fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut backslashes = 0;
    for c in name.chars() {
        if c == '"' {
            out.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

/// The name that a text between quotes stands for.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut backslashes = 0;
    for c in text.chars() {
        if c == '"' {
            out.truncate(out.len() - (backslashes - backslashes / 2));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        out.push(c);
    }
    out
}

fn is_line_end(b: u8) -> bool {
    matches!(b, b'\n' | b'\r')
}

fn is_blank(b: u8) -> bool {
    b <= b' '
}

fn is_mark(b: u8) -> bool {
    matches!(b, b'{' | b'}' | b'(' | b')' | b'[' | b']')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(source: &str) -> Vec<String> {
        let mut lexer = Lexer::new(source.as_bytes());
        let mut out = Vec::new();
        loop {
            let token = lexer.next().unwrap_or_else(|e| panic!("{source:?}: {e}"));
            match token.kind {
                Kind::End => return out,
                _ => out.push(latin1(token.text)),
            }
        }
    }

    #[test]
    fn what_follows_decides_which_quote_ends_a_value() {
        for (source, expected) in [
            (
                r#""a" "the \"old\" mine""#,
                vec!["a", r#"the \"old\" mine"#],
            ),
            (r#""a" "press \"E\"" }"#, vec!["a", r#"press \"E\""#, "}"]),
            (
                r#""a" "he said \"yes\" ""#,
                vec!["a", r#"he said \"yes\" "#],
            ),
            ("\"a\" \"C:\\dir\\\"\n}", vec!["a", r"C:\dir\", "}"]),
            (
                r#""a" "C:\" "b" "D:\x\" }"#,
                vec!["a", r"C:\", "b", r"D:\x\", "}"],
            ),
            ("\"a\" \"C:\\\" // a comment", vec!["a", r"C:\"]),
            ("\"a\" \"C:\\\"\n{ (", vec!["a", r"C:\", "{", "("]),
            (r#""a" "go \"up\" } now""#, vec!["a", r#"go \"up\" } now"#]),
            (r#""k\" "v""#, vec![r"k\", "v"]),
            (r#""a" "C:\""#, vec!["a", r"C:\"]),
            (r#""a" "" "#, vec!["a", ""]),
        ] {
            assert_eq!(texts(source), expected, "{source}");
        }
        assert!(Lexer::new(br#""a \" b"#).next().is_err());
    }

    #[test]
    fn what_follows_decides_which_quote_ends_a_texture_name() {
        for (source, expected) in [
            (r#""odd \" name" 0 0"#, r#"odd \" name"#),
            (r#""a folder\" [ 1"#, r"a folder\"),
            (r#""a folder\" -.5e3 0"#, r"a folder\"),
            ("\"a folder\\\"\n( 0", r"a folder\"),
            (r#"od"d 0"#, r#"od"d"#),
            (";name 0", ";name"),
            ("{fence 0", "{fence"),
        ] {
            let token = Lexer::new(source.as_bytes()).next_name().unwrap();
            assert_eq!(latin1(token.text), expected, "{source}");
        }
    }

    #[test]
    fn lines_end_in_three_ways() {
        for end in ["\n", "\r\n", "\r"] {
            let source = ["// a comment", "\"a", "b\" ; another", "c"].join(end);
            let mut lexer = Lexer::new(source.as_bytes());
            let places = [(2, 1), (4, 1)].map(|expected| {
                let pos = lexer.next().unwrap().pos;
                assert_eq!((pos.line, pos.column), expected, "{end:?}");
                pos.offset
            });
            assert!(places[0] < places[1]);
        }
    }

    proptest! {
        #[test]
        fn escaped_names_come_back(name in r#"[ a"\\\\]{0,12}"#) {
            prop_assert_eq!(unescaped(&escaped(&name)), name);
        }

        #[test]
        fn a_quoted_name_of_any_bytes_is_read_as_it_was_written(name in r#"[ a1"{}\\\\\n]{0,12}"#) {
            let source = format!("\"{}\" [ 1 0 0 0 ]", escaped(&name));
            let token = Lexer::new(source.as_bytes()).next_name().unwrap();
            // A quote before a number or a bracket reads as the end of the name; saves write such names bare or not at all.
            prop_assume!(!name.contains('"') || !name.contains(['1', '{', '}', '\n']));
            prop_assert_eq!(unescaped(&latin1(token.text)), name);
        }
    }
}
