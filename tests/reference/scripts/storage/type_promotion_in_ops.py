"""Result dtypes of operations between tensors and numbers of several kinds."""
import torch

i, f, d, b, h, c = (torch.ones(2, dtype=t) for t in (torch.int64, torch.float32, torch.float64, torch.bool, torch.float16, torch.complex64))
u = torch.ones(2, dtype=torch.uint8)
s = torch.tensor(1.0, dtype=torch.float64)
n = torch.tensor(1)
for label, r in {
    "i+f": i + f, "i+1.0": i + 1.0, "f+d": f + d, "f+s": f + s, "i+s": i + s, "b+b": b + b, "b+1": b + 1, "b*1.5": b * 1.5, "h+f": h + f, "h+1": h + 1,
    "h*s": h * s, "c+d": c + d, "f+1j": f + 1j, "u+i": u + i, "u-n": u - n, "i/i": i / i, "i//2": i // 2, "b/b": b / b, "i**2": i**2, "i**0.5": i**0.5,
    "sum b": b.sum(), "sum u": u.sum(), "sum h": h.sum(), "prod b": b.prod(), "mean f": f.mean(), "sqrt i": i.sqrt(), "sin b": b.sin(), "exp u": u.exp(),
    "where": torch.where(b, f, d), "where n": torch.where(b, 1, 0), "where m": torch.where(b, 1.0, i), "cat": torch.cat([i, f]), "stack": torch.stack([h, f]),
    "maximum": torch.maximum(i, f), "clamp": i.clamp(min=0.5), "lerp": torch.lerp(f, f, 0.5), "addcmul": torch.addcmul(f, f, f), "atan2": torch.atan2(i, i),
    "cumsum b": b.cumsum(0), "argmax": f.argmax(), "eq": f == i, "abs c": c.abs(), "round": f.round(), "n+f": n + f, "f*True": f * True, "i+True": i + True,
    "floor_divide": torch.floor_divide(f, 2), "remainder": i % 2.5, "pow s": f**s, "full": torch.full((2,), 3), "full b": torch.full((2,), True), "arange": torch.arange(3.0),
}.items():
    print(label, r.dtype, tuple(r.shape))
print(torch.result_type(i, 1.0), torch.result_type(f, s), torch.promote_types(torch.int32, torch.float16), torch.can_cast(torch.float32, torch.int64))
w = f.clone().requires_grad_()
(w * d).sum().backward()
print(w.grad.dtype)
w.grad = None
(w.half() * 2).sum().backward()
print(w.grad, w.grad.dtype)
try:
    f @ d
except RuntimeError as e:
    print(type(e).__name__)
