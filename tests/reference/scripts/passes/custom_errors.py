"""What custom functions may not do."""

import torch
from torch.autograd import Function

x = torch.ones(2, requires_grad=True)


def make(backward, forward=lambda ctx, x: x * 2):
    return type(
        "Made", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    )


def attempt(label, fn):
    try:
        fn()
        print(label, "fine")
    except Exception as e:
        print(label, type(e).__name__)


attempt("too many", lambda: make(lambda ctx, g: (g, g)).apply(x).sum().backward())
attempt("trailing none", lambda: make(lambda ctx, g: (g, None)).apply(x).sum().backward())
attempt(
    "too few", lambda: make(lambda ctx, g: g, lambda ctx, a, b: a * b).apply(x, x).sum().backward()
)
attempt("shape", lambda: make(lambda ctx, g: torch.ones(3)).apply(x).sum().backward())
attempt("broadcast", lambda: make(lambda ctx, g: torch.ones(1)).apply(x).sum().backward())
attempt("larger", lambda: make(lambda ctx, g: torch.ones(5, 2)).apply(x).sum().backward())
attempt("number", lambda: make(lambda ctx, g: 1.0).apply(x).sum().backward())
attempt("dtype", lambda: make(lambda ctx, g: g.double()).apply(x).sum().backward())
attempt(
    "no backward",
    lambda: (
        type("F", (Function,), {"forward": staticmethod(lambda ctx, x: x * 1)})
        .apply(x)
        .sum()
        .backward()
    ),
)
attempt("no forward", lambda: type("F", (Function,), {}).apply(x))
attempt(
    "save text",
    lambda: make(lambda ctx, g: g, lambda ctx, x: (ctx.save_for_backward("a"), x * 2)[1]).apply(x),
)
attempt(
    "for constant",
    lambda: make(lambda ctx, g: (g, g), lambda ctx, x, k: x * k).apply(x, 2.0).sum().backward(),
)
attempt("raises", lambda: make(lambda ctx, g: 1 / 0).apply(x).sum().backward())
attempt(
    "freed",
    lambda: [
        t.sum().backward()
        for t in [
            make(
                lambda ctx, g: g * ctx.saved_tensors[0],
                lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1],
            ).apply(x)
        ]
        * 2
    ],
)
print(x.grad)
