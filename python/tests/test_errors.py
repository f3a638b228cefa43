"""Does bad input end in an exception that says what to do? Never in a crash, never in silence."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import orogen

G = (0.001, 0, 7.0, 0, -0.001, 46.0)
OK = {"transform": G, "crs": "EPSG:4326"}
ONES = np.ones((4, 4))


@pytest.mark.parametrize(
    "source, more, error, says",
    [
        (ONES, {"crs": "EPSG:4326"}, ValueError, "transform="),
        (ONES, {"transform": G}, ValueError, "crs="),
        (ONES[0], OK, ValueError, "two dimensions"),
        (np.ones((2, 3, 4)), OK, ValueError, "choose a band"),
        (np.float64(3), OK, ValueError, "two dimensions"),
        (np.ones((0, 5)), OK, ValueError, "no heights"),
        (ONES.astype(complex), OK, TypeError, "astype"),
        (ONES.astype(bool), OK, TypeError, "astype"),
        (ONES.astype(object), OK, TypeError, "astype"),
        (ONES.astype("U3"), OK, TypeError, "astype"),
        (ONES, {**OK, "transform": (0, 0, 7, 0, 0, 46)}, ValueError, "cannot be inverted"),
        (ONES, {**OK, "transform": (1, 2, 7, 2, 4, 46)}, ValueError, "cannot be inverted"),
        (ONES, {**OK, "transform": (np.nan, 0, 7, 0, -1, 46)}, ValueError, "cannot be inverted"),
        (ONES, {**OK, "transform": (7, 0.001, 0, 46, 0, -0.001)}, ValueError, "from_gdal"),
        (ONES, {**OK, "transform": (1, 2)}, ValueError, "six numbers"),
        (ONES, {**OK, "transform": "north"}, ValueError, "six numbers"),
        (ONES, {**OK, "crs": "EPSG:999999"}, ValueError, "EPSG:999999"),
        (ONES, {**OK, "crs": "EPSG:4978"}, ValueError, "geocentric"),
        (ONES, {**OK, "crs": "EPSG:5773"}, ValueError, "EGM96 height has heights alone"),
        (ONES, {"transform": (30, 0, 1e12, 0, -30, 1e12), "crs": "EPSG:32632"}, ValueError, "on the Earth"),
        (ONES, {"transform": (1, 0, 500, 0, -1, 400), "crs": "EPSG:4326"}, ValueError, "beyond the poles"),
        (ONES, {**OK, "crs": 'LOCAL_CS["mine"]'}, ValueError, "no transformation from mine"),
        (np.broadcast_to(np.float32(1), (1 << 20, 1 << 20)), OK, ValueError, "too large"),
        (ONES, {**OK, "nodata": "none"}, ValueError, "nodata='none' is no number"),
        (ONES, {**OK, "unit": "degC"}, ValueError, "degC"),
        (ONES, {**OK, "feather": 0}, ValueError, "1 to 63"),
        (ONES, {**OK, "feather": 2.5}, ValueError, "feather=2.5 is no whole number"),
        (ONES, {**OK, "feather": "wide"}, TypeError, "feather has to be numbers"),
        (ONES, {**OK, "valid_range": (50, 0)}, ValueError, "valid_range"),
        (ONES, {**OK, "valid_range": (0, np.nan)}, ValueError, "valid_range"),
        (ONES, {**OK, "valid_range": 50}, ValueError, "valid_range"),
        (ONES, {**OK, "below": ONES}, TypeError, "open it first"),
        ([[1, 2], [3, 4]], OK, TypeError, "numpy array"),
        (None, OK, TypeError, "NoneType"),
        ("nowhere.pack", {}, FileNotFoundError, "nowhere.pack"),
        ("nowhere.pack", OK, ValueError, "is for arrays"),
    ],
)
def test_what_cannot_be_opened_says_why(source, more, error, says):
    with pytest.raises(error, match=says or None):
        orogen.Surface.open(source, **more)


def test_files_that_are_no_packs_say_what_to_do(tmp_path):
    file = tmp_path / "dem.tif"
    file.write_bytes(b"II*\0")
    with pytest.raises((ValueError, OSError), match="rioxarray|raster"):
        orogen.Surface.open(file)
    pack = tmp_path / "bad.pack"
    pack.write_bytes(b"OROGENPK" + bytes(100))
    with pytest.raises((ValueError, OSError)):
        orogen.Surface.open(pack)


def test_xarray_without_a_place_says_what_to_do():
    import xarray

    da = xarray.DataArray(ONES, dims=("y", "x"))
    with pytest.raises(ValueError, match="coordinates along"):
        orogen.Surface.open(da, crs="EPSG:4326")
    placed = da.assign_coords(x=[0.0, 1, 2, 3], y=[3.0, 2, 1, 0])
    with pytest.raises(ValueError, match="write_crs"):
        orogen.Surface.open(placed)
    with pytest.raises(ValueError, match="evenly"):
        orogen.Surface.open(placed.assign_coords(x=[0.0, 1, 2, 4]), crs="EPSG:4326")
    with pytest.raises(TypeError, match="Dataset"):
        orogen.Surface.open(placed.to_dataset(name="dem"), crs="EPSG:4326")
    with pytest.raises(ValueError, match="choose a band"):
        orogen.Surface.open(xarray.concat([placed, placed], "band"), crs="EPSG:4326")


@pytest.fixture
def surface():
    return orogen.Surface.open(ONES, **OK)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda s: s.heights([1, 2], [1, 2, 3]), ValueError, "broadcast"),
        (lambda s: s.heights(95.0, 7.0), ValueError, "latitude comes first"),
        (lambda s: s.heights("north", 7.0), TypeError, "numbers"),
        (lambda s: s.heights(46j, 7.0), TypeError, "numbers"),
        (lambda s: s.heights(None, 7.0), TypeError, "numbers"),
        (lambda s: s.heights([[1], [1, 2]], 7.0), TypeError, "numbers"),
        (lambda s: s.heights([46, 46], [7, 7], np.empty(3)), ValueError, "shape"),
        (lambda s: s.heights([46, 46], [7, 7], np.empty(2, int)), TypeError, "floats"),
        (lambda s: s.heights([46, 46], [7, 7], [0.0, 0.0]), TypeError, "numpy"),
        (lambda s: s.heights([46, 46], [7, 7], np.broadcast_to(0.0, 2)), ValueError, "read-only"),
        (lambda s: s.heights(46, 7, progress=3), TypeError, "progress"),
        (lambda s: s.heights(46, 7, progress=lambda done, total: 1 / 0), ZeroDivisionError, ""),
        (lambda s: s.heights(46, 7, progress=lambda: None), TypeError, ""),
        (lambda s: s.slope(46, 7, rule="best"), ValueError, "central or horn"),
        (lambda s: s.normals(46, 7, frame="moon"), ValueError, "enu or ecef"),
        (lambda s: s.heights([46, 46], [7, 7], np.asmatrix([0.0, 0.0])), ValueError, "shape"),
        (lambda s: s.profile(46, 7, 46, 8, samples=1), ValueError, "at least 2"),
        (lambda s: s.profile(46, 7, 46, 8, samples=2.9), ValueError, "samples=2.9 is no whole number"),
        (lambda s: s.ray(46, 7, 100, 0, -90, reach=-1), ValueError, "reach"),
        (lambda s: s.ray(46, 7, 100, 0, -100), ValueError, "pitch"),
        (lambda s: s.ray(46, 7, 100, 0, -90, reach=[5, -1]), ValueError, "reach"),
        (lambda s: s.ray(46, 7, 100, 0, -90, reach=np.nan), ValueError, "reach"),
        (lambda s: s.sight(46, 7, 46, 7, refraction=np.array([0.1, 0.2])), TypeError, "refraction has the shape .* one number"),
        (lambda s: s.sight(46, 7, 46, 7, refraction="0.1"), TypeError, "refraction has to be numbers"),
        (lambda s: s.sight(46, 7, 46, 7, refraction=3), ValueError, "refraction"),
        (lambda s: s.viewshed(0.0, 0.0, 1000), ValueError, "ground to stand on"),
        (lambda s: s.viewshed(np.nan, 0.0, 1000), ValueError, "ground to stand on"),
        (lambda s: s.viewshed(45.998, 7.002, -5), ValueError, "above 0"),
        (lambda s: s.viewshed(45.998, 7.002, np.nan), ValueError, "above 0"),
        (lambda s: s.viewshed(45.998, 7.002, 1e6, cell=1e-3), ValueError, "larger cells"),
        (lambda s: s.viewshed(45.998, 7.002, 1e6, cell=0), ValueError, "above 0"),
        (lambda s: s.viewshed(45.998, 7.002, 10, cell=100), ValueError, "smaller cells"),
        (lambda s: s.viewshed(45.998, 7.002, 1000, eye_height=-1), ValueError, "eye height"),
        (lambda s: s.viewshed([1, 2], 7.002, 1000), TypeError, ""),
        (lambda s: s.viewshed([45.998], [7.002], 100), TypeError, "lat has the shape .* one number"),
        (lambda s: s.viewshed(45.998, 7.002, 100, eye_height="2"), TypeError, "eye_height has to be numbers"),
        (lambda s: s.horizon(46, 7, directions=0), ValueError, "from 1 to"),
        (lambda s: s.horizon(46, 7, directions=1.5), ValueError, "whole number"),
        (lambda s: s.horizon(46, 7, directions=1 << 40), ValueError, "from 1 to"),
        (lambda s: s.horizon(45.998, 7.002, eye_height=-1), ValueError, "eye height"),
        (lambda s: s.horizon(45.998, 7.002, refraction=np.nan), ValueError, "refraction"),
        (lambda s: s.horizon(45.998, 7.002, eye_height=[2, 3]), TypeError, "eye_height has the shape .* one number"),
        (lambda s: s.horizon(45.998, 7.002, eye_height="2"), TypeError, "eye_height has to be numbers"),
        (lambda s: s.horizon([45.998], [[7.002]] * 2, directions="many"), TypeError, "directions"),
        (lambda s: s.horizon(95.0, 7.002), ValueError, "latitude comes first"),
        (lambda s: s.horizons((1, 2, 3)), ValueError, "west, south, east, north"),
        (lambda s: s.horizons((7, 46, 8, 45)), ValueError, "southern edge"),
        (lambda s: s.horizons((7, np.nan, 8, 45)), ValueError, "west, south"),
        (lambda s: s.horizons(at=(46, 7)), ValueError, "go together"),
        (lambda s: s.horizons(at=(96, 7), radius=5), ValueError, "no latitude"),
        (lambda s: s.horizons((7, 45, 8, 46), at=(46, 7), radius=5), ValueError, "exclude"),
        (lambda s: s.horizons((7, 45, 8, 46), cell=1e-3), ValueError, "larger cells"),
        (lambda s: s.horizons((7, 45, 8, 46), cell=1, directions=1024), (ValueError, MemoryError), ""),
        (lambda s: s.horizons(cell=0), ValueError, "from 0.001 to"),
        (lambda s: s.horizons(reach=-1), ValueError, "from 1 to"),
        (lambda s: s.horizons(reach=1e9), ValueError, "reach"),
        (lambda s: s.horizons(refraction=0.95), ValueError, "refraction"),
        (lambda s: s.horizons(directions=2000), ValueError, "1 to 1024"),
        (lambda s: s.horizons(progress=lambda done, total: 1 / 0), ZeroDivisionError, ""),
        (lambda s: s.horizons(chunks=5, progress=True), ValueError, "dask.diagnostics"),
        (lambda s: s.horizons(at=(45.998, 7.002), radius=5e-324, cell=5e-324), ValueError, "radius"),
        (lambda s: s.horizons(chunks=0), ValueError, "chunks=0"),
        (lambda s: s.horizons(chunks="many"), ValueError, "chunks"),
        (lambda s: s.horizons(chunks=-5), ValueError, "chunks=-5"),
        (lambda s: orogen.Surface.open("gs://bucket/a.pack"), FileNotFoundError, "s3://"),
        (lambda s: orogen.bake([], "gs://bucket/a.pack", max_level=1), ValueError, "s3://BUCKET"),
        (lambda s: orogen.bake([], "a.pack", max_level=1, client=5), TypeError, "dask.distributed.Client"),
        (lambda s: s.skyview(46.0), ValueError, "lat and lon go together"),
        (lambda s: s.skyview(46.0, 7.0, cell=5), ValueError, "is for rasters"),
        (lambda s: s.skyview(out=np.empty(3)), ValueError, r"shape \(3,\), the answer \(4, 3\)"),
        (lambda s: s.horizons(out=np.empty((64, 4, 3)), chunks=2), ValueError, "out is for answers of numpy: .* computed later"),
        (lambda s: s.viewshed(45.998, 7.002, 200, cell=50, out=np.empty((9, 9))), TypeError, "float64: the answer is uint8"),
        (lambda s: s.viewshed(45.998, 7.002, 200, cell=50, out=np.empty((8, 8), "u1")), ValueError, r"the answer \(9, 9\)"),
        (lambda s: s.viewshed(45.998, 7.002, 200, cell=0, out=np.empty((8, 8), "u1")), ValueError, "above 0"),
        (lambda s: s.viewshed(45.998, 7.002, np.nan, out=np.empty((8, 8), "u1")), ValueError, "above 0"),
        (lambda s: s.viewshed(0.0, 0.0, 200, out=np.empty((8, 8), "u1")), ValueError, "ground to stand on"),
        (lambda s: s.sight(46, 7, 46, 7, out=np.empty(4)), TypeError, "give a tuple of arrays for visible, distance_m"),
        (lambda s: s.skyview(eye_height=np.nan), ValueError, "eye_height"),
        (lambda s: s.skyview(eye_height="2"), TypeError, "eye_height"),
        (lambda s: s.skyview([46.0], [7.0], np.empty(2)), ValueError, "shape"),
        (lambda s: s.insolation(start="noon", end="2026-01-01T00:00Z"), ValueError, "not a time"),
        (lambda s: s.insolation(start=5, end=6), TypeError, "no time"),
        (lambda s: s.insolation(start=np.datetime64("NaT"), end="2026-01-01T00:00Z"), ValueError, "no time"),
        (lambda s: s.insolation(start="2026-01-01T00:00Z", end="2026-01-01T00:00Z"), ValueError, "is not after"),
        (lambda s: s.insolation(start="2026-01-01T00:00Z", end="2026-01-02T00:00Z", step=0), ValueError, "1 to 60"),
        (lambda s: s.insolation(start="2026-01-01T00:00Z", end="2026-01-02T00:00Z", turbidity=0), ValueError, "1 to 20"),
        (lambda s: s.insolation(start=np.datetime64("9000-01-01"), end=np.datetime64("9000-01-02")), ValueError, "sun is not known"),
        (lambda s: s.sunlight(45.998, 7.002, 0), ValueError, "1 to 5998"),
        (lambda s: s.sunlight(45.998, 7.002, "today"), TypeError, "year"),
        (lambda s: s.mesh((7, 46, 8, 45)), ValueError, "south 46 is not below"),
        (lambda s: s.mesh((7, 45, 8, 90)), ValueError, "at most 89"),
        (lambda s: s.mesh(error=-1), ValueError, "0 m or more"),
        (lambda s: s.mesh(error="small"), TypeError, "error"),
        (lambda s: s.mesh(spacing=0), ValueError, "spacing"),
        (lambda s: s.mesh(spacing=[5, 6]), TypeError, "spacing has the shape .* one number"),
        (lambda s: s.mesh(spacing=1e-9), ValueError, "larger spacing"),
        (lambda s: s.mesh(frame="moon"), ValueError, "enu or ecef"),
        (lambda s: s.mesh(spacing=1e9), ValueError, "finer spacing"),
        (lambda s: s.shade(width=0), ValueError, "width=0 is no whole number from 1 to 16384"),
        (lambda s: s.shade(width=1 << 40), ValueError, "width=.* from 1 to 16384"),
        (lambda s: s.shade(width=2.9), ValueError, "width=2.9 is no whole number"),
        (lambda s: s.shade((7, 45, 7.0001, 46)), ValueError, "picture"),
        (lambda s: s.shade((7, 45, 7, 46)), ValueError, "two longitudes"),
        (lambda s: s.shade((-400, -20, 400, 20)), ValueError, "two longitudes"),
        (lambda s: s.shade(exaggeration=np.nan), ValueError, "exaggeration"),
        (lambda s: s.shade(exaggeration=-1), ValueError, "exaggeration"),
        (lambda s: s.shade(height_range=(5, np.nan)), ValueError, "height_range"),
        (lambda s: s.shade((7, 45, 8)), ValueError, "west, south"),
        (lambda s: pickle.dumps(s), TypeError, "in each process"),
    ],
)
def test_what_cannot_be_asked_says_why(surface, call, error, says):
    with pytest.raises(error, match=says or None):
        call(surface)


def test_infinite_and_tiny_numbers_do_no_harm(surface):
    odd = np.array([0.0, -0.0, 5e-324, 1e-300, 1e300, -1e300, np.inf, -np.inf, np.nan, 90.0, -90.0, 180.0, 45.998, 7.002])
    lat = np.where(np.abs(odd) <= 90, odd, np.nan)[:, None]
    assert surface.heights(lat, odd).shape == (14, 14)
    assert surface.slope(lat, odd).shape == (14, 14)
    surface.ray(45.998, 7.002, odd, odd[:, None], 10.0)
    surface.sight(45.998, 7.002, lat, odd)
    surface.profile(45.998, 7.002, lat, odd, samples=3)


def test_suspicious_heights_warn():
    values = np.ones((10, 10))
    values[2:4, :] = -9999
    with pytest.warns(orogen.SurfaceWarning, match="`nodata=-9999`"):
        orogen.Surface.open(values, **OK)


def test_steps_between_datums_warn():
    ellipsoidal = {**OK, "crs": "EPSG:4979"}
    with pytest.warns(orogen.SurfaceWarning, match="above the .*ellipsoid.* mean sea level"):
        orogen.Surface.open(np.ones((10, 10)), **ellipsoidal, below=orogen.Surface.earth())


def test_answers_are_themselves(surface):
    """Answers of arrays are no numbers: they are equal to themselves alone, and have a hash."""
    shed, other = (surface.viewshed(45.998, 7.002, 200) for _ in range(2))
    assert shed == shed and shed != other and len({shed, other}) == 2


def test_unknown_units_warn():
    xarray = pytest.importorskip("xarray")
    coords = {"lat": 46.0 - np.arange(4) / 1000, "lon": 7.0 + np.arange(4) / 1000}
    for unit, expected in (("m2 s-2", 500.0), ("ft", 152.4)):
        heights = xarray.DataArray(np.full((4, 4), 500.0), coords, ("lat", "lon"), attrs={"units": unit})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            surface = orogen.Surface.open(heights, crs="EPSG:4326")
        assert surface.heights(45.9985, 7.0015) == pytest.approx(expected)
        assert [unit in str(warning.message) for warning in caught] == ([True] if expected == 500 else [])


def test_valid_ranges_are_any_pair_of_numbers():
    at = (45.9985, 7.0015)
    values = np.full((4, 4), 100.0)
    for valid in ([0, 50], np.array([0, 50]), (-np.inf, np.float32(50))):
        with pytest.warns(orogen.SurfaceWarning):
            assert np.isnan(orogen.Surface.open(values, **OK, valid_range=valid).heights(*at))
    assert orogen.Surface.open(values, **OK, valid_range=[0, np.inf]).heights(*at) == pytest.approx(100)


# A process in which memory is short.
SHORT = """
import resource, sys
import numpy as np
import orogen
from pathlib import Path

surface = orogen.Surface.open(np.ones((400, 400), "f4"), transform=(90, 0, 500000, 0, -90, 5100000), crs="EPSG:32632")
surface.viewshed(45.9, 9.2, 500.0)
surface.mesh((9.2, 45.9, 9.21, 45.91), error=1.0, spacing=90)
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20),) * 2)
for ask in (
    lambda: surface.viewshed(45.9, 9.2, 14000, cell=2),
    lambda: surface.mesh((9.1, 45.8, 9.4, 46.0), error=0.0, spacing=9),
    lambda: surface.skyview(at=(45.9, 9.2), radius=14000, cell=2),
    lambda: surface.horizons(at=(45.9, 9.2), radius=14000, cell=2, directions=1, chunks=1000).elevation.blocks[0, 0, 0].compute(scheduler="sync"),
):
    try:
        ask()
    except MemoryError as error:
        print(error)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are Linux's")
def test_too_little_memory_is_an_exception():
    told = subprocess.run([sys.executable, "-c", SHORT], capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    assert len(lines) == 4 and all("MiB of memory" in line and "larger cells" in line for line in lines), told.stdout
