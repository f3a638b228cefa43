"""What do answers consist of? Arrays with names, in degrees and metres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Profile:
    """Heights along geodesics; samples in the last axis."""

    distance_m: np.ndarray
    """Along the geodesic from the start."""
    lat: np.ndarray
    lon: np.ndarray
    height_m: np.ndarray


@dataclass(frozen=True)
class Hits:
    """Where rays meet the ground; NaN where they do not."""

    distance_m: np.ndarray
    lat: np.ndarray
    lon: np.ndarray
    height_m: np.ndarray


@dataclass(frozen=True)
class Sights:
    """Which lines of sight are free, and the first obstacles on the others."""

    visible: np.ndarray
    distance_m: np.ndarray
    """From the eye to the obstacle; NaN where there is none."""
    lat: np.ndarray
    lon: np.ndarray
    height_m: np.ndarray


@dataclass(frozen=True)
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
