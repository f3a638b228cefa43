//! Which files for other programs does `orogen render` write? GeoTIFFs for GIS programs, videos by way of ffmpeg.

use gdal::{Dataset, DriverManager, raster::Buffer, spatial_ref::SpatialRef};

use super::*;

/// 0.2 degrees round 8 E 46.5 N: red in the north-west, green in the north-east, blue in the south.
fn three_colours(path: &Path) {
    let side = 800;
    let driver = DriverManager::get_driver_by_name("GTiff").unwrap();
    let mut dataset = driver.create_with_band_type::<u8, _>(path, side, side, 3).unwrap();
    dataset.set_spatial_ref(&SpatialRef::from_epsg(4326).unwrap()).unwrap();
    dataset.set_geo_transform(&[7.9, 0.00025, 0.0, 46.6, 0.0, -0.00025]).unwrap();
    for band in 0..3 {
        let colour = |i: usize| if i / side >= side / 2 { 2 } else { usize::from(i % side >= side / 2) };
        let values: Vec<u8> = (0..side * side).map(|i| 220 * u8::from(colour(i) == band)).collect();
        let mut band = dataset.rasterband(band + 1).unwrap();
        band.write((0, 0), (side, side), &mut Buffer::new((side, side), values)).unwrap();
    }
}

/// Where values pass the middle between the first and the last one, in pixels from the edge of the first.
fn edge_px(values: &[f64]) -> f64 {
    let (first, last) = (values[0], values[values.len() - 1]);
    let part = |i: usize| (values[i] - first) / (last - first);
    let i = (1..values.len()).find(|&i| part(i) >= 0.5).unwrap();
    i as f64 - 0.5 + (0.5 - part(i - 1)) / (part(i) - part(i - 1))
}

