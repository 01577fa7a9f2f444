"""Arithmetic between tensors and NumPy values."""

import warnings

import numpy as np
import torch

warnings.simplefilter("ignore", DeprecationWarning)  # of NumPy about how old a protocol PyTorch speaks
warnings.simplefilter("ignore", UserWarning)  # that lists of arrays are slow

t = torch.tensor([1.0, 2.0])
print(t * np.float32(2), t * np.float64(2), t + np.int64(1))
print((t * np.float64(2)).dtype, (torch.tensor([1, 2]) * np.float64(1.5)).dtype)
print(np.float64(2) * torch.tensor(3.0) if False else "", t ** np.float32(2))
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x * np.float64(3)).sum()
y.backward()
print(x.grad)
print(torch.tensor(np.float32(1.5)), torch.tensor(np.int16(3)).dtype, torch.tensor([np.float64(1.0)]).dtype, torch.tensor(np.bool_(True)))
print(torch.tensor([np.array([1, 2]), np.array([3, 4])]).shape, torch.tensor(np.arange(3)).dtype)
print(torch.full((2,), np.float32(2)), torch.zeros(np.int64(2)), torch.arange(np.int64(3)))
print(t[np.int64(1)], t[np.array([1, 0])], t[np.array([True, False])])
print(np.sin(torch.tensor([0.0, 1.0])), type(np.sin(torch.tensor([0.0, 1.0]))).__name__)
print(np.mean(torch.tensor([1.0, 3.0]).numpy()), np.concatenate([t.numpy(), t.numpy()]))
print(isinstance(t.sum().item(), float), np.stack([np.asarray(t), np.ones(2)]))
