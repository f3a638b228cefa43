//! How is an object of S3 storage asked for? By an ordinary address, and headers that sign each request.

use std::{sync::LazyLock, time::SystemTime};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ring::digest::{Digest, SHA256, digest};
use ureq::{Body, http::Response};

use crate::{
    client::{RequestFailure, refusal},
    signature::{Keys, Signed},
};

/// The beginning of addresses of objects.
const SCHEME: &str = "s3://";
/// What is escaped in paths: all but what Signature Version 4 calls unreserved, and slashes.
const ESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
/// The same in values behind a question mark.
const ESCAPED_VALUE: AsciiSet = ESCAPED.add(b'/');
/// SHA-256 of no body.
pub(crate) static NOTHING: LazyLock<Digest> = LazyLock::new(|| digest(&SHA256, b""));
/// Bytes that are read of what a server says about a refusal.
pub(crate) const MOST_RESPONSE_BYTES: u64 = 64 << 10;

/// Where objects `s3://BUCKET/KEY` lie, and with whose keys they are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct S3Options {
    /// Or what is wrong with the keys.
    access: Result<Access, String>,
    region: String,
    /// A server in place of those of AWS, and the variable that names it.
    endpoint: Option<(&'static str, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Access {
    Signed(Keys),
    /// Without a signature; why, and what to do where it does not suffice.
    Anonymous(&'static str),
}

impl S3Options {
    /// What the usual variables say: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_NO_SIGN_REQUEST`, `AWS_REGION` or
    /// `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`. What is empty counts as unset. Without keys requests are not
    /// signed, which is enough for public buckets. What is wrong is told by whoever opens an object.
    ///
    /// ```
    /// use sources::S3Options;
    /// let options = S3Options::of_variables(|name| std::env::var(name).ok());
    /// assert_eq!(S3Options::of_variables(|_| Some(String::new())), S3Options::default());
    /// ```
    pub fn of_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let said = |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let is_no = |value: &String| ["no", "false", "off", "0"].contains(&value.to_ascii_lowercase().as_str());
        let keys = (said("AWS_ACCESS_KEY_ID"), said("AWS_SECRET_ACCESS_KEY"));
        let unset =
            |name: &str| Err(format!("{name} is not set, but its other half is: set both, or none for public buckets"));
        let access = match keys {
            _ if said("AWS_NO_SIGN_REQUEST").is_some_and(|value| !is_no(&value)) => {
                Ok(Access::Anonymous("AWS_NO_SIGN_REQUEST is set: unset it"))
            }
            (Some(id), Some(secret)) => {
                let keys = Keys { id, secret, token: said("AWS_SESSION_TOKEN") };
                let is_key = |key: &str| key.bytes().all(|byte| byte.is_ascii_graphic());
                let are_keys = [&keys.id, &keys.secret].into_iter().chain(&keys.token).all(|key| is_key(key));
                let wrong =
                    "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY or AWS_SESSION_TOKEN has characters that no key has";
                if are_keys { Ok(Access::Signed(keys)) } else { Err(format!("{wrong}: set it again")) }
            }
            (None, None) => Ok(Access::Anonymous("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: set them")),
            (None, _) => unset("AWS_ACCESS_KEY_ID"),
            (_, None) => unset("AWS_SECRET_ACCESS_KEY"),
        };
        let region = said("AWS_REGION").or_else(|| said("AWS_DEFAULT_REGION"));
        let endpoint = |name: &'static str| said(name).map(|address| (name, address));
        Self {
            access,
            region: region.unwrap_or_else(|| "us-east-1".to_owned()),
            endpoint: endpoint("AWS_ENDPOINT_URL_S3").or_else(|| endpoint("AWS_ENDPOINT_URL")),
        }
    }
}

impl Default for S3Options {
    /// Those of no variables: public buckets of AWS.
    fn default() -> Self {
        Self::of_variables(|_| None)
    }
}

/// What is done with an object, and so what keys must allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permission {
    Read,
    Write,
}

/// An answer that gives nothing.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub status: u16,
    /// The server's word for it; empty where it says none.
    pub code: String,
    /// What it means for whoever asked.
    pub failure: RequestFailure,
}

/// An object, and how it is asked for.
#[derive(Debug)]
pub(crate) struct Object {
    pub url: String,
    host: String,
    path: String,
    bucket: String,
    region: String,
    access: Access,
}

