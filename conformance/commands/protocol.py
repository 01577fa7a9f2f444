"""`gradspec protocol`: check a harness against the protocol."""

from __future__ import annotations

import shlex
import sys

import click

from .shared import explained, misuse, say


@click.command("protocol")
@click.argument("impl", metavar="exec:COMMAND")
@click.option("--device", default="cpu", show_default=True)
def command(impl: str, device: str) -> None:
    """Check a harness in another language against the protocol (adapters/PROTOCOL.md).

    Prints one line for each rule: kept, or broken and how. Exit status 0 when all are kept, 1 otherwise.
    """
    if not impl.startswith("exec:"):
        written = shlex.quote(f"exec:{impl}")
        misuse(f"expected exec:COMMAND, found {impl!r}; write gradspec protocol {written}")
    from ..checking.protocol_check import check_protocol

    broken = 0
    with explained():
        for rule, why in check_protocol(impl, device):
            broken += bool(why)
            say(f"{'broken' if why else 'kept  '}  {rule}" + (f"\n        {why}" if why else ""))
    sys.exit(1 if broken else 0)
