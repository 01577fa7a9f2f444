"""What the tests of the specification share."""

from __future__ import annotations

import pytest
from gradspec.spec.load import read_spec
from gradspec.spec.model import Spec


@pytest.fixture(scope="session")
def own_spec() -> Spec:
    """Our own specification, read from its files once."""
    return read_spec()
