"""One backward pass for a stack of seeds: the gradients of all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.reachability import Recorded
from engine.rebuild import Rebuild, draft_backward
from engine.tensor import Tensor


def gradient_rows(
    target: Tensor,
    sources: Sequence[Tensor],
    seeds: Callable[[], Tensor],
    count: int,
    scope: str,
    *,
    recorded: Recorded | None = None,
    colocate: bool = False,
    gate: bool = False,
    aggregation_method: int | None = None,
) -> list[Tensor | None] | None:
    """Return for each source its gradients for all seeds, None where no way leads to it.

    What does not depend on the seed, the local derivatives, is made once. All that is made are
    ordinary operations, so it can be differentiated again.

    Args:
        target: the tensor to differentiate.
        sources: what to differentiate by.
        seeds: makes the stack of initial gradients, `[count, *target.shape]`; called once, and
            only if a source is reached.
        count: the number of seeds.
        scope: the name scope of what is made.
        recorded: what a tape recorded; None means everything.
        colocate: as in `gradients`, as are the following.

    Returns:
        Per source `[count, *source.shape]` or None; None for all if there is no way to do it at
        once: a gradient function depends on its own graph, or placement or gates are asked for.
    """
    if colocate or gate:
        return None
    options: dict[str, Any] = {"kind": "inner", "aggregation_method": aggregation_method}
    draft = draft_backward([target], sources, recorded=recorded, **options)
    if draft is None:
        return None
    results = [found for found in draft.results if found is not None]
    if not results:
        return [None] * len(sources)
    if not Rebuild(draft, target.graph, {}, scope).possible(results):
        return None
    seed = draft.seeds[0]
    assert seed is not None
    rebuild = Rebuild(draft, target.graph, {seed: seeds()}, scope, rows=count)
    made = iter(rebuild.make(results))
    return [None if found is None else next(made) for found in draft.results]
