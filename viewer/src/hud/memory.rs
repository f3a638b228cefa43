//! How much memory is in use? Of the process, as the system counts it, and of the graphics device, as wgpu does.

use bevy_ecs::prelude::*;
use egui::RichText;
use terrain::height::MemoryUse;
use terrain::streaming::TileCounts;
use terrain::{IMAGERY_TILE_BYTES, SHADING_TILE_BYTES, TILE_BYTES, WATER_TILE_BYTES};

use super::graphs::usage_bar;
use crate::app::Clock;
use crate::frame::Context;
use crate::process_memory::ProcessMemory;
use crate::terrain::Planet;
use crate::theme::Palette;

/// Frames between two readings.
const EVERY: u64 = 30;

/// Bytes in use; none where nobody tells.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Resident in the process.
    pub process: Option<ProcessMemory>,
    /// Allocated on the device, and reserved for it.
    pub device: Option<(u64, u64)>,
    /// Whether the device's memory is the process's.
    pub device_is_software: bool,
    /// Heights of each layer; none of packs.
    pub layers: Vec<Option<MemoryUse>>,
}

/// Reads again, now and then.
pub(super) fn read(context: Res<Context>, planet: Res<Planet>, clock: Res<Clock>, mut memory: ResMut<Memory>) {
    if clock.frame % EVERY == 1 {
        let report = context.0.device.generate_allocator_report();
        *memory = Memory {
            process: ProcessMemory::current(),
            device: report.map(|report| (report.total_allocated_bytes, report.total_reserved_bytes)),
            device_is_software: context.0.caps.is_software(),
            layers: planet.relief().memory_use(),
        };
    }
}

impl Memory {
    /// What is resident, and what it is, in words.
    pub fn of_process(&self) -> Option<String> {
        let process = self.process?;
        // A device of software lives in the process. What is reserved and not allocated has not been touched.
        let device = self.device.filter(|_| self.device_is_software).map_or(0, |(allocated, _)| allocated);
        let of_device = if device > 0 { format!("{} of the device, ", bytes(device)) } else { String::new() };
        let (all, files, own) = (bytes(process.all), bytes(process.files), bytes(process.without_device_bytes(device)));
        Some(format!("process: {all} resident: {of_device}{files} of files, {own} else"))
    }
}

/// Bytes as people say them.
pub(super) fn bytes(n: u64) -> String {
    let mib = n as f64 / f64::from(1 << 20);
    if mib < 1024.0 { format!("{mib:.0} MiB") } else { format!("{:.2} GiB", mib / 1024.0) }
}

/// Layers with a line of their own.
const MOST_LAYERS: usize = 5;

/// What is used of what there is: triangles, tiles, layers, device and process.
pub(super) fn memory_use(ui: &mut egui::Ui, planet: &Planet, memory: &Memory) {
    let report = planet.report();
    let (live, capacity) = (f64::from(report.triangles), f64::from(report.capacity));
    usage_bar(ui, live, capacity, format!("{} of {} triangles", report.triangles, report.capacity));
    if report.starved > 0 {
        note(ui, format!("{} more are wanted than fit", report.starved));
    }
    tiles(ui, "tiles", &planet.tiles(), TILE_BYTES);
    if let Some(counts) = planet.shading_tiles() {
        tiles(ui, "shading tiles", &counts, SHADING_TILE_BYTES);
    }
    tiles(ui, "water tiles", &planet.water_tiles(), WATER_TILE_BYTES);
    if let Some(counts) = planet.imagery().counts() {
        tiles(ui, "imagery tiles", &counts, IMAGERY_TILE_BYTES);
    }
    for (info, held) in planet.relief().layers().iter().zip(&memory.layers).take(MOST_LAYERS) {
        let name =
            std::path::Path::new(&info.name).file_name().map_or(info.name.as_str().into(), |n| n.to_string_lossy());
        match held {
            Some(MemoryUse { bytes: held, most: Some(most) }) => {
                let text = format!("{} of {} of {name}", bytes(*held as u64), bytes(*most as u64));
                usage_bar(ui, *held as f64, *most as f64, text);
            }
            Some(MemoryUse { bytes: held, most: None }) => note(ui, format!("{} of {name}", bytes(*held as u64))),
            None => note(ui, format!("tiles of {name}")),
        }
    }
    let more = planet.relief().layers().len().saturating_sub(MOST_LAYERS);
    if more > 0 {
        note(ui, format!("and {more} more layers"));
    }
    if let Some((allocated, reserved)) = memory.device {
        let text = format!("device: {} of {} reserved", bytes(allocated), bytes(reserved));
        usage_bar(ui, allocated as f64, reserved as f64, text);
    }
    if let Some(process) = memory.of_process() {
        note(ui, process);
    }
}

/// Tiles of a kind on the device, of so many bytes each.
fn tiles(ui: &mut egui::Ui, name: &str, counts: &TileCounts, tile_bytes: u64) {
    let TileCounts { resident, wanted, in_flight, budget, .. } = *counts;
    let size = |tiles: u32| bytes(u64::from(tiles) * tile_bytes);
    let text = format!("{resident} of {budget} {name}, {} of {}", size(resident), size(budget));
    usage_bar(ui, f64::from(resident), f64::from(budget), text);
    note(ui, format!("{wanted} {name} wanted, {in_flight} being made"));
}

/// A small line.
pub(super) fn note(ui: &mut egui::Ui, text: String) {
    ui.label(RichText::new(text).size(11.5).color(Palette::of(ui.visuals()).weak));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_resident_is_told_apart() {
        let process = Some(ProcessMemory { all: 8 << 20, files: 2 << 20 });
        let device = Some((5 << 20, 7 << 20));
        let software = Memory { process, device, device_is_software: true, layers: Vec::new() };
        let said = "process: 8 MiB resident: 5 MiB of the device, 2 MiB of files, 1 MiB else";
        assert_eq!(software.of_process().as_deref(), Some(said));
        let card = Memory { device_is_software: false, ..software };
        assert_eq!(card.of_process().as_deref(), Some("process: 8 MiB resident: 2 MiB of files, 6 MiB else"));
        assert_eq!((bytes(3 << 20), bytes(3 << 29)), (String::from("3 MiB"), String::from("1.50 GiB")));
    }
}
