"""What users give, as the native functions take it."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._progress import Progress, listener

PathLike = str | os.PathLike[str]
"""A file or a folder."""

Map = PathLike | npt.ArrayLike
"""A map of your own: a file, or an array of rows from the north."""

Size = int | tuple[int, int]
"""Columns and rows, or one number for a square."""

__all__ = [
    "Map",
    "PathLike",
    "Progress",
    "Size",
    "array2",
    "as_json",
    "floats",
    "listener",
    "map_of",
    "masked",
    "request",
]


def array2(name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Returns an array of rows of numbers; fails for anything else."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} has masked cells: fill them first")
    array: npt.NDArray[Any] = np.asarray(values)
    if array.ndim != 2:
        raise ValueError(f"{name} has {array.ndim} dimensions: must have two, rows and columns")
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} has the type {array.dtype}: must be numbers")
    return array


def floats(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Returns contiguous rows of 32-bit floats, copied only if the array is not that already."""
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array2(name, values), dtype=np.float32)


def masked(name: str, values: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Returns a mask as bytes: 1 where the values are not 0."""
    array = array2(name, values)
    if array.dtype == np.uint8 and array.flags.c_contiguous:
        return array
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"{name} has cells that are NaN: must be a mask")
    return np.ascontiguousarray(array != 0).view(np.uint8)


def map_of(name: str, value: Map) -> tuple[str | None, bytes | None]:
    """Returns the file of a map, or the bytes of a NumPy file for an array; masked cells have no data, as NaN."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value), None
    filled: npt.ArrayLike = value
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        filled = np.where(np.ma.getmaskarray(value), np.nan, np.ma.getdata(value))
    out = io.BytesIO()
    np.save(out, array2(name, filled), allow_pickle=False)
    return None, out.getvalue()


def _plain(value: object) -> object:
    """Returns a number or an array of NumPy as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{value!r} is no value of a parameter")


def as_json(value: object) -> str:
    """Returns JSON; fails for numbers that it cannot hold."""
    return json.dumps(value, default=_plain, allow_nan=False)


def _without_paths(params: Mapping[str, Any], prefix: str, files: dict[str, str]) -> dict[str, Any]:
    """Returns the parameters without those that are paths, which go into `files`."""
    out: dict[str, Any] = {}
    for name, value in params.items():
        if isinstance(value, Path):
            files[f"{prefix}{name}"] = os.fspath(value)
        elif isinstance(value, Mapping):
            out[name] = _without_paths(value, f"{prefix}{name}.", files)
        else:
            out[name] = value
    return out


def _whole(name: str, value: object) -> int:
    """Returns a whole number; a float or a text is none."""
    index: Callable[[], int] | None = getattr(value, "__index__", None)
    if index is None:
        raise ValueError(f"{name} = {value!r}: must be a whole number")
    return index()


def request(
    world: str,
    *,
    seed: int | None = None,
    size: Size | None = None,
    params: Mapping[str, Any] | None = None,
    recipe: PathLike | None = None,
    at: Iterable[float] | None = None,
    with_: Iterable[str] = (),
    **more: Any,
) -> str:
    """Returns what to make as JSON."""
    out: dict[str, Any] = {"world": world, "with": [with_] if isinstance(with_, str) else list(with_), **more}
    if recipe is not None:
        text = os.fspath(recipe)
        out["recipe_text" if "\n" in text else "recipe"] = text
    if seed is not None:
        out["seed"] = str(_whole("seed", seed))
    if size is not None:
        sides = list(size) if isinstance(size, Iterable) else [size]
        out["size"] = "x".join(str(_whole("size", side)) for side in sides)
    if at is not None:
        out["at"] = [float(v) for v in at]
    files: dict[str, str] = {}
    out["params"] = _without_paths(params or {}, "", files)
    out["param_files"] = files
    return as_json(out)
