"""autograd.backward with several roots."""
import torch
from torch.autograd import backward

x = torch.tensor([1.0, 2.0], requires_grad=True)
a, b = (x * 2).sum(), x ** 3
backward((a, b), (None, torch.tensor([1.0, 10.0])))
print(x.grad)
x.grad = None
backward([x.sum(), x.prod(), x.max()])
print(x.grad)
x.grad = None
backward(x.sum(), torch.tensor(4.0))
print(x.grad)
x.grad = None
y = x.exp()
backward([y, y], [torch.ones(2), torch.full((2,), 2.0)])
print(x.grad)
x.grad = None
y = x * x
backward([y.sum(), (y * 3).sum()], retain_graph=True)
backward(tensors=[y.sum()], grad_tensors=[None])
print(x.grad)
for roots, grads in (([x * 1], None), ([x.sum(), x * 1], [None]), ([x.sum(), torch.ones(())], None),
                     ([], None), ([x * 1, x * 2], [None, None])):
    try:
        backward(roots, grads)
        print("done", x.grad)
    except Exception as e:
        print(type(e).__name__)
x.grad = None
gen = (v * 2 for v in x.unbind())
try:
    backward(tuple(gen))
    print(x.grad)
except Exception as e:
    print(type(e).__name__)
x.grad = None
backward([x, x.sum()], [torch.tensor([5.0, 5.0]), None], create_graph=False, inputs=[x])
print(x.grad)
try:
    backward(x.sum(), grad_variables=torch.tensor(2.0))
    print(x.grad)
except Exception as e:
    print(type(e).__name__)
