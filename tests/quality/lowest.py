"""Print the lowest version that pyproject.toml allows of each dependency, as constraints for pip.

`python tests/quality/lowest.py` gives those of building the package and of the package itself; names
of extras after it add theirs.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOUND = re.compile(r"([\w-]+)>=([\w.]+)")


def lowest(*extras: str) -> list[str]:
    """`name==version` for each of these dependencies. One without a lower bound is an error."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = settings["project"]
    wanted = settings["build-system"]["requires"] + project["dependencies"]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    constraints = []
    for requirement in wanted:
        bound = BOUND.fullmatch(requirement)
        if bound is None:
            raise ValueError(f"pyproject.toml: expected 'name>=version', found {requirement!r}")
        constraints.append(f"{bound[1]}=={bound[2]}")
    return constraints


if __name__ == "__main__":
    print("\n".join(lowest(*sys.argv[1:])))
