"""A factorization machine.

Two contributions to V: the square of the sum less the sum of squares, whose own parts cancel.
"""

import engine as tf

x = tf.constant([[1.0], [0.0], [2.0]], name="x")
w = tf.Variable([[0.2], [-0.1], [0.3]], name="w")
V = tf.Variable([[0.1, 0.4], [0.5, 0.5], [-0.2, 0.3]], name="V")

with tf.GradientTape() as tape:
    linear = tf.reduce_sum(w * x)
    parts = x * V
    pairs = 0.5 * tf.reduce_sum(tf.square(tf.reduce_sum(parts, axis=0)))
    own = 0.5 * tf.reduce_sum(tf.square(parts))
    y = linear + pairs - own

dw, dv = tape.gradient(y, [w, V])

print("y =", y.numpy())  # 0.8 + 2 * (-0.02 + 0.12)
print("dw:", dw.numpy().tolist())
print("dv:", dv.numpy().tolist())  # nothing for the feature that is 0
