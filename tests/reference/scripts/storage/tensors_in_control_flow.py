"""Tensors as conditions, loop bounds, dict keys, indices of Python lists."""
import torch

x = torch.tensor([3.0, -1.0, 2.0])
if x.sum() > 0:
    print("positive", bool(x[0] > 0), not x[1] > 0)
while x.norm() > 1:
    x = x / 2
print(x)
for i in range(torch.tensor(2)):
    print(i)
names = ["a", "b", "c"]
print(names[torch.tensor(1)], names[x.argmax()], [names[i] for i in torch.tensor([2, 0])])
print(int(torch.tensor(3.7)), float(torch.tensor(2)), round(torch.tensor(2.567).item(), 1), f"{torch.tensor(1.5):.2f}", f"{x[0]:>8.3f}")
try:
    if x > 0:
        print("never")
except RuntimeError as e:
    print("ambiguous" in str(e))
print(all(t > -5 for t in x), any(t > 100 for t in x), sum(x), max(x), min(x), sorted(x.tolist()))
d = {torch.tensor(1): "one"}
print(torch.tensor(1) in d, len(d), torch.tensor(1) in [torch.tensor(1)])
print([1, 2, 3] * torch.tensor(2) if False else torch.tensor(2) * torch.tensor([1, 2, 3]), torch.tensor([1, 2]) * 2.5, 3 - x)
print(torch.tensor(True) and "yes", torch.tensor(0) or "no", isinstance(x, torch.Tensor), torch.is_tensor(x), type(x).__name__)
acc = 0
for v in x:
    acc += v
print(acc, type(acc).__name__)
print(list(range(5))[torch.tensor(1) : torch.tensor(3)], "abc"[torch.tensor(-1)])
print(torch.Size([2, 3]) + (4,), torch.Size([2, 3]).numel(), x.shape == (3,), x.size() == torch.Size([3]), len(x.shape))
