"""Splits PyTorch's documentation into sentences, to compare the clause ledger with it.

The rule by which a page becomes sentences is part of the ledger's meaning: a change here changes
hashes. It is this.

1. A docstring is a page of its own; a file of the documentation is one too, split by its titles.
   Code, examples, tables, mathematics, labels, comments and the line of the signature are left out;
   notes and warnings are read, whether a directive or a fence holds them.
2. A heading is the title of the section of a file. In a docstring it is `text` for what stands by
   itself, `note`, `warning` or `seealso` within those, and `argument NAME` for an argument.
3. A blank line, an item of a list, an argument and a change of heading begin a new block. Within a
   block a sentence ends at `.`, `!` or `?` (and what closes behind it) before white space, unless a
   small letter follows or the word is an abbreviation such as `i.e.`.
4. Markup is taken away and white space made single. The first 16 hexadecimal digits of the SHA-256
   of the text that remains name the sentence.
5. A sentence is normative when it holds one of the words of `NORMATIVE`. A ledger must know all of
   these, and may know others.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NORMATIVE = (
    "must", "shall", "should", "cannot", "can't", "will", "won't", "may", "might", "always",
    "never", "only", "not", "doesn't", "don't", "no", "allowed", "forbidden", "accepted", "ignored",
    "error", "errors", "raise", "raises", "raised", "throw", "throws", "thrown", "default",
    "defaults", "returns", "returned", "requires", "guarantee", "guaranteed", "deprecated", "none",
)  # fmt: skip
_NORMATIVE = re.compile(rf"\b({'|'.join(map(re.escape, NORMATIVE))})\b", re.IGNORECASE)
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:i\.e|e\.g|w\.r\.t|cf|etc|vs)\.$", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?])[)\"'`*\]]*\s+")
_SIGNATURE = re.compile(r"[\w.]+\(.*\)\s*->.*")
_ITEM = re.compile(r"(?:[-*]|\d+\.|#\.)\s+")
_ARGUMENT = re.compile(r"\*{0,2}(\w+)\s*(?:\(.*\))?:(?:\s+|$)")
_ARGUMENTS = re.compile(r"(?:Args|Arguments|Keyword args|Keyword arguments|Parameters):")
_DIRECTIVE = re.compile(r"\.\. ([\w-]+)::\s*(.*)")
_UNDERLINE = re.compile(r"([-=^~\"#*])\1{2,}")
_PLAIN = str.maketrans({0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'})
_ASIDE = re.compile(r":::|%|\([\w-]+\)=$")
_ADMONITIONS = ("note", "warning", "seealso")
_FENCED = re.compile(rf"(`{{3,}})\{{({'|'.join(_ADMONITIONS)})\}}$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a page, in its normalised form."""

    heading: str
    text: str

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def is_normative(self) -> bool:
        """Whether a ledger that covers the page must know the sentence."""
        return bool(_NORMATIVE.search(self.text))


class Docstrings:
    """The docstrings of the PyTorch that is installed."""

    def __init__(self, package: str = "torch") -> None:
        self.package: Any = importlib.import_module(package)

    @property
    def version(self) -> str:
        return str(self.package.__version__)

    def sentences(self, where: str) -> list[Sentence] | None:
        found: Any = self.package
        for part in where.split(".")[1:]:
            found = getattr(found, part, None)
        text = getattr(found, "__doc__", None)
        return docstring_sentences(text) if isinstance(text, str) and text.strip() else None


class Sources:
    """A checkout of PyTorch, which contains the pages that are files."""

    version = ""

    def __init__(self, root: Path) -> None:
        self.root = root

    def sentences(self, where: str) -> list[Sentence] | None:
        path = self.root / where
        return file_sentences(path.read_text("utf-8")) if path.is_file() else None


def docstring_sentences(text: str) -> list[Sentence]:
    """The sentences of a docstring."""
    lines = inspect.cleandoc(text).splitlines()
    while lines and not lines[0].strip():
        del lines[0]
    if lines and _SIGNATURE.fullmatch(lines[0]):
        del lines[0]
    return _sentences(_Blocks(lines, sections=False).read())


def file_sentences(text: str) -> list[Sentence]:
    """The sentences of a page written in reStructuredText or MyST Markdown."""
    return _sentences(_Blocks(text.splitlines(), sections=True).read())


