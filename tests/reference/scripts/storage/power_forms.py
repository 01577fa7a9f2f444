"""pow with numbers and tensors on either side, its gradients at zero, and refusals."""
import torch

x = torch.tensor([0.0, 1.0, 2.0, 4.0], requires_grad=True)
for name, f in {
    "x**2": lambda: x**2, "x**0": lambda: x**0, "x**1": lambda: x**1, "x**3": lambda: x**3, "2**x": lambda: 2**x, "x**x": lambda: x[1:] ** x[1:],
    "pow": lambda: torch.pow(x, 2.5), "square": lambda: x.square(), "sqrt": lambda: x[1:].sqrt(), "x**0.5": lambda: x[1:] ** 0.5,
    "tensor exp": lambda: x ** torch.tensor(2.0), "int tensor": lambda: x ** torch.tensor([0, 1, 2, 3]), "float_power": lambda: x.float_power(2),
    "base 0": lambda: 0**x, "x**-1": lambda: x[1:] ** -1, "exp2": lambda: torch.exp2(x), "pow scalar base": lambda: torch.pow(3, x),
}.items():
    x.grad = None
    y = f()
    y.sum().backward()
    print(name, y, x.grad, y.grad_fn.name())
i = torch.tensor([2, 3])
print(i**2, i**2.0, 2**i, i ** torch.tensor([3, 0]), i.pow(2).dtype, (i**0.5).dtype, i.float_power(2).dtype)
for bad in [lambda: i**-1, lambda: torch.pow(2, 3), lambda: x ** "a"]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
print(torch.tensor([-8.0]) ** (1 / 3), torch.tensor([-2.0]) ** 2, (-torch.tensor(2.0)) ** 3, pow(torch.tensor(2.0), 3))
