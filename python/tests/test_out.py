"""Do answers go into the arrays that are given? Every method's, of any layout; what is no room for them is refused before it is written."""

import dataclasses

import numpy as np
import pytest
from conftest import places

import orogen

DAY = {"start": "2026-06-21T10:00Z", "end": "2026-06-21T11:00Z", "directions": 3}

# Each method that answers with arrays, of latitudes, longitudes and what else it takes; whether it has several arrays.
ONE = {
    "heights": lambda s, lat, lon, **more: s.heights(lat, lon, **more),
    "slope": lambda s, lat, lon, **more: s.slope(lat, lon, **more),
    "aspect": lambda s, lat, lon, **more: s.aspect(lat, lon, **more),
    "normals": lambda s, lat, lon, **more: s.normals(lat, lon, **more),
    "skyview": lambda s, lat, lon, **more: s.skyview(lat, lon, directions=3, **more),
}
MANY = {
    "provenance": lambda s, lat, lon, **more: s.provenance(lat, lon, **more),
    "profile": lambda s, lat, lon, **more: s.profile(lat, lon, lat[..., ::-1], lon, 5, **more),
    "ray": lambda s, lat, lon, **more: s.ray(lat, lon, 900.0, 30.0, -30.0, **more),
    "sight": lambda s, lat, lon, **more: s.sight(lat, lon, lat[..., ::-1], lon, **more),
    "horizon": lambda s, lat, lon, **more: s.horizon(lat, lon, directions=3, **more),
    "insolation": lambda s, lat, lon, **more: s.insolation(lat, lon, **DAY, **more),
    "sunlight": lambda s, lat, lon, **more: s.sunlight(lat, lon, 2026, eye_height=50, **more),
}
RASTERS = {
    "viewshed": lambda s, at, **more: s.viewshed(*at, 300.0, cell=50.0, eye_height=10.0, **more),
    "horizons": lambda s, at, **more: s.horizons(at=at, radius=200, cell=50, directions=3, **more),
    "skyview": lambda s, at, **more: s.skyview(at=at, radius=200, cell=50, directions=3, **more),
}


@pytest.fixture
def asked(rng, hills):
    """A surface and places: a few on it, and one beside it."""
    surface, _, crs, transform = hills
    lat, lon = places(crs, transform, rng.uniform(10, 90, (2, 3)), rng.uniform(10, 70, (2, 3)))
    lat[0, 0], lon[0, 0] = 10.0, 10.0
    return surface, lat, lon


@pytest.fixture
def middle(hills):
    surface, _, crs, transform = hills
    return surface, tuple(float(v) for v in places(crs, transform, np.float64(50), np.float64(40)))


def parts(answer):
    """The arrays of an answer that depend on the places, in their order."""
    names = [field.name for field in dataclasses.fields(answer)]
    return {name: getattr(answer, name) for name in names if name not in ("names", "datum", "azimuth", "date", "raster")}


def same(found, expected):
    return np.array_equal(found, expected, equal_nan=np.asarray(expected).dtype.kind in "fM")


def layouts(rng, expected):
    """Arrays of the shape and dtype of an answer, full of what it is not, in every order of memory."""
    shape, dtype = expected.shape, expected.dtype
    junk = rng.integers(0, 200, (*shape, 4)).astype(dtype)
    yield np.ascontiguousarray(junk[..., 0])
    yield junk[..., 1]
    yield np.asfortranarray(junk[..., 0])
    yield np.ascontiguousarray(junk[..., 0])[::-1]
    yield np.ascontiguousarray(junk[..., 0]).astype(dtype.newbyteorder())
    odd = np.zeros(expected.nbytes + 1, np.uint8)[1:].view(dtype).reshape(shape)
    assert not odd.flags.aligned or dtype.itemsize == 1
    yield odd


