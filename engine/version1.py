"""Names that TensorFlow 1 has at top level, and TensorFlow 2 elsewhere or not at all."""

from __future__ import annotations

from engine.linalg import band_part as matrix_band_part
from engine.linalg import cholesky, cholesky_solve, matrix_transpose, trace
from engine.linalg import det as matrix_determinant
from engine.linalg import diag as matrix_diag
from engine.linalg import diag_part as matrix_diag_part
from engine.linalg import inv as matrix_inverse
from engine.linalg import set_diag as matrix_set_diag
from engine.linalg import solve as matrix_solve
from engine.linalg import tensor_diag as diag
from engine.linalg import tensor_diag_part as diag_part
from engine.linalg import triangular_solve as matrix_triangular_solve
from engine.ops.cast import to_double, to_float, to_int32, to_int64
from engine.ops.space import (
    batch_to_space,
    batch_to_space_nd,
    depth_to_space,
    space_to_batch,
    space_to_batch_nd,
    space_to_depth,
)

__all__ = [
    "batch_to_space",
    "batch_to_space_nd",
    "cholesky",
    "cholesky_solve",
    "depth_to_space",
    "diag",
    "diag_part",
    "matrix_band_part",
    "matrix_determinant",
    "matrix_diag",
    "matrix_diag_part",
    "matrix_inverse",
    "matrix_set_diag",
    "matrix_solve",
    "matrix_transpose",
    "matrix_triangular_solve",
    "space_to_batch",
    "space_to_batch_nd",
    "space_to_depth",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
    "trace",
]
