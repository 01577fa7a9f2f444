"""`gradspec repro`: what it prints runs as it stands, and finds what the suite finds."""

from __future__ import annotations

import ast
import json
import random
import re
from pathlib import Path

import numpy
import pytest
from click.testing import CliRunner
from gradspec.conformance.cli import main
from gradspec.conformance.reporting.repro import HOLDS, script_of
from gradspec.conformance.running.runner import Options, open_session
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case
from suite_kit import REPOSITORY, VICTIM, run_python, spec_of_programs, verdicts_on

SAMPLE = 80
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
    if hasattr(names.get("torch"), "set_default_dtype"):  # the next script has a process of its own
        names["torch"].set_grad_enabled(True)
        names["torch"].set_default_dtype(names["torch"].float32)
json.dump(found, sys.stdout)
"""


def run_scripts(scripts: dict[str, str], cwd: Path, **more: str) -> dict[str, tuple[str, str]]:
    """What each script prints, and with what error it ends; all in one process."""
    (cwd / "scripts.json").write_text(json.dumps(scripts), "utf-8")
    (cwd / "runner.py").write_text(RUNNER, "utf-8")
    found = run_python("runner.py", "scripts.json", cwd=cwd, timeout=120, **more)
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
    if impl == "torch":
        chosen.append("laws.saved-tensors-may-be-packed/unary.sgn")  # its gradient has no memory
    found = run_scripts({name: script_of(cases[name], impl, KINDS) for name in chosen}, tmp_path)
    wrong = {
        name: (printed, error)
        for name, (printed, error) in found.items()
        if error or not printed.endswith(HOLDS + "\n")
    }
    shown = "\n\n".join(
        f"{name}\n{printed}{error}" for name, (printed, error) in list(wrong.items())[:8]
    )
    assert not wrong, f"{len(wrong)} of {count}:\n{shown}"


def test_a_departure_stops_the_script(tiny_spec: Path, tmp_path: Path, liars: Path) -> None:
    """For an engine that fails, at the assert that does not hold."""
    cases = {case.id: case for case in load_spec(tiny_spec).cases}
    departs = "tiny.departs/a-leaf-keeps-its-place"
    scripts = {
        name: script_of(cases[name], "module:honest")
        for name in (VICTIM, departs, "tiny.hooks/one-hook")
    }
    found = run_scripts(scripts, tmp_path)
    assert "AssertionError" in found[departs][1]
    assert HOLDS not in found[departs][0]
    for name in (VICTIM, "tiny.hooks/one-hook"):
        assert found[name] == (HOLDS + "\n", "")


def test_an_adapter_on_another_machine_still_has_a_script() -> None:
    cases = {case.id: case for case in load_spec().cases}
    text = script_of(
        cases["accumulation.second-pass-adds/two-passes-add-up"], "elsewhere.py:Engine"
    )
    assert "open_engine('elsewhere.py:Engine')" in text


def test_the_interpreter_of_the_engine_needs_no_gradspec(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from gradspec.adapters.framework.torch_like import TorchLikeEngine\n"
        "class Mine(TorchLikeEngine):\n"
        "    name = module_name = 'gradspec.reference_impl'\n"
    )
    case = "accumulation.second-pass-adds/two-passes-add-up"
    options = ["repro", case, "--impl=mine.py:Mine", "--python=other/python", "-o", "script.py"]
    assert run_python("-m", "gradspec.conformance.cli", *options, cwd=tmp_path).returncode == 0
    assert "# Run it with other/python." in (tmp_path / "script.py").read_text()
    packages = Path(numpy.__file__).parents[
        1
    ]  # in which gradspec is a link that -S does not follow
    start = f"import sys; sys.path.append({str(packages)!r}); exec(open('script.py').read())"
    found = run_python("-S", "-c", start, cwd=tmp_path)
    assert found.stdout == HOLDS + "\n", found.stderr


def test_a_script_is_what_a_person_would_write() -> None:
    cases = {case.id: case for case in load_spec().cases}
    text = script_of(cases["accumulation.second-pass-adds/two-passes-add-up"], "torch")
    assert text.partition("\n\n")[2] == (
        "import torch\n\n"
        "w = torch.tensor([3.0], requires_grad=True)\n"
        "(w * 2).backward()\n"
        "(w * 2).backward()\n"
        "assert w.grad.tolist() == [4.0], w.grad.tolist()\n\n"
        f'print("{HOLDS}")\n'
    )


KINDS = load_spec().kinds
WAYS = {
    "number": ("y = tensor(3.0)\nassert y == 3.0", "assert y.tolist() == 3.0, y.tolist()"),
    "rounding": ("assert exp(tensor([0.0])) == [1.0]", "assert close(found, [1.0], rel="),
    "dtype": ("x = tensor([1.0])\nassert x.dtype == float32", "assert x.dtype == torch.float32, x.dtype"),
    "shape": ("x = tensor([1.0])\nassert x.shape == (1,)", "assert x.shape == (1,), x.shape"),
    "none": ("x = tensor([1.0])\nassert x.grad is None", "assert x.grad is None, x.grad"),
    "flag": ("x = tensor([1.0])\nassert not x.requires_grad", "assert x.requires_grad is False, x.requires_grad"),
    "same": ("x = tensor([1.0])\ny = x\nassert y is x", "assert y is x\n"),
    "other": ("x = tensor([1.0])\ny = x * 2\nassert y is not x", "assert y is not x\n"),
    "either": ("x = tensor([1.0])\nassert x == either([0.0], [1.0])",
               "assert same(x, [0.0]) or same(x, [1.0]), x"),
    "part": ('x = tensor([1.0])\nassert "tens" in text_of(x)', "assert 'tens' in str(x), str(x)"),
    "booleans": ("x = tensor([True, False])\nassert x == [True, False]", "assert repr(x.tolist()) == '[True, False]'"),
    "pair": ("x = tensor([1.0])\ny = x + 0\nassert x == y", "assert same(x, y), x"),
    "tuple": ("x = tensor([1.0], requires_grad=True)\nassert autograd.grad(x * 2, [x]) == ([2.0],)",
              "found = [t.tolist() for t in torch.autograd.grad(x * 2, [x])]\nassert found == [[2.0]], found"),
    "calls": ('x = tensor([1.0], requires_grad=True)\nx.register_hook(lambda g: trace("h", g))\n(x * 2).backward()\n'
              'assert traced() == [("h", [2.0])]', "assert notes == [['h', [2.0]]], notes"),
    "refusal": ('x = tensor([1.0])\nwith raises("no-graph"):\n    x.backward()\nassert x.grad is None',
                "except Exception as error:\n    assert tells(error, ("),
    "quiet": ("with quiet():\n    x = tensor([1.0])\nassert x == [1.0]",
              "with warnings.catch_warnings(record=True) as caught:"),
    "warning": ('x = tensor([1.0], requires_grad=True)\ny = x * 2\n'
                'with warns("non-leaf-grad"):\n    y.grad\nassert y == [2.0]',
                "assert any((tells(item.message, "),
    "thread": ("x = tensor([1.0], requires_grad=True)\nwith thread():\n    (x * 2).backward()\nassert x.grad == [2.0]",
               "pool.submit(block).result()"),
    "concurrency": ("x = tensor([1.0], requires_grad=True)\ndef f():\n    meet()\n    return x * this_thread()\n"
                    "a, b = concurrently(f, f)\nassert a == [1.0]\nassert b == [2.0]",
                    "a, b = concurrently(f, f)\n"),
    "threads that have numbers": ("with thread():\n    n = this_thread()\nx = tensor([n])\nassert x == [1]",
                                  "    concurrently(block)\n"),
    "texts": ('x = tensor([1.0])\nwith raises("no-graph"):\n    with messages() as told:\n        x.backward()\n'
              'assert "grad" in told[0]', "with messages() as told:"),
    "memory": ("x = tensor([1.0])\nw = weak(x)\nassert alive(w)\ndel x\nassert not alive(w)", "w = weakref.ref(x)"),
    "at once": ("x = tensor([1.0])\nw = weak(x)\nwith without_collector():\n    assert alive(w)\n    del x\n"
                "    assert not alive(w)", "with without_collector():"),
}  # fmt: skip


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """A case for each way to expect something."""
    programs = {name: program for name, (program, _) in WAYS.items()}
    spec = load_spec(spec_of_programs(tmp_path_factory.mktemp("ways") / "spec", programs))
    return {case.name: case for case in spec.cases}


@pytest.mark.parametrize("impl", ["torch", "reference"])
def test_each_way_to_expect_something(ways: dict[str, Case], impl: str, tmp_path: Path) -> None:
    """Each is written as a person would, runs, and brings along nothing that it does not use."""
    if impl == "torch":
        pytest.importorskip("torch")
    scripts = {name: script_of(case, impl, KINDS) for name, case in ways.items()}
    for name, (_, line) in WAYS.items():
        assert line in scripts[name], scripts[name]
        defined = set(re.findall(r"^def (\w+)", scripts[name], re.MULTILINE))
        for function in defined:
            assert len(re.findall(rf"\b{function}\b", scripts[name])) > 1, (name, function)
    for name, (printed, error) in run_scripts(scripts, tmp_path).items():
        assert error == "", (name, error)
        assert printed.endswith(HOLDS + "\n")


def test_each_way_can_fail(ways: dict[str, Case], tmp_path: Path) -> None:
    """No assert of a script is one that cannot fail: on values that differ, each of them does."""
    pytest.importorskip("torch")
    spoilt = {}
    for name, old, new in (
        ("number", "tensor(3.0)", "tensor(3.5)"), ("rounding", "[0.0]", "[0.5]"),
        ("dtype", "tensor([1.0])", "tensor([1])"), ("shape", "tensor([1.0])", "tensor([1.0, 2.0])"),
        ("none", "([1.0])", "([1.0]); x.grad = torch.tensor([1.0])"),
        ("flag", "tensor([1.0])", "tensor([1.0], requires_grad=True)"), ("same", "y = x", "y = x * 2"),
        ("other", "x * 2", "x"), ("either", "tensor([1.0])", "tensor([2.0])"), ("part", "str(x)", "''"),
        ("booleans", "tensor([True, False])", "tensor([1.0, 0.0])"), ("pair", "x + 0", "x + 1"),
        ("tuple", "x * 2", "x * 3"), ("calls", "x * 2", "x * 3"),
        ("refusal", "tensor([1.0])", "tensor([1.0], requires_grad=True)"),
        ("warning", "y.grad", "x.grad"), ("thread", "x * 2", "x * 3"), ("concurrency", "(f, f)", "(lambda: None, f)"),
        ("threads that have numbers", "run_in_thread(_thread_1)", "_thread_1()"), ("memory", "del x", "y = x; del x"),
        ("at once", "del x", "y = x; del x"), ("texts", "texts.append(str(error))", "texts.append('')"),
        ("quiet", "x = torch.tensor([1.0])", "x = torch.tensor([1.0]); warnings.warn('so')"),
    ):  # fmt: skip
        text = script_of(ways[name], "torch", KINDS)
        assert old in text.partition("import torch")[2], name
        spoilt[name] = text.replace(old, new, 1)
    assert spoilt.keys() == ways.keys()
    for name, (printed, error) in run_scripts(spoilt, tmp_path).items():
        assert "AssertionError" in error, (name, printed, error)


FAIL = {
    "a shape without elements": "x = zeros(0, 3)\nassert x == []",
    "a shape without elements, of a pair": "assert zeros(0, 3) == zeros(0, 2)",
    "shapes without elements, in a tuple": "assert (zeros(2), zeros(0, 3)) == ([0.0, 0.0], [])",
    "a tensor of one element": "x = tensor([3.0])\nassert x == 3.0",
    "booleans for numbers": "x = tensor([True])\nassert x == [1.0]",
    "numbers for booleans": "x = tensor([1.0, 0.0])\nassert x == [True, False]",
    "a boolean for a number": "x = tensor(1.0)\nassert x.requires_grad == 0",
    "a number for a boolean": "x = tensor(1.0)\nassert x.item() == True",
    "a boolean among rounded numbers": "x = exp(tensor([0.0]))\nassert [x > 0, x] == [[1.0], [1.0]]",
    "one of several": "x = tensor([True])\nassert x == either([0.0], [1.0])",
    "a boolean in order": "x = tensor(1.0)\nassert x.is_leaf > 0",
    "a boolean in a list": "x = tensor([1.0])\nassert 1 in [x.is_leaf]",
    "no boolean in a list": "x = tensor([1.0])\nassert True not in [x.is_leaf]",
    "a loop that never runs": "x = tensor([1.0])\nfor i in range(0):\n    assert x == [2.0]",
    "a hook that never runs": (
        "x = tensor([1.0], requires_grad=True)\ndef f(g):\n    assert g == [2.0]\nx.register_hook(f)"
    ),
    "a choice not taken": "x = tensor([1.0])\nif x.requires_grad:\n    assert x == [2.0]",
    "a block that never begins": (
        'x = tensor([1.0])\nfor i in range(0):\n    with raises("no-graph"):\n        x.backward()'
    ),
    "behind an error": (
        'x = tensor([1.0])\nwith raises("no-graph"):\n    x.backward()\n    assert x == [1.0]'
    ),
    "within an error": 'x = tensor([1.0])\nwith raises("no-graph"):\n    assert x == [2.0]\n    x.backward()',
    "another error": 'x = tensor([1.0])\nwith raises("graph-freed"):\n    x.backward()',
    "another error, where one may be": 'x = tensor([1.0])\nwith may_raise("graph-freed"):\n    x.backward()',
    "the program's own error": 'x = tensor([1.0])\nwith raises("no-graph"):\n    stop("does not require grad")',
    "an error for the program's own": 'x = tensor([1.0])\nwith raises("user"):\n    x.backward()',
    "another warning": (
        'x = tensor([1.0], requires_grad=True)\ny = x * 2\nwith warns("deprecated"):\n    y.grad'
    ),
}
PASS = {
    "no elements": "x = zeros(0, 3)\nassert zeros(0) == []\nassert x == zeros(0, 3)\nassert x != []",
    "a tensor of no dimensions": "x = tensor(1.0)\nassert x == 1\nassert x > 0\nassert 1 in [x]",
    "an error that may be": (
        'x = tensor([1.0])\nwith may_raise("no-graph"):\n    x.backward()\n    assert x == [2.0]\n'
        "assert x == [1.0]"
    ),
    "the program's own error": 'with raises("user"):\n    stop("so")\nassert tensor([1.0]) == [1.0]',
    "a loop and a hook": (
        "x = tensor([1.0], requires_grad=True)\ndef f(g):\n    assert g == [2.0]\nx.register_hook(f)\n"
        "for i in range(2):\n    (x * 2).backward()\n    assert x.is_leaf"
    ),
    "names of a script": (
        "print = tensor([1.0])\nassert print == [1.0]\nwarnings = 1\nwith quiet():\n    notes = 2\n"
        'trace("a", print)\nassert traced() == [("a", [1.0])]\nassert warnings + notes == 3'
    ),
    "names of functions and parameters": (
        "def same(tells, *, str=2.0):\n    return tells * str\nre = tensor([1.0], requires_grad=True)\n"
        "found = same(re, str=3.0)\nassert found == [3.0]\nassert same(re, **{'str': 1.0}) == [1.0]\n"
        "with raises('graph-freed'):\n    found.backward()\n    found.backward()\nassert re == [1.0]"
    ),
    "names assigned in a thread": (
        "error = tensor([1.0])\nwith thread():\n    error = tensor([2.0])\n"
        "with raises('no-graph'):\n    error.backward()\nassert error == [2.0]"
    ),
    "the names of the engine and of kept modules": (
        "torch = tensor([inf])\nmath = torch * 2\nengine = 1\nassert math == [inf]\nassert engine == 1"
    ),
}  # fmt: skip


@pytest.mark.parametrize("impl", ["reference", "torch", "module:gradspec.reference_impl"])
def test_a_script_fails_exactly_where_the_verdict_does(impl: str, tmp_path: Path) -> None:
    if impl == "torch":
        pytest.importorskip("torch")
    programs = {
        f"{name}, it {sort}": program
        for sort, table in (("fails", FAIL), ("passes", PASS))
        for name, program in table.items()
    }
    root = spec_of_programs(tmp_path / "spec", programs)
    verdicts = verdicts_on(impl, root)
    scripts = {case.name: script_of(case, impl, KINDS) for case in load_spec(root).cases}
    found = run_scripts(scripts, tmp_path)
    lenient = {
        "another error",
        "another error, where one may be",
        "the program's own error",
        "an error for the program's own",
    }
    for name, verdict in verdicts.items():
        short, _, sort = name.rpartition(", it ")
        if impl.startswith("module:") and sort == "fails" and short in lenient:
            continue  # the judge knows its messages better than a script can
        assert verdict.verdict == sort.removesuffix("s").removesuffix("e"), (name, verdict)
        printed, error = found[name]
        told = f"{scripts[name]}\n{printed}{error}\n{verdict.message}"
        assert printed.endswith(HOLDS + "\n") is (sort == "passes"), told
        assert bool(error) is (sort == "fails"), told


def test_an_engine_without_autograd_grad_is_differentiated_by_backward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script asks no more of the engine than the suite did."""
    monkeypatch.syspath_prepend(REPOSITORY / "tests" / "adapters")
    cases = {case.id: case for case in load_spec().cases}
    chosen = [case for case in cases.values() if case.program.words == ("tensor", "vjp")]
    session = open_session(Options("module:toy_engine"))
    passing = [case for case in chosen if session.run_case(case).verdict == "pass"][:5]
    session.close()
    assert len(passing) == 5
    scripts = {case.id: script_of(case, "module:toy_engine") for case in passing}
    folder = REPOSITORY / "tests" / "adapters"
    found = run_scripts(scripts, tmp_path, PYTHONPATH=str(folder))
    for case, (printed, error) in found.items():
        assert (printed, error) == (HOLDS + "\n", ""), scripts[case]
        assert "autograd" not in scripts[case]


