"""The Python form: ordinary code that any engine in Python runs, plain or through an adapter."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest
from folders import case_of
from gradspec.spec.model import Spec
from gradspec.spec.program.python_form import global_name
from gradspec.spec.program.syntax import fresh


class Run:
    """Runs a program with stand-ins for the engine's words, and keeps what it reported."""

    def __init__(self, program: Any, mediated: bool = False, **words: Any) -> None:
        self.reported: list[Any] = []
        self.accessed: list[str] = []
        code = program.mediated_code if mediated else program.code
        names = {"get_attribute": self.get, "get_method": self.get, "set_attribute": self.set,
                 "delete_attribute": self.delete, **words}  # fmt: skip
        FunctionType(code, names)(
            self.observe, self.ended, self.recorded, lambda block: block(), self.trace, list
        )

    def observe(self, index: int, *values: Any) -> None:
        self.reported.append((index, *values))

    def ended(self, index: int, error: Exception | None) -> None:
        self.reported.append((index, type(error).__name__))

    @contextmanager
    def recorded(self, index: int) -> Any:
        yield
        self.reported.append((index, "recorded"))

    def trace(self, *values: Any) -> None:
        self.reported.append(values)

    def get(self, owner: Any, name: str) -> Any:
        self.accessed.append(f"get {name}")
        return getattr(owner, name)

    def set(self, owner: Any, name: str, value: Any) -> None:
        self.accessed.append(f"set {name}")
        setattr(owner, name, value)

    def delete(self, owner: Any, name: str) -> None:
        self.accessed.append(f"delete {name}")
        delattr(owner, name)


def stop() -> None:
    raise RuntimeError


def run(tmp_path: Path, text: str, mediated: bool = False, **words: Any) -> Run:
    return Run(case_of(tmp_path / "spec", text).program, mediated, **words)


def test_observations_come_in_the_order_of_the_text(tmp_path: Path) -> None:
    text = "x = tensor(1)\nassert x == 1\nassert x is x.grad\nassert not x"
    assert run(tmp_path, text, tensor=lambda value: SimpleNamespace(grad=None)).reported[1] == (
        1,
        False,
    )


def test_block_that_is_refused_goes_on_after_it(tmp_path: Path) -> None:
    text = 'with raises("user"):\n    stop()\nassert tensor(1) == 1'
    assert run(tmp_path, text, stop=stop, tensor=int).reported == [(0, "RuntimeError"), (1, 1)]


def test_block_that_is_not_refused_says_so(tmp_path: Path) -> None:
    text = 'with raises("user"):\n    tensor(1)'
    assert run(tmp_path, text, tensor=int).reported == [(0, "NoneType")]


def test_variable_called_error_outlives_a_refusal(tmp_path: Path) -> None:
    text = 'error = tensor(1)\nwith raises("user"):\n    stop()\nassert error == 1'
    assert run(tmp_path, text, stop=stop, tensor=int).reported[-1] == (1, 1)


def test_thread_assigns_and_deletes_the_variables_around_it(tmp_path: Path) -> None:
    text = """
        a = tensor(1)
        b = tensor(2)
        with thread():
            del b
            a = tensor(3)
            c = tensor(4)
        with raises("user"):
            b
        assert a == 3
        assert c == 4
    """
    found = run(tmp_path, text, tensor=int).reported
    assert found[0][1] in ("NameError", "UnboundLocalError")
    assert found[1:] == [(1, 3), (2, 4)]


def test_thread_in_a_function_assigns_the_functions_variables(tmp_path: Path) -> None:
    text = """
        a = tensor(1)
        def f():
            with thread():
                a = tensor(2)
            return a
        assert f() == 2
        assert a == 1
    """
    assert run(tmp_path, text, tensor=int).reported == [(0, 2), (1, 1)]


def test_dotted_words_are_single_globals(tmp_path: Path) -> None:
    text = "assert autograd.grad(tensor(1), 2) == 3"
    words = {global_name("autograd.grad"): lambda x, y: x + y, "tensor": int}
    assert global_name("autograd.grad") == "autograd__grad"
    assert run(tmp_path, text, **words).reported == [(0, 3)]


def test_mediated_access_goes_through_the_adapter(tmp_path: Path) -> None:
    text = """
        x = tensor(1)
        x.grad = 2
        x.grad += 3
        del x.data
        x.size()
        assert x.grad == 5
    """
    found = run(
        tmp_path, text, True, tensor=lambda value: SimpleNamespace(data=value, size=lambda: 1)
    )
    assert found.accessed == [
        "set grad", "get grad", "set grad", "delete data", "get size", "get grad",
    ]  # fmt: skip
    assert found.reported == [(0, 5)]


def test_owner_of_an_updated_attribute_is_worked_out_once(tmp_path: Path) -> None:
    owner, calls = SimpleNamespace(grad=1), []
    text = "tensor(1).grad += 1\nassert tensor(2).grad == 2"
    found = run(tmp_path, text, True, tensor=lambda value: calls.append(value) or owner)
    assert calls == [1, 2]
    assert found.reported == [(0, 2)]


@pytest.mark.parametrize("mediated", [False, True])
def test_every_program_can_be_read(mediated: bool, own_spec: Spec) -> None:
    """The text of each program compiles, and each of its lines is one of the file's."""
    for case in own_spec.cases[::29]:
        source, lines = case.program.python(mediated)
        compile(source, case.id, "exec")
        first = case.first_line
        last = first + case.text.count("\n")
        assert all(first <= line <= last for line in lines[1:-1]), case.id


class Strict(ast.Constant):
    """A constant as Python 3.15 makes them: its value must be given."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)


def test_a_copy_of_a_tree_shares_nothing_that_is_changed() -> None:
    """Nor is any node made without its required fields, which Python 3.13 on warns of."""
    tree = ast.parse(
        "def f(x):\n    x[0, :] += -x.y(1, *x, k='a') if x else lambda: None\n    pass"
    )
    tree.body.append(ast.Expr(Strict(2)))
    place = {"lineno": 7, "col_offset": 1, "end_lineno": 7, "end_col_offset": 2}
    copied, moved = fresh(tree), fresh(tree, place)
    assert ast.dump(copied, include_attributes=True) == ast.dump(tree, include_attributes=True)
    assert ast.dump(moved) == ast.dump(tree)
    assert {node.lineno for node in ast.walk(moved) if hasattr(node, "lineno")} == {7}
    shared = {id(node) for node in ast.walk(tree)} & {id(node) for node in ast.walk(copied)}
    assert all(not node._fields for node in ast.walk(tree) if id(node) in shared)
