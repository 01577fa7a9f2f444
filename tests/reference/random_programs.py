"""Random programs of the tape, run side by side on PyTorch and on the reference.

A program is a list of statements over a few small tensors: operations, views, writes in place, hooks,
passes, changes of modes. After each statement everything that can be seen of every tensor is compared.
``python -m tests.reference.random_programs FIRST LAST`` runs the programs of those seeds and prints
the smallest program of each kind that differs.

Statements on which PyTorch goes its own, undocumented way are left out: writes to inference tensors
(refused, and yet done), views under no_grad of leaves, matrix products (whose results count a write),
``set_`` and ``resize_``. Of 2,500 programs nine differ, all in the ways that ACCEPTED tells.
"""

from __future__ import annotations

import random
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .rounding import SECOND_ORDER, close, epsilon_of

REFERENCE = "gradspec.reference_impl"

OF_ONE = """
-{a} | {a}.exp() | {a}.sin() | {a} * {a} | {a}.tanh() | {a}.sum() | {a}.sum(0) | {a}.mean() | {a}.relu()
{a}.abs() | {a}.clone() | {a} * 2 | {a} + 1 | {a}.pow(2) | {a}.prod() | {a}.cumsum(0) | {a}.max() | {a}.sqrt()
1 / {a} | {a}.float() | {a}.double() | {a}.to(torch.float32) | {a}.sum(dim=0, keepdim=True) | {a}.norm()
{a}.softmax(0) | {a}.amax(0) | {a}.std() | {a}.clamp(-1, 1) | {a}.sigmoid() | {a} ** 3 | 2 ** {a}
{a}.logsumexp(0) | {a}.masked_fill({a} > 0, 0.) | {a}.repeat(2) | torch.stack([{a}, {a}]) | {a}.sort()[0]
{a}.var(0) | {a}.gather(0, torch.zeros_like({a}, dtype=torch.long)) | torch.where({a} > 0, {a}, 0.)
{a}.long() | {a} > 0 | {a}.mean(0) | {a}.roll(1) | {a}.square() | {a}.log1p() | {a}.min(0)[0]
torch.zeros_like({a}) | torch.ones_like({a}, requires_grad=True) | {a}[torch.tensor([0])] | {a}[{a} > 0]
"""
OF_TWO = """
{a} + {b} | {a} - {b} | {a} * {b} | {a} / {b} | torch.cat([{a}, {b}]) | torch.maximum({a}, {b})
torch.where({a} > 0, {a}, {b}) | torch.outer({a}, {b}) | torch.stack([{a}, {b}]) | torch.atan2({a}, {b})
torch.lerp({a}, {b}, 0.5) | torch.dot({a}, {b}) | torch.addcmul({a}, {b}, {b}) | torch.hypot({a}, {b})
"""
VIEWS = """
{a}[0] | {a}[1:] | {a}[...] | {a}[None] | {a}[:, 0] | {a}[::2] | {a}.view(-1) | {a}.reshape(-1)
{a}.unsqueeze(0) | {a}.squeeze() | {a}.t() | {a}.expand(2, 3) | {a}.diagonal() | {a}.select(0, 0)
{a}.split(1)[0] | {a}.unbind()[0] | {a}.detach() | {a}.data | {a}.view_as({a}) | {a}.transpose(0, 1)
{a}.chunk(2)[-1] | {a}.flatten() | {a}.permute(1, 0) | {a}.real | {a}.view(3, 1) | {a}.as_strided((1,), (1,))
{a}.expand_as({b}) | {a}.view_as({b})
"""
WRITES = """
{a}.add_(1) | {a}.mul_(2) | {a}.zero_() | {a}.copy_({b}) | {a}[0] = {b} | {a}[0] = 5. | {a}.exp_()
{a}.fill_(1.) | {a}.sub_({b}) | {a}[{a} > 0] = 0. | {a}.relu_() | {a}.mul_({b}) | {a}.add_({b}) | {a} += {b}
{a} *= 2 | {a}.t_() | {a}.unsqueeze_(0) | {a}.clamp_(0, 1) | {a}.sigmoid_() | {a}.neg_() | {a}.div_({b})
{a}.pow_(2) | {a}.data.add_(1) | {a}.detach().mul_(2) | {a}.view(-1).add_(1) | {a}[0].mul_(3)
{a}[1:] = {b} | {a}.masked_fill_({a} < 0, 0.) | {a}.index_add_(0, torch.tensor([0]), {b}[:1])
{a}.addcmul_({b}, {b}) | {a}.sqrt_() | {a}.transpose_(0, 1) | {a}[:, 0] = 1. | {a}.diagonal().zero_()
{a}.tanh_() | {a}.lerp_({b}, 0.5)
"""
FLAGS = """
{a}.requires_grad_() | {a}.requires_grad_(False) | {a}.detach_() | {a}.retain_grad()
{a}.requires_grad = True | {a}.requires_grad = False
"""
HOOKS = """
{a}.register_hook(lambda g: g * 2) | {a}.register_hook(lambda g: LOG.append(g.tolist()))
{a}.register_hook(lambda g: None) | {a}.grad_fn.register_prehook(lambda go: LOG.append(len(go)))
{a}.grad_fn.register_hook(lambda gi, go: LOG.append((len(gi), len(go))))
{a}.register_post_accumulate_grad_hook(lambda p: LOG.append(p.grad.tolist()))
"""
PASSES = """
{a}.sum().backward() | {a}.backward() | {a}.backward(torch.ones_like({a})) | ({a} * {b}).sum().backward()
{a}.sum().backward(retain_graph=True) | {a}.sum().backward(create_graph=True)
R = torch.autograd.grad({a}.sum(), {b}, allow_unused=True) | R = torch.autograd.grad({a}.sum(), {b})
R = torch.autograd.grad({a}.sum(), {b}, retain_graph=True, create_graph=True, allow_unused=True)
R = torch.autograd.grad({a}, {b}, torch.ones_like({a}), retain_graph=True)
{a}.sum().backward(inputs=[{b}]) | torch.autograd.backward([{a}.sum(), {b}.sum()])
({a} * {a}).sum().backward(retain_graph=True) | ({a}.grad * {a}).sum().backward()
R = torch.autograd.grad(({a} * {b}).sum(), [{a}, {b}], retain_graph=True, allow_unused=True)
R = torch.autograd.grad({a}.sum(), {b}, retain_graph=True, materialize_grads=True)
"""
GRADIENTS = """
{a}.grad = None | {a}.grad = torch.ones_like({a}) | {a}.grad = {b} | {a}.grad.zero_() | {a}.grad.mul_(2)
{a}.data = {b} | {a}.data = {b}.detach().clone() | del {a}.grad | {a}.grad.detach_()
{a}.grad.requires_grad_() | {a}.grad = {a}.grad
"""
MODES = ("torch.no_grad()", "torch.no_grad(), torch.enable_grad()", "torch.set_grad_enabled(False)")
SHAPES: tuple[tuple[int, ...], ...] = ((), (3,), (2, 3), (2, 3), (3, 3), (1, 3), (1,), (0,))


