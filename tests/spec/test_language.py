"""The program language: what a program may say, what it needs, and what is taken from it.

What it may not say is shown by the tables in `malformed/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from folders import behavior, case_of, chapter, load_folder, make_folder, problems_of, spec_of
from gradspec.spec.model import Case
from gradspec.spec.program.program import Expectation

ALLOWED = {
    "assignment to several names": """
        a, b = tensor([1.0]), tensor([2.0])
        assert a == [1.0]
        assert b == [2.0]
    """,
    "chained assignment": """
        a = b = tensor([1.0])
        assert a is b
    """,
    "in-place operators": """
        a = tensor([1.0])
        a += 1
        a @= a
        assert a == [4.0]
    """,
    "indexing": """
        a = tensor([[1.0, 2.0]])
        a[0, 1:] = 3.0
        assert a[..., None, ::2] == [[[1.0]]]
    """,
    "loops and conditions": """
        a = 0
        for i in range(3):
            if i:
                a += i
            else:
                a -= 1
        assert tensor(a) == 2
    """,
    "functions": """
        def f(x, /, y=1, *rest, key=2, **more):
            return x
        assert f(tensor([1.0])) == [1.0]
    """,
    "functions within functions": """
        def f(x):
            def g(y):
                return y * x
            return g
        assert f(tensor(2.0))(3) == 6.0
    """,
    "a function defined in a raises block": """
        with raises("no-graph"):
            def f(x):
                return x
            f(tensor([1.0])).backward()
    """,
    "generators": """
        def f():
            x = yield tensor([1.0])
            yield x
        assert list(f())[0] == [1.0]
    """,
    "a dict and its unpacking": """
        f = lambda **k: k
        assert f(**{'a': tensor(1.0)})['a'] == 1.0
    """,
    "keywords of the program's own functions": """
        def f(scale=1.0, **more):
            g = lambda shift: shift * scale
            return g(shift=2.0) + more['other_one']
        assert f(scale=3.0, **{'other_one': tensor(1.0)}) == 7.0
    """,
    "a choice": """
        a = tensor([1.0]) if traced() else tensor([2.0])
        assert a == [2.0]
    """,
    "deleting": """
        a = tensor([1.0])
        b = a
        del a
        assert b == [1.0]
    """,
    "either": "assert tensor([1.0]) == either([1.0], [2.0])",
    "constants of the language": """
        assert tensor([1.0]) / 0 == [inf]
        assert tensor(0.0) == pi - pi
    """,
    "a class": """
        class Twice(autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2
        assert Twice.apply(tensor([1.0])) == [2.0]
    """,
    "several blocks": """
        with no_grad(), enable_grad():
            with quiet():
                a = tensor([1.0])
        assert a == [1.0]
    """,
}


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str, tmp_path: Path) -> None:
    root = make_folder(tmp_path / "spec", dict(chapter(behavior(ALLOWED[name]))))
    assert problems_of(root) == []
    (case,) = load_folder(root).cases
    assert case.program.code.co_name == "program"


# --- what a program needs is computed ---

NEEDS = {
    "assert tensor([1.0]) == [1.0]": {"arrays"},
    "a = tensor([1.0])\na += 1\nassert a == [2.0]": {"in-place"},
    "a = tensor([1.0])\na[0] = 2\nassert a == [2.0]": {"in-place"},
    "a = tensor([1.0])\na.grad = None\nassert a == [1.0]": {"assign-grad", "grad-attribute"},
    "with thread():\n    a = tensor([1.0])\nassert a == [1.0]": {"threads"},
    "with quiet():\n    a = tensor([1.0])\nassert a == [1.0]": {"warnings"},
    "assert tensor([1.0], requires_grad=True).is_leaf": {"requires-grad", "leaf"},
    "assert autograd.grad(tensor(1.0), []) == ()": {"grad-function"},
    "assert tensor([1.0], **{'requires_grad': True}) == [1.0]": {"requires-grad"},
    "x = tensor(1.0)\nx.backward(*[None, True])\nassert x == 1.0": {"retain-graph"},
}


@pytest.mark.parametrize("program", NEEDS)
def test_features_come_from_the_words(program: str, tmp_path: Path) -> None:
    assert case_of(tmp_path / "spec", program).program.features >= NEEDS[program]


def test_what_must_be_rejected_needs_no_feature(tmp_path: Path) -> None:
    """A keyword unpacked within `raises` may be what the engine must not have."""
    program = """
        x = tensor(1.0)
        with raises("wrong-type"):
            autograd.grad(x, x, **{"grad_tensors": x})
        assert x == 1.0
    """
    needed = case_of(tmp_path / "spec", program).program
    assert "backward-function" not in needed.features
    assert "grad_tensors" not in needed.members


def test_words_and_members(tmp_path: Path) -> None:
    program = case_of(
        tmp_path / "spec",
        "x = tensor([1.0], requires_grad=True)\nx.sum().backward()\nassert x.grad == [1.0]",
    )
    assert program.program.words == ("tensor",)
    assert program.program.members == {"requires_grad", "sum", "backward", "grad"}


@pytest.mark.parametrize(
    ("program", "double"),
    [
        ("x = tensor([1.5], dtype=float64)\nassert x.exp() == [1.0]", True),
        ("x = tensor([1.5, 1j], dtype=complex128)\nassert x.exp() == [1.0, 2.0]", True),
        ("x = tensor([1, 2])\nassert x.double().exp() == [1.0, 2.0]", True),
        ("assert zeros(2, dtype=float64).exp() == [1.0, 1.0]", True),
        ("x = tensor([1.5])\nassert x.exp() == [1.0]", False),
        ("x = tensor([1.5])\nassert x.double().exp() == [1.0]", False),
        ("x = tensor([1.5], dtype=float64)\nassert x.float().exp() == [1.0]", False),
        ("x = tensor([1.5], dtype=float64)\nassert x * ones(1) == [1.0]", False),
        ("f = nn.Linear(1, 1)\nassert f(tensor([1.5], dtype=float64)) == [1.0]", False),
    ],
)
def test_whether_a_program_computes_in_float64_only(
    program: str, double: bool, tmp_path: Path
) -> None:
    assert case_of(tmp_path, program).program.double is double


def test_words_of_a_table_count(tmp_path: Path) -> None:
    text = "each: {f: [zeros, ones]}\nprogram: |\n  assert f(1).sum() >= 0"
    first, second = spec_of(tmp_path / "spec", behavior(text)).cases
    assert first.program.words == ("zeros",)
    assert second.program.words == ("ones",)


# --- every assert becomes an observation and an expectation ---


def expectation(tmp_path: Path, statement: str) -> Expectation:
    program = f"x = tensor([1.0])\ny = tensor([2.0])\n{statement}"
    return case_of(tmp_path / "spec", program).expectations[-1]


RELATIONS = {
    "assert x == [1.0]": ("equal", {"list": [1.0]}),
    "assert x == ([1.0], -2, 1e-3)": ("equal", {"tuple": [{"list": [1.0]}, -2, 1e-3]}),
    "assert x == 2 * 3.0 ** 2 - 1": ("equal", 17.0),
    "assert x == {'a': None}": ("equal", {"dict": [["a", None]]}),
    "assert x == [inf, -inf, nan]": (
        "equal",
        {"list": [{"number": "inf"}, {"number": "-inf"}, {"number": "nan"}]},
    ),
    "assert x == [1 + 2j]": ("equal", {"list": [{"complex": [1.0, 2.0]}]}),
    "assert x == [nan * 1j]": (
        "equal",
        {"list": [{"complex": [{"number": "nan"}, {"number": "nan"}]}]},
    ),
    "assert x.dtype == float32": ("equal", {"dtype": "float32"}),
    "assert x == either([1.0], None)": ("equal", {"either": [{"list": [1.0]}, None]}),
    "assert x != [1.0]": ("different", {"list": [1.0]}),
    "assert x.sum() < 2": ("less", 2),
    "assert x.sum() <= 2": ("at most", 2),
    "assert x.sum() > 0": ("greater", 0),
    "assert x.sum() >= 0": ("at least", 0),
    'assert "a" in text_of(x)': ("contains", "a"),
    'assert "a" not in text_of(x)': ("lacks", "a"),
    "assert x.grad is None": ("is", None),
    "assert x.grad is not None": ("is not", None),
    "assert x.is_leaf": ("is", True),
    "assert x.is_leaf is True": ("is", True),
    "assert not x.is_leaf": ("is", False),
    "assert x is y": ("is", True),
    "assert x is not y": ("is", False),
    'with raises("no-graph", "user"):\n    x.backward()': ("refused", ("no-graph", "user")),
    'with may_raise("no-graph"):\n    x.backward()': ("may be refused", ("no-graph",)),
    'with warns("non-leaf-grad"):\n    x.backward()': ("warned", ("non-leaf-grad",)),
    "with quiet():\n    x.backward()": ("quiet", None),
}


@pytest.mark.parametrize("statement", RELATIONS)
def test_expectation(statement: str, tmp_path: Path) -> None:
    found = expectation(tmp_path, statement)
    assert (found.relation, found.expected) == RELATIONS[statement]
    assert not found.pair


@pytest.mark.parametrize(
    "statement", ["assert x == y", "assert x != y", "assert x.sum() < y.sum()"]
)
def test_what_the_engine_gives_is_observed_on_both_sides(statement: str, tmp_path: Path) -> None:
    assert expectation(tmp_path, statement).pair


def test_expectation_has_the_line_and_the_words_of_its_assert(tmp_path: Path) -> None:
    found = expectation(tmp_path, "assert x == [1.0]")
    assert found.line == 11
    assert found.source == "assert x == [1.0]"


def test_expectation_within_may_raise(tmp_path: Path) -> None:
    text = """
        with may_raise("user"):
            x = tensor([1.0])
            assert x == [1.0]
        assert tensor([2.0]) == [2.0]
    """
    block, inside, outside = case_of(tmp_path / "spec", text).expectations
    assert (block.within, inside.within, outside.within) == (-1, block.index, -1)


def test_engine_sees_nothing_of_what_is_expected(tmp_path: Path) -> None:
    """Neither values nor kinds are left in any form of the program."""
    text = """
        with raises("graph-freed"):
            tensor([1.0]).backward()
        assert tensor([1.0]) == [1234.5]
    """
    case: Case = case_of(tmp_path / "spec", text)
    forms = [case.program.python(mediated)[0] for mediated in (False, True)] + [
        repr(case.program.json)
    ]
    for form in forms:
        assert "graph-freed" not in form
        assert "1234.5" not in form
