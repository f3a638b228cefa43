//! How is a pack read that lies on a server? In parts, by HTTP ranges: few requests at a time, parts near each other in one.
//!
//! Who reads a tile tells which others will be read. A few threads ask for them, so one answer brings many, and what was asked for lies in
//! memory until it is read. A server that fails is left alone for a while, which doubles with each failure; meanwhile whoever cannot wait
//! does without.

use std::{
    collections::VecDeque,
    fmt,
    io::{Error, ErrorKind, Result},
    ops::Range,
    path::PathBuf,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use elevation::{
    PackParts,
    height::RemotePacks,
    pack::{PackBytes, PackError, PartStore, WaitPolicy},
};

use crate::{
    client::{CONNECTIONS, Client, LONGEST_PAUSE, Network, RequestFailure, TRIES},
    parts::{PackAddress, Part, REPLACED, request_part},
    s3::S3Options,
};

/// Bytes at the beginning and at the end that are asked for when a pack is opened: manifest, and index with the errors of coarse tiles.
const EDGES: [u64; 2] = [64 << 10, 256 << 10];
/// Bytes between two parts that are read over, so that one request has both.
const GAP: u64 = 64 << 10;
/// Bytes of one request, about.
const MOST_BYTES: u64 = 2 << 20;
/// Bytes of a part that nobody has asked for twice, at most: what is larger is no tile.
const MOST_PART: u64 = 64 << 20;
/// Bytes that are kept in memory.
const KEPT_BYTES: u64 = 96 << 20;
/// Parts that wait to be asked for.
const MOST_WANTED: usize = 4096;

/// How servers are asked for packs.
///
/// ```
/// use std::time::Duration;
/// use elevation::{height::OpenOptions, pack::PackError};
/// use sources::{Network, RemoteOptions, S3Options, remote_packs};
/// let half = S3Options::of_variables(|name| (name == "AWS_ACCESS_KEY_ID").then(|| "demo".to_owned()));
/// let options = RemoteOptions::new(Network::from_env()).with_timeout(Duration::from_secs(3)).with_s3(half.clone());
/// assert_eq!((options.timeout, &options.s3), (Duration::from_secs(3), &half));
/// // With half of a key nobody is asked.
/// let open = OpenOptions::default().with_remote(Some(remote_packs(options)));
/// let refused = open.open_pack("s3://bucket/alps.pack".as_ref());
/// assert!(matches!(refused, Err(PackError::Remote { reason, .. }) if reason.contains("AWS_SECRET_ACCESS_KEY is not set")));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RemoteOptions {
    /// The way to them.
    pub network: Network,
    /// Pause after the first failure; twice as long after each further one.
    pub pause: Duration,
    /// Time for a connection. An answer may take twice that to begin, and six times that as a whole.
    pub timeout: Duration,
    /// Folder in which tiles are kept whose checksums are right, and the most bytes in it, about.
    pub cache: Option<(PathBuf, u64)>,
    /// Where object storage is, and with whose keys it is asked.
    pub s3: S3Options,
}

impl RemoteOptions {
    /// By a way to servers, with a pause of a second and ten seconds for a connection; of object storage, public buckets of AWS.
    pub fn new(network: Network) -> Self {
        let (pause, timeout) = (Duration::from_secs(1), Duration::from_secs(10));
        Self { network, pause, timeout, cache: None, s3: S3Options::default() }
    }

    /// With another pause after the first failure.
    #[must_use]
    pub fn with_pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// With a folder in which tiles are kept, which holds at most about `most_bytes`.
    #[must_use]
    pub fn with_cache(self, folder: PathBuf, most_bytes: u64) -> Self {
        Self { cache: Some((folder, most_bytes)), ..self }
    }

    /// With another time for a connection.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// With other object storage, or keys for it.
    #[must_use]
    pub fn with_s3(self, s3: S3Options) -> Self {
        Self { s3, ..self }
    }
}

