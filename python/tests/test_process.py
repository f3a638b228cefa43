"""Does a long life do no harm? Memory stays flat, Ctrl-C ends a call, forks go on, documentation runs."""

import doctest
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import orogen
from orogen import _mesh, _picture, _sky, _studio, _surface

G = {"transform": (0.001, 0, 7.0, 0, -0.001, 46.0), "crs": "EPSG:4326"}


def resident_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")
def test_ten_thousand_calls_do_not_leak():
    times = int(os.environ.get("OROGEN_CALLS") or 10_000)
    surface = orogen.Surface.open(np.ones((50, 50)), **G)
    lat, lon = np.full(100, 45.98), np.linspace(7.0, 7.05, 100)
    out = np.empty(100)

    def calls(times):
        for _ in range(times):
            surface.heights(lat, lon, out)
            surface.slope(45.98, 7.02)

    calls(times // 5)
    before = resident_kib()
    calls(times)
    # 80 bytes a call.
    assert resident_kib() - before < 0.08 * max(times, 10_000)
    for _ in range(20):
        orogen.Surface.open(np.ones((300, 300)), **G)
    before = resident_kib()
    for _ in range(100):
        orogen.Surface.open(np.ones((300, 300)), **G)
    # One of them is 0.4 MB.
    assert resident_kib() - before < 8_000


# Each method in its smallest form.
CALLS = {
    "horizon": lambda s: s.horizon(45.98, 7.02, directions=2),
    "horizons": lambda s: s.horizons(at=(45.98, 7.02), radius=200, cell=100, directions=2, reach=200),
    "skyview": lambda s: s.skyview(at=(45.98, 7.02), radius=200, cell=100, directions=2, reach=200),
    "skyview of places": lambda s: s.skyview(45.98, [7.02, 7.03], directions=2),
    "insolation": lambda s: s.insolation(
        at=(45.98, 7.02), radius=200, cell=100, directions=2, reach=200, start="2026-06-21T10:00Z", end="2026-06-21T11:00Z"
    ),
    "insolation of places": lambda s: s.insolation(
        45.98, 7.02, directions=2, start="2026-06-21T10:00Z", end="2026-06-21T11:00Z"
    ),
    "mesh": lambda s: s.mesh((7.01, 45.97, 7.02, 45.98), error=5.0),
    "shade": lambda s: s.shade(width=8),
    "picture": lambda s: s._repr_png_(),
    "viewshed": lambda s: s.viewshed(45.98, 7.02, 300, cell=100),
    "sight": lambda s: s.sight(45.98, 7.02, 45.98, 7.03),
    "ray": lambda s: s.ray(45.98, 7.02, 500.0, 90, -20),
    "profile": lambda s: s.profile(45.98, 7.02, 45.98, 7.03, samples=5),
}


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")
@pytest.mark.parametrize("name", CALLS)
def test_no_method_leaks(name):
    surface = orogen.Surface.open(np.random.default_rng(1).uniform(0, 50, (50, 50)), **G)
    call = CALLS[name]
    times = 5 if name == "picture" else int(os.environ.get("OROGEN_CALLS") or 150)
    # The first pictures take what all of them share.
    for _ in range(max(times // 3, 3)):
        call(surface)
    before = resident_kib()
    for _ in range(times):
        call(surface)
    grown = resident_kib() - before
    print(f"{name}: {grown} KiB in {times} calls")
    assert grown < 6_000


def rough(seed=1, side=400):
    values = np.random.default_rng(seed).uniform(0, 50, (side, side))
    return orogen.Surface.open(values, transform=(0.0003, 0, 7.0, 0, -0.0003, 46.0), crs="EPSG:4326")


def test_ctrl_c_ends_a_viewshed():
    surface = rough()
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        surface.viewshed(45.94, 7.06, 5_000, eye_height=300, cell=2.0)
    assert time.monotonic() - start < 20


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.horizon(np.full(100_000, 45.94), 7.06),
        lambda s: s.horizons(cell=5.0, directions=8),
        lambda s: s.skyview(cell=5.0),
        lambda s: s.insolation(cell=30.0, directions=4, reach=100.0, start="2024-01-01T00:00Z", end="2026-01-01T00:00Z"),
        lambda s: s.insolation(np.full(100_000, 45.94), 7.06, start="2026-06-21T00:00Z", end="2026-06-22T00:00Z"),
        lambda s: s.sunlight(np.full(100_000, 45.94), 7.06, 2026),
        lambda s: s.mesh(spacing=5.0, error=0.0),
        lambda s: s.profile(45.94, 7.06, 45.95, 7.07, samples=10_000_000),
    ],
)
def test_ctrl_c_ends_horizons_and_light(ask):
    surface = rough()
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask(surface)
    assert time.monotonic() - start < 20


def test_horizons_and_light_tell_how_far_they_are():
    day = {"start": "2026-06-21T00:00Z", "end": "2026-06-22T00:00Z"}
    area = {"at": (45.94, 7.06), "radius": 500, "cell": 50, "directions": 4, "reach": 1_000.0}
    for ask in [
        lambda s, told: s.horizon(np.full(4, 45.94), 7.06, directions=8, progress=told),
        lambda s, told: s.horizons(**area, progress=told),
        lambda s, told: s.skyview(**area, progress=told),
        lambda s, told: s.skyview(45.94, 7.06, directions=8, progress=told),
        lambda s, told: s.insolation(**area, **day, progress=told),
        lambda s, told: s.sunlight(45.94, 7.06, 2026, progress=told),
    ]:
        heard = []
        ask(rough(), lambda done, total: heard.append((done, total)))
        assert heard[-1][0] == heard[-1][1] > 0 and all(0 <= done <= total for done, total in heard)


def test_progress_is_heard():
    heard = []
    rough().viewshed(45.94, 7.06, 2_000, cell=100.0, progress=lambda done, total: heard.append((done, total)))
    assert heard[-1][0] == heard[-1][1] > 1 and all(0 <= done <= total for done, total in heard)
    with pytest.raises(ZeroDivisionError):
        rough().viewshed(45.94, 7.06, 3_000, cell=20.0, progress=lambda done, total: 1 / 0)

    class Bar:
        total, n = None, 0

        def update(self, by):
            self.n += by

    bar = Bar()
    rough().heights(np.full(100_000, 45.94), 7.06, progress=bar)
    assert (bar.n, bar.total) == (100_000, 100_000)


def test_python_goes_on_while_a_call_works():
    surface, ticks, over = rough(), [], threading.Event()

    def ask():
        surface.viewshed(45.94, 7.06, 4_000, eye_height=100, cell=10.0)
        over.set()

    thread = threading.Thread(target=ask)
    thread.start()
    while not over.wait(0.01):
        ticks.append(time.monotonic())
    thread.join()
    assert len(ticks) > 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_has_threads_of_its_own():
    program = """
import os, sys, warnings
import numpy as np, orogen
warnings.simplefilter("ignore")
G = dict(transform=(30, 0, 500000.0, 0, -30, 5100000.0), crs="EPSG:32632")
surface = orogen.Surface.open(np.full((90, 90), 7.0), **G)
lat, lon = np.full(50_000, 46.045), np.full(50_000, 9.005)
assert surface.heights(lat, lon)[0].round(6) == 7
child = os.fork()
if child == 0:
    again = orogen.Surface.open(np.full((90, 90), 7.0), **G)
    os._exit(0 if surface.heights(lat, lon)[0].round(6) == again.heights(lat, lon)[0].round(6) == 7 else 1)
sys.exit(os.waitpid(child, 0)[1])
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_documentation_runs():
    attempted = 0
    for module in (_mesh, _picture, _sky, _studio, _surface):
        found = doctest.testmod(module, extraglobs={"np": np, "orogen": orogen})
        assert found.failed == 0
        attempted += found.attempted
    assert attempted > 45


def test_the_readme_runs(tmp_path, monkeypatch):
    readme = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "README.md"))
    # It writes a picture.
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(readme, module_relative=False)
    assert found.attempted > 10 and found.failed == 0
