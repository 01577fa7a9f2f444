"""Bitwise, comparison and boolean in-place operators."""

import torch

a = torch.tensor([1, 2, 3, 12])
b = a
a &= 6
print(a)
a |= torch.tensor([1, 0, 0, 1])
print(a)
a ^= 7
print(a)
print(a)
print(a)
a %= 5
print(a)
a //= 2
print(a)
a **= 3
print(a)
a -= 10
print(a, a is b, b._version)
m = torch.tensor([True, False, True])
n = m
m &= torch.tensor([True, True, False])
print(m)
m |= True
print(m)
m ^= torch.tensor([True, False, False])
print(m, m is n)
for f in (
    lambda: a.__itruediv__(2),
    lambda: m.__iadd__(1),
    lambda: m.__imul__(2),
    lambda: a.__iand__(1.5),
    lambda: torch.ones(2).__iand__(1),
    lambda: m.__isub__(m),
    lambda: a.__imatmul__(a) if hasattr(a, "__imatmul__") else "no imatmul",
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
x = torch.ones(2, 2)
y = x
try:
    x @= x
    print(x is y, x)
except Exception as e:
    print(type(e).__name__)
u = torch.tensor([250, 5], dtype=torch.uint8)
u += 10
print(u, u.dtype)
u -= 20
u *= 2
print(u, ~u, -u, u.bitwise_not_(), u.neg_())
i8 = torch.tensor([-128, 127], dtype=torch.int8)
print(
    i8.neg(),
    i8.abs(),
    i8 + 1,
    i8 - 1,
    i8 * 2,
    i8 // -1 if False else i8 // 2,
    i8 % 7,
    i8.sign(),
    i8.sum(),
    i8.prod(),
)
print(a.logical_xor_(torch.tensor([0, 1, 0, 1])), a.dtype, m.logical_not_(), a.eq_(torch.tensor(1)))
print(
    2 ** torch.tensor([0, 3]),
    7 // torch.tensor([2, -2]),
    7 % torch.tensor([2, -2]),
    6 & torch.tensor([3]),
    6 | torch.tensor([1]),
    6 ^ torch.tensor([3]),
)
x = torch.tensor([5.0, -5.0])
x //= 2
print(x)
x %= 2
print(x)
x **= 0.5
print(x)
x /= 0
print(x)
