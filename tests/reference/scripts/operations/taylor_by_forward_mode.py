"""Forward-mode derivatives through operations: jvp, dual numbers, nested."""

import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([0.5, 1.5, -0.25], dtype=torch.float64)
t = torch.tensor([1.0, -1.0, 2.0], dtype=torch.float64)
fs = {
    "sin": torch.sin,
    "exp": torch.exp,
    "prod": lambda v: v.prod(),
    "cumprod": lambda v: v.cumprod(0),
    "softmax": lambda v: v.softmax(0),
    "norm": lambda v: v.norm(),
    "max": lambda v: v.max(),
    "sort": lambda v: v.sort()[0],
    "std": lambda v: v.std(),
    "lse": lambda v: v.logsumexp(0),
    "mm": lambda v: torch.outer(v, v) @ v,
    "where": lambda v: torch.where(v > 0, v**2, -v),
    "gather": lambda v: v.gather(0, torch.tensor([2, 0])),
    "cat": lambda v: torch.cat([v, v * 2]),
    "pow": lambda v: v.abs() ** v,
    "clamp": lambda v: v.clamp(-0.2, 1),
    "view": lambda v: v.view(3, 1).expand(3, 2).sum(1),
    "inv": lambda v: torch.linalg.inv(torch.diag(v) + 1),
    "index": lambda v: v[[0, 0, 2]],
    "maximum": lambda v: torch.maximum(v, v.flip(0)),
    "atan2": lambda v: torch.atan2(v, v + 1),
    "cumsum": lambda v: v.cumsum(0),
    "var": lambda v: v.var(0),
    "mean": lambda v: v.mean(),
    "lerp": lambda v: torch.lerp(v, v * v, 0.3),
    "erf": torch.erf,
    "tril": lambda v: torch.outer(v, v).tril(),
    "nextafter": lambda v: torch.nextafter(v, torch.zeros_like(v)),
    "sinc": torch.sinc,
    "logit": lambda v: (v / 4 + 0.5).logit(),
    "det": lambda v: torch.linalg.det(torch.diag(v) + 0.1),
}
for name, f in fs.items():
    with fwAD.dual_level():
        y = fwAD.unpack_dual(f(fwAD.make_dual(x, t)))
        print(name, y.primal, y.tangent)
    print("  ", torch.func.jvp(f, (x,), (t,))[1], torch.autograd.functional.jvp(f, x, t)[1])
