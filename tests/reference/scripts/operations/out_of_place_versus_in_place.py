"""Each in-place twin gives what its function gives, and the same gradients."""

import torch

calls = [
    ("add", (2.0,)),
    ("sub", (1.5,)),
    ("mul", (3.0,)),
    ("div", (4.0,)),
    ("pow", (2,)),
    ("clamp", (0.3, 0.9)),
    ("exp", ()),
    ("sin", ()),
    ("tanh", ()),
    ("sigmoid", ()),
    ("sqrt", ()),
    ("neg", ()),
    ("abs", ()),
    ("square", ()),
    ("reciprocal", ()),
    ("log1p", ()),
    ("relu", ()),
    ("floor", ()),
    ("frac", ()),
    ("lerp", (torch.ones(3, dtype=torch.float64), 0.25)),
    ("addcmul", (torch.ones(3, dtype=torch.float64), torch.full((3,), 2.0, dtype=torch.float64))),
    ("masked_fill", (torch.tensor([True, False, True]), 0.5)),
    ("index_fill", (0, torch.tensor([1]), 7.0)),
    ("fmod", (0.3,)),
    ("remainder", (0.3,)),
    ("copysign", (-1.0,)),
    ("cumsum", (0,)),
    ("cumprod", (0,)),
    ("hypot", (torch.ones(3, dtype=torch.float64),)),
    ("atan2", (torch.ones(3, dtype=torch.float64),)),
    ("xlogy", (2.0,)),
    ("index_add", (0, torch.tensor([0, 0]), torch.ones(2, dtype=torch.float64))),
    ("logit", ()),
    ("erf", ()),
    ("sinc", ()),
    ("lgamma", ()),
    ("round", ()),
    ("nan_to_num", ()),
    ("deg2rad", ()),
]
for name, args in calls:
    a = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64, requires_grad=True)
    y = getattr(a, name)(*args)
    (ga,) = torch.autograd.grad((y * torch.tensor([1.0, 2.0, 3.0])).sum(), a)
    b = a.detach().clone().requires_grad_()
    z = b.clone()
    r = getattr(z, name + "_")(*args)
    (gb,) = torch.autograd.grad((z * torch.tensor([1.0, 2.0, 3.0])).sum(), b)
    print(name, r is z, torch.equal(y, z), torch.equal(ga, gb), z._version, y.detach(), ga)
