//! A source file's code: without comments, quotes, and items that only tests have.

/// The code without comments, without what stands in quotes, and without the items that are built for its unit tests
/// alone, which may ask anybody for an oracle. Lines keep their numbers.
pub fn code(text: &str) -> String {
    const TEST: &str = "#[cfg(test)]";
    let bare = without_comments_and_quotes(text);
    let mut code = String::new();
    let mut rest = bare.as_str();
    while let Some(at) = rest.find(TEST) {
        let (before, item) = rest.split_at(at);
        let end = TEST.len() + item_len(&item[TEST.len()..]);
        code += before;
        code.extend(item[..end].chars().filter(|c| *c == '\n'));
        rest = &item[end..];
    }
    code + rest
}

/// Up to where an item ends, its attributes included: behind its block or its semicolon; of a field or an arm, before the
/// comma, or before what closes around it.
fn item_len(item: &str) -> usize {
    const ITEMS: [&str; 7] = ["fn", "impl", "struct", "enum", "trait", "type", "use"];
    let is_item = |head: &str| head.split_whitespace().any(|word| ITEMS.contains(&word));
    let mut depth = 0;
    for (at, c) in item.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return at,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 && c == '}' {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            ',' if depth == 0 && !is_item(&item[..at]) => return at,
            _ => {}
        }
    }
    item.len()
}

/// Comments, and what stands in quotes, as spaces; lines stay.
fn without_comments_and_quotes(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let starts = |at: usize, what: &str| {
        what.chars()
            .eq(chars[at..].iter().copied().take(what.len()))
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let blank = |out: &mut String, from: usize, to: usize| {
        out.extend(
            chars[from..to]
                .iter()
                .map(|c| if *c == '\n' { '\n' } else { ' ' }),
        );
    };
    while at < chars.len() {
        let is_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
        let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
        let end = if starts(at, "//") {
            let line = chars[at..].iter().take_while(|c| **c != '\n').count();
            Some(at + line)
        } else if starts(at, "/*") {
            let mut depth = 1;
            let mut end = at + 2;
            while depth > 0 && end < chars.len() {
                match () {
                    () if starts(end, "/*") => (depth, end) = (depth + 1, end + 2),
                    () if starts(end, "*/") => (depth, end) = (depth - 1, end + 2),
                    () => end += 1,
                }
            }
            Some(end)
        } else if chars[at] == 'r' && !is_word && chars.get(at + 1 + hashes) == Some(&'"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let inside = at + 2 + hashes;
            let end = (inside..chars.len()).find(|end| starts(*end, &close));
            Some(end.map_or(chars.len(), |end| end + close.len()))
        } else if chars[at] == '"' || chars[at] == '\'' && is_character(&chars[at..]) {
            let mut end = at + 1;
            while end < chars.len() && chars[end] != chars[at] {
                end += if chars[end] == '\\' { 2 } else { 1 };
            }
            Some((end + 1).min(chars.len()))
        } else {
            None
        };
        match end {
            Some(end) => {
                blank(&mut out, at, end);
                at = end;
            }
            None => {
                out.push(chars[at]);
                at += 1;
            }
        }
    }
    out
}

/// Whether a quote begins a character and not the name of a lifetime.
fn is_character(from: &[char]) -> bool {
    from.get(1) == Some(&'\\') || from.get(2) == Some(&'\'')
}

#[test]
fn the_reader_of_code_skips_the_items_of_tests_and_nothing_behind_them() {
    let code = code(
        r##"
use a; // #[cfg(test)]
#[cfg(test)]
#[allow(x, y)]
mod tests;
use b::{c};
#[cfg(test)]
fn f<'a, T>(_: [u8; 3]) -> char { if true { '}' } else { "}" /* } */ } }
const C: &str = "#[cfg(test)] crate::quoted";
const D: &str = r#"" crate::raw"#;
struct S {
    #[cfg(test)]
    only: Vec<(u8, u8)>,
    #[cfg(test)]
    last: u8
}
#[cfg(test)]
use crate::{d, e};
/* crate::f /* #[cfg(test)] */ */ use g;
#[cfg(test)]
mod tests {
    use crate::h;
}
use i;"##,
    );
    let left: Vec<&str> = code.split_whitespace().collect();
    let left = left.join(" ");
    assert_eq!(
        left,
        "use a; use b::{c}; const C: &str = ; const D: &str = ; struct S { , } ; use g; use i;"
    );
    // What is wrong is told with its line.
    let line = code.lines().position(|line| line.starts_with("use i;"));
    assert_eq!(line, Some(23));
}
