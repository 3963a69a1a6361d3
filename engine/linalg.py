"""`tf.linalg`."""

from __future__ import annotations

from engine.ops.band import (
    band_part,
    set_diag,
)
from engine.ops.decomposition import (
    cholesky,
    inv,
)
from engine.ops.determinant import (
    det,
    logdet,
    slogdet,
)
from engine.ops.diagonal import (
    diag,
    diag_part,
    tensor_diag,
    tensor_diag_part,
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
from engine.ops.moments import (
    l2_normalize,
)
from engine.ops.solve import (
    cholesky_solve,
    solve,
    triangular_solve,
)
from engine.ops.tensordot import (
    tensordot,
)
from engine.ops.transpose import (
    adjoint,
    matrix_transpose,
)
from engine.ops.vectors import (
    cross,
    norm,
)

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "einsum",
    "eye",
    "inv",
    "l2_normalize",
    "logdet",
    "matmul",
    "matrix_transpose",
    "matvec",
    "norm",
    "set_diag",
    "slogdet",
    "solve",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
]
