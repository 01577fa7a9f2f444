"""What `help` shows of the reference: every public name has a docstring and a signature of its own,
with the parameters that PyTorch documents, and tracebacks name the operation."""

from __future__ import annotations

import functools
import inspect
import re
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import gradspec.reference_impl as reference
import pytest
import torch
from gradspec.reference_impl.naming import copy_of, first_named, renamed_parameters

SPACES = (
    "", "Tensor", "fft", "linalg", "special", "nn", "nn.functional", "nn.init", "nn.utils", "optim",
    "autograd", "autograd.functional", "autograd.forward_ad", "autograd.graph", "func", "utils",
    "utils.checkpoint", "utils.hooks", "random", "cuda",
)  # fmt: skip
"""Where users find functions and classes."""

OPEN = {
    **dict.fromkeys(
        (
            "Tensor",
            "BFloat16Tensor",
            "BoolTensor",
            "ByteTensor",
            "CharTensor",
            "DoubleTensor",
            "FloatTensor",
            "HalfTensor",
            "IntTensor",
            "LongTensor",
            "ShortTensor",
        ),
        "overloads: sizes, data or a storage",
    ),
    "forward": "takes what the user's forward takes",
    "new": "overloads: sizes, data or a storage",
    "to": "overloads: a dtype, a device, a tensor",
    "new_empty": "sizes one by one or as a tuple",
    "new_ones": "sizes one by one or as a tuple",
    "new_zeros": "sizes one by one or as a tuple",
    "Function": "PyTorch's takes anything too, and refuses to be called",
    "apply": "takes what the user's forward takes",
    "Sequential": "modules one by one, or a dict of them",
    "Identity": "PyTorch's ignores its arguments too",
}
"""Names that take any number of arguments, with the reason."""

UNREADABLE = {"LinAlgError", "CheckpointError", "Level"}
"""Exceptions and tuples of C, whose signature Python cannot read."""


class Face(NamedTuple):
    """A public name: of the reference and, where it is there too, of PyTorch."""

    path: str
    ours: Any
    theirs: Any
    home: type | None


def found(root: Any, path: str) -> Any:
    """What a dotted path leads to, None where nothing."""
    parts = path.split(".") if path else []
    return functools.reduce(lambda at, name: getattr(at, name, None), parts, root)


def ours(value: Any) -> bool:
    """Whether a value is a function or a class of this package, not one of `typing` or Python."""
    home = getattr(value, "__module__", None) or ""
    return callable(value) and ("reference_impl" in home or home.startswith("torch"))


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class adds, without their wrapping."""
    for name, value in vars(cls).items():
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, property):
            value = value.fget
        if not name.startswith("_") and isinstance(value, types.FunctionType):
            yield name, value


def faces() -> Iterator[Face]:
    """Every public name, classes with their methods."""
    seen: set[int] = set()
    for space in SPACES:
        holder, theirs = found(reference, space), found(torch, space)
        if inspect.isclass(holder):
            for name, value in members(holder):
                yield Face(f"{space}.{name}", value, getattr(theirs, name, None), holder)
            continue
        for name, value in vars(holder).items():
            if name.startswith("_") or not ours(value) or id(value) in seen:
                continue
            seen.add(id(value))
            path = f"{space}.{name}".lstrip(".")
            yield Face(path, value, getattr(theirs, name, None), None)
            if inspect.isclass(value) and value is not reference.Tensor:
                for inner, method in members(value):
                    other = getattr(getattr(theirs, name, None), inner, None)
                    yield Face(f"{path}.{inner}", method, other, value)


FACES = {face.path: face for face in faces()}


def documentation(face: Face) -> str:
    """The docstring; of a method, that of the class it overrides where it has none."""
    if face.home is None:
        return vars(face.ours).get("__doc__") or face.ours.__doc__ or ""
    name = face.path.rpartition(".")[2]
    return (
        face.ours.__doc__ or inspect.getdoc(getattr(face.home, name)) or inherited(face.home, name)
    )


def inherited(home: type, name: str) -> str:
    """The docstring that a method has in the classes above."""
    return next((d for c in home.__mro__ if (d := getattr(vars(c).get(name), "__doc__", None))), "")


def test_the_walk_reaches_the_package() -> None:
    assert len(FACES) > 1300
    wanted = {
        "mul",
        "Tensor.mul",
        "linalg.inv",
        "special.i0",
        "nn.Linear.forward",
        "optim.SGD.step",
    }
    assert wanted - FACES.keys() <= {"optim.SGD.step"}


def test_every_public_name_has_a_docstring() -> None:
    assert [path for path, face in FACES.items() if not documentation(face).strip()] == []


def parameters(fn: Any) -> list[inspect.Parameter] | None:
    """The parameters, None where they cannot be read."""
    try:
        return list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        return None


def is_open(known: list[inspect.Parameter]) -> bool:
    """Whether a signature says nothing but that anything may be passed."""
    names = {str(p) for p in known if p.name not in ("self", "cls", "ctx", "input")}
    names = {name.partition(":")[0] for name in names}
    return bool(names) and names <= {"*args", "**kwargs", "*statics", "*_"}


def test_every_public_name_has_a_signature() -> None:
    bare = []
    for path, face in FACES.items():
        name = path.rpartition(".")[2]
        known = parameters(face.ours)
        if known is None:
            bare += [path] * (name not in UNREADABLE)
        elif is_open(known) and name not in OPEN and not same_in_torch(face):
            bare.append(path)
    assert bare == []


def documented(fn: Any) -> list[str]:
    """The parameters that PyTorch documents: in the signature, or in the docstring's first line."""
    known = parameters(fn)
    if known is not None and not is_open(known):
        return [p.name for p in known]
    text = (getattr(fn, "__doc__", None) or "").strip().partition("\n")[0]
    inside = re.match(r"[\w.]+\((.*?)\)\s*->", text)
    parts = inside[1].split(",") if inside else []
    names = [part.partition("=")[0].partition(":")[0].split()[-1:] for part in parts]
    return [name[0].strip("*[]") for name in names if name]


