"""What the tests of the commands and of the report share."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_kit import LIARS, hold


@pytest.fixture(scope="session")
def runs(tiny_spec: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with journals of the honest engine and of two others."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(LIARS)
        hold("module:honest", tiny_spec, folder / "honest.jsonl")
        hold("module:liar:raises_markup", tiny_spec, folder / "markup.jsonl")
        hold("module:liar:lies_about_the_dtype", tiny_spec, folder / "dtype.jsonl")
    return folder
