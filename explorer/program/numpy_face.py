"""NumPy as the program sees it: an explicit table of functions that touch nothing but numbers.

Each is asked for the size of its result first, by the guard beside its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tensor import Operators
from explorer.program.calls import Native
from explorer.program.errors import ProgramError
from explorer.program.faces import Face
from explorer.program.methods import numpy_dtype
from explorer.program.numpy_random import random_face
from explorer.program.operators import check_broadcast, check_dot, check_matrix_product

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

Guard = Callable[..., None]


def _elementwise(it: Interpreter, *args: Any, **_kwargs: Any) -> None:
    check_broadcast(it.meter, args)


def _by_shape(it: Interpreter, shape: Any = (), *_args: Any, **kwargs: Any) -> None:
    sizes = kwargs.get("shape", shape)
    sizes = sizes if isinstance(sizes, Sequence | np.ndarray) else (sizes,)
    it.meter.elements(math.prod(int(size) for size in sizes), "an array")


def _by_sides(it: Interpreter, rows: Any, columns: Any = None, *_args: Any, **kwargs: Any) -> None:
    columns = kwargs.get("M", columns)
    it.meter.elements(int(rows) * int(rows if columns is None else columns), "an array")


def _arange(it: Interpreter, *bounds: Any, **kwargs: Any) -> None:
    named = [kwargs[key] for key in ("start", "stop", "step") if key in kwargs]
    numbers = [float(bound) for bound in (*bounds[:3], *named)]
    start, stop = (0.0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) == 3 else 1.0
    if step and math.isfinite(stop - start):
        it.meter.elements(max(0, math.ceil((stop - start) / step)), "an array")


def _linspace(it: Interpreter, start: Any, stop: Any, num: Any = 50, **_kwargs: Any) -> None:
    it.meter.elements(int(num) * max(np.size(start), np.size(stop)), "an array")


def _outer(it: Interpreter, a: Any, b: Any, **_kwargs: Any) -> None:
    it.meter.elements(np.size(a) * np.size(b), "an array")


def _meshgrid(it: Interpreter, *axes: Any, **_kwargs: Any) -> None:
    it.meter.elements(math.prod(np.size(axis) for axis in axes), "an array")


def _repeated(it: Interpreter, array: Any, times: Any, *_args: Any, **_kwargs: Any) -> None:
    it.meter.elements(np.size(array) * max(1, int(np.prod(times))), "an array")


def _repeat(it: Interpreter, array: Any, repeats: Any, *_args: Any, **_kwargs: Any) -> None:
    it.meter.elements(np.size(array) * max(1, int(np.max(repeats))), "an array")


def _matrix(it: Interpreter, a: Any, b: Any, *_args: Any, **_kwargs: Any) -> None:
    check_matrix_product(it.meter, a, b)


def _dot(it: Interpreter, a: Any, b: Any, *_args: Any, **_kwargs: Any) -> None:
    check_dot(it.meter, a, b)


def _diagonal(it: Interpreter, values: Any, k: int = 0) -> None:
    if np.ndim(values) < 2:
        it.meter.elements((np.size(values) + abs(k)) ** 2, "a matrix")


def _factors(it: Interpreter, matrix: Any, *_args: Any, **_kwargs: Any) -> None:
    shape = np.shape(matrix)
    if len(shape) >= 2:
        it.meter.elements(math.prod(shape[:-2]) * max(shape[-2:]) ** 2, "a matrix")


def _pad(it: Interpreter, array: Any, width: Any, *_args: Any, **_kwargs: Any) -> None:
    extra = 2 * int(np.max(np.abs(width)))
    it.meter.elements(math.prod(size + extra for size in np.shape(array)), "an array")


def _joined(it: Interpreter, arrays: Any, *_args: Any, **_kwargs: Any) -> None:
    it.meter.elements(sum(np.size(array) for array in arrays), "an array")


def _no_larger(_it: Interpreter, *_args: Any, **_kwargs: Any) -> None:
    """The result is no larger than the arguments, which are measured already."""


_TABLE: tuple[tuple[Guard, str], ...] = (
    (
        _elementwise,
        "add subtract multiply divide true_divide floor_divide mod remainder power negative abs "
        "absolute fabs sign exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal sin "
        "cos tan arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh hypot maximum "
        "minimum fmax fmin clip where floor ceil rint trunc round around isnan isinf isfinite "
        "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not "
        "logical_xor isclose allclose array_equal conj real imag angle deg2rad rad2deg heaviside "
        "cross logaddexp nan_to_num sinc float_power",
    ),
    (
        _no_larger,
        "array asarray copy sum mean max min amax amin prod std var median argmax argmin argsort "
        "sort cumsum cumprod all any diff average percentile quantile nansum nanmean nanmax nanmin "
        "ptp reshape ravel transpose squeeze expand_dims swapaxes moveaxis flip roll trace "
        "ndim shape size unique count_nonzero nonzero argwhere array_split split zeros_like "
        "ones_like gradient atleast_1d atleast_2d interp polyval isscalar searchsorted",
    ),
    (_by_shape, "zeros ones full"),
    (_by_sides, "eye identity"),
    (_arange, "arange"),
    (_linspace, "linspace logspace geomspace"),
    (_outer, "outer kron convolve"),
    (_meshgrid, "meshgrid"),
    (_repeated, "tile"),
    (_repeat, "repeat"),
    (_matrix, "matmul"),
    (_dot, "dot inner vdot"),
    (_diagonal, "diag tril triu"),
    (_pad, "pad"),
    (_joined, "concatenate stack vstack hstack column_stack dstack append"),
    (_elementwise, "full_like"),
)  # fmt: skip

_LINALG = "norm inv det solve eigvals eigvalsh eigh eig svd qr cholesky pinv matrix_rank"

_CONSTANTS: dict[str, Any] = {
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "newaxis": None,
    "ndarray": np.ndarray,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "uint8": np.uint8,
    "uint16": np.uint16,
    "uint32": np.uint32,
    "uint64": np.uint64,
    "bool_": np.bool_,
    "complex64": np.complex64,
    "complex128": np.complex128,
    "float": float,
    "int": int,
    "bool": bool,
    "generic": np.generic,
    "floating": np.floating,
    "integer": np.integer,
}

_FILES = "files are not read or written; write the numbers into the program with np.array"
_REFUSED = {
    **dict.fromkeys(("load", "loadtxt", "genfromtxt", "fromfile", "memmap"), _FILES),
    **dict.fromkeys(("save", "savez", "savetxt", "savez_compressed"), _FILES),
    "vectorize": "write a list comprehension",
    "einsum": "write np.dot, or tf.tensordot",
    "matrix": "write np.array",
    "object_": "arrays here hold numbers",
}


def _arrays(values: Any) -> tuple[Any, ...]:
    """Replace tensors by their arrays, so that NumPy does not walk them entry by entry."""
    return tuple(
        value.as_tensor().numpy() if isinstance(value, Operators) else value for value in values
    )


def _guarded(function: Callable[..., Any], guard: Guard) -> Callable[..., Any]:
    def run(it: Interpreter, *args: Any, **kwargs: Any) -> Any:
        if "dtype" in kwargs:
            kwargs["dtype"] = numpy_dtype(kwargs["dtype"])
        args = _arrays(args)
        guard(it, *args, **kwargs)
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return run


def _positional_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """Read a dtype given in second place, as in np.array(x, tf.float32)."""

    def run(it: Interpreter, *args: Any, **kwargs: Any) -> Any:
        if len(args) > 1:
            kwargs["dtype"], args = args[1], (args[0], *args[2:])
        return function(it, *args, **kwargs)

    return run


def _print_options(it: Interpreter, **options: Any) -> None:
    allowed = {"precision", "suppress", "linewidth", "threshold", "edgeitems", "floatmode"}
    unknown = set(options) - allowed
    if unknown:
        raise ProgramError(f"print options here are {', '.join(sorted(allowed))}")
    options["threshold"] = min(options.get("threshold", 1000), 10_000)
    np.set_printoptions(**options)  # the run restores them when it ends


def _limits(it: Interpreter, dtype: Any) -> Any:
    found = numpy_dtype(dtype)
    return np.iinfo(found) if found.kind in "iu" else np.finfo(found)


def numpy_face(it: Interpreter) -> Face:
    """Return the module `np` of one run."""
    members: dict[str, Any] = dict(_CONSTANTS)
    for guard, names in _TABLE:
        for name in names.split():
            members[name] = Native(it, name, _guarded(getattr(np, name), guard))
    for name in ("array", "asarray", "zeros", "ones", "zeros_like", "ones_like"):
        members[name] = Native(it, name, _positional_dtype(members[name].run))
    # Uninitialised memory would make equal programs differ.
    members["empty"] = members["zeros"]
    members["empty_like"] = members["zeros_like"]
    members["set_printoptions"] = Native(it, "set_printoptions", _print_options)
    members["finfo"] = members["iinfo"] = Native(it, "finfo", _limits)
    linalg = {
        name: Native(it, name, _guarded(getattr(np.linalg, name), _factors))
        for name in _LINALG.split()
    }
    members["linalg"] = Face("np.linalg", linalg)
    members["random"] = random_face(it)
    members["__version__"] = np.__version__
    return Face("np", members, _REFUSED)
