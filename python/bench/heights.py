"""How fast are heights? Two million places over one raster, beside rasterio's sample and xarray's interp.

    target/python/bin/python python/bench/heights.py [RASTER]
"""

import sys
import time

import numpy as np
import rasterio
import rioxarray
import xarray

import orogen

PLACES = 2_000_000
FEW = 100_000


def timed(name, places, call):
    best = min(_seconds(call) for _ in range(3))
    print(f"| {name} | {places} | {best:.3f} s | {best / places * 1e9:.0f} ns |")


def _seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "data/jacksboro.tif"
    raster = rioxarray.open_rasterio(path).squeeze(drop=True)
    surface = orogen.Surface.open(raster)
    west, south, east, north = surface.bounds
    rng = np.random.default_rng(1)
    lon, lat = rng.uniform(west, east, PLACES), rng.uniform(south, north, PLACES)
    out = np.empty(PLACES)
    print(f"{orogen.threads()} threads\n\n| what | places | time, best of 3 | a place |\n|---|---|---|---|")
    timed("orogen, cubic patches", PLACES, lambda: surface.heights(lat, lon, out))
    timed("orogen, slopes", PLACES, lambda: surface.slope(lat, lon, out))
    x, y = xarray.DataArray(lon[:FEW], dims="p"), xarray.DataArray(lat[:FEW], dims="p")
    try:
        timed("xarray interp, linear", FEW, lambda: raster.astype("float64").interp(x=x, y=y).values)
    except ImportError as error:
        print(f"| xarray interp | | {error} | |")
    with rasterio.open(path) as dataset:
        places = np.column_stack([lon[:FEW], lat[:FEW]])
        timed("rasterio sample, nearest", FEW, lambda: [v[0] for v in dataset.sample(places)])


if __name__ == "__main__":
    main()
