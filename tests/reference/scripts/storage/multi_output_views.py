"""split, chunk and unbind give views that must not be written to under autograd."""
import torch

x = torch.arange(6.0, requires_grad=True)
y = x * 2
for name, parts in {
    "split": y.split(2),
    "split sizes": y.split([1, 2, 3]),
    "chunk": y.chunk(4),
    "unbind": y.view(2, 3).unbind(),
    "tensor_split": y.tensor_split(4),
    "tensor_split at": torch.tensor_split(y, (1, 4)),
    "hsplit": torch.hsplit(y, 3),
}.items():
    print(name, type(parts).__name__, [p.tolist() for p in parts])
    print([p.grad_fn.name() for p in parts], [p.output_nr for p in parts])
    print(all(p._base is y for p in parts), [p.storage_offset() for p in parts])
    try:
        parts[0].mul_(2)
        print("written")
    except RuntimeError as e:
        print("output of a function that returns multiple views" in str(e))
y = x * 2
with torch.no_grad():
    y.chunk(2)[0].zero_()
print(y)
z = torch.zeros(6)
z.chunk(3)[1].add_(5)
print(z)
y = x * 2
a, b, c = y.split(2)
(a.prod() + c.sum()).backward()
print(x.grad)
a, b = torch.zeros(2, 3).unbind(0)
a += 1
print(a, b)
for row in y.view(3, 2):
    print(row, row.grad_fn.name())
