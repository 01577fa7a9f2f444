"""A specification is data: a hostile folder is refused in its place, or costs each of its cases one
verdict. It runs no code, reaches no file, and takes neither the time nor the memory of who runs it.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from folders import behavior, chapter, load_folder, make_folder, problems_of, verdict_of
from gradspec.conformance.reporting.repro import script_of
from gradspec.conformance.running.runner import Options, open_session
from gradspec.spec.reading.folder import ROOT
from gradspec.spec.reading.yaml_reader import MAX_BYTES
from suite_kit import gradspec

SECONDS = 10.0
"""What a hostile folder may take of the processor's time."""
HOSTILE = Path(__file__).with_name("hostile")
POROUS = "module:porous"
VOCABULARY = (ROOT / "vocabulary.yaml").read_text("utf-8")


@pytest.fixture(autouse=True)
def bounded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """End a test that hangs, and let the porous engine be imported."""

    def late(*_: Any) -> None:
        raise AssertionError("the hostile folder takes for ever")

    monkeypatch.syspath_prepend(str(HOSTILE))
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    begun = time.process_time()
    try:
        yield
        assert time.process_time() - begun < SECONDS
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def with_words(program: str, **words: str) -> dict[str, str | bytes]:
    """A folder's files: a vocabulary with more words in it, and a chapter of one program."""
    added = "".join(f"  {role}: {{{name}: A word.}}\n" for role, name in words.items())
    extended = f"{VOCABULARY}\n- feature: arrays\n{added}"
    return {"vocabulary.yaml": extended, **chapter(behavior(program))}


def told_of(root: Path) -> str:
    """What is wrong with a folder, in one text."""
    return "\n".join(map(str, problems_of(root)))


# --- names that no vocabulary may hold ---

INSIDES = (
    "gi_frame", "gi_code", "gi_yieldfrom", "cr_frame", "cr_await", "ag_frame", "f_back", "f_globals",
    "f_builtins", "f_locals", "f_code", "tb_frame", "tb_next", "co_code", "co_consts", "func_globals",
    "im_func", "mro", "format", "format_map", "with_traceback", "cell_contents", "fget", "func",
)  # fmt: skip


@pytest.mark.parametrize("role", ["attributes", "methods", "functions", "keywords"])
@pytest.mark.parametrize("name", INSIDES)
def test_the_interpreters_insides_are_no_words(name: str, role: str, tmp_path: Path) -> None:
    program = "x = tensor([1.0])\nassert x == [1.0]"
    root = make_folder(tmp_path / "spec", with_words(program, **{role: name}))
    (problem,) = problems_of(root)
    assert "gives access to the interpreter" in problem.message
    assert problem.place.file.endswith("vocabulary.yaml")
    assert problem.place.line == VOCABULARY.count("\n") + 3


@pytest.mark.parametrize("name", ["grad.func", "func.func", "func.gi_frame", "func.grad.func"])
def test_func_is_a_group_of_words_and_nothing_else(name: str, tmp_path: Path) -> None:
    program = "assert tensor([1.0]) == [1.0]"
    root = make_folder(tmp_path / "spec", with_words(program, functions=name))
    assert "gives access to the interpreter" in told_of(root)
    root = make_folder(tmp_path / "transforms", with_words(program, functions="func.grad"))
    assert "gives access to the interpreter" not in told_of(root)


