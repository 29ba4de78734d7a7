"""Maps larger than memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _weald
from ._arguments import PathLike, Progress, Size, as_json, listener, request


class Build:
    """A map in tiles in a Zarr store, finished or not.

    `run` goes on until it is finished. The single steps are for schedulers of your own: the tiles of a pass may be
    made in any process that sees the folder, in any order and more than once; when all are done, `merge` merges
    them for the next pass. Then come the overviews, level by level, and `finish`.
    """

    def __init__(self, native: _weald.Build, path: PathLike) -> None:
        self._native = native
        self.path: str = os.fspath(path)
        """The folder of the store."""
        about = json.loads(native.describe())
        self.world: str = about["world"]
        """Name of the world."""
        self.seed: int = about["seed"]
        """The seed."""
        self.size: tuple[int, int] = (about["size"][0], about["size"][1])
        """Columns and rows."""
        self.tile: int = about["tile"]
        """Side of a tile in cells."""
        self.tiles: int = about["tiles"]
        """Number of tiles."""
        self.passes: list[str] = about["passes"]
        """Names of the passes, in order."""
        self.levels: int = about["levels"]
        """Number of levels: the map itself, and its overviews."""
        self.layers: list[str] = about["layers"]
        """Names of the layers."""
        self.notes: list[str] = about["notes"]
        """What is different from the recipe that was given."""
        self.recipe: str = about["recipe"]
        """The recipe of the same map as a whole."""
        self.bytes_per_tile: int = about["bytes_per_tile"]
        """Memory that one tile takes while it is made, at most."""

    @classmethod
    def open(cls, path: PathLike) -> Build:
        """Opens the store of a build, finished or not."""
        return cls(_weald.open_build(os.fspath(path)), path)

    @classmethod
    def begin(
        cls,
        world: str,
        path: PathLike,
        seed: int | None = None,
        size: Size | None = None,
        *,
        params: Mapping[str, Any] | None = None,
        recipe: PathLike | None = None,
        at: Iterable[float] | None = None,
        tile: int | None = None,
        memory: int | None = None,
        layers: Iterable[str] | None = None,
    ) -> Build:
        """Makes the store without tiles, or opens one of the same build. The arguments are those of `build`."""
        asked = request(world, seed=seed, size=size, params=params, recipe=recipe, at=at)
        names = None if layers is None else [layers] if isinstance(layers, str) else list(layers)
        wanted = as_json({"tile": tile, "memory": memory, "layers": names})
        return cls(_weald.begin_build(asked, os.fspath(path), wanted), path)

    @property
    def finished(self) -> bool:
        """Whether everything is done."""
        return self._native.is_finished()

    def run(self, *, memory: int | None = None, threads: int | None = None, progress: Progress = None) -> None:
        """Goes on until the build is finished. What was done before is not done again."""
        with listener(progress) as heard:
            self._native.run(memory, threads, heard)

    def open_tiles(self, pass_: int) -> list[int]:
        """The tiles of a pass that are not done."""
        return self._native.open_tiles(pass_)

    def is_merged(self, pass_: int) -> bool:
        """Whether the tiles of a pass are done and merged."""
        return self._native.is_merged(pass_)

    def make_tile(self, pass_: int, tile: int, *, threads: int | None = None) -> None:
        """Makes a tile of a pass. The passes before must be merged."""
        self._native.make(pass_, tile, threads)

    def merge(self, pass_: int) -> None:
        """Merges a pass whose tiles are all done."""
        self._native.merge(pass_)

    def open_overviews(self, level: int) -> list[int]:
        """The tiles of an overview that are not there."""
        return self._native.open_overviews(level)

    def make_overview(self, level: int, tile: int, *, threads: int | None = None) -> None:
        """Makes a tile of an overview. The level below must be there."""
        self._native.overview(level, tile, threads)

    def finish(self) -> None:
        """Writes the figures and removes what was needed to go on. Everything else must be done."""
        self._native.finish()

    def window(
        self, layer: str, x: int, y: int, width: int, height: int, *, level: int = 0
    ) -> npt.NDArray[np.generic]:
        """A part of a layer, read from the tiles that it touches; `level` k is the overview of cells of 2**k."""
        return self._native.window(layer, level, (x, y, width, height))

    def __repr__(self) -> str:
        state = "finished" if self.finished else "not finished"
        columns, rows = self.size
        return f"<Build of {self.world} {columns}x{rows}, seed {self.seed}, in {self.tiles} tiles, {state}: {self.path}>"


def build(
    world: str,
    path: PathLike,
    seed: int | None = None,
    size: Size | None = None,
    *,
    params: Mapping[str, Any] | None = None,
    recipe: PathLike | None = None,
    at: Iterable[float] | None = None,
    tile: int | None = None,
    memory: int | None = None,
    layers: Iterable[str] | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Build:
    """Builds a map larger than memory, tile by tile, as the Zarr store `path`; the same call goes on where a stopped
    one was.

    - `tile`: side of a tile in cells; by default 4096, or less if memory is scarce.
    - `memory`: bytes that may be used; by default three quarters of what is free.
    - `layers`: names of the layers to keep; by default all.

    Everything else is as in `generate`. `weald.dask.build` does the same on a cluster.
    """
    begun = Build.begin(
        world,
        path,
        seed,
        size,
        params=params,
        recipe=recipe,
        at=at,
        tile=tile,
        memory=memory,
        layers=layers,
    )
    begun.run(memory=memory, threads=threads, progress=progress)
    return begun
