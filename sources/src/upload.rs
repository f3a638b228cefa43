//! How does a file become an object of S3 storage? In parts, each of which is tried again, under a name that is given last, and only where
//! it is free.
//!
//! A response may get lost after the server has done what was asked. So every object tells by whom it was put there: who is refused, or hears
//! nothing, looks whether the object is his own.
//!
//! Source: <https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html>,
//! <https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html>.

mod multipart;
mod pending_upload;
mod storage_client;

use std::{
    fs::{File, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom},
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError, atomic::Ordering},
    thread::{self, sleep},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use foreign::sanitized;
use ring::{
    digest::{SHA256, digest},
    rand::{SecureRandom as _, SystemRandom},
};

use crate::{
    client::{Client, LOOK, RequestFailure},
    remote_pack::RemoteOptions,
    s3::{Object, Refusal},
    signature::hex,
};
use pending_upload::PendingUpload;
use storage_client::{ObjectRequest, Response, StorageClient, Transfer};

/// Bytes of a part; more where there would be too many of them.
const PART_BYTES: u64 = 8 << 20;
/// How often all parts are sent, where the server has lost some.
const ROUNDS: u32 = 2;
/// Says which run has put an object there.
const OWNER: &str = "x-amz-meta-orogen-run";
const CHECKSUM: &str = "x-amz-checksum-sha256";

/// Why a file did not become an object.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UploadError {
    /// Something has the name already.
    #[error("{name} is there already: give another name, or --overwrite to replace it", name = sanitized(name))]
    Occupied {
        /// Its address.
        name: String,
    },
    /// The address is none, or the server does not take the file.
    #[error("{name}: {reason}", name = sanitized(name))]
    Refused {
        /// Its address.
        name: String,
        /// Why, and what to do.
        reason: String,
    },
    /// Another process sends the file.
    #[error("{}: another run puts it on a server: wait for that one", sanitized(&file.display().to_string()))]
    Busy {
        /// The file.
        file: PathBuf,
    },
    /// The file cannot be read.
    #[error("{}: {error}", sanitized(&file.display().to_string()))]
    File {
        /// The file.
        file: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// Whoever hears of the progress has had enough. Nothing is left on the server.
    #[error("{name}: interrupted before it was there; the same run continues it", name = sanitized(name))]
    Interrupted {
        /// Its address.
        name: String,
    },
}

/// An object of S3 storage that a file will be.
///
/// ```no_run
/// use sources::{Network, RemoteOptions, S3Options, Upload};
/// let s3 = S3Options::of_variables(|name| std::env::var(name).ok());
/// let upload = Upload::to("s3://bucket/alps.pack", &RemoteOptions::new(Network::from_env()).with_s3(s3))?;
/// upload.check()?; // before hours of work
/// upload.run("alps.pack".as_ref(), false, &mut |sent, all| {
///     eprintln!("{sent} of {all} bytes");
///     true
/// })?;
/// # Ok::<(), sources::UploadError>(())
/// ```
#[derive(Debug)]
pub struct Upload {
    storage: StorageClient,
    name: String,
    part_bytes: u64,
}

/// The result of a request that gives an object its name.
enum Completion {
    Done,
    /// Something else has the name.
    NameTaken,
    /// The server has lost what was sent.
    UploadLost(String),
}

/// Why an attempt at the whole upload has failed.
enum RoundFailure {
    NameTaken,
    /// Another round may help.
    Transient(String),
    Permanent(String),
    File(io::Error),
}

/// A file that is sent.
struct SourceFile {
    file: Mutex<File>,
    length: u64,
}

impl SourceFile {
    fn part(&self, offset: u64, length: u64) -> Result<Vec<u8>, RoundFailure> {
        let length = usize::try_from(length).map_err(|_| RoundFailure::File(io::ErrorKind::OutOfMemory.into()))?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut read = || {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
            bytes.resize(length, 0);
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(RoundFailure::File)
    }
}

impl Upload {
    /// To an address `s3://BUCKET/KEY`; nothing is asked yet.
    ///
    /// # Errors
    /// [`UploadError::Refused`] if it is none, or keys or options are wrong.
    pub fn to(address: &str, options: &RemoteOptions) -> Result<Self, UploadError> {
        let refused = |reason: String| UploadError::Refused { name: address.to_owned(), reason };
        let none = || refused("it is no address of an object: give s3://BUCKET/KEY.pack".to_owned());
        let object = Object::of(address, &options.s3).ok_or_else(none)?.map_err(refused)?;
        let client = Client::for_uploads(options.pause, &object.url, &options.network, options.timeout);
        let storage = StorageClient { object, client, timeout: options.timeout };
        Ok(Self { storage, name: address.to_owned(), part_bytes: PART_BYTES })
    }

