"""Second derivatives: Hessian matrices, and the product of a Hessian and a vector without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.backward import AnyGradient
from engine.convert import to_tensor
from engine.errors import ArgumentError
from engine.gradients import build_backward
from engine.graph import graph_of
from engine.jacobian import build_jacobians
from engine.tensor import Tensor


def hessians(
    ys: Any,
    xs: Any,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
) -> list[Tensor]:
    """Return, for each x, the second derivatives of the sum of ys.

    Only derivatives twice by the same x: one block of the Hessian's diagonal per x.

    Args:
        ys: a tensor or a list of them; all their elements are summed.
        xs: a tensor, a variable or a list of them, each of known shape.
        name: accepted and, as in TensorFlow, not used.
        colocate_gradients_with_ops: as in `gradients`, as are the following.

    Returns:
        A list as long as xs; each entry of shape `x.shape + x.shape`.

    Raises:
        ArgumentError: a first or second derivative is None: ys do not depend on x, or linearly.
        ShapeError: the shape of an x is not known.
    """
    options: dict[str, Any] = {
        "colocate": colocate_gradients_with_ops,
        "gate": gate_gradients,
        "aggregation_method": aggregation_method,
    }
    first = build_backward(ys, xs, kind="hessians", **options)
    return [
        _block(x, gradient, options) for x, gradient in zip(first.xs, first.results, strict=True)
    ]


def _block(x: Tensor, gradient: AnyGradient | None, options: dict[str, Any]) -> Tensor:
    if gradient is None:
        raise ArgumentError(
            f"None values not supported: no y depends on {x.name}, so it has no Hessian"
        )
    found = build_jacobians(gradient.as_tensor(), [x], name="hessian", dims=x.dims, **options)[0]
    if found is None:
        raise ArgumentError(
            f"None values not supported: the gradient by {x.name} does not depend on {x.name} "
            "(the ys are linear in it), so its derivative is None"
        )
    return found


def hessian_vector_product(ys: Any, xs: Sequence[Any], v: Sequence[Any]) -> list[Any]:
    """Return the product of the Hessian of the sum of ys and a vector, by two backward passes.

    The vector is multiplied onto the gradient and the product is differentiated again; the
    Hessian itself is never built.

    Args:
        ys: a tensor or a list of them.
        xs: tensors or variables.
        v: one vector per x, of the shape of the x; treated as a constant.

    Returns:
        One tensor per x, of its shape, or None.

    Raises:
        ArgumentError: not one vector per x.

    Source: B. A. Pearlmutter, "Fast Exact Multiplication by the Hessian", Neural Computation 6(1),
        1994: H v = d(g · v)/dx.
    """
    if len(xs) != len(v):
        raise ArgumentError(
            f"xs and v must have the same length, one vector per x (got {len(xs)} and {len(v)})"
        )
    graph = graph_of([ys, *xs])
    first = build_backward(ys, list(xs), kind="hessians")
    products = []
    for gradient, vector in zip(first.results, v, strict=True):
        if gradient is not None:
            dense = gradient.as_tensor()
            constant = to_tensor(vector, graph, hint=dense.dtype)
            stopped = graph.create_op("StopGradient", [constant]).outputs[0]
            products.append(dense * stopped)
    return list(build_backward(products, list(xs), kind="inner").results)


__all__ = ["hessian_vector_product", "hessians"]
