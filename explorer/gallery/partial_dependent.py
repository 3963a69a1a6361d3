"""Partial derivatives of inputs that depend on each other.

The stops cut the edges from a to b and from b to c, so each input counts only itself.
"""

import engine as tf

tf.disable_v2_behavior()

a = tf.constant(1.0, name="a")
b = 2.0 * a
c = 3.0 * b

partial = tf.gradients([a + b + c], [a, b, c], stop_gradients=[a, b, c])

with tf.Session() as sess:
    print(sess.run(partial))
