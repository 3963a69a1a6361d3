"""The ops that hold the graph together: constants, placeholders, copies, stops and groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from engine.convert import constant_of, to_array, to_tensor
from engine.dtypes import as_dtype, float32
from engine.errors import ArgumentError, FeedError, GradientLookupError
from engine.graph import create_op, get_default_graph, graph_of
from engine.indexed_slices import IndexedSlices
from engine.opdef import REQUIRED, define, same_shape
from engine.registry import NotDifferentiable, RegisterGradient
from engine.shapes import Dims, as_dims, compatible, element_count, show
from engine.tensor import Operation, Operators, Tensor


def _const_kernel(*, value: Any) -> Any:
    return value


define(
    "Const",
    kernel=_const_kernel,
    shape=lambda *, value: value.shape,
    dtype=lambda *, value: as_dtype(value.dtype),
    arity=0,
    attrs={"value": REQUIRED},
    latex=r"\mathrm{const}",
)
NotDifferentiable("Const")


def constant(
    value: Any,
    dtype: Any = None,
    shape: Any = None,
    name: str = "Const",
    verify_shape: bool = False,
) -> Tensor:
    """Return a constant tensor.

    Args:
        value: a number, nested list or array.
        dtype: its element type; float32 for Python floats and int32 for ints unless given.
        shape: reshape to this; a single number fills it.
        name: name of the operation.

    Raises:
        DTypeError: the value cannot have this type.
        ArgumentError: it does not fill the shape.
    """
    if isinstance(value, Operators):
        return to_tensor(value, value.as_tensor().graph, None if dtype is None else as_dtype(dtype))
    if isinstance(value, list | tuple) and graph_of([value]) is not get_default_graph():
        return to_tensor(value, graph_of([value]), None if dtype is None else as_dtype(dtype))
    array = to_array(value, None if dtype is None else as_dtype(dtype))
    if shape is not None:
        array = _filled(array, as_dims(shape))
    return constant_of(value, array, get_default_graph(), name)


def _filled(array: Any, dims: Dims) -> Any:
    assert dims is not None
    if array.size == 1:
        return np.full(dims, array.reshape(()), array.dtype)
    if array.size != element_count(dims):
        raise ArgumentError(f"{array.size} values do not fill the shape {show(dims)}")
    return array.reshape(dims)


def convert_to_tensor(
    value: Any, dtype: Any = None, name: str | None = None, dtype_hint: Any = None
) -> Tensor:
    """Return the tensor that a value, list, variable or tensor stands for."""
    wanted = None if dtype is None else as_dtype(dtype)
    hint = None if dtype_hint is None else as_dtype(dtype_hint)
    return to_tensor(value, graph_of([value]), wanted, hint, name)


def _no_value(store: Any, op: Operation, *values: Any, **_attrs: Any) -> NoReturn:
    raise FeedError(
        f"no value fed for placeholder {op.name!r} ({op.outputs[0].dtype.name}, shape "
        f"{show(op.outputs[0].dims)}); give it one in feed_dict"
    )


define(
    "Placeholder",
    kernel=_no_value,
    shape=lambda *, dtype, shape: as_dims(shape),
    dtype=lambda *, dtype, shape: as_dtype(dtype),
    arity=0,
    attrs={"dtype": REQUIRED, "shape": None},
    stateful=True,
    latex=r"\mathrm{placeholder}",
)
NotDifferentiable("Placeholder")


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """Return a tensor whose value is fed at run time; unknown sizes are None."""
    attrs = {"dtype": as_dtype(dtype), "shape": as_dims(shape)}
    return create_op("Placeholder", [], attrs, name).outputs[0]


def _default_shape(value: Dims, *, shape: Dims) -> Dims:
    return value if shape is None else shape


define(
    "PlaceholderWithDefault",
    kernel=lambda value, *, shape: value,
    shape=_default_shape,
    attrs={"shape": None},
    latex="#1",
    local=1.0,
)


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Return a tensor that has the value of `input` unless another one is fed."""
    tensor = convert_to_tensor(input)
    dims = as_dims(shape)
    if not compatible(tensor.dims, dims):
        raise ArgumentError(
            f"the default {tensor.name} {show(tensor.dims)} does not fit {show(dims)}"
        )
    return create_op("PlaceholderWithDefault", [tensor], {"shape": dims}, name).outputs[0]


_identity = define("Identity", kernel=lambda x: x, shape=same_shape, latex="#1")


@RegisterGradient("Identity")
def _identity_gradient(op: Operation, gradient: Any) -> list[Any]:
    """Return the gradient itself, rows of a gather included."""
    return [gradient]


def identity(input: Any, name: str | None = None) -> Any:
    """Return a copy of a tensor as a node of its own; IndexedSlices stay what they are."""
    if isinstance(input, IndexedSlices):
        values = create_op("Identity", [input.values], name=name).outputs[0]
        return IndexedSlices(values, input.indices, input.dense_shape)
    return create_op("Identity", [convert_to_tensor(input)], name=name).outputs[0]


def _each(*entries: Any) -> Any:
    """Return one entry per output; a single one stands by itself."""
    return entries[0] if len(entries) == 1 else entries


define(
    "IdentityN",
    kernel=_each,
    shape=_each,
    dtype=_each,
    match=(),
    arity=None,
    outputs=lambda count, _attrs: count,
    latex=r"\left(#*\right)",
)


@RegisterGradient("IdentityN")
def _identity_n_gradient(op: Operation, *gradients: Any) -> list[Any]:
    return list(gradients)


