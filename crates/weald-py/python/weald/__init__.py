"""Weald: a deterministic terrain engine. One recipe gives the same bits on every machine and with any number of
threads.

>>> import weald
>>> island = weald.generate("island", seed=7, size=128)
>>> island.layers["height"].shape
(128, 128)

`generate` makes a world, `derive` makes one from maps of your own, `open` reads a folder back. `sample` asks what
is at places, `build` makes maps larger than memory, `check` whether an output keeps the rules of its world, `measure` how a heightmap compares with real
land. `weald.core` has the algorithms for arrays of your own.
"""

from . import core
from ._build import Build, build
from ._files import check, measure
from ._make import derive, generate, open, sample
from ._reports import Explanation, Measures, Report
from ._weald import set_threads, version
from ._world import World
from ._worlds import LayerInfo, WorldInfo, schema, worlds

__version__: str = version()

__all__ = [
    "Build",
    "Explanation",
    "LayerInfo",
    "Measures",
    "Report",
    "World",
    "WorldInfo",
    "__version__",
    "build",
    "check",
    "core",
    "derive",
    "generate",
    "measure",
    "open",
    "sample",
    "schema",
    "set_threads",
    "worlds",
]
