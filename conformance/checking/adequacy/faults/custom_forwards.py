"""Faults of the call of a custom function: its forward, its context, its jvp."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Notes, Patch, fault, inside, torch, untouched
from .custom_functions import around_apply, several, show_needed
from .recorded_results import is_tensor, requires_grad

Methods = dict[str, Callable[..., Any]]


def for_each_call(patch: Patch, change: Callable[[Any, Any, Any], Methods]) -> None:
    """While a custom function is called, let its class have the methods that
    `change(cls, args, kwargs)` gives."""
    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        methods = change(cls, args, kwargs)
        within = Patch()
        for name, method in methods.items():
            within.set(cls, name, staticmethod(functools.wraps(getattr(cls, name))(method)))
        try:
            return original(cls, *args, **kwargs)
        finally:
            within.restore()

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


def sets_up(cls: Any) -> bool:
    """Whether a function has its context set up apart from its forward."""
    return cls.setup_context is not torch.autograd.Function.setup_context


def around_forward(patch: Patch, around: Callable[[Any, Callable[[], Any]], Any]) -> None:
    """Put `around(args, run)` in the place of every custom forward."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        forward = cls.forward
        given = args

        def run_it(*args: Any, **kwargs: Any) -> Any:
            return around(given, lambda: forward(*args, **kwargs))

        return {"forward": run_it}

    for_each_call(patch, change)


def around_context(patch: Patch, around: Callable[[Any, Callable[[], Any]], Any]) -> None:
    """Put `around(context, run)` in the place of whatever is given the context of a call."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        name = "setup_context" if sets_up(cls) else "forward"
        method = getattr(cls, name)

        def run_it(ctx: Any, *args: Any, **kwargs: Any) -> Any:
            return around(ctx, lambda: method(ctx, *args, **kwargs))

        return {name: run_it}

    for_each_call(patch, change)


def around_setup(patch: Patch, chosen: Callable[[Any, Any, Any], Any]) -> None:
    """Let setup_context be given `chosen(inputs, args, kwargs)` for its inputs, where the call was
    given `args` and `kwargs`."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        if not sets_up(cls):
            return {}
        method = cls.setup_context

        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            return method(ctx, tuple(chosen(inputs, args, kwargs)), output)

        return {"setup_context": setup_context}

    for_each_call(patch, change)


# --- recording ---


