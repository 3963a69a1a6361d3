"""`tf.compat.v1`: the same face again, since both versions of TensorFlow build the same graph."""

from __future__ import annotations

import engine as v1

__all__ = ["v1"]
