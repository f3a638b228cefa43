"""The surface of the Earth from any elevation data: heights, slopes, rays, lines of sight, viewsheds, horizons, light.

`Surface.open` takes a pack of tiles, a numpy array with its transform and CRS, a DataArray or a dataset of rasterio. With xarray,
a DataArray has all of it under ``da.orogen``.
"""

from __future__ import annotations

import importlib.util

from ._answers import (
    Hits,
    Horizon,
    Horizons,
    Insolation,
    Mesh,
    Profile,
    Provenance,
    Raster,
    Sights,
    Skyview,
    Sunlight,
    Viewshed,
)
from ._bake import bake, merge
from ._orogen import __version__, has_gdal, threads
from ._studio import Picture, Studio, render
from ._surface import Surface, SurfaceWarning

__all__ = [
    "Hits",
    "Horizon",
    "Horizons",
    "Insolation",
    "Mesh",
    "Picture",
    "Profile",
    "Provenance",
    "Raster",
    "Sights",
    "Skyview",
    "Studio",
    "Sunlight",
    "Surface",
    "SurfaceWarning",
    "Viewshed",
    "__version__",
    "bake",
    "has_gdal",
    "merge",
    "render",
    "threads",
]

if importlib.util.find_spec("xarray") is not None:
    from ._xarray import register as _register

    _register()
