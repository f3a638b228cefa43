//! Is the relief that ships with the program what `data/README.md` says?

use gdal::{Dataset, Metadata};
use tests::reference_data::{COLUMNS, NODES_PER_DEGREE, Nodes, ROWS, data_file, places};

/// A node by its place, as the file's own geotransform tells it.
fn at(nodes: &Nodes, geo_transform: [f64; 6], lat_deg: f64, lon_deg: f64) -> i16 {
    let [west, dx, _, north, _, dy] = geo_transform;
    nodes.at(((lat_deg - north) / dy).floor() as usize, ((lon_deg - west) / dx).floor() as usize)
}

#[test]
fn nodes_are_where_the_readme_puts_them() {
    let dataset = Dataset::open(data_file("etopo5.tif")).unwrap();
    let step = 1.0 / NODES_PER_DEGREE as f64;
    let expected = [-180.0 - step / 2.0, step, 0.0, 90.0 + step / 2.0, 0.0, -step];
    let found = dataset.geo_transform().unwrap();
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    assert_eq!(dataset.metadata_item("AREA_OR_POINT", "").as_deref(), Some("Point"));
    assert_eq!(dataset.spatial_ref().unwrap().auth_code().unwrap(), 4326);
    assert_eq!(dataset.rasterband(1).unwrap().no_data_value(), None);
}

#[test]
fn poles_trench_tibet_and_both_sides_of_the_antimeridian() {
    let nodes = Nodes::read();
    let geo_transform = Dataset::open(data_file("etopo5.tif")).unwrap().geo_transform().unwrap();
    let at = |lat, lon| at(&nodes, geo_transform, lat, lon);

    assert!((0..COLUMNS).all(|column| nodes.at(0, column) == -4290), "the Arctic Ocean at the north pole");
    assert!((0..COLUMNS).all(|column| nodes.at(ROWS - 1, column) == 2810), "the ice at the south pole");

    let lowest = nodes.all().iter().enumerate().min_by_key(|(_, h)| **h).unwrap();
    let (row, column) = (lowest.0 / COLUMNS, lowest.0 % COLUMNS);
    let (lat, lon) = (90.0 - row as f64 / 12.0, column as f64 / 12.0 - 180.0);
    assert_eq!(*lowest.1, -10_376);
    assert!((lat - 11.3333).abs() < 1e-3 && (lon - 142.3333).abs() < 1e-3, "Mariana Trench, not {lat} {lon}");
    assert_eq!(at(11.3333, 142.3333), -10_376);

    for lat in [30.0, 32.0, 34.0, 36.0] {
        for lon in [84.0, 86.0, 88.0, 90.0] {
            assert!(at(lat, lon) > 3_800, "Tibet at {lat} {lon} is {}", at(lat, lon));
        }
    }
    // The Chukchi Peninsula reaches across the antimeridian, Fiji's sea lies on both sides of it.
    assert!(at(66.5, 179.9) > 0 && at(66.5, -179.9) > 0);
    // Neighbours across the seam are as alike as neighbours anywhere.
    let steps = |west: usize| -> f64 {
        let rows = (0..ROWS).map(|row| f64::from((nodes.at(row, west) - nodes.at(row, west + 1)).abs()));
        rows.sum::<f64>() / ROWS as f64
    };
    let across = steps(COLUMNS - 1);
    let beside = (steps(COLUMNS - 3) + steps(COLUMNS - 2) + steps(0) + steps(1)) / 4.0;
    assert!(across < 1.5 * beside, "mean step {across} m across the antimeridian, {beside} m beside it");
}

#[test]
fn continents_are_neither_mirrored_nor_shifted() {
    let nodes = Nodes::read();
    let land = [
        ("Sahara", 23.0, 10.0),
        ("Brazil", -10.0, -52.0),
        ("Australia", -25.0, 134.0),
        ("Siberia", 62.0, 100.0),
        ("Canada", 60.0, -110.0),
        ("Greenland", 75.0, -40.0),
        ("Antarctica", -80.0, 60.0),
    ];
    let sea = [
        ("Pacific", 0.0, -150.0),
        ("Atlantic", 30.0, -45.0),
        ("Indian Ocean", -30.0, 80.0),
        ("Southern Ocean", -58.0, -120.0),
        ("Gulf of Guinea", -2.0, 0.0),
        ("Bay of Bengal", 14.0, 88.0),
    ];
    for (name, lat, lon) in land {
        assert!(nodes.nearest(lat, lon) > 0, "{name}");
    }
    for (name, lat, lon) in sea {
        assert!(nodes.nearest(lat, lon) < -1_000, "{name}");
    }
}

#[test]
fn places_agree_with_the_file() {
    let nodes = Nodes::read();
    let places = places();
    assert!(places.len() >= 10);
    for place in places {
        assert_eq!(nodes.nearest(place.lat_deg, place.lon_deg), place.nearest_node_m, "{}", place.name);
    }
}

/// The broken row of the source is there, as the README says: nobody has mended it unsaid.
#[test]
fn the_broken_row_is_the_one_that_the_readme_names() {
    let nodes = Nodes::read();
    let off_m = |row: usize| {
        let off = |column| {
            let around = f64::from(nodes.at(row - 1, column)) + f64::from(nodes.at(row + 1, column));
            (f64::from(nodes.at(row, column)) - 0.5 * around).abs()
        };
        (0..COLUMNS).map(off).sum::<f64>() / COLUMNS as f64
    };
    let mut all: Vec<(f64, usize)> = (1..ROWS - 1).map(|row| (off_m(row), row)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (worst_m, row) = all[all.len() - 1];
    let lat_deg = 90.0 - row as f64 / 12.0;
    assert_eq!((lat_deg, worst_m.round(), all[all.len() / 2].0.round()), (-81.25, 477.0, 29.0));
    assert_eq!([-81.0 - 2.0 / 12.0, -81.25, -81.0 - 4.0 / 12.0].map(|lat| nodes.nearest(lat, 0.0)), [2713, 122, 2682]);
}

#[test]
fn fits_the_repository() {
    assert!(std::fs::metadata(data_file("etopo5.tif")).unwrap().len() <= 8_000_000);
}

/// The sample raster lies where `data/README.md` says, with the values of its source.
#[test]
fn the_sample_is_where_the_readme_puts_it() {
    let dataset = Dataset::open(data_file("jacksboro.tif")).unwrap();
    assert_eq!(dataset.raster_size(), (403, 344));
    let step = 1.0 / 1200.0;
    let expected = [-84.41375, step, 0.0, 36.44625, 0.0, -step];
    let found = dataset.geo_transform().unwrap();
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    assert_eq!(dataset.metadata_item("AREA_OR_POINT", "").as_deref(), Some("Point"));
    assert_eq!(dataset.spatial_ref().unwrap().name().as_deref(), Some("WGS 84 + EGM96 height"));
    let band = dataset.rasterband(1).unwrap();
    let nodes = band.read_band_as::<i16>().unwrap();
    let nodes = nodes.data();
    assert_eq!((nodes.iter().min(), nodes.iter().max()), (Some(&236), Some(&1076)));
    for (lat, lon, node) in [(36.3301, -84.1838, 327), (36.3828, -84.1199, 325), (36.2989, -84.2232, 335)] {
        let (row, column) = (((36.44625 - lat) / step) as usize, ((lon + 84.41375) / step) as usize);
        assert_eq!(nodes[row * 403 + column], node, "{lat} {lon}");
    }
}
