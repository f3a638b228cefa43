"""Is a pack that Python bakes the program's, byte for byte? Alone, in shares, by workers of Dask that die."""

import os
import pathlib
import signal
import threading
import time

import pytest
from program import RASTER, needs_program, run

import orogen
from orogen import _bake

pytestmark = needs_program

# Some tiles of 9.8 km, and all that lie above them.
RECIPE = {"bbox": (-10, 35, 30, 60), "max_level": 2}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    pack = tmp_path_factory.mktemp("baked") / "earth.pack"
    run("bake", "-o", pack, "--max-level", 2, "--bbox=-20,20,40,70")
    return pack


@pytest.fixture(scope="module")
def expected(tmp_path_factory, source):
    out = tmp_path_factory.mktemp("baked") / "program.pack"
    run("bake", "-o", out, "--bbox=-10,35,30,60", "--max-level", 2, source)
    return out.read_bytes()


def test_a_pack_is_that_of_the_program(source, expected, tmp_path):
    out, heard = tmp_path / "a.pack", []
    orogen.bake(source, out, **RECIPE, progress=lambda done, total: heard.append((done, total)))
    assert out.read_bytes() == expected
    assert heard == sorted(heard) and heard[-1] == (1000, 1000)
    stamp = out.stat().st_mtime_ns
    orogen.bake([source], out, **RECIPE)
    assert out.stat().st_mtime_ns == stamp
    with pytest.raises(FileExistsError, match="other data or options"):
        orogen.bake(source, out, max_level=2)
    orogen.bake(source, out, max_level=1, overwrite=True)
    assert len(out.read_bytes()) < len(expected)


def test_shares_are_joined_to_the_same_pack(source, expected, tmp_path):
    shards = [tmp_path / f"{k}.pack" for k in range(1, 4)]
    for k, shard in enumerate(shards, 1):
        orogen.bake(source, shard, **RECIPE, shard=(k, 3))
    with pytest.raises(ValueError, match="is missing"):
        orogen.merge(shards[1:], tmp_path / "a.pack")
    orogen.merge(shards[::-1], tmp_path / "a.pack")
    assert (tmp_path / "a.pack").read_bytes() == expected


def test_ctrl_c_ends_a_bake_and_the_next_one_continues_it(source, expected, tmp_path):
    out, at = tmp_path / "a.pack", []

    def interrupt(done, total):
        at.append(done)
        if 0 < done < 1000 and len(at) < 1000:
            os.kill(os.getpid(), signal.SIGINT)
            at.extend([0] * 1000)

    with pytest.raises(KeyboardInterrupt):
        orogen.bake(source, out, **RECIPE, progress=interrupt)
    assert not out.exists() and pathlib.Path(f"{out}.part").stat().st_size > 0
    orogen.bake(source, out, **RECIPE)
    assert out.read_bytes() == expected


@pytest.mark.parametrize(
    "more, error, says",
    [
        ({"max_level": 30}, ValueError, "the deepest is 22"),
        ({"bbox": (9, 45, 8, 46)}, ValueError, "west < east"),
        ({"shard": (3, 2)}, ValueError, "the last N/N"),
        ({"shards": 2}, ValueError, "client="),
        ({"band": 2}, ValueError, "pack"),
        ({"vdatum": "sea"}, ValueError, "egm2008"),
        ({"unit": "degC"}, ValueError, "degC"),
        ({"bbox": (5, 44)}, ValueError, "west, south, east, north"),
        ({"max_level": 2.5}, ValueError, "max_level=2.5"),
        ({"nodata": "x"}, TypeError, "nodata has to be numbers"),
        ({"shard": 2}, TypeError, "i-th of n shares"),
        ({"feather": 3}, ValueError, "leave out band="),
        ({"sources": [], "crs": "EPSG:4326"}, ValueError, "crs: how rasters are read"),
        ({"path": ""}, ValueError, "a path is empty"),
    ],
)
def test_a_pack_that_cannot_be_says_why(source, tmp_path, more, error, says):
    with pytest.raises(error, match=says):
        orogen.bake(**{"sources": source, "path": tmp_path / "a.pack"} | more)


