"""libtorch, PyTorch's C++ library, behind the protocol: the proof that the suite holds an engine in
another language to account. The harness is built from `harness/libtorch` against the headers and
libraries that the installed `torch` package carries, once, and is then kept in a cache.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .framework.engine import EngineUnavailable
from .framework.process import ProcessEngine
from .torch_engine import TorchEngine

SOURCES = Path(__file__).parent / "harness" / "libtorch"
FLAGS = ("-std=c++20", "-O1")
LIBRARIES = ("-ltorch", "-ltorch_cpu", "-lc10")
BUILD_SECONDS = 900.0
KEPT = 4
Progress = Callable[[str], None]


class LibtorchEngine(ProcessEngine):
    """The engine behind the built harness."""

    def __init__(
        self,
        device: str = "cpu",
        kinds: Sequence[Mapping[str, Any]] = (),
        progress: Progress | None = None,
        **options: Any,
    ) -> None:
        if progress is None:
            progress = _tell
        super().__init__([str(build_harness(progress))], "libtorch", device, kinds, **options)


def build_harness(progress: Progress | None = None) -> Path:
    """The harness, built if the cache has none for these sources, this torch and this compiler.

    Raises `EngineUnavailable` with what is missing, or with the compiler's last lines.
    """
    home = _torch_home()
    compiler = _compiler()
    unit = compilation_unit()
    harness = cache_directory() / f"libtorch-{_digest(unit, home, compiler)}"
    if harness.exists():
        return harness
    if progress is not None:
        progress("building the libtorch harness; this takes about half a minute, once")
    try:
        harness.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=harness.parent) as folder:
            built = Path(folder) / "harness"
            _compile(compiler, unit, home, built)
            built.replace(harness)  # a concurrent build gives the same result
        _forget_old(harness.parent)
    except OSError as error:
        raise EngineUnavailable(
            f"the libtorch harness cannot be kept in {harness.parent}: {error.strerror or error}; "
            "set GRADSPEC_CACHE to a folder that can be written"
        ) from error
    return harness


def compilation_unit() -> str:
    """All sources as one, since reading torch's headers takes longer than anything else."""
    includes = [f'#include "{path.name}"' for path in sorted(SOURCES.glob("*.cpp"))]
    return "\n".join([refusal_rules(), *includes, ""])


def refusal_rules() -> str:
    """PyTorch's rules for classifying errors: most of its messages are libtorch's."""
    rows = []
    for rule in TorchEngine.patterns:
        rows.append(f'    {{"{rule.kind}", "{rule.exception}", R"~({rule.message})~"}},')
    head = [
        '#include "errors.hpp"',
        "std::vector<harness::RuleRow> harness::pytorch_rules() {",
        "  return {",
    ]
    return "\n".join([*head, *rows, "  };", "}"])


def cache_directory() -> Path:
    """Where built harnesses are kept."""
    chosen = os.environ.get("GRADSPEC_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "gradspec"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gradspec"


def _forget_old(folder: Path) -> None:
    """Keep the newest harnesses only; there are several where several environments have a torch."""
    built = sorted(folder.glob("libtorch-*"), key=lambda path: path.stat().st_mtime)
    for path in built[:-KEPT]:
        path.unlink(missing_ok=True)


def _torch_home() -> Path:
    """The folder of the installed torch, found without importing it."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        raise EngineUnavailable("the libtorch harness needs the torch package; `pip install torch`")
    home = Path(found.origin).parent
    if not (home / "include" / "torch").is_dir():
        raise EngineUnavailable(
            f"the torch package in {home} has no C++ headers; install one from a wheel"
        )
    return home


def _compiler() -> str:
    found = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    if not found:
        raise EngineUnavailable(
            "the libtorch harness needs a compiler of C++20; install g++, or set CXX"
        )
    return found


def _digest(unit: str, home: Path, compiler: str) -> str:
    """A digest of everything that the built harness depends on."""
    digest = hashlib.sha256()
    parts = [unit, importlib.metadata.version("torch"), str(home), " ".join((*FLAGS, *LIBRARIES))]
    parts.append(_run([compiler, "--version"], 60.0).stdout)
    parts += [path.read_text("utf-8") for path in sorted(SOURCES.iterdir()) if path.is_file()]
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:16]


def _compile(compiler: str, unit: str, home: Path, target: Path) -> None:
    include = home / "include"
    command = [
        compiler, *FLAGS, "-I", str(SOURCES), "-isystem", str(include),
        "-isystem", str(include / "torch" / "csrc" / "api" / "include"),
        "-x", "c++", "-", "-o", str(target),
        "-L", str(home / "lib"), *LIBRARIES, f"-Wl,-rpath,{home / 'lib'}",
    ]  # fmt: skip
    done = _run(command, BUILD_SECONDS, unit)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line][:5] or lines[-5:]
        raise EngineUnavailable("\n".join(["the libtorch harness does not compile:", *errors]))


def _run(
    command: Sequence[str], seconds: float, text: str = ""
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise EngineUnavailable(
            f"the compiler {command[0]!r} did not end within {seconds:g} s"
        ) from error
    except OSError as error:
        raise EngineUnavailable(f"the compiler {command[0]!r} cannot be run: {error}") from error


def _tell(message: str) -> None:
    print(f"gradspec: {message}", file=sys.stderr, flush=True)
