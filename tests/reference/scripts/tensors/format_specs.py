"""format() of tensors."""
import torch

a = torch.tensor(3.14159265)
print(f"{a:.3f} {a:8.2f} {a:e} {a:g} {a!r} {a!s} {a}")
print("%.3f" % a, "%d" % torch.tensor(7), "%s" % a, "%5.1f|" % a.item())
print("{:.2f}".format(a), format(a, ".1f"), format(a), format(a, ""))
i = torch.tensor(42)
print(f"{i:d} {i:5d} {i:05d} {i:x} {i:,} {i}")
b = torch.tensor(True)
print(f"{b}", f"{b:d}", f"{b!r}")
r = torch.tensor(2.5, requires_grad=True)
print(f"{r:.2f}", f"{r}", f"{r!r}", f"{(r * 2):.1f}", f"{r * 2}")
z = torch.tensor(1 + 2j)
print(f"{z}", f"{z:.1f}")
h = torch.tensor(0.1, dtype=torch.float16)
print(f"{h}", f"{h:.4f}", f"{torch.tensor(0.1, dtype=torch.float64)}", f"{torch.tensor(0.1)}")
v = torch.tensor([1.0, 2.0])
print(f"{v}")
for g in (lambda: f"{v:.2f}", lambda: f"{torch.tensor([1.0]):.2f}", lambda: "%d" % v, lambda: f"{i:.2f}", lambda: "%.2f" % torch.tensor([2.5])):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
print(str(torch.float32), repr(torch.int64), f"{torch.bool}", torch.device("cpu"), repr(torch.device("cpu")), torch.Size([2, 3]), repr(torch.Size([])), torch.strided, torch.contiguous_format)
