"""How modules print."""
import torch
from torch import nn

print(nn.Sequential())
print(nn.Sequential(nn.Linear(1, 2)))
print(nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU(), nn.ReLU(inplace=True)]))
class Wrap(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.scale = nn.Parameter(torch.ones(1))
    def extra_repr(self):
        return "scale=1"
print(Wrap(nn.Linear(1, 1)), Wrap(Wrap(nn.ReLU())))
class Multi(nn.Module):
    def extra_repr(self):
        return "first line\nsecond line"
print(Multi(), nn.Sequential(Multi()))
class Named(nn.Module):
    def _get_name(self):
        return "Other"
print(Named())
