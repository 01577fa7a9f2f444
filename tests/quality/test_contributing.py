"""What CONTRIBUTING.md shows as an example is what stands in the file that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATH = re.compile(r"`([\w/]+\.(?:py|yaml|exprs))`")
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def quoted() -> list[tuple[str, str]]:
    """Each example that is no command, with the file that was named last before it."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return [
        (PATH.findall(text[: block.start()])[-1], block[2])
        for block in BLOCK.finditer(text)
        if block[1] != "sh"
    ]


def bare(text: str) -> str:
    """The lines without their indentation."""
    return "\n" + "".join(f"{line.strip()}\n" for line in text.split("\n") if line.strip())


def test_there_are_examples() -> None:
    assert len(quoted()) >= 6


@pytest.mark.parametrize(("path", "example"), quoted())
def test_an_example_stands_in_the_file_that_it_names(path: str, example: str) -> None:
    assert bare(example) in bare((ROOT / path).read_text("utf-8"))
