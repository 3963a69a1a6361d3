"""A smaller program that still fails, to be read by a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.random_programs.program import Program


def reduced(program: Program, fails: Callable[[Program], bool]) -> Program:
    """Return a program that fails as well, with fewer ys, xs, stops and steps where possible."""
    best = program
    while (smaller := next((p for p in _smaller(best) if fails(p)), None)) is not None:
        best = smaller
    return best


def _smaller(program: Program) -> Iterator[Program]:
    """Yield programs with one thing less."""
    pruned = program.pruned()
    if len(pruned.steps) < len(program.steps):
        yield pruned
    for name in ("ys", "xs", "stops"):
        numbers = getattr(program, name)
        for k in range(len(numbers)):
            if name == "stops" or len(numbers) > 1:
                yield replace(program, **{name: numbers[:k] + numbers[k + 1 :]})
    yield from _earlier_ends(program)
    yield from _cut_off(program)


def _earlier_ends(program: Program) -> Iterator[Program]:
    """Yield programs in which a y is replaced by an input of its step."""
    producers = program.producers
    for k, y in enumerate(program.ys):
        for tensor in program.steps[producers[y]].inputs:
            yield replace(program, ys=(*program.ys[:k], tensor, *program.ys[k + 1 :])).pruned()


def _cut_off(program: Program) -> Iterator[Program]:
    """Yield programs in which a step is left out: its first input stands for its only output."""
    for first, step in zip(program.firsts, program.steps, strict=True):
        if step.outputs == 1 and step.inputs:
            yield _replaced(program, first, step.inputs[0])


def _replaced(program: Program, number: int, other: int) -> Program:
    def renamed(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(other if k == number else k for k in numbers)

    steps = [replace(step, inputs=renamed(step.inputs)) for step in program.steps]
    ends = (program.ys, tuple(dict.fromkeys(renamed(program.xs))), program.stops)
    return Program(tuple(steps), *map(renamed, ends)).pruned()
