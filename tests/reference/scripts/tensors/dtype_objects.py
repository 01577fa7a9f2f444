"""Attributes of dtypes, finfo and iinfo."""

import torch

for d in (torch.bool, torch.uint8, torch.int32, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64):
    print(d, d.is_floating_point, d.is_complex, d.is_signed, d.itemsize)
print(torch.float is torch.float32, torch.double is torch.float64, torch.long is torch.int64, torch.int is torch.int32,
      torch.half is torch.float16, torch.short is torch.int16, torch.cfloat is torch.complex64)
f = torch.finfo(torch.float32)
print(f.eps, f.max, f.min, f.tiny, f.bits, f.smallest_normal, f.resolution)
print(torch.finfo(torch.float64).eps, torch.finfo(torch.float16).max, torch.finfo(torch.bfloat16).eps, torch.finfo().dtype)
i = torch.iinfo(torch.int32)
print(i.max, i.min, i.bits, torch.iinfo(torch.uint8).max, torch.iinfo(torch.int64).min)
print(torch.float32 == torch.float, torch.float32 != torch.float64, {torch.float32: 1}[torch.float], isinstance(torch.float32, torch.dtype))
try:
    torch.finfo(torch.int32)
except TypeError as err:
    print(type(err).__name__)
print(torch.float32.to_complex(), torch.complex128.to_real(), torch.can_cast(torch.float64, torch.int32), torch.can_cast(torch.int32, torch.float32))
print(torch.tensor(1.0).is_floating_point(), torch.is_floating_point(torch.tensor(1)), torch.tensor(1j).is_complex(), torch.is_complex(torch.tensor(1)), torch.tensor(1).is_signed())
