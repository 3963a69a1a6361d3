"""One variable, used three times.

Each use contributes, and contributions add up: 3 + 3 + 5 = 11.
"""

import engine as tf

x = tf.Variable(3.0, name="x")

with tf.GradientTape() as tape:
    square = x * x  # two uses, one for each factor
    y = square + 5.0 * x  # and the third

slope = tape.gradient(y, x)

print("y =", y.numpy())
print("dy/dx =", slope.numpy())
