//! Describes the object under the pointer, and checks the line of sight to a marked point.
use crate::bvh::LeafLocation;
use crate::debris::IRON;
use crate::geom::Ray;
use crate::sim::Sim;
use crate::sound::path::Probe;
use crate::ui::Inspected;
use crate::view::line_of_sight::{ClosedPortal, LineOfSight, line_of_sight};
use crate::view::pick::{Pick, Target, pick, pick_lines, ray_from_pixel};
use crate::view::{
    Camera, Inks, Line, StructureLook, load_words, mode_name, path_lines, path_words,
    percent_words, with_alpha,
};
use crate::world::{MaterialId, RoomId};
use glam::{DVec2, DVec3};

/// Distance of the mark from its face, metres, so that it lies in air.
const BEFORE: f64 = 0.01;

/// The picked object of this frame, and the mark.
#[derive(Default)]
pub struct Inspector {
    /// The picked object as text.
    pub found: Inspected,
    /// The ray through the last pixel pointed at.
    ray: Option<Ray>,
    /// Its current hit.
    pick: Option<Pick>,
    mark: Option<DVec3>,
    /// How sound comes from the mark.
    sound: Probe,
    lines: Vec<Line>,
    /// The path of the load at the picked face.
    load_lines: Vec<Line>,
}

impl Inspector {
    /// Picks through a pixel of a picture of `size`; without a pixel (the pointer is on a panel), along the last ray.
    pub fn look(
        &mut self,
        sim: &Sim,
        camera: &Camera,
        pixel: Option<DVec2>,
        size: DVec2,
        inks: &Inks,
    ) {
        if let Some(pixel) = pixel {
            self.ray = ray_from_pixel(camera, pixel, size);
        }
        self.pick = self.ray.and_then(|ray| pick(sim, &ray));
        let picked = self.pick.as_ref();
        self.lines = picked.map_or(Vec::new(), |pick| pick_lines(pick, inks));
        self.found = Inspected::default();
        if let Some(pick) = &self.pick {
            (self.found.title, self.found.rows) = describe(sim, pick);
        }
        if let Some(mark) = self.mark {
            let seen = line_of_sight(sim, camera.eye, mark);
            let blocked = match seen {
                LineOfSight::Face { point, .. } | LineOfSight::Body { point, .. } => Some(point),
                LineOfSight::Clear | LineOfSight::InRock => None,
            };
            let ink = if blocked.is_some() {
                inks.hit
            } else {
                inks.moving
            };
            self.lines.push(Line {
                from: blocked.unwrap_or(camera.eye - DVec3::Y * 0.15),
                to: mark,
                colour: with_alpha(ink, 1.0),
            });
            let mut text = sight_words(sim, &seen, camera.eye, mark);
            if let Some(path) = self.sound.path(sim, camera.eye, mark) {
                text += &format!(" Sound comes {}.", path.words());
            }
            self.found.sight = Some((seen == LineOfSight::Clear, text));
        }
    }

    /// Marks the picked point, or clears the mark; false if there was nothing to mark.
    pub fn mark(&mut self) -> bool {
        self.mark = match (self.mark, &self.pick) {
            (Some(_), _) => None,
            (None, Some(pick)) => Some(before(pick)),
            (None, None) => return false,
        };
        true
    }

    /// Moves the mark to another picked point.
    pub fn mark_at(&mut self, pick: &Pick) {
        self.mark = Some(before(pick));
    }

    /// The picked face, if it is one: the point and its normal.
    pub fn face(&self) -> Option<(DVec3, DVec3)> {
        let pick = self.pick.as_ref()?;
        match pick.target {
            Target::Face { .. } => Some((pick.point, pick.normal?)),
            _ => None,
        }
    }

