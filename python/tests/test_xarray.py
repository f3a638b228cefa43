"""Do DataArrays, rasterio datasets and dask arrays give what their arrays give? With coordinates, units and CRS on the answers."""

import subprocess
import sys
import warnings

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


def test_one_of_several_bands_has_its_own_unit_scale_and_offset(tmp_path):
    """rioxarray says those of all bands where they were read together; the heights are those of the file."""
    path, transform = tmp_path / "bands.tif", rasterio.Affine(30, 0, 500_000, 0, -30, 5_000_000)
    grid = {"count": 2, "height": 40, "width": 60, "dtype": "int16", "crs": 32633, "transform": transform}
    for scales, offsets, units in [((2, 2), (10, 10), ("ft", "ft")), ((2, 1), (10, 0), ("ft", "m"))]:
        with rasterio.open(path, "w", driver="GTiff", **grid) as made:
            for band in (1, 2):
                made.write(np.full((40, 60), 500, "int16"), band)
            made.scales, made.offsets, made.units = scales, offsets, units
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            bands = rioxarray.open_rasterio(path)
        for k in range(2):
            expected = (500 * scales[k] + offsets[k]) * {"ft": 0.3048, "m": 1}[units[k]]
            assert np.isclose(float(orogen.Surface.open(bands[k]).heights(45.15, 15.005)), expected, atol=1e-3)
    with pytest.raises(ValueError, match="several bands"):
        orogen.Surface.open(bands[0].drop_vars("band"))


def test_answers_are_dataarrays_where_the_questions_are(file):
    _, surface, (lat, lon) = file
    lats, lons = xarray.DataArray(lat[:5], dims="a"), xarray.DataArray(lon[:7], dims="b")
    heights = surface.heights(lats.assign_attrs(standard_name="latitude"), lons)
    assert "standard_name" not in heights.attrs
    # Longitudes that are no DataArray have no name of another coordinate.
    plain = surface.heights(lats.assign_attrs(standard_name="latitude", units="degrees_north"), lons.values[:5])
    assert plain.lon.attrs.get("standard_name") != "latitude" and plain.lon.attrs.get("units") != "degrees_north"
    assert heights.dims == ("a", "b") and heights.attrs["units"] == "m" and heights.attrs["crs"] == "EPSG:4326"
    assert np.array_equal(heights.values, surface.heights(lat[:5, None], lon[:7]), equal_nan=True)
    assert set(heights.coords) >= {"lat", "lon"}
    asked = surface.slope(lat[:4], lon[:4], as_xarray=True)
    assert asked.attrs["units"] == "degree" and asked.attrs["posting_m"] == pytest.approx(30, abs=0.1)
    assert surface.normals(lats, lons).sizes == {"a": 5, "b": 7, "axis": 3}
    assert surface.profile(lat[0], lon[0], lat[1], lon[1], 9, as_xarray=True).sizes == {"sample": 9}
    # Profiles keep the dimensions and coordinates of their ends.
    ends = xarray.DataArray(lat[:3], dims="trail", coords={"trail": list("xyz")})
    profiles = surface.profile(ends, lon[0], lat[1], lon[1], 9, as_xarray=True)
    assert profiles.dims == ("trail", "sample") and list(profiles.trail.values) == list("xyz")
    assert surface.profile(ends.rename(trail="lat"), lon[0], lat[1], lon[1], 9, as_xarray=True).dims == ("dim_0", "sample")


def test_the_crs_of_places_is_not_that_of_x_and_y(file):
    path, surface, _ = file
    dem = rioxarray.open_rasterio(path).squeeze()
    east, north = np.meshgrid(dem.x, dem.y)
    lon, lat = rasterio.warp.transform(dem.rio.crs, "EPSG:4326", east.ravel(), north.ravel())
    lat, lon = (xarray.DataArray(np.reshape(value, dem.shape), coords={"y": dem.y, "x": dem.x}, dims=("y", "x")) for value in (lat, lon))
    slope = surface.slope(lat, lon)
    assert slope.rio.crs is None and "crs" not in slope.attrs
    assert surface.slope(lat.rio.write_crs(dem.rio.crs), lon).rio.crs == dem.rio.crs


