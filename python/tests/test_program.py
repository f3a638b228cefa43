"""Does Python answer as the program does? Against `orogen query` and packs of `orogen bake`, where the program has been built."""

import os
import pathlib
import pickle
import subprocess

import numpy as np
import pytest

import orogen

rasterio = pytest.importorskip("rasterio")

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = os.environ.get("OROGEN_PROGRAM") or str(ROOT / "target/debug/orogen")
RASTER = ROOT / "data/jacksboro.tif"
pytestmark = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason=f"no program at {PROGRAM}")


def run(*arguments, stdin=""):
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def queried(source, lat, lon):
    """Heights, slopes and aspects that the program prints."""
    places = "".join(f"{y!r},{x!r}\n" for y, x in zip(lat.tolist(), lon.tolist(), strict=True))
    lines = run("query", "height", source, stdin=places).splitlines()
    header, rows = lines[0].split(","), [line.split(",") for line in lines[1:]]
    columns = [header.index(name) for name in ("height_m", "slope_deg", "aspect_deg")]
    return np.array([[float(row[k]) for k in columns] for row in rows]).T


def test_a_raster_answers_as_its_file(rng):
    with rasterio.open(RASTER) as dataset:
        surface = orogen.Surface.open(dataset)
    west, south, east, north = surface.bounds
    lat, lon = rng.uniform(south + 0.01, north - 0.01, 3000), rng.uniform(west + 0.01, east - 0.01, 3000)
    heights, slopes, aspects = queried(RASTER, lat, lon)
    # As many digits as are printed.
    assert np.max(np.abs(surface.heights(lat, lon) - heights)) < 6e-4
    assert np.max(np.abs(surface.slope(lat, lon) - slopes)) < 6e-3
    assert np.max(np.abs((surface.aspect(lat, lon) - aspects + 180) % 360 - 180)) < 6e-2


def test_a_viewshed_is_that_of_the_file(tmp_path):
    with rasterio.open(RASTER) as dataset:
        surface = orogen.Surface.open(dataset)
    seen = tmp_path / "seen.tif"
    run("query", "viewshed", "--at", "36.3301,-84.1838", "--radius", 5000, "-o", seen, RASTER)
    with rasterio.open(seen) as dataset:
        assert np.array_equal(dataset.read(1), surface.viewshed(36.3301, -84.1838, 5000).cells)


def test_a_pack_answers_and_can_be_pickled(rng, tmp_path):
    pack = tmp_path / "earth.pack"
    run("bake", "-o", pack, "--max-level", 1)
    surface = orogen.Surface.open(pack)
    lat, lon = rng.uniform(-90, 90, 500), rng.uniform(-180, 180, 500)
    assert np.max(np.abs(surface.heights(lat, lon) - queried(pack, lat, lon)[0])) < 6e-4
    again = pickle.loads(pickle.dumps(surface))
    assert np.array_equal(again.heights(lat, lon), surface.heights(lat, lon))
    assert (surface.provenance(lat, lon).layer == 0).all() and np.isfinite(surface.slope(lat, lon)).all()
    assert surface.viewshed(46.0, 8.0, 100_000, cell=10_000, eye_height=3000).cells.shape == (21, 21)
