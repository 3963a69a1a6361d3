"""`tf.linalg`."""

from __future__ import annotations

from engine.ops.diagonal import (
    diag,
    diag_part,
    trace,
)
from engine.ops.einsum import (
    einsum,
)
from engine.ops.fill import (
    eye,
)
from engine.ops.matmul import (
    matmul,
    matvec,
)
from engine.ops.tensordot import (
    tensordot,
)
from engine.ops.transpose import (
    adjoint,
    matrix_transpose,
)

__all__ = [
    "adjoint",
    "diag",
    "diag_part",
    "einsum",
    "eye",
    "matmul",
    "matrix_transpose",
    "matvec",
    "tensordot",
    "trace",
]