impl Object {
    /// That of an address, if it is one of S3.
    ///
    /// # Errors
    /// What is wrong with the address or the options.
    pub fn of(address: &str, options: &S3Options) -> Option<Result<Self, String>> {
        is_address(address).then(|| Self::at(&address[SCHEME.len()..], options))
    }

    fn at(place: &str, options: &S3Options) -> Result<Self, String> {
        let (bucket, key) = place.split_once('/').unwrap_or((place, ""));
        let is_of = |text: &str, more: &[u8]| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || more.contains(&byte))
        };
        if !is_of(bucket, b".-_") {
            return Err("it names no bucket: give s3://BUCKET/KEY.pack".to_owned());
        }
        // A key that is only an extension is none that anybody means.
        if matches!(key, "" | ".pack") || key.contains(['?', '#']) {
            return Err("it names no key of an object: give s3://BUCKET/KEY.pack, without ? and #".to_owned());
        }
        let region = options.region.clone();
        if !is_of(&region, b"-") {
            return Err("AWS_REGION names no region: set it to one like eu-central-1".to_owned());
        }
        let access = options.access.clone()?;
        let key = utf8_percent_encode(key, &ESCAPED);
        let (scheme, host, path) = match &options.endpoint {
            Some((variable, endpoint)) => {
                let wrong = || format!("{variable} is no address of a server: set it to one like https://HOST:PORT");
                let (scheme, rest) = endpoint.split_once("://").ok_or_else(wrong)?;
                let (host, folder) = rest.split_once('/').unwrap_or((rest, ""));
                let folder = folder.trim_matches('/');
                if !["http", "https"].contains(&scheme)
                    || !is_of(host, b".-_:[]")
                    || !is_of(&format!("x{folder}"), b".-_~/")
                {
                    return Err(wrong());
                }
                let folder = if folder.is_empty() { String::new() } else { format!("/{folder}") };
                (scheme, host.to_owned(), format!("{folder}/{bucket}/{key}"))
            }
            None => {
                let china = if region.starts_with("cn-") { ".cn" } else { "" };
                let server = format!("s3.{region}.amazonaws.com{china}");
                // A certificate for all buckets is good for names without dots.
                if bucket.contains(['.', '_']) {
                    ("https", server, format!("/{bucket}/{key}"))
                } else {
                    ("https", format!("{bucket}.{server}"), format!("/{key}"))
                }
            }
        };
        Ok(Self { url: format!("{scheme}://{host}{path}"), host, path, bucket: bucket.to_owned(), region, access })
    }

    /// Headers of a request with headers of its own, and a body of this SHA-256.
    pub fn headers(
        &self,
        (method, query): (&str, &str),
        own: &[(&'static str, &str)],
        body: &Digest,
    ) -> Vec<(&'static str, String)> {
        let mut headers: Vec<_> = own.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        if let Access::Signed(keys) = &self.access {
            let own: Vec<(&str, &str)> = own.iter().copied().chain([("host", self.host.as_str())]).collect();
            let (path, region) = (&self.path, &self.region);
            let request = Signed { method, path, query, headers: &own, body: body.as_ref(), region };
            headers.extend(request.headers(keys, SystemTime::now()));
            headers.push(("host", self.host.clone()));
        }
        headers
    }

    /// What an answer says that gives nothing, and what to do.
    pub fn refusal(&self, response: &mut Response<Body>, right: Permission) -> Refusal {
        let status = response.status().as_u16();
        let region = response.headers().get("x-amz-bucket-region").and_then(|region| region.to_str().ok());
        let region = region.map(str::to_owned);
        let usual = refusal(response);
        // What a server says is a help, and may be cut off.
        let said = response.body_mut().with_config().limit(MOST_RESPONSE_BYTES).read_to_string().unwrap_or_default();
        let code = element(&said, "Code").unwrap_or_default();
        let region = region.as_deref().and_then(word).or_else(|| element(&said, "Region"));
        let region = region.filter(|region| *region != self.region);
        let failure = match self.reason((status, code), region, right) {
            Some(reason) => RequestFailure::Permanent(format!("{}: {reason}", named(status, code))),
            None => match usual {
                _ if status == 400 && GARBLED.contains(&code) => RequestFailure::Transient(named(status, code), None),
                RequestFailure::Transient(_, pause) if status != 501 => {
                    RequestFailure::Transient(named(status, code), pause)
                }
                _ => RequestFailure::Permanent(named(status, code)),
            },
        };
        Refusal { status, code: code.to_owned(), failure }
    }

    /// What a refusal comes of that no other try helps with, and what to do.
    fn reason(&self, (status, code): (u16, &str), region: Option<&str>, right: Permission) -> Option<String> {
        Some(match (status, region, code) {
            (301 | 302 | 307 | 308 | 400, Some(region), _) => {
                format!("the bucket lies in {region}: set AWS_REGION={region}")
            }
            (301 | 302 | 307 | 308, None, _) => "the bucket lies elsewhere: set AWS_REGION to its region".to_owned(),
            (404, _, "NoSuchBucket") => {
                format!("{} has no bucket {}: is AWS_ENDPOINT_URL_S3 right?", self.host, self.bucket)
            }
            (404, ..) => format!("the bucket {} has no such object", self.bucket),
            (400 | 401 | 403, _, "RequestTimeTooSkewed") => "the clock of this machine is wrong: set it".to_owned(),
            (400 | 401 | 403, _, "ExpiredToken") => {
                "the keys have expired: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN to new ones"
                    .to_owned()
            }
            (401 | 403, ..) => self.forbidden(code, right),
            (501, ..) if right == Permission::Write => {
                "the server knows no conditional writes: --overwrite writes without".to_owned()
            }
            _ => return None,
        })
    }

    fn forbidden(&self, code: &str, right: Permission) -> String {
        let keys = match (&self.access, right) {
            (Access::Signed(keys), _) => keys,
            (Access::Anonymous(why), Permission::Read) => {
                return format!("the object is not public or not there, and {why}");
            }
            (Access::Anonymous(why), Permission::Write) => return format!("not everybody may write there, and {why}"),
        };
        match (code, &keys.token) {
            ("SignatureDoesNotMatch", _) => "AWS_SECRET_ACCESS_KEY is not that of AWS_ACCESS_KEY_ID".to_owned(),
            ("InvalidAccessKeyId", None) => {
                "the server does not know AWS_ACCESS_KEY_ID; keys for a time need AWS_SESSION_TOKEN, which is not set"
                    .to_owned()
            }
            ("InvalidAccessKeyId", Some(_)) => "the server does not know AWS_ACCESS_KEY_ID".to_owned(),
            ("InvalidToken", _) => "AWS_SESSION_TOKEN is not that of the keys".to_owned(),
            _ if right == Permission::Write => {
                "AWS_ACCESS_KEY_ID may not write it: allow s3:PutObject, s3:GetObject and s3:AbortMultipartUpload"
                    .to_owned()
            }
            _ => {
                "AWS_ACCESS_KEY_ID may not read it (s3:GetObject), or it is not there; AWS_NO_SIGN_REQUEST=YES asks without keys"
                    .to_owned()
            }
        }
    }
}

/// Whether an address is one of S3.
pub(crate) fn is_address(address: &str) -> bool {
    address.get(..SCHEME.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
}

/// What servers call a body that did not come as it was sent.
const GARBLED: [&str; 5] =
    ["RequestTimeout", "BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch"];

/// A value behind a question mark.
pub(crate) fn escaped_value(value: &str) -> String {
    utf8_percent_encode(value, &ESCAPED_VALUE).to_string()
}

fn named(status: u16, code: &str) -> String {
    if code.is_empty() { format!("status {status}") } else { format!("status {status} ({code})") }
}

/// The word in an element of what a server says.
pub(crate) fn element<'a>(said: &'a str, name: &str) -> Option<&'a str> {
    word(inner(said, name)?)
}

