"""Linear regression, three ways: by hand, with optim, with nn."""
import torch

torch.manual_seed(0)
X = torch.linspace(-1, 1, 8).unsqueeze(1)
Y = 3 * X - 0.5
w = torch.zeros(1, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for step in range(20):
    loss = ((X @ w + b - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.2 * w.grad
        b -= 0.2 * b.grad
        w.grad.zero_()
        b.grad.zero_()
    if step % 5 == 0:
        print(step, f"{loss.item():.4f}", w, b)
print(w, b, w.grad, b.is_leaf)
w2 = torch.zeros(1, 1, requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w2, b2], lr=0.2)
for step in range(20):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(X @ w2 + b2, Y)
    loss.backward()
    opt.step()
print(torch.allclose(w, w2), torch.allclose(b, b2), w2.grad)
model = torch.nn.Linear(1, 1)
with torch.no_grad():
    model.weight.fill_(0)
    model.bias.zero_()
opt = torch.optim.SGD(model.parameters(), lr=0.2)
loss_fn = torch.nn.MSELoss()
for step in range(20):
    loss = loss_fn(model(X), Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(model.weight, model.bias, loss)
print(opt)
print(model, list(model.parameters()))
print(model.state_dict())
