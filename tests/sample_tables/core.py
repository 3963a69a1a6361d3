"""Sample inputs for the ops that hold the graph together."""

from __future__ import annotations

from tests.sample_tables import Sample, spread

SAMPLES: dict[str, list[Sample]] = {
    "Identity": [Sample((spread(2, 3),)), Sample((spread(),)), Sample((spread(0, 3),))],
    "IdentityN": [Sample((spread(2, 3), spread(4, seed=1))), Sample((spread(),))],
    "StopGradient": [Sample((spread(2, 3),), order=0), Sample((spread(),), order=0)],
    "PlaceholderWithDefault": [Sample((spread(2, 3),), {"shape": None})],
}
