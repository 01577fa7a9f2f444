"""Adapters of functional engines: tables of calls, the dtypes of new arrays, and nothing but what is named."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from gradspec.adapters.framework import numpy_calls, numpy_names
from gradspec.adapters.framework.classify import Classifier
from gradspec.adapters.framework.engine import Unsupported
from gradspec.adapters.framework.functional import FunctionalEngine, usual_dtype_name
from gradspec.adapters.framework.named_calls import calls
from gradspec.adapters.framework.registry import open_engine
from gradspec.spec.load import load_spec

ENGINES = ("jax", "mlx", "tensorflow")


def recorded(*arguments: Any, **keywords: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return arguments, keywords


ENGINE = SimpleNamespace(math=SimpleNamespace(total=recorded))


@pytest.mark.parametrize(
    ("entry", "call", "expected"),
    [
        ("math.total(input, axis=dim)", lambda f: f(1, 2), ((1,), {"axis": 2})),
        ("math.total(input, axis=dim)", lambda f: f(1, dim=2), ((1,), {"axis": 2})),
        ("math.total(input, axis=dim?)", lambda f: f(1), ((1,), {})),
        ("math.total(input, axis=dim:(-2, -1))", lambda f: f(1), ((1,), {"axis": (-2, -1)})),
        ("math.total(input, axis=dim, index)", lambda f: f(1, 2, 3), ((1, 3), {"axis": 2})),
        ("math.total(input, *dims)", lambda f: f(1, 2, 3), ((1, (2, 3)), {})),
        ("math.total(input, *dims)", lambda f: f(1, [2, 3]), ((1, (2, 3)), {})),
    ],
)
def test_an_entry_of_a_table_is_a_call(entry: str, call: Callable[..., Any], expected: Any) -> None:
    assert call(calls(ENGINE, {"word": entry})["word"]) == expected


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda f: f(1, 2, 3), "3 arguments of word"),
        (lambda f: f(1, 2, out=3), "the keyword out of word"),
        (lambda f: f(1), "word without dim"),
        (lambda f: f(1, []), "an empty list of dimensions, which is none rather than all"),
    ],
)
def test_what_an_entry_does_not_name_is_unsupported(call: Callable[..., Any], what: str) -> None:
    word = calls(ENGINE, {"word": "math.total(input, axis=dim)"})["word"]
    with pytest.raises(Unsupported) as raised:
        call(word)
    assert raised.value.what == what


def test_functions_that_are_missing_are_left_out_and_malformed_entries_are_reported() -> None:
    assert calls(ENGINE, {"word": "math.product(input)", "other": "text.total(input)"}) == {}
    for entry in ("math.total", "math.total(axis==dim)"):
        with pytest.raises(ValueError, match="expected `"):
            calls(ENGINE, {"word": entry})


@pytest.mark.parametrize("name", ENGINES)
def test_the_tables_of_adapters_name_words_of_the_vocabulary(name: str) -> None:
    """Also where the engine is not installed."""
    adapter = importlib.import_module(f"gradspec.adapters.{name}_engine")
    tables = {**numpy_calls.NUMPY_CALLS, **adapter.CALLS, **getattr(adapter, "NN", {})}
    assert calls(ENGINE, tables) == {}
    vocabulary = load_spec().vocabulary
    assert [word for word in tables if word not in vocabulary.names] == []


# --- dtypes ---


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (1.5, "float32"), ([1, 2], "int64"), ([1, 2.5], "float32"), ([True, 2], "int64"), ([], "float32"),
        ([[True], [False]], "bool"), ([1j, 2], "complex64"), ([numpy.float64(1)], ""),
    ],
)  # fmt: skip
def test_python_numbers_have_pytorchs_dtypes(values: Any, dtype: str) -> None:
    assert usual_dtype_name(values) == dtype


def test_new_arrays_have_pytorchs_dtypes() -> None:
    pytest.importorskip("autograd")
    words: Any = open_engine("autograd").words  # type: ignore[attr-defined]
    made = {
        "float32": [words["zeros"](2, 3), words["ones"]((2, 3)), words["eye"](2), words["arange"](0, 1, 0.5),
                    words["linspace"](0, 1, 3), words["full"]((2,), 1.5), words["tensor"]([1.5])],
        "int64": [words["arange"](3), words["full"]((2,), 1), words["tensor"]([1])],
        "complex64": [words["tensor"]([1j]), words["full"]((2,), 1j)],
        "bool": [words["full"]((2,), True), words["tensor"](True)],
        "float64": [words["zeros"](2, dtype=words["float64"]), words["tensor"]([1], dtype=words["float64"]),
                    words["zeros_like"](numpy.zeros(2)), words["tensor"](numpy.zeros(2))],
    }  # fmt: skip
    found = {dtype: {str(array.dtype) for array in arrays} for dtype, arrays in made.items()}
    assert found == {dtype: {dtype} for dtype in made}


# --- only what is named ---


class Named(FunctionalEngine):
    """NumPy, of which programs may use what the tables name."""

    name = "named"
    module_name = "numpy"
    only_named = True

    def arrays(self) -> Any:
        return self.module


def bound(word: str) -> Any:
    """A function as a program on this engine has it."""
    engine = Named()
    assert engine.bind([word]) == ""
    return engine.namespace[word]


def test_functions_of_tensors_are_the_engines_own() -> None:
    assert (bound("maximum")(MATRIX, MATRIX + 1) == MATRIX + 1).all()
    assert (bound("pow")(MATRIX, 2.0) == MATRIX**2).all()


def test_names_outside_of_the_tables_are_unsupported() -> None:
    engine = Named()
    vector = engine.resolve("tensor")([3.0, 1.0])
    assert engine.resolve("sin") is numpy.sin
    assert engine.get_method(vector, "double")().dtype == "float64"
    for ask in (
        lambda: engine.resolve("partition"),
        lambda: engine.get_method(vector, "searchsorted"),
        lambda: engine.get_attribute(vector, "strides"),
    ):
        with pytest.raises(Unsupported):
            ask()


def test_words_become_methods_where_a_tensor_comes_first() -> None:
    engine = Named()
    engine.offer({"twice": lambda x: x * 2, "polygamma": lambda n, x: x, "linalg.det": lambda x: x})
    assert engine.get_method(numpy.ones(1), "twice")() == [2.0]
    assert "polygamma" not in engine.methods
    assert "linalg.det" not in engine.methods


class WordsEngine:
    """Has a word of an adapter's own."""

    def word(self) -> Callable[..., Any]:
        return lambda x: x


