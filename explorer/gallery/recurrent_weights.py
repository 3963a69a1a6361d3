"""A recurrent cell that reuses its weight.

The same w acts at three times; its gradient adds three contributions, the oldest through all.
"""

import engine as tf

w = tf.Variable(0.5, name="w")
u = tf.Variable(1.0, name="u")
h = tf.constant(0.2, name="h")
inputs = [1.0, -0.5, 0.25]

with tf.GradientTape() as tape:
    for value in inputs:
        h = tf.tanh(w * h + u * value)
    loss = tf.square(h)

dw, du = tape.gradient(loss, [w, u])

print("loss =", loss.numpy())
print("dloss/dw =", dw.numpy())
print("dloss/du =", du.numpy())
