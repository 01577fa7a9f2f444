"""What is wrong with the pages of a static site: links that lead nowhere, ids that occur twice, elements that
are not closed. `python tests/conformance/site_faults.py FOLDER` prints it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

EMPTY = {
    "meta",
    "link",
    "input",
    "br",
    "hr",
    "img",
    "col",
    "wbr",
    "path",
    "line",
    "rect",
    "circle",
    "polygon",
}
"""Elements that need no end."""
ADDRESSES = ("href", "src")


class Page(HTMLParser):
    """Reads one page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.faults: list[str] = []
        self.headings: list[int] = []
        self.open: list[str] = []
        self.elements: Counter[str] = Counter()
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"<{self.open[-1]}> is not closed")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag] += 1
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.faults.append(f"<{tag}> at line {self.getpos()[0]} has an attribute twice")
        found = dict(attrs)
        if found.get("id") is not None:
            self.ids[str(found["id"])] += 1
        self.links += [str(found[name]) for name in ADDRESSES if found.get(name)]
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY:
            return
        if not self.open or self.open[-1] != tag:
            within = self.open[-1] if self.open else "the page"
            self.faults.append(f"</{tag}> at line {self.getpos()[0]} within {within}")
        while self.open and self.open.pop() != tag:
            pass


def faults_of(folder: Path) -> Iterator[str]:
    """Each fault in one line, with the page that has it."""
    pages = {path.name: Page(path.read_text("utf-8")) for path in sorted(folder.glob("*.html"))}
    if not pages:
        yield f"{folder} has no page"
    for name, page in pages.items():
        yield from (f"{name}: {fault}" for fault in page.faults[:5])
        yield from (
            f"{name}: the id {each} occurs {n} times" for each, n in page.ids.items() if n > 1
        )
        if page.elements["main"] != 1 or page.elements["h1"] != 1:
            yield f"{name}: expected one <main> and one <h1>"
        body = page.headings[page.headings.index(1) :] if 1 in page.headings else []
        if any(after > before + 1 for before, after in pairwise(body)):
            yield f"{name}: a heading skips a level"
        for link in dict.fromkeys(page.links):
            yield from _broken(link, name, pages, folder)


def _broken(link: str, name: str, pages: dict[str, Page], folder: Path) -> Iterator[str]:
    parts = urlsplit(link)
    if parts.scheme in ("https", "http", "data"):
        return
    target = unquote(parts.path) or name
    if parts.scheme or not (folder / target).is_file():
        yield f"{name}: {link} leads nowhere"
    elif parts.fragment and unquote(parts.fragment) not in pages[target].ids:
        yield f"{name}: {link} names no place of {target}"


if __name__ == "__main__":
    found = list(faults_of(Path(sys.argv[1])))
    print("\n".join(found[:100]) or "no faults")
    sys.exit(bool(found))
