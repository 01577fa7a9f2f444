"""A subclass of torch.Tensor made by as_subclass."""

import torch


class Tagged(torch.Tensor):
    tag = "none"

    def shout(self):
        return f"{type(self).__name__}:{self.tag}"


x = torch.ones(2).as_subclass(Tagged)
print(type(x).__name__, x.shout(), isinstance(x, torch.Tensor), x.tolist())
x.tag = "mine"
print(x.tag, Tagged.tag, x.shape, x.sum().item())
p = torch.nn.Parameter(torch.ones(1))
p.note = "attribute"
print(p.note, hasattr(p.data, "note"))
t = torch.zeros(1)
t.anything = [1, 2]
print(t.anything, t.__dict__)
