"""TensorFlow's face: every name is there, and no module of ours hides one."""

from __future__ import annotations

import subprocess
import sys

import engine as tf

IMPORT_ALL = """
import importlib, pkgutil
import engine
before = {name: getattr(engine, name) for name in engine.__all__}
for module in pkgutil.walk_packages(engine.__path__, "engine."):
    importlib.import_module(module.name)
print([name for name in before if getattr(engine, name) is not before[name]])
"""


def test_importing_a_module_of_ours_hides_no_function() -> None:
    """A module `engine/zeros.py` that is imported late would take the place of `tf.zeros`."""
    answer = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"


def test_the_names_of_the_design() -> None:
    names = (
        "constant placeholder Variable Graph Operation Tensor Session gradients hessians "
        "stop_gradient GradientTape RegisterGradient NotDifferentiable custom_gradient "
        "AggregationMethod UnconnectedGradients control_dependencies name_scope get_default_graph "
        "reset_default_graph global_variables_initializer assign"
    )
    assert [name for name in names.split() if not hasattr(tf, name)] == []
    assert callable(tf.test.compute_gradient)
    assert callable(tf.train.GradientDescentOptimizer)


def test_version_1_is_the_same_face() -> None:
    assert tf.compat.v1.gradients is tf.gradients
    assert tf.compat.v1.placeholder is tf.placeholder
    x = tf.compat.v1.placeholder(tf.float32, [])
    with tf.compat.v1.Session() as session:
        assert session.run(x * 2.0, {x: 3.0}) == 6
