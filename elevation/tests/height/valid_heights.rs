//! A height that a file has is the answer; narrow voids are filled from around them; only outside of the data does a layer go
//! over to the one below, and answers say so.

use std::{path::PathBuf, sync::LazyLock};

use elevation::{
    height::{FILL_TEXELS, OpenOptions, Relief, Sample},
    surface::{SlopeRule, Surface},
};
use glam::DVec3;
use rand::{Rng, SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use super::{
    places::EARTH,
    raster_files::{Frame, normal},
};
use crate::random;

/// A raster of rough heights of 500 m and more, with voids.
struct Rough {
    frame: Frame,
    values: Vec<f32>,
}

impl Rough {
    fn new(frame: Frame, rng: &mut StdRng, is_void: impl Fn(usize, usize, &mut StdRng) -> bool) -> Self {
        let (w, h) = frame.size;
        // PROJ's systems are tabulated to a thousandth of a texel, over which these change by less than a millimetre.
        let high = if frame.crs == "EPSG:4326" { 900.0 } else { 500.5 };
        let value = |i: usize| if is_void(i % w, i / w, rng) { f32::NAN } else { rng.random_range(500.0..high) };
        Self { values: (0..w * h).map(value).collect(), frame }
    }

    fn write(&self, path: PathBuf) -> PathBuf {
        self.frame.write::<f32>(&path, self.values.clone()).close().expect("closed");
        path
    }

    /// Normals of texels given from the centre of the first.
    fn normals(&self, texels: &[(f64, f64)]) -> Vec<DVec3> {
        let centres: Vec<_> = texels.iter().map(|(x, y)| (x + 0.5, y + 0.5)).collect();
        self.frame.lon_lat(&centres).into_iter().map(|(lon, lat)| normal(lon, lat)).collect()
    }

    /// Law: at every valid posting the file's height is the answer, to a millimetre; it is not blended, and not filled.
    fn answers_its_own(&self, relief: &Relief, what: &str) {
        let (w, h) = self.frame.size;
        let texels: Vec<_> = (0..w * h).map(|i| ((i % w) as f64, (i / w) as f64)).collect();
        let (mut exact, mut valid) = (0, 0);
        for (n, value) in self.normals(&texels).into_iter().zip(&self.values).filter(|(_, value)| !value.is_nan()) {
            let sample = relief.sample(n);
            valid += 1;
            exact += u32::from((sample.height_m - f64::from(*value)).abs() < 1e-3);
            assert_eq!((sample.layer, sample.blended_with), (0, None), "{what}: {sample:?}");
            assert!(sample.share == 1.0 && !sample.filled, "{what}: {sample:?}");
        }
        assert_eq!(exact, valid, "{what}: exact of all valid postings");
    }
}

fn open(file: PathBuf, options: &OpenOptions) -> Relief {
    LazyLock::force(&EARTH); // Kept alive, the embedded relief is decoded once.
    Relief::open(&[file], options).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn valid_postings_are_the_files() {
    let mut rng = random::rng();
    let folder = TempDir::new().expect("a temporary folder");
    let geographic = |size| Frame::north_up("EPSG:4326", size, 7.0, 46.5, 0.001);
    let utm = |size| Frame::north_up("EPSG:32632", size, 500_000.0, 5_100_000.0, 30.0);
    type IsVoid = fn(usize, usize, &mut StdRng) -> bool;
    let none: IsVoid = |_, _, _| false;
    let cases: [(&str, Frame, IsVoid); 9] = [
        ("edges", geographic((120, 90)), none),
        ("a single void", geographic((60, 60)), |x, y, _| (x, y) == (30, 30)),
        ("1 % voids", geographic((200, 150)), |_, _, rng| rng.random_bool(0.01)),
        ("half voids", geographic((80, 80)), |_, _, rng| rng.random_bool(0.5)),
        ("wide voids", utm((150, 150)), |x, y, _| (20..70).contains(&x) && (30..90).contains(&y) || x + y > 250),
        ("3 x 3", geographic((3, 3)), none),
        ("1 x n", utm((1, 50)), none),
        ("n x 1", geographic((50, 1)), none),
        ("a band of the globe", Frame::north_up("EPSG:4326", (360, 120), -180.0, 60.0, 1.0), none),
    ];
    for (what, frame, is_void) in cases {
        let rough = Rough::new(frame, &mut rng, is_void);
        let file = rough.write(folder.path().join("rough.tif"));
        rough.answers_its_own(&open(file.clone(), &OpenOptions::default()), what);
        // The same, read in windows, and as the one file of a folder.
        let small = OpenOptions::default().with_layer_bytes(4096);
        rough.answers_its_own(&open(file, &small), &format!("{what}, in windows"));
        rough.answers_its_own(&open(folder.path().into(), &OpenOptions::default()), &format!("{what}, in a folder"));
    }
}

/// Law: what is between valid postings stays between them, whatever lies below.
#[test]
fn between_valid_postings_the_layer_answers_alone() {
    let mut rng = random::rng();
    let folder = TempDir::new().expect("a temporary folder");
    let frame = Frame::north_up("EPSG:4326", (50, 50), 7.0, 46.5, 0.001);
    let rough = Rough::new(frame, &mut rng, |_, _, rng| rng.random_bool(0.02));
    let relief = open(rough.write(folder.path().join("rough.tif")), &OpenOptions::default());
    let texels: Vec<_> = (0..5_000).map(|_| (rng.random_range(0.0..49.0), rng.random_range(0.0..49.0))).collect();
    let mut whole = 0;
    for ((x, y), n) in texels.iter().zip(rough.normals(&texels)) {
        let at = *y as usize * 50 + *x as usize;
        let corners = [at, at + 1, at + 50, at + 51].map(|at| f64::from(rough.values[at]));
        if corners.iter().any(|h| h.is_nan()) {
            continue;
        }
        whole += 1;
        let sample = relief.sample(n);
        let range = corners.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
        assert_eq!((sample.share, sample.layer, sample.filled), (1.0, 0, false), "{x} {y}");
        assert!(
            sample.height_m >= range.0 - 1e-3 && sample.height_m <= range.1 + 1e-3,
            "{x} {y}: {sample:?} {range:?}"
        );
    }
    assert!(whole > 4_000);
}

/// Law: a narrow void is filled from the raster, a wide one and the outside are blended with what is below, and answers say which.
#[test]
fn filled_and_blended_answers_say_so() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut rng = StdRng::seed_from_u64(1);
    let narrow = 10..10 + FILL_TEXELS;
    let wide = 60..120;
    let frame = Frame::north_up("EPSG:4326", (150, 150), 7.0, 46.5, 0.001);
    let holes = |x: usize, y: usize, _: &mut StdRng| {
        narrow.contains(&x) && narrow.contains(&y) || wide.contains(&x) && wide.contains(&y)
    };
    let rough = Rough::new(frame, &mut rng, holes);
    let options = OpenOptions::default().with_feather_texels(Some(10));
    let relief = open(rough.write(folder.path().join("holes.tif")), &options);
    let at = |x: f64, y: f64| relief.sample(rough.normals(&[(x, y)])[0]);
    let below = LazyLock::force(&EARTH);
    let filled = at(18.0, 18.0);
    assert!(filled.filled && filled.share == 1.0 && filled.blended_with.is_none(), "{filled:?}");
    assert!((500.0..900.0).contains(&filled.height_m), "{filled:?}");
    // In the middle of the wide void, and far outside, what is below answers, as if there were nothing else.
    for (x, y) in [(90.0, 90.0), (90.0, 75.0), (-12.0, 40.0), (40.0, 161.0)] {
        let expected = below.sample(rough.normals(&[(x, y)])[0]).height_m;
        assert_eq!(at(x, y), Sample { height_m: expected, layer: 1, share: 1.0, blended_with: None, filled: false });
    }
    // On the way there the share falls over ten texels, level at both ends.
    for (k, tenths) in [(1, 9), (3, 7), (6, 4), (9, 1)] {
        let outside = at(-f64::from(k), 40.0);
        let (largest, next) = if tenths >= 5 { (0, 1) } else { (1, 0) };
        assert_eq!((outside.layer, outside.blended_with), (largest, Some(next)), "{k}");
        let part = f64::from(if tenths >= 5 { tenths } else { 10 - tenths }) / 10.0;
        let share = part * part * (3.0 - 2.0 * part);
        assert!((outside.share - share).abs() < 1e-3 && outside.filled, "{k}: {outside:?}");
    }
}

/// Law: outside of the data the ground is no steeper than the data are at their rim and below, and half again the step between them
/// over the width of the blend: it is level at both of its ends.
#[test]
fn the_seam_is_no_cliff() {
    let folder = TempDir::new().expect("a temporary folder");
    let feather = 20;
    let frame = Frame::north_up("EPSG:4326", (100, 100), 7.0, 46.5, 0.001);
    let mut rng = random::rng();
    let rough = Rough::new(frame, &mut rng, |x, y, _| (30..75).contains(&x) && (30..75).contains(&y));
    let steepest = rough.values.windows(2).map(|v| (v[1] - v[0]).abs()).filter(|d| d.is_finite()).fold(0.0, f32::max);
    let options = OpenOptions::default().with_feather_texels(Some(feather));
    let relief = open(rough.write(folder.path().join("seam.tif")), &options);
    let below = LazyLock::force(&EARTH);
    let step = |n: DVec3| [500.0, 900.0].map(|h| (below.sample(n).height_m - h).abs()).into_iter().fold(0.0, f64::max);
    let mut seen = 0;
    for _ in 0..400 {
        // From the rim outwards, or from one side of the void to the other.
        let (outwards, across): (bool, f64) = (rng.random(), rng.random());
        let line = |t: f64| if outwards { (-25.0 * t, 99.0 * across) } else { (29.0 + 47.0 * t, 30.0 + 44.0 * across) };
        let texels: Vec<_> = (0..=500).map(|k| line(f64::from(k) / 500.0)).collect();
        let length = if outwards { 0.05 } else { 0.094 };
        let heights: Vec<_> = rough.normals(&texels).into_iter().map(|n| (n, relief.sample(n).height_m)).collect();
        for pair in heights.windows(2) {
            let slope = (pair[1].1 - pair[0].1).abs() / length;
            // The interpolant is up to twice as steep as its postings.
            let allowed = 2.0 * f64::from(steepest) + 1.5 * step(pair[0].0) / f64::from(feather) + 5.0;
            assert!(slope <= allowed, "{slope} m a texel, {allowed} allowed");
            seen += 1;
        }
    }
    assert!(seen > 100_000);
}

/// Law: a raster does not change the slope of ground that is not its own and not blended with it.
#[test]
fn slopes_beyond_the_blend_are_those_without_the_raster() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut rng = random::rng();
    let frame = Frame::north_up("EPSG:4326", (200, 200), 7.0, 46.5, 0.001);
    let rough = Rough::new(frame, &mut rng, |_, _, _| false);
    let with = Surface::new(open(rough.write(folder.path().join("rough.tif")), &OpenOptions::default()).into());
    let without = Surface::new(Relief::embedded().expect("opens").into());
    // 3 km are 27 texels.
    let texels: Vec<_> = (0..300).map(|k| (-30.0 - f64::from(k % 20), f64::from(k))).collect();
    for n in rough.normals(&texels) {
        let (a, b) = (with.ground(n), without.ground(n));
        assert_eq!(
            (a.height_m, a.slope_rad, a.provenance.posting_m),
            (b.height_m, b.slope_rad, b.provenance.posting_m)
        );
        assert!(with.ground(n).provenance.layer == 1);
    }
}

