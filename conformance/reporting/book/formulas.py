"""Formulas of the catalogue as MathML, which browsers set as mathematics without a library."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from html import escape

COMPARE, ADD, MULTIPLY, NEGATE, POWER, ATOM = range(6)
"""How tightly parts bind."""

OPERATORS: Mapping[type[ast.AST], tuple[str, int]] = {
    ast.Add: ("+", ADD),
    ast.Sub: ("−", ADD),
    ast.MatMult: ("", MULTIPLY),
    ast.BitAnd: ("∧", COMPARE),
    ast.BitOr: ("∨", COMPARE),
    ast.FloorDiv: ("÷", MULTIPLY),
    ast.Mod: ("mod", MULTIPLY),
}
COMPARISONS: Mapping[type[ast.AST], str] = {
    ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥", ast.Eq: "=", ast.NotEq: "≠",
}  # fmt: skip
NAMES = {
    "log": "ln", "sign": "sgn", "sigmoid": "σ", "expit": "σ", "digamma": "ψ", "trace": "tr",
    "arcsinh": "arsinh", "arccosh": "arcosh", "arctanh": "artanh", "maximum": "max",
    "minimum": "min", "rint": "round", "pi": "π", "inf": "∞", "newaxis": "new", "ndtr": "Φ",
}  # fmt: skip
UPRIGHT = {
    "sin", "cos", "tan", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "ln", "sgn", "σ",
    "ψ", "erf", "erfc",
}  # fmt: skip
"""Functions whose power is written after their name."""
LARGE = {"sum": "∑", "prod": "∏"}
CONSTANT = {"zeros": 0, "ones": 1}
FENCES = {"abs": "||", "floor": "⌊⌋", "ceil": "⌈⌉", "magnitude": "||"}
TRANSPOSED = {"T": "⊤", "mT": "⊤", "mH": "H", "H": "H"}

LONGEST = 64
"""A longer formula stays as it is written."""

Part = tuple[str, int]
"""MathML, and how tightly it binds."""


def mathml(formula: str, longest: int = LONGEST) -> str:
    """A formula as a `math` element; its text, as NumPy reads it, is the element's title."""
    try:
        shown = _part(ast.parse(formula, mode="eval").body)[0]
    except (SyntaxError, ValueError, RecursionError):
        shown = f"<mtext>{escape(formula)}</mtext>"
    if len(formula) > longest:  # mathematics does not break into lines; code does
        return f"<code>{escape(formula)}</code>"
    return f'<math displaystyle="true" title="{escape(formula)}"><mrow>{shown}</mrow></math>'


def _part(node: ast.expr) -> Part:
    for kind, write in _WRITERS:
        if isinstance(node, kind):
            return write(node)
    return f"<mtext>{escape(ast.unparse(node))}</mtext>", ATOM


def _within(node: ast.expr, least: int) -> str:
    """A part of an expression, in parentheses where it binds too loosely."""
    shown, tight = _part(node)
    if isinstance(node, ast.Compare) and least > COMPARE:  # 1 where it holds and 0 elsewhere
        return _fenced(shown, "[", "]")
    return shown if tight >= least else _fenced(shown)


def _fenced(shown: str, left: str = "(", right: str = ")") -> str:
    return f"<mrow><mo>{left}</mo>{shown}<mo>{right}</mo></mrow>"


def _name(node: ast.Name) -> Part:
    return _word(node.id), ATOM


def _word(name: str) -> str:
    stem, _, index = NAMES.get(name, name).partition("_")
    if index and stem and len(index) < 3:
        return f"<msub><mi>{escape(stem)}</mi><mi>{escape(index)}</mi></msub>"
    return f"<mi>{escape(NAMES.get(name, name))}</mi>"


def _constant(node: ast.Constant) -> Part:
    if node.value is Ellipsis:
        return "<mo>…</mo>", ATOM
    if isinstance(node.value, bool | str | bytes) or node.value is None:
        return f"<mtext>{escape(str(node.value))}</mtext>", ATOM
    whole = isinstance(node.value, float) and node.value.is_integer() and abs(node.value) < 1e9
    return f"<mn>{int(node.value.real) if whole else node.value}</mn>", ATOM


