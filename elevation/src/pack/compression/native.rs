//! zstd by its own library.

use std::io::{BufReader, Error, ErrorKind, Read, Result};

use super::MOST_WINDOW_LOG;

/// Compresses with a level of zstd.
///
/// # Errors
/// No memory.
pub(crate) fn compress(bytes: &[u8], level: i32) -> Result<Vec<u8>> {
    zstd::bulk::compress(bytes, level)
}

/// At most `most` bytes from a payload.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn decompress(payload: &[u8], most: usize) -> Result<Vec<u8>> {
    // A buffer of the size that the payload tells; where it tells none, one that grows.
    match zstd::zstd_safe::get_frame_content_size(payload) {
        Ok(Some(bytes)) if bytes <= most as u64 => zstd::bulk::decompress(payload, bytes as usize),
        _ => {
            let mut bytes = Vec::new();
            let mut decoder = zstd::Decoder::with_buffer(payload)?;
            decoder.window_log_max(MOST_WINDOW_LOG)?;
            decoder.take(most as u64 + 1).read_to_end(&mut bytes)?;
            if bytes.len() > most {
                return Err(Error::new(ErrorKind::InvalidData, format!("more than {most} bytes")));
            }
            Ok(bytes)
        }
    }
}

/// The bytes of a compressed stream.
pub(crate) struct Decoder<R: Read>(zstd::Decoder<'static, BufReader<R>>);

impl<R: Read> Decoder<R> {
    pub fn new(from: R) -> Result<Self> {
        let mut decoder = zstd::Decoder::with_buffer(BufReader::with_capacity(1 << 16, from))?;
        decoder.window_log_max(MOST_WINDOW_LOG)?;
        Ok(Self(decoder))
    }

    /// What it read from.
    pub fn into_inner(self) -> R {
        self.0.finish().into_inner()
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}
