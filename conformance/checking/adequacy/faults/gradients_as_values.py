"""Faults of autograd.grad: which inputs it takes for which, and what it returns for them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Notes,
    Patch,
    around,
    around_pass,
    asked,
    fault,
    listed,
    nodes_below,
    register,
    torch,
)
from .unused_inputs import unused


def returned(name: str, sentence: str, change: Callable[[list[Any], SimpleNamespace], Any]) -> None:
    """Put into the bank a fault that returns `change(gradients, options)` from autograd.grad."""

    def install(patch: Patch) -> None:
        def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
            found = run(options)
            return found if options.accumulates else tuple(change(list(found), options))

        around_pass(patch, around)

    register(name, sentence, install)


# --- the form of what is returned ---


def at_second_mention(gradients: list[Any], options: SimpleNamespace, change: Any) -> list[Any]:
    """`change(gradient, mentions, earlier)` for each input that is listed several times."""
    inputs = list(options.inputs)
    result = []
    for at, (tensor, gradient) in enumerate(zip(inputs, gradients, strict=True)):
        mentions = sum(tensor is other for other in inputs)
        earlier = sum(tensor is other for other in inputs[:at])
        repeated = mentions > 1 and gradient is not None
        result.append(change(gradient, mentions, earlier) if repeated else gradient)
    return result


returned(
    "an_input_that_stands_twice_gets_zeros_then",
    "An input that is listed twice gets its gradient at the first place and zeros at the second.",
    lambda gradients, options: at_second_mention(
        gradients, options, lambda g, mentions, earlier: g * 0 if earlier else g
    ),
)


returned(
    "the_gradient_is_divided_among_the_places_of_an_input",
    "An input that is listed twice gets half of its gradient at each place.",
    lambda gradients, options: at_second_mention(
        gradients, options, lambda g, mentions, earlier: g / mentions
    ),
)


def zeros_where_shared(gradients: Any) -> list[Any]:
    """The gradients, but zeros for one that shares its memory with an earlier one."""
    seen: set[int] = set()
    given = []
    for gradient in gradients:
        place = None if gradient is None else gradient.data_ptr()
        given.append(gradient * 0 if place in seen else gradient)
        if place is not None:
            seen.add(place)
    return given


returned(
    "a_gradient_that_inputs_share_is_given_to_the_first",
    "If two inputs get gradients that share memory, autograd.grad returns zeros for the second.",
    lambda gradients, options: zeros_where_shared(gradients),
)


returned(
    "grad_returns_the_dtype_of_the_output",
    "autograd.grad returns the gradients in the dtype of the first output.",
    lambda gradients, options: [
        g if g is None or not isinstance(options.roots[0], torch.Tensor)
        else g.to(options.roots[0].dtype)
        for g in gradients
    ],
)  # fmt: skip


returned(
    "constant_gradients_require_grad",
    "With create_graph=True a constant gradient is made to require grad.",
    lambda gradients, options: [
        g if g is None or g.requires_grad or not options.create_graph
        else g.detach().requires_grad_()
        for g in gradients
    ],
)  # fmt: skip


returned(
    "plain_gradients_require_grad",
    "Without create_graph=True autograd.grad returns leaves that require grad.",
    lambda gradients, options: [
        g if g is None or options.create_graph else g.detach().requires_grad_() for g in gradients
    ],
)


@fault
def the_keys_of_gradients_come_sorted(patch: Patch) -> None:
    """autograd.grad of a dict of inputs returns its keys sorted."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        return dict(sorted(found.items())) if isinstance(found, dict) else found

    asked(patch, "grad", change)


@fault
def a_dict_of_inputs_gives_a_tuple(patch: Patch) -> None:
    """autograd.grad of a dict of inputs returns a tuple."""
    asked(patch, "grad", lambda run, given: tuple(listed(run())))


