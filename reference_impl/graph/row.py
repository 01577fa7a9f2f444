"""An operation as data: its kernel, the rules for its gradients, and what is special about it.

`ops.op` says how rows are written and makes functions of them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from .. import errors
from ..backend.dtypes import BY_NUMPY
from ..backend.silence import silent
from .node import Node

ELEMENTWISE = 1
HOLOMORPHIC = 2
LINEAR = 4
MULTILINEAR = 8
POINTWISE = 16
FLOAT = 32
VIEW = 64
MULTI_VIEW = 128

KEEPS_LAYOUT = 256
"""The result lies in memory as the input does. Elementwise ones do anyhow, and views decide."""
NO_COMPLEX_GRADIENT = 512
"""It computes with complex numbers, and has no gradient there."""
WRITES_ONE_VALUE = 1024
"""In place it writes one value, which elements that share a place in memory may receive."""
OVERLAP_DEPRECATED = 2048
"""In place it still writes to such elements, which is deprecated."""
READS_FIRST = 4096
"""In place it reads its other operand before it writes the first element."""

PUBLIC_NAMES = {
    "x": "self", "y": "other", "xs": "tensors", "out": "result", "out1": "indices", "dims": "dim",
    "low": "min", "high": "max", "slope": "negative_slope",
}  # fmt: skip
"""Under which name a node shows what it saved, where that is not the name here."""


def lies_in_rows(flags: int) -> bool:
    """Whether the output lies in memory in rows, however the input does."""
    return not flags & (ELEMENTWISE | POINTWISE | VIEW | MULTI_VIEW | KEEPS_LAYOUT)


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
        check: refuses operands (arrays or numbers, before promotion) that the operation has no
            meaning for.
        refuses: the kinds of dtypes that the operation is not there for, after promotion.
        shows: under which name a node shows what it saved, where that differs from the name here
            and from ``PUBLIC_NAMES``.
        constants: what nodes show although it needs no saving, by name.
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
        check: Callable[..., None] | None = None,
        refuses: str = "",
        shows: dict[str, str] | None = None,
        constants: dict[str, Any] | None = None,
    ) -> None:
        self.name, operands, statics = parse(signature)
        self.variadic = operands[0].startswith("*")
        self.operands = tuple(o.lstrip("*") for o in operands)
        self.statics = statics
        self.kernel = silent(kernel)
        self.flags = flags
        self.rules = rules
        self.check = check
        self.refuses = refuses.replace("i", "iu")
        self.n_out = n_out
        self.node_name = node_name or camel(self.name) + "Backward0"
        self.in_rows = lies_in_rows(flags)
        self.differentiable = sum(1 << i for i, o in enumerate(self.operands) if o in rules)
        self.n_operands = len(self.operands)
        self.generic: Callable[..., Any]
        self.shows = shows or {}
        self.constants = constants or {}
        self.classes: dict[Any, type[Node]] = {}
        self.first_only = n_out != 1 and not any("gs" in parameters(r) for r in rules.values())
        known = {"g", "gs", "out", *self.operands, *statics, *(f"out{i}" for i in range(n_out))}
        known |= {f"{o}_shape" for o in (*self.operands, "out")} | {"x_device"}
        known |= {f"{o}_dtype" for o in self.operands}
        for operand, rule in rules.items():
            unknown = [p for p in parameters(rule) if p not in known]
            if operand not in self.operands or unknown:
                raise TypeError(f"row {self.name}: rule {operand} asks for unknown {unknown}")

    def public_name(self, name: str) -> str:
        """The name under which a node shows a saved value."""
        if name.endswith("_shape"):
            return self.public_name(name.removesuffix("_shape")) + "_sym_sizes"
        return self.shows.get(name) or PUBLIC_NAMES.get(name, name)

    def refuse(self, array: Any) -> None:
        """Refuse a dtype that the operation is not there for."""
        if hasattr(array, "dtype") and array.dtype.kind in self.refuses:
            raise errors.unsupported_dtype(self.name, BY_NUMPY[array.dtype])

    def saved_names(self) -> set[str]:
        """Names of all values that some rule saves."""
        names = {p for rule in self.rules.values() for p in parameters(rule)} - {"g", "gs"}
        return {self.public_name(n) for n in names} | set(self.constants)


def parse(signature: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Name, operands and static parameters of ``"name(x, y, /, dim)"``."""
    name, _, rest = signature.rstrip(")").partition("(")
    before, _, after = rest.partition("/")
    operands = tuple(p.strip() for p in before.split(",") if p.strip())
    statics = tuple(p.strip() for p in after.split(",") if p.strip())
    return name, operands, statics


def parameters(rule: Callable[..., Any]) -> tuple[str, ...]:
    """Names of a rule's parameters, in a tenth of the time that ``inspect.signature`` takes."""
    code: Any = inspect.unwrap(rule).__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return names


def camel(name: str) -> str:
    """``log_softmax`` -> ``LogSoftmax``, ``log1p`` -> ``Log1P``."""
    joined = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    return re.sub(r"(?<=\d)[a-z]", lambda found: found.group().upper(), joined)
