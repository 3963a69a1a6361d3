"""Programs in TensorFlow's vocabulary, version 1 and 2, as they stand in articles."""

# ruff: noqa: E501 - a program stands on few lines

from __future__ import annotations

import pytest

import engine as tf
from engine import registry
from explorer.program import Budget, BudgetError, Program, ProgramError, run

STOP = """import tensorflow as tf

w = tf.constant(2.0)
x = tf.constant(3.0)
h = w * x
y = (h * h
     + tf.stop_gradient(h) * 5 + x)
dx, = tf.gradients(y, [x])
with tf.Session() as sess:
    print sess.run([y, dx])
"""

REGISTERED = """import tensorflow as tf
from tensorflow.python.framework import ops
from tensorflow.python.ops import math_ops

@ops.RegisterGradient("MySquare")
def _my_square_grad(op, grad):
    x = op.inputs[0]
    with ops.control_dependencies([grad.op]):
        x = math_ops.conj(x)
        return grad * (2.0 * x)

x = tf.constant(3.0)
with tf.get_default_graph().gradient_override_map({"Square": "MySquare"}):
    y = tf.square(x)
dy = tf.gradients(y, x)
print(tf.Session().run(dy))
"""


def _values(program: Program) -> list[float]:
    (question,) = program.questions
    return [float(result.numpy()) for result in question.backward.results]


def test_version_1_with_python_2_print() -> None:
    program = run(STOP)
    # d/dx of (wx)² + x with the other use stopped: 2·w²·x + 1
    assert program.printed == ("[69.0, 25.0]",)
    assert _values(program) == [25.0]
    assert program.questions[0].backward.kind == "gradients"


def test_every_operation_has_the_line_of_its_statement() -> None:
    program = run(STOP)
    lines = {op.type: op.line for op in program.graph.operations if not op.role}
    assert lines["StopGradient"] == 6
    assert {program.labels[op.outputs[0]]: op.line for op in program.graph.operations
            if op.outputs and op.outputs[0] in program.labels} == {
        "w": 3, "x": 4, "h": 5, "y": 6, "dx": 8}  # fmt: skip
    assert program.questions[0].backward.line == 8


def test_operation_made_in_a_function_has_the_line_inside() -> None:
    program = run(
        "import tensorflow as tf\nx = tf.constant(2.0)\ndef f(v):\n    return tf.sin(v)\n"
        "y = f(x) * tf.cos(x)\nz = (lambda v:\n     tf.exp(v))(x) + 1.0\n"
    )
    lines = {op.type: op.line for op in program.graph.operations}
    assert (lines["Sin"], lines["Cos"], lines["Mul"], lines["Exp"]) == (4, 5, 5, 6)


def test_placeholders_are_fed() -> None:
    program = run(
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "x = tf.placeholder(tf.float32, shape=[None], name='x')\ny = tf.reduce_sum(x ** 3.0)\n"
        "g = tf.gradients(y, x)[0]\nsess = tf.Session()\n"
        "for v in [1.0, 2.0]:\n    print(sess.run(g, feed_dict={x: [v, -v]}))\n"
    )
    assert program.printed == ("[3. 3.]", "[12. 12.]")
    assert [list(value) for value in program.graph.feeds.values()] == [[2.0, -2.0]]


def test_version_2_with_a_tape() -> None:
    program = run(
        "import tensorflow as tf\nx = tf.Variable(initial_value=3.)\n"
        "with tf.GradientTape() as tape:\n    y = tf.square(x)\ndy = tape.gradient(y, x)\n"
        "print(y.numpy(), dy.numpy(), f'{dy:.2f} {float(dy)}')\nprint([y, dy])\n"
    )
    assert program.printed == (
        "9.0 6.0 6.00 6.0",
        "[<tf.Tensor: shape=(), dtype=float32, numpy=9.0>, "
        "<tf.Tensor: shape=(), dtype=float32, numpy=6.0>]",
    )
    assert [question.backward.kind for question in program.questions] == ["tape"]


def test_a_registered_gradient_belongs_to_its_run() -> None:
    before = registry.current().names()
    for _ in range(2):
        assert run(REGISTERED).printed == ("[6.0]",)
    assert registry.current().names() == before


def test_a_registered_gradient_works_after_the_run() -> None:
    program = run(REGISTERED)
    y, x = program.names["y"], program.names["x"]
    for _ in range(2):
        (again,) = tf.gradients(y, x)
        assert float(again.numpy()) == 6.0


def test_source_of_a_registered_gradient() -> None:
    function = run(REGISTERED).functions["_my_square_grad"]
    assert function.line == 5
    assert function.source.startswith('@ops.RegisterGradient("MySquare")\ndef _my_square_grad(op')
    assert function.source.endswith("        return grad * (2.0 * x)")


def test_a_function_called_after_the_run_has_a_budget_of_its_own() -> None:
    program = run(
        "def f(n):\n    while n:\n        n = n - 1\n    return 7\n", Budget(statements=50)
    )
    function = program.functions["f"]
    assert [function(10), function(10)] == [7, 7]
    with pytest.raises(BudgetError, match="more than 50 statements") as caught:
        function(-1)
    assert caught.value.line in (2, 3)
    with pytest.raises(ProgramError, match="missing a required argument"):
        function()


