"""Ten sigmoids in a row.

Each passes on less than a quarter; the gradient that arrives is 4e-7: not None, not 0.
"""

import engine as tf

x = tf.Variable(0.0, name="x")

with tf.GradientTape() as tape:
    y = x
    for _ in range(10):
        y = tf.sigmoid(y)

slope = tape.gradient(y, x)

print("y =", y.numpy())
print("dy/dx =", slope.numpy())