# A DataArray says what stands for no height, whether or not rioxarray is there to read it.
FILL = """
import sys
import warnings
import numpy as np, xarray
import orogen

values = np.full((60, 60), 500, "int16")
values[5:55, 5:55] = 0
coords = {"lat": 46 - 0.001 * np.arange(60), "lon": 7 + 0.001 * np.arange(60)}
dem = xarray.DataArray(values, coords=coords, dims=("lat", "lon"), attrs={sys.argv[1]: 0})
assert "rioxarray" not in sys.modules
print(float(orogen.Surface.open(dem, crs="EPSG:4326").heights(45.97, 7.03)))
"""


@pytest.mark.parametrize("name", ["_FillValue", "missing_value", "fill_value", "nodata"])
def test_fill_values_count_without_rioxarray(name):
    told = subprocess.run([sys.executable, "-c", FILL, name], capture_output=True, text=True, timeout=120)
    assert told.stdout.strip() == "nan", told.stdout + told.stderr


def test_plain_arrays_take_the_names_of_dataarrays(file):
    pandas = pytest.importorskip("pandas")
    _, surface, (lat, lon) = file
    lat, lon = lat[:6], lon[:6]
    expected = surface.heights(lat, lon)
    named = xarray.DataArray(lat, dims="p", coords={"p": list("abcdef")})
    for plain in (lon, list(lon), pandas.Series(lon), da.from_array(lon, chunks=4), np.ma.masked_array(lon)):
        for answer in (surface.heights(named, plain), surface.normals(named, plain).isel(axis=0)):
            assert answer.dims == ("p",) and answer.p.values.tolist() == list("abcdef")
        assert np.array_equal(surface.heights(named, plain), expected, equal_nan=True)
        assert np.array_equal(surface.heights(xarray.DataArray(lat, dims="p"), plain), expected, equal_nan=True)
    other = surface.heights(list(lat), xarray.DataArray(lon, dims="p"))
    assert other.dims == ("p",) and np.array_equal(other, expected, equal_nan=True)
    grid = surface.heights(xarray.DataArray(lat.reshape(2, 3), dims=("a", "b")), lon[:3])
    assert grid.dims == ("a", "b") and np.array_equal(grid, surface.heights(lat.reshape(2, 3), lon[:3]), equal_nan=True)
    scalar = surface.heights(named, float(lon[0]))
    assert scalar.dims == ("p",) and scalar.lon.ndim == 0
    for plain in (lon[:5], lon.reshape(2, 3), np.ones((2, 6))):
        with pytest.raises(ValueError):
            surface.heights(named, plain)
    with pytest.raises(TypeError, match="lon has to be numbers"):
        surface.heights(named, ["east"] * 6)


def test_every_question_pairs_by_names(file):
    _, surface, (lat, lon) = file
    lat, lon = lat[:4], lon[:4]
    lats, lons = xarray.DataArray(lat, dims="y"), xarray.DataArray(lon, dims="x")
    rows, columns = lat[:, None], lon[None]
    same = lambda found, expected: np.array_equal(found, expected, equal_nan=True)
    assert same(surface.heights(lats, lons, as_xarray=False), surface.heights(rows, columns))
    assert same(surface.slope(lons * 0 + lats, lons, as_xarray=False), surface.slope(rows, columns).T)
    assert same(surface.provenance(lats, lons).posting_m, surface.provenance(rows, columns).posting_m)
    assert same(surface.sight(lats, lons, lat[0], lon[0]).distance_m, surface.sight(rows, columns, lat[0], lon[0]).distance_m)
    assert same(surface.ray(lats, lons, 3000.0, 0, lons * 0 - 80).distance_m, surface.ray(rows, columns, 3000.0, 0, -80).distance_m)
    assert same(surface.profile(lats, lons, lat[0], lon, 3), surface.profile(rows, columns, lat[0], lon, 3).height_m)
    # Labels that differ are no pair, neither by xarray nor here.
    for ask in (surface.heights, surface.provenance):
        with pytest.raises(ValueError, match="align"):
            ask(lats.assign_coords(y=[0, 1, 2, 3]), lats.assign_coords(y=[1, 2, 3, 4]))


