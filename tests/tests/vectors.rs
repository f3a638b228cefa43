//! Do points, lines and areas of `--vector` lie on the ground where they belong, as they are to be drawn?

use std::path::{Path, PathBuf};

use image::RgbImage;
use tempfile::TempDir;
use tests::{program, program::run};

const SIZE: [u32; 2] = [160, 120];

fn render(folder: &TempDir, words: &[&str]) -> RgbImage {
    let out = folder.path().join("a.png");
    let fixed =
        ["render", "--software", "--size", "160x120", "--samples", "1", "--overwrite", "-o", out.to_str().unwrap()];
    run(program!(), &[&fixed[..], words].concat()).expect_code(0);
    image::open(&out).unwrap().to_rgb8()
}

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let file: PathBuf = folder.path().join(name);
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

fn geojson(properties: &str, kind: &str, coordinates: &str) -> String {
    format!(
        r#"{{"type": "Feature", "properties": {{{properties}}}, "geometry": {{"type": "{kind}", "coordinates": {coordinates}}}}}"#
    )
}

/// Pixels of a picture that differ from another's.
fn changed(a: &RgbImage, b: &RgbImage) -> Vec<[u32; 2]> {
    let differs = |&[x, y]: &[u32; 2]| {
        let [a, b] = [a, b].map(|picture| picture.get_pixel(x, y).0);
        a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 12)
    };
    (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y])).filter(differs).collect()
}

/// Law: straight down, a meridian and a parallel through the middle are a cross of their width on land and on the sea, in the colours asked
/// for, and nothing else changes.
#[test]
fn lines_go_through_the_middle() {
    let folder = tempfile::tempdir().unwrap();
    // Plains of western Siberia, the Indian Ocean, and 180 degrees.
    for at in [[60.0, 75.0], [-20.0, 80.0], [10.0, 180.0]] {
        let [lat, lon] = at;
        let eye = format!("{lat},{lon},100000");
        let view = ["--at", &eye, "--look", "0,-90"];
        let plain = render(&folder, &view);
        let far = 0.4 / f64::to_radians(lat).cos();
        let (west, east) = (lon - far, if lon + far > 180.0 { lon + far - 360.0 } else { lon + far });
        let line = format!("[[[{west},{lat}],[{east},{lat}]],[[{lon},{}],[{lon},{}]]]", lat - 0.4, lat + 0.4);
        let file = write(&folder, "cross.geojson", &geojson("", "MultiLineString", &line));
        let crossed = render(&folder, &[&view[..], &["--vector", &format!("{file},color=#ff0000,width=4")]].concat());
        let changed = changed(&plain, &crossed);
        assert!(changed.len() > 400, "{at:?}: {}", changed.len());
        for [x, y] in changed {
            let [across, along] = [(f64::from(x) - 79.5).abs(), (f64::from(y) - 59.5).abs()];
            // A line of four pixels to a third, its rim, and half a pixel.
            assert!(across.min(along) < 1.41 * 2.8 + 1.0, "{at:?}: {x} {y}");
        }
        for [x, y] in [[40, 60], [120, 59], [79, 30], [80, 90], [79, 59]] {
            let [r, g, b] = crossed.get_pixel(x, y).0;
            assert!(r > 240 && g < 15 && b < 15, "{at:?}: {x} {y} {:?}", [r, g, b]);
        }
    }
}

/// Law: files are drawn as they say and in their order, over pictures, too; the last one is on top; a GPX track has no points.
#[test]
fn files_say_how_they_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let view = ["--at", "60,75,100000", "--look", "0,-90"];
    let square = "[[[74.8,59.9],[75.2,59.9],[75.2,60.1],[74.8,60.1],[74.8,59.9]]]";
    let blue = geojson(r##""stroke": "#0000ff", "fill": "#0000ff", "fill-opacity": 1"##, "Polygon", square);
    let blue = write(&folder, "blue.geojson", &blue);
    let track = r#"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" creator="a"><trk><trkseg>
        <trkpt lat="60" lon="74.5"/><trkpt lat="60" lon="75.5"/></trkseg></trk></gpx>"#;
    let track = write(&folder, "track.gpx", track);
    let green = format!("{track},color=#00ff00");
    for pictures in [&[][..], &["--overlays", "imagery"]] {
        let both = [&view[..], pictures, &["--vector", &blue, "--vector", &green]].concat();
        let picture = render(&folder, &both);
        let strongest = |x: u32, y: u32| {
            let pixel = picture.get_pixel(x, y).0;
            (0..3).max_by_key(|c| pixel[*c]).unwrap()
        };
        assert_eq!([strongest(80, 50), strongest(80, 70), strongest(80, 59)], [2, 2, 1], "{pictures:?}");
        let below = [&view[..], pictures, &["--vector", &green, "--vector", &blue]].concat();
        let picture = render(&folder, &below);
        let pixel = picture.get_pixel(80, 59).0;
        assert!(pixel[2] > pixel[1], "{pixel:?}");
    }
}

/// A file is seen whole, asked for or alone.
#[test]
fn vector_data_are_seen_whole() {
    let folder = tempfile::tempdir().unwrap();
    let point = write(&folder, "point.geojson", &geojson("", "Point", "[75, 60]"));
    for words in [&["--fit", &point][..], &[]] {
        let shown = render(&folder, &[words, &["--vector", &format!("{point},color=#ff0000")]].concat());
        let [r, g, b] = shown.get_pixel(80, 60).0;
        assert!(r > 240 && g < 15 && b < 15, "{words:?} {:?}", [r, g, b]);
    }
}

