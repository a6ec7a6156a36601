//! The passes of a picture: shadow maps, depth prepass, light buffer, colour; and lines over a stretched picture.
use super::frame_uniforms::FrameUniforms;
use super::fullscreen;
use super::gpu_timer::GpuTimer;
use super::influences;
use super::overlay;
use super::renderer::{DrawStats, Renderer};
use super::shadow_maps::DynamicCasters;
use super::targets::Targets;
use super::view_axes::ViewAxes;
use crate::view::{Snapshot, Window};

impl Renderer {
    /// Draws the uploaded snapshot to `target`, of `size` pixels. If the picture will be stretched to a size `over`, its lines
    /// are left to [`Renderer::draw_over`].
    pub fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        (size, over): ([u32; 2], Option<[u32; 2]>),
        snapshot: &Snapshot,
    ) -> DrawStats {
        if size.contains(&0) {
            return DrawStats::default();
        }
        let timestamp = |timer: &Option<GpuTimer>, encoder: &mut wgpu::CommandEncoder, index| {
            if let Some(timer) = timer {
                timer.timestamp(encoder, index);
            }
        };
        timestamp(&self.timer, encoder, 0);
        let bodies = DynamicCasters {
            parts: &self.chunk_parts,
            corners: self.chunk_corners.filled(),
            instances: self.bodies.filled(),
            meshes: &self.body_meshes,
            layout: &self.layout,
        };
        let (shadow_layers, is_replaced, shadows_drawn) =
            self.shadows
                .draw(device, queue, encoder, (&self.meshes, &bodies), snapshot);
        if is_replaced {
            let views = [self.shadows.view(), self.sun.view()];
            let tables = [self.projections.buffer(), self.stress.buffer()];
            self.frame_groups = (self.bindings).groups(device, &self.materials, views, tables);
        }
        let sun = self
            .sun
            .draw(queue, encoder, (&self.meshes, &bodies), snapshot);
        let axes = ViewAxes::new(snapshot);
        let tiles = influences::tile_masks(&self.influences, &axes);
        queue.write_buffer(&self.bindings.tiles, 0, bytemuck::bytes_of(&tiles));
        let uniforms = FrameUniforms::new(
            snapshot,
            size,
            !self.format.is_srgb(),
            &self.quality,
            &axes,
            (&shadow_layers, self.shadows.face_size()),
            sun.map(|(cascades, _)| cascades),
        );
        queue.write_buffer(&self.bindings.frame, 0, bytemuck::bytes_of(&uniforms));
        let over = over.filter(|_| self.pipelines.line_over.is_some());
        self.over = over;
        if let Some(over) = over {
            let uniforms = uniforms.stretched(over);
            queue.write_buffer(&self.bindings.frame_over, 0, bytemuck::bytes_of(&uniforms));
        }
        if self
            .targets
            .as_ref()
            .is_none_or(|targets| targets.size != size)
        {
            let (bindings, quality) = (&self.bindings, &self.quality);
            self.targets = Some(Targets::new(device, bindings, quality, self.format, size));
        }
        let Some(targets) = &self.targets else {
            return DrawStats::default();
        };
        timestamp(&self.timer, encoder, 1);
        self.draw_depth(encoder, targets, snapshot);
        self.draw_light(encoder, targets, snapshot);
        // Read by ambient occlusion, the shade of crumbs, soft smoke, and liquids.
        let is_read = self.quality.occlusion
            || !self.layout.order.is_empty()
            || self.sprites.count > 0
            || self.liquids.count > 0
            || snapshot.submerged.is_some();
        if let (Some(pipeline), Some(first)) = (&self.pipelines.first_sample, &targets.first)
            && is_read
        {
            let depth = Some(&targets.depth);
            fullscreen::draw_fullscreen(device, encoder, pipeline, depth, &[first]);
        }
        timestamp(&self.timer, encoder, 2);
        let heat = overlay::heat_group(device, &self.bindings, &self.heat);
        let triangles = self.draw_colour(encoder, targets, target, heat.as_ref(), snapshot);
        timestamp(&self.timer, encoder, 3);
        DrawStats {
            rooms_drawn: snapshot.rooms.len(),
            rooms_uploaded: 0,
            triangles,
            shadows_drawn: shadows_drawn + sun.map_or(0, |(_, drawn)| drawn),
        }
    }

    /// The depth prepass.
    fn draw_depth(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        snapshot: &Snapshot,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("depth"),
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_groups[0], &[]);
        // Wires alone do not occlude.
        if !snapshot.overlays.wire_alone {
            self.draw_rooms(
                &mut pass,
                targets.size,
                snapshot,
                |_, has_cut| match has_cut {
                    true => &self.pipelines.room_depth_cut,
                    false => &self.pipelines.room_depth,
                },
            );
        }
        let by_cut = [&self.pipelines.body_depth, &self.pipelines.body_depth_cut];
        self.draw_bodies(&mut pass, by_cut);
    }

    /// The light buffer, if the quality has one.
    fn draw_light(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        snapshot: &Snapshot,
    ) {
        let Some([rooms, bodies]) = &self.pipelines.light else {
            return;
        };
        let [light, depth] = &targets.light;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("light"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: light,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_groups[0], &[]);
        self.draw_rooms(&mut pass, targets.light_size, snapshot, |_, _| rooms);
        // Without crumbs: they are smaller than its pixels and take the light of their surroundings.
        self.draw_chunks(&mut pass, [bodies; 2]);
    }

    /// The colour pass, with overlays. Returns the number of room triangles.
    fn draw_colour(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        target: &wgpu::TextureView,
        heat: Option<&wgpu::BindGroup>,
        snapshot: &Snapshot,
    ) -> usize {
        let (view, resolve_target, store) = match &targets.colour {
            Some(colour) => (colour, Some(target), wgpu::StoreOp::Discard),
            None => (target, None, wgpu::StoreOp::Store),
        };
        let background = wgpu::Color {
            r: 0.004,
            g: 0.005,
            b: 0.007,
            a: 1.0,
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("colour"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(background),
                    store,
                },
            })],
            // Read only: shaders sample it in the same pass.
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: None,
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_groups[0], &[]);
        pass.set_bind_group(1, &targets.depth_group, &[]);
        let overlays = &snapshot.overlays;
        let has_drawings = overlays.wire
            || overlays.rooms
            || overlays.faces
            || overlays.wire_alone
            || overlays.stress;
        let [clean, sooty] = &self.pipelines.room[usize::from(has_drawings)];
        let by_soot = |index: usize, _| match self.has_soot.get(index) {
            Some(false) => clean,
            Some(true) | None => sooty,
        };
        let triangles = self.draw_rooms(&mut pass, targets.size, snapshot, by_soot);
        // Before the bodies, which cover it.
        let is_shaded = !snapshot.overlays.wire_alone;
        if let Some(crumbs) = self.bodies.filled().filter(|_| is_shaded) {
            pass.set_pipeline(&self.pipelines.shade);
            pass.set_vertex_buffer(0, crumbs.slice(..));
            pass.draw(0..4, 0..self.layout.order.len() as u32);
        }
        self.draw_bodies(&mut pass, [&self.pipelines.body; 2]);
        // Before the smoke, which floats above them.
        if let Some(liquids) = self.liquids.filled().filter(|_| is_shaded) {
            pass.set_vertex_buffer(0, liquids.slice(..));
            for pipeline in &self.pipelines.liquid {
                pass.set_pipeline(pipeline);
                pass.draw(0..self.liquids.count, 0..1);
            }
        }
        let sprites = self.sprites.filled();
        if let Some(sprites) = sprites.filter(|_| !snapshot.overlays.wire_alone) {
            pass.set_pipeline(&self.pipelines.sprite);
            pass.set_vertex_buffer(0, sprites.slice(..));
            pass.draw(0..4, 0..self.sprites.count);
        }
        if snapshot.submerged.is_some() && is_shaded {
            for pipeline in &self.pipelines.submerged {
                pass.set_pipeline(pipeline);
                pass.draw(0..3, 0..1);
            }
        }
        if let Some(heat) = heat {
            pass.set_pipeline(&self.pipelines.heat);
            pass.set_bind_group(1, heat, &[]);
            pass.draw(0..3, 0..1);
        }
        if let Some(lines) = self.lines.filled().filter(|_| self.over.is_none()) {
            pass.set_vertex_buffer(0, lines.slice(..));
            for pipeline in [&self.pipelines.line_hidden, &self.pipelines.line_seen] {
                pass.set_pipeline(pipeline);
                pass.draw(0..4, 0..self.lines.count);
            }
        }
        triangles
    }

    /// Draws each room within its window, nearest first. `pipeline` gets the index of the room, and whether it has textures
    /// with holes. Returns the number of triangles.
    fn draw_rooms<'a>(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        size: [u32; 2],
        snapshot: &Snapshot,
        pipeline: impl Fn(usize, bool) -> &'a wgpu::RenderPipeline,
    ) -> usize {
        let Some(masks) = self.room_masks.filled() else {
            return 0;
        };
        pass.set_vertex_buffer(1, masks.slice(..));
        let mut triangles = 0;
        let mut last: Option<&wgpu::RenderPipeline> = None;
        for (index, room) in (0..).zip(&snapshot.rooms) {
            let wanted = pipeline(index as usize, self.meshes.has_cut(room.id));
            if last
                .replace(wanted)
                .is_none_or(|last| !std::ptr::eq(last, wanted))
            {
                pass.set_pipeline(wanted);
            }
            let [x, y, width, height] = scissor(&room.window, size);
            if width > 0 && height > 0 {
                pass.set_scissor_rect(x, y, width, height);
                triangles += self.meshes.draw_one(pass, room.id, index);
            }
        }
        pass.set_scissor_rect(0, 0, size[0], size[1]);
        triangles
    }

    fn draw_bodies(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        [whole, cut]: [&wgpu::RenderPipeline; 2],
    ) {
        if let Some(bodies) = self.bodies.filled() {
            pass.set_pipeline(whole);
            pass.set_vertex_buffer(1, bodies.slice(..));
            self.body_meshes
                .draw(pass, self.layout.runs.iter().cloned());
        }
        self.draw_chunks(pass, [whole, cut]);
    }

    fn draw_chunks(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        [whole, cut]: [&wgpu::RenderPipeline; 2],
    ) {
        if let Some(bodies) = self.bodies.filled() {
            pass.set_pipeline(whole);
            pass.set_vertex_buffer(1, bodies.slice(..));
            if let Some(corners) = self.chunk_corners.filled() {
                pass.set_vertex_buffer(0, corners.slice(..));
                // Parts without holes first.
                let (holed, solid): (Vec<_>, Vec<_>) =
                    self.chunk_parts.iter().partition(|p| p.is_cut);
                let split = solid.len();
                for (index, part) in solid.into_iter().chain(holed).enumerate() {
                    if index == split {
                        pass.set_pipeline(cut);
                    }
                    pass.draw(part.corners.clone(), part.instance..part.instance + 1);
                }
            }
        }
    }

    /// Draws the lines that [`Renderer::draw`] left over the stretched picture, at the resolution of the target. The picture
    /// covers a rectangle (left, top, width, height) of the target.
    pub fn draw_over(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        [left, top, width, height]: [u32; 4],
    ) {
        let (Some(_), Some(pipeline)) = (self.over, &self.pipelines.line_over) else {
            return;
        };
        let (Some(lines), Some(targets)) = (self.lines.filled(), &self.targets) else {
            return;
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("lines over the picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Load,
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        let [x, y, w, h] = [left, top, width, height].map(|side| side as f32);
        pass.set_viewport(x, y, w, h, 0.0, 1.0);
        pass.set_scissor_rect(left, top, width, height);
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &self.frame_groups[1], &[]);
        pass.set_bind_group(1, &targets.depth_group, &[]);
        pass.set_vertex_buffer(0, lines.slice(..));
        pass.draw(0..4, 0..self.lines.count);
    }
}

