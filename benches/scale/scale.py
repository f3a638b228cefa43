"""How does a bake scale? Measures shares and joining on this machine, and projects what many workers would take.

    ./x bench scale [-o FILE]       measures (20 minutes of two cores), and projects; needs 4 GB of disk for a while
    ./x bench scale --from FILE     projects again from what was measured

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
import tempfile
import time

import simulate
from simulate import Cluster, Costs, Program, Task

KINDS = ("mountains", "hills", "coast", "sea")
CELL = 3600
CELL_BYTES = 2 * (CELL + 1) ** 2
# West to east and south to north: about a million tiles.
MILLION = (44, 30)
CORES = (1, 2, 16, 128, 1024)
# An empty share in the middle of a pack: what every share does before its first tile.
EMPTY = (5 * 10**8, 10**9)
# What may be changed, one after the other.
PROGRAMS = (
    Program("as it is"),
    Program("as it is, one share a worker", shares_a_worker=1),
    Program("as it is, 16 threads and one share a worker", threads=16, shares_a_worker=1),
    Program("key: each share reads its part", each_reads_all=False),
    Program("and joining copies no tiles", each_reads_all=False, copies=0.0),
    Program("and one walk over all tiles", each_reads_all=False, copies=0.0, walks=0.25),
    Program("and workers tell errors of seams", each_reads_all=False, copies=0.0, walks=0.25, seams=0.05),
    Program("and no walk, 16 shares a worker", 1, 16, each_reads_all=False, copies=0.0, walks=0.0, seams=0.05),
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


def write_cells(folder: pathlib.Path, kinds: pathlib.Path, cells: list[tuple[int, int]]) -> None:
    """Names for cells, by south and west: kinds in turn, shifted from row to row."""
    folder.mkdir()
    for south, west in cells:
        name = f"{'N' if south >= 0 else 'S'}{abs(south):02d}{'E' if west >= 0 else 'W'}{abs(west):03d}.hgt"
        kind = KINDS[(west + 2 * south + south // 2) % len(KINDS)]
        os.symlink(kinds / f"{kind}.hgt", folder / name)


def block(columns: int, rows: int) -> list[tuple[int, int]]:
    return [(south, west) for south in range(rows) for west in range(columns)]


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
        process = subprocess.Popen([self.program, *map(str, words)], env=env, stderr=subprocess.PIPE, text=True)
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


def measure(bench: Bench, rounds: int) -> dict:
    """Everything that is measured, as plain numbers."""
    kinds = bench.folder / "kinds"
    kinds.mkdir()
    write_kinds(kinds)
    folders = {}
    for name, cells in {"small": block(2, 2), "middle": block(4, 4), "large": block(*MILLION)}.items():
        folders[name] = bench.folder / name
        write_cells(folders[name], kinds, cells)

    say("one and two workers in turns")
    turns = []
    for _ in range(rounds):
        for workers in (1, 2):
            wall, made = bench.shares(folders["small"], "s16", 16, workers)
            turns.append({"workers": workers, "wall_s": wall, "shares": made})
    say("joining")
    joins = []
    for source, count in (("small", 4), ("small", 16), ("small", 64), ("middle", 16)):
        bench.shares(folders[source], "join", count, 2)
        for threads in (1, 2) * rounds:
            joins.append({"source": source, "shares": count, "threads": threads, **bench.joined("join", threads)})
    shutil.rmtree(bench.folder / "join")
    say("what a share does before its first tile")
    starts = []
    for source in ("middle", "large"):
        # All files and all tiles; all files and few tiles. The first of all reads headers that the others find.
        for level in (22, 22, 8) + (22, 8) * (rounds - 1):
            made = bench.share(folders[source], bench.folder / "empty.pack", EMPTY, "--max-level", level)
            starts.append({"source": source, "max_level": level, "files": len(os.listdir(folders[source])), **made})
    say("shares of a million tiles")
    count = 1000
    indices = range(count // 24, count, count // 12)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        large = list(
            pool.map(lambda k: bench.share(folders["large"], bench.folder / f"l{k}.pack", (k, count)), indices)
        )
    say("all land of the Earth, tiles alone")
    cells, land, of_area = land_cells(bench)
    write_cells(bench.folder / "earth", kinds, cells)
    return {
        "turns": turns,
        "joins": joins,
        "starts": starts,
        "large": large,
        "large_tiles": tiles_of(bench, folders["large"]),
        "opened": bench.opened(folders["middle"]),
        "earth": {
            "cells": len(cells),
            "land": land,
            "cells_of_area": of_area,
            "tiles": tiles_of(bench, bench.folder / "earth"),
        },
    }


def tiles_of(bench: Bench, source: pathlib.Path) -> int:
    told = subprocess.run(
        [bench.program, "bake", "-q", source, "--estimate", "--json"], env=bench.env, check=True, capture_output=True
    )
    return json.loads(told.stdout)["tiles"]


def land_cells(bench: Bench) -> tuple[list[tuple[int, int]], float, float]:
    """Cells of one degree with ground above the sea, the land's share of the Earth, and theirs.

    By the embedded relief every ten minutes.
    """
    steps = [(k + 0.5) / 6 for k in range(6)]
    all_cells = [(south, west) for south in range(-90, 90) for west in range(-180, 180)]
    places = "".join(f"{south + y:.3f},{west + x:.3f}\n" for south, west in all_cells for y in steps for x in steps)
    told = subprocess.run(
        [bench.program, "query", "height"], input=places, env=bench.env, check=True, capture_output=True, text=True
    )
    above = [float(line.split(",", 3)[2]) > 0.0 for line in told.stdout.splitlines()[1:]]
    cells, land, of_cells, all_area = [], 0.0, 0.0, 0.0
    for k, (south, west) in enumerate(all_cells):
        area = math.cos(math.radians(south + 0.5))
        dry = sum(above[36 * k : 36 * k + 36])
        all_area += area
        land += area * dry / 36
        # No file is named after the south pole.
        if dry and south >= -89:
            cells.append((south, west))
            of_cells += area
    return cells, land / all_area, of_cells / all_area


# ---- costs -----------------------------------------------------------------------------------------------------------


def costs_of(measured: dict) -> tuple[Costs, float]:
    """Costs of the pack of a million tiles, and bytes a second that one core reads and hashes."""

    def start(source: str, level: int, what: str = "cpu_s") -> float:
        runs = [s for s in measured["starts"] if (s["source"], s["max_level"]) == (source, level)]
        # The first run of all tiles is the first on the machine.
        return statistics.median(s[what] for s in runs[level == 22 :])

    tiles, files = measured["large_tiles"], MILLION[0] * MILLION[1]
    source_bytes = float(files * CELL_BYTES)
    walk = (start("large", 22) - start("large", 8)) / tiles
    # Reading through, with the opening of files, beside what is there without files.
    reading = (start("large", 8) - start("middle", 8)) / (files - 16)
    begin = max(0.0, start("middle", 8) - 16 * reading)
    began = begin + files * reading + walk * tiles
    each = [(share["cpu_s"] - began) / share["tiles"] for share in measured["large"]]
    key_read = start("large", 22, "read")
    read = statistics.mean((share["read"] - key_read) / share["tiles"] for share in measured["large"])
    written = statistics.mean(share["written"] / share["tiles"] for share in measured["large"])
    copy, seam = joining(measured["joins"])
    costs = Costs(
        tiles=tiles,
        files=files,
        source_bytes=source_bytes,
        tile_s=tuple(each),
        tile_read=read,
        tile_written=written,
        start_s=begin,
        file_s=0.0,
        walk_s=walk,
        copy_s=copy,
        seam_s=seam,
    )
    return costs, CELL_BYTES / reading


def joining(joins: list[dict]) -> tuple[float, float]:
    """Seconds of a tile that is copied, and of one whose errors are told: least squares over the runs of one thread."""
    rows = []
    for join in joins:
        if join["threads"] == 1:
            seam = Costs.seam * (join["tiles"] * join["shares"]) ** 0.5
            rows.append((join["tiles"], min(seam, join["tiles"]), join["cpu_s"]))
    aa, bb = sum(a * a for a, _, _ in rows), sum(b * b for _, b, _ in rows)
    ab, at, bt = sum(a * b for a, b, _ in rows), sum(a * t for a, _, t in rows), sum(b * t for _, b, t in rows)
    det = aa * bb - ab * ab
    return (at * bb - bt * ab) / det, (bt * aa - at * ab) / det


# ---- telling ---------------------------------------------------------------------------------------------------------


def summary(measured: dict) -> dict:
    """Medians of what was measured, for tables."""
    costs, reading = costs_of(measured)
    by_workers = {w: [turn for turn in measured["turns"] if turn["workers"] == w] for w in (1, 2)}
    cpu = {w: statistics.median(sum(s["cpu_s"] for s in t["shares"]) for t in turns) for w, turns in by_workers.items()}
    wall = {w: statistics.median(t["wall_s"] for t in turns) for w, turns in by_workers.items()}
    # As if nothing else ran: shares by their processor time, on as many workers.
    quiet = {
        w: statistics.median(
            simulate.simulate([Task(0.0, 0.0, share["cpu_s"]) for share in turn["shares"]], Cluster(w)).wall_s
            for turn in turns
        )
        for w, turns in by_workers.items()
    }
    each = [s["cpu_s"] / s["tiles"] for t in by_workers[1] for s in t["shares"]]
    return {
        "wall_1_over_2": wall[1] / wall[2],
        "wall_1_over_2_by_processor_time": quiet[1] / quiet[2],
        "cpu_2_over_1": cpu[2] / cpu[1],
        "tile_s": statistics.mean(costs.tile_s),
        "tile_s_least_most": [min(costs.tile_s), max(costs.tile_s)],
        "tile_s_small_least_most": [min(each), max(each)],
        "tile_written": costs.tile_written,
        "tile_read": costs.tile_read,
        "walk_s": costs.walk_s,
        "read_and_hashed_a_second": reading,
        "start_s": costs.start() + costs.source_bytes / reading,
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
    reads = statistics.mean((s["reads"] - before) / s["tiles"] for s in measured["large"])
    key = costs.source_bytes * (shares if program.each_reads_all else 1)
    join = costs.copy_s * costs.tiles * program.copies + costs.seam_s * costs.seam * (costs.tiles * shares) ** 0.5
    return {
        "program": program.name,
        "tiles": costs.tiles,
        "shares": shares,
        "core_hours_tiles": statistics.mean(costs.tile_s) * costs.tiles / 3600,
        "core_hours_start": costs.start(program.walks) * shares / 3600,
        "core_hours_key": key / reading / 3600,
        "core_hours_joining": join / 3600,
        "bytes_key": key,
        "bytes_read_for_tiles": costs.tile_read * costs.tiles,
        "bytes_of_pack": costs.tile_written * costs.tiles,
        "files_opened": (measured["opened"] or 0) * costs.files * shares,
        "reads_of_files": before / MILLION[0] / MILLION[1] * costs.files * (shares if program.each_reads_all else 1),
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


def say(what: str) -> None:
    print(f"scale: {what}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=pathlib.Path, help="where figures go, as JSON")
    parser.add_argument("--from", dest="old", type=pathlib.Path, help="figures of an earlier run to project from")
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
    if args.old:
        measured = json.loads(args.old.read_text())["measured"]
    else:
        with tempfile.TemporaryDirectory(prefix="orogen-scale-", dir=args.folder) as folder:
            bench = Bench(args.program.resolve(), pathlib.Path(folder))
            before = os.getloadavg()[0]
            measured = measure(bench, args.rounds)
            measured["date"] = datetime.date.today().isoformat()
            measured["load"] = [before, os.getloadavg()[0]]
    costs, reading = costs_of(measured)
    cluster = Cluster(1, args.bandwidth * 1e9, reading, args.hand_out, args.deaths, seed=args.seed)
    land = measured["earth"]
    earth = dataclasses.replace(
        costs, tiles=land["tiles"], files=land["cells"], source_bytes=float(land["cells"] * CELL_BYTES)
    )
    told = summary(measured)
    print(f"\nmeasured:\n{json.dumps(told, indent=1)}")
    projected = []
    for name, of in (("a million tiles", costs), ("all land of the Earth", earth)):
        made = rows(of, cluster, args.joins)
        projected.append({"of": name, "rows": [row.told() for row in made]})
        sources = f"{of.source_bytes / 1e9:.0f} GB of sources in {of.files:,} files"
        print(f"\nprojected, {name}: {of.tiles:,} tiles, {sources}\n\n{table(made)}")
    choices = ((PROGRAMS[2], 64), (PROGRAMS[0], 4096), (PROGRAMS[4], 4096))
    bills = [bill(measured, earth, reading, program, shares) for program, shares in choices]
    print(f"\nprojected, cost of all land of the Earth:\n{json.dumps(bills, indent=1)}")
    if args.out:
        names = ("bandwidth", "deaths", "hand_out", "joins", "seed")
        settings = {name: vars(args)[name] for name in names}
        whole = {"summary": told, "settings": settings, "projected": projected, "earth": bills, "measured": measured}
        args.out.write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
