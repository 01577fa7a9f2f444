"""Engines with PyTorch's names that need no adapter: how their values are read."""

from __future__ import annotations

import re
import sys
import types
from typing import Any

import numpy as np
import pytest
from gradspec.adapters.framework.classify import pattern
from gradspec.adapters.framework.engine import Identity, Unsupported
from gradspec.adapters.framework.python_engine import Needs, version_of
from gradspec.adapters.framework.torch_like import ModuleEngine, following
from gradspec.conformance.running.runner import Options, open_session


class Without:
    """A tensor without memory: it must be copied to be read."""

    copies = 0

    def __init__(self, readable: bool, copies_can_be_read: bool = True) -> None:
        self.readable, self.copies_can_be_read = readable, copies_can_be_read
        self.shape, self.dtype = (2,), "float32"

    def tolist(self) -> list[float]:
        if not self.readable:
            raise RuntimeError("no memory")
        return [0.0, 0.0]

    def clone(self) -> Without:
        Without.copies += 1
        return Without(self.copies_can_be_read, self.copies_can_be_read)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> ModuleEngine:
    module: Any = types.ModuleType("without_memory")
    module.Tensor = Without
    monkeypatch.setitem(sys.modules, "without_memory", module)
    monkeypatch.setattr(Without, "copies", 0)
    return ModuleEngine("without_memory")


def test_a_tensor_that_cannot_be_read_is_read_by_a_copy(engine: ModuleEngine) -> None:
    assert engine.describe_tensor(Without(readable=False))["tensor"]["values"] == [0.0, 0.0]
    assert Without.copies == 1


def test_a_tensor_that_can_be_read_is_not_copied(engine: ModuleEngine) -> None:
    engine.describe_tensor(Without(readable=True))
    assert Without.copies == 0


def test_when_no_copy_helps_the_first_error_is_told(engine: ModuleEngine) -> None:
    with pytest.raises(RuntimeError, match="no memory") as raised:
        engine.describe_tensor(Without(readable=False, copies_can_be_read=False))
    assert Without.copies == 1
    assert raised.value.__context__ is None


def test_a_malformed_rule_of_an_adapter_is_found_when_it_is_written() -> None:
    """Not at the first error of the engine, in the middle of a run."""
    with pytest.raises(re.error):
        pattern("graph-freed", "second (time")


def test_pytorch_needs_no_adapter_for_zeros_without_memory() -> None:
    """Gradients of piecewise constant functions are such zeros."""
    pytest.importorskip("torch")
    session = open_session(Options("module:torch"))
    cases = [case for case in session.cases() if case.id.startswith("unary.sgn/")]
    failed = [v for v in map(session.run_case, cases) if v.verdict != "pass"]
    session.close()
    assert cases
    assert not failed, failed[0].message


class Buffer:
    """A tensor whose `numpy()` is a copy, and which tells where its elements are."""

    def __init__(self, start: int, shape: tuple[int, ...]) -> None:
        self.start, self.shape = start, shape

    def numpy(self) -> Any:
        return np.zeros(self.shape, "float32")

    def data_ptr(self) -> int:
        return self.start

    def element_size(self) -> int:
        return 4


class Opaque:
    """One that does not tell."""

    def numpy(self) -> Any:
        return np.zeros(2)


def test_arrays_that_are_copies_say_nothing_about_memory(engine: ModuleEngine) -> None:
    whole = Buffer(1000, (4, 3))
    assert engine.shares_storage(whole, Buffer(1012, (3,)))
    assert not engine.shares_storage(whole, Buffer(1048, (3,)))
    assert not engine.shares_storage(whole, Buffer(1000, (0, 3)))
    with pytest.raises(Unsupported, match="shares_storage"):
        engine.shares_storage(Opaque(), Opaque())


def test_arrays_that_are_the_memory_are_believed(engine: ModuleEngine) -> None:
    values = np.zeros((2, 3))
    first, second, other = (
        types.SimpleNamespace(numpy=lambda it=it: it) for it in (values, values[1], values + 1)
    )
    assert engine.shares_storage(first, second)
    assert not engine.shares_storage(first, other)


@pytest.mark.parametrize(
    "lacking", [(), ("view_as",), ("view_as", "view"), ("view_as", "view", "reshape")]
)
def test_inputs_of_nested_derivatives_need_no_view_as(lacking: tuple[str, ...]) -> None:
    tensor = types.SimpleNamespace(
        shape=(2,),
        view_as=lambda other: "view_as",
        view=lambda shape: "view",
        reshape=lambda shape: "reshape",
    )
    for name in lacking:
        delattr(tensor, name)
    if len(lacking) < 3:
        assert following(tensor) == ("view_as", "view", "reshape")[len(lacking)]
    assert following(3.0) == 3.0


