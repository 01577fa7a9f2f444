"""The page of the report in a real browser: its links lead to what they name."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Browser, open_browser
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.reporting.drawing import kept
from gradspec.conformance.reporting.drawing.recording import graph_of
from gradspec.conformance.reporting.report import data, write_report
from gradspec.conformance.running.journal_writer import JournalWriter
from gradspec.spec.load import load_spec
from gradspec.spec.model import Spec

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="needs a Chromium")
WIDTHS = (1440, 390)
EVERY = 23
"""Every so many cases one fails, each for a reason of its own."""
CHAPTERS = ("leaf", "accumulation", "backward", "unary", "laws")
OPERATIONS = 120


def part_of_the_spec() -> Spec:
    """A few chapters, and of the laws what they say about some operations: enough for every kind of row."""
    spec = load_spec()
    chapters = []
    for chapter in spec.chapters:
        if chapter.name == "laws":
            laws = [copy.copy(law) for law in chapter.behaviors]
            names = {case.name.partition("[")[0]: None for law in laws for case in law.cases}
            about = {"unary.tan", "unary.tanh", *list(names)[:OPERATIONS]}
            for law in laws:
                law.cases = [case for case in law.cases if case.name.partition("[")[0] in about]
            chapter = replace(chapter, behaviors=tuple(law for law in laws if law.cases))
        if chapter.name in CHAPTERS:
            chapters.append(chapter)
    return replace(spec, chapters=tuple(chapters), digest="a part")


@pytest.fixture(scope="module")
def spec() -> Spec:
    return part_of_the_spec()


def journal(path: Path, spec: Spec, name: str, every: int, version: str = "1") -> Path:
    """A run in which some cases fail."""
    header = {
        "gradspec": 1, "version": "1", "engine": {"name": name, "version": version},
        "spec": {"digest": spec.digest}, "options": {},
    }  # fmt: skip
    writer = JournalWriter(path, header)
    for number, case in enumerate(spec.cases):
        why = {"kind": "unexpected-error", "where": f"a.py:{number}"} if number % every == 0 else {}
        verdict = Verdict(case.id, "fail" if why else "pass", **why)
        verdict.line = case.expectations[0].line if why else 0
        verdict.must = case.behavior.scored_as_must
        writer.write(verdict)
    writer.finish(len(spec.cases))
    return path


@pytest.fixture(scope="module")
def page(spec: Spec, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that shows a report on one engine, with failures in every chapter. `two.html` is a report on two
    engines, compared with an earlier run of the first."""
    folder = tmp_path_factory.mktemp("page")
    first = journal(folder / "run.jsonl", spec, "an engine", EVERY)
    other = journal(folder / "other.jsonl", spec, "another engine", EVERY + 2)
    before = journal(folder / "before.jsonl", spec, "an engine", 2 * EVERY, version="0")
    with pytest.MonkeyPatch.context() as patch:  # what is kept of the whole specification stays
        patch.setattr(data, "MANY", len(spec.cases) + 1)
        patch.setattr(kept, "MANY", len(spec.cases) + 1)
        write_report([first, other], folder, spec, against=before)
        (folder / "report.html").rename(folder / "two.html")
        write_report([first], folder, spec)
    allowed = {"report.html": 80, "report.json": 60}
    for name, each in allowed.items():  # programs and drawings included
        size = (folder / name).stat().st_size
        assert size < each * len(spec.cases), f"{name} has {size} bytes for {len(spec.cases)} cases"
    with open_browser(folder, tmp_path_factory.mktemp("profile")) as browser:
        yield browser


def drive(page: Browser, script: str) -> Any:
    return page.run(script)


def missed(page: Browser, width: int, steps: str, links: int = 12) -> Any:
    """What a reader does not see after each of these steps, done with each link under "What to fix
    first" (as `link`, which leads to the element `id`)."""
    script = f"""
      const width = {width}, missed = [];
      await open(width, 900);
      for (const box of within("details.causes")) box.open = true;
      const found = within(".causes li a").slice(0, {links});
      if (found.length !== {links}) return ["only " + found.length + " links"];
      for (let link of found) {{
        const id = decodeURIComponent(link.hash.slice(1));
        {steps}
        const why = unseen(id);
        if (why) missed.push(id + " " + why);
      }}
      return missed;
    """
    return drive(page, script)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_link_leads_to_its_case(width: int, page: Browser) -> None:
    assert missed(page, width, "link.click(); await settled();") == []


