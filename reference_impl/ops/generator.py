"""The source of random numbers: NumPy's PCG64 behind the names of ``torch.Generator``.

The same seed gives the same numbers on every device, since all are drawn on the CPU. They are not
the numbers that PyTorch draws: no documentation promises those.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from .. import errors
from ..backend.device import CPU, Device
from ..mode import mode
from ..tensor.tensor import Tensor, wrap

__all__ = ["DEFAULT", "Generator", "chosen"]

FIRST_SEED = 67280421310721
SEED_BYTES, WORD_BYTES = 8, 16
STATE_BYTES = SEED_BYTES + 2 * WORD_BYTES + 8  # the seed, two words of 128 bits, half a word left


class Generator:
    """A source of random numbers with a state of its own.

    ``numbers`` is NumPy's generator, from which operations draw.
    """

    def __init__(self, device: Any = "cpu") -> None:
        self.device = CPU if device is None else Device(device)
        self.manual_seed(FIRST_SEED)

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from a seed; a negative one counts from 2^64 downwards."""
        self._seed = int(seed) % (1 << 64)
        self._bits = np.random.PCG64(self._seed)
        self.numbers = np.random.Generator(self._bits)
        return self

    def initial_seed(self) -> int:
        """The seed that the numbers started from."""
        return self._seed

    def seed(self) -> int:
        """Start anew from an unpredictable seed, and return it."""
        return self.manual_seed(secrets.randbits(53))._seed

    def get_state(self) -> Tensor:
        """The whole state, as a tensor of bytes."""
        state = self._bits.state
        words = (state["state"]["state"], state["state"]["inc"])
        raw = self._seed.to_bytes(SEED_BYTES, "little")
        raw += b"".join(word.to_bytes(WORD_BYTES, "little") for word in words)
        raw += state["has_uint32"].to_bytes(4, "little") + state["uinteger"].to_bytes(4, "little")
        return wrap(np.frombuffer(raw, np.uint8).copy())

    def set_state(self, new_state: Any) -> Generator:
        """Go back to a state that ``get_state`` gave.

        Raises:
            TypeError: not a tensor of bytes.
            RuntimeError: of another size.
        """
        held = new_state._data if isinstance(new_state, Tensor) else None
        if held is None or held.dtype != np.uint8:
            raise errors.wrong_type("expected a torch.ByteTensor, as get_state() gives")
        if held.size != STATE_BYTES:
            raise errors.wrong_shape(
                f"RNG state is wrong size: expected {STATE_BYTES} bytes, got {held.size}; "
                "pass what get_state() returned"
            )
        raw = held.tobytes()
        ends = (SEED_BYTES, SEED_BYTES + WORD_BYTES, SEED_BYTES + 2 * WORD_BYTES, STATE_BYTES - 4)
        seed, state, inc, has_half, half = (
            int.from_bytes(raw[begin:end], "little")
            for begin, end in zip((0, *ends), (*ends, STATE_BYTES), strict=True)
        )
        self._seed = seed
        self._bits.state = {
            "bit_generator": "PCG64",
            "state": {"state": state, "inc": inc},
            "has_uint32": has_half,
            "uinteger": half,
        }
        return self


DEFAULT = Generator()


def chosen(generator: Generator | None) -> np.random.Generator:
    """NumPy's generator behind the one given, or behind the one that all share.

    Raises:
        TypeError: something else than a generator.
        RuntimeError: within vmap with ``randomness="error"``.
    """
    if "error" in (mode.randomness, *mode.randomness_around):
        raise errors.within_transform(
            "vmap(): the function draws random numbers; say by randomness='same' or 'different' "
            "whether each entry of the batch gets the same"
        )
    if generator is None:
        return DEFAULT.numbers
    if not isinstance(generator, Generator):
        raise errors.wrong_type(
            f"generator must be a torch.Generator, not {type(generator).__name__}"
        )
    return generator.numbers
