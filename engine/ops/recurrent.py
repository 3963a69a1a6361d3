"""One step of recurrent networks, composed of plain operations in a scope of its own."""

from __future__ import annotations

from typing import Any

from engine.ops.arguments import as_tensors
from engine.ops.arithmetic import add, multiply, subtract
from engine.ops.bias import bias_add
from engine.ops.elementary import sigmoid, tanh
from engine.ops.joining import concat, split
from engine.ops.matmul import matmul
from engine.tensor import Tensor


def lstm_cell(
    inputs: Any,
    state: Any,
    kernel: Any,
    bias: Any,
    forget_bias: float = 1.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Take one step with long short-term memory.

    Args:
        inputs: `[batch, features]`.
        state: a pair: the output h and the memory c of the step before, `[batch, units]` each.
        kernel: `[features + units, 4 * units]`, for input gate, candidate, forget and output gate.
        bias: `[4 * units]`.
        forget_bias: added to the forget gate, so that memory lasts at first.
        name: of the scope.

    Returns:
        The new h and c.

    Source: S. Hochreiter and J. Schmidhuber, "Long short-term memory", 1997; forget gate: F. Gers,
        J. Schmidhuber and F. Cummins, "Learning to forget", 2000.
    """
    before, memory = state
    x, h, c, weights, offsets = as_tensors([inputs, before, memory, kernel, bias])
    with x.graph.name_scope(name or "lstm_cell"):
        gates = bias_add(matmul(concat([x, h], 1), weights), offsets)
        entry, candidate, forget, output = split(gates, 4, axis=1)
        kept = multiply(c, sigmoid(add(forget, forget_bias)))
        new_c = add(kept, multiply(sigmoid(entry), tanh(candidate)))
        new_h = multiply(tanh(new_c), sigmoid(output))
        return new_h, new_c


def gru_cell(
    inputs: Any,
    state: Any,
    gate_kernel: Any,
    gate_bias: Any,
    candidate_kernel: Any,
    candidate_bias: Any,
    name: str | None = None,
) -> Tensor:
    """Take one step with a gated recurrent unit.

    Args:
        inputs: `[batch, features]`.
        state: `[batch, units]`.
        gate_kernel: `[features + units, 2 * units]`, for reset and update gate.
        gate_bias: `[2 * units]`.
        candidate_kernel: `[features + units, units]`.
        candidate_bias: `[units]`.
        name: of the scope.

    Returns:
        The new state, u state + (1 - u) candidate.

    Source: K. Cho et al., "Learning phrase representations using RNN encoder-decoder for
        statistical machine translation", 2014.
    """
    x, h, gate_weights, gate_offsets, weights, offsets = as_tensors(
        [inputs, state, gate_kernel, gate_bias, candidate_kernel, candidate_bias]
    )
    with x.graph.name_scope(name or "gru_cell"):
        gates = sigmoid(bias_add(matmul(concat([x, h], 1), gate_weights), gate_offsets))
        reset, update = split(gates, 2, axis=1)
        joined = concat([x, multiply(reset, h)], 1)
        candidate = tanh(bias_add(matmul(joined, weights), offsets))
        kept = multiply(update, h)
        result: Tensor = add(kept, multiply(subtract(1.0, update), candidate))
        return result
