"""One case as a script of its own, to be pasted into a bug report."""

from __future__ import annotations

import ast
from typing import Any

from gradspec.spec.model import Case, Expectation
from gradspec.spec.python_form import PythonFormer, fresh

_PLAIN = '''
def _plain(value):
    """A value as nested lists and plain numbers."""
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return str(value).rpartition(".")[2] if "dtype" in type(value).__name__.lower() else value
'''
_PLAIN_BY_ADAPTER = '''
def _plain(value, described=False):
    """A value as nested lists and plain numbers, read by the adapter."""
    value = value if described else adapter.describe(value)
    if not isinstance(value, dict):
        return value
    (kind, content), = value.items()
    if kind == "tensor":
        values = [_plain(item, True) for item in content["values"]]
        for size in reversed(content["shape"][1:]):
            values = [values[i : i + size] for i in range(0, len(values), size)]
        return values if content["shape"] else values[0]
    if kind in ("list", "tuple"):
        return [_plain(item, True) for item in content]
    if kind == "dict":
        return {_plain(key, True): _plain(item, True) for key, item in content}
    if kind == "number":
        return float(content)
    return complex(*content) if kind == "complex" else content
'''
_SHOW = '''
def _same(found, wanted):
    if hasattr(wanted, "ways"):
        return any(_same(found, way) for way in wanted.ways)
    if isinstance(wanted, dict):
        alike = isinstance(found, dict) and list(found) == list(wanted)
        return alike and all(_same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, (list, tuple)):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(_same, found, wanted))
    if isinstance(wanted, (float, complex)) and isinstance(found, (int, float, complex)):
        return found == wanted or abs(found - wanted) <= 1e-5 * abs(wanted) or (found != found and wanted != wanted)
    return type(found) is type(wanted) and found == wanted or (isinstance(wanted, (int, float)) and found == wanted)


def expect(what, *sides):
    """Print whether an expectation holds. With one side there is nothing to compare it with here."""
    found, wanted = _plain(sides[0]), sides[-1]
    if len(sides) == 1:
        print(f"shown    {what}\\n         found {found!r}")
    elif _same(found, wanted if hasattr(wanted, "ways") else _plain(wanted)):
        print(f"holds    {what}")
    else:
        print(f"DEPARTS  {what}\\n         found {found!r}")
'''
_EITHER = '''
class either:
    """Several values, any one of which is right."""

    def __init__(self, *ways):
        self.ways = ways
'''
_REFUSED = '''
@contextlib.contextmanager
def refused(kind):
    """Print how a block that must be refused ends."""
    try:
        yield
    except Exception as error:
        print(f"refused  as it must be ({kind})\\n         {type(error).__name__}: {error}")
    else:
        print(f"DEPARTS  must be refused ({kind}), but runs to its end")
'''
_MAY_BE_REFUSED = '''
@contextlib.contextmanager
def may_be_refused(kind):
    """Print how a block that may be refused ends."""
    try:
        yield
    except Exception as error:
        print(f"refused  as it may be ({kind})\\n         {type(error).__name__}: {error}")
'''
_WARNED = '''
@contextlib.contextmanager
def warned(kind):
    """Print the warnings that a block gives; kind None expects none."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    found = "; ".join(str(item.message) for item in caught) or "none"
    says = "DEPARTS" if bool(caught) is (kind is None) else "holds  "
    print(f"{says}  expects the warning {kind}\\n         found {found}")
'''
_TRACE = """
_notes = []


def trace(label, *values):
    _notes.append((label, *map(_plain, values)) if values else label)


def traced():
    return list(_notes)
"""
_THREAD = """
def run_in_thread(block):
    raised = []

    def body():
        try:
            block()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
"""
_NESTING = '''
_depth = 0


def _within(function, arguments):
    """Call a function that is being differentiated, maybe within another."""
    global _depth
    _depth += 1
    try:
        return function(*arguments)
    finally:
        _depth -= 1
'''
_VJP = '''
def vjp(function, inputs, cotangents):
    """Gradients of `function` at `inputs`, from the tape; zeros for an unused input."""
    nested = _depth > 0 or any(x.requires_grad for x in inputs)
    aliases = [x.view_as(x) if nested else x.detach() for x in inputs]
    aliases = [x if x.requires_grad else x.requires_grad_() for x in aliases]
    outputs = _within(function, aliases)
    several = isinstance(outputs, (tuple, list))
    roots, seeds = (outputs, cotangents) if several else ([outputs], [cotangents])
    kept = [(root, seed) for root, seed in zip(roots, seeds) if root.requires_grad]
    if not kept:
        return tuple(x * 0 for x in inputs)
    found = ENGINE.autograd.grad([root for root, _ in kept], aliases, [seed for _, seed in kept],
                                 create_graph=nested, allow_unused=True)
    return tuple(x * 0 if g is None else g for g, x in zip(found, inputs))
'''
_JVP = '''
def jvp(function, inputs, tangents):
    """The tangent of `function` at `inputs`, by forward mode."""
    forward = ENGINE.autograd.forward_ad
    with forward.dual_level():
        outputs = _within(function, [forward.make_dual(x, t) for x, t in zip(inputs, tangents)])
        several = isinstance(outputs, (tuple, list))
        found = [forward.unpack_dual(y) for y in (outputs if several else [outputs])]
        found = [part.primal * 0 if part.tangent is None else part.tangent for part in found]
    return tuple(found) if several else found[0]
'''
_STOP = """
def stop(text="stopped"):
    raise Exception(text)
"""
_AFTERWARDS = """
import contextlib

@contextlib.contextmanager
def afterwards(function):
    try:
        yield
    finally:
        function()
"""
_SAVED_AND_LOADED = '''
import io

def saved_and_loaded(value):
    """A value after a round trip through a file."""
    file = io.BytesIO()
    ENGINE.save(value, file)
    file.seek(0)
    return ENGINE.load(file)
'''
_HELPERS = {
    "vjp": _VJP, "jvp": _JVP, "stop": _STOP,
    "weak": "\nimport weakref\nweak = weakref.ref\n",
    "alive": "\ndef alive(reference):\n    return reference() is not None\n",
    "throw_into": "\ndef throw_into(generator, text):\n    return generator.throw(Exception(text))\n",
    "afterwards": _AFTERWARDS, "saved_and_loaded": _SAVED_AND_LOADED,
    "other_device": '\ndef other_device():\n    return ENGINE.device("meta")\n',
    "collect": "\nimport gc\ncollect = gc.collect\n",
    "deepcopy": "\nfrom copy import deepcopy\n",
    "text_of": "\ntext_of = str\n",
    "call": "\ndef call(function, *arguments, **keywords):\n    return function(*arguments, **keywords)\n",
    "is_tensor": "\ndef is_tensor(value):\n    return isinstance(value, ENGINE.Tensor)\n",
    "is_node": '\ndef is_node(value):\n    return hasattr(value, "next_functions")\n',
    "to_numpy": "\ndef to_numpy(tensor):\n    return tensor.detach().numpy()\n",
    "numpy_array": '\nimport numpy\n\ndef numpy_array(values):\n    return numpy.array(values, dtype="float32")\n',
    "shares_storage": "\nimport numpy\n\ndef shares_storage(first, second):\n"
                      "    return numpy.shares_memory(first.detach().numpy(), second.detach().numpy())\n",
}  # fmt: skip