@fault
def custom_functions_are_recorded_under_no_grad(patch: Patch) -> None:
    """The result of a custom function is recorded although recording is off."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        with torch.enable_grad():
            return run(*args, **kwargs)

    around_apply(patch, around)


@fault
def a_failing_forward_leaves_recording_off(patch: Patch) -> None:
    """An error in the forward of a custom function leaves recording off."""

    def around(args: Any, run: Any) -> Any:
        try:
            return run()
        except Exception:
            failed.append(True)
            raise

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        failed.clear()
        try:
            return run(*args, **kwargs)
        finally:
            if failed:
                torch.set_grad_enabled(False)

    failed: list[bool] = []
    around_forward(patch, around)
    around_apply(patch, call)


# --- the inputs ---


def show_flags(patch: Patch, flag: Callable[[Any], bool]) -> None:
    """Let ctx.needs_input_grad be `flag(argument)` for the arguments of a call."""
    calls: list[tuple[bool, ...]] = []
    noted = Notes()

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        flags = tuple(map(flag, args))
        calls.append(flags)
        try:
            found = run(*args, **kwargs)
        finally:
            calls.pop()
        for result in several(found):
            node = result.grad_fn if is_tensor(result) else None
            if node is not None:
                noted[node] = flags
        return found

    def needed(self: Any) -> tuple[bool, ...]:
        if calls:
            return calls[-1]
        found: tuple[bool, ...] = noted.get(self) or inside.needs_input_grad(self)
        return found

    around_apply(patch, around)
    show_needed(patch, needed)


@fault
def every_tensor_needs_a_gradient(patch: Patch) -> None:
    """ctx.needs_input_grad is True for every tensor among the inputs."""
    show_flags(patch, is_tensor)


@fault
def tensors_within_lists_are_inputs(patch: Patch) -> None:
    """ctx.needs_input_grad is True for a list of tensors that require grad."""
    show_flags(
        patch,
        lambda value: requires_grad(value if isinstance(value, list) else [value]),
    )


@fault
def contexts_are_set_up_with_tensors_only(patch: Patch) -> None:
    """setup_context is given only those inputs that are tensors."""
    around_setup(
        patch,
        lambda inputs, args, kwargs: [each for each in inputs if is_tensor(each)],
    )


@fault
def contexts_are_set_up_without_defaults(patch: Patch) -> None:
    """setup_context is given only the arguments that stand in the call, without defaults."""
    around_setup(patch, lambda inputs, args, kwargs: inputs[: len(args) + len(kwargs)])


@fault
def contexts_are_set_up_without_arguments_by_name(patch: Patch) -> None:
    """An argument that is given by name has no place among the inputs of setup_context."""
    around_setup(
        patch, lambda inputs, args, kwargs: inputs[: len(args)] if kwargs else inputs
    )  # fmt: skip


@fault
def only_inputs_and_results_are_saved(patch: Patch) -> None:
    """A custom function keeps of what it saves its inputs and results only."""
    calls: list[tuple[Any, ...]] = []

    def around(args: Any, run: Any) -> Any:
        calls.append(args)
        try:
            return run()
        finally:
            calls.pop()

    def make(original: Any) -> Any:
        def save(self: Any, *tensors: Any) -> None:
            inputs = calls[-1] if calls else tensors
            self.from_inputs = [any(tensor is each for each in inputs) for tensor in tensors]
            original(self, *tensors)

        return save

    def saved(self: Any) -> tuple[Any, ...]:
        found = inside.saved_tensors(self)
        known = vars(self).get("from_inputs", ())
        return tuple(
            tensor if is_input or (tensor is not None and tensor.grad_fn is self) else None
            for tensor, is_input in zip(found, known, strict=True)
        )

    around_forward(patch, around)
    patch.wrap(inside.function_context, "save_for_backward", make)
    patch.set(inside.function_node, "saved_tensors", property(saved))


# --- the results ---


@fault
def cotangents_of_unused_results_are_none(patch: Patch) -> None:
    """The backward of a custom function is given None for a result that was not used."""

    def around(context: Any, run: Any) -> Any:
        context.set_materialize_grads(False)
        return run()

    around_context(patch, around)


@fault
def a_returned_input_comes_back_itself(patch: Patch) -> None:
    """An input that a custom forward returns as it is comes back itself; the backward is not asked."""
    returned: list[Any] = []

    def forward(args: Any, run: Any) -> Any:
        found = run()
        returned.append(next((each for each in args if each is found), None))
        return found

    def mark(original: Any) -> Any:
        def mark_dirty(self: Any, *tensors: Any) -> None:
            original(self, *tensors)
            returned.append("dirty")

        return mark_dirty

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        returned.clear()
        found = run(*args, **kwargs)
        same = returned[-1] if len(returned) == 1 else None
        return found if same is None else same

    around_forward(patch, forward)
    around_apply(patch, call)
    patch.wrap(inside.function_context, "mark_dirty", mark)


@fault
def views_of_custom_functions_may_be_changed(patch: Patch) -> None:
    """A view that a custom function returned may be changed in place."""

    def around(args: Any, run: Any) -> Any:
        found = run()
        if not is_tensor(found) or marked:
            return found
        shares = found._is_view() or any(each is found for each in args)
        return untouched.data.__get__(found) if shares else found

    def make(original: Any) -> Any:
        def mark_dirty(self: Any, *tensors: Any) -> None:
            marked.append(self)
            original(self, *tensors)

        return mark_dirty

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        marked.clear()
        return run(*args, **kwargs)

    marked: list[Any] = []
    around_forward(patch, around)
    around_apply(patch, call)
    patch.wrap(inside.function_context, "mark_dirty", make)


@fault
def custom_tangents_are_that_of_the_first_input(patch: Patch) -> None:
    """The tangent of a custom function's results is that of its first input, whatever its jvp says."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        method = cls.jvp

        def jvp(ctx: Any, *tangents: Any) -> Any:
            found = method(ctx, *tangents)
            return (tangents[0],) * len(found) if isinstance(found, tuple) else tangents[0]

        return {"jvp": jvp} if method is not torch.autograd.Function.jvp else {}

    for_each_call(patch, change)


