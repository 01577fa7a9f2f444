"""relu_, residual additions in place, and which of them break backward."""
import torch
import torch.nn.functional as F

x = torch.tensor([-1.0, 0.5, 2.0], requires_grad=True)


def attempt(name, f):
    x.grad = None
    try:
        f().sum().backward()
        print(name, x.grad)
    except RuntimeError as e:
        print(name, "inplace" in str(e))


def relu_after_linear():
    y = x * 3
    return torch.relu_(y)


def relu_after_exp():
    y = x.exp()
    return y.relu_()


def relu_twice():
    return F.relu(F.relu(x * 2, inplace=True), inplace=True)


def residual():
    y = F.relu(x)
    y += x
    return y


def residual_saved():
    y = torch.sigmoid(x)
    y += x
    return y


def leaf():
    return F.relu(x, inplace=True)


def dropout_eval():
    y = x * 1
    return F.dropout(y, training=False, inplace=True)


def leaky():
    y = x * 1
    return F.leaky_relu_(y, 0.1)


def elu_then_mul():
    y = F.elu(x, inplace=False)
    y *= 2
    return y


for f in [relu_after_linear, relu_after_exp, relu_twice, residual, residual_saved, leaf, dropout_eval, leaky, elu_then_mul]:
    attempt(f.__name__, f)
m = torch.nn.ReLU(inplace=True)
h = x * 2
out = m(h)
print(m, out is h, h)
