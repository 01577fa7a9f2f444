"""The base for functional engines: derivatives are values of functions, and there is no tape.

Such an engine declares no feature of a tape, and its adapter emulates none: `vjp` and `jvp` are
the engine's own, so the chapters about the values of derivatives run on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from .engine import Unsupported
from .host_words import HOST_WORDS
from .numpy_names import DTYPES, NO_METHODS, numpy_methods, numpy_words, sized
from .python_engine import Kinds, PythonEngine

LIKE = ("zeros_like", "ones_like", "full_like", "empty_like")
SIZED = ("zeros", "ones", "empty")
CASTS = {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "int": "int32",
    "long": "int64", "short": "int16", "bool": "bool", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
"""Methods that convert to a dtype."""
NOT_OF_A_TENSOR = frozenset({
    *NO_METHODS, *DTYPES, *LIKE, *SIZED, "full", "arange", "eye", "linspace", "tensor", "is_tensor", "vjp",
    "jvp", "polygamma", "concat", "complex", "meshgrid", "broadcast_tensors", "block_diag",
    "promote_types", "is_complex", "tensordot",
})  # fmt: skip
"""Words that are no methods, since no tensor comes first."""


class Pair(NamedTuple):
    """What PyTorch returns where elements are selected: the values, and where they are."""

    values: Any
    indices: Any


def paired(found: Sequence[Any]) -> Pair:
    """Values and indices as PyTorch names them."""
    return Pair(*found)


class FunctionalEngine(PythonEngine):
    """Arrays with NumPy's names, and the engine's own vjp and jvp."""

    mediated = True
    features = frozenset({"arrays", "operations", "dtypes", "vjp", "jvp", "complex"})
    only_named: ClassVar[bool] = False
    """Whether the tables below are all that programs may use. Set it where the engine has names of PyTorch's
    that mean something else."""

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        arrays = self.arrays()
        named = numpy_words(arrays)
        self.words = {
            **named,
            **{name: getattr(arrays, name) for name in DTYPES if hasattr(arrays, name)},
            **self.factories(arrays),
            "tensor": self.tensor,
            "is_tensor": self.is_tensor,
            "vjp": self.vjp,
            "jvp": self.jvp,
            **self.words,
        }
        if hasattr(arrays, "bool_"):
            self.words["bool"] = arrays.bool_
        self.methods = {**numpy_methods(named), **self.casts(), **self.methods}
        self.attributes = {"shape": lambda value: tuple(value.shape), **self.attributes}

    def offer(
        self,
        words: Mapping[str, Callable[..., Any]],
        methods: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        """Add words, which become methods too where a tensor comes first, and further methods."""
        self.words = {**self.words, **words}
        of_tensors = {
            name: word
            for name, word in words.items()
            if "." not in name and name not in NOT_OF_A_TENSOR
        }
        self.methods = {**self.methods, **of_tensors, **(methods or {})}

    # --- only what is named ---

    def resolve(self, word: str) -> Any:
        if self.only_named and word not in self.words and word not in HOST_WORDS:
            raise Unsupported(word)
        return super().resolve(word)

    def get_method(self, owner: Any, name: str) -> Any:
        if self.only_named and self.is_tensor(owner) and name not in self.methods:
            raise Unsupported(f"{type(owner).__name__}.{name}")
        return super().get_method(owner, name)

    def get_attribute(self, owner: Any, name: str) -> Any:
        if self.only_named and self.is_tensor(owner) and name not in self.attributes:
            raise Unsupported(f"{type(owner).__name__}.{name}")
        return super().get_attribute(owner, name)

    # --- arrays ---

    def arrays(self) -> Any:
        """The engine's namespace of array functions."""
        raise NotImplementedError

    def dtype(self, name: str) -> Any:
        """The engine's dtype of this name. Raises `Unsupported`."""
        if name not in self.words:
            raise Unsupported(name)
        return self.words[name]

    def cast(self, value: Any, dtype: Any) -> Any:
        """An array converted to another dtype."""
        return value.astype(dtype)

    def casts(self) -> dict[str, Callable[..., Any]]:
        """The methods that convert to a dtype, as far as the engine has it."""

        def to(value: Any, dtype: Any) -> Any:
            if dtype not in [self.words.get(name) for name in (*DTYPES, "bfloat16", "bool")]:
                raise Unsupported("to(), but for a dtype")
            return self.cast(value, dtype)

        def casting(name: str) -> Callable[..., Any]:
            return lambda value: self.cast(value, self.dtype(name))

        return {"to": to, **{method: casting(name) for method, name in CASTS.items()}}

    def tensor(self, values: Any, dtype: Any = None) -> Any:
        """An array of the given values, of the dtype that PyTorch gives them where none is named."""
        arrays = self.arrays()
        if not hasattr(arrays, "array"):
            raise Unsupported("tensor")
        if isinstance(values, tuple | list) and self.has_rows(values):
            raise Unsupported("a tensor of tensors that have dimensions")
        return arrays.array(values, dtype=self.usual_dtype(values) if dtype is None else dtype)

    def has_rows(self, values: Sequence[Any]) -> bool:
        """Whether nested lists have arrays with dimensions among their elements, which NumPy stacks."""
        return any(
            self.has_rows(each)
            if isinstance(each, tuple | list)
            else self.is_tensor(each) and len(each.shape) > 0
            for each in values
        )

    def usual_dtype(self, values: Any) -> Any:
        """The engine's dtype for Python numbers, as PyTorch chooses it; None where there are others."""
        name = usual_dtype_name(values)
        return self.words.get(name) if name else None

    def factories(self, arrays: Any) -> dict[str, Callable[..., Any]]:
        """Functions that make arrays, in PyTorch's dtype where none is named."""

        def typed(make: Callable[..., Any], chosen: Callable[..., Any]) -> Callable[..., Any]:
            def build(*arguments: Any, dtype: Any = None, **keywords: Any) -> Any:
                kind = chosen(*arguments, **keywords) if dtype is None else dtype
                return make(*arguments, dtype=kind, **keywords)

            return build

        def floats(*arguments: Any, **keywords: Any) -> Any:
            return self.usual_dtype(1.0)

        def of_filling(size: Any = (), fill_value: Any = 0, **keywords: Any) -> Any:
            return self.usual_dtype(fill_value)

        def of_bounds(*bounds: Any, **keywords: Any) -> Any:
            return self.usual_dtype([*bounds, *keywords.values()])

        made: dict[str, Callable[..., Any]] = {
            name: sized(typed(getattr(arrays, name), floats))
            for name in SIZED
            if hasattr(arrays, name)
        }
        for name, chosen in (
            ("full", of_filling), ("arange", of_bounds), ("eye", floats), ("linspace", floats),
        ):  # fmt: skip
            if hasattr(arrays, name):
                made[name] = typed(getattr(arrays, name), chosen)
        made.update({name: getattr(arrays, name) for name in LIKE if hasattr(arrays, name)})
        return made

    # --- derivatives ---

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        """The gradients of `function` at `inputs`, one for each."""
        raise NotImplementedError

    def jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        """The tangent of `function` at `inputs` along `tangents`."""
        raise NotImplementedError


def usual_dtype_name(values: Any) -> str:
    """PyTorch's dtype for Python numbers and nested lists of them; "" where there is anything else."""
    kinds = set(_kinds(values))
    if object in kinds:
        return ""
    for kind, name in ((complex, "complex64"), (float, "float32"), (int, "int64"), (bool, "bool")):
        if kind in kinds:
            return name
    return "float32"


def _kinds(values: Any) -> list[type]:
    """The types of the numbers in nested lists."""
    if isinstance(values, tuple | list):
        return [kind for item in values for kind in _kinds(item)]
    return [type(values) if type(values) in (complex, float, int, bool) else object]
