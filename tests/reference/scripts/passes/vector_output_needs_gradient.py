"""backward on a vector needs a gradient argument; what each choice of it means."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * x
try:
    y.backward()
except RuntimeError as e:
    print(type(e).__name__, "grad can be implicitly created only for scalar outputs" in str(e))

y.backward(torch.ones_like(y), retain_graph=True)
print(x.grad)
x.grad = None
y.backward(gradient=torch.tensor([1.0, 0.0, 0.0]), retain_graph=True)
print(x.grad)
x.grad = None
y.backward(torch.tensor([0.1, 1.0, 0.0001]))
print(x.grad)

# the gradient is not broadcast
y = x * 2
for bad in (torch.ones(1), torch.ones(3, 1), torch.tensor(1.0), torch.ones(2)):
    try:
        y.backward(bad, retain_graph=True)
        print("fine", bad.shape)
    except RuntimeError as e:
        print(type(e).__name__, "Mismatch in shape" in str(e), tuple(bad.shape))
try:
    y.backward([1.0, 1.0, 1.0])
except Exception as e:
    print(type(e).__name__)
try:
    y.backward(1.0)
except Exception as e:
    print(type(e).__name__)
