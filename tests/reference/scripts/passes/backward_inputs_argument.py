"""backward(inputs=...) accumulates into these tensors only."""

import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = a * b
d = c * a

d.backward(inputs=[a], retain_graph=True)
print(a.grad, b.grad)
d.backward(inputs=b, retain_graph=True)
print(a.grad, b.grad)
d.backward(inputs=(a, b), retain_graph=True)
print(a.grad, b.grad)

# a non-leaf can be asked for too
d.backward(inputs=[c], retain_graph=True)
print(c.grad, c.is_leaf, a.grad, b.grad)
try:
    d.backward(inputs=[])
except RuntimeError as e:
    print(type(e).__name__, "cannot be empty" in str(e))

# an input the result does not depend on stays without gradient
e = torch.tensor(1.0, requires_grad=True)
d.backward(inputs=[e], retain_graph=True)
print(e.grad)
f = torch.tensor(1.0)
try:
    d.backward(inputs=[f])
except RuntimeError as e:
    print(type(e).__name__)
