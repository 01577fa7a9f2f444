"""Optimizers with extra state, load hooks, add_param_group in training, zero_grad overrides."""
import torch
class Lookahead(torch.optim.SGD):
    def __init__(self, params, lr=0.1, k=2, alpha=0.5):
        super().__init__(params, lr=lr)
        self.k, self.alpha, self.count = k, alpha, 0
        for g in self.param_groups:
            g["slow"] = [p.detach().clone() for p in g["params"]]
    def step(self, closure=None):
        loss = super().step(closure)
        self.count += 1
        if self.count % self.k == 0:
            with torch.no_grad():
                for g in self.param_groups:
                    for slow, p in zip(g["slow"], g["params"]):
                        slow.lerp_(p, self.alpha)
                        p.copy_(slow)
        return loss
w = torch.tensor([4.0, -2.0], requires_grad=True)
opt = Lookahead([w])
for k in range(4):
    opt.zero_grad()
    (w ** 2).sum().backward()
    print(k, opt.step(), w, opt.param_groups[0]["slow"])
sd = opt.state_dict()
print(sorted(sd["param_groups"][0])[:4], sd["param_groups"][0]["slow"])
log = []
h1 = h2 = opt.register_step_pre_hook(lambda o, a, k: None)
h3 = opt.register_state_dict_post_hook(lambda o, s: log.append(sorted(s)))
h4 = opt.register_load_state_dict_pre_hook(lambda o, s: log.append("load"))
h5 = opt.register_load_state_dict_post_hook(lambda o: log.append("loaded"))
opt.step()
opt.load_state_dict(opt.state_dict())
print(log)
for h in (h1, h2, h3, h4, h5):
    h.remove()
opt.step()
print(len(log))
v = torch.tensor([1.0], requires_grad=True)
adam = torch.optim.Adam([w], lr=0.1)
w.sum().backward()
adam.step()
adam.add_param_group({"params": v})
v.sum().backward()
adam.step()
print({len(s): sorted(s) for s in adam.state.values()}, adam.state[v]["step"], adam.state[w]["step"])
print(adam.state_dict()["param_groups"][1]["params"], adam.param_groups[1]["lr"], len(adam.state_dict()["state"]))
adam.param_groups.pop(0)
adam.zero_grad()
print(w.grad is None, v.grad)
fresh = torch.optim.Adam([torch.zeros(1, requires_grad=True)], lr=1.0)
try:
    fresh.load_state_dict(adam.state_dict())
except KeyError as e:
    print(type(e).__name__)
print(fresh.param_groups[0]["lr"], len(fresh.state))
