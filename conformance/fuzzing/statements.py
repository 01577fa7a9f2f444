"""The statements that generated programs are made of, as a table of templates.

Small letters in braces are places for variables that exist already. `s` is a number without dimensions, `v` a
vector of three, `m` a matrix of two rows and three columns, `w` its transpose. `x` is any of them, `y` another
of the same shape. `l` is a leaf that requires grad, `r` and `q` are results that do; their shapes may differ.
`c` is a constant of the shape of the place before it. `f` is an operation on `p`, `a` and `t` are a primal and a
tangent for it, `k` a cotangent. A template that makes a variable says before a colon what the variable holds.
Values stay small, so that rounding is not amplified.

Every program has one right outcome. So there is no operation whose gradient is a convention where operands
are equal, and nothing that PyTorch leaves open: a write through every second element of a tensor, which may
overlap what is read; `inputs` of a pass that are no leaves, whose own operation may run as well; a gradient
given as it is, which `.grad` may then share memory with; an operand that is saved for its shape alone;
what an expanded tensor is copied to itself, and its tangent, which PyTorch refuses; a view made under no_grad
of a leaf that requires grad; whether a hook runs after the accumulation into a leaf whose flag was cleared;
what the backward pass of zero_() does where elements share memory; whether hooks of a result stay with a tensor
that is detached in place; whether a value that was saved as a constant is one in a derivative of second order,
if it came to require grad.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

OPERATIONS = """
x: {x} * 2.0
x: sin({x})
x: cos({x})
x: exp({x} * 0.25)
x: tanh({x})
x: sqrt({x} * {x} + 1.0)
x: log({x} * {x} + 1.5)
x: sigmoid({x})
x: -{x}
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
m: {v} * {s} + {m}
x: addcmul({x}, {y}, {y}, value=0.5)
x: 1.5 / ({x} * {x} + 1.0)
s: var({m})
m: {m} - {m}.sum(1, keepdim=True)
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
{l}.requires_grad_(False)
{x}.requires_grad_()
{r}.retain_grad()
{r}.detach_()
{l}.grad = None
{l}.grad = {l}.detach().clone()
{x}.register_hook(lambda g: g * 2.0)
{x}.register_hook(lambda g: trace("hook", g))
{l}.register_post_accumulate_grad_hook(lambda p: trace("accumulated", p.grad))
{x}.register_hook(lambda g: stop("a hook failed"))
{r}.register_hook(lambda g: nested(g, {l}))
stop("an error")
"""
PASSES = """
{r}.sum().backward()
{r}.sum().backward(retain_graph=True)
({r} * {r}).sum().backward()
{r}.backward({c}, retain_graph=True)
({r} * {r}).sum().backward(inputs=[{l}])
({r} + {q}).sum().backward()
autograd.backward([{r}.sum(), {q}.sum()])
l: autograd.grad(({r} * {r}).sum(), {l}, create_graph=True, materialize_grads=True)[0]
l: autograd.grad({r}.sum(), {l}, retain_graph=True, materialize_grads=True)[0]
r: autograd.grad(({r} * {r}).sum(), {r}, create_graph=True)[0]
r: autograd.grad({r}, {r}, {c})[0]
({l}.grad * {l}).sum().backward()
"""
ENDS = """
{r}.sum().backward()
({r} * {r}).sum().backward()
{r}.backward({c})
autograd.backward([({r} * {r}).sum(), {q}.sum()])
autograd.grad(({r} * {r}).sum(), {l}, create_graph=True, materialize_grads=True)[0].backward({c})
"""
"""Most programs end with one of these. The simplest is the first, here and in each table."""
DERIVATIVES = """
k: jvp(lambda p: {f}, ({a}.clone(),), ({t},)).detach().clone()
a: vjp(lambda p: {f}, ({a},), {k})[0].detach().clone()
a: vjp(lambda q: vjp(lambda p: {f}, (q,), {k})[0], ({a},), {t})[0].detach().clone()
a: vjp(lambda q: jvp(lambda p: {f}, (q,), ({t},)), ({a}.clone(),), {k})[0].detach().clone()
a: jvp(lambda q: vjp(lambda p: {f}, (q,), {k})[0], ({a}.clone(),), ({t},)).detach().clone()
k: jvp(lambda q: jvp(lambda p: {f}, (q,), ({t},)), ({a}.clone(),), ({t},)).detach().clone()
"""
"""Cut from the history, since PyTorch leaves open what a derivative records for the tape around it, and
copied, since it may share memory with another tensor, and then be a view."""
CUSTOM = """
x: Cube.apply({x})
x: Plus.apply({x}, {y})
x: Again.apply({x})
x: in_modes({x})
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
    "ends": ENDS,
}
WEIGHTS = {
    "operations": 8, "bent": 1, "views": 3, "writes": 3, "flags": 3, "passes": 2, "derivatives": 2,
    "custom": 1,
}  # fmt: skip
"""How often a statement is drawn from each table."""
BLOCKS = {
    "": "",
    "no_grad": "with no_grad():",
    "enable_grad": "with no_grad(), enable_grad():",
    "packed": "with autograd.graph.saved_tensors_hooks(lambda s: s.clone(), lambda p: p):",
    "thread": "with thread():",
    "scaled": "with autograd.graph.saved_tensors_hooks(lambda s: s.detach() * 2.0, lambda p: p):",
}
"""What a statement may stand in; most stand in nothing. Only custom functions stand in `scaled`: what an operation
saves is left open."""
UNRECORDED = frozenset({"passes", "ends", "flags"})
"""Tables of statements that may run in another thread, if their pass has one root and records nothing. What another
thread records has another place in the order in which a pass runs, and this shows where the pass fails; PyTorch leaves
it open."""
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
    "Again": """\
class Again(autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        y = ctx.saved_tensors[0].detach().requires_grad_()
        with enable_grad():
            z = (y * y).sum()
        return g * autograd.grad(z, y)[0]
""",
    "nested": """\
def nested(g, x):
    trace("nested", g)
    if len(traced()) < 9:
        with enable_grad():
            y = (x * x).sum()
        y.backward()
    return g * 2.0
""",
    "in_modes": """\
def in_modes(x):
    with no_grad():
        with enable_grad():
            y = x * 2.0
        with no_grad():
            z = x * 3.0
        z = z + x * 0.5
    return y * x + z
""",
}
"""Custom functions and functions, each written before the program that names it."""
LEFT_OPEN = (
    (r"requires_grad_\(False\)|detach_\(\)", "post_accumulate"),
    (r"register_hook|retain_grad\(\)", ".detach_()"),
    (r"\.requires_grad_\(\)", "create_graph"),
)
"""Pairs of statements after which PyTorch leaves open what is right."""
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
    def records(self) -> bool:
        """Whether the result requires grad if an operand does."""
        return ".detach()" not in self.text and (
            self.table != "passes" or "create_graph" in self.text
        )

    @property
    def composes(self) -> bool:
        """Whether PyTorch differentiates it in two modes at once; these are among its known failures."""
        return "logsumexp" not in self.text and "softmax" not in self.text

    @property
    def needs_pass(self) -> bool:
        """Whether it means something only after a pass."""
        return "grad *" in self.text or ".grad =" in self.text

    def clashes(self, other: Template) -> bool:
        """Whether it is left open what happens after both."""
        texts = self.text + other.text
        return any(
            re.search(one, texts) is not None and another in texts for one, another in LEFT_OPEN
        )

    @property
    def fails(self) -> bool:
        """Whether it only raises, which means something within a block."""
        return self.text.startswith("stop(")

    def written(self, names: dict[str, str]) -> str:
        """The statement with variables in its places."""
        return _PLACE.sub(lambda match: names[match.group(1)], self.text)

    def bare(self) -> Template:
        """The same for an engine without a tape, whose derivatives need not be cut from anything."""
        if self.table != "derivatives":
            return self
        return replace(self, text=re.sub(r"\.detach\(\)|\.clone\(\)", "", self.text))

    @property
    def shown(self) -> str:
        return f"{self.makes}: {self.text}" if self.makes else self.text


def templates() -> Iterator[Template]:
    """Every template of the tables."""
    for table, text in TABLES.items():
        for line in filter(None, map(str.strip, text.splitlines())):
            makes = re.match(r"(\w): ", line)
            yield Template(table, makes.group(1) if makes else "", line[3:] if makes else line)
