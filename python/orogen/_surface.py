"""What is the ground at a place, along a line, round an eye? The class ``Surface``."""

from __future__ import annotations

import copy
import os
import re
import uuid
import warnings
from functools import partial
from typing import Any

import numpy as np

from . import _orogen, _xarray
from ._answers import Hits, Profile, Provenance, Sights, Viewshed
from ._arrays import broadcast, by_name, is_dask, is_xarray, number, room, settle, single, whole
from ._mesh import Meshes
from ._picture import Pictures
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

        def answer(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.heights(*places, written, told)

        return self._at_places(answer, lat, lon, out, as_xarray, progress, "height", "m", {})

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
        """Direction of steepest descent, in degrees clockwise from north; 0 where the ground is level. Parameters as of `slope`."""
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

    def provenance(self, lat: Any, lon: Any) -> Provenance:
        """Where heights come from.

        Returns
        -------
        Provenance
            ``layer``: index into `layers`, -1 where there are no data; ``share`` of that layer in the height, 1 where it answers
            alone; ``posting_m``; ``filled``: whether a sample beside the place is filled; ``datum`` of each layer.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> surface.provenance(1.5, [1.5, 50.0]).layer
        array([ 0, -1])
        """
        shape, places = broadcast(lat=lat, lon=lon)
        rows = np.empty((places[0].size, 4))
        self._inner.provenance(*places, rows.reshape(-1))
        known = ~np.isnan(rows[:, 0])
        return Provenance(
            layer=np.where(known, rows[:, 0], -1).astype(np.int64).reshape(shape),
            share=rows[:, 1].reshape(shape),
            posting_m=rows[:, 2].reshape(shape),
            filled=(rows[:, 3] == 1).reshape(shape),
            names=[layer["name"] for layer in self._layers],
            datum=[layer["datum"] for layer in self._layers],
        )

    def profile(
        self, lat1: Any, lon1: Any, lat2: Any, lon2: Any, samples: int = 256, *, as_xarray: bool = False
    ) -> Any:
        """Heights along geodesics.

        Parameters
        ----------
        lat1, lon1, lat2, lon2 : array_like
            Both ends, degrees.
        samples : int
            Evenly spaced places, both ends among them.

        Returns
        -------
        Profile or xarray.DataArray
            ``distance_m``, ``lat``, ``lon`` and ``height_m`` with a last axis of the samples.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> profile = surface.profile(0.5, 0.5, 2.5, 2.5, samples=3)
        >>> profile.distance_m.round(-3), profile.height_m.round(6)
        (array([     0., 157000., 314000.]), array([1., 1., 1.]))
        """
        named = by_name({"lat1": lat1, "lon1": lon1, "lat2": lat2, "lon2": lon2})
        shape, ends = broadcast(**named)
        samples = whole(samples, "samples", 2)
        rows = np.empty((*shape, samples, 4))
        self._inner.profiles(ends, samples, rows.reshape(-1))
        profile = Profile(*(np.ascontiguousarray(rows[..., k]) for k in range(4)))
        if not as_xarray:
            return profile
        # An argument with all dimensions names them.
        return _xarray.profile(self, profile, next((one for one in named.values() if is_xarray(one) and one.shape == shape), None))

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
        progress: Any = None,
    ) -> Hits:
        """Where rays meet the ground. No ridge is stepped over, however narrow.

        Parameters
        ----------
        lat, lon : array_like
            Where rays start, degrees.
        height : array_like
            Metres above the datum, or above the ground if ``above_ground``.
        heading, pitch : array_like
            Degrees clockwise from north, and above the horizontal, from -90 to 90.
        reach : array_like
            How far rays go, metres; infinity for no limit.

        Returns
        -------
        Hits
            ``distance_m``, ``lat``, ``lon``, ``height_m``; NaN where a ray meets nothing within ``reach`` that data know.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> float(surface.ray(1.5, 1.5, 101.0, 0, -90).distance_m.round(3))
        100.0
        """
        shape, arguments = broadcast(lat=lat, lon=lon, height=height, heading=heading, pitch=pitch, reach=reach)
        if np.any(np.abs(arguments[4]) > 90.0):
            raise ValueError("pitch beyond 90 degrees: -90 is straight down, 90 straight up")
        if np.any(arguments[5] < 0.0) or (np.ndim(reach) == 0 and np.isnan(arguments[5]).any()):
            raise ValueError(f"reach={reach!r} is not how far a ray goes: give metres, 0 or more, or infinity")
        arguments[5] = np.minimum(arguments[5], np.finfo(np.float64).max)
        rows = np.empty((*shape, 4))
        self._inner.rays(arguments, bool(above_ground), rows.reshape(-1), heard_by(progress))
        return Hits(*(rows[..., k].copy() for k in range(4)))

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
        progress: Any = None,
    ) -> Sights:
        """Whether places see each other, and what stands between.

        Parameters
        ----------
        lat1, lon1, lat2, lon2 : array_like
            Eyes and targets, degrees.
        eye_height, target_height : array_like
            Metres above the ground.
        refraction : float
            Curvature of light over that of the Earth: 0 for none, 0.13 for light, 0.25 for radio.

        Returns
        -------
        Sights
            ``visible``, false where an end has no data; ``distance_m``, ``lat``, ``lon`` and ``height_m`` of the first obstacle, NaN
            where there is none.

        Examples
        --------
        >>> surface = orogen.Surface.open(np.ones((3, 3)), transform=(1, 0, 0, 0, -1, 3), crs="EPSG:4326")
        >>> surface.sight(1.5, 1.5, 1.5, [1.501, 2.4]).visible
        array([ True, False])
        """
        refraction = single(refraction, "refraction")
        if not -1.0 <= refraction <= 1.0:
            raise ValueError(f"refraction={refraction} is not from -1 to 1")
        shape, arguments = broadcast(
            lat1=lat1, lon1=lon1, lat2=lat2, lon2=lon2, eye_height=eye_height, target_height=target_height
        )
        rows = np.empty((*shape, 5))
        self._inner.sights(arguments, refraction, rows.reshape(-1), heard_by(progress))
        return Sights(rows[..., 0] == 1, *(rows[..., k].copy() for k in range(1, 5)))

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
        lat, lon = single(lat, "lat"), single(lon, "lon")
        cells, cell_m, eye_m = self._inner.viewshed(
            lat,
            lon,
            single(radius, "radius"),
            single(eye_height, "eye_height"),
            single(target_height, "target_height"),
            None if cell is None else single(cell, "cell"),
            single(refraction, "refraction"),
            heard_by(progress),
        )
        shed = Viewshed(cells, cell_m, lat, lon, eye_m)
        wanted = self._kind == "xarray" if as_xarray is None else as_xarray
        return _xarray.viewshed(self, shed) if wanted else shed

    def _grounds(
        self, what: str, rule: str, lat: Any, lon: Any, out: Any, as_xarray: Any, progress: Any, name: str, units: str
    ) -> Any:
        def answer(places: list[np.ndarray], written: np.ndarray, told: Any) -> None:
            self._inner.grounds(what, rule, *places, written, told)

        axes = {"axis": 3} if what in ("enu", "ecef") else {}
        return self._at_places(answer, lat, lon, out, as_xarray, progress, name, units, axes)

    def _at_places(
        self,
        answer: Any,
        lat: Any,
        lon: Any,
        out: np.ndarray | None,
        as_xarray: bool | None,
        progress: Any,
        name: str,
        units: str,
        axes: dict[str, int],
    ) -> Any:
        """Asks for places of any kind, and gives the answer the same kind."""
        told = heard_by(progress)

        def asked(lat: Any, lon: Any, out: np.ndarray | None = None) -> np.ndarray:
            shape, places = broadcast(lat=lat, lon=lon)
            result, written = room(out, (*shape, *axes.values()), places)
            answer(places, written, told)
            # A number for a number, as numpy's functions have it.
            return settle(result, written) if out is not None or result.ndim else result[()]

        wanted = is_xarray(lat) or is_xarray(lon) if as_xarray is None else as_xarray
        if wanted:
            if out is not None:
                raise ValueError("out is for numpy arrays: a DataArray is made anew")
            return _xarray.at_places(self, asked, lat, lon, name, units, axes)
        if is_dask(lat) or is_dask(lon):
            if out is not None:
                raise ValueError("out is for numpy arrays: a dask array is computed later")
            return _xarray.by_blocks(asked, lat, lon, axes)
        return asked(lat, lon, out)


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