def test_forward_mode_by_the_transform_where_there_are_no_levels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module: Any = types.ModuleType("without_levels")
    module.func = types.SimpleNamespace(jvp=lambda f, inputs, tangents: (f(*inputs), tangents[0]))
    module.autograd = types.SimpleNamespace(forward_ad=types.SimpleNamespace(make_dual=None))
    monkeypatch.setitem(sys.modules, "without_levels", module)
    made = ModuleEngine("without_levels")
    assert made.jvp(lambda x: x, (2.0,), (3.0,)) == 3.0
    del module.func
    with pytest.raises(Unsupported, match=r"autograd\.forward_ad and func\.jvp"):
        ModuleEngine("without_levels").jvp(lambda x: x, (2.0,), (3.0,))


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_forward_mode_of_a_package_that_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The levels belong to the package that made them, and are left through it."""
    torch = pytest.importorskip("torch")
    module: Any = types.ModuleType("passed_on")
    vars(module).update({name: value for name, value in vars(torch).items() if name[:2] != "__"})
    monkeypatch.setitem(sys.modules, "passed_on", module)
    made = ModuleEngine("passed_on")
    assert made.jvp(lambda x: x * x, (torch.tensor(2.0),), (torch.tensor(3.0),)).item() == 12.0
    torch.autograd.forward_ad.enter_dual_level()
    made.reset()
    assert torch.autograd.forward_ad._current_level == -1


@pytest.mark.parametrize("takes_complex", [False, True])
def test_an_engine_without_complex_numbers_is_not_asked_for_them(
    takes_complex: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tensor(values: list[Any], **options: Any) -> Any:
        if not takes_complex and any(isinstance(value, complex) for value in values):
            raise RuntimeError("unsupported scalar type")
        return Without(readable=True)

    module: Any = types.ModuleType("real_numbers")
    module.Tensor, module.tensor, module.complex64 = Without, tensor, "complex64"
    monkeypatch.setitem(sys.modules, "real_numbers", module)
    lacking = ModuleEngine("real_numbers").lacks(["tensor"], frozenset({"complex"}))
    assert lacking == ("" if takes_complex else "complex numbers")


class Tensor:
    """What the tests below need of a tensor."""

    requires_grad = False
    device = "cpu"
    shown = "tensor([1.], requires_grad=True)"

    def detach(self) -> Tensor:
        return Tensor()

    def requires_grad_(self) -> Tensor:
        self.requires_grad = True
        return self

    def to(self, dtype: str) -> Tensor:
        if dtype == "cpu":
            raise TypeError("to(): incompatible function arguments")
        return self

    def __pow__(self, exponent: Any) -> Any:
        return NotImplemented

    def __repr__(self) -> str:
        return self.shown


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> ModuleEngine:
    module: Any = types.ModuleType("small_engine")
    module.Tensor, module.tensor = Tensor, lambda values, **keywords: Tensor()
    module.zeros_like = lambda tensor: Tensor()
    module.autograd = types.SimpleNamespace(grad=lambda *arguments, **keywords: ())
    monkeypatch.setitem(sys.modules, "small_engine", module)
    return ModuleEngine("small_engine")


def test_zeros_of_a_result_without_history_are_explained(small: ModuleEngine) -> None:
    assert len(small.vjp(lambda x: Tensor(), (Tensor(),), Tensor())) == 1
    assert small.untracked


def test_an_error_in_code_that_an_engine_generated_is_the_engines(small: ModuleEngine) -> None:
    """Such code may run in a namespace of its own, in which no module's name stands."""
    exec(
        "def generated():\n    raise ValueError('too large')",
        names := {"__builtins__": {"ValueError": ValueError}},
    )
    with pytest.raises(ValueError, match="too large") as raised:
        names["generated"]()
    end = small.end_of(raised.value, frozenset(), file="the program")
    assert (end.how, end.type, end.message) == ("error", "ValueError", "too large")


def test_devices_are_missing_where_to_takes_none(small: ModuleEngine) -> None:
    needs = Needs((), frozenset({"devices"}), frozenset({"to"}))
    assert small.unable(needs) == "to(device)"
    assert small.unable(Needs((), frozenset({"dtypes"}), frozenset({"to"}))) == ""


def test_details_are_not_tested_of_tensors_that_print_in_another_form(
    small: ModuleEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert small.text_of(Tensor()) == Tensor.shown
    del small.prints_as_pytorch
    monkeypatch.setattr(Tensor, "shown", "tensor([1.0])")
    with pytest.raises(Unsupported, match="printing"):
        small.text_of(Tensor())


@pytest.mark.parametrize("other", [2.0, Tensor()])
def test_an_operator_that_gives_up_on_tensors_or_numbers_is_missing(
    small: ModuleEngine, other: Any
) -> None:
    with pytest.raises(TypeError) as raised:
        Tensor() ** other
    raised.value.__traceback__ = None  # as if the program had raised it
    with pytest.raises(Unsupported, match="the operator"):
        small.classifier.kind(raised.value)


def test_an_operator_that_gives_up_on_text_raises_an_error(small: ModuleEngine) -> None:
    with pytest.raises(TypeError) as raised:
        Tensor() ** "2"
    raised.value.__traceback__ = None
    assert small.classifier.kind(raised.value) == "broken"


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("Dimension out of range (expected to be in range of [-1, 0], but got 2)"),
        ValueError("dimension 2 out of range for 2-D input"),
    ],
)
def test_a_dimension_out_of_range_is_a_wrong_index_whatever_its_type(
    small: ModuleEngine, error: Exception
) -> None:
    assert small.classifier.kind(error) == "wrong-index"


def test_an_engine_without_a_version_shows_none() -> None:
    assert version_of(types.ModuleType("an_engine_of_this_test")) == ""
    assert (Identity("tape", "").title, Identity("tape", "1.5").title) == ("tape", "tape 1.5")
