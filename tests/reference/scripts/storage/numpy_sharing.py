"""Memory shared with NumPy: both directions, strides, versions, dtypes."""

import torch
import numpy as np

a = np.arange(6, dtype=np.float32).reshape(2, 3)
t = torch.from_numpy(a)
t.mul_(2)
a[0, 0] = -5
print(t, a.tolist(), t._version, t.dtype)
print(
    torch.from_numpy(a.T).stride(),
    torch.from_numpy(a[:, ::2]).stride(),
    torch.as_tensor(a).data_ptr() == t.data_ptr(),
    torch.tensor(a).data_ptr() == t.data_ptr(),
    torch.asarray(a).data_ptr() == t.data_ptr(),
)
for dt in (
    np.float16,
    np.float64,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.bool_,
    np.complex64,
    np.complex128,
):
    x = torch.from_numpy(np.zeros(1, dtype=dt))
    print(x.dtype, x.numpy().dtype, x)
for bad in (
    lambda: torch.from_numpy([1, 2]),
    lambda: torch.from_numpy(np.array(["a"])),
    lambda: torch.from_numpy(a[::-1]),
    lambda: torch.from_numpy(np.array([None])),
    lambda: torch.ones(2, dtype=torch.bfloat16).numpy(),
    lambda: torch.ones(2, requires_grad=True).numpy(),
    lambda: np.asarray(torch.ones(2, requires_grad=True)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
n = t[:, 1].numpy()
n += 100
print(t, n.strides, n.base is not None)
w = torch.ones(3, requires_grad=True)
d = w.detach().numpy()
d[1] = 9
print(w, w._version)
print(np.asarray(torch.ones(2)).dtype, np.asarray(t).base is None)
t[0] = torch.from_numpy(np.array([1, 2, 3]))
t[np.array([0, 1]), np.array([2, 2])] = 50
print(t, t[np.array([True, False])], t[np.int64(1)], t[np.array(1)])
