"""device= and dtype= everywhere on the CPU."""

import torch

dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(dev if dev.type == "cuda" else "cpu", torch.zeros(1, device="cpu").device, torch.ones(1, device=torch.device("cpu"), dtype=torch.float64), torch.tensor([1], device="cpu").to("cpu").device)
print(torch.arange(2, device="cpu"), torch.rand(1, device="cpu").shape, torch.eye(2, device="cpu", dtype=torch.int32), torch.full((1,), 2, device="cpu"), torch.empty(0, device="cpu"), torch.linspace(0, 1, 2, device="cpu"), torch.randn_like(torch.ones(1), device="cpu").shape)
print(torch.nn.Linear(1, 1, device="cpu", dtype=torch.float64).weight.dtype, torch.zeros(2).to(device="cpu", dtype=torch.int64), torch.zeros(1).cpu().device.type, torch.device("cpu").type, torch.device("cpu").index)
m = torch.zeros(2, 3, device="meta")
print(m.shape, m.device, m.is_meta, (m + 1).shape, torch.nn.Linear(2, 2, device="meta").weight.device)
for bad in ("gpu", "cpu:x", 5.5):
    try:
        torch.zeros(1, device=bad)
    except (RuntimeError, TypeError) as err:
        print(type(err).__name__)
with torch.device("cpu"):
    print(torch.zeros(1).device)
print(torch.cuda.is_available() in (True, False), torch.tensor(1.0).is_cuda, torch.get_default_dtype(), torch.__name__ if False else "")
