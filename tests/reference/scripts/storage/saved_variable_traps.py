"""Which values backward uses after operands are changed behind autograd's back."""

import torch


def attempt(name, f):
    try:
        print(name, f())
    except RuntimeError:
        print(name, "RuntimeError")


def case(write, op=lambda a, b: a * b):
    a = torch.tensor([2.0], requires_grad=True)
    b = torch.tensor([3.0], requires_grad=True)
    c, d = a * 1, b * 1
    y = op(c, d)
    write(c, d, y)
    y.backward()
    return round(a.grad.item(), 5), round(b.grad.item(), 5)


attempt("nothing", lambda: case(lambda c, d, y: None))
attempt("data write", lambda: case(lambda c, d, y: c.data.fill_(10)))
attempt("detach write", lambda: case(lambda c, d, y: c.detach().fill_(10)))
attempt("no_grad write", lambda: case(lambda c, d, y: torch.no_grad()(lambda: c.fill_(10))()))
attempt("numpy write", lambda: case(lambda c, d, y: c.detach().numpy().fill(10)))
attempt("view write", lambda: case(lambda c, d, y: c[0:1].mul_(2)))
attempt("write other", lambda: case(lambda c, d, y: d.add_(1)))
attempt("write result", lambda: case(lambda c, d, y: y.add_(1)))
attempt("add write", lambda: case(lambda c, d, y: c.add_(1), lambda a, b: a + b))
attempt("div write divisor", lambda: case(lambda c, d, y: d.add_(1), lambda a, b: a / b))
attempt("div write dividend", lambda: case(lambda c, d, y: c.add_(1), lambda a, b: a / b))
attempt("pow write base", lambda: case(lambda c, d, y: c.add_(1), lambda a, b: a**b))
attempt("max write", lambda: case(lambda c, d, y: c.add_(1), torch.maximum))
attempt("atan2", lambda: case(lambda c, d, y: d.zero_(), torch.atan2))
attempt("lerp", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: a.lerp(b, 0.3)))
attempt(
    "lerp t", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: torch.lerp(a, b, a.detach()))
)
attempt("where", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: torch.where(a > b, a, b)))
attempt("cat", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: torch.cat([a, b]).sum()))
attempt(
    "stack prod", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: torch.stack([a, b]).prod())
)
attempt("matmul", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: a @ b))
attempt("outer", lambda: case(lambda c, d, y: d.zero_(), lambda a, b: torch.outer(a, b).sum()))
attempt("addcmul", lambda: case(lambda c, d, y: d.zero_(), lambda a, b: torch.addcmul(a, b, b)))
attempt(
    "addcmul self", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: torch.addcmul(a, b, b))
)
attempt("mse", lambda: case(lambda c, d, y: c.zero_(), torch.nn.functional.mse_loss))
attempt("clamp t", lambda: case(lambda c, d, y: d.zero_(), lambda a, b: a.clamp(max=b)))
attempt("masked", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: a.masked_fill(a > 5, 0) + b))
attempt("index", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: a[[0, 0]].sum() * b))
attempt("expand", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: (a.expand(3) + b).sum()))
attempt("norm", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: torch.cat([a, b]).norm()))
attempt("dist", lambda: case(lambda c, d, y: c.zero_(), lambda a, b: (a - b).abs().sum()))
attempt("hypot", lambda: case(lambda c, d, y: y.zero_(), torch.hypot))
attempt("sqrt out", lambda: case(lambda c, d, y: y.zero_(), lambda a, b: (a + b).sqrt()))
attempt("sigmoid out", lambda: case(lambda c, d, y: y.zero_(), lambda a, b: (a + b).sigmoid()))
attempt(
    "softplus",
    lambda: case(lambda c, d, y: y.zero_(), lambda a, b: torch.nn.functional.softplus(a + b)),
)
attempt("sum out", lambda: case(lambda c, d, y: y.zero_(), lambda a, b: (a * b).sum()))
attempt("mean out", lambda: case(lambda c, d, y: y.mul_(3), lambda a, b: (a + b).mean()))
attempt("prod out", lambda: case(lambda c, d, y: y.mul_(3), lambda a, b: torch.cat([a, b]).prod()))
attempt(
    "cumsum out",
    lambda: case(lambda c, d, y: None, lambda a, b: torch.cat([a, b]).cumsum(0).mul_(2).sum()),
)
attempt(
    "cumprod",
    lambda: case(lambda c, d, y: None, lambda a, b: torch.cat([a, b]).cumprod(0).mul_(2).sum()),
)
attempt("exp mul_", lambda: case(lambda c, d, y: None, lambda a, b: a.exp().mul_(b)))
attempt("sin add_", lambda: case(lambda c, d, y: None, lambda a, b: a.sin().add_(b)))
attempt("mul mul_", lambda: case(lambda c, d, y: None, lambda a, b: (a * b).mul_(b)))
attempt("mul_ self", lambda: case(lambda c, d, y: None, lambda a, b: (a * b).mul_(a * b)))
attempt("square_", lambda: case(lambda c, d, y: None, lambda a, b: (a * b).square_()))
attempt("abs_ sqrt_", lambda: case(lambda c, d, y: None, lambda a, b: (a * b).abs_().sqrt_()))
attempt(
    "softmax_",
    lambda: case(lambda c, d, y: None, lambda a, b: torch.cat([a, b]).softmax(0).mul_(2)[0]),
)
attempt("relu_ relu_", lambda: case(lambda c, d, y: None, lambda a, b: (a * b).relu_().relu_()))
attempt("tanh_ neg_", lambda: case(lambda c, d, y: None, lambda a, b: (a * b).tanh_().neg_()))
attempt(
    "fill_ b", lambda: case(lambda c, d, y: None, lambda a, b: (a * b).fill_(0).add_(b) + 0 * a)
)
attempt(
    "reciprocal_ rsqrt_",
    lambda: case(lambda c, d, y: None, lambda a, b: (a * b).reciprocal_().rsqrt_()),
)
attempt(
    "clamp_ pow_",
    lambda: case(lambda c, d, y: None, lambda a, b: (a * b).clamp_(0, 5).pow_(2) + a * 0 + b * 0),
)
