"""Each method with an underscore gives what its twin without one gives."""
import torch

x = torch.tensor([[0.3, -1.2], [2.0, 0.7]])
y = torch.tensor([[1.0, 2.0], [0.5, -0.5]])
unary = ["abs", "neg", "exp", "expm1", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "sigmoid", "square",
         "floor", "ceil", "round", "trunc", "frac", "sign", "relu", "erf", "reciprocal", "asinh", "t", "deg2rad"]
binary = ["add", "sub", "mul", "div", "fmod", "remainder", "atan2", "copysign", "eq", "lt", "ge", "hypot", "floor_divide"]
for name in unary:
    a = x.clone()
    r = getattr(a, name + "_")()
    print(name, r is a, torch.allclose(r, getattr(x, name)(), equal_nan=True), a._version)
for name in binary:
    a = x.clone()
    r = getattr(a, name + "_")(y)
    print(name, r is a, torch.allclose(r, getattr(x, name)(y).to(r.dtype), equal_nan=True), r.dtype)
for name, args in [("clamp", (-1, 1)), ("clamp_min", (0,)), ("clamp_max", (0.5,)), ("pow", (2,)), ("lerp", (y, 0.3)),
                   ("addcmul", (y, y)), ("addcdiv", (y, y)), ("masked_fill", (x > 0, 1.5)), ("tril", ()), ("triu", (1,)),
                   ("cumsum", (0,)), ("cumprod", (1,)), ("index_fill", (0, torch.tensor([1]), 3.0)), ("nan_to_num", ()),
                   ("logit", (0.1,)), ("transpose", (0, 1)), ("unsqueeze", (0,)), ("logical_not", ()), ("clip", (0, 1)),
                   ("scatter", (1, torch.tensor([[0], [1]]), 9.0)), ("renorm", (2, 0, 1.0)), ("float_power", (2,)),
                   ("xlogy", (torch.ones(2, 2),)), ("addmm", (x, y)), ("fill_diagonal", (0,))]:
    a = x.clone()
    try:
        r = getattr(a, name + "_")(*args)
        twin = getattr(x, name)(*args).to(r.dtype) if hasattr(x, name) else r
        print(name, r is a, torch.allclose(r, twin, equal_nan=True))
    except RuntimeError as e:
        print(name, type(e).__name__)
