"""The book: the specification as a static site, which needs no server and no network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gradspec.spec.model import Spec

from ...files import write_together


def write_book(folder: Path, spec: Spec, root: Path, journals: Sequence[Path] = ()) -> list[Path]:
    """Write the pages of the book on a specification, which was read from `root`; the paths written.

    With journals, each behavior shows how their engines do on it. All files are written or, when one
    cannot be, none. Raises `JournalError` and `CannotWrite`.
    """
    from .site import pages_of

    files = {folder / name: text for name, text in pages_of(spec, root, journals).items()}
    write_together(files)
    return list(files)
