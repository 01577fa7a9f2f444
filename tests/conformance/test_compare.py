"""Comparing plain values: what counts as the same, and by how much a number may be off."""

from __future__ import annotations

import math
from typing import Any

import pytest
from gradspec.conformance.judging.compare import EPSILON, EXACT, Malformed, Tolerance, difference
from gradspec.spec.values import plain_number

FACTOR = 16.0
USUAL = Tolerance(FACTOR)
INSIDE, OUTSIDE = 0.95, 1.1  # of the tolerance, as near as doubles can tell
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex32", "complex64", "complex128"]
NAN, INF, MINUS_INF = ({"number": name} for name in ("nan", "inf", "-inf"))


def tensor(
    values: list[Any], shape: list[int] | None = None, dtype: str = "float32"
) -> dict[str, Any]:
    return {
        "tensor": {
            "dtype": dtype,
            "shape": [len(values)] if shape is None else shape,
            "values": values,
        }
    }


def listed(*items: Any) -> dict[str, Any]:
    return {"list": list(items)}


def same(expected: Any, observed: Any, factor: float = FACTOR) -> bool:
    return difference(expected, observed, Tolerance(factor)) == ""


# --- tolerances ---


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", [2.0**-6, 1.0, 3.0, 2.0**9])
@pytest.mark.parametrize("sign", [1, -1])
def test_tolerance_of_a_dtype(dtype: str, size: float, sign: int) -> None:
    """`factor` epsilons of the element and one of the largest: just inside, just outside."""
    allowed = EPSILON[dtype] * size * (FACTOR + 1)
    assert same(listed(size), tensor([size + sign * allowed * INSIDE], dtype=dtype))
    assert not same(listed(size), tensor([size + sign * allowed * OUTSIDE], dtype=dtype))


@pytest.mark.parametrize("factor", [0.0, 1.0, 1000.0])
def test_tolerance_of_a_case(factor: float) -> None:
    allowed = EPSILON["float32"] * (factor + 1)
    assert same(listed(1.0), tensor([1.0 + allowed]), factor)
    assert not same(listed(1.0), tensor([1.0 + allowed * OUTSIDE]), factor)


def test_largest_element_lends_one_epsilon_to_the_others() -> None:
    """The rounding that cancellation leaves."""
    left = EPSILON["float32"] * 1024.0
    assert same(listed(1024.0, 0.0), tensor([1024.0, left]))
    assert not same(listed(1024.0, 0.0), tensor([1024.0, left * OUTSIDE]))
    assert not same(listed(0.0), tensor([left]))


@pytest.mark.parametrize("dtype", COMPLEX)
def test_tolerance_of_each_part_of_a_complex_number(dtype: str) -> None:
    expected, allowed = listed({"complex": [3.0, 4.0]}), EPSILON[dtype] * 5.0 * (FACTOR + 1)
    assert same(expected, tensor([[3.0 + allowed * INSIDE, 4.0 - allowed * INSIDE]], dtype=dtype))
    assert not same(expected, tensor([[3.0 + allowed * OUTSIDE, 4.0]], dtype=dtype))
    assert not same(expected, tensor([[3.0, 4.0 + allowed * OUTSIDE]], dtype=dtype))


def test_tolerance_near_the_largest_number_is_finite() -> None:
    largest = 1.7976931348623157e308
    assert same(
        tensor([largest], dtype="float64"), tensor([largest * (1 - 2**-52)], dtype="float64")
    )
    assert not same(tensor([largest], dtype="float64"), tensor([0.0], dtype="float64"))
    assert not same(tensor([largest], dtype="float64"), tensor([-largest], dtype="float64"))
    assert not same(
        tensor([largest, 1.0], dtype="float64"), tensor([largest / 2, 1.0], dtype="float64")
    )


@pytest.mark.parametrize("dtype", sorted(EXACT - {"bool"}))
def test_integers_are_exact(dtype: str) -> None:
    assert same(listed(7), tensor([7], dtype=dtype))
    assert same(listed(7.0), tensor([7], dtype=dtype))
    assert not same(listed(7), tensor([8], dtype=dtype))
    assert not same(listed(2**53), tensor([2**53 + 1], dtype=dtype))


def test_plain_numbers_are_held_to_float32() -> None:
    allowed = EPSILON["float32"] * (FACTOR + 1)
    assert same(1.0, 1.0 + allowed)
    assert not same(1.0, 1.0 + allowed * OUTSIDE)


def test_plain_integers_are_exact() -> None:
    assert same(10**8, 10**8)
    assert not same(10**8, 10**8 + 1)
    assert same(10**8, 10**8 + 1.0)  # a float is no exact count


def test_unknown_dtype_is_held_to_float32() -> None:
    assert same(listed(1.0), tensor([1.0 + EPSILON["float32"]], dtype="unknown"))
    assert not same(listed(1.0), tensor([1.0 + 1e-3], dtype="unknown"))