POINT = {"distance_m": "distance_m", "point_lat": "lat", "point_lon": "lon", "height_m": "height_m"}
POINT_UNITS = {"distance_m": "m", "point_lat": "degrees_north", "point_lon": "degrees_east", "height_m": "m"}


def test_lines_and_provenance_are_datasets_where_the_questions_are(file):
    """Law: they have the values of arrays, the dimensions and coordinates of the places, and units, CRS, datum, posting and sources."""
    path, surface, (lat, lon) = file
    named = {"standard_name": "latitude", "units": "degrees_north"}
    lats = xarray.DataArray(lat[:4], dims="mast", coords={"mast": list("abcd")}, attrs=named)
    lons, headings = xarray.DataArray(lon[:4], dims="mast"), xarray.DataArray([0.0, 120.0, 240.0], dims="heading")
    rows, columns = lat[:4, None], lon[:4, None]
    ray = surface.ray(lats, lons, 3000.0, headings.assign_coords(heading=headings), -80.0)
    sight = surface.sight(lats, lons, 46.04, 9.01, eye_height=headings)
    origin = surface.provenance(lats, lons)
    expected = [
        (ray, surface.ray(rows, columns, 3000.0, headings.values, -80.0), POINT, POINT_UNITS, ("lat", "lon")),
        (
            sight,
            surface.sight(rows, columns, 46.04, 9.01, eye_height=headings.values),
            {"visible": "visible"} | POINT,
            {"visible": "1"} | POINT_UNITS,
            ("lat1", "lon1", "lat2", "lon2"),
        ),
        (
            origin,
            surface.provenance(lat[:4], lon[:4]),
            {name: name for name in ("layer", "share", "posting_m", "filled")},
            {"layer": "1", "share": "1", "posting_m": "m", "filled": "1"},
            ("lat", "lon"),
        ),
    ]
    for found, arrays, names, units, asked in expected:
        assert isinstance(found, xarray.Dataset) and list(found.data_vars) == list(names)
        for name, field in names.items():
            values, answer = getattr(arrays, field), found[name]
            assert answer.dtype == values.dtype and np.array_equal(answer, values, equal_nan=values.dtype.kind == "f")
            assert answer.attrs["units"] == units[name] and answer.attrs["crs"] == "EPSG:4326" and "standard_name" not in answer.attrs
            assert answer.attrs["posting_m"] == pytest.approx(30, abs=0.1) and answer.attrs["source"] == "array"
        assert found.mast.values.tolist() == list("abcd") and set(found.coords) >= set(asked) and found.attrs["crs"] == "EPSG:4326"
        assert np.array_equal(found[asked[0]], lats) and found[asked[0]].attrs == named
    assert ray.sizes == sight.sizes == {"mast": 4, "heading": 3} and ray.sel(heading=120.0).sizes == {"mast": 4}
    # What is known of layers is in the attributes.
    assert origin.datum == ["not stated"] and origin.names == ["array"]
    # So it is of plain arrays, and of the accessor, if it is asked for; and arrays of DataArrays.
    plain = surface.ray(lat[:4], lon[:4], 3000.0, 0.0, -80.0, as_xarray=True)
    assert plain.sizes == {"dim_0": 4} and np.array_equal(plain.lat, lat[:4])
    assert rioxarray.open_rasterio(path).orogen.provenance(lats, lons).layer.dims == ("mast",)
    assert isinstance(surface.sight(lats, lons, 46.04, 9.01, as_xarray=False), orogen.Sights)
    assert isinstance(surface.provenance(lats, lons, as_xarray=False), orogen.Provenance)


