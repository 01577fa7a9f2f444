"""The book: its pages lead where they say, show what a chapter holds, and find what a reader asks for."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from browser import CHROMIUM, open_browser
from click.testing import CliRunner
from folders import load_folder, make_folder, problems_of
from gradspec.conformance.cli import main
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.reporting.book import reference
from gradspec.conformance.reporting.book.chapters import pages_in_order
from gradspec.conformance.reporting.book.formulas import mathml
from gradspec.conformance.reporting.book.reference import glossary_of, kinds_of, synonyms
from gradspec.conformance.reporting.book.search import index_script
from gradspec.conformance.reporting.book.site import TEMPLATES, pages_of
from gradspec.conformance.reporting.drawing.kept import wanted_of
from gradspec.conformance.reporting.drawing.recording import graph_of
from gradspec.conformance.reporting.drawing.svg import svg_of
from gradspec.conformance.running.journal_writer import JournalWriter
from gradspec.spec.load import load_spec
from gradspec.spec.model import Spec
from site_faults import faults_of

CHAPTER = """
title: "Sums & <products>"
part: The beginning
introduction: What `x + y` gives. The rest is "silence".
guide:
  - Read [[sample.sum|the sum]] and [[sample]] first.
  - heading: A heading
  - case: sample.sum/of-two
    text: Two numbers.
behaviors:
  - id: sample.sum
    section: Sums
    statement: A sum MUST be <script>alert("x")</script> right.
    level: implied
    sources: [bad]
    folklore: sums are wrong.
    pitfall: it is `x - y`
    cases:
      of two: |
        x = tensor([2.0], requires_grad=True)
        y = x + 3.0
        y.backward()
        assert x.grad == [1.0]
      of many:
        each: {n: [1.0, 2.0], m: {small: 3.0, large: 30.0}}
        program: |
          assert tensor(n) + m == n + m
  - id: sample.product
    section: Products
    statement: A product MUST raise an error where it has to.
    level: observed
    cases:
      of none: |
        with raises("wrong-shape"):
            tensor([1.0, 2.0]) * tensor([1.0, 2.0, 3.0])
"""
SOURCES = 'bad: {title: A <b>bad</b> source, where: "javascript:alert(1)"}\n'
OPERATIONS = """
title: Operations
introduction: Operations for a test.
elementwise: true
operations:
  - id: simple.sin
    gives: the sine
    documented: torch.sin
    operands: {x: {between: [-2, 2]}}
    call: sin(x)
    value: sin(x)
    gradient: {x: g * cos(x)}
    raises: {a text: {call: 'sin("x")', kind: wrong-type}}
    saves: [x]
"""
LAWS = """
title: Laws
introduction: Laws for a test.
laws:
  - id: laws.again
    statement: The value MUST be the same each time.
    level: observed
    program: |
      GIVEN
      assert CALL == VALUE
"""
FILES: dict[str, str | bytes] = {
    "behaviors/sample.yaml": CHAPTER,
    "sources.yaml": SOURCES,
    "ops/simple.yaml": OPERATIONS,
    "laws.yaml": LAWS,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Spec]:
    """A small specification with one of everything."""
    root = tmp_path_factory.mktemp("small") / "spec"
    (root / "ops").mkdir(parents=True)
    make_folder(root, FILES)
    return root, load_folder(root)


@pytest.fixture(scope="module")
def pages(made: tuple[Path, Spec], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The book on it, with the results of an engine that fails one case and lacks another."""
    root, spec = made
    folder = tmp_path_factory.mktemp("journal")
    header = {
        "gradspec": 1, "version": "1", "engine": {"name": "an engine", "version": "1"},
        "spec": {"digest": spec.digest}, "options": {},
    }  # fmt: skip
    writer = JournalWriter(folder / "run.jsonl", header)
    for case in spec.cases:
        lacks = case.behavior.id == "sample.product"
        fails = case.id == "sample.sum/of-two"
        writer.write(Verdict(case.id, "unsupported" if lacks else "fail" if fails else "pass"))
    writer.finish(len(spec.cases))
    return pages_of(spec, root, [folder / "run.jsonl"])


