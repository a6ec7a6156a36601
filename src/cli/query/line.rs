//! Parses query lines. Lines as programs usually write them are parsed in one fast pass; any other JSON goes through serde,
//! which also gives the error messages. Both give the same numbers: a decimal of up to 15 digits is rounded once, by the
//! division of two numbers that are exact in f64 (Clinger, How to Read Floating Point Numbers Accurately, 1990); longer ones
//! are parsed by std, which rounds once too.
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

/// A query whose syntax is checked, but not its values. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Query {
    Ray {
        from: [f64; 3],
        to: [f64; 3],
    },
    Sweep {
        from: [f64; 3],
        to: [f64; 3],
        radius: f64,
    },
    Sight {
        from: [f64; 3],
        to: [f64; 3],
    },
    Locate([f64; 3]),
}

/// A parsed line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QueryLine<'a> {
    /// JSON to be echoed, also for a bad line.
    pub id: Cow<'a, [u8]>,
    /// The error is a sentence for the client.
    pub query: Result<Query, String>,
}

impl QueryLine<'_> {
    pub fn bad(error: String) -> Self {
        Self {
            id: Cow::Borrowed(b"null"),
            query: Err(error),
        }
    }
}

/// Parses a line.
pub(super) fn read(line: &[u8]) -> QueryLine<'_> {
    let plain = || {
        let mut text = Text::new(std::str::from_utf8(line).ok()?);
        let asked = text.line()?;
        text.rest.is_empty().then_some(asked)
    };
    match plain() {
        Some((id, query)) => QueryLine {
            id: Cow::Borrowed(id),
            query: Ok(query),
        },
        None => read_any(line),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default)]
    #[allow(dead_code)] // Echoed from the raw value.
    id: Value,
    ray: Option<Segment>,
    sweep: Option<Sweep>,
    sight: Option<Segment>,
    locate: Option<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Segment {
    from: [f64; 3],
    to: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    from: [f64; 3],
    to: [f64; 3],
    radius: f64,
}

/// Any JSON.
fn read_any(line: &[u8]) -> QueryLine<'_> {
    let raw: Value = match serde_json::from_slice(line) {
        Ok(raw) => raw,
        Err(error) => return QueryLine::bad(format!("not JSON: {error}")),
    };
    let id = raw.get("id").unwrap_or(&Value::Null).to_string();
    let fields = serde_json::from_value(raw).map_err(|error| error.to_string());
    let query = fields.and_then(|fields: Fields| {
        match (fields.ray, fields.sweep, fields.sight, fields.locate) {
            (Some(Segment { from, to }), None, None, None) => Ok(Query::Ray { from, to }),
            (None, Some(Sweep { from, to, radius }), None, None) => {
                Ok(Query::Sweep { from, to, radius })
            }
            (None, None, Some(Segment { from, to }), None) => Ok(Query::Sight { from, to }),
            (None, None, None, Some(place)) => Ok(Query::Locate(place)),
            _ => Err("expected one of ray, sweep, sight, locate".into()),
        }
    });
    QueryLine {
        id: Cow::Owned(id.into_bytes()),
        query,
    }
}

/// The rest of a line. Any unexpected part gives None; then serde parses the line again.
struct Text<'a> {
    all: &'a str,
    rest: &'a [u8],
}

impl<'a> Text<'a> {
    fn new(all: &'a str) -> Self {
        let rest = all.as_bytes();
        Self { all, rest }
    }

    /// `{"id":..,"ray":..}`, spaces between the parts allowed.
    fn line(&mut self) -> Option<(&'a [u8], Query)> {
        self.token(b'{')?;
        self.name(b"\"id\"")?;
        let id = self.id()?;
        self.token(b',')?;
        let query = match self.word()? {
            b"\"ray\"" => {
                let ([from, to], _) = self.path(false)?;
                Query::Ray { from, to }
            }
            b"\"sweep\"" => {
                let ([from, to], radius) = self.path(true)?;
                Query::Sweep { from, to, radius }
            }
            b"\"sight\"" => {
                let ([from, to], _) = self.path(false)?;
                Query::Sight { from, to }
            }
            b"\"locate\"" => {
                self.token(b':')?;
                Query::Locate(self.point()?)
            }
            _ => return None,
        };
        self.token(b'}')?;
        Some((id, query))
    }

