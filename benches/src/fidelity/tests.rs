//! Does the drawn mesh keep its promise? Random pictures, over the embedded relief.

use clap::Parser;
use serde_json::Value;

use super::{options::FidelityArgs, report};

fn fidelity(more: &[&str]) -> Value {
    let words = ["fidelity", "--cameras", "1", "--size", "160x90"];
    report::measured(&FidelityArgs::parse_from(words.iter().chain(more))).unwrap()
}

/// Law: asked for half a pixel, the mesh is within three times that in 99.9 % of the pixels, from orbit, from the air and on the ground,
/// and has no hole, whoever keeps it.
#[test]
fn the_mesh_is_within_three_times_the_error_asked_for() {
    for mesh in [&["--mesh", "cpu"][..], &["--mesh", "gpu", "--software"]] {
        let measured = fidelity(&[mesh, &["--no-baseline"]].concat());
        let cameras = measured["rows"].as_array().unwrap();
        let ranges: Vec<&str> = cameras.iter().map(|camera| camera["range"].as_str().unwrap()).collect();
        assert_eq!(ranges, ["orbit", "air", "ground"]);
        for camera in cameras {
            assert!(camera["pixels"].as_u64().unwrap() > 1_000 && camera["starved"] == 0, "{camera}");
            assert_eq!(camera["holes"], 0);
            let error_px = camera["error_px"]["p99_9"].as_f64().unwrap();
            assert!(error_px > 0.01, "{mesh:?}: {camera}");
            assert!(error_px < 1.5, "{mesh:?}: {camera}");
        }
        assert_eq!(measured["ratio"], Value::Null);
    }
}

/// Law: a third of the tolerated error is a much smaller error and takes more triangles; the same command gives the same answer.
#[test]
fn less_tolerance_gives_less_error_and_more_triangles() {
    let at = |pixel_error: &str| fidelity(&["--no-baseline", "--pixel-error", pixel_error]);
    let (fine, coarse) = (at("0.3"), at("1"));
    let error_px = |measured: &Value| measured["error_px"]["p99"].as_f64().unwrap();
    let triangles = |measured: &Value| -> f64 {
        measured["rows"].as_array().unwrap().iter().map(|camera| camera["triangles"].as_f64().unwrap()).sum()
    };
    assert!(error_px(&fine) < 0.6 * error_px(&coarse), "{fine} {coarse}");
    assert!(triangles(&fine) > 1.5 * triangles(&coarse), "{fine} {coarse}");
    assert_eq!(fine, at("0.3"));
}

/// Law: the area metric is searched for in the same pictures, at the error of each and at one that both metrics are made to have; ratios
/// are those of the triangles that were found.
#[test]
fn ratios_to_the_area_metric_are_those_of_the_triangles_found() {
    let measured = fidelity(&[]);
    // Triangles, or the bound of theirs that is known.
    let count = |needed: &Value| needed.as_object().unwrap().values().next().unwrap().as_f64().unwrap();
    let off = |ratio: &Value, ours: f64, by_area: f64| (ratio.as_f64().unwrap() * by_area / ours - 1.0).abs();
    let mut worst: f64 = 0.0;
    for camera in measured["rows"].as_array().unwrap() {
        let (ours, by_area) = (camera["triangles"].as_f64().unwrap(), count(&camera["area_metric"]));
        assert!(by_area >= 1.0 && off(&camera["ratio"], ours, by_area) < 0.05, "{camera}");
        let equal = &camera["at_equal_error"];
        let (ours, by_area) = (count(&equal["mesh"]), count(&equal["area_metric"]));
        // Both are rounded to whole triangles.
        assert!(by_area >= 1.0 && off(&equal["ratio"], ours, by_area) < 0.6 / ours + 0.6 / by_area, "{camera}");
        worst = worst.max(equal["ratio"].as_f64().unwrap());
    }
    assert_eq!(measured["ratio_at_equal_error"]["worst"].as_f64().unwrap(), worst);
    // No mesh is below the bound: not the area metric's, not the one that was found.
    for camera in measured["rows"].as_array().unwrap() {
        let bound = camera["least"]["bound"].as_u64().unwrap();
        assert!(bound >= 1, "{camera}");
        assert!(camera["least"]["found"].as_u64().is_none_or(|found| found >= bound), "{camera}");
        if let Some(by_area) = camera["area_metric"]["triangles"].as_f64() {
            assert!(by_area > 0.9 * bound as f64, "{camera}");
        }
    }
    let worst = measured["ratio"]["worst"].as_f64().unwrap();
    assert!(measured["ratio"]["geometric_mean"].as_f64().unwrap() <= worst && worst > 0.0, "{measured}");
}
