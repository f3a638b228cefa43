"""How does a bake scale? Measures shares and joining on this machine, and projects what many workers would take.

    ./x bench scale [-o FILE]       measures (20 minutes of two cores), and projects; needs 4 GB of disk for a while
    ./x bench scale --from FILE     measures what FILE lacks of that, and projects again

Ground is fractal, in cells of one degree with 3601 x 3601 heights (`.hgt`): mountains, hills, coasts, seas. Large
folders name the same four files by many names, so all reads are from memory. Times are seconds of processor, user and
system, of one thread a process.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import datetime
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

import simulate
from simulate import Cluster, Costs, Program, Task

KINDS = ("mountains", "hills", "coast", "sea")
CELL = 3600
CELL_BYTES = 2 * (CELL + 1) ** 2
# West to east and south to north: about a million tiles.
MILLION = (44, 30)
SHARES = 1000
# The level of tiles that is as fine as one second of arc.
FINEST = 11
CORES = (1, 2, 16, 128, 1024)
# An empty share in the middle of a pack: what every share does before its first tile.
EMPTY = (5 * 10**8, 10**9)
# What may be changed, one after the other.
PROGRAMS = (
    Program("as it is"),
    Program("as it is, one share a worker", shares_a_worker=1),
    Program("as it is, 16 shares a worker", shares_a_worker=16),
    Program("as it is, 16 threads and one share a worker", threads=16, shares_a_worker=1),
    Program("what was hashed stays in memory", reads=0.0),
    Program("the same, 16 threads and one share a worker", 16, 1, reads=0.0),
    Program("and opening reads no heights", reads=0.0, opening=0.0),
    Program("and even shares", even=True, reads=0.0, opening=0.0),
    Program("and workers tell errors of seams", even=True, reads=0.0, opening=0.0, seams=0.05),
)


# ---- ground ----------------------------------------------------------------------------------------------------------


def write_kinds(folder: pathlib.Path) -> None:
    """One file of each kind. All have the same heights along their sides, so that any two may be beside each other."""
    import numpy as np

    rng = np.random.default_rng(1)
    k = np.hypot(np.fft.fftfreq(CELL)[:, None], np.fft.rfftfreq(CELL))
    k[0, 0] = np.inf
    ground = np.fft.irfft2(np.exp(2j * np.pi * rng.uniform(size=k.shape)) * k**-1.6, (CELL, CELL))
    ground = (ground - ground.min()) / np.ptp(ground)
    along = np.minimum(np.arange(CELL), CELL - np.arange(CELL)) / 300.0
    inside = np.clip(np.minimum(along[:, None], along), 0.0, 1.0)
    hills = 300.0 * ground
    middle = np.quantile(ground, 0.5)
    of_kind = {
        "mountains": 4000.0 * ground,
        "hills": hills,
        "coast": 1500.0 * (ground - middle),
        "sea": 0.0 * ground,
    }
    for kind, heights in of_kind.items():
        heights = np.maximum(0.0, inside * heights + (1.0 - inside) * hills)
        np.pad(heights, ((0, 1), (0, 1)), mode="wrap").astype(">i2").tofile(folder / f"{kind}.hgt")


def write_cells(folder: pathlib.Path, kinds: pathlib.Path, columns: int, rows: int) -> None:
    """Names for cells north and east of the equator: kinds in turn, shifted from row to row."""
    folder.mkdir()
    for south in range(rows):
        for west in range(columns):
            kind = KINDS[(west + 2 * south + south // 2) % len(KINDS)]
            os.symlink(kinds / f"{kind}.hgt", folder / f"N{south:02d}E{west:03d}.hgt")


# ---- measuring -------------------------------------------------------------------------------------------------------


class Bench:
    """Runs the program in a scratch folder."""

    def __init__(self, program: pathlib.Path, folder: pathlib.Path) -> None:
        self.program, self.folder = program, folder
        self.env = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}

    def run(self, *words: object, threads: int = 1) -> dict:
        """What a run took."""
        env = {**self.env, "RAYON_NUM_THREADS": str(threads)}
        began = time.perf_counter()
        command, quiet = [self.program, *map(str, words)], subprocess.DEVNULL
        process = subprocess.Popen(command, env=env, stdout=quiet, stderr=subprocess.PIPE, text=True)
        said = process.stderr.read()
        # Counters of reads are there until the process is waited for.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        counters = dict(line.split(": ") for line in pathlib.Path(f"/proc/{process.pid}/io").read_text().splitlines())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        if process.returncode:
            raise SystemExit(f"scale: {' '.join(map(str, words))}: {said.strip()}")
        tiles = re.search(r": ([\d,]+) tiles", said)
        return {
            "tiles": int(tiles[1].replace(",", "")) if tiles else 0,
            "cpu_s": usage.ru_utime + usage.ru_stime,
            "user_s": usage.ru_utime,
            "wall_s": time.perf_counter() - began,
            "read": int(counters["rchar"]),
            "reads": int(counters["syscr"]),
            "written": int(counters["wchar"]),
            "resident": usage.ru_maxrss * 1024,
        }

    def share(self, source: pathlib.Path, out: pathlib.Path, share: tuple[int, int], *more: object) -> dict:
        words = ("bake", "-q", source, "-o", out, "--overwrite", "--shard", f"{share[0]}/{share[1]}")
        return self.run(*words, *more)

    def near(self, share: pathlib.Path) -> int:
        """How many files a share says it was read from."""
        header = share.read_bytes()
        return len(json.loads(header[16 : 16 + int.from_bytes(header[12:16], "little")])["read"]["read"])

    def shares(self, source: pathlib.Path, name: str, count: int, workers: int) -> tuple[float, list[dict]]:
        """All shares of a pack by so many workers, first come, first served: seconds on the clock, and of each."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        began = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            made = list(
                pool.map(lambda k: self.share(source, folder / f"{k:04d}.pack", (k, count)), range(1, count + 1))
            )
        return time.perf_counter() - began, made

    def joined(self, name: str, threads: int = 1) -> dict:
        out = self.folder / "joined.pack"
        made = self.run(
            "pack", "merge", *sorted((self.folder / name).glob("*.pack")), "-o", out, "--overwrite", threads=threads
        )
        made["bytes"] = out.stat().st_size
        out.unlink()
        return made

    def opened(self, source: pathlib.Path) -> float | None:
        """How often an empty share opens each file of a folder, if `strace` is there to tell."""
        if not shutil.which("strace"):
            return None
        log = self.folder / "strace"
        words = [self.program, "bake", "-q", source, "-o", self.folder / "empty.pack", "--overwrite"]
        words += ["--shard", "{}/{}".format(*EMPTY)]
        trace = ["strace", "-f", "-e", "trace=openat", "-o", log]
        subprocess.run([*trace, *words], env=self.env, check=True, stderr=subprocess.DEVNULL)
        of_source = [line for line in log.read_text().splitlines() if f"{source}/" in line and "ENOENT" not in line]
        return len(of_source) / len(os.listdir(source))


