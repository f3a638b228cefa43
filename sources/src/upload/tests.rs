//! Does a file become an object byte for byte or not at all, whatever the server and the network do? A server on loopback that keeps objects
//! and uploads by the rules of S3, checks every checksum, and has faults.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, MutexGuard, atomic::AtomicU64},
    time::Duration,
};

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use tempfile::TempDir;

use super::*;
use crate::{Network, S3Options, random::rng};

/// Bytes of a part in these tests.
const PART: u64 = 1000;
/// Longer than any request takes.
const LONG: Duration = Duration::from_secs(600);

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// A status and a code; nothing is done.
    Refused(u16, &'static str),
    /// The connection ends in the middle of the body.
    Closed,
    /// Only half of the body comes.
    Cut,
    /// All is done, and the answer gets lost.
    Lost,
    /// Nothing is done, and the answer says that all is.
    Forgotten,
    /// The object that comes of it lacks its last byte.
    Spoilt,
    /// Nothing is answered until the client hangs up.
    Silent,
}

/// Object, owner and parts of an upload.
type UnderWay = (String, String, BTreeMap<u64, Vec<u8>>);

#[derive(Default)]
struct State {
    /// Bytes, owner and checksum.
    objects: HashMap<String, (Vec<u8>, String, String)>,
    uploads: HashMap<String, UnderWay>,
    /// Uploads that have been.
    count: usize,
}

type Faults = dyn Fn(&str) -> Fault + Send + Sync;

/// A server, and what it does with a request by its first words: `PUT /bucket/a?partNumber=1`.
struct Store {
    port: u16,
    state: Arc<Mutex<State>>,
    faults: Arc<Mutex<Box<Faults>>>,
    folder: TempDir,
}

impl Store {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let store = Self {
            port: listener.local_addr().expect("an address").port(),
            state: Arc::default(),
            faults: Arc::new(Mutex::new(Box::new(|_| Fault::None))),
            folder: tempfile::tempdir().expect("a folder"),
        };
        let (state, faults) = (store.state.clone(), store.faults.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, faults) = (state.clone(), faults.clone());
                thread::spawn(move || while serve(&stream, &state, &faults).is_ok() {});
            }
        });
        store
    }

    fn does(&self, faults: impl Fn(&str) -> Fault + Send + Sync + 'static) {
        *self.faults.lock().unwrap() = Box::new(faults);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn upload(&self, key: &str, timeout: Duration) -> Upload {
        let s3 = S3Options::of_variables(|name| match name {
            "AWS_ACCESS_KEY_ID" => Some("id".to_owned()),
            "AWS_SECRET_ACCESS_KEY" => Some("secret".to_owned()),
            "AWS_ENDPOINT_URL" => Some(format!("http://127.0.0.1:{}", self.port)),
            _ => None,
        });
        let options = RemoteOptions::new(Network::from_env()).with_s3(s3).with_timeout(timeout);
        let options = options.with_pause(Duration::from_millis(1));
        Upload { part_bytes: PART, ..Upload::to(&format!("s3://bucket/{key}"), &options).expect("an address") }
    }

    /// A file of random bytes.
    fn file(&self, name: &str, length: usize) -> (PathBuf, Vec<u8>) {
        let mut bytes = vec![0; length];
        rand::rng().fill(&mut bytes[..]);
        let file = self.folder.path().join(name);
        fs::write(&file, &bytes).expect("written");
        (file, bytes)
    }

    fn bytes(&self, key: &str) -> Option<Vec<u8>> {
        self.state().objects.get(&format!("/bucket/{key}")).map(|object| object.0.clone())
    }

    /// That no upload is left, on the server or beside the files.
    fn check_nothing_left(&self) {
        assert_eq!(self.state().uploads.len(), 0);
        let names = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(!names.into_iter().any(|name| name.to_string_lossy().ends_with(".upload")));
    }
}

fn sum(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(digest(&SHA256, bytes))
}