@pytest.mark.parametrize("width", WIDTHS)
def test_an_address_with_a_case_opens_there(width: int, page: Browser) -> None:
    assert missed(page, width, "await open(width, 900, link.hash);", links=5) == []


def test_a_link_into_what_the_filters_leave_out_shows_it(page: Browser) -> None:
    """And says why; the filters stay as they are, and the next change of them hides it again."""
    steps = """
      const status = within("#status")[0], choose = value => {
        status.value = value;
        status.dispatchEvent(new Event("input"));
      };
      choose("missing");
      const row = page().document.getElementById(id.split("/")[0]);
      if (!row.hidden) missed.push(id + " was not filtered");
      link.click();
      await settled();
      if (!row.querySelector(".note") || status.value !== "missing") missed.push(id + " has no note");
      const seen = unseen(id);
      choose("unsupported");
      if (seen || !row.hidden || row.querySelector(".note")) missed.push(id + " stays " + seen);
      choose("");
      await settled();
      link.click();
      await settled();
    """
    assert missed(page, 1440, steps, links=6) == []


def test_back_and_forward_lead_there_too(page: Browser) -> None:
    steps = """
      const before = page().location.hash;
      link.click();
      await settled();
      if (before) {
        await travel("back");
        const earlier = decodeURIComponent(before.slice(1));
        if (page().location.hash !== before || unseen(earlier)) missed.push("back to " + earlier + unseen(earlier));
        await travel("forward");
      }
    """
    assert missed(page, 390, steps, links=5) == []


def test_a_second_click_leads_there_again(page: Browser) -> None:
    steps = "link.click(); await settled(); page().scrollTo(0, 0); link.click(); await settled();"
    assert missed(page, 1440, steps, links=5) == []


def test_a_strange_address_does_no_harm(page: Browser) -> None:
    script = """
      const failed = [];
      for (const hash of ["#%", "#no.such/case", "#[", "#chapter-leaf", "#search", "#%E2%80%A8"]) {
        await open(1440, 900, hash);
        if (!within("#count")[0].textContent.includes("behaviors")) failed.push(hash);
      }
      return failed;
    """
    assert drive(page, script) == []


# --- operations by laws ---

DRAWN = """
  const box = within("#laws-box")[0];
  box.scrollIntoView();
  for (let tries = 0; tries < 100 && !within("#laws-box tbody tr").length; tries++) await pause(30);
  const rows = () => within("#laws-box tbody tr");
  const named = name => rows().find(row => row.firstChild.textContent === name);
"""


def test_the_table_of_laws_has_every_operation_and_law(page: Browser, spec: Spec) -> None:
    laws = next(chapter for chapter in spec.chapters if chapter.name == "laws").behaviors
    about = {case.name.partition("[")[0] for law in laws for case in law.cases}
    script = f"""
      await open(1440, 900);
      {DRAWN}
      const first = rows().length;
      for (let drawn = 0; drawn < rows().length; await pause(30)) {{
        drawn = rows().length;
        box.scrollTo(0, box.scrollHeight);
        await settled();
      }}
      return [first, rows().map(row => row.firstChild.textContent), within("#laws-box th.law").length];
    """
    first, operations, columns = drive(page, script)
    assert 0 < first < len(operations)  # the others are drawn when they are scrolled to
    assert sorted(operations) == sorted(about)
    assert columns == len(laws)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_mark_in_the_table_of_laws_leads_to_its_case(width: int, page: Browser) -> None:
    script = f"""
      const missed = [];
      await open({width}, 900);
      {DRAWN}
      for (const mark of [...within("#laws-box td a.fails").slice(0, 4), within("#laws-box td a.holds")[0]]) {{
        const id = decodeURIComponent(mark.hash.slice(1)), fails = mark.className === "fails";
        mark.click();
        await settled();
        const why = unseen(id), found = page().document.getElementById(id);
        if (why) missed.push(id + " " + why);
        else if (fails !== Boolean(found.querySelector("b.fail"))) missed.push(id + " has another verdict");
      }}
      return missed;
    """
    assert drive(page, script) == []