def sources(bench: Bench) -> dict[str, pathlib.Path]:
    """Folders of cells: a few thousand tiles, more, and a million."""
    kinds = bench.folder / "kinds"
    kinds.mkdir()
    write_kinds(kinds)
    folders = {name: bench.folder / name for name in ("small", "middle", "large")}
    for folder, size in zip(folders.values(), ((2, 2), (4, 4), MILLION)):
        write_cells(folder, kinds, *size)
    return folders


def turns(bench: Bench, folders: dict[str, pathlib.Path], rounds: int) -> list[dict]:
    """One worker and two, in turns."""
    made = []
    for _ in range(rounds):
        for workers in (1, 2):
            wall, shares = bench.shares(folders["small"], "s16", 16, workers)
            made.append({"workers": workers, "wall_s": wall, "shares": shares})
    return made


def joins(bench: Bench, folders: dict[str, pathlib.Path], rounds: int) -> list[dict]:
    """Joining, of packs of two sizes and of few and many shares; one share has no seams."""
    made = []
    for source, count in (("small", 1), ("small", 4), ("small", 64), ("middle", 16)):
        bench.shares(folders[source], "join", count, 2)
        for threads in (1, 2) * rounds:
            made.append({"source": source, "shares": count, "threads": threads, **bench.joined("join", threads)})
    return made


def starts(bench: Bench, folders: dict[str, pathlib.Path], rounds: int) -> list[dict]:
    """What a share does before its first tile, and how long files take that are read for the key."""
    made = []
    for source in ("middle", "large"):
        # All files and all tiles; all files and few tiles. The first of all reads headers that the others find.
        for level in (22, 22, 8) + (22, 8) * (rounds - 1):
            share = bench.share(folders[source], bench.folder / "empty.pack", EMPTY, "--max-level", level)
            made.append({"source": source, "max_level": level, **share})
    # A pack that is there is looked at by hashing all files.
    words = ("bake", "-q", folders["middle"], "-o", bench.folder / "there.pack", "--max-level", 0)
    for _ in range(rounds + 1):
        made.append({"source": "middle", "max_level": 0, **bench.run(*words)})
    return made


