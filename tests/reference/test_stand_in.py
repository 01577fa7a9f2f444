"""The stand-in for CUDA keeps to CuPy's rules: what CuPy lacks or refuses, it lacks and refuses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gradspec.reference_impl.backend import strict_cupy
from gradspec.reference_impl.backend.cupy_names import known
from gradspec.reference_impl.backend.strict import StrictArray, StrictDevice, host_reads
from gradspec.reference_impl.backend.strict_rules import loop_for

xp = strict_cupy.StandIn()


def new(values: Any, dtype: str = "float32") -> StrictArray:
    """An array of the stand-in."""
    return xp.array(np.array(values, dtype))  # type: ignore[no-any-return]


REFUSED: dict[str, tuple[type[Exception], Callable[[], Any]]] = {
    "np.asarray": (TypeError, lambda: np.asarray(new([1.0]))),
    "a NumPy operand": (TypeError, lambda: new([1.0]) + np.ones(1, np.float32)),
    "a NumPy operand on the left": (TypeError, lambda: np.ones(1, np.float32) * new([1.0])),
    "a zero-dim NumPy operand": (TypeError, lambda: new([1.0]) * np.array(2.0)),
    "a NumPy array assigned": (TypeError, lambda: new([1.0]).__setitem__(0, np.ones(()))),
    "NumPy arrays in a list": (TypeError, lambda: np.concatenate([new([1.0]), np.ones(1)])),
    "where=": (TypeError, lambda: np.add(new([1.0]), 1, where=new([1], "bool"))),
    "initial=": (TypeError, lambda: np.max(new([1.0]), initial=0)),
    "a method's unknown parameter": (TypeError, lambda: new([1.0]).sum(where=True)),
    "a function that CuPy lacks": (TypeError, lambda: np.nanpercentile(new([1.0]), 50)),
    "a method that CuPy lacks": (AttributeError, lambda: new([1.0]).setflags(write=False)),
    "flags.writeable": (AttributeError, lambda: new([1.0]).flags.writeable),
    "__array_interface__": (AttributeError, lambda: new([1.0]).__array_interface__),
    "an attribute of its own": (AttributeError, lambda: setattr(new([1.0]), "note", 1)),
    "maximum.accumulate": (NotImplementedError, lambda: np.maximum.accumulate(new([1.0]))),
    "multiply.at": (NotImplementedError, lambda: xp.multiply.at(new([1.0]), (new([0], "int64"),), 1)),
    "add.at of complex": (TypeError, lambda: xp.add.at(new([1], "complex64"), (new([0], "int64"),), 1)),
    "an index that is a tuple, for NumPy's ufunc": (
        TypeError, lambda: np.add.at(new([1.0]), (new([0], "int64"),), 1)),
    "a dimension of an array without any": (ValueError, lambda: new(1.0).max(axis=0)),
    "one matrix for several right-hand sides": (
        ValueError, lambda: np.linalg.solve(new([[1.0]]), new([[[1.0]], [[2.0]]]))),
    "a dtype without a loop": (TypeError, lambda: np.floor(new([1], "complex64"))),
    "a condition that is no array": (TypeError, lambda: np.where(True, new([1.0]), 0)),
    "two masks": (ValueError, lambda: new([[1.0]])[new([1], "bool"), new([1], "bool")]),
    "two values for one place": (
        ValueError, lambda: new([1.0]).__setitem__(new([0, 0], "int64"), new([1.0, 2.0]))),
    "overlapping memory": (ValueError, lambda: (lambda a: a.__setitem__(slice(1, None), a[:-1]))(new([1.0, 2.0, 3.0]))),
    "another device": (ValueError, lambda: on_the_other(lambda: new([1.0])) + new([1.0])),
}  # fmt: skip


def on_the_other(make: Callable[[], Any]) -> Any:
    """Something made on the second device."""
    with StrictDevice(1):
        return make()


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    kind, attempt = REFUSED[what]
    with pytest.raises(kind):
        attempt()


def test_results_are_arrays_even_without_dimensions() -> None:
    x = new([[1.0, 2.0], [3.0, 4.0]])
    for result in (x.sum(), x[0, 1], x.max(), x[0] @ x[1], np.linalg.det(x), x.sum() * 2):
        assert type(result) is StrictArray
        assert result.shape == ()
    assert type(np.allclose(x, x)) is StrictArray


def test_python_numbers_do_not_widen() -> None:
    assert (new([1.0]) * 2.5).dtype == np.float32
    assert (new([1], "int32") + 2).dtype == np.int32
    assert (new([1], "int64") * 2.5).dtype == np.float64
    assert (new([1.0]) * np.float64(2.5)).dtype == np.float64


def test_an_index_out_of_range_wraps_around() -> None:
    assert new([1.0, 2.0, 3.0])[new([1, 3], "int64")].tolist() == [2.0, 1.0]
    with pytest.raises(IndexError):
        new([1.0])[3]


def test_adding_at_a_plain_index_does_not_count_repeated_places() -> None:
    x = new([0.0])
    windows = StrictArray((3,), x.dtype, x.data, (0,))
    every: Any = ...
    xp.add.at(windows, every, new([1.0, 1.0, 1.0]))
    assert x.tolist() == [1.0]
    xp.add.at(x, (new([0, 0], "int64"),), new([1.0, 1.0]))
    assert x.tolist() == [3.0]


def test_strided_looks_forget_their_base_and_views_keep_it() -> None:
    x = new([1.0, 2.0, 3.0])
    assert x[1:].reshape(2, 1).base is x
    looked = StrictArray((2,), x.dtype, x.data, (4,))
    assert looked.base is None
    looked[0] = 7.0
    assert x.tolist() == [7.0, 2.0, 3.0]


def test_memory_never_written_is_nan() -> None:
    assert np.isnan(StrictArray((3,), "float32").get()).all()
    assert np.isnan(np.empty_like(new([1.0])).get()).all()


def test_solvers_fail_silently_unless_told() -> None:
    singular = new([[1.0, 1.0], [1.0, 1.0]])
    assert np.isnan(np.linalg.inv(singular).get()).all()
    with strict_cupy.Cupyx.errstate(linalg="raise"), pytest.raises(np.linalg.LinAlgError):
        np.linalg.inv(singular)


def test_waits_are_noted_one_by_one() -> None:
    x = new([1.0, 2.0])
    with host_reads() as reads:
        x + 1
        assert reads == []
        float(x[0])
        x.get()
        x[x > 1]
        np.nonzero(x)
    assert reads == ["float", "get", "mask", "nonzero"]


def test_loops_are_chosen_as_cupy_does() -> None:
    types = known()["ufuncs"]["sin"]["types"]
    assert [str(d) for d in loop_for("sin", types, [np.ones(1, np.int8)])[1]] == ["float16"]
    assert [str(d) for d in loop_for("sin", types, [np.ones(1, np.int64)])[1]] == ["float64"]


@pytest.mark.skipif("cupy" not in sys.modules, reason="CuPy is not in use")
def test_the_names_are_those_of_the_cupy_in_use() -> None:
    import cupy

    assert cupy.__version__.split(".")[0] == known()["version"].split(".")[0]
