"""Are heights those of the array? At its samples, between them, over voids, beyond its edges, in every form of arguments."""

import copy
import pickle
import threading

import numpy as np
import pytest
from conftest import SYSTEMS, places

import orogen


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", ">i2", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", ">f4", "float64"])
def test_heights_at_samples_are_those_of_the_array(rng, system, dtype):
    crs, transform = SYSTEMS[system]
    ground = rng.integers(0, 120, (30, 40)).astype(dtype)
    surface = orogen.Surface.open(ground, transform=transform, crs=crs)
    rows, columns = np.mgrid[0:30, 0:40]
    heights = surface.heights(*places(crs, transform, columns, rows))
    # PROJ's way there and back between datums is a millimetre apart itself, on slopes of 5 here.
    most = 1e-2 if system == "another datum" else 1e-3
    assert np.max(np.abs(heights - ground.astype(np.float64))) < most


def test_heights_between_samples_lie_between_them(rng, hills):
    surface, ground, crs, transform = hills
    columns, rows = rng.uniform(0, 99, 5000), rng.uniform(0, 79, 5000)
    heights = surface.heights(*places(crs, transform, columns, rows))
    i, j = columns.astype(int), rows.astype(int)
    corners = np.stack([ground[j, i], ground[j, i + 1], ground[j + 1, i], ground[j + 1, i + 1]])
    # Monotone along rows and along columns: no overshoot but by the error of the place, a thousandth of a pixel.
    slack = 1e-3 * np.ptp(ground)
    assert np.all(heights >= corners.min(axis=0) - slack) and np.all(heights <= corners.max(axis=0) + slack)


def test_arrays_may_begin_at_any_byte(rng, hills):
    surface, ground, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(0, 99, 50), rng.uniform(0, 79, 50))

    def odd(array):
        buffer = np.frombuffer(b"x" + array.tobytes(), np.uint8)[1:].view(array.dtype).reshape(array.shape)
        assert not buffer.flags.aligned
        return buffer

    assert np.array_equal(surface.heights(odd(lat), odd(lon)), surface.heights(lat, lon), equal_nan=True)
    assert np.array_equal(surface.slope(odd(lat), lon), surface.slope(lat, lon), equal_nan=True)
    again = orogen.Surface.open(odd(ground.astype(np.float32)), transform=transform, crs=crs)
    assert np.allclose(again.heights(lat, lon), surface.heights(lat, lon), atol=1e-3, equal_nan=True)


def test_voids_and_outside_are_nan(rng):
    crs, transform = SYSTEMS["degrees"]
    ground = rng.uniform(100, 200, (60, 60))
    ground[20:45, 20:45] = np.nan
    ground[5, 5] = -9999
    surface = orogen.Surface.open(ground, transform=transform, crs=crs, nodata=-9999)
    at = lambda column, row: float(surface.heights(*places(crs, transform, np.float64(column), np.float64(row))))
    assert np.isnan(at(32, 32)) and np.isnan(at(-2, 10)) and np.isnan(at(200, 10))
    # A narrow void is filled, and says so.
    assert 100 < at(5, 5) < 200
    found = surface.provenance(*places(crs, transform, np.array([5.0, 50.0, 32.0]), np.array([5.0, 50.0, 32.0])))
    assert found.filled.tolist() == [True, False, False] and found.layer.tolist() == [0, 0, -1]
    assert abs(found.posting_m[1] - 89) < 1 and found.datum == ["not stated"]
    assert np.isnan(surface.heights(np.nan, 7.0)) and np.isnan(surface.heights(46.0, np.inf))


def test_below_answers_where_the_data_have_none():
    base = orogen.Surface.open(np.full((20, 20), 5.0), transform=(1, 0, 0, 0, -1, 50), crs="EPSG:4326")
    top = orogen.Surface.open(np.full((20, 20), 100.0), transform=(0.01, 0, 7, 0, -0.01, 46), crs="EPSG:4326", below=base)
    assert top.heights(45.9, [7.1, 9.5]).round(6).tolist() == [100.0, 5.0]
    assert len(top.layers) == 2 and np.isnan(top.heights(0.0, 0.0))


def test_arguments_broadcast(hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, np.float64(10), np.float64(10))
    lats, lons = lat + np.linspace(0, 1e-3, 4)[:, None], lon + np.linspace(0, 1e-3, 5)
    whole = surface.heights(lats, lons)
    assert whole.shape == (4, 5) and whole.dtype == np.float64
    one_by_one = [[surface.heights(y, x) for x in lons] for y in lats[:, 0]]
    assert np.array_equal(whole, one_by_one)
    assert isinstance(surface.heights(lat, lon), float)
    assert surface.normals(lats, lons).shape == (4, 5, 3)
    assert surface.heights([], []).shape == (0,)
    assert surface.heights([float(lat)], [[float(lon)]] * 3).shape == (3, 1)


def test_out_is_written(hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, np.arange(12.0), np.arange(12.0))
    expected = surface.heights(lat, lon)
    for out in [np.empty(12), np.empty(24)[::2], np.empty(12, ">f8"), np.empty(12)[::-1]]:
        assert surface.heights(lat, lon, out) is out and np.array_equal(out, expected)
    for matrix in [np.asmatrix(np.empty((1, 12))), np.asmatrix(np.empty((1, 12), np.float32))]:
        assert surface.heights(lat[None], lon, matrix) is matrix and np.allclose(matrix, expected)
    single = np.empty(12, np.float32)
    assert np.array_equal(surface.heights(lat, lon, out=single), expected.astype(np.float32))
    # An answer may take the place of its question.
    again = lat.copy()
    assert np.array_equal(surface.heights(again, lon, out=again), expected)
    square = np.empty((3, 4))
    surface.heights(lat.reshape(3, 4), lon.reshape(3, 4), square)
    assert np.array_equal(square.reshape(-1), expected)


