"""The engines that come with adapters, and what every adapter for Python engines promises."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.framework.process import ProcessEngine
from gradspec.adapters.framework.registry import known_adapters, open_engine
from gradspec.conformance.running.runner import Options, Session, open_session
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case
from suite_kit import REPOSITORY, VERDICTS, VICTIM, gradspec, hold, sample_of, verdicts_of

MAPPED = ("mygrad", "autograd")
CASES_AT_LEAST = {"mygrad": 200, "autograd": 200}


def session_of(impl: str) -> Session:
    if impl in MAPPED and importlib.util.find_spec(impl) is None:
        pytest.skip(f"{impl} is not installed")
    return open_session(Options(impl))


def verdicts_in(session: Session, cases: list[Case]) -> dict[str, str]:
    return {case.id: session.run_case(case).verdict for case in cases}


@pytest.mark.parametrize("impl", MAPPED)
def test_mapped_engines_neither_crash_nor_change_their_verdicts(impl: str) -> None:
    session = session_of(impl)
    cases = [
        case for case in sample_of(session.cases()) if "deep" not in case.id
    ]  # which takes seconds
    first = verdicts_in(session, cases)
    counts = Counter(first.values())
    assert not counts["crash"]
    assert not counts["timeout"]
    assert counts["pass"] >= CASES_AT_LEAST[impl]
    again = random.Random(3).sample(cases, len(cases) // 3)
    assert verdicts_in(session, again) == {case.id: first[case.id] for case in again}


def test_chapters_about_numpy_s_memory_pass_backwards() -> None:
    """The stand-in device, on which `test_devices.py` runs all else backwards, does not support them."""
    session = session_of("reference")
    chapters = ("conversion", "creation", "lifetimes", "saved_tensor_hooks")
    cases = [case for case in session.cases() if case.behavior.chapter in chapters]
    assert len(cases) > 100
    assert set(verdicts_in(session, cases[::-1]).values()) == {"pass"}


def test_a_functional_engine_is_given_no_tape() -> None:
    """What an adapter adds is not the engine's: a chapter about a tape's state is not attempted."""
    session = session_of("autograd")
    tape = [case for case in session.cases() if "backward" in case.program.features]
    assert len(tape) > 100
    assert set(verdicts_in(session, tape).values()) == {"unsupported"}


@pytest.mark.parametrize("name", ["reference", "torch", "mygrad", "autograd"])
def test_adapters_are_short(name: str) -> None:
    text = (REPOSITORY / "adapters" / f"{name}_engine.py").read_text("utf-8")
    assert text.count("\n") <= 110


def test_every_adapter_can_be_found() -> None:
    known = known_adapters()
    assert {"reference", "torch", "autograd", "mygrad", "nothing", "agreeable"} <= known.keys()
    for entry in known.values():
        module, _, name = entry.value.partition(":")
        assert hasattr(importlib.import_module(module), name)


@pytest.mark.parametrize("impl", ["nothing", "agreeable"])
def test_baselines_get_next_to_nothing(impl: str) -> None:
    session = session_of(impl)
    found = Counter(verdicts_in(session, session.cases()[::5]).values())
    assert found["pass"] == 0
    assert set(found) == {"fail"}


# --- an interpreter of its own ---


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has neither gradspec nor anything that gradspec needs."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    found = subprocess.run([python, "-c", "import gradspec"], capture_output=True, check=False)
    assert found.returncode != 0
    return python


@pytest.mark.usefixtures("liars")
def test_an_interpreter_without_gradspec(
    bare_python: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    """The host side needs the standard library alone."""
    journal = hold("module:honest", tiny_spec, tmp_path / "j.jsonl", python=str(bare_python))
    assert verdicts_of(journal) == VERDICTS
    assert journal.header["engine"]["name"] == "module:honest"
    journal = hold(
        "module:liar:kills_itself", tiny_spec, tmp_path / "k.jsonl", python=str(bare_python)
    )
    assert verdicts_of(journal) == {**VERDICTS, VICTIM: "crash"}


def test_an_engine_that_is_not_in_that_interpreter(bare_python: Path) -> None:
    for impl in ("mygrad", "module:numpy", "reference"):
        with pytest.raises(EngineUnavailable, match=r"cannot be imported|did not start"):
            open_engine(impl, python=str(bare_python))


ADAPTER = """
from __future__ import annotations
from dataclasses import dataclass
from gradspec.adapters.framework.torch_like import TorchLikeEngine

@dataclass
class Setting:
    name: str

class Mine(TorchLikeEngine):
    name = Setting("mine").name
    module_name = "honest"
"""


@pytest.mark.usefixtures("liars")
@pytest.mark.parametrize("how", ["here", "isolated", "in a bare interpreter"])
def test_an_adapter_in_a_file(
    how: str, bare_python: Path, tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FILE.py:Class works in this process and in others, under the same name."""
    monkeypatch.chdir(tmp_path)
    Path("my_adapter.py").write_text(ADAPTER, "utf-8")
    python = str(bare_python) if "bare" in how else None
    for impl in ("my_adapter.py:Mine", f"{tmp_path}/my_adapter.py:Mine"):
        journal = hold(
            impl, tiny_spec, tmp_path / "j.jsonl", python=python, isolate=how == "isolated"
        )
        assert verdicts_of(journal) == VERDICTS
        assert journal.name == "mine"


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        (ADAPTER, "Yours", "has no class 'Yours'; write --impl="),
        ("import no_such_thing", "Mine", "no_such_thing"),
        ("class Mine(", "Mine", "SyntaxError"),
        (ADAPTER.replace('"honest"', '"no_such_engine"'), "Mine", "'no_such_engine'"),
    ],
)
@pytest.mark.parametrize("isolate", [False, True])
def test_an_adapter_that_cannot_be_opened_says_why(
    text: str, name: str, why: str, isolate: bool, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text(text, "utf-8")
    with pytest.raises(EngineUnavailable, match=why):
        open_engine(f"{tmp_path}/broken.py:{name}", isolate=isolate)


# --- costs ---


def test_a_case_costs_little_beside_what_the_engine_does(tiny_spec: Path, liars: Path) -> None:
    """Time limits, surroundings and verdicts together stay well under a millisecond a case."""
    session = open_session(Options("module:honest"), tiny_spec)
    case = load_spec(tiny_spec).cases[0]
    session.run_case(case)
    begun = time.perf_counter()
    for _ in range(200):
        session.run_case(case)
    assert (time.perf_counter() - begun) / 200 < 0.002


def test_a_crash_costs_a_fork_and_not_a_start(tiny_spec: Path, liars: Path) -> None:
    engine = open_engine("module:liar:kills_itself", isolate=True)
    assert isinstance(engine, ProcessEngine)
    assert engine.channel is not None
    host = engine.channel.process.pid
    victim = next(case for case in load_spec(tiny_spec).cases if case.id == VICTIM)
    for _ in range(5):
        assert engine.run(victim.program, 5.0).end.how == "crash"
    assert engine.channel.process.pid == host
    engine.close()


def test_the_terminal_survives_what_an_engine_says(
    tiny_spec: Path, tmp_path: Path, liars: Path
) -> None:
    arguments = ("--impl=module:liar:raises_half_a_character", f"--spec={tiny_spec}")
    found = gradspec("run", *arguments, cwd=tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert found.returncode == 1, found.stderr
    assert "\x1b" not in found.stdout
    assert "\\ud800" in found.stdout
