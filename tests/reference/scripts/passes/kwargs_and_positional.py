"""All spellings of backward and grad: keywords, positions, defaults."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


def fresh():
    x.grad = None
    return x * x


y = fresh()
y.backward(torch.ones(2), True)
y.backward(gradient=torch.ones(2), retain_graph=True, create_graph=False)
y.backward(torch.ones(2), None, False)
print(x.grad)
y = fresh()
torch.autograd.backward(y, torch.ones(2), True, False)
torch.autograd.backward(
    tensors=[y], grad_tensors=[torch.ones(2)], retain_graph=True, create_graph=False, inputs=[x]
)
print(x.grad)
torch.autograd.backward(y, grad_tensors=torch.ones(2))
print(x.grad)
y = fresh()
print(torch.autograd.grad(y, x, torch.ones(2), True, False, True, False))
print(
    torch.autograd.grad(
        outputs=[y],
        inputs=[x],
        grad_outputs=[torch.ones(2)],
        retain_graph=None,
        create_graph=False,
        allow_unused=None,
    )
)
for bad in (
    lambda: y.backward(grad=torch.ones(2)),
    lambda: torch.autograd.grad(y),
    lambda: torch.autograd.grad(3.0, x),
    lambda: torch.autograd.grad(fresh(), 3.0),
    lambda: torch.autograd.backward(5),
):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__)
torch.Tensor.backward(fresh().sum())
print(x.grad)
torch.autograd.backward((fresh().sum(),), (None,))
torch.autograd.backward([], [])
print(x.grad)
