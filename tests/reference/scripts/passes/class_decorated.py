"""Grad modes decorating classes warn, and how subclasses and instances behave."""
import warnings
import torch

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")

    @torch.no_grad()
    class A:
        def __init__(self):
            self.at_init = torch.is_grad_enabled()

        def f(self):
            return torch.is_grad_enabled()

print([w.category.__name__ for w in seen])
try:
    a = A()
    print(a.at_init, a.f())
except Exception as e:
    print(type(e).__name__)
print(isinstance(A, type))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(2, 1)

    @torch.no_grad()
    def forward(self, x):
        return self.lin(x)

    @torch.inference_mode()
    def predict(self, x):
        return self.lin(x)


net = Net()
out = net(torch.ones(1, 2))
print(out.requires_grad, out.shape, net.predict(torch.ones(2)).is_inference())


class my_mode(torch.no_grad):
    def __enter__(self):
        print("enter")
        return super().__enter__()

    def __exit__(self, *exc):
        print("exit", exc[0])
        return super().__exit__(*exc)


with my_mode():
    print(torch.is_grad_enabled())


@my_mode()
def f():
    return torch.is_grad_enabled()


print(f(), torch.is_grad_enabled())