OTHERWISE = {
    "dtype": "a class of C, which is not called",
    "memory_format": "a class of C, which is not called",
    "true_divide": "documented as dividend and divisor, taken as input and other",
    "swapaxes": "an alias of transpose, whose names it takes too",
    "unsafe_split": "documented as split is, whose names it does not take",
    "linalg.norm": "documented as input, taken as A",
    "matrix_exp": "documented as A, taken as input",
    "linalg.matrix_exp": "documented as A, taken as input",
    "searchsorted": "documented as values, taken as input",
    "utils.hooks.RemovableHandle": "made by the engine alone",
}
"""Functions with other names than PyTorch documents, with the reason."""


def test_parameters_have_the_names_that_torch_documents() -> None:
    """Methods are left out: the pages of Tensor's methods name many arguments otherwise than
    PyTorch takes them."""
    wrong, compared = {}, 0
    for path, face in FACES.items():
        theirs = documented(face.theirs) if face.theirs is not None else []
        known = parameters(face.ours)
        if face.home is not None or not theirs or known is None or path in OTHERWISE:
            continue
        compared += 1
        named = [p.name for p in known if p.default is p.empty and not str(p).startswith("*")]
        if not set(named) <= set(theirs):
            wrong[path] = f"{named}, PyTorch {theirs}"
    assert wrong == {}
    assert compared > 400


TABLES = {"": "", "Tensor": "", "linalg": "linalg_", "special": "special_", "nn.functional": ""}
"""Whose functions are made in factories, and what begins their names in tracebacks."""


@pytest.mark.parametrize("space", TABLES)
def test_code_goes_by_the_name_of_the_operation(space: str) -> None:
    """A traceback shows the name of the code, not that of the function."""
    wrong = {}
    for path, face in FACES.items():
        home, _, name = path.rpartition(".")
        if home == space and isinstance(face.ours, types.FunctionType):
            shown = face.ours.__code__.co_name
            if shown in ("run", "apply", "fn", "inplace", "wrapper", "<lambda>", "one", "two"):
                wrong[name] = shown
    assert wrong == {}


X = reference.ones(2, requires_grad=True)
CALLS: dict[str, tuple[str, Callable[[], Any]]] = {
    "mul of text": ("mul", lambda: reference.mul(X, "x")),
    "mul of shapes": ("mul", lambda: X.mul(reference.ones(3))),
    "exp of text": ("exp", lambda: reference.exp("x")),
    "add_ of a leaf": ("add_", lambda: X.add_(1)),
    "* of shapes": ("mul", lambda: X * reference.ones(3)),
    "sum of a dimension": ("sum", lambda: reference.sum(X, dim=axis_out_of_range())),
    "where": ("where", lambda: reference.where(X > 0, X, reference.ones(3))),
}


def axis_out_of_range() -> int:
    """A dimension that is not there."""
    return 5


@pytest.mark.parametrize("call", CALLS)
def test_a_traceback_names_the_operation(call: str) -> None:
    name, run = CALLS[call]
    with pytest.raises((TypeError, RuntimeError, IndexError)) as caught:
        run()
    shown = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert shown[2] == name
    assert not {"run", "apply", "inplace", "wrapper"} & set(shown)
    assert shown.count(name) <= 3


def test_docstrings_name_the_page_with_the_rule() -> None:
    """A method without a docstring of its own has that of the class it overrides."""
    public = {path: face.ours.__doc__ for path, face in FACES.items() if face.theirs is not None}
    assert [path for path, text in public.items() if text and "Source: torch" not in text] == []
    assert sum(1 for text in public.values() if text) > 1250


def test_help_shows_the_signature_and_the_page() -> None:
    assert list(inspect.signature(reference.mul).parameters) == ["input", "other", "out"]
    assert list(inspect.signature(reference.Tensor.mul).parameters) == ["self", "other"]
    assert str(inspect.signature(reference.add)).startswith("(input: 'Any', other: 'Any', *, alpha")
    assert "Source: torch.mul." in (reference.mul.__doc__ or "")
    assert "In place" in (reference.Tensor.mul_.__doc__ or "")


def test_a_copy_of_a_function_has_a_name_and_parameters_of_its_own() -> None:
    def original(first: int, *, second: int = 2) -> int:
        """A sum."""
        return first + second

    other = renamed_parameters(copy_of(original, "other"), {"first": "input"})
    assert other(input=1) == original(1) == 3
    assert (other.__name__, other.__doc__) == ("other", "A sum.")
    assert original.__name__ == "original"
    assert str(first_named(inspect.signature(other), "self")).startswith("(self: 'int'")


def same_in_torch(face: Face) -> bool:
    """Whether PyTorch's own signature takes anything too."""
    theirs = parameters(face.theirs) if face.theirs is not None else None
    return theirs is not None and is_open(theirs)


@pytest.mark.parametrize("name", ["clamp_", "clamp_min_", "clamp_max_"])
def test_clamp_in_place_refuses_a_bound_of_another_dtype(name: str) -> None:
    """Whatever the function is called in tracebacks."""
    with pytest.raises(RuntimeError, match="can't be cast"):
        getattr(reference.tensor([1, 2]), name)(1.5)
