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