    /// What tells the object from all others: hexadecimal digits.
    pub(crate) fn key(&self) -> String {
        hex(&digest(&SHA256, self.storage.object.url.as_bytes()).as_ref()[..8])
    }

    /// Whether something has the name already. Where nobody may look, nothing is known to.
    ///
    /// # Errors
    /// [`UploadError::Refused`].
    pub fn is_taken(&self) -> Result<bool, UploadError> {
        let first = ObjectRequest::new("GET", String::new(), &[("range", "bytes=0-0")]);
        let ask = || match self.storage.request(&first, None) {
            Ok(_) => Ok(true),
            Err(Refusal { status: 404, code, .. }) if code != "NoSuchBucket" => Ok(false),
            // Without the right to list a bucket, what is not there is forbidden.
            Err(Refusal { status: 403, code, .. }) if code == "AccessDenied" => Ok(false),
            // It is empty.
            Err(Refusal { status: 416, .. }) => Ok(true),
            Err(refusal) => Err(refusal.failure),
        };
        self.storage.client.with_retries(ask, "").map_err(|reason| self.refused(reason))
    }

    /// Tells what would keep a file from becoming the object, before there is one: an upload is begun and taken back.
    ///
    /// # Errors
    /// [`UploadError::Refused`].
    pub fn check(&self) -> Result<(), UploadError> {
        let transfer = Transfer::default();
        let told = |failure| self.error(failure, Path::new(""), &transfer);
        let upload = self.begin(&owner().map_err(told)?, &transfer).map_err(told)?;
        self.abort(&upload).map_err(|reason| self.refused(reason))
    }

