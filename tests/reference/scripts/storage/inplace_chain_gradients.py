"""In-place operations on an intermediate are differentiated like their out-of-place twins."""
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def in_place(x):
    y = x.clone()
    y.mul_(2)
    y.add_(x)
    y.pow_(2)
    y.sub_(1).div_(3)
    y.sin_()
    y.neg_()
    return y


def out_of_place(x):
    return -torch.sin(((x * 2 + x) ** 2 - 1) / 3)


a, b = in_place(x), out_of_place(x)
print(a)
print(b)
(ga,) = torch.autograd.grad(a.sum(), x)
(gb,) = torch.autograd.grad(b.sum(), x)
print(ga)
print(gb, torch.allclose(ga, gb))
y = x.clone()
names = [y.grad_fn.name()]
for op in ["mul_", "add_", "sub_", "div_"]:
    getattr(y, op)(2.0)
    names.append(y.grad_fn.name())
for op in ["exp_", "tanh_", "relu_", "sigmoid_", "abs_", "neg_", "sqrt_", "zero_"]:
    getattr(y, op)()
    names.append(y.grad_fn.name())
print(names)
print(y, y._version)
try:
    y.sum().backward()  # sqrt's result was kept, and zeroed since
except RuntimeError as e:
    print("modified by an inplace operation" in str(e))
