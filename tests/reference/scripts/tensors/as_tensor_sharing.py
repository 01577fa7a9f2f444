"""as_tensor, from_numpy, tensor: who shares memory with the array."""

import numpy as np
import torch

a = np.array([1.0, 2.0, 3.0])
t1 = torch.tensor(a)
t2 = torch.as_tensor(a)
t3 = torch.from_numpy(a)
t4 = torch.as_tensor(a, dtype=torch.float32)
t5 = torch.asarray(a)
a[0] = 100
print(t1, t2, t3, t4, t5)
t3[1] = -1
print(a, t2)
x = torch.ones(2, requires_grad=True)
print(torch.as_tensor(x) is x, torch.as_tensor(x, dtype=torch.float32) is x, torch.as_tensor(x, dtype=torch.float64))
print(torch.as_tensor([1, 2.5]), torch.as_tensor(3), torch.asarray([True]))
for arr in (np.array([1, 2], dtype=np.int32), np.array([True]), np.array(2.5), np.zeros((2, 0)), np.array([1j]), np.float32(3), np.arange(3, dtype=np.uint8)):
    t = torch.as_tensor(arr)
    print(t, t.dtype, t.shape)
for bad in (np.array(["a"]), np.array([None])):
    try:
        torch.from_numpy(bad)
    except TypeError as err:
        print(type(err).__name__)
try:
    torch.from_numpy([1, 2])
except TypeError as err:
    print(type(err).__name__)
v = torch.from_numpy(a[::2])
v.mul_(2)
print(a, v.stride())
