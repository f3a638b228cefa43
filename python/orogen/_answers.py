"""What do answers consist of? Arrays with names, in degrees and metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Provenance:
    """Where heights come from."""

    layer: np.ndarray
    """Index into `Surface.layers` of the layer with the largest share; -1 where there are no data."""
    share: np.ndarray
    """That share, above 0 to 1."""
    posting_m: np.ndarray
    """Metres between the samples of the layer there."""
    filled: np.ndarray
    """Whether a sample beside the place is filled or continued from others."""
    names: list[str]
    """Of each layer."""
    datum: list[str]
    """What the heights of each layer are measured from."""


@dataclass(frozen=True, eq=False)
class Profile:
    """Heights along geodesics; samples in the last axis."""

    distance_m: np.ndarray
    """Along the geodesic from the start."""
    lat: np.ndarray
    lon: np.ndarray
    height_m: np.ndarray


@dataclass(frozen=True, eq=False)
class Hits:
    """Where rays meet the ground; NaN where they do not."""

    distance_m: np.ndarray
    lat: np.ndarray
    lon: np.ndarray
    height_m: np.ndarray


@dataclass(frozen=True, eq=False)
class Sights:
    """Which lines of sight are free, and the first obstacles on the others."""

    visible: np.ndarray
    distance_m: np.ndarray
    """From the eye to the obstacle; NaN where there is none."""
    lat: np.ndarray
    lon: np.ndarray
    height_m: np.ndarray


@dataclass(frozen=True, eq=False)
class Viewshed:
    """What is seen round an eye."""

    cells: np.ndarray
    """1 seen, 0 hidden, 255 beyond the radius or without data; northernmost row first, the eye in the middle."""
    cell_m: float
    """Side of a cell."""
    lat: float
    lon: float
    eye_m: float
    """Height of the eye above the datum."""

    @property
    def transform(self) -> tuple[float, float, float, float, float, float]:
        """(a, b, c, d, e, f) as of ``affine.Affine``."""
        corner_m = 0.5 * self.cells.shape[0] * self.cell_m
        return (self.cell_m, 0.0, -corner_m, 0.0, -self.cell_m, corner_m)

    @property
    def crs(self) -> str:
        """The azimuthal equidistant projection round the eye."""
        return f"+proj=aeqd +lat_0={self.lat!r} +lon_0={self.lon!r} +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.cells, dtype=dtype) if copy or dtype is not None else self.cells


@dataclass(frozen=True)
class Raster:
    """Where the cells of a raster are: in an azimuthal equidistant projection round its middle, northernmost row first."""

    shape: tuple[int, int]
    """Rows and columns."""
    cell_m: float
    """Side of a cell."""
    lat: float
    """Of the middle, degrees."""
    lon: float
    convergence_deg: float
    """By how much the raster's north is off true north in its corners, at most."""

    @property
    def transform(self) -> tuple[float, float, float, float, float, float]:
        """(a, b, c, d, e, f) as of ``affine.Affine``."""
        rows, columns = self.shape
        return (self.cell_m, 0.0, -0.5 * columns * self.cell_m, 0.0, -self.cell_m, 0.5 * rows * self.cell_m)

    @property
    def crs(self) -> str:
        """The azimuthal equidistant projection round the middle."""
        return f"+proj=aeqd +lat_0={self.lat!r} +lon_0={self.lon!r} +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs"

    @property
    def xy(self) -> tuple[np.ndarray, np.ndarray]:
        """x of the columns' middles and y of the rows', metres."""
        rows, columns = self.shape
        return (
            (np.arange(columns) - 0.5 * (columns - 1)) * self.cell_m,
            -(np.arange(rows) - 0.5 * (rows - 1)) * self.cell_m,
        )


@dataclass(frozen=True, eq=False)
class Horizon:
    """The ground against the sky round places; azimuths in the last axis."""

    azimuth: np.ndarray
    """Degrees clockwise from north."""
    elevation: np.ndarray
    """Apparent elevation above level, degrees."""
    distance_m: np.ndarray
    """From the eye straight to the ground that stands highest; NaN where data do not know it."""
    lat: np.ndarray
    lon: np.ndarray
    height_m: np.ndarray


@dataclass(frozen=True, eq=False)
class Horizons:
    """The horizons of the cells of a raster."""

    azimuth: np.ndarray
    """Degrees clockwise from the raster's north."""
    elevation: Any
    """Degrees above level, in the shape of azimuths, rows, columns."""
    raster: Raster


@dataclass(frozen=True, eq=False)
class Skyview:
    """Sky view factors of the cells of a raster."""

    factor: Any
    """Share of the light of an even sky that reaches the ground, 0 to 1."""
    raster: Raster

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.factor, dtype=dtype) if copy else np.asarray(self.factor, dtype=dtype)


@dataclass(frozen=True, eq=False)
class Insolation:
    """Light under a clear sky on the ground as it slopes, of places or of the cells of a raster."""

    total: Any
    """kWh on a square metre."""
    direct: Any
    """From the sun."""
    diffuse: Any
    """From the sky."""
    sun_hours: Any
    """In which the sun shines on the ground."""
    raster: Raster | None = None


@dataclass(frozen=True, eq=False)
class Sunlight:
    """The sun over the real horizon, day by day of a year; days in the last axis."""

    date: np.ndarray
    """By the mean time of the place."""
    sunrise: np.ndarray
    """When the sun first rises over the horizon, UTC; NaT where it does not."""
    sunset: np.ndarray
    """When it last sets."""
    sun_hours: np.ndarray
    """In which a part of the sun's disc is above the horizon."""
    level_hours: np.ndarray
    """The same over a level horizon."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles over the ground of an area."""

    vertices: np.ndarray
    """Metres, three numbers each."""
    triangles: np.ndarray
    """Three vertices each, counterclockwise from above."""
    lat: np.ndarray
    """Of vertices, degrees."""
    lon: np.ndarray
    height_m: np.ndarray
    samples: tuple[int, int]
    """Rows and columns of the lattice among which vertices were chosen."""
