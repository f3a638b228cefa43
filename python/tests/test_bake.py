"""Is a pack that Python bakes the program's, byte for byte? Alone, in shares, by workers of Dask that die."""

import os
import pathlib
import signal
import threading
import time

import pytest
from program import RASTER, needs_program, run

import orogen

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
    ],
)
def test_a_pack_that_cannot_be_says_why(source, tmp_path, more, error, says):
    with pytest.raises(error, match=says):
        orogen.bake(source, tmp_path / "a.pack", **more)


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
        while not list(tmp_path.glob("*.part")):
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


def test_what_a_worker_refuses_is_an_exception_here(source, tmp_path, client):
    with pytest.raises(ValueError, match="the deepest is 22"):
        orogen.bake(source, tmp_path / "a.pack", max_level=30, client=client)
    (tmp_path / "a.pack").write_text("mine")
    with pytest.raises(FileExistsError, match="is no pack"):
        orogen.bake(source, tmp_path / "a.pack", client=client)
    with pytest.raises(ValueError, match="shards=0"):
        orogen.bake(source, tmp_path / "b.pack", client=client, shards=0)
