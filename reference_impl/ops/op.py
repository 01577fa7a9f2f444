"""One row per operation.

``op("mul(x, y)", np.multiply, ELEMENTWISE | HOLOMORPHIC | MULTILINEAR, x=lambda g, y: g * y, ...)``

*Signature.* Operands (tensors) stand before ``/``, static parameters after it; without ``/`` all
are operands. A signature that starts with ``*xs`` takes a list of operands.

*Kernel.* Takes arrays and static parameters, returns an array or a tuple of arrays.

*Rules.* One per differentiable operand, named after it: the vjp, from the output's gradient ``g``
to the operand's. **Its parameter names are the save list**: an operand's name or ``out`` (``out0``,
``out1``) saves that array together with its version, ``x_shape`` saves a shape, a
static parameter's name that value. Nothing is saved for operands that need no gradient. Rules are
made of Python operators and other rows, so they run on raw arrays in a first-order pass and on
tensors, recorded, under ``create_graph``.

*Flags.* ELEMENTWISE: operands are promoted and broadcast together, and the engine reduces each
gradient back to its operand's shape and dtype. HOLOMORPHIC: the rules are textbook derivatives, and
the engine conjugates around them where the output is complex. LINEAR, MULTILINEAR, POINTWISE give
the jvp. FLOAT: integers are computed in the default floating dtype. VIEW: the output shares memory
with its first operand.

*Refuses.* The kinds of dtypes (``b`` bool, ``i`` whole numbers, ``c`` complex) for which the kernel
would give something, and the operation has no meaning.

``op`` returns a function that takes arrays (then it is the kernel) or tensors (then it records);
``.apply`` is the tensor form alone, and ``.inplace`` the twin that overwrites its first operand.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Protocol, cast

import numpy as np

from ..graph.row import Row, lies_in_rows
from ..naming import named
from ..tensor.tensor import Tensor
from . import forward, in_place

__all__ = ["Op", "Row", "op", "variant"]

ndarray = np.ndarray


class Op(Protocol):
    """What ``op`` returns."""

    row: Row

    def __call__(self, *args: Any) -> Any: ...
    def apply(self, *args: Any) -> Tensor: ...
    def inplace(self, *args: Any) -> Tensor: ...


def op(
    signature: str,
    kernel: Callable[..., Any],
    flags: int = 0,
    *,
    node: str | None = None,
    n_out: int = 1,
    check: Callable[..., None] | None = None,
    refuses: str = "",
    shows: dict[str, str] | None = None,
    constants: dict[str, Any] | None = None,
    **rules: Callable[..., Any],
) -> Op:
    """Define an operation; see the module's text."""
    return operation(
        Row(signature, kernel, flags, rules, node, n_out, check, refuses, shows, constants)
    )


def variant(of: Op, node: str, name: str | None = None, flags: int | None = None) -> Op:
    """The same operation under another node name, as overloads and in-place twins have; with a name
    of its own, where users know it by one, and with flags of its own, where they differ."""
    row = copy.copy(of.row)
    if name is not None:
        row.name, row.shows = name, {}
    if flags is not None:
        row.flags, row.in_rows = flags, lies_in_rows(flags)
    row.node_name = node
    row.classes = {}
    return operation(row)


def operation(row: Row) -> Op:
    """The function that runs a row on arrays or on tensors."""
    kernel = row.kernel
    apply = forward.make_apply(row)
    if row.variadic:

        def generic(xs: Any, *statics: Any) -> Any:
            if any(isinstance(x, Tensor) for x in xs):
                return apply(xs, *statics)
            return kernel(xs, *statics)

    elif row.n_operands == 1:

        def generic(x: Any, *statics: Any) -> Any:  # type: ignore[misc]
            return apply(x, *statics) if isinstance(x, Tensor) else kernel(x, *statics)

    elif row.n_operands == 2:

        def generic(x: Any, y: Any, *statics: Any) -> Any:  # type: ignore[misc]
            if isinstance(x, Tensor) or isinstance(y, Tensor):
                return apply(x, y, *statics)
            return kernel(x, y, *statics)

    else:

        def generic(*args: Any) -> Any:  # type: ignore[misc]
            return apply(*args)

    made: Any = named(generic, row.name)
    made.row = row
    row.generic = made
    made.apply = apply
    made.inplace = in_place.make_inplace(row)
    return cast(Op, made)
