//! Does a picture lie where it belongs, as sharp as it is? Flags of four colours on the open sea, the Earth from space, and patterns that are
//! known at every place.

#[path = "../../elevation/tests/random/mod.rs"]
mod random;

use std::{path::Path, sync::Arc};

use gdal::{
    Dataset, DriverManager,
    raster::{Buffer, RasterCreationOptions},
    spatial_ref::{CoordTransform, SpatialRef},
};
use glam::{DVec3, Vec4};
use gpu::{Gpu, GpuOptions, pipeline::ComputeKernel, transfer};
use image::RgbImage;
use rand::Rng;
use tempfile::TempDir;
use terrain::{
    ImageryTiles, View,
    geodesy::{Ellipsoid, n_vector},
    height::{GlobalGrid, ImageryLayer, Registration, Relief},
    imagery_tile::{IMAGERY_TEXELS, Imagery},
    tile::TileId,
};
use tests::{image_comparison::compare, program, program::run};

fn render(folder: &TempDir, words: &[&str]) -> RgbImage {
    let out = folder.path().join("a.png");
    let fixed =
        ["render", "--software", "--size", "160x120", "--samples", "1", "--overwrite", "-o", out.to_str().unwrap()];
    run(program!(), &[&fixed[..], words].concat()).expect_code(0);
    image::open(&out).unwrap().to_rgb8()
}

/// 400 x 200 km round 0 N 150 W in Web Mercator: red, green, blue and, if it has alpha, nothing in the south-east.
fn flag(path: &Path, alpha: bool) {
    let (columns, rows) = (80, 40);
    let bands = if alpha { 4 } else { 3 };
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset = driver.create_with_band_type::<u8, _>(path, columns, rows, bands).unwrap();
    dataset.set_spatial_ref(&SpatialRef::from_epsg(3857).unwrap()).unwrap();
    let middle = -150f64.to_radians() * 6_378_137.0;
    dataset.set_geo_transform(&[middle - 200_000.0, 5_000.0, 0.0, 100_000.0, 0.0, -5_000.0]).unwrap();
    for band in 1..=bands {
        let value = |i: usize| {
            let quarter = usize::from(i % columns >= columns / 2) + 2 * usize::from(i / columns >= rows / 2);
            match band {
                4 if quarter == 3 => 0,
                4 => 255,
                _ => 220 * u8::from(quarter + 1 == band),
            }
        };
        let values: Vec<u8> = (0..columns * rows).map(value).collect();
        dataset
            .rasterband(band)
            .unwrap()
            .write((0, 0), (columns, rows), &mut Buffer::new((columns, rows), values))
            .unwrap();
    }
}

/// Law: each quarter shows its colour and nothing else does; outside, and where alpha is 0, the ground is as without it.
#[test]
fn a_picture_in_another_projection_lies_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flag.tif");
    flag(&file, true);
    // 500 km up, 120 pixels are 414 km: the flag reaches 58 pixels to the sides of the middle and 29 up and down.
    let view = ["--at", "0,-150,500000", "--look", "0,-90", "--water", "off"];
    let plain = render(&folder, &view);
    let flagged = render(&folder, &[&view[..], &["--imagery", file.to_str().unwrap()]].concat());
    for (x, y, strongest) in [(50, 45, 0), (110, 45, 1), (50, 75, 2)] {
        for (dx, dy) in [(0, 0), (-25, -10), (24, 10), (-25, 10), (24, -10)] {
            let pixel = flagged.get_pixel((x + dx) as u32, (y + dy) as u32).0;
            let others = (0..3).filter(|&c| c != strongest).map(|c| pixel[c]).max().unwrap();
            assert!(pixel[strongest] > others + 40, "{:?} at {x} {dx}, {y} {dy}", pixel);
        }
    }
    for (x, y) in [(10, 60), (150, 60), (80, 20), (80, 100), (110, 75), (90, 65)] {
        assert_eq!(flagged.get_pixel(x, y), plain.get_pixel(x, y), "{x} {y}");
    }
}

