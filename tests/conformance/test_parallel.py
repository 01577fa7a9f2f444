"""`gradspec run -j N`: the same verdicts from several processes, and a lost process costs one case."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from gradspec.conformance.running.journal import read_journal
from suite_kit import VERDICTS, VICTIM, environment, gradspec, verdicts_of

pytestmark = pytest.mark.usefixtures("liars")


@pytest.mark.parametrize(
    ("engine", "verdict"),
    [
        ("honest", VERDICTS[VICTIM]),
        ("liar:lies_about_the_shape", "fail"),
        ("liar:loops", "timeout"),
        ("liar:calls_sys_exit", "crash"),
        ("liar:exits_with_0", "crash"),
        ("liar:kills_itself", "crash"),
        ("liar:prints", "pass"),
        ("liar:writes_to_standard_output", "pass"),
    ],
)
def test_every_case_gets_its_verdict(
    engine: str, verdict: str, tiny_spec: Path, tmp_path: Path
) -> None:
    done = gradspec(
        "run", f"--impl=module:{engine}", f"--spec={tiny_spec}", "--journal=run.jsonl",
        "--case-timeout=1", "-j2", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr  # the honest engine fails two cases
    journal = read_journal(tmp_path / "run.jsonl")
    assert journal.complete
    assert verdicts_of(journal) == {**VERDICTS, VICTIM: verdict}
    lost = next(found for found in journal.verdicts if found.case == VICTIM)
    if engine in ("liar:exits_with_0", "liar:kills_itself"):
        assert lost.retried
        assert "killed" in lost.message or "exited" in lost.message


def test_an_engine_that_opens_only_once(tiny_spec: Path, tmp_path: Path) -> None:
    """The processes of -j cannot open it: the run ends, and says why."""
    (tmp_path / "once.py").write_text(
        "import os\nfrom honest import *\n"
        "if os.path.exists('opened'):\n    raise OSError('the device is in use')\n"
        "open('opened', 'w').close()\n",
        "utf-8",
    )
    done = gradspec(
        "run",
        "--impl=module:once",
        f"--spec={tiny_spec}",
        "--journal=run.jsonl",
        "-j2",
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert "the device is in use" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run.jsonl").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_leaves_no_process(number: int, tiny_spec: Path, tmp_path: Path) -> None:
    (tmp_path / "noted.py").write_text(
        "import os, time\nfrom honest import *\nimport honest\n"
        "open(f'pid{os.getpid()}', 'w').close()\n"
        "def tensor(values, requires_grad=False):\n"
        "    if values == [666.0]:\n        open('now', 'w').close()\n        time.sleep(60)\n"
        "    return honest.tensor(values, requires_grad)\n",
        "utf-8",
    )
    command = [
        sys.executable, "-m", "gradspec.conformance.cli", "run", "--impl=module:noted",
        f"--spec={tiny_spec}", "--journal=run.jsonl", "--case-timeout=50", "-j2",
    ]  # fmt: skip
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not (tmp_path / "now").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    process.communicate(timeout=20)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(number, -number)
    pids = [path.name.removeprefix("pid") for path in tmp_path.glob("pid*")]
    assert len(pids) >= 2  # this process, and the first of -j
    while any(Path("/proc", pid).exists() for pid in pids) and time.monotonic() < deadline + 10:
        time.sleep(0.05)
    assert not [pid for pid in pids if Path("/proc", pid).exists()]
    journal = read_journal(tmp_path / "run.jsonl")
    assert not journal.complete
    assert len(journal.verdicts) < len(VERDICTS)