fn serve(stream: &TcpStream, state: &Mutex<State>, faults: &Mutex<Box<Faults>>) -> io::Result<()> {
    let closed = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Err(closed());
    }
    let (method, address) = line.split_once(' ').ok_or_else(closed)?;
    let address = address.split(' ').next().unwrap_or_default();
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim().split_once(": ").or_else(|| line.trim().split_once(':')) {
            Some((name, value)) => headers.insert(name.to_ascii_lowercase(), value.to_owned()),
            None => break,
        };
    }
    let header = |name: &str| headers.get(name).cloned().unwrap_or_default();
    assert!(header("authorization").starts_with("AWS4-HMAC-SHA256 Credential=id/"), "{headers:?}");
    let fault = faults.lock().unwrap()(&format!("{method} {address}"));
    let length: usize = header("content-length").parse().unwrap_or(0);
    let mut body = vec![0; if fault == Fault::Closed { length / 2 } else { length }];
    reader.read_exact(&mut body)?;
    match fault {
        Fault::Closed => {
            stream.shutdown(Shutdown::Both)?;
            return Err(closed());
        }
        Fault::Silent => {
            // Until the client hangs up.
            reader.read_line(&mut String::new())?;
            return Err(closed());
        }
        Fault::Cut => body.truncate(body.len() / 2),
        _ => {}
    }
    let wrong = header("x-amz-content-sha256") != hex(digest(&SHA256, &body))
        || headers.get(CHECKSUM).is_some_and(|stated| *stated != sum(&body));
    let answer = match fault {
        Fault::Refused(status, code) => reply(status, code),
        _ if wrong => reply(400, "BadDigest"),
        _ => done(&mut state.lock().unwrap(), (method, address), &headers, &body, fault),
    };
    if fault == Fault::Lost {
        stream.shutdown(Shutdown::Both)?;
        return Err(closed());
    }
    let (status, more, text) = answer;
    let length = if method == "HEAD" { String::new() } else { format!("content-length: {}\r\n", text.len()) };
    let text = if method == "HEAD" { "" } else { &text };
    let mut stream = stream;
    stream.write_all(format!("HTTP/1.1 {status} X\r\n{length}{more}\r\n{text}").as_bytes())
}

type Reply = (u16, String, String);

fn reply(status: u16, code: &str) -> Reply {
    (status, String::new(), format!("<Error><Code>{code}</Code></Error>"))
}

