//! Recordings of anything that a player or a file may ask for: every action, tools of every shape, numbers of every size,
//! settings, undo, ends far away.
use super::brushes::{Coin, log_range};
use super::levels::{M, Made};
use breach::geom::Aabb;
use breach::geom::rng::Rng;
use breach::sim::recording::LevelSource;
use breach::sim::{Shot, ToolShape};
use glam::I64Vec3;
use std::fmt::Write;

/// The bytes of a `.breach`. `settings`: new settings come often, rather than shots.
pub fn case(rng: &mut Rng, settings: bool) -> Vec<u8> {
    let made = match rng.below(3) {
        0 => Made::built(rng),
        _ => Made::dug(rng, true),
    };
    let source = LevelSource::embed(&made.map.bytes());
    let LevelSource::Text { text, .. } = source else {
        return Vec::new();
    };
    let head = if settings {
        self::settings(rng)
    } else {
        "{}".into()
    };
    let mut out = format!(
        "{{\"breach\":1,\"level\":{{\"text\":{}}},\"seed\":{},\"settings\":{head}}}\n",
        quoted(&text),
        rng.below(1000)
    );
    let mut player = Player {
        rooms: made.rooms,
        aim: None,
        is_calm: rng.below(3) > 0,
        sets: settings,
    };
    let mut tick = 0;
    for _ in 0..3 + rng.below(18) {
        let command = player.command(rng);
        let _ = writeln!(out, "{{\"tick\":{tick},\"command\":{command}}}");
        tick += 1 + rng.below(12);
    }
    // Mostly at once, sometimes far away.
    let end = match rng.below(24) {
        0 => 1 << (20 + rng.below(24)),
        1 => tick + 300,
        _ => tick + rng.below(90),
    };
    let _ = writeln!(out, "{{\"tick\":{end},\"end\":true}}");
    out.into_bytes()
}

/// Text as JSON has it: U+0000 to U+00FF.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            _ => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

/// A number as text: of any size, or none.
pub fn wild(rng: &mut Rng) -> String {
    let list = [
        "0",
        "-0.0",
        "1e308",
        "-1e308",
        "1e-300",
        "9007199254740992",
        "1000000000.0",
        "1024",
        "-1024",
        "20",
        "0.02",
        "-1",
        "1",
        "1e6",
        "32768",
        "16777216",
        "0.00006103515625",
        "3.141592653589793",
        "4294967296",
    ];
    match rng.below(4) {
        0 => format!("{}", rng.range(-10.0, 10.0)),
        _ => list[rng.below(list.len() as u64) as usize].into(),
    }
}

/// A number from a range, now and then a wild one.
fn number(rng: &mut Rng, lo: f64, hi: f64, calm: bool) -> String {
    match !calm && rng.below(4) == 0 {
        true => wild(rng),
        false => format!("{}", rng.range(lo, hi)),
    }
}

fn three(rng: &mut Rng, reach: f64, calm: bool) -> String {
    let [x, y, z] = [0, 1, 2].map(|_| number(rng, -reach, reach, calm));
    format!("[{x},{y},{z}]")
}

/// Who acts, and what was aimed at before.
struct Player {
    rooms: Vec<[I64Vec3; 2]>,
    aim: Option<String>,
    /// Only numbers that a hand at the controls gives.
    is_calm: bool,
    /// New settings come often.
    sets: bool,
}

impl Player {
    fn command(&mut self, rng: &mut Rng) -> String {
        let turn = number(rng, -3.2, 3.2, self.is_calm);
        let pitch = match rng.below(3) {
            0 => "0.0".into(),
            _ => number(rng, -1.5, 1.5, self.is_calm),
        };
        let mut actions: Vec<String> = (0..rng.below(4)).map(|_| self.action(rng)).collect();
        if rng.below(4) == 0 {
            // A hole and, before its crumbs have got away, a fill over it.
            for fill in [false, true] {
                actions.push(format!("{{\"tool\":{}}}", self.tool(rng, fill)));
            }
        }
        let flags = [0, 1, 2].map(|_| rng.below(6) == 0);
        format!(
            "{{\"walk\":{},\"yaw\":{turn},\"pitch\":{pitch},\"jump\":{},\"fast\":{},\"crouch\":{},\"actions\":[{}]}}",
            three(rng, 1.0, self.is_calm),
            flags[0],
            flags[1],
            flags[2],
            actions.join(",")
        )
    }

    fn action(&mut self, rng: &mut Rng) -> String {
        let is_calm = self.is_calm;
        if self.sets && rng.below_half() {
            return format!("{{\"set\":{}}}", settings(rng));
        }
        match rng.below(16) {
            0 => "\"fire\"".into(),
            1 => format!("{{\"shoot\":\"{}\"}}", shot(rng)),
            2 => {
                let radius = match is_calm {
                    true => format!("{}", log_range(rng, 0.02, 8.0)),
                    false => wild(rng),
                };
                format!(
                    "{{\"charged\":{{\"shot\":\"{}\",\"radius\":{radius}}}}}",
                    shot(rng)
                )
            }
            3 => {
                let [from, dir] = self.ray(rng);
                format!("{{\"fire_along\":{{\"from\":{from},\"dir\":{dir}}}}}")
            }
            4..=10 => {
                let fill = rng.below_half();
                format!("{{\"tool\":{}}}", self.tool(rng, fill))
            }
            11 => ["\"undo\"", "\"undo\"", "\"redo\"", "\"clear_debris\""][rng.below(4) as usize]
                .into(),
            12 => {
                let what = ["walk", "no_clip"][rng.below(2) as usize];
                format!("{{\"{what}\":{}}}", rng.below_half())
            }
            13 => format!("{{\"teleport\":{}}}", three(rng, 10.0, is_calm)),
            14 => format!(
                "{{\"carry\":{{\"body\":{},\"to\":{}}}}}",
                rng.below(40),
                three(rng, 8.0, is_calm)
            ),
            _ => format!(
                "{{\"throw\":{{\"body\":{},\"velocity\":{}}}}}",
                rng.below(40),
                three(rng, 40.0, is_calm)
            ),
        }
    }

