"""What an error says is not offered: an operation, or the gradient of one.

An operation that an engine lacks is unsupported, which is not a failure. Neither is a gradient that it
lacks, but these are counted apart: a user finds out only in the backward pass, and the author of
a device backend wants to see each of them.
"""

from __future__ import annotations

import re

from .engine import MISSING_GRADIENT, MissingGradient, Unsupported

UNSUPPORTED = "unsupported"
NOT_OFFERED = frozenset({UNSUPPORTED, MISSING_GRADIENT})
"""Kinds that an adapter's `patterns` may give to an error that only says what the engine lacks."""

_NAMED = (
    (re.compile(r"Could not run '(\S+)' with arguments from the '(\S+)' backend"), "{} on {}"),
    (
        re.compile(r"operator '(\S+)' is not (?:currently )?implemented for the (\S+) device"),
        "{} on {}",
    ),
    (re.compile(r"[Tt]he derivative for '([^']+)' is not implemented"), "the derivative of {}"),
    (
        re.compile(r"Trying to use forward AD with (\S+) that does not support it"),
        "forward mode of {}",
    ),
)
"""What names the operation in an error message, and how it is shown."""
_SAYS_SO = re.compile(
    r"\bno (grad|gradient|backward)[ _-](op|operator|function|kernel|rule)\b|"
    r"\b(kernel|grad op|gradient|derivative)\b.{0,100}\bnot (been )?(registered|implemented)\b|"
    r"\bnot implemented for\b|\bunsupported (dtype|element type)\b|\bis not in the list of allowed values\b|"
    r"\bcould not find (a )?kernel\b|"
    r"\bmust (have type|promote to) \w+ or \w+|\bdoes not yet support given type\b|"
    r"\bwas expected to be an? \w+ tensor but is an? \w+ tensor\b|must have the same dtype, got tf\.|"
    r"\bCannot convert \S+ to EagerTensor of dtype\b|"
    r"\bdoes not have \S+ op registered\b|\bmust be .{0,200}\bbut got \S*(float16|complex\d*)\b|"
    r"\b(must|should) be .{0,40}\b(ints?|float|double|scalar)\b.{0,20}"
    r"\bbut (got|received):? <class '\S*Tensor'>|\bCould not parse args and kwargs\b",
    re.IGNORECASE | re.DOTALL,
)
_OF_GRADIENT = re.compile(r"(?<![a-z])(backward|grad|vjp|derivative|adjoint)", re.IGNORECASE)
_OF_ANOTHER_MODE = re.compile(r"forward[ -]?(AD|mode)|jvp|vmap|batching", re.IGNORECASE)
_PASSES = frozenset({"backward", "grad", "vjp", "run_backward", "_engine_run_backward"})
"""Functions of engines in which a backward pass runs."""
SHOWN = 200


def not_offered(error: BaseException, text: str, program: str) -> Unsupported | None:
    """What the engine lacks, if the error says so; `program` is the name of the program's module."""
    if not isinstance(error, NotImplementedError) and not _SAYS_SO.search(text):
        return None
    what = kernel_in(text) or text[:SHOWN] or type(error).__name__
    return of_gradient(error, what, program)


def kernel_in(text: str) -> str:
    """The operation that a message names; or the empty string."""
    for named, shown in _NAMED:
        if found := named.search(text):
            return shown.format(*found.groups())
    return ""


def of_gradient(error: BaseException, what: str, program: str) -> Unsupported:
    """The same as a missing gradient, if it names one or came up in a backward pass."""
    if _OF_ANOTHER_MODE.search(what):
        return Unsupported(what)
    gradient = _OF_GRADIENT.search(what) or in_backward_pass(error, program)
    return MissingGradient(what) if gradient else Unsupported(what)


def in_backward_pass(error: BaseException, program: str) -> bool:
    """Whether the engine raised the error in a backward pass, and not in a function of the program."""
    found = False
    traceback = error.__traceback__
    while traceback is not None:
        module = str(traceback.tb_frame.f_globals.get("__name__", ""))
        if module == program:
            found = False
        elif not module.startswith("gradspec.adapters"):
            found = found or traceback.tb_frame.f_code.co_name in _PASSES
        traceback = traceback.tb_next
    return found