/// What opens packs on servers, for [`elevation::height::OpenOptions::remote`]: any server that gives parts of files,
/// and object storage by `s3://BUCKET/KEY.pack`.
///
/// ```no_run
/// use elevation::height::{OpenOptions, Relief};
/// use sources::{Network, RemoteOptions, remote_packs};
/// let options = RemoteOptions::new(Network::from_env()).with_cache("cache".into(), 2_000_000_000);
/// let open = OpenOptions::default().with_remote(Some(remote_packs(options)));
/// let relief = Relief::open(&["https://example.org/alps.pack".into()], &open)?;
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
pub fn remote_packs(options: RemoteOptions) -> RemotePacks {
    RemotePacks::new(move |address| {
        // What stands behind may be a key, which is nobody's business.
        let name = PathBuf::from(address.split(['?', '#']).next().unwrap_or_default());
        let refused = |reason: String| PackError::Remote { file: name.clone(), reason };
        let pack = RemotePack::open(address, &name.to_string_lossy(), &options).map_err(refused)?;
        Ok((name.clone(), Arc::new(pack) as Arc<dyn PackBytes>))
    })
}

/// A pack on a server.
struct RemotePack(Arc<Server>);

/// What the threads share that ask and those that read.
struct Server {
    client: Client,
    place: PackAddress,
    /// Without what is nobody's business.
    name: String,
    pause: Duration,
    length: u64,
    validator: Option<String>,
    /// Where parts are kept, if the server has nothing against it.
    cache: Option<(PathBuf, u64)>,
    /// What is read when it is opened: the first bytes, and the last ones with their offset.
    edges: [(u64, Vec<u8>); 2],
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Parts that are here, by their offset, and these in their order.
    cached: std::collections::BTreeMap<u64, Vec<u8>>,
    order: VecDeque<u64>,
    bytes: u64,
    /// Parts to be asked for, the most urgent first.
    wanted: VecDeque<Range<u64>>,
    /// Offsets of those that are being asked for.
    in_flight: Vec<u64>,
    fetchers: usize,
    backoff: Option<Backoff>,
    /// Failures in a row.
    failures: u32,
    /// Whether the last failure was told.
    is_reported: bool,
}

/// Why and until when no request is sent, after a failure.
#[derive(Clone, Debug)]
struct Backoff {
    reason: String,
    until: Instant,
    /// Whether to wait does not help.
    is_permanent: bool,
}

impl fmt::Debug for RemotePack {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("RemotePack")
            .field("name", &self.0.name)
            .field("length", &self.0.length)
            .finish_non_exhaustive()
    }
}

impl RemotePack {
    /// Asks for the beginning and the end, and waits for them.
    fn open(address: &str, name: &str, options: &RemoteOptions) -> std::result::Result<Self, String> {
        let place = PackAddress::of(address, &options.s3)?;
        let server = (place.url(), place.redirects());
        let client = Client::with_limits(options.pause, server, &options.network, options.timeout);
        let part = |part: Range<u64>, validator: Option<&str>| {
            client.with_retries(|| request_part(client.agent(), &place, part.clone(), validator), "")
        };
        let first = part(0..EDGES[0], None)?;
        let Part { bytes, length, validator, is_fleeting } = first;
        let begin = length.saturating_sub(EDGES[1]).max(bytes.len() as u64);
        let end = if begin < length {
            part(begin..length, validator.as_deref())?
        } else {
            Part { bytes: Vec::new(), length, validator: validator.clone(), is_fleeting }
        };
        if end.length != length || end.validator != validator {
            return Err(REPLACED.to_owned());
        }
        Ok(Self(Arc::new(Server {
            client,
            place,
            name: name.to_owned(),
            pause: options.pause,
            length,
            validator,
            cache: options.cache.clone().filter(|_| !is_fleeting),
            edges: [(0, bytes), (begin, end.bytes)],
            state: Mutex::default(),
            changed: Condvar::new(),
        })))
    }
}

impl Drop for RemotePack {
    fn drop(&mut self) {
        // Nobody reads what is asked for now.
        self.0.lock().wanted.clear();
    }
}

