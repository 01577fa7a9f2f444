"""What the suite itself costs.

    python benchmarks/own_cost.py [--rounds 3] [-k TEXT]

Two numbers. The first is the whole-process time of `pytest conformance --impl=reference`, over the
sum of two things that nobody could avoid: the same programs run bare in one loop, and a pytest run of
as many empty parametrized tests. The second is that of `gradspec run --impl=reference`, over the
programs run bare. All four are whole processes, run in turn, in the same environment; the ratios are
taken round by round, so that they hold when the machine's speed drifts; on a machine that others use
too, believe the CPU time. All cases take about two minutes a round; `-k` takes those whose id contains
a text.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from gradspec.spec.load import load_spec

LABELS = ("pytest", "gradspec run", "bare programs", "empty tests")
ROOT = Path(__file__).resolve().parents[1]
BARE = '''"""The programs of the specification, bare: no collecting, no judging, no journal."""
import gc, threading, warnings
from contextlib import contextmanager
from programs import PROGRAMS, bind
warnings.simplefilter("ignore")

def nothing(*arguments):
    return None

@contextmanager
def recorded(index):
    yield

def run_in_thread(block):
    thread = threading.Thread(target=block)
    thread.start()
    thread.join()

def traced():
    return []

reset = bind()
gc.collect()
gc.freeze()
for program in PROGRAMS:
    try:
        reset()
        program(nothing, nothing, recorded, run_in_thread, nothing, traced)
    except Exception:
        pass
'''
HEAD = """from gradspec.adapters.reference_engine import ReferenceEngine

def bind():
    engine = ReferenceEngine()
    for word in {words!r}:
        engine.bind([word])
    globals().update({{name: value for name, value in engine.namespace.items() if not name.startswith("__")}})
    return engine.reset

"""


def write_bare(folder: Path, text: str) -> int:
    """Write the programs of the cases whose id contains `text`, and a loop; how many they are."""
    cases = [case for case in load_spec().cases if text in case.id]
    words = sorted({word for case in cases for word in case.program.words})
    parts = [HEAD.format(words=words)]
    for number, case in enumerate(cases):
        source = case.program.python(mediated=False)[0]
        parts.append(source.replace("def program(", f"def program_{number}(", 1) + "\n")
    parts.append(f"PROGRAMS = [{', '.join(f'program_{number}' for number in range(len(cases)))}]\n")
    (folder / "programs.py").write_text("\n".join(parts), "utf-8")
    (folder / "bare.py").write_text(BARE, "utf-8")
    mark = f"@pytest.mark.parametrize('number', range({len(cases)}))"
    empty = f"import pytest\n{mark}\ndef test_empty(number):\n    pass\n"
    (folder / "test_empty.py").write_text(empty, "utf-8")
    return len(cases)


def seconds(command: list[str], folder: Path) -> tuple[float, float]:
    """Wall-clock time and CPU time of one whole process.

    Raises:
        RuntimeError: it did not come to its end.
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or each run would compile the programs again
    before = os.times()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    after = os.times()
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    return after.elapsed - before.elapsed, spent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-k", default="", help="only cases whose id contains this text")
    options = parser.parse_args()
    rounds, text = options.rounds, options.k
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        count = write_bare(folder, text)
        journal = f"--journal={folder / 'journal.jsonl'}"
        impl = ["--impl=reference", journal, *(("-k", text) if text else ())]
        commands = (
            [*pytest, str(ROOT / "conformance"), *impl, "-r", "N"],
            [sys.executable, "-m", "gradspec.conformance.cli", "run", *impl],
            [sys.executable, "bare.py"],
            [*pytest, "test_empty.py"],
        )
        for command in commands:
            seconds(command, folder)  # warm: compiled files, disk cache
        rows = [[seconds(command, folder) for command in commands] for _ in range(rounds)]
    versions = f"pytest {version('pytest')}, NumPy {version('numpy')}"
    print(f"{count} cases; Python {platform.python_version()}, {versions}")
    for kind, clock in enumerate(("wall clock", "CPU time")):
        times = [[run[kind] for run in row] for row in rows]
        print(clock)
        for label, column in zip(LABELS, zip(*times, strict=True), strict=True):
            print(f"  {label:<14} median {statistics.median(column):6.2f} s   {span(column)}")
        tell_ratio("pytest over bare programs and empty tests", times, (0,), (2, 3))
        tell_ratio("gradspec run over bare programs", times, (1,), (2,))
        for label, whole in zip(LABELS[:2], (0, 1), strict=True):
            spent = 1e6 * statistics.median(row[whole] - row[2] for row in times) / count
            print(f"  {label} less bare programs, for each case: {spent:.0f} us")


def tell_ratio(
    label: str, times: Sequence[Sequence[float]], over: Sequence[int], under: Sequence[int]
) -> None:
    """Print the ratio of some columns to others, row by row."""
    ratios = [sum(row[at] for at in over) / sum(row[at] for at in under) for row in times]
    print(f"  {label}: median {statistics.median(ratios):.2f} {span(ratios)}")


def span(column: Sequence[float]) -> str:
    """Smallest and largest."""
    return f"({min(column):.2f} to {max(column):.2f})"


if __name__ == "__main__":
    main()