/// Law: a point's name stands above it, its mark lies on it, and nothing else changes; so does the field that is asked for; none stands where none is asked for,
/// there is none, or a mountain is before it. A line has none unless asked, over its middle; an area's lies within it.
#[test]
fn labels_stand_above_their_features() {
    let folder = tempfile::tempdir().unwrap();
    let view = ["--at", "60,75,100000", "--look", "0,-90"];
    let with = |file: &str, said: &str| render(&folder, &[&view[..], &["--vector", &format!("{file}{said}")]].concat());
    let point = geojson(r#""name": "Here", "id": 88, "empty": """#, "Point", "[75, 60]");
    let point = write(&folder, "point.geojson", &point);
    let plain = with(&point, ",label=");
    assert!(changed(&plain, &with(&point, ",label=empty")).is_empty());
    let range = |pixels: &[[u32; 2]], axis: usize| {
        let along = || pixels.iter().map(|pixel| pixel[axis]);
        (along().min().unwrap(), along().max().unwrap())
    };
    let [name, number] = ["", ",label=ID"].map(|said| changed(&plain, &with(&point, said)));
    // The mark of its colour, and the text above it.
    let is_mark = |pixel: &[u32; 2]| pixel[0].abs_diff(80).pow(2) + pixel[1].abs_diff(60).pow(2) <= 100;
    assert!(name.iter().any(is_mark), "{name:?}");
    let [name, number] = [name, number].map(|all| all.into_iter().filter(|pixel| !is_mark(pixel)).collect::<Vec<_>>());
    for text in [&name, &number] {
        let ((left, right), (top, bottom)) = (range(text, 0), range(text, 1));
        assert!(left.abs_diff(159 - right) <= 3 && top > 30 && bottom < 57 && text.len() > 40, "{text:?}");
    }
    assert!(name.len() > number.len());

    let line = geojson(r#""name": "Way""#, "LineString", "[[74.8, 60], [75.2, 60]]");
    let line = write(&folder, "line.geojson", &line);
    let bare = with(&line, "");
    assert!(changed(&with(&line, ",label="), &bare).is_empty());
    let (left, right) = range(&changed(&bare, &with(&line, ",label=name")), 0);
    assert!(left.abs_diff(159 - right) <= 3, "{left} to {right}");
    // A bay in the north, with its middle outside.
    let bay = "[[[74.5,59.7],[75.5,59.7],[75.5,60.3],[75.45,60.3],[75.45,59.85],[74.55,59.85],[74.55,60.3],[74.5,60.3],[74.5,59.7]]]";
    let area = write(&folder, "area.geojson", &geojson(r#""name": "U""#, "Polygon", bay));
    let text = changed(&with(&area, ""), &with(&area, ",label=name"));
    assert!(range(&text, 1).0 > 70 || range(&text, 0).0 > 110 || range(&text, 0).1 < 50, "{text:?}");

    let raster = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif");
    let behind = write(&folder, "behind.geojson", &geojson(r#""name": "Behind""#, "Point", "[-84.3, 36.5]"));
    // From a valley, and from above.
    for (eye, is_seen) in [("36.36,-84.3,+30", false), ("36.36,-84.3,4000", true)] {
        let words = |said: &str| {
            let file = format!("{behind}{said}");
            render(&folder, &[raster, "--at", eye, "--look", "0,-10", "--vector", &file])
        };
        assert_eq!(!changed(&words(",label="), &words("")).is_empty(), is_seen, "{eye}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let raster = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif");
    let line = write(&folder, "line.geojson", &geojson("", "LineString", "[[7, 46], [8, 46]]"));
    let empty = write(&folder, "empty.geojson", r#"{"type": "FeatureCollection", "features": []}"#);
    let out = folder.path().join("a.png");
    let refused = |words: &[&str], code: i32, said: &[&str]| {
        let fixed = ["render", "--software", "--at", "0,0,1e6", "-o", out.to_str().unwrap()];
        run(program!(), &[&fixed[..], words].concat()).expect_refusal(code, said);
        assert!(!Path::new(&out).exists());
    };
    refused(&["--vector", raster], 1, &["jacksboro.tif", "GeoPackage"]);
    refused(&["--vector", "gone.gpx"], 1, &["gone.gpx", "no such file"]);
    refused(&["--vector", &format!("{line},width=1000")], 2, &["width=1000", "64"]);
    refused(&["--vector", &format!("{line},color=rde")], 2, &["rde", "#rrggbb"]);
    let named = write(&folder, "named.geojson", &geojson(r#""nom": "a", "id": 7"#, "Point", "[7, 46]"));
    refused(&["--vector", &format!("{named},label=name")], 1, &["no field name", "nom, id"]);
    refused(&["--vector", &format!("{line},label=name")], 1, &["no field name", "there are none"]);
    refused(&[&line], 1, &["line.geojson", "--vector"]);
    // A file of today may have nothing yet.
    let fixed = ["render", "--software", "--at", "0,0,1e6", "--size", "64x36", "-o", out.to_str().unwrap()];
    let drawn = run(program!(), &[&fixed[..], &["--vector", &empty, "--vector", &line]].concat()).expect_code(0);
    assert!(
        drawn.stderr.contains("empty.geojson: it holds no points, lines or polygons") && out.exists(),
        "{drawn:#?}"
    );
}
