"""Names of the nodes of many operations."""
import torch
import torch.nn.functional as F

x = torch.rand(3, 4).requires_grad_()
v = torch.rand(4).requires_grad_()
m = torch.rand(2, 3, 4).requires_grad_()
ops = [
    x + 1, x - 1, 1 - x, x * 2, x / 2, 2 / x, x // 2, x % 2, -x, x ** 2, 2 ** x, x ** x, abs(x), x @ v, v @ v,
    x @ x.t(), m @ v, m.bmm(m.mT), x.t(), x.T, x.mT, x[0], x[:, 1], x[None], x[..., 0:2], x[[0, 1]], x[x > 0.5],
    x.view(4, 3), x.reshape(-1), x.flatten(), x.ravel(), x.squeeze(), x.unsqueeze(0), x.permute(1, 0),
    x.expand(2, 3, 4), x.repeat(2, 1), x.sum(), x.sum(0), x.mean(), x.mean(1), x.std(), x.var(0), x.max(),
    x.max(0)[0], x.min(), x.amax(1), x.prod(), x.prod(0), x.norm(), x.norm(dim=1), x.cumsum(0), x.cumprod(1),
    x.sort()[0], x.topk(2)[0], x.exp(), x.log(), x.sin(), x.tanh(), x.sigmoid(), x.relu(), x.softmax(1),
    x.log_softmax(1), x.logsumexp(1), F.gelu(x), F.elu(x), F.leaky_relu(x), F.silu(x), F.softplus(x),
    F.hardtanh(x), x.clamp(0, 1), x.clamp(min=0.1), x.where(x > 0.5, torch.tensor(0.0)), torch.cat([x, x]),
    torch.stack([x, x]), x.chunk(2)[0], x.split(1)[0], x.unbind()[0], x.clone(), x.double(), x.half(),
    x.contiguous(), x.t().contiguous(), x.to(torch.float64), x.triu(), x.tril(), x.diag(), x.diagonal(), x.flip(0),
    x.roll(1), x.gather(0, torch.zeros(1, 4, dtype=torch.long)), x.index_select(0, torch.tensor([0])),
    x.masked_fill(x > 0, 0), x.masked_select(x > 0), torch.einsum("ij,ij->i", x, x), torch.outer(v, v),
    torch.addmm(x, x, torch.eye(4)), F.linear(x, x), F.mse_loss(x, x * 2), F.l1_loss(x, x * 2),
    F.cross_entropy(x, torch.tensor([0, 1, 2])), F.layer_norm(x, (4,)), F.dropout(x, 0.5), F.normalize(x),
    torch.maximum(x, x), torch.atan2(x, x), torch.hypot(x, x), torch.lerp(x, x, 0.5), torch.addcmul(x, x, x),
    x.movedim(0, 1), x.swapaxes(0, 1), x.narrow(0, 0, 1), x.select(0, 0), x.median(), x.kthvalue(1)[0], x.mode()[0],
    torch.linalg.norm(x), torch.linalg.inv(x[:, :3]), torch.det(x[:, :3]), torch.trace(x[:, :3]), x.round(), x.floor(),
    x.sign(), x.frac(), x.trunc(), torch.erf(x), x.lgamma(), x.dist(x), torch.cdist(x, x), x.unfold(0, 2, 1), x.real,
    x.type(torch.double), x.as_strided((2,), (1,)), x.nan_to_num(), x.logit(), x.squeeze(0), x.T[0], torch.dot(v, v),
]
print(len(ops))
for i in range(0, len(ops), 6):
    print(*[None if o.grad_fn is None else o.grad_fn.name() for o in ops[i:i + 6]])
