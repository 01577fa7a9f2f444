"""Sums of products written with subscripts, made of products of batches of matrices."""

from __future__ import annotations

import math
import string
from typing import Any

from .. import errors
from ..tensor.tensor import Tensor
from .products import bmm
from .registry import function
from .shape import diagonal_public, permute_public, reshape_any, unsqueeze_public

__all__ = ["einsum"]


def spelled_out(equation: str, operands: Any) -> tuple[list[str], str]:
    """The subscripts of each operand and of the result, ellipses as letters of their own.

    Raises:
        RuntimeError: subscripts and operands do not fit together.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise errors.wrong_value(
            f"einsum(): the equation names {len(terms)} operands, but {len(operands)} were provided",
            RuntimeError,
        )
    rest = [
        x.ndim - len(t.replace("...", "")) if "..." in t else 0
        for t, x in zip(terms, operands, strict=True)
    ]
    dots = [chr(k) for k in range(1, max([*rest, 0]) + 1)]
    full = [
        t.replace("...", "".join(dots[len(dots) - n :])) for t, n in zip(terms, rest, strict=True)
    ]
    joined = "".join(full)
    if arrow:
        out = right.replace("...", "".join(dots))
    else:
        out = "".join(dots) + "".join(
            sorted(c for c in set(joined) if joined.count(c) == 1 and c not in dots)
        )
    check(full, out, operands)
    return full, out


def check(terms: list[str], out: str, operands: Any) -> None:
    """Refuse subscripts that are no letters, that do not fit their operand, that stand for two
    sizes, and results with a subscript that is unknown or comes twice."""
    sizes: dict[str, int] = {}
    for term, x in zip(terms, operands, strict=True):
        if any(not c.isalpha() and c >= " " for c in term + out):
            raise errors.wrong_value(
                f"einsum(): invalid subscript in {term!r}; subscripts are the letters [a-zA-Z]",
                RuntimeError,
            )
        if len(term) != x.ndim:
            raise errors.wrong_shape(
                f"einsum(): each dimension of an operand needs one subscript; got '{term}' for "
                f"shape {list(x.shape)}"
            )
        for c, n in zip(term, x._data.shape, strict=True):
            if n != 1 and sizes.setdefault(c, n) != n:
                raise errors.wrong_shape(
                    f"einsum(): subscript {c} stands for one size; got {sizes[c]} and {n}, which "
                    "do not broadcast"
                )
    for c in out:
        if c not in "".join(terms) or out.count(c) > 1:
            raise errors.wrong_value(
                f"einsum(): output subscript {c} must appear exactly once in the output, and in "
                "the equation of some operand",
                RuntimeError,
            )


def aligned(x: Tensor, term: str, letters: str) -> Tensor:
    """An operand with one dimension for each letter, in their order; diagonals are taken of what
    comes twice."""
    for c in dict.fromkeys(term):
        while term.count(c) > 1:
            a = term.index(c)
            b = term.index(c, a + 1)
            x = diagonal_public(x, 0, a, b)
            term = term[:a] + term[a + 1 : b] + term[b + 1 :] + c
    for c in letters:
        if c not in term:
            x = unsqueeze_public(x, -1)
            term += c
    return permute_public(x, [term.index(c) for c in letters])


def contracted(a: Tensor, b: Tensor, summed: list[int]) -> Tensor:
    """The product of two aligned operands, summed over dimensions that both have, which become of
    size 1."""
    if not summed:
        return a * b
    sa, sb = a._data.shape, b._data.shape
    rest = [d for d in range(len(sa)) if d not in summed]
    both = [d for d in rest if sa[d] != 1 and sb[d] != 1]
    left = [d for d in rest if d not in both and sb[d] == 1]
    right = [d for d in rest if d not in both and sb[d] != 1]

    def size(shape: Any, dims: list[int]) -> int:
        return math.prod(shape[d] for d in dims)

    x = reshape_any(
        permute_public(a, [*both, *left, *summed, *right]),
        (size(sa, both), size(sa, left), size(sa, summed)),
    )
    y = reshape_any(
        permute_public(b, [*both, *summed, *right, *left]),
        (size(sb, both), size(sb, summed), size(sb, right)),
    )
    order = [*both, *left, *right, *summed]
    shape = [sa[d] for d in both + left] + [sb[d] for d in right] + [1] * len(summed)
    out = reshape_any(bmm.apply(x, y), tuple(shape))
    return permute_public(out, [order.index(d) for d in range(len(order))])


def letters_of(arguments: tuple[Any, ...]) -> tuple[str, list[Tensor]]:
    """The equation and the operands of ``einsum(a, [0, 1], b, [1, 2], [0, 2])``, whose subscripts
    are numbers below 52, and ... .

    Raises:
        RuntimeError: a number that is none of them.
    """

    def spelled(places: Any) -> str:
        for i in places:
            if i is not Ellipsis and not 0 <= i < 52:
                raise errors.wrong_value(
                    f"einsum(): a subscript is a number from 0 to 51, or ...; got {i}", RuntimeError
                )
        return "".join("..." if i is Ellipsis else LETTERS[i] for i in places)

    pairs = len(arguments) // 2
    equation = ",".join(spelled(arguments[2 * k + 1]) for k in range(pairs))
    if len(arguments) % 2:
        equation += "->" + spelled(arguments[-1])
    return equation, [arguments[2 * k] for k in range(pairs)]


LETTERS = string.ascii_uppercase + string.ascii_lowercase


@function("einsum")
def einsum(equation: Any, *operands: Any) -> Tensor:
    """Sums of products: ``einsum("ij,jk->ik", a, b)``, or with numbers as subscripts
    ``einsum(a, [0, 1], b, [1, 2], [0, 2])``.

    Operands are aligned and multiplied one after the other; a subscript is summed away as soon as
    neither a later operand nor the result has it.
    """
    xs: Any
    if isinstance(equation, Tensor):
        equation, xs = letters_of((equation, *operands))
    else:
        alone = len(operands) == 1 and isinstance(operands[0], (list, tuple))
        xs = operands[0] if alone else operands
    terms, out = spelled_out(equation, xs)
    letters = out + "".join(c for c in dict.fromkeys("".join(terms)) if c not in out)
    places = range(len(letters))
    total: Tensor | None = None
    for k, (x, term) in enumerate(zip(xs, terms, strict=True)):
        operand = aligned(x, term, letters)
        later = out + "".join(terms[k + 1 :])
        gone = [d for d in places if letters[d] not in later]
        if total is None:
            alone = len(xs) == 1
            total = operand.sum(gone, keepdim=not alone) if gone else operand
            continue
        sizes = total._data.shape, operand._data.shape
        mine = [d for d in gone if sizes[0][d] != 1 and sizes[1][d] == 1]
        its = [d for d in gone if sizes[0][d] == 1 and sizes[1][d] != 1]
        total = total.sum(mine, keepdim=True) if mine else total
        operand = operand.sum(its, keepdim=True) if its else operand
        shared = [d for d in gone if sizes[0][d] != 1 and sizes[1][d] != 1]
        total = contracted(total, operand, shared)
    assert total is not None
    if len(xs) > 1 and (len(letters) > len(out) or total._data.ndim != len(out)):
        return reshape_any(total, total._data.shape[: len(out)])  # type: ignore[no-any-return]
    return total