def test_pages_are_sound_html_whose_links_lead_somewhere(
    pages: dict[str, str], tmp_path: Path
) -> None:
    for name, text in pages.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert list(faults_of(tmp_path)) == []
    broken = pages["sample.html"].replace("#sample.sum", "#sample.some", 1).replace("</h1>", "", 1)
    (tmp_path / "sample.html").write_text(broken + '<p id="main">', "utf-8")
    faults = "\n".join(faults_of(tmp_path))
    for part in (
        "#sample.some names no place",
        "within h1",
        "id main occurs 2 times",
        "not closed",
    ):
        assert part in faults


def text_of(page: str) -> str:
    """What a reader sees of the text within <main>."""
    within = page[page.index("<main") : page.index("</main>")]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", within)).split())


def test_a_chapter_shows_all_it_holds(pages: dict[str, str]) -> None:
    page = text_of(pages["sample.html"])
    for part in (
        "Sums & <products>", 'What x + y gives. The rest is "silence".', "A heading", "Two numbers.", "Read the sum",
        'A sum MUST be <script>alert("x")</script> right.', "MUST · implied", "A common misconception: sums are wrong.",
        "Pitfall: it is x - y", "1 more program", "n = 2.0 , m = 30.0", "A <b>bad</b> source",
    ):  # fmt: skip
        assert part in page, part
    assert "<script>alert" not in pages["sample.html"]
    assert "javascript:" not in pages["sample.html"]
    assert pages["sample.html"].count("<svg") == 2  # the guide's, and the behavior's own


def test_engines_stand_in_a_strip(pages: dict[str, str]) -> None:
    found = re.findall(r'<li class="(\w+)" title="an-engine 1 ([^"]+)"', pages["sample.html"])
    assert found == [("fails", "fails: 4 of 5 cases"), ("unsupported", "does not support it")]
    assert "fails 1, does not support 1" in text_of(pages["sample.html"])


def test_an_operation_names_its_formulas_and_laws(pages: dict[str, str]) -> None:
    page = text_of(pages["simple.html"])
    for part in ("MUST give the sine", "1 law applies", "a text:", "wrong-type"):
        assert part in page, part
    assert 'title="g * cos(x)"' in pages["simple.html"]
    assert "laws.html#laws.again" in pages["simple.html"]
    assert 'title="g * cos(x)"' in pages["operations.html"]
    assert "GIVEN" in pages["laws.html"]


def test_pages_at_the_end(pages: dict[str, str]) -> None:
    assert "“Sums are wrong”" in pages["folklore.html"]
    assert "sample.html#sample.product" in pages["glossary.html"]  # which expects wrong-shape
    assert "backward" in text_of(pages["words.html"])
    order = re.findall(r'rel="next" href="([\w.]+)"', "".join(pages.values()))
    assert set(order) == set(pages) - {
        "index.html",
        "book.css",
        "book.js",
        "search.js",
        "search-index.js",
    }


FORMULAS = {
    "x * y": "xy", "x * x": "x2", "a - (b - c)": "a−(b−c)", "-x * (1 - y)": "−x(1−y)", "2.0 ** x": "2x",
    "sqrt(x) / 2": "x2", "x * 2": "x⋅2", "g * (x > 0)": "g[x>0]", "exp(-x)": "e−x", "sin(x) ** 2": "sin2(x)",
    "sum(x, axis=0)": "∑dim0x", "x.mT @ y": "x⊤y", "where(x > 0, x, 0.5)": "{xwhere x>00.5elsewhere",
    "f(x, k=1)": "f(x,k=1)", "zeros(x.shape)": "0", "x[:, 1:]": "x[:,1:]", "(a + b) ** 2": "(a+b)2",
}  # fmt: skip


@pytest.mark.parametrize(("formula", "shown"), FORMULAS.items())
def test_a_formula_is_set_as_mathematics(formula: str, shown: str) -> None:
    made = mathml(formula)
    assert html.unescape(re.sub(r"<[^>]+>", "", made)).replace("\xa0", " ") == shown
    assert f'title="{html.escape(formula)}"' in made


