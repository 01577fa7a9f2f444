"""Processes that break the protocol on one case: it costs that case its verdict, and nothing else."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import pytest
from gradspec.adapters.engine import EngineUnavailable
from gradspec.adapters.process import ProcessEngine
from gradspec.adapters.registry import open_engine
from gradspec.spec.load import load_spec
from suite_kit import LIARS, VERDICTS, VICTIM, WITNESS, hold, recorded_answers, verdicts_of
from test_liars import expect

pytestmark = pytest.mark.usefixtures("liars")
TIMEOUT = 0.8

TOLD = {
    "nothing": ("pass", ""),
    "exits": ("crash", "died"),
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
}
# What comes after the answer cannot change the verdict any more; it must not be blamed on the next.
EITHER_WAY = ("answers_then_exits", "answers_then_talks")


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
    limit = 20.0 if lie == "says_very_much" else TIMEOUT
    path = tmp_path / "run.jsonl"
    journal = hold(impl(answers, lie), tiny_spec, path, case_timeout=limit)
    expect(journal, *TOLD[lie], tmp_path, tiny_spec)


@pytest.mark.parametrize("lie", EITHER_WAY)
def test_what_comes_late_is_not_blamed_on_the_next(
    lie: str, answers: Path, tiny_spec: Path, tmp_path: Path
) -> None:
    engine = open_engine(impl(answers, lie))
    verdicts = {}
    for case in load_spec(tiny_spec).cases:
        verdicts[case.id] = engine.run(case.program, TIMEOUT).end.how
        time.sleep(0.05 if case.id == VICTIM else 0.0)
    engine.close()
    assert verdicts.pop(VICTIM) in ("finished", "crash")
    assert set(verdicts.values()) == {"finished", "unsupported"}


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
    with pytest.raises(EngineUnavailable, match="names no command"):
        open_engine("exec:")


def test_closing_twice_is_safe(answers: Path) -> None:
    engine = open_engine(impl(answers, "nothing"))
    engine.close()
    engine.close()
