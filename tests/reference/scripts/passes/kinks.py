"""Subgradients at kinks and ties, infinities and NaN."""
import torch
import torch.nn.functional as F

z = torch.zeros(2, requires_grad=True)
for name, f in {"abs": torch.abs, "relu": torch.relu, "sqrt": torch.sqrt, "norm": torch.norm, "sign": torch.sign, "pow.5": lambda t: t ** 0.5, "pow0": lambda t: t ** 0,
                "pow1": lambda t: t ** 1, "clamp": lambda t: t.clamp(0, 1), "clamp_min": lambda t: t.clamp(min=0), "hardtanh": F.hardtanh, "relu6": F.relu6, "leaky": F.leaky_relu,
                "elu": F.elu, "selu": F.selu, "softplus": F.softplus, "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish, "softshrink": F.softshrink, "hardshrink": F.hardshrink,
                "max": torch.max, "amax": lambda t: t.amax(), "max0": lambda t: t.max(0)[0], "maximum": lambda t: torch.maximum(t, t * 2), "prod": torch.prod, "log": torch.log,
                "recip": torch.reciprocal, "xlogy": lambda t: torch.xlogy(t, t), "atan2": lambda t: torch.atan2(t, t), "hypot": lambda t: torch.hypot(t, t), "dist": lambda t: torch.dist(t, t.detach()),
                "std": torch.std, "floor": torch.floor, "round": torch.round, "frac": torch.frac, "fmod": lambda t: torch.fmod(t, 2), "remainder": lambda t: t % 2, "sinc": torch.sinc,
                "asin1": lambda t: torch.asin(t + 1), "acosh": lambda t: torch.acosh(t + 1), "cumprod": lambda t: t.cumprod(0), "norm1": lambda t: t.norm(1), "norminf": lambda t: t.norm(float("inf")),
                "l1": lambda t: F.l1_loss(t, t.detach()), "smooth": lambda t: F.smooth_l1_loss(t, t.detach() + 1), "huber": lambda t: F.huber_loss(t, t.detach() + 1), "sort": lambda t: t.sort()[0],
                "median": torch.median, "where nan": lambda t: torch.where(t > 0, t.log(), t), "0*inf": lambda t: t * float("inf"), "logsumexp-inf": lambda t: (t - float("inf")).logsumexp(0),
                "cosine": lambda t: F.cosine_similarity(t, t, dim=0), "normalize": lambda t: F.normalize(t, dim=0), "nan_to_num": lambda t: (t / 0).nan_to_num(nan=1.0), "logit": torch.logit,
                "softmax inf": lambda t: (t + float("inf")).softmax(0), "copysign": lambda t: torch.copysign(t, torch.tensor(-1.0)), "lgamma": torch.lgamma,
                "digamma": torch.digamma, "erfinv1": lambda t: torch.erfinv(t + 1), "tan": torch.tan, "kth": lambda t: t.kthvalue(1)[0], "min": torch.min, "minimum": lambda t: torch.minimum(t, t * 2), "fmax": lambda t: torch.fmax(t, t * 3),
                "mode": lambda t: t.mode()[0], "amin": lambda t: t.amin(0), "logaddexp": lambda t: torch.logaddexp(t, t), "renorm": lambda t: t[None].renorm(2, 0, 1.0), "var0": lambda t: t.var(unbiased=False)}.items():
    y = f(z)
    try:
        (g,) = torch.autograd.grad(y, z, torch.ones_like(y))
        print(name, y.tolist(), g.tolist())
    except Exception as e:
        print(name, type(e).__name__)
