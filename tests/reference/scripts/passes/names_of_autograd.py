"""What torch.autograd offers, under its several names."""
import torch
import torch.autograd as autograd
from torch.autograd import Function, Variable, backward, detect_anomaly, enable_grad, grad, gradcheck, gradgradcheck, no_grad, set_detect_anomaly, set_grad_enabled, inference_mode
from torch.autograd.function import FunctionCtx, once_differentiable
from torch.autograd.grad_mode import no_grad as ng
from torch.autograd.graph import GradientEdge, Node, saved_tensors_hooks
from torch.autograd.functional import hessian, jacobian
from torch.autograd.forward_ad import dual_level, make_dual, unpack_dual

print(no_grad is torch.no_grad, ng is torch.no_grad, enable_grad is torch.enable_grad, inference_mode is torch.inference_mode)
print(set_grad_enabled is torch.set_grad_enabled, autograd is torch.autograd, autograd.grad is grad, autograd.functional.jacobian is jacobian)
print(torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.is_anomaly_enabled(), torch.is_inference(torch.ones(1)))
x = Variable(torch.ones(2), requires_grad=True)
print(type(x).__name__, x, isinstance(x, torch.Tensor), isinstance(x, Variable))
y = Variable(torch.ones(2))
print(y.requires_grad, isinstance(torch.ones(1), Variable))
(x * 2).sum().backward()
print(x.grad.data, x.data, type(x.data).__name__)
print(Node.__name__, GradientEdge.__name__, Function.__name__)
print(isinstance((x * 1).grad_fn, Node), issubclass(type((x * 1).grad_fn), Node), hasattr(torch, "autograd"))


class F(Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x: torch.Tensor) -> torch.Tensor:
        print(isinstance(ctx, FunctionCtx), isinstance(ctx, Node), type(ctx).__name__, type(ctx).__mro__[-1].__name__)
        return x * 2

    @staticmethod
    def backward(ctx, *grads):
        return grads[0] * 2


F.apply(x)
for name in ("no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "set_multithreading_enabled"):
    print(name, hasattr(autograd.grad_mode, name), hasattr(torch, name))
for name in ("save_on_cpu", "disable_saved_tensors_hooks", "register_multi_grad_hook", "allow_mutation_on_saved_tensors", "get_gradient_edge", "increment_version"):
    print(name, hasattr(autograd.graph, name))
for name in ("grad", "vjp", "jvp", "vmap", "jacrev", "jacfwd", "hessian", "functional_call", "grad_and_value"):
    print(name, hasattr(torch.func, name), end="; ")
print(torch.vmap is torch.func.vmap, callable(torch.utils.checkpoint.checkpoint) if hasattr(torch.utils, "checkpoint") else "")
with detect_anomaly(check_nan=False):
    print(torch.is_anomaly_enabled())
with set_detect_anomaly(False), saved_tensors_hooks(lambda t: t, lambda t: t):
    print(grad((x ** 2).sum(), x))
with dual_level():
    print(unpack_dual(make_dual(torch.ones(1), torch.ones(1))).tangent)
print(gradcheck(torch.sin, torch.ones(1, dtype=torch.float64, requires_grad=True)), hessian(lambda t: (t ** 2).sum(), torch.ones(1)))
try:
    autograd.nothing
except AttributeError as e:
    print(type(e).__name__)
