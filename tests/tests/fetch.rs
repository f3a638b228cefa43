//! Do tiles of a server become the file that they show, whatever the server does meanwhile? A server on loopback makes them, and faults.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Cursor, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gdal::Dataset;
use image::{ImageFormat, Rgb, RgbImage};
use sources::{Area, Fetch, Kind, Source, SourceError};
use tests::program;
use tests::program::{finish, program_command};
use tests::schema::violations;

/// How a server answers the `n`-th request for a tile: status, further headers, body.
type Responder = dyn Fn([u32; 3], usize) -> (u16, String, Vec<u8>) + Send + Sync;

/// A server of tiles that counts what it is asked.
struct Server {
    port: u16,
    asked: Arc<Mutex<HashMap<[u32; 3], usize>>>,
}

impl Server {
    fn new(answers: Arc<Responder>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { port: listener.local_addr().unwrap().port(), asked: Arc::default() };
        let asked = server.asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, asked) = (answers.clone(), asked.clone());
                // Whoever hangs up early has been counted all the same.
                std::thread::spawn(move || serve(&stream, &*answers, &asked).ok());
            }
        });
        server
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{{z}}/{{x}}/{{y}}.png?key=secret", self.port)
    }

    fn source(&self, kind: Kind) -> Source {
        Source::of_url(&self.url(), kind).unwrap()
    }

    /// Requests since the last call.
    fn count(&self) -> usize {
        self.asked.lock().unwrap().drain().map(|(_, count)| count).sum()
    }
}

