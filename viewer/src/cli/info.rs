//! `orogen info`: the adapter, its limits and the elevation data, for people or as JSON.

use foreign::{escaped, sanitized};
use gpu::{Caps, Gpu, GpuOptions, Timestamps};
use indicatif::HumanBytes;
use serde_json::{Value, json};
use terrain::geodesy::Ellipsoid;
use terrain::height::{LayerInfo, Relief};
use terrain::pack::{LevelCount, Pack, Share, SourceRecord, is_pack};
use terrain::tile::posting_m;

use super::CliError;
use super::args::InfoArgs;
use super::elevation::cache_folder;
use super::progress::LibraryProgress;
use super::source::paths;
use crate::scene::open_relief;

/// Prints what there is. A machine without a GPU is described, not refused.
pub fn run(args: &InfoArgs) -> Result<(), CliError> {
    let files = &args.files[..];
    if let [file] = files
        && is_pack(&file.path)
    {
        let pack = args.rasters.options(&[], None).open_pack(&file.path)?;
        return describe_pack(&pack, args.json);
    }
    let waiting = LibraryProgress::begin();
    let relief = match open_relief(&paths(files), &args.rasters.options(files, cache_folder())) {
        // The adapter can be told all the same.
        Err(error) if files.is_empty() => Err(error),
        opened => Ok(opened?),
    };
    drop(waiting);
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(args.software));
    let caps = gpu.as_ref().map(|gpu| &gpu.caps);
    let text = if args.json {
        let adapter = match caps {
            Ok(caps) => adapter_json(caps),
            Err(error) => json!({ "error": error.to_string() }),
        };
        let mut all = json!({
            "program": { "name": "orogen", "version": env!("CARGO_PKG_VERSION") },
            "adapter": adapter,
        });
        match &relief {
            Ok(relief) => {
                let (low, high) = relief.range_m();
                let layers = relief.layers().iter().enumerate();
                all["layers"] = layers.map(|(k, layer)| layer_json(layer, relief.source_datum(k))).collect();
                all["range_m"] = json!([low, high]);
                all["range_is_bound"] = has_bound(relief).into();
            }
            Err(error) => all["elevation"] = json!({ "error": format!("{error:#}") }),
        }
        format!("{}\n", serde_json::to_string_pretty(&all)?)
    } else {
        let mut text = format!("orogen {}\n\nAdapter\n", env!("CARGO_PKG_VERSION"));
        match caps {
            Ok(caps) => text += &indented(&caps.to_string()),
            Err(error) => text += &indented(&format!("none: {error}")),
        }
        match &relief {
            Ok(relief) => {
                text += "\nElevation, first on top\n";
                for (k, layer) in relief.layers().iter().enumerate() {
                    text += &layer_text(layer, relief.source_datum(k));
                }
                let (low, high) = relief.range_m();
                let bound = if has_bound(relief) { BOUND } else { "" };
                text += &format!("  all heights       {low:.0} to {high:.0} m{bound}\n");
            }
            Err(error) => text += &format!("\nElevation\n{}", indented(&format!("none: {error:#}"))),
        }
        text
    };
    Ok(super::print(&text)?)
}

/// What is said of a range that nobody measured.
const BOUND: &str = " at most: they are read as they are needed, and what lies outside is taken as void";

/// Whether the range of all heights is no measurement.
fn has_bound(relief: &Relief) -> bool {
    relief.layers().iter().any(|layer| layer.range_is_bound)
}

