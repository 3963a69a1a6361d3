"""State is not a path.

a enters b by an assignment, which moves a value but no gradient.
"""

import engine as tf

a = tf.Variable(3.0, name="a")
b = tf.Variable(1.0, name="b")

with tf.GradientTape(persistent=True) as tape:
    b.assign_add(a)
    y = b * b  # 16
    z = (1.0 + a) * (1.0 + a)  # the same value without a variable in between

assigned = tape.gradient(y, [a, b])
computed = tape.gradient(z, a)

print("dy/da, dy/db:", assigned[0], assigned[1].numpy())
print("dz/da:", computed.numpy())  # 2 * 4
