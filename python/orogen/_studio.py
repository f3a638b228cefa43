"""How does the surface look from an eye? Settled pictures, as the program ``orogen render`` draws them."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _orogen
from ._arrays import number
from ._picture import png
from ._sky import _unix_s, plain_time

if TYPE_CHECKING:
    from ._surface import Surface


class Picture:
    """A picture: an array for numpy, shown by a notebook, saved to a file.

    Attributes
    ----------
    pixels : numpy.ndarray
        Rows, columns and RGBA, opaque: uint8, or float32 of linear light.
    triangles : int
        How many were drawn.
    note : str or None
        What is to be said beside the picture: what is made up, and what the makers of the data want to be said.
    """

    def __init__(self, pixels: np.ndarray, triangles: int, note: str | None):
        self.pixels = pixels
        self.triangles = triangles
        self.note = note

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, columns and 4."""
        return self.pixels.shape

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a .png, .jpg or .webp file, or an .exr of linear light, with the note in its comment; one that is there is replaced."""
        _orogen.Studio.save(os.fspath(path), np.ascontiguousarray(self.pixels), self.note)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False and dtype is not None and np.dtype(dtype) != self.pixels.dtype:
            raise ValueError(f"pixels are {self.pixels.dtype}: as {np.dtype(dtype)} they are a copy")
        return np.array(self.pixels, dtype=dtype, copy=True) if copy else np.asarray(self.pixels, dtype=dtype)

    def __repr__(self) -> str:
        rows, columns, _ = self.pixels.shape
        return f"<orogen.Picture {columns} x {rows}, {self.triangles} triangles>"

    def _repr_png_(self) -> bytes | None:
        return png(self.pixels) if self.pixels.dtype == np.uint8 else None


class Studio:
    """A scene that is loaded once and drawn from any number of eyes.

    It draws on the graphics card, or on Mesa's software device where there is none. Beyond data that cover a part of the Earth the
    ground is level, at 0 m or at the lowest of the data. Defaults and names of options are those of ``orogen render``. After a picture
    that failed or was stopped the next one loads the scene again.

    Parameters
    ----------
    source : Surface, or what `Surface.open` takes without more being said
        The ground.
    size : (width, height)
        Pixels.
    fov : float, optional
        Vertical field of view in degrees; 45 if not given.
    sun : (azimuth, elevation), optional
        Of the sun in the sky of the place below the eye, degrees; (315, 42) if not given.
    time : str, datetime.datetime or numpy.datetime64, optional
        Sun and stars where they stand at this time; without a zone it is UTC.
    exaggerate : float, optional
        Heights are drawn this many times as high, 0.5 to 10.
    overlays : sequence of str, optional
        What is drawn besides, like ``["contours", "names"]``.
    ramp : str, optional
        Colours of heights: ``atlas``, ``terra``, ``viridis``, ``cividis`` or ``grey``.
    water, shadows : bool, optional
        Whether sea and lakes, and shadows of mountains, are drawn; they are if not given.
    detail : {"off", "relief", "all"}, optional
        What is made up between the samples of the data; nothing if not given.
    samples : {1, 4}, optional
        Of a pixel.
    pixel_error : float, optional
        Tolerated geometric error on the picture, pixels; 0.5 if not given.
    triangles : int, optional
        Most of them.
    mesh : {"cpu", "gpu"}, optional
        Where the mesh lives.
    linear : bool
        Whether pictures are linear light in float32: Rec. 709 primaries, exposed, without a tone curve, so that 1 is light ground
        under a high sun.
    software : bool
        Whether the software device draws, even where there is a graphics card.

    Raises
    ------
    ValueError
        For an option that the program would refuse.
    RuntimeError
        Where there is no graphics device, with what to install.

    Examples
    --------
    >>> hills = 300.0 * np.sin(np.arange(100.0) / 9.0) * np.ones((100, 1))
    >>> surface = orogen.Surface.open(hills, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
    >>> studio = orogen.Studio(surface, size=(96, 54), pixel_error=4, software=True)
    >>> film = [studio.picture(at=(46.03, 9.01, 3000), look=(heading, -40)) for heading in (0, 90)]
    >>> film[0].shape
    (54, 96, 4)
    """

    def __init__(
        self,
        source: Any,
        *,
        size: tuple[int, int] = (1280, 720),
        fov: float | None = None,
        sun: tuple[float, float] | None = None,
        time: Any = None,
        exaggerate: float | None = None,
        overlays: Any = None,
        ramp: str | None = None,
        water: bool | None = None,
        shadows: bool | None = None,
        detail: str | None = None,
        samples: int | None = None,
        pixel_error: float | None = None,
        triangles: int | None = None,
        mesh: str | None = None,
        linear: bool = False,
        software: bool = False,
    ):
        given = dict(locals())
        self._options = {name: value for name, value in given.items() if name not in ("self", "source", "given")}
        if not hasattr(_orogen, "Studio"):
            raise RuntimeError("this package draws no pictures: build it with its feature `picture`, which it has by default")
        self._inner = _orogen.Studio(_surface(source)._inner, _words(self._options))

    def picture(
        self,
        *,
        at: Any = None,
        look: tuple[float, float] | None = None,
        fit: tuple[float, float, float, float] | None = None,
        fov: float | None = None,
        sun: tuple[float, float] | None = None,
        time: Any = None,
    ) -> Picture:
        """Draw the settled picture of a view; without ``at`` and ``fit``, of the topmost data as a whole.

        Parameters
        ----------
        at : (lat, lon, height), (lat, lon) or str, optional
            Where the eye is: degrees, metres above sea level, never under the ground. Without a height, or by the name of a place,
            what is looked at: from a distance that shows it.
        look : (heading, pitch), optional
            Where it looks: degrees clockwise from north, degrees up.
        fit : (west, south, east, north), optional
            Show all between these meridians and parallels, degrees.
        fov, sun, time
            In place of those of the scene.

        Returns
        -------
        Picture

        Raises
        ------
        ValueError
            For a view that the program would refuse.
        RuntimeError
            If the device or the data fail.
        """
        view = {"at": at, "look": look, "fit": fit, "fov": fov, "sun": sun, "time": time}
        own = {name: value for name, value in view.items() if value is not None}
        scene = dict(self._options)
        if "sun" in own or "time" in own:
            scene.update(sun=None, time=None)
        pixels, count, raised_m, note = self._inner.picture(_words({**scene, **own}))
        if raised_m > 0.0:
            warnings.warn(f"the eye is under the ground: raised by {raised_m:.0f} m", stacklevel=2)
        return Picture(pixels, count, note)


def render(source: Any, *, at: Any = None, look: Any = None, fit: Any = None, **options: Any) -> Picture:
    """Draw the settled picture of a view, as ``orogen render`` does.

    Parameters
    ----------
    source : Surface, or what `Surface.open` takes without more being said
        The ground.
    at, look, fit
        The view: see `Studio.picture`.
    **options
        What is drawn, and how well: see `Studio`, which draws several pictures faster.

    Returns
    -------
    Picture

    Examples
    --------
    >>> hills = 300.0 * np.sin(np.arange(100.0) / 9.0) * np.ones((100, 1))
    >>> surface = orogen.Surface.open(hills, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
    >>> picture = orogen.render(surface, at=(46.03, 9.01, 3000), look=(0, -40), size=(96, 54), pixel_error=4, software=True)
    >>> np.asarray(picture).dtype, picture.shape
    (dtype('uint8'), (54, 96, 4))
    """
    return Studio(source, **options).picture(at=at, look=look, fit=fit)


class Views:
    """How `Surface` is drawn in perspective."""

    def render(self, *, at: Any = None, look: Any = None, fit: Any = None, **options: Any) -> Picture:
        """Draw the settled picture of a view: `orogen.render` of this surface."""
        return render(self, at=at, look=look, fit=fit, **options)


def _surface(source: Any) -> Surface:
    from ._surface import Surface

    return source if isinstance(source, Surface) else Surface.open(source)


def _words(options: dict[str, Any]) -> list[str]:
    """Options as the program reads them."""
    words = []
    for name, value in options.items():
        if value is None or name in _FLAGS and not value:
            continue
        option = f"--{name.replace('_', '-')}"
        words.append(option if name in _FLAGS else f"{option}={_text(name, value)}")
    return words


# Options without a value.
_FLAGS = ("linear", "software")

# How many numbers an option has.
_NUMBERS = {"at": (2, 3), "look": (2,), "fit": (4,), "sun": (2,), "size": (2,)}


def _text(name: str, value: Any) -> str:
    """A value as the program reads it."""
    if name == "time":
        value = plain_time(value)
        if isinstance(value, str):
            return value
        return f"{np.datetime64(round(_unix_s(value, name) * 1e6), 'us')}Z"
    if isinstance(value, str):
        return value
    if name in ("water", "shadows"):
        return "on" if value else "off"
    if name == "overlays":
        return ",".join(map(str, value)) or "none"
    array = number(value, name)
    if array.ndim != (name in _NUMBERS) or array.size not in _NUMBERS.get(name, (1,)) or not np.all(np.isfinite(array)):
        counts = " or ".join(map(str, _NUMBERS.get(name, (1,))))
        raise ValueError(f"{name}={value!r} is not {counts} finite {'numbers' if counts != '1' else 'number'}")
    texts = [f"{part:.0f}" if abs(part) < 1e15 and part == int(part) else repr(float(part)) for part in array.reshape(-1).tolist()]
    return ("x" if name == "size" else ",").join(texts)
