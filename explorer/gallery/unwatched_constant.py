"""A constant that nobody watches.

A tape follows variables by itself; a constant has to be watched, or its gradient is None.
"""

import engine as tf

c = tf.constant(3.0, name="c")

with tf.GradientTape() as tape:
    y = c * c
unwatched = tape.gradient(y, c)

with tf.GradientTape() as tape:
    tape.watch(c)
    z = c * c
watched = tape.gradient(z, c)

print("unwatched:", unwatched)
print("watched:", watched.numpy())  # 2 * 3