def script_of(case: Case, impl: str) -> str:
    """The case as a Python script for an engine. A torch-like engine needs nothing else; one whose
    names an adapter maps needs gradspec for that adapter."""
    module = torch_like_module(impl)
    former = _Script(case.expectations, mediated=module is None)
    body = former.statements([fresh(statement) for statement in case.program.tree.body])
    for statement in body:
        _reach_the_script(statement)
    program = ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))
    head = [
        f"# {case.id}",
        *_wrapped(case.behavior.statement),
        f"# {case.where}",
    ]
    words = adapter_words(case, impl) if module is None else _module_words(case, module)
    used = (_PLAIN_BY_ADAPTER if module is None else _PLAIN) + "\n" + _SHOW
    for name, text in (
        ("either(", _EITHER),
        ("with refused(", _REFUSED),
        ("may_be_refused(", _MAY_BE_REFUSED),
        ("warned(", _WARNED),
        ("trace", _TRACE),
        ("run_in_thread(", _THREAD),
    ):
        if name in program:
            used += "\n" + text
    imports = [name for name, mark in (("contextlib", "contextmanager"), ("threading", "threading."),
                                       ("warnings", "warnings.")) if mark in used]  # fmt: skip
    first = "\n".join(f"import {name}" for name in imports)
    parts = ["\n".join(head), first, words, used.strip("\n"), f"# the case\n{program}"]
    return "\n\n".join(part for part in parts if part) + "\n"


def _reach_the_script(statement: ast.AST) -> None:
    """Let a thread's block at the top of the script assign the script's own variables."""
    if isinstance(statement, ast.FunctionDef):
        statement.body = [
            ast.Global(item.names) if isinstance(item, ast.Nonlocal) else item
            for item in statement.body
        ]
        return
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            _reach_the_script(child)


