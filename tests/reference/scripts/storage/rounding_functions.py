"""round, floor, ceil, trunc, frac, fmod, remainder, floor_divide: signs, halves, gradients."""
import torch

x = torch.tensor([-2.5, -1.5, -0.4, 0.5, 1.5, 2.7], requires_grad=True)
for name in ["round", "floor", "ceil", "trunc", "frac", "fix"]:
    x.grad = None
    y = getattr(torch, name)(x)
    y.sum().backward()
    print(name, y, x.grad)
print(torch.round(torch.tensor([1.2345, -1.235]), decimals=2), torch.round(torch.tensor([15.0, 25.0]), decimals=-1))
print(x.fmod(2), x.remainder(2), x % -2, x // 1, torch.div(x, 2, rounding_mode="floor"), torch.div(x, 2, rounding_mode="trunc"))
for f in [lambda: torch.fmod(x, 2), lambda: x.remainder(1), lambda: torch.div(x, 2, rounding_mode="floor")]:
    x.grad = None
    y = f()
    y.sum().backward()
    print(y.grad_fn.name(), x.grad)
a, b = torch.tensor([7, -7, 7, -7]), torch.tensor([3, 3, -3, -3])
print(a // b, a % b, torch.fmod(a, b), torch.div(a, b, rounding_mode="trunc"), divmod(7, 3))
print(torch.tensor(5) // 2, 5 // torch.tensor(2), 5 % torch.tensor(3), torch.tensor(5.5) % 2, -torch.tensor(5) // 2)
print(x.int(), x.long(), x.sign(), x.sgn(), torch.signbit(x), torch.copysign(x, torch.tensor(-1.0)))
try:
    (x // 1).sum().backward()
except RuntimeError as e:
    print("derivative for" in str(e), "not implemented" in str(e))