    /// Describes what the structure behind the picked face carries, as far as it is known.
    pub fn look_at_load(&mut self, sim: &Sim, structures: &StructureLook) {
        self.load_lines.clear();
        let Some(face) = self.face() else { return };
        let Some((checked, block)) = structures.behind(sim, face) else {
            self.found.structure = match structures.is_under_way() {
                true => "Working out what it carries.".into(),
                false => "No structure: ground, or solid that nothing holds.".into(),
            };
            return;
        };
        let path = checked.load_path(block, DVec3::NEG_Y);
        self.load_lines = path_lines(&checked, &path, face.0);
        self.found.rows.push(("carries", load_words(path.load_n)));
        if let Some(state) = path
            .bonds
            .first()
            .map(|&bond| checked.states[bond as usize])
        {
            let words = format!(
                "{} in {}",
                percent_words(state.utilisation),
                mode_name(state.mode)
            );
            self.found.rows.push(("next section", words));
        }
        self.found.structure = path_words(&checked, &path);
    }

    /// The path of the load at the picked face.
    pub fn load_lines(&self) -> &[Line] {
        &self.load_lines
    }

    /// Lines to draw in the world.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }
}

fn before(pick: &Pick) -> DVec3 {
    pick.point + pick.normal.unwrap_or(DVec3::Y) * BEFORE
}

fn texture(sim: &Sim, material: MaterialId) -> &str {
    if material == IRON {
        return "iron";
    }
    let material = sim.world.materials.get(material as usize);
    material.map_or("nothing", |material| material.texture.as_str())
}

fn metres(p: DVec3) -> String {
    // Avoids negative zero.
    let p = (p * 1e2).round() / 1e2 + DVec3::ZERO;
    format!("{:.2}, {:.2}, {:.2}", p.x, p.y, p.z)
}

