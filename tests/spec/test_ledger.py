"""The clause ledger: how it is read, what it counts, and what it says of documentation that
changed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

import jsonschema
import pytest
from click.testing import CliRunner
from folders import behavior, chapter, load_folder, make_folder
from gradspec.conformance.checking.documentation import (
    Sentence,
    Sources,
    docstring_sentences,
    file_sentences,
    normalised,
)
from gradspec.conformance.cli import main
from gradspec.conformance.commands.check import against_documentation, coverage
from gradspec.spec.checking.check import schema_problems
from gradspec.spec.checking.ledger import (
    Ledger,
    differences,
    documented_without_a_clause,
    read_ledger,
)
from gradspec.spec.load import load_spec
from gradspec.spec.problems import Problem, SpecError
from gradspec.spec.reading.folder import ROOT, digest_of

PROGRAM = "x = tensor([3.0])\nassert x == [3.0]"
MUST = Sentence("text", "The result must be new.")
MAY = Sentence("note", "It may be shared.")
PLAIN = Sentence("text", "A pleasant function to call.")


def entry(sentence: Sentence, rest: str) -> str:
    return (
        f"      - heading: {sentence.heading}\n"
        f'        hash: "{sentence.hash}"\n'
        f"        says: in our words\n"
        f"        {rest}\n"
    )


def ledger_text(*clauses: str, page: str = "    where: torch.sample\n") -> str:
    head = 'pytorch: "2.13"\npages:\n  - name: torch.sample\n    kind: docstring\n'
    return head + page + "    clauses:\n" + "".join(clauses)


def folder(root: Path, text: str) -> Path:
    files = dict(chapter(behavior(PROGRAM), behavior(PROGRAM, id="sample.two")))
    return make_folder(root / "spec", {**files, "ledger.yaml": text})


def read(root: Path, text: str) -> Ledger:
    place = folder(root, text)
    ledger = read_ledger(place, load_folder(place))
    assert ledger is not None
    return ledger


def problems(root: Path, text: str) -> list[Problem]:
    with pytest.raises(SpecError) as caught:
        read(root, text)
    return caught.value.problems


@dataclass
class Fake:
    """Documentation that says what a test wants it to."""

    pages: dict[str, list[Sentence]]
    version: str = "2.13.0+cpu"
    asked: list[str] = field(default_factory=list)

    def sentences(self, where: str) -> list[Sentence] | None:
        self.asked.append(where)
        return self.pages.get(where)


# --- reading ---


def test_a_folder_needs_no_ledger(tmp_path: Path) -> None:
    place = make_folder(tmp_path / "spec", dict(chapter(behavior(PROGRAM))))
    assert read_ledger(place, load_folder(place)) is None
    assert schema_problems(place) == []


def test_counts_and_what_rests_on_a_clause(tmp_path: Path) -> None:
    ledger = read(
        tmp_path,
        ledger_text(
            entry(MUST, "covered: [sample.one, sample.two]"),
            entry(MAY, "covered: [sample.one]"),
            entry(PLAIN, "waived: about nothing"),
        ),
    )
    (page,) = ledger.pages
    assert (len(page.clauses), page.covered, page.waived) == (3, 2, 1)
    assert {name: len(clauses) for name, clauses in ledger.resting.items()} == {
        "sample.one": 2,
        "sample.two": 1,
    }
    table = coverage(ledger).splitlines()
    assert table[1].split() == ["torch.sample", "3", "2", "1"]
    assert table[2].startswith(
        "3 clauses of PyTorch 2.13's documentation on 1 page: 2 covered by 2 "
    )


GOOD = entry(MUST, "covered: [sample.one]")
FILE_PAGE = "    where: a.rst\n    revision: abc\n    sections: [{}]\n"
MALFORMED: dict[str, tuple[str, int, int, str, str]] = {
    "unknown behavior": (
        ledger_text(entry(MUST, "covered: [sample.onne]")), 10, 19, "'sample.onne' is not known",
        "did you mean 'sample.one'?",
    ),
    "named twice": (
        ledger_text(entry(MUST, "covered: [sample.one, sample.one]")), 10, 31, "named twice", "",
    ),
    "both": (
        ledger_text(entry(MUST, "covered: [sample.one]\n        waived: why")), 11, 9,
        "found both", "remove one of the two",
    ),
    "neither": (ledger_text(entry(MUST, "")), 7, 9, "found neither", "say why there are none"),
    "covered by none": (
        ledger_text(entry(MUST, "covered: []")), 10, 18, "expected behaviors, found none", "waive",
    ),
    "a blank reason": (
        ledger_text(entry(MUST, 'waived: " "')), 10, 17,
        "expected waived to be text, found blank text", "",
    ),
    "a misspelt key": (
        ledger_text(entry(MUST, "coverd: [sample.one]")), 10, 9, "no key 'coverd'",
        "did you mean 'covered'?",
    ),
    "a hash that is a number": (
        ledger_text(GOOD.replace(f'"{MUST.hash}"', "1234567890123456")), 8, 15,
        "expected hash to be text, found an integer", "",
    ),
    "a hash that is too short": (
        ledger_text(GOOD.replace(MUST.hash, "12ab")), 8, 15, "'12ab' is not well formed",
        "it should look like",
    ),
    "a clause twice": (ledger_text(GOOD, GOOD), 11, 9, "occurs twice", "merge"),
    "several lines": (
        ledger_text(GOOD.replace("in our words", "|\n          one\n          two")), 9, 15,
        "expected one line", "shorten",
    ),
    "a wrong version": (
        ledger_text(GOOD).replace('"2.13"', '"2.13.0"'), 1, 10,
        "'2.13.0' is not well formed", "2.13",
    ),
    "an unknown kind": (
        ledger_text(GOOD).replace("kind: docstring", "kind: docstrin"), 4, 11, "expected kind",
        "did you mean 'docstring'?",
    ),
    "no object": (
        ledger_text(GOOD, page="    where: sample\n"), 5, 12, "'sample' is not well formed",
        "torch.Tensor.backward",
    ),
    "a docstring with a revision": (
        ledger_text(GOOD, page="    where: torch.sample\n    revision: abc\n"), 6, 5,
        "a docstring has no 'revision'", "remove it",
    ),
    "a page twice": (
        ledger_text(GOOD) + ledger_text(GOOD).split("pages:\n")[1], 11, 5, "occurs twice", "merge",
    ),
    "pages that are no list": (
        'pytorch: "2.13"\npages: none\n', 2, 8, "expected pages to be a list", "",
    ),
    "an unknown section": (
        ledger_text(GOOD, page=FILE_PAGE.format("tex")).replace("kind: docstring", "kind: file"),
        9, 9, "the section 'text' is not among", "did you mean 'tex'?",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_ledgers(name: str, tmp_path: Path) -> None:
    text, line, column, message, hint = MALFORMED[name]
    found = problems(tmp_path, text)
    shown = "\n".join(map(str, found))
    assert len(found) == 1, shown
    assert (found[0].place.line, found[0].place.column) == (line, column), shown
    assert message in found[0].message, shown
    assert hint in found[0].hint, shown


def test_a_file_needs_its_revision_and_sections(tmp_path: Path) -> None:
    text = ledger_text(GOOD, page="    where: a.rst\n").replace("kind: docstring", "kind: file")
    assert [problem.message for problem in problems(tmp_path, text)] == [
        "a page that is a file is missing the key 'revision'",
        "a page that is a file is missing the key 'sections'",
    ]


def test_a_retired_behavior_says_why(tmp_path: Path) -> None:
    place = folder(tmp_path, ledger_text(entry(MUST, "covered: [sample.gone]")))
    (place / "retired.yaml").write_text("- id: sample.gone\n  reason: it was wrong\n")
    with pytest.raises(SpecError) as caught:
        read_ledger(place, load_folder(place))
    (problem,) = caught.value.problems
    assert problem.message == "the behavior 'sample.gone' was retired: it was wrong"


@pytest.mark.parametrize("name", ["both", "neither", "covered by none", "a hash that is too short",
                                  "an unknown kind", "a docstring with a revision"])  # fmt: skip
def test_the_schema_refuses_what_the_reader_refuses(name: str, tmp_path: Path) -> None:
    place = folder(tmp_path, MALFORMED[name][0])
    assert any(problem.message.startswith("ledger.json") for problem in schema_problems(place))


def test_the_schema_is_one_and_accepts_ours() -> None:
    schema = json.loads((ROOT / "schema" / "ledger.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert [p for p in schema_problems(ROOT) if p.message.startswith("ledger.json")] == []


def test_the_ledger_changes_no_digest(tmp_path: Path) -> None:
    place = folder(tmp_path, ledger_text(GOOD))
    before = digest_of(place)
    (place / "ledger.yaml").unlink()
    assert digest_of(place) == before


# --- against the documentation ---


def sorts(ledger: Ledger, fake: Fake) -> list[str]:
    return [difference.sort for difference in differences(ledger, fake, "docstring")]


def test_nothing_differs(tmp_path: Path) -> None:
    ledger = read(tmp_path, ledger_text(GOOD, entry(PLAIN, "waived: about nothing")))
    fake = Fake({"torch.sample": [MUST, PLAIN]})
    assert sorts(ledger, fake) == []
    assert fake.asked == ["torch.sample"]


def test_a_clause_that_is_gone_names_its_behaviors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = read(tmp_path, ledger_text(entry(MUST, "covered: [sample.one, sample.two]")))
    assert against_documentation(ledger, Fake({"torch.sample": [PLAIN]}), "docstring") == 1
    shown = capsys.readouterr().out
    assert "torch.sample: the clause 'in our words' is gone or was reworded" in shown
    assert "cited by: sample.one, sample.two" in shown


def test_a_normative_clause_that_is_new_can_be_entered_as_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = read(tmp_path, ledger_text(GOOD))
    fake = Fake({"torch.sample": [MUST, MAY, PLAIN]})
    assert against_documentation(ledger, fake, "docstring") == 1
    shown = capsys.readouterr().out
    assert "does not know: It may be shared." in shown
    assert f'heading: "note", hash: "{MAY.hash}"' in shown


def test_a_clause_under_another_heading_is_not_gone(tmp_path: Path) -> None:
    ledger = read(tmp_path, ledger_text(GOOD))
    fake = Fake({"torch.sample": [Sentence("warning", MUST.text)]})
    (difference,) = differences(ledger, fake, "docstring")
    assert difference.sort == "moved"
    assert difference.problem.hint == "heading: warning"


def test_a_page_that_is_gone(tmp_path: Path) -> None:
    assert sorts(read(tmp_path, ledger_text(GOOD)), Fake({})) == ["no page", "gone"]


def test_pages_of_the_other_kind_are_left_alone(tmp_path: Path) -> None:
    fake = Fake({})
    assert list(differences(read(tmp_path, ledger_text(GOOD)), fake, "file")) == []
    assert fake.asked == []


@pytest.mark.parametrize(
    ("version", "same"),
    [("2.13.0", True), ("2.13.1+cpu", True), ("2.13", True), ("2.130.0", False), ("2.12", False)],
)
def test_another_version_is_told_and_not_counted(
    version: str, same: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = read(tmp_path, ledger_text(GOOD))
    assert ledger.documents(version) is same
    fake = Fake({"torch.sample": []}, version)
    assert against_documentation(ledger, fake, "docstring") == int(same)
    shown = capsys.readouterr()
    assert ("information: " in shown.out) is not same
    assert (f"but {version} is installed" in shown.err) is not same


def test_sections_that_a_file_does_not_claim_may_say_anything(tmp_path: Path) -> None:
    text = ledger_text(GOOD, page=FILE_PAGE.format("text")).replace("kind: docstring", "kind: file")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.rst").write_text(
        "text\n----\n\nThe result must be new.\n\nother\n-----\n\nIt must be so.\n"
    )
    ledger = read(tmp_path, text)
    assert list(differences(ledger, Sources(tmp_path / "docs"), "file")) == []


def test_sections_that_a_docstring_does_not_claim_may_say_anything(tmp_path: Path) -> None:
    page = "    where: torch.sample\n    sections: [text]\n"
    fake = Fake({"torch.sample": [MUST, MAY]})
    assert sorts(read(tmp_path / "some", ledger_text(GOOD, page=page)), fake) == []
    assert sorts(read(tmp_path / "all", ledger_text(GOOD)), fake) == ["new"]


def test_a_documented_behavior_rests_on_a_clause(tmp_path: Path) -> None:
    documented = behavior(PROGRAM, more="level: documented\nsources: [calculus]")
    files = dict(chapter(documented, behavior(PROGRAM, id="sample.two")))
    place = make_folder(
        tmp_path / "spec", {**files, "ledger.yaml": ledger_text(entry(MAY, "waived: why"))}
    )
    spec = load_folder(place)
    without = read_ledger(place, spec)
    assert without is not None
    (problem,) = documented_without_a_clause(spec, without)
    assert problem.behavior == "sample.one"
    (place / "ledger.yaml").write_text(ledger_text(GOOD))
    with_clause = read_ledger(place, spec)
    assert with_clause is not None
    assert list(documented_without_a_clause(spec, with_clause)) == []


# --- sentences ---

DOCSTRING = '''
sample(x, *, flag=False) -> Tensor

Returns the :attr:`x` itself, i.e. no copy. It is **never** shared
(see :func:`~torch.clone`).

.. note::

    A note must stand
    under its own heading.

Back in the text, one should know.

Args:
    x (Tensor): the input, e.g. a leaf. It cannot be
        ``None``.
    flag (Sequence[Tensor] or Tensor, dict[str, Tensor], optional):
        whether. Default: ``False``.

Example::

    >>> sample(1)  # this must not be read
    It must not be read either.

.. _a-label:
.. math:: x must not be read

- an item that must count
- another that will
'''  # fmt: skip


def test_a_docstring_becomes_sentences() -> None:
    assert [(each.heading, each.text) for each in docstring_sentences(DOCSTRING)] == [
        ("text", "Returns the x itself, i.e. no copy."),
        ("text", "It is never shared (see torch.clone)."),
        ("note", "A note must stand under its own heading."),
        ("text", "Back in the text, one should know."),
        ("argument x", "the input, e.g. a leaf."),
        ("argument x", "It cannot be None."),
        ("argument flag", "Default: False."),
        ("text", "an item that must count"),
        ("text", "another that will"),
    ]


def test_markdown_becomes_sentences() -> None:
    text = dedent(
        """\
        (label)=
        # Title of `it`

        Intro says {func}`torch.f` must run.

        ```{eval-rst}
        .. must:: not be read
        ```

        ## Second
        :::{warning}
        Do not [look](https://example.org/must) there.
        :::
        ````{note}
        A fence must not hide it.
        ```python
        it must_not(be, read)
        ```
        ````
        1. First, no harm.
        % a comment must be skipped
        """
    )
    assert [(each.heading, each.text) for each in file_sentences(text)] == [
        ("Title of it", "Intro says torch.f must run."),
        ("Second", "Do not look there."),
        ("Second", "A fence must not hide it."),
        ("Second", "First, no harm."),
    ]


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("a  ``b``\n c", "a b c"),
        (":ref:`the title <target>` x", "the title x"),
        ("`RFC <https://example.org>`_", "RFC"),
        ("*all* of **it** is 2 * 3", "all of it is 2 * 3"),
        ("\u201cdon\u2019t\u201d", '"don\'t"'),
    ],
)
def test_markup_and_space_do_not_count(raw: str, plain: str) -> None:
    assert normalised(raw) == plain


@pytest.mark.parametrize(
    ("text", "normative"),
    [("It will run.", True), ("Cannot be.", True), ("Notably nice.", False), ("A mayor.", False)],
)
def test_which_sentences_are_normative(text: str, normative: bool) -> None:
    assert Sentence("text", text).is_normative is normative


# --- ours ---


def test_our_ledger_is_read_and_mostly_covered() -> None:
    ledger = read_ledger(ROOT, load_spec())
    assert ledger is not None
    clauses = [clause for page in ledger.pages for clause in page.clauses]
    assert sum(bool(clause.covered) for clause in clauses) * 2 > len(clauses)


def test_check_tells_the_coverage_and_refuses_a_broken_ledger(tmp_path: Path) -> None:
    good = folder(tmp_path / "good", ledger_text(GOOD))
    assert "1 clause of PyTorch" in CliRunner().invoke(main, ["check", "--spec", str(good)]).output
    table = CliRunner().invoke(main, ["check", "--ledger", "--spec", str(good)]).output
    assert "torch.sample" in table
    bad = folder(tmp_path / "bad", MALFORMED["unknown behavior"][0])
    result = CliRunner().invoke(main, ["check", "--spec", str(bad)])
    assert result.exit_code == 1
    assert "'sample.onne' is not known" in result.output


def test_our_ledger_fits_the_installed_torch() -> None:
    pytest.importorskip("torch")
    from gradspec.conformance.checking.documentation import Docstrings

    ledger = read_ledger(ROOT, load_spec())
    assert ledger is not None
    documentation = Docstrings()
    if not ledger.documents(documentation.version):
        pytest.skip(f"the ledger documents {ledger.version}, installed is {documentation.version}")
    found = differences(ledger, documentation, "docstring")
    assert [str(difference.problem) for difference in found] == []
