"""Random tensors, and filling tensors with random numbers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend import dtypes
from ..backend.base import astype, beside, host
from ..backend.dtypes import FLOATING, DType, from_numpy
from ..tensor.tensor import Tensor, wrap
from ..tensor.views import check_writable
from .core import zeros_of
from .create import made
from .dims import sizes
from .fill import filler, laid_out_like
from .generator import DEFAULT, Generator, chosen
from .op import op
from .registry import FUNCTIONS, function, method, public

__all__ = ["manual_seed"]

FUNCTIONS["Generator"] = Generator
FUNCTIONS["default_generator"] = DEFAULT  # type: ignore[assignment]


@function("manual_seed")
def manual_seed(seed: int) -> Generator:
    """Start the random numbers anew from a seed."""
    return DEFAULT.manual_seed(seed)


function("seed")(DEFAULT.seed)
function("initial_seed")(DEFAULT.initial_seed)
function("get_rng_state")(DEFAULT.get_state)


@function("set_rng_state")
def set_rng_state(new_state: Tensor) -> None:
    """Go back to a state that ``get_rng_state`` gave."""
    DEFAULT.set_state(new_state)


# -- numbers for a shape and a dtype, in the order of memory ------------------------------------------


def floating(kind: Any) -> DType:
    """The dtype, if such numbers can be drawn for it.

    Raises:
        NotImplementedError: a dtype of whole numbers or bool.
    """
    dtype = from_numpy(kind)
    if dtype.category < FLOATING:
        raise errors.wrong_dtype(
            f"random floating numbers are not implemented for {dtype}", NotImplementedError
        )
    return dtype


def parts(draw: Any, n: int, dtype: DType) -> Any:
    """``n`` numbers of a dtype, from float64 ones; complex ones of two real numbers each."""
    if not dtype.is_complex:
        return astype(draw(n), dtype.np)
    return astype(draw(2 * n), dtype.to_real().np).view(dtype.np)


def uniforms(n: int, kind: Any, generator: Any, low: float = 0.0, high: float = 1.0) -> Any:
    """``n`` numbers in [low, high)."""
    numbers = chosen(generator)

    def draw(count: int) -> Any:
        return low + (high - low) * numbers.random(count)

    drawn = parts(draw, n, floating(kind))
    if not floating(kind).is_complex:
        drawn[drawn == high] = low  # what rounds up to the end counts as the beginning
    return drawn


def normals(n: int, kind: Any, generator: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    """``n`` normal numbers; the parts of complex ones share the variance."""
    numbers, dtype = chosen(generator), floating(kind)
    std = std / math.sqrt(2) if dtype.is_complex else std
    return parts(lambda count: mean + std * numbers.standard_normal(count), n, dtype)


filler(
    "rand",
    lambda shape, kind, generator: uniforms(math.prod(shape), kind, generator).reshape(shape),
    new_method=False,
)
filler(
    "randn",
    lambda shape, kind, generator: normals(math.prod(shape), kind, generator).reshape(shape),
    new_method=False,
)


def bounds(low: int, high: Any) -> tuple[int, int]:
    """The range of integers to draw from.

    Raises:
        RuntimeError: there are none.
    """
    low, high = int(low), int(high)
    if low >= high:
        raise errors.wrong_value(
            f"random_(): 'from' must be less than 'to'; got from={low} and to={high}", RuntimeError
        )
    return low, high


def integers(n: int, low: int, high: Any, generator: Any) -> Any:
    """``n`` integers in [low, high), int64."""
    return chosen(generator).integers(*bounds(low, high), n)


@function("randint")
def randint(
    low: int = 0,
    high: Any = None,
    size: Any = None,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: Any = None,
    layout: Any = None,
) -> Tensor:
    """Random integers in [low, high), int64 unless told otherwise.

    Raises:
        RuntimeError: the range is empty.
    """
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    shape = sizes((size,))
    drawn = integers(math.prod(shape), low, high, generator)
    kind = dtypes.array_dtype(dtype or dtypes.int64)
    return made(drawn.reshape(shape), requires_grad, kind, device)


def check_std(std: Any) -> None:
    """Refuse a negative standard deviation."""
    if std < 0:
        raise errors.wrong_value(f"normal(): std must be >= 0; got {std}", RuntimeError)


def unrelated(g: Any) -> Tensor:
    """The gradient of what numbers were drawn from: zeros, as they do not depend on it smoothly."""
    return zeros_of(g)  # type: ignore[no-any-return]


from_one = op("normal(x, /, values)", lambda x, values: values, x=unrelated)
from_two = op("normal(x, y, /, values)", lambda x, y, values: values, x=unrelated, y=unrelated)
from_rates = op("poisson(x, /, values)", lambda x, values: values, x=unrelated)
from_chances = op("bernoulli(x, /, values)", lambda x, values: values, x=unrelated)


@function("poisson")
def poisson(input: Tensor, generator: Any = None) -> Tensor:
    """Poisson numbers, one of each rate.

    Raises:
        RuntimeError: a rate below zero.
    """
    kind = floating(input._data.dtype).np
    rates = host(input._data)
    if (rates < 0).any():
        raise errors.wrong_value("poisson(): rates must be >= 0; got one below", RuntimeError)
    drawn = chosen(generator).poisson(astype(rates, np.float64))
    return from_rates(input, beside(astype(drawn, kind), input._data))  # type: ignore[no-any-return]


@function("normal")
def normal(
    mean: Any,
    std: Any = 1.0,
    size: Any = None,
    *,
    generator: Any = None,
    out: Any = None,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Normal numbers whose mean and standard deviation are numbers, or tensors to draw one each."""
    given = [v for v in (mean, std) if isinstance(v, Tensor)]
    like = given[0]._data
    shape = np.broadcast_shapes(*(v._data.shape for v in given))
    drawn = normals(math.prod(shape), like.dtype, generator).reshape(shape)
    first, second = (v._data if isinstance(v, Tensor) else v for v in (mean, std))
    values = astype(beside(astype(drawn, like.dtype), like) * second + first, like.dtype)
    operands = [v.expand(shape) for v in given]
    return (from_two if len(given) > 1 else from_one)(*operands, values)  # type: ignore[no-any-return]


