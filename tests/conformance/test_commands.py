"""The `gradspec` command, as its users call it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from gradspec.conformance.cli import COMMANDS
from gradspec.conformance.commands.shared import tell_of_first_time
from gradspec.conformance.running.journal import read_journal
from gradspec.conformance.running.journal_writer import JournalWriter
from gradspec.spec.load import load_spec
from gradspec.spec.reading import folder
from suite_kit import (
    CHAPTER,
    VERDICTS,
    VICTIM,
    call,
    decoded,
    environment,
    gradspec,
    make_tiny_spec,
    run_python,
    strict,
    validator,
    verdicts_of,
)

pytestmark = pytest.mark.usefixtures("liars")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- the command itself ---


def test_help_comes_at_once(tmp_path: Path) -> None:
    """Neither NumPy nor YAML nor an engine is imported for it."""
    script = (
        "import sys\n"
        "from gradspec.conformance.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'yaml', 'torch', 'jsonschema', 'jinja2', 'rich', 'pytest', 'gradspec.spec.load'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    found = run_python("-c", script, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    for name, meaning in COMMANDS.items():
        assert name in found.stdout
        assert meaning in " ".join(found.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    found = call(name, "--help")
    assert found.exit_code == 0
    assert "Usage:" in found.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rum"], "Did you mean 'run'?"),
        (["run"], "--impl"),
        (["run", "--impl=referense"], "did you mean 'reference'?"),
        (
            ["run", "--impl=module:honest", "-k", "no such case"],
            "no case's id contains 'no such case'",
        ),
        (["run", "--impl=module:honest", "--profile=cores"], "unknown profile 'cores'"),
        (["run", "--impl=module:honest", "--spec=nowhere"], "nowhere"),
        (["run", "--impl=module:honest", "--case-timeout=nan"], "found nan"),
        (["run", "--impl=module:honest", "--case-timeout=inf"], "found inf"),
        (["run", "--impl=module:honest", "--start-timeout=1e300"], "from 0.001 to 1000000 seconds"),
        (["run", "--impl=module:honest", "--known=nowhere.yaml"], "nowhere.yaml"),
        (["report"], "expected a journal, found none in results/"),
        (["report", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["diff", "nowhere.jsonl", "nowhere.jsonl"], "cannot be read"),
        (["diff", "one.jsonl"], "Missing argument"),
        (["repro", "leaf.user-create"], "did you mean"),
        (["explain", "leaf.user-create"], "did you mean"),
        (["list", "nothing"], "'nothing' is not one of"),
        (["new-adapter", "!"], "is not a valid name"),
        (["new-adapter", "3d"], "is not a valid name"),
        (["new-adapter", "x", "--language=javascript"], "needs --kind=process"),
        (["new-adapter", "x", "--kind=tap"], "tape"),
        (["protocol", "reference"], "expected exec:COMMAND, found 'reference'"),
        (["protocol", "./x"], "write gradspec protocol exec:./x"),
        (["run", "--impl=honest"], "write --impl=module:honest"),
        (["run", "--impl=module:honset:tensor"], "cannot be imported"),
        (["run", "--impl=module:honest:tenser"], "did you mean module:honest:tensor?"),
        (
            ["run", "--impl=module:honest", "--device=abacus"],
            "'module:honest' has no device 'abacus'",
        ),
        (["run", "--impl=mine.py"], "write --impl=mine.py:MineEngine"),
        (["run", "--impl=mine.py:MyEngine"], "write --impl=mine.py:MineEngine"),
        (["run", "--impl=bare.py"], "write --impl=module:bare"),
        (["run", "--impl=mime.py:MineEngine"], "did you mean 'mine.py'?"),
        (["run", "--impl=module:bear"], "did you mean module:bare?"),
        (["run", "--impl=module:honest", "--profile=cor"], "did you mean 'core'?"),
        (["run", "--impl=module:honest", "-k", "acumulation"], "did you mean 'accumulation'?"),
        (["repro", "accumulation"], "gradspec list behaviors -k accumulation."),
        (
            ["repro", "accumulation.second-pass-adds/two-passes-add-up", "--impl=torhc"],
            "did you mean 'torch'?",
        ),
        (["list", "behaviours"], "did you mean 'behaviors'?"),
        (["new-adapter", "x", "--kind=proces"], "did you mean 'process'?"),
        (["check", "--oracle=torhc"], "did you mean 'torch'?"),
        (["check", "-k", "views"], "needs --adequacy"),
        (["check", "--thorough"], "needs --adequacy"),
        (
            ["check", "--adequacy", "-k", "no-such-fault"],
            "no fault has 'no-such-fault'",
        ),
        (["protocol", "exec:no-such-harness"], "cannot start"),
        (["check", "--spec=nowhere"], "nowhere"),
    ],
)
def test_misuse_has_status_2_and_says_what_to_do(
    arguments: list[str], told: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text("class Base: ...\nclass MineEngine(Base): ...\n", "utf-8")
    (tmp_path / "bare.py").write_text("def tensor(values): ...\n", "utf-8")
    found = call(*arguments)
    assert found.exit_code == 2, found.output
    assert told in found.output


# --- run ---


def test_run(tiny_spec: Path, tmp_path: Path) -> None:
    found = call("run", "--impl=module:honest", f"--spec={tiny_spec}")
    assert found.exit_code == 1
    assert "honest 1.0 (Python) on cpu: 9 cases" in found.output
    assert "--- tiny.departs/a-leaf-keeps-its-place: fail" in found.output
    assert (
        "MUST, documented or implied:         6 / 7 / 8   (1 fail, 1 unsupported)" in found.output
    )
    journal = read_journal(tmp_path / "results" / "module_honest.jsonl")
    assert verdicts_of(journal) == VERDICTS
    assert journal.complete


def test_a_choice_of_cases_is_not_the_whole_run(tiny_spec: Path, tmp_path: Path) -> None:
    found = call(
        "run", "--impl=module:honest", f"--spec={tiny_spec}", "-k", "values", "--journal=j.jsonl"
    )
    assert found.exit_code == 0
    assert not read_journal(tmp_path / "j.jsonl").complete
    assert call("diff", "j.jsonl", "j.jsonl").exit_code == 2
    assert "left out some cases" in call("diff", "j.jsonl", "j.jsonl").output
    call("report", "j.jsonl", f"--spec={tiny_spec}")
    report = strict(Path("report/report.json").read_text("utf-8"))
    assert report["engines"][0]["badge"]["message"] == "incomplete run"
    assert report["engines"][0]["missing"] == len(VERDICTS) - 1


def test_an_engine_that_can_do_nothing_does_not_conform(tiny_spec: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("", "utf-8")
    sys.path.insert(0, str(tmp_path))
    try:
        found = call("run", "--impl=module:empty", f"--spec={tiny_spec}")
    finally:
        sys.path.remove(str(tmp_path))
    assert found.exit_code == 1
    assert "0 / 0 / 8" in found.output


# --- check ---


def test_check_tells_what_proves_little(tmp_path: Path) -> None:
    """The tiny specification has one case that an engine passes which agrees to everything."""
    found = call("check", f"--spec={make_tiny_spec(tmp_path / 'weak')}")
    assert found.exit_code == 1
    assert "tiny.departs/a-leaf-keeps-its-place" in found.output
    assert "an engine that agrees to everything passes the case" in found.output
    sharper = "assert (x * 2.0).requires_grad\n        assert x == [3.0]"
    chapter = CHAPTER.replace("assert (x * 2.0).requires_grad", sharper)
    found = call("check", f"--spec={make_tiny_spec(tmp_path / 'sharp', chapter)}")
    assert "tiny." not in found.output, found.output


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("assert x.grad == [4.0]", "assert x.gradd == [4.0]", "gradd"),
        ("statement: A second pass MUST add", "statement: A second pass adds", "MUST"),
        ("sources: [tiny#all]", "sources: [tiny#some]", "tiny#some"),
        ("level: documented", "level: rumoured", "rumoured"),
        ("needs: [tiny.adds]", "needs: [tiny.add]", "tiny.add"),
        ('raises("graph-freed")', 'raises("graph-freeed")', "graph-freeed"),
        ("id: tiny.leaf", "id: tiny.adds", "occurs twice"),
    ],
)
def test_check_of_a_faulty_specification(old: str, new: str, told: str, tmp_path: Path) -> None:
    folder = make_tiny_spec(tmp_path / "spec")
    chapter = folder / "behaviors" / "tiny.yaml"
    chapter.write_text(chapter.read_text("utf-8").replace(old, new, 1), "utf-8")
    found = call("check", f"--spec={folder}")
    assert found.exit_code != 0
    assert told in found.output
    assert re.search(r"tiny\.yaml:\d+:\d+", found.output)


# --- report ---


def test_report_of_several_engines(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    found = call("report", *sorted(runs.glob("*.jsonl")), f"--spec={tiny_spec}")
    assert found.exit_code == 0
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    validator("report.json").validate(report)
    assert [engine["name"] for engine in report["engines"]] == [
        "module:liar:lies_about_the_dtype", "module:honest", "module:liar:raises_markup",
    ]  # fmt: skip
    victim = report["behaviors"]["tiny.victim"]
    status = [result if isinstance(result, str) else result["status"] for result in victim.values()]
    assert sorted(status) == ["fails", "fails", "holds"]
    keys = ("honest", "liar-raises_markup", "liar-lies_about_the_dtype")
    badges = {f"badge-module-{key}.{end}" for key in keys for end in ("json", "svg")}
    assert {path.name for path in (tmp_path / "report").iterdir()} == badges | {
        "report.html", "report.md", "report.json", "preview.png",
    }  # fmt: skip


def test_counts_in_the_report_add_up(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    call("report", runs / "honest.jsonl", f"--spec={tiny_spec}")
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    engine = report["engines"][0]
    assert sum(engine["counts"].values()) == report["spec"]["cases"] == len(VERDICTS)
    assert engine["scores"]["must"]["all"] + engine["scores"]["rest"]["all"] == len(VERDICTS)
    assert (engine["missing"], engine["strange"]) == (0, 0)
    passed = {item["name"]: item["scores"]["must"]["passed"] for item in report["baselines"]}
    assert passed == {"nothing": 0, "agreeable": 1}  # `assert y.requires_grad` alone proves little


def test_the_page_stands_alone_and_escapes_what_engines_say(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    path = tmp_path / "named.jsonl"
    text = (runs / "markup.jsonl").read_text("utf-8")
    path.write_text(
        text.replace("module:liar:raises_markup", "<img src=x onerror=alert(1)>"), "utf-8"
    )
    call("report", path, f"--spec={tiny_spec}")
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert "<script>alert(" not in page
    assert "<img src=x" not in page
    assert "<b>magic</b>" not in page
    assert "&lt;script&gt;alert(" in page
    assert "\\u003cscript>alert(" in page  # in the data that the page's script draws
    islands = re.findall(
        r'<script type="application/json" id="[^"]+">(.*?)</script>', page, re.DOTALL
    )
    assert len(islands) == 3
    data = [strict(island) for island in islands][1]
    assert data["behaviors"]["tiny.values"]["folklore"] == "Gradients are <b>magic</b>."
    assert not re.search(r"""<(script|img|iframe|link)[^>]+(src|href)\s*=\s*.(?!data:)""", page)
    assert not re.search(r"""(@import|url\()\s*['"]?(http|//)""", page)
    markdown = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert "\\|" in markdown


def test_the_report_says_what_to_fix_first(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    call("report", runs / "dtype.jsonl", f"--spec={tiny_spec}")
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    causes = report["engines"][0]["causes"]
    assert sum(cause["cases"] for cause in causes) == report["engines"][0]["counts"]["fail"] == 3
    assert {cause["example"] for cause in causes} >= {VICTIM}
    assert [cause["must"] for cause in causes] == [1, 1, 0]
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert "What to fix first" in page
    assert f'<a href="#{VICTIM}">' in page
    assert "What to fix first:" in (tmp_path / "report" / "report.md").read_text("utf-8")


def test_the_report_says_what_is_lacking_and_what_was_left_behind(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in (runs / "dtype.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        if line.get("case") == VICTIM:
            line["spoils"] = "tiny.adds/two-passes"
    path = tmp_path / "spoilt.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    call("report", path, f"--spec={tiny_spec}")
    (engine,) = strict((tmp_path / "report" / "report.json").read_text("utf-8"))["engines"]
    assert engine["spoilers"] == [VICTIM]
    assert engine["lacking"] == {"Tensor.sqrt": 1}
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert "Missing, with the number of cases that need it: Tensor.sqrt (1)." in page
    left = page.index("These cases left state behind in the engine")
    assert page[left:].index(VICTIM) < page[left:].index("<ol>")


def test_the_page_keeps_what_a_row_holds_out_of_the_document(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    """Each behavior is one closed row of two lines of HTML; engines with one verdict share a line."""
    call("report", *sorted(runs.glob("*.jsonl")), f"--spec={tiny_spec}")
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    rows = re.findall(r'<details class="behavior".*?</details>', page, re.DOTALL)
    assert len(rows) == 9
    assert not any("<pre" in row or " open" in row for row in rows)
    assert len(re.findall(r'<details class="chapter" id="chapter-tiny"', page)) == 1
    island = re.search(r'id="data-tiny">(.*?)</script>', page, re.DOTALL)
    assert island
    held = strict(island.group(1))

    behaviors = [name for name, found in held["behaviors"].items() for _ in range(found["cases"])]
    column = decoded(held["columns"]["result"])
    verdicts = decoded(held["columns"]["results.verdict"])
    assert len(column) == 3 * len(behaviors)

    def found_for(behavior: str) -> list[str]:
        """The verdicts on its first case: the results of one engine follow those of another."""
        first = behaviors.index(behavior)
        results = [column[engine * len(behaviors) + first] for engine in range(3)]
        return [held["results.verdict"][verdicts[result]] for result in results]

    assert found_for("tiny.adds") == ["pass"] * 3
    assert sorted(found_for("tiny.victim")) == ["fail", "fail", "pass"]


def test_parts_of_one_run_are_reported_as_one(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    whole = read_journal(runs / "honest.jsonl")
    for name, part in (("a", whole.verdicts[:5]), ("b", whole.verdicts[5:])):
        writer = JournalWriter(tmp_path / f"{name}.jsonl", whole.header)
        for verdict in part:
            writer.write(verdict)
        writer.finish(len(part), deselected=len(VERDICTS) - len(part))
    call("report", "a.jsonl", "b.jsonl", f"--spec={tiny_spec}")
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    assert len(report["engines"]) == 1
    assert report["engines"][0]["complete"]


def test_a_torn_journal_is_reported_as_incomplete(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    text = (runs / "honest.jsonl").read_bytes()
    (tmp_path / "torn.jsonl").write_bytes(text[: len(text) * 2 // 3])
    found = call("report", "torn.jsonl", f"--spec={tiny_spec}")
    assert found.exit_code == 0
    engine = strict((tmp_path / "report" / "report.json").read_text("utf-8"))["engines"][0]
    assert not engine["complete"]
    assert engine["missing"] > 0
    assert "incomplete" in (tmp_path / "report" / "report.md").read_text("utf-8")
    assert call("diff", "torn.jsonl", runs / "honest.jsonl").exit_code == 2


def test_unknown_cases_and_another_specification_are_told(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    text = (runs / "honest.jsonl").read_text("utf-8")
    digest = read_journal(runs / "honest.jsonl").header["spec"]["digest"]
    text = text.replace(digest, "0" * 16).replace("tiny.values/a-product", "tiny.old/gone")
    (tmp_path / "old.jsonl").write_text(text, "utf-8")
    call("report", "old.jsonl", f"--spec={tiny_spec}")
    engine = strict((tmp_path / "report" / "report.json").read_text("utf-8"))["engines"][0]
    assert (engine["same_spec"], engine["strange"], engine["missing"]) == (False, 1, 1)
    assert "against another specification" in (tmp_path / "report" / "report.md").read_text("utf-8")


def test_a_failure_that_follows_from_another_says_so(
    runs: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in (runs / "dtype.jsonl").read_text("utf-8").splitlines()]
    for line in lines[1:-1]:
        if line["case"] == "tiny.adds/two-passes":
            line["verdict"] = "fail"
    lines[-1]["counts"] = Counter(line["verdict"] for line in lines[1:-1])
    (tmp_path / "j.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    call("report", "j.jsonl", f"--spec={tiny_spec}")
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    behavior, _, case = VICTIM.partition("/")
    (result,) = report["behaviors"][behavior].values()
    assert result["cases"][case]["blamed_on"] == "tiny.adds"


# --- diff ---


def test_diff(runs: Path) -> None:
    same = call("diff", runs / "honest.jsonl", runs / "honest.jsonl")
    assert same.exit_code == 0
    assert "0 of 9 cases differ" in same.output
    other = call("diff", runs / "honest.jsonl", runs / "markup.jsonl")
    assert other.exit_code == 1
    assert f"1 pass -> fail\n  tiny (1)\n    {VICTIM}\n" in other.output
    assert "1 of 9 cases differ" in other.output


def test_diff_groups_by_what_became_of_what(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    """Largest first, each with its chapters; and as a report, with the two beside each other."""
    pair = (runs / "honest.jsonl", runs / "dtype.jsonl")
    found = call("diff", *pair, f"--spec={tiny_spec}", "--report=both")
    lines = found.stdout.splitlines()
    assert lines == ["1 pass -> fail", "  tiny (1)", f"    {VICTIM}"]
    page = (tmp_path / "both" / "report.html").read_text("utf-8")
    assert 'id="compare"' in page
    assert "module:honest" in page


def test_two_runs_of_one_engine_stay_apart(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    """Whole runs are no parts of one; columns are called so that they differ."""
    for name in ("monday", "tuesday"):
        (tmp_path / f"{name}.jsonl").write_bytes((runs / "honest.jsonl").read_bytes())
    call("report", "monday.jsonl", "tuesday.jsonl", f"--spec={tiny_spec}")
    report = strict((tmp_path / "report" / "report.json").read_text("utf-8"))
    labels = [engine["label"] for engine in report["engines"]]
    assert len(set(labels)) == 2
    assert [label.split()[-1] for label in labels] == ["(monday)", "(tuesday)"]


def test_a_badge_is_a_picture_of_the_score(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    call("report", runs / "honest.jsonl", f"--spec={tiny_spec}")
    badge = ElementTree.parse(tmp_path / "report" / "badge-module-honest.svg").getroot()
    engine = strict((tmp_path / "report" / "report.json").read_text("utf-8"))["engines"][0]
    assert f"{engine['passes']} of {engine['supports']}" in "".join(badge.itertext())
    preview = (tmp_path / "report" / "preview.png").read_bytes()
    assert preview.startswith(b"\x89PNG")


def test_versions_of_an_engine_make_a_trend(runs: Path, tiny_spec: Path, tmp_path: Path) -> None:
    text = (runs / "honest.jsonl").read_text("utf-8")
    for version in ("1.10", "1.9"):
        (tmp_path / f"{version}.jsonl").write_text(
            text.replace('"1.0"', f'"{version}"', 1), "utf-8"
        )
    call("report", "1.10.jsonl", "1.9.jsonl", f"--spec={tiny_spec}")
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    trend = ElementTree.fromstring(
        page[
            page.index('<svg class="trend"') : page.index(
                "</svg>", page.index('<svg class="trend"')
            )
            + 6
        ]
    )
    labels = [text.text for text in trend.iter("text") if text.get("class") != "axis"]
    assert labels == ["1.9", "1.10"]
    elsewhere = json.loads(text.partition("\n")[0])
    elsewhere["engine"]["device"] = "card"
    other = "\n".join([json.dumps(elsewhere), text.partition("\n")[2]])
    (tmp_path / "card.jsonl").write_text(other, "utf-8")
    call("report", runs / "honest.jsonl", "card.jsonl", f"--spec={tiny_spec}")
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert '<svg class="trend"' not in page, "two devices are not two versions"


def test_a_run_shows_its_chapters_as_bars(tiny_spec: Path, tmp_path: Path) -> None:
    found = call("run", "--impl=module:honest", f"--spec={tiny_spec}", "--journal=j.jsonl")
    (bar,) = [line for line in found.output.splitlines() if line.startswith("  tiny ")]
    assert re.fullmatch(r"  tiny +#+x+\.+ +2 of 8 fail", bar), bar


# --- list, explain, export ---


@pytest.mark.parametrize(
    "what",
    [
        "behaviors",
        "cases",
        "chapters",
        "features",
        "profiles",
        "words",
        "kinds",
        "sources",
        "folklore",
        "engines",
    ],
)
def test_list(what: str, tiny_spec: Path) -> None:
    found = call("list", what, f"--spec={tiny_spec}")
    assert found.exit_code == 0
    assert found.output.strip()
    none = call("list", what, "-k", "no such thing", f"--spec={tiny_spec}")
    assert none.stdout == ""
    assert f"nothing in the {what} contains 'no such thing'" in none.stderr


def test_list_cases_are_the_cases(tiny_spec: Path) -> None:
    assert call("list", "cases", f"--spec={tiny_spec}").output.split("\n")[:-1] == list(VERDICTS)


def test_explain(tiny_spec: Path) -> None:
    for identifier in ("tiny.victim", VICTIM):
        found = call("explain", identifier, f"--spec={tiny_spec}")
        assert found.exit_code == 0
        assert "A gradient MUST have the dtype and shape of its tensor." in found.output
        assert "A tiny document" in found.output
        assert "assert x.grad.dtype == float32" in found.output


def test_explain_chapter(tiny_spec: Path) -> None:
    found = call("explain", "tiny", f"--spec={tiny_spec}").output.splitlines()
    spec = load_spec(tiny_spec)
    (chapter,) = spec.chapters
    assert found[0] == chapter.title
    assert " ".join(found[2].split()) in " ".join(chapter.introduction.split())
    assert f"  {len(spec.behaviors)} behaviors, {len(spec.cases)} cases" in found
    for behavior in spec.behaviors:
        assert f"{behavior.id}\n    {behavior.statement[:60]}" in "\n".join(found)
    apart = call("explain", "conventions").output
    assert "  scored separately: " in apart
    assert (
        "gradspec: no chapter, behavior, case, feature, word or kind is called"
        in call("explain", "tny", f"--spec={tiny_spec}").stderr
    )


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("retain-grad", ["retain-grad: a feature. A non-leaf can retain its gradient.",
                         "  methods: retain_grad", "  attributes: retains_grad"]),
        ("is_leaf", ["is_leaf: an attribute of the feature leaf."]),
        ("graph-freed", ["graph-freed: a kind of error. A backward pass over a graph whose saved "]),
        ("sum", ["sum: a function of the feature operations.", "sum: a method of the feature operations."]),
    ],
)  # fmt: skip
def test_explain_what_a_run_names(name: str, lines: list[str], tiny_spec: Path) -> None:
    found = call("explain", name)
    assert found.exit_code == 0
    for line in lines:
        assert line in found.output
    assert re.search(r"\n  [1-9]\d* cases (need|use|expect) it: [a-z_]+\.[a-z]", found.output)
    assert re.search(r"\n  \d+ cases \w+ it", call("explain", name, f"--spec={tiny_spec}").output)


def test_export(tiny_spec: Path, tmp_path: Path) -> None:
    found = call("export", f"--spec={tiny_spec}")
    bundle = strict(found.stdout)
    validator("bundle.json").validate(bundle)
    assert [case["id"] for case in bundle["cases"]] == list(VERDICTS)
    call("export", "-o", "bundle.json", "--without-expectations", f"--spec={tiny_spec}")
    hidden = strict((tmp_path / "bundle.json").read_text("utf-8"))
    assert not any("expectations" in case for case in hidden["cases"])
    assert "4.0" not in json.dumps(hidden["cases"][0]["program"])


def test_chapters_can_be_exported_to_a_folder(tmp_path: Path) -> None:
    """Of one's own specification: written cases, operations and laws."""
    found = call("export", "leaf", "normalization", "no_such", "-d", "out")
    assert found.exit_code == 2
    assert "there is no chapter 'no_such'" in found.output
    assert call("export", "normalization", "leaf", "-d", "out").exit_code == 0
    index = strict((tmp_path / "out" / "index.json").read_text("utf-8"))
    assert [entry["name"] for entry in index["chapters"]] == ["leaf", "normalization"]
    validator("bundle.json").validate({**index, "behaviors": [], "cases": []})
    leaf = strict((tmp_path / "out" / "leaf.json").read_text("utf-8"))
    assert index["chapters"][0]["part"]
    assert {"heading": "Two questions, not one"} in index["chapters"][0]["guide"]
    assert any(behavior["section"] for behavior in leaf["behaviors"])
    check = validator("program.json")
    for entry in index["chapters"]:
        chapter = strict((tmp_path / "out" / entry["file"]).read_text("utf-8"))
        assert len(chapter["behaviors"]) == entry["behaviors"]
        assert len(chapter["cases"]) == entry["cases"] > 10
        for case in chapter["cases"]:
            check.validate(case["program"])


# --- protocol ---


BAD_HARNESS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["ask"] == "hello":
        print(json.dumps({"answer": "hello", "gradspec": 1, "name": "bad", "features": FEATURES}), flush=True)
    elif asked["ask"] == "run":
        print(json.dumps({"answer": "run", "number": asked["number"], "observed": OBSERVED,
                          "end": {"how": "finished"}}), flush=True)
    elif asked["ask"] == "bye":
        sys.exit(STATUS)
"""


@pytest.mark.parametrize(
    ("features", "observed", "status", "told"),
    [
        (["arrays", "magic"], [], 0, "unknown: magic"),
        (["arrays", "requires-grad", "leaf"], [[999, 1]], 0, "the observation 999 does not exist"),
        (["arrays", "requires-grad", "leaf"], [[0, [1]]], 0, "is not a plain value"),
        (["arrays", "requires-grad", "leaf"], [[0, {"tensor": {"dtype": "float32", "shape": [2], "values": [1]}}]], 0,
         "has 2 elements, found 1"),
        (["arrays", "requires-grad", "leaf"], [], 0, "ended with finished"),
        ([], [], 0, "no case needs only the features that it declares"),
        (["arrays"], [], 5, "it exited with status 5"),
    ],
)  # fmt: skip
def test_a_bad_harness_is_told_how(
    features: Any, observed: Any, status: int, told: str, tmp_path: Path
) -> None:
    text = BAD_HARNESS.replace("FEATURES", repr(features)).replace("OBSERVED", repr(observed))
    (tmp_path / "bad.py").write_text(text.replace("STATUS", str(status)), "utf-8")
    found = call("protocol", f"exec:{sys.executable} -S bad.py")
    assert found.exit_code == 1
    assert told in found.output


def test_the_installed_command_is_there(tmp_path: Path) -> None:
    assert shutil.which("gradspec", path=str(Path(sys.executable).parent))
    assert gradspec("--version", cwd=tmp_path).stdout.startswith("gradspec, version")


@pytest.mark.parametrize("command", [["export"], ["repro", VICTIM, "--impl=module:honest"]])
def test_a_pipe_that_nobody_reads_is_refused(
    command: list[str], tiny_spec: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = gradspec(*command, "-o", "pipe", f"--spec={tiny_spec}", cwd=tmp_path, timeout=30)
    assert found.returncode == 2
    assert "pipe cannot be written: it is a pipe without a reader" in found.stderr


def test_a_pipe_that_is_read_is_written_to(tiny_spec: Path, tmp_path: Path) -> None:
    found = gradspec("export", "-o", "/dev/stdout", f"--spec={tiny_spec}", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert len(strict(found.stdout)["cases"]) == len(VERDICTS)


def test_a_run_that_attempts_nothing_fails_and_says_why(tiny_spec: Path, tmp_path: Path) -> None:
    (tmp_path / "nothing_here.py").write_text("", "utf-8")
    found = gradspec("run", "--impl=module:nothing_here", f"--spec={tiny_spec}", cwd=tmp_path)
    assert found.returncode == 1
    assert "no case was attempted, so the run fails" in found.stdout


def test_a_feature_that_nobody_knows_is_told(tiny_spec: Path, tmp_path: Path) -> None:
    hello = '{"answer": "hello", "gradspec": 1, "features": ["arrays", "arays"]}'
    (tmp_path / "harness.py").write_text(
        f"print({hello!r}, flush=True)\ninput()\ninput()\n", "utf-8"
    )
    command = f"exec:{sys.executable} -S harness.py"
    found = gradspec("run", f"--impl={command}", f"--spec={tiny_spec}", cwd=tmp_path)
    assert "declares unknown features: 'arays'" in found.stderr


@pytest.mark.parametrize("closed", ["2>&-", ">&- 2>&-", "<&- 2>&-"])
def test_closed_streams_end_up_nowhere(closed: str, tiny_spec: Path, tmp_path: Path) -> None:
    """Least of all in the journal."""
    command = f"{sys.executable} -m gradspec.conformance.cli run --impl=module:honest"
    command += f" --spec={tiny_spec} --journal=run.jsonl {closed}"
    found = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment(), check=False)
    assert found.returncode == 1
    assert read_journal(tmp_path / "run.jsonl").complete
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS


def test_the_time_limit_holds_though_signals_were_blocked(tiny_spec: Path, tmp_path: Path) -> None:
    """As a parent may leave them to its children."""
    code = (
        "import os, signal, sys\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))\n"
        "command = [sys.executable, '-m', 'gradspec.conformance.cli', 'run', *sys.argv[1:]]\n"
        "os.execv(sys.executable, command)\n"
    )
    options = [f"--spec={tiny_spec}", "--journal=run.jsonl", "--case-timeout=0.5"]
    found = run_python("-c", code, "--impl=module:liar:sleeps", *options, cwd=tmp_path)
    assert found.returncode == 1
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == {**VERDICTS, VICTIM: "timeout"}


def test_reading_our_specification_for_the_first_time_is_told(
    tiny_spec: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It takes long, and nothing else would show."""
    monkeypatch.setattr(folder, "ROOT", tmp_path)
    tell_of_first_time(tiny_spec)
    assert not capsys.readouterr().err
    tell_of_first_time(None)
    assert capsys.readouterr().err.startswith("reading the specification for the first time")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "behaviors.leaf.cpython-311.spec").touch()
    tell_of_first_time(None)
    assert not capsys.readouterr().err