def test_the_table_of_laws_is_filtered_and_sorted(page: Browser) -> None:
    script = f"""
      await open(1440, 900);
      {DRAWN}
      const count = () => Number(within("#laws-count")[0].textContent.split(" ")[0]);  // drawn or not
      const found = {{}}, all = count();
      set("#laws-search", "unary.tan");
      found.tan = rows().map(row => row.firstChild.textContent);
      set("#laws-search", "");
      set("#laws-rows", "fails");
      found.failing = rows().every(row => row.querySelector(".fails")) && rows().length <= count() && count() < all;
      set("#laws-order", "fails");
      const fails = rows().map(row => row.querySelectorAll(".fails").length);
      found.order = fails.every((count, index) => !index || fails[index - 1] >= count);
      set("#laws-rows", "");
      const head = within("#laws-box th.law")[3];
      head.querySelector("button").click();
      const failing = rows().map(row => Boolean(row.children[4].querySelector(".fails")));
      found.sorted = head.getAttribute("aria-sort") && failing.lastIndexOf(true) === failing.filter(Boolean).length - 1;
      found.some = failing.some(Boolean) && count() === all;
      return found;
    """
    found = drive(page, script)
    assert found == {
        "tan": ["unary.tan", "unary.tanh"], "failing": True, "order": True, "sorted": True,
        "some": True,
    }  # fmt: skip


def test_out_of_view_the_table_of_laws_is_not_rendered(page: Browser) -> None:
    script = f"""
      await open(1440, 900);
      {DRAWN}
      const rendered = () => rows()[0].checkVisibility({{contentVisibilityAuto: true}}), height = box.offsetHeight;
      const first = rendered();
      box.scrollTop = 100;
      await settled();
      within("footer")[0].scrollIntoView();
      for (let tries = 0; tries < 100 && rendered(); tries++) await pause(20);
      const away = [rendered(), box.offsetHeight === height];
      box.scrollIntoView();
      for (let tries = 0; tries < 100 && !rendered(); tries++) await pause(20);
      return [first, ...away, rendered(), box.scrollTop];
    """
    assert drive(page, script) == [True, False, True, True, 100]


def test_programs_are_shown_where_they_say_something(page: Browser, spec: Spec) -> None:
    """Of a law's cases: the first, and two that fail; every case has its line."""
    script = """
      await open(1440, 900, "#laws.tangent");
      const cases = within("[id='laws.tangent'] .case");
      const shown = cases.filter(one => one.querySelector("pre:not(.row)") && !one.querySelector(".fail")).length;
      const failing = cases.filter(one => one.querySelector(".fail"));
      const told = failing.filter(one => one.querySelectorAll("pre").length === 2).length;
      return [cases.length, shown, failing.length > 2, told];
    """
    cases, shown, several, told = drive(page, script)
    law = next(law for law in spec.behaviors if law.id == "laws.tangent")
    assert cases == len(law.cases)
    assert shown <= 1
    assert several
    assert 2 <= told <= 3


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("laws.tangent/unary.tanh", ["laws.tangent"]),
        ("existing gradient replace", ["accumulation.second-pass-adds"]),
        ("no such words anywhere", []),
    ],
)
def test_search_finds_cases_and_statements(words: str, shown: list[str], page: Browser) -> None:
    script = f"""
      await open(1440, 900);
      const shown = () => within("details.behavior:not([hidden])").map(row => row.id).join("\\n");
      for (let tries = 0; tries < 200 && !page().document.documentElement.dataset.searchable; tries++) await pause(20);
      if (!page().document.documentElement.dataset.searchable) return ["what is searched was not prepared"];
      const all = shown();
      const type = async text => {{ set("#search", text); await settled(); }};
      for (const typed of [{words[:3]!r}, {words[:9]!r}, {words!r}]) await type(typed);
      const found = shown();
      await type("");
      if (shown() !== all) return ["not all rows came back"];
      await type({words!r});
      if (shown() !== found) return ["typing finds something else"];
      return found ? found.split("\\n") : [];
    """
    assert set(shown) <= set(drive(page, script)) if shown else drive(page, script) == []


def test_a_search_opens_the_chapter_that_fits_best(page: Browser) -> None:
    script = """
      await open(1440, 900);
      set("#search", "accumul");
      await settled();
      const opened = within("details.chapter[open]").map(chapter => chapter.id);
      return [within("details.chapter:not([hidden])").length > 1, opened.includes("chapter-accumulation")];
    """
    assert drive(page, script) == [True, True]


@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_found_comes_to_the_top_from_anywhere(width: int, page: Browser) -> None:
    script = f"""
      await open({width}, 900);
      within("#all")[0].click();
      within("details.chapter:last-of-type")[0].scrollIntoView();
      await settled();
      const far = page().scrollY;
      set("#search", "existing gradient replace");
      await settled();
      const bar = within(".bar-top")[0].getBoundingClientRect();
      const first = within("details.chapter:not([hidden])")[0].getBoundingClientRect();
      return [far > page().scrollY + 900, Math.abs(first.top - bar.bottom) < 12, first.height > 100];
    """
    assert drive(page, script) == [True, True, True]


