#!/usr/bin/python3
"""Makes data/etopo5.tif, the global relief that ships with Orogen. Only whoever remakes the file needs this.

    apt-get install python3-gdal python3-numpy ferret-datasets
    data/make-relief.py                   write etopo5.tif, places.csv and etopo5.sha256
    data/make-relief.py --check           compare the committed files with the source, write nothing

The source is `etopo5.cdf` of Debian's package `ferret-datasets`: 4320 x 2161 nodes, whole metres kept as floats,
rows on both poles, longitudes 0 to 359.9167 (two of its quirks are undone here: the longitude axis is stored with a
step 7.7e-7 degrees too large, and there is no coordinate system). The result keeps every node and its value, reordered so
that columns run from -180 to 179.9167. README.md beside this file has provenance, licence and layout.

Byte-for-byte reproducible with one version of GDAL and its compressor: nothing in it depends on time, place or threads.
"""

import argparse
import csv
import hashlib
import math
import os
import sys
from pathlib import Path

import numpy as np
from osgeo import gdal, osr

COLUMNS, ROWS = 4320, 2161
NODES_PER_DEGREE = 12
STEP_DEG = 1.0 / NODES_PER_DEGREE
# Half a step outward, so that the centre of the first pixel is the node at 90 N, 180 W.
GEOTRANSFORM = (-180.0 - STEP_DEG / 2, STEP_DEG, 0.0, 90.0 + STEP_DEG / 2, 0.0, -STEP_DEG)
DATA = Path(__file__).resolve().parent
SOURCE = Path("/usr/share/ferret-vis/data/etopo5.cdf")

# Known places, latitude and longitude in degrees: the tests compare what is rendered there with the source.
PLACES = [
    ("Mount Everest", 27.9881, 86.9250),
    ("Lhasa", 29.6500, 91.1000),
    ("Challenger Deep", 11.3733, 142.5917),
    ("Aconcagua", -32.6532, -70.0109),
    ("Denver", 39.7392, -104.9903),
    ("Kilimanjaro", -3.0674, 37.3556),
    ("Mauna Kea", 19.8207, -155.4681),
    ("Antimeridian at Fiji", -16.5833, 180.0000),
    ("Null Island", 0.0, 0.0),
    ("Kerguelen", -49.3500, 69.3500),
    ("North Pole", 90.0, 0.0),
    ("South Pole", -90.0, 0.0),
]


def read_source(path):
    """The source as Int16, north row first, column 0 at longitude 0; refuses a file that is not the one described above."""
    dataset = gdal.Open(str(path))
    if dataset is None:
        sys.exit(f"cannot open {path}: apt-get install ferret-datasets, or give its place with --source")
    heights = dataset.ReadAsArray()
    if heights.shape != (ROWS, COLUMNS):
        sys.exit(f"{path}: {heights.shape[1]} x {heights.shape[0]} nodes, not {COLUMNS} x {ROWS}")
    if dataset.GetGeoTransform()[5] >= 0:
        sys.exit(f"{path}: GDAL gave the south row first; expected north-up")
    whole = np.rint(heights)
    if not np.isfinite(heights).all() or (whole != heights).any() or np.abs(heights).max() > 32767:
        sys.exit(f"{path}: not whole metres that fit 16 bits")
    if np.ptp(heights[0]) != 0 or np.ptp(heights[-1]) != 0:
        sys.exit(f"{path}: a pole's row is not constant, so rows are not on the poles")
    return whole.astype(np.int16)


