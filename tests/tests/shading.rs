//! Is the ground shaded by its shape alone? Pictures of simple ground, with the answer known.

use std::path::PathBuf;

use image::RgbImage;
use tempfile::TempDir;
use terrain::geodesy::n_vector;
use terrain::height::{OpenOptions, Relief};
use tests::{program, program::run, raster, reference_data::data_file};

/// A picture over rasters; with more options of `orogen render`.
fn render(folder: &TempDir, files: &[PathBuf], more: &[&str]) -> RgbImage {
    let out = folder.path().join("a.png");
    let mut words = vec!["render", "--software", "--size", "240x160", "--overwrite", "-o", out.to_str().unwrap()];
    words.extend(more);
    words.extend(files.iter().map(|file| file.to_str().unwrap()));
    run(program!(), &words).expect_code(0);
    image::open(&out).unwrap().to_rgb8()
}

/// Law: lines stand where the heights that queries answer cross their multiples. Beside a fine raster on a coarse plain, where the map
/// that colours are looked up in holds something of both, there is none on level ground.
#[test]
fn there_are_no_lines_on_level_ground_beside_a_fine_raster() {
    let folder = tempfile::tempdir().unwrap();
    let (coarse, fine) = (folder.path().join("coarse.tif"), folder.path().join("fine.tif"));
    raster::write(&coarse, (18.0, 2.0), (40, 40), 0.1, |_, _| 120.0);
    raster::write(&fine, (19.8, 0.15), (200, 300), 0.001, |_, _| 330.0);
    let files = [fine, coarse];
    // 4 km above the ground 2 km east of the fine raster's edge at 20 E.
    let lon_deg: f64 = 20.0 + 2_000.0 / 111_320.0;
    let at = format!("0,{lon_deg},4120");
    let view = ["--at", &at, "--look", "0,-90", "--fov", "45", "--samples", "1"];
    let lined = render(&folder, &files, &[&view[..], &["--overlays", "contours"]].concat());
    let plain = render(&folder, &files, &view);
    let relief = Relief::open(&files, &OpenOptions::default()).unwrap();
    let pixel_m = 4_000.0 * f64::tan(f64::to_radians(22.5)) / 80.0;
    let height_m = |x: f64| {
        let lon_deg = lon_deg + (x - 120.0) * pixel_m / 111_320.0;
        relief.sample(n_vector(0.0, lon_deg.to_radians())).height_m
    };
    let is_line = |x: u32| {
        let [a, b] = [&lined, &plain].map(|picture| picture.get_pixel(x, 80).0);
        a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 5)
    };
    // The blend ends level with the plain: where the ground leaves it is told to a few pixels, and a line stands there.
    let is_level = |x: u32| (-8..=8).all(|by| (height_m(f64::from(x) + 0.5 + f64::from(by)) - 120.0).abs() < 0.01);
    let level: Vec<u32> = (0..240).filter(|&x| is_level(x)).collect();
    assert!(level.len() > 60, "{} pixels of the row are level", level.len());
    let wrong: Vec<u32> = level.into_iter().filter(|&x| is_line(x)).collect();
    assert!(wrong.is_empty(), "lines at {wrong:?}");
    assert!((0..240).any(is_line), "no line where the ground rises to the raster");
}

/// Law: where tiles of fine data end on lit ground, a low sun draws no line. Over the plain beyond the raster no pixel is darker than those above and
/// below it.
#[test]
fn shadows_draw_no_line_where_tiles_end() {
    let folder = tempfile::tempdir().unwrap();
    let view = ["--at", "36.2,-84.36,5000", "--look", "75,-5", "--fov", "9", "--time", "2026-10-15T22:20Z"];
    let picture = render(&folder, &[data_file("jacksboro.tif")], &view);
    let bright = |x: u32, y: u32| picture.get_pixel(x, y).0.iter().map(|c| f64::from(*c)).sum::<f64>() / 3.0;
    for (x, y) in (20..159).flat_map(|y| (0..picture.width()).map(move |x| (x, y))) {
        let darker = 0.5 * (bright(x, y - 1) + bright(x, y + 1)) - bright(x, y);
        assert!(darker < 6.0, "{darker} darker at {x}, {y}");
    }
}