#[test]
fn the_earth_from_space_looks_like_it() {
    let folder = tempfile::tempdir().unwrap();
    let sahara = render(&folder, &["--at", "20,20,9000000", "--look", "0,-90", "--overlays", "imagery"]);
    let [r, _, b] = sahara.get_pixel(80, 55).0;
    assert!(r > b + 30, "desert");
    // What is switched on by name is what a file says that holds the same picture.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/bluemarble.tif");
    let draped = render(&folder, &["--at", "20,20,9000000", "--look", "0,-90", "--imagery", file]);
    assert!(compare(&sahara, &draped).unwrap().mean < 0.5);
}

/// Law: a folder of pictures is drawn as they are one by one, the last by name on top; none of its files is overwritten.
#[test]
fn a_folder_of_pictures_is_drawn_as_they_are_one_by_one() {
    let (folder, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let [earth, flagged, other] = ["a.tif", "b.tif", "c.png"].map(|name| photos.path().join(name));
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/bluemarble.tif"), &earth).unwrap();
    flag(&flagged, true);
    let view = ["--at", "0,-150,500000", "--look", "0,-90", "--water", "off", "--imagery"];
    let together = render(&folder, &[&view[..], &[photos.path().to_str().unwrap()]].concat());
    let each = [earth.to_str().unwrap(), "--imagery", flagged.to_str().unwrap()];
    assert_eq!(together, render(&folder, &[&view[..], &each].concat()));
    let [r, g, b] = together.get_pixel(50, 45).0;
    assert!(r > g.max(b) + 40, "red of the flag, not the sea below it");
    std::fs::write(&other, "kept").unwrap();
    for out in [&flagged, &other].map(|out| out.to_str().unwrap()) {
        let words = ["render", "--software", "--at", "0,-150", "--overwrite", "-o", out, "--imagery"];
        let words = [&words[..], &[photos.path().to_str().unwrap()]].concat();
        run(program!(), &words).expect_refusal(1, &[out, "among the files that are read"]);
    }
    assert_eq!(std::fs::read(&other).unwrap(), b"kept");
}

#[test]
fn what_is_no_picture_is_refused_in_one_line() {
    let elevation = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif");
    for (file, said) in [(elevation, "not colours of 8 bits"), ("gone.tif", "no such file")] {
        let words = ["render", "--software", "--at", "0,0,1e6", "-o", "/nonexistent/a.png", "--imagery", file];
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("a.png");
        let words: Vec<&str> =
            words.iter().map(|w| if w.ends_with("a.png") { out.to_str().unwrap() } else { w }).collect();
        run(program!(), &words).expect_refusal(1, &[file, said]);
    }
}

/// Law: what a picture does not say of where it lies, or says amiss, is told in one line.
#[test]
fn what_a_picture_says_amiss_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (name, system, said) in [
        ("plain.tif", "", "no coordinate reference system: taken as longitude and latitude"),
        ("metres.tif", "EPSG:4326", "latitudes beyond 90 degrees"),
    ] {
        let (file, out) = (folder.path().join(name), folder.path().join("a.png"));
        let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
        let mut dataset = driver.create_with_band_type::<u8, _>(&file, 20, 20, 3).unwrap();
        let step = if system.is_empty() { 0.1 } else { 3_000.0 };
        if !system.is_empty() {
            dataset.set_spatial_ref(&SpatialRef::from_definition(system).unwrap()).unwrap();
        }
        dataset.set_geo_transform(&[-150.0, step, 0.0, 50.0 * step, 0.0, -step]).unwrap();
        dataset.close().unwrap();
        let words = ["render", "--software", "--size", "64x48", "--at", "4,-149,500000", "--overwrite", "--no-cache"];
        let named = ["-o", out.to_str().unwrap(), "--imagery", file.to_str().unwrap()];
        let told = run(program!(), &[&words[..], &named].concat()).expect_code(0).stderr;
        let lines: Vec<&str> = told.lines().filter(|line| line.contains(name)).collect();
        assert!(lines.len() == 1 && lines[0].contains(said), "{told}");
    }
}

