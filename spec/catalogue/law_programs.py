"""Writes the program of a law for one form of an operation.

Words in capitals stand for parts of the form (`WORDS`). A loop `for OPERAND in SET:` is written out
once for each operand of the set, with OPERAND and what belongs to it replaced.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping

import numpy as np

from ..program.syntax import MAX_TEXT
from .formulas import evaluate
from .law_operands import Laid, NoDerivative, NoSuchLayout, NotApplicable, laid_out, values_of
from .law_replaced import REPLACED, has_number, is_operator, with_integers_only
from .law_words import OF_LOOP, OF_ONE, SETS, WORDS
from .laws import INTEGERS, Law
from .operations import Form, Operand, Operation
from .worked import Worked

_WORD = re.compile(r"\b[A-Z][A-Z_]+\b")
_OF_TENSORS = re.compile(r"torch\.(linalg\.|special\.)?\w+$")
"""Functions that are documented to take `out=`, unless an exemption says otherwise."""

_MAKES = re.compile(r"\b(tensor|zeros|ones|full|arange|eye|rand\w*)\(")
"""Calls that make tensors of their own, on the default device."""

_LOOP = re.compile(
    r"for (OPERAND|COUNT|LAYOUT|DTYPE|SHAPE|NUMBER|TRUTH|WIDE|WIDER|INTEGER|STRETCHED|UNKNOWN|COMPLEX|ALONG)"
    r" in ([A-Z]+):"
)


def law_program(law: Law, operation: Operation, worked: Worked) -> str | None:
    """The program of a law for a form at its samples; None if the law says nothing about it.

    Raises what NumPy raises where a formula cannot be evaluated.
    """
    form = worked.form
    try:
        if not form.call or worked.out.size == 0 or _is_empty(form):
            return None
        if law.operations and not {operation.id, operation.chapter} & {*law.operations}:
            return None
        if not _meets(law, operation, worked):
            return None
        laid = laid_out(law, operation, worked)
        if law.operands == INTEGERS:
            laid = with_integers_only(laid)
        text = _written(law.program, laid)
    except NotApplicable:
        return None
    says_something = re.search(r"\bassert\b|\braises\(", text)
    return text if says_something and len(text) <= MAX_TEXT else None


def _is_empty(form: Form) -> bool:
    """Whether there is nothing to compute with; the operation's own cases have such operands."""
    return any(operand.values.size == 0 for operand in form.operands.values())


def _meets(law: Law, operation: Operation, worked: Worked) -> bool:
    form = worked.form
    shapes = {np.shape(operand.values) for operand in form.operands.values()}
    derived = [form.operands[name] for name in form.gradient]
    domains = {
        (np.shape(operand.values), np.iscomplexobj(operand.values), _domain(operand))
        for operand in derived
    }
    alike = len(domains) == 1 and all(operand.sampled for operand in derived)
    conditions: dict[str, Callable[[], bool]] = {
        "elementwise": lambda: operation.elementwise and len(shapes) == 1,
        "not a view": lambda: not form.view,
        "a copy": lambda: form.view is False,
        "slices": lambda: not (operation.elementwise and len(shapes) == 1),
        "saves something": lambda: bool(form.saves),
        "saves the result": lambda: "out" in (form.saves or ()),
        "same operands": lambda: len(form.gradient) > 1 and alike,
        "number": lambda: operation.elementwise and (is_operator(form) or has_number(form)),
        "takes out": lambda: (
            not any(form.view for form in operation.forms)
            and bool(_OF_TENSORS.match(operation.documented))
        ),
        "makes nothing": lambda: not _MAKES.search(form.call),
        "float result": lambda: evaluate(form.value, values_of(form)).dtype.kind == "f",
    }
    return all(conditions[name]() for name in law.only)


def _domain(operand: Operand) -> tuple[float, float]:
    """Between which numbers an operand must lie. From -3 to 3 is only a range to draw from."""
    symmetric = operand.low == -operand.high
    return (-np.inf, np.inf) if symmetric else (operand.low, operand.high)


def unknown_words(program: str) -> Iterator[tuple[str, str, Collection[str]]]:
    """The words in capitals that stand for nothing, and the loops over no set: what to say of each,
    the word, and those that there are."""
    loops = [found for line in program.splitlines() if (found := _LOOP.fullmatch(line.strip()))]
    for loop in loops:
        if loop.group(2) not in SETS:
            yield f"the loop goes over {loop.group(2)!r}, which is no set", loop.group(2), SETS
    in_loops = (word for words in OF_LOOP.values() for word in words)
    known = {*WORDS, *OF_ONE, *in_loops, *SETS, *(loop.group(1) for loop in loops)}
    for word in dict.fromkeys(_WORD.findall(program)):
        if word not in known and all(loop.group(2) != word for loop in loops):
            yield f"the word {word!r} stands for nothing", word, known


def _written(program: str, laid: Laid) -> str:
    lines = [line for line in program.splitlines() if line.strip()]
    return "\n".join(_lines(lines, laid, {})) + "\n"


def _lines(lines: list[str], laid: Laid, bound: Mapping[str, str]) -> list[str]:
    out: list[str] = []
    at = 0
    while at < len(lines):
        loop = _LOOP.fullmatch(lines[at].strip())
        end = at + 1
        if loop:
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            body = [line[4:] for line in lines[at + 1 : end]]
            for item in SETS[loop.group(2)](laid):
                with contextlib.suppress(NoSuchLayout):
                    replaced = REPLACED.get(loop.group(1), _as_it_is)(laid, item)
                    out += _lines(body, replaced, {**bound, loop.group(1): item})
        else:
            with contextlib.suppress(NoDerivative):
                out += _replaced(lines[at], laid, bound).splitlines()
        at = end
    return out


def _as_it_is(laid: Laid, _: str) -> Laid:
    return laid


def _replaced(line: str, laid: Laid, bound: Mapping[str, str]) -> str:
    indent = line[: len(line) - len(line.lstrip())]

    def stand_in(match: re.Match[str]) -> str:
        word = match.group()
        for of, words in OF_LOOP.items():
            if of in bound and word in words:
                return words[word](laid, bound[of]).replace("\n", "\n" + indent)
        if "OPERAND" in bound and word in OF_ONE:
            return OF_ONE[word](laid, bound["OPERAND"]).replace("COUNT", bound.get("COUNT", ""))
        if word in WORDS:
            text = WORDS[word](laid).replace("\n", "\n" + indent)
            return text.replace("COUNT", bound.get("COUNT", ""))
        return bound.get(word, word)

    return _WORD.sub(stand_in, line)
