"""Progress of long calls."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

Progress = bool | Callable[[str, int, int], object] | None
"""`True` for a bar of tqdm, or a function of a stage, what is done of it and how much there is; 0 of 0 when a stage
begins.
"""


class _Bar:
    """A bar of tqdm for one stage after another."""

    def __init__(self, tqdm: Callable[..., Any]) -> None:
        self.tqdm = tqdm
        self.stage = ""
        self.bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self.bar is None:
            self.bar = self.tqdm(leave=False)
        if stage != self.stage or self.bar.total != (total or None):
            self.stage = stage
            self.bar.reset(total=total or None)
            self.bar.set_description(stage)
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        """Removes the bar."""
        if self.bar is not None:
            self.bar.close()


@contextlib.contextmanager
def listener(progress: Progress) -> Iterator[Callable[[str, int, int], object] | None]:
    """Gives the function that hears of progress, and removes its bar at the end."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            message = "progress=True shows a bar of tqdm: pip install weald[progress], or give a function"
            raise ImportError(message) from None
        bar = _Bar(tqdm)
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise ValueError(f"progress = {progress!r}: must be None, True, False or a function of stage, done and total")
