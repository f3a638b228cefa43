//! What holds whatever the bytes are? A law each target; `elevation/tests/replay.rs` asks the same of what is tracked in `seeds/`.

pub mod merge;
pub mod pack;
pub mod tile;
pub mod tile_cache;
