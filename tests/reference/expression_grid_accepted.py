"""Where the reference and PyTorch may differ on the grid of expressions, and why.

An accepted difference that is none any more fails.
"""

from __future__ import annotations

from typing import NamedTuple


class Cells(NamedTuple):
    """Cells of the grid that have something in common."""

    reason: str
    inputs: str
    """Names of inputs, divided by commas."""
    expressions: str
    """Divided by semicolons."""
    recorded: bool | None = None
    """Whether inputs require grad; None: either way."""


UNDEFINED = [
    Cells(
        "PyTorch orders a stretched dimension in the one element that is there: what it gives "
        "changes from run to run",
        "stretched",
        """
        x.median({d}); x.nanmedian({d}); x.median({d}, keepdim=True); x.nanmedian({d}, keepdim=True);
        x.kthvalue({d}); x.kthvalue(2)
        """,
    ),
    Cells(
        "infinity becomes NaN or stays, by the vector unit that PyTorch finds",
        "not finite",
        "t.nn.functional.gelu(x)",
    ),
]
"""Where PyTorch gives nothing that could be compared."""

ACCEPTED = [
    # -- what is not finite --------------------------------------------------------------------
    Cells(
        "NaN has no place in an order, and PyTorch finds or counts it where its algorithm happens "
        "to come by",
        "not finite",
        """
        x.mode(); x.mode(0); x.mode(-1); x.mode(0, keepdim=True); x.mode(-1, keepdim=True);
        x.unique(dim=0); x.unique(dim=-1); t.searchsorted(x, x); t.bucketize(x, x)
        """,
    ),
    Cells(
        "the gradient at NaN, or at an extremum that is NaN, is NaN or zero here, and in PyTorch "
        "by the order in which a formula compares",
        "not finite",
        """
        x.logit(); x.logit_(); t.special.logit(x); x.norm(float('inf')); x.norm(-float('inf'));
        t.linalg.vector_norm(x, float('inf')); x.quantile(0.5); x.quantile(0.5, dim=0);
        x.quantile(0.5, dim=-1); x.quantile(0.3, interpolation='lower');
        x.quantile(t.tensor([0.25, 0.75])); t.mvlgamma(x, 1); t.special.i1(x);
        t.special.log_ndtr(x)
        """,
        recorded=True,
    ),
    Cells(
        "a series of infinity is NaN in PyTorch, and its limit here",
        "not finite",
        "t.polygamma(2, x.abs() + 1)",
    ),
    Cells(
        "the slope of digamma at its poles is infinite; PyTorch gives what rounding leaves",
        "vector, matrix, batch, transposed, not finite",
        "x.digamma(); x.digamma_(); t.special.psi(x); t.polygamma(0, x)",
        recorded=True,
    ),
    Cells(
        "trigamma at its poles is infinite; PyTorch gives what rounding leaves",
        "vector, matrix, batch, transposed, permuted, square, double, bfloat16, not finite",
        "t.polygamma(1, x); x.polygamma_(1)",
    ),
    Cells("as above", "integers, integer matrix, int16", "t.polygamma(1, x)"),
    # -- complex numbers -----------------------------------------------------------------------
    Cells(
        "there is no complex32 here: complex numbers of half precision are complex64",
        "half",
        """
        x + 1j; x.pow(1j); x * t.tensor(1j); t.complex(x, x); t.result_type(1j, x);
        x.dtype.to_complex()
        """,
    ),
    Cells(
        "on a branch cut, where the sign of a zero decides",
        "complex, complex square",
        "x.acos(); x.arccos(); x.asin()",
        recorded=True,
    ),
    Cells(
        "PyTorch's gradient of zero to complex powers is NaN, where it is zero here",
        "complex, complex square",
        "0 ** x; 0.0 ** x; t.pow(0, x)",
        recorded=True,
    ),
    Cells(
        "a number is added to the real part alone; PyTorch multiplies it by alpha as a complex one",
        "complex, complex square",
        "x + float('inf')",
    ),
    Cells(
        "PyTorch has no gradient for complex results of nan_to_num, and asks for it out of place "
        "alone",
        "complex, complex square",
        "x.nan_to_num_()",
        recorded=True,
    ),
    Cells(
        "a write to a real part is recorded on the view itself",
        "complex, complex square",
        "x.real.mul_(2)",
        recorded=True,
    ),
    Cells(
        "a matrix that is not Hermitian has no such factor, and PyTorch's formula is another one "
        "there",
        "complex square",
        "x.cholesky(); t.linalg.cholesky(x)",
        recorded=True,
    ),
    Cells(
        "a factor that is not triangular, or not of a positive diagonal",
        "positive, complex square",
        "x.cholesky_inverse()",
        recorded=True,
    ),
    Cells("as above", "complex square", "x.cholesky_inverse()", recorded=False),
    Cells(
        "as above: absolute values are not negative",
        "vector, matrix, batch, transposed, not finite",
        "t.polar(x, x)",
        recorded=True,
    ),
    Cells(
        "the variance of one number with nothing left to divide by: 0 / 0 in PyTorch's complex "
        "parts",
        "complex square",
        "x.std(dim=0, correction=2)",
    ),
    # -- memory --------------------------------------------------------------------------------
    Cells(
        "PyTorch asks for elements in rows where the result does not depend on that",
        "transposed, permuted",
        "x.kron(t.ones(2))",
    ),
    Cells(
        "as above",
        "transposed, permuted, stretched",
        "x.take_along_dim(t.tensor([0]))",
    ),
    Cells(
        "writes to elements that share one place are refused, whatever is written",
        "stretched",
        "x.tril_(); x.triu_(); x.copy_(x)",
        recorded=False,
    ),
    Cells(
        "a bfloat16 is held in the memory of a float32",
        "bfloat16",
        "x.view(t.int32); x.view(t.uint8).shape",
    ),
    Cells(
        "strides of no elements",
        "no rows, no columns",
        "x.mT.contiguous().stride()",
    ),
    # -- no elements ---------------------------------------------------------------------------
    Cells(
        "arguments are looked at though there are no elements",
        "no elements",
        "x.cummax(1); x.cummin(1)",
        recorded=False,
    ),
    Cells("as above", "no columns", "x[t.tensor([5])]"),
    Cells(
        "arguments are not looked at where there are no elements",
        "no elements, no rows, no columns",
        "x.roll(1, (0, 1))",
    ),
    Cells(
        "the largest sum of no rows or columns is refused, as that of no numbers is",
        "no columns",
        "t.linalg.norm(x, 1); t.linalg.matrix_norm(x, 1); t.linalg.matrix_norm(x, 2)",
    ),
    Cells("as above", "no rows", "t.linalg.matrix_norm(x, 2)"),
    Cells(
        "what has no elements is not recorded",
        "no rows",
        "x.cholesky(); x.__setitem__(slice(0, 1), t.ones(3, dtype=t.float64))",
        recorded=True,
    ),
    # -- refusals ------------------------------------------------------------------------------
    Cells(
        "another of two refusals comes first",
        "complex square",
        """
        x > t.zeros(3, 1); x.atan2(t.ones(3)); x.fmod(t.tensor([2, 3, 4]));
        t.nn.functional.mse_loss(x, t.ones(3))
        """,
    ),
    Cells(
        "as above",
        "number, integer, bool",
        "x[::-1]; x[1:0:-1]",
    ),
    Cells("as above", "bools", "t.matmul(x, x, out=t.empty(0))"),
    Cells("as above", "bools, bool matrix", "x @ t.ones(2, 3, 4)"),
    Cells(
        "refused by another kind of exception",
        "integers, integer matrix, integer, int32, int16, uint8, bools, bool, bool matrix",
        "x.lerp(t.ones(3), 0.5)",
    ),
    Cells(
        "as above",
        "int32",
        """
        x.cholesky(); t.linalg.eigvalsh(x); t.linalg.solve_triangular(x, x, upper=True);
        x.cholesky_inverse()
        """,
    ),
    Cells("as above", "integer matrix, int32, bool matrix", "t.linalg.lu_factor(x)[1]"),
    Cells(
        "as above",
        "bools, bool, bool matrix",
        "t.nn.functional.binary_cross_entropy_with_logits(x, x)",
    ),
    Cells("as above", "complex, complex square", "t.nn.functional.kl_div(x, x)"),
    Cells(
        "PyTorch refuses what can be computed",
        "integers, integer matrix, integer, int32, int16, uint8",
        "t.nn.functional.kl_div(x, x)",
    ),
    Cells("as above", "stretched", "t.linalg.lu_factor(x)[1]"),
    Cells("as above", "bools", "t.linspace(0, 1, 3, dtype=x.dtype)"),
    Cells("as above", "half", "t.std(x, 0, out=t.empty(0))", recorded=False),
    Cells("as above", "half", "t.special.i1(x)", recorded=True),
    Cells(
        "PyTorch gives what is refused here: bools are not subtracted",
        "bools, bool, bool matrix",
        "t.nn.functional.mse_loss(x, t.ones(3))",
    ),
    Cells("as above: a bool has no order", "bool", "x.kthvalue(1)"),
    Cells("as above: a limit below zero", "uint8", "t.nn.functional.hardtanh(x, -0.5, 0.5)"),
    Cells(
        "as above: complex results are not cut to real ones",
        "complex",
        "t.sum(x, 0, out=t.empty(0)); t.mean(x, 0, out=t.empty(0)); t.cumsum(x, 0, out=t.empty(0))",
        recorded=False,
    ),
    # -- nodes ---------------------------------------------------------------------------------
    Cells(
        "a product of a batch is another composition of nodes",
        "vector, matrix, no rows, transposed, stretched",
        "x @ t.ones(2, 3, 4)",
        recorded=True,
    ),
]
