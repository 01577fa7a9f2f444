"""Whatever two options of an operation some forms give, there is a form that gives both."""

from __future__ import annotations

import ast
import inspect
import itertools
from functools import reduce
from typing import Any

import gradspec.reference_impl as torch
from gradspec.spec.catalogue.operations import catalogue

EXCEPT = {
    "correction+unbiased", "attn_mask+is_causal", "dx+x", "scale_factor+size", "recompute_scale_factor+size",
    "ord+p",  # of norm and of linalg.norm
    "full_matrices+some", "compute_uv+full_matrices",  # of linalg.svd and of svd
    "atol+rcond", "hermitian+rcond", "rcond+rtol",  # of linalg.pinv and of pinverse
    "center+pad_mode",  # without padding, its mode means nothing
    "align_corners+antialias",  # PyTorch does not say where the elements then lie
}  # fmt: skip
"""Pairs that exclude each other, that say the same thing twice, or about which nothing is documented."""


def options_of(call: str) -> set[str]:
    """The options of an operation that a call gives, other than by their default."""
    for node in ast.walk(ast.parse(call)):
        if not isinstance(node, ast.Call):
            continue
        try:
            function: Any = reduce(getattr, ast.unparse(node.func).split("."), torch)
            signature = inspect.signature(function)
            named = {each.arg: each.value for each in node.keywords if each.arg}
            given = signature.bind(*node.args, **named).arguments
        except (AttributeError, TypeError, ValueError):  # a method, or a function of the case
            return set()
        defaults = {name: parameter.default for name, parameter in signature.parameters.items()}
        return {
            name
            for name, value in given.items()
            if isinstance(value, ast.expr)
            and defaults[name] is not inspect.Parameter.empty
            and ast.unparse(value) != repr(defaults[name])
        }
    return set()


def pairs(options: set[str]) -> set[str]:
    return {"+".join(pair) for pair in itertools.combinations(sorted(options), 2)}


def test_options_are_told_from_operands_and_defaults() -> None:
    assert options_of("std(x, 1, correction=0, keepdim=False)") == {"dim", "correction"}
    assert options_of("nn.functional.conv1d(x, w, b, 1, padding=2)") == {"bias", "padding"}
    assert options_of("x.T") == set()


def test_every_pair_of_options_is_given_together() -> None:
    missing = {}
    for operation in catalogue():
        given = [options_of(form.call) for form in operation.forms]
        together: set[str] = set().union(*map(pairs, given))
        if left := pairs(set().union(*given)) - together - EXCEPT:
            missing[operation.id] = left
    assert not missing, "add a form that gives both options, or say in EXCEPT why none can"