@fault
def a_batch_for_a_dict_gives_a_tuple(patch: Patch) -> None:
    """A batch of cotangents gives a tuple also where the inputs are a dict."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        return tuple(listed(found)) if given.get("is_grads_batched") else found

    asked(patch, "grad", change)


# --- batches of cotangents ---


@fault
def the_batch_comes_last(patch: Patch) -> None:
    """With is_grads_batched=True the batch comes last in the gradients."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        if not given.get("is_grads_batched") or isinstance(found, dict):
            return found
        return tuple(None if g is None else g.movedim(0, -1) for g in found)

    asked(patch, "grad", change)


@fault
def the_shape_of_a_batch_is_compared_as_it_stands(patch: Patch) -> None:
    """With is_grads_batched=True the cotangents must have the shapes of the outputs, batch included."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if given.get("is_grads_batched") and given.get("grad_outputs") is not None:
            pairs = zip(listed(given["outputs"]), listed(given["grad_outputs"]), strict=False)
            if any(output.shape != seed.shape for output, seed in pairs):
                raise RuntimeError("Mismatch in shape: grad_output has another shape")
        return run()

    asked(patch, "grad", change)


@fault
def a_batch_of_cotangents_is_stretched(patch: Patch) -> None:
    """A batch of cotangents whose shape broadcasts to the output's is accepted."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if not given.get("is_grads_batched") or given.get("grad_outputs") is None:
            return run()
        pairs = zip(listed(given["outputs"]), listed(given["grad_outputs"]), strict=False)
        return run(
            grad_outputs=[
                seed.reshape(-1, 1).expand(len(seed), output.numel())
                if output.dim() == 1 and seed.shape[1:] in ((1,), ()) else seed
                for output, seed in pairs
            ]
        )  # fmt: skip

    asked(patch, "grad", change)


@fault
def batches_of_gradients_have_no_history(patch: Patch) -> None:
    """With is_grads_batched=True create_graph=True has no effect."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if not given.get("is_grads_batched") or not given.get("create_graph"):
            return run()
        return run(create_graph=False, retain_graph=given.get("retain_graph") is not False)

    asked(patch, "grad", change)


# --- which inputs are accepted ---


@fault
def results_among_the_inputs_retain_their_gradient(patch: Patch) -> None:
    """Non-leaves among the inputs of autograd.grad retain their gradient from then on."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        for each in listed(given["inputs"]):
            if isinstance(each, torch.Tensor) and each.requires_grad and not each.is_leaf:
                each.retain_grad()
        return run()

    asked(patch, "grad", change)


@fault
def results_are_refused_as_inputs(patch: Patch) -> None:
    """A non-leaf among the inputs of autograd.grad is refused."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if any(
            isinstance(each, torch.Tensor) and not each.is_leaf for each in listed(given["inputs"])
        ):
            raise RuntimeError("you can only ask for the gradients of leaf variables")
        return run()

    asked(patch, "grad", change)


@fault
def no_inputs_give_no_gradients(patch: Patch) -> None:
    """autograd.grad without inputs returns an empty tuple."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        inputs = given["inputs"]
        return () if isinstance(inputs, list | tuple) and not inputs else run()

    asked(patch, "grad", change)


@fault
def no_outputs_are_refused(patch: Patch) -> None:
    """autograd.grad without outputs fails."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if not listed(given["outputs"]):
            raise IndexError("list index out of range")
        return run()

    asked(patch, "grad", change)


def around_untracked(patch: Patch, allowed: Callable[[bool], bool]) -> None:
    """Let an input that does not require grad count as unused, where `allowed(allow_unused)`."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        may = bool(given.get("allow_unused"))
        inputs = listed(given["inputs"])
        kept = [each for each in inputs if getattr(each, "requires_grad", True)]
        if len(kept) == len(inputs) or isinstance(given["inputs"], dict) or not allowed(may):
            return run()
        found = iter(run(inputs=kept) if kept else ())
        return unused(
            tuple(next(found) if getattr(e, "requires_grad", True) else None for e in inputs), given
        )

    asked(patch, "grad", change)


@fault
def inputs_that_do_not_require_grad_are_unused(patch: Patch) -> None:
    """An input of autograd.grad that does not require grad counts as unused."""
    around_untracked(patch, lambda may: True)


