"""A variable replaced by a tensor.

After x = x + 1 the name x stands for a plain tensor, which the second tape does not watch.
"""

import engine as tf

x = tf.Variable(3.0, name="x")
slopes = []

for _ in range(2):
    with tf.GradientTape() as tape:
        y = x * x
    slopes.append(tape.gradient(y, x))
    x = x + 1.0  # x.assign_add(1.0) would have kept the variable

print("first epoch:", slopes[0].numpy())  # 2 * 3
print("second epoch:", slopes[1])
