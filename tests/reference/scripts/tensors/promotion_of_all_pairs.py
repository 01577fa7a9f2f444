"""Result dtypes of a + b for all pairs of dtypes, tensor with tensor."""
import torch

dtypes = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128]
for a in dtypes:
    row = []
    for b in dtypes:
        if a is torch.float16 and b.is_complex or b is torch.float16 and a.is_complex:
            continue  # complex32 is experimental
        x, y = torch.ones(2, dtype=a), torch.ones(2, dtype=b)
        z = torch.ones((), dtype=b)
        assert torch.result_type(x, y) == torch.promote_types(a, b)
        row.append(f"{str((x + y).dtype)[6:]}/{str((x * z).dtype)[6:]}")
    print(str(a)[6:], *row)
for a in dtypes:
    x = torch.ones(2, dtype=a)
    print(a, *[str(torch.result_type(x, s))[6:] for s in (True, 2, 2.5)], (x * 2).dtype, (x * 2.5).dtype, (2.5 * x).dtype, (x * True).dtype)
    print(" ", (x / 2).dtype, (x / x).dtype, (x // 2).dtype if not a.is_complex else "-", (x ** 2).dtype, (x == 1).dtype)