/// Law: level ground has no shadows, wherever the sun stands: a bare Moon is the same with them, and without them, but for its dusk.
#[test]
fn level_ground_has_no_shadows() {
    let folder = tempfile::tempdir().unwrap();
    let view = ["--body", "moon", "--at", "0,40,6356000", "--look", "0,-90", "--sun", "315,30", "--quiet"];
    let [shadowed, lit] =
        ["on", "off"].map(|shadows| render(&folder, &[], &[&view[..], &["--shadows", shadows]].concat()));
    let is_bright = |x, y| lit.get_pixel(x, y).0[1] > 90;
    let places: Vec<(u32, u32)> =
        (0..240).flat_map(|x| (0..160).map(move |y| (x, y))).filter(|&(x, y)| is_bright(x, y)).collect();
    assert!(places.len() > 3000, "{} pixels are bright", places.len());
    let darker = places.iter().filter(|&&(x, y)| lit.get_pixel(x, y).0[1] > shadowed.get_pixel(x, y).0[1] + 6).count();
    assert_eq!(darker, 0, "of {} pixels", places.len());
}

/// Law: where fine data begin on ground that goes on unchanged, the shade of both sides is the same to 2 of 255, and so is that between them:
/// neither side's slopes count more than they are.
#[test]
fn the_edge_of_fine_data_makes_no_ridge() {
    let folder = tempfile::tempdir().unwrap();
    // 3 m up every 100 m to the north, from the coarse raster's southern edge.
    let height = |_, lat: f64| (lat + 1.5) * 111_195.0 * 0.03;
    let (coarse, fine) = (folder.path().join("coarse.tif"), folder.path().join("fine.tif"));
    raster::write(&coarse, (-154.0, 1.5), (96, 36), 1.0 / 12.0, height);
    raster::write(&fine, (-150.0, 0.5), (400, 400), 1.0 / 400.0, height);
    let view = ["--at", "0,-150,200000", "--look", "0,-90", "--sun", "0,30"];
    let picture = render(&folder, &[fine, coarse], &view);
    // Westwards of the edge lies the coarse raster, eastwards the fine one, on one height each row.
    let (width, height) = picture.dimensions();
    for y in height / 2 - 4..height / 2 + 4 {
        let shade = |x: u32| picture.get_pixel(x, y).0.iter().map(|&c| f64::from(c)).sum::<f64>() / 3.0;
        let (west, east) = (shade(width / 8), shade(width * 3 / 4));
        assert!((west - east).abs() <= 2.0, "row {y}: {west} west of the edge, {east} east of it");
        let between: Vec<f64> = (width / 8..=width * 3 / 4).map(shade).collect();
        let outside =
            between.iter().filter(|shade| !(west.min(east) - 2.0..=west.max(east) + 2.0).contains(*shade)).count();
        assert_eq!(outside, 0, "row {y}, from {west} to {east}: {between:?}");
    }
}

/// Law: ground far from a fine raster has the colours that it has without it. The mesh is coarser there than the maps.
#[test]
fn far_ground_is_coloured_as_without_the_fine_data() {
    let folder = tempfile::tempdir().unwrap();
    // The Appalachians behind the raster, 60 to 300 km away.
    let view = ["--at", "36.33,-84.239,19930", "--look", "210,-23", "--sun", "0,90"];
    let [with, without] = ["jacksboro.tif", "etopo5.tif"].map(|file| render(&folder, &[data_file(file)], &view));
    let rows = with.height() / 9..with.height() / 3;
    let apart = rows.clone().flat_map(|y| (0..with.width()).map(move |x| (x, y))).map(|(x, y)| {
        let pairs = with.get_pixel(x, y).0.into_iter().zip(without.get_pixel(x, y).0);
        f64::from(pairs.map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0))
    });
    let mean = apart.sum::<f64>() / f64::from(rows.len() as u32 * with.width());
    assert!(mean < 0.5, "{mean} of 255 apart");
}