def test_every_formula_of_the_catalogue_can_be_shown() -> None:
    """What has no form of its own in mathematics would be text."""
    assert "<mtext>" not in mathml("conv_input(g, w, x.shape, 1, (1, 0))")
    assert mathml("x" * 100) == f"<code>{'x' * 100}</code>"
    assert "<mtext>x for</mtext>" in mathml("x for")


WRONG_GUIDES = {
    "guide: text": "expected guide to be a list, found text",
    "guide: [{case: sample.sum/of-too}]": "did you mean 'sample.sum/of-two'?",
    "guide: ['[[sample.some]]']": "refers to 'sample.some', which is no chapter or behavior",
    "guide: [{heading: one, text: two}]": "a heading has no key 'text'",
    "guide: [3]": "expected a step of the guide to be text or a mapping, found an integer",
    "guide: [{text: one}]": "is missing the key 'case'",
}


@pytest.mark.parametrize(("guide", "problem"), WRONG_GUIDES.items())
def test_what_is_wrong_with_a_guide_is_told(guide: str, problem: str, tmp_path: Path) -> None:
    start, end = CHAPTER.index("guide:"), CHAPTER.index("behaviors:")
    files: dict[str, str | bytes] = {
        "behaviors/sample.yaml": f"{CHAPTER[:start]}{guide}\n{CHAPTER[end:]}", "sources.yaml": SOURCES,
    }  # fmt: skip
    found = problems_of(make_folder(tmp_path / "spec", files))
    assert len(found) == 1
    assert problem in str(found[0])


