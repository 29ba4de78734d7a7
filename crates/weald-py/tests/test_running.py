"""Errors, signals, threads and progress."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import weald
from weald import _weald, core


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (lambda: weald.generate("iland"), "generate iland -o x"),
        (lambda: weald.generate("island", recipe="atol"), "generate island --recipe atol -o x"),
        (lambda: weald.generate("island", size=200_000), "generate island --size 200000 -o x"),
        (
            lambda: weald.generate("island", params={"rivers.spring_aera": 3}),
            "generate island --set rivers.spring_aera=3 -o x",
        ),
        (
            lambda: weald.generate("island", params={"rivers.spring_area": -3}),
            "generate island --set rivers.spring_area=-3 -o x",
        ),
        (
            lambda: weald.generate("forest", params={"gameTrails": {"wStreamProx": 0.7}}),
            "generate forest --set gameTrails.wStreamProx=0.7 -o x",
        ),
        (lambda: weald.generate("island", recipe="no.toml"), "generate island --recipe no.toml -o x"),
        (lambda: weald.generate("island", recipe='kind = "island"\nsize = 3.5\n'), None),
        (lambda: weald.open("nowhere"), "explain nowhere --at 1,1"),
        (lambda: weald.check("nowhere.txt"), "check nowhere.txt"),
        (lambda: weald.measure("nowhere.npy"), "measure nowhere.npy"),
    ],
)
def test_errors_have_the_words_of_the_command_line(call, arguments, request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, OSError)) as caught:
        call()
    if arguments is None:
        assert "recipe:2:1: size = 3.5" in str(caught.value)
        return
    program = request.getfixturevalue("program")
    out = subprocess.run([program, *arguments.split()], capture_output=True, text=True, check=False)
    assert out.returncode == (4 if isinstance(caught.value, OSError) else 2), out.stderr
    theirs = [re.sub(r" \((--set|params)\)$", "", line) for line in out.stderr.removesuffix("\n").split("\n")]
    mine = [f"error: {re.sub(r' [(](--set|params)[)]$', '', line)}" for line in str(caught.value).split("\n")]
    assert mine == theirs


def test_arguments_of_the_wrong_type_are_refused():
    for arguments in [{"seed": 1.5}, {"seed": "7"}, {"size": (3.5, 2)}, {"size": (1, 2, 3)}, {"size": "64"}]:
        with pytest.raises(ValueError, match="must be"):
            weald.generate("island", **arguments)
    with pytest.raises(ValueError, match="seed = -1: must be a whole number between 0 and 18446744073709551615"):
        weald.generate("island", seed=-1)
    with pytest.raises(ValueError, match="JSON compliant"):
        weald.generate("island", params={"noise_amplitude": float("nan")})
    with pytest.raises(TypeError, match="no value of a parameter"):
        weald.generate("island", params={"noise_amplitude": object()})
    with pytest.raises(ValueError, match="no window to place; leave at out"):
        weald.generate("island", at=(1, 2))
    with pytest.raises(ValueError, match="at 0.5,1: must be two whole numbers"):
        weald.generate("endless", at=(0.5, 1))


def test_an_existing_file_in_the_way_is_an_error_and_nothing_is_left(island, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises((ValueError, OSError)):
        island.save(tmp_path / "file")
    with pytest.raises(OSError, match="no such folder; make it first"):
        island.save(tmp_path / "no/such/folder")
    assert (tmp_path / "file").read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


def test_a_world_that_does_not_fit_into_memory_is_refused_before_any_work():
    start = time.monotonic()
    with pytest.raises(MemoryError, match="of memory but only .* are free; make the map smaller"):
        weald.generate("endless", size=1_000_000, at=(0, 0))
    assert time.monotonic() - start < 2


def test_a_panic_is_an_error_and_the_next_call_works():
    if not hasattr(_weald, "_panic"):
        pytest.skip("this build has no panic to try")
    for _ in range(3):
        with pytest.raises(RuntimeError, match="internal failure: a test asked for it"):
            _weald._panic()
    assert weald.generate("island", size=32).size == (32, 32)


LONG = {
    "city": lambda **more: weald.generate("city", size=2048, **more),
    "forest": lambda **more: weald.generate("forest", size=4096, **more),
    "island": lambda **more: weald.generate("island", size=4096, **more),
    "endless": lambda **more: weald.generate("endless", size=3000, at=(0, 0), **more),
    "droplets": lambda **_: core.droplet(np.random.default_rng(0).random((1024, 1024)) * 99, 10.0, count=50_000_000),
    "evolve": lambda **_: core.evolve(np.full((500, 500), 1e-3), 50.0, erodibility=2e-6, steps=10_000),
    "thermal": lambda **_: core.thermal(np.random.default_rng(0).random((1500, 1500)) * 99, 1.0, passes=100_000),
}


def interrupted(call, after: float) -> float:
    """Sends the signal of Ctrl-C, and returns the seconds from then until the call ends by it."""
    # A shell that starts the tests in the background lets them ignore this signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sent = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_a_long_call_soon(name):
    seconds = interrupted(LONG[name], 0.25)
    assert seconds < 0.6, f"{seconds} s"
    # The signal is not seen again by the next call.
    assert weald.generate("island", size=32).size == (32, 32)


LEAKS = """
import gc, os, signal, threading, weald
signal.signal(signal.SIGINT, signal.default_int_handler)
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
for k in range(6):
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        weald.generate("endless", size=3000, at=(0, 0))
        raise SystemExit("it was not interrupted")
    except KeyboardInterrupt:
        gc.collect()
    if k == 1:
        before = resident()
