"""Averaging parameters of several models, soups, and differences."""
import copy
import torch
from torch import nn
def make(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
models = [make(s) for s in range(3)]
print(models[0][0].weight, models[1][1].bias)
soup = copy.deepcopy(models[0])
with torch.no_grad():
    for name, p in soup.named_parameters():
        p.copy_(torch.stack([dict(m.named_parameters())[name] for m in models]).mean(0))
print(soup[0].weight, soup[0].weight.requires_grad, soup[0].weight.grad_fn)
avg = {k: sum(m.state_dict()[k] for m in models) / 3 for k in models[0].state_dict()}
print(torch.allclose(avg["0.weight"], soup[0].weight), avg["1.bias"], avg["1.bias"].requires_grad)
delta = {k: models[1].state_dict()[k] - models[0].state_dict()[k] for k in avg}
merged = copy.deepcopy(models[0])
merged.load_state_dict({k: v + 0.5 * delta[k] for k, v in models[0].state_dict().items()})
x = torch.tensor([[1.0, -1.0]])
print([m(x).item() for m in models], soup(x), merged(x))
print(sum((a - b).pow(2).sum() for a, b in zip(models[0].parameters(), models[1].parameters())))
vec = [nn.utils.parameters_to_vector(m.parameters()) for m in models]
print(torch.stack(vec).std(0).mean(), torch.stack(vec).shape, vec[0].grad_fn.name())
class Ensemble(nn.Module):
    def __init__(self, ms):
        super().__init__()
        self.ms = nn.ModuleList(ms)
    def forward(self, x):
        return torch.stack([m(x) for m in self.ms]).mean(0)
e = Ensemble(models)
e(x).sum().backward()
print(e(x), [m[1].bias.grad for m in models], len(list(e.parameters())))
e.zero_grad()
print(models[0][0].weight.grad, e)
