"""Draws the pictures of the README, from `data/jacksboro.tif` into `python/pictures`.

    target/python/bin/python python/pictures/gallery.py
"""

import pathlib

import numpy as np
import pyproj
import rasterio

import orogen
from orogen._picture import png, shaded

ROOT = pathlib.Path(__file__).parents[2]
FOLDER = ROOT / "python/pictures"
SUN = {0.0: (20, 16, 60), 0.4: (120, 40, 110), 0.7: (220, 100, 70), 0.9: (250, 190, 90), 1.0: (255, 245, 190)}


def drawn(name, pixels):
    data = png(pixels)
    (FOLDER / f"{name}.png").write_bytes(data)
    print(f"{name}.png: {pixels.shape[1]} x {pixels.shape[0]}, {len(data) / 1000:.0f} kB")


def stretched(values, low, high):
    return np.clip((np.nan_to_num(values, nan=low) - low) / (high - low), 0.0, 1.0)


def main():
    with rasterio.open(ROOT / "data/jacksboro.tif") as dataset:
        surface = orogen.Surface.open(dataset)
    drawn("shade", surface.shade(width=200)[..., :3])

    eye = (36.3301, -84.1838)
    shed = surface.viewshed(*eye, 9_000, eye_height=30)
    half = shed.cells.shape[0] // 2
    along = np.arange(-half, half + 1) * shed.cell_m
    lon, lat = pyproj.Transformer.from_crs(shed.crs, "EPSG:4326", always_xy=True).transform(*np.meshgrid(along, -along))
    ground = shaded(surface.heights(lat, lon), (shed.cell_m, shed.cell_m))[..., :3].astype(float)
    grey = np.repeat(ground.mean(axis=-1, keepdims=True), 3, axis=-1)
    seen = 0.45 * grey + 0.55 * np.array([250.0, 170.0, 40.0])
    picture = np.where((shed.cells == 1)[..., None], seen, grey)
    picture[half - 2 : half + 3, half - 2 : half + 3] = (200, 20, 20)
    drawn("viewshed", picture.round().astype(np.uint8))

    sky = surface.skyview(at=(36.30, -84.25), radius=9_000)
    drawn("skyview", (255 * stretched(sky.factor, 0.82, 1.0) ** 1.5).round().astype(np.uint8))

    light = surface.insolation(at=(36.30, -84.25), radius=9_000, start="2026-12-21T00:00-05:00", end="2026-12-22T00:00-05:00")
    share = stretched(light.total, 0.5, 5.0)
    stops = list(SUN)
    colour = [np.interp(share, stops, [SUN[k][channel] for k in stops]) for channel in range(3)]
    drawn("insolation", np.stack(colour, axis=-1).round().astype(np.uint8))

    # Beyond the raster lies what a pack has, or level ground.
    picture = surface.render(at=(36.19, -84.41, 1500), look=(48, -9), size=(400, 225), time="2026-10-20T21:40Z", software=True)
    drawn("render", picture.pixels[..., :3])


if __name__ == "__main__":
    main()
