"""The pages of the book, as text by the name of their file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gradspec.spec.catalogue.laws import CHAPTER as LAWS
from gradspec.spec.model import Chapter, Spec

from ...text import printable
from ..drawing import STYLE
from ..markup import prose
from ..templates import templates_in
from .chapters import Chapters, pages_in_order
from .engines import MARKS, SAID, Strips
from .operations import Catalogue, rows_of
from .prose import first_sentence, plain
from .reference import folklore_of, glossary_of, kinds_of, synonyms, words_of
from .search import index_script

Data = dict[str, Any]
TEMPLATES = Path(__file__).with_name("templates")
OWN = {
    "index": "Contents", "operations": "Operations", "folklore": "Folklore",
    "glossary": "Glossary", "words": "Index of words",
}  # fmt: skip
"""The pages that are not chapters."""


def pages_of(spec: Spec, root: Path, journals: Sequence[Path] = ()) -> dict[str, str]:
    """Every file of the book. Raises `JournalError`."""
    return Book(spec, root, journals).pages()


class Book:
    """Renders the pages."""

    def __init__(self, spec: Spec, root: Path, journals: Sequence[Path]) -> None:
        self.spec = spec
        self.written, self.generated = pages_in_order(spec.chapters)
        self.links = {chapter.name: f"{page_of(chapter)}.html" for chapter in spec.chapters}
        for chapter in spec.chapters:
            for item in chapter.behaviors:
                self.links[item.id] = f"{self.links[chapter.name]}#{item.id}"
        self.titles = {chapter.name: chapter.title for chapter in spec.chapters}
        self.strips = Strips(journals, spec)
        self.chapters = Chapters(spec, self.links, self.strips)
        self.catalogue = Catalogue(root, spec, self.chapters)
        self.environment = _environment()

    def pages(self) -> dict[str, str]:
        glossary, kinds = glossary_of(self.links, self.titles), kinds_of(self.spec)
        groups = [
            self.catalogue.group(chapter) for chapter in self.generated if chapter.name != LAWS
        ]
        order = self.order()
        self.shared: Data = {
            "parts": self.parts(), "own": OWN, "links": self.links, "engines": self.strips.keys,
            "marks": MARKS, "said": SAID, "behaviors": len(self.spec.behaviors),
            "cases": len(self.spec.cases), "count_of_chapters": len(self.spec.chapters),
            "count_of_operations": rows_of(groups), "has_operations": bool(groups),
        }  # fmt: skip
        cases = self.cases_of_guides()
        contents: dict[str, tuple[str, Data]] = {
            "index": ("index", {"guided": [item for item in self.written if item.guide]}),
            **{
                page_of(item): ("chapter", {"chapter": self.chapters.chapter(item, cases)})
                for item in self.written
            },
            **{page_of(name): ("group", {"group": group})
               for name, group in zip((c for c in self.generated if c.name != LAWS), groups, strict=True)},
            "operations": ("operations", {"groups": groups, "laws": self.law_titles()}),
            "folklore": ("folklore", {"sayings": folklore_of(self.spec)}),
            "glossary": ("glossary", {"terms": glossary, "kinds": kinds,
                                      "features": list(self.spec.features.values())}),
            "words": ("words", {"words": words_of(self.spec)}),
        }  # fmt: skip
        laws = next((item for item in self.generated if item.name == LAWS), None)
        if laws:
            shown = {"laws": self.catalogue.law_page(), "introduction": laws.introduction,
                     "title": laws.title}  # fmt: skip
            contents[page_of(laws)] = ("laws", shown)
        files = {
            f"{name}.html": self.page(template, name, order, values)
            for name, (template, values) in contents.items()
            if name in order
        }
        files["book.css"] = self.style()
        for script in ("book.js", "search.js"):
            files[script] = (TEMPLATES / script).read_text("utf-8")
        operations = [item for group in groups for item in group["operations"]]
        files["search-index.js"] = index_script(
            self.spec.chapters, operations, glossary, kinds, self.links, synonyms()
        )
        return files

    def page(self, template: str, name: str, order: dict[str, str], values: Data) -> str:
        """One page, with links to the pages before and after it."""
        names = list(order)
        place = names.index(name)
        shown = self.environment.get_template(f"{template}.html.j2").render(
            **self.shared,
            **values,
            page=name,
            heading=order[name],
            before=[(other, order[other]) for other in names[max(0, place - 1) : place]],
            after=[(other, order[other]) for other in names[place + 1 : place + 2]],
        )
        return printable(shown.lstrip())

    def order(self) -> dict[str, str]:
        """The pages in reading order, with their titles."""
        pages = {"index": "Contents"}
        pages |= {page_of(item): item.title for item in self.written}
        groups = [item for item in self.generated if item.name != LAWS]
        pages |= {"operations": OWN["operations"]} if groups else {}
        pages |= {page_of(item): item.title for item in groups}
        pages |= {page_of(item): item.title for item in self.generated if item.name == LAWS}
        return pages | {
            name: title for name, title in OWN.items() if name not in ("index", "operations")
        }

    def parts(self) -> list[Data]:
        """The table of contents: parts, and the pages of each."""
        parts: list[Data] = []
        for chapter in self.written:
            if chapter.part or not parts:
                parts.append({"title": chapter.part or "Chapters", "pages": []})
            parts[-1]["pages"].append(_entry(chapter))
        groups = [item for item in self.generated if item.name != LAWS]
        if self.generated:
            catalogue = [_entry(item) for item in groups]
            laws = [_entry(item) for item in self.generated if item.name == LAWS]
            table = (
                [("operations", OWN["operations"], "All operations as one table.")]
                if groups
                else []
            )
            parts.append(
                {"title": "The catalogue of operations", "pages": [*table, *laws, *catalogue]}
            )
        told = {
            "folklore": "Common misconceptions.",
            "glossary": "Terms, and kinds of errors.",
            "words": "Every name, and where it is explained.",
        }
        parts.append(
            {"title": "Reference", "pages": [(n, OWN[n], said) for n, said in told.items()]}
        )
        return parts

    def cases_of_guides(self) -> dict[str, Any]:
        """The cases that guides show."""
        wanted = {step.case for chapter in self.written for step in chapter.guide if step.case}
        return {case.id: case for case in self.spec.cases if case.id in wanted}

    def law_titles(self) -> list[tuple[str, str]]:
        return [(law.id, law.statement) for law in self.catalogue.law_behaviors]

    def style(self) -> str:
        return (TEMPLATES / "book.css").read_text("utf-8") + STYLE


def page_of(chapter: Chapter) -> str:
    """The name of a chapter's page, which is not that of one of the book's own."""
    return f"{chapter.name}_chapter" if chapter.name in OWN else chapter.name


def _entry(chapter: Chapter) -> tuple[str, str, str]:
    return page_of(chapter), chapter.title, plain(first_sentence(chapter.introduction))


def _environment() -> Any:
    environment = templates_in(TEMPLATES)
    environment.filters.update(prose=prose, plain=plain)
    return environment
