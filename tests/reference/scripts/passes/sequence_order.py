"""Sequence numbers of nodes order them as they were recorded."""
import torch

x = torch.ones(2, requires_grad=True)
a = x * 2
b = a + 1
c = b.exp()
d = (a * c).sum()
fns = [t.grad_fn for t in (a, b, c, d)]
nums = [f._sequence_nr() for f in fns]
print(nums == sorted(nums), len(set(nums)) == 4, nums[-1] - nums[0])
order = []
for n, t in zip("abcd", (a, b, c, d)):
    t.grad_fn.register_prehook(lambda g, n=n: order.append(n))
d.backward(retain_graph=True)
print(order)
order.clear()
torch.autograd.grad(d, b, retain_graph=True)
print(order)
order.clear()
torch.autograd.backward([c.sum(), a.sum()], retain_graph=True)
print(order)
order.clear()
left = x * 3
right = x * 5
left2 = left.exp()
for n, t in (("left", left), ("right", right), ("left2", left2)):
    t.register_hook(lambda g, n=n: order.append(n))
x.register_hook(lambda g: order.append("x"))
(right * left2).sum().backward()
print(order)
order.clear()
y = x.clone()
y.mul_(2)
y.register_hook(lambda g: order.append("y after"))
z = y * y
z.register_hook(lambda g: order.append("z"))
w = x.sin()
w.register_hook(lambda g: order.append("w"))
(z + w).sum().backward()
print(order)
acc = a.grad_fn.next_functions[0][0]
print(acc._sequence_nr() > nums[-1], acc._sequence_nr() == (x + 1).grad_fn.next_functions[0][0]._sequence_nr())
