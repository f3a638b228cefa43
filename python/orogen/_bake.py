"""How is a pack of tiles made? By this process, or by the workers of a Dask cluster in shares that are joined."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Sequence
from typing import Any

from . import _orogen
from ._progress import heard_by

# Shares of each worker: a share of sea takes less time than one of mountains.
_A_WORKER = 4
# How often a task is tried again that raised. Of workers that die, the scheduler itself counts how many a task survives.
_RETRIES = 5
# Seconds that a task waits for another one that writes the same share: of a worker that was taken for dead.
_PATIENCE_S = 600.0


def bake(
    sources: Any,
    path: str | os.PathLike[str],
    *,
    bbox: tuple[float, float, float, float] | None = None,
    max_level: int | None = None,
    shard: tuple[int, int] | None = None,
    overwrite: bool = False,
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
        Where the pack goes.
    bbox : (west, south, east, north), optional
        Where tiles finer than the bottom layer are wanted, degrees; wherever layers are, if not given.
    max_level : int, optional
        Finest level: 3 is 4.9 km between heights, each further one half of that; as fine as the layers, if not given.
    shard : (i, n), optional
        Only the i-th of n shares, from 1; `merge` joins them.
    overwrite : bool
        Whether another file of the name is replaced.
    band, nodata, crs, unit, feather, valid_range, vdatum, skip_bad
        How rasters are read, as the options of ``orogen bake``.
    client : dask.distributed.Client, optional
        Whose workers make the pack, in shares that lie beside it. Sources and path are names on a file system that all workers share.
    shards : int, optional
        Number of those shares; four for each worker, if not given. Whatever it is, the pack has the same bytes.
    progress : callable, tqdm bar or True, optional
        Hears ``(done, total)``: in thousandths of the work, with a client in shares.

    Raises
    ------
    FileExistsError
        Where something else bears the name.
    BlockingIOError
        Where another process makes the same pack.
    OSError, ValueError
        With the reason and the way out.
    """
    from ._surface import _metres

    files = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
    recipe = {
        "files": [os.fspath(file) for file in files],
        "bbox": None if bbox is None else [float(degrees) for degrees in bbox],
        "max_level": max_level,
        "band": band,
        "nodata": nodata,
        "crs": crs,
        "unit_m": _metres(unit),
        "feather": feather,
        "valid_range_m": valid_range,
        "vdatum": vdatum,
        "skip_bad": skip_bad,
    }
    out, told = os.fspath(path), heard_by(progress)
    if client is None:
        if shards is not None:
            raise ValueError("shards= is for client=: shard=(i, n) makes one share")
        _orogen.bake(recipe, out, shard, overwrite, told)
        return
    if shard is not None:
        raise ValueError("shard= is for one process: shards= says how many tasks a client has")
    _on_cluster(client, recipe, out, overwrite, shards, told)


def merge(
    shards: Sequence[str | os.PathLike[str]], path: str | os.PathLike[str], *, overwrite: bool = False, progress: Any = None
) -> None:
    """Join all shares of a pack, in any order: ``orogen pack merge``.

    Parameters
    ----------
    shards : sequence of paths
        All of them.
    path : path
        Where the pack goes.
    overwrite : bool
        Whether another file of the name is replaced.
    progress : callable, tqdm bar or True, optional
        Hears ``(done, total)`` in thousandths of the work.
    """
    _orogen.merge([os.fspath(shard) for shard in shards], os.fspath(path), overwrite, heard_by(progress))


def _on_cluster(client: Any, recipe: dict[str, Any], out: str, overwrite: bool, shards: int | None, told: Any) -> None:
    from distributed import as_completed

    count = _A_WORKER * max(1, len(client.ncores())) if shards is None else int(shards)
    if count < 1:
        raise ValueError(f"shards={shards!r} is not a number from 1")
    name = f"orogen-bake-{uuid.uuid4().hex[:8]}"
    waiting: set[Any] = set()

    def submit(task: Any, key: str, *words: Any) -> Any:
        future = client.submit(task, *words, key=f"{name}-{key}", retries=_RETRIES, pure=False)
        waiting.add(future)
        return future

    def answered(future: Any) -> Any:
        answer = future.result()
        # What is done is in files: a worker that dies later is no reason to do it again.
        waiting.discard(future)
        future.release()
        return answer

    try:
        # Also what cannot be is told before any work.
        if not overwrite and answered(submit(_is_baked, "look", recipe, out)):
            return
        parts = [f"{out}.{k}-of-{count}" for k in range(1, count + 1)]
        tasks = [submit(_shard, f"shard-{k}", recipe, part, (k, count), overwrite) for k, part in enumerate(parts, 1)]
        for done, task in enumerate(as_completed(tasks), 1):
            answered(task)
            if told is not None:
                told(done, count)
        answered(submit(_merge, "merge", parts, out, overwrite))
        answered(submit(_remove, "remove", parts))
    finally:
        client.cancel(list(waiting))


def _is_baked(recipe: dict[str, Any], out: str) -> bool:
    return _orogen.is_baked(recipe, out)


def _shard(recipe: dict[str, Any], part: str, shard: tuple[int, int], overwrite: bool) -> None:
    _patiently(_orogen.bake, recipe, part, shard, overwrite)


def _merge(parts: list[str], out: str, overwrite: bool) -> None:
    _patiently(_orogen.merge, parts, out, overwrite)


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


def _remove(parts: list[str]) -> None:
    for part in parts:
        if os.path.exists(part):
            os.remove(part)