    /// Puts a file there; `progress` hears how many of its bytes are sent, and says whether it goes on. What is there already is only
    /// replaced if `overwrite` says so. After a failure nothing is left on the server; where it could not be asked for that, the next run
    /// takes it away, which finds its number beside the file, in `NAME.upload`.
    ///
    /// # Errors
    /// [`UploadError`]: each of them.
    pub fn run(
        &self,
        file: &Path,
        overwrite: bool,
        progress: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<(), UploadError> {
        let failed = |error| UploadError::File { file: file.into(), error };
        let opened = foreign::open_regular(file).map_err(failed)?;
        match opened.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(UploadError::Busy { file: file.into() }),
            // Some network file systems know no locks; then it is up to the user.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let length = opened.metadata().map_err(failed)?.len();
        let (source, transfer) = (SourceFile { file: Mutex::new(opened), length }, Transfer::default());
        let sent = thread::scope(|scope| {
            let work = || self.rounds(&source, file, overwrite, &transfer);
            let work = thread::Builder::new()
                .name("upload".to_owned())
                .spawn_scoped(scope, work)
                .map_err(RoundFailure::File)?;
            while !work.is_finished() {
                if !progress(transfer.sent.load(Ordering::Relaxed).min(length), length) {
                    transfer.interrupted.store(true, Ordering::Relaxed);
                    transfer.stop.store(true, Ordering::Relaxed);
                }
                sleep(LOOK);
            }
            work.join().unwrap_or_else(|panic| resume_unwind(panic))
        });
        sent.map_err(|failure| self.error(failure, file, &transfer))
    }

    fn refused(&self, reason: String) -> UploadError {
        UploadError::Refused { name: self.name.clone(), reason }
    }

    fn error(&self, failure: RoundFailure, file: &Path, transfer: &Transfer) -> UploadError {
        let name = self.name.clone();
        match failure {
            RoundFailure::NameTaken => UploadError::Occupied { name },
            RoundFailure::File(error) => UploadError::File { file: file.into(), error },
            RoundFailure::Transient(_) | RoundFailure::Permanent(_) if transfer.interrupted.load(Ordering::Relaxed) => {
                UploadError::Interrupted { name }
            }
            RoundFailure::Transient(reason) => self.refused(format!("{reason}, {ROUNDS} times: try again later")),
            RoundFailure::Permanent(reason) => self.refused(reason),
        }
    }

    fn rounds(
        &self,
        source: &SourceFile,
        file: &Path,
        overwrite: bool,
        transfer: &Transfer,
    ) -> Result<(), RoundFailure> {
        let pending = PendingUpload::of_file(file);
        // What an earlier run has left.
        if let Some(upload) = pending.read() {
            self.abort(&upload).map_err(RoundFailure::Permanent)?;
            pending.remove();
        }
        let mut round = 1;
        loop {
            match self.round(source, &pending, overwrite, transfer) {
                Err(RoundFailure::Transient(_)) if round < ROUNDS && !transfer.interrupted.load(Ordering::Relaxed) => {}
                end => return end,
            }
            round += 1;
            transfer.sent.store(0, Ordering::Relaxed);
            transfer.stop.store(false, Ordering::Relaxed);
        }
    }

    fn round(
        &self,
        source: &SourceFile,
        pending: &PendingUpload,
        overwrite: bool,
        transfer: &Transfer,
    ) -> Result<(), RoundFailure> {
        let owner = owner()?;
        if source.length <= self.part_bytes {
            self.put(source, &owner, overwrite, transfer)
        } else {
            self.put_parts(source, (&owner, pending), overwrite, transfer)
        }
    }

    /// Puts a small file there by one request.
    fn put(&self, source: &SourceFile, owner: &str, overwrite: bool, transfer: &Transfer) -> Result<(), RoundFailure> {
        let bytes = source.part(0, source.length)?;
        let digest = digest(&SHA256, &bytes);
        let sum = BASE64_STANDARD.encode(digest);
        let mut headers = vec![(OWNER, owner), (CHECKSUM, &sum)];
        headers.extend(condition(overwrite));
        let sent =
            ObjectRequest { body: &bytes, digest: &digest, ..ObjectRequest::new("PUT", String::new(), &headers) };
        let ask = || match self.storage.request(&sent, Some(transfer)) {
            Ok(_) => Ok(Completion::Done),
            Err(Refusal { status: 412, .. }) => Ok(Completion::NameTaken),
            // Somebody else is at it.
            Err(Refusal { status: 409, .. }) => Err(RequestFailure::Transient("status 409".to_owned(), None)),
            Err(refusal) => Err(refusal.failure),
        };
        let end = self.storage.client.with_retries_until(&transfer.stop, ask, "; what was to be put there is kept");
        self.resolve(end, owner)?;
        self.verify(owner, source.length, &sum)
    }

    /// Whether a request that gives the name has succeeded: the server may have carried it out before its response got lost.
    fn resolve(&self, end: Result<Completion, String>, owner: &str) -> Result<(), RoundFailure> {
        let failure = match end {
            Ok(Completion::Done) => return Ok(()),
            Ok(Completion::NameTaken) => RoundFailure::NameTaken,
            Ok(Completion::UploadLost(reason)) => RoundFailure::Transient(reason),
            Err(reason) => RoundFailure::Permanent(reason),
        };
        match self.head() {
            Ok(Some(found)) if found.header(OWNER) == Some(owner) => Ok(()),
            _ => Err(failure),
        }
    }

    /// The headers of the object, if it is there.
    fn head(&self) -> Result<Option<Response>, String> {
        let sent = ObjectRequest::new("HEAD", String::new(), &[("x-amz-checksum-mode", "ENABLED")]);
        let ask = || match self.storage.request(&sent, None) {
            Ok(answer) => Ok(Some(answer)),
            Err(Refusal { status: 404, .. }) => Ok(None),
            Err(refusal) => Err(refusal.failure),
        };
        self.storage.client.with_retries(ask, "")
    }

    /// That the object is the file; one that is not is taken away.
    fn verify(&self, owner: &str, length: u64, sum: &str) -> Result<(), RoundFailure> {
        let told = self
            .head()
            .map_err(|reason| RoundFailure::Permanent(format!("it was put there and not read back: {reason}")))?;
        let Some(found) = told else { return Err(RoundFailure::Transient("the server has lost it".to_owned())) };
        if found.header(OWNER) != Some(owner) {
            return Err(RoundFailure::Permanent("another run has replaced it".to_owned()));
        }
        let is_long = found.header("content-length").and_then(|length| length.parse().ok()) == Some(length);
        // Not every server tells it. That of an object of parts has their number behind it.
        let stated = found.header(CHECKSUM).and_then(|stated| stated.split('-').next());
        if is_long && stated.is_none_or(|stated| stated == sum) {
            return Ok(());
        }
        let tag = found.header("etag").unwrap_or("*");
        let sent = ObjectRequest::new("DELETE", String::new(), &[("if-match", tag)]);
        let ask = || match self.storage.request(&sent, None) {
            // It is gone, or another one by now.
            Ok(_) | Err(Refusal { status: 404 | 412, .. }) => Ok(()),
            Err(refusal) => Err(refusal.failure),
        };
        let taken_away = self.storage.client.with_retries(ask, "");
        let wrong = "the server has other bytes than were sent";
        match taken_away {
            Ok(()) => Err(RoundFailure::Transient(wrong.to_owned())),
            Err(reason) => Err(RoundFailure::Permanent(format!("{wrong}: remove it ({reason})"))),
        }
    }
}

/// The header by which nothing is replaced.
fn condition(overwrite: bool) -> Option<(&'static str, &'static str)> {
    (!overwrite).then_some(("if-none-match", "*"))
}

/// What tells a run from all others.
fn owner() -> Result<String, RoundFailure> {
    let mut bytes = [0; 16];
    let failed = |_| RoundFailure::Permanent("the system gives no random numbers".to_owned());
    SystemRandom::new().fill(&mut bytes).map_err(failed)?;
    Ok(hex(bytes))
}

#[cfg(test)]
mod tests;
