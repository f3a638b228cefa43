use glam::DVec3;
use rand::Rng;

use super::*;
use crate::{
    geodesy::n_vector,
    height::{GlobalGrid, HeightBounds, Location, Registration, Sample},
};

fn sea() -> Relief {
    Relief::from_grid(GlobalGrid::from_fn(8, 5, Registration::Node, |_, _| 0.0)).expect("a grid")
}

fn same(_: &mut [f64], _: &mut [f64]) {}

const WGS84: ArraySystem<'static> =
    ArraySystem { name: "WGS 84", definition: "", is_geographic: true, to_wgs84: &same, from_wgs84: &same };

fn array(size: [usize; 2], values: Vec<f32>, geo_transform: [f64; 6]) -> RasterArray<'static> {
    RasterArray { name: "array", size, values, geo_transform, system: WGS84, scale: 1.0, offset: 0.0 }
}

/// Law: what cannot be a raster on the Earth is refused, with a reason.
#[test]
fn what_is_no_raster_is_refused() {
    let g = [10.0, 0.1, 0.0, 47.0, 0.0, -0.1];
    let wrong = [
        (array([0, 3], vec![], g), "no values"),
        (array([2, 2], vec![1.0; 3], g), "3 values given"),
        (array([2, 2], vec![1.0; 4], [0.0; 6]), "degenerate"),
        (array([2, 2], vec![1.0; 4], [f64::NAN, 0.1, 0.0, 47.0, 0.0, -0.1]), "degenerate"),
        (array([1 << 31, 1], vec![], g), "take a part of it"),
    ];
    for (array, says) in wrong {
        let error = sea().under_array(array, &OpenOptions::default()).expect_err(says).to_string();
        assert!(error.contains(says), "{error}");
    }
    let nowhere = |x: &mut [f64], _: &mut [f64]| x.fill(f64::INFINITY);
    let system = ArraySystem { is_geographic: false, to_wgs84: &nowhere, from_wgs84: &nowhere, ..WGS84 };
    let lost = RasterArray { system, ..array([2, 2], vec![1.0; 4], g) };
    let error = sea().under_array(lost, &OpenOptions::default()).expect_err("nowhere").to_string();
    assert!(error.contains("on the Earth"), "{error}");
}

/// Law: values that stand for none are voids, the others are scaled and converted, by the unit asked for or by the vertical axis.
#[test]
fn values_become_heights() {
    let definition = r#"{"components": [{"type": "GeographicCRS"}, {"name": "local depth", "coordinate_system":
        {"axis": [{"direction": "down", "unit": {"name": "foot", "conversion_factor": 0.3048}}]}}]}"#;
    let values = vec![10.0, -9999.0, f32::INFINITY, f32::NAN, 1e30, 20.0];
    let system = ArraySystem { definition, ..WGS84 };
    let g = [10.0, 0.1, 0.0, 47.0, 0.0, -0.1];
    let raster = || RasterArray { system, scale: 2.0, offset: 1.0, ..array([6, 1], values.clone(), g) };
    let options = OpenOptions::default().with_nodata(Some(-9999.0));
    let of = |options: &OpenOptions| sea().under_array(raster(), options).expect("a raster").layers()[0].clone();
    let info = of(&options);
    assert_eq!((info.datum.as_str(), info.void_share, info.nodata), ("local depth", 4.0 / 6.0, Some(-9999.0)));
    let feet = |depth: f64| f64::from((-depth * 0.3048) as f32);
    assert_eq!(info.range_m, (feet(41.0), feet(21.0)));
    assert!(info.remarks.iter().any(|remark| remark.contains("1 heights outside")), "{:?}", info.remarks);
    assert_eq!(of(&options.with_unit_m(Some(1.0))).range_m, (-41.0, -21.0));
}

/// Law: an array in a projection answers at its postings with its values, and a table places them as well as the transformation does.
#[test]
fn a_projection_given_as_functions_places_heights() {
    const RADIUS_M: f64 = 6_378_137.0;
    // Spherical Mercator, in closed form.
    let to_wgs84 = |x: &mut [f64], y: &mut [f64]| {
        x.iter_mut().for_each(|x| *x = (*x / RADIUS_M).to_degrees());
        y.iter_mut().for_each(|y| *y = (*y / RADIUS_M).sinh().atan().to_degrees());
    };
    let from_wgs84 = |x: &mut [f64], y: &mut [f64]| {
        x.iter_mut().for_each(|x| *x = x.to_radians() * RADIUS_M);
        y.iter_mut().for_each(|y| *y = y.to_radians().tan().asinh() * RADIUS_M);
    };
    let mut rng = crate::random::rng();
    let (size, step_m, corner_m) = ([70usize, 50usize], 30.0, [1_000_000.0, 6_000_000.0]);
    let values: Vec<f32> = (0..size[0] * size[1]).map(|_| rng.random_range(0.0..100.0)).collect();
    let system = ArraySystem { is_geographic: false, to_wgs84: &to_wgs84, from_wgs84: &from_wgs84, ..WGS84 };
    let g = [corner_m[0], step_m, 0.0, corner_m[1], 0.0, -step_m];
    let relief = sea().under_array(RasterArray { system, ..array(size, values.clone(), g) }, &OpenOptions::default());
    let relief = relief.expect("a raster");
    let normal = |column: f64, row: f64| -> DVec3 {
        let (mut x, mut y) = ([corner_m[0] + (column + 0.5) * step_m], [corner_m[1] - (row + 0.5) * step_m]);
        to_wgs84(&mut x, &mut y);
        n_vector(y[0].to_radians(), x[0].to_radians())
    };
    for (k, value) in values.iter().enumerate() {
        let Sample { height_m, share, layer, .. } = relief.sample(normal((k % size[0]) as f64, (k / size[0]) as f64));
        assert!((height_m - f64::from(*value)).abs() < 1e-3, "{height_m} for {value}");
        assert_eq!((share, layer), (1.0, 0));
    }
}

/// Law: a ray's bounds hold for arrays as for files: the surface is within them.
#[test]
fn bounds_hold() {
    let mut rng = crate::random::rng();
    let values = (0..400).map(|k| if k % 37 == 0 { f32::NAN } else { rng.random_range(0.0..500.0) }).collect();
    let layer =
        layer(Ellipsoid::WGS84, array([20, 20], values, [10.0, 0.01, 0.0, 47.0, 0.0, -0.01]), &OpenOptions::default());
    let layer = layer.expect("a layer");
    for _ in 0..2_000 {
        let at = Location::at(rng.random_range(46.7..47.1), rng.random_range(9.9..10.3));
        let region = crate::height::Region::cap(at.normal, 10f64.powf(rng.random_range(-8.0..-3.0)));
        let found = layer.source.sample(&at, crate::height::Spacing::Any);
        let Some(found) = found else { continue };
        let HeightBounds { low_m, high_m, .. } = layer.source.bounds(&region).expect("ground here");
        assert!((low_m..=high_m).contains(&found.height_m));
    }
}
