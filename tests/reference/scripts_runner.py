"""Run a script as users write it on PyTorch and on the reference, and compare what it prints.

A script is an ordinary file that imports torch. For the reference only its imports are changed.
Numbers that differ by rounding alone are printed as PyTorch has them; see `replay.py`.
``python -m tests.reference.scripts_runner FILE...`` prints both outputs side by side.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import re
import sys
import types
import warnings
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from gradspec.adapters.framework.containment import set_aside

from .replay import Handler, Seen, watched

SCRIPTS = Path(__file__).parent / "scripts"
REFERENCE = "gradspec.reference_impl"


class Line(NamedTuple):
    """One printed line, and the line of the script that began it (0 where none did)."""

    text: str
    number: int


class Printed(io.StringIO):
    """What a script prints, with the script's line that printed each line."""

    def __init__(self, filename: str) -> None:
        super().__init__()
        self.filename = filename
        self.numbers: list[int] = []
        self.ended = True

    def write(self, text: str) -> int:
        frame: Any = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self.filename:
            frame = frame.f_back
        number = 0 if frame is None else frame.f_lineno
        if text:
            begun = text[:-1].count("\n") + (1 if self.ended else 0)
            self.numbers.extend([number] * begun)
            self.ended = text.endswith("\n")
        return super().write(text)

    def lines(self) -> list[Line]:
        """The printed lines, addresses left out."""
        text = re.sub(r"0x[0-9a-f]+", "0x", self.getvalue())
        parts = text.removesuffix("\n").split("\n") if text else []
        return [Line(part, number) for part, number in zip(parts, self.numbers, strict=False)]


def with_imports_of(package: str, source: str) -> str:
    """The script with ``package`` in the place of torch, line by line."""
    if package == "torch":
        return source
    changed = []
    for line in source.split("\n"):
        line = re.sub(r"^(\s*)from torch(?=[.\s])", rf"\1from {package}", line)
        line = re.sub(r"^(\s*)import torch$", rf"\1import {package} as torch", line)
        line = re.sub(r"^(\s*)import torch\.(\S+) as ", rf"\1import {package}.\2 as ", line)
        line = re.sub(
            r"^(\s*)import torch\.(\S+)$", rf"\1import {package}.\2, {package} as torch", line
        )
        changed.append(line)
    return "\n".join(changed)


def reset(torch: Any) -> None:
    """Give back the modes and defaults that a script may have left changed."""
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    if hasattr(torch, "set_warn_always"):  # else some warnings come once a process
        torch.set_warn_always(True)


def run(path: Path, package: str, handler: Handler) -> list[Line]:
    """What a script prints on ``torch`` or on the reference, warnings and a refusal last.

    `handler` is shown the numbers that the script comes to see.
    """
    torch = importlib.import_module(package)
    filename = str(path)
    code = compile(with_imports_of(package, path.read_text()), filename, "exec")
    main = types.ModuleType("__main__")
    main.__file__ = filename
    held = sys.modules["__main__"]
    out = Printed(filename)
    ending: list[Line] = []
    reset(torch)
    set_aside()  # so that a script that collects garbage looks at its own alone
    sys.modules["__main__"] = main  # classes of the script can be pickled
    try:
        with (
            contextlib.redirect_stdout(out),
            watched(package, filename, handler),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            try:
                exec(code, main.__dict__)
            except Exception as error:
                trace = error.__traceback__
                at = 0
                while trace is not None:
                    if trace.tb_frame.f_code.co_filename == filename:
                        at = trace.tb_lineno
                    trace = trace.tb_next
                shown = f"stopped by {type(error).__name__}"
                if package != "torch":
                    print(f"{shown} at line {at}: {error}", file=sys.stderr)
                ending.append(Line(shown, at))
    finally:
        sys.modules["__main__"] = held
        reset(torch)
    own = str(Path(torch.__file__).parent)  # where it warns of its own insides, users see nothing
    counts = Counter(
        w.category.__name__
        for w in caught
        if w.category is not ResourceWarning
        and not (w.category is DeprecationWarning and w.filename.startswith(own))
    )
    ending += [Line(f"warned {n} x {name}", 0) for name, n in sorted(counts.items())]
    return [*out.lines(), *ending]


def run_both(path: Path) -> tuple[list[Line], list[Line]]:
    """What a script prints on ``torch``, and on the reference with the same numbers."""
    seen = Seen(str(path))
    return run(path, "torch", seen.note), run(path, REFERENCE, seen.replay)


def difference(path: Path) -> str | None:
    """The first line that differs, told for a reader; None where nothing does."""
    expected, found = run_both(path)
    nothing = Line("(nothing)", 0)
    for a, b in itertools.zip_longest(expected, found, fillvalue=nothing):
        if a.text != b.text:
            number = b.number or a.number
            lines = path.read_text().split("\n")
            at = f"line {number}: {lines[number - 1].strip()}" if number else "at the end"
            return f"{path.name}, {at}\n  torch:     {a.text}\n  reference: {b.text}"
    return None


def scripts() -> list[Path]:
    """Every script, chapter by chapter."""
    return sorted(SCRIPTS.glob("*/*.py"))


def side_by_side(path: Path) -> str:
    """Both outputs in two columns, differing lines marked."""
    expected, found = run_both(path)
    rows = list(itertools.zip_longest(expected, found, fillvalue=Line("", 0)))
    width = max([len(a.text) for a, _ in rows] + [8])
    shown = [f"  {'torch':{width}}   reference"]
    for a, b in rows:
        shown.append(f"{' ' if a.text == b.text else '!'} {a.text:{width}} | {b.text}")
    return "\n".join(shown)


def main(arguments: list[str]) -> int:
    """Print both outputs of each file; with ``--brief`` only first differences."""
    brief = "--brief" in arguments
    files = [Path(a).resolve() for a in arguments if a != "--brief"]
    differing = 0
    for path in files:
        told = difference(path) if brief else None
        if not brief:
            print(f"== {path.name}")
            print(side_by_side(path))
        elif told is not None:
            differing += 1
            print(told)
    if brief:
        print(f"{differing} of {len(files)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
