//! Does a law hold of the inputs that are tracked, and of what a disk, a pipe or an adversary may make of them? The same
//! mutations in every run, so that what is green is green again; a fuzzer looks further.
//!
//! It is included by the tests `replay.rs` of the crates that have fuzz targets.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::Path,
};

/// What programs that read text, numbers or bytes stumble over.
const PIECES: [&[u8]; 24] = [
    b"",
    b"\0",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\x80",
    b"\n",
    b"\r\n",
    b"\"",
    b"[[[[",
    b"{",
    b"}",
    b",",
    b"-",
    b".",
    b"e",
    b"0",
    b"9",
    b"1e308",
    b"-1e308",
    b"5e-324",
    b"NaN",
    b"18446744073709551616",
    b"\x1b]0;x\x07",
    b"\xe2\x80\xae",
];

/// Sebastiano Vigna's SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % limit.max(1) as u64) as usize
    }
}

/// Changes some bytes in a few places.
fn mutate(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(9)).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => bytes.truncate(at),
            3 => {
                let piece = bytes[at..end].repeat(1 + random.below(40));
                drop(bytes.splice(at..at, piece));
            }
            4 => {
                let other = &others[random.below(others.len())];
                let from = random.below(other.len() + 1);
                let to = (from + random.below(200)).min(other.len());
                drop(bytes.splice(at..end, other[from..to].iter().copied()));
            }
            _ => drop(bytes.splice(at..end, PIECES[random.below(PIECES.len())].iter().copied())),
        }
    }
}

/// Asks `law` of every file in a folder, of nothing at all, and of `mutations` of them.
///
/// # Panics
/// Where the law does, after saying of which bytes; there have to be files.
pub fn replay(folder: &Path, mutations: usize, law: impl Fn(&[u8])) {
    let mut seeds: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    seeds.sort();
    let mut seeds: Vec<Vec<u8>> = seeds.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!seeds.is_empty(), "{}: no file", folder.display());
    seeds.push(Vec::new());
    let ask = |bytes: &[u8]| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| law(bytes))) {
            let kept = std::env::temp_dir().join("orogen-replay-failed");
            let _said_all_the_same = fs::write(&kept, bytes);
            let beginning = bytes[..bytes.len().min(400)].escape_ascii();
            eprintln!("{}, {} bytes, kept as {}: {beginning}", folder.display(), bytes.len(), kept.display());
            resume_unwind(panic);
        }
    };
    seeds.iter().for_each(|bytes| ask(bytes));
    let mut random = Random(1);
    for _ in 0..mutations {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        mutate(&mut bytes, &seeds, &mut random);
        ask(&bytes);
    }
}