    /// `:{"from":..,"to":..}`, and a radius where there is one.
    fn path(&mut self, has_radius: bool) -> Option<([[f64; 3]; 2], f64)> {
        self.token(b':')?;
        self.token(b'{')?;
        self.name(b"\"from\"")?;
        let from = self.point()?;
        self.token(b',')?;
        self.name(b"\"to\"")?;
        let to = self.point()?;
        let mut radius = 0.0;
        if has_radius {
            self.token(b',')?;
            self.name(b"\"radius\"")?;
            radius = self.number()?;
        }
        self.token(b'}')?;
        Some(([from, to], radius))
    }

    fn point(&mut self) -> Option<[f64; 3]> {
        self.token(b'[')?;
        let x = self.number()?;
        self.token(b',')?;
        let y = self.number()?;
        self.token(b',')?;
        let z = self.number()?;
        self.token(b']')?;
        Some([x, y, z])
    }

    fn spaces(&mut self) {
        while let [b' ', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    fn token(&mut self, byte: u8) -> Option<()> {
        self.spaces();
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    /// A name and its colon.
    fn name(&mut self, name: &[u8]) -> Option<()> {
        self.spaces();
        self.rest = self.rest.strip_prefix(name)?;
        self.token(b':')
    }

    /// Text in quotes that is written as it is read.
    fn word(&mut self) -> Option<&'a [u8]> {
        self.spaces();
        let inside = self.rest.strip_prefix(b"\"")?;
        let is_plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
        let end = inside.iter().position(|b| !is_plain(b))?;
        (inside[end] == b'"').then(|| self.take(end + 2))
    }

    /// A word, or a number that is echoed as it stands.
    fn id(&mut self) -> Option<&'a [u8]> {
        self.spaces();
        if self.rest.first() == Some(&b'"') {
            return self.word();
        }
        let len = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let is_short = len == 1 || (1..=15).contains(&len) && self.rest[0] != b'0';
        let ends = matches!(self.rest.get(len), Some(b',' | b' '));
        (is_short && ends).then(|| self.take(len))
    }

    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    fn number(&mut self) -> Option<f64> {
        self.spaces();
        let all = self.rest;
        let minus = all.strip_prefix(b"-");
        let text = minus.unwrap_or(all);
        let digits = |text: &[u8], mut value: u64| {
            let mut len = 0;
            while let Some(digit @ b'0'..=b'9') = text.get(len) {
                value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
                len += 1;
            }
            (len, value)
        };
        let (whole, mut value) = digits(text, 0);
        if whole == 0 || whole > 1 && text[0] == b'0' {
            return None;
        }
        self.rest = &text[whole..];
        let mut decimals = 0;
        if let Some(after) = self.rest.strip_prefix(b".") {
            (decimals, value) = digits(after, value);
            if decimals == 0 {
                return None;
            }
            self.rest = &after[decimals..];
        }
        if matches!(self.rest.first(), Some(b'e' | b'E')) {
            return None;
        }
        if whole + decimals > 15 {
            let at = |left: &[u8]| self.all.len() - left.len();
            return self.all.get(at(all)..at(self.rest))?.parse().ok();
        }
        let size = value as f64 / POWERS[decimals];
        Some(if minus.is_some() { -size } else { size })
    }
}

/// Of ten; all exact.
const POWERS: [f64; 16] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways, which must agree where the fast one answers; whether it did.
    fn check(line: &str) -> bool {
        let mut text = Text::new(line);
        let plain = text.line().filter(|_| text.rest.is_empty());
        let slow = read_any(line.as_bytes());
        assert_eq!(read(line.as_bytes()), slow, "{line}");
        if let (Some((_, plain)), Ok(slow)) = (plain, &slow.query) {
            // Signs of zero too.
            assert_eq!(format!("{plain:?}"), format!("{slow:?}"));
        }
        plain.is_some()
    }