def normalised(text: str) -> str:
    """A sentence without markup and with single spaces, so that only a change of words shows."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)  # [title](address)
    text = re.sub(r":[\w:+-]+:(?=`)|\{[\w:+-]+\}(?=`)", "", text)  # :role:`...` and {role}`...`
    text = re.sub(r"`([^`<]+?)\s*<[^`>]*>`_{0,2}", r"\1", text)  # `title <target>`
    text = re.sub(r"`+~?|`_{0,2}", "", text)
    text = re.sub(r"(?<!\w)\*{1,2}(?=\S)|(?<=\S)\*{1,2}(?!\w)", "", text)
    return " ".join(text.translate(_PLAIN).split())


def _sentences(blocks: list[tuple[str, str]]) -> list[Sentence]:
    found: dict[tuple[str, str], Sentence] = {}
    for heading, block in blocks:
        for part in _split(block):
            text = normalised(part)
            if " " in text:
                found.setdefault((heading, text), Sentence(heading, text))
    return list(found.values())


def _split(block: str) -> Iterator[str]:
    begun = 0
    for end in _END.finditer(block):
        following = block[end.end() : end.end() + 1]
        if not following.islower() and not _ABBREVIATION.search(block[begun : end.start()]):
            yield block[begun : end.end()]
            begun = end.end()
    yield block[begun:]


class _Blocks:
    """Walks the lines of a page and gathers its blocks of running text, each with its heading."""

    def __init__(self, lines: list[str], sections: bool) -> None:
        self.lines = [line.expandtabs().rstrip() for line in lines]
        self.sections = sections
        self.at = 0
        self.title = ""
        self.fences: list[str] = []  # the ticks that end each admonition of Markdown
        self.admonitions: list[tuple[int, str]] = []  # each with its indentation
        self.arguments: tuple[int, int] | None = None  # indentation of the list, and of its items
        self.argument = ""
        self.block: list[str] = []
        self.blocks: list[tuple[str, str]] = []

    @property
    def heading(self) -> str:
        if self.sections:
            return self.title
        if self.argument:
            return f"argument {self.argument}"
        return self.admonitions[-1][1] if self.admonitions else "text"

    def read(self) -> list[tuple[str, str]]:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self.at += 1
            text = line.strip()
            if not text:
                self.end()
                continue
            indent = _indent(line)
            self.leave(indent)
            if not (self.aside(text) or self.took_title(text) or self.directive(text, indent)):
                self.text(text, indent)
        self.end()
        return self.blocks

    def end(self) -> None:
        """End the block that was being gathered."""
        if self.block:
            self.blocks.append((self.heading, " ".join(self.block)))
            self.block = []

    def leave(self, indent: int) -> None:
        """Leave the blocks that a line with this indentation is no longer part of."""
        while self.admonitions and indent <= self.admonitions[-1][0]:
            self.end()
            self.admonitions.pop()
        if self.arguments and indent <= self.arguments[0]:
            self.end()
            self.arguments, self.argument = None, ""

    def aside(self, text: str) -> bool:
        """Consume a line that is not text: a label, a comment, a code block with what it encloses,
        the fences around an admonition of Markdown."""
        if admonition := self.sections and _FENCED.match(text):
            self.end()
            self.fences.append(admonition[1])
            return True
        if self.fences and text == self.fences[-1]:
            self.end()
            self.fences.pop()
            return True
        fence = self.sections and text.startswith("```")
        comment = text.startswith(".. ") and (text.startswith(".. _") or "::" not in text)
        if not (fence or comment or _ASIDE.match(text)):
            return False
        self.end()
        if fence:
            while self.at < len(self.lines) and not self.lines[self.at].strip().startswith("```"):
                self.at += 1
            self.at += 1
        return True

    def took_title(self, text: str) -> bool:
        """Take the title of a section, with the line that underlines it."""
        below = self.lines[self.at] if self.at < len(self.lines) else ""
        underlined = bool(_UNDERLINE.fullmatch(below))
        if not self.sections or not (underlined or re.match(r"#+ ", text)):
            return False
        self.end()
        self.title = normalised(text if underlined else text.lstrip("#"))
        self.at += underlined
        return True

    def directive(self, text: str, indent: int) -> bool:
        """Take the beginning of an admonition or of a list of arguments, and any other directive
        with its body."""
        found = _DIRECTIVE.match(text)
        if found:
            self.end()
            if found[1] in _ADMONITIONS:
                self.admonitions.append((indent, found[1]))
                self.block = [found[2]] if found[2] else []
            else:
                self.skip_below(indent)
            return True
        if self.sections or not _ARGUMENTS.fullmatch(text):
            return False
        self.end()
        following = next((line for line in self.lines[self.at :] if line), "")
        self.arguments = (indent, _indent(following))
        return True

    def text(self, text: str, indent: int) -> None:
        item = _ITEM.match(text)
        named = _ARGUMENT.match(text) if self.arguments and indent == self.arguments[1] else None
        if item or named:
            self.end()
        if named:
            self.argument = named[1]
        text = text[begins.end() :] if (begins := named or item) else text
        if text.startswith(
            ">>>"
        ):  # a session that no `Example::` announced: to the next blank line
            while self.at < len(self.lines) and self.lines[self.at]:
                self.at += 1
            return
        if text:
            self.block.append(text)
        if text.endswith("::") or text in ("Example:", "Examples:"):
            self.block[-1] = text.removesuffix(":")
            self.end()
            self.skip_below(indent)

    def skip_below(self, indent: int) -> None:
        """Skip what is indented deeper."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line and _indent(line) <= indent:
                return
            self.at += 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
