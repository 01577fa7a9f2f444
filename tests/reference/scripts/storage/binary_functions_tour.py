"""Every common function of two tensors: value and both derivatives."""
import torch

names = ["add", "sub", "mul", "div", "pow", "maximum", "minimum", "fmax", "fmin", "atan2", "hypot",
         "logaddexp", "logaddexp2", "xlogy", "copysign", "fmod", "remainder", "ldexp", "true_divide",
         "subtract", "multiply", "divide", "arctan2", "float_power", "dist"]
for name in names:
    a = torch.tensor([1.5, 0.5, 2.0], requires_grad=True)
    b = torch.tensor([0.5, 1.5, 2.0], requires_grad=True)
    y = getattr(torch, name)(a, b)
    y.sum().backward()
    print(name, y, a.grad, b.grad)
a = torch.tensor([7.0, -7.0, 7.5])
b = torch.tensor([2.0, 2.0, -2.0])
print(a // b, a % b, torch.fmod(a, b), torch.div(a, b, rounding_mode="trunc"))
print(torch.div(a, b, rounding_mode="floor"), torch.floor_divide(a, b))
i, j = torch.tensor([7, -7]), torch.tensor([2, 2])
print(i // j, i % j, torch.fmod(i, j), i / j, torch.div(i, j, rounding_mode="trunc"))
print(torch.eq(a, b), torch.ne(a, 7.0), a.lt(b), a.ge(b), torch.greater(a, b))
print(torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor(0.5)))
print(torch.nextafter(torch.tensor(1.0), torch.tensor(2.0)) > 1)
print(torch.isclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.1]), atol=0.01))
print(torch.cross(torch.tensor([1.0, 0, 0]), torch.tensor([0.0, 1, 0]), dim=0))
try:
    torch.div(a, b, rounding_mode="up")
except RuntimeError as e:
    print(type(e).__name__)
