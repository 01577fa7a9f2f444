"""Names of the nodes of common operations."""

import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
ops = {
    "add": x + 1, "radd": 1 + x, "sub": x - 1, "rsub": 1 - x, "mul": x * 2, "div": x / 2, "rdiv": 1 / x,
    "pow": x ** 2, "rpow": 2 ** x, "neg": -x, "matmul": x @ x, "mm": torch.mm(x, x), "mv": x @ torch.ones(2),
    "t": x.t(), "T": x.T, "transpose": x.transpose(0, 1), "permute": x.permute(1, 0), "reshape": x.reshape(4),
    "view": x.view(-1), "flatten": x.flatten(), "index": x[0], "slice": x[:, 1:], "mask": x[x > 2], "none": x[None],
    "sum": x.sum(), "sum1": x.sum(1), "mean": x.mean(), "max": x.max(), "max1": x.max(1).values, "amax": x.amax(1),
    "prod": x.prod(), "std": x.std(), "var": x.var(), "norm": x.norm(), "cumsum": x.cumsum(0), "exp": x.exp(),
    "log": x.log(), "sqrt": x.sqrt(), "sin": x.sin(), "tanh": x.tanh(), "sigmoid": x.sigmoid(), "relu": x.relu(),
    "softmax": x.softmax(1), "log_softmax": x.log_softmax(1), "clamp": x.clamp(0, 1), "abs": x.abs(),
    "where": torch.where(x > 1, x, x), "cat": torch.cat([x, x]), "stack": torch.stack([x, x]),
    "chunk": x.chunk(2)[0], "split": x.split(1)[0], "unbind": x.unbind()[0], "expand": x[0].expand(3, 2),
    "squeeze": x.squeeze(), "unsqueeze": x.unsqueeze(0), "clone": x.clone(), "double": x.double(), "contiguous": x.t().contiguous(),
    "gather": x.gather(1, torch.zeros(2, 1, dtype=torch.long)), "einsum": torch.einsum("ij,jk->ik", x, x),
    "linear": F.linear(x, x), "dropout": F.dropout(x, 0.5, False), "mse": F.mse_loss(x, x.detach() + 1), "repeat": x.repeat(2, 1),
    "sort": x.sort().values, "topk": x.topk(1).values, "tril": x.tril(), "diag": x.diag(), "trace": x.trace(), "inverse": torch.inverse(x),
    "detach": x.detach(), "addmm": torch.addmm(x, x, x), "bmm": torch.bmm(x[None], x[None]), "logsumexp": x.logsumexp(1), "roll": x.roll(1),
}
for name, out in ops.items():
    print(name, None if out.grad_fn is None else out.grad_fn.name())
