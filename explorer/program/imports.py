"""Which modules a program may import, and what to write instead of the others."""

from __future__ import annotations

import ast
from typing import Any

from explorer.program.assignment import bind
from explorer.program.errors import ProgramError
from explorer.program.faces import Face
from explorer.program.interpreter import Interpreter
from explorer.program.math_face import functools_face, math_face
from explorer.program.numpy_face import numpy_face
from explorer.program.scopes import Frame
from explorer.program.tensorflow_face import tensorflow_face

_MODULES = {
    "tensorflow": tensorflow_face,
    "numpy": numpy_face,
    "math": math_face,
    "functools": functools_face,
}
_OTHER_NAMES = {"engine": "tensorflow"}

# Names under which TensorFlow's own files import each other; articles quote such files.
_INTERNAL = (
    "ops math_ops array_ops nn_ops gen_math_ops gen_array_ops gen_nn_ops constant_op dtypes "
    "control_flow_ops gradients gradients_impl gradients_util state_ops variables framework_ops "
    "gradient_checker gradient_checker_v2 random_ops tensor_shape tensor_util custom_gradient "
    "backprop session client linalg_ops resource_variable_ops variable_scope clip_ops"
)

_DRAWING = "the page draws the pictures; leave the plotting lines out, or print the numbers"
_FILES = "programs here read no files and see no machine; write the values into the program"
_CLOCK = "programs here do not measure time; leave those lines out"
_RANDOM = "use np.random, which is seeded so that the picture can be repeated"
_INSTEAD = {
    "keras": "write the model with tf.Variable, tf.matmul and tf.GradientTape",
    "tensorflow_datasets": "write a few numbers into the program",
    "matplotlib": _DRAWING,
    "pylab": _DRAWING,
    "seaborn": _DRAWING,
    "plotly": _DRAWING,
    "IPython": _DRAWING,
    "os": _FILES,
    "sys": _FILES,
    "pathlib": _FILES,
    "io": _FILES,
    "subprocess": _FILES,
    "pandas": _FILES,
    "time": _CLOCK,
    "datetime": _CLOCK,
    "timeit": _CLOCK,
    "random": _RANDOM,
    "torch": "write the program with TensorFlow's names, for example tf.GradientTape",
    "jax": "write the program with TensorFlow's names, for example tf.GradientTape",
    "autograd": "write the program with TensorFlow's names, for example tf.GradientTape",
    "scipy": "use np, math or tf.math",
    "sympy": "the page shows the formulas of the derivatives",
    "sklearn": "write a few numbers into the program",
    "itertools": "write a list comprehension",
    "collections": "use a list or a dictionary",
}
_IGNORED = frozenset({"__future__", "typing", "warnings", "six", "absl"})


def _module(it: Interpreter, path: str, line: int) -> Face:
    """Return the face of a module by its dotted name.

    Raises:
        ProgramError: the language does not have it.
    """
    parts = path.split(".")
    root = _OTHER_NAMES.get(parts[0], parts[0])
    if root not in _MODULES:
        instead = _INSTEAD.get(
            parts[0], "import only tensorflow, numpy and math, and write the rest yourself"
        )
        raise ProgramError(f"{parts[0]!r} cannot be imported; {instead}", line)
    face = it.modules.get(root)
    if face is None:
        face = it.modules[root] = _MODULES[root](it)
    if root == "tensorflow" and parts[1:2] == ["python"]:
        return face
    for part in parts[1:]:
        inner = face.member(part)
        if not isinstance(inner, Face):
            raise ProgramError(f"{path!r} is not a module; write `from ... import {part}`", line)
        face = inner
    return face


def import_modules(it: Interpreter, node: ast.Import, frame: Frame) -> None:
    """Carry out `import a.b as c`."""
    for alias in node.names:
        root = alias.name.split(".")[0]
        if root in _IGNORED:
            continue
        face = _module(it, alias.name, node.lineno)
        if alias.asname:
            bind(it, alias.asname, face, frame)
        else:
            bind(it, root, _module(it, root, node.lineno), frame)


def import_from(it: Interpreter, node: ast.ImportFrom, frame: Frame) -> None:
    """Carry out `from a import b as c`."""
    path = node.module or ""
    if node.level or not path:
        raise ProgramError("a program is one text; it cannot import its neighbours", node.lineno)
    if path.split(".")[0] in _IGNORED:
        return
    face = _module(it, path, node.lineno)
    for alias in node.names:
        if alias.name == "*":
            for name, value in face.members.items():
                if not name.startswith("_"):
                    bind(it, name, value, frame)
            continue
        bind(it, alias.asname or alias.name, _imported(it, face, path, alias.name), frame)


def _imported(it: Interpreter, face: Face, path: str, name: str) -> Any:
    if path.startswith("tensorflow.python") and name in _INTERNAL.split():
        return _module(it, "tensorflow", 0)
    try:
        return face.member(name)
    except AttributeError as error:
        raise ImportError(str(error)) from None
