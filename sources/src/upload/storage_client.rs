//! How does a request go to object storage whose body can be stopped on its way?

use std::{
    io::{self, Read},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use ring::digest::Digest;
use ureq::{
    SendBody,
    http::{HeaderMap, Request},
};

use crate::{
    client::{Client, RequestFailure, request_failure, transient},
    s3::{NOTHING, Object, Permission, Refusal},
};

/// How much longer than others the request may take by which the server puts parts together.
const SLOW: u32 = 10;
/// Longest answer with a body: some words of XML.
const MOST_ANSWER: u64 = 1 << 20;

/// A request to object storage.
pub(super) struct ObjectRequest<'a> {
    pub method: &'static str,
    pub query: String,
    pub headers: Vec<(&'static str, &'a str)>,
    pub body: &'a [u8],
    /// SHA-256 of the body.
    pub digest: &'a Digest,
}

impl<'a> ObjectRequest<'a> {
    pub fn new(method: &'static str, query: String, headers: &[(&'static str, &'a str)]) -> Self {
        Self { method, query, headers: headers.to_vec(), body: &[], digest: &NOTHING }
    }
}

/// The response: headers, and a short text.
pub(super) struct Response {
    pub headers: HeaderMap,
    pub text: String,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// State of a transfer that the threads share which send a file.
#[derive(Default)]
pub(super) struct Transfer {
    /// Whether the user has had enough.
    pub interrupted: AtomicBool,
    /// Whether nothing more is to be sent in this round.
    pub stop: AtomicBool,
    pub sent: AtomicU64,
}

/// A body that can be stopped, and counts what is sent of it.
struct StoppableBody<'a> {
    rest: &'a [u8],
    counted: u64,
    transfer: &'a Transfer,
}

impl Read for StoppableBody<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.transfer.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        let length = self.rest.read(to)?;
        self.counted += length as u64;
        self.transfer.sent.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// Sends requests for one object.
#[derive(Debug)]
pub(super) struct StorageClient {
    pub object: Object,
    pub client: Client,
    /// Time for a connection.
    pub timeout: Duration,
}

impl StorageClient {
    /// Sends a request; with a transfer, one that it can stop.
    pub fn request(&self, sent: &ObjectRequest<'_>, transfer: Option<&Transfer>) -> Result<Response, Refusal> {
        let failed = |failure| Refusal { status: 0, code: String::new(), failure };
        let ObjectRequest { method, query, headers, body, digest } = sent;
        let url = if query.is_empty() { self.object.url.clone() } else { format!("{}?{query}", self.object.url) };
        let mut request = Request::builder().method(*method).uri(url);
        for (name, value) in self.object.headers((method, query), headers, digest) {
            request = request.header(name, value);
        }
        let lasting = |error: ureq::http::Error| failed(RequestFailure::Permanent(error.to_string()));
        let agent = self.client.agent();
        let answer = if matches!(*method, "PUT" | "POST") {
            let idle = Transfer::default();
            let mut body = StoppableBody { rest: body, counted: 0, transfer: transfer.unwrap_or(&idle) };
            let request = request.header("content-length", body.rest.len().to_string());
            let sent = SendBody::from_reader(&mut body);
            let request = agent.configure_request(request.body(sent).map_err(lasting)?);
            // Parts are put together before it is answered.
            let patience = if *method == "POST" { 6 * SLOW } else { 6 } * self.timeout;
            let answer = agent.run(request.timeout_recv_response(Some(patience)).build());
            if !answer.as_ref().is_ok_and(|answer| answer.status().is_success()) {
                // It will be sent once more, or never.
                body.transfer.sent.fetch_sub(body.counted, Ordering::Relaxed);
            }
            answer
        } else {
            agent.run(request.body(()).map_err(lasting)?)
        };
        let mut response = answer.map_err(|error| failed(request_failure(error)))?;
        if !response.status().is_success() {
            return Err(self.object.refusal(&mut response, Permission::Write));
        }
        let text = if *method == "POST" {
            let text = response.body_mut().with_config().limit(MOST_ANSWER).read_to_string();
            text.map_err(|error| failed(transient(error)))?
        } else {
            String::new()
        };
        Ok(Response { headers: response.headers().clone(), text })
    }
}
