"""Runs what rounds on processors that this one can pass for.

BLAS, LAPACK and the libraries of elementwise functions pick their code by the processor, and all of
them can be told to pick that of another one, when a process starts. So each environment below has a
process of its own.

    python tests/reference/instruction_sets.py             # everything, in every environment
    python tests/reference/instruction_sets.py oldest avx2 # only in these
    python tests/reference/instruction_sets.py --quick     # what CI runs: a part of it, in a few
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import platform
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
SEEDS = (1, 2)
"""How `another_processor.py` rounds, in the environments called "any"."""
IN_CI = ("oldest", "armv8", "any 1")
READS_AT_IMPORT = (
    "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "ATEN_CPU_CAPABILITY", "MKL_CBWR",
    "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


class Set(NamedTuple):
    """An instruction set by the names that each library has for it."""

    needs: str
    """The feature of the processor, as NumPy calls it."""
    openblas: str
    torch: str
    mkl: str
    onednn: str
    keeps: str
    """Which features NumPy may go on to use, as a pattern of their names."""


X86 = {
    "oldest": Set("SSE3", "Prescott", "default", "COMPATIBLE", "SSE41", "$^"),
    "sse4": Set("SSE42", "Nehalem", "default", "SSE4_2", "SSE41", "$^"),
    "avx": Set("AVX", "Sandybridge", "default", "AVX", "AVX", "$^"),
    "avx2": Set("AVX2", "Haswell", "avx2", "AVX2", "AVX2", "AVX2|FMA3|X86_V3"),
    "zen": Set("AVX2", "Zen", "avx2", "COMPATIBLE", "AVX2", "AVX2|FMA3|X86_V3"),
    "avx512": Set("AVX512_SKX", "SkylakeX", "avx512", "AVX512", "AVX512_CORE", "."),
}
ARM = {
    "armv8": Set("NEON", "ARMV8", "default", "", "", "$^"),
    "neoverse": Set("NEON", "NEOVERSEN1", "default", "", "", "."),
}


def features() -> tuple[list[str], dict[str, bool]]:
    """The features for which NumPy has code of its own, and which of all are there."""
    for name in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return list(module.__cpu_dispatch__), dict(module.__cpu_features__)
    return [], {}


def environments() -> dict[str, dict[str, str]]:
    """What to set for each instruction set that this processor has, by name."""
    dispatched, there = features()
    machine = platform.machine().lower()
    sets = X86 if machine in ("x86_64", "amd64") else ARM if machine in ("arm64", "aarch64") else {}
    found = {
        name: environment(one, [f for f in dispatched if there.get(f)])
        for name, one in sets.items()
        if there.get(one.needs) or name == "oldest"
    }
    if found:
        old = next(iter(found.values()))
        numpy_only = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES")
        found["numpy alone"] = {k: v for k, v in old.items() if k in numpy_only}
        found["torch alone"] = {k: v for k, v in old.items() if k not in numpy_only}
        found["numpy alone"]["OMP_NUM_THREADS"] = "2"
    return {**found, **{f"any {seed}": {} for seed in SEEDS}}


def environment(one: Set, dispatched: list[str]) -> dict[str, str]:
    """The variables that make every library use one instruction set."""
    left_out = [name for name in dispatched if not re.search(one.keeps, name)]
    wanted = {
        "OPENBLAS_CORETYPE": one.openblas,
        "NPY_DISABLE_CPU_FEATURES": " ".join(left_out),
        "ATEN_CPU_CAPABILITY": one.torch,
        "MKL_CBWR": one.mkl,
        "ONEDNN_MAX_CPU_ISA": one.onednn,
    }
    return {name: value for name, value in wanted.items() if value}


# -- in one process --------------------------------------------------------------------------------

ROUNDS = re.compile(
    r"linalg|inverse|pinverse|det\(|cholesky|solve|matrix_|@|mm\(|mv\(|matmul|einsum|conv|cov\(|"
    r"corrcoef|softmax|logsumexp|norm|std|var|erf|gamma|bessel|special|i0|exp|log|pow|sin|tan|"
    r"gelu|optim|quantile|lstsq|cdist"
)
"""What is written where rounding depends on the processor, apart from sums."""
ALWAYS = re.compile(r"linalg|inverse|pinverse|det\(|cholesky|solve|lstsq|i1e|quantile")
"""What every environment has to try; of the rest each one has its share in a quick run."""


class Share(NamedTuple):
    """The part of the work that one environment does."""

    number: int
    among: int

    def holds(self, at: int, text: str) -> bool:
        """Whether the item at a place in a list belongs to it."""
        if self.among == 1:
            return True
        return ROUNDS.search(text) is not None and (
            at % self.among == self.number or ALWAYS.search(text) is not None
        )


def failures(share: Share, engines: list[str]) -> Iterator[str]:
    """Whatever does not come out as it must, in this process."""
    for engine in engines:
        yield from failing_cases(engine, share)
    if "torch" in engines:
        warnings.simplefilter("ignore")
        yield from failing_expressions(share)
        yield from failing_scripts(share)


def failing_cases(engine: str, share: Share) -> Iterator[str]:
    """The cases of the suite that fail on an engine, apart from known differences."""
    from gradspec.conformance.running.runner import Options, open_session

    session = open_session(Options(engine))
    try:
        for at, case in enumerate(session.cases()):
            if not share.holds(at, case.text):
                continue
            if share.among > 1 and case.generated and at % (3 * share.among) != share.number:
                continue  # of these a quick run tries a third
            verdict = session.run_case(case)
            if verdict.verdict in ("fail", "crash", "timeout"):
                yield f"{engine}, {case.id}: {verdict.message}"
    finally:
        session.close()


def failing_expressions(share: Share) -> Iterator[str]:
    """The expressions of the grid on which PyTorch and the reference differ."""
    from tests.reference.test_expression_grid import EXPRESSIONS, accepted, differences

    for at, expression in enumerate(EXPRESSIONS):
        if share.holds(at, expression):
            found, expected = differences(expression).keys(), accepted().get(expression, set())
            if found != expected:
                yield f"{expression}: differs on {found - expected}, not on {expected - found}"


def failing_scripts(share: Share) -> Iterator[str]:
    """The scripts that print something else on the reference."""
    from tests.reference.scripts_runner import difference, scripts

    for at, path in enumerate(scripts()):
        if share.holds(at, path.read_text()):
            told = difference(path)
            if told is not None:
                yield told


# -- in processes of their own ---------------------------------------------------------------------


def run(name: str, share: Share, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a share of the work in an environment; what it prints are the failures."""
    kept = {k: v for k, v in os.environ.items() if k not in READS_AT_IMPORT}
    kept["PYTHONPATH"] = os.pathsep.join(filter(None, (str(REPOSITORY), kept.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, str(HERE / "instruction_sets.py"), "--share", *map(str, share), name],
        cwd=REPOSITORY, env={"OMP_NUM_THREADS": "1", **kept, **environments()[name], **more},
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def child(number: str, among: str, name: str) -> int:
    """Do a share of the work in this process, whose environment is set."""
    if name.startswith("any "):
        from tests.reference.another_processor import install

        install(int(name.removeprefix("any ")))
    engines = ["reference"]
    if importlib.util.find_spec("torch") is not None:
        engines.append("torch")
    count = 0
    for told in failures(Share(int(number), int(among)), engines):
        print(told, flush=True)
        count += 1
    return 1 if count else 0


def main(arguments: list[str]) -> int:
    """Run in the environments that are named, or in all; the exit status is 1 for any failure."""
    if arguments[:1] == ["--share"]:
        return child(*arguments[1:])
    quick = "--quick" in arguments
    there: dict[str, Any] = environments()
    wanted = [name for name in arguments if name != "--quick"]
    unknown = [name for name in wanted if name not in there]
    if unknown:
        print(f"unknown or not on this processor: {', '.join(unknown)}. There are: "
              f"{', '.join(there)}.", file=sys.stderr)  # fmt: skip
        return 2
    names = wanted or [name for name in there if not quick or name in IN_CI]
    failed = False
    for number, name in enumerate(names):
        done = run(name, Share(number, len(names)) if quick else Share(0, 1))
        shown = " ".join(f"{key}={value!r}" for key, value in there[name].items())
        print(f"== {name} {shown}: {'as it must' if not done.returncode else 'FAILED'}")
        print(done.stdout, done.stderr if done.returncode else "", sep="", end="", flush=True)
        failed = failed or done.returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
