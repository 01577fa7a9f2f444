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
    ("--device", {"metavar": "NAME", "default": "cpu", "help": "device to run on (default: cpu)"}),
    ("--import", {"metavar": "NAME", "help": "import this module or FILE.py first, e.g. the device's own"}),
    ("--python", {"metavar": "PATH", "help": "run a Python engine with this interpreter"}),
    ("--isolate", {"action": "store_true", "help": "run a Python engine in a separate process"}),
    ("--case-timeout", {"metavar": "SECONDS", "type": float, "default": 10.0, "help": "time limit of a case (10)"}),
    ("--case-memory", {"metavar": "MIB", "type": int, "help": "memory limit when isolated (default: 4096)"}),
    ("--case-answer", {"metavar": "MIB", "type": float, "help": "size limit of one answer (default: 16)"}),
    ("--start-timeout", {"metavar": "SECONDS", "type": float, "help": "time limit to start a process (default: 60)"}),
    ("--journal", {"metavar": "PATH", "help": "file to write the results to (default: results/NAME.jsonl)"}),
    ("--resume", {"action": "store_true", "help": "continue a run that was cut short, from its journal"}),
    ("--report", {"metavar": "DIR", "help": "folder to write the report to after the run"}),
    ("--profile", {"metavar": "NAME", "help": "run only the cases of one profile of features, such as core"}),
    ("--known", {"metavar": "PATH", "help": "file that lists known failures (default: adapters/known/NAME.yaml)"}),
    ("--repeat", {"metavar": "N", "type": int, "help": "run each case N times; one that changes is flaky"}),
    ("--spec", {"metavar": "DIR", "help": "use another specification folder"}),
    ("--trust-words", {"action": "store_true", "help": "let words that the folder adds reach a Python engine"}),
)  # fmt: skip


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup(
        "gradspec", "gradspec: test an engine against the specification of autograd"
    )
    for name, keywords in _OPTIONS:
        try:
            group.addoption(name, dest=f"gradspec_{name.strip('-').replace('-', '_')}", **keywords)
        except ValueError:  # another plugin has the name; `gradspec run` still takes it
            continue


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(args: list[str]) -> None:
    """Several -k select what any of them selects, as for `gradspec run`; pytest's own would take the last.
    Runs of other tests stay as they are."""
    if not any(argument == "--impl" or argument.startswith("--impl=") for argument in args):
        return
    from ..running.selection import joined

    places = [place for place in range(len(args)) if args[place] == "-k" and args[place + 1 :]]
    if len(places) > 1:
        expressions = [args[place + 1] for place in places]
        for place in reversed(places[1:]):
            del args[place : place + 2]
        args[places[0] + 1] = joined(expressions)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("gradspec_impl", None) is None:
        return
    from .protocol import ShortProtocol
    from .run import ConformanceRun
    from .strictness import EngineExceptions

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an engine may warn while it is imported
        run = ConformanceRun(config)
    config.pluginmanager.register(run, "gradspec-run")
    config.pluginmanager.register(EngineExceptions(), "gradspec-engine-exceptions")
    config.pluginmanager.register(ShortProtocol(), "gradspec-short-protocol")


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
            "gradspec: expected --impl=NAME, the engine to test, such as --impl=reference",
            returncode=2,
        )
