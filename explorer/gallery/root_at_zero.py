"""A root at zero.

The slope of a root at 0 is infinite; times the 0 of the square inside it is NaN.
"""

import engine as tf

s = tf.Variable(0.0, name="s")
x = tf.Variable([0.0, 0.0], name="x")

with tf.GradientTape(persistent=True) as tape:
    root = tf.sqrt(s)
    square = tf.reduce_sum(x * x)
    length = tf.sqrt(square)

at_zero = tape.gradient(root, s)
of_length = tape.gradient(length, x)
of_square = tape.gradient(square, x)  # ask for the square instead: no root, no trouble

print("root:", at_zero.numpy())
print("length:", of_length.numpy())
print("squared length:", of_square.numpy())
