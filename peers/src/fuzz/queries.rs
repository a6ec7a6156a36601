//! Lines for `breach query`: groups that ask the same in several ways, odd numbers, lines that are none.
use super::brushes::{Coin, log_range};
use super::levels::Made;
use super::map::Map;
use super::recordings::wild;
use breach::geom::rng::Rng;
use glam::DVec3;

/// A level and the lines that are asked in it.
pub fn case(rng: &mut Rng) -> (Map, Vec<u8>) {
    let made = Made::dug(rng, true);
    let mut lines = Vec::new();
    for id in 0..10 + rng.below(30) {
        let group = match rng.below(3) {
            0 => odd(rng, id),
            _ => group(&made, rng, id),
        };
        lines.extend(group);
    }
    (made.map, lines.join("\n").into_bytes())
}

/// A place in a room, on a wall or in rock, metres.
fn place(made: &Made, rng: &mut Rng) -> [f64; 3] {
    let [lo, hi] = made.rooms[rng.below(made.rooms.len() as u64) as usize];
    let place = |axis: usize, rng: &mut Rng| match rng.below(6) {
        0 => made.near(rng, axis) as f64 / 16384.0,
        _ => rng.range(lo[axis] as f64, hi[axis] as f64) / 16384.0,
    };
    [place(0, rng), place(1, rng), place(2, rng)]
}

/// A ray, the sweep of nothing along it, whether its end is seen, and whether its start is air: with one id.
fn group(made: &Made, rng: &mut Rng, id: u64) -> Vec<String> {
    let from = place(made, rng);
    let to = match rng.below(3) {
        0 => place(made, rng),
        1 => {
            let mut to = from;
            to[rng.below(3) as usize] += rng.range(-30.0, 30.0);
            to
        }
        _ => (DVec3::from(from) + rng.unit_vector() * log_range(rng, 1e-9, 1e5)).to_array(),
    };
    let radius = match rng.below(3) {
        0 => wild(rng),
        _ => format!("{}", log_range(rng, 1e-6, 4.0)),
    };
    vec![
        format!("{{\"id\":{id},\"ray\":{{\"from\":{from:?},\"to\":{to:?}}}}}"),
        format!("{{\"id\":{id},\"sweep\":{{\"from\":{from:?},\"to\":{to:?},\"radius\":0}}}}"),
        format!("{{\"id\":{id},\"sight\":{{\"from\":{from:?},\"to\":{to:?}}}}}"),
        format!("{{\"id\":{id},\"locate\":{from:?}}}"),
        format!(
            "{{\"id\":{id},\"sweep\":{{\"from\":{from:?},\"to\":{to:?},\"radius\":{radius}}}}}"
        ),
    ]
}

/// A line of wild numbers, or one that is broken.
fn odd(rng: &mut Rng, id: u64) -> Vec<String> {
    let three = |rng: &mut Rng| format!("[{},{},{}]", wild(rng), wild(rng), wild(rng));
    let line = match rng.below(4) {
        0 => format!("{{\"id\":{id},\"locate\":{}}}", three(rng)),
        1 => format!(
            "{{\"id\":{id},\"ray\":{{\"from\":{},\"to\":{}}}}}",
            three(rng),
            three(rng)
        ),
        _ => format!(
            "{{\"id\":{id},\"sweep\":{{\"from\":[0,0,0],\"to\":{},\"radius\":{}}}}}",
            three(rng),
            wild(rng)
        ),
    };
    match rng.below(4) {
        0 => {
            let end = rng.below(line.len() as u64) as usize;
            vec![line[..end].into()]
        }
        1 => {
            let mut bytes = line.into_bytes();
            let at = rng.below(bytes.len() as u64) as usize;
            bytes[at] = b"{}[]\",:x0-e "[rng.below(12) as usize];
            vec![String::from_utf8_lossy(&bytes).into()]
        }
        _ => vec![line],
    }
}

/// What is left of a recording after a crash: the `.breach`, cut anywhere, and the `.open` beside it.
pub fn left(rng: &mut Rng) -> (Vec<u8>, Vec<u8>) {
    let mut recording = super::recordings::case(rng, false);
    // Without its end; a crash may have cut the last line.
    let whole = recording
        .trim_ascii_end()
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |i| i + 1);
    recording.truncate(whole);
    if rng.below(3) == 0 {
        let head = recording
            .iter()
            .position(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let cut = head + rng.below((recording.len() - head + 1) as u64) as usize;
        recording.truncate(cut);
    }
    let marker = match rng.below(6) {
        0 => format!("{:020}", rng.below(200)),
        1 => format!("{:020}", 1u64 << (30 + rng.below(34))),
        2 => wild(rng),
        3 => String::new(),
        4 => format!("{}", rng.next_u64()),
        _ => String::from_utf8_lossy(&[0xff, 0, rng.below(256) as u8, b'7']).into(),
    };
    let mut bytes = marker.into_bytes();
    if rng.below_half() && bytes.is_empty() {
        bytes = vec![0xc3, 0x28];
    }
    (recording, bytes)
}

/// Files that are none, and who opens them: the kind of file on the first line, the words of the command on the second,
/// `@` where the file goes.
pub fn odd_file(rng: &mut Rng) -> Vec<u8> {
    let kinds = [
        "fifo",
        "folder",
        "/dev/zero",
        "/dev/null",
        "socket",
        "loop",
        "missing",
        "empty",
    ];
    let commands = [
        "check @",
        "check --json @",
        "query @",
        "soak @ --rockets 1",
        "replay @",
        "replay --verify @",
        "compare @",
        "export @ -o out.obj",
    ];
    let kind = kinds[rng.below(kinds.len() as u64) as usize];
    let command = commands[rng.below(commands.len() as u64) as usize];
    format!("{kind}\n{command}\n").into_bytes()
}
