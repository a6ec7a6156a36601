//! No circles between the files of a folder: a file may name a sibling only if that sibling does not lead back to it.
//!
//! A folder's files and subfolders are the nodes of a graph, each subfolder one node with all its files, and `mod.rs` one
//! too. An edge is a path that begins with `super` (or `crate` and the folder's name) and leads to a sibling, or to a name
//! that `mod.rs` re-exports from one. What `mod.rs` declares and re-exports is a table of contents and no edge.
use super::code::code;
use super::{inside, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files of one folder that name each other, every path leading back to where it began.
type Circle = BTreeSet<String>;
/// Node to nodes.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Every path in `use` trees and in expressions, written out: `use a::{b, c::d};` is `a::b` and `a::c::d`.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut rest = code;
    let mut before = ' ';
    while let Some(at) = rest.find(|c: char| c.is_alphabetic() || c == '_') {
        if at > 0 {
            before = rest[..at].chars().next_back().expect("a character");
        }
        rest = &rest[at..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (path, behind) = rest.split_at(end);
        rest = behind;
        if before.is_alphanumeric() || before == '_' || before == '.' {
            continue;
        }
        match path.strip_suffix("::") {
            Some(head) if rest.starts_with('{') => {
                let (inner, behind) = braces(rest);
                found.extend(split(inner).into_iter().flat_map(|part| {
                    let parts = paths(&part);
                    parts.into_iter().map(move |p| format!("{head}::{p}"))
                }));
                rest = behind;
            }
            Some(head) if rest.starts_with('*') => found.push(format!("{head}::*")),
            _ => found.push(path.trim_end_matches(':').to_string()),
        }
        before = ' ';
    }
    found
}

/// What stands in the braces that `text` begins with, and what comes behind them.
fn braces(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return (&text[1..at], &text[at + 1..]),
            '}' => depth -= 1,
            _ => {}
        }
    }
    (&text[1..], "")
}

/// At the commas that stand in no braces; without `as` names.
fn split(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("one at least").push(c);
    }
    let name = |part: &String| part.split(" as ").next().unwrap_or("").to_string();
    parts.iter().map(name).collect()
}

/// The names that a `mod.rs` re-exports from its files: name to file.
fn re_exports(code: &str, nodes: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (at, _) in code.match_indices("use ") {
        let before = code[..at].trim_end();
        if !(before.ends_with("pub") || before.ends_with(')')) {
            continue;
        }
        let text = &code[at + 4..];
        let text = &text[..text.find(';').unwrap_or(text.len())];
        for path in paths(text) {
            let parts: Vec<&str> = path.split("::").filter(|p| *p != "self").collect();
            if parts.len() > 1 && nodes.contains(parts[0]) {
                found.insert(parts[parts.len() - 1].to_string(), parts[0].to_string());
            }
        }
    }
    found
}

/// A `mod.rs` without what it declares and re-exports.
fn without_contents(code: &str) -> String {
    let mut left = String::new();
    for statement in code.split_inclusive(';') {
        let start = statement.rfind(['}', '\n']).map_or(0, |_| 0);
        let text = statement[start..].trim();
        let words: Vec<&str> = text.split_whitespace().take(3).collect();
        let is_contents = match words.as_slice() {
            ["pub", "use", ..] | ["mod" | "pub", ..] if text.ends_with(';') => {
                words[0] == "mod" || words[1] == "mod" || words[1] == "use"
            }
            [first, "use" | "mod", ..] if first.starts_with("pub(") => true,
            _ => false,
        };
        if !is_contents {
            left += statement;
        }
    }
    left
}

