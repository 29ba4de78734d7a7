"""What the package costs beside the library: whole worlds, made by turns in both.

`overhead.py WEALD-BENCHES` is run by `cargo xtask bench python`. It fails if a world takes more than 5 % longer in
Python.
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import weald
from weald import core

ROUNDS = 9
RUNS = 3
MOST = 1.05


def by_library(program: str) -> dict[tuple[str, int], float]:
    """Seconds of the fastest of three runs of each world, by the library alone."""
    out = subprocess.run([program, "library"], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return {(world, int(side)): float(seconds) for world, side, seconds in rows}


def seconds_of(work) -> float:
    """Seconds of the fastest of three runs."""
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def by_package(world: str, side: int) -> float:
    """Seconds of the fastest of three runs, until every layer is an array."""
    return seconds_of(lambda: list(weald.generate(world, seed=7, size=side).layers.values()))


def main() -> int:
    rust: dict[tuple[str, int], list[float]] = {}
    python: dict[tuple[str, int], list[float]] = {}
    for _ in range(ROUNDS):
        for case, seconds in by_library(sys.argv[1]).items():
            rust.setdefault(case, []).append(seconds)
            python.setdefault(case, []).append(by_package(*case))
    print("| world | Rust, ms | Python, ms | ratio |\n| --- | ---: | ---: | ---: |")
    missed = []
    for (world, side), seconds in rust.items():
        # Of each round, so that what else the machine does counts for both.
        ratio = float(np.median(np.divide(python[world, side], seconds)))
        both = [min(taken) * 1e3 for taken in (seconds, python[world, side])]
        print(f"| {world} {side}² | {both[0]:.0f} | {both[1]:.0f} | {ratio:.3f} |")
        missed += [world] if ratio > MOST else []
    small = np.zeros((8, 8), np.float32)
    call = seconds_of(lambda: [core.fill(small) for _ in range(1000)]) / 1000
    print(f"\nA call on 8 by 8 cells: {call * 1e6:.0f} µs")
    if missed:
        print(f"MISSED: more than {MOST - 1:.0%} longer: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
