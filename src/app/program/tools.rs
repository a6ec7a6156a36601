//! What a click does with the tool: fires, probes, picks, carries, measures.
use super::App;
use crate::app::held_tool::{ARM, CHARGE, Carried, THROW, line, measure, metres, probe};
use crate::app::inspector::describe;
use crate::bvh::QueryStats;
use crate::carve::shape::axes;
use crate::geom::Ray;
use crate::sim::{Action, tool_ray};
use crate::ui::{NoticeKind, PanelId, PreviewMode, ShapeHandles, ToolKind, UiCommand};
use crate::view::pick::{Target, pick, pick_lines, ray_from_pixel};
use crate::view::{Inks, clip_from_world};
use glam::{DVec2, DVec3};

impl App {
    /// The direction of view.
    fn look(&self) -> DVec3 {
        crate::sim::command::look_dir(self.input.yaw, self.input.pitch)
    }

    /// Pins the shape where it is aimed, or releases it to the crosshair.
    pub(in crate::app) fn pin_shape(&mut self) {
        let dir = self.look();
        let Some(play) = &self.play else { return };
        let tools = &mut self.panels.tools;
        tools.held.kind = ToolKind::Brush;
        tools.tool.aimed = match tools.tool.aimed {
            Some(_) => None,
            None => Some([play.sim.player.eye.into(), dir.into()]),
        };
        if tools.tool.aimed.is_some() && tools.preview_mode == PreviewMode::Off {
            tools.preview_mode = if tools.held.fill {
                PreviewMode::Fill
            } else {
                PreviewMode::Carve
            };
        }
    }

    /// Aims the pinned shape through a point of the picture.
    pub(in crate::app) fn move_pinned_shape(&mut self, at: DVec2) {
        let Some(camera) = self.camera_drawn else {
            return;
        };
        let Some(ray) = ray_from_pixel(&camera, at, DVec2::ONE) else {
            return;
        };
        self.panels.tools.tool.aimed = Some([ray.origin.into(), ray.dir.into()]);
    }

    /// The handles of the pinned shape in the picture.
    pub(in crate::app) fn shape_handles(&self) -> Option<ShapeHandles> {
        let (play, camera) = (self.play.as_ref()?, self.camera_drawn?);
        let tool = &self.panels.tools.tool;
        tool.aimed?;
        let [from, to] = tool_ray(&play.sim, tool)?;
        let hit = play
            .sim
            .world
            .cast_ray(from, to, &mut QueryStats::default())?;
        let [across, up, _] = axes(-hit.normal, tool.rotation).ok()?;
        let clip = clip_from_world(&camera);
        let place = |p: DVec3| {
            let p = clip * p.extend(1.0);
            let at = DVec2::new(p.x / p.w + 1.0, 1.0 - p.y / p.w) * 0.5;
            (p.w > 0.0 && at.is_finite()).then_some(at)
        };
        Some(ShapeHandles {
            centre: place(hit.point)?,
            side: place(hit.point + across * (tool.size * 0.5)).unwrap_or(DVec2::NAN),
            top: place(hit.point + up * (tool.size * 0.5)).unwrap_or(DVec2::NAN),
        })
    }

    /// Marks the point under the crosshair for the line of sight; false if there is nothing.
    pub(in crate::app) fn mark_crosshair(&mut self) -> bool {
        let dir = self.look();
        let Some(play) = &self.play else { return false };
        let origin = play.sim.player.eye;
        let picked = pick(&play.sim, &Ray { origin, dir });
        if let Some(picked) = &picked {
            self.inspector.mark_at(picked);
        }
        picked.is_some()
    }