/// What stands in the first element of a name.
pub(crate) fn inner<'a>(said: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = said.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

/// What a server says, if it may be a code or the name of a region.
fn word(said: &str) -> Option<&str> {
    let is_word =
        (1..=64).contains(&said.len()) && said.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_word.then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(variables: &[(&str, &str)]) -> S3Options {
        S3Options::of_variables(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|found| found.1.to_owned())
        })
    }

    fn object(address: &str, variables: &[(&str, &str)]) -> Result<Object, String> {
        Object::of(address, &options(variables)).expect("an address of S3")
    }

    /// Law: an object lies at its bucket's host, at a path of its region's host if a certificate would not do, and at a path of any other server.
    #[test]
    fn addresses_are_those_of_objects() {
        let server = [("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/store/"), ("AWS_REGION", "eu-west-1")];
        let both = [("AWS_ENDPOINT_URL", "http://a"), ("AWS_ENDPOINT_URL_S3", "https://b")];
        for (address, variables, url) in [
            ("s3://alps/a/b.pack", &[][..], "https://alps.s3.us-east-1.amazonaws.com/a/b.pack"),
            (
                "S3://alps/b.pack",
                &[("AWS_DEFAULT_REGION", "cn-north-1")],
                "https://alps.s3.cn-north-1.amazonaws.com.cn/b.pack",
            ),
            ("s3://the.alps/b.pack", &[("AWS_REGION", "")], "https://s3.us-east-1.amazonaws.com/the.alps/b.pack"),
            ("s3://alps/é +%2F.pack", &server, "http://127.0.0.1:9000/store/alps/%C3%A9%20%2B%252F.pack"),
            ("s3://alps/b.pack", &both, "https://b/alps/b.pack"),
        ] {
            assert_eq!(object(address, variables).map(|object| object.url), Ok(url.to_owned()));
        }
        assert!(Object::of("https://example.org/a.pack", &S3Options::default()).is_none());
        assert!(Object::of("é", &S3Options::default()).is_none());
    }

    /// Law: what is wrong is told with what to do, and tells no key.
    #[test]
    fn what_is_wrong_is_told() {
        let endpoint = |address: &'static str| [("AWS_ENDPOINT_URL_S3", address)];
        for (address, variables, line) in [
            ("s3://", &[][..], "no bucket"),
            ("s3:///a.pack", &[], "no bucket"),
            ("s3://user@host/a.pack", &[], "no bucket"),
            ("s3://a.pack", &[], "no key"),
            ("s3://alps/.pack", &[], "no key"),
            ("s3://alps/a.pack?key=secret", &[], "without ? and #"),
            ("s3://alps/a.pack", &[("AWS_REGION", "a/secret")], "AWS_REGION names no region"),
            ("s3://alps/a.pack", &[("AWS_ACCESS_KEY_ID", "secret")], "AWS_SECRET_ACCESS_KEY is not set"),
            (
                "s3://alps/a.pack",
                &[("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "secret\n2")],
                "set it again",
            ),
            ("s3://alps/a.pack", &[("AWS_SECRET_ACCESS_KEY", "secret")], "AWS_ACCESS_KEY_ID is not set"),
            ("s3://alps/a.pack", &endpoint("127.0.0.1:9000"), "AWS_ENDPOINT_URL_S3 is no address"),
            ("s3://alps/a.pack", &endpoint("ftp://127.0.0.1"), "AWS_ENDPOINT_URL_S3 is no address"),
            ("s3://alps/a.pack", &endpoint("https://me:secret@host"), "AWS_ENDPOINT_URL_S3 is no address"),
            ("s3://alps/a.pack", &endpoint("https://host/?secret"), "AWS_ENDPOINT_URL_S3 is no address"),
        ] {
            let error = object(address, variables).map(|object| object.url).expect_err(address);
            assert!(error.contains(line) && !error.contains("secret"), "{address}: {error}");
        }
        let keys = [("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "secret"), ("AWS_SESSION_TOKEN", "secret")];
        assert!(!format!("{:?}", object("s3://alps/a.pack", &keys)).contains("secret"));
    }

    /// Law: requests are signed if there are keys, unless the user wants none signed.
    #[test]
    fn requests_are_signed_with_keys() {
        let keys = [("AWS_ACCESS_KEY_ID", "id"), ("AWS_SECRET_ACCESS_KEY", "secret")];
        let headers = |more: Option<(&'static str, &'static str)>| {
            let variables: Vec<(&str, &str)> = keys.into_iter().chain(more).collect();
            let object = object("s3://alps/a.pack", &variables).expect("an object");
            object.headers(("GET", ""), &[("range", "bytes=0-9")], &NOTHING).len()
        };
        assert_eq!((headers(None), headers(Some(("AWS_SESSION_TOKEN", "t")))), (5, 6));
        assert_eq!(
            (headers(Some(("AWS_NO_SIGN_REQUEST", "YES"))), headers(Some(("AWS_NO_SIGN_REQUEST", "no")))),
            (1, 5)
        );
        let public = object("s3://alps/a.pack", &[]).expect("an object");
        assert_eq!(public.headers(("GET", ""), &[], &NOTHING), []);
    }

    /// Law: of what a server says only words are told.
    #[test]
    fn servers_say_words() {
        assert_eq!(element("<Error><Code>NoSuchKey</Code></Error>", "Code"), Some("NoSuchKey"));
        for said in ["", "<Code>", "<Code></Code>", "<Code>\u{1b}[2J</Code>", "</Code><Code>"] {
            assert_eq!(element(said, "Code"), None, "{said}");
        }
    }
}
