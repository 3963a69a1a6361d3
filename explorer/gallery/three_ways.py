"""Numeric, symbolic and automatic differentiation.

One derivative, three costs: differences are inexact, the formula swells, the graph stays small.
"""

import engine as tf

tf.disable_v2_behavior()


def f(x):
    """The map 4x(1 - x), three times over."""
    a = 4.0 * x * (1.0 - x)
    b = 4.0 * a * (1.0 - a)
    return 4.0 * b * (1.0 - b)


def derivative(x):
    """The same function multiplied out and differentiated as a formula, by the product rule."""
    p, q = 1.0 - 2.0 * x, 1.0 - 8.0 * x + 8.0 * x * x
    return (
        64.0 * (1.0 - x) * p * p * q * q
        - 64.0 * x * p * p * q * q
        - 256.0 * x * (1.0 - x) * p * q * q
        + 128.0 * x * (1.0 - x) * (16.0 * x - 8.0) * p * p * q
    )


def size():
    return len(tf.get_default_graph().get_operations())


x = tf.placeholder(tf.float32, [], name="x")
y = f(x)
forward = size()
automatic = tf.gradients(y, x)[0]
backward = size() - forward

with tf.Graph().as_default():
    derivative(tf.constant(0.2))
    symbolic = size()

with tf.Session() as sess:
    delta = 0.001
    numeric = (sess.run(y, {x: 0.2 + delta}) - sess.run(y, {x: 0.2 - delta})) / (2 * delta)
    print("numeric:", numeric, "- two evaluations for each input")
    print("symbolic:", derivative(0.2), "-", symbolic, "operations for the derivative alone")
    print("automatic:", sess.run(automatic, {x: 0.2}), "-", forward, "forward,", backward, "back")
