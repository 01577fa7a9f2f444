"""numpy(), from_numpy, __array__, and shared memory."""
import warnings
import numpy as np
import torch

warnings.simplefilter("ignore", DeprecationWarning)  # NumPy tells library authors, not users

t = torch.arange(4.0)
a = t.numpy()
a[0] = 10
print(t, a, type(a).__name__, a.dtype, np.shares_memory(a, t.numpy()))
t.add_(1)
print(a)
b = np.ones((2, 2), dtype=np.float64)
f = torch.from_numpy(b)
f *= 3
print(b, f, f.dtype)
for dtype in (np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.bool_, np.complex64, np.complex128):
    print(torch.from_numpy(np.ones(2, dtype=dtype)), torch.ones(1, dtype=torch.from_numpy(np.ones(1, dtype=dtype)).dtype).numpy().dtype)
x = torch.tensor([1.0, 2.0], requires_grad=True)
def attempt(label, g):
    try:
        print(label, g())
    except Exception as e:
        print(label, type(e).__name__)
attempt("numpy of grad", lambda: x.numpy())
attempt("forced", lambda: x.numpy(force=True))
attempt("detach", lambda: x.detach().numpy())
attempt("np.array of grad", lambda: np.array(x))
attempt("np.asarray", lambda: np.asarray(x.detach()))
attempt("np.array", lambda: np.array(t))
attempt("np.array dtype", lambda: np.array(t, dtype=np.int32))
attempt("bfloat16", lambda: torch.ones(1, dtype=torch.bfloat16).numpy())
attempt("0-d", lambda: torch.tensor(5).numpy())
attempt("0-d item", lambda: np.float32(torch.tensor(2.5)))
attempt("conj resolve", lambda: torch.tensor([1 + 1j]).conj().resolve_conj().numpy())
attempt("from list", lambda: torch.from_numpy([1, 2]))
attempt("negative stride", lambda: torch.from_numpy(np.arange(3)[::-1]))
attempt("negative stride tensor", lambda: torch.tensor(np.arange(3)[::-1]))
attempt("strings", lambda: torch.from_numpy(np.array(["a"])))
attempt("objects", lambda: torch.from_numpy(np.array([None])))
attempt("big endian", lambda: torch.from_numpy(np.ones(1, dtype=">f4")))
attempt("np + tensor", lambda: type(np.ones(2) + torch.ones(2)).__name__)
attempt("tensor + np", lambda: torch.ones(2) + np.ones(2))
attempt("tensor * np.float64", lambda: torch.ones(2) * np.float64(2))
attempt("np.float64 * tensor", lambda: np.float64(2) * torch.ones(2))
attempt("np.sin", lambda: type(np.sin(torch.ones(2))).__name__)
attempt("np.sum", lambda: np.sum(torch.ones(2)))
attempt("np.mean", lambda: np.mean(torch.ones(2).numpy()))
attempt("tensor == np", lambda: torch.ones(2) == np.ones(2))
attempt("index by np", lambda: t[np.array([0, 2])])
attempt("index by np bool", lambda: t[np.array([True, False, True, False])])
attempt("np indexed by tensor", lambda: a[torch.tensor([1, 2])])
attempt("transposed", lambda: torch.from_numpy(np.arange(6).reshape(2, 3).T).stride())
attempt("slice", lambda: torch.from_numpy(np.arange(6)[::2]))
attempt("non-contiguous out", lambda: torch.arange(6).reshape(2, 3).t().numpy().strides)
