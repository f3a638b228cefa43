//! zstd's format by a decoder in Rust.

use std::io::{BufReader, Error, Read, Result};

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::MOST_WINDOW_LOG;

/// Packs are not written here.
///
/// # Errors
/// Always.
#[cfg(target_family = "wasm")]
pub(crate) fn compress(_: &[u8], _: i32) -> Result<Vec<u8>> {
    Err(Error::other("packs are written by native programs"))
}

/// At most `most` bytes from a payload.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn decompress(payload: &[u8], most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Decoder::new(payload)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(Error::other("it holds too many bytes"));
    }
    Ok(bytes)
}

/// The bytes of a compressed stream.
pub(crate) struct Decoder<R: Read>(StreamingDecoder<BufReader<R>, FrameDecoder>);

impl<R: Read> Decoder<R> {
    pub fn new(from: R) -> Result<Self> {
        let from = BufReader::with_capacity(1 << 16, from);
        let decoder = StreamingDecoder::new_with_max_window_size(from, 1 << MOST_WINDOW_LOG);
        Ok(Self(decoder.map_err(Error::other)?))
    }

    /// What it read from.
    #[cfg(target_family = "wasm")]
    pub fn into_inner(self) -> R {
        self.0.into_inner().into_inner()
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::super::native;
    use super::*;
    use rand::Rng;

    /// Law: both decoders give the bytes that were compressed, refuse more than is asked for, and read the same of what holds them;
    /// damaged bytes are refused or give no more, and never panic.
    #[test]
    fn both_decoders_give_the_same() {
        let mut rng = crate::random::rng();
        for round in 0..200 {
            let words = rng.random_range(1..200u16);
            let bytes: Vec<u8> =
                (0..rng.random_range(0..70_000)).map(|_| (rng.random_range(0..words) % 251) as u8).collect();
            let payload = native::compress(&bytes, rng.random_range(1..10)).unwrap();
            assert_eq!(decompress(&payload, bytes.len()).unwrap(), bytes, "round {round}");
            assert_eq!(native::decompress(&payload, bytes.len()).unwrap(), bytes);
            if !bytes.is_empty() {
                assert!(
                    decompress(&payload, bytes.len() - 1).is_err()
                        && native::decompress(&payload, bytes.len() - 1).is_err()
                );
            }
            let behind = [&payload[..], b"more"].concat();
            let mut decoder = Decoder::new(&behind[..]).unwrap();
            let mut read = Vec::new();
            decoder.read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes);
            let mut damaged = payload.clone();
            let at = rng.random_range(0..damaged.len());
            damaged[at] ^= 1 << rng.random_range(0..8);
            assert!(decompress(&damaged, bytes.len()).map_or(0, |found| found.len()) <= bytes.len());
            assert!(decompress(&payload[..payload.len() - 1], bytes.len()).is_err());
        }
    }
}
