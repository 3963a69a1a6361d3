"""`python -m tests.random_programs --count 5000 --seed N`: check that many random programs.

Every failure is printed with its seed and its program; `--seed S --count 1`, with the same
`--size`, repeats it, and `--replay FILE` checks a program that was printed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.random_programs.checks import fault
from tests.random_programs.generator import SIZE, random_program
from tests.random_programs.program import Program, from_text
from tests.random_programs.reduce import reduced

MOST_SKIPPED = 0.1
"""The largest part of entries that may be left out for being near a kink."""


def too_many_skipped(counts: Counter[str]) -> list[str]:
    """Return a sentence for each kind of comparison of which too much was left out."""
    kinds = {
        "entries skipped": "entries compared with differences",
        "second-order entries skipped": "second-order entries compared",
    }
    return [
        f"too many {skipped}: {counts[skipped]} beside {counts[compared]} compared"
        for skipped, compared in kinds.items()
        if counts[skipped] > MOST_SKIPPED * (counts[skipped] + counts[compared])
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Check programs; return 1 when one of them failed, or too much was skipped."""
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="of the first; each has the next one")
    parser.add_argument("--size", type=int, default=SIZE, help="productions of a program, at most")
    parser.add_argument("--replay", metavar="FILE", help="check a printed program instead")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    if options.replay:
        try:
            program = from_text(Path(options.replay).read_text(encoding="utf-8"))
        except (OSError, ValueError, KeyError) as error:
            parser.error(f"cannot read {options.replay}: {error!r}")
        failed, total = int(_reported("replay", program, counts)), 1
    else:
        failed = 0
        for seed in range(options.seed, options.seed + options.count):
            program = random_program(random.Random(seed), options.size)
            failed += _reported(f"seed {seed}", program, counts)
        total = options.count
    skipped = [] if options.replay else too_many_skipped(counts)
    for line in (*(f"{number} {what}" for what, number in sorted(counts.items())), *skipped):
        print(line)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed or skipped else 0


def _kind(program: Program) -> str | None:
    found = fault(program)
    return None if found is None else found.kind


def _reported(name: str, program: Program, counts: Counter[str]) -> bool:
    """Check a program; print and return whether it failed."""
    wrong = fault(program, counts)
    if wrong is None:
        return False
    smaller = reduced(program, lambda candidate: _kind(candidate) == wrong.kind)
    shown = fault(smaller) or wrong
    print(f"FAILED {name}, {shown.text}\n{smaller.to_text()}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