# --- what the first screen shows, and what can be shared ---


def test_a_bar_opens_what_is_behind_it(page: Browser) -> None:
    script = """
      await open(1440, 900, "", "two.html");
      const bar = within(".heat a[data-e='1'][href='#chapter-backward']")[0];
      bar.click();
      await settled();
      const chapter = page().document.getElementById("chapter-backward");
      return [within("#engine")[0].value, chapter.open, page().location.search.startsWith("?engine="),
              within("section.engine").filter(one => one.offsetParent).length];
    """
    assert drive(page, script) == ["1", True, True, 1]


@pytest.mark.parametrize("width", WIDTHS)
def test_an_engine_that_is_chosen_stands_alone_and_first(width: int, page: Browser) -> None:
    """Its marks are those of the chapter and of its rows, and its verdict comes before that of others."""
    script = f"""
      const id = "accumulation.second-pass-adds";
      await open({width}, 900, "?engine=another-engine#" + id, "two.html");
      const row = page().document.getElementById(id);
      const shown = box => [...box.querySelectorAll("i")].filter(one => one.offsetParent).length;
      const marks = [row, row.parentNode].map(box => shown(box.firstElementChild));
      const named = one => one.querySelector(".verdict .faint").textContent.split(", ");
      const first = name => [...row.querySelectorAll(".case")].every(one => named(one).includes(name));
      const before = first("another engine");
      set("#engine", [...within("#engine option")].find(one => one.textContent === "an engine").value);
      await settled();
      return [...marks, before, first("an engine")];
    """
    assert drive(page, script) == [1, 1, True, True]


def test_the_address_holds_engine_status_and_query(page: Browser) -> None:
    script = """
      await open(1440, 900, "?engine=another-engine&status=fails&q=gradient", "two.html");
      const shown = within("details.behavior:not([hidden])").map(row => row.id);
      set("#search", "gradient leaf");
      set("#status", "");
      await pause(300);
      return [within("#engine")[0].value, shown.length, within("details.behavior").length, page().location.search];
    """
    engine, shown, whole, address = drive(page, script)
    assert engine in "01"
    assert 0 < shown < whole
    assert address == "?engine=another-engine&q=gradient+leaf"


def test_every_case_and_behavior_has_a_link_to_copy(page: Browser) -> None:
    script = """
      await open(390, 900, "#accumulation.second-pass-adds");
      const row = page().document.getElementById("accumulation.second-pass-adds");
      const copied = [];
      page().navigator.clipboard.writeText = async text => { copied.push(text); };
      for (const mark of row.querySelectorAll("a.anchor")) mark.click();
      await pause(20);
      return [row.querySelectorAll(".case").length, copied.map(text => decodeURIComponent(text.split("#")[1]))];
    """
    cases, copied = drive(page, script)
    assert len(copied) == cases + 1
    assert copied[0] == "accumulation.second-pass-adds"
    assert all(link.startswith("accumulation.second-pass-adds/") for link in copied[1:])


def test_a_shared_case_shows_its_statement(page: Browser, spec: Spec) -> None:
    script = """
      await open(390, 900, "#accumulation.second-pass-adds/two-passes-add-up");
      const said = () => within(".stated").map(one => one.textContent.trim());
      const first = said();
      page().location.hash = "#accumulation.second-pass-adds";
      await settled();
      return [first, said()];
    """
    behavior = next(item for item in spec.behaviors if item.id == "accumulation.second-pass-adds")
    assert drive(page, script) == [[behavior.statement], []]


def test_a_link_beside_a_failure_names_the_engine(page: Browser) -> None:
    """And leaves the page as it is."""
    script = """
      await open(1440, 900, "", "two.html");
      const copied = [];
      page().navigator.clipboard.writeText = async text => { copied.push(text); };
      within("section.engine[data-engine='1'] .card [data-link]")[0].click();
      await pause(20);
      const engine = new URL(copied[0]).searchParams.get("engine");
      return [engine === JSON.parse(within("#engines")[0].textContent)[1].key, page().location.search];
    """
    assert drive(page, script) == [True, ""]


