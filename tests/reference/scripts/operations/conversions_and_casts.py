"""Casting between dtypes: truncation, wrapping, bools, gradients through casts, copies or not."""

import torch

x = torch.tensor([-1.7, -0.5, 0.0, 0.5, 1.7, 255.9, 300.0])
print(
    x.int(),
    x.long(),
    x.short(),
    x.bool(),
    x.to(torch.int8)[:5],
    x.half(),
    x.bfloat16(),
    x.double(),
    x.to(torch.complex64),
)
print(
    torch.tensor([0, 1, 2, -1]).bool(),
    torch.tensor([True, False]).int(),
    torch.tensor([True, False]).float(),
    torch.tensor([300, -1, 128]).to(torch.uint8),
    torch.tensor([300, -129]).to(torch.int8),
    torch.tensor([2**31]).int(),
    torch.tensor([1.5]).to(torch.bool),
    torch.tensor([float("nan")]).bool(),
)
p = torch.tensor([1.5, 2.5], requires_grad=True)
for f in [
    lambda: p.double(),
    lambda: p.half(),
    lambda: p.to(torch.float64),
    lambda: p.type(torch.float64),
    lambda: p.type_as(torch.ones((), dtype=torch.float64)),
    lambda: p.to(torch.complex64),
    lambda: p.bfloat16().float(),
    lambda: p.to(p),
    lambda: p.float(),
    lambda: p.to("cpu"),
    lambda: p.to(torch.float32, copy=True),
    lambda: p.long(),
    lambda: p.to(dtype=torch.float16),
    lambda: p.to(torch.ones(1, dtype=torch.int32)),
    lambda: p + torch.ones(2, dtype=torch.float64),
    lambda: p * 2.0,
    lambda: p * torch.tensor(2.0, dtype=torch.float64),
]:
    y = f()
    print(y.dtype, y.requires_grad, y is p, y.grad_fn.name() if y.grad_fn else None)
    if y.requires_grad and y.is_floating_point() and y is not p:
        p.grad = None
        y.sum().backward()
        print("  ", p.grad)
print(
    torch.tensor(3.7).item(),
    int(torch.tensor(3.7)),
    float(torch.tensor(2)),
    bool(torch.tensor(0.0)),
    torch.tensor(True).item(),
    complex(torch.tensor(1.5)),
    torch.tensor([1]).item(),
    torch.tensor(2).float() / 3,
)
print(
    torch.result_type(p, 1),
    torch.result_type(torch.tensor([1]), 1.5),
    torch.promote_types(torch.int32, torch.float16),
    torch.can_cast(torch.double, torch.float),
    torch.can_cast(torch.float, torch.int),
    torch.is_floating_point(p),
    p.is_floating_point(),
    torch.float32.is_floating_point,
    torch.int8.itemsize,
    torch.complex64.is_complex,
    torch.float16.is_signed,
    torch.uint8.is_signed,
    torch.float64.to_real() if hasattr(torch.float64, "to_real") else "",
    torch.half is torch.float16,
    torch.long is torch.int64,
    torch.double is torch.float64,
)
print(
    torch.zeros(2).type(),
    torch.zeros(2, dtype=torch.int64).type(),
    torch.zeros(2).type(torch.IntTensor).dtype,
    torch.zeros(2).type("torch.DoubleTensor").dtype,
)
for bad in [
    lambda: torch.tensor([1.5]).to("int"),
    lambda: torch.tensor([1.0]).type("abc"),
    lambda: torch.tensor([1.5]).view(torch.int64),
    lambda: torch.tensor([1, 2]).requires_grad_(),
    lambda: p.long().backward(),
    lambda: p.int().float().sum().backward(),
    lambda: int(p),
    lambda: float(torch.tensor([1, 2])),
    lambda: torch.ones(2, dtype=float).dtype,
    lambda: torch.ones(2, dtype=int).dtype,
    lambda: torch.ones(2, dtype=bool).dtype,
    lambda: torch.ones(2, dtype=complex).dtype,
    lambda: torch.ones(2, dtype=str),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