fn serve(stream: &TcpStream, answers: &Responder, asked: &Mutex<HashMap<[u32; 3], usize>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let path = request.split(['/', '.']).filter_map(|part| part.parse().ok()).take(3).collect::<Vec<u32>>();
    let Ok(tile) = <[u32; 3]>::try_from(path) else { return Ok(()) };
    let before = {
        let mut asked = asked.lock().unwrap();
        let count = asked.entry(tile).or_default();
        *count += 1;
        *count - 1
    };
    let (status, headers, body) = answers(tile, before);
    let mut stream = stream;
    let length =
        if headers.contains("Content-Length") { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    stream.write_all(format!("HTTP/1.1 {status} X\r\nConnection: close\r\n{length}{headers}\r\n").as_bytes())?;
    stream.write_all(&body)
}

/// Steps of 1/256 m above the lowest height: what a tile has at a pixel.
fn steps([z, x, y]: [u32; 3], column: u32, row: u32) -> u32 {
    let (column, row) = (256 * x + column, 256 * y + row);
    (32_768 + 1_000 + 3 * (column % 512) + row % 300) * 256 + 17 * z + column.wrapping_mul(row) % 200
}

fn tile(tile: [u32; 3]) -> Vec<u8> {
    let picture = RgbImage::from_fn(256, 256, |column, row| {
        let [_, r, g, b] = steps(tile, column, row).to_be_bytes();
        Rgb([r, g, b])
    });
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    bytes
}

fn good(of: [u32; 3]) -> (u16, String, Vec<u8>) {
    (200, String::new(), tile(of))
}

/// 4 x 2 tiles of level 9 around 46 N, 8 E.
fn area() -> Area {
    let area = Area::new([7.1, 45.7, 9.7, 46.4], 9).unwrap();
    assert_eq!(area.size(), [4, 2]);
    area
}

fn fetch(server: &Server, out: &Path) -> Result<sources::Outcome, SourceError> {
    fetch_of(server, area(), out)
}

fn fetch_of(server: &Server, area: Area, out: &Path) -> Result<sources::Outcome, SourceError> {
    Fetch::new(&server.source(Kind::Terrarium), area)?.with_pause(Duration::from_millis(1)).run(out, false, &mut |_| {})
}

/// Checks a raster against the tiles but for some that are missing.
#[track_caller]
fn assert_shows_tiles(file: &Path, area: &Area, missing: &[[u32; 3]]) {
    let raster = Dataset::open(file).unwrap();
    let first = area.iter().next().unwrap();
    let (columns, rows) = raster.raster_size();
    assert_eq!([columns, rows], [1024, 512]);
    let [west, texel_m, _, north, _, _] = raster.geo_transform().unwrap();
    let tile_m = 2.0 * std::f64::consts::PI * 6_378_137.0 / 512.0;
    assert!((west - (f64::from(first.x) - 256.0) * tile_m).abs() < 1e-6);
    assert!((north - (256.0 - f64::from(first.y)) * tile_m).abs() < 1e-6 && (texel_m - tile_m / 256.0).abs() < 1e-9);
    let band = raster.rasterband(1).unwrap();
    let heights = band.read_as::<f32>((0, 0), (columns, rows), (columns, rows), None).unwrap();
    for (k, height_m) in heights.data().iter().enumerate() {
        let (column, row) = ((k % columns) as u32, (k / columns) as u32);
        let of = [9, (first.x + column / 256) % 512, first.y + row / 256];
        let expected = f64::from(steps(of, column % 256, row % 256)) / 256.0 - 32_768.0;
        if missing.contains(&of) {
            assert!(height_m.is_nan(), "{height_m} m in {of:?}");
        } else {
            assert_eq!(f64::from(*height_m), expected, "{of:?}");
        }
    }
}

/// Law: the raster has the height of every pixel, where the tile is, whatever failed on the way; a tile that the server does not have is no
/// height. What is kept meanwhile is gone in the end.
#[test]
fn tiles_become_the_raster_that_they_show() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("good.tif");
    let server = Server::new(Arc::new(|of, _| good(of)));
    let outcome = fetch(&server, &out).unwrap();
    assert_eq!((outcome.size, outcome.progress.done, outcome.progress.missing, server.count()), ([1024, 512], 8, 0, 8));
    assert_shows_tiles(&out, &area(), &[]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(matches!(fetch(&server, &out), Err(SourceError::Exists { .. })));
    assert_eq!(server.count(), 0, "a file that is there asks for nothing");

    // Across 180 degrees the raster goes on.
    let (out, fiji) = (folder.path().join("fiji.tif"), Area::new([178.7, -17.9, -178.7, -17.0], 9).unwrap());
    assert_eq!(fiji.size(), [4, 2]);
    fetch_of(&server, fiji.clone(), &out).unwrap();
    assert_shows_tiles(&out, &fiji, &[]);

    // One fault after the other, then what is right.
    let first = area().iter().next().unwrap();
    let lost = [9, first.x + 1, first.y];
    let bad = Server::new(Arc::new(move |of: [u32; 3], before| {
        let fault = (before + of[1] as usize + of[2] as usize) % 6;
        match (before, fault) {
            _ if of == lost => (404, String::new(), b"no".to_vec()),
            (2.., _) => good(of),
            (_, 0) => (503, "Retry-After: 0\r\n".into(), Vec::new()),
            (_, 1) => (200, String::new(), b"<html>sorry</html>".to_vec()),
            (_, 2) => (200, "Content-Length: 100000\r\n".into(), tile(of)),
            (_, 3) => (200, String::new(), tile(of)[..300].to_vec()),
            (_, 4) => (429, String::new(), Vec::new()),
            _ => (500, "Retry-After: soon\r\n".into(), vec![0; 1000]),
        }
    }));
    let out = folder.path().join("bad.tif");
    let outcome = fetch(&bad, &out).unwrap();
    assert_eq!((outcome.progress.missing, bad.count()), (1, 1 + 7 * 3));
    assert_shows_tiles(&out, &area(), &[lost]);
}

/// Law: what a server refuses is an error that names it, at once; what came before is kept, and asked for no more.
#[test]
fn a_stopped_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.tif");
    let last = area().iter().last().unwrap();
    let broken = Arc::new(Mutex::new(true));
    let is_broken = broken.clone();
    let server = Server::new(Arc::new(move |of: [u32; 3], _| match of == [last.z, last.x, last.y] {
        true if *is_broken.lock().unwrap() => (500, String::new(), Vec::new()),
        _ => good(of),
    }));
    let error = fetch(&server, &out).unwrap_err().to_string();
    assert!(error.contains("status 500") && error.contains(&last.to_string()) && !error.contains("secret"), "{error}");
    assert!(!out.exists() && server.count() == 7 + 5);
    *broken.lock().unwrap() = false;
    let outcome = fetch(&server, &out).unwrap();
    assert_eq!((outcome.progress.found, server.count()), (7, 1));
    assert_shows_tiles(&out, &area(), &[]);

    let closed = Server::new(Arc::new(|_, _| (403, String::new(), Vec::new())));
    let other = folder.path().join("b.tif");
    let error = fetch(&closed, &other).unwrap_err().to_string();
    assert!(error.contains("403") && error.contains("key") && closed.count() <= 4, "{error}");
    let empty = Server::new(Arc::new(|_, _| (404, String::new(), Vec::new())));
    assert!(matches!(fetch(&empty, &folder.path().join("c.tif")), Err(SourceError::Empty { tiles: 8, .. })));
    let colours = Server::new(Arc::new(|_, _| {
        (200, String::new(), {
            let mut bytes = Vec::new();
            RgbImage::from_pixel(256, 256, Rgb([255; 3]))
                .write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)
                .unwrap();
            bytes
        })
    }));
    let error = fetch(&colours, &folder.path().join("d.tif")).unwrap_err().to_string();
    assert!(error.contains("encoding"), "{error}");
}

