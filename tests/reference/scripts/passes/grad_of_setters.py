"""In-place fills of rows, masks and diagonals, and where gradients flow."""
import torch

a = torch.arange(9.0).view(3, 3).requires_grad_()
v = torch.tensor([10.0, 20.0, 30.0], requires_grad=True)
s = torch.tensor(5.0, requires_grad=True)


def show(name, f):
    try:
        t = a.clone()
        r = f(t)
        t = t if r is None else r
        ga, gv, gs = torch.autograd.grad((t * torch.arange(1.0, 10.0).view(3, 3)).sum(), (a, v, s), allow_unused=True)
        print(name, t.grad_fn.name(), ga.tolist(), None if gv is None else gv.tolist(), gs)
    except Exception as e:
        print(name, type(e).__name__)


show("row", lambda t: t.__setitem__(0, v))
show("col", lambda t: t.__setitem__((slice(None), 1), v))
show("scalar", lambda t: t.__setitem__((1, 1), s))
show("number", lambda t: t.__setitem__(2, 7.0))
show("mask", lambda t: t.__setitem__(t > 4, 0.0))
show("mask tensor", lambda t: t.__setitem__(t.detach() % 2 == 0, s))
show("mask vec", lambda t: t.__setitem__(torch.eye(3).bool(), v))
show("index list", lambda t: t.__setitem__([0, 2], v))
show("index pair", lambda t: t.__setitem__(([0, 1, 2], [2, 1, 0]), v))
show("step", lambda t: t.__setitem__((slice(None, None, 2), 0), s))
show("ellipsis", lambda t: t.__setitem__((..., -1), v))
show("none", lambda t: t.__setitem__((None, 0), v))
show("fill_", lambda t: t.fill_(s))
show("fill row", lambda t: t[1].fill_(s).sum() and None)
show("copy_", lambda t: t.copy_(v))
show("copy row", lambda t: t[0].copy_(v) is None)
show("masked_fill_", lambda t: t.masked_fill_(torch.tensor([True, False, True]), s))
show("masked_scatter_", lambda t: t.masked_scatter_(torch.eye(3).bool(), v))
show("index_fill_", lambda t: t.index_fill_(0, torch.tensor([1]), s))
show("index_copy_", lambda t: t.index_copy_(0, torch.tensor([1]), v[None]))
show("index_add_", lambda t: t.index_add_(1, torch.tensor([0, 0]), torch.stack([v, v], 1), alpha=2))
show("index_put_", lambda t: t.index_put_((torch.tensor([0, 0]),), v, accumulate=True))
show("scatter_", lambda t: t.scatter_(1, torch.tensor([[0], [1], [2]]), v[:, None]))
show("scatter_add_", lambda t: t.scatter_add_(0, torch.tensor([[0, 1, 2]]), v[None]))
show("diag", lambda t: t.diagonal().copy_(v) is None)
show("zero diagonal", lambda t: t.diagonal().zero_() is None)
show("tril_", lambda t: t.tril_())
show("addcmul_", lambda t: t.addcmul_(v, v, value=0.5))
show("lerp_", lambda t: t.lerp_(v.expand(3, 3), 0.25))
show("t view", lambda t: t.t()[0].mul_(s) is None)
show("view1d", lambda t: t.view(-1)[::4].zero_() is None)
show("swap", lambda t: t.__setitem__([0, 1], t[[1, 0]]))
show("self add", lambda t: t.add_(t))
show("self slice", lambda t: t[0].add_(t[1]) is None)
show("clamp_", lambda t: t.clamp_(1, 6))
show("where", lambda t: torch.where(t > 3, t, s))
show("wrong shape", lambda t: t.__setitem__(0, torch.ones(2)))
show("wrong dtype", lambda t: t.__setitem__(0, torch.ones(3, dtype=torch.complex64)))
show("double", lambda t: t.__setitem__(0, v.double()))
show("range", lambda t: t.__setitem__(5, v))
