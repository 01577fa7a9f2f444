"""Run mypy --strict over our packages.

The packages stand in top-level folders and are imported as `gradspec.*`, a mapping that mypy does
not know. So it is shown a folder `gradspec` of links to them, beside its cache, which it uses only for
files that stand where they stood.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("spec", "reference_impl", "conformance", "adapters")


def main() -> int:
    cache = ROOT / ".mypy_cache"
    package = cache / "linked" / "gradspec"
    package.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"),
               "--cache-dir", str(cache)]  # fmt: skip
    for name in PACKAGES:
        with contextlib.suppress(FileExistsError):
            (package / name).symlink_to(ROOT / name, target_is_directory=True)
        command += ["-p", f"gradspec.{name}"]
    found = subprocess.run(command, cwd=package.parent, capture_output=True, text=True, check=False)
    print(found.stdout.replace("gradspec/", ""), found.stderr, sep="", end="")
    return found.returncode


if __name__ == "__main__":
    sys.exit(main())