def _binary(node: ast.BinOp) -> Part:
    if isinstance(node.op, ast.Div):
        above, below = _part(node.left)[0], _part(node.right)[0]
        return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>", POWER
    if isinstance(node.op, ast.Pow):
        return _power(node)
    if isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right):
        return _raised("<mn>2</mn>")(node.left)
    if isinstance(node.op, ast.Mult):
        negative = isinstance(node.left, ast.UnaryOp)
        left = _part(node.left)[0] if negative else _within(node.left, MULTIPLY)
        shown = f"{left}{_times(node)}{_within(node.right, MULTIPLY)}"
        return shown, ADD if negative else MULTIPLY
    if type(node.op) not in OPERATORS:
        return f"<mtext>{escape(ast.unparse(node))}</mtext>", ATOM
    sign, tight = OPERATORS[type(node.op)]
    left, right = _within(node.left, tight), _within(node.right, tight + (sign == "−"))
    return f"{left}{f'<mo>{sign}</mo>' if sign else SPACE}{right}", tight


SPACE = '<mspace width="0.2em"></mspace>'


def _times(node: ast.BinOp) -> str:
    """A space between factors, or a dot where the second begins with a digit."""
    first: ast.expr = node.right
    while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Mult | ast.MatMult | ast.Pow):
        first = first.left
    digit = isinstance(first, ast.Constant)
    return "<mo>⋅</mo>" if digit else SPACE


def _power(node: ast.BinOp) -> Part:
    exponent = node.right
    if isinstance(exponent, ast.Constant) and exponent.value == 0.5:
        return f"<msqrt>{_part(node.left)[0]}</msqrt>", ATOM
    raised = _part(exponent)[0]
    base = node.left
    if isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and len(base.args) == 1:
        name = NAMES.get(base.func.id, base.func.id)
        if name in UPRIGHT:
            power = f"<msup><mi>{name}</mi><mrow>{raised}</mrow></msup>"
            return power + _fenced(_part(base.args[0])[0]), POWER
    return f"<msup>{_row(_within(base, ATOM))}<mrow>{raised}</mrow></msup>", POWER


def _row(shown: str) -> str:
    return f"<mrow>{shown}</mrow>"


def _unary(node: ast.UnaryOp) -> Part:
    sign = "−" if isinstance(node.op, ast.USub) else "¬"
    return f"<mo>{sign}</mo>{_within(node.operand, MULTIPLY)}", NEGATE if sign == "¬" else ADD


def _comparison(node: ast.Compare) -> Part:
    shown = _within(node.left, ADD)
    for operator, right in zip(node.ops, node.comparators, strict=True):
        sign = COMPARISONS.get(type(operator), "?")
        shown += f"<mo>{escape(sign)}</mo>{_within(right, ADD)}"
    return shown, COMPARE


def _attribute(node: ast.Attribute) -> Part:
    of = _within(node.value, ATOM)
    if node.attr in TRANSPOSED:
        return f"<msup>{_row(of)}<mi>{TRANSPOSED[node.attr]}</mi></msup>", POWER
    return f"<mi>{escape(node.attr)}</mi>{_fenced(_part(node.value)[0])}", ATOM


def _subscript(node: ast.Subscript) -> Part:
    index = node.slice
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    return _within(node.value, ATOM) + _fenced(_listed(items), "[", "]"), ATOM


def _slice(node: ast.Slice) -> Part:
    parts = [_part(part)[0] if part else "" for part in (node.lower, node.upper)]
    parts += [_part(node.step)[0]] if node.step else []
    return "<mo>:</mo>".join(parts), ATOM


def _listed(items: Sequence[ast.expr]) -> str:
    return '<mo separator="true">,</mo>'.join(_row(_part(item)[0]) for item in items)


def _tuple(node: ast.Tuple) -> Part:
    return _fenced(_listed(node.elts)), ATOM


def _list(node: ast.List) -> Part:
    return _fenced(_listed(node.elts), "[", "]"), ATOM


def _call(node: ast.Call) -> Part:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in CONSTANT and len(node.args) == 1 and isinstance(node.args[0], ast.Attribute):
        return f"<mn>{CONSTANT[name]}</mn>", ATOM  # of an operand's own shape
    plain = not node.keywords
    if plain and len(node.args) in (1, 2, 3) and name in _OWN:
        needed, write = _OWN[name]
        if len(node.args) == needed:
            return write(*node.args)
    if name in LARGE and node.args and not isinstance(node.args[0], ast.GeneratorExp):
        return _large(name, node)
    inside = _listed(node.args)
    for keyword in node.keywords:
        inside += '<mo separator="true">,</mo>' if inside else ""
        inside += f"<mtext>{escape(keyword.arg or '')}</mtext><mo>=</mo>{_part(keyword.value)[0]}"
    return _part(node.func)[0] + _fenced(inside), ATOM


