"""How fast are horizons, sky views, viewsheds and slopes? Over one array, the last two beside xarray-spatial, in one run.

    target/python/bin/pip install xarray-spatial==0.5.3
    target/python/bin/python python/bench/light.py [SIDE]

xarray-spatial works on a plane with samples alone, orogen on the round Earth with the ground between samples. xarray-spatial 0.5.3 has no
horizons and no sky views.
"""

import sys
import time

import numpy as np
import pyproj
import xarray
import xrspatial

import orogen

POSTING_M = 30.0
MIDDLE = (46.0, 9.0)
DIRECTIONS = 16


def ground(side):
    """Random ground whose spectrum falls with the power 3.2, heights of 1500 m over it all."""
    rng = np.random.default_rng(1)
    k = np.hypot(np.fft.fftfreq(side)[:, None], np.fft.rfftfreq(side))
    k[0, 0] = np.inf
    phases = np.exp(2j * np.pi * rng.uniform(size=k.shape))
    heights = np.fft.irfft2(phases * k**-1.6, (side, side))
    return (1500.0 * (heights - heights.min()) / np.ptp(heights)).astype(np.float32)


def timed(name, cells, call, times=3):
    call()
    best = min(_seconds(call) for _ in range(times))
    print(f"| {name} | {cells} | {best:.3f} s | {best / cells * 1e9:.0f} ns |", flush=True)


def _seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    heights = ground(side)
    half = 0.5 * side * POSTING_M
    crs = f"+proj=aeqd +lat_0={MIDDLE[0]} +lon_0={MIDDLE[1]} +datum=WGS84 +units=m"
    surface = orogen.Surface.open(heights, transform=(POSTING_M, 0, -half, 0, -POSTING_M, half), crs=crs)
    along = (np.arange(side) + 0.5) * POSTING_M - half
    # The eye of xarray-spatial stands on a sample.
    at = side // 2
    raster = xarray.DataArray(heights.astype(np.float64), dims=("y", "x"), coords={"y": -along, "x": along})
    cells = side * side
    area = {"at": MIDDLE, "radius": half - POSTING_M, "cell": POSTING_M}
    radius = half - 2 * POSTING_M
    disc = int(np.pi * (radius / POSTING_M) ** 2)
    print(f"{side} x {side} samples of {POSTING_M:g} m, {orogen.threads()} threads\n\n| what | cells | time, best of 3 | a cell |\n|---|---|---|---|")
    timed(f"orogen, horizons, {DIRECTIONS} directions, to all distances", cells, lambda: surface.horizons(**area, directions=DIRECTIONS))
    timed(f"orogen, skyview, {DIRECTIONS} directions, to all distances", cells, lambda: surface.skyview(**area, directions=DIRECTIONS))
    timed(f"orogen, viewshed, {radius:g} m, eye 20 m", disc, lambda: surface.viewshed(*MIDDLE, radius, eye_height=20, cell=POSTING_M))
    ask = lambda: np.asarray(xrspatial.viewshed(raster, x=float(along[at]), y=float(-along[at]), observer_elev=20))
    timed("xarray-spatial, viewshed, the whole array, eye 20 m", cells, ask)
    lon, lat = pyproj.Transformer.from_crs(crs, "EPSG:4326", always_xy=True).transform(*np.meshgrid(along, -along))
    timed("orogen, slope, Horn, given places", cells, lambda: surface.slope(lat, lon, rule="horn"))
    timed("xarray-spatial, slope, Horn", cells, lambda: np.asarray(xrspatial.slope(raster)))


if __name__ == "__main__":
    main()
