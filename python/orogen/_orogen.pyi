"""The extension module: flat arrays in, flat arrays written. The package around it is what to use."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

_Numbers = NDArray[np.float64]
_Progress = Callable[[int, int], object] | None

def has_gdal() -> bool: ...
def threads() -> int: ...
def metres_per_unit(name: str) -> float | None: ...
def unix_s(text: str) -> float: ...
def working_file(out: str, work_dir: str | None = None) -> str: ...
def wanted_key(recipe: dict[str, Any], out: str, overwrite: bool, work_dir: str | None = None) -> str | None: ...
def bake(
    recipe: dict[str, Any],
    out: str,
    shard: tuple[int, int] | None,
    overwrite: bool,
    progress: _Progress = None,
    work_dir: str | None = None,
) -> None: ...
def merge(
    shards: Sequence[str], out: str, overwrite: bool, progress: _Progress = None, work_dir: str | None = None
) -> None: ...
def png(pixels: NDArray[np.uint8]) -> bytes: ...

class Grid:
    @staticmethod
    def covering(bbox: Sequence[float], cell_m: float) -> Grid: ...
    @staticmethod
    def around(lat: float, lon: float, radius_m: float, cell_m: float) -> Grid: ...
    def facts(self) -> tuple[float, float, float, int, int, float]: ...

class Cells:
    def horizons(self, window: Sequence[int], out: NDArray[np.float32], progress: _Progress = None) -> None: ...
    def sky_views(self, window: Sequence[int], out: NDArray[np.float32], progress: _Progress = None) -> None: ...
    def insolations(
        self,
        window: Sequence[int],
        span: Sequence[float],
        turbidity: float,
        out: NDArray[np.float32],
        progress: _Progress = None,
    ) -> None: ...

class Studio:
    def __init__(self, surface: Surface, words: Sequence[str]) -> None: ...
    def picture(self, words: Sequence[str]) -> tuple[NDArray[np.uint8] | NDArray[np.float32], int, float, str | None]: ...
    @staticmethod
    def save(path: str, pixels: NDArray[np.uint8] | NDArray[np.float32], note: str | None) -> None: ...

class Surface:
    @staticmethod
    def of_files(
        files: Sequence[str],
        nodata: float | None = None,
        unit_m: float | None = None,
        feather: int | None = None,
        valid_range_m: tuple[float, float] | None = None,
        water: bool = True,
    ) -> Surface: ...
    @staticmethod
    def of_array(
        values: NDArray[np.float32], described: dict[str, Any], below: Surface | None = None, water: bool = True
    ) -> Surface: ...
    def heights(self, lat: _Numbers, lon: _Numbers, out: _Numbers, progress: _Progress = None) -> None: ...
    def grounds(
        self, what: str, rule: str, lat: _Numbers, lon: _Numbers, out: _Numbers, progress: _Progress = None
    ) -> None: ...
    def provenance(self, lat: _Numbers, lon: _Numbers, out: _Numbers) -> None: ...
    def rays(
        self, arguments: Sequence[_Numbers], above_ground: bool, out: _Numbers, progress: _Progress = None
    ) -> None: ...
    def sights(
        self, arguments: Sequence[_Numbers], refraction: float, out: _Numbers, progress: _Progress = None
    ) -> None: ...
    def profiles(self, arguments: Sequence[_Numbers], samples: int, out: _Numbers) -> None: ...
    def viewshed(
        self,
        lat: float,
        lon: float,
        radius_m: float,
        eye_height_m: float,
        target_height_m: float,
        cell_m: float | None,
        refraction: float,
        progress: _Progress = None,
    ) -> tuple[NDArray[np.uint8], float, float]: ...
    def horizons(
        self, lat: _Numbers, lon: _Numbers, options: tuple[int, float, float], out: _Numbers, progress: _Progress = None
    ) -> None: ...
    def sky_views(
        self, lat: _Numbers, lon: _Numbers, options: tuple[int, float, float], out: _Numbers, progress: _Progress = None
    ) -> None: ...
    def insolations(
        self,
        lat: _Numbers,
        lon: _Numbers,
        options: tuple[int, float, float],
        span: Sequence[float],
        turbidity: float,
        out: _Numbers,
        progress: _Progress = None,
    ) -> None: ...
    def sunlight(
        self,
        lat: _Numbers,
        lon: _Numbers,
        options: tuple[int, float, float],
        year: int,
        days: int,
        out: _Numbers,
        progress: _Progress = None,
    ) -> None: ...
    def cells(self, grid: Grid, options: tuple[int, float, float, float | None]) -> Cells: ...
    def mesh(
        self, bbox: Sequence[float], error_m: float, spacing_m: float, origin: Sequence[float] | None = None
    ) -> tuple[_Numbers, NDArray[np.uint32], Sequence[_Numbers], Sequence[int]]: ...
    def posting_m(self, lat: float, lon: float) -> float: ...
    def layers(self) -> list[dict[str, Any]]: ...
