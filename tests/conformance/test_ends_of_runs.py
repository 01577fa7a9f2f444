"""A run that was cut short is never a success, and an engine does not keep a command from ending:
engines that exit, replace the process or leave threads behind, wherever they are asked anything."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from gradspec.conformance.running.journal import read_journal
from suite_kit import VERDICTS, VICTIM, gradspec, run_pytest, run_python, verdicts_of

LEAVE = {
    "sys_exit": "sys.exit(0)",
    "os_exit": "os._exit(0)",
    "another_program": "os.execv('/bin/true', ['true'])",
    "base_exception": "raise BaseException('neither')",
    "exit_when_printed": (
        "raise type('E', (BaseException,), {'__str__': lambda self: sys.exit(0)})()"
    ),
    "interrupt": "raise KeyboardInterrupt",
}
"""Ways to leave."""

PLACES = {
    "import": "from honest import *\n{leave}\n",
    "import_of_the_adapter": "{leave}\nfrom honest import *\n",
    "attribute": (
        "from honest import *\ndef __getattr__(name):\n"
        "    if name.startswith('__'): raise AttributeError(name)\n    {leave}\n"
    ),
    "reset": "from honest import *\ndef set_grad_enabled(flag):\n    {leave}\n",
    "first_tensor": "from honest import *\ndef tensor(*values, **options):\n    {leave}\n",
}
"""Where an engine with PyTorch's names is asked something."""

ADAPTER = """
import os, sys
from gradspec.adapters.framework.torch_like import TorchLikeEngine

class Mine(TorchLikeEngine):
    name, module_name = "mine", "honest"
    def {method}:
        {leave}
"""
METHODS = {
    "constructor": "__init__(self, device='cpu', kinds=())",
    "load_module": "load_module(self)",
    "identify": "identify(self, device)",
    "sample": "sample(self)",
    "lacks": "lacks(self, words, features)",
    "reset": "reset(self)",
    "close": "close(self)",
}
"""Where an adapter is asked something."""

COMMANDS: dict[str, Callable[[str, Path, Path], subprocess.CompletedProcess[str]]] = {
    "run": lambda impl, spec, cwd: gradspec(
        "run", f"--impl={impl}", f"--spec={spec}", "--journal=run.jsonl", cwd=cwd
    ),
    "pytest": lambda impl, spec, cwd: run_pytest(
        f"--impl={impl}", f"--spec={spec}", "--journal=run.jsonl", cwd=cwd
    ),
    "check": lambda impl, spec, cwd: gradspec(
        "check", f"--oracle={impl}", f"--spec={spec}", cwd=cwd
    ),
}


def engines(folder: Path) -> dict[str, str]:
    """Every engine that leaves somewhere, by what is given as --impl."""
    found = {}
    for way, leave in LEAVE.items():
        for place, text in PLACES.items():
            name = f"{place}_{way}"
            (folder / f"{name}.py").write_text(
                "import os, sys\n" + text.format(leave=leave), "utf-8"
            )
            found[name] = f"module:{name}"
        for place, method in METHODS.items():
            name = f"adapter_{place}_{way}"
            text = ADAPTER.format(method=method, leave=leave)
            (folder / f"{name}.py").write_text(text, "utf-8")
            found[name] = f"{name}.py:Mine"
    return found


EVERYWHERE = ("sys_exit", "os_exit")
"""Ways that are tried in every place; the others in a few."""
NAMES = [f"{place}_{way}" for way in EVERYWHERE for place in PLACES]
NAMES += [f"adapter_{place}_{way}" for way in EVERYWHERE for place in METHODS]
NAMES += [
    f"{place}_{way}"
    for way in LEAVE
    if way not in EVERYWHERE
    for place in ("import", "first_tensor", "adapter_constructor", "adapter_close")
]


@pytest.mark.parametrize("name", NAMES)
def test_no_way_of_leaving_makes_a_run_a_success(
    name: str, tiny_spec: Path, tmp_path: Path
) -> None:
    """Nor does one end in a traceback of ours, or lose a verdict without a word."""
    impl = engines(tmp_path)[name]
    found = COMMANDS["run"](impl, tiny_spec, tmp_path)
    said = found.stdout + found.stderr
    assert found.returncode in (1, 2), said
    assert said.strip()
    assert "Traceback" not in said
    journal = tmp_path / "run.jsonl"
    if journal.exists() and read_journal(journal).complete:
        assert len(verdicts_of(read_journal(journal))) == len(VERDICTS)


@pytest.mark.parametrize("command", ["pytest", "check"])
@pytest.mark.parametrize(
    "name", ["import_sys_exit", "import_os_exit", "adapter_constructor_sys_exit",
             "adapter_constructor_os_exit", "adapter_sample_sys_exit", "adapter_sample_os_exit"]
)  # fmt: skip
def test_nor_on_any_front(name: str, command: str, tiny_spec: Path, tmp_path: Path) -> None:
    found = COMMANDS[command](engines(tmp_path)[name], tiny_spec, tmp_path)
    assert found.returncode in (1, 2), found.stdout + found.stderr
    assert "Traceback" not in found.stdout + found.stderr


