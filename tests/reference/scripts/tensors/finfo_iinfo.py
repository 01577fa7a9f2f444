"""torch.finfo and torch.iinfo."""
import torch

for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    f = torch.finfo(dtype)
    print(f)
    print(f.bits, f.eps, f.max, f.min, f.tiny, f.smallest_normal, f.resolution, f.dtype)
for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64):
    i = torch.iinfo(dtype)
    print(i)
    print(i.bits, i.max, i.min, i.dtype)
print(torch.finfo(), torch.finfo(torch.complex64).dtype, torch.finfo(torch.complex128).eps)
for g in (lambda: torch.finfo(torch.int32), lambda: torch.iinfo(torch.float32), lambda: torch.iinfo(torch.bool), lambda: torch.finfo("float32"), lambda: torch.iinfo()):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
x = torch.tensor(1.0)
print(x + torch.finfo(x.dtype).eps > x, x + torch.finfo(x.dtype).eps / 2 > x)
print(torch.tensor(torch.finfo(torch.float16).max, dtype=torch.float16) * 2, torch.tensor(torch.iinfo(torch.int8).max, dtype=torch.int8) + 1)
print(torch.tensor(300).to(torch.uint8), torch.tensor(-1).to(torch.uint8), torch.tensor(3.99).to(torch.int32), torch.tensor(-3.99).long(), torch.tensor(70000.0).half(), torch.tensor(0.0).bool(), torch.tensor(0.1).bool(), torch.tensor(1e-10).bool())
print(torch.tensor(1.00390625).bfloat16(), torch.tensor(1.01171875).bfloat16(), torch.tensor([1e39], dtype=torch.float64).float())
