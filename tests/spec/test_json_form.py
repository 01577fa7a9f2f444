"""The JSON form, construct by construct. `json_interpreter.py` shows that it means the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from folders import case_of

Json = dict[str, Any]


def body_of(tmp_path: Path, text: str) -> list[Json]:
    body: list[Json] = case_of(tmp_path / "spec", text).program.json["body"]
    return body


def name(text: str) -> Json:
    return {"is": "name", "name": text}


def integer(value: int) -> Json:
    return {"is": "int", "value": value}


EXPRESSIONS = {
    "None": {"is": "none"},
    "...": {"is": "ellipsis"},
    "True": {"is": "bool", "value": True},
    "7": integer(7),
    "0.5": {"is": "float", "value": 0.5},
    "inf": {"is": "float", "value": {"number": "inf"}},
    "nan": {"is": "float", "value": {"number": "nan"}},
    "2j": {"is": "complex", "value": [0.0, 2.0]},
    "'text'": {"is": "string", "value": "text"},
    "y": name("y"),
    "float32": {"is": "word", "word": "float32"},
    "autograd.Function": {"is": "word", "word": "autograd.Function"},
    "y + 7": {"is": "binary", "operator": "+", "left": name("y"), "right": integer(7)},
    "not y": {"is": "unary", "operator": "not", "of": name("y")},
    "y is not None": {
        "is": "compare",
        "operator": "is not",
        "left": name("y"),
        "right": {"is": "none"},
    },
    "y.grad": {"is": "attribute", "of": name("y"), "name": "grad"},
    "y[7]": {"is": "index", "of": name("y"), "at": integer(7)},
    "y[:7, y]": {
        "is": "index",
        "of": name("y"),
        "at": {
            "is": "tuple",
            "items": [{"is": "slice", "from": None, "to": integer(7), "step": None}, name("y")],
        },
    },
    "[y, *y]": {"is": "list", "items": [name("y"), {"is": "starred", "of": name("y")}]},
    "(y,)": {"is": "tuple", "items": [name("y")]},
    "{'a': y}": {"is": "dict", "items": [[{"is": "string", "value": "a"}, name("y")]]},
    "y if y else 7": {"is": "choice", "test": name("y"), "then": name("y"), "else": integer(7)},
    "zeros(y, dtype=y)": {
        "is": "call",
        "of": {"is": "word", "word": "zeros"},
        "args": [name("y")],
        "keywords": {"dtype": name("y")},
    },
    "y(**{})": {
        "is": "call",
        "of": name("y"),
        "args": [],
        "keywords": {},
        "unpacked": [{"is": "dict", "items": []}],
    },
    "y.sum(7)": {
        "is": "method",
        "of": name("y"),
        "name": "sum",
        "args": [integer(7)],
        "keywords": {},
    },
    "lambda a, *b, c=7, **d: a": {
        "is": "lambda",
        "parameters": [
            {"name": "a", "sort": "plain", "default": None},
            {"name": "b", "sort": "rest", "default": None},
            {"name": "c", "sort": "keyword", "default": integer(7)},
            {"name": "d", "sort": "keywords", "default": None},
        ],
        "body": name("a"),
    },
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression(text: str, tmp_path: Path) -> None:
    body = body_of(tmp_path, f"y = tensor(1)\nx = {text}\nassert y == x")
    assert body[1] == {"do": "assign", "line": 10, "to": [name("x")], "value": EXPRESSIONS[text]}


STATEMENTS = {
    "a = b = y": {"do": "assign", "to": [name("a"), name("b")], "value": name("y")},
    "y *= 7": {"do": "update", "to": name("y"), "operator": "*", "value": integer(7)},
    "y()": {"do": "evaluate", "value": {"is": "call", "of": name("y"), "args": [], "keywords": {}}},
    "assert y == [7]": {"do": "observe", "observation": 0, "values": [name("y")]},
    "assert y == y.grad": {
        "do": "observe",
        "observation": 0,
        "values": [name("y"), EXPRESSIONS["y.grad"]],
    },
    'with raises("user"):\n    pass; y()': {"do": "attempt", "observation": 0},
    'with may_raise("user"):\n    pass; y()': {"do": "attempt", "observation": 0},
    'with warns("non-leaf-grad"):\n    pass; y()': {"do": "record", "observation": 0},
    "with quiet():\n    pass; y()": {"do": "record", "observation": 0},
    "with thread():\n    pass; y()": {"do": "thread"},
    "with y as a, y:\n    pass": {
        "do": "within",
        "contexts": [{"context": name("y"), "as": name("a")}, {"context": name("y"), "as": None}],
    },
    "for a in y:\n    pass": {"do": "for", "each": name("a"), "in": name("y")},
    "if y:\n    pass": {"do": "if", "test": name("y"), "else": []},
    "del y.grad": {"do": "delete", "targets": [EXPRESSIONS["y.grad"]]},
    "pass": {"do": "pass"},
}


@pytest.mark.parametrize("text", STATEMENTS)
def test_statement(text: str, tmp_path: Path) -> None:
    statement = body_of(tmp_path, f"y = tensor(1)\n{text}\nassert y is None")[1]
    assert statement["line"] == 10
    for key, value in STATEMENTS[text].items():
        assert statement[key] == value
    if "body" in statement:
        assert statement["body"][0] == {"do": "pass", "line": 11}


def test_function(tmp_path: Path) -> None:
    text = "@no_grad()\ndef f(a):\n    yield a\n    return\nassert f(1) is None"
    function = body_of(tmp_path, text)[0]
    assert function["name"] == "f"
    assert function["generator"] is True
    assert function["decorators"][0]["of"] == {"is": "word", "word": "no_grad"}
    assert [statement["do"] for statement in function["body"]] == ["evaluate", "return"]
    assert function["body"][0]["value"] == {"is": "yield", "value": name("a")}


def test_only_a_function_that_yields_itself_is_a_generator(tmp_path: Path) -> None:
    text = "def f():\n    def g():\n        yield 1\n    return g\nassert f() is None"
    outer = body_of(tmp_path, text)[0]
    assert outer["generator"] is False
    assert outer["body"][0]["generator"] is True


def test_class(tmp_path: Path) -> None:
    text = """
        class F(autograd.Function):
            def forward(ctx, x):
                return x
        assert F.apply(1) is None
    """
    found = body_of(tmp_path, text)[0]
    assert (found["do"], found["name"]) == ("class", "F")
    assert found["bases"] == [EXPRESSIONS["autograd.Function"]]
    assert found["body"][0]["do"] == "define"
