//! Do passes of a render target clear, keep what is nearest, smooth edges, and follow the size of pictures?

use gpu::{
    Gpu, GpuOptions,
    pipeline::{RenderKernel, RenderTarget, Uniform},
    transfer,
};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A triangle over the left of an oblique line, drawn twice: the second time green and at the uniform's depth.
const SHADER: &str = "
struct Pixel { @builtin(position) clip: vec4f, @location(0) colour: vec3f }
@group(0) @binding(0) var<uniform> second_depth: f32;
@vertex fn vertex(@builtin(vertex_index) i: u32, @builtin(instance_index) second: u32) -> Pixel {
    let corner = array(vec2f(-1.0, -1.0), vec2f(0.4, -1.0), vec2f(-1.0, 3.0))[i];
    let depth = select(0.5, second_depth, second == 1u);
    return Pixel(vec4f(corner, depth, 1.0), select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), second == 1u));
}
@fragment fn fragment(in: Pixel) -> @location(0) vec4f { return vec4f(in.colour, 1.0); }";

struct Scene {
    gpu: Gpu,
    target: RenderTarget,
    kernel: RenderKernel,
    second_depth: Uniform<f32>,
    bindings: wgpu::BindGroup,
}

impl Scene {
    fn new(samples: u32) -> Self {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        let target = RenderTarget::new(FORMAT, samples).with_clear(wgpu::Color::BLUE);
        let composed =
            shaders::Composer::new().bind("test/halves", "halves.wgsl", SHADER).compose("test/halves").unwrap();
        let options = target.options().with_vertex("vertex").with_fragment(Some("fragment"));
        let kernel = RenderKernel::new(&gpu.device, &composed, &options).unwrap();
        let second_depth = Uniform::new(&gpu.device, "depth");
        let bindings = kernel.bind_group(&gpu.device, 0, &[("second_depth", second_depth.binding())]).unwrap();
        Self { gpu, target, kernel, second_depth, bindings }
    }

    /// The pixels, row by row, of a picture of a size, the second triangle at a depth.
    fn draw(&mut self, (width, height): (u32, u32), second_depth: f32) -> Vec<[u8; 4]> {
        let device = &self.gpu.device;
        let picture = transfer::render_texture(device, "picture", (width, height), FORMAT);
        self.second_depth.write(&self.gpu.queue, &second_depth);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = self.target.begin_pass(device, &mut encoder, &picture.create_view(&Default::default()));
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.draw(0..3, 0..2);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        transfer::download_texture(&self.gpu, &picture).unwrap()
    }
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

/// Law: of two triangles the one of larger depth stays, whatever the order, and depth starts at 0 in each pass; pictures of any
/// size follow each other.
#[test]
fn the_nearest_stays_in_pictures_of_any_size() {
    let mut scene = Scene::new(1);
    for size in [(64, 64), (64, 64), (7, 130), (1, 1), (300, 5), (64, 64)] {
        for (second_depth, nearest) in [(0.75, GREEN), (0.25, RED), (0.001, RED), (1.0, GREEN)] {
            let pixels = scene.draw(size, second_depth);
            let (left, right) = (pixels[0], pixels[size.0 as usize - 1]);
            assert_eq!(left, nearest, "{size:?} {second_depth}");
            // The line crosses the bottom at 0.7 of the width.
            assert_eq!(*pixels.last().unwrap(), if size.0 == 1 { nearest } else { BLUE }, "{size:?}");
            assert!(size.0 == 1 || right == BLUE, "{size:?}");
            assert!(pixels.iter().all(|pixel| [BLUE, nearest].contains(pixel)), "one sample a pixel mixes nothing");
        }
    }
}

/// Law: four samples a pixel mix what is on both sides of an edge, and nothing else; the picture follows its size.
#[test]
fn samples_smooth_edges() {
    let mut scene = Scene::new(4);
    for size in [(64, 64), (33, 65)] {
        let pixels = scene.draw(size, 0.75);
        assert_eq!((pixels[0], *pixels.last().unwrap()), (GREEN, BLUE));
        let mixed: Vec<_> = pixels.iter().filter(|pixel| ![GREEN, BLUE].contains(pixel)).collect();
        assert!(mixed.len() > size.1 as usize / 2, "{} mixed pixels", mixed.len());
        let sums_to_one = |pixel: &[u8; 4]| (254..=256).contains(&(u32::from(pixel[1]) + u32::from(pixel[2])));
        assert!(mixed.iter().all(|pixel| pixel[0] == 0 && sums_to_one(pixel)), "{mixed:?}");
    }
}

/// Law: a number of samples that the device lacks is an error of the pipeline that draws, not a panic.
#[test]
fn samples_that_are_not_there_are_refused() {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
    let target = RenderTarget::new(FORMAT, 3);
    let composed = shaders::Composer::new().bind("test/halves", "halves.wgsl", SHADER).compose("test/halves").unwrap();
    let options = target.options().with_vertex("vertex").with_fragment(Some("fragment"));
    let refused = RenderKernel::new(&gpu.device, &composed, &options).unwrap_err().to_string();
    assert!(refused.contains("refused") && refused.to_lowercase().contains("sample"), "{refused}");
}
