"""Random numbers: the same from the same seed or state, and distributed as promised."""

from __future__ import annotations

from typing import Any

import gradspec.reference_impl as torch
import pytest

DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64)


def drawn() -> list[Any]:
    """Something of every kind of draw."""
    w = torch.zeros(3, 2, dtype=torch.float64)
    out = [torch.rand(3), torch.randn(2, 2), torch.randint(10, (5,))]
    out += [torch.normal(torch.zeros(3), 1.0), torch.bernoulli(torch.full((5,), 0.5))]
    out += [w.uniform_(-1, 1).clone(), w.normal_(3, 2).clone(), w.t().random_(9).clone()]
    out += [torch.nn.functional.dropout(torch.ones(8), 0.5)]
    return [value.tolist() for value in out]


def test_a_seed_and_a_state_give_the_same_numbers_again() -> None:
    torch.manual_seed(-3)
    assert torch.initial_seed() == (1 << 64) - 3
    torch.randint(3, (1,))  # half of a word of 64 bits is left, and is part of the state
    first, state, second = drawn(), torch.get_rng_state(), drawn()
    assert first != second
    torch.set_rng_state(state)
    assert torch.initial_seed() == (1 << 64) - 3
    assert drawn() == second
    torch.manual_seed(-3)
    torch.randint(3, (1,))
    assert drawn() == first
    torch.manual_seed(0)
    torch.randint(3, (1,))
    state, numbers = torch.get_rng_state(), torch.randint(100, (9,)).tolist()
    torch.set_rng_state(state)
    assert torch.randint(100, (9,)).tolist() == numbers


def test_a_generator_of_ones_own_leaves_the_shared_one_alone() -> None:
    own = torch.Generator().manual_seed(5)
    torch.manual_seed(0)
    expected = drawn()
    torch.manual_seed(0)
    torch.rand(3, generator=own)
    torch.randint(3, (5,), generator=own)
    with torch.random.fork_rng():
        drawn()
    assert drawn() == expected
    other = torch.Generator()
    other.set_state(own.get_state())
    assert torch.rand(2, generator=other).tolist() == torch.rand(2, generator=own).tolist()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_distributions(dtype: Any) -> None:
    torch.manual_seed(1)
    part = 2 if dtype.is_complex else 1
    uniform = torch.rand(20000, dtype=dtype)
    assert uniform.dtype is dtype
    assert abs(uniform.to(torch.complex128).real.mean().item() - 0.5) < 0.02
    normal = torch.randn(20000, dtype=dtype).to(torch.complex128).real
    assert abs(normal.mean().item()) < 0.03
    assert abs(normal.var().item() - 1 / part) < 0.05
    if part == 1:
        assert uniform.max().item() < 1
        x = torch.empty(20000, dtype=dtype).uniform_(-1, 0.5)
        assert -1 <= x.min().item() < -0.9
        assert 0.4 < x.max().item() < 0.5


def test_invalid_arguments_are_rejected() -> None:
    with pytest.raises(RuntimeError, match="less than"):
        torch.randint(3, 3, (2,))
    with pytest.raises(RuntimeError, match="p_in"):
        torch.bernoulli(torch.tensor([1.5]))
    with pytest.raises(RuntimeError, match=">= 0"):
        torch.empty(2).normal_(0, -1)
    with pytest.raises(NotImplementedError):
        torch.rand(2, dtype=torch.int64)
    with pytest.raises(RuntimeError, match="wrong size: expected 48 bytes, got 3"):
        torch.set_rng_state(torch.zeros(3, dtype=torch.uint8))
    with pytest.raises(TypeError, match="generator must be"):
        torch.rand(2, generator=7)
