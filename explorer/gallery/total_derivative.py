"""The total derivative.

z depends on x through u and through v: each path is a product, and the two are summed.
"""

import engine as tf

x = tf.Variable(1.0, name="x")

with tf.GradientTape() as tape:
    u = tf.square(x)
    v = tf.sin(x)
    z = u * v

dz_dx = tape.gradient(z, x)

print("z =", z.numpy())
print("dz/dx =", dz_dx.numpy())  # v * 2x + u * cos(x)
