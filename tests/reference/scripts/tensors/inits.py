"""nn.init: deterministic and seeded."""
import torch
from torch import nn
from torch.nn import init

w = torch.empty(3, 2)
print(init.zeros_(w), init.ones_(w), init.constant_(w, 0.3), init.eye_(torch.empty(2, 3)))
torch.manual_seed(0)
for f in (init.uniform_, init.normal_, init.xavier_uniform_, init.xavier_normal_, init.kaiming_uniform_, init.kaiming_normal_, init.trunc_normal_):
    print(f.__name__, f(torch.empty(2, 3)))
print(init.uniform_(torch.empty(2), a=-3, b=-2), init.normal_(torch.empty(2), mean=5, std=0.1), init.kaiming_uniform_(torch.empty(2, 2), a=0.1, mode="fan_out", nonlinearity="leaky_relu"))
print(init.calculate_gain("relu"), init.calculate_gain("tanh"), init.calculate_gain("leaky_relu", 0.2), init.calculate_gain("linear"), init.calculate_gain("sigmoid"))
p = nn.Parameter(torch.empty(2, 2))
print(init.constant_(p, 2.0) is p, p, p.requires_grad, p._version)
q = init.orthogonal_(torch.empty(3, 3, dtype=torch.float64))
print(torch.allclose(q @ q.T, torch.eye(3, dtype=torch.float64)))
print(init.dirac_(torch.empty(2, 2, 3)))
s = init.sparse_(torch.empty(4, 2), sparsity=0.5)
print((s == 0).sum(0))
for g in (lambda: init.xavier_uniform_(torch.empty(3)), lambda: init.eye_(torch.empty(3)), lambda: init.calculate_gain("nope"), lambda: init.kaiming_uniform_(torch.empty(2, 2), mode="x")):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
torch.manual_seed(1)
lin = nn.Linear(4, 2)
print(lin.weight, lin.bias, lin.weight.abs().max() <= 0.5)
lin.reset_parameters()
print(lin.weight[0], lin.in_features, lin.out_features)
print(nn.Embedding(3, 2).weight, nn.Conv1d(1, 2, 2).weight, nn.LSTMCell(1, 1).weight_ih)
