"""What several commands have in common."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click

from ..text import Heading, printable

Function = TypeVar("Function", bound=Callable[..., Any])
MISUSE = 2


def say(text: object = "", err: bool = False, nl: bool = True, **style: Any) -> None:
    """Print to the terminal. Every command prints with this function only: text from engines, journals
    and specifications may contain anything, and must not control the terminal.

    `style` is what `click.style` takes; it shows on terminals only, and not where NO_COLOR is set.
    """
    stream = sys.stderr if err else sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    shown = printable(text).encode(encoding, "backslashreplace").decode(encoding)
    if isinstance(text, Code) and colored():
        shown = _highlighted(shown)
    elif (isinstance(text, Heading) or style) and colored():
        shown = click.style(shown, **(style or {"bold": True}))
    click.echo(shown, err=err, nl=nl)


class Code(str):
    """A line of a program, which `say` shows with its syntax highlighted."""


def colored() -> bool:
    """Whether terminals get colors; whatever is no terminal gets none in any case."""
    return not os.environ.get("NO_COLOR")


def _highlighted(line: str) -> str:
    from pygments import highlight
    from pygments.formatters import TerminalFormatter

    from ..reporting.markup import lexer

    indent = line[: len(line) - len(line.lstrip())]
    return indent + str(highlight(line.lstrip(), lexer(), TerminalFormatter())).rstrip("\n")


def misuse(message: str) -> NoReturn:
    """Say what was wrong with the call and exit with status 2."""
    say(f"gradspec: {message}", err=True)
    sys.exit(MISUSE)


def fail(message: str) -> NoReturn:
    """Say what went wrong and exit with status 1."""
    say(f"gradspec: {message}", err=True)
    sys.exit(1)


class NearestChoice(click.Choice[str]):
    """A choice that suggests the nearest value for an unknown one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from gradspec.spec.problems import nearest

        if value not in self.choices and (hint := nearest(str(value), self.choices)):
            known = ", ".join(self.choices)
            self.fail(f"{value!r} is not one of {known}; {hint}", param, ctx)
        return super().convert(value, param, ctx)


@contextmanager
def explained() -> Iterator[None]:
    """Turn usage errors into a message and exit status 2."""
    from gradspec.adapters.framework.engine import EngineUnavailable
    from gradspec.spec.problems import SpecError

    from ..running.journal import JournalError

    try:
        yield
    except (EngineUnavailable, SpecError, JournalError, ValueError, OSError) as error:
        misuse(str(error))


def spec_option(function: Function) -> Function:
    return click.option("--spec", "spec_root", type=click.Path(exists=True, file_okay=False, path_type=Path),
                        help="Use another specification folder.")(function)  # fmt: skip


def trust_option(function: Function) -> Function:
    """The option that lets a folder's own vocabulary reach an engine."""
    told = "Let words that the folder adds to the vocabulary reach a Python engine."
    return click.option("--trust-words", is_flag=True, help=told)(function)


def engine_options(function: Function) -> Function:
    """The options that say which engine, and how to run it."""
    options = [
        click.option("--impl", required=True, metavar="NAME",
                     help="Engine: an adapter's name, module:NAME, exec:COMMAND or FILE.py:Class."),
        click.option("--device", default="cpu", show_default=True, help="Device to run on."),
        click.option("--import", "imported", metavar="NAME",
                     help="Import this module or FILE.py first, such as one that registers the device."),
        click.option("--python", metavar="PATH", help="Run a Python engine with this Python interpreter."),
        click.option("--isolate", is_flag=True, help="Run a Python engine in a separate process."),
        click.option("--case-timeout", type=click.FloatRange(min=0, min_open=True), default=10.0,
                     show_default=True, metavar="SECONDS", help="Time limit of one case."),
        click.option("--case-memory", type=click.IntRange(min=1), metavar="MIB",
                     help="Memory limit of an isolated engine (default: 4096)."),
        click.option("--case-answer", type=click.FloatRange(min=0, min_open=True), metavar="MIB",
                     help="Size limit of one answer of an engine's process (default: 16)."),
        click.option("--start-timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                     help="Time limit for an engine's process to start (default: 60)."),
        click.option("--profile", metavar="NAME", help="Run only the cases of one profile of features."),
        trust_option,
    ]  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


def load(spec_root: Path | None) -> Any:
    """Load the specification, or explain what is wrong with it."""
    from gradspec.spec.load import load_spec

    tell_of_first_time(spec_root)
    with explained():
        return load_spec(spec_root.resolve()) if spec_root else load_spec()


def tell_of_first_time(spec_root: Path | None) -> None:
    """Say that our own specification is read for the first time, since nothing else shows for a while."""
    from gradspec.spec.reading.cache import FOLDER
    from gradspec.spec.reading.folder import ROOT

    if not spec_root and not any((ROOT / FOLDER).glob("behaviors.*.spec")):
        say("reading the specification for the first time, which takes a minute or two", err=True)


def find(spec: Any, identifier: str, chapters: bool = False) -> Any:
    """The behavior or case of an id, or if wanted the chapter; explains an unknown one with the
    nearest."""
    from gradspec.spec.problems import nearest

    table: dict[str, Any] = {case.id: case for case in spec.cases}
    table.update({behavior.id: behavior for behavior in spec.behaviors})
    if chapters:
        table.update({chapter.name: chapter for chapter in spec.chapters})
    if identifier in table:
        return table[identifier]
    if identifier in spec.retired:
        misuse(f"{identifier!r} was retired: {spec.retired[identifier]}")
    if any(chapter.name == identifier for chapter in spec.chapters):
        misuse(
            f"{identifier!r} is a chapter; name one of its behaviors or cases: "
            f"gradspec list behaviors -k {identifier}."
        )
    what = "chapter, behavior, case, feature, word or kind" if chapters else "behavior or case"
    misuse(
        f"no {what} is called {identifier!r}; {nearest(identifier, table) or 'see `gradspec list`'}"
    )
