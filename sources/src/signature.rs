//! How is a request signed for S3? By Signature Version 4 of AWS, in its headers: an address holds nothing secret, and each request is signed
//! when it is made, so none comes too late.
//!
//! Source: <https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html>.

use std::{
    fmt,
    time::{SystemTime, UNIX_EPOCH},
};

use foreign::calendar;
use ring::{
    digest::{SHA256, digest},
    hmac::{HMAC_SHA256, Key, Tag, sign},
};

/// What signs requests.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    pub id: String,
    pub secret: String,
    /// What comes with keys that are lent for a time.
    pub token: Option<String>,
}

impl fmt::Debug for Keys {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Keys")
    }
}

/// A request that is to be signed.
#[derive(Debug)]
pub(crate) struct Signed<'a> {
    pub method: &'a str,
    /// As it is in the address: escaped.
    pub path: &'a str,
    /// What stands behind the question mark of the address: escaped, names in alphabetical order, each with a sign of equality.
    pub query: &'a str,
    /// In lower case, in any order, `host` among them.
    pub headers: &'a [(&'a str, &'a str)],
    /// SHA-256 of the body.
    pub body: &'a [u8],
    pub region: &'a str,
}

impl Signed<'_> {
    /// Headers that sign it at a time, beside its own.
    pub fn headers(&self, keys: &Keys, now: SystemTime) -> Vec<(&'static str, String)> {
        let time = basic_time(now);
        let day = &time[..8];
        let mut headers = vec![("x-amz-content-sha256", hex(self.body)), ("x-amz-date", time.clone())];
        headers.extend(keys.token.clone().map(|token| ("x-amz-security-token", token)));
        let added = headers.iter().map(|(name, value)| (*name, value.as_str()));
        let mut signed: Vec<(&str, &str)> = self.headers.iter().copied().chain(added).collect();
        signed.sort_unstable();
        let lines: String = signed.iter().map(|(name, value)| format!("{name}:{}\n", value.trim())).collect();
        let names = signed.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
        let Self { method, path, query, region, .. } = self;
        let request = format!("{method}\n{path}\n{query}\n{lines}\n{names}\n{}", headers[0].1);
        let scope = format!("{day}/{region}/s3/aws4_request");
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", hex(digest(&SHA256, request.as_bytes())));
        let first = hmac(format!("AWS4{}", keys.secret).as_bytes(), day);
        let key = [region, "s3", "aws4_request"].into_iter().fold(first, |key, word| hmac(key.as_ref(), word));
        let (id, signature) = (&keys.id, hex(hmac(key.as_ref(), &text)));
        let authorization =
            format!("AWS4-HMAC-SHA256 Credential={id}/{scope},SignedHeaders={names},Signature={signature}");
        headers.push(("authorization", authorization));
        headers
    }
}

fn hmac(key: &[u8], text: &str) -> Tag {
    sign(&Key::new(HMAC_SHA256, key), text.as_bytes())
}

pub(crate) fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A time in UTC as `20130524T000000Z`, the basic format of ISO 8601.
fn basic_time(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    calendar::written(seconds as f64).replace(['-', ':'], "")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    /// Law: signatures are those of the examples "GET Object", "PUT Object" and "GET Bucket (List Objects)" in the documentation of AWS.
    #[test]
    fn the_published_examples_are_signed() {
        let keys = Keys {
            id: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
            token: None,
        };
        let host = ("host", "examplebucket.s3.amazonaws.com");
        let range = [host, ("range", "bytes=0-9")];
        let put = [("x-amz-storage-class", "REDUCED_REDUNDANCY"), host, ("date", "Fri, 24 May 2013 00:00:00 GMT")];
        for (method, path, query, headers, body, names, signature) in [
            (
                "GET",
                "/test.txt",
                "",
                &range[..],
                "",
                "host;range;x-amz-content-sha256;x-amz-date",
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ),
            (
                "PUT",
                "/test%24file.text",
                "",
                &put,
                "Welcome to Amazon S3.",
                "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
            ),
            (
                "GET",
                "/",
                "max-keys=2&prefix=J",
                &[host],
                "",
                "host;x-amz-content-sha256;x-amz-date",
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
            ),
        ] {
            let body = digest(&SHA256, body.as_bytes());
            let request = Signed { method, path, query, headers, body: body.as_ref(), region: "us-east-1" };
            let signed = request.headers(&keys, at(1_369_353_600));
            let expected = format!(
                "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
                 SignedHeaders={names},Signature={signature}"
            );
            assert_eq!(signed.last(), Some(&("authorization", expected)));
        }
        assert_eq!(format!("{keys:?}"), "Keys");
    }

    /// Law: days count as in the calendar, through leap years and centuries.
    #[test]
    fn times_are_of_the_calendar() {
        for (seconds, time) in [
            (0, "19700101T000000Z"),
            (951_782_399, "20000228T235959Z"),
            (951_782_400, "20000229T000000Z"),
            (951_868_800, "20000301T000000Z"),
            (1_709_251_199, "20240229T235959Z"),
            (1_735_689_599, "20241231T235959Z"),
            (4_107_542_399, "21000228T235959Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(basic_time(at(seconds)), time);
        }
        // One day follows the other, each once.
        let mut days: Vec<String> = (0..60_000).map(|day| basic_time(at(day * 86_400))).collect();
        assert!(days.is_sorted());
        days.dedup();
        assert_eq!(days.len(), 60_000);
    }
}
