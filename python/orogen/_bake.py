"""How is a pack of tiles made? By this process, or by the workers of a Dask cluster in shares that are joined."""

from __future__ import annotations

import contextlib
import os
import re
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from . import _orogen
from ._area import numbers
from ._arrays import number, single, whole
from ._progress import heard_by

# Shares of each worker: a share of sea takes less time than one of mountains.
_A_WORKER = 4
# How often a task is tried again that raised. Of workers that die, the scheduler itself counts how many a task survives.
_RETRIES = 5
# Seconds that a task waits for another one that writes the same share: of a worker that was taken for dead.
_PATIENCE_S = 600.0
# Seconds in which a first worker has to come.
_WORKER_S = 60.0
# What a task that is tried again would find again.
_FINAL = (ValueError, TypeError, OverflowError, FileExistsError, FileNotFoundError, InterruptedError)
# Names of shares, and of those that are being written.
_SHARE = re.compile(r"(\d+)-of-(\d+)\.pack(\.part)?")


def bake(
    sources: Any,
    path: str | os.PathLike[str],
    *,
    bbox: tuple[float, float, float, float] | None = None,
    max_level: int | None = None,
    shard: tuple[int, int] | None = None,
    overwrite: bool = False,
    work_dir: str | os.PathLike[str] | None = None,
    band: int | None = None,
    nodata: float | None = None,
    crs: str | None = None,
    unit: str | float | None = None,
    feather: int | None = None,
    valid_range: tuple[float, float] | None = None,
    vdatum: str | None = None,
    skip_bad: bool = False,
    client: Any = None,
    shards: int | None = None,
    progress: Any = None,
) -> None:
    """Make a pack of tiles: ``orogen bake``, byte for byte.

    A run that was stopped is continued by the same call. A pack that is there from the same data and options stays.

    Parameters
    ----------
    sources : path or sequence of paths
        Packs, the first on top; with GDAL in the package (``orogen.has_gdal()``) rasters and folders of them too.
    path : path
        Where the pack goes: a file, or ``s3://BUCKET/KEY.pack`` on object storage, by the keys of ``AWS_ACCESS_KEY_ID``.
    bbox : (west, south, east, north), optional
        Where tiles finer than the bottom layer are wanted, degrees; wherever layers are, if not given.
    max_level : int, optional
        Finest level: 3 is 4.9 km between heights, each further one half of that; as fine as the layers, if not given.
    shard : (i, n), optional
        Only the i-th of n shares, from 1; `merge` joins them.
    overwrite : bool
        Whether another file or object of the name is replaced.
    work_dir : path, optional
        For object storage: the folder in which the pack is made before it is put there, and where the same call finds it.
    band, nodata, crs, unit, feather, valid_range, vdatum, skip_bad
        How rasters are read, as the options of ``orogen bake``.
    client : dask.distributed.Client, optional
        Whose workers make the pack, in shares in a folder beside it. Sources and path, or `work_dir`, are names on a file system
        that all workers share.
    shards : int, optional
        Number of those shares; that of a call that was stopped, else four for each worker, if not given. The pack has the same bytes.
    progress : callable, tqdm bar or True, optional
        Hears ``(done, total)``: in thousandths of the work, with a client in shares.

    Raises
    ------
    FileExistsError
        Where something else bears the name.
    BlockingIOError
        Where another process makes the same pack.
    TimeoutError
        Where the client has no workers.
    OSError, ValueError
        With the reason and the way out.
    """
    from ._surface import _metres, _range

    files = _paths(sources)
    of_rasters = {"band": band, "nodata": nodata, "crs": crs, "unit": unit, "feather": feather, "valid_range": valid_range}
    given = [name for name, value in of_rasters.items() if value is not None]
    if given and not files:
        raise ValueError(f"{', '.join(given)}: how rasters are read, and there are no sources")
    recipe = {
        "files": files,
        "bbox": None if bbox is None else numbers(bbox, "bbox", 4),
        "max_level": None if max_level is None else whole(max_level, "max_level", 0, 99),
        "band": None if band is None else whole(band, "band", 1),
        "nodata": None if nodata is None else single(nodata, "nodata"),
        "crs": crs,
        "unit_m": _metres(unit),
        "feather": None if feather is None else whole(feather, "feather", 1, 63),
        "valid_range_m": None if valid_range is None else _range(valid_range),
        "vdatum": vdatum,
        "skip_bad": bool(skip_bad),
    }
    if shard is not None:
        pair = number(shard, "shard")
        if pair.shape != (2,):
            raise TypeError(f"shard={shard!r} is not (i, n), the i-th of n shares")
        shard = (whole(pair[0], "shard", 1), whole(pair[1], "shard", 1))
    if shards is not None:
        shards = whole(shards, "shards", 1)
    out, told = _path(path), heard_by(progress)
    work = None if work_dir is None else os.fspath(work_dir)
    if client is None:
        if shards is not None:
            raise ValueError("shards= is for client=: shard=(i, n) makes one share")
        _orogen.bake(recipe, out, shard, overwrite, told, work)
        return
    if shard is not None:
        raise ValueError("shard= is for one process: shards= says how many tasks a client has")
    _on_cluster(client, recipe, (out, work), overwrite, shards, told)


def merge(
    shards: Sequence[str | os.PathLike[str]],
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    work_dir: str | os.PathLike[str] | None = None,
    progress: Any = None,
) -> None:
    """Join all shares of a pack, in any order: ``orogen pack merge``.

    Parameters
    ----------
    shards : sequence of paths
        All of them: files, or ``s3://BUCKET/KEY.pack``.
    path : path
        Where the pack goes, a file or ``s3://BUCKET/KEY.pack``.
    overwrite : bool
        Whether another file or object of the name is replaced.
    work_dir : path, optional
        For object storage: the folder in which the pack is made before it is put there.
    progress : callable, tqdm bar or True, optional
        Hears ``(done, total)`` in thousandths of the work.
    """
    work = None if work_dir is None else os.fspath(work_dir)
    _orogen.merge(_paths(shards), _path(path), overwrite, heard_by(progress), work)


