//! `orogen verify`: is a pack sound?

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use terrain::bake::verify_pack;
use terrain::pack::{Manifest, SourceRecord};

use super::{CliError, network::pack_options, progress::TaskProgress};

/// `orogen verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// A pack that `orogen bake` made, or a shard of one, or the address of one on a server
    pub pack: PathBuf,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
}

/// Reads all of a pack; fails if anything in it is wrong.
pub fn run(args: &VerifyArgs) -> Result<(), CliError> {
    let pack = pack_options().open_pack(&args.pack)?;
    let working = TaskProgress::begin("reading tiles", pack.len() as u64);
    let (pack, found) = verify_pack(pack, &|done| working.done(done))?;
    drop(working);
    let remarks = remarks(pack.manifest());
    let complaints: Vec<String> = found.complaints.iter().map(|error| error.to_string()).collect();
    let text = if args.json {
        let all = json!({
            "pack": pack.path().display().to_string(),
            "key": pack.manifest().key,
            "tiles": found.tiles,
            "edges": found.edges,
            "bad": found.bad,
            "complaints": complaints,
            "remarks": remarks,
        });
        format!("{}\n", serde_json::to_string_pretty(&all)?)
    } else if found.bad == 0 {
        let shard = pack.manifest().shard.map(|share| share.shard);
        let shard = shard.map(|s| format!(" (shard {} of {}: checksums only)", s.index, s.count));
        format!(
            "{}: {} tiles and {} shared edges are sound{}\n",
            foreign::escaped(&pack.path().to_string_lossy()),
            found.tiles,
            found.edges,
            shard.unwrap_or_default()
        )
    } else {
        complaints.iter().map(|complaint| format!("{}\n", foreign::escaped(complaint))).collect()
    };
    super::print(&text)?;
    if !args.json {
        remarks.iter().for_each(|remark| super::print_error_line(remark));
    }
    if found.bad > 0 {
        let (pack, tiles, edges) = (pack.path().display(), found.tiles, found.edges);
        let places = if found.bad == 1 { "place" } else { "places" };
        let what = format!("{pack}: damaged in {} {places} of {tiles} tiles and {edges} shared edges", found.bad);
        return Err(CliError::Failed(anyhow::anyhow!("{what}; bake it again, or copy it again from where it came")));
    }
    Ok(())
}

/// What was remarked on the sources of a pack when it was made: it is sound, and its heights may be wrong all the same.
fn remarks(manifest: &Manifest) -> Vec<String> {
    let of_layer = |(layer, _): (SourceRecord, usize)| -> Vec<String> {
        layer.remarks.iter().map(|remark| format!("made from {}: {remark}", layer.name)).collect()
    };
    manifest.layers().flat_map(of_layer).collect()
}
