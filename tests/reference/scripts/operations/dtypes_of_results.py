"""Result dtypes of every mix of operands: tensors, 0-d tensors and Python numbers."""

import torch

dtypes = [
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
]  # float16 and complex make complex32
for a in dtypes:
    print(
        a,
        [
            str(torch.result_type(torch.ones(2, dtype=a), torch.ones(2, dtype=b)))[6:]
            for b in dtypes
        ],
    )
    print([str((torch.ones(2, dtype=a) * torch.ones((), dtype=b)).dtype)[6:] for b in dtypes])
    print(
        [str((torch.ones(2, dtype=a) * s).dtype)[6:] for s in (True, 2, 2.0)],
        [str((torch.ones((), dtype=a) + s).dtype)[6:] for s in (True, 2, 2.0)],
    )
    for f in (torch.add, torch.div, torch.true_divide, torch.floor_divide, torch.eq, torch.atan2):
        try:
            print(f.__name__, f(torch.ones(2, dtype=a), torch.ones(2, dtype=a)).dtype)
        except RuntimeError as error:
            print(f.__name__, type(error).__name__)
    for f in (
        torch.sin,
        torch.exp,
        torch.sqrt,
        torch.sigmoid,
        torch.square,
        torch.neg,
        torch.abs,
        torch.sum,
        torch.prod,
        torch.relu,
        torch.reciprocal,
        torch.erf,
        torch.lgamma,
        torch.sign,
        torch.positive,
    ):
        try:
            print(f.__name__, f(torch.ones(2, dtype=a)).dtype)
        except (RuntimeError, TypeError) as error:
            print(f.__name__, type(error).__name__)
    for name in ("mean", "std", "cumsum", "max", "argmax", "norm", "logsumexp", "median"):
        try:
            r = getattr(torch.ones(2, dtype=a), name)(0)
            print(name, (r[0] if isinstance(r, tuple) else r).dtype)
        except (RuntimeError, TypeError) as error:
            print(name, type(error).__name__)
print(
    torch.promote_types(torch.int8, torch.uint8),
    torch.can_cast(torch.float32, torch.int64),
    torch.can_cast(torch.int8, torch.float16),
)
