"""Every error of the engine carries its kind: the id of an entry of spec/errors.yaml.

A place that rejects something reads ``raise errors.wrong_shape("...")``. What it raises is a plain
built-in exception, of the type that PyTorch raises, with the attribute ``kind``. Errors that several
places raise are functions here, as in ``raise errors.leaf_changed_in_place("add_")``. A message
says what was expected, what was found and what to do, in at most two sentences; where people search
for PyTorch's wording, it begins with that.
"""

from __future__ import annotations

import warnings


class Kind:
    """A kind of error. Calling it makes (never raises) an exception of that kind."""

    def __init__(self, name: str, usual: type[Exception] = RuntimeError) -> None:
        self.name = name
        self.usual = usual

    def __call__(self, message: str, exception: type[Exception] | None = None) -> Exception:
        """An exception with this message, of another type than the kind's usual one if given."""
        error = (exception or self.usual)(message)
        vars(error)["kind"] = self.name
        return error


anomaly = Kind("anomaly")
checkpoint = Kind("checkpoint")
custom_function = Kind("custom-function")
device_mismatch = Kind("device-mismatch")
does_not_require_grad = Kind("does-not-require-grad")
gradient_count = Kind("gradient-count")
gradient_itself = Kind("gradient-itself")
gradient_mismatch = Kind("gradient-mismatch")
gradcheck = Kind("gradcheck")
graph_freed = Kind("graph-freed")
hook = Kind("hook")
inference_tensor = Kind("inference-tensor")
invalid_state = Kind("invalid-state")
leaf_in_place = Kind("leaf-in-place")
needs_gradient = Kind("needs-gradient")
no_graph = Kind("no-graph")
no_values = Kind("no-values", NotImplementedError)
not_a_leaf = Kind("not-a-leaf")
not_differentiable = Kind("not-differentiable")
not_differentiable_dtype = Kind("not-differentiable-dtype")
overlapping_memory = Kind("overlapping-memory")
read_only = Kind("read-only", AttributeError)
requires_grad = Kind("requires-grad")
saved_modified = Kind("saved-modified")
singular_matrix = Kind("singular-matrix")
storage = Kind("storage")
unused_input = Kind("unused-input")
view_in_place = Kind("view-in-place")
within_transform = Kind("within-transform")
wrong_dtype = Kind("wrong-dtype")
wrong_index = Kind("wrong-index", IndexError)
wrong_shape = Kind("wrong-shape")
wrong_type = Kind("wrong-type", TypeError)
wrong_value = Kind("wrong-value", ValueError)


def of_a_transform(method: str) -> Exception:
    """A method of a tensor, called inside a function that a transform runs."""
    return within_transform(
        f"You are attempting to call Tensor.{method}() inside of a function being transformed. Use "
        "the transforms of torch.func, or call it outside of the function."
    )


def caution(message: str, stacklevel: int = 4) -> None:
    """Warn the user about a call that does what it says, but likely not what is meant."""
    warnings.warn(message, UserWarning, stacklevel=stacklevel)


def leaf_changed_in_place(what: str) -> Exception:
    """An in-place operation on a leaf that requires grad."""
    return leaf_in_place(
        f"a leaf Variable that requires grad is being used in an in-place operation, {what}. "
        "Update it under no_grad(), or work on a clone."
    )


def leaf_moved() -> Exception:
    """A gradient for a leaf that became the result of an in-place operation since."""
    return leaf_in_place(
        "leaf variable has been moved into the graph interior: an in-place operation gave it a "
        "history after it was used. Compute the loss again."
    )


def leaf_view_changed_in_place(what: str) -> Exception:
    """An in-place operation on a view of a leaf that requires grad."""
    return leaf_in_place(
        f"a view of a leaf Variable that requires grad is being used in an in-place operation, "
        f"{what}. Update it under no_grad(), or take the view of a clone."
    )


def protected_view_in_place(what: str, origin: str) -> Exception:
    """An in-place operation on a view whose history cannot be rewritten. `origin` is the operation that
    made it, such as ``unbind``, or the mode, such as ``under no_grad()``."""
    return view_in_place(
        f"the tensor is a view and is being modified inplace by {what}. It {_made(origin)}, so its "
        "history cannot be rewritten: clone it first."
    )


