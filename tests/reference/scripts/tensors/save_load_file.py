"""torch.save to a file path, load with weights_only, map_location."""
import os
import tempfile
import torch
from torch import nn

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "checkpoint.pt")
    model = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    x = torch.ones(4, 3)
    model(x).sum().backward()
    opt.step()
    torch.save({"epoch": 5, "model": model.state_dict(), "optimizer": opt.state_dict(), "loss": torch.tensor(0.5)}, path)
    print(os.path.exists(path), os.path.getsize(path) > 0)
    check = torch.load(path, weights_only=True)
    print(sorted(check), check["epoch"], check["loss"])
    fresh = nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1))
    print(fresh.load_state_dict(check["model"]))
    opt2 = torch.optim.Adam(fresh.parameters(), lr=0.5)
    opt2.load_state_dict(check["optimizer"])
    print(opt2.param_groups[0]["lr"], len(opt2.state), torch.equal(model(x), fresh(x)))
    t = torch.arange(3, dtype=torch.int32)
    torch.save(t, path)
    print(torch.load(path, map_location="cpu"), torch.load(path, map_location=torch.device("cpu")))
    with open(path, "wb") as f:
        torch.save([t, t.double()], f)
    with open(path, "rb") as f:
        print(torch.load(f))
    torch.save(model, path)
    try:
        torch.load(path)
        print("loaded")
    except Exception as e:
        print(type(e).__name__)
    print(torch.load(path, weights_only=False))
    try:
        torch.load(os.path.join(folder, "none.pt"))
    except Exception as e:
        print(type(e).__name__)
    y = torch.ones(1, requires_grad=True) * 2
    torch.save(y, path)
    print(torch.load(path), torch.load(path).is_leaf)
