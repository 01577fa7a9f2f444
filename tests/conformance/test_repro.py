"""`gradspec repro`: what it prints runs as it stands, and finds what the suite finds."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from gradspec.conformance.cli import main
from gradspec.conformance.repro import script_of
from gradspec.conformance.runner import Options, open_session
from gradspec.spec.load import load_spec
from suite_kit import VICTIM, run_python

SAMPLE = 150
RUNNER = """
import contextlib, io, json, sys, traceback, warnings
warnings.simplefilter("ignore")
scripts = json.load(open(sys.argv[1]))
if "import torch" in "".join(scripts.values()):
    import torch
    torch.set_warn_always(True)  # a script of its own needs no such thing
found = {}
for case, text in scripts.items():
    printed, names = io.StringIO(), {"__name__": "__main__"}
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(text, case, "exec"), names)
        error = ""
    except Exception:
        error = traceback.format_exc()[-600:]
    found[case] = [printed.getvalue(), error]
    if hasattr(names.get("ENGINE"), "set_default_dtype"):  # the next script has a process of its own
        names["ENGINE"].set_grad_enabled(True)
        names["ENGINE"].set_default_dtype(names["ENGINE"].float32)
json.dump(found, sys.stdout)
"""


def run_scripts(scripts: dict[str, str], cwd: Path) -> dict[str, tuple[str, str]]:
    """What each script prints, and with what error it ends; all in one process."""
    (cwd / "scripts.json").write_text(json.dumps(scripts), "utf-8")
    (cwd / "runner.py").write_text(RUNNER, "utf-8")
    found = run_python("runner.py", "scripts.json", cwd=cwd, timeout=120)
    assert found.returncode == 0, found.stderr[-2000:]
    return {case: (printed, error) for case, (printed, error) in json.loads(found.stdout).items()}


def passing(impl: str, count: int) -> list[str]:
    """A sample, the same in every run, of the cases that pass on an engine."""
    session = open_session(Options(impl))
    cases = session.cases()
    random.Random(7).shuffle(cases := list(cases))
    found = []
    for case in cases:
        if len(found) < count and session.run_case(case).verdict == "pass":
            found.append(case.id)
    session.close()
    return found


@pytest.mark.parametrize(
    ("impl", "count"), [("torch", SAMPLE), ("reference", SAMPLE), ("mygrad", 25), ("autograd", 25)]
)
def test_scripts_of_passing_cases_find_no_departure(impl: str, count: int, tmp_path: Path) -> None:
    if impl != "reference":
        pytest.importorskip(impl)
    cases = {case.id: case for case in load_spec().cases}
    chosen = passing(impl, count)
    assert len(chosen) == count
    found = run_scripts({name: script_of(cases[name], impl) for name in chosen}, tmp_path)
    wrong = {
        name: (printed, error)
        for name, (printed, error) in found.items()
        if error or "DEPARTS" in printed
    }
    shown = "\n\n".join(
        f"{name}\n{printed}{error}" for name, (printed, error) in list(wrong.items())[:8]
    )
    assert not wrong, f"{len(wrong)} of {count}:\n{shown}"
    assert (
        sum("holds" in printed or "refused" in printed for printed, _ in found.values())
        > 0.7 * count
    )


def test_a_departure_is_printed(tiny_spec: Path, tmp_path: Path, liars: Path) -> None:
    """For an engine that fails, the script tells where."""
    cases = {case.id: case for case in load_spec(tiny_spec).cases}
    departs = "tiny.departs/a-leaf-keeps-its-place"
    scripts = {
        name: script_of(cases[name], "module:honest")
        for name in (VICTIM, departs, "tiny.hooks/one-hook")
    }
    found = run_scripts(scripts, tmp_path)
    assert "DEPARTS" in found[departs][0]
    for name in (VICTIM, "tiny.hooks/one-hook"):
        assert found[name][1] == ""
        assert "DEPARTS" not in found[name][0]
        assert "holds" in found[name][0]


def test_a_torch_script_needs_nothing_of_ours() -> None:
    """And no variable of a program takes the name of a helper that stands above it."""
    for case in load_spec().cases[::7]:
        text = script_of(case, "torch")
        assert "gradspec" not in text
        assert case.id in text
        helpers, _, program = text.partition("\n# the case\n")
        defined = {
            node.name for node in ast.walk(ast.parse(helpers)) if isinstance(node, ast.FunctionDef)
        }
        taken = {node.id for node in ast.walk(ast.parse(program))
                 if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
        assert not defined & taken, case.id


def test_for_a_process_the_request_is_printed(tiny_spec: Path) -> None:
    found = CliRunner().invoke(
        main, ["repro", VICTIM, "--impl=exec:./harness", f"--spec={tiny_spec}"]
    )
    request = json.loads(found.output)
    assert request["ask"] == "run"
    assert request["program"]["id"] == VICTIM


def test_a_behavior_with_one_case_will_do(tiny_spec: Path, tmp_path: Path) -> None:
    path = tmp_path / "case.py"
    arguments = [
        "repro",
        "tiny.victim",
        "--impl=module:honest",
        "-o",
        str(path),
        f"--spec={tiny_spec}",
    ]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert path.read_text("utf-8").startswith(f"# {VICTIM}\n")
    several = next(item for item in load_spec().behaviors if len(item.cases) > 1)
    found = CliRunner().invoke(main, ["repro", several.id])
    assert found.exit_code == 2
    assert several.cases[0].id in found.output


def test_torch_is_not_needed_to_write_for_it(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "from gradspec.conformance.cli import main\n"
        "main(['repro', 'leaf.user-created/without-dimensions,-or-without-elements[without-dimensions]'])\n"
    )
    found = run_python("-c", script, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