assert resident() - before < 100e6, resident() - before
"""


def test_memory_of_interrupted_calls_is_freed():
    subprocess.run([sys.executable, "-c", LEAKS], check=True)


def test_ctrl_c_while_saving_leaves_nothing_half_written(tmp_path):
    world = weald.generate("endless", size=2000, at=(0, 0))
    interrupted(lambda: world.save(tmp_path / "endless"), 0.1)
    assert list(tmp_path.iterdir()) == []


def test_python_runs_while_the_engine_works():
    """A second thread computes with NumPy meanwhile, about as fast as alone."""
    rounds, stop = [0], threading.Event()

    def count() -> None:
        cells = np.ones(1000)
        while not stop.is_set():
            cells = np.sqrt(cells + 1)
            rounds[0] += 1

    other = threading.Thread(target=count)
    other.start()
    try:
        time.sleep(0.2)
        alone = rounds[0] / 0.2
        begin, start = rounds[0], time.monotonic()
        core.droplet(np.random.default_rng(0).random((256, 256)) * 99, 10.0, count=400_000)
        took = time.monotonic() - start
        beside = (rounds[0] - begin) / took
    finally:
        stop.set()
        other.join()
    assert took > 0.2, "too short to tell"
    assert beside > alone / 10, f"{beside} rounds a second beside the engine, {alone} alone"


def test_two_threads_of_python_make_worlds_at_a_time():
    made: dict[int, dict[str, str]] = {}

    def make(seed: int) -> None:
        made[seed] = weald.generate("island", seed=seed, size=128).hashes

    threads = [threading.Thread(target=make, args=(seed,)) for seed in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == {seed: weald.generate("island", seed=seed, size=128).hashes for seed in (1, 2, 3, 4)}


def in_child(queue) -> None:
    queue.put(weald.generate("island", seed=5, size=64).hashes)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_worlds_are_made_in_child_processes(way):
    expected = weald.generate("island", seed=5, size=64).hashes
    context = multiprocessing.get_context(way)
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join()
    assert child.exitcode == 0


def test_threads_of_the_shared_pool():
    expected = weald.generate("island", seed=5, size=64).hashes
    try:
        for threads in (1, 3):
            weald.set_threads(threads)
            assert weald.generate("island", seed=5, size=64).hashes == expected
    finally:
        weald.set_threads(None)
    for wrong in (0, 257):
        with pytest.raises(ValueError, match=f"threads = {wrong}: must be between 1 and 256"):
            weald.set_threads(wrong)
        with pytest.raises(ValueError, match="must be between 1 and 256"):
            weald.generate("island", size=32, threads=wrong)


def test_progress_is_told_in_the_calling_thread():
    told = []
    weald.generate("city", seed=7, size=256, progress=lambda *news: told.append((threading.get_ident(), *news)))
    assert {thread for thread, *_ in told} == {threading.get_ident()}
    stages = [stage for _, stage, done, total in told if (done, total) == (0, 0)]
    assert "droplets" in stages and len(stages) > 5
    assert all(0 <= done <= total for _, _, done, total in told)
    assert any(total > 0 for *_, total in told)


def test_an_exception_of_the_progress_report_ends_the_call():
    def enough(stage: str, done: int, total: int) -> None:
        raise LookupError("enough")

    start = time.monotonic()
    with pytest.raises(LookupError, match="enough"):
        weald.generate("city", size=2048, progress=enough)
    assert time.monotonic() - start < 2
    with pytest.raises(ValueError, match="progress = 3: must be"):
        weald.generate("city", size=64, progress=3)


def test_progress_as_a_bar(capsys):
    pytest.importorskip("tqdm")
    weald.generate("city", seed=7, size=256, progress=True)
    assert "droplets" in capsys.readouterr().err
    weald.generate("city", seed=7, size=64, progress=False)
    assert capsys.readouterr().err == ""
