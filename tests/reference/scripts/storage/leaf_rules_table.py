"""A table of what leaves, results, views and detached tensors permit in each mode."""

import torch
import contextlib


def make(kind):
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    return {
        "leaf": lambda: w,
        "plain": lambda: w.detach().clone(),
        "result": lambda: w * 1,
        "view of leaf": lambda: w[0],
        "view of result": lambda: (w * 1)[0],
        "view of plain": lambda: w.detach().clone()[0],
        "detached": lambda: w.detach(),
        "data": lambda: w.data,
        "unbind": lambda: (w * 1).unbind()[0],
        "split": lambda: (w * 1).split(1)[0],
        "expanded": lambda: (w * 1)[:1].expand(2, 2),
        "parameter": lambda: torch.nn.Parameter(w.detach().clone()),
        "index copy": lambda: w[[0]],
        "chain": lambda: (w * 1).view(4)[1:].view(3, 1),
        "diag": lambda: (w * 1).diagonal(),
        "T": lambda: (w * 1).T,
        "alias": lambda: (w * 1)[...],
        "leaf.T": lambda: w.T,
        "leaf.unbind": lambda: w.unbind()[1],
    }[kind]()


kinds = [
    "leaf",
    "plain",
    "result",
    "view of leaf",
    "view of result",
    "view of plain",
    "detached",
    "data",
    "unbind",
    "split",
    "expanded",
    "parameter",
    "index copy",
    "chain",
    "diag",
    "T",
    "alias",
    "leaf.T",
    "leaf.unbind",
]
writes = {
    "add_": lambda t: t.add_(1),
    "zero_": lambda t: t.zero_(),
    "setitem": lambda t: t.__setitem__(0, 5.0),
    "t_": lambda t: t.t_(),
    "detach_": lambda t: t.detach_(),
    "requires_grad_": lambda t: t.requires_grad_(),
    "requires_grad_ False": lambda t: t.requires_grad_(False),
    "resize_": lambda t: t.resize_(1),
    "data.add_": lambda t: t.data.add_(1),
    "copy_ tracked": lambda t: (
        t.copy_(torch.ones(2, requires_grad=True)) if t.dim() and t.shape[-1] == 2 else "shape"
    ),
    "masked_fill_": lambda t: t.masked_fill_(t > 1, 0.0),
}
for mode in ("grad", "no_grad", "inference"):
    for kind in kinds:
        row = []
        for name, f in writes.items():
            t = make(kind)
            ctx = {
                "grad": contextlib.nullcontext,
                "no_grad": torch.no_grad,
                "inference": torch.inference_mode,
            }[mode]()
            import warnings

            with ctx, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    r = f(t)
                    row.append(
                        r
                        if isinstance(r, str)
                        else f"{int(t.requires_grad)}{int(t.is_leaf)}v{t._version}"
                    )
                except RuntimeError:
                    row.append("X")
        print(f"{mode:9} {kind:15} {' '.join(row)}")