/// Where in a row (`along_x`) or a column a picture differs from the plain one by more than rounding.
fn marked(picture: &RgbImage, plain: &RgbImage, along_x: bool, at: u32) -> Vec<u32> {
    let length = if along_x { picture.width() } else { picture.height() };
    let place = |i: u32| if along_x { (i, at) } else { (at, i) };
    let off = |(x, y): (u32, u32)| {
        let channels = picture.get_pixel(x, y).0.into_iter().zip(plain.get_pixel(x, y).0);
        channels.map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
    };
    (0..length).filter(|&i| off(place(i)) > 3).collect()
}

/// Middles of the runs of neighbouring numbers.
fn middles(numbers: &[u32]) -> Vec<f64> {
    let runs = numbers.chunk_by(|a, b| b - a <= 1);
    runs.map(|run| f64::from(run[0] + run[run.len() - 1]) / 2.0).collect()
}

/// Law: contour lines lie where the height says, meridians and parallels where the place says, the edges of triangles are
/// thin, and the colour of slope is that of the slope.
#[test]
fn what_is_drawn_on_the_ground_is_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    // 3 m up every 100 m to the north.
    let slope = folder.path().join("slope.tif");
    raster::write(&slope, (-152.0, 1.5), (400, 300), 0.01, |_, lat| (lat + 1.5) * 111_195.0 * 0.03);
    let view = ["--at", "0,-150,200000", "--look", "0,-90", "--samples", "4"];
    let draw =
        |shade: &str| render(&folder, std::slice::from_ref(&slope), &[&view[..], &["--overlays", shade]].concat());
    let plain = render(&folder, std::slice::from_ref(&slope), &view);
    let (middle_x, middle_y) = (plain.width() / 2, plain.height() / 2);

    // 200 km up, over ground 5 km high, 45 degrees are 160 pixels of 1010 m in the middle: a line for every 500 m of height, of nearly
    // 5 km in the picture, is 16.5 pixels from the next.
    let contours = middles(&marked(&draw("contours"), &plain, false, middle_x));
    assert!(contours.len() >= 4, "{contours:?}");
    for pair in contours.windows(2) {
        assert!((pair[1] - pair[0] - 16.5).abs() <= 1.5, "{contours:?}");
    }

    // Lines every 2 degrees: the 150th meridian and the equator cross in the middle, the next are outside.
    let graticule = draw("graticule");
    let meridians = middles(&marked(&graticule, &plain, true, middle_y / 2));
    let parallels = middles(&marked(&graticule, &plain, false, middle_x / 2));
    let one_at = |found: &[f64], middle: u32| found.len() == 1 && (found[0] + 0.5 - f64::from(middle)).abs() <= 1.0;
    assert!(one_at(&meridians, middle_x) && one_at(&parallels, middle_y), "{meridians:?} {parallels:?}");

    let wireframe = draw("wireframe");
    let dark = wireframe.pixels().zip(plain.pixels()).filter(|(a, b)| a[1] + 20 < b[1]).count();
    let share = dark as f64 / f64::from(plain.width() * plain.height());
    assert!((0.002..0.5).contains(&share), "{share}");

    // 3 in 100 are 1.7 degrees: between the green of level ground and the yellow of 5 degrees, everywhere.
    let slopes = draw("slope");
    for (x, y) in [(40, 30), (120, 80), (200, 130)] {
        let [r, g, b] = slopes.get_pixel(x, y).0;
        assert!(g > b && r > b && r.abs_diff(g) < 40, "{:?}", [r, g, b]);
    }
}

