"""One rule, two inputs.

A rule returns one gradient per input: two contributions leave the subtraction.
"""

import engine as tf

tf.disable_v2_behavior()


@tf.RegisterGradient("MySub")
def my_sub_grad(op, grad):
    """d(a - b)/da = 1 and d(a - b)/db = -1."""
    return grad, tf.negative(grad)


a = tf.constant(5.0, name="a")
b = tf.constant(3.0, name="b")
with tf.get_default_graph().gradient_override_map({"Sub": "MySub"}):
    y = tf.subtract(a, b, name="y")

dy = tf.gradients(y, [a, b])

with tf.Session() as sess:
    print("y =", sess.run(y))
    print("dy/da, dy/db =", sess.run(dy))
