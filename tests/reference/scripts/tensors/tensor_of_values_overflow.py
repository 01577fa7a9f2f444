"""Values that do not fit the dtype asked for."""

import torch

for data, dtype in (([300], torch.uint8), ([-1], torch.uint8), ([2**40], torch.int32), ([1e300], torch.float32), ([1e6], torch.float16),
                    ([2.7, -2.7], torch.int64), ([0, 0.1, 2], torch.bool), ([1 + 1j], torch.float32), ([float("nan")], torch.float64), ([2**63 - 1], torch.int64)):
    try:
        print(data, torch.tensor(data, dtype=dtype))
    except Exception as err:
        print(data, dtype, type(err).__name__)
for big in (2**63, -(2**63) - 1, 2**70):
    try:
        print(torch.tensor(big))
    except Exception as err:
        print(type(err).__name__)