/// Law: where the United States end, at 48.9925 degrees north by the data, there is a line one or two pixels wide with a dark rim, from far
/// away and nearby, over coarse data and over fine ones, deferred and forward; and none where no country ends.
#[test]
fn countries_have_borders() {
    let folder = tempfile::tempdir().unwrap();
    let fine = folder.path().join("fine.tif");
    raster::write(&fine, (-110.5, 49.5), (1000, 1000), 0.001, |_, _| 800.0);
    let views: [(&str, &[PathBuf], &[&str]); 2] = [
        ("48.9925,-110,400000", &[], &["--shading", "deferred"]),
        ("48.9925,-110,3000", std::slice::from_ref(&fine), &["--shading", "forward"]),
    ];
    for (at, files, more) in views {
        let draw = |overlays| {
            render(&folder, files, &[&["--at", at, "--look", "0,-90", "--overlays", overlays], more].concat())
        };
        let (plain, borders) = (draw("none"), draw("borders"));
        let rows = |x| marked(&borders, &plain, false, x);
        let middle_y = f64::from(plain.height()) / 2.0;
        for x in [plain.width() / 4, plain.width() / 2, plain.width() / 4 * 3] {
            let [found] = middles(&rows(x))[..] else { panic!("{at} {more:?}: {:?}", rows(x)) };
            // From far away the parallel bends.
            assert!((found + 0.5 - middle_y).abs() <= 6.0 && (2..=6).contains(&rows(x).len()), "{at}: {:?}", rows(x));
        }
        let x = plain.width() / 2;
        let brightest = rows(x).into_iter().max_by_key(|&y| borders.get_pixel(x, y)[0]).unwrap();
        assert!(borders.get_pixel(x, brightest)[0] > plain.get_pixel(x, brightest)[0] + 20, "{at}");
    }
    let view = ["--at", "40,-100,60000", "--look", "0,-90", "--overlays"];
    let [plain, borders] = ["none", "borders"].map(|overlays| render(&folder, &[], &[&view[..], &[overlays]].concat()));
    assert_eq!(plain, borders, "Kansas");
}

/// Metres a pixel and pixels of pictures of `data/jacksboro.tif` from straight above.
const PIXEL_M: f64 = 40.0;
const SIZE: (u32, u32) = (240, 160);
/// Between contour lines at that size, with that relief.
const CONTOUR_M: f64 = 50.0;

/// A picture of the raster from straight above, and the heights at its pixels.
fn seen_from_above(more: &[&str]) -> (RgbImage, Vec<f64>) {
    let folder = tempfile::tempdir().unwrap();
    let file = data_file("jacksboro.tif");
    let at = format!("36.3,-84.25,{}", 400.0 + PIXEL_M * 80.0 / f64::to_radians(5.0).tan());
    let view = ["--at", &at, "--look", "0,-90", "--fov", "10", "--samples", "1"];
    let picture = render(&folder, std::slice::from_ref(&file), &[&view[..], more].concat());
    let relief = Relief::open(&[file], &OpenOptions::default()).unwrap();
    let pixel_rad = PIXEL_M / 6_371_000.0;
    let height_m = |x: u32, y: u32| {
        let (x, y) = (f64::from(x) - 119.5, 79.5 - f64::from(y));
        let lat_rad = f64::to_radians(36.3) + y * pixel_rad;
        relief.sample(n_vector(lat_rad, f64::to_radians(-84.25) + x * pixel_rad / lat_rad.cos())).height_m
    };
    let heights_m = (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| (x, y))).map(|(x, y)| height_m(x, y)).collect();
    (picture, heights_m)
}

/// Less its mean over 21 x 21 pixels: what is finer than tints.
fn fine_part(values: &[f64]) -> Vec<f64> {
    let (width, height) = (SIZE.0 as usize, SIZE.1 as usize);
    let mean = |x: usize, y: usize| {
        let (columns, rows) = (x.saturating_sub(10)..(x + 11).min(width), y.saturating_sub(10)..(y + 11).min(height));
        let count = columns.len() * rows.len();
        rows.flat_map(|y| columns.clone().map(move |x| values[y * width + x])).sum::<f64>() / count as f64
    };
    (0..values.len()).map(|at| values[at] - mean(at % width, at / width)).collect()
}

