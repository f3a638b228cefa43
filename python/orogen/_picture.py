"""What does a surface look like from above? Tints by height, with shading, for notebooks and maps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _orogen
from ._area import box_of
from ._arrays import single, whole

# Red, green and blue by the share of the range of heights, and of depths below 0 m.
_LAND = {
    0.0: (106, 148, 108),
    0.25: (172, 190, 132),
    0.5: (226, 214, 164),
    0.75: (184, 148, 108),
    0.92: (156, 134, 122),
    1.0: (244, 242, 240),
}
_DEPTH = {0.0: (166, 203, 224), 0.3: (108, 160, 200), 1.0: (40, 78, 128)}
# Azimuths of lights in degrees and their shares: the north-west leads.
_LIGHTS = {315.0: 0.6, 270.0: 0.2, 0.0: 0.2}
_LIGHT_ABOVE = math.radians(45.0)
# Level ground is lit by sin 45 degrees.
_LEVEL = math.sin(_LIGHT_ABOVE)
# Samples along each side of a pixel.
_FINE = 2
_NOTEBOOK = 400
_MOST = 16_384


class Pictures:
    """How `Surface` is drawn."""

    def shade(
        self,
        bbox: Any = None,
        *,
        width: int = 512,
        height_range: tuple[float, float] | None = None,
        exaggeration: float | None = None,
    ) -> np.ndarray:
        """A map: tints by height, shaded by light from the north-west with some from west and north.

        Parameters
        ----------
        bbox : (west, south, east, north), optional
            The area, degrees; that of the topmost data, if not given.
        width : int
            Columns of pixels. Rows follow from the area: longitudes are as wide as in its middle.
        height_range : (low, high), optional
            Metres between which land has its tints; those of the picture, if not given. Below 0 m it is blue.
        exaggeration : float, optional
            Of slopes in the shading; between 1 and 20 by how even the ground is, if not given.

        Returns
        -------
        numpy.ndarray
            Rows, columns and RGBA of uint8, northernmost row first; transparent where there are no data.

        Examples
        --------
        >>> hills = 300.0 * np.sin(np.arange(100.0) / 9.0) * np.ones((100, 1))
        >>> surface = orogen.Surface.open(hills, transform=(30, 0, 500000, 0, -30, 5100000), crs="EPSG:32632")
        >>> surface.shade(width=60).shape
        (60, 60, 4)
        """
        west, south, east, north = box_of(self, bbox)
        width = whole(width, "width", 1, _MOST)
        if exaggeration is not None and not 0.0 < single(exaggeration, "exaggeration") < math.inf:
            raise ValueError(f"exaggeration={exaggeration!r} is not above 0")
        stretch = math.cos(math.radians(0.5 * (south + north)))
        rows = max(1, round(width * (north - south) / max((east - west) * stretch, 1e-9)))
        if rows > _MOST:
            raise ValueError(f"a picture of {width} x {rows} pixels is not possible: take sides from 1 to {_MOST}")
        lat = north - (north - south) * (np.arange(rows * _FINE) + 0.5) / (rows * _FINE)
        lon = west + (east - west) * (np.arange(width * _FINE) + 0.5) / (width * _FINE)
        heights = self.heights(lat[:, None], lon, as_xarray=False)  # type: ignore[attr-defined]
        degree_m = 111_200.0
        step_m = (
            degree_m * (east - west) / (width * _FINE) * np.cos(np.radians(lat))[:, None],
            degree_m * (north - south) / (rows * _FINE),
        )
        fine = shaded(heights, step_m, height_range, exaggeration)
        blocks = fine.reshape(rows, _FINE, width, _FINE, 4).astype(np.float64)
        opaque = blocks[..., 3:] > 0
        count = opaque.sum(axis=(1, 3))
        colour = (blocks[..., :3] * opaque).sum(axis=(1, 3)) / np.maximum(count, 1)
        alpha = 255.0 * count / _FINE**2
        return np.concatenate([colour, alpha], axis=-1).round().astype(np.uint8)

    def _repr_png_(self) -> bytes:
        return png(self.shade(width=_NOTEBOOK))


def shaded(
    heights: np.ndarray, step_m: Any, height_range: tuple[float, float] | None = None, exaggeration: float | None = None
) -> np.ndarray:
    """RGBA of a raster of heights, northernmost row first, with metres between columns and between rows."""
    known = np.isfinite(heights)
    if height_range is None:
        land = heights[known & (heights >= 0.0)]
        low, high = (float(land.min()), float(land.max())) if land.size else (0.0, 1.0)
    else:
        low, high = (float(height) for height in height_range)
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise ValueError(f"height_range={height_range!r} is not (low, high) in metres")
    with np.errstate(invalid="ignore"):
        east = np.nan_to_num(_differences(heights, 1) / step_m[0])
        north = np.nan_to_num(-_differences(heights, 0) / step_m[1])
        land = _tint(_LAND, (heights - low) / max(high - low, 1e-9))
        deepest = float(heights[known].min()) if known.any() else 0.0
        depth = _tint(_DEPTH, np.maximum(-heights, 0.0) / max(-deepest, 1e-9))
        colour = np.where((heights < 0.0)[..., None], depth, land)
    if exaggeration is None:
        steep = math.sqrt(float(np.mean((east**2 + north**2)[known]))) if known.any() else 1.0
        exaggeration = min(max(0.3 / max(steep, 1e-9), 1.0), 20.0)
    east, north = east * float(exaggeration), north * float(exaggeration)
    length = np.sqrt(1.0 + east**2 + north**2)
    light = np.zeros_like(east)
    for azimuth, share in _LIGHTS.items():
        toward = math.radians(azimuth)
        flat = math.cos(_LIGHT_ABOVE)
        lit = (math.sin(_LIGHT_ABOVE) - flat * (math.sin(toward) * east + math.cos(toward) * north)) / length
        light += share * np.maximum(lit, 0.0)
    bright = 0.3 + 0.7 * light / _LEVEL
    pixels = np.empty((*heights.shape, 4), dtype=np.uint8)
    pixels[..., :3] = np.clip(np.nan_to_num(colour * bright[..., None]), 0.0, 255.0).round()
    pixels[..., 3] = np.where(known, 255, 0)
    pixels[~known] = 0
    return pixels


def png(pixels: np.ndarray) -> bytes:
    """A PNG of rows and columns of grey, RGB or RGBA."""
    pixels = np.asarray(pixels)
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3):
        raise TypeError(f"pixels are uint8 in rows, columns and channels, not {pixels.dtype} of {pixels.shape}")
    return _orogen.png(np.ascontiguousarray(pixels if pixels.ndim == 3 else pixels[..., None]))


def _differences(heights: np.ndarray, axis: int) -> np.ndarray:
    return np.gradient(heights, axis=axis) if heights.shape[axis] > 1 else np.zeros_like(heights)


def _tint(stops: dict[float, tuple[int, int, int]], share: np.ndarray) -> np.ndarray:
    at = list(stops)
    return np.stack([np.interp(share, at, [stops[k][channel] for k in at]) for channel in range(3)], axis=-1)
