"""Reads polygons and lines from shapefiles, for make-gazetteer.py and make-water.py."""

import math
import struct


def shapes(shp):
    """The contents of a shapefile's records, without their number, length and type."""
    at = 100
    while at < len(shp):
        end = at + 8 + 2 * struct.unpack(">I", shp[at + 4:at + 8])[0]
        yield shp[at + 12:end]
        at = end


def rings(shape):
    """The rings of a polygon, holes among them, or the parts of a line, as lists of longitude and latitude."""
    parts, points = struct.unpack("<2I", shape[32:40])
    starts = [*struct.unpack(f"<{parts}I", shape[40:40 + 4 * parts]), points]
    corners = list(struct.iter_unpack("<2d", shape[40 + 4 * parts:40 + 4 * parts + 16 * points]))
    return [corners[first:end] for first, end in zip(starts, starts[1:])]


def area_km2(ring):
    """The area on a sphere; the sign says which way round, so that holes count against their surroundings."""
    strips = (math.radians(lon2 - lon1) * (math.sin(math.radians(lat1)) + math.sin(math.radians(lat2)))
              for (lon1, lat1), (lon2, lat2) in zip(ring, ring[1:]))
    return 6371.0 ** 2 / 2 * sum(strips)
