"""A small interpreter of the JSON form of programs, written from the protocol page alone.

It shares nothing with the Python form but the recorder, so that where both give the same verdict
they say the same. It also shows what a harness in another language has to do.
"""

from __future__ import annotations

import builtins
import inspect
import operator
import types
from collections.abc import Generator, Iterator, Mapping
from typing import Any

Json = dict[str, Any]
Running = Generator[Any, Any, "Returned | None"]

BUILTINS = ("range", "len", "list", "tuple", "repr", "float", "int", "bool", "enumerate", "zip")
BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow", "@": "matmul",
    "//": "floordiv", "%": "mod", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
UNARY = {"-": "neg", "+": "pos", "not": "not_", "~": "invert"}
COMPARE = {
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
    "is": "is_", "is not": "is_not",
}  # fmt: skip


class Cell:
    """One variable, shared by the function that owns it and those within that name it."""

    __slots__ = ("value",)


Frame = dict[str, Cell]


class Returned:
    """That a `return` was reached, and with what."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def assigned(body: list[Json]) -> Iterator[str]:
    """The names that a body binds, not those of functions and classes within it."""
    for node in body:
        if node["do"] in ("define", "class"):
            yield node["name"]
            continue
        targets = [*_targets(node.get("to")), *node.get("targets", []), *_targets(node.get("each"))]
        targets += [context["as"] for context in node.get("contexts", []) if context["as"]]
        for target in targets:
            yield from _names(target)
        for part in ("body", "then", "else"):
            yield from assigned(node.get(part, []))


def _targets(found: Any) -> list[Json]:
    return found if isinstance(found, list) else [found] if found else []


def _names(target: Json) -> Iterator[str]:
    if target["is"] == "name":
        yield target["name"]
    for item in target.get("items", []):
        yield from _names(item)


def mentioned(node: Any) -> Iterator[str]:
    """Every name that stands anywhere in a part of a program."""
    if isinstance(node, dict):
        if node.get("is") == "name":
            yield node["name"]
        node = list(node.values())
    if isinstance(node, list):
        for part in node:
            yield from mentioned(part)


def drive(running: Running) -> Any:
    """Run what holds no `yield` to its end; what it returned."""
    try:
        next(running)
    except StopIteration as stopped:
        return stopped.value.value if stopped.value else None
    raise RuntimeError("a yield outside a generator")


class Interpreter:
    """Runs one program. `words` are what the engine offers; `recorder` takes the reports."""

    def __init__(self, words: Mapping[str, Any], recorder: Any) -> None:
        own = {name: getattr(builtins, name) for name in BUILTINS}
        self.words = {**own, **words, "trace": recorder.trace, "traced": recorder.traced}
        self.recorder = recorder

    def run(self, program: Json) -> None:
        frame = {name: Cell() for name in assigned(program["body"])}
        drive(self.block(program["body"], frame))

    # --- statements: done at once, or generators that yield what a `yield` of the program does ---

    def block(self, body: list[Json], frame: Frame) -> Running:
        for node in body:
            running = getattr(self, f"do_{node['do']}")(node, frame)
            returned = (yield from running) if running is not None else None
            if returned is not None:
                return returned  # type: ignore[no-any-return]
        return None

    def value(self, node: Json, frame: Frame) -> Generator[Any, Any, Any]:
        """The value of a statement's expression, which may be a `yield`."""
        if node["is"] == "yield":
            return (yield self.evaluate(node["value"], frame) if node["value"] else None)
        return self.evaluate(node, frame)

    def do_assign(self, node: Json, frame: Frame) -> Running:
        value = yield from self.value(node["value"], frame)
        for target in node["to"]:
            self.assign(target, value, frame)
        return None

    def do_update(self, node: Json, frame: Frame) -> None:
        target, change = node["to"], getattr(operator, f"i{BINARY[node['operator']]}")
        if target["is"] == "name":
            current = self.evaluate(target, frame)
            self.assign(target, change(current, self.evaluate(node["value"], frame)), frame)
        elif target["is"] == "attribute":
            owner, name = self.evaluate(target["of"], frame), target["name"]
            current = getattr(owner, name)
            setattr(owner, name, change(current, self.evaluate(node["value"], frame)))
        else:
            owner, at = self.evaluate(target["of"], frame), self.evaluate(target["at"], frame)
            current = owner[at]
            owner[at] = change(current, self.evaluate(node["value"], frame))

    def do_evaluate(self, node: Json, frame: Frame) -> Running:
        yield from self.value(node["value"], frame)
        return None

    def do_observe(self, node: Json, frame: Frame) -> None:
        values = [self.evaluate(value, frame) for value in node["values"]]
        self.recorder.observe(node["observation"], *values)

    def do_attempt(self, node: Json, frame: Frame) -> Running:
        try:
            yield from self.block(node["body"], frame)
        except Exception as error:
            self.recorder.ended(node["observation"], error)
        else:
            self.recorder.ended(node["observation"], None)
        return None

    def do_record(self, node: Json, frame: Frame) -> Running:
        with self.recorder.recorded(node["observation"]):
            yield from self.block(node["body"], frame)
        return None

    def do_thread(self, node: Json, frame: Frame) -> None:
        self.recorder.run_in_thread(lambda: drive(self.block(node["body"], frame)))

    def do_within(self, node: Json, frame: Frame) -> Running:
        return (yield from self.within(node["contexts"], node["body"], frame))

    def within(self, contexts: list[Json], body: list[Json], frame: Frame) -> Running:
        if not contexts:
            return (yield from self.block(body, frame))
        with self.evaluate(contexts[0]["context"], frame) as value:
            if contexts[0]["as"]:
                self.assign(contexts[0]["as"], value, frame)
            del value
            return (yield from self.within(contexts[1:], body, frame))
        return None

    def do_define(self, node: Json, frame: Frame) -> None:
        frame[node["name"]].value = self.define(node, frame)

    def define(self, node: Json, frame: Frame, owner: list[type] | None = None) -> Any:
        decorators = [self.decorator(item, frame) for item in node["decorators"]]
        made: Any = self.function(node, frame, owner)
        for decorate in reversed(decorators):
            made = decorate(made)
        return made

    def decorator(self, node: Json, frame: Frame) -> Any:
        if node == {"is": "name", "name": "staticmethod"}:
            return staticmethod
        return self.evaluate(node, frame)

    def do_class(self, node: Json, frame: Frame) -> None:
        bases = tuple(self.evaluate(base, frame) for base in node["bases"])
        owner: list[type] = []
        names = {name: Cell() for name in assigned(node["body"])}

        def fill(namespace: dict[str, Any]) -> None:
            for statement in node["body"]:
                if statement["do"] == "define":
                    namespace[statement["name"]] = self.define(statement, frame, owner)
                elif statement["do"] == "assign":
                    value = self.evaluate(statement["value"], {**frame, **names})
                    for target in statement["to"]:
                        self.assign(target, value, names)
                        namespace[target["name"]] = value

        owner.append(types.new_class(node["name"], bases, exec_body=fill))
        frame[node["name"]].value = owner[0]

    def do_return(self, node: Json, frame: Frame) -> Running:
        if node["value"] is None:
            return Returned(None)
        return Returned((yield from self.value(node["value"], frame)))

    def do_for(self, node: Json, frame: Frame) -> Running:
        for item in self.evaluate(node["in"], frame):
            self.assign(node["each"], item, frame)
            del item
            returned = yield from self.block(node["body"], frame)
            if returned is not None:
                return returned
        return None

    def do_if(self, node: Json, frame: Frame) -> Running:
        chosen = node["then"] if self.evaluate(node["test"], frame) else node["else"]
        return (yield from self.block(chosen, frame))

    def do_delete(self, node: Json, frame: Frame) -> None:
        for target in node["targets"]:
            if target["is"] == "name":
                del frame[target["name"]].value
            elif target["is"] == "attribute":
                delattr(self.evaluate(target["of"], frame), target["name"])
            else:
                del self.evaluate(target["of"], frame)[self.evaluate(target["at"], frame)]

    def do_pass(self, node: Json, frame: Frame) -> None:
        pass

    def assign(self, target: Json, value: Any, frame: Frame) -> None:
        if target["is"] == "name":
            frame[target["name"]].value = value
        elif target["is"] == "attribute":
            setattr(self.evaluate(target["of"], frame), target["name"], value)
        elif target["is"] == "index":
            self.evaluate(target["of"], frame)[self.evaluate(target["at"], frame)] = value
        else:
            for part, item in zip(target["items"], list(value), strict=True):
                self.assign(part, item, frame)

    # --- functions ---

    def function(self, node: Json, frame: Frame, owner: list[type] | None = None) -> Any:
        """A function of the host, which an engine may keep and call."""
        body = node["body"]
        statements = isinstance(body, list)
        own = {parameter["name"] for parameter in node["parameters"]}
        own |= set(assigned(body)) if statements else set()
        outer = {name: frame[name] for name in mentioned(body) if name in frame and name not in own}
        defaults = {
            parameter["name"]: self.evaluate(parameter["default"], frame)
            for parameter in node["parameters"]
            if parameter["default"]
        }

        def enter(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Frame:
            inner = {**outer, **{name: Cell() for name in own}}
            if owner:
                inner["super"] = Cell()
                inner["super"].value = (
                    super(owner[0], arguments[0])
                    if arguments and isinstance(arguments[0], owner[0])
                    else None
                )
            bound = bind(node["parameters"], defaults, arguments, keywords)
            for name, value in bound.items():
                inner[name].value = value
            return inner

        if node.get("generator"):

            def generator(*arguments: Any, **keywords: Any) -> Any:
                returned = yield from self.block(body, enter(arguments, keywords))
                return returned.value if returned else None

            return named(generator, node, defaults)

        def function(*arguments: Any, **keywords: Any) -> Any:
            inner = enter(arguments, keywords)
            del arguments, keywords  # nothing but the frame keeps the values alive
            return drive(self.block(body, inner)) if statements else self.evaluate(body, inner)

        return named(function, node, defaults)

    # --- expressions ---

    def evaluate(self, node: Json, frame: Frame) -> Any:
        return getattr(self, f"is_{node['is']}")(node, frame)

    def is_none(self, node: Json, frame: Frame) -> None:
        return None

    def is_ellipsis(self, node: Json, frame: Frame) -> Any:
        return ...

    def is_plain(self, node: Json, frame: Frame) -> Any:
        return node["value"]

    is_bool = is_int = is_string = is_plain

    def is_float(self, node: Json, frame: Frame) -> float:
        value = node["value"]
        return float(value["number"] if isinstance(value, dict) else value)

    def is_complex(self, node: Json, frame: Frame) -> complex:
        return complex(*node["value"])

    def is_name(self, node: Json, frame: Frame) -> Any:
        try:
            return frame[node["name"]].value
        except (AttributeError, KeyError):
            raise NameError(f"name {node['name']!r} is not bound") from None

    def is_word(self, node: Json, frame: Frame) -> Any:
        if node["word"] == "super":
            return lambda: frame["super"].value
        return self.words[node["word"]]

    def arguments(self, node: Json, frame: Frame) -> tuple[list[Any], dict[str, Any]]:
        keywords = {name: self.evaluate(value, frame) for name, value in node["keywords"].items()}
        for unpacked in node.get("unpacked", []):
            keywords.update(self.evaluate(unpacked, frame))
        return self.items(node["args"], frame), keywords

    def is_call(self, node: Json, frame: Frame) -> Any:
        function = self.evaluate(node["of"], frame)
        arguments, keywords = self.arguments(node, frame)
        return function(*arguments, **keywords)

    def is_method(self, node: Json, frame: Frame) -> Any:
        method = getattr(self.evaluate(node["of"], frame), node["name"])
        arguments, keywords = self.arguments(node, frame)
        return method(*arguments, **keywords)

    def is_attribute(self, node: Json, frame: Frame) -> Any:
        return getattr(self.evaluate(node["of"], frame), node["name"])

    def is_index(self, node: Json, frame: Frame) -> Any:
        return self.evaluate(node["of"], frame)[self.evaluate(node["at"], frame)]

    def is_slice(self, node: Json, frame: Frame) -> slice:
        parts = (node["from"], node["to"], node["step"])
        return slice(*(None if part is None else self.evaluate(part, frame) for part in parts))

    def is_binary(self, node: Json, frame: Frame) -> Any:
        left = self.evaluate(node["left"], frame)
        right = self.evaluate(node["right"], frame)
        return getattr(operator, f"__{BINARY[node['operator']]}__")(left, right)

    def is_unary(self, node: Json, frame: Frame) -> Any:
        return getattr(operator, UNARY[node["operator"]])(self.evaluate(node["of"], frame))

    def is_compare(self, node: Json, frame: Frame) -> Any:
        left = self.evaluate(node["left"], frame)
        right = self.evaluate(node["right"], frame)
        if node["operator"] in ("in", "not in"):
            return (left in right) is (node["operator"] == "in")
        return getattr(operator, COMPARE[node["operator"]])(left, right)

    def items(self, nodes: list[Json], frame: Frame) -> list[Any]:
        found: list[Any] = []
        for node in nodes:
            if node["is"] == "starred":
                found += self.evaluate(node["of"], frame)
            else:
                found.append(self.evaluate(node, frame))
        return found

    def is_list(self, node: Json, frame: Frame) -> list[Any]:
        return self.items(node["items"], frame)

    def is_tuple(self, node: Json, frame: Frame) -> tuple[Any, ...]:
        return tuple(self.items(node["items"], frame))

    def is_dict(self, node: Json, frame: Frame) -> dict[Any, Any]:
        pairs = node["items"]
        return {self.evaluate(key, frame): self.evaluate(value, frame) for key, value in pairs}

    def is_lambda(self, node: Json, frame: Frame) -> Any:
        return self.function(node, frame)

    def is_choice(self, node: Json, frame: Frame) -> Any:
        return self.evaluate(node["then" if self.evaluate(node["test"], frame) else "else"], frame)


KINDS = {
    "plain": inspect.Parameter.POSITIONAL_OR_KEYWORD,
    "rest": inspect.Parameter.VAR_POSITIONAL,
    "keyword": inspect.Parameter.KEYWORD_ONLY,
    "keywords": inspect.Parameter.VAR_KEYWORD,
}
"""The sorts of parameters, as Python calls them."""


def named(function: Any, node: Json, defaults: dict[str, Any]) -> Any:
    """The function under its name, with its signature, at which an engine may look."""
    function.__name__ = function.__qualname__ = node.get("name", "<lambda>")
    function.__signature__ = inspect.Signature(
        [
            inspect.Parameter(p["name"], KINDS[p["sort"]], default=defaults.get(p["name"], inspect.Parameter.empty))
            for p in node["parameters"]
        ]
    )  # fmt: skip
    return function


def bind(
    parameters: list[Json],
    defaults: dict[str, Any],
    arguments: tuple[Any, ...],
    given: dict[str, Any],
) -> dict[str, Any]:
    """The parameters' values in one call. Raises `TypeError` where they do not fit."""
    waiting, keywords, bound = list(arguments), dict(given), dict(defaults)
    for parameter in parameters:
        name, sort = parameter["name"], parameter["sort"]
        if sort == "plain" and waiting:
            bound[name] = waiting.pop(0)
        elif sort == "rest":
            bound[name], waiting = tuple(waiting), []
        elif sort == "keywords":
            bound[name], keywords = keywords, {}
        elif name in keywords:
            bound[name] = keywords.pop(name)
        elif name not in bound:
            raise TypeError(f"the argument {name!r} is missing")
    if waiting or keywords:
        raise TypeError(f"unexpected arguments: {len(waiting)} and {', '.join(keywords)}")
    return bound
