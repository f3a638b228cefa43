"""What is a raster that Python holds? Values, transform, coordinate reference system, and what stands for no height."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyproj


@dataclass
class Raster:
    """A raster, as the extension module takes it."""

    values: np.ndarray
    """Rows of float32, contiguous."""
    geo_transform: tuple[float, ...]
    crs: pyproj.CRS
    nodata: float | None = None
    unit: str | None = None
    scale: float = 1.0
    offset: float = 0.0
    name: str = "array"


def raster_of(source: Any, transform: Any, crs: Any, nodata: float | None) -> tuple[Raster, str]:
    """The raster that an object is, and which kind of object that is: ``xarray``, ``rasterio`` or ``numpy``."""
    if hasattr(source, "dims") and hasattr(source, "coords"):
        return _of_xarray(source, transform, crs, nodata), "xarray"
    if hasattr(source, "read") and hasattr(source, "transform"):
        return _of_rasterio(source, transform, crs, nodata), "rasterio"
    if isinstance(source, np.ndarray) or hasattr(source, "__array__"):
        if transform is None:
            raise ValueError(
                "an array does not say where it lies: give transform=(a, b, c, d, e, f), for which x = a*column + b*row + c and "
                "y = d*column + e*row + f at the corners of pixels, or an affine.Affine"
            )
        if crs is None:
            raise ValueError('an array does not say what its coordinates mean: give crs="EPSG:4326" or the like')
        values, nodata = _values(source, nodata)
        return Raster(values, _geo_transform(transform), _crs(crs), nodata), "numpy"
    raise TypeError(
        f"{type(source).__name__} is no elevation: give the path of a pack, a numpy array with transform and crs, a "
        "DataArray of rioxarray, or an open dataset of rasterio"
    )


def _of_xarray(source: Any, transform: Any, crs: Any, nodata: float | None) -> Raster:
    if hasattr(source, "data_vars"):
        raise TypeError(f"a Dataset has several arrays: give one of {sorted(map(str, source.data_vars))}")
    attrs = source.attrs
    x, y = _dimensions(source)
    band = source.squeeze([name for name in source.dims if name not in (x, y) and source.sizes[name] == 1], drop=True)
    if band.ndim != 2:
        raise ValueError(
            f"an elevation has two dimensions, not {dict(source.sizes)}: choose a band, like da.sel(band=1) or da.isel(time=0)"
        )
    rio = getattr(source, "rio", None)
    band = band.transpose(y, x)
    if transform is None:
        transform = _transform_of_coordinates(band, x, y) if rio is None else _transform_of_rio(band, rio, x, y)
    if crs is None:
        crs = getattr(rio, "crs", None)
    if crs is None:
        raise ValueError('the DataArray has no CRS: da.rio.write_crs("EPSG:...") states it, or crs=... here')
    if nodata is None:
        # rioxarray reads them too, where it is imported.
        said = (attrs.get(key) for key in ("_FillValue", "missing_value", "fill_value", "nodata"))
        numbers = (value for value in said if isinstance(value, (int, float, np.number)))
        nodata = next(numbers, None) if rio is None else rio.nodata
    values, nodata = _values(band.data, nodata)
    unit = _of_band(source, "units")
    return Raster(
        values,
        _geo_transform(transform),
        _crs(crs),
        nodata,
        unit if isinstance(unit, str) else None,
        float(attrs.get("scale_factor", _of_band(source, "scales") or 1.0)) or 1.0,
        float(attrs.get("add_offset", _of_band(source, "offsets") or 0.0)),
        str(source.name) if source.name is not None else "DataArray",
    )


def _of_band(source: Any, name: str) -> Any:
    """What an attribute says of the band: rioxarray has one value for each band of the file, whichever of them was chosen."""
    said = source.attrs.get(name)
    if not isinstance(said, (tuple, list)):
        return said
    if len(set(said)) == 1:
        return said[0]
    band = source.coords["band"].values if "band" in source.coords else None
    if band is None or np.size(band) != 1 or not 1 <= int(np.ravel(band)[0]) <= len(said):
        raise ValueError(f'attrs["{name}"] says {tuple(said)} of several bands, and not which of them this is: give it one value')
    return said[int(np.ravel(band)[0]) - 1]


def _dimensions(source: Any) -> tuple[Any, Any]:
    """Names of the dimensions along x and y; `None` where it is not clear which they are."""
    along = [_axis(source, name) for name in source.dims]
    if along.count(0) == 1 and along.count(1) == 1:
        return source.dims[along.index(0)], source.dims[along.index(1)]
    long = [name for name in source.dims if source.sizes[name] > 1]
    found = next((names for names in (source.dims, long) if len(names) == 2), (None, None))
    return found[1], found[0]


def _axis(source: Any, name: Any) -> int | None:
    """0 for a dimension along x, 1 along y: by what CF conventions say of its coordinates, else by its name."""
    attrs = source.coords[name].attrs if name in source.coords else {}
    said = {str(attrs.get(key, "")).lower() for key in ("standard_name", "axis", "units")}
    word = str(name).lower()
    if said & {"longitude", "grid_longitude", "projection_x_coordinate", "x", "degrees_east"}:
        return 0
    if said & {"latitude", "grid_latitude", "projection_y_coordinate", "y", "degrees_north"}:
        return 1
    if word in ("x", "east", "easting") or "lon" in word:
        return 0
    return 1 if word in ("y", "north", "northing") or "lat" in word else None


def _transform_of_rio(band: Any, rio: Any, x: str, y: str) -> Any:
    """What coordinates say, which go along with slices. Where there are none, or one alone has no distance, what rioxarray says."""
    told = rio.transform()
    if told.is_identity:
        told = None  # It says nothing of where it lies.
    has_lines = x in band.coords and y in band.coords
    across = [band.coords[name] for name in ("xc", "yc") if name in band.coords and not has_lines]
    if len(across) == 2 and all(coordinate.ndim == 2 for coordinate in across):
        return _transform_of_plane(*(coordinate.transpose(y, x) for coordinate in across), told)
    if told is None or has_lines and (told.b, told.d) == (0.0, 0.0):
        return _transform_of_coordinates(band, x, y, (told.a, told.e) if told is not None else (None, None))
    return told


def _transform_of_coordinates(band: Any, x: str, y: str, single: tuple[Any, Any] = (None, None)) -> tuple[float, ...]:
    """Transform of coordinates along x and y; ``single`` are the distances of those that are alone, where they are known."""
    steps = []
    for name, known in zip((x, y), single):
        if name not in band.coords:
            raise ValueError(f"the DataArray has no coordinates along {name!r}: assign them, or give transform=...")
        stored = np.asarray(band.coords[name].values)
        values = stored.astype(np.float64)
        if values.size < 2 and known is None:
            raise ValueError(f"one coordinate along {name!r} has no distance to another: give transform=...")
        step = float(known) if values.size < 2 else (values[-1] - values[0]) / (values.size - 1)
        _check_even(values, values[0] + step * np.arange(values.size), abs(step), stored, name)
        steps.append((values[0] - 0.5 * step, step))
    (west, dx), (north, dy) = steps
    return (dx, 0.0, west, 0.0, dy, north)


def _transform_of_plane(xc: Any, yc: Any, told: Any) -> tuple[float, ...]:
    """Transform of the coordinates of all pixels of a rotated raster; ``told`` is that of the raster that it is a part of, if it is known."""
    rows, columns = xc.shape
    coefficients: list[float] = []
    for plane, (along, down) in ((xc, "ab"), (yc, "de")):
        stored = np.asarray(plane.values)
        values = stored.astype(np.float64)
        if min(values.shape) < 2 and told is None:
            raise ValueError(f"one row or column of {plane.name!r} has no distance to another: give transform=...")
        right = (values[0, -1] - values[0, 0]) / (columns - 1) if columns > 1 else getattr(told, along)
        below = (values[-1, 0] - values[0, 0]) / (rows - 1) if rows > 1 else getattr(told, down)
        even = values[0, 0] + right * np.arange(columns) + below * np.arange(rows)[:, np.newaxis]
        _check_even(values, even, abs(right) + abs(below), stored, plane.name)
        coefficients += [right, below, values[0, 0] - 0.5 * (right + below)]
    return tuple(coefficients)


def _check_even(values: np.ndarray, even: np.ndarray, step: float, stored: np.ndarray, name: Any) -> None:
    # Each is rounded as its type has it, and so are both ends.
    rounding = 2.0 * float(np.spacing(np.max(np.abs(stored if stored.dtype.kind == "f" else values))))
    if not np.all(np.abs(values - even) <= max(0.01 * step, rounding)):
        raise ValueError(f"coordinates along {name!r} are not evenly spaced: interpolate to a regular grid first")


def _of_rasterio(source: Any, transform: Any, crs: Any, nodata: float | None) -> Raster:
    crs = source.crs if crs is None else crs
    if crs is None:
        raise ValueError('the dataset has no CRS: give crs="EPSG:..." of its coordinates')
    nodata = source.nodata if nodata is None else nodata
    # Masks count as no-data values do, and so does an alpha band, of which GDAL makes a mask of whole numbers alone.
    values = source.read(1, masked=True)
    names = [getattr(kind, "name", "") for kind in getattr(source, "colorinterp", ())]
    if "alpha" in names[1:]:
        hidden = source.read(1 + names.index("alpha", 1)) == 0
        values = np.ma.masked_where(np.ma.getmaskarray(values) | hidden, values)
    values, nodata = _values(values, nodata)
    unit = source.units[0] if getattr(source, "units", None) else None
    scales, offsets = getattr(source, "scales", None), getattr(source, "offsets", None)
    return Raster(
        values,
        _geo_transform(source.transform if transform is None else transform),
        _crs(crs),
        nodata,
        unit,
        (float(scales[0]) or 1.0) if scales else 1.0,
        float(offsets[0]) if offsets else 0.0,
        str(getattr(source, "name", "rasterio")),
    )


def _values(values: Any, nodata: float | None) -> tuple[np.ndarray, float | None]:
    """Contiguous float32, masked ones not a number, and the value that stands for no height as it is among them."""
    mask = np.ma.getmask(values) if isinstance(values, np.ma.MaskedArray) else None
    shape = getattr(values, "shape", None)
    if shape is not None and len(shape) == 2 and shape[0] * shape[1] > 1 << 32:
        raise ValueError(f"an array of {shape[0]} x {shape[1]} is too large: open a part of it, or bake a pack of it")
    array = np.asarray(values)
    if array.ndim != 2:
        raise ValueError(f"an elevation has two dimensions, not the shape {array.shape}: choose a band, like array[0]")
    if array.size == 0:
        raise ValueError(f"an array of the shape {array.shape} has no heights")
    if array.dtype.kind not in "iuf":
        raise TypeError(f"heights are integers or floats, not {array.dtype}: convert them, like array.astype('float32')")
    if nodata is not None:
        try:
            nodata = float(nodata)
        except (TypeError, ValueError):
            raise ValueError(f"nodata={nodata!r} is no number that stands for no height") from None
    with np.errstate(over="ignore", invalid="ignore"):
        flat = np.require(array, dtype=np.float32, requirements="CA")
    if mask is not None and mask is not np.ma.nomask:
        flat = np.where(mask, np.float32("nan"), flat)
    return flat, nodata


def _geo_transform(transform: Any) -> tuple[float, ...]:
    """GDAL's six numbers of an ``affine.Affine``, or of the six or nine numbers that it consists of."""
    try:
        numbers = [float(number) for number in transform]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) not in (6, 9):
        raise ValueError(f"transform={transform!r} is neither an affine.Affine nor its six numbers (a, b, c, d, e, f)")
    a, b, c, d, e, f = numbers[:6]
    if a != 0 and b != 0 and c == 0 and d != 0 and e == 0 and f != 0:
        raise ValueError(
            f"transform=({a:g}, {b:g}, 0, {d:g}, 0, {f:g}) looks like GDAL's order of numbers: affine.Affine.from_gdal(*transform) "
            "makes it one of (a, b, c, d, e, f)"
        )
    if not np.all(np.isfinite(numbers)) or abs(a * e - b * d) <= 1e-12 * (abs(a) + abs(b)) * (abs(d) + abs(e)):
        raise ValueError(
            f"transform=({a:g}, {b:g}, {c:g}, {d:g}, {e:g}, {f:g}) cannot be inverted: it has to map columns and rows to a plane"
        )
    return (c, a, b, f, d, e)