ACCEPTED = {
    r"AsStridedBackward0, reference": "a view whose leaf requires grad no longer: its old history stays",
    r"diagonal.*RuntimeError, reference: IndexError": "of two mistakes the other one is told",
    r"lerp_.*RuntimeError, reference: NotImplementedError": "of two mistakes the other one is told",
    r"RuntimeError, reference: ok$": "PyTorch runs the node of a non-leaf input, which its documentation "
    "says not to rely on; a shape changed in place of one of several views; the layout of a result "
    "of operands that lie in memory differently",
    r"LOG: PyTorch": "which hooks have run when a pass is refused",
}
"""Differences that are left, by what they tell, and why."""


def statements(table: str) -> list[str]:
    """The statements of a table, which are set apart by bars and lines."""
    return [part.strip() for part in re.split(r"\||\n", table) if part.strip()]


MAKING = [statements(table) for table in (OF_ONE, OF_TWO, VIEWS)]
DOING = [statements(table) for table in (WRITES, FLAGS, HOOKS, PASSES, GRADIENTS)]
WEIGHTS = (30, 22, 26, 22, 6, 7, 16, 5)
"""How often a statement is taken from each table, in the order of MAKING and DOING."""
PASSING = DOING[3]


def program(seed: int, length: int) -> list[str]:
    """A random program, the same for a seed each time."""
    draw = random.Random(seed)
    lines: list[str] = []
    names: list[str] = []

    def leaf() -> None:
        shape = draw.choice(SHAPES)
        values = np.linspace(-1, 2, max(1, int(np.prod(shape))))[: int(np.prod(shape))]
        dtype = draw.choice(["float64"] * 6 + ["float32"])
        flag = draw.random() < 2 / 3
        names.append(f"v{len(names)}")
        lines.append(
            f"{names[-1]} = torch.tensor({values.reshape(shape).round(2).tolist()}, "
            f"dtype=torch.{dtype}, requires_grad={flag})"
        )

    leaf()
    leaf()
    while len(lines) < length:
        if draw.random() < 0.08:
            leaf()
            continue
        (table,) = draw.choices([*MAKING, *DOING], WEIGHTS)
        among = names[-5:] if draw.random() < 0.75 else names
        line = draw.choice(table).format(a=draw.choice(among), b=draw.choice(among))
        if table in MAKING:
            names.append(f"v{len(names)}")
            line = f"{names[-1]} = {line}"
        if table is not PASSING and draw.random() < 0.08:
            line = f"with {draw.choice(MODES)}: {line}"
        lines.append(line)
    return lines


