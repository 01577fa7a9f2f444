"""Words of an engine whose functions have other names, as a table of calls.

An entry is the engine's call, with PyTorch's parameters in PyTorch's order:

    "cumsum": "cumsum(input, axis=dim)"
    "flip": "flip(input, axis=*dims)"
    "logsumexp": "nn.logsumexp(input, axis=dim, keepdims=keepdim?)"

`axis=dim` passes PyTorch's `dim` as the engine's keyword `axis`. A parameter with `?` may be left out, and
`dim:0` says what it is then. `*dims` takes one list or several numbers. An argument that an entry does
not name is unsupported, and so is a call without one that the engine needs. Only names are translated:
nothing is composed from other operations.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .engine import Unsupported

_CALL = re.compile(r"([\w.]+)\((.*)\)")
_PARAMETER = re.compile(r"(?:(\w+)=)?(\*?)(\w+)(\?|:.+)?")
_ABSENT: Any = object()


@dataclass(frozen=True)
class Parameter:
    """One parameter of a word: PyTorch's name, and how the engine takes it."""

    name: str
    keyword: str
    """The engine's keyword, or the empty string if it takes the argument by position."""
    loose: bool
    """Whether it takes one list or several numbers."""
    default: Any
    required: bool


def calls(namespace: Any, table: Mapping[str, str]) -> dict[str, Callable[..., Any]]:
    """The words of a table whose function `namespace` has. Raises `ValueError` for a malformed entry."""
    words = {}
    for word, entry in table.items():
        path, parameters = _read(entry)
        function = _found(namespace, path)
        if function is not None:
            words[word] = call(word, function, parameters)
    return words


def call(
    word: str, function: Callable[..., Any], parameters: Sequence[Parameter]
) -> Callable[..., Any]:
    """A function with PyTorch's parameters that calls the engine's."""

    def translated(*arguments: Any, **keywords: Any) -> Any:
        given = _bound(word, parameters, arguments, keywords)
        positional, named = [], {}
        for parameter in parameters:
            value = given.get(parameter.name, parameter.default)
            if parameter.keyword == "axis" and isinstance(value, tuple | list) and not value:
                raise Unsupported("an empty list of dimensions, which is none rather than all")
            if value is not _ABSENT and parameter.keyword:
                named[parameter.keyword] = _as_tuple(value)
            elif value is not _ABSENT:
                positional.append(_as_tuple(value))
        return function(*positional, **named)

    return translated


def _bound(
    word: str,
    parameters: Sequence[Parameter],
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
) -> dict[str, Any]:
    """The arguments by the names of the parameters that they are for."""
    given = dict(keywords)
    rest = list(arguments)
    for parameter in parameters:
        if not rest:
            break
        if parameter.loose and not isinstance(rest[0], tuple | list):
            given[parameter.name], rest = tuple(rest), []
        else:
            given[parameter.name] = rest.pop(0)
    if rest:
        raise Unsupported(f"{len(arguments)} arguments of {word}")
    names = {parameter.name for parameter in parameters}
    if strange := sorted(given.keys() - names):
        raise Unsupported(f"the keyword {strange[0]} of {word}")
    for parameter in parameters:
        if parameter.required and parameter.name not in given:
            raise Unsupported(f"{word} without {parameter.name}")
    return given


def _as_tuple(value: Any) -> Any:
    """A list of numbers as a tuple, which every engine takes."""
    return tuple(value) if isinstance(value, list) else value


def _read(entry: str) -> tuple[str, list[Parameter]]:
    found = _CALL.fullmatch(entry)
    if found is None:
        raise ValueError(f"expected `function(parameter, ...)`, found {entry!r}")
    return found.group(1), [_parameter(text) for text in _parts(found.group(2))]


def _parameter(text: str) -> Parameter:
    found = _PARAMETER.fullmatch(text)
    if found is None:
        raise ValueError(f"expected `keyword=name`, `name?` or `name:default`, found {text!r}")
    keyword, star, name, rest = found.groups()
    default = ast.literal_eval(rest[1:]) if rest and rest != "?" else _ABSENT
    return Parameter(name, keyword or "", bool(star), default, rest is None)


def _parts(text: str) -> Iterator[str]:
    """The parameters, separated by commas that stand in no brackets."""
    begun, depth = 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            yield text[begun:at].strip()
            begun = at + 1
    if text[begun:].strip():
        yield text[begun:].strip()


def _found(namespace: Any, path: str) -> Any:
    for name in path.split("."):
        namespace = getattr(namespace, name, None)
    return namespace
