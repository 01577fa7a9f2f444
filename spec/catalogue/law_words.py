"""The words in capitals of laws' programs: what each stands for, for one form of an operation."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from .formulas import evaluate
from .law_operands import Laid, NoDerivative, NoSuchLayout, NotApplicable
from .law_replaced import CONVERSION, complexes, number_places, several_operands, stretchable
from .layouts import LAYOUTS, plain, transposed
from .samples import direction, literal_of
from .slices import Slices, all_slices_of, slices_of
from .worked import cotangent_of

Array = Any
LARGE = -1024.0
"""What a large gradient of the result is multiplied by; in binary, no digit changes."""

COMPLEX_OF = {"float32": "complex64", "float64": "complex128"}
SIZES = (33, 1025, 32769, 65537)
"""Numbers of elements at which engines change to another way of computing, and one more."""


def _shapes(laid: Laid) -> list[str]:
    """The other shapes in which the formula gives the same elements, or the same number."""
    inputs, out = laid.worked.inputs, laid.worked.out
    if len({np.shape(array) for array in inputs.values()}) != 1 or out.shape not in _one(inputs):
        return []
    size = np.size(next(iter(inputs.values())))
    shapes = [shape for shape in ((size,), (size, 1), (1, size, 1, 1)) if shape not in _one(inputs)]
    return [str(shape) for shape in shapes if _is_the_same(laid, shape)]


def _one(inputs: Mapping[str, Array]) -> tuple[tuple[int, ...], ...]:
    """The shape of the operands, and that of a number."""
    return np.shape(next(iter(inputs.values()))), ()


def _is_the_same(laid: Laid, shape: tuple[int, ...]) -> bool:
    inputs = {name: np.reshape(array, shape) for name, array in laid.worked.inputs.items()}
    out = laid.worked.out
    try:
        found = evaluate(laid.form.value, inputs)
    except Exception:  # a formula for another number of dimensions
        return False
    return np.shape(found) == (shape if out.shape else ()) and bool(
        np.allclose(np.ravel(found), out.ravel(), rtol=1e-12, atol=0.0, equal_nan=True)
    )


def _in_shape(array: Array, shape: str) -> Array:
    return np.reshape(array, ast.literal_eval(shape)) if np.shape(array) else array


def _given_in_shape(laid: Laid, shape: str) -> str:
    return "\n".join(
        f"{name} = tensor({literal_of(_in_shape(array, shape))})"
        for name, array in laid.worked.inputs.items()
    )


def _cotangent_in_shape(laid: Laid, shape: str) -> str:
    _named(laid)
    return f"tensor({literal_of(_in_shape(laid.g, shape))})"


def _given(laid: Laid) -> str:
    return "\n".join(f"{name} = {text}" for name, text in laid.texts.items())


def _given_as(laid: Laid, layout: str) -> str:
    """The operands in another layout, as far as they can lie so."""
    made = {name: LAYOUTS[layout](value, "") for name, value in laid.worked.inputs.items()}
    if not any(made.values()):
        raise NoSuchLayout
    return "\n".join(
        f"{name} = {found.text if found else laid.texts[name]}" for name, found in made.items()
    )


def _cotangent_as(laid: Laid, layout: str) -> str:
    _named(laid)
    made = LAYOUTS[layout](laid.g, "")
    if made is None:
        raise NoSuchLayout
    return made.text


def _in_dtype(value: Array, dtype: str) -> str:
    dtypes = {"f": dtype, "c": COMPLEX_OF[dtype]}
    made = plain(value, dtypes.get(np.asarray(value).dtype.kind, ""))
    assert made is not None
    return made.text


def _given_in(laid: Laid, dtype: str) -> str:
    return "\n".join(
        f"{name} = {laid.texts[name] if name in laid.fixed else _in_dtype(value, dtype)}"
        for name, value in laid.worked.inputs.items()
    )


def _cotangent_in(laid: Laid, dtype: str) -> str:
    _named(laid)
    return _in_dtype(laid.g, dtype)


def _result_dtype(laid: Laid, dtype: str) -> str:
    kind = laid.worked.out.dtype.kind
    if not laid.differentiable and CONVERSION.search(laid.form.call):
        raise NotApplicable  # such as a comparison whose result is converted
    return {"b": "bool", "i": "int64", "u": "int64", "c": COMPLEX_OF[dtype]}.get(kind, dtype)


def _leaves(laid: Laid, made: str = "{}") -> str:
    """The operands, each made as `made` says of its text; those with a derivative require grad."""
    if not laid.differentiable:
        raise NotApplicable
    required = dict.fromkeys(laid.differentiable, ".requires_grad_()")
    return "\n".join(
        f"{name} = {made.format(text)}{required.get(name, '')}" for name, text in laid.texts.items()
    )


def _leaves_there(laid: Laid) -> str:
    """The operands on the device `there`."""
    return _leaves(laid, "({}).to(there)")


def _copies(laid: Laid) -> str:
    if not laid.differentiable:
        raise NotApplicable
    lines = []
    for name, text in laid.texts.items():
        if name in laid.differentiable:
            lines += [f"{name}_leaf = {text}.requires_grad_()", f"{name} = {name}_leaf.clone()"]
        else:
            lines.append(f"{name} = {text}")
    return "\n".join(lines)


def _every_second_element(laid: Laid) -> str:
    """The target of the operation in place is every second element of a buffer."""
    lines = []
    for name, text in laid.texts.items():
        shape = np.shape(laid.worked.inputs[name])
        if name != _target(laid):
            required = ".requires_grad_()" if name in laid.differentiable else ""
            lines.append(f"{name} = {text}{required}")
        elif not shape or name not in laid.differentiable:
            raise NotApplicable
        else:
            lines += [
                f"{name}_leaf = {text}.requires_grad_()",
                f"buffer = zeros({(*shape[:-1], 2 * shape[-1])}{_complex_dtype(laid, name)})",
                f"{name} = buffer[..., 1::2]",
                f"{name}.copy_({name}_leaf)",
            ]
    return "\n".join(lines)


def _complex_dtype(laid: Laid, name: str) -> str:
    return ", dtype=complex64" if np.iscomplexobj(laid.worked.inputs[name]) else ""


def _target(laid: Laid) -> str:
    """The operand that the in-place variant overwrites."""
    words = re.findall(r"\w+", laid.form.in_place)
    return next((word for word in words if word in laid.texts), "")


def _in_place(laid: Laid) -> str:
    if not laid.form.in_place:
        raise NotApplicable
    return laid.form.in_place


def _named(laid: Laid) -> list[str]:
    """The operands that have a gradient: at least one."""
    if not laid.differentiable:
        raise NoDerivative
    return laid.differentiable


def _names(laid: Laid) -> str:
    return ", ".join(_named(laid))


def _grads(laid: Laid) -> str:
    """The gradients of the leaves, whether or not the operation is given copies of them."""
    return f"({', '.join(f'{name}.grad' for name in _named(laid))},)"


def _copied_grads(laid: Laid) -> str:
    """The gradients of the leaves where the operation is given copies."""
    return f"({', '.join(f'{name}_leaf.grad' for name in _named(laid))},)"


def _target_grads(laid: Laid) -> str:
    """The gradients where only the target of the operation in place is a copy."""
    target = _target(laid)
    leaves = [f"{name}_leaf" if name == target else name for name in laid.differentiable]
    return f"({', '.join(f'{leaf}.grad' for leaf in leaves)},)"


def _between(laid: Laid) -> str:
    """What the buffer holds between the elements of the target."""
    return literal_of(np.zeros_like(laid.worked.out))


def _shared_given(laid: Laid) -> str:
    names = laid.differentiable
    others = [f"{name} = {text}" for name, text in laid.texts.items() if name not in names]
    return "\n".join([*others, f"shared = {laid.texts[names[0]]}"])


def _shared_call(laid: Laid) -> str:
    names = "|".join(map(re.escape, laid.differentiable))
    return re.sub(rf"\b({names})\b", "shared", laid.form.call)


def _tuple(arrays: Mapping[str, Array]) -> str:
    if not arrays:
        raise NoDerivative
    return f"({', '.join(literal_of(array) for array in arrays.values())},)"


def _scaled(laid: Laid, factor: float) -> str:
    return _tuple({name: factor * array for name, array in laid.gradients.items()})


def _tangents(laid: Laid, seed: int) -> str:
    _named(laid)
    tangents = laid.worked.tangents(seed)
    return (
        f"({', '.join(f'tensor({literal_of(t)}, dtype={_double(t)})' for t in tangents.values())},)"
    )


def _directions(laid: Laid, seed: int) -> dict[str, Array]:
    """A direction of each operand, in the dtype that it has by default."""
    _named(laid)
    return dict(laid.worked.tangents(seed))


def _duals(laid: Laid) -> str:
    """Statements that give each operand with a derivative a tangent of its own dtype."""
    return "\n".join(
        f"{name} = autograd.forward_ad.make_dual({name}, {_tangent_of_one(laid, name)})"
        for name in _named(laid)
    )


def _plain_directions(laid: Laid, seed: int) -> str:
    directions = _directions(laid, seed).values()
    return f"({', '.join(f'tensor({literal_of(each)})' for each in directions)},)"


def _batched_directions(laid: Laid) -> str:
    """Two directions of each operand, stacked."""
    first, second = _directions(laid, 3), _directions(laid, 11)
    stacks = (np.stack([first[name], second[name]]) for name in first)
    return f"({', '.join(f'tensor({literal_of(each)})' for each in stacks)},)"


def _directions_as(laid: Laid, layout: str) -> str:
    """The directions in another layout, as far as they can lie so."""
    directions = _directions(laid, 3).values()
    made = [LAYOUTS[layout](each, "") for each in directions]
    if not any(made):
        raise NoSuchLayout
    texts = (
        found.text if found else f"tensor({literal_of(each)})"
        for found, each in zip(made, directions, strict=True)
    )  # fmt: skip
    return f"({', '.join(texts)},)"


def _double(array: Array) -> str:
    return "complex128" if np.iscomplexobj(array) else "float64"


def _along_both(laid: Laid) -> str:
    """The second derivative along both tangents, paired with the cotangent."""
    second = laid.worked.second()
    other = laid.worked.tangents(11)
    return literal_of(
        1.0
        + sum(np.sum(np.real(np.conj(by) * other[name])) for name, by in second.by_operand.items())
    )


def _second_of_cotangent(laid: Laid) -> str:
    _named(laid)
    return literal_of(laid.worked.second().by_cotangent + 1.0)


def _cotangent_scaled(laid: Laid) -> str:
    _names(laid)
    return f"tensor({literal_of(LARGE * laid.g)})"


def _into_target(laid: Laid) -> str:
    """The call with `out=target`, where it is that of a function."""
    call = ast.parse(laid.form.call, mode="eval").body
    if not isinstance(call, ast.Call) or not laid.form.call.endswith(")"):
        raise NotApplicable
    root = call.func
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or root.id in laid.texts:
        raise NotApplicable
    return f"{laid.form.call[:-1]}, out=target)"


def _floating(laid: Laid) -> str:
    """The default dtype, where the result has a fraction or the like, so that no integers hold it."""
    out = laid.worked.out
    if out.dtype.kind != "f" or np.array_equal(out, np.rint(out)):
        raise NoDerivative
    return "tensor(0.5).dtype"


def _empty_target(laid: Laid) -> str:
    """Zeros of the shape and dtype of the result, every second element of a buffer."""
    dtype = _result_dtype(laid, "float32")
    shape = laid.worked.out.shape
    if not shape:
        return f"zeros((), dtype={dtype})"
    return f"zeros({(*shape[:-1], 2 * shape[-1])}, dtype={dtype})[..., 0::2]"


def _cotangents(laid: Laid) -> list[Array]:
    return [laid.g, cotangent_of(laid.worked.out, 2)]


def _batched(laid: Laid) -> dict[str, Array]:
    rows = [laid.worked.gradients_at(laid.worked.inputs, g) for g in _cotangents(laid)]
    return {name: np.stack([row[name] for row in rows]) for name in laid.differentiable}


def _batched_gradients(laid: Laid) -> str:
    return _tuple(_batched(laid))


def _cotangent(laid: Laid) -> str:
    _named(laid)
    return laid.g_text


def _zero(laid: Laid) -> str:
    _named(laid)
    dtype = ", dtype=complex64" if np.iscomplexobj(laid.g) else ""
    return f"zeros({np.shape(laid.g)}{dtype})"


def _cotangent_value(laid: Laid) -> str:
    _named(laid)
    return literal_of(laid.g)


def _tiled(laid: Laid) -> str:
    """Each operand's samples, as often as the loop says."""
    return "\n".join(
        f"{name} = tile(tensor({literal_of(values.ravel())}), (COUNT,))"
        for name, values in laid.worked.inputs.items()
    )


