"""How the author calls each tensor, so that a picture can use the same names.

The first name a tensor gets is its label. A name that is bound to several tensors one after the
other, as in a loop, gets a subscript: h₁, h₂, h₃. A name of the program is preferred to a name
inside a function.
"""

from __future__ import annotations

from typing import Any

from engine.tensor import Tensor
from engine.variables import Variable

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_LONGEST_LIST = 64

NAMED = frozenset({Tensor, Variable})
COLLECTIONS = frozenset({list, tuple, dict})


def tensor_of(value: Any) -> Tensor:
    """Return the tensor that a tensor or variable is drawn as."""
    tensor: Tensor = value.handle if value.__class__ is Variable else value
    return tensor


class Labels:
    """The names given so far.

    Attributes:
        names: by name of the program, the tensor or variable it is bound to.
    """

    def __init__(self) -> None:
        self.names: dict[str, Tensor | Variable] = {}
        self._given: dict[Tensor, str] = {}
        self._inner: dict[Tensor, str] = {}

    def bind(self, name: str, value: Any, *, outermost: bool) -> None:
        """Note that a name was bound to a tensor, or to a list or dictionary of them."""
        if value.__class__ in NAMED:
            if outermost:
                self.names[name] = value  # type: ignore[assignment]  # its class is checked
            (self._given if outermost else self._inner).setdefault(tensor_of(value), name)
        elif value.__class__ in COLLECTIONS and len(value) <= _LONGEST_LIST:
            pairs: Any = value.items() if isinstance(value, dict) else enumerate(value)
            for key, entry in pairs:
                if entry.__class__ in NAMED and isinstance(key, str | int):
                    self._inner.setdefault(tensor_of(entry), f"{name}[{key}]")

    def unbind(self, name: str) -> None:
        """Note that an outermost name now means something else than a tensor."""
        self.names.pop(name, None)

    def by_tensor(self) -> dict[Tensor, str]:
        """Return each named tensor's label; no two labels are equal."""
        outermost = set(self._given.values())
        inner = {tensor: name for tensor, name in self._inner.items() if name not in outermost}
        chosen = {**inner, **self._given}
        groups: dict[str, list[Tensor]] = {}
        for tensor, name in chosen.items():
            groups.setdefault(name, []).append(tensor)
        labels: dict[Tensor, str] = {}
        for name, tensors in groups.items():
            if len(tensors) == 1:
                labels[tensors[0]] = name
                continue
            tensors.sort(key=lambda tensor: tensor.op.id)
            for number, tensor in enumerate(tensors, 1):
                labels[tensor] = f"{name}{str(number).translate(_SUBSCRIPTS)}"
        return labels