def test_sources_that_cannot_be_read_say_why(tmp_path):
    with pytest.raises(FileNotFoundError):
        orogen.bake(tmp_path / "none.pack", tmp_path / "a.pack")
    if not orogen.has_gdal():
        with pytest.raises(ValueError, match="GDAL"):
            orogen.bake(RASTER, tmp_path / "a.pack")


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_workers_of_dask_make_the_same_pack_also_when_one_is_killed(source, expected, tmp_path, client):
    out, killed = tmp_path / "a.pack", []

    def kill():
        # A worker that is in the middle of a share.
        while not list(tmp_path.rglob("*.part")):
            time.sleep(0.002)
        killed.append(next(iter(client.run(os.getpid).values())))
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    heard = []
    orogen.bake(source, out, **RECIPE, client=client, shards=5, progress=lambda done, total: heard.append((done, total)))
    killer.join()
    assert out.read_bytes() == expected and killed
    assert heard == [(k, 5) for k in range(1, 6)] and [file.name for file in tmp_path.iterdir()] == ["a.pack"]
    stamp = out.stat().st_mtime_ns
    orogen.bake(source, out, **RECIPE, client=client)
    assert out.stat().st_mtime_ns == stamp


def test_a_stopped_call_is_continued_and_files_of_others_stay(source, expected, tmp_path, client):
    out, names = tmp_path / "a.pack", ["a.pack", "a.pack.1-of-5", "a.pack.2-of-5.part"]
    for name in names:
        (tmp_path / name).write_text("mine")

    def stop(_done, _total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        orogen.bake(source, out, **RECIPE, client=client, shards=5, overwrite=True, progress=stop)
    (folder,) = tmp_path.glob("a.pack.*.shares")
    made, heard = {share: share.stat().st_mtime_ns for share in folder.glob("*.pack")}, []

    def look(done, total):
        heard.append((done, total))
        assert made and all(share.stat().st_mtime_ns == stamp for share, stamp in made.items())

    # As many shares as before, however many workers there are.
    orogen.bake(source, out, **RECIPE, client=client, overwrite=True, progress=look)
    assert heard == [(k, 5) for k in range(1, 6)] and out.read_bytes() == expected
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    assert all((tmp_path / name).read_text() == "mine" for name in names[1:])


def test_shares_of_other_data_are_not_continued(source, expected, tmp_path, client):
    out, folder = tmp_path / "a.pack", tmp_path / f"a.pack.{'0' * 16}.shares"
    folder.mkdir()
    (folder / "1-of-3.pack").write_text("of other data")
    heard = []
    orogen.bake(source, out, **RECIPE, client=client, progress=lambda _done, total: heard.append(total))
    assert heard[0] % 4 == 0 and out.read_bytes() == expected and (folder / "1-of-3.pack").exists()


def test_tasks_end_when_their_call_was_stopped(source, tmp_path, client):
    stop = pytest.importorskip("distributed").Event("stopped", client=client)
    stop.set()
    options = ("band", "nodata", "crs", "unit_m", "feather", "valid_range_m", "vdatum")
    recipe = {"files": [str(source)], **RECIPE, **dict.fromkeys(options), "skip_bad": False}
    share = client.submit(_bake._shard, recipe, str(tmp_path / "1-of-1.pack"), (1, 1), "stopped", pure=False)
    with pytest.raises(InterruptedError, match="was stopped"):
        share.result()


def test_without_workers_it_is_said_what_to_start(source, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(_bake, "_WORKER_S", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
        pytest.raises(TimeoutError, match="no worker has come"),
    ):
        orogen.bake(source, tmp_path / "a.pack", client=client)


def test_workers_that_are_gone_are_told_and_the_same_call_goes_on(source, expected, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(_bake, "_WORKER_S", 20.0)
    out = tmp_path / "a.pack"
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        def leave(_done, _total):
            cluster.scale(0)
            monkeypatch.setattr(_bake, "_WORKER_S", 1.0)

        with pytest.raises(TimeoutError, match="no workers any more"):
            orogen.bake(source, out, **RECIPE, client=client, shards=12, progress=leave)
        monkeypatch.setattr(_bake, "_WORKER_S", 60.0)
        cluster.scale(1)
        orogen.bake(source, out, **RECIPE, client=client)
    assert out.read_bytes() == expected


def test_what_a_worker_refuses_is_an_exception_here_and_not_tried_again(source, tmp_path, client):
    def begun():
        steps = client.run_on_scheduler(lambda dask_scheduler: [step[:3] for step in dask_scheduler.transition_log])
        return sum(str(key).startswith("orogen-bake") and after == "processing" for key, _before, after in steps)

    before = begun()
    with pytest.raises(ValueError, match="the deepest is 22"):
        orogen.bake(source, tmp_path / "a.pack", max_level=30, client=client)
    with pytest.raises(FileNotFoundError):
        orogen.bake(tmp_path / "none.pack", tmp_path / "a.pack", client=client)
    (tmp_path / "a.pack").write_text("mine")
    with pytest.raises(FileExistsError, match="is no pack"):
        orogen.bake(source, tmp_path / "a.pack", client=client)
    assert begun() == before + 3
    with pytest.raises(ValueError, match="shards=0"):
        orogen.bake(source, tmp_path / "b.pack", client=client, shards=0)
