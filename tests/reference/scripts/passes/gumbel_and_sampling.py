"""Differentiable relaxations: soft and hard selections with a straight-through gradient."""

import torch

logits = torch.tensor([[1.0, 2.0, 0.5]], requires_grad=True)
noise = torch.tensor([[0.1, -0.3, 0.7]])
for tau in (1.0, 0.1):
    soft = ((logits + noise) / tau).softmax(-1)
    index = soft.max(-1, keepdim=True)[1]
    hard = torch.zeros_like(logits).scatter_(-1, index, 1.0)
    st = hard - soft.detach() + soft
    logits.grad = None
    (st * torch.tensor([[1.0, 2.0, 3.0]])).sum().backward()
    print(tau, index, st.detach().round(), logits.grad)
emb = torch.arange(6.0).reshape(3, 2).requires_grad_()
picked = st.detach() @ emb
picked.sum().backward()
print(emb.grad)
