"""Which area is meant? Boxes of longitudes and latitudes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import number


def box_of(surface: Any, bbox: Any) -> tuple[float, float, float, float]:
    """West, south, east, north in degrees, east above west: as given, or those of the topmost data."""
    west, south, east, north = surface.bounds if bbox is None else numbers(bbox, "bbox", 4)
    if not -90.0 <= south < north <= 90.0:
        raise ValueError(f"bbox={bbox!r}: south {south:g} is not below north {north:g}, both from -90 to 90 degrees")
    if bbox is not None and not (-360.0 <= west <= 360.0 and -360.0 <= east <= 360.0 and west != east and east - west <= 360.0):
        raise ValueError(f"bbox={bbox!r}: west {west:g} and east {east:g} are not two longitudes from -360 to 360 degrees")
    return west, south, east if west < east <= west + 360.0 else west + ((east - west) % 360.0 or 360.0), north


def numbers(values: Any, name: str, count: int) -> list[float]:
    """So many degrees."""
    array = number(values, name)
    if array.shape != (count,) or not np.all(np.isfinite(array)):
        what = "(west, south, east, north)" if count == 4 else "(lat, lon)"
        raise ValueError(f"{name}={values!r} is not {what} in degrees")
    return array.tolist()