/// Law: edges of colours on rough ground lie within half a pixel of where the file says, in the reference system that it says. All that
/// was asked for is in it; a name is in its middle.
#[test]
fn a_geotiff_shows_places_where_it_says() {
    let files = Files::new();
    let (colours, dem, out) = (files.at("colours.tif"), files.at("dem.tif"), files.at("map.TIF"));
    three_colours(&colours);
    let rough = |lon: f64, lat: f64| 1_500.0 + 300.0 * (200.0 * lon).sin() * (200.0 * lat).cos();
    tests::raster::write(&dem, (7.9, 46.6), (200, 200), 0.001, rough);
    let fixed = ["render", "--software", "--no-cache", "--size", "64x48", "--samples", "1", "--shadows", "off", "-o"];
    let words = ["--fit", "7.973,46.477,8.041,46.519", "--imagery", colours.to_str().unwrap(), dem.to_str().unwrap()];
    orogen(&[&fixed[..], &[out.to_str().unwrap()], &words].concat()).expect_code(0);
    let dataset = Dataset::open(&out).unwrap();
    assert_eq!((dataset.raster_size(), dataset.raster_count()), ((64, 48), 3));
    assert_eq!(dataset.spatial_ref().unwrap().auth_code().unwrap(), 4326);
    let [west, lon_px, 0.0, north, 0.0, lat_px] = dataset.geo_transform().unwrap() else { panic!("not north up") };
    assert!(lat_px < 0.0 && west <= 7.973 && north >= 46.519 - 1e-9);
    assert!(west + 64.0 * lon_px >= 8.041 && north + 48.0 * lat_px <= 46.477 + 1e-9);
    let bands: Vec<Vec<u8>> = (1..=3)
        .map(|band| {
            dataset.rasterband(band).unwrap().read_as::<u8>((0, 0), (64, 48), (64, 48), None).unwrap().data().to_vec()
        })
        .collect();
    let at = |band: usize, column: usize, row: usize| f64::from(bands[band][row * 64 + column]);
    for row in 0..20 {
        let green = |column: usize| at(1, column, row) / (at(0, column, row) + at(1, column, row));
        let off = edge_px(&(0..64).map(green).collect::<Vec<_>>()) - (8.0 - west) / lon_px;
        assert!(off.abs() <= 0.5, "row {row}: {off} pixels");
    }
    for column in (0..64).filter(|column| (f64::from(*column as u32) + 0.5 - (8.0 - west) / lon_px).abs() > 2.0) {
        let blue = |row: usize| at(2, column, row) / (0..3).map(|band| at(band, column, row)).sum::<f64>();
        let off = edge_px(&(0..48).map(blue).collect::<Vec<_>>()) - (46.5 - north) / lat_px;
        assert!(off.abs() <= 0.5, "column {column}: {off} pixels");
    }

    let named = [&fixed[..], &[out.to_str().unwrap(), "--at", "Matterhorn"]].concat();
    orogen(&named).expect_refusal(1, &["map.TIF is there already", "--overwrite"]);
    orogen(&[&named[..], &["--overwrite"]].concat()).expect_code(0);
    let place = Dataset::open(&out).unwrap().geo_transform().unwrap();
    let middle = (place[0] + 32.0 * place[1], place[3] + 24.0 * place[5]);
    assert!((middle.0 - 7.658).abs() < 1e-6 && (middle.1 - 45.976).abs() < 1e-6, "{middle:?}");

    // Over the sea, whose floor is 4 km down, pixels are those of its surface.
    orogen(&[&fixed[..], &[out.to_str().unwrap(), "--overwrite", "--fit", "-30,0,-29.995,0.005"]].concat())
        .expect_code(0);
    orogen(&[&fixed[..], &[out.to_str().unwrap(), "--overwrite", "--at", "0,-30,3000"]].concat()).expect_code(0);
    let pixel_deg = Dataset::open(&out).unwrap().geo_transform().unwrap()[1];
    let of_view_deg = (2.0 * 3000.0 * 22.5_f64.to_radians().tan() / 48.0 / 6_378_137.0).to_degrees();
    assert!((pixel_deg / of_view_deg - 1.0).abs() < 1e-6, "{pixel_deg} {of_view_deg}");

    std::fs::remove_file(&out).unwrap();
    for (words, says) in [
        (&["--at", "46,8,9000", "--look", "0,-60"][..], "give --look 0,-90"),
        (&["--fit", "-180,-90,180,90"], "90 degrees"),
        (&["--at", "Matterhorn", "--map"], "OROGEN_MAP=off"),
        (&["--at", "46,8,9000", "--look", "0,-90", "--world-file"], "--world-file"),
        (&["--path", "everest"], "GeoTIFF"),
    ] {
        orogen(&[&fixed[..], &[out.to_str().unwrap()], words].concat()).expect_refusal(2, &[says]);
    }
    assert!(!out.exists());
}

