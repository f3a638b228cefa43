//! Is a pack on a server the pack that it is on a disk, whatever the server does meanwhile? A server on loopback gives parts of it, and faults.

#[path = "../../elevation/tests/random/mod.rs"]
mod random;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use rand::Rng as _;
use sources::{Network, RemoteOptions, remote_packs};
use tempfile::TempDir;
use terrain::bake::{Bake, BakeOptions, verify_pack};
use terrain::geodesy::n_vector;
use terrain::height::{CoarseErrors, OpenOptions, Relief};
use terrain::pack::in_one_try;
use terrain::tile::{Tile, TileId};
use tests::program;
use tests::program::{finish, program_command};

/// The pack of the tests: hills of Tennessee over the globe.
static PACK: LazyLock<(TempDir, PathBuf, Arc<Vec<u8>>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let pack = folder.path().join("hills.pack");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
    let bake = Bake::new(&[file], &OpenOptions::default(), &BakeOptions::default()).expect("a source");
    bake.run(&pack, false, &mut |_| {}).expect("baked");
    let bytes = Arc::new(std::fs::read(&pack).expect("a pack"));
    (folder, pack, bytes)
});

/// A place on the hills, and one elsewhere.
const HILLS: (f64, f64) = (36.3, -84.3);
const ELSEWHERE: (f64, f64) = (-20.0, 30.0);

fn normal((lat, lon): (f64, f64)) -> glam::DVec3 {
    n_vector(f64::to_radians(lat), f64::to_radians(lon))
}

