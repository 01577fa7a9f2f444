"""Processes that break the protocol on one case: it costs that case its verdict, and nothing else."""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gradspec.adapters.framework.channel import Channel, ProtocolError
from gradspec.adapters.framework.engine import EngineUnavailable, Limits
from gradspec.adapters.framework.process import ProcessEngine, read_observations
from gradspec.adapters.framework.registry import open_engine
from gradspec.conformance.reporting.summary import lost_processes
from gradspec.conformance.running.journal import read_journal
from gradspec.spec.load import load_spec
from suite_kit import (
    LIARS,
    VERDICTS,
    VICTIM,
    WITNESS,
    hold,
    recorded_answers,
    run_python,
    verdicts_of,
)
from test_liars import expect, report

pytestmark = pytest.mark.usefixtures("liars")
TIMEOUT = 0.8

TOLD = {
    "nothing": ("pass", ""),
    "exits": ("crash", "died"),
    "exits_with_3": ("crash", "died"),
    "dies": ("crash", "died"),
    "dies_and_leaves_a_child": ("crash", "died"),
    "stops": ("timeout", ""),
    "hangs": ("timeout", ""),
    "answers_late": ("timeout", ""),
    "half_a_line": ("timeout", ""),
    "answers_an_older_number": ("timeout", ""),
    "half_a_line_and_exits": ("crash", "died"),
    "closes_its_output": ("crash", "died"),
    "prints_junk": ("crash", "protocol"),
    "prints_junk_after": ("crash", "protocol"),
    "answers_twice": ("crash", "protocol"),
    "answers_another_number": ("crash", "protocol"),
    "answers_no_number": ("crash", "protocol"),
    "says_nan": ("crash", "protocol"),
    "says_bytes": ("crash", "protocol"),
    "says_a_list": ("crash", "protocol"),
    "says_nothing_else": ("crash", "protocol"),
    "says_very_much": ("crash", "protocol"),
    "says_nested_lists": ("crash", "protocol"),
    "nests_values": ("crash", "protocol"),
    "observes_in_words": ("crash", "protocol"),
    "says_no_end": ("crash", "protocol"),
    "says_an_unknown_end": ("crash", "protocol"),
    "says_strange_seconds": ("crash", "protocol"),
    "says_half_a_character": ("fail", "unexpected-error"),
    "says_infinity": ("fail", "wrong-value"),
    "says_a_long_integer": ("fail", "malformed"),
    "lies_about_the_shape": ("fail", "malformed"),
    "says_a_negative_shape": ("fail", "malformed"),
    "says_another_dtype": ("fail", "wrong-value"),
    "observes_what_is_not_there": ("fail", "malformed"),
    "observes_before_the_first": ("fail", "malformed"),
    "says_it_was_refused": ("fail", "wrong-value"),
    "says_an_end_in_a_list": ("crash", "protocol"),
    "says_an_endless_integer": ("crash", "protocol"),
    "says_a_key_twice": ("pass", ""),
    "says_a_tensor_of_tensors": ("fail", "malformed"),
    "says_a_shape_of_booleans": ("fail", "malformed"),
    "says_a_pair_of_one": ("fail", "wrong-value"),
    "says_null_characters": ("fail", "unexpected-error"),
    "says_it_in_utf_16": ("crash", "protocol"),
    "says_56_megabytes": ("crash", "protocol"),
    "drips": ("timeout", ""),
    "floods_standard_error": ("pass", ""),
    "leaves_a_daemon": ("pass", ""),
    "kills_its_parent": ("crash", "died"),
    "stops_its_parent": ("pass", ""),
    "ignores_every_signal": ("pass", ""),
}
# What comes after the answer changes no verdict: neither this case's nor the next one's.
ANSWERS_FIRST = ("answers_then_exits", "answers_then_talks", "closes_its_input")


