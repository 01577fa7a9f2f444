"""inf, nan, zeros and huge values through pointwise functions and their derivatives."""

import torch

inf, nan = float("inf"), float("nan")
vals = [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, 1e30, -1e30, 1e-30]
for name in "abs exp log sqrt rsqrt sin tanh sigmoid atan reciprocal square log1p expm1 sinh cosh erf floor sign relu neg log2 log10 exp2 asinh frac trunc round".split():
    x = torch.tensor(vals, dtype=torch.float64, requires_grad=True)
    y = getattr(torch, name)(x)
    y.backward(torch.ones_like(y))
    print(name, [f"{v:.6g}" for v in y.tolist()], [f"{v:.6g}" for v in x.grad.tolist()])
pairs = [(a, b) for a in (0.0, 1.0, -inf, inf, nan) for b in (0.0, -1.0, inf, nan)]
for name in "add sub mul div pow maximum minimum fmax fmin atan2 hypot fmod remainder logaddexp xlogy copysign".split():
    a = torch.tensor([p[0] for p in pairs], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([p[1] for p in pairs], dtype=torch.float64, requires_grad=True)
    y = getattr(torch, name)(a, b)
    y.backward(torch.ones_like(y))
    print(name, [f"{v:.4g}".replace("-nan", "nan") for v in y.tolist()])
    print(
        "  ",
        [f"{v:.4g}".replace("-nan", "nan") for v in (a.grad + 0.0).tolist()],
        [f"{v:.4g}".replace("-nan", "nan") for v in (b.grad + 0.0).tolist()],
    )
