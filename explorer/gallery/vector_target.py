"""A target with three elements.

The gradient of a vector is that of its sum; output_gradients picks or weights its elements.
"""

import engine as tf

x = tf.Variable([1.0, 2.0, 3.0], name="x")
first = tf.constant([1.0, 0.0, 0.0], name="first")

with tf.GradientTape(persistent=True) as tape:
    y = x * x

of_sum = tape.gradient(y, x)
of_first = tape.gradient(y, x, output_gradients=first)

print("of the sum:", of_sum.numpy())
print("of the first:", of_first.numpy())
