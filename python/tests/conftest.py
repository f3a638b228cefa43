"""What tests share: random ground, its place, and a generator whose seed is shown."""

import os
import signal

import numpy as np
import pyproj
import pytest
from program import RASTER, run

import orogen

# A shell that starts the tests in the background has Ctrl-C ignored, and so would they: nothing would end what tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def rng():
    seed = int(os.environ.get("OROGEN_SEED") or np.random.SeedSequence().entropy % 2**32)
    print(f"OROGEN_SEED={seed}")
    return np.random.default_rng(seed)


SYSTEMS = {
    "degrees": ("EPSG:4326", (0.001, 0.0, 7.0, 0.0, -0.0008, 46.0)),
    "degrees, south up": ("EPSG:4326", (0.001, 0.0, 179.98, 0.0, 0.001, -17.0)),
    "UTM": ("EPSG:32632", (30.0, 0.0, 500_000.0, 0.0, -30.0, 5_100_000.0)),
    "polar, rotated": ("EPSG:3413", (500.0, 30.0, -10_000.0, 20.0, -480.0, 20_000.0)),
    "another datum": ("EPSG:2056", (25.0, 0.0, 2_600_000.0, 0.0, -25.0, 1_200_000.0)),
}


def places(crs, transform, columns, rows):
    """Latitude and longitude of fractional columns and rows, 0 at the middle of the first pixel."""
    a, b, c, d, e, f = transform
    x, y = a * (columns + 0.5) + b * (rows + 0.5) + c, d * (columns + 0.5) + e * (rows + 0.5) + f
    lon, lat = pyproj.Transformer.from_crs(crs, "EPSG:4326", always_xy=True).transform(x, y)
    return lat, lon


@pytest.fixture
def hills(rng):
    """A surface of rough hills in UTM, and what it was made of."""
    crs, transform = SYSTEMS["UTM"]
    rows, columns = np.mgrid[0:80, 0:100]
    ground = 400 + 150 * np.sin(rows / 7.0) * np.cos(columns / 9.0) + rng.uniform(0, 30, (80, 100))
    ground = ground.astype(np.float32)
    return orogen.Surface.open(ground, transform=transform, crs=crs), ground, crs, transform


@pytest.fixture(scope="session")
def earth(tmp_path_factory):
    """A pack of the whole Earth, coarse."""
    pack = tmp_path_factory.mktemp("packs") / "earth.pack"
    run("bake", "-o", pack, "--max-level", 1)
    return pack


@pytest.fixture(scope="session")
def pack(tmp_path_factory):
    """A pack of hills in Tennessee, over the whole Earth."""
    pack = tmp_path_factory.mktemp("packs") / "jacksboro.pack"
    run("bake", "-o", pack, "--max-level", 9, "--bbox", "-84.4,36.2,-84.1,36.4", RASTER)
    return pack
