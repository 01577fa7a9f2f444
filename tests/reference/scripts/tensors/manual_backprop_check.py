"""A two-layer net by hand, its gradients against autograd, float64."""
import torch

torch.manual_seed(0)
N, D, H, C = 4, 3, 5, 2
X = torch.randn(N, D, dtype=torch.float64)
W1 = (torch.randn(D, H, dtype=torch.float64) * 0.5).requires_grad_()
b1 = torch.zeros(H, dtype=torch.float64, requires_grad=True)
W2 = torch.randn(H, C, dtype=torch.float64, requires_grad=True)
b2 = torch.zeros(C, dtype=torch.float64, requires_grad=True)
y = torch.tensor([0, 1, 1, 0])
print(W1.is_leaf, W2.is_leaf, W1.grad_fn)
hpre = X @ W1 + b1
h = torch.tanh(hpre)
logits = h @ W2 + b2
logp = logits - logits.logsumexp(1, keepdim=True)
loss = -logp[torch.arange(N), y].mean()
params = [W1, b1, W2, b2]
for t in (hpre, h, logits, logp):
    t.retain_grad()
loss.backward()
print(loss)
dlogp = torch.zeros_like(logp)
dlogp[range(N), y] = -1.0 / N
p = logits.softmax(1)
dlogits = p.clone()
dlogits[range(N), y] -= 1
dlogits /= N
dh = dlogits @ W2.t()
dW2, db2 = h.t() @ dlogits, dlogits.sum(0)
dhpre = (1 - h ** 2) * dh
dW1, db1 = X.t() @ dhpre, dhpre.sum(0)
def cmp(s, dt, t):
    ex = torch.all(dt == t.grad).item()
    app = torch.allclose(dt, t.grad)
    maxdiff = (dt - t.grad).abs().max().item()
    print(f"{s:8s} | approximate: {app!s:5s} | maxdiff small: {maxdiff < 1e-12}")
for s, d, t in (("logp", dlogp, logp), ("logits", dlogits, logits), ("h", dh, h), ("hpre", dhpre, hpre), ("W2", dW2, W2), ("b2", db2, b2), ("W1", dW1, W1), ("b1", db1, b1)):
    cmp(s, d, t)
print(W2.grad, b2.grad)
print(dlogits.requires_grad, dlogits.grad_fn is not None, dW2.detach())
eps = 1e-6
with torch.no_grad():
    for P in params:
        flat = P.view(-1)
        old = flat[0].item()
        def f():
            return -(torch.tanh(X @ W1 + b1) @ W2 + b2).log_softmax(1)[torch.arange(N), y].mean().item()
        flat[0] = old + eps
        up = f()
        flat[0] = old - eps
        down = f()
        flat[0] = old
        print(abs((up - down) / (2 * eps) - P.grad.view(-1)[0].item()) < 1e-8)
for P in params:
    P.data += -0.1 * P.grad
print(W1.grad.norm(), sum(P.nelement() for P in params), all(P.requires_grad for P in params))
