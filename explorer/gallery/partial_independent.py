"""Partial derivatives of independent inputs.

Stopping at a, b and c cuts nothing here: there is nothing upstream of them.
"""

import engine as tf

tf.disable_v2_behavior()

a = tf.constant(1.0, name="a")
b = tf.constant(1.0, name="b")
c = tf.constant(1.0, name="c")
y = 5.0 * a + 3.0 * b + 2.0 * c

partial = tf.gradients([y], [a, b, c], stop_gradients=[a, b, c])

with tf.Session() as sess:
    print(sess.run(partial))