impl PackBytes for RemotePack {
    fn length(&self) -> u64 {
        self.0.length
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn parts_of(&self, what: &str) -> Option<Arc<dyn PartStore>> {
        let (folder, most_bytes) = self.0.cache.as_ref()?;
        Some(Arc::new(PackParts::open(folder, what, *most_bytes)))
    }

    fn read(&self, offset: u64, bytes: &mut [u8], wait: WaitPolicy) -> Result<()> {
        let server = &self.0;
        let end = offset.checked_add(bytes.len() as u64).filter(|end| *end <= server.length);
        let Some(end) = end.filter(|_| bytes.len() as u64 <= MOST_PART) else {
            return Err(Error::from(ErrorKind::UnexpectedEof));
        };
        if server.copy_of_edges(offset, bytes) {
            return Ok(());
        }
        let part = offset..end;
        let mut state = server.lock();
        let mut tries = 0;
        loop {
            if state.copy_of(&part, bytes) {
                return Ok(());
            }
            if state.is_requested(offset) {
                if wait == WaitPolicy::Never {
                    return Err(Error::new(ErrorKind::WouldBlock, "not here yet"));
                }
                state = server.wait(state, None);
                continue;
            }
            // It was not asked for, or in vain.
            if let Some(Backoff { reason, until, is_permanent }) = state.backoff() {
                let failures = state.failures;
                if wait != WaitPolicy::Retry || is_permanent {
                    return Err(Error::other(reason));
                }
                // Who comes after others have waited in vain does not wait again.
                if failures >= TRIES {
                    return Err(Error::other(format!("{reason}, {failures} times: try again later")));
                }
                state = server.wait(state, Some(until));
                continue;
            }
            if wait == WaitPolicy::OneTry && tries > 0 || tries > TRIES {
                return Err(Error::other("it was not to be had: try again later"));
            }
            tries += 1;
            state.wanted.push_front(part.clone());
            server.start_fetcher(&mut state);
        }
    }

    fn prefetch(&self, parts: &[Range<u64>]) {
        let server = &self.0;
        let mut state = server.lock();
        if state.backoff().is_some() {
            return;
        }
        let is_sound = |part: &Range<u64>| {
            part.start < part.end && part.end <= server.length && part.end - part.start <= MOST_PART
        };
        let is_new = |state: &State, part: &Range<u64>| {
            !state.cached.contains_key(&part.start) && !state.is_requested(part.start) && !server.is_of_edges(part)
        };
        let new: Vec<Range<u64>> =
            parts.iter().filter(|part| is_sound(part) && is_new(&state, part)).take(MOST_WANTED).cloned().collect();
        if new.is_empty() {
            return;
        }
        for part in new.into_iter().rev() {
            state.wanted.push_front(part);
        }
        state.wanted.truncate(MOST_WANTED);
        server.start_fetchers(&mut state);
    }

    fn forget(&self, offset: u64) {
        let mut state = self.0.lock();
        state.forget(offset);
    }
}

impl Server {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, or until a time.
    fn wait<'a>(&self, state: MutexGuard<'a, State>, until: Option<Instant>) -> MutexGuard<'a, State> {
        let most = until.map_or(LONGEST_PAUSE, |until| until.saturating_duration_since(Instant::now()));
        let waited = self.changed.wait_timeout(state, most.max(Duration::from_millis(1)));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn is_of_edges(&self, part: &Range<u64>) -> bool {
        self.edges.iter().any(|(begin, bytes)| part.start >= *begin && part.end <= begin + bytes.len() as u64)
    }

    fn copy_of_edges(&self, offset: u64, to: &mut [u8]) -> bool {
        self.edges.iter().any(|(begin, bytes)| {
            let from = offset.checked_sub(*begin).and_then(|first| bytes.get(usize::try_from(first).ok()?..));
            let found = from.and_then(|from| from.get(..to.len()));
            found.map(|found| to.copy_from_slice(found)).is_some()
        })
    }

    /// Starts a thread that fetches parts, if there are not as many as connections.
    fn start_fetcher(self: &Arc<Self>, state: &mut State) {
        if state.fetchers < CONNECTIONS && !state.wanted.is_empty() {
            state.fetchers += 1;
            let server = self.clone();
            let started = thread::Builder::new().name("pack parts".to_owned()).spawn(move || server.fetch());
            if started.is_err() {
                state.fetchers -= 1;
                if state.fetchers == 0 {
                    state.wanted.clear();
                }
            }
        }
    }

    fn start_fetchers(self: &Arc<Self>, state: &mut State) {
        for _ in 0..state.wanted.len().min(CONNECTIONS) {
            self.start_fetcher(state);
        }
    }

    /// Asks for parts until none is wanted, or the server fails.
    fn fetch(&self) {
        let mut state = self.lock();
        while state.backoff().is_none() {
            let Some((whole, parts)) = state.next() else { break };
            state.in_flight.extend(parts.iter().map(|part| part.start));
            drop(state);
            let answer = self.request(whole.clone());
            state = self.lock();
            state.in_flight.retain(|offset| !parts.iter().any(|part| part.start == *offset));
            match answer {
                Ok(bytes) => {
                    for part in parts {
                        let at = (part.start - whole.start) as usize..(part.end - whole.start) as usize;
                        state.put(part.start, bytes[at].to_vec());
                    }
                    if std::mem::take(&mut state.is_reported) {
                        tracing::warn!("{}: the server answers again", self.name);
                    }
                    (state.failures, state.backoff) = (0, None);
                }
                Err(backoff) => self.back_off(&mut state, backoff),
            }
            self.changed.notify_all();
        }
        state.fetchers -= 1;
        drop(state);
        self.changed.notify_all();
    }

