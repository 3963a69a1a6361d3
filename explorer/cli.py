"""The explorer from a shell."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click

from engine.errors import EngineError
from explorer import run
from explorer.explanation import explain
from explorer.export import FORMATS, rendered, write
from explorer.optable import counts, op_rows
from explorer.picture import DIRECTIONS, THEMES, Look
from explorer.program.errors import ProgramError
from explorer.views import VIEWS


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """See how a gradient is computed."""


@main.command()
@click.argument("program", type=click.File("r", encoding="utf-8"))
@click.option("--view", type=click.Choice(list(VIEWS)), default="mirror", show_default=True)
@click.option("--theme", type=click.Choice(THEMES), default="light", show_default=True)
@click.option(
    "--question",
    "number",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Which gradient call of the program, counted from 1.",
)
@click.option("--x", "x", default=None, help="Name of the x whose path is marked.")
@click.option(
    "--path",
    "path",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Which path to that x is marked, counted from 1; 0 marks none.",
)
@click.option(
    "--direction",
    type=click.Choice(DIRECTIONS),
    default=None,
    help="Left to right or top to bottom; by default what can be read.",
)
@click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    default=None,
    help="Format of the picture; by default what the ending of the output says.",
)
@click.option(
    "-o", "--output", default="-", show_default=True, help="File to write; - is standard output."
)
def render(
    program: TextIO,
    view: str,
    theme: str,
    number: int,
    x: str | None,
    path: int,
    direction: str | None,
    format: str | None,
    output: str,
) -> None:
    """Draw a gradient that PROGRAM computes; - reads it from standard input.

    Example: python -m explorer render total.py --view mirror -o total.svg
    """
    chosen = format or (Path(output).suffix.removeprefix(".").lower() if output != "-" else "svg")
    if chosen not in FORMATS:
        raise click.BadParameter(
            f"{output!r} should end in .{', .'.join(FORMATS)}", param_hint="-o"
        )
    try:
        look = Look(view, theme, path=path - 1 if path else None, direction=direction)
        picture = _drawn(program.read(), look, number, x, chosen)
        if output == "-":
            sys.stdout.buffer.write(picture)
        else:
            write(Path(output), picture)
    except ProgramError as error:
        where = f"line {error.line}: " if error.line else ""
        raise click.ClickException(f"{where}{error.sentence}") from None
    except (EngineError, UnicodeDecodeError) as error:
        raise click.ClickException(str(error)) from None


def _drawn(text: str, look: Look, number: int, x: str | None, format: str) -> bytes:
    questions = run(text).questions
    if number > len(questions):
        raise click.ClickException(
            f"the program computes {len(questions)} gradients; there is no number {number}; "
            "add a call of tf.gradients or tape.gradient"
        )
    question = questions[number - 1]
    names = [question.name(tensor) for tensor in question.backward.xs]
    if x is not None and x not in names:
        raise click.ClickException(f"no x is called {x!r}; the xs are {', '.join(names)}")
    chosen = replace(look, x=names.index(x)) if x else look
    return rendered(explain(question), chosen, format)


@main.command()
@click.argument("pattern", default="")
@click.option("--counts", "only_counts", is_flag=True, help="Only count, beside TensorFlow's.")
def ops(pattern: str, only_counts: bool) -> None:
    """List the op types whose name contains PATTERN, all of them without one.

    Columns: type, number of inputs, formula, local derivatives or kind of gradient, definition.
    """
    if only_counts:
        click.echo(counts())
        return
    rows = [row for row in op_rows() if pattern.lower() in row.type.lower()]
    if not rows:
        raise click.ClickException(f"no op type contains {pattern!r}; leave it out to see all")
    table = [(row.type, row.inputs, row.formula, row.gradient, row.where) for row in rows]
    widths = [max(len(line[column]) for line in table) for column in range(4)]
    for line in table:
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=False)]
        click.echo("  ".join([*padded, line[-1]]))
    for row in rows:
        if row.corner and pattern:
            click.echo(f"{row.type}: {row.corner}")
