"""Warnings that passes give."""
import warnings
import torch


def run(f):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            r = f()
        except Exception as e:
            r = type(e).__name__
    return r, [w.category.__name__ for w in seen]


x = torch.tensor([1.0, 2.0], requires_grad=True)
print(run(lambda: torch.tensor(x)))
print(run(lambda: torch.tensor(x.detach(), requires_grad=True)))
print(run(lambda: x.new_tensor(x)))
print(run(lambda: torch.as_tensor(x) is x))
print(run(lambda: float((x * 2)[0])))
print(run(lambda: (x * 2)[0].item()))
print(run(lambda: int(x[0])))
print(run(lambda: x.backward(torch.ones(2), create_graph=True)))
x.grad = None
print(run(lambda: torch.nn.functional.mse_loss(x, torch.ones(1)).shape))
print(run(lambda: torch.nn.functional.softmax(x)))
print(run(lambda: x.T))
print(run(lambda: torch.tensor(1.0).T))
print(run(lambda: torch.ones(2, 3, 4).T.shape))
print(run(lambda: torch.autograd.Variable(x)))
print(run(lambda: torch.autograd.grad(x.sum(), x, only_inputs=False)))
print(run(lambda: torch.meshgrid(x, x)[0].shape))
print(run(lambda: torch.std(torch.ones(1))))
print(run(lambda: torch.complex(x, x).real.shape))
print(run(lambda: torch.complex(x, x).detach().to(torch.float32)))
print(run(lambda: x.detach().numpy()))
print(run(lambda: torch.set_grad_enabled(True)))
print(run(lambda: torch.floor_divide(x, 2)))
print(run(lambda: torch.nn.utils.clip_grad_norm_([x], 1.0)))
print(run(lambda: torch.from_numpy(__import__("numpy").broadcast_to(__import__("numpy").zeros(1), (2,))).shape))
