//! The rules: a number for what a level and its commands come to.
//!
//! The same level, seed and commands give the same bits only under the same rules. Recordings and saved maps carry the
//! number; a file that carries none was made by rules [`FIRST`]. A file of other rules still opens and plays, by the rules
//! of this program, and says so: its hashes are those of other results, and are not compared.
//!
//! The number is raised whenever an existing file would come out otherwise, and each raise is told here:
//!
//! | rules | what came out otherwise |
//! |---|---|
//! | 1 | the first; files carry no number |
//! | 2 | faces of brushes off the grid share planes, and hairlines between them are closed; other games' volumes are left out; pieces cut free leave no crack; bedrock has another hash |
//! | 3 | a face that touches itself where a solid stands on its edge has a corner there |
//! | 4 | a chunk whose middle is in rock no longer falls through the surface; an edge too short for its places stays |
//! | 5 | a body at rest against a player who stands falls asleep; the eye comes to rest after a step; a hairline into air that is shut off is closed; which of a face's triangles a body touches does not depend on the tree |
//!
//! A new setting is no reason to raise it: what a recording means that leaves the setting out is fixed beside the setting
//! ([`crate::sim::Settings`]).

/// The rules that this program plays by.
pub const RULES: u32 = 5;

/// The rules of files that carry no number.
pub const FIRST: u32 = 1;

/// That a file was made by other rules, in words; None where it was made by those of this program.
pub fn note(rules: u32) -> Option<String> {
    let text = match rules.cmp(&RULES) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Less => {
            format!(
                "made by rules {rules}; this program plays by rules {RULES}, so the result may differ"
            )
        }
        std::cmp::Ordering::Greater => format!(
            "made by rules {rules}, which are newer than this program's rules {RULES}: the result may differ"
        ),
    };
    Some(text)
}
