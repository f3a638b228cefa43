"""Are horizons, sky views and light those of the heights? Against marches and closed forms; blocks against the whole."""

import datetime

import numpy as np
import pyproj
import pytest
from conftest import SYSTEMS, places

import orogen

GEOD = pyproj.Geod(ellps="WGS84")
TO_ECEF = pyproj.Transformer.from_crs("EPSG:4979", "EPSG:4978", always_xy=True)
DAY = {"start": "2026-06-21T00:00Z", "end": "2026-06-22T00:00Z"}


@pytest.fixture
def plain():
    """Level ground, 200 cells of 30 m along each side."""
    return orogen.Surface.open(np.full((200, 200), 300.0), transform=(30, 0, 500_000, 0, -30, 5_100_000), crs="EPSG:32632")


def marched(surface, lat, lon, azimuth, eye_m):
    """Elevation of the highest of places a metre apart along a geodesic, degrees."""
    along = np.arange(1.0, 3_000.0)
    lons, lats, _ = GEOD.fwd(np.full_like(along, lon), np.full_like(along, lat), np.full_like(along, azimuth), along)
    heights = surface.heights(lats, lons)
    known = np.isfinite(heights)
    eye = np.array(TO_ECEF.transform(lon, lat, eye_m))
    up = np.array(TO_ECEF.transform(lon, lat, eye_m + 1.0)) - eye
    toward = np.stack(TO_ECEF.transform(lons[known], lats[known], heights[known]), axis=-1) - eye
    return np.degrees(np.max(np.arcsin(toward @ up / np.linalg.norm(toward, axis=-1))))


def test_horizons_are_those_of_marches(rng, hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(20, 80, 4), rng.uniform(20, 60, 4))
    found = surface.horizon(lat, lon, directions=12, eye_height=3.0)
    assert found.elevation.shape == (4, 12) and found.azimuth.tolist() == list(range(0, 360, 30))
    heights = surface.heights(lat, lon)
    for k in range(4):
        for azimuth, elevation, away_m in zip(found.azimuth, found.elevation[k], found.distance_m[k], strict=True):
            # A march sees no more than the exact horizon, and steps over little; but it knows nothing beyond the data.
            most = marched(surface, lat[k], lon[k], azimuth, heights[k] + 3.0)
            assert -0.01 < elevation - most and (np.isnan(away_m) or elevation - most < 0.2), (k, azimuth)
    # The place of the horizon is on the surface.
    known = np.isfinite(found.height_m)
    assert known.mean() > 0.5 and np.max(np.abs(surface.heights(found.lat, found.lon) - found.height_m)[known]) < 1e-3


def test_steep_even_ground_has_a_horizon():
    # It rises by one towards the south, and by a thirtieth towards the east.
    plane = np.add.outer(np.arange(100.0) * 30.0, np.arange(100.0))
    surface = orogen.Surface.open(plane, transform=(30, 0, 500_000, 0, -30, 5_100_000), crs="EPSG:32632")
    horizon = surface.horizon(46.04, 9.02, directions=4, eye_height=0.0)
    assert abs(horizon.elevation[2] - 45) < 0.1 and abs(horizon.elevation[1] - np.degrees(np.arctan(1 / 30))) < 0.1


def test_rasters_have_the_horizons_of_their_places(hills):
    surface, _, crs, transform = hills
    lat, lon = (float(v) for v in places(crs, transform, np.float64(50), np.float64(40)))
    raster = surface.horizons(at=(lat, lon), radius=300, cell=10, directions=16, eye_height=60.0)
    exact = surface.horizon(lat, lon, directions=16, eye_height=60.0)
    assert raster.elevation.shape == (16, 61, 61) and raster.raster.lat == lat
    assert np.max(np.abs(raster.elevation[:, 30, 30] - exact.elevation)) < 0.6


def test_level_ground_sees_all_of_the_sky(plain):
    lat, lon = 46.02, 9.04
    assert abs(plain.skyview(lat, lon, directions=16) - 1.0) < 1e-4
    sky = plain.skyview(at=(lat, lon), radius=400, cell=40, directions=16)
    assert np.allclose(sky, 1.0, atol=1e-4) and sky.raster.shape == (21, 21)
    light = plain.insolation(lat, lon, **DAY, directions=16)
    cells = plain.insolation(at=(lat, lon), radius=100, cell=100, **DAY, directions=16)
    assert abs(light.total - cells.total[1, 1]) < 1e-3 and abs(light.sun_hours - cells.sun_hours[1, 1]) < 0.4
    # Clear midsummer in 46 N: 8.5 kWh.
    assert abs(light.total - 8.5) < 0.2 and light.total == light.direct + light.diffuse


