"""In-place random and filling methods on leaves and non-leaves."""
import torch

torch.manual_seed(0)
t = torch.empty(2, 3)
print(t.zero_(), t.fill_(2), t.uniform_(), t.normal_(), t.uniform_(2, 3), t.normal_(5, 0.1), t.random_(0, 5), t.bernoulli_(0.3), t.exponential_(2), t.geometric_(0.5), t.log_normal_(), t.cauchy_())
i = torch.empty(4, dtype=torch.int64)
print(i.random_(10), i.random_(5, 8), i.zero_(), i.fill_(3))
b = torch.empty(5, dtype=torch.bool).random_(0, 2)
print(b.dtype, b.shape)
w = torch.empty(2, requires_grad=True)
for name, f in {"uniform_": lambda: w.uniform_(), "zero_": lambda: w.zero_(), "fill_": lambda: w.fill_(1), "normal_": lambda: w.normal_(), "data": lambda: w.data.uniform_(), "detach": lambda: w.detach().zero_()}.items():
    try:
        f()
        print(name, "ok")
    except Exception as e:
        print(name, type(e).__name__)
with torch.no_grad():
    w.uniform_(-1, 1)
print(w, w._version, w.is_leaf)
h = w * 2
h.fill_(3)
print(h)
h.sum().backward()
print(w.grad)
h = w * 2
h.zero_()
print(h, type(h.grad_fn).__name__)
h = w * 2
h.uniform_()
print(h.requires_grad, type(h.grad_fn).__name__)
h.sum().backward()
print(w.grad)
e = torch.empty(3).new_empty(2).fill_(1.5)
print(e, torch.empty(2, 2).copy_(torch.eye(2)), torch.empty(0).resize_(2, 2).fill_(1), torch.Tensor(2, 2).zero_())
print(torch.zeros(3).index_add_(0, torch.tensor([0, 0, 2]), torch.ones(3)), torch.zeros(2, 3).scatter_(1, torch.tensor([[0], [2]]), 1.0), torch.zeros(3).masked_fill_(torch.tensor([True, False, True]), 7), torch.zeros(4).put_(torch.tensor([1, 3]), torch.tensor([5.0, 6.0])))
print(torch.ones(2, 2).addmm_(torch.eye(2), torch.eye(2)), torch.ones(2).addcdiv_(torch.ones(2), torch.tensor([2.0, 4.0])), torch.tensor([1.0, -2.0]).clamp_(0), torch.tensor([1.7]).trunc_(), torch.tensor([1.0, 2.0]).lerp_(torch.zeros(2), 0.25), torch.tensor([4.0]).sqrt_(), torch.tensor([1.0]).exp_(), torch.tensor([0.5]).logit_(), torch.tensor([3.0, 4.0]).renorm_(2, 0, 1.0) if False else "")
