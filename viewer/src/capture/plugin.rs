//! Capture: pictures of the frame, read back after it was submitted.

use bevy_ecs::prelude::*;
use image::RgbImage;

use super::image_file::{FrameImage, ReadbackTexture};
use super::pictures_folder::PicturesFolder;
use super::small_picture::SmallPicture;
use crate::app::{App, FirstError, FrameStep, Plugin};
use crate::frame::{Context, FrameContext, Viewport};

/// Pictures on request.
pub struct CapturePlugin;

/// Requests for an image of the next frame, and the image when it was read back.
#[derive(Resource, Default)]
pub struct CaptureRequests {
    wanted: bool,
    /// Without the display.
    bare: bool,
    picture: Option<ReadbackTexture>,
    image: Option<FrameImage>,
    small: SmallPicture,
}

impl CaptureRequests {
    /// Requests an image of the next frame that is drawn.
    pub fn request(&mut self) {
        (self.wanted, self.bare) = (true, false);
    }

    /// Requests an image of the next frame that is drawn, without the display over it.
    pub fn request_without_display(&mut self) {
        (self.wanted, self.bare) = (true, true);
    }

    /// Forgets the textures on a device that was lost, and a small image that has not come; an image that was wanted of the next frame still is.
    pub fn rebuild_on_device(&mut self) {
        self.picture = None;
        self.small = SmallPicture::None;
    }

    /// Requests a small image of the next frame that is drawn, without the display over it, in place of one that has not come. It comes some
    /// frames later, and none of them waits for it.
    pub fn request_small(&mut self) {
        self.small = SmallPicture::Wanted;
    }

    /// Whether a small image has been requested and has not come: frames have to be drawn for it.
    pub fn is_small_coming(&self) -> bool {
        self.small.is_coming()
    }

    /// The small image that has come.
    pub fn take_small(&mut self) -> Option<RgbImage> {
        match std::mem::take(&mut self.small) {
            SmallPicture::There(image) => Some(image),
            other => {
                self.small = other;
                None
            }
        }
    }

    /// How many of the pictures of a frame the display is drawn over, of `all`: those that are captured without it come last.
    pub fn under_display(&self, all: usize) -> usize {
        let is_small_drawn = matches!(self.small, SmallPicture::Drawn(_));
        all.saturating_sub(usize::from(self.wanted && self.bare) + usize::from(is_small_drawn))
    }

    /// Whether a picture of the frame is wanted.
    pub fn is_requested(&self) -> bool {
        self.wanted
    }

    /// The picture that was taken; none where frames hold linear light.
    pub fn take(&mut self) -> Option<RgbImage> {
        match self.take_frame()? {
            FrameImage::Srgb(image) => Some(image),
            FrameImage::Linear(_) => None,
        }
    }

    /// The picture that was taken, in the format of the frames.
    pub fn take_frame(&mut self) -> Option<FrameImage> {
        self.image.take()
    }
}

impl Plugin for CapturePlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<CaptureRequests>();
        app.world.init_resource::<PicturesFolder>();
        app.systems(FrameStep::Terrain, (add_capture_target, add_small_target).chain());
        app.systems(FrameStep::Copy, record_copy);
        app.systems(FrameStep::Capture, (read_back, await_small));
    }
}

fn add_capture_target(
    context: Res<Context>,
    viewport: Res<Viewport>,
    mut captures: ResMut<CaptureRequests>,
    mut drawing: ResMut<FrameContext>,
    mut failed: ResMut<FirstError>,
) {
    if !captures.wanted {
        return;
    }
    if captures.picture.as_ref().is_none_or(|picture| picture.size_px() != viewport.size_px) {
        match ReadbackTexture::new(&context.0.device, viewport.size_px, drawing.format) {
            Ok(picture) => captures.picture = Some(picture),
            Err(error) => {
                captures.wanted = false;
                failed.0.get_or_insert(error.into());
                return;
            }
        }
    }
    drawing.is_kept = true;
    drawing.targets.extend(captures.picture.as_ref().map(ReadbackTexture::view));
}

/// After that of a capture, which may have the display over it.
fn add_small_target(
    context: Res<Context>,
    viewport: Res<Viewport>,
    mut captures: ResMut<CaptureRequests>,
    mut drawing: ResMut<FrameContext>,
) {
    if !matches!(captures.small, SmallPicture::Wanted) || drawing.targets.is_empty() {
        return;
    }
    // One that is too large for the device is none.
    let picture = ReadbackTexture::new(&context.0.device, viewport.size_px, drawing.format);
    captures.small = picture.map_or(SmallPicture::None, |picture| {
        drawing.targets.push(picture.view());
        SmallPicture::Drawn(picture)
    });
}

fn await_small(mut captures: ResMut<CaptureRequests>) {
    if captures.is_small_coming() {
        captures.small = std::mem::take(&mut captures.small).after_frame();
    }
}

fn record_copy(context: Res<Context>, captures: Res<CaptureRequests>, mut drawing: ResMut<FrameContext>) {
    if let (true, Some(picture)) = (captures.wanted, &captures.picture) {
        picture.record_copy(drawing.encoder(&context.0.device));
    }
    if let SmallPicture::Drawn(picture) = &captures.small {
        picture.record_copy(drawing.encoder(&context.0.device));
    }
}

fn read_back(context: Res<Context>, mut captures: ResMut<CaptureRequests>, mut failed: ResMut<FirstError>) {
    if !std::mem::take(&mut captures.wanted) {
        return;
    }
    match captures.picture.as_ref().map(|picture| picture.read_back(&context.0)) {
        Some(Ok(image)) => captures.image = Some(image),
        Some(Err(error)) => {
            failed.0.get_or_insert(error.into());
        }
        None => {}
    }
}
