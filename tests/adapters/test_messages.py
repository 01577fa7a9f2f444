"""The word `messages`: the texts of the warnings and of the error of a block, which pass on."""

from __future__ import annotations

import warnings

import pytest
from gradspec.adapters.framework.host_words import messages


def fail() -> None:
    """Warn twice, and raise an error."""
    for _ in range(2):
        warnings.warn("beware", UserWarning, stacklevel=1)
    raise ValueError("no")


def test_what_passes_through_is_told_and_passes_on() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match="no"), messages() as outer, messages() as told:
            fail()
    assert told == outer == ["beware", "beware", "no"]
    assert [str(item.message) for item in caught] == ["beware", "beware"]


def test_nothing_is_told_of_a_quiet_block() -> None:
    with messages() as told:
        assert told == []
    assert told == []
