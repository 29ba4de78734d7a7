"""Checks and figures of files and arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from . import _weald
from ._arguments import Map, PathLike, Progress, as_json, listener, map_of
from ._reports import Measures, Report


def check(path: PathLike, *, heightmap: bool = False) -> Report:
    """Checks whether an output keeps the rules of its world, from its files alone.

    `path` is a folder or a file of tiles; with `heightmap` a heightmap of any program, of which it is checked
    whether the land drains.
    """
    _, text, data = _weald.check(os.fspath(path), heightmap)
    return Report(text, json.loads(data))


def measure(
    heights: Map,
    *,
    cell_m: float | None = None,
    layer: str | None = None,
    sea_level: float | None = None,
    nodata: float | None = None,
    crop: Sequence[int] | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Measures:
    """Measures how heights compare with real land: its rivers, slopes, relief and coast.

    `heights` is an array of metres, a heightmap or an output folder, of which `layer` chooses a layer. `cell_m` is
    the side of a cell, `sea_level` the height up to which cells are sea, `nodata` the height of cells without data
    (NaN always means that), and `crop` the part to measure: column, row, width, height.
    """
    file, array = map_of("heights", heights)
    reading = {"sea_level": sea_level, "nodata": nodata, "crop": None if crop is None else list(crop)}
    with listener(progress) as heard:
        name = "array" if file is None else file
        text, data = _weald.measure(name, array, cell_m, layer, as_json(reading), threads, heard)
    return Measures(text, json.loads(data))
