"""clip_grad_norm_, clip_grad_value_, parameters_to_vector."""
import torch
from torch import nn

p = nn.Parameter(torch.tensor([3.0, 4.0]))
q = nn.Parameter(torch.tensor([[1.0]]))
r = nn.Parameter(torch.tensor([1.0]))
def fresh():
    p.grad, q.grad, r.grad = torch.tensor([3.0, 4.0]), torch.tensor([[12.0]]), None
fresh()
print(nn.utils.clip_grad_norm_([p, q, r], 1.0), p.grad, q.grad, r.grad)
fresh()
print(nn.utils.clip_grad_norm_([p, q], max_norm=100.0), p.grad)
fresh()
print(nn.utils.clip_grad_norm_(p, 2.5, norm_type=2), p.grad)
fresh()
print(nn.utils.clip_grad_norm_([p, q], 6.0, norm_type=float("inf")), p.grad, q.grad)
fresh()
print(nn.utils.clip_grad_norm_([p, q], 1.0, norm_type=1), p.grad)
fresh()
print(nn.utils.clip_grad_value_([p, q, r], 3.5), p.grad, q.grad)
p.grad = torch.tensor([float("nan"), 1.0])
print(nn.utils.clip_grad_norm_([p], 1.0), p.grad)
p.grad = torch.tensor([float("inf"), 1.0])
try:
    nn.utils.clip_grad_norm_([p], 1.0, error_if_nonfinite=True)
except RuntimeError as e:
    print(type(e).__name__)
print(nn.utils.clip_grad_norm_([r], 1.0), nn.utils.clip_grad_norm_([], 1.0))
v = nn.utils.parameters_to_vector([p, q, r])
print(v)
nn.utils.vector_to_parameters(torch.arange(4.0), [p, q, r])
print(p, q, r)
fresh()
total = torch.sqrt(sum((t.grad ** 2).sum() for t in (p, q)))
print(total, torch.norm(torch.stack([torch.norm(t.grad) for t in (p, q)])))
print(nn.utils.get_total_norm([p.grad, q.grad]) if hasattr(nn.utils, "get_total_norm") else "")
