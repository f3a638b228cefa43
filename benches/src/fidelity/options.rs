//! What does the command line ask for?

use std::path::PathBuf;

use clap::Parser;
use foreign::values::{Size, fov_deg, integer, pixel_error, size};
use terrain::Backend;

/// Measure how far the drawn mesh is from the surface, in pixels, and what the area metric would take
///
/// Settles the mesh for random cameras and compares about 60 000 pixels of each picture with the surface itself, ray cast by
/// brute force from the function that `orogen query` answers from. The error of a pixel is the distance in the picture by which
/// a point of the ground is drawn beside its place: of the mesh's point along its vertical to the surface, and of the
/// surface's point along its vertical to the mesh, whichever is more. A hole is a pixel in which the mesh is seen from below,
/// through a gap in it or because the eye is under it; one is enough for exit code 1.
///
/// "by area" are the triangles that a plain screen-area metric needs for the same error in 99.9 % of the pixels. All counts are
/// of triangles that face the eye and reach into the picture.
///
/// "least" says how few any mesh of this bisection can have for that error: from a bound, below which no mesh is whose vertices lie
/// on the surface, to the least mesh that was found, if one was. The bound over "by area" is the least ratio that such a mesh
/// can reach. In JSON: least.bound, least.found, and ratio_bound, the bound over the triangles of the area metric.
///
/// "at 1 px" compares both metrics at one error, whatever that of the picture is: what each of them tolerates is looked for by
/// trying, until 99.9 % of the pixels are within 1 px. In JSON: at_equal_error, and ratio_at_equal_error of all pictures.
#[derive(Parser, Debug)]
#[command(name = "fidelity", version)]
pub struct FidelityArgs {
    /// Random cameras in orbit, as many in the air, and as many on the ground
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = integer::<u32>(1..=1000), default_value = "8")]
    pub cameras: u32,
    /// Which random cameras
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
    /// Cameras of all these seeds, in place of one; the worst pictures are told with their cameras
    #[arg(long, value_name = "FIRST..LAST", conflicts_with = "seed")]
    pub seeds: Option<Seeds>,
    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1280x720")]
    pub size: Size,
    /// Vertical field of view in degrees
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = fov_deg, default_value = "45")]
    pub fov: f64,
    /// Tolerated geometric error on screen in pixels
    #[arg(long, value_name = "PX", allow_negative_numbers = true, value_parser = pixel_error, default_value = "0.5")]
    pub pixel_error: f64,
    /// Most triangles, rounded up to a power of two
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = integer::<u32>(64..=1_048_576), default_value = "262144")]
    pub triangles: u32,
    /// Where the mesh lives; cpu needs no graphics adapter
    #[arg(long, value_name = "WHERE", default_value = "cpu")]
    pub mesh: Backend,
    /// Use the software rasteriser's device for --mesh gpu
    #[arg(long)]
    pub software: bool,
    /// Leave out the comparison with the area metric, which takes most of the time
    #[arg(long)]
    pub no_baseline: bool,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Elevation rasters or packs, the first one on top; none measures the embedded globe
    pub files: Vec<PathBuf>,
}

/// Seeds of the cameras, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seeds {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
}

impl std::str::FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seeds, String> {
        let seed = |text: &str| text.parse().ok();
        let ends = text.split_once("..").and_then(|(first, last)| Some((seed(first)?, seed(last)?)));
        match ends {
            Some((first, last)) if first <= last => Ok(Seeds { first, last }),
            Some((first, last)) => Err(format!("{first} is after {last}")),
            None => Err(String::from("FIRST..LAST is wanted, as 1..10")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_two_numbers_in_order() {
        assert_eq!("3..12".parse(), Ok(Seeds { first: 3, last: 12 }));
        assert!("5..5".parse::<Seeds>().is_ok());
        for bad in ["", "3", "3..", "..4", "12..3", "1..x", "-1..3", "1-3"] {
            assert!(bad.parse::<Seeds>().is_err(), "{bad}");
        }
    }
}
