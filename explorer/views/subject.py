"""What a view draws from: one backward pass, its numbers, its names and its paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from engine.backward import Backward, Step
from engine.factors import local_value
from engine.indexed_slices import IndexedSlices
from engine.replay import Values, evaluate_record
from engine.tensor import Tensor
from explorer import labels
from explorer.views.ledger import Holdback, Ledger, Route
from explorer.views.notation import subscript
from explorer.views.reduced import Reduced, Use, canonical, is_unnamed

NOT_COMPUTED = "not computed"
_LONGEST_NAME = 18
_LETTERS = "uvpqstzabcdefghijklmno"


class Subject:
    """Everything the three views read; they add nothing but arrangement.

    Attributes:
        backward: The record of the call.
        reduced: The forward graph as it is drawn.
        ledger: Paths and cut amounts.
        selected: The path to highlight, or None.
    """

    def __init__(
        self,
        backward: Backward,
        names: Mapping[Tensor, str] | None = None,
        values: Values | None = None,
        ledger: Ledger | None = None,
        selected: Route | None = None,
    ) -> None:
        """Collect what the views need.

        Args:
            backward: What a call of ``gradients`` recorded.
            names: The author's names of tensors.
            values: Arrays of the record's tensors, as ``evaluate_record`` returns them; what is
                missing is shown as not computed.
            ledger: Paths and cut amounts, empty if unknown.
            selected: The path to highlight.
        """
        self.backward = backward
        known = {canonical(tensor): name for tensor, name in (names or {}).items()}
        self.reduced = Reduced(backward, known)
        self.ledger = ledger or Ledger()
        self.selected = selected
        self._given = {
            tensor for tensor in self.reduced.tensors if tensor in known or _own_name(tensor)
        }
        self._names = _name_all(self.reduced, known)
        self._values = evaluate_record(backward) if values is None else values
        selected_hops = set(selected.hops) if selected else set()
        self._selected = {use for use in self.reduced.uses if selected_hops >= set(use.computing)}

    def name(self, tensor: Tensor) -> str:
        """Return the author's name of a tensor, or its running name."""
        return self._names.get(canonical(tensor), tensor.op.name)

    def is_named(self, tensor: Tensor) -> bool:
        """Tell whether a tensor is drawn under a name at all."""
        return canonical(tensor) in self._names

    def is_given(self, tensor: Tensor) -> bool:
        """Tell whether the author named a tensor, in the program or in the op's name."""
        return canonical(tensor) in self._given

    def value(self, gradient: object) -> Any:
        """Return the array of a tensor, the rows of IndexedSlices, or None if not computed."""
        if isinstance(gradient, IndexedSlices):
            return self._values.get(gradient.values)
        if not isinstance(gradient, Tensor):
            return gradient
        known = self._values.get(gradient)
        return self._value_read(gradient) if known is None else known

    def _value_read(self, tensor: Tensor) -> Any:
        """Return the value of a variable when it was read last."""
        reads = self.reduced.reads(tensor)
        return self._values.get(reads[-1]) if reads else None

    def text(self, gradient: object) -> str:
        """Write a value: a number, an array, rows of IndexedSlices, or that it is unknown."""
        if gradient is None:
            return "None"
        array = self.value(gradient)
        if array is None:
            return NOT_COMPUTED
        if isinstance(gradient, IndexedSlices):
            indices = self._values.get(gradient.indices)
            return f"rows {labels.value(indices)}: {labels.value(array)}"
        return labels.value(array)

    def number(self, tensor: Tensor) -> str:
        """Write the one number that a folded constant holds, whatever its shape."""
        array = self.value(tensor)
        return NOT_COMPUTED if array is None else labels.number(np.ravel(array)[0])

    def rule_factor(self, step: Step) -> str:
        """Write the one number that a rule multiplies by; nothing if there is no such number."""
        factor = local_value(step, self._values)
        return labels.value(factor) if factor is not None and np.ndim(factor) == 0 else ""

    def is_selected(self, use: Use) -> bool:
        """Tell whether a use lies on the selected path."""
        return use in self._selected

    def on_path(self) -> set[Tensor]:
        """Return the tensors on the selected path."""
        return {end for use in self._selected for end in (use.source, use.target)}

    def holdback(self, use: Use) -> Holdback | None:
        """Return what the cut on a use holds back, if known."""
        for held in self.ledger.holdbacks:
            if held.hop in use.hops:
                return held
        return None


def _name_all(reduced: Reduced, known: Mapping[Tensor, str]) -> dict[Tensor, str]:
    """Give every drawn tensor a name: the author's, its op's own, or a running one."""
    names: dict[Tensor, str] = {}
    for tensor in reduced.tensors:
        given = known.get(tensor) or _own_name(tensor)
        if given:
            names[tensor] = labels.shorten(labels.printable(given), _LONGEST_NAME)
    letter = _free_letter(names.values())
    count = 0
    for tensor in reduced.tensors:
        if tensor not in names:
            count += 1
            names[tensor] = subscript(letter, count)
    return names


def _own_name(tensor: Tensor) -> str:
    """Return the name that the author gave an op, or nothing if it is only its type's."""
    if is_unnamed(tensor.op):
        return ""
    name = tensor.op.name
    return name if len(tensor.op.outputs) == 1 else f"{name}[{tensor.index}]"


def _free_letter(names: Iterable[str]) -> str:
    """Choose a letter for running names that no given name begins with."""
    taken = {re.sub(r"[^a-z].*", "", name[:1].lower()) for name in names}
    return next((letter for letter in _LETTERS if letter not in taken), "u")
