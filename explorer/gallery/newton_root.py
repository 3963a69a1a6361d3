"""A root by Newton's iteration.

Four rounds give 1 / (2 sqrt(a)), at two almost all from the last; the start is forgotten.
"""

import engine as tf

a = tf.Variable(2.0, name="a")
start = tf.Variable(1.0, name="start")

with tf.GradientTape() as tape:
    x = start
    for _ in range(4):
        x = 0.5 * (x + a / x)

to_a, to_start = tape.gradient(x, [a, start])

print("x =", x.numpy())
print("dx/da =", to_a.numpy())
print("dx/dstart =", to_start.numpy())
