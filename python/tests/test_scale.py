"""The simulation of a bake on many workers: `benches/scale/simulate.py`."""

import dataclasses
import importlib.util
import math
import sys

import pytest
from program import ROOT

_SPEC = importlib.util.spec_from_file_location("simulate", ROOT / "benches/scale/simulate.py")
simulate = importlib.util.module_from_spec(_SPEC)
sys.modules["simulate"] = simulate
_SPEC.loader.exec_module(simulate)


def tasks_of(rng, count):
    draw = rng.uniform
    return [simulate.Task(draw(0, 5e9), draw(0, 3), draw(1, 60), draw(0, 1)) for _ in range(count)]


def cluster_of(rng, workers, **words):
    draw = rng.uniform
    return simulate.Cluster(workers, draw(1e9, 1e10), draw(5e8, 5e9), draw(0, 0.1), **words)


def alone_s(task, cluster):
    return task.bytes / min(cluster.reading, cluster.bandwidth) + task.start_s + task.work_s


def test_one_worker_takes_the_sum(rng):
    for count in (1, 2, 50):
        tasks, cluster = tasks_of(rng, count), cluster_of(rng, 1)
        expected = sum(alone_s(task, cluster) + cluster.hand_out_s for task in tasks)
        assert simulate.simulate(tasks, cluster).wall_s == pytest.approx(expected, rel=1e-9)


def test_nothing_is_better_than_ideal(rng):
    """Also where workers die: all work is done once, every second of every worker is told, and the seed decides."""
    for deaths in (0.0, 20.0):
        for _ in range(10):
            workers = int(rng.integers(1, 40))
            tasks = tasks_of(rng, int(rng.integers(1, 200)))
            cluster = cluster_of(rng, workers, deaths_per_hour=deaths, seed=int(rng.integers(1 << 30)))
            found = simulate.simulate(tasks, cluster)
            least = [
                sum(task.start_s + task.work_s for task in tasks) / workers,
                sum(task.bytes for task in tasks) / cluster.bandwidth,
                max(alone_s(task, cluster) for task in tasks),
                len(tasks) * cluster.hand_out_s,
            ]
            assert found.wall_s >= max(least) * (1 - 1e-9)
            assert found.work_s == pytest.approx(sum(task.work_s for task in tasks))
            spent = found.work_s + found.start_s + found.bytes_s + found.lost_s + found.idle_s
            assert spent == pytest.approx(workers * found.wall_s)
            assert min(found.start_s, found.bytes_s, found.lost_s, found.idle_s + 1e-6) >= 0.0
            assert (found.deaths > 0) <= (deaths > 0.0)
            assert found == simulate.simulate(tasks, cluster)


def test_equal_tasks_scale_with_workers(rng):
    for workers in (1, 16, 1024):
        each, rounds = rng.uniform(1, 100), int(rng.integers(1, 5))
        tasks = [simulate.Task(0.0, 0.0, each)] * (workers * rounds)
        assert simulate.simulate(tasks, simulate.Cluster(workers)).wall_s == pytest.approx(rounds * each)


def test_transfers_share_the_bandwidth(rng):
    """Beside small steps of time, in which each gets its part."""
    for _ in range(3):
        workers = int(rng.integers(2, 6))
        # Short work, so that transfers begin and end beside others.
        tasks = [dataclasses.replace(task, work_s=1.0) for task in tasks_of(rng, int(rng.integers(3 * workers, 20)))]
        cluster = dataclasses.replace(cluster_of(rng, workers), hand_out_s=0.0)
        step, now, read_s, waiting, running = 0.01, 0.0, 0.0, list(tasks), []
        while waiting or running:
            while waiting and len(running) < workers:
                task = waiting.pop(0)
                running.append([task.bytes, task.start_s + task.work_s])
            reading = [run for run in running if run[0] > 0.0]
            rate = min(cluster.reading, cluster.bandwidth / max(1, len(reading)))
            read_s += len(reading) * step
            for run in running:
                if run[0] > 0.0:
                    run[0] -= rate * step
                else:
                    run[1] -= step
            running = [run for run in running if run[0] > 0.0 or run[1] > 0.0]
            now += step
        # Each task may be two steps late, and those after it.
        found, slack = simulate.simulate(tasks, cluster), 2 * step * len(tasks)
        assert abs(found.wall_s - now) <= slack and abs(found.bytes_s - read_s) <= slack


def test_a_bake_is_no_faster_than_its_workers(rng):
    """All tiles are made, its parts are all of its time, and what is taken from the program makes nothing slower."""
    costs = simulate.Costs(
        tiles=100_000,
        files=100,
        source_bytes=3e9,
        tile_s=rng.uniform(5e-3, 2e-2),
        uneven=tuple(rng.uniform(0.5, 2.0, 9)),
        tile_read=1e5,
        tile_written=6e4,
        start_s=0.1,
        walk_s=5e-6,
        copy_s=3e-4,
        seam_s=5e-3,
    )
    lean = simulate.Program("lean", copies=0.0, seams=0.0)
    for workers in (1, 16, 128):
        cluster = cluster_of(rng, workers)
        now, then = (simulate.project(costs, program, cluster) for program in (simulate.Program("now"), lean))
        for row in (now, then):
            assert row.speed_up <= workers * (1 + 1e-9)
            assert sum(row.parts.values()) == pytest.approx(1.0)
            assert row.parts["tiles"] * row.wall_s * workers == pytest.approx(costs.tile_s * costs.tiles)
        assert then.wall_s <= now.wall_s * (1 + 1e-9)
    assert not math.isclose(now.wall_s, then.wall_s)
    # One run reads all files once, a share some of them, together at least all.
    read = [costs.read_for_key(shares) for shares in (1, 2, 10, 1000)]
    assert read[0] == costs.source_bytes and read == sorted(read, reverse=True)
    assert all(shares * of_share >= read[0] for shares, of_share in zip((1, 2, 10, 1000), read))
