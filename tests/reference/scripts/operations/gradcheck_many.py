"""gradcheck and gradgradcheck of a long list of operations."""

import torch
from torch.autograd import gradcheck, gradgradcheck


def leaf(*shape, low=0.5):
    n = 1
    for s in shape:
        n *= s
    return (low + (torch.arange(n, dtype=torch.float64) * 0.37) % 1.3).view(shape).requires_grad_()


ops = {
    "cumprod": lambda x: x.cumprod(0),
    "norm": lambda x: x.norm(3, dim=0),
    "std": lambda x: x.std(0),
    "lse": lambda x: x.logsumexp(1),
    "roll": lambda x: x.roll(1, 0),
    "take": lambda x: x.take(torch.tensor([0, 0, 3])),
    "tri": lambda x: x.tril() * x,
    "trace": lambda x: (x @ x.T).trace(),
    "det": lambda x: (x @ x.T + torch.eye(2, dtype=torch.float64)).det(),
    "kron": lambda x: torch.kron(x, x),
    "outer": lambda x: torch.outer(x[0], x[1]),
    "cross": lambda x: torch.linalg.cross(x[0], x[1]),
    "unfold": lambda x: x.unfold(1, 2, 1),
    "renorm": lambda x: x.renorm(2, 0, 1.0),
    "cov": lambda x: torch.cov(x),
    "diff": lambda x: x.diff(dim=1),
    "trap": lambda x: torch.trapezoid(x, dim=1),
    "quant": lambda x: x.quantile(0.3, dim=1),
    "lgamma": torch.lgamma,
    "digamma": torch.digamma,
    "atan2": lambda x: torch.atan2(x, x.flip(0)),
    "logit": lambda x: (x / 4).logit(),
    "erfinv": lambda x: (x / 4).erfinv(),
    "sinc": torch.sinc,
    "polygamma": lambda x: torch.polygamma(1, x),
    "xlogy": lambda x: torch.xlogy(x, x + 1),
    "lerp": lambda x: torch.lerp(x, x * 2, x),
    "index_put": lambda x: x.index_put((torch.tensor([0]),), x[1:]),
    "scatter": lambda x: x.scatter(0, torch.tensor([[0, 1, 0]]), x[1:]),
    "sr": lambda x: torch.ones(3, dtype=torch.float64).scatter_reduce(
        0, torch.tensor([0, 1, 0, 2, 2, 1]), x.reshape(-1), "prod"
    ),
    "i0": torch.i0,
    "ndtr": torch.special.ndtr,
    "mish": torch.nn.functional.mish,
    "ln": lambda x: torch.nn.functional.layer_norm(x, (3,)),
    "expm": lambda x: torch.matrix_exp(x[:, :2]),
    "svdvals": lambda x: torch.linalg.svdvals(x),
    "lstsq": lambda x: torch.linalg.lstsq(x.T, x.T[:, :1]).solution,
    "pinv": torch.linalg.pinv,
    "chol": lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(2, dtype=torch.float64)),
    "mvlgamma": lambda x: torch.mvlgamma(x + 2, 2),
    "logcumsumexp": lambda x: x.logcumsumexp(1),
    "cummax": lambda x: x.cummax(1)[0],
    "diagemb": lambda x: torch.diag_embed(x),
    "combos": lambda x: torch.combinations(x[0]),
    "msel": lambda x: x[x > 0.9],
    "hypot": lambda x: torch.hypot(x, x + 1),
}
for name, f in ops.items():
    x = leaf(2, 3)
    try:
        print(name, gradcheck(f, x), gradgradcheck(f, x, atol=1e-4))
    except Exception as error:
        print(name, type(error).__name__)
