"""Settings that scripts ask for or change, and that change nothing here: threads, determinism,
precision, back ends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from .backend.devices import available
from .tensor import Tensor

__all__ = [
    "are_deterministic_algorithms_enabled", "backends", "compiled_with_cxx11_abi",
    "get_float32_matmul_precision", "get_num_interop_threads", "get_num_threads",
    "is_deterministic_algorithms_warn_only_enabled", "is_warn_always_enabled",
    "set_float32_matmul_precision", "set_flush_denormal", "set_num_interop_threads",
    "set_num_threads", "set_warn_always", "typename", "use_deterministic_algorithms",
]  # fmt: skip

HELD: dict[str, Any] = {
    "threads": 1,
    "interop_threads": 1,
    "deterministic": False,
    "warn_only": False,
    "precision": "highest",
    "warn_always": False,
}
PRECISIONS = ("highest", "high", "medium")


def get_num_threads() -> int:
    """How many threads one operation was allowed; it uses one, or what NumPy uses by itself."""
    return int(HELD["threads"])


def set_num_threads(num: int) -> None:
    """Allow an operation that many threads.

    Raises:
        RuntimeError: less than one.
    """
    HELD["threads"] = at_least_one(num)


def get_num_interop_threads() -> int:
    """How many operations were allowed to run at once."""
    return int(HELD["interop_threads"])


def set_num_interop_threads(num: int) -> None:
    """Allow that many operations to run at once.

    Raises:
        RuntimeError: less than one.
    """
    HELD["interop_threads"] = at_least_one(num)


def at_least_one(num: int) -> int:
    """A number of threads.

    Raises:
        RuntimeError: less than one.
    """
    if num < 1:
        raise RuntimeError(f"Expected positive number of threads; got {num}")
    return num


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for results that are the same on every run, which they are here."""
    HELD["deterministic"], HELD["warn_only"] = mode, warn_only


def are_deterministic_algorithms_enabled() -> bool:
    """Whether they were asked for."""
    return bool(HELD["deterministic"])


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether a warning was asked for in the place of a refusal."""
    return bool(HELD["warn_only"])


def set_float32_matmul_precision(precision: str) -> None:
    """Allow matrix products of less precision; they keep it here.

    Raises:
        RuntimeError: an unknown precision.
    """
    if precision not in PRECISIONS:
        raise RuntimeError(f"the precision must be one of {PRECISIONS}; got {precision}")
    HELD["precision"] = precision


def get_float32_matmul_precision() -> str:
    """The precision that was allowed."""
    return str(HELD["precision"])


def set_flush_denormal(mode: bool) -> bool:
    """Ask for tiny numbers to become zero; False, since NumPy keeps them."""
    return False


def set_warn_always(b: bool) -> None:
    """Ask for warnings each time; which are shown is for Python's own filters to say."""
    HELD["warn_always"] = b


def is_warn_always_enabled() -> bool:
    """Whether it was asked for."""
    return bool(HELD["warn_always"])


def compiled_with_cxx11_abi() -> bool:
    """True, as of each compiled engine of today; nothing is compiled here."""
    return True


def typename(obj: Any) -> str:
    """The name of an object's class with its module; of a tensor the old name of its dtype."""
    if isinstance(obj, Tensor):
        return str(obj.type())
    cls = obj if isinstance(obj, type) else type(obj)
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def library(**settings: Any) -> SimpleNamespace:
    """A back end that is not there, with the settings that scripts make."""
    return SimpleNamespace(is_available=lambda: False, is_built=lambda: False, **settings)


backends = SimpleNamespace(
    cuda=SimpleNamespace(
        is_built=lambda: available("cuda"), matmul=SimpleNamespace(allow_tf32=False)
    ),
    cudnn=library(enabled=True, benchmark=False, deterministic=False, allow_tf32=True),
    mkl=library(),
    mps=library(),
    openmp=library(),
)
