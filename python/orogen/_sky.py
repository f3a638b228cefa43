"""How high does the ground stand against the sky, and how much light does it get? Horizons, sky views, insolation, sunlight."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _orogen, _xarray
from ._answers import Horizon, Horizons, Insolation, Raster, Skyview, Sunlight
from ._area import numbers
from ._arrays import is_xarray, no_out, number, room, settle, single, whole
from ._places import Field, ask_many, ask_one, column, point, put, rooms
from ._progress import heard_by


class Sky:
    """What `Surface` answers of horizons and light."""

    _inner: Any
    _kind: str
    _layers: list[dict[str, Any]]

    def horizon(
        self,
        lat: Any,
        lon: Any,
        *,
        directions: int = 360,
        eye_height: float = 2.0,
        refraction: float = 0.0,
        out: Sequence[np.ndarray | None] | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """The ground against the sky round places, azimuth by azimuth, within 0.001 degrees or a millimetre of the ground.

        It is ten times that where ground is as steep as walls of houses. This is ``orogen query horizon``. All ground counts, however
        far, on the round Earth. Beside the data the ground goes over, within ``feather`` samples, to 0 m, or to the lowest of the data
        if that is lower.

        Parameters
        ----------
        lat, lon : array_like, xarray.DataArray or dask array
            Eyes, degrees. Of dask arrays the answers are such, computed block by block.
        directions : int
            Number of azimuths, evenly round the compass from north clockwise.
        eye_height : float
            Metres above the ground, 0 to 1 000 000. Ground within a metre of the eye is what it stands on, and hides nothing.
        refraction : float
            Curvature of light over that of the Earth, -1 to 1: 0.13 is usual by day.
        out : tuple of numpy.ndarray or None, optional
            Where ``elevation``, ``distance_m``, ``lat``, ``lon`` and ``height_m`` are written, floats; None for one that is made anew.
        as_xarray : bool, optional
            Whether the answer is a DataArray; if not given, it is where ``lat`` or ``lon`` are.
        progress : callable, tqdm bar or True, optional
            Hears ``(done, total)`` azimuths.

        Returns
        -------
        Horizon or xarray.DataArray
            ``azimuth`` and ``elevation`` in degrees; ``distance_m``, ``lat``, ``lon``, ``height_m`` of the ground that stands highest,
            NaN where data do not know it. All are NaN where the eye has no ground. Azimuths are in the last axis.

        Examples
        --------
        >>> wall = np.where(np.arange(100) < 70, 0.0, 500.0) * np.ones((100, 1))
        >>> surface = orogen.Surface.open(wall, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
        >>> horizon = surface.horizon(46.04, 9.01, directions=4)
        >>> horizon.azimuth
        array([  0.,  90., 180., 270.])
        >>> float(horizon.elevation[1].round(1)), float(horizon.distance_m[1].round(-1))
        (20.4, 1430.0)
        """
        count = whole(directions, "directions", 1, 1 << 20)
        options = (count, single(eye_height, "eye_height"), single(refraction, "refraction"))

        def write(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.horizons(*places, options, written, told)

        places, axes = {"lat": lat, "lon": lon}, {"azimuth": count}
        found = ask_many(self, write, places, _HORIZON, 5, axes=axes, out=out, as_xarray=as_xarray, progress=progress)
        azimuth = 360.0 * np.arange(count) / count
        return _xarray.horizon(azimuth, *found) if is_xarray(found[0]) else Horizon(azimuth, *found)

    def horizons(
        self,
        bbox: Any = None,
        *,
        at: tuple[float, float] | None = None,
        radius: float | None = None,
        cell: float | None = None,
        directions: int = 64,
        eye_height: float = 0.0,
        refraction: float = 0.0,
        reach: float | None = None,
        chunks: int | tuple[int, int] | None = None,
        out: np.ndarray | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """The ground against the sky from each cell of a raster: ``orogen query horizons``. Ctrl-C ends it.

        Ground between the middles of cells is straight: what is nearer than a few cells is as rough as they are, and an eye on the
        ground of a slope may be degrees off. :meth:`horizon` is right to 0.001 degrees, place by place.

        Parameters
        ----------
        bbox : (west, south, east, north), optional
            The area, degrees. Without it and ``at``, it is that of the topmost data.
        at, radius : (lat, lon) and float, optional
            The middle of a square and half of its side in metres, instead.
        cell : float, optional
            Side of a cell, metres; the posting of the data in the middle, if not given.
        directions : int
            Evenly round the compass from the raster's north clockwise, 1 to 1024.
        eye_height : float
            Metres above the ground.
        refraction : float
            Curvature of light over that of the Earth, -1 to 0.9: 0.13 is usual by day.
        reach : float, optional
            How far beyond the area ground counts, metres; as far as any can rise into sight, if not given.
        chunks : int or (rows, columns), optional
            With it answers are dask arrays in such blocks. Blocks share the ground, which is read once, and are to the last bit those of
            the whole. Each block turns the ground of the whole into each direction: take large ones.
        out : numpy.ndarray of floats, optional
            Where the degrees are written, in the shape of azimuths, rows and columns; not with ``chunks``. The same arguments have the
            same rows and columns.
        as_xarray : bool, optional
            Whether the answer is a DataArray; if not given, it is where the surface was opened from one.
        progress : callable, tqdm bar or True, optional
            Hears ``(done, total)`` values.

        Returns
        -------
        Horizons or xarray.DataArray
            Degrees above level as float32, in the shape of azimuths, rows and columns; NaN where there are no data. Rows and columns are
            those of an azimuthal equidistant projection round the middle.

        Examples
        --------
        >>> hills = 300.0 * np.sin(np.arange(100.0) / 9.0) * np.ones((100, 1))
        >>> surface = orogen.Surface.open(hills, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
        >>> horizons = surface.horizons(at=(46.04, 9.02), radius=600, cell=60, directions=8)
        >>> horizons.elevation.shape, horizons.raster.shape
        ((8, 21, 21), (21, 21))
        """
        directions = whole(directions, "directions", 1, 1024)
        wanted = self._raster_as_xarray(as_xarray, out, chunks)
        cells = _Cells(self, bbox, at, radius, cell, (directions, eye_height, refraction, reach), chunks)
        elevation = cells.answer("horizons", (), (directions,), progress, out)
        azimuth = 360.0 * np.arange(directions) / directions
        if wanted:
            return _xarray.raster(self, cells.raster, {"horizon": (elevation, "degree")}, azimuth)["horizon"]
        return Horizons(azimuth, elevation, cells.raster)

    def skyview(
        self,
        lat: Any = None,
        lon: Any = None,
        out: np.ndarray | None = None,
        *,
        bbox: Any = None,
        at: tuple[float, float] | None = None,
        radius: float | None = None,
        cell: float | None = None,
        directions: int = 64,
        eye_height: float = 2.0,
        refraction: float = 0.0,
        reach: float | None = None,
        chunks: int | tuple[int, int] | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """How much of the sky the ground sees: of each cell of a raster, as ``orogen query skyview``, or of places.

        The share of the light of an even sky that reaches the ground as it slopes, under its horizon (Dozier and Frew 1990).

        Parameters
        ----------
        lat, lon : array_like, xarray.DataArray or dask array, optional
            Places, degrees: each by its exact horizon, which takes about a tenth of a second. Without them the answer is a raster.
        out : numpy.ndarray of floats, optional
            Where the answer is written, in the shape of the places, or of rows and columns; not with ``chunks``.
        bbox, at, radius, cell, directions, refraction, reach, chunks, as_xarray, progress
            As of `horizons`; ``bbox`` to ``cell``, ``reach`` and ``chunks`` are for rasters.
        eye_height : float
            Metres above the ground, where places look at the sky from. Cells of rasters do so from the ground.

        Returns
        -------
        Skyview, numpy.ndarray or xarray.DataArray
            0 to 1; NaN where data do not know how the ground slopes.

        Examples
        --------
        >>> hills = 300.0 * np.sin(np.arange(100.0) / 9.0) * np.ones((100, 1))
        >>> surface = orogen.Surface.open(hills, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
        >>> surface.skyview(at=(46.04, 9.02), radius=600, cell=60).factor.shape
        (21, 21)
        >>> surface.skyview(46.04, [9.018, 9.02], directions=16).round(2)
        array([0.75, 0.71])
        """
        directions = whole(directions, "directions", 1, 1024)
        eye_height = _metres(eye_height, "eye_height", 0.0, 1e6)
        if _of_places(lat, lon, bbox=bbox, at=at, radius=radius, cell=cell, reach=reach, chunks=chunks):
            options = (directions, eye_height, single(refraction, "refraction"))

            def write(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
                self._inner.sky_views(*places, options, written, told)

            places = {"lat": lat, "lon": lon}
            return ask_one(self, write, places, "sky view factor", "1", out=out, as_xarray=as_xarray, progress=progress)
        wanted = self._raster_as_xarray(as_xarray, out, chunks)
        cells = _Cells(self, bbox, at, radius, cell, (directions, 0.0, refraction, reach), chunks)
        factor = cells.answer("sky_views", (), (), progress, out)
        if wanted:
            return _xarray.raster(self, cells.raster, {"skyview": (factor, "1")})["skyview"]
        return Skyview(factor, cells.raster)

    def insolation(
        self,
        lat: Any = None,
        lon: Any = None,
        *,
        start: Any,
        end: Any,
        step: int = 10,
        turbidity: float = 3.0,
        bbox: Any = None,
        at: tuple[float, float] | None = None,
        radius: float | None = None,
        cell: float | None = None,
        directions: int = 64,
        eye_height: float = 2.0,
        refraction: float = 0.0,
        reach: float | None = None,
        chunks: int | tuple[int, int] | None = None,
        out: Sequence[np.ndarray | None] | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """Light on the ground between two times under a clear sky: of each cell of a raster, as ``orogen query insolation``, or of places.

        The sun by NREL's algorithm, the sky by Ineichen and Perez (2002); light from other ground and clouds are left out.

        Parameters
        ----------
        lat, lon : array_like, xarray.DataArray or dask array, optional
            Places, degrees. Without them the answer is a raster.
        start, end : str, datetime.datetime, datetime.date or numpy.datetime64
            Times like ``"2026-06-21T12:00:00Z"``; those without a zone are UTC. A day like ``"2026-06-21"`` is its first moment.
        step : int
            Minutes between places of the sun, 1 to 60.
        turbidity : float
            Linke turbidity of the air: 2 very clear, 3 clear, 5 hazy.
        bbox, at, radius, cell, directions, eye_height, refraction, reach, chunks, as_xarray, progress
            As of `skyview`.
        out : tuple of numpy.ndarray or None, optional
            Where ``total``, ``direct``, ``diffuse`` and ``sun_hours`` are written, floats, in the shape of the places, or of rows and
            columns; None for one that is made anew. Not with ``chunks``.

        Returns
        -------
        Insolation or xarray.Dataset
            ``total``, ``direct`` and ``diffuse`` in kWh on a square metre of the ground as it slopes, and ``sun_hours``; NaN where data
            do not know how the ground slopes.

        Examples
        --------
        >>> hills = 300.0 * np.sin(np.arange(100.0) / 9.0) * np.ones((100, 1))
        >>> surface = orogen.Surface.open(hills, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
        >>> light = surface.insolation(46.04, [9.018, 9.02], start="2026-06-21T00:00Z", end="2026-06-22T00:00Z", directions=16)
        >>> light.total.round(1), light.sun_hours.round(1)
        (array([6.3, 6.1]), array([8. , 8.7]))
        """
        directions = whole(directions, "directions", 1, 1024)
        span = [_unix_s(start, "start"), _unix_s(end, "end"), 60.0 * whole(step, "step", 1, 60)]
        turbidity = single(turbidity, "turbidity")
        eye_height = _metres(eye_height, "eye_height", 0.0, 1e6)
        if not span[0] < span[1]:
            raise ValueError(f"end={end!r} is not after start={start!r}")
        if not 1.0 <= turbidity <= 20.0:
            raise ValueError(f"turbidity={turbidity} is not from 1 to 20")
        if _of_places(lat, lon, bbox=bbox, at=at, radius=radius, cell=cell, reach=reach, chunks=chunks):
            options = (directions, eye_height, single(refraction, "refraction"))

            def write(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
                self._inner.insolations(*places, options, span, turbidity, written, told)

            places = {"lat": lat, "lon": lon}
            found = ask_many(self, write, places, _LIGHT, 3, out=out, as_xarray=as_xarray, progress=progress)
            return _xarray.dataset(self, found) if is_xarray(found[0]) else Insolation(*found)
        wanted = self._raster_as_xarray(as_xarray, out, chunks)
        cells = _Cells(self, bbox, at, radius, cell, (directions, 0.0, refraction, reach), chunks)
        fields = [field._replace(dtype=np.float32) for field in _LIGHT]
        results = None if out is None else rooms(out, cells.raster.shape, fields)
        bands = np.moveaxis(cells.answer("insolations", (span, turbidity), (3,), progress), 0, -1)
        if results is None:
            results = [field.of(bands) for field in fields]
        else:
            put(bands, fields, results)
        if wanted:
            named = {field.name: (values, field.units) for field, values in zip(fields, results, strict=True)}
            return _xarray.raster(self, cells.raster, named)
        total, direct, diffuse, hours = results
        return Insolation(total, direct, diffuse, hours, cells.raster)

    def sunlight(
        self,
        lat: Any,
        lon: Any,
        year: int,
        *,
        eye_height: float = 2.0,
        refraction: float = 0.13,
        out: Sequence[np.ndarray | None] | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """Sunrise, sunset and hours of sun over the real horizon through a year: ``orogen query sunlight``.

        Parameters
        ----------
        lat, lon : array_like, xarray.DataArray or dask array
            Places, degrees: each takes some seconds.
        year : int
            1 to 5998.
        eye_height : float
            Metres above the ground.
        refraction : float
            Curvature of light from the ground over that of the Earth, -1 to 1.
        out : tuple of numpy.ndarray or None, optional
            Where ``sunrise`` and ``sunset`` (datetime64[s]), ``sun_hours`` and ``level_hours`` (floats) are written; None for one that is
            made anew.
        as_xarray, progress
            As of `horizon`.

        Returns
        -------
        Sunlight or xarray.Dataset
            ``date``; ``sunrise`` and ``sunset`` in UTC to the second, NaT where the sun does not rise or set; ``sun_hours``;
            ``level_hours``, over a level horizon. Days are in the last axis. A day is that of the mean time at the place's longitude.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.zeros((9, 9)), transform=(0.01, 0, 8, 0, -0.01, 46), crs="EPSG:4326")
        >>> sun = surface.sunlight(45.95, 8.05, 2026)
        >>> sun.date[171], sun.sunrise[171]
        (np.datetime64('2026-06-21'), np.datetime64('2026-06-21T03:36:47'))
        """
        year = whole(year, "year", 1, 5998)
        date = np.arange(f"{year:04}-01-01", f"{year + 1:04}-01-01", dtype="datetime64[D]")
        options = (1, single(eye_height, "eye_height"), single(refraction, "refraction"))

        def write(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.sunlight(*places, options, year, date.size, written, told)

        places, axes = {"lat": lat, "lon": lon}, {"date": date.size}
        found = ask_many(self, write, places, _SUNLIGHT, 4, axes=axes, out=out, as_xarray=as_xarray, progress=progress)
        if is_xarray(found[0]):
            days = {found[0].dims[-1]: date.astype("datetime64[s]")}
            return _xarray.dataset(self, found).assign_coords(days)
        return Sunlight(date, *found)

    def _raster_as_xarray(self, as_xarray: bool | None, out: Any, chunks: Any = None) -> bool:
        """Whether a raster is to be a DataArray, as the surface was opened from one; neither that nor blocks go into an array."""
        wanted = self._kind == "xarray" if as_xarray is None else as_xarray
        if chunks is not None:
            no_out(out, "dask")
        if wanted:
            no_out(out, "xarray")
        return wanted


class _Cells:
    """A raster whose cells are asked, whole or block by block."""

    def __init__(
        self, surface: Any, bbox: Any, at: Any, radius: Any, cell: Any, options: tuple[Any, ...], chunks: Any
    ) -> None:
        self._surface = surface
        directions, eye_height, refraction, reach = options
        if reach is not None:
            reach = _metres(reach, "reach", 1.0, 1e7)
        self._options = (directions, single(eye_height, "eye_height"), single(refraction, "refraction"), reach)
        self._chunks = chunks
        self._recipe = self._grid(bbox, at, radius, cell)
        self._inner_grid = _made(*self._recipe)
        lat, lon, cell_m, rows, columns, convergence = self._inner_grid.facts()
        self.raster = Raster((rows, columns), cell_m, lat, lon, convergence)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_inner_grid"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._inner_grid = _made(*self._recipe)

    def _grid(self, bbox: Any, at: Any, radius: Any, cell: Any) -> tuple[str, tuple[Any, ...]]:
        """How the grid is made: a method of `Grid`, and its arguments."""
        surface = self._surface
        if (at is None) != (radius is None):
            raise ValueError("at=(lat, lon) and radius=metres go together")
        if at is not None and bbox is not None:
            raise ValueError("bbox= and at= exclude each other")
        if at is not None:
            lat, lon = numbers(at, "at", 2)
            radius = _metres(radius, "radius", 1.0, 1e7)
            make = lambda cell_m: ("around", (lat, lon, radius, cell_m))
        else:
            if bbox is None:
                west, south, east, north = surface.bounds
                if east - west >= 180.0:
                    raise ValueError("the data go round the Earth: give bbox=(west, south, east, north), or at=(lat, lon) and radius=")
                wrapped = lambda lon: (lon + 180.0) % 360.0 - 180.0 if abs(lon) > 180.0 else lon
                box = [wrapped(west), south, wrapped(east), north]
            else:
                box = numbers(bbox, "bbox", 4)
            make = lambda cell_m: ("covering", (box, cell_m))
        if cell is not None:
            return make(_metres(cell, "cell", 1e-3, 1e6))
        lat, lon, *_ = _made(*make(1e5)).facts()
        posting_m = surface._inner.posting_m(lat, lon)
        # Where there are no data in the middle, those of the top layer.
        return make(posting_m if posting_m < 1e6 else surface._layers[0]["posting_m"])

    def answer(
        self, method: str, more: tuple[Any, ...], axes: tuple[int, ...], progress: Any, out: np.ndarray | None = None
    ) -> Any:
        """What a method of the extension module answers of all cells, in the shape of axes, rows, columns."""
        rows, columns = self.raster.shape
        if self._chunks is not None:
            if progress is not None and progress is not False:
                raise ValueError("progress is for answers that are computed now: dask.diagnostics has bars for later ones")
            return self._by_blocks(method, more, axes)
        # What there is no room for is told before the ground is read.
        shape = (*axes, rows, columns)
        answer, written = room(_room(shape) if out is None else out, shape, [], np.float32)
        getattr(self._read(), method)([0, columns, 0, rows], *more, written, heard_by(progress))
        return settle(answer, written)

    def _read(self) -> Any:
        return self._surface._inner.cells(self._inner_grid, self._options)

    def _by_blocks(self, method: str, more: tuple[Any, ...], axes: tuple[int, ...]) -> Any:
        import dask
        import dask.array as da

        sizes = self._chunks if isinstance(self._chunks, tuple) else (self._chunks, self._chunks)
        if any(isinstance(size, (int, np.integer)) and size < 1 and size != -1 for size in sizes):
            raise ValueError(f"chunks={self._chunks!r} are no blocks: give one size, or (rows, columns)")
        try:
            chunks = da.core.normalize_chunks(sizes, self.raster.shape, dtype=np.float32)
        except (TypeError, ValueError, ZeroDivisionError) as error:
            raise ValueError(f"chunks={self._chunks!r} are no blocks: give one size, or (rows, columns)") from error
        ends = [np.concatenate([[0], np.cumsum(sizes)]).tolist() for sizes in chunks]
        cells = dask.delayed(self._read)()
        ask = dask.delayed(_asked)
        parts = [
            [
                da.from_delayed(
                    ask(cells, method, more, axes, (left, right, top, bottom)),
                    (*axes, bottom - top, right - left),
                    dtype=np.float32,
                )
                for left, right in zip(ends[1][:-1], ends[1][1:], strict=True)
            ]
            for top, bottom in zip(ends[0][:-1], ends[0][1:], strict=True)
        ]
        return da.concatenate([da.concatenate(row, axis=-1) for row in parts], axis=-2)


def _made(method: str, words: tuple[Any, ...]) -> Any:
    return getattr(_orogen.Grid, method)(*words)


def _room(shape: tuple[int, ...]) -> np.ndarray:
    """Room for values of cells, whose rows and columns are the last axes."""
    try:
        return np.empty(shape, dtype=np.float32)
    except MemoryError:
        mib, cells = 4 * math.prod(shape) >> 20, shape[-2] * shape[-1]
        raise MemoryError(f"no {mib} MiB of memory for {cells} cells: take larger cells, or a smaller area") from None


def _asked(cells: Any, method: str, more: Any, axes: Any, window: tuple[int, ...]) -> np.ndarray:
    left, right, top, bottom = window
    answer = _room((*axes, bottom - top, right - left))
    getattr(cells, method)(list(window), *more, answer.reshape(-1), None)
    return answer


def _times(k: int) -> Callable[[np.ndarray], np.ndarray]:
    """Times of a column of seconds since 1970; NaN is none."""

    def of(rows: np.ndarray) -> np.ndarray:
        missing = np.isnan(rows[..., k])
        seconds = np.where(missing, 0.0, rows[..., k]).astype("datetime64[s]")
        return np.where(missing, np.datetime64("NaT"), seconds)

    return of


_HORIZON = [column(0, "elevation", "degree"), *point(1)]
_LIGHT = [
    Field("total", "kWh m-2", lambda rows: rows[..., 0] + rows[..., 1]),
    column(0, "direct", "kWh m-2"),
    column(1, "diffuse", "kWh m-2"),
    column(2, "sun_hours", "h"),
]
_SUNLIGHT = [
    Field("sunrise", None, _times(0), np.dtype("datetime64[s]")),
    Field("sunset", None, _times(1), np.dtype("datetime64[s]")),
    column(2, "sun_hours", "h"),
    column(3, "level_hours", "h"),
]


def _of_places(lat: Any, lon: Any, **of_rasters: Any) -> bool:
    """Whether places are asked, and not a raster."""
    if lat is None and lon is None:
        return False
    if lat is None or lon is None:
        raise ValueError("lat and lon go together; without both the answer is a raster")
    for name in (name for name, value in of_rasters.items() if value is not None):
        raise ValueError(f"{name}= is for rasters: leave out lat and lon, or {name}")
    return True


def _metres(value: Any, name: str, low: float, high: float) -> float:
    array = number(value, name)
    if array.ndim != 0 or not low <= array <= high:
        raise ValueError(f"{name}={value!r} is not from {low:g} to {high:g} m")
    return float(array)


def plain_time(time: Any) -> Any:
    """A time without an array around it; a day is its first moment."""
    if getattr(time, "shape", None) == ():
        time = np.asarray(time)[()]
    is_day = isinstance(time, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", time) or type(time) is datetime.date
    return np.datetime64(time) if is_day else time


def _unix_s(time: Any, name: str) -> float:
    """Seconds since 1970; times without a zone are UTC."""
    time = plain_time(time)
    if isinstance(time, str):
        return _orogen.unix_s(time)
    if isinstance(time, np.datetime64):
        if np.isnat(time):
            raise ValueError(f"{name}={time!r} is no time")
        return float(time.astype("datetime64[us]").astype(np.int64)) / 1e6
    if isinstance(time, datetime.datetime):
        aware = time if time.tzinfo is not None else time.replace(tzinfo=datetime.timezone.utc)
        return aware.timestamp()
    raise TypeError(f'{name}={time!r} is no time: give one like "2026-06-21T12:00:00Z", a datetime or a numpy.datetime64')
