"""Hooks on the AccumulateGrad node of a leaf."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * 3
acc = y.grad_fn.next_functions[0][0]
print(type(acc).__name__, acc.variable is w, acc.name())
log = []
acc.register_hook(lambda gi, go: log.append(("post", len(gi), go[0].tolist(), w.grad.tolist())))
acc.register_prehook(lambda go: log.append(("pre", go[0].tolist(), w.grad)))
w.register_hook(lambda g: log.append(("tensor", g.tolist())))
w.register_post_accumulate_grad_hook(lambda p: log.append(("post-acc", p.grad.tolist())))
y.sum().backward()
for entry in log:
    print(entry)

# another graph finds the same node as long as it is held
z = (w * 2).grad_fn.next_functions[0][0]
print(z is acc)