QUESTIONS = {
    "retain_grad": "retain_grad.html", "retain grad": "retain_grad.html",
    "retain_grad()": "retain_grad.html#retain_grad.populates-nonleaf", "inplace": "in_place.html",
    "in-place": "in_place.html", "in place": "in_place.html", "zero_grad": "nn.html#nn.module-zero-grad",
    "zerograd": "nn.html#nn.module-zero-grad", "leaves": "leaf.html", "stop gradient": "detach.html",
    "acumulate": "glossary.html#accumulate", "backward twice": "glossary.html#retain-graph",
    "modified by an inplace operation": "glossary.html#kind-saved-modified",
    "grad can be implicitly created only for scalar outputs": "glossary.html#kind-needs-gradient",
    "constructor": "", "": "", "<b>": "",
}  # fmt: skip
"""What people ask, and what they must find among the first three; nothing must go wrong with the others."""


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
def test_the_search_finds_what_people_ask_for(tmp_path: Path) -> None:
    spec = load_spec()
    links = {item.name: f"{item.name}.html" for item in spec.chapters}
    links |= {item.id: f"{links[item.chapter]}#{item.id}" for item in spec.behaviors}
    script = index_script(
        spec.chapters, [], glossary_of(links, {}), kinds_of(spec), links, synonyms()
    )
    (tmp_path / "index.js").write_text(script, "utf-8")
    asked = f"""
      globalThis.window = {{}};
      require("./index.js");
      const {{ prepare, search }} = require({json.dumps(str(TEMPLATES / "search.js"))});
      const index = prepare(window.gradspecIndex);
      const found = {json.dumps(list(QUESTIONS))}.map(asked => search(index, asked, 3).map(entry => entry[2]));
      console.log(JSON.stringify(found));
    """
    (tmp_path / "ask.js").write_text(asked, "utf-8")
    ran = subprocess.run(
        ["node", "ask.js"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    found = dict(zip(QUESTIONS, json.loads(ran.stdout), strict=True))
    missed = {
        asked: found[asked]
        for asked, wanted in QUESTIONS.items()
        if wanted and wanted not in found[asked]
    }
    assert not missed
    # the promise comes before what the word means
    for asked in ("retain_grad", "retain grad", "in-place"):
        assert found[asked][0] == QUESTIONS[asked]


def test_the_glossary_and_the_messages_name_what_exists() -> None:
    spec = load_spec()
    names = {item.name for item in spec.chapters} | {item.id for item in spec.behaviors}
    seen = [name for entry in reference._table("terms.yaml") for name in entry.get("see", [])]
    assert set(seen) <= names
    assert set(reference._table("messages.yaml")) <= set(spec.kinds)


def test_the_book_on_our_own_specification_begins_with_guides() -> None:
    guided = [chapter.name for chapter in pages_in_order(load_spec().chapters)[0] if chapter.guide]
    assert guided == [
        "leaf", "requires_grad", "backward", "accumulation", "higher_order", "grad_modes", "detach",
        "in_place", "hooks", "custom_functions",
    ]  # fmt: skip


def test_a_case_of_each_chapter_can_be_drawn() -> None:
    drawn = {name: graph_of(cases[0]) for name, cases in wanted_of(load_spec())}
    assert len(drawn) > 40
    assert sum(bool(graph and svg_of(graph)) for graph in drawn.values()) > len(drawn) / 2


def test_the_command_writes_all_pages(made: tuple[Path, Spec], tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = CliRunner().invoke(main, ["book", "--out", str(out), "--spec", str(made[0])])
    assert ran.exit_code == 0, ran.output
    assert "index.html: 8 pages on" in ran.output
    assert {path.name for path in out.iterdir()} >= {
        "index.html",
        "sample.html",
        "book.css",
        "search.js",
    }
    ran = CliRunner().invoke(
        main, ["book", "--out", str(out / "index.html"), "--spec", str(made[0])]
    )
    assert ran.exit_code == 2


AXE = os.environ.get("AXE_CORE", "")
"""The path of axe.min.js, from the package axe-core of npm; without it accessibility is not checked."""
IN_BROWSER = """
  const faults = [];
  const looks = HAS_AXE ? [[390, "light"], [1440, "dark"]] : [[390, "light"]];
  for (const name of PAGES) for (const [width, theme] of looks) {
    const frame = document.createElement("iframe");
    frame.width = width; frame.height = 800; frame.src = name;
    const loaded = new Promise(done => frame.addEventListener("load", done));
    document.body.append(frame);
    await loaded;
    const page = frame.contentDocument, say = text => faults.push(`${name} at ${width}, ${theme}: ${text}`);
    page.documentElement.dataset.theme = theme;
    for (const box of page.querySelectorAll("details")) box.open = true;
    await pause(50);
    if (page.documentElement.scrollWidth > width) say(`${page.documentElement.scrollWidth} wide`);
    if (HAS_AXE) {
      const script = page.createElement("script"), ready = new Promise(done => { script.onload = done; });
      script.src = "axe.js";
      page.head.append(script);
      await ready;
      for (const each of (await frame.contentWindow.axe.run(page, { resultTypes: ["violations"] })).violations)
        say(`${each.id}: ${each.nodes.map(node => node.target).join(", ")}`);
    }
    if (name === "index.html") {
      const field = page.getElementById("search"), found = () => [...page.querySelectorAll("#found a")];
      field.value = "sumz";
      field.dispatchEvent(new Event("input"));
      for (let tries = 0; tries < 100 && !found().length; tries++) await pause(20);
      if (!found().some(link => link.href.endsWith("sample.html#sample.sum"))) say("the search finds nothing");
    }
    frame.remove();
  }
  return faults;
"""


@pytest.mark.skipif(not CHROMIUM, reason="needs a Chromium")
def test_pages_in_a_browser(pages: dict[str, str], tmp_path: Path) -> None:
    """They are not wider than a phone, the search answers, and axe-core, if there is one, finds no fault."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in pages.items():
        (folder / name).write_text(text, "utf-8")
    if AXE:
        shutil.copy(AXE, folder / "axe.js")
    names = json.dumps([name for name in pages if name.endswith(".html")])
    script = IN_BROWSER.replace("PAGES", names).replace("HAS_AXE", json.dumps(bool(AXE)))
    with open_browser(folder, tmp_path / "profile") as browser:
        assert browser.run(script) == []
