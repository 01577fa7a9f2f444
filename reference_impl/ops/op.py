"""One row per operation.

``op("mul(x, y)", np.multiply, ELEMENTWISE | HOLOMORPHIC | MULTILINEAR, x=lambda g, y: g * y, ...)``

*Signature.* Operands (tensors) stand before ``/``, static parameters after it; without ``/`` all
are operands. A signature that starts with ``*xs`` takes a list of operands.

*Kernel.* Takes arrays and static parameters, returns an array or a tuple of arrays.

*Rules.* One per differentiable operand, named after it: the vjp, from the output's gradient ``g``
to the operand's. **Its parameter names are the save list**: an operand's name or ``out`` (``out0``,
``out1``) saves that array together with its version, ``x_shape`` or ``out_shape`` saves a shape, a
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
import inspect
import re
from collections.abc import Callable
from typing import Any, Protocol, cast

import numpy as np

from .. import errors
from ..backend.dtypes import BY_NUMPY
from ..backend.silence import silent
from ..graph.node import Node
from ..tensor.tensor import Tensor

__all__ = ["Op", "Row", "op", "variant"]

ELEMENTWISE = 1
HOLOMORPHIC = 2
LINEAR = 4
MULTILINEAR = 8
POINTWISE = 16
FLOAT = 32
VIEW = 64
MULTI_VIEW = 128

ndarray = np.ndarray
KEEP_LAYOUT = (
    "clone", "to", "to_device", "flip", "index_put", "index_fill", "masked_fill", "select_scatter",
    "slice_scatter", "diagonal_scatter", "unsafe_split", "sort", "rot90", "pow",
    "channels_last", "copy", "fill",
)  # fmt: skip
"""Rows whose result lies in memory as their input does; elementwise ones do, and views decide."""
IN_ROWS = ("index_add", "index_copy")
"""Their variants for which that does not hold."""
PUBLIC_NAMES = {
    "x": "self", "y": "other", "xs": "tensors", "out": "result", "out1": "indices", "dims": "dim",
    "low": "min", "high": "max", "slope": "negative_slope",
}  # fmt: skip
"""Under which name a node shows what it saved, where that is not the name here."""
PUBLIC_NAMES_IN: dict[str, dict[str, str]] = {
    "mm": {"y": "mat2"}, "bmm": {"y": "mat2"}, "mv": {"y": "vec"}, "dot": {"y": "tensor"},
    "transpose": {"a": "dim0", "b": "dim1"}, "diagonal": {"a": "dim1", "b": "dim2"},
    "permute": {"dims": "dims"}, "flip": {"dims": "dims"}, "roll": {"dims": "dims"},
    "tril": {"k": "diagonal"}, "triu": {"k": "diagonal"}, "linalg_vector_norm": {"p": "ord"},
    "index": {"index": "indices"}, "index_put": {"index": "indices"},
}  # fmt: skip
"""The same, for single operations."""
CONSTANTS: dict[str, dict[str, Any]] = {"add": {"alpha": 1}, "sub": {"alpha": 1}}
"""What nodes show that needs no saving."""

ROWS: dict[str, Row] = {}


class Op(Protocol):
    """What ``op`` returns."""

    row: Row

    def __call__(self, *args: Any) -> Any: ...
    def apply(self, *args: Any) -> Tensor: ...
    def inplace(self, *args: Any) -> Tensor: ...


class Row:
    """One operation, as data.

    Attributes:
        name: its name, as in ``torch.NAME``.
        node_name: the name of its nodes, such as ``"MulBackward0"``.
        operands: names of the tensor parameters.
        statics: names of the other parameters.
        variadic: the operands come as one list.
        kernel: the computation on arrays.
        rules: the vjp of each differentiable operand.
        jvp: an explicit jvp, where no flag gives it.
        check: refuses operands (arrays or numbers, before promotion) that the operation has no
            meaning for.
        refuses: the kinds of dtypes that the operation is not there for, after promotion.
        differentiable: bit i is set where operand i has a rule.
        in_rows: the output lies in memory in rows, however the input does.
        classes: the node classes made so far, by the arguments of ``node_class``.
        n_out: number of outputs, 0 where it varies from call to call. With several, a rule that
            takes ``gs`` gets all their gradients by output number, one that takes ``g`` that of the
            first.
    """

    def __init__(
        self,
        signature: str,
        kernel: Callable[..., Any],
        flags: int,
        rules: dict[str, Callable[..., Any]],
        node_name: str | None,
        n_out: int,
        jvp: Callable[..., Any] | None,
        check: Callable[..., None] | None = None,
        refuses: str = "",
    ) -> None:
        self.name, operands, statics = parse(signature)
        self.variadic = operands[0].startswith("*")
        self.operands = tuple(o.lstrip("*") for o in operands)
        self.statics = statics
        self.kernel = silent(kernel)
        self.flags = flags
        self.rules = rules
        self.jvp = jvp
        self.check = check
        self.refuses = refuses.replace("i", "iu")
        self.n_out = n_out
        self.node_name = node_name or camel(self.name) + "Backward0"
        apart = ELEMENTWISE | POINTWISE | VIEW | MULTI_VIEW
        self.in_rows = not flags & apart and self.name not in KEEP_LAYOUT
        self.differentiable = sum(1 << i for i, o in enumerate(self.operands) if o in rules)
        self.n_operands = len(self.operands)
        self.generic: Callable[..., Any] = kernel
        self.constants = {} if statics else CONSTANTS.get(self.name, {})
        self.classes: dict[Any, type[Node]] = {}
        self.first_only = n_out != 1 and not any("gs" in parameters(r) for r in rules.values())
        known = {"g", "gs", "out", *self.operands, *statics, *(f"out{i}" for i in range(n_out))}
        known |= {f"{o}_shape" for o in (*self.operands, "out")} | {"x_dtype", "x_device"}
        for operand, rule in rules.items():
            unknown = [p for p in parameters(rule) if p not in known]
            if operand not in self.operands or unknown:
                raise TypeError(f"row {self.name}: rule {operand} asks for unknown {unknown}")

    def public_name(self, name: str) -> str:
        """The name under which a node shows a saved value."""
        if name.endswith("_shape"):
            return self.public_name(name.removesuffix("_shape")) + "_sym_sizes"
        special = PUBLIC_NAMES_IN.get(self.name, {})
        return special.get(name) or PUBLIC_NAMES.get(name, name)

    def refuse(self, arrays: Any) -> None:
        """Refuse a dtype that the operation is not there for."""
        for a in arrays:
            if hasattr(a, "dtype") and a.dtype.kind in self.refuses:
                raise errors.unsupported_dtype(self.name, BY_NUMPY[a.dtype])

    def saved_names(self) -> set[str]:
        """Names of all values that some rule saves."""
        names = {p for rule in self.rules.values() for p in parameters(rule)} - {"g", "gs"}
        return {self.public_name(n) for n in names} | set(self.constants)

    def node_class(
        self, mask: int, reduce: bool = False, complex_: bool = False, outputs: int = 1
    ) -> type[Node]:
        """The node class for calls in which the operands in ``mask`` need a gradient.

        ``reduce``: operands differ from the output in shape or dtype, so gradients are reduced.
        ``complex_``: the output is complex, so holomorphic rules are conjugated around.
        ``outputs``: how many there are, which varies from call to call in some rows.
        """
        key = (mask, reduce, complex_, outputs)
        known = self.classes.get(key)
        if known is None:
            from ..engine.rules import make_node_class

            known = self.classes[key] = make_node_class(self, *key)
        return known


def parse(signature: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Name, operands and static parameters of ``"name(x, y, /, dim)"``."""
    name, _, rest = signature.rstrip(")").partition("(")
    before, slash, after = rest.partition("/")
    operands = tuple(p.strip() for p in before.split(",") if p.strip())
    statics = tuple(p.strip() for p in after.split(",") if p.strip()) if slash else ()
    return name, operands, statics


