"""Random tensors, and filling tensors with random numbers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..backend.base import astype, beside, device_of, host
from ..dtypes import FLOATING, DType, from_numpy
from ..generator import DEFAULT, Generator, chosen
from ..op import op
from ..tensor import Tensor, wrap
from ..views import check_writable
from .core import zeros_of
from .create import made
from .fill import filler, laid_out_like
from .registry import FUNCTIONS, function, method, public
from .shape import sizes

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
        raise NotImplementedError(f"random floating numbers are not implemented for {dtype}")
    return dtype


def parts(draw: Any, n: int, dtype: DType) -> Any:
    """``n`` numbers; complex ones of two real numbers each."""
    if not dtype.is_complex:
        return draw(n, dtype.np)
    real = dtype.to_real().np
    return draw(2 * n, real).astype(real).view(dtype.np)


def uniforms(n: int, kind: Any, generator: Any, low: float = 0.0, high: float = 1.0) -> Any:
    """``n`` numbers in [low, high)."""
    source = chosen(generator)

    def draw(count: int, real: Any) -> Any:
        drawn = astype(source.uniform(count, real, low, high), real)
        drawn[drawn == high] = low  # what rounds up to the end counts as the beginning
        return drawn

    return parts(draw, n, floating(kind))


def normals(
    n: int,
    kind: Any,
    generator: Any,
    mean: float = 0.0,
    std: float = 1.0,
    contiguous: bool = True,
) -> Any:
    """``n`` normal numbers; the parts of complex ones share the variance."""
    source, dtype = chosen(generator), floating(kind)
    std = std / math.sqrt(2) if dtype.is_complex else std
    return parts(lambda k, d: source.normal(k, d, mean, std, contiguous), n, dtype)


filler(
    "rand",
    lambda shape, kind, generator, _: uniforms(math.prod(shape), kind, generator).reshape(shape),
    new_method=False,
)
filler(
    "randn",
    lambda shape, kind, generator, in_rows: normals(
        math.prod(shape), kind, generator, contiguous=in_rows
    ).reshape(shape),
    new_method=False,
)


def bounds(low: int, high: Any) -> tuple[int, int]:
    """The range of integers to draw from.

    Raises:
        RuntimeError: there are none.
    """
    low, high = int(low), int(high)
    if low >= high:
        raise RuntimeError(f"[random_] 'from' must be less than 'to'; got from={low} and to={high}")
    return low, high


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
    drawn = chosen(generator).integers(math.prod(shape), *bounds(low, high))
    kind = dtypes.array_dtype(dtype or dtypes.int64)
    return made(drawn.reshape(shape), requires_grad, kind, device)


@function("randint_like")
def randint_like(
    input: Tensor,
    low: int,
    high: Any = None,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    generator: Any = None,
) -> Tensor:
    """Random integers in [low, high), of the shape and dtype of another tensor."""
    if high is None:
        low, high = 0, low
    drawn = chosen(generator).integers(input._data.size, *bounds(low, high))
    kind = input._data.dtype if dtype is None else dtypes.array_dtype(dtype)
    place = input.device if device is None else device
    return made(laid_out_like(drawn, input._data), requires_grad, kind, place)


@function("randperm")
def randperm(
    n: int,
    *,
    generator: Any = None,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A random order of 0 .. n-1.

    Raises:
        RuntimeError: a negative number.
    """
    if n < 0:
        raise RuntimeError(f"a dimension cannot be negative; got n={n}")
    kind = dtypes.array_dtype(dtype or dtypes.int64)
    return made(chosen(generator).permutation(n), requires_grad, kind, device)


def check_std(std: Any) -> None:
    """Refuse a negative standard deviation."""
    if std < 0:
        raise RuntimeError(f"[normal] std must be >= 0; got {std}")


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
    if size is not None:
        kind = dtypes.array_dtype(dtype or dtypes.get_default_dtype())
        shape = sizes((size,))
        check_std(std)
        drawn = normals(math.prod(shape), kind, generator, mean, std).reshape(shape)
        return made(drawn, requires_grad, kind, device)
    data = [v._data for v in (mean, std) if isinstance(v, Tensor)]
    kind = data[0].dtype
    shape = np.broadcast_shapes(*(d.shape for d in data))
    drawn = normals(math.prod(shape), kind, generator).reshape(shape)
    first, second = (v._data if isinstance(v, Tensor) else v for v in (mean, std))
    drawn = beside(astype(drawn, kind), data[0])
    return made(drawn * second + first, False, kind, device_of(data[0]))


def happens(probability: Any, generator: Any) -> Any:
    """Whether each of some events of these probabilities happens.

    Raises:
        RuntimeError: a probability outside [0, 1].
    """
    like, probability = probability, host(probability)
    if not ((probability >= 0) & (probability <= 1)).all():
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    source = chosen(generator)
    draw = source.doubles if probability.dtype == np.float64 else source.singles
    return beside(draw(probability.size).reshape(probability.shape) < probability, like)


