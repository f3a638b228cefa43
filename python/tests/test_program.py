"""Does Python answer as the program does? Against `orogen query` and packs of `orogen bake`, where the program has been built."""

import pickle

import numpy as np
import pytest
from program import RASTER, needs_program, run

import orogen

rasterio = pytest.importorskip("rasterio")

pytestmark = needs_program


def queried(source, lat, lon):
    """Heights, slopes and aspects that the program prints; an aspect of level ground is not a number."""
    places = "".join(f"{y!r},{x!r}\n" for y, x in zip(lat.tolist(), lon.tolist(), strict=True))
    lines = run("query", "height", source, stdin=places).splitlines()
    header, rows = lines[0].split(","), [line.split(",") for line in lines[1:]]
    columns = [header.index(name) for name in ("height_m", "slope_deg", "aspect_deg")]
    return np.array([[float(row[k] or "nan") for k in columns] for row in rows]).T


def test_a_raster_answers_as_its_file(rng):
    with rasterio.open(RASTER) as dataset:
        surface = orogen.Surface.open(dataset)
    west, south, east, north = surface.bounds
    lat, lon = rng.uniform(south + 0.01, north - 0.01, 3000), rng.uniform(west + 0.01, east - 0.01, 3000)
    heights, slopes, aspects = queried(RASTER, lat, lon)
    # As many digits as are printed.
    assert np.max(np.abs(surface.heights(lat, lon) - heights)) < 6e-4
    assert np.max(np.abs(surface.slope(lat, lon) - slopes)) < 6e-3
    own = surface.aspect(lat, lon)
    assert np.array_equal(np.isnan(own), np.isnan(aspects)) and 0 < np.isnan(own).sum() < 300
    assert np.nanmax(np.abs((own - aspects + 180) % 360 - 180)) < 6e-2


def test_a_viewshed_is_that_of_the_file(tmp_path):
    with rasterio.open(RASTER) as dataset:
        surface = orogen.Surface.open(dataset)
    seen = tmp_path / "seen.tif"
    run("query", "viewshed", "--at", "36.3301,-84.1838", "--radius", 5000, "-o", seen, RASTER)
    with rasterio.open(seen) as dataset:
        assert np.array_equal(dataset.read(1), surface.viewshed(36.3301, -84.1838, 5000).cells)


def test_a_pack_answers_and_can_be_pickled(rng, earth):
    surface = orogen.Surface.open(earth)
    lat, lon = rng.uniform(-90, 90, 500), rng.uniform(-180, 180, 500)
    assert np.max(np.abs(surface.heights(lat, lon) - queried(earth, lat, lon)[0])) < 6e-4
    again = pickle.loads(pickle.dumps(surface))
    assert np.array_equal(again.heights(lat, lon), surface.heights(lat, lon))
    assert (surface.provenance(lat, lon).layer == 0).all() and np.isfinite(surface.slope(lat, lon)).all()
    assert surface.viewshed(46.0, 8.0, 100_000, cell=10_000, eye_height=3000).cells.shape == (21, 21)
    with pytest.raises(ValueError, match="round the Earth: give bbox="):
        surface.skyview()
    assert surface.shade(width=90).shape == (45, 90, 4)


def table(text):
    """Columns of a CSV by their names; what is empty is not a number."""
    header, *rows = [line.split(",") for line in text.splitlines()]
    return {name: [row[k] for row in rows] for k, name in enumerate(header)}


def numbers(column):
    return np.array([float(text) if text else np.nan for text in column])


@pytest.mark.parametrize("options", [{}, {"directions": 90, "eye_height": 30, "refraction": 0.13}])
def test_a_horizon_is_that_of_the_program(pack, options):
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    told = {name: numbers(column) for name, column in table(run("query", "horizon", "--at", "36.3301,-84.1838", *words, pack)).items()}
    found = orogen.Surface.open(pack).horizon(36.3301, -84.1838, **options)
    assert np.array_equal(np.round(found.azimuth, 6), told["azimuth_deg"])
    columns = {"elevation": ("elevation_deg", 4), "distance_m": ("distance_m", 1), "lat": ("lat_deg", 7), "lon": ("lon_deg", 7), "height_m": ("height_m", 2)}
    for name, (column, digits) in columns.items():
        # Halves may be rounded either way.
        off = np.abs(getattr(found, name) - told[column])
        assert np.max(off) <= 0.5000001 * 10.0**-digits, name


def rasters(source, tmp_path, verb, *options):
    """Bands that the program writes, their transform and CRS, and what it prints."""
    file = tmp_path / f"{verb}.tif"
    told = table(run("query", verb, "-o", file, *options, source))
    with rasterio.open(file) as dataset:
        return dataset.read(), dataset.transform, dataset.crs, told


@pytest.mark.parametrize("kind", ["raster", "pack"])
def test_horizons_sky_views_and_light_are_those_of_the_program(pack, tmp_path, kind):
    # Beyond a raster the program has the relief of the Earth: horizons end within it here.
    source, reach = (RASTER, {"reach": 3000}) if kind == "raster" else (pack, {})
    if kind == "raster":
        with rasterio.open(source) as dataset:
            surface = orogen.Surface.open(dataset)
    else:
        surface = orogen.Surface.open(source)
    words = [f"--{name}={value}" for name, value in reach.items()]
    # Those over the pack reach as far as mountains do: of a small square.
    radius = 2000 if reach else 500
    square = ("--at", "36.3301,-84.1838", "--radius", radius, "--refraction", "0.13", *words)
    area = {"at": (36.3301, -84.1838), "radius": radius, "refraction": 0.13, **reach}
    expected, transform, crs, told = rasters(source, tmp_path, "horizons", *square, "--eye-height", 5)
    found = surface.horizons(**area, eye_height=5)
    assert np.array_equal(found.elevation, expected)
    assert np.allclose(found.raster.transform, tuple(transform)[:6], rtol=1e-12) and rasterio.CRS.from_user_input(found.raster.crs) == crs
    assert abs(found.raster.convergence_deg - float(told["convergence_deg"][0])) < 6e-5
    expected, *_, told = rasters(source, tmp_path, "skyview", *square, "--directions", "16")
    found = surface.skyview(**area, directions=16)
    assert np.array_equal(found.factor, expected[0]) and abs(np.mean(found) - float(told["mean"][0])) < 6e-5
    west = -84.25 if reach else -84.22
    box = (f"--bbox={west},36.28,-84.21,36.3", "--cell", "120", *words)
    expected, *_ = rasters(source, tmp_path, "insolation", *box, "--from", "2026-03-20T00:00Z", "--to", "2026-03-21T00:00Z")
    found = surface.insolation(bbox=(west, 36.28, -84.21, 36.3), cell=120, start="2026-03-20T00:00Z", end=np.datetime64("2026-03-21"), **reach)
    assert np.array_equal(np.stack([found.total, found.direct, found.diffuse, found.sun_hours]), expected)


def test_sunlight_is_that_of_the_program(pack):
    told = table(run("query", "sunlight", "--at", "36.3301,-84.1838", "--year", 2024, pack))
    found = orogen.Surface.open(pack).sunlight(36.3301, -84.1838, 2024)
    assert found.date.astype(str).tolist() == told["date"] and len(told["date"]) == 366
    for name in ("sunrise", "sunset"):
        assert [f"{time}Z" if time != "NaT" else "" for time in getattr(found, name).astype(str)] == told[name]
    for name in ("sun_hours", "level_hours"):
        assert np.max(np.abs(getattr(found, name) - numbers(told[name]))) <= 0.5000001e-3
