"""Random programs of the tape do on the reference what they do on PyTorch, statement by statement."""

from __future__ import annotations

import pytest

from .random_programs import accepted, difference, program, smallest

pytest.importorskip("torch")

SEEDS = range(400)
GROUP = 25
LENGTH = 16


@pytest.mark.parametrize("first", range(0, len(SEEDS), GROUP))
def test_as_pytorch(first: int) -> None:
    for seed in SEEDS[first : first + GROUP]:
        lines = program(seed, LENGTH)
        found = difference(lines)
        if found is not None and not accepted(lines, found):
            few, found = smallest(lines, found)
            pytest.fail("\n".join([f"seed {seed}:", *few, f"=> {found.told}"]))


def test_a_seed_names_one_program() -> None:
    assert program(7, 12) == program(7, 12)
    assert program(7, 12) != program(8, 12)
