"""backward(create_graph=True) warns once about the cycle it makes."""
import warnings
import torch

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    x = torch.tensor([2.0], requires_grad=True)
    y = x ** 3
    y.backward(create_graph=True)
print([(w.category.__name__, "create_graph" in str(w.message)) for w in seen])
print(x.grad, x.grad.requires_grad, x.grad.grad_fn)
first = x.grad
x.grad = None
first.backward()
print(x.grad, x.grad.requires_grad)
x.grad.zero_()
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    z = (x ** 2).sum()
    z.backward(create_graph=True)
    kept = x.grad
    z2 = (x ** 4).sum()
    z2.backward(create_graph=True)
print(len(seen), kept, x.grad, kept is x.grad)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    torch.autograd.grad((x ** 2).sum(), x, create_graph=True)
    y = (x * 5).sum()
    y.backward(create_graph=False)
print(len(seen), x.grad)
x.grad = None
y = (x ** 3).sum()
y.backward(create_graph=True, retain_graph=False)
try:
    y.backward()
except RuntimeError as e:
    print(type(e).__name__)
print(x.grad)
