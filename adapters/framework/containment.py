"""Calls into an engine under a time limit, undoing what they change in this process."""

from __future__ import annotations

import gc
from collections.abc import Callable

from .classify import message_of, type_name
from .engine import CaseTimeout, End, TooMuchReported
from .surroundings import Surroundings, Terminated
from .time_limit import TimeLimit


def set_aside() -> None:
    """See to it that a program which collects garbage goes through its own objects only: going through
    all that was there before would take longer than the program.

    What is set aside stays so, because it is the interpreter, the engine and the specification for
    the most part, which would only slow down every later collection. Garbage is collected first.
    """
    gc.collect()
    gc.freeze()


def contained(action: Callable[[], End], timeout: float | None) -> End:
    """Call into the engine under a time limit. Returns how it ended, also if it tried to end the
    process; its changes to this process are undone."""
    limit = TimeLimit(timeout)
    surroundings = Surroundings()
    try:
        with limit:
            return action()
    except CaseTimeout:
        limit.off()
        return End("timeout", message=f"did not finish in {timeout:g} s")
    except KeyboardInterrupt as error:
        if surroundings.interrupted or isinstance(error, Terminated):
            raise
        return End("crash", "exit", "KeyboardInterrupt", "the engine raised KeyboardInterrupt")
    except TooMuchReported as error:
        return End("crash", "protocol", message=str(error))
    except BaseException as error:  # the engine tried to end the process
        return End("crash", "exit", type_name(error), f"the engine raised {named(error)}")
    finally:
        surroundings.restore()


def named(error: BaseException) -> str:
    """An exception as text, as far as it can be read."""
    text = message_of(error)
    return f"{type_name(error)}({text[:500]})"
