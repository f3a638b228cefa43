"""How do arguments become flat arrays, and answers arrays of the caller's shape?"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def is_xarray(value: Any) -> bool:
    """Whether it is a DataArray; xarray is not imported for that."""
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(value, xarray.DataArray)


def is_dask(value: Any) -> bool:
    """Whether it is a dask array; dask is not imported for that."""
    dask = sys.modules.get("dask.array")
    return dask is not None and isinstance(value, dask.Array)


def number(value: Any, name: str) -> np.ndarray:
    """An argument as float64; what is masked is not a number."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise TypeError(f"{name} is no array of numbers: {error}") from error
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} has to be numbers, not {array.dtype}")
    array = array.astype(np.float64, copy=False)
    return np.where(np.ma.getmask(value), np.nan, array) if np.ma.is_masked(value) else array


def single(value: Any, name: str) -> float:
    """An argument that is one number."""
    array = number(value, name)
    if array.ndim != 0:
        raise TypeError(f"{name} has the shape {array.shape}: give one number")
    return float(array)


def whole(value: Any, name: str, low: int, high: int | None = None) -> int:
    """An argument that is one whole number."""
    array = number(value, name)
    if array.ndim != 0 or not low <= array <= (high or 1 << 53) or array != np.floor(array):
        span = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}={value!r} is no whole number {span}")
    return int(array)


def by_name(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments, of which each DataArray has the dimensions of all of them, by their names."""
    named = {name: value for name, value in arguments.items() if is_xarray(value)}
    if len(named) > 1:
        import xarray

        aligned = xarray.align(*named.values(), join="exact", copy=False)
        named = dict(zip(named, xarray.broadcast(*aligned), strict=True))
    return arguments | named


def broadcast(**arguments: Any) -> tuple[tuple[int, ...], list[np.ndarray]]:
    """The shape that arguments have together, and each of them in it, flat and contiguous.

    A coordinate that is infinite, as pyproj has those that it cannot transform, is not a number.
    """
    arguments = by_name(arguments)
    arrays = [number(value, name) for name, value in arguments.items()]
    for k, name in enumerate(arguments):
        if name.startswith(("lat", "lon")) and np.isinf(arrays[k]).any():
            arrays[k] = np.where(np.isinf(arrays[k]), np.nan, arrays[k])
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(arguments, arrays, strict=True))
        raise ValueError(f"shapes do not broadcast: {shapes}") from None
    for name, array in zip(arguments, arrays, strict=True):
        if name.startswith("lat") and np.any(np.abs(array) > 90.0):
            raise ValueError(f"{name} beyond 90 degrees: latitude comes first, then longitude, both in degrees")
    # Buffers of a cluster may begin at any byte.
    return shape, [np.require(np.broadcast_to(array, shape), requirements="CA").reshape(-1) for array in arrays]


def fits(out: Any, shape: tuple[int, ...], dtype: Any, name: str = "out") -> None:
    """Refuses what is no room for an answer: of its shape exactly, of its dtype, or floats of any width for floats."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"{name} is a {type(out).__name__}, not a numpy array")
    if out.shape != shape:
        raise ValueError(f"{name} has the shape {out.shape}, the answer {shape}")
    dtype = np.dtype(dtype)
    if dtype.kind == "f" != out.dtype.kind:
        raise TypeError(f"{name} has the dtype {out.dtype}: answers are floats")
    if dtype.kind != "f" and out.dtype.newbyteorder("=") != dtype:
        raise TypeError(f"{name} has the dtype {out.dtype}: the answer is {dtype}")
    if not out.flags.writeable:
        raise ValueError(f"{name} is read-only")


def no_out(out: Any, kind: str) -> None:
    """Refuses an array where the answer is of another kind."""
    reasons = {
        "xarray": "a DataArray is made anew; as_xarray=False answers with arrays",
        "dask": "an answer of dask is computed later",
    }
    if out is not None:
        raise ValueError(f"out is for answers of numpy: {reasons[kind]}")


def room(
    out: np.ndarray | None, shape: tuple[int, ...], inputs: list[np.ndarray], dtype: Any = np.float64
) -> tuple[np.ndarray, np.ndarray]:
    """What the caller gets, and what is written, flat and contiguous: the same memory where that is possible."""
    if out is None:
        result = np.empty(shape, dtype)
        return result, result.reshape(-1)
    fits(out, shape, dtype)
    plain = out.flags.c_contiguous and out.flags.aligned and not isinstance(out, np.ma.MaskedArray)
    direct = plain and out.dtype == dtype
    if direct and not any(np.may_share_memory(out, array) for array in inputs):
        # A matrix has two dimensions always.
        return out, np.asarray(out).reshape(-1)
    return out, np.empty(out.size, dtype)


def settle(out: np.ndarray, written: np.ndarray) -> np.ndarray:
    """Puts what was written where the caller wants it."""
    if not np.may_share_memory(out, written):
        out[...] = written.reshape(out.shape)
    return out
