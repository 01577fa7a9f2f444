"""Loops that accumulate in place and out of place; which backward works."""

import torch


def trial(name, f):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    try:
        out = f(x)
        out.sum().backward()
        print(name, out.tolist(), x.grad.tolist(), out.grad_fn)
    except RuntimeError as e:
        print(name, "RuntimeError")


def inplace_add(x):
    s = torch.zeros(2)
    for i in range(3):
        s += x * i
    return s


def inplace_mul(x):
    s = torch.ones(2)
    for i in range(3):
        s *= x
    return s


def out_mul(x):
    s = torch.ones(2)
    for i in range(3):
        s = s * x
    return s


def mul_twice(x):
    s = x.clone()
    s *= s
    return s


def mul_self_then(x):
    s = x.clone()
    t = s * s
    s += 1
    return t


def pow_in(x):
    s = x.clone()
    s **= 2
    s **= 0.5
    return s


def exp_chain(x):
    s = x.clone()
    s.exp_()
    s.log_()
    return s


def exp_then_write(x):
    s = x.exp()
    s += 1
    return s


def list_then_stack(x):
    hist = torch.zeros(3, 2)
    s = x
    for i in range(3):
        s = s * 0.5
        hist[i] = s
    return hist


def write_read(x):
    hist = torch.zeros(3, 2)
    hist[0] = x
    for i in range(1, 3):
        hist[i] = hist[i - 1] * x
    return hist


def write_read_clone(x):
    hist = torch.zeros(3, 2)
    hist[0] = x
    for i in range(1, 3):
        hist[i] = hist[i - 1].clone() * x
    return hist


def write_read_add(x):
    hist = torch.zeros(3, 2)
    hist[0] = x
    for i in range(1, 3):
        hist[i] = hist[i - 1] + x
    return hist


def grow(x):
    out = torch.empty(0)
    for i in range(3):
        out = torch.cat([out, x * i])
    return out


def detach_each(x):
    s = torch.zeros(2)
    for i in range(3):
        s = s.detach()
        s += x
    return s


for f in (
    inplace_add,
    inplace_mul,
    out_mul,
    mul_twice,
    mul_self_then,
    pow_in,
    exp_chain,
    exp_then_write,
    list_then_stack,
    write_read,
    write_read_clone,
    write_read_add,
    grow,
    detach_each,
):
    trial(f.__name__, f)
