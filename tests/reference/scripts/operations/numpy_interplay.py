"""NumPy arrays on either side: operators, ufuncs, conversion, shared memory, dtypes."""

import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")  # NumPy's, of what PyTorch has not yet

a = np.array([[1.0, 2.0], [3.0, 4.0]])
t = torch.from_numpy(a)
t[0, 0] = 10
print(a, t, t.dtype, t.numpy() is a, np.shares_memory(t.numpy(), a))
x = torch.tensor([1.0, 4.0, 9.0], requires_grad=True)
d = x.detach()
print(
    np.sqrt(d),
    type(np.sqrt(d)),
    np.sum(d.numpy()),
    np.asarray(d),
    np.array(d).dtype,
    d.numpy().mean(),
    np.dot(d, d),
    np.stack([d, d]).shape,
    np.linalg.norm(d),
    np.max(d.numpy()),
)
print(
    d + np.array([1.0, 2.0, 3.0], dtype=np.float32),
    d * np.float64(2),
    torch.tensor(np.arange(3)),
    torch.as_tensor(np.ones(2)),
    torch.tensor([np.int64(1), 2]),
    torch.tensor(np.array(True)),
    torch.tensor(np.array([1 + 2j])),
    torch.from_numpy(np.arange(3, dtype=np.int16)),
)
for bad in [
    lambda: x.numpy(),
    lambda: np.sqrt(x),
    lambda: np.array(x),
    lambda: torch.from_numpy([1]),
    lambda: torch.from_numpy(np.array(["a"])),
    lambda: torch.tensor(np.array([None])),
    lambda: x + np.array(["a"]),
    lambda: torch.from_numpy(np.ones(3)[::-1]),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
print(
    x.detach().numpy().tolist(),
    x.tolist(),
    list(x.detach().numpy()),
    d.double().numpy().dtype,
    d.long().numpy().dtype,
    d.bool().numpy(),
    torch.zeros(0).numpy().shape,
    torch.tensor(1.5).numpy(),
    torch.ones(2, 3).t().numpy().strides,
)
i = np.array([2, 0])
m = np.array([True, False, True])
print(
    x[i],
    x[m],
    x[np.int64(1)],
    x[torch.from_numpy(i)],
    d[i.tolist()],
    d[np.newaxis].shape,
    a[torch.tensor([1, 0])] if True else "",
    torch.tensor(a)[:, i - 1 if False else [0, 1]],
)
y = x * torch.from_numpy(np.array([1.0, 2.0, 3.0], dtype=np.float32))
y.sum().backward()
print(
    x.grad.numpy(),
    np.allclose(x.grad, [1, 2, 3]),
    torch.allclose(x.grad, torch.tensor([1.0, 2, 3])),
    float(np.mean(x.grad.numpy())),
    torch.tensor(np.pi),
    torch.tensor([np.pi]),
    torch.full((1,), np.e),
    torch.linspace(0, np.pi, 3),
    torch.arange(np.int64(3)),
    torch.zeros(np.int64(2)),
    torch.clamp(x, np.float32(2)),
    range(3)[torch.tensor(1)],
    np.arange(3)[torch.tensor(1)],
)
