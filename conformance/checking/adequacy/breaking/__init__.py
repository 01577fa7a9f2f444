"""How an engine is broken in one place: in public names, so that a fault breaks PyTorch and the
reference alike."""

from .asking import asked, listed, seeded
from .engine import engine_name, for_each_engine, inside, torch, untouched, use
from .notes import Marked, Notes
from .operations import (
    Call,
    Change,
    around,
    cut,
    each,
    instead,
    miscompute,
    mistaken,
    node_of,
    nth,
    places,
    tensors_in,
)
from .passes import around_pass, edge_of, leaves_below, nodes_below, retaining
from .patch import BANK, Fault, Patch, broken, can_be_mended, fault, register, replaces
from .within_passes import Arrived, accumulated, contributions, freeing, operations_below, watching

__all__ = [
    "BANK",
    "Arrived",
    "Call",
    "Change",
    "Fault",
    "Marked",
    "Notes",
    "Patch",
    "accumulated",
    "around",
    "around_pass",
    "asked",
    "broken",
    "can_be_mended",
    "contributions",
    "cut",
    "each",
    "edge_of",
    "engine_name",
    "fault",
    "for_each_engine",
    "freeing",
    "inside",
    "instead",
    "leaves_below",
    "listed",
    "miscompute",
    "mistaken",
    "node_of",
    "nodes_below",
    "nth",
    "operations_below",
    "places",
    "register",
    "replaces",
    "retaining",
    "seeded",
    "tensors_in",
    "torch",
    "untouched",
    "use",
    "watching",
]  # fmt: skip
