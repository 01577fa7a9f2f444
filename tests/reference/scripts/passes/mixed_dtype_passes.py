"""Gradients across casts and promotion."""
import torch

f32 = torch.tensor([1.0, 2.0], requires_grad=True)
f64 = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
h = torch.tensor([1.0, 3.0], dtype=torch.float16, requires_grad=True)
bf = torch.tensor([1.0, 3.0], dtype=torch.bfloat16, requires_grad=True)
i = torch.tensor([1, 2])
for name, y in {"32*64": f32 * f64, "h*32": h * f32, "h*bf": h * bf, "32*int": f32 * i, "bf+1.5": bf + 1.5, "h/int": h / i,
                "64**32": f64 ** f32, "bool": f32 * (f32 > 1), "to": f32.to(torch.float64) * f64, "half": f32.half() * 3,
                "bf to": f32.bfloat16().float(), "type": f32.type(torch.float16), "type_as": f32.type_as(f64), "cdouble": f32 * 1j,
                "sum dtype": f32.sum(dtype=torch.float64), "mean dtype": h.mean(dtype=torch.float32), "cumsum": h.cumsum(0, dtype=torch.float64),
                "softmax": h.softmax(0, dtype=torch.float32)[0], "prod": bf.prod(dtype=torch.float64), "where": torch.where(i > 1, f32, f64),
                "cat": torch.cat([f32, f64, h]), "stack": torch.stack([h, bf]), "int()": f32.int()}.items():
    print(name, y, y.dtype, y.grad_fn)
    if y.requires_grad:
        leaves = [f32, f64, h, bf]
        gs = torch.autograd.grad(y, leaves, torch.ones_like(y), allow_unused=True)
        print("   ", [None if g is None else (g.tolist(), g.dtype) for g in gs])
for a, b in ((torch.ones(2, 2), torch.ones(2, 2).double()), (torch.ones(2), torch.ones(2).half())):
    try:
        print(a.requires_grad_() @ b)
    except RuntimeError as e:
        print(type(e).__name__)
acc = torch.zeros(2, dtype=torch.float64)
acc += f32
print(acc, acc.grad_fn)
acc.sum().backward()
print(f32.grad)
try:
    torch.zeros(2, dtype=torch.int64).add_(f32)
except RuntimeError as e:
    print(type(e).__name__)
lo = torch.zeros(2)
lo += f64
print(lo, lo.dtype)
lo.sum().backward()
print(f64.grad)