# --- the marks ---


class Marks:
    """What the forward of a call marks, told to the engine when the forward is done:
    `told(dirty, constant, results)` gives the tensors to mark as dirty and as not differentiable."""

    def __init__(self, patch: Patch, told: Callable[..., tuple[Any, Any]]) -> None:
        self.told = told
        self.dirty: tuple[Any, ...] = ()
        self.constant: tuple[Any, ...] = ()
        context = inside.function_context
        self.mark_dirty, self.mark_constant = context.mark_dirty, context.mark_non_differentiable
        around_context(patch, self.around)
        patch.set(context, "mark_dirty", self.keep("dirty"))
        patch.set(context, "mark_non_differentiable", self.keep("constant"))

    def keep(self, name: str) -> Callable[..., None]:
        """A mark that is only noted."""
        return lambda context, *tensors: setattr(self, name, tensors)

    def around(self, context: Any, run: Callable[[], Any]) -> Any:
        self.dirty = self.constant = ()
        found = run()
        dirty, constant = self.told(self.dirty, self.constant, several(found))
        if dirty:
            self.mark_dirty(context, *dirty)
        if constant:
            self.mark_constant(context, *constant)
        return found


@fault
def a_dirty_view_may_stand_beside_a_result(patch: Patch) -> None:
    """A view that a custom forward changed may stand beside another result."""
    Marks(
        patch,
        lambda dirty, constant, results: (
            [each for each in dirty if len(results) == 1 or not each._is_view()],
            constant,
        ),
    )


@fault
def dirty_constants_are_recorded(patch: Patch) -> None:
    """An input that a custom forward changed gets the call as its history although it is marked as
    not differentiable."""
    Marks(
        patch,
        lambda dirty, constant, results: (
            dirty,
            [each for each in constant if not any(each is other for other in dirty)],
        ),
    )


@fault
def mark_dirty_counts_no_change(patch: Patch) -> None:
    """mark_dirty does not count as a change of the tensor."""
    keeping: list[Any] = []

    def told(dirty: Any, constant: Any, results: Any) -> tuple[Any, Any]:
        if dirty:
            keeping.append(inside.keeping_version(tuple(dirty)))
            keeping[-1].__enter__()
        return dirty, constant

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        keeping.clear()
        try:
            return run(*args, **kwargs)
        finally:
            for block in keeping:
                block.__exit__(None, None, None)

    Marks(patch, told)
    around_apply(patch, call)


@fault
def a_returned_input_is_copied(patch: Patch) -> None:
    """A custom function whose forward returns an input or a view of it gives a copy."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        right = cls.forward

        def forward(*given: Any, **named: Any) -> Any:
            found = right(*given, **named)
            inputs = [x.untyped_storage().data_ptr() for x in given if is_tensor(x)]
            shares = is_tensor(found) and found.untyped_storage().data_ptr() in inputs
            dirty = any(
                getattr(x, "dirty_tensors", None) or getattr(x, "to_save", None) for x in given
            )
            return untouched.clone(found) if shares and not dirty else found

        return {"forward": forward}

    for_each_call(patch, change)


@fault
def custom_functions_never_warn(patch: Patch) -> None:
    """A call of a custom function gives no warnings."""

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(*args, **kwargs)

    around_apply(patch, call)


@fault
def contexts_are_set_up_with_a_bare_result(patch: Patch) -> None:
    """setup_context is given the tensor where the forward returned a tuple of one."""

    def change(cls: Any, args: Any, kwargs: Any) -> Methods:
        if not sets_up(cls):
            return {}
        method = cls.setup_context

        def setup_context(ctx: Any, inputs: Any, output: Any) -> Any:
            alone = isinstance(output, tuple) and len(output) == 1
            return method(ctx, inputs, output[0] if alone else output)

        return {"setup_context": setup_context}

    for_each_call(patch, change)
