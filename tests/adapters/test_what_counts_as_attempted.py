"""A case counts as attempted only where the engine really has what it needs, not where Python merely
lets a program do as if."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradspec.spec.load import load_spec
from suite_kit import spec_of_programs, verdicts_on

ENGINE = '''
"""A tape whose nodes are closures and whose tensors print in their own way."""
import functools

from toy_engine import *
from toy_engine import Tensor

Tensor.grad_fn = property(lambda self: (lambda g: g) if self._parents else None)
Tensor.__repr__ = lambda self: f"Tensor(data={self.array})"
Tensor.__reduce_ex__ = lambda self, version: refuse()
float64 = "float64"


def refuse():
    raise TypeError("cannot pickle 'toy.Tensor' object")


def std(x, correction=1, dim=None):
    return x


def made():
    def logsumexp(x, dim):
        return x

    return logsumexp


logsumexp = made()
diff = (lambda: lambda x, n: x)()


@functools.wraps(std)
def var(*args, **kwargs):
    return std(*args, **kwargs)
'''
CLOSURES = {
    "assigning grad_dtype": """
        x = tensor([1.0], requires_grad=True)
        x.grad_dtype = float64
        assert x.grad_dtype == float64
        """,
    "printing": "assert text_of(tensor([1.0])) == 'tensor([1.])'",
    "printing several results": "assert 'tensor(' in text_of((tensor([1.0]), 2.0))",
    "the name of a node": """
        y = tensor([1.0], requires_grad=True) * 2
        assert 'Mul' in y.grad_fn.name()
        """,
    "nodes": """
        y = tensor([1.0], requires_grad=True) * 2
        assert is_node(y.grad_fn)
        """,
    "a hook on a node": """
        y = tensor([1.0], requires_grad=True) * 2
        y.grad_fn.register_hook(lambda a, b: trace("called"))
        y.backward()
        assert traced() == ["called"]
        """,
    "arguments in another order": "assert std(tensor([1.0]), 0, correction=0) == 0.0",
    "arguments that are handed on": "assert var(tensor([1.0]), 0, correction=0) == 0.0",
    "an argument too many": "assert logsumexp(tensor([1.0]), 0, True) == [1.0]",
    "an argument too many of one without a name": "assert diff(tensor([1.0]), 0, -1) == [1.0]",
    "too few arguments of it": "assert diff(tensor([1.0, 3.0])) == [2.0]",
    "copying": "assert deepcopy(tensor([1.0])) == [1.0]",
}
TOLD = {
    "assigning grad_dtype": "Tensor.grad_dtype",
    "printing": "printing as PyTorch does, found 'Tensor(data=[1.])'",
    "printing several results": "printing as PyTorch does, found '(Tensor(data=[1.]), 2.0)'",
    "the name of a node": "name of a node of the graph",
    "nodes": "nodes of the graph as objects",
    "a hook on a node": "register_hook of a node of the graph",
    "arguments in another order": "another order of the arguments of std",
    "arguments that are handed on": "another order of the arguments of std",
    "an argument too many": "an argument of logsumexp",
    "an argument too many of one without a name": "an argument of a word",
    "too few arguments of it": "fewer arguments of a word",
    "copying": "copying or pickling a tensor",
}


@pytest.mark.parametrize("isolate", [False, True])
def test_what_only_seems_to_be_there_is_unsupported(
    isolate: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closures.py").write_text(ENGINE, "utf-8")
    here = Path(__file__).parent
    monkeypatch.syspath_prepend(here)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{here}")
    spec = spec_of_programs(tmp_path / "spec", CLOSURES)
    found = verdicts_on("module:closures", spec, isolate=isolate)
    assert {name: item.message for name, item in found.items()} == TOLD
    assert {item.verdict for item in found.values()} == {"unsupported"}


SLOTS = """
class Tensor:
    __slots__ = ("values",)
    shape, dtype = (1,), "float32"

    def tolist(self):
        return self.values


def tensor(values, requires_grad=False):
    made = Tensor()
    made.values = values
    return made
"""


def test_an_attribute_that_cannot_be_assigned_is_unsupported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever class the tensors are of: a compiled one, or one with slots, takes no other attribute."""
    (tmp_path / "slots.py").write_text(SLOTS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    program = "x = tensor([1.0])\nx.volatile = True\nassert x == [1.0]\n"
    found = verdicts_on("module:slots", spec_of_programs(tmp_path / "spec", {"assigned": program}))
    assert [(item.verdict, item.message) for item in found.values()] == [
        ("unsupported", "Tensor.volatile")
    ]


AGAIN = """
from toy_engine import *


def kernel(x):
    raise ValueError("no such axis")


def sin(x):
    try:
        return kernel(x)
    except ValueError as error:
        raise ValueError(f"{error} [op=sin]") from error
"""


def test_an_error_that_is_raised_again_came_from_where_it_was_raised_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "again.py").write_text(AGAIN, "utf-8")
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.syspath_prepend(tmp_path)
    program = "x = tensor([1.0])\nassert sin(x) == [1.0]\n"
    (found,) = verdicts_on(
        "module:again", spec_of_programs(tmp_path / "spec", {"sine": program})
    ).values()
    assert "no such axis [op=sin] (at again.py:6)" in found.message


def test_what_is_there_is_attempted(tmp_path: Path) -> None:
    found = verdicts_on("reference", spec_of_programs(tmp_path / "spec", CLOSURES))
    assert {item.verdict for item in found.values()} == {"pass"}


FEATURES = {
    "y.backward(g)": set(),
    "y.backward(g, None)": set(),
    "y.backward(g, True)": {"retain-graph"},
    "y.backward(g, None, True)": {"higher-order"},
    "y.backward(g, True, False, [x])": {"retain-graph", "higher-order", "backward-inputs"},
    "autograd.backward([y], [g], None, False, None, [x])": {"higher-order", "backward-inputs"},
    "autograd.grad(y, x, g)": set(),
    "autograd.grad(y, x, g, True)": {"retain-graph"},
    "autograd.grad(y, x, g, None, True)": {"higher-order"},
    "autograd.grad(y, x, g, None, None, True, True)": {"unused-inputs"},
    "y.register_hook(f)": {"hooks"},
    "y.grad_fn.register_hook(f)": {"node-hooks"},
    "n.register_hook(f)": {"node-hooks"},
    "y.grad_fn.next_functions[0][0].register_hook(f)": {"node-hooks"},
}
SETTING = """
x = tensor([1.0], requires_grad=True)
y = x * 2
g = tensor([1.0])
f = lambda a, b: None
n = y.grad_fn
{}
assert x.grad == [2.0]
"""


@pytest.fixture(scope="module")
def needed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, frozenset[str]]:
    """The features of a program that holds each of the calls."""
    programs = {f"call {i}": SETTING.format(call) for i, call in enumerate(FEATURES)}
    spec = load_spec(spec_of_programs(tmp_path_factory.mktemp("features") / "spec", programs))
    return {call: spec.cases[i].program.features for i, call in enumerate(FEATURES)}


@pytest.mark.parametrize("call", FEATURES)
def test_arguments_by_position_and_hooks_on_nodes(
    call: str, needed: dict[str, frozenset[str]]
) -> None:
    asked = {
        "retain-graph",
        "higher-order",
        "backward-inputs",
        "unused-inputs",
        "hooks",
        "node-hooks",
    }
    assert needed[call] & asked == FEATURES[call]
