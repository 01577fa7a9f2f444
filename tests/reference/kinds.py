"""Whether an error of the reference carries its kind."""

from __future__ import annotations

from pathlib import Path

import gradspec.reference_impl as reference

ENGINE = str(Path(reference.__file__).parent)


def lacks_kind(error: Exception) -> bool:
    """Whether the engine raised an error without saying of what kind it is.

    What Python raises where the caller itself calls or assigns is not the engine's, nor is an
    attribute that is missing. NotImplementedError without a kind says that the reference lacks
    something.
    """
    if isinstance(error, (AttributeError, NotImplementedError, StopIteration)):
        return False
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or not traceback.tb_frame.f_code.co_filename.startswith(ENGINE):
        return False
    return not isinstance(getattr(error, "kind", None), str)