def test_two_tensors_are_held_to_the_coarser_dtype() -> None:
    off = 1.0 + EPSILON["float16"]
    assert same(tensor([1.0], dtype="float64"), tensor([off], dtype="float16"))
    assert same(tensor([1.0], dtype="float16"), tensor([off], dtype="float64"))
    assert not same(tensor([1.0], dtype="float64"), tensor([off], dtype="float32"))


# --- numbers that are none, and zero ---


@pytest.mark.parametrize("number", [NAN, INF, MINUS_INF])
def test_special_numbers_equal_themselves_alone(number: dict[str, str]) -> None:
    for other in (NAN, INF, MINUS_INF, 0.0, 1e30):
        assert same(number, other) is (number == other)
        assert same(listed(number), tensor([other])) is (number == other)
        assert same(other, number) is (number == other)


def test_special_numbers_lend_no_tolerance() -> None:
    assert not same(listed(INF, 1.0), tensor([INF, 2.0]))
    assert not same(listed(NAN, 1.0), tensor([NAN, 2.0]))


@pytest.mark.parametrize("part", [math.inf, -math.inf, math.nan])
def test_special_part_of_a_complex_number_excuses_not_the_other(part: float) -> None:
    expected = {"complex": [plain_number(part), 1.0]}
    assert same(expected, {"complex": [plain_number(part), 1.0]})
    assert not same(expected, {"complex": [plain_number(part), 99.0]})
    assert same(listed(expected), tensor([[plain_number(part), 1.0]], dtype="complex64"))
    assert not same(listed(expected), tensor([[plain_number(part), 99.0]], dtype="complex64"))


def test_real_and_complex_numbers_compare_by_value() -> None:
    assert same(2.0, {"complex": [2.0, 0.0]})
    assert same({"complex": [2.0, 0.0]}, 2.0)
    assert not same(2.0, {"complex": [2.0, 1.0]})
    assert same(listed(2.0), tensor([[2.0, 0.0]], dtype="complex64"))


def test_zeros_of_both_signs_are_equal() -> None:
    assert same(0.0, -0.0)
    assert same(listed(-0.0), tensor([0.0]))


# --- kinds of values ---


@pytest.mark.parametrize(
    "value", [None, True, False, "text", 3, 2.5, listed(), listed(1, "a"), {"dtype": "float32"}]
)
def test_value_equals_itself(value: Any) -> None:
    assert same(value, value)


@pytest.mark.parametrize(
    ("expected", "observed"),
    [
        (1, True),
        (True, 1),
        (0, False),
        (None, False),
        (None, 0),
        ("1", 1),
        (1, "1"),
        ("", None),
        (1.0, None),
        (1.0, listed(1.0)),
        (listed(1.0), 1.0),
        (listed(), None),
        (listed("a"), "a"),
        ({"dtype": "float32"}, {"dtype": "float64"}),
        ({"dtype": "float32"}, "float32"),
        (None, tensor([1.0])),
        ("text", tensor([1.0])),
        (True, tensor([1.0], [])),
        ({"dtype": "float32"}, tensor([1.0])),
        (listed("a"), tensor([1.0])),
        (listed(None), tensor([1.0])),
        (tensor([1.0]), None),
        (tensor([1.0]), "text"),
        (tensor([1.0]), True),
    ],
)
def test_values_of_different_kinds_differ(expected: Any, observed: Any) -> None:
    assert difference(expected, observed, USUAL).startswith(("expected", "item"))


def test_booleans_in_tensors() -> None:
    assert same(True, tensor([True], [], "bool"))
    assert not same(True, tensor([False], [], "bool"))
    assert same(listed(True, False), tensor([True, False], dtype="bool"))
    assert not same(listed(True, False), tensor([True, True], dtype="bool"))
    assert not same(listed(1.0), tensor([True], dtype="bool"))
    assert not same(listed(True), tensor([1.0]))


def test_lists_and_tuples_are_alike() -> None:
    assert same({"tuple": [2, 3]}, listed(2, 3))
    assert same(listed(2, 3), {"tuple": [2, 3]})


def test_sequences_compare_item_by_item() -> None:
    assert difference(listed(1, 2), listed(1, 3), USUAL) == "item 1: expected 2, found 3"
    assert "expected 2 items" in difference(listed(1, 2), listed(1), USUAL)
    assert same({"tuple": [listed(1.0), None]}, {"tuple": [tensor([1.0]), None]})


def test_dicts() -> None:
    expected = {"dict": [["a", 1], ["b", listed(2.0)]]}
    assert same(expected, {"dict": [["b", tensor([2.0])], ["a", 1]]})
    assert difference(expected, {"dict": [["a", 1], ["b", tensor([3.0])]]}, USUAL).startswith(
        "key 'b': "
    )
    assert "keys" in difference(expected, {"dict": [["a", 1]]}, USUAL)
    assert not same(expected, listed())