def test_lines_and_provenance_over_x_and_y_have_no_crs(file):
    _, surface, (lat, lon) = file
    lats, lons = (xarray.DataArray(value[:6].reshape(2, 3), dims=("y", "x")) for value in (lat, lon))
    for found in (surface.ray(lats, lons, 3000.0, 0, -80), surface.sight(lats, lons, lats, lons), surface.provenance(lats, lons)):
        assert found.rio.crs is None and not any("crs" in of.attrs for of in (found, *found.data_vars.values()))


def test_lines_and_provenance_of_dask_are_computed_later(rng, file):
    """Law: a block's answer equals the whole's, whatever the blocks of each argument."""
    _, surface, (lat, lon) = file
    lat, lon, pitch = lat[:60], lon[:60], rng.uniform(-90, -40, 60)
    blocks = lambda values: da.from_array(values, chunks=int(rng.integers(5, 40)))
    questions = [
        lambda lat, lon, pitch: surface.ray(lat, lon, 2000.0, 10.0, pitch),
        lambda lat, lon, pitch: surface.sight(lat, lon, 46.04, 9.01, eye_height=10 - pitch),
        lambda lat, lon, pitch: surface.profile(lat, lon, 46.04, 9.01, 5),
        lambda lat, lon, pitch: surface.provenance(lat, lon),
    ]
    for ask in questions:
        whole, lazy = ask(lat, lon, pitch), ask(blocks(lat), blocks(lon), blocks(pitch))
        assert type(lazy) is type(whole)
        for name, values in vars(whole).items():
            if isinstance(values, np.ndarray):
                found = getattr(lazy, name)
                assert isinstance(found, da.Array) and found.numblocks[0] > 1 and found.dtype == values.dtype
                assert np.array_equal(found.compute(), values, equal_nan=values.dtype.kind == "f"), name
        named = [xarray.DataArray(value, dims="p") for value in (lat, lon, pitch)]
        expected, lazy = ask(*named), ask(*(value.chunk(p=int(rng.integers(5, 40))) for value in named[:2]), named[2])
        assert lazy.chunks and lazy.compute().identical(expected)


def test_names_of_answers_are_free():
    """Law: dimensions and coordinates keep their names; what is answered has others then."""
    surface = orogen.Surface.earth()
    for name in ("distance_m", "point_lat", "visible", "layer", "sample", "lat", "lon1"):
        lats = xarray.DataArray([45.0, 46.0], dims=name, coords={name: [5, 6]})
        for found in (
            surface.ray(lats, 7.0, 9000.0, 0.0, -90.0),
            surface.sight(lats, 7.0, lats, 7.0),
            surface.provenance(lats, 7.0),
            surface.profile(lats, 7.0, 45.0, 8.0, 3),
        ):
            assert 2 in found.sizes.values() and any(values.values.tolist() == [5, 6] for values in found.coords.values())


def test_names_of_dimensions_are_the_callers():
    crs, transform = SYSTEMS["UTM"]
    surface = orogen.Surface.open(np.full((50, 60), 300.0), transform=transform, crs=crs)
    lat, lon = places(crs, transform, np.array([10.0, 40.0]), np.array([10.0, 30.0]))
    for name in ("number", "axis", "date", "azimuth"):
        lats, lons = xarray.DataArray(lat[:2], dims=name), xarray.DataArray(lon[:2], dims=name).assign_coords(time=0)
        assert surface.normals(lats, lons).sizes == ({name: 2, "axis": 3} if name != "axis" else {"axis": 2, "axis_": 3})
        horizon = surface.horizon(lats, lons, directions=4)
        assert horizon.shape == (2, 4) and horizon[horizon.dims[1]].values.tolist() == [0, 90, 180, 270]
        day = {"start": "2026-06-21T00:00Z", "end": "2026-06-22T00:00Z", "directions": 2}
        assert surface.insolation(lats, lons, **day).total.sizes == {name: 2}
        sun = surface.sunlight(lats[:1], lons[:1], 2026, eye_height=50)
        assert sun.sun_hours.shape == (1, 365) and sun[sun.sun_hours.dims[1]].dtype.kind == "M"
    # So are those of other coordinates.
    dated = xarray.DataArray(lat[:2], dims="p", coords={"axis": 5})
    assert surface.normals(dated, lon[:2]).sizes == {"p": 2, "axis_": 3}


