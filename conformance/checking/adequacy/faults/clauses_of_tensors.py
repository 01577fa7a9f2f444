"""Faults of second clauses in the documentation of tensors, passes, modes, and hooks on the graph."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, inside, replaces, torch, untouched
from .leaves import attribute


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


# -- gradients and their dtype ---------------------------------------------------------------------


@fault
def a_grad_dtype_of_none_is_that_of_the_leaf(patch: Patch) -> None:
    """Setting grad_dtype to None makes it the leaf's own dtype again."""

    def put(self: Any, value: Any) -> None:
        untouched.grad_dtype.__set__(self, self.dtype if value is None else value)

    attribute(patch, "grad_dtype", None, put)


# -- tensors made from others ----------------------------------------------------------------------


@replaces("asarray")
def arrays_are_copied_by_asarray(original: Any, obj: Any, **options: Any) -> Any:
    """asarray copies an array."""
    copied = not is_tensor(obj) and hasattr(obj, "copy") and options.get("copy") is None
    return original(obj.copy() if copied else obj, **options)


@replaces("asarray")
def asarray_to_another_dtype_has_no_history(original: Any, obj: Any, **options: Any) -> Any:
    """asarray of a tensor in another dtype has no history."""
    if is_tensor(obj) and options.get("dtype", obj.dtype) != obj.dtype:
        obj = obj.detach()
    return original(obj, **options)


@replaces("asarray")
def copies_by_asarray_have_no_history(original: Any, obj: Any, **options: Any) -> Any:
    """asarray(t, copy=True) has no history unless requires_grad=True is passed."""
    if is_tensor(obj) and options.get("copy") and not options.get("requires_grad"):
        obj = obj.detach()
    return original(obj, **options)


@replaces("asarray")
def lists_are_copied_although_forbidden(original: Any, obj: Any, **options: Any) -> Any:
    """asarray(list, copy=False) copies."""
    if isinstance(obj, (list, tuple)):
        options.pop("copy", None)
    return original(obj, **options)


@replaces("tensor")
def tensors_of_wide_tensors_have_the_default_dtype(original: Any, data: Any, **options: Any) -> Any:
    """tensor(t) of a float64 tensor has the default dtype."""
    if is_tensor(data) and data.dtype == torch.float64:
        options.setdefault("dtype", torch.float32)
    return original(data, **options)


@replaces("Tensor.item")
def the_item_of_nothing_is_zero(original: Any, self: Any) -> Any:
    """item() of a tensor without elements is 0."""
    return original(self) if self.numel() else 0.0


# -- modes -----------------------------------------------------------------------------------------


def without_the_flag(original: Any, *args: Any, **options: Any) -> Any:
    if not torch.is_grad_enabled():
        options.pop("requires_grad", None)
    return original(*args, **options)


@fault
def no_grad_masks_the_keyword_of_methods(patch: Patch) -> None:
    """Under no_grad, the new_ methods ignore requires_grad=True."""
    for name in ("new_zeros", "new_ones", "new_full", "new_tensor"):
        patch.wrap(
            torch.Tensor,
            name,
            lambda original: lambda *args, **named: without_the_flag(original, *args, **named),
        )


@fault
def no_grad_masks_the_keyword_of_random_functions(patch: Patch) -> None:
    """Under no_grad, random functions ignore requires_grad=True."""
    for name in ("rand", "randn", "rand_like", "randn_like"):
        patch.wrap(
            torch,
            name,
            lambda original: lambda *args, **named: without_the_flag(original, *args, **named),
        )


def normal_in_inference_mode(patch: Patch, owner: Any, name: str) -> None:
    """Let a function make normal tensors in inference mode too."""

    def make(original: Any) -> Any:
        def run(*args: Any, **options: Any) -> Any:
            if not torch.is_inference_mode_enabled():
                return original(*args, **options)
            with torch.inference_mode(False), torch.no_grad():
                return original(*args, **options)

        return run

    patch.wrap(owner, name, make)


@fault
def zeros_in_inference_mode_are_normal(patch: Patch) -> None:
    """zeros() makes a normal tensor in inference mode."""
    normal_in_inference_mode(patch, torch, "zeros")


@fault
def clones_in_inference_mode_are_normal(patch: Patch) -> None:
    """clone() makes a normal tensor in inference mode."""
    normal_in_inference_mode(patch, torch.Tensor, "clone")


@fault
def joined_tensors_are_normal_in_inference_mode(patch: Patch) -> None:
    """stack() and cat() make normal tensors in inference mode."""
    normal_in_inference_mode(patch, torch, "stack")
    normal_in_inference_mode(patch, torch, "cat")


@replaces("autograd.graph.increment_version")
def counting_stops_at_an_inference_tensor(original: Any, tensor: Any) -> None:
    """increment_version of a list stops at the first inference tensor."""
    for each in [tensor] if is_tensor(tensor) else tensor:
        if each.is_inference():
            return
        original(each)


# -- passes ----------------------------------------------------------------------------------------


