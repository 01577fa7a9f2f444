"""NumPy data in, predictions out: shapes, dtypes, copies."""
import warnings
import numpy as np
import torch

warnings.simplefilter("ignore", DeprecationWarning)  # NumPy tells library authors, not users

rng = np.random.RandomState(0)
X = rng.rand(6, 2)
y = (X.sum(1) > 1).astype(np.int64)
print(X.dtype, y.dtype)
Xt, yt = torch.from_numpy(X).float(), torch.from_numpy(y)
print(Xt.dtype, yt.dtype, Xt.shape, yt)
W = torch.zeros(2, 2, requires_grad=True)
for _ in range(5):
    loss = torch.nn.functional.cross_entropy(Xt @ W, yt)
    loss.backward()
    with torch.no_grad():
        W -= W.grad
        W.grad.zero_()
pred = (Xt @ W).argmax(1)
print(W, pred.numpy(), (pred.numpy() == y).mean(), type(pred.numpy()).__name__)
out = (Xt @ W).softmax(1)
for f in (lambda: out.numpy(), lambda: np.array(out), lambda: np.asarray(out), lambda: out.detach().numpy().shape, lambda: out.data.numpy().dtype, lambda: np.max(out.detach().numpy()) <= 1, lambda: np.mean(out.tolist()).round(3), lambda: np.sqrt(out.detach()).shape, lambda: np.concatenate([out.detach(), out.detach()]).shape, lambda: np.allclose(out.detach(), out.detach().numpy()), lambda: float(np.float32(out[0, 0].item())) == out[0, 0].item(), lambda: np.stack([t.detach() for t in out]).shape, lambda: np.array([t.item() for t in out[:, 0]]).dtype, lambda: list(map(float, out[0]))[0] == out[0, 0].item()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
a = np.arange(6, dtype=np.float32).reshape(2, 3)
t = torch.as_tensor(a)
t[0, 0] = 99
print(a[0, 0], torch.tensor(a)[0, 0])
t2 = torch.tensor(a)
a[:] = 0
print(t.sum(), t2.sum())
print(torch.from_numpy(a[:, ::2]).stride(), torch.from_numpy(a.T).is_contiguous(), torch.from_numpy(np.asfortranarray(a)).stride(), torch.from_numpy(a[0]).storage_offset())
ro = np.ones(2)
ro.flags.writeable = False
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(torch.from_numpy(ro), len(caught) > 0, caught[0].category.__name__ if caught else None)
print(torch.from_numpy(np.array(5.0)), torch.from_numpy(np.zeros((0, 3))).shape, torch.tensor(np.array([], dtype=np.int32)).dtype, torch.from_numpy(np.ones(1, np.float16)), torch.from_numpy(np.array([True])))
print(torch.ones(2, 3).numpy().strides, torch.ones(2, 3).t().numpy().flags["C_CONTIGUOUS"], torch.tensor(3).numpy().shape, torch.tensor([1 + 2j]).numpy(), torch.tensor([True]).numpy(), torch.zeros(0, 2).numpy().shape)
print(isinstance(torch.ones(1).numpy()[0], np.float32), torch.ones(1).numpy().item(), np.array(torch.tensor(2)).dtype, np.asarray(torch.tensor([1, 2], dtype=torch.int16)).dtype)
print(torch.tensor([1.5, 2.5]).numpy().astype(int), torch.from_numpy(np.linspace(0, 1, 3)), torch.from_numpy(np.arange(3)), torch.Tensor(np.arange(3)), torch.FloatTensor(np.array([1.0, 2.0])), torch.LongTensor(np.array([1, 2])))
