"""NaN through where.

where takes the 1, yet the branch not taken gets upstream 0, and 0 times infinity is NaN.
"""

import engine as tf

x = tf.Variable(0.0, name="x")

with tf.GradientTape() as tape:
    ratio = tf.sin(x) / x  # 0 / 0
    y = tf.where(tf.equal(x, 0.0), 1.0, ratio)

slope = tape.gradient(y, x)

print("y =", y.numpy())  # 1, as wanted
print("dy/dx =", slope.numpy())  # the true slope is 0
