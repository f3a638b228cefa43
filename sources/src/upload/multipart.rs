//! How is a file sent in parts? Several at the same time, which the server then puts together under the name.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use ring::digest::{Digest, SHA256, digest};

use super::{
    CHECKSUM, Completion, OWNER, RoundFailure, SourceFile, Upload, condition,
    pending_upload::{PendingUpload, is_number},
    storage_client::{ObjectRequest, Transfer},
};
use crate::{
    client::RequestFailure,
    s3::{Refusal, element, escaped_value, inner},
};

/// Parts of an object, at most.
const MOST_PARTS: u64 = 10_000;
/// Parts that are sent at the same time.
const SENDERS: u64 = 4;
impl Upload {
    /// Puts a file there in parts.
    pub(super) fn put_parts(
        &self,
        source: &SourceFile,
        (owner, pending): (&str, &PendingUpload),
        overwrite: bool,
        transfer: &Transfer,
    ) -> Result<(), RoundFailure> {
        let upload = self.begin(owner, transfer)?;
        pending.write(&upload);
        let end = self.send(source, &upload, transfer).and_then(|parts| {
            self.complete(&parts, &upload, owner, overwrite, transfer)?;
            let digests: Vec<u8> = parts.iter().flat_map(|part| part.digest.as_ref()).copied().collect();
            self.verify(owner, source.length, &BASE64_STANDARD.encode(digest(&SHA256, &digests)))
        });
        // What has become an object is no upload any more.
        let left = if end.is_err() { self.abort(&upload) } else { Ok(()) };
        match (end, left) {
            (Err(RoundFailure::Transient(reason) | RoundFailure::Permanent(reason)), Err(_)) => Err(
                RoundFailure::Permanent(format!("{reason}; parts are left there, which the same command takes away")),
            ),
            (end, left) => {
                if left.is_ok() {
                    pending.remove();
                }
                end
            }
        }
    }

    /// Begins an upload; its number.
    pub(super) fn begin(&self, owner: &str, transfer: &Transfer) -> Result<String, RoundFailure> {
        let headers = [(OWNER, owner), ("x-amz-checksum-algorithm", "SHA256")];
        let sent = ObjectRequest::new("POST", "uploads=".to_owned(), &headers);
        let ask = || {
            let answer = self.storage.request(&sent, Some(transfer)).map_err(|refusal| refusal.failure)?;
            let upload = inner(&answer.text, "UploadId").filter(|upload| is_number(upload));
            upload
                .map(str::to_owned)
                .ok_or_else(|| RequestFailure::Transient("the server began no upload".to_owned(), None))
        };
        self.storage.client.with_retries_until(&transfer.stop, ask, "").map_err(RoundFailure::Permanent)
    }

