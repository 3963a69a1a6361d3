"""A gradient function of your own.

The rule stands under a new name; the override makes y use it, while z keeps the built-in one.
"""

import engine as tf

tf.disable_v2_behavior()


@tf.RegisterGradient("MySquare")
def my_square_grad(op, grad):
    """d(x*x)/dx = 2x, times the gradient that arrives from above."""
    x = op.inputs[0]
    # Nothing in here is computed before the upstream gradient is there.
    with tf.control_dependencies([grad.op]):
        x = tf.math.conj(x)
        return grad * (2.0 * x)


x = tf.constant(3.0, name="x")
with tf.get_default_graph().gradient_override_map({"Square": "MySquare"}):
    y = tf.square(x, name="y")
z = tf.square(x, name="z")

own = tf.gradients(y, x)
built_in = tf.gradients(z, x)

with tf.Session() as sess:
    print("own rule:", sess.run(own))  # 2 * 3
    print("built-in rule:", sess.run(built_in))
