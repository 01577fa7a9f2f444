"""Tries every fault against the whole suite: `cd tests/conformance && python -m faulty_torch`.

Each runs in a forked process of its own. Prints a line for each fault, then those that no MUST
noticed, those that one case alone noticed, and those that fail more than three cases in ten.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import partial
from pathlib import Path

from gradspec.spec.model import Case

from .bank import FAULTS
from .framework import Fault
from .trial import SPEC, focused, ordered, try_fault
from .trial_in_process import in_a_process

HEALTHY = Fault("healthy", "Nothing is wrong.", lambda patch: None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", help="only faults whose name is one of these (patterns)"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--focus", action="store_true", help="only cases that use the fault's words"
    )
    parser.add_argument("--to", type=Path, help="write the results there, one JSON object a line")
    parser.add_argument(
        "--enough", type=int, default=0, metavar="N", help="stop a fault at N cases"
    )
    options = parser.parse_args()
    faults = [
        fault for fault in FAULTS
        if not options.names or any(fnmatch(fault.name, name) for name in options.names)
    ]  # fmt: skip
    healthy = try_fault(HEALTHY, SPEC.cases)  # compiles every program, before the processes fork
    ill = frozenset(healthy.must + healthy.apart)
    if ill:
        print(
            f"{len(ill)} cases fail on PyTorch as it is and are left out: {', '.join(sorted(ill)[:5])}"
        )

    def cases(fault: Fault) -> list[Case]:
        wanted = focused(fault) if options.focus else ordered(fault)
        return [case for case in wanted if case.id not in ill]

    with ThreadPoolExecutor(options.jobs) as pool:
        results = []
        trial = partial(in_a_process, cases=cases, enough=options.enough)
        for fault, told in zip(faults, pool.map(trial, faults), strict=True):
            results.append(told)
            behaviors = list(dict.fromkeys(case.split("/")[0] for case in told.get("must", ())))
            shown = told.get("broken") or (
                f"{len(told['must'])} MUST cases of {len(behaviors)} behaviors, "
                f"{len(told['apart'])} apart: {', '.join(behaviors[:4])}"
            )
            print(f"{fault.name}: {shown}", flush=True)
            if options.to:
                with options.to.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(told) + "\n")
    unnoticed = [told["fault"] for told in results if not told.get("must")]
    once = [told["fault"] for told in results if len(told.get("must", ())) == 1]
    wide = [
        told["fault"] for told in results if len(told.get("must", ())) > 0.3 * told.get("tried", 1)
    ]
    for title, names in (("unnoticed", unnoticed), ("noticed once", once), ("wide", wide)):
        print(f"\n{title} ({len(names)}): {', '.join(names)}")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
