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

/// A request for a part of an object.
#[derive(Debug)]
pub(crate) struct Signed<'a> {
    pub host: &'a str,
    /// As it is in the address: escaped.
    pub path: &'a str,
    /// Value of the header `range`.
    pub range: &'a str,
    pub region: &'a str,
}

impl Signed<'_> {
    /// Headers that sign it at a time, beside `host` and `range`.
    pub fn headers(&self, keys: &Keys, now: SystemTime) -> Vec<(&'static str, String)> {
        let time = basic_time(now);
        let day = &time[..8];
        let mut headers = vec![("x-amz-content-sha256", hex(digest(&SHA256, b""))), ("x-amz-date", time.clone())];
        headers.extend(keys.token.clone().map(|token| ("x-amz-security-token", token)));
        // Names are in alphabetical order.
        let signed = [("host", self.host), ("range", self.range)];
        let signed: Vec<(&str, &str)> =
            signed.into_iter().chain(headers.iter().map(|(name, value)| (*name, value.as_str()))).collect();
        let lines: String = signed.iter().map(|(name, value)| format!("{name}:{}\n", value.trim())).collect();
        let names = signed.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
        let request = format!("GET\n{}\n\n{lines}\n{names}\n{}", self.path, headers[0].1);
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", hex(digest(&SHA256, request.as_bytes())));
        let first = hmac(format!("AWS4{}", keys.secret).as_bytes(), day);
        let key = [self.region, "s3", "aws4_request"].into_iter().fold(first, |key, word| hmac(key.as_ref(), word));
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

fn hex(bytes: impl AsRef<[u8]>) -> String {
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

    /// Law: the signature is that of the example "GET Object" in the documentation of AWS.
    #[test]
    fn the_published_example_is_signed() {
        let keys = Keys {
            id: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
            token: None,
        };
        let host = "examplebucket.s3.amazonaws.com";
        let request = Signed { host, path: "/test.txt", range: "bytes=0-9", region: "us-east-1" };
        let headers = request.headers(&keys, at(1_369_353_600));
        let expected = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,\
                        SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,\
                        Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";
        assert_eq!(headers.last(), Some(&("authorization", expected.to_owned())));
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
