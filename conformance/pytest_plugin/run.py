"""A run of the suite under pytest: one item for each case, a journal, and a score at the end."""

from __future__ import annotations

import atexit
import contextlib
import gc
import signal
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import pytest
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.framework.guardian import SET_DEATH_SIGNAL, prctl
from gradspec.spec.model import Case
from gradspec.spec.problems import SpecError, shown_path

from ..judging.known import apply_known
from ..judging.verdict import FAILED, Verdict
from ..reporting.causes import causes_of
from ..reporting.messages import explain
from ..running.journal import JournalError, header_of, journal_path
from ..running.journal_writer import JournalWriter
from ..running.leaving import (
    ExitGuard,
    ends_on_sigterm,
    leave_when_main_thread_ends,
    threads_stay,
)
from ..running.repeating import repeated
from ..running.run import Outcome, Run
from ..running.runner import Options, Session, open_session, undeclared_but_working
from ..text import one_line, printable
from .plugin import SUITE

RUNS_NOTHING = (
    "collectonly", "setuponly", "setupplan", "showfixtures", "show_fixtures_per_test", "help",
    "markers", "version", "cacheshow",
)  # fmt: skip
"""Options of pytest with which no case is run, and no journal touched."""
DIFFERS = "differs"
"""pytest's category for a failed case that is scored separately (SHOULD, MAY, observed)."""


def refuse(why: object, status: int = 2) -> NoReturn:
    """Say what was wrong, by default with the call, and exit with this status."""
    pytest.exit(printable(f"gradspec: {why}"), returncode=status)


class CaseFailure(Exception):
    """A case failed; carries the verdict."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(printable(verdict.message))
        self.verdict = verdict


class Told:
    """The text of a failed case: all of it where failures are shown, its first line where pytest
    and its JUnit file want one line (pytest cuts a plain text to one line on a terminal, but on a
    CI service prints the whole of it a second time)."""

    def __init__(self, text: str, message: str) -> None:
        self.text = text
        self.reprcrash = Headline(printable(message.split("\n", 1)[0]))

    def __str__(self) -> str:
        return self.text

    def toterminal(self, terminal: Any) -> None:
        """Write the whole to pytest's terminal."""
        terminal.line(printable(self.text))


@dataclass(frozen=True)
class Headline:
    """Where pytest looks for the one line."""

    message: str


class CaseItem(pytest.Item):
    """One case."""

    case: Case
    run: ConformanceRun
    verdict: Verdict | None = None

    def runtest(self) -> None:
        try:
            verdict = self.run.run_case(self.case)
        except (SystemExit, pytest.fail.Exception) as error:
            verdict = self.run.ended_from_outside(self.case, error)
        self.verdict = verdict
        if verdict.verdict == "unsupported":
            pytest.skip(printable(verdict.message))
        if verdict.verdict == "known":
            pytest.xfail(printable(verdict.reason))
        if verdict.verdict in FAILED and not verdict.must:
            told = printable(verdict.message)
            pytest.skip(f"differs from what is {self.case.behavior.level}: {told}")
        if verdict.verdict != "pass":
            raise CaseFailure(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailure):
            return explain(self.case, excinfo.value.verdict, self.run.options.engine)
        return super().repr_failure(excinfo, style)

    @cached_property
    def location(self) -> tuple[str, int | None, str]:
        """As pytest has it, which takes longer than most cases: the same path for all of a file."""
        file = self.case.program.file
        if file not in self.run.shown_files:
            self.run.shown_files[file] = super().location[0]
        return self.run.shown_files[file], self.case.place.line - 1, self.case.id

    def reportinfo(self) -> tuple[Path, int, str]:
        return Path(self.case.program.file), self.case.place.line - 1, self.case.id


class SuiteFile(pytest.File):
    """Collects the specification."""

    def collect(self) -> Iterable[pytest.Item]:
        run: ConformanceRun = self.config.pluginmanager.get_plugin("gradspec-run")  # type: ignore[assignment]
        gc.freeze()  # or the collector goes through the specification again and again meanwhile
        for case in run.session.cases():
            if case.id in run.done_before:
                continue
            # As text, so that pytest takes a row in brackets for parameters, as --lf does later.
            item = CaseItem.from_parent(self, name=case.id, nodeid=f"{self.nodeid}::{case.id}")
            item.case, item.run = case, run
            yield item