def happens(probability: Any, generator: Any) -> Any:
    """Whether each of some events of these probabilities happens.

    Raises:
        RuntimeError: a probability outside [0, 1].
    """
    like, probability = probability, host(probability)
    if not ((probability >= 0) & (probability <= 1)).all():
        raise errors.wrong_value(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.", RuntimeError
        )
    drawn = chosen(generator).random(probability.size).reshape(probability.shape)
    return beside(drawn < probability, like)


@public("bernoulli")
def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None) -> Tensor:
    """1 with this probability, else 0."""
    if p is not None:
        return wrap(chances(input._data, p, generator))
    drawn = astype(happens(input._data, generator), input._data.dtype)
    return from_chances(input, drawn)  # type: ignore[no-any-return]


def dropout_mask(like: Any, p: float) -> Any:
    """Zeros with probability ``p``, else what keeps the mean, in an array like another."""
    if p == 1:
        return np.zeros_like(like)
    mask = chances(like, 1 - p, None)
    narrow = like.dtype.itemsize < 4
    return astype(mask.astype(np.float32) / (1 - p) if narrow else mask / (1 - p), like.dtype)


def chances(like: Any, p: float, generator: Any) -> Any:
    """Ones with probability ``p``, else zeros, in an array like another."""
    if not 0 <= p <= 1:
        raise errors.wrong_value(
            f"bernoulli_ expects p to be in [0, 1], but got p={p}", RuntimeError
        )
    drawn = chosen(generator).random(like.size) < p
    return astype(beside(laid_out_like(drawn, like), like), like.dtype)


# -- filling in place --------------------------------------------------------------------------------


def in_place(name: str, node: str) -> Any:
    """A write of drawn values: nothing of what stood there matters, nor has a tensor without values
    any."""
    row = op(f"{name}(x, /, values)", lambda x, values: values, node=node, x=lambda g: zeros_of(g))

    def write(x: Tensor, values: Any) -> Tensor:
        if values.ndim != x._data.ndim:
            values = laid_out_like(values, x._data)
        return row.inplace(x, astype(beside(values, x._data), x._data.dtype))

    return write


write_uniform = in_place("uniform", "UniformBackward0")
write_normal = in_place("normal", "NormalBackward0")
write_chances = in_place("bernoulli", "BernoulliBackward2")
write_events = in_place("bernoulli", "BernoulliBackward1")
write_integers = [in_place("random", f"RandomBackward{i}") for i in range(3)]


Fill = Callable[..., Tensor]


def fills(name: str) -> Callable[[Fill], Fill]:
    """A method that fills a tensor in place; one without values stays as it is."""

    def register(fn: Fill) -> Fill:
        @functools.wraps(fn)
        def run(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
            if self.is_meta:
                return self
            check_writable(name, self, (), self.requires_grad)  # before numbers are used up
            return fn(self, *args, **kwargs)

        return method(name)(run)

    return register


@fills("uniform_")
def uniform_(self: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with numbers uniform in [a, b).

    Raises:
        RuntimeError: b is less than a.
    """
    if a > b:
        raise errors.wrong_value(
            f"uniform_(): the range [from, to) is empty; got from={a} and to={b}", RuntimeError
        )
    drawn = uniforms(self._data.size, self._data.dtype, generator, a, b)
    return write_uniform(self, drawn)  # type: ignore[no-any-return]


@fills("normal_")
def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with normal numbers.

    Raises:
        RuntimeError: the standard deviation is negative.
    """
    check_std(std)
    drawn = normals(self._data.size, self._data.dtype, generator, mean, std)
    return write_normal(self, drawn)  # type: ignore[no-any-return]


@fills("bernoulli_")
def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill with 1 of this probability, else 0; a tensor gives each element one of its own."""
    if not isinstance(p, Tensor):
        drawn = chances(self._data, p, generator)
        return write_chances(self, drawn)  # type: ignore[no-any-return]
    drawn = happens(np.broadcast_to(p._data, self._data.shape), generator)
    return write_events(self, drawn)  # type: ignore[no-any-return]


@fills("random_")
def random_(self: Tensor, low: Any = None, high: Any = None, *, generator: Any = None) -> Tensor:
    """Fill with integers in [low, high); by default all that the dtype holds exactly."""
    n, dtype = self._data.size, from_numpy(self._data.dtype)
    if low is None:
        drawn = integers(n, 0, exact_integers(dtype), generator)
    else:
        first, end = (0, low) if high is None else (low, high)
        drawn = integers(n, first, end, generator)
    form = 2 if low is None else 1 if high is None else 0
    return write_integers[form](self, drawn)  # type: ignore[no-any-return]


def exact_integers(dtype: DType) -> int:
    """One more than the largest integer up to which a dtype holds all of them."""
    if dtype is dtypes.bool_:
        return 2
    if dtype.is_floating_point:
        mantissa = 7 if dtype is dtypes.bfloat16 else int(np.finfo(dtype.np).nmant)
        return (1 << (mantissa + 1)) + 1
    return int(np.iinfo(dtype.np).max) + 1
