"""Integer and boolean arithmetic, as Python and as C do it."""
import torch

a = torch.tensor([7, -7, 7, -7])
b = torch.tensor([2, 2, -2, -2])
print(a / b, a // b, a % b, torch.div(a, b, rounding_mode="trunc"), torch.div(a, b, rounding_mode="floor"), torch.fmod(a, b), torch.remainder(a, b), torch.floor_divide(a, b))
print(a // 2.0, a % 2.5, 7 // b, 7 % b, 7 / b, a ** 2, 2 ** b.abs(), a * b, a - b, -a, abs(a), +a)
print(a & b, a | b, a ^ b, ~a, a & 1, 1 | a)
f = torch.tensor([7.5, -7.5])
print(f // 2, f % 2, f % -2, torch.div(f, 2, rounding_mode="trunc"), f.fmod(2), divmod(7.5, 2), f.trunc(), f.frac(), f.round(), f.floor(), f.ceil())
for g in (lambda: a // 0, lambda: a % 0, lambda: a / 0, lambda: f // 0, lambda: f / 0, lambda: f % 0, lambda: torch.tensor([True]) / True, lambda: torch.tensor([True]) // 1, lambda: a ** -1, lambda: torch.tensor([True]) - True, lambda: torch.tensor([True]) ** 2, lambda: -torch.tensor([True]), lambda: f & 1, lambda: torch.div(a, b, rounding_mode="nope")):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
u = torch.tensor([250, 5], dtype=torch.uint8)
print(u + 10, u - 10, u * 2, -u, u / 2, u // 2, u + 300, (u + 300).dtype, u.sum(), u.float() - 300)
i8 = torch.tensor([100, -100], dtype=torch.int8)
print(i8 + i8, i8 * 2, i8 + 100, i8.abs(), i8 + u, (i8 + u).dtype, i8.to(torch.int16) * 2, i8.cumsum(0), i8.prod())
t = torch.tensor([True, False, True])
print(t + 1, t + t, t * t, t.sum(), t.float().mean(), t & False, t | True, t ^ t, ~t, t.any(), t.all(), t.cumsum(0), t.max(), t.argmax() if False else "", t.int() - 1, t.logical_not(), t.prod())
print(a.clamp(-1, 3), a.clamp(min=0), a.sign(), torch.maximum(a, b), a.max(), a.min(dim=0), a.sum(dtype=torch.float32), a.float().mean(), a.prod(), a.unique())
x = torch.tensor([1, 2, 3])
x += 1
x *= 2
x -= torch.tensor([1, 1, 1])
x //= 2
print(x)
x **= 2
print(x, x.dtype)
x %= 3
x |= 1
print(x)
for op in ("/=", "+= 0.5", "*= 1.5"):
    try:
        exec(f"x {op}" + (" 2" if op == "/=" else ""))
        print(op, x)
    except Exception as e:
        print(op, type(e).__name__)
