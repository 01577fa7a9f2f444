"""SGD with momentum, weight decay and Nesterov, written with in-place operations."""
import torch


class Momentum:
    def __init__(self, params, lr=0.1, beta=0.9, decay=0.0, nesterov=False):
        self.params = list(params)
        self.lr, self.beta, self.decay, self.nesterov = lr, beta, decay, nesterov
        self.buf = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self):
        for p, m in zip(self.params, self.buf):
            g = p.grad.add(p, alpha=self.decay)
            m.mul_(self.beta).add_(g)
            p.add_(g.add(m, alpha=self.beta) if self.nesterov else m, alpha=-self.lr)

    def zero_grad(self):
        for p in self.params:
            p.grad = None


for kw in [{}, {"decay": 0.1}, {"nesterov": True}]:
    w = torch.tensor([3.0, -2.0], requires_grad=True)
    opt = Momentum([w], lr=0.05, **kw)
    for _ in range(10):
        opt.zero_grad()
        loss = (w**2 * torch.tensor([1.0, 4.0])).sum()
        loss.backward()
        opt.step()
    print(kw, w, w._version, loss.item())
print(opt.buf[0].requires_grad, w.is_leaf)