/// Law: ground is shaded by its data at each pixel, and not by the triangles: a mesh that is four pixels off shows what a hillshade
/// of the data shows.
#[test]
fn relief_is_shaded_by_the_data_whatever_the_triangles() {
    for mesh in ["cpu", "gpu"] {
        let (picture, heights_m) = seen_from_above(&["--pixel-error", "4", "--mesh", mesh]);
        let width = SIZE.0 as usize;
        let shade = |at: usize| {
            let inside = at >= width && at + width + 1 < heights_m.len();
            let rise = |step: usize| (heights_m[at + step] - heights_m[at - step]) / (2.0 * PIXEL_M);
            let (to_east, to_north) = if inside { (rise(1), -rise(width)) } else { (0.0, 0.0) };
            // A light from the north-west, 42 degrees up.
            let (sine, cosine) = f64::to_radians(42.0).sin_cos();
            let facing = sine + cosine * 0.5f64.sqrt() * (to_east - to_north);
            facing / (1.0 + to_east * to_east + to_north * to_north).sqrt()
        };
        let shades: Vec<f64> = (0..heights_m.len()).map(shade).collect();
        let seen: Vec<f64> = picture.pixels().map(|p| p.0.iter().map(|&c| f64::from(c)).sum()).collect();
        let (a, b) = (fine_part(&seen), fine_part(&shades));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let correlation = dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt();
        assert!(correlation > 0.9, "mesh on the {mesh}: {correlation}");
    }
}

/// A height between those of four pixels.
fn between(heights_m: &[f64], x: f64, y: f64) -> f64 {
    let (column, row) = (x as usize, y as usize);
    let (s, t) = (x.fract(), y.fract());
    let at = |column: usize, row: usize| heights_m[row * SIZE.0 as usize + column];
    let along = |row: usize| (1.0 - s) * at(column, row) + s * at(column + 1, row);
    (1.0 - t) * along(row) + t * along(row + 1)
}

/// Law: contour lines stand within a pixel of where the data cross their heights, also where triangles are coarse; all but one pixel in
/// twenty, since the test knows places of pixels to a third of one.
#[test]
fn contour_lines_are_those_of_the_data_whatever_the_triangles() {
    let coarse = ["--pixel-error", "2"];
    let (lined, heights_m) = seen_from_above(&[&coarse[..], &["--overlays", "contours"]].concat());
    let (plain, _) = seen_from_above(&coarse);
    let (width, height) = (SIZE.0 as usize, SIZE.1 as usize);
    let (mut lines, mut wrong) = (0, 0);
    for (y, x) in (2..height - 2).flat_map(|y| (2..width - 2).map(move |x| (y, x))) {
        let [a, b] = [&lined, &plain].map(|picture| picture.get_pixel(x as u32, y as u32).0);
        let darker = a.iter().zip(b).map(|(a, b)| i32::from(b) - i32::from(*a)).max().unwrap_or(0);
        if darker < 25 {
            continue;
        }
        lines += 1;
        // Some multiple of the step lies between the heights around the pixel; a bold line is 0.6 pixels wider, 0.3 on each side.
        let crossed = |reach: f64, step_m: f64| {
            let offsets = [-reach, 0.0, reach];
            let around = offsets.into_iter().flat_map(|dy| offsets.map(|dx| (x as f64 + dx, y as f64 + dy)));
            let (low_m, high_m) = around
                .map(|(x, y)| between(&heights_m, x, y))
                .fold((f64::MAX, f64::MIN), |(low, high), h| (low.min(h), high.max(h)));
            (low_m / step_m).ceil() * step_m <= high_m
        };
        wrong += usize::from(!crossed(1.0, CONTOUR_M) && !crossed(1.3, 5.0 * CONTOUR_M));
    }
    assert!(lines > 500 && wrong * 20 <= lines, "{wrong} of {lines} pixels");
}
