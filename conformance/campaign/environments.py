"""Makes the environment of an engine: a Python interpreter with its packages, or a folder of Node modules.

An environment is kept until its recipe changes: the interpreter's version and the packages. One whose
installation was cut short has no `made.json`, and is made again.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from .entries import Entry

PATIENCE = 1800.0
"""For how many seconds one step of an installation may run."""
LAST_LINES = 8
"""How many of the installer's last lines are shown."""
MADE = "made.json"
VERSION_OF = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"


class InstallError(Exception):
    """An environment cannot be made; the message says why and what to do."""


def make_environment(entry: Entry, folder: Path, log: Path) -> bool:
    """Make the environment of an engine in this folder; False if it is there already.

    What the installers print goes to `log`. Raises `InstallError`.
    """
    if is_made(entry, folder):
        return False
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("", "utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for command in steps(entry, folder):
        run_step(command, folder, log)
    recipe = json.dumps(entry.recipe)
    (folder / MADE).write_text(recipe, "utf-8")
    return True


def is_made(entry: Entry, folder: Path) -> bool:
    """Whether the environment is there, complete, and of the present recipe."""
    try:
        found = json.loads((folder / MADE).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return bool(found == json.loads(json.dumps(entry.recipe)))


def python_of(entry: Entry, folder: Path) -> Path | None:
    """The interpreter of an environment; None if the engine is not in Python, or needs none."""
    if not entry.in_python:
        return None
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def steps(entry: Entry, folder: Path) -> Iterator[list[str]]:
    """The commands that make an environment, in order."""
    if (python := python_of(entry, folder)) is not None:
        yield [interpreter(entry.python), "-m", "venv", str(folder)]
        install = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        if entry.build:
            yield [*install, *entry.build]
        if entry.install:
            yield [*install, *(["--no-build-isolation"] if entry.build else []), *entry.install]
    if entry.npm:
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund"]
        yield ["npm", "install", "--prefix", str(folder), *quiet, *entry.npm]


def run_step(command: list[str], folder: Path, log: Path) -> None:
    """Run one command of an installation. Raises `InstallError` with its last lines."""
    program = Path(command[0]).name
    with log.open("a", encoding="utf-8") as output:
        output.write(f"$ {' '.join(command)}\n")
        output.flush()
        try:
            ended = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                timeout=PATIENCE, check=False,
            ).returncode  # fmt: skip
        except FileNotFoundError as error:
            raise InstallError(f"there is no {program}; install it and try again") from error
        except subprocess.TimeoutExpired as error:
            raise InstallError(
                f"{' '.join(command[:4])} took longer than {PATIENCE:g} s; see {log}"
            ) from error
    if ended:
        raise InstallError(
            f"{' '.join(command)} failed; the last lines of {log}:\n{last_lines(log)}\n"
            "Correct the engine's entry, or install what is missing."
        )


def last_lines(log: Path) -> str:
    """The end of a log, indented."""
    try:
        lines = log.read_text("utf-8", "replace").rstrip().splitlines()
    except OSError:
        return ""
    return "\n".join(f"    {line[:300]}" for line in lines[-LAST_LINES:])


# --- finding an interpreter ---


def interpreter(version: str, variables: Mapping[str, str] = os.environ) -> str:
    """The path of a Python of this version, such as "3.11"; this one if the version is not given.

    Raises `InstallError` if there is none.
    """
    if not version or version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return sys.executable
    for candidate in candidates(version, variables):
        if version_of(candidate) == version:
            return candidate
    raise InstallError(
        f"expected Python {version} with its module venv, found none; install it, for example "
        f"with `uv python install {version}`, so that python{version} is on PATH"
    )


def candidates(version: str, variables: Mapping[str, str]) -> Iterator[str]:
    """Where a Python of this version may be: on PATH, or among those that uv or pyenv installed."""
    for folder in variables.get("PATH", "").split(os.pathsep):
        if found := shutil.which(f"python{version}", path=folder or os.curdir):
            yield found  # each of them, since one of pyenv may be switched off
    if uv := shutil.which("uv"):
        asked = subprocess.run(
            [uv, "python", "find", version], capture_output=True, text=True, check=False
        )
        if asked.returncode == 0:
            yield asked.stdout.strip()
    pyenv = Path(variables.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from map(str, sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True))


def version_of(python: str) -> str:
    """The version of an interpreter that can make environments; "" for anything else."""
    try:
        asked = subprocess.run(
            [python, "-c", VERSION_OF], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""