    #[test]
    fn lines_as_programs_write_them_are_read_in_one_pass() {
        for line in [
            r#"{"id":1,"ray":{"from":[0,1,2],"to":[3.5,-4.25,0.1]}}"#,
            r#"{"id": 12, "sweep": {"from": [0.0, -0.0, 2], "to": [3, 4, 5], "radius": 0.25}}"#,
            r#"{"id":"door 7","sight":{"from":[0,1,2],"to":[3,4,5]}}"#,
            r#"{"id":0,"locate":[123456789012.345,-0.123456789012345,-0]}"#,
            r#"{"id":0,"locate":[0.1234567890123456,12345678901234567890,-1.2345678901234567890123]}"#,
        ] {
            assert!(check(line), "{line}");
        }
    }

    #[test]
    fn all_else_is_left_to_serde() {
        for line in [
            r#"{"id":1,"ray":{"from":[0,1,2],"to":[3.5,-4.25,0.1]}} x"#,
            r#"{"id":1,"ray":{"from":[0,1,2],"to":[3.5,-4.25,1e-1]}}"#,
            r#"{"id":1,"ray":{"to":[0,1,2],"from":[3,4,5]}}"#,
            r#"{"ray":{"from":[0,1,2],"to":[3,4,5]},"id":5}"#,
            r#"{"id":1,"ray":{"from":[0,1,2],"to":[3,4,5],"radius":1}}"#,
            r#"{"id":1,"sweep":{"from":[0,1,2],"to":[3,4,5]}}"#,
            r#"{"id":1,"locate":[01,2,3]}"#,
            r#"{"id":1,"locate":[1.,2,3]}"#,
            r#"{"id":1,"locate":[.5,2,3]}"#,
            r#"{"id":1,"locate":[+1,2,3]}"#,
            r#"{"id":1,"locate":[1,2]}"#,
            r#"{"id":1,"locate":[1,2,3,4]}"#,
            r#"{"id":1,"locate":[1,2,1e999]}"#,
            r#"{"id":01,"locate":[1,2,3]}"#,
            r#"{"id":-1,"locate":[1,2,3]}"#,
            r#"{"id":1.50,"locate":[1,2,3]}"#,
            r#"{"id":1e2,"locate":[1,2,3]}"#,
            r#"{"id":"a\"b","locate":[1,2,3]}"#,
            r#"{"id":"ä","locate":[1,2,3]}"#,
            r#"{"id":null,"locate":[1,2,3]}"#,
            r#"{"id":[1,{"a":2}],"locate":[1,2,3]}"#,
            r#"{"id":1,"id":2,"locate":[1,2,3]}"#,
            r#"{"id":1,"locate":[1,2,3],"sight":null}"#,
            r#"{"id":1,"dance":[1,2,3]}"#,
            r#"{"id":1}"#,
            "{}",
            "[1,2",
            "1",
        ] {
            assert!(!check(line), "{line}");
        }
    }

    #[test]
    fn decimals_are_rounded_once() {
        let mut rng = crate::geom::rng::Rng::new(1);
        for _ in 0..20_000 {
            let decimals = rng.below(20) as usize;
            let value = rng.range(-1000.0, 1000.0);
            let text = format!("{value:.decimals$}");
            let mut left = Text::new(&text);
            if let Some(read) = left.number() {
                let expected: f64 = text.parse().expect("a number");
                assert_eq!(read.to_bits(), expected.to_bits(), "{text}");
            }
        }
    }
}