/// Prints what a pack, or a shard of one, is and what it was made from.
fn describe_pack(pack: &Pack, as_json: bool) -> Result<(), CliError> {
    let file = pack.path();
    let manifest = pack.manifest();
    let (low, high) = pack.range_m();
    let text = if as_json {
        let levels = pack.levels().into_iter().map(|level| {
            let LevelCount { level, tiles, bytes } = level;
            json!({ "level": level, "posting_m": posting_m(manifest.ellipsoid, level), "tiles": tiles, "bytes": bytes })
        });
        let all = json!({
            "program": { "name": "orogen", "version": env!("CARGO_PKG_VERSION") },
            "pack": file.display().to_string(),
            "manifest": manifest,
            "tiles": pack.len(),
            "range_m": [low, high],
            "levels": levels.collect::<Vec<_>>(),
        });
        format!("{}\n", serde_json::to_string_pretty(&all)?)
    } else {
        let mut text = format!("Pack {}\n", escaped(&file.to_string_lossy()));
        let mut line = |what: &str, value: String| text += &format!("  {what:<18}{}\n", escaped(&value));
        line("tiles", pack.len().to_string());
        if let Some(Share { shard, .. }) = manifest.shard {
            line("shard", format!("{} of {}: `orogen pack merge` joins them", shard.index, shard.count));
        }
        if let Some(radii) = radii_text(manifest.ellipsoid) {
            line("body", radii);
        }
        line("heights", format!("{low:.1} to {high:.1} m, in steps of {} m", manifest.height_step_m));
        if let Some([west, south, east, north]) = manifest.bbox_deg {
            line("fine within", format!("{west:.4} to {east:.4} E, {south:.4} to {north:.4} N"));
        }
        line("key", sanitized(&manifest.key).to_string());
        text += "\nLevels\n";
        for LevelCount { level, tiles, bytes } in pack.levels() {
            let (posting, size) =
                (format!("{:.1} m", posting_m(manifest.ellipsoid, level)), HumanBytes(bytes).to_string());
            text += &format!("  {level:<4}{posting:>12}{tiles:>10} tiles{size:>14}\n");
        }
        text += "\nMade from, first on top\n";
        for (source, files) in manifest.layers() {
            let SourceRecord {
                name,
                crs,
                datum,
                posting_m,
                bbox_deg: [west, south, east, north],
                attribution,
                remarks,
                ..
            } = source;
            text += &format!("  {}\n", sanitized(&name));
            let mut line = |what: &str, value: String| text += &format!("    {what:<16}{}\n", escaped(&value));
            if files > 1 {
                line("files", files.to_string());
            }
            line("coordinates", sanitized(&crs).to_string());
            line("datum", sanitized(&datum).to_string());
            line("posting", format!("{posting_m:.1} m"));
            line("extent", format!("{west:.4} to {east:.4} E, {south:.4} to {north:.4} N"));
            if !attribution.is_empty() {
                line("attribution", attribution);
            }
            remarks.iter().for_each(|remark| line("remark", remark.clone()));
        }
        text
    };
    Ok(super::print(&text)?)
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// The radii of another body than the Earth.
fn radii_text(ellipsoid: Ellipsoid) -> Option<String> {
    let [a_km, b_km] = <[f64; 2]>::from(ellipsoid).map(|radius_m| radius_m / 1e3);
    (ellipsoid != Ellipsoid::WGS84).then(|| format!("radii of {a_km} and {b_km} km"))
}

fn layer_text(layer: &LayerInfo, source_datum: &str) -> String {
    let [west, south, east, north] = layer.bbox_deg;
    let mut text = format!("  {}\n", escaped(&layer.name));
    let mut line = |what: &str, value: String| text += &format!("    {what:<16}{}\n", escaped(&value));
    line("format", layer.driver.clone());
    line("size", format!("{} x {}", layer.size[0], layer.size[1]));
    if layer.grid != layer.size {
        line("read as", format!("{} x {}", layer.grid[0], layer.grid[1]));
    }
    line("coordinates", sanitized(&layer.crs).to_string());
    if let Some(radii) = radii_text(layer.ellipsoid) {
        line("body", radii);
    }
    line("datum", sanitized(&layer.datum).to_string());
    if layer.datum != source_datum {
        line("datum of data", sanitized(source_datum).to_string());
    }
    line("posting", format!("{:.1} m", layer.posting_m));
    line("extent", format!("{west:.4} to {east:.4} E, {south:.4} to {north:.4} N"));
    let bound = if layer.range_is_bound { BOUND } else { "" };
    line(
        "heights",
        match layer.void_share < 1.0 {
            true => format!("{:.1} to {:.1} m{bound}", layer.range_m.0, layer.range_m.1),
            false => "none".to_owned(),
        },
    );
    if let Some(nodata) = layer.nodata {
        line("no data", format!("{nodata}"));
    }
    if layer.void_share > 0.0 {
        line("voids", format!("{:.2} %", 100.0 * layer.void_share));
    }
    if !layer.attribution.is_empty() {
        line("attribution", layer.attribution.clone());
    }
    for note in &layer.notes {
        line("note", note.clone());
    }
    for remark in &layer.remarks {
        line("remark", remark.clone());
    }
    text
}

fn layer_json(layer: &LayerInfo, source_datum: &str) -> Value {
    json!({
        "name": layer.name,
        "driver": layer.driver,
        "crs": layer.crs,
        "radii_m": <[f64; 2]>::from(layer.ellipsoid),
        "datum": layer.datum,
        "source_datum": source_datum,
        "size": layer.size,
        "grid": layer.grid,
        "posting_m": layer.posting_m,
        "bbox_deg": layer.bbox_deg,
        "nodata": layer.nodata,
        "void_share": layer.void_share,
        "range_m": [layer.range_m.0, layer.range_m.1],
        "range_is_bound": layer.range_is_bound,
        "attribution": layer.attribution,
        "notes": layer.notes,
        "remarks": layer.remarks,
    })
}

/// Names of what is enabled.
fn features(caps: &Caps) -> Vec<&'static str> {
    let wgpu::Features { features_wgpu, features_webgpu } = caps.features;
    let webgpu = features_webgpu.iter_names().map(|(name, _)| name);
    webgpu.chain(features_wgpu.iter_names().map(|(name, _)| name)).collect()
}

/// What kind of device an adapter is.
fn device_type(device_type: wgpu::DeviceType) -> &'static str {
    match device_type {
        wgpu::DeviceType::IntegratedGpu => "integrated gpu",
        wgpu::DeviceType::DiscreteGpu => "discrete gpu",
        wgpu::DeviceType::VirtualGpu => "virtual gpu",
        wgpu::DeviceType::Cpu => "cpu",
        wgpu::DeviceType::Other => "other",
    }
}

/// Where the device's clock may be read; nothing where it cannot be.
fn timestamps(timestamps: Timestamps) -> Option<&'static str> {
    match timestamps {
        Timestamps::None => None,
        Timestamps::Passes => Some("around passes"),
        Timestamps::Encoders => Some("between commands"),
        Timestamps::InsidePasses => Some("inside passes"),
    }
}

fn adapter_json(caps: &Caps) -> Value {
    json!({
        "name": caps.adapter,
        "driver": caps.driver,
        "backend": caps.backend.to_str(),
        "type": device_type(caps.device_type),
        "software": caps.is_software(),
        "subgroup_sizes": caps.subgroups.map(|s| [s.min, s.max]),
        "timestamps": timestamps(caps.timestamps),
        "features": features(caps),
        "limits": {
            "workgroup_memory_bytes": caps.workgroup_memory_bytes,
            "workgroup_invocations": caps.workgroup_invocations,
            "workgroups_per_dimension": caps.workgroups_per_dimension,
            "storage_binding_bytes": caps.storage_binding_bytes,
            "buffer_bytes": caps.buffer_bytes,
            "storage_buffers_per_stage": caps.storage_buffers_per_stage,
        },
    })
}
