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
    client::{Client, Trouble, passing, trouble},
    s3::{NOTHING, Object, Refusal, Right},
};

/// How much longer than others the request may take by which the server puts parts together.
const SLOW: u32 = 10;
/// Longest answer with a body: some words of XML.
const MOST_ANSWER: u64 = 1 << 20;

/// What a request sends.
pub(super) struct Sent<'a> {
    pub method: &'static str,
    pub query: String,
    pub headers: Vec<(&'static str, &'a str)>,
    pub body: &'a [u8],
    /// SHA-256 of the body.
    pub digest: &'a Digest,
}

impl<'a> Sent<'a> {
    pub fn new(method: &'static str, query: String, headers: &[(&'static str, &'a str)]) -> Self {
        Self { method, query, headers: headers.to_vec(), body: &[], digest: &NOTHING }
    }
}

/// What came back: headers, and a short text.
pub(super) struct Answer {
    pub headers: HeaderMap,
    pub said: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// What threads share that send a file.
#[derive(Default)]
pub(super) struct Run {
    /// Whether the user has had enough.
    pub interrupted: AtomicBool,
    /// Whether nothing more is to be sent in this round.
    pub stop: AtomicBool,
    pub sent: AtomicU64,
}

/// A body that can be stopped, and counts what is sent of it.
struct Body<'a> {
    rest: &'a [u8],
    counted: u64,
    run: &'a Run,
}

impl Read for Body<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.run.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        let length = self.rest.read(to)?;
        self.counted += length as u64;
        self.run.sent.fetch_add(length as u64, Ordering::Relaxed);
        Ok(length)
    }
}

/// An object, and who is asked for it.
#[derive(Debug)]
pub(super) struct Way {
    pub object: Object,
    pub client: Client,
    /// Time for a connection.
    pub timeout: Duration,
}

impl Way {
    /// Sends a request; with a run, one that it can stop.
    pub fn ask(&self, sent: &Sent<'_>, run: Option<&Run>) -> Result<Answer, Refusal> {
        let failed = |trouble| Refusal { status: 0, code: String::new(), trouble };
        let Sent { method, query, headers, body, digest } = sent;
        let url = if query.is_empty() { self.object.url.clone() } else { format!("{}?{query}", self.object.url) };
        let mut request = Request::builder().method(*method).uri(url);
        for (name, value) in self.object.headers((method, query), headers, digest) {
            request = request.header(name, value);
        }
        let lasting = |error: ureq::http::Error| failed(Trouble::Lasting(error.to_string()));
        let agent = self.client.agent();
        let answer = if matches!(*method, "PUT" | "POST") {
            let idle = Run::default();
            let mut body = Body { rest: body, counted: 0, run: run.unwrap_or(&idle) };
            let request = request.header("content-length", body.rest.len().to_string());
            let sent = SendBody::from_reader(&mut body);
            let request = agent.configure_request(request.body(sent).map_err(lasting)?);
            // Parts are put together before it is answered.
            let patience = if *method == "POST" { 6 * SLOW } else { 6 } * self.timeout;
            let answer = agent.run(request.timeout_recv_response(Some(patience)).build());
            if !answer.as_ref().is_ok_and(|answer| answer.status().is_success()) {
                // It will be sent once more, or never.
                body.run.sent.fetch_sub(body.counted, Ordering::Relaxed);
            }
            answer
        } else {
            agent.run(request.body(()).map_err(lasting)?)
        };
        let mut response = answer.map_err(|error| failed(trouble(error)))?;
        if !response.status().is_success() {
            return Err(self.object.refusal(&mut response, Right::Write));
        }
        let said = if *method == "POST" {
            let said = response.body_mut().with_config().limit(MOST_ANSWER).read_to_string();
            said.map_err(|error| failed(passing(error)))?
        } else {
            String::new()
        };
        Ok(Answer { headers: response.headers().clone(), said })
    }
}