/// Writes a tiled raster of bytes that is empty but for a part: its corner, its size, and bands by column and row.
fn write_part(
    path: &Path,
    (crs, transform, size): (u32, [f64; 6], (usize, usize)),
    bands: usize,
    (corner, part): ((usize, usize), (usize, usize)),
    value: impl Fn(usize, usize, usize) -> f64,
) -> Dataset {
    let options = ["TILED=YES", "SPARSE_OK=TRUE", "BIGTIFF=YES", "INTERLEAVE=PIXEL"];
    let options = RasterCreationOptions::from_iter(options);
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset =
        driver.create_with_band_type_with_options::<u8, _>(path, size.0, size.1, bands, &options).unwrap();
    dataset.set_spatial_ref(&SpatialRef::from_epsg(crs).unwrap()).unwrap();
    dataset.set_geo_transform(&transform).unwrap();
    for band in 0..bands {
        let at = |k: usize| value(band, corner.0 + k % part.0, corner.1 + k / part.0).round() as u8;
        let values: Vec<u8> = (0..part.0 * part.1).map(at).collect();
        let at = (corner.0 as isize, corner.1 as isize);
        dataset.rasterband(band + 1).unwrap().write(at, part, &mut Buffer::new(part, values)).unwrap();
    }
    dataset.flush_cache().unwrap();
    dataset
}

/// Ground at 0 m everywhere.
fn flat() -> Arc<Relief> {
    Arc::new(Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| 0.0)).unwrap())
}

/// A small picture straight down whose pixels are `pixel_m` wide.
fn above(n: DVec3, pixel_m: f64) -> View {
    let eye_m = Ellipsoid::WGS84.ecef(n, pixel_m / PIXEL_RAD);
    View::perspective(eye_m, -n, DVec3::new(0.3, 0.5, 0.8), 0.8, (320, 180))
}

/// A pixel of such a picture.
const PIXEL_RAD: f64 = 2.0 * 0.422_793 / 180.0;

/// Red, green and blue of 0 to 255, and alpha, of light.
fn shown(light: Vec4) -> [f64; 4] {
    let colour = |light: f32| {
        let light = f64::from(light);
        255.0 * if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
    };
    [colour(light.x), colour(light.y), colour(light.z), f64::from(light.w)]
}

