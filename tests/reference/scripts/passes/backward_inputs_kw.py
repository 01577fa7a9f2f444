"""Backward into chosen inputs only."""
import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b
d = c.exp()
d.sum().backward(inputs=[a], retain_graph=True)
print(a.grad, b.grad)
d.sum().backward(inputs=(b,), retain_graph=True)
print(a.grad, b.grad)
d.sum().backward(inputs=c, retain_graph=True)
print(c.grad, c.retains_grad, c.is_leaf)
d.backward(torch.tensor([1.0, 0.0]), inputs=[a, c], retain_graph=True)
print(a.grad, c.grad)
for bad in ([], [torch.ones(2)], [None], ["a"], 3):
    try:
        d.sum().backward(inputs=bad, retain_graph=True)
        print("fine")
    except Exception as e:
        print(type(e).__name__)
unrelated = torch.ones(2, requires_grad=True)
d.sum().backward(inputs=[unrelated], retain_graph=True)
print(unrelated.grad)
torch.autograd.backward(d.sum(), inputs=[b], retain_graph=True)
print(b.grad)
torch.autograd.backward([d.sum(), c.sum()], inputs=[a, b])
print(a.grad, b.grad)
try:
    c.sum().backward()
except RuntimeError as e:
    print(type(e).__name__, "second time" in str(e))
