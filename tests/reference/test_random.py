"""From the same seed the reference draws the same random numbers as PyTorch on the CPU."""

from __future__ import annotations

import math
from typing import Any

import gradspec.reference_impl as reference
import pytest

from .rounding import close, dtype_of, epsilon_of

torch = pytest.importorskip("torch")


DTYPES = ("float32", "float64", "float16", "bfloat16", "complex64")
SHAPES = ((), (0,), (3,), (15,), (16,), (20,), (5, 8), (3, 33))
INITS = (
    "uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_",
    "kaiming_normal_", "orthogonal_",
)  # fmt: skip


ANGLE = 8 * math.pi
"""Normal numbers are the cosines of angles of up to a turn, which are rounded, times up to four."""
SINGLE = epsilon_of("float32")


def same(draw: Any) -> None:
    """Both packages give equal tensors, to the rounding of the dtype that they are computed in:
    single precision for halves, whose own last digit may then be another."""
    for expected, found in zip(draw(torch), draw(reference), strict=True):
        assert str(found.dtype) == str(expected.dtype)
        assert tuple(found.shape) == tuple(expected.shape)
        own = epsilon_of(dtype_of(expected))
        numbers = expected.tolist(), found.tolist()
        alike = close(*numbers, min(own, SINGLE), scale=ANGLE) or (
            own > SINGLE and close(*numbers, own, factor=1)
        )
        assert alike, f"expected {expected}, found {found}"


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", DTYPES)
def test_draws_of_a_shape(name: str, shape: tuple[int, ...]) -> None:
    def draw(T: Any) -> list[Any]:
        dtype = getattr(T, name)
        T.manual_seed(7)
        out = [T.rand(shape, dtype=dtype), T.randn(shape, dtype=dtype), T.rand(3)]
        out.append(T.empty(shape, dtype=dtype).normal_(1, 0.5))
        if not name.startswith("complex"):
            out.append(T.empty(shape, dtype=dtype).uniform_(-1, 0.5))
            out.append(T.bernoulli(T.full(shape, 0.3, dtype=dtype)))
            out.append(T.empty(shape, dtype=dtype).random_())
            out.append(T.empty(shape, dtype=dtype).exponential_(2.0))
        return out

    same(draw)


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_memory_that_is_not_in_rows_is_filled_in_its_own_order(name: str) -> None:
    def draw(T: Any) -> list[Any]:
        T.manual_seed(3)
        x = T.zeros(6, 8, dtype=getattr(T, name))
        out = [x.t().normal_().clone(), x[::2, 1:].uniform_().clone(), x.t()[1:3].normal_().clone()]
        y = T.zeros(2, 3, 4, dtype=x.dtype).permute(1, 2, 0)
        return [*out, T.rand_like(x.t()), T.randn_like(x.t()), T.randn_like(x), y.normal_()]

    same(draw)


def test_integers_and_orders() -> None:
    def draw(T: Any) -> list[Any]:
        T.manual_seed(1)
        out = [T.randint(10, (3,)), T.randint(-3, 3, (2, 2)), T.randint(0, 1 << 30, (3,))]
        out += [T.randint(-(1 << 62), 1 << 62, (3,)), T.randint(0, 4, (3,), dtype=T.float32)]
        out += [T.randperm(n) for n in (0, 1, 9, 100)]
        out += [T.randint_like(T.zeros(3), 4, 8)]
        for name in ("uint8", "int8", "int16", "int32", "int64", "bool"):
            x = T.zeros(6, dtype=getattr(T, name))
            out += [x.random_().clone(), x.random_(1).clone(), x.bernoulli_(0.5).clone()]
        return out

    same(draw)


def test_choices() -> None:
    def draw(T: Any) -> list[Any]:
        T.manual_seed(2)
        w = T.tensor([1.0, 5.0, 2.0, 0.5, 3.0])
        out = [T.multinomial(w, 1), T.multinomial(w, 5), T.multinomial(w, 20, replacement=True)]
        out += [T.multinomial(T.ones(3, 4), 2), T.multinomial(T.ones(3, 4).double(), 2, True)]
        out += [T.normal(0.0, 2.0, (4,)), T.normal(T.arange(4.0), 1.0)]
        out += [T.normal(T.arange(4.0), T.ones(4)), T.normal(1.0, T.ones(3, 2))]
        out += [T.nn.functional.dropout(T.ones(4, 5), 0.3), w.bernoulli_(0.5)]
        return out

    same(draw)


def test_states() -> None:
    def draw(T: Any) -> list[Any]:
        T.manual_seed(-3)
        out = [T.randn(3)]
        held = T.get_rng_state()
        out += [T.randn(4)]
        T.set_rng_state(held)
        own = T.Generator().manual_seed(5)
        out += [T.randn(4), T.rand(3, generator=own), T.randperm(4, generator=own)]
        with T.random.fork_rng():
            out += [T.rand(2)]
        other = T.Generator()
        other.set_state(own.get_state())
        assert T.initial_seed() == (1 << 64) - 3
        assert own.initial_seed() == 5
        assert tuple(held.shape) == (5056,)
        return [*out, T.rand(2), T.rand(2, generator=other)]

    same(draw)


def test_first_values_of_layers() -> None:
    def draw(T: Any) -> list[Any]:
        T.manual_seed(0)
        nn = T.nn
        layers = [nn.Linear(3, 4), nn.Conv2d(2, 3, 3), nn.Conv1d(2, 3, 3), nn.Embedding(5, 4)]
        layers += [nn.Bilinear(2, 3, 4), nn.Linear(2, 2, dtype=T.float64)]
        out = [p.detach() for layer in layers for p in layer.parameters()]
        for name in INITS:
            out += [getattr(nn.init, name)(T.empty(size)) for size in ((3, 5), (20, 4))]
        return out

    same(draw)


def test_what_cannot_be_drawn_is_refused() -> None:
    for T in (torch, reference):
        with pytest.raises(RuntimeError, match="less than"):
            T.randint(3, 3, (2,))
        with pytest.raises(RuntimeError):
            T.bernoulli(T.tensor([1.5]))
        with pytest.raises(RuntimeError, match=">= 0"):
            T.empty(2).normal_(0, -1)
        with pytest.raises(RuntimeError, match="without replacement"):
            T.multinomial(T.ones(2), 3)
        with pytest.raises(NotImplementedError):
            T.rand(2, dtype=T.int64)
        with pytest.raises(RuntimeError, match="5056"):
            T.set_rng_state(T.zeros(3, dtype=T.uint8))