/// Law: the program asks as many tiles as it says, none unasked; answers and pictures of the file are those of its data.
#[test]
fn the_program_fetches_what_it_then_shows() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::new(Arc::new(|of, _| good(of)));
    let url = server.url();
    let orogen = |words: &[&str]| {
        let mut run = program_command(program!());
        run.args(words).current_dir(folder.path()).env("no_proxy", "127.0.0.1").env("NO_PROXY", "127.0.0.1");
        finish(&mut run)
    };
    let place = ["--at", "46,8", "--radius", "20000", "--level", "9"];
    let listed = orogen(&["sources"]).expect_code(0);
    assert!(listed.stdout.contains("terrain-tiles") && listed.stdout.contains("Mapzen"), "{}", listed.stdout);
    let [heights, colours] = ["terrarium", "picture"].map(|kind| format!("{kind}:{url}"));
    let estimate = orogen(&[&["fetch", &colours, "--estimate"], &place[..]].concat());
    assert!(estimate.stdout.contains("tiles of level 9"), "{}", estimate.stdout);
    for (words, said) in [
        (&["fetch", &heights, "-o", "a.tif"][..], "--bbox"),
        (&["fetch", "nowhere", "--at", "46,8", "-o", "a.tif"], "terrain-tiles"),
        (&["fetch", &heights, "--at", "46,8", "-o", "a.pack"], "orogen bake"),
        (&["fetch", &url, "--at", "46,8", "-o", "a.tif"], "terrarium:"),
        (&["fetch", &colours, "--bbox", "-10,40,10,50", "--level", "12", "-o", "a.tif"], "--most-tiles"),
        (&["fetch", "terrain-tiles", "--at", "46,8", "--level", "16", "-o", "a.tif"], "0 to 15"),
        (&["fetch", "picture:https://a.org/1.png", "--at", "46,8", "-o", "a.tif"], "{z}"),
    ] {
        let refused = orogen(words);
        assert!(refused.code != Some(0) && refused.stderr.contains(said), "{words:?}: {}", refused.stderr);
        assert_eq!(refused.stderr.trim().lines().count(), 1, "{}", refused.stderr);
    }
    assert_eq!(server.count(), 0, "nothing was to be fetched");
    let made = orogen(&[&["fetch", &heights, "-o", "a.tif", "--json"], &place[..]].concat()).expect_code(0);
    assert!(made.stderr.contains("wrote a.tif") && !made.stderr.contains("secret"), "{}", made.stderr);
    assert!(!made.stdout.contains("secret"), "{}", made.stdout);
    let schema = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/schemas/fetch.schema.json")).unwrap();
    let answer: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
    assert_eq!(violations(&serde_json::from_slice(&schema).unwrap(), &answer), Vec::<String>::new());
    let of_file = fs::metadata(folder.path().join("a.tif")).unwrap().len();
    assert_eq!((&answer["file"], &answer["bytes"]), (&"a.tif".into(), &of_file.into()));
    assert_eq!(
        answer["width"].as_u64().map(|width| width as usize),
        Some(Dataset::open(folder.path().join("a.tif")).unwrap().raster_size().0)
    );
    assert!(server.count() >= 1);
    let answer = orogen(&["query", "height", "--at", "46,8", "a.tif"]).expect_code(0);
    assert!(answer.stdout.contains("a.tif"), "{}", answer.stdout);
    // What a source wants to be said is known to whoever shows its data, of a pack too.
    let mut mine = server.source(Kind::Terrarium);
    (mine.name, mine.attribution) = ("mine".into(), "Heights by Ada".into());
    fs::write(folder.path().join("mine.json"), serde_json::to_string(&[mine]).unwrap()).unwrap();
    orogen(&[&["fetch", "mine", "--catalogue", "mine.json", "-o", "ada.tif"], &place[..]].concat()).expect_code(0);
    orogen(&["bake", "ada.tif", "-o", "ada.pack", "--max-level", "1"]).expect_code(0);
    for file in ["ada.tif", "ada.pack"] {
        let told = orogen(&["info", file]).stdout;
        assert!(told.contains("Heights by Ada"), "{told}");
        orogen(&[
            "render",
            "--software",
            "--no-cache",
            "--size",
            "64x40",
            "--overwrite",
            "-o",
            "ada.png",
            "--at",
            "46,8",
            file,
        ])
        .expect_code(0);
        let picture = fs::read(folder.path().join("ada.png")).unwrap();
        assert!(picture.windows(14).any(|bytes| bytes == b"Heights by Ada"), "{file}");
    }
    server.count();
    // As a picture the same tiles are a layer of imagery.
    orogen(&[&["fetch", &colours, "-o", "b.tif"], &place[..]].concat()).expect_code(0);
    let drawn = orogen(&[
        "render",
        "--software",
        "--no-cache",
        "--size",
        "64x40",
        "-o",
        "c.png",
        "a.tif",
        "--imagery",
        "b.tif",
    ]);
    drawn.expect_code(0);
    assert_eq!(server.count() % 2, 0);
}