/// The light of a colour of 0 to 255.
fn light(colour: f64) -> f64 {
    let c = colour / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// What the shader says of pictures at the ground of places, when all tiles are there that a view wants; and how many there are.
fn ask(gpu: &Gpu, pictures: Vec<ImageryLayer>, view: &View, places: &[DVec3]) -> (Vec<[f64; 4]>, u32) {
    const ASK: &str = "
//!import terrain/imagery_tiles
struct Asked { position_m: vec3f, spare: f32, n: vec3f, padding: f32 }
@group(0) @binding(0) var<storage, read> asked: array<Asked>;
@group(0) @binding(1) var<storage, read_write> found: array<vec4f>;
@compute @workgroup_size(64)
fn ask(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&asked) {
        let one = asked[id.x];
        found[id.x] = imagery_at(pixel_place(one.position_m, one.n, imagery_view), one.n, vec3f(0.0), 1.0, false);
    }
}
";
    const MOST: u32 = 64;
    let mut tiles = ImageryTiles::new(&gpu.device, &Arc::new(Imagery::new(pictures)), MOST, &flat());
    tiles.update_complete(view, &gpu.queue).unwrap();
    assert!(tiles.is_complete());
    let mut composer = terrain::composer();
    composer.bind("ask", "ask.wgsl", ASK);
    let kernel =
        ComputeKernel::new(&gpu.device, &composer.compose("ask").unwrap(), "ask", &Default::default()).unwrap();
    let asked =
        |n: &DVec3| [(Ellipsoid::WGS84.ecef(*n, 0.0) - view.eye_m).as_vec3().extend(0.0), n.as_vec3().extend(0.0)];
    let asked: Vec<[Vec4; 2]> = places.iter().map(asked).collect();
    let asked = transfer::upload(&gpu.device, "asked", &asked);
    let found = transfer::upload(&gpu.device, "found", &vec![Vec4::ZERO; places.len()]);
    let own = [("asked", asked.as_entire_binding()), ("found", found.as_entire_binding())];
    let own = kernel.bind_group(&gpu.device, 0, &own).unwrap();
    let bindings = tiles.bindings();
    let of_tiles = kernel.bind_group(&gpu.device, bindings.group(), &bindings.named()).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(kernel.pipeline());
    pass.set_bind_group(0, &own, &[]);
    pass.set_bind_group(bindings.group(), &of_tiles, &[]);
    pass.dispatch_workgroups((places.len() as u32).div_ceil(64), 1, 1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    let found: Vec<Vec4> = transfer::download(gpu, &found).unwrap();
    let resident = tiles.counts().resident;
    assert!(resident <= MOST, "{resident} tiles");
    (found.into_iter().map(shown).collect(), resident)
}

fn software() -> Gpu {
    Gpu::new(&GpuOptions::default().with_software(true)).unwrap()
}

/// Places within `reach` of one, to whose texel theirs are near.
fn places(picture: &ImageryLayer, rng: &mut impl Rng, middle: DVec3, reach: f64, most_texels: f64) -> Vec<DVec3> {
    let (x, y) = picture.texel(middle);
    let mut any = || DVec3::from_array(std::array::from_fn(|_| rng.random_range(-reach..reach)));
    let somewhere: Vec<DVec3> = (0..4000).map(|_| (middle + any()).normalize()).collect();
    let near = |n: &DVec3| {
        let at = picture.texel(*n);
        (at.0 - x).abs() < most_texels && (at.1 - y).abs() < most_texels
    };
    somewhere.into_iter().filter(near).take(400).collect()
}

const METRE: f64 = 1.0 / 6_371_000.0;

/// 200 km with a texel a metre, 120 GB were it not empty but for 1536 x 1536 texels round a place.
fn large(folder: &TempDir) -> (ImageryLayer, DVec3, usize) {
    let size = 200_000;
    let corner = (123_456, 98_304);
    let path = folder.path().join("large.tif");
    let transform = [400_000.0, 1.0, 0.0, 5_300_000.0, 0.0, -1.0];
    write_part(&path, (32632, transform, (size, size)), 3, (corner, (1536, 1536)), |band, x, y| {
        pattern(band, x as f64, y as f64)
    });
    let to_lon_lat = {
        let mut wgs84 = SpatialRef::from_epsg(4326).unwrap();
        wgs84.set_axis_mapping_strategy(gdal::spatial_ref::AxisMappingStrategy::TraditionalGisOrder);
        CoordTransform::new(&SpatialRef::from_epsg(32632).unwrap(), &wgs84).unwrap()
    };
    let middle = [corner.0 as f64 + 768.5, corner.1 as f64 + 768.5];
    let (mut lon, mut lat) = ([400_000.0 + middle[0]], [5_300_000.0 - middle[1]]);
    to_lon_lat.transform_coords(&mut lon, &mut lat, &mut []).unwrap();
    let picture = ImageryLayer::open(&path).unwrap();
    let n = n_vector(lat[0].to_radians(), lon[0].to_radians());
    let (x, y) = picture.texel(n);
    assert!((x - middle[0] + 0.5).hypot(y - middle[1] + 0.5) < 0.1, "{x} {y}");
    (picture, n, 1536)
}

/// Waves of 16, 24 and 400 texels.
fn pattern(band: usize, x: f64, y: f64) -> f64 {
    let turns = [x / 16.0, y / 24.0, (x + 0.5 * y) / 400.0][band];
    128.0 + 100.0 * (std::f64::consts::TAU * turns).sin()
}

/// Law: over a picture of 120 GB, in 64 tiles, a settled pixel has the colour of the picture there, bilinear between its texels in linear
/// light, to 5 of 255; pixels of 8 texels have those of waves that are long enough. Textures of 4096 texels would be grey.
#[test]
fn a_picture_of_any_size_is_as_sharp_as_it_is() {
    let (gpu, folder, mut rng) = (software(), tempfile::tempdir().unwrap(), random::rng());
    let (picture, middle, _) = large(&folder);
    let fine = places(&picture, &mut rng, middle, 60.0 * METRE, 40.0);
    let (found, resident) = ask(&gpu, vec![picture.clone()], &above(middle, 0.3), &fine);
    println!("{resident} tiles for pixels of 0.3 m");
    for (n, found) in fine.iter().zip(found) {
        let (x, y) = picture.texel(*n);
        let (left, top) = (x.floor(), y.floor());
        for (band, shown_there) in found.iter().take(3).enumerate() {
            let at = |i: f64, j: f64| light(pattern(band, left + i, top + j).round());
            let mix = |a: f64, b: f64, w: f64| a + (b - a) * w;
            let wanted =
                mix(mix(at(0.0, 0.0), at(1.0, 0.0), x - left), mix(at(0.0, 1.0), at(1.0, 1.0), x - left), y - top);
            let [wanted, ..] = shown(Vec4::splat(wanted as f32));
            assert!((shown_there - wanted).abs() < 5.0, "{band} at {x} {y}: {} for {wanted}", shown_there);
        }
        assert!(found[3] > 0.99);
    }
    let coarse = places(&picture, &mut rng, middle, 800.0 * METRE, 500.0);
    let (found, resident) = ask(&gpu, vec![picture.clone()], &above(middle, 8.0), &coarse);
    println!("{resident} tiles for pixels of 8 m");
    for (n, found) in coarse.iter().zip(found) {
        let (x, y) = picture.texel(*n);
        let wanted = pattern(2, x, y);
        assert!((found[2] - wanted).abs() < 5.0, "{} for {wanted} at {x} {y}", found[2]);
    }
}

/// Law: tiles beside each other have the same texels where both have some.
#[test]
fn neighbours_agree_on_their_rims() {
    let folder = tempfile::tempdir().unwrap();
    let (picture, middle, _) = large(&folder);
    let imagery = Imagery::new(vec![picture]);
    let mut beside = 0;
    for level in [13, 14, 15, 16] {
        let mut tiles = imagery.roots();
        for _ in imagery.first_level()..level {
            let holds = |id: &TileId| {
                let at = |x: u32, y: u32| id.place(x, y).point().normal();
                at(128, 128).distance(middle)
                    <= 1.01 * at(0, 0).distance(at(128, 128)).max(at(256, 0).distance(at(128, 128)))
            };
            tiles = tiles.iter().filter_map(|id| id.children()).flatten().filter(holds).collect();
        }
        for left in &tiles {
            let right = TileId { i: left.i + 1, ..*left };
            let (a, b) = (imagery.tile(*left), imagery.tile(right));
            for y in 0..IMAGERY_TEXELS {
                for x in 0..4 {
                    let at = |tile: &terrain::imagery_tile::ImageryTile, x: u32| {
                        tile.texels(0)[(y * IMAGERY_TEXELS + x) as usize]
                    };
                    let (one, other) = (at(&a, 256 + x), at(&b, x));
                    assert!(
                        one.iter().zip(other).all(|(a, b)| a.abs_diff(b) <= 1),
                        "{left:?} {x} {y}: {one:?} {other:?}"
                    );
                    beside += u32::from(one != [0, 0, 0, 255]);
                }
            }
        }
    }
    assert!(beside > 1000, "{beside} texels of the pattern");
}

/// Law: pictures lie over each other in their order, by their opacity, in linear light; where the upper one has no data the lower one is
/// seen, and where there is none nothing.
#[test]
fn pictures_lie_over_each_other() {
    let (gpu, folder, mut rng) = (software(), tempfile::tempdir().unwrap(), random::rng());
    let transform = [10.0, 1e-4, 0.0, 46.0, 0.0, -1e-4];
    let [lower, upper] = ["lower.tif", "upper.tif"].map(|name| folder.path().join(name));
    let size = (2000, 2000);
    write_part(&lower, (4326, transform, size), 3, ((0, 0), (1200, 2000)), |band, _, _| [200.0, 40.0, 90.0][band]);
    let mut dataset = write_part(&upper, (4326, transform, size), 3, ((0, 0), size), |band, _, y| {
        if y < 1000 { [20.0, 60.0, 220.0][band] } else { 0.0 }
    });
    for band in 1..=3 {
        dataset.rasterband(band).unwrap().set_no_data_value(Some(0.0)).unwrap();
    }
    dataset.flush_cache().unwrap();
    drop(dataset);
    let open = |path: &Path| ImageryLayer::open(path).unwrap();
    let middle = n_vector(45.9f64.to_radians(), 10.1f64.to_radians());
    let asked = places(&open(&lower), &mut rng, middle, 10_000.0 * METRE, 900.0);
    for opacity in [1.0, 0.5, 0.0] {
        for is_reversed in [false, true] {
            let mut pictures = vec![open(&lower), open(&upper).with_opacity(opacity)];
            if is_reversed {
                pictures.reverse();
            }
            let (found, _) = ask(&gpu, pictures, &above(middle, 60.0), &asked);
            for (n, found) in asked.iter().zip(found) {
                let (x, y) = open(&lower).texel(*n);
                // Pixels are eight texels.
                if (y - 1000.0).abs() < 24.0 || (x - 1200.0).abs() < 24.0 {
                    continue;
                }
                let below = [200.0, 40.0, 90.0].map(|c| if x < 1200.0 { light(c) } else { 0.0 });
                let above = [20.0, 60.0, 220.0].map(light);
                let part = if y < 1000.0 && !is_reversed { f64::from(opacity) } else { 0.0 };
                for band in 0..3 {
                    let wanted = above[band] * part + below[band] * (1.0 - part);
                    let [wanted, ..] = shown(Vec4::splat(wanted as f32));
                    // The empty part of the lower one is black, and covers.
                    assert!((found[band] - wanted).abs() < 3.0, "{opacity} {is_reversed} {band} at {x} {y}: {found:?}");
                }
            }
        }
    }
    // Alone, the upper one shows nothing where it has no data.
    let (found, _) = ask(&gpu, vec![open(&upper).with_opacity(0.5)], &above(middle, 60.0), &asked);
    for (n, found) in asked.iter().zip(found) {
        let (_, y) = open(&upper).texel(*n);
        if (y - 1000.0).abs() > 24.0 {
            assert!((found[3] - if y < 1000.0 { 0.5 } else { 0.0 }).abs() < 0.01, "{found:?} at row {y}");
        }
    }
}

/// Law: a picture of the whole Earth has no edge at the antimeridian and no hole at the poles.
#[test]
fn a_picture_goes_around_the_earth() {
    let (gpu, folder, mut rng) = (software(), tempfile::tempdir().unwrap(), random::rng());
    let path = folder.path().join("earth.tif");
    let (columns, rows) = (3600, 1800);
    let place =
        |x: f64, y: f64| n_vector((90.0 - (y + 0.5) * 0.1).to_radians(), ((x + 0.5) * 0.1 - 180.0).to_radians());
    let transform = [-180.0, 0.1, 0.0, 90.0, 0.0, -0.1];
    write_part(&path, (4326, transform, (columns, rows)), 3, ((0, 0), (columns, rows)), |band, x, y| {
        128.0 + 100.0 * place(x as f64, y as f64)[band]
    });
    let picture = ImageryLayer::open(&path).unwrap();
    for (lat_deg, lon_deg) in [(0.0, 180.0f64), (-50.0, -180.0), (90.0, 0.0), (-90.0, 0.0), (35.2, 45.0), (89.5, 120.0)]
    {
        let middle = n_vector(f64::to_radians(lat_deg), lon_deg.to_radians());
        for (pixel_m, reach) in [(4_000.0, 0.08), (30_000.0, 0.3)] {
            let any = |_| DVec3::from_array(std::array::from_fn(|_| rng.random_range(-reach..reach)));
            let asked: Vec<DVec3> = (0..400).map(any).map(|aside| (middle + aside).normalize()).collect();
            let (found, _) = ask(&gpu, vec![picture.clone()], &above(middle, pixel_m), &asked);
            for (n, found) in asked.iter().zip(found) {
                let off = (0..3).map(|band| (found[band] - 128.0 - 100.0 * n[band]).abs()).fold(0.0, f64::max);
                assert!(off < 4.0 && found[3] > 0.99, "{lat_deg} {lon_deg} {pixel_m}: {found:?} at {n}");
            }
        }
    }
}