    /// Sends all parts, several at the same time.
    fn send(&self, source: &SourceFile, upload: &str, transfer: &Transfer) -> Result<Vec<Part>, RoundFailure> {
        let bytes = self.part_bytes.max(source.length.div_ceil(MOST_PARTS));
        let count = source.length.div_ceil(bytes);
        let (next, found) = (AtomicU64::new(0), Mutex::new((Vec::new(), None)));
        let lock = || found.lock().unwrap_or_else(PoisonError::into_inner);
        let send = || {
            while !transfer.stop.load(Ordering::Relaxed) {
                let k = next.fetch_add(1, Ordering::Relaxed);
                if k >= count {
                    break;
                }
                let offset = k * bytes;
                let part = source.part(offset, bytes.min(source.length - offset));
                match part.and_then(|part| self.send_part(k + 1, &part, upload, transfer)) {
                    Ok(part) => lock().0.push(part),
                    Err(failure) => {
                        transfer.stop.store(true, Ordering::Relaxed);
                        lock().1.get_or_insert(failure);
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..SENDERS.min(count) {
                // With fewer threads it takes longer.
                let _started = thread::Builder::new().name("upload part".to_owned()).spawn_scoped(scope, send);
            }
            send();
        });
        let (mut parts, failure) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        match failure {
            Some(failure) => Err(failure),
            None if parts.len() as u64 == count => {
                parts.sort_by_key(|part: &Part| part.number);
                Ok(parts)
            }
            None => Err(RoundFailure::Permanent("stopped".to_owned())),
        }
    }

    fn send_part(&self, number: u64, bytes: &[u8], upload: &str, transfer: &Transfer) -> Result<Part, RoundFailure> {
        let digest = digest(&SHA256, bytes);
        let sum = BASE64_STANDARD.encode(digest);
        let query = format!("partNumber={number}&uploadId={}", escaped_value(upload));
        let sent =
            ObjectRequest { body: bytes, digest: &digest, ..ObjectRequest::new("PUT", query, &[(CHECKSUM, &sum)]) };
        let ask = || match self.storage.request(&sent, Some(transfer)) {
            Ok(answer) => match answer.header("etag").filter(|tag| is_number(tag.trim_matches('"'))) {
                Some(tag) => Ok(Ok(tag.to_owned())),
                None => Err(RequestFailure::Transient("the server has given a part no tag".to_owned(), None)),
            },
            Err(Refusal { status: 404, code, .. }) if code == "NoSuchUpload" => Ok(Err(GONE.to_owned())),
            Err(refusal) => Err(refusal.failure),
        };
        let tag = self.storage.client.with_retries_until(&transfer.stop, ask, "; what was to be put there is kept");
        let tag = tag.map_err(RoundFailure::Permanent)?.map_err(RoundFailure::Transient)?;
        Ok(Part { number, tag, digest })
    }

    /// Has the server put the parts together under the name.
    fn complete(
        &self,
        parts: &[Part],
        upload: &str,
        owner: &str,
        overwrite: bool,
        transfer: &Transfer,
    ) -> Result<(), RoundFailure> {
        let list: String = parts.iter().map(Part::listed).collect();
        let body = format!(
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{list}</CompleteMultipartUpload>"
        );
        let digest = digest(&SHA256, body.as_bytes());
        let query = format!("uploadId={}", escaped_value(upload));
        let condition: Vec<_> = condition(overwrite).into_iter().collect();
        let sent =
            ObjectRequest { body: body.as_bytes(), digest: &digest, ..ObjectRequest::new("POST", query, &condition) };
        // None is too small as it was sent.
        let gone = |code: &str| LOST.contains(&code);
        let ask = || match self.storage.request(&sent, None) {
            Ok(answer) => match element(&answer.text, "Code") {
                None if answer.text.contains("CompleteMultipartUploadResult") => Ok(Completion::Done),
                // A failure after the status was sent stands behind it.
                Some("PreconditionFailed") => Ok(Completion::NameTaken),
                Some(code) if gone(code) => Ok(Completion::UploadLost(format!("{GONE} ({code})"))),
                code => Err(RequestFailure::Transient(
                    format!("parts were not put together ({})", code.unwrap_or("cut")),
                    None,
                )),
            },
            Err(Refusal { status: 412, .. }) => Ok(Completion::NameTaken),
            Err(Refusal { code, .. }) if gone(&code) => Ok(Completion::UploadLost(format!("{GONE} ({code})"))),
            Err(refusal) => Err(refusal.failure),
        };
        let end = self.storage.client.with_retries_until(&transfer.stop, ask, "; what was to be put there is kept");
        self.resolve(end, owner)
    }

    /// Takes back an upload and its parts.
    pub(super) fn abort(&self, upload: &str) -> Result<(), String> {
        let sent = ObjectRequest::new("DELETE", format!("uploadId={}", escaped_value(upload)), &[]);
        let ask = || match self.storage.request(&sent, None) {
            Ok(_) | Err(Refusal { status: 404, .. }) => Ok(()),
            Err(refusal) => Err(refusal.failure),
        };
        self.storage.client.with_retries(ask, "")
    }
}

/// What a server calls it when it does not know an upload, or not all of its parts, or has to hear all of it again.
const LOST: [&str; 4] = ["NoSuchUpload", "InvalidPart", "EntityTooSmall", "ConditionalRequestConflict"];
/// How that is told.
const GONE: &str = "the server has lost parts";

/// A part that the server has.
struct Part {
    number: u64,
    tag: String,
    digest: Digest,
}

impl Part {
    fn listed(&self) -> String {
        let Self { number, tag, digest } = self;
        let (tag, sum) = (tag.replace('"', "&quot;"), BASE64_STANDARD.encode(digest));
        format!(
            "<Part><PartNumber>{number}</PartNumber><ETag>{tag}</ETag><ChecksumSHA256>{sum}</ChecksumSHA256></Part>"
        )
    }
}
