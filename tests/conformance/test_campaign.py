"""`gradspec campaign`: lists, environments, runs that are cut short, a cluster, and the pages."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from gradspec.conformance.campaign import cluster, environments, progress, runs
from gradspec.conformance.campaign.campaign import Result, Silence, alone_in, carry_out
from gradspec.conformance.campaign.entries import Entry, chosen, own_list, read_entries
from gradspec.conformance.campaign.findings import read_findings
from gradspec.conformance.campaign.reading import SCHEMAS
from gradspec.conformance.campaign.runs import Counter, Job, RunError, finished, run_engine
from gradspec.spec.load import load_spec
from gradspec.spec.problems import SpecError
from jsonschema import Draft202012Validator
from suite_kit import VERDICTS, call

HONEST = """
  honest:
    title: Honest
    language: Python
    kind: tape
    impl: module:honest
"""
BROKEN = """
  broken:
    title: Broken
    language: Python
    kind: tape
    impl: module:broken
    python: "3.99"
"""
FAILS = "tiny.departs/a-leaf-keeps-its-place"
PASSES = "tiny.values/a-product"


def finding(case: str) -> str:
    return (
        f"- engine: honest\n  version: 1.0\n  case: {case}\n  title: A leaf moves\n"
        '  expected: "[1.0]"\n  found: "[2.0]"\n  tracker: new\n'
    )


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """A list of two engines, one of which cannot be installed."""
    path = tmp_path / "list" / "engines.yaml"
    path.parent.mkdir()
    path.write_text(f"engines:{BROKEN}{HONEST}", "utf-8")
    (path.parent / "findings.yaml").write_text(finding(FAILS) + finding(PASSES), "utf-8")
    return path


@pytest.fixture
def job(tmp_path: Path) -> Job:
    entry = Entry("honest", "Honest", "Python", "tape", "module:honest")
    return Job(entry, tmp_path / "campaign", "digest")


# --- the lists ---


def test_our_own_lists_are_well_formed() -> None:
    entries = read_entries(own_list())
    assert read_findings(own_list().with_name("findings.yaml"), entries, load_spec())
    for schema in SCHEMAS.glob("*.json"):
        Draft202012Validator.check_schema(json.loads(schema.read_text("utf-8")))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("    kind: tape", "    kind: tap", ":5:11: expected engines.honest.kind to be one of tape, functional"),
        ("    kind: tape", "    kynd: tape", "engines.honest has no key 'kynd'\n    did you mean 'kind'?"),
        ("    kind: tape", "    kind: tape\n    python: 3.11", "engines.honest.python: 3.11 is not of type 'string'"),
        ("    kind: tape\n", "", ":3:5: engines.honest is missing the key 'kind'"),
        ("impl: module:honest", "impl: ''", ":6:11: engines.honest.impl"),
        ("engines:", "engine:", "the file is missing the key 'engines'"),
    ],
)  # fmt: skip
def test_a_broken_entry_is_reported_at_its_place(
    tmp_path: Path, before: str, after: str, told: str
) -> None:
    path = tmp_path / "engines.yaml"
    path.write_text(f"engines:{HONEST}".replace(before, after), "utf-8")
    with pytest.raises(SpecError, match="in the list of engines") as raised:
        read_entries(path)
    assert told in str(raised.value)


def test_an_unknown_engine_and_an_unknown_case_are_reported(listed: Path, tiny_spec: Path) -> None:
    entries = read_entries(listed)
    assert [entry.name for entry in chosen(entries, ["honest"])] == ["honest"]
    with pytest.raises(ValueError, match="has no 'honset'; did you mean 'honest'"):
        chosen(entries, ["honset"])
    path = listed.with_name("findings.yaml")
    path.write_text(finding(FAILS).replace("keeps", "kept"), "utf-8")
    with pytest.raises(SpecError, match=f"there is no case .*\n    did you mean '{FAILS}'"):
        read_findings(path, entries, load_spec(tiny_spec))
    before = call(
        "campaign", "--engines", listed, "--spec", tiny_spec, "-d", listed.parent / "made"
    )
    assert before.exit_code == 2  # rather than after all runs
    assert not (listed.parent / "made").exists()


# --- environments ---


class Installer:
    """Stands for pip and npm: a script in their place."""

    def __init__(self, patch: pytest.MonkeyPatch, script: str) -> None:
        self.script, self.calls = script, 0
        patch.setattr(environments, "steps", self.steps)

    def steps(self, entry: Entry, folder: Path) -> list[list[str]]:
        self.calls += 1
        return [["sh", "-c", self.script]]


def test_an_environment_is_kept_until_its_recipe_changes(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    installer = Installer(monkeypatch, "touch here")

    def make(entry: Entry) -> bool:
        return environments.make_environment(entry, job.environment, job.install_log)

    assert make(job.entry)
    assert not make(replace(job.entry, title="Another title", variables={"A": "1"}))
    assert make(replace(job.entry, install=("honest==2",)))
    (job.environment / "made.json").unlink()  # as an installation leaves it that was killed
    (job.environment / "old").touch()
    assert make(job.entry)
    assert installer.calls == 3
    assert (job.environment / "here").exists()
    assert not (job.environment / "old").exists()


def test_an_installation_that_fails_is_told_with_its_last_lines(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    Installer(monkeypatch, "seq 1 20; echo no matching distribution >&2; exit 3")
    result = carry_out(job, Silence())
    assert result.state == "not installed"
    assert "    20\n    no matching distribution\n" in result.message
    assert "    5\n" not in result.message
    assert not environments.is_made(job.entry, job.environment)
    monkeypatch.setattr(environments, "steps", lambda entry, folder: [["no-such-npm", "install"]])
    assert "there is no no-such-npm; install it" in carry_out(job, Silence()).message


def test_how_engines_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "interpreter", lambda version: f"python{version}")
    entry = Entry("e", "E", "C", "tape", "e", "3.11", ("six",), ("e==1",), ("e@1",))
    make, build, install, npm = environments.steps(entry, tmp_path)
    assert make == ["python3.11", "-m", "venv", str(tmp_path)]
    assert build[-1] == "six"
    assert install[-2:] == ["--no-build-isolation", "e==1"]
    assert npm[:2] == ["npm", "install"]
    assert "--ignore-scripts" in npm
    alone = Entry("e", "E", "C", "tape", "exec:e")
    assert list(environments.steps(alone, tmp_path)) == []
    assert environments.python_of(alone, tmp_path) is None


def test_an_interpreter_that_is_switched_off_is_passed_over(tmp_path: Path) -> None:
    for folder, script in (("shims", "exit 127"), ("other", "echo 3.98"), ("right", "echo 3.99")):
        path = tmp_path / folder / "python3.99"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)
    shims, other, right = (str(tmp_path / name) for name in ("shims", "other", "right"))
    here = {"PYENV_ROOT": str(tmp_path)}
    found = environments.interpreter("3.99", {**here, "PATH": f"{shims}:{other}:{right}"})
    assert found == str(tmp_path / "right" / "python3.99")
    with pytest.raises(environments.InstallError, match=r"found none; .*uv python install 3\.99"):
        environments.interpreter("3.99", {**here, "PATH": f"{shims}:{other}"})
    assert environments.interpreter("", {}) == sys.executable


# --- runs ---


class Fake:
    """Stands for `gradspec run`: a shell script, which finds a whole journal in $WHOLE."""

    def __init__(self, patch: pytest.MonkeyPatch, whole: Path) -> None:
        self.whole, self.script, self.resumed = whole, "", list[bool]()
        fake = self

        def command(job: Job, resume: bool) -> list[str]:
            fake.resumed.append(resume)
            return ["sh", "-c", f"WHOLE={fake.whole}; JOURNAL={job.journal}; {fake.script}"]

        patch.setattr(Job, "command", command)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, runs: Path) -> Fake:
    return Fake(monkeypatch, runs / "honest.jsonl")


def test_a_run_that_is_killed_goes_on_where_it_was(
    job: Job, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "PATROL", 0.01)
    pid = job.folder / "pid"
    fake.script = f"echo $$ > {pid}; head -n 4 $WHOLE > $JOURNAL; exec sleep 60"

    def interrupt(done: int, failed: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_engine(job, interrupt)
    with pytest.raises(ProcessLookupError):
        runs.os.kill(int(pid.read_text()), signal.SIG_DFL)
    assert not finished(job)
    seen: list[tuple[int, int]] = []
    fake.script = "cp $WHOLE $JOURNAL; exit 1"  # it has failures, and is whole
    assert len(run_engine(job, lambda *counts: seen.append(counts)).verdicts) == len(VERDICTS)
    assert fake.resumed == [False, True]
    assert seen[-1] == (len(VERDICTS), 2)
    assert carry_out(job, Silence()).state == "kept"
    assert carry_out(job, Silence(), again=True).state == "run"


def test_other_conditions_begin_anew(job: Job, fake: Fake) -> None:
    fake.script = "cp $WHOLE $JOURNAL"
    run_engine(job)
    for changed in (
        replace(job, spec_digest="another"),
        replace(job, entry=replace(job.entry, options={"case-timeout": 5})),
        replace(job, entry=replace(job.entry, install=("honest==2",))),
    ):
        assert not finished(changed)
        run_engine(changed)
    assert finished(replace(changed, entry=replace(changed.entry, title="A title"), jobs=7))
    assert fake.resumed == [False] * 4


def test_an_adapter_that_changed_begins_anew(
    job: Job, fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = tmp_path / "mine.py"
    adapter.write_text("class Mine: ...", "utf-8")
    job = replace(job, entry=replace(job.entry, impl=f"{adapter}:Mine"))
    fake.script = "cp $WHOLE $JOURNAL"
    run_engine(job)
    assert finished(job)
    adapter.write_text("class Mine: pass", "utf-8")
    assert not finished(job)
    names = [path.name for path in runs.sources("mygrad")]
    assert {"mygrad_engine.py", "torch_like.py", "judge.py"} <= set(names)
    assert "autograd_engine.py" not in names
    (tmp_path / "a folder").mkdir()
    harness, part = tmp_path / "a folder" / "harness.mjs", tmp_path / "a folder" / "part.mjs"
    for path in (harness, part):
        path.touch()
    impl = "exec:node {environment}/harness.mjs"
    monkeypatch.setattr(Job, "environment", harness.parent)
    job = replace(job, entry=replace(job.entry, impl=impl))
    assert {harness, part} <= set(runs.sources(job.impl))


@pytest.mark.parametrize("script", ["head -n 4 $WHOLE > $JOURNAL", "cp $WHOLE $JOURNAL; exit 2"])
def test_a_run_that_breaks_off_is_told(job: Job, fake: Fake, script: str) -> None:
    fake.script = f"echo the engine did not start >&2; {script}"
    with pytest.raises(
        RunError, match=r"before all cases were run(?s:.)*    the engine did not start"
    ):
        run_engine(job)
    assert not finished(job)


def test_a_run_gets_what_its_entry_says(job: Job) -> None:
    entry = replace(
        job.entry, impl="exec:node {adapters}/a.js", install=("a",),
        variables={"NODE_PATH": "{environment}/node_modules"},
        options={"case-timeout": 5, "known": "{adapters}/known/none.yaml"},
    )  # fmt: skip
    job = replace(job, entry=entry, jobs=2, select="leaf.")
    command = job.command(resume=True)
    assert f"--impl=exec:node {runs.ADAPTERS.resolve()}/a.js" in command
    assert f"--python={job.environment}/bin/python" in command
    assert {"--isolate", "--jobs=2", "--case-timeout=5", "--resume"} <= set(command)
    assert f"--known={runs.ADAPTERS.resolve()}/known/none.yaml" in command
    assert command[command.index("-k") + 1] == "leaf."
    assert job.variables["NODE_PATH"] == f"{job.environment}/node_modules"
    assert job.journal.name == "honest.part.jsonl"


def test_a_journal_is_counted_while_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    counter = Counter(path)
    assert counter.count() == (0, 0)
    path.write_text(
        '{"gradspec": 1}\n{"case": "a", "verdict": "pass"}\n{"case": "b", "verd', "utf-8"
    )
    assert counter.count() == (1, 0)
    with path.open("a", encoding="utf-8") as file:
        file.write('ict": "crash"}\n')
    assert counter.count() == (2, 1)
    path.with_suffix(".new").write_text('{"case": "a", "verdict": "fail"}\n', "utf-8")
    path.with_suffix(".new").replace(path)  # as a verdict that got worse makes it
    assert counter.count() == (1, 1)


# --- the command ---


def with_pages(listed: Path, tiny_spec: Path, folder: Path) -> tuple[str | Path, ...]:
    """The command that writes its pages into a folder."""
    order = ("campaign", "--engines", listed, "--spec", tiny_spec)
    return (*order, "-d", folder / "made", "--pages", folder)


def test_a_campaign(listed: Path, tiny_spec: Path, tmp_path: Path, liars: Path) -> None:
    """From the list to the pages; an engine that cannot be installed does not end it."""
    order = with_pages(listed, tiny_spec, tmp_path)
    first = call(*order)
    assert first.exit_code == 1
    assert (
        "[1/2] broken: not installed; expected Python 3.99 with its module venv, found none"
        in first.output
    )
    assert "[2/2] honest: run; MUST 6 / 7 / 8, the rest 0 / 1 / 1" in first.output
    assert "broken was not installed: expected Python 3.99" in first.stderr
    assert f"honest: its case passes now ({PASSES}); remove the finding" in first.stderr
    assert "## What Honest 1.0 fails" in (tmp_path / "made/report/report.md").read_text("utf-8")
    engines = (tmp_path / "engines.md").read_text("utf-8")
    assert "| [Honest](#honest) | 1.0 | Python | tape | 6 / 7 / 8 | 85% | 0 / 1 / 1 |" in engines
    assert f"`gradspec campaign honest -k '{FAILS}'`" in engines
    failures = (tmp_path / "failures.md").read_text("utf-8")
    assert failures.count("### A leaf moves") == 2
    assert failures.count("**No longer seen:** its case passes now.") == 1
    assert "```python\nx = tensor(" in failures
    assert "Expected `[1.0]`, found `[2.0]` in version 1.0. Not in its tracker." in failures

    again = call(*order, "broken")  # renews no other engine's row
    assert again.exit_code == 1
    assert (tmp_path / "engines.md").read_text("utf-8") == engines


def test_a_part_shows_what_the_run_printed(
    listed: Path, tiny_spec: Path, tmp_path: Path, fake: Fake
) -> None:
    fake.script = "echo expected 1.0, found 2.0; cp $WHOLE $JOURNAL"
    order = ("campaign", "--engines", listed, "--spec", tiny_spec, "-d", tmp_path, "honest")
    found = call(*order, "-k", FAILS)
    assert found.exit_code == 0
    assert found.output.endswith("=== Honest\nexpected 1.0, found 2.0\n\n")
    assert not (tmp_path / "report").exists()


def test_the_list_and_environments_alone(listed: Path, tmp_path: Path) -> None:
    shown = call("campaign", "--engines", listed, "--list")
    assert (
        "broken         Broken                               Python 3.99  nothing to install"
        in shown.output
    )
    made = call("campaign", "--engines", listed, "-d", tmp_path, "--only-install", "honest")
    assert made.exit_code == 0
    assert "[1/1] honest: installed" in made.output
    with alone_in(tmp_path):
        twice = call("campaign", "--engines", listed, "-d", tmp_path, "--only-install")
    assert twice.exit_code == 2
    assert f"another campaign is using {tmp_path}; wait for it" in twice.stderr
    wrong = call("campaign", "--engines", listed, "honset")
    assert wrong.exit_code == 2
    assert "did you mean 'honest'?" in wrong.stderr


def test_pages_are_not_written_over_other_data(
    listed: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "engines.json").write_text("[]", "utf-8")
    found = call(*with_pages(listed, tiny_spec, tmp_path), "broken")
    assert found.exit_code == 2
    assert "engines.json was not written by `gradspec campaign`" in found.stderr


# --- a cluster ---


class Future:
    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.function, self.arguments = function, arguments

    def result(self) -> Any:
        return self.function(*self.arguments)


def test_a_cluster_gets_half_a_journal_and_gives_back_the_whole(
    job: Job, fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker sees none of our files: it has a folder of its own."""

    def submit(function: Any, job: Job, *rest: Any, **options: Any) -> Future:
        if job.entry.name == "lost":
            return Future(lambda: 1 / 0, ())
        return Future(function, (replace(job, folder=tmp_path / "worker"), *rest))

    @contextmanager
    def connected(address: str) -> Any:
        yield SimpleNamespace(submit=submit)

    module = ModuleType("distributed")
    monkeypatch.setattr(module, "as_completed", list, raising=False)
    monkeypatch.setitem(sys.modules, "distributed", module)
    monkeypatch.setattr(cluster, "connected", connected)
    fake.script = "head -n 4 $WHOLE > $JOURNAL"
    assert carry_out(job, Silence()).state == "not run"
    fake.script = "echo a worker; cp $WHOLE $JOURNAL"
    lost = replace(job, entry=replace(job.entry, name="lost"))
    found = list(cluster.on_cluster("tcp://there", [job, lost], Silence(), False, False))
    assert [result.state for result in found] == ["run", "not run"]
    assert "ZeroDivisionError" in found[1].message
    assert fake.resumed == [False, True]
    assert finished(job)
    assert "a worker" in job.run_log.read_text("utf-8")


# --- progress ---


def test_without_a_terminal_there_is_a_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    clock = iter([0.0, 30.0, 60.0, 90.0, 120.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    lines = progress.Lines(32_000, 1, lambda text, err=False: said.append(text))
    lines.begin("honest", "running")
    for done in (4_000, 8_000, 12_000, 16_000):
        lines.watch("honest", done, 10)
    lines.end(Result("honest", "not run", "the run ended\nwith many lines"))
    assert said == [
        "honest: running",
        "honest: 8,000 of 32,000 cases, 10 failed, 6 min left",
        "honest: 16,000 of 32,000 cases, 10 failed, 3 min left",
        "[1/1] honest: not run; the run ended",
    ]


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress.audience(9, 1, lambda text, err=False: said.append(text)) as told:
        told.begin("honest", "running")
        told.watch("honest", 3, 1)
        (task,) = told.shown.tasks  # type: ignore[attr-defined]
        assert (task.description, task.completed, task.fields["failed"]) == (
            "honest: running",
            3,
            1,
        )
        told.end(Result("honest", "run", "MUST 6 / 7 / 8"))
        assert told.shown.tasks == []  # type: ignore[attr-defined]
    assert said == ["[1/1] honest: run; MUST 6 / 7 / 8"]