def _paths(files: Any) -> list[str]:
    """One path, or several."""
    return [_path(file) for file in ([files] if isinstance(files, (str, os.PathLike)) else files)]


def _path(file: str | os.PathLike[str]) -> str:
    name = os.fspath(file)
    if not name:
        raise ValueError("a path is empty: give the name of a file")
    return name


def _on_cluster(
    client: Any, recipe: dict[str, Any], out: tuple[str, str | None], overwrite: bool, shards: int | None, told: Any
) -> None:
    import distributed

    if not isinstance(client, distributed.Client):
        raise TypeError(f"client={client!r} is no dask.distributed.Client")
    if shards is not None and shards < 1:
        raise ValueError(f"shards={shards!r} is not a number from 1")
    try:
        client.wait_for_workers(1, timeout=_WORKER_S)
    except distributed.TimeoutError:
        raise TimeoutError(
            f"no worker has come to the client in {_WORKER_S:.0f} s: start some, or wait longer by client.wait_for_workers(1)"
        ) from None
    name = f"orogen-bake-{uuid.uuid4().hex[:8]}"
    stop = distributed.Event(name, client=client)
    waiting: set[Any] = set()

    def submit(task: Any, key: str, *words: Any) -> Any:
        future = client.submit(_answer, task, *words, key=f"{name}-{key}", retries=_RETRIES, pure=False)
        waiting.add(future)
        return future

    def answered(future: Any) -> Any:
        answer, error = _result(client, future)
        # What is done is in files: a worker that dies later is no reason to do it again.
        waiting.discard(future)
        future.release()
        if error is not None:
            raise error
        return answer

    try:
        # Also what cannot be is told before any work.
        looked = answered(submit(_look, "look", recipe, out, overwrite))
        if looked is None:
            return
        folder, begun = looked
        count = shards or begun or _A_WORKER * max(1, len(client.ncores()))
        parts = [os.path.join(folder, f"{k}-of-{count}.pack") for k in range(1, count + 1)]
        tasks = [submit(_shard, f"shard-{k}", recipe, part, (k, count), name) for k, part in enumerate(parts, 1)]
        for done, task in enumerate(_as_completed(client, tasks), 1):
            answered(task)
            if told is not None:
                told(done, count)
        answered(submit(_merge, "merge", parts, out, overwrite))
        answered(submit(_remove, "remove", folder, parts))
    finally:
        if waiting:
            # Tasks that run are not ended by the scheduler.
            stop.set()
        client.cancel(list(waiting))


def _as_completed(client: Any, tasks: list[Any]) -> Iterator[Any]:
    """Tasks as they are done, while there are workers to do them."""
    import distributed

    left = set(tasks)
    while left:
        try:
            done = distributed.wait(list(left), timeout=_WORKER_S, return_when="FIRST_COMPLETED").done
        except distributed.TimeoutError:
            _check_workers(client)
            continue
        left -= done
        yield from done


def _result(client: Any, future: Any) -> Any:
    """What a task answers, while there are workers to do it: one that is done is done again where its worker is gone."""
    import distributed

    while True:
        try:
            return future.result(timeout=_WORKER_S)
        except distributed.TimeoutError:
            if future.done():
                # A task's own.
                return future.result()
            _check_workers(client)


def _check_workers(client: Any) -> None:
    if not client.ncores():
        raise TimeoutError("the client has no workers any more: start some, and the same call goes on")


def _answer(task: Any, *words: Any) -> tuple[Any, Exception | None]:
    """What a task answers, or the error with which it would end however often it is tried."""
    try:
        return task(*words), None
    except _FINAL as error:
        return None, error


def _look(recipe: dict[str, Any], out: tuple[str, str | None], overwrite: bool) -> tuple[str, int | None] | None:
    """The folder of the shares, and how many an earlier call has begun to make; nothing where the pack is there."""
    name, work_dir = out
    key = _orogen.wanted_key(recipe, name, overwrite, work_dir)
    if key is None:
        return None
    folder = f"{_orogen.working_file(name, work_dir)}.{key[:16]}.shares"
    begun = [int(match[2]) for match in _shares(folder)]
    return folder, max(begun, key=begun.count, default=None)


def _shares(folder: str) -> list[re.Match[str]]:
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [match for match in map(_SHARE.fullmatch, names) if match]


def _shard(recipe: dict[str, Any], part: str, shard: tuple[int, int], stop: str) -> None:
    from distributed import Event

    event = Event(stop)

    def goes_on(_done: int, _total: int) -> None:
        if event.is_set():
            raise InterruptedError("the call that this share is for was stopped")

    os.makedirs(os.path.dirname(part), exist_ok=True)
    _patiently(_orogen.bake, recipe, part, shard, False, goes_on)


def _merge(parts: list[str], out: tuple[str, str | None], overwrite: bool) -> None:
    name, work_dir = out
    _patiently(_orogen.merge, parts, name, overwrite, None, work_dir)


def _patiently(call: Any, *words: Any) -> None:
    """Waits for a worker that was taken for dead and writes the same file: what it has done is continued."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return call(*words)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(1.0)


def _remove(folder: str, parts: list[str]) -> None:
    """Removes shares, those of other numbers too, and their folder where nothing else is in it."""
    for name in {os.path.basename(part) for part in parts} | {share[0] for share in _shares(folder)}:
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(folder, name))
    with contextlib.suppress(OSError):
        os.rmdir(folder)
