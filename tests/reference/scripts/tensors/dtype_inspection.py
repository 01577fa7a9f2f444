"""The dtype objects themselves."""
import torch

names = ["float16", "bfloat16", "float32", "float64", "complex64", "complex128", "uint8", "int8", "int16", "int32", "int64", "bool"]
for n in names:
    d = getattr(torch, n)
    print(n, d, repr(d), str(d), d.is_floating_point, d.is_complex, d.is_signed, d.itemsize, d == getattr(torch, n), hash(d) == hash(d), isinstance(d, torch.dtype))
print(torch.float == torch.float32, torch.double, torch.half, torch.long, torch.int, torch.short, torch.cfloat, torch.cdouble)
print({torch.float32: "f", torch.int64: "i"}[torch.tensor(1).dtype], torch.float32 in (torch.float16, torch.float32), torch.float32 is torch.tensor(1.0).dtype)
print([torch.tensor([1], dtype=getattr(torch, n)).dtype for n in names])
print(torch.float32 == "float32", torch.float32 != torch.float64, torch.float32 == None)
print(str(torch.float32).split(".")[-1], f"{torch.int64!s:>12}|", f"{str(torch.bool):<12}|")
print(sorted([str(torch.int8), str(torch.float16)]), torch.complex64.to_real(), torch.float64.to_complex(), torch.float32.to_real())
for f in (lambda: torch.dtype("float32"), lambda: torch.float32(), lambda: torch.zeros(1, dtype="float32"), lambda: torch.zeros(1, dtype=1), lambda: torch.float32 < torch.float64, lambda: torch.tensor([1.0]).to("float"), lambda: torch.float33, lambda: torch.tensor(1).type(torch.float33)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
x = torch.arange(3)
print(x.dtype, x.float().dtype, x.double().dtype, x.half().dtype, x.bool().dtype, x.int().dtype, (x / 1).dtype, (x * 1.0).dtype, x.sum().dtype, x.float().sum().dtype, x.bool().sum().dtype, x.float().mean().dtype, (x > 1).dtype, x.argmax().dtype, x.float().sort().indices.dtype, x.cumsum(0).dtype, x.short().cumsum(0).dtype, x.short().sum().dtype, x.half().sum().dtype)
