use super::*;

/// Law: a height of the file is the answer, with weight 1; a narrow void is filled; beyond the raster the weight falls to
/// nothing over the feather.
#[test]
fn heights_count_whole_and_voids_are_filled() {
    // 20 x 20 at 100 m with a hole at (10, 10).
    let mut values = vec![100.0; 400];
    values[10 * 20 + 10] = f32::NAN;
    let raster = Raster::new(20, 20, values, None, 4);
    let at = |x: f64, y: f64| {
        raster.sample(Interpolation::Cubic, x, y).map(|spot| (spot.height_m, spot.weight, spot.filled))
    };
    assert_eq!(at(10.0, 10.0), Some((100.0, 1.0, true)));
    assert_eq!((at(10.5, 10.0), at(11.0, 10.0)), (Some((100.0, 1.0, true)), Some((100.0, 1.0, false))));
    assert_eq!((at(0.0, 10.0), at(19.0, 19.0)), (Some((100.0, 1.0, false)), Some((100.0, 1.0, false))));
    for (x, expected) in [(-1.0, smoothstep(0.75)), (22.5, smoothstep(0.125))] {
        assert!(at(x, 10.0).is_some_and(|(h, w, filled)| h == 100.0 && (w - expected).abs() < 1e-3 && filled));
    }
    for (x, y) in [(-4.1, 3.0), (23.1, 3.0), (3.0, 40.5), (-1e9, 3.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        assert_eq!(raster.sample(Interpolation::Cubic, x, y), None);
    }
}

/// Law: weight and height are continuous, over voids of all sizes and over the edges.
#[test]
fn weight_and_height_are_continuous() {
    use rand::Rng;
    let mut rng = crate::random::rng();
    let hole = |i: usize| i % 23 == 7 || (10..40).contains(&(i % 60)) && (20..45).contains(&(i / 60));
    let values = (0..3600).map(|i| if hole(i) { f32::NAN } else { rng.random_range(0.0..100.0) }).collect();
    let raster = Raster::new(60, 60, values, None, 3);
    let at = |x: f64, y: f64| {
        raster.sample(Interpolation::Cubic, x, y).map_or((0.0, 0.0), |spot| (spot.weight, spot.weight * spot.height_m))
    };
    for _ in 0..200_000 {
        let (x, y) = (rng.random_range(-5.0..65.0), rng.random_range(-5.0..65.0));
        let (a, b) = (at(x, y), at(x + 0.001, y + 0.0007));
        assert!((a.0 - b.0).abs() < 0.002 && (a.1 - b.1).abs() < 2.0, "{x} {y}");
    }
}

/// Law: the weight falls from all to nothing, and is level at both ends of the feather: within a hundredth of it by a thousandth at most.
#[test]
fn weights_are_level_at_both_ends() {
    for feather in [1, 4, LONGEST_FEATHER] {
        let raster = Raster::new(20, 20, vec![100.0; 400], None, feather);
        let weight = |part: f64| raster.weight(1.0 - part * f64::from(feather));
        assert_eq!(weight(0.0), 1.0, "{feather}");
        assert!(weight(0.01) > 0.999 && weight(0.99) < 0.001 && weight(1.01) == 0.0, "{feather}");
        let falls = (0..100).all(|k| weight(0.01 * f64::from(k)) > weight(0.01 * f64::from(k + 1)));
        assert!(falls && (weight(0.5) - 0.5).abs() < 2e-3, "{feather}");
    }
}

/// Law: wherever there is a weight there is a height, to the last of the longest feather, along a rim with notches, too.
#[test]
fn heights_reach_as_far_as_weights() {
    use rand::Rng;
    let mut rng = crate::random::rng();
    for feather in [LONGEST_FEATHER, rng.random_range(1..LONGEST_FEATHER)] {
        let notched = |i: usize| (i / 60 < 12 || i / 60 > 50) && i % 20 > 5;
        let values = (0..3600).map(|i| if notched(i) { f32::NAN } else { rng.random_range(0.0..100.0) }).collect();
        let raster = Raster::new(60, 60, values, None, feather);
        let end = f64::from(feather - 1);
        // Anywhere, and where the weight has just become nothing.
        for k in 0..200_000 {
            let near = rng.random_range(-2.0 * AS_EXACT..2.0 * AS_EXACT);
            let side = if rng.random_bool(0.5) { -end } else { 59.0 + end } + near;
            let along = rng.random_range(-70.0..130.0);
            let (x, y) = match k % 4 {
                0 => (side, along),
                1 => (along, side),
                _ => (rng.random_range(-70.0..130.0), along),
            };
            for interpolation in [Interpolation::Cubic, Interpolation::Bilinear] {
                if let Some(spot) = raster.sample(interpolation, x, y) {
                    let [below, above] = raster.overshoot_m();
                    let range = -below..=100.0 + above;
                    assert!(range.contains(&spot.height_m), "feather {feather}, {x} {y}: {spot:?}");
                }
            }
        }
    }
}

/// Law: a plane is the plane at every place between postings of the data, to the sides of a raster and of a wide void in it, and goes on for a
/// texel beyond the sides. Heights that are not believed are not continued to.
#[test]
fn planes_are_planes_to_their_edges() {
    use rand::Rng;
    let mut rng = crate::random::rng();
    for _ in 0..20 {
        let [width, height] = [0, 0].map(|_| rng.random_range(3..60usize));
        let ([east, south], level) = ([0, 0].map(|_| rng.random_range(-9.0..9.0)), rng.random_range(-99.0..99.0));
        let plane = |x: f64, y: f64| level + east * x + south * y;
        let inside = [width, height].map(|size| 12..size.saturating_sub(12).max(12));
        let is_wide = inside.iter().all(|inside| inside.len() > FILL_TEXELS);
        let is_void = |x: usize, y: usize| is_wide && inside[0].contains(&x) && inside[1].contains(&y);
        let value = |x: usize, y: usize| if is_void(x, y) { f32::NAN } else { plane(x as f64, y as f64) as f32 };
        let values = (0..width * height).map(|at| value(at % width, at / width)).collect();
        let raster = Raster::new(width, height, values, None, rng.random_range(2..20));
        let mut valid = 0;
        for _ in 0..20_000 {
            let [x, y] = [width, height].map(|size| rng.random_range(0.0..=size as f64 - 1.0));
            let Some(spot) = raster.sample(Interpolation::Cubic, x, y).filter(|spot| !spot.filled) else {
                continue;
            };
            valid += 1;
            let error = (spot.height_m - plane(x, y)).abs();
            assert!(error < 2e-3, "{width} x {height}, {x} {y}: {spot:?}, {error} m");
        }
        for _ in 0..100 {
            let [x, y] = [width, height].map(|size| rng.random_range(-1..=size as i64) as isize);
            let is_rim = x.min(y) < 0 || x as usize == width || y as usize == height;
            let error = f64::from(raster.texel_at(x, y)) - plane(x as f64, y as f64);
            assert!(!is_rim || error.abs() < 2e-3, "{width} x {height}, {x} {y}: {error} m");
        }
        assert!(valid > 100, "{width} x {height}: {valid}");
    }
    let slope = (0..100).map(|at| (at % 10) as f32).collect::<Vec<f32>>();
    let held = Raster::joined(10, 10, slope.clone(), None, (4, (0.0, 9.5)), &NoBorder);
    assert_eq!([-1, 10].map(|x| held.texel_at(x, 5)), [0.0, 9.5]);
    assert_eq!(held.overshoot_m(), [0.0, 0.5]);
    assert_eq!(Raster::new(10, 10, slope, None, 4).overshoot_m(), [1.0, 1.0]);
}

#[test]
fn a_single_texel_is_used() {
    let raster = Raster::new(1, 1, vec![7.0], None, 8);
    assert_eq!(
        raster.sample(Interpolation::Cubic, 0.0, 0.0).map(|spot| (spot.height_m, spot.weight, spot.filled)),
        Some((7.0, 1.0, false))
    );
    assert_eq!(raster.texel(0, 0), 7.0);
}

#[test]
fn rows_on_a_pole_have_one_value_and_reflection_turns_half_around() {
    // 8 columns, 3 rows, node-registered: rows on both poles.
    let values = (0..24).map(|i| i as f32).collect();
    let wrap = Wrap { period: 8.0, first_pole: Some(0.0), last_pole: Some(2.0) };
    let raster = Raster::new(8, 3, values, Some(wrap), 8);
    for x in 0..8 {
        assert_eq!(raster.sample(Interpolation::Cubic, f64::from(x), 0.0), Some(RasterSample::whole(3.5)));
        assert_eq!(raster.sample(Interpolation::Cubic, f64::from(x), 2.0), Some(RasterSample::whole(19.5)));
    }
    // The row before the pole is the row after it, four columns on.
    assert_eq!(raster.data[12 + BORDER], 12.0);
    assert_eq!(raster.sample(Interpolation::Cubic, -0.5, 1.0), raster.sample(Interpolation::Cubic, 7.5, 1.0));
}