def _large(name: str, node: ast.Call) -> Part:
    """A sum or a product, with the dimensions over which it is taken below its sign."""
    axes = [keyword.value for keyword in node.keywords if keyword.arg == "axis"] + node.args[1:]
    below = f"<mtext>dim</mtext>{SPACE}{_part(axes[0])[0]}" if axes else ""
    sign = f"<mo>{LARGE[name]}</mo>"
    sign = f"<munder>{sign}<mrow>{below}</mrow></munder>" if below else sign
    return sign + _within(node.args[0], POWER), MULTIPLY


def _either(condition: ast.expr, first: ast.expr, second: ast.expr) -> Part:
    rows = [
        (first, f"<mtext>where&#160;</mtext>{_part(condition)[0]}"),
        (second, "<mtext>elsewhere</mtext>"),
    ]
    shown = "".join(
        f"<mtr><mtd>{_part(value)[0]}</mtd><mtd>{when}</mtd></mtr>" for value, when in rows
    )
    return f'<mrow><mo>{{</mo><mtable class="cases">{shown}</mtable></mrow>', ATOM


def _fence_of(name: str) -> Callable[[ast.expr], Part]:
    left, right = FENCES[name][0], FENCES[name][1]
    return lambda node: (_fenced(_part(node)[0], left, right), ATOM)


def _exponential(node: ast.expr) -> Part:
    return f"<msup><mi>e</mi><mrow>{_part(node)[0]}</mrow></msup>", POWER


def _raised(exponent: str) -> Callable[[ast.expr], Part]:
    return lambda node: (f"<msup>{_row(_within(node, ATOM))}{exponent}</msup>", POWER)


def _between(sign: str) -> Callable[[ast.expr, ast.expr], Part]:
    return lambda left, right: (
        f"{_within(left, POWER)}<mo>{sign}</mo>{_within(right, POWER)}",
        MULTIPLY,
    )


def _logarithm(base: str) -> Callable[[ast.expr], Part]:
    return lambda node: (
        f"<msub><mi>log</mi><mn>{base}</mn></msub>{_fenced(_part(node)[0])}",
        ATOM,
    )


def _own(pattern: str, tight: int) -> Callable[[ast.expr], Part]:
    """A way to write a function of one argument, whose place is `{}`."""
    return lambda node: (pattern.format(_part(node)[0]), tight)


_OWN: Mapping[str, tuple[int, Callable[..., Part]]] = {
    **{name: (1, _fence_of(name)) for name in FENCES},
    "sqrt": (1, _own("<msqrt>{}</msqrt>", ATOM)),
    "exp": (1, _exponential),
    "expm1": (1, _own("<msup><mi>e</mi><mrow>{}</mrow></msup><mo>−</mo><mn>1</mn>", ADD)),
    "exp2": (1, _own("<msup><mn>2</mn><mrow>{}</mrow></msup>", POWER)),
    "log1p": (1, _own("<mi>ln</mi><mo>(</mo><mn>1</mn><mo>+</mo>{}<mo>)</mo>", ATOM)),
    "log2": (1, _logarithm("2")),
    "log10": (1, _logarithm("10")),
    "square": (1, _raised("<mn>2</mn>")),
    "inv": (1, _raised("<mrow><mo>−</mo><mn>1</mn></mrow>")),
    "conj": (1, _own("<mover><mrow>{}</mrow><mo>‾</mo></mover>", ATOM)),
    "real": (1, _own("<mi>Re</mi><mo>(</mo>{}<mo>)</mo>", ATOM)),
    "imag": (1, _own("<mi>Im</mi><mo>(</mo>{}<mo>)</mo>", ATOM)),
    "gammaln": (1, _own("<mi>ln</mi><mi>Γ</mi><mo>(</mo>{}<mo>)</mo>", ATOM)),
    "cross": (2, _between("×")),
    "kron": (2, _between("⊗")),
    "matmul": (2, _between("&#8290;")),
    "where": (3, _either),
}
_WRITERS: Sequence[tuple[type[ast.expr], Callable[..., Part]]] = (
    (ast.Name, _name),
    (ast.Constant, _constant),
    (ast.BinOp, _binary),
    (ast.UnaryOp, _unary),
    (ast.Compare, _comparison),
    (ast.Call, _call),
    (ast.Attribute, _attribute),
    (ast.Subscript, _subscript),
    (ast.Slice, _slice),
    (ast.Tuple, _tuple),
    (ast.List, _list),
)
