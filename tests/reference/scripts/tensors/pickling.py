"""pickle of tensors, parameters, modules and sizes."""

import pickle

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.register_buffer("count", torch.tensor(3))

    def forward(self, x):
        return self.fc(x) * self.count


for t in (torch.tensor([1.0, 2.0]), torch.tensor(3), torch.ones(2, requires_grad=True), torch.zeros(0, 2), torch.tensor([True]), torch.arange(6).view(2, 3).t(),
          torch.tensor([1.5], dtype=torch.float16), torch.tensor([1 + 1j]), torch.tensor([1.5], dtype=torch.bfloat16)):
    u = pickle.loads(pickle.dumps(t))
    print(u, u.dtype, u.requires_grad, u.stride(), torch.equal(t, u))
p = pickle.loads(pickle.dumps(nn.Parameter(torch.ones(1))))
print(p, type(p).__name__)
net = Net()
back = pickle.loads(pickle.dumps(net))
print(torch.equal(back.fc.weight, net.fc.weight), back.count, back.training)
print(pickle.loads(pickle.dumps(torch.Size([1, 2]))), pickle.loads(pickle.dumps(torch.float32)) is torch.float32, pickle.loads(pickle.dumps(torch.device("cpu"))))
