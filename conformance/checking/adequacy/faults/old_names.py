"""Faults of old names, such as Variable and DoubleTensor, of old habits, and of what is printed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around, fault, register, replaces, torch, untouched
from .introspection import printed

# --- Variable ---


def variable(name: str, sentence: str, function: Callable[..., Any]) -> None:
    """Put into the bank a fault that makes variables by `function(right, data, **flags)`."""

    def make(right: Any) -> Any:
        return lambda data, **flags: function(right, data, **flags)

    def install(patch: Patch) -> None:
        patch.set(torch.autograd, "Variable", make(torch.autograd.Variable))

    register(name, sentence, install)


def silently(right: Any, data: Any, **flags: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return right(data, **flags)


variable(
    "variables_of_numbers_are_made",
    "Variable takes numbers and lists, and makes a tensor of them.",
    lambda right, data, **flags: right(
        data if isinstance(data, torch.Tensor) else torch.tensor(data), **flags
    ),
)
variable(
    "variable_returns_its_argument",
    "Variable returns the tensor itself.",
    lambda right, data, **flags: right(data, **flags) if flags else data,
)
variable(
    "variable_copies",
    "Variable copies the values of its tensor.",
    lambda right, data, **flags: right(
        data.clone() if isinstance(data, torch.Tensor) else data, **flags
    ),
)
variable(
    "volatile_is_silent",
    "Variable takes volatile without a warning.",
    silently,
)
variable(
    "volatile_goes_with_requires_grad",
    "Variable takes volatile together with requires_grad=True.",
    lambda right, data, requires_grad=False, **flags: right(data, **flags).requires_grad_(
        requires_grad
    ),
)

# --- constructors ---


@replaces("Tensor.__init__")
def tensors_of_the_class_require_grad(original: Any, self: Any, *args: Any, **kwargs: Any) -> None:
    """What the class Tensor makes requires grad."""
    if type(self) is torch.Tensor:
        self.requires_grad_()


@fault
def old_constructors_have_one_dtype(patch: Patch) -> None:
    """The old constructors all make tensors of the default dtype."""
    right = torch.FloatTensor
    for name in ("DoubleTensor", "LongTensor"):
        patch.set(torch, name, lambda *args: right(*args))


@fault
def lengths_are_taken_for_values(patch: Patch) -> None:
    """Lengths that are given to an old constructor are taken for values."""

    def make(original: Any) -> Any:
        return lambda *args: original(list(args)) if len(args) > 1 else original(*args)

    for name in ("FloatTensor", "DoubleTensor", "LongTensor"):
        patch.set(torch, name, make(getattr(torch, name)))


# --- habits of old programs ---


@fault
def scalars_may_be_indexed(patch: Patch) -> None:
    """A tensor without dimensions may be indexed by a number."""

    def getitem(original: Any, self: Any, index: Any) -> Any:
        return self if self.dim() == 0 and type(index) is int else original(self, index)

    around(patch, "getitem", getitem)


@fault
def several_are_true_if_any_is(patch: Patch) -> None:
    """A tensor of several elements is true if any of them is."""
    patch.wrap(
        torch.Tensor,
        "__bool__",
        lambda original: lambda self: original(self.any() if self.numel() > 1 else self),
    )


@fault
def instances_of_functions_may_be_called(patch: Patch) -> None:
    """An instance of a Function can be called, and applies it."""
    patch.set(torch.autograd.Function, "__call__", lambda self, *args: type(self).apply(*args))


@fault
def cuda_is_always_there(patch: Patch) -> None:
    """cuda.is_available() is True where there is none."""
    patch.set(torch.cuda, "is_available", lambda: True)


# --- the old backward hooks of modules ---


def old_hooks(name: str, sentence: str, change: Callable[..., Any]) -> None:
    """Put into the bank modules whose old backward hooks are called as `change(hook, ...)`."""

    def make(original: Any) -> Any:
        return lambda self, hook: original(self, lambda *given: change(hook, *given))

    def install(patch: Patch) -> None:
        patch.wrap(torch.nn.Module, "register_backward_hook", make)

    register(name, sentence, install)


old_hooks(
    "old_backward_hooks_get_results_first",
    "An old backward hook gets the gradients of the results before those of the operands.",
    lambda hook, module, operands, results: hook(module, results, operands),
)
old_hooks(
    "old_hooks_get_the_gradient_of_the_output_twice",
    "An old backward hook gets the gradients of the outputs in the place of those of the inputs.",
    lambda hook, module, operands, results: hook(module, results, results),
)
old_hooks(
    "old_backward_hooks_change_nothing",
    "What an old backward hook returns is ignored.",
    lambda hook, *given: (hook(*given), None)[1],
)
old_hooks(
    "old_backward_hooks_are_never_called",
    "Old backward hooks are accepted and never called.",
    lambda hook, *given: None,
)


@fault
def old_backward_hooks_are_full_ones(patch: Patch) -> None:
    """register_backward_hook registers a full backward hook."""
    patch.set(
        torch.nn.Module,
        "register_backward_hook",
        lambda self, hook: self.register_full_backward_hook(hook),
    )


@replaces("nn.Module.__call__")
def old_backward_hooks_do_not_warn(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Calling a module with old backward hooks does not warn."""
    if self._is_full_backward_hook is not False:
        return original(self, *args, **kwargs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return original(self, *args, **kwargs)


# --- printing ---


@fault
def printing_shows_that_there_is_no_node(patch: Patch) -> None:
    """A printed tensor without history shows grad_fn=None."""
    printed(
        patch,
        lambda text, tensor: text if "grad_fn" in text else text[:-1] + ", grad_fn=None)",
    )


@fault
def printing_shows_both_node_and_flag(patch: Patch) -> None:
    """A printed result shows requires_grad=True beside its node."""
    printed(
        patch,
        lambda text, tensor: re.sub(r"(grad_fn=<\w+>)\)", r"\1, requires_grad=True)", text),
    )


@fault
def parameters_print_as_tensors(patch: Patch) -> None:
    """A printed Parameter does not say that it is one."""
    for name in ("__repr__", "__str__"):
        patch.wrap(
            torch.nn.Parameter, name,
            lambda original: lambda self: original(self).replace("Parameter containing:\n", ""),
        )  # fmt: skip


@fault
def printing_counts_as_a_change(patch: Patch) -> None:
    """Printing a tensor counts as a change of it."""

    def change(text: str, tensor: Any) -> str:
        torch.autograd.graph.increment_version(untouched.detach(tensor))
        return text

    printed(patch, change)


@fault
def type_gives_the_dtype(patch: Patch) -> None:
    """type() without an argument gives the dtype itself."""

    def make(original: Any) -> Any:
        return lambda self, *args, **kw: original(self, *args, **kw) if args or kw else self.dtype

    patch.wrap(torch.Tensor, "type", make)


@replaces("Tensor.__init__")
def values_given_by_name_are_sizes(original: Any, self: Any, *args: Any, **kwargs: Any) -> None:
    """Tensor(data=values) is zeros of their number."""
    if type(self) is torch.Tensor and "data" in kwargs:
        self.zero_()