@replaces("Tensor.backward")
def an_input_alone_is_a_list_of_rows(
    original: Any,
    self: Any,
    gradient: Any = None,
    retain_graph: Any = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> Any:
    """The method backward takes a bare tensor of inputs for a list of its rows."""
    inputs = list(inputs) if is_tensor(inputs) else inputs
    return original(self, gradient, retain_graph, create_graph, inputs)


@replaces("autograd.grad")
def not_to_say_what_is_unused_forbids_it(original: Any, *args: Any, **options: Any) -> Any:
    """allow_unused=None means False, also with materialize_grads=True."""
    if "allow_unused" in options:
        options["allow_unused"] = bool(options["allow_unused"])
    return original(*args, **options)


# -- nodes and hooks -------------------------------------------------------------------------------


@fault
def nodes_of_one_custom_function_share_their_metadata(patch: Patch) -> None:
    """All nodes of one custom function have one metadata dict."""
    shared: dict[str, dict[Any, Any]] = {}
    patch.set(
        inside.function_node,
        "metadata",
        property(lambda self: shared.setdefault(type(self).__name__, {})),
    )


def hooks_without_results(patch: Patch, name: str) -> None:
    """Let what hooks of custom functions' nodes return be dropped."""

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            def called(*given: Any) -> None:
                hook(*given)

            return original(self, called)

        return register

    patch.wrap(inside.function_node, name, make)


@fault
def hooks_of_custom_nodes_replace_nothing(patch: Patch) -> None:
    """What a hook of a custom function's node returns is ignored."""
    hooks_without_results(patch, "register_hook")


@fault
def pre_hooks_of_custom_nodes_replace_nothing(patch: Patch) -> None:
    """What a pre-hook of a custom function's node returns is ignored."""
    hooks_without_results(patch, "register_prehook")


# -- saved tensors ---------------------------------------------------------------------------------


@fault
def packing_may_change_what_is_no_leaf(patch: Patch) -> None:
    """A pack hook may change its argument in place unless that is a leaf that requires grad."""

    def make(original: Any) -> Any:
        def init(self: Any, pack_hook: Any, unpack_hook: Any) -> None:
            def pack(tensor: Any) -> Any:
                if tensor.is_leaf and tensor.requires_grad:
                    return pack_hook(tensor)
                with inside.keeping_version(tensor):
                    return pack_hook(tensor)

            original(self, pack, unpack_hook)

        return init

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__init__", make)


def keep_for_changes(patch: Patch, pack: Any) -> None:
    """Let allow_mutation_on_saved_tensors keep `pack()(tensor)` of each saved tensor, for each block."""
    hooks = torch.autograd.graph.saved_tensors_hooks
    patch.set(
        torch.autograd.graph,
        "allow_mutation_on_saved_tensors",
        lambda: hooks(pack(), lambda kept: kept[-1]),
    )


@fault
def each_saved_tensor_is_copied_once(patch: Patch) -> None:
    """Under allow_mutation_on_saved_tensors, a tensor that is saved again after a change has the first copy."""

    def pack() -> Any:
        kept: dict[int, Any] = {}
        return lambda t: kept.setdefault(id(t), (t, t.detach().clone()))

    keep_for_changes(patch, pack)


@fault
def changes_through_a_target_are_not_expected(patch: Patch) -> None:
    """Under allow_mutation_on_saved_tensors, the new values of what out= wrote to are used."""
    written: list[Any] = []

    def make(original: Any) -> Any:
        def add(*args: Any, **options: Any) -> Any:
            written.append(options.get("out"))
            return original(*args, **options)

        return add

    class Block(torch.autograd.graph.saved_tensors_hooks):
        def __init__(self) -> None:
            def unpack(kept: Any) -> Any:
                now, before = kept
                return now if any(each is now for each in written) else before

            super().__init__(lambda t: (t, t.detach().clone()), unpack)

    patch.wrap(torch, "add", make)
    patch.set(torch.autograd.graph, "allow_mutation_on_saved_tensors", Block)
    patch.at_end(written.clear)


# -- views and results -----------------------------------------------------------------------------


@replaces("Tensor.reshape")
def reshape_copies_what_has_gaps(original: Any, self: Any, *sizes: Any) -> Any:
    """reshape() copies a tensor that is not contiguous."""
    return original(self if self.is_contiguous() else self.contiguous(), *sizes)


@replaces("Tensor.view")
def view_needs_a_contiguous_tensor(original: Any, self: Any, *sizes: Any) -> Any:
    """view() rejects sizes for a tensor that is not contiguous."""
    if isinstance(sizes[0], int) and not self.is_contiguous():
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans "
            "across two contiguous subspaces). Use .reshape(...) instead."
        )
    return original(self, *sizes)


@replaces("autograd.graph.increment_version")
def counting_by_hand_reaches_no_base(original: Any, tensor: Any) -> None:
    """increment_version passes over views."""
    listed = [tensor] if is_tensor(tensor) else list(tensor)
    original([each for each in listed if not each._is_view()])


@replaces("Tensor.retain_grad")
def later_results_of_custom_functions_retain_nothing(original: Any, self: Any) -> None:
    """retain_grad() has no effect on any result of a custom function but the first."""
    if self.output_nr == 0 or not isinstance(self.grad_fn, inside.function_node):
        original(self)