@pytest.fixture(scope="session")
def answers(tiny_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the honest engine answers, recorded."""
    path = tmp_path_factory.mktemp("answers") / "answers.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(LIARS)
        path.write_text(json.dumps(recorded_answers(tiny_spec)), "utf-8")
    return path


def impl(answers: Path, lie: str) -> str:
    return f"exec:{sys.executable} -S {LIARS / 'harness.py'} {answers} {lie}"


@pytest.mark.parametrize("lie", TOLD)
def test_one_verdict(lie: str, answers: Path, tiny_spec: Path, tmp_path: Path) -> None:
    limit = 15.0 if lie == "says_56_megabytes" else TIMEOUT
    journal = hold(impl(answers, lie), tiny_spec, tmp_path / "run.jsonl", case_timeout=limit)
    expect(journal, *TOLD[lie])
    if TOLD[lie][0] == "fail":
        report(journal, tmp_path / "report", tiny_spec)


@pytest.mark.parametrize("lie", ANSWERS_FIRST)
@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_what_was_answered_counts(lie: str, pause: float, answers: Path, tiny_spec: Path) -> None:
    engine = open_engine(impl(answers, lie))
    verdicts = {}
    for case in load_spec(tiny_spec).cases:
        verdicts[case.id] = engine.run(case.program, TIMEOUT).end.how
        time.sleep(pause if case.id == VICTIM else 0.0)
    engine.close()
    allowed = {"finished", "crash"} if lie == "answers_then_talks" else {"finished"}
    assert verdicts.pop(VICTIM) in allowed
    assert set(verdicts.values()) == {"finished", "unsupported"}


def test_a_process_for_each_answer(answers: Path, tiny_spec: Path, tmp_path: Path) -> None:
    """A harness that ends after each answer, sooner or later, loses no verdict."""
    for turn in range(3):
        journal = hold(
            impl(answers, "exits_after_each_answer"), tiny_spec, tmp_path / f"{turn}.jsonl"
        )
        assert verdicts_of(journal) == VERDICTS
    lost = [verdict for verdict in journal.verdicts if verdict.retried]
    told = lost_processes(journal.verdicts)
    assert told == [] if not lost else f"first on {lost[0].case}" in told[0]


def test_a_process_that_does_not_read_is_late(tmp_path: Path) -> None:
    """Sending too is bounded: a program larger than any pipe, to a process that sleeps."""
    engine = started(tmp_path, "import time; time.sleep(60)")
    program = program_of("x" * (1 << 20))
    begun = time.monotonic()
    assert engine.run(program, 0.5).end.how == "timeout"
    engine.close()
    assert time.monotonic() - begun < 6


def test_the_size_of_an_answer_is_bounded(tmp_path: Path) -> None:
    """Whatever the process prints, the suite takes in no more than it was allowed to."""
    script = "input()\nwhile True: sys.stdout.write('x' * (1 << 20))"
    engine = started(tmp_path, script, Limits(answer_mib=0.5))
    tracemalloc.start()
    end = engine.run(program_of(""), 10.0).end
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    engine.close()
    assert (end.how, end.kind) == ("crash", "protocol")
    assert "more than 524288 bytes" in end.message
    assert peak < 8 << 20


def test_a_start_is_bounded(tmp_path: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(EngineUnavailable, match=r"did not start in 0\.3 s.*--start-timeout"):
        ProcessEngine(
            [sys.executable, "-S", "-c", "import time; time.sleep(60)"],
            limits=Limits(start_seconds=0.3),
        )
    assert time.monotonic() - begun < 5


def test_an_engine_that_starts_no_more_costs_three_starts(tmp_path: Path) -> None:
    """After a crash it never comes back; every case still gets its verdict, and soon."""
    once = tmp_path / "once"
    engine = started(
        tmp_path, "os._exit(3)", Limits(start_seconds=0.3),
        before=f"if os.path.exists({str(once)!r}): time.sleep(60)\nopen({str(once)!r}, 'w')",
    )  # fmt: skip
    begun = time.monotonic()
    ends = [engine.run(program_of(""), 1.0).end for _ in range(30)]
    assert {(end.how, end.kind) for end in ends} == {("crash", "died")}
    assert "3 starts in a row failed" in ends[-1].message
    assert time.monotonic() - begun < 10


def program_of(text: str) -> Any:
    """As much of a program as a process in another language is sent."""
    return SimpleNamespace(json={"id": "a.b/c", "body": [text]}, strangers=())


def started(
    folder: Path, script: str, limits: Limits | None = None, before: str = ""
) -> ProcessEngine:
    """A process that greets and then runs this script."""
    harness = folder / "harness.py"
    hello = '{"answer": "hello", "gradspec": 1, "name": "h"}'
    lines = ["import os, sys, time", before, f"input(); print('{hello}', flush=True)", script]
    harness.write_text("\n".join(lines), "utf-8")
    return ProcessEngine([sys.executable, "-S", str(harness)], limits=limits)


def test_each_program_is_sent_once_and_the_witness_again(
    answers: Path, tiny_spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = tmp_path / "count"
    monkeypatch.setenv("LIARS_COUNT", str(count))
    journal = hold(impl(answers, "counts"), tiny_spec, tmp_path / "run.jsonl")
    assert verdicts_of(journal) == VERDICTS
    sent = list(VERDICTS)
    sent.insert(sent.index("tiny.refuses/a-second-pass") + 1, WITNESS)
    assert count.read_text("utf-8").split() == sent


def test_the_words_of_an_earlier_request_are_forgotten() -> None:
    """What is quoted on a case is what was written during it."""
    echo = "import sys\nfor line in sys.stdin: sys.stderr.write(line); sys.stderr.flush(); print('{}', flush=True)"
    channel = Channel([sys.executable, "-S", "-c", echo])
    try:
        for word in ("first", "second"):
            channel.forget_words()
            channel.send({"word": word}, 10.0)
            channel.receive(10.0)
        assert "second" in channel.last_words()
        assert "first" not in channel.last_words()
    finally:
        channel.kill()


def test_last_words_are_told(tmp_path: Path, tiny_spec: Path) -> None:
    """What a process wrote on standard error before it died is part of the message."""
    harness = tmp_path / "harness.py"
    harness.write_text(
        "import sys\n"
        'print(\'{"answer": "hello", "gradspec": 1, "name": "h"}\', flush=True)\n'
        "input(), input()\n"
        "print('the floor is lava', file=sys.stderr)\n"
        "sys.exit(7)\n",
        "utf-8",
    )
    journal = hold(f"exec:{sys.executable} -S {harness}", tiny_spec, tmp_path / "run.jsonl")
    for verdict in journal.verdicts:
        assert verdict.verdict == "crash"
        assert "status 7" in verdict.message
        assert "the floor is lava" in verdict.message


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("raise SystemExit(3)", "exited with status 3"),
        ("print('hello')", "not JSON"),
        ("print('{}')", "expected an answer to hello in protocol 1"),
        ('print(\'{"answer": "hello", "gradspec": 2}\')', "protocol 1"),
        ('print(\'{"answer": "hello", "gradspec": true}\')', "protocol 1"),
        ('print(\'{"answer": "hello", "gradspec": 1, "exact_kinds": "false"}\')', "true or false"),
        ('print(\'{"answer": "hello", "gradspec": 1, "features": "all"}\')', "features"),
        ('print(\'{"answer": "hello", "unavailable": "no such device"}\')', "no such device"),
    ],
)
def test_an_engine_that_does_not_start_says_why(script: str, why: str) -> None:
    with pytest.raises(EngineUnavailable, match=why):
        ProcessEngine([sys.executable, "-S", "-c", f"input(); {script}"])


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(EngineUnavailable, match="cannot start"):
        open_engine("exec:no-such-harness --at-all")
    with pytest.raises(EngineUnavailable, match="needs a command"):
        open_engine("exec:")


def test_closing_twice_is_safe(answers: Path) -> None:
    engine = open_engine(impl(answers, "nothing"))
    engine.close()
    engine.close()


def test_another_engine_does_not_take_the_place_of_a_lost_one(tmp_path: Path) -> None:
    """Its verdicts would stand under the first one's name."""
    again = tmp_path / "again"
    (tmp_path / "harness.py").write_text(
        f"import os, sys\nagain = os.path.exists({str(again)!r})\nopen({str(again)!r}, 'w')\n"
        "version = 2 if again else 1\ninput()\n"
        'print(\'{"answer": "hello", "gradspec": 1, "version": "%d"}\' % version, flush=True)\n'
        "input(); os._exit(3)\n",
        "utf-8",
    )
    engine = ProcessEngine([sys.executable, "-S", str(tmp_path / "harness.py")])
    assert "status 3" in engine.run(program_of(""), 5.0).end.message
    end = engine.run(program_of(""), 5.0).end
    engine.close()
    assert (end.how, end.kind) == ("crash", "protocol")
    assert (
        "changed its version when it was started again: it was '1', and now is '2'" in end.message
    )


@pytest.mark.parametrize("isolate", [False, True])
def test_how_a_process_ended_is_known_though_sigchld_is_ignored(
    isolate: bool, answers: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    """As a parent may leave it to its children."""
    engine = ["--impl=module:liar:exits_with_3", "--isolate"]
    engine = engine if isolate else [f"--impl={impl(answers, 'exits_with_3')}"]
    options = [*engine, f"--spec={tiny_spec}", "--journal=run.jsonl"]
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "command = [sys.executable, '-m', 'gradspec.conformance.cli', 'run', *sys.argv[1:]]\n"
        "os.execv(sys.executable, command)\n"
    )
    run_python("-c", code, *options, cwd=tmp_path)
    journal = read_journal(tmp_path / "run.jsonl")
    assert verdicts_of(journal) == {**VERDICTS, VICTIM: "crash"}
    assert "status 3" in next(item for item in journal.verdicts if item.case == VICTIM).message


def test_a_truth_is_no_number() -> None:
    """Though Python takes true for 1."""
    answer = {"answer": "run", "number": 1, "observed": [], "end": {"how": "finished"}}
    assert read_observations(answer, 1).end.how == "finished"
    with pytest.raises(ProtocolError, match="expected the answer to run 1"):
        read_observations({**answer, "number": True}, 1)
