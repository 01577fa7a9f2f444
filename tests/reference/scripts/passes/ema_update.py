"""An exponential moving average of parameters, a frozen teacher."""

import copy
import torch
from torch import nn

student = nn.Linear(2, 1)
with torch.no_grad():
    student.weight.copy_(torch.tensor([[1.0, -1.0]]))
    student.bias.fill_(0.5)
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad_(False)


@torch.no_grad()
def update(decay):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.mul_(decay).add_(s, alpha=1 - decay)


x = torch.tensor([[1.0, 2.0], [0.0, 1.0]])
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(3):
    loss = (student(x) - teacher(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    update(0.9)
    print(step, f"{loss.item():.4f}", teacher.weight.data, [p.grad for p in teacher.parameters()])
print(teacher.weight.requires_grad, teacher.weight.is_leaf)
