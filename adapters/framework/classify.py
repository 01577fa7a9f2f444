"""Classifies an engine's exceptions and warnings by kind."""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import FunctionType, MethodType
from typing import Any

from .bound_signatures import missing_parameter, missing_type, too_few
from .engine import MISSING_GRADIENT, MissingGradient, ProgramError, Unsupported
from .narrow import WIDEST, says_so
from .offered import NOT_OFFERED, kernel_in, not_offered

REFUSED = "refused"
"""The kind of an error whose message gives no reason."""

# Exceptions that an engine raises on purpose. Any other type is a bug of the engine.
_REFUSALS = (
    "RuntimeError",
    "ValueError",
    "TypeError",
    "IndexError",
    "AttributeError",
    "ArithmeticError",
)
_FAULTS = (
    "RecursionError",
    "UnboundLocalError",
    "NameError",
    "SystemError",
    "MemoryError",
)
_UNEXPECTED_KEYWORD = re.compile(r"[Uu]nexpected keyword arguments?:? '?(\w+)")
_TOO_MANY = re.compile(
    r"(\w+|<lambda>)(?:\.__init__)?\(\) takes (?:from \d+ to )?\d+ positional arguments? but \d+ (?:was|were) given"
)
_NO_ARGUMENTS = re.compile(r"^(\w+)\(\) takes no arguments$")
_UNBOUND = re.compile(r"^unbound method ([\w.]+)\(\) needs an argument$")
_NOT_CALLABLE = re.compile(r"^'([\w.]+)' object is not callable$")
_TOO_FEW = re.compile(
    r"^(?!program\.<locals>)([\w.<>]+)\(\) missing \d+ required positional argument"
)
"""What Python says of a call with too few arguments, if the function is not one of the program's."""
_TWICE = re.compile(r"^([\w.]+)\(\) got multiple values for (?:keyword )?argument '(\w+)'$")
"""What Python says of a call in which an argument by position is taken for another that is given by name."""
_NOT_COPIED = re.compile(r"^cannot pickle '([\w.]+)' object$")
"""What Python says of an object of a compiled type that can be neither copied nor pickled."""
_FORWARD_TAKES_FEWER = re.compile(
    r"^program\.<locals>\.\w+\.forward\(\) takes (?:from \d+ to )?\d+ positional arguments? but"
)
_WORD_OF_AN_ADAPTER = re.compile(
    r"^\w+Engine\.\S+\(\) (?:takes|missing|got (?:an unexpected|multiple))"
)
"""A function of an adapter's own, called with arguments that the engine does not take."""
_BINARY = re.compile(
    r"unsupported operand type\(s\) for (\S+?)(?: or pow\(\))?: '(\S+)' and '(\S+)'"
)
_INDEX_OF_NUMPY = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`)"
"""How NumPy rejects an index that is neither of these nor an array."""
_UNARY = re.compile(r"bad operand type for (?:unary )?(\S+): '(\S+)'")
_ORDER = re.compile(r"'(<=?|>=?)' not supported between instances of '(\S+)' and '(\S+)'")
_OF_ONE = (
    (re.compile(r"'(\S+)' object is not subscriptable"), "indexing", ("__getitem__",)),
    (re.compile(r"'(\S+)' object does not support item assignment"), "assigning items", ("__setitem__",)),
    (re.compile(r"'(\S+)' object is not iterable|cannot unpack non-iterable (\S+) object"), "iterating",
     ("__iter__", "__getitem__")),
    (re.compile(r"object of type '(\S+)' has no len\(\)"), "len", ("__len__",)),
    (re.compile(r"indices must be integers or slices, not (\S+)"), "an index of a list", ("__index__",)),
    (re.compile(r"float\(\) argument must be .*, not '(\S+)'"), "float", ("__float__", "__index__")),
    (re.compile(r"int\(\) argument must be .*, not '(\S+)'"), "int", ("__int__", "__index__")),
)  # fmt: skip
_NO_ATTRIBUTE = re.compile(r"^'([\w.]+)' object has no attribute '(\w+)'$")
"""What Python says of an attribute that is assigned to an object without it; older versions name no object."""
_NOT_CONVERTED = re.compile(r"^argument '(\w+)': '[\w.]+' object cannot be ")
"""What PyO3 says of an argument of a type that a function does not take."""
_NO_SIGNATURE = re.compile(r"^(\w+)\(\) received an invalid combination of arguments - got ")
"""What PyTorch's own parser says of arguments that fit none of its signatures."""
_NO_CONTEXT = re.compile(r"'(\S+)' object does not support the context manager protocol")
_NUMBERS = ("int", "float", "complex")
_METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow", "@": "matmul", "//": "floordiv", "%": "mod",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
_UNARY_METHODS = {"-": "__neg__", "+": "__pos__", "~": "__invert__", "abs()": "__abs__"}
_ORDER_METHODS = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
_WORDS = ("gradspec.adapters.framework.torch_like", "gradspec.adapters.framework.functional")
_MEMBERS = "gradspec.adapters.framework.python_engine"
"""Where the members are read that a program names."""
_ANY_ARGUMENTS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
PROGRAM = "gradspec_program"
"""The name of the module that a program runs in."""
LONGEST = 4000
SEARCHED = 1000
"""How much of a message is searched for the specification's patterns; their cost is bounded for it."""


@dataclass(frozen=True)
class Pattern:
    """One rule: an exception of this type (or any) whose message matches is of this kind, which may also be
    `unsupported` or `missing-gradient`."""

    kind: str
    message: str = ""
    exception: str = ""

    def matches(self, names: Iterable[str], text: str) -> bool:
        if self.exception and self.exception not in names:
            return False
        return not self.message or self.compiled.search(text) is not None

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.message, re.IGNORECASE | re.DOTALL)


def pattern(kind: str, message: str = "", exception: str = "") -> Pattern:
    """A rule for an adapter's own table; `message` is a regular expression, case ignored.

    Raises `re.error` if it is none.
    """
    made = Pattern(kind, message, exception)
    _ = made.compiled  # now, rather than at the engine's first error
    return made


def patterns_of(kinds: Sequence[Mapping[str, Any]]) -> list[Pattern]:
    """The general rules, from the entries of spec/errors.yaml."""
    rules = []
    for kind in kinds:
        for exception in kind["exceptions"] or ("",):
            rules += [  # compiled on first use: the specification has checked them
                Pattern(kind["name"], message, exception) for message in kind["patterns"] or ("",)
            ]
    return rules


class Classifier:
    """Maps exceptions to kinds: an adapter's own rules first, then the general ones."""

    def __init__(self, own: Sequence[Pattern], general: Sequence[Pattern]) -> None:
        self.own = own
        self.general = general
        self.tensor_type: type | None = None
        """The engine's tensor, if known: an operator that it lacks is unsupported, not an error."""
        self.lacks_float64 = False
        """Whether an error that says so is for want of float64."""

    def kind(self, error: BaseException, members: frozenset[str] = frozenset()) -> str:
        """The kind of an error. Raises `Unsupported` if the engine merely lacks something.

        Returns "refused" for an ordinary error whose message gives no reason, and "broken" for an
        exception that no engine raises on purpose.
        """
        if isinstance(error, Unsupported):
            raise error
        if isinstance(error, ProgramError):
            return "user"
        names = [base.__name__ for base in type(error).__mro__]
        text = message_of(error)
        for rule in self.own:
            if rule.matches(names, text):
                if rule.kind in NOT_OFFERED:
                    raise self.lack(rule, text)
                return rule.kind
        if self.lacks_float64 and says_so(text):
            raise Unsupported(WIDEST)
        if isinstance(error, NotImplementedError):
            raise not_offered(error, text, PROGRAM) or Unsupported(text)
        text = text[:SEARCHED]
        missing = (
            missing_member(error, members)
            or missing_operator(error, self.tensor_type)
            or missing_context(error)
            or missing_in_word(error)
        )
        if missing:
            raise Unsupported(missing)
        if any(name in names for name in _FAULTS):
            return "broken"
        if isinstance(error, AttributeError) and (
            text == "__delitem__" or text.endswith("has no deleter")
        ):
            return "wrong-type"  # of a type that assigns items or attributes and deletes none
        exact = [rule for rule in self.general if rule.exception]
        exact.sort(key=lambda rule: not rule.message)  # NumPy's AxisError is a ValueError as well
        if any(name in names for name in ("TypeError", "IndexError", "AttributeError")):
            return next((rule.kind for rule in exact if rule.matches(names, text)), "broken")
        for rule in self.general:
            if rule.matches(names, text):
                return rule.kind
        if any(name in names for name in _REFUSALS) or not _is_builtin(error):
            if lacking := not_offered(error, text, PROGRAM):
                raise lacking
            return REFUSED
        return "broken"

    def lacking(self, error: BaseException, members: frozenset[str]) -> Unsupported | None:
        """What the engine lacks, if an error outside of any block that expects one says so."""
        names = [base.__name__ for base in type(error).__mro__]
        text = message_of(error)
        for rule in self.own:
            if rule.kind in NOT_OFFERED and rule.matches(names, text):
                return self.lack(rule, text)
        if self.lacks_float64 and says_so(text):
            return Unsupported(WIDEST)
        if missing := missing_member(error, members) or missing_setup(error) or missing_form(error):
            return Unsupported(missing)
        if isinstance(error, TypeError):
            if missing := missing_type(text, members):
                return Unsupported(missing)
            found, tensor = _NOT_COPIED.search(text), self.tensor_type
            if found and tensor is not None and _bare(found.group(1)) == tensor.__name__:
                return Unsupported("copying or pickling a tensor")
        return not_offered(error, text, PROGRAM)

    @staticmethod
    def lack(rule: Pattern, text: str) -> Unsupported:
        """What is missing according to an adapter's own rule."""
        kind = MissingGradient if rule.kind == MISSING_GRADIENT else Unsupported
        return kind(kernel_in(text) or text[:200])

    def warning(self, category: type[Warning], text: str) -> str:
        """The kind of a warning, or its category's name if no rule knows it."""
        names = [base.__name__ for base in category.__mro__]
        for rule in self.own:
            if rule.matches(names, text):
                return rule.kind
        for rule in self.general:
            if rule.matches(names, text[:SEARCHED]):
                return rule.kind
        return category.__name__


def _is_builtin(error: BaseException) -> bool:
    return type(error).__module__ == "builtins"


def message_of(error: BaseException) -> str:
    """An exception's message, as far as it can be read."""
    try:
        return str.__str__(str(error))[:LONGEST]
    except BaseException:  # an exception that exits when it is printed must not end the run
        return f"a {type_name(error)} whose text cannot be read"


def type_name(error: BaseException) -> str:
    """The name of an exception's type, as far as it can be read."""
    try:
        return str.__str__(type(error).__name__)
    except BaseException:
        return "an exception without a name"


def missing_member(error: BaseException, members: frozenset[str]) -> str:
    """The word of the program that the engine lacks, if the error says so; else ""."""
    if isinstance(error, TypeError | ValueError):
        keyword = _UNEXPECTED_KEYWORD.search(message_of(error))
        if keyword and keyword.group(1) in members:
            return f"the keyword {keyword.group(1)}"
    if isinstance(error, TypeError):
        if missing := missing_parameter(message_of(error), members):
            return missing
        if _WORD_OF_AN_ADAPTER.search(message_of(error)) and raised_by_program(error):
            return "the arguments of a word"
    if not raised_by_program(error):
        return ""  # the engine stumbles over itself
    if isinstance(error, AttributeError):
        name, owner = error.name, error.obj
        if name is None and (found := _NO_ATTRIBUTE.search(message_of(error))):
            kind, name = _bare(found.group(1)), found.group(2)
            return f"{kind}.{name}" if name in members and not of_python(kind) else ""
        if name in members and owner is not None and not _has(owner, name):
            home = type(owner).__module__.split(".")[0]
            if type(owner) is tuple:
                return f"{name} of several results"
            if isinstance(owner, FunctionType | MethodType | partial):  # a closure serves as a node
                return f"{name} of a node of the graph"
            if home not in ("builtins", "numpy"):
                return f"{type(owner).__name__}.{name}"
    if isinstance(error, TypeError):
        called = _TOO_MANY.search(message_of(error))
        if called and (called.group(1) in members or "program.<locals>" not in message_of(error)):
            # which may have another name in the program
            return f"an argument of {_brief(called.group(1))}"
    return ""


def missing_setup(error: BaseException) -> str:
    """The `setup_context` of custom functions, if the engine gives `forward` a context that it does not take."""
    stumbles = isinstance(error, TypeError) and _FORWARD_TAKES_FEWER.search(message_of(error))
    return "setup_context of a custom function" if stumbles else ""


def missing_form(error: BaseException) -> str:
    """The form of a call that the engine lacks: one that leaves out what it needs, as `where(condition)`, a
    `with` around one that only sets something, or an index that it hands on to NumPy, which knows no tensors."""
    text = message_of(error)
    if isinstance(error, IndexError) and _INDEX_OF_NUMPY in text:
        return "tensors as indices"
    if not isinstance(error, TypeError):
        return ""
    if missing := missing_context(error):
        return missing
    if found := _NOT_CONVERTED.search(text):
        return f"the argument {found.group(1)} of this type"
    if found := _NO_SIGNATURE.search(text):
        return f"{found.group(1)} of these arguments"
    if (called := _TOO_FEW.search(text)) and (raised_by_program(error) or passed_on(error)):
        return f"fewer arguments of {_brief(called.group(1))}"
    if (called := _TWICE.search(text)) and (raised_by_program(error) or passed_on(error)):
        return f"another order of the arguments of {called.group(1)}"
    if (called := _UNBOUND.search(text)) and raised_by_program(error):
        return f"arguments of {called.group(1)} by name"
    if (called := _NO_ARGUMENTS.search(text)) and raised_by_program(error):
        return f"an argument of {called.group(1)}"
    if (found := _NOT_CALLABLE.search(text)) and raised_by_program(error):
        kind = _bare(found.group(1))
        return "" if of_python(kind) else f"calling a {kind}"
    return too_few(text)


def missing_context(error: BaseException) -> str:
    """The use in a `with` statement that something lacks, if the error says so; else ""."""
    stumbles = isinstance(error, TypeError) and _NO_CONTEXT.search(message_of(error))
    return "a context manager" if stumbles and raised_by_program(error) else ""


def missing_in_word(error: BaseException) -> str:
    """What one of an adapter's own words needs but the engine lacks: a word such as `vjp` calls functions
    that the program does not name, and the lack of one is not a failure. Neither is it one that a word
    such as `gather` reads the shape of a number before the engine sees it."""
    if not isinstance(error, AttributeError | TypeError):
        return ""
    traceback, last = error.__traceback__, None
    while traceback is not None:
        traceback, last = traceback.tb_next, traceback
    home = str(last.tb_frame.f_globals.get("__name__", "")) if last is not None else ""
    of_number = isinstance(getattr(error, "obj", None), int | float | complex | str)
    if home in _WORDS or (of_number and home.startswith("gradspec.adapters.") and home != _MEMBERS):
        return message_of(error)[:200]
    return ""


def missing_operator(error: BaseException, tensor_type: type | None) -> str:
    """The operator that the engine's tensor lacks, if the error says so; else ""."""
    if tensor_type is None or not raised_by_program(error):
        return ""
    if isinstance(error, AttributeError) and type(error.obj) is bool:
        inherited = getattr(tensor_type, "__eq__", None) is object.__eq__
        # Python asks whether both are the same tensor
        return "the operator ==" if inherited else ""
    if not isinstance(error, TypeError):
        return ""
    name, text = tensor_type.__name__, message_of(error)
    if found := _BINARY.search(text):
        operator, left, right = found.group(1), *map(_bare, found.group(2, 3))
        method = _METHODS.get(operator.removesuffix("=") if operator != "=" else "", "")
        lacking = (left == name and not hasattr(tensor_type, f"__{method}__")) or (
            left != name and right == name and not hasattr(tensor_type, f"__r{method}__")
        )
        if not lacking and name in (left, right) and {left, right} <= {name, *_NUMBERS}:
            return f"the operator {operator} of {left} and {right}"  # its method gave up
        return f"the operator {operator}" if lacking else ""
    if (found := _UNARY.search(text)) and _bare(found.group(2)) == name:
        method = _UNARY_METHODS.get(found.group(1), "")
        return "" if hasattr(tensor_type, method) else f"the operator {found.group(1)}"
    if (found := _ORDER.search(text)) and name in map(_bare, found.group(2, 3)):
        inherited = getattr(object, _ORDER_METHODS[found.group(1)])
        numbers = set(map(_bare, found.group(2, 3))) <= {name, *_NUMBERS}  # its method gave up
        lacking = numbers or getattr(tensor_type, _ORDER_METHODS[found.group(1)]) is inherited
        return f"the operator {found.group(1)}" if lacking else ""
    for rule, what, methods in _OF_ONE:
        found = rule.search(text)
        if (
            found
            and name in (_bare(each) for each in found.groups() if each)
            and not any(hasattr(tensor_type, method) for method in methods)
        ):
            return what
    return ""


def _brief(name: str) -> str:
    """The name of a function in a message, without the functions that it is defined in."""
    last = name.rpartition("<locals>.")[2]
    return "a word" if last == "<lambda>" else last


def _bare(name: str) -> str:
    """The name of a type without its module, which Python prints for types of compiled modules."""
    return name.rpartition(".")[2]


def of_python(kind: str) -> bool:
    """Whether a type is Python's own, by its name in a message."""
    return kind in ("NoneType", "function", "method") or hasattr(builtins, kind)


def passed_on(error: BaseException) -> bool:
    """Whether the error is about what the program gave to a decorated function: all frames between the two
    take any arguments."""
    frames = []
    traceback = error.__traceback__
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    while frames and frames[-1].f_code.co_flags & _ANY_ARGUMENTS == _ANY_ARGUMENTS:
        frames.pop()
    return bool(frames) and frames[-1].f_globals.get("__name__") == PROGRAM


def raised_by_program(error: BaseException) -> bool:
    """Whether the program's own code, or the adapter on its behalf, ran into the error."""
    traceback = error.__traceback__
    if traceback is None:
        return True
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    home = str(traceback.tb_frame.f_globals.get("__name__", ""))
    asked = traceback.tb_frame.f_code.co_name in ("__getattr__", "__getattribute__")
    return asked or home == PROGRAM or home.startswith("gradspec.adapters")


def _has(owner: Any, name: str) -> bool:
    try:
        return hasattr(owner, name)
    except Exception:
        return True  # the engine has it, and fails to give it
