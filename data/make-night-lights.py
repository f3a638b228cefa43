#!/usr/bin/env python3
"""Where are the lights of towns at night? Makes data/nightlights.png; only whoever remakes the file needs this.

    apt-get install python3-numpy python3-pil; npm pack three-globe@2.45.2
    data/make-night-lights.py three-globe-2.45.2.tgz             write nightlights.png and nightlights.sha256
    data/make-night-lights.py three-globe-2.45.2.tgz --check     compare the committed file, write nothing

The source is `earth-night.jpg`, NASA's Black Marble, 4096 x 2048 pixels from 180 W 90 N: lights on dark ground in blue. The result is the
light alone, on the six faces of a cube from top to bottom in the order of WebGPU's cube maps, 1024 x 1024 texels each, as its square root from
0 to 31.
"""

import hashlib
import io
import pathlib
import sys
import tarfile

import numpy as np
from PIL import Image

MEMBER = "package/example/img/earth-night.jpg"
MEMBER_SHA256 = "355ab23dd1323315b393d7b91dd2d7ee223a1cbaaba2b48dc72ba90d371ced24"
SIDE = 1024
# Samples of a texel along each side.
SAMPLES = 3
STEPS = 31
# Ground without lights is blue: its red is at most so much of its blue, and noise of the JPEG above that.
RED_OF_BLUE = 0.45
NOISE = 4.0
# Light of the brightest towns in the source, above that.
BRIGHTEST = 60.0


def light(picture):
    """Light of each pixel, 0 to BRIGHTEST."""
    red, blue = picture[..., 0].astype(float), picture[..., 2].astype(float)
    return np.clip(red - RED_OF_BLUE * blue - NOISE, 0.0, BRIGHTEST)


def directions(layer):
    """Directions of the samples of a face."""
    at = (2 * np.arange(SIDE * SAMPLES) + 1) / (SIDE * SAMPLES) - 1
    s, t = np.meshgrid(at, at)
    one = np.ones_like(s)
    return [(one, -t, -s), (-one, -t, s), (s, one, t), (s, -one, -t), (s, -t, one), (-s, -t, -one)][layer]


def face(lights, layer):
    """Mean light of the texels of a face. Towns are where the source has them if a pixel is what is at its north-west corner."""
    x, y, z = directions(layer)
    rows, columns = lights.shape
    column = (np.degrees(np.arctan2(y, x)) + 180) / 360 * columns
    row = np.clip((90 - np.degrees(np.arctan2(z, np.hypot(x, y)))) / 180 * rows, 0, rows - 1.001)
    left, above = np.floor(column).astype(int), np.floor(row).astype(int)
    across, down = column - left, row - above
    value = lambda dx, dy: lights[above + dy, (left + dx) % columns]
    upper = value(0, 0) * (1 - across) + value(1, 0) * across
    lower = value(0, 1) * (1 - across) + value(1, 1) * across
    samples = upper * (1 - down) + lower * down
    return samples.reshape(SIDE, SAMPLES, SIDE, SAMPLES).mean((1, 3))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    with tarfile.open(arguments[0]) as package:
        jpeg = package.extractfile(MEMBER).read()
    if hashlib.sha256(jpeg).hexdigest() != MEMBER_SHA256:
        sys.exit(f"{arguments[0]}: another {MEMBER} than expected")
    lights = light(np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB")))
    cube = np.concatenate([face(lights, layer) for layer in range(6)])
    texels = np.round(np.sqrt(cube / BRIGHTEST) * STEPS).astype(np.uint8)

    target = pathlib.Path(__file__).with_name("nightlights.png")
    if "--check" in sys.argv:
        if not np.array_equal(np.asarray(Image.open(target)), texels):
            sys.exit(f"{target} is not what this script makes")
        return
    Image.fromarray(texels).save(target, optimize=True)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    target.with_suffix(".sha256").write_text(f"{digest}  {target.name}\n")


if __name__ == "__main__":
    main()