/// Does what a request asks for, unless it is forgotten.
fn done(
    state: &mut State,
    (method, address): (&str, &str),
    headers: &HashMap<String, String>,
    body: &[u8],
    fault: Fault,
) -> Reply {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let owner = headers.get(OWNER).cloned().unwrap_or_default();
    let is_refused = headers.get("if-none-match").is_some_and(|tag| tag == "*") && state.objects.contains_key(path);
    let (is_forgotten, is_spoilt) = (fault == Fault::Forgotten, fault == Fault::Spoilt);
    let ok = |more: &str, text: &str| (200, more.to_owned(), text.to_owned());
    let upload = value("uploadId").map(str::to_owned);
    match (method, upload) {
        ("POST", None) => {
            state.count += 1;
            let id = format!("upload-{}.~_", state.count);
            if !is_forgotten {
                state.uploads.insert(id.clone(), (path.to_owned(), owner, BTreeMap::new()));
            }
            ok("", &format!("<R><UploadId>{id}</UploadId></R>"))
        }
        ("PUT", Some(id)) => {
            let Some((_, _, parts)) = state.uploads.get_mut(&id) else { return reply(404, "NoSuchUpload") };
            if !is_forgotten {
                parts.insert(value("partNumber").unwrap().parse().unwrap(), body.to_vec());
            }
            ok(&format!("etag: \"{}\"\r\n", hex(digest(&SHA256, body))), "")
        }
        ("POST", Some(id)) => {
            let Some((_, _, parts)) = state.uploads.get(&id) else { return reply(404, "NoSuchUpload") };
            let list = String::from_utf8(body.to_vec()).unwrap();
            let tags: Vec<String> = list.split("<ETag>").skip(1).map(|rest| rest[6..70].to_owned()).collect();
            let kept: Vec<String> = parts.values().map(|part| hex(digest(&SHA256, part))).collect();
            if tags != kept {
                return reply(400, "InvalidPart");
            }
            if is_refused {
                return reply(412, "PreconditionFailed");
            }
            if !is_forgotten {
                let (path, owner, parts) = state.uploads.remove(&id).unwrap();
                let digests: Vec<u8> =
                    parts.values().flat_map(|part| digest(&SHA256, part).as_ref().to_vec()).collect();
                let mut bytes: Vec<u8> = parts.values().flatten().copied().collect();
                bytes.truncate(bytes.len() - usize::from(is_spoilt));
                state.objects.insert(path, (bytes, owner, format!("{}-{}", sum(&digests), parts.len())));
            }
            ok("", "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
        }
        ("DELETE", Some(id)) => match state.uploads.remove(&id) {
            Some(_) => (204, String::new(), String::new()),
            None => reply(404, "NoSuchUpload"),
        },
        ("PUT", None) if is_refused => reply(412, "PreconditionFailed"),
        ("PUT", None) => {
            if !is_forgotten {
                let mut bytes = body.to_vec();
                bytes.truncate(bytes.len().saturating_sub(usize::from(is_spoilt)));
                let sum = sum(&bytes);
                state.objects.insert(path.to_owned(), (bytes, owner, sum));
            }
            ok("", "")
        }
        ("DELETE", None) => {
            state.objects.remove(path);
            (204, String::new(), String::new())
        }
        ("HEAD" | "GET", None) => match state.objects.get(path) {
            None => reply(404, "NoSuchKey"),
            Some((bytes, owner, sum)) if method == "HEAD" => ok(
                &format!(
                    "content-length: {}\r\n{OWNER}: {owner}\r\n{CHECKSUM}: {sum}\r\netag: \"tag\"\r\n",
                    bytes.len()
                ),
                "",
            ),
            Some((bytes, ..)) if bytes.is_empty() => reply(416, "InvalidRange"),
            Some(_) => (206, String::new(), "x".to_owned()),
        },
        _ => reply(405, "MethodNotAllowed"),
    }
}

/// Law: with faults of all kinds, fewer in a row than tries, a file of any length is there byte for byte, and nothing else is.
#[test]
fn faults_leave_the_bytes_as_they_are() {
    let mut rng = rng();
    for case in 0..60 {
        let store = Store::new();
        let (file, bytes) = store.file("a", rng.random_range(0..6 * PART as usize));
        let share = [0.1, 0.3, 0.6][case % 3];
        // Faults in a row of each kind of request, and how many have made another round necessary.
        let state = Mutex::new((StdRng::seed_from_u64(rng.random()), HashMap::new()));
        let rounds = AtomicU64::new(0);
        store.does(move |request| {
            let (rng, row) = &mut *state.lock().unwrap();
            let in_row: &mut u32 = row.entry(request.to_owned()).or_default();
            if *in_row > 2 || !rng.random_bool(share) {
                *in_row = 0;
                return Fault::None;
            }
            *in_row += 1;
            let is_begin = request.ends_with("?uploads=");
            let (is_read, is_delete) = (request.starts_with("HEAD"), request.starts_with("DELETE"));
            match rng.random_range(0..7) {
                0 => Fault::Refused(500, "InternalError"),
                1 => Fault::Refused(503, "SlowDown"),
                2 => Fault::Closed,
                3 if !is_read && !is_delete => Fault::Cut,
                // Nobody knows the number of such an upload.
                4 if !is_begin => Fault::Lost,
                5 if !is_read && !is_delete && rounds.fetch_add(1, Ordering::Relaxed) == 0 => Fault::Forgotten,
                6 if request.starts_with("PUT /bucket/a ") && rounds.fetch_add(1, Ordering::Relaxed) == 0 => {
                    Fault::Spoilt
                }
                6 if request.starts_with("POST") && rounds.fetch_add(1, Ordering::Relaxed) == 0 => Fault::Spoilt,
                _ => Fault::Refused(500, "InternalError"),
            }
        });
        let mut last = 0;
        let told = store.upload("a", LONG).run(&file, case % 2 == 0, &mut |sent, all| {
            last = sent;
            assert!(sent <= all && all == bytes.len() as u64);
            true
        });
        assert!(told.is_ok(), "case {case}: {told:?}");
        assert!(store.bytes("a").as_ref() == Some(&bytes) && store.state().objects.len() == 1, "case {case}");
        store.check_nothing_left();
    }
}

/// Law: what fails for good, or more often than is tried, is told in one line with what to do, and leaves nothing.
#[test]
fn failures_leave_nothing() {
    let (small, large) = (PART as usize, 3 * PART as usize + 1);
    let denied = Fault::Refused(403, "AccessDenied");
    for (length, request, fault, line) in [
        (large, "partNumber=2", Fault::Refused(500, "InternalError"), "status 500 (InternalError), 5 times"),
        (large, "partNumber=3", Fault::Closed, "5 times"),
        (large, "partNumber=3", Fault::Lost, "5 times"),
        (large, "partNumber=4", Fault::Cut, "status 400 (BadDigest), 5 times"),
        (large, "partNumber=1", Fault::Silent, "5 times"),
        (large, "partNumber=1", Fault::Forgotten, "the server has lost parts (InvalidPart), 2 times"),
        (large, "partNumber=1", denied, "AWS_ACCESS_KEY_ID may not write it: allow s3:PutObject"),
        (large, "?uploads=", denied, "may not write it"),
        (large, "?uploads=", Fault::Refused(404, "NoSuchBucket"), "has no bucket bucket"),
        (large, "?uploads=", Fault::Forgotten, "the server has lost parts, 2 times"),
        (large, "POST /bucket/a?uploadId", Fault::Refused(500, "InternalError"), "5 times"),
        (large, "POST /bucket/a?uploadId", Fault::Refused(400, "EntityTooSmall"), "the server has lost parts"),
        (large, "POST /bucket/a?uploadId", Fault::Refused(501, "NotImplemented"), "--overwrite writes without"),
        (large, "POST /bucket/a?uploadId", Fault::Forgotten, "the server has lost it, 2 times"),
        (large, "POST /bucket/a?uploadId", Fault::Spoilt, "other bytes than were sent, 2 times"),
        (small, "PUT", Fault::Refused(500, "InternalError"), "5 times"),
        (small, "PUT", Fault::Cut, "5 times"),
        (small, "PUT", Fault::Forgotten, "the server has lost it, 2 times"),
        (small, "PUT", Fault::Spoilt, "other bytes than were sent, 2 times"),
        (small, "PUT", Fault::Refused(403, "SignatureDoesNotMatch"), "AWS_SECRET_ACCESS_KEY is not that of"),
        (small, "PUT", Fault::Refused(400, "ExpiredToken"), "the keys have expired"),
    ] {
        let store = Store::new();
        let (file, _) = store.file("a", length);
        store.does(move |asked| if asked.contains(request) { fault } else { Fault::None });
        let timeout = if fault == Fault::Silent { Duration::from_millis(200) } else { LONG };
        let error = store.upload("a", timeout).run(&file, false, &mut |_, _| true).expect_err(request).to_string();
        assert!(error.starts_with("s3://bucket/a: ") && error.contains(line), "{request} {fault:?}: {error}");
        assert!(!error.contains('\n') && !error.contains("secret"), "{error}");
        assert!(store.state().objects.is_empty(), "{request} {fault:?}");
        store.check_nothing_left();
        assert!(file.exists());
    }
}

/// Law: of several runs for one name, one puts its bytes there and the others are told so, unless they may replace it.
#[test]
fn one_of_several_wins() {
    let mut rng = rng();
    for _ in 0..20 {
        let store = Store::new();
        let files: Vec<_> =
            (0..3).map(|k| store.file(&k.to_string(), rng.random_range(1..4 * PART as usize))).collect();
        let told: Vec<_> = thread::scope(|scope| {
            let runs: Vec<_> = files
                .iter()
                .map(|(file, _)| scope.spawn(|| store.upload("a", LONG).run(file, false, &mut |_, _| true)))
                .collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        let winners: Vec<usize> = (0..3).filter(|k| told[*k].is_ok()).collect();
        assert_eq!(winners.len(), 1, "{told:?}");
        assert_eq!(store.bytes("a").as_ref(), Some(&files[winners[0]].1));
        let occupied = |told: &Result<(), UploadError>| matches!(told, Err(UploadError::Occupied { .. }));
        assert_eq!(told.iter().filter(|told| occupied(told)).count(), 2, "{told:?}");
        assert!(store.upload("a", LONG).is_taken().unwrap() && !store.upload("b", LONG).is_taken().unwrap());
        store.upload("a", LONG).run(&files[0].0, true, &mut |_, _| true).expect("it may be replaced");
        assert_eq!(store.bytes("a").as_ref(), Some(&files[0].1));
        store.check_nothing_left();
    }
}

/// Law: who has had enough ends soon, and leaves nothing.
#[test]
fn what_is_interrupted_leaves_nothing() {
    let store = Store::new();
    let (file, _) = store.file("a", 5 * PART as usize);
    // It would be tried again for long.
    store.does(|asked| {
        let is_part = asked.contains("partNumber=4");
        if is_part { Fault::Refused(503, "SlowDown") } else { Fault::None }
    });
    let mut upload = store.upload("a", LONG);
    upload.storage.client = Client::for_uploads(LONG, &upload.storage.object.url, &Network::from_env(), LONG);
    let told = upload.run(&file, false, &mut |sent, _| sent < 3 * PART);
    assert!(matches!(told, Err(UploadError::Interrupted { .. })), "{told:?}");
    assert!(store.state().objects.is_empty());
    store.check_nothing_left();
}

/// Law: the next run takes away what one that was killed has left, and two do not send one file.
#[test]
fn the_next_run_takes_away_what_is_left() {
    let store = Store::new();
    let (file, bytes) = store.file("a", 2 * PART as usize);
    let upload = store.upload("a", LONG);
    upload.check().expect("nothing is wrong");
    assert_eq!(store.state().uploads.len(), 0);
    let Ok(left) = upload.begin("killed", &Transfer::default()) else { panic!("it begins") };
    PendingUpload::of_file(&file).write(&left);
    assert_eq!(store.state().uploads.len(), 1);
    let open = File::open(&file).unwrap();
    open.lock().unwrap();
    let told = upload.run(&file, false, &mut |_, _| true);
    assert!(matches!(told, Err(UploadError::Busy { .. })), "{told:?}");
    drop(open);
    upload.run(&file, false, &mut |_, _| true).expect("put there");
    assert_eq!(store.bytes("a"), Some(bytes));
    store.check_nothing_left();
}

/// Law: there are never more parts than a server takes, and none is empty.
#[test]
fn parts_are_not_too_many() {
    let store = Store::new();
    let (file, bytes) = store.file("a", 30_001);
    let mut upload = store.upload("a", LONG);
    upload.part_bytes = 1;
    let parts = Arc::new(AtomicU64::new(0));
    let counted = parts.clone();
    store.does(move |asked| {
        if asked.contains("partNumber=") {
            counted.fetch_add(1, Ordering::Relaxed);
        }
        Fault::None
    });
    upload.run(&file, false, &mut |_, _| true).expect("put there");
    assert_eq!((parts.load(Ordering::Relaxed), store.bytes("a")), (7501, Some(bytes)));
}