/// How the server answers a request.
#[derive(Clone, Debug)]
enum ServerBehaviour {
    /// The part, as it should be.
    Part,
    /// The same, which nobody shall keep.
    NoStore,
    /// A status with further headers.
    Status(u16, &'static str),
    /// All of the file, as servers answer that know no parts.
    Whole,
    /// Half of the part that it promises.
    Truncated,
    /// Another part, truthfully told.
    OtherPart,
    /// Bytes that got lost on the way.
    Corrupted,
    /// The part of a pack that was put there meanwhile.
    Replaced,
    /// Nothing, until the server is told what else to do.
    NoAnswer,
}

type BehaviourOfRequest = dyn Fn(usize) -> ServerBehaviour + Send + Sync;

/// A server of one pack that keeps connections and counts what it is asked.
struct Server {
    port: u16,
    /// First byte and byte after the last of each request.
    asked: Arc<Mutex<Vec<(u64, u64)>>>,
    behaviour: Arc<Mutex<Arc<BehaviourOfRequest>>>,
}

impl Server {
    fn new(behaviour: impl Fn(usize) -> ServerBehaviour + Send + Sync + 'static) -> Self {
        // Made before anyone asks for it.
        LazyLock::force(&PACK);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let server = Self {
            port: listener.local_addr().expect("an address").port(),
            asked: Arc::default(),
            behaviour: Arc::new(Mutex::new(Arc::new(behaviour))),
        };
        let (asked, behaviour) = (server.asked.clone(), server.behaviour.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (asked, behaviour) = (asked.clone(), behaviour.clone());
                // Whoever hangs up early has been counted all the same.
                std::thread::spawn(move || while serve(&stream, &asked, &behaviour).is_ok() {});
            }
        });
        server
    }

    /// From now on, by the number of the request from here.
    fn set_behaviour(&self, behaviour: impl Fn(usize) -> ServerBehaviour + Send + Sync + 'static) {
        let first = self.asked.lock().unwrap().len();
        *self.behaviour.lock().unwrap() = Arc::new(move |request| behaviour(request - first));
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/data/hills.pack?key=secret", self.port)
    }

    /// What was asked since the last call.
    fn asked(&self) -> Vec<(u64, u64)> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    stream: &TcpStream,
    asked: &Mutex<Vec<(u64, u64)>>,
    behaviour: &Mutex<Arc<BehaviourOfRequest>>,
) -> std::io::Result<()> {
    let pack = &*PACK.2;
    let mut range = (0, pack.len() as u64);
    let mut lines = BufReader::with_capacity(1, stream).lines();
    let closed = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
    let request = lines.next().ok_or_else(closed)??;
    assert!(request.starts_with("GET /data/hills.pack?key=secret "), "{request}");
    let mut is_of_orogen = false;
    loop {
        let line = lines.next().ok_or_else(closed)??.to_ascii_lowercase();
        is_of_orogen |= line.starts_with("user-agent: orogen/");
        if let Some((first, last)) = line.strip_prefix("range: bytes=").and_then(|range| range.split_once('-')) {
            range = (first.parse().unwrap(), last.parse::<u64>().unwrap() + 1);
        }
        if line.is_empty() {
            break;
        }
    }
    assert!(is_of_orogen);
    let number = {
        let mut asked = asked.lock().unwrap();
        asked.push(range);
        asked.len() - 1
    };
    let told = behaviour.lock().unwrap().clone();
    let deed = told(number);
    let length = pack.len() as u64;
    let (first, end) = (range.0, range.1.min(length));
    let more = if matches!(deed, ServerBehaviour::NoStore) { "Cache-Control: private, no-store\r\n" } else { "" };
    let part = |(first, end): (u64, u64), bytes: &[u8], promised: usize, tag: &str| -> std::io::Result<()> {
        let mut stream = stream;
        let last = end - 1;
        write!(
            stream,
            "HTTP/1.1 206 Partial Content\r\nContent-Length: {promised}\r\nContent-Range: bytes {first}-{last}/{length}\r\n\
             ETag: \"{tag}\"\r\n{more}\r\n"
        )?;
        stream.write_all(bytes)?;
        if bytes.len() == promised { Ok(()) } else { Err(closed()) }
    };
    let bytes = &pack[first as usize..end as usize];
    let mut to = stream;
    match deed {
        ServerBehaviour::Part | ServerBehaviour::NoStore => part((first, end), bytes, bytes.len(), "first"),
        ServerBehaviour::Replaced => part((first, end), bytes, bytes.len(), "second"),
        ServerBehaviour::Truncated => {
            part((first, end), &bytes[..bytes.len() / 2], bytes.len(), "first").ok();
            stream.shutdown(std::net::Shutdown::Both)?;
            Err(closed())
        }
        ServerBehaviour::OtherPart => {
            let beside = if first > 0 { (first - 1, end - 1) } else { (1, end) };
            let bytes = &pack[beside.0 as usize..beside.1 as usize];
            part(beside, bytes, bytes.len(), "first")
        }
        ServerBehaviour::Corrupted => {
            let mut bytes = bytes.to_vec();
            bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
            part((first, end), &bytes, bytes.len(), "first")
        }
        ServerBehaviour::Whole => {
            write!(to, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n")?;
            // Nobody may read on.
            for piece in pack.chunks(1 << 16) {
                to.write_all(piece)?;
            }
            Ok(())
        }
        ServerBehaviour::Status(status, headers) => {
            write!(to, "HTTP/1.1 {status} X\r\nContent-Length: 0\r\n{headers}\r\n")
        }
        ServerBehaviour::NoAnswer => {
            while Arc::ptr_eq(&told, &behaviour.lock().unwrap()) {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(closed())
        }
    }
}

/// By servers that are asked again soon, and given up after a time.
fn options(timeout: Duration) -> OpenOptions {
    let remote = RemoteOptions::new(Network::from_env()).with_pause(Duration::from_millis(5)).with_timeout(timeout);
    OpenOptions::default().with_remote(Some(remote_packs(remote)))
}

/// For servers that answer.
const LONG: Duration = Duration::from_secs(3600);
/// For those that do not.
const SHORT: Duration = Duration::from_millis(250);

fn opened_within(server: &Server, timeout: Duration) -> Result<Relief, String> {
    Relief::open(&[server.url().into()], &options(timeout)).map_err(|error| error.to_string())
}

fn opened(server: &Server) -> Relief {
    opened_within(server, LONG).expect("opens")
}

fn of_file() -> Relief {
    Relief::open(std::slice::from_ref(&PACK.1), &OpenOptions::default()).expect("the pack")
}

fn height_m(relief: &Relief, place: (f64, f64)) -> f64 {
    relief.sample(normal(place)).height_m
}

/// Law: heights are bit for bit those of the file, at any place, and so are tiles.
#[test]
fn heights_are_those_of_the_file() {
    let server = Server::new(|_| ServerBehaviour::Part);
    let (remote, file) = (opened(&server), of_file());
    assert_eq!(remote.range_m(), file.range_m());
    let mut rng = random::rng();
    for k in 0..400 {
        let around = if k % 2 == 0 { 0.3 } else { 60.0 };
        let place = (HILLS.0 + rng.random_range(-around..around) * 0.8, HILLS.1 + rng.random_range(-around..around));
        assert_eq!(height_m(&remote, place).to_bits(), height_m(&file, place).to_bits(), "{place:?}");
        let [of_remote, of_file] = [&remote, &file].map(|relief| relief.source_at(0, normal(place)));
        assert_eq!((of_remote.name, of_remote.datum), (of_file.name, of_file.datum));
    }
    let errors = CoarseErrors::build(&file, 4);
    for id in [TileId::root(2), TileId { face: 3, level: 3, i: 2, j: 5 }] {
        assert!(Tile::build(&remote, &errors, id).texels() == Tile::build(&file, &errors, id).texels());
    }
    // What stands behind the question mark is nobody's business.
    assert!(remote.layers()[0].name.ends_with("/data/hills.pack"), "{}", remote.layers()[0].name);
    assert!(remote.failure().is_none());
}

/// Law: a pack is opened by two requests, a height comes by few more, and what lies near in the file comes in one; nothing is asked twice.
#[test]
fn requests_are_few() {
    let server = Server::new(|_| ServerBehaviour::Part);
    let remote = opened(&server);
    assert_eq!(server.asked().len(), 2, "{:?}", server.asked());
    height_m(&remote, HILLS);
    let of_height = server.asked().len() - 2;
    // Ten tiles, from the coarsest to the finest.
    assert!((1..=10).contains(&of_height), "{of_height}");
    height_m(&remote, HILLS);
    assert_eq!(server.asked().len() - 2, of_height, "it is in memory");
    // The tiles of a face, which lie beside each other, as do their errors.
    let remote = opened(&server);
    let before = server.asked().len();
    let face: Vec<TileId> = (0..64).map(|k| TileId { face: 1, level: 3, i: k % 8, j: k / 8 }).collect();
    remote.prefetch(&face, true);
    let errors = CoarseErrors::build(&of_file(), 4);
    face.iter().for_each(|id| drop(Tile::build(&remote, &errors, *id)));
    let of_face = server.asked().len() - before;
    println!("{of_face} requests of {} tiles", face.len());
    assert!(of_face <= 12, "{:?}", &server.asked()[before..]);
    let mut asked = server.asked()[before..].to_vec();
    asked.sort_unstable();
    assert!(asked.windows(2).all(|two| two[0].1 <= two[1].0), "something was asked for twice");
}

/// Law: what a server says when it does not give a pack is told in one line, with what to do; what passes is waited for.
#[test]
fn servers_that_give_no_pack() {
    for (deed, line) in [
        (ServerBehaviour::Status(404, ""), "status 404: the server has no such file"),
        (ServerBehaviour::Status(403, ""), "status 403: the server refuses"),
        (ServerBehaviour::Status(500, ""), "status 500, 5 times: try again later"),
        (ServerBehaviour::Status(416, ""), "shorter"),
        (ServerBehaviour::Whole, "does not serve parts of files (HTTP ranges): download the pack"),
        (ServerBehaviour::Truncated, "5 times: try again later"),
        (ServerBehaviour::OtherPart, "another part than was asked for"),
        (ServerBehaviour::Corrupted, "not a pack of tiles"),
        (ServerBehaviour::NoAnswer, "timeout"),
    ] {
        let shown = format!("{deed:?}");
        let behaviour = deed.clone();
        let server = Server::new(move |_| behaviour.clone());
        let error = opened_within(&server, SHORT).expect_err(&shown);
        assert!(
            error.contains(line) && error.contains("/data/hills.pack") && !error.contains("secret"),
            "{shown}: {error}"
        );
        assert!(error.lines().count() == 1 && server.asked().len() <= 5, "{shown}: {:?}", server.asked());
    }
    for deed in [
        ServerBehaviour::Status(429, "Retry-After: 0\r\n"),
        ServerBehaviour::Status(500, ""),
        ServerBehaviour::Truncated,
        ServerBehaviour::OtherPart,
        ServerBehaviour::NoAnswer,
    ] {
        let shown = format!("{deed:?}");
        let server = Server::new(move |request| if request % 2 == 0 { deed.clone() } else { ServerBehaviour::Part });
        let remote = opened_within(&server, SHORT).unwrap_or_else(|error| panic!("{shown}: {error}"));
        assert_eq!(height_m(&remote, HILLS).to_bits(), height_m(&of_file(), HILLS).to_bits(), "{shown}");
        assert!(remote.failure().is_none(), "{shown}");
    }
    // Nobody listens.
    let gone = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let error = Relief::open(&[format!("http://127.0.0.1:{gone}/x.pack").into()], &options(SHORT)).expect_err("nobody");
    assert!(error.to_string().contains("5 times: try again later"), "{error}");
}

/// Law: bytes that were garbled are asked for once more, never taken; and of a pack that was replaced nothing more is taken.
#[test]
fn nothing_wrong_is_taken() {
    let server = Server::new(|_| ServerBehaviour::Part);
    let remote = opened(&server);
    server.set_behaviour(|request| if request == 0 { ServerBehaviour::Corrupted } else { ServerBehaviour::Part });
    assert_eq!(height_m(&remote, ELSEWHERE).to_bits(), height_m(&of_file(), ELSEWHERE).to_bits());
    assert!(remote.failure().is_none());
    server.set_behaviour(|_| ServerBehaviour::Replaced);
    height_m(&remote, HILLS);
    let failure = remote.failure().expect("told").to_string();
    assert!(failure.contains("it was replaced on the server while it was read: open it again"), "{failure}");
}

/// Law: what was read is on disk for the next time, unless the server forbids it; what is damaged there is asked for again; and no byte of it
/// is of another pack.
#[test]
fn parts_are_kept_on_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::new(|_| ServerBehaviour::Part);
    let read = || {
        let remote = RemoteOptions::new(Network::from_env()).with_timeout(LONG);
        let remote = remote.with_cache(folder.path().join("kept"), 64 << 20);
        let open = OpenOptions::default().with_remote(Some(remote_packs(remote)));
        let relief = Relief::open(&[server.url().into()], &open).expect("opens");
        let before = server.asked().len();
        let tile = Tile::build(&relief, &CoarseErrors::build(&of_file(), 4), TileId { face: 3, level: 3, i: 2, j: 5 });
        assert!(relief.failure().is_none());
        (
            [height_m(&relief, HILLS).to_bits(), height_m(&relief, ELSEWHERE).to_bits()],
            tile,
            server.asked().len() - before,
        )
    };
    let (heights, tile, asked) = read();
    assert!(asked > 4, "{asked}");
    let (again, tile_again, asked) = read();
    assert_eq!((heights, asked), (again, 0));
    assert!(tile.texels() == tile_again.texels());
    // A byte in the middle of each log.
    for log in std::fs::read_dir(folder.path().join("kept")).expect("logs").flatten() {
        let mut bytes = std::fs::read(log.path()).expect("a log");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(log.path(), bytes).expect("written");
    }
    let (again, tile_again, asked) = read();
    assert!(heights == again && tile.texels() == tile_again.texels() && asked > 0, "{asked}");
    // What is fleeting is not kept.
    server.set_behaviour(|_| ServerBehaviour::NoStore);
    std::fs::remove_dir_all(folder.path().join("kept")).expect("removed");
    let counts = [read().2, read().2];
    assert!(counts[0] > 4 && counts[0] == counts[1], "{counts:?}");
}

/// Law: who does not wait gets the height of a coarser tile at once; a tile is made when its data are here, and not before; and a server
/// that was silent is asked again.
#[test]
fn frames_do_not_wait() {
    let server = Server::new(|_| ServerBehaviour::Part);
    let (remote, file) = (opened(&server), of_file());
    // The coarsest tiles are here.
    for face in 0..6 {
        remote.sample(TileId::root(face).place(100, 100).point().normal());
    }
    remote.set_non_blocking();
    server.set_behaviour(|_| ServerBehaviour::NoAnswer);
    // It would be waited for for an hour.
    let coarse_m = height_m(&remote, HILLS);
    assert!(coarse_m.is_finite() && coarse_m.to_bits() != height_m(&file, HILLS).to_bits());
    let errors = CoarseErrors::build(&file, 4);
    let id = TileId { face: 3, level: 3, i: 2, j: 5 };
    server.set_behaviour(|_| ServerBehaviour::Status(503, ""));
    assert!(in_one_try(|| Tile::build(&remote, &errors, id)).is_none());
    assert!(remote.failure().is_none(), "it may come yet");
    server.set_behaviour(|_| ServerBehaviour::Part);
    let tries = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        in_one_try(|| Tile::build(&remote, &errors, id))
    });
    assert!(tries.expect("the server answers again").texels() == Tile::build(&file, &errors, id).texels());
    let came = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        height_m(&remote, HILLS).to_bits() == height_m(&file, HILLS).to_bits()
    });
    assert!(came, "what was asked for in passing came");
}

