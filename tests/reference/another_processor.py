"""The reference as if it ran on another processor, one that rounds everything differently.

Sums, products, quotients and roots of two numbers are the same on every processor. Those of many
numbers are not, nor are exponentials and their kin, special functions, and what solves or
decomposes: these depend on the vector unit, on BLAS and on LAPACK. Here each of their results is
moved to a number beside it, upwards or downwards by its own bits, so that equal results stay equal;
numbers of a few digits, which every processor gets right, stay.

    python tests/reference/another_processor.py SEED -m pytest tests/reference/test_scripts.py
    python tests/reference/another_processor.py SEED -m gradspec.conformance.cli run --impl=reference
"""

from __future__ import annotations

import functools
import importlib.machinery
import math
import runpy
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

MODULE = "gradspec.reference_impl.graph.row"
ROUNDED_FREELY = """
acos acosh addbmm addmm addmv angle asin asinh atan atan2 atanh avg_pool2d baddbmm
binary_cross_entropy binary_cross_entropy_with_logits bmm cdist celu cholesky_inverse
cholesky_solve convolution convolution_input convolution_weight cos cosh cumprod cumsum digamma
dist dot elu erf erfc erfinv exp exp2 expm1 gelu hypot i0 lgamma linalg_cholesky_ex linalg_det
linalg_inv_ex linalg_lstsq linalg_lu linalg_lu_solve linalg_matrix_exp linalg_pinv linalg_qr
linalg_slogdet linalg_solve_ex linalg_solve_triangular linalg_svd linalg_eigh linalg_vector_norm
log log10 log1p log2 log_sigmoid log_softmax logaddexp logaddexp2 logcumsumexp logit logsumexp
mean mish mm mv mvlgamma nansum native_batch_norm native_group_norm native_layer_norm norm pdist
polar polygamma pow prod renorm rsqrt selu sigmoid silu sin sinc sinh softmax softplus
special_bessel_j0 special_bessel_j1 special_entr special_erfcx special_gammainc special_gammaincc
special_i0e special_i1 special_i1e special_log_ndtr special_ndtr special_ndtri special_xlog1py
special_zeta std std_mean sum tan tanh trace var var_mean xlogy
"""
"""The operations of the reference whose last digit IEEE 754 does not fix."""
EXACT_BITS = {np.dtype("float32"): 20, np.dtype("float64"): 48}
"""Numbers of so few binary digits are taken for exact, on every processor."""


def nudged(array: Any, seed: int) -> Any:
    """An array of a kernel with each element that is not exact moved to one beside it."""
    dtype = getattr(array, "dtype", None)
    if type(array) is not np.ndarray or dtype.kind not in "fc" or dtype.metadata:
        return array
    if dtype.kind == "c":
        parts = [nudged(part, seed) for part in (array.real, array.imag)]
        moved = np.empty_like(array)
        moved.real, moved.imag = parts
        return moved
    if dtype not in EXACT_BITS:
        return array
    with np.errstate(all="ignore"):
        digits = np.frexp(array)[0] * 2.0 ** EXACT_BITS[dtype]
        exact = (digits == np.rint(digits)) | ~np.isfinite(array)
        bits = np.ascontiguousarray(array).view(f"u{dtype.itemsize}").astype(np.uint64)
        mixed = (bits + np.uint64(seed)) * np.uint64(0x9E3779B97F4A7C15)
        upwards = ((mixed >> np.uint64(61)) & np.uint64(1)).reshape(array.shape)
        towards = np.where(upwards, np.inf, -np.inf).astype(dtype)
        beside = np.nextafter(array, towards, out=np.empty_like(array))  # laid out as it was
        np.copyto(beside, array, where=exact)
    return beside


def rounding_differently(kernel: Callable[..., Any], seed: int) -> Callable[..., Any]:
    """A kernel that rounds as another processor might."""

    @functools.wraps(kernel)
    def run(*args: Any, **kwargs: Any) -> Any:
        found = kernel(*args, **kwargs)
        if any(isinstance(a, float) and math.isinf(a) for a in args):
            return found  # an infinite norm is one of the elements
        if isinstance(found, tuple):
            return tuple(nudged(part, seed) for part in found)
        return nudged(found, seed)

    return run


class Importer:
    """Lets the module in which operations are made be imported, and changes their kernels."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> Any:
        """Called by the import of every module."""
        if name != MODULE:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.loader is not None
        execute = spec.loader.exec_module

        def changed(module: ModuleType) -> None:
            execute(module)
            change(module, self.seed)

        spec.loader.exec_module = changed  # type: ignore[method-assign]
        return spec


def change(module: Any, seed: int) -> None:
    """Have the operations that are made from now on round differently."""
    made = module.Row.__init__

    def init(row: Any, signature: str, kernel: Any, *rest: Any, **more: Any) -> None:
        if module.parse(signature)[0] in ROUNDED_FREELY.split():
            kernel = rounding_differently(kernel, seed)
        made(row, signature, kernel, *rest, **more)

    module.Row.__init__ = init


def install(seed: int) -> None:
    """From now on the reference, once imported, is one on another processor."""
    if MODULE in sys.modules:
        raise RuntimeError("the reference was imported before; install this first")
    sys.meta_path.insert(0, Importer(seed))  # type: ignore[arg-type]


def main(arguments: list[str]) -> None:
    """Run a module as `python -m` does, with the reference on another processor."""
    seed, _, module, *rest = arguments
    install(int(seed))
    sys.argv = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
