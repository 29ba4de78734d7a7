"""Makes worlds, reads folders, and asks what is at places."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _weald
from ._arguments import Map, PathLike, Progress, Size, listener, map_of, request
from ._world import World


def generate(
    world: str,
    seed: int | None = None,
    size: Size | None = None,
    *,
    params: Mapping[str, Any] | None = None,
    recipe: PathLike | None = None,
    at: Iterable[float] | None = None,
    with_: Iterable[str] = (),
    threads: int | None = None,
    progress: Progress = None,
) -> World:
    """Makes a world.

    `world` is one of the names of `worlds()`. What is not given comes from the recipe, and otherwise from the
    defaults of the world.

    - `seed`: a whole number from 0 to 2**64 - 1.
    - `size`: (columns, rows), or one number for a square.
    - `params`: parameters, nested or by dotted path: `{"rivers": {"spring_area": 400}}` or `{"rivers.spring_area":
      400}`. A `pathlib.Path` reads a text from a file.
    - `recipe`: a TOML file, the name of a recipe that comes with the package, or the text of one, such as
      `World.recipe`.
    - `at`: the place of the window of a world without edges, in metres east and north.
    - `with_`: optional results, such as `"worldmap"`.
    - `threads`: threads to use; all by default. The result is the same for any number.
    - `progress`: `True` for a bar, or a function of stage, done and total.
    """
    asked = request(world, seed=seed, size=size, params=params, recipe=recipe, at=at, with_=with_)
    with listener(progress) as heard:
        return World(_weald.make(asked, {}, threads, heard))


def derive(
    world: str,
    height: Map | None = None,
    *,
    maps: Mapping[str, Map] | None = None,
    seed: int | None = None,
    size: Size | None = None,
    params: Mapping[str, Any] | None = None,
    recipe: PathLike | None = None,
    with_: Iterable[str] = (),
    cell_m: float | None = None,
    crop: Sequence[int] | None = None,
    sea_level: float | None = None,
    nodata: float | None = None,
    fill_nodata: float | str | None = None,
    raw_size: Size | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> World:
    """Makes a world from maps of your own.

    `height` is a heightmap: a file of any format that `weald derive` reads, or an array of rows from the north,
    which is read as its .npy file would be. `maps` are further maps by name. With `size`, maps of another size are
    resampled.

    - `cell_m`: side of a cell in metres.
    - `crop`: the part to use: column, row, width, height.
    - `sea_level`: height of the sea in the map.
    - `nodata`: cells of this value have no data, as those have that are NaN.
    - `fill_nodata`: what cells without data become: `"sea"`, a height, or `"error"`.
    - `raw_size`: columns and rows of a .r16 or .raw file.

    Everything else is as in `generate`.
    """
    given = {**({} if height is None else {"height": height}), **(maps or {})}
    files: dict[str, str] = {}
    arrays: dict[str, bytes] = {}
    for name, value in given.items():
        file, array = map_of(name, value)
        if file is not None:
            files[name] = file
        if array is not None:
            arrays[name] = array
    sides = list(raw_size) if isinstance(raw_size, Iterable) else [raw_size]
    reading = {
        "crop": None if crop is None else list(crop),
        "sea_level": sea_level,
        "nodata": nodata,
        "fill_nodata": None if fill_nodata is None else str(fill_nodata),
        "raw_size": None if raw_size is None else "x".join(str(side) for side in sides),
    }
    asked = request(
        world,
        seed=seed,
        size=size,
        params=params,
        recipe=recipe,
        with_=with_,
        derive=True,
        maps=files,
        cell_m=cell_m,
        reading=reading,
    )
    with listener(progress) as heard:
        return World(_weald.make(asked, arrays, threads, heard))


def open(folder: PathLike) -> World:
    """Reads the folder of a world back: that of `World.save` or of `weald generate`."""
    return World(_weald.open(os.fspath(folder)))


def sample(
    world: str,
    points: npt.ArrayLike,
    *,
    seed: int | None = None,
    params: Mapping[str, Any] | None = None,
    recipe: PathLike | None = None,
    columns: Iterable[str] | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> dict[str, npt.NDArray[Any]]:
    """Asks what is at places of a world that is a function of place, endless or planet.

    `points` has a place in each row: metres east and north, or latitude and longitude. The answer has an array for
    each column: numbers as float64, NaN where there is none, and words as text. `columns` chooses some of them.
    """
    places = np.ascontiguousarray(np.asarray(points, dtype=np.float64))
    if places.ndim != 2:
        raise ValueError(f"points has {places.ndim} dimensions: must have two, a place in each row")
    asked = request(world, seed=seed, params=params, recipe=recipe)
    chosen = None if columns is None else [columns] if isinstance(columns, str) else list(columns)
    with listener(progress) as heard:
        answers = _weald.sample(asked, places, chosen, threads, heard)
    return {name: np.asarray(column) for name, column in answers}
