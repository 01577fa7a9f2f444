"""All ways to take a tensor apart."""

import torch

x = torch.arange(10)
show = lambda ps: print([p.tolist() for p in ps], type(ps).__name__)
show(x.split(3))
show(x.split([1, 2, 7]))
show(torch.split(x, 5))
show(x.split(split_size=4)) if False else None
show(x.chunk(3))
show(x.chunk(20))
show(torch.chunk(x, chunks=4, dim=0))
show(x.tensor_split(3))
show(x.tensor_split((2, 5)))
show(x.tensor_split(torch.tensor([4])))
show(x.view(5, 2).unbind())
show(torch.unbind(x.view(5, 2), dim=1))
m = torch.arange(12).view(2, 6)
show(m.hsplit(2))
show(m.vsplit([1]))
show(torch.arange(8).view(2, 2, 2).dsplit(2))
show(m.split(4, 1))
show(m.split((2, 4), dim=-1))
show(m.chunk(2, -1))
show(torch.split_with_sizes(m, [1, 5], dim=1))
show(m.split_with_sizes([1, 1]))
for bad in (
    lambda: x.split([1, 2]),
    lambda: x.split(0),
    lambda: x.split(-1),
    lambda: x.chunk(0),
    lambda: x.split(2, 1),
    lambda: x.hsplit(3),
    lambda: x.vsplit(2),
    lambda: torch.tensor(1).unbind(),
    lambda: torch.tensor(1).split(1),
    lambda: x.tensor_split(0),
    lambda: m.hsplit(4),
    lambda: x.split([5, 6, -1]),
):
    try:
        print(len(bad()))
    except Exception as e:
        print(type(e).__name__)
w = torch.arange(6.0, requires_grad=True)
a, b = w.split([2, 4])
print(a.grad_fn, b.grad_fn is a.grad_fn, a._base is w, a.output_nr, b.output_nr)
(a.sum() * 2 + (b**2).sum()).backward()
print(w.grad)
w.grad = None
p, q, r = w.view(3, 2).unbind()
print(p.grad_fn, r.output_nr)
q.sum().backward()
print(w.grad)
c = w.chunk(2)
print(c[0].grad_fn, c[1].storage_offset(), c[1]._version)
u = w.unsafe_split(3)
print(u[0].grad_fn, u[0]._is_view())
u[0].mul_(2)
print(u, torch.unsafe_chunk(w, 2)[1])
d = torch.arange(4.0)
l, h = d.chunk(2)
l += h
print(d, [t._version for t in (d, l, h)])
