"""A random program: leaves, steps by random productions, and random ys, xs and stops."""

from __future__ import annotations

import random

from tests.random_programs.draft import Draft
from tests.random_programs.productions import PRODUCTIONS, leaf
from tests.random_programs.program import Program

SIZE = 8


def random_program(rng: random.Random, size: int = SIZE) -> Program:
    """Return a program; the same one for the same state of `rng`.

    Args:
        size: how many productions it has at most, each of which adds one step or a few.
    """
    draft = Draft(rng)
    for _ in range(rng.randrange(1, 4)):
        leaf(draft)
    choices = [production for production, weight in PRODUCTIONS.items() for _ in range(weight)]
    for _ in range(rng.randrange(1, size + 1)):
        draft.attempt(rng.choice(choices))
    floats = [k for k, value in enumerate(draft.values) if value.dtype.kind in "fc"][::-1]
    ys = [rng.choice(floats[:3])]
    for _ in range(rng.randrange(3)):
        ys.append(rng.choice(floats))
    steps = tuple(draft.steps)
    whole = Program(steps, tuple(ys), ())
    needed, producers = whole.needed(), whole.producers
    above = [k for k in floats if producers[k] in needed and k not in draft.hidden] or floats[-1:]
    leaves = [k for k in above if steps[producers[k]].op == "Placeholder"][::-1] or above[-1:]
    xs = rng.sample(leaves, rng.randrange(1, len(leaves) + 1))
    xs += [rng.choice(above) for _ in range(rng.randrange(3))]
    stops = [rng.choice(above) for _ in range(rng.choice((0, 0, 0, 1, 2, 3)))]
    return Program(steps, tuple(ys), tuple(dict.fromkeys(xs)), tuple(dict.fromkeys(stops)))