/// The scissor rectangle of a window: left, top, width, height in pixels.
fn scissor(window: &Window, size: [u32; 2]) -> [u32; 4] {
    let span = |low: f64, high: f64, pixels: u32| {
        let at = |part: f64| (part * 0.5 + 0.5) * f64::from(pixels);
        // A margin of one pixel: samples of the pixel beyond the edge may lie inside.
        let first = (at(low).floor() - 1.0).clamp(0.0, f64::from(pixels)) as u32;
        let end = (at(high).ceil() + 1.0).clamp(0.0, f64::from(pixels)) as u32;
        [first, end.saturating_sub(first)]
    };
    let [min, max] = window.bounds();
    let [x, width] = span(min.x, max.x, size[0]);
    // Rows count from the top.
    let [y, height] = span(-max.y, -min.y, size[1]);
    [x, y, width, height]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_becomes_pixels_from_the_top_and_never_leaves_the_picture() {
        assert_eq!(scissor(&Window::ALL, [640, 360]), [0, 0, 640, 360]);
        let corner = Window::rectangle([0.5, 0.5], [1.0, 1.0]);
        assert_eq!(scissor(&corner, [100, 100]), [74, 0, 26, 26]);
        let odd = Window::rectangle([f64::NAN, -9.0], [2.0, -7.0]);
        let [x, y, width, height] = scissor(&odd, [10, 10]);
        assert!(x + width <= 10 && y + height <= 10);
    }
}