/// Law: ffmpeg gets the bytes of all pictures and what they are; what it says when it fails is told, and a video is there whole or not at
/// all. Where there is none, that is said before anything is drawn.
#[cfg(unix)]
#[test]
fn a_video_is_what_ffmpeg_makes_of_all_pictures() {
    use std::os::unix::fs::PermissionsExt as _;
    let files = Files::new();
    let (path, programs) = (files.at("still.json"), files.at("programs"));
    std::fs::create_dir(&programs).unwrap();
    let key = |t_s: u32| {
        format!(
            "{{\"t_s\": {t_s}, \"lat_deg\": 27, \"lon_deg\": 82, \"height_m\": 13e6, \"heading_deg\": 0, \"pitch_deg\": -90}}"
        )
    };
    let keys = format!("[{}, {}]", key(0), key(1));
    std::fs::write(
        &path,
        format!("{{\"format\": \"orogen-path\", \"version\": 1, \"title\": \"still\", \"keys\": {keys}}}"),
    )
    .unwrap();
    let video = |name: &str| {
        let words = ["render", "--software", "--no-cache", "--size", "33x32", "--fps", "2", "--path"];
        let out = files.at(name);
        finish(program_command(program!()).args(words).args([&path, Path::new("-o"), &out]).env("PATH", &programs))
    };
    video("a.mp4").expect_refusal(1, &["a.mp4", "apt install ffmpeg", "-o - | ffmpeg"]);

    let ffmpeg = programs.join("ffmpeg");
    let install = |script: &str| {
        std::fs::write(&ffmpeg, format!("#!/bin/sh\nPATH=/usr/bin:/bin\n[ \"$1\" = -version ] && exit 0\n{script}"))
            .unwrap();
        std::fs::set_permissions(&ffmpeg, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    // It is in a process group of its own, so that Ctrl-C is for the program.
    install(
        "for last; do :; done\n[ $(ps -o pgid= -p $$) = $$ ] || exit 9\n{ wc -c; echo \"$@\"; } > \"${last#file:}\"\n",
    );
    for (name, codec) in [("a.mp4", "libx264"), ("a.webm", "libvpx-vp9")] {
        let run = video(name).expect_code(0);
        assert!(run.stderr.contains("3 pictures, 33x32"), "{run:?}");
        let written = std::fs::read_to_string(files.at(name)).unwrap();
        let (bytes, words) = written.trim().split_once('\n').unwrap();
        assert_eq!(bytes.trim(), (3 * 33 * 32 * 3).to_string());
        assert!(words.split(' ').next_back().unwrap().starts_with("file:/"), "{words}");
        for part in ["-pixel_format rgb24", "-video_size 33x32", "-framerate 2 ", codec] {
            assert!(words.contains(part), "{part}: {words}");
        }
        std::fs::remove_file(files.at(name)).unwrap();
    }
    install("cat > /dev/null; echo Hm. >&2; echo \"Unknown encoder 'libx264'\" >&2; exit 1\n");
    let failed = video("a.mp4").expect_refusal(1, &["ffmpeg failed: Unknown encoder 'libx264'"]);
    assert!(!failed.stderr.contains("Hm."), "{failed:?}");
    install("echo full >&2; exit 3\n");
    video("a.mp4").expect_refusal(1, &["ffmpeg failed: full"]);
    let names = std::fs::read_dir(files.0.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| name.contains("mp4") || name.contains("part")).collect();
    assert!(left.is_empty(), "{left:?}");
    orogen(&["render", "--at", "1,2,3000000", "-o", "a.mp4"]).expect_refusal(2, &["--path"]);
}

/// Law: no verb replaces a file that it is not told to replace, one of many either; it says so before any work, and leaves the file as it is.
#[test]
fn what_is_there_is_replaced_only_where_that_is_said() {
    let files = Files::new();
    let names = ["a.png", "a.gif", "f-03.png", "a.tif", "a.pack", "orogen-render.1"];
    for name in names {
        std::fs::write(files.at(name), "old").unwrap();
    }
    let place = ["--at", "46,8", "--radius", "500", "-o", "a.tif"];
    let times = ["--from", "2026-06-21T12:00Z", "--to", "2026-06-21T13:00Z"];
    let cases: [(&[&str], &[&str]); 12] = [
        (&["render", "-o", "a.png"], &[]),
        (&["render", "--path", "everest", "-o", "a.gif"], &[]),
        (&["render", "--path", "everest", "-o", "f-%02d.png"], &[]),
        (&["render", "--at", "46,8", "-o", "a.tif"], &[]),
        (&["query", "viewshed"], &place),
        (&["query", "horizons"], &place),
        (&["query", "skyview"], &place),
        (&[&["query", "insolation"], &times[..]].concat(), &place),
        (&["query", "horizon", "--at", "46,8", "-o", "a.png"], &[]),
        (&["query", "sunlight", "--year", "2026", "--at", "46,8", "-o", "a.png"], &[]),
        (&["bake", "--max-level", "0", "-o", "a.pack"], &[]),
        (&["fetch", "picture:https://tiles.invalid/{z}/{x}/{y}.png", "--at", "46,8", "-o", "a.tif"], &[]),
    ];
    let run = |words: &[&str]| finish(program_command(program!()).args(words).current_dir(files.0.path()));
    for (words, more) in cases {
        run(&[words, more].concat()).expect_refusal(1, &["--overwrite"]);
    }
    run(&["man", "-o", "."]).expect_refusal(1, &["orogen-render.1", "--overwrite"]);
    assert!(names.iter().all(|name| std::fs::read(files.at(name)).unwrap() == b"old"));
    run(&["man", "-o", ".", "--overwrite"]).expect_code(0);
    assert!(std::fs::read(files.at("orogen-render.1")).unwrap() != b"old");
}
