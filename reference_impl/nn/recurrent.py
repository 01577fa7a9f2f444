"""Recurrent layers and their cells, made of linear maps step by step."""

from __future__ import annotations

import math
from typing import Any

from .. import errors
from ..ops import FUNCTIONS
from ..tensor import Tensor
from . import functional as F
from .init import uniform_
from .layers import empty
from .module import Module, Parameter

__all__ = ["GRU", "LSTM", "RNN", "GRUCell", "LSTMCell", "RNNCell"]

stack: Any = FUNCTIONS["stack"]
cat: Any = FUNCTIONS["cat"]
Weights = tuple[Tensor, Tensor, Tensor | None, Tensor | None]


def plain_step(x: Tensor, h: Tensor, weights: Weights, squash: Any) -> Tensor:
    """tanh (or relu) of W x + b + U h + c."""
    w, u, b, c = weights
    return squash(F.linear(x, w, b) + F.linear(h, u, c))  # type: ignore[no-any-return]


def lstm_step(x: Tensor, state: tuple[Tensor, Tensor], weights: Weights) -> tuple[Tensor, Tensor]:
    """The next output and cell: gates for input, forgetting, cell and output, in that order."""
    h, c = state
    w, u, b, d = weights
    i, f, g, o = (F.linear(x, w, b) + F.linear(h, u, d)).chunk(4, -1)
    cell = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * cell.tanh(), cell


