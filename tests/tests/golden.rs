//! Does the Earth look like the Earth? Five small pictures against stored ones.
//!
//! One studio draws them in a row, so each mesh grows out of the one before; the program itself draws one of them afresh.
//!
//! `./x generate` stores what the program draws now; look at it before you commit it.

use std::path::{Path, PathBuf};

use gpu::{Gpu, GpuOptions};
use image::{Rgb, RgbImage, imageops};
use terrain::Backend;
use tests::{image_comparison::compare, program, program::run};
use viewer::{
    camera::{Camera, Pose},
    headless::OffscreenRenderer,
    scene::SceneOptions,
};

/// Name of the picture; latitude, longitude and height of the eye; heading and pitch.
const VIEWS: [(&str, [f64; 3], [f64; 2]); 5] = [
    ("orbit", [15.0, 60.0, 12_500_000.0], [0.0, -90.0]),
    ("himalaya", [26.0, 86.0, 60_000.0], [20.0, -18.0]),
    ("mariana", [15.0, 145.0, 800_000.0], [230.0, -65.0]),
    ("pole", [82.0, -30.0, 2_500_000.0], [0.0, -75.0]),
    ("antimeridian", [64.0, 180.0, 1_100_000.0], [0.0, -70.0]),
];
const SIZE: (u32, u32) = (320, 200);

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.png"))
}

fn open(path: &Path) -> RgbImage {
    image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).to_rgb8()
}

fn renderer(mesh: Backend) -> OffscreenRenderer {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
    OffscreenRenderer::new(gpu, &SceneOptions::default().with_mesh(Some(mesh)), SIZE).unwrap()
}

fn camera([lat_deg, lon_deg, height_m]: [f64; 3], [heading_deg, pitch_deg]: [f64; 2]) -> Camera {
    Camera::from_pose(&Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg })
}

#[test]
fn pictures_look_like_the_stored_ones() {
    look(Backend::Cpu);
}

/// Elsewhere the mesh lives on the GPU; it is the same Earth.
#[test]
fn pictures_of_the_mesh_on_the_gpu_look_like_the_stored_ones() {
    look(Backend::Gpu);
}

fn look(mesh: Backend) {
    let mut renderer = renderer(mesh);
    let mut wrong = Vec::new();
    for (name, at, look) in VIEWS {
        let (picture, _) = renderer.render(camera(at, look)).unwrap();
        if mesh == Backend::Cpu && std::env::var_os("OROGEN_BLESS").is_some() {
            picture.save(golden(name)).unwrap();
        }
        let difference = compare(&picture, &open(&golden(name))).expect("pictures of one size");
        if !difference.is_tolerable() {
            let kept = std::env::temp_dir().join(format!("orogen-{name}-{}.png", mesh.name()));
            picture.save(&kept).unwrap();
            wrong.push(format!("{name}: {difference:?}; look at {} and {}", kept.display(), golden(name).display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_same_command_gives_the_same_bytes_and_the_stored_picture() {
    let folder = tempfile::tempdir().unwrap();
    let (name, at, look) = VIEWS[1];
    let words = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    let (at, look, size) = (words(&at), words(&look), format!("{}x{}", SIZE.0, SIZE.1));
    let [a, b] = ["a.png", "b.png"].map(|file| {
        let out = folder.path().join(file);
        let out = out.to_str().unwrap();
        let words = ["render", "--software", "--at", &at, "--look", &look, "--size", &size, "-o", out];
        let drawn = run(program!(), &words).expect_code(0);
        assert_eq!(drawn.stdout, "", "stdout is for data");
        PathBuf::from(out)
    });
    assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
    let difference = compare(&open(&a), &open(&golden(name))).unwrap();
    assert!(difference.is_tolerable(), "{difference:?}");
}

/// The comparison itself: what a wrong sign, a hole or a wrong place does to each stored picture is never tolerable.
#[test]
fn the_tolerance_is_broken_by_what_it_has_to_break_by() {
    for (name, ..) in VIEWS {
        let picture = open(&golden(name));
        assert_eq!(picture.dimensions(), SIZE);
        assert_eq!(compare(&picture, &picture).unwrap().mean, 0.0);
        let damaged = [
            ("mirrored", imageops::flip_horizontal(&picture)),
            ("upside down", imageops::flip_vertical(&picture)),
            ("shifted", shifted(&picture, 6)),
            ("with a hole", with_a_hole(&picture, 14)),
            ("with red and blue exchanged", recoloured(&picture, |[r, g, b]| [b, g, r])),
            ("darker by a tenth", recoloured(&picture, |c| c.map(|v| (f64::from(v) * 0.9) as u8))),
        ];
        for (how, damaged) in damaged {
            let difference = compare(&picture, &damaged).unwrap();
            assert!(!difference.is_tolerable(), "{name} {how} passes: {difference:?}");
        }
        // Another rasteriser: the last bits of every colour.
        let mut step = 0_u32;
        let noisy = recoloured(&picture, |c| {
            step = step.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            c.map(|v| v.saturating_add((step >> 30) as u8).saturating_sub(1))
        });
        assert!(compare(&picture, &noisy).unwrap().is_tolerable(), "{name}");
        assert!(compare(&picture, &imageops::crop_imm(&picture, 0, 0, 100, 100).to_image()).is_none());
    }
}

fn shifted(picture: &RgbImage, by: u32) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| *picture.get_pixel(x.saturating_sub(by), y))
}

/// A black square in the middle of the lower half, where every picture shows ground.
fn with_a_hole(picture: &RgbImage, side: u32) -> RgbImage {
    let mut damaged = picture.clone();
    let (x0, y0) = (picture.width() / 2, picture.height() * 3 / 5);
    for y in y0..y0 + side {
        for x in x0..x0 + side {
            damaged.put_pixel(x, y, Rgb([0, 0, 0]));
        }
    }
    damaged
}

fn recoloured(picture: &RgbImage, mut change: impl FnMut([u8; 3]) -> [u8; 3]) -> RgbImage {
    let mut changed = picture.clone();
    changed.pixels_mut().for_each(|pixel| pixel.0 = change(pixel.0));
    changed
}
