"""What the tests of the specification share."""

from __future__ import annotations

import pytest
from gradspec.spec.load import load_spec
from gradspec.spec.model import Spec


@pytest.fixture(scope="session")
def own_spec() -> Spec:
    """Our own specification."""
    return load_spec()