def _slices(laid: Laid) -> Slices:
    found = laid.along or slices_of(laid.worked)
    if found is None or np.iscomplexobj(laid.worked.out):
        raise NotApplicable
    return found


def _times(ndim: int, dim: int) -> str:
    """How often each dimension is repeated."""
    return f"({', '.join('COUNT' if i == dim else '1' for i in range(ndim))},)"


def _split(shape: tuple[int, ...], dim: int) -> str:
    """The shape in which the copies have a dimension of their own."""
    parts = [str(n) for n in shape]
    return f"({', '.join([*parts[:dim], 'COUNT', *parts[dim:]])},)"


def _sliced(laid: Laid) -> str:
    """Each operand that is sliced as often as the loop says, the others once."""
    dims = _slices(laid).operands
    lines = []
    for name, values in laid.worked.inputs.items():
        text = f"tensor({literal_of(values)})"
        if name in dims:
            text = f"tile({text}, {_times(np.ndim(values), dims[name])})"
        lines.append(f"{name} = {text}")
    return "\n".join(lines)


def _without_slices(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    return (*shape[:dim], 0, *shape[dim + 1 :])


def _leaves_without_slices(laid: Laid) -> str:
    """Leaves of which those that are sliced have no slices."""
    return _given_without_slices(laid, laid.differentiable)


def _given_without_slices(laid: Laid, leaves: Collection[str] = ()) -> str:
    """Each operand that is sliced without any slice, the others as they are."""
    if not laid.differentiable:
        raise NotApplicable
    dims = _slices(laid).operands
    lines = []
    for name, values in laid.worked.inputs.items():
        options = ", requires_grad=True" if name in leaves else ""
        made = f"tensor({literal_of(values)}"
        if name in dims:
            kind = {"i": ", dtype=int64", "b": ", dtype=bool"}.get(values.dtype.kind, "")
            made = f"zeros({_without_slices(np.shape(values), dims[name])}{kind}"
        lines.append(f"{name} = {made}{options})")
    return "\n".join(lines)


def _sliced_cotangent(laid: Laid) -> str:
    _named(laid)
    return f"tile(tensor({literal_of(laid.g)}), {_times(laid.g.ndim, _slices(laid).out)})"


def _paired_tangent(laid: Laid) -> str:
    """The number that a tangent of the result gives together with its cotangent."""
    _named(laid)
    if np.iscomplexobj(laid.g):
        return f"real((tangent * tensor({literal_of(np.conj(laid.g))})).sum())"
    return f"(tangent * {laid.g_text}).sum()"


def _paired(laid: Laid) -> str:
    """What the tangent of the result gives together with its cotangent, and one more."""
    _named(laid)
    tangents = laid.worked.tangents(3)
    pairs = (np.sum(np.real(np.conj(laid.gradients[n]) * tangents[n])) for n in tangents)
    return literal_of(1.0 + sum(pairs))


WORDS: dict[str, Callable[[Laid], str]] = {
    "GIVEN": _given,
    "LEAVES": _leaves,
    "LEAVES_THERE": _leaves_there,
    "COPIES": _copies,
    "EVERY_SECOND_ELEMENT": _every_second_element,
    "CALL": lambda laid: laid.form.call,
    "IN_PLACE": _in_place,
    "TARGET": _target,
    "PARAMETERS": _names,
    "INPUTS": lambda laid: f"({_names(laid)},)",
    "FUNCTION": lambda laid: f"lambda {_names(laid)}: {laid.form.call}",
    "STACKED": lambda laid: ", ".join(f"stack(({name}, {name}))" for name in _named(laid)),
    "COTANGENT": _cotangent,
    "TILED": _tiled,
    "SLICED_GIVEN": _sliced,
    "SLICED_RESULT": lambda laid: (
        f"reshape({laid.form.call}, {_split(laid.worked.out.shape, _slices(laid).out)})"
    ),
    "SLICED_COTANGENT": _sliced_cotangent,
    "LEAVES_WITHOUT_SLICES": _leaves_without_slices,
    "GIVEN_WITHOUT_SLICES": _given_without_slices,
    "SHAPE_WITHOUT_SLICES": lambda laid: str(
        _without_slices(laid.worked.out.shape, _slices(laid).out)
    ),
    "RESULT_SHAPE": lambda laid: str(laid.worked.out.shape),
    "RESULT_DIM": lambda laid: str(_slices(laid).out),
    "PAIRED_TANGENT": _paired_tangent,
    "PAIRED_PLUS_ONE": _paired,
    "ELEMENTS": lambda laid: str(laid.worked.out.size),
    "FLAT_VALUE": lambda laid: literal_of(laid.worked.out.ravel()),
    "FLAT_COTANGENT": lambda laid: literal_of(laid.g.ravel()),
    "ZERO": _zero,
    "VALUE_PLUS_ONE": lambda laid: literal_of(laid.worked.out + 1.0),
    "ZERO_VALUE": lambda laid: literal_of(np.zeros_like(laid.worked.out)),
    "VALUE": lambda laid: literal_of(laid.worked.out),
    "GRADIENTS": lambda laid: _tuple(laid.gradients),
    "SCALED_COTANGENT": _cotangent_scaled,
    "SCALED_GRADIENTS": lambda laid: _scaled(laid, LARGE),
    "CALL_INTO_TARGET": _into_target,
    "EMPTY_TARGET": _empty_target,
    "FLOATING": _floating,
    "DOUBLED": lambda laid: _scaled(laid, 2.0),
    "ZEROS": lambda laid: _scaled(laid, 0.0),
    "GRADS": _grads,
    "COPIED_GRADS": _copied_grads,
    "TARGET_GRADS": _target_grads,
    "BETWEEN": _between,
    "SHARED_GIVEN": _shared_given,
    "SHARED_CALL": _shared_call,
    "SUM_OF_GRADIENTS_PLUS_ONE": lambda laid: literal_of(sum(laid.gradients.values()) + 1.0),
    "COTANGENT_VALUE": _cotangent_value,
    "TANGENTS": lambda laid: _tangents(laid, 3),
    "DUALS": _duals,
    "OTHER_TANGENTS": lambda laid: _tangents(laid, 11),
    "ALONG_BOTH": _along_both,
    "SECOND_OF_COTANGENT_PLUS_ONE": _second_of_cotangent,
    "DIRECTIONS": lambda laid: _plain_directions(laid, 3),
    "OTHER_DIRECTIONS": lambda laid: _plain_directions(laid, 11),
    "BATCHED_DIRECTIONS": _batched_directions,
    "COTANGENTS": lambda laid: f"tensor({literal_of(np.stack(_cotangents(laid)))})",
    "BATCHED_GRADIENTS": _batched_gradients,
}
"""What stands for each word, besides those of one operand (`OF_ONE`)."""


def _alone(laid: Laid, name: str) -> str:
    return f"lambda {name}: {laid.form.call}"


def _others(laid: Laid, name: str) -> list[str]:
    """The other operands that have a gradient."""
    return [other for other in laid.differentiable if other != name]


def _only_gradient(laid: Laid, name: str) -> str:
    """The gradients of all operands where only one requires grad."""
    each = (
        literal_of(laid.gradients[other]) if other == name else "None"
        for other in laid.differentiable
    )
    return f"({', '.join(each)},)"


def _initial(laid: Laid, name: str) -> Array:
    return direction(np.shape(laid.gradients[name]), 4)


def _initial_text(laid: Laid, name: str) -> str:
    """A gradient that is there already, laid out another way."""
    dtype = "complex64" if np.iscomplexobj(laid.gradients[name]) else ""
    initial = _initial(laid, name)
    made = transposed(initial, dtype) or plain(initial, dtype)
    assert made is not None
    return made.text


def _tangent_of_one(laid: Laid, name: str) -> str:
    """A direction of one operand, in the dtype of the operands."""
    tangent = laid.worked.tangents(3)[name]
    found = re.search(r"dtype=(\w+)", laid.texts[name])
    return f"tensor({literal_of(tangent)}{f', dtype={found[1]}' if found else ''})"


def _paired_alone(laid: Laid, name: str) -> str:
    """What the tangent of the result along one operand gives together with its cotangent, and one more."""
    tangent = laid.worked.tangents(3)[name]
    return literal_of(1.0 + np.sum(np.real(np.conj(laid.gradients[name]) * tangent)))


def _operand_value(laid: Laid, name: str) -> str:
    """What an operand still is. A mask is compared with another one, since an engine without booleans
    has numbers in both."""
    value = literal_of(laid.worked.inputs[name])
    return f"tensor({value})" if np.asarray(laid.worked.inputs[name]).dtype.kind == "b" else value


def _second(laid: Laid, name: str) -> str:
    return literal_of(laid.worked.second().by_operand[name] + 1.0)


OF_ONE: dict[str, Callable[[Laid, str], str]] = {
    "DIRECTION": lambda laid, name: f"tensor({literal_of(laid.worked.tangents(3)[name])})",
    "OPERAND": lambda laid, name: name,
    "LEAF": lambda laid, name: f"{name}_leaf",
    "INDEX": lambda laid, name: str(laid.differentiable.index(name)),
    "ALONE": _alone,
    "WITHOUT_IT": lambda laid, name: f"lambda {', '.join(_others(laid, name))}: {laid.form.call}",
    "OTHER_INPUTS": lambda laid, name: f"({', '.join(_others(laid, name))},)",
    "OTHER_GRADIENTS": lambda laid, name: _tuple(
        {other: laid.gradients[other] for other in _others(laid, name)}
    ),
    "GRADIENT": lambda laid, name: literal_of(laid.gradients[name]),
    "BATCHED_GRADIENT": lambda laid, name: literal_of(_batched(laid)[name]),
    "ONLY_GRADIENT": _only_gradient,
    "ZERO_GRADIENT": lambda laid, name: literal_of(np.zeros(np.shape(laid.gradients[name]))),
    "INITIAL": _initial_text,
    "GRADIENT_PLUS_ONE": lambda laid, name: literal_of(laid.gradients[name] + 1.0),
    "INITIAL_PLUS_GRADIENT": lambda laid, name: literal_of(
        _initial(laid, name) + laid.gradients[name]
    ),
    "FLAT_GRADIENT": lambda laid, name: literal_of(laid.gradients[name].ravel()),
    "SLICED_GRADIENT": lambda laid, name: (
        f"reshape(gradients[{laid.differentiable.index(name)}], "
        f"{_split(laid.gradients[name].shape, _slices(laid).operands[name])})"
    ),
    "OPERAND_DIM": lambda laid, name: str(_slices(laid).operands[name]),
    "OPERAND_VALUE": _operand_value,
    "SECOND_PLUS_ONE": _second,
    "TANGENT_OF_ONE": _tangent_of_one,
    "PAIRED_ALONE_PLUS_ONE": _paired_alone,
    "NO_NUMBER": lambda laid, name: (
        "nan" if np.asarray(laid.worked.inputs[name]).dtype.kind in "fc" else "0"
    ),
}
"""What stands for each word in a loop over operands."""


OF_LOOP: dict[str, dict[str, Callable[[Laid, str], str]]] = {
    "LAYOUT": {
        "GIVEN_AS_LAYOUT": _given_as,
        "COTANGENT_AS_LAYOUT": _cotangent_as,
        "DIRECTIONS_AS_LAYOUT": _directions_as,
    },
    "DTYPE": {
        "GIVEN_IN_DTYPE": _given_in,
        "COTANGENT_IN_DTYPE": _cotangent_in,
        "RESULT_DTYPE": _result_dtype,
    },
    "SHAPE": {
        "GIVEN_IN_SHAPE": _given_in_shape,
        "COTANGENT_IN_SHAPE": _cotangent_in_shape,
        "VALUE_IN_SHAPE": lambda laid, shape: literal_of(_in_shape(laid.worked.out, shape)),
        "GRADIENTS_IN_SHAPE": lambda laid, shape: _tuple(
            {name: _in_shape(array, shape) for name, array in laid.gradients.items()}
        ),
    },
}
"""What stands for each word in a loop over layouts, dtypes or shapes."""


def _saved(laid: Laid) -> list[str]:
    if laid.form.saves is None:
        raise NotApplicable
    return [name for name in laid.texts if name in laid.form.saves]


def _curved(laid: Laid) -> list[str]:
    """The operands whose gradients change with the operands."""
    if not laid.differentiable:
        return []
    second = laid.worked.second().by_operand
    return [name for name in laid.differentiable if second[name].any()]


SETS: dict[str, Callable[[Laid], list[str]]] = {
    "DIFFERENTIABLE": lambda laid: laid.differentiable,
    "ACCOMPANIED": lambda laid: laid.differentiable if len(laid.differentiable) > 1 else [],
    "CURVED": _curved,
    "SEVERAL": lambda laid: laid.differentiable if len(laid.differentiable) > 2 else [],
    "NUMBERS": number_places,
    "STRETCHABLE": stretchable,
    "COMPLEXES": complexes,
    "PROMOTED": several_operands,
    "SLICED": lambda laid: [name for name in laid.differentiable if name in _slices(laid).operands],
    "SHARED": lambda laid: [
        name for name in laid.differentiable if name not in _slices(laid).operands
    ],
    "EVERY": lambda laid: list(laid.texts),
    "SAVED": _saved,
    "UNSAVED": lambda laid: [name for name in laid.differentiable if name not in _saved(laid)],
    "LAYOUTS": lambda laid: [
        "transposed",
        "channels last",
        "stepped",
        "within a buffer",
        "conjugated",
    ],
    "NEGATIONS": lambda laid: ["negated"],
    "SHAPES": _shapes,
    "FLOATS": lambda laid: ["float32", "float64"],
    "SLICINGS": lambda laid: [str(i) for i in range(len(all_slices_of(laid.worked)))],
    "FEW": lambda laid: ["4"],
    "SIZES": lambda laid: [str(-(-size // laid.worked.out.size)) for size in SIZES],
}
"""What a loop goes over: operands, layouts, dtypes, shapes, or how often the samples are repeated."""
