"""What the generic layer makes of engines in compiled languages."""

from __future__ import annotations

import types
from typing import Any

import pytest
from gradspec.adapters.framework.engine import Unsupported
from gradspec.adapters.framework.numpy_names import with_numbers
from gradspec.adapters.framework.python_engine import PythonEngine, tensor_type_of


def test_a_type_that_only_says_it_is_built_in_is_the_engine_s() -> None:
    """As the classes of PyO3 do that name no module."""
    own = type("Tensor", (), {"__module__": "builtins"})
    assert tensor_type_of(types.SimpleNamespace(Tensor=own)) is own
    assert tensor_type_of(types.SimpleNamespace(Tensor=list)) is None


def test_a_fresh_leaf_without_elements_keeps_its_shape() -> None:
    asked: list[Any] = []
    engine: Any = object.__new__(PythonEngine)
    engine.words = {"zeros": lambda shape, requires_grad: asked.append((shape, requires_grad))}
    engine.describe_tensor = lambda value: {"tensor": {"shape": [0, 3], "values": []}}
    engine.fresh_leaf(None)
    assert asked == [((0, 3), True)]


def test_a_method_for_numbers_takes_no_further_tensor() -> None:
    tensor = types.SimpleNamespace(backward=None)
    power = with_numbers("pow", lambda value, exponent: exponent)
    assert power(tensor, 2.0) == 2.0
    for arguments in ((tensor, tensor), (2.0, tensor)):
        with pytest.raises(Unsupported, match="pow with several tensors"):
            power(*arguments)
