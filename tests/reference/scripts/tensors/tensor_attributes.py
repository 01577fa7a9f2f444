"""Attributes and small methods."""

import torch

x = torch.zeros(2, 3, 4)
print(x.shape, x.size(), x.size(1), x.size(-1), x.ndim, x.dim(), x.numel(), x.nelement(), len(x), x.stride(), x.stride(0), x.storage_offset(), x.element_size(), x.nbytes, x.itemsize)
print(x.device, x.device.type, x.dtype, x.layout, x.is_cuda, x.requires_grad, x.is_leaf, x.grad, x.grad_fn, x.names if False else "", x.is_contiguous(), x[0].storage_offset(), x[1].storage_offset(), x.T.shape if False else x.mT.shape)
print(x.is_floating_point(), x.is_complex(), x.is_signed(), x.is_same_size(torch.ones(2, 3, 4)), x.output_nr, x._version, x.data_ptr() == x.view(-1).data_ptr(), x.is_sparse, x.is_quantized, x.is_inference(), x.is_meta)
print(x.shape[0] + 1, x.shape[1:], list(x.shape), tuple(x.shape), x.shape == (2, 3, 4), x.shape == torch.Size([2, 3, 4]), x.shape.numel(), x.shape + (1,), torch.Size((1, 2)) + torch.Size((3,)), isinstance(x.shape, tuple))
a, b, c = x.shape
print(a * b * c, torch.numel(x), torch.is_tensor(x), torch.is_floating_point(x), torch.get_default_dtype(), torch.is_nonzero(torch.tensor(1)), x.get_device(), torch.device("cpu") == x.device, str(torch.device("cpu")), repr(torch.device("cuda", 1)), torch.device("cuda:0").index)
