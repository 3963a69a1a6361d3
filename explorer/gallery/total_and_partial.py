"""Total against partial derivatives.

The total 9 = 1 + 2 + 6 follows every path from y to a; the partial 1 keeps the direct one only.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(1.0, name="x")
a = 12.0 * x
b = 2.0 * a
c = 3.0 * b
y = a + b + c

# Through a go three paths: directly, by way of b, and by way of b and c.
total = tf.gradients(y, [a, b, c])
# The stops hold a, b and c constant while the others change.
partial = tf.gradients(y, [a, b, c], stop_gradients=[a, b, c])

with tf.Session() as sess:
    print("total:", sess.run(total))
    print("partial:", sess.run(partial))
