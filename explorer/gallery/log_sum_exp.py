"""Log-sum-exp without overflow.

exp(1000) is infinite and spoils the gradient; less the largest score it is the softmax.
"""

import engine as tf

x = tf.Variable([1000.0, 0.0], name="x")

with tf.GradientTape(persistent=True) as tape:
    naive = tf.math.log(tf.reduce_sum(tf.exp(x)))
    top = tf.stop_gradient(tf.reduce_max(x))
    y = tf.math.log(tf.reduce_sum(tf.exp(x - top))) + top

overflown = tape.gradient(naive, x)
shifted = tape.gradient(y, x)

print("naive:", naive.numpy(), overflown.numpy())
print("shifted:", y.numpy(), shifted.numpy())
