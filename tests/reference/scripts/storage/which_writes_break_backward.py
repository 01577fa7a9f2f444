"""Backward refuses when a saved tensor was modified; and where it need not."""

import torch


def attempt(name, f, write):
    x = torch.tensor([0.5, 1.5], requires_grad=True)
    a = x * 1
    y = f(a)
    try:
        write(a, y)
        y.sum().backward()
        print(name, [round(v, 5) for v in x.grad.tolist()])
    except RuntimeError as e:
        print(
            name, "RuntimeError", "modified by an inplace operation" in str(e), "version" in str(e)
        )


attempt("sin input", lambda a: a.sin(), lambda a, y: a.add_(1))
attempt("exp input", lambda a: a.exp(), lambda a, y: a.add_(1))
attempt("exp output", lambda a: a.exp(), lambda a, y: y.add_(1))
attempt("tanh output", lambda a: a.tanh(), lambda a, y: y.mul_(2))
attempt("sigmoid input", lambda a: a.sigmoid(), lambda a, y: a.zero_())
attempt("add input", lambda a: a + a, lambda a, y: a.zero_())
attempt("mul input", lambda a: a * a, lambda a, y: a.zero_())
attempt("mul const", lambda a: a * 3, lambda a, y: a.zero_())
attempt("relu output", lambda a: a.relu(), lambda a, y: y.add_(1))
attempt("relu input", lambda a: a.relu(), lambda a, y: a.add_(1))
attempt("sqrt output", lambda a: a.sqrt(), lambda a, y: y[0].zero_())
attempt("sqrt input", lambda a: a.sqrt(), lambda a, y: a[0].zero_())
attempt("clamp input", lambda a: a.clamp(0, 1), lambda a, y: a.add_(1))
attempt("pow input", lambda a: a**2, lambda a, y: a.view(2, 1).add_(1))
attempt("pow1 input", lambda a: a**1, lambda a, y: a.add_(1))
attempt("data hides it", lambda a: a.sin(), lambda a, y: a.data.add_(1))
attempt("detach does not", lambda a: a.sin(), lambda a, y: a.detach().add_(1))
attempt("max", lambda a: a.max(), lambda a, y: a.add_(1))
attempt("sum", lambda a: a.sum(), lambda a, y: a.add_(1))
attempt("prod", lambda a: a.prod(), lambda a, y: a.add_(1))
attempt("norm", lambda a: a.norm(), lambda a, y: a.add_(1))
attempt("softmax out", lambda a: a.softmax(0), lambda a, y: y.add_(1))
attempt("abs", lambda a: a.abs(), lambda a, y: a.neg_())
attempt("div", lambda a: 1 / a, lambda a, y: a.add_(1))
attempt("index", lambda a: a[[0, 0]], lambda a, y: a.add_(1))
