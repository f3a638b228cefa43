//! How is a part of a file requested? By a range of HTTP, checked against what was requested.

use std::ops::Range;

use ureq::{Agent, Body, http::Response};

use crate::{
    client::{REDIRECTS, RequestFailure, refusal, request_failure, transient},
    s3::{NOTHING, Object, Permission, S3Options},
};

/// What a server says when it sends a whole file in place of a part.
pub(crate) const NO_PARTS: &str =
    "the server does not serve parts of files (HTTP ranges): download the pack, or use another server";
/// Why a file is read no more.
pub(crate) const REPLACED: &str = "it was replaced on the server while it was read: open it again";

/// A part of a file on a server.
#[derive(Debug)]
pub(crate) struct Part {
    /// As many as were asked for, or up to the end of the file.
    pub bytes: Vec<u8>,
    /// Bytes of the whole file.
    pub length: u64,
    /// What tells this state of the file from others: a strong entity tag, or else its date.
    pub validator: Option<String>,
    /// Whether the server says that nobody shall keep it.
    pub is_fleeting: bool,
}

/// The address of a pack.
#[derive(Debug)]
pub(crate) enum PackAddress {
    /// At an address of http or https.
    Url(String),
    /// On object storage.
    Object(Object),
}

impl PackAddress {
    /// That of an address.
    ///
    /// # Errors
    /// What is wrong with an address of object storage, or its options.
    pub fn of(address: &str, s3: &S3Options) -> Result<Self, String> {
        Object::of(address, s3).map_or_else(|| Ok(Self::Url(address.to_owned())), |object| object.map(Self::Object))
    }

    /// What is asked.
    pub fn url(&self) -> &str {
        match self {
            Self::Url(url) => url,
            Self::Object(object) => &object.url,
        }
    }

    /// How often a server may send elsewhere. Signatures are for one server.
    pub fn redirects(&self) -> u32 {
        match self {
            Self::Url(_) => REDIRECTS,
            Self::Object(_) => 0,
        }
    }

    fn headers(&self, range: &str) -> Vec<(&'static str, String)> {
        match self {
            Self::Url(_) => vec![("range", range.to_owned())],
            Self::Object(object) => object.headers(("GET", ""), &[("range", range)], &NOTHING),
        }
    }

    fn refusal(&self, response: &mut Response<Body>) -> RequestFailure {
        match self {
            Self::Url(_) => refusal(response),
            Self::Object(object) => object.refusal(response, Permission::Read).failure,
        }
    }
}

/// Asks for a part; with a validator, of that state of the file.
///
/// # Errors
/// What the server says, or what came in place of the part.
pub(crate) fn request_part(
    agent: &Agent,
    address: &PackAddress,
    part: Range<u64>,
    validator: Option<&str>,
) -> Result<Part, RequestFailure> {
    let Some(last) = part.end.checked_sub(1).filter(|last| *last >= part.start) else {
        return Err(RequestFailure::Permanent("an empty part".to_owned()));
    };
    let range = format!("bytes={}-{last}", part.start);
    let mut request = agent.get(address.url());
    for (name, value) in address.headers(&range) {
        request = request.header(name, value);
    }
    // Parts of what is squeezed are no parts of the file.
    request = request.header("accept-encoding", "identity");
    if let Some(validator) = validator {
        request = request.header("if-range", validator);
    }
    let mut response = request.call().map_err(request_failure)?;
    match response.status().as_u16() {
        206 => {}
        // The file is another one, or the server knows no parts: nothing of it is downloaded.
        200 => {
            let is_other = validator.is_some_and(|known| validator_of(&response).as_deref() != Some(known));
            return Err(RequestFailure::Permanent(if is_other { REPLACED } else { NO_PARTS }.to_owned()));
        }
        412 => return Err(RequestFailure::Permanent(REPLACED.to_owned())),
        416 => return Err(RequestFailure::Permanent("status 416: the file on the server is shorter".to_owned())),
        _ => return Err(address.refusal(&mut response)),
    }
    let wrong = |what: &str| {
        RequestFailure::Transient(format!("the server sent another part than was asked for: {what}"), None)
    };
    let stated = header(&response, "content-range").unwrap_or_default();
    let (first, end, length) = content_range(&stated).ok_or_else(|| wrong(&stated))?;
    let expected = part.end.min(length);
    if first != part.start || end != expected {
        return Err(wrong(&stated));
    }
    let validator = validator_of(&response);
    let is_fleeting =
        header(&response, "cache-control").is_some_and(|said| said.to_ascii_lowercase().contains("no-store"));
    let bytes = response.body_mut().with_config().limit(expected - first + 1).read_to_vec().map_err(transient)?;
    if bytes.len() as u64 != expected - first {
        return Err(wrong(&format!("{} bytes of {}", bytes.len(), expected - first)));
    }
    Ok(Part { bytes, length, validator, is_fleeting })
}

fn header<T>(response: &Response<T>, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.trim().to_owned())
}

/// A weak tag tells less than a date that parts are of one state.
fn validator_of<T>(response: &Response<T>) -> Option<String> {
    header(response, "etag").filter(|tag| !tag.starts_with("W/")).or_else(|| header(response, "last-modified"))
}

/// First byte, byte after the last and length of `bytes FIRST-LAST/LENGTH`.
fn content_range(stated: &str) -> Option<(u64, u64, u64)> {
    let (range, length) = stated.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let [first, last, length] = [first, last, length].map(|number| number.trim().parse::<u64>().ok());
    let (first, end, length) = (first?, last?.checked_add(1)?, length?);
    (first < end && end <= length).then_some((first, end, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what is no part of a file of known length is none.
    #[test]
    fn parts_are_whole() {
        assert_eq!(content_range("bytes 5-9/100"), Some((5, 10, 100)));
        for bad in [
            "",
            "bytes 5-9/*",
            "bytes 9-5/100",
            "bytes 5-100/100",
            "5-9/100",
            "bytes -5/100",
            "bytes 5-18446744073709551615/9",
        ] {
            assert_eq!(content_range(bad), None, "{bad}");
        }
    }
}
