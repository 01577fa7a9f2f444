"""Print the lowest version that pyproject.toml allows of each dependency, as constraints for pip.

`python tests/quality/lowest.py` gives those of the package itself; names of extras after it add
theirs. What has no lower bound gets no line.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOUND = re.compile(r"([\w-]+)>=([\w.]+)")


def lowest(*extras: str) -> list[str]:
    """`name==version` for each dependency of the package and of these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    bounds = [BOUND.fullmatch(requirement) for requirement in wanted]
    return [f"{bound[1]}=={bound[2]}" for bound in bounds if bound]


if __name__ == "__main__":
    print("\n".join(lowest(*sys.argv[1:])))
