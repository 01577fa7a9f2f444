"""Run mypy --strict over our packages.

The packages stand in top-level folders and are imported as `gradspec.*`, a mapping that mypy does
not know. So it is shown a folder `gradspec` of links to them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("spec", "reference_impl", "conformance", "adapters")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "gradspec"
        package.mkdir()
        for name in PACKAGES:
            (package / name).symlink_to(ROOT / name, target_is_directory=True)
        command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"),
                   "--cache-dir", str(ROOT / ".mypy_cache")]  # fmt: skip
        for name in PACKAGES:
            command += ["-p", f"gradspec.{name}"]
        found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        print(found.stdout.replace("gradspec/", ""), found.stderr, sep="", end="")
        return found.returncode


if __name__ == "__main__":
    sys.exit(main())
