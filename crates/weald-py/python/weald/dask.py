"""Maps larger than a machine: the same tiles as `weald.build`, made by the workers of a Dask cluster.

All workers must see the folder of the store, and have this package in the same version. Give a worker one thread of
Dask, and as many threads of the engine as it has cores.

>>> from distributed import Client, LocalCluster
>>> from weald.dask import build
>>> client = Client(LocalCluster(n_workers=2, threads_per_worker=1))    # doctest: +SKIP
>>> build("forest", "world.zarr", seed=42, size=65536, client=client)    # doctest: +SKIP
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from distributed import Client, as_completed, get_client

from ._arguments import PathLike, Progress, Size, listener
from ._build import Build

RETRIES = 5
"""Times that a tile is made again if it fails. A worker that is lost costs its tiles and no retry."""


@functools.lru_cache(maxsize=4)
def _opened(path: str) -> Build:
    """The build as this worker sees it."""
    return Build.open(path)


def _tile(tile: int, path: str, pass_: int, threads: int) -> int:
    _opened(path).make_tile(pass_, tile, threads=threads)
    return tile


def _merge(path: str, pass_: int) -> None:
    _opened(path).merge(pass_)


def _overview(tile: int, path: str, level: int, threads: int) -> int:
    _opened(path).make_overview(level, tile, threads=threads)
    return tile


def build(
    world: str,
    path: PathLike,
    seed: int | None = None,
    size: Size | None = None,
    *,
    client: Client | None = None,
    params: Mapping[str, Any] | None = None,
    recipe: PathLike | None = None,
    at: Iterable[float] | None = None,
    tile: int | None = None,
    memory: int | None = None,
    layers: Iterable[str] | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Build:
    """Builds a map on a Dask cluster as the Zarr store `path`, which all workers must see; the same call goes on where
    a stopped one was.

    - `client`: the client of the cluster; by default the one that is current.
    - `memory`: bytes that a tile may take on a worker.
    - `threads`: threads of the engine for each tile.

    Everything else is as in `weald.build`, and so are the bytes of the store.
    """
    cluster = client if client is not None else get_client()
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
    if begun.finished:
        return begun
    with listener(progress) as heard:
        for number, name in enumerate(begun.passes):
            if begun.is_merged(number):
                continue
            options = {"path": begun.path, "pass_": number, "threads": threads}
            _all(cluster, _tile, begun.open_tiles(number), options, name, heard)
            cluster.submit(_merge, begun.path, number, pure=False, retries=RETRIES).result()
        for level in range(1, begun.levels):
            options = {"path": begun.path, "level": level, "threads": threads}
            _all(cluster, _overview, begun.open_overviews(level), options, "overviews", heard)
    begun.finish()
    return begun


def _all(
    cluster: Client,
    work: Callable[..., int],
    tiles: list[int],
    options: dict[str, Any],
    stage: str,
    heard: Callable[[str, int, int], object] | None,
) -> None:
    """Makes tiles on the cluster, and waits until all are done."""
    futures = cluster.map(work, tiles, pure=False, retries=RETRIES, **options)
    try:
        for done, (_, result) in enumerate(as_completed(futures, with_results=True), start=1):
            assert result in tiles
            if heard is not None:
                heard(stage, done, len(tiles))
    except BaseException:
        cluster.cancel(futures)
        raise
