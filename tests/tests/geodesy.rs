//! Does the planet have the shape of the Earth? WGS84 against published positions and against PROJ.

use gdal::spatial_ref::{AxisMappingStrategy, CoordTransform, SpatialRef};
use glam::DVec3;
use rand::{Rng, SeedableRng, rngs::StdRng};
use terrain::geodesy::{Ellipsoid, Geodetic, east_north_up, lat_lon};

/// Worked example of IOGP Guidance Note 7-2, section 4.1.1 (Geographic/Geocentric conversions): 53 48 33.820 N,
/// 2 07 46.380 E, 73.0 m.
#[test]
fn worked_example_of_the_guidance_note() {
    let place = Geodetic::from_degrees(53.0 + 48.0 / 60.0 + 33.820 / 3600.0, 2.0 + 7.0 / 60.0 + 46.380 / 3600.0, 73.0);
    let published = DVec3::new(3_771_793.968, 140_253.342, 5_124_304.349);
    assert!((place.to_ecef(Ellipsoid::WGS84) - published).length() < 2e-3, "{}", place.to_ecef(Ellipsoid::WGS84));
}

#[test]
fn axes_and_poles() {
    for (lat, lon, expected) in [
        (0.0, 0.0, DVec3::new(6_378_137.0, 0.0, 0.0)),
        (0.0, 90.0, DVec3::new(0.0, 6_378_137.0, 0.0)),
        (0.0, 180.0, DVec3::new(-6_378_137.0, 0.0, 0.0)),
        (0.0, -90.0, DVec3::new(0.0, -6_378_137.0, 0.0)),
        (90.0, 77.0, DVec3::new(0.0, 0.0, 6_356_752.314_245)),
        (-90.0, -123.0, DVec3::new(0.0, 0.0, -6_356_752.314_245)),
    ] {
        assert!(
            (Geodetic::from_degrees(lat, lon, 0.0).to_ecef(Ellipsoid::WGS84) - expected).length() < 1e-6,
            "{lat} {lon}"
        );
    }
}

/// PROJ is an implementation that shares nothing with ours.
#[test]
fn agrees_with_proj_everywhere() {
    let mut geographic = SpatialRef::from_epsg(4979).unwrap();
    geographic.set_axis_mapping_strategy(AxisMappingStrategy::TraditionalGisOrder);
    let geocentric = SpatialRef::from_epsg(4978).unwrap();
    let to_ecef = CoordTransform::new(&geographic, &geocentric).unwrap();

    let mut rng = StdRng::seed_from_u64(42);
    let mut places = vec![(90.0, 0.0), (-90.0, 0.0), (0.0, 180.0), (12.5, -180.0), (89.999_999, 180.0), (-1e-9, 1e-9)];
    places.extend((0..5_000).map(|_| (rng.random_range(-90.0..=90.0), rng.random_range(-180.0..=180.0))));
    for (lat, lon) in places {
        let height = [rng.random_range(-11_000.0..9_000.0), rng.random_range(0.0..2e7)][rng.random_range(0..2)];
        let (mut x, mut y, mut z) = ([lon], [lat], [height]);
        to_ecef.transform_coords(&mut x, &mut y, &mut z).unwrap();
        let proj = DVec3::new(x[0], y[0], z[0]);

        let ours = Geodetic::from_degrees(lat, lon, height);
        assert!(
            (ours.to_ecef(Ellipsoid::WGS84) - proj).length() < 1e-6,
            "{lat} {lon} {height}: {} and {proj}",
            ours.to_ecef(Ellipsoid::WGS84)
        );
        let back = Ellipsoid::WGS84.geodetic(proj);
        assert!((back.lat_rad.to_degrees() - lat).abs() < 1e-10, "{lat} {lon} {height}: {back:?}");
        assert!((back.height_m - height).abs() < 1e-6, "{lat} {lon} {height}: {back:?}");
        assert!((Ellipsoid::WGS84.normal_at(proj) - ours.normal()).length() < 1e-13);
    }
}

#[test]
fn the_antimeridian_is_one_line() {
    for lat in [-89.0, -45.0, 0.0, 27.5, 89.0] {
        let (east, west) = (Geodetic::from_degrees(lat, 180.0, 10.0), Geodetic::from_degrees(lat, -180.0, 10.0));
        assert!((east.to_ecef(Ellipsoid::WGS84) - west.to_ecef(Ellipsoid::WGS84)).length() < 1e-8);
        // A metre either side of it is a metre apart in longitude, with opposite signs.
        let (e, ..) = east_north_up(east.normal());
        let (_, beyond) = lat_lon(Ellipsoid::WGS84.normal_at(east.to_ecef(Ellipsoid::WGS84) + e));
        let (_, before) = lat_lon(Ellipsoid::WGS84.normal_at(east.to_ecef(Ellipsoid::WGS84) - e));
        assert!(beyond < 0.0 && before > 0.0, "{lat}: {beyond} {before}");
    }
}
