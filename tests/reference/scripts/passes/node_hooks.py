"""Hooks of nodes: register_hook and register_prehook of grad_fn."""

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b


def after(grad_inputs, grad_outputs):
    print("after", grad_inputs, grad_outputs)


def before(grad_outputs):
    print("before", grad_outputs)
    return (grad_outputs[0] * 2,)


h1 = c.grad_fn.register_hook(after)
h2 = c.grad_fn.register_prehook(before)
c.sum().backward(retain_graph=True)
print(a.grad, b.grad)
h2.remove()
a.grad = b.grad = None
h3 = c.grad_fn.register_hook(lambda gi, go: (gi[0] * 0, gi[1]))
c.sum().backward(retain_graph=True)
print(a.grad, b.grad)
h1.remove()
h3.remove()
c.sum().backward()
print(a.grad, b.grad)