COMPARED = """
  const box = within("#compare")[0];
  box.scrollIntoView();
  for (let tries = 0; tries < 100 && !within("#compare-count")[0].textContent; tries++) await pause(20);
  const summaries = () => within("#compare-box .transition > summary").map(one => one.textContent);
  const told = () => [within("#compare-count")[0].textContent, summaries()];
"""


def test_two_engines_beside_each_other(page: Browser, spec: Spec) -> None:
    """First what changed since the earlier run, as the report says it too; then two engines."""
    script = f"""
      await open(1440, 900, "", "two.html");
      {COMPARED}
      const since = told();
      set("#compare-a", "an-engine");
      set("#compare-b", "another-engine");
      const written = within("section[aria-labelledby=changed-title] .transition > summary");
      return [since, told(), written.map(one => one.textContent), page().location.search];
    """
    since, engines, written, address = drive(page, script)
    cases = range(len(spec.cases))
    failing = sum(number % EVERY == 0 and number % (2 * EVERY) != 0 for number in cases)
    assert (
        since
        == [f"{failing} cases differ", [f"{failing} pass → fail"]]
        == [f"{failing} cases differ", written]
    )
    fixed = sum(number % EVERY == 0 and number % (EVERY + 2) != 0 for number in cases)
    broken = sum(number % EVERY != 0 and number % (EVERY + 2) == 0 for number in cases)
    assert engines[0] == f"{fixed + broken} cases differ"
    assert engines[1] == [f"{broken} pass → fail", f"{fixed} fail → pass"]
    assert address == "?a=an-engine&b=another-engine"


def test_a_phone_shows_one_engine_at_a_time(page: Browser) -> None:
    script = """
      await open(390, 800, "", "two.html");
      const heads = () => within(".heat thead th.e").filter(one => one.offsetParent);
      const seen = () => heads().map(one => one.firstChild.textContent);
      const first = within("#engine")[0].selectedOptions[0].textContent === seen()[0] ? seen() : [];
      set(".pick-engine", "1");
      const bar = within(".bar-top .controls")[0];
      set("#status", "fails");
      await settled();
      const failing = within("details.chapter[open] > details.behavior:not([hidden]) .marks i");
      const marks = failing.filter(one => one.offsetParent).map(one => one.textContent[0]);
      return [first.length, seen().length, first[0] !== seen()[0], bar.offsetHeight < 60,
              page().document.body.scrollWidth <= 390, [...new Set(marks)].join("")];
    """
    assert drive(page, script) == [1, 1, True, True, True, "✗"]


def test_a_row_shows_the_graph_of_the_first_case_that_fails(page: Browser, spec: Spec) -> None:
    case, graph = next(
        (case, graph)
        for number, case in enumerate(spec.cases)
        if number % EVERY == 0 and case.behavior.chapter == "accumulation"
        if (graph := graph_of(case))
    )
    leaves = [box.names[0] for box in graph.boxes if not box.node]
    script = f"""
      const id = {case.behavior.id!r};
      await open(1440, 900, "#" + id);
      const row = page().document.getElementById(id);
      const drawing = row.querySelector("svg.graph");
      return [row.querySelectorAll("svg.graph").length, drawing.getBoundingClientRect().height > 50,
              [...drawing.querySelectorAll(".leaf")].length, drawing.getAttribute("aria-label")];
    """
    *seen, label = drive(page, script)
    assert seen == [1, True, len(leaves)]
    assert f"Leaves: {leaves[0]}" in label


def test_the_worst_failures_are_cards_with_the_failing_line_marked(page: Browser) -> None:
    """The row that a card leads to marks the same line, and highlights the program as the card does."""
    script = """
      await open(1440, 900);
      const cards = within(".card"), marked = [];
      const marks = "pre:not(.row) code :is(.k, .kc, .mf, .s2, .c1)";
      const words = box => [...box.querySelectorAll(marks)].map(one => one.className + one.textContent);
      for (const card of cards) {
        const line = card.querySelector("mark").textContent, link = card.querySelector("a");
        link.click();
        await settled();
        const found = page().document.getElementById(decodeURIComponent(link.hash.slice(1)));
        marked.push(line !== "" && found.querySelector("mark").textContent === line);
        const shown = words(card), again = words(found);
        if (shown.join() !== again.join()) marked.push(shown.join() + " in the row is " + again.join());
      }
      return [marked, cards.map(card => card.querySelector("h4").textContent.includes("MUST")),
              within("main").length, within("h1").length];
    """
    assert drive(page, script) == [[True] * 5, [True] * 5, 1, 1]
