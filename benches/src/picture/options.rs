//! What does the command line ask for?

use std::path::PathBuf;

use clap::Parser;
use foreign::values::{Size, fov_deg, integer, pixel_error, size};

/// Measure how true pictures are to the surface that they show, as the eye has them
///
/// Draws settled pictures of random cameras and compares each with a reference of the same view: 16 rays a pixel meet the surface that
/// `orogen query` answers from, and what they meet is lit by the same shaders, with the height and the normal of the surface there.
/// Over files, cameras are above the topmost one, in the air and on the ground; else above the globe, in orbit besides, and near the
/// ground two in three above land.
///
/// "SSIM" is the structural similarity of luma (Wang et al. 2004: Gaussian windows of 11 x 11), 1 where pictures are alike. "energy" is
/// the mean square of the gradient of luma over that of the reference, where all of a pixel is ground: below 1 the picture is too
/// smooth, above 1 too rough. "normal" is the angle between the normal that a pixel is lit by and the mean one of its rays, in degrees, on
/// dry ground. "flicker" is the mean change of luma when the eye moves by half a pixel, over that of the reference. Both
/// are left out where the reference is plain.
#[derive(Parser, Debug)]
#[command(name = "picture", version)]
pub struct PictureArgs {
    /// Random cameras in orbit, as many in the air, and as many on the ground
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = integer::<u32>(1..=1000), default_value = "3")]
    pub cameras: u32,
    /// Which random cameras
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
    /// Above a part of the Earth in place of the topmost file: west, south, east and north in degrees
    #[arg(long, value_name = "W,S,E,N", allow_negative_numbers = true, value_parser = over)]
    pub over: Option<BoxDeg>,
    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "480x270")]
    pub size: Size,
    /// Vertical field of view in degrees
    #[arg(long, value_name = "DEG", allow_negative_numbers = true, value_parser = fov_deg, default_value = "45")]
    pub fov: f64,
    /// Tolerated geometric error on screen in pixels
    #[arg(long, value_name = "PX", allow_negative_numbers = true, value_parser = pixel_error, default_value = "0.5")]
    pub pixel_error: f64,
    /// Use the software rasteriser's device
    #[arg(long)]
    pub software: bool,
    /// Save each picture, its reference, and four times their difference, side by side, in this folder
    #[arg(long, value_name = "FOLDER")]
    pub pictures: Option<PathBuf>,
    /// Print JSON for machines
    #[arg(long)]
    pub json: bool,
    /// Elevation rasters or packs, the first one on top; none measures the embedded globe
    pub files: Vec<PathBuf>,
}

/// West, south, east, north in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxDeg(pub [f64; 4]);

fn over(text: &str) -> Result<BoxDeg, String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[west, south, east, north])
            if west < east
                && south < north
                && (-90.0..=90.0).contains(&south)
                && north <= 90.0
                && east - west <= 360.0 =>
        {
            Ok(BoxDeg([west, south, east, north]))
        }
        _ => Err(String::from("WEST,SOUTH,EAST,NORTH in degrees is wanted, as 6,45,9,46.5")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_four_numbers_in_order() {
        assert_eq!(over("-84.4, 36.2,-84.1,36.4"), Ok(BoxDeg([-84.4, 36.2, -84.1, 36.4])));
        for bad in ["", "1,2,3", "1,2,3,4,5", "3,2,1,4", "1,4,3,2", "1,2,3,91", "1,2,nan,4", "1,x,3,4", "-300,2,300,4"]
        {
            assert!(over(bad).is_err(), "{bad}");
        }
    }
}