@fault
def inputs_that_do_not_require_grad_may_be_unused(patch: Patch) -> None:
    """With allow_unused=True an input that does not require grad gives None."""
    around_untracked(patch, lambda may: may)


@fault
def the_flag_counts_as_it_was(patch: Patch) -> None:
    """A leaf whose flag was cleared after the computation is accepted as input of autograd.grad."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        ends = [getattr(node, "variable", None) for node in nodes_below(listed(given["outputs"]))]
        cleared = [
            each for each in listed(given["inputs"])
            if isinstance(each, torch.Tensor) and not each.requires_grad
            and any(each is end for end in ends)
        ]  # fmt: skip
        for leaf in cleared:
            leaf.requires_grad_()
        try:
            return run()
        finally:
            for leaf in cleared:
                leaf.requires_grad_(False)

    asked(patch, "grad", change)


# --- which inputs are taken for which ---


def taken_for(patch: Patch, change: Callable[[Any, list[Any]], Any]) -> None:
    """Let autograd.grad take each input for `change(input, inputs)`."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if not options.accumulates:
            inputs = list(options.inputs)
            options.inputs = [
                change(each, inputs) if isinstance(each, torch.Tensor) else each for each in inputs
            ]
        return run(options)

    around_pass(patch, around)


@fault
def views_among_the_inputs_stand_for_their_base(patch: Patch) -> None:
    """A view among the inputs of autograd.grad is taken for its base."""
    taken_for(
        patch,
        lambda each, inputs: each._base if each._is_view() and each._base.requires_grad else each,
    )


@fault
def inputs_are_matched_by_memory(patch: Patch) -> None:
    """An input of autograd.grad is matched with an earlier one of the same memory."""
    taken_for(
        patch,
        lambda each, inputs: next(
            other for other in inputs
            if other is each
            or (isinstance(other, torch.Tensor) and other.data_ptr() == each.data_ptr())
        ),
    )  # fmt: skip


@fault
def changed_tensors_keep_their_place(patch: Patch) -> None:
    """A result that is changed in place keeps, as input of autograd.grad, the place that it had before."""
    places: Any = Notes()

    def multiply(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if self.requires_grad and not self.is_leaf and self not in places:
            places[self] = torch.autograd.graph.get_gradient_edge(self)
        return original(self, *args, **kwargs)

    around(patch, "mul_ add_", multiply)
    taken_for(patch, lambda each, inputs: places.get(each, each))


@fault
def an_edge_is_its_tensor(patch: Patch) -> None:
    """What stands for a place in the graph is the tensor itself, so that it moves with in-place changes."""

    def make(original: Any) -> Any:
        return lambda tensor: tensor if tensor.requires_grad else original(tensor)

    patch.wrap(torch.autograd.graph, "get_gradient_edge", make)


# --- the graph, and hooks ---


@fault
def retained_passes_are_recorded(patch: Patch) -> None:
    """autograd.grad(retain_graph=True) records the pass, as with create_graph=True."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        return run(create_graph=True) if given.get("retain_graph") else run()

    asked(patch, "grad", change)


def without_hooks(patch: Patch, of: Callable[[Any], bool]) -> None:
    """Let autograd.grad pass by the hooks of those of its inputs for which `of(input)`."""
    current: list[Any] = []

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            if not of(self):
                return original(self, hook)
            number = id(self)
            return original(
                self, lambda g: None if any(number == id(each) for each in current) else hook(g)
            )

        return register_hook

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        current[:] = [] if options.accumulates else list(options.inputs)
        try:
            return run(options)
        finally:
            current.clear()

    patch.wrap(torch.Tensor, "register_hook", make)
    around_pass(patch, around)


@fault
def hooks_of_leaves_do_not_run_for_grad(patch: Patch) -> None:
    """The hooks of a leaf among the inputs of autograd.grad do not run."""
    without_hooks(patch, lambda tensor: tensor.is_leaf)


@fault
def hooks_of_results_that_were_asked_for_do_not_run(patch: Patch) -> None:
    """The hooks of a non-leaf among the inputs of autograd.grad do not run."""
    without_hooks(patch, lambda tensor: not tensor.is_leaf)
