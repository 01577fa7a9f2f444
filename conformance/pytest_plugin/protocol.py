"""A shorter way to run a case than pytest's own, which spends more time than most cases take.

pytest runs each item in three phases, and calls some thirty hooks in each. A case has nothing to set
up or tear down: between two cases of the suite's file only the phase "call" does anything. So where
nobody else needs the other two, they are left out. Everything that pytest does around the call stays:
capturing output, catching warnings, other plugins' time limits, and the report.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from .run import CaseItem

_OBSERVED = ("pytest_runtest_setup", "pytest_runtest_teardown", "pytest_runtest_logreport")
"""The hooks that are called less often here. A plugin with one of them gets pytest's own protocol, and
so does one that has a protocol of its own."""
_OWN = ("_pytest.", "gradspec.")
_ALL_PHASES = frozenset({"_pytest.junitxml"})
"""Plugins of pytest's that need the reports of all three phases."""
_SHOWN = (
    "setupshow",
    "usepdb",
    "trace",
    "log_level",
    "log_cli_level",
    "log_file",
    "log_file_level",
)
"""Options with which the other phases, or what is logged in each, can be seen."""
_SHOWN_BY_FILE = ("log_cli", "log_level", "log_cli_level", "log_file", "log_file_level")
"""The same in a configuration file."""
_LOGGING = "logging-plugin"
"""pytest's plugin that keeps each item's log. It needs all three phases; without it, what is logged
goes to stderr, where it is captured."""


class ShortProtocol:
    """The plugin. An item that is the first or the last of its file in a row goes pytest's own way, which
    sets up the file, and tears it down."""

    def __init__(self) -> None:
        self.ready: pytest.Collector | None = None
        """The file that is set up now."""
        self.hooks: tuple[pytest.Collector, _Hooks | None] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Any:
        """Run a case, or leave the item to pytest."""
        ready, self.ready = self.ready, None
        if not isinstance(item, CaseItem) or nextitem is None or nextitem.parent is not item.parent:
            return None
        self.ready = item.parent  # from here on, since pytest leaves it to the next item
        if item.parent is not ready or item.own_markers:
            return None
        hooks = self.hooks_of(item)
        if hooks is None:
            return None
        run_briefly(item, hooks)
        return True

    def hooks_of(self, item: CaseItem) -> _Hooks | None:
        """The hooks to call for the items of this file; None if they need pytest's own protocol."""
        assert item.parent is not None
        if self.hooks is None or self.hooks[0] is not item.parent:
            self.hooks = item.parent, None if needs_all_phases(item) else _Hooks(item)
        return self.hooks[1]

    def pytest_sessionfinish(self) -> None:
        """pytest removes this in the phase "teardown", which the last item may not have had."""
        os.environ.pop("PYTEST_CURRENT_TEST", None)


class _Hooks:
    """The hooks of one item, looked up once for all items of a file."""

    def __init__(self, item: CaseItem) -> None:
        hook = item.ihook
        wanted = {impl.plugin_name for impl in hook.pytest_runtest_call.get_hookimpls()} - {
            _LOGGING
        }
        every = item.config.hook.pytest_runtest_call.get_hookimpls()
        left_out = [impl.plugin for impl in every if impl.plugin_name not in wanted]
        manager = item.config.pluginmanager
        self.call: Callable[..., Any] = manager.subset_hook_caller("pytest_runtest_call", left_out)
        self.start: Callable[..., Any] = hook.pytest_runtest_logstart
        self.make_report: Callable[..., Any] = hook.pytest_runtest_makereport
        self.report: Callable[..., Any] = hook.pytest_runtest_logreport
        self.interact: Callable[..., Any] = hook.pytest_exception_interact
        self.finish: Callable[..., Any] = hook.pytest_runtest_logfinish


def run_briefly(item: CaseItem, hooks: _Hooks) -> None:
    """As pytest's own protocol, with the phase "call" only."""
    hooks.start(nodeid=item.nodeid, location=item.location)
    call = pytest.CallInfo.from_call(
        lambda: hooks.call(item=item), "call", reraise=(pytest.exit.Exception, KeyboardInterrupt)
    )
    report = hooks.make_report(item=item, call=call)
    hooks.report(report=report)
    if report.failed:
        hooks.interact(node=item, call=call, report=report)
    hooks.finish(nodeid=item.nodeid, location=item.location)


def needs_all_phases(item: CaseItem) -> bool:
    """Whether somebody takes part in, or looks at, more than the phase "call" of an item."""
    config = item.config
    if any(config.getoption(name, None) for name in _SHOWN):
        return True
    if any(config.getini(name) for name in _SHOWN_BY_FILE):
        return True
    if any(mark.name in ("skip", "skipif", "xfail") for mark in item.iter_markers()):
        return True
    impls = [impl for name in _OBSERVED for impl in getattr(item.ihook, name).get_hookimpls()]
    protocols = item.ihook.pytest_runtest_protocol.get_hookimpls()
    impls += [impl for impl in protocols if not (impl.wrapper or impl.hookwrapper)]
    homes = {home_of(impl.plugin) for impl in impls}
    return not homes.isdisjoint(_ALL_PHASES) or not all(home.startswith(_OWN) for home in homes)


def home_of(plugin: object) -> str:
    """The module of a plugin, which is a module or an object."""
    return str(getattr(plugin, "__name__", None) or type(plugin).__module__)