def torch_like_module(impl: str) -> str | None:
    """The module whose names a script can use as they stand, or None."""
    known = {"torch": "torch", "reference": "gradspec.reference_impl"}
    if impl.startswith("module:"):
        return impl.removeprefix("module:")
    return known.get(impl)


def _wrapped(text: str) -> list[str]:
    import textwrap

    return textwrap.wrap(text, 96, initial_indent="# ", subsequent_indent="# ")


def _module_words(case: Case, module: str) -> str:
    """Bind each word that the case uses to the engine's own function."""
    name, _, attribute = module.partition(":")
    lines = [
        f"import {name} as ENGINE" if not attribute else f"from {name} import {attribute} as ENGINE"
    ]
    lines.append("from math import inf, nan, pi")
    helpers = [word for word in case.program.words if word in _HELPERS]
    for word in case.program.words:
        if word not in _HELPERS:
            first = word.split(".")[0]
            line = f"{first} = ENGINE.{first}"
            if line not in lines:
                lines.append(line)
    nesting = _NESTING if {"vjp", "jvp"} & set(helpers) else ""
    return (
        "\n".join(lines)
        + nesting.rstrip("\n")
        + "".join("\n" + _HELPERS[word].rstrip("\n") for word in helpers)
    )


def adapter_words(case: Case, impl: str) -> str:
    """Take the words from an adapter, which maps names that differ from PyTorch's."""
    lines = [
        "# The engine's names differ from PyTorch's: gradspec's adapter maps them.",
        "from math import inf, nan, pi",
        "from gradspec.adapters.registry import open_engine",
        f"adapter = open_engine({impl!r})",
        "get_attribute, set_attribute = adapter.get_attribute, adapter.set_attribute",
        "get_method, delete_attribute = adapter.get_method, adapter.delete_attribute",
    ]
    for word in case.program.words:
        if "." not in word:
            lines.append(f"{word} = adapter.resolve({word!r})")
    return "\n".join(lines)


class _Script(PythonFormer):
    """The lowered program, with each observation printed beside what is expected."""

    def __init__(self, expectations: tuple[Expectation, ...], mediated: bool) -> None:
        super().__init__(mediated)
        self.expectations = expectations

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "observe"
        ):
            index, *values = call.args
            expectation = self.expectation(index)
            shown: list[ast.expr] = [ast.Constant(expectation.source.removeprefix("assert "))]
            shown += [self.visit(value) for value in values]
            if expectation.relation in ("equal", "is") and not expectation.pair:
                shown.append(written(expectation.expected))
            elif expectation.relation != "equal":
                shown = shown[:2]
            return ast.Expr(ast.Call(ast.Name("expect", ast.Load()), shown, []))
        node.value = self.visit(call)
        return node

    def attempt(self, node: ast.With, index: ast.expr) -> ast.stmt:
        return self.block(node, "refused", index)

    def record(self, node: ast.With, index: ast.expr) -> ast.stmt:
        return self.block(node, "warned", index)

    def expectation(self, index: ast.expr) -> Expectation:
        """The expectation that an observation's number stands for."""
        assert isinstance(index, ast.Constant)
        return self.expectations[int(str(index.value))]

    def block(self, node: ast.With, name: str, index: ast.expr) -> ast.stmt:
        expectation = self.expectation(index)
        name = "may_be_refused" if expectation.relation == "may be refused" else name
        kind = ast.Constant(" or ".join(expectation.expected) if expectation.expected else None)
        item = ast.withitem(ast.Call(ast.Name(name, ast.Load()), [kind], []), None)
        return ast.With([item], self.statements(node.body), None)


def written(plain: Any) -> ast.expr:
    """A plain value as Python source."""
    if isinstance(plain, dict):
        if "number" in plain:
            number: ast.expr = ast.parse(plain["number"], mode="eval").body
            return number
        if "complex" in plain:
            return ast.Constant(complex(*map(float, plain["complex"])))
        if "dtype" in plain:
            return ast.Constant(plain["dtype"])
        if "dict" in plain:
            pairs = plain["dict"]
            return ast.Dict(
                [written(key) for key, _ in pairs], [written(value) for _, value in pairs]
            )
        if "either" in plain:
            ways = [written(item) for item in plain["either"]]
            return ast.Call(ast.Name("either", ast.Load()), ways, [])
        items: list[Any] = plain["list"] if "list" in plain else plain["tuple"]
        return ast.List([written(item) for item in items], ast.Load())
    return ast.Constant(plain)
