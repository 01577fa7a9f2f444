"""0-d tensors, Python numbers and NumPy numbers in arithmetic."""
import numpy as np
import torch

f32, f64, i64 = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0], dtype=torch.float64), torch.tensor([1, 2])
s64, si, sb, sc = torch.tensor(0.5, dtype=torch.float64), torch.tensor(3), torch.tensor(True), torch.tensor(1j)
for name, r in {
    "f32 * s64": f32 * s64, "s64 * f32": s64 * f32, "i64 * s64": i64 * s64, "f32 * si": f32 * si, "i64 * sb": i64 * sb, "f32 * sc": f32 * sc, "f64 * sc": f64 * sc, "i64 * sc": i64 * sc,
    "s64 * si": s64 * si, "si * sb": si * sb, "si / si": si / si, "sb + sb": sb + sb, "f32[0] * f64": f32[0] * f64, "f32[:1] * s64": f32[:1] * s64, "f32.half() * f32[0]": f32.half() * f32[0], "f32.half() + 1e-8": f32.half() + 1e-8, "half s * f32": torch.tensor(2.0, dtype=torch.float16) * f32,
    "np64 * f32": np.float64(0.5) * f32, "f32 * np64": f32 * np.float64(0.5), "f32 * np int": f32 * np.int64(2), "i64 * np32": i64 * np.float32(1.5), "i64 + np int8": i64 + np.int8(1), "f32 ** np": f32 ** np.float64(2), "i64 * True": i64 * True, "sb * 2.5": sb * 2.5, "uint8 + 300": torch.tensor([1], dtype=torch.uint8) + 300, "int8 * 2.0": torch.tensor([1], dtype=torch.int8) * 2.0,
}.items():
    print(f"{name:20} {r} {r.dtype}")
a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
c = a * b
print(c, c.dtype)
c.backward()
print(a.grad, b.grad, b.grad.dtype)
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * torch.tensor([3, 4]) + True - np.float64(0.25)
print(y)
y.sum().backward()
print(x.grad)
acc = torch.tensor(0.0)
for k in range(10):
    acc += 0.1
print(acc, acc == 1.0, torch.isclose(acc, torch.tensor(1.0)), acc.item(), acc.double())
acc = torch.tensor(0.0, dtype=torch.float64)
for k in range(10):
    acc += 0.1
print(acc, acc == 1.0, acc.item())
print(torch.tensor(0.1).item(), torch.tensor(0.1, dtype=torch.float64).item(), torch.tensor(0.1) == 0.1, torch.tensor(0.1, dtype=torch.float64) == 0.1, torch.tensor(16777217.0), torch.tensor(16777217), torch.tensor(16777217).float())
print(torch.tensor(1) == True, torch.tensor([1, 0]) == torch.tensor([True, False]), torch.tensor(2) == 2.0, torch.tensor(2.5) > 2, torch.tensor(3) // 2, torch.tensor(-3) // 2, torch.tensor(3.5) // 1, -torch.tensor(3) % 2)
