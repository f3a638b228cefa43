"""Do DataArrays, rasterio datasets and dask arrays give what their arrays give? With coordinates, units and CRS on the answers."""

import numpy as np
import pytest
from conftest import SYSTEMS, places

import orogen

xarray = pytest.importorskip("xarray")
rasterio = pytest.importorskip("rasterio")
rioxarray = pytest.importorskip("rioxarray")
da = pytest.importorskip("dask.array")


@pytest.fixture
def file(rng, tmp_path):
    crs, transform = SYSTEMS["UTM"]
    ground = rng.integers(100, 900, (50, 60)).astype(np.int16)
    ground[10:30, 30:55] = -32768
    path = tmp_path / "dem.tif"
    profile = {"driver": "GTiff", "width": 60, "height": 50, "count": 1, "dtype": "int16", "nodata": -32768}
    with rasterio.open(path, "w", crs=crs, transform=rasterio.Affine(*transform), **profile) as dataset:
        dataset.write(ground, 1)
    surface = orogen.Surface.open(ground, transform=transform, crs=crs, nodata=-32768)
    return path, surface, places(crs, transform, rng.uniform(-3, 63, 500), rng.uniform(-3, 53, 500))


def test_every_form_of_a_raster_is_the_same_surface(file):
    path, surface, place = file
    expected = surface.heights(*place)
    assert 100 < np.isnan(expected).sum() < 400
    with rasterio.open(path) as dataset:
        assert np.array_equal(orogen.Surface.open(dataset).heights(*place), expected, equal_nan=True)
    for masked in (False, True):
        array = rioxarray.open_rasterio(path, masked=masked)
        assert np.allclose(orogen.Surface.open(array).heights(*place), expected, atol=1e-6, equal_nan=True)
        assert np.allclose(array.orogen.heights(*place), expected, atol=1e-6, equal_nan=True)
        turned = array.squeeze().transpose("x", "y")
        assert np.allclose(orogen.Surface.open(turned).heights(*place), expected, atol=1e-6, equal_nan=True)


def test_answers_are_dataarrays_where_the_questions_are(file):
    _, surface, (lat, lon) = file
    lats, lons = xarray.DataArray(lat[:5], dims="a"), xarray.DataArray(lon[:7], dims="b")
    heights = surface.heights(lats, lons)
    assert heights.dims == ("a", "b") and heights.attrs["units"] == "m" and heights.attrs["crs"] == "EPSG:4326"
    assert np.array_equal(heights.values, surface.heights(lat[:5, None], lon[:7]), equal_nan=True)
    assert set(heights.coords) >= {"lat", "lon"}
    asked = surface.slope(lat[:4], lon[:4], as_xarray=True)
    assert asked.attrs["units"] == "degree" and asked.attrs["posting_m"] == pytest.approx(30, abs=0.1)
    assert surface.normals(lats, lons).sizes == {"a": 5, "b": 7, "axis": 3}
    assert surface.profile(lat[0], lon[0], lat[1], lon[1], 9, as_xarray=True).sizes == {"sample": 9}


def test_viewsheds_of_the_accessor_lie_on_a_plane(file):
    path, _, _ = file
    array = rioxarray.open_rasterio(path)
    crs, transform = SYSTEMS["UTM"]
    lat, lon = (float(v) for v in places(crs, transform, np.float64(15), np.float64(15)))
    shed = array.orogen.viewshed(lat, lon, 300.0)
    assert shed.dims == ("y", "x") and shed.attrs["eye_lat"] == lat
    assert shed.rio.crs.is_projected and shed.rio.nodata == 255
    assert float(shed.x[0]) < 0 < float(shed.y[0])
    assert isinstance(array.orogen.surface, orogen.Surface)
    with pytest.raises(AttributeError):
        array.orogen.nonsense


def test_dask_arrays_are_asked_block_by_block(file):
    _, surface, (lat, lon) = file
    expected = surface.heights(lat, lon)
    lazy = surface.heights(da.from_array(lat, chunks=100), da.from_array(lon, chunks=70))
    assert isinstance(lazy, da.Array) and lazy.numblocks[0] >= 5
    assert np.array_equal(lazy.compute(), expected, equal_nan=True)
    grid = surface.heights(da.from_array(lat, chunks=100)[:, None], da.from_array(lon, chunks=250))
    assert np.array_equal(grid.compute(), surface.heights(lat[:, None], lon), equal_nan=True)
    normals = surface.normals(da.from_array(lat, chunks=100), da.from_array(lon, chunks=100))
    assert np.array_equal(normals.compute(), surface.normals(lat, lon), equal_nan=True)
    lazy = surface.heights(xarray.DataArray(lat, dims="p").chunk(p=100), xarray.DataArray(lon, dims="p").chunk(p=100))
    assert lazy.chunks is not None and np.array_equal(lazy.values, expected, equal_nan=True)
