"""register_post_accumulate_grad_hook: an optimizer step inside backward."""

import torch

params = [torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor(3.0, requires_grad=True)]
log = []


def step(p):
    log.append((p.is_leaf, p.grad.clone()))
    with torch.no_grad():
        p -= 0.1 * p.grad
    p.grad = None


handles = [p.register_post_accumulate_grad_hook(step) for p in params]
for i in range(2):
    loss = (params[0] ** 2).sum() * params[1]
    loss.backward()
    print(f"{loss.item():.4f}", [p.detach() for p in params], [p.grad for p in params])
print(len(log), log[0][0])
handles[0].remove()
((params[0] * 2).sum() + params[1]).backward()
print(params[0].grad, params[1].grad)
try:
    (params[0] * 2).register_post_accumulate_grad_hook(step)
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.ones(1).register_post_accumulate_grad_hook(step)
except RuntimeError as e:
    print(type(e).__name__)