def large(bench: Bench, folders: dict[str, pathlib.Path], _rounds: int) -> dict:
    """Twelve of a thousand shares of a million tiles."""


    def share(k: int) -> dict:
        out = bench.folder / f"l{k}.pack"
        return {**bench.share(folders["large"], out, (k, SHARES)), "near": bench.near(out)}

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        shares = pool.map(share, range(SHARES // 24, SHARES, SHARES // 12))
        return {"shares": list(shares), "tiles": tiles_of(bench, folders["large"])}


def opened(bench: Bench, folders: dict[str, pathlib.Path], _rounds: int) -> float | None:
    """How often an empty share opens each file."""
    return bench.opened(folders["middle"])


def earth(bench: Bench, _folders: dict[str, pathlib.Path], _rounds: int) -> dict:
    """All land of the Earth, in cells of one degree."""
    cells, land, of_area = land_cells(bench)
    return {"cells": cells, "land": land, "cells_of_area": of_area}


STEPS = (turns, joins, starts, large, opened, earth)


def measure(bench: Bench, rounds: int, measured: dict, save: typing.Callable[[], None]) -> None:
    """Measures what has not been measured yet."""
    folders = sources(bench)
    for step in STEPS:
        if step.__name__ not in measured:
            print(f"scale: {step.__doc__}", file=sys.stderr, flush=True)
            before = os.getloadavg()[0]
            measured[step.__name__] = step(bench, folders, rounds)
            load = [round(before, 1), round(os.getloadavg()[0], 1)]
            measured.setdefault("runs", {})[step.__name__] = {"date": datetime.date.today().isoformat(), "load": load}
            save()


def tiles_of(bench: Bench, source: pathlib.Path) -> int:
    told = subprocess.run(
        [bench.program, "bake", "-q", source, "--estimate", "--json"], env=bench.env, check=True, capture_output=True
    )
    return json.loads(told.stdout)["tiles"]


def land_cells(bench: Bench) -> tuple[int, float, float]:
    """How many cells of one degree have ground above the sea, the land's share of the Earth, and theirs.

    By the embedded relief every ten minutes.
    """
    steps = [(k + 0.5) / 6 for k in range(6)]
    all_cells = [(south, west) for south in range(-90, 90) for west in range(-180, 180)]
    places = "".join(f"{south + y:.3f},{west + x:.3f}\n" for south, west in all_cells for y in steps for x in steps)
    told = subprocess.run(
        [bench.program, "query", "height"], input=places, env=bench.env, check=True, capture_output=True, text=True
    )
    above = [float(line.split(",", 3)[2]) > 0.0 for line in told.stdout.splitlines()[1:]]
    cells, land, of_cells, all_area = 0, 0.0, 0.0, 0.0
    for k, (south, west) in enumerate(all_cells):
        area = math.cos(math.radians(south + 0.5))
        dry = sum(above[36 * k : 36 * k + 36])
        all_area += area
        land += area * dry / 36
        if dry:
            cells += 1
            of_cells += area
    return cells, land / all_area, of_cells / all_area


# ---- costs -----------------------------------------------------------------------------------------------------------


def costs_of(measured: dict) -> tuple[Costs, float]:
    """Costs of the pack of a million tiles, and bytes a second that one core reads and hashes."""

    def start(source: str, level: int, what: str = "cpu_s") -> float:
        runs = [s for s in measured["starts"] if (s["source"], s["max_level"]) == (source, level)]
        # The first run of all tiles is the first on the machine.
        return statistics.median(s[what] for s in runs[level == 22 :])

    tiles, files, few = measured["large"]["tiles"], MILLION[0] * MILLION[1], 4 * 4
    begin = start("large", 8)
    walk = (start("large", 22) - begin) / tiles
    # The first run makes the pack.
    there = [s["cpu_s"] for s in measured["starts"] if s["max_level"] == 0][1:]
    reading = (statistics.median(there) - start("middle", 8)) / few
    shares = measured["large"]["shares"]
    uneven = [share["cpu_s"] - start("large", 22) - share["near"] * reading for share in shares]
    # Some shares have many tiles and some few: each stands for as much of the work.
    a_tile = SHARES / tiles
    before = start("large", 22, "read")
    read = a_tile * statistics.mean(share["read"] - before - share["near"] * CELL_BYTES for share in shares)
    written = a_tile * statistics.mean(share["written"] - start("large", 22, "written") for share in shares)
    # Those with coarse tiles have many more.
    beside = math.sqrt(statistics.median(share["near"] for share in shares)) - math.sqrt(files / SHARES)
    copy, seam = joining(measured["joins"])
    costs = Costs(
        tiles=tiles,
        files=files,
        source_bytes=float(files * CELL_BYTES),
        tile_s=a_tile * statistics.mean(uneven),
        uneven=tuple(uneven),
        tile_read=read,
        tile_written=written,
        start_s=begin,
        walk_s=walk,
        copy_s=copy,
        seam_s=seam,
        beside=beside,
        opening=before,
    )
    return costs, CELL_BYTES / reading


def joining(made: list[dict]) -> tuple[float, float]:
    """Seconds of a tile that is copied, and of one whose errors are told, in the largest pack; of one thread."""
    alone = [join for join in made if join["threads"] == 1]
    copy = statistics.median(join["cpu_s"] / join["tiles"] for join in alone if join["shares"] == 1)
    most = max(join["tiles"] for join in alone)
    large = [join for join in alone if join["tiles"] == most]
    seam = [(j["cpu_s"] - copy * j["tiles"]) / (Costs.seam * (j["tiles"] * j["shares"]) ** 0.5) for j in large]
    return copy, statistics.median(seam)


# ---- telling ---------------------------------------------------------------------------------------------------------


def summary(measured: dict) -> dict:
    """Medians of what was measured, for tables."""
    costs, reading = costs_of(measured)
    by_workers = {w: [turn for turn in measured["turns"] if turn["workers"] == w] for w in (1, 2)}
    cpu = {w: statistics.median(sum(s["cpu_s"] for s in t["shares"]) for t in of) for w, of in by_workers.items()}
    wall = {w: statistics.median(t["wall_s"] for t in of) for w, of in by_workers.items()}
    # As if nothing else ran: shares by their processor time, on as many workers.
    quiet = {
        w: statistics.median(
            simulate.simulate([Task(0.0, 0.0, share["cpu_s"]) for share in turn["shares"]], Cluster(w)).wall_s
            for turn in of
        )
        for w, of in by_workers.items()
    }
    each = [s["cpu_s"] / s["tiles"] for t in by_workers[1] for s in t["shares"]]
    return {
        "wall_1_over_2": wall[1] / wall[2],
        "wall_1_over_2_by_processor_time": quiet[1] / quiet[2],
        "cpu_2_over_1": cpu[2] / cpu[1],
        "tile_s": costs.tile_s,
        "share_over_mean_least_most": [f(costs.uneven) / statistics.mean(costs.uneven) for f in (min, max)],
        "tile_s_small_least_most": [min(each), max(each)],
        "tile_written": costs.tile_written,
        "tile_read": costs.tile_read,
        "walk_s": costs.walk_s,
        "read_and_hashed_a_second": reading,
        "start_s": costs.start(),
        "opening_read": costs.opening,
        "files_near_least_median_most": [
            f(share["near"] for share in measured["large"]["shares"]) for f in (min, statistics.median, max)
        ],
        "copy_s": costs.copy_s,
        "seam_s": costs.seam_s,
    }


def rows(costs: Costs, cluster: Cluster, joins: int) -> list[simulate.Row]:
    return [
        simulate.project(costs, program, dataclasses.replace(cluster, workers=cores), joins)
        for program in PROGRAMS
        for cores in CORES
        if cores >= program.threads
    ]


def bill(measured: dict, costs: Costs, reading: float, program: Program, shares: int) -> dict:
    """What a bake of some shares costs all over: core hours, bytes and requests."""
    empty = [s for s in measured["starts"] if (s["source"], s["max_level"]) == ("large", 22)][1:]
    before = statistics.median(s["reads"] for s in empty)
    of_share = statistics.mean(s["reads"] - before for s in measured["large"]["shares"])
    reads = of_share * SHARES / measured["large"]["tiles"]
    key = costs.read_for_key(shares) * shares
    join = costs.copy_s * costs.tiles * program.copies + costs.seam_s * costs.seam * (costs.tiles * shares) ** 0.5
    return {
        "program": program.name,
        "tiles": costs.tiles,
        "shares": shares,
        "core_hours_tiles": costs.tile_s * costs.tiles / 3600,
        "core_hours_start": costs.start(program.walks) * shares / 3600,
        "core_hours_key": key / reading / 3600,
        "core_hours_joining": join / 3600,
        "bytes_key": key,
        "bytes_read_for_tiles": costs.tile_read * costs.tiles,
        "bytes_of_pack": costs.tile_written * costs.tiles,
        "files_opened": (measured["opened"] or 0) * costs.files * shares,
        "reads_of_files": key / (1 << 20),
        "reads_for_tiles": reads * costs.tiles,
    }


def table(made: list[simulate.Row]) -> str:
    lines = [
        "| program | cores | shares | hours | speed-up | efficiency | binds, of all time |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in made:
        binds = f"{row.binds} {row.parts[row.binds]:.0%}" if row.cores > 1 else ""
        hours, ratio = f"{row.wall_s / 3600:.3g}", f"{row.speed_up:.1f} | {row.efficiency:.2f}"
        lines.append(f"| {row.program} | {row.cores} | {row.shares} | {hours} | {ratio} | {binds} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=pathlib.Path, help="where figures go, as JSON")
    parser.add_argument("--from", dest="old", type=pathlib.Path, help="figures of an earlier run: not measured again")
    program = pathlib.Path("target/release/orogen")
    parser.add_argument("--program", type=pathlib.Path, default=program, help="the program")
    parser.add_argument("--folder", type=pathlib.Path, help="where packs lie for a while")
    parser.add_argument("--rounds", type=int, default=3, help="how often what is compared is measured")
    parser.add_argument("--bandwidth", type=float, default=10.0, help="of the file system, GB/s for all workers")
    parser.add_argument("--deaths", type=float, default=0.01, help="of workers, by the hour for each")
    parser.add_argument("--hand-out", type=float, default=0.01, help="seconds in which a task is handed out")
    parser.add_argument("--joins", type=int, default=16, help="cores of the machine that joins")
    parser.add_argument("--seed", type=int, default=1, help="of kinds of shares, and of deaths")
    args = parser.parse_args()
    measured = json.loads(args.old.read_text())["measured"] if args.old else {}

    def save() -> None:
        if args.out:
            args.out.write_text(json.dumps({"measured": measured}) + "\n")

    if any(step.__name__ not in measured for step in STEPS):
        with tempfile.TemporaryDirectory(prefix="orogen-scale-", dir=args.folder) as folder:
            measure(Bench(args.program.resolve(), pathlib.Path(folder)), args.rounds, measured, save)
    costs, reading = costs_of(measured)
    cluster = Cluster(1, args.bandwidth * 1e9, reading, args.hand_out, args.deaths, seed=args.seed)
    land = measured["earth"]
    cells = land["cells"]
    # Tiles of the finest level all over the Earth, and the third of them that is above.
    tiles = round(land["cells_of_area"] * 6 * 4**FINEST * 4 / 3)
    whole = dataclasses.replace(costs, tiles=tiles, files=cells, source_bytes=float(cells * CELL_BYTES))
    told = summary(measured)
    print(f"\nmeasured:\n{json.dumps(told, indent=1)}")
    projected = []
    for name, of in (("a million tiles", costs), ("all land of the Earth", whole)):
        made = rows(of, cluster, args.joins)
        projected.append({"of": name, "rows": [row.told() for row in made]})
        read = f"{of.source_bytes / 1e9:.0f} GB of sources in {of.files:,} files"
        print(f"\nprojected, {name}: {of.tiles:,} tiles, {read}\n\n{table(made)}")
    choices = ((PROGRAMS[0], 512), (PROGRAMS[3], 8), (PROGRAMS[-1], 512))
    bills = [bill(measured, whole, reading, program, shares) for program, shares in choices]
    print(f"\nprojected, cost of all land of the Earth:\n{json.dumps(bills, indent=1)}")
    if args.out:
        names = ("bandwidth", "deaths", "hand_out", "joins", "seed")
        settings = {name: vars(args)[name] for name in names}
        all_told = {"summary": told, "settings": settings, "projected": projected, "earth": bills, "measured": measured}
        args.out.write_text(json.dumps(all_told, indent=1) + "\n")


if __name__ == "__main__":
    main()
