"""Every common elementwise function: value and derivative."""
import torch

x = torch.tensor([-0.7, 0.3, 0.9], requires_grad=True)
p = torch.tensor([0.4, 1.3, 2.5], requires_grad=True)
everywhere = ["abs", "neg", "exp", "exp2", "expm1", "sin", "cos", "tan", "asin", "acos", "atan",
              "sinh", "cosh", "tanh", "asinh", "atanh", "sigmoid", "erf", "erfc", "erfinv", "square",
              "sign", "floor", "ceil", "trunc", "frac", "round", "relu", "sinc", "deg2rad", "rad2deg",
              "sgn", "positive", "arctan", "absolute", "negative", "fix", "special_expit"]
positive = ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal", "lgamma", "digamma", "i0"]
for names, t in [(everywhere, x), (positive, p)]:
    for name in names:
        f = getattr(torch, name, None)
        if f is None:
            f = torch.special.expit
        y = f(t)
        t.grad = None
        if y.requires_grad:
            y.sum().backward()
        print(name, y, t.grad)
print(torch.special.entr(p), torch.special.logit(torch.tensor(0.3)), torch.special.erfcx(p))
print(torch.special.xlog1py(p, p), torch.special.ndtr(x), torch.special.log_ndtr(x))
print(torch.polygamma(1, p), torch.mvlgamma(p + 1, 2), torch.logit(torch.tensor([0.2]), eps=1e-6))