@pytest.mark.parametrize("dtype", ["float32", "int16", "uint16"])
def test_heights_below_an_alpha_of_0_are_none(rng, tmp_path, dtype):
    crs, transform = SYSTEMS["UTM"]
    ground = rng.integers(100, 900, (50, 60)).astype(dtype)
    alpha = np.full((50, 60), 255, dtype)
    alpha[10:30, 30:55] = 0
    path = tmp_path / "alpha.tif"
    profile = {"driver": "GTiff", "width": 60, "height": 50, "count": 2, "dtype": dtype}
    with rasterio.open(path, "w", crs=crs, transform=rasterio.Affine(*transform), **profile) as dataset:
        dataset.write(ground, 1)
        dataset.write(alpha, 2)
        dataset.colorinterp = [rasterio.enums.ColorInterp.gray, rasterio.enums.ColorInterp.alpha]
    hidden = np.where(alpha == 0, np.nan, ground.astype(np.float64))
    lat, lon = places(crs, transform, rng.uniform(-3, 63, 500), rng.uniform(-3, 53, 500))
    expected = orogen.Surface.open(hidden, transform=transform, crs=crs).heights(lat, lon)
    assert 100 < np.isnan(expected).sum() < 400
    with rasterio.open(path) as dataset:
        assert np.array_equal(orogen.Surface.open(dataset).heights(lat, lon), expected, equal_nan=True)


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
    assert not hasattr(xarray.DataArray([1.0]).orogen, "nonsense")


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
    for arguments in [(da.from_array(lat, chunks=100), lon), (lat, da.from_array(lon, chunks=70)), (da.from_array(lat, chunks=100), da.from_array(lon, chunks=70))]:
        lazy = surface.heights(*arguments, as_xarray=True)
        assert lazy.chunks is not None and lazy.dims == ("dim_0",) and np.array_equal(lazy, expected, equal_nan=True)
    masked = np.ma.masked_array(lon, np.arange(lon.size) % 3 == 0)
    lazy = surface.heights(da.from_array(lat, chunks=100), masked)
    assert np.array_equal(lazy.compute(), np.where(masked.mask, np.nan, expected), equal_nan=True)


@pytest.mark.parametrize("system", ["degrees", "UTM"])
def test_coordinates_are_even_to_their_precision(rng, system):
    crs, transform = SYSTEMS[system]
    step = 1 / 3600 if system == "degrees" else 25.0
    ground = rng.uniform(0, 100, (50, 60))
    x, y = transform[2] + step * (np.arange(60) + 0.5), transform[5] - step * (np.arange(50) + 0.5)
    exact = orogen.Surface.open(ground, transform=(step, 0, transform[2], 0, -step, transform[5]), crs=crs)
    coords = {"y": y.astype(np.float32), "x": x.astype(np.float32)}
    single = orogen.Surface.open(xarray.DataArray(ground, dims=("y", "x"), coords=coords), crs=crs)
    assert single.bounds == pytest.approx(exact.bounds, abs=2e-5)
    for uneven in (x + step * 0.2 * (np.arange(60) == 30), np.delete(np.append(x, x[-1] + step), 30)):
        with pytest.raises(ValueError, match="evenly"):
            orogen.Surface.open(xarray.DataArray(ground, dims=("y", "x"), coords={"y": y, "x": uneven}), crs=crs)