def test_arrays_of_any_layout_are_the_same(rng):
    crs, transform = SYSTEMS["UTM"]
    ground = rng.uniform(0, 100, (20, 30)).astype(np.float32)
    read_only = ground.copy()
    read_only.flags.writeable = False
    lat, lon = places(crs, transform, rng.uniform(0, 29, 200), rng.uniform(0, 19, 200))
    expected = orogen.Surface.open(ground, transform=transform, crs=crs).heights(lat, lon)
    twice = np.repeat(np.repeat(ground, 2, 0), 2, 1)[::2, ::2]
    for other in [np.asfortranarray(ground), read_only, twice, ground[::-1][::-1], ground.astype(np.float64)]:
        assert np.array_equal(orogen.Surface.open(other, transform=transform, crs=crs).heights(lat, lon), expected)
    lat.flags.writeable = False
    assert np.array_equal(orogen.Surface.open(ground, transform=transform, crs=crs).heights(lat, lon), expected)


def test_masks_units_scale_and_offset_count():
    import xarray

    crs, transform = SYSTEMS["degrees"]
    values = np.ma.masked_array(np.full((40, 40), 1000), mask=np.broadcast_to(np.arange(40) >= 20, (40, 40)))
    place = places(crs, transform, np.array([5.0, 35.0]), np.array([5.0, 5.0]))
    heights = orogen.Surface.open(values, transform=transform, crs=crs, unit="ft").heights(*place)
    assert abs(heights[0] - 304.8) < 1e-3 and np.isnan(heights[1])
    # Feet of a vertical axis, as GDAL has them.
    deep = orogen.Surface.open(np.full((9, 9), 100), transform=transform, crs="EPSG:4269+6358")
    assert abs(deep.heights(*place)[0] + 100 * 1200 / 3937) < 1e-3 and deep.layers[0]["datum"] == "NAVD88 depth"
    attrs = {"scale_factor": 0.1, "add_offset": 5.0, "units": "ft"}
    da = xarray.DataArray(np.full((9, 9), 100), dims=("y", "x"), attrs=attrs)
    scaled = orogen.Surface.open(da, transform=transform, crs=crs)
    assert abs(scaled.heights(*place)[0] - 15 * 0.3048) < 1e-3


def test_masked_places_are_nan(hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, np.arange(10.0, 14.0), np.arange(10.0, 14.0))
    mask = np.array([False, True, False, True])
    masked = np.ma.masked_array(np.where(mask, 1e20, lat), mask)
    expected = np.where(mask, np.nan, surface.heights(lat, lon))
    assert np.array_equal(surface.heights(masked, lon), expected, equal_nan=True)
    assert np.array_equal(surface.heights(lat, np.ma.masked_array(lon, mask)), expected, equal_nan=True)
    assert np.isnan(surface.heights(np.ma.masked, lon)).all()
    assert np.array_equal(surface.provenance(masked, lon).layer, np.where(mask, -1, 0))
    assert np.array_equal(surface.sight(lat, lon, masked, lon).visible, ~mask)


def test_bounds_go_east_across_the_date_line():
    for west in (-180.3, 179.7):
        surface = orogen.Surface.open(np.ones((7, 7)), transform=(0.1, 0, west, 0, -0.1, -17), crs="EPSG:4326")
        assert surface.bounds == pytest.approx((179.7, -17.7, 180.4, -17.0)) and "179.7000 to 180.4000 E" in repr(surface)
        assert surface.layers[0]["bounds"] == surface.bounds
        assert np.isfinite(surface.skyview(directions=1, cell=10_000).factor).any()
        west, south, east, north = surface.bounds
        boxes = (surface.bounds, (west, south, east - 360, north), (west - 360, south, east - 360, north))
        pictures = [surface.shade(box, width=20) for box in boxes]
        assert pictures[0][3:-3, 3:-3, 3].min() == 255 and all(np.array_equal(pictures[0], other) for other in pictures)
    # What goes round the Earth stays as it is.
    world = orogen.Surface.open(np.ones((18, 36)), transform=(10, 0, -180.5, 0, -10, 90), crs="EPSG:4326")
    assert world.bounds == pytest.approx((-180.5, -90, 179.5, 90))


def test_surfaces_are_immutable(hills, tmp_path):
    surface, *_ = hills
    bounds = surface.bounds
    layer = surface.layers[0]
    for value in layer.values():
        if isinstance(value, list):
            value.clear()
    layer["bounds"] = None
    assert surface.bounds == bounds and surface.layers[0]["bounds"]
    assert copy.copy(surface) is surface and copy.deepcopy([surface])[0] is surface


def test_threads_get_the_same(rng, hills):
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(0, 99, 50_000), rng.uniform(0, 79, 50_000))
    expected, found = surface.heights(lat, lon), [None] * 8

    def ask(k):
        found[k] = surface.heights(lat, lon)

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(heights, expected) for heights in found)


def test_the_earth_ships():
    """Law: the relief that ships covers the Earth, lies below an array, and is the same after pickling."""
    earth = orogen.Surface.earth()
    lat, lon = np.meshgrid([-90, -41.3, 0, 27.99, 90], [-180, -0.5, 86.93, 180])
    heights = earth.heights(lat, lon)
    assert np.isfinite(heights).all() and heights.min() < -2000 and heights.max() > 5000
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(earth)).heights(lat, lon), heights)
    top = orogen.Surface.open(np.full((20, 20), 9000.0), transform=(0.01, 0, 7, 0, -0.01, 46), crs="EPSG:4326", below=earth)
    assert top.heights(45.9, 7.1) == 9000.0 and top.heights(27.99, 86.93) == earth.heights(27.99, 86.93)