def west_first(heights):
    """Columns from -180 to 179.9167 instead of 0 to 359.9167."""
    return np.roll(heights, COLUMNS // 2, axis=1)


def write_tiff(heights, path):
    """One tiled, compressed GeoTIFF; written aside, then moved into place."""
    aside = path.with_suffix(".part.tif")
    options = ["TILED=YES", "BLOCKXSIZE=512", "BLOCKYSIZE=512", "COMPRESS=DEFLATE", "ZLEVEL=9", "PREDICTOR=2", "NUM_THREADS=1"]
    dataset = gdal.GetDriverByName("GTiff").Create(str(aside), COLUMNS, ROWS, 1, gdal.GDT_Int16, options)
    wgs84 = osr.SpatialReference()
    wgs84.ImportFromEPSG(4326)
    dataset.SetProjection(wgs84.ExportToWkt())
    dataset.SetGeoTransform(GEOTRANSFORM)
    dataset.SetMetadata({
        "AREA_OR_POINT": "Point",
        "TIFFTAG_IMAGEDESCRIPTION": "ETOPO5, 5-minute relief of the Earth in metres above mean sea level (NOAA NGDC, 1988)",
        "TIFFTAG_COPYRIGHT": "Public domain",
    })
    band = dataset.GetRasterBand(1)
    band.SetUnitType("m")
    band.WriteArray(heights)
    del band
    del dataset
    os.replace(aside, path)


def node(heights_west_first, lat_deg, lon_deg):
    """Value of the node nearest to a place."""
    row = math.floor((90.0 - lat_deg) * NODES_PER_DEGREE + 0.5)
    column = math.floor((lon_deg + 180.0) * NODES_PER_DEGREE + 0.5) % COLUMNS
    return int(heights_west_first[row, column])


def places_table(heights_west_first):
    return [(name, f"{lat:.4f}", f"{lon:.4f}", str(node(heights_west_first, lat, lon))) for name, lat, lon in PLACES]


def check(heights, tiff):
    """What the result must satisfy, told apart from how it was made: positions go through the file's own geotransform."""
    gdal.UseExceptions()
    dataset = gdal.Open(str(tiff))
    west, dx, _, north, _, dy = dataset.GetGeoTransform()
    assert (dataset.RasterXSize, dataset.RasterYSize) == (COLUMNS, ROWS), "size"
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point", "AREA_OR_POINT"
    assert np.allclose(dataset.GetGeoTransform(), GEOTRANSFORM, rtol=0, atol=1e-12), dataset.GetGeoTransform()
    stored = dataset.ReadAsArray()

    def at(lat_deg, lon_deg):
        return int(stored[math.floor((lat_deg - north) / dy), math.floor((lon_deg - west) / dx)])

    random = np.random.default_rng(5)
    for _ in range(100_000):
        row, column = int(random.integers(ROWS)), int(random.integers(COLUMNS))
        lat, lon = 90.0 - row / NODES_PER_DEGREE, column / NODES_PER_DEGREE
        assert at(lat, lon if lon < 180.0 else lon - 360.0) == heights[row, column], (lat, lon)
    assert np.array_equal(np.sort(stored, axis=None), np.sort(heights, axis=None)), "a node was lost or changed"
    lowest = np.unravel_index(stored.argmin(), stored.shape)
    lat, lon = north + (lowest[0] + 0.5) * dy, west + (lowest[1] + 0.5) * dx
    assert stored.min() == -10376 and abs(lat - 11.3333) < 1e-3 and abs(lon - 142.3333) < 1e-3, ("Mariana", lat, lon)
    assert at(29.65, 91.10) > 3500 and at(33.0, 88.0) > 4000, "Tibet"
    assert (stored[0] == -4290).all() and (stored[-1] == 2810).all(), "poles"
    for row in range(0, ROWS, 60):
        lat = 90.0 - row / NODES_PER_DEGREE
        assert at(lat, -180.0) == heights[row, 2160] and at(lat, 180.0 - STEP_DEG) == heights[row, 2159], ("180", lat)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, default=SOURCE, help="etopo5.cdf (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="compare the committed files with the source, write nothing")
    arguments = parser.parse_args()
    tiff, places, checksum = DATA / "etopo5.tif", DATA / "places.csv", DATA / "etopo5.sha256"

    heights = read_source(arguments.source)
    table = [("name", "lat_deg", "lon_deg", "nearest_node_m"), *places_table(west_first(heights))]
    if not arguments.check:
        write_tiff(west_first(heights), tiff)
        with places.open("w", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows(table)
        checksum.write_text(f"{hashlib.sha256(tiff.read_bytes()).hexdigest()}  etopo5.tif\n")
    check(heights, tiff)
    with places.open(newline="") as stored_table:
        assert [tuple(row) for row in csv.reader(stored_table)] == table, "places.csv differs"
    assert checksum.read_text().split()[0] == hashlib.sha256(tiff.read_bytes()).hexdigest(), "etopo5.sha256 differs"
    print(f"{tiff.name}: {tiff.stat().st_size} bytes, agrees with {arguments.source}")


if __name__ == "__main__":
    main()