def test_a_method_keeps_the_name_by_which_the_engine_calls_it() -> None:
    """Though a helper may have that name too."""
    tangents = [
        case
        for case in load_spec().cases
        if case.behavior.id == "forward_mode.custom-function-memory-of-tangents"
    ]
    assert all("def jvp(ctx" in script_of(case, "torch") for case in tangents)


def test_a_torch_script_needs_nothing_of_ours() -> None:
    """And no variable of a program takes the name of a helper that stands above it."""
    for case in [case for case in load_spec().cases if case.behavior.chapter != "laws"][::19]:
        text, program = script_of(case, "torch"), case.program.tree
        assert "gradspec" not in text
        assert case.id in text
        tree = ast.parse(text)
        helpers = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        own = {node.name for node in ast.walk(program) if isinstance(node, ast.FunctionDef)}
        taken = {node.id for node in ast.walk(program)
                 if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
        assert not (helpers - own) & taken, case.id
        imported = {
            alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names
        }
        for name in imported:
            assert text.count(name) > 1, (case.id, name)


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


def test_forward_mode_of_an_engine_in_another_environment_needs_no_levels() -> None:
    case = next(case for case in load_spec().cases if "jvp(" in case.text and "f(" not in case.text)
    script = script_of(case, "module:not_installed_here", load_spec().kinds)
    assert "return not_installed_here.func.jvp(" in script
    compile(script, case.id, "exec")
    assert "func.jvp(" not in script_of(case, "torch", load_spec().kinds)


def test_inputs_are_viewed_only_where_the_engine_is_known_to_have_view_as() -> None:
    case = next(
        case for case in load_spec().cases if case.id == "joining.cat/last-dim-second-order"
    )
    script = script_of(case, "module:not_installed_here", load_spec().kinds)
    assert 'x.view_as(x) if hasattr(x, "view_as") else x.reshape(x.shape)' in script
    compile(script, case.id, "exec")
    assert 'hasattr(x, "view_as")' not in script_of(case, "torch", load_spec().kinds)