@public("bernoulli")
def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None) -> Tensor:
    """1 with this probability, else 0."""
    if p is not None:
        return wrap(chances(input._data, p, generator))
    return made(happens(input._data, generator), False, input._data.dtype, input.device)


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
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    drawn = chosen(generator).doubles(like.size) < p
    return astype(beside(laid_out_like(drawn, like), like), like.dtype)


@public("multinomial")
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Numbers of elements, drawn with probabilities proportional to their values, row by row.

    Raises:
        RuntimeError: a weight that is negative or not finite, a row of zeros, or more numbers than
            elements without replacement.
    """
    weights = np.asarray(host(input._data))
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise RuntimeError(
            "[multinomial] weights must be finite and at least 0; got values from "
            f"{weights.min()} to {weights.max()}"
        )
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError(
            f"[multinomial] {num_samples} samples cannot be drawn without replacement "
            f"from {weights.shape[-1]} weights"
        )
    if not weights.sum(-1).all():
        raise RuntimeError(
            "[multinomial] each row of weights needs one above 0; got a row of zeros"
        )
    source = chosen(generator)
    if not replacement:
        waits = source.exponential(weights.size).reshape(weights.shape)
        order = np.argsort(-(weights / astype(waits, weights.dtype)), axis=-1, kind="stable")
        picked = np.ascontiguousarray(order[..., :num_samples]).astype(np.int64)
        return wrap(beside(picked, input._data))
    rows = weights.reshape(-1, weights.shape[-1])
    found = [
        np.searchsorted(np.cumsum(row) / row.sum(), source.doubles(num_samples)) for row in rows
    ]
    shape = (*weights.shape[:-1], num_samples)
    return wrap(beside(np.array(found, np.int64).reshape(shape), input._data))


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
write_geometric = in_place("geometric", "GeometricBackward0")
write_cauchy = in_place("cauchy", "CauchyBackward0")
write_exponential = in_place("exponential", "ExponentialBackward0")
write_log_normal = in_place("log_normal", "LogNormalBackward0")
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
        raise RuntimeError(f"[uniform_] the range [from, to) is empty; got from={a} and to={b}")
    drawn = uniforms(self._data.size, self._data.dtype, generator, a, b)
    return write_uniform(self, drawn)  # type: ignore[no-any-return]


@fills("normal_")
def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with normal numbers.

    Raises:
        RuntimeError: the standard deviation is negative.
    """
    check_std(std)
    data = self._data
    contiguous = bool(data.flags.c_contiguous)
    drawn = normals(data.size, data.dtype, generator, mean, std, contiguous)
    return write_normal(self, drawn)  # type: ignore[no-any-return]


@fills("exponential_")
def exponential_(self: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with exponentially distributed numbers of this rate.

    Raises:
        RuntimeError: no floating dtype.
    """
    if not self.dtype.is_floating_point:
        raise RuntimeError(f"[exponential_] the dtype must be floating; got {self.dtype}")
    drawn = chosen(generator).exponential(self._data.size) / lambd
    return write_exponential(self, drawn)  # type: ignore[no-any-return]


@fills("geometric_")
def geometric_(self: Tensor, p: float, *, generator: Any = None) -> Tensor:
    """Fill with the number of the first success, each trial having this probability.

    Raises:
        RuntimeError: a probability outside (0, 1).
    """
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    drawn = chosen(generator).doubles(self._data.size)
    return write_geometric(self, np.ceil(np.log(drawn) / math.log1p(-p)))  # type: ignore[no-any-return]


@fills("cauchy_")
def cauchy_(
    self: Tensor, median: float = 0.0, sigma: float = 1.0, *, generator: Any = None
) -> Tensor:
    """Fill with numbers of a Cauchy distribution.

    Raises:
        RuntimeError: the width is not above zero, or no floating dtype.
    """
    if sigma <= 0 or not self.dtype.is_floating_point:
        raise RuntimeError(
            f"[cauchy_] sigma must be above zero and the dtype floating; got {sigma}, {self.dtype}"
        )
    drawn = chosen(generator).doubles(self._data.size)
    return write_cauchy(self, median + sigma * np.tan(math.pi * (drawn - 0.5)))  # type: ignore[no-any-return]


@fills("log_normal_")
def log_normal_(
    self: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Any = None
) -> Tensor:
    """Fill with numbers whose logarithm is normal."""
    drawn = chosen(generator).normal_pairs(self._data.size) * std + mean
    return write_log_normal(self, np.exp(drawn))  # type: ignore[no-any-return]


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
    source = chosen(generator)
    if low is None:
        words = source.long_words(n) if dtype.itemsize == 8 else source.words(n)
        drawn = (words % np.uint64(exact_integers(dtype))).astype(np.int64)
    else:
        drawn = source.integers(n, *bounds(*((0, low) if high is None else (low, high))))
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
