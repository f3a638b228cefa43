"""Who hears how far a call is? A function of what is done and how much there is, or a bar of tqdm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def heard_by(progress: Any) -> Callable[[int, int], None] | None:
    """What the extension module calls with the number done and the total."""
    if progress is None or progress is False:
        return None
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError("progress=True shows a bar of tqdm: pip install tqdm, or give a function of (done, total)") from None

        progress = tqdm()
    if hasattr(progress, "update") and hasattr(progress, "total"):

        def update(done: int, total: int) -> None:
            progress.total = total
            progress.update(min(done, total) - progress.n)

        return update
    if callable(progress):
        return progress
    raise TypeError(f"progress={progress!r} is neither a bar of tqdm, nor a function of (done, total), nor True")
