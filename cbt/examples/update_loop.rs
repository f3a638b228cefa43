//! What does a program that uses the tree look like, frame after frame? A point moves along the unit interval; leaves near it
//! split, leaves far from it merge, all in one parallel pass a frame.
//!
//! `cargo run --release -p orogen-cbt --example update_loop`

use std::time::Instant;

use cbt::{Compact, Edit, Error, Node, Tree};

const DEPTH: u32 = 24;
const FRAMES: u32 = 240;

/// A leaf is too large when it is longer than a 5000th of its distance from the focus.
fn decide(leaf: Node, focus: f64) -> Edit {
    let too_large = |node: Node| {
        let length = 0.5_f64.powi(node.depth() as i32);
        let middle = (node.offset() as f64 + 0.5) * length;
        length > 2e-4 * (middle - focus).abs().max(1e-3)
    };
    match leaf.parent() {
        _ if too_large(leaf) => Edit::Split,
        Some(parent) if !too_large(parent) => Edit::Merge,
        _ => Edit::Keep,
    }
}

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Error> {
    let mut tree = Compact::new(DEPTH)?;
    println!("frame    focus   leaves   splits   merges   µs");
    for frame in 0..FRAMES {
        let focus = 0.5 - 0.5 * (f64::from(frame) / 40.0).cos();
        let start = Instant::now();
        let edits = tree.update(|leaf| decide(leaf, focus));
        let us = start.elapsed().as_secs_f64() * 1e6;
        if frame % 20 == 0 {
            println!("{frame:5} {focus:8.5} {:8} {:8} {:8} {us:6.0}", tree.leaf_count(), edits.splits, edits.merges);
        }
    }
    let covered: f64 = tree.leaves().map(|leaf| 0.5_f64.powi(leaf.depth() as i32)).sum();
    println!("{} leaves tile {covered} of the interval; sound: {}", tree.leaf_count(), tree.check().is_ok());
    Ok(())
}