/// Law: the ground around the place of a view is asked for once, tile by tile; it is finer than what ships, and drawn as from files. Then
/// nothing more is asked for, without a network neither; what a server does not have or refuses leaves coarser ground, and a line.
#[test]
fn a_view_gets_the_ground_around_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let server =
        Server::new(Arc::new(|of: [u32; 3], _| if of[0] > 11 { (404, String::new(), Vec::new()) } else { good(of) }));
    let heights = format!("terrarium:{}", server.url());
    let orogen = |words: &[&str]| {
        let mut run = program_command(program!());
        run.args(words).current_dir(folder.path()).env("no_proxy", "127.0.0.1").env("NO_PROXY", "127.0.0.1");
        finish(&mut run)
    };
    let drawn = |out: &str, words: &[&str]| {
        let usual = ["render", "--software", "--size", "48x32", "--cache-dir", "kept", "--overwrite", "-o", out];
        orogen(&[&usual, words].concat())
    };
    let view = ["--at", "46,8", "--elevation", &heights];
    for (words, said) in [
        (&["--elevation", &heights][..], "--at"),
        (&["--at", "46,8", "--elevation", "blue-marble"], "--imagery"),
        (&["--at", "46,8", "--imagery", "terrain-tiles"], "--elevation"),
        (&["--at", "46,8", "--elevation", "nowhere"], "terrain-tiles"),
        (&["--at", "88,8", "--elevation", &heights], "85.05"),
        (&[&view[..], &["--no-cache"]].concat(), "--no-cache"),
        (&[&view[..], &["--offline"]].concat(), "--offline"),
    ] {
        let refused = drawn("no.png", words);
        assert!(refused.code != Some(0) && refused.stderr.contains(said), "{words:?}: {}", refused.stderr);
        assert_eq!(refused.stderr.trim().lines().count(), 1, "{}", refused.stderr);
    }
    assert_eq!(server.count(), 0, "nothing was to be fetched");

    let first = drawn("a.png", &view).expect_code(0);
    let asked = server.count();
    assert!((50..=4 * 81).contains(&asked) && first.stderr.contains(" tiles, "), "{asked}: {}", first.stderr);
    assert!(!first.stderr.contains("secret"), "{}", first.stderr);
    let again = drawn("b.png", &[&view[..], &["--offline"]].concat()).expect_code(0);
    assert_eq!(server.count(), 0, "{}", again.stderr);
    let [a, b] = ["a.png", "b.png"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert!(a == b, "other ground the second time");
    // The same from the folder by hand, and without a place.
    let downloads = folder.path().join("kept/downloads");
    let is_whole = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.starts_with("127-0-0-1-"));
    let own = fs::read_dir(downloads).unwrap().map(Result::unwrap).find(is_whole).unwrap().path();
    let level = |file: &PathBuf| file.file_name()?.to_str()?.rsplit('-').nth(3)?.parse::<u32>().ok();
    let mut files: Vec<PathBuf> = fs::read_dir(&own).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_by_key(|file| std::cmp::Reverse(level(file)));
    assert!(files.len() >= 3 && level(&files[0]) == Some(11), "{files:?}");
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    drawn("c.png", &[&["--at", "46,8"], &files[..]].concat()).expect_code(0);
    drawn("whole.png", &["--elevation", &heights, "--offline"]).expect_code(0);
    let [a, c] = ["a.png", "c.png"].map(|name| image::open(folder.path().join(name)).unwrap().to_rgb8());
    assert!(a == c, "other ground from the files");
    // By a name of the user's own.
    let mut mine = server.source(Kind::Terrarium);
    mine.name = "mine".into();
    fs::write(folder.path().join("mine.json"), serde_json::to_string(&[mine]).unwrap()).unwrap();
    drawn("m.png", &["--at", "46,8", "--elevation", "mine", "--catalogue", "mine.json"]).expect_code(0);
    let m = image::open(folder.path().join("m.png")).unwrap().to_rgb8();
    assert!(a == m, "other ground by a name");
    server.count();

    // Colours the same way, of another server: of heights only the finest, which theirs does not have, may be asked for again.
    let pictures = Server::new(Arc::new(|of, _| good(of)));
    let colours = format!("picture:{}", pictures.url());
    drawn("d.png", &[&view[..], &["--imagery", &colours]].concat()).expect_code(0);
    let asked = [&server, &pictures].map(Server::count);
    assert!(asked[0] <= 81 && asked[1] >= 50, "{asked:?}");
    let d = image::open(folder.path().join("d.png")).unwrap().to_rgb8();
    assert!(a != d, "no picture on the ground");
    // And a server that refuses.
    let most = Mutex::new(0);
    let shut = Server::new(Arc::new(move |of, _| {
        let mut count = most.lock().unwrap();
        *count += 1;
        if *count > 100 { (403, String::new(), Vec::new()) } else { good(of) }
    }));
    let told = drawn("e.png", &["--at", "46,8", "--elevation", &format!("terrarium:{}", shut.url())]).expect_code(0);
    assert!(told.stderr.contains("403") && told.stderr.contains("coarser"), "{}", told.stderr);
}