def stale_view(origin: str) -> Exception:
    """The use of a view whose history cannot be rewritten, after its base was modified. `origin` is as for
    `protected_view_in_place`."""
    return view_in_place(
        "the tensor is a view and its base or another view of its base has been modified inplace. It "
        f"{_made(origin)}, so its history cannot be rewritten: clone it first."
    )


def _made(origin: str) -> str:
    is_mode = " " in origin
    return (
        f"was made {origin}"
        if is_mode
        else f"is the output of a function that returns multiple views, {origin}"
    )


def modified_in_place(node: str, found: int | str, expected: int) -> Exception:
    """A saved tensor has another version than when it was saved."""
    return saved_modified(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: what {node} saved is at version {found}; expected version {expected} instead. "
        "Clone the tensor before modifying it."
    )


def detached_in_place(node: str) -> Exception:
    """A saved tensor was detached in place."""
    return saved_modified(
        f"a tensor that {node} saved has been detached in-place. Use detach(), which leaves the "
        "saved tensor as it was."
    )


def freed(node: str) -> Exception:
    """A second pass through a node that has released its saved tensors."""
    return graph_freed(
        "Trying to backward through the graph a second time (or directly access saved tensors after "
        f"they have already been freed), at {node}. Pass retain_graph=True to every pass but the "
        "last."
    )


def not_scalar(what: str, shape: tuple[int, ...]) -> Exception:
    """A root without an explicit gradient that has not exactly one element."""
    return needs_gradient(
        f"grad can be implicitly created only for scalar outputs, but {what} got shape "
        f"{list(shape)}. Pass a gradient of that shape, or reduce the output to one element."
    )


def not_real_scalar(what: str) -> Exception:
    """A complex root without an explicit gradient."""
    return needs_gradient(
        f"grad can be implicitly created only for real scalar outputs, but {what} got a complex one. "
        "Pass a gradient, or take the real part or the absolute value first."
    )


def backward_without_graph(index: int) -> Exception:
    """A root that has no history."""
    return no_graph(
        f"element {index} of tensors does not require grad and does not have a grad_fn. Set "
        "requires_grad on the inputs before the forward computation."
    )


def input_without_grad() -> Exception:
    """A gradient was asked for a tensor that does not require grad."""
    return does_not_require_grad(
        "One of the differentiated Tensors does not require grad. Call requires_grad_() on it before "
        "the forward computation."
    )


def input_not_used(index: int) -> Exception:
    """A gradient was asked for a tensor that the outputs do not depend on."""
    return unused_input(
        f"One of the differentiated Tensors appears to not have been used in the graph: input {index}. "
        "Set allow_unused=True to get None for it, or leave it out."
    )


def not_a_tensor(what: str, name: str, found: object) -> Exception:
    """An argument that is no tensor."""
    return wrong_type(f"{what}(): argument '{name}' must be Tensor, not {type(found).__name__}")


def nan_found(node: str, index: int) -> Exception:
    """Under anomaly detection, a gradient with NaN."""
    return anomaly(
        f"Function '{node}' returned nan values in its {index}th output. The warning before tells "
        "where the operation was called."
    )


def no_derivative(name: str, exception: type[RuntimeError] = RuntimeError) -> Exception:
    """Backward reached an operation that has no derivative."""
    return not_differentiable(
        f"derivative for {name} is not implemented. Detach its result, or use an operation that has "
        "a derivative.",
        exception,
    )


def no_complex_gradient(name: str) -> Exception:
    """An operation recorded for complex numbers, for which it has no derivative."""
    return not_differentiable(
        f"{name} does not support automatic differentiation for outputs with complex dtype. Detach "
        "the input, or take its real and imaginary part."
    )


def integer_requires_grad(dtype: object) -> Exception:
    """A tensor of integral or boolean dtype was asked to require grad."""
    return not_differentiable_dtype(
        f"only Tensors of floating point and complex dtype can require gradients, got {dtype}. "
        "Convert it with .to(torch.float32) first."
    )


def nonleaf_flag() -> Exception:
    """requires_grad of a non-leaf was changed."""
    return not_a_leaf(
        "you can only change requires_grad flags of leaf variables. Take detach() of this one for a "
        "tensor without history."
    )


def inference_saved() -> Exception:
    """An inference tensor would have to be saved for backward."""
    return inference_tensor(
        "Inference tensors cannot be saved for backward. Clone the tensor outside of inference "
        "mode and use the clone."
    )


