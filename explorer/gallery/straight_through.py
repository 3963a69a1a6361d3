"""Straight through a rounding.

Forwards the rounded 2, backwards as if nothing had been rounded: the gradient is 4, not None.
"""

import engine as tf

x = tf.Variable(2.3, name="x")

with tf.GradientTape(persistent=True) as tape:
    # x + (round(x) - x) is round(x); the stop makes the bracket a constant.
    rounded = x + tf.stop_gradient(tf.round(x) - x)
    y = tf.square(rounded)
    blocked = tf.square(tf.round(x))

straight = tape.gradient(y, x)
plain = tape.gradient(blocked, x)

print("y =", y.numpy())
print("straight through:", straight.numpy())  # 2 * 2 * 1
print("plain round:", plain)
