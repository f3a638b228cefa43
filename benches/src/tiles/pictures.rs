//! How fast are tiles of a picture made? From level to level, beside gdalwarp for as many texels.

use std::{path::Path, process::Command};

use anyhow::Context;
use terrain::{
    geodesy::{Ellipsoid, lat_lon},
    height::ImageryLayer,
    imagery_tile::Imagery,
    tile::{TILE_QUADS, TileId, posting_m},
};

use benches::clock::Clock;
use benches::figures::median;
use benches::programs::output_of;
use benches::report::{Report, number};

/// Tells tiles a second of one core, of this program and of gdalwarp, for `side` times `side` tiles in the middle of a picture.
pub fn run(file: &Path, side: u32, reps: u32, folder: &Path) -> anyhow::Result<()> {
    let picture = ImageryLayer::open(file)?;
    let finest = (posting_m(Ellipsoid::WGS84, 0) / picture.posting_m()).log2().ceil() as u32;
    let imagery = Imagery::new(vec![picture]);
    let mut report = Report::new(None, ());
    for level in [finest, finest.saturating_sub(1), finest.saturating_sub(3)] {
        let all = tiles(&imagery, level);
        let middle = all.get(all.len() / 2).context("no tile has something of the picture")?;
        let corner = [middle.i, middle.j].map(|k| k.saturating_sub(side / 2));
        let ids = (0..side * side).map(|k| TileId { i: corner[0] + k % side, j: corner[1] + k / side, ..*middle });
        let ids: Vec<TileId> = ids.collect();
        // Files are opened once.
        imagery.tile(*middle);
        let ours = (0..reps).map(|_| {
            let clock = Clock::of_this_thread();
            ids.iter().for_each(|id| drop(imagery.tile(*id)));
            clock.seconds()
        });
        let ours = median(ours.collect());
        let places: Vec<_> = ids
            .iter()
            .flat_map(|id| [(0, 0), (TILE_QUADS, TILE_QUADS)].map(|(x, y)| lat_lon(id.place(x, y).point().normal())))
            .collect();
        let span = |of: fn(&(f64, f64)) -> f64| {
            let ends = places.iter().map(of).map(f64::to_degrees);
            ends.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
        };
        let ((south, north), (west, east)) = (span(|p| p.0), span(|p| p.1));
        let out = folder.join("orogen-warped.tif");
        let theirs = (0..reps).map(|_| {
            let mut warp = Command::new("gdalwarp");
            warp.args(["-q", "-overwrite", "-r", "bilinear", "-wm", "512", "-dstalpha", "-t_srs", "EPSG:3857"]);
            warp.args(["-te_srs", "EPSG:4326", "-te"]).args([west, south, east, north].map(|x| x.to_string()));
            warp.arg("-ts").args([(side * TILE_QUADS).to_string(), (side * TILE_QUADS).to_string()]);
            warp.env("GDAL_NUM_THREADS", "1").arg(file).arg(&out);
            let clock = Clock::of_children();
            output_of(&mut warp)?;
            Ok(clock.seconds())
        });
        let theirs = median(theirs.collect::<anyhow::Result<_>>()?);
        std::fs::remove_file(&out)?;
        let count = ids.len() as f64;
        report.add(vec![
            ("level", 6, level.to_string()),
            ("tiles", 6, ids.len().to_string()),
            ("tiles/s", 9, number(count / ours, 0)),
            ("gdalwarp/s", 12, number(count / theirs, 0)),
        ]);
    }
    Ok(())
}

/// Tiles of a level that have something of a picture.
fn tiles(imagery: &Imagery, level: u32) -> Vec<TileId> {
    let mut tiles = imagery.roots();
    while tiles.first().is_some_and(|id| id.level < level) {
        // Those in the middle are enough.
        let middle = tiles.len() / 2;
        let near = tiles[middle.saturating_sub(8)..(middle + 8).min(tiles.len())].iter();
        tiles = near.filter_map(|id| id.children()).flatten().filter(|id| imagery.adds(*id)).collect();
    }
    tiles
}
