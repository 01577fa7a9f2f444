"""The whole bank: importing the faults of each area fills it."""

from __future__ import annotations

from pathlib import Path

import yaml

from . import (  # noqa: F401
    arguments,
    arguments_of_passes,
    calls,
    calls_by_index,
    copies,
    custom_functions,
    dtypes,
    edge_cases,
    edge_cases_of_values,
    extension,
    grad_function,
    hooks,
    hooks_combinations,
    hooks_of_nodes,
    hooks_over_time,
    in_place,
    in_place_twins,
    introspection,
    leaves,
    leaves_over_time,
    lifetimes,
    modes,
    modules,
    operations,
    passes,
    passes_state,
    saved_hooks,
    scaled_gradients,
    second_order,
    second_order_of_operations,
    storage,
    storage_combinations,
    tape_combinations,
)
from .framework import BANK, Fault

FAULTS: list[Fault] = list(BANK.values())

_expected = yaml.safe_load(Path(__file__).with_name("noticed_by.yaml").read_text("utf-8"))

NOTICED_BY: dict[str, list[str]] = {**_expected["must"], **_expected["apart"]}
"""For each fault the behaviors that are expected to notice it."""

APART = frozenset(_expected["apart"])
"""Faults that break only what PyTorch does undocumented: they are noticed, and scored separately."""
