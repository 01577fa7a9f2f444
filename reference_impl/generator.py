"""Random numbers, the same ones that PyTorch draws on the CPU from the same seed.

One Mersenne twister gives words of 32 bits. A single-precision number in [0, 1) takes 24 bits of
one word, a double 53 bits of two, an integer the remainder of one word (of two where the range is
2^28 or more). Normal numbers are made in pairs, of an angle and a radius: one pair at a time from
doubles, its second half kept for the next draw; or, for 16 and more contiguous elements, in blocks
of 16, eight radii and then eight angles. Single-precision blocks use polynomials for the logarithm,
sine and cosine (Cephes), with fused multiply and add, so that even last bits agree.

PyTorch on an Intel processor draws ``bernoulli_(p)`` with a number, dropout and ``exponential_`` from
a library of that maker; here they are drawn as on all other processors.
"""

from __future__ import annotations

import math
import secrets
from typing import Any

import numpy as np

from .backend.multiply_add import multiply_add
from .device import CPU, Device
from .dtypes import BFLOAT16
from .mode import mode
from .tensor import Tensor, wrap

__all__ = ["DEFAULT", "Generator", "chosen"]

BLOCK = 16
WIDE_RANGE = 1 << 28
FIRST_SEED = 67280421310721
HEADER = 24  # bytes of a saved state before the words: seed, how many are left, which is next
STATE_BYTES = 5056
f32 = np.float32