def parameters(rule: Callable[..., Any]) -> tuple[str, ...]:
    """Names of a rule's parameters."""
    return tuple(inspect.signature(rule).parameters)


def camel(name: str) -> str:
    """``log_softmax`` -> ``LogSoftmax``, ``log1p`` -> ``Log1P``."""
    joined = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return re.sub(r"(?<=\d)[a-z]", lambda found: found.group().upper(), joined)


def op(
    signature: str,
    kernel: Callable[..., Any],
    flags: int = 0,
    *,
    node: str | None = None,
    n_out: int = 1,
    jvp: Callable[..., Any] | None = None,
    check: Callable[..., None] | None = None,
    refuses: str = "",
    **rules: Callable[..., Any],
) -> Op:
    """Define an operation; see the module's text."""
    return operation(Row(signature, kernel, flags, rules, node, n_out, jvp, check, refuses))


def variant(of: Op, node: str, name: str | None = None) -> Op:
    """The same operation under another node name, as overloads and in-place twins have; with a name
    of its own, where users know it by one."""
    row = copy.copy(of.row)
    row.name = name or row.name
    row.in_rows = row.in_rows or name in IN_ROWS
    row.node_name = node
    row.classes = {}
    return operation(row)


def operation(row: Row) -> Op:
    """The function that runs a row on arrays or on tensors."""
    from . import forward, in_place

    ROWS.setdefault(row.name, row)
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
            if any(isinstance(a, Tensor) for a in args):
                return apply(*args)
            return kernel(*args)

    made: Any = generic
    made.__name__ = made.__qualname__ = row.name
    made.row = row
    row.generic = made
    made.apply = apply
    made.inplace = in_place.make_inplace(row)
    apply.__name__ = apply.__qualname__ = row.name
    return cast(Op, made)
