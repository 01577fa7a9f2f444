"""Binary in-place methods with tensors, numbers, broadcasting."""

import torch

x = torch.tensor([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]], dtype=torch.float64)
r = torch.tensor([2.0, 0.5, -1.5], dtype=torch.float64)
for n in "add sub mul div pow fmod remainder floor_divide true_divide multiply divide subtract copysign hypot atan2 nextafter xlogy float_power arctan2 eq ne lt le gt ge greater less not_equal logical_and logical_or logical_xor heaviside ldexp".split():
    row = []
    for other in (
        r,
        r[:, None][:2] if False else r.clone(),
        2.0,
        torch.tensor(0.5, dtype=torch.float64),
    ):
        t = x.abs().clone() if n in ("pow", "float_power", "xlogy") else x.clone()
        try:
            out = getattr(t, n + "_")(other)
            row.append((out is t, [round(v, 3) for v in out.flatten().tolist()], str(out.dtype)))
        except Exception as e:
            row.append(type(e).__name__)
    print(n, row)
for n in ("add", "mul", "div", "pow", "sub"):
    for a, b in (
        (torch.zeros(3), torch.zeros(2, 3)),
        (torch.zeros(1, 3), torch.zeros(2, 3)),
        (torch.zeros(2, 1), torch.zeros(3)),
        (torch.tensor(0.0), torch.zeros(1)),
        (torch.zeros(1), torch.tensor(2.0)),
        (torch.zeros(0), torch.zeros(1)),
        (torch.zeros(0), torch.zeros(2)),
    ):
        try:
            print(n, getattr(a, n + "_")(b).shape)
        except RuntimeError:
            print(n, "RuntimeError", a.shape, a._version)
i = torch.tensor([6, 7])
for n, o in (
    ("bitwise_and", 3),
    ("bitwise_or", torch.tensor(8)),
    ("fmod", 4),
    ("remainder", -4),
    ("floor_divide", 4),
    ("mul", 3),
    ("clamp_min", 7),
    ("add", True),
    ("pow", 2),
    ("copysign", -1),
):
    t = i.clone()
    try:
        print(n, getattr(t, n + "_")(o))
    except Exception as e:
        print(n, type(e).__name__)
