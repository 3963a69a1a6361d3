"""Steps that compute, on tensors of random shapes, and the table of all productions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.random_programs.array_productions import (
    enlarging,
    gathering,
    joining,
    reshaping,
    slicing,
    splitting,
)
from tests.random_programs.draft import Draft
from tests.random_programs.sampled import made_real, sampled

_SMOOTH = (
    "Neg",
    "Square",
    "Sigmoid",
    "Tanh",
    "Sin",
    "Cos",
    "Softplus",
    "Softsign",
    "Erf",
    "Erfc",
    "Atan",
    "Asinh",
    "Expm1",
    "Exp",
    "Sinh",
    "Cosh",
    "Identity",
    "Relu",
    "LeakyRelu",
    "Elu",
    "Selu",
    "Relu6",
    "Abs",
    "Sign",
    "Floor",
    "BesselJ0",
    "BesselI0e",
)
_POSITIVE = (
    "Sqrt",
    "Rsqrt",
    "Log",
    "Reciprocal",
    "Inv",
    "Lgamma",
    "Digamma",
    "Log1p",
    "BesselK0e",
    "BesselY1",
)
_UNIT = (
    "Asin",
    "Acos",
    "Atanh",
    "Erfinv",
    "Tan",
)
_BINARY = (
    "AddV2",
    "Sub",
    "Mul",
    "SquaredDifference",
    "Maximum",
    "Minimum",
    "Add",
)
_REDUCTIONS = (
    "Sum",
    "Mean",
    "Max",
    "Min",
    "Prod",
    "LogSumExp",
)
_COMPARISONS = ("Less", "LessEqual", "Greater", "GreaterEqual")  # equality holds at points only


def leaf(draft: Draft) -> None:
    """Add an input of the program."""
    rank = draft.rng.choice((1, 2, 0, 3))
    sizes = [draft.rng.choice((2, 3, 1, 4)) for _ in range(rank)]
    if sizes and len(draft.steps) > 2 and draft.rng.random() > 0.95:
        sizes[0] = 0
    draft.one("Placeholder", value=draft.numbers(*sizes))


def unary(draft: Draft) -> None:
    draft.one(draft.rng.choice(_SMOOTH), draft.any())


def bounded_unary(draft: Draft) -> None:
    """Add a function of a part of the real line only."""
    source = draft.any()
    if draft.flag():
        draft.one(draft.rng.choice(_POSITIVE), draft.between(0.4, 3.0, source))
    else:
        draft.one(draft.rng.choice(_UNIT), draft.between(-0.85, 0.85, source))


def _partner(draft: Draft, shape: tuple[int, ...]) -> int:
    """Return a tensor that broadcasts with this shape, very often the same one."""
    suiting = draft.pick(lambda other: _broadcasts(shape, other))
    if suiting is not None and draft.rng.random() < 0.7:
        return suiting
    cut = draft.rng.randrange(len(shape) + 1)
    sizes = [size if draft.flag() else 1 for size in shape[cut:]]
    if len(shape) < 3 and cut == 0 and draft.rng.random() < 0.2:
        sizes.insert(0, 2)
    return draft.fitted(sizes)


def _broadcasts(first: Sequence[int], second: Sequence[int]) -> bool:
    pairs = zip(reversed(first), reversed(second), strict=False)
    return all(a == b or 1 in (a, b) for a, b in pairs)


def binary(draft: Draft) -> None:
    first = draft.any()
    pair = [first, _partner(draft, draft.shape(first))]
    draft.rng.shuffle(pair)
    draft.one(draft.rng.choice(_BINARY), *pair)


def bounded_binary(draft: Draft) -> None:
    """Add a quotient, a power, an angle ..."""
    first = draft.any()
    second = draft.between(0.5, 2.0, _partner(draft, draft.shape(first)))
    op = draft.rng.choice(("RealDiv", "DivNoNan", "Xdivy", "Xlogy", "MulNoNan", "Atan2", "Pow"))
    if op == "Pow":
        draft.one(op, second, draft.one("Tanh", first))
    elif op == "Atan2":
        draft.one(op, second, first)
    elif op in ("Xdivy", "Xlogy"):
        draft.one(op, draft.between(0.5, 2.0, first), second)
    else:
        draft.one(op, first, second)


def sums(draft: Draft) -> None:
    """Add a sum of several tensors, some of them the same."""
    first = draft.any()
    shape = draft.shape(first)
    others = [draft.fitted(shape) for _ in range(draft.rng.randrange(3))]
    op = "AddN" if draft.flag() else "AccumulateNV2"
    draft.one(op, first, *others, *([first] if draft.flag() else []))


def reduction(draft: Draft) -> None:
    x = draft.any()
    axis: Any = draft.rng.choice((None, draft.subset(draft.rank(x))))
    op = draft.rng.choice(_REDUCTIONS)
    if op == "Prod" and draft.flag():
        x = draft.one("Relu", x)  # products through zeros
    draft.one(op, x, axis=axis, keepdims=draft.flag())


def matmul(draft: Draft) -> None:
    a = draft.pick(lambda shape: len(shape) == 2)
    if a is None:
        a = draft.fitted((2, 3))
    flip_a, flip_b = draft.flag(), draft.flag()
    inner = draft.shape(a)[0 if flip_a else 1]
    size = draft.rng.choice((2, 1, 3))
    b = draft.fitted((size, inner) if flip_b else (inner, size))
    if draft.flag():
        draft.one("MatMul", a, b, transpose_a=flip_a, transpose_b=flip_b)
        return
    batch = draft.rng.choice(((), (2,), (1,), (2, 1)))
    if batch:
        b = draft.fitted((*batch, *draft.shape(b)))
    draft.one("BatchMatMulV2", a, b, adj_x=flip_a, adj_y=flip_b)


def einsum(draft: Draft) -> None:
    """Add an Einsum of two inputs, with letters that are summed, repeated or kept."""
    sizes = dict(zip("ijkl", (2, 3, 2, 1), strict=True))
    first, second = (
        "".join(draft.rng.choice("ijkl") for _ in range(draft.rng.randrange(1, 4)))
        for _ in range(2)
    )
    letters = sorted(set(first + second))
    draft.rng.shuffle(letters)
    output = "".join(letter for letter in letters if draft.rng.random() < 0.6)
    a, b = (draft.fitted([sizes[letter] for letter in labels]) for labels in (first, second))
    draft.one("Einsum", a, b, equation=f"{first},{second}->{output}")


def normalising(draft: Draft) -> None:
    """Add softmax, its logarithm, a cross entropy, a scan, a bias."""
    x = draft.pick(lambda shape: len(shape) > 0 and 0 not in shape)
    if x is None:
        return
    rank, shape = draft.rank(x), draft.shape(x)
    way = draft.rng.randrange(5)
    if way < 2:
        draft.one(("Softmax", "LogSoftmax")[way], x, axis=draft.axis(rank))
    elif way == 2:
        labels = draft.one("Softmax", draft.fitted(shape))
        draft.add("SoftmaxCrossEntropyWithLogits", x, labels)
    elif way == 3:
        op = draft.rng.choice(("Cumsum", "Cumprod"))
        attrs = {"exclusive": draft.flag(), "reverse": draft.flag()}
        draft.one(op, x, axis=draft.axis(rank), **attrs)
    elif rank > 1:
        draft.one("BiasAdd", x, draft.fitted(shape[-1:]))
    else:
        draft.one("L2Loss", x)


def choosing(draft: Draft) -> None:
    """Add a choice between two tensors, by a comparison of two."""
    x = draft.any()
    shape = draft.shape(x)
    condition = draft.one(draft.rng.choice(_COMPARISONS), x, _partner(draft, shape))
    whole = draft.shape(condition)
    draft.one("SelectV2", condition, draft.fitted(whole), _partner(draft, whole))


def stop(draft: Draft) -> None:
    draft.one("StopGradient", draft.any())


def complex_numbers(draft: Draft) -> None:
    """Add a detour through the complex plane."""
    x = draft.any()
    z = draft.one("Complex", x, draft.fitted(draft.shape(x)))
    op = draft.rng.choice(("Mul", "Exp", "Conj", "Sin", "AddV2", "Square", "Sum", "Tanh"))
    if op in ("Mul", "AddV2"):
        z = draft.one(op, z, draft.one("Conj", z))
    elif op == "Sum":
        z = draft.one(op, z, axis=draft.subset(draft.rank(z)))
    else:
        z = draft.one(op, z)
    made_real(draft, z)


PRODUCTIONS: dict[Callable[[Draft], None], int] = {
    unary: 4,
    binary: 6,
    sampled: 10,
    reduction: 3,
    reshaping: 2,
    matmul: 2,
    leaf: 1,
    bounded_unary: 2,
    bounded_binary: 2,
    sums: 1,
    einsum: 1,
    enlarging: 1,
    slicing: 2,
    joining: 2,
    splitting: 2,
    gathering: 2,
    normalising: 2,
    choosing: 2,
    stop: 1,
    complex_numbers: 1,
}
"""How often each production is tried."""