@pytest.mark.parametrize("name", ONE)
def test_an_answer_goes_into_an_array_of_any_layout(rng, asked, name):
    surface, lat, lon = asked
    expected = ONE[name](surface, lat, lon)
    for out in layouts(rng, expected):
        assert ONE[name](surface, lat, lon, out=out) is out and same(out, expected)
    masked = np.ma.masked_all(expected.shape)
    assert ONE[name](surface, lat, lon, out=masked) is masked and not masked.mask.any() and same(masked.data, expected)
    single = np.empty(expected.shape, np.float32)
    assert ONE[name](surface, lat, lon, out=single) is single and same(single, expected.astype(np.float32))


@pytest.mark.parametrize("name", MANY)
def test_answers_go_into_arrays_of_any_layout(rng, asked, name):
    """Law: the arrays of an answer are those that are given, in the order of its fields, and new ones where None is given."""
    surface, lat, lon = asked
    # A year of sun takes seconds a place.
    lat, lon = (lat[:1, :2], lon[:1, :2]) if name == "sunlight" else (lat, lon)
    expected = parts(MANY[name](surface, lat, lon))
    for out in zip(*(layouts(rng, values) for values in expected.values()), strict=True):
        found = parts(MANY[name](surface, lat, lon, out=out))
        for given, (field, array) in zip(out, found.items(), strict=True):
            assert array is given and same(array, expected[field]), field
    last = list(expected)[-1]
    out = [None] * (len(expected) - 1) + [np.empty_like(expected[last])]
    found = parts(MANY[name](surface, lat, lon, out=out))
    assert found[last] is out[-1] and all(same(found[field], expected[field]) for field in expected)


def test_columns_of_one_block_of_memory_are_arrays(rng, asked):
    """Law: interleaved columns are arrays of their own, and so are the fields of a structured array."""
    surface, lat, lon = asked
    expected = surface.ray(lat, lon, 900.0, 30.0, -30.0)
    block = np.empty((*lat.shape, 4))
    surface.ray(lat, lon, 900.0, 30.0, -30.0, out=tuple(block[..., k] for k in range(4)))
    record = np.empty(lat.shape, [("distance_m", "f8"), ("lat", "f8"), ("lon", "f4"), ("height_m", "f4")])
    surface.ray(lat, lon, 900.0, 30.0, -30.0, out=[record[name] for name in record.dtype.names])
    for k, (name, values) in enumerate(parts(expected).items()):
        assert same(block[..., k], values) and same(record[name], values.astype(record[name].dtype))


