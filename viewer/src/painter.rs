//! From shapes of egui to pixels over the scene.

use bevy_ecs::resource::Resource;
use gpu::Gpu;

use crate::render::{Beside, FrameTimer};

/// egui, and the pipeline that draws it.
#[derive(Resource)]
pub struct Painter {
    egui: egui::Context,
    renderer: egui_wgpu::Renderer,
}

impl Painter {
    /// A painter into colour textures of a format.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Painter {
        let renderer = egui_wgpu::Renderer::new(device, format, egui_wgpu::RendererOptions::default());
        let egui = egui::Context::default();
        egui.set_theme(egui::Theme::Dark);
        // Blurred shadows are large areas to blend, which a software rasteriser does not do in passing.
        egui.all_styles_mut(|style| {
            style.visuals.window_shadow = egui::Shadow::NONE;
            style.visuals.popup_shadow = egui::Shadow::NONE;
        });
        Painter { egui, renderer }
    }

    /// The egui context, shared with the window.
    pub fn egui(&self) -> &egui::Context {
        &self.egui
    }

    /// What egui is told of a picture of a size that nobody touches.
    pub fn input(size_px: (u32, u32), pixels_per_point: f32) -> egui::RawInput {
        let size = egui::vec2(size_px.0 as f32, size_px.1 as f32) / pixels_per_point;
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
            ..egui::RawInput::default()
        };
        input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point = Some(pixels_per_point);
        input
    }

    /// Records one line of text in the middle of a picture; before there is a world with a display of its own.
    pub fn note(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        picture: &wgpu::TextureView,
        size_px: (u32, u32),
        pixels_per_point: f32,
        text: &str,
    ) {
        let input = Painter::input(size_px, pixels_per_point);
        let mut output = self.egui.clone().run_ui(input, |ui| {
            egui::Area::new(egui::Id::unique("note")).anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]).show(
                ui.ctx(),
                |ui| {
                    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                    ui.label(egui::RichText::new(text).size(16.0).color(egui::Color32::from_gray(200)));
                },
            );
        });
        self.paint(gpu, encoder, std::slice::from_ref(picture), size_px, &mut output, None);
    }

    /// Records shapes over every picture, and times the first as a pass of its kind; nothing on a lost device.
    pub fn paint(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        pictures: &[wgpu::TextureView],
        size_px: (u32, u32),
        output: &mut egui::FullOutput,
        mut timer: Option<(&mut FrameTimer, Beside)>,
    ) {
        // egui-wgpu panics where it gets no memory to write to.
        if gpu.lost().is_some() {
            return;
        }
        let pixels_per_point = output.pixels_per_point;
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                self.renderer.update_texture(&gpu.device, &gpu.queue, id, &delta);
            }
        }
        let shapes = std::mem::take(&mut output.shapes);
        let triangles = self.egui.tessellate(shapes, pixels_per_point);
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels: [size_px.0, size_px.1], pixels_per_point };
        // Only paint callbacks make command buffers of their own, and there are none.
        self.renderer.update_buffers(&gpu.device, &gpu.queue, encoder, &triangles, &screen);
        for picture in pictures {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("display"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: picture,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                timestamp_writes: timer.as_mut().and_then(|(timer, pass)| timer.beside(*pass)),
                ..wgpu::RenderPassDescriptor::default()
            });
            self.renderer.render(&mut pass.forget_lifetime(), &triangles, &screen);
        }
        for id in output.textures_delta.free.drain() {
            self.renderer.free_texture(&id);
        }
    }
}
