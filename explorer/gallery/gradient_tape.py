"""A gradient tape.

The tape records what is computed from the variable x and then plays it backwards.
"""

import engine as tf

x = tf.Variable(initial_value=3.0, name="x")

with tf.GradientTape() as tape:
    y = tf.square(x)

dy_dx = tape.gradient(y, x)

print([y, dy_dx])
