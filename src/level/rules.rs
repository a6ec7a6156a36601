//! The rules number: the version of the simulation's results.
//!
//! The same level, seed and commands give the same bits only under the same rules. Recordings and saved maps carry the
//! number; a file without one was made by rules [`FIRST`]. A file of other rules still opens and plays by the rules of this
//! program, with a note; its hashes are not compared, as its results differ.
//!
//! The number is raised whenever the results of an existing file change:
//!
//! | rules | what changed |
//! |---|---|
//! | 1 | the first; files carry no number |
//! | 2 | faces of brushes off the grid share planes, and hairlines between them are closed; other games' volumes are left out; pieces cut free leave no crack; bedrock has another hash |
//! | 3 | a face that touches itself where a solid stands on its edge has a corner there |
//! | 4 | a chunk whose middle is in rock no longer falls through the surface; an edge too short for its places stays |
//! | 5 | a body at rest against a player who stands falls asleep; the eye comes to rest after a step; a hairline into air that is shut off is closed; which of a face's triangles a body touches does not depend on the tree |
//! | 6 | a long search for loose pieces, and a large change's drawing, take as many ticks as they cost |
//! | 7 | what lies on a structure, and what hits it, is a load; a level with strength above 0 breaks otherwise |
//! | 8 | a chunk that is long for its depth breaks where it hits something too hard for its material, where strength is above 0; what is too large for blocks of half a metre is checked in larger ones |
//! | 9 | a chunk that is nearly convex touches other bodies with its hull, not with its balls; a body's impulses of the last step go to its nearest contacts, and contacts are solved to and fro |
//! | 10 | of a chunk's contacts with a wall only the deepest is preferred from tick to tick; impulses go to contacts at most two centimetres away; where strength is above 0, checks take other numbers of ticks |
//! | 11 | movers are carved exactly, as often as they are hit; chunks that were carved before no longer stay whole where rounding makes a triangle flat; a blast larger than a chunk takes all of it |
//! | 12 | in one blast walls, chunks and movers each show what they are made of themselves, and the crumbs are of it; what is left of a chunk is carved exactly, as often as it is hit |
//! | 13 | a blast that hits something unbreakable is felt by movers, chunks and crumbs near it; where a body is pushed out of a wall differs in its last digits |
//! | 14 | the triangles of a face, and with them the last digits of what touches it, no longer depend on earlier undos and jumps in time; a structure that breaks shows the material nearest to the cut |
//!
//! It was not raised when large levels (more than 8,000 brushes, or more than 500 with a side in one plane) got another order
//! of faces, and with it other last digits of what falls on them: in all other levels nothing has changed.
//!
//! A new setting does not raise it: the value that older recordings imply is fixed beside the setting
//! ([`crate::sim::Settings`]).

/// The rules of this program.
pub const RULES: u32 = 14;

/// The rules of files without a number.
pub const FIRST: u32 = 1;

/// The note about a file made by other rules than this program's; None for the same rules.
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
