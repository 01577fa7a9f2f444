"""What dtype torch.tensor infers from Python data."""

import torch

for data in (1, 1.0, True, 1j, [1, 2.0], [True, 2], [1, 2.5, True], [[1], [2]], [], [[]], [1j, 2], (1, 2), range(3)):
    t = torch.tensor(data)
    print(data, t, t.dtype, t.shape)
print(torch.tensor([1.0, 2.0], dtype=torch.int64))
print(torch.tensor([0, 1, 2], dtype=torch.bool))
print(torch.tensor([1.9, -1.9], dtype=torch.int32))
print(torch.tensor(3, dtype=torch.float16))
for bad in ([1, [2]], [[1, 2], [3]], "abc", [None], {"a": 1}, None, [1, "a"]):
    try:
        print(torch.tensor(bad))
    except Exception as err:
        print(bad, type(err).__name__)
