//! How is a server asked? By few requests at a time, with retries where it is busy, and no more than it allows.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread::sleep,
    time::{Duration, Instant},
};

use ureq::{Agent, Proxy, config::ConfigBuilder, http::Response};

/// Most bytes of an answer that is a tile.
#[cfg(feature = "gdal")]
const MOST_BYTES: u64 = 8 << 20;
/// Connections to a server, at most.
pub(crate) const CONNECTIONS: usize = 6;
/// How often something is asked for.
pub(crate) const TRIES: u32 = 5;
/// How often a server may send elsewhere.
pub(crate) const REDIRECTS: u32 = 4;
/// Longest pause that a server may ask for.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How often who waits looks whether he still has to.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// The way to servers: by the proxy that the environment names, or straight.
#[derive(Clone, Debug)]
pub struct Network(Option<Proxy>);

impl Network {
    /// As the environment says now: `https_proxy`, `no_proxy` and alike.
    pub fn from_env() -> Self {
        Self(Proxy::try_from_env())
    }
}

/// What a server answered.
#[cfg(feature = "gdal")]
pub(crate) enum TileResponse {
    Bytes(Vec<u8>),
    /// It has no such tile.
    NotFound,
}

/// Why a request failed.
#[derive(Clone, Debug)]
pub(crate) enum RequestFailure {
    /// Another try may help, after as long as the server says.
    Transient(String, Option<Duration>),
    Permanent(String),
}

#[derive(Debug)]
pub(crate) struct Client {
    agent: Agent,
    /// After the first failure; twice as long after each further one.
    pause: Duration,
}

impl Client {
    /// A server that is asked by https leads nowhere without it.
    #[cfg(feature = "gdal")]
    pub fn new(pause: Duration, url: &str, network: &Network) -> Self {
        Self::with_limits(pause, (url, REDIRECTS), network, Duration::from_secs(10))
    }

    /// The same with another number of redirects and time for a connection; an answer as a whole may take six times that.
    pub fn with_limits(pause: Duration, server: (&str, u32), network: &Network, connect: Duration) -> Self {
        let config = config(server, network, connect);
        let config = config.timeout_recv_response(Some(2 * connect)).timeout_global(Some(6 * connect)).build();
        Self { agent: Agent::new_with_config(config), pause }
    }

    /// For requests that send much: as long as all of it takes, if no piece of it takes long. They are for one server.
    pub fn for_uploads(pause: Duration, url: &str, network: &Network, connect: Duration) -> Self {
        let (config, piece) = (config((url, 0), network, connect), Some(6 * connect));
        let config = config.timeout_recv_response(piece).timeout_recv_body(piece).timeout_per_write(piece).build();
        Self { agent: Agent::new_with_config(config), pause }
    }

    /// What the server has at an address, and `check` accepts; else what came instead.
    #[cfg(feature = "gdal")]
    pub fn get<T>(&self, url: &str, check: impl Fn(&[u8]) -> Result<T, String>) -> Result<TileResponse, String> {
        let ask = || match self.request(url)? {
            TileResponse::NotFound => Ok(TileResponse::NotFound),
            TileResponse::Bytes(bytes) => match check(&bytes) {
                Ok(_) => Ok(TileResponse::Bytes(bytes)),
                // Bytes get lost on the way.
                Err(reason) => Err(RequestFailure::Transient(reason, None)),
            },
        };
        self.with_retries(ask, "; what is there is kept")
    }

    /// What `ask` gets in as many tries as help; `besides` is said after the last one.
    pub fn with_retries<T>(&self, ask: impl Fn() -> Result<T, RequestFailure>, besides: &str) -> Result<T, String> {
        self.with_retries_until(&AtomicBool::new(false), ask, besides)
    }

    /// The same, without another try once `stop` is set.
    pub fn with_retries_until<T>(
        &self,
        stop: &AtomicBool,
        ask: impl Fn() -> Result<T, RequestFailure>,
        besides: &str,
    ) -> Result<T, String> {
        let (mut tries, mut pause) = (1, self.pause);
        loop {
            let (reason, asked) = match ask() {
                Ok(answer) => return Ok(answer),
                Err(RequestFailure::Permanent(reason)) => return Err(reason),
                Err(RequestFailure::Transient(reason, asked)) => (reason, asked),
            };
            if tries == TRIES {
                return Err(format!("{reason}, {TRIES} times{besides}: try again later"));
            }
            let until = Instant::now() + asked.unwrap_or(pause).min(LONGEST_PAUSE);
            while Instant::now() < until && !stop.load(Ordering::Relaxed) {
                sleep(LOOK.min(until.saturating_duration_since(Instant::now())));
            }
            if stop.load(Ordering::Relaxed) {
                return Err(reason);
            }
            (tries, pause) = (tries + 1, 2 * pause);
        }
    }

    #[cfg(feature = "gdal")]
    fn request(&self, url: &str) -> Result<TileResponse, RequestFailure> {
        let mut response = self.agent.get(url).call().map_err(request_failure)?;
        match response.status().as_u16() {
            200 => {
                let bytes = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec().map_err(transient)?;
                Ok(TileResponse::Bytes(bytes))
            }
            204 | 404 | 410 => Ok(TileResponse::NotFound),
            _ => Err(refusal(&response)),
        }
    }

    /// What asks, for requests of another kind.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }
}

/// What holds for all requests.
fn config(
    (url, redirects): (&str, u32),
    network: &Network,
    connect: Duration,
) -> ConfigBuilder<ureq::typestate::AgentScope> {
    Agent::config_builder()
        .proxy(network.0.clone())
        .user_agent(concat!("orogen/", env!("CARGO_PKG_VERSION")))
        .timeout_connect(Some(connect))
        .max_idle_connections_per_host(CONNECTIONS)
        .max_redirects(redirects)
        .https_only(url.starts_with("https://"))
        .http_status_as_error(false)
}

/// A failure that another try may not meet.
pub(crate) fn transient(error: ureq::Error) -> RequestFailure {
    RequestFailure::Transient(error.to_string(), None)
}

/// What keeps an answer from coming.
pub(crate) fn request_failure(error: ureq::Error) -> RequestFailure {
    match error {
        ureq::Error::BadUri(_) | ureq::Error::TooManyRedirects | ureq::Error::RequireHttpsOnly(_) => {
            RequestFailure::Permanent(error.to_string())
        }
        error => transient(error),
    }
}

/// What an answer says that gives nothing.
pub(crate) fn refusal<T>(response: &Response<T>) -> RequestFailure {
    match response.status().as_u16() {
        status @ (401 | 403) => RequestFailure::Permanent(format!(
            "status {status}: the server refuses; does it want a key in the address?"
        )),
        status @ (404 | 410) => RequestFailure::Permanent(format!("status {status}: the server has no such file")),
        status @ (408 | 425 | 429 | 500..=599) => {
            RequestFailure::Transient(format!("status {status}"), retry_after(response))
        }
        status => RequestFailure::Permanent(format!("status {status}")),
    }
}

/// How long a server wants to be left alone.
fn retry_after<T>(response: &Response<T>) -> Option<Duration> {
    let seconds = response.headers().get("retry-after")?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}