@pytest.mark.parametrize("way", ["sys_exit", "os_exit"])
def test_a_script_is_not_printed_by_halves(way: str, tiny_spec: Path, tmp_path: Path) -> None:
    """`repro` looks at an engine with PyTorch's names; one that leaves then costs at most that look."""
    impl = engines(tmp_path)[f"import_{way}"]
    found = gradspec("repro", VICTIM, f"--impl={impl}", f"--spec={tiny_spec}", cwd=tmp_path)
    assert (found.returncode == 0) == ("every assert holds" in found.stdout)


NEVER_END = {
    "thread": "threading.Thread(target=time.sleep, args=(600,)).start()",
    "pool": "concurrent.futures.ThreadPoolExecutor(1).submit(time.sleep, 600)",
}
"""Ways to start a thread that never ends."""


@pytest.mark.parametrize("thread", NEVER_END)
@pytest.mark.parametrize("command", [*COMMANDS, "repro", "pytest -n 2"])
def test_a_thread_that_never_ends_keeps_nothing_from_ending(
    thread: str, command: str, tiny_spec: Path, tmp_path: Path
) -> None:
    """`run_python` waits for a minute, the thread sleeps for ten."""
    (tmp_path / "threads.py").write_text(
        f"import concurrent.futures, threading, time\nfrom honest import *\n{NEVER_END[thread]}\n",
        "utf-8",
    )
    impl = "module:threads"
    if command == "repro":
        found = gradspec("repro", VICTIM, f"--impl={impl}", f"--spec={tiny_spec}", cwd=tmp_path)
        assert found.returncode == 0
    elif command == "pytest -n 2":
        pytest.importorskip("xdist")
        found = run_pytest(f"--impl={impl}", f"--spec={tiny_spec}", "-n", "2", cwd=tmp_path)
        assert found.returncode == 1
    else:
        found = COMMANDS[command](impl, tiny_spec, tmp_path)
        assert found.returncode == 1


@pytest.mark.parametrize("front", ["run", "pytest"])
def test_what_is_arranged_for_the_end_does_not_change_it(
    front: str, tiny_spec: Path, tmp_path: Path
) -> None:
    """An engine whose exit handler calls `os._exit(0)`: the run failed, and its status says so."""
    found = COMMANDS[front]("module:liar:arranges_to_exit_with_0", tiny_spec, tmp_path)
    assert found.returncode == 1
    assert read_journal(tmp_path / "run.jsonl").complete


def test_a_child_that_the_engine_forks_may_exit_as_it_likes(tmp_path: Path) -> None:
    code = (
        "import os\n"
        "from gradspec.conformance.running.leaving import ExitGuard\n"
        "ExitGuard().start()\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(0)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    assert run_python("-c", code, cwd=tmp_path).stdout == "0\n"


LATER = """
import ctypes, os, resource, signal, sys, threading, time
import honest
from honest import *

main = ctypes.c_ulong(threading.get_ident())

def often(act):
    def go():
        time.sleep(0.2)
        for _ in range(300):
            time.sleep(0.005)
            act()
    threading.Thread(target=go, daemon=True).start()

def tensor(values, requires_grad=False):
    if values == [666.0]:
        {arrange}
        raise KeyError("wrong")
    return honest.tensor(values, requires_grad)
"""
"""One case fails, and what it arranges happens later: after the cases, or while the run ends."""
ARRANGE = {
    "a_signal": (
        "signal.signal(signal.SIGUSR1, lambda *_: sys.exit(0)); "
        "often(lambda: os.kill(os.getpid(), signal.SIGUSR1))"
    ),
    "a_timer": (
        "signal.signal(signal.SIGVTALRM, lambda *_: sys.exit(0)); "
        "signal.setitimer(signal.ITIMER_VIRTUAL, 0.05, 0.001)"
    ),
    "an_exception": (
        "often(lambda: ctypes.pythonapi.PyThreadState_SetAsyncExc("
        "main, ctypes.py_object(SystemExit)))"
    ),
    "no_files": "resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))",
    "no_memory": "resource.setrlimit(resource.RLIMIT_AS, (1, 1))",
    "no_output": "sys.stdout.close(); sys.stderr.close()",
}


@pytest.mark.parametrize("arranged", ARRANGE)
@pytest.mark.parametrize("front", ["run", "pytest"])
def test_what_is_arranged_for_later_does_not_change_the_end(
    front: str, arranged: str, tiny_spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "later.py").write_text(LATER.replace("{arrange}", ARRANGE[arranged]), "utf-8")
    found = COMMANDS[front]("module:later", tiny_spec, tmp_path)
    assert found.returncode == 1, found.stdout + found.stderr
    journal = read_journal(tmp_path / "run.jsonl")
    if arranged != "an_exception":  # one in the run loop itself ends the run, and is told
        assert journal.complete
        assert verdicts_of(journal) == {**VERDICTS, VICTIM: "fail"}
        assert "Traceback" not in found.stdout + found.stderr


def test_a_hard_limit_stays(tmp_path: Path) -> None:
    """Only root could raise it again."""
    code = (
        "import resource\n"
        "from gradspec.conformance.running.leaving import ExitGuard\n"
        "ExitGuard().start()\n"
        "before = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE) == (9, before[1]))\n"
    )
    assert run_python("-c", code, cwd=tmp_path).stdout == "True\n"
