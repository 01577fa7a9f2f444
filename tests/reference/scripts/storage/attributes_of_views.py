"""Attributes that views share with their base or not."""

import torch

b = torch.arange(6.0, requires_grad=True) * 2
v = b.view(2, 3)
v.tag = "view"
print(
    hasattr(b, "tag"),
    v.tag,
    v.view(6).__dict__,
    type(v),
    v.dtype is b.dtype,
    v.device == b.device,
    v.layout,
    v.is_leaf,
    v.output_nr,
    v.retains_grad,
    v.grad,
    v.names if False else v.ndim,
    v.itemsize,
    v.nbytes,
    v.element_size(),
    v.numel(),
    v.dim(),
    v.size(),
    v.size(0),
    v.size(-1),
    v.shape[1],
    len(v),
    v.stride(0),
    v.stride(-1),
    v.storage_offset(),
    v.is_contiguous(),
    v.is_floating_point(),
    v.is_complex(),
    v.is_cuda,
    v.is_cpu,
    v.is_sparse,
    v.is_quantized,
    v.is_meta,
    v.is_inference(),
    v.is_conj(),
    v.is_neg(),
    v.is_shared() if False else None,
)
v.retain_grad()
v.sum().backward()
print(v.retains_grad, v.grad, b.retains_grad)
w = b[0]
print(
    w.shape,
    w.dim(),
    w.numel(),
    w.stride(),
    w.item(),
    float(w),
    int(w),
    bool(w),
    w.tolist(),
    w.T.shape if False else w.size(),
    f"{w}",
    f"{w:.2f}",
    "%.1f" % w,
    str(w),
    repr(v[0]),
    format(v[0]),
    round(float(w), 1),
    w.is_nonzero(),
    w.get_device(),
    hash(w) == id(w),
)
print(
    v.shape == (2, 3),
    v.shape == torch.Size([2, 3]),
    v.size() == v.shape,
    tuple(v.shape),
    list(v.shape),
    v.shape.numel(),
    torch.Size([1, 2]) + v.shape,
    v.shape[:1],
    v.shape[-1],
    isinstance(v.shape, tuple),
    torch.Size((2, 3))[0],
    torch.numel(v),
    torch.is_tensor(v),
    torch.is_floating_point(v),
    isinstance(v, torch.Tensor),
    v.type(),
    v.is_leaf,
    torch.is_grad_enabled(),
)
for name in (
    "data",
    "grad_fn",
    "requires_grad",
    "grad",
    "is_leaf",
    "shape",
    "_base",
    "_version",
    "T",
    "mT",
    "real",
    "dtype",
    "device",
):
    try:
        setattr(v, name, None)
        print(name, "set")
    except Exception as e:
        print(name, type(e).__name__)
try:
    v.requires_grad = False
except RuntimeError:
    print("RuntimeError")
try:
    v.imag
except RuntimeError:
    print("RuntimeError")
print(
    v.detach().requires_grad,
    v.detach().is_leaf,
    v.detach()._base,
    dir(v).count("backward"),
    "add_" in dir(v),
)
