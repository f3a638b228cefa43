//! Elevation data as users have it: real places, every convention of raster files, and files that are broken.
#![cfg(feature = "gdal")]

mod random;

#[path = "height/bodies.rs"]
mod bodies;
#[path = "height/broken_files.rs"]
mod broken_files;
#[path = "height/conventions.rs"]
mod conventions;
#[path = "height/cut_files.rs"]
mod cut_files;
#[path = "height/damaged_blocks.rs"]
mod damaged_blocks;
#[path = "height/datums.rs"]
mod datums;
#[path = "height/failing_reads.rs"]
mod failing_reads;
#[path = "height/fine_layers.rs"]
mod fine_layers;
#[path = "height/folders.rs"]
mod folders;
#[path = "height/formats.rs"]
mod formats;
#[path = "height/height_encodings.rs"]
mod height_encodings;
#[path = "height/in_flight.rs"]
mod in_flight;
#[path = "height/layers.rs"]
mod layers;
#[path = "height/mosaics.rs"]
mod mosaics;
#[path = "height/pack_damage.rs"]
mod pack_damage;
#[path = "height/pack_errors.rs"]
mod pack_errors;
#[path = "height/pack_fills.rs"]
mod pack_fills;
#[path = "height/packs.rs"]
mod packs;
#[path = "height/pipes.rs"]
mod pipes;
#[path = "height/places.rs"]
mod places;
#[path = "height/raster_files.rs"]
mod raster_files;
#[path = "height/remarks.rs"]
mod remarks;
#[path = "height/seams.rs"]
mod seams;
#[path = "height/shares.rs"]
mod shares;
#[path = "height/valid_heights.rs"]
mod valid_heights;
