"""Every pointwise function at chosen points, in two dtypes, with first and second derivative."""

import torch

names = """abs neg sign sgn square sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos asin acos atan
sinh cosh tanh asinh acosh atanh sigmoid logit erf erfc erfinv lgamma digamma i0 deg2rad rad2deg angle frac positive
arcsin arccos arctan arcsinh arccosh arctanh absolute negative""".split()
points = [-1.5, 0.0, 0.3, 1.0, 2.5, -0.0]
for name in names:
    for dtype in (torch.float64, torch.float32):
        x = torch.tensor(points, dtype=dtype, requires_grad=True)
        y = getattr(torch, name)(x)
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        print(name, y.detach(), g.detach(), y.grad_fn.name())
        if g.requires_grad:
            (h,) = torch.autograd.grad(g.sum(), x, allow_unused=True)
            print("  second", h)
    if name != "frac":
        print(getattr(torch, name)(torch.tensor([1, 2])).dtype)
