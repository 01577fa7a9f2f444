"""In-place functions agree with their out-of-place twins in value and gradient."""

import torch

torch.manual_seed(0)
names = "abs acos asin atan ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac lgamma log log10 log1p log2 logit neg rad2deg reciprocal relu round rsqrt sigmoid sign sin sinc sinh sqrt square tan tanh trunc i0 arccos arctan negative fix absolute".split()
for n in names:
    x = torch.tensor([0.2, 0.55, 0.9], dtype=torch.float64, requires_grad=True)
    a = getattr(x * 1.0, n)()
    (ga,) = torch.autograd.grad(a.sum(), x)
    t = x * 1.0
    b = getattr(t, n + "_")()
    (gb,) = torch.autograd.grad(b.sum(), x)
    print(
        n,
        b is t,
        b._version,
        torch.equal(a, b),
        torch.allclose(ga, gb),
        [round(v, 4) for v in b.tolist()],
        [round(v, 4) for v in gb.tolist()],
        b.grad_fn.name(),
    )
