"""The page of the report in a real browser: its links lead to what they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, drive
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.reporting.report import write_report
from gradspec.conformance.running.journal_writer import JournalWriter
from gradspec.spec.load import load_spec

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="needs a Chromium")
WIDTHS = (1440, 390)
EVERY = 23
"""Every so many cases one fails, each for a reason of its own."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a report on the whole specification, with failures in every chapter."""
    folder = tmp_path_factory.mktemp("page")
    spec = load_spec()
    header = {
        "gradspec": 1, "version": "1", "engine": {"name": "an engine", "version": "1"},
        "spec": {"digest": spec.digest}, "options": {},
    }  # fmt: skip
    writer = JournalWriter(folder / "run.jsonl", header)
    for number, case in enumerate(spec.cases):
        why = {"kind": "unexpected-error", "where": f"a.py:{number}"} if number % EVERY == 0 else {}
        verdict = Verdict(case.id, "fail" if why else "pass", **why)
        verdict.must = case.behavior.scored_as_must
        writer.write(verdict)
    writer.finish(len(spec.cases))
    write_report([folder / "run.jsonl"], folder, spec)
    return folder


def missed(page: Path, width: int, steps: str, links: int = 12) -> Any:
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
def test_every_link_leads_to_its_case(width: int, page: Path) -> None:
    assert missed(page, width, "link.click(); await settled();") == []


@pytest.mark.parametrize("width", WIDTHS)
def test_an_address_with_a_case_opens_there(width: int, page: Path) -> None:
    assert missed(page, width, "await open(width, 900, link.hash);", links=5) == []


def test_a_link_into_what_the_filters_leave_out_shows_it(page: Path) -> None:
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


def test_back_and_forward_lead_there_too(page: Path) -> None:
    steps = """
      const before = page().location.hash;
      link.click();
      await settled();
      if (before) {
        page().history.back();
        await settled();
        const earlier = decodeURIComponent(before.slice(1));
        if (page().location.hash !== before || unseen(earlier)) missed.push("back to " + earlier + unseen(earlier));
        page().history.forward();
        await settled();
      }
    """
    assert missed(page, 390, steps, links=5) == []


def test_a_second_click_leads_there_again(page: Path) -> None:
    steps = "link.click(); await settled(); page().scrollTo(0, 0); link.click(); await settled();"
    assert missed(page, 1440, steps, links=5) == []


def test_a_strange_address_does_no_harm(page: Path) -> None:
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
  const set = async (id, value) => {
    const control = within(id)[0];
    control.value = value;
    control.dispatchEvent(new Event("input"));
  };
"""


def test_the_table_of_laws_has_every_operation_and_law(page: Path) -> None:
    spec = load_spec()
    laws = next(chapter for chapter in spec.chapters if chapter.name == "laws").behaviors
    about = {case.name.partition("[")[0] for law in laws for case in law.cases}
    script = f"""
      await open(1440, 900);
      {DRAWN}
      return [rows().map(row => row.firstChild.textContent), within("#laws-box th.law").length];
    """
    operations, columns = drive(page, script)
    assert sorted(operations) == sorted(about)
    assert columns == len(laws)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_mark_in_the_table_of_laws_leads_to_its_case(width: int, page: Path) -> None:
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


def test_the_table_of_laws_is_filtered_and_sorted(page: Path) -> None:
    script = f"""
      await open(1440, 900);
      {DRAWN}
      const found = {{}}, all = rows().length;
      await set("#laws-search", "unary.tan");
      found.tan = rows().map(row => row.firstChild.textContent);
      await set("#laws-search", "");
      await set("#laws-rows", "fails");
      found.failing = rows().every(row => row.querySelector(".fails")) && rows().length < all;
      await set("#laws-order", "fails");
      const fails = rows().map(row => row.querySelectorAll(".fails").length);
      found.order = fails.every((count, index) => !index || fails[index - 1] >= count);
      await set("#laws-rows", "");
      const head = within("#laws-box th.law")[3];
      head.querySelector("button").click();
      const failing = rows().map(row => Boolean(row.children[4].querySelector(".fails")));
      found.sorted = head.getAttribute("aria-sort") && failing.lastIndexOf(true) === failing.filter(Boolean).length - 1;
      found.some = failing.some(Boolean) && rows().length === all;
      return found;
    """
    found = drive(page, script)
    assert found == {
        "tan": ["unary.tan", "unary.tanh"], "failing": True, "order": True, "sorted": True,
        "some": True,
    }  # fmt: skip


def test_the_page_is_lean(page: Path) -> None:
    """One engine, and more than a thousand failures: the page took 30 MB with a program for each case."""
    assert (page / "report.html").stat().st_size < 4_500_000


def test_programs_are_shown_where_they_say_something(page: Path) -> None:
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
    law = next(law for law in load_spec().behaviors if law.id == "laws.tangent")
    assert cases == len(law.cases)
    assert shown <= 1
    assert several
    assert 2 <= told <= 3


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("laws.tangent/unary.tanh", ["laws.tangent"]),
        ("gradient already there replace", ["accumulation.second-pass-adds"]),
        ("no such words anywhere", []),
    ],
)
def test_search_finds_cases_and_statements(words: str, shown: list[str], page: Path) -> None:
    script = f"""
      await open(1440, 900);
      within("#search")[0].value = {words!r};
      within("#search")[0].dispatchEvent(new Event("input"));
      return within("details.behavior:not([hidden])").map(row => row.id);
    """
    assert set(shown) <= set(drive(page, script)) if shown else drive(page, script) == []