class Engine:
    """One engine, and the names of a program that runs on it."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.names: dict[str, Any] = {"torch": module, "LOG": [], "R": None}

    def outcome(self, line: str) -> str:
        """Run a statement: "ok", or the kind of exception that it raised."""
        try:
            exec(line, self.names)
        except Exception as error:
            return type(error).__name__
        return "ok"

    def state(self) -> dict[str, Any]:
        """What can be seen of each tensor, of the last gradients, and what hooks have noted."""
        found: dict[str, Any] = {
            name: self.seen(value) for name, value in self.names.items() if re.match(r"v\d", name)
        }
        last = self.names["R"]
        found["R"] = None if last is None else [None if g is None else self.values(g) for g in last]
        found["LOG"] = list(self.names["LOG"])
        return found

    def values(self, t: Any) -> tuple[Any, ...]:
        return (
            str(t.dtype),
            tuple(t.shape),
            np.array(t.detach().tolist()),
            t.requires_grad,
            t.is_leaf,
        )

    def seen(self, t: Any) -> dict[str, Any]:
        flag = attempt(lambda: t.requires_grad)
        gradient = attempt(lambda: t.grad if t.is_leaf or t.retains_grad else None)
        return {
            "values": attempt(lambda: self.values(t)),
            "version": attempt(lambda: t._version),
            "requires_grad": flag,
            "grad_fn": attempt(lambda: type(t.grad_fn).__name__),
            "is a view": t._is_view(),
            "base": attempt(lambda: None if t._base is None else tuple(t._base.shape)),
            "grad": self.values(gradient) if isinstance(gradient, self.module.Tensor) else gradient,
            "retains_grad": t.retains_grad,
        }


def attempt(look: Any) -> Any:
    """What a look gives, or the kind of exception that it raises."""
    try:
        return look()
    except Exception as error:
        return type(error).__name__


PRECISION = epsilon_of("float32")
"""Programs mix dtypes, so that single precision is as good as some of their numbers are."""


def alike(a: Any, b: Any) -> bool:
    """Whether two states are the same, but for rounding."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, (float, np.ndarray)) and isinstance(b, (float, np.ndarray)):
        whole = all(np.asarray(one).dtype.kind in "biu" for one in (a, b))
        return close(a, b, 0.0 if whole else PRECISION, SECOND_ORDER)
    return bool(a == b)


class Difference(NamedTuple):
    """Where and how the reference departs: the kind is what it has in common with others."""

    line: int
    kind: str
    told: str


def difference(lines: Sequence[str]) -> Difference | None:
    """The first statement after which the two engines differ."""
    import importlib

    import torch

    engines = Engine(torch), Engine(importlib.import_module(REFERENCE))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, line in enumerate(lines):
            expected, found = (engine.outcome(line) for engine in engines)
            if expected != found:
                told = f"PyTorch: {expected}, reference: {found}"
                return Difference(number, told, told)
            before, after = (engine.state() for engine in engines)
            for name in before:
                if not alike(before[name], after.get(name)):
                    return differing(number, name, before[name], after.get(name))
    return None


def accepted(lines: Sequence[str], found: Difference) -> bool:
    """Whether a difference is one of those that are left."""
    told = f"{lines[found.line]} {found.told}"
    return any(re.search(pattern, told) for pattern in ACCEPTED)


def differing(number: int, name: str, expected: Any, found: Any) -> Difference:
    """A difference in what can be seen of one name."""
    if not isinstance(expected, dict):
        return Difference(number, name, f"{name}: PyTorch {expected}, reference {found}")
    parts = [k for k in expected if not alike(expected[k], found[k])]
    told = [f"{name}, {k}: PyTorch {expected[k]}, reference {found[k]}" for k in parts]
    return Difference(number, ", ".join(parts), "; ".join(told))


def smallest(lines: list[str], found: Difference) -> tuple[list[str], Difference]:
    """A program with the same difference, and no statement that it can do without."""
    lines = lines[: found.line + 1]
    at = len(lines) - 2
    while at >= 0:
        fewer = lines[:at] + lines[at + 1 :]
        other = difference(fewer)
        if other is not None and other.kind == found.kind:
            lines, found = fewer[: other.line + 1], other
            at = min(at, len(lines) - 1)
        at -= 1
    return lines, found


def main(first: int, last: int, length: int = 14) -> int:
    """Run the programs of these seeds; how many differ."""
    kinds: dict[str, list[tuple[list[str], Difference]]] = {}
    for seed in range(first, last):
        lines = program(seed, length)
        found = difference(lines)
        if found is not None and not accepted(lines, found):
            few, found = smallest(lines, found)
            kinds.setdefault(re.sub(r"v\d+", "v", f"{few[-1]} {found.kind}"), []).append(
                (few, found)
            )
    for cases in sorted(kinds.values(), key=len, reverse=True):
        few, found = min(cases, key=lambda case: len(case[0]))
        print(f"--- {len(cases)} programs", *few, f"=> {found.told}", sep="\n")
    count = sum(map(len, kinds.values()))
    print(f"{count} of {last - first} programs differ")
    return count


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
