"""How do answers become DataArrays and dask arrays? With coordinates, CRS, units and provenance in attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._arrays import is_dask, is_xarray, number


def _attrs(surface: Any, name: str, units: str) -> dict[str, Any]:
    top = surface._layers[0]
    return {
        "long_name": {"height": "height of the ground", "normal": "unit normal of the ground"}.get(name, name),
        "units": units,
        "datum": top["datum"],
        "posting_m": top["posting_m"],
        "source": "; ".join(layer["name"] for layer in surface._layers),
        "crs": "EPSG:4326",
    }


def at_places(
    surface: Any, asked: Callable[..., np.ndarray], lat: Any, lon: Any, name: str, units: str, axes: dict[str, int]
) -> Any:
    """A DataArray over latitudes and longitudes; of dask arrays it is computed later."""
    import xarray

    lat, lon = _named(lat, lon)
    taken = {*lat.dims, *lat.coords, *lon.dims, *lon.coords}
    axes = {_free(axis, taken): size for axis, size in axes.items()}
    answer = xarray.apply_ufunc(
        asked,
        lat,
        lon,
        output_core_dims=[list(axes)],
        dask="parallelized",
        output_dtypes=[np.float64],
        dask_gufunc_kwargs={"output_sizes": axes} if axes else None,
    )
    coords = {}
    for key, value in (("lat", lat), ("lon", lon)):
        if key not in answer.coords and key not in answer.dims:
            coords[key] = value
    attrs = _attrs(surface, name, units)
    if {"x", "y"} <= set(answer.dims):
        # rioxarray would take that of the places for that of x and y.
        del attrs["crs"]
    return answer.assign_coords(coords).rename(name).assign_attrs(attrs)


def _named(lat: Any, lon: Any) -> list[Any]:
    """Both as DataArrays: a plain array takes the dimensions of the other as in ``DataArray + array``."""
    import xarray

    places = [
        value if hasattr(value, "dims") or is_dask(value) else number(value, name) for value, name in ((lat, "lat"), (lon, "lon"))
    ]
    named: Any = next((value for value in places if is_xarray(value)), None)
    if named is None:
        return [xarray.DataArray(value) for value in np.broadcast_arrays(*places)]
    zero = xarray.zeros_like(named, dtype=np.float64)
    return [value if is_xarray(value) else zero + value if value.ndim else xarray.DataArray(value) for value in places]


def _free(name: str, taken: set[Any]) -> str:
    """A name of a dimension that the caller does not use."""
    while name in taken:
        name += "_"
    return name


def by_blocks(asked: Callable[..., np.ndarray], lat: Any, lon: Any, axes: dict[str, int]) -> Any:
    """A dask array, each block of which is asked for when it is needed."""
    import dask.array as da

    lat, lon = da.broadcast_arrays(da.asarray(lat), da.asarray(lon))
    lon = lon.rechunk(lat.chunks)
    more: dict[str, Any] = {}
    if axes:
        more = {
            "chunks": (*lat.chunks, *((size,) for size in axes.values())),
            "new_axis": list(range(lat.ndim, lat.ndim + len(axes))),
        }
    return da.map_blocks(asked, lat, lon, dtype=np.float64, meta=np.empty((0,) * (lat.ndim + len(axes))), **more)


def profile(surface: Any, found: Any, ends: Any = None) -> Any:
    """Profiles over their distances; `ends`, a DataArray of as many, names their dimensions."""
    import xarray

    # Names that the profile itself has stay its own.
    names = [None] * (found.height_m.ndim - 1) if ends is None else ends.dims
    lines = [f"dim_{k}" if name in (None, "distance", "lat", "lon", "sample") else name for k, name in enumerate(names)]
    dims = [*lines, "sample"]
    named = {} if ends is None else {dim: ends.coords[dim] for dim in lines if dim in ends.coords}
    coords = named | {
        "distance": (dims, found.distance_m, {"units": "m"}),
        "lat": (dims, found.lat, {"units": "degrees_north"}),
        "lon": (dims, found.lon, {"units": "degrees_east"}),
    }
    attrs = _attrs(surface, "height", "m")
    return xarray.DataArray(found.height_m, dims=dims, coords=coords, name="height", attrs=attrs)


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


def horizon(rows: Any, azimuth: np.ndarray) -> Any:
    """Elevations over azimuths, with the ground that stands there as coordinates."""
    elevation, distance, lat, lon, height = (rows[..., k].drop_attrs() for k in range(5))
    axis = elevation.dims[-1]
    coords = {
        axis: (axis, azimuth, {"units": "degree"}),
        "distance": (distance.dims, distance.data, {"units": "m"}),
        "point_lat": (lat.dims, lat.data, {"units": "degrees_north"}),
        "point_lon": (lon.dims, lon.data, {"units": "degrees_east"}),
        "point_height": (height.dims, height.data, {"units": "m"}),
    }
    attrs = rows.attrs | {"long_name": "elevation of the horizon"}
    return elevation.assign_coords(coords).rename("horizon").assign_attrs(attrs)


def light(total: Any, direct: Any, diffuse: Any, hours: Any) -> Any:
    """Light of places."""
    import xarray

    named = {"total": total, "direct": direct, "diffuse": diffuse, "sun_hours": hours}
    attrs = direct.attrs
    arrays = {
        name: array.assign_attrs(attrs | {"long_name": name, "units": "h" if name == "sun_hours" else "kWh m-2"})
        for name, array in named.items()
    }
    return xarray.Dataset(arrays)


def sunlight(rise: Any, sets: Any, hours: Any, level: Any, date: np.ndarray) -> Any:
    """Days of sun of places."""
    import xarray

    from ._sky import _times

    attrs = hours.attrs
    time = lambda array: xarray.apply_ufunc(_times, array, dask="parallelized", output_dtypes=["datetime64[s]"])
    arrays = {"sunrise": time(rise), "sunset": time(sets), "sun_hours": hours, "level_hours": level}
    hourly = {name: attrs | {"long_name": name} for name in ("sun_hours", "level_hours")}
    arrays = {name: array.drop_attrs().assign_attrs(hourly.get(name, {})) for name, array in arrays.items()}
    return xarray.Dataset(arrays, attrs=attrs).assign_coords({hours.dims[-1]: date.astype("datetime64[s]")})


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