    fn request(&self, part: Range<u64>) -> std::result::Result<Vec<u8>, RequestFailure> {
        let Part { bytes, length, validator, .. } =
            request_part(self.client.agent(), &self.place, part, self.validator.as_deref())?;
        // Not all servers know conditions.
        let is_other = length != self.length || self.validator.is_some() && validator != self.validator;
        if is_other { Err(RequestFailure::Permanent(REPLACED.to_owned())) } else { Ok(bytes) }
    }

    /// Leaves the server alone for a while, and tells why once.
    fn back_off(&self, state: &mut State, backoff: RequestFailure) {
        // They are wanted again by whoever still wants them.
        state.wanted.clear();
        if state.backoff().is_some() {
            // Requests that were made together fail together.
            return;
        }
        let (reason, asked, is_permanent) = match backoff {
            RequestFailure::Transient(reason, asked) => (reason, asked, false),
            RequestFailure::Permanent(reason) => (reason, Some(LONGEST_PAUSE), true),
        };
        let pause = self.pause * 2u32.saturating_pow(state.failures.min(16));
        let pause = asked.unwrap_or(pause).min(LONGEST_PAUSE);
        state.failures += 1;
        if !std::mem::replace(&mut state.is_reported, true) {
            tracing::warn!("{}: {reason}; coarser data stay until the server answers", self.name);
        }
        state.backoff = Some(Backoff { reason, until: Instant::now() + pause, is_permanent });
    }
}

impl State {
    /// Whether a part is being asked for, or will be.
    fn is_requested(&self, offset: u64) -> bool {
        self.in_flight.contains(&offset) || self.wanted.iter().any(|part| part.start == offset)
    }

    /// The backoff that lasts, if there is one.
    fn backoff(&mut self) -> Option<Backoff> {
        let is_over = self.backoff.as_ref().is_some_and(|backoff| Instant::now() >= backoff.until);
        self.backoff.clone().filter(|_| !is_over)
    }

    /// The most urgent part with those near it: from where to where, and which.
    fn next(&mut self) -> Option<(Range<u64>, Vec<Range<u64>>)> {
        let first = self.wanted.pop_front()?;
        let mut parts: Vec<Range<u64>> = self.wanted.iter().cloned().collect();
        parts.sort_unstable_by_key(|part| part.start);
        let (mut whole, mut taken) = (first.clone(), vec![first]);
        let at = parts.partition_point(|part| part.start < whole.start);
        let (before, after) = parts.split_at(at);
        for part in after {
            if part.start > whole.end + GAP || part.end.saturating_sub(whole.start) > MOST_BYTES {
                break;
            }
            whole.end = whole.end.max(part.end);
            taken.push(part.clone());
        }
        for part in before.iter().rev() {
            if part.end + GAP < whole.start || whole.end.saturating_sub(part.start) > MOST_BYTES {
                break;
            }
            whole = part.start..whole.end.max(part.end);
            taken.push(part.clone());
        }
        let offsets: std::collections::BTreeSet<u64> = taken.iter().map(|part| part.start).collect();
        self.wanted.retain(|part| !offsets.contains(&part.start));
        Some((whole, taken))
    }

    fn copy_of(&self, part: &Range<u64>, to: &mut [u8]) -> bool {
        let found = self.cached.get(&part.start).and_then(|bytes| bytes.get(..to.len()));
        found.map(|found| to.copy_from_slice(found)).is_some()
    }

    fn put(&mut self, offset: u64, bytes: Vec<u8>) {
        self.forget(offset);
        self.bytes += bytes.len() as u64;
        self.cached.insert(offset, bytes);
        self.order.push_back(offset);
        while self.bytes > KEPT_BYTES && self.order.len() > 1 {
            let Some(oldest) = self.order.front().copied() else { break };
            self.forget(oldest);
        }
    }

    fn forget(&mut self, offset: u64) {
        if let Some(bytes) = self.cached.remove(&offset) {
            self.bytes -= bytes.len() as u64;
            self.order.retain(|other| *other != offset);
        }
    }
}
