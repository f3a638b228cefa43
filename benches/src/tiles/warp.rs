//! The same texels by gdalwarp: PROJ's S2 projection with the tangent warp is a face of our cube.

use super::scene::{Block, Source};
use benches::clock::Clock;
use benches::figures::median;
use benches::programs::output_of;
use std::process::Command;
use terrain::{
    cube::{ONE, face_coordinate},
    tile::{TILE_QUADS, TILE_VERTICES, Tile},
};

/// What gdalwarp makes of a block.
pub struct Warped {
    /// Median of the times it took.
    pub seconds: f64,
    /// Vertices along a side.
    side: usize,
    /// Heights in metres, in the order of our faces.
    heights: Vec<f32>,
}

impl Warped {
    /// Runs gdalwarp once for all tiles of a block, `reps` times.
    pub fn run(block: &Block, source: &Source, reps: u32) -> anyhow::Result<Self> {
        let side = (block.side * TILE_QUADS + 1) as usize;
        // Normals count as points of a sphere: no step between the ellipsoid's latitudes is wanted.
        let sphere = "+proj=longlat +R=6378137 +no_defs";
        let polar = block.face == 4;
        let face = format!(
            "+proj=s2 +lat_0={} +lon_0=0 +UVtoST=tangent +R=6378137 +no_defs +type=crs",
            if polar { 90 } else { 0 }
        );
        let first = block.ids()[0].place(0, 0);
        let step = 1.0 / f64::from(ONE) * f64::from(block.ids()[0].spacing());
        // S2 counts from 0 to 1; on its polar face both axes run against ours.
        let span = |first: u32| {
            let (low, high) = (0.5 * (face_coordinate(first) + 1.0), side as f64 * step);
            if polar {
                (1.0 - low + 0.5 * step - high, 1.0 - low + 0.5 * step)
            } else {
                (low - 0.5 * step, low - 0.5 * step + high)
            }
        };
        let ((x0, x1), (y0, y1)) = (span(first.u), span(first.v));
        let out = source.beside("warped");
        let mut times = Vec::new();
        for _ in 0..reps {
            let mut warp = Command::new("gdalwarp");
            warp.args(["-q", "-overwrite", "-of", "ENVI", "-ot", "Float32", "-r", "cubic", "-wm", "512"]);
            warp.args(["-s_srs", sphere, "-t_srs", &face])
                .arg("-te")
                .args([x0, y0, x1, y1].map(|x| format!("{x:.17}")));
            warp.arg("-ts").args([side.to_string(), side.to_string()]);
            warp.env("GDAL_NUM_THREADS", "1").arg(source.file()).arg(&out);
            let clock = Clock::of_children();
            output_of(&mut warp)?;
            times.push(clock.seconds());
        }
        let mut heights: Vec<f32> =
            std::fs::read(&out)?.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        // GDAL's rows run down; ours run along v.
        if polar {
            heights.chunks_exact_mut(side).for_each(<[f32]>::reverse);
        } else {
            heights = heights.chunks_exact(side).rev().flatten().copied().collect();
        }
        Ok(Self { seconds: median(times), side, heights })
    }

    /// Root mean square of the differences to our tiles.
    pub fn rms_difference_m(&self, block: &Block, tiles: &[Tile]) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for tile in tiles {
            let corner =
                [tile.id().i - block.corner.0, tile.id().j - block.corner.1].map(|k| (k * TILE_QUADS) as usize);
            for y in 0..TILE_VERTICES {
                for x in 0..TILE_VERTICES {
                    let theirs = self.heights[(corner[1] + y) * self.side + corner[0] + x];
                    sum += (tile.texel(x, y).height_m() - f64::from(theirs)).powi(2);
                    count += 1;
                }
            }
        }
        (sum / f64::from(count)).sqrt()
    }

    /// Standard deviation of gdalwarp's heights.
    pub fn deviation_m(&self) -> f64 {
        let count = self.heights.len() as f64;
        let mean = self.heights.iter().map(|h| f64::from(*h)).sum::<f64>() / count;
        (self.heights.iter().map(|h| (f64::from(*h) - mean).powi(2)).sum::<f64>() / count).sqrt()
    }
}
