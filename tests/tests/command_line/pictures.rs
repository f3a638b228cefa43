//! Which picture does `orogen render` make, and where does it go? Views by name, box and file; formats and standard output.

use super::*;

/// Law: a name is the place that it means, a place without a height is looked at, and a raster without a view, or a box, is shown as a
/// whole: what differs between two such pictures of one view is nothing.
#[test]
fn views_are_named_by_places_boxes_and_files() {
    let files = Files::new();
    let dem = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif");
    let mut count = 0;
    let mut picture = |words: &[&str]| {
        count += 1;
        let out = files.at(&format!("{count}.png"));
        let same = ["render", "--software", "--size", "96x60", "-o", out.to_str().unwrap()];
        orogen(&[&same[..], words].concat()).expect_code(0);
        std::fs::read(out).unwrap()
    };
    let named = picture(&["--at", "Matterhorn"]);
    assert!(named == picture(&["--at", "45.976,7.658"]), "a name and its place");
    assert!(named != picture(&["--at", "Matterhorn", "--look", "180,-40"]), "from elsewhere");
    let whole = picture(&[dem]);
    assert!(whole == picture(&["--fit", dem, dem]), "the raster as a whole");
    assert!(whole != picture(&["--fit", "-84.3,36.3,-84.2,36.4", dem]), "a part of it");
    assert!(picture(&[]) == picture(&["--at", "27,82,13000000"]), "the globe");
    for words in [
        &["--at", "Springfield"][..],
        &["--at", "qqqq"],
        &["--fit", "1,2,3,nan"],
        &["--fit", "9,1,9,2"],
        &["--fit", "missing.tif"],
        &["--at", "1,2,3", "--fit", "1,2,3,4"],
        &["--path", "everest", "--fit", "1,2,3,4"],
    ] {
        let run = orogen(&[&["render", "-o", "a.png"][..], words].concat());
        assert!(run.stderr.lines().count() == 1 && run.code != Some(0), "{words:?}: {}", run.stderr);
    }
}

/// Law: every format holds the picture; standard output has the bytes of a PNG file, and of a path the pixels of its pictures.
#[test]
fn pictures_have_formats_and_go_to_standard_output() {
    let files = Files::new();
    let words = ["render", "--software", "--size", "96x60", "--at", "27,82,13000000", "-o"];
    let picture = |name: &str| {
        let out = files.at(name);
        orogen(&[&words[..], &[out.to_str().unwrap()]].concat()).expect_code(0);
        (image::open(&out).unwrap().to_rgb8(), std::fs::read(&out).unwrap())
    };
    let (png, bytes) = picture("a.png");
    assert_eq!(picture("a.webp").0, png, "without loss");
    let (jpeg, _) = picture("a.jpg");
    let off = jpeg.as_raw().iter().zip(png.as_raw()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>();
    assert!(off / (png.as_raw().len() as f64) < 3.0 && jpeg != png, "{off}");
    let standard = program_command(program!()).args(words).arg("-").output().unwrap();
    assert!(standard.status.success() && standard.stdout == bytes);
    let path = files.at("path.json");
    let key = |t_s: f64| {
        format!(
            "{{ \"t_s\": {t_s}, \"lat_deg\": 27, \"lon_deg\": 82, \"height_m\": 13e6, \"heading_deg\": 0, \"pitch_deg\": -90 }}"
        )
    };
    let text = format!(
        "{{ \"format\": \"orogen-path\", \"version\": 1, \"title\": \"still\", \"keys\": [{}, {}] }}",
        key(0.0),
        key(1.0)
    );
    std::fs::write(&path, text).unwrap();
    let film = ["render", "--software", "--size", "96x60", "--fps", "2", "-o", "-", "--path"];
    let frames = program_command(program!()).args(film).arg(&path).output().unwrap();
    assert!(frames.status.success(), "{}", String::from_utf8_lossy(&frames.stderr));
    assert_eq!(frames.stdout.len(), 3 * 96 * 60 * 3, "three pictures");
    assert!(frames.stdout.starts_with(png.as_raw()));
    orogen(&[&words[..], &["-", "--world-file"]].concat()).expect_refusal(2, &["--world-file"]);
    orogen(&[&words[..], &["a.bmp"]].concat()).expect_refusal(2, &[".webp"]);
    let exr = files.at("a.exr");
    orogen(&[&words[..], &[exr.to_str().unwrap()]].concat()).expect_code(0);
    assert!(std::fs::read(&exr).unwrap().starts_with(&[0x76, 0x2f, 0x31, 0x01]), "no OpenEXR");
    orogen(&[&words[..], &["b.exr", "--map"]].concat()).expect_refusal(2, &["--map"]);
    orogen(&["--frames", "3", "--screenshot", "b.exr"]).expect_refusal(2, &["OpenEXR"]);
}

/// Law: relief is made up in a picture where it is asked for, which then says so, and where data are fine it changes nothing.
#[test]
fn made_up_relief_is_asked_for_and_told() {
    let files = Files::new();
    let picture = |name: &str, words: &[&str]| {
        let out = files.at(name);
        let same = ["render", "--software", "--size", "96x60", "-o", out.to_str().unwrap()];
        orogen(&[&same[..], words].concat()).expect_code(0);
        let bytes = std::fs::read(&out).unwrap();
        let told = bytes.windows(9).any(|bytes| bytes == b"SYNTHETIC");
        (image::open(&out).unwrap().to_rgb8(), told)
    };
    let alps = ["--at", "46.55,7.98,6000", "--look", "140,-20"];
    let usual = picture("a.png", &alps);
    assert!(usual == picture("b.png", &[&alps[..], &["--detail=off"]].concat()) && !usual.1);
    let (relief, told) = picture("c.png", &[&alps[..], &["--detail=relief"]].concat());
    assert!(told && relief != usual.0);
    let dem = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif");
    // The mesh around it differs, and so may the last bit of a colour.
    let near = ["--fit", "-84.3,36.3,-84.2,36.4", "--look", "0,-90", dem];
    let (data, with_relief) = (picture("d.png", &near), picture("e.png", &[&near[..], &["--detail=relief"]].concat()));
    let pairs = data.0.as_raw().iter().zip(with_relief.0.as_raw());
    assert!(pairs.map(|(a, b)| a.abs_diff(*b)).max() <= Some(2), "data of 92 m");
    let wrong = orogen(&["render", "--detail=more"]);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("off"), "{}", wrong.stderr);
}

/// Law: names of files that were written are told without what a terminal obeys.
#[cfg(unix)]
#[test]
fn names_of_written_files_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (picture, pack, pages) = (at("o\u{1b}[31m.png"), at("o\u{1b}[31m.pack"), at("o\u{1b}[31m"));
    let mut told = vec![render("46,8,20000", "32x32", &picture, &[]).stderr];
    for _there_already in [false, true] {
        told.push(orogen(&["bake", "--max-level", "1", "-o", pack.to_str().unwrap()]).stderr);
    }
    told.push(orogen(&["man", "-o", pages.to_str().unwrap()]).stderr);
    for told in told {
        assert!(told.contains("o\\u{1b}[31m") && !told.contains('\u{1b}'), "{told:?}");
    }
}