def test_what_lies_nowhere_is_nan(plain):
    lat, lon = np.array([46.02, 10.0, np.nan, 46.02]), np.array([9.04, 9.04, 9.04, np.inf])
    horizon = plain.horizon(lat, lon, directions=3)
    assert np.isfinite(horizon.elevation[0]).all() and np.isnan(horizon.elevation[1:]).all()
    assert np.isnan(plain.skyview(lat, lon, directions=3)[1:]).all()
    light = plain.insolation(lat, lon, **DAY, directions=3)
    assert np.isnan(light.direct[1:]).all() and np.isnan(light.sun_hours[1:]).all() and light.direct[0] > 5
    sun = plain.sunlight(lat, lon, 2026)
    assert np.isnat(sun.sunrise[1:]).all() and np.isnan(sun.sun_hours[1:]).all() and not np.isnat(sun.sunrise[0]).any()
    # A raster that reaches beyond the data.
    west, south, east, north = plain.bounds
    box = (west - 0.01, south - 0.01, east, north)
    sky, horizons = plain.skyview(bbox=box, directions=4, cell=120), plain.horizons(box, directions=4, cell=120)
    assert np.isnan(sky.factor[-1]).all() and np.isnan(horizons.elevation[:, -1]).all() and np.nanmin(sky.factor) > 0.99
    light = plain.insolation(bbox=box, directions=4, cell=120, **DAY)
    for band in (light.direct, light.diffuse, light.sun_hours):
        assert np.isnan(band[-1]).all() and np.isnan(band).mean() < 0.5


def test_times_in_every_form_are_the_same(plain):
    zone = datetime.timezone(datetime.timedelta(hours=2))
    forms = [
        "2026-06-21T10:30:00Z",
        "2026-06-21T12:30+02:00",
        datetime.datetime(2026, 6, 21, 12, 30, tzinfo=zone),
        datetime.datetime(2026, 6, 21, 10, 30),
        np.datetime64("2026-06-21T10:30"),
    ]
    totals = {float(plain.insolation(46.02, 9.04, start=form, end="2026-06-21T12:30Z", directions=4).total) for form in forms}
    assert len(totals) == 1
    days = ["2026-06-21", datetime.date(2026, 6, 21), np.datetime64("2026-06-21"), np.array("2026-06-21", "datetime64[D]"), np.array("2026-06-21T00:00", "M8[ns]")]
    totals = {float(plain.insolation(46.02, 9.04, start=day, end="2026-06-21T12:30Z", directions=4).total) for day in days}
    assert len(totals) == 1


def test_out_and_shapes_of_sky_views(plain):
    lat, lon = np.array([[46.02], [46.03]]), np.array([9.03, 9.04, 9.05])
    out = np.empty((2, 3), np.float32)
    assert plain.skyview(lat, lon, out, directions=4) is out and np.allclose(out, 1.0, atol=1e-4)
    assert plain.horizon(46.02, 9.04, directions=5).elevation.shape == (5,)
    assert plain.horizon(lat, lon, directions=5).distance_m.shape == (2, 3, 5)
    assert plain.insolation(lat, lon, directions=4, **DAY).total.shape == (2, 3)
    assert plain.sunlight(lat[0], lon[0], 2024).sunset.shape == (1, 366)
    assert plain.horizon([], [], directions=5).elevation.shape == (0, 5)


def test_blocks_are_those_of_the_whole(rng, hills):
    da = pytest.importorskip("dask.array")
    surface, _, crs, transform = hills
    area = {"at": tuple(float(v) for v in places(crs, transform, np.float64(50), np.float64(40))), "radius": 700, "cell": 40}
    chunks = (int(rng.integers(8, 30)), int(rng.integers(8, 30)))
    whole, lazy = surface.horizons(**area, directions=5), surface.horizons(**area, directions=5, chunks=chunks)
    assert isinstance(lazy.elevation, da.Array) and lazy.elevation.shape == whole.elevation.shape and lazy.elevation.npartitions > 3
    assert np.array_equal(lazy.elevation.compute(), whole.elevation)
    # A part alone is that of the whole too.
    assert np.array_equal(lazy.elevation[:, 20:30, 3:9].compute(), whole.elevation[:, 20:30, 3:9])
    whole, lazy = surface.skyview(**area, directions=5), surface.skyview(**area, directions=5, chunks=17)
    assert np.array_equal(lazy.factor.compute(), whole.factor)
    whole, lazy = surface.insolation(**area, directions=5, **DAY), surface.insolation(**area, directions=5, chunks=20, **DAY)
    for name in ("total", "direct", "diffuse", "sun_hours"):
        assert np.array_equal(getattr(lazy, name).compute(), getattr(whole, name))