class Generator:
    """A source of random numbers with a state of its own."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = CPU if device is None else Device(device)
        self._bits: Any = np.random.MT19937()
        self.manual_seed(FIRST_SEED)

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from a seed; a negative one counts from 2^64 downwards."""
        self._seed = int(seed) % (1 << 64)
        self._bits._legacy_seeding(self._seed & 0xFFFFFFFF)
        self._kept: float | None = None
        return self

    def initial_seed(self) -> int:
        """The seed that the numbers started from."""
        return self._seed

    def seed(self) -> int:
        """Start anew from a seed that nobody can foresee, and return it."""
        return self.manual_seed(secrets.randbits(53))._seed

    def get_state(self) -> Tensor:
        """The whole state, a uint8 tensor of 5056 elements."""
        state = self._bits.state["state"]
        held = np.zeros(STATE_BYTES, np.uint8)
        pos = int(state["pos"])
        held[:8] = np.frombuffer(np.uint64(self._seed).tobytes(), np.uint8)
        numbers = np.array([pos, 1], np.int32)
        held[8:16] = np.frombuffer(numbers.tobytes(), np.uint8)
        words = np.asarray(state["key"], np.uint64)
        held[HEADER : HEADER + words.nbytes] = np.frombuffer(words.tobytes(), np.uint8)
        tail = np.array([0.0 if self._kept is None else self._kept, self._kept is not None])
        held[-tail.nbytes :] = np.frombuffer(tail.tobytes(), np.uint8)
        return wrap(held)

    def set_state(self, new_state: Any) -> Generator:
        """Go back to a state that ``get_state`` gave.

        Raises:
            TypeError: not a tensor of bytes.
            RuntimeError: of another size.
        """
        held = new_state._data if isinstance(new_state, Tensor) else None
        if held is None or held.dtype != np.uint8:
            raise TypeError("expected a torch.ByteTensor, as get_state() gives")
        if held.size != STATE_BYTES:
            raise RuntimeError(
                f"the state must have {STATE_BYTES} elements, found {held.size}; give what get_state() gave"
            )
        raw = held.tobytes()
        self._seed = int(np.frombuffer(raw, np.uint64, 1)[0])
        pos = int(np.frombuffer(raw, np.int32, 1, 8)[0])
        key = np.frombuffer(raw, np.uint64, 624, HEADER).astype(np.uint32)
        self._bits.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": pos}}
        kept, is_kept = np.frombuffer(raw[-16:], np.float64)
        self._kept = float(kept) if is_kept else None
        return self

    def clone_state(self) -> Generator:
        """Another generator in the same state."""
        return Generator(self.device).set_state(self.get_state())

    # -- numbers, in the order in which they are drawn ------------------------------------------------

    def words(self, n: int) -> Any:
        """``n`` words of 32 bits, as uint64."""
        return np.asarray(self._bits.random_raw(n), np.uint64)

    def long_words(self, n: int) -> Any:
        """``n`` words of 64 bits, each of two short ones."""
        pairs = self.words(2 * n).reshape(n, 2)
        return (pairs[:, 0] << np.uint64(32)) | pairs[:, 1]

    def doubles(self, n: int) -> Any:
        """``n`` numbers in [0, 1), float64."""
        return (self.long_words(n) & np.uint64((1 << 53) - 1)) * 2.0**-53

    def singles(self, n: int) -> Any:
        """``n`` numbers in [0, 1), float32."""
        return ((self.words(n) & np.uint64((1 << 24) - 1)) * 2.0**-24).astype(f32)

    def uniform(self, n: int, dtype: Any, low: float = 0.0, high: float = 1.0) -> Any:
        """``n`` numbers in [low, high): float64, or float32 for all narrower dtypes."""
        if dtype == np.float64:
            return multiply_add(self.doubles(n), high - low, low)
        return multiply_add(self.singles(n), f32(high - low), f32(low))

    def integers(self, n: int, low: int, high: int) -> Any:
        """``n`` integers in [low, high), int64."""
        extent = high - low
        drawn = self.long_words(n) if extent >= WIDE_RANGE else self.words(n)
        if extent < 1 << 64:
            drawn = drawn % np.uint64(extent)
        return drawn.astype(np.int64) + np.int64(low)

    def permutation(self, n: int) -> Any:
        """0 .. n-1 in random order, int64."""
        order = list(range(n))
        left = np.arange(n, 1, -1, dtype=np.uint64)
        for i, step in enumerate((self.words(max(n - 1, 0)) % left).tolist()):
            order[i], order[i + step] = order[i + step], order[i]
        return np.array(order, np.int64)

    def exponential(self, n: int) -> Any:
        """``n`` numbers with rate one, float64."""
        return -exactly(math.log1p, -self.doubles(n))

    def normal_pairs(self, n: int) -> Any:
        """``n`` normal numbers, float64, one pair after another."""
        out = np.empty(n)
        begin = 0
        if n and self._kept is not None:
            out[0], self._kept, begin = self._kept, None, 1
        missing = n - begin
        drawn = self.doubles(missing + missing % 2).reshape(-1, 2)
        radius = np.sqrt(-2.0 * exactly(math.log1p, -drawn[:, 1]))
        angle = 2.0 * np.pi * drawn[:, 0]
        turned = [radius * exactly(math.cos, angle), radius * exactly(math.sin, angle)]
        pairs = np.stack(turned, 1).reshape(-1)
        out[begin:] = pairs[:missing]
        if missing % 2:
            self._kept = float(pairs[-1])
        return out

    def normal_blocks(self, n: int, dtype: Any) -> Any:
        """``n`` >= 16 normal numbers in blocks of 16; the last block may overlap the one before."""
        double = dtype == np.float64
        draw = self.doubles if double else self.singles
        whole = n - n % BLOCK
        short = dtype == np.float16 or dtype is BFLOAT16
        drawn = draw(whole if short else n)
        out = np.empty(n, drawn.dtype)
        out[:whole] = normal_block(drawn[:whole])
        if n % BLOCK:
            out[-BLOCK:] = normal_block(draw(BLOCK))
        return out

    def normal(self, n: int, dtype: Any, mean: float, std: float, contiguous: bool) -> Any:
        """``n`` normal numbers: float64, or float32 for all narrower dtypes."""
        if n < BLOCK or not contiguous:
            drawn = multiply_add(self.normal_pairs(n), std, mean)
            return drawn if dtype == np.float64 else drawn.astype(f32)
        drawn = self.normal_blocks(n, dtype)
        if dtype == np.float64:
            return multiply_add(drawn, std, mean)
        return multiply_add(drawn, f32(std), f32(mean))