class ConformanceRun:
    """Runs the engine under test within pytest, and writes the journal.

    Under pytest-xdist each worker has its own engine, and only the controller writes.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.is_worker = hasattr(config, "workerinput")
        self.distributes = not self.is_worker and bool(config.getoption("numprocesses", None))
        self.options = Options(
            impl=config.getoption("gradspec_impl"),
            device=config.getoption("gradspec_device", "cpu"),
            imported=config.getoption("gradspec_import", None),
            python=config.getoption("gradspec_python", None),
            isolate=config.getoption("gradspec_isolate", False),
            case_timeout=config.getoption("gradspec_case_timeout", 10.0),
            case_memory=config.getoption("gradspec_case_memory", None),
            case_answer=config.getoption("gradspec_case_answer", None),
            start_timeout=config.getoption("gradspec_start_timeout", None),
            profile=config.getoption("gradspec_profile", None),
            trust_words=config.getoption("gradspec_trust_words", False),
            repeat=config.getoption("gradspec_repeat", None),
        )
        folder = config.getoption("gradspec_report", None)
        self.report_folder = Path(folder).absolute() if folder else None
        self.collected: frozenset[str] = frozenset()
        """The ids of the cases that pytest selected, apart from those that are in the journal."""
        self.done_before: frozenset[str] = frozenset()
        self.journal: JournalWriter | None = None
        self.summary: list[str] = []
        self.shown_files: dict[str, str] = {}
        """The path of each file of cases, as pytest shows it."""
        self.pytest_session: pytest.Session | None = None
        self.finished = False
        self.guard = ExitGuard()
        self.until_the_footer = contextlib.ExitStack()
        with contextlib.ExitStack() as stack:
            stack.callback(self.leave)
            self.guard.start()
            stack.callback(self.guard.stop)
            if (
                self.is_worker
            ):  # one that runs a case would not notice that its controller was killed
                prctl(SET_DEATH_SIGNAL, signal.SIGKILL)
            else:
                self.until_the_footer.enter_context(ends_on_sigterm())
                stack.callback(self.until_the_footer.close)
            self.session = self.open()
            stack.callback(self.session.close)
            if self.distributes and self.session.leftovers is not None:
                self.session.leftovers.no_more()
            stack.callback(self.let_go)
            self.open_journal()
            self.at_the_end = stack.pop_all()

    def leave(self) -> None:
        """Exit with the status of the run, even if the engine left threads running."""
        session = self.pytest_session
        self.guard.status = 2 if session is None else int(session.exitstatus)
        if self.is_worker:
            self.guard.status = 0
        elif session is not None and not self.finished:  # an exit of the engine's came in between
            self.guard.status = self.guard.status or 1
            leave_when_main_thread_ends(self.guard)
            return
        here = not (self.is_worker or self.distributes)
        if threads_stay() or (here and self.guard.strangers()):
            leave_when_main_thread_ends(self.guard)

    def let_go(self) -> None:
        """Leave nothing behind that belongs to the journal."""
        if self.journal is not None:
            self.journal.close()

    def open(self) -> Session:
        if self.config.getoption("dist", "no") == "each":
            refuse(
                "--dist=each is not supported, because it would run each case several times; use --dist=load"
            )
        known = self.config.getoption("gradspec_known", None)
        if known and not Path(known).exists():
            refuse(f"the list of known failures {known!r} does not exist")
        root = self.config.getoption("gradspec_spec", None)
        try:
            return open_session(
                self.options, Path(root).resolve() if root else None, Path(known) if known else None
            )
        except (EngineUnavailable, SpecError, ValueError, OSError) as error:
            refuse(error)

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts so far, one for each case."""
        return list(self.journal.done.values()) if self.journal is not None else []

    def journal_path(self) -> Path:
        here = Path(self.config.invocation_params.dir)
        named: str | None = self.config.getoption("gradspec_journal", None)
        if named:
            return here / named
        chosen = ("keyword", "markexpr", "gradspec_profile", "lf", "failedfirst")
        part = any(self.config.getoption(name, None) for name in chosen)
        return here / journal_path(self.session.identity, part)

    def open_journal(self) -> None:
        resume = bool(self.config.getoption("gradspec_resume", False))
        if any(self.config.getoption(name, False) for name in RUNS_NOTHING):
            return
        path = self.journal_path()
        if self.is_worker:  # the controller writes; a worker only needs to know what is done
            self.done_before = frozenset(self.config.workerinput["gradspec_done"])  # type: ignore[attr-defined]
            return
        session = self.session
        header = header_of(session.identity, session.spec, self.options.shown(), session.known)
        try:
            self.journal = JournalWriter(path, header, resume, session.spec)
            Run(session, self.journal, session.cases()).left()
        except JournalError as error:
            refuse(error)
        self.done_before = frozenset(self.journal.done)

    # --- running ---

    def run_case(self, case: Case) -> Verdict:
        if self.journal is not None:
            try:
                self.journal.begin(case.id)
            except JournalError as error:
                refuse(error, status=1)
        return next(repeated([case], self.session.run_case, self.options.repeat or 1))

    def ended_from_outside(self, case: Case, error: BaseException) -> Verdict:
        """The verdict on a case that something else than its own engine ended: another plugin's time
        limit, or an exit that a thread of an earlier case raised here."""
        message = f"the case was interrupted: {type(error).__name__}: {error}"
        must = case.behavior.scored_as_must
        verdict = Verdict(case.id, "crash", "exit", message, must=must)
        if isinstance(error, pytest.fail.Exception):
            verdict = Verdict(case.id, "timeout", "", message, must=must)
        return apply_known(verdict, self.session.known)

    def written(self, verdict: Verdict) -> None:
        """Put a verdict into the journal; a run whose journal cannot be written ends."""
        assert self.journal is not None
        try:
            self.journal.write(verdict)
        except JournalError as error:
            refuse(error, status=1)

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionstart(self, session: pytest.Session) -> Generator[None]:
        self.pytest_session = session
        yield
        if self.session.leftovers is not None:  # the workers of pytest-xdist run by now
            self.session.leftovers.spare_what_is_here()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Any) -> None:
        if self.session.leftovers is not None:  # one of them may have taken another's place
            self.session.leftovers.spare(int(node.workerinfo.get("pid", 0)))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["gradspec_done"] = sorted(self.done_before)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        cases = frozenset(case.id for case in self.session.cases())
        self.collected = cases & {name.partition(f"{SUITE.name}::")[2] for name in ids}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if not self.distributes:
            items = (item for item in session.items if isinstance(item, CaseItem))
            self.collected = frozenset(item.case.id for item in items)
        gc.collect()
        gc.freeze()  # so that a case which collects garbage looks at its own garbage only

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "call" and isinstance(item, CaseItem) and item.verdict is not None:
            report.gradspec = item.verdict.to_json()  # type: ignore[attr-defined]
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        line = getattr(report, "gradspec", None)
        if line is not None and self.journal is not None:
            verdict = Verdict.from_json(line)
            self.written(verdict)
            if report.failed:
                report.longrepr = Told(str(report.longrepr), verdict.message)  # type: ignore[assignment]

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        line = getattr(report, "gradspec", None)
        if line is None or report.when != "call":
            return None
        if line["verdict"] in FAILED and not line["must"]:
            return DIFFERS, "d", "DIFFERS"
        if line["verdict"] == "unsupported":
            return "unsupported", "s", "UNSUPPORTED"
        return None

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport, sched: Any) -> None:
        """A worker of pytest-xdist ended while it ran a case."""
        for case in self.session.cases():
            if crashitem.endswith(f"::{case.id}"):
                report.gradspec = self.session.crashed(case).to_json()  # type: ignore[attr-defined]

    # --- the end ---

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> Generator[None]:
        self.finish(session, exitstatus)
        yield
        self.finished = True

    def finish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the journal's footer, and set the exit status from the verdicts."""
        if self.journal is None:
            return
        if not self.verdicts and exitstatus in (0, 5):  # nothing was run, and nothing is written
            self.until_the_footer.close()
            self.tell_that_nothing_ran(session, exitstatus)
            return
        cut_short = exitstatus not in (0, 1, 5)
        wanted = self.collected | self.done_before
        cases = [case for case in self.session.cases() if case.id in wanted]
        try:
            outcome = Run(self.session, self.journal, cases).finish(cut_short)
        except JournalError as error:
            outcome = Outcome(self.session, self.verdicts, {"cut_short": True})
            self.summary.append(f"gradspec: {error}")
        self.until_the_footer.close()
        if not self.verdicts:
            return
        self.tell_each_cause_once()
        if exitstatus in (0, 5):
            session.exitstatus = 0 if outcome.success else 1
        probe = not (cut_short or self.distributes)
        too_little = undeclared_but_working(self.session) if probe else {}
        self.summary += self.told(outcome.declared_but_broken, too_little)

    def tell_that_nothing_ran(self, session: pytest.Session, exitstatus: int) -> None:
        """A run without a verdict is a failure, unless no case was selected."""
        if self.collected:
            self.summary.append("gradspec: cases were selected, but none was run")
            session.exitstatus = 1
        elif exitstatus == 5:
            self.summary.append("gradspec: no case was selected; nothing was run or written")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        atexit.register(self.guard.start)  # what the engine has registered itself runs after this
        self.at_the_end.close()

    def tell_each_cause_once(self) -> None:
        """Of the failures with the same likely cause, show the first in full and the others in
        two lines. With -v, show all in full."""
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None or self.config.getoption("verbose", 0) > 0:
            return
        reports = {}
        for report in terminal.stats.get("failed", ()):
            if line := getattr(report, "gradspec", None):
                reports[line["case"]] = report
        for cause in causes_of(self.verdicts, self.session.spec):
            first = next((v.case for v in cause.cases if v.case in reports), "")
            for verdict in (*cause.cases, *cause.follow):
                if verdict.case in reports and first not in ("", verdict.case):
                    of = "it needs what fails in" if verdict in cause.follow else "as in"
                    also = f"({of} {first}: {cause.title}; -v shows all in full)"
                    told = Told(printable(f"{verdict.message}\n{also}"), verdict.message)
                    reports[verdict.case].longrepr = told

    def pytest_report_header(self) -> list[str]:
        from ..reporting.summary import words_of_its_own

        identity, spec = self.session.identity, self.session.spec
        lines = [f"gradspec: {identity.title} ({identity.language}) on {identity.device}, "
                 f"against {len(spec.behaviors)} behaviors, {len(spec.cases)} cases [{spec.digest}]"]  # fmt: skip
        if self.done_before:
            lines.append(f"gradspec: {len(self.done_before)} cases are already in the journal")
        lines += [f"gradspec: {line}" for line in words_of_its_own(self.session)]
        return [one_line(line) for line in lines]

    def told(self, too_much: Sequence[str], too_little: Mapping[str, int]) -> list[str]:
        """The summary of the run, in lines."""
        from ..reporting.summary import fix_first, summary_lines

        assert self.journal is not None
        path = shown_path(str(self.journal.path))
        verdicts, spec = self.verdicts, self.session.spec
        lines = fix_first(verdicts, spec, self.options.engine, at_length=0, journal=path)
        lines += summary_lines(self.session, verdicts, too_much, too_little)
        return [*lines, f"journal: {path}"]

    def tell_github(self, say: Callable[[str], None]) -> None:
        """Print annotations and write the job summary, if this is a job on GitHub."""
        from ..reporting.github import workflow_commands, write_job_summary

        for line in workflow_commands(
            self.session, self.verdicts, Path(self.config.invocation_params.dir)
        ):
            say(line)
        success = self.pytest_session is not None and self.pytest_session.exitstatus == 0
        try:
            write_job_summary(self.session, self.verdicts, success)
        except OSError as error:
            say(f"gradspec: the job summary cannot be written: {error.strerror}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        def say(line: str) -> None:
            terminalreporter.write_line(printable(line))

        if self.summary:
            terminalreporter.section(one_line(f"gradspec: {self.session.identity.name}"))
        for line in self.summary:
            say(line)
        if self.journal is None or not self.verdicts:
            return
        self.tell_github(say)
        if self.report_folder:
            from ..reporting.report import write_report

            try:
                made = write_report([self.journal.path], self.report_folder, self.session.spec)
            except (OSError, JournalError) as error:
                say(f"gradspec: {error}")
                terminalreporter._session.exitstatus = 2
                return
            for written in made:
                say(f"report:  {written}")
        else:
            say(f"report:  gradspec report {shown_path(str(self.journal.path))}")
