"""float16 and bfloat16: rounding, sums, printing, gradients."""
import torch

for dtype in (torch.float16, torch.bfloat16):
    x = torch.tensor([0.1, 1.0, 3.14159, 1000.0, -2.5], dtype=dtype, requires_grad=True)
    print(x, x * 2, x / 3, x + 0.001)
    print(x.sum(), x.mean(), x.exp()[:3], x.softmax(0), x.norm(), x.float())
    y = (x * x).sum()
    print(y)
    (x[:3] ** 3).sum().backward()
    print(x.grad)
    print(x.detach().numpy() if dtype is torch.float16 else "none", x.tolist(), x.detach().cumsum(0), x.detach().prod(), x.var(), x.std())
    print(torch.ones(3000, dtype=dtype).sum(), torch.ones(300, dtype=dtype).cumsum(0)[-1], torch.full((2,), 7.0, dtype=dtype) @ torch.full((2,), 0.3, dtype=dtype))
    print(torch.arange(4, dtype=dtype), torch.linspace(0, 1, 4, dtype=dtype), torch.eye(2, dtype=dtype), torch.zeros(2, 2, dtype=dtype).requires_grad_())
    print(torch.tensor(1.0, dtype=dtype) + torch.finfo(dtype).eps / 2, torch.tensor(65504.0, dtype=dtype), torch.tensor(1e5, dtype=dtype), torch.tensor(1e-8, dtype=dtype), torch.tensor([1e-3, 1e3], dtype=dtype))
    print((torch.ones(2, dtype=dtype) + torch.ones(2)).dtype, (torch.ones(2, dtype=dtype) + torch.tensor(1.0)).dtype, (torch.ones(2, dtype=dtype) * 2.5).dtype)
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=dtype, requires_grad=True)
    out = (w @ w).relu().sqrt()
    print(out)
    out.sum().backward()
    print(w.grad)
    lin = torch.nn.Linear(2, 1).to(dtype)
    with torch.no_grad():
        lin.weight.fill_(0.1)
        lin.bias.fill_(0.2)
    o = lin(torch.tensor([[1.0, 2.0]], dtype=dtype))
    print(o, lin.weight)
    opt = torch.optim.SGD(lin.parameters(), lr=0.1)
    o.sum().backward()
    opt.step()
    print(lin.weight, lin.bias)
    try:
        lin(torch.ones(1, 2))
    except Exception as e:
        print(type(e).__name__)
print((torch.ones(1, dtype=torch.float16) + torch.ones(1, dtype=torch.bfloat16)).dtype)
