"""NumPy in the middle.

What NumPy computes comes back as a constant: of the gradient 27 of x cubed only 9 is left.
"""

import numpy as np

import engine as tf

x = tf.Variable(3.0, name="x")

with tf.GradientTape(persistent=True) as tape:
    square = tf.constant(np.square(x.numpy()), name="square")  # leaves the graph and returns
    y = square * x
    z = tf.square(x) * x  # the same value without leaving

through = tape.gradient(square, x)
half_way = tape.gradient(y, x)
inside = tape.gradient(z, x)

print("through NumPy:", through)
print("NumPy in the middle:", half_way.numpy())  # 9, the factor that stayed
print("all in the graph:", inside.numpy())  # 3 * 9
