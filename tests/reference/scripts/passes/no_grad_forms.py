"""no_grad as context, decorator with and without brackets, on methods and lambdas."""
import torch

x = torch.ones(2, requires_grad=True)
with torch.no_grad() as entered:
    y = x * 2
print(entered, y.requires_grad, y.grad_fn, torch.is_grad_enabled())


@torch.no_grad()
def f(x):
    """Doc of f."""
    return x * 2, torch.is_grad_enabled()


@torch.no_grad
def g(x):
    return x * 3, torch.is_grad_enabled()


@torch.enable_grad()
def h(x):
    return x * 4, torch.is_grad_enabled()


class A:
    @torch.no_grad()
    def m(self, x):
        return x * 5

    @staticmethod
    @torch.no_grad()
    def s(x):
        return x * 6

    @classmethod
    @torch.no_grad()
    def c(cls, x):
        return x * 7


print(f(x), f.__name__, f.__doc__)
print(g(x), g.__name__)
with torch.no_grad():
    print(h(x), torch.is_grad_enabled())
print(A().m(x), A.s(x), A.c(x))
print(torch.no_grad()(lambda x: x * 8)(x))
mode = torch.no_grad()
with mode:
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
with mode:  # again, one after the other
    print(torch.is_grad_enabled())
with torch.no_grad():
    w = torch.ones(2, requires_grad=True)
    p = torch.nn.Parameter(torch.ones(1))
    v = w.view(2, 1)
    print(w.requires_grad, p.requires_grad, v.requires_grad, v.is_leaf, v._is_view(), v._base is w)
print((w * 2).requires_grad, type(mode).__name__, torch.no_grad.__name__, isinstance(mode, torch.no_grad))