/// Describes a picked object: title and rows.
pub(super) fn describe(sim: &Sim, pick: &Pick) -> (String, Vec<(&'static str, String)>) {
    let mut rows = vec![
        ("distance", format!("{:.3} m", pick.distance)),
        ("point", metres(pick.point)),
    ];
    let title = match &pick.target {
        Target::Face {
            room,
            key,
            material,
            brush,
            bin,
            ..
        } => {
            let hardness = sim.world.materials.get(*material as usize);
            let hardness = hardness.map_or(1.0, |material| material.hardness);
            let brush = match brush {
                Some(brush) => format!("{brush} of the file"),
                None => "rock, or made in play".into(),
            };
            rows.extend([
                ("normal", metres(pick.normal.unwrap_or_default())),
                ("room", room_words(sim, *room)),
                ("brush", brush),
                (
                    "hardness",
                    match hardness.is_finite() {
                        true => format!("{hardness:.2}"),
                        false => "unbreakable".into(),
                    },
                ),
                ("key", format!("{key:016x}")),
            ]);
            rows.extend(bin.iter().flat_map(bin_rows));
            format!("face of {}", texture(sim, *material))
        }
        Target::Light(i) => {
            if let Some(light) = sim.level.lights.get(*i) {
                let [r, g, b] = light.colour;
                rows.push(("brightness", format!("{:.0}", light.intensity)));
                rows.push(("colour", format!("{r:.2}, {g:.2}, {b:.2}")));
            }
            format!("light {i}")
        }
        Target::Start(i) => format!("player start {i}"),
        Target::Rocket(i) => {
            if let Some(rocket) = sim.rockets.get(*i) {
                rows.push(("speed", format!("{:.1} m/s", rocket.velocity.length())));
                rows.push(("age", format!("{} ticks", rocket.age)));
            }
            format!("rocket {i}")
        }
        Target::Body(i, layer) => {
            if let Some(body) = sim.bodies.get(*i) {
                rows.extend([
                    ("made of", texture(sim, body.material).to_owned()),
                    ("radius", format!("{:.3} m", body.radius)),
                    ("mass", format!("{:.2} kg", body.mass())),
                    ("speed", format!("{:.2} m/s", body.velocity.length())),
                    ("asleep", if body.asleep { "yes" } else { "no" }.into()),
                ]);
            }
            format!("{} {i}", layer.name())
        }
    };
    if !pick.through.is_empty() {
        let portals: Vec<String> = pick.through.iter().map(u32::to_string).collect();
        rows.push(("through portals", portals.join(", ")));
    }
    (title, rows)
}

fn room_words(sim: &Sim, room: RoomId) -> String {
    let (of, portals) = (sim.world.room(room), sim.world.portals());
    let is_open = |id: &&u32| !portals[**id as usize].loops.is_empty();
    format!(
        "{room}: {:.1} m³, {} faces, {} portals",
        of.air_volume_m3,
        of.face_count,
        of.portals.iter().filter(is_open).count()
    )
}

/// A bin's level and triangles, its path from the root (0 first half, 1 second), its size.
fn bin_rows(bin: &LeafLocation) -> [(&'static str, String); 3] {
    let path: String = bin
        .path
        .iter()
        .map(|&second| if second { '1' } else { '0' })
        .collect();
    let size = bin.bounds.max - bin.bounds.min;
    let triangles = if bin.faces == 1 {
        "triangle"
    } else {
        "triangles"
    };
    [
        (
            "bin",
            format!("level {}, {} {triangles}", bin.path.len(), bin.faces),
        ),
        (
            "bin's path",
            if path.is_empty() {
                "the root".into()
            } else {
                path
            },
        ),
        (
            "bin's box",
            format!("{:.2} × {:.2} × {:.2} m", size.x, size.y, size.z),
        ),
    ]
}

fn sight_words(sim: &Sim, seen: &LineOfSight, eye: DVec3, mark: DVec3) -> String {
    match seen {
        LineOfSight::Clear => format!("The mark is in sight, {:.2} m away.", eye.distance(mark)),
        LineOfSight::InRock => "The camera or the mark is in rock.".into(),
        LineOfSight::Body { point, body } => {
            format!(
                "Body {body} is in the way, {:.2} m away.",
                eye.distance(*point)
            )
        }
        LineOfSight::Face {
            point,
            room,
            material,
            closed,
        } => {
            let what = texture(sim, *material);
            let away = eye.distance(*point);
            let closed = match closed {
                Some(ClosedPortal::Areaportal(i)) => format!(": the level's portal {i} is closed"),
                Some(ClosedPortal::Between(a, b)) => {
                    format!(": the portal of rooms {a} and {b} is closed")
                }
                None => String::new(),
            };
            format!("A face of {what} in room {room} is in the way, {away:.2} m away{closed}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Silent;
    use crate::view::Palette;

    #[test]
    fn what_was_pointed_at_is_said_as_it_is_now_after_a_blast_and_back_in_time() {
        let text = include_bytes!("../../levels/range.map");
        let level = crate::level::read_map(text).expect("our own level");
        let mut sim = Sim::new(level, 1, Default::default(), &mut Silent).expect("a world");
        let start = sim.clone();
        let camera = Camera {
            yaw: sim.player.yaw,
            ..Camera::ahead(sim.player.eye)
        };
        let (middle, size) = (DVec2::splat(50.0), DVec2::splat(100.0));
        let inks = Palette::Standard.inks();
        let look = |inspector: &mut Inspector, sim: &Sim, pixel| {
            inspector.look(sim, &camera, pixel, size, &inks);
            (
                inspector.found.title.clone(),
                inspector.found.rows.clone(),
                inspector.lines().to_vec(),
            )
        };
        let mut inspector = Inspector::default();
        let before = look(&mut inspector, &start, Some(middle));
        assert!(before.0.starts_with("face of "), "{}", before.0);
        let fire = crate::sim::Command {
            actions: vec![crate::sim::Action::Fire],
            ..sim.idle()
        };
        sim.step(&fire, &mut Silent);
        while sim.tick < 300 {
            sim.step(&sim.idle(), &mut Silent);
        }
        let after = look(&mut inspector, &sim, None);
        assert_eq!(after, look(&mut Inspector::default(), &sim, Some(middle)));
        assert_ne!(after, before);
        assert_eq!(look(&mut inspector, &start, None), before);
    }
}