    /// The tool's button was pressed.
    pub(in crate::app) fn press_tool(&mut self) {
        let look = self.look();
        let panel = &self.panels.tools.held;
        let (kind, burst, charge, fill) = (panel.kind, panel.burst, panel.charge, panel.fill);
        let radius = panel.sweep_radius;
        self.held_tool.shot = self.panels.tools.shot;
        let Some(play) = &self.play else { return };
        let sim = &play.sim;
        match kind {
            ToolKind::Rocket if charge && self.held_tool.shot.explodes() => {
                self.held_tool.charging = Some(CHARGE[0]);
            }
            ToolKind::Rocket => {
                self.held_tool.blast_radius = None;
                self.held_tool.burst = [burst, 0];
            }
            ToolKind::Brush => self.act(if fill {
                UiCommand::Fill
            } else {
                UiCommand::Carve
            }),
            ToolKind::Ray | ToolKind::Sweep => {
                let radius = if kind == ToolKind::Sweep { radius } else { 0.0 };
                self.held_tool.keep(probe(sim, look, radius));
            }
            ToolKind::Sight => match self.mark_crosshair() {
                true => self.panels.dock.show(PanelId::Inspect, true),
                false => self.notify(NoticeKind::Warning, "Nothing under the crosshair.".into()),
            },
            ToolKind::Pick => {
                let ray = Ray {
                    origin: sim.player.eye,
                    dir: look,
                };
                let Some(picked) = pick(sim, &ray) else {
                    let text = "Nothing under the crosshair.";
                    return self.notify(NoticeKind::Warning, text.into());
                };
                let (title, rows) = describe(sim, &picked);
                let rows = rows.iter().map(|(name, value)| format!("\n{name} {value}"));
                let text = title + &rows.collect::<String>();
                let drawing = move |inks: &Inks| pick_lines(&picked, inks);
                self.held_tool.keep((text, Box::new(drawing)));
            }
            ToolKind::Grab => {
                let ray = Ray {
                    origin: sim.player.eye,
                    dir: look,
                };
                if let Some(picked) = pick(sim, &ray)
                    && picked.distance <= ARM
                    && let Target::Body(body, _) = picked.target
                    && let Some(found) = sim.bodies.get(body)
                {
                    self.held_tool.carried = Some(Carried {
                        body,
                        distance: found.position.distance(sim.player.eye).clamp(1.0, ARM),
                        last: found.position,
                    });
                } else {
                    let text = format!("No body within {ARM:.0} m under the crosshair.");
                    self.notify(NoticeKind::Warning, text);
                }
            }
            ToolKind::Measure => {
                let Some(hit) = play.crosshair() else {
                    return self.notify(NoticeKind::Warning, "No face under the crosshair.".into());
                };
                match self.held_tool.from.take() {
                    Some(from) => self.held_tool.keep(measure(from, hit.point)),
                    None => {
                        self.held_tool.from = Some(hit.point);
                        let text = format!("from {}", metres(hit.point));
                        let to = hit.point + hit.normal * 0.2;
                        let drawing = move |inks: &Inks| vec![line(hit.point, to, inks.asked)];
                        self.held_tool.keep((text, Box::new(drawing)));
                    }
                }
            }
        }
    }

    /// The tool's button was released.
    pub(in crate::app) fn release_tool(&mut self) {
        self.held_tool.carried = None;
        if let Some(radius) = self.held_tool.charging.take() {
            self.held_tool.blast_radius = Some(radius);
            self.held_tool.burst = [self.panels.tools.held.burst, 0];
        }
    }

    /// Throws the carried body.
    pub(in crate::app) fn throw_carried(&mut self) {
        let velocity = self.look() * THROW;
        if let Some(carried) = self.held_tool.carried.take() {
            self.queued.push(Action::Throw {
                body: carried.body as u32,
                velocity: velocity.into(),
            });
        }
    }

    /// The tool's actions of the next tick.
    pub(in crate::app) fn tool_actions(&mut self) -> Vec<Action> {
        let look = self.look();
        if let Some(radius) = &mut self.held_tool.charging {
            let [_, doubles_secs, most] = CHARGE;
            let by = libm::exp2(crate::sim::TICK_SECS / doubles_secs);
            *radius = (*radius * by).min(most);
        }
        let Some(play) = &self.play else {
            return Vec::new();
        };
        self.held_tool.tick(&play.sim, look)
    }
}