DEFAULT = Generator()


def chosen(generator: Generator | None) -> Generator:
    """The generator given, or the one that all share.

    Raises:
        TypeError: something else than a generator.
        RuntimeError: within vmap, which was not told what random numbers are to do.
    """
    if mode.randomness == "error":
        raise RuntimeError(
            "[vmap] the function draws random numbers; say by randomness='same' or 'different' "
            "whether each entry of the batch gets the same"
        )
    if generator is None:
        return DEFAULT
    if not isinstance(generator, Generator):
        raise TypeError(f"generator must be a torch.Generator, not {type(generator).__name__}")
    return generator


def exactly(fn: Any, x: Any) -> Any:
    """A function of the C library, number by number: vector units may differ in the last bit."""
    return np.array([fn(v) for v in x.tolist()], np.float64)


def normal_block(drawn: Any) -> Any:
    """Blocks of 16 numbers in [0, 1) made normal: eight radii, then eight angles."""
    pairs = drawn.reshape(-1, 2, BLOCK // 2)
    one = drawn.dtype.type(1)
    if drawn.dtype == np.float64:
        radius = np.sqrt(-2.0 * np.log(one - pairs[:, 0]))
        angle = 2.0 * np.pi * pairs[:, 1]
        sine, cosine = np.sin(angle), np.cos(angle)
    else:
        radius = np.sqrt(f32(-2) * log_single(one - pairs[:, 0]))
        sine, cosine = sine_and_cosine_single(f32(2 * np.pi) * pairs[:, 1])
    return np.stack([radius * cosine, radius * sine], 1).reshape(-1)


# -- arithmetic as vector units do it ----------------------------------------------------------------


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Horner's rule, highest power first."""
    out = np.full_like(x, coefficients[0])
    for c in coefficients[1:]:
        out = multiply_add(out, x, f32(c))
    return out


LOGARITHM = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
LN2 = (f32(0.693359375), f32(-2.12194440e-4))  # the second is what the first lacks
SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
QUARTER_TURN = (f32(-0.78515625), f32(-2.4187564849853515625e-4), f32(-3.77489497744594108e-8))


def log_single(x: Any) -> Any:
    """Logarithm of float32 numbers in (0, 1]."""
    mantissa, exponent = np.frexp(x)
    low = mantissa < f32(np.sqrt(0.5))
    e = exponent.astype(f32) - low
    m = mantissa - f32(1) + np.where(low, mantissa, f32(0))
    square = m * m
    y = polynomial(m, LOGARITHM) * m
    y = multiply_add(y, square, e * LN2[1])
    y = multiply_add(square, f32(-0.5), y)
    return multiply_add(e, LN2[0], m + y)


def sine_and_cosine_single(x: Any) -> Any:
    """Sine and cosine of float32 angles that are not negative."""
    eighth = ((x * f32(4 / np.pi)).astype(np.int32) + 1) & ~1
    for part in QUARTER_TURN:
        x = multiply_add(eighth.astype(f32), part, x)
    square = x * x
    cosine = polynomial(square, COSINE) * square
    cosine = multiply_add(cosine, square, -(square * f32(0.5))) + f32(1)
    sine = multiply_add(polynomial(square, SINE) * square, x, x)
    quarter = (eighth >> 1) & 3
    odd = quarter % 2 == 1
    return (
        np.where(odd, cosine, sine) * np.where(quarter >= 2, f32(-1), f32(1)),
        np.where(odd, sine, cosine) * np.where((quarter == 1) | (quarter == 2), f32(-1), f32(1)),
    )
