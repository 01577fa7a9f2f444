"""The base of every adapter for an engine that is imported into a Python process.

A subclass says where its engine's names, attributes and errors differ from PyTorch's:

    class MyEngine(PythonEngine):
        name = "my engine"
        module_name = "my_engine"
        features = frozenset({"arrays", "requires-grad", ...})
        words = {"tensor": make_tensor, "no_grad": my_engine.no_recording}
        attributes = {"requires_grad": lambda x: not x.constant}
        methods = {"retain_grad": lambda x: x.keep_gradient()}
        patterns = (pattern("graph-freed", "no longer exists"),)
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import math
import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, ClassVar

from .augmented import missing_operator
from .boundary import belongs, check_found, check_read, distrusted, package_of, resolve_in
from .classify import PROGRAM, Classifier, Pattern, message_of, patterns_of
from .containment import contained, set_aside
from .engine import (
    MOST_REPORTED,
    UNTRACKED,
    End,
    EngineUnavailable,
    Identity,
    Observations,
    Plain,
    ProgramError,
    TooMuchReported,
    Unsupported,
)
from .host_words import HOST_WORDS
from .narrow import WIDEST, word_for
from .narrow import missing as missing_float64
from .numpy_names import DTYPES
from .plain_values import (
    INT,
    PLAIN_TYPES,
    exactly,
    is_int,
    kind_name,
    number_plain,
    numpy_dtype_name,
)
from .recorder import Described, Recorder
from .tensors_only import REJECTING, rejecting_numbers

Kinds = Sequence[Mapping[str, Any]]
MOST_CAUSES = 10
"""How far the exceptions are followed from which one was raised."""
_FLAGS_OF_BACKWARD = ("retain", "create", "keep", "free", "clear", "zero")
"""How the names of parameters begin that are no gradient."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The needs of a program: words of the vocabulary, features, and the methods, attributes and
    keywords that it uses; `strangers` are those that gradspec's own vocabulary lacks."""

    words: Sequence[str]
    features: frozenset[str]
    members: frozenset[str]
    strangers: Sequence[str] = ()

    @property
    def asked(self) -> frozenset[str]:
        """The names needed from the engine: functions by their last name, methods, attributes, keywords."""
        return self.members.union(word.rpartition(".")[2] for word in self.words)


