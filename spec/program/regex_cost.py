"""Bounds the search time of a regular expression before it is used.

Python's matcher tries every way in which a pattern can match, so that a short pattern such as
`(a+)+$` takes for ever on a short text. The patterns of errors.yaml are searched for in messages
that an attacker may have written, so only forms whose cost can be bounded are allowed:
repetitions of single characters, and a product of choices that stays small.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Sequence
from typing import Any

MAX_PATTERN = 300
MAX_COST = 8e8
"""Roughly the steps of the matcher, which takes a few hundred million in a second."""
TEXT = 1000
"""How much of a message is searched."""
_FEW = 8
"""As often a group may be repeated."""

_parser: Any = importlib.import_module("re._parser")  # what re.compile itself reads a pattern with
_Nodes = Sequence[tuple[Any, Any]]


class _Unbounded(Exception):
    """The pattern has a part whose cost cannot be bounded; the message names it."""


def regex_fault(pattern: str) -> str:
    """What keeps a pattern from being used, or the empty string."""
    if len(pattern) > MAX_PATTERN:
        return f"is not a regular expression of at most {MAX_PATTERN} characters: it has {len(pattern)}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # patterns that Python finds ambiguous are rejected too
            re.compile(pattern)
        cost = regex_cost(pattern)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        return f"is not a regular expression: {error}"
    except _Unbounded as error:
        return f"may take too long: it has {error}"
    if cost > MAX_COST:
        return "may take too long: it can match in too many ways; use fewer `.*`, groups and `?`"
    return ""


def regex_cost(pattern: str) -> float:
    """The cost of a search, in the unit of `MAX_COST`, for a pattern without a fault."""
    return _cost(list(_parser.parse(pattern)))


def _cost(nodes: _Nodes) -> float:
    """An upper bound of the steps that a search in a text of `TEXT` characters takes."""
    pieces, ways = [0], _ways(nodes)
    stars = _stars(nodes, pieces)
    starts = [TEXT / max(1, piece) for piece in pieces]
    cost: float = TEXT * float(ways) ** 1.5  # a choice costs more than a step
    for index in range(stars):
        cost *= starts[min(index, len(starts) - 1)]
    return cost


def _stars(nodes: _Nodes, pieces: list[int]) -> int:
    """How many unbounded repetitions one way through a pattern has. `pieces` becomes, for each piece
    of the pattern between those at its top, how far apart the piece's matches must be."""
    count, literal = 0, ""
    for kind, content in nodes:
        name = str(kind)
        if name == "LITERAL":
            literal += chr(content).lower()
            pieces[-1] = max(pieces[-1], _period(literal))
            continue
        literal = ""
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and _is_unbounded(content):
            count += 1
            pieces.append(0)
        else:
            branches = _branches(name, content)
            inner = [[0] for _ in branches]
            found = [_stars(*pair) for pair in zip(branches, inner, strict=True)]
            count += max(found, default=0)
            if any(found):
                pieces[-1] = 0  # a piece begins inside, at an unknown place
                pieces += [0] * max(found)
            elif branches and name != "MAX_REPEAT":
                pieces[-1] = max(pieces[-1], min(piece[0] for piece in inner))
    return count


def _period(text: str) -> int:
    """How far apart two matches of a text must at least begin."""
    return next(step for step in range(1, len(text) + 1) if text.startswith(text[step:]))


def _ways(nodes: _Nodes) -> int:
    """In how many ways a pattern can match at one place, but for its unbounded repetitions."""
    ways = 1
    for kind, content in nodes:
        ways *= _ways_of(str(kind), content)
        if ways > MAX_COST:
            break
    return ways


def _ways_of(name: str, content: Any) -> int:
    if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN", "AT"):
        return 1
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, body = content
        if _is_unbounded(content):
            if len(body) == 1 and str(body[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
                return 1
            raise _Unbounded("a group that repeats without end; repeat a single character")
        if int(most) > _FEW:
            raise _Unbounded(f"a part that repeats more than {_FEW} times")
        if _stars(list(body), [0]) and int(most) > 1:
            raise _Unbounded("a repetition within a repetition")
        inner = _ways(list(body))
        return sum(inner**times for times in range(int(least), int(most) + 1))
    branches = _branches(name, content)
    if not branches:
        raise _Unbounded(f"{name.lower().replace('_', ' ')}, which is not allowed here")
    return sum(_ways(branch) for branch in branches)


def _is_unbounded(content: Any) -> bool:
    return int(content[1]) > TEXT


def _branches(name: str, content: Any) -> list[_Nodes]:
    """The parts of which a node takes one."""
    if name == "BRANCH":
        return [list(branch) for branch in content[1]]
    if name == "SUBPATTERN":
        return [list(content[-1])]
    if name == "ATOMIC_GROUP":
        return [list(content)]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [list(content[2])]
    return []