def test_either() -> None:
    expected = {"either": [listed(0.0), None, "text"]}
    assert same(expected, tensor([0.0]))
    assert same(expected, None)
    assert not same(expected, tensor([1.0]))
    assert difference(expected, 5, USUAL) == "expected [0.0] or None or 'text', found 5"


# --- shapes ---


def test_number_equals_a_tensor_without_dimensions_alone() -> None:
    assert same(2.0, tensor([2.0], []))
    assert not same(2.0, tensor([2.0]))
    assert not same(listed(2.0), tensor([2.0], []))
    assert same(tensor([2.0], []), 2.0)
    assert not same(tensor([2.0]), 2.0)


@pytest.mark.parametrize("shape", [[4], [4, 1], [1, 4], [2, 2, 1]])
def test_shape_is_exact(shape: list[int]) -> None:
    expected, values = listed(listed(1.0, 2.0), listed(3.0, 4.0)), [1.0, 2.0, 3.0, 4.0]
    assert same(expected, tensor(values, [2, 2]))
    assert "expected the shape (2, 2)" in difference(expected, tensor(values, shape), USUAL)


def test_empty_shapes() -> None:
    assert same(listed(), tensor([], [0]))
    assert same(listed(listed(), listed()), tensor([], [2, 0]))
    assert not same(listed(), tensor([], [2, 0]))
    assert not same(listed(), tensor([0.0], [1]))
    assert same(tensor([], [0, 3]), tensor([], [0, 3]))
    assert not same(tensor([], [0, 3]), tensor([], [3, 0]))


def test_list_equals_a_tensor_either_way_round() -> None:
    assert same(listed(1.0, 2.0), tensor([1.0, 2.0]))
    assert same(tensor([1.0, 2.0]), listed(1.0, 2.0))
    assert not same(tensor([1.0, 2.0]), listed(1.0, 3.0))


def test_message_names_the_element_and_the_whole() -> None:
    message = difference(listed(1.0, 2.0), tensor([1.0, 2.001]), USUAL)
    assert message.startswith("element 1: expected 2.0, found 2.001 (")
    assert "machine epsilons apart" in message
    assert "the whole is tensor([1.0, 2.001], shape=(2,), dtype=float32)" in message


def test_message_shows_the_tensor_in_its_own_dtype() -> None:
    message = difference(tensor([1.0, 2.0]), tensor([1.0, 3.0], dtype="float64"), USUAL)
    assert "the whole is tensor([1.0, 3.0], shape=(2,), dtype=float64)" in message


# --- tensors that contradict themselves ---


@pytest.mark.parametrize(
    "content",
    [
        {"dtype": "float32", "shape": [2], "values": [1.0]},
        {"dtype": "float32", "shape": [], "values": []},
        {"dtype": "float32", "shape": [0], "values": [1.0]},
        {"dtype": "float32", "shape": [-1], "values": [1.0]},
        {"dtype": "float32", "shape": [True], "values": [1.0]},
        {"dtype": "float32", "shape": [1.0], "values": [1.0]},
        {"dtype": "float32", "shape": 1, "values": [1.0]},
        {"dtype": "float32", "shape": [1], "values": ["1.0"]},
        {"dtype": "float32", "shape": [1], "values": [None]},
        {"dtype": "float32", "shape": [1], "values": 1.0},
        {"dtype": None, "shape": [1], "values": [1.0]},
        {"shape": [1], "values": [1.0]},
        [1.0],
        None,
    ],
)
def test_tensor_that_contradicts_itself(content: Any) -> None:
    for expected in (listed(1.0), tensor([1.0])):
        with pytest.raises(Malformed):
            difference(expected, {"tensor": content}, USUAL)


@pytest.mark.parametrize(
    ("expected", "found"), [(1.0, INF), (1.0, math.inf), (math.inf, 1.0), (math.inf, -math.inf), (1.0, math.nan)]
)  # fmt: skip
def test_an_infinity_widens_no_tolerance(expected: Any, found: Any) -> None:
    """However it is written: an infinite scale would let everything pass."""
    assert not same(listed(expected, 2.0), tensor([found, 2.0]))


# --- engines whose tensors are single numbers ---


def without_shape(*values: float) -> dict[str, Any]:
    return {"tensor": {"dtype": "float32", "shape": None, "values": list(values)}}


@pytest.mark.parametrize(
    "expected", [2.0, listed(2.0), listed(listed(2.0)), tensor([2.0]), without_shape(2.0)]
)
def test_a_single_number_has_no_shape_to_compare(expected: Any) -> None:
    assert same(expected, without_shape(2.0))
    assert not same(expected, without_shape(3.0))


@pytest.mark.parametrize("expected", [listed(2.0, 2.0), listed(), tensor([2.0, 2.0]), None, "2.0"])
def test_a_single_number_is_nothing_else(expected: Any) -> None:
    assert not same(expected, without_shape(2.0))


def test_several_numbers_have_a_shape() -> None:
    with pytest.raises(Malformed, match="has one element, found 2"):
        same(listed(2.0, 2.0), without_shape(2.0, 2.0))