@pytest.mark.parametrize("call", [lambda f: f(1, 2), lambda f: f(), lambda f: f(1, unheard=2)])
def test_arguments_that_a_word_of_an_adapter_does_not_take_are_unsupported(call: Any) -> None:
    classifier = Classifier([], [])
    with pytest.raises(TypeError) as raised:
        call(WordsEngine().word())
    error = raised.value.with_traceback(None)  # as if the program itself had called it
    with pytest.raises(Unsupported, match="the arguments of a word"):
        classifier.kind(error)


# --- what NumPy's functions mean otherwise ---

MATRIX = numpy.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (lambda: numpy_calls.split_at(7, 3), [3, 6]),
        (lambda: numpy_calls.split_at(7, [2, 5]), [2]),
        (lambda: numpy_calls.chunk_sizes(7, 3), [3, 3, 1]),
        (lambda: numpy_calls.pad_widths(3, (1, 2, 3, 4)), [(0, 0), (3, 4), (1, 2)]),
        (lambda: numpy_calls.expanded_size(MATRIX, (2, -1, 4)), (2, 3, 4)),
        (lambda: numpy_calls.of_size_one(numpy.zeros((1, 3, 1)), None), (0, 2)),
        (lambda: numpy_calls.of_size_one(numpy.zeros((1, 3)), 1), ()),
        (lambda: numpy_calls.of_size_one(numpy.zeros((1, 3)), 5), (5,)),
        (lambda: MATRIX[numpy_calls.part_of(MATRIX, 1, -3, 2)].tolist(), MATRIX[:, 1:3].tolist()),
        (lambda: MATRIX[numpy_calls.whole_but(MATRIX, -2, 1)].tolist(), MATRIX[1].tolist()),
        (
            lambda: MATRIX[numpy_calls.places_along(numpy, MATRIX, 1, numpy.array([[3, 0], [1, 1]]))].tolist(),
            [[3.0, 0.0], [5.0, 5.0]],
        ),
    ],
)  # fmt: skip
def test_arguments_are_translated(found: Callable[[], Any], expected: Any) -> None:
    assert found() == expected


