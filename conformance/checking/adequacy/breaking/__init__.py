"""How an engine is broken in one place: in public names, so that a fault breaks PyTorch and the
reference alike."""

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
from .patch import BANK, Fault, Patch, broken, can_be_mended, fault, register

__all__ = [
    "BANK", "Call", "Change", "Fault", "Marked", "Notes", "Patch", "around",
    "around_pass", "broken", "can_be_mended", "cut", "each", "edge_of", "engine_name",
    "fault", "for_each_engine", "inside", "instead", "leaves_below", "miscompute",
    "mistaken", "node_of", "nodes_below", "nth", "places", "register", "retaining",
    "tensors_in", "torch", "untouched", "use",
]  # fmt: skip