    /// From within a room; half of the time along an axis, so that a tool lies level and its sides in the planes of walls.
    fn ray(&self, rng: &mut Rng) -> [String; 2] {
        let [lo, hi] = self.rooms[rng.below(self.rooms.len() as u64) as usize]
            .map(|p| p.as_dvec3() / M as f64);
        let from = rng.in_box(&Aabb { min: lo, max: hi }).to_array();
        let dir = match rng.below(2) {
            0 => {
                let mut dir = [0.0; 3];
                dir[rng.below(3) as usize] = if rng.below_half() { 1.0 } else { -1.0 };
                dir
            }
            _ => rng.unit_vector().to_array(),
        };
        match self.is_calm || rng.below(4) > 0 {
            true => [format!("{from:?}"), format!("{dir:?}")],
            false => [three(rng, 6.0, false), three(rng, 1.0, false)],
        }
    }

    fn tool(&mut self, rng: &mut Rng, fill: bool) -> String {
        let shape = ToolShape::ALL[rng.below(10) as usize];
        let name = format!("{shape:?}").to_lowercase();
        let is_calm = self.is_calm;
        let length = |rng: &mut Rng| {
            let least = if rng.below_half() { 0.02 } else { 1.0 };
            match is_calm || rng.below(3) > 0 {
                true => format!("{}", log_range(rng, least, 20.0)),
                false => wild(rng),
            }
        };
        let mut text = format!(
            "{{\"fill\":{fill},\"shape\":\"{name}\",\"size\":{},\"depth\":{}",
            length(rng),
            length(rng)
        );
        if rng.below_half() {
            let _ = write!(text, ",\"rotation\":{}", three(rng, 3.2, is_calm));
        }
        if shape == ToolShape::Hull {
            let points: Vec<String> = (0..3 + rng.below(8))
                .map(|_| three(rng, 6.0, is_calm))
                .collect();
            let _ = write!(text, ",\"points\":[{}]", points.join(","));
        }
        // At the crosshair, where it was aimed before (into what was just carved, onto what lies there), or anew.
        let aim = match (rng.below(3), &self.aim) {
            (0, _) => None,
            (1, Some(aim)) => Some(aim.clone()),
            _ => {
                let [from, dir] = self.ray(rng);
                Some(format!("[{from},{dir}]"))
            }
        };
        if let Some(aim) = aim {
            let _ = write!(text, ",\"aimed\":{aim}");
            self.aim = Some(aim);
        }
        text + "}"
    }
}

fn shot(rng: &mut Rng) -> &'static str {
    match Shot::ALL[rng.below(4) as usize] {
        Shot::Rocket => "rocket",
        Shot::Grenade => "grenade",
        Shot::Drill => "drill",
        Shot::Ball => "ball",
    }
}

/// Settings: some keys, within and beyond their limits.
fn settings(rng: &mut Rng) -> String {
    let mut parts = Vec::new();
    for key in ["blast_radius", "buffer_distance", "gravity"] {
        if rng.below(3) == 0 {
            let most = [8.0, 0.2, 30.0][parts.len().min(2)];
            parts.push(format!("\"{key}\":{}", number(rng, 0.0, most, false)));
        }
    }
    if rng.below(3) == 0 {
        parts.push(format!(
            "\"max_bodies\":{}",
            [0, 1, 50, 20_000, u32::MAX][rng.below(5) as usize]
        ));
    }
    if rng.below(3) == 0 {
        parts.push(format!("\"debris\":{}", rng.below_half()));
    }
    if rng.below(3) == 0 {
        let shape = ["rock", "concrete", "metal", "cheese", ""][rng.below(5) as usize];
        parts.push(format!("\"blast_shape\":\"{shape}\""));
    }
    if rng.below(2) == 0 {
        let split = ["midpoint", "median", "mean", "sah", "bottom_up"][rng.below(5) as usize];
        let [depth, bin] = [0, 1].map(|_| [0, 1, 4, 16, 32, 999][rng.below(6) as usize]);
        let volume = number(rng, 0.0, 1.0, false);
        parts.push(format!(
            "\"tree\":{{\"split\":\"{split}\",\"max_depth\":{depth},\"faces_per_bin\":{bin},\"min_volume\":{volume}}}"
        ));
    }
    if rng.below(4) == 0 {
        let keys = [
            "fuse_secs",
            "bounce",
            "drill_radius",
            "drill_depth",
            "ball_mass",
        ];
        let key = keys[rng.below(5) as usize];
        parts.push(format!(
            "\"shots\":{{\"{key}\":{}}}",
            number(rng, 0.0, 4.0, false)
        ));
    }
    format!("{{{}}}", parts.join(","))
}