def test_what_numpy_is_given_is_what_the_program_says() -> None:
    variance = numpy_names.deviation(numpy.var)
    assert variance(MATRIX, False) == numpy.var(MATRIX)
    assert variance(MATRIX, 0, False).shape == (4,)
    with pytest.raises(TypeError, match=r"missing|required"):
        numpy_names.sized(numpy.zeros)()
    with pytest.raises(Unsupported):
        numpy_names.numpy_methods(numpy_names.numpy_words(numpy))["permute"](MATRIX)
    with pytest.raises(Unsupported, match="number of classes"):
        numpy_calls.encoding(numpy.eye, "int64")(MATRIX)


@pytest.mark.parametrize(
    "call",
    [
        lambda: numpy_calls.split_at(7, 0),
        lambda: numpy_calls.split_at(7, [2, 4]),
        lambda: numpy_calls.chunk_sizes(7, 0),
        lambda: numpy_calls.pad_widths(2, (1, 2, 3)),
        lambda: numpy_calls.pad_widths(2, (-1, 0)),
        lambda: numpy_calls.pad_widths(1, (1, 0), "reflect"),
        lambda: numpy_calls.part_of(MATRIX, 1, 3, 2),
        lambda: numpy_calls.whole_but(MATRIX, 2, 0),
        lambda: numpy_calls.counts_for(MATRIX, 2),
        lambda: numpy_calls.vectors_only(MATRIX),
        lambda: numpy_calls.approximation("sigmoid"),
        lambda: numpy_calls.products(numpy.matmul)["mm"](MATRIX, numpy.ones(4)),
        lambda: numpy_calls.products(numpy.matmul)["bmm"](
            numpy.ones((1, 2, 2)), numpy.ones((3, 2, 2))
        ),
        lambda: numpy_calls.solving(numpy.linalg.solve)(numpy.ones((3, 2, 2)), numpy.ones((3, 2))),
        lambda: numpy_calls.selecting(numpy.take)(MATRIX, 0, numpy.zeros((1, 2), int)),
        lambda: numpy_calls.clamping(numpy.clip)["clamp"](MATRIX),
        lambda: numpy_calls.filling(numpy.where, bool)(MATRIX, numpy.ones(4, int), 0.0),
        lambda: numpy_calls.filling(numpy.where, bool)(MATRIX, MATRIX > 0, numpy.ones(1)),
        lambda: bound("maximum")(MATRIX, 2.0),
        lambda: bound("pow")(2.0, 3.0),
        lambda: numpy_names.numpy_words(numpy)["dot"](MATRIX, numpy.ones(4)),
        lambda: numpy_names.numpy_words(numpy)["mm"](MATRIX, numpy.ones(4)),
        lambda: bound("pow")(MATRIX, [2.0, 3.0]),
    ],
)
def test_what_only_numpy_would_accept_is_unsupported(call: Callable[[], Any]) -> None:
    """An engine with NumPy's functions is not blamed for what these take beyond PyTorch's."""
    with pytest.raises(Unsupported):
        call()
