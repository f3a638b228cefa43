"""Does Python draw what the program draws? Pictures pixel for pixel, on the software device of Mesa."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from program import RASTER, needs_program, run

import orogen

SMALL = {"size": (160, 90), "pixel_error": 4, "software": True}


def drawn(tmp_path, sources, *words, name="program.png"):
    """The file that the program writes."""
    file = tmp_path / name
    run("render", "-o", file, "--overwrite", "--no-cache", "-q", "--software", "--size", "160x90", "--pixel-error", 4, *words, *sources)
    return file


VIEWS = {
    "of an eye": (
        {"at": (36.25, -84.35, 2500), "look": (40, -15), "overlays": ["contours", "graticule"], "exaggerate": 1.5, "fov": 60},
        ["--at=36.25,-84.35,2500", "--look=40,-15", "--overlays=contours,graticule", "--exaggerate=1.5", "--fov=60"],
    ),
    "of a box, in the evening": (
        {"fit": (-84.3, 36.25, -84.2, 36.35), "look": (90, -30), "time": np.datetime64("2026-06-21T23:30"), "samples": 1},
        ["--fit=-84.3,36.25,-84.2,36.35", "--look=90,-30", "--time=2026-06-21T23:30Z", "--samples=1"],
    ),
    "of the data": (
        {"sun": (200, 20), "shadows": False, "water": False, "ramp": "viridis"},
        ["--sun=200,20", "--shadows=off", "--water=off", "--ramp=viridis"],
    ),
}


@needs_program
@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_is_that_of_the_program(tmp_path, earth, view):
    rasterio = pytest.importorskip("rasterio")
    options, words = VIEWS[view]
    with rasterio.open(RASTER) as dataset:
        surface = orogen.Surface.open(dataset, below=orogen.Surface.open(earth))
    picture = orogen.render(surface, **SMALL, **options)
    with rasterio.open(drawn(tmp_path, [RASTER, earth], *words)) as file:
        pixels = np.moveaxis(file.read(), 0, -1)
    array = np.asarray(picture)
    assert array.shape == (90, 160, 4) and array.dtype == np.uint8 and (array[..., 3] == 255).all()
    assert np.array_equal(array[..., :3], pixels) and np.unique(pixels.reshape(-1, 3), axis=0).shape[0] > 50


@needs_program
def test_a_file_is_that_of_the_program(tmp_path, earth):
    orogen.render(earth, **SMALL, detail="all").save(tmp_path / "python.png")
    assert (tmp_path / "python.png").read_bytes() == drawn(tmp_path, [earth], "--detail=all").read_bytes()
    linear = orogen.render(earth, **SMALL, detail="all", linear=True)
    linear.save(tmp_path / "python.exr")
    assert (tmp_path / "python.exr").read_bytes() == drawn(tmp_path, [earth], "--detail=all", name="a.exr").read_bytes()


@pytest.fixture(scope="module")
def hills():
    rng = np.random.default_rng(int(os.environ.get("OROGEN_SEED") or np.random.SeedSequence().entropy % 2**32))
    rows, columns = np.mgrid[0:80, 0:100]
    ground = 400 + 150 * np.sin(rows / 7.0) * np.cos(columns / 9.0) + rng.uniform(0, 30, (80, 100))
    return orogen.Surface.open(ground.astype(np.float32), transform=(30, 0, 500_000, 0, -30, 5_100_000), crs="EPSG:32632")


NEAR = {"at": (46.03, 9.02, 1500), "look": (30, -20)}


def test_the_picture_of_the_earth_ships():
    earth = orogen.Surface.earth()
    view = {"at": (10.0, 20.0, 9e6), "look": (0, -90)}
    tints, marble = (orogen.render(earth, **SMALL, **view, overlays=shown).pixels.astype(int) for shown in ([], ["imagery"]))
    assert np.abs(tints - marble).mean() > 5
    # The Sahara, and the Atlantic.
    rows, columns, _ = marble.shape
    desert, sea = marble[rows // 4, columns // 2], marble[rows // 2, columns // 3]
    assert desert[0] > desert[2] and sea[2] > sea[0], (desert, sea)


def test_the_second_view_of_a_scene_is_that_of_a_fresh_one(hills):
    studio = orogen.Studio(hills, **SMALL)
    views = [NEAR, {"fit": hills.bounds, "fov": 20, "time": "2026-03-20T17:00Z"}, NEAR]
    film = [studio.picture(**view).pixels for view in views]
    assert np.array_equal(film[1], orogen.Studio(hills, **SMALL).picture(**views[1]).pixels)
    assert np.array_equal(film[0], film[2]) and not np.array_equal(film[0], film[1])


def test_a_picture_is_an_array_a_file_and_a_sight_in_a_notebook(hills, tmp_path):
    picture = hills.render(**SMALL, **NEAR)
    assert picture._repr_png_().startswith(b"\x89PNG") and "160 x 90" in repr(picture)
    assert np.array(picture, dtype=float).shape == picture.shape == (90, 160, 4)
    for name, magic in (("a.png", b"\x89PNG"), ("a.jpg", b"\xff\xd8"), ("a.webp", b"RIFF")):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(magic)
    with pytest.raises(ValueError, match="a.png, .jpg or .webp"):
        picture.save(tmp_path / "a.xyz")
    with pytest.raises(OSError, match="cannot write"):
        picture.save(tmp_path / "none" / "a.png")
    for shape in [(90, 160, 3), (90, 160, 5), (160, 90 * 4, 1)]:
        picture.pixels = np.zeros(shape, np.uint8)
        with pytest.raises(ValueError, match="rows, columns and RGBA"):
            picture.save(tmp_path / "b.png")
    assert not (tmp_path / "b.png").exists()


def test_linear_light_has_no_end_at_white(hills, tmp_path):
    # Towards the sun over the ground.
    view = {"at": (46.03, 9.02, 1500), "look": (180, 10), "sun": (180, 12)}
    linear, picture = (hills.render(**SMALL, **view, linear=linear) for linear in (True, False))
    light, seen = np.asarray(linear), np.asarray(picture)
    assert light.dtype == np.float32 and light.shape == seen.shape and (light[..., 3] == 1).all()
    assert light[..., :3].max() > 1 and light[..., :3].min() >= 0
    assert linear._repr_png_() is None and picture._repr_png_() is not None
    with pytest.raises(ValueError, match="a.exr: its light is linear"):
        linear.save(tmp_path / "a.png")
    with pytest.raises(ValueError, match="a.png, .jpg or .webp"):
        picture.save(tmp_path / "a.exr")
    with pytest.raises(ValueError, match="float32"):
        linear.__array__(np.uint8, copy=False)


@pytest.mark.parametrize(
    "options, says",
    [
        ({"at": (95, 7, 100)}, "latitude 95"),
        ({"at": (46, float("nan"), 100)}, "2 or 3 finite numbers"),
        ({"at": (46,)}, "2 or 3 finite numbers"),
        ({"at": "Atlantis Nova"}, "at=Atlantis Nova: "),
        ({"at": (46, 7), "fit": (7, 45, 8, 46)}, "at and fit exclude each other"),
        ({"fit": (7, 46, 8, 45)}, "south 46"),
        ({"look": (0, -100)}, "pitch -100"),
        ({"size": (0, 90)}, "0x90"),
        ({"size": (1.5, 90)}, "WIDTHxHEIGHT"),
        ({"fov": 200}, "field of view 200"),
        ({"samples": 3}, "samples=3: expected 1 or 4"),
        ({"overlays": ["contour"]}, "contours"),
        ({"ramp": "grape"}, "grey"),
        ({"sun": (0, 99)}, "elevation 99"),
        ({"sun": (0, 9), "time": "now"}, "exclude each other"),
        ({"time": "noon"}, "noon"),
        ({"mesh": "moon"}, "mesh=moon: choose one of cpu, gpu"),
        ({"pixel_error": float("inf")}, "finite number"),
        ({"triangles": 3}, "from 64"),
    ],
)
def test_a_picture_that_cannot_be_says_why(hills, options, says):
    with pytest.raises(ValueError, match=says):
        orogen.render(hills, **{**SMALL, **options})


def test_what_is_no_surface_is_refused():
    with pytest.raises(ValueError, match="transform="):
        orogen.render(np.ones((4, 4)))
    with pytest.raises(TypeError, match="horizon"):
        orogen.render(np.ones((4, 4)), horizon=3)


def test_an_eye_under_the_ground_is_raised(hills):
    with pytest.warns(UserWarning, match="raised by"):
        hills.render(**SMALL, at=(46.03, 9.02, -200), look=(0, 0))


def test_without_a_device_it_is_said_what_to_install():
    code = """if True:
        import numpy as np, orogen
        surface = orogen.Surface.open(np.ones((4, 4)), transform=(1, 0, 7, 0, -1, 46), crs="EPSG:4326")
        try:
            surface.render()
        except RuntimeError as error:
            assert "apt install mesa-vulkan-drivers" in str(error), error
            print("said")
        """
    none = {"VK_DRIVER_FILES": "/nowhere.json", "VK_ICD_FILENAMES": "/nowhere.json", "WGPU_BACKEND": "vulkan"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **none}, timeout=60)
    assert done.stdout == "said\n", done.stderr


def test_ctrl_c_ends_a_picture_and_the_scene_goes_on(hills):
    studio = orogen.Studio(hills, **{**SMALL, "pixel_error": 0.05, "triangles": 1 << 20})
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for heading in range(360):
            studio.picture(at=(46.03, 9.02, 1500), look=(heading, -20))
    assert time.monotonic() - start < 20
    assert studio.picture(**NEAR).shape == (90, 160, 4)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_studio_stays_in_its_process(hills):
    studio = orogen.Studio(hills, **SMALL)
    child = os.fork()
    if child == 0:
        try:
            studio.picture(**NEAR)
        except RuntimeError as error:
            os._exit(0 if "belongs to its process" in str(error) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_that_forgets_a_studio_leaves_it_to_its_parent(hills):
    studio = orogen.Studio(hills, **SMALL)
    before = studio.picture(**NEAR).pixels
    child = os.fork()
    if child == 0:
        # A device that was destroyed here would wait for threads that are not.
        signal.alarm(30)
        del studio
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(studio.picture(**NEAR).pixels, before)