@pytest.mark.parametrize("name", [*ONE, *MANY])
def test_an_answer_may_take_the_place_of_its_question(asked, name):
    """Law: arguments are read before anything is written, also where memory is shared in part."""
    surface, lat, lon = asked
    lat, lon = lat[:, :1], lon[:, :1]
    ask = (ONE | MANY)[name]
    answer = ask(surface, lat, lon)
    expected = list(parts(answer).values()) if name in MANY else [answer]
    for k, values in enumerate(expected):
        if values.dtype != np.float64 or (name == "sunlight" and k > 2):
            continue
        # The longitudes lie within what is written.
        memory = np.zeros(values.size + lon.size)
        within = memory[lon.size // 2 :][: lon.size].reshape(lon.shape)
        within[...] = lon
        out = memory[: values.size].reshape(values.shape)
        ask(surface, lat, within, out=out if name in ONE else [None] * k + [out] + [None] * (len(expected) - k - 1))
        assert same(out, values)


@pytest.mark.parametrize("name", RASTERS)
def test_rasters_go_into_arrays(rng, middle, name):
    surface, at = middle
    answer = RASTERS[name](surface, at)
    array = {"viewshed": "cells", "horizons": "elevation", "skyview": "factor"}[name]
    expected = getattr(answer, array)
    for out in layouts(rng, expected):
        assert getattr(RASTERS[name](surface, at, out=out), array) is out and same(out, expected)
    with pytest.raises(ValueError, match=r"out has the shape .* the answer \(.*\)"):
        RASTERS[name](surface, at, out=np.empty((2, 2), expected.dtype))
    with pytest.raises(TypeError, match="out has the dtype int64"):
        RASTERS[name](surface, at, out=np.empty(expected.shape, np.int64))
    with pytest.raises(ValueError, match="as_xarray=False"):
        RASTERS[name](surface, at, out=np.empty_like(expected), as_xarray=True)


def test_insolation_of_a_raster_goes_into_arrays(rng, middle):
    surface, at = middle
    ask = lambda **more: surface.insolation(at=at, radius=100, cell=50, **DAY, **more)
    expected = parts(ask())
    for out in zip(*(layouts(rng, values) for values in expected.values()), strict=True):
        found = parts(ask(out=out))
        assert all(array is given and same(array, values) for given, array, values in zip(out, found.values(), expected.values()))
    found = ask(out=(None, None, None, out[3]))
    assert found.sun_hours is out[3] and found.total.dtype == np.float32 and same(found.total, expected["total"])
    with pytest.raises(ValueError, match="out for diffuse has the shape"):
        ask(out=(None, None, np.empty(3), None))
    with pytest.raises(ValueError, match="dask is computed later"):
        ask(out=(None, None, None, None), chunks=2)


@pytest.mark.parametrize("cell", [None, 47.0])
@pytest.mark.parametrize("water", [True, False])
def test_sides_of_viewsheds_are_known_before(rng, cell, water):
    """Law: a viewshed has 2 * floor(radius / cell) + 1 cells on a side, and a cell is as large as the posting at the eye."""
    below = orogen.Surface.earth()
    ground = rng.uniform(-50, 50, (40, 40))
    surface = orogen.Surface.open(ground, transform=(0.001, 0, 7, 0, -0.001, 46), crs="EPSG:4326", below=below, water=water)
    for lat, lon in zip(rng.uniform(45.955, 46.005, 10), rng.uniform(6.995, 7.045, 10), strict=True):
        cell_m = cell or float(surface.provenance(lat, lon).posting_m)
        radius = cell_m * rng.uniform(1, 9)
        cells = np.empty((2 * int(radius / cell_m) + 1,) * 2, np.uint8)
        shed = surface.viewshed(lat, lon, radius, cell=cell, out=cells)
        assert shed.cells is cells and shed.cell_m == cell_m and set(np.unique(cells)) <= {0, 1, 255}
        with pytest.raises(ValueError, match="out has the shape"):
            surface.viewshed(lat, lon, radius, cell=cell, out=np.empty((2, 2), np.uint8))


@pytest.mark.parametrize("name", [*ONE, *MANY])
def test_nothing_of_nothing_and_a_number_of_a_number(asked, name):
    surface, lat, lon = asked
    ask = (ONE | MANY)[name]
    for shape in [(0,), (2, 0)]:
        empty = np.empty(shape)
        answer = ask(surface, empty, empty)
        expected = parts(answer) if name in MANY else {name: answer}
        assert all(values.shape[: len(shape)] == shape for values in expected.values())
        out = [np.empty_like(values) for values in expected.values()]
        found = ask(surface, empty, empty, out=out if name in MANY else out[0])
        assert all(array is given for array, given in zip(parts(found).values() if name in MANY else [found], out, strict=True))


def test_numbers_are_answered_with_numbers(asked):
    surface, lat, lon = asked
    at = lat[1, 1], lon[1, 1]
    for answer in (surface.ray(*at, 900.0, 0, -90), surface.sight(*at, *at), surface.provenance(*at)):
        assert all(isinstance(value, np.generic) for value in parts(answer).values())
    out = np.empty(())
    assert surface.ray(*at, 900.0, 0, -90, out=(None, None, None, out)).height_m is out
    assert out == surface.ray(*at, 900.0, 0, -90).height_m == pytest.approx(surface.heights(*at), abs=1e-6)


def test_out_has_the_shape_that_arguments_have_together(asked):
    surface, lat, lon = asked
    lat, lon = lat[1, :2, None], lon[1, None]
    headings = np.array([0.0, 90.0, 180.0, 270.0])[:, None, None]
    expected = surface.ray(lat, lon, 900.0, headings, -30.0)
    out = np.empty((4, 2, 3))
    found = surface.ray(lat, lon, 900.0, headings, -30.0, out=(out, None, None, None))
    assert found.distance_m is out and same(out, expected.distance_m) and found.lat.shape == (4, 2, 3)
    # As of numpy, the answer is not spread over a larger array.
    for shape in [(1, 4, 2, 3), (4, 2, 1), (24,), (5, 4, 2, 3)]:
        with pytest.raises(ValueError, match=r"out for distance_m has the shape .* the answer \(4, 2, 3\)"):
            surface.ray(lat, lon, 900.0, headings, -30.0, out=(np.empty(shape), None, None, None))


@pytest.mark.parametrize("name", MANY)
def test_what_is_no_room_is_refused_before_anything_is_written(asked, name):
    surface, lat, lon = asked
    lat, lon = lat[1:, :1], lon[1:, :1]
    expected = parts(MANY[name](surface, lat, lon))
    fields, count = list(expected), len(expected)
    full = lambda: [np.full_like(values, 1) for values in expected.values()]

    def refused(error, says, out):
        with pytest.raises(error, match=says):
            MANY[name](surface, lat, lon, out=out)

    for k, (field, values) in enumerate(expected.items()):
        read_only = np.full_like(values, 1)
        read_only.flags.writeable = False
        bad = [
            (ValueError, "is read-only", read_only),
            (ValueError, "has the shape", np.empty((7, *values.shape), values.dtype)),
            (TypeError, "is a list, not a numpy array", values.tolist()),
        ]
        others = {np.dtype(other) for other in ("f8", "i4", "u1", "?", "M8[D]", "c16", "O")} - {values.dtype}
        bad += [(TypeError, "has the dtype .* answer", np.empty(values.shape, other)) for other in others]
        for error, says, array in bad:
            out = full()
            out[k] = array
            refused(error, f"out for {field} {says}", out)
            assert all(same(given, kept) for n, (given, kept) in enumerate(zip(out, full(), strict=True)) if n != k)
    for out in (np.empty((count, *lat.shape)), {}, 5):
        refused(TypeError, f"give a tuple of arrays for {fields[0]}, .*{fields[-1]}", out)
    for out in (full()[:-1], (*full(), None), ()):
        refused(ValueError, f"out has {len(out)} arrays, the answer {count}", out)
    floats = [field for field in fields if expected[field].dtype == np.float64][-2:]
    shared = np.empty_like(expected[floats[0]])
    out = [shared if field in floats else None for field in fields]
    refused(ValueError, f"out for {floats[0]} and for {floats[1]} share memory", out)


@pytest.mark.parametrize("name", [*ONE, *MANY])
def test_answers_of_other_kinds_take_no_out(asked, name):
    xarray, da = pytest.importorskip("xarray"), pytest.importorskip("dask.array")
    surface, lat, lon = asked
    ask, out = (ONE | MANY)[name], np.empty(lat.shape) if name in ONE else (None,) * 4
    named = xarray.DataArray(lat, dims=("a", "b"))
    with pytest.raises(ValueError, match="out is for answers of numpy: .* as_xarray=False"):
        ask(surface, named, lon, out=out)
    with pytest.raises(ValueError, match="out is for answers of numpy: .* computed later"):
        ask(surface, da.from_array(lat, chunks=1), lon, out=out)


def test_places_of_dataarrays_may_be_answered_with_arrays(asked):
    xarray = pytest.importorskip("xarray")
    surface, lat, lon = asked
    named = xarray.DataArray(lat, dims=("a", "b"))
    out = np.empty(lat.shape)
    assert surface.heights(named, lon, out, as_xarray=False) is out and same(out, surface.heights(lat, lon))
    found = surface.ray(named, lon, 900.0, 0.0, -90.0, out=(None, None, None, out), as_xarray=False)
    assert found.height_m is out and same(out, surface.ray(lat, lon, 900.0, 0.0, -90.0).height_m)
