"""One process of `gradspec run -j N`: opens the engine, then runs and judges the cases it is given.

    python -m gradspec.conformance.running.worker

Reads JSON lines: first how to open the engine, `{"options": ..., "spec": PATH, "known": PATH}`, then
`{"case": ID}` for each case. Answers each with a line: `{"ready": true}` or `{"error": WHY}`, then a
verdict as in a journal. What the engine prints goes to standard error.
"""

from __future__ import annotations

import gc
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.framework.host import take_over_output
from gradspec.spec.problems import SpecError

from .journal import line_of
from .runner import Options, open_session


def main() -> int:
    requests = sys.stdin.buffer
    answers: Any = take_over_output()
    order = json.loads(requests.readline() or b"{}")
    if not order:
        return 0
    spec, known = (order[name] and Path(order[name]) for name in ("spec", "known"))
    try:
        session = open_session(Options(**order["options"]), spec, known)
    except (EngineUnavailable, SpecError, ValueError, OSError) as error:
        answers.write(line_of({"error": str(error)}))
        return 1
    cases = {case.id: case for case in session.cases()}
    with closing(session):
        gc.collect()
        gc.freeze()  # as in a run of one process: a case that collects garbage looks at its own
        answers.write(line_of({"ready": True}))
        while line := requests.readline():
            verdict = session.run_case(cases[json.loads(line)["case"]])
            answers.write(line_of(verdict.to_json()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