def inference_in_place() -> Exception:
    """An inference tensor would be changed outside inference mode."""
    return inference_tensor(
        "Inplace update to inference tensor outside InferenceMode is not allowed. Clone the tensor "
        "and update the clone."
    )


def inference_requires_grad() -> Exception:
    """An inference tensor was asked to require grad outside inference mode."""
    return inference_tensor(
        "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed. "
        "Clone the tensor and set the flag on the clone."
    )


def inference_version() -> Exception:
    """The version of an inference tensor was read."""
    return inference_tensor(
        "Inference tensors do not track version counter. Clone the tensor outside of inference "
        "mode to get one that does."
    )


def internal_overlap(what: str) -> Exception:
    """A write to a tensor several of whose elements share one memory location."""
    return overlapping_memory(
        "unsupported operation: more than one element of the written-to tensor refers to a single "
        f"memory location. Please clone() the tensor before {what}."
    )


def partial_overlap(what: str) -> Exception:
    """A write to memory that an operand partly shares."""
    return overlapping_memory(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to "
        f"a single memory location. Please clone() the tensor before {what}."
    )


def in_place_shape(what: str, target: tuple[int, ...], result: tuple[int, ...]) -> Exception:
    """An in-place operation would have to change the shape of its target."""
    return wrong_shape(
        f"output with shape {list(target)} doesn't match the broadcast shape {list(result)}. {what} "
        "keeps the shape: expand the target first, or work out of place."
    )


def in_place_dtype(what: str, target: object, result: object) -> Exception:
    """An in-place operation would have to change the dtype category of its target."""
    return wrong_dtype(
        f"result type {result} can't be cast to the desired output type {target}. {what} keeps the "
        "dtype: convert the target first, or work out of place."
    )


def several_devices(what: str, *places: object) -> Exception:
    """Operands that live on different devices."""
    first, *others = sorted(map(str, places), reverse=True)
    return device_mismatch(
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{first} and {others[0]}, in {what}. Move one of them with .to()."
    )


def shapes_mismatch(what: str, *shapes: tuple[int, ...]) -> Exception:
    """Operands whose shapes do not broadcast together."""
    listed = " and ".join(str(list(s)) for s in shapes)
    for dim in range(-1, -1 - max(map(len, shapes)), -1):
        first, *others = [s[dim] for s in shapes if len(s) >= -dim and s[dim] != 1] or [1]
        if any(size != first for size in others):
            other = next(size for size in others if size != first)
            return wrong_shape(
                f"The size of tensor a ({first}) must match the size of tensor b ({other}) at "
                f"non-singleton dimension {max(map(len, shapes)) + dim}: {what} got shapes {listed}"
            )
    return wrong_shape(f"{what}(): shapes {listed} cannot be broadcast")


def no_operand(what: str, name: str, value: object) -> Exception:
    """An operand that is neither a tensor nor a number."""
    return wrong_type(
        f"{what}(): argument '{name}' must be a Tensor or a number, not {type(value).__name__}"
    )


def unsupported_dtype(what: str, dtype: object) -> Exception:
    """An operation that has no meaning for a dtype."""
    return wrong_dtype(
        f'"{what}" not implemented for {dtype}. Convert it with .to() first.', NotImplementedError
    )


def dim_out_of_range(dim: int, ndim: int) -> Exception:
    """A dimension that the tensor does not have."""
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    return wrong_index(
        f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"
    )


def no_dimensions(dim: int) -> Exception:
    """A dimension of a 0-dim tensor, asked of an operation that needs one."""
    return wrong_index(f"Dimension specified as {dim} but tensor has no dimensions")


def not_whole(what: str, name: str, found: object) -> Exception:
    """An argument that is no whole number."""
    return wrong_type(f"{what}argument '{name}' must be int, not {type(found).__name__}")


def mark_call(error: TypeError) -> None:
    """Give its kind to Python's own error of a call that the signature does not allow, caught where
    the call was made; an error from within the function called is left alone."""
    traceback = error.__traceback__
    if traceback is not None and traceback.tb_next is None:
        vars(error)["kind"] = wrong_type.name


def stale_grad(held: tuple[int, ...], found: tuple[int, ...]) -> Exception:
    """A gradient that cannot be added to what ``.grad`` holds, since the leaf changed its shape."""
    return wrong_shape(
        f"a gradient of shape {list(found)} cannot be added to .grad of shape {list(held)}, since the "
        "leaf's data has changed. Set .grad to None first."
    )
