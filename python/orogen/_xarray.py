"""How do answers become DataArrays and dask arrays? With coordinates, CRS, units and provenance in attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import by_name, is_dask, is_xarray, number

if TYPE_CHECKING:
    from ._places import Field

_LONG_NAMES = {
    "height": "height of the ground",
    "normal": "unit normal of the ground",
    "distance_m": "distance of the point",
    "point_lat": "latitude of the point",
    "point_lon": "longitude of the point",
    "height_m": "height of the ground at the point",
}


def _origin(surface: Any) -> dict[str, Any]:
    """Where answers come from."""
    top = surface._layers[0]
    return {
        "datum": top["datum"],
        "posting_m": top["posting_m"],
        "source": "; ".join(layer["name"] for layer in surface._layers),
        "crs": "EPSG:4326",
    }


def _attrs(surface: Any, name: str, units: str | None) -> dict[str, Any]:
    # Times have their units in their encoding.
    unit = {} if units is None else {"units": units}
    return {"long_name": _LONG_NAMES.get(name, name)} | unit | _origin(surface)


def at_places(
    surface: Any, asked: Callable[..., Any], arguments: dict[str, Any], fields: list[Field], axes: dict[str, int]
) -> list[Any]:
    """A DataArray of each field over the dimensions of the arguments; of dask arrays it is computed later.

    `lat` and `lon` are the places that were asked, so that those of a point that is found are `point_lat` and `point_lon`.
    """
    import xarray

    named = _named(arguments)
    taken = {name for value in named.values() for name in (*value.dims, *value.coords)}
    axes = {_free(axis, taken): size for axis, size in axes.items()}
    answers = xarray.apply_ufunc(
        asked,
        *named.values(),
        output_core_dims=[list(axes)] * len(fields),
        keep_attrs=False,
        dask="parallelized",
        output_dtypes=[field.dtype for field in fields],
        dask_gufunc_kwargs={"output_sizes": axes} if axes else None,
    )
    answers = answers if isinstance(answers, tuple) else (answers,)
    dims, known = answers[0].dims, {*answers[0].dims, *answers[0].coords}
    coords = {key: value for key, value in named.items() if key.startswith(("lat", "lon")) and key not in known}
    names = [{"lat": "point_lat", "lon": "point_lon"}.get(field.name, field.name) for field in fields]
    return [
        answer.assign_coords(coords).rename(name).assign_attrs(_over(dims, _attrs(surface, name, field.units)))
        for answer, name, field in zip(answers, names, fields, strict=True)
    ]


def _over(dims: tuple[Any, ...], attrs: dict[str, Any]) -> dict[str, Any]:
    """Attributes over dimensions: rioxarray would take the CRS of the places for that of x and y."""
    return {key: value for key, value in attrs.items() if key != "crs" or not {"x", "y"} <= set(dims)}


def dataset(surface: Any, answers: Any, **attrs: Any) -> Any:
    """Answers over the same places, by their names."""
    import xarray

    taken = {*answers[0].dims, *answers[0].coords}
    arrays = {_free(answer.name, taken): answer for answer in answers}
    return xarray.Dataset(arrays, attrs=_over(answers[0].dims, _origin(surface)) | attrs)


def _named(arguments: dict[str, Any]) -> dict[str, Any]:
    """All as DataArrays: a plain array takes the dimensions of the others as in ``DataArray + array``."""
    import xarray

    values: dict[str, Any] = {
        name: value if hasattr(value, "dims") or is_dask(value) else number(value, name) for name, value in arguments.items()
    }
    # Each has the dimensions of all.
    full: Any = next((value for value in by_name(values).values() if is_xarray(value)), None)
    if full is None:
        arrays = np.broadcast_arrays(*values.values())
        return {name: xarray.DataArray(value) for name, value in zip(values, arrays, strict=True)}
    for name, value in values.items():
        if not is_xarray(value):
            zero = xarray.zeros_like(full, dtype=np.float64)
            # What is said of the others is not said of it.
            zero.attrs = {}
            values[name] = zero + value if value.ndim else xarray.DataArray(value)
    if any(is_dask(value.data) for value in values.values()):
        values = dict(zip(values, xarray.unify_chunks(*(value.chunk() for value in values.values())), strict=True))
    return values


def _free(name: str, taken: set[Any]) -> str:
    """A name of a dimension that the caller does not use."""
    while name in taken:
        name += "_"
    return name


def by_blocks(asked: Callable[..., Any], arguments: dict[str, Any], fields: list[Field], axes: dict[str, int]) -> Any:
    """A dask array of each field, or the array of the only one; each block is asked when it is needed."""
    import dask.array as da

    arrays = da.broadcast_arrays(*(da.asarray(value) for value in arguments.values()))
    arrays = [array.rechunk(arrays[0].chunks) for array in arrays]
    answer = f"({','.join(axes)})"
    signature = f"{','.join(['()'] * len(arrays))}->{','.join([answer] * len(fields))}"
    dtypes = [field.dtype for field in fields]
    return da.apply_gufunc(asked, signature, *arrays, output_dtypes=dtypes, output_sizes=axes)


def profile(distance: Any, lat: Any, lon: Any, height: Any) -> Any:
    """Heights over their distances and places."""
    # Names that the profile itself has stay its own.
    taken = set(height.dims) | set(height.coords)
    lines = {dim: _free(f"dim_{k}", taken) for k, dim in enumerate(height.dims) if dim in ("distance", "lat", "lon")}
    distance, lat, lon, height = (answer.rename(lines) for answer in (distance, lat, lon, height))
    coords = {
        "distance": (distance.dims, distance.data, {"units": "m"}),
        "lat": (lat.dims, lat.data, {"units": "degrees_north"}),
        "lon": (lon.dims, lon.data, {"units": "degrees_east"}),
    }
    return height.assign_coords(coords).rename("height").assign_attrs(long_name=_LONG_NAMES["height"])


def viewshed(surface: Any, shed: Any) -> Any:
    """A viewshed over x and y in metres from the eye; where rioxarray is imported, it knows the CRS too."""
    import xarray

    half = shed.cells.shape[0] // 2
    along = np.arange(-half, half + 1) * shed.cell_m
    coords = {
        "y": ("y", -along, {"units": "m", "standard_name": "projection_y_coordinate"}),
        "x": ("x", along, {"units": "m", "standard_name": "projection_x_coordinate"}),
    }
    attrs = _attrs(surface, "viewshed", "1") | {
        "long_name": "1 seen, 0 hidden",
        "crs": shed.crs,
        "eye_lat": shed.lat,
        "eye_lon": shed.lon,
        "eye_height_m": shed.eye_m,
    }
    answer = xarray.DataArray(shed.cells, dims=("y", "x"), coords=coords, name="viewshed", attrs=attrs)
    if hasattr(answer, "rio"):
        answer = answer.rio.write_crs(shed.crs).rio.write_nodata(255)
    return answer


def horizon(azimuth: np.ndarray, elevation: Any, distance: Any, lat: Any, lon: Any, height: Any) -> Any:
    """Elevations over azimuths, with the ground that stands there as coordinates."""
    axis = elevation.dims[-1]
    coords = {
        axis: (axis, azimuth, {"units": "degree"}),
        "distance": (distance.dims, distance.data, {"units": "m"}),
        "point_lat": (lat.dims, lat.data, {"units": "degrees_north"}),
        "point_lon": (lon.dims, lon.data, {"units": "degrees_east"}),
        "point_height": (height.dims, height.data, {"units": "m"}),
    }
    return elevation.assign_coords(coords).rename("horizon").assign_attrs(long_name="elevation of the horizon")


def raster(surface: Any, where: Any, named: dict[str, Any], azimuth: np.ndarray | None = None) -> Any:
    """Arrays over the cells of a raster; where rioxarray is imported, they know the CRS too."""
    import xarray

    x, y = where.xy
    coords: dict[str, Any] = {
        "y": ("y", y, {"units": "m", "standard_name": "projection_y_coordinate"}),
        "x": ("x", x, {"units": "m", "standard_name": "projection_x_coordinate"}),
    }
    dims: tuple[str, ...] = ("y", "x")
    if azimuth is not None:
        dims, coords["azimuth"] = ("azimuth", *dims), ("azimuth", azimuth, {"units": "degree"})
    place = {"crs": where.crs, "middle_lat": where.lat, "middle_lon": where.lon, "convergence_deg": where.convergence_deg}
    arrays = {name: (dims, values, _attrs(surface, name, units) | place) for name, (values, units) in named.items()}
    answer = xarray.Dataset(arrays, coords=coords, attrs=place)
    return answer.rio.write_crs(where.crs) if hasattr(answer, "rio") else answer


def register() -> None:
    """Gives DataArrays the accessor ``orogen``."""
    import xarray

    from ._surface import Surface

    class Accessor:
        """An elevation's surface: ``da.orogen.viewshed(lat, lon, radius)`` and all else that `orogen.Surface` answers."""

        def __init__(self, array: Any):
            self._array = array
            self._surface: Surface | None = None

        @property
        def surface(self) -> Surface:
            """The surface of this DataArray as it was when it was first asked: later changes of its values are not seen."""
            if self._surface is None:
                self._surface = Surface.open(self._array)
            return self._surface

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name == "open" or not hasattr(Surface, name):
                raise AttributeError(name)
            return getattr(self.surface, name)

        def __dir__(self) -> list[str]:
            return [name for name in dir(Surface) if not name.startswith("_") and name != "open"] + ["surface"]

    if not hasattr(xarray.DataArray, "orogen"):
        xarray.register_dataarray_accessor("orogen")(Accessor)
