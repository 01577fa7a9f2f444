"""What the tests of the specification share."""

from __future__ import annotations

import pytest
from gradspec.spec.load import load_spec, own_vocabulary
from gradspec.spec.model import Spec


@pytest.fixture(scope="session")
def own_spec() -> Spec:
    """Our own specification."""
    return load_spec()


@pytest.fixture(autouse=True, scope="session")
def own_words() -> None:
    """Read gradspec's own vocabulary once, so that no test that is timed pays for it."""
    own_vocabulary()
