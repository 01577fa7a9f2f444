"""`pytest conformance --impl=NAME`: the options, and the suite's place among pytest's collectors.

Loaded by every pytest run of an environment in which gradspec is installed, so it imports nothing
heavy and does nothing until `--impl` is given or the suite's folder is collected.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

_NO_ENGINE = pytest.StashKey[bool]()
SUITE = Path(__file__).parents[1] / "test_behaviors.py"
_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--impl", {"metavar": "NAME", "help": "engine: an adapter's name, module:NAME, exec:COMMAND or FILE.py:Class"}),
    ("--device", {"metavar": "NAME", "default": "cpu", "help": "device on which the engine computes (cpu)"}),
    ("--python", {"metavar": "PATH", "help": "run a Python engine in this interpreter"}),
    ("--isolate", {"action": "store_true", "help": "run a Python engine in a process of its own"}),
    ("--case-timeout", {"metavar": "SECONDS", "type": float, "default": 10.0, "help": "time for one case (10)"}),
    ("--case-memory", {"metavar": "MIB", "type": int, "help": "how far an isolated engine may grow (4096)"}),
    ("--case-answer", {"metavar": "MIB", "type": float, "help": "how large an answer of its process may be (16)"}),
    ("--start-timeout", {"metavar": "SECONDS", "type": float, "help": "time for an engine's process to start (60)"}),
    ("--journal", {"metavar": "PATH", "help": "where the results go (results/NAME.jsonl)"}),
    ("--resume", {"action": "store_true", "help": "take up the journal of a run that was cut short"}),
    ("--report", {"metavar": "DIR", "help": "write the report there when the run is over"}),
    ("--profile", {"metavar": "NAME", "help": "only the cases of one profile of features, such as core"}),
    ("--known", {"metavar": "PATH", "help": "list of known failures (adapters/known/NAME.yaml)"}),
    ("--spec", {"metavar": "DIR", "help": "another folder of specifications"}),
    ("--trust-words", {"action": "store_true", "help": "let the words that a folder adds reach a Python engine"}),
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup(
        "gradspec", "gradspec: hold an engine against the specification of autograd"
    )
    for name, keywords in _OPTIONS:
        try:
            group.addoption(name, dest=f"gradspec_{name.strip('-').replace('-', '_')}", **keywords)
        except ValueError:  # another plugin has the name; `gradspec run` still takes it
            continue


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("gradspec_impl", None) is None:
        return
    from .run import ConformanceRun
    from .strictness import EngineExceptions

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an engine may warn while it is imported
        run = ConformanceRun(config)
    config.pluginmanager.register(run, "gradspec-run")
    config.pluginmanager.register(EngineExceptions(), "gradspec-engine-exceptions")


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> Any:
    if module_path != SUITE:
        return None
    if parent.config.pluginmanager.get_plugin("gradspec-run") is None:
        parent.config.stash[_NO_ENGINE] = True
        return None
    from .run import SuiteFile

    return SuiteFile.from_parent(parent, path=module_path)


def pytest_collection_modifyitems(config: pytest.Config) -> None:
    if _NO_ENGINE in config.stash:
        pytest.exit(
            "gradspec: say which engine to hold against the suite, such as --impl=reference",
            returncode=2,
        )
