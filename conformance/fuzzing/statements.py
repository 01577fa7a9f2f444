"""The statements that generated programs are made of, as a table of templates.

Small letters in braces stand for variables that exist already, by what they hold: `s` a number without
dimensions, `v` a vector of three, `m` a matrix of two rows and three columns, `w` its transpose; `x`
is any of them, `y` another of the same shape as `x`. A template that makes a variable says before a
colon what the variable holds. Values stay small, so that rounding is not amplified.

Every program has one right outcome. So there is no operation whose gradient is a convention where operands
are equal, and nothing that PyTorch leaves open: a write through every second element of a tensor, which may
overlap what is read; `inputs` of a pass that are no leaves, whose own operation may run as well; a gradient
given as it is, which `.grad` may then share memory with; an operand that is saved for its shape alone;
what an expanded tensor is copied to itself, and its tangent, which PyTorch refuses; a view made under no_grad
of a leaf that requires grad.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

OPERATIONS = """
x: sin({x})
x: tanh({x})
x: sigmoid({x})
x: -{x}
x: {x} * 0.5
x: {x} + {y}
x: {x} - {y}
x: {x} * {y}
x: {x} / ({y} * {y} + 1.0)
x: {x} ** 2
x: {x}.clone()
m: {m} * {v}
m: {m} + {s}
v: {v} - {s}
w: {w} * {s}
s: {x}.sum()
s: {x}.mean()
v: {m}.sum(0)
v: {w}.sum(1)
v: {m}.mean(0)
s: prod({v})
v: cumsum({v}, 0)
m: softmax({m}, 1)
v: logsumexp({m}, 0)
s: {v} @ {v}
v: {w} @ {m} @ {v}
m: cat(({m}[:1], {m}[1:]), 0)
m: stack(({v}, {v} * 2.0), 0)
v: index_select({v}, 0, tensor([2, 0, 0]))
v: gather({v} + 0.5, 0, tensor([1, 1, 2]))
"""
BENT = """
x: abs({x})
x: relu({x})
x: where({x} > 0.25, {x}, {y})
x: clamp({x}, -0.5, 0.75)
x: {x}.detach()
"""
"""Operations with a kink somewhere, or without a derivative: finite differences do not tell theirs."""
VIEWS = """
w: {m}.t()
m: {w}.t()
w: transpose({m}, 0, 1)
v: {m}[0]
v: {m}[-1]
v: {w}[:, 1]
s: {v}[1]
s: {m}[1, 2]
m: {v}.clone().expand(2, 3)
v: {v}.flip(0)
m: {w}.reshape(2, 3)
x: {x}.view_as({x})
v: {m}.view(6)[1:4]
v: {m}.view(6)[::2].clone()
"""
WRITES = """
{x}.add_(1.0)
{x}.mul_(0.5)
{x}.mul_({y})
{x}.add_({y})
{x} += {y}
{x} *= 2.0
{x}.copy_({y} * 1.0)
{x}.zero_()
{x}.sin_()
{x}.neg_()
{m}.add_({v})
{m}[0] = {v}
{m}[:, 1] = {s}
{v}[1:] = {s}
{v}[0] = 2.0
{m}[1].mul_(3.0)
{v}.masked_fill_({v} > 0.0, 0.25)
{x}.detach().mul_(2.0)
"""
FLAGS = """
{x}.requires_grad_()
{x}.requires_grad_(False)
{x}.retain_grad()
{x}.detach_()
{x}.grad = None
{x}.grad = {y}.detach().clone()
{x}.register_hook(lambda g: g * 2.0)
{x}.register_hook(lambda g: trace("hook", g))
{x}.register_post_accumulate_grad_hook(lambda p: trace("accumulated", p.grad))
{x}.register_hook(lambda g: stop("a hook failed"))
"""
PASSES = """
{s}.backward()
{x}.sum().backward()
{x}.sum().backward(retain_graph=True)
{x}.backward({y}.clone())
({x} * {x}).sum().backward(inputs=[{y}] if {y}.is_leaf else None)
({x} * {y}).sum().backward()
autograd.backward([{x}.sum(), {y}.sum()])
x: autograd.grad(({x} * {x}).sum(), {x}, create_graph=True)[0]
x: autograd.grad({x}.sum(), {y}, retain_graph=True, materialize_grads=True)[0]
x: autograd.grad(({x} * {y}).sum(), {y}, create_graph=True, materialize_grads=True)[0]
x: autograd.grad({x}, {x}, {y})[0]
({x}.grad * {x}).sum().backward()
"""
DERIVATIVES = """
x: vjp(lambda p: sin(p) * {x}, ({y},), {x})[0].clone()
x: jvp(lambda p: p * p * {x}, ({y}.clone(),), ({x},)).clone()
x: vjp(lambda p: vjp(lambda q: q * q * q, (p,), p)[0], ({x},), {y})[0].clone()
x: vjp(lambda p: jvp(lambda q: q * q * {y}, (p,), ({x},)), ({y}.clone(),), {x})[0].clone()
"""
"""Copied, since a derivative may share memory with another tensor, and then be a view."""
CUSTOM = """
x: Cube.apply({x})
x: Plus.apply({x}, {y})
"""
TABLES = {
    "operations": OPERATIONS,
    "bent": BENT,
    "views": VIEWS,
    "writes": WRITES,
    "flags": FLAGS,
    "passes": PASSES,
    "derivatives": DERIVATIVES,
    "custom": CUSTOM,
}
WEIGHTS = {
    "operations": 9, "bent": 1, "views": 4, "writes": 4, "flags": 3, "passes": 5, "derivatives": 2,
    "custom": 1,
}  # fmt: skip
"""How often a statement is drawn from each table."""
BLOCKS = {
    "": "",
    "no_grad": "with no_grad():",
    "enable_grad": "with no_grad(), enable_grad():",
    "packed": "with autograd.graph.saved_tensors_hooks(lambda s: s.clone(), lambda p: p):",
    "thread": "with thread():",
}
"""What a statement may stand in; most stand in nothing."""
CLASSES = {
    "Cube": """\
class Cube(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3.0 * x * x
""",
    "Plus": """\
class Plus(autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y * 2.0
    @staticmethod
    def backward(ctx, g):
        return g, g * 2.0 if ctx.needs_input_grad[1] else None
""",
}
"""Custom functions, each written before the program that names it."""
SHAPES = {"s": (), "v": (3,), "m": (2, 3), "w": (3, 2)}
_PLACE = re.compile(r"\{(\w)\}")


@dataclass(frozen=True)
class Template:
    """One statement with places for variables; `makes` is what its result holds, if it has one."""

    table: str
    makes: str
    text: str

    @cached_property
    def places(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_PLACE.findall(self.text)))

    @property
    def any_shape(self) -> bool:
        """Whether `x` stands for whatever the program has."""
        return "x" in self.places

    def written(self, names: dict[str, str]) -> str:
        """The statement with variables in its places."""
        return _PLACE.sub(lambda match: names[match.group(1)], self.text)

    @property
    def shown(self) -> str:
        return f"{self.makes}: {self.text}" if self.makes else self.text


def templates() -> Iterator[Template]:
    """Every template of the tables."""
    for table, text in TABLES.items():
        for line in filter(None, map(str.strip, text.splitlines())):
            makes = re.match(r"(\w): ", line)
            yield Template(table, makes.group(1) if makes else "", line[3:] if makes else line)
