"""Which calls warn, counted."""
import warnings
import torch
from torch import nn
def count(label, f):
    with warnings.catch_warnings(record=True) as c:
        warnings.simplefilter("always")
        try:
            f()
        except Exception as e:
            print(label, type(e).__name__, end=" ")
    print(label, len(c), sorted({w.category.__name__ for w in c}))
x = torch.ones(2, requires_grad=True)
y = x * 2
count("grad of non-leaf", lambda: y.grad)
count("tensor of tensor", lambda: torch.tensor(x.detach()))
count("tensor of tensor grad", lambda: torch.tensor(x))
count("new_tensor", lambda: x.new_tensor(x))
count("as_tensor", lambda: torch.as_tensor(x))
count("clone detach", lambda: x.clone().detach())
count("float of grad", lambda: float(x[0]))
count("int of grad", lambda: int(x[0]))
count("item", lambda: x[0].item())
count("tolist", lambda: x.tolist())
count("list of grad scalars", lambda: torch.tensor([x[0], x[1]]))
count("mse broadcast", lambda: nn.functional.mse_loss(torch.ones(2, 1), torch.ones(2)))
count("l1 broadcast", lambda: nn.functional.l1_loss(torch.ones(2, 1), torch.ones(2)))
count("T of 3d", lambda: torch.ones(1, 2, 3).T)
count("T of 1d", lambda: torch.ones(3).T)
count("softmax no dim", lambda: nn.functional.softmax(torch.ones(2, 2)))
count("create_graph backward", lambda: (x ** 2).sum().backward(create_graph=True))
count("complex to real", lambda: torch.tensor([1 + 1j]).to(torch.float32))
count("complex to real float()", lambda: torch.tensor([1 + 1j]).float())
count("uint8 mask", lambda: torch.ones(2)[torch.tensor([1, 0], dtype=torch.uint8)])
count("std of one", lambda: torch.ones(1).std())
count("out resize", lambda: torch.add(torch.ones(3), 1, out=torch.empty(2)))
count("out empty", lambda: torch.add(torch.ones(3), 1, out=torch.empty(0)))
count("meshgrid", lambda: torch.meshgrid(torch.ones(2), torch.ones(2)))
count("duplicate params", lambda: torch.optim.SGD([x, x], lr=0.1))
count("floor_divide", lambda: torch.floor_divide(torch.tensor([3]), 2))
count("sigmoid functional", lambda: nn.functional.sigmoid(torch.ones(1)))
count("tanh functional", lambda: nn.functional.tanh(torch.ones(1)))
count("inplace view of leaf", lambda: x[0].add_(1))
count("nothing", lambda: x + 1)
count("from numpy readonly", lambda: torch.from_numpy(__import__("numpy").broadcast_to(1.0, (2,))))
count("clip grad", lambda: nn.utils.clip_grad_norm_([x], 1.0))
count("load", lambda: None)
count("nn.Linear zero", lambda: nn.Linear(0, 1))
count("kl mean", lambda: nn.functional.kl_div(torch.zeros(2), torch.ones(2), reduction="mean"))
