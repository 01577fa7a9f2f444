"""A program that collects garbage looks at its own objects only, and so does every later collection."""

from __future__ import annotations

import gc

from gradspec.adapters.reference_engine import ReferenceEngine
from gradspec.spec.load import load_spec


def test_what_was_set_aside_stays_so() -> None:
    case = next(case for case in load_spec().cases if "collect" in case.program.words)
    engine = ReferenceEngine()
    gc.collect()
    gc.freeze()
    before = gc.get_freeze_count()
    try:
        assert engine.run(case.program, 60.0).end.how == "finished"
        assert gc.get_freeze_count() > before / 2
    finally:
        gc.unfreeze()
