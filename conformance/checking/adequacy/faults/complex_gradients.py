"""Faults of complex gradients on their way to users."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch
from .hooks import changed_hook


def conjugate(value: Any) -> Any:
    """A complex tensor conjugated, anything else as it is."""
    is_complex = isinstance(value, torch.Tensor) and value.is_complex()
    return value.conj() if is_complex else value


@fault
def hooks_are_given_conjugates(patch: Patch) -> None:
    """Hooks of complex tensors are given the conjugate of the gradient."""
    changed_hook(patch, lambda hook, tensor: lambda gradient: hook(conjugate(gradient)))


@replaces("func.grad")
def func_grad_conjugates(original: Any, *args: Any, **options: Any) -> Any:
    """What func.grad gives for a complex argument is conjugated."""
    whole = original(*args, **options)
    return lambda *given, **named: conjugate(whole(*given, **named))


@replaces("func.vjp")
def func_vjp_conjugates_cotangents(original: Any, *args: Any, **options: Any) -> Any:
    """The function of func.vjp conjugates a complex cotangent."""
    value, pull, *rest = original(*args, **options)
    return (value, lambda given, **named: pull(conjugate(given), **named), *rest)


@replaces("nn.utils.clip_grad_norm_")
def clipping_sees_real_parts(
    original: Any, parameters: Any, max_norm: float, *args: Any, **options: Any
) -> Any:
    """clip_grad_norm_ takes the norm of the real parts of complex gradients."""
    alone = isinstance(parameters, torch.Tensor)
    listed = [parameters] if alone else list(parameters)
    grads = [p.grad for p in listed if p.grad is not None]
    if not any(g.is_complex() for g in grads):
        return original(listed, max_norm, *args, **options)
    total = sum((g.real * g.real).sum() for g in grads).sqrt()
    for g in grads:
        g.mul_(min(1.0, max_norm / (total.item() + 1e-6)))
    return total