def test_custom_gradient() -> None:
    program = run(
        "import tensorflow as tf\n@tf.custom_gradient\ndef clipped(x):\n    def grad(dy):\n"
        "        return tf.clip_by_value(dy, -1.0, 1.0)\n    return tf.identity(x), grad\n"
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = 5.0 * clipped(x)\n"
        "print(tape.gradient(y, x).numpy())\n"
    )
    assert program.printed == ("1.0",)


def test_gradients_in_a_graph_of_the_programs_own() -> None:
    program = run(
        "import tensorflow as tf\ng = tf.Graph()\nwith g.as_default():\n    x = tf.constant(2.0)\n"
        "    d = tf.gradients(x * x, x)\nwith tf.Session(graph=g) as sess:\n    print(sess.run(d))\n"
    )
    assert program.printed == ("[4.0]",)
    assert program.graph is program.questions[0].backward.graph
    assert program.graph.size_in_operations > 0


def test_second_derivatives_with_nested_tapes() -> None:
    program = run(
        "import tensorflow as tf\nx = tf.Variable(3.0)\nwith tf.GradientTape() as outer:\n"
        "    with tf.GradientTape() as inner:\n        y = x ** 3\n    d = inner.gradient(y, x)\n"
        "print(outer.gradient(d, x).numpy())\n"
    )
    assert program.printed == ("18.0",)
    assert [question.backward.line for question in program.questions] == [6, 7]


def test_gradient_descent_reaches_the_minimum() -> None:
    program = run(
        "import tensorflow as tf\nimport numpy as np\nw = tf.Variable(0.0)\n"
        "loss = tf.reduce_mean(tf.square(w * np.array([1., 2.], np.float32) - [3., 6.]))\n"
        "step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    for i in range(50):\n        _, value = sess.run([step, loss])\n"
        "    print('%.3f %.3f' % (sess.run(w), value))\n"
    )
    assert program.printed == ("3.000 0.000",)


def test_errors_of_the_engine_keep_their_sentence_and_can_be_caught() -> None:
    text = "import tensorflow as tf\na = tf.constant([1., 2.])\nb = tf.constant([1., 2., 3.])\n"
    with pytest.raises(ProgramError, match="AddV2: sizes must be equal or 1") as caught:
        run(text + "c = a + b\n")
    assert caught.value.line == 4
    program = run(text + "try:\n    a + b\nexcept ValueError as e:\n    print('no', e)\n")
    assert program.printed[0].startswith("no AddV2: sizes must be equal")


def test_random_numbers_repeat_and_follow_the_seed() -> None:
    text = (
        "import tensorflow as tf\nimport numpy as np\n"
        "print(np.random.rand(2), np.random.default_rng().normal(), tf.random.normal([2]).numpy())\n"
    )
    first = run(text)
    assert first.seed == 0
    assert run(text).printed == first.printed
    assert run(text, seed=1).printed != first.printed


def test_the_default_graph_outside_is_left_alone() -> None:
    outside = tf.get_default_graph()
    size = outside.size_in_operations
    run("import tensorflow as tf\ntf.reset_default_graph()\nx = tf.constant(1.0)\n"
        "sess = tf.InteractiveSession()\n")  # fmt: skip
    assert tf.get_default_graph() is outside
    assert outside.size_in_operations == size


def test_the_graph_is_an_ordinary_one_after_the_run() -> None:
    program = run("import tensorflow as tf\nx = tf.constant(1.0)", Budget(operations=2))
    x = program.names["x"]
    for _ in range(5):
        x = x + 1.0
    assert float(x.numpy()) == 6.0


def test_fed_values_are_measured_before_anything_is_computed() -> None:
    text = (
        "import tensorflow as tf\nimport numpy as np\nx = tf.placeholder(tf.float32, [None])\n"
        "y = tf.reduce_sum(x[:, tf.newaxis] * x)\nz = tf.reduce_sum(x)\nones = np.ones(100_000)\n"
        "with tf.Session() as sess:\n    print(sess.run(z, {x: ones}), y.eval({x: ones[:10]}))\n"
    )
    assert run(text).printed == ("100000.0 100.0",)
    for call in ("sess.run([y], feed_dict={x: ones})", "y.eval({x: ones})"):
        with pytest.raises(BudgetError, match="with the values fed would have 10,000,000,000"):
            run(f"{text}    {call}\n")


def test_a_gradient_registered_twice_names_the_line() -> None:
    rule = "@tf.RegisterGradient('Mine')\ndef rule(op, grad):\n    return grad\n"
    with pytest.raises(ProgramError, match="the program:2") as caught:
        run(f"import tensorflow as tf\n{rule}{rule}")
    assert caught.value.line == 5


def test_print_options_end_with_the_run() -> None:
    text = "import numpy as np\nprint(np.array([1 / 3]))\n"
    short = run("import numpy as np\nnp.set_printoptions(precision=2)\n" + text)
    assert short.printed == ("[0.33]",)
    assert run(text).printed == ("[0.33333333]",)