@pytest.mark.parametrize("shape", [(1, 5), (5, 1), (1, 1)])
def test_a_single_row_or_column_is_a_raster(rng, shape, tmp_path):
    crs, transform = SYSTEMS["UTM"]
    ground = rng.uniform(0, 100, shape).astype(np.float32)
    expected = orogen.Surface.open(ground, transform=transform, crs=crs)
    place = places(crs, transform, np.arange(float(shape[1])), np.zeros(shape[1]))
    assert np.allclose(expected.heights(*place), ground[0], atol=1e-3)
    for dims in (("y", "x"), ("row", "column")):
        array = xarray.DataArray(ground, dims=dims)
        for form in (array, array.expand_dims("band"), array.expand_dims("band", axis=2)):
            if dims[1] != "x" and form.ndim == 3:
                # Nothing says which of three are rows and columns.
                with pytest.raises(ValueError, match="choose a band"):
                    orogen.Surface.open(form, transform=transform, crs=crs)
            else:
                found = orogen.Surface.open(form, transform=transform, crs=crs)
                assert np.array_equal(found.heights(*place), expected.heights(*place))
    path = tmp_path / "line.tif"
    profile = {"driver": "GTiff", "height": shape[0], "width": shape[1], "count": 1, "dtype": "float32"}
    with rasterio.open(path, "w", crs=crs, transform=rasterio.Affine(*transform), **profile) as dataset:
        dataset.write(ground, 1)
    assert np.allclose(rioxarray.open_rasterio(path).orogen.heights(*place), expected.heights(*place), atol=1e-6)
    with pytest.raises(ValueError, match="no distance to another"):
        orogen.Surface.open(xarray.DataArray(ground, dims=("y", "x"), coords={"y": np.arange(shape[0]), "x": np.arange(shape[1])}), crs=crs)


@pytest.mark.parametrize("dims", [("lon", "latitude"), ("nav_lon", "nav_lat"), ("rlon", "rlat"), ("a", "b"), ("y", "x")])
def test_dimensions_are_what_their_coordinates_say(dims):
    along_lon, along_lat = dims
    values = np.arange(12.0).reshape(3, 4)
    coords = {
        along_lon: (along_lon, 7.0 + np.arange(3) / 1000, {"standard_name": "longitude"}),
        along_lat: (along_lat, 46.0 - np.arange(4) / 1000, {"standard_name": "latitude"}),
    }
    surface = orogen.Surface.open(xarray.DataArray(values, coords, dims), crs="EPSG:4326")
    assert surface.heights(46.0 - 2 / 1000, 7.0 + 1 / 1000) == pytest.approx(values[1, 2])


@pytest.mark.parametrize("system", ["UTM", "polar, rotated"])
def test_slices_lie_where_their_coordinates_say(rng, system, tmp_path):
    """Law: a part of a DataArray, strided, reversed, a single row or column, has the heights of the whole at its pixels."""
    crs, transform = SYSTEMS[system]
    ground = rng.uniform(0, 100, (30, 40)).astype(np.float32)
    path = tmp_path / "whole.tif"
    profile = {"driver": "GTiff", "height": 30, "width": 40, "count": 1, "dtype": "float32"}
    with rasterio.open(path, "w", crs=crs, transform=rasterio.Affine(*transform), **profile) as dataset:
        dataset.write(ground, 1)
    whole = rioxarray.open_rasterio(path)[0]
    rows, columns = np.arange(30), np.arange(40)
    for y, x in [
        (slice(10, 11), slice(0, None, 2)),
        (slice(10, 11), slice(None, None, -1)),
        (slice(None), slice(5, None)),
        (slice(29, 2, -3), slice(7, 30, 4)),
        (slice(4, None), slice(12, 13)),
    ]:
        row, column = (at.ravel() for at in np.meshgrid(rows[y], columns[x], indexing="ij"))
        lat, lon = places(crs, transform, column.astype(float), row.astype(float))
        found = whole.isel(y=y, x=x).orogen.heights(lat, lon)
        assert np.allclose(found, ground[row, column], atol=1e-2), (y, x)


def test_directions_are_axes():
    values = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    coords = {"east": 500_015.0 + 30.0 * np.arange(3), "north": 5_099_985.0 - 30.0 * np.arange(4)}
    surface = orogen.Surface.open(xarray.DataArray(values, coords, ("east", "north")), crs="EPSG:32632")
    lat, lon = places("EPSG:32632", (30.0, 0.0, 500_000.0, 0.0, -30.0, 5_100_000.0), np.array([1.0]), np.array([2.0]))
    assert surface.heights(lat, lon) == pytest.approx(values[1, 2], abs=1e-3)