/// Law: Horn's rule at a posting is Horn's formula of the 3 x 3 heights of the file, over the metres between them.
#[test]
fn horn_is_that_of_the_postings() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut rng = random::rng();
    let size = (60, 50);
    let frame = Frame::north_up("EPSG:32632", size, 500_000.0, 5_100_000.0, 30.0);
    let rough = Rough::new(frame, &mut rng, |_, _, _| false);
    let surface = Surface::new(open(rough.write(folder.path().join("rough.tif")), &OpenOptions::default()).into());
    for _ in 0..300 {
        let (x, y) = (rng.random_range(1..size.0 - 1), rng.random_range(1..size.1 - 1));
        let h = |i: usize, j: usize| f64::from(rough.values[(y + j - 1) * size.0 + x + i - 1]);
        let dx = (h(2, 0) + 2.0 * h(2, 1) + h(2, 2) - h(0, 0) - 2.0 * h(0, 1) - h(0, 2)) / (8.0 * 30.0);
        let dy = (h(0, 2) + 2.0 * h(1, 2) + h(2, 2) - h(0, 0) - 2.0 * h(1, 0) - h(2, 0)) / (8.0 * 30.0);
        let n = rough.normals(&[(x as f64, y as f64)])[0];
        let expected = dx.hypot(dy).atan();
        let got = surface.ground_by(SlopeRule::Horn, n).slope_rad;
        // Metres of the grid are 1.0004 metres of the ground in the middle of a zone.
        assert!((got - expected).to_degrees().abs() < 0.03, "{x} {y}: {got} {expected}");
    }
}
