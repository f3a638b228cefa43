//! From shapes of egui to pixels over the scene.

use bevy_ecs::resource::Resource;
use gpu::Gpu;
use image::RgbImage;

use crate::render::{AuxiliaryPass, FrameTimer};
use crate::theme::{Palette, Theme};

/// A picture behind a note; black without one.
#[derive(Default)]
pub struct Backdrop {
    image: Option<RgbImage>,
    texture: Option<egui::TextureHandle>,
}

impl Backdrop {
    /// Of what was seen before.
    pub fn new(image: Option<RgbImage>) -> Backdrop {
        Backdrop { image, texture: None }
    }

    /// Whether it is black.
    pub fn is_empty(&self) -> bool {
        self.image.is_none() && self.texture.is_none()
    }

    /// Fills the picture that is drawn.
    fn paint(&mut self, egui: &egui::Context) {
        if let Some(image) = self.image.take() {
            let size = [image.width() as usize, image.height() as usize];
            let image = egui::ColorImage::from_rgb(size, image.as_raw());
            self.texture = Some(egui.load_texture("backdrop", image, egui::TextureOptions::LINEAR));
        }
        if let Some(texture) = &self.texture {
            let whole = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
            let painter = egui.layer_painter(egui::LayerId::background());
            painter.image(texture.id(), egui.content_rect(), whole, egui::Color32::WHITE);
        }
    }
}

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
        Theme::default().apply(&egui);
        // Blurred shadows are large areas to blend, which a software rasteriser does not do in passing.
        egui.all_styles_mut(|style| {
            style.visuals.window_shadow = egui::Shadow::NONE;
            style.visuals.popup_shadow = egui::Shadow::NONE;
            style.visuals.weak_text_color = Some(Palette::of(&style.visuals).weak);
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

    /// Records one line of text and a bar of which a part is done in the middle of a picture, before a backdrop; before there is a world with a
    /// display of its own.
    pub fn paint_note(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        (picture, size_px, pixels_per_point): (&wgpu::TextureView, (u32, u32), f32),
        (text, part): (&str, f32),
        backdrop: &mut Backdrop,
    ) {
        let mut input = Painter::input(size_px, pixels_per_point);
        input.max_texture_side = Some(gpu.device.limits().max_texture_dimension_2d as usize);
        let mut output = self.egui.clone().run_ui(input, |ui| {
            backdrop.paint(ui.ctx());
            egui::Area::new(egui::Id::unique("note")).anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]).show(
                ui.ctx(),
                |ui| {
                    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                    let ground = egui::Frame::new().fill(egui::Color32::from_black_alpha(150)).corner_radius(6.0);
                    ground.inner_margin(egui::Margin::symmetric(10, 6)).show(ui, |ui| {
                        ui.label(egui::RichText::new(text).size(16.0).color(egui::Color32::from_gray(200)));
                        let bar = egui::ProgressBar::new(part).desired_width(ui.min_rect().width());
                        ui.add(bar.desired_height(4.0).fill(egui::Color32::from_rgb(255, 214, 140)));
                    });
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
        mut timer: Option<(&mut FrameTimer, AuxiliaryPass)>,
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
                timestamp_writes: timer.as_mut().and_then(|(timer, pass)| timer.auxiliary_pass(*pass)),
                ..wgpu::RenderPassDescriptor::default()
            });
            self.renderer.render(&mut pass.forget_lifetime(), &triangles, &screen);
        }
        for id in output.textures_delta.free.drain() {
            self.renderer.free_texture(&id);
        }
    }
}
