"""One case as a script of its own, as one would write it into a bug report: the engine's import, the
program, and plain asserts. It stops at the first one that does not hold."""

from .script import HOLDS, script_of

__all__ = ["HOLDS", "script_of"]
