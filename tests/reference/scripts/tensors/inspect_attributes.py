"""Attributes and small questions of a tensor."""
import torch

for t in (torch.zeros(2, 3), torch.tensor(5), torch.ones(2, dtype=torch.complex64), torch.ones(3, 0, dtype=torch.float16), torch.ones(2, 3, dtype=torch.float64).t(), torch.tensor([True]), torch.ones(2, requires_grad=True) * 2):
    print(t.dtype, t.device, t.layout, t.shape, t.size(), t.ndim, t.dim(), t.numel(), t.element_size(), t.itemsize, t.nbytes, t.stride(), t.storage_offset())
    print(t.is_floating_point(), t.is_complex(), t.is_contiguous(), t.is_leaf, t.requires_grad, t.is_cuda, t.is_sparse, t.is_quantized, t.is_meta, t.names if False else "", t.output_nr, t._version)
    print(torch.is_tensor(t), torch.is_floating_point(t), torch.is_complex(t), torch.numel(t), t.type(), t.grad, t.has_names() if False else "", t.is_inference(), t.is_nonzero() if t.numel() == 1 else "-")
x = torch.zeros(2, 3, 4)
print(x.size(0), x.size(-1), x.size(dim=1), x.shape[1:], x.stride(0), x.stride(-1), x.stride(dim=1), x.shape.numel(), tuple(x.shape), x.T.shape if False else x.mT.shape)
print(x.is_shared(), x.is_pinned(), x.get_device())
print(x.dtype.is_floating_point, x.dtype.is_complex, x.dtype.is_signed, x.dtype.itemsize, torch.float32.to_complex(), torch.complex128.to_real())
print(x.shape == (2, 3, 4), x.shape == [2, 3, 4], x.shape == torch.Size([2, 3, 4]), x.shape + (1,), type(x.shape + (1,)).__name__, type(x.shape[:2]).__name__, x.shape * 2 if False else "")
a, b, c = x.shape
print(a, b, c, len(x.shape), x.shape.index(3), x.shape.count(2), 4 in x.shape, hash(x.shape) == hash((2, 3, 4)))
for g in (lambda: x.size(5), lambda: x.stride(3), lambda: x.nothing, lambda: torch.nothing, lambda: x.is_nonzero(), lambda: x.shape.foo, lambda: torch.is_floating_point(3), lambda: torch.is_tensor(3), lambda: torch.numel([1])):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
m = torch.arange(6.0).reshape(2, 3)
print(m.T, m.mT.shape, m.H, m.real is m, m.data.shape, m.itemsize)
print(torch.float is torch.float32, torch.double is torch.float64, torch.half is torch.float16, torch.long is torch.int64, torch.int is torch.int32, torch.short is torch.int16, torch.cfloat is torch.complex64, torch.cdouble is torch.complex128)
print(torch.float32 == torch.float64, {torch.float32: 1}[torch.float], isinstance(torch.float32, torch.dtype), type(torch.float32).__name__)
print(torch.pi, torch.e, torch.inf, torch.nan, torch.newaxis)
