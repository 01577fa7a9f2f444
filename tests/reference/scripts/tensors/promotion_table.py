"""Result dtypes of adding every pair of dtypes."""

import torch

names = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
for a in names:
    row = []
    for b in names:
        x = torch.ones(2, dtype=getattr(torch, a))
        y = torch.ones(2, dtype=getattr(torch, b))
        row.append(str((x + y).dtype).replace("torch.", ""))
        assert (x + y).dtype == torch.promote_types(x.dtype, y.dtype) == torch.result_type(x, y)
    print(a, row)
for a in names:
    x = torch.ones(2, dtype=getattr(torch, a))
    print(a, (x + 1).dtype, (x + 1.5).dtype, (x * True).dtype, (x.abs() + 1j).dtype if x.dtype is torch.float32 else None, (x / 2).dtype)
    z = torch.tensor(1, dtype=getattr(torch, a))
    print(a, (torch.ones(2, dtype=torch.int32) + z).dtype, (torch.ones(2) * z).dtype, (z + 1).dtype)
