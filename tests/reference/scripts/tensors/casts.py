"""float(), long(), to(), type() and what they do to the graph."""

import torch

x = torch.tensor([1.7, -1.7, 0.0], requires_grad=True)
print(x.long(), x.int(), x.bool(), x.half(), x.double(), x.bfloat16(), x.short(), x.byte() if False else "")
print(x.float() is x, x.to(torch.float32) is x, x.to("cpu") is x, x.to(x) is x, x.to(torch.float32, copy=True) is x)
y = x.double()
print(y.requires_grad, y.is_leaf, y.grad_fn)
(y * torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)).sum().backward()
print(x.grad, x.grad.dtype)
print(torch.tensor([300.0, 1.0]).to(torch.int16), torch.tensor([2**31 + 5]).to(torch.int32), torch.tensor([1e5]).half())
print(torch.tensor([0.5, 1.5, 2.5]).round().to(torch.uint8), torch.tensor([True, False]).float(), torch.tensor([3 + 4j]).abs())
print(x.to(dtype=torch.float64).dtype, x.to(device="cpu", dtype=torch.float16).dtype, x.to("cpu", torch.float64).dtype)
print(torch.tensor([1, 0]).type(torch.bool), x.detach().to(torch.complex64), x.cpu() is x, x.to(torch.device("cpu")).device)
h = torch.tensor([1.0], dtype=torch.float16, requires_grad=True)
(h.float() * 3).sum().backward()
print(h.grad)