def identity_n(input: Sequence[Any], name: str | None = None) -> list[Tensor]:
    """Return copies of several tensors, made by one operation."""
    tensors = [convert_to_tensor(value) for value in input]
    op = create_op("IdentityN", tensors, name=name)
    return list(op.outputs)


_stop = define(
    "StopGradient",
    kernel=lambda x: x,
    shape=same_shape,
    latex=r"\operatorname{stop}\left(#1\right)",
)
NotDifferentiable("StopGradient")


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """Pass the value on and let no gradient through; a list is packed into one tensor first."""
    return create_op("StopGradient", [convert_to_tensor(input)], name=name).outputs[0]


define(
    "PreventGradient",
    kernel=lambda x, *, message: x,
    shape=same_shape,
    attrs={"message": ""},
    latex=r"\operatorname{prevent}\left(#1\right)",
)


@RegisterGradient("PreventGradient")
def _prevent_gradient_gradient(op: Operation, _gradient: Any) -> NoReturn:
    raise GradientLookupError(
        f"Gradient explicitly disabled at {op.name!r}. Reason: {op.attrs['message']!r}"
    )


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Tensor:
    """Pass the value on and raise an error when a gradient is asked for."""
    tensor = convert_to_tensor(input)
    return create_op("PreventGradient", [tensor], {"message": message}, name).outputs[0]


define(
    "NoOp",
    kernel=lambda: (),
    shape=lambda: (),
    dtype=lambda: (),
    arity=0,
    outputs=0,
    latex=r"\varnothing",
)


def no_op(name: str | None = None) -> Operation:
    """Return an operation that does nothing; it is there to wait or be waited for."""
    return create_op("NoOp", [], name=name)


def group(*inputs: Any, name: str | None = None) -> Operation:
    """Return an operation that is done when all inputs are."""
    flat = [entry for value in inputs for entry in (value if isinstance(value, list) else [value])]
    graph = graph_of([entry for entry in flat if isinstance(entry, Operators)])
    operations = [entry for entry in flat if isinstance(entry, Operation)]
    graph = operations[0].graph if operations else graph
    with graph.control_dependencies(flat):
        return graph.create_op("NoOp", [], name=name or "group_deps")


def tuple_(
    tensors: Sequence[Any], name: str | None = None, control_inputs: Sequence[Any] | None = None
) -> list[Any]:
    """Return copies of tensors, each available only when all of them are."""
    present = [tensor for tensor in tensors if tensor is not None]
    graph = graph_of(present)
    with graph.name_scope(name or "tuple"):
        gate = group(*present, *(control_inputs or ()), name="group_deps")
        with graph.control_dependencies([gate]):
            return [
                None if tensor is None else identity(tensor, name="control_dependency")
                for tensor in tensors
            ]


def _uniform_kernel(
    store: Any, op: Operation, *, shape: Any, dtype: Any, seed: int, minval: Any, maxval: Any
) -> Any:
    drawn = _generator(store, op, seed).random(shape)
    return np.asarray(minval + drawn * (maxval - minval)).astype(dtype.dtype)


def _normal_kernel(
    store: Any, op: Operation, *, shape: Any, dtype: Any, seed: int, mean: Any, stddev: Any
) -> Any:
    drawn = _generator(store, op, seed).standard_normal(shape)
    return np.asarray(mean + drawn * stddev).astype(dtype.dtype)


def _generator(store: Any, op: Operation, seed: int) -> np.random.Generator:
    """Return the generator of an op: a session's goes on from run to run, else it starts anew."""
    if store is None:
        return np.random.default_rng(seed)
    found: np.random.Generator = store.generators.setdefault(op, np.random.default_rng(seed))
    return found


for _type, _kernel, _parameters in (
    ("RandomUniform", _uniform_kernel, {"minval": 0.0, "maxval": 1.0}),
    ("RandomNormal", _normal_kernel, {"mean": 0.0, "stddev": 1.0}),
):
    define(
        _type,
        kernel=_kernel,
        shape=lambda *, shape, **_attrs: as_dims(shape),
        dtype=lambda *, dtype, **_attrs: dtype,
        arity=0,
        attrs={"shape": REQUIRED, "dtype": float32, "seed": REQUIRED, **_parameters},
        stateful=True,
        latex=rf"\mathrm{{{_type}}}",
    )
    NotDifferentiable(_type)


def _seed(seed: int | None) -> int:
    """Return the op's seed; without one, the graph's and the position in the graph decide."""
    graph = get_default_graph()
    if seed is not None:
        return seed + 7919 * (graph.seed or 0)
    return (graph.seed or 0) * 1_000_003 + graph.size_in_operations


def random_uniform(
    shape: Any,
    minval: float = 0.0,
    maxval: float = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return numbers drawn uniformly from [minval, maxval); the seed decides which."""
    attrs = {
        "shape": as_dims(shape),
        "dtype": as_dtype(dtype),
        "seed": _seed(seed),
        "minval": minval,
        "maxval": maxval,
    }
    return create_op("RandomUniform", [], attrs, name).outputs[0]


def random_normal(
    shape: Any,
    mean: float = 0.0,
    stddev: float = 1.0,
    dtype: Any = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Return numbers drawn from a normal distribution; the seed decides which."""
    attrs = {
        "shape": as_dims(shape),
        "dtype": as_dtype(dtype),
        "seed": _seed(seed),
        "mean": mean,
        "stddev": stddev,
    }
    return create_op("RandomNormal", [], attrs, name).outputs[0]


def set_random_seed(seed: int) -> None:
    """Set the seed from which the default graph's random operations take theirs."""
    get_default_graph().seed = int(seed)