@pytest.mark.parametrize("name", ["__globals__", "_private", "__class__", "os.__dict__", "a._b"])
def test_private_names_are_not_well_formed(name: str, tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", with_words("assert tensor([1.0]) == [1.0]", methods=name))
    assert "is not well formed" in told_of(root)


@pytest.mark.parametrize(
    "name",
    ["eval", "exec", "open", "compile", "getattr", "setattr", "globals", "vars", "input", "breakpoint",
     "builtins.open", "importlib.import_module", "os__system", "autograd__grad"],
)  # fmt: skip
def test_what_runs_code_by_its_name_is_no_word(name: str, tmp_path: Path) -> None:
    root = make_folder(
        tmp_path / "spec", with_words("assert tensor([1.0]) == [1.0]", functions=name)
    )
    assert "gives access to the interpreter" in told_of(root)


# --- keywords, however they are given ---

KEYWORDS = {
    "a word of nobody": "x = tensor([1.0], **{'pin_memory': False})",
    "one from the case's table": "x = tensor([1.0], **given)",
    "one among words": "x = tensor([1.0], **{'requires_grad': True, 'pin_memory': False})",
    "where it must be rejected": "with raises('wrong-type'):\n    x = tensor([1.0], **{'pin_memory': 1})",
    "by way of a call": "x = call(tensor, [1.0], **{'pin_memory': False})",
    "by another name of the function": "f = tensor\nx = f([1.0], pin_memory=False)",
    "by a name that is bound twice": (
        "def f(pin_memory):\n    return pin_memory\nf = tensor\nx = f([1.0], pin_memory=False)"
    ),
    "by a name that a loop binds again": (
        "def f(**k):\n    return k\nfor f in [tensor]:\n    x = f([1.0], pin_memory=False)"
    ),
    "by a parameter": "def g(f):\n    return f([1.0], pin_memory=False)\nx = g(tensor)",
    "by a parameter that hides a function": (
        "def f(**k):\n    return k\ndef g(f):\n    return f([1.0], pin_memory=False)\nx = g(tensor)"
    ),
    "by a decorated function": "@tensor\ndef f(**k):\n    return k\nx = f(pin_memory=False)",
    "by a class": "class F(nn.Module):\n    pass\nx = F(pin_memory=False)",
    "out of a variable": "d = {'pin_memory': False}\nx = tensor([1.0], **d)",
    "out of a function's own keywords": (
        "def f(**k):\n    return tensor([1.0], **k)\nx = f(pin_memory=False)"
    ),
    "out of a choice": "x = tensor([1.0], **({'pin_memory': False} if traced() else {}))",
    "with a computed name": "x = tensor([1.0], **{'pin' + '_memory': False})",
    "a private one": "x = tensor([1.0], **{'__class__': True})",
    "a private one of a function of its own": (
        "def f(**k):\n    return tensor([1.0])\nx = f(**{'__globals__': 1})"
    ),
    "a private one that is named": "def f(**k):\n    return tensor([1.0])\nx = f(_globals=1)",
}


@pytest.mark.parametrize("name", KEYWORDS)
def test_a_keyword_is_a_word_however_it_is_given(name: str, tmp_path: Path) -> None:
    program = "each: {given: [\"{'pin_memory': False}\"]}\nprogram: |\n"
    lines = [*KEYWORDS[name].split("\n"), "assert x == [1.0]", "assert given is None"]
    program += "".join(f"  {line}\n" for line in lines)
    root = make_folder(tmp_path / "spec", chapter(behavior(program)))
    wanted = r"is not in the vocabulary|starts with an underscore|only a dict literal"
    assert re.search(wanted, told_of(root)), told_of(root)


@pytest.mark.parametrize("block", ["", "with raises('wrong-type'):\n    "])
def test_an_unpacked_keyword_of_the_folders_own_is_not_trusted(block: str, tmp_path: Path) -> None:
    program = f"{block}x = tensor([1.0], **{{'pin_memory': False}})\nassert tensor(1.0) == 1.0"
    root = make_folder(tmp_path / "spec", with_words(program, keywords="pin_memory"))
    (case,) = load_folder(root).cases
    assert case.program.strangers == ("pin_memory",)
    verdict = verdict_of(root, "reference")
    assert verdict.verdict == "unsupported"
    assert "pin_memory" in verdict.message


# --- words that reach beyond the engine ---

FOREIGN = {
    "a function of a module that the engine imports": ("os.system", 'os.system("touch MARKER")'),
    "a function that the engine imports": ("system", 'system("touch MARKER")'),
    "the same by another name": ("spawn", 'spawn("touch MARKER")'),
    "a builtin by another name": ("read", 'read("MARKER", "w")'),
    "a module of processes": ("subprocess.run", 'subprocess.run(["touch", "MARKER"])'),
    "the interpreter's modules": ("sys.modules", "sys.modules"),
    "a call that is half done": ("half_done", 'half_done("touch MARKER")'),
    "a namespace of the engine's": ("tools.run", 'tools.run("touch MARKER")'),
    "a method of the interpreter's own object": ("output", 'output("hello")'),
    "a class of another package": ("Path", 'Path("MARKER")'),
    "NumPy's way to files": ("np.fromfile", 'np.fromfile("MARKER")'),
    "NumPy's way to files, imported": ("fromfile", 'fromfile("MARKER")'),
    "NumPy through its alias": ("np.lib.npyio.DataSource", "np.lib.npyio.DataSource()"),
    "a module as a word": ("os", "os"),
    "what the engine does not have": ("rmtree", 'rmtree("/")'),
}


@pytest.mark.parametrize("trust_words", [False, True])
@pytest.mark.parametrize("attack", FOREIGN)
def test_no_word_reaches_another_package(
    attack: str, trust_words: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, call = FOREIGN[attack]
    monkeypatch.chdir(tmp_path)
    program = f"x = tensor([1.0])\ny = {call}\nassert x == [1.0]"
    root = make_folder(tmp_path / "spec", with_words(program, functions=name))
    verdict = verdict_of(root, POROUS, trust_words=trust_words)
    assert verdict.verdict == "unsupported", verdict.message
    assert name in verdict.message
    assert not Path("MARKER").exists()


@pytest.mark.parametrize("name", ["inner_module", "inner_frame", "inner_code"])
@pytest.mark.parametrize("trust_words", [False, True])
def test_no_attribute_gives_an_object_of_the_interpreter(
    name: str, trust_words: bool, tmp_path: Path
) -> None:
    program = f"x = tensor([1.0])\nassert x.{name} == 7.0"
    root = make_folder(tmp_path / "spec", with_words(program, attributes=name))
    verdict = verdict_of(root, POROUS, trust_words=trust_words)
    assert verdict.verdict == "unsupported", verdict.message


@pytest.mark.parametrize("isolate", [False, True])
def test_a_word_of_the_engines_own_runs_where_it_is_trusted(isolate: bool, tmp_path: Path) -> None:
    files = with_words("assert twice(tensor([1.0])) == [2.0]", functions="twice")
    root = make_folder(tmp_path / "spec", files)
    options: dict[str, Any] = {"isolate": isolate} if isolate else {}
    os.environ["PYTHONPATH"], before = str(HOSTILE), os.environ.get("PYTHONPATH")
    try:
        refused = verdict_of(root, POROUS, **options)
        trusted = verdict_of(root, POROUS, trust_words=True, **options)
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)
    assert refused.verdict == "unsupported"
    assert "--trust-words" in refused.message
    assert trusted.verdict == "pass", trusted.message


def test_an_attribute_of_the_engines_own_runs_where_it_is_trusted(tmp_path: Path) -> None:
    files = with_words("assert tensor([1.0]).inner_number == 7.0", attributes="inner_number")
    root = make_folder(tmp_path / "spec", files)
    assert verdict_of(root, POROUS).verdict == "unsupported"
    assert verdict_of(root, POROUS, trust_words=True).verdict == "pass"


ENGINES_OWN = {
    "loads a pickle": ("functions", "load", 'load("evil.pt")'),
    "writes a file": ("functions", "save", 'save(tensor([1.0]), "MARKER")'),
    "runs a repository": ("functions", "hub.load", 'hub.load(".", "evil")'),
    "loads a library": ("functions", "ops.load_library", 'ops.load_library("evil.so")'),
    "through its own imports": ("functions", "serialization.os.system", 'serialization.os.system("touch MARKER")'),
    "maps a file": ("functions", "from_file", 'from_file("MARKER", True, 8)'),
    "writes through NumPy": ("methods", "tofile", 'tensor([1.0]).numpy().tofile("MARKER")'),
    "pickles through NumPy": ("methods", "dump", 'tensor([1.0]).numpy().dump("MARKER")'),
    "takes a dangerous option": ("keywords", "weights_only", "deepcopy(tensor([1.0]), weights_only=False)"),
}  # fmt: skip


@pytest.mark.parametrize("attack", ENGINES_OWN)
def test_what_the_engine_itself_does_to_files_is_not_asked_for(
    attack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    role, name, call = ENGINES_OWN[attack]
    monkeypatch.chdir(tmp_path)
    program = f"x = {call}\nassert tensor([1.0]) == [1.0]"
    root = make_folder(tmp_path / "spec", with_words(program, **{role: name}))
    verdict = verdict_of(root, "torch" if find_spec("torch") else "reference")
    assert verdict.verdict == "unsupported"
    assert "--trust-words" in verdict.message
    assert not Path("MARKER").exists()


def test_a_word_of_ours_in_another_role_is_a_strangers(tmp_path: Path) -> None:
    files = with_words("assert tensor([1.0]).inverse == [1.0]", attributes="inverse")
    assert load_folder(make_folder(tmp_path / "spec", files)).vocabulary.strangers == ("inverse",)


def test_our_own_words_are_no_strangers(tmp_path: Path) -> None:
    files = {
        "vocabulary.yaml": VOCABULARY + "\n# copied\n",
        **chapter(behavior("assert tensor([1.0]) == [1.0]")),
    }
    spec = load_folder(make_folder(tmp_path / "spec", files))
    assert spec.vocabulary.strangers == ()
    assert not any(case.program.strangers for case in spec.cases)


# --- formulas ---

OPERATIONS = """
title: Sample
introduction: Operations for a test.
operations:
  - id: sample.one
    gives: a value
    documented: torch.sin
    operands: {{x: {operand}}}
    call: sin(x)
    value: {value}
    gradient: {{x: {gradient}}}
"""


def operations(
    value: str = "sin(x)", gradient: str = "g * cos(x)", operand: str = "{between: [0.5, 3]}"
) -> dict[str, str | bytes]:
    """A folder's files with one operation."""
    quoted = {"value": f"'{value}'", "gradient": f"'{gradient}'", "operand": operand}
    return {"ops/sample.yaml": OPERATIONS.format(**quoted)}


FORMULAS = {
    "a tower of powers": "x * 9**9**9**9",
    "a power of a power": "x * (9**9)**(9**9)",
    "a shift": "x + (1 << 10**10)",
    "a shape beyond memory": "x * zeros(10**11).sum",
    "zeros": "x + zeros(100000000000)",
    "zeros of many dimensions": "x + sum(zeros((99, 99, 99, 99, 99)))",
    "zeros by a keyword": "x + sum(zeros(shape=100000000000))",
    "zeros like, of another shape": "x + sum(zeros_like(x, shape=(100000, 100000)))",
    "ones in steps": "x + sum(ones((60, 60, 60)))",
    "a range": "x * len(range(10**12))",
    "a tuple of a range": "x * len(tuple(range(10**9)))",
    "arange of a float": "x + sum(arange(1e12))",
    "arange in small steps": "x + sum(arange(0.0, 1.0, 1e-12))",
    "arange by the values": "x + sum(arange(0.0, 1e9 * max(x)))",
    "a repeated list": "x + sum([0] * 10**10)",
    "a repeated tuple": "x + sum(10**10 * (0.0, 1.0))",
    "repeated text": "x + len(\"a\" * 10**10)",
    "formatted text": "x + len(\"%9999999999d\" % 1)",
    "tile": "x + sum(tile(x, 10**9))",
    "repeat": "x + sum(repeat(x, 10**9))",
    "repeat as often as the values say": "x + sum(repeat(x, array([10**9])))",
    "eye": "x + sum(eye(10**6))",
    "identity": "x + sum(identity(10**6))",
    "a square matrix": "x + sum(eye(12000))",
    "a square identity": "x + sum(identity(12000))",
    "a square matrix by a keyword": "x + sum(eye(N=12000))",
    "diag, beside the diagonal by a keyword": "x + sum(diag(ravel(x), k=12000))",
    "diag, beside the diagonal": "x + sum(diag(ravel(x), 10**6))",
    "kron on kron": "x + sum(kron(kron(kron(kron(x, x), x), x), kron(x, x)))",
    "outer on outer": "x + sum(outer(outer(outer(x, x), outer(x, x)), outer(x, x)))",
    "meshgrid": "x + sum(stack(meshgrid(x, x, x, x, x, x, x, x, x)))",
    "broadcast": "x + sum(broadcast_to(0.0, (99999, 99999)) + 0)",
    "einsum": "x + einsum(\"ab,cd,ef,gh,ij,kl,mn,op,qr->\", x, x, x, x, x, x, x, x, x)",
    "einsum that looks for the best way": "x + einsum(\"ab->\", x, optimize=\"optimal\")",
    "differences without end": "x + sum(diff(x, 10**9))",
    "many parts": "x + len(array_split(x, 10**9))",
    "a loop within a function": "x + multigammaln(5.0, 10**9)",
    "doubling": "+".join(["sum(concatenate((x, x)))"] * 4) + "+" + "concatenate((" * 14 + "x,) * 2)" + ",) * 2)" * 13,
    "objects": "x + sum(array([1], dtype=\"O\"))",
    "a type of a billion characters": "x + sum(zeros(3, \"U999999999\"))",
    "a function as a value": "x + sum(array([sin, cos]))",
    "None as a value": "x + sum(array([newaxis]))",
    "an index that grows": "x + sum(x[zeros((9, 9, 9, 9), dtype=\"int\")])",
    "deep nesting": "(" * 90 + "x" + ")" * 90 + "-" * 500 + "x",
    "a long chain": "x" + ".T" * 280,
    "too many parts": "x" + "+x" * 280,
    "an attribute": "x.__class__",
    "a lambda": "(lambda: x)()",
    "a comprehension": "sum([y for y in x])",
    "writing into an operand": "add_at(x.shape, 0, x) + sum(x, out=x)",
    "an unknown name": "open(\"/etc/passwd\")",
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("part", ["value", "gradient"])
def test_formulas_are_bounded(name: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "spec" / "ops").mkdir(parents=True)
    root = make_spec_of_operations(tmp_path, operations(**{part: FORMULAS[name]}))
    assert told_of(root).count("sample.yaml:5:") or told_of(root).count("sample.yaml:1")


def make_spec_of_operations(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A folder with our own tables and a file of operations."""
    root = folder / "other"
    (root / "ops").mkdir(parents=True)
    return make_folder(root, files)


def test_the_sample_operation_is_well_formed(tmp_path: Path) -> None:
    root = make_spec_of_operations(tmp_path, operations())
    assert told_of(root) == ""
    assert len(load_folder(root).cases) > 4


OPERANDS = {
    "a shape beyond memory": "{shape: [1000000, 1000000]}",
    "many dimensions": "{shape: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}",
    "a negative shape": "{shape: [-1]}",
    "no integer": "{shape: [.inf]}",
    "no number": "{shape: [.nan]}",
    "a domain without end": "{between: [-1.0e300, 1.0e300]}",
    "an infinite domain": "{between: [0, .inf]}",
    "a narrow domain for many": "{between: [0, 1], shape: [200]}",
    "literal values nested deeply": "{values: '" + "[" * 900 + "]" * 900 + "'}",
    "literal values without end": "{values: '" + "-" * 3000 + "1'}",
    "many literal values": "{values: '" + "[" + "1," * 1500 + "]'}",
}


@pytest.mark.parametrize("name", OPERANDS)
def test_operands_are_bounded(name: str, tmp_path: Path) -> None:
    root = make_spec_of_operations(tmp_path, operations(operand=OPERANDS[name]))
    assert "sample.yaml:" in told_of(root)


def test_the_formulas_of_a_file_are_bounded_together(tmp_path: Path) -> None:
    entry = OPERATIONS.format(
        operand="{shape: [30], between: [1, 900]}",
        value="'" + "sin(" * 40 + "x" + ")" * 40 + "'",
        gradient="'" + "sin(" * 40 + "x" + ")" * 40 + "'",
    )
    head, _, one = entry.partition("operations:\n")
    many = "".join(one.replace("sample.one", f"sample.n{number}") for number in range(200))
    root = make_spec_of_operations(tmp_path, {"ops/sample.yaml": f"{head}operations:\n{many}"})
    assert "too expensive in total" in told_of(root)


# --- patterns ---

PATTERNS = (
    r"(a+)+$", r"(a*)*b", r"(a|aa)+$", r"(.*)*x", r"((a|b)+c?)+$", r"(?:a+)+", r"(a+)+?b", r"(?:x+x+)+y",
    r".*.*.*x", r"a*a*a*a*b", r"(.*)\1", r"(?P<n>a+)(?P=n)", r"(?=a*)a*b", r"(?<!a)a+", r"(a{1,9}){1,9}b",
    r"(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)b", "a?" * 30 + "a" * 30,
    r"(?:a?){8}(?:a?){8}(?:a?){8}b", r"a{1,999999999}{1,999}", "x" * 400,
)  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_without_end_are_refused(pattern: str, tmp_path: Path) -> None:
    errors = (ROOT / "errors.yaml").read_text("utf-8")
    kind = f"  trap:\n    meaning: A trap.\n    must_tell: Nothing.\n    patterns: ['{pattern}']\n"
    head, line, rest = errors.partition("refusals:\n")
    files = {
        "errors.yaml": head + line + kind + rest,
        **chapter(behavior("assert tensor([1.0]) == [1.0]")),
    }
    told = told_of(make_folder(tmp_path / "spec", files))
    assert "may take too long" in told or "is not a regular expression" in told
    assert f"errors.yaml:{head.count(chr(10)) + 5}:" in told


@pytest.mark.parametrize("pattern", [r"a+b", r"(view|base).*changed in[- ]place", r"\bno graph\b"])
def test_ordinary_patterns_are_not_refused(pattern: str, tmp_path: Path) -> None:
    errors = (ROOT / "errors.yaml").read_text("utf-8")
    kind = f"  trap:\n    meaning: A trap.\n    must_tell: Nothing.\n    patterns: ['{pattern}']\n"
    program = 'with raises("trap"):\n    stop("' + "a" * 3900 + '")'
    files = {
        "errors.yaml": errors.replace("refusals:\n", f"refusals:\n{kind}"),
        **chapter(behavior(program)),
    }
    assert verdict_of(make_folder(tmp_path / "spec", files), POROUS).verdict in ("pass", "fail")


# --- programs and tables ---

PROGRAMS = {
    "a tower of powers": "y = tensor([1.0]) * 9**9**9",
    "a tower in an index": "y = tensor([1.0])[9**9**9]",
    "a shift": "y = tensor([1.0]) * (1 << 10**10)",
    "a repeated list": "y = tensor([0.0] * 10**10)",
    "a list repeated twice": "y = tensor([0.0] * 10**4 * 10**4)",
    "repeated text": 'stop("a" * 10**10)',
    "a list of a range": "y = list(range(10**10))",
    "both sides from the engine": "y = tensor([1.0])\nassert y == y * 9**9**9",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_literals_of_programs_are_bounded(name: str, tmp_path: Path) -> None:
    program = f"{PROGRAMS[name]}\nx = tensor([1.0])\nassert x == [1.0]"
    told = told_of(make_folder(tmp_path / "spec", dict(chapter(behavior(program)))))
    assert "sample.yaml:9:" in told or "sample.yaml:10:" in told
    assert "too large" in told or "a range has at most" in told


def test_a_table_does_not_explode(tmp_path: Path) -> None:
    columns = "\n".join(f"  c{n}: [{', '.join(map(str, range(90)))}]" for n in range(12))
    case = f"each:\n{columns}\nprogram: |\n  assert tensor([1.0]) == [1.0]"
    told = told_of(make_folder(tmp_path / "spec", dict(chapter(behavior(case)))))
    assert "500 are allowed" in told


def test_a_file_has_so_many_cases_and_no_more(tmp_path: Path) -> None:
    values = ", ".join(map(str, range(2, 22)))
    case = f"each: {{a: [{values}], b: [{values}]}}\nprogram: |\n  assert tensor([a]) == [b]"
    behaviors = [behavior(case, id=f"sample.n{n}") for n in range(20)]
    root = make_folder(tmp_path / "spec", dict(chapter(*behaviors)))
    signal.alarm(300)
    (problem,) = problems_of(root)
    assert "more than 5000 cases" in problem.message


@pytest.mark.parametrize(
    "program",
    [
        "import os", "eval = 1", "x = __import__", "x = open", "exec('1')", "x = [].__class__",
        "def f(a=__builtins__):\n    return a", "class A(object):\n    pass", "x = (lambda: 1).__globals__",
        "assert '{0.__class__}'.format(1) == ''", "observe(0, 1)", "x = get_attribute", "global x",
        "class A(nn.Module):\n    eval = eval\nassert A is A", "async def f():\n    pass", "f'{1}'",
        "class A(nn.Module):\n    def __reduce__(self):\n        return 1\nassert A is A",
        "with raises('x') as e:\n    pass", "try:\n    pass\nexcept Exception as e:\n    pass",
    ],
)  # fmt: skip
def test_programs_reach_no_builtin(program: str, tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(chapter(behavior(program))))
    assert "behaviors/sample.yaml:" in told_of(root)


# --- files ---

WELL = chapter(behavior("x = tensor([1.0])\nassert x == [1.0]"))


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("vocabulary.yaml", "errors.yaml", "behaviors/sample.yaml", "behaviors/order.txt"):
        root = make_folder(tmp_path / name.replace("/", "-"), dict(WELL))
        (root / name).unlink(missing_ok=True)
        os.mkfifo(root / name)
        assert "expected a file" in told_of(root), name


def test_a_folder_or_a_device_in_the_place_of_a_file(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(WELL))
    (root / "behaviors" / "folder.yaml").mkdir()
    (root / "behaviors" / "zero.yaml").symlink_to("/dev/zero")
    (root / "behaviors" / "loop.yaml").symlink_to("loop.yaml")
    told = told_of(root)  # what a link out of the folder leads to is not read at all
    assert "zero.yaml:1:1: expected a file in the folder, found a link" in told
    (root / "behaviors" / "zero.yaml").unlink()
    told = told_of(root)
    assert "folder.yaml:1:1: expected a file, found something else" in told
    assert "loop.yaml:1:1: the file cannot be read" in told


def test_a_file_of_a_terabyte_is_not_read(tmp_path: Path) -> None:
    for name in ("vocabulary.yaml", "behaviors/sample.yaml", "behaviors/order.txt"):
        root = make_folder(tmp_path / name.replace("/", "-"), dict(WELL))
        with (root / name).open("wb") as file:
            file.truncate(1 << 40)
        assert f"{MAX_BYTES} are allowed" in told_of(root), name


def test_a_large_file_beside_the_tables_is_not_read(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(WELL))
    with (root / "other.yaml").open("wb") as file:
        file.truncate(1 << 40)
    assert told_of(root) == ""


@pytest.mark.parametrize(
    "name", ["x\nimport os", "x; y", "-x", "X", "a.b", "x y", "x\u2028y", "\x1b[2J", "x" * 100]
)
def test_the_name_of_a_file_is_a_word(name: str, tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(WELL))
    (root / "behaviors" / "sample.yaml").rename(root / "behaviors" / f"{name}.yaml")
    assert "the name of this file is not well formed" in told_of(root)


def test_a_folder_has_so_many_files_and_no_more(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(WELL))
    for number in range(300):
        (root / "behaviors" / f"c{number}.yaml").write_text("")
    assert "301 files" in told_of(root)


def test_the_files_of_a_folder_are_bounded_together(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(WELL))
    for number in range(20):
        with (root / "behaviors" / f"c{number}.yaml").open("wb") as file:
            file.truncate(MAX_BYTES)
    assert "bytes are allowed" in told_of(root)


def test_a_vocabulary_has_so_many_words_and_no_more(tmp_path: Path) -> None:
    words = "\n".join(f"    w{number}: A word." for number in range(20_000))
    files = {"vocabulary.yaml": f"- feature: arrays\n  methods:\n{words}\n", **WELL}
    assert "5000 are allowed" in told_of(make_folder(tmp_path / "spec", files))


@pytest.mark.parametrize("escape", ["\\e[2J", "\\x07", "\\u2028", "\\0", "\\u202e", "\\x9b"])
def test_escapes_of_yaml_give_no_strange_characters(escape: str, tmp_path: Path) -> None:
    files = chapter(
        behavior("x = tensor([1.0])\nassert x == [1.0]", statement=f'"It MUST {escape}."')
    )
    assert "which is not allowed in text" in told_of(make_folder(tmp_path / "spec", dict(files)))


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [1]\nb: *a", "!!python/object/apply:os.system ['touch MARKER']", "a: {<<: {b: 1}}",
        "? [a, b]\n: 1", "a: 1\n---\nb: 2", "[" * 100 + "]" * 100, "a: !!binary aGk=",
    ],
)  # fmt: skip
def test_yaml_makes_no_objects(text: str, tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", {"behaviors/sample.yaml": text})
    assert "sample.yaml:" in told_of(root)


# --- commands ---


def test_a_script_is_not_written_of_words_that_are_not_trusted(tmp_path: Path) -> None:
    program = 'system("touch MARKER")\nassert tensor([1.0]) == [1.0]'
    root = make_folder(tmp_path / "spec", with_words(program, functions="system"))
    refused = gradspec("repro", "sample.one", "--spec", root, "--impl=reference", cwd=tmp_path)
    assert refused.returncode == 2
    assert "--trust-words" in refused.stderr
    assert not (tmp_path / "MARKER").exists()


def test_nothing_breaks_out_of_the_comments_of_a_script(tmp_path: Path) -> None:
    text = '"It MUST be so.\\nimport os\\rimport sys\\n\\nx = 1"'
    program = "x = tensor([1.0])\nassert x == [1.0]"
    root = make_folder(tmp_path / "spec", dict(chapter(behavior(program, statement=text))))
    (case,) = load_folder(root).cases
    script = script_of(case, "torch")
    comments = [line for line in script.splitlines() if "import os" in line]
    assert comments
    assert all(line.startswith("# ") for line in comments)


def test_nothing_breaks_out_of_the_comments_of_an_operations_script(tmp_path: Path) -> None:
    files = operations()
    text = str(files["ops/sample.yaml"]).replace(
        "gives: a value", 'gives: "a value\\nimport os\\rimport re"'
    )
    root = make_spec_of_operations(tmp_path, {"ops/sample.yaml": text})
    script = script_of(load_folder(root).cases[0], "torch")
    assert all(line.startswith("# ") for line in script.splitlines() if "import os" in line)


def test_the_oracle_is_asked_about_the_folder(tmp_path: Path) -> None:
    program = "x = tensor([1.0])\nassert x == [2.0]"
    root = make_folder(tmp_path / "spec", dict(chapter(behavior(program))))
    signal.alarm(120)
    found = gradspec("check", "--spec", root, "--oracle=reference", cwd=tmp_path, timeout=120)
    assert "1 cases, 1 differ" in found.stderr
    assert "sample.one/case-1" in found.stdout


def test_our_own_list_of_known_divergences_does_not_refuse_a_folder(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(WELL))
    for impl in ("autograd", "mygrad"):
        assert verdict_of(root, impl).verdict in ("pass", "unsupported")


def test_a_list_that_was_named_must_still_fit(tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(WELL))
    known = tmp_path / "known.yaml"
    known.write_text("- {case: other.one/x, reason: none}\n")
    with pytest.raises(Exception, match="is not in the specification"):
        open_session(Options("reference"), root, known)


def test_a_folders_own_words_are_told_of(tmp_path: Path) -> None:
    files = with_words("assert twice(tensor([1.0])) == [2.0]", functions="twice")
    root = make_folder(tmp_path / "spec", files)
    options = ("--spec", root, "--impl=module:porous", "--journal", tmp_path / "j.jsonl")
    found = gradspec("run", *options, cwd=tmp_path, PYTHONPATH=str(HOSTILE))
    assert "adds 1 word (twice)" in found.stderr
    assert "--trust-words" in found.stderr
