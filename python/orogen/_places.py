"""How are places asked, whatever their arrays are, and where do the answers go?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from . import _xarray
from ._arrays import broadcast, fits, is_dask, is_xarray, no_out, room, settle
from ._progress import heard_by

Write = Callable[[list[np.ndarray], np.ndarray, Any], None]
"""Asks the extension module: of flat arguments, into flat numbers, with what hears of the progress."""


class Field(NamedTuple):
    """An array of an answer."""

    name: str
    units: str | None
    of: Callable[[np.ndarray], np.ndarray]
    """Makes it of the numbers that the extension module writes; those of a place are in the last axis."""
    dtype: Any = np.float64


def column(k: int, name: str, units: str) -> Field:
    """One of the numbers."""
    return Field(name, units, lambda rows: rows[..., k])


def point(first: int) -> list[Field]:
    """Where a point of the ground is: four numbers."""
    parts = {"distance_m": "m", "lat": "degrees_north", "lon": "degrees_east", "height_m": "m"}
    return [column(first + k, name, units) for k, (name, units) in enumerate(parts.items())]


def ask_one(
    surface: Any,
    write: Write,
    arguments: dict[str, Any],
    name: str,
    units: str,
    *,
    axes: dict[str, int] | None = None,
    out: np.ndarray | None = None,
    as_xarray: bool | None = None,
    progress: Any = None,
) -> Any:
    """An answer of one array, of the kind that the arguments are; `axes` are its last ones, with their sizes."""
    told, axes = heard_by(progress), axes or {}

    def asked(*arrays: Any, out: np.ndarray | None = None) -> np.ndarray:
        shape, places = broadcast(**dict(zip(arguments, arrays, strict=True)))
        result, written = room(out, (*shape, *axes.values()), places)
        write(places, written, told)
        return _plain(settle(result, written), out)

    field = Field(name, units, lambda numbers: numbers)
    found = _asked(surface, asked, arguments, [field], axes, out, as_xarray)
    return found[0] if isinstance(found, list) else found


def ask_many(
    surface: Any,
    write: Write,
    arguments: dict[str, Any],
    fields: list[Field],
    width: int,
    *,
    axes: dict[str, int] | None = None,
    out: Sequence[np.ndarray | None] | None = None,
    as_xarray: bool | None = None,
    progress: Any = None,
) -> Sequence[Any]:
    """An answer of several arrays, made of `width` numbers each."""
    told, axes = heard_by(progress), axes or {}

    def asked(*arrays: Any, out: Sequence[np.ndarray | None] | None = None) -> tuple[np.ndarray, ...]:
        shape, places = broadcast(**dict(zip(arguments, arrays, strict=True)))
        shape = (*shape, *axes.values())
        results = rooms(out, shape, fields)
        rows = np.empty((*shape, width))
        write(places, rows.reshape(-1), told)
        put(rows, fields, results)
        return tuple(_plain(result, given) for result, given in zip(results, out or [None] * len(fields), strict=True))

    return _asked(surface, asked, arguments, fields, axes, out, as_xarray)


def rooms(out: Any, shape: tuple[int, ...], fields: list[Field]) -> list[np.ndarray]:
    """The arrays that fields are written to: those that are given, and new ones for the others."""
    names = ", ".join(field.name for field in fields)
    if out is None:
        out = [None] * len(fields)
    if not isinstance(out, (tuple, list)):
        raise TypeError(f"out is a {type(out).__name__}: give a tuple of arrays for {names}; None for one that is made anew")
    if len(out) != len(fields):
        raise ValueError(f"out has {len(out)} arrays, the answer {len(fields)}: {names}; None for one that is made anew")
    given = [(field, array) for field, array in zip(fields, out, strict=True) if array is not None]
    for field, array in given:
        fits(array, shape, field.dtype, f"out for {field.name}")
    for (field, array), (other, beside) in combinations(given, 2):
        if np.shares_memory(array, beside):
            raise ValueError(f"out for {field.name} and for {other.name} share memory: give each an array of its own")
    return [np.empty(shape, field.dtype) if array is None else array for field, array in zip(fields, out, strict=True)]


def put(rows: np.ndarray, fields: list[Field], results: list[np.ndarray]) -> None:
    """Writes each field where it belongs."""
    for field, result in zip(fields, results, strict=True):
        result[...] = field.of(rows)


def _plain(result: np.ndarray, out: np.ndarray | None) -> Any:
    """A number for a number, as numpy's functions have it, unless an array is given for it."""
    return result[()] if out is None and result.ndim == 0 else result


def _asked(
    surface: Any,
    asked: Callable[..., Any],
    arguments: dict[str, Any],
    fields: list[Field],
    axes: dict[str, int],
    out: Any,
    as_xarray: bool | None,
) -> Any:
    """Asks now for arrays, or later for those of dask, and gives DataArrays where they are wanted."""
    values = arguments.values()
    if any(is_xarray(value) for value in values) if as_xarray is None else as_xarray:
        no_out(out, "xarray")
        return _xarray.at_places(surface, asked, arguments, fields, axes)
    if any(is_dask(value) for value in values):
        no_out(out, "dask")
        return _xarray.by_blocks(asked, arguments, fields, axes)
    return asked(*values, out=out)
