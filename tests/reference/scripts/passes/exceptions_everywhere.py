"""Errors raised in forward, backward, hooks and jvp keep their type and leave modes alone."""

import torch
from torch.autograd import Function


class Custom(Exception):
    pass


class F1(Function):
    @staticmethod
    def forward(ctx, x, where):
        if where == "forward":
            raise Custom("forward")
        ctx.where = where
        return x * 2

    @staticmethod
    def backward(ctx, g):
        if ctx.where == "backward":
            raise Custom("backward")
        return g * 2, None


x = torch.ones(1, requires_grad=True)
for where in ("forward", "backward", "nowhere"):
    try:
        F1.apply(x, where).backward()
        print("fine", x.grad)
    except Custom as e:
        print(type(e).__name__, e, torch.is_grad_enabled())


def raise_(e):
    raise e


for label, register in [
    ("tensor", lambda y: y.register_hook(lambda g: raise_(KeyError("k")))),
    ("node", lambda y: y.grad_fn.register_hook(lambda a, b: raise_(IndexError("i")))),
    ("pre", lambda y: y.grad_fn.register_prehook(lambda b: raise_(ZeroDivisionError("z")))),
]:
    y = x * 3
    register(y)
    try:
        y.backward()
    except Exception as e:
        print(label, type(e).__name__)
p = torch.ones(1, requires_grad=True)
p.register_post_accumulate_grad_hook(lambda t: raise_(AttributeError("a")))
try:
    (p * 2).backward()
except AttributeError as e:
    print(type(e).__name__, p.grad)
y = x * 3
try:
    with torch.no_grad():
        F1.apply(x, "forward")
except Custom:
    print(torch.is_grad_enabled(), (x * 2).requires_grad)
try:
    torch.autograd.grad(F1.apply(x, "backward"), x)
except Custom:
    (y * 2).backward()
    print(x.grad)
