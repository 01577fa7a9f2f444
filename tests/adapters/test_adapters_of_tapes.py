"""What the adapters of tapes translate, without the engines themselves, which our CI does not install."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gradspec.adapters import paddle_engine, tinygrad_engine
from gradspec.adapters.chainer_engine import ChainerEngine
from gradspec.adapters.ferrotensor_engine import FerrotensorEngine
from gradspec.adapters.framework.classify import Classifier, patterns_of
from gradspec.adapters.framework.engine import EngineUnavailable, Unsupported
from gradspec.adapters.framework.numpy_names import NUMPY_PATTERNS, numpy_words
from gradspec.adapters.framework.torch_like import ModuleEngine
from gradspec.adapters.paddle_engine import PaddleEngine
from gradspec.conformance.running.runner import kinds_as_data
from gradspec.spec.load import load_spec
from suite_kit import spec_of_programs, verdicts_on

KINDS = [kind for kind in kinds_as_data(load_spec()) if kind["sort"] == "refusal"]


def test_an_axis_that_is_not_there_is_a_wrong_index() -> None:
    """NumPy's AxisError is a ValueError and an IndexError at once."""
    with pytest.raises(np.exceptions.AxisError) as raised:
        np.sum(np.ones(2), axis=3)
    assert Classifier(NUMPY_PATTERNS, patterns_of(KINDS)).kind(raised.value) == "wrong-index"


@pytest.mark.parametrize(
    ("engine", "error", "kind"),
    [
        (FerrotensorEngine, ValueError("backward() without a gradient needs a one-element tensor, got shape [2]"),
         "needs-gradient"),
        (PaddleEngine, ValueError("(InvalidArgument) the axis must be [-2, 2), but received 2 ."), "wrong-index"),
        (ChainerEngine, ValueError("grad_outputs must be of the same length as outputs."), "gradient-count"),
        (ChainerEngine, TypeError("The number of groups must be a divisor of that of input channels"), "wrong-shape"),
    ],
)  # fmt: skip
def test_the_wordings_of_engines(engine: Any, error: Exception, kind: str) -> None:
    assert Classifier(engine.patterns, patterns_of(KINDS)).kind(error) == kind


def test_what_numpy_says_of_booleans_and_axes() -> None:
    classifier = Classifier(NUMPY_PATTERNS, patterns_of(KINDS))
    for call, kind in (
        (lambda: -np.ones(2, dtype=bool), "wrong-dtype"),
        (lambda: np.ones(2, dtype=bool) - np.ones(2, dtype=bool), "wrong-dtype"),
        (lambda: np.deg2rad(np.ones(2, dtype=complex)), "wrong-dtype"),
        (lambda: np.transpose(np.ones((2, 3)), (0,)), "wrong-shape"),
    ):
        with pytest.raises((TypeError, ValueError)) as raised:
            call()
        assert classifier.kind(raised.value) == kind


def test_numpys_equal_is_not_pytorchs() -> None:
    words = numpy_words(np)
    with pytest.raises(Unsupported, match="does something else"):
        words["equal"](np.ones(2), np.ones(2))
    assert words["eq"](np.ones(2), np.ones(2)).all()


def test_numpys_einsum_takes_no_list_of_operands() -> None:
    einsum, ones = numpy_words(np)["einsum"], np.ones(2)
    assert einsum("i,i->", ones, ones) == 2.0
    with pytest.raises(Unsupported, match="einsum of a list"):
        einsum("i,i->", [ones, ones])


MYGRAD = {
    "clone": "x = tensor([2.0], requires_grad=True)\nassert x.clone() == [2.0]\n",
    "flag of an array": "x = tensor([2.0], requires_grad=True)\nassert not (x > 1.0).requires_grad\n",
    "not differentiable": "x = tensor([2.5], requires_grad=True)\nassert floor(x) == [2.0]\n",
    "values": "x = tensor([2.5])\nassert floor(x) == [2.0]\n",
}


def test_what_mygrad_lacks_is_no_failure(tmp_path: Path) -> None:
    pytest.importorskip("mygrad")
    found = verdicts_on("mygrad", spec_of_programs(tmp_path / "spec", MYGRAD))
    shown = [(verdict.verdict, verdict.kind) for verdict in found.values()]
    assert shown[:2] == [("unsupported", "")] * 2
    assert shown[2:] == [("unsupported", "missing-gradient"), ("pass", "")]


class Renamed(ModuleEngine):
    """An engine whose version counter has another name, which its adapter maps."""

    attributes = {"_version": lambda x: x.counter}  # noqa: RUF012


def test_an_attribute_that_the_adapter_maps_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type("Tensor", (), {"counter": 0, "grad_fn": None})
    module: Any = SimpleNamespace(Tensor=kind, tensor=lambda values, requires_grad=False: kind())
    monkeypatch.setattr(ModuleEngine, "load_module", lambda self: module)
    engine = Renamed("renamed")
    assert engine.lacks_member(frozenset({"_version", "grad_fn"})) == ""
    assert engine.lacks_member(frozenset({"_version", "_base"})) == "Tensor._base"


def gradient(address: int) -> Any:
    """What Paddle gives when a gradient is read: another object each time."""
    return SimpleNamespace(data_ptr=lambda: address, shape=[2], dtype="float32")


def test_paddles_gradient_is_the_same_object_while_it_is_the_same_tensor() -> None:
    tensor = SimpleNamespace(grad=gradient(100))
    first = paddle_engine.gradient_of(tensor)
    tensor.grad = gradient(100)
    assert paddle_engine.gradient_of(tensor) is first
    tensor.grad = gradient(200)
    assert paddle_engine.gradient_of(tensor) is tensor.grad
    tensor.grad = None
    assert paddle_engine.gradient_of(tensor) is None


def test_tinygrad_without_a_compiler_says_what_to_install() -> None:
    def tensor(values: list[float]) -> Any:
        raise RuntimeError("no usable devices")

    with pytest.raises(EngineUnavailable, match=r"install clang, or .* DEV=PYTHON"):
        tinygrad_engine.check_device(tensor)


def test_tinygrads_names_of_arguments() -> None:
    def total(x: list[int], axis: int = 0, keepdim: bool = False) -> tuple[int, bool]:
        return x[axis], keepdim

    call = tinygrad_engine.translated(total)
    assert call([5, 7], dim=1, keepdim=True) == (7, True)
    assert call(input=[5, 7]) == (5, False)
    with pytest.raises(TypeError, match="end"):
        call([5, 7], end=1)


def test_a_reduction_without_keepdims_lacks_keepdim() -> None:
    namespace = SimpleNamespace(sum=np.sum, argmax=lambda x, axis=None: np.argmax(x, axis))
    words = numpy_words(namespace)
    assert words["sum"](np.ones((2, 3)), 1, keepdim=True).shape == (2, 1)
    assert words["argmax"](np.ones((2, 3)), 1).shape == (2,)
    with pytest.raises(Unsupported, match="keepdim"):
        words["argmax"](np.ones((2, 3)), 1, keepdim=True)
