"""Programs and sentences as HTML."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup, escape

KEYWORDS = (
    "and", "as", "assert", "class", "def", "del", "else", "for", "if", "in", "is", "lambda", "not",
    "or", "raise", "return", "with", "yield",
)  # fmt: skip


CONSTANTS = ("None", "True", "False")


@lru_cache(maxsize=1)
def lexer() -> Any:
    """A lexer of the program language, which is a small part of Python: the lexer of all of Python takes
    ten times as long. What has no color (names, brackets) is plain text, for which pages need no element.
    Pages, the terminal and (by the same lists of words) the report's script use it."""
    from pygments import token
    from pygments.lexer import RegexLexer, words

    class ProgramLexer(RegexLexer):  # type: ignore[misc]
        name = "gradspec"
        tokens = {  # noqa: RUF012
            "root": [
                (r"\s+", token.Text),
                (words(KEYWORDS, suffix=r"\b"), token.Keyword),
                (words(CONSTANTS, suffix=r"\b"), token.Keyword.Constant),
                (r"(?<=def )[A-Za-z_]\w*|(?<=class )[A-Za-z_]\w*", token.Name.Function),
                (r"[A-Za-z_]\w*", token.Text),
                (r"\d+\.?\d*(e-?\d+)?j?", token.Number.Float),
                (r'"[^"\n]*"|\'[^\'\n]*\'', token.String.Double),
                (r"#.*", token.Comment.Single),
                (r"@[\w.]+", token.Name.Function),
                (r"[-+*/%@&|^~<>=!]+", token.Operator),
                (r".", token.Text),
            ]
        }

    return ProgramLexer(stripnl=False)


@cache
def code(text: str) -> Markup:
    """A program as HTML."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    html = highlight(text.rstrip("\n"), lexer(), HtmlFormatter(nowrap=True))
    return Markup(str(html).rstrip("\n"))


def prose(text: object) -> Markup:
    """Plain text as HTML, with backquoted text as code."""
    parts = str(text).split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )


def breakable(name: str) -> Markup:
    """A name that may be broken, if it does not fit, before a capital letter or a dot and after a colon
    or a plus sign."""
    return Markup(re.sub(r"(?<=[a-z])(?=[A-Z.])|(?<=[:+])", "<wbr>", str(escape(name))))