/// Who names whom in a folder of one of the trees.
fn graph(folder: &Path, files: &[(PathBuf, String)]) -> Graph {
    let depth = inside(folder).iter().count();
    let is_test = |path: &Path| path.iter().any(|p| p == "tests" || p == "tests.rs");
    let within: Vec<&(PathBuf, String)> = files
        .iter()
        .filter(|(path, _)| path.starts_with(folder) && !is_test(path))
        .collect();
    let node = |path: &Path| {
        let part = path.strip_prefix(folder).expect("within").iter().next();
        let name = part.expect("a name").to_string_lossy();
        name.trim_end_matches(".rs").to_string()
    };
    let nodes: BTreeSet<String> = within.iter().map(|(path, _)| node(path)).collect();
    let root = folder.join("mod.rs");
    let exports = within
        .iter()
        .find(|(path, _)| *path == root)
        .map_or_else(BTreeMap::new, |(_, text)| re_exports(text, &nodes));
    let root_code = within.iter().find(|(path, _)| *path == root);
    let root_code = root_code.map_or("", |(_, text)| text);
    let own = |name: &str| {
        // Imported from elsewhere, and not `mod.rs`'s own.
        let defined = ["struct", "enum", "trait", "fn", "const", "type", "static"];
        defined.iter().any(|kind| {
            let item = format!("{kind} {name}");
            root_code.match_indices(&item).any(|(at, _)| {
                !root_code[at + item.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            })
        })
    };
    let module: Vec<String> = inside(folder)
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let mut graph: Graph = nodes.iter().map(|n| (n.clone(), BTreeSet::new())).collect();
    for (path, text) in &within {
        let from = node(path);
        let is_root = *path == root;
        let text = match is_root {
            true => without_contents(text),
            false => text.clone(),
        };
        // How often `super` leads from this file to the folder.
        let inner = inside(path).iter().count() - depth;
        let ups = match path.ends_with("mod.rs") {
            true => inner - 1,
            false => inner,
        };
        for found in paths(&text) {
            let parts: Vec<&str> = found.split("::").collect();
            let supers = parts.iter().take_while(|p| **p == "super").count();
            let target = if is_root && supers == 0 {
                parts.iter().find(|p| **p != "self").copied()
            } else if supers > 0 && supers == ups {
                parts.get(supers).copied()
            } else if parts[0] == "crate" && parts[1..].starts_with(&as_strs(&module)) {
                parts.get(1 + module.len()).copied()
            } else {
                None
            };
            let Some(target) = target else { continue };
            let to = match target {
                t if nodes.contains(t) && t != "mod" => t,
                t if exports.contains_key(t) => exports[t].as_str(),
                t if !is_root && (t == "*" || own(t)) => "mod",
                _ => continue,
            };
            // A name within `mod.rs` alone says nothing: only a path into a file does.
            if is_root && parts.len() < 2 && !exports.contains_key(target) {
                continue;
            }
            if to != from {
                graph.get_mut(&from).expect("a node").insert(to.to_string());
            }
        }
    }
    graph
}

fn as_strs(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

/// What can be reached from a node, by one edge at least.
fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut todo: Vec<&str> = vec![from];
    while let Some(node) = todo.pop() {
        for next in graph.get(node).into_iter().flatten() {
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    seen
}

fn circles(graph: &Graph) -> BTreeSet<Circle> {
    let reach: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|n| (n, reached(graph, n))).collect();
    let around = |n: &&String| reach[*n].contains(*n);
    let circle = |n: &String| {
        let both = |m: &&String| reach[n].contains(*m) && reach[*m].contains(n);
        graph.keys().filter(both).cloned().collect()
    };
    graph.keys().filter(around).map(circle).collect()
}

/// Every circle in every folder, as lines.
fn all() -> Vec<String> {
    let files: Vec<(PathBuf, String)> = sources()
        .into_iter()
        .map(|(path, text)| (path, code(&text)))
        .collect();
    let folders: BTreeSet<PathBuf> = files
        .iter()
        .filter_map(|(path, _)| path.parent())
        .filter(|folder| inside(folder).iter().count() > 0)
        .map(Path::to_path_buf)
        .collect();
    let mut found = Vec::new();
    for folder in folders {
        let graph = graph(&folder, &files);
        for circle in circles(&graph) {
            let edges = circle.iter().map(|from| {
                let to: Vec<&str> = graph[from]
                    .intersection(&circle)
                    .map(String::as_str)
                    .collect();
                format!("    {from} -> {}", to.join(", "))
            });
            let edges: Vec<String> = edges.collect();
            found.push(format!("{}:\n{}", folder.display(), edges.join("\n")));
        }
    }
    found
}

#[test]
fn files_of_a_folder_name_each_other_in_no_circle() {
    let found = all();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_reader_of_paths_writes_groups_out() {
    let found = paths("use super::{a::B, c::{self, D as E}, f}; let x = super::g::h(1).i; self.k");
    let found: Vec<&str> = found
        .iter()
        .map(String::as_str)
        .filter(|p| p.contains("super"))
        .collect();
    assert_eq!(
        found,
        [
            "super::a::B",
            "super::c::self",
            "super::c::D",
            "super::f",
            "super::g::h"
        ]
    );
}

#[test]
fn a_circle_is_found_and_a_table_of_contents_is_none() {
    let tree = |files: &[(&str, &str)]| {
        let files: Vec<(PathBuf, String)> = files
            .iter()
            .map(|(name, text)| (Path::new("src/x").join(name), code(text)))
            .collect();
        circles(&graph(Path::new("src/x"), &files))
    };
    let contents = "mod a;\nmod b;\npub use a::A;\npub use b::{B, C as D};\n";
    let none = [
        ("mod.rs", contents),
        ("a.rs", "use super::B;"),
        ("b.rs", "use glam::A;"),
    ];
    assert!(tree(&none).is_empty());
    let by_name = [
        ("mod.rs", contents),
        ("a.rs", "use super::B;"),
        ("b.rs", "fn f(_: super::A) {}"),
    ];
    assert_eq!(tree(&by_name).len(), 1);
    let root = "mod a;\npub struct S;\nfn f() { a::g() }\n";
    let by_root = [("mod.rs", root), ("a.rs", "use super::S;")];
    assert_eq!(tree(&by_root).len(), 1);
    let by_folder = [
        ("mod.rs", "mod a;\nmod c;"),
        ("a.rs", "use crate::x::c::D;"),
        ("c/mod.rs", "mod d;"),
        ("c/d.rs", "use super::super::a::E;"),
    ];
    assert_eq!(tree(&by_folder).len(), 1);
}
