"""The `gradspec` command. Each subcommand is loaded when it is called, so that help comes at once."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import click

from .text import printable

COMMANDS = {
    "run": "Run the suite against an engine.",
    "check": "Check the specification itself.",
    "fuzz": "Run generated programs, and shrink those that an engine gets wrong.",
    "campaign": "Install many engines, run the suite on each, and write one report.",
    "known": "Write a list of known failures from a run, or update it.",
    "report": "Make the behavior report from one or several journals.",
    "book": "Write the specification as a book of web pages.",
    "diff": "Compare two runs, case by case.",
    "repro": "Print one case as a standalone script.",
    "list": "List behaviors, cases, features, words, kinds, profiles or engines.",
    "explain": "Show everything about one chapter, behavior or case.",
    "export": "Write the whole specification as one JSON bundle.",
    "new-adapter": "Write the skeleton of an adapter for your engine.",
    "protocol": "Check a harness in another language against the protocol.",
}


@contextmanager
def _printable_errors() -> Iterator[None]:
    """click quotes its arguments; a file name may contain terminal control characters."""
    try:
        yield
    except click.ClickException as error:
        vars(error)["message"] = printable(error.message)
        raise


class LazyGroup(click.Group):
    """A group whose commands are modules, imported when called."""

    def make_context(self, *arguments: Any, **keywords: Any) -> click.Context:
        with _printable_errors():
            return super().make_context(*arguments, **keywords)

    def invoke(self, ctx: click.Context) -> Any:
        from .running.leaving import TERMINATED, status_of

        try:
            with _printable_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt as interruption:
            status = status_of(interruption)
            word = "ended by SIGTERM" if status == TERMINATED else "interrupted"
            click.echo(f"gradspec: {word} before there was a result", err=True)
            sys.exit(status)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"gradspec.conformance.commands.{name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"no command is called {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gradspec", prog_name="gradspec")
def main() -> None:
    """The executable specification of eager autograd.

    Run it against an engine:  gradspec run --impl=reference
    """


def open_closed_streams() -> None:
    """If standard input, output or error is closed, use the null device: otherwise the next file that is
    opened, such as the journal, would get its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            file = os.open(os.devnull, os.O_RDWR)  # which takes the lowest number that is free
            if getattr(sys, name) is None:
                stream = open(file, "r" if number == 0 else "w", encoding="utf-8")  # noqa: SIM115
                setattr(sys, name, stream)
                setattr(sys, f"__{name}__", stream)


def command_line() -> NoReturn:
    """What the `gradspec` command runs: `main`, and an end that no engine can change."""
    from .running.leaving import ExitGuard, ends_on_sigterm, leave

    open_closed_streams()
    guard = ExitGuard()
    guard.start()
    status: object = 1
    try:
        with ends_on_sigterm():
            main(prog_name="gradspec")
    except SystemExit as end:
        status = 0 if end.code is None else end.code
    except OSError as error:  # what is printed cannot be written: a full disk, say
        with suppress(OSError):
            os.write(2, f"gradspec: the output cannot be written: {error.strerror}\n".encode())
        # so that Python's own last flush finds a place
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    leave(status if isinstance(status, int) else 1, guard)


if __name__ == "__main__":
    command_line()
