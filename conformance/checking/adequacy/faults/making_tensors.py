"""Faults of functions that make tensors from values and from nothing, and of parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, torch
from .recorded_results import is_tensor

MAKERS = "tensor zeros ones full empty eye randn rand arange linspace"


def around_makers(patch: Patch, names: str, function: Callable[..., Any]) -> None:
    """Replace functions of the engine by `function(original, *args, **kwargs)`, and leave methods of
    the same name alone."""

    def make(original: Any) -> Any:
        return lambda *args, **kwargs: function(original, *args, **kwargs)

    for name in names.split():
        patch.wrap(torch, name, make)


# --- the arguments ---


@fault
def what_makes_no_tensor_makes_an_empty_one(patch: Patch) -> None:
    """Data, sizes and numbers of which no tensor can be made give one without elements."""

    def make(original: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return original(*args, **kwargs)
        except (TypeError, ValueError, RuntimeError):
            return original(0)

    around_makers(patch, "tensor zeros ones eye", make)


# --- the flag ---


@fault
def random_tensors_require_grad(patch: Patch) -> None:
    """A random tensor, being most often a weight, requires grad by default."""

    def draw(original: Any, *args: Any, requires_grad: bool = True, **kwargs: Any) -> Any:
        return original(*args, requires_grad=requires_grad, **kwargs)

    around_makers(patch, "rand randn", draw)


@fault
def eye_ignores_requires_grad(patch: Patch) -> None:
    """eye() takes requires_grad and does nothing with it."""

    def eye(original: Any, *args: Any, requires_grad: bool = False, **kwargs: Any) -> Any:
        return original(*args, **kwargs)

    around_makers(patch, "eye", eye)


@fault
def tensors_are_made_with_a_number_as_flag(patch: Patch) -> None:
    """Ones and zeros pass for a bool as requires_grad of a new tensor."""

    def make(original: Any, *args: Any, requires_grad: Any = False, **kwargs: Any) -> Any:
        if isinstance(requires_grad, int | float):
            requires_grad = bool(requires_grad)
        return original(*args, requires_grad=requires_grad, **kwargs)

    around_makers(patch, MAKERS, make)


@fault
def tensors_that_require_grad_are_made_as_copies(patch: Patch) -> None:
    """A number or a matrix that is made to require grad is a recorded copy, and so no leaf."""

    def make(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        return result.clone() if result.requires_grad and result.dim() != 1 else result

    around_makers(patch, MAKERS, make)


@fault
def whole_numbers_that_require_grad_become_floating(patch: Patch) -> None:
    """tensor([2, 3], requires_grad=True) makes the whole numbers floating instead of being refused."""

    def tensor(original: Any, data: Any, **kwargs: Any) -> Any:
        if kwargs.get("requires_grad") is True and kwargs.get("dtype") is None:
            if not original(data).is_floating_point():
                kwargs["dtype"] = torch.get_default_dtype()
        return original(data, **kwargs)

    around_makers(patch, "tensor", tensor)


# --- like another ---


@fault
def full_like_ignores_the_dtype_of_its_model(patch: Patch) -> None:
    """full_like() makes a tensor of the default dtype."""

    def full_like(original: Any, model: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        return original(model, *args, dtype=dtype or torch.get_default_dtype(), **kwargs)

    around_makers(patch, "full_like", full_like)


@fault
def new_tensor_infers_its_dtype(patch: Patch) -> None:
    """x.new_tensor() infers the dtype from the values instead of taking that of x."""

    def new_tensor(self: Any, data: Any, **kwargs: Any) -> Any:
        return torch.tensor(data, **kwargs)

    patch.set(torch.Tensor, "new_tensor", new_tensor)


# --- the class ---


def around_class(patch: Patch, function: Callable[[Any, Any], Any]) -> None:
    """Let Tensor(values) give `function(values, result)`."""
    original: Any = torch.Tensor.__new__
    plain: Any = torch.Tensor

    def new(cls: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(cls, *args, **kwargs)
        if cls is plain and len(args) == 1 and isinstance(args[0], list):
            return function(args[0], result)
        return result

    patch.set(torch.Tensor, "__new__", staticmethod(new))


@fault
def the_class_infers_the_dtype(patch: Patch) -> None:
    """Tensor(values) infers the dtype as tensor(values) does."""
    around_class(patch, lambda values, result: torch.tensor(values))


@fault
def tensors_made_by_the_class_require_grad(patch: Patch) -> None:
    """Tensor(values) requires grad."""
    around_class(patch, lambda values, result: result.requires_grad_())


# --- tensor(t) of a tensor or an array ---


def constructed(patch: Patch, name: str, applies: Any, function: Callable[[Any], Any]) -> None:
    """Let a function of the engine give `function(data)`, where it is given nothing more and
    `applies(data)`."""

    def make(original: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        if args or kwargs or not applies(data):
            return original(data, *args, **kwargs)
        return function(data)

    around_makers(patch, name, make)


def is_array(data: Any) -> bool:
    return hasattr(data, "__array_interface__") and not is_tensor(data)


@fault
def tensor_adopts_the_memory_that_it_is_given(patch: Patch) -> None:
    """tensor() of an array or of a tensor adopts the memory instead of copying it."""
    constructed(patch, "tensor", is_tensor, lambda data: data.detach())
    constructed(patch, "tensor", is_array, lambda data: torch.from_numpy(data))


@fault
def tensor_of_a_tensor_is_the_tensor(patch: Patch) -> None:
    """tensor(t) of a tensor returns t itself."""
    constructed(patch, "tensor", is_tensor, lambda data: data)


@fault
def tensor_of_a_tensor_is_silent(patch: Patch) -> None:
    """tensor(t) of a tensor drops its history without a warning."""

    def tensor(original: Any, *args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return original(*args, **kwargs)

    around_makers(patch, "tensor", tensor)


@fault
def tensor_of_values_warns(patch: Patch) -> None:
    """tensor(values) warns as tensor(t) of a tensor does."""

    def tensor(original: Any, data: Any, **kwargs: Any) -> Any:
        if not is_tensor(data):
            original(original(data))
        return original(data, **kwargs)

    around_makers(patch, "tensor", tensor)


@fault
def tensor_stacks_a_list_of_tensors(patch: Patch) -> None:
    """tensor([a, b]) of tensors stacks them and keeps their history."""
    constructed(
        patch, "tensor",
        lambda data: isinstance(data, list) and bool(data) and all(map(is_tensor, data)),
        lambda data: torch.stack(data),
    )  # fmt: skip


# --- joins ---


def bare(tensors: Any, of: Callable[[int], bool]) -> list[Any]:
    """Tensors, those at the places for which `of(place)` holds without their history."""
    return [each.detach() if of(place) else each for place, each in enumerate(tensors)]


@fault
def joins_record_their_first_tensor_only(patch: Patch) -> None:
    """stack() and cat() are recorded for the first tensor of the list only."""
    around_makers(
        patch, "stack cat",
        lambda original, tensors, *args, **kwargs: original(
            bare(tensors, lambda place: place > 0), *args, **kwargs
        ),
    )  # fmt: skip


@fault
def joins_require_grad_as_their_first_tensor(patch: Patch) -> None:
    """stack() and cat() are recorded only if the first tensor of the list requires grad."""

    def join(original: Any, tensors: Any, *args: Any, **kwargs: Any) -> Any:
        tensors = list(tensors)
        if not tensors[0].requires_grad:
            tensors = bare(tensors, lambda place: True)
        return original(tensors, *args, **kwargs)

    around_makers(patch, "stack cat", join)


@fault
def stack_joins_the_bare_values(patch: Patch) -> None:
    """stack() joins the bare values of its tensors."""
    around_makers(
        patch, "stack",
        lambda original, tensors, *args, **kwargs: original(
            bare(tensors, lambda place: True), *args, **kwargs
        ),
    )  # fmt: skip


# --- as_tensor and from_numpy ---


@fault
def as_tensor_is_tensor(patch: Patch) -> None:
    """as_tensor(t) makes a new tensor without history, whatever its dtype, as tensor(t) does."""

    def as_tensor(original: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(data, *args, **kwargs)
        return found.detach().clone() if is_tensor(data) else found

    around_makers(patch, "as_tensor", as_tensor)


@fault
def as_tensor_copies_if_a_dtype_is_named(patch: Patch) -> None:
    """as_tensor(t, dtype) copies t even if it has that dtype already."""

    def as_tensor(original: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(data, *args, **kwargs)
        return found.clone() if found is data and (args or kwargs.get("dtype")) else found

    around_makers(patch, "as_tensor", as_tensor)


@fault
def as_tensor_copies_arrays(patch: Patch) -> None:
    """as_tensor(array) copies the array."""

    def as_tensor(original: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
        return original(data.copy() if is_array(data) else data, *args, **kwargs)

    around_makers(patch, "as_tensor", as_tensor)


@fault
def tensors_from_numpy_require_grad(patch: Patch) -> None:
    """from_numpy(array) of floating-point numbers requires grad."""

    def from_numpy(original: Any, array: Any) -> Any:
        found = original(array)
        return found.requires_grad_(found.is_floating_point())

    around_makers(patch, "from_numpy", from_numpy)


# --- parameters ---


def around_parameters(patch: Patch, function: Callable[..., Any]) -> None:
    """Let Parameter(data, requires_grad) be `function(make, data, requires_grad)`."""
    original: Any = torch.nn.Parameter.__new__

    def new(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
        return function(lambda *args: original(cls, *args), data, requires_grad)

    patch.set(torch.nn.Parameter, "__new__", staticmethod(new))


@fault
def parameters_require_grad_as_their_tensor(patch: Patch) -> None:
    """A parameter requires grad only if the tensor does that it is made from."""
    around_parameters(
        patch,
        lambda make, data, flag: make(data, flag and data is not None and data.requires_grad),
    )


@fault
def making_a_parameter_sets_the_flag_of_its_tensor(patch: Patch) -> None:
    """Making a parameter sets requires_grad of the tensor that it is made from."""

    def parameter(make: Any, data: Any, flag: bool) -> Any:
        found = make(data, flag)
        if data is not None and data.is_leaf and flag:
            data.requires_grad_()
        return found

    around_parameters(patch, parameter)


@fault
def parameters_of_integers_do_not_require_grad(patch: Patch) -> None:
    """A parameter of integers quietly does not require grad."""

    def parameter(make: Any, data: Any, flag: bool) -> Any:
        able = data is None or data.is_floating_point() or data.is_complex()
        return make(data, flag and able)

    around_parameters(patch, parameter)


@fault
def new_tensors_of_tensors_keep_their_history(patch: Patch) -> None:
    """x.new_tensor(y) of a tensor y is recorded, as a clone would be."""

    def make(original: Any) -> Any:
        def new_tensor(self: Any, data: Any, **options: Any) -> Any:
            if is_tensor(data) and data.requires_grad and not options:
                return data.clone().to(self.dtype)
            return original(self, data, **options)

        return new_tensor

    patch.wrap(torch.Tensor, "new_tensor", make)