class PythonEngine:
    """Runs programs in this process on an engine that is a Python module."""

    name: ClassVar[str] = ""
    module_name: ClassVar[str] = ""
    language: ClassVar[str] = "Python"
    features: ClassVar[frozenset[str] | None] = None
    mediated: ClassVar[bool] = False
    """Whether attributes and methods go through the tables below instead of straight to the engine."""
    exact_kinds: ClassVar[bool] = False
    """Whether every error can be classified, so that one of unknown kind is a wrong error."""
    funnels: ClassVar[frozenset[str]] = frozenset()
    """Modules through which the engine raises errors of all sorts: the place of an error is where they were called."""
    frees_shared_graph: ClassVar[bool] = False
    """Whether a backward pass from one root frees what another root needs, with no way to prevent it."""
    widest_float: str = WIDEST
    """The widest floating dtype. With `float32`, programs that name float64 run in float32."""
    words: Mapping[str, Any] = {}
    attributes: Mapping[str, Callable[[Any], Any]] = {}
    setters: Mapping[str, Callable[[Any, Any], None]] = {}
    methods: Mapping[str, Callable[..., Any]] = {}
    patterns: Sequence[Pattern] = ()
    reported = 0
    """How many numbers and characters the present program has reported."""
    untracked = False
    """Whether nothing could be differentiated in a `vjp` of the program that runs."""
    strangers: Sequence[str] = ()
    """Names of the current program that gradspec's own vocabulary lacks."""
    trust_words = False
    """Whether programs may use names that gradspec's own vocabulary does not have."""

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        self.module = self.load_module()
        named = {self.module_name.partition(".")[0], package_of(self.module)}
        self.packages = frozenset(named - {""})
        """The top-level packages whose names are the engine's own."""
        self.tensor_type = tensor_type_of(self.module)
        self.asked_tensor_type = False
        refusals = [kind for kind in kinds if kind["sort"] == "refusal"]
        notices = [kind for kind in kinds if kind["sort"] == "warning"]
        known = {kind["name"] for kind in notices}
        own_notices = [rule for rule in self.patterns if rule.kind in known]
        own_refusals = [rule for rule in self.patterns if rule.kind not in known]
        self.classifier = Classifier(own_refusals, patterns_of(refusals))
        self.classifier.tensor_type = self.tensor_type
        self.warning_classifier = Classifier(own_notices, patterns_of(notices))
        self.namespace: dict[str, Any] = {
            "__name__": PROGRAM,
            # programs are whitelisted; what an engine imports lazily needs these
            "__builtins__": builtins,
            "get_attribute": self.get_attribute,
            "set_attribute": self.set_attribute,
            "delete_attribute": self.delete_attribute,
            "get_method": self.get_method,
            **HOST_WORDS,
            "text_of": self.text_of,
        }
        self.missing: dict[str, str] = {}
        self.depth = 0  # how many functions are being differentiated now, one within the other
        self.identity = self.identify(device)
        self.choose_device(device)
        self.narrow_to(self.find_widest_float(device))

    # --- who the engine is ---

    def load_module(self) -> Any:
        """Import the engine. Raises `EngineUnavailable` with what to install."""
        try:
            return importlib.import_module(self.module_name)
        except Exception as error:
            hint = "is it installed in this environment, or in the current folder? --python=PATH uses another one"
            message = f"the engine {self.name!r} cannot be imported ({type(error).__name__}: {error}); {hint}"
            raise EngineUnavailable(message) from error

    def identify(self, device: str) -> Identity:
        return Identity(
            self.name,
            version_of(self.module),
            self.language,
            device,
            self.features,
            self.exact_kinds,
        )

    def choose_device(self, device: str) -> None:
        """Make new tensors live on `device`. Raises `EngineUnavailable` if it is not there."""
        if device != "cpu":
            raise EngineUnavailable(
                f"the engine {self.identity.name!r} has no device {device!r}; it has: cpu"
            )

    def find_widest_float(self, device: str) -> str:
        """The widest floating dtype that the engine has on a device."""
        return self.widest_float

    def narrow_to(self, widest: str) -> None:
        """Run programs that name float64 in this dtype."""
        self.widest_float = widest
        self.identity = replace(self.identity, widest_float=widest)
        self.classifier.lacks_float64 = widest != WIDEST

    def ask_tensor_type(self) -> None:
        """The engine's tensor class, if it has another name: the type of what the word `tensor` returns.
        Without it, a missing operator would look like an error."""
        self.asked_tensor_type = True
        try:
            sample = self.resolve("tensor")([1.0])
            known = self.is_tensor(sample)
        except Exception:
            return
        if known and not is_builtin(type(sample)):
            self.tensor_type = self.classifier.tensor_type = type(sample)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The dtypes of an engine for which they are texts, such as NumPy's names."""
        words = self.words.items()
        return {made: word for word, made in words if word in DTYPES and isinstance(made, str)}

    @cached_property
    def real_only(self) -> bool:
        """Whether the engine has no complex dtype, even if NumPy lets complex numbers through."""
        return "complex64" not in self.words and not hasattr(self.module, "complex64")

    # --- running ---

    def run(self, program: Any, timeout: float | None = None) -> Observations:
        """Run one program; errors and crashes are part of the result."""
        mediated = self.mediated or bool(program.strangers)
        code = program.mediated_code if mediated else program.code
        needs = Needs(program.words, program.features, program.members, program.strangers)
        if "collect" in program.words:
            set_aside()
        return self.run_code(code, needs, program.file, timeout)

    def run_code(
        self, code: Any, needs: Needs, file: str, timeout: float | None = None
    ) -> Observations:
        """Run the function of a program, unless the engine lacks something that it needs."""
        recorder = Recorder(self, needs)
        self.reported = 0
        self.untracked = False
        self.strangers = needs.strangers
        begun = time.perf_counter()

        def act() -> End:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                lacking = self.unable(needs) or self.lacks_operator(code, needs)
                if lacking:
                    return End("unsupported", message=lacking)
                return self.call(code, recorder, file)

        end = contained(act, timeout)
        return Observations(recorder.observed, end, time.perf_counter() - begun)

    def unable(self, needs: Needs) -> str:
        """What the engine lacks for a program, or the empty string if nothing is known to be missing."""
        if self.tensor_type is None and not self.asked_tensor_type:
            self.ask_tensor_type()
        return (
            self.distrusts(needs.strangers, needs.words)
            or ("complex numbers" if "complex" in needs.features and self.real_only else "")
            or missing_float64((*needs.words, *needs.members), self.widest_float)
            or self.lacks(needs.words, needs.features)
            or self.lacks_member(needs.members)
        )

    def lacks_operator(self, code: Any, needs: Needs) -> str:
        """The in-place operator of a program that the engine's tensors lack, or the empty string."""
        kind = self.tensor_type
        if kind is None or "in-place" not in needs.features:
            return ""
        lacking = missing_operator(code, kind)
        return f"the operator {lacking}" if lacking else ""

    def call(self, code: Any, recorder: Recorder, file: str) -> End:
        function = FunctionType(code, self.namespace)
        try:
            self.reset()
            function(
                recorder.observe,
                recorder.ended,
                recorder.recorded,
                recorder.run_in_thread,
                recorder.trace,
                recorder.traced,
            )
        except Exception as error:
            return self.end_of(error, recorder.needs.asked, file)
        return End("finished", message=UNTRACKED if self.untracked else "")

    def end_of(self, error: Exception, members: frozenset[str], file: str) -> End:
        """How an exception that left the program is reported."""
        line, where = self.place_of(error, file)
        cause = error.__cause__
        for _ in range(MOST_CAUSES):  # an engine may raise an error again, with more to its message
            if cause is None or type(cause) is not type(error):
                break
            where = self.place_of(cause, file)[1] or where
            cause = cause.__cause__
        message = message_of(error)
        try:
            if not isinstance(error, Unsupported | ProgramError) and (
                lacking := self.classifier.lacking(error, members)
            ):
                raise lacking
            kind = self.classifier.kind(error, members)
        except Unsupported as unsupported:
            return End("unsupported", unsupported.kind, message=unsupported.what, line=line)
        if isinstance(error, MemoryError):
            return End("crash", "memory", "MemoryError", f"out of memory: {message[:500]}", line)
        return End("error", kind, type(error).__name__, message[:1000], line, where)

    def place_of(self, error: BaseException, file: str) -> tuple[int, str]:
        """The line of the program that an exception passed last, and the last place in the engine's files."""
        line, where = 0, ""
        home = getattr(self.module, "__name__", type(self.module).__module__)
        package = str(home).partition(".")[0]
        own = type(self).__module__
        own = "" if own.startswith("gradspec.adapters.") else own
        traceback = error.__traceback__
        while traceback is not None:
            frame = traceback.tb_frame
            if frame.f_code.co_filename == file:
                line = traceback.tb_lineno
            else:
                module = str(frame.f_globals.get("__name__", ""))
                # Code that an engine generates and runs with `exec` may have no module's name.
                engine_s = module.partition(".")[0] == package or module == own
                if module and module not in self.funnels and engine_s:
                    where = engine_place(frame, traceback.tb_lineno)
            traceback = traceback.tb_next
        return line, where

    def reset(self) -> None:
        """Reset the engine's global state to its default before each program."""

    def enter_thread(self) -> None:
        """Set up what the engine keeps for each thread, at the start of a thread of a program."""

    def renew(self) -> bool:
        """Does nothing: only a new process, as with `--isolate`, would be clean."""
        return False

    def close(self) -> None:
        pass

    # --- names ---

    def distrusts(self, strangers: Sequence[str], words: Sequence[str]) -> str:
        """Why a program is not run that uses names which gradspec's own vocabulary does not have;
        or the empty string. A trusted word still has to be the engine's own."""
        if not strangers:
            return ""
        if not self.trust_words:
            return distrusted(strangers)
        for word in words:
            if word in strangers and word not in self.words and word not in HOST_WORDS:
                missing = self.bind([word])
                if missing:
                    return missing
                if not belongs(self.namespace[global_name(word)], self.packages):
                    return f"{word}: it comes from another package than the engine"
        return ""

    def lacks(self, words: Sequence[str], features: frozenset[str]) -> str:
        """What the engine is known to lack before a program runs, or the empty string."""
        kind = self.tensor_type
        in_place = ("__iadd__", "__setitem__", "add_")
        if (
            "in-place" in features
            and kind is not None
            and not any(hasattr(kind, name) for name in in_place)
        ):
            # without them x += y makes another tensor, and nothing raises
            return "in-place operators"
        return self.bind(words)

    def lacks_member(self, members: frozenset[str]) -> str:
        """A tensor attribute that a program uses and the engine lacks, or the empty string. Python lets
        a program assign any attribute, which would then seem to exist."""
        return ""

    def bind(self, words: Sequence[str]) -> str:
        """Look up the words of a program; what is missing, or the empty string."""
        namespace = self.namespace
        for word in words:
            name = global_name(word) if "." in word else word
            if name in namespace:
                continue
            if word not in self.missing:
                try:
                    found = self.resolve(word_for(word, self.widest_float))
                    if self.mediated and word in REJECTING:
                        found = rejecting_numbers(word, found)
                    namespace[name] = found
                    continue
                except Unsupported as unsupported:
                    self.missing[word] = unsupported.what
            return self.missing[word]
        return ""

    def resolve(self, word: str) -> Any:
        """The engine's object for a vocabulary word. Raises `Unsupported`."""
        if word in self.words:
            return self.words[word]
        if word in HOST_WORDS:
            return HOST_WORDS[word]
        return resolve_in(self.module, self.packages, word)

    def get_attribute(self, owner: Any, name: str) -> Any:
        if self.is_tensor(owner):
            if name in self.attributes:
                return self.attributes[name](owner)
            if not hasattr(owner, name):
                raise Unsupported(f"{type(owner).__name__}.{name}")
        return self.member(owner, name)

    def member(self, owner: Any, name: str) -> Any:
        """An attribute or method of a program's value, if the program may access it."""
        check_read(owner, name)
        if self.is_bare_array(owner) and not hasattr(owner, name):
            raise Unsupported(f"{name} of an array of NumPy")
        if name in self.strangers:
            tensor = self.tensor_type is not None and isinstance(owner, self.tensor_type)
            if not tensor and not belongs(type(owner), self.packages):
                kind = type(owner).__name__
                raise Unsupported(f"{name}: its {kind} is not of the engine's package")
        return check_found(getattr(owner, name), owner, name)

    def is_bare_array(self, value: Any) -> bool:
        """Whether a value is an array or number of NumPy that the engine gives in the place of a tensor."""
        return type(value).__module__ == "numpy" and not self.is_tensor(value)

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        if self.is_tensor(owner):
            if name in self.setters:
                self.setters[name](owner, value)
                return
            if name in self.attributes or not hasattr(owner, name):
                raise Unsupported(f"assigning {name}")
        check_read(owner, name)
        setattr(owner, name, value)

    def delete_attribute(self, owner: Any, name: str) -> None:
        if self.is_tensor(owner) and name in self.attributes:
            raise Unsupported(f"deleting {name}")
        delattr(owner, name)

    def get_method(self, owner: Any, name: str) -> Any:
        if self.is_tensor(owner):
            if name in self.methods:
                method = self.methods[name]
                return lambda *arguments, **keywords: method(owner, *arguments, **keywords)
            if not hasattr(owner, name):
                raise Unsupported(f"{type(owner).__name__}.{name}")
        return self.member(owner, name)

    def text_of(self, value: Any) -> str:
        """What printing a value gives. An engine whose tensors print in another form than PyTorch's is not
        tested on the details, nor on those of nodes and of several results."""
        several = isinstance(value, tuple) and any(map(self.is_tensor, value))
        own = several or self.is_tensor(value) or bool(self.node_name(value))
        if own and not self.prints_as_pytorch:
            raise Unsupported(f"printing as PyTorch does, found {str(value)[:40]!r}")
        return str(value)

    @cached_property
    def prints_as_pytorch(self) -> bool:
        sample = self.sample()
        text = re.sub(", device='[^']*'", "", str(sample))
        return text == "tensor([1.], requires_grad=True)"

    def sample(self) -> Any:
        """A small leaf, to inspect this engine's tensors; None if it cannot be created."""
        try:
            return self.resolve("tensor")([1.0], requires_grad=True)
        except Exception:
            return None

    # --- derivatives as values, from a tape ---

    def within(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Call a function that is being differentiated."""
        self.depth += 1
        try:
            return function(*arguments)
        finally:
            self.depth -= 1

    def zeros_of(self, tensor: Any) -> Any:
        """Zeros like a tensor, for one that was not used; a product would keep its NaN."""
        try:
            return self.resolve("zeros_like")(tensor)
        except Unsupported:
            return tensor * 0

    def vjp_by_backward(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        """The word `vjp` for a tape that only accumulates: fresh leaves, one backward pass, and what
        it left in them. An input that was not used gets zeros."""
        if self.depth:
            raise Unsupported("vjp within vjp, from a tape that only accumulates")
        leaves = [self.fresh_leaf(tensor) for tensor in inputs]
        outputs = self.within(function, leaves)
        several = isinstance(outputs, tuple | list)
        if several and self.frees_shared_graph:
            raise Unsupported("vjp of several results: a pass frees the graph that they share")
        pairs = zip(outputs, cotangents, strict=True) if several else [(outputs, cotangents)]
        for root, seed in pairs:
            if self.tracked(root):
                self.backward_from(root, seed)
        found = [self.get_attribute(leaf, "grad") for leaf in leaves]
        self.untracked |= all(gradient is None for gradient in found)
        return tuple(
            self.zeros_of(tensor) if gradient is None else gradient
            for gradient, tensor in zip(found, inputs, strict=True)
        )

    def tracked(self, root: Any) -> bool:
        """Whether a result can be differentiated, as far as the engine says."""
        try:
            return bool(self.get_attribute(root, "requires_grad"))
        except Unsupported:
            return True

    def backward_from(self, root: Any, seed: Any) -> None:
        """A backward pass from a root, with the gradient of that root. Where `backward` takes none, it runs
        from their product, summed."""
        if self.takes_gradient:
            self.get_method(root, "backward")(seed)
            return
        product = root * seed
        if self.describe_tensor(product)["tensor"]["shape"]:
            product = self.get_method(product, "sum")()
        self.get_method(product, "backward")()

    @cached_property
    def takes_gradient(self) -> bool:
        """Whether `backward` of a tensor takes the gradient of that tensor, as far as its signature says."""
        return "backward" in self.methods or takes_gradient(self.tensor_type)

    def fresh_leaf(self, tensor: Any) -> Any:
        """A leaf of the same values and dtype that requires grad."""
        content = self.describe_tensor(tensor)["tensor"]
        if 0 in content["shape"]:  # which nested lists cannot say
            return self.resolve("zeros")(tuple(content["shape"]), requires_grad=True)
        values = [
            float(value["number"]) if isinstance(value, dict) else value
            for value in content["values"]
        ]
        for size in reversed(content["shape"][1:]):
            values = [values[at : at + size] for at in range(0, len(values), size)] if size else []
        nested = values if content["shape"] else values[0]
        leaf = self.resolve("tensor")(nested, requires_grad=True)
        if self.describe_tensor(leaf)["tensor"]["dtype"] == content["dtype"]:
            return leaf
        dtype = self.get_attribute(tensor, "dtype")
        return self.resolve("tensor")(nested, dtype=dtype, requires_grad=True)

    # --- describing values ---

    def is_tensor(self, value: Any) -> bool:
        """Whether the value is one of the engine's arrays. Override this."""
        return hasattr(value, "shape") and hasattr(value, "dtype")

    def describe(self, value: Any) -> Plain:
        """A value as a plain value (see gradspec.spec.values)."""
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            self.count(len(value))
            return {"dtype": self.texts[value]} if value in self.texts else value
        if kind is float:
            return number_plain(value)
        if kind is int:
            return value if -(2**63) <= value < 2**63 else {"object": "int"}
        if kind is Described:
            return value.plain
        if self.is_tensor(value):
            return self.describe_tensor(value)
        if isinstance(value, complex):
            return {"complex": [number_plain(value.real), number_plain(value.imag)]}
        if isinstance(value, tuple | list | dict):
            self.count(len(value))
        if isinstance(value, tuple):
            return {"tuple": [self.describe(item) for item in value]}
        if isinstance(value, list):
            return {"list": [self.describe(item) for item in value]}
        if isinstance(value, dict):
            return {
                "dict": [[self.describe(key), self.describe(item)] for key, item in value.items()]
            }
        return self.describe_object(value)

    def count(self, more: int) -> None:
        """Note how much a program reports. Raises `TooMuchReported`."""
        self.reported += more
        if self.reported > MOST_REPORTED:
            raise TooMuchReported(f"the program reported more than {MOST_REPORTED} values")

    def room_for(self, shape: Sequence[int]) -> None:
        """Raise `TooMuchReported` for a tensor that is too large to be reported, before it is read."""
        sizes = shape if INT.issuperset(map(type, shape)) else filter(is_int, shape)
        if math.prod(sizes) > MOST_REPORTED:
            raise TooMuchReported(f"the program reported a tensor of shape {tuple(shape)}")

    def describe_object(self, value: Any) -> Plain:
        """Anything that is not a number, text, container or tensor."""
        dtype = self.dtype_name(value) or numpy_dtype_name(value)
        if dtype:
            return {"dtype": dtype}
        if isinstance(value, type):
            return {"object": value.__name__}
        if hasattr(value, "tolist") and hasattr(value, "dtype"):  # an array of NumPy's kind
            return self.tensor_plain(str(value.dtype), value.shape, value.reshape(-1).tolist())
        node = self.node_name(value)
        return {"node": node} if node else {"object": kind_name(value)}

    def describe_tensor(self, value: Any) -> Plain:
        """A tensor as its dtype, shape and values in row-major order."""
        return self.tensor_plain(str(value.dtype), value.shape, value.reshape(-1).tolist())

    def tensor_plain(self, dtype: str, shape: Sequence[int], values: list[Any]) -> Plain:
        """Build the plain form of a tensor; numbers that JSON lacks are spelled out. Numbers of the
        engine's own types become Python's, so that the engine does not decide how they compare."""
        self.count(len(values))
        if not PLAIN_TYPES.issuperset(map(type, values)):
            values = [exactly(item) for item in values]
        if values:
            first = values[0]
            if isinstance(first, complex):
                values = [[number_plain(item.real), number_plain(item.imag)] for item in values]
            elif isinstance(first, float) and not math.isfinite(sum(values)):
                values = [number_plain(item) for item in values]
        return {
            "tensor": {
                "dtype": str.rpartition(dtype, ".")[2],
                "shape": list(shape)
                if INT.issuperset(map(type, shape))
                else [exactly(size) for size in shape],
                "values": values,
            }
        }

    def dtype_name(self, value: Any) -> str:
        """The name of a dtype, or the empty string if the value is none."""
        return ""

    def node_name(self, value: Any) -> str:
        """The name of a node of the graph, or the empty string if the value is none."""
        return ""


def global_name(word: str) -> str:
    """The name of a vocabulary word among a program's globals."""
    return word.replace(".", "__")


def by_method(name: str) -> Callable[..., Any]:
    """A function that is a method of the engine's tensors: `exp(x)` as `x.exp()`."""
    return lambda tensor, *arguments, **keywords: getattr(tensor, name)(*arguments, **keywords)


def takes_gradient(kind: type | None) -> bool:
    """Whether `backward` of a tensor takes the gradient of that tensor, as far as its signature says."""
    try:
        method: Any = getattr(kind, "backward", None)
        parameters = list(inspect.signature(method).parameters.values())[1:]
    except (TypeError, ValueError):  # a compiled one, or none
        return True
    first = next((item for item in parameters if item.kind != item.KEYWORD_ONLY), None)
    return first is not None and not first.name.startswith(_FLAGS_OF_BACKWARD)


def version_of(module: Any) -> str:
    """The version that a module names, or that it was installed with; "" if neither is known."""
    named = getattr(module, "__version__", None)
    if named is not None:
        return str(named)
    return _installed_version(package_of(module))


@cache
def _installed_version(package: str) -> str:
    try:
        return metadata.version(package)
    except (metadata.PackageNotFoundError, ValueError):
        return ""


def tensor_type_of(module: Any) -> type | None:
    """The module's tensor type: its `Tensor`, or else what its `tensor` makes."""
    kind = getattr(module, "Tensor", None)
    if kind is None and callable(getattr(module, "tensor", None)):
        try:
            kind = type(module.tensor([1.0]))
        except Exception:
            kind = None
    return kind if isinstance(kind, type) and not is_builtin(kind) else None


def is_builtin(kind: type) -> bool:
    """Whether a type is Python's own. Some compiled engines say that theirs are of `builtins` too."""
    return getattr(builtins, kind.__name__, None) is kind


def engine_place(frame: FrameType, line: int) -> str:
    """A place in the engine's own files, from its package on: `my_engine/ops.py:88`."""
    module = str(frame.f_globals["__name__"])
    file = Path(frame.f_code.co_filename)
    depth = module.count(".") + (2 if file.stem == "__init__" else 1)
    return f"{'/'.join(file.parts[-depth:])}:{line}"
