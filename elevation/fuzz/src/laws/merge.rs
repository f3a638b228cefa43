//! Shards of foreign bytes are refused with the file named, or become a pack that opens and whose checksums are right; what was
//! there before stays when they are refused.

use std::fs;

use super::super::{Bytes, Recipe, file, folder};
use elevation::{
    bake::{merge, verify},
    pack::{Pack, PackError},
};

/// The law.
pub fn law(bytes: &[u8]) {
    let mut input = Bytes::new(bytes);
    let count = 1 + u64::from(input.byte() % 4);
    let order = input.byte();
    let mut shards: Vec<_> = Recipe::read(&mut input).shards(count, order & 16 > 0).into_iter().enumerate().collect();
    // In any order, and one perhaps twice or not at all.
    let first = usize::from(order & 3) % shards.len();
    shards.rotate_left(first);
    if order & 4 > 0 {
        shards.push(shards[0].clone());
    }
    if order & 8 > 0 {
        shards.pop();
    }
    let files: Vec<_> = shards.iter().map(|(k, bytes)| file(&format!("{k}.shard"), bytes)).collect();
    let out = folder().join("merged.pack");
    let _none_before = fs::remove_file(&out);
    let _none_before = fs::remove_file(folder().join("merged.pack.part"));
    match merge(&files, &out, false, &mut |_| {}) {
        Ok(_) => {
            let pack = Pack::open(&out).unwrap_or_else(|error| panic!("what was merged does not open: {error}"));
            let (_, found) = verify(&out, &|_| {}).expect("it opens");
            assert_eq!(found.tiles, pack.len() as u64);
            // What shards squeezed is looked at where errors have to be told from it; no checksum tells more.
            let corrupt = |error: &PackError| error.to_string().contains("checksum");
            assert!(!found.complaints.iter().any(corrupt), "{:?}", found.complaints);
        }
        Err(error) => assert!(!out.exists() && !error.to_string().is_empty()),
    }
}
