"""Lists of known failures: written from a run, brought up to date, and applied."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradspec.conformance.judging.known import Divergence, apply_known, outdated, read_entries
from gradspec.conformance.judging.known_update import Update, updated
from gradspec.conformance.judging.verdict import Name, Verdict
from gradspec.spec.load import load_spec
from gradspec.spec.model import Spec
from gradspec.spec.problems import Place, SpecError
from suite_kit import call, hold, make_tiny_spec

TWO = """
title: Tiny
introduction: Three behaviors.
behaviors:
  - id: tiny.first
    statement: The first MUST be.
    level: documented
    sources: [tiny#all]
    cases:
      one: |
        assert tensor([1.0]) == [1.0]
      two: |
        assert tensor([2.0]) == [2.0]
  - id: tiny.second
    statement: The second MUST be.
    level: documented
    sources: [tiny#all]
    cases:
      one: |
        assert tensor([3.0]) == [3.0]
      two: |
        assert tensor([4.0]) == [4.0]
"""
A, B, C, D = "tiny.first/one", "tiny.first/two", "tiny.second/one", "tiny.second/two"


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Spec:
    return load_spec(make_tiny_spec(tmp_path_factory.mktemp("two") / "spec", TWO))


def renewed(folder: Path, spec: Spec, text: str, repeated: bool = False, **found: Name) -> Update:
    """The list with this text after a run with verdicts on the cases A, B, C and D."""
    path = folder / "known.yaml"
    path.unlink(missing_ok=True)
    if text:
        path.write_text(text, "utf-8")
    names = {"a": A, "b": B, "c": C, "d": D}
    verdicts = [Verdict(names[name], verdict) for name, verdict in found.items()]
    causes = {verdict.case: f"cause of {verdict.case[-3:]}" for verdict in verdicts}
    return updated(read_entries(path, spec), text, verdicts, causes, spec, repeated)


def test_behaviors_that_fail_wholly_and_single_cases(tmp_path: Path, spec: Spec) -> None:
    update = renewed(tmp_path, spec, "", a="fail", b="unsupported", c="crash", d="pass")
    assert update.text == (
        '- behavior: "tiny.first"\n  cause: "cause of one"\n'
        '- case: "tiny.second/one"\n  cause: "cause of one"\n'
    )
    assert update.added == [A, C]


def test_of_a_behavior_that_was_run_in_part_cases_are_listed(tmp_path: Path, spec: Spec) -> None:
    assert renewed(tmp_path, spec, "", a="fail").text.startswith(f'- case: "{A}"')


def test_what_people_wrote_stays(tmp_path: Path, spec: Spec) -> None:
    text = (
        "# Ours.\n"
        f"- case: {A}\n  reason: >-\n    Because\n    of this.\n  link: https://example.org\n"
        "\n# The second.\n"
        "- behavior: tiny.second\n  reason: Of that.\n"
    )
    update = renewed(tmp_path, spec, text, a="known", b="fail", c="known", d="fail")
    assert update.text == f'{text}- case: "{B}"\n  cause: "cause of two"\n'
    assert (update.added, update.dropped) == ([B], [])


def test_what_passes_is_dropped_and_told(tmp_path: Path, spec: Spec) -> None:
    text = f"# Ours.\n- case: {A}\n  reason: This.\n\n# The second.\n- behavior: tiny.second\n  reason: That.\n  link: https://example.org\n"
    update = renewed(tmp_path, spec, text, a="pass", b="pass", c="unexpected-pass", d="known")
    assert update.dropped == [A, C]
    assert update.text == (
        f'# Ours.\n\n# The second.\n- case: "{D}"\n  reason: "That."\n  link: https://example.org\n'
    )


def test_causes_that_gradspec_wrote_are_renewed(tmp_path: Path, spec: Spec) -> None:
    text = '- behavior: "tiny.first"\n  cause: "once"\n'
    update = renewed(tmp_path, spec, text, a="fail", b="pass")
    assert update.text == f'- case: "{A}"\n  cause: "cause of one"\n'
    assert (update.added, update.dropped) == ([], [B])


def test_an_empty_list_is_a_list(tmp_path: Path, spec: Spec) -> None:
    update = renewed(tmp_path, spec, f"# Ours.\n- case: {A}\n  cause: x\n", a="pass")
    assert update.text == "# Ours.\n[]\n"
    again = renewed(tmp_path, spec, update.text, a="fail", b="pass")
    assert again.text == f'# Ours.\n- case: "{A}"\n  cause: "cause of one"\n'


def test_a_run_that_says_nothing_of_a_case_leaves_its_entry(tmp_path: Path, spec: Spec) -> None:
    text = f'- case: "{A}"\n  cause: "once"\n'
    assert renewed(tmp_path, spec, text, c="pass").text == text
    assert renewed(tmp_path, spec, text, a="unsupported").text == text


def test_a_flaky_case_may_pass(tmp_path: Path, spec: Spec) -> None:
    text = renewed(tmp_path, spec, "", a="flaky", b="fail").text
    assert f'- case: "{A}"\n  cause: "cause of one"\n  partial: true\n' in text
    kept = renewed(tmp_path, spec, text, a="pass", b="pass")
    assert f'- case: "{A}"' in kept.text  # it may fail again
    assert kept.dropped == [B]
    assert renewed(tmp_path, spec, text, repeated=True, a="pass", b="pass").dropped == [A, B]


def test_a_case_that_timed_out_may_pass_on_a_faster_machine(tmp_path: Path, spec: Spec) -> None:
    text = renewed(tmp_path, spec, "", a="timeout", b="fail").text
    assert f'- case: "{A}"\n  cause: "cause of one"\n  partial: true\n' in text
    assert text.count("partial: true") == 1


def test_an_entry_within_a_line_is_refused(tmp_path: Path, spec: Spec) -> None:
    with pytest.raises(ValueError, match="begins with `- case:`"):
        renewed(tmp_path, spec, f"- {{case: {A}, reason: x}}\n", a="fail")


def test_partial_entries(spec: Spec) -> None:
    entry = Divergence("why", "", Place("known.yaml", 1, 1), partial=True)
    assert apply_known(Verdict(A, "pass"), {A: entry}).verdict == "pass"
    assert apply_known(Verdict(A, "fail"), {A: entry}).verdict == "known"
    known = {A: entry, B: entry}
    assert not outdated(known, [Verdict(A, "pass"), Verdict(B, "known")])
    assert not outdated(known, [Verdict(A, "pass")])
    assert outdated(known, [Verdict(A, "pass"), Verdict(B, "pass")]) == [entry]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"- case: {A}\n", "missing the key 'reason' (or 'cause')"),
        (f"- case: {A}\n  cause: x\n  partial: maybe\n", "expected partial to be true or false"),
    ],
)
def test_entries_that_are_not_well_formed(tmp_path: Path, spec: Spec, text: str, told: str) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(SpecError, match="known") as found:
        read_entries(path, spec)
    assert told in str(found.value)


def test_a_run_with_the_list_made_from_it_succeeds(
    tmp_path: Path, tiny_spec: Path, liars: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hold("module:honest", tiny_spec, tmp_path / "first.jsonl")
    made = call("known", "--from", "first.jsonl", f"--spec={tiny_spec}")
    assert (made.exit_code, made.output) == (0, "known.yaml: 2 entries\n2 failures added\n")
    run = ("run", "--impl=module:honest", f"--spec={tiny_spec}", "--known=known.yaml")
    found = call(*run, "--journal=second.jsonl")
    assert found.exit_code == 0, found.output
    again = call("known", "--from", "second.jsonl", f"--spec={tiny_spec}")
    assert again.output == "known.yaml: 2 entries\n"
