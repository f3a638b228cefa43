//! Begins the corpora from real packs: `cargo run --bin seeds -- WHOLE.pack...`, in this folder.

use std::{error::Error, fs, path::Path};

use elevation_fuzz::{Part, Payload, Recipe};

/// Tiles of a seed: mutations of more bytes find less.
const MOST_TILES: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    for (k, file) in std::env::args_os().skip(1).enumerate() {
        let bytes = fs::read(&file)?;
        let recipe = recipe(&bytes).ok_or_else(|| format!("{} is no whole pack", file.display()))?;
        keep("pack", &format!("raw-{k}"), [&[0], &bytes[..]].concat())?;
        for kind in [1, 2] {
            keep("pack", &format!("recipe-{k}-{kind}"), [vec![kind], recipe.write()].concat())?;
        }
        for count in 0..3 {
            keep("merge", &format!("{k}-{count}"), [vec![count, 1], recipe.write()].concat())?;
        }
        // Small ones, of which there are thousands in the time of one that is real.
        let flat = flat(&recipe).write();
        for kind in [1, 2] {
            keep("pack", &format!("flat-{k}-{kind}"), [&[kind], &flat[..]].concat())?;
        }
        for count in 0..3 {
            keep("merge", &format!("flat-{k}-{count}"), [&[count, 1], &flat[..]].concat())?;
        }
        let (roots, children): (Vec<&Part>, Vec<&Part>) = recipe.tiles.iter().partition(|t| t.face_level[1] == 0);
        for (n, (root, child)) in roots.into_iter().zip(children).enumerate() {
            keep("tile", &format!("{k}-{n}"), [root.written(), child.written()].concat())?;
            keep("tile_cache", &format!("{k}-{n}"), [vec![2], root.written(), child.written()].concat())?;
            let [root, child] = [root, child].map(|part| flat_part(part).written());
            keep("tile", &format!("flat-{k}-{n}"), [&root[..], &child].concat())?;
            keep("tile_cache", &format!("flat-{k}-{n}"), [&[2], &root[..], &child].concat())?;
        }
    }
    Ok(())
}

fn keep(target: &str, name: &str, bytes: Vec<u8>) -> std::io::Result<()> {
    let folder = Path::new("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

/// The same pack without heights and errors.
fn flat(recipe: &Recipe) -> Recipe {
    Recipe { tiles: recipe.tiles.iter().map(flat_part).collect(), ..recipe.clone() }
}

fn flat_part(part: &Part) -> Part {
    let plain = |bytes: u32| Payload { plain: Some(bytes), bytes: Vec::new() };
    // Parents have the vertices of even column and row.
    let vertices = if part.face_level[1] == 0 { 257 * 257 } else { 257 * 257 - 129 * 129 };
    let [column, row, ..] = part.numbers;
    Part {
        numbers: [column, row, 0, 0],
        heights: plain(4 * vertices),
        largest: 0,
        errors: plain(vertices),
        ..part.clone()
    }
}

/// The recipe of a pack, cut to its first tiles: the faces and some below them.
fn recipe(pack: &[u8]) -> Option<Recipe> {
    let number = |at: usize| Some(u32::from_le_bytes(pack.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| Some(u64::from_le_bytes(pack.get(at..at + 8)?.try_into().ok()?) as usize);
    let manifest = number(12)? as usize;
    let footer = pack.len().checked_sub(48)?;
    let (index, length, tiles) = (long(footer)?, long(footer + 8)?, long(footer + 16)?);
    let index = zstd::bulk::decompress(pack.get(index..index + length)?, 64 * tiles).ok()?;
    let mut offset = 16 + manifest + 8;
    let mut parts = Vec::new();
    for entry in index.chunks_exact(64) {
        let number = |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
        let squeezed =
            |at: usize, bytes: u32| Some(Payload { plain: None, bytes: pack.get(at..at + bytes as usize)?.to_vec() });
        let errors = u64::from_le_bytes(entry[56..64].try_into().ok()?) as usize;
        parts.push(Part {
            face_level: [entry[4], entry[5]],
            numbers: [8, 12, 16, 20].map(number),
            heights: squeezed(offset + 36, number(24))?,
            largest: entry[40],
            errors: squeezed(errors + 20, number(44))?,
            shift: 0,
        });
        offset += 36 + number(24) as usize;
    }
    // Faces are needed; of the rest, those that come first have their parents among them.
    let mut rest = MOST_TILES.saturating_sub(6);
    parts.retain(|part| {
        let keep = part.face_level[1] == 0 || (part.face_level[0] == 0 && rest > 0);
        rest = rest.saturating_sub(usize::from(keep && part.face_level[1] > 0));
        keep
    });
    // The manifest speaks of the tiles that are left.
    let mut stated: serde_json::Value = serde_json::from_slice(pack.get(16..16 + manifest)?).ok()?;
    stated["tiles"] = parts.len().into();
    Some(Recipe { manifest: stated.to_string().into_bytes(), tiles: parts, count: 0, damage: Vec::new() })
}
