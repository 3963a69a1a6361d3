"""DOT to a picture: the only place that runs Graphviz, always in a process of its own.

A separate process because some graphs make Graphviz abort (an assertion) or run for minutes:
neither may reach the caller. An engine that fails is followed by the next one, a layout that
takes too long by a cheaper one, and only when nothing is left by an error of one sentence.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError
from explorer.svg import finish

ENGINE_VARIABLE = "GRADIENT_EXPLORER_DOT"
DEFAULT_TIMEOUT = 20.0
FORMATS = ("svg", "png", "pdf")
_PURE = "graphviz-pure"
_PURE_FORMATS = ("svg", "png")
_CACHED_PICTURES = 128
# Each rung makes the layout cheaper than the one before; names say what was given up.
_RUNGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ()),
    ("straight edges", ("-Gsplines=line",)),
    (
        "straight edges, rough layout",
        ("-Gsplines=line", "-Gmclimit=0.1", "-Gnslimit=0.5", "-Gnslimit1=2"),
    ),
)


class LayoutError(EngineError, RuntimeError):
    """Graphviz is missing, failed, or took too long."""


@dataclass(frozen=True)
class Engine:
    """One Graphviz executable."""

    path: str
    name: str
    version: str

    @property
    def label(self) -> str:
        """Name and version in one phrase, as recorded in pictures."""
        return f"{self.name} {self.version}".strip()


@dataclass(frozen=True)
class Picture:
    """What an engine drew.

    Attributes:
        data: The file's bytes.
        format: ``"svg"``, ``"png"`` or ``"pdf"``.
        engine: Name and version of the engine that made it.
        reduced: What the layout had to give up to finish in time; empty for nothing.
    """

    data: bytes
    format: str
    engine: str
    reduced: str = ""

    @property
    def text(self) -> str:
        """The SVG as text.

        Raises:
            LayoutError: when the picture is not an SVG.
        """
        if self.format != "svg":
            raise LayoutError(f"a {self.format} picture has no text, render it as svg instead")
        return self.data.decode("utf-8")


def render(dot: str, format: str = "svg", timeout: float = DEFAULT_TIMEOUT) -> Picture:
    """Lay out a DOT text and draw it.

    SVG is post-processed (see ``svg.finish``): self-contained, accessible, and the same bytes
    for the same text and engine. Pictures are cached by their DOT text.

    Args:
        dot: DOT text, as ``dot.to_dot`` writes it.
        format: ``"svg"``, ``"png"`` or ``"pdf"``.
        timeout: Seconds for all attempts together.

    Raises:
        LayoutError: when no engine is found, none can write the format, all fail, or time
            runs out.
    """
    if format not in FORMATS:
        raise LayoutError(f"unknown picture format '{format}', choose one of {', '.join(FORMATS)}")
    return _draw(dot, format, timeout, engines(format))


def digest(dot: str) -> str:
    """Return a short key of a DOT text, the same in every process.

    >>> digest("digraph {}")
    'cdffdece7b997411'
    """
    return hashlib.sha256(dot.encode("utf-8")).hexdigest()[:16]


def engines(format: str = "svg") -> tuple[Engine, ...]:
    """List the engines that can write a format, best first.

    The executable named by the environment variable ``GRADIENT_EXPLORER_DOT`` excludes all
    others. Otherwise SVG prefers ``graphviz-pure``, whose layout is the same on every machine,
    and other formats prefer a system ``dot``, which has the system's fonts and writes PDF.

    Raises:
        LayoutError: when there is none.
    """
    override = os.environ.get(ENGINE_VARIABLE)
    if override:
        path = shutil.which(override)
        if path is None:
            raise LayoutError(
                f"{ENGINE_VARIABLE} names '{override}', which is not an executable, "
                "correct it or remove it"
            )
        return (_describe(path),)
    beside = shutil.which(_PURE, path=str(Path(sys.executable).parent))
    pure = [path for path in (beside or shutil.which(_PURE),) if path]
    system = [path for path in (shutil.which("dot"),) if path]
    if not pure and not system:
        raise LayoutError(
            "no Graphviz found, run 'pip install graphviz-pure' or install Graphviz's dot"
        )
    order = [*pure, *system] if format == "svg" else [*system, *pure]
    able = [path for path in order if path not in pure or format in _PURE_FORMATS]
    if not able:
        raise LayoutError(
            f"{_PURE} does not write {format}, install Graphviz's dot or choose svg or png"
        )
    return tuple(_describe(path) for path in able)


@functools.lru_cache(maxsize=_CACHED_PICTURES)
def _draw(dot: str, format: str, timeout: float, candidates: tuple[Engine, ...]) -> Picture:
    """Climb down the ladder until an engine draws the picture."""
    deadline = time.monotonic() + timeout
    failures: list[str] = []
    for rung, (reduced, options) in enumerate(_RUNGS):
        remaining_rungs = len(_RUNGS) - rung
        for engine in candidates:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            share = left if remaining_rungs == 1 else left / 2
            try:
                data = _run(engine, dot, format, options, share)
            except subprocess.TimeoutExpired:
                failures.append(f"{engine.label} took longer than {share:.1f} s")
                break
            except (OSError, LayoutError) as error:
                failures.append(f"{engine.label} failed: {error}")
                continue
            if format == "svg":
                data = finish(data.decode("utf-8"), engine.label, reduced).encode("utf-8")
            return Picture(data, format, engine.label, reduced)
    raise LayoutError(
        f"the picture could not be laid out within {timeout:g} s, fold or shorten the graph "
        f"({'; '.join(dict.fromkeys(failures)) or 'no time was left'})"
    )


def _run(engine: Engine, dot: str, format: str, options: tuple[str, ...], seconds: float) -> bytes:
    """Run one engine once; the process is killed when its time is over."""
    done = subprocess.run(
        [engine.path, f"-T{format}", *options],
        input=dot.encode("utf-8"),
        capture_output=True,
        timeout=seconds,
        check=False,
    )
    if done.returncode != 0 or not done.stdout:
        raise LayoutError(_first_complaint(done.stderr, done.returncode))
    return done.stdout


def _first_complaint(stderr: bytes, code: int) -> str:
    """Pick the line of an engine's output that says what went wrong."""
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines()]
    errors = [line for line in lines if line and not line.startswith(("Warning", "in label"))]
    return errors[0] if errors else f"exit code {code}"


@functools.cache
def _describe(path: str) -> Engine:
    """Ask an executable who it is; a silent one is known by its file name."""
    fallback = Engine(path, Path(path).stem, "")
    try:
        done = subprocess.run([path, "-V"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return fallback
    words = (done.stdout + done.stderr).decode("utf-8", "replace").split()
    if "version" not in words[:-1]:
        return fallback
    name = _PURE if _PURE in words[:1] else "dot"
    return Engine(path, name, words[words.index("version") + 1])