/// Law: a pack is verified over the network, by fewer requests than tiles, and a server that fails says nothing of the pack.
#[test]
fn packs_are_verified() {
    let server = Server::new(|_| ServerBehaviour::Part);
    let open = |server: &Server| options(LONG).open_pack(server.url().as_ref()).expect("opens");
    let (pack, found) = verify_pack(open(&server), &|_| {}).expect("read");
    assert_eq!((found.bad, found.tiles), (0, pack.len() as u64));
    println!("{} requests of {} tiles", server.asked().len(), pack.len());
    assert!(server.asked().len() < pack.len() / 2, "{}", server.asked().len());
    server.set_behaviour(|_| ServerBehaviour::Part);
    let pack = open(&server);
    server.set_behaviour(|request| if request < 5 { ServerBehaviour::Part } else { ServerBehaviour::Status(500, "") });
    let error = verify_pack(pack, &|_| {}).expect_err("the server fails").to_string();
    assert!(error.contains("status 500"), "{error}");
}

/// Law: the program answers and draws as from the file; offline it refuses, and where the server fails it says so and fails.
#[test]
fn the_program_reads_packs_on_servers() {
    let server = Server::new(|_| ServerBehaviour::Part);
    let url = server.url();
    let run = |arguments: &[&str]| finish(program_command(program!()).args(arguments));
    let file = PACK.1.to_str().expect("UTF-8");
    let answer = |source: &str| {
        let all = run(&["query", "height", "--json", "--at", "36.3,-84.3", source]).expect_code(0).stdout;
        let all: serde_json::Value = serde_json::from_str(&all).expect("JSON");
        (all[0]["height_m"].clone(), all[0]["source"].clone(), all[0]["posting_m"].clone())
    };
    assert_eq!(answer(&url), answer(file));
    let info = run(&["info", &url]).expect_code(0).stdout;
    assert!(info.contains("/data/hills.pack\n") && info.contains("540"), "{info}");
    let sound = run(&["verify", &url]).expect_code(0).stdout;
    assert!(sound.contains("540 tiles"), "{sound}");
    let folder = tempfile::tempdir().expect("a folder");
    let picture = |name: &str, source: &str| {
        let out = folder.path().join(name);
        let out = out.to_str().expect("UTF-8");
        let view = ["--at", "36.3,-84.3,3000", "--look", "30,-20", "--size", "160x90", "--software", "--mesh", "cpu"];
        run(&[&["render", "-o", out], &view[..], &[source]].concat()).expect_code(0);
        image::open(out).expect("a picture").into_rgba8()
    };
    assert!(picture("a.png", &url) == picture("b.png", file), "the pictures differ");
    for verb in [&["query", "height", "--at", "36.3,-84.3"][..], &["render", "-o", "x.png"], &["info"]] {
        run(&[verb, &["--offline", &url]].concat()).expect_refusal(1, &["leave out --offline"]);
    }
    let out = folder.path().join("out.pack");
    run(&["bake", &url, "-o", out.to_str().expect("UTF-8")]).expect_refusal(1, &["download it and give the file"]);
    // In the middle of a flight.
    server.set_behaviour(|request| if request < 2 { ServerBehaviour::Part } else { ServerBehaviour::Status(404, "") });
    let empty = folder.path().join("no cache");
    let query = |place: &str, envs: &[(&str, &Path)]| {
        let mut command = program_command(program!());
        finish(command.envs(envs.iter().copied()).args(["query", "height", "--at", place, &url]))
    };
    let run = query("-20,30", &[("XDG_CACHE_HOME", &empty)]).expect_code(1);
    assert!(run.stderr.contains("status 404") && !run.stderr.contains("secret"), "{run:#?}");
    // What is on disk is not asked for.
    server.set_behaviour(|request| if request < 2 { ServerBehaviour::Part } else { ServerBehaviour::Status(404, "") });
    query("36.3,-84.3", &[]).expect_code(0);
}