def gru_step(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
    """The next output: gates for resetting, updating and the new value, in that order."""
    w, u, b, c = weights
    from_x, from_h = F.linear(x, w, b).chunk(3, -1), F.linear(h, u, c).chunk(3, -1)
    reset, update = ((p + q).sigmoid() for p, q in zip(from_x[:2], from_h[:2], strict=True))
    fresh = (from_x[2] + reset * from_h[2]).tanh()
    return fresh + update * (h - fresh)


class _Cell(Module):
    """One step; ``gates`` is how many linear maps it has."""

    gates = 1

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        n = self.gates * hidden_size
        self.weight_ih = Parameter(empty(n, input_size))
        self.weight_hh = Parameter(empty(n, hidden_size))
        self.register_parameter("bias_ih", Parameter(empty(n)) if bias else None)
        self.register_parameter("bias_hh", Parameter(empty(n)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew."""
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size else 0
        for p in self.parameters():
            uniform_(p, -bound, bound)

    def weights(self) -> Weights:
        """What a step takes."""
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def first(self, input: Tensor) -> Tensor:
        """The state that stands for none.

        Raises:
            ValueError: an input of another number of dimensions.
        """
        if input.ndim not in (1, 2):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.ndim}D instead"
            )
        return input.new_zeros((*input.shape[:-1], self.hidden_size))

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else ", bias=False")


class RNNCell(_Cell):
    """One step of a plain recurrence."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh"
    ) -> None:
        super().__init__(input_size, hidden_size, bias)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self.first(input) if hx is None else hx
        return plain_step(input, h, self.weights(), FUNCTIONS[self.nonlinearity])


class LSTMCell(_Cell):
    """One step of a long short-term memory; the state is (output, cell)."""

    gates = 4

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Tensor]:
        zeros = self.first(input)
        return lstm_step(input, (zeros, zeros) if hx is None else hx, self.weights())


class GRUCell(_Cell):
    """One step of a gated recurrent unit."""

    gates = 3

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return gru_step(input, self.first(input) if hx is None else hx, self.weights())


class _Recurrent(Module):
    """Layers of steps over sequences: (time, batch, features), batch first where asked, or one
    sequence (time, features)."""

    gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        nonlinearity: str = "tanh",
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        if dropout > 0 and num_layers == 1:
            errors.caution(
                f"dropout={dropout} comes between layers, and there is one layer alone; it does "
                "nothing."
            )
        self.bidirectional, self.nonlinearity = bidirectional, nonlinearity
        self.directions = 2 if bidirectional else 1
        n = self.gates * hidden_size
        for layer in range(num_layers):
            width = input_size if layer == 0 else hidden_size * self.directions
            for suffix in self.suffixes(layer):
                self.register_parameter(f"weight_ih{suffix}", Parameter(empty(n, width)))
                self.register_parameter(f"weight_hh{suffix}", Parameter(empty(n, hidden_size)))
                if bias:
                    self.register_parameter(f"bias_ih{suffix}", Parameter(empty(n)))
                    self.register_parameter(f"bias_hh{suffix}", Parameter(empty(n)))
        bound = 1 / math.sqrt(hidden_size) if hidden_size else 0
        for p in self.parameters():
            uniform_(p, -bound, bound)

    def suffixes(self, layer: int) -> list[str]:
        """How the parameters of a layer's directions end."""
        return [f"_l{layer}", f"_l{layer}_reverse"][: self.directions]

    def step(self, x: Tensor, state: Any, weights: Weights) -> Any:
        """The next state."""
        raise NotImplementedError

    def output(self, state: Any) -> Tensor:
        """The output that belongs to a state."""
        return state  # type: ignore[no-any-return]

    def first_states(self, x: Tensor, hx: Any) -> list[Any]:
        """The state of each layer and direction before the first step."""
        count = self.num_layers * self.directions
        if hx is None:
            zeros = x.new_zeros((count, x.shape[1], self.hidden_size))
            return list(zeros)
        return list(hx)

    def last_states(self, states: list[Any], alone: bool) -> Any:
        """The states after the last step, stacked."""
        held = stack(states)
        return held.squeeze(1) if alone else held

    def alone_state(self, hx: Any) -> Any:
        """A state without a batch, with a batch of one."""
        return None if hx is None else hx.unsqueeze(1)

    def check(self, input: Tensor, hx: Any) -> None:
        """Refuse what does not fit.

        Raises:
            ValueError: an input of another number of dimensions.
            RuntimeError: another size, or a state of another number of dimensions.
        """
        name = type(self).__name__
        if input.ndim not in (2, 3):
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.ndim}D instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got "
                f"{input.shape[-1]}"
            )
        for state in hx if isinstance(hx, tuple) else () if hx is None else (hx,):
            if state.ndim != input.ndim:
                raise RuntimeError(
                    f"For {input.ndim}-D input, hx should also be {input.ndim}-D but got "
                    f"{state.ndim}-D tensor"
                )

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Any]:
        self.check(input, hx)
        alone = input.ndim == 2
        if alone:
            input, hx = input.unsqueeze(1), self.alone_state(hx)
        elif self.batch_first:
            input = input.transpose(0, 1)
        states = self.first_states(input, hx)
        ends = []
        x = input
        for layer in range(self.num_layers):
            sides = []
            for side, suffix in enumerate(self.suffixes(layer)):
                names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                weights: Any = tuple(getattr(self, n + suffix, None) for n in names)
                state = states[layer * self.directions + side]
                steps = list(x.unbind(0))
                outs = []
                for x_t in reversed(steps) if side else steps:
                    state = self.step(x_t, state, weights)
                    outs.append(self.output(state))
                ends.append(state)
                sides.append(stack(outs[::-1] if side else outs))
            x = cat(sides, -1) if len(sides) > 1 else sides[0]
            if self.dropout and layer < self.num_layers - 1:
                x = F.dropout(x, self.dropout, self.training)
        if alone:
            x = x.squeeze(1)
        elif self.batch_first:
            x = x.transpose(0, 1)
        return x, self.last_states(ends, alone)

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        usual = (("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0.0),
                 ("bidirectional", False))  # fmt: skip
        parts = [f", {k}={getattr(self, k)}" for k, v in usual if getattr(self, k) != v]
        return shown + "".join(parts)


class RNN(_Recurrent):
    """A plain recurrence."""

    def step(self, x: Tensor, state: Any, weights: Weights) -> Any:
        return plain_step(x, state, weights, FUNCTIONS[self.nonlinearity])


class GRU(_Recurrent):
    """Gated recurrent units."""

    gates = 3

    def step(self, x: Tensor, state: Any, weights: Weights) -> Any:
        return gru_step(x, state, weights)


class LSTM(_Recurrent):
    """Long short-term memories; states are (outputs, cells)."""

    gates = 4

    def step(self, x: Tensor, state: Any, weights: Weights) -> Any:
        return lstm_step(x, state, weights)

    def output(self, state: Any) -> Tensor:
        return state[0]  # type: ignore[no-any-return]

    def first_states(self, x: Tensor, hx: Any) -> list[Any]:
        if hx is None:
            return [(h, h) for h in super().first_states(x, None)]
        return list(zip(hx[0], hx[1], strict=True))

    def last_states(self, states: list[Any], alone: bool) -> Any:
        parts = [stack([s[k] for s in states]) for k in (0, 1)]
        return tuple(p.squeeze(1) if alone else p for p in parts)

    def alone_state(self, hx: Any) -> Any:
        return None if hx is None else tuple(h.unsqueeze(1) for h in hx)
