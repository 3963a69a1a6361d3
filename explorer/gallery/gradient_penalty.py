"""A gradient in the loss.

The penalty holds the length of dD/dx near 1; its own gradient needs second derivatives of tanh.
"""

import engine as tf

x = tf.constant([[0.5], [-1.0]], name="x")
W = tf.Variable([[0.3, -0.6], [0.8, 0.1]], name="W")
v = tf.Variable([[1.0], [-0.5]], name="v")

with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)
        D = tf.reduce_sum(v * tf.tanh(tf.matmul(W, x)))
    g = inner.gradient(D, x)
    length = tf.sqrt(tf.reduce_sum(tf.square(g)))
    penalty = tf.square(length - 1.0)

dw, dv = outer.gradient(penalty, [W, v])

print("penalty =", penalty.numpy())
print("dw:", dw.numpy().tolist())
print("dv:", dv.numpy().tolist())
