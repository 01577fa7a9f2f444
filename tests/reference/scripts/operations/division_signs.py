"""The four divisions and the two remainders on every sign."""

import torch

a = torch.tensor([7, -7, 7, -7])
b = torch.tensor([2, 2, -2, -2])
print(a / b, (a / b).dtype)
print(a // b, a % b, torch.fmod(a, b), torch.remainder(a, b))
print(torch.div(a, b, rounding_mode="trunc"), torch.div(a, b, rounding_mode="floor"))
print(torch.floor_divide(a, b), torch.true_divide(a, b), torch.divide(a, 2, rounding_mode="floor"))
f = a.double()
g = b.double()
print(f // g, f % g, torch.fmod(f, g), f.div(g, rounding_mode="trunc"))
z = torch.tensor([1.0, -1.0, 0.0])
print(z / 0, z // 0, z % 0, torch.fmod(z, 0))
for op in [
    lambda: a // 0,
    lambda: a % 0,
    lambda: torch.div(a, 0, rounding_mode="trunc"),
    lambda: torch.div(f, g, rounding_mode="ceil"),
]:
    try:
        print(op())
    except Exception as error:
        print(type(error).__name__)
print(9 % torch.tensor([4.0, -4.0]), 9 // torch.tensor([4, 5]), 9 / torch.tensor([4, 5]))
x = torch.tensor([5.5, -5.5], requires_grad=True)
y = torch.tensor([2.0, 2.0], requires_grad=True)
r = x % y
print(r, r.grad_fn.name())
r.backward(torch.ones(2))
print(x.grad, y.grad)
x.grad = y.grad = None
torch.fmod(x, y).sum().backward()
print(x.grad, y.grad)
q = torch.div(x, y, rounding_mode="floor")
print(q, q.requires_grad)
x.grad = y.grad = None
q.sum().backward()
print(x.grad, y.grad)
h = x // y
print(h, h.requires_grad, h.grad_fn)
try:
    h.sum().backward()
    print("ok")
except RuntimeError as error:
    print(type(error).__name__)
try:
    divmod(torch.tensor(7), 2)
except TypeError as error:
    print(type(error).__name__)
