"""What torch.tensor, as_tensor and asarray make of their argument."""
import warnings
import numpy as np
import torch

warnings.simplefilter("ignore")

for data in [1, 1.0, True, 1j, [1, 2], [1, 2.5], [True, False], [True, 2], [1, 2j], [[1], [2]], [], [[]], [[], []], (1, 2), range(3),
             np.array([1, 2]), np.float32(3), np.int8(3), np.bool_(True), np.array(2.5), np.array([1.5], dtype=np.float16),
             [np.float64(1), np.float64(2)], [np.array([1, 2]), np.array([3, 4])], [torch.tensor(1), torch.tensor(2)], [torch.tensor(1.5), 2]]:
    t = torch.tensor(data)
    print(repr(data)[:40], "->", t, t.dtype, tuple(t.shape))
for data in ["a", [1, [2]], [[1, 2], [3]], None, [None], {1: 2}, [1, "b"], object(), {1, 2}, [torch.tensor([1, 2]), 3]]:
    try:
        print(torch.tensor(data))
    except Exception as e:
        print(type(e).__name__)
x = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.as_tensor(x) is x, torch.asarray(x) is x, torch.as_tensor(x, dtype=torch.float64))
print(torch.asarray(x, copy=True), torch.asarray(x, requires_grad=False).requires_grad)
print(torch.asarray([1, 2], dtype=torch.float32, requires_grad=True))
a = np.zeros(3)
print(torch.as_tensor(a).data_ptr() == torch.from_numpy(a).data_ptr())
s = torch.asarray(a)
a[0] = 5
print(s, torch.as_tensor(a, dtype=torch.float32), torch.tensor(a, dtype=torch.int32))
print(torch.tensor(2**40), torch.tensor([2**31]), torch.tensor(-1, dtype=torch.uint8) if False else "")
for big in (2**63, 2**64):
    try:
        print(torch.tensor(big))
    except Exception as e:
        print(type(e).__name__)
