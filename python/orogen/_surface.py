"""What is the ground at a place, along a line, round an eye? The class ``Surface``."""

from __future__ import annotations

import copy
import os
import re
import uuid
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from . import _orogen, _xarray
from ._answers import Hits, Profile, Provenance, Sights, Viewshed
from ._arrays import fits, is_xarray, number, settle, single, whole
from ._mesh import Meshes
from ._picture import Pictures
from ._places import Field, ask_many, ask_one, column, point
from ._progress import heard_by
from ._sky import Sky
from ._source import described, raster_of
from ._studio import Views


class SurfaceWarning(UserWarning):
    """What looks wrong with elevation data."""


class Surface(Sky, Meshes, Pictures, Views):
    """The surface of the Earth from elevation data.

    Places are latitudes and longitudes in degrees on WGS 84, heights are metres above the datum of the data. Arguments broadcast
    as numpy's do; DataArrays pair by the names of their dimensions, and plain arrays beside them follow the order of these. Masked
    places are NaN. Where the data have no height, and nothing lies below them, answers are NaN. Between the samples that the data
    have, the surface is a cubic patch within the range of its four samples.

    What ``out`` gives has the shape of the answer, and its dtype; floats may have any width. Several arrays are given as a tuple in the
    order of the answer, as `numpy.divmod` has it. They may be of any layout, and those of the question, but not share memory among
    themselves. The answer has these very arrays. Where one does not fit, nothing is written.

    A surface is immutable: any thread may ask it, and calls use all cores without Python's lock.

    Examples
    --------
    >>> import numpy as np
    >>> import orogen
    >>> dem = np.array([[10, 20, 30], [40, 50, 60]], dtype="int16")
    >>> surface = orogen.Surface.open(dem, transform=(0.001, 0, 7.0, 0, -0.001, 46.0), crs="EPSG:4326")
    >>> surface.heights(45.9995, [7.0005, 7.0015, 8.0])
    array([10., 20., nan])
    """

    def __init__(self, inner: Any, kind: str, reopen: tuple[Any, tuple[Any, ...]] | None = None):
        self._inner = inner
        self._kind = kind
        self._reopen = reopen
        self._token = uuid.uuid4().hex
        self._layers = [layer | {"bounds": _eastward(*layer["bounds"])} for layer in inner.layers()]

    @classmethod
    def open(
        cls,
        source: Any,
        *,
        transform: Any = None,
        crs: Any = None,
        nodata: float | None = None,
        unit: str | float | None = None,
        below: Surface | None = None,
        feather: int | None = None,
        valid_range: tuple[float, float] | None = None,
        water: bool = True,
    ) -> Surface:
        """Open elevation data.

        NaN, masked values and ``nodata`` are voids. Voids up to 16 samples wide are filled from the heights around them. Into wider ones
        and beyond the edges, heights are continued over ``feather`` samples while they go over to those of ``below``; without ``below``
        there are none. `provenance` tells it: ``filled``, and ``share`` where two layers are blended.

        Parameters
        ----------
        source : path, numpy.ndarray, xarray.DataArray or rasterio dataset
            A pack of tiles by its path, or by its address on a server that gives parts of files (``https://example.org/alps.pack``)
            or on object storage (``s3://bucket/alps.pack``, with keys, region and endpoint from the variables ``AWS_...``);
            a raster by its path where the package is built with GDAL (``orogen.has_gdal()``); an array
            of two dimensions; a DataArray of rioxarray or with coordinates; an open dataset of rasterio, of which band 1 is read.
            Values are copied.
        transform : affine.Affine or six numbers, optional
            ``x = a*column + b*row + c``, ``y = d*column + e*row + f`` at the corners of pixels. Needed for plain arrays.
        crs : anything that pyproj.CRS takes, optional
            Of x and y. Needed for plain arrays.
        nodata : float, optional
            Value that stands for no height, before scale and offset; NaN always does.
        unit : str or float, optional
            Unit of the values, like ``"ft"``, or its metres. Without it the attribute ``units`` counts, then the CRS, then metres.
        below : Surface, optional
            What answers where the data have no height.
        feather : int, optional
            Samples over which the data go over to what is below, 1 to 63; as many as 3 km have, if not given.
        valid_range : (low, high), optional
            Heights outside of it, in metres, are taken as no data; -16000 to 16000 if not given.
        water : bool
            Whether rays, lines of sight, viewsheds, horizons and light end at the surface of the sea, by the coasts that ship. If not, and
            for heights, slopes, profiles and meshes in any case, the ground is the floor of the sea where the data have it.

        Returns
        -------
        Surface

        Raises
        ------
        ValueError, TypeError, OSError
            With the reason and the way out.
        """
        if below is not None and not isinstance(below, Surface):
            raise TypeError(f"below is a {type(below).__name__}, not a Surface: open it first")
        if feather is not None:
            feather = whole(feather, "feather", 1, 63)
        if valid_range is not None:
            valid_range = _range(valid_range)
        water = bool(water)
        unit_m = _metres(unit)
        if isinstance(source, (str, os.PathLike)):
            path = os.fspath(source)
            given = {"transform": transform, "crs": crs, "below": below}
            for name in (name for name, value in given.items() if value is not None):
                raise ValueError(f"{name} is for arrays: {path} says itself where it lies, and covers the Earth")
            inner = _orogen.Surface.of_files([path], nodata, unit_m, feather, valid_range, water)
            again = partial(cls.open, nodata=nodata, unit=unit, feather=feather, valid_range=valid_range, water=water)
            return cls(inner, "numpy", (again, (path,)))
        raster, kind = raster_of(source, transform, crs, nodata)
        beneath = None if below is None else below._inner
        is_known = True
        if unit_m is None and raster.unit is not None:
            unit_m = _orogen.metres_per_unit(raster.unit)
            is_known = unit_m is not None
        inner = _orogen.Surface.of_array(raster.values, described(raster, feather, unit_m, valid_range), beneath, water)
        surface = cls(inner, kind)
        _, south, _, north = surface.bounds
        if not south < north:
            raise ValueError(
                f"the array lies beyond the poles, at latitudes from {south:g}: its transform and its CRS {raster.crs.name} do not "
                "go together, or x and y are exchanged"
            )
        if not is_known:
            said = f"its unit {raster.unit!r} is no known length: heights are taken as metres; unit='m' says that they are"
            warnings.warn(f"{raster.name}: {said}", SurfaceWarning, stacklevel=2)
        above, others = surface._layers[0]["datum"], [] if below is None else [layer["datum"] for layer in below._layers]
        steps = [other for other in others if "not stated" not in (above, other) and ("ellipsoid" in above) != ("ellipsoid" in other)]
        if steps:
            said = f"its heights are above the {above}, those below it above the {steps[0]}: the step between them is not the ground's"
            warnings.warn(f"{raster.name}: {said}", SurfaceWarning, stacklevel=2)
        for remark in surface._layers[0]["remarks"]:
            warnings.warn(f"{raster.name}: {_in_python(remark)}", SurfaceWarning, stacklevel=2)
        return surface

    @classmethod
    def earth(cls) -> Surface:
        """The relief of the whole Earth that ships: land and sea floor every 5 minutes of arc (ETOPO5), without a file.

        Returns
        -------
        Surface

        Examples
        --------
        >>> import orogen
        >>> earth = orogen.Surface.earth()
        >>> earth.heights([27.99, 11.35], [86.93, 142.2]).round()
        array([ 6070., -9908.])
        """
        return cls(_orogen.Surface.of_files([]), "numpy", (cls.earth, ()))

    @property
    def layers(self) -> list[dict[str, Any]]:
        """What is known of each layer, the first on top: name, crs, datum, shape, posting_m, bounds, range_m and more."""
        return copy.deepcopy(self._layers)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north of the topmost data in degrees; east exceeds 180 where they cross that meridian.

        They are those of whole pixels. Heights end at the middles of the outermost pixels, half a pixel before.
        """
        return tuple(self._layers[0]["bounds"])

    def __repr__(self) -> str:
        top = self._layers[0]
        west, south, east, north = top["bounds"]
        more = f", {len(self._layers) - 1} layers below" if len(self._layers) > 1 else ""
        return (
            f"<orogen.Surface {top['name']}: {top['posting_m']:.4g} m, {south:.4f} to {north:.4f} N, {west:.4f} to "
            f"{east:.4f} E, datum {top['datum']}{more}>"
        )

    def __reduce__(self) -> Any:
        if self._reopen is None:
            raise TypeError("a Surface of an array cannot be pickled: open it in each process, or give a pack, which can")
        return self._reopen

    def __copy__(self) -> Surface:
        return self

    def __deepcopy__(self, memo: Any) -> Surface:
        return self

    def __dask_tokenize__(self) -> str:
        return self._token

    def heights(
        self, lat: Any, lon: Any, out: np.ndarray | None = None, *, as_xarray: bool | None = None, progress: Any = None
    ) -> Any:
        """Heights of the ground.

        Parameters
        ----------
        lat, lon : array_like, xarray.DataArray or dask array
            Degrees. Of dask arrays the answer is one, computed block by block.
        out : numpy.ndarray of floats, optional
            Where the answer is written.
        as_xarray : bool, optional
            Whether the answer is a DataArray; if not given, it is where ``lat`` or ``lon`` are.
        progress : callable, tqdm bar or True, optional
            Hears ``(done, total)``.

        Returns
        -------
        numpy.ndarray or xarray.DataArray
            Metres above the datum; NaN where there are no data, as in the outer half of the outermost pixels.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> surface.heights([[0.5], [1.5]], [0.5, 1.5]).shape
        (2, 2)
        """

        def write(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.heights(*places, written, told)

        places = {"lat": lat, "lon": lon}
        return ask_one(self, write, places, "height", "m", out=out, as_xarray=as_xarray, progress=progress)

    def slope(
        self,
        lat: Any,
        lon: Any,
        out: np.ndarray | None = None,
        *,
        rule: str = "central",
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """Angle between the ground and the horizontal.

        Parameters
        ----------
        lat, lon, out, as_xarray, progress
            As of `heights`.
        rule : {"central", "horn"}
            Central differences of the surface over half a posting to each side, or Horn (1981) over the 3 x 3 postings around, as
            ``gdaldem slope`` has it.

        Returns
        -------
        numpy.ndarray or xarray.DataArray
            Degrees; NaN where a height that is needed is not known.

        Examples
        --------
        >>> plane = np.add.outer(np.arange(5.0) * 30.0, np.arange(5.0))
        >>> surface = orogen.Surface.open(plane, transform=(30, 0, 500000, 0, -30, 5000000), crs="EPSG:32632")
        >>> float(surface.slope(45.15265, 9.00096).round())
        45.0
        """
        return self._grounds("slope", rule, lat, lon, out, as_xarray, progress, "slope", "degree")

    def aspect(
        self,
        lat: Any,
        lon: Any,
        out: np.ndarray | None = None,
        *,
        rule: str = "central",
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """Direction of steepest descent, in degrees clockwise from north; NaN where the ground is level. Parameters as of `slope`."""
        return self._grounds("aspect", rule, lat, lon, out, as_xarray, progress, "aspect", "degree")

    def normals(
        self,
        lat: Any,
        lon: Any,
        out: np.ndarray | None = None,
        *,
        frame: str = "enu",
        rule: str = "central",
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """Unit normals of the ground, in a last axis of three.

        Parameters
        ----------
        lat, lon, out, rule, as_xarray, progress
            As of `slope`.
        frame : {"enu", "ecef"}
            East, north and up at the place, or x, y and z of the Earth-centred system.

        Returns
        -------
        numpy.ndarray or xarray.DataArray
            Of the shape ``(..., 3)``.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> surface.normals(1.5, 1.5).round(6) + 0.0
        array([0., 0., 1.])
        """
        if frame not in ("enu", "ecef"):
            raise ValueError(f"no frame is {frame!r}: choose enu or ecef")
        return self._grounds(frame, rule, lat, lon, out, as_xarray, progress, "normal", "1")

    def provenance(
        self, lat: Any, lon: Any, *, out: Sequence[np.ndarray | None] | None = None, as_xarray: bool | None = None
    ) -> Any:
        """Where heights come from.

        Parameters
        ----------
        lat, lon : array_like, xarray.DataArray or dask array
            Degrees. Of dask arrays the answers are such, computed block by block.
        out : tuple of numpy.ndarray or None, optional
            Where ``layer`` (int64), ``share``, ``posting_m`` (floats) and ``filled`` (bool) are written; None for one that is made
            anew.
        as_xarray : bool, optional
            Whether the answer is a Dataset; if not given, it is where ``lat`` or ``lon`` are DataArrays.

        Returns
        -------
        Provenance or xarray.Dataset
            ``layer``: index into `layers`, -1 where there are no data; ``share`` of that layer in the height, 1 where it answers
            alone; ``posting_m``; ``filled``: whether a sample beside the place is filled. ``names`` and ``datum`` of each layer, which
            are attributes of a Dataset.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> surface.provenance(1.5, [1.5, 50.0]).layer
        array([ 0, -1])
        """

        def write(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.provenance(*places, written)

        found = ask_many(self, write, {"lat": lat, "lon": lon}, _PROVENANCE, 4, out=out, as_xarray=as_xarray)
        layers: dict[str, Any] = {
            "names": [layer["name"] for layer in self._layers],
            "datum": [layer["datum"] for layer in self._layers],
        }
        return _xarray.dataset(self, found, **layers) if is_xarray(found[0]) else Provenance(*found, **layers)

    def profile(
        self,
        lat1: Any,
        lon1: Any,
        lat2: Any,
        lon2: Any,
        samples: int = 256,
        *,
        out: Sequence[np.ndarray | None] | None = None,
        as_xarray: bool | None = None,
    ) -> Any:
        """Heights along geodesics.

        Parameters
        ----------
        lat1, lon1, lat2, lon2 : array_like, xarray.DataArray or dask array
            Both ends, degrees. Of dask arrays the answers are such, computed block by block.
        samples : int
            Evenly spaced places, both ends among them.
        out : tuple of numpy.ndarray or None, optional
            Where ``distance_m``, ``lat``, ``lon`` and ``height_m`` are written, floats; None for one that is made anew.
        as_xarray : bool, optional
            Whether the answer is a DataArray; if not given, it is where an end is.

        Returns
        -------
        Profile or xarray.DataArray
            ``distance_m``, ``lat``, ``lon`` and ``height_m``, metres and degrees, with a last axis of the samples. A DataArray has
            heights, and the others as coordinates.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> profile = surface.profile(0.5, 0.5, 2.5, 2.5, samples=3)
        >>> profile.distance_m.round(-3), profile.height_m.round(6)
        (array([     0., 157000., 314000.]), array([1., 1., 1.]))
        """
        samples = whole(samples, "samples", 2)

        def write(ends: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.profiles(ends, samples, written)

        ends = {"lat1": lat1, "lon1": lon1, "lat2": lat2, "lon2": lon2}
        found = ask_many(self, write, ends, point(0), 4, axes={"sample": samples}, out=out, as_xarray=as_xarray)
        return _xarray.profile(*found) if is_xarray(found[0]) else Profile(*found)

    def ray(
        self,
        lat: Any,
        lon: Any,
        height: Any,
        heading: Any,
        pitch: Any,
        *,
        reach: Any = 100_000.0,
        above_ground: bool = False,
        out: Sequence[np.ndarray | None] | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """Where rays meet the ground. No ridge is stepped over, however narrow.

        Parameters
        ----------
        lat, lon : array_like, xarray.DataArray or dask array
            Where rays start, degrees. Of dask arrays the answers are such, computed block by block.
        height : array_like
            Metres above the datum, or above the ground if ``above_ground``.
        heading, pitch : array_like
            Degrees clockwise from north, and above the horizontal, from -90 to 90.
        reach : array_like
            How far rays go, metres; infinity for no limit.
        out : tuple of numpy.ndarray or None, optional
            Where ``distance_m``, ``lat``, ``lon`` and ``height_m`` are written, floats; None for one that is made anew.
        as_xarray : bool, optional
            Whether the answer is a Dataset; if not given, it is where an argument is a DataArray.
        progress : callable, tqdm bar or True, optional
            Hears ``(done, total)``.

        Returns
        -------
        Hits or xarray.Dataset
            ``distance_m``, ``lat``, ``lon``, ``height_m``, metres and degrees; NaN where a ray meets nothing within ``reach`` that data
            know. In a Dataset ``lat`` and ``lon`` are where rays start, ``point_lat`` and ``point_lon`` where they end.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> float(surface.ray(1.5, 1.5, 101.0, 0, -90).distance_m.round(3))
        100.0

        As of `numpy.divmod`, ``out`` has an array for each part of the answer:

        >>> distance_m = np.empty(2)
        >>> hits = surface.ray(1.5, [1.5, 1.6], 101.0, 0, -90, out=(distance_m, None, None, None))
        >>> hits.distance_m is distance_m, distance_m.round(3)
        (True, array([100., 100.]))
        """

        def write(arguments: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            if np.any(np.abs(arguments[4]) > 90.0):
                raise ValueError("pitch beyond 90 degrees: -90 is straight down, 90 straight up")
            if np.any(arguments[5] < 0.0) or (np.ndim(reach) == 0 and np.isnan(arguments[5]).any()):
                raise ValueError(f"reach={reach!r} is not how far a ray goes: give metres, 0 or more, or infinity")
            arguments[5] = np.minimum(arguments[5], np.finfo(np.float64).max)
            self._inner.rays(arguments, bool(above_ground), written, told)

        rays = {"lat": lat, "lon": lon, "height": height, "heading": heading, "pitch": pitch, "reach": reach}
        found = ask_many(self, write, rays, point(0), 4, out=out, as_xarray=as_xarray, progress=progress)
        return _xarray.dataset(self, found) if is_xarray(found[0]) else Hits(*found)

    def sight(
        self,
        lat1: Any,
        lon1: Any,
        lat2: Any,
        lon2: Any,
        *,
        eye_height: Any = 2.0,
        target_height: Any = 0.0,
        refraction: float = 0.0,
        out: Sequence[np.ndarray | None] | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """Whether places see each other, and what stands between.

        Parameters
        ----------
        lat1, lon1, lat2, lon2 : array_like, xarray.DataArray or dask array
            Eyes and targets, degrees. Of dask arrays the answers are such, computed block by block.
        eye_height, target_height : array_like
            Metres above the ground.
        refraction : float
            Curvature of light over that of the Earth: 0 for none, 0.13 for light, 0.25 for radio.
        out : tuple of numpy.ndarray or None, optional
            Where ``visible`` (bool), ``distance_m``, ``lat``, ``lon`` and ``height_m`` (floats) are written; None for one that is
            made anew.
        as_xarray, progress
            As of `ray`.

        Returns
        -------
        Sights or xarray.Dataset
            ``visible``, false where an end has no data; ``distance_m`` from the eye, ``lat``, ``lon`` and ``height_m`` of the first
            obstacle, metres and degrees, NaN where there is none; ``point_lat`` and ``point_lon`` in a Dataset.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> surface.sight(1.5, 1.5, 1.5, [1.501, 2.4]).visible
        array([ True, False])
        """
        refraction = single(refraction, "refraction")
        if not -1.0 <= refraction <= 1.0:
            raise ValueError(f"refraction={refraction} is not from -1 to 1")

        def write(arguments: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.sights(arguments, refraction, written, told)

        ends = {"lat1": lat1, "lon1": lon1, "lat2": lat2, "lon2": lon2}
        lines = ends | {"eye_height": eye_height, "target_height": target_height}
        found = ask_many(self, write, lines, _SIGHT, 5, out=out, as_xarray=as_xarray, progress=progress)
        return _xarray.dataset(self, found) if is_xarray(found[0]) else Sights(*found)

    def viewshed(
        self,
        lat: float,
        lon: float,
        radius: float,
        *,
        eye_height: float = 2.0,
        target_height: float = 0.0,
        cell: float | None = None,
        refraction: float = 0.0,
        out: np.ndarray | None = None,
        as_xarray: bool | None = None,
        progress: Any = None,
    ) -> Any:
        """What an eye sees of the ground round it, on the round Earth. Ctrl-C ends it.

        Parameters
        ----------
        lat, lon : float
            The eye, degrees.
        radius : float
            Metres.
        eye_height, target_height : float
            Metres above the ground.
        cell : float, optional
            Side of a cell, metres; the posting at the eye, if not given.
        refraction : float
            Curvature of light over that of the Earth: 0 for none, 0.13 for light, 0.25 for radio.
        out : numpy.ndarray of uint8, optional
            Where the cells are written: ``2 * floor(radius / cell) + 1`` rows and as many columns.
        as_xarray : bool, optional
            Whether the answer is a DataArray; if not given, it is where the surface was opened from one.
        progress : callable, tqdm bar or True, optional
            Hears ``(done, total)`` rows.

        Returns
        -------
        Viewshed or xarray.DataArray
            Cells of uint8, 1 seen, 0 hidden, 255 beyond the radius or without data, in the azimuthal equidistant projection round
            the eye, northernmost row first.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> shed = surface.viewshed(1.5, 1.5, 1000, cell=500)
        >>> shed.cells
        array([[255, 255,   1, 255, 255],
               [255,   1,   1,   1, 255],
               [  1,   1,   1,   1,   1],
               [255,   1,   1,   1, 255],
               [255, 255,   1, 255, 255]], dtype=uint8)
        """
        lat, lon, radius = single(lat, "lat"), single(lon, "lon"), single(radius, "radius")
        cell = None if cell is None else single(cell, "cell")
        wanted = self._raster_as_xarray(as_xarray, out)
        if out is not None:
            self._check_cells(out, lat, lon, radius, cell)
        cells, cell_m, eye_m = self._inner.viewshed(
            lat,
            lon,
            radius,
            single(eye_height, "eye_height"),
            single(target_height, "target_height"),
            cell,
            single(refraction, "refraction"),
            heard_by(progress),
        )
        shed = Viewshed(cells if out is None else settle(out, cells), cell_m, lat, lon, eye_m)
        return _xarray.viewshed(self, shed) if wanted else shed

    def _check_cells(self, out: Any, lat: float, lon: float, radius: float, cell: float | None) -> None:
        """Refuses what is no room for the cells of a viewshed, before they are looked at."""
        cell = self.provenance(lat, lon).posting_m if cell is None else cell
        with np.errstate(all="ignore"):
            half = np.floor(np.divide(radius, cell))
        # Of no viewshed at all the reason is told elsewhere.
        if 1.0 <= half < np.inf:
            fits(out, (2 * int(half) + 1,) * 2, np.uint8)

    def _grounds(
        self, what: str, rule: str, lat: Any, lon: Any, out: Any, as_xarray: Any, progress: Any, name: str, units: str
    ) -> Any:
        def write(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.grounds(what, rule, *places, written, told)

        places, axes = {"lat": lat, "lon": lon}, {"axis": 3} if what in ("enu", "ecef") else None
        return ask_one(self, write, places, name, units, axes=axes, out=out, as_xarray=as_xarray, progress=progress)


def _layer(rows: np.ndarray) -> np.ndarray:
    """Indices, -1 for none."""
    return np.where(np.isnan(rows[..., 0]), -1.0, rows[..., 0])


_PROVENANCE = [
    Field("layer", "1", _layer, np.int64),
    column(1, "share", "1"),
    column(2, "posting_m", "m"),
    Field("filled", "1", lambda rows: rows[..., 3] == 1.0, np.bool_),
]
_SIGHT = [Field("visible", "1", lambda rows: rows[..., 0] == 1.0, np.bool_), *point(1)]


def _metres(unit: str | float | None) -> float | None:
    if unit is None:
        return None
    metres = _orogen.metres_per_unit(str(unit))
    if metres is None:
        raise ValueError(f'unit={unit!r} is not known: give "m", "ft", "us-ft", or its metres')
    return metres


def _range(values: Any) -> tuple[float, float]:
    """Two heights, the lower one first."""
    array = number(values, "valid_range")
    if array.shape != (2,) or not array[0] <= array[1]:
        raise ValueError(f"valid_range={values!r} is not (low, high) in metres")
    return float(array[0]), float(array[1])


def _eastward(west: float, south: float, east: float, north: float) -> tuple[float, float, float, float]:
    """Bounds with west from -180 up to 180, unless they go round the Earth."""
    turns = 360.0 * ((west + 180.0) // 360.0) if east - west < 359.0 else 0.0
    return west - turns, south, east - turns, north


def _in_python(remark: str) -> str:
    """A remark of the library with its options as arguments of `Surface.open`."""
    remark = re.sub(r" or `gdal_edit\.py[^`]*`", "", remark)
    remark = re.sub(r"`--(\w+) (-?[0-9.]+)`", r"`\1=\2`", remark)
    remark = re.sub(r"`?--(\w+) ([\w:]+)`?", r'`\1="\2"`', remark)
    return re.sub(r"`--(\w+)`", r"`\1=`", remark)
