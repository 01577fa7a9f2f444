"""After a run no process that it started lives, however the run ended; and SIGTERM ends a run as
Ctrl-C does, with a journal that says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from gradspec.conformance.running.journal import read_journal
from suite_kit import SUITE, environment

if sys.platform != "linux":
    pytest.skip("needs a subreaper, which only Linux has", allow_module_level=True)

ENGINE = """
import os, signal, subprocess, sys, time
from honest import *
import honest

CHILD = '''
import os, sys, time
def note():
    with open(sys.argv[1], "a") as file:
        file.write(f"{os.getpid()}\\\\n")
note()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        note()
        time.sleep(120)
    os._exit(0)
time.sleep(120)
'''
with open(os.environ["PIDS"], "a") as file:
    file.write(f"{os.getpid()}\\n")
subprocess.Popen([sys.executable, "-S", "-c", CHILD, os.environ["PIDS"]])
while open(os.environ["PIDS"]).read().count("\\n") < 3:
    time.sleep(0.01)
HANGS_AT_IMPORT = os.environ.get("HANGS") == "import"
if HANGS_AT_IMPORT:
    time.sleep(120)

def tensor(values, requires_grad=False):
    if values == [666.0] and os.environ.get("HANGS") in ("case", "deaf case"):
        if os.environ["HANGS"] == "deaf case":
            for number in (signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
        open(os.environ["PIDS"] + ".now", "w").close()
        time.sleep(120)
    return honest.tensor(values, requires_grad)
"""
"""Notes its own process, a child, and a grandchild that is a daemon in a session of its own."""


def run(front: str, spec: Path, cwd: Path, hangs: str, *more: str) -> subprocess.Popen[bytes]:
    """Start a run on the engine above."""
    (cwd / "family.py").write_text(ENGINE, "utf-8")
    (cwd / "pytest.ini").write_text("[pytest]\n", "utf-8")
    command = ["-m", "gradspec.conformance.cli", "run"]
    if front == "pytest":
        command = ["-m", "pytest", str(SUITE), "-c", "pytest.ini", "--rootdir", str(cwd)]
        command += ["-p", "no:hypothesispytest"]
    options = ["--impl=module:family", f"--spec={spec}", "--journal=run.jsonl", "--case-timeout=60"]
    return subprocess.Popen(
        [sys.executable, *command, *options, *more],
        cwd=cwd, env=environment(PIDS=str(cwd / "pids"), HANGS=hangs), start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def wait_for(path: Path, lines: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if path.exists() and path.read_text().count("\n") >= lines:
            return
        time.sleep(0.02)
    raise AssertionError(f"{path} did not come about")


def living(cwd: Path) -> list[int]:
    """Which of the noted processes live, once they have had a few seconds to end."""
    pids = [int(line) for line in (cwd / "pids").read_text().split()]
    assert len(pids) >= 3
    deadline = time.monotonic() + 6
    while (left := [pid for pid in pids if alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return left


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


FRONTS = pytest.mark.parametrize("front", ["command", "pytest"])
MODES = pytest.mark.parametrize("mode", ["here", "isolated"])


@FRONTS
@MODES
def test_after_an_ordinary_end(front: str, mode: str, tiny_spec: Path, tmp_path: Path) -> None:
    process = run(front, tiny_spec, tmp_path, "", *isolation(mode))
    process.communicate(timeout=60)
    assert process.returncode == 1
    assert read_journal(tmp_path / "run.jsonl").complete
    assert living(tmp_path) == []


@FRONTS
@MODES
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_in_a_case(
    front: str, mode: str, end: signal.Signals, tiny_spec: Path, tmp_path: Path
) -> None:
    """The journal gets its footer, no case is blamed, and the exit status is not 0."""
    process = run(front, tiny_spec, tmp_path, "case", *isolation(mode))
    wait_for(tmp_path / "pids.now", 0)
    time.sleep(0.1)
    process.send_signal(end)
    process.communicate(timeout=20)
    assert process.returncode == (128 + end if front == "command" else 2)
    journal = read_journal(tmp_path / "run.jsonl")
    assert journal.footer is not None
    assert journal.footer["cut_short"]
    assert {verdict.verdict for verdict in journal.verdicts} == {"pass"}
    assert living(tmp_path) == []
    assert sorted(path.suffix for path in tmp_path.glob("run.*")) == [".jsonl"]


@FRONTS
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_an_engine_that_hangs_at_import(
    front: str, end: signal.Signals, tiny_spec: Path, tmp_path: Path
) -> None:
    process = run(front, tiny_spec, tmp_path, "import", "--isolate")
    wait_for(tmp_path / "pids", 3)
    process.send_signal(end)
    process.communicate(timeout=20)
    assert process.returncode != 0
    assert living(tmp_path) == []


@FRONTS
def test_a_run_that_is_killed(front: str, tiny_spec: Path, tmp_path: Path) -> None:
    process = run(front, tiny_spec, tmp_path, "case", "--isolate")
    wait_for(tmp_path / "pids.now", 0)
    process.kill()
    process.communicate(timeout=20)
    assert living(tmp_path) == []


def test_workers_of_pytest_xdist(tiny_spec: Path, tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    process = run("pytest", tiny_spec, tmp_path, "", "-n", "2")
    process.communicate(timeout=60)
    assert read_journal(tmp_path / "run.jsonl").complete
    assert living(tmp_path) == []


def test_deaf_workers_of_a_controller_that_is_told_to_end(tiny_spec: Path, tmp_path: Path) -> None:
    """They have to be killed, and their daemons come to the controller."""
    pytest.importorskip("xdist")
    (tmp_path / "impatient.py").write_text(
        "from xdist.workermanage import NodeManager\nNodeManager.EXIT_TIMEOUT = 1\n", "utf-8"
    )
    process = run("pytest", tiny_spec, tmp_path, "deaf case", "-n", "2", "-p", "impatient")
    wait_for(tmp_path / "pids.now", 0)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=40)
    assert process.returncode == 2
    assert living(tmp_path) == []


def test_workers_of_a_controller_that_is_killed(tiny_spec: Path, tmp_path: Path) -> None:
    """A worker in the middle of a case does not outlive it, nor does what its engine started."""
    pytest.importorskip("xdist")
    process = run("pytest", tiny_spec, tmp_path, "case", "-n", "2", "--isolate")
    wait_for(tmp_path / "pids.now", 0)
    process.kill()
    process.communicate(timeout=20)
    assert living(tmp_path) == []


@FRONTS
def test_an_interruption_before_there_is_a_result(
    front: str, tiny_spec: Path, tmp_path: Path
) -> None:
    process = run(front, tiny_spec, tmp_path, "import")
    wait_for(tmp_path / "pids", 3)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=20)[0].decode()
    assert process.returncode == (128 + signal.SIGTERM if front == "command" else 2), said
    assert "Aborted" not in said
    living(tmp_path)


def isolation(mode: str) -> list[str]:
    return ["--isolate"] if mode == "isolated" else []
