"""What can stand on the right of an index assignment: numbers, lists no, shapes that broadcast."""
import torch

x = torch.zeros(2, 3)
x[0] = 1
x[1] = torch.tensor([1.0, 2.0, 3.0])
print(x)
x[:, 1:] = torch.tensor([[7.0], [8.0]])
print(x)
x[0] = torch.tensor([[9.0, 9.0, 9.0]])
print(x)
x[x > 8] = -1.0
print(x)
x[torch.tensor([[True, True, False], [False, False, True]])] = torch.tensor([1.0, 2.0, 3.0])
print(x)
i = torch.zeros(3, dtype=torch.int64)
i[0] = 3.9
i[1] = True
i[2] = torch.tensor(2.7)
print(i)
f = torch.zeros(2)
f[0] = torch.tensor(3, dtype=torch.int32)
f[1] = torch.tensor([4])
print(f)
b = torch.zeros(3, dtype=torch.bool)
b[0] = 5
b[1] = 0.0
print(b)
c = torch.zeros(2, dtype=torch.complex64)
c[0] = 1 + 2j
c[1] = 3
print(c)
for label, index, value in [
    ("shape", slice(None), torch.zeros(2, 4)),
    ("long", 0, torch.zeros(4)),
    ("many", (0, 0), torch.zeros(2)),
    ("index", 5, 1.0),
    ("too many", (0, 0, 0), 1.0),
    ("float index", 1.5, 1.0),
    ("mask shape", torch.tensor([True, False, True]), 0.0),
    ("complex", 0, 1j),
]:
    try:
        x[index] = value
        print(label, "ok")
    except Exception as e:
        print(label, type(e).__name__)
print(x)