def test_places_of_dask_are_asked_block_by_block(rng, hills):
    da = pytest.importorskip("dask.array")
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(20, 80, 5), rng.uniform(20, 60, 5))
    lazy_lat, lazy_lon = da.from_array(lat, chunks=4), da.from_array(lon, chunks=3)
    horizon, lazy = surface.horizon(lat, lon, directions=5), surface.horizon(lazy_lat, lazy_lon, directions=5)
    assert isinstance(lazy.elevation, da.Array)
    assert np.array_equal(lazy.elevation.compute(), horizon.elevation)
    assert np.array_equal(lazy.lon.compute(), horizon.lon, equal_nan=True)
    assert np.array_equal(surface.skyview(lazy_lat, lazy_lon, directions=5).compute(), surface.skyview(lat, lon, directions=5))
    light, lazy = surface.insolation(lat, lon, directions=5, **DAY), surface.insolation(lazy_lat, lazy_lon, directions=5, **DAY)
    assert np.array_equal(lazy.total.compute(), light.total)
    sun, lazy = surface.sunlight(lat[:1], lon[:1], 2026, eye_height=50), surface.sunlight(lazy_lat[:1], lazy_lon[:1], 2026, eye_height=50)
    assert np.array_equal(lazy.sunrise.compute(), sun.sunrise, equal_nan=True) and np.array_equal(lazy.sun_hours.compute(), sun.sun_hours)


def test_data_arrays_know_where_they_are(rng, hills):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("rioxarray")
    _, ground, crs, transform = hills
    a, _, c, _, e, f = transform
    rows, columns = ground.shape
    coords = {"y": f + e * (np.arange(rows) + 0.5), "x": c + a * (np.arange(columns) + 0.5)}
    dem = xarray.DataArray(ground, dims=("y", "x"), coords=coords).rio.write_crs(crs)
    sky = dem.orogen.skyview(directions=4)
    assert sky.dims == ("y", "x") and sky.name == "skyview" and sky.rio.crs.is_projected
    assert sky.attrs["units"] == "1" and sky.attrs["posting_m"] > 29 and "middle_lat" in sky.attrs
    assert float(sky.y[0]) > 0 > float(sky.x[0]) and 0.5 < float(sky.mean()) < 1
    middle = {"at": (sky.attrs["middle_lat"], sky.attrs["middle_lon"]), "radius": 200}
    horizons = dem.orogen.horizons(**middle, directions=4)
    assert horizons.dims == ("azimuth", "y", "x") and horizons.azimuth.values.tolist() == [0, 90, 180, 270] and horizons.attrs["units"] == "degree"
    light = dem.orogen.insolation(**middle, directions=4, **DAY)
    assert set(light) == {"total", "direct", "diffuse", "sun_hours"} and light.total.attrs["units"] == "kWh m-2" and light.rio.crs == sky.rio.crs
    lazy = dem.orogen.insolation(**middle, directions=4, chunks=5, **DAY)
    assert lazy.total.chunks is not None and lazy.load().equals(light)
    lat, lon = places(crs, transform, rng.uniform(20, 80, 3), rng.uniform(20, 60, 3))
    lat, lon = xarray.DataArray(lat, dims="mast"), xarray.DataArray(lon, dims="mast")
    horizon = dem.orogen.horizon(lat, lon, directions=4)
    assert horizon.dims == ("mast", "azimuth") and set(horizon.coords) >= {"azimuth", "distance", "point_lat", "point_height", "lat", "lon"}
    assert horizon.attrs["units"] == "degree" and horizon.attrs["crs"] == "EPSG:4326" and horizon.distance.attrs == {"units": "m"}
    assert np.array_equal(horizon, dem.orogen.horizon(lat.values, lon.values, directions=4).elevation)
    light = dem.orogen.insolation(lat, lon, directions=4, **DAY)
    assert light.sun_hours.dims == ("mast",) and light.sun_hours.attrs["units"] == "h"
    assert dem.orogen.skyview(lat, lon, directions=4).dims == ("mast",)
    sun = dem.orogen.sunlight(lat[:1].chunk(mast=1), lon[:1], 2026, eye_height=50)
    assert sun.sunrise.dims == ("mast", "date") and sun.sunrise.dtype.kind == "M" and sun.sun_hours.attrs["units"] == "h"
    assert float(sun.sun_hours.sel(date="2026-06-21").mean()) > float(sun.sun_hours.sel(date="2026-12-21").mean())


def test_rasters_lie_across_the_date_line(rng):
    ground = rng.uniform(0, 100, (40, 80)).astype(np.float32)
    surface = orogen.Surface.open(ground, transform=(0.001, 0, 179.96, 0, -0.001, -17), crs="EPSG:4326")
    sky = surface.skyview(directions=4)
    assert abs(abs(sky.raster.lon) - 180) < 0.01 and np.isfinite(sky.factor).mean() > 0.9
    assert surface.mesh(error=50.0).height_m.max() <= 100.001
    assert (surface.shade(width=40)[..., 3] == 255).mean() > 0.9
