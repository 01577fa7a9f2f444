"""An output buffer filled row by row, with gradients, as people do instead of stack."""
import torch

w = torch.tensor([2.0, 3.0], requires_grad=True)
out = torch.zeros(4, 2)
state = torch.ones(2)
for i in range(4):
    state = state * w
    out[i] = state
print(out)
print(out.grad_fn)
out.sum().backward()
print(w.grad)

w.grad = None
stacked = []
state = torch.ones(2)
for i in range(4):
    state = state * w
    stacked.append(state)
torch.stack(stacked).sum().backward()
print(w.grad)

w.grad = None
buf = torch.empty(3, 2)
for i in range(3):
    buf[i, 0] = w[0] ** i
    buf[i, 1] = buf[i, 0].clone() * w[1]
print(buf.detach())
buf.sum().backward()
print(w.grad)

w.grad = None
y = torch.zeros(5)
y[0] = w[0]
for i in range(1, 5):
    y[i] = y[i - 1].clone() + w[1]
y.sum().backward()
print(y, w.grad)

y = torch.zeros(3)
y[0] = w[0]
for i in range(1, 3):
    y[i] = y[i - 1] * w[1]
try:
    y.sum().backward()
    print("fine")
except RuntimeError as e:
    print("inplace operation" in str(e))