def _crs(crs: Any) -> pyproj.CRS:
    try:
        found = pyproj.CRS.from_user_input(crs)
    except pyproj.exceptions.CRSError as error:
        raise ValueError(f"unknown coordinate reference system {crs!r}: {error}") from error
    if found.is_geocentric:
        raise ValueError(f"{found.name} is geocentric, which places no raster: give the system of its columns and rows")
    if _horizontal(found).is_vertical:
        raise ValueError(f"{found.name} has heights alone, which place no raster: give the system of its columns and rows")
    return found


def described(
    raster: Raster, feather: int | None, unit_m: float | None, valid_range_m: tuple[float, float] | None
) -> dict[str, Any]:
    """What the extension module wants to know of a raster beside its values."""
    crs = raster.crs
    plane = _horizontal(crs)
    # Venus has a twentieth less.
    if plane.ellipsoid is not None and abs(plane.ellipsoid.semi_major_metre / 6_378_137.0 - 1.0) > 0.01:
        raise ValueError(f"{crs.name} is of another body: this package answers for the Earth: ask the program, `orogen query`")
    try:
        to_wgs84 = pyproj.Transformer.from_crs(plane, "EPSG:4326", always_xy=True)
    except pyproj.exceptions.ProjError as error:
        raise ValueError(f"no transformation from {crs.name} to WGS 84 ({error}): reproject to another CRS first") from error

    def forward(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return to_wgs84.transform(x, y, errcheck=False)

    def backward(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return to_wgs84.transform(x, y, direction="INVERSE", errcheck=False)

    return {
        "name": raster.name,
        "geo_transform": raster.geo_transform,
        "crs_name": crs.name,
        "crs_definition": crs.to_json(),
        "is_geographic": bool(plane.is_geographic and not plane.is_derived),
        "to_wgs84": forward,
        "from_wgs84": backward,
        "nodata": raster.nodata,
        "unit_m": unit_m,
        "scale": raster.scale,
        "offset": raster.offset,
        "feather": feather,
        "valid_range_m": valid_range_m,
    }


def _horizontal(crs: pyproj.CRS) -> pyproj.CRS:
    """The plane of a system that has heights too."""
    if crs.is_compound:
        return _horizontal(crs.sub_crs_list[0])
    return crs.to_2d() if len(crs.axis_info) == 3 else crs
