"""How long would a bake take on many workers? Shares as tasks, in discrete events, from times that were measured.

Nothing here reads a clock or a file: the same costs, cluster and seed give the same answer. `scale.py` measures costs.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
import random
from collections import deque
from collections.abc import Sequence

# Tiles that a worker of one core loses when it dies: `BATCH_PER_THREAD` of the program.
BATCH = 8


@dataclasses.dataclass(frozen=True)
class Task:
    """A share: bytes from and to the file system, then processor time.

    `start_s` of the latter is done again by whoever goes on after a death, and so are the bytes. Of the rest all is
    kept but a part of the last `batch_s`.
    """

    bytes: float
    start_s: float
    work_s: float
    batch_s: float = 0.0


@dataclasses.dataclass(frozen=True)
class Cluster:
    """Workers of one core each, and what they share.

    `bandwidth` is that of the file system for all, bytes a second; `reading` what one core reads and hashes. Tasks are
    handed out one by one, `hand_out_s` each, to who is free. `deaths_per_hour` is of each worker that has a task;
    another one stands in its place after `away_s`.
    """

    workers: int
    bandwidth: float = math.inf
    reading: float = math.inf
    hand_out_s: float = 0.0
    deaths_per_hour: float = 0.0
    away_s: float = 60.0
    seed: int = 1


@dataclasses.dataclass
class Outcome:
    """What came of it: seconds on the clock, and seconds of all workers by what they were spent on."""

    wall_s: float = 0.0
    work_s: float = 0.0
    start_s: float = 0.0
    bytes_s: float = 0.0
    lost_s: float = 0.0
    idle_s: float = 0.0
    deaths: int = 0


@dataclasses.dataclass
class _Run:
    """A worker at a task."""

    task: int
    begun_s: float
    dies_s: float
    # When its bytes were through; `None` until then.
    read_s: float | None = None
    ended: bool = False


def simulate(tasks: Sequence[Task], cluster: Cluster) -> Outcome:
    """Does all tasks, in their order."""
    rng = random.Random(cluster.seed)
    left = [task.work_s for task in tasks]
    waiting = deque(range(len(tasks)))
    out = Outcome()
    now = free_to_hand_out = 0.0
    # Bytes that each transfer has got since the beginning: all that run get the same.
    level, transfers = 0.0, 0
    ends: list[tuple[float, int, _Run]] = []
    timers: list[tuple[float, int, str, _Run | None]] = []
    free, serial, done = cluster.workers, 0, 0

    def timer(at: float, what: str, run: _Run | None) -> None:
        nonlocal serial
        serial += 1
        heapq.heappush(timers, (at, serial, what, run))

    while done < len(tasks):
        while free and waiting:
            free -= 1
            free_to_hand_out = max(now, free_to_hand_out) + cluster.hand_out_s
            rate = cluster.deaths_per_hour / 3600.0
            dies = free_to_hand_out + rng.expovariate(rate) if rate > 0.0 else math.inf
            run = _Run(waiting.popleft(), free_to_hand_out, dies)
            timer(free_to_hand_out, "begin", run)
            if dies < math.inf:
                timer(dies, "die", run)
        rate = min(cluster.reading, cluster.bandwidth / transfers) if transfers else 0.0
        while ends and ends[0][2].ended:
            heapq.heappop(ends)
        through = now + max(0.0, ends[0][0] - level) / rate if ends else math.inf
        if ends and (not timers or through <= timers[0][0]):
            level, now = ends[0][0], through
            run, what = heapq.heappop(ends)[2], "read"
        else:
            at, _, what, run = heapq.heappop(timers)
            # A worker that has ended its task dies in none.
            if what == "die" and run.ended:
                continue
            level += rate * (at - now) if at > now and transfers else 0.0
            now = at
        if what == "back":
            free += 1
            out.lost_s += cluster.away_s
            continue
        task = tasks[run.task]
        if what == "begin":
            if task.bytes > 0.0 and min(cluster.reading, cluster.bandwidth) < math.inf:
                transfers += 1
                serial += 1
                heapq.heappush(ends, (level + task.bytes, serial, run))
                continue
            what = "read"
            run.read_s = now
        elif what == "read":
            transfers -= 1
            run.read_s = now
        if what == "read":
            timer(now + task.start_s + left[run.task], "done", run)
        elif what == "done" and not run.ended:
            run.ended = True
            done += 1
            free += 1
            out.bytes_s += run.read_s - run.begun_s
            out.start_s += task.start_s
            out.work_s += left[run.task]
        elif what == "die":
            run.ended = True
            out.deaths += 1
            if run.read_s is None:
                transfers -= 1
                kept = 0.0
            else:
                kept = max(0.0, now - run.read_s - task.start_s - task.batch_s * rng.random())
            kept = min(kept, left[run.task])
            left[run.task] -= kept
            out.work_s += kept
            out.lost_s += now - run.begun_s - kept
            waiting.append(run.task)
            timer(now + cluster.away_s, "back", None)
    out.wall_s = now
    out.idle_s = cluster.workers * now - out.work_s - out.start_s - out.bytes_s - out.lost_s
    return out


@dataclasses.dataclass(frozen=True)
class Costs:
    """What was measured of a pack of `tiles`, whose sources have `source_bytes` in `files`.

    Seconds are of one core: `tile_s` the mean of a tile. `uneven` has the work of each share that was measured, in any
    unit: the program takes them for equal. `seam` times the root of tiles times shares is the number of tiles whose
    errors are left to joining. A share is read from the files on which it lies and from those around it: a square of
    files, `beside` longer than the share. `opening` is what every share reads of files before that.
    """

    tiles: int
    files: int
    source_bytes: float
    tile_s: float
    uneven: tuple[float, ...]
    tile_read: float
    tile_written: float
    start_s: float
    walk_s: float
    copy_s: float
    seam_s: float
    seam: float = 3.2
    beside: float = 1.0
    opening: float = 0.0

    def read_for_key(self, shares: int) -> float:
        """Bytes that a share hashes, in the mean: of files near its tiles, and of all files under coarse tiles."""
        near = (math.sqrt(self.files / shares) + self.beside) ** 2
        # Each level of tiles that are larger than a share has all files under it, once.
        coarse = self.files * (math.log(shares, 4) + 1) / shares
        return self.source_bytes * (min(1.0, (near + coarse) / self.files) if shares > 1 else 1.0)

    def start(self, walks: float = 1.0) -> float:
        """Seconds until a share begins with its tiles, without reading its sources through."""
        return self.start_s + walks * self.walk_s * self.tiles


@dataclasses.dataclass(frozen=True)
class Program:
    """What a share does beside its tiles, and what joining does: as it is, and as it might be."""

    name: str
    # Workers of as many cores, which all hash files and make tiles. The walk over all tiles is of one of them.
    threads: int = 1
    shares_a_worker: int = 4
    # Whether shares are of equal work, or as uneven as they are.
    even: bool = False
    # What is left of bytes read for tiles, which may be in memory since they were hashed, and of those read at opening.
    reads: float = 1.0
    opening: float = 1.0
    # What is left of the walk over all tiles, of copying, and of the errors of seams on one machine.
    walks: float = 1.0
    copies: float = 1.0
    seams: float = 1.0


@dataclasses.dataclass(frozen=True)
class Row:
    """What a bake takes on so many workers. `parts` are shares of the time of all workers, which sum up to 1."""

    program: str
    cores: int
    shares: int
    wall_s: float
    join_s: float
    speed_up: float
    parts: dict[str, float]
    deaths: int

    @property
    def efficiency(self) -> float:
        return self.speed_up / self.cores

    @property
    def binds(self) -> str:
        """The largest part that is not the making of tiles."""
        return max((part for part in self.parts if part != "tiles"), key=self.parts.__getitem__)

    def told(self) -> dict:
        """All of it by names."""
        return {**dataclasses.asdict(self), "efficiency": self.efficiency, "binds": self.binds}


def tasks_of(costs: Costs, program: Program, shares: int, seed: int) -> list[Task]:
    """The shares of a pack: as uneven as those that were measured, together all of its work."""
    uneven = (1.0,) if program.even else costs.uneven
    deck = list(uneven) * math.ceil(shares / len(uneven))
    random.Random(seed).shuffle(deck)
    deck = deck[:shares]
    scale = costs.tile_s * costs.tiles / sum(deck)
    size = program.opening * costs.opening + costs.read_for_key(shares)
    size += costs.tiles / shares * (program.reads * costs.tile_read + costs.tile_written)
    start = costs.start(program.walks)
    return [Task(size, start, work * scale, BATCH * costs.tile_s) for work in deck]


def join_s(costs: Costs, program: Program, shares: int, cluster: Cluster, joins: int) -> float:
    """Seconds of joining on one machine of some cores, which all copy and tell errors of seams."""
    if shares == 1:
        return 0.0
    seam = min(costs.tiles, costs.seam * math.sqrt(costs.tiles * shares))
    moved = 2.0 * costs.tiles * costs.tile_written / cluster.bandwidth
    cores = min(joins, cluster.workers)
    copy = program.copies * max(costs.copy_s * costs.tiles / cores, moved)
    return copy + program.seams * costs.seam_s * seam / cores


def project(costs: Costs, program: Program, cluster: Cluster, joins: int = 16) -> Row:
    """A bake on the cores of a cluster, beside one run on one core: without shares and joining. Some cores join."""
    cores = cluster.workers
    threads = min(program.threads, cores)
    workers = dataclasses.replace(cluster, workers=cores // threads, reading=cluster.reading * threads)
    shares = program.shares_a_worker * workers.workers if workers.workers > 1 else 1
    tasks = [
        dataclasses.replace(task, work_s=task.work_s / threads)
        for task in tasks_of(costs, program, shares, cluster.seed)
    ]
    made = simulate(tasks, workers)
    join = join_s(costs, program, shares, cluster, joins)
    wall = made.wall_s + join
    one = dataclasses.replace(cluster, workers=1, deaths_per_hour=0.0)
    alone = simulate(tasks_of(costs, Program("one run"), 1, cluster.seed), one).wall_s
    # The rest of reading is waiting for others.
    own = min(made.bytes_s, sum(task.bytes for task in tasks) / min(cluster.reading, cluster.bandwidth))
    spent = {
        "tiles": made.work_s,
        "start": made.start_s,
        "reading": own,
        "file system": made.bytes_s - own,
        "deaths": made.lost_s,
        "idle": made.idle_s,
        "joining": workers.workers * join,
    }
    parts = {what: seconds / (workers.workers * wall) for what, seconds in spent.items()}
    return Row(program.name, cores, shares, wall, join, alone / wall, parts, made.deaths)
